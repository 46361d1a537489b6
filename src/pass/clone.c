// clone.c - copying functions with bindings left out, values and symbols replaced.
#include "pass/clone.h"

clone clone_tables(module *m) {
    map none = MAP_IN(m->mem);
    return (clone){.now = none,
                   .drop = none,
                   .same = none,
                   .local = none,
                   .alias = none,
                   .calls = none,
                   .hidden = none,
                   .shown = none,
                   .vars = none};
}

clone clone_into(builder *b) {
    clone c = clone_tables(b->m);
    c.b = b;
    return c;
}

void clone_restart(clone *c) { c->now = MAP_IN(c->b->m->mem); }

static const node * final(const clone *c, const node *old) {
    for (const node *next;; old = next) {
        next = map_find(&c->same, MAP_KEY(old));
        if (!next) next = map_find(&c->local, MAP_KEY(old));
        if (!next) return old;
    }
}

// --- Annotations and symbols.

const expr *clone_expr(clone *c, const expr *e) {
    return c->vars.len ? expr_substitute(c->b->m->exprs, e, &c->vars) : e;
}

static bool has_shape(const ann *a) {
    if (a->shape) return true;
    for (uint32_t i = 0; i < a->count; i++)
        if (has_shape(a->field[i])) return true;
    return a->result && has_shape(a->result);
}

static void map_shapes(clone *c, const ann *a, map *nodes) {
    if (a->shape) map_put(nodes, MAP_KEY(a->shape), (void *)(uintptr_t)clone_value(c, a->shape));
    for (uint32_t i = 0; i < a->count; i++) map_shapes(c, a->field[i], nodes);
}

const ann *clone_ann(clone *c, const ann *a) {
    if (!a || (!c->vars.len && !has_shape(a))) return a;
    module *m = c->b->m;
    map nodes = MAP_IN(m->mem);
    map_shapes(c, a, &nodes);
    ann_rewriting r = {.s = m->exprs, .mem = m->mem, .with = &c->vars, .fold = c->vars.len > 0, .nodes = &nodes};
    return ann_rewrite(&r, a);
}

static const expr *const *clone_exprs(clone *c, const expr *const *list, uint32_t count) {
    const expr **now = ARENA_NEW(c->b->m->mem, const expr *, count);
    for (uint32_t i = 0; i < count; i++) now[i] = clone_expr(c, list[i]);
    return now;
}

static const attr *clone_attr(clone *c, const attr *a) {
    arena *mem = c->b->m->mem;
    if (a->kind == ATTR_EXPR) {
        const expr *now = clone_expr(c, a->as.e);
        return now == a->as.e ? a : attr_expr(mem, now);
    }
    if (a->kind != ATTR_LIST && a->kind != ATTR_DICT) return a;
    const attr **now = ARENA_NEW(mem, const attr *, a->count);
    bool differs = false;
    for (uint32_t i = 0; i < a->count; i++) {
        now[i] = clone_attr(c, a->list[i]);
        differs |= now[i] != a->list[i];
    }
    if (!differs) return a;
    return a->kind == ATTR_LIST ? attr_list(mem, now, a->count) : attr_dict(mem, a->key, now, a->count);
}

// --- Nodes.

static const node **clone_values(clone *c, const node *old) {
    const node **in = ARENA_NEW(c->b->m->mem, const node *, old->count);
    for (uint32_t i = 0; i < old->count; i++) in[i] = clone_value(c, old->in[i]);
    return in;
}

static const node *call_again(clone *c, const node *old, const node *const *in) {
    arena *mem = c->b->m->mem;
    const ann **type_arg = ARENA_NEW(mem, const ann *, old->type_args);
    for (uint32_t i = 0; i < old->type_args; i++) type_arg[i] = clone_ann(c, old->type_arg[i]);
    uint32_t attrs = op_attrs(old->op);
    const attr **list = ARENA_NEW(mem, const attr *, attrs);
    for (uint32_t i = 0; i < attrs; i++) list[i] = clone_attr(c, old->attr[i]);
    call_parts parts = {.op = old->op,
                        .in = in,
                        .count = old->count,
                        .attr = list,
                        .type_arg = type_arg,
                        .type_args = old->type_args,
                        .written = clone_ann(c, old->written)};
    return build_call(c->b, old->name, &parts);
}

// Symbols were replaced: what may mention them is built again.
static const node *build_again(clone *c, const node *old, const node *const *in) {
    builder *b = c->b;
    switch (old->op->form) {
    case FORM_OPERATOR:
    case FORM_CALL:
    case FORM_BIND: return call_again(c, old, in);
    case FORM_MATCH_CAST: return build_match_cast(b, old->name, in[0], clone_ann(c, old->type_arg[0]));
    case FORM_SHAPE: return build_shape(b, clone_exprs(c, old->as.shape.dim, old->as.shape.rank), old->as.shape.rank);
    case FORM_PRIM: return build_prim(b, clone_expr(c, old->as.value));
    case FORM_TUPLE: return build_tuple(b, old->name, in, old->count);
    case FORM_ITEM: return build_item(b, old->name, in[0], old->as.index);
    case FORM_PARAM:
    case FORM_CONSTANT:
    case FORM_STRING:
    case FORM_DTYPE:
    case FORM_GLOBAL:
    case FORM_EXTERN:
    case FORM_CLOSURE:
    case FORM_IF: break;
    }
    return build_copy(b, old, in);
}

static bool mentions_shape(const node *old) {
    if (old->written && has_shape(old->written)) return true;
    for (uint32_t i = 0; i < old->type_args; i++)
        if (has_shape(old->type_arg[i])) return true;
    return false;
}

static const node *copy(clone *c, const node *old) {
    loc before = c->b->at;
    c->b->at = old->at;
    const node *now;
    const node **in = clone_values(c, old);
    if (old->op->form == FORM_GLOBAL)
        now = build_global(c->b, old->as.text.bytes); // its signature may be another now
    else
        now = c->vars.len || mentions_shape(old) ? build_again(c, old, in) : build_copy(c->b, old, in);
    if (!old->name) c->b->at = before;
    return now;
}

const node *clone_value(clone *c, const node *old) {
    old = final(c, old);
    const node *now = map_find(&c->now, MAP_KEY(old));
    if (now) return now;
    CHECK(!old->name);
    now = copy(c, old);
    map_put(&c->now, MAP_KEY(old), (void *)(uintptr_t)now);
    return now;
}

static const node *clone_if(clone *c, const node *old) {
    builder *b = c->b;
    b->at = old->at;
    if_parts *p = build_if(b, clone_value(c, old->in[0]));
    build_else(b, p, clone_body(c, &old->as.branch[0]));
    return build_end_if(b, p, old->name, clone_body(c, &old->as.branch[1]));
}

static const node *clone_closure(clone *c, const node *old) {
    builder *outer = c->b;
    outer->at = old->at;
    c->b = build_closure(outer, old->name);
    clone_signature(c, old->as.func);
    clone_params(c, old->as.func);
    map_put(&c->now, MAP_KEY(old), (void *)(uintptr_t)build_self(c->b));
    const node *now = build_end_closure(c->b, clone_body(c, &old->as.func->body));
    c->b = outer;
    return now;
}

static const node *call_instead(clone *c, const node *old, const new_call *call) {
    builder *b = c->b;
    b->at = old->at;
    const node **arg = ARENA_NEW(b->m->mem, const node *, call->args + 1);
    for (uint32_t i = 0; i < call->args; i++) arg[i] = clone_value(c, call->arg[i]);
    const expr *const *dim = clone_exprs(c, call->dim, call->dims);
    if (call->program)
        return build_call_tir(b, old->name, call->func, arg, call->args, clone_ann(c, call->program), dim, call->dims);
    uint32_t args = call->args;
    if (call->dims) arg[args++] = build_shape(b, dim, call->dims);
    return build_call_func(b, old->name, build_global(b, call->func), arg, args);
}

static const node *bind_again(clone *c, const node *old, const node *to) {
    c->b->at = old->at;
    return build_bind(c->b, old->name, clone_value(c, to), NULL);
}

const node *clone_binding(clone *c, const node *old) {
    if (map_has(&c->drop, MAP_KEY(old))) return NULL;
    const new_call *call = map_find(&c->calls, MAP_KEY(old));
    const node *alias = map_find(&c->alias, MAP_KEY(old));
    const node *now = call                            ? call_instead(c, old, call)
                      : alias                         ? bind_again(c, old, alias)
                      : old->op->form == FORM_IF      ? clone_if(c, old)
                      : old->op->form == FORM_CLOSURE ? clone_closure(c, old)
                                                      : copy(c, old);
    map_put(&c->now, MAP_KEY(old), (void *)(uintptr_t)now);
    return now;
}

// --- Bodies.

static bool is_bound_since(const clone *c, const node *now, uint32_t first_id) {
    return now->name && now->owner == c->b->f && now->id >= first_id;
}

static void end_local(clone *c, const binding_block *first, const binding_block *end) {
    for (; c->local.len && first != end; first = first->next)
        for (uint32_t i = 0; i < first->len; i++)
            if (map_has(&c->local, MAP_KEY(first->bound[i]))) map_put(&c->local, MAP_KEY(first->bound[i]), NULL);
}

// An output that became a value from outside the block (an id from before its first) or a leaf needs no R.output.
static void clone_outputs(clone *c, const binding_block *old, uint32_t first_id) {
    for (uint32_t i = 0; i < old->outputs; i++) {
        const node *n = old->output[i];
        bool alias = map_has(&c->local, MAP_KEY(n));
        if (!alias) n = final(c, n);
        if (map_has(&c->hidden, MAP_KEY(n)) || map_has(&c->drop, MAP_KEY(n))) continue;
        const node *now = alias ? map_find(&c->now, MAP_KEY(n)) : clone_value(c, n);
        if (is_bound_since(c, now, first_id)) build_output(c->b, now);
    }
    for (uint32_t i = 0; i < old->len && c->shown.len; i++)
        if (map_has(&c->shown, MAP_KEY(old->bound[i]))) build_output(c->b, clone_value(c, old->bound[i]));
}

const node *clone_body(clone *c, const graph_body *body) {
    uint32_t first_id = c->b->f->nodes;
    const binding_block *first = body->first; // of the runs that become the open block
    for (const binding_block *run = body->first; run; run = run->next) {
        c->b->at = run->at;
        bool open = c->b->block && c->b->block->dataflow == run->dataflow;
        if (c->split || !open) {
            build_block(c->b, run->dataflow);
            end_local(c, first, run);
            first_id = c->b->f->nodes;
            first = run;
        }
        for (uint32_t i = 0; i < run->len; i++) clone_binding(c, run->bound[i]);
        clone_outputs(c, run, first_id);
    }
    end_local(c, first, NULL);
    c->b->at = body->result->at;
    return clone_value(c, body->result);
}

// --- Functions.

void clone_signature(clone *c, const graph_func *old) {
    graph_func *f = c->b->f;
    f->is_private = old->is_private;
    f->pure = old->pure;
    f->at = old->at;
    f->attrs = old->attrs;
}

void clone_params(clone *c, const graph_func *old) {
    for (uint32_t i = 0; i < old->params; i++) {
        const node *p = old->param[i];
        c->b->at = p->at;
        const node *now = build_param(c->b, p->name, clone_ann(c, p->type));
        map_put(&c->now, MAP_KEY(p), (void *)(uintptr_t)now);
    }
    graph_func *f = c->b->f;
    f->result_written = old->result_written;
    if (old->result_written) f->result_type = clone_ann(c, old->result_type);
}

graph_func *clone_func(clone *c, module *m, const graph_func *old, diag *d) {
    c->b = build_func(m, old->name, d);
    clone_signature(c, old);
    clone_params(c, old);
    return build_finish(c->b, clone_body(c, &old->body));
}
