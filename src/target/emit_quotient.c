// emit_quotient.c - a vector divided by one number: its reciprocal, and a step that gets the last bit right.
//
// A vector division takes ten cycles, these six steps four. With r = 1 / d rounded, q = x r is off by one unit at most,
// and q + (x - q d) r is the quotient rounded (Markstein). Divisors near the ends of the range are moved inwards first,
// by a power of two that x is moved by as well; infinities, zeros and NaN leave q as it is.
#include "target/emit_words.h"

static LLVMValueRef inwards(emitter *e, LLVMValueRef d) {
    LLVMValueRef size = size_of(e, d), one = number(e, d, 1.0);
    LLVMValueRef small = less(e, size, number(e, d, 0x1p-100)), large = less(e, number(e, d, 0x1p100), size);
    return choose(e, small, number(e, d, 0x1p64), choose(e, large, number(e, d, 0x1p-64), one));
}

LLVMValueRef emit_quotient(emitter *e, LLVMValueRef x, LLVMValueRef d) {
    unsigned lanes = value_lanes(x);
    LLVMValueRef factor = inwards(e, d), moved = mul(e, d, factor);
    LLVMValueRef r = widen(e, quotient(e, number(e, d, 1.0), moved), lanes);
    x = mul(e, x, widen(e, factor, lanes));
    LLVMValueRef q = mul(e, x, r), error = fma3(e, negative(e, q), widen(e, moved, lanes), x);
    LLVMValueRef told = LLVMBuildFCmp(e->b, LLVMRealORD, error, error, "");
    return choose(e, told, fma3(e, error, r, q), q);
}
