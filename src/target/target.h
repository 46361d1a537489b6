// target.h - from scheduled loop programs to machine code; one file per target.
//
// A program in launch form has one top-level `parallel` loop at most; its iterations are the grid. The emitted function
// is
//   int32_t kernel(const rx_kernel_args *args, int64_t begin, int64_t end, void *scratch)
// (exec/kernel.h): it runs the units begin <= u < end of the grid, each so many iterations that it is worth a thread.
// Buffers are compact.
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H
#include "arch/arch.h"
#include "base/diag.h"
#include "expr/prove.h"
#include "loop/loop.h"

// How a kernel is called: everything the runtime and the bytecode need to know about one program.
typedef struct kernel_info {
    const char *name;
    uint32_t buffers; // pointers, in the order of the signature
    uint32_t scalars; // variables passed as int64 slots: dim variables in order of appearance, then scalar parameters
    const expr *const *scalar;
    const expr *grid;    // units of the parallel loop's iterations, over those scalars; constant 1 if there is none
    const expr *scratch; // bytes per worker over those scalars; constant 0 if none
} kernel_info;
// False after reporting why the program is not in launch form.
bool kernel_describe(expr_session *s, arena *mem, const loop_func *f, kernel_info *out, diag *d);

typedef struct compiled {
    uint8_t *bytes; // malloc'd; compiled_free
    size_t size;
} compiled;
void compiled_free(compiled *c);

typedef enum target_output { TARGET_LLVM_TEXT, TARGET_ASM, TARGET_OBJECT } target_output;

typedef struct target_options {
    bool fast_math; // see docs/numerics.md
    bool debug_info;
    unsigned level; // 0 to 3
} target_options;

// A linker's process that waits for its objects, with a folder of its own. Starting takes longer than linking: done
// early, it goes on beside the compilation.
typedef struct target_linker target_linker;

// One code generator: a file of this folder and a row of targets.def; serves the arches of its device.
typedef struct target_backend {
    const char *device; // arch.device
    void (*open)(void); // once in a process
    bool (*compile)(const arch *a, const loop_func *const *f, uint32_t count, const target_options *o,
                    target_output what, compiled *out, diag *d);
    target_linker *(*start_linker)(const arch *a, const target_options *o); // NULL: link needs none
    bool (*link)(target_linker *l, const arch *a, const compiled *object, uint32_t count, const char *const *export,
                 uint32_t exports, compiled *image, diag *d);
} target_backend;

// Makes LLVM's targets known; call it before the first of the others. From any thread; calling it again is harmless.
void target_open(void);

// The version of LLVM that makes the code.
void target_version(unsigned version[3]);

// Compiles programs into one object (or its text). Reads the session only: several threads may compile different
// programs of one session at once, each call with its own diag. False after reporting.
bool target_compile(const arch *a, const loop_func *const *f, uint32_t count, const target_options *o,
                    target_output what, compiled *out, diag *d);

// Starts lld for one image; with o->debug_info functions inside of kernels keep their names. What goes wrong is told
// when something is linked. NULL where the target has no linker; else to be freed, which ends one that was not needed.
target_linker *target_linker_start(const arch *a, const target_options *o);
void target_linker_free(target_linker *l); // may be NULL
// Links objects into one position-independent image without imports, once for each linker. `export` are the kernels'
// names. False after reporting.
bool target_link(target_linker *l, const arch *a, const compiled *object, uint32_t count, const char *const *export,
                 uint32_t exports, compiled *image, diag *d);
#endif
