// solve.c - solves e = value for one variable.
//
// Where the variable stands in first powers only:  a * x + b = 0  gives  x = -b // a  where a divides b.
// Else, where it is the only variable and the equation never falls (or never rises) as it grows, by halving: the
// solutions of  min(x // 2, 7) = 3  begin at 6 and end at 7. Where it has few values, by trying them.
#include "expr/reduce.h"

enum { MAX_DEPTH = 32, MAX_TRIED = 4096 };
#define SEARCH_LIMIT ((wide)1 << 60)

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

// Needs to know that the slope is not zero: n*m = k says nothing about n where m is.
static solve_status solve_linear(const solving *x, const poly_sum *slope, const poly_sum *rest, const expr **out,
                                 const expr **condition) {
    if (!slope->count && !slope->constant) { // the variable is not there at all
        if (prove_not_zero(x->s, sum_see(rest), x->f)) return SOLVE_NONE;
        return prove_zero(x->s, sum_see(rest), x->f) ? SOLVE_NOT_UNIQUE : SOLVE_UNKNOWN;
    }
    if (!prove_not_zero(x->s, sum_see(slope), x->f)) return SOLVE_UNKNOWN;
    return divide_by_slope(x, slope, rest, out, condition);
}

// ---- by search, where var is the only variable ----

// +1 where v never falls as var grows, -1 where it never rises, 0 where it does not depend on var, MIXED else.
enum { MIXED = 2 };
static int direction_of_sum(const solving *x, poly_view v, int depth);

static int both(int a, int b) { return a == 0 ? b : b == 0 || a == b ? a : MIXED; }

// Floor division by a positive constant, min and max keep the direction of their operands.
static int direction_of_atom(const solving *x, const expr *atom, int depth) {
    int64_t c;
    if (atom == x->var) return 1;
    if (atom->op == EXPR_FLOOR_DIV && expr_const_int(atom->in[1], &c) && c > 0)
        return direction_of_sum(x, poly_see(canon_sum(x->s, atom->in[0])), depth + 1);
    if (atom->op != EXPR_MIN && atom->op != EXPR_MAX) return MIXED;
    int a = direction_of_sum(x, poly_see(canon_sum(x->s, atom->in[0])), depth + 1);
    return both(a, direction_of_sum(x, poly_see(canon_sum(x->s, atom->in[1])), depth + 1));
}

// A product of factors that all rise from zero on rises.
static int direction_of_mono(const solving *x, const expr *mono, int depth) {
    const expr *factor[POLY_MAX_DEGREE];
    uint32_t count = mono_factors(x->s, mono, factor);
    if (count == 1) return direction_of_atom(x, mono, depth);
    for (uint32_t i = 0; i < count; i++)
        if (direction_of_atom(x, factor[i], depth) != 1 || mono_range(x->s, factor[i], x->f).low < 0) return MIXED;
    return count ? 1 : MIXED;
}

static int direction_of_sum(const solving *x, poly_view v, int depth) {
    int all = depth < MAX_DEPTH ? 0 : MIXED;
    for (uint32_t i = 0; i < v.count && all != MIXED; i++) {
        int one = direction_of_mono(x, v.term[i].mono, depth);
        all = both(all, one == MIXED || v.term[i].coef > 0 ? one : -one);
    }
    return all;
}

// The equation as something to evaluate.
typedef struct trial {
    const expr *e, *var;
    expr_env env;
    int direction;
} trial;

// The sign of e at a value of var, seen in the direction in which e rises. Where it leaves int64 it does so upward for
// large values and downward for small ones.
static int sign_at(trial *t, wide at) {
    scalar v;
    expr_env_set(&t->env, t->var, (scalar){.i = (int64_t)at});
    if (expr_eval(t->e, &t->env, &v) != EXPR_DONE) return at > 0 ? 1 : -1;
    return (v.i > 0) - (v.i < 0) < 0 ? -t->direction : v.i > 0 ? t->direction : 0;
}

// The first value in low..high (high + 1: none) whose sign is at least `sign`.
static wide first_with_sign(trial *t, wide low, wide high, int sign) {
    high++;
    while (low < high) {
        wide mid = low + (high - low) / 2;
        if (sign_at(t, mid) >= sign)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

// Counts the solutions among few values, one by one.
static solve_status try_all(const solving *x, trial *t, range of_var, const expr **out) {
    uint32_t found = 0;
    wide step = of_var.multiple > 1 ? of_var.multiple : 1;
    for (wide at = of_var.low; at <= of_var.high; at += step) {
        scalar v;
        expr_env_set(&t->env, t->var, (scalar){.i = (int64_t)at});
        if (expr_eval(t->e, &t->env, &v) != EXPR_DONE) return SOLVE_UNKNOWN;
        if (v.i) continue;
        found++;
        *out = expr_int(x->s, x->var->type, (int64_t)at);
    }
    return found == 1 ? SOLVE_UNIQUE : found ? SOLVE_NOT_UNIQUE : SOLVE_NONE;
}

// The solutions are the values between the first that is not below and the first that is above.
static solve_status search_monotone(const solving *x, trial *t, range of_var, const expr **out) {
    int64_t k;
    wide low = of_var.low < -SEARCH_LIMIT ? -SEARCH_LIMIT : of_var.low;
    wide high = of_var.high > SEARCH_LIMIT ? SEARCH_LIMIT : of_var.high;
    range solutions = {.low = first_with_sign(t, low, high, 0), .high = first_with_sign(t, low, high, 1) - 1};
    solutions.multiple = 1;
    if (!range_is_empty(solutions)) solutions = range_meet(solutions, of_var);
    if (range_is_empty(solutions)) return SOLVE_NONE;
    if (!range_constant(solutions, &k)) return SOLVE_NOT_UNIQUE;
    *out = expr_int(x->s, x->var->type, k);
    return SOLVE_UNIQUE;
}

static bool is_only_variable(const solving *x, const expr *e) {
    arena *mem = arena_new();
    expr_list vars = {0};
    expr_free_vars(e, mem, &vars);
    bool only = vars.len == 1 && vars.at[0] == x->var;
    arena_free(mem);
    return only;
}

// x % c == r has a solution in every c numbers.
static bool repeats(const solving *x, poly_view v, range of_var) {
    int64_t c;
    if (v.count != 1 || v.term[0].mono->op != EXPR_FLOOR_MOD || of_var.multiple != 1) return false;
    const expr *mod = v.term[0].mono;
    poly_view of = poly_see(canon_sum(x->s, mod->in[0]));
    bool plain = of.count == 1 && of.term[0].mono == x->var && (of.term[0].coef == 1 || of.term[0].coef == -1);
    return plain && expr_const_int(mod->in[1], &c) && of_var.high - of_var.low >= 2 * (wide)c;
}

// Ranges and congruences first: 2*n = 7 and n % 4 = 5 end there.
static solve_status solve_by_search(const solving *x, poly_sum *v, const expr **out) {
    fold_mods(x->s, v);
    range all = sum_range(x->s, sum_see(v), x->f), of_var = mono_range(x->s, x->var, x->f);
    if (all.low > 0 || all.high < 0 || (all.multiple > 1 && all.remainder) || range_is_empty(of_var)) return SOLVE_NONE;
    if (repeats(x, sum_see(v), of_var) && v->constant % v->term[0].coef == 0) return SOLVE_NOT_UNIQUE;
    const expr *e = poly_render(x->s, sum_see(v));
    if (!is_only_variable(x, e)) return SOLVE_UNKNOWN;
    arena *mem = arena_new();
    trial t = {.e = e, .var = x->var, .env = expr_env_new(mem, x->s), .direction = direction_of_sum(x, sum_see(v), 0)};
    solve_status status = SOLVE_UNKNOWN;
    if (t.direction == 1 || t.direction == -1)
        status = search_monotone(x, &t, of_var, out);
    else if (of_var.high - of_var.low < MAX_TRIED)
        status = try_all(x, &t, of_var, out);
    arena_free(mem);
    return status;
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
    if (pinned) sum_set(&reduced, sum_see(&sum));
    if (split_linear(&x, sum_see(&reduced), &slope, &rest)) return solve_linear(&x, &slope, &rest, out, condition);
    return solve_by_search(&x, &reduced, out);
}
