// infer.h - what the deductions of operators share: reading annotations, dims arithmetic, axes, broadcasting.
//
// A deduction is never wrong: what it can't tell becomes coarser (dims, then rank, then Object). Errors name the
// operator, the operand and both values.
#ifndef OPS_INFER_H
#define OPS_INFER_H
#include "graph/op.h"

enum { INFER_MAX_RANK = 64 };

// Reports at the call, after the operator's name; NULL, so that a deduction can `return infer_error(...)`.
const ann *infer_error(infer_ctx *c, const node *n, const char *format, ...) RX_PRINTF(3, 4);

// --- Annotations of operands.
const ann *infer_in(const node *n, uint32_t i); // the annotation of operand i
bool has_dims(const ann *a);                    // every dim is known
bool has_rank(const ann *a);                    // and is at most INFER_MAX_RANK: more dims count as unknown
// The same shape and device with another dtype (void: unknown).
const ann *infer_like(infer_ctx *c, const ann *a, dtype type);
// A tensor with these dims on the device of `like` (NULL: none).
const ann *infer_tensor(infer_ctx *c, const ann *like, dtype type, const expr *const *dim, uint32_t rank);
const ann *infer_rank(infer_ctx *c, const ann *like, dtype type, int32_t rank); // only the rank; RANK_UNKNOWN too
// Same element type for operands i and j, or either unknown. False after reporting; *out is what is known.
bool infer_same_dtype(infer_ctx *c, const node *n, uint32_t i, uint32_t j, dtype *out);
// The same, but *out is known as soon as one is.
bool infer_known_dtype(infer_ctx *c, const node *n, uint32_t i, uint32_t j, dtype *out);
// Operand i has this rank, or an unknown one. False after reporting.
bool infer_want_rank(infer_ctx *c, const node *n, uint32_t i, int32_t rank);
// Its dtype is a float, an integer or this one, or unknown. False after reporting.
bool infer_want_floats(infer_ctx *c, const node *n, uint32_t i);
bool infer_want_integers(infer_ctx *c, const node *n, uint32_t i);
// The same of any tensor, called `name`.
bool integers_only(infer_ctx *c, const node *n, const char *name, const ann *a);
bool infer_want_dtype(infer_ctx *c, const node *n, uint32_t i, dtype want);
// Dim i of operand a is dim k of operand b. False after reporting.
bool infer_same_dim(infer_ctx *c, const node *n, uint32_t a, uint32_t i, uint32_t b, uint32_t k);
// Dim k of operand i is `want`, or at least so much; what nothing decides is noted. False after reporting.
bool infer_want_dim(infer_ctx *c, const node *n, uint32_t i, uint32_t k, const expr *want);
bool infer_want_least(infer_ctx *c, const node *n, uint32_t i, uint32_t k, const expr *least);
// A dim, so many `what`, is a multiple of `by`, which messages call `of`: "4 groups". False after reporting.
bool infer_want_multiple(infer_ctx *c, const node *n, const expr *dim, const char *what, const expr *by,
                         const char *of);
// The scalar operand i is an integer, so far as it is known. False after reporting.
bool infer_want_index(infer_ctx *c, const node *n, uint32_t i);
// The value of the scalar operand i, integers as int64 like dims; NULL where it isn't known.
const expr *infer_index(infer_ctx *c, const node *n, uint32_t i);

// --- Dims.
const expr *dim_int(infer_ctx *c, int64_t value);
const expr *dim_op(infer_ctx *c, expr_op what, const expr *a, const expr *b); // simplified
bool dim_is(infer_ctx *c, const expr *a, int64_t value);                      // provably
bool dims_equal(infer_ctx *c, const expr *a, const expr *b);                  // provably
bool dims_unequal(infer_ctx *c, const expr *a, const expr *b);                // provably different
// The same of dims that must be equal: pairs that nothing decides are noted in c->undecided.
bool dims_differ(infer_ctx *c, const expr *a, const expr *b);
// Provably more than `most`, noting what nothing decides.
bool dims_exceed(infer_ctx *c, const expr *a, const expr *most);
const expr *dims_product(infer_ctx *c, const expr *const *dim, uint32_t rank);
const char *dims_text(infer_ctx *c, const ann *a);                           // "(n, 4)" for messages
const char *counted_text(infer_ctx *c, const expr *count, const char *noun); // "1 row", "n * 2 rows"

// --- Axes. A negative one counts from the end.
bool infer_axis(infer_ctx *c, const node *n, int64_t axis, int32_t rank, uint32_t *out); // false after reporting
typedef struct axis_set {
    bool has[INFER_MAX_RANK];
    uint32_t list[INFER_MAX_RANK]; // as written
    uint32_t count;
} axis_set;
// From an attribute: a list, a number, or None for all. False after reporting what is out of range or there twice.
bool infer_axes(infer_ctx *c, const node *n, const attr *axes, int32_t rank, axis_set *out);
int64_t attr_int_of(const node *n, const char *name); // of an int or bool attribute that is never None
bool attr_is_none(const node *n, const char *name);
dtype attr_type_of(const node *n, const char *name, dtype otherwise); // a dtype attribute, void: otherwise
bool attr_text_is(const node *n, const char *name, const char *value);

// --- Broadcasting by NumPy's rules.
typedef struct shape_guess {
    int32_t rank; // RANK_UNKNOWN if so
    const expr *dim[INFER_MAX_RANK];
    bool known; // the dims
} shape_guess;
shape_guess shape_of_ann(const ann *a);
// False after reporting dims that provably do not match.
bool infer_broadcast(infer_ctx *c, const node *n, const shape_guess *a, const shape_guess *b, shape_guess *out);
// Provably neither 1 nor `to`, noting what nothing decides: a dim that is repeated as far as `to`.
bool dims_unfit(infer_ctx *c, const expr *from, const expr *to);
const ann *infer_shaped(infer_ctx *c, const ann *like, dtype type, const shape_guess *s);

// --- Whole deductions.
const ann *infer_same_as_first(infer_ctx *c, const node *n); // shape and dtype of operand 0
const ann *infer_scattered(infer_ctx *c, const node *n);     // dim `axis` of operand 0 divided by `num_workers`
const ann *infer_float_same(infer_ctx *c, const node *n);    // the same; floats alone
const ann *infer_bool_like(infer_ctx *c, const node *n);     // the shape of operand 0, bool
const ann *infer_elementwise(infer_ctx *c, const node *n);   // two operands broadcast; their dtype
const ann *infer_compare(infer_ctx *c, const node *n);       // two operands broadcast; bool
const ann *infer_stated_object(infer_ctx *c, const node *n); // Object
#endif
