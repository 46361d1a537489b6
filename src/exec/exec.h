// exec.h - an executable: what an .rlx file holds, as tables in memory.
//
// The compiler fills the same structs through exec/writer.h. A loaded executable was checked (exec_load), never
// changes and is shared by reference count: any number of threads may read it. Everything that names a thing of the
// file is an index into its table. The bytes of strings, constants, images and weights stay where the file is mapped.
#ifndef EXEC_EXEC_H
#define EXEC_EXEC_H
#include "exec/bytecode.h"
#include "relax/runtime.h"

#define EXEC_NONE UINT32_MAX // "no such index"
enum { EXEC_FORMAT = 1, EXEC_WHY = 512 };

typedef struct exec_bytes {
    const uint8_t *at; // of strings: followed by a NUL that `size` doesn't count
    size_t size;
} exec_bytes;

// An integer program (base/postfix.h). The common ones are recognised at load and not interpreted by the VM.
typedef enum exec_program_kind {
    PROGRAM_CONST,   // value
    PROGRAM_SLOT,    // slot
    PROGRAM_TIMES,   // slot * value: grids
    PROGRAM_AT_MOST, // slot <= value: choices of kernels
    PROGRAM_BYTES,   // anything else
} exec_program_kind;
typedef struct exec_program {
    exec_program_kind kind;
    uint32_t slots; // one more than the highest slot it reads
    uint32_t slot;
    int64_t value;
    exec_bytes bytes; // of every kind
} exec_program;

// What an annotation says about one dimension (or about the value of a scalar).
typedef enum exec_dim_kind {
    DIM_ANY,   // nothing
    DIM_BIND,  // the first mention of a symbol: its value goes into a slot
    DIM_CHECK, // must equal a program's value
} exec_dim_kind;
typedef struct exec_dim {
    exec_dim_kind kind;
    uint32_t index; // BIND: slot; CHECK: program
    uint32_t text;  // string: as written, "n * 4"; EXEC_NONE for DIM_ANY
} exec_dim;

typedef enum exec_annotation_kind {
    ANNOTATION_OBJECT, // anything
    ANNOTATION_TENSOR,
    ANNOTATION_SHAPE,
    ANNOTATION_PRIM,
    ANNOTATION_TUPLE,
    ANNOTATION_CALLABLE,
    ANNOTATION_KINDS
} exec_annotation_kind;

// A type with symbolic dims. Annotations refer to fields with smaller indices only (so there are no cycles).
typedef struct exec_annotation {
    exec_annotation_kind kind;
    dtype type;    // TENSOR, PRIM; void: any
    int32_t rank;  // TENSOR, SHAPE; -1: any
    uint32_t dims; // TENSOR, SHAPE: 0 or rank; PRIM: 1 if its value is known or binds a slot, else 0
    const exec_dim *dim;
    uint32_t fields; // TUPLE: its fields; CALLABLE: parameters, then the result
    const uint32_t *field;
    uint32_t text; // string: R.Tensor((n, 4), dtype="float32")
} exec_annotation;

enum { PARAM_DONATED = 1 }; // its memory may be written and come back as a result
typedef struct exec_param {
    uint32_t name; // string
    uint32_t annotation;
    uint32_t weight; // bound by the file, or EXEC_NONE: given by the caller
    uint32_t flags;
} exec_param;

// A symbol of a function: the slot that holds it and what callers must keep to.
typedef struct exec_symbol {
    uint32_t name; // string
    uint32_t slot;
    int64_t lower, upper; // inclusive; a dim has lower 0; INT64_MAX: no upper bound
    int64_t multiple;     // at least 1
} exec_symbol;

enum { FUNCTION_PUBLIC = 1 };
typedef struct exec_function {
    uint32_t name; // string
    uint32_t flags;
    uint32_t params, num_input; // num_input: how many of them the user gives by position
    const exec_param *param;
    uint32_t result; // annotation; EXEC_NONE: not stated
    uint32_t symbols;
    const exec_symbol *symbol;
    uint32_t registers, slots; // registers includes the parameters
    uint32_t code, words;      // range in executable.code
    const char *text;          // never stored: composed at load, "main(x: R.Tensor(...)) -> ..."
} exec_function;

typedef enum exec_constant_kind {
    CONSTANT_NULL,
    CONSTANT_TENSOR,
    CONSTANT_SHAPE,
    CONSTANT_PRIM,
    CONSTANT_STRING,
    CONSTANT_KINDS
} exec_constant_kind;
typedef struct exec_constant {
    exec_constant_kind kind;
    dtype type;    // TENSOR, PRIM
    uint32_t dims; // TENSOR, SHAPE
    const int64_t *dim;
    int64_t bits;     // PRIM
    exec_bytes bytes; // TENSOR: compact data, 64-byte aligned in the file; STRING
} exec_constant;

// A weight: a parameter's value that the file brings along.
typedef struct exec_weight {
    uint32_t name; // string
    dtype type;
    uint32_t dims;
    const int64_t *dim;
    uint32_t layout; // string: "" is row-major as the dims say; else the packing the kernels expect
    uint64_t bytes;
    uint64_t offset;     // from the start of the file, a multiple of 64
    const uint8_t *data; // mapped
} exec_weight;

// What a kernel's run comes to: operations on narrow floats and integers, on float64, within dot products of bytes;
// bytes of tensors touched.
enum { EXEC_FLOPS, EXEC_DOUBLES, EXEC_DOTS, EXEC_TOUCHED, EXEC_WORK };

// A generated kernel (exec/kernel.h). Programs read its scalars as their slots.
typedef struct exec_kernel {
    uint32_t name; // string
    uint32_t buffers, scalars;
    uint32_t outputs; // how many of the last buffers it writes
    uint32_t grid;    // program: number of iterations
    uint32_t scratch; // program: bytes per worker
    uint32_t asserts;
    const uint32_t *assertion; // strings: what return code i + 1 means
    uint32_t work[EXEC_WORK];  // programs + 1 over its scalars; 0: not known. For profilers, the code doesn't need it
    // Of a kernel that looks whether the indices in its first buffer are in range, and asserts nothing else: a program
    // + 1 of how many there are to choose from, over its scalars and, behind them, the place along the last dim; else
    // 0.
    uint32_t extent;
    uint32_t phase; // string + 1: the name of its first phase (exec/kernel.h); 0: it has none
} exec_kernel;

// Machine code of all kernels for one kind of machine.
typedef struct exec_variant {
    uint32_t device;     // string: "cpu"
    uint32_t arch;       // string: "cpu:x86-64-v3"
    uint64_t required;   // CPU features (base/cpu.h) a machine must have; the file spells them
    const char *unknown; // a required feature that this build has no name for, else NULL
    // Address of each kernel within the image; 0: this variant has none (its functions are others).
    const uint64_t *entry;
    exec_bytes image; // a position-independent ELF shared object without imports
} exec_variant;

// Functions are lowered for each machine: where variant `variant` runs, `by` runs in the place of `function`. A
// function that only this variant has replaces itself. A function that is `by` anywhere runs in no other way.
typedef struct exec_replacement {
    uint32_t variant, function, by;
} exec_replacement;

typedef enum exec_import_kind { IMPORT_BUILTIN, IMPORT_EXTERNAL, IMPORT_KINDS } exec_import_kind;
typedef struct exec_import {
    exec_import_kind kind;
    uint32_t name;    // string
    uint32_t version; // builtins: the version the code was compiled against; externals: 0
} exec_import;

// One block of the memory plan: for people and tools, the code doesn't need it.
typedef struct exec_plan_block {
    uint32_t function;
    uint32_t bytes; // program over the function's slots
    uint32_t text;  // string: "n * 1024"
    uint32_t holds; // string: names of what lives in it, in order, "lv, lv2"
} exec_plan_block;

typedef struct exec_metadata {
    uint32_t key;     // string
    exec_bytes value; // any bytes; JSON where the key ends in ".json"
} exec_metadata;

typedef struct executable {
    uint32_t strings, programs, annotations, functions, constants, weights, kernels, variants, imports, blocks, metas,
        replacements;
    const exec_bytes *string;
    const exec_program *program;
    const exec_annotation *annotation;
    const exec_function *function;
    const exec_constant *constant;
    const exec_weight *weight;
    const exec_kernel *kernel;
    const exec_variant *variant;
    const exec_import *import;
    const exec_plan_block *block;
    const exec_metadata *meta;
    const exec_replacement *replacement;
    const uint32_t *code;
    uint32_t words;
    uint32_t caches; // numbers used by `cached` and `capture` are below this
    uint32_t format, kernel_abi;
    uint64_t file_size;
    struct exec_owner *owner; // memory, mapping and the reference count
} executable;

// Maps a file (or reads memory, which must stay until the last release and be 64-byte aligned for tensors to be) and
// checks everything but the bytes of weights and kernels. On failure writes one sentence into `why` (EXEC_WHY bytes).
RX_MUST_USE rx_status exec_load(const char *path, const rx_allocator *a, executable **out, char *why);
RX_MUST_USE rx_status exec_load_memory(const void *bytes, size_t size, const rx_allocator *a, executable **out,
                                       char *why);
executable *exec_retain(const executable *e);
void exec_release(const executable *e); // NULL is allowed

// Checks the bytes of all weights against the sums in the file. RX_BAD_FILE names the first that differs.
RX_MUST_USE rx_status exec_verify_weights(const executable *e, char *why);

const char *exec_string(const executable *e, uint32_t string); // "" for EXEC_NONE
// What a program is worth over `slots` slots; false if it reads others, or has no value (an overflow, a division by 0).
bool exec_program_value(const exec_program *p, const int64_t *slot, uint32_t slots, int64_t *out);
uint32_t exec_find_function(const executable *e, const char *name); // EXEC_NONE if absent
// What runs in the place of each function where `variant` does, in `body` (one per function); EXEC_NONE: it never runs.
void exec_bodies(const executable *e, uint32_t variant, uint32_t *body);
const exec_metadata *exec_find_metadata(const executable *e, const char *key); // NULL if absent
#endif
