// facts.c - what is assumed in a scope: sums that are not negative, zero or not zero, and ranges of monomials.
#include "expr/facts.h"
#include "base/size.h"

enum { MAX_NEGATION_DEPTH = 64, MAX_SPREAD = 64, MAX_LOOKED_AT = 64 };

facts *facts_push_in(arena *mem, expr_session *s, const facts *outer) {
    facts *f = ARENA_NEW(mem, facts, 1);
    f->s = s;
    f->mem = mem;
    f->outer = outer;
    f->ranges = MAP_IN(mem);
    f->cache = ARENA_NEW(mem, facts_cache, 1);
    return f;
}

facts *facts_new(expr_session *s) { return facts_push_in(s->mem, s, NULL); }

facts *facts_push(const facts *outer) { return facts_push_in(outer->mem, outer->s, outer); }

// Versions only grow, so their sum tells whether any scope has learnt something.
static uint64_t stamp_of(const facts *f) {
    uint64_t stamp = 1;
    for (; f; f = f->outer) stamp += f->version;
    return stamp;
}

facts_cache *facts_cached(const facts *f) {
    uint64_t stamp = stamp_of(f);
    if (f->cache->stamp != stamp) {
        f->cache->stamp = stamp;
        f->cache->ranges = f->cache->reduced = f->cache->failed = f->cache->simplified = MAP_IN(f->mem);
    }
    return f->cache;
}

// From a contradiction everything follows; callers say so rather than search.
bool facts_contradict(const facts *f) {
    while (f && !f->contradictory) f = f->outer;
    return f;
}

// ---- conditions ----

// Divides by the common factor of the coefficients: 2*n - 3 >= 0 says n - 2 >= 0, and 2*n - 3 == 0 is false.
static void divide_condition(fact_kind kind, poly_sum *v) {
    int64_t g = 0;
    for (uint32_t i = 0; i < v->count; i++) g = gcd_of(g, v->term[i].coef);
    if (g > 1 && kind == FACT_NOT_NEGATIVE) v->constant = (int64_t)wide_floor_div(v->constant, g) * g;
    if (g > 1 && v->constant % g != 0) {
        v->count = 0;
        v->constant = 1;
    } else if (g > 1) {
        sum_divide_exactly(v, g);
    }
    if (kind == FACT_NOT_NEGATIVE || !v->count || v->term[0].coef > 0) return;
    poly_sum minus; // x == 0 and -x == 0 are one condition
    sum_start(&minus, v->type);
    sum_add(&minus, sum_see(v), -1);
    if (!minus.failed) sum_set(v, sum_see(&minus));
}

// Wrapping arithmetic tells nothing about the integers it stands for.
static bool compares_exact_integers(expr_session *s, const expr *e) {
    return e->op >= EXPR_EQ && e->op <= EXPR_GE && canon_is_exact(e->in[0]->type) && !canon_has_effect(s, e->in[0]) &&
           !canon_has_effect(s, e->in[1]);
}

// One form for all comparisons: a sum that is not negative, zero, or not zero.
bool condition_sum(expr_session *s, const expr *e, fact_kind *kind, poly_sum *out) {
    if (!compares_exact_integers(s, e)) return false;
    poly_view a = poly_see(canon_sum(s, e->in[0])), b = poly_see(canon_sum(s, e->in[1]));
    bool greater = e->op == EXPR_GT || e->op == EXPR_GE, strict = e->op == EXPR_GT || e->op == EXPR_LT;
    bool ordered = greater || strict || e->op == EXPR_LE;
    *kind = ordered ? FACT_NOT_NEGATIVE : e->op == EXPR_EQ ? FACT_ZERO : FACT_NOT_ZERO;
    sum_set(out, ordered && !greater ? b : a);
    sum_add(out, ordered && !greater ? a : b, -1);
    if (strict) sum_add_constant(out, -1);
    if (out->failed) return false;
    divide_condition(*kind, out);
    return true;
}

// Deep conjunctions are negated as a whole beyond the limit, which only loses proofs.
static const expr *negate_at(expr_session *s, const expr *c, int depth) {
    static const expr_op opposite[EXPR_OPS] = {[EXPR_EQ] = EXPR_NE,  [EXPR_NE] = EXPR_EQ, [EXPR_LT] = EXPR_GE,
                                               [EXPR_GE] = EXPR_LT,  [EXPR_LE] = EXPR_GT, [EXPR_GT] = EXPR_LE,
                                               [EXPR_AND] = EXPR_OR, [EXPR_OR] = EXPR_AND};
    if (c->op == EXPR_NOT) return c->in[0];
    if (c->op == EXPR_INT) return expr_bool(s, !c->as.ival);
    bool logic = c->op == EXPR_AND || c->op == EXPR_OR;
    if (logic && depth < MAX_NEGATION_DEPTH)
        return expr_binary(s, opposite[c->op], negate_at(s, c->in[0], depth + 1), negate_at(s, c->in[1], depth + 1));
    bool compares = c->op >= EXPR_EQ && c->op <= EXPR_GE;
    bool of_floats = compares && dtype_is_float(c->in[0]->type); // not (a < b) is not a >= b where there is a NaN
    if (compares && (!of_floats || c->op <= EXPR_NE)) return expr_binary(s, opposite[c->op], c->in[0], c->in[1]);
    return expr_not(s, c);
}

const expr *negate_condition(expr_session *s, const expr *condition) { return negate_at(s, condition, 0); }

// ---- learning ----

// A bit for each variable, on the way through at most `budget` nodes; false where that is not enough.
static bool add_vars(const expr *e, uint64_t *bits, int *budget) {
    if (--*budget < 0) return false;
    if (e->op == EXPR_VAR) *bits |= 1ull << (e->id & 63);
    for (uint32_t i = 0; i < e->count; i++)
        if (!add_vars(e->in[i], bits, budget)) return false;
    return true;
}

// All variables where they are too many to look at.
static uint64_t vars_of_sum(const poly *sum) {
    uint64_t bits = 0;
    int budget = MAX_LOOKED_AT;
    for (uint32_t i = 0; i < sum->count; i++)
        if (!add_vars(sum->term[i].mono, &bits, &budget)) return ~0ull;
    return bits;
}

// What holds of a monomial may count wherever all its variables are; no variables count everywhere.
static void note_change(facts *f, const expr *mono) {
    uint64_t bits = 0;
    int budget = MAX_LOOKED_AT;
    if (!add_vars(mono, &bits, &budget)) bits = 0;
    VEC_PUSH(f->mem, &f->changes, bits);
    f->version++;
}

// What this scope alone knows; made on first use.
static range *own_range(facts *f, const expr *mono) {
    range *r = map_find(&f->ranges, MAP_KEY(mono));
    if (r) return r;
    r = ARENA_NEW(f->mem, range, 1);
    *r = range_all();
    map_put(&f->ranges, MAP_KEY(mono), r);
    return r;
}

static bool range_same(range a, range b) {
    return a.low == b.low && a.high == b.high && a.multiple == b.multiple && a.remainder == b.remainder;
}

// A monomial that has no value left makes the scope contradictory.
static void narrow(facts *f, const expr *mono, range to) {
    range *r = own_range(f, mono);
    range met = range_meet(*r, to);
    if (range_same(met, *r)) return;
    *r = met;
    note_change(f, mono);
    if (range_is_empty(met)) f->contradictory = true;
}

static range at_least(wide low) { return (range){.low = low, .high = RANGE_INFINITE, .multiple = 1}; }
static range at_most(wide high) { return (range){.low = -RANGE_INFINITE, .high = high, .multiple = 1}; }

// coef * mono + constant is not negative, or zero.
static void learn_single(facts *f, fact_kind kind, poly_view v) {
    wide k = v.term[0].coef, c = v.constant;
    const expr *mono = v.term[0].mono;
    if (kind == FACT_ZERO && c % k == 0)
        narrow(f, mono, range_of((int64_t)(-c / k), (int64_t)(-c / k)));
    else if (kind == FACT_ZERO)
        f->contradictory = true;
    else if (k > 0)
        narrow(f, mono, at_least(-wide_floor_div(c, k)));
    else
        narrow(f, mono, at_most(wide_floor_div(c, -k)));
}

// x % c == r where x is a monomial plus a constant.
static void learn_congruence(facts *f, poly_view v) {
    const expr *mod = v.term[0].mono;
    int64_t c, r;
    if (mod->op != EXPR_FLOOR_MOD || !expr_const_int(mod->in[1], &c) || c <= 0) return;
    if (v.term[0].coef != 1 && v.term[0].coef != -1) return;
    poly_view of = poly_see(canon_sum(f->s, mod->in[0]));
    if (of.count != 1 || of.term[0].coef != 1) return;
    if (!int_mul(v.constant, -v.term[0].coef, &r) || !int_sub(r, of.constant, &r)) return;
    range known = range_all();
    known.multiple = c;
    known.remainder = r % c < 0 ? r % c + c : r % c;
    narrow(f, of.term[0].mono, known);
}

// A value at the end of its range that is excluded moves the end.
static void learn_exclusion(facts *f, poly_view v) {
    if (v.count != 1 || v.term[0].coef != 1) return;
    wide excluded = -(wide)v.constant;
    range r = mono_range(f->s, v.term[0].mono, f);
    if (r.low == excluded) narrow(f, v.term[0].mono, at_least(excluded + 1));
    if (r.high == excluded) narrow(f, v.term[0].mono, at_most(excluded - 1));
}

// What a sum of several terms says about each of them, given the ranges of the others: j >= 0 and m - j - 1 >= 0 make
// m >= 1.
static void spread_sum(facts *f, fact_kind kind, poly_view v) {
    for (uint32_t i = 0; i < v.count; i++) {
        wide k = v.term[i].coef;
        poly_sum rest;
        if (k == INT64_MIN) continue;
        sum_set(&rest, v);
        sum_add_term(&rest, v.term[i].mono, -v.term[i].coef);
        if (rest.failed) continue;
        range r = sum_range(f->s, sum_see(&rest), f), own = mono_range(f->s, v.term[i].mono, f);
        bool from_above = r.high < RANGE_INFINITE, from_below = kind == FACT_ZERO && r.low > -RANGE_INFINITE;
        wide size = k > 0 ? k : -k, low = own.low, high = own.high;
        if (from_above && k > 0) low = -wide_floor_div(r.high, size);
        if (from_above && k < 0) high = wide_floor_div(r.high, size);
        if (from_below && k > 0) high = wide_floor_div(-r.low, size);
        if (from_below && k < 0) low = -wide_floor_div(-r.low, size);
        if (low <= own.low && high >= own.high) continue;
        narrow(f, v.term[i].mono, (range){.low = low, .high = high, .multiple = 1});
    }
}

// Whether a range has changed, since it was asked, that may count for what the fact says.
static bool may_say_more(const facts *f, const fact *known, uint32_t seen) {
    bool more = !seen;
    for (uint32_t i = seen; i <= f->changes.len && !more; i++) more = !(f->changes.at[i - 1] & ~known->vars);
    return more;
}

static void ask_fact(facts *f, const fact *known, uint32_t *seen) {
    bool excludes = known->kind == FACT_NOT_ZERO;
    if ((!excludes && known->sum->count <= 1) || !may_say_more(f, known, *seen)) return;
    *seen = f->changes.len + 1;
    if (excludes)
        learn_exclusion(f, poly_see(known->sum));
    else
        spread_sum(f, known->kind, poly_see(known->sum));
}

// Of the k-th fact of outer scopes, from the newest.
static uint32_t *seen_of_outer(facts *f, uint32_t k) {
    while (f->outer_seen.len <= k) VEC_PUSH(f->mem, &f->outer_seen, 0);
    return &f->outer_seen.at[k];
}

// Lets all facts of the scopes say what follows from the one just learnt.
static void spread(facts *f) {
    uint32_t looked_at = 0, outer = 0;
    uint64_t stamp = stamp_of(f->outer);
    if (f->outer_stamp != stamp) f->outer_seen.len = 0;
    f->outer_stamp = stamp;
    for (const facts *g = f; g; g = g->outer)
        for (uint32_t i = g->list.len; i-- > 0 && looked_at < MAX_SPREAD;) {
            const fact *known = &g->list.at[i];
            if (known->kind == FACT_TRUE) continue;
            looked_at++;
            ask_fact(f, known, g == f ? &f->list.at[i].seen : seen_of_outer(f, outer++));
        }
}

static bool holds_constant(fact_kind kind, int64_t k) {
    return kind == FACT_NOT_NEGATIVE ? k >= 0 : (k == 0) == (kind == FACT_ZERO);
}

// A fact is used in three ways: as a row of linear systems (the list), as the range of one monomial, and for what it
// says about the other variables of older facts (spread).
void facts_learn(facts *f, fact_kind kind, const poly *sum) {
    f->version++;
    if (!sum->count) {
        f->contradictory = f->contradictory || !holds_constant(kind, sum->constant);
        return;
    }
    fact new = {.kind = kind, .sum = sum, .vars = vars_of_sum(sum)};
    VEC_PUSH(f->mem, &f->list, new);
    const poly *folded = canon_folded(f->s, sum);
    if (kind != FACT_NOT_ZERO && sum->count == 1) learn_single(f, kind, poly_see(sum));
    if (kind != FACT_NOT_ZERO && folded != sum && folded->count == 1) learn_single(f, kind, poly_see(folded));
    if (kind == FACT_ZERO && folded->count == 1) learn_congruence(f, poly_see(folded));
    spread(f);
}

// One conjunct in canonical form.
static void learn_condition(facts *f, const expr *c) {
    poly_sum sum;
    fact_kind kind;
    if (c->op == EXPR_INT) {
        f->contradictory = f->contradictory || !c->as.ival;
    } else if (condition_sum(f->s, c, &kind, &sum)) {
        facts_learn(f, kind, poly_new(f->s->mem, &sum));
    } else {
        fact new = {.kind = FACT_TRUE, .cond = c};
        VEC_PUSH(f->mem, &f->list, new);
        f->version++;
    }
}

// Canonical first, so that nested negations are gone and comparisons have their sums.
void facts_assume(facts *f, const expr *condition) {
    VEC_PUSH(f->mem, &f->given, condition);
    f->version++;
    if (canon_has_effect(f->s, condition)) return;
    expr_list open = {0};
    VEC_PUSH(f->mem, &open, expr_canon(f->s, condition));
    while (open.len) {
        const expr *c = open.at[--open.len];
        if (c->op != EXPR_AND) {
            learn_condition(f, c);
            continue;
        }
        VEC_PUSH(f->mem, &open, c->in[1]);
        VEC_PUSH(f->mem, &open, c->in[0]);
    }
}

// The range of a loop or of an iteration variable.
void facts_range(facts *f, const expr *var, const expr *low, const expr *extent) {
    expr_session *s = f->s;
    const expr *first = low ? low : expr_int(s, var->type, 0);
    facts_assume(f, expr_binary(s, EXPR_LE, first, var));
    if (!extent) return;
    const expr *end = expr_is_int(first, 0) ? extent : expr_binary(s, EXPR_ADD, first, extent);
    facts_assume(f, expr_binary(s, EXPR_LT, var, end));
}

// ---- asking ----

bool facts_say_not_zero(const facts *f, poly_view v) {
    for (; f; f = f->outer)
        for (uint32_t i = 0; i < f->list.len; i++) {
            if (f->list.at[i].kind != FACT_NOT_ZERO) continue;
            poly_sum sum;
            poly_view known = poly_see(f->list.at[i].sum);
            sum_set(&sum, v);
            sum_add(&sum, known, v.count && v.term[0].coef < 0 ? 1 : -1);
            if (!sum.failed && !sum.count && !sum.constant) return true;
        }
    return false;
}

// Canonical forms are one pointer, so this is a comparison of pointers.
bool facts_say_true(const facts *f, const expr *canonical) {
    for (; f; f = f->outer)
        for (uint32_t i = 0; i < f->list.len; i++)
            if (f->list.at[i].kind == FACT_TRUE && f->list.at[i].cond == canonical) return true;
    return false;
}
