// t_eval.c - evaluation: values, overflow, division by zero, laziness, rounding; small and large expressions alike.
#include "fixture.h"
#include "tensor/dtype.h"
#include <math.h>

static void declare_all(fixture *f) {
    static const char *const vars[][2] = {
        {"n", "int64"},   {"m", "int64"}, {"i", "int32"},   {"u", "uint64"}, {"k", "int8"},
        {"x", "float32"}, {"b", "bool"},  {"g", "float16"}, {"w", "uint8"},  {"z", "int64"},
    };
    for (size_t i = 0; i < COUNT(vars); i++) declare(f, vars[i][0], vars[i][1]);
}

static const expr *var(const fixture *f, const char *name) { return text_map_find(&f->vars, name); }

// n = 7, m = -3, i = 2**31 - 1, u = 2**64 - 1, k = -128, x = 0.5, b = true, g = 2048, w = 200, z = 0
static expr_env values(fixture *f) {
    expr_env env = expr_env_new(f->mem, f->s);
    expr_env_set(&env, var(f, "n"), (scalar){.i = 7});
    expr_env_set(&env, var(f, "m"), (scalar){.i = -3});
    expr_env_set(&env, var(f, "i"), (scalar){.i = INT32_MAX});
    expr_env_set(&env, var(f, "u"), (scalar){.i = -1});
    expr_env_set(&env, var(f, "k"), (scalar){.i = -128});
    expr_env_set(&env, var(f, "x"), (scalar){.f = 0.5});
    expr_env_set(&env, var(f, "b"), (scalar){.i = 1});
    expr_env_set(&env, var(f, "g"), (scalar){.f = 2048});
    expr_env_set(&env, var(f, "w"), (scalar){.i = 200});
    expr_env_set(&env, var(f, "z"), (scalar){.i = 0});
    return env;
}

// The same value behind a LET, which takes the way of large expressions.
static const expr *behind_let(fixture *f, const expr *e) {
    const expr *t = expr_new_var(f->s, "t", DTYPE_OF(I64));
    return expr_let(f->s, t, expr_i64(f->s, 1), e);
}

static expr_status eval_both(fixture *f, const char *words, scalar *out) {
    const expr *e = parsed(f, words), *large = behind_let(f, e);
    expr_env env = values(f);
    scalar other = {.i = 0};
    expr_status status = expr_eval(e, &env, out);
    assert_int_equal(expr_eval(large, &env, &other), status);
    if (status == EXPR_DONE) assert_memory_equal(out, &other, sizeof other);
    return status;
}

static void integers(void **state) {
    static const struct {
        const char *words;
        int64_t want;
    } rows[] = {
        {"n + m * 2 - 1", 0},
        {"n // m", -3},
        {"n % m", -2},
        {"T.truncdiv(n, m)", -2},
        {"T.truncmod(n, m)", 1},
        {"-n // 2", -4},
        {"min(n, m)", -3},
        {"max(n, m)", 7},
        {"T.dp4a(\"int32\", T.uint32(0x807f0201), T.int32(-16580863), T.int32(5))", 130}, // 1 2 127 128, 1 -1 2 -1
        {"T.dp4a(\"int32\", T.int32(-2139160063), T.int32(-16580863), T.int32(0))", 381}, // 1 2 127 -128
        {"T.lookup_bytes(T.uint32(0xf3020100), T.uint32(0x13121110), T.uint32(0), T.uint32(0), T.uint32(0x99000000))",
         0x13121110},
        {"T.lookup_grid(\"iq3_s_grid\", T.uint32(0x01ff2c00), T.uint32(0x00010100), 1)", 0x00773100}, // 0, 300, 511, 1
        {"i + 1", INT32_MIN}, // kernel integers wrap
        {"i * i", 1},
        {"k // T.int8(-1)", -128},
        {"k % T.int8(-1)", 0},
        {"k - T.int8(1)", 127},
        {"w + T.uint8(100)", 44},
        {"u // T.uint64(2)", INT64_MAX},
        {"u > T.uint64(5)", 1},
        {"max(u, T.uint64(5))", -1},
        {"u + T.uint64(2)", 1},
        {"(-9223372036854775807 - 1) % -1", 0},
        {"n == 7 and m < 0", 1},
        {"n != 7 or not b", 0},
        {"0 <= n < 8", 1},
        {"0 <= n < 7", 0},
        {"T.Select(b, n, m)", 7},
        {"T.if_then_else(z == 0, 5, n // z)", 5},
        {"T.if_then_else(z != 0, n // z, 5)", 5},
        {"T.Cast(\"int8\", n * 100)", -68},
        {"T.Cast(\"uint8\", m)", 253},
        {"T.Cast(\"bool\", n)", 1},
        {"T.Cast(\"int32\", b) + 1", 2},
        {"T.Cast(\"int32\", x * -5.0)", -2},
        {"T.Cast(\"int64\", u)", -1},
    };
    fixture *f = *state;
    declare_all(f);
    for (size_t i = 0; i < COUNT(rows); i++) {
        scalar out = {.i = -12345};
        if (eval_both(f, rows[i].words, &out) != EXPR_DONE || out.i != rows[i].want)
            fail_msg("%s: want %lld, got %lld", rows[i].words, (long long)rows[i].want, (long long)out.i);
    }
}

static void failures(void **state) {
    static const struct {
        const char *words;
        expr_status want;
    } rows[] = {
        {"n // z", EXPR_ZERO_DIVISOR},
        {"n % (m + 3)", EXPR_ZERO_DIVISOR},
        {"T.truncdiv(n, z)", EXPR_ZERO_DIVISOR},
        {"T.truncmod(n, z)", EXPR_ZERO_DIVISOR},
        {"i // T.int32(0)", EXPR_ZERO_DIVISOR},
        {"9223372036854775807 + n", EXPR_OVERFLOW},
        {"-9223372036854775807 - n", EXPR_OVERFLOW},
        {"9223372036854775807 * n", EXPR_OVERFLOW},
        {"(-9223372036854775807 - 1) // -1", EXPR_OVERFLOW},
        {"T.truncdiv(-9223372036854775807 - 1, -1)", EXPR_OVERFLOW},
        {"(1 << 62) << 1", EXPR_OVERFLOW},
        {"1 << 64", EXPR_OVERFLOW},
        {"n >> -1", EXPR_OVERFLOW},
        {"unknown + 1", EXPR_UNBOUND},
        {"T.Select(b, n, n // z)", EXPR_ZERO_DIVISOR}, // both sides are evaluated
        {"b or n // z == 0", EXPR_ZERO_DIVISOR},
        {"T.if_then_else(n // z == 0, 1, 2)", EXPR_ZERO_DIVISOR},
        {"T.if_then_else(b, n // z, 2)", EXPR_ZERO_DIVISOR},
        {"T.Ramp(n, 1, 4)", EXPR_NOT_SCALAR},
        {"T.Broadcast(n, 4) == T.Broadcast(n, 4)", EXPR_NOT_SCALAR},
        {"T.call_extern(\"int64\", \"f\", n)", EXPR_NOT_SCALAR},
        {"n // z + unknown", EXPR_ZERO_DIVISOR}, // the first operand that failed
        {"unknown + n // z", EXPR_UNBOUND},
    };
    fixture *f = *state;
    declare_all(f);
    for (size_t i = 0; i < COUNT(rows); i++) {
        scalar out;
        expr_status got = eval_both(f, rows[i].words, &out);
        if (got != rows[i].want) fail_msg("%s: want status %d, got %d", rows[i].words, rows[i].want, got);
    }
}

static void floats(void **state) {
    static const struct {
        const char *words;
        double want;
    } rows[] = {
        {"x + 1", 1.5},
        {"x / 3", 0.16666667163372039794921875}, // the float32 nearest to a sixth
        {"g + 1", 2048},                         // halves to even in float16
        {"g + 3", 2052},
        {"g * g", HUGE_VAL},
        {"T.Cast(\"float16\", T.float32(0.1))", 0.0999755859375},
        {"T.Cast(\"float32\", 16777217)", 16777216},
        {"T.Cast(\"float32\", 9007199791611905)", 9007200328482816}, // rounded once, not by way of double
        {"T.Cast(\"float64\", u)", 18446744073709551616.0},
        {"max(x, T.float32(\"nan\"))", (double)NAN}, // NaN, whichever operand it is
        {"max(T.float32(\"nan\"), x)", (double)NAN},
        {"min(x, -x)", -0.5},
    };
    fixture *f = *state;
    declare_all(f);
    for (size_t i = 0; i < COUNT(rows); i++) {
        scalar out;
        expr_status got = eval_both(f, rows[i].words, &out);
        bool same = out.f == rows[i].want || (isnan(out.f) && isnan(rows[i].want));
        if (got != EXPR_DONE || !same) fail_msg("%s: want %.17g, got %.17g", rows[i].words, rows[i].want, out.f);
    }
}

static uint32_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

static float any_float(uint64_t *state) {
    uint32_t bits = next_random(state);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Double and one rounding give what the processor's float32 gives.
static void float32_is_correctly_rounded(void **state) {
    fixture *f = *state;
    const expr *a = declare(f, "a", "float32"), *b = declare(f, "b", "float32");
    const expr *e[] = {parsed(f, "a + b"), parsed(f, "a - b"),     parsed(f, "a * b"),
                       parsed(f, "a / b"), parsed(f, "T.sqrt(a)"), parsed(f, "T.fma(a, b, a)")};
    expr_env env = expr_env_new(f->mem, f->s);
    uint64_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        float x = any_float(&seed), y = any_float(&seed);
        const float want[] = {x + y, x - y, x * y, x / y, sqrtf(x), fmaf(x, y, x)};
        if (isnan(x) || isnan(y)) continue;
        expr_env_set(&env, a, (scalar){.f = (double)x});
        expr_env_set(&env, b, (scalar){.f = (double)y});
        for (size_t i = 0; i < COUNT(e); i++) {
            scalar out;
            assert_int_equal(expr_eval(e[i], &env, &out), EXPR_DONE);
            if (isnan(want[i]))
                assert_true(isnan(out.f));
            else
                assert_true(out.f == (double)want[i]);
        }
    }
}

// Depth and sharing cost nothing: a chain of 100,000, and 2^40 paths through 40 nodes.
static void large_expressions(void **state) {
    fixture *f = *state;
    const expr *n = declare(f, "n", "int64"), *deep = n, *wide = n;
    for (int i = 0; i < 100000; i++) deep = expr_binary(f->s, EXPR_ADD, n, deep);
    for (int i = 0; i < 40; i++) wide = expr_binary(f->s, EXPR_ADD, wide, wide);
    expr_env env = expr_env_new(f->mem, f->s);
    expr_env_set(&env, n, (scalar){.i = 3});
    scalar out;
    assert_int_equal(expr_eval(deep, &env, &out), EXPR_DONE);
    assert_int_equal(out.i, 3 * 100001);
    assert_int_equal(expr_eval(wide, &env, &out), EXPR_DONE);
    assert_int_equal(out.i, (int64_t)3 << 40);
}

static void let_gives_its_value(void **state) {
    fixture *f = *state;
    declare_all(f);
    scalar out;
    assert_int_equal(eval_both(f, "T.Let(n * n + T.Let(n + m, where={m: n * 2}), where={n: 5})", &out), EXPR_DONE);
    assert_int_equal(out.i, 5 * 5 + 5 + 10);
    assert_int_equal(eval_both(f, "T.Let(n + 1, where={n: m // z})", &out), EXPR_ZERO_DIVISOR);
}

static void nothing_bound_without_environment(void **state) {
    fixture *f = *state;
    scalar out;
    assert_int_equal(expr_eval(parsed(f, "2 * 3 + 4"), NULL, &out), EXPR_DONE);
    assert_int_equal(out.i, 10);
    assert_int_equal(expr_eval(parsed(f, "n"), NULL, &out), EXPR_UNBOUND);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(integers),
        TEST(failures),
        TEST(floats),
        TEST(float32_is_correctly_rounded),
        TEST(large_expressions),
        TEST(let_gives_its_value),
        TEST(nothing_bound_without_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
