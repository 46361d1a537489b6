// emit_math_double.c - mathematical functions in double precision: for float64, and, rounded once, for the functions
// that emit_math.c has no float form of.
//
// Every step is an explicit fma or a single rounding. Series are Taylor's or minimax fits (tools/fit_math_double.py);
// docs/numerics.md states ranges and errors.
#include "target/emit_math.h"
#include "target/emit_words.h"
#include <math.h>

// --- Exponentials.

static const double ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45; // high has 11 spare bits

// 2^(n + r / ln 2) for whole n (as a double of at most 2^31) and |r| <= ln(2)/2.
static LLVMValueRef exp_parts(emitter *e, LLVMValueRef n, LLVMValueRef r) {
    static const double p[] = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,
                               1.0 / 720,     1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
                               1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    LLVMValueRef value = add(e, fma3(e, horner(e, r, p, COUNT(p)), mul(e, r, r), r), number(e, r, 1.0));
    LLVMValueRef magic = number(e, n, 0x1.8p52);
    return scale(e, value, LLVMBuildSub(e->b, as_int(e, add(e, n, magic)), as_int(e, magic), ""));
}

LLVMValueRef math_exp(emitter *e, LLVMValueRef x) {
    x = limit(e, x, -746.0, 710.0);
    LLVMValueRef n = call_unary(e, "llvm.roundeven", mul(e, x, number(e, x, 0x1.71547652b82fep0)));
    LLVMValueRef r = fma3(e, n, number(e, x, -ln2_low), fma3(e, n, number(e, x, -ln2_high), x));
    return exp_parts(e, n, r);
}

LLVMValueRef math_exp2(emitter *e, LLVMValueRef x) {
    x = limit(e, x, -1076.0, 1025.0);
    LLVMValueRef n = call_unary(e, "llvm.roundeven", x);
    return exp_parts(e, n, mul(e, sub(e, x, n), number(e, x, 0x1.62e42fefa39efp-1)));
}

// 10^x: x = n log10(2) + f, 10^f = e^(f ln 10).
LLVMValueRef math_exp10(emitter *e, LLVMValueRef x) {
    x = limit(e, x, -324.0, 309.0);
    LLVMValueRef n = call_unary(e, "llvm.roundeven", mul(e, x, number(e, x, 0x1.a934f0979a371p1)));
    LLVMValueRef f =
        fma3(e, n, number(e, x, 0x1.9dc1da994fd21p-59), fma3(e, n, number(e, x, -0x1.34413509f79ffp-2), x));
    return exp_parts(e, n, mul(e, f, number(e, x, 0x1.26bb1bbb55516p1)));
}

// --- Logarithms: x = 2^n m with sqrt(1/2) <= m < sqrt(2); log m = 2 atanh(s), s = (m - 1) / (m + 1).

// log m in *tail, n in *whole; special values are left to log_special.
static void log_parts(emitter *e, LLVMValueRef x, LLVMValueRef *whole, LLVMValueRef *log_m) {
    static const double p[] = {0x1.5555555555555p-1, 0x1.9999999999998p-2, 0x1.24924924929b3p-2,
                               0x1.c71c71c63f7e4p-3, 0x1.745d17dab81fbp-3, 0x1.3b1378f276767p-3,
                               0x1.111d886e523efp-3, 0x1.deaded80aecd1p-4, 0x1.e748753dcdfb1p-4};
    LLVMValueRef small = less(e, x, number(e, x, 0x1p-1022));
    LLVMValueRef normal = choose(e, small, mul(e, x, number(e, x, 0x1p52)), x);
    LLVMValueRef offset = as_int(e, number(e, x, 0x1.6a09e667f3bcdp-1));
    LLVMValueRef bits = LLVMBuildSub(e->b, as_int(e, normal), offset, "");
    LLVMValueRef n = LLVMBuildAShr(e->b, bits, integer(e, x, 52), "");
    LLVMValueRef low = LLVMBuildAnd(e->b, bits, integer(e, x, 0xFFFFFFFFFFFFF), "");
    LLVMValueRef f = sub(e, as_float(e, x, LLVMBuildAdd(e->b, low, offset, "")), number(e, x, 1.0));
    n = LLVMBuildSub(e->b, n, choose(e, small, integer(e, x, 52), integer(e, x, 0)), "");
    *whole = LLVMBuildSIToFP(e->b, n, like_lanes(e->f64, x), "");
    LLVMValueRef s = quotient(e, f, add(e, f, number(e, x, 2.0))), z = mul(e, s, s);
    // 2 s = f - s f exactly enough: log m = f - s (f - z p(z)).
    LLVMValueRef inner = fma3(e, negative(e, z), horner(e, z, p, COUNT(p)), f);
    *log_m = fma3(e, negative(e, s), inner, f);
}

static LLVMValueRef log_special(emitter *e, LLVMValueRef x, LLVMValueRef value) {
    LLVMValueRef infinite = LLVMBuildFCmp(e->b, LLVMRealUEQ, x, number(e, x, (double)INFINITY), ""); // or NaN
    value = choose(e, infinite, x, value);
    value = choose(e, less(e, x, number(e, x, 0.0)), number(e, x, (double)NAN), value);
    return choose(e, equal(e, x, number(e, x, 0.0)), number(e, x, -(double)INFINITY), value);
}

LLVMValueRef math_log(emitter *e, LLVMValueRef x) {
    LLVMValueRef n, m;
    log_parts(e, x, &n, &m);
    LLVMValueRef value = fma3(e, n, number(e, x, ln2_high), fma3(e, n, number(e, x, ln2_low), m));
    return log_special(e, x, value);
}

static LLVMValueRef log_base(emitter *e, LLVMValueRef x, double per_two, double per_e) {
    LLVMValueRef n, m;
    log_parts(e, x, &n, &m);
    return log_special(e, x, fma3(e, n, number(e, x, per_two), mul(e, m, number(e, x, per_e))));
}

LLVMValueRef math_log2(emitter *e, LLVMValueRef x) { return log_base(e, x, 1.0, 0x1.71547652b82fep0); }
LLVMValueRef math_log10(emitter *e, LLVMValueRef x) {
    return log_base(e, x, 0x1.34413509f79ffp-2, 0x1.bcb7b1526e50ep-2);
}

// log(1 + x): the rounding error of 1 + x is put back.
LLVMValueRef math_log1p(emitter *e, LLVMValueRef x) {
    LLVMValueRef one = number(e, x, 1.0), u = add(e, one, x);
    LLVMValueRef lost = quotient(e, sub(e, x, sub(e, u, one)), u);
    LLVMValueRef finite = less(e, u, number(e, x, (double)INFINITY));
    LLVMValueRef value = add(e, math_log(e, u), choose(e, finite, lost, number(e, x, 0.0)));
    value = choose(e, equal(e, u, number(e, x, 0.0)), math_log(e, u), value);
    return choose(e, equal(e, x, number(e, x, 0.0)), x, value); // keeps the sign of zero
}

// x^y = e^(y log |x|), with the sign of an odd whole y; 1 where either is allowed to be anything.
LLVMValueRef math_pow(emitter *e, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef one = number(e, x, 1.0), zero = number(e, x, 0.0), size = size_of(e, x);
    LLVMValueRef value = math_exp(e, mul(e, y, math_log(e, size)));
    value = choose(e, equal(e, size, one), one, value); // also for infinite y
    LLVMValueRef whole = equal(e, call_unary(e, "llvm.floor", y), y);
    LLVMValueRef half = mul(e, y, number(e, x, 0.5));
    LLVMValueRef odd =
        LLVMBuildAnd(e->b, whole, LLVMBuildNot(e->b, equal(e, call_unary(e, "llvm.floor", half), half), ""), "");
    LLVMValueRef sign = LLVMBuildICmp(e->b, LLVMIntSLT, as_int(e, x), integer(e, x, 0), ""); // also of -0
    value = choose(e, LLVMBuildAnd(e->b, sign, odd, ""), negative(e, value), value);
    LLVMValueRef below = LLVMBuildAnd(e->b, less(e, x, zero), LLVMBuildNot(e->b, whole, ""), "");
    value = choose(e, LLVMBuildAnd(e->b, below, less(e, size, number(e, x, (double)INFINITY)), ""),
                   number(e, x, (double)NAN), value);
    LLVMValueRef any_nan = LLVMBuildFCmp(e->b, LLVMRealUNO, x, y, "");
    value = choose(e, any_nan, number(e, x, (double)NAN), value);
    LLVMValueRef always_one = LLVMBuildOr(e->b, equal(e, y, zero), equal(e, x, one), "");
    return choose(e, always_one, one, value);
}

// --- Trigonometry, of what emit_angle leaves: x = n pi/2 + r with |r| <= pi/4.

static LLVMValueRef sine(emitter *e, LLVMValueRef r) {
    static const double p[] = {-0x1.5555555555555p-3, 0x1.1111111111110p-7,   -0x1.a01a01a019926p-13,
                               0x1.71de3a545e700p-19, -0x1.ae64540f0ba18p-26, 0x1.61217c1864fa1p-33,
                               -0x1.ab161757f0c63p-41};
    LLVMValueRef z = mul(e, r, r);
    return fma3(e, mul(e, r, z), horner(e, z, p, COUNT(p)), r);
}

static LLVMValueRef cosine(emitter *e, LLVMValueRef r) {
    static const double p[] = {0x1.5555555555555p-5,   -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d02p-16,
                               -0x1.27e4fb7711e1dp-22, 0x1.1eed8de9ef73ep-29,  -0x1.9394b76d1f265p-37,
                               0x1.ab76cf6e9b365p-45};
    LLVMValueRef z = mul(e, r, r);
    LLVMValueRef tail = fma3(e, mul(e, z, z), horner(e, z, p, COUNT(p)), mul(e, z, number(e, r, -0.5)));
    return add(e, number(e, r, 1.0), tail);
}

// Is this bit of n set?
static LLVMValueRef bit_of(emitter *e, LLVMValueRef like, LLVMValueRef n, int64_t bit) {
    LLVMValueRef masked = LLVMBuildAnd(e->b, n, integer(e, like, bit), "");
    return LLVMBuildICmp(e->b, LLVMIntNE, masked, integer(e, like, 0), "");
}

// The sine of x + turn * pi/2.
static LLVMValueRef turned_sine(emitter *e, LLVMValueRef x, int64_t turn) {
    turned a = emit_angle(e, x);
    LLVMValueRef n = LLVMBuildAdd(e->b, a.turns, integer(e, x, turn), "");
    LLVMValueRef value = choose(e, bit_of(e, x, n, 1), cosine(e, a.rest), sine(e, a.rest));
    return choose(e, bit_of(e, x, n, 2), negative(e, value), value);
}

// The rest may be a zero of another sign than x.
static LLVMValueRef keep_zero(emitter *e, LLVMValueRef x, LLVMValueRef value) {
    return choose(e, equal(e, x, number(e, x, 0.0)), x, value);
}
LLVMValueRef math_sin(emitter *e, LLVMValueRef x) { return keep_zero(e, x, turned_sine(e, x, 0)); }
LLVMValueRef math_cos(emitter *e, LLVMValueRef x) { return turned_sine(e, x, 1); }
LLVMValueRef math_tan(emitter *e, LLVMValueRef x) {
    turned a = emit_angle(e, x);
    LLVMValueRef s = sine(e, a.rest), c = cosine(e, a.rest), odd = bit_of(e, x, a.turns, 1);
    return keep_zero(e, x, quotient(e, choose(e, odd, negative(e, c), s), choose(e, odd, s, c)));
}

// |x| reduced twice: above 1 by pi/2 - atan(1/x), above tan(pi/8) by pi/4 + atan((x-1)/(x+1)).
LLVMValueRef math_atan(emitter *e, LLVMValueRef x) {
    static const double p[] = {-0x1.5555555555555p-2, 0x1.9999999999952p-3,  -0x1.249249248d739p-3,
                               0x1.c71c71c2fc236p-4,  -0x1.745d165c497f3p-4, 0x1.3b1392a9c2d8bp-4,
                               -0x1.110e84aa36d9dp-4, 0x1.e199c62156609p-5,  -0x1.ac7858539e493p-5,
                               0x1.74d3a7b43351ap-5,  -0x1.1b1992aa413c9p-5, 0x1.0a997ba33c1dbp-6};
    LLVMValueRef one = number(e, x, 1.0), size = size_of(e, x), far = less(e, one, size);
    LLVMValueRef t = choose(e, far, quotient(e, one, size), size);
    LLVMValueRef middle = less(e, number(e, x, 0x1.a827999fcef32p-2), t);
    t = choose(e, middle, quotient(e, sub(e, t, one), add(e, t, one)), t);
    LLVMValueRef z = mul(e, t, t), value = fma3(e, mul(e, t, z), horner(e, z, p, COUNT(p)), t);
    value = choose(e, middle, add(e, number(e, x, 0x1.921fb54442d18p-1), value), value);
    value = choose(
        e, far, add(e, sub(e, number(e, x, 0x1.921fb54442d18p0), value), number(e, x, 0x1.1a62633145c07p-54)), value);
    return with_sign(e, value, x);
}

LLVMValueRef math_atan2(emitter *e, LLVMValueRef y, LLVMValueRef x) {
    LLVMValueRef zero = number(e, x, 0.0), infinity = number(e, x, (double)INFINITY), size_x = size_of(e, x),
                 size_y = size_of(e, y);
    LLVMValueRef both = LLVMBuildAnd(e->b, equal(e, size_x, infinity), equal(e, size_y, infinity), "");
    LLVMValueRef neither = LLVMBuildAnd(e->b, equal(e, size_x, zero), equal(e, size_y, zero), "");
    LLVMValueRef ratio = choose(e, neither, zero, choose(e, both, number(e, x, 1.0), quotient(e, size_y, size_x)));
    LLVMValueRef angle = math_atan(e, ratio);
    LLVMValueRef left = LLVMBuildICmp(e->b, LLVMIntSLT, as_int(e, x), integer(e, x, 0), "");
    LLVMValueRef value = choose(e, left, sub(e, number(e, x, 0x1.921fb54442d18p1), angle), angle);
    LLVMValueRef nan = LLVMBuildFCmp(e->b, LLVMRealUNO, x, y, "");
    return choose(e, nan, number(e, x, (double)NAN), with_sign(e, value, y));
}

// sqrt(1 - x^2) without cancellation.
static LLVMValueRef other_leg(emitter *e, LLVMValueRef x) {
    LLVMValueRef one = number(e, x, 1.0);
    return root(e, mul(e, sub(e, one, x), add(e, one, x)));
}
LLVMValueRef math_asin(emitter *e, LLVMValueRef x) { return math_atan2(e, x, other_leg(e, x)); }
LLVMValueRef math_acos(emitter *e, LLVMValueRef x) { return math_atan2(e, other_leg(e, x), x); }

// --- Hyperbolic functions.

// e^|x| / 2 without overflow before its time, and e^-|x| / 2.
static void half_exponentials(emitter *e, LLVMValueRef x, LLVMValueRef *up, LLVMValueRef *down) {
    LLVMValueRef size = size_of(e, x), half = number(e, x, 0.5), past = less(e, number(e, x, 709.0), size);
    LLVMValueRef shift = choose(e, past, sub(e, size, number(e, x, 1.0)), size);
    LLVMValueRef factor = choose(e, past, number(e, x, 0x1.5bf0a8b145769p0), half); // e/2 or 1/2
    *up = mul(e, math_exp(e, shift), factor);
    *down = mul(e, math_exp(e, negative(e, size)), half);
}

LLVMValueRef math_cosh(emitter *e, LLVMValueRef x) {
    LLVMValueRef up, down;
    half_exponentials(e, x, &up, &down);
    return add(e, up, down);
}

LLVMValueRef math_sinh(emitter *e, LLVMValueRef x) {
    static const double p[] = {0x1.5555555555555p-3,  0x1.1111111111111p-7,  0x1.a01a01a01a001p-13,
                               0x1.71de3a556f9acp-19, 0x1.ae64567924223p-26, 0x1.612467d1c2fabp-33,
                               0x1.ae777839b3498p-41, 0x1.99f1ba85cd318p-49};
    LLVMValueRef up, down, z = mul(e, x, x);
    half_exponentials(e, x, &up, &down);
    LLVMValueRef inner = fma3(e, mul(e, x, z), horner(e, z, p, COUNT(p)), x);
    return choose(e, less(e, size_of(e, x), number(e, x, 1.0)), inner, with_sign(e, sub(e, up, down), x));
}

LLVMValueRef math_tanh(emitter *e, LLVMValueRef x) {
    LLVMValueRef size = size_of(e, x), one = number(e, x, 1.0);
    LLVMValueRef inner = quotient(e, math_sinh(e, x), math_cosh(e, x));
    LLVMValueRef outer = sub(e, one, quotient(e, number(e, x, 2.0), add(e, math_exp(e, add(e, size, size)), one)));
    return choose(e, less(e, size, one), inner, with_sign(e, outer, x));
}

// The sign of a double put on a result that is not negative. By bits: llvm.copysign would be moved behind the narrowing
// to float, and what is left before it becomes one conversion to half, for which x86-64 calls a library.
static LLVMValueRef put_sign(emitter *e, LLVMValueRef size, LLVMValueRef x) {
    LLVMTypeRef type = like_lanes(e->i64, x);
    LLVMValueRef mask = widen(e, LLVMConstInt(e->i64, UINT64_C(1) << 63, false), value_lanes(x));
    LLVMValueRef sign = LLVMBuildAnd(e->b, LLVMBuildBitCast(e->b, x, type, ""), mask, "");
    LLVMValueRef bits = LLVMBuildXor(e->b, LLVMBuildBitCast(e->b, size, type, ""), sign, "");
    return LLVMBuildBitCast(e->b, bits, LLVMTypeOf(size), "");
}

// |x| + x^2 / (1 + sqrt(1 + x^2)) is e^asinh|x| - 1; far out log(2|x|).
LLVMValueRef math_asinh(emitter *e, LLVMValueRef x) {
    LLVMValueRef size = size_of(e, x), one = number(e, x, 1.0), z = mul(e, size, size);
    LLVMValueRef near = math_log1p(e, add(e, size, quotient(e, z, add(e, one, root(e, add(e, one, z))))));
    LLVMValueRef far = add(e, math_log(e, size), number(e, x, 0x1.62e42fefa39efp-1));
    return put_sign(e, choose(e, less(e, size, number(e, x, 0x1p28)), near, far), x);
}

LLVMValueRef math_acosh(emitter *e, LLVMValueRef x) {
    LLVMValueRef t = sub(e, x, number(e, x, 1.0));
    LLVMValueRef near = math_log1p(e, add(e, t, root(e, mul(e, t, add(e, t, number(e, x, 2.0))))));
    LLVMValueRef far = add(e, math_log(e, x), number(e, x, 0x1.62e42fefa39efp-1));
    LLVMValueRef value = choose(e, less(e, x, number(e, x, 0x1p28)), near, far);
    return choose(e, less(e, x, number(e, x, 1.0)), number(e, x, (double)NAN), value);
}

LLVMValueRef math_atanh(emitter *e, LLVMValueRef x) {
    LLVMValueRef size = size_of(e, x), twice = add(e, size, size);
    LLVMValueRef value = math_log1p(e, quotient(e, twice, sub(e, number(e, x, 1.0), size)));
    return put_sign(e, mul(e, value, number(e, x, 0.5)), x);
}

// --- erf: below 1 x + x p(x^2); up to 2.25 a series around 1.625; beyond 1 - exp(-x^2) q(1/x) / x.

LLVMValueRef math_erf(emitter *e, LLVMValueRef x) {
    static const double p[] = {0x1.06eba8214db69p-3,   -0x1.812746b0379e7p-2,  0x1.ce2f21a042bdep-4,
                               -0x1.b82ce312889b6p-6,  0x1.565bcd0e64f5bp-8,   -0x1.c02db3fee866fp-11,
                               0x1.f9a326c1c6edfp-14,  -0x1.f4d2561089023p-17, 0x1.b9e64fed6bd39p-20,
                               -0x1.5f6d8a893c396p-23, 0x1.fc42dd57d886cp-27,  -0x1.4e5e20d9bb5fap-30,
                               0x1.7ef9816d93493p-34,  -0x1.29971a2b8c685p-38};
    static const double middle[] = {
        0x1.f4f693b67bd77p-1,   0x1.499d478bca735p-4,   -0x1.0bcfca21947dbp-3,  0x1.d6631e1a28e9ep-4,
        -0x1.974c036867222p-5,  -0x1.17d430bd57d42p-9,  0x1.d857f2c4b7cf2p-7,   -0x1.954ab0f57adf2p-8,
        -0x1.2e43eeec49d5bp-11, 0x1.71cd7855a4a0cp-10,  -0x1.754572b7990f2p-12, -0x1.07892df70900fp-13,
        0x1.70f94f404225fp-14,  -0x1.1e9aa119ba1eep-18, -0x1.63fd8c6070ca2p-17, 0x1.7b7b3e3374084p-19,
        0x1.64ab0491c44cfp-21,  -0x1.d6ef18047c1d3p-22, 0x1.132de48d48b43p-27,  0x1.66debf37156ddp-25,
        -0x1.8861b12d5f28ap-28, -0x1.4ee044a7bbf7ap-29};
    static const double q[] = {0x1.20dd728203d25p-1,  0x1.c55650c92c1a8p-19, -0x1.20ee7bcebfbeap-2,
                               0x1.537f7b95434b7p-11, 0x1.aea90b7b4aa61p-2,  -0x1.19e413693f423p-6,
                               -0x1.72ce03682ca33p-1, -0x1.460e7c77ba154p+1, 0x1.f7311034e9e3cp+3,
                               -0x1.27c6c77645610p+5, 0x1.9c04341fb6a86p+5,  -0x1.677ddb112aec1p+5,
                               0x1.6f8b4628eb861p+4,  -0x1.5331a90bf2b62p+2};
    LLVMValueRef size = size_of(e, x), z = mul(e, x, x);
    LLVMValueRef inner = fma3(e, x, horner(e, z, p, COUNT(p)), x);
    LLVMValueRef between = horner(e, sub(e, size, number(e, x, 1.625)), middle, COUNT(middle));
    LLVMValueRef far = limit(e, size, 2.25, 6.25), u = quotient(e, number(e, x, 1.0), far);
    LLVMValueRef rest = mul(e, mul(e, math_exp(e, negative(e, mul(e, far, far))), horner(e, u, q, COUNT(q))), u);
    LLVMValueRef outer = choose(e, less(e, size, number(e, x, 2.25)), between, sub(e, number(e, x, 1.0), rest));
    return choose(e, less(e, size, number(e, x, 1.0)), inner, with_sign(e, outer, x));
}

LLVMValueRef math_sigmoid(emitter *e, LLVMValueRef x) {
    LLVMValueRef z = math_exp(e, negative(e, size_of(e, x))), one = number(e, x, 1.0);
    return quotient(e, choose(e, less(e, x, number(e, x, 0.0)), z, one), add(e, one, z));
}

LLVMValueRef math_hypot(emitter *e, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef a = size_of(e, x), b = size_of(e, y), swap = less(e, a, b), zero = number(e, x, 0.0);
    LLVMValueRef large = choose(e, swap, b, a), small = choose(e, swap, a, b);
    LLVMValueRef ratio = choose(e, equal(e, large, zero), zero, quotient(e, small, large));
    LLVMValueRef value = mul(e, large, root(e, fma3(e, ratio, ratio, number(e, x, 1.0))));
    LLVMValueRef infinity = number(e, x, (double)INFINITY);
    LLVMValueRef infinite = LLVMBuildOr(e->b, equal(e, a, infinity), equal(e, b, infinity), "");
    return choose(e, infinite, infinity, value);
}

// --- fmod: the remainder of the truncating division, for arguments that were floats.

// A quotient's first 25 bits: their product with a float is exact, and so is what is left.
static LLVMValueRef first_bits(emitter *e, LLVMValueRef q) {
    LLVMTypeRef whole = like_lanes(e->i64, q);
    LLVMValueRef kept = widen(e, const_i64(e, ~INT64_C(0xfffffff)), value_lanes(q));
    LLVMValueRef bits = LLVMBuildAnd(e->b, LLVMBuildBitCast(e->b, q, whole, ""), kept, "");
    return LLVMBuildBitCast(e->b, bits, LLVMTypeOf(q), "");
}

// Each step takes off 24 bits of the quotient; what is left may fall a little below zero on the way.
LLVMValueRef math_fmod(emitter *e, LLVMValueRef x, LLVMValueRef y) {
    enum { STEPS = 12 }; // quotients of floats are below 2^277
    LLVMValueRef rest = size_of(e, x), by = size_of(e, y);
    for (int i = 0; i < STEPS; i++) {
        LLVMValueRef q = call_unary(e, "llvm.trunc", first_bits(e, quotient(e, rest, by)));
        rest = fma3(e, negative(e, q), by, rest);
    }
    rest = choose(e, less(e, rest, number(e, x, 0.0)), add(e, rest, by), rest);
    LLVMValueRef kept = less(e, size_of(e, x), by); // also for infinite y
    LLVMValueRef value = choose(e, kept, size_of(e, x), rest);
    return with_sign(e, value, x);
}
