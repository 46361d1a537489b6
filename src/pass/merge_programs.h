// merge_programs.h - the loop programs that a function calls, one after the other, as one program.
#ifndef PASS_MERGE_PROGRAMS_H
#define PASS_MERGE_PROGRAMS_H
#include "pass/support.h"

// The program of a function whose bindings are all R.call_tir (tuples and their items besides): parameters are its
// tensors, then its results, then its scalars (dims of R.Shape parameters, R.Prim parameters). What lies between the
// calls becomes local allocations. Symbols and loop variables are new. NULL where the function does something else;
// `why` then says what.
const loop_func *merge_programs(module *m, const graph_func *f, const char **why);
#endif
