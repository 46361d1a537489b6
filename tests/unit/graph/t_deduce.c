// t_deduce.c - relations between dims across calls: the paper's Figure 7 and what follows from it.
#include "graph_support.h"
#include <string.h>

// subfn(s: R.Shape(["n", "m"])) -> R.Tensor(("n * m",), "float32"), declared with variables of its own.
static void declare_subfn(fixture *f) {
    const expr *n = var(f, "n"), *m = var(f, "m");
    const ann *param = shape(f, 2, n, m);
    module_declare(f->m, "subfn", FUNC_GRAPH, ann_callable(f->mem, &param, 1, f32(f, 1, times(f, n, m)), true),
                   f->b->at);
}

static const node *call_with_shape(fixture *f, const node *callee, const expr *a, const expr *b) {
    const node *s = build_shape(f->b, (const expr *const[]){a, b}, 2);
    return build_call_func(f->b, "y", callee, &s, 1);
}

static void check_figure_7(fixture *f, const node *callee) {
    check_ann(call_with_shape(f, callee, f->n, i64(f, 4))->type, "R.Tensor((n * 4,), dtype=\"float32\")");
    check_ann(call_with_shape(f, callee, i64(f, 3), i64(f, 4))->type, "R.Tensor((12,), dtype=\"float32\")");
    check_ann(call_with_shape(f, callee, plus(f, f->n, 1), i64(f, 4))->type,
              "R.Tensor(((n + 1) * 4,), dtype=\"float32\")");
    const node *coarse = build_param(f->b, "coarse", ann_shape_rank(f->mem, 2));
    check_ann(build_call_func(f->b, "y", callee, &coarse, 1)->type, "R.Tensor(dtype=\"float32\", ndim=1)");
    assert_int_equal(f->d->errors, 0);
}

static void figure_7_through_the_module(void **state) {
    fixture *f = *state;
    declare_subfn(f);
    build_param(f->b, "x", f32(f, 1, f->n));
    check_figure_7(f, build_global(f->b, "subfn"));
}

static void figure_7_through_values(void **state) {
    fixture *f = *state;
    declare_subfn(f);
    build_param(f->b, "x", f32(f, 1, f->n));
    const node *value = build_param(f->b, "g", module_find(f->m, "subfn")->type);
    check_figure_7(f, value);
    check_figure_7(f, build_bind(f->b, "h", build_global(f->b, "subfn"), NULL));
}

static void a_tuple_carries_relations(void **state) {
    fixture *f = *state;
    const expr *n = var(f, "n");
    const ann *pair = ann_tuple(f->mem, (const ann *const[]){f32(f, 1, n), f32(f, 1, times(f, n, i64(f, 2)))}, 2);
    module_declare(f->m, "g", FUNC_GRAPH, ann_callable(f->mem, &pair, 1, pair, true), f->b->at);
    const node *x = build_param(f->b, "x", f32(f, 1, plus(f, f->k, 1)));
    const node *y = build_param(f->b, "y", f32(f, 1, times(f, plus(f, f->k, 1), i64(f, 2))));
    const node *callee = build_global(f->b, "g");
    const node *good = build_tuple(f->b, NULL, (const node *const[]){x, y}, 2);
    check_ann(build_call_func(f->b, "r", callee, &good, 1)->type,
              "R.Tuple(R.Tensor((k + 1,), dtype=\"float32\"), R.Tensor(((k + 1) * 2,), dtype=\"float32\"))");
    const node *bad = build_tuple(f->b, NULL, (const node *const[]){x, x}, 2);
    build_param(f->b, "kk", shape(f, 1, f->k));
    assert_true(node_is_poison(build_call_func(f->b, "r", callee, &bad, 1)));
    check_one_error(f, "g: dim 0 of field 1 of argument 1 is k + 1, want n * 2, which is (k + 1) * 2 here");
}

// A function that calls itself with its own n doubled: the callee's n is not the caller's.
static void recursion_keeps_the_roles_apart(void **state) {
    fixture *f = *state;
    const node *x = build_param(f->b, "x", f32(f, 2, f->n, f->k));
    f->b->f->result_written = true;
    f->b->f->result_type = f32(f, 2, f->k, f->n);
    module_declare(f->m, "main", FUNC_GRAPH, graph_func_type(f->mem, f->b->f), f->b->at);
    const node *turned = build_param(f->b, "t", f32(f, 2, plus(f, f->k, 1), times(f, f->n, i64(f, 2))));
    (void)x;
    const node *y = build_call_func(f->b, "y", build_global(f->b, "main"), &turned, 1);
    check_ann(y->type, "R.Tensor((n * 2, k + 1), dtype=\"float32\")");
}

static void contradictions_name_both_places(void **state) {
    fixture *f = *state;
    declare_subfn(f);
    const node *callee = build_global(f->b, "subfn"), *x = build_param(f->b, "x", f32(f, 2, f->n, f->k));
    assert_true(node_is_poison(build_call_func(f->b, "y", callee, &x, 1)));
    assert_string_equal(f->d->record[0].message,
                        "subfn: argument 1 is R.Tensor((n, k), dtype=\"float32\"), want R.Shape([n, m])");
    assert_int_equal(f->d->record[1].level, DIAG_NOTE);
    assert_string_equal(f->d->record[1].message, "subfn is declared here");
    assert_true(node_is_poison(build_call_func(f->b, "y", callee, NULL, 0)));
    assert_string_equal(f->d->record[2].message, "subfn: want 1 argument, got 0");
    assert_true(node_is_poison(build_call_func(f->b, "y", x, NULL, 0)));
    assert_string_equal(f->d->record[4].message, "x is R.Tensor((n, k), dtype=\"float32\"), which can't be called");
}

// x: (n, 4), y: (n, 4): n is bound by x and checked against y; k against n can't be decided here.
static void what_cannot_be_decided_is_no_error(void **state) {
    fixture *f = *state;
    const expr *n = var(f, "n");
    const ann *const params[] = {f32(f, 2, n, i64(f, 4)), f32(f, 2, n, i64(f, 4))};
    module_declare(f->m, "g", FUNC_GRAPH, ann_callable(f->mem, params, 2, params[0], true), f->b->at);
    const node *x = build_param(f->b, "x", f32(f, 2, f->n, i64(f, 4))),
               *y = build_param(f->b, "y", f32(f, 2, f->k, i64(f, 4)));
    const node *z = build_param(f->b, "z", f32(f, 2, i64(f, 5), i64(f, 4))),
               *w = build_param(f->b, "w", f32(f, 2, i64(f, 6), i64(f, 4)));
    const node *u = build_param(f->b, "u", ann_tensor_rank(f->mem, (dtype){0}, RANK_UNKNOWN));
    const node *callee = build_global(f->b, "g");
    check_ann(build_call_func(f->b, "a", callee, (const node *const[]){x, y}, 2)->type,
              "R.Tensor((n, 4), dtype=\"float32\")");
    check_ann(build_call_func(f->b, "a", callee, (const node *const[]){u, y}, 2)->type,
              "R.Tensor((k, 4), dtype=\"float32\")");
    check_ann(build_call_func(f->b, "a", callee, (const node *const[]){u, u}, 2)->type,
              "R.Tensor(dtype=\"float32\", ndim=2)");
    assert_int_equal(f->d->errors, 0);
    assert_true(node_is_poison(build_call_func(f->b, "a", callee, (const node *const[]){z, w}, 2)));
    check_one_error(f, "g: dim 0 of argument 2 is 6, want n, which is 5 here");
}

// Figure 8: parameters of n * 2 with a shape parameter that carries n.
static void an_extra_shape_carries_the_variable(void **state) {
    fixture *f = *state;
    const expr *n = var(f, "n");
    const ann *const params[] = {f32(f, 1, times(f, n, i64(f, 2))), shape(f, 1, n)};
    module_declare(f->m, "g", FUNC_GRAPH, ann_callable(f->mem, params, 2, params[0], true), f->b->at);
    const node *x = build_param(f->b, "x", f32(f, 1, times(f, f->k, i64(f, 2)))), *s = build_shape(f->b, &f->k, 1);
    const node *callee = build_global(f->b, "g");
    check_ann(build_call_func(f->b, "y", callee, (const node *const[]){x, s}, 2)->type,
              "R.Tensor((k * 2,), dtype=\"float32\")");
    const expr *more = plus(f, f->k, 1);
    const node *wrong = build_shape(f->b, &more, 1);
    assert_true(node_is_poison(build_call_func(f->b, "y", callee, (const node *const[]){x, wrong}, 2)));
    check_one_error(f, "g: dim 0 of argument 1 is k * 2, want n * 2, which is (k + 1) * 2 here");
}

static void calls_of_programs_are_checked(void **state) {
    fixture *f = *state;
    put_copy_program(f, "copy");
    const node *x = build_param(f->b, "x", f32(f, 2, f->n, i64(f, 4))),
               *y = build_param(f->b, "y", f32(f, 2, f->n, i64(f, 5)));
    const ann *out = x->type;
    check_ann(build_call_tir(f->b, "a", "copy", &x, 1, out, NULL, 0)->type, "R.Tensor((n, 4), dtype=\"float32\")");
    assert_int_equal(f->d->errors, 0);
    build_call_tir(f->b, "a", "copy", &y, 1, out, NULL, 0);
    assert_string_equal(f->d->record[0].message, "copy: dim 1 of input 1 is 5, want 4");
    build_call_tir(f->b, "a", "copy", &x, 1, f32(f, 2, plus(f, f->n, 1), i64(f, 4)), NULL, 0);
    assert_string_equal(f->d->record[2].message, "copy: dim 0 of output 1 is n + 1, want m, which is n here");
    build_call_tir(f->b, "a", "copy", (const node *const[]){x, x}, 2, out, NULL, 0);
    assert_string_equal(f->d->record[4].message,
                        "call_tir: copy takes 2 parameters, got 3: inputs 2, outputs 1, scalars (tir_vars) 0");
    build_call_tir(f->b, "a", "copy", &x, 1, ann_tensor_rank(f->mem, DTYPE_OF(F32), 2), NULL, 0);
    assert_string_equal(f->d->record[6].message,
                        "call_tir: out_sinfo: want R.Tensor with dims, got R.Tensor(dtype=\"float32\", ndim=2)");
}

static void externals_return_objects(void **state) {
    fixture *f = *state;
    module_put_extern(f->m, "lib", "my.lib", f->b->at);
    const node *x = build_param(f->b, "x", f32(f, 1, f->n));
    check_ann(build_call_func(f->b, "y", build_global(f->b, "lib"), &x, 1)->type, "R.Object");
    check_ann(build_call_func(f->b, "y", build_param(f->b, "o", ann_object()), &x, 1)->type, "R.Object");
    assert_int_equal(f->d->errors, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GRAPH_TEST(figure_7_through_the_module),
        GRAPH_TEST(figure_7_through_values),
        GRAPH_TEST(a_tuple_carries_relations),
        GRAPH_TEST(recursion_keeps_the_roles_apart),
        GRAPH_TEST(contradictions_name_both_places),
        GRAPH_TEST(what_cannot_be_decided_is_no_error),
        GRAPH_TEST(an_extra_shape_carries_the_variable),
        GRAPH_TEST(calls_of_programs_are_checked),
        GRAPH_TEST(externals_return_objects),
    };
    return cmocka_run_group_tests_name("deduce", tests, NULL, NULL);
}
