// plan_view.h - the plan of memory that a lowered function states: its storages, what lives in them when, the peak.
//
// Read back from R.memory.* or R.vm.* calls, whoever planned them. Positions are those of liveness.h.
#ifndef PASS_PLAN_VIEW_H
#define PASS_PLAN_VIEW_H
#include "pass/liveness.h"

typedef struct tensor_view {
    const char *name;
    const expr *offset, *bytes;
    uint32_t from, to;
    int64_t start, size; // in numbers
} tensor_view;

typedef struct storage_view {
    const char *name;
    const expr *bytes;
    uint32_t from, to; // from the first to the last position a tensor in it lives
    bool result;       // a tensor in it is part of the function's result
    int64_t size;      // in numbers
    int64_t room;      // as much as it counts for: aligned
    VEC(tensor_view) tensors;
} storage_view;

typedef struct plan_view {
    const graph_func *f;
    VEC(storage_view) storages;
    uint32_t positions;
    const char **what; // by position: the binding there, for people
    bool bounded;      // every symbol has an upper bound: numbers are the largest there can be
    uint32_t peak_at;  // the position where the storages that exist are the largest together
    const expr *peak;  // their bytes
    int64_t peak_bytes;
    int64_t lower_bound; // no plan can do with less: tensors that live at once, each aligned
    int64_t unplanned;   // with memory of its own for each tensor: the sum of all
} plan_view;

// Numbers are for the upper bounds of symbols; symbols without one count as `typical`. From `mem`.
plan_view plan_view_of(const module *m, const graph_func *f, int64_t typical, arena *mem);
// One sentence if the peak is above `limit` bytes: the largest blocks, and which symbols to bound lower. Else NULL.
const char *plan_view_excess(const plan_view *v, int64_t limit, arena *mem);
// A picture (SVG): steps to the right, bytes upwards, a box for each storage and tensor, what is held at once, the
// peak.
void plan_view_svg(const plan_view *v, text *out);
#endif
