// find_lifted.c - which bindings LiftTransformParams can lift, and what the function needs afterwards.
#include "base/size.h"
#include "graph/sizes.h"
#include "ops/ops.h"
#include "pass/lifted.h"
#include "pass/memory.h"
#include "pass/written.h"

bool is_weight(const lifting *l, const node *n) { return map_has(&l->weights, MAP_KEY(n)); }

// --- Weights.

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

void find_weights(lifting *l) {
    for (uint32_t i = 0; i < l->f->params; i++) {
        const node *p = l->f->param[i];
        if (i >= l->inputs && (!l->bound || is_bound_weight(l->f, p->name)))
            map_put(&l->weights, MAP_KEY(p), (void *)(uintptr_t)(l->weights.len + 1));
    }
    map weight_vars = MAP_IN(l->m->mem);
    add_vars(l, true, &weight_vars, &weight_vars);
    add_vars(l, false, &weight_vars, &l->input_vars);
}

// --- What can be lifted.

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
void find_lifted(lifting *l) {
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

bool is_output(const lifting *l, const node *n) {
    const lifted_value *v = map_find(&l->lifted, MAP_KEY(n));
    return !v || v->from_weight;
}

// Weights first: main takes what is left of its own parameters before what was made of them.
void find_outputs(lifting *l) {
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
void find_lost(lifting *l) {
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
