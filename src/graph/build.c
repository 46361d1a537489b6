// build.c - the builder: functions, parameters, blocks, names, and the nodes they hold.
#include "graph/build_inside.h"
#include "graph/sizes.h"
#include <string.h>

// --- Names.

static bool is_taken(const builder *b, const char *name) {
    for (; b; b = b->outer)
        if (map_find(&b->names, MAP_KEY(name))) return true;
    return false;
}

static void take(builder *b, const char *name) {
    if (!map_find(&b->names, MAP_KEY(name))) map_put(&b->names, MAP_KEY(name), (void *)1);
    VEC_PUSH(b->m->mem, &b->taken, name);
}

// The count beside a name remembers where to go on, so that a thousand wishes for "lv" stay linear.
static const char *numbered(builder *b, const char *wish) {
    uintptr_t count = (uintptr_t)map_find(&b->names, MAP_KEY(wish));
    for (uintptr_t i = count ? count : 1;; i++) {
        text t = TEXT_IN(b->m->mem);
        text_format(&t, "%s%llu", wish, (unsigned long long)i);
        const char *name = expr_name(b->m->exprs, t.at, t.len);
        if (is_taken(b, name)) continue;
        if (count) map_put(&b->names, MAP_KEY(wish), (void *)(i + 1));
        return name;
    }
}

// Unique in what is visible.
static const char *unique_name(builder *b, const char *wish) {
    const char *name = expr_name(b->m->exprs, wish, strlen(wish));
    if (strcmp(name, "_") == 0) return name; // what nobody refers to need not be unique
    if (is_taken(b, name)) name = numbered(b, name);
    take(b, name);
    return name;
}

void builder_release_names(builder *b, uint32_t from) {
    while (b->taken.len > from) map_put(&b->names, MAP_KEY(b->taken.at[--b->taken.len]), NULL);
}

// --- Symbolic variables and facts.

static void define_symbols(builder *b, const ann *a, bool by_match_cast) {
    expr_list vars = {0};
    ann_defined_vars(a, b->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        if (map_has(b->owners, MAP_KEY(vars.at[i]))) continue;
        map_put(b->owners, MAP_KEY(vars.at[i]), b->f);
        if (by_match_cast) VEC_PUSH(b->m->mem, &b->defined, vars.at[i]);
    }
    sizes_assume(b->m->exprs, b->facts, a);
}

void builder_cast(builder *b, const node *cast) {
    define_symbols(b, cast->type_arg[0], true);
    sizes_assume_equal(b->m->exprs, b->facts, cast->type_arg[0], cast->in[0]->type);
}

const ann *builder_drop(builder *b, const ann *a, uint32_t from) {
    if (from == b->defined.len) return a;
    map drop = MAP_IN(b->m->mem);
    for (uint32_t i = from; i < b->defined.len; i++) map_put(&drop, MAP_KEY(b->defined.at[i]), b);
    return ann_rewrite(&(ann_rewriting){.s = b->m->exprs, .mem = b->m->mem, .drop = &drop}, a);
}

// Attributes may be set at any time before the first call: their bounds are read when they changed.
static void assume_attributes(builder *b) {
    if (b->f->attrs == b->attrs_seen) return;
    b->attrs_seen = b->f->attrs;
    sizes_assume_bounds(b->m->exprs, b->facts, b->f->attrs, b->owners);
}

infer_ctx builder_infer(const builder *b) {
    return (infer_ctx){
        .m = b->m, .mem = b->m->mem, .exprs = b->m->exprs, .facts = b->facts, .d = b->d, .owners = b->owners};
}

// --- Nodes.

node *builder_node(builder *b, const op *o, const node *const *in, uint32_t count) {
    node *n = arena_take(b->m->mem, 1, sizeof(node) + count * sizeof(const node *));
    n->op = o;
    n->at = b->at;
    n->count = count;
    for (uint32_t i = 0; i < count; i++) n->in[i] = in[i];
    return n;
}

static const node *with_id(builder *b, node *n) {
    n->id = b->f->nodes++;
    n->owner = b->f;
    return n;
}

const node *build_poison(builder *b) {
    node *n = builder_node(b, &op_poison, NULL, 0);
    n->type = ann_object();
    return with_id(b, n);
}

bool node_is_poison(const node *n) { return n->op == &op_poison; }

bool builder_has_poison(const node *const *in, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (node_is_poison(in[i])) return true;
    return false;
}

// What the text states counts, as long as it does not contradict what was deduced; where it says more, emission
// checks it at run time (written differs from what the operator deduces).
static bool apply_written(builder *b, node *n) {
    if (!n->written) return true;
    if (ann_fits(b->m->exprs, n->type, n->written, b->facts) == ANN_NO) {
        const char *known = ann_to_text(b->m->mem, n->type), *stated = ann_to_text(b->m->mem, n->written);
        return diag_error(b->d, n->at, "%s: annotated as %s, but it is %s", n->op->name, stated, known);
    }
    n->type = n->written;
    return true;
}

static bool dims_are_sizes(builder *b, const char *name, const ann *type) {
    const char *why = sizes_wrong(b->m->mem, b->m->exprs, b->facts, type);
    return !why || diag_error(b->d, b->at, "%s: %s", name, why);
}

static bool deduce(builder *b, node *n) {
    if (n->type) return apply_written(b, n);
    assume_attributes(b);
    if (n->op->infer) {
        infer_ctx c = builder_infer(b);
        n->type = n->op->infer(&c, n);
    } else {
        n->type = n->type_args == 1 ? n->type_arg[0] : n->written ? n->written : ann_object();
    }
    return n->type && apply_written(b, n) && dims_are_sizes(b, n->op->name, n->type);
}

const node *builder_leaf(builder *b, node *n) { return deduce(b, n) ? with_id(b, n) : build_poison(b); }

static void append(builder *b, const node *n) {
    if (!b->block) build_block(b, false);
    binding_block *open = b->block;
    if (!open->len) open->at = n->at;
    if (open->len == open->room)
        open->bound = vec_grow(b->m->mem, open->bound, open->len, &open->room, sizeof *open->bound);
    open->bound[open->len++] = n;
}

const node *builder_bound(builder *b, node *n, const char *name) {
    const node *done = builder_leaf(b, n);
    if (node_is_poison(done)) return done;
    bool dataflow = b->block && b->block->dataflow;
    n->name = unique_name(b, name ? name : dataflow ? "lv" : "gv");
    append(b, n);
    return n;
}

// --- Blocks.

static binding_block **last_link(builder *b) { return b->block ? &b->block->next : &b->body->first; }

// An empty block that was just opened is used again rather than kept.
void build_block(builder *b, bool dataflow) {
    if (b->block && !b->block->len) {
        b->block->dataflow = dataflow;
        b->block->at = b->at;
        return;
    }
    binding_block *open = ARENA_NEW(b->m->mem, binding_block, 1);
    open->dataflow = dataflow;
    open->at = b->at;
    *last_link(b) = open;
    b->block = open;
}

void build_output(builder *b, const node *n) {
    binding_block *open = b->block;
    if (node_is_poison(n)) return;
    if (!open || !open->dataflow) {
        diag_error(b->d, b->at, "R.output: there is no dataflow block around it");
        return;
    }
    if (map_find(&b->shown, MAP_KEY(n)) == open) return;
    map_put(&b->shown, MAP_KEY(n), open);
    if (open->outputs == open->output_room)
        open->output = vec_grow(b->m->mem, open->output, open->outputs, &open->output_room, sizeof *open->output);
    open->output[open->outputs++] = n;
}

// --- Functions.

static builder *builder_new(module *m, const char *name, diag *d) {
    builder *b = ARENA_NEW(m->mem, builder, 1);
    b->m = m;
    b->d = d;
    b->names = b->shown = MAP_IN(m->mem);
    b->f = ARENA_NEW(m->mem, graph_func, 1);
    b->f->name = expr_name(m->exprs, name, strlen(name));
    b->f->pure = true;
    b->body = &b->f->body;
    return b;
}

builder *build_func(module *m, const char *name, diag *d) {
    builder *b = builder_new(m, name, d);
    b->facts = facts_new(m->exprs);
    b->owners = ARENA_NEW(m->mem, map, 1);
    *b->owners = MAP_IN(m->mem);
    return b;
}

const node *build_param(builder *b, const char *name, const ann *type) {
    node *n = builder_node(b, &op_param, NULL, 0);
    n->type = type;
    n->name = unique_name(b, name);
    dims_are_sizes(b, name, type);
    uint32_t room = b->f->params; // doubled at powers of two from 8 on
    if (room == 0 || (room >= 8 && (room & (room - 1)) == 0))
        b->f->param = vec_grow(b->m->mem, b->f->param, b->f->params, &room, sizeof *b->f->param);
    b->f->param[b->f->params++] = with_id(b, n);
    define_symbols(b, type, false);
    return n;
}

graph_func *build_finish(builder *b, const node *result) {
    graph_func *f = b->f;
    f->body.result = result;
    if (!f->at.src) f->at = b->at;
    if (f->result_written) return f;
    ann_rewriting local = {.s = b->m->exprs, .mem = b->m->mem, .drop_local_shapes = true};
    f->result_type = ann_rewrite(&local, builder_drop(b, result->type, 0));
    return f;
}

// --- Closures.

builder *build_closure(builder *outer, const char *name) {
    builder *b = builder_new(outer->m, name, outer->d);
    b->outer = outer;
    b->facts = facts_push(outer->facts);
    b->owners = outer->owners;
    b->at = b->f->at = outer->at;
    b->self = builder_node(outer, &op_closure, NULL, 0);
    b->self->as.func = b->f;
    b->self->owner = outer->f;
    b->self->id = outer->f->nodes++;
    b->self->name = unique_name(outer, name);
    return b;
}

const node *build_self(builder *closure) {
    closure->self->type = graph_func_type(closure->m->mem, closure->f);
    return closure->self;
}

const node *build_end_closure(builder *closure, const node *result) {
    build_finish(closure, result);
    const node *n = build_self(closure);
    append(closure->outer, n);
    return n;
}
