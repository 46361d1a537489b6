// poly.h - sums of products over atoms: how canonical forms are held and computed. For the files of expr/ alone.
//
//   (n + 1) * m * 4   is   4*[m * n] + 4*[m]      an atom is what is no sum, difference or product:
//   a variable, a // b, min(a, b), a select, a load; a % b is held as a - b * (a // b)
//
// Coefficients are int64, computed with checks; a sum that leaves them or grows too long has `failed` set and the
// node it was to describe becomes an atom itself.
#ifndef EXPR_POLY_H
#define EXPR_POLY_H
#include "expr/expr.h"

__extension__ typedef __int128 wide; // intermediate values of bounds

// More terms or factors make the whole an atom: the cost of one node stays bounded.
enum { POLY_MAX_TERMS = 96, POLY_MAX_DEGREE = 24 };

typedef struct poly_term {
    const expr *mono; // an atom, or MUL(MUL(a, b), c) of atoms in order of their ids
    int64_t coef;     // never 0
} poly_term;

// Finished; in order of mono->id, each mono once. Lives in the session.
typedef struct poly {
    dtype type; // of all its atoms
    uint32_t count;
    int64_t constant;
    const expr *form;          // rendered; NULL until asked for
    const struct poly *folded; // with a % b where that is shorter; NULL until asked for
    poly_term term[];
} poly;

// One that is being computed.
typedef struct poly_sum {
    dtype type;
    bool failed; // left int64 or POLY_MAX_TERMS: the rest is meaningless
    uint32_t count;
    int64_t constant;
    poly_term term[POLY_MAX_TERMS];
} poly_sum;

// Either of them, to read. Valid as long as what it was made from is neither changed nor gone.
typedef struct poly_view {
    dtype type;
    uint32_t count;
    int64_t constant;
    const poly_term *term;
} poly_view;
static inline poly_view poly_see(const poly *p) { return (poly_view){p->type, p->count, p->constant, p->term}; }
static inline poly_view sum_see(const poly_sum *p) { return (poly_view){p->type, p->count, p->constant, p->term}; }

void sum_start(poly_sum *out, dtype type); // zero
void sum_set(poly_sum *out, poly_view v);
void sum_add_constant(poly_sum *out, int64_t k);
void sum_add_term(poly_sum *out, const expr *mono, int64_t coef);
void sum_add(poly_sum *out, poly_view v, int64_t k);                                       // out += k * v
void sum_add_product(expr_session *s, poly_sum *out, poly_view a, poly_view b, int64_t k); // out += k * a * b
// Divides all coefficients and the constant; they must be multiples of k.
void sum_divide_exactly(poly_sum *out, int64_t k);
poly *poly_new(arena *mem, const poly_sum *sum); // a copy
bool poly_equal(poly_view a, poly_view b);
int64_t poly_coef(poly_view v, const expr *mono); // 0 if absent
int64_t poly_gcd(poly_view v);                    // of the coefficients without the constant; 0 for a constant

// --- Monomials.
// The factors of a monomial into `out`; the number of them, or 0 when there are more than POLY_MAX_DEGREE. A product
// of data, which wraps, counts as one factor.
uint32_t mono_factors(expr_session *s, const expr *mono, const expr *out[POLY_MAX_DEGREE]);
// a * b. NULL when it has too many factors or their types differ.
const expr *mono_multiply(expr_session *s, const expr *a, const expr *b);
// mono / part into *out (NULL: the quotient is 1). False if `part` is no part of it.
bool mono_divide(expr_session *s, const expr *mono, const expr *part, const expr **out);

// --- Between sums and expressions.
// The expression a sum stands for: positive terms first, the constant last; `n * 4 - m + 3`.
const expr *poly_render(expr_session *s, poly_view v);
// Is e that expression? Asks no table, so that what is written canonically already costs little.
bool poly_reads(const expr *e, poly_view v);
#endif
