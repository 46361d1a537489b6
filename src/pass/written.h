// written.h - which values of a function lie in memory that a call in it writes.
//
// Such a value is itself alone, though another is computed alike, and what is read of it may differ from one use to the
// next: it is neither merged nor computed early.
#ifndef PASS_WRITTEN_H
#define PASS_WRITTEN_H
#include "pass/support.h"

// Adds those values, leaves too, to `out`: MAP_KEY(node) -> non-NULL. A destination of a call, an input that is written
// in place, and whatever may share their memory.
void find_written(module *m, const graph_func *f, map *out);
// Is the value in the map, or read from one that is?
bool touches_written(const map *written, const node *n);
#endif
