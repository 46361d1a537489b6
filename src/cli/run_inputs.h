// run_inputs.h - what `relax run` and `relax diff-run` share: arguments from --input, failures, results by name.
#ifndef CLI_RUN_INPUTS_H
#define CLI_RUN_INPUTS_H
#include "base/vec.h"
#include "cli/verb.h"
#include "relax/runtime.h"

// The arguments of one function of a context. The verb has the option --input [NAME=]VALUE.
typedef struct run_inputs {
    const cli_args *a;
    rx_context *context;
    const char *func;
    uint64_t seed; // of random values: each input draws its own from it, whatever the order on the command line
} run_inputs;

// Sets them; an exit code, after a message where it isn't CLI_DONE.
int run_inputs_set(const run_inputs *r);
// The name before the first '=' of a spelling, NULL for a value by position; *value is what follows.
const char *run_input_name(const cli_args *a, const char *spelling, const char **value);
// What rx_value_parse says without the value in front of it, for a message that names it already.
const char *run_input_reason(const char *why, const char *value);
// Says why the last run of the context failed; returns CLI_WRONG. `path`: of which file, if there are several; else
// NULL. `verb` has the --help that explains --input.
int run_failed(const rx_context *context, const char *path, const char *verb);

// One part of a result: out0, out1, and out0.1 for what is nested.
typedef struct named_value {
    const char *name;
    rx_value *v; // a reference of its own: scalars in a tuple become values only when they are taken out
} named_value;
typedef VEC(named_value) value_list;
value_list run_results(arena *mem, rx_value *result); // release it
void run_results_release(value_list *list);
#endif
