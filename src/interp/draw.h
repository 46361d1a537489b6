// draw.h - random inputs, with a say over how large integers in tensors are.
//
// Integers may be indices, which a function refuses where they are out of range: who wants it to run tries level by
// level.
#ifndef INTERP_DRAW_H
#define INTERP_DRAW_H
#include "interp/interp.h"

// DRAW_ANY: of both signs (-8 to 7); DRAW_INDICES: 0 to 7; DRAW_BITS: 0 or 1; DRAW_ZEROS.
enum { DRAW_ANY, DRAW_INDICES, DRAW_BITS, DRAW_ZEROS, DRAW_LEVELS };

// interp_draw at a level.
bool draw_at_level(const module *m, const char *func, uint64_t seed, uint32_t draw, unsigned level, arena *mem,
                   value **arg, uint32_t *count, text *symbols);
#endif
