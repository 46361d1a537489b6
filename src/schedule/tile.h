// tile.h - a contraction that gets register tiles: what is known of it, and how large they are (tile_sizes.c); the
// nest is made by tile.c.
#ifndef SCHEDULE_TILE_H
#define SCHEDULE_TILE_H
#include "schedule/rules.h"

enum {
    TILE_ROWS = 8,             // what registers have room for beside TILE_VECTORS vectors of B
    FAR_BYTES = 2048,          // of a row of B: rows of so many lie far apart
    WORTH_A_PANEL = 128 << 10, // bytes of weights: where there are fewer, note_rows has no other program for few rows
    STREAM_ROWS = 8,           // rows read side by side for one row of A; for several half as many
    STREAM_FEW = 64,           // rows of A that are multiplied so, with 32 registers; with fewer half as many
    WIDENED_FEW = 16,          // rows that elements are widened for where they are used, not in a panel
};

typedef struct tiling {
    schedule *sch;
    const arch *arch;
    block_ref b, after; // the contraction, and what reads its tile
    const block *bl;    // as it was at first
    block_shape shape;
    nest_loops loops;
    uint32_t row;          // index into loops.spatial; the last one is the columns
    uint32_t row_iter;     // of the block
    int64_t few;           // there are at most so many rows; 0: any number
    int64_t rows, vectors; // of a tile
    int64_t row_bytes;     // from one row of B to the next; 0: not known
    uint32_t lanes;
    int64_t width;    // of the panels that the columns come in, W[column // 16, k, column % 16]; 0: they don't
    bool widened;     // panels hold smaller elements than the sums are
    int64_t lines;    // of words that a step of the outermost reduction reads, where there are dots of bytes
    bool alone;       // rows share no weights: each is a tile
    bool grouped;     // each tile has its own weights (group): tiles of one expert follow each other
    bool square;      // as many columns as rows: few of them, too, where there are few rows
    bool apart;       // the columns are rows of B, along which the reduction runs: the panel is a transposed copy
    bool streamed;    // few rows of A: B is read in long runs
    bool streams_few; // the program for few rows of A does so
    loop_ref share;   // over rows of A that share what is read of B; id 0: there is one row
    loop_ref outer[LOOPS_MOST]; // the loops over tiles that run in parallel, the innermost last
    uint32_t outers;
    loop_ref tile;     // the innermost one over tiles
    block_ref panel;   // copies what a tile's columns read of B; id 0: none
    loop_ref inner[3]; // rows, vectors, lanes
} tiling;

static inline int64_t extent_of(const tiling *t, loop_ref l) { return constant_extent(t->sch, l, INT64_MAX); }
static inline loop_ref columns_of(const tiling *t) { return t->loops.spatial[t->loops.spatials - 1]; }
static inline const expr *loop_var(const tiling *t, loop_ref l) { return schedule_loop_of(t->sch, l)->as.loop.var; }

// Finds out about the contraction of t->sch, t->arch and t->b; false: it is none that tiles suit.
bool tiling_fits(tiling *t);
// Rows and vectors of a tile, and what else is decided by how many rows and columns there are.
void tiling_choose_sizes(tiling *t);
// Up to how many rows of A B may be read in long runs.
int64_t tiling_streamed_most(const tiling *t);
// The next load that moves with the columns: of B, and of what B is made from; NULL at the end.
const expr *tiling_next_load(const tiling *t, expr_walk *w);
// Dot products of bytes unpack the words they read: those stay in registers between rows, so one vector is a tile.
bool tiling_has_dots(const tiling *t);
#endif
