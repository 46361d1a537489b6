// plan_pool.c - TVM's planner: a storage is as large as the first tensor in it and is used again when it is free.
//
// Sizes are constants (of the tensor, or by the bounds of its symbols) or symbolic; a symbolic one fits a free storage
// of provably the same size, a constant one the smallest free storage that is at least as large, else the largest
// smaller one, which grows. Storages of the same dtype and within a factor of 16 are considered. Free storages of a
// branch are forgotten behind it: what was allocated there does not dominate what follows.
#include "pass/plan.h"

enum { MATCH_RANGE = 16 };

typedef struct pool {
    planning *p;
    memory_plan *out;
    VEC(uint32_t) free;      // storages, in order of release
    const graph_body **home; // of each storage
} pool;

// What is asked of a free storage besides its size.
typedef struct wish {
    const graph_body *body;
    dtype type;
    const node *alloc;
} wish;

static bool is_open(const pool *q, uint32_t storage, wish w) {
    const plan_storage *s = &q->out->storages.at[storage];
    return q->home[storage] == w.body && dtype_equal(s->type, w.type) && are_neighbours(s->like, w.alloc);
}

// Free storages of constant size: the smallest that fits, else the largest.
static uint32_t find_constant(const pool *q, int64_t bytes, wish w) {
    uint32_t best = PLAN_NONE;
    int64_t best_bytes = 0;
    for (uint32_t i = 0; i < q->free.len; i++) {
        int64_t have;
        uint32_t s = q->free.at[i];
        if (!is_open(q, s, w) || !expr_const_int(q->out->storages.at[s].bytes, &have)) continue;
        if (have < bytes / MATCH_RANGE || have / MATCH_RANGE > bytes) continue;
        bool fits = have >= bytes, best_fits = best != PLAN_NONE && best_bytes >= bytes;
        bool better = best == PLAN_NONE || (fits ? !best_fits || have < best_bytes : !best_fits && have > best_bytes);
        if (!better) continue;
        best = s;
        best_bytes = have;
    }
    return best;
}

static uint32_t find_symbolic(const pool *q, const expr *bytes, wish w) {
    for (uint32_t i = 0; i < q->free.len; i++) {
        uint32_t s = q->free.at[i];
        const expr *have = q->out->storages.at[s].bytes;
        if (is_open(q, s, w) && !expr_const_int(have, &(int64_t){0}) &&
            prove_equal(q->p->m->exprs, have, bytes, q->p->facts))
            return s;
    }
    return PLAN_NONE;
}

static void take(pool *q, uint32_t storage) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < q->free.len; i++)
        if (q->free.at[i] != storage) q->free.at[kept++] = q->free.at[i];
    q->free.len = kept;
}

static uint32_t new_storage(pool *q, const live_tensor *t, const expr *bytes, wish w) {
    uint32_t index = q->out->storages.len;
    plan_storage s = {.bytes = bytes, .type = w.type, .before = t->alloc, .like = t->alloc};
    VEC_PUSH(q->p->m->mem, &q->out->storages, s);
    q->home[index] = w.body;
    return index;
}

static void place(pool *q, uint32_t number) {
    const live_tensor *t = &q->p->l->tensors.at[number];
    const expr *bytes = size_bound(q->p, q->p->size[number]);
    int64_t constant, have;
    const expr *const *dim;
    uint32_t rank;
    wish w = {.body = t->home, .type = alloc_type(t->alloc, &dim, &rank), .alloc = t->alloc};
    bool known = expr_const_int(bytes, &constant);
    uint32_t s = PLAN_NONE;
    // A result outlives the call: it gets a storage of its size, not a larger one that is free.
    if (!t->escapes) s = known ? find_constant(q, constant, w) : find_symbolic(q, bytes, w);
    if (s == PLAN_NONE)
        s = new_storage(q, t, bytes, w);
    else if (known && expr_const_int(q->out->storages.at[s].bytes, &have) && have < constant)
        q->out->storages.at[s].bytes = bytes;
    take(q, s);
    q->out->place[number] = (plan_place){s, expr_i64(q->p->m->exprs, 0)};
}

// The tensors that are used last at each position, as chains in their order: *next of one is the following one + 1.
static uint32_t *list_ends(const planning *p, uint32_t *next) {
    const live_list *list = &p->l->tensors;
    uint32_t *first = ARENA_NEW(p->m->mem, uint32_t, (size_t)p->l->end + 1);
    for (uint32_t i = list->len; i-- > 0;) {
        next[i] = first[list->at[i].to];
        first[list->at[i].to] = i + 1;
    }
    return first;
}

void plan_pool(planning *p, memory_plan *out) {
    pool q = {.p = p, .out = out, .home = ARENA_NEW(p->m->mem, const graph_body *, p->l->tensors.len)};
    uint32_t next = 0, *after = ARENA_NEW(p->m->mem, uint32_t, p->l->tensors.len), *ends = list_ends(p, after);
    for (uint32_t position = 0; position < p->l->end; position++) {
        for (; next < p->l->tensors.len && p->l->tensors.at[next].from == position; next++) {
            const live_tensor *t = &p->l->tensors.at[next];
            if (p->size[next] && !t->crosses && !t->passed) place(&q, next);
        }
        for (uint32_t i = ends[position]; i; i = after[i - 1]) // free from now on
            if (out->place[i - 1].storage != PLAN_NONE) VEC_PUSH(p->m->mem, &q.free, out->place[i - 1].storage);
    }
}
