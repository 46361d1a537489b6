// jinja_text.c - operations on text.
#define _GNU_SOURCE // memmem
#include "llm/jinja_text.h"
#include "base/utf8.h"
#include <utf8proc.h>

// Python's str.isspace.
static bool is_space(uint32_t c) {
    static const uint32_t others[] = {0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000};
    if ((c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || (c >= 0x2000 && c <= 0x200a)) return true;
    for (size_t i = 0; i < COUNT(others); i++) {
        if (c == others[i]) return true;
    }
    return false;
}

static bool is_stripped(text_span point, uint32_t c, const text_span *set) {
    if (!set) return is_space(c);
    return set->size >= point.size && memmem(set->at, set->size, point.at, point.size);
}

static size_t last_point(text_span s) {
    size_t at = s.size - 1;
    while (at && ((unsigned char)s.at[at] & 0xc0) == 0x80) at--;
    return at;
}

text_span jinja_strip(jinja *j, text_span s, value set, int sides) {
    text_span characters = {0};
    const text_span *wanted = NULL;
    uint32_t c = 0;
    if (set.kind != V_ABSENT && set.kind != V_NONE) {
        characters = jinja_want_text(j, set, "strip");
        wanted = &characters;
    }
    jinja_step(j, s.size / 16);
    while ((sides & STRIP_LEFT) && s.size) {
        size_t size = utf8_decode(s.at, s.size, &c);
        if (!size || !is_stripped((text_span){s.at, size}, c, wanted)) break;
        s = (text_span){s.at + size, s.size - size};
    }
    while ((sides & STRIP_RIGHT) && s.size) {
        size_t at = last_point(s), size = utf8_decode(s.at + at, s.size - at, &c);
        if (!size || !is_stripped((text_span){s.at + at, size}, c, wanted)) break;
        s.size = at;
    }
    return s;
}

// Each code point as `change` makes it.
static void put_changed(jinja *j, jinja_text *out, text_span s, utf8proc_int32_t (*change)(utf8proc_int32_t)) {
    char bytes[4];
    for (size_t at = 0, size; at < s.size; at += size) {
        uint32_t c = 0xfffd;
        size = utf8_decode(s.at + at, s.size - at, &c);
        if (!size) size = 1;
        jinja_put(j->heap, out, (text_span){bytes, utf8_encode((uint32_t)change((utf8proc_int32_t)c), bytes)});
    }
}

// Code point by code point: the few whose other case is several (ß) stay as they are, unlike in Python.
value jinja_lower(jinja *j, text_span s) {
    jinja_text out = {0};
    put_changed(j, &out, s, utf8proc_tolower);
    return jvalue_text(jinja_span(&out));
}

value jinja_upper(jinja *j, text_span s) {
    jinja_text out = {0};
    put_changed(j, &out, s, utf8proc_toupper);
    return jvalue_text(jinja_span(&out));
}

// A first letter has a title case of its own in a few alphabets (ǆ, ǅ, Ǆ).
value jinja_capitalize(jinja *j, text_span s) {
    jinja_text out = {0};
    size_t first = text_offset(s, 1);
    put_changed(j, &out, (text_span){s.at, first}, utf8proc_totitle);
    put_changed(j, &out, (text_span){s.at + first, s.size - first}, utf8proc_tolower);
    return jvalue_text(jinja_span(&out));
}

// memmem is linear or nearly so; the steps are for its bytes.
int64_t jinja_find(jinja *j, text_span s, text_span part) {
    jinja_step(j, s.size / 64);
    if (!part.size) return 0;
    const char *at = s.size >= part.size ? memmem(s.at, s.size, part.at, part.size) : NULL;
    return at ? at - s.at : -1;
}

// An empty `old` stands before every character and at the end, as in Python.
static value put_between(jinja *j, text_span s, text_span new, int64_t most) {
    jinja_text out = {0};
    size_t at = 0;
    for (; most != 0 && at <= s.size; most -= most > 0) {
        size_t size = text_offset((text_span){s.at + at, s.size - at}, 1);
        jinja_put(j->heap, &out, new);
        jinja_put(j->heap, &out, (text_span){s.at + at, size});
        if (at == s.size) return jvalue_text(jinja_span(&out));
        at += size;
    }
    jinja_put(j->heap, &out, (text_span){s.at + at, s.size - at});
    return jvalue_text(jinja_span(&out));
}

value jinja_replace(jinja *j, text_span s, text_span old, text_span new, int64_t most) {
    jinja_text out = {0};
    if (!old.size) return put_between(j, s, new, most);
    jinja_step(j, s.size / 64);
    for (; most != 0; most -= most > 0) {
        const char *at = s.size >= old.size ? memmem(s.at, s.size, old.at, old.size) : NULL;
        if (!at) break;
        jinja_put(j->heap, &out, (text_span){s.at, (size_t)(at - s.at)});
        jinja_put(j->heap, &out, new);
        s = (text_span){at + old.size, s.size - (size_t)(at - s.at) - old.size};
    }
    jinja_put(j->heap, &out, s);
    return jvalue_text(jinja_span(&out));
}

// Each item as {{ }} would print it.
value jinja_join(jinja *j, text_span between, const value_list *items) {
    jinja_text out = {0};
    for (size_t i = 0; i < items->count; i++) {
        if (i) jinja_put(j->heap, &out, between);
        jvalue_print(j->heap, &out, items->at[i]);
    }
    return jvalue_text(jinja_span(&out));
}

// The value a field "", "0" or "name" stands for.
static value find_field(jinja *j, text_span field, size_t *next, const value_list *given, const value_dict *named) {
    size_t index = 0;
    bool number = true;
    for (size_t i = 0; i < field.size; i++) {
        char c = field.at[i];
        // "{0.name}", "{x!r}", "{:>10}": specifications that no recorded template uses.
        if (strchr(".[!:{", c)) heap_fail(j->heap, RX_UNSUPPORTED, "format: '%c' in a field is not supported", c);
        number = number && c >= '0' && c <= '9' && i < 6;
        if (number) index = index * 10 + (size_t)(c - '0');
    }
    if (!field.size) index = (*next)++;
    const value *found = number ? NULL : dict_find_text(named, field);
    if (number && index < given->count) found = &given->at[index];
    if (!found)
        heap_fail(j->heap, RX_INVALID_ARGUMENT, "format: no argument for {%.*s}",
                  field.size < 60 ? (int)field.size : 60, field.at);
    return *found;
}

value jinja_format(jinja *j, text_span format, const value_list *given, const value_dict *named) {
    jinja_text out = {0};
    size_t next = 0;
    for (size_t i = 0; i < format.size; i++) {
        char c = format.at[i];
        bool doubled = i + 1 < format.size && format.at[i + 1] == c;
        // {{ and }} stand for one brace.
        if ((c == '{' || c == '}') && doubled) i++;
        if (c != '{' || doubled) {
            if (c == '}' && !doubled) heap_fail(j->heap, RX_INVALID_ARGUMENT, "format: a '}' without '{'");
            jinja_put_char(j->heap, &out, c);
            continue;
        }
        const char *close = memchr(format.at + i, '}', format.size - i);
        if (!close) heap_fail(j->heap, RX_INVALID_ARGUMENT, "format: a '{' without '}'");
        text_span field = {format.at + i + 1, (size_t)(close - format.at) - i - 1};
        jvalue_print(j->heap, &out, find_field(j, field, &next, given, named));
        i = (size_t)(close - format.at);
    }
    return jvalue_text(jinja_span(&out));
}
