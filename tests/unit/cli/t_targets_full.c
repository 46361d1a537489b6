// t_targets_full.c - every operator compiled for each processor level agrees with the interpreter; those of other
// processors run where RELAX_RUN_<PROCESSOR> says how (tests/cli/cross_full.sh).
#include "ruled.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>

// `draws`: sizes of each operator's samples.
static void sweep(const char *target, const char *runner, uint32_t draws) {
    if (!target_runs(target, runner)) return;
    compiled_tally t = {0};
    char path[4096];
    const char *root = getenv("SRC"), *data = getenv("RELAX_TEST_DATA");
    snprintf(path, sizeof path, "%s/tests/data/modules", root ? root : ".");
    assert_true(compiled_folder(path, target, runner, 4, &t));
    snprintf(path, sizeof path, "%s/samples/modules", data ? data : "../shared");
    if (!compiled_folder(path, target, runner, 4, &t)) print_message("skipped: no modules in %s\n", path);
    compiled_operators(target, runner, draws, &t);
    rules_on(target, runner, true, &t);
    print_message("%s: %u runs compared, %u samples the target has no code for, %u the emulator gives up on\n", target,
                  t.ran, t.refused, t.unheard);
    assert_int_equal(t.failed, 0);
    assert_true(t.ran > 130 * draws);
    assert_true(t.unheard < 10);
}

static void foreign(const char *variable, const char *target, uint32_t draws) {
    const char *runner = getenv(variable);
    if (runner)
        sweep(target, runner, draws);
    else
        print_message("skipped: no %s\n", variable);
}

static void x86_64_v2(void **state) {
    (void)state;
    sweep("cpu:x86-64-v2", NULL, 3);
}
static void x86_64_v3(void **state) {
    (void)state;
    sweep("cpu:x86-64-v3", NULL, 3);
}
static void x86_64_v4(void **state) {
    (void)state;
    sweep("cpu:x86-64-v4", NULL, 3);
}
static void aarch64(void **state) {
    (void)state;
    foreign("RELAX_RUN_AARCH64", "cpu:aarch64", 3);
}
// Dot products of one signedness and of two, SVE's instructions where vectors are NEON's, and SVE's registers of 256
// and 512 bits or more as vectors.
static void aarch64_dotprod(void **state) {
    (void)state;
    foreign("RELAX_RUN_AARCH64", "cpu:aarch64,+dotprod", 1);
}
static void aarch64_i8mm(void **state) {
    (void)state;
    foreign("RELAX_RUN_AARCH64", "cpu:aarch64,+dotprod,+i8mm", 1);
}
static void aarch64_sve(void **state) {
    (void)state;
    foreign("RELAX_RUN_AARCH64", "cpu:aarch64,+dotprod,+i8mm,+sve", 1);
}
static void aarch64_sve256(void **state) {
    (void)state;
    foreign("RELAX_RUN_AARCH64", "cpu:aarch64,+dotprod,+i8mm,+sve256", 1);
}
static void aarch64_sve512(void **state) {
    (void)state;
    foreign("RELAX_RUN_AARCH64", "cpu:aarch64,+dotprod,+i8mm,+sve512", 1);
}
static void riscv64(void **state) {
    (void)state;
    foreign("RELAX_RUN_RISCV64", "cpu:riscv64", 3);
}

// The same code where registers are longer than it was made for.
static void riscv64_longer(void **state) {
    (void)state;
    foreign("RELAX_RUN_RISCV64", "cpu:riscv64", 1);
}

int main(int args, char **arg) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x86_64_v2),   cmocka_unit_test(x86_64_v3),       cmocka_unit_test(x86_64_v4),
        cmocka_unit_test(aarch64),     cmocka_unit_test(aarch64_dotprod), cmocka_unit_test(aarch64_i8mm),
        cmocka_unit_test(aarch64_sve), cmocka_unit_test(aarch64_sve256),  cmocka_unit_test(aarch64_sve512),
        cmocka_unit_test(riscv64),     cmocka_unit_test(riscv64_longer)};
    if (args > 1) cmocka_set_test_filter(arg[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
