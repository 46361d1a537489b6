// t_math.c - generated mathematical functions on a sample of all floats (t_math_full.c takes all of them).
#define _GNU_SOURCE
#include "math_cases.h"

// All processors with a fused multiply-add give the same bits.
static void sample(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(math_cases); i++) {
        uint64_t here = check_math(&math_cases[i], "cpu:host", 4093);
        assert_int_equal(here, check_math(&math_cases[i], "cpu:x86-64-v3", 4093));
        check_math(&math_cases[i], "cpu:x86-64-v2", 4093);
    }
}

static void doubles(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(math_cases); i++) check_math_double(&math_cases[i], "cpu:x86-64-v3");
}

enum { ANGLES = 1 << 12 };

// The double nearest to a multiple of pi/2, and its cosine, by 4000 bits of pi: the C library's own is eight units off.
static const double nearest = 0x1.6ac5b262ca1ffp849, nearest_cos = -0x1.14ae72e6ba22fp-61;

// Of every size, with both signs; infinities and NaN among them.
static void fill_angles(double *in) {
    static const double hard[] = {0x1.f37ee8p95,          1e22,   0x1p18,           0x1.0000000000001p18, -0x1.8p18,
                                  0x1.fffffffffffffp1023, 5e-324, (double)INFINITY, -(double)INFINITY,    (double)NAN};
    uint64_t seed = 0x9E3779B97F4A7C15;
    for (uint32_t i = 0; i < ANGLES; i++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        in[i] = ldexp((double)(int64_t)seed * 0x1p-63, (int)(i % 1030));
    }
    for (uint32_t i = 0; i < COUNT(hard); i++) in[i * 7] = hard[i];
    in[ANGLES - 1] = nearest;
}

static void run_angles(const char *name, const char *target, double *in, double *out) {
    bench b = open_bench(target);
    rx_kernel *k = make(&b, math_program(&b, name, DTYPE_OF(F64)));
    void *pointers[] = {in, out};
    const int64_t scalars[] = {ANGLES / 16};
    const rx_kernel_args args = {.buffer = pointers, .scalar = scalars};
    assert_int_equal(k(&args, 0, ANGLES / 16, NULL), 0);
    close_bench(&b);
}

// Angles are reduced right at any size, on any processor, whatever lies beside them in a vector; with a fused
// multiply-add to the same bits.
static void angles(void **state) {
    (void)state;
    static const char *const targets[] = {"cpu:x86-64-v2", "cpu:x86-64-v3", "cpu:host"};
    static double in[ANGLES], out[COUNT(targets)][ANGLES];
    fill_angles(in);
    for (size_t i = 0; i < COUNT(math_cases); i++) {
        const math_case *c = &math_cases[i];
        if (c->reference != sin && c->reference != cos && c->reference != tan) continue;
        for (size_t t = 0; t < COUNT(targets); t++) {
            run_angles(c->name, targets[t], in, out[t]);
            if (c->reference == cos) assert_true(out[t][ANGLES - 1] == nearest_cos);
            for (uint32_t k = 0; k < ANGLES; k++)
                if (in[k] != nearest && ulp_error_double(out[t][k], c->reference(in[k])) > c->ulp2)
                    fail_msg("%s(%a) on %s is %a, want %a", c->name, in[k], targets[t], out[t][k], c->reference(in[k]));
        }
        for (uint32_t k = 0; k < ANGLES; k++)
            if (!isnan(in[k]) && !isinf(in[k])) assert_memory_equal(&out[1][k], &out[2][k], sizeof out[1][k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sample), cmocka_unit_test(doubles), cmocka_unit_test(angles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
