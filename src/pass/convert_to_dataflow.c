// convert_to_dataflow.c - ConvertToDataflow: runs of pure bindings become dataflow blocks.
//
//   before:  a = R.exp(x)          after:  with R.dataflow():
//            b = R.exp(a)                      a = R.exp(x)
//            return b                          b = R.exp(a)
//                                              R.output(b)
//
// Needs nothing. Keeps the order; effects and ifs stay outside, runs shorter than min_size too. Then canonicalises, as
// TVM does, so that outputs are what is used outside.
#include "pass/clone.h"
#include "pass/edits.h"

typedef struct converting {
    module *m;
    uint32_t min_size;
    clone c;
    node_list pending; // pure bindings since the last that was not
} converting;

static bool is_pure(const node *n) { return n->op->form != FORM_IF && !has_effect(n); }

static void end_run(converting *z) {
    for (uint32_t i = 0; z->pending.len >= z->min_size && i < z->pending.len; i++) {
        map_put(&z->c.flow, MAP_KEY(z->pending.at[i]), CLONE_DATAFLOW);
        map_put(&z->c.shown, MAP_KEY(z->pending.at[i]), z);
    }
    z->pending.len = 0;
}

static void convert_body(converting *z, const graph_body *body);

static void convert_inside(converting *z, const node *n) {
    node_list around = z->pending;
    z->pending = (node_list){0};
    for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) convert_body(z, &n->as.branch[side]);
    if (n->op->form == FORM_CLOSURE) convert_body(z, &n->as.func->body);
    z->pending = around;
}

static void convert_body(converting *z, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            if (n->op->form == FORM_IF || n->op->form == FORM_CLOSURE) convert_inside(z, n);
            if (is_pure(n))
                VEC_PUSH(z->m->mem, &z->pending, n);
            else
                end_run(z);
        }
    end_run(z);
}

static bool run(module *m, const pass_ctx *c) {
    int64_t min_size;
    if (!pass_get_int(c, &pass_convert_to_dataflow, "min_size", &min_size)) return false;
    uint32_t errors = c->d->errors;
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        converting z = {.m = m, .min_size = min_size > 0 ? (uint32_t)min_size : 1, .c = clone_tables(m)};
        convert_body(&z, &list.at[i]->body);
        module_put_graph(m, clone_func(&z.c, m, list.at[i], c->d));
    }
    canonicalize_bindings(m, c->d);
    return c->d->errors == errors;
}

const pass pass_convert_to_dataflow = {
    .name = "ConvertToDataflow",
    .doc = "makes dataflow blocks of runs of pure bindings",
    .option = {{"min_size", "2", "shorter runs stay as they are"}},
    .run = run,
};
