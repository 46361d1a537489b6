// liveness.h - how long the memory of each tensor that a function allocates is needed.
//
// Bindings are numbered in order, those of branches before their `if`. A tensor's memory is needed from its allocation
// to the last use of any value that may lie in it: itself, other names and views of it, tuples that hold it, what a
// call of a function may have handed through.
#ifndef PASS_LIVENESS_H
#define PASS_LIVENESS_H
#include "pass/support.h"

typedef struct live_tensor {
    const node *alloc;      // R.builtin.alloc_tensor, or R.memory.alloc_tensor and R.vm.alloc_tensor (in a storage)
    const graph_body *home; // the body that binds it
    uint32_t from, to;      // positions of bindings; both included
    bool escapes;           // it is part of the function's result: never free
    bool crosses;           // used in another body than its own
    bool passed;            // to a function of the module, a closure or an unknown operator
} live_tensor;
typedef VEC(live_tensor) live_list;

typedef struct liveness {
    arena *mem;
    live_list tensors; // in order of allocation
    uint32_t end;      // positions are below this
    map position;      // MAP_KEY(bound node) -> position + 1
    map home;          // MAP_KEY(bound node) -> const graph_body *
    map owner;         // MAP_KEY(bound node) -> the `if` around it, nothing at the top
    map index;         // MAP_KEY(alloc) -> index into tensors + 1
} liveness;

liveness liveness_of(arena *mem, const graph_func *f);
bool is_alloc_tensor(const node *n);  // of any of the three kinds
bool is_alloc_storage(const node *n); // R.memory or R.vm
bool is_kill(const node *n);          // gives a value up: no use of it
// The dims and dtype that an allocation asks for; *dim is NULL where they are not known.
dtype alloc_type(const node *alloc, const expr *const **dim, uint32_t *rank);
#endif
