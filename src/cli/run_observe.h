// run_observe.h - what `relax run` shows of the work inside a call: --profile, --trace, --check-nan, --dump-tensors.
#ifndef CLI_RUN_OBSERVE_H
#define CLI_RUN_OBSERVE_H
#include "base/file.h"
#include "base/map.h"
#include "base/vec.h"
#include "cli/machine.h"
#include "cli/verb.h"
#include "relax/runtime.h"

// One kernel with one set of shapes, over all runs.
typedef struct work_row {
    const char *name, *shapes;          // "(7, 128) (128, 256)"
    uint64_t calls, bytes, nanoseconds; // bytes: of its tensors
    machine_work work;                  // of all calls
    bool phase;                         // the first phase of a kernel, whose work stands with the kernel
} work_row;

// What passes between kernels.
typedef enum observed_gap {
    GAP_HAND_OFF, // from kernel to kernel: the virtual machine, and what a caller does around a call
    GAP_CHOICE,   // of a language model's next token
    GAP_TEXT,     // writing its text
    OBSERVED_GAPS
} observed_gap;

typedef struct run_observation {
    const cli_args *a;
    const rx_executable *exe;
    const rx_context *context;
    bool profile, check_nan;
    const char *dump; // folder; NULL: none
    VEC(work_row) rows;
    map row_of; // a number for name and shapes -> index + 1
    text trace; // events of Chrome's trace format, separated by commas
    bool traced;
    new_file *trace_file; // open from before the run to observation_finish
    uint64_t zero;        // when the first event began
    // Time of no kernel, in nanoseconds: from `left`, when the observer was last done, to the next kernel or mark.
    uint64_t left, gap[OBSERVED_GAPS];
    machine_limits limits; // of this machine, for --profile
    uint64_t runs;         // whose work the rows hold
    uint32_t dumped;
} run_observation;

// Reads the options. *wanted: something is to be observed.
run_observation observation_of(const cli_args *a, bool *wanted);
// For --profile alone, in verbs that have no other of the options.
run_observation observation_of_profile(const cli_args *a);
rx_observer observe_run; // its user is the run_observation
// What the runs so far came to is forgotten: the first one only warms up.
void observation_restart(run_observation *o);
// A call begins: time counts from now on. And: what passed since the last kernel was `what`.
void observation_begin(run_observation *o);
void observation_mark(run_observation *o, observed_gap what);
// Measures what the machine can do at most, for the two below. False after a message.
bool observation_measure(run_observation *o, unsigned threads);
void observation_print(const run_observation *o, text *t);      // the table of --profile
void observation_print_json(const run_observation *o, text *t); // the same as an object
int observation_finish(run_observation *o);                     // writes the file of --trace
// Before anything runs: what can't be written is told then. Closed by observation_close, whatever happens between.
int observation_open(run_observation *o);
void observation_close(run_observation *o);
#endif
