// guard.c - assertions in front of what was not proved to stay inside.
#include "loop/access.h"
#include "loop/walk.h"

typedef struct guarding {
    arena *mem;
    const loop_func *f;
    doubt_list doubts;
    map of; // MAP_KEY(statement) -> index of its first doubt + 1; they stand one behind the other
} guarding;

static const stmt *asserted(guarding *g, const access_doubt *d, const stmt *body) {
    loc at = loop_place(g->f, d->at);
    stmt st = {.kind = STMT_ASSERT, .at = at};
    st.as.assertion.condition = d->holds;
    st.as.assertion.kind = "RuntimeError";
    st.as.assertion.message = at.src ? arena_format(g->mem, "%s is out of range (line %u)", d->what, at.line)
                                     : arena_format(g->mem, "%s is out of range", d->what);
    st.as.assertion.body = body;
    return stmt_copy(g->mem, &st);
}

static const stmt *inside(guarding *g, const access_doubt *d, const stmt *st) {
    block b = *st->as.block;
    if (b.init) b.init = asserted(g, d, b.init);
    b.body = asserted(g, d, b.body);
    block *copy = ARENA_NEW(g->mem, block, 1);
    *copy = b;
    stmt now = *st;
    now.as.block = copy;
    return stmt_copy(g->mem, &now);
}

static const stmt *at_end(guarding *g, const access_doubt *d, const stmt *st) {
    const stmt *const steps[] = {st->as.loop_while.body, asserted(g, d, NULL)};
    stmt now = *st;
    now.as.loop_while.body = stmt_seq(g->mem, steps, 2);
    return stmt_copy(g->mem, &now);
}

// The doubts of a statement, the last one innermost.
static const stmt *guarded(guarding *g, const stmt *old, const stmt *st) {
    uint32_t first = (uint32_t)(uintptr_t)map_find(&g->of, MAP_KEY(old)), end = first;
    while (first && end < g->doubts.len && g->doubts.at[end].at == old) end++;
    for (int pass = 0; pass < 2 && first; pass++)
        for (uint32_t i = end; i-- > first - 1;) {
            const access_doubt *d = &g->doubts.at[i];
            if (d->place == DOUBT_INSIDE && pass == 0) st = inside(g, d, st);
            if (d->place == DOUBT_AGAIN && pass == 0) st = at_end(g, d, st);
            if (d->place != DOUBT_INSIDE && pass == 1) st = asserted(g, d, st);
        }
    return st;
}

static const stmt *rebuild(guarding *g, const stmt *body) {
    VEC(const stmt *) done = {0}; // rebuilt children that wait for their parent
    for (stmt_walk w = stmt_walk_from(g->mem, body); stmt_walk_next(&w);) {
        if (!w.leaving) continue;
        done.len -= stmt_children(w.st);
        const stmt *now = stmt_with_children(g->mem, w.st, done.at ? done.at + done.len : NULL);
        now = guarded(g, w.st, now);
        VEC_PUSH(g->mem, &done, now);
    }
    return done.at[0];
}

const loop_func *loop_guard(expr_session *s, arena *mem, const loop_func *f, diag *d) {
    guarding g = {.mem = mem, .f = f, .of = MAP_IN(mem)};
    doubt_list all = {0};
    uint32_t errors = d->errors;
    loop_find_doubts(s, mem, f, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        const access_doubt *one = &all.at[i];
        if (one->wrong) continue;
        if (!one->holds)
            diag_error(d, loop_place(f, one->at),
                       "%s: %s is not known to be in range, and of a form that can't be checked at run time", f->name,
                       one->what);
        VEC_PUSH(mem, &g.doubts, *one);
        if (!map_has(&g.of, MAP_KEY(one->at))) map_put(&g.of, MAP_KEY(one->at), (void *)(uintptr_t)g.doubts.len);
    }
    if (d->errors != errors) return NULL;
    if (!g.doubts.len) return f;
    loop_func *now = ARENA_NEW(mem, loop_func, 1);
    *now = *f;
    now->body = rebuild(&g, f->body);
    return now;
}
