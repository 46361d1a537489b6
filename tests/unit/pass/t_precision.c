// t_precision.c - a pass that forgets what was known of a value fails where passes are checked.
#include "pass/pass.h"
#include "pass/precision.h"
#include "test.h"
#include "text/script.h"
#include <stdio.h>
#include <string.h>

static const char text_before[] = "@I.ir_module\nclass Module:\n    @R.function\n"
                                  "    def main(x: R.Tensor((\"n\", 4), \"float32\")):\n        n = T.int64()\n"
                                  "        y = R.exp(x)\n        z = R.add(y, y)\n        return z\n";

// What a careless pass does: the value is made anew, and its annotation says the rank alone.
static const node *forget(builder *b, const node *old, const node *const *in, void *user) {
    (void)user;
    if (strcmp(old->op->name, "exp") != 0) return NULL;
    const ann *rank = ann_tensor_rank(b->m->mem, DTYPE_OF(F32), 2);
    return build_call(b, old->name, &(call_parts){.op = old->op, .in = in, .count = 1, .written = rank});
}

static bool run_forget(module *m, const pass_ctx *c) {
    graph_func *now = graph_rebuild(m, module_find(m, "main")->graph, forget, NULL, c->d);
    return now && module_put_graph(m, now);
}

static bool run_nothing(module *m, const pass_ctx *c) {
    graph_func *now = graph_rebuild(m, module_find(m, "main")->graph, NULL, NULL, c->d);
    return now && module_put_graph(m, now);
}

static bool runs(bool (*pass_body)(module *, const pass_ctx *), const char **message) {
    const pass one = {.name = "Forget", .doc = "loses dims", .run = pass_body};
    const source src = {.name = "<test>", .bytes = text_before, .size = sizeof text_before - 1};
    static char said[256];
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    module *m = script_parse(&src, d);
    assert_non_null(m);
    pass_list steps = {0};
    VEC_PUSH(mem, &steps, (pass_step){.pass = &one});
    char why[256];
    const pass_observer checks = {.verify = true};
    bool good = pass_run(m, &steps, arch_parse(mem, "cpu", why), &checks, d);
    snprintf(said, sizeof said, "%s", d->len ? d->record[0].message : "");
    *message = said;
    module_free(m);
    arena_free(mem);
    return good;
}

static void a_pass_that_forgets_fails(void **state) {
    (void)state;
    const char *message;
    assert_false(runs(run_forget, &message));
    assert_string_equal(message,
                        "Forget lost what was known of main: it was R.Tensor((n, 4), dtype=\"float32\"), now it "
                        "is R.Tensor(dtype=\"float32\", ndim=2)");
    assert_true(runs(run_nothing, &message));
}

static void coarser_is_less_said(void **state) {
    (void)state;
    arena *mem = arena_new();
    module *m = module_new();
    expr_session *s = m->exprs;
    const expr *n = expr_new_var(s, "n", DTYPE_OF(I64)), *four = expr_i64(s, 4);
    const ann *known = ann_tensor(mem, DTYPE_OF(F32), &n, 1), *other = ann_tensor(mem, DTYPE_OF(F32), &four, 1);
    const ann *rank = ann_tensor_rank(mem, DTYPE_OF(F32), 1), *none = ann_tensor_rank(mem, DTYPE_OF(F32), RANK_UNKNOWN);
    const ann *untyped = ann_tensor(mem, (dtype){0}, &n, 1);
    assert_true(precision_coarser(rank, known));
    assert_true(precision_coarser(none, rank));
    assert_true(precision_coarser(untyped, known));
    assert_true(precision_coarser(ann_object(), none));
    assert_true(precision_coarser(ann_tuple(mem, &rank, 1), ann_tuple(mem, &known, 1)));
    assert_false(precision_coarser(known, rank));
    assert_false(precision_coarser(other, known)); // another dim, not less of it
    assert_false(precision_coarser(known, known));
    module_free(m);
    arena_free(mem);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pass_that_forgets_fails),
                                       cmocka_unit_test(coarser_is_less_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
