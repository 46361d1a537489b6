// driver.h - the compiler's front door: from the text of a module to an .rlx file.
//
//   parse (or import a model), verify, pipeline (pass/pipelines.def), emission: graph functions to bytecode, loop
//   programs to machine code, everything into one file that appears under its name when it is complete. The same input
//   gives the same bytes.
#ifndef DRIVER_DRIVER_H
#define DRIVER_DRIVER_H
#include "exec/writer.h"
#include "nn/decoder.h"
#include "pass/pass.h"
#include "target/target.h"

// A bound on a symbolic size, for every public function that has a symbol of this name.
typedef struct driver_bound {
    const char *symbol;
    int64_t lower, upper;
} driver_bound;
// False after reporting that no function has the symbol.
bool driver_apply_bound(module *m, const driver_bound *b, diag *d);

// What the shape of an input is at least, mostly or at most: bounds on the symbols in it.
typedef enum driver_extreme { SHAPE_MIN, SHAPE_OPT, SHAPE_MAX } driver_extreme;
typedef struct driver_shape {
    driver_extreme which;
    const char *param;
    uint32_t rank;
    int64_t dim[TENSOR_MAX_RANK];
} driver_shape;
// Adds each to every public function with a parameter of its name. False after reporting that there is none, that a
// shape does not fit its annotation or what was said before, or that the usual one lies outside of the others.
bool driver_apply_shapes(module *m, const driver_shape *s, uint32_t count, diag *d);

// What takes how long; may be shown to the user. Names live in the arena of the diagnostics.
typedef struct driver_stage {
    // "parse", a pass's name (with " for ARCH" where it ran for each target), "kernels", "link", "write"
    const char *name;
    double seconds;
} driver_stage;
typedef VEC(driver_stage) driver_stages;

typedef enum driver_emit {
    EMIT_FILE, // the .rlx
    EMIT_IR,   // the module after the pipeline, as text
    EMIT_LLVM, // kernels as LLVM's text
    EMIT_ASM,  // kernels as assembly
    EMIT_OBJECT,
} driver_emit;

// Runs a function of a compiled module ahead of time: the driver itself has no machine. The function takes no
// arguments; it calls the externals "get_item" (index, returns a tensor) and "set_item" (index, tensor).
typedef struct driver_items {
    void *user;
    bool (*get)(void *user, uint32_t index, tensor **out, char *why); // a new reference
    bool (*set)(void *user, uint32_t index, const tensor *t, char *why);
} driver_items;
enum { DRIVER_WHY = 1024 };
typedef bool driver_run(const uint8_t *rlx, size_t size, const char *func, const driver_items *items,
                        char why[DRIVER_WHY]);

// Zero is the default of every field.
typedef struct driver_options {
    const char *const *target; // spellings for arch_parse, one kernel variant each; none: arch_defaults
    uint32_t targets;
    const char *pipeline;    // a row of pipelines.def; NULL: "default"
    const char *model;       // a checkpoint (checkpoint.h) that is compiled with its weights; then the source is NULL
    decoder_options decoder; // of the model
    const char *activations; // in products with quantised weights: "int8", "f16" or "f32"; NULL: int8
    bool batch_invariant;    // what a row gives has the same bits however many rows there are
    const char *weights;     // .npz or .safetensors whose tensors are bound to parameters by name; NULL: none
    driver_run *run;         // computes what depends on weights alone; NULL: that is left to every call
    const driver_bound *bound;
    uint32_t bounds;
    const driver_shape *shape;
    uint32_t shapes;
    int64_t mem_limit;     // bytes of planned memory a function may need; 0: no limit
    target_options code;   // level is that of -O
    unsigned jobs;         // threads; 0: as many as there are
    bool isolate;          // machine code is made in processes of its own (LLVM's fatal errors become messages)
    const char *cache;     // folder in which machine code is kept for later compilations; NULL: none
    const char *dump;      // folder for the module after every pass; NULL: none
    driver_emit emit;      // other than EMIT_FILE: the first target's only
    driver_stages *stages; // gets the times, from the arena of the diagnostics; NULL: not wanted
    // Called when a stage is over, with its name and 1; while weights are written, with "weights" and the share of them
    // that is done. NULL: not wanted.
    void (*progress)(void *user, const char *stage, double share);
    void *progress_user; // of both
    // Asked between stages and before each weight: true ends the compilation without a file and, but for weights,
    // without a report. NULL: never.
    bool (*interrupted)(void *user);
} driver_options;

// The module after the pipeline; module_free'd by the caller. NULL after reporting. `a` is the target passes see.
module *driver_lower(const source *src, const driver_options *o, const arch *a, diag *d);

// Compiles to the file `output`. False after reporting.
bool driver_compile(const source *src, const driver_options *o, const char *output, diag *d);

// Text or bytes of an intermediate form (o->emit): malloc'd, released by compiled_free.
bool driver_print(const source *src, const driver_options *o, compiled *out, diag *d);
#endif
