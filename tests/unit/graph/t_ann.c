// t_ann.c - annotations: spelling, rewriting, and how they relate.
#include "graph_support.h"

static void spelled_as_tvm_does(void **state) {
    fixture *f = *state;
    arena *mem = f->mem;
    check_ann(f32(f, 2, f->n, i64(f, 128)), "R.Tensor((n, 128), dtype=\"float32\")");
    check_ann(f32(f, 1, plus(f, f->n, 1)), "R.Tensor((n + 1,), dtype=\"float32\")");
    check_ann(f32(f, 0), "R.Tensor((), dtype=\"float32\")");
    check_ann(ann_tensor_rank(mem, DTYPE_OF(F32), 2), "R.Tensor(dtype=\"float32\", ndim=2)");
    check_ann(ann_tensor_rank(mem, (dtype){0}, 3), "R.Tensor(ndim=3)");
    check_ann(ann_tensor_rank(mem, (dtype){0}, RANK_UNKNOWN), "R.Tensor");
    check_ann(ann_tensor_rank(mem, DTYPE_OF(F32), RANK_UNKNOWN), "R.Tensor(dtype=\"float32\")");
    check_ann(shape(f, 2, f->n, i64(f, 4)), "R.Shape([n, 4])");
    check_ann(ann_shape_rank(mem, 2), "R.Shape(ndim=2)");
    check_ann(ann_shape_rank(mem, RANK_UNKNOWN), "R.Shape(ndim=-1)");
    check_ann(ann_prim(mem, DTYPE_OF(I64), NULL), "R.Prim(\"int64\")");
    check_ann(ann_prim(mem, DTYPE_OF(I64), plus(f, f->n, 1)), "R.Prim(value=n + 1)");
    check_ann(ann_object(), "R.Object");
    check_ann(ann_tuple(mem, NULL, 0), "R.Tuple");
    const ann *object = ann_object(), *x = f32(f, 1, f->n);
    check_ann(ann_tuple(mem, &object, 1), "R.Tuple(R.Object)");
    check_ann(ann_callable(mem, &x, 1, x, true),
              "R.Callable((R.Tensor((n,), dtype=\"float32\"),), R.Tensor((n,), dtype=\"float32\"), True)");
    check_ann(ann_callable(mem, NULL, 0, NULL, false), "R.Callable((), R.Object, False)");
    const node *s = build_param(f->b, "s", ann_shape_rank(mem, 2));
    check_ann(ann_tensor_shape_var(mem, DTYPE_OF(F32), s), "R.Tensor(s, dtype=\"float32\")");
}

static void signatures_quote_dims(void **state) {
    fixture *f = *state;
    map quote = MAP_IN(f->mem);
    map_put(&quote, MAP_KEY(f->n), f);
    text out = TEXT_IN(f->mem);
    ann_print_as(&out, f32(f, 3, f->n, times(f, f->n, i64(f, 2)), f->k), &(ann_print_options){.quote = &quote});
    assert_string_equal(text_get(&out), "R.Tensor((\"n\", \"n * 2\", k), dtype=\"float32\")");
}

static void variables_are_found_once_in_order(void **state) {
    fixture *f = *state;
    const ann *x = f32(f, 2, f->k, times(f, f->n, f->k)), *g = ann_callable(f->mem, &x, 1, x, true);
    expr_list all = {0}, defined = {0};
    ann_free_vars(g, f->mem, &all);
    assert_int_equal(all.len, 2);
    assert_ptr_equal(all.at[0], f->k);
    assert_ptr_equal(all.at[1], f->n);
    ann_defined_vars(g, f->mem, &defined);
    assert_int_equal(defined.len, 0);
}

static void rewriting_keeps_what_does_not_change(void **state) {
    fixture *f = *state;
    expr_session *s = f->m->exprs;
    const ann *x = f32(f, 2, f->n, i64(f, 4)), *y = f32(f, 1, f->k);
    const ann *both = ann_tuple(f->mem, (const ann *const[]){x, y}, 2);
    map with = MAP_IN(f->mem);
    map_put(&with, MAP_KEY(f->n), (void *)(uintptr_t)plus(f, f->k, 1));
    const ann *now = ann_substitute(s, f->mem, both, &with);
    check_ann(now, "R.Tuple(R.Tensor((k + 1, 4), dtype=\"float32\"), R.Tensor((k,), dtype=\"float32\"))");
    assert_ptr_equal(now->field[1], y);
    map none = MAP_IN(f->mem);
    assert_ptr_equal(ann_substitute(s, f->mem, both, &none), both);
    map drop = MAP_IN(f->mem);
    map_put(&drop, MAP_KEY(f->n), f);
    now = ann_rewrite(&(ann_rewriting){.s = s, .mem = f->mem, .drop = &drop}, both);
    check_ann(now, "R.Tuple(R.Tensor(dtype=\"float32\", ndim=2), R.Tensor((k,), dtype=\"float32\"))");
}

static ann_fit fit(fixture *f, const ann *a, const ann *b) { return ann_fits(f->m->exprs, a, b, NULL); }

static void fits_are_decided_where_they_can_be(void **state) {
    fixture *f = *state;
    const ann *x = f32(f, 2, f->n, i64(f, 4)), *rank2 = ann_tensor_rank(f->mem, DTYPE_OF(F32), 2);
    assert_int_equal(fit(f, x, x), ANN_YES);
    assert_int_equal(fit(f, x, rank2), ANN_YES);
    assert_int_equal(fit(f, rank2, x), ANN_MAYBE);
    assert_int_equal(fit(f, x, ann_object()), ANN_YES);
    assert_int_equal(fit(f, ann_object(), x), ANN_MAYBE);
    assert_int_equal(fit(f, x, f32(f, 2, f->n, i64(f, 5))), ANN_NO);
    assert_int_equal(fit(f, x, f32(f, 2, plus(f, f->n, 1), i64(f, 4))), ANN_NO);
    assert_int_equal(fit(f, x, f32(f, 2, f->k, i64(f, 4))), ANN_MAYBE);
    assert_int_equal(fit(f, x, f32(f, 1, f->n)), ANN_NO);
    assert_int_equal(fit(f, x, ann_tensor_rank(f->mem, DTYPE_OF(F16), 2)), ANN_NO);
    assert_int_equal(fit(f, x, shape(f, 2, f->n, i64(f, 4))), ANN_NO);
    const ann *twice = f32(f, 1, times(f, f->n, i64(f, 2))),
              *sum = f32(f, 1, expr_binary(f->m->exprs, EXPR_ADD, f->n, f->n));
    assert_int_equal(fit(f, twice, sum), ANN_YES);
    assert_true(ann_equal(f->m->exprs, twice, sum));
    const ann *pure = ann_callable(f->mem, &rank2, 1, x, true), *impure = ann_callable(f->mem, &rank2, 1, x, false);
    assert_int_equal(fit(f, pure, impure), ANN_YES);
    assert_int_equal(fit(f, impure, pure), ANN_NO);
    assert_int_equal(fit(f, pure, ann_callable(f->mem, &x, 1, rank2, true)), ANN_YES); // takes more, gives more
    const ann *later = f32(f, 2, plus(f, f->n, 1), i64(f, 4)), *five = f32(f, 2, f->n, i64(f, 5));
    assert_int_equal(fit(f, ann_callable(f->mem, &x, 1, x, true), ann_callable(f->mem, &later, 1, x, true)), ANN_MAYBE);
    assert_int_equal(fit(f, ann_callable(f->mem, &x, 1, x, true), ann_callable(f->mem, &five, 1, x, true)), ANN_MAYBE);
    const ann *four = f32(f, 1, i64(f, 4)), *six = f32(f, 1, i64(f, 6));
    assert_int_equal(fit(f, ann_callable(f->mem, &four, 1, x, true), ann_callable(f->mem, &six, 1, x, true)), ANN_NO);
}

static void joins_are_as_fine_as_both_allow(void **state) {
    fixture *f = *state;
    expr_session *s = f->m->exprs;
    const ann *x = f32(f, 2, f->n, i64(f, 4)), *y = f32(f, 2, f->n, i64(f, 5)), *z = f32(f, 1, f->n);
    check_ann(ann_join(s, f->mem, x, x), "R.Tensor((n, 4), dtype=\"float32\")");
    check_ann(ann_join(s, f->mem, x, y), "R.Tensor(dtype=\"float32\", ndim=2)");
    check_ann(ann_join(s, f->mem, x, z), "R.Tensor(dtype=\"float32\")");
    check_ann(ann_join(s, f->mem, x, ann_object()), "R.Object");
    check_ann(ann_join(s, f->mem, ann_tuple(f->mem, (const ann *const[]){x, z}, 2),
                       ann_tuple(f->mem, (const ann *const[]){y, z}, 2)),
              "R.Tuple(R.Tensor(dtype=\"float32\", ndim=2), R.Tensor((n,), dtype=\"float32\"))");
    check_ann(ann_join(s, f->mem, shape(f, 1, f->n), shape(f, 1, f->k)), "R.Shape(ndim=1)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GRAPH_TEST(spelled_as_tvm_does),
        GRAPH_TEST(signatures_quote_dims),
        GRAPH_TEST(variables_are_found_once_in_order),
        GRAPH_TEST(rewriting_keeps_what_does_not_change),
        GRAPH_TEST(fits_are_decided_where_they_can_be),
        GRAPH_TEST(joins_are_as_fine_as_both_allow),
    };
    return cmocka_run_group_tests_name("ann", tests, NULL, NULL);
}
