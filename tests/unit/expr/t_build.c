// t_build.c - builders: equal content is the same pointer, types follow the rules, wrong use stops the program.
#include "expr/session.h"
#include "test.h"
#include <math.h>
#include <string.h>

static int open_session(void **state) {
    *state = expr_open();
    return 0;
}

static int close_session(void **state) {
    expr_close(*state);
    return 0;
}

static void equal_content_is_one_node(void **state) {
    expr_session *s = *state;
    const expr *n = expr_new_var(s, "n", DTYPE_OF(I64));
    const expr *a = expr_binary(s, EXPR_ADD, n, expr_i64(s, 4)), *b = expr_binary(s, EXPR_ADD, n, expr_i64(s, 4));
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, expr_binary(s, EXPR_ADD, expr_i64(s, 4), n)); // as written: no reordering
    assert_ptr_not_equal(a, expr_binary(s, EXPR_SUB, n, expr_i64(s, 4)));
    assert_ptr_not_equal(expr_i64(s, 4), expr_int(s, DTYPE_OF(I32), 4));
    assert_ptr_equal(expr_int(s, (dtype){.kind = DTYPE_I32}, 4), expr_int(s, DTYPE_OF(I32), 4)); // lanes 0 are 1
    assert_true(a->in[0]->id < a->id && a->id < expr_count(s));
}

static void variables_are_new_each_time(void **state) {
    expr_session *s = *state;
    const expr *a = expr_new_var(s, "n", DTYPE_OF(I64)), *b = expr_new_size_var(s, "n", DTYPE_OF(I64));
    assert_ptr_not_equal(a, b);
    assert_ptr_equal(a->as.var->name, b->as.var->name);
    assert_int_equal(b->as.var->id, a->as.var->id + 1);
    assert_true(b->as.var->size && !a->as.var->size);
}

static void floats_round_and_intern(void **state) {
    expr_session *s = *state;
    const expr *a = expr_float(s, DTYPE_OF(F16), 0.1);
    assert_true(a->as.fval == 0.0999755859375 && expr_written(a) == 0.1);
    assert_ptr_equal(a, expr_float(s, DTYPE_OF(F16), 0.1));
    assert_ptr_not_equal(a, expr_float(s, DTYPE_OF(F16), 0.0999755859375)); // prints differently
    assert_ptr_equal(expr_float(s, DTYPE_OF(F32), (double)NAN), expr_float(s, DTYPE_OF(F32), -(double)NAN));
    assert_ptr_not_equal(expr_float(s, DTYPE_OF(F32), 0.0), expr_float(s, DTYPE_OF(F32), -0.0));
}

static void types_of_results(void **state) {
    expr_session *s = *state;
    const expr *x = expr_new_var(s, "x", DTYPE_OF(F32)), *i = expr_new_var(s, "i", DTYPE_OF(I32));
    const expr *v = expr_broadcast(s, x, 4), *c = expr_binary(s, EXPR_LT, v, v);
    assert_true(dtype_equal(v->type, dtype_vector(DTYPE_OF(F32), 4)));
    assert_true(dtype_equal(c->type, dtype_vector(DTYPE_OF(BOOL), 4)));
    assert_true(dtype_equal(expr_ramp(s, i, expr_int(s, DTYPE_OF(I32), 1), 8)->type, dtype_vector(DTYPE_OF(I32), 8)));
    assert_true(dtype_equal(expr_select(s, c, v, v)->type, v->type));
    assert_ptr_equal(expr_cast(s, DTYPE_OF(F32), x), x);
    const expr *clz = expr_call(s, intrinsic_find("clz"), (dtype){0}, (const expr *[]){i}, 1);
    assert_true(dtype_equal(clz->type, DTYPE_OF(I32)));
    const expr *pick =
        expr_call(s, intrinsic_get(INTRIN_IF_THEN_ELSE), (dtype){0}, (const expr *[]){expr_bool(s, true), x, x}, 3);
    assert_true(dtype_equal(pick->type, DTYPE_OF(F32)));
    const expr *lanes[] = {expr_i64(s, 3), expr_i64(s, 0)};
    assert_true(dtype_equal(expr_shuffle(s, &v, 1, lanes, 2)->type, dtype_vector(DTYPE_OF(F32), 2)));
}

// A million nodes: the table grows and everything is still found.
static void interning_survives_growth(void **state) {
    expr_session *s = *state;
    const expr *first[1000];
    for (int64_t i = 0; i < 1000; i++) first[i] = expr_binary(s, EXPR_MUL, expr_i64(s, i), expr_i64(s, i));
    for (int64_t i = 0; i < 200000; i++) (void)expr_i64(s, i);
    uint32_t count = expr_count(s);
    for (int64_t i = 0; i < 1000; i++)
        assert_ptr_equal(first[i], expr_binary(s, EXPR_MUL, expr_i64(s, i), expr_i64(s, i)));
    assert_int_equal(count, expr_count(s));
}

static void questions(void **state) {
    expr_session *s = *state;
    const expr *n = expr_new_var(s, "n", DTYPE_OF(I64)), *m = expr_new_var(s, "m", DTYPE_OF(I64));
    const expr *e = expr_binary(s, EXPR_ADD, expr_binary(s, EXPR_MUL, m, n), m);
    int64_t value = 0;
    assert_true(expr_is_int(expr_i64(s, 7), 7) && !expr_is_int(n, 7));
    assert_true(expr_const_int(expr_i64(s, -7), &value) && value == -7 && !expr_const_int(e, &value));
    assert_true(expr_is_index(e) && !expr_is_index(expr_bool(s, true)));
    assert_true(expr_uses_var(e, n) && !expr_uses_var(m, n));
    assert_false(expr_uses_var(e, expr_new_var(s, "n", DTYPE_OF(I64))));
    expr_list vars = {0};
    expr_free_vars(e, expr_arena(s), &vars);
    assert_int_equal(vars.len, 2);
    assert_true(vars.at[0] == m && vars.at[1] == n);
}

static void let_binds_its_variable(void **state) {
    expr_session *s = *state;
    const expr *n = expr_new_var(s, "n", DTYPE_OF(I64)), *x = expr_new_var(s, "x", DTYPE_OF(I64));
    const expr *e = expr_let(s, x, expr_binary(s, EXPR_ADD, n, n), expr_binary(s, EXPR_MUL, x, x));
    expr_list vars = {0};
    expr_free_vars(e, expr_arena(s), &vars);
    assert_int_equal(vars.len, 1);
    assert_ptr_equal(vars.at[0], n);
}

static void loaded_buffers(void **state) {
    expr_session *s = *state;
    int a, b; // stand for two buffers: expressions only compare their addresses
    const struct buffer *left = (const struct buffer *)&a, *right = (const struct buffer *)&b;
    const expr *i = expr_i64(s, 0);
    const expr *x = expr_load(s, left, DTYPE_OF(F32), &i, 1), *y = expr_load(s, right, DTYPE_OF(F32), &i, 1);
    map found = MAP_IN(expr_arena(s));
    expr_loaded_buffers(expr_binary(s, EXPR_ADD, expr_binary(s, EXPR_ADD, x, y), x), &found);
    assert_int_equal(found.len, 2);
    assert_true(map_has(&found, MAP_KEY(left)) && map_has(&found, MAP_KEY(right)));
}

static void deep_chains_are_walked_without_recursion(void **state) {
    expr_session *s = *state;
    const expr *n = expr_new_var(s, "n", DTYPE_OF(I64)), *e = n;
    for (int64_t i = 0; i < 100000; i++) e = expr_binary(s, EXPR_ADD, expr_i64(s, i), e);
    expr_list vars = {0};
    expr_free_vars(e, expr_arena(s), &vars);
    assert_int_equal(vars.len, 1);
    assert_true(expr_uses_var(e, n));
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        TEST(equal_content_is_one_node),
        TEST(variables_are_new_each_time),
        TEST(floats_round_and_intern),
        TEST(types_of_results),
        TEST(interning_survives_growth),
        TEST(questions),
        TEST(let_binds_its_variable),
        TEST(loaded_buffers),
        TEST(deep_chains_are_walked_without_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
