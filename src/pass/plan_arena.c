// plan_arena.c - our planner: one storage for all tensors whose sizes are known at the same time, each at an offset.
//
// A plan says of each two tensors that live at the same time which of them lies below the other. A tensor then begins
// where the highest of those below it ends: right for all values of the symbols, with nothing to prove. Proofs only
// keep the offsets short: of the ends that an offset is the largest of, those provably below another are left out.
// Which plan needs the fewest bytes is searched by numbers, for several values of the symbols at once. A tensor whose
// size needs a symbol that match_cast defines waits for an arena that is allocated after it.
#include "pass/plan.h"
#include <stdlib.h>
#include <string.h>

enum {
    BINDINGS = 10,    // values of the symbols that plans are compared by
    SAMPLES = 8,      // and those that refute what can't be proved
    ENDS_MAX = 32,    // an offset that is the largest of more is not worth its evaluation
    GOOD_ENOUGH = 20, // thousandths above what no plan can do without
    ROUNDS = 60,
    SEARCH_WORK = 8000000, // of the search: the second counts tensors that were looked at
};
static const int64_t estimate_max = (int64_t)1 << 40; // sums of estimates do not overflow

// A tensor on its way to its place.
typedef struct item {
    uint32_t tensor;
    const expr *size;     // a multiple of PLAN_ALIGN
    int64_t *bytes, *end; // by binding: its estimated size; where it ends in the plan that is looked at
    int64_t rank;
    int64_t promoted, best; // placed before all with less; what it was in the best plan so far
    bool in_crowd;          // lives at the moment when most bytes live
    int64_t at;             // where it was placed, by the sizes of one binding
    uint32_t turn;          // when it was placed
    expr_list ends;         // once placed for good: it ends at the largest
} item;
typedef VEC(item *) item_list;

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
    item_list items;     // in order of placing, then from low to high
    uint32_t bindings;
    int64_t least[BINDINGS]; // by binding: bytes no plan can do without
    map ranges;              // MAP_KEY(symbol) -> interval *
    map known;               // proofs: ids of two ends -> PROVED or FAILED
    map samples;             // id of an end -> int64_t[SAMPLES]: its values for some symbols
    map sums;                // ids of an end and a size -> const expr *
    expr_list tops;          // the ends of all that is placed, without those below others
    item_list near;          // those found by list_neighbours
    int64_t work;
} arena_plan;

enum { PROVED = 1, FAILED = 2 };

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

// --- What lives with what.

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

static bool live_together(const arena_plan *a, const item *t, const item *u) {
    const live_tensor *x = life_of(a->p, t), *y = life_of(a->p, u);
    return x->from <= y->to && y->from <= x->to && !are_exclusive(a->p, x, y);
}

static void add_neighbour(arena_plan *a, const item *t, item *u) {
    a->work++;
    if (!are_exclusive(a->p, life_of(a->p, t), life_of(a->p, u))) VEC_PUSH(a->p->m->mem, &a->near, u);
}

// Those that live when t begins, and those that begin while it lives: not all that is placed is looked at.
static const item_list *list_neighbours(arena_plan *a, const item *t) {
    const live_tensor *l = life_of(a->p, t);
    a->near.len = 0;
    a->work += 16;
    for (uint32_t part = l->from + a->lives.leaves; part; part /= 2)
        for (uint32_t i = 0; i < a->lives.within[part].len; i++) add_neighbour(a, t, a->lives.within[part].at[i]);
    for (uint32_t at = l->from + 1; at <= l->to; at++)
        for (uint32_t i = 0; i < a->lives.start[at].len; i++) add_neighbour(a, t, a->lives.start[at].at[i]);
    return &a->near;
}

// --- Numbers: values for symbols, sizes under them.

// Small, odd, large; in the last two bindings every other symbol is small.
static const int64_t wishes[] = {0, 1, 17, 100, 512, 4096, 1 << 20};
static int64_t wish_of(uint32_t binding, uint32_t symbol) {
    if (binding < COUNT(wishes)) return wishes[binding];
    return (binding + symbol) % 2 ? 1 : 2048;
}

// The next value that the symbol can have. (Asking for bounds takes time.)
static int64_t within(arena_plan *a, const expr *var, int64_t x) {
    interval *range_of = map_find(&a->ranges, MAP_KEY(var));
    if (!range_of) {
        range_of = ARENA_NEW(a->p->m->mem, interval, 1);
        *range_of = expr_bounds(a->p->m->exprs, var, a->p->facts);
        map_put(&a->ranges, MAP_KEY(var), range_of);
    }
    if (range_of->has_high && x > range_of->high) x = range_of->high;
    return range_of->has_low && x < range_of->low ? range_of->low : x;
}

static int64_t estimate(arena_plan *a, const expr *size, const expr_list *symbols, uint32_t binding) {
    expr_env env = expr_env_new(a->p->m->mem, a->p->m->exprs);
    scalar value;
    for (uint32_t i = 0; i < symbols->len; i++)
        expr_env_set(&env, symbols->at[i], (scalar){.i = within(a, symbols->at[i], wish_of(binding, i))});
    bool known = expr_eval(size, &env, &value) == EXPR_DONE && value.i < estimate_max;
    return known ? value.i : estimate_max;
}

// The first binding is the typical one, of constants the only one.
static int64_t *estimates(arena_plan *a, const expr *size, const expr_list *symbols) {
    int64_t *bytes = ARENA_NEW(a->p->m->mem, int64_t, BINDINGS);
    bytes[0] = size_estimate(a->p, size);
    if (bytes[0] > estimate_max) bytes[0] = estimate_max;
    for (uint32_t b = 1; b < a->bindings; b++) bytes[b] = estimate(a, size, symbols, b - 1);
    return bytes;
}

// Few sizes are distinct, and bounds of symbols cost time.
static void measure(arena_plan *a) {
    arena *mem = a->p->m->mem;
    expr_list symbols = {0};
    map known = MAP_IN(mem);
    for (uint32_t i = 0; i < a->items.len; i++) {
        const expr *size = a->items.at[i]->size;
        if (map_has(&known, size->id)) continue;
        map_put(&known, size->id, a);
        expr_free_vars(size, mem, &symbols);
    }
    a->bindings = symbols.len ? BINDINGS : 1;
    known = MAP_IN(mem);
    for (uint32_t i = 0; i < a->items.len; i++) {
        item *t = a->items.at[i];
        t->bytes = map_find(&known, t->size->id);
        if (!t->bytes) map_put(&known, t->size->id, t->bytes = estimates(a, t->size, &symbols));
        t->end = ARENA_NEW(mem, int64_t, BINDINGS);
    }
}

// --- Orders of placing: which is best depends on the function, so all are tried.

typedef enum place_order { BY_SIZE, BY_CROWD, BY_AREA, BY_SHARE, BY_LENGTH, BY_START, PLACE_ORDERS } place_order;

// The largest part of all bytes that live, in thousandths, over the bindings.
static int64_t share_of(const arena_plan *a, const item *t) {
    int64_t most = 0;
    for (uint32_t b = 0; b < a->bindings; b++) {
        int64_t share = t->bytes[b] / (a->least[b] / 1000 + 1);
        if (share > most) most = share;
    }
    return most;
}

static int64_t rank_of(const arena_plan *a, place_order order, uint32_t binding, const item *t) {
    const live_tensor *l = life_of(a->p, t);
    int64_t length = (int64_t)l->to - l->from + 1, bytes = t->bytes[binding];
    switch (order) {
    case BY_SIZE: return bytes;
    case BY_CROWD: return t->in_crowd ? INT64_MAX / 2 : bytes;
    case BY_AREA: return bytes / 64 * length;
    case BY_SHARE: return share_of(a, t);
    case BY_LENGTH: return length;
    case BY_START: return -(int64_t)l->from;
    case PLACE_ORDERS: break;
    }
    return 0;
}

// The moment when most bytes live; those bytes.
static uint32_t crowded_moment(const arena_plan *a, uint32_t binding, int64_t *change, int64_t *bytes) {
    uint32_t end = a->p->l->end, moment = 0;
    int64_t sum = 0;
    *bytes = 0;
    memset(change, 0, (end + 2) * sizeof *change);
    for (uint32_t i = 0; i < a->items.len; i++) {
        const live_tensor *l = life_of(a->p, a->items.at[i]);
        change[l->from] += a->items.at[i]->bytes[binding];
        change[l->to + 1] -= a->items.at[i]->bytes[binding];
    }
    for (uint32_t at = 0; at <= end; at++) {
        sum += change[at];
        if (sum <= *bytes) continue;
        *bytes = sum;
        moment = at;
    }
    return moment;
}

static void mark_crowd(arena_plan *a) {
    int64_t *change = ARENA_NEW(a->p->m->mem, int64_t, a->p->l->end + 2);
    for (uint32_t b = a->bindings; b-- > 0;) {
        uint32_t moment = crowded_moment(a, b, change, &a->least[b]);
        for (uint32_t i = 0; i < a->items.len; i++) {
            const live_tensor *l = life_of(a->p, a->items.at[i]);
            a->items.at[i]->in_crowd = l->from <= moment && moment <= l->to;
        }
    }
}

static int by_rank(const void *a, const void *b) {
    const item *x = *(item *const *)a, *y = *(item *const *)b;
    if (x->promoted != y->promoted) return x->promoted > y->promoted ? -1 : 1;
    if (x->rank != y->rank) return x->rank > y->rank ? -1 : 1;
    if (x->bytes[0] != y->bytes[0]) return x->bytes[0] > y->bytes[0] ? -1 : 1;
    return (x->tensor > y->tensor) - (x->tensor < y->tensor);
}

// From low to high; of two at the same place the one placed first was there first.
static int by_place(const void *a, const void *b) {
    const item *x = *(item *const *)a, *y = *(item *const *)b;
    if (x->at != y->at) return x->at > y->at ? 1 : -1;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

// --- One plan: items are placed in an order, each where it fits lowest by the sizes of one binding. That says which
// lies below which; what it needs under the other bindings follows.

// Where t fits lowest between what is placed and lives with it.
static int64_t lowest_gap(arena_plan *a, const item *t, uint32_t binding) {
    const item_list *near = list_neighbours(a, t);
    int64_t at = 0;
    if (near->len) qsort(near->at, near->len, sizeof *near->at, by_place);
    for (uint32_t i = 0; i < near->len; i++) {
        const item *u = near->at[i];
        if (u->at >= at + t->bytes[binding]) break;
        if (u->at + u->bytes[binding] > at) at = u->at + u->bytes[binding];
    }
    return at;
}

static void place(arena_plan *a, place_order order, uint32_t binding) {
    for (uint32_t i = 0; i < a->items.len; i++) a->items.at[i]->rank = rank_of(a, order, binding, a->items.at[i]);
    qsort(a->items.at, a->items.len, sizeof *a->items.at, by_rank);
    clear_lives(a);
    for (uint32_t i = 0; i < a->items.len; i++) {
        item *t = a->items.at[i];
        t->at = lowest_gap(a, t, binding);
        t->turn = i;
        add_life(a, t);
    }
    qsort(a->items.at, a->items.len, sizeof *a->items.at, by_place);
}

// Where everything ends under all bindings, and the bytes needed.
static void stack(arena_plan *a, int64_t top[BINDINGS]) {
    clear_lives(a);
    memset(top, 0, BINDINGS * sizeof *top);
    for (uint32_t i = 0; i < a->items.len; i++) {
        item *t = a->items.at[i];
        const item_list *below = list_neighbours(a, t);
        for (uint32_t b = 0; b < a->bindings; b++) {
            int64_t at = 0;
            for (uint32_t k = 0; k < below->len; k++)
                if (below->at[k]->end[b] > at) at = below->at[k]->end[b];
            t->end[b] = at + t->bytes[b];
            if (t->end[b] > top[b]) top[b] = t->end[b];
        }
        add_life(a, t);
    }
}

// --- The search. What came to lie highest is placed earlier the next time (as "squeaky wheel" optimisation does): it
// is what the order treated worst.

typedef struct search {
    int64_t excess; // of the best plan: thousandths above the least, at its worst binding
    place_order order;
    uint32_t binding;
} search;

static int64_t excess_of(const arena_plan *a, const int64_t top[BINDINGS], uint32_t *worst) {
    int64_t most = 0;
    *worst = 0;
    for (uint32_t b = 0; b < a->bindings; b++) {
        int64_t excess = a->least[b] ? (int64_t)((double)(top[b] - a->least[b]) * 1000 / (double)a->least[b]) : 0;
        if (excess <= most) continue;
        most = excess;
        *worst = b;
    }
    return most;
}

static bool is_done(const arena_plan *a, const search *s) { return s->excess <= GOOD_ENOUGH || a->work > SEARCH_WORK; }

static void search_from(arena_plan *a, search *s, place_order order, uint32_t binding) {
    int64_t top[BINDINGS];
    for (uint32_t i = 0; i < a->items.len; i++) a->items.at[i]->promoted = 0;
    for (int64_t round = 1; round <= ROUNDS && !is_done(a, s); round++) {
        uint32_t worst;
        place(a, order, binding);
        stack(a, top);
        int64_t excess = excess_of(a, top, &worst);
        bool better = excess < s->excess;
        if (better) *s = (search){excess, order, binding};
        for (uint32_t i = 0; i < a->items.len; i++) {
            item *t = a->items.at[i];
            if (better) t->best = t->promoted;
            if (t->end[worst] == top[worst]) t->promoted = round;
        }
    }
}

static void find_plan(arena_plan *a) {
    search s = {.excess = INT64_MAX};
    a->work = 0;
    for (uint32_t b = 0; b < a->bindings; b++)
        for (place_order order = BY_SIZE; order < PLACE_ORDERS; order++) search_from(a, &s, order, b);
    for (uint32_t i = 0; i < a->items.len; i++) a->items.at[i]->promoted = a->items.at[i]->best;
    place(a, s.order, s.binding);
}

// --- Offsets, as expressions.

// Values for a few sizes: most of what can't be proved is refuted by one of them, which is far cheaper than a proof.
static const int64_t *samples_of(arena_plan *a, const expr *e) {
    static const int64_t wish[SAMPLES] = {0, 1, 3, 10, 37, 200, 1 << 12, 1 << 20};
    int64_t *value = map_find(&a->samples, e->id);
    expr_list vars = {0};
    if (value) return value;
    value = ARENA_NEW(a->p->m->mem, int64_t, SAMPLES);
    expr_free_vars(e, a->p->m->mem, &vars);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        expr_env env = expr_env_new(a->p->m->mem, a->p->m->exprs);
        scalar result;
        for (uint32_t v = 0; v < vars.len; v++) {
            int64_t x = wish[(i + v * (i / 2)) % SAMPLES];
            expr_env_set(&env, vars.at[v], (scalar){.i = within(a, vars.at[v], x)});
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

// A tensor that lives with one below t, and lies below that one, ends below it in any case: it need not be asked.
static bool is_covered(const arena_plan *a, const item *u, const item_list *asked) {
    for (uint32_t i = 0; i < asked->len; i++)
        if (live_together(a, u, asked->at[i])) return true;
    return false;
}

// The ends that t begins at the largest of.
static expr_list ends_below(arena_plan *a, const item *t) {
    const item_list *below = list_neighbours(a, t);
    item_list asked = {0};
    expr_list ends = {0};
    if (below->len) qsort(below->at, below->len, sizeof *below->at, by_place);
    for (uint32_t i = below->len; i-- > 0;) {
        const item *u = below->at[i];
        if (is_covered(a, u, &asked)) continue;
        VEC_PUSH(a->p->m->mem, &asked, below->at[i]);
        for (uint32_t k = 0; k < u->ends.len && ends.len <= ENDS_MAX; k++) raise(a, &ends, u->ends.at[k]);
    }
    return ends;
}

// Its offset; NULL: too long to say, the tensor gets memory of its own when the function runs.
static const expr *offset_of(arena_plan *a, item *t) {
    const expr_list below = ends_below(a, t);
    const expr *zero = expr_i64(a->p->m->exprs, 0);
    if (below.len > ENDS_MAX) return NULL;
    t->ends = (expr_list){0};
    if (!below.len) VEC_PUSH(a->p->m->mem, &t->ends, end_of(a, zero, t->size));
    for (uint32_t i = 0; i < below.len; i++) VEC_PUSH(a->p->m->mem, &t->ends, end_of(a, below.at[i], t->size));
    for (uint32_t i = 0; i < t->ends.len; i++) raise(a, &a->tops, t->ends.at[i]);
    add_life(a, t);
    return largest_of(a, &below);
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

static void finish(arena_plan *a, memory_plan *out) {
    uint32_t index = out->storages.len;
    plan_storage s = {.type = DTYPE_OF(U8), .before = first_binding(a), .like = a->like};
    CHECK(s.before);
    clear_lives(a);
    for (uint32_t i = 0; i < a->items.len; i++) {
        const expr *offset = offset_of(a, a->items.at[i]);
        if (offset) out->place[a->items.at[i]->tensor] = (plan_place){index, offset};
    }
    s.bytes = largest_of(a, &a->tops);
    VEC_PUSH(a->p->m->mem, &out->storages, s);
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
        arena_plan *a = arena_for(p, &list, definer_of(p, &definers, t->size), p->l->tensors.at[i].alloc);
        VEC_PUSH(p->m->mem, &a->items, t);
    }
    for (uint32_t i = 0; i < list.len; i++) {
        list.at[i]->ranges = list.at[i]->known = list.at[i]->sums = list.at[i]->samples = MAP_IN(p->m->mem);
        measure(list.at[i]);
        mark_crowd(list.at[i]);
        find_plan(list.at[i]);
        finish(list.at[i], out);
    }
}
