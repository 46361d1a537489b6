// compute_nest.h - the inside of the compute compiler: one text, and one statement of it, on the way to loops.
#ifndef OPS_COMPUTE_NEST_H
#define OPS_COMPUTE_NEST_H
#include "expr/prove.h"
#include "ops/compute.h"
#include "ops/compute_text.h"

// A tensor of the text: operand, output or local.
typedef struct comp_tensor {
    const char *name;
    dtype type;
    uint32_t rank;
    const expr *const *dim;
    const buffer *buf;
    const expr *scalar; // a scalar constant stands for the tensor; NULL: a buffer
    bool output;
} comp_tensor;

typedef struct program {
    const lower_ctx *c;
    const node *n;
    arena *mem;
    expr_session *s;
    text_map tensors;   // name -> comp_tensor *
    text_map constants; // name -> compute_name *
    const char *prefix; // of buffers and blocks: "T_softmax"
    VEC(const buffer *) allocs;
    VEC(const stmt *) body;
    text_map blocks; // names in use -> any non-NULL value
    bool reduces;    // the last statement reduced
} program;

// An index or a group of the statement; its elements are numbers [first, first + len) of nest.element.
typedef struct comp_index {
    const char *name;
    bool group, dropped;
    int32_t len; // -1: not known yet
    uint32_t first;
    const term *range; // from `k in e`; NULL: none
} comp_index;
typedef struct index_element {
    const char *name;
    const expr *var;    // the block's iteration variable
    const expr *extent; // NULL: not known yet
    bool from_value;    // the extent came from the right side: an extent of 1 may still grow
    bool spatial, used;
} index_element;

typedef struct nest {
    program *p;
    const statement *st;
    VEC(comp_index) index;
    VEC(index_element) element;
    VEC(const term *) access; // target first, then those of the value, outer before inner
    VEC(uint32_t) order;      // elements in loop order
    facts *facts;             // the ranges of the indices; NULL: not asked for yet
    bool failed;
} nest;

// What stands at one dim of an access: a term, and which element of its group.
typedef struct slot {
    const term *t;
    int32_t element;    // of the group inside t; -1: none
    uint32_t flat_of;   // for unflat: which of its dims
    uint32_t flat_dims; // > 0: t is unflat(e), spread over so many dims
    uint32_t *flat_at;  // the tensor's dims that it is spread over, in its order
} slot;

bool nest_fail(nest *z, loc at, const char *format, ...) RX_PRINTF(3, 4); // at no place: not the text's fault; false

// compute_index.c: names, lengths, extents and order of the statement's indices.
bool nest_indices(nest *z, const statement *const *spans, uint32_t span_count);
comp_index *nest_index(nest *z, const char *name); // NULL if there is none
comp_tensor *nest_tensor(nest *z, const term *access);
// The terms at the dims of an access: `rank` of them. A local target has the rank of what is written.
bool nest_slots(nest *z, const term *access, uint32_t rank, slot *out);
uint32_t nest_written_rank(nest *z, const term *access);
// The element a term names all by itself; -1 if it is more than that.
int32_t nest_plain(nest *z, const slot *s);
bool is_one(program *p, const expr *dim);

// compute_arith.c: building with folding.
const expr *program_index(program *p, expr_op what, const expr *a, const expr *b);
const expr *nest_arith(nest *z, expr_op what, const expr *a, const expr *b);    // both of one type
const expr *nest_division(nest *z, expr_op what, const expr *a, const expr *b); // never traps
const expr *nest_logic(program *p, expr_op what, const expr *a, const expr *b);
bool nest_is_truth(const expr *e, bool value);    // the constant true, or false
const expr *nest_decided(nest *z, const expr *c); // a constant where the ranges of the indices decide
const expr *nest_convert(nest *z, const expr *e, dtype type);
dtype accumulator(dtype type); // what sums of such values are kept in

// compute_power.c: power(a, b).
const expr *nest_power(nest *z, const expr *a, const expr *b); // both of one type

// compute_function.c: a call of one of the language's functions, or of an intrinsic.
const expr *nest_call(nest *z, const term *t, int32_t element, dtype want);
const expr *nest_condition(nest *z, const term *t); // decided where the ranges of the indices can

// compute_value.c: terms to expressions.
// Both sides of one type: numbers adapt to the other side. False after reporting.
bool nest_together(nest *z, const term *const *in, int32_t element, dtype want, const expr **a, const expr **b);
const expr *nest_value(nest *z, const term *t, int32_t element, dtype want);
const expr *nest_position(nest *z, uint32_t dim, const slot *s, const expr *const *dims);
bool nest_adapts(nest *z, const term *t); // a number that takes the type of its surroundings

// compute.c: the loops over the elements of z->order around a block that is `b` but for its iteration variables.
const stmt *nest_loops(nest *z, const block *b);
// compute_scan.c: the loops of a scan statement into t at `index`. NULL after reporting.
const stmt *nest_scan(nest *z, const comp_tensor *t, const expr *const *index);
#endif
