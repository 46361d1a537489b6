// to_non_dataflow.c - ToNonDataflow: dataflow blocks become plain ones, so that later passes may add effects.
//
//   before:  with R.dataflow():        after:  y = R.exp(x)
//                y = R.exp(x)                  return y
//                R.output(y)
//            return y
//
// Needs nothing. Keeps everything but the blocks' kind; the order of bindings stays.
#include "pass/pass.h"

static void open_body(arena *mem, graph_body *body);

static void open_inside(arena *mem, const node *n) {
    if (n->op->form == FORM_CLOSURE) open_body(mem, &n->as.func->body);
    if (n->op->form != FORM_IF) return;
    open_body(mem, &n->as.branch[0]);
    open_body(mem, &n->as.branch[1]);
}

// The text has one run of bindings where plain blocks follow each other, so there is one.
static void join_next(arena *mem, binding_block *run) {
    const binding_block *next = run->next;
    for (uint32_t i = 0; i < next->len; i++) {
        if (run->len == run->room) run->bound = vec_grow(mem, run->bound, run->len, &run->room, sizeof *run->bound);
        run->bound[run->len++] = next->bound[i];
    }
    run->next = next->next;
}

// The body belongs to a function this pass has just built. Nesting is bounded by the reader.
static void open_body(arena *mem, graph_body *body) {
    for (binding_block *run = body->first; run; run = run->next) {
        run->dataflow = false;
        run->outputs = 0;
        while (run->next) join_next(mem, run);
        for (uint32_t i = 0; i < run->len; i++) open_inside(mem, run->bound[i]);
    }
}

static bool to_non_dataflow(module *m, const pass_ctx *c) {
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        module_func *f = m->funcs.entry[i].value;
        if (f->kind != FUNC_GRAPH) continue;
        graph_func *open = graph_rebuild(m, f->graph, NULL, NULL, c->d);
        if (!open) return false;
        open_body(m->mem, &open->body);
        module_put_graph(m, open);
    }
    return true;
}

const pass pass_to_non_dataflow = {
    .name = "ToNonDataflow",
    .doc = "turns dataflow blocks into plain blocks",
    .run = to_non_dataflow,
};
