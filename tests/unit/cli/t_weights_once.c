// t_weights_once.c - what depends on weights alone runs once for weights that are set, again after one was set anew,
// and in each call that brings its weights along; results and messages are those of the function itself.
#define _GNU_SOURCE
#include "driver/driver.h"
#include "relax/runtime.h"
#include "test.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// w is laid out anew, g + 1 computed: both by kernels that the function of the weights runs.
static const char text_of[] =
    "@I.ir_module\nclass Module:\n    @R.function\n"
    "    def main(x: R.Tensor((\"n\", \"k\"), \"float32\"), w: R.Tensor((3, \"k\"), \"float32\"), "
    "g: R.Tensor((3,), \"float32\")):\n"
    "        n = T.int64()\n        k = T.int64()\n"
    "        R.func_attr({\"num_input\": 1})\n"
    "        with R.dataflow():\n"
    "            wt = R.permute_dims(w)\n"
    "            y = R.matmul(x, wt)\n"
    "            one = R.add(g, R.const(1.0, \"float32\"))\n"
    "            z = R.multiply(y, one)\n"
    "            R.output(z)\n"
    "        return z\n";

typedef struct fixture {
    rx_executable *exe;
    rx_context *c;
    rx_value *x, *w, *g, *g2;
    uint32_t of_weights, all; // kernels that ran
} fixture;

static rx_status count_kernels(void *user, const rx_event *e, char *message) {
    fixture *f = user;
    (void)message;
    if (e->work != RX_WORK_KERNEL) return RX_OK;
    f->all++;
    f->of_weights += strcmp(e->function, "main_transform_params") == 0;
    return RX_OK;
}

static rx_value *tensor_of(uint32_t rank, const int64_t *dim, float first) {
    rx_value *v = NULL;
    assert_int_equal(rx_tensor_new("float32", rank, dim, NULL, &v), RX_OK);
    float *at = rx_tensor_data(v);
    for (size_t i = 0; i < rx_tensor_bytes(v) / sizeof *at; i++) at[i] = first + (float)i;
    return v;
}

static void compile(const char *path) {
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    const source src = {.name = "once", .bytes = text_of, .size = sizeof text_of - 1};
    const char *target = "cpu:host";
    const driver_options o = {.target = &target, .targets = 1, .code = {.level = 2}, .jobs = 1};
    text t = TEXT_IN(mem);
    bool ok = driver_compile(&src, &o, path, d);
    diag_print(d, &t, false);
    if (!ok) fail_msg("%s", text_get(&t));
    arena_free(mem);
}

static int open_all(void **state) {
    static fixture f;
    char path[] = "/tmp/relax-once-XXXXXX", why[RX_MESSAGE];
    int fd = mkstemp(path);
    f = (fixture){0};
    compile(path);
    if (rx_executable_load(path, NULL, &f.exe, why) != RX_OK) fail_msg("%s", why);
    const rx_context_options o = {
        .struct_size = sizeof o, .threads = 1, .observer = count_kernels, .observer_user = &f};
    if (rx_context_new(f.exe, &o, &f.c, why) != RX_OK) fail_msg("%s", why);
    f.x = tensor_of(2, (int64_t[]){2, 4}, 1);
    f.w = tensor_of(2, (int64_t[]){3, 4}, -5);
    f.g = tensor_of(1, (int64_t[]){3}, 2);
    f.g2 = tensor_of(1, (int64_t[]){3}, 7);
    close(fd);
    unlink(path);
    *state = &f;
    return 0;
}

static int close_all(void **state) {
    fixture *f = *state;
    rx_context_release(f->c);
    rx_executable_release(f->exe);
    rx_value *all[] = {f->x, f->w, f->g, f->g2};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rx_value_release(all[i]);
    return 0;
}

static void set_weights(fixture *f, rx_value *w, rx_value *g) {
    assert_int_equal(rx_context_set_input_by_name(f->c, "main", "w", w), RX_OK);
    assert_int_equal(rx_context_set_input_by_name(f->c, "main", "g", g), RX_OK);
    f->of_weights = f->all = 0;
}

// x @ w.T * (g + 1), by hand.
static void must_be_right(const fixture *f, rx_value *y, rx_value *g) {
    const float *x = rx_tensor_data(f->x), *w = rx_tensor_data(f->w), *gain = rx_tensor_data(g),
                *at = rx_tensor_data(y);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            float sum = 0;
            for (int k = 0; k < 4; k++) sum += x[i * 4 + k] * w[j * 4 + k];
            assert_float_equal(at[i * 3 + j], sum * (gain[j] + 1), 1e-3);
        }
}

static void call(fixture *f, rx_value *g) {
    rx_value *y = NULL;
    if (rx_context_call(f->c, "main", &f->x, 1, &y) != RX_OK) fail_msg("%s", rx_context_message(f->c));
    must_be_right(f, y, g);
    rx_value_release(y);
}

static void once_while_set(void **state) {
    fixture *f = *state;
    set_weights(f, f->w, f->g);
    call(f, f->g);
    assert_int_equal(f->of_weights, 2);
    for (int i = 0; i < 3; i++) call(f, f->g);
    assert_int_equal(f->of_weights, 2);
    assert_int_equal(rx_context_set_input_by_name(f->c, "main", "g", f->g2), RX_OK);
    call(f, f->g2);
    call(f, f->g2);
    assert_int_equal(f->of_weights, 4);
}

// An input that is set says nothing about weights.
static void inputs_forget_nothing(void **state) {
    fixture *f = *state;
    rx_value *y = NULL;
    set_weights(f, f->w, f->g);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rx_context_set_input(f->c, "main", 0, f->x), RX_OK);
        assert_int_equal(rx_context_run(f->c, "main", &y), RX_OK);
        must_be_right(f, y, f->g);
        rx_value_release(y);
    }
    assert_int_equal(f->of_weights, 2);
}

// Weights that come along may have other contents each time.
static void each_time_when_passed(void **state) {
    fixture *f = *state;
    rx_value *y = NULL, *arg[] = {f->x, f->w, f->g2};
    set_weights(f, f->w, f->g);
    assert_int_equal(rx_context_call(f->c, "main", arg, 3, &y), RX_OK);
    must_be_right(f, y, f->g2);
    rx_value_release(y);
    assert_int_equal(f->of_weights, 0);
    call(f, f->g);
    assert_int_equal(f->of_weights, 2);
}

static void steady_state(void **state) {
    fixture *f = *state;
    rx_stats before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
    set_weights(f, f->w, f->g);
    for (int i = 0; i < 3; i++) call(f, f->g);
    rx_context_stats(f->c, &before);
    for (int i = 0; i < 5; i++) call(f, f->g);
    rx_context_stats(f->c, &after);
    assert_int_equal(before.allocations, after.allocations);
}

static void must_fail(fixture *f, rx_value *w, const char *message) {
    rx_value *y = NULL;
    set_weights(f, w, f->g);
    assert_int_not_equal(rx_context_call(f->c, "main", &f->x, 1, &y), RX_OK);
    assert_string_equal(rx_context_message(f->c), message);
    assert_null(y);
}

// The function's own words, whether the weights can't be or do not go with the inputs.
static void messages(void **state) {
    fixture *f = *state;
    rx_value *wide = tensor_of(2, (int64_t[]){3, 9}, 0), *tall = tensor_of(2, (int64_t[]){5, 4}, 0);
    must_fail(f, wide, "main: w.shape[1] is 9, but k is 4, bound by x.shape[1]");
    must_fail(f, tall, "main: w.shape[0] is 5, but must be 3");
    must_fail(f, NULL, "main: argument w is not set: want R.Tensor((3, k), dtype=\"float32\")");
    set_weights(f, f->w, f->g);
    call(f, f->g);
    rx_value_release(wide);
    rx_value_release(tall);
}

// They are not for callers.
static void not_public(void **state) {
    fixture *f = *state;
    assert_int_equal(rx_executable_function_count(f->exe), 1);
    assert_null(rx_executable_signature(f->exe, "main_transformed"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(once_while_set, open_all, close_all),
        cmocka_unit_test_setup_teardown(inputs_forget_nothing, open_all, close_all),
        cmocka_unit_test_setup_teardown(each_time_when_passed, open_all, close_all),
        cmocka_unit_test_setup_teardown(steady_state, open_all, close_all),
        cmocka_unit_test_setup_teardown(messages, open_all, close_all),
        cmocka_unit_test_setup_teardown(not_public, open_all, close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
