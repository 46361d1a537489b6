// look.c - questions about expressions, and the walk that answers them: every distinct node once, no recursion.
#include "expr/expr.h"

enum { SMALL_NODES = 64 };

bool expr_is_int(const expr *e, int64_t value) { return e->op == EXPR_INT && e->as.ival == value; }

bool expr_const_int(const expr *e, int64_t *out) {
    if (e->op != EXPR_INT) return false;
    *out = e->as.ival;
    return true;
}

bool expr_is_index(const expr *e) { return dtype_is_int(e->type) && dtype_lanes(e->type) == 1; }
bool expr_is_choice(const expr *e) { return e->op == EXPR_CALL && e->as.intrin->id == INTRIN_IF_THEN_ELSE; }

bool expr_joins(const expr *e) {
    return e->op == EXPR_ADD || e->op == EXPR_MUL || e->op == EXPR_MAX || e->op == EXPR_MIN;
}

static void put_off(expr_walk *w, const expr *e) {
    if (w->few_waiting < WALK_FEW)
        w->waiting[w->few_waiting++] = e;
    else
        VEC_PUSH(w->mem, &w->more_waiting, e);
}

static const expr *take_waiting(expr_walk *w) {
    if (w->more_waiting.len) return w->more_waiting.at[--w->more_waiting.len];
    return w->few_waiting ? w->waiting[--w->few_waiting] : NULL;
}

static bool was_seen(const expr_walk *w, const expr *e) {
    for (uint32_t i = 0; i < w->few_seen; i++)
        if (w->seen[i] == e) return true;
    return w->more_seen.len && map_has(&w->more_seen, MAP_KEY(e));
}

// Distinct nodes once each: shared operands would make a tree of exponential size.
expr_walk expr_walk_from(arena *mem, const expr *e) {
    expr_walk w;
    w.mem = mem;
    w.few_seen = w.few_waiting = 0;
    w.more_seen = MAP_IN(mem);
    w.more_waiting = (expr_list){0};
    put_off(&w, e);
    return w;
}

// Any value but NULL marks a node as seen.
void expr_walk_skip(expr_walk *w, const expr *e) {
    if (w->few_seen < WALK_FEW)
        w->seen[w->few_seen++] = e;
    else
        map_put(&w->more_seen, MAP_KEY(e), w);
}

// A node is marked when it is taken, not when it is put on the stack: so the order is that of first appearance, and the
// stack may hold a node several times (at most once per edge).
const expr *expr_walk_next(expr_walk *w) {
    for (const expr *e; (e = take_waiting(w));) {
        if (was_seen(w, e)) continue;
        expr_walk_skip(w, e);
        for (uint32_t i = e->count; i-- > 0;) put_off(w, e->in[i]);
        return e;
    }
    return NULL;
}

void expr_free_vars(const expr *e, arena *mem, expr_list *out) {
    expr_walk w = expr_walk_from(mem, e);
    while ((e = expr_walk_next(&w))) {
        if (e->op == EXPR_LET) expr_walk_skip(&w, e->in[0]);
        if (e->op == EXPR_VAR) VEC_PUSH(mem, out, e);
    }
}

// Recurses into small expressions; gives up (*nodes reaches SMALL_NODES) on larger ones.
static bool uses_small(const expr *e, const expr *var, unsigned *nodes) {
    if (e->id <= var->id || !e->count) return e == var; // operands are older than their users
    if (*nodes == SMALL_NODES) return false;
    ++*nodes;
    for (uint32_t i = 0; i < e->count; i++)
        if (uses_small(e->in[i], var, nodes)) return true;
    return false;
}

// Stops at the first use.
bool expr_uses_var(const expr *e, const expr *var) {
    unsigned nodes = 0;
    if (uses_small(e, var, &nodes)) return true;
    if (nodes < SMALL_NODES) return false;
    arena *mem = arena_new();
    expr_walk w = expr_walk_from(mem, e);
    while ((e = expr_walk_next(&w)) && e != var) continue;
    arena_free(mem);
    return e == var;
}

void expr_loaded_buffers(const expr *e, map *out) {
    expr_walk w = expr_walk_from(out->mem, e);
    while ((e = expr_walk_next(&w)))
        if (e->op == EXPR_LOAD) map_put(out, MAP_KEY(e->as.buffer), (void *)(uintptr_t)e->as.buffer);
}
