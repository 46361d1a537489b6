// run.h - what all parts of one run of the interpreters share.
#ifndef INTERP_RUN_H
#define INTERP_RUN_H
#include "interp/interp.h"
#include "interp/storage.h"

enum { RUN_MAX_DEPTH = 1000, RUN_LOOP_DEPTH = 16 }; // calls inside of each other; loop programs at the end

typedef struct run {
    const module *m;
    const interp_options *o;
    diag *d;
    arena *mem;        // compiled programs, lowered operators
    map programs;      // MAP_KEY(loop_func) -> const struct program *
    map lowered;       // MAP_KEY(node) -> struct lowered_call *
    map undecided;     // MAP_KEY(node) -> expr_list *: dims that the run compares
    text_map concrete; // node and shapes -> const node *: calls over what the run showed
    map uses;          // MAP_KEY(graph_func) -> uint32_t *
    map captures;      // MAP_KEY(graph_func) -> struct capture_list *
    uint64_t steps, max_steps;
    uint32_t depth;
    budget *memory;
    bool out_of_steps; // the run ended because of its limit
} run;

// One unit of work. False after reporting that the limit is reached.
bool interp_steps(run *r, uint64_t count, loc at);

// Runs a loop program. Tensors are borrowed and written in place; `result` (may be NULL) gets what T.ret gives.
bool interp_loop(run *r, const loop_func *f, const value *arg, uint32_t count, value *result, loc at);
// Runs a host function by name: those of the options, then the runtime's. `result` owns what it holds.
bool host_run(run *r, const char *name, const value *arg, uint32_t count, value *result, loc at);
// A new tensor whose elements count as unwritten. NULL after reporting.
tensor *interp_tensor(run *r, dtype type, uint32_t rank, const int64_t *dim, loc at);
#endif
