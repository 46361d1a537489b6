// utf8.h - reading UTF-8, strictly: no overlong forms, no surrogates, nothing above U+10FFFF.
#ifndef BASE_UTF8_H
#define BASE_UTF8_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The number of bytes of the code point at the start of `s` (1 to 4), which goes to *point; 0 when there is none:
// `size` is 0 or the bytes are not UTF-8.
size_t utf8_decode(const char *s, size_t size, uint32_t *point);

// Writes a code point that is no surrogate and at most U+10FFFF; returns the number of bytes.
size_t utf8_encode(uint32_t point, char out[4]);

// The offset of the first byte that is not UTF-8, or `size` when all is well.
size_t utf8_first_bad(const char *s, size_t size);

// Whether nothing is drawn for the point where text is shown to a person although it changes what is read:
// C0 and C1 controls, zero-width and direction marks. Such points are shown escaped.
bool utf8_is_hidden(uint32_t point);

// Columns the point takes on a terminal: 0 for combining marks, 2 for wide East Asian characters and emoji, else 1.
unsigned utf8_columns(uint32_t point);
#endif
