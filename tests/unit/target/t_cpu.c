// t_cpu.c - programs built by hand, compiled, linked, loaded and run: values against plain C.
#define _GNU_SOURCE
#include "kernel_bench.h"

// out[i, j] = x[i, j] * 2 + j over rows in parallel, 16 columns at a time with a guard for the rest.
static void elementwise_with_tail(void **state) {
    bench b = open_bench(*state);
    const expr *n = var(&b, "n"), *m = var(&b, "m"), *i = var(&b, "i"), *jo = var(&b, "jo"), *ji = var(&b, "ji");
    const expr *vi = var(&b, "vi"), *vj = var(&b, "vj"), *dims[] = {n, m}, *index[] = {vi, vj};
    buffer *x = buffer_new(b.s, "x", DTYPE_OF(F32), dims, 2, "global");
    buffer *out = buffer_new(b.s, "out", DTYPE_OF(F32), dims, 2, "global");
    const expr *two = expr_float(b.s, DTYPE_OF(F32), 2), *column = expr_cast(b.s, DTYPE_OF(F32), vj);
    const expr *doubled = op(&b, EXPR_MUL, expr_load(b.s, x, DTYPE_OF(F32), index, 2), two);
    const expr *at = op(&b, EXPR_ADD, op(&b, EXPR_MUL, jo, i64(&b, 16)), ji);
    const iter iters[] = {{vi, ITER_SPATIAL, {i64(&b, 0), n}, i}, {vj, ITER_SPATIAL, {i64(&b, 0), m}, at}};
    const block bl = {.name = "twice",
                      .iters = 2,
                      .iter = iters,
                      .where = op(&b, EXPR_LT, at, m),
                      .body = stmt_store(b.mem, out, index, 2, op(&b, EXPR_ADD, doubled, column))};
    const expr *groups = op(&b, EXPR_FLOOR_DIV, op(&b, EXPR_ADD, m, i64(&b, 15)), i64(&b, 16));
    const stmt *lanes = stmt_for(b.mem, FOR_VECTORIZED, ji, i64(&b, 0), i64(&b, 16), stmt_block(b.mem, &bl));
    const stmt *columns = stmt_for(b.mem, FOR_SERIAL, jo, i64(&b, 0), groups, lanes);
    const stmt *rows = stmt_for(b.mem, FOR_PARALLEL, i, i64(&b, 0), n, columns);
    const buffer *buffers[] = {x, out};
    rx_kernel *k = make(&b, program(&b, buffers, 2, rows));
    assert_int_equal(b.info.scalars, 2);
    assert_ptr_equal(b.info.grid, n);
    for (int64_t columns_now = 0; columns_now < 40; columns_now++) {
        float in[3 * 40], got[3 * 40 + 1];
        int64_t scalars[] = {3, columns_now};
        for (int64_t c = 0; c < 3 * columns_now; c++) in[c] = (float)c * 0.5F;
        for (int64_t c = 0; c < 121; c++) got[c] = -7;
        void *pointers[] = {in, got};
        const rx_kernel_args args = {.buffer = pointers, .scalar = scalars};
        assert_int_equal(k(&args, 0, 3, NULL), 0);
        for (int64_t c = 0; c < 3 * columns_now; c++) assert_true(got[c] == in[c] * 2 + (float)(c % columns_now));
        assert_true(got[3 * columns_now] == -7); // nothing past the end
    }
    close_bench(&b);
}

// y[i, j] += a[i, k] * w[k, j] with an initialisation, in plain loops and with the columns vectorized.
static void matmul(void **state) {
    for (int vector = 0; vector < 2; vector++) {
        bench b = open_bench(*state);
        const expr *n = var(&b, "n"), *v[3] = {var(&b, "vi"), var(&b, "vj"), var(&b, "vk")};
        const expr *l[3] = {var(&b, "i"), var(&b, "j"), var(&b, "k")};
        const expr *rows[] = {n, i64(&b, 5)}, *weights[] = {i64(&b, 5), i64(&b, 8)}, *result[] = {n, i64(&b, 8)};
        buffer *a = buffer_new(b.s, "a", DTYPE_OF(F32), rows, 2, "global"),
               *w = buffer_new(b.s, "w", DTYPE_OF(F32), weights, 2, "global");
        buffer *y = buffer_new(b.s, "y", DTYPE_OF(F32), result, 2, "global");
        const expr *ik[] = {v[0], v[2]}, *kj[] = {v[2], v[1]}, *ij[] = {v[0], v[1]};
        const expr *product =
            op(&b, EXPR_MUL, expr_load(b.s, a, DTYPE_OF(F32), ik, 2), expr_load(b.s, w, DTYPE_OF(F32), kj, 2));
        const expr *sum = op(&b, EXPR_ADD, expr_load(b.s, y, DTYPE_OF(F32), ij, 2), product);
        const iter iters[] = {{v[0], ITER_SPATIAL, {i64(&b, 0), n}, l[0]},
                              {v[1], ITER_SPATIAL, {i64(&b, 0), i64(&b, 8)}, l[1]},
                              {v[2], ITER_REDUCE, {i64(&b, 0), i64(&b, 5)}, l[2]}};
        const block bl = {.name = "matmul",
                          .iters = 3,
                          .iter = iters,
                          .body = stmt_store(b.mem, y, ij, 2, sum),
                          .init = stmt_store(b.mem, y, ij, 2, expr_float(b.s, DTYPE_OF(F32), 0))};
        const stmt *inner = stmt_block(b.mem, &bl);
        if (vector) {
            inner = stmt_for(b.mem, FOR_VECTORIZED, l[1], i64(&b, 0), i64(&b, 8), inner);
            inner = stmt_for(b.mem, FOR_SERIAL, l[2], i64(&b, 0), i64(&b, 5), inner);
        } else {
            inner = stmt_for(b.mem, FOR_SERIAL, l[2], i64(&b, 0), i64(&b, 5), inner);
            inner = stmt_for(b.mem, FOR_SERIAL, l[1], i64(&b, 0), i64(&b, 8), inner);
        }
        const buffer *buffers[] = {a, w, y};
        rx_kernel *k = make(&b, program(&b, buffers, 3, stmt_for(b.mem, FOR_PARALLEL, l[0], i64(&b, 0), n, inner)));
        float in[7 * 5], by[5 * 8], got[7 * 8];
        for (int c = 0; c < 35; c++) in[c] = (float)(c % 11) - 5;
        for (int c = 0; c < 40; c++) by[c] = (float)(c % 7) - 3;
        void *pointers[] = {in, by, got};
        const int64_t scalars[] = {7};
        const rx_kernel_args args = {.buffer = pointers, .scalar = scalars};
        assert_int_equal(k(&args, 0, 3, NULL), 0);
        assert_int_equal(k(&args, 3, 7, NULL), 0);
        for (int r = 0; r < 7; r++)
            for (int c = 0; c < 8; c++) {
                float want = 0;
                for (int q = 0; q < 5; q++) want += in[r * 5 + q] * by[q * 8 + c];
                assert_true(got[r * 8 + c] == want);
            }
        close_bench(&b);
    }
}

int main(void) {
    static char host[] = "cpu:host", v3[] = "cpu:x86-64-v3", v2[] = "cpu:x86-64-v2";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(elementwise_with_tail, host), cmocka_unit_test_prestate(matmul, host),
        cmocka_unit_test_prestate(elementwise_with_tail, v3),   cmocka_unit_test_prestate(matmul, v3),
        cmocka_unit_test_prestate(elementwise_with_tail, v2),   cmocka_unit_test_prestate(matmul, v2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
