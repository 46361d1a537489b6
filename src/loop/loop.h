// loop.h - the tensor-program language (what TVM calls TensorIR): what one kernel computes.
//
// A program has buffer and scalar parameters and one statement. Destination passing: outputs are buffer parameters.
// Statements are immutable once built and live in the module's arena; a transformation builds new ones and shares the
// rest.
#ifndef LOOP_LOOP_H
#define LOOP_LOOP_H
#include "base/diag.h"
#include "expr/attr.h"

// A multi-dimensional array: a parameter, an allocation, or a view. Identity is the pointer.
typedef struct buffer {
    const char *name; // a hint for printing
    dtype type;
    uint32_t rank;
    const expr *const *dim;
    const expr *const *stride; // NULL: compact, row-major
    const expr *elem_offset;   // NULL: 0
    const char *scope;         // "global", "shared", "local", …; never NULL
    const expr *data;          // handle variable the elements lie behind
    uint32_t align;            // bytes; 0: the default
    uint32_t offset_factor;    // 0: the default
    loc at;
} buffer;

typedef struct range {
    const expr *min, *extent;
} range;
typedef struct region { // a box of a buffer
    const buffer *buf;
    const range *dim; // buf->rank of them
} region;

typedef enum for_kind { FOR_SERIAL, FOR_PARALLEL, FOR_VECTORIZED, FOR_UNROLLED, FOR_THREAD } for_kind;
typedef enum iter_kind { ITER_SPATIAL, ITER_REDUCE, ITER_SCAN, ITER_OPAQUE } iter_kind;

// An iteration variable of a block: var takes `value` (an expression of the loops around) within [0, extent).
typedef struct iter {
    const expr *var;
    iter_kind kind;
    range dom;
    const expr *value;
} iter;

// `inner` names a box of an outer buffer inside a block (T.match_buffer on a sub-region).
typedef struct buffer_match {
    const buffer *inner;
    region source;
} buffer_match;

typedef struct stmt stmt;

// A unit of computation whose instances (one per value of its iteration variables) schedules may reorder.
typedef struct block {
    const char *name;
    uint32_t iters, reads, writes, allocs, matches;
    const iter *iter;
    const region *read, *write; // as written or derived (derived: TVM prints them, we keep what was written)
    bool regions_written;       // the text stated T.reads and T.writes; else derive them (regions.h)
    const buffer *const *alloc; // T.sblock_alloc_buffer
    const buffer_match *match;
    const expr *where;       // T.where; NULL: always
    const attr *annotations; // T.sblock_attr; NULL: none
    const stmt *init;        // runs before the first step of the reduction; NULL: none
    const stmt *body;
} block;

typedef enum stmt_kind {
    STMT_SEQ,
    STMT_FOR,
    STMT_BLOCK,
    STMT_STORE,
    STMT_EVALUATE,
    STMT_LET, // var = value around a body
    STMT_IF,
    STMT_WHILE,
    STMT_ALLOCATE,    // raw memory around a body: T.allocate
    STMT_DECL_BUFFER, // a buffer over memory that exists: T.decl_buffer
    STMT_ATTR,        // T.attr(node, "key", value) around a body; launch_thread is one
    STMT_ASSERT,      // around a body
} stmt_kind;

struct stmt {
    stmt_kind kind;
    loc at;
    union {
        struct {
            const stmt *const *list;
            uint32_t count;
        } seq;
        struct {
            const expr *var, *min, *extent;
            const expr *step; // NULL: 1; only in modules read as written (text/script.h): else loops count rounds
            for_kind kind;
            const char *thread;      // FOR_THREAD: "blockIdx.x", …
            const attr *annotations; // NULL: none
            const stmt *body;
        } loop;
        const block *block;
        struct {
            const buffer *buf;
            uint32_t count;
            const expr *const *index;
            const expr *value, *predicate; // predicate NULL: always
        } store;
        const expr *value; // EVALUATE
        struct {
            const expr *var, *value;
            const stmt *body;
        } let;
        struct {
            const expr *condition;
            const stmt *then, *otherwise; // otherwise may be NULL
        } branch;
        struct {
            const expr *condition;
            const stmt *body;
        } loop_while;
        struct {
            const expr *var; // the handle
            dtype type;
            const char *scope;
            uint32_t rank;
            const expr *const *extent;
            const expr *condition; // NULL: always
            const attr *annotations;
            const stmt *body;
        } allocate;
        struct {
            const buffer *buf;
            const stmt *body;
            bool silent; // written T.Buffer(..., data=...), for which TVM has no statement
        } declare;
        struct {
            const attr *node; // a string, an expression (variable), or None
            const char *key;
            const expr *value;
            const stmt *body;
            // launch_thread and thread extents: key "thread_extent", var is the thread's variable, thread its name
            const expr *var;
            const char *thread;
        } attribute;
        struct {
            const expr *condition;
            const char *kind; // "RuntimeError"
            const char *message;
            const stmt *body; // what follows; NULL: nothing
        } assertion;
    } as;
};

// A parameter: a scalar variable, or a handle with its buffer.
typedef struct loop_param {
    const expr *var;
    const buffer *buf;  // NULL: a scalar parameter
    bool inline_buffer; // written X: T.Buffer(...) in the signature rather than through T.match_buffer
} loop_param;

typedef struct loop_func {
    const char *name; // in its module; never NULL
    bool is_private;  // T.prim_func(private=True)
    bool s_tir;       // T.prim_func(s_tir=True): has blocks, may be scheduled
    uint32_t params;
    const loop_param *param;
    dtype result;      // void for nearly all
    const attr *attrs; // T.func_attr; NULL: none
    const stmt *body;  // an implicit root block stands here as a STMT_BLOCK named "root" without iteration variables
    loc at;
} loop_func;

loc loop_place(const loop_func *f, const stmt *st); // of the statement, or of f where it is NULL or a pass made it

// --- Building. `mem` is the module's arena. Lists are copied.
buffer *buffer_new(expr_session *s, const char *name, dtype type, const expr *const *dim, uint32_t rank,
                   const char *scope);
bool buffer_is_static(const buffer *b);                                    // all dims are numbers
const stmt *stmt_seq(arena *mem, const stmt *const *list, uint32_t count); // flattens; one statement stays itself
const stmt *stmt_for(arena *mem, for_kind kind, const expr *var, const expr *min, const expr *extent, const stmt *body);
const stmt *stmt_block(arena *mem, const block *b); // copies *b
const stmt *stmt_store(arena *mem, const buffer *buf, const expr *const *index, uint32_t count, const expr *value);
const stmt *stmt_evaluate(arena *mem, const expr *value);
const stmt *stmt_let(arena *mem, const expr *var, const expr *value, const stmt *body);
const stmt *stmt_if(arena *mem, const expr *condition, const stmt *then, const stmt *otherwise);
const stmt *stmt_copy(arena *mem, const stmt *like); // shallow, to change one field before it is shared

// --- Walking. The direct children of a statement, in order: call with i = 0, 1, … until NULL.
const stmt *stmt_child(const stmt *st, uint32_t i);
uint32_t stmt_children(const stmt *st); // how many there are
bool stmt_is_empty(const stmt *st);     // missing, or a sequence of none: the same program
// The statement with other children (same count); the same pointer when none differs.
const stmt *stmt_with_children(arena *mem, const stmt *st, const stmt *const *child);
// The expressions that stand directly in a statement (bounds, values, indices, block iteration values, regions …).
void stmt_expressions(const stmt *st, arena *mem, expr_list *out);
void buffer_expressions(const buffer *b, arena *mem, expr_list *out); // dims, strides, offset

// --- Replacing variables, expressions and buffers everywhere in a statement; bound variables are kept unless mapped.
// `with`: MAP_KEY(expr) -> expr; `buffers`: MAP_KEY(buffer) -> buffer. Either may be NULL.
const stmt *stmt_replace(expr_session *s, arena *mem, const stmt *st, const map *with, const map *buffers);
// A copy with every bound variable and every buffer declared inside made new, so that a body can be used twice.
const stmt *stmt_refresh(expr_session *s, arena *mem, const stmt *st);

// --- The buffers of the signature, in order.
uint32_t loop_func_buffers(const loop_func *f, arena *mem, const buffer *const **out);
// Symbolic variables of the signature's dims that no scalar parameter is (bound by matching shapes).
void loop_func_dim_vars(const loop_func *f, arena *mem, expr_list *out);
// What a kernel gets beside its buffers: those variables in order of appearance, then scalar parameters.
void loop_func_scalars(const loop_func *f, arena *mem, expr_list *out);
#endif
