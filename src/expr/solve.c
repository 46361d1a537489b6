// solve.c - solves e = value for one variable.
//
// Where the variable stands in first powers only:  a * x + b = 0  gives  x = -b // a  where a divides b.
// Else, where the other parts are numbers, backwards through operations that never fall (or never rise): the solutions
// of  min(x // 2, 7) = 3  are those with  3 <= x // 2 <= 3,  so  6 <= x <= 7.
#include "expr/reduce.h"

enum { MAX_DEPTH = 32 };

typedef struct solving {
    expr_session *s;
    const expr *var;
    const facts *f;
} solving;

// ---- in first powers ----

// v == slope * var + rest. False where var stands elsewhere, too.
static bool split_linear(const solving *x, poly_view v, poly_sum *slope, poly_sum *rest) {
    sum_start(slope, v.type);
    sum_start(rest, v.type);
    sum_add_constant(rest, v.constant);
    for (uint32_t i = 0; i < v.count; i++) {
        poly_term t = v.term[i];
        const expr *other = NULL;
        if (!expr_uses_var(t.mono, x->var))
            sum_add_term(rest, t.mono, t.coef);
        else if (!mono_divide(x->s, t.mono, x->var, &other))
            return false;
        else if (!other)
            sum_add_constant(slope, t.coef);
        else if (expr_uses_var(other, x->var))
            return false;
        else
            sum_add_term(slope, other, t.coef);
    }
    return !slope->failed && !rest->failed;
}

// out = -rest // slope; *condition says when the slope divides it.
static solve_status divide_by_slope(const solving *x, const poly_sum *slope, const poly_sum *rest, const expr **out,
                                    const expr **condition) {
    expr_session *s = x->s;
    poly_sum minus, quotient, left;
    sum_start(&minus, rest->type);
    sum_start(&quotient, rest->type);
    sum_start(&left, rest->type);
    sum_add(&minus, sum_see(rest), -1);
    add_quotient(s, &quotient, sum_see(&minus), sum_see(slope), 1, x->f);
    add_remainder(s, &left, sum_see(&minus), sum_see(slope), 1, x->f);
    if (minus.failed || quotient.failed || left.failed) return SOLVE_UNKNOWN;
    if (prove_not_zero(s, sum_see(&left), x->f)) return SOLVE_NONE;
    *out = canon_form(s, poly_new(s->mem, &quotient));
    if (prove_zero(s, sum_see(&left), x->f)) return SOLVE_UNIQUE;
    const expr *form = canon_form(s, poly_new(s->mem, &left));
    *condition = expr_binary(s, EXPR_EQ, form, expr_int(s, rest->type, 0));
    return SOLVE_UNIQUE;
}

static solve_status solve_linear(const solving *x, const poly_sum *slope, const poly_sum *rest, const expr **out,
                                 const expr **condition) {
    if (!slope->count && !slope->constant) { // the variable is not there at all
        if (prove_not_zero(x->s, sum_see(rest), x->f)) return SOLVE_NONE;
        return prove_zero(x->s, sum_see(rest), x->f) ? SOLVE_NOT_UNIQUE : SOLVE_UNKNOWN;
    }
    if (!prove_not_zero(x->s, sum_see(slope), x->f)) return SOLVE_UNKNOWN;
    return divide_by_slope(x, slope, rest, out, condition);
}

// ---- backwards ----

// The values of a part of the equation that solve it.
typedef struct target {
    wide low, high;
    bool all_classes; // a remainder was asked for: each solution is one of many
} target;

static bool narrow_back(const solving *x, poly_view v, target *t, int depth);

static wide ceil_div(wide a, wide b) { return -wide_floor_div(-a, b); }

static wide floor_side(wide a, wide b) {
    return a >= RANGE_INFINITE || a <= -RANGE_INFINITE ? a : wide_floor_div(a, b);
}
static wide ceil_side(wide a, wide b) { return a >= RANGE_INFINITE || a <= -RANGE_INFINITE ? a : ceil_div(a, b); }

// v == k * mono + constant: what that leaves for mono.
static bool leave_mono(const solving *x, poly_view v, target *t, const expr **mono) {
    wide k = 0;
    *mono = NULL;
    for (uint32_t i = 0; i < v.count; i++) {
        if (*mono || !expr_uses_var(v.term[i].mono, x->var)) return false; // two parts, or one that is no number
        *mono = v.term[i].mono;
        k = v.term[i].coef;
    }
    if (!*mono) return false;
    if (t->low > -RANGE_INFINITE) t->low -= v.constant;
    if (t->high < RANGE_INFINITE) t->high -= v.constant;
    wide low = k > 0 ? t->low : -t->high, high = k > 0 ? t->high : -t->low, size = k > 0 ? k : -k;
    t->low = ceil_side(low, size);
    t->high = floor_side(high, size);
    return true;
}

// low <= a // c <= high
static bool back_quotient(const solving *x, const expr *atom, target *t, int depth) {
    int64_t c;
    if (!expr_const_int(atom->in[1], &c) || c <= 0) return false;
    if (t->low > -RANGE_INFINITE) t->low *= c;
    if (t->high < RANGE_INFINITE) t->high = t->high * c + c - 1;
    return narrow_back(x, poly_see(canon_sum(x->s, atom->in[0])), t, depth);
}

// low <= a % c <= high: solutions repeat, so there are many or none.
static bool back_remainder(const expr *atom, target *t) {
    int64_t c;
    if (!expr_const_int(atom->in[1], &c) || c <= 0) return false;
    bool none = t->low > c - 1 || t->high < 0;
    *t = (target){.low = none ? 1 : -RANGE_INFINITE, .high = none ? 0 : RANGE_INFINITE, .all_classes = !none};
    return true;
}

// low <= min(a, k) <= high where only a has the variable; max is its mirror image.
static bool back_extremum(const solving *x, const expr *atom, target *t, int depth) {
    bool is_min = atom->op == EXPR_MIN;
    const expr *with = NULL;
    range others = range_all();
    for (const expr *e = atom; e; e = e->op == atom->op ? e->in[0] : NULL) {
        const expr *side = e->op == atom->op ? e->in[1] : e;
        range r = sum_range(x->s, poly_see(canon_sum(x->s, side)), NULL);
        if (!expr_uses_var(side, x->var)) others = range_meet(others, r);
        if (!expr_uses_var(side, x->var)) continue;
        if (with) return false;
        with = side;
    }
    int64_t k;
    if (!with || !range_constant(others, &k)) return false;
    if (is_min ? k < t->low : k > t->high)
        *t = (target){.low = 1, .high = 0};
    else if (is_min && k <= t->high)
        t->high = RANGE_INFINITE;
    else if (!is_min && k >= t->low)
        t->low = -RANGE_INFINITE;
    return narrow_back(x, poly_see(canon_sum(x->s, with)), t, depth);
}

static wide power(wide base, uint32_t exponent) {
    wide p = 1;
    for (uint32_t i = 0; i < exponent; i++) {
        p *= base;
        if (p > RANGE_INFINITE) return RANGE_INFINITE;
    }
    return p;
}

// The largest x >= 0 with x**n <= limit; limit >= 0.
static wide floor_root(wide limit, uint32_t n) {
    wide low = 0, high = (wide)1 << 60;
    while (low < high) {
        wide mid = (low + high + 1) / 2;
        if (power(mid, n) <= limit)
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

// low <= x**n <= high for x that is never negative.
static bool back_power(const solving *x, const expr *mono, target *t) {
    const expr *factor[POLY_MAX_DEGREE];
    uint32_t n = mono_factors(x->s, mono, factor);
    for (uint32_t i = 0; i < n; i++)
        if (factor[i] != x->var) return false;
    if (n < 2 || mono_range(x->s, x->var, x->f).low < 0 || t->high >= RANGE_INFINITE) return false;
    if (t->high < 0) {
        *t = (target){.low = 1, .high = 0};
        return true;
    }
    t->low = t->low <= 0 ? 0 : floor_root(t->low - 1, n) + 1;
    t->high = floor_root(t->high, n);
    return true;
}

static bool narrow_back(const solving *x, poly_view v, target *t, int depth) {
    const expr *mono;
    poly_sum folded;
    sum_set(&folded, v);
    fold_mods(x->s, &folded);
    if (depth == MAX_DEPTH || !leave_mono(x, sum_see(&folded), t, &mono)) return false;
    if (mono == x->var || t->low > t->high) return true;
    if (mono->op == EXPR_FLOOR_DIV) return back_quotient(x, mono, t, depth + 1);
    if (mono->op == EXPR_FLOOR_MOD) return back_remainder(mono, t);
    if (mono->op == EXPR_MIN || mono->op == EXPR_MAX) return back_extremum(x, mono, t, depth + 1);
    return mono->op == EXPR_MUL && back_power(x, mono, t);
}

static solve_status solve_backwards(const solving *x, poly_view v, const expr **out) {
    target t = {0};
    int64_t k;
    if (!narrow_back(x, v, &t, 0)) return SOLVE_UNKNOWN;
    range solutions = {.low = t.low, .high = t.high, .multiple = 1};
    if (t.low <= t.high) solutions = range_meet(solutions, mono_range(x->s, x->var, x->f));
    if (range_is_empty(solutions)) return SOLVE_NONE;
    if (t.all_classes) return solutions.low == solutions.high ? SOLVE_UNKNOWN : SOLVE_NOT_UNIQUE;
    if (!range_constant(solutions, &k)) return SOLVE_NOT_UNIQUE;
    *out = expr_int(x->s, x->var->type, k);
    return SOLVE_UNIQUE;
}

solve_status expr_solve(expr_session *s, const expr *e, const expr *value, const expr *var, const facts *f,
                        const expr **out, const expr **condition) {
    *out = *condition = NULL;
    bool exact = canon_is_exact(e->type) && dtype_equal(e->type, value->type) && dtype_equal(e->type, var->type);
    if (!exact || canon_has_effect(s, e) || canon_has_effect(s, value)) return SOLVE_UNKNOWN;
    poly_sum sum, reduced, slope, rest;
    solving x = {.s = s, .var = var, .f = f};
    sum_set(&sum, poly_see(canon_sum(s, e)));
    sum_add(&sum, poly_see(canon_sum(s, value)), -1);
    if (sum.failed) return SOLVE_UNKNOWN;
    reduce_sum(s, &reduced, sum_see(&sum), f, false);
    bool pinned = f && mono_range(s, var, f).low == mono_range(s, var, f).high; // reducing replaced the variable
    if (pinned) reduced = sum;
    if (split_linear(&x, sum_see(&reduced), &slope, &rest)) return solve_linear(&x, &slope, &rest, out, condition);
    return solve_backwards(&x, sum_see(&reduced), out);
}
