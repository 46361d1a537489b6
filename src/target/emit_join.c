// emit_join.c - a vectorized loop over a reduction: its lanes are joined, and the result joins one element.
//
//   for k in T.vectorized(16): C[i] = C[i] + x[k]      ->      C[i] += the sum of x's lanes
//
// Sums and products of floats are paired as a tree, in an order that depends on the number of lanes alone.
#include "target/emit.h"

// The value x of C[i] = C[i] op x; NULL if the store is something else.
static const expr *joined_lanes(const emitter *e, const stmt *st) {
    const expr *value = st->as.store.value, *own = value->count ? value->in[0] : NULL;
    if (!e->lane || !expr_joins(value)) return NULL;
    if (own->op != EXPR_LOAD || own->as.buffer != st->as.store.buf) return NULL;
    for (uint32_t i = 0; i < own->count; i++)
        if (own->in[i] != st->as.store.index[i]) return NULL;
    return value->in[1];
}

static bool is_signed(dtype t) { return dtype_family_of(t) == FAMILY_INT; }

// What joining leaves unchanged.
static LLVMValueRef identity(expr_op op, dtype t, LLVMTypeRef lane) {
    if (op == EXPR_ADD) return dtype_is_float(t) ? LLVMConstReal(lane, -0.0) : LLVMConstNull(lane);
    if (op == EXPR_MUL) return dtype_is_float(t) ? LLVMConstReal(lane, 1.0) : LLVMConstInt(lane, 1, false);
    if (dtype_is_float(t)) return LLVMConstReal(lane, op == EXPR_MAX ? -__builtin_inf() : __builtin_inf());
    return LLVMConstInt(lane, op == EXPR_MAX ? (uint64_t)dtype_int_min(t) : dtype_int_max(t), is_signed(t));
}

static const char *joining(expr_op op, dtype t) {
    bool max = op == EXPR_MAX;
    if (op == EXPR_ADD) return dtype_is_float(t) ? "llvm.vector.reduce.fadd" : "llvm.vector.reduce.add";
    if (op == EXPR_MUL) return dtype_is_float(t) ? "llvm.vector.reduce.fmul" : "llvm.vector.reduce.mul";
    if (dtype_is_float(t)) return max ? "llvm.vector.reduce.fmaximum" : "llvm.vector.reduce.fminimum";
    if (is_signed(t)) return max ? "llvm.vector.reduce.smax" : "llvm.vector.reduce.smin";
    return max ? "llvm.vector.reduce.umax" : "llvm.vector.reduce.umin";
}

// Whether any lane is true.
static LLVMValueRef any_lane(emitter *e, LLVMValueRef lanes) {
    LLVMTypeRef bits = LLVMIntTypeInContext(e->c, value_lanes(lanes));
    return LLVMBuildICmp(e->b, LLVMIntNE, LLVMBuildBitCast(e->b, lanes, bits, ""), LLVMConstNull(bits), "");
}

// Lanes [first, first + count) of v.
static LLVMValueRef some_lanes(emitter *e, LLVMValueRef v, unsigned first, unsigned count) {
    LLVMValueRef *at = ARENA_NEW(e->mem, LLVMValueRef, count);
    for (unsigned i = 0; i < count; i++) at[i] = LLVMConstInt(e->i32, first + i, false);
    return LLVMBuildShuffleVector(e->b, v, LLVMGetPoison(LLVMTypeOf(v)), LLVMConstVector(at, count), "");
}

// The largest or least lane, halves against each other by the comparison that processors have; NaN if any is NaN. A
// fifth of the instructions of LLVM's own expansion. Of zeros of both signs it may be either.
static LLVMValueRef extreme_of_floats(emitter *e, bool max, LLVMValueRef v, LLVMTypeRef lane) {
    LLVMValueRef nan = any_lane(e, LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, "")), best = v;
    for (unsigned n = e->lanes / 2; n; n /= 2) {
        LLVMValueRef a = some_lanes(e, best, 0, n), b = some_lanes(e, best, n, n);
        best = LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, max ? LLVMRealOGT : LLVMRealOLT, a, b, ""), a, b, "");
    }
    best = LLVMBuildExtractElement(e->b, best, LLVMConstInt(e->i32, 0, false), "");
    return LLVMBuildSelect(e->b, nan, LLVMConstReal(lane, __builtin_nan("")), best, "");
}

static LLVMValueRef join_lanes(emitter *e, expr_op op, dtype t, LLVMValueRef v, LLVMTypeRef lane) {
    LLVMTypeRef type = LLVMVectorType(lane, e->lanes);
    bool power = (e->lanes & (e->lanes - 1)) == 0, extreme = op == EXPR_MAX || op == EXPR_MIN;
    bool starts = !extreme && dtype_is_float(t); // sums and products of floats have a first operand
    if (dtype_is_float(t) && extreme && power && e->lanes > 1) return extreme_of_floats(e, op == EXPR_MAX, v, lane);
    LLVMValueRef arg[] = {starts ? identity(op, t, lane) : v, v};
    LLVMValueRef all = call_intrinsic(e, joining(op, t), &type, 1, arg, starts ? 2 : 1);
    if (starts) LLVMSetFastMathFlags(all, LLVMFastMathAllowReassoc);
    return all;
}

LLVMValueRef emit_joined(emitter *e, const stmt *st) {
    const expr *x = joined_lanes(e, st), *value = st->as.store.value;
    if (!x) return NULL;
    dtype t = dtype_scalar(value->type);
    expr_op op = (expr_op)value->op;
    LLVMTypeRef lane = compute_type(e, t);
    LLVMValueRef v = widen(e, emit_expr(e, x), e->lanes);
    if (e->mask) v = LLVMBuildSelect(e->b, e->mask, v, widen(e, identity(op, t, lane), e->lanes), "");
    LLVMValueRef all = join_lanes(e, op, t, v, lane);
    return emit_operation(e, value, emit_expr(e, value->in[0]), all);
}
