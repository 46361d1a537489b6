// support.c - going over the functions of a module: rebuilding, names, who mentions whom.
#include "pass/support.h"
#include "loop/walk.h"
#include <string.h>

// In the order of the module's text, which is also the order of results and diagnostics.
void graph_functions(const module *m, func_list *out) {
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const module_func *f = m->funcs.entry[i].value;
        if (f->kind == FUNC_GRAPH && f->graph) VEC_PUSH(m->mem, out, f->graph);
    }
}

// All are rebuilt even after a failure, so that one run of a pass reports every error.
bool rebuild_functions(module *m, rewrite *fn, void *user, diag *d) {
    func_list list = {0};
    graph_functions(m, &list);
    uint32_t errors = d->errors;
    for (uint32_t i = 0; i < list.len; i++) module_put_graph(m, graph_rebuild(m, list.at[i], fn, user, d));
    return d->errors == errors;
}

// External functions are public: somebody else defines them.
bool is_public(const module_func *f) {
    if (f->kind == FUNC_GRAPH) return !f->graph || !f->graph->is_private;
    if (f->kind == FUNC_LOOP) return !f->loop || !f->loop->is_private;
    return true;
}

bool is_bound_weight(const graph_func *f, const char *name) {
    const attr *list = attr_find(f->attrs, "rx.bound_weights");
    for (uint32_t i = 0; list && list->kind == ATTR_LIST && i < list->count; i++)
        if (strcmp(list->list[i]->as.text, name) == 0) return true;
    return false;
}

builder *scratch_like(module *m, const graph_func *f, diag *d) {
    builder *b = build_func(m, "scratch", d);
    for (uint32_t i = 0; i < f->params; i++) build_param(b, f->param[i]->name, f->param[i]->type);
    return b;
}

// --- Names.

fresh_names fresh_names_in(module *m) { return (fresh_names){.m = m, .next = TEXT_MAP_IN(m->mem)}; }

// `next` remembers where the search for this wish ended: n names of one wish take n steps, not n * n.
const char *fresh_name(fresh_names *names, const char *wish) {
    module *m = names->m;
    if (!module_find(m, wish)) return arena_copy(m->mem, wish, strlen(wish));
    uintptr_t i = (uintptr_t)text_map_find(&names->next, wish);
    const char *name;
    do name = arena_format(m->mem, "%s%llu", wish, (unsigned long long)++i);
    while (module_find(m, name));
    text_map_put(&names->next, wish, (void *)i);
    return name;
}

// --- Nodes.

typedef struct listing {
    arena *mem;
    node_list *out, leaves;
    map seen;
} listing;

// With a stack of its own: leaves in leaves (tuples of tuples) may be nested deeply.
static void list_leaves(listing *l, const node *n) {
    if (!n->name) VEC_PUSH(l->mem, &l->leaves, n);
    while (l->leaves.len) {
        const node *leaf = l->leaves.at[--l->leaves.len];
        if (map_has(&l->seen, MAP_KEY(leaf))) continue;
        map_put(&l->seen, MAP_KEY(leaf), l);
        VEC_PUSH(l->mem, l->out, leaf);
        for (uint32_t i = 0; i < leaf->count; i++)
            if (!leaf->in[i]->name) VEC_PUSH(l->mem, &l->leaves, leaf->in[i]);
    }
}

static void list_body(listing *l, const graph_body *body);

static void list_func(listing *l, const graph_func *f) {
    for (uint32_t i = 0; i < f->params; i++) VEC_PUSH(l->mem, l->out, f->param[i]);
    list_body(l, &f->body);
}

static void list_bound(listing *l, const node *n) {
    for (uint32_t i = 0; i < n->count; i++) list_leaves(l, n->in[i]);
    for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) list_body(l, &n->as.branch[side]);
    if (n->op->form == FORM_CLOSURE) list_func(l, n->as.func);
    VEC_PUSH(l->mem, l->out, n);
}

static void list_body(listing *l, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) list_bound(l, run->bound[i]);
    list_leaves(l, body->result);
}

// Recursive over branches and closures, whose nesting the reader bounds; leaves use a stack.
void every_node(const graph_func *f, arena *mem, node_list *out) {
    listing l = {.mem = mem, .out = out, .seen = MAP_IN(mem)};
    list_func(&l, f);
}

// --- Effects. Nesting is bounded by the reader.

static bool body_has_effect(const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; !run->dataflow && i < run->len; i++)
            if (has_effect(run->bound[i])) return true;
    return false;
}

void note_shape_vars(const ann *a, map *out) {
    if (a->shape) map_put(out, MAP_KEY(a->shape), out);
    for (uint32_t i = 0; i < a->count; i++) note_shape_vars(a->field[i], out);
}

bool has_effect(const node *n) {
    if (n->op->form == FORM_IF) return body_has_effect(&n->as.branch[0]) || body_has_effect(&n->as.branch[1]);
    if (n->op->form != FORM_CALL) return n->op->impure;
    const ann *callee = n->in[0]->type;
    return callee->kind != ANN_CALLABLE || !callee->pure;
}

// --- Who mentions whom.

// An attribute may name a function: a tuned kernel, a fused one.
static void mentioned_in_attr(const attr *a, text_map *out) {
    if (!a) return;
    if (a->kind == ATTR_FUNC) text_map_put(out, a->as.text, out);
    for (uint32_t i = 0; i < a->count; i++) mentioned_in_attr(a->list[i], out);
}

static void mentioned_in_graph(const graph_func *f, arena *mem, text_map *out) {
    node_list nodes = {0};
    every_node(f, mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        const node *n = nodes.at[i];
        if (n->op->form == FORM_GLOBAL) text_map_put(out, n->as.text.bytes, out);
        for (uint32_t k = 0; n->attr && k < op_attrs(n->op); k++) mentioned_in_attr(n->attr[k], out);
    }
}

static void mentioned_in_expr(const expr *e, arena *mem, text_map *out) {
    expr_walk w = expr_walk_from(mem, e);
    for (const expr *part; (part = expr_walk_next(&w));)
        if (part->op == EXPR_CALL_FUNC) text_map_put(out, part->as.text, out);
}

// Dispatchers call other programs; only these statements can hold a call.
static void mentioned_in_loops(const loop_func *f, arena *mem, text_map *out) {
    for (stmt_walk w = stmt_walk_from(mem, f->body); stmt_walk_next(&w);) {
        expr_list list = {0};
        if (!w.leaving && (w.st->kind == STMT_EVALUATE || w.st->kind == STMT_STORE || w.st->kind == STMT_LET))
            stmt_expressions(w.st, mem, &list);
        for (uint32_t i = 0; i < list.len; i++) mentioned_in_expr(list.at[i], mem, out);
    }
}

void mentioned_functions(const module *m, const module_func *f, text_map *out) {
    if (f->kind == FUNC_GRAPH && f->graph) mentioned_in_graph(f->graph, m->mem, out);
    if (f->kind == FUNC_LOOP && f->loop) mentioned_in_loops(f->loop, m->mem, out);
}

// The map grows while it is walked: it is the queue, too.
void reach_functions(const module *m, text_map *reached) {
    for (uint32_t i = 0; i < reached->len; i++) {
        const module_func *f = module_find(m, reached->entry[i].key);
        if (f) mentioned_functions(m, f, reached);
    }
}

// Order is kept: it is the text's.
void keep_functions(module *m, const text_map *keep) {
    text_map rest = TEXT_MAP_IN(m->mem);
    for (uint32_t i = 0; i < m->funcs.len; i++) {
        const text_entry *e = &m->funcs.entry[i];
        if (text_map_find(keep, e->key)) text_map_put(&rest, e->key, e->value);
    }
    m->funcs = rest;
}
