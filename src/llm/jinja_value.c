// jinja_value.c - making, comparing and asking values.
#include "llm/jinja_value.h"
#include "base/utf8.h"

value jvalue_text(text_span s) { return (value){.kind = V_TEXT, .as.text = s}; }
value jvalue_bool(bool flag) { return (value){.kind = V_BOOL, .as.flag = flag}; }
value jvalue_int(int64_t n) { return (value){.kind = V_INT, .as.integer = n}; }
value jvalue_float(double x) { return (value){.kind = V_FLOAT, .as.real = x}; }
value jvalue_none(void) { return (value){.kind = V_NONE}; }
value jvalue_undefined(text_span name) { return (value){.kind = V_UNDEFINED, .as.text = name}; }

// The heap gives zeroed memory, which is an empty list.
value jvalue_new_list(jinja_heap *h, value_kind kind) {
    return (value){.kind = kind, .as.list = heap_get(h, sizeof(value_list))};
}

value jvalue_new_dict(jinja_heap *h, value_kind kind) {
    return (value){.kind = kind, .as.dict = heap_get(h, sizeof(value_dict))};
}

// Nothing is freed before the heap is: the old items stay as garbage. Doubling keeps that below what is used.
static value *grow(jinja_heap *h, const value *at, size_t count, size_t room) {
    value *bigger = heap_get(h, room * sizeof *bigger);
    if (count) memcpy(bigger, at, count * sizeof *bigger);
    return bigger;
}

void list_add(jinja_heap *h, value_list *list, value item) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 4;
        list->at = grow(h, list->at, list->count, list->room);
    }
    list->at[list->count++] = item;
}

// Dicts of messages have few keys, so a search from the front is quicker than hashing; what searches long ones counts
// steps for it.
const value *dict_find_text(const value_dict *d, text_span key) {
    for (size_t i = 0; i < d->count; i++) {
        if (d->key[i].kind == V_TEXT && span_equal(d->key[i].as.text, key)) return &d->at[i];
    }
    return NULL;
}

const value *dict_find(jinja_heap *h, const value_dict *d, value key) {
    if (key.kind == V_TEXT) return dict_find_text(d, key.as.text);
    // Python: "unhashable type".
    if (key.kind == V_LIST || key.kind == V_DICT)
        heap_fail(h, RX_INVALID_ARGUMENT, "a %s can't be the key of a dict", jvalue_type_name(key));
    for (size_t i = 0; i < d->count; i++) {
        if (jvalue_equal(h, d->key[i], key)) return &d->at[i];
    }
    return NULL;
}

// A key that is there keeps its place: dicts print in the order of first insertion, as in Python.
void dict_put(jinja_heap *h, value_dict *d, value key, value item) {
    value *found = (value *)dict_find(h, d, key);
    if (found) {
        *found = item;
        return;
    }
    if (d->count == d->room) {
        d->room = d->room ? 2 * d->room : 4;
        d->key = grow(h, d->key, d->count, d->room);
        d->at = grow(h, d->at, d->count, d->room);
    }
    d->key[d->count] = key;
    d->at[d->count++] = item;
}

bool jvalue_given(value v) { return v.kind != V_ABSENT && v.kind != V_NONE; }

// Python's truth: zero and empty are false, and so is what Jinja does not know.
bool jvalue_true(value v) {
    switch (v.kind) {
    case V_ABSENT:
    case V_UNDEFINED:
    case V_NONE: return false;
    case V_BOOL: return v.as.flag;
    case V_INT: return v.as.integer != 0;
    case V_FLOAT: return v.as.real != 0;
    case V_TEXT: return v.as.text.size > 0;
    case V_LIST:
    case V_TUPLE: return v.as.list->count > 0;
    case V_DICT: return v.as.dict->count > 0;
    case V_NAMESPACE:
    case V_FUNCTION:
    case V_METHOD:
    case V_MACRO:
    case V_LOOP: return true;
    }
    return false;
}

bool jvalue_is_number(value v) { return v.kind == V_BOOL || v.kind == V_INT || v.kind == V_FLOAT; }

static int64_t as_int(value v) { return v.kind == V_BOOL ? v.as.flag : v.as.integer; }
// Exact up to 2^53; equality therefore asks compare_numbers as well, which keeps integers apart beyond that.
static double as_real(value v) { return v.kind == V_FLOAT ? v.as.real : (double)as_int(v); }

// A NaN is neither less nor more: 0, and equality rules it out by ==.
static int compare_numbers(value a, value b) {
    if (a.kind != V_FLOAT && b.kind != V_FLOAT) return (as_int(a) > as_int(b)) - (as_int(a) < as_int(b));
    return (as_real(a) > as_real(b)) - (as_real(a) < as_real(b));
}

// Item by item, up to the first that differs.
static bool equal_lists(jinja_heap *h, const value_list *a, const value_list *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) same = jvalue_equal(h, a->at[i], b->at[i]);
    return same;
}

// The order of keys does not count.
static bool equal_dicts(jinja_heap *h, const value_dict *a, const value_dict *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        const value *other = dict_find(h, b, a->key[i]);
        same = other && jvalue_equal(h, a->at[i], *other);
    }
    return same;
}

static bool equal_same_kind(jinja_heap *h, value a, value b) {
    switch (a.kind) {
    case V_ABSENT:
    case V_UNDEFINED:
    case V_NONE: return true;
    case V_BOOL:
    case V_INT:
    case V_FLOAT: return as_real(a) == as_real(b) && compare_numbers(a, b) == 0;
    case V_TEXT: return span_equal(a.as.text, b.as.text);
    case V_LIST:
    case V_TUPLE: return equal_lists(h, a.as.list, b.as.list);
    case V_DICT: return equal_dicts(h, a.as.dict, b.as.dict);
    case V_NAMESPACE: return a.as.dict == b.as.dict;
    case V_FUNCTION: return a.as.function == b.as.function;
    case V_METHOD: return a.as.method == b.as.method;
    case V_MACRO: return a.as.macro == b.as.macro;
    case V_LOOP: return a.as.loop == b.as.loop;
    }
    return false;
}

// 1 == 1.0 == true, as in Python; a list is never equal to a tuple.
bool jvalue_equal(jinja_heap *h, value a, value b) {
    if (jvalue_is_number(a) && jvalue_is_number(b)) return as_real(a) == as_real(b) && compare_numbers(a, b) == 0;
    if (a.kind != b.kind) return false;
    heap_enter(h);
    bool same = equal_same_kind(h, a, b);
    heap_leave(h);
    return same;
}

static int compare_texts(text_span a, text_span b) {
    size_t least = a.size < b.size ? a.size : b.size;
    int order = least ? memcmp(a.at, b.at, least) : 0; // the order of UTF-8's bytes is that of the code points
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

// The first items that differ decide, then the length.
static int compare_lists(jinja_heap *h, const value_list *a, const value_list *b) {
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        if (jvalue_equal(h, a->at[i], b->at[i])) continue;
        heap_enter(h);
        int order = jvalue_compare(h, a->at[i], b->at[i]);
        heap_leave(h);
        return order;
    }
    return (a->count > b->count) - (a->count < b->count);
}

int jvalue_compare(jinja_heap *h, value a, value b) {
    if (jvalue_is_number(a) && jvalue_is_number(b)) return compare_numbers(a, b);
    if (a.kind == V_TEXT && b.kind == V_TEXT) return compare_texts(a.as.text, b.as.text);
    if (a.kind == b.kind && (a.kind == V_LIST || a.kind == V_TUPLE)) return compare_lists(h, a.as.list, b.as.list);
    heap_fail(h, RX_INVALID_ARGUMENT, "'%s' and '%s' have no order", jvalue_type_name(a), jvalue_type_name(b));
}

// Templates print these names in their own errors, so they are Python's.
const char *jvalue_type_name(value v) {
    static const char *const names[] = {
        [V_ABSENT] = "nothing",
        [V_UNDEFINED] = "Undefined",
        [V_NONE] = "NoneType",
        [V_BOOL] = "bool",
        [V_INT] = "int",
        [V_FLOAT] = "float",
        [V_TEXT] = "str",
        [V_LIST] = "list",
        [V_TUPLE] = "tuple",
        [V_DICT] = "dict",
        [V_NAMESPACE] = "Namespace",
        [V_FUNCTION] = "function",
        [V_METHOD] = "method",
        [V_MACRO] = "Macro",
        [V_LOOP] = "LoopContext",
    };
    return names[v.kind];
}

// Every byte but those that continue a code point begins one.
size_t text_points(text_span s) {
    size_t points = 0;
    for (size_t i = 0; i < s.size; i++) points += ((unsigned char)s.at[i] & 0xc0) != 0x80;
    return points;
}

// Linear, and counted by who calls it with long texts.
size_t text_offset(text_span s, size_t point) {
    size_t at = 0;
    while (at < s.size && (((unsigned char)s.at[at] & 0xc0) == 0x80 || point-- > 0)) at++;
    return at;
}

// Each a span into the text itself.
static void add_characters(jinja_heap *h, value_list *out, text_span s) {
    uint32_t point;
    for (size_t at = 0, size; at < s.size; at += size) {
        size = utf8_decode(s.at + at, s.size - at, &point);
        // A byte that is no UTF-8 counts as a character.
        if (!size) size = 1;
        list_add(h, out, jvalue_text((text_span){s.at + at, size}));
    }
}

value_list *jvalue_items(jinja_heap *h, value v) {
    if (v.kind == V_LIST || v.kind == V_TUPLE) return v.as.list;
    value_list *out = heap_get(h, sizeof *out);
    if (v.kind == V_DICT) {
        for (size_t i = 0; i < v.as.dict->count; i++) list_add(h, out, v.as.dict->key[i]);
    } else if (v.kind == V_TEXT) {
        add_characters(h, out, v.as.text);
    } else if (v.kind != V_UNDEFINED) {
        heap_fail(h, RX_INVALID_ARGUMENT, "'%s' object is not iterable", jvalue_type_name(v));
    }
    return out;
}
