// emit_angle.c - any angle as n quarter turns and a rest of at most half a quarter: x = n pi/2 + r, |r| <= pi/4.
//
// Ordinary angles take three steps of multiply-add (Cody and Waite). Larger ones need more of pi than a double holds:
// where a vector has one, its lanes go one by one through whole numbers (Payne and Hanek, "Radian reduction for
// trigonometric functions", 1983). Each lane keeps the result of its own size, so what lies beside it changes nothing.
#include "target/emit_math.h"
#include "target/emit_words.h"
#include <math.h>

// The three parts hold pi/2 to 2^-123, n is below 2^18: r is right to 2^-105, and doubles up to here come no nearer to
// a multiple of pi/2 than 2^-53.
static const double ordinary = 0x1p18;

// 64 zero bits, then 2/pi from the bit worth 1/2 down (tools/two_over_pi.py).
static const uint64_t two_over_pi[] = {
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
};

static LLVMValueRef word(const emitter *e, uint64_t v) { return LLVMConstInt(e->i64, v, false); }

static LLVMTypeRef wide_type(const emitter *e) { return LLVMIntTypeInContext(e->c, 128); }
static LLVMValueRef wide(emitter *e, LLVMValueRef v) { return LLVMBuildZExt(e->b, v, wide_type(e), ""); }
static LLVMValueRef upper_half(emitter *e, LLVMValueRef v) {
    return LLVMBuildLShr(e->b, v, LLVMConstInt(wide_type(e), 64, false), "");
}
static LLVMValueRef product(emitter *e, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildMul(e->b, wide(e, a), wide(e, b), "");
}

// 192 bits of the table from bit `skip` on, the first ones in out[0].
static void table_bits(emitter *e, LLVMValueRef skip, LLVMValueRef out[3]) {
    LLVMValueRef first = LLVMBuildLShr(e->b, skip, word(e, 6), ""), shift = LLVMBuildAnd(e->b, skip, word(e, 63), "");
    LLVMValueRef table = emit_constants(e, two_over_pi, COUNT(two_over_pi)), at[4];
    for (unsigned i = 0; i < 4; i++) {
        LLVMValueRef index = LLVMBuildAdd(e->b, first, word(e, i), "");
        at[i] = LLVMBuildLoad2(e->b, e->i64, LLVMBuildInBoundsGEP2(e->b, e->i64, table, &index, 1, ""), "");
    }
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef arg[] = {at[i], at[i + 1], shift};
        out[i] = call_intrinsic(e, "llvm.fshl", &e->i64, 1, arg, 3);
    }
}

// x 2/pi modulo 4, in units of 2^-126, for a double given by its bits, its sign left out.
//
// x = m 2^(field - 1075). Bits of 2/pi that make whole multiples of 4 of it are skipped; of the product's 192 bits the
// upper 128 are kept, which leaves out less than 2^-73 of any double's distance to the next quarter turn.
static LLVMValueRef turns_of(emitter *e, LLVMValueRef bits) {
    LLVMValueRef field = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, bits, word(e, 52), ""), word(e, 0x7ff), "");
    LLVMValueRef least = word(e, 1023 + 18), most = word(e, 2046); // smaller, infinite: the value is not used
    field = choose(e, LLVMBuildICmp(e->b, LLVMIntULT, field, least, ""), least, field);
    field = choose(e, LLVMBuildICmp(e->b, LLVMIntUGT, field, most, ""), most, field);
    LLVMValueRef m = LLVMBuildAnd(e->b, bits, word(e, (UINT64_C(1) << 52) - 1), ""), part[3];
    m = LLVMBuildOr(e->b, m, word(e, UINT64_C(1) << 52), "");
    table_bits(e, LLVMBuildSub(e->b, field, word(e, 1075 + 2 - 64), ""), part);
    LLVMValueRef high = LLVMBuildShl(e->b, product(e, m, part[0]), LLVMConstInt(wide_type(e), 64, false), "");
    LLVMValueRef sum = LLVMBuildAdd(e->b, high, product(e, m, part[1]), "");
    return LLVMBuildAdd(e->b, sum, upper_half(e, product(e, m, part[2])), "");
}

// A fraction of a quarter turn, in units of 2^-126 and not negative, as an angle. By its first 64 bits, and as many of
// pi/2: f = high 2^(64 - zeros).
static LLVMValueRef angle_of(emitter *e, LLVMValueRef f) {
    LLVMTypeRef type = wide_type(e);
    LLVMValueRef arg[] = {f, LLVMConstInt(e->i1, 0, false)};
    LLVMValueRef zeros = call_intrinsic(e, "llvm.ctlz", &type, 1, arg, 2);
    LLVMValueRef high = LLVMBuildTrunc(e->b, upper_half(e, LLVMBuildShl(e->b, f, zeros, "")), e->i64, "");
    LLVMValueRef scaled = upper_half(e, product(e, high, word(e, 0xc90fdaa22168c235))); // pi/2 in units of 2^-63
    LLVMValueRef field = LLVMBuildSub(e->b, word(e, 1023 - 61), LLVMBuildTrunc(e->b, zeros, e->i64, ""), "");
    LLVMValueRef unit = LLVMBuildBitCast(e->b, LLVMBuildShl(e->b, field, word(e, 52), ""), e->f64, "");
    return mul(e, LLVMBuildUIToFP(e->b, LLVMBuildTrunc(e->b, scaled, e->i64, ""), e->f64, ""), unit);
}

// One large angle.
static turned reduce_large(emitter *e, LLVMValueRef x) {
    LLVMValueRef bits = LLVMBuildBitCast(e->b, x, e->i64, ""), sum = turns_of(e, bits);
    LLVMValueRef below = LLVMBuildICmp(e->b, LLVMIntSLT, bits, word(e, 0), "");
    const uint64_t half_bits[] = {0, UINT64_C(1) << 61}; // 2^125: half a quarter turn
    LLVMValueRef half = LLVMConstIntOfArbitraryPrecision(wide_type(e), 2, half_bits);
    LLVMValueRef up = LLVMBuildAdd(e->b, sum, half, ""), shift = LLVMConstInt(wide_type(e), 126, false);
    LLVMValueRef whole = LLVMBuildLShr(e->b, up, shift, "");
    LLVMValueRef rest = LLVMBuildSub(e->b, sum, LLVMBuildShl(e->b, whole, shift, ""), "");
    LLVMValueRef short_of = LLVMBuildICmp(e->b, LLVMIntSLT, rest, LLVMConstNull(wide_type(e)), "");
    LLVMValueRef r = angle_of(e, choose(e, short_of, LLVMBuildNeg(e->b, rest, ""), rest));
    LLVMValueRef n = LLVMBuildTrunc(e->b, whole, e->i64, "");
    return (turned){.turns = choose(e, below, LLVMBuildNeg(e->b, n, ""), n),
                    .rest = choose(e, LLVMBuildXor(e->b, below, short_of, ""), negative(e, r), r)};
}

static LLVMValueRef with_lane(emitter *e, LLVMValueRef all, LLVMValueRef one, LLVMValueRef lane) {
    return value_lanes(all) > 1 ? LLVMBuildInsertElement(e->b, all, one, lane, "") : one;
}

// The lanes of x one after the other, in a loop: the steps are many, and seldom taken.
static turned reduce_lanes(emitter *e, LLVMValueRef x) {
    unsigned lanes = value_lanes(x);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b), body = new_block(e, "large_angle"),
                      after = new_block(e, "large_angles");
    LLVMValueRef zero = LLVMConstInt(e->i32, 0, false);
    turned none = {.turns = integer(e, x, 0), .rest = number(e, x, 0.0)};
    LLVMBuildBr(e->b, body);
    LLVMPositionBuilderAtEnd(e->b, body);
    LLVMValueRef lane = LLVMBuildPhi(e->b, e->i32, "");
    turned old = {.turns = LLVMBuildPhi(e->b, LLVMTypeOf(none.turns), ""),
                  .rest = LLVMBuildPhi(e->b, LLVMTypeOf(none.rest), "")};
    turned one = reduce_large(e, lanes > 1 ? LLVMBuildExtractElement(e->b, x, lane, "") : x);
    turned now = {.turns = with_lane(e, old.turns, one.turns, lane), .rest = with_lane(e, old.rest, one.rest, lane)};
    LLVMValueRef next = LLVMBuildAdd(e->b, lane, LLVMConstInt(e->i32, 1, false), "");
    LLVMValueRef more = LLVMBuildICmp(e->b, LLVMIntULT, next, LLVMConstInt(e->i32, lanes, false), "");
    LLVMBuildCondBr(e->b, more, body, after);
    LLVMBasicBlockRef from[] = {before, LLVMGetInsertBlock(e->b)};
    LLVMAddIncoming(lane, (LLVMValueRef[]){zero, next}, from, 2);
    LLVMAddIncoming(old.turns, (LLVMValueRef[]){none.turns, now.turns}, from, 2);
    LLVMAddIncoming(old.rest, (LLVMValueRef[]){none.rest, now.rest}, from, 2);
    LLVMPositionBuilderAtEnd(e->b, after);
    return now;
}

static turned reduce_ordinary(emitter *e, LLVMValueRef x) {
    LLVMValueRef k = call_unary(e, "llvm.roundeven", mul(e, x, number(e, x, 0x1.45f306dc9c883p-1)));
    LLVMValueRef part = fma3(e, k, number(e, x, -0x1.921fb54400000p0), x);
    part = fma3(e, k, number(e, x, -0x1.0b4611a600000p-34), part);
    LLVMValueRef magic = number(e, x, 0x1.8p52);
    return (turned){.turns = LLVMBuildSub(e->b, as_int(e, add(e, k, magic)), as_int(e, magic), ""),
                    .rest = fma3(e, k, number(e, x, -0x1.3198a2e037073p-69), part)};
}

static LLVMValueRef any(emitter *e, LLVMValueRef lanes) {
    LLVMTypeRef type = LLVMTypeOf(lanes);
    return value_lanes(lanes) > 1 ? call_intrinsic(e, "llvm.vector.reduce.or", &type, 1, &lanes, 1) : lanes;
}

// NaN, and what an infinity gives, goes the long way too.
turned emit_angle(emitter *e, LLVMValueRef x) {
    turned small = reduce_ordinary(e, x);
    LLVMValueRef far = LLVMBuildFCmp(e->b, LLVMRealUGT, size_of(e, x), number(e, x, ordinary), "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b), slow = new_block(e, "large"), after = new_block(e, "angle");
    LLVMBuildCondBr(e->b, any(e, far), slow, after);
    LLVMPositionBuilderAtEnd(e->b, slow);
    turned large = reduce_lanes(e, x);
    LLVMValueRef finite = less(e, size_of(e, x), number(e, x, (double)INFINITY));
    large.rest = choose(e, far, choose(e, finite, large.rest, number(e, x, (double)NAN)), small.rest);
    large.turns = choose(e, far, large.turns, small.turns);
    LLVMBasicBlockRef from[] = {before, LLVMGetInsertBlock(e->b)};
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, after);
    turned both = {.turns = LLVMBuildPhi(e->b, LLVMTypeOf(small.turns), ""),
                   .rest = LLVMBuildPhi(e->b, LLVMTypeOf(small.rest), "")};
    LLVMAddIncoming(both.turns, (LLVMValueRef[]){small.turns, large.turns}, from, 2);
    LLVMAddIncoming(both.rest, (LLVMValueRef[]){small.rest, large.rest}, from, 2);
    return both;
}
