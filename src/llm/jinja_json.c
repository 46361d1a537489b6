// jinja_json.c - reads JSON into values. cJSON would not do: it has no integers (2 and 2.0 print differently in a
// template) and ends texts at \u0000.
#include "base/utf8.h"
#include "llm/jinja_value.h"
#include <errno.h>
#include <stdlib.h>

typedef struct reader {
    jinja_heap *h;
    const char *begin, *at, *end;
    const char *what;
} reader;

RX_NORETURN static void bad(const reader *r, const char *wanted) {
    heap_fail(r->h, RX_INVALID_ARGUMENT, "%s: want %s at byte %zu of the JSON", r->what, wanted,
              (size_t)(r->at - r->begin));
}

static void skip_space(reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')) r->at++;
}

static bool take(reader *r, char c) {
    skip_space(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

static bool take_word(reader *r, const char *word) {
    size_t size = strlen(word);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0) return false;
    r->at += size;
    return true;
}

static uint32_t take_unit(reader *r) {
    uint32_t unit = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        char c = r->at < r->end ? *r->at : 'x';
        int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
        if (digit < 0) bad(r, "four hexadecimal digits");
        unit = unit * 16 + (uint32_t)digit;
    }
    return unit;
}

// After "\u". Half a pair of surrogates alone becomes U+FFFD.
static uint32_t take_point(reader *r) {
    uint32_t high = take_unit(r);
    if (high < 0xd800 || high > 0xdfff) return high;
    if (high > 0xdbff || r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u') return 0xfffd;
    r->at += 2;
    uint32_t low = take_unit(r);
    if (low < 0xdc00 || low > 0xdfff) {
        r->at -= 6;
        return 0xfffd;
    }
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static void take_escape(reader *r, jinja_text *out) {
    static const char from[] = "\"\\/nrtfb", to[] = "\"\\/\n\r\t\f\b";
    char point[4], c = r->at < r->end ? *r->at++ : 0;
    const char *known = c ? strchr(from, c) : NULL;
    if (known)
        jinja_put_char(r->h, out, to[known - from]);
    else if (c == 'u')
        jinja_put(r->h, out, (text_span){point, utf8_encode(take_point(r), point)});
    else
        bad(r, "an escape");
}

static text_span take_text(reader *r) {
    jinja_text out = {0};
    for (;;) {
        const char *begin = r->at;
        while (r->at < r->end && *r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= ' ') r->at++;
        jinja_put(r->h, &out, (text_span){begin, (size_t)(r->at - begin)});
        if (r->at == r->end || (unsigned char)*r->at < ' ') bad(r, "the end of a text");
        if (*r->at++ == '"') return jinja_span(&out);
        take_escape(r, &out);
    }
}

static bool is_digit(const reader *r) { return r->at < r->end && *r->at >= '0' && *r->at <= '9'; }

static void skip_digits(reader *r) {
    if (!is_digit(r)) bad(r, "a digit");
    while (is_digit(r)) r->at++;
}

static value take_number(reader *r) {
    char text[64];
    const char *begin = r->at;
    bool whole = true;
    if (r->at < r->end && *r->at == '-') r->at++;
    if (!is_digit(r)) r->at = begin, bad(r, "a value");
    skip_digits(r);
    if (r->at < r->end && *r->at == '.') whole = false, r->at++, skip_digits(r);
    if (r->at < r->end && (*r->at | 32) == 'e') {
        whole = false;
        r->at++;
        if (r->at < r->end && (*r->at == '+' || *r->at == '-')) r->at++;
        skip_digits(r);
    }
    size_t size = (size_t)(r->at - begin);
    if (size >= sizeof text) bad(r, "a number of fewer digits before what stands");
    memcpy(text, begin, size);
    text[size] = 0;
    errno = 0;
    int64_t integer = strtoll(text, NULL, 10);
    if (whole && errno) bad(r, "an integer of 64 bits before what stands");
    return whole ? jvalue_int(integer) : jvalue_float(strtod(text, NULL));
}

static value take_value(reader *r);

static value take_list(reader *r) {
    value list = jvalue_new_list(r->h, V_LIST);
    if (take(r, ']')) return list;
    do list_add(r->h, list.as.list, take_value(r));
    while (take(r, ','));
    if (!take(r, ']')) bad(r, "',' or ']'");
    return list;
}

static value take_dict(reader *r) {
    value dict = jvalue_new_dict(r->h, V_DICT);
    if (take(r, '}')) return dict;
    do {
        if (!take(r, '"')) bad(r, "a key in quotes");
        value key = jvalue_text(take_text(r));
        if (!take(r, ':')) bad(r, "':'");
        dict_put(r->h, dict.as.dict, key, take_value(r));
    } while (take(r, ','));
    if (!take(r, '}')) bad(r, "',' or '}'");
    return dict;
}

static value take_inside(reader *r) {
    skip_space(r);
    if (take(r, '{')) return take_dict(r);
    if (take(r, '[')) return take_list(r);
    if (take(r, '"')) return jvalue_text(take_text(r));
    if (take_word(r, "true")) return jvalue_bool(true);
    if (take_word(r, "false")) return jvalue_bool(false);
    if (take_word(r, "null")) return jvalue_none();
    return take_number(r);
}

static value take_value(reader *r) {
    heap_enter(r->h);
    value v = take_inside(r);
    heap_leave(r->h);
    return v;
}

value jvalue_read_json(jinja_heap *h, text_span json, const char *what) {
    reader r = {h, json.at, json.at, json.at + json.size, what};
    size_t bad_byte = utf8_first_bad(json.at, json.size);
    if (bad_byte < json.size)
        heap_fail(h, RX_INVALID_ARGUMENT, "%s: the JSON is not UTF-8 at byte %zu", what, bad_byte);
    value v = take_value(&r);
    skip_space(&r);
    if (r.at != r.end) bad(&r, "the end");
    return v;
}
