// t_print.c - printing: exactly the spelling of TVM 0.25, and nothing that reads back as something else.
#include "fixture.h"
#include <math.h>

static void declare_all(fixture *f) {
    static const char *const vars[][2] = {
        {"i", "int32"},   {"j", "int32"},     {"n", "int64"},  {"m", "int64"},  {"x", "float32"},
        {"y", "float32"}, {"g", "float16"},   {"b", "bool"},   {"c", "bool"},   {"u", "uint32"},
        {"h", "handle"},  {"v", "float32x4"}, {"q", "int8x4"}, {"u8", "uint8"}, {"d", "float64"},
    };
    for (size_t i = 0; i < COUNT(vars); i++) declare(f, vars[i][0], vars[i][1]);
}

// What TVM 0.25.0.post1 prints for these (script() of the expression): read and printed again, nothing changes.
static void spelled_as_tvm_does(void **state) {
    static const char *const texts[] = {
        "i + 1",
        "n + T.int64(1)",
        "n + T.Cast(\"int64\", i)",
        "T.Cast(\"float32\", i) + x",
        "x + T.float32(1.0)",
        "x + T.float32(1.5)",
        "u + T.Cast(\"uint32\", i)",
        "i // 2",
        "x / T.float32(2.0)",
        "T.Div(i, j)",
        "T.truncmod(i, j)",
        "i % j",
        "(i + 1) * 4",
        "i + j - (i - j)",
        "i - (j + 1)",
        "i * (j // 2)",
        "i * j // 2",
        "i // (j * 2)",
        "i % (j % 2)",
        "i * -1",
        "x * T.float32(-1.0)",
        "(i + j) * -1",
        "0 - i",
        "T.max(i, 3)",
        "T.max(n, T.int64(3))",
        "T.min(x, T.float32(0.0))",
        "T.Select(i < 3, i, j)",
        "T.if_then_else(i < 3, x, y)",
        "i <= j",
        "i == j",
        "i != j",
        "b and c",
        "b or b and c",
        "(b or c) and b",
        "b and (b and c)",
        "b and b and c",
        "b or (b or c)",
        "not b",
        "not (b and c)",
        "not i < 3",
        "not not b",
        "i < 3 and j < i",
        "T.Cast(\"int32\", i < j) < j",
        "T.Cast(\"bool\", i)",
        "T.bool(True)",
        "-3",
        "T.int64(-3)",
        "T.uint8(3)",
        "i + -3",
        "-3 - i",
        "-3 * i",
        "-3 // i",
        "T.uint64(9223372036854775807)",
        "T.int64(-9223372036854775808)",
        "T.float32(1.0000000000000001e-05)",
        "T.float32(10000000000.0)",
        "T.float32(340282346638528859811704183484516925440.0)",
        "T.float64(0.10000000000000001)",
        "T.float16(0.10000000000000001)",
        "T.float32(0.70710678118654757)",
        "T.float32(\"inf\")",
        "T.float32(\"-inf\")",
        "T.float32(\"nan\")",
        "T.float32(-0.0)",
        "T.float64(0.0001)",
        "T.float8_e4m3fn(0.5)",
        "T.Ramp(i, 1, 4)",
        "T.Ramp(n, T.int64(1), 4)",
        "T.Broadcast(x, 4)",
        "T.Broadcast(T.float32(0.0), 4)",
        "T.Shuffle([v], [0, 2])",
        "T.Let(i + 1, where={i: 3})",
        "T.Let(T.Let(j * i, where={j: i + 1}), where={i: 3})",
        "T.Let(i + 1, where={i: 3}) + j",
        "T.Ramp(i, 1, 4) + T.Broadcast(j, 4)",
        "T.Select(b, T.Select(b, x, y), y)",
        "T.bitwise_and(i, 3)",
        "T.bitwise_and(i, 3) + 1",
        "T.shift_left(i, 2) * j",
        "T.shift_right(T.Cast(\"int64\", i), n)",
        "T.pow(x, T.float32(2.0))",
        "T.exp(x) * T.float32(2.0)",
        "(n + T.int64(1)) * T.int64(4)",
        "i - j - i",
        "i // j // i",
        "i * (j * i)",
        "(not b) == c",
        "not b and c",
        "b == c and c",
        "(b and c) == c",
        "i * j % i",
        "i % j * i",
        "T.call_packed(\"f\", n, T.int64(3), x, \"s\")",
        "T.call_extern(\"float32\", \"f\", x)",
        "T.call_pure_extern(\"int32\", \"f\", x)",
        "T.call_llvm_pure_intrin(\"float32\", \"llvm.exp\", T.uint32(1), x)",
        "T.reinterpret(\"float32\", u)",
        "T.type_annotation(\"float32\")",
        "T.tvm_storage_sync(\"shared\")",
        "T.dp4a(\"int32\", q, q, i)",
        "T.lookup_grid(\"iq3_s_grid\", u, u, T.int64(1))",
        "T.get_active_lane_mask(\"uint1x4\", i, j)",
        "T.tvm_access_ptr(T.type_annotation(\"float32\"), h, i, j, i)",
        "T.isnan(x)",
        "T.clz(n)",
        "T.likely(b)",
        "T.q_multiply_shift(i, i, 31, 2)",
    };
    fixture *f = *state;
    declare_all(f);
    for (size_t i = 0; i < COUNT(texts); i++) {
        const expr *e = parsed(f, texts[i]);
        int64_t value;
        if (expr_const_int(e, &value) && e->type.kind == DTYPE_I64 && texts[i][0] != 'T')
            e = expr_int(f->s, DTYPE_OF(I32), value); // a bare number alone
        assert_string_equal(printed(f, e, false), texts[i]);
    }
}

// TVM prints `i < j == b`, which Python reads as a chain.
static void no_accidental_chains(void **state) {
    fixture *f = *state;
    declare_all(f);
    assert_string_equal(printed(f, parsed(f, "(i < j) == b"), false), "(i < j) == b");
    assert_string_equal(printed(f, parsed(f, "b == (i < j)"), false), "b == (i < j)");
}

static void numbers_in_graph_style(void **state) {
    fixture *f = *state;
    declare_all(f);
    assert_string_equal(printed(f, parsed(f, "(n + 1) * 4"), true), "(n + 1) * 4");
    assert_string_equal(printed(f, parsed(f, "i + 1"), true), "i + T.int32(1)");
    assert_string_equal(printed(f, parsed(f, "T.max(n, 1)"), true), "T.max(n, 1)");
    assert_string_equal(printed(f, expr_int(f->s, DTYPE_OF(U64), -1), true), "T.uint64(18446744073709551615)");
    char *words = expr_to_text(f->mem, parsed(f, "n // 8"));
    assert_string_equal(words, "n // 8");
}

// What a Python reader would compute prints as the node's own constructor, a bounded number of times inside itself.
static void nothing_folds_on_the_way_back(void **state) {
    static const char *const kept[] = {"T.Add(i, 0)",
                                       "T.Mul(1, i)",
                                       "T.Sub(n, T.int64(0))",
                                       "T.FloorMod(i, 1)",
                                       "T.LT(T.int64(1), T.int64(2))",
                                       "T.Mul(x, T.float32(0.0))",
                                       "T.And(T.bool(True), b)",
                                       "T.Add(T.Mul(i, 0), 0) * 2",
                                       "0 - i",
                                       "i // 0",
                                       "i * 2",
                                       "i == 0"};
    fixture *f = *state;
    declare_all(f);
    for (size_t i = 0; i < COUNT(kept); i++) assert_string_equal(printed(f, parsed(f, kept[i]), false), kept[i]);
    const expr *chain = declare(f, "i", "int32"), *zero = expr_int(f->s, DTYPE_OF(I32), 0);
    for (int i = 0; i < 300; i++) chain = expr_binary(f->s, EXPR_ADD, chain, zero);
    const char *words = printed(f, chain, false);
    assert_non_null(strstr(words, "T.Add("));
    assert_ptr_equal(parsed(f, words), chain);
}

static void names_from_options(void **state) {
    fixture *f = *state;
    int a; // stands for a buffer
    const expr *n = declare(f, "n", "int64"), *zero = expr_i64(f->s, 0);
    map vars = MAP_IN(f->mem), buffers = MAP_IN(f->mem);
    map_put(&vars, MAP_KEY(n), "n_1");
    map_put(&buffers, MAP_KEY(&a), "A");
    expr_print_options options = {.graph = true, .var_names = &vars, .buffer_names = &buffers, .module = "cls"};
    const struct buffer *buffer = (const struct buffer *)&a;
    text t = TEXT_IN(f->mem);
    expr_print(&t, expr_load(f->s, buffer, DTYPE_OF(F32), (const expr *[]){n, zero}, 2), &options);
    text_put(&t, " ");
    expr_print(&t, expr_load(f->s, buffer, DTYPE_OF(F32), NULL, 0), &options);
    text_put(&t, " ");
    expr_print(&t, expr_call_func(f->s, "scale", (dtype){0}, &n, 1), &options);
    assert_string_equal(text_get(&t), "A[n_1, 0] A[()] cls.scale(n_1)");
}

// A ramp as an index prints as a slice.
static void slices(void **state) {
    fixture *f = *state;
    int a;
    map buffers = MAP_IN(f->mem);
    map_put(&buffers, MAP_KEY(&a), "A");
    declare_all(f);
    static const char *const rows[][2] = {
        {"T.Ramp(i * 4, 1, 4)", "A[i * 4:i * 4 + 4]"}, {"T.Ramp(i * 4, 2, 4)", "A[i * 4:i * 4 + 8:2]"},
        {"T.Ramp(T.int32(8), 1, 4)", "A[8:12]"},       {"T.Ramp(n, 1, 4)", "A[n:n + T.int64(4)]"},
        {"T.Ramp(i, j, 4)", "A[T.Ramp(i, j, 4)]"},     {"T.Ramp(i, -1, 4)", "A[T.Ramp(i, -1, 4)]"},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        const expr *index = parsed(f, rows[k][0]);
        const expr *e = expr_load(f->s, (const struct buffer *)&a, dtype_vector(DTYPE_OF(F32), 4), &index, 1);
        text t = TEXT_IN(f->mem);
        expr_print(&t, e, &(expr_print_options){.buffer_names = &buffers});
        assert_string_equal(text_get(&t), rows[k][1]);
    }
}

static void strings_are_quoted(void **state) {
    fixture *f = *state;
    const expr *e = expr_string(f->s, "a\"b\n", 4);
    assert_string_equal(printed(f, e, true), "\"a\\\"b\\n\"");
    assert_ptr_equal(parsed(f, printed(f, e, true)), e);
}

static void floats_read_back(void **state) {
    fixture *f = *state;
    const double values[] = {0.1, 1e-300, 1e300, 5e-324, -2.5, 1.0 / 3, 123456.789, HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < COUNT(values); i++) {
        const expr *e = expr_float(f->s, DTYPE_OF(F64), values[i]);
        assert_ptr_equal(parsed(f, printed(f, e, true)), e);
    }
}

static void deep_chains_print_without_recursion(void **state) {
    fixture *f = *state;
    const expr *n = declare(f, "n", "int64"), *left = n, *right = n;
    for (int i = 0; i < 100000; i++) left = expr_binary(f->s, EXPR_SUB, left, n);
    for (int i = 0; i < 100000; i++) right = expr_binary(f->s, EXPR_SUB, n, right);
    assert_int_equal(strlen(printed(f, left, true)), 1 + 100000 * 4);
    assert_int_equal(strlen(printed(f, right, true)), 1 + 100000 * 6 - 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(spelled_as_tvm_does),
        TEST(no_accidental_chains),
        TEST(numbers_in_graph_style),
        TEST(nothing_folds_on_the_way_back),
        TEST(names_from_options),
        TEST(slices),
        TEST(strings_are_quoted),
        TEST(floats_read_back),
        TEST(deep_chains_print_without_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
