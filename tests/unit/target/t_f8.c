// t_f8.c - eight-bit floats in kernels: every value read, and every boundary between two of them rounded, as
// tensor/convert.c does.
#define _GNU_SOURCE
#include "kernel_bench.h"
#include <math.h>
#include <stdlib.h>

enum { LANES = 16 };
static const uint8_t kinds[] = {DTYPE_F8_E3M4,     DTYPE_F8_E4M3, DTYPE_F8_E4M3B11FNUZ, DTYPE_F8_E4M3FN,
                                DTYPE_F8_E4M3FNUZ, DTYPE_F8_E5M2, DTYPE_F8_E5M2FNUZ,    DTYPE_F8_E8M0FNU};

// out[i] = cast(x[i]), LANES at a time.
static rx_kernel *cast_kernel(bench *b, dtype from, dtype to) {
    const expr *n = var(b, "n"), *o = var(b, "o"), *i = var(b, "i");
    const expr *count[] = {op(b, EXPR_MUL, n, i64(b, LANES))};
    const expr *at[] = {op(b, EXPR_ADD, op(b, EXPR_MUL, o, i64(b, LANES)), i)};
    buffer *x = buffer_new(b->s, "x", from, count, 1, "global"), *out = buffer_new(b->s, "out", to, count, 1, "global");
    const loop_param groups = {.var = n};
    const stmt *store = stmt_store(b->mem, out, at, 1, expr_cast(b->s, to, expr_load(b->s, x, from, at, 1)));
    const stmt *lanes = stmt_for(b->mem, FOR_VECTORIZED, i, i64(b, 0), i64(b, LANES), store);
    const buffer *buffers[] = {x, out};
    loop_func *f = (loop_func *)(uintptr_t)program(b, buffers, 2, stmt_for(b->mem, FOR_SERIAL, o, i64(b, 0), n, lanes));
    loop_param *p = ARENA_NEW(b->mem, loop_param, 3);
    for (int k = 0; k < 2; k++) p[k] = f->param[k];
    p[2] = groups;
    f->param = p;
    f->params = 3;
    return make(b, f);
}

static void run(rx_kernel *k, void *x, void *out, int64_t groups) {
    void *pointers[] = {x, out};
    const int64_t scalars[] = {groups, groups}; // as a dim and as a parameter
    assert_int_equal(k(&(rx_kernel_args){.buffer = pointers, .scalar = scalars}, 0, 1, NULL), 0);
}

static void reads_every_value(void **state) {
    for (size_t k = 0; k < COUNT(kinds); k++) {
        dtype t = {.kind = kinds[k], .lanes = 1};
        bench b = open_bench(*state);
        uint8_t code[256];
        float got[256];
        for (int i = 0; i < 256; i++) code[i] = (uint8_t)i;
        run(cast_kernel(&b, t, DTYPE_OF(F32)), code, got, 256 / LANES);
        for (int i = 0; i < 256; i++) {
            double want = dtype_decode_float(t, (uint64_t)i);
            if (isnan(want) ? !isnan(got[i]) : (double)got[i] != want || !signbit(got[i]) != !signbit(want))
                fail_msg("%d: code %d is %g, got %g", kinds[k], i, want, (double)got[i]);
        }
        close_bench(&b);
    }
}

static uint32_t add_near(float value, float *out) {
    uint32_t bits, count = 0;
    memcpy(&bits, &value, sizeof bits);
    for (uint32_t d = 0; d < 7; d++) {
        uint32_t near = bits + d - 3;
        memcpy(&out[count++], &near, sizeof near);
    }
    return count;
}

// All values, the middles between neighbours and what lies beside both; ends of float; many others.
static uint32_t fill(dtype t, float *out) {
    static const float ends[] = {0,   -0.0F, 1e30F,  -1e30F,  INFINITY, -INFINITY,
                                 NAN, -NAN,  1e-45F, -1e-45F, 1e-38F,   3e38F};
    uint32_t count = 0;
    for (size_t i = 0; i < COUNT(ends); i++) out[count++] = ends[i];
    for (uint32_t i = 0; i < 255; i++) {
        float a = (float)dtype_decode_float(t, i), c = (float)dtype_decode_float(t, i + 1);
        count += add_near(a, out + count);
        count += add_near(a + (c - a) / 2, out + count);
    }
    for (uint64_t i = 0, bits = 1; i < 20000; i++) {
        bits = bits * 6364136223846793005U + 1442695040888963407U;
        uint32_t word = (uint32_t)(bits >> 32);
        memcpy(&out[count++], &word, sizeof word);
    }
    while (count % LANES) out[count++] = 1;
    return count;
}

static void rounds_once(void **state) {
    float *x = malloc(40000 * sizeof *x);
    uint8_t *got = malloc(40000);
    for (size_t k = 0; k < COUNT(kinds); k++) {
        dtype t = {.kind = kinds[k], .lanes = 1};
        bench b = open_bench(*state);
        uint32_t count = fill(t, x);
        run(cast_kernel(&b, DTYPE_OF(F32), t), x, got, count / LANES);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t want = dtype_encode_float(t, (double)x[i]);
            bool nan = isnan(dtype_decode_float(t, want)) && isnan(dtype_decode_float(t, got[i]));
            if (!nan && got[i] != want)
                fail_msg("%d: %a is %02x, got %02x", kinds[k], (double)x[i], (unsigned)want, got[i]);
        }
        close_bench(&b);
    }
    free(x);
    free(got);
}

int main(void) {
    static char v2[] = "cpu:x86-64-v2", host[] = "cpu:host";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(reads_every_value, v2), cmocka_unit_test_prestate(rounds_once, v2),
        cmocka_unit_test_prestate(reads_every_value, host), cmocka_unit_test_prestate(rounds_once, host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
