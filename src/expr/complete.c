// complete.c - what a linear system should know about its monomials.
//
// A monomial is one unknown of the system. Rows are added that say what makes it more than that:
//     q = a // c          0 <= a - c*q <= c - 1
//     m = min(a, b)       m <= a, m <= b
//     any                 its range, what the facts say of sums that share a monomial with the system
//     x*y                 row(x) * (y - low(y)) >= 0, when all its monomials are known already
#include "base/size.h"
#include "expr/linear.h"

enum { MAX_MONOS = 80, MAX_ROWS = 240, MAX_FACT_ROUNDS = 8, MAX_PRODUCT_ROWS = 96 };

linear_system linear_start(expr_session *s, const facts *f, arena *mem, uint32_t *steps) {
    return (linear_system){.s = s, .f = f, .mem = mem, .known = MAP_IN(mem), .steps = steps};
}

// A limit on unknowns keeps the system small; what is not known of the rest only loses proofs.
static void add_mono(linear_system *x, const expr *mono) {
    if (x->monos.len >= MAX_MONOS || map_has(&x->known, MAP_KEY(mono))) return;
    map_put(&x->known, MAP_KEY(mono), x);
    VEC_PUSH(x->mem, &x->monos, mono);
}

// A product that no row mentions would only add an unknown.
static bool all_monos_known(const linear_system *x, const poly_sum *sum) {
    for (uint32_t i = 0; i < sum->count; i++)
        if (!map_has(&x->known, MAP_KEY(sum->term[i].mono))) return false;
    return true;
}

// Divides by the common factor and rounds the constant: integers between two multiples are none.
bool linear_tighten(poly_sum *sum, bool zero) {
    int64_t g = 0;
    for (uint32_t i = 0; i < sum->count; i++) g = gcd_of(g, sum->term[i].coef);
    if (!g) return zero ? sum->constant == 0 : sum->constant >= 0;
    if (g == 1) return true;
    wide constant = wide_floor_div(sum->constant, g);
    if (zero && constant * g != sum->constant) return false;
    for (uint32_t i = 0; i < sum->count; i++) sum->term[i].coef /= g;
    sum->constant = (int64_t)constant;
    return true;
}

row linear_row(linear_system *x, const poly_sum *sum, bool zero) {
    uint32_t hash = sum->count;
    for (uint32_t i = 0; i < sum->count; i++)
        hash = (hash ^ sum->term[i].mono->id ^ (uint32_t)sum->term[i].coef * 0x85EBCA6Bu) * 0x9E3779B1u;
    return (row){.sum = poly_new(x->mem, sum), .hash = hash, .zero = zero};
}

// Rows without unknowns are true, or a contradiction found already.
void linear_add(linear_system *x, const poly_sum *given, bool zero) {
    if (given->failed || x->rows.len >= MAX_ROWS) return;
    poly_sum sum;
    sum_set(&sum, sum_see(given));
    if (!linear_tighten(&sum, zero)) x->contradiction = true;
    if (!sum.count) return;
    VEC_PUSH(x->mem, &x->rows, linear_row(x, &sum, zero));
    for (uint32_t i = 0; i < sum.count; i++) add_mono(x, sum.term[i].mono);
}

// ---- definitions ----

// sum * rest >= 0 where rest (NULL: 1) has a known sign.
static void add_times(linear_system *x, const poly_sum *sum, const expr *rest) {
    if (!rest) {
        linear_add(x, sum, false);
        return;
    }
    range r = mono_range(x->s, rest, x->f);
    if (r.low < 0 && r.high > 0) return;
    poly_sum product;
    poly_term t = {rest, r.low >= 0 ? 1 : -1};
    sum_start(&product, rest->type);
    sum_add_product(x->s, &product, sum_see(sum), (poly_view){rest->type, 1, 0, &t}, 1);
    linear_add(x, &product, false);
}

// sign * (a - b * q)
static void remainder_of(linear_system *x, const expr *q, int64_t sign, poly_sum *out) {
    poly_term t = {q, 1};
    sum_start(out, q->type);
    sum_add(out, poly_see(canon_sum(x->s, q->in[0])), sign);
    sum_add_product(x->s, out, poly_see(canon_sum(x->s, q->in[1])), (poly_view){q->type, 1, 0, &t}, -sign);
}

// 0 <= a - b*q < b, or b < a - b*q <= 0.
static void define_quotient(linear_system *x, const expr *q, const expr *rest) {
    poly_view b = poly_see(canon_sum(x->s, q->in[1]));
    range r = sum_range(x->s, b, x->f);
    int64_t sign = r.low > 0 ? 1 : r.high < 0 ? -1 : 0;
    poly_sum sum;
    if (!sign) return;
    remainder_of(x, q, sign, &sum);
    add_times(x, &sum, rest);
    remainder_of(x, q, -sign, &sum);
    sum_add(&sum, b, sign);
    sum_add_constant(&sum, -1);
    add_times(x, &sum, rest);
}

// atom - operand (or the negative) is not negative.
static void define_side(linear_system *x, const expr *atom, const expr *operand, const expr *rest) {
    int64_t sign = atom->op == EXPR_MAX ? 1 : -1;
    poly_sum sum;
    sum_start(&sum, atom->type);
    sum_add_term(&sum, atom, sign);
    sum_add(&sum, poly_see(canon_sum(x->s, operand)), -sign);
    add_times(x, &sum, rest);
}

// m <= a and m <= b. That m is one of them needs a case distinction (prove.c).
static void define_extremum(linear_system *x, const expr *atom, const expr *rest) {
    const expr *e = atom;
    for (; e->op == atom->op; e = e->in[0]) define_side(x, atom, e->in[1], rest);
    define_side(x, atom, e, rest);
}

// A cast that loses nothing is its operand.
static void define_cast(linear_system *x, const expr *atom) {
    if (!expr_is_index(atom->in[0])) return;
    poly_view of = poly_see(canon_sum(x->s, atom->in[0]));
    range r = sum_range(x->s, of, x->f), whole = range_of_type(atom->type);
    if (r.low < whole.low || r.high > whole.high) return;
    poly_sum sum;
    sum_start(&sum, atom->type);
    sum_add_term(&sum, atom, -1);
    sum_add(&sum, of, 1);
    linear_add(x, &sum, true);
}

static bool is_not_negative(linear_system *x, const expr *e) {
    return sum_range(x->s, poly_see(canon_sum(x->s, e)), x->f).low >= 0;
}

static void define_atom(linear_system *x, const expr *atom, const expr *rest) {
    if (canon_at(x->s, atom)->flags & NODE_DATA) return; // may wrap
    bool truncates = atom->op == EXPR_TRUNC_DIV && is_not_negative(x, atom->in[0]) && is_not_negative(x, atom->in[1]);
    if (atom->op == EXPR_FLOOR_DIV || truncates) define_quotient(x, atom, rest);
    if (atom->op == EXPR_MIN || atom->op == EXPR_MAX) define_extremum(x, atom, rest);
    if (atom->op == EXPR_CAST && !rest) define_cast(x, atom);
}

// Ends that are no int64 are left out.
static void add_range(linear_system *x, const expr *mono) {
    range r = mono_range(x->s, mono, x->f);
    poly_sum sum;
    if (range_is_empty(r)) x->contradiction = true;
    sum_start(&sum, mono->type);
    sum_add_term(&sum, mono, 1);
    sum.constant = (int64_t)-r.low;
    if (r.low > -(wide)INT64_MAX && r.low <= INT64_MAX) linear_add(x, &sum, false);
    sum_start(&sum, mono->type);
    sum_add_term(&sum, mono, -1);
    sum.constant = (int64_t)r.high;
    if (r.high < INT64_MAX && r.high >= -(wide)INT64_MAX) linear_add(x, &sum, false);
}

// x*x >= x and x*x >= -x, for integers.
static void add_square(linear_system *x, const expr *square, const expr *root) {
    for (int64_t sign = -1; sign <= 1; sign += 2) {
        poly_sum sum;
        sum_start(&sum, square->type);
        sum_add_term(&sum, square, 1);
        sum_add_term(&sum, root, sign);
        linear_add(x, &sum, false);
    }
}

// Everything that holds of a monomial by itself. Its factors become unknowns, too: products are made from their rows.
static void describe(linear_system *x, const expr *mono) {
    const expr *factor[POLY_MAX_DEGREE];
    uint32_t count = mono_factors(x->s, mono, factor);
    add_range(x, mono);
    for (uint32_t i = 0; i < count; i++) {
        const expr *rest = NULL;
        if (count > 1 && !mono_divide(x->s, mono, factor[i], &rest)) continue;
        if (i && factor[i] == factor[i - 1]) continue;
        define_atom(x, factor[i], rest);
        if (count > 1) add_mono(x, factor[i]);
    }
    if (count == 2 && factor[0] == factor[1]) add_square(x, mono, factor[0]);
}

// ---- facts and products ----

// Facts without any unknown of the system cannot help.
static bool shares_mono(const linear_system *x, const poly *p) {
    for (uint32_t i = 0; i < p->count; i++)
        if (map_has(&x->known, MAP_KEY(p->term[i].mono))) return true;
    return false;
}

// Adds the facts that share a monomial with the system (those of single ones are in the ranges). False: none was new.
static bool add_facts(linear_system *x, map *used) {
    bool any = false;
    for (const facts *f = x->f; f; f = f->outer)
        for (uint32_t i = 0; i < f->list.len; i++) {
            const fact *known = &f->list.at[i];
            if (known->kind != FACT_NOT_NEGATIVE && known->kind != FACT_ZERO) continue;
            if (known->sum->count < 2 || map_has(used, MAP_KEY(known)) || !shares_mono(x, known->sum)) continue;
            poly_sum sum;
            sum_set(&sum, poly_see(known->sum));
            linear_add(x, &sum, known->kind == FACT_ZERO);
            map_put(used, MAP_KEY(known), x);
            any = true;
        }
    return any;
}

// row * (y - low) and row * (high - y): not negative, as both factors are.
static void add_row_product(linear_system *x, row r, const expr *y, range of_y, bool from_low) {
    poly_sum product;
    poly_term t = {y, from_low ? 1 : -1};
    wide end = from_low ? -of_y.low : of_y.high;
    if (r.zero) end = 0;
    if (end > INT64_MAX || end < -(wide)INT64_MAX) return;
    sum_start(&product, y->type);
    sum_add_product(x->s, &product, poly_see(r.sum), (poly_view){y->type, 1, (int64_t)end, &t}, 1);
    if (!product.failed && all_monos_known(x, &product)) linear_add(x, &product, r.zero);
}

// Rows that hold `part` times y: the product part * y is what the system has as an unknown.
static void multiply_rows(linear_system *x, const expr *part, const expr *y, uint32_t rows) {
    range of_y = mono_range(x->s, y, x->f);
    for (uint32_t i = 0; i < rows; i++) {
        row r = x->rows.at[i];
        if (!poly_coef(poly_see(r.sum), part)) continue;
        add_row_product(x, r, y, of_y, true);
        if (!r.zero) add_row_product(x, r, y, of_y, false);
    }
}

// For each product among the unknowns, each way to see it as part * y.
static void add_products(linear_system *x) {
    uint32_t rows = x->rows.len, monos = x->monos.len;
    for (uint32_t i = 0; i < monos; i++) {
        const expr *factor[POLY_MAX_DEGREE], *part;
        uint32_t count = mono_factors(x->s, x->monos.at[i], factor);
        for (uint32_t j = 0; count > 1 && j < count; j++) {
            if (x->rows.len > rows + MAX_PRODUCT_ROWS) return;
            if (mono_divide(x->s, x->monos.at[i], factor[j], &part) && part && (!j || factor[j] != factor[j - 1]))
                multiply_rows(x, part, factor[j], rows);
        }
    }
}

void linear_complete(linear_system *x) {
    map used = MAP_IN(x->mem);
    uint32_t described = 0;
    for (int round = 0; round < MAX_FACT_ROUNDS; round++) {
        for (; described < x->monos.len; described++) describe(x, x->monos.at[described]);
        if (!add_facts(x, &used)) break;
    }
    add_products(x);
}
