// runtime.h - runs compiled modules (.rlx files): load, inspect, call. Needs libc alone; contains no compiler.
//
//   rx_executable *exe = NULL;
//   rx_context *ctx = NULL;
//   char message[RX_MESSAGE];
//   if (rx_executable_load("mlp.rlx", NULL, &exe, message)) ...
//   if (rx_context_new(exe, NULL, &ctx, message)) ...
//   rx_value *x = NULL, *y = NULL;
//   int64_t dim[] = {7, 128};
//   rx_tensor_new("float32", 2, dim, NULL, &x);          // fill rx_tensor_data(x)
//   if (rx_context_call(ctx, "main", &x, 1, &y)) puts(rx_context_message(ctx));
//   rx_value_release(x); rx_value_release(y);
//   rx_context_release(ctx); rx_executable_release(exe);
//
// Threads. An executable is immutable: any number of threads may use one. A context belongs to one thread at a time;
// make one per thread. Debug builds of the library end the process with a sentence when a context is called, changed or
// released while a call on it is on its way; otherwise the second call is refused with RX_INVALID_ARGUMENT where it is
// noticed, and the rest is undefined. After fork() a child may go on with what was loaded: its kernels run on the
// calling thread, and a context that another thread was calling is lost to it. Reference counts are atomic. The
// contents of tensors are the caller's to guard. Ownership. A function that hands out a handle through `**out` gives
// the caller one reference; release it once. Handles passed in are borrowed for the call; what is kept beyond it is
// retained by the callee. Errors. Functions return rx_status; on failure `*out` is set to NULL and a sentence is in the
// context's message or in the caller's `message` (RX_MESSAGE bytes, may be NULL). NULL where no comment allows it is
// refused with RX_INVALID_ARGUMENT; what only asks gives NULL or 0 for it. Versions. Structs that may
// grow begin with struct_size = sizeof of the struct the caller was compiled with, also those that are filled for him;
// another size is refused with RX_INVALID_ARGUMENT. Zero is the default of every field after it. A newer caller may not
// set what an older library doesn't have.
#ifndef RELAX_RUNTIME_H
#define RELAX_RUNTIME_H
#include "relax/status.h"
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

// Bytes of a caller's `message`.
#define RX_MESSAGE 1024
// The most threads of a context, a queue or a compilation. RELAX_NUM_THREADS above it counts as this.
#define RX_MAX_THREADS 1024

typedef struct rx_executable rx_executable; // a compiled module: what a file holds
typedef struct rx_context rx_context;       // one thread's use of an executable
typedef struct rx_value rx_value;           // a tensor, scalar, shape, text, tuple, list or closure
typedef struct rx_registry rx_registry;     // external functions by name
typedef struct rx_call rx_call;             // the arguments and result of an external function

// Memory of the host. `take` returns `size` bytes aligned to 64, or NULL; `give` gets the same size back. Both may be
// called from any thread that uses or releases something made with it, and must outlive all of that. Both functions
// NULL: malloc.
typedef struct rx_allocator {
    void *(*take)(void *user, size_t size);
    void (*give)(void *user, void *at, size_t size);
    void *user;
} rx_allocator;

// ---- executables ----

typedef struct rx_load_options {
    size_t struct_size;
    rx_allocator allocator; // of the tables made at load; weights and code stay mapped
} rx_load_options;

// Maps a file and checks it. RX_NOT_FOUND, RX_IO, RX_BAD_FILE, RX_UNSUPPORTED (format version), RX_OUT_OF_MEMORY.
// An .rlx holds machine code: load only what you would run as a program. `options` may be NULL.
rx_status rx_executable_load(const char *path, const rx_load_options *options, rx_executable **out, char *message);
// The same from memory, which must be aligned to 64 bytes and outlive the executable: contexts hold it too, and so do
// results that are weights. RX_INVALID_ARGUMENT if it isn't aligned.
rx_status rx_executable_load_memory(const void *bytes, size_t size, const rx_load_options *options, rx_executable **out,
                                    char *message);
// Another reference to the same executable; returns it.
rx_executable *rx_executable_retain(rx_executable *e);
void rx_executable_release(rx_executable *e); // NULL is allowed

// Public functions, by number or name. Texts live as long as the executable.
uint32_t rx_executable_function_count(const rx_executable *e);
const char *rx_executable_function_name(const rx_executable *e, uint32_t function); // NULL: no such number
// "main(x: R.Tensor((n, 128), "float32"), w: …) -> R.Tensor((n, 10), "float32")"; NULL: no such function
const char *rx_executable_signature(const rx_executable *e, const char *function);

// Parameters that the caller gives: those the file has no weight for.
uint32_t rx_executable_param_count(const rx_executable *e, const char *function);
// The name of parameter `param`; NULL: no such parameter.
const char *rx_executable_param_name(const rx_executable *e, const char *function, uint32_t param);
// What it must be: "R.Tensor((n, 128), dtype=\"float32\")".
const char *rx_executable_param_annotation(const rx_executable *e, const char *function, uint32_t param);
// 1 if calls may write its memory and give it back as a result.
int rx_executable_param_is_donated(const rx_executable *e, const char *function, uint32_t param);

// What the function gives back, in the same words; NULL: no such function. Dims that depend on data aren't in it.
const char *rx_executable_result_annotation(const rx_executable *e, const char *function);

// The symbols of a function ("n") with what their values must keep to. RX_NOT_FOUND past the last.
typedef struct rx_symbol {
    const char *name;
    int64_t lower, upper, multiple; // inclusive; INT64_MAX: no upper bound
} rx_symbol;
// Symbol number `index` of a function.
rx_status rx_executable_symbol(const rx_executable *e, const char *function, uint32_t index, rx_symbol *out);

// Bytes stored under a key (source model, tokenizer, …), or NULL. *size may be NULL.
const void *rx_executable_metadata(const rx_executable *e, const char *key, size_t *size);

// ---- values ----

typedef enum rx_kind {
    RX_NULL,
    RX_PRIM,
    RX_TENSOR,
    RX_STORAGE,
    RX_SHAPE,
    RX_STRING,
    RX_TUPLE,
    RX_LIST,
    RX_CLOSURE,
} rx_kind;

rx_kind rx_value_kind(const rx_value *v); // RX_NULL for NULL
// Another reference to the same value; returns it. NULL is allowed.
rx_value *rx_value_retain(rx_value *v);
// NULL is allowed. A release too many ends the process in debug builds where it is noticed: while the memory is kept.
void rx_value_release(rx_value *v);

// A tensor with memory of its own, zeroed, 64-byte aligned, compact and row-major. dtype in NumPy's and TVM's spelling,
// "float32", "bool", "int4". The allocator may be NULL. RX_INVALID_ARGUMENT: unknown dtype, negative dim, rank over 16.
rx_status rx_tensor_new(const char *dtype, uint32_t rank, const int64_t *dim, const rx_allocator *allocator,
                        rx_value **out);
// A tensor over the caller's memory (compact, row-major, aligned to its elements). `release(user, data)` is called when
// the last reference goes, from the thread that drops it; NULL: nobody is told. After a failure it is not called.
rx_status rx_tensor_wrap(const char *dtype, uint32_t rank, const int64_t *dim, void *data,
                         void (*release)(void *user, void *data), void *user, rx_value **out);
// DLPack (dlpack.h's struct tags; any version 0.x or 1.x for the versioned one). Import takes over the managed tensor
// and calls its deleter when the last reference goes; no copy if it is compact, on the CPU and aligned to its elements,
// else the elements are copied. On failure the caller keeps it. Export keeps the value alive until the deleter is
// called.
struct DLManagedTensor;
struct DLManagedTensorVersioned;
// Import of DLPack 0.x.
rx_status rx_tensor_from_dlpack(struct DLManagedTensor *t, rx_value **out);
// Import of DLPack 1.x. What is read-only there stays so here (rx_tensor_is_read_only).
rx_status rx_tensor_from_dlpack_versioned(struct DLManagedTensorVersioned *t, rx_value **out);
// Export as DLPack 0.x, which can't say that a tensor is read-only: RX_UNSUPPORTED for such.
rx_status rx_tensor_to_dlpack(rx_value *v, struct DLManagedTensor **out);
// Export as DLPack 1.x.
rx_status rx_tensor_to_dlpack_versioned(rx_value *v, struct DLManagedTensorVersioned **out);

// Questions about a tensor; for other kinds NULL or 0. Data is written only where rx_tensor_is_read_only says 0.
void *rx_tensor_data(const rx_value *v);
// 1: writing the data ends the program or spoils what others read. So it is with weights and constants of a file that
// come out as results, with views of them, and with what rx_tensor_set_read_only or an import of DLPack 1.x marked.
// Such a tensor can't be donated: RX_INVALID_ARGUMENT.
int rx_tensor_is_read_only(const rx_value *v);
// Marks a tensor, for good. Before others see it: views that exist already don't change. RX_INVALID_ARGUMENT for other
// kinds.
rx_status rx_tensor_set_read_only(rx_value *v);
size_t rx_tensor_bytes(const rx_value *v);        // of its elements
uint32_t rx_tensor_rank(const rx_value *v);       // how many dims
const int64_t *rx_tensor_dims(const rx_value *v); // as long as the value lives
const char *rx_tensor_dtype(const rx_value *v);   // also of a scalar; static storage

rx_status rx_int_new(const char *dtype, int64_t value, rx_value **out);    // ints and bool; wraps never: must fit
rx_status rx_uint_new(const char *dtype, uint64_t value, rx_value **out);  // the same, up to what uint64 holds
rx_status rx_float_new(const char *dtype, double value, rx_value **out);   // rounded to the dtype
rx_status rx_shape_new(uint32_t rank, const int64_t *dim, rx_value **out); // dims at least 0
// A text of any bytes, copied.
rx_status rx_string_new(const char *bytes, size_t size, rx_value **out);
rx_status rx_tuple_new(rx_value *const *item, uint32_t count, rx_value **out); // retains the items; NULL items are null

rx_status rx_value_int(const rx_value *v, int64_t *out);      // of an integer or bool scalar that int64 holds
rx_status rx_value_uint(const rx_value *v, uint64_t *out);    // of one that uint64 holds
rx_status rx_value_float(const rx_value *v, double *out);     // of any scalar
uint32_t rx_value_count(const rx_value *v);                   // dims of a shape, items of a tuple or list, else 0
const int64_t *rx_shape_dims(const rx_value *v);              // NULL for other kinds
const char *rx_string_bytes(const rx_value *v, size_t *size); // NUL-terminated; NULL for other kinds
// Item i of a tuple or list, with a reference for the caller (a null item gives NULL and RX_OK).
rx_status rx_value_item(const rx_value *v, uint32_t i, rx_value **out);

// ---- values as text and files ----

// A value as it is written on command lines: "f32[7,128]" (random, reproducible by seed; also in full,
// "float32[7,128]"), "f32[3]:1,2,3" (its elements), "[[1,2],[3,4]]" (a tensor of int64, float32 or bool, as its numbers
// look), "@x.npy", "3" (int64), "1.5" (float32), "i32:3", "f16:1.5" (any dtype), "true", "(3,4)" a shape, "'text'", and
// tuples of these, "(f32[2],1.5)".
rx_status rx_value_parse(const char *text, uint64_t seed, rx_value **out, char *message);
// One line: kind, dtype, shape and the first elements. Cut to room, always NUL-terminated; returns the full length.
size_t rx_value_print(const rx_value *v, char *out, size_t room);
// NumPy's .npy files. Saving writes the file whole or not at all.
rx_status rx_tensor_load(const char *path, rx_value **out, char *message);
// Of a tensor; RX_INVALID_ARGUMENT for other kinds.
rx_status rx_tensor_save(const rx_value *v, const char *path, char *message);
// RX_OK if two values agree: floats within atol + rtol * |b|. RX_SHAPE_MISMATCH: kinds, dtypes or shapes differ;
// RX_INVALID_ARGUMENT: elements differ; the message says where and how much.
rx_status rx_value_compare(const rx_value *a, const rx_value *b, double rtol, double atol, char *message);

// ---- external functions ----

// What bytecode calls by name. Arguments include destinations. Reads arguments with rx_call_arg and may return a value
// with rx_call_return. Called on the thread that runs the context; must not use that context
// (a call on it is refused with RX_INVALID_ARGUMENT).
typedef rx_status rx_external(void *user, rx_call *call);
// How many arguments there are.
uint32_t rx_call_count(const rx_call *c);
rx_value *rx_call_arg(const rx_call *c, uint32_t i);                       // borrowed; NULL past the end and for null
void rx_call_return(rx_call *c, rx_value *v);                              // retains v
rx_status rx_call_fail(rx_call *c, rx_status status, const char *message); // returns status

// A set of external functions. Contexts copy what they need, so it may be changed or released afterwards. Not
// thread-safe.
rx_status rx_registry_new(rx_registry **out);
void rx_registry_release(rx_registry *r);                                                       // NULL is allowed
rx_status rx_registry_add(rx_registry *r, const char *name, rx_external *function, void *user); // replaces an older one

// ---- observing ----

// What profilers and checkers see: each kernel, builtin and external function, right after it ran.
typedef enum rx_work { RX_WORK_KERNEL, RX_WORK_BUILTIN, RX_WORK_EXTERNAL } rx_work;
// One piece of work.
typedef struct rx_event {
    size_t struct_size;
    rx_work work;
    const char *function; // whose instruction it is
    const char *name;     // of the kernel, builtin or external function
    uint32_t word;        // where the instruction stands in its function; metadata "bindings" has it with its binding
    uint32_t values;      // how many arguments it got
    uint32_t outputs;     // so many of the last ones are written; 0 where that isn't known (external functions)
    uint64_t begin, end;  // nanoseconds of a monotonic clock
    // What a kernel's run came to, as the compiler counted it; RX_WORK_UNKNOWN where it can't be told from the sizes,
    // and for everything but kernels. Operations on floats up to 32 bits and on integers; on float64; within dot
    // products of bytes. Bytes are those of tensors it read or wrote, each element once.
    int64_t flops, double_flops, dot_ops, bytes;
    // Of a kernel that does two things one after the other: what the first was called, and when the calling thread was
    // done with it. `name` and the numbers above are of both together. NULL and 0: it does one thing.
    const char *phase;
    uint64_t phase_end;
} rx_event;
// A number of rx_event that can't be told.
#define RX_WORK_UNKNOWN (-1)
// Argument i if it is a tensor, else NULL; borrowed for the observer's call.
rx_value *rx_event_tensor(const rx_event *e, uint32_t i);
// Called on the thread that runs the context; must not use that context. What it returns other than RX_OK ends the call
// with that status and the sentence it wrote into `message` (RX_MESSAGE bytes).
typedef rx_status rx_observer(void *user, const rx_event *e, char *message);

// ---- contexts ----

// The devices of this build, by number: what rx_context_options.device may be. NULL past the last.
const char *rx_device_name(uint32_t index);

// How a context is made.
typedef struct rx_context_options {
    size_t struct_size;
    const char *device;          // NULL: "cpu"; "dry-run": all but the kernels
    unsigned threads;            // 0: RELAX_NUM_THREADS, else what affinity and cgroup grant; 1: no helper threads;
                                 // above RX_MAX_THREADS: RX_INVALID_ARGUMENT
    rx_context *share_threads;   // use that context's thread pool; then `threads` is ignored
    const rx_registry *registry; // may be NULL
    rx_allocator allocator;      // of everything the context allocates, tensors included
    uint64_t memory_limit;       // bytes of tensor memory at once; 0: none. Beyond it calls fail with RX_OUT_OF_MEMORY
    uint64_t step_limit;         // instructions per call, and one for each argument of a function of the file that is
                                 // called; a replayed region is one. 0: none. Beyond it calls fail with RX_CANCELLED
    rx_observer *observer;       // NULL: none. With one, regions that could be replayed at once run step by step
    void *observer_user;
} rx_context_options;

// A context: what one thread needs to run one executable (retained). Picks the kernels for this machine, resolves
// builtins and externals (all missing ones are listed). RX_UNSUPPORTED names the CPU feature that no variant can do
// without.
rx_status rx_context_new(rx_executable *e, const rx_context_options *options, rx_context **out, char *message);
// Values that came out of it stay valid. NULL is allowed. Must not be called while it runs, by another thread or by
// what it calls: debug builds end the process.
void rx_context_release(rx_context *c);

// Calls a function. Arguments by position: all parameters without a weight, or only the first num_input if the others
// were set by name. Checks every argument against the signature first: RX_INVALID_ARGUMENT for count and kind,
// RX_SHAPE_MISMATCH for dtype, rank and dims. A scalar counts as its value: an integer that fits or a float, rounded,
// becomes the scalar of another dtype or the tensor without dims that the signature wants; a
// tuple of integers the shape. Donated arguments may be
// written. *out is the result (a tuple if the function returns one).
rx_status rx_context_call(rx_context *c, const char *function, rx_value *const *args, uint32_t count, rx_value **out);

// The same in steps: inputs stay set (and retained) until replaced, but donated ones are dropped by run. NULL unsets.
// Parameters past num_input are weights: what a function computes from them alone it may compute in the first call
// after they were set, and keep. Set a weight again after changing its contents.
rx_status rx_context_set_input(rx_context *c, const char *function, uint32_t param, rx_value *v);
// By the parameter's name.
rx_status rx_context_set_input_by_name(rx_context *c, const char *function, const char *param, rx_value *v);
rx_value *rx_context_input(const rx_context *c, const char *function, uint32_t param); // borrowed; NULL if not set
// Runs with the inputs that are set.
rx_status rx_context_run(rx_context *c, const char *function, rx_value **out);
// The function's number for the calls below, which spare the search for its name: rx_executable_function_name's
// numbers.
rx_status rx_context_call_number(rx_context *c, uint32_t function, rx_value *const *args, uint32_t count,
                                 rx_value **out);

// Text of the last failure on this context, "" if the last call succeeded. Valid until the next call on it.
const char *rx_context_message(const rx_context *c);
// Makes a running call stop soon with RX_CANCELLED. From any thread or a signal handler; forgotten when the call
// returns.
void rx_context_cancel(rx_context *c);

// What a context has done and holds.
typedef struct rx_stats {
    size_t struct_size;
    uint64_t calls;             // that succeeded
    uint64_t allocations;       // of host memory since the context was made; stays equal in the steady state
    uint64_t bytes, peak_bytes; // tensor memory held now (kept for reuse included), and the most ever
    uint64_t launches;          // kernels run
    const char *variant;        // which kernels were chosen, "cpu:x86-64-v4"; "" without kernels
    unsigned threads;
} rx_stats;
// Set out->struct_size first: RX_INVALID_ARGUMENT if it is none.
rx_status rx_context_stats(const rx_context *c, rx_stats *out);
void rx_context_trim(rx_context *c); // gives back memory kept for reuse

// ---- queues: calls that run while the caller goes on ----

typedef struct rx_queue rx_queue; // workers, each with a context of its own

// What comes of a call that was submitted; on the worker's thread. `result` is borrowed: retain it to keep it.
// `message` is "" if status is RX_OK. May submit further calls; must not release the queue nor wait for it (debug
// builds end the process).
typedef void rx_done(void *user, rx_status status, rx_value *result, const char *message);

// A queue of `workers` threads (0: one; at most RX_MAX_THREADS) over one executable (retained). `options` are those of
// every context; kernels of a worker run on options.threads threads, or on one where that is 0. RX_OUT_OF_MEMORY, and
// what rx_context_new gives.
rx_status rx_queue_new(rx_executable *e, const rx_context_options *options, unsigned workers, rx_queue **out,
                       char *message);
// Calls are taken in the order in which they were submitted, from any thread. Arguments are retained until `done` was
// called, which happens once for each call that RX_OK was returned for. RX_OUT_OF_MEMORY; RX_CANCELLED: the queue is
// being released.
rx_status rx_queue_submit(rx_queue *q, const char *function, rx_value *const *args, uint32_t count, rx_done *done,
                          void *user);
void rx_queue_wait(rx_queue *q); // until nothing that was submitted is left
// Calls that no worker has begun end with RX_CANCELLED; returns when all are done. NULL is allowed.
void rx_queue_release(rx_queue *q);

#ifdef __cplusplus
}
#endif
#endif
