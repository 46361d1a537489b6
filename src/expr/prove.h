// prove.h - canonical forms, facts, bounds and proofs over integer expressions.
//
// Variables and operations of int32 and int64 are mathematical integers (nothing wraps; an expression that overflows at
// run time is reported there). Narrower types, and what is computed from loads and floats, may wrap: of them only the
// type's range is known. "False" from a prover means "not proved". All work is bounded by a step limit.
#ifndef EXPR_PROVE_H
#define EXPR_PROVE_H
#include "expr/expr.h"

// What is known about variables in a scope: ranges, multiples, equalities, comparisons.
typedef struct facts facts;
facts *facts_new(expr_session *s);
facts *facts_push(const facts *outer); // a scope inside `outer`; nothing to free, dies with the session
// Assumes a bool expression (a conjunction may be given): n >= 1, n % 8 == 0, i < n, a == b, n <= 4096.
void facts_assume(facts *f, const expr *condition);
// low <= var < low + extent; low NULL: 0, extent NULL: no end.
void facts_range(facts *f, const expr *var, const expr *low, const expr *extent);

// The canonical form of an integer expression: a sum of products over atoms (variables, a // b, a % b, min, max, …) in
// a fixed order, cached per node. Equal canonical forms are the same pointer. Independent of facts, but uses what holds
// for all integers.
const expr *expr_canon(expr_session *s, const expr *e);

// A smaller or equal expression with the same value wherever the facts (may be NULL) hold. Also works inside float
// expressions on their integer parts; floats are never reassociated.
const expr *expr_simplify(expr_session *s, const expr *e, const facts *f);

bool prove_equal(expr_session *s, const expr *a, const expr *b, const facts *f);
bool prove_less_equal(expr_session *s, const expr *a, const expr *b, const facts *f);
bool prove_less(expr_session *s, const expr *a, const expr *b, const facts *f);
bool prove_divides(expr_session *s, int64_t divisor, const expr *e, const facts *f);
bool prove_true(expr_session *s, const expr *condition, const facts *f); // any bool expression
// A binding of variables under which the condition is false (and the facts true), searched among small numbers.
// False if none was found. `text` then reads like "n = 3, m = -1".
bool find_counterexample(expr_session *s, const expr *condition, const facts *f, text *out);

// Everything known about the values of e: low <= e <= high (saturated to INT64_MIN / INT64_MAX when unbounded) and
// e % multiple == remainder (multiple 0: e is the constant low).
typedef struct interval {
    int64_t low, high;
    bool has_low, has_high;
    int64_t multiple, remainder;
} interval;
interval expr_bounds(expr_session *s, const expr *e, const facts *f);

// Solves `e = value` for `var`.
typedef enum solve_status { SOLVE_UNIQUE, SOLVE_NONE, SOLVE_NOT_UNIQUE, SOLVE_UNKNOWN } solve_status;
// On SOLVE_UNIQUE, *out is the solution as an expression in the other variables of e and value; division is exact where
// the equation has a solution at all, and *condition (NULL when always true) says when it has one.
solve_status expr_solve(expr_session *s, const expr *e, const expr *value, const expr *var, const facts *f,
                        const expr **out, const expr **condition);

// Matches dims written with variables against values (numbers or expressions): binds variables as it goes, solves
// linear dims, leaves the rest as conditions.
typedef struct dims_match {
    map bound;               // MAP_KEY(var) -> const expr * value
    expr_list conditions;    // bool expressions that must hold, not decidable here
    bool contradiction;      // provably does not match
    uint32_t dim;            // of the contradiction
    const expr *contradicts; // the condition that is provably false
} dims_match;
// Starts from bindings already in m->bound (m->bound.mem must be set). Only variables of `bindable` (MAP_KEY ->
// non-NULL) are bound.
void expr_match_dims(expr_session *s, const expr *const *dim, const expr *const *value, uint32_t rank,
                     const map *bindable, const facts *f, dims_match *m);
#endif
