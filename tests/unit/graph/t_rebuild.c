// t_rebuild.c - rebuilding functions: the identity, replacements, dead code, bodies inside bodies, uses.
#include "graph_support.h"
#include <string.h>

// --- Two functions are the same up to identity of nodes.

static void check_same_body(fixture *f, const graph_body *a, const graph_body *b);

static void check_same_node(fixture *f, const node *a, const node *b) {
    assert_ptr_equal(a->op, b->op);
    assert_int_equal(a->count, b->count);
    assert_int_equal(!a->name, !b->name);
    if (a->name) assert_string_equal(a->name, b->name);
    if (a->op != &op_closure) assert_true(ann_equal(f->m->exprs, a->type, b->type));
    assert_int_equal(a->at.line, b->at.line);
    for (uint32_t i = 0; i < a->count; i++) {
        assert_int_equal(!a->in[i]->name, !b->in[i]->name);
        if (a->in[i]->name)
            assert_string_equal(a->in[i]->name, b->in[i]->name);
        else
            check_same_node(f, a->in[i], b->in[i]);
    }
    for (uint32_t side = 0; a->op->form == FORM_IF && side < 2; side++)
        check_same_body(f, &a->as.branch[side], &b->as.branch[side]);
    if (a->op->form == FORM_CLOSURE) check_same_body(f, &a->as.func->body, &b->as.func->body);
}

static void check_same_body(fixture *f, const graph_body *a, const graph_body *b) {
    const binding_block *p = a->first, *q = b->first;
    for (; p && q; p = p->next, q = q->next) {
        assert_int_equal(p->dataflow, q->dataflow);
        assert_int_equal(p->len, q->len);
        assert_int_equal(p->outputs, q->outputs);
        for (uint32_t i = 0; i < p->len; i++) check_same_node(f, p->bound[i], q->bound[i]);
        for (uint32_t i = 0; i < p->outputs; i++) assert_string_equal(p->output[i]->name, q->output[i]->name);
    }
    assert_ptr_equal(p, q); // both at their end
}

static uint32_t names(const graph_func *func, fixture *f, const char **out) {
    node_list nodes = {0};
    graph_nodes(func, f->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) out[i] = nodes.at[i]->name;
    return nodes.len;
}

// y = same(x); a dataflow block with two outputs; an if with a binding in each branch; a closure that captures.
static graph_func *build_everything(fixture *f) {
    builder *b = f->b;
    const node *x = build_param(b, "x", f32(f, 2, f->n, f->k)),
               *c = build_param(b, "c", ann_tensor(f->mem, DTYPE_OF(BOOL), NULL, 0));
    const node *u = build_param(b, "u", ann_tensor_rank(f->mem, DTYPE_OF(F32), 1));
    b->at.line = 2;
    const node *y = build_op(b, "y", &op_test_same, &x, 1);
    const node *v = build_match_cast(b, "v", u, f32(f, 1, var(f, "m")));
    build_block(b, true);
    b->at.line = 3;
    const node *lv = build_op(b, NULL, &op_test_same, &y, 1), *t = build_tuple(b, "t", (const node *const[]){lv, v}, 2);
    build_output(b, lv);
    build_output(b, t);
    build_block(b, false);
    b->at.line = 4;
    builder *inner = build_closure(b, "inner");
    const node *i = build_param(inner, "i", f32(f, 1, var(f, "p")));
    const node *closure =
        build_end_closure(inner, build_op(inner, NULL, &op_test_same, (const node *const[]){i, y}, 2));
    const node *called = build_call_func(b, "called", closure, &v, 1);
    if_parts *p = build_if(b, c);
    const node *then = build_op(b, "a", &op_test_same, &x, 1);
    build_else(b, p, then);
    const node *otherwise = build_op(b, "a", &op_test_same, &y, 1);
    const node *z = build_end_if(b, p, "z", otherwise);
    const node *s = build_shape(b, (const expr *const[]){f->n, i64(f, 4)}, 2);
    return build_finish(b, build_tuple(b, NULL, (const node *const[]){z, called, s, build_item(b, NULL, t, 1)}, 4));
}

static void nothing_changed_is_the_same(void **state) {
    fixture *f = *state;
    graph_func *func = build_everything(f);
    func->attrs = attr_with(f->mem, NULL, "num_input", attr_int(f->mem, 1));
    module_put_graph(f->m, func);
    assert_true(module_verify(f->m, f->d));
    graph_func *again = graph_rebuild(f->m, func, NULL, NULL, f->d);
    check_same_body(f, &func->body, &again->body);
    check_same_node(f, func->body.result, again->body.result);
    assert_ptr_equal(again->attrs, func->attrs);
    assert_true(ann_equal(f->m->exprs, func->result_type, again->result_type));
    assert_ptr_not_equal(again->body.first->bound[0], func->body.first->bound[0]);
    module_put_graph(f->m, again);
    assert_true(module_verify(f->m, f->d));
    assert_int_equal(f->d->errors, 0);
}

// --- A peephole pass: same(same(x)) is same(x).

static const node *same_once(builder *b, const node *old, const node *const *in, void *user) {
    (void)b, (void)user;
    return old->op == &op_test_same && in[0]->op == &op_test_same && old->count == 1 ? in[0] : NULL;
}

static void replacements_are_followed(void **state) {
    fixture *f = *state;
    const node *x = build_param(f->b, "x", f32(f, 2, f->n, f->k));
    build_block(f->b, true);
    const node *a = build_op(f->b, "a", &op_test_same, &x, 1), *b = build_op(f->b, "b", &op_test_same, &a, 1);
    const node *c = build_op(f->b, "c", &op_test_same, &b, 1), *d = build_op(f->b, "d", &op_test_softmax, &c, 1);
    build_output(f->b, c);
    build_output(f->b, d);
    graph_func *func = graph_rebuild(f->m, build_finish(f->b, build_tuple(f->b, NULL, (const node *const[]){c, d}, 2)),
                                     same_once, NULL, f->d);
    const char *left[8];
    assert_int_equal(names(func, f, left), 2);
    assert_string_equal(left[0], "a");
    assert_string_equal(left[1], "d");
    assert_string_equal(func->body.first->output[0]->name, "a"); // c became a: the output follows
    assert_string_equal(func->body.result->in[0]->name, "a");
    module_put_graph(f->m, func);
    assert_true(module_verify(f->m, f->d));
}

// --- A pass with state: dead code. Uses are counted backwards, so that what only the dead use dies as well.

static const node *drop_dead(builder *b, const node *old, const node *const *in, void *user) {
    const bool *live = user;
    if (live[old->id] || old->op->impure) return NULL;
    return old->count ? in[0] : build_copy(b, old, in); // nobody looks at what it becomes
}

static bool *find_live(const graph_func *func, fixture *f) {
    node_list nodes = {0};
    graph_nodes(func, f->mem, &nodes);
    bool *live = ARENA_NEW(f->mem, bool, func->nodes);
    live[func->body.result->id] = true;
    for (uint32_t i = nodes.len; i-- > 0;)
        for (uint32_t k = 0; live[nodes.at[i]->id] && k < nodes.at[i]->count; k++) live[nodes.at[i]->in[k]->id] = true;
    return live;
}

static void dead_code_goes(void **state) {
    fixture *f = *state;
    const node *x = build_param(f->b, "x", f32(f, 2, f->n, f->k));
    const node *a = build_op(f->b, "a", &op_test_same, &x, 1), *dead = build_op(f->b, "dead", &op_test_softmax, &a, 1);
    build_op(f->b, "deader", &op_test_softmax, &dead, 1);
    build_op(f->b, "effect", &op_test_effect, &a, 1);
    const node *b = build_op(f->b, "b", &op_test_softmax, &a, 1);
    graph_func *func = build_finish(f->b, b);
    graph_func *now = graph_rebuild(f->m, func, drop_dead, find_live(func, f), f->d);
    const char *left[8];
    assert_int_equal(names(now, f, left), 3);
    assert_string_equal(left[0], "a");
    assert_string_equal(left[1], "effect");
    assert_string_equal(left[2], "b");
}

static void uses_are_counted_once_per_place(void **state) {
    fixture *f = *state;
    graph_func *func = build_everything(f);
    const uint32_t *uses = graph_uses(func, f->mem);
    const node *x = func->param[0], *y = func->body.first->bound[0], *v = func->body.first->bound[1];
    assert_int_equal(uses[x->id], 2); // y and the then branch
    assert_int_equal(uses[y->id], 3); // lv, the else branch, captured by the closure
    assert_int_equal(uses[v->id], 2); // t and the call
    const node *t = func->body.first->next->bound[1];
    assert_int_equal(uses[t->id], 1); // by the item inside the result
}

// A changed signature of a callee is seen by the calls of a rebuilt function.
static void calls_see_new_signatures(void **state) {
    fixture *f = *state;
    const expr *n = var(f, "n");
    const ann *param = f32(f, 1, n);
    module_declare(f->m, "g", FUNC_GRAPH, ann_callable(f->mem, &param, 1, f32(f, 1, n), true), f->b->at);
    const node *x = build_param(f->b, "x", f32(f, 1, f->k));
    const node *y = build_call_func(f->b, "y", build_global(f->b, "g"), &x, 1);
    graph_func *func = build_finish(f->b, y);
    module_declare(f->m, "g", FUNC_GRAPH, ann_callable(f->mem, &param, 1, f32(f, 1, plus(f, n, 1)), true), f->b->at);
    check_ann(graph_rebuild(f->m, func, NULL, NULL, f->d)->result_type, "R.Tensor((k + 1,), dtype=\"float32\")");
}

static void modules_forget_functions(void **state) {
    fixture *f = *state;
    put_copy_program(f, "copy");
    put_copy_program(f, "copy1");
    assert_string_equal(module_fresh_name(f->m, "copy"), "copy2");
    assert_string_equal(module_fresh_name(f->m, "other"), "other");
    module_remove(f->m, "copy");
    assert_null(module_find(f->m, "copy"));
    assert_non_null(module_find(f->m, "copy1"));
    assert_int_equal(f->m->funcs.len, 1);
    module_remove(f->m, "copy");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GRAPH_TEST(nothing_changed_is_the_same),
        GRAPH_TEST(replacements_are_followed),
        GRAPH_TEST(dead_code_goes),
        GRAPH_TEST(uses_are_counted_once_per_place),
        GRAPH_TEST(calls_see_new_signatures),
        GRAPH_TEST(modules_forget_functions),
    };
    return cmocka_run_group_tests_name("rebuild", tests, NULL, NULL);
}
