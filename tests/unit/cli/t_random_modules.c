// t_random_modules.c - a dozen random modules, compiled and interpreted, agree (t_random_modules_full.c takes
// 1,000).
#include "random_modules.h"
#include "test.h"

static void dozen(void **state) {
    (void)state;
    random_modules_check(0, 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(dozen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
