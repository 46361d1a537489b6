// rules.h - what the schedule rules share.
#ifndef SCHEDULE_RULES_H
#define SCHEDULE_RULES_H
#include "schedule/inside.h"

#define RULE(name) extern const schedule_rule rule_##name;
#include "schedule/rules.def"

enum { BLOCKS_MOST = 256, LOOPS_MOST = 32 };

typedef struct nest_loops {
    loop_ref spatial[LOOPS_MOST], reduce[LOOPS_MOST];
    uint32_t spatials, reduces;
} nest_loops;

// --- nest.c
// Sorts the loops around the block that stand below the first `skip`; false if one drives no variable of it alone.
bool sort_loops(schedule *sch, block_ref b, uint32_t skip, nest_loops *out);
// The loops around the block and below `outer` (id 0: all), outermost first; their count, at most LOOPS_MOST.
uint32_t loops_below(schedule *sch, block_ref b, loop_ref outer, loop_ref *out);
// Along the loop, the block's store moves by one element and its loads by one or none, in their last index alone.
bool contiguous(schedule *sch, const block *b, const block_shape *shape, loop_ref l);
// All loads move with the loop in their last index alone, or not at all, and one does.
bool loads_along(schedule *sch, const block *b, const block_shape *shape, loop_ref l);
bool index_uses(const expr *index, const block *b, const expr *loop_var); // through the block's variables
bool load_uses(const expr *load, const block *b, const expr *loop_var);   // some index of the load does
// Walks over what the block stores; next_load stops at loads alone, but not at those of what the block itself writes.
expr_walk walk_value(const schedule *sch, const block_shape *shape);
const expr *next_load(expr_walk *w, const block_shape *shape); // NULL at the end
uint32_t lanes_for(const arch *a, dtype type);
int64_t constant_extent(const schedule *sch, loop_ref l, int64_t unknown); // `unknown` where only the run tells
bool vectorize_all(schedule *sch, const loop_ref *l, uint32_t count); // unrolls all but the last, which is vectorized
// Nested loops run in parallel, as one: each is checked alone, which is simpler than to tell iterations of the fused
// loop apart.
bool parallel_together(schedule *sch, const loop_ref *l, uint32_t count);
// A reduction whose last loop runs along what lies side by side, by the loops l->reduce, all of the block's inside
// `in`: partial results in lanes. False, and nothing changed, where it is something else.
bool reduce_in_lanes(schedule *sch, const arch *a, block_ref b, const nest_loops *l, loop_ref in);
// The largest buffer of constant size, in bytes, that the block loads from at places that move with the loop.
int64_t bytes_along(const schedule *sch, const block *b, const block_shape *shape, const expr *loop_var);
// Notes that with one row another schedule would do better (tiles for many rows compute most of what they do in vain),
// where the extent is not constant and the weights are large. `few`: with at most so many, still another; 0: none. The
// schedule for few may note fewer.
void note_rows(schedule *sch, const expr *rows, int64_t weights, int64_t few);
// The same, but that the schedule for few (1 or more) serves one row, too.
void note_few_rows(schedule *sch, const expr *rows, int64_t weights, int64_t few);

// --- chunks.c
// A reduction with few results and many steps: chunks of it make partial results, which may run in parallel, and the
// block joins them. The block of the partial results; id 0, and nothing changed, where the block is something else.
block_ref cut_into_chunks(schedule *sch, block_ref b);

// --- body.c
// A block that is a small program of its own: loops around it in parallel, assignments inside in vectors.
bool schedule_body(schedule *sch, const arch *a, block_ref b);

// --- transpose.c
// Squares turned in registers, for a block that reads along one loop and writes along another. False, and nothing
// changed, where the block is something else.
bool transpose_block(schedule *sch, const arch *a, block_ref b);

// --- tile.c
// Register tiles for a contraction, such as a matrix product: rows and columns of accumulators in registers. False, and
// nothing changed, where the block is none.
bool tile_contraction(schedule *sch, const arch *a, block_ref b);
// The same for a contraction each row of which chooses its weights by a number from memory: many rows are sorted by it.
bool tile_grouped(schedule *sch, const arch *a, block_ref b);

// --- dot.c
// Tiles for a contraction whose operands are read along the reduction: matrices times rows of weights, sums of rows.
// There are at most so many rows (0: any number). False, and nothing changed, where the block is none.
bool tile_dot(schedule *sch, const arch *a, block_ref b, int64_t most_rows);
#endif
