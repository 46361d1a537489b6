// emit_dot.c - T.dp4a on words: four products of bytes added to each lane, by the processor's instruction where it has
// one, else by multiply-adds of 16-bit pairs or plain arithmetic.
#include "target/emit.h"
#include <string.h>

static bool is_word(dtype t) { return dtype_bits(t) == 32 && dtype_is_int(t); }

static bool is_signed(dtype t) { return dtype_family_of(t) == FAMILY_INT; }

static bool is_x86(const emitter *e) { return strncmp(e->arch->triple, "x86_64", 6) == 0; }

static LLVMTypeRef vector_of(LLVMTypeRef t, unsigned lanes) { return LLVMVectorType(t, lanes); }

// LLVM's name for the instruction on so many words; NULL: the target has none.
static const char *dot_instruction(const emitter *e, unsigned lanes) {
    if (!e->arch->vnni || !is_x86(e)) return NULL;
    if (lanes == 16 && e->arch->avx512) return "llvm.x86.avx512.vpdpbusd.512";
    return lanes == 8 ? "llvm.x86.avx512.vpdpbusd.256" : lanes == 4 ? "llvm.x86.avx512.vpdpbusd.128" : NULL;
}

static const char *pair_instruction(const emitter *e, unsigned lanes) {
    if (!is_x86(e)) return NULL;
    if (lanes == 16 && e->arch->avx512) return "llvm.x86.avx512.pmaddw.d.512";
    if (lanes == 8 && e->arch->vector_bytes >= 32) return "llvm.x86.avx2.pmadd.wd";
    return lanes == 4 ? "llvm.x86.sse2.pmadd.wd" : NULL;
}

// The even (odd) bytes of words as 16-bit numbers, twice as many.
static LLVMValueRef half_bytes(emitter *e, dtype t, LLVMValueRef v, bool odd) {
    LLVMTypeRef pairs = vector_of(LLVMInt16TypeInContext(e->c), 2 * value_lanes(v));
    LLVMValueRef p = LLVMBuildBitCast(e->b, v, pairs, "");
    LLVMValueRef eight = widen(e, LLVMConstInt(LLVMInt16TypeInContext(e->c), 8, false), 2 * value_lanes(v));
    if (!odd) p = LLVMBuildShl(e->b, p, eight, "");
    return is_signed(t) ? LLVMBuildAShr(e->b, p, eight, "") : LLVMBuildLShr(e->b, p, eight, "");
}

static LLVMValueRef by_pairs(emitter *e, const expr *x, const char *name, LLVMValueRef *v) {
    LLVMValueRef sum = v[2];
    for (int odd = 0; odd < 2; odd++) {
        LLVMValueRef half[] = {half_bytes(e, x->in[0]->type, v[0], odd), half_bytes(e, x->in[1]->type, v[1], odd)};
        sum = LLVMBuildAdd(e->b, sum, call_intrinsic(e, name, NULL, 0, half, 2), "");
    }
    return sum;
}

// Byte i of each word as a 32-bit number.
static LLVMValueRef byte_of(emitter *e, dtype t, LLVMValueRef v, unsigned i) {
    LLVMValueRef left = widen(e, LLVMConstInt(e->i32, 24 - 8 * i, false), value_lanes(v));
    LLVMValueRef right = widen(e, LLVMConstInt(e->i32, 24, false), value_lanes(v));
    LLVMValueRef top = LLVMBuildShl(e->b, v, left, "");
    return is_signed(t) ? LLVMBuildAShr(e->b, top, right, "") : LLVMBuildLShr(e->b, top, right, "");
}

static LLVMValueRef by_bytes(emitter *e, const expr *x, LLVMValueRef *v) {
    LLVMValueRef sum = v[2];
    for (unsigned i = 0; i < 4; i++) {
        LLVMValueRef a = byte_of(e, x->in[0]->type, v[0], i), b = byte_of(e, x->in[1]->type, v[1], i);
        sum = LLVMBuildAdd(e->b, sum, LLVMBuildMul(e->b, a, b, ""), "");
    }
    return sum;
}

LLVMValueRef emit_dot(emitter *e, const expr *x, LLVMValueRef *v) {
    dtype a = x->in[0]->type, b = x->in[1]->type;
    if (!is_word(a) || !is_word(b) || x->count != 3 || !is_word(x->in[2]->type))
        return emit_refuse(e, (loc){0}, e->i32, "T.dp4a has code for words of 32 bits only");
    unsigned lanes = value_lanes(v[0]);
    const char *dot = is_signed(a) != is_signed(b) ? dot_instruction(e, lanes) : NULL;
    const char *pairs = pair_instruction(e, lanes);
    if (!dot) return pairs ? by_pairs(e, x, pairs, v) : by_bytes(e, x, v);
    LLVMTypeRef bytes = vector_of(e->i8, 4 * lanes);
    LLVMValueRef without = LLVMBuildBitCast(e->b, v[is_signed(a)], bytes, "");
    LLVMValueRef with = LLVMBuildBitCast(e->b, v[!is_signed(a)], bytes, "");
    return call_intrinsic(e, dot, NULL, 0, (LLVMValueRef[]){v[2], without, with}, 3);
}
