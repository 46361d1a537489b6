// clone.c - copying functions with bindings left out, values and symbols replaced.
#include "pass/clone.h"
#include "graph/deduce.h"

// Empty tables change nothing: each pass fills those that say what it wants.
clone clone_tables(module *m) {
    clone c = {.names = TEXT_MAP_IN(m->mem)};
    c.now = c.drop = c.same = c.local = c.alias = c.calls = c.instead = c.before = c.inlined = c.taken = c.hidden =
        c.shown = c.flow = c.order = c.vars = MAP_IN(m->mem);
    return c;
}

clone clone_into(builder *b) {
    clone c = clone_tables(b->m);
    c.b = b;
    return c;
}

// Stand-ins may stand in for stand-ins.
static const node * final(const clone *c, const node *old) {
    for (const node *next;; old = next) {
        next = map_find(&c->same, MAP_KEY(old));
        if (!next) next = map_find(&c->local, MAP_KEY(old));
        if (!next) return old;
    }
}

// --- Annotations and symbols.

// The usual copy replaces no symbol, and expressions are shared between functions.
const expr *clone_expr(clone *c, const expr *e) {
    if (!c->vars.len) return e;
    const expr *now = expr_substitute(c->b->m->exprs, e, &c->vars);
    return c->simplify && now != e ? expr_simplify(c->b->m->exprs, now, NULL) : now;
}

// Shape variables are nodes: an annotation that mentions one must mention its copy.
static void map_shapes(clone *c, const ann *a, map *nodes) {
    if (a->shape) map_put(nodes, MAP_KEY(a->shape), (void *)(uintptr_t)clone_value(c, a->shape));
    for (uint32_t i = 0; i < a->count; i++) map_shapes(c, a->field[i], nodes);
    if (a->result) map_shapes(c, a->result, nodes);
}

// expr_substitute leaves 4 * 2 as it is: dims are wanted as a reader would write them.
static const ann *simplified(module *m, const ann *a) {
    ann *now = ARENA_NEW(m->mem, ann, 1);
    *now = *a;
    const expr **dim = ARENA_NEW(m->mem, const expr *, a->dim ? (uint32_t)a->rank : 0);
    for (int32_t i = 0; a->dim && i < a->rank; i++) dim[i] = expr_simplify(m->exprs, a->dim[i], NULL);
    if (a->dim) now->dim = dim;
    if (a->value) now->value = expr_simplify(m->exprs, a->value, NULL);
    const ann **field = ARENA_NEW(m->mem, const ann *, a->count);
    for (uint32_t i = 0; i < a->count; i++) field[i] = simplified(m, a->field[i]);
    now->field = field;
    if (a->result) now->result = simplified(m, a->result);
    return now;
}

// Unchanged annotations are shared with the old function, pointer and all.
const ann *clone_ann(clone *c, const ann *a) {
    if (!a || (!c->vars.len && !ann_has_shape(a))) return a;
    module *m = c->b->m;
    map nodes = MAP_IN(m->mem);
    map_shapes(c, a, &nodes);
    ann_rewriting r = {.s = m->exprs, .mem = m->mem, .with = &c->vars, .fold = c->vars.len > 0, .nodes = &nodes};
    const ann *now = ann_rewrite(&r, a);
    return c->simplify && now != a ? simplified(m, now) : now;
}

static const expr *const *clone_exprs(clone *c, const expr *const *list, uint32_t count) {
    const expr **now = ARENA_NEW(c->b->m->mem, const expr *, count);
    for (uint32_t i = 0; i < count; i++) now[i] = clone_expr(c, list[i]);
    return now;
}

// Attributes share structure with the old function wherever no expression in them changes.
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

// Operands may have been replaced: what comes back need not be a copy of old->in[i].
static const node **clone_values(clone *c, const node *old) {
    const node **in = ARENA_NEW(c->b->m->mem, const node *, old->count);
    for (uint32_t i = 0; i < old->count; i++) in[i] = clone_value(c, old->in[i]);
    return in;
}

// The call is deduced anew, from operands and annotations that may say something else now.
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

// A plain copy would keep naming the old function's shape variable.
static bool mentions_shape(const node *old) {
    if (old->written && ann_has_shape(old->written)) return true;
    for (uint32_t i = 0; i < old->type_args; i++)
        if (ann_has_shape(old->type_arg[i])) return true;
    return false;
}

// Functions that a pass renames or splits are called by their new names from here on.
static const char *new_name(const clone *c, const char *func) {
    const char *now = text_map_find(&c->names, func);
    return now ? now : func;
}

static const node *copy(clone *c, const node *old) {
    loc before = c->b->at;
    c->b->at = old->at;
    const node *now;
    const node **in = clone_values(c, old);
    if (old->op->form == FORM_GLOBAL)
        now = build_global(c->b, new_name(c, old->as.text.bytes)); // its signature may be another now
    else
        now = c->vars.len || mentions_shape(old) ? build_again(c, old, in) : build_copy(c->b, old, in);
    if (!old->name) c->b->at = before;
    return now;
}

// Named values are copied where they are bound, so a named one that has no copy yet is a bug of the caller.
const node *clone_value(clone *c, const node *old) {
    old = final(c, old);
    const node *now = map_find(&c->now, MAP_KEY(old));
    if (now) return now;
    CHECK(!old->name);
    now = copy(c, old);
    map_put(&c->now, MAP_KEY(old), (void *)(uintptr_t)now);
    return now;
}

// An `if` can't stand in a dataflow block, but what replaces it may be one.
static const node *clone_branch(clone *c, const graph_body *branch) {
    const node *result = clone_body(c, branch);
    if (c->b->block && c->b->block->dataflow) build_block(c->b, false); // what follows stood beside an if
    return result;
}

// `taken` holds 1 + the side, so that 0 can mean "both".
static const node *clone_if(clone *c, const node *old) {
    builder *b = c->b;
    uintptr_t taken = (uintptr_t)map_find(&c->taken, MAP_KEY(old));
    if (taken) return clone_branch(c, &old->as.branch[taken - 1]);
    b->at = old->at;
    if_parts *p = build_if(b, clone_value(c, old->in[0]));
    build_else(b, p, clone_body(c, &old->as.branch[0]));
    return build_end_if(b, p, old->name, clone_body(c, &old->as.branch[1]));
}

// Inside, `c` builds into the closure's builder; the tables stay the same.
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

// An item of a tuple that stands as an operand gets a name of its own.
static const node *argument(clone *c, const node *old) {
    if (old->op->form != FORM_ITEM || old->name) return clone_value(c, old);
    return build_item(c->b, "lv", clone_value(c, old->in[0]), old->as.index);
}

// Dims go last, as a shape or one by one: call_tir wants a shape, library calls want numbers.
static const node *call_instead(clone *c, const node *old, const new_call *call) {
    builder *b = c->b;
    b->at = old->at;
    const node **arg = ARENA_NEW(b->m->mem, const node *, call->args + call->dims);
    for (uint32_t i = 0; i < call->args; i++) arg[i] = argument(c, call->arg[i]);
    const expr *const *dim = clone_exprs(c, call->dim, call->dims);
    if (call->program)
        return build_call_tir(b, old->name, call->func, arg, call->args, clone_ann(c, call->program), dim, call->dims);
    uint32_t args = call->args;
    if (call->dims && !call->each) arg[args++] = build_shape(b, dim, call->dims);
    for (uint32_t i = 0; call->each && i < call->dims; i++) arg[args++] = build_prim(b, dim[i]);
    return build_call_func(b, old->name, build_global(b, call->func), arg, args);
}

// --- Inlining.

// The symbols of the callee in terms of the caller, by matching its parameters against the arguments' annotations.
bool solve_call(module *m, const node *call, const graph_func *callee, map *bound, diag *d) {
    infer_ctx c = {.m = m, .mem = m->mem, .exprs = m->exprs, .d = d};
    deduction solving = deduce_start(&c, call, callee->name, callee->at, NULL);
    for (uint32_t i = 0; i < callee->params; i++) deduce_own(&solving, callee->param[i]->type);
    for (uint32_t i = 0; i < callee->params; i++)
        if (!deduce_argument(&solving, callee->param[i]->name, callee->param[i]->type, call->in[i + 1]->type))
            return false;
    bool fine = deduce_solve(&solving);
    *bound = solving.match.bound;
    return fine;
}

// Symbols that the body itself defines are new in each copy.
static void renew_symbols(clone *c, const graph_func *callee) {
    module *m = c->b->m;
    node_list nodes = {0};
    every_node(callee, m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        expr_list vars = {0};
        if (nodes.at[i]->op->form == FORM_MATCH_CAST) ann_defined_vars(nodes.at[i]->type_arg[0], m->mem, &vars);
        for (uint32_t k = 0; k < vars.len; k++) {
            const expr *var = vars.at[k];
            if (map_has(&c->vars, MAP_KEY(var))) continue;
            map_put(&c->vars, MAP_KEY(var), (void *)(uintptr_t)expr_new_var(m->exprs, var->as.var->name, var->type));
        }
    }
}

// The callee's symbols become what the call makes them; everything it binds is bound in the caller.
static const node *inline_body(clone *c, const node *call, const graph_func *callee) {
    builder *b = c->b;
    clone inner = clone_into(b);
    inner.inlined = c->inlined; // calls in it may be expanded as well
    inner.flow = c->flow;
    if (!solve_call(b->m, call, callee, &inner.vars, b->d)) return build_poison(b);
    for (uint32_t i = 0; inner.vars.len && i < inner.vars.len; i++) {
        map_entry *e = &inner.vars.entry[i];
        e->value = (void *)(uintptr_t)clone_expr(c, e->value);
    }
    renew_symbols(&inner, callee);
    for (uint32_t i = 0; i < callee->params; i++)
        map_put(&inner.now, MAP_KEY(callee->param[i]), (void *)(uintptr_t)clone_value(c, call->in[i + 1]));
    if (!b->block->dataflow) {
        const node *result = clone_body(&inner, &callee->body);
        if (b->block->dataflow) build_block(b, false);
        return result;
    }
    for (const binding_block *run = callee->body.first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) clone_binding(&inner, run->bound[i]);
    return clone_value(&inner, callee->body.result);
}

// Another name for an old value: what stands under the old name goes on working.
static const node *bind_again(clone *c, const node *old, const node *to) {
    c->b->at = old->at;
    return build_bind(c->b, old->name, clone_value(c, to), NULL);
}

// Nodes that a pass made to stand in front of this binding.
static void build_before(clone *c, const node *old) {
    const node_list *list = map_find(&c->before, MAP_KEY(old));
    for (uint32_t i = 0; list && i < list->len; i++)
        map_put(&c->now, MAP_KEY(list->at[i]), (void *)(uintptr_t)copy(c, list->at[i]));
}

const node *clone_binding(clone *c, const node *old) {
    uint64_t key = MAP_KEY(old);
    if (c->before.len) build_before(c, old);
    if (map_has(&c->drop, key)) return NULL;
    const new_call *call = map_find(&c->calls, key);
    const node *alias = map_find(&c->alias, key), *instead = map_find(&c->instead, key);
    const graph_func *callee = map_find(&c->inlined, key);
    const node *now = call                            ? call_instead(c, old, call)
                      : callee                        ? inline_body(c, old, callee)
                      : alias                         ? bind_again(c, old, alias)
                      : instead                       ? copy(c, instead)
                      : old->op->form == FORM_IF      ? clone_if(c, old)
                      : old->op->form == FORM_CLOSURE ? clone_closure(c, old)
                                                      : copy(c, old);
    map_put(&c->now, key, (void *)(uintptr_t)now);
    return now;
}

// --- Bodies.

// Ids count up within a function: from first_id on they belong to the open block.
static bool is_bound_since(const clone *c, const node *now, uint32_t first_id) {
    return now->name && now->owner == c->b->f && now->id >= first_id;
}

// Local stand-ins hold to the end of their block: behind it the old value is visible again.
static void end_local(clone *c, const binding_block *first, const binding_block *end) {
    for (; c->local.len && first != end; first = first->next)
        for (uint32_t i = 0; i < first->len; i++)
            if (map_has(&c->local, MAP_KEY(first->bound[i]))) map_put(&c->local, MAP_KEY(first->bound[i]), NULL);
}

// An output that became a value from outside the block (an id from before its first) or a leaf needs no R.output.
static void clone_outputs(clone *c, const binding_block *old, uint32_t first_id) {
    for (uint32_t i = 0; i < old->outputs && c->b->block->dataflow; i++) {
        const node *n = old->output[i];
        bool alias = map_has(&c->local, MAP_KEY(n));
        if (!alias) n = final(c, n);
        if (map_has(&c->hidden, MAP_KEY(n)) || map_has(&c->drop, MAP_KEY(n))) continue;
        const node *now = alias ? map_find(&c->now, MAP_KEY(n)) : clone_value(c, n);
        if (is_bound_since(c, now, first_id)) build_output(c->b, now);
    }
}

// Where the copying of a body is: the runs from `first` on went into the open block, whose ids begin at first_id.
typedef struct copying {
    const binding_block *first;
    uint32_t first_id;
} copying;

// Runs of one kind that follow each other become one block, unless the tables say otherwise.
static void open_block(clone *c, copying *at, const binding_block *run, bool dataflow) {
    bool open = c->b->block && c->b->block->dataflow == dataflow;
    if (open && !c->split) return;
    build_block(c->b, dataflow);
    end_local(c, at->first, run);
    *at = (copying){.first = run, .first_id = c->b->f->nodes};
}

// What a binding becomes decides what block it goes into; its old run says the default.
static void clone_run(clone *c, copying *at, const binding_block *run) {
    const node_list *order = map_find(&c->order, MAP_KEY(run));
    open_block(c, at, run, run->dataflow);
    for (uint32_t i = 0; i < run->len; i++) {
        const node *n = order ? order->at[i] : run->bound[i];
        const void *flow = map_find(&c->flow, MAP_KEY(n));
        if (c->flow.len) open_block(c, at, run, flow ? flow == CLONE_DATAFLOW : run->dataflow);
        const node *now = clone_binding(c, n);
        if (now && map_has(&c->shown, MAP_KEY(n)) && c->b->block->dataflow) build_output(c->b, now);
    }
    clone_outputs(c, run, at->first_id);
}

const node *clone_body(clone *c, const graph_body *body) {
    copying at = {.first = body->first, .first_id = c->b->f->nodes};
    for (const binding_block *run = body->first; run; run = run->next) {
        c->b->at = run->at;
        clone_run(c, &at, run);
    }
    end_local(c, at.first, NULL);
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

// In order; a parameter that is dropped must have a stand-in if anything still uses it.
void clone_params(clone *c, const graph_func *old) {
    for (uint32_t i = 0; i < old->params; i++) {
        const node *p = old->param[i];
        if (map_has(&c->drop, MAP_KEY(p))) continue;
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
