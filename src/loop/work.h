// work.h - how much a program has to do: operations and bytes, as expressions over its sizes.
#ifndef LOOP_WORK_H
#define LOOP_WORK_H
#include "expr/prove.h"
#include "loop/loop.h"

// What is counted. A call of a function such as exp is one operation, a fused multiply-add two; copies, conversions,
// comparisons and the arithmetic of indices are none.
typedef enum work_kind {
    WORK_FLOPS,   // operations on floats up to 32 bits and on integers
    WORK_DOUBLES, // on float64
    WORK_DOTS,    // within T.dp4a: eight each
    WORK_BYTES,   // of parameters that are read or written, each element once
    WORK_KINDS
} work_kind;

// int64 expressions over the symbols and scalars of the signature. NULL: they don't tell, because a loop's extent is
// read from memory. Where a loop's extent depends on loops around it the most is counted, of branches the larger one.
typedef struct loop_work {
    const expr *amount[WORK_KINDS];
} loop_work;

// Programs are counted best while their blocks have iteration variables: the domains of those say how often a block
// runs, whatever was split and padded. The attribute WORK_ATTR of a program keeps that count for later.
loop_work loop_work_of(expr_session *s, arena *mem, const loop_func *f);

#define WORK_ATTR "relax.work"
// The attributes of f with its work, T.index_map(lambda n: [n * 2, 0, 0, n * 12]): of a kernel's scalars, WORK_KINDS
// amounts, -1 for what isn't known.
const attr *loop_work_attr(expr_session *s, arena *mem, const loop_func *f, const loop_work *w);
// What the attribute says; without one, what loop_work_of says.
loop_work loop_work_find(expr_session *s, arena *mem, const loop_func *f);
#endif
