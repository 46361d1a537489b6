// plan_arena.c - our planner: one storage for all tensors whose sizes are known at the same time, each at an offset.
//
// The largest tensor is placed first, each at the lowest offset where it provably overlaps with nothing that lives at
// the same time, for all values of the symbols (as in TFLite's greedy-by-size planner, with proofs in place of
// comparisons). A tensor whose size needs a symbol that match_cast defines waits for an arena that is allocated after
// it.
#include "pass/plan.h"
#include <stdlib.h>

// A tensor on its way to its place.
typedef struct item {
    uint32_t tensor;
    const expr *size; // a multiple of PLAN_ALIGN
    int64_t estimate;
    const expr *offset; // once placed
    int64_t at;         // its estimate
} item;
typedef VEC(item *) item_list;

typedef struct arena_plan {
    planning *p;
    const node *defines; // the match_cast behind which all sizes are known; NULL: the start
    item_list items;     // in order of placing
    const expr *top;     // the end of all that is placed
    int64_t top_at;
} arena_plan;

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

static bool live_together(const planning *p, const item *a, const item *b) {
    const live_tensor *x = &p->l->tensors.at[a->tensor], *y = &p->l->tensors.at[b->tensor];
    return x->from <= y->to && y->from <= x->to;
}

static bool ends_before(const arena_plan *a, const expr *end, const expr *start) {
    return end == start || prove_less_equal(a->p->m->exprs, end, start, a->p->facts);
}

// Does t at this offset keep clear of everything placed that lives with it?
static bool fits(const arena_plan *a, const item *t, const expr *offset, uint32_t placed) {
    const expr *end = binary(a, EXPR_ADD, offset, t->size);
    for (uint32_t i = 0; i < placed; i++) {
        const item *u = a->items.at[i];
        if (!live_together(a->p, t, u)) continue;
        if (ends_before(a, end, u->offset)) continue;
        if (ends_before(a, binary(a, EXPR_ADD, u->offset, u->size), offset)) continue;
        return false;
    }
    return true;
}

// The lowest of: the start, and the ends of what lives at the same time. Else behind everything.
static void place(arena_plan *a, item *t, uint32_t placed) {
    t->offset = a->top;
    t->at = a->top_at;
    const expr *zero = expr_i64(a->p->m->exprs, 0);
    if (fits(a, t, zero, placed)) {
        t->offset = zero;
        t->at = 0;
        return;
    }
    for (uint32_t i = 0; i < placed; i++) {
        const item *u = a->items.at[i];
        int64_t at = u->at + u->estimate;
        if (at >= t->at || !live_together(a->p, t, u)) continue;
        const expr *candidate = binary(a, EXPR_ADD, u->offset, u->size);
        if (!fits(a, t, candidate, placed)) continue;
        t->offset = candidate;
        t->at = at;
    }
}

static void raise_top(arena_plan *a, const item *t) {
    expr_session *s = a->p->m->exprs;
    const expr *end = binary(a, EXPR_ADD, t->offset, t->size);
    if (t->at + t->estimate > a->top_at) a->top_at = t->at + t->estimate;
    if (prove_less_equal(s, end, a->top, a->p->facts)) return;
    a->top = prove_less_equal(s, a->top, end, a->p->facts) ? end : binary(a, EXPR_MAX, a->top, end);
}

static int by_size(const void *a, const void *b) {
    const item *x = *(item *const *)a, *y = *(item *const *)b;
    if (x->estimate != y->estimate) return x->estimate > y->estimate ? -1 : 1;
    return (x->tensor > y->tensor) - (x->tensor < y->tensor);
}

static void place_all(arena_plan *a) {
    a->top = expr_i64(a->p->m->exprs, 0);
    qsort(a->items.at, a->items.len, sizeof *a->items.at, by_size);
    for (uint32_t i = 0; i < a->items.len; i++) {
        place(a, a->items.at[i], i);
        raise_top(a, a->items.at[i]);
    }
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
    plan_storage s = {.bytes = a->top, .type = DTYPE_OF(U8), .before = first_binding(a)};
    CHECK(s.before);
    VEC_PUSH(a->p->m->mem, &out->storages, s);
    for (uint32_t i = 0; i < a->items.len; i++)
        out->place[a->items.at[i]->tensor] = (plan_place){index, a->items.at[i]->offset};
}

// --- All arenas.

typedef VEC(arena_plan *) arena_list;

static arena_plan *arena_for(planning *p, arena_list *list, const node *defines) {
    for (uint32_t i = 0; i < list->len; i++)
        if (list->at[i]->defines == defines) return list->at[i];
    arena_plan *a = ARENA_NEW(p->m->mem, arena_plan, 1);
    a->p = p;
    a->defines = defines;
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
        VEC_PUSH(p->m->mem, &arena_for(p, &list, definer_of(p, &definers, t->size))->items, t);
    }
    for (uint32_t i = 0; i < list.len; i++) {
        place_all(list.at[i]);
        finish(list.at[i], out);
    }
}
