// runs.h - what the rows of builtins.def run, and what they share.
#ifndef BUILTIN_RUNS_H
#define BUILTIN_RUNS_H
#include "builtin/builtin.h"

#define BUILTIN(function, name, version, ins, args, outs, allocates, doc) rx_status function(builtin_call *c);
#include "builtin/builtins.def"

// Writes one sentence into c->why and returns the status.
rx_status builtin_fail(builtin_call *c, rx_status status, const char *format, ...) RX_PRINTF(3, 4);
// A new output of an allocating builtin.
RX_MUST_USE rx_status builtin_make(builtin_call *c, uint32_t out, dtype t, uint32_t rank, const int64_t *dim);

// The axis split off: element (o, i, s) of [outer][extent][inner] is at (o * extent + i) * inner + s.
typedef struct slices {
    size_t outer, extent, inner;
} slices;
// A negative axis counts from the end. RX_INVALID_ARGUMENT if there is no such axis.
RX_MUST_USE rx_status split_axis(builtin_call *c, const tensor *t, int64_t axis, slices *out);

// An element as a number that sorts as the elements do; NaN is the largest, -0 equals 0.
int64_t sort_key(const tensor *t, size_t index);
// What is sorted: `s.extent` slices, each of the keys (o * extent + i) * inner + s; the first that differs decides.
typedef struct sort_rows {
    slices s;
    const int64_t *key;
} sort_rows;
// Negative, 0 or positive as slice a comes before, equals or comes after slice b.
int compare_rows(const sort_rows *rows, int64_t a, int64_t b);
// Puts `index` (count of them, with as much room in `scratch`) into the order of the slices it names; stable.
void sort_by_rows(int64_t *index, int64_t *scratch, const sort_rows *rows, size_t count, bool descending);
// The same of single keys: key[index[i]].
void sort_indices(int64_t *index, int64_t *scratch, const int64_t *key, size_t count, bool descending);
#endif
