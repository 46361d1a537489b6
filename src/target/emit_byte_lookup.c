// emit_byte_lookup.c - T.lookup_bytes: bytes looked up among 16, by the processor's byte shuffle where it has one.
#include "target/emit.h"
#include <string.h>

enum { ENTRIES = 16 };

// What is looked up among: constants. False: it is none.
static bool read_table(const expr *x, uint8_t out[ENTRIES]) {
    for (uint32_t i = 0; i < 4; i++) {
        int64_t word;
        if (!expr_const_int(x->in[1 + i], &word)) return false;
        for (unsigned k = 0; k < 4; k++) out[4 * i + k] = (uint8_t)(word >> 8 * k);
    }
    return true;
}

// LLVM's name for the shuffle of so many words; NULL: the target has none.
static const char *shuffle_of(const emitter *e, unsigned lanes) {
    if (strncmp(e->arch->triple, "aarch64", 7) == 0 && lanes == 4) return "llvm.aarch64.neon.tbl1";
    if (strncmp(e->arch->triple, "x86_64", 6) != 0) return NULL;
    if (lanes == 16 && e->arch->avx512) return "llvm.x86.avx512.pshuf.b.512";
    if (lanes == 8 && e->arch->vector_bytes >= 32) return "llvm.x86.avx2.pshuf.b";
    return lanes == 4 ? "llvm.x86.ssse3.pshuf.b.128" : NULL;
}

// The table once for each 16 bytes of a vector.
static LLVMValueRef repeated(const emitter *e, const uint8_t table[ENTRIES], unsigned bytes) {
    LLVMValueRef entry[64];
    for (unsigned i = 0; i < bytes; i++) entry[i] = LLVMConstInt(e->i8, table[i % ENTRIES], false);
    return LLVMConstVector(entry, bytes);
}

static LLVMValueRef by_shuffle(emitter *e, const char *name, const uint8_t table[ENTRIES], LLVMValueRef at) {
    unsigned bytes = 4 * value_lanes(at);
    LLVMTypeRef type = LLVMVectorType(e->i8, bytes);
    LLVMValueRef in[] = {repeated(e, table, bytes), LLVMBuildBitCast(e->b, at, type, "")};
    bool overloaded = strcmp(name, "llvm.aarch64.neon.tbl1") == 0;
    LLVMValueRef out = call_intrinsic(e, name, overloaded ? &type : NULL, overloaded, in, 2);
    return LLVMBuildBitCast(e->b, out, LLVMTypeOf(at), "");
}

// Four words at a time.
static LLVMValueRef by_quarters(emitter *e, const char *name, const uint8_t table[ENTRIES], LLVMValueRef at) {
    unsigned lanes = value_lanes(at);
    LLVMValueRef out = LLVMGetPoison(LLVMTypeOf(at)), index[4];
    for (unsigned first = 0; first < lanes; first += 4) {
        for (unsigned i = 0; i < 4; i++) index[i] = LLVMConstInt(e->i32, first + i, false);
        LLVMValueRef part =
            LLVMBuildShuffleVector(e->b, at, LLVMGetPoison(LLVMTypeOf(at)), LLVMConstVector(index, 4), "");
        part = by_shuffle(e, name, table, part);
        for (unsigned i = 0; i < 4; i++) {
            LLVMValueRef word = LLVMBuildExtractElement(e->b, part, LLVMConstInt(e->i32, i, false), "");
            out = LLVMBuildInsertElement(e->b, out, word, index[i], "");
        }
    }
    return out;
}

// Byte by byte, out of one of two words of 64 bits.
static LLVMValueRef by_shifts(emitter *e, const uint8_t table[ENTRIES], LLVMValueRef at) {
    uint64_t half[2] = {0};
    for (unsigned i = 0; i < ENTRIES; i++) half[i / 8] |= (uint64_t)table[i] << i % 8 * 8;
    LLVMTypeRef wide = like_lanes(e->i64, at);
    LLVMValueRef eight = splat_int(e->i64, 8, at), all = splat_int(e->i64, 0, at);
    LLVMValueRef words = LLVMBuildZExt(e->b, at, wide, "");
    for (unsigned i = 0; i < 4; i++) {
        LLVMValueRef byte = LLVMBuildLShr(e->b, words, splat_int(e->i64, 8 * i, at), "");
        LLVMValueRef high = LLVMBuildAnd(e->b, byte, eight, ""), zero = splat_int(e->i64, 0, at);
        LLVMValueRef word = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, high, zero, ""),
                                            splat_int(e->i64, half[0], at), splat_int(e->i64, half[1], at), "");
        LLVMValueRef low = LLVMBuildAnd(e->b, byte, splat_int(e->i64, 7, at), "");
        word = LLVMBuildLShr(e->b, word, LLVMBuildMul(e->b, low, eight, ""), "");
        word = LLVMBuildAnd(e->b, word, splat_int(e->i64, 255, at), "");
        all = LLVMBuildOr(e->b, all, LLVMBuildShl(e->b, word, splat_int(e->i64, 8 * i, at), ""), "");
    }
    return LLVMBuildTrunc(e->b, all, LLVMTypeOf(at), "");
}

// AVX512-VBMI's permute goes by six bits: the table is there four times, so that the words need no mask.
static LLVMValueRef by_permute(emitter *e, const uint8_t table[ENTRIES], const expr *words) {
    int64_t mask;
    bool masked = words->op == EXPR_CALL && words->as.intrin->id == INTRIN_BITWISE_AND &&
                  expr_const_int(words->in[1], &mask) && (mask & 0x0f0f0f0f) == 0x0f0f0f0f;
    LLVMValueRef at = emit_expr(e, masked ? words->in[0] : words);
    LLVMTypeRef bytes = LLVMVectorType(e->i8, 64);
    LLVMValueRef in[] = {repeated(e, table, 64), LLVMBuildBitCast(e->b, at, bytes, "")};
    return LLVMBuildBitCast(e->b, call_intrinsic(e, "llvm.x86.avx512.permvar.qi.512", NULL, 0, in, 2), LLVMTypeOf(at),
                            "");
}

LLVMValueRef emit_byte_lookup(emitter *e, const expr *x, LLVMValueRef words) {
    uint8_t table[ENTRIES];
    if (!read_table(x, table)) return emit_refuse(e, (loc){0}, e->i32, "T.lookup_bytes has code for constants only");
    unsigned lanes = value_lanes(words);
    if (e->arch->vbmi && lanes == 16) return by_permute(e, table, x->in[0]);
    LLVMValueRef at = LLVMBuildAnd(e->b, words, splat_int(e->i32, 0x0f0f0f0f, words), "");
    const char *whole = shuffle_of(e, lanes), *quarter = shuffle_of(e, 4);
    if (whole) return by_shuffle(e, whole, table, at);
    return quarter && lanes % 4 == 0 ? by_quarters(e, quarter, table, at) : by_shifts(e, table, at);
}
