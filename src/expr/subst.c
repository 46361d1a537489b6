// subst.c - substitution: rebuilds an expression bottom-up with some nodes (and buffers) replaced.
//
// Work is linear in the distinct nodes; a side table by node id remembers results, an explicit stack replaces
// recursion.
#include "expr/session.h"
#include <string.h>

// result[id] counts where round[id] is the current round, so starting a round costs nothing.
typedef struct replace_table {
    const expr **result;
    uint32_t *round;
    uint32_t room, now;
    expr_list todo;
    const expr **operand; // of the node being rebuilt
    uint32_t operands;
} replace_table;

typedef struct replacing {
    expr_session *s;
    replace_table *t;
    const map *with, *buffers;
} replacing;

static replace_table *table_for(expr_session *s, const expr *e) {
    if (!s->replace) s->replace = ARENA_NEW(s->mem, replace_table, 1);
    replace_table *t = s->replace;
    if (e->id >= t->room) {
        t->room = (e->id + 1) * 2;
        t->result = ARENA_NEW(s->mem, const expr *, t->room);
        t->round = ARENA_NEW(s->mem, uint32_t, t->room);
        t->now = 0;
    }
    if (++t->now == 0) { // the counter wrapped: old marks would count again
        memset(t->round, 0, t->room * sizeof *t->round);
        t->now = 1;
    }
    t->todo.len = 0;
    return t;
}

static bool is_done(const replace_table *t, const expr *e) { return t->round[e->id] == t->now; }

static void set_done(replace_table *t, const expr *e, const expr *result) {
    t->round[e->id] = t->now;
    t->result[e->id] = result;
}

// True if nothing was missing.
static bool operands_done(const replacing *r, const expr *e) {
    bool done = true;
    for (uint32_t i = e->count; i-- > 0;) {
        if (is_done(r->t, e->in[i])) continue;
        VEC_PUSH(r->s->mem, &r->t->todo, e->in[i]);
        done = false;
    }
    return done;
}

// Operands first: their results are in the table when the node above needs them.
static const expr *rebuild(const replacing *r, const expr *e) {
    replace_table *t = r->t;
    if (e->count > t->operands) {
        t->operands = e->count * 2;
        t->operand = ARENA_NEW(r->s->mem, const expr *, t->operands);
    }
    for (uint32_t i = 0; i < e->count; i++) t->operand[i] = t->result[e->in[i]->id];
    const struct buffer *b = e->op == EXPR_LOAD && r->buffers ? map_find(r->buffers, MAP_KEY(e->as.buffer)) : NULL;
    return b ? expr_load(r->s, b, e->type, t->operand, e->count) : expr_with(r->s, e, t->operand);
}

static const expr *replaced_whole(const replacing *r, const expr *e) {
    const expr *to = r->with ? map_find(r->with, MAP_KEY(e)) : NULL;
    CHECK(!to || dtype_equal(to->type, e->type));
    return to;
}

// Linear in the distinct nodes, whatever the size of the expression as a tree.
const expr *expr_replace(expr_session *s, const expr *e, const map *with, const map *buffers) {
    if (!(with && with->len) && !(buffers && buffers->len)) return e;
    replacing r = {.s = s, .t = table_for(s, e), .with = with, .buffers = buffers};
    VEC_PUSH(s->mem, &r.t->todo, e);
    while (r.t->todo.len) {
        const expr *top = r.t->todo.at[r.t->todo.len - 1];
        const expr *to = is_done(r.t, top) ? r.t->result[top->id] : replaced_whole(&r, top);
        if (!to && !operands_done(&r, top)) continue;
        set_done(r.t, top, to ? to : rebuild(&r, top));
        r.t->todo.len--;
    }
    return r.t->result[e->id];
}

const expr *expr_substitute(expr_session *s, const expr *e, const map *with) { return expr_replace(s, e, with, NULL); }
