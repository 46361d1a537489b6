// deduce.h - deduction of calls: matching the annotations of arguments against those of parameters.
//
// Relations between dims cross a call through the signature alone (paper, Figure 7): an argument's dims give the
// callee's symbolic variables their values, the result is the callee's result with those values put in. What no
// argument determines makes the result coarser, never wrong; what can't be decided here is checked at run time.
#ifndef GRAPH_DEDUCE_H
#define GRAPH_DEDUCE_H
#include "graph/op.h"

// One call being deduced. Start with deduce_start; then parameters, then deduce_solve, then results.
typedef struct deduction {
    infer_ctx *c;
    const node *n;      // the call: errors are reported at its place
    const char *callee; // as the user wrote it, for messages
    loc declared;       // of the callee, for a note; zero: none
    map bindable;       // MAP_KEY(var): the callee's own variables
    map rename;         // where caller and callee share variables (recursion): own ones -> stand-ins
    dims_match match;   // after deduce_solve: values of variables, and conditions left to run time
    VEC(struct deduce_dim) dims;
    const graph_func *closure; // the callee is this local function; NULL: something else
    bool undecided;            // something else (a rank, a dtype, an Object) is left to run time
} deduction;
typedef struct deduce_dim {
    const expr *want, *got;
    const char *what; // "argument 2 (w)"
    uint32_t index;   // of the dim
    bool is_value;    // no dim but the value of an R.Prim
} deduce_dim;

deduction deduce_start(infer_ctx *c, const node *n, const char *callee, loc declared, const graph_func *closure);
// Notes the symbolic variables of a parameter's annotation as the callee's own. All parameters first.
void deduce_own(deduction *d, const ann *param);
// Compares kind, dtype, rank and count, and remembers dims for deduce_solve. False after reporting a contradiction.
bool deduce_argument(deduction *d, const char *what, const ann *param, const ann *arg);
// Binds variables and proves the rest. False after reporting a contradiction, with both places.
bool deduce_solve(deduction *d);

// The whole of it: arguments in[first .. first + args) of n against the Callable `type`. NULL after reporting.
const ann *deduce_call(infer_ctx *c, const node *n, const node *callee, uint32_t first, uint32_t args);

// The tensors that out_sinfo= names. False after reporting, where dims are missing.
bool deduce_destinations(infer_ctx *c, const node *n, const ann *const **out, uint32_t *outs);
// A call of a loop program: n->in[0] the program, in[1] the tuple of inputs, in[2] the scalars (may be absent), `out`
// the destinations that are passed besides. False after reporting.
bool deduce_program(infer_ctx *c, const node *n, const ann *const *out, uint32_t outs);
const ann *deduce_call_tir(infer_ctx *c, const node *n); // both: call_tir, and what means the same

// Which function a value stands for, looking through other names of it: FORM_GLOBAL, FORM_CLOSURE, FORM_EXTERN or else.
const node *deduce_callee(const node *callee);
// The loop program it stands for; NULL: none of the module.
const module_func *deduce_loop(const module *m, const node *callee);
// "cls.f", "f", "the function": as the user wrote it.
const char *deduce_name(arena *mem, const node *callee);
#endif
