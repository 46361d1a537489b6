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

// The kind of the group that the point is in by now.
static pattern_kind group_kind(fusion *g, uint32_t i) { return g->point.at[fusion_root(g, i)].group_kind; }

// The root of the later group stays root: the group's result is its last member's.
static void merge(fusion *g, uint32_t child, uint32_t into) {
    child = fusion_root(g, child);
    into = fusion_root(g, into);
    if (child == into) return;
    fusion_point *c = &g->point.at[child], *p = &g->point.at[into];
    c->parent = into;
    g->point.at[p->last].next = child;
    p->last = c->last;
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

// Marks of this walk keep a point that is reached twice from being visited twice.
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

// Everything between goes into the group, so everything between must fit.
static bool path_fits(partitioning *p, uint32_t from, uint32_t to, path_rule rule) {
    between w = walk_between(p->g, from, to, p->scratch);
    bool fits = true;
    for (uint32_t i; fits && (i = next_between(&w)) != NONE;)
        fits = group_kind(p->g, i) <= (i == to ? rule.end_max : rule.between_max);
    p->scratch = w.todo;
    return fits;
}

// The points between come along, each with its own group.
static void fuse(partitioning *p, uint32_t from, uint32_t to) {
    between w = walk_between(p->g, from, to, p->scratch);
    merge(p->g, from, to);
    for (uint32_t i; (i = next_between(&w)) != NONE;) merge(p->g, i, to);
    p->scratch = w.todo;
}

// What the calls of a group read from outside of the groups in `inside`.
static void outer_reads(const fusion *g, uint32_t root, const map *inside, map *reads) {
    for (uint32_t i = root; i != NONE; i = g->point.at[i].next) {
        const node *n = g->point.at[i].n, *args = n->op == &op_call_tir ? n->in[1] : NULL;
        for (uint32_t k = 0; args && k < args->count; k++) {
            uintptr_t known = (uintptr_t)map_find(&g->index, MAP_KEY(args->in[k]));
            bool inner = known && map_has(inside, g->point.at[known - 1].parent);
            if (!inner) map_put(reads, MAP_KEY(args->in[k]), reads);
        }
    }
}

// Tensors that these groups would take as one, and the one that they would give. Only asked where there is a limit.
static uint32_t arguments_of(fusion *g, const map *roots) {
    map reads = MAP_IN(g->m->mem);
    for (uint32_t i = 0; i < roots->len; i++) {
        uint32_t root = (uint32_t)roots->entry[i].key;
        for (uint32_t k = root; k != NONE; k = g->point.at[k].next) fusion_root(g, k); // parents are roots from now on
    }
    for (uint32_t i = 0; i < roots->len; i++) outer_reads(g, (uint32_t)roots->entry[i].key, roots, &reads);
    return reads.len + 1;
}

static bool too_large(partitioning *p, uint32_t from, uint32_t to) {
    fusion *g = p->g;
    map roots = MAP_IN(g->m->mem);
    uint32_t size = g->point.at[fusion_root(g, to)].size + g->point.at[from].size;
    between w = walk_between(g, from, to, p->scratch);
    if (g->limits.max_arguments) map_put(&roots, fusion_root(g, from), g);
    for (uint32_t i; size <= g->limits.max_depth && (i = next_between(&w)) != NONE;) {
        if (g->limits.max_arguments) map_put(&roots, fusion_root(g, i), g);
        if (i != to) size += g->point.at[i].size;
    }
    p->scratch = w.todo;
    if (size > g->limits.max_depth) return true;
    return g->limits.max_arguments && arguments_of(g, &roots) > g->limits.max_arguments;
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
    if (at->outside || at->kind > PATTERN_INJECTIVE || at->work == WORK_SOME) return;
    uint32_t user = only_user(g, i);
    if (user == NONE || user == fusion_root(g, i) || !g->point.at[user].anchored) return;
    if (g->point.at[user].size + at->size > g->limits.max_depth) return;
    map roots = MAP_IN(g->m->mem);
    map_put(&roots, user, g);
    map_put(&roots, fusion_root(g, i), g);
    if (g->limits.max_arguments && arguments_of(g, &roots) > g->limits.max_arguments) return;
    at->feeds = true;
    merge(g, i, user);
}

void fusion_partition(fusion *g) {
    partitioning p = {.g = g};
    for (uint32_t i = g->point.len; g->limits.producers && i-- > 0;) try_consumer(&p, i);
    for (int phase = 0; phase < 2; phase++)
        for (uint32_t i = 0; i < g->point.len; i++) try_dominator(&p, i, phase);
}
