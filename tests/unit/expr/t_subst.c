// t_subst.c - substitution: sharing is kept, unchanged parts stay the same node, depth does not matter.
#include "expr/expr.h"
#include "test.h"

static int open_session(void **state) {
    *state = expr_open();
    return 0;
}

static int close_session(void **state) {
    expr_close(*state);
    return 0;
}

static const expr *add(expr_session *s, const expr *a, const expr *b) { return expr_binary(s, EXPR_ADD, a, b); }

static void replaces_variables(void **state) {
    expr_session *s = *state;
    const expr *n = expr_new_var(s, "n", DTYPE_OF(I64)), *m = expr_new_var(s, "m", DTYPE_OF(I64));
    const expr *part = add(s, m, expr_i64(s, 1)), *e = expr_binary(s, EXPR_MUL, add(s, n, n), part);
    map with = MAP_IN(expr_arena(s));
    assert_ptr_equal(expr_substitute(s, e, &with), e);
    map_put(&with, MAP_KEY(n), (void *)(uintptr_t)expr_i64(s, 3));
    const expr *r = expr_substitute(s, e, &with);
    assert_ptr_equal(r, expr_binary(s, EXPR_MUL, add(s, expr_i64(s, 3), expr_i64(s, 3)), part));
    assert_ptr_equal(expr_substitute(s, part, &with), part);
}

// n -> m and m -> n at once: a replacement is not replaced again.
static void replaces_all_at_once(void **state) {
    expr_session *s = *state;
    const expr *n = expr_new_var(s, "n", DTYPE_OF(I64)), *m = expr_new_var(s, "m", DTYPE_OF(I64));
    map with = MAP_IN(expr_arena(s));
    map_put(&with, MAP_KEY(n), (void *)(uintptr_t)add(s, m, n));
    map_put(&with, MAP_KEY(m), (void *)(uintptr_t)n);
    const expr *r = expr_substitute(s, expr_binary(s, EXPR_SUB, n, m), &with);
    assert_ptr_equal(r, expr_binary(s, EXPR_SUB, add(s, m, n), n));
}

static void replaces_any_node(void **state) {
    expr_session *s = *state;
    const expr *n = expr_new_var(s, "n", DTYPE_OF(I64)), *sum = add(s, n, expr_i64(s, 1));
    map with = MAP_IN(expr_arena(s));
    map_put(&with, MAP_KEY(sum), (void *)(uintptr_t)n);
    assert_ptr_equal(expr_substitute(s, add(s, sum, sum), &with), add(s, n, n));
}

static void replaces_buffers(void **state) {
    expr_session *s = *state;
    int a, b; // stand for two buffers
    const expr *n = expr_new_var(s, "n", DTYPE_OF(I64)), *zero = expr_i64(s, 0);
    map with = MAP_IN(expr_arena(s)), buffers = MAP_IN(expr_arena(s));
    map_put(&with, MAP_KEY(n), (void *)(uintptr_t)zero);
    map_put(&buffers, MAP_KEY(&a), &b);
    const expr *e = expr_load(s, (const struct buffer *)&a, DTYPE_OF(F32), &n, 1);
    const expr *want = expr_load(s, (const struct buffer *)&b, DTYPE_OF(F32), &zero, 1);
    assert_ptr_equal(expr_replace(s, e, &with, &buffers), want);
    assert_ptr_equal(expr_replace(s, want, &with, &buffers), want);
}

// 2^60 paths through 60 nodes, and a chain of 100,000: both take no time.
static void linear_in_distinct_nodes(void **state) {
    expr_session *s = *state;
    const expr *n = expr_new_var(s, "n", DTYPE_OF(I64)), *m = expr_new_var(s, "m", DTYPE_OF(I64));
    const expr *wide = n, *wide_m = m, *deep = n, *deep_m = m;
    for (int i = 0; i < 60; i++) wide = add(s, wide, wide), wide_m = add(s, wide_m, wide_m);
    for (int64_t i = 0; i < 100000; i++) deep = add(s, expr_i64(s, i), deep), deep_m = add(s, expr_i64(s, i), deep_m);
    map with = MAP_IN(expr_arena(s));
    map_put(&with, MAP_KEY(n), (void *)(uintptr_t)m);
    assert_ptr_equal(expr_substitute(s, wide, &with), wide_m);
    assert_ptr_equal(expr_substitute(s, deep, &with), deep_m);
}

static void renames_what_let_binds(void **state) {
    expr_session *s = *state;
    const expr *x = expr_new_var(s, "x", DTYPE_OF(I64)), *y = expr_new_var(s, "y", DTYPE_OF(I64));
    map with = MAP_IN(expr_arena(s));
    map_put(&with, MAP_KEY(x), (void *)(uintptr_t)y);
    const expr *e = expr_let(s, x, expr_i64(s, 1), add(s, x, x));
    assert_ptr_equal(expr_substitute(s, e, &with), expr_let(s, y, expr_i64(s, 1), add(s, y, y)));
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        TEST(replaces_variables), TEST(replaces_all_at_once),     TEST(replaces_any_node),
        TEST(replaces_buffers),   TEST(linear_in_distinct_nodes), TEST(renames_what_let_binds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
