// apply_call.c - the values of pure scalar intrinsics.
//
// Floats go through libm in double and are rounded once to the type.
#include "base/size.h"
#include "expr/eval.h"
#include "tensor/formats.h"
#include <math.h>

// What libm lacks.
static double rsqrt_of(double x) { return 1 / sqrt(x); }
static double exp10_of(double x) { return pow(10, x); }
static double sigmoid_of(double x) { return 1 / (1 + exp(-x)); }

// By id; NULL where the intrinsic is no such function.
static double (*const unary[INTRINSICS])(double) = {
    [INTRIN_EXP] = exp,
    [INTRIN_EXP2] = exp2,
    [INTRIN_EXP10] = exp10_of,
    [INTRIN_LOG] = log,
    [INTRIN_LOG2] = log2,
    [INTRIN_LOG10] = log10,
    [INTRIN_LOG1P] = log1p,
    [INTRIN_SQRT] = sqrt,
    [INTRIN_RSQRT] = rsqrt_of,
    [INTRIN_SIN] = sin,
    [INTRIN_COS] = cos,
    [INTRIN_TAN] = tan,
    [INTRIN_ASIN] = asin,
    [INTRIN_ACOS] = acos,
    [INTRIN_ATAN] = atan,
    [INTRIN_SINH] = sinh,
    [INTRIN_COSH] = cosh,
    [INTRIN_TANH] = tanh,
    [INTRIN_ASINH] = asinh,
    [INTRIN_ACOSH] = acosh,
    [INTRIN_ATANH] = atanh,
    [INTRIN_ERF] = erf,
    [INTRIN_SIGMOID] = sigmoid_of,
    [INTRIN_FABS] = fabs,
    [INTRIN_ABS] = fabs,
    [INTRIN_FLOOR] = floor,
    [INTRIN_CEIL] = ceil,
    [INTRIN_TRUNC] = trunc,
    [INTRIN_ROUND] = nearbyint,
    [INTRIN_NEARBYINT] = nearbyint,
};

// Both tables are sparse: what is in neither is computed in on_floats or is no function of floats.
static double (*const binary[INTRINSICS])(double, double) = {
    [INTRIN_POW] = pow,   [INTRIN_HYPOT] = hypot,       [INTRIN_ATAN2] = atan2,
    [INTRIN_FMOD] = fmod, [INTRIN_COPYSIGN] = copysign,
};

// The neighbour of x on the way to y: one step in the bits, since formats order their magnitudes like integers.
static double next_after(dtype t, double x, double y) {
    if (isnan(x) || isnan(y)) return (double)NAN;
    if (x == y) return y;
    if (x == 0) return copysign(dtype_decode_float(t, 1), y);
    uint64_t bits = dtype_encode_float(t, x);
    return dtype_decode_float(t, (x < y) == (x > 0) ? bits + 1 : bits - 1);
}

// fmaf, because a double fma and a rounding to float32 would round twice.
static double fused(dtype t, double a, double b, double c) {
    if (t.kind == DTYPE_F32) return (double)fmaf((float)a, (float)b, (float)c);
    return fma(a, b, c);
}

static double scaled(const expr *e, const scalar *in) {
    if (dtype_is_float(e->in[1]->type)) return in[0].f * exp2(in[1].f);
    int64_t n = in[1].i < -4096 ? -4096 : in[1].i > 4096 ? 4096 : in[1].i; // beyond every exponent
    return ldexp(in[0].f, (int)n);
}

// The bits of one lane.
static uint64_t bits_mask(dtype t) {
    unsigned bits = dtype_bits(t);
    return bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
}

// Counted in the width of the type, not of the register: 7 of an int8 has 5.
static int64_t leading_zeros(dtype t, int64_t value) {
    int64_t n = dtype_bits(t);
    for (uint64_t v = (uint64_t)value & bits_mask(t); v; v >>= 1) n--;
    return n;
}

static int64_t ones(dtype t, int64_t value) {
    int64_t n = 0;
    for (uint64_t v = (uint64_t)value & bits_mask(t); v; v &= v - 1) n++;
    return n;
}

// A shift by the width of the type or more has no value in any target, so it is an error here.
static expr_status shift_left(dtype t, int64_t a, int64_t n, int64_t *out) {
    if (n < 0 || n >= (int64_t)dtype_bits(t)) return EXPR_OVERFLOW;
    *out = eval_wrap(t, (uint64_t)a << n);
    return t.kind == DTYPE_I64 && *out >> n != a ? EXPR_OVERFLOW : EXPR_DONE;
}

static expr_status shift_right(dtype t, int64_t a, int64_t n, int64_t *out) {
    if (n < 0 || n >= (int64_t)dtype_bits(t)) return EXPR_OVERFLOW;
    *out = dtype_family_of(t) == FAMILY_UINT ? (int64_t)((uint64_t)a >> n) : a >> n;
    return EXPR_DONE;
}

// x * 2**left * y / 2**right, rounded half up, as fixed-point arithmetic does it.
static expr_status multiply_shift(dtype t, int64_t x, int64_t y, int64_t left, int64_t right, int64_t *out) {
    int64_t v;
    if (left < 0 || left > 62 || right < 1 || right > 62) return EXPR_OVERFLOW;
    if (!int_mul(x, (int64_t)1 << left, &v) || !int_mul(v, y, &v) || !int_add(v, (int64_t)1 << (right - 1), &v))
        return EXPR_OVERFLOW;
    return *out = dtype_wrap(t, v >> right), EXPR_DONE;
}

// Formats of at most 8 bits are searched (some have no infinity); in the others the largest value is one step below it.
static double largest(dtype t) {
    double best = 0;
    if (dtype_bits(t) > 8) return dtype_decode_float(t, dtype_encode_float(t, HUGE_VAL) - 1);
    for (uint64_t bits = 0; bits < 256; bits++) {
        double v = dtype_decode_float(t, bits & bits_mask(t));
        if (isfinite(v) && v > best) best = v;
    }
    return best;
}

static expr_status limit(const expr *e, scalar *out) {
    bool low = e->as.intrin->id == INTRIN_MIN_VALUE;
    if (e->as.intrin->id == INTRIN_INFINITY) {
        if (!dtype_is_float(e->type)) return EXPR_NOT_SCALAR;
        out->f = dtype_round(e->type, HUGE_VAL);
    } else if (dtype_is_float(e->type)) {
        out->f = dtype_round(e->type, low ? -largest(e->type) : largest(e->type));
    } else {
        out->i = low ? dtype_int_min(e->type) : (int64_t)dtype_int_max(e->type);
    }
    return EXPR_DONE;
}

// Only between types of one width, as in TVM.
static expr_status reinterpret(const expr *e, scalar a, scalar *out) {
    dtype to = dtype_scalar(e->type), from = dtype_scalar(e->in[0]->type);
    if (dtype_bits(to) != dtype_bits(from)) return EXPR_NOT_SCALAR;
    uint64_t bits = dtype_is_float(from) ? dtype_encode_float(from, a.f) : (uint64_t)a.i;
    if (dtype_is_float(to))
        out->f = dtype_decode_float(to, bits & bits_mask(to));
    else
        out->i = to.kind == DTYPE_HANDLE ? (int64_t)bits : eval_wrap(to, bits);
    return EXPR_DONE;
}

// Four products of bytes, added to the third argument; the bytes are signed as their words are.
static expr_status dot_of_bytes(const expr *e, const scalar *in, scalar *out) {
    uint64_t sum = e->count > 2 ? (uint64_t)in[2].i : 0;
    for (uint32_t i = 0; i < 2; i++)
        if (dtype_bits(e->in[i]->type) != 32 || !dtype_is_int(e->in[i]->type)) return EXPR_NOT_SCALAR;
    for (unsigned i = 0; i < 4; i++) {
        int64_t byte[2];
        for (uint32_t k = 0; k < 2; k++) {
            bool is_unsigned = dtype_family_of(e->in[k]->type) == FAMILY_UINT;
            byte[k] = dtype_wrap(is_unsigned ? DTYPE_OF(U8) : DTYPE_OF(I8), in[k].i >> 8 * i);
        }
        sum += (uint64_t)(byte[0] * byte[1]);
    }
    return out->i = eval_wrap(dtype_scalar(e->type), sum), EXPR_DONE;
}

// Bytes of the first word by their four low bits, out of the 16 of the other four.
static expr_status lookup_of_bytes(const expr *e, const scalar *in, scalar *out) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < e->count; i++)
        if (dtype_scalar(e->in[i]->type).kind != DTYPE_U32) return EXPR_NOT_SCALAR;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t at = (uint32_t)in[0].i >> 8 * i & 15;
        word |= ((uint32_t)in[1 + at / 4].i >> at % 4 * 8 & 255) << 8 * i;
    }
    return out->i = word, EXPR_DONE;
}

bool expr_is_grid_name(const expr *e, uint32_t i) {
    return i == 0 && e->op == EXPR_CALL && e->as.intrin->id == INTRIN_LOOKUP_GRID && e->in[0]->op == EXPR_STRING;
}

// The name, the numbers' low and high bytes, which byte of each entry.
static expr_status lookup_in_grid(const expr *e, const scalar *in, scalar *out) {
    const format_grid *g = e->in[0]->op == EXPR_STRING ? format_grid_find(e->in[0]->as.text) : NULL;
    uint32_t word = 0;
    for (uint32_t i = 1; i < 3; i++)
        if (dtype_scalar(e->in[i]->type).kind != DTYPE_U32) return EXPR_NOT_SCALAR;
    if (!g || !dtype_is_int(e->in[3]->type) || in[3].i < 0 || in[3].i > 1) return EXPR_NOT_SCALAR;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t at = ((uint32_t)in[1].i >> 8 * i & 255) | ((uint32_t)in[2].i >> 8 * i & 255) << 8;
        word |= (uint32_t)(g->entry[at & (g->count - 1)] >> (in[3].i ? 8 : 0) & 255) << 8 * i;
    }
    return out->i = word, EXPR_DONE;
}

// `t` is the type of the first argument; the result rounds to it once.
static expr_status on_floats(const expr *e, dtype t, const scalar *in, scalar *out) {
    uint8_t id = e->as.intrin->id;
    double value;
    if (unary[id])
        value = unary[id](in[0].f);
    else if (binary[id])
        value = binary[id](in[0].f, in[1].f);
    else if (id == INTRIN_FMA)
        value = fused(t, in[0].f, in[1].f, in[2].f);
    else if (id == INTRIN_LDEXP)
        value = scaled(e, in);
    else if (id == INTRIN_NEXTAFTER)
        value = next_after(t, in[0].f, in[1].f);
    else
        return EXPR_NOT_SCALAR;
    return out->f = dtype_round(t, value), EXPR_DONE;
}

// Shifts and fixed-point products check; bit operations can't leave the type but for `not` of unsigned ones.
static expr_status on_integers(const expr *e, dtype t, const scalar *in, scalar *out) {
    int64_t a = in[0].i;
    uint64_t bits = (uint64_t)a;
    switch (e->as.intrin->id) {
    case INTRIN_FLOOR:
    case INTRIN_CEIL:
    case INTRIN_TRUNC:
    case INTRIN_ROUND:
    case INTRIN_NEARBYINT: return *out = in[0], EXPR_DONE;
    case INTRIN_FABS:
    case INTRIN_ABS:
        if (t.kind == DTYPE_I64 && a == INT64_MIN) return EXPR_OVERFLOW;
        return out->i = a < 0 && t.kind != DTYPE_U64 ? eval_wrap(t, 0 - bits) : a, EXPR_DONE;
    case INTRIN_SHIFT_LEFT: return shift_left(t, a, in[1].i, &out->i);
    case INTRIN_SHIFT_RIGHT: return shift_right(t, a, in[1].i, &out->i);
    case INTRIN_BITWISE_AND: return out->i = a & in[1].i, EXPR_DONE;
    case INTRIN_BITWISE_OR: return out->i = a | in[1].i, EXPR_DONE;
    case INTRIN_BITWISE_XOR: return out->i = a ^ in[1].i, EXPR_DONE;
    case INTRIN_BITWISE_NOT: return out->i = eval_wrap(t, ~bits), EXPR_DONE;
    case INTRIN_CLZ: return out->i = leading_zeros(t, a), EXPR_DONE;
    case INTRIN_POPCOUNT: return out->i = ones(t, a), EXPR_DONE;
    case INTRIN_FMA: return EXPR_NOT_SCALAR;
    case INTRIN_Q_MULTIPLY_SHIFT:
        return multiply_shift(t, a, in[1].i, in[3].i > 0 ? in[3].i : 0, in[2].i - (in[3].i < 0 ? in[3].i : 0), &out->i);
    case INTRIN_Q_MULTIPLY_SHIFT_PER_AXIS:
        return multiply_shift(t, a, in[1].i, in[5].i ? in[2].i : 0, in[4].i + (in[6].i ? in[3].i : 0), &out->i);
    default: return EXPR_NOT_SCALAR; // an open set: rows of a table
    }
}

// Intrinsics that take any type.
static bool on_anything(const expr *e, const scalar *in, scalar *out, expr_status *status) {
    bool is_float = e->count && dtype_is_float(e->in[0]->type);
    *status = EXPR_DONE;
    switch (e->as.intrin->id) {
    case INTRIN_IF_THEN_ELSE: *out = in[0].i ? in[1] : in[2]; break;
    case INTRIN_LIKELY:
    case INTRIN_IGNORE_LOOP_PARTITION:
    case INTRIN_TVM_THREAD_INVARIANT: *out = in[0]; break;
    case INTRIN_ISNAN: out->i = is_float && isnan(in[0].f); break;
    case INTRIN_ISINF: out->i = is_float && isinf(in[0].f); break;
    case INTRIN_ISFINITE: out->i = !is_float || isfinite(in[0].f); break;
    case INTRIN_ISNULLPTR: out->i = in[0].i == 0; break;
    case INTRIN_REINTERPRET: *status = reinterpret(e, in[0], out); break;
    case INTRIN_DP4A: *status = dot_of_bytes(e, in, out); break;
    case INTRIN_LOOKUP_BYTES: *status = lookup_of_bytes(e, in, out); break;
    case INTRIN_LOOKUP_GRID: *status = lookup_in_grid(e, in, out); break;
    case INTRIN_MAX_VALUE:
    case INTRIN_MIN_VALUE:
    case INTRIN_INFINITY: *status = limit(e, out); break;
    default: return false;
    }
    return true;
}

// Anything first, then by the type of the first argument.
expr_status expr_apply_call(const expr *e, const scalar *in, scalar *out) {
    expr_status status;
    if (!e->as.intrin->pure) return EXPR_NOT_SCALAR;
    if (on_anything(e, in, out, &status)) return status;
    if (!e->count) return EXPR_NOT_SCALAR;
    dtype t = dtype_scalar(e->in[0]->type);
    if (dtype_is_float(t)) return on_floats(e, t, in, out);
    bool integral = dtype_is_int(t) || dtype_family_of(t) == FAMILY_BOOL;
    return integral ? on_integers(e, t, in, out) : EXPR_NOT_SCALAR;
}
