// t_rules_full.c - what each schedule rule makes is equal to the interpreter for all sizes that matter, on each level
// of processors: those of this machine, and AArch64 where RELAX_RUN_AARCH64 says how (tests/cli/rules_full.sh).
#include "ruled.h"
#include "test.h"
#include <stdlib.h>

static void sweep(const char *target, const char *runner) {
    if (!target_runs(target, runner)) return;
    compiled_tally t = {0};
    rules_on(target, runner, true, &t);
    print_message("%s: %u runs compared\n", target, t.ran);
    assert_int_equal(t.failed, 0);
    assert_true(t.ran > (getenv("RELAX_RULES") ? 0 : 300));
}

static void x86_64_v2(void **state) {
    (void)state;
    sweep("cpu:x86-64-v2", NULL);
}
static void x86_64_v3(void **state) {
    (void)state;
    sweep("cpu:x86-64-v3", NULL);
}
static void x86_64_v4(void **state) {
    (void)state;
    sweep("cpu:x86-64-v4", NULL);
}
// With what instructions for bytes this machine has besides.
static void host(void **state) {
    (void)state;
    sweep("cpu:host", NULL);
}
static void aarch64(void **state) {
    (void)state;
    const char *runner = getenv("RELAX_RUN_AARCH64");
    if (runner)
        sweep("cpu:aarch64", runner);
    else
        print_message("skipped: no RELAX_RUN_AARCH64\n");
}

int main(int args, char **arg) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(x86_64_v2), cmocka_unit_test(x86_64_v3),
                                       cmocka_unit_test(x86_64_v4), cmocka_unit_test(host), cmocka_unit_test(aarch64)};
    if (args > 1) cmocka_set_test_filter(arg[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
