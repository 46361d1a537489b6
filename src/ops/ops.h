// ops.h - finding operators: the descriptors in this folder, listed in ops.def.
#ifndef OPS_OPS_H
#define OPS_OPS_H
#include "graph/op.h"

#define OP(name) extern const op op_##name;
#include "ops/ops.def"

const op *op_find(const char *name);      // by the name after "R.", NULL if there is none
const op *const *op_all(uint32_t *count); // in the order of ops.def
// The loop program of one call: from its compute text or its lower function. NULL after reporting.
const loop_func *op_lower(const lower_ctx *c, const node *n);
#endif
