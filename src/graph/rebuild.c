// rebuild.c - builds a function anew with some nodes replaced; what a pass does not touch is copied.
#include "graph/build_inside.h"

// The functions being rebuilt, innermost first: a closure's body also uses nodes of the functions around it.
typedef struct rebuilding {
    builder *b;
    const graph_func *old;
    const node **now; // by id of the old function
    rewrite *fn;
    void *user;
    const struct rebuilding *outer;
} rebuilding;

static const node *copy_leaf(const rebuilding *r, const node *old);

static const node **table_of(const rebuilding *r, const node *old) {
    for (; r; r = r->outer)
        if (r->old == old->owner) return &r->now[old->id];
    return NULL;
}

static const node *operand(const rebuilding *r, const node *old) {
    const node **now = table_of(r, old);
    CHECK(now);
    if (!*now && !old->name) *now = copy_leaf(r, old);
    CHECK(*now);
    return *now;
}

// Shape variables in annotations are values too.
static void map_shapes(const rebuilding *r, const ann *a, map *nodes) {
    if (a->shape && table_of(r, a->shape)) map_put(nodes, MAP_KEY(a->shape), (void *)(uintptr_t)operand(r, a->shape));
    for (uint32_t i = 0; i < a->count; i++) map_shapes(r, a->field[i], nodes);
    if (a->result) map_shapes(r, a->result, nodes);
}

static const ann *annotation(const rebuilding *r, const ann *old) {
    if (!old || !ann_has_shape(old)) return old;
    module *m = r->b->m;
    map nodes = MAP_IN(m->mem);
    map_shapes(r, old, &nodes);
    return ann_rewrite(&(ann_rewriting){.s = m->exprs, .mem = m->mem, .nodes = &nodes}, old);
}

static const node **operands(const rebuilding *r, const node *old) {
    const node **in = ARENA_NEW(r->b->m->mem, const node *, old->count);
    for (uint32_t i = 0; i < old->count; i++) in[i] = operand(r, old->in[i]);
    return in;
}

// --- Copies.

static bool same_types(const node *old, const node *const *in) {
    for (uint32_t i = 0; i < old->count; i++)
        if (in[i]->type != old->in[i]->type) return false;
    return true;
}

static node *copy_of(builder *b, const node *old, const node *const *in) {
    node *n = builder_node(b, old->op, in, old->count);
    n->written = old->written;
    n->attr = old->attr;
    n->type_arg = old->type_arg;
    n->type_args = old->type_args;
    n->as = old->as;
    return n;
}

// Deduction depends on the operands' annotations alone, so where those are the same its result is.
const node *build_copy(builder *b, const node *old, const node *const *in) {
    if (builder_has_poison(in, old->count)) return build_poison(b);
    node *n = copy_of(b, old, in);
    if (same_types(old, in)) n->type = old->type;
    if (!old->name) return builder_leaf(b, n);
    const node *made = builder_bound(b, n, old->name);
    if (old->op->form == FORM_MATCH_CAST && !node_is_poison(made)) builder_cast(b, made);
    return made;
}

static const node *copy_leaf(const rebuilding *r, const node *old) {
    loc before = r->b->at;
    r->b->at = old->at;
    const node *now;
    if (old->op->form == FORM_GLOBAL)
        now = build_global(r->b, old->as.text.bytes); // its signature may be another now
    else
        now = build_copy(r->b, old, operands(r, old));
    r->b->at = before;
    return now;
}

// --- Bodies.

static void rebuild_body(const rebuilding *r, const graph_body *body);

static const node *rebuild_if(const rebuilding *r, const node *old) {
    builder *b = r->b;
    if_parts *p = build_if(b, operand(r, old->in[0]));
    rebuild_body(r, &old->as.branch[0]);
    build_else(b, p, operand(r, old->as.branch[0].result));
    rebuild_body(r, &old->as.branch[1]);
    return build_end_if(b, p, old->name, operand(r, old->as.branch[1].result));
}

static void rebuild_signature(const rebuilding *r);

static const node *rebuild_closure(const rebuilding *outer, const node *old) {
    const graph_func *f = old->as.func;
    rebuilding r = {
        .b = build_closure(outer->b, old->name), .old = f, .fn = outer->fn, .user = outer->user, .outer = outer};
    r.now = ARENA_NEW(r.b->m->mem, const node *, f->nodes);
    rebuild_signature(&r);
    *table_of(outer, old) = build_self(r.b);
    rebuild_body(&r, &f->body);
    return build_end_closure(r.b, operand(&r, f->body.result));
}

static bool states_shape(const node *n) {
    bool any = n->written && ann_has_shape(n->written);
    for (uint32_t i = 0; i < n->type_args; i++) any |= ann_has_shape(n->type_arg[i]);
    return any;
}

// A copy whose annotations name the new function's values.
static const node *restated(const rebuilding *r, const node *old, const node *const *in) {
    node *copy = copy_of(r->b, old, in);
    const ann **type_arg = ARENA_NEW(r->b->m->mem, const ann *, old->type_args);
    for (uint32_t i = 0; i < old->type_args; i++) type_arg[i] = annotation(r, old->type_arg[i]);
    copy->type_arg = type_arg;
    copy->written = annotation(r, old->written);
    const node *made = builder_bound(r->b, copy, old->name);
    if (old->op->form == FORM_MATCH_CAST && !node_is_poison(made)) builder_cast(r->b, made);
    return made;
}

static const node *rebuild_node(const rebuilding *r, const node *old) {
    if (old->op->form == FORM_CLOSURE) return rebuild_closure(r, old);
    if (old->op->form == FORM_IF) return rebuild_if(r, old);
    const node **in = operands(r, old);
    const node *now = r->fn ? r->fn(r->b, old, in, r->user) : NULL;
    if (now) return now;
    if (states_shape(old)) return restated(r, old, in);
    return build_copy(r->b, old, in);
}

// An output that became a value from outside the block (an id from before its first) or a leaf needs no R.output.
static void rebuild_outputs(const rebuilding *r, const binding_block *old, uint32_t first_id) {
    for (uint32_t i = 0; i < old->outputs; i++) {
        const node *now = operand(r, old->output[i]);
        if (now->name && now->owner == r->b->f && now->id >= first_id) build_output(r->b, now);
    }
}

static void rebuild_body(const rebuilding *r, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next) {
        r->b->at = run->at;
        build_block(r->b, run->dataflow);
        uint32_t first_id = r->b->f->nodes;
        for (uint32_t i = 0; i < run->len; i++) {
            const node *old = run->bound[i];
            r->b->at = old->at;
            const node *now = rebuild_node(r, old);
            r->now[old->id] = now;
        }
        rebuild_outputs(r, run, first_id);
    }
    r->b->at = body->result->at;
}

static void rebuild_signature(const rebuilding *r) {
    graph_func *f = r->b->f;
    const graph_func *old = r->old;
    f->is_private = old->is_private;
    f->pure = old->pure;
    f->at = old->at;
    f->attrs = old->attrs;
    for (uint32_t i = 0; i < old->params; i++) {
        const node *p = old->param[i];
        r->b->at = p->at;
        r->now[p->id] = build_param(r->b, p->name, annotation(r, p->type));
    }
    f->result_written = old->result_written;
    if (old->result_written) f->result_type = annotation(r, old->result_type);
}

graph_func *graph_rebuild(module *m, const graph_func *old, rewrite *fn, void *user, diag *d) {
    rebuilding r = {.b = build_func(m, old->name, d), .old = old, .fn = fn, .user = user};
    r.now = ARENA_NEW(m->mem, const node *, old->nodes);
    rebuild_signature(&r);
    rebuild_body(&r, &old->body);
    return build_finish(r.b, operand(&r, old->body.result));
}
