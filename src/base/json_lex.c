// json_lex.c - words of JSON, one scan each: strings are checked where they stand and decoded only on demand, so that
// every reader can decode into memory of its own kind.
#include "base/json_lex.h"
#include "base/text.h"
#include "base/utf8.h"

json_lexer json_lex(const char *bytes, size_t size) {
    return (json_lexer){.start = bytes, .at = bytes, .end = size ? bytes + size : bytes};
}

bool json_fail(json_lexer *l, const char *wanted) {
    if (!l->wanted) l->wanted = wanted;
    return false;
}

size_t json_place(const json_lexer *l) { return l->at == l->start ? 0 : (size_t)(l->at - l->start); }

// --- Marks.

static void skip_space(json_lexer *l) {
    while (l->at < l->end && (*l->at == ' ' || *l->at == '\t' || *l->at == '\n' || *l->at == '\r')) l->at++;
}

bool json_take(json_lexer *l, char mark) {
    if (l->wanted) return false;
    skip_space(l);
    if (l->at == l->end || *l->at != mark) return false;
    l->at++;
    return true;
}

// `wanted` must outlive the lexer, so what was missing comes from a table and not from a buffer.
bool json_want(json_lexer *l, char mark) {
    static const struct {
        char mark;
        const char *wanted;
    } marks[] = {{'{', "'{'"}, {'}', "'}'"}, {'[', "'['"}, {']', "']'"}, {':', "':'"}, {',', "','"}, {'"', "'\"'"}};
    if (json_take(l, mark)) return true;
    for (size_t i = 0; i < COUNT(marks); i++)
        if (marks[i].mark == mark) return json_fail(l, marks[i].wanted);
    return json_fail(l, "a mark");
}

bool json_more(json_lexer *l, char close, bool first) {
    if (json_take(l, close)) return false;
    if (first || json_take(l, ',')) return !l->wanted;
    return json_fail(l, close == '}' ? "',' or '}'" : "',' or ']'");
}

bool json_take_end(json_lexer *l) {
    if (l->wanted) return false;
    skip_space(l);
    return l->at == l->end || json_fail(l, "the end");
}

// --- Strings.

// The unit behind "\u"; -1: there are no four hexadecimal digits. *at moves behind those that there are.
static int32_t unit_at(const char **at, const char *end) {
    int32_t unit = 0;
    for (int i = 0; i < 4; i++, ++*at) {
        char c = *at < end ? **at : ' ';
        int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
        if (digit < 0) return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static bool is_high(int32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
static bool is_low(int32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

// The point behind "\u", made of two units where they are a pair. *half: a unit of one without the other, U+FFFD then.
// -1 as above.
static int32_t point_at(const char **at, const char *end, bool *half) {
    int32_t high = unit_at(at, end);
    *half = is_high(high) || is_low(high);
    if (!*half) return high;
    const char *second = *at + 2;
    if (!is_high(high) || end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u') return 0xfffd;
    int32_t low = unit_at(&second, end);
    if (!is_low(low)) return 0xfffd; // it stands for itself, or is found to be none, in the next step
    *at = second, *half = false;
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static const char escape_from[] = "\"\\/bfnrt", escape_into[] = "\"\\/\b\f\n\r\t";

// Behind a backslash.
static bool skip_escape(json_lexer *l, json_string *out) {
    char c = l->at < l->end ? *l->at : 0;
    bool half = false;
    if (!c || (c != 'u' && !strchr(escape_from, c))) return json_fail(l, "an escape");
    l->at++;
    if (c != 'u') return true;
    int32_t point = point_at(&l->at, l->end, &half);
    if (point < 0) return json_fail(l, "four hexadecimal digits");
    out->zero = out->zero || point == 0;
    out->half = out->half || half;
    return true;
}

// Plain stretches are skipped and checked in one go; only escapes are looked at byte by byte.
bool json_take_string(json_lexer *l, json_string *out) {
    *out = (json_string){0};
    if (!json_take(l, '"')) return json_fail(l, "a string");
    const char *begin = l->at;
    while (l->at < l->end && *l->at != '"') {
        const char *from = l->at;
        while (l->at < l->end && *l->at != '"' && *l->at != '\\' && (unsigned char)*l->at >= ' ') l->at++;
        size_t size = (size_t)(l->at - from), bad = utf8_first_bad(from, size);
        if (bad < size) return l->at = from + bad, json_fail(l, "UTF-8");
        if (l->at < l->end && (unsigned char)*l->at < ' ') return json_fail(l, "no control byte in a string");
        if (l->at < l->end && *l->at == '\\' && (l->at++, !skip_escape(l, out))) return false;
    }
    if (l->at == l->end) return json_fail(l, "the end of a string");
    out->written = (text_span){begin, (size_t)(l->at++ - begin)};
    return true;
}

bool json_take_key(json_lexer *l, json_string *out) { return json_take_string(l, out) && json_want(l, ':'); }

// Takes what json_take_string has checked: no escape can be unknown or cut off here.
size_t json_decode(const json_string *s, char *to) {
    const char *at = s->written.at, *end = at + s->written.size;
    char *first = to;
    while (at < end) {
        const char *from = at;
        while (at < end && *at != '\\') at++;
        memcpy(to, from, (size_t)(at - from));
        to += at - from;
        if (at == end) break;
        char c = at[1];
        bool half;
        at += 2;
        if (c == 'u') // six bytes or more, which become four at most
            to += utf8_encode((uint32_t)point_at(&at, end, &half), to);
        else
            *to++ = escape_into[strchr(escape_from, c) - escape_from];
    }
    return (size_t)(to - first);
}

// --- Numbers.

// How many digits come next; they are taken.
static size_t skip_digits(json_lexer *l) {
    const char *from = l->at;
    while (l->at < l->end && *l->at >= '0' && *l->at <= '9') l->at++;
    return (size_t)(l->at - from);
}

static bool take_fraction(json_lexer *l, json_digits *out) {
    if (l->at < l->end && *l->at == '.') {
        out->whole = false;
        l->at++;
        if (!skip_digits(l)) return json_fail(l, "digits behind the point");
    }
    if (l->at < l->end && (*l->at | 32) == 'e') {
        out->whole = false;
        l->at++;
        if (l->at < l->end && (*l->at == '+' || *l->at == '-')) l->at++;
        if (!skip_digits(l)) return json_fail(l, "an exponent");
    }
    return true;
}

// Counts leave nothing to a double: ids and sizes above 2^53 stay exact.
static void read_magnitude(json_digits *n) {
    n->fits = n->whole;
    for (size_t i = 0; n->fits && i < n->digits.size; i++) {
        uint64_t digit = (uint64_t)(n->digits.at[i] - '0');
        n->fits = n->magnitude <= (UINT64_MAX - digit) / 10;
        n->magnitude = n->magnitude * 10 + digit;
    }
}

static bool take_number(json_lexer *l, json_digits *out) {
    const char *first = l->at;
    *out = (json_digits){.minus = l->at < l->end && *l->at == '-', .whole = true};
    const char *from = l->at += out->minus;
    size_t whole = skip_digits(l);
    // "01" is no number, and neither is what begins no value at all.
    if (!whole || (whole > 1 && *from == '0')) return l->at = first, json_fail(l, "a value");
    if (!take_fraction(l, out)) return false;
    out->digits = (text_span){from, (size_t)(l->at - from)};
    read_magnitude(out);
    return true;
}

double json_value_of(const json_digits *n) {
    double value = text_read_float(n->digits.at, n->digits.size);
    return n->minus ? -value : value;
}

// --- Values.

static bool take_name(json_lexer *l, const char *name) {
    size_t size = strlen(name);
    if ((size_t)(l->end - l->at) < size || memcmp(l->at, name, size) != 0) return false;
    l->at += size;
    return true;
}

// What is no other kind of value must be a number, whose message then is "a value".
bool json_take_word(json_lexer *l, json_word *out) {
    *out = (json_word){.kind = JSON_NULL};
    if (json_take(l, '{')) return out->kind = JSON_OBJECT, true;
    if (json_take(l, '[')) return out->kind = JSON_LIST, true;
    if (l->wanted) return false;
    if (l->at < l->end && *l->at == '"') return out->kind = JSON_STRING, json_take_string(l, &out->string);
    if (take_name(l, "null")) return true;
    out->truth = take_name(l, "true");
    if (out->truth || take_name(l, "false")) return out->kind = JSON_BOOL, true;
    out->kind = JSON_NUMBER;
    return take_number(l, &out->number);
}
