// ops_example.h - an operator's sample with values, for its page.
#ifndef CLI_OPS_EXAMPLE_H
#define CLI_OPS_EXAMPLE_H
#include "ops/ops.h"

// Operands and results of the operator's first sample, run by the interpreter on small simple numbers, symbols 2.
// NULL for operators that compute nothing by themselves, or whose sample is large.
const char *ops_example(arena *mem, const op *o);
#endif
