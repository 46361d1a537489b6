// inline_private_functions.c - InlinePrivateFunctions: private functions become part of their callers.
//
//   before:  a = cls.helper(x)      private: return R.exp(z)
//            b = R.add(a, a)
//   after:   u = R.exp(x)
//            b = R.add(u, u)        (helper is gone)
//
// Needs nothing. Keeps results and effects' order. Functions that can come back to themselves stay, as do those with
// attributes that give them to somebody else (Primitive, Codegen) and those used as values. A dataflow block that calls
// a function with an `if` becomes a plain one. Then canonicalises, as TVM does.
#include "pass/call_order.h"
#include "pass/clone.h"
#include "pass/edits.h"

typedef struct inlining {
    module *m;
    diag *d;
    call_order order;
    text_map values; // functions that are used otherwise than called
} inlining;

static void note_values(inlining *z) {
    func_list list = {0};
    graph_functions(z->m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        node_list nodes = {0};
        every_node(list.at[i], z->m->mem, &nodes);
        for (uint32_t k = 0; k < nodes.len; k++) {
            const node *n = nodes.at[k];
            for (uint32_t in = n->op->form == FORM_CALL; in < n->count; in++)
                if (n->in[in]->op->form == FORM_GLOBAL) text_map_put(&z->values, n->in[in]->as.text.bytes, z);
        }
        const node *result = list.at[i]->body.result;
        if (result->op->form == FORM_GLOBAL) text_map_put(&z->values, result->as.text.bytes, z);
    }
}

static const graph_func *inlinable(const inlining *z, const char *name) {
    const module_func *f = module_find(z->m, name);
    if (!f || f->kind != FUNC_GRAPH || !f->graph->is_private) return NULL;
    if (attr_is_true(f->graph->attrs, "Primitive") || attr_find(f->graph->attrs, "Codegen")) return NULL;
    if (text_map_find(&z->order.recursive, name) || text_map_find(&z->values, name)) return NULL;
    return f->graph;
}

static bool branches(const graph_func *f) {
    for (const binding_block *run = f->body.first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++)
            if (run->bound[i]->op->form == FORM_IF) return true;
    return false;
}

static void open_dataflow(clone *c, const binding_block *run) {
    for (uint32_t i = 0; i < run->len; i++) map_put(&c->flow, MAP_KEY(run->bound[i]), CLONE_PLAIN);
}

static void choose(const inlining *z, clone *c, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) choose(z, c, &n->as.branch[side]);
            if (n->op->form == FORM_CLOSURE) choose(z, c, &n->as.func->body);
            bool called = n->op->form == FORM_CALL && n->in[0]->op->form == FORM_GLOBAL;
            const graph_func *callee = called ? inlinable(z, n->in[0]->as.text.bytes) : NULL;
            if (!callee) continue;
            map_put(&c->inlined, MAP_KEY(n), (void *)(uintptr_t)callee);
            if (run->dataflow && branches(callee)) open_dataflow(c, run);
        }
}

static void drop_inlined(inlining *z) {
    text_map keep = TEXT_MAP_IN(z->m->mem);
    for (uint32_t i = 0; i < z->m->funcs.len; i++)
        if (!inlinable(z, z->m->funcs.entry[i].key)) text_map_put(&keep, z->m->funcs.entry[i].key, z);
    keep_functions(z->m, &keep);
}

static bool run(module *m, const pass_ctx *c) {
    inlining z = {.m = m, .d = c->d, .order = call_order_of(m), .values = TEXT_MAP_IN(m->mem)};
    uint32_t errors = c->d->errors;
    note_values(&z);
    for (uint32_t i = 0; i < z.order.name.len; i++) {
        const module_func *f = module_find(m, z.order.name.at[i]);
        if (f->kind != FUNC_GRAPH) continue;
        clone copy = clone_tables(m);
        choose(&z, &copy, &f->graph->body);
        if (copy.inlined.len) module_put_graph(m, clone_func(&copy, m, f->graph, c->d));
    }
    drop_inlined(&z);
    canonicalize_bindings(m, c->d);
    return c->d->errors == errors;
}

const pass pass_inline_private_functions = {
    .name = "InlinePrivateFunctions",
    .doc = "makes private functions part of their callers",
    .run = run,
};
