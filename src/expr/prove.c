// prove.c - proofs: canonical difference first, then ranges, then linear reasoning with case distinctions.
#include "base/size.h"
#include "expr/linear.h"
#include "expr/models.h"
#include "expr/reduce.h"

enum {
    MAX_STEPS = 6000, // pairs of rows that one question may cost, with all that are asked on the way
    LEAST_STEPS = 100,
    PATIENCE = 32,   // given-up questions after which the next gets half of the steps; a third after twice as many
    CASE_STEPS = 10, // what a case costs beside its pairs of rows: its facts are reduced
    MAX_CASES = 4,   // nested case distinctions
    MAX_LOGIC = 40,  // nested and, or, not
};

// ---- refutation with cases ----

// One question; `used` holds what was already split on.
typedef struct question {
    expr_session *s;
    arena *mem;
    uint32_t steps;
    map used;
} question;

static bool refute(question *q, const poly_sum *sum, bool zero, const facts *f, int cases);

// An atom of the system that is one of several things: min, max, select.
static const expr *find_choice(const linear_system *x, const map *used) {
    const expr *factor[POLY_MAX_DEGREE];
    for (uint32_t i = 0; i < x->monos.len; i++) {
        uint32_t count = mono_factors(x->s, x->monos.at[i], factor);
        for (uint32_t j = 0; j < count; j++) {
            const expr *a = factor[j];
            bool chooses = a->op == EXPR_MIN || a->op == EXPR_MAX || a->op == EXPR_SELECT ||
                           (a->op == EXPR_CALL && a->as.intrin->id == INTRIN_IF_THEN_ELSE);
            if (chooses && !map_has(used, MAP_KEY(a)) && !(canon_at(x->s, a)->flags & NODE_DATA)) return a;
        }
    }
    return NULL;
}

// A fact that leaves several possibilities: a != b, p or q.
static const fact *find_open_fact(const facts *f, const map *used) {
    for (; f; f = f->outer)
        for (uint32_t i = 0; i < f->list.len; i++) {
            const fact *known = &f->list.at[i];
            bool open = known->kind == FACT_NOT_ZERO || (known->kind == FACT_TRUE && known->cond->op == EXPR_OR);
            if (open && !map_has(used, MAP_KEY(known))) return known;
        }
    return NULL;
}

// A scope for one case: nothing that is supposed there outlives it.
static facts *suppose(question *q, const facts *f) {
    facts *one = facts_push_in(q->mem, q->s, f);
    one->supposed = true;
    return one;
}

// Assumes atom == value.
static void assume_is(question *q, facts *f, const expr *atom, const expr *value) {
    poly_sum sum;
    sum_start(&sum, atom->type);
    sum_add_term(&sum, atom, 1);
    sum_add(&sum, poly_see(canon_sum(q->s, value)), -1);
    if (!sum.failed) facts_learn(f, FACT_ZERO, poly_new(q->mem, &sum));
}

// The operands of nested minima or maxima, one after the other: *e walks from the atom to the last one.
static const expr *next_operand(const expr *atom, const expr **e) {
    const expr *side = (*e)->op == atom->op ? (*e)->in[1] : *e;
    *e = (*e)->op == atom->op ? (*e)->in[0] : NULL;
    return side;
}

// Assumes that no operand is on the winning side of `value`.
static void assume_wins(question *q, facts *f, const expr *atom, const expr *value) {
    int64_t sign = atom->op == EXPR_MIN ? 1 : -1;
    for (const expr *e = atom; e;) {
        const expr *other = next_operand(atom, &e);
        poly_sum sum;
        if (other == value) continue;
        sum_start(&sum, atom->type);
        sum_add(&sum, poly_see(canon_sum(q->s, other)), sign);
        sum_add(&sum, poly_see(canon_sum(q->s, value)), -sign);
        if (!sum.failed) facts_learn(f, FACT_NOT_NEGATIVE, poly_new(q->mem, &sum));
    }
}

static bool refute_extremum(question *q, const poly_sum *sum, bool zero, const facts *f, const expr *atom, int cases) {
    for (const expr *e = atom; e;) {
        facts *one = suppose(q, f);
        const expr *value = next_operand(atom, &e);
        assume_is(q, one, atom, value);
        assume_wins(q, one, atom, value);
        if (!refute(q, sum, zero, one, cases)) return false;
    }
    return true;
}

// Where the condition holds the atom is one side, where not the other.
static bool refute_select(question *q, const poly_sum *sum, bool zero, const facts *f, const expr *atom, int cases) {
    const expr *c = atom->in[0];
    for (int side = 1; side <= 2; side++) {
        facts *one = suppose(q, f);
        facts_assume(one, side == 1 ? c : negate_condition(q->s, c));
        assume_is(q, one, atom, atom->in[side]);
        if (!refute(q, sum, zero, one, cases)) return false;
    }
    return true;
}

// sum >= 1 or sum <= -1.
static void assume_side(question *q, facts *f, const poly *sum, int64_t sign) {
    poly_sum side;
    sum_start(&side, sum->type);
    sum_add(&side, poly_see(sum), sign);
    sum_add_constant(&side, -1);
    if (!side.failed) facts_learn(f, FACT_NOT_NEGATIVE, poly_new(q->mem, &side));
}

// a != b is a < b or a > b; p or q is one of both.
static bool refute_fact(question *q, const poly_sum *sum, bool zero, const facts *f, const fact *open, int cases) {
    for (int side = 0; side < 2; side++) {
        facts *one = suppose(q, f);
        if (open->kind == FACT_TRUE)
            facts_assume(one, open->cond->in[side]);
        else
            assume_side(q, one, open->sum, side ? -1 : 1);
        if (!refute(q, sum, zero, one, cases)) return false;
    }
    return true;
}

// Shows that sum >= 0 (sum == 0) can't be.
static bool refute(question *q, const poly_sum *sum, bool zero, const facts *f, int cases) {
    if (f && facts_contradict(f)) return true;
    if (q->steps < CASE_STEPS) return false;
    q->steps -= CASE_STEPS;
    linear_system x = linear_start(q->s, f, q->mem, &q->steps);
    poly_sum reduced;
    reduce_sum(q->s, &reduced, sum_see(sum), f, false);
    linear_add(&x, &reduced, zero);
    linear_complete(&x);
    const expr *atom = find_choice(&x, &q->used);
    const fact *open = find_open_fact(f, &q->used);
    if (linear_refute(&x)) return true;
    if (!cases || !q->steps || (!atom && !open)) return false;
    const void *key = atom ? (const void *)atom : open;
    map outer = q->used;
    q->used = MAP_IN(q->mem);
    for (uint32_t i = 0; i < outer.len; i++) map_put(&q->used, outer.entry[i].key, q);
    map_put(&q->used, MAP_KEY(key), q);
    bool done = !atom                                          ? refute_fact(q, sum, zero, f, open, cases - 1)
                : atom->op == EXPR_MIN || atom->op == EXPR_MAX ? refute_extremum(q, sum, zero, f, atom, cases - 1)
                                                               : refute_select(q, sum, zero, f, atom, cases - 1);
    q->used = outer;
    return done;
}

// Two questions with one key are the same, but for a chance of 2**-64: then a proof is missed, never invented.
static uint64_t question_key(const poly_sum *sum, bool zero) {
    uint64_t key = hash_mix((uint64_t)sum->constant, zero);
    for (uint32_t i = 0; i < sum->count; i++)
        key = hash_mix(key, hash_mix(sum->term[i].mono->id, (uint64_t)sum->term[i].coef));
    return key;
}

// Questions that are given up are rare: compiling a model has none. So that a text made of them costs no minutes, the
// more there were in a session the less is spent on the next. 6.6 s became 1.2 s for 64 nested quotients
static uint32_t steps_now(const expr_session *s) {
    uint64_t steps = (uint64_t)MAX_STEPS * PATIENCE / ((uint64_t)PATIENCE + s->given_up);
    return steps > LEAST_STEPS ? (uint32_t)steps : LEAST_STEPS;
}

// New memory for each question, and a new budget unless it is asked on the way to the answer of another. Simplifying
// asks the same ones again and again: those that failed are remembered per scope, where it was not for want of steps.
static bool ask(expr_session *s, const poly_sum *sum, bool zero, const facts *f) {
    uint64_t key = question_key(sum, zero);
    if (f && map_has(&facts_cached(f)->failed, key)) return false;
    arena *mem = arena_new();
    uint32_t *outer = s->asking;
    question q = {.s = s, .mem = mem, .steps = outer ? *outer : steps_now(s), .used = MAP_IN(mem)};
    s->asking = &q.steps;
    bool refuted = refute(&q, sum, zero, f, MAX_CASES);
    s->asking = outer;
    if (outer) *outer = q.steps;
    arena_free(mem);
    if (!outer && !refuted && q.steps < CASE_STEPS) s->given_up++;
    if (f && !refuted && (!outer || q.steps >= CASE_STEPS)) map_put(&facts_cached(f)->failed, key, s);
    return refuted;
}

// ---- single conditions ----

// What is known of the sum; in the folded form, where a % b keeps its bounds.
static range folded_range(expr_session *s, const poly_sum *sum, const facts *f) {
    poly_sum folded;
    sum_set(&folded, sum_see(sum));
    fold_mods(s, &folded);
    return sum_range(s, sum_see(&folded), f);
}

// Cheapest question first; most are decided by the range alone.
bool prove_not_negative(expr_session *s, poly_view v, const facts *f) {
    poly_sum sum, negated;
    if (f && facts_contradict(f)) return true;
    if (!v.count) return v.constant >= 0;
    reduce_sum(s, &sum, v, f, false);
    range r = folded_range(s, &sum, f);
    if (range_is_empty(r) || r.low >= 0) return true;
    if (r.high < 0 || models_refute(s, f, FACT_NOT_NEGATIVE, v)) return false;
    sum_start(&negated, v.type);
    sum_add(&negated, v, -1);
    sum_add_constant(&negated, -1);
    return !negated.failed && ask(s, &negated, false, f);
}

// Both a >= 0 and a <= 0; a range or a congruence without zero saves the work.
bool prove_zero(expr_session *s, poly_view v, const facts *f) {
    poly_sum sum, minus;
    if (f && facts_contradict(f)) return true;
    if (!v.count) return v.constant == 0;
    reduce_sum(s, &sum, v, f, false);
    if (!sum.count) return sum.constant == 0;
    range r = folded_range(s, &sum, f);
    if (range_is_empty(r)) return true;
    if (r.low > 0 || r.high < 0 || (r.multiple > 1 && r.remainder)) return false;
    if (models_refute(s, f, FACT_ZERO, v)) return false;
    sum_start(&minus, v.type);
    sum_add(&minus, v, -1);
    return !minus.failed && prove_not_negative(s, v, f) && prove_not_negative(s, sum_see(&minus), f);
}

bool prove_not_zero(expr_session *s, poly_view v, const facts *f) {
    poly_sum sum;
    if (f && facts_contradict(f)) return true;
    if (!v.count) return v.constant != 0;
    reduce_sum(s, &sum, v, f, false);
    if (f && facts_say_not_zero(f, sum_see(&sum))) return true;
    range r = folded_range(s, &sum, f);
    if (r.low > 0 || r.high < 0 || (r.multiple != 1 && r.remainder)) return true;
    if (models_refute(s, f, FACT_NOT_ZERO, v)) return false;
    sum_set(&sum, v);
    return ask(s, &sum, true, f);
}

// ---- conditions ----

static bool prove_at(expr_session *s, const expr *c, const facts *f, int depth);

// By the kind of what condition_sum found.
static bool prove_comparison(expr_session *s, fact_kind kind, const poly_sum *sum, const facts *f) {
    switch (kind) {
    case FACT_NOT_NEGATIVE: return prove_not_negative(s, sum_see(sum), f);
    case FACT_ZERO: return prove_zero(s, sum_see(sum), f);
    case FACT_NOT_ZERO: return prove_not_zero(s, sum_see(sum), f);
    case FACT_TRUE: break;
    }
    return false;
}

// p or q: one of them, or q where p does not hold.
static bool prove_or(expr_session *s, const expr *c, const facts *f, int depth) {
    if (prove_at(s, c->in[0], f, depth) || prove_at(s, c->in[1], f, depth)) return true;
    arena *mem = arena_new();
    facts *other = facts_push_in(mem, s, f);
    facts_assume(other, negate_condition(s, c->in[0]));
    bool proved = prove_at(s, c->in[1], other, depth);
    arena_free(mem);
    return proved;
}

// Two conditions that say the same (want_equal) or the opposite.
static bool prove_equivalent(expr_session *s, const expr *a, const expr *b, bool want_equal, const facts *f,
                             int depth) {
    const expr *not_a = negate_condition(s, a), *other = want_equal ? b : negate_condition(s, b);
    return prove_at(s, expr_binary(s, EXPR_OR, not_a, other), f, depth) &&
           prove_at(s, expr_binary(s, EXPR_OR, a, negate_condition(s, other)), f, depth);
}

// A select of conditions: each side where it is chosen.
static bool prove_select(expr_session *s, const expr *c, const facts *f, int depth) {
    const expr *not_first = negate_condition(s, c->in[0]);
    return prove_at(s, expr_binary(s, EXPR_OR, not_first, c->in[1]), f, depth) &&
           prove_at(s, expr_binary(s, EXPR_OR, c->in[0], c->in[2]), f, depth);
}

// Conditions by their structure; comparisons of integers end in the provers of sums.
static bool prove_at(expr_session *s, const expr *c, const facts *f, int depth) {
    poly_sum sum;
    fact_kind kind;
    if (c->op == EXPR_INT) return c->as.ival || (f && facts_contradict(f));
    if (depth > MAX_LOGIC) return false;
    if (c->op == EXPR_AND) return prove_at(s, c->in[0], f, depth + 1) && prove_at(s, c->in[1], f, depth + 1);
    if (c->op == EXPR_OR) return prove_or(s, c, f, depth + 1);
    if (condition_sum(s, c, &kind, &sum)) return prove_comparison(s, kind, &sum, f);
    const expr *canonical = expr_canon(s, c);
    if (expr_is_int(canonical, 1) || (f && (facts_say_true(f, canonical) || facts_contradict(f)))) return true;
    bool logic = dtype_family_of(c->type) == FAMILY_BOOL && dtype_lanes(c->type) == 1;
    if (c->op == EXPR_NOT && negate_condition(s, c->in[0]) != c)
        return prove_at(s, negate_condition(s, c->in[0]), f, depth + 1);
    if (c->op == EXPR_SELECT && logic) return prove_select(s, c, f, depth + 1);
    bool of_bools = (c->op == EXPR_EQ || c->op == EXPR_NE) && dtype_family_of(c->in[0]->type) == FAMILY_BOOL;
    if (of_bools && logic) return prove_equivalent(s, c->in[0], c->in[1], c->op == EXPR_EQ, f, depth + 1);
    return false;
}

// ---- the interface ----

// What has an effect may give something else each time, so nothing is proved of it.
bool prove_true(expr_session *s, const expr *condition, const facts *f) {
    return !canon_has_effect(s, condition) && prove_at(s, condition, f, 0);
}

// Both as the wider of their types, so that they can be subtracted.
static bool align_types(expr_session *s, const expr **a, const expr **b) {
    if (!canon_is_exact((*a)->type) || !canon_is_exact((*b)->type)) return false;
    if (dtype_equal((*a)->type, (*b)->type)) return true;
    *a = expr_cast(s, DTYPE_OF(I64), *a);
    *b = expr_cast(s, DTYPE_OF(I64), *b);
    return true;
}

// a - b - less
static bool difference(expr_session *s, const expr *a, const expr *b, int64_t less, poly_sum *out) {
    if (canon_has_effect(s, a) || canon_has_effect(s, b) || !align_types(s, &a, &b)) return false;
    sum_set(out, poly_see(canon_sum(s, a)));
    sum_add(out, poly_see(canon_sum(s, b)), -1);
    sum_add_constant(out, -less);
    return !out->failed;
}

// Equal canonical forms are one pointer: the common case costs two look-ups.
bool prove_equal(expr_session *s, const expr *a, const expr *b, const facts *f) {
    poly_sum sum;
    if (a == b) return !canon_has_effect(s, a);
    if (difference(s, a, b, 0, &sum)) return prove_zero(s, sum_see(&sum), f);
    if (!dtype_equal(a->type, b->type) || canon_has_effect(s, a)) return false;
    if (expr_canon(s, a) == expr_canon(s, b)) return true;
    bool logic = dtype_family_of(a->type) == FAMILY_BOOL && dtype_lanes(a->type) == 1;
    if (logic) return prove_true(s, expr_binary(s, EXPR_EQ, a, b), f);
    return f && expr_simplify(s, a, f) == expr_simplify(s, b, f);
}

bool prove_less_equal(expr_session *s, const expr *a, const expr *b, const facts *f) {
    poly_sum sum;
    return difference(s, b, a, 0, &sum) && prove_not_negative(s, sum_see(&sum), f);
}

bool prove_less(expr_session *s, const expr *a, const expr *b, const facts *f) {
    poly_sum sum;
    return difference(s, b, a, 1, &sum) && prove_not_negative(s, sum_see(&sum), f);
}

// By the congruence of the range, or because the remainder is provably 0.
bool prove_divides(expr_session *s, int64_t divisor, const expr *e, const facts *f) {
    if (!canon_is_exact(e->type) || canon_has_effect(s, e) || !divisor || divisor == INT64_MIN) return false;
    poly_sum sum, rest;
    poly_view by = {.type = e->type, .constant = divisor < 0 ? -divisor : divisor};
    reduce_sum(s, &sum, poly_see(canon_sum(s, e)), f, false);
    range r = folded_range(s, &sum, f);
    if (r.multiple % divisor == 0 && r.remainder % divisor == 0) return true;
    sum_start(&rest, e->type);
    add_remainder(s, &rest, poly_see(canon_sum(s, e)), by, 1, f);
    return !rest.failed && prove_zero(s, sum_see(&rest), f);
}

// ---- bounds ----

// The ends of int64 itself, perhaps moved to the class of a known multiple, are no bounds.
static void tell_range(range r, interval *out) {
    wide moved = r.multiple > 1 ? r.multiple - 1 : 0;
    out->has_low = r.low > INT64_MIN + moved;
    out->has_high = r.high < INT64_MAX - moved;
    out->low = out->has_low ? (int64_t)(r.low > INT64_MAX ? INT64_MAX : r.low) : INT64_MIN;
    out->high = out->has_high ? (int64_t)(r.high < INT64_MIN ? INT64_MIN : r.high) : INT64_MAX;
    out->multiple = r.multiple;
    out->remainder = r.remainder;
}

// Ends beyond int64 are told as "none", never cut off.
interval expr_bounds(expr_session *s, const expr *e, const facts *f) {
    interval out = {.low = INT64_MIN, .high = INT64_MAX, .multiple = 1};
    if (!expr_is_index(e)) {
        if (dtype_family_of(e->type) == FAMILY_BOOL) tell_range(range_of_type(e->type), &out);
        return out;
    }
    poly_sum sum;
    reduce_sum(s, &sum, poly_see(canon_sum(s, e)), f, false);
    range r = range_meet(folded_range(s, &sum, f), sum_range(s, sum_see(&sum), f));
    tell_range(r, &out);
    return out;
}
