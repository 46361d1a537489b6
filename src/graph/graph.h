// graph.h - the graph language: modules, functions, annotations and nodes.
//
// A module maps names to functions: graph functions, loop programs, externals. A graph function is parameters, blocks
// of bindings in A-normal form, and a result. A node is uniform: {operator, annotation, origin, attributes, id,
// operands}; nothing is changed once built. Everything lives in the module's arena.
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H
#include "expr/prove.h"
#include "loop/loop.h"
#include "tensor/tensor.h"

typedef struct node node;
typedef struct graph_func graph_func;
typedef struct op op;

// --- Annotations: what is known of a value.
typedef enum ann_kind {
    ANN_OBJECT,
    ANN_PRIM,  // a scalar: type, maybe value
    ANN_SHAPE, // a shape: rank or dims
    ANN_TENSOR,
    ANN_TUPLE,
    ANN_CALLABLE,
} ann_kind;

enum { RANK_UNKNOWN = -1 };

typedef struct ann ann;
struct ann {
    ann_kind kind;
    dtype type;             // PRIM, TENSOR; void: unknown
    int32_t rank;           // SHAPE, TENSOR; RANK_UNKNOWN if so
    const expr *const *dim; // `rank` int64 expressions; NULL: only the rank is known
    const node *shape;  // TENSOR: a shape-valued variable the dims come from, as in R.Tensor(s, dtype=…); NULL: none
    const expr *value;  // PRIM: R.Prim(value=n + 1); NULL: unknown
    const char *device; // TENSOR: vdevice as written ("llvm:0"); NULL: none
    const char *mesh, *placement; // TENSOR: of R.DTensor(..., "mesh[0]", "S[0], R"), as written; NULL: it is no such
    uint32_t count;               // TUPLE fields; CALLABLE parameters
    const ann *const *field;
    bool any_params;   // CALLABLE: R.Callable without a signature
    const ann *result; // CALLABLE; NULL: Object
    bool pure;         // CALLABLE
};

const ann *ann_object(void);
const ann *ann_prim(arena *mem, dtype type, const expr *value);
const ann *ann_shape(arena *mem, const expr *const *dim, uint32_t rank); // dims copied
const ann *ann_shape_rank(arena *mem, int32_t rank);
const ann *ann_tensor(arena *mem, dtype type, const expr *const *dim, uint32_t rank);
const ann *ann_tensor_rank(arena *mem, dtype type, int32_t rank);
const ann *ann_tensor_shape_var(arena *mem, dtype type, const node *shape);
const ann *ann_tuple(arena *mem, const ann *const *field, uint32_t count);
const ann *ann_callable(arena *mem, const ann *const *param, uint32_t count, const ann *result, bool pure);
// In TVMScript's spelling; options NULL: graph style.
void ann_print(text *out, const ann *a, const expr_print_options *options);
// The same with the printer's own choices. Signatures quote dims: R.Tensor(("n", "n * 2"), …).
typedef struct ann_print_options {
    const expr_print_options *exprs; // NULL: graph style, names as hinted
    const map *quote;                // MAP_KEY(var) -> non-NULL: a dim that uses one is quoted; NULL: none
    const map *node_names;           // MAP_KEY(node) -> const char *: names of shape variables; NULL: as hinted
} ann_print_options;
void ann_print_as(text *out, const ann *a, const ann_print_options *options);
char *ann_to_text(arena *mem, const ann *a);                  // graph style, for messages
void ann_free_vars(const ann *a, arena *mem, expr_list *out); // symbolic variables, in order, each once
// Variables that a value of this annotation gives a value to at run time: as above without those inside Callables.
void ann_defined_vars(const ann *a, arena *mem, expr_list *out);
const ann *ann_substitute(expr_session *s, arena *mem, const ann *a, const map *with);
// Several rewrites in one walk; NULL and false leave that part out. The same pointer when nothing changes.
typedef struct ann_rewriting {
    expr_session *s;
    arena *mem;
    const map *with;        // as in expr_substitute, first
    bool fold;              // then: a dim that is a constant or a variable in canonical form becomes that (3 * 4 is 12)
    const map *drop;        // then: MAP_KEY(var) -> non-NULL: dims that use one are forgotten, only the rank stays
    bool drop_shapes;       // shape variables are forgotten, the rank stays
    bool drop_local_shapes; // the same for those that are no parameters
    const map *nodes;       // MAP_KEY(node) -> const node *: shape variables replaced
} ann_rewriting;
const ann *ann_rewrite(const ann_rewriting *r, const ann *a);
bool ann_has_shape(const ann *a);                            // does it, or a part of it, name a shape variable?
bool ann_equal(expr_session *s, const ann *a, const ann *b); // dims compared by proof, without facts
// Is every value of `a` a value of `b`? ANN_YES, ANN_NO, or ANN_MAYBE: only a run-time check can tell.
typedef enum ann_fit { ANN_NO, ANN_MAYBE, ANN_YES } ann_fit;
ann_fit ann_fits(expr_session *s, const ann *a, const ann *b, const facts *f);
// The finest annotation that holds for both.
const ann *ann_join(expr_session *s, arena *mem, const ann *a, const ann *b);

// --- Nodes.
typedef struct binding_block binding_block;
// What a function or a branch of an `if` computes.
typedef struct graph_body {
    binding_block *first;
    const node *result;
} graph_body;

struct node {
    const op *op;
    const ann *type;            // deduced, or stated where nothing can be deduced; never NULL
    const ann *written;         // the annotation in the text, `x: R.Tensor(...) = …`; NULL: none
    loc at;                     // where the user wrote it; passes carry it along
    uint32_t id;                // dense in its function (closures inside count in their own): index side tables with it
    uint32_t count;             // operands
    const char *name;           // of the variable it is bound to (a hint); NULL: a leaf written where it is used
    const graph_func *owner;    // the function whose ids it counts in: not the user's for what a closure captures
    const attr *const *attr;    // one per row of the operator's attribute table, defaults filled in
    const ann *const *type_arg; // out_sinfo=, sinfo_args=: type_args of them
    uint32_t type_args;
    union {                     // by op->form
        const tensor *constant; // FORM_CONSTANT
        const expr *value;      // FORM_PRIM
        struct {
            const expr *const *dim;
            uint32_t rank;
        } shape; // FORM_SHAPE
        struct {
            const char *bytes; // FORM_STRING (may contain NUL), FORM_GLOBAL, FORM_EXTERN
            size_t size;
        } text;
        dtype type;         // FORM_DTYPE
        uint32_t index;     // FORM_ITEM
        graph_func *func;   // FORM_CLOSURE
        graph_body *branch; // FORM_IF: branch[0] then, branch[1] else; in[0] is the condition
    } as;
    const node *in[];
};

// A run of bindings: plain, or dataflow (pure, no control flow; only `outputs` are visible outside).
struct binding_block {
    bool dataflow;
    uint32_t len, room;
    const node **bound; // in order; every node here has a name
    uint32_t outputs, output_room;
    const node **output; // dataflow: R.output(...)
    binding_block *next;
    loc at;
};

struct graph_func {
    const char *name; // in its module or of the variable a closure is bound to
    bool is_private;  // R.function(private=True)
    bool pure;        // R.function(pure=False) clears it
    uint32_t params;
    const node **param;     // FORM_PARAM
    const ann *result_type; // as written, else deduced
    bool result_written;
    const attr *attrs; // R.func_attr; NULL: none
    graph_body body;
    uint32_t nodes; // ids are below this
    loc at;
};

typedef enum func_kind { FUNC_GRAPH, FUNC_LOOP, FUNC_EXTERN } func_kind;
typedef struct module_func {
    const char *name;
    func_kind kind;
    graph_func *graph;     // FUNC_GRAPH
    const loop_func *loop; // FUNC_LOOP
    const char *symbol;    // FUNC_EXTERN: R.ExternFunc("symbol")
    const ann *type;       // the signature a caller sees (Callable); known before bodies are read
    loc at;
} module_func;

typedef struct module {
    arena *mem;
    expr_session *exprs;
    const char *name;  // of the class, "Module"
    text_map funcs;    // name -> module_func *, in textual order
    const attr *attrs; // I.module_attrs; NULL: none
    const attr *infos; // I.module_global_infos; NULL: none
    // Inside of the builder and of module_free:
    map presets;             // MAP_KEY(op_attr) -> const attr *: defaults already read
    VEC(tensor *) constants; // retained
} module;

module *module_new(void);    // with its own session
void module_free(module *m); // NULL is allowed
// A module with the same functions, to be changed on its own. It lives in m's memory and session: module_free of m ends
// both, once module_join has handed on what the fork retains.
module *module_fork(module *m);
void module_join(module *m, module *fork);
module_func *module_find(const module *m, const char *name); // NULL if there is none
// Adds or replaces by name. The names of a module are unique over all kinds.
module_func *module_put_graph(module *m, graph_func *f);
module_func *module_put_loop(module *m, const loop_func *f);
// Makes a name known with its signature before its body is read (calls of it deduce from the signature alone).
module_func *module_declare(module *m, const char *name, func_kind kind, const ann *type, loc at);
module_func *module_put_extern(module *m, const char *name, const char *symbol, loc at); // R.ExternFunc("symbol")
void module_remove(module *m, const char *name);
const char *module_fresh_name(const module *m, const char *wish); // wish, or wish1, wish2, … whichever is free
// Tensors and scalars to R.Tuple, or to a scalar where the program returns one; impure.
const ann *loop_func_type(arena *mem, const loop_func *f);
const ann *graph_func_type(arena *mem, const graph_func *f); // its Callable
#endif
