// extremum.c - minima and maxima of sums, in canonical form.
//
//     max(a, max(b, a))       ->   max(a, b)        flat, in order, each once
//     min(n, n + 1)           ->   n                an operand that another one makes useless goes
//     min(i*4 + 4, i*4 + n)   ->   i*4 + min(n, 4)  what all have in common stands outside
#include "base/size.h"
#include "expr/range.h"

// Nested minima are one flat list.
bool extremum_gather(expr_session *s, extremum *x, const poly *operand) {
    bool nested =
        operand->count == 1 && !operand->constant && operand->term[0].coef == 1 && operand->term[0].mono->op == x->op;
    const expr *e = nested ? operand->term[0].mono : NULL;
    for (; e && e->op == x->op; e = e->in[0]) { // MIN(MIN(a, b), c): the right sides are no minima
        if (x->count == EXTREMUM_MAX) return false;
        x->operand[x->count++] = canon_sum(s, e->in[1]);
    }
    if (x->count == EXTREMUM_MAX) return false;
    x->operand[x->count++] = e ? canon_sum(s, e) : operand;
    return true;
}

// Is a on the winning side of b, always?
static bool wins(expr_session *s, expr_op op, const poly *a, const poly *b, const facts *f) {
    poly_sum less;
    sum_set(&less, poly_see(op == EXPR_MIN ? b : a));
    sum_add(&less, poly_see(op == EXPR_MIN ? a : b), -1);
    if (less.failed) return false;
    if (!less.count) return less.constant >= 0;
    fold_mods(s, &less);
    return sum_range(s, sum_see(&less), f).low >= 0;
}

// Removing an operand moves the last one into its place, which is then looked at, too.
static void drop_losers(expr_session *s, extremum *x, const facts *f) {
    for (uint32_t i = 0; i < x->count; i++) {
        for (uint32_t j = 0; j < x->count; j++) {
            if (i == j || !wins(s, x->op, x->operand[i], x->operand[j], f)) continue;
            x->operand[j] = x->operand[--x->count];
            if (i == x->count) i = j;
            j--;
        }
    }
}

// The terms (and the constant) that all operands have.
static void find_common(const extremum *x, poly_sum *common) {
    const poly *first = x->operand[0];
    sum_start(common, first->type);
    for (uint32_t i = 0; i < first->count; i++) {
        bool all = true;
        for (uint32_t j = 1; j < x->count && all; j++)
            all = poly_coef(poly_see(x->operand[j]), first->term[i].mono) == first->term[i].coef;
        if (all) sum_add_term(common, first->term[i].mono, first->term[i].coef);
    }
    bool all = true;
    for (uint32_t j = 1; j < x->count && all; j++) all = x->operand[j]->constant == first->constant;
    if (all) sum_add_constant(common, first->constant);
}

// As an expression; a sum of one atom is that atom.
static const expr *without_common(expr_session *s, const poly *p, const poly_sum *common) {
    if (!common->count && !common->constant) return canon_form(s, p);
    poly_sum rest;
    sum_set(&rest, poly_see(p));
    sum_add(&rest, sum_see(common), -1);
    bool unit = rest.count == 1 && !rest.constant && rest.term[0].coef == 1;
    return unit ? rest.term[0].mono : canon_form(s, poly_new(s->mem, &rest));
}

// Constants last, else by id.
static bool stands_before(const expr *a, const expr *b) {
    bool last = a->op == EXPR_INT;
    return last == (b->op == EXPR_INT) ? a->id < b->id : !last;
}

static void sort_forms(const expr **form, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        const expr *e = form[i];
        uint32_t j = i;
        for (; j && stands_before(e, form[j - 1]); j--) form[j] = form[j - 1];
        form[j] = e;
    }
}

// Losers go first: of min(n, n + 1) nothing is left to be sorted.
void add_extremum(expr_session *s, poly_sum *out, const extremum *given, int64_t k, const facts *f) {
    extremum x = *given;
    drop_losers(s, &x, f);
    if (x.count == 1) {
        sum_add(out, poly_see(x.operand[0]), k);
        return;
    }
    poly_sum common;
    const expr *form[EXTREMUM_MAX] = {NULL};
    find_common(&x, &common);
    for (uint32_t i = 0; i < x.count; i++) form[i] = without_common(s, x.operand[i], &common);
    sort_forms(form, x.count);
    const expr *atom = form[0];
    for (uint32_t i = 1; i < x.count; i++) atom = expr_binary(s, x.op, atom, form[i]);
    sum_add(out, poly_see(canon_monomial(s, atom)), k);
    sum_add(out, sum_see(&common), k);
}
