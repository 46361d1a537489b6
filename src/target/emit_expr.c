// emit_expr.c - scalar expressions to LLVM values, scalars or one value per lane.
#include "base/count_noun.h"
#include "target/emit.h"

void emit_forget(emitter *e) { e->epoch = ++e->last_epoch; }

bool expr_non_negative(const emitter *e, const expr *x) {
    int64_t k;
    if (expr_const_int(x, &k)) return k >= 0;
    switch (x->op) {
    case EXPR_VAR: {
        const expr *meaning = map_find(&e->meaning, MAP_KEY(x));
        return map_has(&e->non_negative, MAP_KEY(x)) || (meaning && expr_non_negative(e, meaning));
    }
    case EXPR_ADD:
    case EXPR_MUL:
    case EXPR_MIN:
    case EXPR_FLOOR_DIV: return expr_non_negative(e, x->in[0]) && expr_non_negative(e, x->in[1]);
    case EXPR_MAX: return expr_non_negative(e, x->in[0]) || expr_non_negative(e, x->in[1]);
    case EXPR_FLOOR_MOD: return expr_const_int(x->in[1], &k) && k > 0;
    case EXPR_CAST: return dtype_bits(x->type) >= dtype_bits(x->in[0]->type) && expr_non_negative(e, x->in[0]);
    default: break;
    }
    return false;
}

static bool is_signed(dtype t) { return dtype_family_of(t) == FAMILY_INT; }

// The operands with the same number of lanes.
static void same_lanes(emitter *e, LLVMValueRef *a, LLVMValueRef *b) {
    unsigned lanes = value_lanes(*a) > value_lanes(*b) ? value_lanes(*a) : value_lanes(*b);
    *a = widen(e, *a, lanes);
    *b = widen(e, *b, lanes);
}

static bool is_fast(const emitter *e, const expr *x) {
    return e->options->fast_math && !map_has(&e->exact, MAP_KEY(x));
}

// a * b + c may be rounded once; with --fast-math the order may change, too, and a divisor may be one factor
// (docs/numerics.md). For the program's own arithmetic: what functions are made of stays.
static LLVMValueRef contractable(emitter *e, const expr *x, LLVMValueRef v) {
    unsigned fast = LLVMFastMathAllowContract | LLVMFastMathAllowReassoc | LLVMFastMathAllowReciprocal;
    if (LLVMCanValueUseFastMathFlags(v))
        LLVMSetFastMathFlags(v, is_fast(e, x) ? fast : (unsigned)LLVMFastMathAllowContract);
    return v;
}

static LLVMValueRef quotient(emitter *e, const expr *x, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef q = LLVMBuildFDiv(e->b, a, b, "");
    return is_fast(e, x) ? contractable(e, x, q) : q;
}

// A divisor that can't trap: x / 0 is 0 and INT_MIN / -1 is INT_MIN (docs/numerics.md).
static LLVMValueRef divide(emitter *e, bool sign, bool modulo, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef t = LLVMTypeOf(a);
    LLVMValueRef zero = LLVMConstNull(t), minus_one = LLVMConstAllOnes(t);
    LLVMValueRef one = LLVMBuildSub(e->b, zero, minus_one, "");
    LLVMValueRef is_zero = LLVMBuildICmp(e->b, LLVMIntEQ, b, zero, "");
    LLVMValueRef is_minus = LLVMBuildICmp(e->b, LLVMIntEQ, b, minus_one, "");
    LLVMValueRef odd = sign ? LLVMBuildOr(e->b, is_zero, is_minus, "") : is_zero;
    LLVMValueRef safe = LLVMBuildSelect(e->b, odd, one, b, "");
    LLVMValueRef q = modulo ? (sign ? LLVMBuildSRem(e->b, a, safe, "") : LLVMBuildURem(e->b, a, safe, ""))
                            : (sign ? LLVMBuildSDiv(e->b, a, safe, "") : LLVMBuildUDiv(e->b, a, safe, ""));
    if (modulo) return q; // the remainder by 1 is 0, as by -1; by 0 it is defined as 0
    if (sign) q = LLVMBuildSelect(e->b, is_minus, LLVMBuildNeg(e->b, a, ""), q, "");
    return LLVMBuildSelect(e->b, is_zero, zero, q, "");
}

// Floor division and modulo of signed integers from the truncating ones.
static LLVMValueRef floor_divide(emitter *e, const expr *x, LLVMValueRef a, LLVMValueRef b) {
    bool modulo = x->op == EXPR_FLOOR_MOD;
    int64_t k;
    bool positive = expr_const_int(x->in[1], &k) && k > 0;
    if (positive && (k & (k - 1)) == 0) {
        LLVMValueRef shift =
            LLVMConstInt(LLVMTypeOf(emit_expr(e, x->in[1])), (uint64_t)__builtin_ctzll((uint64_t)k), false);
        LLVMValueRef low = LLVMConstInt(LLVMTypeOf(shift), (uint64_t)k - 1, false);
        return modulo ? LLVMBuildAnd(e->b, a, widen(e, low, value_lanes(a)), "")
                      : LLVMBuildAShr(e->b, a, widen(e, shift, value_lanes(a)), "");
    }
    if (positive && expr_non_negative(e, x->in[0]))
        return modulo ? LLVMBuildURem(e->b, a, b, "") : LLVMBuildUDiv(e->b, a, b, "");
    if (expr_non_negative(e, x->in[0]) && expr_non_negative(e, x->in[1])) return divide(e, false, modulo, a, b);
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a));
    LLVMValueRef q = divide(e, true, false, a, b), r = divide(e, true, true, a, b);
    LLVMValueRef signs = LLVMBuildICmp(e->b, LLVMIntSLT, LLVMBuildXor(e->b, r, b, ""), zero, "");
    LLVMValueRef off = LLVMBuildAnd(e->b, signs, LLVMBuildICmp(e->b, LLVMIntNE, r, zero, ""), "");
    if (modulo) return LLVMBuildSelect(e->b, off, LLVMBuildAdd(e->b, r, b, ""), r, "");
    return LLVMBuildAdd(e->b, q, LLVMBuildSExt(e->b, off, LLVMTypeOf(q), ""), "");
}

static LLVMValueRef integer_binary(emitter *e, const expr *x, LLVMValueRef a, LLVMValueRef b) {
    bool sign = is_signed(x->type);
    switch (x->op) {
    case EXPR_ADD: return LLVMBuildAdd(e->b, a, b, "");
    case EXPR_SUB: return LLVMBuildSub(e->b, a, b, "");
    case EXPR_MUL: return LLVMBuildMul(e->b, a, b, "");
    case EXPR_FLOOR_DIV: return sign ? floor_divide(e, x, a, b) : divide(e, false, false, a, b);
    case EXPR_FLOOR_MOD: return sign ? floor_divide(e, x, a, b) : divide(e, false, true, a, b);
    case EXPR_TRUNC_DIV: return divide(e, sign, false, a, b);
    case EXPR_TRUNC_MOD: return divide(e, sign, true, a, b);
    case EXPR_MIN:
        return LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, sign ? LLVMIntSLT : LLVMIntULT, a, b, ""), a, b, "");
    default: return LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, sign ? LLVMIntSGT : LLVMIntUGT, a, b, ""), a, b, "");
    }
}

// The larger or the smaller; NaN if either is NaN, as in NumPy. Of zeros of both signs it may be either. LLVM asks
// whether its first operand is NaN: that is b, as in x = max(x, b) the next step need not wait for the answer then.
static LLVMValueRef float_pick(emitter *e, const char *name, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef t = LLVMTypeOf(a);
    LLVMValueRef arg[] = {b, a}, v = call_intrinsic(e, name, &t, 1, arg, 2);
    LLVMSetFastMathFlags(v, LLVMFastMathNoSignedZeros);
    return v;
}

static LLVMValueRef float_binary(emitter *e, const expr *x, LLVMValueRef a, LLVMValueRef b) {
    switch (x->op) {
    case EXPR_ADD: return contractable(e, x, LLVMBuildFAdd(e->b, a, b, ""));
    case EXPR_SUB: return contractable(e, x, LLVMBuildFSub(e->b, a, b, ""));
    case EXPR_MUL: return contractable(e, x, LLVMBuildFMul(e->b, a, b, ""));
    case EXPR_DIV: return quotient(e, x, a, b);
    case EXPR_FLOOR_DIV: return call_unary(e, "llvm.floor", LLVMBuildFDiv(e->b, a, b, ""));
    case EXPR_FLOOR_MOD: {
        LLVMValueRef q = call_unary(e, "llvm.floor", LLVMBuildFDiv(e->b, a, b, ""));
        return LLVMBuildFSub(e->b, a, LLVMBuildFMul(e->b, q, b, ""), "");
    }
    case EXPR_MIN: return float_pick(e, "llvm.minimum", a, b);
    case EXPR_MAX: return float_pick(e, "llvm.maximum", a, b);
    default: return emit_refuse(e, (loc){0}, LLVMTypeOf(a), "%s of floats has no code", expr_op_name((expr_op)x->op));
    }
}

// One number that all lanes are divided by.
static bool shares_divisor(const emitter *e, const expr *x, LLVMValueRef a, LLVMValueRef b) {
    bool single = LLVMGetTypeKind(LLVMTypeOf(b)) == LLVMFloatTypeKind;
    return x->op == EXPR_DIV && value_lanes(a) > 1 && single && has_fma(e) && !LLVMIsConstant(b);
}

LLVMValueRef emit_operation(emitter *e, const expr *x, LLVMValueRef a, LLVMValueRef b) {
    if (shares_divisor(e, x, a, b)) return round_to(e, dtype_scalar(x->type), emit_quotient(e, a, b));
    same_lanes(e, &a, &b);
    if (dtype_is_float(x->type)) return round_to(e, x->type, float_binary(e, x, a, b));
    return integer_binary(e, x, a, b);
}

static LLVMValueRef emit_binary(emitter *e, const expr *x) {
    LLVMValueRef a = emit_expr(e, x->in[0]);
    return emit_operation(e, x, a, emit_expr(e, x->in[1]));
}

static LLVMValueRef emit_compare(emitter *e, const expr *x) {
    static const LLVMRealPredicate real[] = {LLVMRealOEQ, LLVMRealUNE, LLVMRealOLT,
                                             LLVMRealOLE, LLVMRealOGT, LLVMRealOGE};
    static const LLVMIntPredicate sint[] = {LLVMIntEQ, LLVMIntNE, LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
    static const LLVMIntPredicate uint[] = {LLVMIntEQ, LLVMIntNE, LLVMIntULT, LLVMIntULE, LLVMIntUGT, LLVMIntUGE};
    LLVMValueRef a = emit_expr(e, x->in[0]), b = emit_expr(e, x->in[1]);
    same_lanes(e, &a, &b);
    unsigned i = x->op - EXPR_EQ;
    if (dtype_is_float(x->in[0]->type)) return LLVMBuildFCmp(e->b, real[i], a, b, "");
    return LLVMBuildICmp(e->b, is_signed(x->in[0]->type) ? sint[i] : uint[i], a, b, "");
}

// Both operands are evaluated, so that no branch is needed; only if_then_else may guard an access.
static LLVMValueRef emit_logic(emitter *e, const expr *x) {
    LLVMValueRef a = emit_expr(e, x->in[0]);
    if (x->op == EXPR_NOT) return LLVMBuildNot(e->b, a, "");
    LLVMValueRef b = emit_expr(e, x->in[1]);
    same_lanes(e, &a, &b);
    return x->op == EXPR_AND ? LLVMBuildAnd(e->b, a, b, "") : LLVMBuildOr(e->b, a, b, "");
}

static LLVMValueRef pick(emitter *e, LLVMValueRef c, LLVMValueRef a, LLVMValueRef b) {
    same_lanes(e, &a, &b);
    if (value_lanes(c) > 1) {
        a = widen(e, a, value_lanes(c));
        b = widen(e, b, value_lanes(c));
    } else if (value_lanes(a) > 1)
        c = widen(e, c, value_lanes(a));
    return LLVMBuildSelect(e->b, c, a, b, "");
}

// double to float so that rounding it once more to a narrower type gives what one rounding would: to odd.
static LLVMValueRef narrow_to_odd(emitter *e, LLVMValueRef v) {
    LLVMTypeRef ft = like_lanes(e->f32, v), it = like_lanes(e->i32, v);
    LLVMValueRef r = LLVMBuildFPTrunc(e->b, v, ft, "");
    LLVMValueRef back = LLVMBuildFPExt(e->b, r, LLVMTypeOf(v), "");
    LLVMValueRef above =
        LLVMBuildFCmp(e->b, LLVMRealOGT, call_unary(e, "llvm.fabs", back), call_unary(e, "llvm.fabs", v), "");
    LLVMValueRef inexact = LLVMBuildFCmp(e->b, LLVMRealONE, back, v, "");
    LLVMValueRef bits = LLVMBuildSub(e->b, LLVMBuildBitCast(e->b, r, it, ""), LLVMBuildZExt(e->b, above, it, ""), "");
    bits = LLVMBuildOr(e->b, bits, LLVMBuildZExt(e->b, inexact, it, ""), "");
    return LLVMBuildBitCast(e->b, bits, ft, "");
}

// Each conversion rounds once: from double straight to a half, not through a float.
static LLVMValueRef cast_float(emitter *e, dtype from, dtype to, LLVMValueRef v) {
    bool narrow = dtype_bits(to) < 32;
    if (from.kind == DTYPE_F64 && narrow)
        v = narrow_to_odd(e, v);
    else if (from.kind == DTYPE_F64)
        return to.kind == DTYPE_F64 ? v : LLVMBuildFPTrunc(e->b, v, like_lanes(e->f32, v), "");
    else if (to.kind == DTYPE_F64)
        return LLVMBuildFPExt(e->b, v, like_lanes(e->f64, v), "");
    return round_to(e, to, v);
}

// Integers go to halves through double, which holds enough of them, and are rounded once.
static LLVMValueRef int_to_float(emitter *e, dtype from, dtype to, LLVMValueRef v) {
    LLVMTypeRef wide =
        like_lanes(to.kind == DTYPE_F64 || to.kind == DTYPE_F32 ? storage_type(e, dtype_scalar(to)) : e->f64, v);
    LLVMValueRef f = is_signed(from) ? LLVMBuildSIToFP(e->b, v, wide, "") : LLVMBuildUIToFP(e->b, v, wide, "");
    return cast_float(e, to.kind == DTYPE_F32 ? DTYPE_OF(F32) : DTYPE_OF(F64), to, f);
}

// Toward zero, NaN is 0, out of range saturates.
static LLVMValueRef float_to_int(emitter *e, dtype to, LLVMValueRef v) {
    LLVMTypeRef overload[] = {like_lanes(compute_type(e, dtype_scalar(to)), v), LLVMTypeOf(v)};
    return call_intrinsic(e, is_signed(to) ? "llvm.fptosi.sat" : "llvm.fptoui.sat", overload, 2, &v, 1);
}

static LLVMValueRef emit_cast(emitter *e, const expr *x) {
    dtype from = dtype_scalar(x->in[0]->type), to = dtype_scalar(x->type);
    LLVMValueRef v = emit_expr(e, x->in[0]);
    LLVMTypeRef lane_type = compute_type(e, to);
    if (!lane_type) return emit_refuse(e, (loc){0}, e->i64, "casts to this type have no code on %s", e->arch->name);
    if (dtype_equal(from, to)) return v;
    if (to.kind == DTYPE_BOOL && dtype_is_float(from))
        return LLVMBuildFCmp(e->b, LLVMRealUNE, v, LLVMConstNull(LLVMTypeOf(v)), "");
    if (to.kind == DTYPE_BOOL) return LLVMBuildICmp(e->b, LLVMIntNE, v, LLVMConstNull(LLVMTypeOf(v)), "");
    if (dtype_is_float(from)) return dtype_is_float(to) ? cast_float(e, from, to, v) : float_to_int(e, to, v);
    if (dtype_is_float(to)) return int_to_float(e, from, to, v);
    LLVMTypeRef t = like_lanes(lane_type, v);
    if (dtype_bits(to) < dtype_bits(from) && from.kind != DTYPE_BOOL) return LLVMBuildTrunc(e->b, v, t, "");
    return is_signed(from) ? LLVMBuildSExt(e->b, v, t, "") : LLVMBuildZExt(e->b, v, t, "");
}

// --- A choice of which only the chosen side is evaluated.

static LLVMValueRef second_side(emitter *e, const expr *x) { return emit_expr(e, x->in[2]); }

// One condition for all lanes: only the side it takes is computed, x's first operand or what `other` emits.
static LLVMValueRef choose_branch(emitter *e, const expr *x, LLVMValueRef c,
                                  LLVMValueRef (*other)(emitter *, const expr *)) {
    LLVMBasicBlockRef then = new_block(e, "then"), otherwise = new_block(e, "else"), done = new_block(e, "done");
    LLVMBuildCondBr(e->b, c, then, otherwise);
    LLVMPositionBuilderAtEnd(e->b, then);
    emit_forget(e);
    LLVMValueRef a = emit_expr(e, x->in[1]);
    LLVMBasicBlockRef then_end = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderAtEnd(e->b, otherwise);
    emit_forget(e);
    LLVMValueRef b = other(e, x);
    unsigned lanes = value_lanes(a) > value_lanes(b) ? value_lanes(a) : value_lanes(b);
    b = widen(e, b, lanes);
    LLVMBasicBlockRef otherwise_end = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, then_end);
    a = widen(e, a, lanes);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
    emit_forget(e);
    LLVMValueRef phi = LLVMBuildPhi(e->b, LLVMTypeOf(a), ""), in[] = {a, b};
    LLVMAddIncoming(phi, in, (LLVMBasicBlockRef[]){then_end, otherwise_end}, 2);
    return phi;
}

// One side of a choice per lane: evaluated under its mask where any lane wants it, else zeros.
static LLVMValueRef masked_side(emitter *e, const expr *side, LLVMValueRef wanted) {
    LLVMValueRef outer = e->mask;
    LLVMValueRef mask = outer ? LLVMBuildAnd(e->b, outer, wanted, "") : wanted;
    LLVMTypeRef t = LLVMTypeOf(mask);
    LLVMValueRef any = call_intrinsic(e, "llvm.vector.reduce.or", &t, 1, &mask, 1);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b), some = new_block(e, "some"), done = new_block(e, "done");
    LLVMBuildCondBr(e->b, any, some, done);
    LLVMPositionBuilderAtEnd(e->b, some);
    emit_forget(e);
    e->mask = mask;
    LLVMValueRef v = widen(e, emit_expr(e, side), e->lanes);
    e->mask = outer;
    LLVMBasicBlockRef end = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
    emit_forget(e);
    LLVMValueRef phi = LLVMBuildPhi(e->b, LLVMTypeOf(v), ""), in[] = {LLVMConstNull(LLVMTypeOf(v)), v};
    LLVMAddIncoming(phi, in, (LLVMBasicBlockRef[]){from, end}, 2);
    return phi;
}

// In a vectorized loop each side runs under its own mask: what a lane does not take is not read.
static LLVMValueRef choose_by_lane(emitter *e, const expr *x) {
    LLVMValueRef c = emit_expr(e, x->in[0]);
    LLVMValueRef a = masked_side(e, x->in[1], c);
    LLVMValueRef b = masked_side(e, x->in[2], LLVMBuildNot(e->b, c, ""));
    return pick(e, c, a, b);
}

// Where one lane tells that all take the first side, as they do inside of a padded image, no mask is made.
static LLVMValueRef emit_if_then_else(emitter *e, const expr *x) {
    int64_t stride;
    bool still = !e->lane || (lane_stride(e, x->in[0], &stride) && !stride);
    LLVMValueRef all = still ? NULL : emit_all_hold(e, x->in[0]);
    if (all) return choose_branch(e, x, all, choose_by_lane);
    LLVMValueRef c = emit_expr(e, x->in[0]);
    if (value_lanes(c) == 1) return choose_branch(e, x, c, second_side);
    return e->lane ? choose_by_lane(e, x) : pick(e, c, emit_expr(e, x->in[1]), emit_expr(e, x->in[2]));
}

// --- Calls.

static LLVMValueRef float_constant(emitter *e, dtype t, double value) {
    LLVMTypeRef lane_type = compute_type(e, dtype_scalar(t));
    return widen(e, LLVMConstReal(lane_type, dtype_round(dtype_scalar(t), value)), dtype_lanes(t));
}

// The argument-free functions: limits of a type.
static LLVMValueRef emit_limit(emitter *e, const expr *x) {
    dtype t = dtype_scalar(x->type);
    bool low = x->as.intrin->id == INTRIN_MIN_VALUE;
    if (!dtype_is_float(t)) {
        uint64_t bits = low ? (uint64_t)dtype_int_min(t) : dtype_int_max(t);
        return widen(e, LLVMConstInt(compute_type(e, t), bits, true), dtype_lanes(x->type));
    }
    if (x->as.intrin->id == INTRIN_INFINITY) return float_constant(e, x->type, dtype_round(t, __builtin_inf()));
    double most = t.kind == DTYPE_F64   ? 0x1.fffffffffffffp1023
                  : t.kind == DTYPE_F32 ? 0x1.fffffep127
                  : t.kind == DTYPE_F16 ? 65504.0
                  : is_f8(t)            ? f8_most(t)
                                        : 0x1.fep127;
    return float_constant(e, x->type, low ? -most : most);
}

static LLVMValueRef emit_shift(emitter *e, const expr *x, LLVMValueRef a, LLVMValueRef b) {
    if (x->as.intrin->id == INTRIN_SHIFT_LEFT) return LLVMBuildShl(e->b, a, b, "");
    return is_signed(x->type) ? LLVMBuildAShr(e->b, a, b, "") : LLVMBuildLShr(e->b, a, b, "");
}

static LLVMValueRef float_class(emitter *e, intrinsic_id id, LLVMValueRef v) {
    LLVMValueRef infinity =
        widen(e,
              LLVMConstReal(LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind ? LLVMGetElementType(LLVMTypeOf(v))
                                                                                 : LLVMTypeOf(v),
                            __builtin_inf()),
              value_lanes(v));
    if (id == INTRIN_ISNAN) return LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, "");
    return LLVMBuildFCmp(e->b, id == INTRIN_ISINF ? LLVMRealOEQ : LLVMRealONE, call_unary(e, "llvm.fabs", v), infinity,
                         "");
}

static LLVMValueRef integer_abs(emitter *e, LLVMValueRef v) {
    LLVMValueRef negative = LLVMBuildICmp(e->b, LLVMIntSLT, v, LLVMConstNull(LLVMTypeOf(v)), "");
    return LLVMBuildSelect(e->b, negative, LLVMBuildNeg(e->b, v, ""), v, "");
}

static LLVMValueRef count_zeros(emitter *e, const expr *x, LLVMValueRef v) {
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMValueRef arg[] = {v, LLVMConstInt(e->i1, 0, false)};
    LLVMValueRef n = call_intrinsic(e, "llvm.ctlz", &t, 1, arg, 2);
    return LLVMBuildIntCast2(e->b, n, like_lanes(compute_type(e, dtype_scalar(x->type)), n), false, "");
}

// Functions that are one LLVM intrinsic of the argument's type.
static const struct {
    intrinsic_id id;
    const char *llvm;
} direct[] = {
    {INTRIN_SQRT, "llvm.sqrt"},      {INTRIN_FABS, "llvm.fabs"},           {INTRIN_FLOOR, "llvm.floor"},
    {INTRIN_CEIL, "llvm.ceil"},      {INTRIN_TRUNC, "llvm.trunc"},         {INTRIN_ROUND, "llvm.roundeven"},
    {INTRIN_POPCOUNT, "llvm.ctpop"}, {INTRIN_NEARBYINT, "llvm.roundeven"},
};

static const char *direct_name(intrinsic_id id) {
    for (size_t i = 0; i < COUNT(direct); i++)
        if (direct[i].id == id) return direct[i].llvm;
    return NULL;
}

static LLVMValueRef emit_fma(emitter *e, LLVMValueRef *v) {
    LLVMTypeRef t = LLVMTypeOf(v[0]);
    return call_intrinsic(e, "llvm.fma", &t, 1, v, 3);
}

static LLVMValueRef reinterpret(emitter *e, const expr *x, LLVMValueRef v) {
    dtype from = dtype_scalar(x->in[0]->type), to = dtype_scalar(x->type);
    if (dtype_bits(from) != dtype_bits(to))
        return emit_refuse(e, (loc){0}, e->i64, "T.reinterpret between types of different size");
    LLVMValueRef bits = to_storage(e, from, v);
    return from_storage(e, to, LLVMBuildBitCast(e->b, bits, like_lanes(storage_type(e, to), bits), ""));
}

// The arguments as wide as the widest of them; returns the first. A sum comes before the dots that are added to it, so
// that a chain of them reads upwards.
static LLVMValueRef emit_arguments(emitter *e, const expr *x, LLVMValueRef *v) {
    unsigned lanes = 1;
    bool last_first = x->as.intrin->id == INTRIN_DP4A;
    for (uint32_t k = 0; k < x->count; k++) {
        uint32_t i = last_first ? x->count - 1 - k : k;
        v[i] = emit_expr(e, x->in[i]);
        if (value_lanes(v[i]) > lanes) lanes = value_lanes(v[i]);
    }
    for (uint32_t i = 0; i < x->count; i++) v[i] = widen(e, v[i], lanes);
    return v[0];
}

static LLVMValueRef emit_call(emitter *e, const expr *x) {
    const intrinsic *f = x->as.intrin;
    intrinsic_id id = (intrinsic_id)f->id;
    LLVMValueRef v[8] = {0};
    if (id == INTRIN_IF_THEN_ELSE) return emit_if_then_else(e, x);
    if (id == INTRIN_MAX_VALUE || id == INTRIN_MIN_VALUE || id == INTRIN_INFINITY) return emit_limit(e, x);
    if (!f->pure || !f->vectorisable || !x->count || x->count > COUNT(v))
        return emit_refuse(e, (loc){0}, e->i64, "T.%s has no code on %s", f->name, e->arch->name);
    if (id == INTRIN_LOOKUP_GRID) return emit_grid_lookup(e, x);
    LLVMValueRef halves = id == INTRIN_BITWISE_OR ? emit_halves(e, x) : NULL;
    if (halves) return halves;
    LLVMValueRef first = emit_arguments(e, x, v);
    if (direct_name(id)) return round_to(e, x->type, call_unary(e, direct_name(id), first));
    if (id == INTRIN_LIKELY) return first;
    if (id == INTRIN_BITWISE_AND) return LLVMBuildAnd(e->b, v[0], v[1], "");
    if (id == INTRIN_BITWISE_OR) return LLVMBuildOr(e->b, v[0], v[1], "");
    if (id == INTRIN_BITWISE_XOR) return LLVMBuildXor(e->b, v[0], v[1], "");
    if (id == INTRIN_BITWISE_NOT) return LLVMBuildNot(e->b, v[0], "");
    if (id == INTRIN_SHIFT_LEFT || id == INTRIN_SHIFT_RIGHT) return emit_shift(e, x, v[0], v[1]);
    if (id == INTRIN_ISNAN || id == INTRIN_ISINF || id == INTRIN_ISFINITE) return float_class(e, id, first);
    if (id == INTRIN_ABS) return dtype_is_float(x->type) ? call_unary(e, "llvm.fabs", first) : integer_abs(e, first);
    if (id == INTRIN_CLZ) return count_zeros(e, x, first);
    if (id == INTRIN_FMA && has_fma(e)) return round_to(e, x->type, emit_fma(e, v));
    if (id == INTRIN_REINTERPRET) return reinterpret(e, x, first);
    if (id == INTRIN_DP4A) return emit_dot(e, x, v);
    if (id == INTRIN_LOOKUP_BYTES) return emit_byte_lookup(e, x, first);
    LLVMValueRef made = emit_math(e, f, dtype_scalar(x->type), v);
    return made ? round_to(e, x->type, made)
                : emit_refuse(e, (loc){0}, LLVMTypeOf(first), "T.%s has no code on %s", f->name, e->arch->name);
}

// --- The rest.

static LLVMValueRef emit_var(emitter *e, const expr *x) {
    LLVMValueRef v = map_find(&e->var, MAP_KEY(x));
    if (!v) return emit_refuse(e, (loc){0}, compute_type(e, x->type), "variable %s has no value", x->as.var->name);
    if (e->lane || value_lanes(v) == 1) return v;
    // The value of lane 0: of the loop variable itself, or of what the block's variable stands for.
    const expr *meaning = map_find(&e->meaning, MAP_KEY(x));
    return meaning ? emit_expr(e, meaning) : LLVMBuildExtractElement(e->b, v, const_i64(e, 0), "");
}

// The variable is known as a value, and as what it stands for.
static LLVMValueRef emit_let(emitter *e, const expr *x) {
    map_put(&e->var, MAP_KEY(x->in[0]), emit_expr(e, x->in[1]));
    map_put(&e->meaning, MAP_KEY(x->in[0]), (void *)x->in[1]);
    return emit_expr(e, x->in[2]);
}

static LLVMValueRef emit_ramp(emitter *e, const expr *x) {
    unsigned lanes = dtype_lanes(x->type);
    LLVMTypeRef lane_type = compute_type(e, dtype_scalar(x->type));
    LLVMValueRef step[256];
    if (lanes > COUNT(step))
        return emit_refuse(e, (loc){0}, lane_type, "a vector of %s is too long", COUNTED(lanes, "lane"));
    for (unsigned i = 0; i < lanes; i++) step[i] = LLVMConstInt(lane_type, i, false);
    LLVMValueRef base = widen(e, emit_expr(e, x->in[0]), lanes), stride = widen(e, emit_expr(e, x->in[1]), lanes);
    return LLVMBuildAdd(e->b, base, LLVMBuildMul(e->b, LLVMConstVector(step, lanes), stride, ""), "");
}

static LLVMValueRef emit_select(emitter *e, const expr *x) {
    LLVMValueRef looked_up = emit_choice(e, x);
    if (looked_up) return looked_up;
    return pick(e, emit_expr(e, x->in[0]), emit_expr(e, x->in[1]), emit_expr(e, x->in[2]));
}

static LLVMValueRef emit_fresh(emitter *e, const expr *x) {
    switch ((expr_op)x->op) {
    case EXPR_INT: return LLVMConstInt(compute_type(e, x->type), (uint64_t)x->as.ival, true);
    case EXPR_FLOAT: return float_constant(e, x->type, x->as.fval);
    case EXPR_VAR: return emit_var(e, x);
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_FLOOR_DIV:
    case EXPR_FLOOR_MOD:
    case EXPR_TRUNC_DIV:
    case EXPR_TRUNC_MOD:
    case EXPR_MIN:
    case EXPR_MAX: return emit_binary(e, x);
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE: return emit_compare(e, x);
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT: return emit_logic(e, x);
    case EXPR_SELECT: return emit_select(e, x);
    case EXPR_CAST: return emit_cast(e, x);
    case EXPR_CALL: return emit_call(e, x);
    case EXPR_LOAD: return emit_load(e, x);
    case EXPR_RAMP: return emit_ramp(e, x);
    case EXPR_BROADCAST: return widen(e, emit_expr(e, x->in[0]), dtype_lanes(x->type));
    case EXPR_LET: return emit_let(e, x);
    case EXPR_STRING:
    case EXPR_CALL_FUNC:
    case EXPR_SHUFFLE:
    case EXPR_OPS: break;
    }
    if (x->op == EXPR_CALL_FUNC)
        return emit_refuse(
            e, (loc){0}, e->i64,
            "%s is called among other statements; a program that calls programs holds nothing but calls, "
            "maybe under conditions: inline it, or call it from a graph function",
            x->as.text);
    return emit_refuse(e, (loc){0}, e->i64, "%s has no code on %s", expr_op_name((expr_op)x->op), e->arch->name);
}

static void keep_value(emitter *e, const expr *x, cached *known, LLVMValueRef v) {
    if (!known) {
        known = ARENA_NEW(e->mem, cached, 1);
        map_put(&e->cache, MAP_KEY(x), known);
    }
    *known = (cached){v, e->epoch};
}

LLVMValueRef emit_expr(emitter *e, const expr *x) {
    bool keep = e->lane || !e->lanes; // addresses of lane 0 are computed apart
    cached *known = keep ? map_find(&e->cache, MAP_KEY(x)) : NULL;
    if (known && known->epoch == e->epoch) return known->value;
    LLVMValueRef v = emit_fresh(e, x);
    if (keep) keep_value(e, x, known, v);
    return v;
}
