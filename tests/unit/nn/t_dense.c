// t_dense.c - the layer API builds the very module that tools/decoder prints.
#include "base/file.h"
#include "dense.h"
#include "graph/verify.h"
#include "test.h"
#include "text/script.h"
#include <stdlib.h>
#include <string.h>

static void the_same_module(void **state) {
    const char *path = arena_format((arena *)*state, "%s/tests/data/nn/decoder.py", getenv("SRC"));
    char why[FILE_WHY];
    source src = {.name = path};
    char *bytes;
    if (file_read(path, 1 << 20, &bytes, &src.size, why) != RX_OK) fail_msg("%s", why);
    src.bytes = bytes;
    diag *d = diag_new(*state);
    module *want = script_parse(&src, d), *got = module_new();
    assert_non_null(want);
    assert_true(dense_decoder(got, d));
    assert_true(module_verify(got, d));
    text difference = TEXT_IN(*state);
    if (!module_equal(want, got, &difference)) fail_msg("%s", text_get(&difference));
    module_free(got);
    module_free(want);
    free(bytes);
}

static int begin(void **state) {
    *state = arena_new();
    return 0;
}

static int end(void **state) {
    arena_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(the_same_module, begin, end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
