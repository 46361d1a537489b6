// frame.h - the inside of the graph interpreter: one activation of a function, its values and symbolic variables.
#ifndef INTERP_FRAME_H
#define INTERP_FRAME_H
#include "interp/value.h"

// Where in an argument something stands: x, x[1], x[1][0] (deeper levels are not told apart).
typedef struct path {
    const char *name;
    uint32_t depth, index[3];
} path;

// What gave a symbolic variable its value: dim `dim` of a tensor's shape, an item of a shape, a number.
typedef struct var_origin {
    path at;
    enum { FROM_TENSOR, FROM_SHAPE, FROM_NUMBER } what;
    uint32_t dim;
} var_origin;

// The symbolic variables of an activation, by id. Closures made in it keep it.
typedef struct scope {
    uint32_t refs;
    expr_env env;
    var_origin *origin; // where env.bound
} scope;
scope *frame_scope_new(run *r, const scope *outer); // starts as a copy of outer (may be NULL); NULL: out of memory
void frame_scope_release(scope *s);                 // NULL is allowed

typedef struct frame {
    run *r;
    arena *mem; // dies with the activation
    const graph_func *f;
    const interp_closure *self; // NULL: a function of the module
    scope *vars;
    value *slot;    // by id of f's nodes
    uint32_t *left; // how often each will still be taken
    // A self tail call asks for the next activation:
    bool again;
    value *next; // its arguments, f->params of them
} frame;

// --- graph.c
bool interp_graph(run *r, const graph_func *f, const value *arg, uint32_t count, value *result);
bool interp_call(run *r, const value *func, const value *arg, uint32_t count, value *result, loc at);
bool frame_value(frame *fr, const node *n, value *out); // a new reference
bool frame_fail(frame *fr, loc at, const char *format, ...) RX_PRINTF(3, 4);

// --- match.c: values against annotations.
bool frame_scalar(frame *fr, const expr *e, scalar *out, loc at);
bool frame_dims(frame *fr, const expr *const *dim, uint32_t rank, int64_t *out, loc at);
// Kinds, dtypes, ranks; symbolic variables are bound; then all dims are checked. All values together, since one may
// bind what another needs. `what` names them.
bool match_values(frame *fr, const path *what, const ann *const *type, const value *v, uint32_t count, loc at);

// The bounds on sizes that the function's attributes promise. False after reporting.
bool match_bounds(frame *fr);

// --- graph_op.c, special.c
bool eval_operator(frame *fr, const node *n, value *out);
// n itself, or a copy over what its operands are now, where their shapes or its own are not known. NULL after
// reporting.
const node *frame_known_node(frame *fr, const node *n, const value *in);
// indices.c: indices among the operands are in range. False after reporting.
bool check_indices(frame *fr, const node *n, const value *in);
// The operators that are no loop programs, by name. False if n's is none of them; *done says how it went.
bool eval_special(frame *fr, const node *n, value *in, value *out, bool *done);
// A tensor over the memory of another. NULL after reporting.
tensor *frame_tensor_over(frame *fr, tensor *t, dtype type, uint32_t rank, const int64_t *dim, size_t at, loc place);
// New tensors as the annotation says; a tuple for a tuple.
bool frame_outputs(frame *fr, const ann *type, value *out, loc at);
#endif
