// jinja_filters.c - filters of single values. Those of lists are in jinja_filters_list.c.
#include "llm/jinja_filters.h"
#include "llm/jinja_text.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// The filter `string`: str() of anything.
static value to_text(jinja *j, value v, const arguments *a) {
    (void)a;
    return jvalue_text(jvalue_to_text(j->heap, v));
}

// Filters take any value, as its text.
static value trim(jinja *j, value v, const arguments *a) {
    return jvalue_text(jinja_strip(j, jvalue_to_text(j->heap, v), a->at[0], STRIP_LEFT | STRIP_RIGHT));
}

static value lower(jinja *j, value v, const arguments *a) {
    (void)a;
    return jinja_lower(j, jvalue_to_text(j->heap, v));
}

static value upper(jinja *j, value v, const arguments *a) {
    (void)a;
    return jinja_upper(j, jvalue_to_text(j->heap, v));
}

static value capitalize(jinja *j, value v, const arguments *a) {
    (void)a;
    return jinja_capitalize(j, jvalue_to_text(j->heap, v));
}

// Unlike the method it takes any value, as its text.
static value replace(jinja *j, value v, const arguments *a) {
    int64_t most = jvalue_given(a->at[2]) ? jinja_want_int(j, a->at[2], "replace") : -1;
    text_span old = jvalue_to_text(j->heap, a->at[0]), new = jvalue_to_text(j->heap, a->at[1]);
    return jinja_replace(j, jvalue_to_text(j->heap, v), old, new, most);
}

// Characters of text, not bytes.
static value length(jinja *j, value v, const arguments *a) {
    (void)a;
    if (v.kind == V_UNDEFINED) return jvalue_int(0);
    if (v.kind == V_TEXT) return jvalue_int((int64_t)text_points(v.as.text));
    if (v.kind == V_DICT) return jvalue_int((int64_t)v.as.dict->count);
    if (v.kind != V_LIST && v.kind != V_TUPLE)
        heap_fail(j->heap, RX_INVALID_ARGUMENT, "object of type '%s' has no length", jvalue_type_name(v));
    return jvalue_int((int64_t)v.as.list->count);
}

// With a true second argument also what is false or empty is replaced.
static value use_default(jinja *j, value v, const arguments *a) {
    (void)j;
    bool missing = v.kind == V_UNDEFINED || (jvalue_true(a->at[1]) && !jvalue_true(v));
    if (!missing) return v;
    return a->at[0].kind == V_ABSENT ? jvalue_text((text_span){0}) : a->at[0];
}

// --- JSON.

// Python's rule: with an indent there is no space behind the comma, which ends its line.
static json_style read_style(jinja *j, const arguments *a) {
    json_style style = {.indent = -1, .between = span_of(", "), .after_key = span_of(": ")};
    style.ascii = jvalue_true(a->at[0]);
    if (jvalue_given(a->at[1])) {
        int64_t indent = jinja_want_int(j, a->at[1], "tojson");
        style.indent = indent < 0 ? 0 : indent > 64 ? 64 : (int)indent;
        style.between = span_of(",");
    }
    if (jvalue_given(a->at[2])) {
        value_list *two = jvalue_items(j->heap, a->at[2]);
        if (two->count != 2) heap_fail(j->heap, RX_INVALID_ARGUMENT, "tojson: separators are two texts");
        style.between = jinja_want_text(j, two->at[0], "tojson");
        style.after_key = jinja_want_text(j, two->at[1], "tojson");
    }
    style.sort = jvalue_true(a->at[3]);
    return style;
}

static value to_json(jinja *j, value v, const arguments *a) {
    json_style style = read_style(j, a);
    jinja_text out = {0};
    jvalue_put_json(j->heap, &out, v, &style);
    return jvalue_text(jinja_span(&out));
}

// Not Jinja's; templates of tool calls ask for it.
static value from_json(jinja *j, value v, const arguments *a) {
    (void)a;
    return jvalue_read_json(j->heap, jinja_want_text(j, v, "from_json"), "from_json");
}

// --- Numbers.

// The text as C's functions want it; false when it is too long or has a NUL.
static bool number_text(jinja *j, value v, char out[64]) {
    text_span s = jinja_strip(j, v.as.text, jvalue_none(), STRIP_LEFT | STRIP_RIGHT);
    if (!s.size || s.size >= 64 || memchr(s.at, 0, s.size)) return false;
    memcpy(out, s.at, s.size);
    out[s.size] = 0;
    return strspn(out, "+-.0123456789eE") == s.size;
}

static value to_int(jinja *j, value v, const arguments *a) {
    char text[64], *end = text;
    value otherwise = a->at[0].kind == V_ABSENT ? jvalue_int(0) : a->at[0];
    if (jvalue_given(a->at[1])) heap_fail(j->heap, RX_UNSUPPORTED, "int: the argument 'base' is not supported");
    if (v.kind == V_BOOL || v.kind == V_INT) return jvalue_int(jinja_want_int(j, v, "int"));
    double real = v.kind == V_FLOAT ? v.as.real : NAN;
    if (v.kind == V_TEXT && number_text(j, v, text)) {
        errno = 0;
        int64_t n = strtoll(text, &end, 10);
        if (!*end && !errno) return jvalue_int(n);
        real = strtod(text, &end);
        if (*end) real = NAN;
    }
    return fabs(real) < 9e18 ? jvalue_int((int64_t)real) : otherwise;
}

static value to_float(jinja *j, value v, const arguments *a) {
    char text[64], *end = text;
    if (v.kind == V_FLOAT) return v;
    if (jvalue_is_number(v)) return jvalue_float((double)jinja_want_int(j, v, "float"));
    if (v.kind == V_TEXT && number_text(j, v, text)) {
        double real = strtod(text, &end);
        if (!*end) return jvalue_float(real);
    }
    return a->at[0].kind == V_ABSENT ? jvalue_float(0) : a->at[0];
}

static value absolute(jinja *j, value v, const arguments *a) {
    (void)a;
    if (v.kind == V_FLOAT) return jvalue_float(fabs(v.as.real));
    int64_t n = jinja_want_int(j, v, "abs");
    return n < 0 ? jinja_binary(j, '-', jvalue_int(0), v) : v;
}

// Half goes to the even neighbour, as Python rounds.
static value round_off(jinja *j, value v, const arguments *a) {
    int64_t digits = jvalue_given(a->at[0]) ? jinja_want_int(j, a->at[0], "round") : 0;
    if (!jvalue_is_number(v))
        heap_fail(j->heap, RX_INVALID_ARGUMENT, "round wants a number, got %s", jvalue_type_name(v));
    if (jvalue_given(a->at[1]) || digits < 0 || digits > 15)
        heap_fail(j->heap, RX_UNSUPPORTED, "round: only 0 to 15 digits, without a method, are supported");
    char text[400];
    double x = v.kind == V_FLOAT ? v.as.real : (double)jinja_want_int(j, v, "round");
    snprintf(text, sizeof text, "%.*f", (int)digits, x);
    return jvalue_float(strtod(text, NULL));
}

static value indent(jinja *j, value v, const arguments *a) {
    text_span s = jvalue_to_text(j->heap, v), by = {0};
    bool first = jvalue_true(a->at[1]), blank = jvalue_true(a->at[2]);
    if (a->at[0].kind == V_TEXT)
        by = a->at[0].as.text;
    else
        by = jvalue_to_text(j->heap, jinja_binary(j, '*', jvalue_text(span_of(" ")),
                                                  a->at[0].kind == V_ABSENT ? jvalue_int(4) : a->at[0]));
    jinja_text out = {0};
    for (size_t at = 0; at < s.size; first = true) {
        const char *newline = memchr(s.at + at, '\n', s.size - at);
        size_t size = newline ? (size_t)(newline - s.at) - at : s.size - at;
        if (first && (blank || size)) jinja_put(j->heap, &out, by);
        jinja_put(j->heap, &out, (text_span){s.at + at, size + (newline != NULL)});
        at += size + 1;
    }
    return jvalue_text(jinja_span(&out));
}

static const function table[] = {
    {"string", to_text, {0}, false},
    {"safe", to_text, {0}, false},
    {"trim", trim, {"chars"}, false},
    {"lower", lower, {0}, false},
    {"upper", upper, {0}, false},
    {"capitalize", capitalize, {0}, false},
    {"replace", replace, {"old", "new", "count"}, false},
    {"length", length, {0}, false},
    {"count", length, {0}, false},
    {"default", use_default, {"default_value", "boolean"}, false},
    {"d", use_default, {"default_value", "boolean"}, false},
    {"tojson", to_json, {"ensure_ascii", "indent", "separators", "sort_keys"}, false},
    {"from_json", from_json, {0}, false},
    {"int", to_int, {"default", "base"}, false},
    {"float", to_float, {"default"}, false},
    {"abs", absolute, {0}, false},
    {"round", round_off, {"precision", "method"}, false},
    {"indent", indent, {"width", "first", "blank"}, false},
};

const function *jinja_find_filter(text_span name) {
    const function *f = jinja_find_in(table, COUNT(table), name);
    return f ? f : jinja_find_list_filter(name);
}
