// tile.c - register tiles: rows and vectors of a contraction are accumulated in registers.
//
//   for i, j, k: C[i, j] += A[i, k] * B[k, j]
//   ->
//   for tile (parallel):                              rows of A: any number, the last ones computed again
//       for k: for 8 rows (unrolled): for 3 vectors (unrolled): c[row, vector] += A[i, k] * B[k, j…]
//       for 8 rows, 3 vectors: C = c, and what follows C is computed there too
//
// 3 vectors of a row share one broadcast of A, 8 rows share the loads of B: 11 loads for 24 multiply-adds, so that the
// arithmetic units are the limit. Where the columns do not fill their tile, vectors are taken one by one.
#include "base/size.h"
#include "schedule/rules.h"

enum {
    TILE_VECTORS = 3,
    TILE_ROWS = 8,
    FAR_BYTES = 2048,
    PIECE_AHEAD = 4096,     // bytes of words asked for ahead for one row, where a step reads a piece of a weight,
    LONG_PIECE_AHEAD = 512, // where that has more lines than
    PIECE_LINES = 4,
    BLOCK_LINES = 16, // with so many, the processor's own requests do better
    FEW_LINES = 6,    // pieces of so many are taken together, in steps of at most
    STEP_LINES = 32,
    PIECES_MOST = 8,
    DOT_FEW = 4,
    WORTH_A_PANEL = 128 << 10, // bytes of weights: where there are fewer, note_rows has no other program for few rows
    PANEL_AHEAD = 256,         // bytes of each row asked for ahead while a panel is transposed
    COPY_AHEAD = 16,           // rows asked for ahead while a panel is copied
    STREAM_ROWS = 8,           // rows read side by side for one row of A; for several half as many
    STREAM_SHARE = 4,          // rows of A that share what is read of them
    STREAM_TILE = 16,          // rows of A whose sums are in the first-level cache together
    STREAM_VECTORS = 128,      // … and the vectors of a run
    STREAM_FEW = 64,           // rows of A that are multiplied so, with 32 registers; with fewer half as many
    STREAM_SUMS = 16 << 10,    // bytes of the sums of several rows of A
    STREAM_LEAST = 8,          // vectors of a run, else it is none
    STREAM_WEIGHTS = 4 << 20,  // bytes of weights that are worth a program of their own
    PACKED_STREAMS = 4,        // vectors of weights in panels that one row of A is multiplied with at once
    PACKED_AHEAD = 4096,       // bytes of each asked for ahead
    NEAR_BYTES = 4096,         // from row to row of B: without a panel, pages of memory are met again and again beyond
    WIDENED_FEW = 16,          // rows that elements are widened for where they are used, not in a panel
    WIDENED_FEWER = 7,         // rows that fit a tile of as many: in seven eighths of the time of one of 8
    WIDENED_FEWEST = 4,        // rows for which memory is the limit, if no others are computed in vain
    PANEL_FEW = 32,            // rows that no other panel is copied for
    SQUARE_FEW = 16,           // the same, where there are as many columns as rows: 1.1 to 2.6 times as fast
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

// --- What is a contraction.

static int64_t extent_of(const tiling *t, loop_ref l) { return constant_extent(t->sch, l, INT64_MAX); }
static loop_ref columns_of(const tiling *t) { return t->loops.spatial[t->loops.spatials - 1]; }
static const expr *loop_var(const tiling *t, loop_ref l) { return schedule_loop_of(t->sch, l)->as.loop.var; }

// The next load that moves with the columns: of B, and of what B is made from.
static const expr *next_of_columns(const tiling *t, expr_walk *w) {
    const expr *var = loop_var(t, columns_of(t)), *load;
    do load = next_load(w, &t->shape);
    while (load && !load_uses(load, t->bl, var));
    return load;
}

// Rows share what moves with the columns alone, columns share what moves with the rows alone.
static bool shares(const tiling *t, loop_ref row) {
    bool across = false, along = false;
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = next_load(&w, &t->shape));) {
        bool r = load_uses(x, t->bl, loop_var(t, row)), c = load_uses(x, t->bl, loop_var(t, columns_of(t)));
        across |= c && !r;
        along |= r && !c;
    }
    return across && along;
}

// Dot products of bytes unpack the words they read: those stay in registers between rows, so one vector is a tile.
static bool has_dots(const tiling *t) {
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = expr_walk_next(&w));)
        if (x->op == EXPR_CALL && x->as.intrin->id == INTRIN_DP4A) return true;
    return false;
}

// Where each row has weights of its own, as with experts, only words are worth tiles of one.
static bool find_row(tiling *t) {
    for (uint32_t i = t->loops.spatials - 1; i-- > 0;)
        if (shares(t, t->loops.spatial[i])) {
            t->row = i;
            return true;
        }
    t->row = t->loops.spatials - 2;
    return t->alone = has_dots(t);
}

// Each variable of the block is a loop of its own, and those of the rows and columns are known.
static bool plain_bindings(tiling *t) {
    for (uint32_t i = 0; i < t->bl->iters; i++) {
        if (t->bl->iter[i].value->op != EXPR_VAR && !expr_is_int(t->bl->iter[i].dom.extent, 1)) return false;
        if (t->bl->iter[i].value == loop_var(t, t->loops.spatial[t->row])) t->row_iter = i;
    }
    return true;
}

// Of what moves with the columns: whether a load moves with them in front, with the reduction alone in its last index,
// by one element a step, and with nothing else.
static bool lies_along(const tiling *t, const expr *load, const expr *column, const expr *k) {
    linear at;
    const expr *last = load->in[load->count - 1], *own = NULL;
    for (uint32_t i = 0; i < t->bl->iters; i++)
        if (t->bl->iter[i].value == k) own = t->bl->iter[i].var;
    for (uint32_t i = 0; i + 1 < load->count; i++)
        if (index_uses(load->in[i], t->bl, k)) return false;
    return own && !index_uses(last, t->bl, column) && linear_in(t->sch, last, own, &at) && at.step == 1;
}

// W[column, k]: rows of weights, as linear layers keep them. Where there are several rows to multiply them with, a
// transposed copy of a panel pays: its vectors are the columns'.
static bool reads_apart(const tiling *t) {
    const expr *var = loop_var(t, columns_of(t)), *k = loop_var(t, t->loops.reduce[0]);
    int64_t n = extent_of(t, columns_of(t)), depth = extent_of(t, t->loops.reduce[0]);
    uint32_t lanes = lanes_for(t->arch, t->shape.out->type), found = 0;
    if (t->sch->rows || t->loops.reduces != 1 || depth == INT64_MAX || depth % lanes) return false;
    if (!index_uses(t->shape.written[t->shape.rank - 1], t->bl, var) || dtype_bits(t->shape.out->type) != 32)
        return false;
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = next_of_columns(t, &w));)
        if (!lies_along(t, x, var, k) || found++) return false;
    if (n == INT64_MAX) return found && extent_of(t, t->loops.spatial[t->row]) == INT64_MAX;
    return found && bytes_along(t->sch, t->bl, &t->shape, var) > WORTH_A_PANEL;
}

// W[column // 16, k, column % 16]: weights that were laid out ahead. The number of columns in a panel; 0: not so.
static int64_t panel_width(const tiling *t) {
    int64_t width = 0;
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = next_of_columns(t, &w));) {
        const expr *last = x->count ? x->in[x->count - 1] : NULL;
        if (width || !last || last->op != EXPR_FLOOR_MOD || !expr_const_int(last->in[1], &width)) return 0;
    }
    return width;
}

static bool is_contraction(tiling *t) {
    t->bl = schedule_block_of(t->sch, t->b);
    if (!t->bl || !block_understand(t->sch, t->bl, &t->shape)) return false;
    if (!t->shape.reduction || !t->bl->init || t->bl->where || t->bl->body != t->shape.store) return false;
    if (!sort_loops(t->sch, t->b, 0, &t->loops) || t->loops.spatials < 2 || !t->loops.reduces) return false;
    if (!find_row(t) || !plain_bindings(t)) return false;
    t->width = panel_width(t);
    t->grouped = t->sch->tiles_of && reads_buffer(t->sch, t->shape.store, t->sch->tiles_of);
    t->apart = reads_apart(t) && extent_of(t, t->loops.spatial[t->row]) >= TILE_ROWS;
    return t->apart || contiguous(t->sch, t->bl, &t->shape, columns_of(t));
}

// What the loop reads is asked for ahead of its use, as the processor does not beyond a page, nor where rows lie apart.
static bool ask_ahead(tiling *t, loop_ref l, int64_t bytes) {
    if (bytes < 1 || bytes > PREFETCH_MOST) return true;
    return schedule_prefetch(t->sch, l, bytes);
}

// --- Sizes of a tile.

// Vectors of a tile whose columns are padded: so that little is padded, and few loads feed many multiply-adds.
static int64_t padded_vectors(const tiling *t, int64_t n) {
    if (n == INT64_MAX) return TILE_VECTORS - 1; // little is padded where they are few
    int64_t best = 1, least = INT64_MAX;
    for (int64_t v = 1; v <= TILE_VECTORS; v++) {
        int64_t columns = v * t->lanes, rows = ((int64_t)t->arch->vector_registers - 1 - v) / v;
        if (rows > TILE_ROWS) rows = TILE_ROWS;
        int64_t cost = (n + columns - 1) / columns * columns * (v * rows + v + rows) * 1024 / (v * rows);
        if (cost < least) least = cost, best = v;
    }
    return best;
}

// Vectors of a run of B for so many rows of A, without a rest.
static int64_t run_vectors(const tiling *t, int64_t rows) {
    int64_t all = extent_of(t, columns_of(t)) / t->lanes, most = STREAM_VECTORS;
    if (rows > 1) most = STREAM_SUMS / (STREAM_TILE * t->arch->vector_bytes);
    int64_t run = all / 2 < most ? all / 2 : most; // two threads' work
    while (run > 1 && all % run) run--;
    return run;
}

static int64_t streamed_most(const tiling *t) { return t->arch->vector_registers >= 32 ? STREAM_FEW : STREAM_FEW / 2; }

// At most so many rows of A and rows of B far apart, 2048x2048: for one row 50 GB/s in place of 24, for 7 rows 74
// GFLOP/s in place of 30, for 32 rows 100 in place of 65 (bench/kernels.py). With fewer registers a panel pays sooner.
static bool streams(const tiling *t, int64_t rows) {
    int64_t k = extent_of(t, t->loops.reduce[0]), n = extent_of(t, columns_of(t));
    bool few = rows == 1 ||
               (rows > 1 && rows <= streamed_most(t) && n % t->lanes == 0 && run_vectors(t, rows) >= STREAM_LEAST);
    return few && !t->width && t->row_bytes >= FAR_BYTES && !has_dots(t) && t->loops.reduces == 1 && k != INT64_MAX &&
           k % STREAM_ROWS == 0;
}

// Vectors of a tile over panels: whole panels, or whole parts of one, so that each vector is in one.
static int64_t panel_vectors(const tiling *t, int64_t vectors) {
    int64_t of = t->width / t->lanes, most = t->few == 1 ? PACKED_STREAMS : TILE_VECTORS;
    if (of < 1 || of > most) return 1;
    int64_t best = most / of * of;
    return vectors > best ? best : vectors < of ? of : vectors / of * of;
}

// Lines of memory that a step of the outermost reduction reads of words.
static int64_t lines_of_words(const tiling *t) {
    int64_t lines = 0;
    map seen = MAP_IN(t->sch->mem);
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = next_of_columns(t, &w));) {
        if (x->type.kind == DTYPE_U32 && !map_has(&seen, MAP_KEY(x))) lines++;
        map_put(&seen, MAP_KEY(x), (void *)(uintptr_t)x);
    }
    for (uint32_t i = 1; i < t->loops.reduces; i++)
        if (!int_mul(lines, extent_of(t, t->loops.reduce[i]), &lines)) return INT64_MAX;
    return lines;
}

// Of how many rows the rule may rely on there being at most: those of the program that the run chooses for few, or as
// many as there are. 0: any number.
static int64_t few_rows(const tiling *t, int64_t rows) {
    if (t->sch->rows || rows == 1) return t->sch->rows ? t->sch->rows : 1;
    return (t->width && rows <= WIDENED_FEW) || streams(t, rows) ? rows : 0;
}

// Rows of a tile, at most so many: where their number is known, tiles are alike.
static int64_t even_rows(int64_t rows, int64_t most) {
    if (rows == INT64_MAX || rows < 1) return rows < 1 ? 1 : most;
    int64_t tiles = (rows + most - 1) / most;
    return (rows + tiles - 1) / tiles;
}

// Whether what moves with the columns alone is made of smaller elements.
static bool widens(const tiling *t) {
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = next_of_columns(t, &w));)
        if (dtype_bits(x->type) < dtype_bits(t->shape.out->type)) return true;
    return false;
}

static void choose_sizes(tiling *t) {
    int64_t n = extent_of(t, columns_of(t));
    int64_t m = extent_of(t, t->loops.spatial[t->row]);
    t->lanes = lanes_for(t->arch, t->shape.out->type);
    if (n == INT64_MAX || !int_mul(n, dtype_bits(t->shape.out->type) / 8, &t->row_bytes)) t->row_bytes = 0;
    t->few = t->alone ? 1 : few_rows(t, m);
    int64_t vectors = n == INT64_MAX ? INT64_MAX : (n + t->lanes - 1) / t->lanes;
    int64_t most = t->few == 1 ? t->arch->vector_registers / 2 : TILE_VECTORS; // one row: long runs of B
    t->vectors = vectors < most ? vectors : most;
    t->streamed = streams(t, t->few);
    t->streams_few = !t->few && !t->apart && streams(t, streamed_most(t));
    if (t->streamed) t->vectors = run_vectors(t, t->few);
    if (t->vectors < 1) t->vectors = 1; // no columns, or fewer than two vectors of them
    while (t->few == 1 && n != INT64_MAX && t->vectors > 1 && n % (t->vectors * t->lanes)) t->vectors--;
    if (t->streamed && t->few > 1) {
        t->rows = STREAM_TILE;
        return;
    }
    bool rest = n == INT64_MAX || n % (t->vectors * t->lanes);
    if (rest && n != INT64_MAX && n % (2 * t->lanes) == 0) t->vectors = 2; // no rest: half the code
    if (has_dots(t)) t->vectors = 1, t->lines = lines_of_words(t);
    if (t->apart) t->vectors = padded_vectors(t, n);
    if (t->width && !has_dots(t)) t->vectors = panel_vectors(t, vectors);
    t->widened = t->width && widens(t);
    // Accumulators, a vector each of B, and a broadcast stay in registers.
    t->rows = ((int64_t)t->arch->vector_registers - 1 - t->vectors) / t->vectors;
    t->rows = t->rows >= TILE_ROWS ? TILE_ROWS : t->rows >= 4 ? 4 : 1;
    t->rows = t->alone ? 1 : even_rows(m, t->rows);
    if (t->few && t->rows > t->few) t->rows = t->few;
}

// Whether the rows of B that a tile's vectors are in lie so far apart, and are so many, that copying them side by side
// for all tiles of rows pays: 1.6 times as fast on 512x2048x2048.
static bool wants_panel(const tiling *t, int64_t weights) {
    if (t->apart) return true;
    if (t->width) return t->widened && !t->few && t->rows > 1;
    int64_t n = extent_of(t, columns_of(t));
    bool far = n != INT64_MAX && n * dtype_bits(t->shape.out->type) / 8 >= FAR_BYTES;
    return !t->few && t->rows > 1 && far && weights > (int64_t)t->arch->l2_bytes && t->loops.reduces == 1 &&
           !has_dots(t);
}

// Whether a load that moves with the columns uses the block's variable.
static bool panel_uses(const tiling *t, const expr *var) {
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = next_of_columns(t, &w));)
        for (uint32_t i = 0; i < x->count; i++)
            if (expr_uses_var(x->in[i], var)) return true;
    return false;
}

// B as a block of its own, in front: over what a batch shares, k, and the columns.
static void outline_panel(tiling *t) {
    const expr *column = loop_var(t, columns_of(t)), *k = loop_var(t, t->loops.reduce[0]);
    uint32_t *iters = ARENA_NEW(t->sch->mem, uint32_t, t->bl->iters + 2), count = 0, last[2] = {UINT32_MAX, UINT32_MAX};
    for (uint32_t i = 0; i < t->bl->iters; i++) {
        if (t->bl->iter[i].value == k)
            last[0] = i;
        else if (t->bl->iter[i].value == column)
            last[1] = i;
        else if (panel_uses(t, t->bl->iter[i].var))
            iters[count++] = i;
    }
    iters[count++] = last[0];
    iters[count++] = last[1];
    t->panel = schedule_outline(t->sch, t->b, iters, count);
}

// The panel's loops over k and columns: squares of vectors, read along k and written along the columns.
static bool transpose_panel(tiling *t, const loop_ref *own) {
    schedule *sch = t->sch;
    loop_ref k[2], column[2];
    const int64_t by[] = {0, t->lanes};
    if (!schedule_split(sch, own[0], by, 2, k) || !schedule_split(sch, own[1], by, 2, column)) return false;
    const loop_ref order[] = {column[0], k[0], k[1], column[1]};
    return schedule_reorder(sch, order, 4) && schedule_tensorize(sch, k[1], "transpose") &&
           ask_ahead(t, k[0], PANEL_AHEAD);
}

// The panel of a tile's columns is copied before the rows meet it.
static bool copy_panel(tiling *t) {
    loop_ref own[LOOPS_MOST], part[2], last = t->outer[t->outers - 1];
    const int64_t by[] = {0, t->lanes};
    if (!t->panel.id) return true;
    if (!schedule_compute_at(t->sch, t->panel, last)) return false;
    uint32_t count = loops_below(t->sch, t->panel, last, own);
    if (t->apart) return count >= 2 && transpose_panel(t, own + count - 2);
    return count && schedule_split(t->sch, own[count - 1], by, 2, part) && schedule_unroll(t->sch, part[0]) &&
           schedule_vectorize(t->sch, part[1]) &&
           ask_ahead(t, own[0], t->width ? PACKED_AHEAD : COPY_AHEAD * t->row_bytes);
}

// --- What follows.

// Finds the block that takes the tile on: the copy to where the result goes, or the only consumer in its place.
static bool find_after(tiling *t) {
    schedule *sch = t->sch;
    block_ref reader[2];
    block_shape shape;
    t->after = schedule_cache_write(sch, t->b, 0, "local");
    if (!t->after.id) return false;
    if (t->grouped) return true; // who reads tiles reads them in another order
    schedule_checkpoint(sch);
    bool taken = schedule_compute_inline(sch, t->after) && schedule_consumers(sch, t->b, reader, 2) == 1 &&
                 block_understand(sch, schedule_block_of(sch, reader[0]), &shape) && !shape.reduction;
    if (!taken) {
        schedule_rollback(sch);
        return true;
    }
    schedule_commit(sch);
    t->after = reader[0];
    return true;
}

// --- The nest.

// The row loop as tiles and what is in one: rows, or groups of them.
static bool cut_rows(tiling *t, loop_ref rows[2]) {
    loop_ref all = t->loops.spatial[t->row], part[2];
    int64_t each = t->streamed && t->rows > 1 ? STREAM_SHARE : 1;
    const int64_t by_share[] = {0, each}, by_rows[] = {0, t->rows / each};
    if (each > 1 && !schedule_split(t->sch, all, by_share, 2, part)) return false;
    if (each > 1) all = part[0], t->share = part[1];
    return schedule_split(t->sch, all, by_rows, 2, rows);
}

static bool cut(tiling *t) {
    schedule *sch = t->sch;
    loop_ref part[3], order[2 * LOOPS_MOST];
    uint32_t n = 0, column = t->loops.spatials - 1;
    const int64_t by_columns[] = {0, t->vectors, t->lanes};
    loop_ref rows[2];
    if (!cut_rows(t, rows)) return false;
    if (!schedule_split(sch, t->loops.spatial[column], by_columns, 3, part)) return false;
    if (t->grouped) order[n++] = part[0];
    for (uint32_t i = 0; i < column; i++)
        if (i != t->row) order[n++] = t->loops.spatial[i];
    if (t->alone) order[n++] = rows[0]; // weights in their order
    if (!t->grouped) order[n++] = part[0];
    if (t->panel.id || t->grouped) t->outers = n; // all rows meet the panel where it was copied
    if (!t->alone) order[n++] = rows[0];
    if (!t->panel.id && !t->grouped) t->outers = n;
    for (uint32_t i = 0; i < t->outers; i++) t->outer[i] = order[i];
    t->tile = t->alone ? part[0] : rows[0];
    t->inner[0] = order[n++] = rows[1];
    if (t->share.id) order[n++] = t->share;
    t->inner[1] = order[n++] = part[1];
    t->inner[2] = order[n++] = part[2];
    for (uint32_t i = 0; i < t->loops.reduces; i++) order[n++] = t->loops.reduce[i];
    return schedule_reorder(sch, order, n);
}

// Few rows of A: several rows of B are read side by side, in long runs, and added to sums in the first-level cache;
// some rows of A share what is read, and those that are there to make a whole tile are not computed.
static bool stream_rows(tiling *t) {
    schedule *sch = t->sch;
    loop_ref k[2], own[LOOPS_MOST], order[6];
    int64_t together = t->few == 1 ? STREAM_ROWS : STREAM_ROWS / 2;
    const int64_t by[] = {0, together};
    uint32_t n = 0;
    if (!schedule_split(sch, t->loops.reduce[0], by, 2, k)) return false;
    order[n++] = k[0];
    order[n++] = t->inner[0];
    order[n++] = t->inner[1];
    if (t->share.id) order[n++] = t->share;
    order[n++] = k[1];
    order[n++] = t->inner[2];
    if (!schedule_reorder(sch, order, n)) return false;
    block_ref start = schedule_decompose_reduction(sch, t->b, k[0]);
    if (!start.id || !schedule_unroll(sch, k[1]) || !schedule_vectorize(sch, t->inner[2])) return false;
    if (t->share.id && !schedule_unroll(sch, t->share)) return false;
    uint32_t count = loops_below(sch, start, t->tile, own);
    return count && schedule_vectorize(sch, own[count - 1]) && ask_ahead(t, k[0], together * t->row_bytes) &&
           (!t->share.id || schedule_annotate_loop(sch, k[0], "sums_stored", attr_int(sch->mem, 1)));
}

// Reductions outside, then the tile's rows, vectors, lanes; the sum starts before the reductions.
static bool accumulate(tiling *t, block_ref b, const loop_ref *outside, uint32_t outsides, const loop_ref *inner,
                       uint32_t inners, const loop_ref *reduce) {
    schedule *sch = t->sch;
    loop_ref order[2 * LOOPS_MOST], own[LOOPS_MOST];
    uint32_t n = 0;
    for (uint32_t i = 0; i < outsides; i++) order[n++] = outside[i];
    for (uint32_t i = 0; i < t->loops.reduces; i++) order[n++] = reduce[i];
    for (uint32_t i = 0; i < inners; i++) order[n++] = inner[i];
    if (!schedule_reorder(sch, order, n)) return false;
    block_ref start = schedule_decompose_reduction(sch, b, reduce[0]);
    if (!start.id || !vectorize_all(sch, inner, inners)) return false;
    uint32_t count = loops_below(sch, start, outsides ? outside[outsides - 1] : t->tile, own);
    return vectorize_all(sch, own, count);
}

// The guarded copy: vector by vector, each for all rows.
static bool accumulate_tail(tiling *t, block_ref b) {
    loop_ref l[LOOPS_MOST];
    uint32_t count = loops_below(t->sch, b, t->tile, l);
    if (count != 3 + t->loops.reduces) return false;
    const loop_ref outside[] = {l[1]}, inner[] = {l[0], l[2]};
    return accumulate(t, b, outside, 1, inner, 2, l + 3);
}

// The block that takes the tile on: its last loop in vectors.
static bool finish(tiling *t, block_ref b) {
    loop_ref l[LOOPS_MOST], part[2];
    uint32_t count = loops_below(t->sch, b, t->tile, l);
    const int64_t by_lanes[] = {0, t->lanes};
    int64_t n;
    if (!count) return true;
    loop_ref last = l[count - 1];
    if (!expr_const_int(schedule_loop_of(t->sch, last)->as.loop.extent, &n)) return true;
    if (n != t->lanes) {
        if (!schedule_split(t->sch, last, by_lanes, 2, part)) return false;
        last = part[1];
    }
    schedule_vectorize(t->sch, last); // where its reads allow
    return true;
}

// Columns of a transposed panel run on to a full tile.
static bool pad_columns(tiling *t) {
    const expr *var = loop_var(t, columns_of(t));
    int64_t n = extent_of(t, columns_of(t));
    if (n != INT64_MAX && n % (t->vectors * t->lanes) == 0) return true;
    for (uint32_t i = 0; i < t->bl->iters; i++)
        if (t->bl->iter[i].value == var) return schedule_pad(t->sch, t->b, i, t->vectors * t->lanes);
    return false;
}

// Pieces of a block whose scales come from one place: written out, so that where their bits are is known. So is what
// takes the tile on: places in it are numbers everywhere then, which makes it registers however long the body is.
static void unroll_pieces(tiling *t) {
    loop_ref own[LOOPS_MOST];
    bool any = false;
    for (uint32_t i = 1; i < t->loops.reduces && has_dots(t); i++)
        if (extent_of(t, t->loops.reduce[i]) <= PIECES_MOST) any = schedule_unroll(t->sch, t->loops.reduce[i]) || any;
    uint32_t count = any ? loops_below(t->sch, t->after, t->tile, own) : 0;
    for (uint32_t i = 0; i + 1 < count; i++)
        if (extent_of(t, own[i]) <= TILE_ROWS) schedule_unroll(t->sch, own[i]);
}

// How far ahead words are asked for; 0: not. Steps of many lines are read as the processor expects, and asking for them
// stalls: from memory Q4_0, Q4_1 and Q4_K 97 to 103 % of a plain read without, 85 to 93 with it.
static int64_t words_ahead(const tiling *t) {
    bool long_step = t->lines >= BLOCK_LINES;
    for (uint32_t i = 1; i < t->loops.reduces; i++) long_step = long_step || extent_of(t, t->loops.reduce[i]) > 1;
    return long_step ? 0 : t->lines > PIECE_LINES ? LONG_PIECE_AHEAD : PIECE_AHEAD;
}

// One row of A meets words that it reads once: they need not stay beyond the first-level cache.
static bool ask_for_words(tiling *t) {
    int64_t ahead = t->rows == 1 && has_dots(t) ? words_ahead(t) : 0;
    return !ahead || (ask_ahead(t, t->loops.reduce[0], ahead) &&
                      schedule_annotate_loop(t->sch, t->loops.reduce[0], "prefetch_once", attr_int(t->sch->mem, 1)));
}

// The constant that some load's index divides the reduction by, where that leaves no rest: heads that lie apart. 0:
// none.
static int64_t reduced_in_parts(const tiling *t) {
    const expr *k = loop_var(t, t->loops.reduce[0]);
    int64_t depth = extent_of(t, t->loops.reduce[0]), part = 0, n;
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = expr_walk_next(&w));) {
        if (x->op != EXPR_FLOOR_DIV || !index_uses(x, t->bl, k)) continue;
        if (part || !expr_const_int(x->in[1], &n) || n < 2 || depth == INT64_MAX || depth % n) return 0;
        part = n;
    }
    return part;
}

// Such a reduction becomes two loops: where the elements of a part are is known then without a division.
static bool cut_reduction(tiling *t) {
    int64_t part = t->loops.reduces == 1 && !t->panel.id && !has_dots(t) && !t->streamed ? reduced_in_parts(t) : 0;
    const int64_t by[] = {0, part};
    if (!part) return true;
    t->loops.reduces = 2;
    return schedule_split(t->sch, t->loops.reduce[0], by, 2, t->loops.reduce);
}

// One row of A: pieces of a few lines of words are written out together, as many lines as a block has. Then the
// processor asks for what lies ahead without being told, and one piece's dots fill the waits of another's.
static bool cut_pieces(tiling *t) {
    int64_t pieces = 1, depth = extent_of(t, t->loops.reduce[0]);
    if (t->rows > 1 || !has_dots(t) || t->lines < 1 || t->lines > FEW_LINES || t->loops.reduces == LOOPS_MOST)
        return true;
    while (2 * pieces * t->lines <= STEP_LINES && depth % (2 * pieces) == 0) pieces *= 2;
    const int64_t by[] = {0, pieces};
    if (pieces == 1 || depth == INT64_MAX) return true;
    loop_ref part[2];
    if (!schedule_split(t->sch, t->loops.reduce[0], by, 2, part)) return false;
    for (uint32_t i = t->loops.reduces++; i > 1; i--) t->loops.reduce[i] = t->loops.reduce[i - 1];
    t->loops.reduce[0] = part[0];
    t->loops.reduce[1] = part[1];
    t->lines *= pieces;
    return true;
}

static bool apply(tiling *t, int64_t weights) {
    schedule *sch = t->sch;
    block_ref tail[2];
    if (wants_panel(t, weights) && !t->apart) outline_panel(t);
    if (!find_after(t)) return false;
    if (t->apart) {
        if (!pad_columns(t)) return false;
        outline_panel(t);
        if (!t->panel.id) return false;
    }
    if (t->rows > 1 && !schedule_pad(sch, t->b, t->row_iter, t->rows)) return false;
    if (!cut_reduction(t) || !cut_pieces(t)) return false;
    if (!cut(t) || !schedule_reverse_compute_at(sch, t->after, t->tile) || !copy_panel(t)) return false;
    uint32_t tails = t->streamed ? 0 : schedule_peel(sch, t->tile, t->b, tail, 2);
    if (t->streamed ? !stream_rows(t) : !accumulate(t, t->b, NULL, 0, t->inner, 3, t->loops.reduce)) return false;
    // The words of a whole block of weights are more than registers hold, the more so for several rows: one unit after
    // the other.
    if (has_dots(t) && t->lines >= BLOCK_LINES && !schedule_unfold(sch, t->b, t->inner[0])) return false;
    if (!finish(t, t->after)) return false;
    if (tails == 2 && (!accumulate_tail(t, tail[0]) || !finish(t, tail[1]))) return false;
    unroll_pieces(t);
    if (!ask_for_words(t)) return false;
    if (t->width && !t->panel.id && !has_dots(t) && !ask_ahead(t, t->loops.reduce[t->loops.reduces - 1], PACKED_AHEAD))
        return false;
    bool far = t->few > 1 && !t->streamed && !t->width && t->row_bytes >= FAR_BYTES && !has_dots(t);
    if (far && !ask_ahead(t, t->loops.reduce[t->loops.reduces - 1], COPY_AHEAD * t->row_bytes)) return false;
    if (!schedule_compact(sch, t->tile) || !schedule_compact(sch, t->outer[t->outers - 1])) return false;
    if (t->share.id) schedule_shorten(sch, t->inner[0]); // where tiles may have fewer rows
    if (t->grouped && !schedule_skip(sch, t->outer[t->outers - 1])) return false;
    return parallel_together(sch, t->outer, t->outers);
}

// How many rows have a tile of their own, which computes no others; 0: none, where registers hold no more anyway.
static int64_t fewer_widened(const tiling *t) {
    int64_t fewer = t->sch->rows == WIDENED_FEW ? WIDENED_FEWER : WIDENED_FEWEST;
    return t->rows > fewer ? fewer : 0;
}

// For how many rows a program without the panel is faster: 1.1 to 1.9 times, 1024x1024 and W[n, k] of 2048x2048.
static int64_t panel_pays_beyond(const tiling *t, int64_t weights) {
    if (t->widened && t->sch->rows > 1) return fewer_widened(t);
    if (!t->panel.id) return 0;
    if (t->width) return WIDENED_FEW;
    if (t->square) return -SQUARE_FEW; // a third program is as long to compile as the two
    if (!t->row_bytes) return 0;       // any number of columns: few then, too, maybe
    if (t->streams_few && (t->row_bytes <= NEAR_BYTES || weights >= STREAM_WEIGHTS)) return streamed_most(t);
    return t->apart || t->row_bytes <= NEAR_BYTES ? PANEL_FEW : 0;
}

bool tile_contraction(schedule *sch, const arch *a, block_ref b) {
    tiling t = {.sch = sch, .arch = a, .b = b};
    if (!is_contraction(&t)) return false;
    choose_sizes(&t);
    const expr *rows = schedule_loop_of(sch, t.loops.spatial[t.row])->as.loop.extent;
    int64_t weights = t.rows > 1 ? bytes_along(sch, t.bl, &t.shape, loop_var(&t, columns_of(&t))) : 0;
    if (t.apart && !weights) weights = 2 * WORTH_A_PANEL; // any number of columns
    t.square = schedule_loop_of(sch, columns_of(&t))->as.loop.extent == rows;
    schedule_checkpoint(sch);
    if (!apply(&t, weights)) {
        schedule_rollback(sch);
        return false;
    }
    schedule_commit(sch);
    // Dots in vain cost more than weights in memory.
    int64_t few = has_dots(&t) && t.rows > DOT_FEW ? DOT_FEW : panel_pays_beyond(&t, weights);
    note_rows(sch, rows, has_dots(&t) ? 8 * weights : weights, few);
    return true;
}

// With fewer rows than this for each of the experts few of them meet in one: each is a tile of its own.
static int64_t few_of(int64_t experts, int64_t each) {
    int64_t few = experts / (2 * each);
    return few < 1 ? 1 : few > STREAM_FEW ? STREAM_FEW : few;
}

// How many rows there are for each step of the loop whose extent only the run tells, *many; NULL: in all. 0: two tell.
static int64_t rows_each(const tiling *t, const expr **many) {
    int64_t each = 1;
    *many = NULL;
    for (uint32_t i = 0; i + 1 < t->loops.spatials; i++) {
        int64_t n = extent_of(t, t->loops.spatial[i]);
        if (n == INT64_MAX && *many) return 0;
        if (n == INT64_MAX)
            *many = schedule_loop_of(t->sch, t->loops.spatial[i])->as.loop.extent;
        else if (!int_mul(each, n, &each) || !each || each > 1 << 16)
            return 0;
    }
    return each;
}

bool tile_grouped(schedule *sch, const arch *a, block_ref b) {
    tiling t = {.sch = sch, .arch = a, .b = b};
    const expr *many;
    int64_t experts = 0, each;
    if (sch->rows || !is_contraction(&t) || !t.alone || !(each = rows_each(&t, &many))) return false;
    int64_t weights = bytes_along(sch, t.bl, &t.shape, loop_var(&t, columns_of(&t)));
    schedule_checkpoint(sch);
    block_ref tiles = schedule_group(sch, b, TILE_ROWS, &experts);
    bool worth = tiles.id && (many || each > few_of(experts, 1));
    if (!worth || !tile_contraction(sch, a, tiles)) {
        schedule_rollback(sch);
        return false;
    }
    schedule_commit(sch);
    schedule_compute_inline(sch, b);
    if (many) note_rows(sch, many, weights, -few_of(experts, each));
    return true;
}
