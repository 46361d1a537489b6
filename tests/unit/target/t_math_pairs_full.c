// t_math_pairs_full.c - generated functions of two numbers on 64 million pairs each.
#define _GNU_SOURCE
#include "math_pairs.h"

enum { ROUNDS = 2048 };

static void many(void **state) { check_pairs(*state, "cpu:host", ROUNDS); }

int main(int args, char **arg) {
    struct CMUnitTest tests[COUNT(pair_cases)];
    for (size_t i = 0; i < COUNT(pair_cases); i++)
        tests[i] = (struct CMUnitTest){pair_cases[i].name, many, NULL, NULL, (void *)&pair_cases[i]};
    if (args > 1) cmocka_set_test_filter(arg[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
