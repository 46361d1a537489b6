// tile_sizes.c - which contractions get register tiles (tile.c), and how large these are.
#include "base/size.h"
#include "schedule/tile.h"

enum {
    TILE_VECTORS = 3,
    STREAM_TILE = 16,       // rows of A whose sums are in the first-level cache together
    STREAM_VECTORS = 128,   // … and the vectors of a run
    STREAM_SUMS = 16 << 10, // bytes of the sums of several rows of A
    STREAM_LEAST = 8,       // vectors of a run, else it is none
    PACKED_STREAMS = 4,     // vectors of weights in panels that one row of A is multiplied with at once
};

// --- What is a contraction.

const expr *tiling_next_load(const tiling *t, expr_walk *w) {
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

bool tiling_has_dots(const tiling *t) {
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
    return t->alone = tiling_has_dots(t);
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
    for (const expr *x; (x = tiling_next_load(t, &w));)
        if (!lies_along(t, x, var, k) || found++) return false;
    if (n == INT64_MAX) return found && extent_of(t, t->loops.spatial[t->row]) == INT64_MAX;
    return found && bytes_along(t->sch, t->bl, &t->shape, var) > WORTH_A_PANEL;
}

// W[column // 16, k, column % 16]: weights that were laid out ahead. The number of columns in a panel; 0: not so.
static int64_t panel_width(const tiling *t) {
    int64_t width = 0;
    expr_walk w = walk_value(t->sch, &t->shape);
    for (const expr *x; (x = tiling_next_load(t, &w));) {
        const expr *last = x->count ? x->in[x->count - 1] : NULL;
        if (width || !last || last->op != EXPR_FLOOR_MOD || !expr_const_int(last->in[1], &width)) return 0;
    }
    return width;
}

bool tiling_fits(tiling *t) {
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

int64_t tiling_streamed_most(const tiling *t) { return t->arch->vector_registers >= 32 ? STREAM_FEW : STREAM_FEW / 2; }

// At most so many rows of A and rows of B far apart, 2048x2048: for one row 50 GB/s in place of 24, for 7 rows 74
// GFLOP/s in place of 30, for 32 rows 100 in place of 65 (bench/kernels.py). With fewer registers a panel pays sooner.
static bool streams(const tiling *t, int64_t rows) {
    int64_t k = extent_of(t, t->loops.reduce[0]), n = extent_of(t, columns_of(t));
    bool few = rows == 1 || (rows > 1 && rows <= tiling_streamed_most(t) && n % t->lanes == 0 &&
                             run_vectors(t, rows) >= STREAM_LEAST);
    return few && !t->width && t->row_bytes >= FAR_BYTES && !tiling_has_dots(t) && t->loops.reduces == 1 &&
           k != INT64_MAX && k % STREAM_ROWS == 0;
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
    for (const expr *x; (x = tiling_next_load(t, &w));) {
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
    for (const expr *x; (x = tiling_next_load(t, &w));)
        if (dtype_bits(x->type) < dtype_bits(t->shape.out->type)) return true;
    return false;
}

void tiling_choose_sizes(tiling *t) {
    int64_t n = extent_of(t, columns_of(t));
    int64_t m = extent_of(t, t->loops.spatial[t->row]);
    t->lanes = lanes_for(t->arch, t->shape.out->type);
    if (n == INT64_MAX || !int_mul(n, dtype_bits(t->shape.out->type) / 8, &t->row_bytes)) t->row_bytes = 0;
    t->few = t->alone ? 1 : few_rows(t, m);
    int64_t vectors = n == INT64_MAX ? INT64_MAX : (n + t->lanes - 1) / t->lanes;
    int64_t most = t->few == 1 ? t->arch->vector_registers / 2 : TILE_VECTORS; // one row: long runs of B
    t->vectors = vectors < most ? vectors : most;
    t->streamed = streams(t, t->few);
    t->streams_few = !t->few && !t->apart && streams(t, tiling_streamed_most(t));
    if (t->streamed) t->vectors = run_vectors(t, t->few);
    if (t->vectors < 1) t->vectors = 1; // no columns, or fewer than two vectors of them
    while (t->few == 1 && n != INT64_MAX && t->vectors > 1 && n % (t->vectors * t->lanes)) t->vectors--;
    if (t->streamed && t->few > 1) {
        t->rows = STREAM_TILE;
        return;
    }
    bool rest = n == INT64_MAX || n % (t->vectors * t->lanes);
    if (rest && n != INT64_MAX && n % (2 * t->lanes) == 0) t->vectors = 2; // no rest: half the code
    if (tiling_has_dots(t)) t->vectors = 1, t->lines = lines_of_words(t);
    if (t->apart) t->vectors = padded_vectors(t, n);
    if (t->width && !tiling_has_dots(t)) t->vectors = panel_vectors(t, vectors);
    t->widened = t->width && widens(t);
    // Accumulators, a vector each of B, and a broadcast stay in registers.
    t->rows = ((int64_t)t->arch->vector_registers - 1 - t->vectors) / t->vectors;
    t->rows = t->rows >= TILE_ROWS ? TILE_ROWS : t->rows >= 4 ? 4 : 1;
    t->rows = t->alone ? 1 : even_rows(m, t->rows);
    if (t->few && t->rows > t->few) t->rows = t->few;
}
