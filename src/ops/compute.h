// compute.h - the meaning of an operator written as text, compiled for one call into a loop program.
//
// docs/compute.md describes the language. The program speaks in the caller's symbolic variables; op_lower_call (ops.h)
// gives it variables of its own.
#ifndef OPS_COMPUTE_H
#define OPS_COMPUTE_H
#include "graph/op.h"

// A name the text may use besides operands, attributes and indices: a scalar, or a list with one value per element of
// a group. A list with `list` NULL and `count` 0 that `is_none` stands for None: as a place, all dims.
typedef struct compute_name {
    const char *name;
    const expr *value;
    const expr *const *list;
    uint32_t count;
    bool is_list, is_none;
    dtype type; // a dtype; void: it is none
} compute_name;

// Compiles `meaning` for the call n. `names` come before operands and attributes of the same name. NULL after
// reporting: dims that are not known, or a name that is not.
const loop_func *compute_build(const lower_ctx *c, const node *n, const char *meaning, const compute_name *names,
                               uint32_t count);

// What the elementwise operator `what`, whose text is `out[i...] = value`, makes of the element x. `n`: the call that
// this is for. NULL after reporting.
const expr *compute_element(const lower_ctx *c, const node *n, const op *what, const expr *x);

// The buffers of a program, in the order every lowering keeps: one per tensor among the operands, tuples flattened,
// scalar constants left out (they stand in the program as numbers); then one per output.
typedef struct operand_buffer {
    const char *name; // as the text calls it: "x", "tensors0", "out", "out1"
    const ann *type;
    uint32_t operand;   // of the node; not for outputs
    int32_t field;      // of a tuple operand; -1
    const expr *scalar; // a scalar constant: no buffer
    bool output;
} operand_buffer;
typedef VEC(operand_buffer) operand_list;
// False after reporting that a dim or dtype is not known.
bool operand_buffers(const lower_ctx *c, const node *n, operand_list *out);
// Global buffers for all of them, for programs that are put together by hand. `results`: what the outputs are called;
// NULL: out, or out0, out1, …
const buffer **operand_globals(const lower_ctx *c, const operand_list *operands, const char *const *results);

// A program over those buffers: declares parameters, wraps `body` in the root block with `allocs`. What the dims do
// not bind becomes a scalar parameter.
const loop_func *compute_program(const lower_ctx *c, const operand_list *operands, const buffer *const *buf,
                                 const stmt *body, const buffer *const *alloc, uint32_t allocs);
#endif
