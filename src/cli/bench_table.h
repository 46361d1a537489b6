// bench_table.h - what `relax bench` prints of a module, and what it is compared with.
#ifndef CLI_BENCH_TABLE_H
#define CLI_BENCH_TABLE_H
#include "base/vec.h"
#include "cli/machine.h"
#include "cli/verb.h"

// One function with one set of sizes.
typedef struct bench_row {
    const char *function, *dims; // "n=128 m=4"
    uint32_t runs;
    double median, fast, slow; // seconds; fast and slow: 10th and 90th percentile
    bool known;                // the rest is
    double operations, bytes;
    double least; // seconds that the machine needs at least
} bench_row;
typedef VEC(bench_row) bench_rows;

// As a table, or with --json as an object; beside what --compare names. Returns the exit code.
int bench_print(const cli_args *a, const bench_rows *rows, const machine_limits *limits);
#endif
