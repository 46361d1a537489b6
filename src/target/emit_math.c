// emit_math.c - mathematical functions as polynomials in vector arithmetic: the same bits on every machine with FMA.
//
// Computed in float, for float32 and for narrower types (which are rounded afterwards). Every step is an explicit fma
// or a single rounding, so no contraction can change a result. The coefficients are minimax fits (tools/fit_math.py);
// docs/numerics.md states the errors, at most 2 ulp, checked over all floats by tests/unit/target/t_math_full.c.
#include "target/emit_math.h"
#include "target/emit_words.h"
#include <math.h>

// --- exp: x = n ln 2 + r, e^x = 2^n p(r), where p begins with 1 + r. ln 2 in two parts (Cody and Waite).

static const double ln2_high = 0x1.62e4p-1, ln2_low = 0x1.7f7d1cf79abcap-20;

static const double exp_terms[] = {1.0, 1.0, 0.499999934F, 0.166665204F, 0.0416683908F, 0.00836874512F, 0.001381454F};

static LLVMValueRef exp_reduced(emitter *e, LLVMValueRef r) { return horner(e, r, exp_terms, COUNT(exp_terms)); }

static LLVMValueRef emit_exp(emitter *e, LLVMValueRef x) {
    // Beyond: 0 and infinity. Of larger x any r will do: p, of even degree, is above 0 for all of them.
    x = scales_at_once(e, x) ? at_least(e, x, -104.0) : limit(e, x, -104.0, 89.0);
    LLVMValueRef magic = number(e, x, 0x1.8p23); // adding it rounds to a whole number in the low bits
    LLVMValueRef shifted = fma3(e, x, number(e, x, 0x1.715476p0), magic);
    LLVMValueRef n = sub(e, shifted, magic);
    LLVMValueRef r = fma3(e, n, number(e, x, -ln2_low), fma3(e, n, number(e, x, -ln2_high), x));
    LLVMValueRef whole = LLVMBuildSub(e->b, as_int(e, shifted), as_int(e, magic), "");
    return emit_scale(e, exp_reduced(e, r), n, whole);
}

// --- log: x = 2^n m with sqrt(1/2) <= m < sqrt(2), f = m - 1: log x = n ln 2 + f - f^2/2 + f^3 p(f).

static LLVMValueRef emit_log(emitter *e, LLVMValueRef x) {
    static const double p[] = {0.333333126F,  -0.250000096F, 0.200021187F,  -0.166679959F, 0.142195524F,
                               -0.124055889F, 0.118881623F,  -0.116756518F, 0.0674664032F};
    LLVMValueRef small = less(e, x, number(e, x, 0x1p-126)); // denormals, zero, negatives
    LLVMValueRef normal = choose(e, small, mul(e, x, number(e, x, 0x1p23)), x);
    LLVMValueRef offset = as_int(e, number(e, x, 0x1.6a09e6p-1)); // sqrt(1/2)
    LLVMValueRef bits = LLVMBuildSub(e->b, as_int(e, normal), offset, "");
    LLVMValueRef n = LLVMBuildAShr(e->b, bits, integer(e, x, 23), "");
    LLVMValueRef low = LLVMBuildAnd(e->b, bits, integer(e, x, 0x7FFFFF), "");
    LLVMValueRef f = sub(e, as_float(e, x, LLVMBuildAdd(e->b, low, offset, "")), number(e, x, 1.0));
    n = LLVMBuildSub(e->b, n, choose(e, small, integer(e, x, 23), integer(e, x, 0)), "");
    LLVMValueRef whole = LLVMBuildSIToFP(e->b, n, like_lanes(e->f32, x), "");
    LLVMValueRef square = mul(e, f, f);
    LLVMValueRef tail = fma3(e, mul(e, f, square), horner(e, f, p, COUNT(p)), mul(e, whole, number(e, x, ln2_low)));
    tail = fma3(e, square, number(e, x, -0.5), tail);
    LLVMValueRef value = fma3(e, whole, number(e, x, ln2_high), add(e, f, tail));
    LLVMValueRef infinite = LLVMBuildFCmp(e->b, LLVMRealUEQ, x, number(e, x, (double)INFINITY), ""); // or NaN
    value = choose(e, infinite, x, value);
    value = choose(e, less(e, x, number(e, x, 0.0)), number(e, x, (double)NAN), value);
    LLVMValueRef zero = LLVMBuildFCmp(e->b, LLVMRealOEQ, x, number(e, x, 0.0), "");
    return choose(e, zero, number(e, x, -(double)INFINITY), value);
}

// --- erf: u = -log(1 - erf |x|) = |x| + |x| p(|x|), and 1 - e^-u, which keeps the digits of small u:
// e^-u = 2^n e^r, e^r - 1 = r + r^2 q(r).

static LLVMValueRef emit_erf(emitter *e, LLVMValueRef x) {
    static const double p[] = {0.12837917F,    0.636619382F,     0.10277783F,     -0.0191530638F,  -0.0001603962F,
                               0.00166702759F, -0.000632836929F, 0.000117641292F, -9.25626755e-06F};
    LLVMValueRef size = size_of(e, x), most = number(e, x, 3.95); // from there on it rounds to 1
    size = choose(e, less(e, most, size), most, size);            // NaN stays NaN
    LLVMValueRef u = fma3(e, size, horner(e, size, p, COUNT(p)), size), magic = number(e, x, 0x1.8p23);
    LLVMValueRef shifted = fma3(e, u, number(e, x, -0x1.715476p0), magic), n = sub(e, shifted, magic);
    LLVMValueRef r = fma3(e, n, number(e, x, -ln2_low), fma3(e, n, number(e, x, -ln2_high), negative(e, u)));
    LLVMValueRef below = fma3(e, mul(e, horner(e, r, exp_terms + 2, COUNT(exp_terms) - 2), r), r, r);
    LLVMValueRef whole = LLVMBuildSub(e->b, as_int(e, shifted), as_int(e, magic), ""); // -26 to 0
    whole = LLVMBuildShl(e->b, LLVMBuildAdd(e->b, whole, integer(e, x, 127), ""), integer(e, x, 23), "");
    LLVMValueRef power = as_float(e, x, whole);
    return with_sign(e, fma3(e, power, below, sub(e, power, number(e, x, 1.0))), x);
}

// --- tanh: below 0.625 x + x^3 p(x^2); above 1 - 2 / (e^(2|x|) + 1).

static LLVMValueRef emit_tanh(emitter *e, LLVMValueRef x) {
    static const double p[] = {-0.333332839F, 0.133314913F, -0.0537434981F, 0.0206505872F, -0.00571704495F};
    LLVMValueRef size = size_of(e, x), square = mul(e, x, x);
    LLVMValueRef inner = fma3(e, mul(e, x, square), horner(e, square, p, COUNT(p)), x);
    LLVMValueRef power = add(e, emit_exp(e, add(e, size, size)), number(e, x, 1.0));
    LLVMValueRef outer = sub(e, number(e, x, 1.0), quotient(e, number(e, x, 2.0), power));
    return choose(e, less(e, size, number(e, x, 0.625)), inner, with_sign(e, outer, x));
}

static LLVMValueRef emit_exp2(emitter *e, LLVMValueRef x) {
    if (!scales_at_once(e, x)) x = limit(e, x, -151.0, 129.0); // else r is 0 beyond, or NaN with an infinite n
    LLVMValueRef n = call_unary(e, "llvm.roundeven", x);
    LLVMValueRef r = mul(e, sub(e, x, n), number(e, x, 0x1.62e43p-1));
    LLVMValueRef magic = number(e, x, 0x1.8p23);
    LLVMValueRef whole = LLVMBuildSub(e->b, as_int(e, add(e, n, magic)), as_int(e, magic), "");
    return emit_scale(e, exp_reduced(e, r), n, whole);
}

// --- sigmoid: z = e^-|x|, and z or 1 over s = 1 + z; what rounding took off s is put right: 1.9 ulp in place of 2.3.

static LLVMValueRef emit_sigmoid(emitter *e, LLVMValueRef x) {
    LLVMValueRef z = emit_exp(e, negative(e, size_of(e, x))), one = number(e, x, 1.0);
    LLVMValueRef below = less(e, x, number(e, x, 0.0)), s = add(e, one, z), rest = sub(e, z, sub(e, s, one));
    LLVMValueRef value = quotient(e, choose(e, below, z, one), s);
    LLVMValueRef inverse = choose(e, below, sub(e, one, value), value); // 1 / s
    return fma3(e, negative(e, mul(e, value, rest)), inverse, value);
}

// --- The tables. `single` serves float32 and narrower types; where it is missing, `twice` computes in double.

static const struct {
    intrinsic_id id;
    unary_function *single, *twice;
} unary[] = {
    {INTRIN_EXP, emit_exp, math_exp},
    {INTRIN_EXP2, emit_exp2, math_exp2},
    {INTRIN_EXP10, NULL, math_exp10},
    {INTRIN_LOG, emit_log, math_log},
    {INTRIN_LOG2, NULL, math_log2},
    {INTRIN_LOG10, NULL, math_log10},
    {INTRIN_LOG1P, NULL, math_log1p},
    {INTRIN_SIN, NULL, math_sin},
    {INTRIN_COS, NULL, math_cos},
    {INTRIN_TAN, NULL, math_tan},
    {INTRIN_ASIN, NULL, math_asin},
    {INTRIN_ACOS, NULL, math_acos},
    {INTRIN_ATAN, NULL, math_atan},
    {INTRIN_SINH, NULL, math_sinh},
    {INTRIN_COSH, NULL, math_cosh},
    {INTRIN_TANH, emit_tanh, math_tanh},
    {INTRIN_ASINH, NULL, math_asinh},
    {INTRIN_ACOSH, NULL, math_acosh},
    {INTRIN_ATANH, NULL, math_atanh},
    {INTRIN_ERF, emit_erf, math_erf},
    {INTRIN_SIGMOID, emit_sigmoid, math_sigmoid},
};

static const struct {
    intrinsic_id id;
    binary_function *twice;
    binary_function *exact; // of float64, and where multiply-adds are not fused; NULL: `twice` serves those too
} binary[] = {
    {INTRIN_POW, math_pow, NULL},
    {INTRIN_ATAN2, math_atan2, NULL},
    {INTRIN_HYPOT, math_hypot, NULL},
    {INTRIN_FMOD, math_fmod, math_fmod_double},
};

static LLVMValueRef to_double(emitter *e, LLVMValueRef v) { return LLVMBuildFPExt(e->b, v, like_lanes(e->f64, v), ""); }
static LLVMValueRef to_single(emitter *e, LLVMValueRef v) {
    return LLVMBuildFPTrunc(e->b, v, like_lanes(e->f32, v), "");
}

static LLVMValueRef emit_rsqrt(emitter *e, dtype t, LLVMValueRef x) {
    LLVMValueRef one = LLVMConstReal(t.kind == DTYPE_F64 ? e->f64 : e->f32, 1.0);
    return quotient(e, widen(e, one, value_lanes(x)), call_unary(e, "llvm.sqrt", x));
}

static LLVMValueRef emit_binary_math(emitter *e, intrinsic_id id, dtype t, LLVMValueRef *arg) {
    for (size_t i = 0; i < COUNT(binary); i++) {
        if (binary[i].id != id) continue;
        bool exact = binary[i].exact && (t.kind == DTYPE_F64 || !has_fma(e));
        binary_function *f = exact ? binary[i].exact : binary[i].twice;
        if (t.kind == DTYPE_F64) return f(e, arg[0], arg[1]);
        return to_single(e, f(e, to_double(e, arg[0]), to_double(e, arg[1])));
    }
    return NULL;
}

LLVMValueRef emit_math(emitter *e, const intrinsic *f, dtype t, LLVMValueRef *arg) {
    intrinsic_id id = (intrinsic_id)f->id;
    if (!dtype_is_float(t)) return NULL;
    if (id == INTRIN_RSQRT) return emit_rsqrt(e, t, arg[0]);
    for (size_t i = 0; i < COUNT(unary); i++) {
        if (unary[i].id != id) continue;
        if (t.kind == DTYPE_F64) return unary[i].twice(e, arg[0]);
        return unary[i].single ? unary[i].single(e, arg[0]) : to_single(e, unary[i].twice(e, to_double(e, arg[0])));
    }
    return emit_binary_math(e, id, t, arg);
}
