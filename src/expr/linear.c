// linear.c - Fourier-Motzkin elimination over integers: shows that rows can't all hold.
//
// Equalities are substituted first; then one unknown after the other is eliminated by adding each pair of rows that
// bound it from both sides. Every new row is divided by the common factor of its coefficients and its constant
// rounded down, which is exact for integers. Sums that leave int64 are dropped: that only loses proofs.
#include "expr/linear.h"
#include "base/size.h"

enum { MAX_WORKING_ROWS = 300 };

// All work is counted, so that an answer is the same on every machine.
static bool spend(linear_system *x) {
    if (!*x->steps) return false;
    --*x->steps;
    return true;
}

// Looking through all rows costs as much as some pairs of them.
static void spend_looking(linear_system *x) {
    uint32_t cost = x->rows.len / 16;
    *x->steps -= cost < *x->steps ? cost : *x->steps;
}

// k with k * a's coefficient == -m * b's: out = k * a + m * b has no `mono`. m > 0; k > 0 too if the signs differ.
static bool combine(const poly *a, const poly *b, const expr *mono, poly_sum *out) {
    int64_t ca = poly_coef(poly_see(a), mono), cb = poly_coef(poly_see(b), mono);
    if (ca == INT64_MIN || cb == INT64_MIN) return false;
    int64_t g = int_gcd(ca, cb), m = (ca < 0 ? -ca : ca) / g, k = (ca < 0 ? cb : -cb) / g;
    sum_start(out, a->type);
    sum_add(out, poly_see(a), k);
    sum_add(out, poly_see(b), m);
    return !out->failed;
}

// The rows that one elimination leaves; equal terms are found by their hash.
enum { BUCKETS = 128 };
typedef struct new_rows {
    row_list list;
    uint32_t last[BUCKETS]; // one more than the last row of each bucket
} new_rows;

// The same terms as an earlier row: the smaller constant says more.
static bool merge_row(new_rows *rows, const row *new) {
    poly_view v = poly_see(new->sum);
    for (uint32_t i = new->zero ? 0 : rows->last[new->hash % BUCKETS]; i; i = rows->list.at[i - 1].before) {
        row *r = &rows->list.at[i - 1];
        if (r->hash != new->hash || r->zero || r->sum->count != v.count) continue;
        poly_view old = poly_see(r->sum);
        old.constant = v.constant;
        if (!poly_equal(old, v)) continue;
        if (v.constant < r->sum->constant) r->sum = new->sum;
        return true;
    }
    return false;
}

// Rows that do not change are only looked at for duplicates.
static void keep_row(linear_system *x, new_rows *rows, const row *r) {
    if (merge_row(rows, r)) return;
    uint32_t *last = &rows->last[r->hash % BUCKETS];
    row kept = *r;
    kept.before = *last;
    VEC_PUSH(x->mem, &rows->list, kept);
    *last = rows->list.len;
}

// Tightens a new row and drops it where an older one says as much.
static void put_row(linear_system *x, new_rows *rows, poly_sum *sum, bool zero) {
    if (sum->failed) return;
    if (!linear_tighten(sum, zero)) x->contradiction = true;
    if (!sum->count) return;
    row new = linear_row(x, sum, zero);
    keep_row(x, rows, &new);
}

// ---- equalities ----

// An equality and the unknown in it that is cheapest to replace; NULL: there is none.
static const expr *choose_substitution(const row_list *rows, uint32_t *index) {
    const expr *best = NULL;
    int64_t best_cost = INT64_MAX;
    for (uint32_t i = 0; i < rows->len; i++) {
        const poly *p = rows->at[i].sum;
        for (uint32_t j = 0; rows->at[i].zero && j < p->count; j++) {
            int64_t k = p->term[j].coef, size = k < 0 ? -(k + 1) : k - 1; // 0 for 1 and -1
            int64_t cost = (size > 1 << 20 ? 1 << 20 : size) * 256 + p->count;
            if (cost >= best_cost) continue;
            best_cost = cost;
            best = p->term[j].mono;
            *index = i;
        }
    }
    return best;
}

// Replaces one unknown everywhere by means of an equality.
static bool substitute_one(linear_system *x) {
    uint32_t index = 0;
    const expr *mono = choose_substitution(&x->rows, &index);
    if (!mono || x->contradiction) return false;
    const poly *equality = x->rows.at[index].sum;
    new_rows next = {0};
    for (uint32_t i = 0; i < x->rows.len && !x->contradiction; i++) {
        row r = x->rows.at[i];
        poly_sum sum;
        if (i == index) continue;
        if (!poly_coef(poly_see(r.sum), mono)) {
            keep_row(x, &next, &r);
        } else if (spend(x) && combine(equality, r.sum, mono, &sum)) {
            put_row(x, &next, &sum, r.zero);
        }
    }
    x->rows = next.list;
    return true;
}

// ---- inequalities ----

typedef struct unknown {
    const expr *mono;
    uint32_t above, below; // rows with a positive, a negative coefficient
} unknown;
typedef VEC(unknown) unknown_list;

// How often each unknown is bounded from either side.
static void count_unknowns(linear_system *x, unknown_list *out) {
    map at = MAP_IN(x->mem);
    for (uint32_t i = 0; i < x->rows.len; i++)
        for (uint32_t j = 0; j < x->rows.at[i].sum->count; j++) {
            poly_term t = x->rows.at[i].sum->term[j];
            uintptr_t place = (uintptr_t)map_find(&at, MAP_KEY(t.mono));
            if (!place) {
                VEC_PUSH(x->mem, out, (unknown){.mono = t.mono});
                place = out->len;
                map_put(&at, MAP_KEY(t.mono), (void *)place);
            }
            unknown *u = &out->at[place - 1];
            if (t.coef > 0)
                u->above++;
            else
                u->below++;
        }
}

// The unknown whose elimination adds the fewest rows.
static const expr *choose_unknown(linear_system *x) {
    unknown_list all = {0};
    const expr *best = NULL;
    int64_t best_growth = INT64_MAX;
    count_unknowns(x, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        int64_t above = all.at[i].above, below = all.at[i].below, growth = above * below - above - below;
        if (growth < best_growth) {
            best_growth = growth;
            best = all.at[i].mono;
        }
    }
    return best_growth + x->rows.len > MAX_WORKING_ROWS ? NULL : best;
}

// False: the limit of steps is reached.
static bool pair_rows(linear_system *x, const expr *mono, new_rows *next) {
    for (uint32_t i = 0; i < x->rows.len; i++) {
        if (poly_coef(poly_see(x->rows.at[i].sum), mono) <= 0) continue;
        for (uint32_t j = 0; j < x->rows.len && !x->contradiction; j++) {
            poly_sum sum;
            if (poly_coef(poly_see(x->rows.at[j].sum), mono) >= 0) continue;
            if (!spend(x)) return false;
            if (combine(x->rows.at[i].sum, x->rows.at[j].sum, mono, &sum)) put_row(x, next, &sum, false);
        }
    }
    return true;
}

// Rows without the unknown stay; pairs that bound it from both sides become one row; the others say nothing more.
static bool eliminate_one(linear_system *x) {
    const expr *mono = choose_unknown(x);
    if (!mono || x->contradiction) return false;
    spend_looking(x);
    new_rows next = {0};
    for (uint32_t i = 0; i < x->rows.len; i++)
        if (!poly_coef(poly_see(x->rows.at[i].sum), mono)) keep_row(x, &next, &x->rows.at[i]);
    bool whole = pair_rows(x, mono, &next);
    x->rows = next.list;
    return whole;
}

// Fourier-Motzkin: eliminates unknowns until a row contradicts itself or the steps are spent.
bool linear_refute(linear_system *x) {
    for (int i = 0; i < 4; i++) spend_looking(x);
    while (!x->contradiction && substitute_one(x)) continue;
    while (!x->contradiction && x->rows.len && eliminate_one(x)) continue;
    return x->contradiction;
}
