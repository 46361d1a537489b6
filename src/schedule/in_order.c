// in_order.c - loops that a text says run at once, and whose iterations may meet in memory, run one after the other.
#include "loop/walk.h"
#include "schedule/inside.h"
#include <string.h>

enum { MOST_ACCESSES = 200 }; // each pair is asked for: where there are more, the loop runs in order

// Buffers over other buffers' memory and calls hide what they touch.
static bool sees_all(const accesses *all) {
    static const char *const seen[] = {"a while loop", "an assert", "an attribute"};
    bool known = !all->opaque;
    for (size_t i = 0; i < COUNT(seen) && !known; i++) known = strcmp(all->opaque, seen[i]) == 0;
    return known && all->list.len <= MOST_ACCESSES;
}

static bool may_run_at_once(schedule *sch, const stmt_list *path) {
    const stmt *loop = path_end(path);
    accesses all = accesses_below(sch, path);
    conflict c;
    if (loop->as.loop.kind == FOR_VECTORIZED) {
        if (all.opaque || !lanes_in_step(sch, loop)) return false;
        if (lanes_join(sch, path)) return true;
    }
    return sees_all(&all) && !iterations_conflict(sch, path, &all, loop, false, &c);
}

static expr_list loops_at_once(arena *mem, const stmt *body) {
    expr_list vars = {0};
    for (stmt_walk w = stmt_walk_from(mem, body); stmt_walk_next(&w);) {
        for_kind kind = w.st->kind == STMT_FOR ? w.st->as.loop.kind : FOR_SERIAL;
        if (!w.leaving && (kind == FOR_PARALLEL || kind == FOR_VECTORIZED)) VEC_PUSH(mem, &vars, w.st->as.loop.var);
    }
    return vars;
}

const loop_func *schedule_in_order(expr_session *s, arena *mem, const loop_func *f) {
    if (!loops_at_once(mem, f->body).len) return f;
    bool changed = false;
    schedule *sch = schedule_new(s, mem, f, diag_new(mem)); // nothing is refused aloud
    expr_list vars = loops_at_once(mem, sch->func->body);   // a schedule gives each loop a variable of its own
    for (uint32_t i = 0; i < vars.len; i++) {
        stmt_list path = {0};
        if (!path_to_loop(sch, vars.at[i], &path) || may_run_at_once(sch, &path)) continue;
        set_loop_kind(sch, &path, FOR_SERIAL, NULL);
        changed = true;
    }
    return changed ? schedule_func(sch) : f;
}
