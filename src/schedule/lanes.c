// lanes.c - what a block in a vectorized loop allocates gets an element for each lane.
//
//   for i in 16:                                   alloc A[16]
//       with B: alloc A[]; A[] = A[] + x[i]   ->   for i in 16:
//                                                      with B, v = i: A[v] = A[v] + x[i]
//
// So programs with memory of their own, such as scans, run in vectors: what was a number becomes a register.
#include "loop/walk.h"
#include "schedule/inside.h"
#include "schedule/shrink.h"

static bool holds_block(const schedule *sch, const stmt *st) {
    stmt_walk w = stmt_walk_from(sch->mem, st);
    while (stmt_walk_next(&w))
        if (!w.leaving && w.st->kind == STMT_BLOCK) return true;
    return false;
}

// The loop holds one block, all of whose memory can get another dim, and stands alone in another loop.
static bool may_get_lanes(const schedule *sch, const stmt_list *path) {
    const stmt *loop = path_end(path), *inner = loop->as.loop.body;
    if (path->len < 2 || path->at[path->len - 2]->kind != STMT_FOR || inner->kind != STMT_BLOCK) return false;
    const block *b = inner->as.block;
    bool good = b->allocs && !b->init && !b->matches && expr_is_int(loop->as.loop.min, 0) && !holds_block(sch, b->body);
    for (uint32_t i = 0; good && i < b->allocs; i++)
        good = !b->alloc[i]->stride && !b->alloc[i]->elem_offset && dtype_lanes(b->alloc[i]->type) == 1;
    return good;
}

static const buffer *with_lanes(schedule *sch, const buffer *buf, const expr *extent) {
    const expr **dim = ARENA_NEW(sch->mem, const expr *, buf->rank + 1);
    for (uint32_t i = 0; i < buf->rank; i++) dim[i] = buf->dim[i];
    dim[buf->rank] = buf->rank ? expr_cast(sch->s, buf->dim[0]->type, extent) : extent;
    return buffer_new(sch->s, buf->name, buf->type, dim, buf->rank + 1, buf->scope);
}

bool give_lanes(schedule *sch, const stmt_list *path) {
    const stmt *loop = path_end(path);
    if (!may_get_lanes(sch, path)) return false;
    block b = *loop->as.loop.body->as.block;
    const expr *lane = expr_new_var(sch->s, "v_lane", loop->as.loop.var->type);
    const buffer **now = ARENA_NEW(sch->mem, const buffer *, b.allocs);
    uint32_t count = b.allocs;
    for (uint32_t i = 0; i < count; i++) {
        now[i] = with_lanes(sch, b.alloc[i], loop->as.loop.extent);
        b.body = with_index(sch, b.body, b.alloc[i], now[i], lane);
    }
    iter *iters = ARENA_NEW(sch->mem, iter, b.iters + 1);
    for (uint32_t i = 0; i < b.iters; i++) iters[i] = b.iter[i];
    iters[b.iters++] = (iter){lane, ITER_SPATIAL, {loop->as.loop.min, loop->as.loop.extent}, loop->as.loop.var};
    b.iter = iters;
    b.allocs = 0;
    stmt_list around = *path;
    around.len--;
    shrink_wrap(sch, &around, loop_with_body(sch, loop, block_changed(sch, &b)), now, count);
    return true;
}
