// edges.h - what operators do at the edges: a table of rules (edges.def) with examples that a test runs.
#ifndef OPS_EDGES_H
#define OPS_EDGES_H
#include "graph/op.h"

typedef struct op_edge {
    const char *names;   // of the operators that keep the rule, with spaces between
    const char *rule;    // a sentence without its stop
    const char *example; // "a=float32[2]:1,nan | R.max(a) | float32[]: nan"; on the page of the operator it calls
} op_edge;

// All rows, in the order of the pages.
const op_edge *op_edges(size_t *count);
bool op_edge_holds(const op_edge *e, const op *o); // is o one of the names?
bool op_edge_calls(const op_edge *e, const op *o); // does the example call o?
#endif
