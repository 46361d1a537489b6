// inline_producers.h - intermediate buffers of a merged program become expressions where they are read.
#ifndef PASS_INLINE_PRODUCERS_H
#define PASS_INLINE_PRODUCERS_H
#include "loop/loop.h"

// A nest that writes each element of a local buffer once, from its index alone, goes into the nests that read it, when
// that repeats no dear work: it is read once, or what it computes is cheap. Indices are simplified under the bounds of
// the iteration variables. Reductions, and what is read by them too often, stay as they are. f itself when nothing
// fits.
const loop_func *inline_producers(expr_session *s, arena *mem, const loop_func *f);
#endif
