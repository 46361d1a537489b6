// eval.h - the inside of evaluation, for eval.c, apply.c and apply_call.c alone.
#ifndef EXPR_EVAL_H
#define EXPR_EVAL_H
#include "expr/expr.h"

// expr_apply for a call of an intrinsic. EXPR_NOT_SCALAR where the intrinsic has an effect or no scalar value.
expr_status expr_apply_call(const expr *e, const scalar *in, scalar *out);

// An exact integer as a value of type t: int64 outside its range is EXPR_OVERFLOW, the others wrap.
static inline int64_t eval_wrap(dtype t, uint64_t bits) {
    return dtype_family_of(t) == FAMILY_BOOL ? (int64_t)(bits & 1) : dtype_wrap(t, (int64_t)bits);
}
#endif
