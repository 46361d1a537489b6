// emit.h - the inside of the CPU emitter: one loop program becomes one LLVM function.
//
// Values in registers have a "compute" type: narrower floats are kept as float, rounded after every operation, so
// that no target needs a library call; bool is i1. Memory has the "storage" type (bool is a byte).
//
// A vectorized loop is emitted lane by lane at once: inside it expressions become vectors where they depend on the
// loop variable and stay scalars where they don't; conditions become masks.
#ifndef TARGET_EMIT_H
#define TARGET_EMIT_H
#include "target/target.h"
#include <llvm-c/Core.h>

// Where a buffer's elements are.
typedef struct place {
    LLVMValueRef base;    // pointer to element 0
    LLVMValueRef *stride; // rank of them, in elements; NULL: compact
} place;

typedef struct cached {
    LLVMValueRef value;
    uint32_t epoch; // counts only while equal to emitter.epoch
} cached;

// A guard that the code around has asked already.
typedef struct known_guard {
    const expr *guard; // NULL: none
    LLVMValueRef live; // it holds for so many first lanes, not all; NULL: for all
} known_guard;

// An unrolled loop, and the iteration that is being written.
typedef struct unrolled {
    const expr *var;
    int64_t at;
} unrolled;

// An address to ask for what lies behind it, and the block it is known in.
typedef struct postponed {
    const expr *load; // NULL: moves with an unrolled loop
    LLVMValueRef at;
    int64_t bytes;
    LLVMBasicBlockRef block;
} postponed;

typedef struct emitter {
    const arch *arch;
    const target_options *options;
    const loop_func *func;
    const kernel_info *info;
    diag *d;
    arena *mem;
    bool failed;

    LLVMContextRef c;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMDIBuilderRef debug; // NULL: no debug information (emit_debug.h)
    LLVMMetadataRef debug_unit, debug_scope;
    LLVMValueRef fn;
    LLVMBasicBlockRef entry; // allocas go here
    LLVMTypeRef i1, i8, i32, i64, f32, f64, ptr;

    map var;                            // MAP_KEY(var) -> LLVMValueRef
    map meaning;                        // MAP_KEY(block iteration variable or let) -> const expr *, to see through
    map non_negative;                   // MAP_KEY(var) -> any: loop variables and dims that are never below zero
    map place;                          // MAP_KEY(buffer) -> place *
    LLVMValueRef scratch, scratch_used; // bytes handed out so far
    size_t stack_used;
    map assertion; // MAP_KEY(STMT_ASSERT) -> its number, from 1, in the order of the program

    map exact; // MAP_KEY(expr, variable or buffer) -> any: --fast-math leaves it as it is (emit_exact.c)

    // Common subexpressions within straight-line code; emptied by stores and block changes.
    map cache; // MAP_KEY(expr) -> cached *
    uint32_t epoch, last_epoch;

    // The vectorized loop around, if any.
    const expr *lane;      // its variable; NULL outside
    const expr *lane_from; // its first value
    unsigned lanes;
    LLVMValueRef mask; // <lanes x i1>; NULL: all lanes are live
    known_guard known;
    bool phased; // there is a first phase before the grid (launch_first_phase)

    bool asking;              // what stores would read is asked for instead
    bool once;                // what is asked for is read once
    bool sums_stored;         // a loop says that it adds to sums in memory, several times without others between
    bool has_dots;            // a kernel has dot products of bytes
    int64_t prefetch;         // vectors of global memory are asked for so many bytes ahead; 0: not
    const expr *prefetch_var; // … where they move with this variable of a loop
    VEC(unrolled) unrolled;   // the unrolled loops around, outermost first
    VEC(postponed) postponed; // what is asked for at the end of the innermost counted loop
} emitter;

// Reports at `at` (the program's place when it has none) and marks the program as failed. Returns a null constant of
// type t.
LLVMValueRef emit_refuse(emitter *e, loc at, LLVMTypeRef t, const char *format, ...) RX_PRINTF(4, 5);

// types.c
LLVMTypeRef storage_type(const emitter *e, dtype t);            // NULL where that is no whole number of bytes
LLVMTypeRef compute_type(const emitter *e, dtype t);            // with the dtype's own lanes
unsigned value_lanes(LLVMValueRef v);                           // 1 for scalars
LLVMValueRef widen(emitter *e, LLVMValueRef v, unsigned lanes); // broadcasts scalars
LLVMValueRef splat_int(LLVMTypeRef lane, uint64_t value, LLVMValueRef like); // a constant with the lanes of `like`
LLVMValueRef round_to(emitter *e, dtype t, LLVMValueRef v); // narrow floats after an operation; others unchanged
LLVMValueRef from_storage(emitter *e, dtype t, LLVMValueRef v);
LLVMValueRef to_storage(emitter *e, dtype t, LLVMValueRef v);
LLVMValueRef const_i64(const emitter *e, int64_t value);
LLVMTypeRef like_lanes(LLVMTypeRef scalar, LLVMValueRef v); // the scalar type, or a vector of v's lanes

// emit_f8.c: eight-bit floats between memory (i8) and registers (float).
bool is_f8(dtype t);
LLVMValueRef f8_float(emitter *e, dtype t, LLVMValueRef v);
LLVMValueRef f8_code(emitter *e, dtype t, LLVMValueRef v);
double f8_most(dtype t); // the largest finite number

// emit_packed.c: integers of less than a byte, several in one. Offsets count elements.
bool is_packed(dtype t);
typedef LLVMValueRef packed_bytes(emitter *e, const void *user, LLVMValueRef at); // the bytes at these places
LLVMValueRef packed_taken(emitter *e, dtype t, LLVMValueRef offset, packed_bytes *read, const void *user);
void packed_put(emitter *e, dtype t, LLVMValueRef base, LLVMValueRef offset, LLVMValueRef v);

bool has_fma(const emitter *e); // a fused multiply-add is an instruction

// intrinsics
LLVMValueRef call_intrinsic(emitter *e, const char *name, LLVMTypeRef *overload, unsigned overloads, LLVMValueRef *arg,
                            unsigned args);
LLVMValueRef call_unary(emitter *e, const char *name, LLVMValueRef x); // overloaded on x's type

// emit_expr.c
LLVMValueRef emit_expr(emitter *e, const expr *x);
void emit_forget(emitter *e); // cached values may have changed or no longer dominate
bool expr_non_negative(const emitter *e, const expr *x);

// emit_guard.c: whether a condition of comparisons holds for all lanes of the vectorized loop, as one bit. NULL: only
// the lanes can tell.
LLVMValueRef emit_all_hold(emitter *e, const expr *c);

// emit_memory.c
LLVMValueRef emit_load(emitter *e, const expr *x);
void emit_store(emitter *e, const stmt *st);
void emit_store_of(emitter *e, const stmt *st, LLVMValueRef v); // stores v in place of the statement's value
// Two neighbouring bytes per lane, put together as a uint16 (a bitwise_or): one load of all of them. NULL if x is
// something else. All targets are little-endian.
LLVMValueRef emit_halves(emitter *e, const expr *x);
void emit_postponed(emitter *e); // asks for what loads in this loop's body left to its end
// The type of its elements in memory; NULL after reporting that a kernel can't hold them. `what`: "parameter",
// "buffer".
LLVMTypeRef must_store(emitter *e, const char *what, const buffer *buf);
void place_local(emitter *e, const buffer *buf); // on the stack or in scratch
void place_match(emitter *e, const buffer_match *m);
// Words of a table at places that are inside of it: 64 bits for each lane.
LLVMValueRef emit_lookup(emitter *e, LLVMValueRef table, LLVMValueRef at);
// A vector of this type from these addresses of elements, aligned so.
LLVMValueRef emit_gather(emitter *e, LLVMTypeRef run, LLVMValueRef pointers, unsigned align);
// How many elements of buf one step of the vectorized loop moves; false if that is no constant.
bool lane_stride(const emitter *e, const expr *x, int64_t *out);

// Elements side by side, one per lane; masked lanes are not read.
LLVMValueRef emit_run(emitter *e, unsigned align, LLVMValueRef at, LLVMTypeRef run);

// emit_strided.c: a load of lanes whose elements lie so many elements apart. NULL: too far.
typedef struct strided {
    LLVMTypeRef element;
    LLVMValueRef at; // lane 0's address
    int64_t stride;
    unsigned align;
} strided;
LLVMValueRef emit_strided(emitter *e, const strided *s);

// emit_join.c: the value of C[i] = C[i] + x, where all lanes of the vectorized loop join one element; NULL if the store
// is something else.
LLVMValueRef emit_joined(emitter *e, const stmt *st);
// What an operator of the expression language gives; operands in registers.
LLVMValueRef emit_operation(emitter *e, const expr *x, LLVMValueRef a, LLVMValueRef b);

// emit_exact.c: fills emitter.exact, before code is emitted.
void emit_find_exact(emitter *e);

// emit_math.c: functions without an instruction, by polynomials (docs/numerics.md). NULL if there is none for it.
LLVMValueRef emit_math(emitter *e, const intrinsic *f, dtype t, LLVMValueRef *arg);

// emit_quotient.c: a vector of floats divided by a float.
LLVMValueRef emit_quotient(emitter *e, LLVMValueRef x, LLVMValueRef d);

// emit_table.c: a constant of 64-bit words, the same one for the same values; and a T.Select among many constants as a
// lookup, NULL if it is something else.
LLVMValueRef emit_constants(emitter *e, const uint64_t *value, unsigned count);
LLVMValueRef emit_choice(emitter *e, const expr *x);

// emit_dot.c: T.dp4a of its three arguments.
LLVMValueRef emit_dot(emitter *e, const expr *x, LLVMValueRef *arg);
// emit_byte_lookup.c: T.lookup_bytes of its first argument; the others are read as constants.
LLVMValueRef emit_byte_lookup(emitter *e, const expr *x, LLVMValueRef words);
// emit_grid_lookup.c: T.lookup_grid.
LLVMValueRef emit_grid_lookup(emitter *e, const expr *x);

// emit_shared.c: whether lane 0 of an index is a multiple of c. The lanes count from the first value of their loop.
bool begins_at_multiple(const emitter *e, const expr *x, int64_t c);
// How many neighbouring lanes share an element of index x, which moves by one from one such group of
// lanes to the next; 0: it isn't so. Which groups a mask leaves a lane of. Each lane c times.
int64_t lanes_sharing(const emitter *e, const expr *x);
LLVMValueRef lanes_sharing_mask(emitter *e, LLVMValueRef mask, unsigned c);
LLVMValueRef lanes_repeated(emitter *e, LLVMValueRef v, unsigned c);

// emit_transpose.c: an unrolled loop marked "transposed" around a vectorized one of as many lanes. False, and nothing
// emitted, where it is something else.
bool emit_transposed(emitter *e, const stmt *loop);

// emit_stmt.c
void emit_stmt(emitter *e, const stmt *st);
void emit_bind(emitter *e, const expr *var, LLVMValueRef v); // a new value: what was computed from the old one is gone
void emit_bind_let(emitter *e, const stmt *let);
LLVMBasicBlockRef new_block(emitter *e, const char *name);
#endif
