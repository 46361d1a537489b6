// t_rules.c - what the schedule rules make is equal to the interpreter, for all sizes that matter, and the same bits on
// any number of threads. t_targets_full.c asks the same of each level and of other processors.
#define _GNU_SOURCE
#include "ruled.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void host(void **state) {
    compiled_tally t = {0};
    (void)state;
    rules_on("cpu:host", NULL, false, &t);
    print_message("%u runs compared\n", t.ran);
    assert_int_equal(t.failed, 0);
    assert_true(t.ran > (getenv("RELAX_RULES") ? 0 : 240));
}

// --- Rows of a batch.

enum { WIDTH = 256, MOST_ROWS = 257, WEIGHTS = 300 * WIDTH };

static const char layer[] =
    "@I.ir_module\n"
    "class Module:\n"
    "    @R.function\n"
    "    def main(x: R.Tensor((\"n\", 256), \"float32\"), w: R.Tensor((300, 256), \"float32\"),\n"
    "             v: R.Tensor((300, 256), \"float32\")):\n"
    "        with R.dataflow():\n"
    "            a = R.einsum((R.nn.softmax(x), w), subscripts=\"ay,zy->az\")\n"
    "            y = R.nn.gelu(R.matmul(R.nn.silu(a), v))\n"
    "            R.output(y)\n"
    "        return y\n";

static rx_value *tensor_of(int64_t rows, const float *data) {
    rx_value *v;
    const int64_t dim[] = {rows, WIDTH};
    assert_int_equal(rx_tensor_new("float32", 2, dim, NULL, &v), RX_OK);
    memcpy(rx_tensor_data(v), data, (size_t)(rows * WIDTH) * sizeof(float));
    return v;
}

static rx_context *compiled_layer(bool invariant, const char *path) {
    static const char *const target[] = {"cpu:host"};
    char why[RX_MESSAGE];
    arena *mem = arena_new();
    rx_executable *exe;
    rx_context *context;
    const rx_context_options c = {.struct_size = sizeof c, .threads = 2};
    const source src = {.name = "layer", .bytes = layer, .size = sizeof layer - 1};
    const driver_options o = {.target = target, .targets = 1, .batch_invariant = invariant, .code = {.level = 2}};
    assert_true(driver_compile(&src, &o, path, diag_new(mem)));
    assert_int_equal(rx_executable_load(path, NULL, &exe, why), RX_OK);
    assert_int_equal(rx_context_new(exe, &c, &context, why), RX_OK);
    rx_executable_release(exe);
    arena_free(mem);
    return context;
}

static rx_value *call(rx_context *context, int64_t rows, const float *x, rx_value *w) {
    rx_value *arg[] = {tensor_of(rows, x), w, w}, *out = NULL;
    assert_int_equal(rx_context_call(context, "main", arg, 3, &out), RX_OK);
    rx_value_release(arg[0]);
    return out;
}

// Of how many rows of batches of each size the bits differ from those of the largest batch.
static int64_t rows_that_differ(bool invariant) {
    static const int64_t sizes[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100};
    char folder[] = "/tmp/relax-rules-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.rlx", folder);
    rx_context *context = compiled_layer(invariant, path);
    float *data = malloc((WEIGHTS + MOST_ROWS * WIDTH) * sizeof *data);
    for (int i = 0; i < WEIGHTS + MOST_ROWS * WIDTH; i++) data[i] = (float)(i * 7919 % 2003) / 1001.5f - 1;
    rx_value *w = tensor_of(300, data), *all = call(context, MOST_ROWS, data + WEIGHTS, w);
    int64_t differ = 0;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        rx_value *some = call(context, sizes[i], data + WEIGHTS, w);
        for (int64_t r = 0; r < sizes[i]; r++)
            differ += memcmp((const float *)rx_tensor_data(some) + r * WIDTH,
                             (const float *)rx_tensor_data(all) + r * WIDTH, WIDTH * sizeof(float)) != 0;
        rx_value_release(some);
    }
    rx_value_release(all);
    rx_value_release(w);
    rx_context_release(context);
    free(data);
    unlink(path);
    rmdir(folder);
    return differ;
}

static void batches(void **state) {
    (void)state;
    assert_int_equal(rows_that_differ(true), 0);
    assert_true(rows_that_differ(false) > 0); // one row has a program of its own: the test can tell
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(batches), cmocka_unit_test(host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
