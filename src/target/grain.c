// grain.c - how many iterations of a parallel loop are one unit of the grid: enough that a share is worth a thread.
//
// Waking a thread costs some microseconds, in which a core does some ten thousand operations. Loops of less work than
// that become grids of one unit, which the calling thread runs alone. Others are cut finer, so that shares are even:
// with units of that size a product of 36 groups of columns was 32 and 4 of them. Results don't depend on the split.
#include "target/launch.h"

enum {
    ALONE_WORK = 1 << 13,  // operations that one thread does alone
    UNIT_WORK = 1 << 10,   // operations one unit has at most, if it has several iterations
    UNKNOWN_EXTENT = 1024, // of loops inside whose extent is not constant: rather too many threads than too few
    LANES_AT_ONCE = 8,     // lanes of a vectorized loop cost as much as one operation
    WORK_MOST = 1 << 20,
};

static int64_t capped(int64_t work) { return work < WORK_MOST ? work : WORK_MOST; }

static int64_t work_of_expr(arena *mem, const expr *e) {
    int64_t nodes = 0;
    if (!e || !e->count) return 1;
    expr_walk w = expr_walk_from(mem, e);
    while (nodes < WORK_MOST && expr_walk_next(&w)) nodes++;
    return nodes;
}

static int64_t work_of(arena *mem, const stmt *st) {
    int64_t work = st->kind == STMT_STORE ? work_of_expr(mem, st->as.store.value) : 1, n = UNKNOWN_EXTENT;
    for (uint32_t i = 0; stmt_child(st, i) && work < WORK_MOST; i++) work += work_of(mem, stmt_child(st, i));
    if (st->kind != STMT_FOR) return capped(work);
    if (!expr_const_int(st->as.loop.extent, &n)) n = UNKNOWN_EXTENT;
    if (st->as.loop.kind == FOR_VECTORIZED) n = (n + LANES_AT_ONCE - 1) / LANES_AT_ONCE;
    if (n > WORK_MOST) n = WORK_MOST;
    return capped(capped(work) * (n > 0 ? n : 1));
}

launch_units launch_units_of(arena *mem, const stmt *loop) {
    int64_t work = work_of(mem, loop->as.loop.body), grain = 1;
    while (2 * grain * work <= UNIT_WORK) grain *= 2;
    return (launch_units){.alone = (ALONE_WORK + work - 1) / work, .grain = grain};
}
