// emit_fmod.c - the remainder of doubles, exact for all of them.
//
// A finite double is m * 2^(e - 1075) with integers m < 2^53 and e from 1 on. For |x| >= |y| the remainder is
// (mx * 2^(ex - ey) mod my) * 2^(ey - 1075): the power is multiplied in by steps that keep the product in 64 bits.
#include "target/emit_math.h"
#include "target/emit_words.h"
#include <math.h>

enum { STEP_BITS = 11, MANTISSA = 52, BIAS = 1075 };

typedef struct parts {
    LLVMValueRef mantissa, exponent; // exponent: as in the bits, but 1 for subnormal numbers
} parts;

static LLVMValueRef word(emitter *e, LLVMValueRef like, uint64_t v) { return splat_int(e->i64, v, like); }

// Of a number that is not negative.
static parts take_apart(emitter *e, LLVMValueRef size) {
    LLVMValueRef bits = as_int(e, size), zero = word(e, size, 0);
    LLVMValueRef field = LLVMBuildLShr(e->b, bits, word(e, size, MANTISSA), "");
    LLVMValueRef small = LLVMBuildICmp(e->b, LLVMIntEQ, field, zero, "");
    LLVMValueRef low = LLVMBuildAnd(e->b, bits, word(e, size, (UINT64_C(1) << MANTISSA) - 1), "");
    LLVMValueRef implied = LLVMBuildSelect(e->b, small, zero, word(e, size, UINT64_C(1) << MANTISSA), "");
    return (parts){.mantissa = LLVMBuildOr(e->b, low, implied, ""),
                   .exponent = LLVMBuildSelect(e->b, small, word(e, size, 1), field, "")};
}

// 2^n for n from -1022 to 1023.
static LLVMValueRef power_of_two(emitter *e, LLVMValueRef like, LLVMValueRef n) {
    LLVMValueRef field = LLVMBuildAdd(e->b, n, word(e, like, 1023), "");
    return as_float(e, like, LLVMBuildShl(e->b, field, word(e, like, MANTISSA), ""));
}

// m * 2^(exponent - 1075), by two factors: one alone may be no normal number. Nothing is rounded.
static LLVMValueRef put_together(emitter *e, LLVMValueRef like, LLVMValueRef m, LLVMValueRef exponent) {
    LLVMValueRef n = LLVMBuildSub(e->b, exponent, word(e, like, BIAS), "");
    LLVMValueRef half = LLVMBuildAShr(e->b, n, word(e, like, 1), "");
    LLVMValueRef value = LLVMBuildUIToFP(e->b, m, LLVMTypeOf(like), "");
    value = mul(e, value, power_of_two(e, like, half));
    return mul(e, value, power_of_two(e, like, LLVMBuildSub(e->b, n, half, "")));
}

// Is a step left in any lane?
static LLVMValueRef any_left(emitter *e, LLVMValueRef left) {
    LLVMTypeRef type = LLVMTypeOf(left);
    if (value_lanes(left) > 1) left = call_intrinsic(e, "llvm.vector.reduce.smax", &type, 1, &left, 1);
    return LLVMBuildICmp(e->b, LLVMIntSGT, left, LLVMConstInt(e->i64, 0, false), "");
}

// m * 2^left mod by. Lanes that are done multiply by 1.
static LLVMValueRef shifted_remainder(emitter *e, LLVMValueRef m, LLVMValueRef left, LLVMValueRef by) {
    LLVMValueRef start = LLVMBuildURem(e->b, m, by, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b), body = new_block(e, "fmod"), after = new_block(e, "after");
    LLVMBuildCondBr(e->b, any_left(e, left), body, after);
    LLVMPositionBuilderAtEnd(e->b, body);
    LLVMValueRef rest = LLVMBuildPhi(e->b, LLVMTypeOf(m), ""), steps = LLVMBuildPhi(e->b, LLVMTypeOf(m), "");
    LLVMValueRef most = word(e, m, STEP_BITS), zero = word(e, m, 0);
    LLVMValueRef shift = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntSLT, steps, most, ""), steps, most, "");
    shift = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntSGT, shift, zero, ""), shift, zero, "");
    LLVMValueRef next = LLVMBuildURem(e->b, LLVMBuildShl(e->b, rest, shift, ""), by, "");
    LLVMValueRef fewer = LLVMBuildSub(e->b, steps, shift, "");
    LLVMBuildCondBr(e->b, any_left(e, fewer), body, after);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(e->b);
    LLVMAddIncoming(rest, (LLVMValueRef[]){start, next}, (LLVMBasicBlockRef[]){before, end}, 2);
    LLVMAddIncoming(steps, (LLVMValueRef[]){left, fewer}, (LLVMBasicBlockRef[]){before, end}, 2);
    LLVMPositionBuilderAtEnd(e->b, after);
    LLVMValueRef out = LLVMBuildPhi(e->b, LLVMTypeOf(m), "");
    LLVMAddIncoming(out, (LLVMValueRef[]){start, next}, (LLVMBasicBlockRef[]){before, end}, 2);
    return out;
}

// NaN for a NaN, an infinite x and y of 0; x itself where it is smaller, also for an infinite y.
LLVMValueRef math_fmod_double(emitter *e, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef size = size_of(e, x), by = size_of(e, y), zero = number(e, x, 0.0), one = number(e, x, 1.0);
    LLVMValueRef endless = equal(e, size, number(e, x, (double)INFINITY));
    LLVMValueRef none = LLVMBuildOr(e->b, LLVMBuildFCmp(e->b, LLVMRealUNO, x, y, ""),
                                    LLVMBuildOr(e->b, endless, equal(e, by, zero), ""), "");
    LLVMValueRef kept = LLVMBuildOr(e->b, none, less(e, size, by), "");
    parts a = take_apart(e, choose(e, kept, one, size)), b = take_apart(e, choose(e, kept, one, by));
    LLVMValueRef left = LLVMBuildSub(e->b, a.exponent, b.exponent, "");
    LLVMValueRef rest = put_together(e, x, shifted_remainder(e, a.mantissa, left, b.mantissa), b.exponent);
    LLVMValueRef value = choose(e, none, number(e, x, (double)NAN), choose(e, kept, size, rest));
    return with_sign(e, value, x);
}
