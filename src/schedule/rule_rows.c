// rule_rows.c - rows in parallel, vectors along the last dimension: the rule for everything that is not special.
//
// Cheap assignments are written out where they are read. From the last block backwards, each block that is still at the
// top becomes an anchor: its outer spatial loops are fused and run in parallel, its last one is cut into vectors; what
// only it needs is computed inside its loops, per vector where the reading moves with the vector, else per row.
#include "base/size.h"
#include "schedule/rules.h"

enum {
    ROW_AHEAD = 128 << 10, // bytes of a row that the second-level cache has room for beside the row at hand
    ROW_LONG = 64 << 10,   // elements: with as many, one row is work for several threads, whose sums are in chunks
    ALONE = 8 << 10,       // elements that one thread does alone (target/grain.c)
};

typedef struct rows {
    schedule *sch;
    const arch *arch;
    diag *quiet;     // where refusals go while something is only tried
    block_ref parts; // of a reduction in chunks, the last of which may be shorter; id 0: none is being scheduled
} rows;

// --- Inlining.

static bool has_call(const schedule *sch, const expr *e) {
    expr_walk w = expr_walk_from(sch->mem, e);
    for (const expr *x; (x = expr_walk_next(&w));)
        if (x->op == EXPR_CALL && x->as.intrin->id != INTRIN_IF_THEN_ELSE && x->as.intrin->vectorisable &&
            dtype_is_float(x->type))
            return true;
    return false;
}

// Writing the value out costs no more than storing and loading it: it is cheap, or read once per element.
static bool worth_inlining(const rows *r, block_ref b) {
    block_shape mine, reader;
    block_ref consumer[2];
    if (!block_understand(r->sch, schedule_block_of(r->sch, b), &mine)) return false;
    if (!has_call(r->sch, mine.store->as.store.value)) return true;
    if (schedule_consumers(r->sch, b, consumer, 2) != 1) return false;
    const block *c = schedule_block_of(r->sch, consumer[0]);
    return block_understand(r->sch, c, &reader) && !reader.reduction && reader.rank == mine.rank;
}

static void inline_all(rows *r) {
    block_ref b[BLOCKS_MOST];
    uint32_t count = schedule_blocks(r->sch, b, BLOCKS_MOST);
    if (count > BLOCKS_MOST) count = BLOCKS_MOST;
    for (uint32_t i = 0; i < count; i++)
        if (worth_inlining(r, b[i])) schedule_compute_inline(r->sch, b[i]);
}

// --- Vectors.

// The largest step that a load's last index takes with the loop; 0: none, or not known.
static int64_t widest_step(rows *r, const block *b, const block_shape *shape, loop_ref l) {
    const expr *var = schedule_loop_of(r->sch, l)->as.loop.var, *own = NULL;
    int64_t most = 0;
    for (uint32_t i = 0; i < b->iters; i++)
        if (b->iter[i].value == var) own = b->iter[i].var;
    expr_walk w = expr_walk_from(r->sch->mem, shape->store->as.store.value);
    for (const expr *x; own && (x = expr_walk_next(&w));) {
        linear at;
        if (x->op != EXPR_LOAD || !x->count || !linear_in(r->sch, x->in[x->count - 1], own, &at)) continue;
        if (at.step > most) most = at.step;
    }
    return most;
}

// A reduction whose steps lie side by side while its elements lie apart: the groups of a row.
static bool reduces_groups(rows *r, block_ref b, const block_shape *shape, const nest_loops *l) {
    const block *bl = schedule_block_of(r->sch, b);
    if (!shape->reduction || !bl->init || l->reduces != 1 || !l->spatials) return false;
    loop_ref last = l->spatial[l->spatials - 1];
    return widest_step(r, bl, shape, last) > 1 && widest_step(r, bl, shape, l->reduce[0]) == 1 &&
           reduce_in_lanes(r->sch, r->arch, b, l, last);
}

enum {
    WINDOW_MOST = 16, // steps of a reduction that are written out: windows of pooling
    IN_TURN = 4,      // vectors of a row
    AT_ONCE = 2,      // vectors whose functions are computed together: erf in 0.88, sigmoid in 0.92 of the time
};

// A reduction of a few steps is written out: guards of constant steps are told ahead, sums stay in registers.
static void unroll_window(rows *r, const loop_ref *reduce, uint32_t count) {
    int64_t steps = 1;
    for (uint32_t i = 0; i < count; i++) {
        int64_t n = constant_extent(r->sch, reduce[i], 0);
        if (n < 1 || !int_mul(steps, n, &steps)) return;
    }
    for (uint32_t i = 0; i < count && steps <= WINDOW_MOST; i++) schedule_unroll(r->sch, reduce[i]);
}

// How many vectors of a row are added to in turn: where a reduction steps from row to row, longer runs of each.
static int64_t vectors_in_turn(rows *r, const nest_loops *l, int64_t lanes, const stmt *last) {
    int64_t n;
    if (!l->reduces || !expr_const_int(last->as.loop.extent, &n) || n % (IN_TURN * lanes)) return 1;
    return constant_extent(r->sch, l->reduce[0], INT64_MAX) <= WINDOW_MOST ? 1 : IN_TURN;
}

// Whether the value has functions that are computed in float, in steps that wait for each other. Others are computed in
// double, where a vector of floats is two already.
static bool has_chain(const schedule *sch, const expr *e) {
    static const bool in_float[] = {[INTRIN_EXP] = true,  [INTRIN_EXP2] = true, [INTRIN_LOG] = true,
                                    [INTRIN_TANH] = true, [INTRIN_ERF] = true,  [INTRIN_SIGMOID] = true};
    expr_walk w = expr_walk_from(sch->mem, e);
    for (const expr *x; (x = expr_walk_next(&w));)
        if (x->op == EXPR_CALL && x->as.intrin->id < COUNT(in_float) && in_float[x->as.intrin->id] &&
            dtype_bits(x->type) <= 32)
            return true;
    return false;
}

// Lanes that the loop has at once: those of a vector, of two where they wait for such steps and no rest is left.
static int64_t lanes_at_once(rows *r, const block_shape *shape, const nest_loops *l, const stmt *last) {
    int64_t n, lanes = lanes_for(r->arch, shape->out->type);
    if (l->reduces || !has_chain(r->sch, shape->store->as.store.value)) return lanes;
    return expr_const_int(last->as.loop.extent, &n) && n > AT_ONCE * lanes && n % (AT_ONCE * lanes) == 0
               ? AT_ONCE * lanes
               : lanes;
}

// The last spatial loop as vectors, reductions outside of them. The loop over the vectors is in *outer.
static bool cut_into_vectors(rows *r, const block_shape *shape, const nest_loops *l, loop_ref *outer) {
    loop_ref last = l->spatial[l->spatials - 1], part[3] = {{0}, {0}, last}, order[LOOPS_MOST + 3];
    const stmt *loop = schedule_loop_of(r->sch, last);
    int64_t lanes = lanes_at_once(r, shape, l, loop), turns = vectors_in_turn(r, l, lanes, loop);
    const int64_t by[] = {0, turns, lanes}, by_lanes[] = {0, lanes};
    uint32_t n = 0;
    if (lanes < 2) return false;
    bool whole = expr_is_int(loop->as.loop.extent, lanes);
    if (turns > 1 && !schedule_split(r->sch, last, by, 3, part)) return false;
    if (turns == 1 && !whole && !schedule_split(r->sch, last, by_lanes, 2, part)) return false;
    if (turns == 1 && !whole) part[2] = part[1], part[1] = (loop_ref){0};
    if (part[0].id) order[n++] = part[0];
    for (uint32_t i = 0; i < l->reduces; i++) order[n++] = l->reduce[i];
    if (part[1].id) order[n++] = part[1];
    order[n++] = part[2];
    *outer = part[0];
    return schedule_reorder(r->sch, order, n) && (!part[1].id || schedule_unroll(r->sch, part[1])) &&
           schedule_vectorize(r->sch, part[2]);
}

// Cuts the block's last spatial loop (below the first `skip` loops) into vectors, reductions outside of them. The loop
// over the vectors is in *outer ({0}: the block has no such loop).
static void vectorize_block(rows *r, block_ref b, uint32_t skip, loop_ref *outer) {
    nest_loops l;
    block_shape shape;
    *outer = (loop_ref){0};
    const block *bl = schedule_block_of(r->sch, b);
    bool fits = block_understand(r->sch, bl, &shape) && sort_loops(r->sch, b, skip, &l);
    if (!fits || reduces_groups(r, b, &shape, &l)) return;
    loop_ref last = l.spatials ? l.spatial[l.spatials - 1] : (loop_ref){0};
    bool vector = last.id && contiguous(r->sch, bl, &shape, last);
    if (vector) vector = cut_into_vectors(r, &shape, &l, outer);
    if (!l.reduces || !schedule_block_of(r->sch, b)->init) return;
    loop_ref all[LOOPS_MOST];
    bool row = !l.spatials && skip && schedule_loops(r->sch, b, all, LOOPS_MOST) > skip;
    if (row && reduce_in_lanes(r->sch, r->arch, b, &l, all[skip - 1])) return;
    if (schedule_decompose_reduction(r->sch, b, l.reduce[0]).id && vector) unroll_window(r, l.reduce, l.reduces);
}

// --- Anchors.

// Whether what the block reads of the buffer moves with the loop.
static bool reads_with(rows *r, const block *b, const buffer *buf, loop_ref l) {
    const expr *var = schedule_loop_of(r->sch, l)->as.loop.var;
    block_shape shape;
    if (!block_understand(r->sch, b, &shape)) return false;
    expr_walk w = expr_walk_from(r->sch->mem, shape.store->as.store.value);
    for (const expr *x; (x = expr_walk_next(&w));)
        for (uint32_t i = 0; x->op == EXPR_LOAD && x->as.buffer == buf && i < x->count; i++)
            if (index_uses(x->in[i], b, var)) return true;
    return false;
}

// Whether one of the loops doesn't move what is read of the block's result: inside of them it would be made over and
// over.
static bool made_anew(rows *r, block_ref b, const loop_ref *l, uint32_t loops) {
    block_shape shape;
    block_ref reader[BLOCKS_MOST];
    if (!block_understand(r->sch, schedule_block_of(r->sch, b), &shape)) return false;
    uint32_t count = schedule_consumers(r->sch, b, reader, BLOCKS_MOST);
    for (uint32_t k = 0; k < loops && count <= BLOCKS_MOST; k++) {
        bool moves = expr_is_int(schedule_loop_of(r->sch, l[k])->as.loop.extent, 1);
        for (uint32_t i = 0; i < count && !moves; i++)
            moves = reads_with(r, schedule_block_of(r->sch, reader[i]), shape.out, l[k]);
        if (!moves) return true;
    }
    return false;
}

// Moves the producers of what is inside the loops into the last of them, the last ones first.
static void pull_in(rows *r, const loop_ref *loop, uint32_t loops) {
    loop_ref row = loop[loops - 1];
    block_ref b[BLOCKS_MOST];
    uint32_t count = schedule_blocks(r->sch, b, BLOCKS_MOST);
    for (uint32_t i = count < BLOCKS_MOST ? count : BLOCKS_MOST; i-- > 0;) {
        loop_ref around[LOOPS_MOST], outer;
        uint32_t depth = schedule_loops(r->sch, b[i], around, LOOPS_MOST);
        bool inside = false;
        for (uint32_t k = 0; k < depth && k < LOOPS_MOST; k++) inside |= around[k].id == row.id;
        if (inside || made_anew(r, b[i], loop, loops) || !schedule_compute_at(r->sch, b[i], row)) continue;
        loop_ref own[LOOPS_MOST];
        uint32_t own_depth = schedule_loops(r->sch, b[i], own, LOOPS_MOST), skip = 0;
        while (skip < own_depth && own[skip].id != row.id) skip++;
        vectorize_block(r, b[i], skip + 1, &outer);
    }
}

// An anchor's reads that move with the vector are produced per vector: an epilogue behind a matmul.
static void pull_into_vector(rows *r, block_ref anchor, const nest_loops *l, loop_ref vector) {
    block_ref p[BLOCKS_MOST];
    uint32_t count = schedule_producers(r->sch, anchor, p, BLOCKS_MOST);
    for (uint32_t i = count < BLOCKS_MOST ? count : BLOCKS_MOST; i-- > 0;) {
        block_shape shape;
        block_ref readers[2];
        loop_ref own[LOOPS_MOST], outer;
        const block *b = schedule_block_of(r->sch, p[i]);
        bool alone = schedule_consumers(r->sch, p[i], readers, 2) == 1;
        if (!alone || !b || !block_understand(r->sch, b, &shape) || !shape.reduction) continue;
        if (!reads_with(r, schedule_block_of(r->sch, anchor), shape.out, vector)) continue;
        if (made_anew(r, p[i], l->spatial, l->spatials - 1)) continue;
        if (!schedule_compute_at(r->sch, p[i], vector)) continue;
        uint32_t depth = schedule_loops(r->sch, p[i], own, LOOPS_MOST), skip = 0;
        while (skip < depth && own[skip].id != vector.id) skip++;
        vectorize_block(r, p[i], skip + 1, &outer);
    }
}

// A sum of what a loop over vectors makes is added up in the same loop, where its steps are whole steps of that loop.
// The loop that is left.
static loop_ref add_up(rows *r, block_ref made, loop_ref row, loop_ref vectors) {
    block_ref reader[BLOCKS_MOST];
    int64_t n, of, steps;
    uint32_t count = schedule_consumers(r->sch, made, reader, BLOCKS_MOST);
    for (uint32_t i = 0; i < count && i < BLOCKS_MOST; i++) {
        loop_ref own[LOOPS_MOST], part[2], both;
        if (loops_below(r->sch, reader[i], row, own) != 2) continue;
        if (!expr_const_int(schedule_loop_of(r->sch, vectors)->as.loop.extent, &n)) continue;
        if (!expr_const_int(schedule_loop_of(r->sch, own[0])->as.loop.extent, &of) || of < 1 || n % of) continue;
        schedule_checkpoint(r->sch);
        steps = n / of;
        const int64_t by[] = {0, steps};
        if (schedule_split(r->sch, vectors, by, 2, part) && (both = schedule_merge(r->sch, part[0], own[0])).id &&
            schedule_unroll(r->sch, part[1])) {
            schedule_commit(r->sch);
            return both;
        }
        schedule_rollback(r->sch);
    }
    return vectors;
}

// Whether a reduction among the producers adds to the buffer: a block that writes it only starts the sums.
static bool is_added_to(rows *r, const block_ref *p, uint32_t count, const buffer *b) {
    for (uint32_t i = 0; i < count; i++) {
        block_shape shape;
        const block *other = schedule_block_of(r->sch, p[i]);
        if (block_understand(r->sch, other, &shape) && shape.reduction && shape.out == b) return true;
    }
    return false;
}

// A row that is made in the row loop and read there for the last time by the anchor lies where the result goes: 1.2
// times as fast, 1.5 where rows come from memory, softmax of rows of 4096. While it is made, the next row is asked for.
// Sums stay apart, in registers: avg_pool2d of 3 by 3 would take 16 times as long, softmax of columns 10.
static void share_rows(rows *r, block_ref anchor, loop_ref row) {
    block_ref p[BLOCKS_MOST];
    uint32_t count = schedule_producers(r->sch, anchor, p, BLOCKS_MOST);
    count = count < BLOCKS_MOST ? count : BLOCKS_MOST;
    for (uint32_t i = count; i-- > 0;) {
        block_shape shape;
        loop_ref own[LOOPS_MOST];
        const block *b = schedule_block_of(r->sch, p[i]);
        if (!block_understand(r->sch, b, &shape) || shape.reduction || !shape.rank) continue;
        if (is_added_to(r, p, count, shape.out)) continue;
        if (loops_below(r->sch, p[i], row, own) != 2 || !schedule_share(r->sch, p[i], anchor)) continue;
        loop_ref vectors = add_up(r, p[i], row, own[0]);
        int64_t n;
        const expr *last = shape.out->dim[shape.rank - 1];
        if (expr_const_int(last, &n) && int_mul(n, dtype_bits(shape.out->type) / 8, &n) && n <= ROW_AHEAD)
            schedule_prefetch(r->sch, vectors, n);
        return;
    }
}

static bool reads_made(rows *r, block_ref b) {
    block_ref any[1];
    return schedule_producers(r->sch, b, any, 1) > 0;
}

// Whether the outer loops are one row, which runs in parallel itself: where nothing has to be made for it before, or
// where it is so long that sums of it are in chunks.
static bool one_long_row(rows *r, block_ref b, const nest_loops *l, uint32_t outer) {
    for (uint32_t i = 0; i < outer; i++)
        if (r->sch->rows != 1 && constant_extent(r->sch, l->spatial[i], 0) != 1) return false;
    return !reads_made(r, b) || constant_extent(r->sch, l->spatial[outer], 0) >= ROW_LONG;
}

// Rows that are made of what is made for them, where one alone would be long: then there is a program for one.
static void note_long_row(rows *r, block_ref b, const nest_loops *l, uint32_t outer) {
    const expr *any = NULL;
    for (uint32_t i = 0; i < outer; i++) {
        const expr *extent = schedule_loop_of(r->sch, l->spatial[i])->as.loop.extent;
        if (constant_extent(r->sch, l->spatial[i], 0) == 1) continue;
        if (any || constant_extent(r->sch, l->spatial[i], 0)) return;
        any = extent;
    }
    if (any && reads_made(r, b) && constant_extent(r->sch, l->spatial[outer], 0) >= ROW_LONG)
        note_rows(r->sch, any, INT64_MAX, 0);
}

static bool at_top(const rows *r, block_ref b) {
    loop_ref l[LOOPS_MOST];
    uint32_t depth = schedule_loops(r->sch, b, l, LOOPS_MOST);
    for (uint32_t k = 0; k < depth && k < LOOPS_MOST; k++)
        if (schedule_loop_of(r->sch, l[k])->as.loop.kind != FOR_SERIAL) return false;
    return true;
}

// Whether the block reads sums of rows, one for each of its elements: a mean, the square root of a sum. Vectors of them
// would run across the rows, 64 rows of 4096 in 75 times the time that a row after the other takes.
static bool reads_sums_of_rows(rows *r, block_ref b, const nest_loops *l) {
    block_ref p[BLOCKS_MOST];
    uint32_t count = schedule_producers(r->sch, b, p, BLOCKS_MOST);
    for (uint32_t i = 0; i < count && i < BLOCKS_MOST; i++) {
        block_shape shape;
        nest_loops own;
        const block *made = schedule_block_of(r->sch, p[i]);
        if (!made || !made->init || !block_understand(r->sch, made, &shape) || !shape.reduction) continue;
        if (!at_top(r, p[i]) || !sort_loops(r->sch, p[i], 0, &own) || !own.spatials || !own.reduces) continue;
        if (!loads_along(r->sch, made, &shape, own.reduce[own.reduces - 1])) continue;
        if (contiguous(r->sch, made, &shape, own.spatial[own.spatials - 1])) continue;
        if (!made_anew(r, p[i], l->spatial, l->spatials)) return true;
    }
    return false;
}

static bool reduces_any(rows *r) {
    block_ref b[BLOCKS_MOST];
    uint32_t count = schedule_blocks(r->sch, b, BLOCKS_MOST);
    for (uint32_t i = 0; i < count && i < BLOCKS_MOST; i++) {
        const block *bl = schedule_block_of(r->sch, b[i]);
        for (uint32_t k = 0; k < bl->iters; k++)
            if (bl->iter[k].kind == ITER_REDUCE) return true;
    }
    return false;
}

static bool holds_others(rows *r, block_ref b, loop_ref loop) {
    block_ref all[BLOCKS_MOST];
    uint32_t count = schedule_blocks(r->sch, all, BLOCKS_MOST);
    for (uint32_t i = 0; i < count && i < BLOCKS_MOST; i++) {
        loop_ref l[LOOPS_MOST];
        uint32_t depth = all[i].id == b.id ? 0 : schedule_loops(r->sch, all[i], l, LOOPS_MOST);
        for (uint32_t k = 0; k < depth && k < LOOPS_MOST; k++)
            if (l[k].id == loop.id) return true;
    }
    return false;
}

// One thread does it: a row that is one of several steps, which are one launch then, where it is short, or where sums
// of it are not in chunks: what several threads made would be read by one (3 times as long, softmax of 262,144).
static bool too_little(rows *r, const nest_loops *l) {
    block_ref other[2];
    int64_t n = constant_extent(r->sch, l->spatial[l->spatials - 1], 0);
    if (schedule_blocks(r->sch, other, 2) < 2) return false;
    if ((n && n <= ALONE) || (!n && r->sch->length)) return true;
    return (n ? n < ROW_LONG : !r->sch->choice.by_length) && reduces_any(r);
}

// The loops of rows run in parallel; of one long row, its vectors do.
static void run_in_parallel(rows *r, const nest_loops *l, uint32_t outer, bool single, loop_ref row) {
    loop_ref all[LOOPS_MOST + 1];
    for (uint32_t i = 0; i < outer; i++) all[i] = l->spatial[i];
    all[outer] = row;
    if (single || !outer)
        parallel_together(r->sch, all, outer + 1);
    else
        parallel_together(r->sch, all, outer);
}

static bool schedule_anchor(rows *r, block_ref b) {
    nest_loops l;
    block_shape shape;
    const block *bl = schedule_block_of(r->sch, b);
    if (!bl || !block_understand(r->sch, bl, &shape) || !sort_loops(r->sch, b, 0, &l)) return false;
    if (!l.spatials) return reduce_in_lanes(r->sch, r->arch, b, &l, (loop_ref){0}); // one element
    bool vector = contiguous(r->sch, bl, &shape, l.spatial[l.spatials - 1]) && !reads_sums_of_rows(r, b, &l);
    uint32_t outer = l.spatials - vector;
    bool single = vector && outer && !shape.reduction && one_long_row(r, b, &l, outer);
    bool little = (single || !outer) && !shape.reduction && too_little(r, &l);
    if (vector && outer && !shape.reduction && !single) note_long_row(r, b, &l, outer);
    loop_ref order[2 * LOOPS_MOST], vectors = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < l.spatials; i++) order[n++] = l.spatial[i];
    for (uint32_t i = 0; i < l.reduces; i++) order[n++] = l.reduce[i];
    if (n > 1 && !schedule_reorder(r->sch, order, n)) return false;
    vectorize_block(r, b, outer, &vectors);
    single = single && vectors.id;
    loop_ref row = outer && !single ? l.spatial[outer - 1] : vectors.id ? vectors : l.spatial[0];
    if (vectors.id && !shape.reduction) pull_into_vector(r, b, &l, vectors);
    pull_in(r, outer && !single ? l.spatial : &row, outer && !single ? outer : 1);
    if (outer && !single && !shape.reduction) share_rows(r, b, row);
    schedule_compact(r->sch, row);
    block_ref tail[BLOCKS_MOST];
    if (b.id == r->parts.id) schedule_peel(r->sch, row, b, tail, BLOCKS_MOST); // guards of steps are none of vectors
    if (!little || holds_others(r, b, row)) run_in_parallel(r, &l, outer, single, row);
    return true;
}

static bool all_serial(const rows *r) {
    block_ref b[BLOCKS_MOST];
    uint32_t count = schedule_blocks(r->sch, b, BLOCKS_MOST);
    for (uint32_t i = 0; i < count && i < BLOCKS_MOST; i++) {
        loop_ref l[LOOPS_MOST];
        uint32_t depth = schedule_loops(r->sch, b[i], l, LOOPS_MOST);
        for (uint32_t k = 0; k < depth && k < LOOPS_MOST; k++)
            if (schedule_loop_of(r->sch, l[k])->as.loop.kind != FOR_SERIAL) return false;
    }
    return count > 0 && count <= BLOCKS_MOST;
}

// The order of a group's rows is made step by step, once.
static bool makes_order(const schedule *sch, block_ref b) {
    return sch->tiles_of && writes_buffer(sch, schedule_block_of(sch, b)->body, sch->tiles_of);
}

// Partial results of chunks are made before, and outside of, the loops that join them: those are few.
static bool schedule_chunks(rows *r, block_ref b) {
    block_ref parts = cut_into_chunks(r->sch, b);
    if (!parts.id) return false;
    if (tile_contraction(r->sch, r->arch, parts) || tile_dot(r->sch, r->arch, parts, r->sch->rows)) return true;
    r->parts = parts;
    bool done = schedule_anchor(r, parts);
    r->parts = (block_ref){0};
    return done;
}

static bool apply(schedule *sch, const arch *a) {
    rows r = {.sch = sch, .arch = a, .quiet = diag_new(sch->mem)};
    diag *loud = sch->d;
    block_ref b[BLOCKS_MOST];
    if (!all_serial(&r)) return false; // the user's own schedule
    sch->d = r.quiet;
    inline_all(&r);
    bool any = false;
    uint32_t count = schedule_blocks(sch, b, BLOCKS_MOST);
    for (uint32_t i = 0; i < count && i < BLOCKS_MOST; i++)
        any |= schedule_chunks(&r, b[i]) || tile_grouped(sch, a, b[i]);
    count = schedule_blocks(sch, b, BLOCKS_MOST);
    for (uint32_t i = 0; i < count; i++) any |= tile_contraction(sch, a, b[i]) || tile_dot(sch, a, b[i], sch->rows);
    for (uint32_t i = count; i-- > 0;)
        if (schedule_block_of(sch, b[i]) && at_top(&r, b[i]) && !makes_order(sch, b[i]))
            any |= transpose_block(sch, a, b[i]) || schedule_anchor(&r, b[i]) || schedule_body(sch, a, b[i]);
    sch->d = loud;
    return any;
}

const schedule_rule rule_rows = {
    .name = "rows",
    .doc = "rows in parallel, vectors along the last dimension, producers computed where they are needed",
    .apply = apply,
};
