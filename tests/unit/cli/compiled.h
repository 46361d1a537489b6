// compiled.h - compiles a module, runs it, and compares with the interpreter: the differential test of everything.
#ifndef TESTS_COMPILED_H
#define TESTS_COMPILED_H
#include "driver/driver.h"
#include "interp/interp.h"

typedef struct compiled_check {
    const char *target;   // NULL: cpu:host
    const char *pipeline; // NULL: default
    uint32_t draws;       // of sizes, from small to larger
    uint32_t rounds;      // how often each size is run, with other values; 0 counts as 1
    driver_bound bound;   // symbol NULL: none
    uint32_t ran;         // counts function runs that were compared
    arena *mem;
    text report; // what went wrong
} compiled_check;

// Compiles `src` to a file in a folder of its own and runs all public functions on random arguments. False after a
// difference or an error, told in the report. Functions that the interpreter can't run (externals) are passed over.
bool compiled_equals_interpreted(compiled_check *c, const source *src);
#endif
