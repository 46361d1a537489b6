// remote.h - runs a function of a compiled module by a command, such as relax-run under an emulator.
#ifndef TESTS_REMOTE_H
#define TESTS_REMOTE_H
#include "base/arena.h"
#include "relax/runtime.h"
#include "tensor/dtype.h"

typedef void tolerance_of(dtype t, double *rtol, double *atol);

typedef struct remote_run {
    const char *runner, *path, *func; // the command; the file, beside which tensors go through files; the function
    rx_value *const *arg;
    uint32_t count;
    unsigned threads; // 0: as many as the command takes
} remote_run;

// Runs `runner FILE --func FUNC --input … --expect …`. NULL if the results agree with `want`, or if the values have no
// form on a command line; else what the command said.
const char *remote_differs(arena *mem, const remote_run *r, rx_value *want, tolerance_of *tolerance);
// The result of a function that gives one tensor. NULL where it is something else, or the values have no form.
rx_value *remote_result(arena *mem, const remote_run *r);
#endif
