// interp.h - both interpreters: the reference meaning of graph functions and loop programs.
//
// Runs in the declared precision on host tensors. Every access is checked: out-of-range indices name buffer, index,
// extent and source line; reads of elements never written are reported; asserts, match_casts and annotations are
// checked.
#ifndef INTERP_INTERP_H
#define INTERP_INTERP_H
#include "ops/ops.h"

// A run-time value.
typedef enum value_kind {
    VALUE_NULL,
    VALUE_TENSOR,
    VALUE_SHAPE,
    VALUE_PRIM,
    VALUE_STRING,
    VALUE_DTYPE,
    VALUE_TUPLE, // lists too
    VALUE_FUNC,  // a closure, a function of the module, or an external
} value_kind;

typedef struct value value;
struct value {
    value_kind kind;
    union {
        tensor *tensor; // reference-counted; interp_release gives it back
        struct {
            int64_t *dim;
            uint32_t rank;
        } shape;
        struct {
            dtype type;
            scalar scalar;
        } prim;
        struct {
            const char *bytes;
            size_t size;
        } text;
        dtype type;
        struct {
            value *item;
            uint32_t count;
        } tuple;
        const struct interp_closure *func;
    } as;
};

// An external function (R.call_packed, R.call_dps_packed, T.call_packed): reads and writes its arguments' tensors.
// Returns false after writing why (256 bytes).
typedef bool interp_extern(value *arg, uint32_t count, value *result, char why[256]);
typedef struct interp_binding {
    const char *name;
    interp_extern *call;
} interp_binding;

typedef struct interp_options {
    uint64_t max_steps;              // loop iterations and bindings; 0: 10^9
    const interp_binding *externals; // NULL: none
    uint32_t external_count;
    bool allow_uninitialised; // skip the check of reads of unwritten elements
    text *printed;            // gets what R.print prints; NULL: it is dropped
    size_t max_bytes;         // of memory that is live at once; 0: 4 GiB
} interp_options;

// Runs a function of the module (graph or loop; a loop program's outputs are among its arguments, written in place).
// Shapes, strings and tuples of the result live in `mem`; its tensors are retained. False after reporting.
bool interp_run(const module *m, const char *func, value *arg, uint32_t count, const interp_options *o, arena *mem,
                value *result, diag *d);
void interp_release(value *v); // the tensors inside

// --- Random equality: the numeric test of every pass.
typedef struct equal_options {
    uint64_t seed;
    uint32_t trials;    // 0: 12 draws of the symbols from 0, 1, small primes, larger
    uint64_t max_steps; // per trial; larger draws are skipped; 0: 10^6
    double rtol, atol;  // 0, 0: by dtype (f32 1e-5/1e-6, f16 1e-2/1e-3, f64 1e-10)
    const interp_binding *externals;
    uint32_t external_count;
} equal_options;
typedef enum equal_result { EQUAL_SAME, EQUAL_DIFFERENT, EQUAL_NOT_RUN } equal_result;
// Runs `func` of both modules on the same random inputs made from its signature in `a`. `report` gets the symbols, the
// first differing output, index and both values; or why nothing could be run.
equal_result interp_equal(const module *a, const module *b, const char *func, const equal_options *o, text *report);

// Draws inputs for a function's signature, symbols chosen by `draw` (0, 1, 2, … from small to larger). False if it
// can't.
bool interp_draw(const module *m, const char *func, uint64_t seed, uint32_t draw, arena *mem, value **arg,
                 uint32_t *count, text *symbols);
// Fills in the arguments that are not given, with sizes that fit those that are; `symbol` gives sizes that no argument
// does. arg and given have one element per parameter. False after reporting what is not known.
typedef struct interp_symbol {
    const char *name;
    int64_t number;
} interp_symbol;
bool interp_draw_rest(const module *m, const char *func, uint64_t seed, const interp_symbol *symbol, uint32_t symbols,
                      arena *mem, value *arg, const bool *given, diag *d);
#endif
