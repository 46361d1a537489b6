// jinja_print.c - values as Python prints them and as JSON.
#include "base/utf8.h"
#include "llm/jinja_value.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <utf8proc.h>

static void put(jinja_heap *h, jinja_text *out, const char *s) { jinja_put(h, out, span_of(s)); }

// The fewest digits that read back as `x`: "d.ddde±x" split into digits and exponent.
static int shortest(double x, char digits[20]) {
    char text[40];
    int precision = 0;
    // Short numbers are the usual ones, so the search begins with one digit.
    do snprintf(text, sizeof text, "%.*e", precision, x);
    while (strtod(text, NULL) != x && ++precision < 17);
    size_t n = 0;
    char *e = strchr(text, 'e');
    for (char *p = text; p < e; p++) {
        if (*p >= '0' && *p <= '9') digits[n++] = *p;
    }
    digits[n] = 0;
    return atoi(e + 1);
}

// Python's repr of a float: an exponent below 1e-4 and from 1e16 on.
static void put_float(jinja_heap *h, jinja_text *out, double x) {
    char digits[20], tail[16];
    if (x < 0 || (x == 0 && signbit(x))) put(h, out, "-");
    if (!isfinite(x)) {
        put(h, out, isnan(x) ? "nan" : "inf");
        return;
    }
    int exponent = shortest(fabs(x), digits), count = (int)strlen(digits);
    if (exponent < -4 || exponent >= 16) {
        jinja_put_char(h, out, digits[0]);
        if (count > 1) put(h, out, "."), put(h, out, digits + 1);
        snprintf(tail, sizeof tail, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
        put(h, out, tail);
        return;
    }
    // Zeros up to the first digit, then the digits with a point behind the units.
    if (exponent < 0) put(h, out, "0.");
    for (int i = exponent + 1; i < 0; i++) put(h, out, "0");
    for (int i = 0; i < count || i <= exponent; i++) {
        if (i == exponent + 1 && exponent >= 0) put(h, out, ".");
        jinja_put_char(h, out, i < count ? digits[i] : '0');
    }
    if (exponent >= 0 && count <= exponent + 1) put(h, out, ".0");
}

static void put_int(jinja_heap *h, jinja_text *out, int64_t n) {
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, n);
    put(h, out, text);
}

// --- repr

// Python's str.isprintable: no controls, surrogates, private or unassigned points, and of spaces the usual one.
static bool is_printable(uint32_t point) {
    utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)point);
    bool control = kind == UTF8PROC_CATEGORY_CN || (kind >= UTF8PROC_CATEGORY_CC && kind <= UTF8PROC_CATEGORY_CO);
    bool space = kind >= UTF8PROC_CATEGORY_ZS && kind <= UTF8PROC_CATEGORY_ZP;
    return !control && (!space || point == ' ');
}

// Escapes as Python writes them: the shortest of \x, \u and \U.
static void put_repr_point(jinja_heap *h, jinja_text *out, uint32_t point, text_span s, char quote) {
    char escape[16];
    const char *known = point == '\n' ? "\\n" : point == '\r' ? "\\r" : point == '\t' ? "\\t" : NULL;
    if (known) {
        put(h, out, known);
        return;
    }
    if (point == '\\' || point == (uint32_t)quote) jinja_put_char(h, out, '\\');
    if (is_printable(point)) {
        jinja_put(h, out, s);
        return;
    }
    const char *format = point < 0x100 ? "\\x%02x" : point < 0x10000 ? "\\u%04x" : "\\U%08x";
    snprintf(escape, sizeof escape, format, point);
    put(h, out, escape);
}

// Single quotes, unless the text has some and no double ones.
static void put_repr_text(jinja_heap *h, jinja_text *out, text_span s) {
    bool single = s.size && memchr(s.at, '\'', s.size), twice = s.size && memchr(s.at, '"', s.size);
    char quote = single && !twice ? '"' : '\'';
    jinja_put_char(h, out, quote);
    for (size_t at = 0, size; at < s.size; at += size) {
        uint32_t point = 0xfffd;
        size = utf8_decode(s.at + at, s.size - at, &point);
        if (!size) size = 1;
        put_repr_point(h, out, point, (text_span){s.at + at, size}, quote);
    }
    jinja_put_char(h, out, quote);
}

static void put_repr_list(jinja_heap *h, jinja_text *out, const value_list *list, const char *open, const char *close) {
    put(h, out, open);
    for (size_t i = 0; i < list->count; i++) {
        if (i) put(h, out, ", ");
        jvalue_repr(h, out, list->at[i]);
    }
    put(h, out, close);
}

static void put_repr_dict(jinja_heap *h, jinja_text *out, const value_dict *d) {
    put(h, out, "{");
    for (size_t i = 0; i < d->count; i++) {
        if (i) put(h, out, ", ");
        jvalue_repr(h, out, d->key[i]);
        put(h, out, ": ");
        jvalue_repr(h, out, d->at[i]);
    }
    put(h, out, "}");
}

// Functions and the like print their address in Python: nothing that a template could rely on.
static void put_repr(jinja_heap *h, jinja_text *out, value v) {
    switch (v.kind) {
    case V_ABSENT:
    case V_UNDEFINED: put(h, out, "Undefined"); break;
    case V_NONE: put(h, out, "None"); break;
    case V_BOOL: put(h, out, v.as.flag ? "True" : "False"); break;
    case V_INT: put_int(h, out, v.as.integer); break;
    case V_FLOAT: put_float(h, out, v.as.real); break;
    case V_TEXT: put_repr_text(h, out, v.as.text); break;
    case V_LIST: put_repr_list(h, out, v.as.list, "[", "]"); break;
    // (1,) has its comma.
    case V_TUPLE: put_repr_list(h, out, v.as.list, "(", v.as.list->count == 1 ? ",)" : ")"); break;
    case V_DICT: put_repr_dict(h, out, v.as.dict); break;
    case V_NAMESPACE:
        put(h, out, "<Namespace ");
        put_repr_dict(h, out, v.as.dict);
        put(h, out, ">");
        break;
    case V_FUNCTION:
    case V_METHOD:
    case V_MACRO:
    case V_LOOP: heap_fail(h, RX_UNSUPPORTED, "printing a %s is not supported", jvalue_type_name(v));
    }
}

void jvalue_repr(jinja_heap *h, jinja_text *out, value v) {
    heap_enter(h);
    put_repr(h, out, v);
    heap_leave(h);
}

// What {{ }} puts out: text as it is, undefined as nothing, all else as repr.
void jvalue_print(jinja_heap *h, jinja_text *out, value v) {
    if (v.kind == V_TEXT)
        jinja_put(h, out, v.as.text);
    else if (v.kind != V_UNDEFINED)
        jvalue_repr(h, out, v);
}

// Text is given back as it is, without a copy.
text_span jvalue_to_text(jinja_heap *h, value v) {
    jinja_text out = {0};
    if (v.kind == V_TEXT) return v.as.text;
    jvalue_print(h, &out, v);
    return jinja_span(&out);
}

// --- JSON

// One unit of UTF-16.
static void put_json_escape(jinja_heap *h, jinja_text *out, uint32_t unit) {
    char escape[16];
    snprintf(escape, sizeof escape, "\\u%04x", unit);
    put(h, out, escape);
}

static void put_json_point(jinja_heap *h, jinja_text *out, uint32_t point, text_span s, bool ascii) {
    static const char from[] = "\"\\\n\r\t\f\b", to[] = "\"\\nrtfb";
    const char *known = point && point < 0x80 ? strchr(from, (int)point) : NULL;
    if (known) {
        jinja_put_char(h, out, '\\');
        jinja_put_char(h, out, to[known - from]);
    } else if (point < 0x20 || (ascii && point > 0x7e && point < 0x10000)) {
        put_json_escape(h, out, point);
    } else if (ascii && point >= 0x10000) {
        put_json_escape(h, out, 0xd800 + ((point - 0x10000) >> 10));
        put_json_escape(h, out, 0xdc00 + ((point - 0x10000) & 0x3ff));
    } else {
        jinja_put(h, out, s);
    }
}

static void put_json_text(jinja_heap *h, jinja_text *out, text_span s, bool ascii) {
    jinja_put_char(h, out, '"');
    for (size_t at = 0, size; at < s.size; at += size) {
        uint32_t point = 0xfffd;
        size = utf8_decode(s.at + at, s.size - at, &point);
        if (!size) size = 1;
        put_json_point(h, out, point, (text_span){s.at + at, size}, ascii);
    }
    jinja_put_char(h, out, '"');
}

static void put_line(jinja_heap *h, jinja_text *out, const json_style *style, int level) {
    if (style->indent < 0) return;
    jinja_put_char(h, out, '\n');
    for (int i = 0; i < style->indent * level; i++) jinja_put_char(h, out, ' ');
}

static void put_json(jinja_heap *h, jinja_text *out, value v, const json_style *style, int level);

static void put_json_list(jinja_heap *h, jinja_text *out, const value_list *list, const json_style *style, int level) {
    put(h, out, "[");
    for (size_t i = 0; i < list->count; i++) {
        if (i) jinja_put(h, out, style->between);
        put_line(h, out, style, level + 1);
        put_json(h, out, list->at[i], style, level + 1);
    }
    if (list->count) put_line(h, out, style, level);
    put(h, out, "]");
}

// Keys that are numbers, bools or None become text, as Python makes them.
static text_span json_key(jinja_heap *h, value key) {
    jinja_text out = {0};
    if (key.kind == V_TEXT) return key.as.text;
    if (key.kind == V_TUPLE) heap_fail(h, RX_INVALID_ARGUMENT, "tojson: a tuple can't be a key in JSON");
    put_json(h, &out, key, &(json_style){.indent = -1}, 0);
    return jinja_span(&out);
}

static size_t *key_order(jinja_heap *h, const value_dict *d, bool sort) {
    size_t *order = heap_get(h, d->count * sizeof *order);
    for (size_t i = 0; i < d->count; i++) {
        size_t at = i;
        for (; sort && at && jvalue_compare(h, d->key[i], d->key[order[at - 1]]) < 0; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

// Keys are printed as text whatever they are, as json.dumps does.
static void put_json_dict(jinja_heap *h, jinja_text *out, const value_dict *d, const json_style *style, int level) {
    const size_t *order = key_order(h, d, style->sort);
    put(h, out, "{");
    for (size_t i = 0; i < d->count; i++) {
        if (i) jinja_put(h, out, style->between);
        put_line(h, out, style, level + 1);
        put_json_text(h, out, json_key(h, d->key[order[i]]), style->ascii);
        jinja_put(h, out, style->after_key);
        put_json(h, out, d->at[order[i]], style, level + 1);
    }
    if (d->count) put_line(h, out, style, level);
    put(h, out, "}");
}

// Python writes these three although JSON has none of them.
static void put_json_float(jinja_heap *h, jinja_text *out, double x) {
    if (isfinite(x))
        put_float(h, out, x);
    else
        put(h, out, isnan(x) ? "NaN" : x < 0 ? "-Infinity" : "Infinity");
}

static void put_json(jinja_heap *h, jinja_text *out, value v, const json_style *style, int level) {
    heap_enter(h);
    switch (v.kind) {
    case V_NONE: put(h, out, "null"); break;
    case V_BOOL: put(h, out, v.as.flag ? "true" : "false"); break;
    case V_INT: put_int(h, out, v.as.integer); break;
    case V_FLOAT: put_json_float(h, out, v.as.real); break;
    case V_TEXT: put_json_text(h, out, v.as.text, style->ascii); break;
    case V_LIST:
    case V_TUPLE: put_json_list(h, out, v.as.list, style, level); break;
    case V_DICT:
    case V_NAMESPACE: put_json_dict(h, out, v.as.dict, style, level); break;
    case V_ABSENT:
    case V_UNDEFINED:
    case V_FUNCTION:
    case V_METHOD:
    case V_MACRO:
    case V_LOOP:
        heap_fail(h, RX_INVALID_ARGUMENT, "tojson: Object of type %s is not JSON serializable", jvalue_type_name(v));
    }
    heap_leave(h);
}

void jvalue_put_json(jinja_heap *h, jinja_text *out, value v, const json_style *style) {
    put_json(h, out, v, style, 0);
}
