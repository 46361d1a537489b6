// math_cases.h - generated functions against double precision: every float, or every nth.
#ifndef TESTS_MATH_CASES_H
#define TESTS_MATH_CASES_H
#include "kernel_bench.h"
#include <math.h>
#include <stdlib.h>

typedef struct math_case {
    const char *name;
    double (*reference)(double);
    double ulp;  // the most a float result may be off, in units of the last place of the right value
    double ulp2; // the same for double results, against the C library's (itself off by up to one)
} math_case;

static inline double sigmoid_reference(double x) { return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x)); }
static inline double rsqrt_reference(double x) { return 1 / sqrt(x); }

static const math_case math_cases[] = {
    {"exp", exp, 2, 3},
    {"exp2", exp2, 2, 3},
    {"exp10", exp10, 1, 3},
    {"log", log, 2, 3},
    {"log2", log2, 1, 3},
    {"log10", log10, 1, 3},
    {"log1p", log1p, 1, 4},
    {"erf", erf, 2, 4},
    {"tanh", tanh, 2, 5},
    {"sigmoid", sigmoid_reference, 2, 4},
    {"rsqrt", rsqrt_reference, 1.5, 2},
    {"sin", sin, 1, 3},
    {"cos", cos, 1, 3},
    {"tan", tan, 1, 5},
    {"asin", asin, 1, 5},
    {"acos", acos, 1, 5},
    {"atan", atan, 1, 3},
    {"sinh", sinh, 1, 4},
    {"cosh", cosh, 1, 4},
    {"asinh", asinh, 1, 5},
    {"acosh", acosh, 1, 6},
    {"atanh", atanh, 1, 5},
};

// out[i] = f(x[i]), 16 at a time.
static inline const loop_func *math_program(bench *b, const char *name, dtype t) {
    const expr *n = var(b, "n"), *o = var(b, "o"), *l = var(b, "l"), *dims[] = {op(b, EXPR_MUL, n, i64(b, 16))};
    buffer *x = buffer_new(b->s, "x", t, dims, 1, "global");
    buffer *out = buffer_new(b->s, "out", t, dims, 1, "global");
    const expr *at = op(b, EXPR_ADD, op(b, EXPR_MUL, o, i64(b, 16)), l), *load = expr_load(b->s, x, t, &at, 1);
    const expr *value = expr_call(b->s, intrinsic_find(name), t, &load, 1);
    const stmt *store = stmt_store(b->mem, out, &at, 1, value);
    const stmt *lanes = stmt_for(b->mem, FOR_VECTORIZED, l, i64(b, 0), i64(b, 16), store);
    const buffer *buffers[] = {x, out};
    return program(b, buffers, 2, stmt_for(b->mem, FOR_PARALLEL, o, i64(b, 0), n, lanes));
}

static inline double ulp_error(float got, double want) {
    float rounded = (float)want;
    if (isnan(want)) return isnan(got) ? 0 : INFINITY;
    if (isinf(rounded)) return got == rounded || fabs((double)got) >= 0x1.fffffep127 ? 0 : INFINITY;
    double unit = ldexp(1, fabs(want) < 0x1p-126 ? -149 : ilogb(want) - 23);
    return fabs((double)got - want) / unit;
}

static inline uint64_t hash_float(uint64_t hash, float x) {
    uint32_t bits = 0;
    if (!isnan(x)) memcpy(&bits, &x, sizeof bits);
    return hash_mix(hash, bits);
}

// Every `step`th float. Returns a hash of the results, NaNs told alike.
static inline uint64_t check_math(const math_case *c, const char *target, uint32_t step) {
    enum { CHUNK = 1 << 16 };
    static float in[CHUNK], out[CHUNK];
    bench b = open_bench(target);
    rx_kernel *k = make(&b, math_program(&b, c->name, DTYPE_OF(F32)));
    double worst = 0;
    float at = 0;
    uint64_t hash = 0;
    for (uint64_t first = 0; first <= UINT32_MAX; first += (uint64_t)CHUNK * step) {
        for (uint32_t i = 0; i < CHUNK; i++) {
            uint32_t bits = (uint32_t)(first + (uint64_t)i * step);
            memcpy(&in[i], &bits, 4);
        }
        void *pointers[] = {in, out};
        const int64_t scalars[] = {CHUNK / 16};
        const rx_kernel_args args = {.buffer = pointers, .scalar = scalars};
        assert_int_equal(k(&args, 0, CHUNK / 16, NULL), 0);
        for (uint32_t i = 0; i < CHUNK; i++) {
            double error = ulp_error(out[i], c->reference((double)in[i]));
            hash = hash_float(hash, out[i]);
            if (error > worst) {
                worst = error;
                at = in[i];
            }
        }
    }
    print_message("%s on %s: worst error %.2f ulp at %a\n", c->name, target, worst, (double)at);
    assert_true(worst <= c->ulp);
    close_bench(&b);
    return hash;
}

static inline double ulp_error_double(double got, double want) {
    if (isnan(want)) return isnan(got) ? 0 : INFINITY;
    if (isinf(want) || isinf(got)) return got == want || fabs(got) >= 0x1.fffffffffff00p1023 ? 0 : INFINITY;
    return fabs(got - want) / ldexp(1, fabs(want) < 0x1p-1022 ? -1074 : ilogb(want) - 52);
}

// Doubles of all sizes, from a fixed sequence of bits.
static inline void check_math_double(const math_case *c, const char *target) {
    enum { COUNT_OF = 1 << 16 };
    static double in[COUNT_OF], out[COUNT_OF];
    uint64_t seed = 0x9E3779B97F4A7C15;
    bench b = open_bench(target);
    rx_kernel *k = make(&b, math_program(&b, c->name, DTYPE_OF(F64)));
    for (uint32_t i = 0; i < COUNT_OF; i++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        if (i % 4)
            in[i] = ((double)(seed >> 11) * 0x1p-52 - 1) * ldexp(1, (int)(seed % 12) - 2);
        else
            memcpy(&in[i], &seed, 8);
    }
    void *pointers[] = {in, out};
    const int64_t scalars[] = {COUNT_OF / 16};
    const rx_kernel_args args = {.buffer = pointers, .scalar = scalars};
    assert_int_equal(k(&args, 0, COUNT_OF / 16, NULL), 0);
    double worst = 0, at = 0;
    for (uint32_t i = 0; i < COUNT_OF; i++) {
        double error = ulp_error_double(out[i], c->reference(in[i]));
        if (error > worst) worst = error, at = in[i];
    }
    print_message("%s in double: worst error %.2f ulp at %a\n", c->name, worst, at);
    assert_true(worst <= c->ulp2);
    close_bench(&b);
}
#endif
