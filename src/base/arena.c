// arena.c - bump allocation in chunks that double from a few KiB to a few MiB.
//
// The head chunk is the one that is filled; a request that needs more than a quarter of the next chunk gets a
// chunk of its own, linked behind the head, so that the head's tail is not wasted.
#include "base/arena.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

// The first chunk is small because every function and pass has an arena; the last size is large because a chunk
// of it comes from the kernel as untouched zero pages.
enum { ARENA_ALIGN = 16, FIRST_CHUNK = 1 << 10, LAST_CHUNK = 4 << 20 };
_Static_assert(ARENA_ALIGN % _Alignof(max_align_t) == 0, "aligned for any type");

// Under AddressSanitizer every block is followed by bytes that must not be touched.
#ifdef __SANITIZE_ADDRESS__
enum { RED_ZONE = 16 };
#else
enum { RED_ZONE = 0 };
#endif

// `bytes` beyond `used` are zero: blocks are handed out without clearing them.
typedef struct chunk {
    struct chunk *next;
    size_t used, size;
    _Alignas(ARENA_ALIGN) unsigned char bytes[];
} chunk;

struct arena {
    chunk *head;      // NULL at first
    size_t next_size; // of the next ordinary chunk
    size_t used;
};

static RX_NORETURN void out_of_memory(size_t wanted) {
    fprintf(stderr, "relax: out of memory (wanted %zu more bytes)\n", wanted);
    exit(EXIT_FAILURE);
}

arena *arena_new(void) {
    arena *a = calloc(1, sizeof *a);
    if (!a) out_of_memory(sizeof *a);
    a->next_size = FIRST_CHUNK;
    return a;
}

void arena_free(arena *a) {
    if (!a) return;
    for (chunk *c = a->head, *next; c; c = next) {
        next = c->next;
        ASAN_UNPOISON_MEMORY_REGION(c->bytes, c->size);
        free(c);
    }
    free(a);
}

static chunk *chunk_new(size_t size) {
    // Large chunks come from the kernel zeroed, so calloc doesn't touch them a second time.
    chunk *c = calloc(1, sizeof *c + size);
    if (!c) out_of_memory(size);
    c->size = size;
    ASAN_POISON_MEMORY_REGION(c->bytes, c->size);
    return c;
}

// A chunk with room for `bytes`; becomes the head unless it is for this one request alone.
static chunk *chunk_add(arena *a, size_t bytes) {
    if (a->head && bytes > a->next_size / 4) {
        chunk *own = chunk_new(bytes);
        own->next = a->head->next;
        a->head->next = own;
        return own;
    }
    chunk *c = chunk_new(bytes > a->next_size ? bytes : a->next_size);
    c->next = a->head;
    a->head = c;
    if (a->next_size < LAST_CHUNK) a->next_size *= 2;
    return c;
}

// `bytes` rounded up to the alignment, with the red zone; a request no machine can fill ends the program.
static size_t padded_size(size_t bytes) {
    if (bytes > SIZE_MAX / 2) out_of_memory(bytes);
    return (bytes + RED_ZONE + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
}

// `bytes` is what the caller asked for, which is what arena_used counts, without padding.
static void *take(arena *a, size_t bytes) {
    size_t padded = padded_size(bytes);
    chunk *c = a->head;
    if (!c || c->size - c->used < padded) c = chunk_add(a, padded);
    // chunk_add returns a chunk of its own for a large block, which is then full.
    unsigned char *at = c->bytes + c->used;
    c->used += padded;
    a->used += bytes;
    ASAN_UNPOISON_MEMORY_REGION(at, bytes);
    return at;
}

void *arena_take(arena *a, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) out_of_memory(SIZE_MAX);
    return take(a, bytes ? bytes : 1);
}

// Whether the block at `at` is the newest of the head chunk, which then has room for `bytes` from there.
static bool can_extend(const chunk *c, const unsigned char *at, size_t old_bytes, size_t bytes) {
    if (!c || !at || at + padded_size(old_bytes) != c->bytes + c->used) return false;
    return padded_size(bytes) <= c->size - (size_t)(at - c->bytes);
}

void *arena_grow(arena *a, void *at, size_t old_bytes, size_t bytes) {
    chunk *c = a->head;
    // Growing text and vectors are mostly the newest block: they rarely move.
    if (old_bytes && can_extend(c, at, old_bytes, bytes)) {
        c->used = (size_t)((unsigned char *)at - c->bytes) + padded_size(bytes);
        a->used += bytes - old_bytes;
        ASAN_UNPOISON_MEMORY_REGION(at, bytes);
        return at;
    }
    void *fresh = take(a, bytes ? bytes : 1);
    if (old_bytes) memcpy(fresh, at, old_bytes);
    return fresh;
}

char *arena_copy(arena *a, const void *bytes, size_t size) {
    if (size == SIZE_MAX) out_of_memory(size);
    char *copy = take(a, size + 1);
    if (size) memcpy(copy, bytes, size);
    return copy;
}

char *arena_vformat(arena *a, const char *format, va_list args) {
    // Most texts are short: they are formatted once, on the stack, and copied.
    char small[256];
    va_list again;
    va_copy(again, args);
    int size = vsnprintf(small, sizeof small, format, args);
    CHECK(size >= 0);
    char *made;
    if ((size_t)size < sizeof small) {
        made = arena_copy(a, small, (size_t)size);
    } else {
        made = take(a, (size_t)size + 1);
        vsnprintf(made, (size_t)size + 1, format, again);
    }
    va_end(again);
    return made;
}

char *arena_format(arena *a, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *made = arena_vformat(a, format, args);
    va_end(args);
    return made;
}

size_t arena_used(const arena *a) { return a->used; }
