// t_random_modules.c - a few dozen random modules, compiled and interpreted, agree (t_random_modules_full.c takes
// 1,000).
#include "random_modules.h"
#include "test.h"

static void few(void **state) {
    (void)state;
    random_modules_check(0, 24);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(few)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
