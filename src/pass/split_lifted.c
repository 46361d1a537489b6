// split_lifted.c - the two functions that LiftTransformParams makes of one.
#include "ops/ops.h"
#include "pass/clone.h"
#include "pass/lifted.h"
#include <string.h>

// --- The function of the weights.

typedef struct making {
    lifting *l;
    clone c;
    const node *params; // the tuple
} making;

const node *meaning(const node *n) {
    for (;;) {
        const node *in = n->count ? n->in[0] : NULL;
        if (n->op->form == FORM_BIND && in->name)
            n = in;
        else if (n->op->form == FORM_ITEM && (in = meaning(in))->op->form == FORM_TUPLE)
            n = in->in[n->as.index];
        else
            return n;
    }
}

static void want(map *wanted, const node *n) {
    n = meaning(n);
    map_put(wanted, MAP_KEY(n), wanted);
    for (uint32_t i = 0; !n->name && i < n->count; i++) want(wanted, n->in[i]);
}

// Weights are taken out of the tuple where they are first used.
static void fetch(making *g, const node *n) {
    n = meaning(n);
    uintptr_t index = (uintptr_t)map_find(&g->l->weights, MAP_KEY(n));
    if (index && !map_has(&g->c.now, MAP_KEY(n)))
        map_put(&g->c.now, MAP_KEY(n),
                (void *)(uintptr_t)build_item(g->c.b, n->name, g->params, (uint32_t)(index - 1)));
    for (uint32_t i = 0; !n->name && i < n->count; i++) fetch(g, n->in[i]);
}

// What the results need, under first names.
static void make_steps(making *g) {
    const lifting *l = g->l;
    map wanted = MAP_IN(l->m->mem);
    for (uint32_t i = 0; i < l->outs.len; i++) want(&wanted, l->outs.at[i]);
    for (uint32_t i = l->order.len; i-- > 0;) {
        const node *n = l->order.at[i], *first = meaning(n);
        if (first != n) map_put(&g->c.same, MAP_KEY(n), (void *)(uintptr_t)first);
        for (uint32_t k = 0; k < n->count && map_has(&wanted, MAP_KEY(n)); k++) want(&wanted, n->in[k]);
    }
    for (uint32_t i = 0; i < l->order.len; i++) {
        const node *n = l->order.at[i];
        if (!map_has(&wanted, MAP_KEY(n))) continue;
        for (uint32_t k = 0; k < n->count; k++) fetch(g, n->in[k]);
        clone_binding(&g->c, n);
    }
}

// Functions share no symbols: the new one gets its own.
static const ann *tuple_of_weights(making *g) {
    module *m = g->l->m;
    const ann **field = ARENA_NEW(m->mem, const ann *, g->l->weights.len);
    for (uint32_t i = 0; i < g->l->weights.len; i++) {
        const ann *type = ((const node *)(uintptr_t)g->l->weights.entry[i].key)->type;
        expr_list vars = {0};
        ann_defined_vars(type, m->mem, &vars);
        for (uint32_t v = 0; v < vars.len; v++) {
            if (map_has(&g->c.vars, MAP_KEY(vars.at[v]))) continue;
            const expr *own = expr_new_var(m->exprs, vars.at[v]->as.var->name, vars.at[v]->type);
            map_put(&g->c.vars, MAP_KEY(vars.at[v]), (void *)(uintptr_t)own);
        }
        field[i] = clone_ann(&g->c, type);
    }
    return ann_tuple(m->mem, field, g->l->weights.len);
}

static const attr *names_of_weights(const lifting *l) {
    const attr **name = ARENA_NEW(l->m->mem, const attr *, l->weights.len);
    for (uint32_t i = 0; i < l->weights.len; i++) {
        const char *text_of = ((const node *)(uintptr_t)l->weights.entry[i].key)->name;
        name[i] = attr_string(l->m->mem, text_of, strlen(text_of));
    }
    return attr_list(l->m->mem, name, l->weights.len);
}

// "blk.0.attn_q.weight.quants": what a file calls a value that comes from a weight. The number of further weights that
// it comes from stands behind the first one's name.
static const char *name_of_lifted(const lifting *l, const node *n) {
    static const char packing[] = "pack_";
    arena *mem = l->m->mem;
    const node *made = meaning(n);
    const lifted_value *v = map_find(&l->lifted, MAP_KEY(n));
    if (!v || !v->weights.len || is_weight(l, made)) return made->name;
    const char *name = ((const node *)(uintptr_t)v->weights.entry[0].key)->name;
    if (v->weights.len > 1) name = arena_format(mem, "%s+%u", name, v->weights.len - 1);
    if (made->op->form != FORM_OPERATOR) return name;
    const char *step = strrchr(made->op->name, '.') ? strrchr(made->op->name, '.') + 1 : made->op->name;
    if (strncmp(step, packing, sizeof packing - 1) == 0) step += sizeof packing - 1;
    return arena_format(mem, "%s.%s", name, step);
}

static const attr *names_of_lifted(const lifting *l) {
    const attr **name = ARENA_NEW(l->m->mem, const attr *, l->outs.len + 1);
    uint32_t count = 0;
    if (l->lost.len) name[count++] = attr_string(l->m->mem, "weight_symbols", 14);
    for (uint32_t i = 0; i < l->outs.len; i++) {
        const char *text_of = name_of_lifted(l, l->outs.at[i]);
        name[count++] = attr_string(l->m->mem, text_of, strlen(text_of));
    }
    return attr_list(l->m->mem, name, count);
}

static const node *lost_shape(making *g) {
    const expr_list *lost = &g->l->lost;
    const expr **dim = ARENA_NEW(g->l->m->mem, const expr *, lost->len);
    for (uint32_t i = 0; i < lost->len; i++) dim[i] = clone_expr(&g->c, lost->at[i]);
    return build_shape(g->c.b, dim, lost->len);
}

graph_func *make_transform(lifting *l, const char *name, diag *d) {
    arena *mem = l->m->mem;
    making g = {.l = l, .c = clone_into(build_func(l->m, name, d))};
    builder *b = g.c.b;
    b->f->attrs = attr_with(mem, NULL, "num_input", attr_int(mem, 0));
    if (l->bound) {
        b->f->attrs = attr_with(mem, b->f->attrs, "rx.transform", attr_bool(mem, true));
        b->f->attrs = attr_with(mem, b->f->attrs, "rx.weights", names_of_weights(l));
        b->f->attrs = attr_with(mem, b->f->attrs, "rx.made", names_of_lifted(l));
    }
    g.params = build_param(b, "model_params", tuple_of_weights(&g));
    build_block(b, true);
    make_steps(&g);
    uint32_t outs = 0;
    const node **out = ARENA_NEW(mem, const node *, l->outs.len + 1);
    if (l->lost.len) out[outs++] = lost_shape(&g);
    for (uint32_t i = 0; i < l->outs.len; i++) {
        const node *n = meaning(l->outs.at[i]);
        uintptr_t index = (uintptr_t)map_find(&l->weights, MAP_KEY(n));
        out[outs++] = index ? build_item(b, n->name, g.params, (uint32_t)(index - 1)) : clone_value(&g.c, n);
    }
    const node *all = build_tuple(b, "output_tuple", out, outs);
    build_output(b, all);
    return build_finish(b, all);
}

// --- The function without them.

static void renew(clone *c, const ann *a) {
    expr_list vars = {0};
    ann_free_vars(a, c->b->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        if (map_has(&c->vars, MAP_KEY(vars.at[i]))) continue;
        const expr *own = expr_new_var(c->b->m->exprs, vars.at[i]->as.var->name, vars.at[i]->type);
        map_put(&c->vars, MAP_KEY(vars.at[i]), (void *)(uintptr_t)own);
    }
}

// Symbols of its own for a copy that stands beside its function.
static void renew_symbols(clone *c, const graph_func *f) {
    node_list nodes = {0};
    every_node(f, c->b->m->mem, &nodes);
    for (uint32_t i = 0; i < f->params; i++) renew(c, f->param[i]->type);
    for (uint32_t i = 0; i < nodes.len; i++) {
        renew(c, nodes.at[i]->type);
        for (uint32_t k = 0; k < nodes.at[i]->type_args; k++) renew(c, nodes.at[i]->type_arg[k]);
    }
}

graph_func *make_rest(lifting *l, const char *own_name, const char *name, bool own_symbols, diag *d) {
    clone c = clone_tables(l->m);
    c.b = build_func(l->m, own_name, d);
    if (own_symbols) renew_symbols(&c, l->f);
    clone_signature(&c, l->f);
    c.b->f->attrs = attr_with(l->m->mem, c.b->f->attrs, "rx.bound_weights", NULL);
    if (l->bound) // the last parameters are the results of that function
        c.b->f->attrs =
            attr_with(l->m->mem, c.b->f->attrs, "rx.transformed_by", attr_string(l->m->mem, name, strlen(name)));
    for (uint32_t i = 0; i < l->f->params; i++) {
        const node *p = l->f->param[i];
        if (!is_weight(l, p))
            map_put(&c.now, MAP_KEY(p), (void *)(uintptr_t)build_param(c.b, p->name, clone_ann(&c, p->type)));
    }
    if (l->lost.len) build_param(c.b, "weight_symbols", clone_ann(&c, ann_shape(l->m->mem, l->lost.at, l->lost.len)));
    for (uint32_t i = 0; i < l->outs.len; i++) {
        const node *old = l->outs.at[i];
        map_put(&c.now, MAP_KEY(old), (void *)(uintptr_t)build_param(c.b, old->name, clone_ann(&c, old->type)));
    }
    for (uint32_t i = 0; i < l->order.len; i++)
        if (is_output(l, l->order.at[i])) map_put(&c.drop, MAP_KEY(l->order.at[i]), l);
    node_list nodes = {0};
    every_node(l->f, l->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++) {
        if (nodes.at[i]->op != &op_builtin_stop_lift_params) continue;
        map_put(&c.same, MAP_KEY(nodes.at[i]), (void *)(uintptr_t)nodes.at[i]->in[0]);
        map_put(&c.drop, MAP_KEY(nodes.at[i]), l);
    }
    return build_finish(c.b, clone_body(&c, &l->f->body));
}
