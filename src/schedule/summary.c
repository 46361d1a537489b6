// summary.c - which buffers a statement touches; remembered, since statements never change.
#include "loop/walk.h"
#include "schedule/inside.h"

// A buffer is in the list once, whether it is read, written or both.
static void put(const schedule *sch, summary *m, const buffer *buf, bool reads, bool writes) {
    uintptr_t known = (uintptr_t)map_find(&m->at, MAP_KEY(buf));
    if (!known) {
        const usage fresh = {.buf = buf};
        VEC_PUSH(sch->mem, &m->use, fresh);
        known = m->use.len;
        map_put(&m->at, MAP_KEY(buf), (void *)known);
    }
    m->use.at[known - 1].reads |= reads;
    m->use.at[known - 1].writes |= writes;
}

bool calls_with_effect(const schedule *sch, const expr *e) {
    expr_walk w = expr_walk_from(sch->mem, e);
    for (const expr *x; (x = expr_walk_next(&w));)
        if (x->op == EXPR_CALL_FUNC || (x->op == EXPR_CALL && !x->as.intrin->pure)) return true;
    return false;
}

// What a statement's own expressions load; those below it count for themselves.
static void put_expressions(const schedule *sch, summary *m, const stmt *st) {
    expr_list direct = {0};
    map loaded = MAP_IN(sch->mem);
    stmt_expressions(st, sch->mem, &direct);
    for (uint32_t i = 0; i < direct.len; i++) {
        if (!direct.at[i]->count && direct.at[i]->op != EXPR_LOAD) continue;
        expr_loaded_buffers(direct.at[i], &loaded);
        if (!m->opaque && calls_with_effect(sch, direct.at[i])) m->opaque = "a call with effects";
    }
    for (uint32_t i = 0; i < loaded.len; i++) put(sch, m, (const buffer *)(uintptr_t)loaded.entry[i].key, true, false);
}

// What schedules don't look through: its memory may be another buffer's, or its course unknown.
static const char *opaque_statement(const stmt *st) {
    if (st->kind == STMT_WHILE) return "a while loop";
    if (st->kind == STMT_DECL_BUFFER) return "a buffer over another one's memory";
    if (st->kind == STMT_ALLOCATE) return "raw memory";
    if (st->kind == STMT_ASSERT) return "an assert";
    if (st->kind == STMT_ATTR) return "an attribute";
    if (st->kind == STMT_BLOCK && st->as.block->matches) return "a matched buffer";
    return NULL;
}

static void add_child(const schedule *sch, summary *m, const stmt *st) {
    const summary *c = summary_of(sch, st);
    for (uint32_t i = 0; i < c->use.len; i++) put(sch, m, c->use.at[i].buf, c->use.at[i].reads, c->use.at[i].writes);
    m->blocks += c->blocks;
    if (!m->opaque) m->opaque = c->opaque;
}

// Statements are shared between versions of a program, so most summaries outlive the change that asks for them.
const summary *summary_of(const schedule *sch, const stmt *st) {
    summary *m = map_find(&sch->summaries, MAP_KEY(st));
    if (m) return m;
    m = ARENA_NEW(sch->mem, summary, 1);
    m->at = MAP_IN(sch->mem);
    m->blocks = st->kind == STMT_BLOCK;
    m->opaque = opaque_statement(st);
    put_expressions(sch, m, st);
    if (st->kind == STMT_STORE) put(sch, m, st->as.store.buf, false, true);
    for (uint32_t i = 0; stmt_child(st, i); i++) add_child(sch, m, stmt_child(st, i));
    map_put(&((schedule *)(uintptr_t)sch)->summaries, MAP_KEY(st), m);
    return m;
}

static const usage *use_of(const schedule *sch, const stmt *st, const buffer *buf) {
    const summary *m = summary_of(sch, st);
    uintptr_t known = (uintptr_t)map_find(&m->at, MAP_KEY(buf));
    return known ? &m->use.at[known - 1] : NULL;
}

bool reads_buffer(const schedule *sch, const stmt *st, const buffer *buf) {
    const usage *u = use_of(sch, st, buf);
    return u && u->reads;
}

bool writes_buffer(const schedule *sch, const stmt *st, const buffer *buf) {
    const usage *u = use_of(sch, st, buf);
    return u && u->writes;
}

bool touches(const schedule *sch, const stmt *st, const buffer *buf) { return use_of(sch, st, buf) != NULL; }
