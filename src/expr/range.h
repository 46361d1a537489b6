// range.h - what is known of a value: an interval and a congruence. For the files of expr/ alone.
#ifndef EXPR_RANGE_H
#define EXPR_RANGE_H
#include "expr/canon.h"

#define RANGE_INFINITE ((wide)1 << 120) // beyond: not bounded on that side

// low <= v <= high, and v % multiple == remainder (multiple 0: v is the constant `remainder`).
// low > high: there is no such value.
typedef struct range {
    wide low, high;
    int64_t multiple, remainder;
} range;

range range_all(void);
range range_of(int64_t low, int64_t high);
range range_of_type(dtype type); // of an integer type or bool
range range_add(range a, range b);
range range_multiply(range a, range b);
range range_scale(range a, int64_t k); // a * k
range range_meet(range a, range b);    // both hold
range range_join(range a, range b);    // one of them holds
bool range_is_empty(range r);
bool range_constant(range r, int64_t *out);

// The range of a canonical sum, of an atom or product. `f` may be NULL.
range sum_range(expr_session *s, poly_view v, const facts *f);
range mono_range(expr_session *s, const expr *mono, const facts *f);
range floor_div_range(range a, range b);
range floor_mod_range(range a, range b);

int64_t gcd_of(int64_t a, int64_t b);
wide wide_floor_div(wide a, wide b); // b not 0
#endif
