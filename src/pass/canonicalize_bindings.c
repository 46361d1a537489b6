// canonicalize_bindings.c - CanonicalizeBindings: names, tuples and casts that say nothing new go.
//
//   before:  a = x                                  after:  b = R.exp(x)
//            b = R.exp(a)                                   c = R.add(b, b)
//            t = (b, b)                                     (t stays: nothing uses it, DeadCodeElimination removes it)
//            c = R.add(t[0], t[1])
//
// Needs nothing. Keeps what is computed and its order. A match_cast of dims that are known gives its symbols their
// values and goes when it says nothing more. Outputs of dataflow blocks that nobody outside uses become inner values.
#include "pass/clone.h"
#include "pass/edits.h"

typedef struct canonicalizing {
    module *m;
    clone c;
    map symbols; // that are defined so far
    map block;   // MAP_KEY(bound node of a dataflow block) -> the first run of that block
} canonicalizing;

static const node *meant(const canonicalizing *z, const node *n) {
    for (const node *next; (next = map_find(&z->c.same, MAP_KEY(n)));) n = next;
    return n;
}

// --- What another node stands for.

static void define(canonicalizing *z, const ann *a) {
    expr_list vars = {0};
    ann_defined_vars(a, z->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) map_put(&z->symbols, MAP_KEY(vars.at[i]), z);
}

static const ann *as_known(const canonicalizing *z, const ann *a) {
    return z->c.vars.len ? ann_substitute(z->m->exprs, z->m->mem, a, &z->c.vars) : a;
}

// Symbols that the cast defines and that stand alone for a dim which is known already.
static void solve_cast(canonicalizing *z, const ann *want, const ann *got) {
    for (uint32_t i = 0; i < want->count && i < got->count && want->kind == got->kind; i++)
        solve_cast(z, want->field[i], got->field[i]);
    if (want->kind != got->kind || !want->dim || !got->dim || want->rank != got->rank) return;
    for (int32_t i = 0; i < want->rank; i++) {
        const expr *var = want->dim[i];
        if (var->op != EXPR_VAR || map_has(&z->symbols, MAP_KEY(var)) || map_has(&z->c.vars, MAP_KEY(var))) continue;
        map_put(&z->c.vars, MAP_KEY(var), (void *)(uintptr_t)got->dim[i]);
    }
}

static const node *cast_value(canonicalizing *z, const node *n) {
    const node *in = meant(z, n->in[0]);
    if (!in->name) return NULL;
    const ann *got = as_known(z, in->type);
    solve_cast(z, n->type_arg[0], got);
    define(z, n->type_arg[0]);
    return ann_equal(z->m->exprs, got, as_known(z, n->type_arg[0])) ? in : NULL;
}

static const node *item_value(canonicalizing *z, const node *n) {
    const node *tuple = meant(z, n->in[0]);
    return tuple->op->form == FORM_TUPLE ? meant(z, tuple->in[n->as.index]) : NULL;
}

// (t[0], t[1]) is t.
static const node *tuple_value(canonicalizing *z, const node *n) {
    const node *whole = NULL;
    for (uint32_t i = 0; i < n->count; i++) {
        const node *item = meant(z, n->in[i]);
        if (item->op->form != FORM_ITEM || item->as.index != i) return NULL;
        const node *of = meant(z, item->in[0]);
        if (whole && of != whole) return NULL;
        whole = of;
    }
    return whole && whole->type->kind == ANN_TUPLE && whole->type->count == n->count ? whole : NULL;
}

static void canonicalize(canonicalizing *z, const node *n) {
    const node *is = n->op->form == FORM_MATCH_CAST ? cast_value(z, n)
                     : n->op->form == FORM_ITEM     ? item_value(z, n)
                     : n->op->form == FORM_TUPLE    ? tuple_value(z, n)
                     : n->op->form == FORM_BIND     ? meant(z, n->in[0])
                                                    : NULL;
    if (!is || (n->op->form == FORM_BIND && !is->name && is->op->form != FORM_CONSTANT)) return;
    map_put(&z->c.same, MAP_KEY(n), (void *)(uintptr_t)is);
    if (is->op->form != FORM_CONSTANT) map_put(&z->c.drop, MAP_KEY(n), z);
}

static void canonicalize_body(canonicalizing *z, const graph_body *body) {
    const binding_block *first = NULL;
    for (const binding_block *run = body->first; run; run = run->next) {
        first = !run->dataflow ? NULL : first ? first : run;
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++)
                canonicalize_body(z, &n->as.branch[side]);
            if (n->op->form == FORM_CLOSURE) canonicalize_body(z, &n->as.func->body);
            if (first) map_put(&z->block, MAP_KEY(n), (void *)(uintptr_t)first);
            canonicalize(z, n);
        }
    }
}

// --- Outputs: what is used outside of its dataflow block, in the old function or in the new one.

typedef struct using {
    canonicalizing *z;
    map outside;                 // nodes used outside of their block
    const binding_block *inside; // the block at hand, NULL: none
} using;

static void use(using *u, const node *n) {
    const node *now = meant(u->z, n);
    if (map_find(&u->z->block, MAP_KEY(n)) != u->inside) map_put(&u->outside, MAP_KEY(n), u);
    if (map_find(&u->z->block, MAP_KEY(now)) != u->inside) map_put(&u->outside, MAP_KEY(now), u);
    for (uint32_t i = 0; !n->name && i < n->count; i++) use(u, n->in[i]);
}

static void use_shapes(using *u, const ann *a) {
    if (a->shape) use(u, a->shape);
    for (uint32_t i = 0; i < a->count; i++) use_shapes(u, a->field[i]);
}

static void use_body(using *u, const graph_body *body) {
    const binding_block *first = NULL;
    for (const binding_block *run = body->first; run; run = run->next) {
        first = !run->dataflow ? NULL : first ? first : run;
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            u->inside = first;
            for (uint32_t k = 0; k < n->count; k++) use(u, n->in[k]);
            use_shapes(u, n->type);
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) use_body(u, &n->as.branch[side]);
            if (n->op->form == FORM_CLOSURE) use_body(u, &n->as.func->body);
        }
    }
    u->inside = NULL;
    use(u, body->result);
}

static void choose_outputs(canonicalizing *z, const graph_func *f) {
    using u = {.z = z, .outside = MAP_IN(z->m->mem)};
    use_body(&u, &f->body);
    for (uint32_t i = 0; i < z->block.len; i++) {
        uint64_t key = z->block.entry[i].key;
        map_put(map_has(&u.outside, key) && !map_has(&z->c.drop, key) ? &z->c.shown : &z->c.hidden, key, z);
    }
}

void canonicalize_bindings(module *m, diag *d) {
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        canonicalizing z = {.m = m, .c = clone_tables(m), .symbols = MAP_IN(m->mem), .block = MAP_IN(m->mem)};
        for (uint32_t k = 0; k < list.at[i]->params; k++) define(&z, list.at[i]->param[k]->type);
        canonicalize_body(&z, &list.at[i]->body);
        choose_outputs(&z, list.at[i]);
        module_put_graph(m, clone_func(&z.c, m, list.at[i], d));
    }
}

static bool run(module *m, const pass_ctx *c) {
    uint32_t errors = c->d->errors;
    canonicalize_bindings(m, c->d);
    return c->d->errors == errors;
}

const pass pass_canonicalize_bindings = {
    .name = "CanonicalizeBindings",
    .doc = "removes other names, tuples and casts that say nothing new",
    .run = run,
};
