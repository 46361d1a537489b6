// memory.c - allocation through the caller's functions, blocks that die together, growing arrays.
#define _POSIX_C_SOURCE 200809L
#include "exec/memory.h"
#include "base/size.h"
#include <stdlib.h>
#include <string.h>

typedef struct memory_block {
    struct memory_block *before;
    size_t size; // of the whole block
} memory_block;

void *memory_take(const rx_allocator *a, size_t size) {
    if (!size) size = 1;
    if (a && a->take) return a->take(a->user, size);
    void *at = NULL;
    return posix_memalign(&at, MEMORY_ALIGN, size) ? NULL : at;
}

bool memory_is_whole(const rx_allocator *a) { return !a || !a->take == !a->give; }

// An allocator is used when it has a `take`; then it has a `give` too.
void memory_give(const rx_allocator *a, void *at, size_t size) {
    if (!at) return;
    if (a && a->take)
        a->give(a->user, at, size ? size : 1);
    else
        free(at);
}

// The head of a block takes a whole alignment unit, so that what is handed out is aligned.
void *blocks_take(memory_blocks *b, size_t count, size_t size) {
    size_t bytes;
    if (!size_mul(count, size, &bytes) || !size_add(bytes, MEMORY_ALIGN, &bytes)) return NULL;
    memory_block *block = memory_take(&b->allocator, bytes);
    if (!block) return NULL;
    memset(block, 0, bytes);
    *block = (memory_block){.before = b->last, .size = bytes};
    b->last = block;
    return (char *)block + MEMORY_ALIGN;
}

void blocks_free(memory_blocks *b) {
    while (b->last) {
        memory_block *block = b->last;
        b->last = block->before;
        memory_give(&b->allocator, block, block->size);
    }
}

// False when memory ran out.
static bool growing_reserve(growing *g, size_t want) {
    if (want <= g->room) return true;
    size_t room = g->room ? g->room : 16, bytes;
    while (room < want && size_mul(room, 2, &room)) continue;
    void *at = room >= want && size_mul(room, g->item, &bytes) ? realloc(g->at, bytes) : NULL;
    if (!at) return false;
    g->at = at;
    g->room = room;
    return true;
}

// A failure sticks: a table with a hole in it must not be written.
void *growing_add(growing *g, size_t count) {
    size_t want;
    if (g->failed || !size_add(g->len, count, &want) || !growing_reserve(g, want)) {
        g->failed = true;
        return NULL;
    }
    void *at = (char *)g->at + g->len * g->item;
    g->len = want;
    return at;
}

void growing_free(growing *g) {
    free(g->at);
    *g = (growing){.item = g->item};
}
