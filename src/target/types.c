// types.c - LLVM types of our dtypes, and the conversions between memory and registers.
#include "target/emit.h"
#include <string.h>

LLVMValueRef const_i64(const emitter *e, int64_t value) { return LLVMConstInt(e->i64, (uint64_t)value, true); }

unsigned value_lanes(LLVMValueRef v) {
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

static LLVMTypeRef with_lanes(LLVMTypeRef lane_type, unsigned lanes) {
    return lanes > 1 ? LLVMVectorType(lane_type, lanes) : lane_type;
}

LLVMTypeRef like_lanes(LLVMTypeRef lane_type, LLVMValueRef v) { return with_lanes(lane_type, value_lanes(v)); }

// NULL: less than a byte.
static LLVMTypeRef storage_scalar(const emitter *e, dtype t) {
    switch (t.kind) {
    case DTYPE_BOOL: return e->i8;
    case DTYPE_F16:
        return e->arch->f16c || e->arch->avx512fp16 ? LLVMHalfTypeInContext(e->c) : LLVMInt16TypeInContext(e->c);
    case DTYPE_BF16: return LLVMInt16TypeInContext(e->c);
    case DTYPE_F32: return e->f32;
    case DTYPE_F64: return e->f64;
    default: break;
    }
    if (is_f8(t)) return e->i8;
    return dtype_is_int(t) && dtype_bits(t) >= 8 ? LLVMIntTypeInContext(e->c, dtype_bits(t)) : NULL;
}

LLVMTypeRef storage_type(const emitter *e, dtype t) {
    LLVMTypeRef lane_type = storage_scalar(e, t);
    return lane_type ? with_lanes(lane_type, dtype_lanes(t)) : NULL;
}

LLVMTypeRef compute_type(const emitter *e, dtype t) {
    LLVMTypeRef lane_type = t.kind == DTYPE_BOOL                                      ? e->i1
                            : t.kind == DTYPE_F16 || t.kind == DTYPE_BF16 || is_f8(t) ? e->f32
                            : t.kind == DTYPE_HANDLE                                  ? e->ptr
                            : is_packed(dtype_scalar(t)) ? LLVMIntTypeInContext(e->c, dtype_bits(t))
                                                         : storage_scalar(e, t);
    return lane_type ? with_lanes(lane_type, dtype_lanes(t)) : NULL;
}

LLVMValueRef widen(emitter *e, LLVMValueRef v, unsigned lanes) {
    if (value_lanes(v) == lanes) return v;
    LLVMTypeRef t = LLVMVectorType(LLVMTypeOf(v), lanes);
    LLVMValueRef one = LLVMBuildInsertElement(e->b, LLVMGetPoison(t), v, const_i64(e, 0), "");
    return LLVMBuildShuffleVector(e->b, one, LLVMGetPoison(t), LLVMConstNull(LLVMVectorType(e->i32, lanes)), "");
}

LLVMValueRef splat_int(LLVMTypeRef lane_type, uint64_t value, LLVMValueRef like) {
    LLVMValueRef c = LLVMConstInt(lane_type, value, false), lane[256];
    unsigned lanes = value_lanes(like);
    if (lanes == 1) return c;
    for (unsigned i = 0; i < lanes; i++) lane[i] = c;
    return LLVMConstVector(lane, lanes);
}

// Float bits to bfloat16 bits, to nearest even; NaN stays NaN. The result is in the low half of the i32.
static LLVMValueRef bf16_bits(emitter *e, LLVMValueRef v) {
    LLVMValueRef u = LLVMBuildBitCast(e->b, v, like_lanes(e->i32, v), "");
    LLVMValueRef sixteen = splat_int(e->i32, 16, v);
    LLVMValueRef odd = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, u, sixteen, ""), splat_int(e->i32, 1, v), "");
    LLVMValueRef bias = LLVMBuildAdd(e->b, odd, splat_int(e->i32, 0x7FFF, v), "");
    LLVMValueRef rounded = LLVMBuildLShr(e->b, LLVMBuildAdd(e->b, u, bias, ""), sixteen, "");
    LLVMValueRef quiet = LLVMBuildOr(e->b, LLVMBuildLShr(e->b, u, sixteen, ""), splat_int(e->i32, 0x40, v), "");
    return LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, LLVMRealUNO, v, v, ""), quiet, rounded, "");
}

static LLVMValueRef bf16_float(emitter *e, LLVMValueRef bits32) {
    LLVMValueRef up = LLVMBuildShl(e->b, bits32, splat_int(e->i32, 16, bits32), "");
    return LLVMBuildBitCast(e->b, up, like_lanes(e->f32, bits32), "");
}

// float16 bits (in an i32) to float without a conversion instruction: normal numbers and infinities by moving the
// exponent, denormals by one exact multiplication, NaN keeps its payload.
static LLVMValueRef f16_float(emitter *e, LLVMValueRef h) {
    LLVMValueRef sign =
        LLVMBuildShl(e->b, LLVMBuildAnd(e->b, h, splat_int(e->i32, 0x8000, h), ""), splat_int(e->i32, 16, h), "");
    LLVMValueRef rest = LLVMBuildAnd(e->b, h, splat_int(e->i32, 0x7FFF, h), "");
    LLVMValueRef moved = LLVMBuildShl(e->b, rest, splat_int(e->i32, 13, h), "");
    LLVMTypeRef ft = like_lanes(e->f32, h);
    LLVMValueRef scale = splat_int(e->i32, 0x77800000, h); // 2^112: undoes the difference of the biases
    LLVMValueRef scaled =
        LLVMBuildFMul(e->b, LLVMBuildBitCast(e->b, moved, ft, ""), LLVMBuildBitCast(e->b, scale, ft, ""), "");
    LLVMValueRef special = LLVMBuildICmp(e->b, LLVMIntUGE, rest, splat_int(e->i32, 0x7C00, h), "");
    LLVMValueRef full = LLVMBuildOr(e->b, moved, splat_int(e->i32, 0x7F800000, h), "");
    LLVMValueRef bits =
        LLVMBuildSelect(e->b, special, full, LLVMBuildBitCast(e->b, scaled, like_lanes(e->i32, h), ""), "");
    return LLVMBuildBitCast(e->b, LLVMBuildOr(e->b, bits, sign, ""), ft, "");
}

// float to float16 bits (in an i32), to nearest even, without a conversion instruction. Below the normal range the sum
// with 0.5 lets the float unit round at the right bit; above it the mantissa is rounded by an integer addition.
static LLVMValueRef f16_bits(emitter *e, LLVMValueRef v) {
    LLVMTypeRef it = like_lanes(e->i32, v), ft = LLVMTypeOf(v);
    LLVMValueRef u = LLVMBuildBitCast(e->b, v, it, "");
    LLVMValueRef sign =
        LLVMBuildLShr(e->b, LLVMBuildAnd(e->b, u, splat_int(e->i32, 0x80000000U, v), ""), splat_int(e->i32, 16, v), "");
    LLVMValueRef a = LLVMBuildAnd(e->b, u, splat_int(e->i32, 0x7FFFFFFF, v), "");
    LLVMValueRef half = splat_int(e->i32, 0x3F000000, v);
    LLVMValueRef sum = LLVMBuildFAdd(e->b, LLVMBuildBitCast(e->b, a, ft, ""), LLVMBuildBitCast(e->b, half, ft, ""), "");
    LLVMValueRef small = LLVMBuildSub(e->b, LLVMBuildBitCast(e->b, sum, it, ""), half, "");
    LLVMValueRef odd =
        LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, a, splat_int(e->i32, 13, v), ""), splat_int(e->i32, 1, v), "");
    LLVMValueRef bias = splat_int(e->i32, 0xC8000FFFU, v); // (15 - 127) << 23 and half of the last bit kept, less one
    LLVMValueRef large =
        LLVMBuildLShr(e->b, LLVMBuildAdd(e->b, LLVMBuildAdd(e->b, a, bias, ""), odd, ""), splat_int(e->i32, 13, v), "");
    LLVMValueRef is_small = LLVMBuildICmp(e->b, LLVMIntULT, a, splat_int(e->i32, 0x38800000, v), "");
    LLVMValueRef finite = LLVMBuildSelect(e->b, is_small, small, large, "");
    LLVMValueRef too_large = LLVMBuildICmp(e->b, LLVMIntUGE, a, splat_int(e->i32, 0x477FF000, v), "");
    LLVMValueRef capped = LLVMBuildSelect(e->b, too_large, splat_int(e->i32, 0x7C00, v), finite, "");
    LLVMValueRef is_nan = LLVMBuildICmp(e->b, LLVMIntUGT, a, splat_int(e->i32, 0x7F800000, v), "");
    return LLVMBuildOr(e->b, LLVMBuildSelect(e->b, is_nan, splat_int(e->i32, 0x7E00, v), capped, ""), sign, "");
}

static bool has_half(const emitter *e) { return storage_scalar(e, DTYPE_OF(F16)) == LLVMHalfTypeInContext(e->c); }

LLVMValueRef from_storage(emitter *e, dtype t, LLVMValueRef v) {
    if (t.kind == DTYPE_BOOL) return LLVMBuildICmp(e->b, LLVMIntNE, v, LLVMConstNull(LLVMTypeOf(v)), "");
    if (is_f8(t)) return f8_float(e, t, v);
    if (t.kind == DTYPE_BF16) return bf16_float(e, LLVMBuildZExt(e->b, v, like_lanes(e->i32, v), ""));
    if (t.kind == DTYPE_F16 && has_half(e)) return LLVMBuildFPExt(e->b, v, like_lanes(e->f32, v), "");
    if (t.kind == DTYPE_F16) return f16_float(e, LLVMBuildZExt(e->b, v, like_lanes(e->i32, v), ""));
    return v;
}

LLVMValueRef to_storage(emitter *e, dtype t, LLVMValueRef v) {
    LLVMTypeRef i16 = like_lanes(LLVMInt16TypeInContext(e->c), v);
    if (t.kind == DTYPE_BOOL) return LLVMBuildZExt(e->b, v, like_lanes(e->i8, v), "");
    if (is_f8(t)) return f8_code(e, t, v);
    if (t.kind == DTYPE_BF16) return LLVMBuildTrunc(e->b, bf16_bits(e, v), i16, "");
    if (t.kind == DTYPE_F16 && has_half(e))
        return LLVMBuildFPTrunc(e->b, v, like_lanes(LLVMHalfTypeInContext(e->c), v), "");
    if (t.kind == DTYPE_F16) return LLVMBuildTrunc(e->b, f16_bits(e, v), i16, "");
    return v;
}

LLVMValueRef round_to(emitter *e, dtype t, LLVMValueRef v) {
    if (t.kind == DTYPE_BF16) return bf16_float(e, bf16_bits(e, v));
    if (t.kind == DTYPE_F16 || is_f8(t)) return from_storage(e, t, to_storage(e, t, v));
    return v;
}

bool has_fma(const emitter *e) { return e->arch->fma || strncmp(e->arch->triple, "x86_64", 6) != 0; }

LLVMValueRef call_intrinsic(emitter *e, const char *name, LLVMTypeRef *overload, unsigned overloads, LLVMValueRef *arg,
                            unsigned args) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    CHECK(id);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(e->module, id, overload, overloads);
    return LLVMBuildCall2(e->b, LLVMIntrinsicGetType(e->c, id, overload, overloads), f, arg, args, "");
}

LLVMValueRef call_unary(emitter *e, const char *name, LLVMValueRef x) {
    LLVMTypeRef t = LLVMTypeOf(x);
    return call_intrinsic(e, name, &t, 1, &x, 1);
}
