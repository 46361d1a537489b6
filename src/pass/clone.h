// clone.h - copies a function, or parts of one, into a builder: bindings left out, values and symbols replaced.
//
// A pass fills the tables, then copies. What it decides is looked up, never asked for by a callback.
#ifndef PASS_CLONE_H
#define PASS_CLONE_H
#include "pass/support.h"

// A call that takes the place of a bound node.
typedef struct new_call {
    const char *func;       // of the module
    const node *const *arg; // old nodes
    uint32_t args, dims;
    const expr *const *dim; // symbols passed besides: R.shape([dim...]) as the last argument, or tir_vars; dims 0: none
    bool each;              // each dim as an argument R.prim_value of its own
    const ann *program;     // func is a loop program: out_sinfo of R.call_tir; NULL: a graph function
} new_call;

#define CLONE_PLAIN ((void *)1)
#define CLONE_DATAFLOW ((void *)2)

typedef struct clone {
    builder *b;
    map now; // MAP_KEY(old node) -> const node *: what stands for it in the new function; copying adds to it
    // What is left out, what stands for what:
    map drop;  // MAP_KEY(bound node or parameter) -> non-NULL: left out
    map same;  // MAP_KEY(old node) -> const node *: another old node that stands for it where it is used
    map local; // the same, but only inside the dataflow block that binds the old node
    map alias; // MAP_KEY(bound node) -> const node *: it becomes another name of that one
    // What is built in place of a bound node:
    map calls;   // -> const new_call *
    map instead; // -> const node *: a node over old operands, built in a scratch function
    map inlined; // MAP_KEY(call) -> const graph_func *: the body of the function it calls
    map before;  // MAP_KEY(bound node) -> node_list *: nodes as in `instead` that are built in front of it
    map taken;   // MAP_KEY(if) -> 1 or 2: the branch that takes its place
    // Where it goes:
    map hidden; // MAP_KEY(bound node) -> non-NULL: no longer an output of its dataflow block
    map shown;  // MAP_KEY(bound node) -> non-NULL: an output from now on
    map flow;   // MAP_KEY(bound node) -> CLONE_PLAIN or CLONE_DATAFLOW: the kind of block it goes into
    map order;  // MAP_KEY(block) -> node_list *: its bindings in another order
    bool split; // neighbouring blocks of one kind stay apart (else they become one)
    // What symbols and functions are called:
    map vars;       // MAP_KEY(symbolic variable) -> const expr *
    bool simplify;  // dims are simplified after symbols are replaced
    text_map names; // function -> its new name
} clone;

clone clone_into(builder *b); // empty tables
// What stands for an old value; leaves are copied when they are first asked for.
const node *clone_value(clone *c, const node *old);
const ann *clone_ann(clone *c, const ann *a);
const expr *clone_expr(clone *c, const expr *e);
// Copies one bound node with all inside it and remembers it; the new node, or NULL where it is dropped.
const node *clone_binding(clone *c, const node *old);
// Copies all blocks of a body; the value of its result.
const node *clone_body(clone *c, const graph_body *body);
// Attributes, purity, privacy and result annotation of a function, without its parameters.
void clone_signature(clone *c, const graph_func *old);
void clone_params(clone *c, const graph_func *old); // all of them

// Solves the symbols of a called function for one call: MAP_KEY(var) -> const expr * of the caller. False after
// reporting a contradiction.
bool solve_call(module *m, const node *call, const graph_func *callee, map *bound, diag *d);

// A whole function in the tables' light. `c->b` is set by it; the other tables are the caller's.
graph_func *clone_func(clone *c, module *m, const graph_func *old, diag *d);
clone clone_tables(module *m); // empty tables without a builder, for clone_func
#endif
