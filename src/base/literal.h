// literal.h - the numbers and strings of our languages: where they end and what they mean. Helper of the lexer.
#ifndef BASE_LITERAL_H
#define BASE_LITERAL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What is wrong with a literal, and where; `message` is NULL when nothing is.
typedef struct literal_problem {
    const char *message, *at;
} literal_problem;

typedef struct number {
    const char *end; // behind its last byte, whatever runs into it included when there is a problem
    bool is_float, too_big;
    uint64_t ival; // UINT64_MAX when too big
    double fval;
    literal_problem problem;
} number;

// The number at `p`, which is a digit, or a point before a digit.
number number_scan(const char *p, const char *end);

typedef struct quoted {
    const char *body, *body_end, *end; // between the quotes; behind the closing ones
    bool closed;                       // if not, `end` is the end of the line or of the text
} quoted;

// The string whose opening quote is at `p`, behind any prefix.
quoted quoted_scan(const char *p, const char *end);

// Decodes the body of a string into `out`, which has room for as many bytes; returns the number of bytes. In raw
// strings backslashes mean nothing. Line ends become \n. `\xNN` and `\NNN` are bytes, `\uNNNN` and `\UNNNNNNNN`
// characters in UTF-8; other escapes stay as they are, with their backslash, as in Python. Only the first problem is
// told.
size_t quoted_decode(const quoted *q, bool raw, char *out, literal_problem *problem);

// The bytes of the line end at `p`, \n or \r\n; 0 if there is none.
size_t line_end_size(const char *p, const char *end);

// Whether the character at `p` can be part of a name: an ASCII letter, digit or underscore, or a character beyond
// ASCII that is no punctuation, symbol, space or control. Returns its size in bytes, 0 if not.
size_t name_char_size(const char *p, const char *end);
#endif
