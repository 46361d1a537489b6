// lift_shared.c - one function of the weights for several functions: what all of them compute from the same weights.
#include "pass/clone.h"
#include "pass/key.h"
#include "pass/lifted.h"

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

bool lift_shared(module *m, const func_list *list, diag *d) {
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
