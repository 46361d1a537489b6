// t_math_pairs.c - generated functions of two numbers on a sample (t_math_pairs_full.c takes many more).
#define _GNU_SOURCE
#include "math_pairs.h"

// All processors with a fused multiply-add give the same bits.
static void floats(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(pair_cases); i++) {
        uint64_t here = check_pairs(&pair_cases[i], "cpu:host", 1);
        assert_int_equal(here, check_pairs(&pair_cases[i], "cpu:x86-64-v3", 1));
        check_pairs(&pair_cases[i], "cpu:x86-64-v2", 1);
    }
}

static void doubles(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(pair_cases); i++) check_double_pairs(&pair_cases[i], "cpu:x86-64-v3");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(floats), cmocka_unit_test(doubles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
