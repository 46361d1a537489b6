// t_math_full.c - generated mathematical functions: those with a float form on every float there is, those computed in
// double on every 61st.
#define _GNU_SOURCE
#include "math_cases.h"

static void every_float(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(math_cases); i++)
        check_math(&math_cases[i], "cpu:host", math_cases[i].ulp > 1 ? 1 : 61);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_float)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
