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
#include "schedule/tile.h"
#include "base/size.h"

enum {
    PIECE_AHEAD = 4096,     // bytes of words asked for ahead for one row, where a step reads a piece of a weight,
    LONG_PIECE_AHEAD = 512, // where that has more lines than
    PIECE_LINES = 4,
    BLOCK_LINES = 12, // with so many, the processor's own requests do better
    FEW_LINES = 6,    // pieces of so many are taken together, in steps of at most
    STEP_LINES = 32,
    PIECES_MOST = 8,
    DOT_FEW = 4,
    WORDS_AHEAD = 12288,      // bytes of words asked for ahead for several rows: four blocks
    PANEL_AHEAD = 256,        // bytes of each row asked for ahead while a panel is transposed
    COPY_AHEAD = 16,          // rows asked for ahead while a panel is copied
    STREAM_SHARE = 4,         // rows of A that share what is read of them
    STREAM_WEIGHTS = 4 << 20, // bytes of weights that are worth a program of their own
    PACKED_AHEAD = 4096,      // bytes of each asked for ahead
    NEAR_BYTES = 4096,        // from row to row of B: without a panel, pages of memory are met again and again beyond
    WIDENED_FEWER = 7,        // rows that fit a tile of as many: in seven eighths of the time of one of 8
    WIDENED_FEWEST = 4,       // rows for which memory is the limit, if no others are computed in vain
    PANEL_FEW = 32,           // rows that no other panel is copied for
    SQUARE_FEW = 16,          // the same, where there are as many columns as rows: 1.1 to 2.6 times as fast
};

// What the loop reads is asked for ahead of its use, as the processor does not beyond a page, nor where rows lie apart.
static bool ask_ahead(tiling *t, loop_ref l, int64_t bytes) {
    if (bytes < 1 || bytes > PREFETCH_MOST) return true;
    return schedule_prefetch(t->sch, l, bytes);
}

// Whether the rows of B that a tile's vectors are in lie so far apart, and are so many, that copying them side by side
// for all tiles of rows pays: 1.6 times as fast on 512x2048x2048.
static bool wants_panel(const tiling *t, int64_t weights) {
    if (t->apart) return true;
    if (t->width) return t->widened && !t->few && t->rows > 1;
    int64_t n = extent_of(t, columns_of(t));
    bool far = n != INT64_MAX && n * dtype_bits(t->shape.out->type) / 8 >= FAR_BYTES;
    return !t->few && t->rows > 1 && far && weights > (int64_t)t->arch->l2_bytes && t->loops.reduces == 1 &&
           !tiling_has_dots(t);
}

// Whether a load that moves with the columns uses the block's variable.
static bool panel_uses(const tiling *t, const expr *var) {
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = tiling_next_load(t, &w));)
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
    for (uint32_t i = 1; i < t->loops.reduces && tiling_has_dots(t); i++)
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

// One row of A meets words that it reads once: they need not stay beyond the first-level cache. Several rows meet them
// in another order than they lie in, which the processor does not expect: 4, 16 rows, 64 MB of Q6_K 84, 160 GOP/s
// without asking, 240, 265 with it; of Q4_0 230, 282 and 339, 346 (bench_quantized).
static bool ask_for_words(tiling *t) {
    if (t->rows > 1 && tiling_has_dots(t)) return ask_ahead(t, t->loops.reduce[0], WORDS_AHEAD);
    int64_t ahead = tiling_has_dots(t) ? words_ahead(t) : 0;
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
    int64_t part =
        t->loops.reduces == 1 && !t->panel.id && !tiling_has_dots(t) && !t->streamed ? reduced_in_parts(t) : 0;
    const int64_t by[] = {0, part};
    if (!part) return true;
    t->loops.reduces = 2;
    return schedule_split(t->sch, t->loops.reduce[0], by, 2, t->loops.reduce);
}

// One row of A: pieces of a few lines of words are written out together, as many lines as a block has. Then the
// processor asks for what lies ahead without being told, and one piece's dots fill the waits of another's.
static bool cut_pieces(tiling *t) {
    int64_t pieces = 1, depth = extent_of(t, t->loops.reduce[0]);
    if (t->rows > 1 || !tiling_has_dots(t) || t->lines < 1 || t->lines > FEW_LINES || t->loops.reduces == LOOPS_MOST)
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
    if (tiling_has_dots(t) && t->lines >= BLOCK_LINES && !schedule_unfold(sch, t->b, t->inner[0])) return false;
    if (!finish(t, t->after)) return false;
    if (tails == 2 && (!accumulate_tail(t, tail[0]) || !finish(t, tail[1]))) return false;
    unroll_pieces(t);
    if (!ask_for_words(t)) return false;
    // Panels of halves are four streams for one row, which the processor keeps up with: 256 MB at 97 % of a plain read,
    // 79 where they are asked for, too (bench_quantized f16).
    bool asked = t->width && !t->panel.id && !tiling_has_dots(t) && !(t->few == 1 && t->widened);
    if (asked && !ask_ahead(t, t->loops.reduce[t->loops.reduces - 1], PACKED_AHEAD)) return false;
    bool far = t->few > 1 && !t->streamed && !t->width && t->row_bytes >= FAR_BYTES && !tiling_has_dots(t);
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
    if (t->streams_few && (t->row_bytes <= NEAR_BYTES || weights >= STREAM_WEIGHTS)) return tiling_streamed_most(t);
    return t->apart || t->row_bytes <= NEAR_BYTES ? PANEL_FEW : 0;
}

bool tile_contraction(schedule *sch, const arch *a, block_ref b) {
    tiling t = {.sch = sch, .arch = a, .b = b};
    if (!tiling_fits(&t)) return false;
    tiling_choose_sizes(&t);
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
    int64_t few = tiling_has_dots(&t) && t.rows > DOT_FEW ? DOT_FEW : panel_pays_beyond(&t, weights);
    note_rows(sch, rows, tiling_has_dots(&t) ? 8 * weights : weights, few);
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
    if (sch->rows || !tiling_fits(&t) || !t.alone || !(each = rows_each(&t, &many))) return false;
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
    if (many) note_few_rows(sch, many, weights, few_of(experts, each));
    return true;
}
