// divide.c - floor division and modulo of sums, in canonical form.
//
// a % b is held as a - b * (a // b). A quotient by a constant c > 0 is brought to the form
//     (4*i + j + 5) // 8   ->   (i + 1) // 2       where 0 <= j < 3 (ranges from the facts, or always true)
//     (x // 2 + 1) // 3    ->   (x + 2) // 6
//     (9*x - y) // 4       ->   2*x + (x - y) // 4  residues between -c/2 and c/2
//     (3 - x) // 4         ->   0 - x // 4         the first residue positive: (-a) // c == -((a + c - 1) // c)
#include "base/size.h"
#include "expr/reduce.h"

enum { MAX_STEPS = 64 };

// ---- folding a - b * (a // b) to a % b ----

// A sum of one term, in place.
typedef struct single {
    poly_term term;
    poly_view view;
} single;

static poly_view see_single(single *one, dtype type, const expr *mono, int64_t coef) {
    one->term = (poly_term){mono, coef};
    if (!mono) return (poly_view){.type = type, .constant = coef};
    return (poly_view){.type = type, .count = 1, .term = &one->term};
}

// k with term == -k * divisor's first term * q: what multiplies a % b when the term is folded.
static bool fold_factor(expr_session *s, poly_term term, const expr *q, poly_view divisor, const expr **mono,
                        int64_t *coef) {
    if (!mono_divide(s, term.mono, q, mono) || term.coef == INT64_MIN) return false;
    int64_t lead = divisor.count ? divisor.term[0].coef : divisor.constant;
    if (!lead || lead == INT64_MIN || term.coef % lead) return false;
    *coef = -(term.coef / lead);
    return !divisor.count || (*mono && mono_divide(s, *mono, divisor.term[0].mono, mono));
}

// Replaces k * a - k * b * q by k * (a % b), if that leaves fewer terms.
static bool fold_quotient(expr_session *s, poly_sum *p, poly_term term, const expr *q) {
    poly_view a = poly_see(canon_sum(s, q->in[0])), b = poly_see(canon_sum(s, q->in[1]));
    const expr *mono;
    int64_t coef;
    single factor, with_q, with_mod;
    if (!fold_factor(s, term, q, b, &mono, &coef)) return false;
    poly_sum better;
    sum_set(&better, sum_see(p));
    sum_add_product(s, &better, see_single(&factor, p->type, mono, coef), a, -1);
    const expr *mono_q = mono ? mono_multiply(s, mono, q) : q;
    const expr *mod = expr_binary(s, EXPR_FLOOR_MOD, q->in[0], q->in[1]);
    const expr *mono_mod = mono ? mono_multiply(s, mono, mod) : mod;
    if (!mono_q || !mono_mod) return false;
    sum_add_product(s, &better, see_single(&with_q, p->type, mono_q, coef), b, 1);
    sum_add(&better, see_single(&with_mod, p->type, mono_mod, coef), 1);
    if (better.failed || better.count >= p->count) return false;
    sum_set(p, sum_see(&better));
    return true;
}

static bool may_hold_division(const expr *mono) { return mono->op == EXPR_FLOOR_DIV || mono->op == EXPR_MUL; }

// The first fold that shortens is taken: the order of the terms makes the result the same every time.
static bool fold_one(expr_session *s, poly_sum *p) {
    const expr *factor[POLY_MAX_DEGREE];
    if (p->count < 2) return false; // nothing can get shorter
    for (uint32_t i = 0; i < p->count; i++) {
        if (!may_hold_division(p->term[i].mono)) continue;
        uint32_t count = mono_factors(s, p->term[i].mono, factor);
        for (uint32_t j = 0; j < count; j++)
            if (factor[j]->op == EXPR_FLOOR_DIV && fold_quotient(s, p, p->term[i], factor[j])) return true;
    }
    return false;
}

// Each fold shortens the sum, so this ends.
void fold_mods(expr_session *s, poly_sum *p) {
    while (fold_one(s, p)) continue;
}

// Computed once per sum; most hold no division at all.
const poly *canon_folded(expr_session *s, const poly *p) {
    if (p->folded) return p->folded;
    bool divides = false;
    for (uint32_t i = 0; i < p->count && p->count > 1; i++) divides = divides || may_hold_division(p->term[i].mono);
    poly_sum sum;
    sum_start(&sum, p->type);
    if (divides) sum_set(&sum, poly_see(p));
    if (divides) fold_mods(s, &sum);
    const poly *folded = !divides || poly_equal(sum_see(&sum), poly_see(p)) ? p : poly_new(s->mem, &sum);
    ((poly *)(uintptr_t)p)->folded = folded; // a cache: the sum itself stays
    return folded;
}

static bool holds_mod(expr_session *s, const expr *mono) {
    const expr *factor[POLY_MAX_DEGREE];
    if (mono->op != EXPR_MUL) return mono->op == EXPR_FLOOR_MOD;
    uint32_t count = mono_factors(s, mono, factor);
    for (uint32_t i = 0; i < count; i++)
        if (factor[i]->op == EXPR_FLOOR_MOD) return true;
    return false;
}

// out += k * v, with the % atoms of v expanded.
// The opposite of folding: a % b is held as a difference inside sums.
static void add_expanded(expr_session *s, poly_sum *out, poly_view v, int64_t k) {
    int64_t coef;
    if (int_mul(v.constant, k, &coef))
        sum_add_constant(out, coef);
    else
        out->failed = true;
    for (uint32_t i = 0; i < v.count && !out->failed; i++) {
        if (!int_mul(v.term[i].coef, k, &coef))
            out->failed = true;
        else if (holds_mod(s, v.term[i].mono))
            sum_add(out, poly_see(canon_sum(s, v.term[i].mono)), coef);
        else
            sum_add_term(out, v.term[i].mono, coef);
    }
}

// ---- by a constant ----

// a // c, being simplified; what is already known to be whole goes to `whole`.
typedef struct division {
    expr_session *s;
    const facts *f;
    poly_sum a, whole; // a with % folded
    int64_t c;         // > 0
} division;

// 0 <= result < c.
static int64_t floor_mod(int64_t a, int64_t c) {
    int64_t r = a % c;
    return r < 0 ? r + c : r;
}

// The residue of a between -c/2 (not reached) and c/2.
static int64_t near_residue(int64_t a, int64_t c) {
    int64_t r = floor_mod(a, c);
    return r > c - r ? r - c : r;
}

// Without facts a variable takes more values than any constant divides away. (Saves most of the ranges that canonical
// forms would ask for.)
static bool holds_free_variable(const division *d, poly_view v) {
    bool found = false;
    for (uint32_t i = 0; i < v.count && !d->f; i++) found = found || v.term[i].mono->op == EXPR_VAR;
    return found;
}

// The one value of v // g, if there is just one.
static bool constant_quotient(const division *d, poly_view v, int64_t g, int64_t *out) {
    if (holds_free_variable(d, v)) return false;
    range r = sum_range(d->s, v, d->f);
    if (range_is_empty(r) || r.low <= -RANGE_INFINITE || r.high >= RANGE_INFINITE) return false;
    wide low = wide_floor_div(r.low, g);
    if (low != wide_floor_div(r.high, g) || low != (int64_t)low) return false;
    *out = (int64_t)low;
    return true;
}

// a = g * b + t with t // g one known u:  a // c  is  (b + u) // (c / g).
static bool drop_small_part(division *d, int64_t g) {
    poly_sum small, big;
    int64_t u, constant = d->a.constant;
    sum_start(&small, d->a.type);
    sum_start(&big, d->a.type);
    sum_add_constant(&small, floor_mod(constant, g));
    sum_add_constant(&big, (constant - floor_mod(constant, g)) / g);
    for (uint32_t i = 0; i < d->a.count; i++) {
        poly_term t = d->a.term[i];
        int64_t r = near_residue(t.coef, g), rest;
        if (!int_sub(t.coef, r, &rest)) return false;
        sum_add_term(&small, t.mono, r);
        sum_add_term(&big, t.mono, rest / g);
    }
    if (!constant_quotient(d, sum_see(&small), g, &u)) return false;
    sum_add_constant(&big, u);
    if (big.failed) return false;
    sum_set(&d->a, sum_see(&big));
    d->c /= g;
    return true;
}

// Tries the divisors of c that some coefficient has.
static bool drop_any_small_part(division *d) {
    if (d->c == 1) return false;
    if (drop_small_part(d, d->c)) return true;
    int64_t all = d->c;
    for (uint32_t i = 0; i < d->a.count; i++) {
        int64_t g = int_gcd(d->c, d->a.term[i].coef);
        all = int_gcd(all, g);
        if (g > 1 && g < d->c && drop_small_part(d, g)) return true;
    }
    return all > 1 && all < d->c && drop_small_part(d, all);
}

static bool fits_type(dtype type, int64_t k) { return type.kind != DTYPE_I32 || k == (int32_t)k; }

// (x // b + y) // c  ->  (x + b * y) // (b * c)
static bool open_nested(division *d) {
    for (uint32_t i = 0; i < d->a.count; i++) {
        poly_term t = d->a.term[i];
        int64_t b, c, times;
        if (t.mono->op != EXPR_FLOOR_DIV || near_residue(t.coef, d->c) != 1 % d->c) continue;
        if (!expr_const_int(t.mono->in[1], &b) || b <= 0 || !int_mul(b, d->c, &c) || !fits_type(d->a.type, c)) continue;
        if (!int_sub(t.coef, 1, &times)) continue;
        poly_sum rest, whole;
        sum_set(&whole, sum_see(&d->whole));
        sum_add_term(&whole, t.mono, times / d->c);
        sum_start(&rest, d->a.type);
        sum_add(&rest, poly_see(canon_sum(d->s, t.mono->in[0])), 1);
        sum_add(&rest, sum_see(&d->a), b);
        int64_t minus;
        if (!int_mul(t.coef, b, &minus)) continue;
        sum_add_term(&rest, t.mono, -minus);
        if (rest.failed || whole.failed) continue;
        fold_mods(d->s, &rest);
        sum_set(&d->a, sum_see(&rest));
        sum_set(&d->whole, sum_see(&whole));
        d->c = c;
        return true;
    }
    return false;
}

// x % (b * c) in the numerator of // c is opened: its quotient is x // c - b * (x // (b * c)).
static bool open_mods(division *d) {
    poly_sum open;
    bool any = false;
    sum_start(&open, d->a.type);
    sum_add_constant(&open, d->a.constant);
    for (uint32_t i = 0; i < d->a.count; i++) {
        poly_term t = d->a.term[i];
        int64_t modulus, coef = near_residue(t.coef, d->c), product;
        bool opens = t.mono->op == EXPR_FLOOR_MOD && expr_const_int(t.mono->in[1], &modulus) && coef &&
                     int_mul(coef, modulus, &product) && product % d->c == 0;
        if (opens)
            sum_add(&open, poly_see(canon_sum(d->s, t.mono)), t.coef);
        else
            sum_add_term(&open, t.mono, t.coef);
        any = any || opens;
    }
    if (any && !open.failed) sum_set(&d->a, sum_see(&open));
    return any && !open.failed;
}

// Moves multiples of c out of the numerator; what stays has its first coefficient positive where `*sign` says so.
static void take_residues(division *d, int64_t *sign) {
    poly_sum rest;
    int64_t constant = floor_mod(d->a.constant, d->c);
    sum_start(&rest, d->a.type);
    sum_add_constant(&d->whole, (d->a.constant - constant) / d->c);
    for (uint32_t i = 0; i < d->a.count; i++) {
        poly_term t = d->a.term[i];
        int64_t r = near_residue(t.coef, d->c), times;
        if (!int_sub(t.coef, r, &times))
            d->whole.failed = true;
        else
            sum_add_term(&d->whole, t.mono, times / d->c);
        sum_add_term(&rest, t.mono, r);
    }
    *sign = rest.count && rest.term[0].coef < 0 ? -1 : 1;
    for (uint32_t i = 0; *sign < 0 && i < rest.count; i++) { // c/2 stays: its negative is c/2 less a multiple of c
        bool half = 2 * rest.term[i].coef == d->c;
        if (half)
            sum_add_term(&d->whole, rest.term[i].mono, 1);
        else
            rest.term[i].coef = -rest.term[i].coef;
    }
    sum_add_constant(&rest, *sign < 0 ? d->c - 1 - constant : constant);
    sum_set(&d->a, sum_see(&rest));
    d->a.failed = rest.failed;
}

// The canonical expression of a sum that may hold %.
static const expr *form_of(expr_session *s, poly_view v) {
    poly_sum open;
    sum_start(&open, v.type);
    add_expanded(s, &open, v, 1);
    if (open.failed) return poly_render(s, v);
    if (open.count == 1 && !open.constant && open.term[0].coef == 1) return open.term[0].mono;
    return canon_form(s, poly_new(s->mem, &open));
}

// Until nothing changes: the whole numerator is in one residue, a part of it is small, a quotient is nested in it.
static void reduce_division(division *d) {
    for (int step = 0; step < MAX_STEPS && !d->a.failed; step++) {
        int64_t u;
        if (constant_quotient(d, sum_see(&d->a), d->c, &u)) {
            sum_add_constant(&d->whole, u);
            sum_start(&d->a, d->a.type);
            return;
        }
        if (!drop_any_small_part(d) && !open_nested(d)) return;
    }
}

// What is left of the numerator after reducing becomes one new atom, everything else goes to the sum.
static void add_quotient_by_constant(expr_session *s, poly_sum *out, poly_view a, int64_t c, int64_t k,
                                     const facts *f) {
    division d; // large: not worth clearing
    d.s = s;
    d.f = f;
    d.c = c;
    sum_set(&d.a, a);
    sum_start(&d.whole, a.type);
    fold_mods(s, &d.a);
    reduce_division(&d);
    if (open_mods(&d)) reduce_division(&d);
    if (d.c == 1) {
        add_expanded(s, out, sum_see(&d.a), k);
        add_expanded(s, out, sum_see(&d.whole), k);
        return;
    }
    int64_t sign;
    take_residues(&d, &sign);
    out->failed = out->failed || d.whole.failed || d.a.failed;
    if (out->failed) return;
    if (d.a.count) {
        const expr *atom = expr_binary(s, EXPR_FLOOR_DIV, form_of(s, sum_see(&d.a)), expr_int(s, a.type, d.c));
        sum_add(out, poly_see(canon_monomial(s, atom)), sign * k);
    }
    add_expanded(s, out, sum_see(&d.whole), k);
}

// ---- by a sum ----

// Takes multiples of b out of `a` into `whole`, as long as that makes `a` shorter.
static void divide_terms(expr_session *s, poly_sum *a, poly_view b, poly_sum *whole) {
    for (uint32_t i = 0; i < a->count;) {
        poly_term t = a->term[i];
        const expr *mono;
        single one;
        poly_sum less;
        i++;
        if (t.coef % b.term[0].coef || !mono_divide(s, t.mono, b.term[0].mono, &mono)) continue;
        poly_view times = see_single(&one, a->type, mono, t.coef / b.term[0].coef);
        sum_set(&less, sum_see(a));
        sum_add_product(s, &less, times, b, -1);
        if (less.failed || less.count >= a->count) continue;
        sum_add(whole, times, 1);
        sum_set(a, sum_see(&less));
        i = 0;
    }
}

// By the range, then by proof under facts: canonical forms (no facts) never prove.
static bool not_negative(expr_session *s, const poly_sum *v, const facts *f) {
    if (v->failed) return false;
    return sum_range(s, sum_see(v), f).low >= 0 || (f && prove_not_negative(s, sum_see(v), f));
}

// u in {0, -1} with b * u <= a < b * (u + 1), b > 0.
static bool small_quotient(expr_session *s, poly_view a, poly_view b, const facts *f, int64_t *u) {
    poly_sum above, below; // a - b * u and b * (u + 1) - 1 - a
    for (*u = 0; *u >= -1; --*u) {
        sum_set(&above, a);
        sum_add(&above, b, -*u);
        sum_start(&below, a.type);
        sum_add(&below, b, *u + 1);
        sum_add(&below, a, -1);
        sum_add_constant(&below, -1);
        if (not_negative(s, &above, f) && not_negative(s, &below, f)) return true;
    }
    return false;
}

// By its range, or by proof under facts.
static bool is_positive(expr_session *s, poly_view v, const facts *f) {
    poly_sum less;
    sum_set(&less, v);
    sum_add_constant(&less, -1);
    return not_negative(s, &less, f);
}

// By its range, or because a fact says just that.
static bool is_not_zero(expr_session *s, poly_view v, const facts *f) {
    return sum_range(s, v, f).high < 0 || (f && facts_say_not_zero(f, v)) || is_positive(s, v, f);
}

// Of the coefficients, the constant and g.
static int64_t common_factor(poly_view v, int64_t g) { return int_gcd(int_gcd(g, poly_gcd(v)), v.constant); }

static void add_quotient_atom(expr_session *s, poly_sum *out, poly_view a, poly_view b, int64_t k) {
    const expr *atom = expr_binary(s, EXPR_FLOOR_DIV, form_of(s, a), form_of(s, b));
    sum_add(out, poly_see(canon_monomial(s, atom)), k);
}

// Cancels what a divisor that is not zero divides: (n*m + m - 1) // m is n + (m - 1) // m, which is n for m >= 1.
static void add_quotient_by_sum(expr_session *s, poly_sum *out, poly_view a, poly_view b, int64_t k, const facts *f) {
    poly_sum rest, by, whole;
    int64_t u, sign = b.term[0].coef < 0 ? -1 : 1; // a // b == (-a) // (-b)
    sum_start(&rest, a.type);
    sum_start(&by, a.type);
    sum_start(&whole, a.type);
    sum_add(&rest, a, sign);
    sum_add(&by, b, sign);
    int64_t g = common_factor(b, common_factor(a, 0));
    out->failed = out->failed || rest.failed || by.failed || g < 0;
    if (out->failed) return;
    sum_divide_exactly(&rest, g);
    sum_divide_exactly(&by, g);
    poly_view divisor = sum_see(&by);
    if (is_not_zero(s, divisor, f)) {
        divide_terms(s, &rest, divisor, &whole);
        bool done = !rest.count && !rest.constant;
        if (!done && is_positive(s, divisor, f) && small_quotient(s, sum_see(&rest), divisor, f, &u)) {
            sum_add_constant(&whole, u);
            done = true;
        }
        out->failed = out->failed || whole.failed;
        sum_add(out, sum_see(&whole), k);
        if (done) return;
    }
    add_quotient_atom(s, out, sum_see(&rest), divisor, k);
}

// By a constant where the divisor is one; a sum divides by other rules.
void add_quotient(expr_session *s, poly_sum *out, poly_view a, poly_view b, int64_t k, const facts *f) {
    int64_t c = b.constant;
    if (b.count) {
        add_quotient_by_sum(s, out, a, b, k, f);
    } else if (c == 0) {
        add_quotient_atom(s, out, a, b, k);
    } else if (c > 0) {
        add_quotient_by_constant(s, out, a, c, k, f);
    } else if (c == INT64_MIN) {
        out->failed = true;
    } else {
        poly_sum minus;
        sum_start(&minus, a.type);
        sum_add(&minus, a, -1);
        if (minus.failed)
            out->failed = true;
        else
            add_quotient_by_constant(s, out, sum_see(&minus), -c, k, f);
    }
}

// A constant zero divisor has no quotient to subtract: a % 0 stays as it is.
void add_remainder(expr_session *s, poly_sum *out, poly_view a, poly_view b, int64_t k, const facts *f) {
    poly_sum quotient;
    int64_t minus;
    if (!b.count && !b.constant) {
        const expr *atom = expr_binary(s, EXPR_FLOOR_MOD, form_of(s, a), form_of(s, b));
        sum_add(out, poly_see(canon_monomial(s, atom)), k);
        return;
    }
    sum_start(&quotient, a.type);
    add_quotient(s, &quotient, a, b, 1, f);
    if (quotient.failed || !int_sub(0, k, &minus)) {
        out->failed = true;
        return;
    }
    sum_add(out, a, k);
    sum_add_product(s, out, b, sum_see(&quotient), minus);
}
