// fusion_graph.c - the graph that fusion works on: what each binding reads, and post-dominators.
#include "pass/fusion.h"

static const uint32_t NONE = UINT32_MAX;

// --- Points and edges.

static uint32_t add_point(fusion *g, const node *n, pattern_kind kind, bool outside) {
    uint32_t i = g->point.len;
    fusion_point p = {.n = n,
                      .kind = kind,
                      .outside = outside,
                      .first_edge = NONE,
                      .dominator = NONE,
                      .parent = i,
                      .next = NONE,
                      .last = i,
                      .size = 1,
                      .group_kind = kind,
                      .anchored = kind == PATTERN_OUT_FUSIBLE};
    VEC_PUSH(g->m->mem, &g->point, p);
    map_put(&g->index, MAP_KEY(n), (void *)(uintptr_t)(i + 1));
    return i;
}

// In front of the others: the order of edges means nothing.
static void add_edge(fusion *g, uint32_t from, uint32_t to, pattern_kind kind) {
    fusion_edge e = {.to = to, .next = g->point.at[from].first_edge, .kind = kind};
    g->point.at[from].first_edge = g->edge.len;
    VEC_PUSH(g->m->mem, &g->edge, e);
}

// A leaf such as a constant becomes a point with its first use; values of plain blocks are no points.
static void add_use(fusion *g, const node *n, uint32_t user, pattern_kind kind) {
    if (n->op->form == FORM_TUPLE && !n->name) {
        for (uint32_t i = 0; i < n->count; i++) add_use(g, n->in[i], user, kind);
        return;
    }
    uintptr_t known = (uintptr_t)map_find(&g->index, MAP_KEY(n));
    if (known) add_edge(g, (uint32_t)known - 1, user, kind);
}

static bool has_dims(const ann *a) { return a->kind == ANN_TENSOR && (a->dim || a->rank == 0); }

// The program of a call whose tensors are all known by their dims; NULL for everything else.
static const loop_func *program_of(const module *m, const node *n) {
    if (n->op != &op_call_tir || n->in[0]->op->form != FORM_GLOBAL || !has_dims(n->type)) return NULL;
    const node *args = n->in[1];
    if (args->op->form != FORM_TUPLE || args->name) return NULL;
    for (uint32_t i = 0; i < args->count; i++)
        if (!has_dims(args->in[i]->type)) return NULL;
    const module_func *f = module_find(m, n->in[0]->as.text.bytes);
    return f && f->kind == FUNC_LOOP ? f->loop : NULL;
}

// A call that is no program, or whose program was not looked at, joins nothing.
static pattern_kind kind_of(const module *m, const node *n) {
    const loop_func *f = program_of(m, n);
    int64_t kind;
    if (!f || !attr_get_int(attr_find(f->attrs, "op_pattern"), &kind)) return PATTERN_OPAQUE;
    return kind >= 0 && kind < PATTERN_TUPLE ? (pattern_kind)kind : PATTERN_OPAQUE;
}

// What is computed element by element goes into a matmul only where it makes its operand at least twice as large (a
// cast of a half precision weight): anything else is better computed once. Programs are shared by many calls, so their
// work is remembered.
static program_work work_of(fusion *g, const node *n, pattern_kind kind) {
    const loop_func *f = program_of(g->m, n);
    uintptr_t known = (uintptr_t)map_find(g->limits.work, MAP_KEY(f));
    if (known) return (program_work)(known - 1);
    program_work work = loop_work(g->m->exprs, g->m->mem, f);
    if (kind < PATTERN_INJECTIVE && work != WORK_SOME)
        work = loop_unpacks(g->m->exprs, g->m->mem, f, 2) ? WORK_UNPACKS : WORK_SOME;
    map_put(g->limits.work, MAP_KEY(f), (void *)((uintptr_t)work + 1));
    return work;
}

static void add_binding(fusion *g, const node *n, const map *outputs) {
    pattern_kind kind = kind_of(g->m, n);
    uint32_t i = add_point(g, n, kind, map_has(outputs, MAP_KEY(n)));
    if (kind <= PATTERN_INJECTIVE && g->limits.producers) g->point.at[i].work = work_of(g, n, kind);
    uint32_t first = n->op == &op_call_tir ? 1 : 0, end = n->op == &op_call_tir ? 2 : n->count;
    for (uint32_t k = first; k < end; k++) add_use(g, n->in[k], i, kind);
}

// Dims of other values that come from a shape-valued binding use it as well.
static void add_block(fusion *g, const binding_block *run) {
    map outputs = MAP_IN(g->m->mem);
    for (uint32_t i = 0; i < run->outputs; i++) map_put(&outputs, MAP_KEY(run->output[i]), g);
    for (uint32_t i = 0; i < run->len; i++) add_binding(g, run->bound[i], &outputs);
}

static void add_body(fusion *g, const graph_body *body) {
    for (const binding_block *run = body->first; run; run = run->next) {
        if (run->dataflow) add_block(g, run);
        for (uint32_t i = 0; !run->dataflow && i < run->len; i++) {
            const node *n = run->bound[i];
            for (uint32_t side = 0; n->op->form == FORM_IF && side < 2; side++) add_body(g, &n->as.branch[side]);
            if (n->op->form == FORM_CLOSURE) add_body(g, &n->as.func->body);
        }
    }
}

// --- Post-dominators, from the last point to the first. Each point also knows an ancestor further up (as in a
// skew-binary list), so that the common ancestor of two points is found in logarithmic time.

static pattern_kind harder(pattern_kind a, pattern_kind b) { return a > b ? a : b; }

// The jump skips as many levels as the dominator's jump and that one's jump together, when they are alike.
static void set_dominator(fusion *g, uint32_t i, uint32_t dominator, pattern_kind up) {
    fusion_point *p = &g->point.at[i];
    p->dominator = dominator;
    p->up = up;
    if (dominator == NONE) {
        p->depth = 1;
        p->jump = i;
        return;
    }
    const fusion_point *d = &g->point.at[dominator], *dj = &g->point.at[d->jump];
    p->depth = d->depth + 1;
    bool skip = d->depth - dj->depth == dj->depth - g->point.at[dj->jump].depth;
    p->jump = skip ? dj->jump : dominator;
    p->up_to_jump = skip ? harder(up, harder(d->up_to_jump, dj->up_to_jump)) : up;
}

// Goes up to the given depth; what lies on the way is combined into *kind.
static uint32_t rise(const fusion *g, uint32_t i, uint32_t depth, pattern_kind *kind) {
    while (g->point.at[i].depth > depth) {
        const fusion_point *p = &g->point.at[i];
        bool far = g->point.at[p->jump].depth >= depth;
        *kind = harder(*kind, far ? p->up_to_jump : p->up);
        i = far ? p->jump : p->dominator;
    }
    return i;
}

// The lowest common ancestor; NONE if the points are in different trees.
static uint32_t common(const fusion *g, uint32_t a, uint32_t b, pattern_kind *kind) {
    uint32_t depth = g->point.at[a].depth < g->point.at[b].depth ? g->point.at[a].depth : g->point.at[b].depth;
    a = rise(g, a, depth, kind);
    b = rise(g, b, depth, kind);
    while (a != b) {
        const fusion_point *x = &g->point.at[a], *y = &g->point.at[b];
        if (x->dominator == NONE || y->dominator == NONE) return NONE;
        bool far = x->jump != y->jump;
        *kind = harder(*kind, harder(far ? x->up_to_jump : x->up, far ? y->up_to_jump : y->up));
        a = far ? x->jump : x->dominator;
        b = far ? y->jump : y->dominator;
    }
    return a;
}

// What is seen from outside has no post-dominator: it can't become an intermediate value.
static void find_dominator(fusion *g, uint32_t i) {
    const fusion_point *p = &g->point.at[i];
    if (p->outside || p->first_edge == NONE) {
        set_dominator(g, i, NONE, PATTERN_OPAQUE);
        return;
    }
    const fusion_edge *e = &g->edge.at[p->first_edge];
    uint32_t meeting = e->to;
    pattern_kind kind = e->kind;
    for (uint32_t k = e->next; k != NONE && meeting != NONE; k = e->next) {
        e = &g->edge.at[k];
        kind = harder(kind, e->kind);
        meeting = common(g, meeting, e->to, &kind);
    }
    set_dominator(g, i, meeting, kind);
}

fusion fusion_of(module *m, const graph_func *f, fusion_limits limits) {
    fusion g = {.m = m, .limits = limits, .index = MAP_IN(m->mem)};
    for (uint32_t i = 0; i < f->params; i++) add_point(&g, f->param[i], PATTERN_OPAQUE, true);
    add_body(&g, &f->body);
    for (uint32_t i = g.point.len; i-- > 0;) find_dominator(&g, i);
    return g;
}
