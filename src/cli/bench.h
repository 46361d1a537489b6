// bench.h - what `relax bench` can measure: language models, and functions of modules.
#ifndef CLI_BENCH_H
#define CLI_BENCH_H
#include "cli/verb.h"

// Each takes the verb's options, prints a table or JSON, and returns the exit code.
int bench_model(const cli_args *a);
int bench_module(const cli_args *a);
#endif
