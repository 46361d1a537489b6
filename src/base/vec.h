// vec.h - a growing array in an arena.
//
//   VEC(const expr *) dims = {0};
//   VEC_PUSH(mem, &dims, e);      dims.at[0 .. dims.len-1]
#ifndef BASE_VEC_H
#define BASE_VEC_H
#include "base/arena.h"

// Zero is an empty vector. The elements move when it grows: keep indices, not pointers.
#define VEC(type)                                                                                                      \
    struct {                                                                                                           \
        type *at;                                                                                                      \
        uint32_t len, room;                                                                                            \
    }

#define VEC_PUSH(mem, v, value)                                                                                        \
    ((v)->len == (v)->room ? (void)((v)->at = vec_grow((mem), (v)->at, (v)->len, &(v)->room, sizeof *(v)->at))         \
                           : (void)0,                                                                                  \
     (v)->at[(v)->len++] = (value))

// Doubles the room (at least 8) and moves `len` elements. Helper of VEC_PUSH.
void *vec_grow(arena *mem, void *at, uint32_t len, uint32_t *room, size_t size);
#endif
