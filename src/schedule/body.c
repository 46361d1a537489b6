// body.c - blocks that are small programs of their own: attention over pages, scans, searches.
//
// Loops around such a block run in parallel where that is right; loops inside that hold nothing but assignments become
// vectors, and sums there the join of a vector's lanes.
#include "loop/walk.h"
#include "schedule/rules.h"

enum {
    VECTOR_MOST = 256, // lanes: what the emitter takes; it splits them into registers
    COLUMNS = 4,       // vectors of a row at a time
};

// The loops inside that hold no other loop, and no block.
static void innermost_loops(const schedule *sch, const stmt *body, stmt_list *out) {
    stmt_walk w = stmt_walk_from(sch->mem, body);
    while (stmt_walk_next(&w)) {
        const stmt *st = w.st;
        if (w.leaving || st->kind != STMT_FOR || st->as.loop.kind != FOR_SERIAL) continue;
        bool plain = true;
        stmt_walk inside = stmt_walk_from(sch->mem, st->as.loop.body);
        while (plain && stmt_walk_next(&inside))
            plain = inside.st->kind == STMT_STORE || inside.st->kind == STMT_SEQ || inside.st->kind == STMT_LET;
        if (plain) VEC_PUSH(sch->mem, out, st);
    }
}

static void vectorize_inside(schedule *sch, const arch *a, const block *b) {
    stmt_list loops = {0};
    innermost_loops(sch, b->body, &loops);
    for (uint32_t i = 0; i < loops.len; i++) {
        int64_t n, lanes = a->vector_bytes / 4;
        loop_ref l = loop_handle(sch, loops.at[i]->as.loop.var), part[2] = {{0}, l};
        const int64_t by[] = {0, lanes};
        if (!expr_const_int(loops.at[i]->as.loop.extent, &n) || n < 4) continue;
        schedule_checkpoint(sch);
        bool fits = n <= VECTOR_MOST || (n % lanes == 0 && schedule_split(sch, l, by, 2, part));
        if (fits && schedule_vectorize(sch, part[1]))
            schedule_commit(sch);
        else
            schedule_rollback(sch);
    }
}

// Whether what the loop touches of others' memory lies side by side along it, or stays; something is written so.
static bool lies_along(schedule *sch, const stmt_list *path) {
    const expr *var = path_end(path)->as.loop.var;
    accesses all = accesses_below(sch, path);
    bool writes = false;
    for (uint32_t i = 0; i < all.list.len; i++) {
        const access *a = &all.list.at[i];
        linear last;
        if (map_has(&all.owned, MAP_KEY(a->buf)) || !a->count) continue;
        for (uint32_t d = 0; d + 1 < a->count; d++)
            if (expr_uses_var(a->index[d], var)) return false;
        if (!linear_in(sch, a->index[a->count - 1], var, &last) || last.step < 0 || last.step > 1) return false;
        writes |= a->writes && last.step == 1;
    }
    return writes;
}

// A block with a few numbers of its own, a scan down columns: the last loop around it becomes vectors, four at a time
// where that leaves no rest.
static void vectorize_columns(schedule *sch, const arch *a, block_ref b, loop_ref last) {
    stmt_list path = {0};
    int64_t n, lanes = a->vector_bytes / 4;
    const block *bl = schedule_block_of(sch, b);
    for (uint32_t i = 0; i < bl->allocs; i++)
        if (bl->alloc[i]->rank) return;
    if (!bl->allocs || !must_loop(sch, last, "vectorize", &path) || !lies_along(sch, &path)) return;
    bool whole = expr_const_int(path_end(&path)->as.loop.extent, &n) && n % (COLUMNS * lanes) == 0;
    const int64_t by[] = {0, whole ? COLUMNS * lanes : lanes};
    loop_ref part[2];
    schedule_checkpoint(sch);
    if (schedule_split(sch, last, by, 2, part) && schedule_vectorize(sch, part[1]))
        schedule_commit(sch);
    else
        schedule_rollback(sch);
}

// How many of the loops, from the outermost on, may run in parallel.
static uint32_t parallel_loops(schedule *sch, const loop_ref *l, uint32_t count) {
    uint32_t n = 0;
    for (bool good = true; good && n < count; n += good) {
        schedule_checkpoint(sch);
        good = schedule_parallel(sch, l[n]);
        schedule_rollback(sch);
    }
    return n;
}

bool schedule_body(schedule *sch, const arch *a, block_ref b) {
    loop_ref l[LOOPS_MOST];
    uint32_t count = schedule_loops(sch, b, l, LOOPS_MOST);
    const block *bl = schedule_block_of(sch, b);
    if (!bl || count > LOOPS_MOST || summary_of(sch, bl->body)->opaque) return false;
    vectorize_inside(sch, a, bl);
    if (count) vectorize_columns(sch, a, b, l[count - 1]);
    count = schedule_loops(sch, b, l, LOOPS_MOST);
    count = parallel_loops(sch, l, count);
    while (count > 1) {
        loop_ref all = schedule_fuse(sch, l, count);
        if (all.id) return schedule_parallel(sch, all);
        count--;
    }
    return count && schedule_parallel(sch, l[0]);
}
