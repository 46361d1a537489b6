// fuzz_base_json.c - any bytes as JSON, word by word and in every order of calls: no word leaves the text, strings
// decode to UTF-8 that is no longer than it was written, numbers of 64 bits agree with their nearest double, and a
// failure is there to stay.
#include "base/json_lex.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Unlike CHECK it aborts, so that libFuzzer keeps the input.
static void must(bool holds) {
    if (!holds) abort();
}

static void check_inside(const json_lexer *l, text_span s) {
    must(s.at >= l->start && s.at + s.size <= l->at && l->at <= l->end);
}

static void check_string(const json_lexer *l, const json_string *s) {
    check_inside(l, s->written);
    char *to = malloc(s->written.size + 1); // a byte too many would be seen
    must(to != NULL);
    size_t size = json_decode(s, to);
    must(size <= s->written.size && text_is_utf8(to, size));
    must(s->zero == (memchr(to, 0, size) != NULL));
    free(to);
}

static void check_number(const json_lexer *l, const json_digits *n) {
    check_inside(l, n->digits);
    double value = json_value_of(n);
    must(!isnan(value) && (signbit(value) != 0) == n->minus);
    if (n->fits) must(fabs(value) == (double)n->magnitude);
}

static void check_word(const json_lexer *l, const json_word *w) {
    if (w->kind == JSON_STRING) check_string(l, &w->string);
    if (w->kind == JSON_NUMBER) check_number(l, &w->number);
}

// Words and marks as they come, brackets not counted: every call at every place.
static void take_all(json_lexer *l) {
    json_word word;
    while (!l->wanted && l->at < l->end) {
        const char *before = l->at;
        if (json_take(l, ',') || json_take(l, ':') || json_take(l, '}') || json_take(l, ']')) continue;
        if (!json_take_word(l, &word)) break;
        must(l->at > before);
        check_word(l, &word);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *copy = malloc(size ? size : 1); // of its size to the byte, for AddressSanitizer
    must(copy != NULL);
    if (size) memcpy(copy, data, size);
    json_lexer l = json_lex(copy, size);
    take_all(&l);
    must(json_place(&l) <= size);
    if (l.wanted) {
        json_string s;
        must(!json_take(&l, ',') && !json_take_string(&l, &s) && !json_more(&l, ']', true) && !json_take_end(&l));
    } else {
        must(json_take_end(&l));
    }
    free(copy);
    return 0;
}
