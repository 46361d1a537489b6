// compiler.h - modules from text or built call by call, passes over them, and their compilation to .rlx files. Link
// librelax-compiler.
//
//   rx_session *s = NULL;
//   rx_module *m = NULL;
//   if (rx_session_new(NULL, &s)) ...
//   if (rx_module_read(s, "mlp.py", &m)) fputs(rx_session_report(s), stderr);
//   rx_module_bound(m, "n", 1, 4096);
//   if (rx_module_compile(m, NULL, "mlp.rlx")) fputs(rx_session_report(s), stderr);
//   rx_module_release(m);
//   rx_session_release(s);
//
// Threads. A session and its modules belong to one thread at a time; any number of sessions may work at once.
// Ownership. A handle that comes through `**out` belongs to the caller, who releases it once, in any order. Texts that
// functions return belong to the handle they were asked of and stay valid until the next call on it. Errors. Functions
// return rx_status; on failure `*out` is NULL and the session has the diagnostics of the call: RX_INVALID_ARGUMENT for
// what the caller wrote (text, names, options), RX_IO, RX_NOT_FOUND and RX_OUT_OF_MEMORY for the machine. NULL where no
// comment allows it is refused with RX_INVALID_ARGUMENT; what only asks gives NULL or 0 for it. Unlike the runtime, the
// compiler ends the process with a sentence on stderr when memory runs out inside it. Versions. Structs with
// struct_size are as in runtime.h.
#ifndef RELAX_COMPILER_H
#define RELAX_COMPILER_H
#include "relax/status.h"
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct rx_session rx_session; // one thread's use of the compiler
typedef struct rx_module rx_module;   // functions in the text form, read and checked

// The version of the compiler: "0.1.0". Static storage.
const char *rx_compiler_version(void);

// ---- sessions and what they have to say ----

typedef struct rx_session_options {
    size_t struct_size;
    int colour; // rx_session_report uses terminal colours
} rx_session_options;
// `options` may be NULL. RX_OUT_OF_MEMORY.
rx_status rx_session_new(const rx_session_options *options, rx_session **out);
void rx_session_release(rx_session *s); // NULL is allowed

// How bad it is.
typedef enum rx_severity { RX_ERROR, RX_WARNING, RX_NOTE } rx_severity;

// One thing the last call on the session (or on a module of it) had to say. A note belongs to the record before it.
typedef struct rx_diagnostic {
    size_t struct_size; // set by the caller
    rx_severity severity;
    const char *message;
    const char *source;    // the name of the text; "" where the place is not in a text
    uint32_t line, column; // from 1, columns in bytes; 0: no place
} rx_diagnostic;
// How many there are.
uint32_t rx_session_diagnostic_count(const rx_session *s);
// RX_NOT_FOUND past the last. Set out->struct_size first.
rx_status rx_session_diagnostic(const rx_session *s, uint32_t index, rx_diagnostic *out);
// All of them as the command line shows them, with source lines and carets. "" if there is none; never NULL.
const char *rx_session_report(rx_session *s);

// ---- modules ----

// Reads a module in the text form (docs/graph-ir.md). `name` stands in diagnostics. The text is copied. The module is
// checked (`relax check`). RX_INVALID_ARGUMENT after diagnostics.
rx_status rx_module_parse(rx_session *s, const char *name, const char *bytes, size_t size, rx_module **out);
// The same from a file; "-" reads stdin. RX_NOT_FOUND, RX_IO.
rx_status rx_module_read(rx_session *s, const char *path, rx_module **out);
void rx_module_release(rx_module *m); // NULL is allowed

// The text form; reading it back gives an equal module. NULL only for NULL.
const char *rx_module_text(rx_module *m);

// The functions, in the order of the text: graph functions and loop programs. NULL past the last.
uint32_t rx_module_function_count(const rx_module *m);
// The name of function `index`.
const char *rx_module_function_name(const rx_module *m, uint32_t index);
int rx_module_function_is_public(const rx_module *m, uint32_t index); // can be called once it is compiled

// Equal up to the names of locals and symbols. If not, `*difference` (may be NULL) is a text that shows the first place
// in both; it belongs to `a`.
int rx_module_equal(rx_module *a, rx_module *b, const char **difference);

// Puts a bound on a symbolic size, in every function that has a symbol of this name; INT64_MAX: no upper bound.
// RX_NOT_FOUND: no function has it.
rx_status rx_module_bound(rx_module *m, const char *symbol, int64_t lower, int64_t upper);

// ---- modules built call by call ----
//
//   rx_builder *b = NULL;
//   rx_var *x = NULL, *w = NULL, *y = NULL;
//   rx_builder_new(s, &b);
//   rx_builder_function(b, "main", 0);
//   rx_builder_param(b, "x", "R.Tensor(('n', 128), 'float32')", &x); // n is a symbol: any size
//   rx_builder_param(b, "w", "R.Tensor((128, 10), 'float32')", &w);
//   rx_builder_op(b, "matmul", (rx_var *[]){x, w}, 2, NULL, &y);
//   rx_builder_op(b, "nn.softmax", &y, 1, "axis=-1", &y);
//   rx_builder_return(b, &y, 1);
//   if (rx_builder_finish(b, &m)) fputs(rx_session_report(s), stderr);
//   rx_builder_release(b);
//
// Functions are made one after another; the others can call what has returned. Every call is checked at once, and what
// is known of its result deduced. After a failure all later calls on the builder fail too and leave the diagnostics of
// the first one: it is enough to look at rx_builder_finish's status. RX_INVALID_ARGUMENT after diagnostics. Loop
// programs, and functions that are easier to write down, come from text: rx_builder_text.

typedef struct rx_builder rx_builder; // a module being made
typedef struct rx_var rx_var;         // a value of the function being made; lives as long as its builder

// A builder of an empty module. RX_OUT_OF_MEMORY.
rx_status rx_builder_new(rx_session *s, rx_builder **out);
void rx_builder_release(rx_builder *b); // NULL is allowed

// What a function is; 0: public and pure.
enum {
    RX_FUNCTION_PRIVATE = 1, // can't be called from outside
    RX_FUNCTION_IMPURE = 2,  // calls what has effects
};
// Begins a function. Its end is rx_builder_return.
rx_status rx_builder_function(rx_builder *b, const char *name, unsigned flags);
// A parameter, before anything is computed. Annotations are those of the text form; names in the dims that are new
// define symbols: "R.Tensor(('n', 'n * 2'), 'float32')", "R.Shape(['n'])", "R.Tensor(ndim=2, dtype='int64')".
rx_status rx_builder_param(rx_builder *b, const char *name, const char *annotation, rx_var **out);
// A symbol that no parameter has, for R.match_cast.
rx_status rx_builder_symbol(rx_builder *b, const char *name);
// An attribute of the function: "num_input", "1". Before anything is computed.
rx_status rx_builder_attr(rx_builder *b, const char *name, const char *value);

// Adds the functions of a module in the text form (rx_module_parse): graph functions and loop programs, which what
// follows can call, "R.call_tir(cls.scale, (x,), out_sinfo=R.Tensor((n,), 'float32'))". No function may be open.
rx_status rx_builder_text(rx_builder *b, const char *name, const char *bytes, size_t size);
// States what the open function gives back, after its parameters. From here on it may call itself: loops of the graph
// language are such calls.
rx_status rx_builder_result(rx_builder *b, const char *annotation);

// A dataflow block: what follows is pure and can be fused. Only what is put out can be used after rx_builder_output.
rx_status rx_builder_dataflow(rx_builder *b);
// Ends the block.
rx_status rx_builder_output(rx_builder *b, rx_var *const *v, uint32_t count);

// Calls an operator (`relax ops` lists them): "nn.softmax". What it takes besides tensors is written as in the text,
// "axis=-1, keepdims=True"; NULL: nothing. `out` may be NULL here and below.
rx_status rx_builder_op(rx_builder *b, const char *op, rx_var *const *in, uint32_t count, const char *attrs,
                        rx_var **out);
// Calls a function of the module, or a closure.
rx_status rx_builder_call(rx_builder *b, const char *function, rx_var *const *in, uint32_t count, rx_var **out);
// Binds any expression of the text form, over the names of values and symbols: "R.reshape(x, (n * 4,))", "pair[0]",
// "R.match_cast(x, R.Tensor((m,), 'float32'))". `name` NULL: one is made up.
rx_status rx_builder_bind(rx_builder *b, const char *name, const char *text, rx_var **out);
// A tuple of values; none is allowed.
rx_status rx_builder_tuple(rx_builder *b, rx_var *const *v, uint32_t count, rx_var **out);
// A constant tensor; the data (compact, row-major) is copied.
rx_status rx_builder_constant(rx_builder *b, const char *dtype, uint32_t rank, const int64_t *dim, const void *data,
                              rx_var **out);

// A branch: its condition is a bool scalar or tensor of rank 0. What follows is the first branch, with bindings of its
// own, until rx_builder_else says what it gives; then the second until rx_builder_end_if. Both give values of one kind,
// two tensors or tuples of as many; what is known of the result is what they have in common. Outside of dataflow
// blocks.
rx_status rx_builder_if(rx_builder *b, rx_var *condition);
// Ends the first branch.
rx_status rx_builder_else(rx_builder *b, rx_var *value);
// Ends the second branch. `out`: what the branch that was taken gave.
rx_status rx_builder_end_if(rx_builder *b, rx_var *value, rx_var **out);
// A function in the open one: parameters and bindings follow as for a function, and may use what is bound around it.
// It is called by its name or passed as a value once it has ended.
rx_status rx_builder_closure(rx_builder *b, const char *name);
// Ends the closure with a value, or with a tuple of several. `out`: the closure as a value.
rx_status rx_builder_end_closure(rx_builder *b, rx_var *const *v, uint32_t count, rx_var **out);

// The name a value has in texts.
const char *rx_var_name(const rx_var *v);
// What is known of it: "R.Tensor((n, 10), dtype=\"float32\")".
const char *rx_var_annotation(const rx_var *v);

// Ends the function with a value, or with a tuple of several.
rx_status rx_builder_return(rx_builder *b, rx_var *const *v, uint32_t count);
// The module of all functions, as if its text had been read; it may outlive the builder. What it has to say about the
// text has the name "<built>".
rx_status rx_builder_finish(rx_builder *b, rx_module **out);

// ---- passes ----

// The passes by number, for listings; NULL past the last.
uint32_t rx_pass_count(void);
const char *rx_pass_name(uint32_t index); // as the spelling of a pass begins
const char *rx_pass_doc(uint32_t index);  // what it does, in one line

// Runs passes in order, spelled as for `relax opt --pass`: "A:option=value;option=value,B". `target` is a target's
// spelling, NULL: "cpu". Between passes the module's rules are checked. After a failure the module can only be
// released. RX_INVALID_ARGUMENT after diagnostics.
rx_status rx_module_pass(rx_module *m, const char *passes, const char *target);
// The same for a row of `relax opt --list`'s pipelines; NULL: "default".
rx_status rx_module_pipeline(rx_module *m, const char *pipeline, const char *target);

// ---- compilation ----

typedef struct rx_compile_options {
    size_t struct_size;
    const char *const *target; // one kernel variant each, "cpu:x86-64-v3"; none: x86-64-v3 and x86-64-v4
    uint32_t targets;
    const char *pipeline; // NULL: "default"
    const char *weights;  // .npz or .safetensors whose tensors are bound to parameters by name; NULL: none
    unsigned jobs;        // threads, at most RX_MAX_THREADS; 0: as many as the machine grants
    unsigned optimize;    // 0: level 2; else 1 + the level of `relax compile -O` (1 to 4)
    int fast_math;        // lets float arithmetic be reassociated (docs/numerics.md)
} rx_compile_options;

// Compiles the module to a file, which appears when it is complete. The module is left as it is. `options` may be NULL.
rx_status rx_module_compile(rx_module *m, const rx_compile_options *options, const char *path);
// The same into memory, 64-byte aligned as rx_executable_load_memory wants it; given back with rx_bytes_free.
rx_status rx_module_compile_memory(rx_module *m, const rx_compile_options *options, void **bytes, size_t *size);
void rx_bytes_free(void *bytes); // NULL is allowed

// Intermediate forms of the first target's kernels and of the module.
typedef enum rx_form {
    RX_FORM_IR,   // the module after the pipeline, in the text form
    RX_FORM_LLVM, // kernels as LLVM's text
    RX_FORM_ASM,  // kernels as assembly
} rx_form;
// *out belongs to the module, until the next call on it.
rx_status rx_module_emit(rx_module *m, const rx_compile_options *options, rx_form form, const char **out);

#ifdef __cplusplus
}
#endif
#endif
