// guarded.c - memory between pages that can't be touched.
#define _GNU_SOURCE
#include "support/guarded.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FRESH = 0xCD, BESIDE = 0xA7 };

static void fail(const char *why) {
    fprintf(stderr, "guarded memory: %s\n", why);
    abort();
}

guarded *guarded_new(size_t size, size_t align) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page + 1;
    guarded *g = malloc(sizeof *g);
    if (!g || size > SIZE_MAX / 4) fail("out of memory");
    size_t map_size = (pages + 2) * page;
    void *map = mmap(NULL, map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) fail("out of memory");
    unsigned char *first = (unsigned char *)map + page, *end = first + pages * page;
    if (mprotect(first, pages * page, PROT_READ | PROT_WRITE) != 0) fail("mprotect failed");
    unsigned char *data = end - (size + align - 1) / align * align;
    memset(first, BESIDE, pages * page);
    memset(data, FRESH, size);
    *g = (guarded){.data = data, .size = size, .map = map, .map_size = map_size};
    return g;
}

static bool all_beside(const unsigned char *from, const unsigned char *to) {
    while (from < to)
        if (*from++ != BESIDE) return false;
    return true;
}

bool guarded_intact(const guarded *g) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const unsigned char *map = g->map, *data = g->data;
    return all_beside(map + page, data) && all_beside(data + g->size, map + g->map_size - page);
}

void guarded_free(void *user, void *data) {
    guarded *g = user;
    (void)data;
    if (!guarded_intact(g)) fail("a byte beside the data was written");
    munmap(g->map, g->map_size);
    free(g);
}
