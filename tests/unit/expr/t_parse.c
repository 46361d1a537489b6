// t_parse.c - reading: precedence, chains, numbers, calls; every refusal has a message and a place.
#include "fixture.h"

// Printed in graph style, so that the structure shows.
static void structure(void **state) {
    static const char *const rows[][2] = {
        {"a + b * c", "a + b * c"},
        {"(a + b) * c", "(a + b) * c"},
        {"a - b - c", "a - b - c"},
        {"a - (b - c)", "a - (b - c)"},
        {"a // b // c % d", "a // b // c % d"},
        {"a // (b * c)", "a // (b * c)"},
        {"not a < b and c == d or e > f", "not a < b and c == d or e > f"},
        {"a < b < c", "a < b and b < c"},
        {"0 <= a < b <= 7", "0 <= a and a < b and b <= 7"},
        {"a == b != c", "a == b and b != c"},
        {"-a", "a * -1"},
        {"-3 // a", "-3 // a"},
        {"- -3", "3"},
        {"+a", "a"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"a | b ^ c & d << 2 + 1",
         "T.bitwise_or(a, T.bitwise_xor(b, T.bitwise_and(c, T.shift_left(d, T.int64(2) + 1))))"},
        {"~a", "T.bitwise_not(a)"},
        {"min(a, b)", "T.min(a, b)"},
        {"T.max(a, 0)", "T.max(a, 0)"},
        {"T.floordiv(a, 2)", "a // 2"},
        {"T.FloorMod(a, 2)", "a % 2"},
        {"T.truncdiv(a, 2)", "T.Div(a, 2)"},
        {"T.Mod(a, 2)", "T.truncmod(a, 2)"},
        {"T.And(a < b, True)", "a < b and T.bool(True)"},
        {"T.Not(a < b)", "not a < b"},
        {"T.ceildiv(a, 8)", "(a + 7) // 8"},
        {"T.ceildiv(a, b)", "(a + (b - 1)) // b"},
        {"T.int32(3) + 1", "T.int32(3) + T.int32(1)"},
        {"T.int32(a)", "T.Cast(\"int32\", a)"},
        {"0x10 + 1_000", "T.int64(16) + 1000"},
        {"1.5", "T.float32(1.5)"},
        {"T.float32(1)", "T.float32(1.0)"},
        {"0.1 + T.float64(1)", "T.float64(0.10000000000000001) + T.float64(1.0)"},
        {"T.float32x4(1)", "T.Broadcast(T.float32(1.0), 4)"},
        {"T.float32(\"-inf\")", "T.float32(\"-inf\")"},
        {"T.float32(2) * 0.1", "T.float32(2.0) * T.float32(0.10000000000000001)"},
        {"T.max_value(\"int8\")", "T.int8(127)"},
        {"T.min_value(\"float16\")", "T.float16(-65504.0)"},
        {"-T.infinity(\"float32\")", "T.float32(\"-inf\")"},
        {"T.if_then_else(a < b, 1, T.int32(2))", "T.if_then_else(a < b, T.int32(1), T.int32(2))"},
        {"T.tvm_call_packed(\"f\", a)", "T.call_packed(\"f\", a)"},
        {"T.exp(T.float32(1),)", "T.exp(T.float32(1.0))"},
        {"T.uint64(18446744073709551615)", "T.uint64(18446744073709551615)"},
        {"( # in brackets lines may end\n a\n)", "a"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < COUNT(rows); i++) assert_string_equal(printed(f, parsed(f, rows[i][0]), true), rows[i][1]);
}

static void names_mean_the_same_variable(void **state) {
    fixture *f = *state;
    const expr *e = parsed(f, "n + n"), *again = parsed(f, "n");
    assert_ptr_equal(e->in[0], e->in[1]);
    assert_ptr_equal(again, e->in[0]);
    assert_true(dtype_equal(again->type, DTYPE_OF(I64)));
    assert_int_equal(f->vars.len, 1);
}

// Reading what was printed gives the same node.
static void round_trips(void **state) {
    static const char *const rows[] = {
        "a * -1 + b",
        "(a < b) == (b < c)",
        "T.Select(a < b, a, b)",
        "not (not a < b)",
        "a // (b // c)",
        "T.Cast(\"float16\", a)",
        "T.Div(a, -b)",
        "a - (b + c) - -1",
        "T.Ramp(a, 2, 8)",
        "T.Shuffle([T.Broadcast(a, 4), T.Broadcast(b, 4)], [0, 7])",
    };
    fixture *f = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const expr *e = parsed(f, rows[i]);
        assert_ptr_equal(parsed(f, printed(f, e, true)), e);
        assert_ptr_equal(parsed(f, printed(f, e, false)), e);
    }
}

static void refusals(void **state) {
    static const struct {
        const char *words, *message;
        uint32_t col;
    } rows[] = {
        {"", "want a value, got the end", 1},
        {"a +", "want a value, got the end", 4},
        {"a b", "want an operator or the end, got 'b'", 3},
        {"(a", "want ')', got the end", 3},
        {"a and b", "and wants conditions: got int64 and int64", 3},
        {"a / b", "/ is for floats; write // or T.truncdiv for integers: got int64 and int64", 3},
        {"1.5 // a", "floor_div wants integers: got float32 and float32", 5},
        {"a + not b", "put 'not ...' in parentheses here", 5},
        {"not a", "'not' wants a condition", 1},
        {"-True", "there is no negative of this", 1},
        {"99999999999999999999", "the number does not fit in 64 bits", 1},
        {"T.int8(200)", "T.int8: the number does not fit", 1},
        {"T.int8(1.5)", "T.int8: the number does not fit", 1},
        {"T.int64()", "T.int64: want a value (without one it declares a variable)", 1},
        {"T.float32(\"x\")", "T.float32: want a number, \"inf\", \"-inf\" or \"nan\", got \"x\"", 1},
        {"T.sqr(a)", "T.sqr: no such function; did you mean T.sqrt?", 1},
        {"T.exp(a)", "T.exp: does not take int64", 1},
        {"T.exp()", "T.exp: want 1 argument, got 0", 1},
        {"T.fma(1.0, 2.0)", "T.fma: want 3 arguments, got 2", 1},
        {"T.max(a)", "T.max: want 2 arguments, got 1", 1},
        {"T.Cast(float32, a)", "want a type in quotes, such as \"float32\", got 'float32'", 8},
        {"T.Cast(\"float33\", a)", "want a type in quotes, such as \"float32\", got '\"float33\"'", 8},
        {"T.Cast(\"handle\", a)", "T.Cast: casts numbers only", 1},
        {"T.Select(a, 1, 2)", "T.Select: the first argument must be a condition of as many lanes", 1},
        {"T.Ramp(a, 1, a)", "T.Ramp: the number of lanes must be a constant", 1},
        {"T.Broadcast(a, 1)", "T.Broadcast: want 2 to 65535 lanes, got 1", 1},
        {"T.Broadcast(a, 2) + T.Broadcast(a, 4)", "want equal numbers of lanes: got int64x2 and int64x4", 19},
        {"T.Shuffle([T.Broadcast(a, 2)], [2])",
         "T.Shuffle: want vectors of one type, then the numbers of lanes they have", 1},
        {"T.Let(a, where={never: 1})", "T.Let: want a variable of the body", 17},
        {"\"text\" + 1", "want numbers: got handle and int64", 8},
        {"T.thread_return() + 1", "want numbers: got void and int64", 19},
        {"T.max(T.thread_return(), 1)", "T.max: argument 1 has no value", 1},
        {"if", "want a value, got 'if'", 1},
        {"a $ b", NULL, 3},
        {"T.float16(1) + T.bfloat16(1)", "neither type holds the other; cast one side: got float16 and bfloat16", 14},
    };
    fixture *f = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (try_parse(f, rows[i].words)) fail_msg("%s: want it refused", rows[i].words);
        if (rows[i].message) assert_string_equal(first_error(f), rows[i].message);
        assert_int_equal(f->d->record[0].at.line, 1);
        if (f->d->record[0].at.col != rows[i].col)
            fail_msg("%s: want column %u, got %u", rows[i].words, rows[i].col, f->d->record[0].at.col);
    }
}

static char *repeated(fixture *f, const char *left, int count, const char *middle, const char *right) {
    text t = TEXT_IN(f->mem);
    for (int i = 0; i < count; i++) text_put(&t, left);
    text_put(&t, middle);
    for (int i = 0; i < count; i++) text_put(&t, right);
    return t.at;
}

// b > a >= c * ~~~...a, as deep as can be read.
static const char *deepest_chain(fixture *f) {
    const char *found = NULL;
    for (unsigned deep = EXPR_MAX_NESTING - 8; deep < EXPR_MAX_NESTING; deep++) {
        const char *next = arena_format(f->mem, "b > a >= c * %s", repeated(f, "~", deep, "a", ""));
        if (!try_parse(f, next)) break;
        found = next;
    }
    return found;
}

static void nesting_is_bounded(void **state) {
    static const char *const rows[][3] = {
        {"(", "a", ")"}, {"-", "a", ""}, {"not ", "a < b", ""}, {"T.max(", "a", ", b)"}};
    fixture *f = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_non_null(try_parse(f, repeated(f, rows[i][0], 150, rows[i][1], rows[i][2])));
        assert_null(try_parse(f, repeated(f, rows[i][0], 100000, rows[i][1], rows[i][2])));
        assert_true(strstr(first_error(f), "nested too deep") != NULL);
    }
    assert_non_null(try_parse(f, repeated(f, "a + ", 100000, "a", ""))); // a chain is not nested
    assert_null(try_parse(f, repeated(f, "a & ", 100000, "a", "")));     // but where it prints as functions
    assert_true(strstr(first_error(f), "nested too deep") != NULL);
    // The deepest text reads back as it prints, with a type around its number.
    const expr *deepest = try_parse(f, repeated(f, "~", EXPR_MAX_NESTING - 1, "9999999999999999999", ""));
    assert_non_null(deepest);
    assert_ptr_equal(try_parse(f, printed(f, deepest, true)), deepest);
    // Where operators print as functions, what is between them stands deeper.
    deepest = try_parse(f, repeated(f, "a & ", EXPR_MAX_NESTING - 1, "b", ""));
    assert_non_null(deepest);
    assert_ptr_equal(try_parse(f, printed(f, deepest, true)), deepest);
    assert_null(try_parse(f, arena_format(f->mem, "%s & b", repeated(f, "~", EXPR_MAX_NESTING - 1, "a", ""))));
    deepest = try_parse(f, arena_format(f->mem, "%s & b", repeated(f, "~", EXPR_MAX_NESTING - 2, "a", "")));
    assert_non_null(deepest);
    assert_ptr_equal(try_parse(f, printed(f, deepest, true)), deepest);
    // A chain of comparisons prints with an "and" around its parts.
    deepest = try_parse(f, deepest_chain(f));
    assert_non_null(deepest);
    assert_ptr_equal(try_parse(f, printed(f, deepest, true)), deepest);
}

// Every operation's function name leads back to it.
static void names_of_operations(void **state) {
    (void)state;
    for (unsigned op = 0; op < EXPR_OPS; op++) {
        const char *name = expr_op_function_name(op);
        expr_op found;
        if (name) assert_true(expr_op_by_function_name(name, &found) && found == op);
        assert_true(strlen(expr_op_name(op)) > 0);
        if (expr_operator_of(op)) assert_int_equal(expr_operator_of(op)->op, op);
    }
    expr_op op;
    assert_false(expr_op_by_function_name("exp", &op));
}

// TVM's promotion of the arguments of + (recorded from version 0.25).
static void promotion(void **state) {
    static const char *const rows[][3] = {
        {"int32", "int64", "int64"},   {"uint32", "int32", "uint32"},   {"uint8", "int32", "int32"},
        {"uint8", "uint32", "uint32"}, {"int64", "float16", "float16"}, {"float16", "float32", "float32"},
        {"bool", "int32", "int32"},    {"bool", "float32", "float32"},  {"int32", "float32x4", "float32x4"},
        {"uint64", "int64", "uint64"}, {"int64", "uint32", "int64"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char why[128], spelled[32];
        const expr *a = declare(f, "a", rows[i][0]), *b = declare(f, "b", rows[i][1]);
        const expr *e = expr_arith(f->s, EXPR_ADD, a, b, why), *swapped = expr_arith(f->s, EXPR_ADD, b, a, why);
        assert_non_null(e);
        assert_string_equal(dtype_spell(e->type, spelled), rows[i][2]);
        assert_string_equal(dtype_spell(swapped->type, spelled), rows[i][2]);
    }
}

static void numbers_take_the_other_type(void **state) {
    static const char *const types[] = {"int8", "uint64", "int64", "float16", "float32"};
    fixture *f = *state;
    const expr *three = expr_int(f->s, DTYPE_OF(I32), 3);
    char why[128];
    for (size_t i = 0; i < COUNT(types); i++) {
        const expr *a = declare(f, "a", types[i]);
        const expr *e = expr_arith(f->s, EXPR_MUL, three, a, why);
        assert_true(dtype_equal(e->type, a->type) && e->in[0]->op != EXPR_CAST);
    }
    const expr *k = declare(f, "k", "int8");
    const expr *e = expr_arith(f->s, EXPR_ADD, k, expr_int(f->s, DTYPE_OF(I32), 300), why); // does not fit: promotes
    assert_true(dtype_equal(e->type, DTYPE_OF(I32)));
    assert_null(expr_number(f->s, expr_int(f->s, DTYPE_OF(I32), -1), DTYPE_OF(U8)));
    assert_null(expr_number(f->s, expr_float(f->s, DTYPE_OF(F64), 1.0), DTYPE_OF(I32)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(structure), TEST(names_mean_the_same_variable), TEST(round_trips),
        TEST(refusals),  TEST(nesting_is_bounded),           TEST(names_of_operations),
        TEST(promotion), TEST(numbers_take_the_other_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
