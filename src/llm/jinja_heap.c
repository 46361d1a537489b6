// jinja_heap.c - blocks of memory, freed together, and the jump out of an error.
#include "llm/jinja_heap.h"
#include "base/count_noun.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// DEEPEST: parser and interpreter recurse on the C stack; the tests nest that deep under AddressSanitizer.
enum { BLOCK = 16 << 10, ALIGNMENT = 16, DEEPEST = 600 };

typedef struct heap_block {
    struct heap_block *older;
    size_t used, size;
    _Alignas(ALIGNMENT) char at[];
} heap_block;

// What is left of the block before is lost: at most a request that didn't fit. Requests above BLOCK get a block of
// their own size.
static void add_block(jinja_heap *h, size_t size) {
    size_t room = size > BLOCK ? size : BLOCK;
    if (room > h->limit - h->used)
        heap_fail(h, RX_OUT_OF_MEMORY, "the template wants more than %zu MiB of memory", h->limit >> 20);
    heap_block *block = calloc(1, sizeof *block + room);
    if (!block) heap_fail(h, RX_OUT_OF_MEMORY, "out of memory");
    block->size = room;
    block->older = h->block;
    h->block = block;
    h->used += room;
}

void *heap_get(jinja_heap *h, size_t size) {
    // Before rounding up, which could overflow.
    if (size > h->limit) heap_fail(h, RX_OUT_OF_MEMORY, "the template wants %s at once", COUNTED(size, "byte"));
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!h->block || h->block->size - h->block->used < size) add_block(h, size);
    void *at = h->block->at + h->block->used;
    h->block->used += size;
    return at;
}

void heap_fail(jinja_heap *h, rx_status status, const char *format, ...) {
    va_list list;
    h->status = status;
    if (h->why) {
        int size = h->line ? snprintf(h->why, FILE_WHY, "template, line %u: ", h->line) : 0;
        va_start(list, format);
        vsnprintf(h->why + size, FILE_WHY - (size_t)size, format, list);
        va_end(list);
    }
    longjmp(h->stop, 1);
}

void heap_raise(jinja_heap *h, text_span message) {
    h->status = RX_INVALID_ARGUMENT;
    if (h->why) snprintf(h->why, FILE_WHY, "%.*s", message.size < FILE_WHY ? (int)message.size : FILE_WHY, message.at);
    longjmp(h->stop, 1);
}

void heap_enter(jinja_heap *h) {
    if (++h->depth > DEEPEST) heap_fail(h, RX_UNSUPPORTED, "nested more than %d deep", DEEPEST);
}

void heap_free(jinja_heap *h) {
    while (h->block) {
        heap_block *older = h->block->older;
        free(h->block);
        h->block = older;
    }
}

void jinja_put(jinja_heap *h, jinja_text *t, text_span s) {
    if (!s.size) return;
    if (s.size > t->room - t->size) {
        // The old bytes stay in the heap; with doubling that is at most what the text takes itself.
        size_t room = 2 * (t->size + s.size) + 32;
        char *bigger = heap_get(h, room);
        if (t->size) memcpy(bigger, t->at, t->size);
        t->at = bigger;
        t->room = room;
    }
    memcpy(t->at + t->size, s.at, s.size);
    t->size += s.size;
}

void jinja_put_char(jinja_heap *h, jinja_text *t, char c) { jinja_put(h, t, (text_span){&c, 1}); }
