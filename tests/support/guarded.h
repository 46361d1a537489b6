// guarded.h - memory for tests of code that the sanitizers do not see: generated kernels.
// The bytes end where a page begins that can't be touched, and another such page lies before them, so that a stray
// access faults. What the alignment leaves over on either side is filled and checked.
#ifndef SUPPORT_GUARDED_H
#define SUPPORT_GUARDED_H
#include <stdbool.h>
#include <stddef.h>

typedef struct guarded {
    void *data;  // `size` bytes, 0xCD each at first: no test should pass because memory happened to be zero
    size_t size; // in bytes; may be 0
    void *map;   // the pages, guards included
    size_t map_size;
} guarded;

// `align` is a power of two up to 4096. Never NULL: ends the test if there is no memory. Free with guarded_free.
guarded *guarded_new(size_t size, size_t align);
// False if a byte beside the data was written.
bool guarded_intact(const guarded *g);
// Aborts if a byte beside the data was written. `user` is the guarded; fits tensor_wrap's free_data.
void guarded_free(void *user, void *data);
#endif
