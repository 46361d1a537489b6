// calls_of.c - finds all calls of private functions, and uses that are no calls.
#include "pass/calls_of.h"

// Primitive and Codegen functions are somebody's contract: their signature stays.
static bool is_free(const module_func *f) {
    if (f->kind != FUNC_GRAPH || !f->graph || !f->graph->is_private) return false;
    return !attr_is_true(f->graph->attrs, "Primitive") && !attr_find(f->graph->attrs, "Codegen");
}

// A function that is used as a value may be called by anybody, with any arguments it says it takes.
static void note_use(const text_map *map_of, const node *n) {
    called *of = n->op->form == FORM_GLOBAL ? text_map_find(map_of, n->as.text.bytes) : NULL;
    if (of) of->escapes = true;
}

// The callee of a call is no use; everything else that mentions the function is.
static void note_uses(module *m, const text_map *all, const graph_func *caller) {
    node_list nodes = {0};
    every_node(caller, m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        bool call = n->op->form == FORM_CALL && n->in[0]->op->form == FORM_GLOBAL;
        called *of = call ? text_map_find(all, n->in[0]->as.text.bytes) : NULL;
        if (of) VEC_PUSH(m->mem, &of->site, ((call_site){n, caller}));
        for (uint32_t k = call; k < n->count; k++) note_use(all, n->in[k]);
        if (n->op->form == FORM_CLOSURE) note_use(all, n->as.func->body.result);
        for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) note_use(all, n->as.branch[side].result);
    }
    note_use(all, caller->body.result);
}

text_map calls_of(module *m) {
    text_map all = TEXT_MAP_IN(m->mem);
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (!is_free(f)) continue;
        called *of = ARENA_NEW(m->mem, called, 1);
        of->f = f->graph;
        text_map_put(&all, f->name, of);
    }
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) note_uses(m, &all, list.at[i]);
    return all;
}

void change_signature(module *m, const graph_func *f, const ann *const *param, uint32_t params, const ann *result) {
    module_declare(m, f->name, FUNC_GRAPH, ann_callable(m->mem, param, params, result, f->pure), f->at);
}
