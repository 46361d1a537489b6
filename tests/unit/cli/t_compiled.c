// t_compiled.c - modules compiled and interpreted agree, for many sizes from one compilation each.
#include "compiled.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>

static void folder(const char *variable, const char *otherwise, const char *below, compiled_tally *t) {
    const char *root = getenv(variable);
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", root ? root : otherwise, below);
    if (!compiled_folder(path, NULL, NULL, 6, t)) print_message("skipped: no modules in %s\n", path);
    print_message("%u runs compared\n", t->ran);
    assert_int_equal(t->failed + t->refused, 0);
}

// The samples of the project's design, where they lie beside the repository.
static void samples(void **state) {
    compiled_tally t = {0};
    (void)state;
    folder("RELAX_TEST_DATA", "../shared", "samples/modules", &t);
}

// What the samples lack.
static void modules(void **state) {
    compiled_tally t = {0};
    (void)state;
    folder("SRC", ".", "tests/data/modules", &t);
    assert_true(t.ran >= 40);
}

static void operators(void **state) {
    compiled_tally t = {0};
    (void)state;
    compiled_operators(NULL, NULL, 3, &t);
    print_message("%u runs compared, %u samples the target has no code for\n", t.ran, t.refused);
    assert_int_equal(t.failed, 0);
    assert_true(t.ran > 400);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples), cmocka_unit_test(modules),
                                       cmocka_unit_test(operators)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
