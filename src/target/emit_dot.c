// emit_dot.c - T.dp4a on words: four products of bytes added to each lane, by the processor's instruction where it has
// one, else by multiply-adds of 16-bit pairs or plain arithmetic.
#include "target/emit.h"
#include <string.h>

static bool is_word(dtype t) { return dtype_bits(t) == 32 && dtype_is_int(t); }

static bool is_signed(dtype t) { return dtype_family_of(t) == FAMILY_INT; }

static bool is_x86(const emitter *e) { return strncmp(e->arch->triple, "x86_64", 6) == 0; }

static const uint32_t top_bits = 0x80808080, lowest_bits = 0x01010101;

// Bits of words that may be set, by the masks and shifts they come out of.
static uint32_t possible_bits(const expr *x) {
    int64_t n;
    if (expr_const_int(x, &n)) return (uint32_t)n;
    if (x->op == EXPR_CALL && x->as.intrin->id == INTRIN_LOOKUP_BYTES) {
        uint32_t any = 0;
        for (uint32_t i = 1; i < x->count; i++) any |= possible_bits(x->in[i]);
        any |= any >> 16;
        return ((any | any >> 8) & 255) * 0x01010101u;
    }
    if (x->op != EXPR_CALL || x->count != 2) return UINT32_MAX;
    uint32_t a = possible_bits(x->in[0]);
    bool by = expr_const_int(x->in[1], &n) && n >= 0 && n < 32 && x->type.kind == DTYPE_U32;
    switch (x->as.intrin->id) {
    case INTRIN_BITWISE_AND: return a & possible_bits(x->in[1]);
    case INTRIN_BITWISE_OR: return a | possible_bits(x->in[1]);
    case INTRIN_SHIFT_LEFT: return by ? a << n : UINT32_MAX;
    case INTRIN_SHIFT_RIGHT: return by ? a >> n : UINT32_MAX;
    default: return UINT32_MAX;
    }
}

static LLVMTypeRef vector_of(LLVMTypeRef t, unsigned lanes) { return LLVMVectorType(t, lanes); }

// LLVM's name for the instruction on so many words; NULL: the target has none.
static const char *dot_instruction(const emitter *e, unsigned lanes) {
    if (!e->arch->vnni || !is_x86(e)) return NULL;
    if (lanes == 16 && e->arch->avx512) return "llvm.x86.avx512.vpdpbusd.512";
    return lanes == 8 ? "llvm.x86.avx512.vpdpbusd.256" : lanes == 4 ? "llvm.x86.avx512.vpdpbusd.128" : NULL;
}

// --- AArch64: sdot and udot of the dotprod feature, usdot of i8mm, on 128 bits; SVE's on its whole registers.

enum { NEON_WORDS = 4 };

// Words start .. start + 3 of a vector.
static LLVMValueRef quarter(emitter *e, LLVMValueRef v, unsigned start) {
    LLVMValueRef index[NEON_WORDS];
    for (unsigned i = 0; i < NEON_WORDS; i++) index[i] = LLVMConstInt(e->i32, start + i, false);
    LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(v));
    return LLVMBuildShuffleVector(e->b, v, none, LLVMConstVector(index, NEON_WORDS), "");
}

static LLVMValueRef neon_dot(emitter *e, const char *name, LLVMValueRef sum, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef bytes = vector_of(e->i8, 4 * NEON_WORDS), overload[] = {vector_of(e->i32, NEON_WORDS), bytes};
    LLVMValueRef in[] = {sum, LLVMBuildBitCast(e->b, a, bytes, ""), LLVMBuildBitCast(e->b, b, bytes, "")};
    return call_intrinsic(e, name, overload, 2, in, 3);
}

// All of a register of SVE at once: the words are put into one that is as long or longer.
static LLVMValueRef sve_dot(emitter *e, const char *name, const LLVMValueRef v[3]) {
    LLVMTypeRef words = LLVMScalableVectorType(e->i32, NEON_WORDS), fixed = LLVMTypeOf(v[0]);
    LLVMTypeRef bytes = LLVMScalableVectorType(e->i8, 4 * NEON_WORDS), overload[] = {words, fixed};
    LLVMValueRef in[3], zero = LLVMConstInt(e->i64, 0, false);
    for (int i = 0; i < 3; i++) {
        in[i] =
            call_intrinsic(e, "llvm.vector.insert", overload, 2, (LLVMValueRef[]){LLVMGetPoison(words), v[i], zero}, 3);
        if (i) in[i] = LLVMBuildBitCast(e->b, in[i], bytes, "");
    }
    LLVMValueRef sum = call_intrinsic(e, name, &words, 1, in, 3);
    return call_intrinsic(e, "llvm.vector.extract", (LLVMTypeRef[]){fixed, words}, 2, (LLVMValueRef[]){sum, zero}, 2);
}

// sum + a dot b, a and b of the signedness that the instruction `kind` has.
static LLVMValueRef arm_dot(emitter *e, const char *kind, LLVMValueRef sum, LLVMValueRef a, LLVMValueRef b) {
    unsigned lanes = value_lanes(sum);
    if (4 * lanes == e->arch->sve_bytes)
        return sve_dot(e, arena_format(e->mem, "llvm.aarch64.sve.%s", kind), (LLVMValueRef[]){sum, a, b});
    const char *name = arena_format(e->mem, "llvm.aarch64.neon.%s", kind);
    LLVMValueRef part[64], out = LLVMGetPoison(LLVMTypeOf(sum));
    for (unsigned i = 0; i < lanes; i += NEON_WORDS)
        part[i / NEON_WORDS] = neon_dot(e, name, quarter(e, sum, i), quarter(e, a, i), quarter(e, b, i));
    if (lanes == NEON_WORDS) return part[0];
    for (unsigned i = 0; i < lanes; i++) {
        LLVMValueRef from = LLVMConstInt(e->i32, i % NEON_WORDS, false), to = LLVMConstInt(e->i32, i, false);
        LLVMValueRef word = LLVMBuildExtractElement(e->b, part[i / NEON_WORDS], from, "");
        out = LLVMBuildInsertElement(e->b, out, word, to, "");
    }
    return out;
}

// Bytes without sign times bytes with: u * s = (u - 128) * s + 64 * s + 64 * s, and u - 128 is u with its top bit
// turned, read with sign.
static LLVMValueRef arm_dot_by_signs(emitter *e, LLVMValueRef sum, LLVMValueRef without, LLVMValueRef with) {
    unsigned lanes = value_lanes(sum);
    LLVMValueRef top = widen(e, LLVMConstInt(e->i32, 0x80808080, false), lanes);
    LLVMValueRef sixty_four = widen(e, LLVMConstInt(e->i32, 0x40404040, false), lanes);
    sum = arm_dot(e, "sdot", sum, LLVMBuildXor(e->b, without, top, ""), with);
    for (int i = 0; i < 2; i++) sum = arm_dot(e, "sdot", sum, sixty_four, with);
    return sum;
}

static bool has_arm_dot(const emitter *e, unsigned lanes) {
    return e->arch->dotprod && lanes % NEON_WORDS == 0 && lanes <= 64;
}

// Words without sign whose bytes have these bits at most: below 128 they may have one; an even number is twice its
// half.
static LLVMValueRef arm_dot_of_bits(emitter *e, uint32_t bits, LLVMValueRef sum, LLVMValueRef without,
                                    LLVMValueRef with) {
    if (!(bits & top_bits)) return arm_dot(e, "sdot", sum, without, with);
    if (bits & lowest_bits) return arm_dot_by_signs(e, sum, without, with);
    LLVMValueRef one = widen(e, LLVMConstInt(e->i32, 1, false), value_lanes(sum));
    LLVMValueRef half = LLVMBuildLShr(e->b, without, one, "");
    return arm_dot(e, "sdot", arm_dot(e, "sdot", sum, half, with), half, with);
}

static LLVMValueRef by_arm(emitter *e, const expr *x, LLVMValueRef *v) {
    bool a = is_signed(x->in[0]->type), b = is_signed(x->in[1]->type);
    if (a == b) return arm_dot(e, a ? "sdot" : "udot", v[2], v[0], v[1]);
    if (e->arch->i8mm) return arm_dot(e, "usdot", v[2], v[a], v[!a]);
    return arm_dot_of_bits(e, possible_bits(x->in[a]), v[2], v[a], v[!a]);
}

// --- x86-64 without such an instruction, and any processor.

// Products of bytes without sign and bytes with, added two by two: exact, unless sums are more than 15 bits.
static const char *byte_instruction(const emitter *e, unsigned lanes) {
    if (!is_x86(e)) return NULL;
    if (lanes == 16 && e->arch->avx512) return "llvm.x86.avx512.pmaddubs.w.512";
    if (lanes == 8 && e->arch->vector_bytes >= 32) return "llvm.x86.avx2.pmadd.ub.sw";
    return lanes == 4 ? "llvm.x86.ssse3.pmadd.ub.sw.128" : NULL;
}

// By how much the words can be moved down so that their bytes are below 128; 8: by nothing.
static unsigned low_of_seven(uint32_t bits) {
    uint32_t any = (bits | bits >> 8 | bits >> 16 | bits >> 24) & 255;
    unsigned low = any ? (unsigned)__builtin_ctz(any) : 0;
    return any >> low < 128 ? low : 8;
}

// Bytes below 128, moved down by `low` bits: sums of two by two, then of these.
static LLVMValueRef by_seven_bits(emitter *e, const char *pairs, unsigned low, LLVMValueRef sum, LLVMValueRef without,
                                  LLVMValueRef with) {
    unsigned lanes = value_lanes(sum);
    LLVMTypeRef bytes = vector_of(e->i8, 4 * lanes);
    if (low) without = LLVMBuildLShr(e->b, without, widen(e, LLVMConstInt(e->i32, low, false), lanes), "");
    LLVMValueRef in[] = {LLVMBuildBitCast(e->b, without, bytes, ""), LLVMBuildBitCast(e->b, with, bytes, "")};
    LLVMValueRef two = call_intrinsic(e, byte_instruction(e, lanes), NULL, 0, in, 2);
    LLVMValueRef up = widen(e, LLVMConstInt(LLVMInt16TypeInContext(e->c), 1u << low, false), 2 * lanes);
    return LLVMBuildAdd(e->b, sum, call_intrinsic(e, pairs, NULL, 0, (LLVMValueRef[]){two, up}, 2), "");
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
    e->has_dots = true;
    if (has_arm_dot(e, lanes)) return by_arm(e, x, v);
    const char *dot = is_signed(a) != is_signed(b) ? dot_instruction(e, lanes) : NULL;
    const char *pairs = pair_instruction(e, lanes);
    if (!dot && is_signed(a) != is_signed(b) && byte_instruction(e, lanes)) {
        unsigned low = low_of_seven(possible_bits(x->in[is_signed(a)]));
        if (low < 8) return by_seven_bits(e, pairs, low, v[2], v[is_signed(a)], v[!is_signed(a)]);
    }
    if (!dot) return pairs ? by_pairs(e, x, pairs, v) : by_bytes(e, x, v);
    LLVMTypeRef bytes = vector_of(e->i8, 4 * lanes);
    LLVMValueRef without = LLVMBuildBitCast(e->b, v[is_signed(a)], bytes, "");
    LLVMValueRef with = LLVMBuildBitCast(e->b, v[!is_signed(a)], bytes, "");
    return call_intrinsic(e, dot, NULL, 0, (LLVMValueRef[]){v[2], without, with}, 3);
}
