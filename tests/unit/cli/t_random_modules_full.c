// t_random_modules_full.c - 1,000 random modules, compiled and interpreted, agree.
#include "random_modules.h"
#include "test.h"

static void thousand(void **state) {
    (void)state;
    random_modules_check(1000, 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(thousand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
