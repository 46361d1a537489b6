// t_soundness.c - what is proved, bounded or simplified holds on random values: over 100,000 trials.
#include "fixture.h"
#include "soundness.h"

static void claims_hold(void **state) {
    (void)state;
    check_soundness(22, 100000, 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(claims_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
