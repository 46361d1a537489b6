// text.h - text that is built piece by piece, and small questions about text.
#ifndef BASE_TEXT_H
#define BASE_TEXT_H
#include "base/arena.h"
#include <stdbool.h>

// Zero-initialise with TEXT_IN. `at` is NUL-terminated once something was put.
typedef struct text {
    arena *mem;
    char *at;
    size_t len, room;
} text;
#define TEXT_IN(arena_pointer) ((text){.mem = (arena_pointer)})

void text_put(text *t, const char *s);
void text_put_n(text *t, const char *s, size_t size);
void text_put_char(text *t, char c);
void text_put_repeat(text *t, char c, size_t count); // indentation
void text_format(text *t, const char *format, ...) RX_PRINTF(2, 3);
void text_vformat(text *t, const char *format, va_list args) RX_PRINTF(2, 0);
// Python's spelling of a string: double quotes, \n \t \\ \" and \xNN; UTF-8 passes through. \xNN stands for one byte:
// a control or a byte that is not UTF-8. The lexer reads it back to the same bytes.
void text_put_quoted(text *t, const char *s, size_t size);
// The shortest decimal that reads back to the same double, as Python writes it ("1.0", "1e-05", "-0.0"): always with
// a point or an exponent; "inf", "-inf", "nan". Locale-independent, as is the reader below.
void text_put_double(text *t, double value);
// The double nearest to an unsigned decimal number that the caller has checked: digits with at most one point, `_`
// between digits, an exponent. Too large is infinite. NAN only when memory ran out.
double text_read_float(const char *s, size_t size);
const char *text_get(const text *t); // "" when empty, never NULL

bool text_starts(const char *s, const char *prefix);
bool text_ends(const char *s, const char *suffix);
bool text_is_utf8(const char *s, size_t size);
// The entry of `known` nearest to `word` by edit distance, or NULL when none is near enough to suggest.
const char *text_nearest(const char *word, const char *const *known, size_t count);
// The same for names with parts: the first that ends in the same part, wherever it belongs; nn.relu for relu, exp for
// nn.exp.
const char *text_nearest_dotted(const char *name, const char *const *known, size_t count);
// "1.5 MiB", "3 KiB", "17 B"; "1.2 ms", "870 us": into `out`, returned.
const char *text_bytes(uint64_t bytes, char out[32]);
const char *text_seconds(double seconds, char out[32]);
#endif
