// remote.h - runs a function of a compiled module by a command, such as relax-run under an emulator.
#ifndef TESTS_REMOTE_H
#define TESTS_REMOTE_H
#include "base/arena.h"
#include "relax/runtime.h"
#include "tensor/dtype.h"

typedef void tolerance_of(dtype t, double *rtol, double *atol);

// Runs `runner FILE --func FUNC --input … --expect …`; tensors go through files beside `path`. NULL if the results
// agree with `want`, or if the values have no form on a command line; else what the command said.
const char *remote_differs(arena *mem, const char *runner, const char *path, const char *func, rx_value *const *arg,
                           uint32_t count, rx_value *want, tolerance_of *tolerance);
#endif
