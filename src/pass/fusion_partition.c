// fusion_partition.c - the rules by which groups grow: what goes into its post-dominator, in which phase.
#include "pass/fusion.h"

static const uint32_t NONE = UINT32_MAX;

uint32_t fusion_root(fusion *g, uint32_t i) {
    uint32_t root = i;
    while (g->point.at[root].parent != root) root = g->point.at[root].parent;
    while (g->point.at[i].parent != root) {
        uint32_t next = g->point.at[i].parent;
        g->point.at[i].parent = root;
        i = next;
    }
    return root;
}

static pattern_kind group_kind(fusion *g, uint32_t i) { return g->point.at[fusion_root(g, i)].group_kind; }

static void merge(fusion *g, uint32_t child, uint32_t into) {
    child = fusion_root(g, child);
    into = fusion_root(g, into);
    if (child == into) return;
    fusion_point *c = &g->point.at[child], *p = &g->point.at[into];
    c->parent = into;
    p->size += c->size;
    if (!c->anchored) return;
    p->anchored = true;
    if (c->group_kind > p->group_kind) p->group_kind = c->group_kind;
}

// --- Walks over what lies between a point and its dominator. The limit on a group's size bounds them.

typedef VEC(uint32_t) index_list;

// Visits each point between `from` (left out) and `to` (included) once.
typedef struct between {
    fusion *g;
    uint32_t to;
    index_list todo;
} between;

static void push_users(between *w, uint32_t i) {
    for (uint32_t k = w->g->point.at[i].first_edge; k != NONE; k = w->g->edge.at[k].next) {
        uint32_t user = w->g->edge.at[k].to;
        if (w->g->point.at[user].mark == w->g->walk) continue;
        w->g->point.at[user].mark = w->g->walk;
        VEC_PUSH(w->g->m->mem, &w->todo, user);
    }
}

static between walk_between(fusion *g, uint32_t from, uint32_t to, index_list scratch) {
    between w = {.g = g, .to = to, .todo = scratch};
    w.todo.len = 0;
    g->walk++;
    push_users(&w, from);
    return w;
}

static uint32_t next_between(between *w) {
    if (!w->todo.len) return NONE;
    uint32_t i = w->todo.at[--w->todo.len];
    if (i != w->to) push_users(w, i);
    return i;
}

// --- The rules.

// Which kinds of groups may lie on the way, and where it ends.
typedef struct path_rule {
    pattern_kind between_max, end_max;
} path_rule;

typedef struct partitioning {
    fusion *g;
    index_list scratch;
} partitioning;

static bool path_fits(partitioning *p, uint32_t from, uint32_t to, path_rule rule) {
    between w = walk_between(p->g, from, to, p->scratch);
    bool fits = true;
    for (uint32_t i; fits && (i = next_between(&w)) != NONE;)
        fits = group_kind(p->g, i) <= (i == to ? rule.end_max : rule.between_max);
    p->scratch = w.todo;
    return fits;
}

static void fuse(partitioning *p, uint32_t from, uint32_t to) {
    between w = walk_between(p->g, from, to, p->scratch);
    merge(p->g, from, to);
    for (uint32_t i; (i = next_between(&w)) != NONE;) merge(p->g, i, to);
    p->scratch = w.todo;
}

static bool too_large(partitioning *p, uint32_t from, uint32_t to) {
    fusion *g = p->g;
    uint32_t size = g->point.at[fusion_root(g, to)].size + g->point.at[from].size;
    uint32_t args = g->point.at[fusion_root(g, to)].args + g->point.at[from].args;
    between w = walk_between(g, from, to, p->scratch);
    for (uint32_t i; size <= g->limits.max_depth && (i = next_between(&w)) != NONE;) {
        if (i == to) continue;
        size += g->point.at[i].size;
        args += g->point.at[i].args;
    }
    p->scratch = w.todo;
    return size > g->limits.max_depth || (g->limits.max_arguments && args > g->limits.max_arguments);
}

// Phase 0 lets elementwise work follow reductions and precede anything; phase 1 joins what only moves elements, so
// that a matmul has taken its epilogue by then.
static void try_dominator(partitioning *p, uint32_t i, int phase) {
    static const path_rule epilogue = {PATTERN_BROADCAST, PATTERN_BROADCAST};
    static const path_rule prologue = {PATTERN_INJECTIVE, PATTERN_OUT_FUSIBLE};
    static const path_rule movement = {PATTERN_INJECTIVE, PATTERN_INJECTIVE};
    fusion *g = p->g;
    const fusion_point *at = &g->point.at[i];
    uint32_t to = at->dominator;
    if (at->group_kind == PATTERN_OPAQUE || to == NONE || fusion_root(g, i) == fusion_root(g, to)) return;
    if (at->group_kind == PATTERN_REDUCTION) return;
    const path_rule *rule = at->group_kind == PATTERN_OUT_FUSIBLE ? &epilogue
                            : at->group_kind <= PATTERN_BROADCAST ? &prologue
                                                                  : &movement;
    if (rule == &epilogue && (phase != 0 || at->up != PATTERN_ELEMENTWISE)) return;
    if (rule == &prologue && (at->up > PATTERN_REDUCTION || g->point.at[to].feeds)) return;
    if (rule == &movement && phase != 1) return;
    if (!too_large(p, i, to) && path_fits(p, i, to, *rule)) fuse(p, i, to);
}

// All users of a point as one group; NONE if there are several.
static uint32_t only_user(fusion *g, uint32_t i) {
    uint32_t group = NONE;
    for (uint32_t k = g->point.at[i].first_edge; k != NONE; k = g->edge.at[k].next) {
        uint32_t user = fusion_root(g, g->edge.at[k].to);
        if (group != NONE && user != group) return NONE;
        group = user;
    }
    return group;
}

// Paper, Figure 9: what computes the elements of a matmul's operand by index alone (an unpacked weight, a transpose)
// goes into the loops that read it. Elements that cost more than that to compute are better kept.
static void try_consumer(partitioning *p, uint32_t i) {
    fusion *g = p->g;
    fusion_point *at = &g->point.at[i];
    if (at->outside || at->kind != PATTERN_INJECTIVE || at->work == WORK_SOME) return;
    uint32_t user = only_user(g, i);
    if (user == NONE || user == fusion_root(g, i) || !g->point.at[user].anchored) return;
    if (g->point.at[user].size + at->size > g->limits.max_depth) return;
    at->feeds = true;
    merge(g, i, user);
}

void fusion_partition(fusion *g) {
    partitioning p = {.g = g};
    for (uint32_t i = g->point.len; g->limits.producers && i-- > 0;) try_consumer(&p, i);
    for (int phase = 0; phase < 2; phase++)
        for (uint32_t i = 0; i < g->point.len; i++) try_dominator(&p, i, phase);
}
