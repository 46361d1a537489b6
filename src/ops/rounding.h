// rounding.h - activations made small integers inside of a program: R.rx.quantize_int8's own (rx_quantize_int8.c), and
// of those that round what they compute.
#ifndef OPS_ROUNDING_H
#define OPS_ROUNDING_H
#include "loop/writer.h"
#include "ops/compute.h"
#include "ops/packed.h"

// How many neighbours are rounded at once.
int64_t rounding_at_once(int64_t turns, int64_t low);
// Whether R.rx.attention can round the row of a token's heads, of *width values, as R.rx.quantize_int8 does with these
// attributes: what is rounded at once lies in the heads of a block.
bool rounding_fits_heads(const node *attention, int64_t turns, int64_t low, int64_t *width);

enum { ROUNDING_LOCALS = 9 };
#define ROUNDING_RESULTS "words", "step", "sums" // what the three results are called

typedef struct rounding {
    writer w;
    const lower_ctx *c;
    const node *n; // with the attributes unit, low, turns
    const buffer *words, *step, *sums;
    // What is rounded: rows of x, those at `at`, after a norm (weight NULL: none) or a gate. Or, with a row, of a
    // buffer of rank 2 in which so many rows of few groups, from that one on, are one.
    const buffer *x, *weight;
    const expr *row;
    int64_t row_groups;
    bool gated;
    // Locals of the block.
    const buffer *value, *bits;            // [32] of the group
    const buffer *largest, *inverse, *sum; // scalars; largest as bits
    const buffer *squares, *total, *scale; // [32], scalars: of the norm
    const buffer *parts;                   // [units]: of a block, where its sums are put in bytes
    int64_t size, unit, low;               // size: of a result's row
    uint32_t turns;                        // bits of quants whose pieces take turns; 0: none do
    bool whole;                            // sums of a block are put in bytes
    const expr *at[INFER_MAX_RANK];        // the row of the results, then room for one more index
    uint32_t rank;                         // of the results
} rounding;

// The results of rounding rows [rows[0], …, size] (rank: with the last dim), as a tuple; NULL after reporting.
const ann *rounding_infer(infer_ctx *c, const node *n, const ann *like, const expr *const *rows, uint32_t rank,
                          int64_t size);
// What the call's attributes say, with these three results; `x`, `at` and `size` are the caller's to fill in.
rounding rounding_of(const lower_ctx *c, const node *n, const buffer *const *out);
// Makes the locals, for the block to declare. Returns their number.
uint32_t rounding_locals(rounding *r, const buffer *all[ROUNDING_LOCALS]);
// Rounds so many: part `from` of what is rounded is part `part` of the results' row.
const stmt *rounding_part(rounding *r, const expr *from, const expr *part);
#endif
