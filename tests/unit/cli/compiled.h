// compiled.h - compiles a module, runs it, and compares with the interpreter: the differential test of everything.
#ifndef TESTS_COMPILED_H
#define TESTS_COMPILED_H
#include "driver/driver.h"
#include "interp/interp.h"

typedef struct compiled_check {
    const char *target;          // NULL: cpu:host
    const char *runner;          // the command that is relax-run for the target; NULL: the function runs here
    const char *pipeline;        // NULL: default
    uint32_t draws;              // of sizes, from small to larger
    uint32_t rounds;             // how often each size is run, with other values; 0 counts as 1
    driver_bound bound;          // symbol NULL: none
    const interp_symbol *symbol; // `symbols` sizes for each of the draws; NULL: drawn
    uint32_t symbols;
    bool all_threads; // the results on 1, 2, 3, 4 and 8 threads are the same bits; with a runner on 1, 3 and 8
    uint32_t ran;     // counts function runs that were compared
    arena *mem;
    text report; // what went wrong
} compiled_check;

// Compiles `src` to a file in a folder of its own and runs all public functions on random arguments. False after a
// difference or an error, told in the report. Functions that the interpreter can't run (externals) are passed over.
// Arguments and all memory of the compiled function lie between pages that can't be touched.
bool compiled_equals_interpreted(compiled_check *c, const source *src);

typedef struct compiled_tally {
    uint32_t ran;     // function runs that were compared
    uint32_t refused; // modules that the target has no code for
    uint32_t unheard; // modules that the emulator of the target gave up on
    uint32_t failed;
} compiled_tally;
// All modules (.py) of a folder; false if there is none.
bool compiled_folder(const char *folder, const char *target, const char *runner, uint32_t draws, compiled_tally *t);
// Every operator's samples, each with `draws` sizes.
void compiled_operators(const char *target, const char *runner, uint32_t draws, compiled_tally *t);
// One module; what the target has no code for is refused with a message, and counted as such.
void compiled_module(const source *src, const char *target, const char *runner, uint32_t draws, compiled_tally *t);
#endif
