// t_intrinsic.c - the table of intrinsics is sound, and the pure scalar ones have the values their docs promise.
#include "fixture.h"
#include <math.h>

static void rows_are_sound(void **state) {
    (void)state;
    assert_true(INTRINSICS >= 120);
    for (unsigned i = 0; i < INTRINSICS; i++) {
        const intrinsic *f = intrinsic_get(i);
        expr_op op;
        assert_int_equal(f->id, i);
        assert_ptr_equal(intrinsic_find(f->name), f); // so names are unique
        assert_true(f->max_args == INTRIN_VARIADIC || f->max_args <= 8);
        assert_true(f->min_args <= f->max_args && strlen(f->doc) > 0);
        assert_true(f->takes == TAKES_ANYTHING || f->min_args > 0);
        assert_true(!f->leads_with_type || f->type == INTRIN_ANY);
        assert_false(expr_op_by_function_name(f->name, &op)); // operations are no intrinsics
    }
    assert_null(intrinsic_find("no_such"));
    assert_int_equal(intrinsic_find("ptx_mma")->id, INTRIN_PTX_MMA);
}

// Function, argument, value in double.
static const struct {
    const char *call;
    double want;
} real[] = {
    {"T.exp(T.float64(0.5))", 1.6487212707001282},
    {"T.exp2(T.float64(-1.5))", 0.35355339059327379},
    {"T.exp10(T.float64(2))", 100},
    {"T.log(T.float64(10))", 2.3025850929940459},
    {"T.log2(T.float64(8))", 3},
    {"T.log10(T.float64(1000))", 3},
    {"T.log1p(T.float64(1e-10))", 9.9999999995e-11},
    {"T.sqrt(T.float64(2))", 1.4142135623730951},
    {"T.rsqrt(T.float64(4))", 0.5},
    {"T.pow(T.float64(2), 0.5)", 1.4142135623730951},
    {"T.hypot(T.float64(3e200), 4e200)", 5e200},
    {"T.ldexp(T.float64(3), 4)", 48},
    {"T.ldexp(T.float64(3), 1 << 40)", HUGE_VAL},
    {"T.sin(T.float64(1))", 0.8414709848078965},
    {"T.cos(T.float64(1))", 0.54030230586813977},
    {"T.tan(T.float64(1))", 1.5574077246549023},
    {"T.asin(T.float64(1))", 1.5707963267948966},
    {"T.acos(T.float64(-1))", 3.1415926535897931},
    {"T.atan(T.float64(1))", 0.78539816339744828},
    {"T.atan2(T.float64(-1), -1.0)", -2.3561944901923448},
    {"T.sinh(T.float64(1))", 1.1752011936438014},
    {"T.cosh(T.float64(1))", 1.5430806348152437},
    {"T.tanh(T.float64(0.5))", 0.46211715726000979},
    {"T.asinh(T.float64(1))", 0.88137358701954305},
    {"T.acosh(T.float64(2))", 1.3169578969248166},
    {"T.atanh(T.float64(0.5))", 0.54930614433405489},
    {"T.erf(T.float64(0.5))", 0.52049987781304652},
    {"T.sigmoid(T.float64(0))", 0.5},
    {"T.fabs(T.float64(-2.5))", 2.5},
    {"T.abs(T.float64(-2.5))", 2.5},
    {"T.floor(T.float64(-2.5))", -3},
    {"T.ceil(T.float64(-2.5))", -2},
    {"T.trunc(T.float64(-2.5))", -2},
    {"T.round(T.float64(2.5))", 2},
    {"T.round(T.float64(3.5))", 4},
    {"T.nearbyint(T.float64(-0.5))", -0.0},
    {"T.fmod(T.float64(-7), 3.0)", -1},
    {"T.fma(T.float64(2), 3.0, 4.0)", 10},
    {"T.copysign(T.float64(2), -0.0)", -2},
    {"T.nextafter(T.float64(1), 2.0)", 1.0000000000000002},
    {"T.nextafter(T.float32(1), 0.0)", 0.999999940395355224609375},
    {"T.nextafter(T.float32(0), -1.0)", -1.40129846432481707e-45},
    {"T.nextafter(T.float16(1), 2.0)", 1.0009765625},
    {"T.nextafter(T.float16(-1), 2.0)", -0.99951171875},
    {"T.exp(T.float32(1))", 2.71828174591064453125},
    {"T.exp(T.float16(12))", HUGE_VAL},
    {"T.reinterpret(\"float32\", T.uint32(1065353216))", 1},
    {"T.reinterpret(\"bfloat16\", T.float16(1))", 0.0078125},
    {"T.if_then_else(True, T.float32(1), T.float32(2))", 1},
};

static const struct {
    const char *call;
    int64_t want;
} whole[] = {
    {"T.isnan(T.float32(\"nan\"))", 1},
    {"T.isnan(3)", 0},
    {"T.isinf(T.float16(\"-inf\"))", 1},
    {"T.isfinite(T.float32(\"inf\"))", 0},
    {"T.isfinite(T.float32(1))", 1},
    {"T.abs(-5)", 5},
    {"T.abs(T.int8(-128))", -128},
    {"T.floor(7)", 7},
    {"3 << 4", 48},
    {"-5 >> 1", -3},
    {"T.uint32(4294967295) >> 31", 1},
    {"T.int8(64) << 1", -128},
    {"12 & 10", 8},
    {"12 | 10", 14},
    {"12 ^ 10", 6},
    {"~5", -6},
    {"~T.uint8(5)", 250},
    {"True & False", 0},
    {"~True", 0},
    {"T.clz(1)", 63},
    {"T.clz(T.int8(-1))", 0},
    {"T.clz(T.uint16(0))", 16},
    {"T.popcount(T.int8(-1))", 8},
    {"T.popcount(255)", 8},
    {"T.likely(3 < 4)", 1},
    {"T.reinterpret(\"int32\", T.float32(-0.0))", INT32_MIN},
    {"T.reinterpret(\"int8\", T.uint8(255))", -1},
    {"T.q_multiply_shift(T.int32(100), 1073741824, 31, 0)", 50},
    {"T.q_multiply_shift(T.int32(3), 1073741824, 31, 1)", 3},
    {"T.q_multiply_shift(T.int32(5), 1073741824, 31, -1)", 1},
    {"T.q_multiply_shift_per_axis(T.int32(100), 1073741824, 1, 2, 31, 1, 0)", 100},
    {"T.q_multiply_shift_per_axis(T.int32(100), 1073741824, 1, 2, 31, 0, 1)", 13},
    {"T.max_value(\"uint64\") == T.uint64(18446744073709551615)", 1},
    {"T.max_value(\"float8_e4m3fn\") == T.float8_e4m3fn(448)", 1},
    {"T.max_value(\"float32\") == T.float32(3.4028234663852886e+38)", 1},
    {"T.min_value(\"bfloat16\") < T.bfloat16(-3.38e38)", 1},
};

static void values_of_floats(void **state) {
    fixture *f = *state;
    for (size_t i = 0; i < COUNT(real); i++) {
        scalar out = {.f = -12345};
        expr_status status = expr_eval(parsed(f, real[i].call), NULL, &out);
        double want = real[i].want, error = fabs(out.f - want);
        bool near = out.f == want || error <= 4e-16 * fabs(want);
        if (status != EXPR_DONE || !near || signbit(out.f) != signbit(want))
            fail_msg("%s: want %.17g, got %.17g (status %d)", real[i].call, want, out.f, status);
    }
}

static void values_of_integers(void **state) {
    fixture *f = *state;
    for (size_t i = 0; i < COUNT(whole); i++) {
        scalar out = {.i = -12345};
        expr_status status = expr_eval(parsed(f, whole[i].call), NULL, &out);
        if (status != EXPR_DONE || out.i != whole[i].want)
            fail_msg("%s: want %lld, got %lld (status %d)", whole[i].call, (long long)whole[i].want, (long long)out.i,
                     status);
    }
}

// Every intrinsic on numbers of every type that it takes: either a value or NOT_SCALAR, and the value fits its type.
static void values_fit_their_types(void **state) {
    static const char *const types[] = {"bool",  "int1",   "int8",    "int32",   "int64",
                                        "uint4", "uint64", "float16", "float32", "float8_e4m3fn"};
    fixture *f = *state;
    for (unsigned id = 0; id < INTRINSICS; id++) {
        for (size_t t = 0; t < COUNT(types); t++) {
            dtype type;
            assert_true(dtype_parse(types[t], strlen(types[t]), &type));
            const expr *v = expr_number(f->s, expr_i64(f->s, dtype_is_float(type) || type.kind == DTYPE_BOOL), type);
            if (!v) v = expr_int(f->s, type, dtype_int_min(type));
            const expr *args[8] = {v, v, v, v, v, v, v, v};
            const intrinsic *fn = intrinsic_get(id);
            scalar out;
            if (fn->min_args > 8 || !expr_call_takes(fn, args, fn->min_args)) continue;
            const expr *e = expr_call(f->s, fn, fn->type == INTRIN_ANY ? type : (dtype){0}, args, fn->min_args);
            if (expr_eval(e, NULL, &out) != EXPR_DONE) continue;
            assert_true(fn->pure);
            if (dtype_is_float(e->type))
                assert_true(isnan(out.f) || dtype_round(e->type, out.f) == out.f);
            else
                assert_true(e->type.kind == DTYPE_BOOL ? out.i == 0 || out.i == 1
                                                       : dtype_wrap(e->type, out.i) == out.i);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(rows_are_sound),
        TEST(values_of_floats),
        TEST(values_of_integers),
        TEST(values_fit_their_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
