// expr.h - scalar expressions: dims, loop bounds, indices and kernel bodies are all written in this language.
//
// Expressions are interned per session: two equal ones are the same pointer, so == compares and a pointer is a map
// key. They are never changed and die with the session. A node is what was written; nothing is rewritten while
// building ((n + 1) * 4 stays that). Equality of meaning is proved (prove.h), simplification is asked for (simplify.h).
// Variables are interned by a unique id, not by name. A session is not thread-safe for building; reading is.
#ifndef EXPR_EXPR_H
#define EXPR_EXPR_H
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "expr/intrinsic.h"
#include "tensor/dtype.h"
#include <stdbool.h>

typedef enum expr_op {
    EXPR_INT,    // as.ival: any integer or bool type; uint64 by its bits
    EXPR_FLOAT,  // as.fval, already rounded to the type (expr_written: before that)
    EXPR_STRING, // as.text: arguments of calls such as T.call_extern; type is handle
    EXPR_VAR,    // as.var
    // arithmetic: operands and result of one type; / on integers is EXPR_TRUNC_DIV, on floats EXPR_DIV
    EXPR_ADD,
    EXPR_SUB,
    EXPR_MUL,
    EXPR_DIV,       // floats only
    EXPR_FLOOR_DIV, // toward minus infinity
    EXPR_FLOOR_MOD,
    EXPR_TRUNC_DIV, // toward zero (T.truncdiv, T.Div)
    EXPR_TRUNC_MOD,
    EXPR_MIN,
    EXPR_MAX,
    // comparison: operands of one type, result bool (with the operands' lanes)
    EXPR_EQ,
    EXPR_NE,
    EXPR_LT,
    EXPR_LE,
    EXPR_GT,
    EXPR_GE,
    // logic on bool
    EXPR_AND,
    EXPR_OR,
    EXPR_NOT,
    EXPR_SELECT,    // T.Select(c, a, b): both sides are evaluated
    EXPR_CAST,      // T.Cast("type", a)
    EXPR_CALL,      // as.intrin: a row of intrinsics.def, such as T.exp(x) or T.if_then_else(c, a, b)
    EXPR_CALL_FUNC, // as.text: a call of a function of the module, such as cls.scale_small(x, y)
    EXPR_LOAD,      // as.buffer: a buffer element; operands are the indices. Loop programs only
    EXPR_RAMP,      // base, stride; the type's lanes say how many
    EXPR_BROADCAST, // value; the type's lanes say how often
    EXPR_SHUFFLE,   // vectors..., then as.ival lane numbers as constant operands
    EXPR_LET,       // var, value, body
    EXPR_OPS
} expr_op;

typedef struct expr expr;
typedef struct expr_var {
    const char *name; // a hint for printing; several variables may share one
    uint32_t id;      // unique in the session, dense from 0
    bool size;        // T.SizeVar: known to be >= 0
    // Of a T.handle("float32", "shared"): what it points to and where. Void and NULL where the text does not say.
    dtype element;
    const char *scope;
} expr_var;

struct buffer; // loop/loop.h

struct expr {
    uint8_t op; // expr_op
    dtype type;
    uint32_t id;    // dense in the session from 0: index side tables with it
    uint32_t count; // operands
    union {
        int64_t ival;
        double fval;
        const char *text; // interned in the session
        const expr_var *var;
        const intrinsic *intrin;
        const struct buffer *buffer;
    } as;
    const expr *in[];
};

typedef struct expr_session expr_session;
expr_session *expr_open(void);
void expr_close(expr_session *s);               // NULL is allowed
arena *expr_arena(expr_session *s);             // dies with the session; for things that must live as long
uint32_t expr_count(const expr_session *s);     // ids are below this
uint32_t expr_var_count(const expr_session *s); // ids of variables are below this
const char *expr_name(expr_session *s, const char *text, size_t size); // the session's one copy of a name

// --- Building. All return an interned node, never NULL; wrong types are bugs of the caller (CHECK).
const expr *expr_int(expr_session *s, dtype type, int64_t value); // value must fit the type
const expr *expr_i64(expr_session *s, int64_t value);             // an int64 constant
const expr *expr_bool(expr_session *s, bool value);
const expr *expr_float(expr_session *s, dtype type, double value);       // rounds to the type
const expr *expr_string(expr_session *s, const char *text, size_t size); // without NUL inside
const expr *expr_new_var(expr_session *s, const char *name, dtype type); // a new one each time
const expr *expr_new_size_var(expr_session *s, const char *name, dtype type);
const expr *expr_new_pointer(expr_session *s, const char *name, dtype element, const char *scope); // T.handle(…)
const expr *expr_new_var_like(expr_session *s, const char *name, const expr *var); // of the same kind and type
const expr *expr_binary(expr_session *s, expr_op op, const expr *a, const expr *b);
const expr *expr_not(expr_session *s, const expr *a);
const expr *expr_select(expr_session *s, const expr *c, const expr *a, const expr *b);
const expr *expr_cast(expr_session *s, dtype type, const expr *a);         // the same node when the type is the same
const expr *expr_cast_written(expr_session *s, dtype type, const expr *a); // a node even then: for texts as written
// `type` void: what the rule of f gives (expr_call_type must know it then).
const expr *expr_call(expr_session *s, const intrinsic *f, dtype type, const expr *const *arg, uint32_t count);
// Are number and types of the arguments what f takes?
bool expr_call_takes(const intrinsic *f, const expr *const *arg, uint32_t count);
// The result type by the rule of f; false where the rule does not say (INTRIN_ANY, missing arguments).
bool expr_call_type(const intrinsic *f, const expr *const *arg, uint32_t count, dtype *out);
const expr *expr_call_func(expr_session *s, const char *name, dtype type, const expr *const *arg, uint32_t count);
const expr *expr_load(expr_session *s, const struct buffer *b, dtype type, const expr *const *index, uint32_t count);
const expr *expr_ramp(expr_session *s, const expr *base, const expr *stride, unsigned lanes);
const expr *expr_broadcast(expr_session *s, const expr *value, unsigned lanes);
// as.ival is the number of lanes chosen; the lane numbers (constants) count through the vectors in order.
const expr *expr_shuffle(expr_session *s, const expr *const *vector, uint32_t vectors, const expr *const *lane,
                         uint32_t lanes);
// `var` must be bound by no other LET and be used inside `body` alone.
const expr *expr_let(expr_session *s, const expr *var, const expr *value, const expr *body);
// The node `like` with other operands (same count and types).
const expr *expr_with(expr_session *s, const expr *like, const expr *const *in);
// What expr_binary accepts as the type of both operands, and whether the result is bool.
bool expr_op_allows(expr_op op, dtype type);
bool expr_op_compares(expr_op op);

// --- Building as a reader does: numbers take the other side's type, mixed types promote as in TVM
// (int with float gives the float; the wider of two; a scalar broadcasts to a vector).
// A number is an int32 constant: what a bare 3 in a text is. For a bare 1.5, or where bare numbers are of another type,
// ask expr_number first. Returns NULL, and says why in `why` (128 bytes), where TVM would
// refuse.
const expr *expr_arith(expr_session *s, expr_op op, const expr *a, const expr *b, char why[128]);
// The constant `number` as one of the scalar type of `type`; NULL if its value does not fit (1.5 or 300 as int8).
const expr *expr_number(expr_session *s, const expr *number, dtype type);
// -a as TVM writes it: a constant, or a * -1. The uint64 constant 2**63 gives the most negative int64. NULL if there is
// none (-a of other unsigned types, of what is no number, of the most negative number).
const expr *expr_negative(expr_session *s, const expr *a);

// --- Looking.
// The double a float constant was made from: printed, so that 0.1 stays 0.1 as a float32. Constants of one value that
// were written differently are different nodes.
double expr_written(const expr *e);
bool expr_is_int(const expr *e, int64_t value); // an integer constant of this value
bool expr_const_int(const expr *e, int64_t *out);
bool expr_is_index(const expr *e);  // a scalar of an integer type: canon and proofs apply
bool expr_is_choice(const expr *e); // T.if_then_else: only one of its values is evaluated
bool expr_joins(const expr *e);     // +, *, min, max: C = C op x is a reduction whose steps may be joined in any order
typedef VEC(const expr *) expr_list;
// Walks over the distinct nodes of e: a node before its operands, operands from left to right.
// Most expressions have few nodes: those need no memory.
enum { WALK_FEW = 12 };
typedef struct expr_walk {
    arena *mem;
    uint32_t few_seen, few_waiting;
    const expr *seen[WALK_FEW], *waiting[WALK_FEW];
    map more_seen;          // once `seen` is full
    expr_list more_waiting; // on top of `waiting`, which is full
} expr_walk;
expr_walk expr_walk_from(arena *mem, const expr *e);
const expr *expr_walk_next(expr_walk *w);         // NULL at the end
void expr_walk_skip(expr_walk *w, const expr *e); // leaves out e and what only e leads to
// Distinct variables in order of first appearance (bound ones of LET excluded).
void expr_free_vars(const expr *e, arena *mem, expr_list *out);
bool expr_uses_var(const expr *e, const expr *var);
// Buffers loaded from, as `struct buffer *` keys with any non-NULL value.
void expr_loaded_buffers(const expr *e, map *out);

// --- Replacing. `with` maps MAP_KEY(node) to its replacement of the same type: variables usually, any node is allowed
// (but what a LET binds only becomes another variable). The result is built bottom-up with sharing, linear in the
// distinct nodes; a replacement is not searched again.
const expr *expr_substitute(expr_session *s, const expr *e, const map *with);
// The same with buffers replaced: MAP_KEY(struct buffer *) -> struct buffer * in `buffers` (may be NULL).
const expr *expr_replace(expr_session *s, const expr *e, const map *with, const map *buffers);

// --- Evaluating. A scalar value; integers and bools in i (wrapped to their type), floats in f.
typedef union scalar {
    int64_t i;
    double f;
} scalar;
typedef enum expr_status {
    EXPR_DONE,
    EXPR_OVERFLOW, // an int64 operation left its range (narrower kernel integers wrap)
    EXPR_ZERO_DIVISOR,
    EXPR_UNBOUND,    // a variable without a value
    EXPR_NOT_SCALAR, // a load, a vector, a call that has no value at compile time
} expr_status;
// Values of variables by id: bound[id] says whether value[id] counts.
typedef struct expr_env {
    scalar *value;
    bool *bound;
    uint32_t room;
} expr_env;
expr_env expr_env_new(arena *mem, const expr_session *s); // for the variables there are now
void expr_env_set(expr_env *env, const expr *var, scalar value);
// All operands are evaluated (of Select, and, or too); only T.if_then_else leaves out the side it does not take.
// `env` may be NULL: nothing is bound. *out is written on EXPR_DONE alone.
expr_status expr_eval(const expr *e, const expr_env *env, scalar *out);
// One operation on already evaluated operands: what both interpreters and the constant folder share. Of a vector
// operation it computes one lane.
expr_status expr_apply(const expr *e, const scalar *in, scalar *out);
bool expr_is_grid_name(const expr *e, uint32_t i); // an operand without a value, which T.lookup_grid reads by itself

// --- Text, in TVMScript's spelling.
typedef struct expr_print_options {
    bool graph;              // int64 literals bare (4), as inside R. annotations; else T.int64(4), and int32 bare
    const map *var_names;    // MAP_KEY(var) -> const char *, NULL: the hints
    const map *buffer_names; // MAP_KEY(buffer) -> const char *
    const char *module;      // what precedes names of EXPR_CALL_FUNC: "Module" or "cls"; NULL: "Module"
} expr_print_options;
void expr_print(text *out, const expr *e, const expr_print_options *options); // options NULL: graph style
char *expr_to_text(arena *mem, const expr *e);                                // graph style

// --- To the runtime. `slot` maps MAP_KEY(var) to (slot number + 1). False where e is no index expression over
// those variables, or needs a deeper stack than the runtime has.
bool expr_to_postfix(const expr *e, const map *slot, arena *mem, uint8_t **out, size_t *size);

const char *expr_op_name(expr_op op); // for messages: "floor_div"
#endif
