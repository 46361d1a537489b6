// t_verify.c - one breach per rule of the module verifier, and what is allowed right beside it.
#include "graph_support.h"
#include <string.h>

static void finish(fixture *f, const node *result) { module_put_graph(f->m, build_finish(f->b, result)); }

static void accepts(fixture *f) {
    bool good = module_verify(f->m, f->d);
    if (!good) print_message("%s\n", f->d->record[0].message);
    assert_true(good);
}

static void refuses(fixture *f, const char *part) {
    assert_false(module_verify(f->m, f->d));
    check_one_error(f, part);
}

static const node *param(fixture *f, const char *name) { return build_param(f->b, name, f32(f, 2, f->n, f->k)); }

static const node *same(fixture *f, const char *name, const node *x) {
    return build_op(f->b, name, &op_test_same, &x, 1);
}

static void declared_functions_have_bodies(void **state) {
    fixture *f = *state;
    module_declare(f->m, "g", FUNC_GRAPH, ann_callable(f->mem, NULL, 0, NULL, true), f->b->at);
    refuses(f, "g is declared but has no body");
}

static void dataflow_values_stay_inside(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x");
    build_block(f->b, true);
    const node *a = same(f, "a", x), *b = same(f, "b", a);
    build_output(f->b, b);
    build_block(f->b, false);
    finish(f, same(f, "c", a));
    refuses(f, "c: a is not defined here");
}

static void outputs_are_bound_in_their_block(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x"), *before = same(f, "before", x);
    build_block(f->b, true);
    const node *a = same(f, "a", x);
    build_output(f->b, a);
    build_output(f->b, before);
    finish(f, a);
    refuses(f, "R.output: before is not bound in this dataflow block");
}

static void branch_values_stay_inside(void **state) {
    fixture *f = *state;
    const node *c = build_param(f->b, "c", ann_tensor(f->mem, DTYPE_OF(BOOL), NULL, 0)), *x = param(f, "x");
    if_parts *p = build_if(f->b, c);
    const node *a = same(f, "a", x);
    build_else(f->b, p, a);
    build_end_if(f->b, p, "z", x);
    finish(f, same(f, "c1", a));
    refuses(f, "c1: a is not defined here");
}

static void values_of_other_functions_are_not_visible(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x");
    finish(f, x);
    f->b = build_func(f->m, "other", f->d);
    f->b->at = (loc){&f->src, 1, 1};
    build_param(f->b, "y", f32(f, 1, var(f, "q")));
    finish(f, same(f, "z", x));
    assert_false(module_verify(f->m, f->d));
    assert_string_equal(f->d->record[0].message, "z: x is not defined here");
}

static void symbols_are_defined(void **state) {
    fixture *f = *state;
    param(f, "x");
    const expr *q = var(f, "q");
    finish(f, build_bind(f->b, "s", build_shape(f->b, &q, 1), NULL));
    assert_false(module_verify(f->m, f->d));
    assert_string_equal(f->d->record[0].message, "R.shape: the symbolic variable q is not defined here; a parameter or "
                                                 "R.match_cast must have it as a dim of its own");
}

static void symbols_of_a_branch_stay_inside(void **state) {
    fixture *f = *state;
    const node *c = build_param(f->b, "c", ann_tensor(f->mem, DTYPE_OF(BOOL), NULL, 0));
    const node *u = build_param(f->b, "u", ann_tensor_rank(f->mem, DTYPE_OF(F32), 1));
    const expr *m = var(f, "m");
    if_parts *p = build_if(f->b, c);
    build_else(f->b, p, build_match_cast(f->b, "v", u, f32(f, 1, m)));
    build_end_if(f->b, p, "z", u);
    finish(f, build_bind(f->b, "s", build_prim(f->b, m), NULL));
    assert_false(module_verify(f->m, f->d));
    assert_non_null(strstr(f->d->record[0].message, "R.prim_value: the symbolic variable m is not defined here"));
}

static void a_parameter_must_show_its_symbols(void **state) {
    fixture *f = *state;
    finish(f, build_param(f->b, "x", f32(f, 1, times(f, f->n, i64(f, 2)))));
    assert_false(module_verify(f->m, f->d));
    assert_non_null(strstr(f->d->record[0].message, "x: the symbolic variable n is not defined here"));
}

static void another_parameter_may_show_them(void **state) {
    fixture *f = *state;
    const node *x = build_param(f->b, "x", f32(f, 1, times(f, f->n, i64(f, 2))));
    build_param(f->b, "n_value", ann_prim(f->mem, DTYPE_OF(I64), f->n));
    finish(f, x);
    accepts(f);
}

static void symbols_belong_to_one_function(void **state) {
    fixture *f = *state;
    finish(f, param(f, "x"));
    f->b = build_func(f->m, "other", f->d);
    finish(f, build_param(f->b, "y", f32(f, 1, f->n)));
    refuses(f, "other: the symbolic variable n is also main's; every function needs its own");
}

static void dataflow_has_no_control_flow(void **state) {
    fixture *f = *state;
    const node *c = build_param(f->b, "c", ann_tensor(f->mem, DTYPE_OF(BOOL), NULL, 0)), *x = param(f, "x");
    build_block(f->b, true);
    if_parts *p = build_if(f->b, c);
    build_else(f->b, p, x);
    const node *z = build_end_if(f->b, p, "z", x);
    build_output(f->b, z);
    finish(f, z);
    refuses(f, "z: a dataflow block has no control flow");
}

static void dataflow_has_no_effects(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x");
    f->b->f->pure = false;
    build_block(f->b, true);
    const node *y = build_op(f->b, "y", &op_test_effect, &x, 1);
    build_output(f->b, y);
    finish(f, y);
    refuses(f, "y: the call may have effects, which a dataflow block must not have");
}

static void pure_functions_have_no_effects(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x");
    finish(f, build_op(f->b, "y", &op_test_effect, &x, 1));
    refuses(f, "main is pure; say @R.function(pure=False)");
    f->b->f->attrs = attr_with(f->mem, NULL, "relax.force_pure", attr_bool(f->mem, true));
    accepts(f);
    f->b->f->attrs = NULL;
    f->b->f->pure = false;
    accepts(f);
}

static void calls_of_impure_values_are_effects(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x"), *g = build_param(f->b, "g", ann_callable(f->mem, &x->type, 1, x->type, false));
    finish(f, build_call_func(f->b, "y", g, &x, 1));
    refuses(f, "y: the call may have effects");
}

// A node that some pass changed behind the builder's back.
static node *forge(fixture *f, const node *old) {
    node *n = arena_take(f->mem, 1, sizeof(node) + old->count * sizeof(const node *));
    *n = *old;
    for (uint32_t i = 0; i < old->count; i++) n->in[i] = old->in[i];
    return n;
}

static void annotations_agree_with_deduction(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x"), *y = same(f, "y", x);
    node *forged = forge(f, y);
    forged->type = f32(f, 1, f->n);
    f->b->block->bound[0] = forged;
    finish(f, forged);
    refuses(f, "y: annotated as R.Tensor((n,), dtype=\"float32\"), but it is R.Tensor((n, k), dtype=\"float32\")");
}

static void values_are_bound_once(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x"), *y = same(f, "y", x);
    same(f, "z", x);
    f->b->block->bound[1] = y;
    finish(f, y);
    refuses(f, "main: y is bound twice");
}

static void calls_are_bound_to_names(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x"), *y = same(f, "y", x);
    node *unnamed = forge(f, y), *user = forge(f, same(f, "z", y));
    unnamed->name = NULL;
    user->in[0] = unnamed;
    f->b->block->bound[1] = user;
    finish(f, user);
    refuses(f, "z: the inner call of test_same must be bound to a name first");
}

static void results_fit_their_declaration(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x");
    f->b->f->result_written = true;
    f->b->f->result_type = f32(f, 1, f->n);
    finish(f, x);
    refuses(f, "main: returns R.Tensor((n, k), dtype=\"float32\"), but is declared to return R.Tensor((n,), "
               "dtype=\"float32\")");
}

static void num_input_counts_parameters(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x");
    f->b->f->attrs = attr_with(f->mem, NULL, "num_input", attr_int(f->mem, 2));
    finish(f, x);
    refuses(f, "main: num_input: want a number from 0 to 1");
}

static void callees_must_exist(void **state) {
    fixture *f = *state;
    put_copy_program(f, "copy");
    const node *x = build_param(f->b, "x", f32(f, 2, f->n, i64(f, 4)));
    finish(f, build_call_tir(f->b, "y", "copy", &x, 1, x->type, NULL, 0));
    accepts(f);
    module_remove(f->m, "copy");
    refuses(f, "call_tir: want a loop program of the module (@T.prim_func), got copy");
}

// --- Linear use.

static const ann *infer_first(infer_ctx *c, const node *n) {
    (void)c;
    return n->in[1]->type->field[0];
}

static const op op_test_inplace = {
    .name = "test_inplace",
    .doc = "Writes over inputs.",
    .input = {{.name = "func", .kind = INPUT_ANY, .doc = "x"}, {.name = "args", .kind = INPUT_TUPLE, .doc = "x"}},
    .attr = {{.name = "inplace_indices", .kind = OPATTR_INTS, .preset = "[0]", .doc = "x"}},
    .infer = infer_first};

static const node *take_over(fixture *f, const char *name, const node *x, const node *other) {
    const node *args = build_tuple(f->b, NULL, (const node *const[]){x, other}, 2);
    return build_op(f->b, name, &op_test_inplace, (const node *const[]){build_extern(f->b, "f"), args}, 2);
}

static void donated_values_are_not_read(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x"), *y = param(f, "y"), *alias = build_bind(f->b, "alias", x, NULL);
    const node *z = take_over(f, "z", x, y);
    finish(f, build_op(f->b, "w", &op_test_same, (const node *const[]){z, alias}, 2));
    refuses(f, "alias is used after R.test_inplace took its memory over; use the call's result");
}

static void donated_values_may_be_read_before(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x"), *y = param(f, "y"), *before = same(f, "before", x);
    const node *z = take_over(f, "z", x, y);
    finish(f, build_op(f->b, "w", &op_test_same, (const node *const[]){z, before}, 2));
    accepts(f);
}

static void donated_in_one_branch_is_gone_after_both(void **state) {
    fixture *f = *state;
    const node *c = build_param(f->b, "c", ann_tensor(f->mem, DTYPE_OF(BOOL), NULL, 0)), *x = param(f, "x"),
               *y = param(f, "y");
    if_parts *p = build_if(f->b, c);
    build_else(f->b, p, take_over(f, "a", x, y));
    const node *b = take_over(f, "b", x, y); // the other branch may take it too
    const node *z = build_end_if(f->b, p, "z", b);
    finish(f, build_op(f->b, "w", &op_test_same, (const node *const[]){z, x}, 2));
    refuses(f, "x is used after R.test_inplace took its memory over");
}

static void a_tuple_of_a_donated_value_is_not_read(void **state) {
    fixture *f = *state;
    const node *x = param(f, "x"), *y = param(f, "y"),
               *pair = build_tuple(f->b, "pair", (const node *const[]){x, y}, 2);
    take_over(f, "z", x, y);
    build_item(f->b, "second", pair, 1);
    finish(f, pair);
    refuses(f, "x is used after R.test_inplace took its memory over");
}

static void programs_are_verified_too(void **state) {
    fixture *f = *state;
    loop_func *copy = ARENA_NEW(f->mem, loop_func, 1);
    *copy = *put_copy_program(f, "copy");
    copy->body = stmt_evaluate(f->mem, var(f, "nowhere"));
    module_put_loop(f->m, copy);
    refuses(f, "the variable nowhere is not defined here");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GRAPH_TEST(declared_functions_have_bodies),
        GRAPH_TEST(dataflow_values_stay_inside),
        GRAPH_TEST(outputs_are_bound_in_their_block),
        GRAPH_TEST(branch_values_stay_inside),
        GRAPH_TEST(values_of_other_functions_are_not_visible),
        GRAPH_TEST(symbols_are_defined),
        GRAPH_TEST(symbols_of_a_branch_stay_inside),
        GRAPH_TEST(a_parameter_must_show_its_symbols),
        GRAPH_TEST(another_parameter_may_show_them),
        GRAPH_TEST(symbols_belong_to_one_function),
        GRAPH_TEST(dataflow_has_no_control_flow),
        GRAPH_TEST(dataflow_has_no_effects),
        GRAPH_TEST(pure_functions_have_no_effects),
        GRAPH_TEST(calls_of_impure_values_are_effects),
        GRAPH_TEST(annotations_agree_with_deduction),
        GRAPH_TEST(values_are_bound_once),
        GRAPH_TEST(calls_are_bound_to_names),
        GRAPH_TEST(results_fit_their_declaration),
        GRAPH_TEST(num_input_counts_parameters),
        GRAPH_TEST(callees_must_exist),
        GRAPH_TEST(donated_values_are_not_read),
        GRAPH_TEST(donated_values_may_be_read_before),
        GRAPH_TEST(donated_in_one_branch_is_gone_after_both),
        GRAPH_TEST(a_tuple_of_a_donated_value_is_not_read),
        GRAPH_TEST(programs_are_verified_too),
    };
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
