// t_vm_boundary.c - what a caller may pass: the checks of public functions and their exact words.
#include "base/postfix.h"
#include "fixture.h"
#include <string.h>

static const dtype f32 = {.kind = DTYPE_F32, .lanes = 1}, i64 = {.kind = DTYPE_I64, .lanes = 1};

// main(a: (n, 128), b: (n,), c: (n*4, m), s: Shape((m, n+1)), t: ((k,), k), x: R.Object) -> a
static fixture checked(void) {
    fixture f = fixture_new();
    uint32_t k_dim = tensor_of(&f, "R.Tensor((k,), dtype=\"float32\")", f32, 1, (const char *[]){"!k"});
    exec_dim value = {.kind = DIM_CHECK, .index = exec_writer_slot(f.w, 2), .text = exec_writer_string(f.w, "k")};
    uint32_t k_value =
        exec_writer_annotation(f.w, &(exec_annotation){.kind = ANNOTATION_PRIM,
                                                       .type = i64,
                                                       .rank = -1,
                                                       .dims = 1,
                                                       .dim = &value,
                                                       .text = exec_writer_string(f.w, "R.Prim(value=k)")});
    uint32_t pair = exec_writer_annotation(
        f.w, &(exec_annotation){.kind = ANNOTATION_TUPLE,
                                .rank = -1,
                                .fields = 2,
                                .field = (uint32_t[]){k_dim, k_value},
                                .text = exec_writer_string(f.w, "R.Tuple(R.Tensor((k,)), R.Prim(value=k))")});
    uint32_t object =
        exec_writer_annotation(f.w, &(exec_annotation){.rank = -1, .text = exec_writer_string(f.w, "R.Object")});
    exec_param p[] = {
        param(&f, "a", tensor_of(&f, "R.Tensor((n, 128), dtype=\"float32\")", f32, 2, (const char *[]){"!n", "128"})),
        param(&f, "b", tensor_of(&f, "R.Tensor((n,), dtype=\"float32\")", f32, 1, (const char *[]){"n"})),
        param(&f, "c", tensor_of(&f, "R.Tensor((n * 4, m), dtype=\"float32\")", f32, 2, (const char *[]){"n*4", "!m"})),
        param(&f, "s", shape_of(&f, "R.Shape([m, n + 1])", 2, (const char *[]){"m", "n+1"})),
        param(&f, "t", pair),
        param(&f, "x", object),
    };
    exec_symbol symbol[] = {
        {.name = exec_writer_string(f.w, "n"), .slot = 0, .lower = 0, .upper = 64, .multiple = 1},
        {.name = exec_writer_string(f.w, "m"), .slot = 1, .lower = 1, .upper = INT64_MAX, .multiple = 8},
        {.name = exec_writer_string(f.w, "k"), .slot = 2, .lower = 0, .upper = INT64_MAX, .multiple = 1},
    };
    uint32_t i = exec_writer_function(f.w, &(exec_function){.name = exec_writer_string(f.w, "main"),
                                                            .flags = FUNCTION_PUBLIC,
                                                            .params = 6,
                                                            .num_input = 6,
                                                            .param = p,
                                                            .result = p[0].annotation,
                                                            .symbols = 3,
                                                            .symbol = symbol,
                                                            .registers = 6,
                                                            .slots = 3});
    exec_writer_begin(f.w, i);
    EMIT(&f, OP_RET, 0);
    return f;
}

typedef struct call_args {
    rx_value *v[6];
} call_args;

static rx_value *tensor(const char *type, unsigned rank, const int64_t *dim) {
    rx_value *v;
    assert_int_equal(rx_tensor_new(type, rank, dim, NULL, &v), RX_OK);
    return v;
}

static rx_value *pair_of(int64_t k, int64_t value) {
    rx_value *item[2] = {tensor("float32", 1, &k)}, *v;
    assert_int_equal(rx_int_new("int64", value, &item[1]), RX_OK);
    assert_int_equal(rx_tuple_new(item, 2, &v), RX_OK);
    for (int i = 0; i < 2; i++) rx_value_release(item[i]);
    return v;
}

static rx_value *shape(unsigned rank, const int64_t *dim) {
    rx_value *v;
    assert_int_equal(rx_shape_new(rank, dim, &v), RX_OK);
    return v;
}

static call_args good(int64_t n) {
    return (call_args){{tensor("float32", 2, (int64_t[]){n, 128}), tensor("float32", 1, (int64_t[]){n}),
                        tensor("float32", 2, (int64_t[]){n * 4, 8}), shape(2, (int64_t[]){8, n + 1}), pair_of(3, 3),
                        NULL}};
}

static void release(call_args *a) {
    for (int i = 0; i < 6; i++) rx_value_release(a->v[i]);
}

static void expect(fixture *f, call_args *a, rx_status want, const char *message) {
    rx_value *out;
    rx_status got = rx_context_call(f->ctx, "main", a->v, 6, &out);
    if (strcmp(rx_context_message(f->ctx), message) != 0)
        fail_msg("want %s\n got %s", message, rx_context_message(f->ctx));
    assert_int_equal(got, want);
    rx_value_release(out);
}

// Replaces one argument of a good call and expects a message.
static void expect_with(fixture *f, int i, rx_value *v, rx_status want, const char *message) {
    call_args a = good(3);
    rx_value_release(a.v[i]);
    a.v[i] = v;
    expect(f, &a, want, message);
    release(&a);
}

static void test_good(void **state) {
    (void)state;
    fixture f = checked();
    fixture_load(&f, NULL);
    assert_string_equal(
        rx_executable_signature(f.exe, "main"),
        "main(a: R.Tensor((n, 128), dtype=\"float32\"), b: R.Tensor((n,), dtype=\"float32\"), c: R.Tensor((n * 4, m), "
        "dtype=\"float32\"), s: R.Shape([m, n + 1]), t: R.Tuple(R.Tensor((k,)), R.Prim(value=k)), x: R.Object) -> "
        "R.Tensor((n, 128), dtype=\"float32\")");
    assert_string_equal(rx_executable_result_annotation(f.exe, "main"), "R.Tensor((n, 128), dtype=\"float32\")");
    assert_null(rx_executable_result_annotation(f.exe, "mian"));
    assert_string_equal(rx_device_name(0), "cpu");
    assert_string_equal(rx_device_name(1), "dry-run");
    assert_null(rx_device_name(2));
    for (int64_t n = 0; n <= 64; n += 32) {
        call_args a = good(n);
        expect(&f, &a, RX_OK, "");
        release(&a);
    }
    fixture_free(&f);
}

// Scalars count as their values, also inside of a tuple; a tuple of integers is the shape that is wanted.
static void test_scalars(void **state) {
    (void)state;
    fixture f = checked();
    fixture_load(&f, NULL);
    call_args a = good(3);
    rx_value *item[2] = {tensor("float32", 1, (int64_t[]){3})}, *dim[2];
    assert_int_equal(rx_int_new("int8", 3, &item[1]), RX_OK);
    rx_value_release(a.v[4]);
    assert_int_equal(rx_tuple_new(item, 2, &a.v[4]), RX_OK);
    assert_int_equal(rx_int_new("int32", 8, &dim[0]), RX_OK);
    assert_int_equal(rx_int_new("uint64", 4, &dim[1]), RX_OK);
    rx_value_release(a.v[3]);
    assert_int_equal(rx_tuple_new(dim, 2, &a.v[3]), RX_OK);
    for (int i = 0; i < 2; i++) expect(&f, &a, RX_OK, "");
    // What has no value there is told as it came.
    rx_value_release(item[1]);
    assert_int_equal(rx_float_new("float32", 3, &item[1]), RX_OK);
    rx_value_release(a.v[4]);
    assert_int_equal(rx_tuple_new(item, 2, &a.v[4]), RX_OK);
    expect(&f, &a, RX_SHAPE_MISMATCH, "main: t[1] has dtype float32, but must have int64");
    release(&a);
    for (int i = 0; i < 2; i++) rx_value_release(item[i]), rx_value_release(dim[i]);
    fixture_free(&f);
}

static void test_dims(void **state) {
    (void)state;
    fixture f = checked();
    fixture_load(&f, NULL);
    expect_with(&f, 1, tensor("float32", 1, (int64_t[]){7}), RX_SHAPE_MISMATCH,
                "main: b.shape[0] is 7, but n is 3, bound by a.shape[0]");
    expect_with(&f, 1, tensor("float32", 1, (int64_t[]){1}), RX_SHAPE_MISMATCH,
                "main: b.shape[0] is 1, but n is 3, bound by a.shape[0]");
    expect_with(&f, 0, tensor("float32", 2, (int64_t[]){3, 64}), RX_SHAPE_MISMATCH,
                "main: a.shape[1] is 64, but must be 128");
    expect_with(&f, 0, tensor("float32", 2, (int64_t[]){3, 1}), RX_SHAPE_MISMATCH,
                "main: a.shape[1] is 1, but must be 128");
    expect_with(&f, 2, tensor("float32", 2, (int64_t[]){13, 8}), RX_SHAPE_MISMATCH,
                "main: c.shape[0] is 13, but n*4 is 12, as n is 3, bound by a.shape[0]");
    expect_with(&f, 3, shape(2, (int64_t[]){9, 4}), RX_SHAPE_MISMATCH,
                "main: s[0] is 9, but m is 8, bound by c.shape[1]");
    expect_with(&f, 3, shape(2, (int64_t[]){8, 5}), RX_SHAPE_MISMATCH,
                "main: s[1] is 5, but n+1 is 4, as n is 3, bound by a.shape[0]");
    expect_with(&f, 4, pair_of(4, 5), RX_SHAPE_MISMATCH, "main: t[1] is 5, but k is 4, bound by t[0].shape[0]");
    fixture_free(&f);
}

static void test_kinds(void **state) {
    (void)state;
    fixture f = checked();
    fixture_load(&f, NULL);
    expect_with(&f, 0, tensor("float64", 2, (int64_t[]){3, 128}), RX_SHAPE_MISMATCH,
                "main: a has dtype float64, but must have float32");
    expect_with(&f, 0, tensor("float32", 1, (int64_t[]){3}), RX_SHAPE_MISMATCH,
                "main: a has 1 dim, but must have 2: R.Tensor((n, 128), dtype=\"float32\")");
    expect_with(&f, 0, shape(1, (int64_t[]){3}), RX_INVALID_ARGUMENT,
                "main: a is a shape, but must be R.Tensor((n, 128), dtype=\"float32\")");
    expect_with(&f, 0, NULL, RX_INVALID_ARGUMENT,
                "main: argument a is not set: want R.Tensor((n, 128), dtype=\"float32\")");
    expect_with(&f, 3, tensor("float32", 1, (int64_t[]){3}), RX_INVALID_ARGUMENT,
                "main: s is a tensor, but must be R.Shape([m, n + 1])");
    expect_with(&f, 3, shape(1, (int64_t[]){3}), RX_SHAPE_MISMATCH,
                "main: s has 1 dim, but must have 2: R.Shape([m, n + 1])");
    rx_value *empty;
    assert_int_equal(rx_tuple_new(NULL, 0, &empty), RX_OK);
    expect_with(&f, 4, empty, RX_INVALID_ARGUMENT,
                "main: t has 0 fields, but must have 2: R.Tuple(R.Tensor((k,)), R.Prim(value=k))");
    fixture_free(&f);
}

static void test_bounds(void **state) {
    (void)state;
    fixture f = checked();
    fixture_load(&f, NULL);
    call_args a = good(65);
    expect(&f, &a, RX_SHAPE_MISMATCH, "main: a.shape[0] is 65, but n must be at most 64");
    release(&a);
    a = good(3);
    rx_value_release(a.v[2]);
    rx_value_release(a.v[3]);
    a.v[2] = tensor("float32", 2, (int64_t[]){12, 9});
    a.v[3] = shape(2, (int64_t[]){9, 4});
    expect(&f, &a, RX_SHAPE_MISMATCH, "main: c.shape[1] is 9, but m must be a multiple of 8");
    rx_value_release(a.v[2]);
    rx_value_release(a.v[3]);
    a.v[2] = tensor("float32", 2, (int64_t[]){12, 0});
    a.v[3] = shape(2, (int64_t[]){0, 4});
    expect(&f, &a, RX_SHAPE_MISMATCH, "main: c.shape[1] is 0, but m must be at least 1");
    release(&a);
    fixture_free(&f);
}

static void test_counts_and_names(void **state) {
    (void)state;
    fixture f = checked();
    fixture_load(&f, NULL);
    call_args a = good(3);
    rx_value *out;
    assert_int_equal(rx_context_call(f.ctx, "main", a.v, 2, &out), RX_INVALID_ARGUMENT);
    assert_string_equal(rx_context_message(f.ctx), "main: got 2 arguments, want 6: a, b, c, s, t, x");
    assert_int_equal(rx_context_call(f.ctx, "other", a.v, 2, &out), RX_NOT_FOUND);
    assert_string_equal(rx_context_message(f.ctx), "no public function is called other; there are: main");
    assert_int_equal(rx_context_set_input_by_name(f.ctx, "main", "q", a.v[0]), RX_NOT_FOUND);
    assert_int_equal(rx_context_set_input(f.ctx, "main", 6, a.v[0]), RX_INVALID_ARGUMENT);
    // By name, and again without setting them.
    for (int i = 0; i < 6; i++)
        assert_int_equal(
            rx_context_set_input_by_name(f.ctx, "main", rx_executable_param_name(f.exe, "main", (uint32_t)i), a.v[i]),
            RX_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rx_context_run(f.ctx, "main", &out), RX_OK);
        assert_ptr_equal(out, a.v[0]);
        rx_value_release(out);
    }
    assert_ptr_equal(rx_context_input(f.ctx, "main", 1), a.v[1]);
    assert_int_equal(rx_context_set_input(f.ctx, "main", 1, NULL), RX_OK);
    assert_int_equal(rx_context_run(f.ctx, "main", &out), RX_INVALID_ARGUMENT);
    rx_symbol s;
    assert_int_equal(rx_executable_symbol(f.exe, "main", 1, &s), RX_OK);
    assert_string_equal(s.name, "m");
    assert_int_equal(s.multiple, 8);
    assert_int_equal(rx_executable_symbol(f.exe, "main", 3, &s), RX_NOT_FOUND);
    release(&a);
    fixture_free(&f);
}

// match_cast inside a function: main(x: any 1-d tensor) with u = match_cast(x, (m,)), then (m, m) of another.
static void test_match_cast(void **state) {
    (void)state;
    fixture f = fixture_new();
    uint32_t any = exec_writer_annotation(
        f.w, &(exec_annotation){.kind = ANNOTATION_TENSOR, .type = f32, .rank = -1, .text = EXEC_NONE});
    exec_param p[] = {param(&f, "x", any), param(&f, "y", any)};
    function(&f, "main", p, 2, 2);
    uint32_t u =
        exec_writer_constant(f.w, &(exec_constant){.kind = CONSTANT_STRING, .bytes = {(const uint8_t *)"u", 1}});
    uint32_t v =
        exec_writer_constant(f.w, &(exec_constant){.kind = CONSTANT_STRING, .bytes = {(const uint8_t *)"v", 1}});
    EMIT(&f, OP_MATCH, 0, tensor_of(&f, "R.Tensor((m,), dtype=\"float32\")", f32, 1, (const char *[]){"!m"}), u);
    EMIT(&f, OP_MATCH, 1, tensor_of(&f, "R.Tensor((m, 2), dtype=\"float32\")", f32, 2, (const char *[]){"m", "2"}), v);
    EMIT(&f, OP_RET, 1);
    fixture_load(&f, NULL);
    rx_value *arg[] = {tensor("float32", 1, (int64_t[]){3}), tensor("float32", 2, (int64_t[]){3, 2})}, *out;
    assert_int_equal(rx_context_call(f.ctx, "main", arg, 2, &out), RX_OK);
    rx_value_release(out);
    rx_value_release(arg[1]);
    arg[1] = tensor("float32", 2, (int64_t[]){4, 2});
    assert_int_equal(rx_context_call(f.ctx, "main", arg, 2, &out), RX_SHAPE_MISMATCH);
    assert_string_equal(rx_context_message(f.ctx), "main: v.shape[0] is 4, but m is 3, bound by u.shape[0]");
    for (int i = 0; i < 2; i++) rx_value_release(arg[i]);
    fixture_free(&f);
}

// A donated argument that shares memory with another is refused; its input is dropped by a run.
static void test_donated(void **state) {
    (void)state;
    fixture f = fixture_new();
    uint32_t any = exec_writer_annotation(
        f.w, &(exec_annotation){.kind = ANNOTATION_TENSOR, .type = f32, .rank = -1, .text = EXEC_NONE});
    exec_param p[] = {param(&f, "cache", any), param(&f, "x", any)};
    p[0].flags = PARAM_DONATED;
    function(&f, "main", p, 2, 2);
    EMIT(&f, OP_RET, 0);
    fixture_load(&f, NULL);
    rx_value *a = tensor("float32", 1, (int64_t[]){4}), *b = tensor("float32", 1, (int64_t[]){4}), *out;
    assert_true(rx_executable_param_is_donated(f.exe, "main", 0));
    assert_false(rx_executable_param_is_donated(f.exe, "main", 1));
    assert_int_equal(rx_context_call(f.ctx, "main", (rx_value *[]){a, a}, 2, &out), RX_INVALID_ARGUMENT);
    assert_string_equal(rx_context_message(f.ctx),
                        "main: cache may be written (it is donated), but shares memory with x");
    assert_int_equal(rx_context_set_input(f.ctx, "main", 0, a), RX_OK);
    assert_int_equal(rx_context_set_input(f.ctx, "main", 1, b), RX_OK);
    assert_int_equal(rx_context_run(f.ctx, "main", &out), RX_OK);
    assert_ptr_equal(out, a);
    rx_value_release(out);
    assert_int_equal(rx_context_run(f.ctx, "main", &out), RX_INVALID_ARGUMENT);
    rx_value_release(a);
    rx_value_release(b);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),       cmocka_unit_test(test_scalars), cmocka_unit_test(test_dims),
        cmocka_unit_test(test_kinds),      cmocka_unit_test(test_bounds),  cmocka_unit_test(test_counts_and_names),
        cmocka_unit_test(test_match_cast), cmocka_unit_test(test_donated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
