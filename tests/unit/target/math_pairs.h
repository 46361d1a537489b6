// math_pairs.h - generated functions of two numbers: pow, atan2, hypot, fmod against double precision, on floats of
// all sizes and on ordinary ones.
#ifndef TESTS_MATH_PAIRS_H
#define TESTS_MATH_PAIRS_H
#include "math_cases.h"

typedef struct pair_case {
    const char *name;
    double (*reference)(double, double);
    double ulp, ulp2; // as of math_case
} pair_case;

static const pair_case pair_cases[] = {
    {"pow", pow, 1, 1100}, // float64: exp(y log x), whose error grows with the size of the exponent (docs/numerics.md)
    {"atan2", atan2, 1, 4},
    {"hypot", hypot, 1, 3},
    {"fmod", fmod, 0, 0},
};

enum { PAIRS = 1 << 15 };

// out[i] = f(x[i], y[i]), 16 at a time.
static inline const loop_func *pair_program(bench *b, const char *name, dtype t) {
    const expr *n = var(b, "n"), *o = var(b, "o"), *l = var(b, "l"), *dims[] = {op(b, EXPR_MUL, n, i64(b, 16))};
    buffer *x = buffer_new(b->s, "x", t, dims, 1, "global"), *y = buffer_new(b->s, "y", t, dims, 1, "global");
    buffer *out = buffer_new(b->s, "out", t, dims, 1, "global");
    const expr *at = op(b, EXPR_ADD, op(b, EXPR_MUL, o, i64(b, 16)), l);
    const expr *load[] = {expr_load(b->s, x, t, &at, 1), expr_load(b->s, y, t, &at, 1)};
    const expr *value = expr_call(b->s, intrinsic_find(name), t, load, 2);
    const stmt *store = stmt_store(b->mem, out, &at, 1, value);
    const stmt *lanes = stmt_for(b->mem, FOR_VECTORIZED, l, i64(b, 0), i64(b, 16), store);
    const buffer *buffers[] = {x, y, out};
    return program(b, buffers, 3, stmt_for(b->mem, FOR_PARALLEL, o, i64(b, 0), n, lanes));
}

static inline uint64_t next_bits(uint64_t *seed) {
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return *seed;
}

// A third are any bits, the others between -8 and 8 or of some other common size.
static inline double draw(uint64_t *seed, bool narrow) {
    uint64_t bits = next_bits(seed);
    double any;
    float small;
    if (bits % 3 != 0) return (float)(((double)(bits >> 11) * 0x1p-52 - 1) * ldexp(1, (int)(bits % 16) - 4));
    bits = next_bits(seed);
    if (narrow) return memcpy(&small, &bits, 4), small;
    return memcpy(&any, &bits, 8), any;
}

static inline void run_pairs(rx_kernel *k, void *x, void *y, void *out) {
    void *pointers[] = {x, y, out};
    const int64_t scalars[] = {PAIRS / 16};
    const rx_kernel_args args = {.buffer = pointers, .scalar = scalars};
    assert_int_equal(k(&args, 0, PAIRS / 16, NULL), 0);
}

// `rounds` times so many pairs. Returns a hash of the results, NaNs told alike.
static inline uint64_t check_pairs(const pair_case *c, const char *target, uint32_t rounds) {
    static float x[PAIRS], y[PAIRS], out[PAIRS];
    uint64_t seed = 0x9E3779B97F4A7C15;
    bench b = open_bench(target);
    rx_kernel *k = make(&b, pair_program(&b, c->name, DTYPE_OF(F32)));
    double worst = 0, at[2] = {0};
    uint64_t hash = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        for (int i = 0; i < PAIRS; i++) x[i] = (float)draw(&seed, true), y[i] = (float)draw(&seed, true);
        run_pairs(k, x, y, out);
        for (int i = 0; i < PAIRS; i++) {
            double error = ulp_error(out[i], c->reference((double)x[i], (double)y[i]));
            if (error > worst) worst = error, at[0] = x[i], at[1] = y[i];
            hash = hash_float(hash, out[i]);
        }
    }
    print_message("%s on %s: worst error %.2f ulp at %a, %a\n", c->name, target, worst, at[0], at[1]);
    assert_true(worst <= c->ulp);
    close_bench(&b);
    return hash;
}

static inline void check_double_pairs(const pair_case *c, const char *target) {
    static double x[PAIRS], y[PAIRS], out[PAIRS];
    uint64_t seed = 0x9E3779B97F4A7C15;
    bench b = open_bench(target);
    rx_kernel *k = make(&b, pair_program(&b, c->name, DTYPE_OF(F64)));
    double worst = 0, at[2] = {0};
    for (int i = 0; i < PAIRS; i++) x[i] = draw(&seed, false), y[i] = draw(&seed, false);
    run_pairs(k, x, y, out);
    for (int i = 0; i < PAIRS; i++) {
        double error = ulp_error_double(out[i], c->reference(x[i], y[i]));
        if (error > worst) worst = error, at[0] = x[i], at[1] = y[i];
    }
    print_message("%s in double on %s: worst error %.2f ulp at %a, %a\n", c->name, target, worst, at[0], at[1]);
    assert_true(worst <= c->ulp2);
    close_bench(&b);
}
#endif
