// heap.c - the allocators that the linker puts in place of malloc and its kin.
#include "support/heap.h"
#include <errno.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *at, size_t size);
int __real_posix_memalign(void **out, size_t align, size_t size);
void __real_free(void *at);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *at, size_t size);
int __wrap_posix_memalign(void **out, size_t align, size_t size);
void __wrap_free(void *at);

test_heap heap;

bool heap_fails(void) {
    if (!atomic_load(&heap.armed) || atomic_fetch_add(&heap.calls, 1) + 1 != atomic_load(&heap.fail_at)) return false;
    errno = ENOMEM;
    return true;
}

void *heap_counted(void *at) {
    if (at && atomic_load(&heap.armed)) atomic_fetch_add(&heap.live, 1);
    return at;
}

void *__wrap_malloc(size_t size) { return heap_fails() ? NULL : heap_counted(__real_malloc(size)); }
void *__wrap_calloc(size_t count, size_t size) {
    return heap_fails() ? NULL : heap_counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *at, size_t size) {
    if (heap_fails()) return NULL;
    return at ? __real_realloc(at, size) : heap_counted(__real_realloc(at, size));
}

int __wrap_posix_memalign(void **out, size_t align, size_t size) {
    if (heap_fails()) return ENOMEM;
    int failed = __real_posix_memalign(out, align, size);
    if (!failed) heap_counted(*out);
    return failed;
}

void __wrap_free(void *at) {
    if (at && atomic_load(&heap.armed)) atomic_fetch_sub(&heap.live, 1);
    __real_free(at);
}
