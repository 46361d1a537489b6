// json_lex.h - the words of JSON (RFC 8259): marks, strings, numbers and the three names. All readers of JSON here are
// made of these; what they make of the words, a tree or rows of a table, is theirs.
//
// Nothing is allocated, nothing recurses, and no byte behind the text is looked at. The text must outlive the lexer
// and what it gives. The first failure stays: every later call fails as well.
#ifndef BASE_JSON_LEX_H
#define BASE_JSON_LEX_H
#include "base/span.h"
#include <stdint.h>

typedef struct json_lexer {
    const char *start, *at, *end;
    const char *wanted; // of the first failure, which is at `at`: "',' or ']'"; NULL: none yet
} json_lexer;

typedef enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_LIST, JSON_OBJECT } json_kind;

// What stands between the quotes, checked: UTF-8, known escapes, no control bytes.
typedef struct json_string {
    text_span written;
    bool zero; // holds U+0000
    bool half; // holds one surrogate of a pair without the other
} json_string;

typedef struct json_digits {
    text_span digits; // without the sign
    bool minus;
    bool whole;         // neither a point nor an exponent
    bool fits;          // whole, and below 2^64:
    uint64_t magnitude; // without the sign
} json_digits;

// A value; of a list or an object no more than its opening bracket.
typedef struct json_word {
    json_kind kind;
    bool truth; // JSON_BOOL
    json_string string;
    json_digits number;
} json_word;

json_lexer json_lex(const char *bytes, size_t size);
bool json_fail(json_lexer *l, const char *wanted); // false; `wanted` must live as long as the lexer
bool json_take(json_lexer *l, char mark);          // whether it comes next (behind white space); then it is taken
bool json_want(json_lexer *l, char mark);          // the same, or fails
bool json_take_word(json_lexer *l, json_word *out);
bool json_take_string(json_lexer *l, json_string *out);
bool json_take_key(json_lexer *l, json_string *out); // and its colon
// Between the items of a list (close: ']') or an object ('}'): whether another one comes, past its comma. False when
// the list is closed, and after a failure (see `wanted`).
bool json_more(json_lexer *l, char close, bool first);
bool json_take_end(json_lexer *l);      // nothing but white space is left
size_t json_place(const json_lexer *l); // of the next byte

// Writes the text that a string stands for, at most written.size bytes, and returns how many. Half a pair becomes
// U+FFFD. No NUL is added.
size_t json_decode(const json_string *s, char *to);
double json_value_of(const json_digits *n); // the nearest one; NAN only when memory ran out
#endif
