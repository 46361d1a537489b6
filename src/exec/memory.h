// memory.h - memory of the runtime: through the caller's allocator, every failure reported.
#ifndef EXEC_MEMORY_H
#define EXEC_MEMORY_H
#include "base/attributes.h"
#include "relax/runtime.h"
#include <stdbool.h>

enum { MEMORY_ALIGN = 64 };

// Whether it has both functions or, as libc's, none; NULL is libc's as well.
bool memory_is_whole(const rx_allocator *a);
// `size` bytes (0 is taken as 1), aligned to MEMORY_ALIGN, not zeroed; NULL when there is none.
void *memory_take(const rx_allocator *a, size_t size);
// Gives it back with the size it was asked for: allocators of others may need it. NULL `at` is allowed.
void memory_give(const rx_allocator *a, void *at, size_t size);

// Blocks that die together. Zero-initialise but for the allocator. Not thread-safe.
typedef struct memory_blocks {
    rx_allocator allocator;
    struct memory_block *last;
} memory_blocks;
// Zeroed room for `count` items, aligned to MEMORY_ALIGN; NULL when there is none or the size overflows.
void *blocks_take(memory_blocks *b, size_t count, size_t size);
// All of them, in the reverse order; the value can be used again afterwards.
void blocks_free(memory_blocks *b);

// A growing array whose elements may move. Zero is empty; `failed` is set once memory ran out and stays.
typedef struct growing {
    void *at;
    size_t len, room, item; // item: bytes of one element
    bool failed;
} growing;
// Room for `count` more elements at the end, counted as used and not initialised; NULL after a failure.
void *growing_add(growing *g, size_t count);
// Empties it; an array that failed can be used again.
void growing_free(growing *g);
#endif
