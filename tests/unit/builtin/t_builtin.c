// t_builtin.c - builtins on tensors, against what NumPy 1.26 gives for the same inputs. Before each call every
// allocation it makes fails once (malloc and its kin are replaced at link time, tests/CMakeLists.txt).
#include "builtin/builtin.h"
#include "support/heap.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const dtype f32 = {.kind = DTYPE_F32, .lanes = 1}, i64 = {.kind = DTYPE_I64, .lanes = 1},
                   i32 = {.kind = DTYPE_I32, .lanes = 1};

static tensor *make(dtype t, uint32_t rank, const int64_t *dim, const double *x) {
    tensor *out;
    assert_int_equal(tensor_new(t, rank, dim, &out), RX_OK);
    for (int64_t i = 0; x && i < tensor_count(out); i++) {
        if (dtype_is_float(t))
            tensor_set_float(out, (size_t)i, x[i]);
        else
            tensor_set_int(out, (size_t)i, (int64_t)x[i]);
    }
    return out;
}

static void expect(const tensor *t, uint32_t rank, const int64_t *dim, const double *x) {
    assert_int_equal(t->rank, rank);
    for (uint32_t i = 0; i < rank; i++) assert_int_equal(t->dim[i], dim[i]);
    for (int64_t i = 0; i < tensor_count(t); i++) {
        double got = dtype_is_float(t->type) ? tensor_get_float(t, (size_t)i) : (double)tensor_get_int(t, (size_t)i);
        if (!(got == x[i] || (isnan(got) && isnan(x[i])))) fail_msg("element %d is %g, want %g", (int)i, got, x[i]);
    }
}

static char why[BUILTIN_WHY];

// With memory that runs out at each place in turn: a status with a sentence, and nothing stays behind.
static void run_out_of_memory(const builtin *b, builtin_call *c) {
    for (unsigned i = 1;; i++) {
        heap.calls = 0;
        heap.live = 0;
        heap.fail_at = i;
        heap.armed = true;
        rx_status status = b->run(c);
        heap.armed = false;
        if (b->allocates)
            for (uint32_t k = 0; k < c->outs; k++) {
                assert_true(status == RX_OK || !c->out[k]);
                heap.armed = true;
                tensor_release(c->out[k]);
                heap.armed = false;
                c->out[k] = NULL;
            }
        if (heap.live) fail_msg("%s, allocation %u: %d blocks stay behind", b->name, i, heap.live);
        if (heap.calls < i) return;
        if (status != RX_OUT_OF_MEMORY || !*why) fail_msg("%s, allocation %d: status %d, %s", b->name, i, status, why);
        *why = 0;
    }
}

static rx_status run(const char *name, const tensor *const *in, const int64_t *arg, tensor **out) {
    const builtin *b = builtin_find(name);
    assert_non_null(b);
    builtin_call c = {.in = in, .ins = b->ins, .arg = arg, .args = b->args, .out = out, .outs = b->outs, .why = why};
    *why = 0;
    for (uint32_t k = 0; b->allocates && k < b->outs; k++) out[k] = NULL;
    run_out_of_memory(b, &c);
    *why = 0;
    return b->run(&c);
}

#define DIMS(...)                                                                                                      \
    (const int64_t[]) { __VA_ARGS__ }
#define DATA(...)                                                                                                      \
    (const double[]) { __VA_ARGS__ }

static void test_sort(void **state) {
    (void)state;
    const double data[] = {3, NAN, -1, 2, -INFINITY, 0, -0.0, 5, 1};
    const tensor *x = make(f32, 2, DIMS(3, 3), data);
    tensor *out = make(f32, 2, DIMS(3, 3), NULL), *at = make(i32, 2, DIMS(3, 3), NULL);
    assert_int_equal(run("sort", &x, DIMS(1, 0), &out), RX_OK);
    expect(out, 2, DIMS(3, 3), DATA(-1, 3, NAN, -INFINITY, 0, 2, 0, 1, 5));
    assert_int_equal(run("argsort", &x, DIMS(-1, 0), &at), RX_OK);
    expect(at, 2, DIMS(3, 3), DATA(2, 0, 1, 1, 2, 0, 0, 2, 1));
    assert_int_equal(run("sort", &x, DIMS(0, 1), &out), RX_OK); // down the columns, NaN first
    expect(out, 2, DIMS(3, 3), DATA(3, NAN, 1, 2, 5, 0, 0, -INFINITY, -1));
    assert_int_equal(run("sort", &x, DIMS(2, 0), &out), RX_INVALID_ARGUMENT);
    assert_string_equal(why, "axis 2 of a tensor with 2 dims");
    assert_int_equal(run("sort", &x, DIMS(0, 0), &at), RX_SHAPE_MISMATCH);
    tensor_release(out);
    tensor_release(at);
    tensor_release((tensor *)(uintptr_t)x);
}

static void test_stable(void **state) {
    (void)state;
    enum { N = 1000 };
    int64_t n = N;
    double data[N];
    for (int i = 0; i < N; i++) data[i] = (double)(i * 7919 % 10);
    const tensor *x = make(i64, 1, &n, data);
    tensor *at = make(i64, 1, &n, NULL);
    for (int descending = 0; descending < 2; descending++) {
        assert_int_equal(run("argsort", &x, DIMS(0, descending), &at), RX_OK);
        for (size_t i = 1; i < N; i++) {
            int64_t a = tensor_get_int(at, i - 1), b = tensor_get_int(at, i);
            double step = descending ? data[a] - data[b] : data[b] - data[a];
            assert_true(step > 0 || (step == 0 && a < b));
        }
    }
    tensor_release(at);
    tensor_release((tensor *)(uintptr_t)x);
}

static void test_topk(void **state) {
    (void)state;
    const tensor *x = make(f32, 2, DIMS(2, 4), DATA(1, 4, 2, 4, -1, -2, -3, -4));
    tensor *out[2] = {make(f32, 2, DIMS(2, 2), NULL), make(i64, 2, DIMS(2, 2), NULL)};
    assert_int_equal(run("topk", &x, DIMS(1, 1), out), RX_OK);
    expect(out[0], 2, DIMS(2, 2), DATA(4, 4, -1, -2));
    expect(out[1], 2, DIMS(2, 2), DATA(1, 3, 0, 1));
    assert_int_equal(run("topk", &x, DIMS(1, 0), (tensor *[]){NULL, out[1]}), RX_OK);
    expect(out[1], 2, DIMS(2, 2), DATA(0, 2, 3, 2));
    assert_int_equal(run("topk", &x, DIMS(1, 0), (tensor *[]){NULL, NULL}), RX_INVALID_ARGUMENT);
    for (int i = 0; i < 2; i++) tensor_release(out[i]);
    tensor_release((tensor *)(uintptr_t)x);
}

static void release_all(tensor **out) {
    for (int i = 0; i < 4; i++) tensor_release(out[i]);
}

static void test_unique(void **state) {
    (void)state;
    const tensor *x = make(f32, 2, DIMS(2, 3), DATA(3, 1, 3, -2, 1, 3));
    tensor *out[4];
    assert_int_equal(run("unique", &x, DIMS(1, 1, 1, INT64_MIN), out), RX_OK);
    expect(out[0], 1, DIMS(3), DATA(-2, 1, 3));
    expect(out[1], 1, DIMS(3), DATA(3, 1, 0));
    expect(out[2], 1, DIMS(6), DATA(2, 1, 2, 0, 1, 2));
    expect(out[3], 1, DIMS(3), DATA(1, 2, 3));
    release_all(out);
    assert_int_equal(run("unique", &x, DIMS(0, 0, 1, 1), out), RX_OK); // distinct columns: (3,-2) (1,1) (3,3)
    expect(out[0], 2, DIMS(2, 3), DATA(1, 3, 3, 1, -2, 3));
    assert_null(out[1]);
    assert_null(out[2]);
    expect(out[3], 1, DIMS(3), DATA(1, 1, 1));
    release_all(out);
    tensor_release((tensor *)(uintptr_t)x);
    x = make(i64, 2, DIMS(3, 2), DATA(5, 6, 1, 2, 5, 6));
    assert_int_equal(run("unique", &x, DIMS(1, 1, 1, 0), out), RX_OK);
    expect(out[0], 2, DIMS(2, 2), DATA(1, 2, 5, 6));
    expect(out[1], 1, DIMS(2), DATA(1, 0));
    expect(out[2], 1, DIMS(3), DATA(1, 0, 1));
    expect(out[3], 1, DIMS(2), DATA(1, 2));
    release_all(out);
    tensor_release((tensor *)(uintptr_t)x);
    x = make(f32, 1, DIMS(0), NULL);
    assert_int_equal(run("unique", &x, DIMS(1, 0, 0, INT64_MIN), out), RX_OK);
    expect(out[0], 1, DIMS(0), NULL);
    release_all(out);
    tensor_release((tensor *)(uintptr_t)x);
}

static void test_nonzero(void **state) {
    (void)state;
    const tensor *x = make(f32, 2, DIMS(2, 3), DATA(0, 1, 0, NAN, 0, -2));
    tensor *out[4] = {0};
    assert_int_equal(run("nonzero", &x, NULL, out), RX_OK);
    expect(out[0], 2, DIMS(2, 3), DATA(0, 1, 1, 1, 0, 2));
    tensor_release(out[0]);
    tensor_release((tensor *)(uintptr_t)x);
    x = make(i64, 0, NULL, DATA(7));
    assert_int_equal(run("nonzero", &x, NULL, out), RX_OK);
    expect(out[0], 2, DIMS(0, 1), NULL);
    tensor_release(out[0]);
    tensor_release((tensor *)(uintptr_t)x);
}

// begin, end, stride of one dim of extent 5, and what range(5)[begin:end:stride] gives.
static void test_slices(void **state) {
    (void)state;
    static const struct {
        int64_t begin, end, step, count;
        double want[5];
    } row[] = {
        {0, 5, 1, 5, {0, 1, 2, 3, 4}},
        {1, -1, 2, 2, {1, 3}},
        {-2, 100, 1, 2, {3, 4}},
        {-100, 2, 1, 2, {0, 1}},
        {4, 0, -2, 2, {4, 2}},
        {-1, INT64_MIN, -1, 5, {4, 3, 2, 1, 0}},
        {100, -100, -3, 2, {4, 1}},
        {3, 3, 1, 0, {0}},
        {3, 1, 1, 0, {0}},
        {INT64_MIN, INT64_MAX, INT64_MAX, 1, {0}},
        {INT64_MAX, INT64_MIN, INT64_MIN, 1, {4}},
    };
    tensor *x = make(f32, 1, DIMS(5), DATA(0, 1, 2, 3, 4));
    for (size_t i = 0; i < COUNT(row); i++) {
        tensor *part[3], *out = NULL;
        const int64_t number[] = {row[i].begin, row[i].end, row[i].step};
        for (int k = 0; k < 3; k++) {
            part[k] = make(i64, 1, DIMS(1), NULL);
            tensor_set_int(part[k], 0, number[k]);
        }
        assert_int_equal(run("dynamic_strided_slice", (const tensor *[]){x, part[0], part[1], part[2]}, NULL, &out),
                         RX_OK);
        expect(out, 1, &row[i].count, row[i].want);
        tensor_set_int(part[2], 0, 0);
        tensor_release(out);
        out = NULL;
        assert_int_equal(run("dynamic_strided_slice", (const tensor *[]){x, part[0], part[1], part[2]}, NULL, &out),
                         RX_INVALID_ARGUMENT);
        assert_string_equal(why, "the stride of dim 0 is 0");
        for (int k = 0; k < 3; k++) tensor_release(part[k]);
    }
    tensor_release(x);
}

static void test_table(void **state) {
    (void)state;
    assert_null(builtin_find("no such"));
    for (uint32_t i = 0; i < builtin_count(); i++) {
        const builtin *b = builtin_at(i);
        assert_ptr_equal(builtin_find(b->name), b);
        assert_true(b->version >= 1 && b->outs >= 1 && b->outs <= BUILTIN_MAX_OUT);
    }
    assert_null(builtin_at(builtin_count()));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sort),   cmocka_unit_test(test_stable),  cmocka_unit_test(test_topk),
        cmocka_unit_test(test_unique), cmocka_unit_test(test_nonzero), cmocka_unit_test(test_slices),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
