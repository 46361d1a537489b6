// t_compiler.c - the compiler's library from outside: texts, diagnostics, passes, compilation.
#include "base/attributes.h"
#include "relax/compiler.h"
#include "relax/runtime.h"
#include "test.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char twice[] = "@I.ir_module\nclass Module:\n    @R.function\n"
                            "    def main(x: R.Tensor((\"n\", 4), dtype=\"float32\")):\n"
                            "        y = R.add(x, x)\n"
                            "        z = R.multiply(x, x)\n"
                            "        return y\n";

static rx_session *open_session(void) {
    rx_session *s = NULL;
    assert_int_equal(rx_session_new(NULL, &s), RX_OK);
    return s;
}

static rx_module *read_text(rx_session *s, const char *text) {
    rx_module *m = NULL;
    if (rx_module_parse(s, "twice.py", text, strlen(text), &m) != RX_OK) fail_msg("%s", rx_session_report(s));
    return m;
}

static void test_diagnostics(void **state) {
    (void)state;
    rx_session *s = open_session();
    rx_module *m = (rx_module *)s; // anything but NULL
    const char *wrong =
        "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((\"n\",), \"float32\")):\n"
        "        return R.ad(x, x)\n";
    assert_int_equal(rx_module_parse(s, "wrong.py", wrong, strlen(wrong), &m), RX_INVALID_ARGUMENT);
    assert_null(m);
    rx_diagnostic d = {.struct_size = sizeof d};
    assert_true(rx_session_diagnostic_count(s) >= 1);
    assert_int_equal(rx_session_diagnostic(s, 0, &d), RX_OK);
    assert_int_equal(d.severity, RX_ERROR);
    assert_int_equal(d.line, 5);
    assert_non_null(strstr(d.message, "R.ad"));
    assert_non_null(strstr(rx_session_report(s), "wrong.py:5:"));
    assert_int_equal(rx_session_diagnostic(s, 1000, &d), RX_NOT_FOUND);
    // The next call forgets them.
    m = read_text(s, twice);
    assert_int_equal(rx_session_diagnostic_count(s), 0);
    assert_string_equal(rx_session_report(s), "");
    rx_module_release(m);
    rx_session_release(s);
}

// A struct whose size is not that of a version isn't touched.
static void test_struct_sizes(void **state) {
    (void)state;
    rx_session *s = open_session();
    rx_module *m = NULL;
    assert_int_equal(rx_module_parse(s, "x", "?", 1, &m), RX_INVALID_ARGUMENT);
    rx_diagnostic d = {.source = "kept"};
    for (d.struct_size = 0; d.struct_size < sizeof d; d.struct_size++) {
        assert_int_equal(rx_session_diagnostic(s, 0, &d), RX_INVALID_ARGUMENT);
        assert_string_equal(d.source, "kept");
    }
    assert_int_equal(rx_session_diagnostic(s, 0, &d), RX_OK);
    assert_string_equal(d.source, "x");
    rx_session_release(s);
}

static void test_text_and_names(void **state) {
    (void)state;
    rx_session *s = open_session();
    rx_module *a = read_text(s, twice), *b = read_text(s, rx_module_text(a));
    const char *difference = NULL;
    assert_true(rx_module_equal(a, b, &difference));
    assert_int_equal(rx_module_function_count(a), 1);
    assert_string_equal(rx_module_function_name(a, 0), "main");
    assert_true(rx_module_function_is_public(a, 0));
    assert_null(rx_module_function_name(a, 1));
    assert_false(rx_module_function_is_public(a, 1));
    rx_module_release(b);
    rx_module_release(a);
    rx_session_release(s);
}

static void test_passes(void **state) {
    (void)state;
    rx_session *s = open_session();
    rx_module *m = read_text(s, twice);
    assert_non_null(strstr(rx_module_text(m), "multiply"));
    assert_int_equal(rx_module_pass(m, "DeadCodeElimination", NULL), RX_OK);
    assert_null(strstr(rx_module_text(m), "multiply"));
    assert_int_equal(rx_module_pass(m, "DeadCode", NULL), RX_INVALID_ARGUMENT);
    assert_non_null(strstr(rx_session_report(s), "DeadCode"));
    assert_int_equal(rx_module_pass(m, "LegalizeOps", "gpu:none"), RX_INVALID_ARGUMENT);
    assert_true(rx_pass_count() > 20);
    assert_non_null(rx_pass_doc(0));
    assert_null(rx_pass_name(rx_pass_count()));
    rx_module_release(m);
    rx_session_release(s);
}

static void test_bounds(void **state) {
    (void)state;
    rx_session *s = open_session();
    rx_module *m = read_text(s, twice);
    assert_int_equal(rx_module_bound(m, "k", 0, 4), RX_NOT_FOUND);
    assert_int_equal(rx_module_bound(m, "n", 4, 1), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_module_bound(m, "n", 1, 16), RX_OK);
    assert_non_null(strstr(rx_module_text(m), "tir_var_upper_bound"));
    rx_module_release(m);
    rx_session_release(s);
}

static void call_compiled(const void *bytes, size_t size) {
    char message[RX_MESSAGE] = "";
    rx_executable *exe = NULL;
    rx_context *ctx = NULL;
    rx_value *x = NULL, *y = NULL;
    float data[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    if (rx_executable_load_memory(bytes, size, NULL, &exe, message) || rx_context_new(exe, NULL, &ctx, message))
        fail_msg("%s", message);
    assert_int_equal(rx_tensor_wrap("float32", 2, (int64_t[]){2, 4}, data, NULL, NULL, &x), RX_OK);
    if (rx_context_call(ctx, "main", &x, 1, &y)) fail_msg("%s", rx_context_message(ctx));
    const float *got = rx_tensor_data(y);
    for (int i = 0; i < 8; i++) assert_true(got[i] == 2 * data[i]);
    rx_value_release(x);
    rx_value_release(y);
    rx_context_release(ctx);
    rx_executable_release(exe);
}

static void test_compile_memory(void **state) {
    (void)state;
    rx_session *s = open_session();
    rx_module *m = read_text(s, twice);
    void *bytes = NULL;
    size_t size = 0;
    const rx_compile_options options = {.struct_size = sizeof options, .jobs = 1};
    if (rx_module_compile_memory(m, &options, &bytes, &size)) fail_msg("%s", rx_session_report(s));
    assert_int_equal((uintptr_t)bytes % 64, 0);
    call_compiled(bytes, size);
    rx_bytes_free(bytes);
    // The module is as it was, and compiles again.
    assert_non_null(strstr(rx_module_text(m), "R.add"));
    const char *assembly = NULL;
    assert_int_equal(rx_module_emit(m, NULL, RX_FORM_ASM, &assembly), RX_OK);
    assert_non_null(strstr(assembly, "ret"));
    rx_module_release(m);
    rx_session_release(s);
}

// One thread's compilation, in a session of its own.
typedef struct compilation {
    void *bytes;
    size_t size;
    rx_status status;
    char said[400];
} compilation;

static void *compile_alone(void *user) {
    compilation *c = user;
    rx_session *s = NULL;
    rx_module *m = NULL, *wrong = NULL;
    const rx_compile_options options = {.struct_size = sizeof options, .jobs = 2};
    c->status = rx_session_new(NULL, &s);
    if (c->status == RX_OK) c->status = rx_module_parse(s, "twice.py", twice, sizeof twice - 1, &m);
    for (int i = 0; i < 3 && c->status == RX_OK; i++) {
        rx_module_parse(s, "wrong.py", "class", 5, &wrong);
        rx_bytes_free(c->bytes);
        c->status = rx_module_compile_memory(m, &options, &c->bytes, &c->size);
    }
    snprintf(c->said, sizeof c->said, "%s", rx_session_report(s));
    rx_session_release(s);
    rx_module_release(m);
    return NULL;
}

// Sessions know nothing of one another: what they make at once is equal to the byte.
static void test_threads(void **state) {
    (void)state;
    compilation c[4] = {{.status = RX_INTERNAL}};
    pthread_t thread[COUNT(c)];
    for (size_t i = 0; i < COUNT(c); i++) assert_int_equal(pthread_create(&thread[i], NULL, compile_alone, &c[i]), 0);
    for (size_t i = 0; i < COUNT(c); i++) pthread_join(thread[i], NULL);
    for (size_t i = 0; i < COUNT(c); i++) {
        if (c[i].status != RX_OK) fail_msg("thread %zu: %s", i, c[i].said);
        assert_int_equal(c[i].size, c[0].size);
        assert_memory_equal(c[i].bytes, c[0].bytes, c[0].size);
    }
    call_compiled(c[0].bytes, c[0].size);
    for (size_t i = 0; i < COUNT(c); i++) rx_bytes_free(c[i].bytes);
}

static void test_bad_options(void **state) {
    (void)state;
    rx_session *s = open_session();
    rx_module *m = read_text(s, twice);
    const char *target[] = {"cpu:pdp-11"};
    void *bytes = NULL;
    size_t size = 0;
    const rx_compile_options wrong_target = {.struct_size = sizeof wrong_target, .target = target, .targets = 1};
    assert_int_equal(rx_module_compile_memory(m, &wrong_target, &bytes, &size), RX_INVALID_ARGUMENT);
    assert_null(bytes);
    assert_non_null(strstr(rx_session_report(s), "pdp-11"));
    const rx_compile_options no_size = {0};
    assert_int_equal(rx_module_compile_memory(m, &no_size, &bytes, &size), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_module_compile(m, NULL, "/nowhere/at/all.rlx"), RX_NOT_FOUND);
    assert_non_null(strstr(rx_session_report(s), "/nowhere/at/all.rlx"));
    rx_module *none = NULL;
    assert_int_equal(rx_module_read(s, "/nowhere/at/all.py", &none), RX_NOT_FOUND);
    rx_module_release(m);
    rx_session_release(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagnostics), cmocka_unit_test(test_struct_sizes), cmocka_unit_test(test_text_and_names),
        cmocka_unit_test(test_passes),      cmocka_unit_test(test_bounds),       cmocka_unit_test(test_compile_memory),
        cmocka_unit_test(test_bad_options), cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
