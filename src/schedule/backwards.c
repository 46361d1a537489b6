// backwards.c - parallel loops in reverse order: what tests run to see that their order does not matter.
#include "schedule/inside.h"

static const stmt *reverse(expr_session *s, arena *mem, const stmt *st) {
    uint32_t n = 0;
    while (stmt_child(st, n)) n++;
    const stmt **child = ARENA_NEW(mem, const stmt *, n + 1);
    for (uint32_t i = 0; i < n; i++) child[i] = reverse(s, mem, stmt_child(st, i));
    st = stmt_with_children(mem, st, child);
    if (st->kind != STMT_FOR || (st->as.loop.kind != FOR_PARALLEL && st->as.loop.kind != FOR_VECTORIZED)) return st;
    const expr *var = st->as.loop.var, *min = st->as.loop.min;
    const expr *last =
        expr_binary(s, EXPR_SUB, expr_binary(s, EXPR_ADD, min, st->as.loop.extent), expr_int(s, var->type, 1));
    map with = MAP_IN(mem);
    const expr *mirrored = expr_binary(s, EXPR_SUB, expr_binary(s, EXPR_ADD, last, min), var);
    map_put(&with, MAP_KEY(var), (void *)(uintptr_t)mirrored);
    stmt *now = (stmt *)(uintptr_t)stmt_copy(mem, st);
    now->as.loop.body = stmt_replace(s, mem, st->as.loop.body, &with, NULL);
    return now;
}

const loop_func *schedule_backwards(expr_session *s, arena *mem, const loop_func *f) {
    loop_func *now = ARENA_NEW(mem, loop_func, 1);
    *now = *f;
    now->body = reverse(s, mem, stmt_refresh(s, mem, f->body));
    return now;
}
