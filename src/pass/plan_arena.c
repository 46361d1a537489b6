// plan_arena.c - our planner: one storage for all tensors whose sizes are known at the same time, each at an offset.
//
// One after the other, tensors are placed at the lowest offset where it provably overlaps with nothing that lives at
// the same time, for all values of the symbols (as in TFLite's greedy-by-size planner, with proofs in place of
// comparisons). A tensor whose size needs a symbol that match_cast defines waits for an arena that is allocated after
// it.
#include "pass/plan.h"
#include <stdlib.h>

// A tensor on its way to its place.
typedef struct item {
    uint32_t tensor;
    const expr *size; // a multiple of PLAN_ALIGN
    int64_t estimate, rank;
    int64_t growth;           // the size where symbols are large
    int64_t promoted, best;   // placed before all with less; what it was in the best placing so far
    bool in_crowd;            // lives at the moment when most bytes live
    const expr *offset, *end; // once placed
    int64_t at;               // the offset's estimate
} item;
typedef VEC(item *) item_list;

// An offset that may be tried: the start, and where something placed begins or ends.
typedef struct spot {
    const expr *offset;
    int64_t at; // its estimate
} spot;

// Placed items by the positions at which they live, to find those that live at the same time as another.
typedef struct life_index {
    item_list *start;  // per position: those that begin there
    item_list *within; // a segment tree over the positions: an item lies in the nodes that make up its life
    uint32_t leaves;   // a power of two
} life_index;

typedef struct arena_plan {
    planning *p;
    life_index lives;
    const node *defines; // the match_cast behind which all sizes are known; NULL: the start
    const node *like;    // its first tensor: all are on the same device and in the same memory scope
    item_list items;     // in order of placing
    VEC(spot) spots;     // distinct, lowest first
    map known;           // proofs: ids of two offsets -> PROVED or FAILED
    map samples;         // id of an offset -> int64_t[SAMPLES]: its values for some symbols
    map sums;            // ids of an offset and a size -> const expr *
    expr_list tops;      // the ends of all that is placed, without those below others
    int64_t top_at;
} arena_plan;

enum { PROVED = 1, FAILED = 2, SAMPLES = 5 };

static const expr *binary(const arena_plan *a, expr_op what, const expr *x, const expr *y) {
    expr_session *s = a->p->m->exprs;
    return expr_simplify(s, expr_binary(s, what, x, y), a->p->facts);
}

static const expr *aligned(const planning *p, const expr *bytes) {
    expr_session *s = p->m->exprs;
    if (prove_divides(s, PLAN_ALIGN, bytes, p->facts)) return bytes;
    const expr *align = expr_i64(s, PLAN_ALIGN);
    const expr *up = expr_binary(s, EXPR_ADD, bytes, expr_i64(s, PLAN_ALIGN - 1));
    return expr_simplify(s, expr_binary(s, EXPR_MUL, expr_binary(s, EXPR_FLOOR_DIV, up, align), align), p->facts);
}

// --- Which arena: by the last match_cast that a size depends on.

static const node *definer_of(const planning *p, const map *definers, const expr *size) {
    expr_list vars = {0};
    const node *last = NULL;
    uintptr_t at = 0;
    expr_free_vars(size, p->m->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        const node *n = map_find(definers, MAP_KEY(vars.at[i]));
        uintptr_t position = n ? (uintptr_t)map_find(&p->l->position, MAP_KEY(n)) : 0;
        if (position <= at) continue;
        at = position;
        last = n;
    }
    return last;
}

// Symbols that match_casts define, first definition each.
static map list_definers(const planning *p) {
    map definers = MAP_IN(p->m->mem), known = MAP_IN(p->m->mem);
    for (uint32_t i = 0; i < p->f->params; i++) {
        expr_list vars = {0};
        ann_defined_vars(p->f->param[i]->type, p->m->mem, &vars);
        for (uint32_t v = 0; v < vars.len; v++) map_put(&known, MAP_KEY(vars.at[v]), &known);
    }
    for (uint32_t i = 0; i < p->l->position.len; i++) {
        const node *n = (const node *)(uintptr_t)p->l->position.entry[i].key;
        expr_list vars = {0};
        if (n->op->form != FORM_MATCH_CAST) continue;
        ann_defined_vars(n->type_arg[0], p->m->mem, &vars);
        for (uint32_t v = 0; v < vars.len; v++) {
            if (map_has(&known, MAP_KEY(vars.at[v]))) continue;
            map_put(&known, MAP_KEY(vars.at[v]), &known);
            map_put(&definers, MAP_KEY(vars.at[v]), (void *)(uintptr_t)n);
        }
    }
    return definers;
}

// --- Placing.

static const live_tensor *life_of(const planning *p, const item *t) { return &p->l->tensors.at[t->tensor]; }

// Nothing is placed any more. The lists keep their room: placing goes on many times.
static void clear_lives(arena_plan *a) {
    life_index *x = &a->lives;
    if (!x->leaves) {
        for (x->leaves = 1; x->leaves <= a->p->l->end;) x->leaves *= 2;
        x->start = ARENA_NEW(a->p->m->mem, item_list, x->leaves);
        x->within = ARENA_NEW(a->p->m->mem, item_list, 2 * (size_t)x->leaves);
    }
    for (uint32_t i = 0; i < x->leaves; i++) x->start[i].len = 0;
    for (uint32_t i = 0; i < 2 * x->leaves; i++) x->within[i].len = 0;
}

static void add_life(arena_plan *a, item *t) {
    const live_tensor *l = life_of(a->p, t);
    VEC_PUSH(a->p->m->mem, &a->lives.start[l->from], t);
    uint32_t low = l->from + a->lives.leaves, end = l->to + a->lives.leaves + 1;
    for (; low < end; low /= 2, end /= 2) {
        if (low & 1) VEC_PUSH(a->p->m->mem, &a->lives.within[low], t);
        if (end & 1) VEC_PUSH(a->p->m->mem, &a->lives.within[end - 1], t);
        low += low & 1;
    }
}

static void add_neighbour(const arena_plan *a, const item *t, item *u, item_list *out) {
    const live_list *list = &a->p->l->tensors;
    if (!are_exclusive(a->p, &list->at[t->tensor], &list->at[u->tensor])) VEC_PUSH(a->p->m->mem, out, u);
}

// Those that live when t begins, and those that begin while it lives: not all that is placed is looked at.
static void list_neighbours(const arena_plan *a, const item *t, item_list *out) {
    const live_tensor *l = life_of(a->p, t);
    for (uint32_t part = l->from + a->lives.leaves; part; part /= 2)
        for (uint32_t i = 0; i < a->lives.within[part].len; i++) add_neighbour(a, t, a->lives.within[part].at[i], out);
    for (uint32_t at = l->from + 1; at <= l->to; at++)
        for (uint32_t i = 0; i < a->lives.start[at].len; i++) add_neighbour(a, t, a->lives.start[at].at[i], out);
}

// Values for a few sizes: most of what can't be proved is refuted by one of them, which is far cheaper than a proof.
static const int64_t *samples_of(arena_plan *a, const expr *e) {
    static const int64_t wish[SAMPLES] = {0, 1, 37, 1 << 12, 1 << 20};
    int64_t *value = map_find(&a->samples, e->id);
    expr_list vars = {0};
    if (value) return value;
    value = ARENA_NEW(a->p->m->mem, int64_t, SAMPLES);
    expr_free_vars(e, a->p->m->mem, &vars);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        expr_env env = expr_env_new(a->p->m->mem, a->p->m->exprs);
        scalar result;
        for (uint32_t v = 0; v < vars.len; v++) {
            interval range_of = expr_bounds(a->p->m->exprs, vars.at[v], a->p->facts);
            int64_t x = range_of.has_high && wish[i] > range_of.high ? range_of.high : wish[i];
            expr_env_set(&env, vars.at[v], (scalar){.i = range_of.has_low && x < range_of.low ? range_of.low : x});
        }
        value[i] = expr_eval(e, &env, &result) == EXPR_DONE ? result.i : INT64_MIN;
    }
    map_put(&a->samples, e->id, value);
    return value;
}

static bool refuted(arena_plan *a, const expr *end, const expr *start) {
    const int64_t *x = samples_of(a, end), *y = samples_of(a, start);
    for (uint32_t i = 0; i < SAMPLES; i++)
        if (x[i] != INT64_MIN && y[i] != INT64_MIN && x[i] > y[i]) return true;
    return false;
}

// Equal layers ask the same again and again.
static bool ends_before(arena_plan *a, const expr *end, const expr *start) {
    uint64_t key = (uint64_t)end->id << 32 | start->id;
    if (end == start) return true;
    uintptr_t known = (uintptr_t)map_find(&a->known, key);
    if (!known) {
        bool proved = !refuted(a, end, start) && prove_less_equal(a->p->m->exprs, end, start, a->p->facts);
        known = proved ? PROVED : FAILED;
        map_put(&a->known, key, (void *)known);
    }
    return known == PROVED;
}

static const expr *end_of(arena_plan *a, const expr *offset, const expr *size) {
    uint64_t key = (uint64_t)offset->id << 32 | size->id;
    const expr *known = map_find(&a->sums, key);
    if (known) return known;
    known = binary(a, EXPR_ADD, offset, size);
    map_put(&a->sums, key, (void *)(uintptr_t)known);
    return known;
}

// Does t at this offset keep clear of everything placed that lives with it?
static bool fits(arena_plan *a, const item *t, const expr *offset, const item_list *neighbours) {
    const expr *end = end_of(a, offset, t->size);
    for (uint32_t i = 0; i < neighbours->len; i++) {
        const item *u = neighbours->at[i];
        if (!ends_before(a, end, u->offset) && !ends_before(a, u->end, offset)) return false;
    }
    return true;
}

static void add_spot(arena_plan *a, const expr *offset, int64_t at) {
    uint32_t i = 0;
    for (; i < a->spots.len; i++)
        if (a->spots.at[i].offset == offset) return;
    VEC_PUSH(a->p->m->mem, &a->spots, ((spot){offset, at}));
    for (i = a->spots.len - 1; i > 0 && a->spots.at[i - 1].at > at; i--) a->spots.at[i] = a->spots.at[i - 1];
    a->spots.at[i] = (spot){offset, at};
}

// Adds an end to a list of ends none of which is provably below another.
static void raise(arena_plan *a, expr_list *ends, const expr *end) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < ends->len; i++)
        if (ends_before(a, end, ends->at[i])) return;
    for (uint32_t i = 0; i < ends->len; i++)
        if (!ends_before(a, ends->at[i], end)) ends->at[kept++] = ends->at[i];
    ends->len = kept;
    VEC_PUSH(a->p->m->mem, ends, end);
}

static const expr *largest_of(const arena_plan *a, const expr_list *ends) {
    const expr *e = ends->len ? ends->at[0] : expr_i64(a->p->m->exprs, 0);
    for (uint32_t i = 1; i < ends->len; i++) e = binary(a, EXPR_MAX, e, ends->at[i]);
    return e;
}

// Behind all its neighbours it always fits.
static void place_behind(arena_plan *a, item *t, const item_list *neighbours, int64_t at) {
    expr_list ends = {0};
    for (uint32_t i = 0; i < neighbours->len; i++) raise(a, &ends, neighbours->at[i]->end);
    t->offset = largest_of(a, &ends);
    t->at = at;
}

// The lowest spot where it fits.
static void place(arena_plan *a, item *t) {
    item_list neighbours = {0};
    int64_t behind = 0;
    list_neighbours(a, t, &neighbours);
    for (uint32_t i = 0; i < neighbours.len; i++) {
        const item *u = neighbours.at[i];
        if (u->at + u->estimate > behind) behind = u->at + u->estimate;
    }
    t->offset = NULL;
    for (uint32_t i = 0; i < a->spots.len && a->spots.at[i].at <= behind && !t->offset; i++) {
        if (!fits(a, t, a->spots.at[i].offset, &neighbours)) continue;
        t->offset = a->spots.at[i].offset;
        t->at = a->spots.at[i].at;
    }
    if (!t->offset) place_behind(a, t, &neighbours, behind);
    t->end = end_of(a, t->offset, t->size);
    add_life(a, t);
    add_spot(a, t->offset, t->at);
    add_spot(a, t->end, t->at + t->estimate);
}

static void raise_top(arena_plan *a, const item *t) {
    if (t->at + t->estimate > a->top_at) a->top_at = t->at + t->estimate;
    raise(a, &a->tops, t->end);
}

// --- Orders of placing: which is best depends on the function, so all are tried.

typedef enum place_order { BY_SIZE, BY_CROWD, BY_AREA, BY_GROWTH, BY_LENGTH, BY_START, PLACE_ORDERS } place_order;
enum { GOOD_ENOUGH = 50 }; // one part in so many above what no plan can do without

static int64_t rank_of(const planning *p, place_order order, const item *t) {
    const live_tensor *l = &p->l->tensors.at[t->tensor];
    int64_t length = (int64_t)l->to - l->from + 1;
    switch (order) {
    case BY_SIZE: return t->estimate;
    case BY_CROWD: return t->in_crowd ? INT64_MAX / 2 : t->estimate;
    case BY_AREA: return t->estimate / 64 * length;
    case BY_GROWTH: return t->growth; // sizes that can be compared stand together
    case BY_LENGTH: return length;
    case BY_START: return -(int64_t)l->from;
    case PLACE_ORDERS: break;
    }
    return 0;
}

// The moment when most bytes live: no plan does with less.
static void mark_crowd(arena_plan *a, int64_t *bytes) {
    const planning *p = a->p;
    int64_t *change = ARENA_NEW(p->m->mem, int64_t, p->l->end + 2), sum = 0;
    uint32_t moment = 0;
    *bytes = 0;
    for (uint32_t i = 0; i < a->items.len; i++) {
        const live_tensor *l = &p->l->tensors.at[a->items.at[i]->tensor];
        change[l->from] += a->items.at[i]->estimate;
        change[l->to + 1] -= a->items.at[i]->estimate;
    }
    for (uint32_t at = 0; at <= p->l->end; at++) {
        sum += change[at];
        if (sum <= *bytes) continue;
        *bytes = sum;
        moment = at;
    }
    for (uint32_t i = 0; i < a->items.len; i++) {
        const live_tensor *l = &p->l->tensors.at[a->items.at[i]->tensor];
        a->items.at[i]->in_crowd = l->from <= moment && moment <= l->to;
    }
}

static int by_rank(const void *a, const void *b) {
    const item *x = *(item *const *)a, *y = *(item *const *)b;
    if (x->promoted != y->promoted) return x->promoted > y->promoted ? -1 : 1;
    if (x->rank != y->rank) return x->rank > y->rank ? -1 : 1;
    if (x->estimate != y->estimate) return x->estimate > y->estimate ? -1 : 1;
    return (x->tensor > y->tensor) - (x->tensor < y->tensor);
}

static void sort_items(arena_plan *a, place_order order) {
    for (uint32_t i = 0; i < a->items.len; i++) a->items.at[i]->rank = rank_of(a->p, order, a->items.at[i]);
    qsort(a->items.at, a->items.len, sizeof *a->items.at, by_rank);
}

static void place_in_order(arena_plan *a, place_order order) {
    a->tops.len = a->spots.len = 0;
    clear_lives(a);
    a->top_at = 0;
    add_spot(a, expr_i64(a->p->m->exprs, 0), 0);
    sort_items(a, order);
    for (uint32_t i = 0; i < a->items.len; i++) {
        place(a, a->items.at[i]);
        raise_top(a, a->items.at[i]);
    }
}

// --- The search, by numbers alone. What came to lie highest is placed earlier the next time (as "squeaky wheel"
// optimisation does): it is what the order treated worst. Rounds are few where tensors are many. The best of each order
// is placed by proof.

enum { ROUNDS_MIN = 4, ROUNDS_MAX = 100, ROUNDS_WORK = 4000000 };

typedef struct search {
    int64_t bound, least; // bytes no plan can do without; bytes of the best one
    place_order order;    // of the best
} search;

static bool is_good(const search *s, int64_t bytes) { return bytes <= s->bound + s->bound / GOOD_ENOUGH; }

// Where t fits lowest between what is placed and lives with it; those come sorted by offset.
static int64_t lowest_gap(const item_list *neighbours, const item *t) {
    int64_t at = 0;
    for (uint32_t i = 0; i < neighbours->len; i++) {
        const item *u = neighbours->at[i];
        if (u->at >= at + t->estimate) break;
        if (u->at + u->estimate > at) at = u->at + u->estimate;
    }
    return at;
}

static int by_offset(const void *a, const void *b) {
    const item *x = *(item *const *)a, *y = *(item *const *)b;
    return (x->at > y->at) - (x->at < y->at);
}

// The offsets' estimates for the items in their present order; the bytes needed.
static int64_t place_numbers(arena_plan *a, item_list *neighbours) {
    int64_t top = 0;
    clear_lives(a);
    for (uint32_t i = 0; i < a->items.len; i++) {
        item *t = a->items.at[i];
        neighbours->len = 0;
        list_neighbours(a, t, neighbours);
        if (neighbours->len) qsort(neighbours->at, neighbours->len, sizeof *neighbours->at, by_offset);
        t->at = lowest_gap(neighbours, t);
        add_life(a, t);
        if (t->at + t->estimate > top) top = t->at + t->estimate;
    }
    return top;
}

// Leaves in `promoted` what gave the fewest bytes.
static void search_numbers(arena_plan *a, const search *s, place_order order) {
    int64_t rounds = ROUNDS_WORK / ((int64_t)a->items.len * a->items.len + 1), least = INT64_MAX;
    item_list neighbours = {0};
    if (rounds < ROUNDS_MIN) rounds = ROUNDS_MIN;
    if (rounds > ROUNDS_MAX) rounds = ROUNDS_MAX;
    for (uint32_t i = 0; i < a->items.len; i++) a->items.at[i]->promoted = a->items.at[i]->best = 0;
    for (int64_t round = 1; round <= rounds && !is_good(s, least); round++) {
        sort_items(a, order);
        int64_t top = place_numbers(a, &neighbours);
        for (uint32_t i = 0; i < a->items.len; i++) {
            item *t = a->items.at[i];
            if (top < least) t->best = t->promoted;
            if (t->at + t->estimate == top) t->promoted = round;
        }
        if (top < least) least = top;
    }
    for (uint32_t i = 0; i < a->items.len; i++) a->items.at[i]->promoted = a->items.at[i]->best;
}

// Sizes that can't be compared for all values of their symbols make the numbers' order a poor one: what then lies
// highest is promoted by what proof gave, too. Proofs cost more than numbers.
enum { PROVED_ROUNDS = 12, PROVED_ITEMS = 128, CLOSE = 16 }; // CLOSE: as GOOD_ENOUGH

static void place_from(arena_plan *a, search *s, place_order order, int64_t *promoted) {
    uint32_t rounds = a->items.len <= PROVED_ITEMS ? PROVED_ROUNDS : 1;
    for (uint32_t round = 1; round <= rounds && s->least > s->bound + s->bound / CLOSE; round++) {
        place_in_order(a, order);
        bool better = a->top_at < s->least;
        if (better) s->order = order;
        for (uint32_t i = 0; i < a->items.len; i++) {
            item *t = a->items.at[i];
            if (better) promoted[t->tensor] = t->promoted;
            if (t->at + t->estimate == a->top_at) t->promoted = ROUNDS_MAX + round;
        }
        if (better) s->least = a->top_at;
    }
}

static void place_all(arena_plan *a) {
    search s = {.least = INT64_MAX};
    int64_t *promoted = ARENA_NEW(a->p->m->mem, int64_t, a->p->l->tensors.len);
    a->known = a->sums = a->samples = MAP_IN(a->p->m->mem);
    for (uint32_t i = 0; i < a->items.len; i++)
        a->items.at[i]->growth = samples_of(a, a->items.at[i]->size)[SAMPLES - 1];
    mark_crowd(a, &s.bound);
    for (place_order order = BY_SIZE; order < PLACE_ORDERS && !is_good(&s, s.least); order++) {
        search_numbers(a, &s, order);
        place_from(a, &s, order, promoted);
    }
    for (uint32_t i = 0; i < a->items.len; i++) a->items.at[i]->promoted = promoted[a->items.at[i]->tensor];
    place_in_order(a, s.order);
}

// --- Where the storage is allocated.

// The binding of `body` that a binding is, or lies in; NULL if it is not inside.
static const node *binding_in(const planning *p, const node *n, const graph_body *body) {
    while (n && map_find(&p->l->home, MAP_KEY(n)) != body) n = map_find(&p->l->owner, MAP_KEY(n));
    return n;
}

static const node *first_binding(const arena_plan *a) {
    const planning *p = a->p;
    const graph_body *body = a->defines ? map_find(&p->l->home, MAP_KEY(a->defines)) : &p->f->body;
    const node *first = NULL;
    uint32_t from = UINT32_MAX;
    for (uint32_t i = 0; i < a->items.len; i++) {
        const live_tensor *t = &p->l->tensors.at[a->items.at[i]->tensor];
        if (t->from >= from) continue;
        from = t->from;
        first = t->alloc;
    }
    return binding_in(p, first, body);
}

static void finish(const arena_plan *a, memory_plan *out) {
    uint32_t index = out->storages.len;
    plan_storage s = {.bytes = largest_of(a, &a->tops), .type = DTYPE_OF(U8), .before = first_binding(a)};
    s.like = a->like;
    CHECK(s.before);
    VEC_PUSH(a->p->m->mem, &out->storages, s);
    for (uint32_t i = 0; i < a->items.len; i++)
        out->place[a->items.at[i]->tensor] = (plan_place){index, a->items.at[i]->offset};
}

// --- All arenas.

typedef VEC(arena_plan *) arena_list;

static arena_plan *arena_for(planning *p, arena_list *list, const node *defines, const node *alloc) {
    for (uint32_t i = 0; i < list->len; i++)
        if (list->at[i]->defines == defines && are_neighbours(list->at[i]->like, alloc)) return list->at[i];
    arena_plan *a = ARENA_NEW(p->m->mem, arena_plan, 1);
    a->p = p;
    a->defines = defines;
    a->like = alloc;
    VEC_PUSH(p->m->mem, list, a);
    return a;
}

void plan_arena(planning *p, memory_plan *out) {
    arena_list list = {0};
    map definers = list_definers(p);
    for (uint32_t i = 0; i < p->l->tensors.len; i++) {
        if (!p->size[i]) continue;
        item *t = ARENA_NEW(p->m->mem, item, 1);
        t->tensor = i;
        t->size = aligned(p, size_bound(p, p->size[i]));
        t->estimate = size_estimate(p, t->size);
        arena_plan *a = arena_for(p, &list, definer_of(p, &definers, t->size), p->l->tensors.at[i].alloc);
        VEC_PUSH(p->m->mem, &a->items, t);
    }
    for (uint32_t i = 0; i < list.len; i++) {
        place_all(list.at[i]);
        finish(list.at[i], out);
    }
}
