// precision.h - a pass must not forget what was known of a value: its dims, rank, dtype, that it is a tensor at all.
#ifndef PASS_PRECISION_H
#define PASS_PRECISION_H
#include "graph/build.h"

// The annotations of a module's graph functions before a pass. Lives in the arena it was noted in; borrows the
// module's.
typedef struct known_func {
    const graph_func *f;
    text_map values; // name of a bound value -> const ann *
} known_func;
typedef VEC(known_func) known_funcs;

void precision_note(const module *m, arena *mem, known_funcs *out);
// Reports each value, and each function's result, of which less is said now than before under the same name.
bool precision_kept(const known_funcs *before, const module *m, arena *mem, const char *pass, diag *d);

bool precision_coarser(const ann *is, const ann *was); // in what is said, not in which dims
#endif
