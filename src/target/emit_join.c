// emit_join.c - a vectorized loop over a reduction: its lanes are joined, and the result joins one element.
//
//   for k in T.vectorized(16): C[i] = C[i] + x[k]      ->      C[i] += the sum of x's lanes
//
// Sums of floats are paired as a tree, in an order that depends on the number of lanes alone.
#include "target/emit.h"

// The value x of C[i] = C[i] op x; NULL if the store is something else.
static const expr *joined_lanes(const emitter *e, const stmt *st) {
    const expr *value = st->as.store.value, *own = value->count ? value->in[0] : NULL;
    if (!e->lane || (value->op != EXPR_ADD && value->op != EXPR_MAX && value->op != EXPR_MIN)) return NULL;
    if (own->op != EXPR_LOAD || own->as.buffer != st->as.store.buf) return NULL;
    for (uint32_t i = 0; i < own->count; i++)
        if (own->in[i] != st->as.store.index[i]) return NULL;
    return value->in[1];
}

static bool is_signed(dtype t) { return dtype_family_of(t) == FAMILY_INT; }

// What joining leaves unchanged.
static LLVMValueRef identity(expr_op op, dtype t, LLVMTypeRef lane) {
    if (op == EXPR_ADD) return dtype_is_float(t) ? LLVMConstReal(lane, -0.0) : LLVMConstNull(lane);
    if (dtype_is_float(t)) return LLVMConstReal(lane, op == EXPR_MAX ? -__builtin_inf() : __builtin_inf());
    return LLVMConstInt(lane, op == EXPR_MAX ? (uint64_t)dtype_int_min(t) : dtype_int_max(t), is_signed(t));
}

static const char *joining(expr_op op, dtype t) {
    bool max = op == EXPR_MAX;
    if (op == EXPR_ADD) return dtype_is_float(t) ? "llvm.vector.reduce.fadd" : "llvm.vector.reduce.add";
    if (dtype_is_float(t)) return max ? "llvm.vector.reduce.fmaximum" : "llvm.vector.reduce.fminimum";
    if (is_signed(t)) return max ? "llvm.vector.reduce.smax" : "llvm.vector.reduce.smin";
    return max ? "llvm.vector.reduce.umax" : "llvm.vector.reduce.umin";
}

LLVMValueRef emit_joined(emitter *e, const stmt *st) {
    const expr *x = joined_lanes(e, st), *value = st->as.store.value;
    if (!x) return NULL;
    dtype t = dtype_scalar(value->type);
    expr_op op = (expr_op)value->op;
    LLVMTypeRef lane = compute_type(e, t), type = LLVMVectorType(lane, e->lanes);
    LLVMValueRef start = identity(op, t, lane), v = widen(e, emit_expr(e, x), e->lanes);
    if (e->mask) v = LLVMBuildSelect(e->b, e->mask, v, widen(e, start, e->lanes), "");
    bool sum = op == EXPR_ADD && dtype_is_float(t);
    LLVMValueRef arg[] = {sum ? start : v, v};
    LLVMValueRef all = call_intrinsic(e, joining(op, t), &type, 1, arg, sum ? 2 : 1);
    if (sum) LLVMSetFastMathFlags(all, LLVMFastMathAllowReassoc);
    return emit_operation(e, value, emit_expr(e, value->in[0]), all);
}
