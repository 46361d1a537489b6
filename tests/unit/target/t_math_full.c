// t_math_full.c - generated mathematical functions: those with a float form on every float there is, those computed in
// double on every 61st. A test each; a pattern on the command line chooses among them (`t_target_math_full 'log*'`).
#define _GNU_SOURCE
#include "math_cases.h"

static void every_float(void **state) {
    const math_case *c = *state;
    check_math(c, "cpu:host", c->ulp > 1 ? 1 : 61);
}

int main(int args, char **arg) {
    struct CMUnitTest tests[COUNT(math_cases)];
    for (size_t i = 0; i < COUNT(math_cases); i++)
        tests[i] = (struct CMUnitTest){math_cases[i].name, every_float, NULL, NULL, (void *)&math_cases[i]};
    if (args > 1) cmocka_set_test_filter(arg[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
