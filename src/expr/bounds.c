// bounds.c - what values an expression can take: interval and congruence, from types, facts and structure.
#include "expr/facts.h"
#include "expr/range.h"

enum { MAX_DEPTH = 48 }; // of atoms inside atoms; deeper ones have the range of all integers

typedef struct bounding {
    expr_session *s;
    const facts *f;
    unsigned depth;
} bounding;

static range bound_mono(bounding b, const expr *mono);

// Terms are bounded one by one: what they have in common is lost, except where % is folded (a - b * (a // b)).
static range bound_sum(bounding b, poly_view v) {
    range total = range_of(v.constant, v.constant);
    for (uint32_t i = 0; i < v.count; i++) {
        range r = bound_mono(b, v.term[i].mono);
        if (range_is_empty(r)) return r;
        total = range_add(total, range_scale(r, v.term[i].coef));
    }
    return total;
}

// Of operand i in its canonical, folded form. Conditions are 0 or 1.
static range bound_operand(bounding b, const expr *e, uint32_t i) {
    const expr *in = e->in[i];
    if (!expr_is_index(in)) return range_of_type(in->type);
    b.depth++;
    return bound_sum(b, poly_see(canon_folded(b.s, canon_sum(b.s, in))));
}

// Where the type cannot hold all of the range the operation may wrap.
static range clip(range r, dtype type) {
    range whole = range_of_type(type);
    return r.low >= whole.low && r.high <= whole.high ? r : whole;
}

static range bound_extremum(bounding b, const expr *e) {
    range x = bound_operand(b, e, 0), y = bound_operand(b, e, 1);
    range r = range_join(x, y);
    if (range_is_empty(x) || range_is_empty(y)) return r;
    if (e->op == EXPR_MIN)
        r.high = x.high < y.high ? x.high : y.high;
    else
        r.low = x.low > y.low ? x.low : y.low;
    return r;
}

// A value that fits keeps its range; else only the type is known.
static range bound_cast(bounding b, const expr *e) {
    if (dtype_lanes(e->in[0]->type) != 1 || dtype_is_float(e->in[0]->type)) return range_of_type(e->type);
    return clip(bound_operand(b, e, 0), e->type);
}

// & with a constant that is not negative keeps some of its bits.
static range bound_call(bounding b, const expr *e) {
    if (e->as.intrin->id == INTRIN_IF_THEN_ELSE) return range_join(bound_operand(b, e, 1), bound_operand(b, e, 2));
    range r = range_of_type(e->type);
    if (e->as.intrin->id != INTRIN_BITWISE_AND) return r;
    for (uint32_t i = 0; i < 2; i++) {
        range side = bound_operand(b, e, i);
        if (side.low < 0) continue;
        r.low = 0;
        if (side.high < r.high) r.high = side.high;
    }
    return r;
}

// Both quotients round toward zero: no further from zero than the floor.
static range bound_truncated(bounding b, const expr *e) {
    range x = bound_operand(b, e, 0), y = bound_operand(b, e, 1);
    if (x.low >= 0 && y.low > 0) return e->op == EXPR_TRUNC_DIV ? floor_div_range(x, y) : floor_mod_range(x, y);
    wide most = x.high > -x.low ? x.high : -x.low;
    return (range){.low = -most, .high = most, .multiple = 1};
}

// A size is never negative.
static range bound_var(const expr *e) {
    range r = range_of_type(e->type);
    if (e->as.var->size && r.low < 0) r.low = 0;
    return r;
}

// On both sides' ranges alone: that x - x is 0 is seen by canonical forms, which come before.
static range bound_operation(bounding b, const expr *e) {
    range x = bound_operand(b, e, 0), y = bound_operand(b, e, 1);
    if (e->op == EXPR_FLOOR_DIV) return floor_div_range(x, y);
    if (e->op == EXPR_FLOOR_MOD) return floor_mod_range(x, y);
    if (e->op == EXPR_MUL) return range_multiply(x, y);
    if (e->op == EXPR_SUB) y = range_scale(y, -1);
    return range_add(x, y);
}

// By the operation at the root of an atom, without facts about the atom itself.
static range bound_by_structure(bounding b, const expr *e) {
    int64_t k;
    if (expr_const_int(e, &k) && e->type.kind != DTYPE_U64) return range_of(k, k);
    if (e->op == EXPR_VAR) return bound_var(e);
    if (b.depth > MAX_DEPTH) return canon_is_exact(e->type) ? range_all() : range_of_type(e->type);
    if (e->op == EXPR_CAST) return bound_cast(b, e);
    if (e->op == EXPR_CALL) return bound_call(b, e);
    if (e->op == EXPR_SELECT) return range_join(bound_operand(b, e, 1), bound_operand(b, e, 2));
    if (e->op < EXPR_ADD || e->op > EXPR_MAX || e->op == EXPR_DIV) return range_of_type(e->type);
    bool wraps = !canon_is_exact(e->type) || canon_at(b.s, e)->flags & NODE_DATA;
    range r = e->op == EXPR_MIN || e->op == EXPR_MAX               ? bound_extremum(b, e)
              : e->op == EXPR_TRUNC_DIV || e->op == EXPR_TRUNC_MOD ? bound_truncated(b, e)
                                                                   : bound_operation(b, e);
    return wraps ? clip(r, e->type) : r;
}

// Equal factors stand side by side, so squares are seen: they are never negative.
static range bound_product(bounding b, const expr *const *factor, uint32_t count) {
    range product = range_of(1, 1);
    for (uint32_t i = 0; i < count;) {
        range r = bound_mono(b, factor[i]);
        bool square = i + 1 < count && factor[i] == factor[i + 1];
        if (square) {
            bool crosses_zero = r.low <= 0 && r.high >= 0;
            r = range_multiply(r, r);
            if (crosses_zero) r.low = 0;
        }
        product = range_multiply(product, r);
        i += square ? 2 : 1;
    }
    return product;
}

// All scopes that know something of this monomial count.
static range bound_afresh(bounding b, const expr *mono) {
    const expr *factor[POLY_MAX_DEGREE];
    uint32_t count = mono_factors(b.s, mono, factor);
    range r = count > 1 ? bound_product(b, factor, count) : bound_by_structure(b, mono);
    for (const facts *f = b.f; f; f = f->outer) {
        const range *said = map_find(&f->ranges, MAP_KEY(mono));
        if (said) r = range_meet(r, *said);
    }
    return r;
}

// In the memory of whoever remembers it: the session, or the scope of the facts.
static range *keep(arena *mem, range r) {
    range *kept = ARENA_NEW(mem, range, 1);
    *kept = r;
    return kept;
}

// Remembered per session without facts, and per scope with them.
static range bound_mono(bounding b, const expr *mono) {
    if (b.depth > MAX_DEPTH) return bound_afresh(b, mono);
    if (!b.f) {
        const range *known = mono->op == EXPR_VAR ? NULL : map_find(&b.s->canon->ranges, MAP_KEY(mono));
        if (known) return *known;
        range r = bound_afresh(b, mono);
        if (mono->op != EXPR_VAR) map_put(&b.s->canon->ranges, MAP_KEY(mono), keep(b.s->mem, r));
        return r;
    }
    facts_cache *cache = facts_cached(b.f);
    const range *known = map_find(&cache->ranges, MAP_KEY(mono));
    if (known) return *known;
    range r = bound_afresh(b, mono);
    map_put(&cache->ranges, MAP_KEY(mono), keep(b.f->mem, r));
    return r;
}

// Both answers are safe to be too wide, never too narrow: provers rely on that.
range sum_range(expr_session *s, poly_view v, const facts *f) { return bound_sum((bounding){.s = s, .f = f}, v); }

range mono_range(expr_session *s, const expr *mono, const facts *f) {
    return bound_mono((bounding){.s = s, .f = f}, mono);
}
