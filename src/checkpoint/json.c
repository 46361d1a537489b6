// json.c - reads JSON by recursive descent with a bound on its depth.
#include "checkpoint/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/vec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    arena *mem;
    const char *start, *at, *end;
    uint32_t depth;
    char *why;
} reader;

static bool bad(const reader *r, const char *wanted) {
    if (r->why) snprintf(r->why, FILE_WHY, "byte %zu of the JSON: want %s", (size_t)(r->at - r->start), wanted);
    return false;
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

// --- Strings.

static bool take_unit(reader *r, uint32_t *out) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    *out = 0;
    for (int i = 0; i < 4; i++) {
        const char *digit = r->at < r->end && *r->at ? strchr(digits, *r->at) : NULL;
        if (!digit) return bad(r, "four hexadecimal digits");
        *out = *out * 16 + (uint32_t)((digit - digits) % 16);
        r->at++;
    }
    return true;
}

// What follows "\u": a point, maybe written as two surrogates.
static bool take_point(reader *r, text *out) {
    uint32_t point, low;
    char bytes[4];
    if (!take_unit(r, &point)) return false;
    if (point >= 0xd800 && point <= 0xdbff) {
        if (!take_word(r, "\\u") || !take_unit(r, &low) || low < 0xdc00 || low > 0xdfff)
            return bad(r, "the other half of a surrogate pair");
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    }
    if (point == 0 || (point >= 0xd800 && point <= 0xdfff)) return bad(r, "a character other than U+0000");
    text_put_n(out, bytes, utf8_encode(point, bytes));
    return true;
}

static bool take_escape(reader *r, text *out) {
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    char c = r->at < r->end ? *r->at : 0;
    const char *known = c ? strchr(from, c) : NULL;
    if (c != 'u' && !known) return bad(r, "an escape");
    r->at++;
    if (c == 'u') return take_point(r, out);
    text_put_char(out, into[known - from]);
    return true;
}

static bool take_string(reader *r, const char **out) {
    text t = TEXT_IN(r->mem);
    if (!take(r, '"')) return bad(r, "a string");
    while (r->at < r->end && *r->at != '"') {
        const char *from = r->at;
        while (r->at < r->end && *r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= 0x20) r->at++;
        if (!text_is_utf8(from, (size_t)(r->at - from))) return bad(r, "UTF-8");
        text_put_n(&t, from, (size_t)(r->at - from));
        if (r->at < r->end && (unsigned char)*r->at < 0x20) return bad(r, "no control byte in a string");
        if (r->at < r->end && *r->at == '\\' && (r->at++, !take_escape(r, &t))) return false;
    }
    if (r->at == r->end) return bad(r, "the end of a string");
    r->at++;
    *out = text_get(&t);
    return true;
}

// --- Numbers: what JSON allows, and the NaN and Infinity that Python writes.

static size_t digits_of(const reader *r, const char *at) {
    size_t count = 0;
    while (at + count < r->end && at[count] >= '0' && at[count] <= '9') count++;
    return count;
}

static bool take_number(reader *r, double *out) {
    bool minus = r->at < r->end && *r->at == '-';
    const char *from = r->at += minus;
    size_t whole = digits_of(r, from), digits;
    r->at += whole;
    if (!whole || (whole > 1 && *from == '0')) return bad(r, "a value");
    if (r->at < r->end && *r->at == '.') {
        if (!(digits = digits_of(r, r->at + 1))) return bad(r, "digits behind the point");
        r->at += 1 + digits;
    }
    if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        size_t sign = r->at + 1 < r->end && (r->at[1] == '+' || r->at[1] == '-');
        if (!(digits = digits_of(r, r->at + 1 + sign))) return bad(r, "an exponent");
        r->at += 1 + sign + digits;
    }
    double value = text_read_float(from, (size_t)(r->at - from));
    *out = minus ? -value : value;
    return true;
}

// --- Values.

static bool take_value(reader *r, json_value *out);

static bool take_list(reader *r, json_value *out) {
    VEC(json_value) items = {0};
    VEC(const char *) keys = {0};
    bool object = out->kind == JSON_OBJECT;
    char close = object ? '}' : ']';
    if (++r->depth > JSON_DEPTH) return bad(r, "less nesting");
    for (bool first = true; !take(r, close); first = false) {
        json_value item = {0};
        const char *key;
        if (!first && !take(r, ',')) return bad(r, object ? "',' or '}'" : "',' or ']'");
        if (object) {
            if (!take_string(r, &key)) return false;
            if (!take(r, ':')) return bad(r, "':'");
            VEC_PUSH(r->mem, &keys, key);
        }
        if (!take_value(r, &item)) return false;
        VEC_PUSH(r->mem, &items, item);
    }
    r->depth--;
    out->count = items.len;
    out->item = items.at;
    out->key = keys.at;
    return true;
}

static bool take_value(reader *r, json_value *out) {
    skip_space(r);
    char c = r->at < r->end ? *r->at : 0;
    if (c == '{' || c == '[') {
        r->at++;
        out->kind = c == '{' ? JSON_OBJECT : JSON_LIST;
        return take_list(r, out);
    }
    if (c == '"') return out->kind = JSON_STRING, take_string(r, &out->text);
    if (take_word(r, "null")) return true;
    bool yes = take_word(r, "true");
    if (yes || take_word(r, "false")) return *out = (json_value){.kind = JSON_BOOL, .number = yes}, true;
    out->kind = JSON_NUMBER;
    return take_number(r, &out->number);
}

const json_value *json_parse(arena *mem, const char *bytes, size_t size, char why[FILE_WHY]) {
    reader r = {.mem = mem, .start = bytes, .at = bytes, .end = bytes + size, .why = why};
    json_value *value = ARENA_NEW(mem, json_value, 1);
    if (!take_value(&r, value)) return NULL;
    skip_space(&r);
    return r.at == r.end || bad(&r, "the end") ? value : NULL;
}

const json_value *json_read(arena *mem, const char *path, size_t limit, char why[FILE_WHY]) {
    char inside[FILE_WHY];
    char *bytes;
    size_t size;
    if (file_read(path, limit, &bytes, &size, why) != RX_OK) return NULL;
    const json_value *value = json_parse(mem, bytes, size, inside);
    free(bytes);
    if (!value && why) snprintf(why, FILE_WHY, "%s: %.400s", path, inside);
    return value;
}

// --- Looking.

const json_value *json_find(const json_value *object, const char *key) {
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (uint32_t i = object->count; i-- > 0;)
        if (strcmp(object->key[i], key) == 0) return object->item[i].kind == JSON_NULL ? NULL : &object->item[i];
    return NULL;
}

double json_number(const json_value *object, const char *key, double otherwise) {
    const json_value *v = json_find(object, key);
    return v && v->kind == JSON_NUMBER ? v->number : otherwise;
}

int64_t json_int(const json_value *object, const char *key, int64_t otherwise) {
    const json_value *v = json_find(object, key);
    bool whole = v && v->kind == JSON_NUMBER && v->number >= -9e15 && v->number <= 9e15;
    return whole && (double)(int64_t)v->number == v->number ? (int64_t)v->number : otherwise;
}

bool json_truth(const json_value *object, const char *key, bool otherwise) {
    const json_value *v = json_find(object, key);
    return v && v->kind == JSON_BOOL ? v->number != 0 : otherwise;
}

const char *json_text(const json_value *object, const char *key, const char *otherwise) {
    const json_value *v = json_find(object, key);
    return v && v->kind == JSON_STRING ? v->text : otherwise;
}
