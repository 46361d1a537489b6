// emit_f8.c - eight-bit floats: looked up on the way into registers, where they are float; rounded by integer
// arithmetic on the way out.
//
// What a format does at its ends (infinities or none, one NaN or many, no negative zero) is asked of tensor/convert.c
// value by value, so that the two agree.
#include "target/emit.h"
#include <math.h>
#include <string.h>

bool is_f8(dtype t) { return dtype_is_float(t) && dtype_bits(t) == 8; }

enum { CODES = 256, F32_MANTISSA = 23, F32_BIAS = 127 };

static uint32_t float_bits(dtype t, uint32_t code) {
    float value = (float)dtype_decode_float(t, code);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// All values of the format as bits of floats.
static LLVMValueRef values_of(emitter *e, dtype t) {
    uint64_t value[CODES];
    for (uint32_t i = 0; i < CODES; i++) value[i] = float_bits(t, i);
    return emit_constants(e, value, CODES);
}

static LLVMValueRef look_up(emitter *e, LLVMValueRef table, LLVMValueRef code) {
    LLVMValueRef word = emit_lookup(e, table, LLVMBuildZExt(e->b, code, e->i64, ""));
    return LLVMBuildTrunc(e->b, word, e->i32, "");
}

LLVMValueRef f8_float(emitter *e, dtype t, LLVMValueRef v) {
    LLVMTypeRef it = like_lanes(e->i32, v);
    LLVMValueRef table = values_of(e, t), bits = LLVMGetPoison(it);
    unsigned lanes = value_lanes(v);
    for (unsigned i = 0; i < lanes && lanes > 1; i++) {
        LLVMValueRef at = const_i64(e, i);
        bits = LLVMBuildInsertElement(e->b, bits, look_up(e, table, LLVMBuildExtractElement(e->b, v, at, "")), at, "");
    }
    if (lanes == 1) bits = look_up(e, table, v);
    return LLVMBuildBitCast(e->b, bits, like_lanes(e->f32, v), "");
}

// What rounding needs to know of a format with a sign, found by asking.
typedef struct f8_format {
    uint32_t mantissa, bias;
    uint32_t max, beyond, nan; // codes: the largest finite number, what lies behind it, NaN
    bool one_zero;             // the code of -0 is NaN's, which has no sign
} f8_format;

static f8_format format_of(dtype t) {
    f8_format f = {.beyond = (uint32_t)dtype_encode_float(t, 1e30), .nan = (uint32_t)dtype_encode_float(t, NAN)};
    uint32_t one = (uint32_t)dtype_encode_float(t, 1.0); // its exponent is the bias, its mantissa zero
    while (dtype_decode_float(t, one + (1u << f.mantissa)) != 2.0) f.mantissa++;
    f.bias = one >> f.mantissa;
    for (uint32_t i = 0; i < CODES / 2; i++)
        if (isfinite(dtype_decode_float(t, i))) f.max = i;
    f.one_zero = isnan(dtype_decode_float(t, CODES / 2));
    return f;
}

// The bits `a` of a float that is not negative, to nearest even. Below the normal range a sum lets the float unit round
// at the right bit; above it the mantissa is rounded by an integer addition.
static LLVMValueRef magnitude_code(emitter *e, const f8_format *f, LLVMValueRef a) {
    LLVMTypeRef it = LLVMTypeOf(a), ft = like_lanes(e->f32, a);
    uint32_t shift = F32_MANTISSA - f->mantissa, least = (F32_BIAS + 1 - f->bias) << F32_MANTISSA;
    LLVMValueRef magic = splat_int(e->i32, least + (shift << F32_MANTISSA), a); // its last bit is the least number
    LLVMValueRef sum =
        LLVMBuildFAdd(e->b, LLVMBuildBitCast(e->b, a, ft, ""), LLVMBuildBitCast(e->b, magic, ft, ""), "");
    LLVMValueRef small = LLVMBuildSub(e->b, LLVMBuildBitCast(e->b, sum, it, ""), magic, "");
    LLVMValueRef odd =
        LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, a, splat_int(e->i32, shift, a), ""), splat_int(e->i32, 1, a), "");
    uint32_t bias = ((f->bias - F32_BIAS) << F32_MANTISSA) + (1u << (shift - 1)) - 1;
    LLVMValueRef moved = LLVMBuildAdd(e->b, LLVMBuildAdd(e->b, a, splat_int(e->i32, bias, a), ""), odd, "");
    LLVMValueRef large = LLVMBuildLShr(e->b, moved, splat_int(e->i32, shift, a), "");
    LLVMValueRef is_small = LLVMBuildICmp(e->b, LLVMIntULT, a, splat_int(e->i32, least, a), "");
    LLVMValueRef code = LLVMBuildSelect(e->b, is_small, small, large, "");
    LLVMValueRef too_large = LLVMBuildICmp(e->b, LLVMIntUGT, code, splat_int(e->i32, f->max, a), "");
    return LLVMBuildSelect(e->b, too_large, splat_int(e->i32, f->beyond, a), code, "");
}

// Powers of two without a sign; ties go up, what is not positive is NaN.
static LLVMValueRef e8m0_code(emitter *e, LLVMValueRef v) {
    LLVMValueRef u = LLVMBuildBitCast(e->b, v, like_lanes(e->i32, v), ""), half = splat_int(e->i32, 1u << 22, v);
    LLVMValueRef code = LLVMBuildLShr(e->b, LLVMBuildAdd(e->b, u, half, ""), splat_int(e->i32, F32_MANTISSA, v), "");
    LLVMValueRef denormal = LLVMBuildICmp(e->b, LLVMIntULT, u, splat_int(e->i32, 1u << F32_MANTISSA, v), "");
    LLVMValueRef least = LLVMBuildICmp(e->b, LLVMIntUGE, u, splat_int(e->i32, 3u << 21, v), "");
    code = LLVMBuildSelect(e->b, denormal, LLVMBuildZExt(e->b, least, LLVMTypeOf(u), ""), code, "");
    LLVMValueRef positive = LLVMBuildFCmp(e->b, LLVMRealOGT, v, LLVMConstNull(LLVMTypeOf(v)), "");
    return LLVMBuildSelect(e->b, positive, code, splat_int(e->i32, 255, v), "");
}

LLVMValueRef f8_code(emitter *e, dtype t, LLVMValueRef v) {
    LLVMTypeRef byte = like_lanes(e->i8, v);
    if (t.kind == DTYPE_F8_E8M0FNU) return LLVMBuildTrunc(e->b, e8m0_code(e, v), byte, "");
    f8_format f = format_of(t);
    LLVMValueRef u = LLVMBuildBitCast(e->b, v, like_lanes(e->i32, v), "");
    LLVMValueRef a = LLVMBuildAnd(e->b, u, splat_int(e->i32, 0x7FFFFFFF, v), "");
    LLVMValueRef sign = LLVMBuildLShr(e->b, LLVMBuildXor(e->b, u, a, ""), splat_int(e->i32, 24, v), "");
    LLVMValueRef code = magnitude_code(e, &f, a);
    LLVMValueRef is_nan = LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, "");
    code = LLVMBuildSelect(e->b, is_nan, splat_int(e->i32, f.nan, v), code, "");
    if (f.one_zero) {
        LLVMValueRef zero = LLVMBuildICmp(e->b, LLVMIntEQ, code, splat_int(e->i32, 0, v), "");
        LLVMValueRef nan = LLVMBuildICmp(e->b, LLVMIntEQ, code, splat_int(e->i32, f.nan, v), "");
        sign = LLVMBuildSelect(e->b, LLVMBuildOr(e->b, zero, nan, ""), splat_int(e->i32, 0, v), sign, "");
    }
    return LLVMBuildTrunc(e->b, LLVMBuildOr(e->b, code, sign, ""), byte, "");
}

double f8_most(dtype t) { return dtype_decode_float(t, t.kind == DTYPE_F8_E8M0FNU ? 254 : format_of(t).max); }
