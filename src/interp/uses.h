// uses.h - what a graph function uses: the values its closures capture, and how often each value is taken.
//
// Both are found once per function and run, and live in the run's arena.
#ifndef INTERP_USES_H
#define INTERP_USES_H
#include "interp/frame.h"

typedef struct capture_list {
    const node **at;
    uint32_t len, room;
} capture_list;
// Values from around it that a closure's body uses, those of closures inside of it included; each once.
const capture_list *captures_of(run *r, const graph_func *f);

static const uint32_t USES_UNKNOWN = UINT32_MAX;
// By id of f's nodes: how often the interpreter takes the value out of its slot, or USES_UNKNOWN. At least so often: of
// the two branches of an `if` only one runs.
const uint32_t *uses_of(run *r, const graph_func *f);
#endif
