// bench_surface.h - how a function's cost goes with one size: what `relax bench --surface` measures and draws.
#ifndef CLI_BENCH_SURFACE_H
#define CLI_BENCH_SURFACE_H
#include "cli/bench_table.h"

// The sizes that tell the most, ascending: 1, 2, 3, powers of two and their neighbours, odd ones between, both bounds.
// Those outside of the bounds, or no multiple, are left out; so are the largest beyond `room`. Returns their count.
uint32_t surface_sizes(int64_t lower, int64_t upper, int64_t multiple, int64_t *out, uint32_t room);

bool surface_stands_out(const int64_t *size, const bench_rows *rows, uint32_t i); // beyond what a size may cost

// Prints a table of the rows, one for each size, and draws them into an SVG file. Returns the exit code.
int surface_print(const cli_args *a, const char *path, const char *symbol, const int64_t *size, const bench_rows *rows);
#endif
