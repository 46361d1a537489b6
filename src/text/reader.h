// reader.h - the inside of the TVMScript reader, for the files of text/ alone.
//
// The text is Python that is never run: expressions are evaluated to the small set of values below, statements build
// the module. Semantic errors yield VAL_POISON, which is silent wherever it is used; a syntax error sets `failed`,
// and the reader goes on with the next statement.
#ifndef TEXT_READER_H
#define TEXT_READER_H
#include "base/lexer.h"
#include "base/vec.h"
#include "expr/parse.h"
#include "graph/build.h"
#include "text/script.h"

enum {
    READ_MAX_NESTING = 400,    // brackets and prefixes inside one another
    READ_MAX_CHAIN = 1000,     // operators in a row
    READ_MAX_STATEMENTS = 400, // statements inside statements, openers without indentation included
    READ_MAX_NAME = 4096,      // bytes of a name
};

typedef enum value_kind {
    VAL_POISON,    // an error was reported where it came from
    VAL_NONE,      // None
    VAL_BOOL,      // as.i
    VAL_INT,       // as.i, or as.i's bits if `big`: a Python int that has no type yet
    VAL_FLOAT,     // as.f: a Python float
    VAL_STRING,    // as.text
    VAL_EXPR,      // as.e
    VAL_NODE,      // as.n
    VAL_CALL,      // as.call: a call whose name is not known yet; emit_value builds it
    VAL_ANN,       // as.a
    VAL_DTYPE,     // as.symbol: T.int64 without a call: an annotation
    VAL_SYMBOL,    // as.symbol: T.int64(): a variable that gets its name from the assignment
    VAL_LIST,      // as.list
    VAL_TUPLE,     // as.list
    VAL_DICT,      // as.list: key, value, key, value, ...
    VAL_BUFFER,    // as.buf
    VAL_REGION,    // as.region: A[0:4, i]
    VAL_FUNC,      // as.name: a function of the module
    VAL_MODULE,    // the class itself: cls
    VAL_INDEX_MAP, // as.attr
    VAL_KINDS
} value_kind;

typedef struct value value;
typedef struct value_list {
    const value *at;
    uint32_t count;
} value_list;

// One index of A[...]: a plain one, or low:high:step.
typedef struct slice {
    const expr *low, *extent;
    int64_t step;
    bool is_slice;
} slice;
typedef struct sliced_buffer {
    const buffer *buf;
    const slice *dim; // as many as were written
    uint32_t count;
} sliced_buffer;

// What emit_value needs to build a node once its name is known.
typedef struct pending {
    call_parts parts; // op: an operator, op_call, op_item (in[0], index) or op_match_cast (in[0], written)
    uint32_t index;
} pending;

typedef struct symbol {
    dtype type;
    bool size;          // is_size_var=True
    const char *handle; // of a typed handle: its storage scope; NULL
    dtype element;      // of a typed handle
} symbol;

struct value {
    value_kind kind;
    bool big; // VAL_INT: does not fit in int64
    loc at;
    union {
        int64_t i;
        double f;
        struct {
            const char *bytes;
            size_t size;
        } text;
        const expr *e;
        const node *n;
        const pending *call;
        const ann *a;
        const symbol *symbol;
        value_list list;
        const buffer *buf;
        const sliced_buffer *region;
        const char *name;
        const attr *attr;
    } as;
};

// The arguments of one call as written.
typedef struct arguments {
    loc at;             // of the callee
    const char *callee; // "R.matmul"
    uint32_t count;
    value *value;
    const char **key; // NULL: by position
    bool *used;       // by arg_take
    uint32_t taken;   // positional ones taken by arg_next
} arguments;

// Names in scope. A name maps to its innermost value; leaving a scope undoes what was bound inside.
typedef struct scope_undo {
    struct scope_entry *entry;
    value before;
    bool was_bound;
} scope_undo;
typedef struct scope_entry {
    const char *name;
    value now;
    bool bound;
} scope_entry;
typedef struct scope {
    arena *mem;
    map entries; // MAP_KEY(interned name) -> scope_entry
    VEC(scope_undo) undo;
} scope;

struct loop_reader; // parse_loop.h
struct branch;      // parse_graph.h
struct metadata;    // metadata.c

typedef struct reader {
    const source *src;
    diag *d;
    arena *mem;     // the module's: what is kept
    arena *scratch; // dies with the reading
    module *m;
    expr_session *exprs;
    lexer *lex;
    scope names;
    bool as_written; // loops with a step stay what they are
    bool failed;     // a syntax error in this statement
    uint32_t depth;  // nesting of the expression being read
    uint32_t level;  // nesting of the statement being read
    const char *class_name;
    builder *b;               // the graph function being read; NULL: none
    struct loop_reader *loop; // the loop program being read; NULL: none
    struct branch *branch;    // the branch of an `if` being read; NULL: none
    const node *result;       // what `return` gave; NULL: nothing yet
    map hidden;               // MAP_KEY(name) -> value of names that went out of scope, for messages
    bool define;              // a signature: unknown names in shapes become symbols
    text_map typevars;        // n = TypeVar("n") at module level
    text_map known;           // R.<name> -> generic operator made for this module
    VEC(value) later;         // VAL_FUNC: functions that loop programs call, perhaps before they are read
    struct metadata *metadata;
} reader;

// --- Tokens (tokens.c). Names are checked against READ_MAX_NAME.
const token *peek(reader *r);
bool at_op(reader *r, const char *op_or_name);  // is the next token this?
bool take(reader *r, const char *op_or_name);   // steps over it if it is
bool expect(reader *r, const char *op_or_name); // reports and sets `failed` if it is not
const char *take_name(reader *r, loc *at);      // an identifier, interned; NULL after reporting
bool syntax_error(reader *r, loc at, const char *format, ...) RX_PRINTF(3, 4); // sets failed, returns false
const char *token_text(reader *r, const token *t);                             // for messages: "')'", "end of line"
bool at_line_end(reader *r);
void end_statement(reader *r); // the end of line or `;` that must follow; skips what is left after an error
void skip_line(reader *r);     // to the end of the logical line and over the block below it, if there is one
bool enter_nesting(reader *r, loc at);
void leave_nesting(reader *r);

// An indented block, or the rest of the line.
typedef struct suite {
    bool on_line, done;
} suite;
bool suite_open(reader *r, suite *s); // from the ':' on; false after reporting
bool suite_more(reader *r, suite *s); // true: a statement follows; false: the block is over

// --- Names (scope.c).
uint32_t scope_mark(const reader *r);
void scope_leave(reader *r, uint32_t mark);
void scope_bind(reader *r, const char *name, value v); // in the innermost scope
const value *scope_find(const reader *r, const char *name);
// The bound name nearest to `name`, or NULL.
const char *scope_nearest(reader *r, const char *name);
const char *intern(reader *r, const char *bytes, size_t size);

// --- Values (value.c).
value poison_at(loc at);
value value_expr(loc at, const expr *e);
value value_node(loc at, const node *n); // NULL and poison give VAL_POISON
value value_int(loc at, int64_t i);
value value_text(loc at, const char *bytes, size_t size);
const char *value_kind_name(const value *v); // in the user's words: "a tensor", "a list"
bool is_string(const value *v, const char *want);
// To a scalar expression of the wanted type's kind; Python numbers become constants of `hint` (void: int32,
// float32). NULL after reporting; `what` names it for messages.
const expr *to_expr(reader *r, const value *v, dtype hint, const char *what);
// The value in another scalar type, with as many lanes; constants are converted. NULL after reporting.
const expr *checked_cast(reader *r, loc at, dtype type, const expr *e);
const expr *to_prim(reader *r, const value *v, const char *what); // of R.prim_value: ints and bools are int64
const expr *to_dim(reader *r, const value *v, const char *what);  // int64 in graph text
bool to_int(reader *r, const value *v, int64_t *out, const char *what);
bool to_bool(reader *r, const value *v, bool *out, const char *what);
bool to_dtype(reader *r, const value *v, dtype *out, const char *what); // from a string
const char *to_string(reader *r, const value *v, const char *what);     // without NUL; NULL after reporting
const attr *to_attr(reader *r, const value *v, const char *what);       // NULL after reporting
const node *to_node(reader *r, const value *v, op_input_kind kind, const char *what);
const ann *to_ann(reader *r, const value *v, const char *what);
// Dims of a tuple or list; NULL after reporting. `dims` gets a scratch array.
bool to_dims(reader *r, const value *v, const expr *const **dims, uint32_t *rank, const char *what);

// --- Arguments (arguments.c).
bool read_arguments(reader *r, const char *callee, loc at, arguments *out);          // from "(" to ")"
const value *arg_at(arguments *a, uint32_t position, const char *name);              // NULL: not given
const value *arg_named(arguments *a, const char *name);                              // NULL: not given
bool args_done(reader *r, arguments *a);                                             // reports what no arg_at asked for
const value *arg_need(reader *r, arguments *a, uint32_t position, const char *name); // reports if it is not there

// --- Expressions (parse_expr.c and the files it calls).
value read_expression(reader *r);  // up to a comma, a colon or a closing bracket
value read_expressions(reader *r); // `a, b` without parentheses is a tuple
value read_binary(reader *r, loc at, const expr_operator *o, const value *a, const value *b); // operators.c
// T.max(a, b), T.Add(a, b), ...: both sides to one type, as an operator does. NULL after reporting.
const expr *read_arith(reader *r, loc at, expr_op op, const value *a, const value *b);
value read_unary(reader *r, loc at, const char *op, const value *a);
value read_postfix(reader *r, value v);                 // postfix.c: .name, [..], (..)
value read_dotted(reader *r, const char *head, loc at); // dotted.c: what follows T, R or I
value read_lambda(reader *r, loc at);                   // lambda i, j: (..)
value read_comm_reducer(reader *r, loc at);             // behind T.comm_reducer
// A call whose arguments are checked; `type` counts where the rule of f does not say. NULL after reporting.
const expr *checked_call(reader *r, loc at, const intrinsic *f, dtype type, const expr *const *in, uint32_t count);
value call_t(reader *r, const char *name, loc at);       // call_t.c: T.name(...)
value call_r(reader *r, const char *name, loc at);       // call_r.c: R.name(...)
value call_op(reader *r, const op *o, arguments *a);     // call_op.c: binds arguments to the operator's tables
value call_func(reader *r, const value *callee, loc at); // cls.f(...), f(...)
const op *generic_op(reader *r, const char *name, const arguments *a); // known_ops.c; NULL: no such operator
// What TVM's Python function of that name does to its arguments: names attributes given by position, adds defaults.
void python_arguments(reader *r, const char *name, arguments *a);
const char *known_op_name(uint32_t i);        // of TVM's operators; NULL behind the last
value read_constant(reader *r, arguments *a); // constant.c: R.const(...)
value read_metadata_item(reader *r, loc at);  // metadata.c: metadata["..."][0]
bool read_metadata(reader *r);                // metadata = tvm.ir.load_json("""...""")

// --- Annotations (parse_ann.c).
const ann *read_annotation(reader *r);                      // R.Tensor(...), also bare R.Tensor; NULL after reporting
value ann_value(reader *r, const char *name, arguments *a); // R.<name>(...); a->count 0 for the bare name
bool is_ann_name(const char *name);
const char *ann_name(uint32_t i); // NULL behind the last

// --- Symbols (symbol.c).
const expr *find_symbol(reader *r, const char *name, loc at); // in a signature an unknown one is defined
const expr *read_quoted_dim(reader *r, const value *text);    // "n + 1"
bool is_identifier(const char *bytes, size_t size);
// Names that Python keeps for itself, None, True and False included.
bool is_python_word(const char *bytes, size_t size);
// Reading some bytes with a lexer of their own over the same names: what is wrong with them is kept apart.
typedef struct apart {
    lexer *lex;
    diag *d;
} apart;
apart begin_apart(reader *r, const char *bytes, size_t size);             // until end_apart the reader reads these
const char *end_apart(reader *r, apart outer);                            // what was wrong first; NULL: nothing
const expr *new_symbol_var(reader *r, const char *name, const symbol *s); // one that nothing else is
value bind_symbol(reader *r, const char *name, const value *v);           // name = T.int64()

// --- Buffers (parse_buffer.c).
const buffer *read_buffer(reader *r, arguments *a, uint32_t first, const char *name);
value read_vector_store(reader *r, const buffer *b, loc at); // A.vstore([..], value, predicate=mask): a statement
value index_buffer(reader *r, const value *v);               // from "[" to "]"
const expr *region_load(reader *r, const value *v);          // A[0:8:2] as a vector load
bool to_region(reader *r, const value *v, region *out);

// --- Functions.
typedef struct func_head {
    const char *name;
    loc at;
    bool graph; // R.function, else T.prim_func
    bool is_private, impure, s_tir;
    builder *b;              // graph
    VEC(const char *) param; // what the signature bound: parameters and symbols
    VEC(value) argument;
    bool bad; // its signature has an error; the body is skipped
} func_head;
bool read_graph_signature(reader *r, func_head *h);     // from "(" to the colon
void read_graph_body(reader *r, func_head *h);          // from the colon on
void read_loop_function(reader *r, const func_head *h); // from "(" to its end
// A function whose signature or body has errors: calls of it are no errors of their own.
void declare_broken(reader *r, const char *name, func_kind kind, loc at);
bool read_decorator(reader *r, func_head *h); // @R.function(...), @T.prim_func(...)
// `more` over `attrs` (may be NULL), without a global_symbol that says what the name of a function says.
const attr *merge_attrs(reader *r, const attr *attrs, const attr *more, const char *func);
const node *emit_value(reader *r, const value *v, const char *name, const ann *written); // NULL after reporting
const node *emit_operand(reader *r, const value *v); // a leaf, or bound to a new name
#endif
