// jinja_methods.c - methods of text, dicts and loops.
#include "llm/jinja_text.h"

static value strip(jinja *j, value self, const arguments *a) {
    return jvalue_text(jinja_strip(j, self.as.text, a->at[0], STRIP_LEFT | STRIP_RIGHT));
}

static value lstrip(jinja *j, value self, const arguments *a) {
    return jvalue_text(jinja_strip(j, self.as.text, a->at[0], STRIP_LEFT));
}

static value rstrip(jinja *j, value self, const arguments *a) {
    return jvalue_text(jinja_strip(j, self.as.text, a->at[0], STRIP_RIGHT));
}

static value lower(jinja *j, value self, const arguments *a) {
    (void)a;
    return jinja_lower(j, self.as.text);
}

static value upper(jinja *j, value self, const arguments *a) {
    (void)a;
    return jinja_upper(j, self.as.text);
}

static value capitalize(jinja *j, value self, const arguments *a) {
    (void)a;
    return jinja_capitalize(j, self.as.text);
}

// --- split

// At runs of white space; what is at the ends makes no empty parts.
static value split_at_space(jinja *j, text_span s, int64_t most) {
    value parts = jvalue_new_list(j->heap, V_LIST);
    value none = jvalue_none();
    for (;;) {
        s = jinja_strip(j, s, none, STRIP_LEFT);
        if (!s.size) return parts;
        size_t size = 0;
        while (size < s.size) { // a character that strips to nothing is white space
            size_t point = text_offset((text_span){s.at + size, s.size - size}, 1);
            if (!jinja_strip(j, (text_span){s.at + size, point}, none, STRIP_LEFT).size) break;
            size += point;
        }
        // The last part takes the rest, but for the white space at its end.
        if (most == 0) size = jinja_strip(j, s, none, STRIP_RIGHT).size;
        list_add(j->heap, parts.as.list, jvalue_text((text_span){s.at, size}));
        if (most == 0) return parts;
        most -= most > 0;
        s = (text_span){s.at + size, s.size - size};
    }
}

// Python raises here too; without it split would never end.
static text_span want_separator(jinja *j, value v) {
    text_span separator = jinja_want_text(j, v, "split");
    if (!separator.size) heap_fail(j->heap, RX_INVALID_ARGUMENT, "split: an empty separator");
    return separator;
}

static value split(jinja *j, value self, const arguments *a) {
    int64_t most = jvalue_given(a->at[1]) ? jinja_want_int(j, a->at[1], "split") : -1;
    text_span s = self.as.text;
    if (!jvalue_given(a->at[0])) return split_at_space(j, s, most);
    text_span separator = want_separator(j, a->at[0]);
    value parts = jvalue_new_list(j->heap, V_LIST);
    for (; most != 0; most -= most > 0) {
        int64_t at = jinja_find(j, s, separator);
        if (at < 0) break;
        list_add(j->heap, parts.as.list, jvalue_text((text_span){s.at, (size_t)at}));
        s = (text_span){s.at + at + separator.size, s.size - (size_t)at - separator.size};
    }
    list_add(j->heap, parts.as.list, jvalue_text(s));
    return parts;
}

// The last `part` in `s`, or -1.
static int64_t find_last(jinja *j, text_span s, text_span part) {
    jinja_step(j, s.size / 8);
    for (size_t at = s.size >= part.size ? s.size - part.size + 1 : 0; at-- > 0;) {
        if (memcmp(s.at + at, part.at, part.size) == 0) return (int64_t)at;
    }
    return -1;
}

// From the end: parts are found last first, and put in order afterwards.
static value rsplit(jinja *j, value self, const arguments *a) {
    int64_t most = jvalue_given(a->at[1]) ? jinja_want_int(j, a->at[1], "rsplit") : -1;
    text_span s = self.as.text;
    if (!jvalue_given(a->at[0])) heap_fail(j->heap, RX_UNSUPPORTED, "rsplit at white space is not supported");
    text_span separator = want_separator(j, a->at[0]);
    value parts = jvalue_new_list(j->heap, V_LIST), order = jvalue_new_list(j->heap, V_LIST);
    for (; most != 0; most -= most > 0) {
        int64_t at = find_last(j, s, separator);
        if (at < 0) break;
        size_t behind = (size_t)at + separator.size;
        list_add(j->heap, parts.as.list, jvalue_text((text_span){s.at + behind, s.size - behind}));
        s.size = (size_t)at;
    }
    list_add(j->heap, order.as.list, jvalue_text(s));
    for (size_t i = parts.as.list->count; i-- > 0;) list_add(j->heap, order.as.list, parts.as.list->at[i]);
    return order;
}

// Python knows more ends of lines (form feeds, U+2028); templates split what they wrote themselves.
static value splitlines(jinja *j, value self, const arguments *a) {
    value lines = jvalue_new_list(j->heap, V_LIST);
    text_span s = self.as.text;
    if (jvalue_given(a->at[0]) && jvalue_true(a->at[0]))
        heap_fail(j->heap, RX_UNSUPPORTED, "splitlines that keeps the ends is not supported");
    while (s.size) {
        size_t size = 0, end;
        while (size < s.size && s.at[size] != '\n' && s.at[size] != '\r') size++;
        end = size + (size < s.size);
        if (end < s.size && s.at[size] == '\r' && s.at[end] == '\n') end++;
        list_add(j->heap, lines.as.list, jvalue_text((text_span){s.at, size}));
        s = (text_span){s.at + end, s.size - end};
    }
    return lines;
}

// --- Beginnings and ends.

static bool begins(text_span s, text_span part) {
    return s.size >= part.size && (!part.size || memcmp(s.at, part.at, part.size) == 0);
}

static bool ends(text_span s, text_span part) {
    return s.size >= part.size && begins((text_span){s.at + s.size - part.size, part.size}, part);
}

// The argument is a text or a tuple of them.
static value any_of(jinja *j, value self, value parts, bool (*holds)(text_span s, text_span part), const char *name) {
    if (parts.kind != V_TUPLE) return jvalue_bool(holds(self.as.text, jinja_want_text(j, parts, name)));
    for (size_t i = 0; i < parts.as.list->count; i++) {
        if (holds(self.as.text, jinja_want_text(j, parts.as.list->at[i], name))) return jvalue_bool(true);
    }
    return jvalue_bool(false);
}

static value startswith(jinja *j, value self, const arguments *a) {
    return any_of(j, self, a->at[0], begins, "startswith");
}

static value endswith(jinja *j, value self, const arguments *a) { return any_of(j, self, a->at[0], ends, "endswith"); }

static value removeprefix(jinja *j, value self, const arguments *a) {
    text_span part = jinja_want_text(j, a->at[0], "removeprefix"), s = self.as.text;
    return begins(s, part) ? jvalue_text((text_span){s.at + part.size, s.size - part.size}) : self;
}

static value removesuffix(jinja *j, value self, const arguments *a) {
    text_span part = jinja_want_text(j, a->at[0], "removesuffix"), s = self.as.text;
    return ends(s, part) ? jvalue_text((text_span){s.at, s.size - part.size}) : self;
}

static value replace(jinja *j, value self, const arguments *a) {
    int64_t most = jvalue_given(a->at[2]) ? jinja_want_int(j, a->at[2], "replace") : -1;
    text_span old = jinja_want_text(j, a->at[0], "replace");
    return jinja_replace(j, self.as.text, old, jinja_want_text(j, a->at[1], "replace"), most);
}

// Bytes to code points, which Python counts.
static value position(text_span s, int64_t at) {
    return jvalue_int(at < 0 ? -1 : (int64_t)text_points((text_span){s.at, (size_t)at}));
}

static value find(jinja *j, value self, const arguments *a) {
    return position(self.as.text, jinja_find(j, self.as.text, jinja_want_text(j, a->at[0], "find")));
}

static value rfind(jinja *j, value self, const arguments *a) {
    return position(self.as.text, find_last(j, self.as.text, jinja_want_text(j, a->at[0], "rfind")));
}

static value count(jinja *j, value self, const arguments *a) {
    text_span part = want_separator(j, a->at[0]), s = self.as.text;
    int64_t n = 0, at;
    for (; (at = jinja_find(j, s, part)) >= 0; n++)
        s = (text_span){s.at + at + part.size, s.size - (size_t)at - part.size};
    return jvalue_int(n);
}

// Unlike the filter of this name the method takes nothing but text.
static value join(jinja *j, value self, const arguments *a) {
    value_list *items = jvalue_items(j->heap, a->at[0]);
    for (size_t i = 0; i < items->count; i++) jinja_want_text(j, items->at[i], "join");
    return jinja_join(j, self.as.text, items);
}

static value format(jinja *j, value self, const arguments *a) {
    return jinja_format(j, self.as.text, &a->all, &a->named);
}

// Digits of ASCII; Python takes those of all scripts.
static value isdigit_(jinja *j, value self, const arguments *a) {
    bool all = self.as.text.size > 0;
    (void)j, (void)a;
    for (size_t i = 0; i < self.as.text.size; i++) all = all && self.as.text.at[i] >= '0' && self.as.text.at[i] <= '9';
    return jvalue_bool(all);
}

// --- Dicts.

// An absent key is None here, not undefined: `message.get("x") is defined` holds.
static value get(jinja *j, value self, const arguments *a) {
    jinja_step(j, self.as.dict->count / 8);
    if (a->at[0].kind == V_ABSENT) heap_fail(j->heap, RX_INVALID_ARGUMENT, "get wants a key");
    const value *found = dict_find(j->heap, self.as.dict, a->at[0]);
    return found ? *found : a->at[1].kind == V_ABSENT ? jvalue_none() : a->at[1];
}

static value items(jinja *j, value self, const arguments *a) {
    value all = jvalue_new_list(j->heap, V_LIST);
    (void)a;
    for (size_t i = 0; i < self.as.dict->count; i++) {
        value pair = jvalue_new_list(j->heap, V_TUPLE);
        list_add(j->heap, pair.as.list, self.as.dict->key[i]);
        list_add(j->heap, pair.as.list, self.as.dict->at[i]);
        list_add(j->heap, all.as.list, pair);
    }
    return all;
}

static value keys(jinja *j, value self, const arguments *a) {
    (void)a;
    return (value){.kind = V_LIST, .as.list = jvalue_items(j->heap, self)};
}

static value values(jinja *j, value self, const arguments *a) {
    value all = jvalue_new_list(j->heap, V_LIST);
    (void)a;
    for (size_t i = 0; i < self.as.dict->count; i++) list_add(j->heap, all.as.list, self.as.dict->at[i]);
    return all;
}

// --- Loops.

static value cycle(jinja *j, value self, const arguments *a) {
    if (!a->all.count) heap_fail(j->heap, RX_INVALID_ARGUMENT, "cycle wants values");
    return a->all.at[self.as.loop->index % a->all.count];
}

// Whether the arguments differ from those of the round before; in the first they do.
static value changed(jinja *j, value self, const arguments *a) {
    value now = jvalue_new_list(j->heap, V_TUPLE);
    for (size_t i = 0; i < a->all.count; i++) list_add(j->heap, now.as.list, a->all.at[i]);
    bool same = jvalue_equal(j->heap, now, self.as.loop->changed);
    self.as.loop->changed = now;
    return jvalue_bool(!same);
}

// What the sandbox of Transformers refuses too.
static value refuse_change(jinja *j, value self, const arguments *a) {
    (void)a;
    heap_fail(j->heap, RX_INVALID_ARGUMENT, "a %s can't be changed by a template", jvalue_type_name(self));
}

// What a method belongs to, and the rest as for filters.
typedef struct method {
    value_kind kind;
    function function;
} method;

static const method table[] = {
    {V_TEXT, {"strip", strip, {"chars"}, false}},
    {V_TEXT, {"lstrip", lstrip, {"chars"}, false}},
    {V_TEXT, {"rstrip", rstrip, {"chars"}, false}},
    {V_TEXT, {"lower", lower, {0}, false}},
    {V_TEXT, {"upper", upper, {0}, false}},
    {V_TEXT, {"capitalize", capitalize, {0}, false}},
    {V_TEXT, {"split", split, {"sep", "maxsplit"}, false}},
    {V_TEXT, {"rsplit", rsplit, {"sep", "maxsplit"}, false}},
    {V_TEXT, {"splitlines", splitlines, {"keepends"}, false}},
    {V_TEXT, {"startswith", startswith, {"prefix"}, false}},
    {V_TEXT, {"endswith", endswith, {"suffix"}, false}},
    {V_TEXT, {"removeprefix", removeprefix, {"prefix"}, false}},
    {V_TEXT, {"removesuffix", removesuffix, {"suffix"}, false}},
    {V_TEXT, {"replace", replace, {"old", "new", "count"}, false}},
    {V_TEXT, {"find", find, {"sub"}, false}},
    {V_TEXT, {"rfind", rfind, {"sub"}, false}},
    {V_TEXT, {"count", count, {"sub"}, false}},
    {V_TEXT, {"join", join, {"iterable"}, false}},
    {V_TEXT, {"format", format, {0}, true}},
    {V_TEXT, {"isdigit", isdigit_, {0}, false}},
    {V_DICT, {"get", get, {"key", "default"}, false}},
    {V_DICT, {"items", items, {0}, false}},
    {V_DICT, {"keys", keys, {0}, false}},
    {V_DICT, {"values", values, {0}, false}},
    {V_DICT, {"pop", refuse_change, {0}, true}},
    {V_DICT, {"popitem", refuse_change, {0}, true}},
    {V_DICT, {"update", refuse_change, {0}, true}},
    {V_DICT, {"setdefault", refuse_change, {0}, true}},
    {V_DICT, {"clear", refuse_change, {0}, true}},
    {V_LIST, {"append", refuse_change, {0}, true}},
    {V_LIST, {"extend", refuse_change, {0}, true}},
    {V_LIST, {"insert", refuse_change, {0}, true}},
    {V_LIST, {"pop", refuse_change, {0}, true}},
    {V_LIST, {"remove", refuse_change, {0}, true}},
    {V_LIST, {"reverse", refuse_change, {0}, true}},
    {V_LIST, {"sort", refuse_change, {0}, true}},
    {V_LIST, {"clear", refuse_change, {0}, true}},
    {V_LOOP, {"cycle", cycle, {0}, true}},
    {V_LOOP, {"changed", changed, {0}, true}},
};

const function *jinja_find_method(value self, text_span name) {
    for (size_t i = 0; i < COUNT(table); i++) {
        if (table[i].kind == self.kind && span_is(name, table[i].function.name)) return &table[i].function;
    }
    return NULL;
}

// Also those that are not supported: an attribute of that name must not be taken for a key of the message.
bool jinja_is_python_method(value self, text_span name) {
    static const char *const others[] = {"center",  "encode",   "expandtabs", "format_map", "index",     "isalnum",
                                         "isalpha", "islower",  "isspace",    "istitle",    "isupper",   "isnumeric",
                                         "ljust",   "rjust",    "partition",  "rpartition", "swapcase",  "title",
                                         "zfill",   "casefold", "isdecimal",  "isascii",    "translate", "rindex"};
    if (jinja_find_method(self, name)) return true;
    if (self.kind == V_DICT) return span_is(name, "copy") || span_is(name, "fromkeys");
    if (self.kind == V_LIST) return span_is(name, "copy") || span_is(name, "index") || span_is(name, "count");
    for (size_t i = 0; self.kind == V_TEXT && i < COUNT(others); i++) {
        if (span_is(name, others[i])) return true;
    }
    return false;
}
