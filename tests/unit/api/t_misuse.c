// t_misuse.c - calls that make no sense: NULL for what is needed, option structs of no size, handles in a wrong order.
// Each is refused, and what is said of it names what is missing.
#define _POSIX_C_SOURCE 200809L
#include "base/attributes.h"
#include "relax/compiler.h"
#include "relax/runtime.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char script[] = "@I.ir_module\nclass Module:\n    @R.function\n"
                             "    def main(x: R.Tensor((\"n\", 4), dtype=\"float32\")):\n        return R.add(x, x)\n";

#define REFUSED(call) assert_int_equal((call), RX_INVALID_ARGUMENT)

static rx_session *session(void) {
    rx_session *s = NULL;
    assert_int_equal(rx_session_new(NULL, &s), RX_OK);
    return s;
}

static rx_module *module_of(rx_session *s) {
    rx_module *m = NULL;
    assert_int_equal(rx_module_parse(s, NULL, script, strlen(script), &m), RX_OK);
    return m;
}

static void expect_report(rx_session *s, const char *sentence) {
    if (!strstr(rx_session_report(s), sentence)) fail_msg("want \"%s\" in: %s", sentence, rx_session_report(s));
}

// ---- the compiler ----

static void test_sessions(void **state) {
    (void)state;
    rx_session *s = session();
    rx_module *m = NULL;
    REFUSED(rx_session_new(NULL, NULL));
    REFUSED(rx_session_new(&(rx_session_options){.struct_size = 3}, &(rx_session *){NULL}));
    REFUSED(rx_session_diagnostic(s, 0, NULL));
    REFUSED(rx_session_diagnostic(NULL, 0, &(rx_diagnostic){.struct_size = sizeof(rx_diagnostic)}));
    assert_int_equal(rx_session_diagnostic_count(NULL), 0);
    assert_string_equal(rx_session_report(NULL), "");
    REFUSED(rx_module_parse(NULL, "a", script, 4, &m));
    REFUSED(rx_module_parse(s, "a", script, 4, NULL));
    REFUSED(rx_module_parse(s, "a", NULL, 5, &m));
    expect_report(s, "want the text of a module, got NULL");
    REFUSED(rx_module_read(NULL, "a", &m));
    REFUSED(rx_module_read(s, "a", NULL));
    REFUSED(rx_module_read(s, NULL, &m));
    expect_report(s, "want the path of a file, got NULL");
    FILE *f = fopen("t_misuse_model.py", "wb");
    assert_true(f && fputs("GGUF, or something like it", f) >= 0 && fclose(f) == 0);
    REFUSED(rx_module_read(s, "t_misuse_model.py", &m));
    expect_report(s, "t_misuse_model.py: want the text of a module, this is a model");
    remove("t_misuse_model.py");
    assert_null(m);
    rx_session_release(NULL);
    rx_session_release(s);
}

// What the linker of kernels meets: no place for its files, or that it isn't there.
static void refused_by_machine(rx_session *s, rx_module *m) {
    const struct {
        const char *variable, *says;
        rx_status status;
    } broken[] = {{"TMPDIR", "can't make a folder in /no/such/folder", RX_IO},
                  {"PATH", "can't run ld.lld-22", RX_NOT_FOUND}};
    for (size_t i = 0; i < COUNT(broken); i++) {
        char *kept = getenv(broken[i].variable) ? strdup(getenv(broken[i].variable)) : NULL;
        setenv(broken[i].variable, "/no/such/folder", 1);
        assert_int_equal(rx_module_compile(m, NULL, "refused.rlx"), broken[i].status);
        expect_report(s, broken[i].says);
        assert_int_equal(rx_session_diagnostic_count(s), 1);
        if (kept)
            setenv(broken[i].variable, kept, 1);
        else
            unsetenv(broken[i].variable);
        free(kept);
    }
}

static void test_modules(void **state) {
    (void)state;
    rx_session *s = session();
    rx_module *m = module_of(s);
    const char *out = "", *no_target[] = {NULL};
    void *bytes = NULL;
    size_t size = 0;
    assert_null(rx_module_text(NULL));
    assert_int_equal(rx_module_function_count(NULL), 0);
    assert_null(rx_module_function_name(NULL, 0));
    assert_null(rx_module_function_name(m, 1));
    assert_false(rx_module_function_is_public(NULL, 0));
    assert_false(rx_module_equal(m, NULL, &out));
    assert_false(rx_module_equal(NULL, m, NULL));
    REFUSED(rx_module_bound(NULL, "n", 0, 1));
    REFUSED(rx_module_bound(m, NULL, 0, 1));
    REFUSED(rx_module_pass(NULL, "FuseOps", NULL));
    REFUSED(rx_module_pass(m, NULL, NULL));
    expect_report(s, "want the spelling of passes, got NULL");
    REFUSED(rx_module_pass(m, "FuseOps", "z80"));
    REFUSED(rx_module_pipeline(NULL, NULL, NULL));
    REFUSED(rx_module_compile(NULL, NULL, "x.rlx"));
    REFUSED(rx_module_compile(m, NULL, NULL));
    expect_report(s, "want the path of a file to write, got NULL");
    REFUSED(rx_module_compile(m, &(rx_compile_options){.struct_size = 7}, "x.rlx"));
    REFUSED(
        rx_module_compile(m, &(rx_compile_options){.struct_size = sizeof(rx_compile_options), .targets = 2}, "x.rlx"));
    REFUSED(rx_module_compile(
        m, &(rx_compile_options){.struct_size = sizeof(rx_compile_options), .targets = 1, .target = no_target},
        "x.rlx"));
    expect_report(s, "targets: number 0 of 1 is NULL");
    REFUSED(rx_module_compile(
        m, &(rx_compile_options){.struct_size = sizeof(rx_compile_options), .jobs = RX_MAX_THREADS + 1}, "x.rlx"));
    expect_report(s, "jobs: want 0 to 1024, got 1025");
    // What the machine refuses has its own status; messages don't speak of the command line.
    assert_int_equal(rx_module_compile(m, NULL, "no/such/folder/x.rlx"), RX_NOT_FOUND);
    expect_report(s, "no/such/folder/x.rlx: can't write into its folder");
    assert_int_equal(rx_module_compile(m,
                                       &(rx_compile_options){.struct_size = sizeof(rx_compile_options),
                                                             .weights = "no/such/weights.npz"},
                                       "x.rlx"),
                     RX_NOT_FOUND);
    refused_by_machine(s, m);
    assert_int_equal(rx_module_bound(m, "zz", 0, 1), RX_NOT_FOUND);
    expect_report(s, "no function has a size named zz, which a bound is given for");
    REFUSED(rx_module_pass(m, "", NULL));
    expect_report(s, "want the name of a pass, got an empty one");
    REFUSED(rx_module_pass(m, "Nothing", NULL));
    assert_null(strstr(rx_session_report(s), "relax opt"));
    REFUSED(rx_module_compile_memory(NULL, NULL, &bytes, &size));
    REFUSED(rx_module_compile_memory(m, NULL, NULL, &size));
    REFUSED(rx_module_compile_memory(m, NULL, &bytes, NULL));
    REFUSED(rx_module_emit(m, NULL, RX_FORM_IR, NULL));
    REFUSED(rx_module_emit(m, NULL, (rx_form)9, &out));
    assert_null(out);
    rx_module_release(NULL);
    rx_bytes_free(NULL);
    rx_module_release(m);
    rx_session_release(s);
}

// A session goes with the last of what was made in it.
static void test_order(void **state) {
    (void)state;
    rx_session *s = session();
    rx_module *m = module_of(s), *built = NULL;
    rx_builder *b = NULL;
    assert_int_equal(rx_builder_new(s, &b), RX_OK);
    rx_session_release(s);
    assert_int_equal(rx_module_pass(m, "LegalizeOps", NULL), RX_OK);
    assert_int_equal(rx_builder_finish(b, &built), RX_OK);
    rx_module_release(m);
    rx_builder_release(b);
    assert_non_null(rx_module_text(built));
    rx_module_release(built);
}

typedef rx_status mistake(rx_builder *b);
static rx_status no_name(rx_builder *b) { return rx_builder_param(b, NULL, "R.Object", NULL); }
static rx_status no_annotation(rx_builder *b) { return rx_builder_param(b, "x", NULL, NULL); }
static rx_status no_symbol(rx_builder *b) { return rx_builder_symbol(b, NULL); }
static rx_status no_key(rx_builder *b) { return rx_builder_attr(b, NULL, "1"); }
static rx_status no_value(rx_builder *b) { return rx_builder_attr(b, "a", NULL); }
static rx_status no_result(rx_builder *b) { return rx_builder_result(b, NULL); }
static rx_status no_text(rx_builder *b) { return rx_builder_text(b, NULL, NULL, 3); }
static rx_status no_outputs(rx_builder *b) { return rx_builder_output(b, NULL, 2); }
static rx_status no_returned(rx_builder *b) { return rx_builder_return(b, NULL, 1); }
static rx_status no_operator(rx_builder *b) { return rx_builder_op(b, NULL, NULL, 0, NULL, NULL); }
static rx_status no_operands(rx_builder *b) { return rx_builder_op(b, "add", NULL, 2, NULL, NULL); }
static rx_status no_callee(rx_builder *b) { return rx_builder_call(b, NULL, NULL, 0, NULL); }
static rx_status no_arguments(rx_builder *b) { return rx_builder_call(b, "f", NULL, 1, NULL); }
static rx_status no_expression(rx_builder *b) { return rx_builder_bind(b, "y", NULL, NULL); }
static rx_status no_items(rx_builder *b) { return rx_builder_tuple(b, NULL, 3, NULL); }
static rx_status no_dtype(rx_builder *b) { return rx_builder_constant(b, NULL, 0, NULL, "abcd", NULL); }
static rx_status no_dims(rx_builder *b) { return rx_builder_constant(b, "float32", 1, NULL, "abcd", NULL); }
static rx_status no_data(rx_builder *b) { return rx_builder_constant(b, "float32", 0, NULL, NULL, NULL); }
static rx_status no_closure(rx_builder *b) { return rx_builder_closure(b, NULL); }
static rx_status no_condition(rx_builder *b) { return rx_builder_if(b, NULL); }
static rx_status no_function(rx_builder *b) { return rx_builder_function(b, NULL, 0); }

static void test_builders(void **state) {
    (void)state;
    static mistake *const known[] = {no_name,      no_annotation, no_symbol,   no_key,      no_value,    no_result,
                                     no_text,      no_outputs,    no_returned, no_operator, no_operands, no_callee,
                                     no_arguments, no_expression, no_items,    no_dtype,    no_dims,     no_data,
                                     no_closure,   no_condition,  no_function};
    rx_session *s = session();
    REFUSED(rx_builder_new(NULL, &(rx_builder *){NULL}));
    REFUSED(rx_builder_new(s, NULL));
    for (size_t i = 0; i < COUNT(known); i++)
        for (int open = 0; open < 2; open++) { // in a function, and without one
            rx_builder *b = NULL;
            assert_int_equal(rx_builder_new(s, &b), RX_OK);
            if (open) assert_int_equal(rx_builder_function(b, "main", 0), RX_OK);
            REFUSED(known[i](b));
            REFUSED(known[i](NULL));
            assert_true(*rx_session_report(s) != 0);
            REFUSED(rx_builder_finish(b, &(rx_module *){NULL}));
            REFUSED(rx_builder_finish(b, NULL));
            rx_builder_release(b);
        }
    REFUSED(rx_builder_finish(NULL, &(rx_module *){NULL}));
    assert_null(rx_var_name(NULL));
    assert_null(rx_var_annotation(NULL));
    rx_builder_release(NULL);
    rx_session_release(s);
}

// ---- the runtime ----

static void expect_message(const char *message, const char *sentence) {
    if (!strstr(message, sentence)) fail_msg("want \"%s\" in: %s", sentence, message);
}

static rx_executable *executable_of(void **bytes) {
    rx_session *s = session();
    rx_module *m = module_of(s);
    rx_executable *e = NULL;
    size_t size = 0;
    const rx_compile_options options = {.struct_size = sizeof options, .jobs = 1};
    assert_int_equal(rx_module_compile_memory(m, &options, bytes, &size), RX_OK);
    assert_int_equal(rx_executable_load_memory(*bytes, size, NULL, &e, NULL), RX_OK);
    rx_module_release(m);
    rx_session_release(s);
    return e;
}

static void *take_memory(void *user, size_t size) {
    (void)user, (void)size;
    return NULL;
}

static void test_executables(void **state) {
    (void)state;
    char message[RX_MESSAGE];
    void *bytes = NULL;
    size_t size = 1;
    rx_executable *e = executable_of(&bytes), *none = NULL;
    rx_symbol symbol;
    REFUSED(rx_executable_load(NULL, NULL, &none, message));
    expect_message(message, "want the path of a file, got NULL");
    REFUSED(rx_executable_load("x.rlx", NULL, NULL, NULL));
    REFUSED(rx_executable_load("x.rlx", &(rx_load_options){0}, &none, message));
    expect_message(message, "struct_size is 0; set it to sizeof(rx_load_options), which is ");
    REFUSED(rx_executable_load(
        "x.rlx", &(rx_load_options){.struct_size = sizeof(rx_load_options), .allocator.take = take_memory}, &none,
        message));
    expect_message(message, "one of take and give");
    REFUSED(rx_executable_load_memory(NULL, 100, NULL, &none, message));
    REFUSED(rx_executable_load_memory(bytes, 100, NULL, NULL, message));
    assert_null(rx_executable_retain(NULL));
    assert_int_equal(rx_executable_function_count(NULL), 0);
    assert_null(rx_executable_function_name(NULL, 0));
    assert_null(rx_executable_signature(e, NULL));
    assert_null(rx_executable_signature(NULL, "main"));
    assert_int_equal(rx_executable_param_count(e, NULL), 0);
    assert_null(rx_executable_param_name(e, NULL, 0));
    assert_null(rx_executable_param_annotation(e, "main", 9));
    assert_false(rx_executable_param_is_donated(NULL, "main", 0));
    assert_null(rx_executable_result_annotation(e, NULL));
    assert_int_equal(rx_executable_symbol(e, NULL, 0, &symbol), RX_NOT_FOUND);
    REFUSED(rx_executable_symbol(e, "main", 0, NULL));
    assert_null(rx_executable_metadata(e, NULL, &size));
    assert_int_equal(size, 0);
    rx_executable_release(NULL);
    rx_executable_release(e);
    rx_bytes_free(bytes);
}

static void test_values(void **state) {
    (void)state;
    rx_value *v = NULL, *x = NULL;
    char message[RX_MESSAGE];
    int64_t dim[] = {4};
    assert_int_equal(rx_tensor_new("float32", 1, dim, NULL, &x), RX_OK);
    REFUSED(rx_tensor_new("float32", 1, dim, NULL, NULL));
    REFUSED(rx_tensor_new("float32", 1, NULL, NULL, &v));
    REFUSED(rx_tensor_new(NULL, 0, NULL, NULL, &v));
    REFUSED(rx_tensor_new("float32", 1, dim, &(rx_allocator){.take = take_memory}, &v));
    REFUSED(rx_tensor_wrap("float32", 1, dim, NULL, NULL, NULL, &v));
    REFUSED(rx_tensor_wrap("float32", 1, NULL, message, NULL, NULL, &v));
    REFUSED(rx_tensor_wrap("float32", 0, NULL, message, NULL, NULL, NULL));
    REFUSED(rx_tensor_from_dlpack(NULL, &v));
    REFUSED(rx_tensor_from_dlpack_versioned(NULL, &v));
    REFUSED(rx_tensor_to_dlpack(x, NULL));
    REFUSED(rx_tensor_to_dlpack_versioned(x, NULL));
    REFUSED(rx_tensor_set_read_only(NULL));
    REFUSED(rx_int_new(NULL, 1, &v));
    REFUSED(rx_int_new("int8", 1, NULL));
    REFUSED(rx_float_new("float32", 1, NULL));
    REFUSED(rx_shape_new(1, NULL, &v));
    REFUSED(rx_shape_new(0, NULL, NULL));
    REFUSED(rx_string_new(NULL, 4, &v));
    REFUSED(rx_tuple_new(NULL, 3, &v));
    REFUSED(rx_value_int(x, NULL));
    REFUSED(rx_value_float(NULL, &(double){0}));
    REFUSED(rx_value_item(x, 0, NULL));
    REFUSED(rx_value_parse(NULL, 0, &v, message));
    REFUSED(rx_value_parse("3", 0, NULL, message));
    REFUSED(rx_tensor_load(NULL, &v, message));
    REFUSED(rx_tensor_save(x, NULL, message));
    expect_message(message, "want the path of a file, got NULL");
    assert_null(v);
    rx_value_release(x);
}

static void test_contexts(void **state) {
    (void)state;
    char message[RX_MESSAGE];
    void *bytes = NULL;
    rx_executable *e = executable_of(&bytes);
    rx_context *c = NULL, *none = NULL;
    rx_value *out = NULL;
    rx_queue *q = NULL;
    rx_registry *r = NULL;
    rx_stats stats = {.struct_size = sizeof stats, .calls = 7};
    REFUSED(rx_context_new(NULL, NULL, &none, message));
    expect_message(message, "want an executable, got NULL");
    REFUSED(rx_context_new(e, NULL, NULL, NULL));
    REFUSED(rx_context_new(e, &(rx_context_options){.threads = 1}, &none, message));
    expect_message(message, "struct_size");
    rx_context_options many = {.struct_size = sizeof many, .threads = RX_MAX_THREADS + 1};
    REFUSED(rx_context_new(e, &many, &none, message));
    expect_message(message, "threads: want 0 to 1024, got 1025");
    REFUSED(rx_queue_new(e, NULL, RX_MAX_THREADS + 1, &q, message));
    expect_message(message, "workers: want 0 to 1024, got 1025");
    assert_int_equal(rx_context_new(e, NULL, &c, message), RX_OK);
    many.share_threads = c; // whose threads they are then
    assert_int_equal(rx_context_new(e, &many, &none, message), RX_OK);
    rx_context_release(none), none = NULL;
    REFUSED(rx_context_call(NULL, "main", NULL, 0, &out));
    REFUSED(rx_context_call(c, "main", NULL, 1, NULL));
    REFUSED(rx_context_call(c, "main", NULL, 1, &out));
    expect_message(rx_context_message(c), "main: want 1 argument, got NULL");
    REFUSED(rx_context_call(c, "main", (rx_value *[]){NULL}, 1, &out));
    expect_message(rx_context_message(c), "argument x is not set");
    REFUSED(rx_context_call(c, NULL, NULL, 0, &out));
    expect_message(rx_context_message(c), "want the name of a function, got NULL");
    REFUSED(rx_context_call_number(c, 0, NULL, 1, &out));
    REFUSED(rx_context_set_input(c, NULL, 0, NULL));
    REFUSED(rx_context_set_input(c, "main", 9, NULL));
    REFUSED(rx_context_set_input_by_name(c, "main", NULL, NULL));
    REFUSED(rx_context_run(c, NULL, &out));
    REFUSED(rx_context_run(c, "main", NULL));
    assert_null(rx_context_input(c, NULL, 0));
    assert_string_equal(rx_context_message(NULL), "");
    rx_context_cancel(NULL);
    rx_context_trim(NULL);
    REFUSED(rx_context_stats(NULL, &stats));
    REFUSED(rx_context_stats(c, NULL));
    REFUSED(rx_context_stats(c, &(rx_stats){.struct_size = offsetof(rx_stats, variant) + 3}));
    assert_int_equal(stats.calls, 7);
    REFUSED(rx_registry_new(NULL));
    assert_int_equal(rx_registry_new(&r), RX_OK);
    REFUSED(rx_registry_add(r, "f", NULL, NULL));
    rx_registry_release(r);
    REFUSED(rx_queue_new(NULL, NULL, 1, &q, message));
    REFUSED(rx_queue_new(e, NULL, 1, NULL, message));
    REFUSED(rx_queue_submit(NULL, "main", NULL, 0, NULL, NULL));
    rx_queue_wait(NULL);
    rx_queue_release(NULL);
    rx_context_release(c);
    rx_executable_release(e);
    rx_bytes_free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sessions), cmocka_unit_test(test_modules),     cmocka_unit_test(test_order),
        cmocka_unit_test(test_builders), cmocka_unit_test(test_executables), cmocka_unit_test(test_values),
        cmocka_unit_test(test_contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
