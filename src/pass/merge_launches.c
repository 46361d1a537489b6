// merge_launches.c - MergeLaunches: a small program and the program that reads its results are one launch.
//
//   before:  cls.norm(x, w, a)                            after:  cls.norm_product(x, w, a, b, y)
//            cls.product(a, b, y)
//            def product(a, b, y):                                def norm_product(x, w, a, b, y):
//                if n <= 1: cls.product_row(a, b, y)                  if n <= 1: cls.norm_product_row(x, w, b, y)
//                else: …                                              else: cls.norm(x, w, a); …
//                                                                 def norm_product_row(x, w, b, y):
//                                                                     A = local; A[…] = norm of x, w
//                                                                     for i in T.parallel(…): … A …
//
// Needs explicit destinations and launches (SplitLaunches). Keeps values. What stands before the parallel loop is done
// by each worker for itself, into memory of its own: nothing is handed over, and nobody waits. So it must be little,
// which is asked where the second program chooses what to do for few rows (two_phases.c). The results of the first may
// have no other readers, and nothing else may happen between the two.
#include "graph/deduce.h"
#include "ops/ops.h"
#include "pass/two_phases.h"

// Two calls that become one.
typedef struct pair {
    const two_phases *programs;
    const node *first;
    const node *const *first_in; // its operands in the new function, callee included; NULL: not seen yet
} pair;

typedef struct merger {
    module *m;
    const uint32_t *uses; // of the function that is looked at
    text_map known;       // how two programs are called -> two_phases *, with no func where they stay two
    fresh_names names;
    map at; // MAP_KEY(call) -> pair *
} merger;

// --- Which calls.

// The loop program that a binding calls; NULL: it is something else.
static const loop_func *called(const merger *g, const node *n) {
    const module_func *f = n->op->form == FORM_CALL ? deduce_loop(g->m, n->in[0]) : NULL;
    return f && f->loop->params == n->count - 1 ? f->loop : NULL;
}

// Which parameter of `second` gets what the first one's argument `made` is, NO_PARAMETER if not exactly one does.
static uint32_t passed_to(const node *made, const node *second) {
    uint32_t at = NO_PARAMETER;
    for (uint32_t i = 1; i < second->count; i++) {
        if (second->in[i] != made) continue;
        if (at != NO_PARAMETER) return NO_PARAMETER;
        at = i - 1;
    }
    return at;
}

// What the first program writes must be a fresh tensor that the second one alone reads.
static bool find_handed(const merger *g, const loop_func *f, const node *first, const node *second, uint32_t *to) {
    const bool *writes = program_writes(g->m, f);
    for (uint32_t i = 0; i < f->params; i++) {
        const node *n = first->in[i + 1];
        to[i] = NO_PARAMETER;
        if (!f->param[i].buf) return false;
        if (!writes[i]) continue;
        if (n->op != &op_builtin_alloc_tensor || g->uses[n->id] != 2) return false;
        to[i] = passed_to(n, second);
        if (to[i] == NO_PARAMETER) return false;
    }
    return true;
}

// What the second program writes was allocated between the two calls: nothing that the first one reads lies there.
static bool writes_fresh(const merger *g, const loop_func *f, const node *second, const map *fresh) {
    const bool *writes = program_writes(g->m, f);
    for (uint32_t i = 0; i < f->params; i++)
        if (writes[i] && !map_has(fresh, MAP_KEY(second->in[i + 1]))) return false;
    return true;
}

static const two_phases *programs_of(merger *g, const loop_func *first, const loop_func *second, const uint32_t *to) {
    text t = TEXT_IN(g->m->mem);
    text_format(&t, "%s %s", first->name, second->name);
    for (uint32_t i = 0; i < first->params; i++) text_format(&t, " %u", to[i]);
    two_phases *p = text_map_find(&g->known, text_get(&t));
    if (p) return p;
    p = ARENA_NEW(g->m->mem, two_phases, 1);
    two_phases_for_few(g->m, &g->names, first, second, to, p);
    text_map_put(&g->known, text_get(&t), p);
    return p;
}

static bool try_pair(merger *g, const node *first, const node *second, const map *fresh) {
    const loop_func *a = called(g, first), *b = called(g, second);
    if (!a || !b || is_dispatcher(a) || !is_dispatcher(b) || !writes_fresh(g, b, second, fresh)) return false;
    uint32_t *to = ARENA_NEW(g->m->mem, uint32_t, a->params);
    if (!find_handed(g, a, first, second, to)) return false;
    const two_phases *programs = programs_of(g, a, b, to);
    if (!programs->func) return false;
    pair *p = ARENA_NEW(g->m->mem, pair, 1);
    *p = (pair){.programs = programs, .first = first};
    map_put(&g->at, MAP_KEY(first), p);
    map_put(&g->at, MAP_KEY(second), p);
    return true;
}

// Between two calls only tensors are allocated. Branches of an `if` are bodies of their own.
static void find_pairs(merger *g, const graph_body *body) {
    const node *before = NULL;
    map fresh = MAP_IN(g->m->mem);
    for (const binding_block *run = body->first; run; run = run->next)
        for (uint32_t i = 0; i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) find_pairs(g, &n->as.branch[side]);
            if (n->op == &op_builtin_alloc_tensor) {
                map_put(&fresh, MAP_KEY(n), g);
                continue;
            }
            bool both = before && try_pair(g, before, n, &fresh);
            before = both || n->op->form != FORM_CALL ? NULL : n;
            fresh = MAP_IN(g->m->mem);
        }
}

// --- One call for two.

static const node *merge_calls(builder *b, const node *old, const node *const *in, void *user) {
    merger *g = user;
    pair *p = map_find(&g->at, MAP_KEY(old));
    if (!p) return NULL;
    arena *mem = g->m->mem;
    if (old == p->first) {
        const node **kept = ARENA_NEW(mem, const node *, old->count);
        for (uint32_t i = 0; i < old->count; i++) kept[i] = in[i];
        p->first_in = kept;
        return in[1]; // nobody reads what a call with destinations gives
    }
    const node **arg = ARENA_NEW(mem, const node *, p->programs->func->params);
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->programs->inputs; i++) arg[count++] = p->first_in[p->programs->input[i] + 1];
    for (uint32_t i = 1; i < old->count; i++) arg[count++] = in[i];
    return build_call_func(b, "_", build_global(b, p->programs->func->name), arg, count);
}

static bool merge_launches(module *m, const pass_ctx *c) {
    merger g = {.m = m, .known = TEXT_MAP_IN(m->mem), .names = fresh_names_in(m)};
    func_list list = {0};
    graph_functions(m, &list);
    for (uint32_t i = 0; i < list.len; i++) {
        const graph_func *f = list.at[i];
        g.uses = graph_uses(f, m->mem);
        g.at = MAP_IN(m->mem);
        find_pairs(&g, &f->body);
        if (!g.at.len) continue;
        graph_func *now = graph_rebuild(m, f, merge_calls, &g, c->d);
        if (!now) return false;
        module_put_graph(m, now);
    }
    return true;
}

const pass pass_merge_launches = {
    .name = "MergeLaunches",
    .doc = "makes one launch of a small program and the one that reads its results, for few rows",
    .needs = NEEDS_DESTINATIONS,
    .run = merge_launches,
};
