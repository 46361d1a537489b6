// t_postfix.c - index expressions as postfix programs: the same values and failures as evaluation.
#include "base/postfix.h"
#include "fixture.h"

enum { SLOTS = 3 };
static const char *const names[SLOTS] = {"n", "m", "i"};

// NULL if it is refused.
static const char *program_text(fixture *f, const expr *e, uint8_t **code, size_t *size) {
    map slot = MAP_IN(f->mem);
    for (uintptr_t i = 0; i < SLOTS; i++) {
        const expr *var = text_map_find(&f->vars, names[i]);
        if (var) map_put(&slot, MAP_KEY(var), (void *)(i + 1));
    }
    if (!expr_to_postfix(e, &slot, f->mem, code, size)) return NULL;
    text out = TEXT_IN(f->mem);
    char word[POSTFIX_WORD];
    for (size_t at = 0; at < *size; at += postfix_size(*code + at))
        text_format(&out, "%s%s", at ? " " : "", postfix_word(*code + at, word));
    return text_get(&out);
}

static void programs(void **state) {
    static const char *const rows[][2] = {
        {"n", "s0"},
        {"n * 4 + m", "s0 4 * s1 +"},
        {"n > m", "s1 s0 <"},
        {"n >= 1000", "1000 s0 <="},
        {"T.ceildiv(n, 16)", "s0 15 + 16 //"},
        {"not n == m or n < 3", "s0 s1 == not s0 3 < or"},
        {"T.Select(n < m, n, T.truncdiv(m, 2))", "s0 s1 < s0 s1 2 truncdiv select"},
        {"T.if_then_else(n < m, n, m // 2)", "s0 s1 < s0 s1 2 // select"},
        {"T.likely(n < m)", "s0 s1 <"},
        {"T.Cast(\"int64\", i) + n", "s2 s0 +"},
        {"T.Cast(\"bool\", n)", "s0 0 !="},
        {"T.Cast(\"int64\", n < m) + 1", "s0 s1 < 1 +"},
        {"(n & 7) << 2", "s0 7 & 2 <<"},
        {"T.Let(n * m, where={m: n + 1})", "s0 s0 1 + *"},
    };
    fixture *f = *state;
    declare(f, "i", "int32");
    for (size_t k = 0; k < COUNT(rows); k++) {
        uint8_t *code;
        size_t size;
        const char *words = program_text(f, parsed(f, rows[k][0]), &code, &size);
        if (!words) fail_msg("%s: refused", rows[k][0]);
        assert_string_equal(words, rows[k][1]);
    }
}

static void refusals(void **state) {
    static const char *const rows[] = {
        "n + unknown",
        "T.Cast(\"int64\", T.float32(1))",
        "T.uint64(1) + T.uint64(2)",
        "T.if_then_else(n == 0, 0, m // n)", // both sides would be evaluated
        "T.call_extern(\"int64\", \"f\", n)",
        "T.Ramp(n, 1, 4)",
        "T.clz(n) + 1",
    };
    fixture *f = *state;
    for (size_t k = 0; k < COUNT(rows); k++) {
        uint8_t *code;
        size_t size;
        assert_null(program_text(f, parsed(f, rows[k]), &code, &size));
    }
}

// The stack of the runtime is 64 deep: chains to the left are fine, chains to the right are refused when too long.
static void depth(void **state) {
    fixture *f = *state;
    const expr *n = parsed(f, "n"), *left = n, *right = n, *wide = n;
    uint8_t *code;
    size_t size;
    for (int i = 0; i < 10000; i++) left = expr_binary(f->s, EXPR_ADD, left, n);
    assert_non_null(program_text(f, left, &code, &size));
    for (int i = 0; i < 63; i++) right = expr_binary(f->s, EXPR_ADD, n, right);
    assert_non_null(program_text(f, right, &code, &size));
    assert_null(program_text(f, expr_binary(f->s, EXPR_ADD, n, right), &code, &size));
    for (int i = 0; i < 60; i++) wide = expr_binary(f->s, EXPR_ADD, wide, wide); // 2**60 nodes when written out
    assert_null(program_text(f, wide, &code, &size));
}

// --- Random expressions: the program and expr_eval agree.

static uint32_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static const expr *random_expr(fixture *f, uint64_t *seed, int depth_left) {
    static const expr_op ops[] = {EXPR_ADD,       EXPR_SUB,       EXPR_MUL, EXPR_FLOOR_DIV, EXPR_FLOOR_MOD,
                                  EXPR_TRUNC_DIV, EXPR_TRUNC_MOD, EXPR_MIN, EXPR_MAX};
    static const int64_t numbers[] = {0, 1, -1, 2, 7, -128, 127, 128, 1000000, INT64_MAX, INT64_MIN};
    uint32_t r = next_random(seed);
    if (!depth_left || r % 8 == 0) {
        if (r & 8) return expr_i64(f->s, numbers[next_random(seed) % COUNT(numbers)]);
        return text_map_find(&f->vars, names[next_random(seed) % 2]);
    }
    const expr *a = random_expr(f, seed, depth_left - 1), *b = random_expr(f, seed, depth_left - 1);
    if (r % 8 == 1) return expr_select(f->s, expr_binary(f->s, EXPR_EQ + (r >> 8) % 6, a, b), a, b);
    return expr_binary(f->s, ops[next_random(seed) % COUNT(ops)], a, b);
}

static void agree(fixture *f, const expr *e, const int64_t *slot) {
    static const uint8_t same[] = {
        [EXPR_DONE] = POSTFIX_DONE, [EXPR_OVERFLOW] = POSTFIX_OVERFLOW, [EXPR_ZERO_DIVISOR] = POSTFIX_ZERO_DIVISOR};
    uint8_t *code;
    size_t size;
    scalar want = {.i = 0};
    int64_t got = 0;
    expr_env env = expr_env_new(f->mem, f->s);
    for (int i = 0; i < 2; i++) expr_env_set(&env, text_map_find(&f->vars, names[i]), (scalar){.i = slot[i]});
    if (!program_text(f, e, &code, &size)) fail_msg("%s: refused", printed(f, e, true));
    expr_status status = expr_eval(e, &env, &want);
    postfix_result result = postfix_run(code, size, slot, &got);
    // > and >= swap their operands, so which failure comes first may differ
    if ((status == EXPR_DONE) != (result == POSTFIX_DONE)) fail_msg("%s", printed(f, e, true));
    if (status == EXPR_DONE)
        assert_int_equal(want.i, got);
    else
        assert_true(same[status] == result || result != POSTFIX_DONE);
}

static void random_expressions(void **state) {
    fixture *f = *state;
    uint64_t seed = 7;
    (void)parsed(f, "n + m");
    for (int round = 0; round < 5000; round++) {
        int64_t slot[SLOTS] = {(int64_t)(next_random(&seed) % 41) - 20, (int64_t)next_random(&seed) << 31, 0};
        agree(f, random_expr(f, &seed, 4), slot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(programs), TEST(refusals), TEST(depth), TEST(random_expressions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
