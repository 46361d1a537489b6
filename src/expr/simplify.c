// simplify.c - smaller expressions of the same value: bottom-up, rules and canonical forms, whichever is cheaper.
//
//     n*4 + (n + 1)*4 - 4                              ->   n*8
//     (i*4 + j)//4              given 0 <= j < 4       ->   i
//     T.Select(i < n, min(i, n), 0)                    ->   T.Select(i < n, i, 0)     the condition counts inside
#include "expr/reduce.h"
#include "expr/rules.h"

enum {
    MAX_NESTED = 16, // conditions that count inside one another
    MAX_ROUNDS = 8,  // of rules and canonical form on one node
    MAX_COST = 1 << 30,
};

// ---- cost ----

// Divisions cost most on every machine.
static uint32_t cost_of_op(const expr *e) {
    if (e->op == EXPR_FLOOR_DIV || e->op == EXPR_FLOOR_MOD || e->op == EXPR_TRUNC_DIV || e->op == EXPR_TRUNC_MOD)
        return 3;
    return e->op == EXPR_GT || e->op == EXPR_GE ? 2 : 1; // turned ones are the normal form
}

// Operands are older than their users, so this ends; a stack of nodes replaces recursion.
uint32_t canon_cost(expr_session *s, const expr *root) {
    canon_at(s, root);
    expr_list *open = &s->canon->stack;
    uint32_t base = open->len;
    VEC_PUSH(s->mem, open, root);
    while (open->len > base) {
        const expr *e = open->at[open->len - 1];
        uint32_t cost = cost_of_op(e), waiting = open->len;
        for (uint32_t i = 0; i < e->count; i++) {
            uint32_t one = canon_at(s, e->in[i])->cost;
            if (!one) VEC_PUSH(s->mem, open, e->in[i]);
            cost = cost + one > MAX_COST ? MAX_COST : cost + one;
        }
        if (open->len > waiting) continue;
        canon_at(s, e)->cost = cost;
        open->len--;
    }
    return canon_at(s, root)->cost;
}

// ---- one node whose operands are done ----

typedef struct simplifying {
    expr_session *s;
    arena *mem;
    const facts *f;
    map *done; // MAP_KEY(node) -> expr
    unsigned depth;
} simplifying;

static bool is_exact(const simplifying *x, const expr *e) {
    return canon_is_exact(e->type) && !canon_has_effect(x->s, e) && !(canon_at(x->s, e)->flags & NODE_DATA);
}

static bool fits(const poly_sum *v) {
    bool fit = !v->failed;
    for (uint32_t i = 0; i < v->count && fit; i++) fit = dtype_wrap(v->type, v->term[i].coef) == v->term[i].coef;
    return fit && dtype_wrap(v->type, v->constant) == v->constant;
}

// Products and remainders that have one value under the facts become it: n % 8 is 0 where 8 divides n.
static void settle_constants(const simplifying *x, poly_sum *v) {
    for (uint32_t i = v->count; i-- > 0;) {
        int64_t k;
        poly_term t = v->term[i];
        if (!range_constant(mono_range(x->s, t.mono, x->f), &k)) continue;
        poly_view constant = {.type = v->type, .constant = k};
        sum_add(v, constant, t.coef);
        sum_add_term(v, t.mono, -t.coef);
    }
}

// The canonical form under the facts, or e.
static const expr *canonical(const simplifying *x, const expr *e) {
    poly_sum v;
    reduce_sum(x->s, &v, poly_see(canon_sum(x->s, e)), x->f, true);
    if (!fits(&v)) return e;
    fold_mods(x->s, &v);
    settle_constants(x, &v);
    return fits(&v) ? poly_render(x->s, sum_see(&v)) : e;
}

static bool is_condition(const expr *e) { return dtype_family_of(e->type) == FAMILY_BOOL && dtype_lanes(e->type) == 1; }

// A condition that the facts prove or refute is a constant.
static const expr *decided(const simplifying *x, const expr *e) {
    bool compares = (e->op >= EXPR_EQ && e->op <= EXPR_GE && canon_is_exact(e->in[0]->type)) || e->op == EXPR_VAR;
    if (!compares || canon_has_effect(x->s, e)) return e;
    if (prove_true(x->s, e, x->f)) return expr_bool(x->s, true);
    if (prove_true(x->s, negate_condition(x->s, e), x->f)) return expr_bool(x->s, false);
    return expr_canon(x->s, e);
}

// The simplified form must not be worse than what was written.
static const expr *cheaper(const simplifying *x, const expr *a, const expr *b) {
    return canon_cost(x->s, b) < canon_cost(x->s, a) ? b : a;
}

// Rules and the canonical form compete; the cheaper one goes on.
static const expr *simplify_one(const simplifying *x, const expr *e) {
    for (int round = 0; round < MAX_ROUNDS; round++) {
        const expr *before = e;
        const expr *ruled = rules_rewrite(x->s, rules_of(x->s), e, x->f, NULL);
        if (canon_cost(x->s, ruled) <= canon_cost(x->s, e)) e = ruled; // rules turn things one way
        if (is_exact(x, e) && e->op != EXPR_INT)
            e = cheaper(x, e, canonical(x, e));
        else if (is_condition(e))
            e = cheaper(x, e, decided(x, e));
        if (e == before) break;
    }
    return e;
}

// ---- all nodes ----

static const expr *simplify_in(simplifying *x, const expr *e);

// The operand under one more condition. Where it is evaluated all the same when the condition fails (`eager`), it may
// not lose its value there: max(j, 0) of a divisor must not become 0.
static const expr *simplify_under(simplifying *x, const expr *condition, bool holds, const expr *e, bool eager) {
    if (eager && canon_is_partial(x->s, e)) return simplify_in(x, e);
    facts *inner = facts_push_in(x->mem, x->s, x->f);
    facts_assume(inner, holds ? condition : negate_condition(x->s, condition));
    map done = MAP_IN(x->mem);
    simplifying y = {.s = x->s, .mem = x->mem, .f = inner, .done = &done, .depth = x->depth + 1};
    return simplify_in(&y, e);
}

// Nodes whose operands are evaluated under a condition.
static bool opens_scope(const simplifying *x, const expr *e) {
    bool lazy = e->op == EXPR_CALL && e->as.intrin->id == INTRIN_IF_THEN_ELSE;
    bool scope = e->op == EXPR_SELECT || lazy || e->op == EXPR_AND || e->op == EXPR_OR;
    return scope && x->depth < MAX_NESTED && dtype_lanes(e->in[0]->type) == 1 && !canon_has_effect(x->s, e->in[0]);
}

// In p and q: does p hold whenever q does? In p or q: does p fail whenever q does?
static bool follows(const simplifying *x, bool conjunction, const expr *q, const expr *p) {
    if (q->op == EXPR_INT || canon_has_effect(x->s, q)) return false;
    facts *inner = facts_push_in(x->mem, x->s, x->f);
    facts_assume(inner, conjunction ? q : negate_condition(x->s, q));
    return prove_true(x->s, conjunction ? p : negate_condition(x->s, p), inner);
}

// The first operand is done; the others are simplified where it holds, or does not.
static const expr *simplify_scoped(simplifying *x, const expr *e, const expr *first) {
    const expr *in[3] = {first};
    bool logic = e->op == EXPR_AND || e->op == EXPR_OR;
    if (first->op == EXPR_INT && logic)
        return (e->op == EXPR_AND) == (first->as.ival != 0) ? simplify_in(x, e->in[1]) : first;
    if (first->op == EXPR_INT) return simplify_in(x, e->in[first->as.ival ? 1 : 2]);
    for (uint32_t i = 1; i < e->count; i++)
        in[i] = simplify_under(x, first, logic ? e->op == EXPR_AND : i == 1, e->in[i], e->op != EXPR_CALL);
    if (logic && follows(x, e->op == EXPR_AND, in[1], first)) return in[1];
    return simplify_one(x, expr_with(x->s, e, in));
}

// NULL: not yet. Numbers are as simple as can be.
static const expr *done_of(const simplifying *x, const expr *e) {
    return e->op == EXPR_INT ? e : map_find(x->done, MAP_KEY(e));
}

static const expr *simplify_plain(simplifying *x, const expr *e) {
    if (!e->count) return simplify_one(x, e);
    const expr **in = ARENA_NEW(x->mem, const expr *, e->count);
    for (uint32_t i = 0; i < e->count; i++) in[i] = done_of(x, e->in[i]);
    if (e->op == EXPR_LET) in[0] = e->in[0];
    return simplify_one(x, expr_with(x->s, e, in));
}

// What must be done before e; nodes that open a scope do the rest themselves.
static const expr *first_missing(const simplifying *x, const expr *e) {
    uint32_t needed = opens_scope(x, e) ? 1 : e->count;
    for (uint32_t i = 0; i < needed; i++)
        if (!done_of(x, e->in[i])) return e->in[i];
    return NULL;
}

static const expr *simplify_in(simplifying *x, const expr *root) {
    expr_list *open = &x->s->canon->stack;
    uint32_t base = open->len;
    VEC_PUSH(x->s->mem, open, root);
    while (open->len > base) {
        const expr *e = open->at[open->len - 1];
        const expr *known = done_of(x, e), *missing = known ? NULL : first_missing(x, e);
        if (missing) {
            VEC_PUSH(x->s->mem, open, missing);
            continue;
        }
        open->len--;
        if (known) continue;
        const expr *first = opens_scope(x, e) ? done_of(x, e->in[0]) : NULL;
        const expr *to = first ? simplify_scoped(x, e, first) : simplify_plain(x, e);
        map_put(x->done, MAP_KEY(e), (void *)(uintptr_t)to);
    }
    return done_of(x, root);
}

const expr *expr_simplify(expr_session *s, const expr *e, const facts *f) {
    const expr *before = f ? map_find(&facts_cached(f)->simplified, MAP_KEY(e)) : NULL;
    if (before) return before;
    canon_at(s, e); // the table exists
    arena *mem = arena_new();
    const facts *known = f ? f : facts_push_in(mem, s, NULL);
    simplifying x = {.s = s, .mem = mem, .f = known, .done = &facts_cached(known)->simplified};
    const expr *to = simplify_in(&x, e);
    arena_free(mem);
    return to;
}
