// remove_purity_checking.c - RemovePurityChecking: from here on functions may have effects inside without saying so.
//
//   before:  @R.function                     after:  @R.function
//            def f(x):                               def f(x):
//                y = R.call_pure_packed(…)               R.func_attr({"relax.force_pure": True})
//                                                        y = R.call_packed(…)
//
// Needs functions without dataflow blocks. Keeps values and the order of bindings; pure calls become plain ones.
#include "ops/ops.h"
#include "pass/support.h"

static const struct {
    const op *pure, *plain;
} plain_form[] = {
    {&op_call_pure_packed, &op_call_packed},
    {&op_call_inplace_packed, &op_call_packed},
    {&op_invoke_pure_closure, &op_invoke_closure},
};

static const node *make_plain(builder *b, const node *old, const node *const *in, void *user) {
    (void)user;
    for (size_t i = 0; i < COUNT(plain_form); i++)
        if (old->op == plain_form[i].pure) {
            const call_parts c = {.op = plain_form[i].plain,
                                  .in = in,
                                  .count = old->count,
                                  .type_arg = old->type_arg,
                                  .type_args = old->type_args,
                                  .written = old->written};
            return build_call(b, old->name, &c);
        }
    return NULL;
}

static void force_body(module *m, const graph_body *body);

static void force(module *m, graph_func *f) {
    if (f->pure) f->attrs = attr_with(m->mem, f->attrs, "relax.force_pure", attr_bool(m->mem, true));
    force_body(m, &f->body);
}

// Closures too. The functions are this pass's own; nesting is bounded by the reader.
static void force_body(module *m, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            if (n->op->form == FORM_CLOSURE) force(m, n->as.func);
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) force_body(m, &n->as.branch[side]);
        }
}

static bool remove_purity_checking(module *m, const pass_ctx *c) {
    if (!rebuild_functions(m, make_plain, NULL, c->d)) return false;
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) force(m, list.at[i]);
    return true;
}

const pass pass_remove_purity_checking = {
    .name = "RemovePurityChecking",
    .doc = "marks functions as pure by decree, so that lowering may put effects into them",
    .needs = NEEDS_NO_DATAFLOW,
    .run = remove_purity_checking,
};
