// t_math.c - generated mathematical functions on a sample of all floats (t_math_full.c takes all of them).
#define _GNU_SOURCE
#include "math_cases.h"

static void sample(void **state) {
    (void)state;
    static const char *const targets[] = {"cpu:host", "cpu:x86-64-v3", "cpu:x86-64-v2"};
    for (size_t i = 0; i < COUNT(math_cases); i++)
        for (size_t t = 0; t < COUNT(targets); t++) check_math(&math_cases[i], targets[t], 4093);
}

static void doubles(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(math_cases); i++) check_math_double(&math_cases[i], "cpu:x86-64-v3");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sample), cmocka_unit_test(doubles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
