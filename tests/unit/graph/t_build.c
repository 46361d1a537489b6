// t_build.c - the builder: a whole model, names, blocks, branches, closures, attributes, poison.
#include "graph_support.h"
#include <string.h>
#include <time.h>

// The small MLP: matmul, add, activation, matmul, add, softmax over ("n", 128), in one dataflow block.
static graph_func *build_mlp(fixture *f) {
    builder *b = f->b;
    const node *x = build_param(b, "x", f32(f, 2, f->n, i64(f, 128)));
    const node *w1 = build_param(b, "w1", f32(f, 2, i64(f, 128), i64(f, 256)));
    const node *b1 = build_param(b, "b1", f32(f, 1, i64(f, 256)));
    const node *w2 = build_param(b, "w2", f32(f, 2, i64(f, 256), i64(f, 10)));
    build_block(b, true);
    const node *lv0 = build_op(b, "lv0", &op_test_matmul, (const node *const[]){x, w1}, 2);
    const node *lv1 = build_op(b, "lv1", &op_test_same, (const node *const[]){lv0, b1}, 2);
    const node *lv2 = build_op(b, "lv2", &op_test_same, &lv1, 1);
    const node *lv3 = build_op(b, "lv3", &op_test_matmul, (const node *const[]){lv2, w2}, 2);
    const node *gv = build_op(b, "gv", &op_test_softmax, &lv3, 1);
    build_output(b, gv);
    return build_finish(b, gv);
}

static void a_model_is_built_and_verified(void **state) {
    fixture *f = *state;
    graph_func *mlp = build_mlp(f);
    check_ann(mlp->result_type, "R.Tensor((n, 10), dtype=\"float32\")");
    assert_true(mlp->body.first->dataflow);
    assert_int_equal(mlp->body.first->len, 5);
    assert_int_equal(mlp->body.first->outputs, 1);
    assert_null(mlp->body.first->next);
    module_put_graph(f->m, mlp);
    check_ann(module_find(f->m, "main")->type->result, "R.Tensor((n, 10), dtype=\"float32\")");
    assert_true(module_verify(f->m, f->d));
    node_list nodes = {0};
    graph_nodes(mlp, f->mem, &nodes);
    assert_int_equal(nodes.len, 5);
    for (uint32_t i = 1; i < nodes.len; i++) assert_true(nodes.at[i - 1]->id < nodes.at[i]->id);
}

static void hints_become_unique_names(void **state) {
    fixture *f = *state;
    const node *x = build_param(f->b, "x", f32(f, 1, f->n));
    const node *a = build_op(f->b, "y", &op_test_same, &x, 1), *b = build_op(f->b, "y", &op_test_same, &x, 1);
    const node *c = build_op(f->b, "y", &op_test_same, &x, 1), *d = build_op(f->b, "x", &op_test_same, &x, 1);
    const node *e = build_op(f->b, NULL, &op_test_same, &x, 1);
    build_block(f->b, true);
    const node *g = build_op(f->b, NULL, &op_test_same, &x, 1);
    assert_string_equal(a->name, "y");
    assert_string_equal(b->name, "y1");
    assert_string_equal(c->name, "y2");
    assert_string_equal(d->name, "x1");
    assert_string_equal(e->name, "gv");
    assert_string_equal(g->name, "lv");
    assert_string_equal(build_op(f->b, "_", &op_test_same, &x, 1)->name, "_");
    assert_string_equal(build_op(f->b, "_", &op_test_same, &x, 1)->name, "_");
}

static void attributes_take_their_rows_form(void **state) {
    fixture *f = *state;
    const node *x = build_param(f->b, "x", f32(f, 2, f->n, f->k));
    const node *n = build_op(f->b, "y", &op_test_softmax, &x, 1);
    assert_int_equal(node_attr(n, "axis")->as.i, -1);
    assert_int_equal(node_attr(n, "scales")->count, 2);
    assert_true(node_attr(n, "eps")->as.f == 1e-5);
    assert_string_equal(node_attr(n, "layout")->as.text, "NCHW");
    assert_int_equal(node_attr(n, "keep")->kind, ATTR_BOOL);
    const attr *given[5] = {attr_expr(f->mem, i64(f, 1)), attr_int(f->mem, 7), attr_int(f->mem, 2), NULL, NULL};
    n = build_call(f->b, "z", &(call_parts){.op = &op_test_softmax, .in = &x, .count = 1, .attr = given});
    assert_int_equal(node_attr(n, "axis")->as.i, 1);
    assert_int_equal(node_attr(n, "scales")->list[0]->as.i, 7);
    assert_true(node_attr(n, "eps")->as.f == 2.0);
    const attr *dtype_given[] = {attr_string(f->mem, "float16", 7)};
    const node *w = build_param(f->b, "w", f32(f, 2, f->k, f->k));
    n = build_call(
        f->b, "m",
        &(call_parts){.op = &op_test_matmul, .in = (const node *const[]){x, w}, .count = 2, .attr = dtype_given});
    assert_int_equal(node_attr(n, "out_dtype")->as.type.kind, DTYPE_F16);
    assert_int_equal(f->d->errors, 0);
    given[0] = attr_string(f->mem, "x", 1);
    n = build_call(f->b, "z", &(call_parts){.op = &op_test_softmax, .in = &x, .count = 1, .attr = given});
    assert_true(node_is_poison(n));
    check_one_error(f, "test_softmax: attribute axis: want an int, got \"x\"");
}

static void inputs_are_counted_and_typed(void **state) {
    fixture *f = *state;
    const node *x = build_param(f->b, "x", f32(f, 2, f->n, f->k)), *s = build_param(f->b, "s", shape(f, 1, f->n));
    assert_true(node_is_poison(build_op(f->b, NULL, &op_test_matmul, &x, 1)));
    assert_string_equal(f->d->record[0].message, "test_matmul: want 2 inputs (x, w), got 1");
    build_op(f->b, NULL, &op_test_matmul, (const node *const[]){x, s}, 2);
    assert_string_equal(f->d->record[1].message, "test_matmul: w: want a tensor, got R.Shape([n])");
    const node *o = build_param(f->b, "o", ann_object());
    build_op(f->b, NULL, &op_test_same, &o, 1);
    assert_string_equal(f->d->record[2].message,
                        "test_same: x: want a tensor, got R.Object; say what it is with R.match_cast");
    build_op(f->b, NULL, &op_test_same, (const node *const[]){x, x, x}, 3);
    assert_string_equal(f->d->record[3].message, "test_same: want at most 2 inputs (x, y), got 3");
}

static void poison_is_silent(void **state) {
    fixture *f = *state;
    const node *x = build_param(f->b, "x", f32(f, 2, f->n, i64(f, 3)));
    const node *bad = build_op(f->b, "bad", &op_test_matmul, (const node *const[]){x, x}, 2);
    assert_true(node_is_poison(bad));
    const node *also = build_op(f->b, "also", &op_test_same, &bad, 1);
    const node *tuple = build_tuple(f->b, NULL, (const node *const[]){x, also}, 2);
    const node *item = build_item(f->b, "t", tuple, 7);
    const node *cast = build_match_cast(f->b, "c", item, f32(f, 1, f->n));
    if_parts *p = build_if(f->b, cast);
    build_else(f->b, p, x);
    assert_true(node_is_poison(build_end_if(f->b, p, "z", x)));
    build_output(f->b, cast);
    build_finish(f->b, cast);
    check_one_error(f, "inner dims differ");
}

static void branches_join_and_keep_names_apart(void **state) {
    fixture *f = *state;
    builder *b = f->b;
    const node *c = build_param(b, "c", ann_tensor(f->mem, DTYPE_OF(BOOL), NULL, 0));
    const node *x = build_param(b, "x", f32(f, 2, f->n, f->k)),
               *u = build_param(b, "u", ann_tensor_rank(f->mem, DTYPE_OF(F32), 1));
    const expr *m = var(f, "m");
    if_parts *p = build_if(b, c);
    const node *y1 = build_op(b, "y", &op_test_same, &x, 1);
    const node *m1 = build_match_cast(b, "mm", u, f32(f, 1, m));
    build_else(b, p, build_tuple(b, "t", (const node *const[]){y1, m1}, 2));
    const node *y2 = build_op(b, "y", &op_test_same, &x, 1);
    const node *z = build_end_if(b, p, "z", build_tuple(b, "t", (const node *const[]){y2, u}, 2));
    assert_string_equal(y1->name, "y");
    assert_string_equal(y2->name, "y");
    check_ann(z->type, "R.Tuple(R.Tensor((n, k), dtype=\"float32\"), R.Tensor(dtype=\"float32\", ndim=1))");
    graph_func *func = build_finish(b, z);
    module_put_graph(f->m, func);
    assert_true(module_verify(f->m, f->d));
    node_list nodes = {0};
    graph_nodes(func, f->mem, &nodes);
    assert_int_equal(nodes.len, 6); // y, mm, t, y, t, z
    assert_ptr_equal(nodes.at[5], z);
}

static void conditions_are_bools(void **state) {
    fixture *f = *state;
    const node *x = build_param(f->b, "x", f32(f, 1, f->n));
    if_parts *p = build_if(f->b, x);
    build_else(f->b, p, x);
    assert_true(node_is_poison(build_end_if(f->b, p, "z", x)));
    check_one_error(f, "if: want a condition R.Tensor((), dtype=\"bool\")");
}

static void match_cast_defines_and_contradicts(void **state) {
    fixture *f = *state;
    builder *b = f->b;
    const node *u = build_param(b, "u", ann_tensor_rank(f->mem, DTYPE_OF(F32), 1)),
               *x = build_param(b, "x", f32(f, 2, f->n, i64(f, 4)));
    const expr *m = var(f, "m");
    const node *v = build_match_cast(b, "v", u, f32(f, 1, m));
    check_ann(v->type, "R.Tensor((m,), dtype=\"float32\")");
    check_ann(build_match_cast(b, "w", x, f32(f, 2, var(f, "q"), i64(f, 4)))->type,
              "R.Tensor((q, 4), dtype=\"float32\")");
    check_ann(build_match_cast(b, "w", x, ann_tensor_rank(f->mem, DTYPE_OF(F32), 2))->type,
              "R.Tensor(dtype=\"float32\", ndim=2)");
    assert_int_equal(f->d->errors, 0);
    assert_true(node_is_poison(build_match_cast(b, "bad", x, f32(f, 2, f->n, i64(f, 5)))));
    check_one_error(f, "match_cast: dim 1 of x is 4, want 5");
    assert_true(node_is_poison(build_match_cast(b, "bad", x, ann_tensor_rank(f->mem, DTYPE_OF(F32), 3))));
    assert_true(node_is_poison(build_match_cast(b, "bad", x, ann_tensor_rank(f->mem, DTYPE_OF(F16), 2))));
    assert_int_equal(f->d->errors, 3);
    check_ann(build_finish(b, v)->result_type, "R.Tensor(dtype=\"float32\", ndim=1)"); // m is not the caller's to know
}

// What match_cast states about a value of known shape is used afterwards: m == n * 2.
static void match_cast_tells_equalities(void **state) {
    fixture *f = *state;
    builder *b = f->b;
    const expr *m = var(f, "m"), *twice = times(f, f->n, i64(f, 2));
    build_param(b, "s", shape(f, 1, f->n));
    const node *x = build_param(b, "x", f32(f, 1, twice)), *w = build_param(b, "w", f32(f, 2, twice, f->n));
    build_match_cast(b, "y", x, f32(f, 1, m));
    const node *u = build_match_cast(b, "u", build_param(b, "o", ann_object()), f32(f, 2, f->n, m));
    check_ann(build_op(b, "z", &op_test_matmul, (const node *const[]){u, w}, 2)->type,
              "R.Tensor((n, n), dtype=\"float32\")");
    assert_int_equal(f->d->errors, 0);
}

static void written_annotations_coarsen_and_contradict(void **state) {
    fixture *f = *state;
    const node *x = build_param(f->b, "x", f32(f, 2, f->n, i64(f, 4)));
    call_parts c = {.op = &op_test_same, .in = &x, .count = 1, .written = ann_tensor_rank(f->mem, DTYPE_OF(F32), 2)};
    check_ann(build_call(f->b, "y", &c)->type, "R.Tensor(dtype=\"float32\", ndim=2)");
    c.written = f32(f, 2, f->n, i64(f, 5));
    assert_true(node_is_poison(build_call(f->b, "y", &c)));
    check_one_error(f,
                    "annotated as R.Tensor((n, 5), dtype=\"float32\"), but it is R.Tensor((n, 4), dtype=\"float32\")");
}

static void closures_capture_and_recurse(void **state) {
    fixture *f = *state;
    builder *b = f->b;
    const node *x = build_param(b, "x", f32(f, 1, f->n));
    builder *inner = build_closure(b, "inner");
    const expr *p = var(f, "p");
    const node *i = build_param(inner, "i", f32(f, 2, p, f->n)); // n is the outer function's
    inner->f->result_written = true;
    inner->f->result_type = f32(f, 2, p, f->n);
    const node *again = build_call_func(inner, "again", build_self(inner), &i, 1);
    const node *closure =
        build_end_closure(inner, build_op(inner, NULL, &op_test_same, (const node *const[]){again, x}, 2));
    const node *good = build_param(b, "good", f32(f, 2, i64(f, 7), f->n)),
               *bad = build_param(b, "bad", f32(f, 2, i64(f, 7), plus(f, f->n, 1)));
    const node *y = build_call_func(b, "y", closure, &good, 1);
    check_ann(y->type, "R.Tensor((7, n), dtype=\"float32\")");
    module_put_graph(f->m, build_finish(b, y));
    assert_true(module_verify(f->m, f->d));
    assert_true(node_is_poison(build_call_func(b, "z", closure, &bad, 1)));
    check_one_error(f, "inner: dim 1 of argument 1 (i) is n + 1, want n");
}

static void constants_and_leaves_have_types(void **state) {
    fixture *f = *state;
    tensor *t;
    assert_int_equal(tensor_new(DTYPE_OF(I64), 2, (const int64_t[]){2, 3}, &t), RX_OK);
    check_ann(build_constant(f->b, t)->type, "R.Tensor((2, 3), dtype=\"int64\")");
    tensor_release(t);
    const expr *const dims[] = {f->n, i64(f, 4)};
    check_ann(build_shape(f->b, dims, 2)->type, "R.Shape([n, 4])");
    check_ann(build_prim(f->b, plus(f, f->n, 1))->type, "R.Prim(value=n + 1)");
    check_ann(build_string(f->b, "a", 1)->type, "R.Object");
    check_ann(build_extern(f->b, "my.f")->type, "R.Callable");
    const node *x = build_param(f->b, "x", f32(f, 1, f->n));
    const node *pair = build_tuple(f->b, NULL, (const node *const[]){x, build_shape(f->b, dims, 2)}, 2);
    check_ann(pair->type, "R.Tuple(R.Tensor((n,), dtype=\"float32\"), R.Shape([n, 4]))");
    check_ann(build_item(f->b, NULL, pair, 1)->type, "R.Shape([n, 4])");
    assert_int_equal(f->d->errors, 0);
    build_item(f->b, NULL, pair, 2);
    assert_string_equal(f->d->record[0].message, "the value[2]: the tuple has 2 fields, counted from 0");
    build_global(f->b, "nothing");
    assert_string_equal(f->d->record[1].message, "the module has no function \"nothing\"");
}

static void a_shape_variable_gives_the_rank(void **state) {
    fixture *f = *state;
    const node *s = build_param(f->b, "s", ann_shape_rank(f->mem, 2));
    const ann *type = ann_tensor_shape_var(f->mem, DTYPE_OF(F32), s);
    assert_int_equal(type->rank, 2);
    const node *x = build_param(f->b, "x", type), *y = build_op(f->b, "y", &op_test_same, &x, 1);
    graph_func *func = build_finish(f->b, y);
    check_ann(func->result_type, "R.Tensor(s, dtype=\"float32\")");
    assert_int_equal(graph_uses(func, f->mem)[s->id], 1); // by y's annotation
}

static double seconds(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void a_hundred_thousand_bindings_are_quick(void **state) {
    fixture *f = *state;
    enum { COUNT_OF = 100000 };
    const node *x = build_param(f->b, "x", f32(f, 2, f->n, i64(f, 8)));
    double start = seconds();
    build_block(f->b, true);
    for (int i = 0; i < COUNT_OF; i++) x = build_op(f->b, NULL, &op_test_softmax, &x, 1);
    build_output(f->b, x);
    graph_func *func = build_finish(f->b, x);
    double built = seconds();
    module_put_graph(f->m, func);
    assert_true(module_verify(f->m, f->d));
    double verified = seconds();
    graph_func *again = graph_rebuild(f->m, func, NULL, NULL, f->d);
    double rebuilt = seconds();
    assert_int_equal(again->nodes, func->nodes);
    print_message("100,000 bindings: build %.3f s, verify %.3f s, rebuild %.3f s, %zu MiB\n", built - start,
                  verified - built, rebuilt - verified, arena_used(f->mem) >> 20);
    assert_true(rebuilt - start < 20); // about 0.1 s without sanitizers
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GRAPH_TEST(a_model_is_built_and_verified),
        GRAPH_TEST(hints_become_unique_names),
        GRAPH_TEST(attributes_take_their_rows_form),
        GRAPH_TEST(inputs_are_counted_and_typed),
        GRAPH_TEST(poison_is_silent),
        GRAPH_TEST(branches_join_and_keep_names_apart),
        GRAPH_TEST(conditions_are_bools),
        GRAPH_TEST(match_cast_defines_and_contradicts),
        GRAPH_TEST(match_cast_tells_equalities),
        GRAPH_TEST(written_annotations_coarsen_and_contradict),
        GRAPH_TEST(closures_capture_and_recurse),
        GRAPH_TEST(constants_and_leaves_have_types),
        GRAPH_TEST(a_shape_variable_gives_the_rank),
        GRAPH_TEST(a_hundred_thousand_bindings_are_quick),
    };
    return cmocka_run_group_tests_name("build", tests, NULL, NULL);
}
