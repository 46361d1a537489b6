// jinja_heap.h - memory of a chat template or of one rendering, and the way out when something is wrong.
//
// All that the parser and the interpreter make lives in one heap, with a limit, and is freed at once. So an error may
// leave from any depth: heap_fail goes back to the setjmp of the one function that made the heap (chat_template.c).
#ifndef LLM_JINJA_HEAP_H
#define LLM_JINJA_HEAP_H
#include "base/span.h"
#include "llm/fail.h"
#include <setjmp.h>
#include <stdint.h>

typedef struct jinja_heap {
    struct heap_block *block; // the newest first
    size_t used, limit;       // bytes
    jmp_buf stop;
    rx_status status; // of the failure that jumped to `stop`
    char *why;        // FILE_WHY bytes, or NULL
    uint32_t line;    // of the template, where we are; 0: nowhere
    uint32_t depth;   // of recursion
} jinja_heap;

// `size` zeroed bytes, aligned for anything. Never NULL.
void *heap_get(jinja_heap *h, size_t size);
// Never return. The message begins with the line of the template, if there is one.
RX_NORETURN void heap_fail(jinja_heap *h, rx_status status, const char *format, ...) RX_PRINTF(3, 4);
// The same without the line: the template's own words.
RX_NORETURN void heap_raise(jinja_heap *h, text_span message);
// Counts a step down; fails when it is one too many. Every recursion calls it, and heap_leave when it returns.
void heap_enter(jinja_heap *h);
static inline void heap_leave(jinja_heap *h) { h->depth--; }
void heap_free(jinja_heap *h);

// Text that grows in a heap. Zero is empty.
typedef struct jinja_text {
    char *at;
    size_t size, room;
} jinja_text;
void jinja_put(jinja_heap *h, jinja_text *t, text_span s);
void jinja_put_char(jinja_heap *h, jinja_text *t, char c);
static inline text_span jinja_span(const jinja_text *t) { return (text_span){t->at, t->size}; }
#endif
