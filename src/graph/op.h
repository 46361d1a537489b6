// op.h - what the compiler knows about an operator: one descriptor each, listed in ops/ops.def.
//
// The descriptor is the single place: from it come parsing and printing of calls, arity checks, `relax ops`, the
// reference page, random tests. The special forms of the language (parameters, tuples, if, …) have descriptors too.
#ifndef GRAPH_OP_H
#define GRAPH_OP_H
#include "graph/graph.h"

typedef enum op_form {
    FORM_OPERATOR, // an ordinary operator: R.add(x, y)
    FORM_PARAM,
    FORM_CONSTANT, // R.const(...), metadata[...]
    FORM_SHAPE,    // R.shape([n, 4])
    FORM_PRIM,     // R.prim_value(n + 1)
    FORM_STRING,   // R.str("...")
    FORM_DTYPE,    // R.dtype("float32")
    FORM_TUPLE,    // (a, b), R.tuple()
    FORM_ITEM,     // t[0]
    FORM_GLOBAL,   // cls.name
    FORM_EXTERN,   // R.ExternFunc("name")
    FORM_CLOSURE,  // a local function
    FORM_CALL,     // in[0](in[1], …): a function of the module, a closure, an external
    FORM_IF,
    FORM_MATCH_CAST, // R.match_cast(x, annotation): type is the annotation
    FORM_BIND,       // y = x: another name for a value
} op_form;

typedef enum op_input_kind {
    INPUT_TENSOR,
    INPUT_SHAPE,   // R.shape([...]), a shape variable, or a tuple/list of numbers in the text
    INPUT_PRIM,    // R.prim_value or a number in the text
    INPUT_TUPLE,   // a tuple; (a, b) in the text
    INPUT_TENSORS, // a tuple of tensors
    INPUT_FUNC,    // a function of the module or an external's name
    INPUT_STRING,
    INPUT_DTYPE,
    INPUT_ANY,
} op_input_kind;

typedef enum op_attr_kind {
    OPATTR_INT,
    OPATTR_BOOL,
    OPATTR_FLOAT,
    OPATTR_STRING,
    OPATTR_DTYPE, // "void" means unset
    OPATTR_INTS,  // a list of ints, or None; one int in the text stands for a list of one
    OPATTR_ANY,   // index maps, nested lists, expressions
} op_attr_kind;

typedef struct op_input {
    const char *name;
    op_input_kind kind;
    const char *doc;
    bool optional; // may be left out or None; trailing ones only
} op_input;

typedef struct op_attr {
    const char *name;
    op_attr_kind kind;
    const char *preset; // the default in the text's spelling ("-1", "None", "\"NCHW\""); NULL: must be given
    const char *doc;
    bool positional; // may follow the inputs without its name, as in R.permute_dims(x, [0, 2, 1])
    // What it may be: an interval ("[0, 1)", "(0, inf)"), or words with | between them: strings ("sum|mean"), numbers,
    // dtypes ("int32|int64", and the classes floats and integers). Of a list it holds for each element. NULL: any.
    const char *range;
} op_attr;

enum { OP_MAX_INPUTS = 8, OP_MAX_ATTRS = 14 };

// Indices that a caller may get wrong: of an operand, or of a field of a tuple operand. With one extent all of them go
// into a dim of so many elements, negative ones from its end; with more, the last dim of the indices is a place, one
// number for each extent.
typedef struct op_indices {
    uint32_t operand;
    int32_t field; // -1: the operand itself
    uint32_t count;
    const expr *const *extent;
} op_indices;
typedef VEC(op_indices) op_indices_list;

// What deduction may use. Errors go to `d`, at the node's place.
typedef struct infer_ctx {
    module *m;
    arena *mem;
    expr_session *exprs;
    const facts *facts; // of the function being built; may be NULL
    diag *d;
    const map *owners; // MAP_KEY(var) -> the graph_func that defines the symbolic variable; NULL: unknown
    // Gets, in pairs, the dims that must be equal where nothing decides whether they are. NULL: nobody asks.
    expr_list *undecided;
} infer_ctx;

// What lowering may use: builds one loop program for one call with the annotations of its operands.
typedef struct lower_ctx {
    module *m;
    arena *mem;
    expr_session *exprs;
    diag *d;
    const char *name; // for the program
    // Gets the compute text that the operator puts together for this call, for its page. NULL: nobody asks.
    const char **text;
} lower_ctx;

struct op {
    const char *name; // as after "R.": "nn.softmax"
    const char *doc;  // one line
    op_form form;
    op_input input[OP_MAX_INPUTS]; // ends at the first NULL name
    op_attr attr[OP_MAX_ATTRS];    // ends at the first NULL name
    bool variadic;                 // the last input repeats
    bool impure;                   // has effects: not in a dataflow block, never removed or merged
    bool fresh;                    // its result is memory of its own: two calls are never one, nor is it moved
    uint32_t type_args;            // how many annotations the call carries (out_sinfo=): 1 for call_tir
    // Deduces the result's annotation from operands, attributes and type arguments. On a user error: reports, returns
    // NULL.
    const ann *(*infer)(infer_ctx *c, const node *n);

    // The indices among its operands, where dims are known; adds to `out`. Out of range they are refused by
    // interpreters and by GuardPrograms, so that its own program may give anything there. NULL: none.
    void (*indices)(const lower_ctx *c, const node *n, op_indices_list *out);

    // Its meaning: exactly one of these (ordinary operators).
    const char *compute; // loop text: "out[i, j] += a[i, k] * b[k, j]" (ops/compute.h)
    const loop_func *(*lower)(const lower_ctx *c, const node *n); // builds the program; NULL after reporting
    const char *call;  // a destination-passing builtin of the runtime: "sort(axis, descending)" (ops/builtin_call.h)
    const char *alloc; // a builtin that allocates its result, in the same words
    bool view;         // no work: the same memory under another shape
    bool vm;           // an instruction or a special form of the lowering itself, such as call_tir
    bool refused;      // parses and prints, has no meaning here: passes that need one refuse it by name

    // Calls of the operator as text, for random tests and the reference page: "x=f32[n,4] w=f32[4,8] | R.matmul(x, w)".
    const char *samples[6];
};

uint32_t op_inputs(const op *o);     // rows of the input table
uint32_t op_min_inputs(const op *o); // without the optional ones
uint32_t op_attrs(const op *o);
uint32_t op_attr_row(const op *o, const char *name); // in the table of attributes; op_attrs(o) if there is none
// Is the value, already of the row's kind, in its range? None and void are where they are the default.
bool op_attr_takes(const op_attr *row, const attr *a);
bool op_range_is_interval(const op_attr *row);          // "[0, 1)", not words; row->range is not NULL
void op_attr_put_range(text *out, const op_attr *row);  // "in [0, 1)", "\"sum\" or \"mean\""; row->range is not NULL
const attr *node_attr(const node *n, const char *name); // by name; never NULL for a row of the table
// What messages call the value that a match_cast looks at: the user's name for it, or for the result where the value is
// a call inside of the cast. NULL: it is a leaf.
const char *node_cast_name(const node *n);

// The special forms.
extern const op op_param, op_constant, op_shape, op_prim, op_string, op_data_type, op_tuple, op_item, op_global,
    op_extern, op_closure, op_call, op_if, op_match_cast, op_bind, op_call_tir;
// What a reported error leaves behind: whatever uses it is poison too, silently.
extern const op op_poison;
#endif
