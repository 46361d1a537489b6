// arena.h - bump allocation: what lives and dies with a session, a function or a pass.
//
// Nothing is freed one by one. Not thread-safe: one arena belongs to one thread at a time.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H
#include "base/attributes.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct arena arena;

// Never NULL: when the machine has no memory left the program says so on stderr and exits 1. (Only the
// compiler uses arenas; the runtime reports RX_OUT_OF_MEMORY instead.)
arena *arena_new(void);
void arena_free(arena *a); // NULL is allowed

// `count * size` zeroed bytes, aligned for any type. Never NULL, not even for zero bytes.
void *arena_take(arena *a, size_t count, size_t size);
#define ARENA_NEW(a, type, count) ((type *)arena_take((a), (count), sizeof(type)))

// The block `at` of `old_bytes` made `bytes` long (not less), in place where it is the newest one, else copied; what is
// added is zero. Helper of growing arrays. NULL with 0 old bytes is an empty block.
void *arena_grow(arena *a, void *at, size_t old_bytes, size_t bytes);

// Copies of bytes and of text; the result has a NUL after its last byte.
char *arena_copy(arena *a, const void *bytes, size_t size);
char *arena_format(arena *a, const char *format, ...) RX_PRINTF(2, 3);
char *arena_vformat(arena *a, const char *format, va_list args) RX_PRINTF(2, 0);

size_t arena_used(const arena *a); // bytes handed out
#endif
