// inline_private_functions.c - InlinePrivateFunctions: private functions become part of their callers.
//
//   before:  a = cls.helper(x)      private: return R.exp(z)
//            b = R.add(a, a)
//   after:   u = R.exp(x)
//            b = R.add(u, u)        (helper is gone)
//
// Needs nothing. Keeps results and effects' order. Functions that can come back to themselves stay, as do those with
// attributes that give them to somebody else (Primitive, Codegen) and those used as values. A dataflow block that calls
// a function with an `if` becomes a plain one. A call that would make its function larger than 131072 bindings, or
// nest more than 200 ifs, stays a call. Then canonicalises, as TVM does.
#include "pass/call_order.h"
#include "pass/clone.h"
#include "pass/edits.h"

// Where inlining ends: ifs inside of each other, bindings of one function, calls that are expanded in one copy.
enum { DEEPEST_IFS = 200, MOST_BINDINGS = 1 << 17, MOST_LEVELS = 64 };

// What a function is with all its calls expanded.
typedef struct extent {
    uint32_t bindings, ifs; // ifs: how deep
    uint32_t levels;        // calls of calls that its present body still holds
} extent;

typedef struct inlining {
    module *m;
    diag *d;
    call_order order;
    text_map values;  // functions that are used otherwise than called, or too large to be expanded somewhere
    text_map extents; // name -> extent *, of functions seen so far: callees come first
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

static void open_dataflow(clone *c, const binding_block *run) {
    for (uint32_t i = 0; i < run->len; i++) map_put(&c->flow, MAP_KEY(run->bound[i]), CLONE_PLAIN);
}

static const graph_func *called_by(const inlining *z, const node *n) {
    bool called = n->op->form == FORM_CALL && n->in[0]->op->form == FORM_GLOBAL;
    return called ? inlinable(z, n->in[0]->as.text.bytes) : NULL;
}

// --- How large a function becomes. A call that would make it too large stays a call.

static void measure(inlining *z, const graph_body *body, uint32_t ifs, extent *e) {
    if (ifs > e->ifs) e->ifs = ifs;
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            e->bindings++;
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++)
                measure(z, &n->as.branch[side], ifs + 1, e);
            if (n->op->form == FORM_CLOSURE) measure(z, &n->as.func->body, ifs, e);
            const graph_func *callee = called_by(z, n);
            const extent *inner = callee ? text_map_find(&z->extents, callee->name) : NULL;
            if (!inner) continue;
            if (ifs + inner->ifs > DEEPEST_IFS || e->bindings + inner->bindings > MOST_BINDINGS) {
                text_map_put(&z->values, callee->name, z);
                continue;
            }
            e->bindings += inner->bindings;
            if (ifs + inner->ifs > e->ifs) e->ifs = ifs + inner->ifs;
            if (inner->levels + 1 > e->levels) e->levels = inner->levels + 1;
        }
}

// --- What is expanded in a copy: the calls of a body, and those in the bodies that they bring.

static void choose(const inlining *z, clone *c, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) choose(z, c, &n->as.branch[side]);
            if (n->op->form == FORM_CLOSURE) choose(z, c, &n->as.func->body);
            const graph_func *callee = called_by(z, n);
            if (!callee || map_has(&c->inlined, MAP_KEY(n))) continue;
            const extent *inner = text_map_find(&z->extents, callee->name);
            map_put(&c->inlined, MAP_KEY(n), (void *)(uintptr_t)callee);
            if (run->dataflow && inner->ifs) open_dataflow(c, run);
            if (inner->levels) choose(z, c, &callee->body);
        }
}

static void expand(inlining *z, const graph_func *f, extent *e) {
    clone copy = clone_tables(z->m);
    choose(z, &copy, &f->body);
    e->levels = 0;
    module_put_graph(z->m, clone_func(&copy, z->m, f, z->d));
}

// Private functions wait until a copy of theirs is needed, so that long chains of calls are copied few times.
static void visit(inlining *z, const graph_func *f) {
    extent *e = ARENA_NEW(z->m->mem, extent, 1);
    measure(z, &f->body, 0, e);
    text_map_put(&z->extents, f->name, e);
    if (e->levels && (!inlinable(z, f->name) || e->levels >= MOST_LEVELS)) expand(z, f, e);
}

// Some that waited stay after all: a caller would have become too large.
static void expand_rest(inlining *z) {
    for (uint32_t i = 0; i < z->order.name.len; i++) {
        const module_func *f = module_find(z->m, z->order.name.at[i]);
        extent *e = text_map_find(&z->extents, f->name);
        if (e && e->levels && !inlinable(z, f->name)) expand(z, f->graph, e);
    }
}

static void drop_inlined(inlining *z) {
    text_map keep = TEXT_MAP_IN(z->m->mem);
    for (uint32_t i = 0; i < z->m->funcs.len; i++)
        if (!inlinable(z, z->m->funcs.entry[i].key)) text_map_put(&keep, z->m->funcs.entry[i].key, z);
    keep_functions(z->m, &keep);
}

static bool run(module *m, const pass_ctx *c) {
    inlining z = {.m = m, .d = c->d, .order = call_order_of(m)};
    z.values = z.extents = TEXT_MAP_IN(m->mem);
    uint32_t errors = c->d->errors;
    note_values(&z);
    for (uint32_t i = 0; i < z.order.name.len; i++) {
        const module_func *f = module_find(m, z.order.name.at[i]);
        if (f->kind == FUNC_GRAPH) visit(&z, f->graph);
    }
    expand_rest(&z);
    drop_inlined(&z);
    canonicalize_bindings(m, c->d);
    return c->d->errors == errors;
}

const pass pass_inline_private_functions = {
    .name = "InlinePrivateFunctions",
    .doc = "makes private functions part of their callers",
    .run = run,
};
