// t_tensor.c - host tensors: layout, limits, references, element access, random values, comparison.
#include "base/threads.h"
#include "tensor/tensor.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tensor *new_tensor(dtype t, uint32_t rank, const int64_t *dim) {
    tensor *out;
    assert_int_equal(tensor_new(t, rank, dim, &out), RX_OK);
    return out;
}

static tensor *new_vector(dtype t, int64_t size) { return new_tensor(t, 1, &size); }

static void layout(void **state) {
    (void)state;
    for (int64_t n = 0; n < 70; n++) {
        AUTO(tensor_release_at) tensor *t = new_tensor(DTYPE_OF(F32), 2, (int64_t[]){n, 3});
        assert_int_equal((uintptr_t)t->data % TENSOR_ALIGN, 0);
        assert_int_equal(t->bytes, n * 12);
        assert_int_equal(tensor_count(t), n * 3);
        for (size_t i = 0; i < t->bytes; i++) assert_int_equal(((uint8_t *)t->data)[i], 0);
        if (n) memset(t->data, 1, t->bytes);
        assert_true(t->rank == 2 && t->dim[0] == n && t->dim[1] == 3);
    }
    AUTO(tensor_release_at) tensor *scalar = new_tensor(DTYPE_OF(F64), 0, NULL);
    assert_int_equal(tensor_count(scalar), 1);
}

static void limits(void **state) {
    (void)state;
    tensor *t = NULL;
    int64_t many[TENSOR_MAX_RANK + 1] = {0}, huge[] = {INT64_MAX, INT64_MAX, 4, 0};
    assert_int_equal(tensor_new(DTYPE_OF(F32), TENSOR_MAX_RANK + 1, many, &t), RX_INVALID_ARGUMENT);
    assert_int_equal(tensor_new(DTYPE_OF(F32), 1, (int64_t[]){-1}, &t), RX_INVALID_ARGUMENT);
    assert_int_equal(tensor_new(DTYPE_OF(F32), 2, (int64_t[]){0, -1}, &t), RX_INVALID_ARGUMENT);
    assert_int_equal(tensor_new((dtype){0}, 0, NULL, &t), RX_INVALID_ARGUMENT);
    assert_int_equal(tensor_new(DTYPE_OF(HANDLE), 0, NULL, &t), RX_INVALID_ARGUMENT);
    assert_int_equal(tensor_new(DTYPE_OF(F32), 3, huge, &t), RX_OUT_OF_MEMORY);
    assert_int_equal(tensor_new(DTYPE_OF(I8), 1, huge, &t), RX_OUT_OF_MEMORY);
    assert_int_equal(tensor_new(DTYPE_OF(I64), 1, huge, &t), RX_OUT_OF_MEMORY);
    assert_null(t);
    t = new_tensor(DTYPE_OF(F32), 4, huge); // one dim is 0: the others don't matter
    assert_int_equal(tensor_count(t), 0);
    tensor_release(t);
    t = new_tensor(DTYPE_OF(I4), TENSOR_MAX_RANK, many);
    tensor_release(t);
    tensor_release(NULL);
}

static void count_free(void *user, void *data) {
    int *calls = user;
    (*calls)++;
    free(data);
}

static void references(void **state) {
    (void)state;
    int calls = 0;
    tensor *t;
    void *data = calloc(3, 4);
    assert_int_equal(tensor_wrap(DTYPE_OF(F32), 1, (int64_t[]){3}, NULL, count_free, &calls, &t), RX_INVALID_ARGUMENT);
    assert_int_equal(tensor_wrap(DTYPE_OF(F32), 1, (int64_t[]){3}, data, count_free, &calls, &t), RX_OK);
    assert_ptr_equal(t->data, data);
    assert_ptr_equal(tensor_retain(t), t);
    tensor_release(t);
    assert_int_equal(calls, 0);
    tensor_release(t);
    assert_int_equal(calls, 1);
    assert_int_equal(tensor_wrap(DTYPE_OF(F32), 1, (int64_t[]){0}, NULL, count_free, &calls, &t), RX_OK);
    assert_non_null(t->data);
    tensor_release(t);
    assert_int_equal(calls, 2);
}

static void borrow(void *user, size_t index) {
    (void)index;
    tensor_release(tensor_retain(user));
}

static void references_of_many_threads(void **state) {
    (void)state;
    tensor *t = new_vector(DTYPE_OF(F32), 1);
    threads_run(4, 20000, borrow, t);
    assert_int_equal(t->refs, 1);
    tensor_release(t);
}

// A count that would overflow sticks: the tensor is leaked rather than freed while it is used.
static void too_many_references(void **state) {
    (void)state;
    tensor *t = new_vector(DTYPE_OF(F32), 1);
    t->refs = UINT32_MAX / 2;
    tensor_retain(t);
    tensor_retain(t);
    uint32_t stuck = UINT32_MAX / 2 + 1;
    assert_int_equal(t->refs, stuck);
    for (int i = 0; i < 5; i++) tensor_release(t);
    assert_int_equal(t->refs, stuck);
    t->refs = 1;
    tensor_release(t);
}

static void elements(void **state) {
    (void)state;
    for (unsigned kind = DTYPE_VOID + 1; kind < DTYPE_HANDLE; kind++) {
        AUTO(tensor_release_at) tensor *t = new_vector((dtype){.kind = (uint8_t)kind}, 5);
        tensor_set_float(t, 3, 1);
        tensor_set_int(t, 4, 1);
        assert_true(tensor_get_float(t, 3) == (kind == DTYPE_I1 ? 0 : 1)); // int1 ends at 0
        assert_int_equal(tensor_get_int(t, 4), kind == DTYPE_I1 ? -1 : 1);
        if (kind != DTYPE_F8_E8M0FNU) assert_true(tensor_get_float(t, 2) == 0);
    }
    AUTO(tensor_release_at) tensor *wide = new_vector(DTYPE_OF(U64), 1);
    tensor_set_int(wide, 0, -1);
    assert_true(tensor_get_float(wide, 0) == 0x1p64);
    AUTO(tensor_release_at) tensor *vector = new_vector(dtype_vector(DTYPE_OF(I16), 4), 2);
    assert_int_equal(vector->bytes, 16);
    tensor_set_int(vector, 7, -3);
    assert_int_equal(tensor_get_int(vector, 7), -3);
}

static void random_values(void **state) {
    (void)state;
    for (unsigned kind = DTYPE_VOID + 1; kind < DTYPE_HANDLE; kind++) {
        dtype type = {.kind = (uint8_t)kind};
        AUTO(tensor_release_at) tensor *a = new_vector(type, 4000), *b = new_vector(type, 4000);
        double sum = 0, low = 0, high = 0;
        tensor_fill_random(a, 7);
        tensor_fill_random(b, 7);
        assert_true(tensor_compare(a, b, 0, 0).same);
        for (size_t i = 0; i < 4000; i++) {
            double x = tensor_get_float(a, i);
            sum += x;
            low = fmin(low, x);
            high = fmax(high, x);
        }
        assert_true(low >= (dtype_is_float(type) ? -1 : -8) && high <= 15);
        if (dtype_is_float(type)) assert_true(high < 1);
        if (dtype_is_float(type) && dtype_bits(type) > 8)
            assert_true(fabs(sum / 4000) < 0.05 && low < -0.99 && high > 0.99);
        if (kind == DTYPE_BOOL) assert_true(fabs(sum / 4000 - 0.5) < 0.05);
        if (kind == DTYPE_I32) assert_true(low == -8 && high == 7);
        tensor_fill_random(b, 8);
        assert_false(tensor_compare(a, b, 0, 0).same);
    }
}

// The very values: a change of the generator would change every recorded result.
static void random_values_never_change(void **state) {
    (void)state;
    AUTO(tensor_release_at) tensor *f = new_vector(DTYPE_OF(F64), 2), *i = new_vector(DTYPE_OF(I32), 4);
    tensor_fill_random(f, 1);
    tensor_fill_random(i, 1);
    assert_true(tensor_get_float(f, 0) == -0x1.0df2a7bc5e35p-2 && tensor_get_float(f, 1) == 0x1.c635b3a4f5b3cp-1);
    static const int64_t wanted[] = {-3, 7, -8, 4};
    for (size_t k = 0; k < COUNT(wanted); k++) assert_int_equal(tensor_get_int(i, k), wanted[k]);
}

static tensor *floats(size_t n, const double *value) {
    tensor *t = new_vector(DTYPE_OF(F32), (int64_t)n);
    for (size_t i = 0; i < n; i++) tensor_set_float(t, i, value[i]);
    return t;
}

static void comparison(void **state) {
    (void)state;
    double inf = (double)INFINITY, nan = (double)NAN;
    AUTO(tensor_release_at) tensor *a = floats(5, (double[]){1, inf, nan, -inf, 100});
    AUTO(tensor_release_at) tensor *b = floats(5, (double[]){1.5, inf, nan, -inf, 101});
    AUTO(tensor_release_at) tensor *c = floats(5, (double[]){1, -inf, 0, 5, 100});
    assert_true(tensor_compare(a, a, 0, 0).same);
    assert_true(tensor_compare(a, b, 0.01, 0.5).same);
    tensor_difference d = tensor_compare(a, b, 0, 0.75);
    assert_true(!d.same && !d.shapes_differ && d.index == 4 && d.count == 1);
    assert_true(d.a == 100 && d.b == 101 && d.worst == 1);
    d = tensor_compare(a, c, 1000, 1000); // no tolerance makes an infinity or a NaN close
    assert_true(!d.same && d.index == 1 && d.count == 3 && isinf(d.worst));
}

static void comparison_of_types_and_shapes(void **state) {
    (void)state;
    AUTO(tensor_release_at) tensor *i = new_tensor(DTYPE_OF(I64), 2, (int64_t[]){2, 1});
    AUTO(tensor_release_at) tensor *same = new_tensor(DTYPE_OF(I64), 2, (int64_t[]){2, 1});
    AUTO(tensor_release_at) tensor *turned = new_tensor(DTYPE_OF(I64), 2, (int64_t[]){1, 2});
    AUTO(tensor_release_at) tensor *flat = new_vector(DTYPE_OF(I64), 2), *other = new_vector(DTYPE_OF(F64), 2);
    assert_true(tensor_compare(i, turned, 0, 0).shapes_differ && !tensor_compare(i, turned, 0, 0).same);
    assert_true(tensor_compare(i, flat, 0, 0).shapes_differ);
    assert_true(tensor_compare(flat, other, 0, 0).shapes_differ);
    tensor_set_int(i, 1, INT64_MAX);
    tensor_set_int(same, 1, INT64_MAX - 1); // as doubles they are equal
    tensor_difference d = tensor_compare(i, same, 1, 1);
    assert_true(!d.same && d.index == 1 && d.count == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout),
        cmocka_unit_test(limits),
        cmocka_unit_test(references),
        cmocka_unit_test(references_of_many_threads),
        cmocka_unit_test(too_many_references),
        cmocka_unit_test(elements),
        cmocka_unit_test(random_values),
        cmocka_unit_test(random_values_never_change),
        cmocka_unit_test(comparison),
        cmocka_unit_test(comparison_of_types_and_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
