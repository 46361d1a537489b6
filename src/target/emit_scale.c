// emit_scale.c - x * 2^n: by an instruction where there is one, else in two exact steps. The same bits either way.
#include "target/emit_words.h"

// So many floats go through one instruction.
enum { AT_ONCE = 16 };

static LLVMValueRef lanes_from(emitter *e, LLVMValueRef v, unsigned first) {
    LLVMValueRef index[AT_ONCE];
    for (unsigned i = 0; i < AT_ONCE; i++) index[i] = LLVMConstInt(e->i32, first + i, false);
    return LLVMBuildShuffleVector(e->b, v, LLVMGetUndef(LLVMTypeOf(v)), LLVMConstVector(index, AT_ONCE), "");
}

static LLVMValueRef joined(emitter *e, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef index[256];
    unsigned count = 2 * value_lanes(a);
    for (unsigned i = 0; i < count; i++) index[i] = LLVMConstInt(e->i32, i, false);
    return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(index, count), "");
}

// AVX-512's vscalefps.
static LLVMValueRef by_instruction(emitter *e, LLVMValueRef x, LLVMValueRef n) {
    static const char name[] = "llvm.x86.avx512.mask.scalef.ps.512";
    LLVMValueRef all = LLVMConstAllOnes(LLVMInt16TypeInContext(e->c)), rounding = LLVMConstInt(e->i32, 4, false);
    LLVMValueRef arg[] = {x, n, LLVMConstNull(LLVMTypeOf(x)), all, rounding};
    return call_intrinsic(e, name, NULL, 0, arg, 5);
}

static LLVMValueRef by_halves(emitter *e, LLVMValueRef x, LLVMValueRef n, unsigned first, unsigned count) {
    if (count == AT_ONCE)
        return by_instruction(e, first || value_lanes(x) > AT_ONCE ? lanes_from(e, x, first) : x,
                              first || value_lanes(x) > AT_ONCE ? lanes_from(e, n, first) : n);
    return joined(e, by_halves(e, x, n, first, count / 2), by_halves(e, x, n, first + count / 2, count / 2));
}

bool scales_at_once(const emitter *e, LLVMValueRef x) {
    unsigned lanes = value_lanes(x);
    bool fits = lanes >= AT_ONCE && lanes <= 256 && (lanes & (lanes - 1)) == 0;
    return e->arch->avx512 && fits && !is_double(e, x);
}

LLVMValueRef emit_scale(emitter *e, LLVMValueRef x, LLVMValueRef n, LLVMValueRef whole) {
    if (!scales_at_once(e, x)) return scale(e, x, whole);
    unsigned lanes = value_lanes(x);
    return by_halves(e, x, n, 0, lanes);
}
