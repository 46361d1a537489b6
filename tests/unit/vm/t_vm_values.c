// t_vm_values.c - values made by callers: tensors, DLPack, text, files, comparison.
#define _POSIX_C_SOURCE 200809L
#include "relax/runtime.h"
#include "test.h"
#include "vm/dlpack.h"
#include "vm/vm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void count_release(void *user, void *data) {
    (void)data;
    ++*(int *)user;
}

static void test_wrap(void **state) {
    (void)state;
    _Alignas(64) float data[8] = {1, 2, 3};
    int released = 0;
    rx_value *v, *same;
    assert_int_equal(rx_tensor_wrap("float32", 1, (int64_t[]){3}, data, count_release, &released, &v), RX_OK);
    assert_ptr_equal(rx_tensor_data(v), data);
    same = rx_value_retain(v);
    rx_value_release(v);
    assert_int_equal(released, 0);
    rx_value_release(same);
    assert_int_equal(released, 1);
    assert_int_equal(rx_tensor_wrap("float32", 1, (int64_t[]){3}, (char *)data + 1, count_release, &released, &v),
                     RX_INVALID_ARGUMENT);
    assert_int_equal(rx_tensor_wrap("float32", 1, (int64_t[]){3}, NULL, count_release, &released, &v),
                     RX_INVALID_ARGUMENT);
    assert_int_equal(rx_tensor_wrap("float32", 1, (int64_t[]){-3}, data, count_release, &released, &v),
                     RX_INVALID_ARGUMENT);
    assert_int_equal(rx_tensor_wrap("float33", 1, (int64_t[]){3}, data, count_release, &released, &v),
                     RX_INVALID_ARGUMENT);
    assert_int_equal(rx_tensor_wrap("float32", 17, (int64_t[17]){3}, data, count_release, &released, &v),
                     RX_INVALID_ARGUMENT);
    assert_null(v);
    assert_int_equal(released, 1);
    assert_int_equal(rx_tensor_wrap("float32", 2, (int64_t[]){0, 3}, NULL, count_release, &released, &v), RX_OK);
    rx_value_release(v);
    assert_int_equal(released, 2);
    assert_int_equal(rx_tensor_new("float32", 2, (int64_t[]){INT64_MAX, 8}, NULL, &v), RX_OUT_OF_MEMORY);
    assert_int_equal(rx_tensor_new("handle", 0, NULL, NULL, &v), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_tensor_new("int4", 1, (int64_t[]){3}, NULL, &v), RX_OK);
    assert_int_equal(rx_tensor_bytes(v), 2);
    assert_string_equal(rx_tensor_dtype(v), "int4");
    rx_value_release(v);
}

static void test_other_kinds(void **state) {
    (void)state;
    rx_value *v, *item;
    int64_t i;
    double d;
    uint64_t u;
    assert_int_equal(rx_int_new("uint64", -1, &v), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_uint_new("int64", UINT64_MAX, &v), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_uint_new("uint64", UINT64_MAX, &v), RX_OK);
    assert_int_equal(rx_value_int(v, &i), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_value_uint(v, &u), RX_OK);
    assert_true(u == UINT64_MAX);
    assert_int_equal(rx_value_float(v, &d), RX_OK);
    assert_true(d == 18446744073709551616.0);
    rx_value_release(v);
    assert_int_equal(rx_int_new("int8", -5, &v), RX_OK);
    assert_int_equal(rx_value_uint(v, &u), RX_INVALID_ARGUMENT);
    rx_value_release(v);
    assert_int_equal(rx_int_new("int8", 127, &v), RX_OK);
    assert_int_equal(rx_value_int(v, &i), RX_OK);
    assert_int_equal(i, 127);
    assert_int_equal(rx_value_float(v, &d), RX_OK);
    assert_float_equal(d, 127, 0);
    assert_string_equal(rx_tensor_dtype(v), "int8");
    rx_value_release(v);
    assert_int_equal(rx_int_new("int8", 128, &v), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_int_new("bool", 2, &v), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_int_new("float32", 2, &v), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_float_new("float16", 1.0 / 3, &v), RX_OK);
    assert_int_equal(rx_value_float(v, &d), RX_OK);
    assert_float_equal(d, 0.333251953125, 0);
    assert_int_equal(rx_value_int(v, &i), RX_INVALID_ARGUMENT);
    rx_value *pair[] = {v, NULL};
    assert_int_equal(rx_tuple_new(pair, 2, &item), RX_OK);
    rx_value_release(v);
    assert_int_equal(rx_value_item(item, 0, &v), RX_OK);
    assert_int_equal(rx_value_kind(v), RX_PRIM);
    rx_value_release(v);
    assert_int_equal(rx_value_item(item, 1, &v), RX_OK);
    assert_null(v);
    assert_int_equal(rx_value_item(item, 2, &v), RX_NOT_FOUND);
    rx_value_release(item);
    assert_int_equal(rx_shape_new(1, (int64_t[]){-1}, &v), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_string_new("a\0b", 3, &v), RX_OK);
    size_t size;
    assert_memory_equal(rx_string_bytes(v, &size), "a\0b", 4);
    assert_int_equal(size, 3);
    rx_value_release(v);
    assert_int_equal(rx_value_kind(NULL), RX_NULL);
    assert_int_equal(rx_value_count(NULL), 0);
    rx_value_release(NULL);
}

// ---- DLPack ----

static int deleted;
static void delete_managed(struct DLManagedTensor *t) {
    (void)t;
    deleted++;
}
static void delete_versioned(struct DLManagedTensorVersioned *t) {
    (void)t;
    deleted++;
}

static struct DLManagedTensor managed(void *data, int32_t rank, int64_t *dim, int64_t *stride) {
    return (struct DLManagedTensor){
        .dl_tensor =
            {.data = data, .device = {1, 0}, .ndim = rank, .dtype = {2, 32, 1}, .shape = dim, .strides = stride},
        .deleter = delete_managed};
}

static void expect_floats(const rx_value *v, const float *want, size_t count) {
    assert_int_equal(rx_tensor_bytes(v), count * 4);
    for (size_t i = 0; i < count; i++) assert_float_equal(((const float *)rx_tensor_data(v))[i], want[i], 0);
}

static void test_dlpack_import(void **state) {
    (void)state;
    _Alignas(64) float data[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    int64_t dim[] = {2, 3}, compact[] = {3, 1}, transposed[] = {1, 2}, backwards[] = {-3, -1}, repeated[] = {0, 1};
    rx_value *v;
    deleted = 0;
    struct DLManagedTensor t = managed(data, 2, dim, compact);
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_OK); // no copy
    assert_ptr_equal(rx_tensor_data(v), data);
    assert_int_equal(deleted, 0);
    rx_value_release(v);
    assert_int_equal(deleted, 1);
    t = managed(data, 2, dim, NULL);
    t.dl_tensor.byte_offset = 4;
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_OK);
    expect_floats(v, data + 1, 6);
    rx_value_release(v);
    t = managed(data, 2, dim, transposed);
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_OK); // copied, and the original let go at once
    assert_int_equal(deleted, 3);
    expect_floats(v, (float[]){0, 2, 4, 1, 3, 5}, 6);
    rx_value_release(v);
    t = managed(data + 5, 2, dim, backwards);
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_OK);
    expect_floats(v, (float[]){5, 4, 3, 2, 1, 0}, 6);
    rx_value_release(v);
    t = managed(data, 2, dim, repeated);
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_OK);
    expect_floats(v, (float[]){0, 1, 2, 0, 1, 2}, 6);
    rx_value_release(v);
    t = managed((char *)data + 2, 2, dim, NULL);
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_OK); // not aligned: copied
    assert_int_equal((uintptr_t)rx_tensor_data(v) % 64, 0);
    rx_value_release(v);
    assert_int_equal(deleted, 6);
}

static void test_dlpack_refusals(void **state) {
    (void)state;
    float data[12] = {0};
    int64_t dim[] = {2, 3}, negative[] = {2, -3}, huge[] = {INT64_MAX, 1};
    rx_value *v;
    deleted = 0;
    struct DLManagedTensor t = managed(data, 2, negative, NULL);
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_INVALID_ARGUMENT);
    t = managed(data, -1, dim, NULL);
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_INVALID_ARGUMENT);
    t = managed(NULL, 2, dim, NULL);
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_INVALID_ARGUMENT);
    t = managed(data, 2, dim, huge);
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_UNSUPPORTED);
    t = managed(data, 2, dim, NULL);
    t.dl_tensor.device.type = 2; // CUDA
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_UNSUPPORTED);
    t = managed(data, 2, dim, NULL);
    t.dl_tensor.dtype.lanes = 4;
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_UNSUPPORTED);
    t.dl_tensor.dtype = (dlpack_dtype){5, 64, 1}; // complex
    assert_int_equal(rx_tensor_from_dlpack(&t, &v), RX_UNSUPPORTED);
    assert_null(v);
    assert_int_equal(deleted, 0); // on failure the caller keeps it
    struct DLManagedTensorVersioned n = {
        .major = 2, .dl_tensor = managed(data, 2, dim, NULL).dl_tensor, .deleter = delete_versioned};
    assert_int_equal(rx_tensor_from_dlpack_versioned(&n, &v), RX_UNSUPPORTED);
    n.major = 1;
    n.minor = 99;
    assert_int_equal(rx_tensor_from_dlpack_versioned(&n, &v), RX_OK);
    rx_value_release(v);
    assert_int_equal(deleted, 1);
}

static void test_dlpack_export(void **state) {
    (void)state;
    rx_value *v, *back;
    struct DLManagedTensor *t;
    struct DLManagedTensorVersioned *n;
    assert_int_equal(rx_value_parse("bf16[2,3]", 1, &v, NULL), RX_OK);
    assert_int_equal(rx_tensor_to_dlpack(v, &t), RX_OK);
    assert_int_equal(t->dl_tensor.dtype.code, 4);
    assert_int_equal(t->dl_tensor.dtype.bits, 16);
    assert_int_equal(t->dl_tensor.strides[0], 3);
    const void *data = rx_tensor_data(v);
    assert_int_equal(rx_tensor_to_dlpack_versioned(v, &n), RX_OK);
    rx_value_release(v);
    assert_int_equal(rx_tensor_from_dlpack(t, &v), RX_OK); // there and back: still no copy
    assert_ptr_equal(rx_tensor_data(v), data);
    assert_int_equal(rx_tensor_from_dlpack_versioned(n, &back), RX_OK);
    assert_int_equal(rx_value_compare(v, back, 0, 0, NULL), RX_OK);
    rx_value_release(v);
    rx_value_release(back);
    assert_int_equal(rx_shape_new(0, NULL, &v), RX_OK);
    assert_int_equal(rx_tensor_to_dlpack(v, &t), RX_INVALID_ARGUMENT);
    rx_value_release(v);
}

// ---- text ----

static void expect_text(const char *text, const char *want) {
    rx_value *v;
    char message[RX_MESSAGE], out[256];
    if (rx_value_parse(text, 0, &v, message) != RX_OK) fail_msg("%s: %s", text, message);
    size_t size = rx_value_print(v, out, sizeof out);
    assert_string_equal(out, want);
    assert_int_equal(size, strlen(want));
    assert_int_equal(rx_value_print(v, NULL, 0), size);
    char cut[4];
    assert_int_equal(rx_value_print(v, cut, sizeof cut), size);
    assert_memory_equal(cut, want, size < 3 ? size : 3);
    rx_value_release(v);
}

static void expect_refused(const char *text, const char *message) {
    rx_value *v;
    char got[RX_MESSAGE];
    assert_int_not_equal(rx_value_parse(text, 0, &v, got), RX_OK);
    assert_null(v);
    assert_string_equal(got, message);
}

static void test_text(void **state) {
    (void)state;
    expect_text("3", "3");
    expect_text("-7", "-7");
    expect_text("1.5", "1.5");
    expect_text("1e3", "1000");
    expect_text("inf", "inf");
    expect_text("i8:-128", "-128");
    expect_text("f16:0.1", "0.0999756");
    expect_text("bfloat16:1", "1");
    expect_text("true", "true");
    expect_text("()", "()");
    expect_text("(3,)", "(3)");
    expect_text("( 3 , 4 )", "(3, 4)");
    expect_text("'it'", "'it'");
    expect_text("f32[0,4]", "float32[0, 4]");
    expect_refused("f32[7,x]", "f32[7,x]: want a shape such as f32[7,128]");
    expect_refused("f32[7", "f32[7: want a shape such as f32[7,128]");
    expect_refused("f31[7]", "f31[7]: no dtype is called f31");
    expect_refused("handle[7]", "handle[7]: no dtype is called handle");
    expect_refused("(3,-4)", "(3,-4): want a shape such as (3,4)");
    expect_refused("i8:128", "i8:128: out of range for int8");
    expect_refused("12x", "12x: want a number of type int64");
    expect_refused("99999999999999999999", "99999999999999999999: out of range for int64");
    expect_refused("", "want a value such as f32[7,128], @x.npy, [1,2], 3, 1.5, true, (3,4) or (f32[2],1.5)");
    expect_text("u64:18446744073709551615", "18446744073709551615");
    expect_refused("u64:-1", "u64:-1: out of range for uint64");
    expect_refused("u64:18446744073709551616", "u64:18446744073709551616: out of range for uint64");
    expect_refused("bool:2", "bool:2: out of range for bool");
    // Elements, as the examples of docs/operators.md write them.
    expect_text("int8[2]:-128,5", "int8[2] = -128, 5");
    expect_text("f32[3]:nan, inf,-2.5", "float32[3] = nan, inf, -2.5");
    expect_text("bool[2,1]:true,0", "bool[2, 1] = true, false");
    expect_text("f32[]:3", "float32[] = 3");
    expect_text("i4[3]:-8,0,7", "int4[3] = -8, 0, 7");
    expect_text("f32[0]:", "float32[0]");
    expect_refused("f32[2]:1", "f32[2]:1: it has 1 of its 2 elements");
    expect_refused("f32[2]:1,2,3", "f32[2]:1,2,3: it has more than the 2 elements of its shape");
    expect_refused("i8[1]:200", "i8[1]:200: element 0 is no number of type int8");
    expect_text("[[1, 2], [3, 4]]", "int64[2, 2] = 1, 2, 3, 4");
    expect_text("[-0.25,inf]", "float32[2] = -0.25, inf");
    expect_text("[True, false]", "bool[2] = true, false");
    expect_text("[[],[]]", "int64[2, 0]");
    expect_refused("[[1,2],[3]]", "[[1,2],[3]]: want lists of one length, such as [[1, 2], [3, 4]]");
    expect_refused("[1,[2]]", "[1,[2]]: want lists of one length, such as [[1, 2], [3, 4]]");
    expect_refused("[1,x]", "[1,x]: 'x' is no number of type int64");
    expect_refused("[1,2", "[1,2: want lists of one length, such as [[1, 2], [3, 4]]");
    // Tuples: what isn't a shape.
    expect_text("([1.,2], 'a,b')", "(float32[2] = 1, 2, 'a,b')");
    expect_text("(1.5,)", "(1.5)");
    expect_text("((i64:1,[2]), (3,4))", "((1, int64[1] = 2), (3, 4))");
    expect_refused("(f32[2]", "(f32[2]: want a tuple such as (f32[2],1.5)");
    expect_refused("(1.5,", "(1.5,: the tuple isn't closed");
    expect_refused("(1.5)x", "(1.5)x: 'x' comes after the tuple");
    expect_refused("(1.5,)x", "(1.5,)x: 'x' comes after the tuple");
    expect_refused("(1.5,q)", "q: want a number of type int64");
    char deep[100] = "";
    for (int i = 0; i < 40; i++) deep[i] = '(';
    rx_value *none;
    assert_int_equal(rx_value_parse(strcat(deep, "1.5"), 0, &none, NULL), RX_INVALID_ARGUMENT);
    for (int i = 0; i < 40; i++) strcat(deep, ")");
    assert_int_equal(rx_value_parse(deep, 0, &none, NULL), RX_UNSUPPORTED);
    rx_value *a, *b, *c;
    assert_int_equal(rx_value_parse("f32[100]", 7, &a, NULL), RX_OK);
    assert_int_equal(rx_value_parse("float32[100]", 7, &b, NULL), RX_OK);
    assert_int_equal(rx_value_parse("f32[100]", 8, &c, NULL), RX_OK);
    char message[RX_MESSAGE];
    assert_int_equal(rx_value_compare(a, b, 0, 0, message), RX_OK);
    assert_int_equal(rx_value_compare(a, c, 1e-5, 1e-5, message), RX_INVALID_ARGUMENT);
    assert_non_null(strstr(message, "of 100 elements differ"));
    rx_value_release(c);
    assert_int_equal(rx_value_parse("f32[10,10]", 7, &c, NULL), RX_OK);
    assert_int_equal(rx_value_compare(a, c, 0, 0, message), RX_SHAPE_MISMATCH);
    rx_value_release(a);
    rx_value_release(b);
    rx_value_release(c);
}

static void test_files(void **state) {
    (void)state;
    char folder[] = "/tmp/relax-values-XXXXXX", path[64], text[80], message[RX_MESSAGE];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.npy", folder);
    snprintf(text, sizeof text, "@%s", path);
    rx_value *v, *back;
    assert_int_equal(rx_value_parse("f32[3,5]", 3, &v, NULL), RX_OK);
    assert_int_equal(rx_tensor_save(v, path, message), RX_OK);
    assert_int_equal(rx_value_parse(text, 0, &back, message), RX_OK);
    assert_int_equal(rx_value_compare(back, v, 0, 0, message), RX_OK);
    rx_value_release(back);
    rx_value_release(v);
    unlink(path);
    rmdir(folder);
    assert_int_equal(rx_value_parse(text, 0, &back, message), RX_NOT_FOUND);
    assert_non_null(strstr(message, path));
    assert_int_equal(rx_tensor_save(NULL, path, message), RX_INVALID_ARGUMENT);
}

// Host tensors of the compiler's side share memory with values both ways.
static void test_host_tensors(void **state) {
    (void)state;
    tensor *t, *back;
    rx_value *v;
    assert_int_equal(tensor_new(DTYPE_OF(F32), 1, (int64_t[]){4}, &t), RX_OK);
    assert_int_equal(vm_value_of_tensor(t, &v), RX_OK);
    assert_ptr_equal(rx_tensor_data(v), t->data);
    tensor_release(t);
    back = vm_tensor_of_value(v);
    assert_ptr_equal(back->data, rx_tensor_data(v));
    rx_value_release(v);
    tensor_set_float(back, 3, 1);
    tensor_release(back);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_other_kinds),
        cmocka_unit_test(test_dlpack_import),
        cmocka_unit_test(test_dlpack_export),
        cmocka_unit_test(test_dlpack_refusals),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_host_tensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
