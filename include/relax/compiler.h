// compiler.h - modules from text, passes over them, and their compilation to .rlx files. Link librelax-compiler.
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
// Ownership. A handle that comes through `**out` belongs to the caller, who releases it once; modules are released
// before their session. Texts that functions return belong to the handle they were asked of and stay valid until the
// next call on it. Errors. Functions return rx_status; on failure `*out` is NULL and the session has the diagnostics of
// the call: RX_INVALID_ARGUMENT for what the caller wrote (text, names, options), RX_IO, RX_NOT_FOUND and
// RX_OUT_OF_MEMORY for the machine. Unlike the runtime, the compiler ends the process with a sentence on stderr when
// memory runs out inside it. Versions. Option structs begin with struct_size = sizeof of the struct the caller was
// compiled with; zero is the default of every field after it.
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
void rx_session_release(rx_session *s); // NULL is allowed; after its modules

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
// RX_NOT_FOUND past the last.
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
    unsigned jobs;        // threads; 0: as many as the machine grants
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
