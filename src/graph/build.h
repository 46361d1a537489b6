// build.h - builds graph functions, node by node, deducing annotations; and rebuilds them with changes.
#ifndef GRAPH_BUILD_H
#define GRAPH_BUILD_H
#include "graph/op.h"

// Builds one function (and, recursively, its closures and branches). Leaves have no name; bound nodes get one and are
// appended to the current block.
typedef struct builder {
    module *m;
    graph_func *f;
    graph_body *body;     // being filled
    binding_block *block; // being filled; NULL: none open
    facts *facts;
    diag *d;
    loc at;                // origin of what is built next
    map names;             // names in use in this function -> count, to make hints unique
    struct builder *outer; // of a closure
    // Inside of the builder:
    map *owners;               // infer_ctx.owners, shared with closures
    VEC(const expr *) defined; // symbolic variables that match_cast defined, in order
    VEC(const char *) taken;   // names in order, so that a branch can give its own back
    map shown;                 // outputs of dataflow blocks: MAP_KEY(node) -> the block
    const attr *attrs_seen;    // attributes whose bounds are among the facts
    node *self;                // of a closure: the node it will be
} builder;

builder *build_func(module *m, const char *name, diag *d); // starts a function
const node *build_param(builder *b, const char *name, const ann *type);
void build_block(builder *b, bool dataflow);              // ends the open block, starts another
void build_output(builder *b, const node *n);             // R.output
graph_func *build_finish(builder *b, const node *result); // result type deduced unless f->result_written
// A local function: build_closure, parameters and body as for a function, then build_end_closure, which binds it in
// `outer` under its name.
builder *build_closure(builder *outer, const char *name);
const node *build_self(builder *closure); // the closure as a value inside its own body; its signature must be complete
const node *build_end_closure(builder *closure, const node *result); // instead of build_finish

// Leaves.
const node *build_constant(builder *b, const tensor *t); // retained for the module's life
const node *build_shape(builder *b, const expr *const *dim, uint32_t rank);
const node *build_prim(builder *b, const expr *value);
const node *build_string(builder *b, const char *bytes, size_t size);
const node *build_dtype(builder *b, dtype type);
const node *build_global(builder *b, const char *name); // a function of the module; must exist or be declared
const node *build_extern(builder *b, const char *name);
// These may be leaves (name NULL) or bound.
const node *build_tuple(builder *b, const char *name, const node *const *in, uint32_t count);
const node *build_item(builder *b, const char *name, const node *tuple, uint32_t index);

// What a call is made of.
typedef struct call_parts {
    const op *op;
    const node *const *in;
    uint32_t count;
    const attr *const *attr; // one per row of the table; NULL entries and a NULL array mean the defaults
    const ann *const *type_arg;
    uint32_t type_args;
    const ann *written; // annotation in the text; NULL: none
} call_parts;
// Checks arity and kinds, deduces, appends. Returns poison after a reported error; silent if an operand is poison.
const node *build_call(builder *b, const char *name, const call_parts *c);
// The common case.
const node *build_op(builder *b, const char *name, const op *o, const node *const *in, uint32_t count);
// With attributes by the names of the operator's table; those that are not given have their defaults.
typedef struct named_attr {
    const char *name;
    const attr *value;
} named_attr;
const node *build_op_with(builder *b, const char *name, const op *o, const node *const *in, uint32_t count,
                          const named_attr *attrs, uint32_t given);
const node *build_call_func(builder *b, const char *name, const node *callee, const node *const *arg, uint32_t count);
const node *build_call_tir(builder *b, const char *name, const char *func, const node *const *arg, uint32_t count,
                           const ann *out, const expr *const *tir_var, uint32_t tir_vars);
const node *build_match_cast(builder *b, const char *name, const node *value, const ann *type);
const node *build_bind(builder *b, const char *name, const node *value, const ann *written);
// An `if`: begin, fill the then branch, switch, fill the else branch, end.
typedef struct if_parts if_parts;
if_parts *build_if(builder *b, const node *condition);
void build_else(builder *b, if_parts *p, const node *then_result);
const node *build_end_if(builder *b, if_parts *p, const char *name, const node *else_result);

bool node_is_poison(const node *n);
// What is reported; a user of the builder that found an error itself goes on with this.
const node *build_poison(builder *b);

// --- Rebuilding. A rewrite sees one node of the old function whose operands are already rebuilt as `in`, and returns
// its replacement built in b, or NULL to copy it unchanged. Parameters, leaves and nested bodies are rebuilt by the
// driver. `user` is the pass's own state.
typedef const node *rewrite(builder *b, const node *old, const node *const *in, void *user);
// Builds a new function in module `b->m` (the old one is left alone). Order of bindings, names, places, dataflow blocks
// and outputs are kept.
graph_func *graph_rebuild(module *m, const graph_func *old, rewrite *fn, void *user, diag *d);
// A fresh copy of one node over other operands, as the default of a rewrite.
const node *build_copy(builder *b, const node *old, const node *const *in);

// --- Looking.
// All bound nodes of a function in order, closures' bodies excluded, branches of ifs included before the if.
typedef VEC(const node *) node_list;
void graph_nodes(const graph_func *f, arena *mem, node_list *out);
// How often each id is used as an operand or result; `f->nodes` counts, from `mem`.
uint32_t *graph_uses(const graph_func *f, arena *mem);
#endif
