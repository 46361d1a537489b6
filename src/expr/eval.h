// eval.h - the inside of evaluation, for eval.c, apply.c and apply_call.c alone.
#ifndef EXPR_EVAL_H
#define EXPR_EVAL_H
#include "expr/expr.h"

// expr_apply for a call of an intrinsic. EXPR_NOT_SCALAR where the intrinsic has an effect or no scalar value.
expr_status expr_apply_call(const expr *e, const scalar *in, scalar *out);

// The low bits of an integer as a value of type t, sign- or zero-extended; of bool the lowest bit. (dtype_wrap makes
// every nonzero bool true, which is right for casts but not for bit operations.)
static inline int64_t eval_wrap(dtype t, uint64_t bits) {
    return dtype_family_of(t) == FAMILY_BOOL ? (int64_t)(bits & 1) : dtype_wrap(t, (int64_t)bits);
}
#endif
