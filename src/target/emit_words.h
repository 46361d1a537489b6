// emit_words.h - the vocabulary of emit_math.c and emit_math_double.c: arithmetic on floats or doubles, one value or
// one per lane. Constants take the type and lanes of a value beside them. All arguments of a call have the same lanes.
#ifndef TARGET_EMIT_WORDS_H
#define TARGET_EMIT_WORDS_H
#include "target/emit.h"

// float or double: the type of one lane.
static inline LLVMTypeRef lane_of(LLVMValueRef v) {
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
}
static inline bool is_double(const emitter *e, LLVMValueRef v) { return lane_of(v) == e->f64; }

static inline LLVMValueRef number(emitter *e, LLVMValueRef like, double v) {
    return widen(e, LLVMConstReal(lane_of(like), v), value_lanes(like));
}
// An integer as wide as the float `like`, and the bits of floats as such integers and back.
static inline LLVMTypeRef bits_type(const emitter *e, LLVMValueRef like) {
    return is_double(e, like) ? e->i64 : e->i32;
}
static inline LLVMValueRef integer(emitter *e, LLVMValueRef like, int64_t v) {
    return widen(e, LLVMConstInt(bits_type(e, like), (uint64_t)v, true), value_lanes(like));
}
static inline LLVMValueRef as_int(emitter *e, LLVMValueRef v) {
    return LLVMBuildBitCast(e->b, v, like_lanes(bits_type(e, v), v), "");
}
static inline LLVMValueRef as_float(emitter *e, LLVMValueRef like, LLVMValueRef bits) {
    return LLVMBuildBitCast(e->b, bits, LLVMTypeOf(like), "");
}

static inline LLVMValueRef mul(emitter *e, LLVMValueRef a, LLVMValueRef b) { return LLVMBuildFMul(e->b, a, b, ""); }
static inline LLVMValueRef add(emitter *e, LLVMValueRef a, LLVMValueRef b) { return LLVMBuildFAdd(e->b, a, b, ""); }
static inline LLVMValueRef sub(emitter *e, LLVMValueRef a, LLVMValueRef b) { return LLVMBuildFSub(e->b, a, b, ""); }
static inline LLVMValueRef quotient(emitter *e, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFDiv(e->b, a, b, "");
}
static inline LLVMValueRef negative(emitter *e, LLVMValueRef a) { return LLVMBuildFNeg(e->b, a, ""); }
static inline LLVMValueRef less(emitter *e, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFCmp(e->b, LLVMRealOLT, a, b, "");
}
static inline LLVMValueRef equal(emitter *e, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFCmp(e->b, LLVMRealOEQ, a, b, "");
}
static inline LLVMValueRef choose(emitter *e, LLVMValueRef c, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(e->b, c, a, b, "");
}
static inline LLVMValueRef size_of(emitter *e, LLVMValueRef x) { return call_unary(e, "llvm.fabs", x); }
static inline LLVMValueRef root(emitter *e, LLVMValueRef x) { return call_unary(e, "llvm.sqrt", x); }

static inline LLVMValueRef with_sign(emitter *e, LLVMValueRef size, LLVMValueRef sign) {
    LLVMTypeRef t = LLVMTypeOf(size);
    LLVMValueRef arg[] = {size, sign};
    return call_intrinsic(e, "llvm.copysign", &t, 1, arg, 2);
}

// a * b + c, rounded once where the processor can. Elsewhere it rounds twice: a fused step would be a call of libm,
// which kernels can't make.
static inline LLVMValueRef fma3(emitter *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    LLVMTypeRef t = LLVMTypeOf(a);
    LLVMValueRef arg[] = {a, b, c};
    return call_intrinsic(e, has_fma(e) ? "llvm.fma" : "llvm.fmuladd", &t, 1, arg, 3);
}

// x, but not below low; NaN stays NaN.
static inline LLVMValueRef at_least(emitter *e, LLVMValueRef x, double low) {
    return choose(e, less(e, x, number(e, x, low)), number(e, x, low), x);
}

// x limited to [low, high]; NaN stays NaN.
static inline LLVMValueRef limit(emitter *e, LLVMValueRef x, double low, double high) {
    x = at_least(e, x, low);
    return choose(e, less(e, number(e, x, high), x), number(e, x, high), x);
}

// coefficient[0] + x * (coefficient[1] + x * (…))
static inline LLVMValueRef horner(emitter *e, LLVMValueRef x, const double *coefficient, unsigned count) {
    LLVMValueRef sum = number(e, x, coefficient[count - 1]);
    for (unsigned i = count - 1; i-- > 0;) sum = fma3(e, sum, x, number(e, x, coefficient[i]));
    return sum;
}

// x * 2^n in two exact steps, so that the result may be a denormal or infinite: |n| <= 252 for floats, 2044 for
// doubles.
static inline LLVMValueRef scale(emitter *e, LLVMValueRef x, LLVMValueRef n) {
    LLVMValueRef half = LLVMBuildAShr(e->b, n, integer(e, x, 1), ""), rest = LLVMBuildSub(e->b, n, half, "");
    LLVMValueRef bias = integer(e, x, is_double(e, x) ? 1023 : 127),
                 mantissa = integer(e, x, is_double(e, x) ? 52 : 23);
    LLVMValueRef a = as_float(e, x, LLVMBuildShl(e->b, LLVMBuildAdd(e->b, half, bias, ""), mantissa, ""));
    LLVMValueRef b = as_float(e, x, LLVMBuildShl(e->b, LLVMBuildAdd(e->b, rest, bias, ""), mantissa, ""));
    return mul(e, mul(e, x, a), b);
}

// emit_scale.c: the same, given n both as floats and as integers. At once, by an instruction, n may be any number: 2^n
// is infinite or 0 then, also where x is NaN and n infinite.
bool scales_at_once(const emitter *e, LLVMValueRef x);
LLVMValueRef emit_scale(emitter *e, LLVMValueRef x, LLVMValueRef n, LLVMValueRef whole);
#endif
