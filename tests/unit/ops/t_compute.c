// t_compute.c - the compute language: every operator's text reads, and texts that are wrong are told.
#include "ops/compute_text.h"
#include "ops/ops.h"
#include "test.h"
#include <string.h>

static void all_texts_read(void **state) {
    (void)state;
    arena *mem = arena_new();
    uint32_t count, read = 0;
    const op *const *all = op_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        diag *d = diag_new(mem);
        statement_list list = {0};
        if (!all[i]->compute) continue;
        if (!compute_read(mem, all[i]->compute, &list, d) || list.len == 0)
            fail_msg("%s: %s", all[i]->name, all[i]->compute);
        read++;
    }
    assert_true(read > 100);
    arena_free(mem);
}

static void parts_of_a_statement(void **state) {
    (void)state;
    arena *mem = arena_new();
    statement_list list = {0};
    diag *d = diag_new(mem);
    assert_true(compute_read(mem, "k in 3; out[i..., ~0@axis] max= x[i..., k@-1] where k < 2", &list, d));
    assert_int_equal(list.len, 2);
    assert_int_equal(list.at[0].update, UPDATE_RANGE);
    const statement *s = &list.at[1];
    assert_int_equal(s->update, UPDATE_MAX);
    assert_string_equal(s->target->name, "out");
    assert_int_equal(s->target->count, 2);
    assert_int_equal(s->target->in[0]->kind, TERM_GROUP);
    assert_true(s->target->place[1].optional && s->target->place[1].placed);
    assert_string_equal(s->target->place[1].where->name, "axis");
    assert_int_equal(s->value->place[1].where->ival, -1);
    assert_non_null(s->where);
    arena_free(mem);
}

static void precedence_is_pythons(void **state) {
    (void)state;
    arena *mem = arena_new();
    statement_list list = {0};
    assert_true(compute_read(mem, "out[i] = -x[i] * 2 + y[i] // 3 < 4 and not c[i]", &list, diag_new(mem)));
    const term *t = list.at[0].value;
    assert_string_equal(t->op->spelling, "and");
    assert_int_equal(t->in[1]->kind, TERM_NOT);
    assert_string_equal(t->in[0]->op->spelling, "<");
    assert_string_equal(t->in[0]->in[0]->op->spelling, "+");
    assert_int_equal(t->in[0]->in[0]->in[0]->in[0]->kind, TERM_NEGATE);
    arena_free(mem);
}

static void wrong_texts_are_told(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "out[i] x[i]",     "out = x[i]",         "out[i] = ",          "out[i = x[i]",
        "out[i] = x[i",    "out[i] = x[i] y[i]", "out[i] += x[i] @ 2", "3 = x[i]",
        "out[i] = f(x[i]", "out[i@] = 1",        "out[i] scan = x[i]", "out[i] = (x[i]"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        arena *mem = arena_new();
        statement_list list = {0};
        diag *d = diag_new(mem);
        if (compute_read(mem, wrong[i], &list, d)) fail_msg("read: %s", wrong[i]);
        assert_true(d->errors > 0);
        arena_free(mem);
    }
}

static void nesting_is_bounded(void **state) {
    (void)state;
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    text_put(&t, "out[i] = ");
    text_put_repeat(&t, '(', 100000);
    statement_list list = {0};
    assert_false(compute_read(mem, text_get(&t), &list, diag_new(mem)));
    arena_free(mem);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_texts_read), cmocka_unit_test(parts_of_a_statement),
                                       cmocka_unit_test(precedence_is_pythons), cmocka_unit_test(wrong_texts_are_told),
                                       cmocka_unit_test(nesting_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
