// ops_example.h - an operator's sample with values, for its page.
#ifndef CLI_OPS_EXAMPLE_H
#define CLI_OPS_EXAMPLE_H
#include "ops/ops.h"

// The compute text of an operator that puts one together for each call; operands and results of a sample, run by the
// interpreter on small simple numbers, symbols 2.
// NULL for operators that compute nothing by themselves, or whose samples are large.
const char *ops_example(arena *mem, const op *o);
#endif
