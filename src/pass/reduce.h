// reduce.h - smaller modules made of a module: what `relax reduce` tries.
//
// An edit takes something away: functions, bindings, outputs, parameters, attributes. What it may take away is numbered
// in textual order, so the same edit of an equal module does the same. Whether the smaller module is still of interest
// is for the caller to find out; so is whether it is one (an edit of a called function may break its callers: verify).
#ifndef PASS_REDUCE_H
#define PASS_REDUCE_H
#include "base/diag.h"
#include "graph/graph.h"

typedef enum reduce_kind {
    REDUCE_UNUSED,     // all that DeadCodeElimination removes; one item
    REDUCE_FUNCTIONS,  // functions
    REDUCE_RESULTS,    // fields of results, then what only the result needs: an earlier value is the result
    REDUCE_BINDINGS,   // bound values: parameters stand for them, zeros in functions that are called
    REDUCE_OPERANDS,   // bound values for which an operand of the same annotation can stand
    REDUCE_CONSTANTS,  // constants of many elements: parameters stand for them
    REDUCE_BRANCHES,   // ifs: two items each, the branch that stays
    REDUCE_PARAMETERS, // parameters: unused ones go, for others small constants stand
    REDUCE_ATTRIBUTES, // of functions, loop programs and the module
    REDUCE_SYMBOLS,    // symbolic sizes: two items each, 1 and 2 in its place
    REDUCE_STATEMENTS, // statements that stand in sequences of loop programs
    REDUCE_BLOCKS,     // dataflow blocks become plain ones; one item
    REDUCE_KINDS
} reduce_kind;

// How many items of a kind the module has.
uint32_t reduce_items(module *m, reduce_kind kind);
// Takes away items [from, from + count). False when that changes nothing; the module is then as it was, or unusable
// where *d has errors.
bool reduce_apply(module *m, reduce_kind kind, uint32_t from, uint32_t count, diag *d);
// Do items of this kind exclude each other, so that they are tried one by one?
bool reduce_singly(reduce_kind kind);
#endif
