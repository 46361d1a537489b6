// ops.h - finding operators: the descriptors in this folder, listed in ops.def.
#ifndef OPS_OPS_H
#define OPS_OPS_H
#include "graph/op.h"

#define OP(name) extern const op op_##name;
#include "ops/ops.def"

const op *op_find(const char *name);      // by the name after "R.", NULL if there is none
const op *const *op_all(uint32_t *count); // in the order of ops.def

// One call as a loop program: R.call_tir(func, args, out_sinfo=the call's own annotation, tir_vars=R.shape(tir_var)).
// An argument is an operand, or a field of one that is a tuple. Scalar constants are no arguments: the program has
// them as numbers.
typedef struct lowered_arg {
    uint32_t operand;
    int32_t field; // -1: the operand itself
} lowered_arg;
typedef struct lowered {
    const loop_func *func; // private, with variables of its own, its parameters: arguments, outputs, scalars
    uint32_t args;
    const lowered_arg *arg;
    uint32_t tir_vars;
    const expr *const *tir_var; // the scalars' values in the caller's variables; 0: none
} lowered;
// From its compute text or its lower function. False after reporting: the operator is no loop program, or shapes or
// dtypes are not known well enough.
bool op_lower_call(const lower_ctx *c, const node *n, lowered *out);

// What only the run can decide of a call: a size that must be as wanted. Checked as
// R.match_cast(R.shape([got]), R.Shape([want])) does. Messages say "matmul: m * 2 is 6, but n is 5".
typedef struct op_question {
    const char *op; // without the dots of its name
    const expr *want, *got;
} op_question;
typedef VEC(op_question) op_questions;
// Appends to `out`. Returns the annotation that holds once they are as wanted; it may say more than n->type (the
// broadcast of n and m). NULL where the call is wrong.
const ann *op_undecided(const infer_ctx *c, const node *n, op_questions *out);
// A size as messages say it: as it is written, and "n broadcast to m" in place of T.Select(n == 1, m, n). In `mem`.
const char *op_dim_text(arena *mem, const expr *dim);
#endif
