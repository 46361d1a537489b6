// linear.c - indices as sums of loop variables, and the stretches of integers that such sums run through.
#include "base/size.h"
#include "schedule/inside.h"

enum { STEP_MOST = 1 << 30, TERMS_MOST = 16 };

static void add_rest(schedule *sch, linear *l, const expr *e, int64_t factor) {
    if (factor != 1) e = expr_binary(sch->s, EXPR_MUL, e, expr_int(sch->s, e->type, factor));
    l->rest = l->rest ? expr_binary(sch->s, EXPR_ADD, l->rest, e) : e;
}

// Steps stay far from overflow.
static bool small(int64_t v) { return v > -STEP_MOST && v < STEP_MOST; }

// Adds factor * e to l: products by constants and sums are taken apart, what is free of x goes to the rest.
static bool gather(schedule *sch, const expr *e, const expr *x, int64_t factor, linear *l) {
    int64_t k;
    if (!small(factor) || !small(l->step)) return false;
    if (e == x) {
        l->step += factor;
        return true;
    }
    if (!expr_uses_var(e, x)) {
        add_rest(sch, l, e, factor);
        return true;
    }
    if (e->op == EXPR_ADD || e->op == EXPR_SUB)
        return gather(sch, e->in[0], x, factor, l) && gather(sch, e->in[1], x, e->op == EXPR_SUB ? -factor : factor, l);
    bool left = e->op == EXPR_MUL && expr_const_int(e->in[0], &k);
    if (e->op != EXPR_MUL || (!left && !expr_const_int(e->in[1], &k)) || !small(k)) return false;
    return gather(sch, e->in[left], x, factor * k, l);
}

bool linear_in(schedule *sch, const expr *e, const expr *x, linear *out) {
    *out = (linear){0};
    if (!expr_is_index(e) || !gather(sch, e, x, 1, out)) return false;
    if (!out->rest) out->rest = expr_int(sch->s, e->type, 0);
    return true;
}

bool linear_reach(schedule *sch, const expr *e, const stmt_list *loops, reach *out) {
    *out = (reach){.base = e};
    for (uint32_t i = 0; i < loops->len; i++) {
        const stmt *l = loops->at[i];
        linear part;
        int64_t extent, most;
        if (!expr_uses_var(out->base, l->as.loop.var)) continue;
        if (!linear_in(sch, out->base, l->as.loop.var, &part) || !expr_is_int(l->as.loop.min, 0)) return false;
        if (!expr_const_int(l->as.loop.extent, &extent) || extent < 1 || !int_mul(part.step, extent - 1, &most))
            return false;
        int64_t *end = most < 0 ? &out->low : &out->high;
        if (!int_add(*end, most, end)) return false;
        out->base = part.rest;
    }
    return true;
}

// --- Stretches.

typedef struct term {
    int64_t step;
    const stmt *loop;
} term;

typedef struct term_list {
    term at[TERMS_MOST];
    uint32_t count;
} term_list;

static void insert(term_list *terms, term t) {
    uint32_t i = terms->count++;
    for (; i > 0 && terms->at[i - 1].step > t.step; i--) terms->at[i] = terms->at[i - 1];
    terms->at[i] = t;
}

// The loops that move `value`, by their steps; *rest is what remains of it.
static bool find_terms(schedule *sch, const expr *value, const stmt_list *loops, bool *used, term_list *terms,
                       const expr **rest) {
    *rest = value;
    for (uint32_t i = 0; i < loops->len; i++) {
        linear l;
        const expr *var = loops->at[i]->as.loop.var;
        if (!expr_uses_var(*rest, var)) continue;
        if (used[i] || terms->count == TERMS_MOST || !linear_in(sch, *rest, var, &l)) return false;
        *rest = l.rest;
        if (!l.step) continue;
        if (l.step < 0 || !dtype_equal(var->type, value->type)) return false;
        used[i] = true;
        insert(terms, (term){l.step, loops->at[i]});
    }
    return true;
}

bool stretch_of(schedule *sch, const expr *value, const stmt_list *loops, bool *used, stretch *out) {
    term_list terms = {.count = 0};
    const expr *low;
    int64_t next = 1;
    if (!find_terms(sch, value, loops, used, &terms, &low)) return false;
    *out = (stretch){.extent = expr_int(sch->s, value->type, 1)};
    for (uint32_t i = 0; i < terms.count; i++) {
        const stmt *l = terms.at[i].loop;
        const expr *step = expr_int(sch->s, value->type, terms.at[i].step);
        int64_t extent = 0;
        if (terms.at[i].step != next) return false;
        if (i + 1 < terms.count &&
            (!expr_const_int(l->as.loop.extent, &extent) || extent < 1 || !int_mul(next, extent, &next)))
            return false;
        if (!expr_is_int(l->as.loop.min, 0))
            low = expr_binary(sch->s, EXPR_ADD, low, expr_binary(sch->s, EXPR_MUL, step, l->as.loop.min));
        out->extent = expr_binary(sch->s, EXPR_MUL, l->as.loop.extent, step);
    }
    out->low = expr_simplify(sch->s, low, sch->facts);
    out->extent = expr_simplify(sch->s, out->extent, sch->facts);
    return true;
}

// --- Guards.

static bool uses_any(const expr *e, const stmt_list *loops) {
    for (uint32_t i = 0; i < loops->len; i++)
        if (expr_uses_var(e, loops->at[i]->as.loop.var)) return true;
    return false;
}

// `left < right + plus`, where left is one of the values plus what does not move: a limit of its stretch.
static bool narrow(schedule *sch, const expr *left, const expr *right, bool upper, int64_t plus,
                   const expr *const *value, stretch *of, uint32_t count, const stmt_list *loops) {
    if (uses_any(right, loops)) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!dtype_equal(left->type, value[i]->type) || !uses_any(value[i], loops)) continue;
        const expr *offset = expr_simplify(sch->s, expr_binary(sch->s, EXPR_SUB, left, value[i]), NULL);
        if (uses_any(offset, loops)) continue;
        const expr *limit = expr_binary(sch->s, EXPR_SUB, right, offset);
        if (plus) limit = expr_binary(sch->s, EXPR_ADD, limit, expr_int(sch->s, limit->type, plus));
        const expr **at = upper ? &of[i].end : &of[i].start;
        limit = expr_simplify(sch->s, limit, sch->facts);
        *at = *at ? expr_binary(sch->s, upper ? EXPR_MIN : EXPR_MAX, *at, limit) : limit;
        return true;
    }
    return false;
}

bool stretch_guard(schedule *sch, const expr *where, const expr *const *value, stretch *of, uint32_t count,
                   const stmt_list *loops, const facts *f) {
    if (!where || surely(sch, where, f)) return true; // of loops around, whatever f knows of them
    if (where->op == EXPR_AND)
        return stretch_guard(sch, where->in[0], value, of, count, loops, f) &&
               stretch_guard(sch, where->in[1], value, of, count, loops, f);
    if (!expr_op_compares(where->op) || !expr_is_index(where->in[0])) return false;
    const expr *a = where->in[0], *b = where->in[1];
    if (where->op == EXPR_GT || where->op == EXPR_GE) {
        const expr *swap = a;
        a = b;
        b = swap;
    } else if (where->op != EXPR_LT && where->op != EXPR_LE) {
        return false;
    }
    bool strict = where->op == EXPR_LT || where->op == EXPR_GT;
    return narrow(sch, a, b, true, strict ? 0 : 1, value, of, count, loops) ||
           narrow(sch, b, a, false, strict ? 1 : 0, value, of, count, loops);
}
