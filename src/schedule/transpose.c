// transpose.c - assignments that read along one loop what they write along another: transpositions.
//
//   for i, j: C[i, j] = A[j, i]
//   ->
//   for i0, j0 (parallel): for i1 in 8: for i2 in 8, j1 in 8: a square, read along i2, turned in registers, written
//   along j1
//
// Tails are such squares too, with masks. Where one element alone lies side by side in C, elements move one by one: a
// function with such a size at run time has a program of its own for that.
#include "schedule/rules.h"

enum {
    SQUARE_BYTES = 4, // elements up to this size share one side; larger ones have fewer lanes
    SIDE_BYTES = 32,  // of a square's vectors: longer ones take two steps a shuffle, 1.0 to 1.7 times as long
    RUN = 64,         // elements moved one by one
    SQUARES = 8,      // in turn along what is read, so that pages are met for longer: 1.5 to 3 times as fast
};

typedef struct turning {
    schedule *sch;
    const block *bl;
    block_shape shape;
    nest_loops loops;
    uint32_t read; // index into loops.spatial: along which is read; the last one is written along
} turning;

static const expr *var_of(const turning *t, uint32_t i) {
    return schedule_loop_of(t->sch, t->loops.spatial[i])->as.loop.var;
}

// The block's own variable that is bound to the loop; NULL: the loop moves more than one, or in another way.
static const expr *own_variable(const turning *t, const expr *loop_var) {
    const expr *own = NULL;
    for (uint32_t i = 0; i < t->bl->iters; i++) {
        if (!expr_uses_var(t->bl->iter[i].value, loop_var)) continue;
        if (own || t->bl->iter[i].value != loop_var) return NULL;
        own = t->bl->iter[i].var;
    }
    return own;
}

// Whether every load moves with the last loop in front alone, and with the loop number i by one element in its last
// index alone.
static bool reads_along(const turning *t, uint32_t i) {
    const expr *read = own_variable(t, var_of(t, i)), *written = own_variable(t, var_of(t, t->loops.spatials - 1));
    bool any = false;
    if (!read || !written || t->shape.written[t->shape.rank - 1] != written) return false;
    expr_walk w = expr_walk_from(t->sch->mem, t->shape.store->as.store.value);
    for (const expr *x; (x = expr_walk_next(&w));) {
        linear at;
        if (x->op != EXPR_LOAD) continue;
        if (!x->count || expr_uses_var(x->in[x->count - 1], written)) return false;
        if (!linear_in(t->sch, x->in[x->count - 1], read, &at) || at.step != 1) return false;
        for (uint32_t d = 0; d + 1 < x->count; d++) {
            if (expr_uses_var(x->in[d], read)) return false;
            any |= expr_uses_var(x->in[d], written);
        }
    }
    return any;
}

static bool is_transposition(turning *t, block_ref b) {
    t->bl = schedule_block_of(t->sch, b);
    if (!t->bl || !block_understand(t->sch, t->bl, &t->shape) || t->shape.reduction || t->bl->where) return false;
    if (t->bl->body != t->shape.store || t->shape.store->as.store.predicate) return false;
    if (!sort_loops(t->sch, b, 0, &t->loops) || t->loops.spatials < 2 || t->loops.reduces) return false;
    for (t->read = t->loops.spatials - 1; t->read-- > 0;)
        if (reads_along(t, t->read)) return true;
    return false;
}

// Squares in turn: a number that leaves no rest, where that can be.
static int64_t squares_of(const turning *t, int64_t side) {
    int64_t n, squares = SQUARES;
    if (!expr_const_int(schedule_loop_of(t->sch, t->loops.spatial[t->read])->as.loop.extent, &n)) return squares;
    while (squares > 1 && n % (squares * side)) squares /= 2;
    return squares;
}

static bool apply(turning *t, block_ref b, int64_t side) {
    schedule *sch = t->sch;
    loop_ref read[3], written[2], order[LOOPS_MOST + 3], own[LOOPS_MOST];
    block_ref tail[2];
    const int64_t by[] = {0, side}, by_read[] = {0, squares_of(t, side), side};
    uint32_t n = 0;
    if (!schedule_split(sch, t->loops.spatial[t->read], by_read, 3, read)) return false;
    if (!schedule_split(sch, t->loops.spatial[t->loops.spatials - 1], by, 2, written)) return false;
    for (uint32_t i = 0; i + 1 < t->loops.spatials; i++)
        if (i != t->read) order[n++] = t->loops.spatial[i];
    order[n++] = read[0];
    order[n++] = written[0];
    const uint32_t outer = n;
    order[n++] = read[1];
    order[n++] = read[2];
    order[n++] = written[1];
    if (!schedule_reorder(sch, order, n)) return false;
    uint32_t tails = schedule_peel(sch, read[1], b, tail, 2);
    if (tails > 1 || !schedule_tensorize(sch, read[2], "transpose")) return false;
    if (tails && (loops_below(sch, tail[0], read[1], own) != 2 || !schedule_tensorize(sch, own[0], "transpose")))
        return false;
    return parallel_together(sch, order, outer);
}

// for i0, … (parallel): for j: for i1 in 64: C[i, j] = A[j, i]
static bool apply_one(turning *t) {
    schedule *sch = t->sch;
    loop_ref read[2], order[LOOPS_MOST + 1];
    const int64_t by[] = {0, RUN};
    uint32_t n = 0;
    if (!schedule_split(sch, t->loops.spatial[t->read], by, 2, read)) return false;
    for (uint32_t i = 0; i + 1 < t->loops.spatials; i++)
        if (i != t->read) order[n++] = t->loops.spatial[i];
    order[n++] = read[0];
    const uint32_t outer = n;
    order[n++] = t->loops.spatial[t->loops.spatials - 1];
    order[n++] = read[1];
    return schedule_reorder(sch, order, n) && parallel_together(sch, order, outer);
}

static const expr *written_extent(const turning *t) {
    return schedule_loop_of(t->sch, t->loops.spatial[t->loops.spatials - 1])->as.loop.extent;
}

bool transpose_block(schedule *sch, const arch *a, block_ref b) {
    turning t = {.sch = sch};
    if (!is_transposition(&t, b)) return false;
    const expr *written = written_extent(&t);
    int64_t n = sch->rows > 0 ? sch->rows : 2;
    expr_const_int(written, &n);
    int64_t bytes = (dtype_bits(t.shape.out->type) + 7) / 8, room = a->vector_bytes, side;
    side = room / (bytes < SQUARE_BYTES ? SQUARE_BYTES : bytes);
    if (side > SIDE_BYTES / bytes) side = SIDE_BYTES / bytes;
    schedule_checkpoint(sch);
    if (n == 1 ? !apply_one(&t) : !apply(&t, b, side)) {
        schedule_rollback(sch);
        return false;
    }
    schedule_commit(sch);
    note_rows(sch, written, INT64_MAX, 0);
    return true;
}
