// t_attr.c - attribute values: spelling, dictionaries.
#include "expr/attr.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct fixture {
    expr_session *s;
    arena *mem;
} fixture;

static int open_fixture(void **state) {
    fixture *f = test_malloc(sizeof *f);
    f->s = expr_open();
    f->mem = expr_arena(f->s);
    *state = f;
    return 0;
}

static int close_fixture(void **state) {
    fixture *f = *state;
    expr_close(f->s);
    test_free(f);
    return 0;
}

static void check(const attr *a, fixture *f, const char *wanted) {
    text out = TEXT_IN(f->mem);
    attr_print(&out, a, NULL);
    assert_string_equal(text_get(&out), wanted);
}

static void spelled_as_python_does(void **state) {
    fixture *f = *state;
    arena *mem = f->mem;
    check(attr_none(), f, "None");
    check(attr_bool(mem, true), f, "True");
    check(attr_int(mem, -3), f, "-3");
    check(attr_float(mem, 0.5), f, "0.5");
    check(attr_float(mem, 2), f, "2.0"); // without the point it would read back as an int
    check(attr_float(mem, -1.0 / 0.0), f, "float(\"-inf\")");
    check(attr_string(mem, "a\"b", 3), f, "\"a\\\"b\"");
    check(attr_dtype(mem, DTYPE_OF(F16)), f, "\"float16\"");
    check(attr_func(mem, "main"), f, "Module.main");
    check(attr_ints(mem, (const int64_t[]){1, 2}, 2), f, "[1, 2]");
    check(attr_list(mem, NULL, 0), f, "[]");
    const expr *i = expr_new_var(f->s, "i", DTYPE_OF(I64)), *j = expr_new_var(f->s, "j", DTYPE_OF(I64));
    const expr *const vars[] = {i, j}, *const swapped[] = {j, i};
    check(attr_index_map(mem, vars, 2, swapped, 2), f, "T.index_map(lambda i, j: (j, i))");
    check(attr_index_map(mem, vars, 1, vars, 1), f, "T.index_map(lambda i: (i,))");
    const attr *dict = attr_with(mem, NULL, "op_pattern", attr_int(mem, 4));
    dict = attr_with(mem, dict, "e", attr_expr(mem, expr_binary(f->s, EXPR_ADD, i, expr_i64(f->s, 1))));
    check(dict, f, "{\"op_pattern\": 4, \"e\": i + 1}");
}

static void dictionaries_are_copied_with_changes(void **state) {
    fixture *f = *state;
    const attr *one = attr_with(f->mem, NULL, "a", attr_int(f->mem, 1));
    const attr *two = attr_with(f->mem, one, "b", attr_bool(f->mem, true));
    const attr *changed = attr_with(f->mem, two, "a", attr_int(f->mem, 9)), *less = attr_with(f->mem, two, "a", NULL);
    check(one, f, "{\"a\": 1}");
    check(changed, f, "{\"a\": 9, \"b\": True}");
    check(less, f, "{\"b\": True}");
    assert_null(attr_find(less, "a"));
    assert_null(attr_find(NULL, "a"));
    assert_true(attr_is_true(two, "b"));
    assert_false(attr_is_true(one, "b"));
    check(attr_with(f->mem, NULL, "a", NULL), f, "{}");
}

static void ints_come_in_several_forms(void **state) {
    fixture *f = *state;
    int64_t value;
    assert_true(attr_get_int(attr_expr(f->mem, expr_i64(f->s, 7)), &value));
    assert_int_equal(value, 7);
    assert_true(attr_get_int(attr_bool(f->mem, true), &value));
    assert_false(attr_get_int(attr_float(f->mem, 1), &value));
    assert_false(attr_get_int(NULL, &value));
}

#define ATTR_TEST(f) cmocka_unit_test_setup_teardown(f, open_fixture, close_fixture)

int main(void) {
    const struct CMUnitTest tests[] = {
        ATTR_TEST(spelled_as_python_does),
        ATTR_TEST(dictionaries_are_copied_with_changes),
        ATTR_TEST(ints_come_in_several_forms),
    };
    return cmocka_run_group_tests_name("attr", tests, NULL, NULL);
}
