// vec.c - growth of arrays.
#include "base/vec.h"

enum { FIRST_ROOM = 8 };

void *vec_grow(arena *mem, void *at, uint32_t len, uint32_t *room, size_t size) {
    uint32_t old = *room;
    CHECK(len <= old && old <= UINT32_MAX / 2);
    *room = old ? old * 2 : FIRST_ROOM;
    CHECK(size <= SIZE_MAX / *room);
    return arena_grow(mem, at, old * size, *room * size);
}
