// span.h - the smallest and largest value of an index over the loops it stands in, as expressions.
#ifndef LOOP_SPAN_H
#define LOOP_SPAN_H
#include "expr/prove.h"
#include "loop/loop.h"

// low <= index <= high; equal for a single point, both NULL where nothing is known.
typedef struct span {
    const expr *low, *high;
} span;

// Variables with spans of their own (loop variables, lets); all others stand for themselves.
typedef struct span_scope {
    expr_session *s;
    arena *mem;
    const facts *facts;         // NULL: none
    map vars;                   // MAP_KEY(var) -> span *
    VEC(struct span_undo) undo; // narrowed spans, to be restored
} span_scope;
typedef struct span_undo {
    const expr *var;
    span *before;
} span_undo;

span_scope span_scope_new(expr_session *s, arena *mem, const facts *known);
void span_put(span_scope *in, const expr *var, span range_of_var);
span span_of(span_scope *in, const expr *index);
span span_of_range(span_scope *in, range r); // min .. min + extent - 1
span span_add(span_scope *in, span a, span b);
span span_union(span_scope *in, span a, span b);
range span_range(span_scope *in, span sp); // simplified; sp must be known
// Takes a condition that holds (or, `holds` false, fails) into account, as far as it bounds variables with spans.
// Returns a mark for span_restore.
uint32_t span_narrow(span_scope *in, const expr *condition, bool holds);
void span_restore(span_scope *in, uint32_t mark);
#endif
