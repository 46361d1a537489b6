// plan.h - plans of memory: which storages a function needs, and where in them its tensors lie.
//
// Two planners make them. The pool is TVM's: storages of one tensor's size, used again by later tensors of the same
// size. The arena is ours: one storage for all whose sizes are known at the same time, tensors at offsets in it.
#ifndef PASS_PLAN_H
#define PASS_PLAN_H
#include "pass/liveness.h"

#define PLAN_NONE UINT32_MAX
enum { PLAN_ALIGN = 64 };

typedef struct plan_storage {
    const expr *bytes;
    dtype type;         // what the storage is said to hold
    const node *before; // it is allocated right before this binding
    const node *like;   // a tensor in it: the storage has its device and memory scope
} plan_storage;

typedef struct plan_place {
    uint32_t storage; // PLAN_NONE: the tensor is left as it is
    const expr *offset;
} plan_place;

typedef struct memory_plan {
    VEC(plan_storage) storages;
    plan_place *place; // one per tensor of the liveness
} memory_plan;

// What a planner works on.
typedef struct planning {
    module *m;
    const graph_func *f;
    const liveness *l;
    facts *facts;      // of the function: dims, bounds
    bool outputs;      // tensors of the result are planned too, where their size is constant
    uint32_t *uses;    // by node id
    map used_by;       // MAP_KEY(alloc) -> the call of a dispatcher that it is an argument of
    const expr **size; // bytes of each tensor, NULL: not to be planned
} planning;

// Workspaces of branches of which one run takes one: tensors that live at once by position alone.
bool are_exclusive(const planning *p, const live_tensor *a, const live_tensor *b);

void plan_pool(planning *p, memory_plan *out);
void plan_arena(planning *p, memory_plan *out);

// Are two tensors allocated on the same device and in the same memory scope?
bool are_neighbours(const node *alloc, const node *other);

// Each size has a bound, as it fits into 64 bits; whether this one is one that memory could have, and so was stated.
bool bound_is_stated(interval bound);
// The largest value of a size under the function's bounds as a constant; the size itself where it has no bound.
const expr *size_bound(const planning *p, const expr *size);
// Representative values of symbols, to compare sizes by number: the upper bound, else one number for all.
int64_t size_estimate(const planning *p, const expr *size);
#endif
