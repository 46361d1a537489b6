// linear.h - integer linear reasoning: shows that conditions can't all hold. For the files of expr/ alone.
#ifndef EXPR_LINEAR_H
#define EXPR_LINEAR_H
#include "expr/facts.h"

// sum >= 0, or sum == 0 where `zero` is set.
typedef struct row {
    const poly *sum;
    uint32_t hash;   // of the terms without the constant
    uint32_t before; // while an elimination makes rows: one more than the row before it in its bucket
    bool zero;
} row;
typedef VEC(row) row_list;

// The rows, what is known of the monomials in them and what the facts say.
typedef struct linear_system {
    expr_session *s;
    const facts *f; // may be NULL
    arena *mem;
    row_list rows;
    expr_list monos; // in order of discovery
    map known;       // MAP_KEY(mono) -> non-NULL
    uint32_t *steps; // what may still be spent
    bool contradiction;
} linear_system;

linear_system linear_start(expr_session *s, const facts *f, arena *mem, uint32_t *steps);
void linear_add(linear_system *x, const poly_sum *sum, bool zero);
// Divides by the common factor; x + y >= 1/2 becomes x + y >= 1. False: it holds for no integers.
bool linear_tighten(poly_sum *sum, bool zero);
row linear_row(linear_system *x, const poly_sum *sum, bool zero); // a copy
// Adds what follows from the definitions of atoms, from ranges, facts and products of rows.
void linear_complete(linear_system *x);
// True if no integers satisfy all rows. False: not shown. Uses up the rows.
bool linear_refute(linear_system *x);
#endif
