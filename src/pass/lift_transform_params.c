// lift_transform_params.c - LiftTransformParams: what depends on weights alone is computed once, ahead of the calls.
//
//   before:  def main(x, w, g):                  after:  def main_transform_params(model_params):
//                wt = R.permute_dims(w)                      w = model_params[0]
//                y = R.matmul(x, wt)                         wt = R.permute_dims(w)
//                z = R.add(y, g)                             g = model_params[1]
//                                                            return (g, wt)
//                                                        def main(x, g, wt): …
//
// Needs functions with the attribute num_input: parameters from there on are weights. Keeps values; main takes the
// weights it still needs, then what was lifted, in order; in front of them as R.Shape the symbols that they no longer
// tell. Bindings of dataflow blocks are lifted if all they use is lifted or a weight, and has no symbol that inputs
// alone define. R.builtin.stop_lift_params holds its operand back. bound=true lifts for parameters named in the
// attribute rx.bound_weights alone, and never what is larger than the weights it comes from: a weight that is decoded
// where it is used stays small. inputs=true leaves functions whose weights are all given by the caller as they are and
// puts two beside them: main_transform_params, and main_transformed, which takes what that one made. The machine runs
// the first once and the second from then on, if the caller sets the weights and keeps them set.
#include "base/size.h"
#include "graph/sizes.h"
#include "ops/ops.h"
#include "pass/clone.h"
#include "pass/key.h"
#include "pass/memory.h"
#include "pass/written.h"
#include <string.h>

typedef struct lifting {
    module *m;
    const graph_func *f;
    uint32_t inputs;
    bool bound;
    bool small;      // nothing that is larger than the weights it comes from
    map weights;     // MAP_KEY(param) -> index + 1
    map lifted;      // MAP_KEY(bound node) -> lifted_value *
    map written;     // what a call writes is new in every run, as of find_written
    map input_vars;  // symbols that inputs define and weights do not
    node_list order; // lifted nodes, in order
    node_list outs;  // what the function still needs: weights, then lifted values
    expr_list lost;  // symbols it still needs that no parameter of it tells any more
} lifting;

// Which weights a lifted value comes from.
typedef struct lifted_value {
    bool from_weight;
    map weights;
} lifted_value;

// --- What can be lifted.

static bool is_weight(const lifting *l, const node *n) { return map_has(&l->weights, MAP_KEY(n)); }

static bool known_symbols(const lifting *l, const ann *a) {
    expr_list vars = {0};
    ann_free_vars(a, l->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (map_has(&l->input_vars, MAP_KEY(vars.at[i]))) return false;
    return true;
}

// Adds what a value comes from; false if part of it is not known ahead of the calls.
static bool add_sources(const lifting *l, const node *n, lifted_value *v) {
    const lifted_value *inside = map_find(&l->lifted, MAP_KEY(n));
    if (is_weight(l, n)) {
        map_put(&v->weights, MAP_KEY(n), v);
        return v->from_weight = true;
    }
    if (inside) {
        for (uint32_t i = 0; i < inside->weights.len; i++) map_put(&v->weights, inside->weights.entry[i].key, v);
        v->from_weight = v->from_weight || inside->from_weight;
        return true;
    }
    if (n->name || n->op->form == FORM_EXTERN || !known_symbols(l, n->type)) return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (!add_sources(l, n->in[i], v)) return false;
    return true;
}

static bool ann_bytes(const ann *a, size_t *sum) {
    int64_t count = 1, dim;
    size_t bytes;
    if (a->kind == ANN_TUPLE) {
        for (uint32_t i = 0; i < a->count; i++)
            if (!ann_bytes(a->field[i], sum)) return false;
        return true;
    }
    if (a->kind != ANN_TENSOR || (!a->dim && a->rank != 0)) return false;
    for (int32_t i = 0; i < a->rank; i++)
        if (!expr_const_int(a->dim[i], &dim) || !int_mul(count, dim, &count)) return false;
    return dtype_bytes(a->type, count, &bytes) && size_add(*sum, bytes, sum);
}

// The same as an expression; NULL if part of it is not known.
static const expr *symbolic_bytes(expr_session *s, const ann *a) {
    const expr *sum = expr_i64(s, 0);
    if (a->kind == ANN_TENSOR)
        return a->dim || a->rank == 0 ? tensor_bytes(s, a->type, a->dim, (uint32_t)a->rank) : NULL;
    if (a->kind != ANN_TUPLE) return NULL;
    for (uint32_t i = 0; sum && i < a->count; i++) {
        const expr *field = symbolic_bytes(s, a->field[i]);
        sum = field ? expr_binary(s, EXPR_ADD, sum, field) : NULL;
    }
    return sum;
}

static bool is_provably_small(const lifting *l, const lifted_value *v, const node *n) {
    expr_session *s = l->m->exprs;
    const expr *own = symbolic_bytes(s, n->type), *weights = expr_i64(s, 0);
    for (uint32_t i = 0; own && weights && i < v->weights.len; i++) {
        const expr *one = symbolic_bytes(s, ((const node *)(uintptr_t)v->weights.entry[i].key)->type);
        weights = one ? expr_binary(s, EXPR_ADD, weights, one) : NULL;
    }
    return own && weights && prove_less_equal(s, own, weights, graph_func_facts(l->m, l->f));
}

// Not larger than what it comes from, or made to be laid out ahead of time. In a file every size is a number.
static bool is_small(const lifting *l, const lifted_value *v, const node *n) {
    size_t own = 0, weights = 0;
    if (n->op == &op_rx_pack_quants || n->op == &op_rx_pack_scales || n->op == &op_rx_pack_panels) return true;
    for (uint32_t i = 0; i < v->weights.len; i++)
        if (!ann_bytes(((const node *)(uintptr_t)v->weights.entry[i].key)->type, &weights))
            return !l->bound && is_provably_small(l, v, n);
    return ann_bytes(n->type, &own) && own <= weights;
}

static bool is_pure_step(const node *n) {
    switch (n->op->form) {
    case FORM_OPERATOR: return n->op != &op_builtin_stop_lift_params && !n->op->fresh && !has_effect(n);
    case FORM_TUPLE:
    case FORM_ITEM:
    case FORM_CONSTANT:
    case FORM_BIND: return true;
    case FORM_CALL:
    case FORM_SHAPE:
    case FORM_PRIM:
    case FORM_STRING:
    case FORM_DTYPE:
    case FORM_PARAM:
    case FORM_GLOBAL:
    case FORM_EXTERN:
    case FORM_CLOSURE:
    case FORM_IF:
    case FORM_MATCH_CAST: break;
    }
    return false;
}

static void try_node(lifting *l, const node *n) {
    lifted_value *v = ARENA_NEW(l->m->mem, lifted_value, 1);
    v->weights = MAP_IN(l->m->mem);
    if (!is_pure_step(n) || !known_symbols(l, n->type) || touches_written(&l->written, n)) return;
    for (uint32_t i = 0; i < n->count; i++)
        if (!add_sources(l, n->in[i], v)) return;
    if (l->small && (!v->from_weight || !is_small(l, v, n))) return;
    map_put(&l->lifted, MAP_KEY(n), v);
    VEC_PUSH(l->m->mem, &l->order, n);
}

// Dataflow blocks alone: elsewhere a binding may have effects or may not run.
static void find_lifted(lifting *l) {
    l->written = MAP_IN(l->m->mem);
    find_written(l->m, l->f, &l->written);
    for (const binding_block *run = l->f->body.first; run; run = run->next)
        for (uint32_t i = 0; run->dataflow && i < run->len; i++) try_node(l, run->bound[i]);
}

// --- What the function still needs.

typedef struct needing {
    lifting *l;
    map seen;
} needing;

static void need(needing *k, const node *n) {
    bool offered = is_weight(k->l, n) || map_has(&k->l->lifted, MAP_KEY(n));
    if (offered) map_put(&k->seen, MAP_KEY(n), k);
    for (uint32_t i = 0; !n->name && i < n->count; i++) need(k, n->in[i]);
}

static void need_body(needing *k, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            if (map_has(&k->l->lifted, MAP_KEY(n))) continue;
            for (uint32_t o = 0; o < n->count; o++) need(k, n->in[o]);
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) need_body(k, &n->as.branch[side]);
            if (n->op->form == FORM_CLOSURE) need_body(k, &n->as.func->body);
        }
    need(k, body->result);
}

// Values that do not come from a weight are computed where they are: they cost nothing there.
static bool is_output(const lifting *l, const node *n) {
    const lifted_value *v = map_find(&l->lifted, MAP_KEY(n));
    return !v || v->from_weight;
}

// Weights first: main takes what is left of its own parameters before what was made of them.
static void find_outputs(lifting *l) {
    needing k = {.l = l, .seen = MAP_IN(l->m->mem)};
    need_body(&k, &l->f->body);
    for (uint32_t i = 0; i < l->weights.len; i++) {
        const node *p = (const node *)(uintptr_t)l->weights.entry[i].key;
        if (map_has(&k.seen, MAP_KEY(p))) VEC_PUSH(l->m->mem, &l->outs, p);
    }
    for (uint32_t i = 0; i < l->order.len; i++)
        if (map_has(&k.seen, MAP_KEY(l->order.at[i])) && is_output(l, l->order.at[i]))
            VEC_PUSH(l->m->mem, &l->outs, l->order.at[i]);
}

// A dim that is a symbol tells it; one that is an expression of it does not.
static void define(map *known, const ann *a) {
    for (int32_t i = 0; a->dim && i < a->rank; i++)
        if (a->dim[i]->op == EXPR_VAR) map_put(known, MAP_KEY(a->dim[i]), known);
    if (a->value && a->value->op == EXPR_VAR) map_put(known, MAP_KEY(a->value), known);
    for (uint32_t i = 0; a->kind == ANN_TUPLE && i < a->count; i++) define(known, a->field[i]);
}

static void lose(lifting *l, map *known, const map *of_weights, const node *n) {
    expr_list vars = {0};
    ann_free_vars(n->type, l->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        if (map_has(known, MAP_KEY(vars.at[i])) || !map_has(of_weights, MAP_KEY(vars.at[i]))) continue;
        map_put(known, MAP_KEY(vars.at[i]), l);
        VEC_PUSH(l->m->mem, &l->lost, vars.at[i]);
    }
}

// A weight of (k, 4) tells k; what is made of it may have k * 4 elements.
static void find_lost(lifting *l) {
    map known = MAP_IN(l->m->mem), of_weights = MAP_IN(l->m->mem);
    node_list nodes = {0};
    for (uint32_t i = 0; i < l->f->params; i++)
        define(is_weight(l, l->f->param[i]) ? &of_weights : &known, l->f->param[i]->type);
    for (uint32_t i = 0; i < l->outs.len; i++) define(&known, l->outs.at[i]->type);
    for (uint32_t i = 0; i < l->outs.len; i++) lose(l, &known, &of_weights, l->outs.at[i]);
    every_node(l->f, l->m->mem, &nodes);
    for (uint32_t i = 0; i < nodes.len; i++)
        if (!is_weight(l, nodes.at[i]) && !map_has(&l->lifted, MAP_KEY(nodes.at[i])))
            lose(l, &known, &of_weights, nodes.at[i]);
}

// --- The function of the weights.

typedef struct making {
    lifting *l;
    clone c;
    const node *params; // the tuple
} making;

// What a second name, or an item of a tuple that is written out, stands for.
static const node *meaning(const node *n) {
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

static graph_func *make_transform(lifting *l, const char *name, diag *d) {
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

// `own_name` is what it is called, `name` the function of the weights. With `own_symbols` those are new.
static graph_func *make_rest(lifting *l, const char *own_name, const char *name, bool own_symbols, diag *d) {
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

// --- The pass.

// Symbols that weights (or the other parameters) define, without those in `but`.
static void add_vars(lifting *l, bool of_weights, const map *but, map *out) {
    for (uint32_t i = 0; i < l->f->params; i++) {
        expr_list vars = {0};
        if (is_weight(l, l->f->param[i]) != of_weights) continue;
        ann_defined_vars(l->f->param[i]->type, l->m->mem, &vars);
        for (uint32_t v = 0; v < vars.len; v++)
            if (!map_has(but, MAP_KEY(vars.at[v]))) map_put(out, MAP_KEY(vars.at[v]), l);
    }
}

static void find_weights(lifting *l) {
    for (uint32_t i = 0; i < l->f->params; i++) {
        const node *p = l->f->param[i];
        if (i >= l->inputs && (!l->bound || is_bound_weight(l->f, p->name)))
            map_put(&l->weights, MAP_KEY(p), (void *)(uintptr_t)(l->weights.len + 1));
    }
    map weight_vars = MAP_IN(l->m->mem);
    add_vars(l, true, &weight_vars, &weight_vars);
    add_vars(l, false, &weight_vars, &l->input_vars);
}

static bool find_parts(lifting *l) {
    find_weights(l);
    find_lifted(l);
    if (!l->order.len) return false;
    find_outputs(l);
    find_lost(l);
    return true;
}

static bool lift_from(module *m, const graph_func *f, bool bound, diag *d) {
    map none = MAP_IN(m->mem);
    lifting l = {.m = m, .f = f, .bound = bound, .small = bound, .weights = none, .lifted = none, .input_vars = none};
    int64_t inputs;
    if (!attr_get_int(attr_find(f->attrs, "num_input"), &inputs) || (bound && !attr_find(f->attrs, "rx.bound_weights")))
        return true;
    l.inputs = (uint32_t)inputs;
    if (!find_parts(&l)) return true;
    const char *name = module_fresh_name(m, arena_format(m->mem, "%s_transform_params", f->name));
    graph_func *transform = make_transform(&l, name, d), *rest = make_rest(&l, f->name, name, false, d);
    module_put_graph(m, transform);
    module_put_graph(m, rest);
    return true;
}

// --- Weights that the caller gives.

// Views cost nothing where they are.
static bool is_worth_it(const lifting *l) {
    for (uint32_t i = 0; i < l->outs.len; i++) {
        const node *n = l->outs.at[i];
        const bool *made = map_find(&l->lifted, MAP_KEY(n));
        if (made && meaning(n)->op->form == FORM_OPERATOR && !is_view(meaning(n))) return true;
    }
    return false;
}

static void note(module *m, graph_func *f, const char *key, const char *name) {
    f->attrs = attr_with(m->mem, f->attrs, key, attr_string(m->mem, name, strlen(name)));
}

static void lift_beside(module *m, const graph_func *f, diag *d) {
    map none = MAP_IN(m->mem);
    lifting l = {.m = m, .f = f, .small = true, .weights = none, .lifted = none, .input_vars = none};
    int64_t inputs;
    bool stated = attr_get_int(attr_find(f->attrs, "num_input"), &inputs) && inputs >= 0 && inputs < f->params;
    bool of_file = attr_find(f->attrs, "rx.bound_weights") || attr_find(f->attrs, "rx.transformed_by");
    if (!stated || of_file || attr_find(f->attrs, "rx.made_for")) return;
    l.inputs = (uint32_t)inputs;
    if (!find_parts(&l) || !is_worth_it(&l)) return;
    const char *name = module_fresh_name(m, arena_format(m->mem, "%s_transform_params", f->name));
    graph_func *transform = make_transform(&l, name, d);
    module_put_graph(m, transform);
    const char *own = module_fresh_name(m, arena_format(m->mem, "%s_transformed", f->name));
    graph_func *rest = make_rest(&l, own, name, true, d);
    note(m, transform, "rx.made_for", f->name);
    note(m, rest, "rx.made_for", f->name);
    note(m, rest, "rx.takes_results_of", name);
    module_put_graph(m, rest);
}

// --- One function of the weights for several: what all of them compute from the same weights.

typedef struct sharing {
    module *m;
    diag *d;
    uint32_t count;
    lifting *l; // one per function; the first one's nodes stand for all
    map *same;  // per function: MAP_KEY(own node) -> the first one's
    map *own;   // the other way round
    map hits;   // MAP_KEY(node of the first) -> in how many functions it is
    node_list outs;
} sharing;

static void pair(sharing *x, uint32_t f, const node *own, const node *first) {
    map_put(&x->same[f], MAP_KEY(own), (void *)(uintptr_t)first);
    map_put(&x->own[f], MAP_KEY(first), (void *)(uintptr_t)own);
}

static void weight_symbols(arena *mem, const graph_func *f, uint32_t inputs, expr_list *out) {
    for (uint32_t i = inputs; i < f->params; i++) ann_defined_vars(f->param[i]->type, mem, out);
}

// A copy of the function that names the symbols of its weights as the first function does, to be compared with it.
static const graph_func *with_symbols_of_first(sharing *x, const graph_func *f, uint32_t inputs) {
    const lifting *first = &x->l[0];
    expr_list own = {0}, firsts = {0};
    clone c = clone_tables(x->m);
    weight_symbols(x->m->mem, f, inputs, &own);
    weight_symbols(x->m->mem, first->f, first->inputs, &firsts);
    if (!own.len || own.len != firsts.len) return f;
    for (uint32_t i = 0; i < own.len; i++) map_put(&c.vars, MAP_KEY(own.at[i]), (void *)(uintptr_t)firsts.at[i]);
    return clone_func(&c, x->m, f, x->d);
}

static bool pair_weights(sharing *x, uint32_t f) {
    const map *first = &x->l[0].weights, *own = &x->l[f].weights;
    bool equal = first->len == own->len;
    for (uint32_t i = 0; equal && i < own->len; i++) {
        const node *a = (const node *)(uintptr_t)first->entry[i].key, *b = (const node *)(uintptr_t)own->entry[i].key;
        equal = ann_equal(x->m->exprs, a->type, b->type);
        pair(x, f, b, a);
    }
    return equal ||
           diag_error(x->d, x->l[f].f->at, "LiftTransformParams: shared_transform: %s and %s take other weights",
                      x->l[0].f->name, x->l[f].f->name);
}

// Nodes that compute the same have equal keys once their operands are known to be the same.
static void pair_nodes(sharing *x, uint32_t f, text_map *known) {
    arena *mem = x->m->mem;
    for (uint32_t i = 0; i < x->l[f].order.len; i++) {
        const node *n = x->l[f].order.at[i];
        text key = TEXT_IN(mem);
        if (!key_node(&key, n, (stand_ins){.same = f ? &x->same[f] : NULL})) continue;
        const node *first = text_map_find(known, text_get(&key));
        if (f == 0 && !first) text_map_put(known, arena_copy(mem, text_get(&key), key.len), (void *)(uintptr_t)n);
        if (f == 0 && !first) first = n;
        if (!first || (f > 0 && map_has(&x->own[f], MAP_KEY(first)))) continue;
        if (f > 0 || first == n) pair(x, f, n, first);
        uintptr_t hits = (uintptr_t)map_find(&x->hits, MAP_KEY(first));
        map_put(&x->hits, MAP_KEY(first), (void *)(hits + 1));
    }
}

static void keep_common(sharing *x, uint32_t f) {
    lifting *l = &x->l[f];
    map lifted = MAP_IN(x->m->mem);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->order.len; i++) {
        const node *n = l->order.at[i], *first = map_find(&x->same[f], MAP_KEY(n));
        if (!first || (uintptr_t)map_find(&x->hits, MAP_KEY(first)) != x->count) continue;
        map_put(&lifted, MAP_KEY(n), map_find(&l->lifted, MAP_KEY(n)));
        l->order.at[kept++] = n;
    }
    l->order.len = kept;
    l->lifted = lifted;
}

static bool is_wanted(const sharing *x, const node *first) {
    for (uint32_t f = 0; f < x->count; f++)
        for (uint32_t i = 0; i < x->l[f].outs.len; i++)
            if (map_find(&x->same[f], MAP_KEY(x->l[f].outs.at[i])) == first) return true;
    return false;
}

// What any function needs, in the first one's order; then each function's own nodes for it.
static void share_outputs(sharing *x) {
    arena *mem = x->m->mem;
    const lifting *first = &x->l[0];
    for (uint32_t f = 0; f < x->count; f++) find_outputs(&x->l[f]);
    for (uint32_t i = 0; i < first->weights.len; i++) {
        const node *p = (const node *)(uintptr_t)first->weights.entry[i].key;
        if (is_wanted(x, p)) VEC_PUSH(mem, &x->outs, p);
    }
    for (uint32_t i = 0; i < first->order.len; i++)
        if (is_wanted(x, first->order.at[i])) VEC_PUSH(mem, &x->outs, first->order.at[i]);
    for (uint32_t f = 0; f < x->count; f++) {
        x->l[f].outs = (node_list){0};
        for (uint32_t i = 0; i < x->outs.len; i++)
            VEC_PUSH(mem, &x->l[f].outs, map_find(&x->own[f], MAP_KEY(x->outs.at[i])));
    }
}

static void add_once(arena *mem, expr_list *list, const expr *e) {
    for (uint32_t i = 0; i < list->len; i++)
        if (list->at[i] == e) return;
    VEC_PUSH(mem, list, e);
}

// What one of them has lost all of them are told: they take the same results.
static void share_lost(sharing *x) {
    expr_list all = {0};
    for (uint32_t f = 0; f < x->count; f++) {
        find_lost(&x->l[f]);
        for (uint32_t i = 0; i < x->l[f].lost.len; i++) add_once(x->m->mem, &all, x->l[f].lost.at[i]);
    }
    for (uint32_t f = 0; f < x->count; f++) x->l[f].lost = all;
}

static bool lift_shared(module *m, const func_list *list, diag *d) {
    sharing x = {.m = m, .d = d, .count = list->len, .hits = MAP_IN(m->mem)};
    text_map known = TEXT_MAP_IN(m->mem);
    map none = MAP_IN(m->mem);
    x.l = ARENA_NEW(m->mem, lifting, list->len);
    x.same = ARENA_NEW(m->mem, map, list->len);
    x.own = ARENA_NEW(m->mem, map, list->len);
    for (uint32_t f = 0; f < list->len; f++) {
        int64_t inputs = 0;
        attr_get_int(attr_find(list->at[f]->attrs, "num_input"), &inputs);
        x.l[f] = (lifting){.m = m, .f = list->at[f], .weights = none, .lifted = none, .input_vars = none};
        x.l[f].inputs = (uint32_t)inputs;
        if (f > 0) x.l[f].f = with_symbols_of_first(&x, list->at[f], (uint32_t)inputs);
        x.same[f] = x.own[f] = none;
        find_weights(&x.l[f]);
        find_lifted(&x.l[f]);
        if (!pair_weights(&x, f)) return false;
        pair_nodes(&x, f, &known);
    }
    for (uint32_t f = 0; f < list->len; f++) keep_common(&x, f);
    if (!x.l[0].order.len) return true;
    share_outputs(&x);
    share_lost(&x);
    const char *name = module_fresh_name(m, "transform_params");
    module_put_graph(m, make_transform(&x.l[0], name, d));
    for (uint32_t f = 0; f < list->len; f++) module_put_graph(m, make_rest(&x.l[f], x.l[f].f->name, name, f > 0, d));
    return true;
}

// shared_transform: false, true (all functions with weights) or a list of names.
static bool read_shared(module *m, const pass_ctx *c, bool *shared, func_list *out) {
    word_list names = {0};
    func_list list = {0};
    if (!pass_get_words(c, &pass_lift_transform_params, "shared_transform", m->mem, &names)) return false;
    bool off = !names.len || strcmp(names.at[0], "false") == 0 || strcmp(names.at[0], "False") == 0;
    bool all = names.len && (strcmp(names.at[0], "true") == 0 || strcmp(names.at[0], "True") == 0);
    *shared = !off;
    graph_functions(m, &list);
    for (uint32_t i = 0; !off && i < list.len; i++) {
        bool named = all && !list.at[i]->is_private;
        for (uint32_t k = 0; k < names.len; k++) named = named || strcmp(names.at[k], list.at[i]->name) == 0;
        if (named && attr_find(list.at[i]->attrs, "num_input")) VEC_PUSH(m->mem, out, list.at[i]);
    }
    if (!off && !all && out->len < names.len)
        return diag_error(c->d, (loc){0},
                          "LiftTransformParams: shared_transform: want names of functions that have the "
                          "attribute num_input");
    return true;
}

// --- The pass.

static bool lift_transform_params(module *m, const pass_ctx *c) {
    bool bound, shared, inputs;
    uint32_t errors = c->d->errors;
    func_list list = {0}, together = {0};
    if (!pass_get_bool(c, &pass_lift_transform_params, "bound", &bound)) return false;
    if (!pass_get_bool(c, &pass_lift_transform_params, "inputs", &inputs)) return false;
    if (!read_shared(m, c, &shared, &together)) return false;
    if (shared) return !together.len || (lift_shared(m, &together, c->d) && c->d->errors == errors);
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++)
        if (!list.at[i]->is_private && !lift_from(m, list.at[i], bound, c->d)) return false;
    for (uint32_t i = 0; bound && inputs && i < list.len; i++)
        if (!list.at[i]->is_private) lift_beside(m, list.at[i], c->d);
    return c->d->errors == errors;
}

const pass pass_lift_transform_params = {
    .name = "LiftTransformParams",
    .doc = "moves what depends on weights alone into a function of its own",
    .option = {{"shared_transform", "false",
                "true or names of functions: one function, transform_params, for what all of them share"},
               {"bound", "false", "only for weights that rx.bound_weights names, and only what does not grow"},
               {"inputs", "false", "with bound: also beside functions whose weights the caller gives"}},
    .run = lift_transform_params,
};
