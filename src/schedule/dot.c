// dot.c - contractions along what lies side by side in memory: rows of A times rows of B, and sums of rows.
//
//   for i, j, k: C[i, j] += A[i, k] * B[j, k]
//   ->
//   for panel of B's rows (parallel): for 6 rows of A (the last ones computed again): for 4 rows of the panel:
//       for k0: for i, j of the tile (unrolled): for k1 (lanes): c[i, j, k1] += A[i, k0 * 16 + k1] * B[j, k0 * 16 + k1]
//       for i, j of the tile: C[i, j] = the sum of c[i, j]'s lanes, and what follows C is computed there too
//
// Nothing is transposed: a tile of 6 x 4 reads 10 vectors for 24 multiply-adds, and a panel stays in the second-level
// cache. What B's elements are decoded from may be blocks of bytes: k is cut into such blocks, inside of which indices
// are plain sums. Where A has several rows the panel is decoded once.
#include "schedule/rules.h"

enum { DOT_COLUMNS = 4, DOT_ROWS = 8 };

typedef struct dotting {
    schedule *sch;
    const arch *arch;
    block_ref b, parts; // the contraction, and its partial sums
    const block *bl;    // as it was at first
    block_shape shape;
    nest_loops loops;
    bool has_row;
    uint32_t row;          // index into loops.spatial; the last one is the columns
    int64_t rows, columns; // of a tile
    int64_t lanes, block;  // along k: of a vector, of what is decoded at once
    int64_t ahead;         // bytes from the rows of B of a tile to those of the next, where that is known
    int64_t panel;         // tiles of columns whose rows of B fit the cache
    loop_ref outer[LOOPS_MOST], tile, inner[3];
    uint32_t outers;
    block_ref decoded; // the panel, decoded; id 0: as it is
    loop_ref k[3];     // over blocks, over the vectors of one (id 0: it has one), over lanes
} dotting;

static const expr *loop_var(const dotting *t, loop_ref l) { return schedule_loop_of(t->sch, l)->as.loop.var; }

static int64_t extent_of(const dotting *t, loop_ref l) { return constant_extent(t->sch, l, 0); }

// --- What is such a contraction.

// The largest constant that an expression of k is divided by: elements are decoded in blocks of so many. 0: unknown.
static int64_t block_of(const dotting *t, const expr *k) {
    int64_t most = 1, n;
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = expr_walk_next(&w));) {
        if ((x->op != EXPR_FLOOR_DIV && x->op != EXPR_FLOOR_MOD) || !index_uses(x, t->bl, k)) continue;
        if (!expr_const_int(x->in[1], &n) || n < 1 || (n > most ? n % most : most % n)) return 0;
        if (n > most) most = n;
    }
    return most;
}

static bool reads_rows(dotting *t) {
    loop_ref k = t->loops.reduce[t->loops.reduces - 1];
    t->block = block_of(t, loop_var(t, k));
    return t->block > 0 && loads_along(t->sch, t->bl, &t->shape, k);
}

// What the loads of the contraction move with: the column alone, the row alone, …
typedef struct sharing {
    bool column, row, neither;
} sharing;

static sharing shared_by(const dotting *t, const expr *row) {
    const expr *column = loop_var(t, t->loops.spatial[t->loops.spatials - 1]);
    sharing s = {0};
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = next_load(&w, &t->shape));) {
        bool r = row && load_uses(x, t->bl, row), c = load_uses(x, t->bl, column);
        s.column |= c && !r;
        s.row |= r && !c;
        s.neither |= !r && !c;
    }
    return s;
}

// A spatial loop whose rows share what the columns load; or columns alone, which share a vector.
static bool find_row(dotting *t) {
    for (uint32_t i = t->loops.spatials - 1; i-- > 0 && !t->has_row;) {
        sharing s = shared_by(t, loop_var(t, t->loops.spatial[i]));
        t->has_row = s.column && s.row;
        t->row = i;
    }
    sharing s = shared_by(t, NULL);
    return t->has_row || (s.column && s.neither);
}

static bool is_dot(dotting *t) {
    t->bl = schedule_block_of(t->sch, t->b);
    if (!t->bl || !block_understand(t->sch, t->bl, &t->shape)) return false;
    if (!t->shape.reduction || !t->bl->init || t->bl->where || t->bl->body != t->shape.store) return false;
    if (t->shape.store->as.store.value->op != EXPR_ADD || dtype_bits(t->shape.out->type) < 32) return false;
    if (!sort_loops(t->sch, t->b, 0, &t->loops) || !t->loops.spatials || !t->loops.reduces) return false;
    for (uint32_t i = 0; i < t->bl->iters; i++)
        if (t->bl->iter[i].value->op != EXPR_VAR && !expr_is_int(t->bl->iter[i].dom.extent, 1)) return false;
    return reads_rows(t) && find_row(t);
}

// --- Sizes.

// The largest of 4, 2, 1 that divides the columns; where rows are padded, so are columns.
static int64_t columns_of(const dotting *t, int64_t n) {
    for (int64_t c = DOT_COLUMNS; c > 1; c /= 2)
        if (n && n % c == 0) return c;
    return n && n < DOT_COLUMNS ? n : t->has_row ? DOT_COLUMNS : 1;
}

// Whether what the columns load takes work to decode.
static bool is_encoded(const dotting *t) {
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = expr_walk_next(&w));)
        if (x->op == EXPR_CALL && x->as.intrin->id == INTRIN_REINTERPRET) return true;
    return t->block > t->lanes;
}

// So many tiles of columns that their rows of B take half of the second-level cache; a divisor of all, so that no panel
// is a part.
static int64_t panel_of(const dotting *t, int64_t n, int64_t k) {
    int64_t bytes = t->columns * k * 4, room = (int64_t)t->arch->l2_bytes / 2, tiles = n / t->columns;
    int64_t most = bytes && bytes < room ? room / bytes : 1; // no bytes: the extent is not known
    if (!n || n % t->columns) return 1;
    if (most * 8 > tiles) most = tiles / 8 ? tiles / 8 : 1; // work for several threads
    while (tiles % most) most--;
    return most;
}

// Accumulators, a vector each of B, and one of A stay in registers.
static int64_t rows_beside(const dotting *t, int64_t columns) {
    int64_t rows = ((int64_t)t->arch->vector_registers - 2 - columns) / columns;
    return rows < DOT_ROWS ? rows : DOT_ROWS;
}

static bool choose_sizes(dotting *t, int64_t most_rows) {
    int64_t k = extent_of(t, t->loops.reduce[t->loops.reduces - 1]);
    int64_t n = extent_of(t, t->loops.spatial[t->loops.spatials - 1]);
    int64_t m = t->has_row ? extent_of(t, t->loops.spatial[t->row]) : 1;
    t->lanes = lanes_for(t->arch, t->shape.out->type);
    if (t->block > 1 && t->block % t->lanes) return false;
    if (t->block < t->lanes) t->block = t->lanes;
    t->columns = columns_of(t, n);
    t->rows = rows_beside(t, t->columns);
    // Few rows meet the weights once: a narrower tile has them all.
    while (t->has_row && most_rows && most_rows <= DOT_ROWS && t->columns > 1 && t->rows < most_rows)
        t->rows = rows_beside(t, t->columns /= 2);
    if (most_rows && t->rows > most_rows) t->rows = most_rows;
    if (!t->has_row) t->rows = 1;
    if (m && m < t->rows) t->rows = m;
    t->panel = panel_of(t, n, k);
    return t->lanes > 1 && k && k % t->block == 0;
}

// --- The nest.

static bool split_k(dotting *t) {
    schedule *sch = t->sch;
    loop_ref k = t->loops.reduce[t->loops.reduces - 1];
    const int64_t by[] = {0, t->block / t->lanes, t->lanes}, plain[] = {0, t->lanes};
    if (t->block > t->lanes) {
        if (!schedule_split(sch, k, by, 3, t->k)) return false;
    } else {
        if (!schedule_split(sch, k, plain, 2, t->k)) return false;
        t->k[2] = t->k[1];
        t->k[1] = (loop_ref){0};
    }
    t->parts = schedule_rfactor(sch, t->b, t->k[2], -1, (loop_ref){0});
    return t->parts.id != 0;
}

// Makes the partial sums' loop over a spatial variable run on to a multiple.
static bool pad(dotting *t, loop_ref l, int64_t factor) {
    int64_t n = extent_of(t, l);
    const block *b = schedule_block_of(t->sch, t->parts);
    if (factor == 1 || (n && n % factor == 0)) return true;
    for (uint32_t i = 0; i < b->iters; i++)
        if (b->iter[i].value == loop_var(t, l)) return schedule_pad(t->sch, t->parts, i, factor);
    return false;
}

static bool cut(dotting *t) {
    schedule *sch = t->sch;
    loop_ref part[3], order[2 * LOOPS_MOST], column = t->loops.spatial[t->loops.spatials - 1];
    const int64_t by_rows[] = {0, t->rows}, by_columns[] = {0, t->panel, t->columns};
    uint32_t n = 0, inners = 0;
    loop_ref row[2] = {{0}, {0}};
    if (t->has_row && !pad(t, t->loops.spatial[t->row], t->rows)) return false;
    if (!pad(t, column, t->columns) || !schedule_split(sch, column, by_columns, 3, part)) return false;
    if (t->has_row && !schedule_split(sch, t->loops.spatial[t->row], by_rows, 2, row)) return false;
    for (uint32_t i = 0; i + 1 < t->loops.spatials; i++)
        if (!t->has_row || i != t->row) order[n++] = t->loops.spatial[i];
    order[n++] = part[0];
    if (t->decoded.id) t->outers = n;
    if (t->has_row) order[n++] = row[0];
    if (!t->decoded.id) t->outers = n;
    for (uint32_t i = 0; i < t->outers; i++) t->outer[i] = order[i];
    t->tile = order[n++] = part[1];
    for (uint32_t i = 0; i + 1 < t->loops.reduces; i++) order[n++] = t->loops.reduce[i];
    order[n++] = t->k[0];
    if (t->k[1].id) order[n++] = t->k[1];
    if (t->has_row) t->inner[inners++] = order[n++] = row[1];
    t->inner[inners++] = order[n++] = part[2];
    t->inner[inners++] = order[n++] = t->k[2];
    return schedule_reorder(sch, order, n);
}

// The panel is decoded before its rows are met, in vectors along k.
static bool decode_panel(dotting *t) {
    loop_ref own[LOOPS_MOST], part[3], last = t->outer[t->outers - 1];
    const int64_t by[] = {0, t->block / t->lanes, t->lanes};
    if (!t->decoded.id) return true;
    if (!schedule_compute_at(t->sch, t->decoded, last)) return false;
    uint32_t count = loops_below(t->sch, t->decoded, last, own);
    return count && schedule_split(t->sch, own[count - 1], by, 3, part) && schedule_unroll(t->sch, part[1]) &&
           schedule_vectorize(t->sch, part[2]);
}

// What the columns alone are made of, as a block of its own.
static void outline_columns(dotting *t) {
    const expr *column = loop_var(t, t->loops.spatial[t->loops.spatials - 1]);
    const expr *k = loop_var(t, t->loops.reduce[t->loops.reduces - 1]);
    uint32_t iters[2], n = 0;
    for (uint32_t i = 0; i < t->bl->iters && n < 2; i++)
        if (t->bl->iter[i].value == column || t->bl->iter[i].value == k) iters[n++] = i;
    if (n == 2) t->decoded = schedule_outline(t->sch, t->b, iters, 2);
}

// Unrolls the block's loops below the tile but the last one, which becomes lanes.
static bool vectorize_own(dotting *t, block_ref b) {
    loop_ref own[LOOPS_MOST];
    uint32_t count = loops_below(t->sch, b, t->tile, own);
    return vectorize_all(t->sch, own, count);
}

static bool accumulate(dotting *t) {
    schedule *sch = t->sch;
    loop_ref first = t->loops.reduces > 1 ? t->loops.reduce[0] : t->k[0];
    block_ref start = schedule_decompose_reduction(sch, t->parts, first);
    if (!start.id || !vectorize_own(t, start)) return false;
    if (t->k[1].id && !schedule_unroll(sch, t->k[1])) return false;
    if (sch->rows == 1 && t->ahead > 0 && t->ahead <= PREFETCH_MOST && !schedule_prefetch(sch, t->k[0], t->ahead))
        return false;
    return vectorize_all(sch, t->inner, t->has_row ? 3 : 2);
}

// The sums of the lanes, in the tile.
static bool join(dotting *t) {
    loop_ref own[LOOPS_MOST];
    if (!schedule_reverse_compute_at(t->sch, t->b, t->tile)) return false;
    uint32_t count = loops_below(t->sch, t->b, t->tile, own);
    if (!count || !schedule_decompose_reduction(t->sch, t->b, own[count - 1]).id) return false;
    return vectorize_all(t->sch, own, count);
}

// What alone reads the result, in its place, is computed in the tile too.
static void finish(dotting *t) {
    block_ref reader[2];
    block_shape shape;
    loop_ref own[LOOPS_MOST];
    if (schedule_consumers(t->sch, t->b, reader, 2) != 1) return;
    if (!block_understand(t->sch, schedule_block_of(t->sch, reader[0]), &shape) || shape.reduction) return;
    if (!schedule_reverse_compute_at(t->sch, reader[0], t->tile)) return;
    uint32_t count = loops_below(t->sch, reader[0], t->tile, own);
    if (count && extent_of(t, own[count - 1]) > 1) schedule_vectorize(t->sch, own[count - 1]);
}

static bool apply(dotting *t) {
    schedule *sch = t->sch;
    bool whole = extent_of(t, t->loops.spatial[t->loops.spatials - 1]) % t->columns == 0;
    if (!sch->rows && t->rows > 1 && whole && is_encoded(t)) outline_columns(t);
    if (!split_k(t) || !cut(t) || !join(t)) return false;
    finish(t);
    if (!accumulate(t) || !decode_panel(t)) return false;
    if (!schedule_compact(sch, t->tile) || !schedule_compact(sch, t->outer[t->outers - 1])) return false;
    return parallel_together(sch, t->outer, t->outers);
}

bool tile_dot(schedule *sch, const arch *a, block_ref b, int64_t most_rows) {
    dotting t = {.sch = sch, .arch = a, .b = b};
    if (!is_dot(&t) || !choose_sizes(&t, most_rows)) return false;
    int64_t weights = bytes_along(sch, t.bl, &t.shape, loop_var(&t, t.loops.spatial[t.loops.spatials - 1]));
    // For one row, rows of B are asked for a tile ahead: each begins a page, perhaps. 26 GB/s in place of 16, halves
    // from memory.
    int64_t columns = extent_of(&t, t.loops.spatial[t.loops.spatials - 1]);
    if (columns > 0 && columns != INT64_MAX) t.ahead = weights / columns * t.columns;
    const expr *rows = t.has_row ? schedule_loop_of(sch, t.loops.spatial[t.row])->as.loop.extent : NULL;
    schedule_checkpoint(sch);
    if (!apply(&t)) {
        schedule_rollback(sch);
        return false;
    }
    schedule_commit(sch);
    if (rows) note_rows(sch, rows, weights, t.decoded.id && t.block <= 2 * t.lanes ? t.rows : 0);
    return true;
}
