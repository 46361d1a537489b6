// poly.c - arithmetic on sums of products.
#include "base/size.h"
#include "expr/canon.h"
#include <string.h>

// Only the used part of a sum is written: it is large, and most hold one or two terms.
void sum_start(poly_sum *out, dtype type) {
    out->type = type;
    out->failed = false;
    out->count = 0;
    out->constant = 0;
}

// memmove: v may be a view of `out` itself.
void sum_set(poly_sum *out, poly_view v) {
    out->type = v.type;
    out->failed = false;
    out->count = v.count;
    out->constant = v.constant;
    memmove(out->term, v.term, v.count * sizeof *v.term);
}

void sum_add_constant(poly_sum *out, int64_t k) {
    if (!int_add(out->constant, k, &out->constant)) out->failed = true;
}

// Where `mono` is or would be.
static uint32_t term_place(const poly_term *term, uint32_t count, uint32_t id) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (term[mid].mono->id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// Keeps the order.
static void remove_term(poly_sum *out, uint32_t i) {
    out->count--;
    memmove(out->term + i, out->term + i + 1, (out->count - i) * sizeof *out->term);
}

// Marks the sum as failed where there is no room.
static void insert_term(poly_sum *out, uint32_t i, poly_term t) {
    if (out->count == POLY_MAX_TERMS) {
        out->failed = true;
        return;
    }
    memmove(out->term + i + 1, out->term + i, (out->count - i) * sizeof *out->term);
    out->term[i] = t;
    out->count++;
}

// A coefficient that becomes 0 leaves: no mono is ever held with coefficient 0.
void sum_add_term(poly_sum *out, const expr *mono, int64_t coef) {
    if (!coef) return;
    uint32_t i = term_place(out->term, out->count, mono->id);
    if (i == out->count || out->term[i].mono != mono) {
        insert_term(out, i, (poly_term){mono, coef});
        return;
    }
    if (!int_add(out->term[i].coef, coef, &out->term[i].coef)) out->failed = true;
    if (!out->term[i].coef) remove_term(out, i);
}

// Puts the terms of k * v into `to`, false on overflow.
static bool scale_terms(poly_term *to, poly_view v, int64_t k) {
    bool fits = true;
    for (uint32_t i = 0; i < v.count; i++) {
        to[i].mono = v.term[i].mono;
        fits = int_mul(v.term[i].coef, k, &to[i].coef) && fits;
    }
    return fits;
}

// Merges the terms of `out` and of `scaled` into `out`.
static void merge_terms(poly_sum *out, const poly_term *scaled, uint32_t count) {
    poly_term mine[POLY_MAX_TERMS];
    uint32_t i = 0, j = 0, n = 0, len = out->count;
    memcpy(mine, out->term, len * sizeof *mine);
    while (i < len || j < count) {
        uint32_t left = i < len ? mine[i].mono->id : UINT32_MAX, right = j < count ? scaled[j].mono->id : UINT32_MAX;
        poly_term t = left <= right ? mine[i] : scaled[j];
        if (left == right && !int_add(t.coef, scaled[j].coef, &t.coef)) out->failed = true;
        i += left <= right;
        j += right <= left;
        if (!t.coef) continue;
        if (n == POLY_MAX_TERMS) {
            out->failed = true;
            return;
        }
        out->term[n++] = t;
    }
    out->count = n;
}

// The order of the terms is kept by merging, so that equal sums are equal arrays.
void sum_add(poly_sum *out, poly_view v, int64_t k) {
    int64_t constant;
    if (!k) return;
    if (!int_mul(v.constant, k, &constant)) {
        out->failed = true;
        return;
    }
    sum_add_constant(out, constant);
    if (v.count == 1) { // the common case
        int64_t coef;
        if (!int_mul(v.term[0].coef, k, &coef))
            out->failed = true;
        else
            sum_add_term(out, v.term[0].mono, coef);
        return;
    }
    poly_term scaled[POLY_MAX_TERMS];
    if (!scale_terms(scaled, v, k))
        out->failed = true;
    else if (v.count)
        merge_terms(out, scaled, v.count);
}

// out += k * (a's coefficient * b's coefficient) * [a * b]
static void add_monomial_product(expr_session *s, poly_sum *out, poly_term a, poly_term b, int64_t k) {
    int64_t coef;
    const expr *mono = mono_multiply(s, a.mono, b.mono);
    if (!mono || !int_mul(a.coef, b.coef, &coef) || !int_mul(coef, k, &coef))
        out->failed = true;
    else
        sum_add_term(out, mono, coef);
}

// The limit is on the work, before it is done: terms may still cancel.
void sum_add_product(expr_session *s, poly_sum *out, poly_view a, poly_view b, int64_t k) {
    int64_t by_a, by_b;
    if (!int_mul(a.constant, k, &by_a) || !int_mul(b.constant, k, &by_b)) {
        out->failed = true;
        return;
    }
    if (a.count * b.count > 4 * POLY_MAX_TERMS) {
        out->failed = true;
        return;
    }
    sum_add(out, (poly_view){b.type, b.count, 0, b.term}, by_a);
    sum_add(out, a, by_b);
    for (uint32_t i = 0; i < a.count && !out->failed; i++)
        for (uint32_t j = 0; j < b.count && !out->failed; j++) add_monomial_product(s, out, a.term[i], b.term[j], k);
}

void sum_divide_exactly(poly_sum *out, int64_t k) {
    out->constant /= k;
    for (uint32_t i = 0; i < out->count; i++) out->term[i].coef /= k;
}

// Takes as much room as the sum has terms; form and folded are computed later, if ever.
poly *poly_new(arena *mem, const poly_sum *sum) {
    poly *p = arena_take(mem, 1, sizeof *p + sum->count * sizeof *sum->term);
    p->type = sum->type;
    p->count = sum->count;
    p->constant = sum->constant;
    memcpy(p->term, sum->term, sum->count * sizeof *sum->term);
    return p;
}

bool poly_equal(poly_view a, poly_view b) {
    if (a.count != b.count || a.constant != b.constant) return false;
    for (uint32_t i = 0; i < a.count; i++)
        if (a.term[i].mono != b.term[i].mono || a.term[i].coef != b.term[i].coef) return false;
    return true;
}

// By binary search: terms are in order of the ids of their monos.
int64_t poly_coef(poly_view v, const expr *mono) {
    uint32_t i = term_place(v.term, v.count, mono->id);
    return i < v.count && v.term[i].mono == mono ? v.term[i].coef : 0;
}

int64_t poly_gcd(poly_view v) {
    int64_t g = 0;
    for (uint32_t i = 0; i < v.count && g != 1; i++) g = int_gcd(g, v.term[i].coef);
    return g;
}

// ---- monomials ----

// A list of open products replaces recursion; it cannot grow beyond the degree limit.
uint32_t mono_factors(expr_session *s, const expr *mono, const expr *out[POLY_MAX_DEGREE]) {
    const expr *open[POLY_MAX_DEGREE + 1];
    uint32_t waiting = 0, count = 0;
    open[waiting++] = mono;
    while (waiting) {
        const expr *e = open[--waiting];
        if (e->op == EXPR_MUL && !(canon_at(s, e)->flags & NODE_DATA)) {
            if (waiting + 2 > POLY_MAX_DEGREE) return 0;
            open[waiting++] = e->in[1];
            open[waiting++] = e->in[0];
            continue;
        }
        if (count == POLY_MAX_DEGREE) return 0;
        out[count++] = e;
    }
    return count;
}

// Sorts a copy of the factors; count is at least 1.
// By insertion: a product has few factors. Sorted by id, so that m * n and n * m are one node.
static const expr *mono_product(expr_session *s, const expr *const *factor, uint32_t count) {
    const expr *sorted[2 * POLY_MAX_DEGREE] = {factor[0]};
    for (uint32_t i = 1; i < count; i++) {
        uint32_t j = i;
        for (; j && sorted[j - 1]->id > factor[i]->id; j--) sorted[j] = sorted[j - 1];
        sorted[j] = factor[i];
    }
    const expr *product = sorted[0];
    for (uint32_t i = 1; i < count; i++) product = expr_binary(s, EXPR_MUL, product, sorted[i]);
    return product;
}

// Types must agree: an int32 times an int64 is no product of either.
const expr *mono_multiply(expr_session *s, const expr *a, const expr *b) {
    const expr *factor[2 * POLY_MAX_DEGREE];
    if (!dtype_equal(a->type, b->type)) return NULL;
    uint32_t from_a = mono_factors(s, a, factor);
    uint32_t from_b = from_a ? mono_factors(s, b, factor + from_a) : 0;
    if (!from_b || from_a + from_b > POLY_MAX_DEGREE) return NULL;
    return mono_product(s, factor, from_a + from_b);
}

// Factors are interned, so a part is found by comparing pointers.
bool mono_divide(expr_session *s, const expr *mono, const expr *part, const expr **out) {
    const expr *have[POLY_MAX_DEGREE], *take[POLY_MAX_DEGREE];
    uint32_t count = mono_factors(s, mono, have), wanted = mono_factors(s, part, take);
    if (!count || !wanted) return false;
    for (uint32_t i = 0; i < wanted; i++) {
        uint32_t j = 0;
        while (j < count && have[j] != take[i]) j++;
        if (j == count) return false;
        have[j] = have[--count];
    }
    *out = count ? mono_product(s, have, count) : NULL;
    return true;
}

// ---- rendering ----

// x * 4, or x itself. The coefficient stands on the right, as TVM prints it.
static const expr *render_term(expr_session *s, const expr *mono, int64_t coef) {
    return coef == 1 ? mono : expr_binary(s, EXPR_MUL, mono, expr_int(s, mono->type, coef));
}

// What can be subtracted: its negative is an int64 too.
static bool is_negative(int64_t k) { return k < 0 && k != INT64_MIN; }

// Subtracts a negative constant: n - 1 rather than n + -1.
static const expr *render_constant(expr_session *s, const expr *sum, poly_view v) {
    if (!sum) return expr_int(s, v.type, v.constant);
    if (!v.constant) return sum;
    bool minus = is_negative(v.constant);
    const expr *k = expr_int(s, v.type, minus ? -v.constant : v.constant);
    return expr_binary(s, minus ? EXPR_SUB : EXPR_ADD, sum, k);
}

// What render_term makes, without making it.
static bool is_term(const expr *e, const expr *mono, int64_t coef) {
    return coef == 1 ? e == mono : e->op == EXPR_MUL && e->in[0] == mono && expr_is_int(e->in[1], coef);
}

// Takes the last operand off a sum written as poly_render writes them, if it is coef * mono, or coef with `mono` NULL.
static bool take_last(const expr **sum, expr_op op, const expr *mono, int64_t coef) {
    const expr *e = *sum;
    if (e->op != op || !(mono ? is_term(e->in[1], mono, coef) : expr_is_int(e->in[1], coef))) return false;
    *sum = e->in[0];
    return true;
}

static uint32_t count_positive(poly_view v) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < v.count; i++) count += !is_negative(v.term[i].coef);
    return count;
}

// Reads backwards what poly_render writes forwards. Each step that follows must take off what it wants, but for the
// first operand of all, which is compared as a whole.
bool poly_reads(const expr *e, poly_view v) {
    if (!dtype_equal(e->type, v.type)) return false;
    if (!v.count) return expr_is_int(e, v.constant);
    uint32_t before = count_positive(v), all = v.count;
    bool leads = !before && v.constant > 0, minus = is_negative(v.constant);
    if (v.constant && !leads && !take_last(&e, minus ? EXPR_SUB : EXPR_ADD, NULL, minus ? -v.constant : v.constant))
        return false;
    for (uint32_t i = v.count; i--;) {
        poly_term t = v.term[i];
        if (!is_negative(t.coef)) continue;
        if (all == 1 && !leads) return is_term(e, t.mono, t.coef);
        if (!take_last(&e, EXPR_SUB, t.mono, -t.coef)) return false;
        all--;
    }
    if (leads) return expr_is_int(e, v.constant);
    for (uint32_t i = v.count; i--;) {
        poly_term t = v.term[i];
        if (is_negative(t.coef)) continue;
        if (all == 1) return is_term(e, t.mono, t.coef);
        if (!take_last(&e, EXPR_ADD, t.mono, t.coef)) return false;
        all--;
    }
    return false;
}

// Subtractions rather than negative coefficients, and no sum that begins with a minus if it can be helped.
const expr *poly_render(expr_session *s, poly_view v) {
    const expr *sum = NULL;
    for (uint32_t i = 0; i < v.count; i++) {
        if (is_negative(v.term[i].coef)) continue;
        const expr *t = render_term(s, v.term[i].mono, v.term[i].coef);
        sum = sum ? expr_binary(s, EXPR_ADD, sum, t) : t;
    }
    bool leads = !sum && v.constant > 0 && v.count; // 4 - n rather than n * -1 + 4
    if (leads) sum = expr_int(s, v.type, v.constant);
    for (uint32_t i = 0; i < v.count; i++) {
        if (!is_negative(v.term[i].coef)) continue;
        sum = sum ? expr_binary(s, EXPR_SUB, sum, render_term(s, v.term[i].mono, -v.term[i].coef))
                  : render_term(s, v.term[i].mono, v.term[i].coef);
    }
    return leads ? sum : render_constant(s, sum, v);
}
