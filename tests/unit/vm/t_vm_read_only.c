// t_vm_read_only.c - memory that may not be written: weights and constants of a mapped file as results, views of them,
// tensors marked by the caller; what would write into one is refused.
#define _POSIX_C_SOURCE 200809L
#include "fixture.h"
#include "vm/dlpack.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const dtype f32 = {.kind = DTYPE_F32, .lanes = 1}, i64 = {.kind = DTYPE_I64, .lanes = 1};

// weight() and constant() give a view of one; sort(x) sorts x into the weight; keep(x donated) gives x back.
static fixture module_of_weights(void) {
    static float data[] = {1, 2, 3, 4};
    fixture f = fixture_new();
    uint32_t x = tensor_of(&f, "R.Tensor((4,), dtype=\"float32\")", f32, 1, (const char *[]){"4"});
    uint32_t two = exec_writer_int(f.w, 2), zero = exec_writer_int(f.w, 0);
    uint32_t constant = exec_writer_constant(
        f.w,
        &(exec_constant){
            .kind = CONSTANT_TENSOR, .type = f32, .dims = 1, .dim = (int64_t[]){4}, .bytes = {(uint8_t *)data, 16}});
    uint32_t none = exec_writer_constant(f.w, &(exec_constant){.kind = CONSTANT_PRIM, .type = i64});
    uint32_t weight = exec_writer_weight(f.w, &(exec_weight){.name = exec_writer_string(f.w, "w"),
                                                             .type = f32,
                                                             .dims = 1,
                                                             .dim = (int64_t[]){4},
                                                             .layout = exec_writer_string(f.w, ""),
                                                             .bytes = 16,
                                                             .data = (uint8_t *)data});
    exec_param p[] = {param(&f, "x", x), param(&f, "w", x)};
    p[1].weight = weight;
    function(&f, "weight", p + 1, 1, 2);
    EMIT(&f, OP_RESHAPE, 1, 0, 2, two, two);
    EMIT(&f, OP_RET, 1);
    function(&f, "constant", NULL, 0, 2);
    EMIT(&f, OP_CONST, 0, constant);
    EMIT(&f, OP_VIEW, 1, 0, zero, op_dtype(f32), 1, two);
    EMIT(&f, OP_RET, 1);
    function(&f, "sort", p, 2, 3);
    EMIT(&f, OP_CONST, 2, none);
    EMIT(&f, OP_BUILTIN, NO_REGISTER, exec_writer_import(f.w, IMPORT_BUILTIN, "sort", 1), 4, 0, 2, 2, 1);
    EMIT(&f, OP_RET, 1);
    p[0].flags = PARAM_DONATED;
    function(&f, "keep", p, 1, 1);
    EMIT(&f, OP_RET, 0);
    fixture_load(&f, NULL);
    return f;
}

static void expect_read_only(rx_context *c, const char *function) {
    rx_value *v = NULL;
    struct DLManagedTensor *old = NULL;
    struct DLManagedTensorVersioned *t = NULL;
    if (rx_context_call(c, function, NULL, 0, &v) != RX_OK) fail_msg("%s", rx_context_message(c));
    assert_true(rx_tensor_is_read_only(v));
    assert_int_equal(rx_tensor_to_dlpack(v, &old), RX_UNSUPPORTED); // it could not say so
    assert_null(old);
    assert_int_equal(rx_tensor_to_dlpack_versioned(v, &t), RX_OK);
    assert_int_equal(t->flags, DLPACK_READ_ONLY);
    t->deleter(t);
    rx_value_release(v);
}

static void test_results(void **state) {
    (void)state;
    fixture f = module_of_weights();
    expect_read_only(f.ctx, "weight");
    expect_read_only(f.ctx, "constant");
    rx_value *x = counting(1, (int64_t[]){4}, 0), *v;
    assert_false(rx_tensor_is_read_only(x));
    assert_int_equal(rx_context_call(f.ctx, "keep", &x, 1, &v), RX_OK);
    assert_false(rx_tensor_is_read_only(v));
    rx_value_release(v);
    rx_value_release(x);
    fixture_free(&f);
}

// From a file the memory really can't be written: without the refusals these calls would end the process.
static void test_writers_are_refused(void **state) {
    (void)state;
    fixture f = module_of_weights();
    char path[64] = "/tmp/read-only-XXXXXX", message[RX_MESSAGE];
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, f.bytes, f.size) == (ssize_t)f.size && close(file) == 0);
    rx_executable *e = NULL;
    rx_context *c = NULL;
    rx_value *x = counting(1, (int64_t[]){4}, 0), *w = NULL, *v = NULL, *flat = NULL;
    if (rx_executable_load(path, NULL, &e, message) != RX_OK) fail_msg("%s", message);
    unlink(path);
    if (rx_context_new(e, NULL, &c, message) != RX_OK) fail_msg("%s", message);
    assert_int_equal(rx_context_call(c, "sort", &x, 1, &v), RX_BAD_FILE);
    assert_string_equal(rx_context_message(c), "sort: sort would write into a constant or a weight of the file");
    assert_int_equal(rx_context_call(c, "weight", NULL, 0, &w), RX_OK);
    assert_int_equal(rx_tensor_wrap("float32", 1, (int64_t[]){4}, rx_tensor_data(w), NULL, NULL, &flat), RX_OK);
    assert_int_equal(rx_tensor_set_read_only(flat), RX_OK);
    assert_int_equal(rx_context_call(c, "keep", &flat, 1, &v), RX_INVALID_ARGUMENT);
    assert_string_equal(rx_context_message(c), "keep: x may be written (it is donated), but is read-only; pass a copy");
    rx_value_release(flat);
    rx_value_release(w);
    rx_value_release(x);
    rx_context_release(c);
    rx_executable_release(e);
    fixture_free(&f);
}

static void keep_managed(struct DLManagedTensorVersioned *t) { (void)t; }

static void test_imports(void **state) {
    (void)state;
    float data[4] = {0};
    int64_t dim[] = {2, 2}, turned[] = {1, 2};
    rx_value *v;
    struct DLManagedTensorVersioned t = {.major = 1, .flags = DLPACK_READ_ONLY, .deleter = keep_managed};
    t.dl_tensor = (dlpack_tensor){
        .data = data, .device = {.type = DLPACK_CPU}, .ndim = 2, .dtype = {2, 32, 1}, .shape = dim, .strides = NULL};
    assert_int_equal(rx_tensor_from_dlpack_versioned(&t, &v), RX_OK);
    assert_true(rx_tensor_is_read_only(v));
    rx_value_release(v);
    t.dl_tensor.strides = turned; // copied: the copy is ours
    assert_int_equal(rx_tensor_from_dlpack_versioned(&t, &v), RX_OK);
    assert_false(rx_tensor_is_read_only(v));
    rx_value_release(v);
    t.dl_tensor.strides = NULL;
    t.flags = 0;
    assert_int_equal(rx_tensor_from_dlpack_versioned(&t, &v), RX_OK);
    assert_false(rx_tensor_is_read_only(v));
    rx_value_release(v);
    assert_int_equal(rx_shape_new(2, dim, &v), RX_OK);
    assert_int_equal(rx_tensor_set_read_only(v), RX_INVALID_ARGUMENT);
    assert_false(rx_tensor_is_read_only(v));
    rx_value_release(v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_writers_are_refused),
        cmocka_unit_test(test_imports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
