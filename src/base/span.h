// span.h - pieces of text that lie in memory of somebody else.
#ifndef BASE_SPAN_H
#define BASE_SPAN_H
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Bytes without a NUL at the end. Lives as long as what it points into. Zero is the empty text.
typedef struct text_span {
    const char *at;
    size_t size;
} text_span;

static inline text_span span_of(const char *s) { return (text_span){s, strlen(s)}; }

static inline bool span_equal(text_span a, text_span b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

static inline bool span_is(text_span a, const char *s) { return span_equal(a, span_of(s)); }
#endif
