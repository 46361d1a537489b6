// t_soundness_full.c - what is proved, bounded or simplified holds on random values: five million trials.
#include "fixture.h"
#include "soundness.h"

static void claims_hold(void **state) {
    (void)state;
    check_soundness(1100, 5000000, 30000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(claims_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
