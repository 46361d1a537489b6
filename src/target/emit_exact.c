// emit_exact.c - float arithmetic whose result becomes a whole number: --fast-math leaves it as it is.
//
// A place in an image that is off in its last bit may round to another pixel. What a conversion to an integer or a
// rounding takes is followed back through variables and through the buffers of the program.
#include "loop/walk.h"
#include "target/emit.h"

typedef struct search {
    emitter *e;
    bool grew;
} search;

static bool rounds(const expr *x) {
    if (x->op == EXPR_CAST) return dtype_is_float(x->in[0]->type) && dtype_is_int(x->type);
    if (x->op == EXPR_FLOOR_DIV) return dtype_is_float(x->type);
    if (x->op != EXPR_CALL || !dtype_is_float(x->type)) return false;
    intrinsic_id id = (intrinsic_id)x->as.intrin->id;
    return id == INTRIN_FLOOR || id == INTRIN_CEIL || id == INTRIN_TRUNC || id == INTRIN_ROUND ||
           id == INTRIN_NEARBYINT;
}

static void put(search *s, const void *what) {
    if (map_has(&s->e->exact, MAP_KEY(what))) return;
    map_put(&s->e->exact, MAP_KEY(what), s->e);
    s->grew = true;
}

// An expression with all that it is made of.
static void keep_all(search *s, const expr *x) {
    if (map_has(&s->e->exact, MAP_KEY(x))) return;
    expr_walk w = expr_walk_from(s->e->mem, x);
    for (const expr *y; (y = expr_walk_next(&w));) {
        put(s, y);
        if (y->op == EXPR_LOAD) put(s, y->as.buffer);
    }
}

static void look_through(search *s, const expr *x) {
    expr_walk w = expr_walk_from(s->e->mem, x);
    for (const expr *y; (y = expr_walk_next(&w));) {
        for (uint32_t i = 0; rounds(y) && i < y->count; i++) keep_all(s, y->in[i]);
        if (y->op == EXPR_LET && map_has(&s->e->exact, MAP_KEY(y->in[0]))) keep_all(s, y->in[1]);
    }
}

static void look_at(search *s, const stmt *st) {
    expr_list own = {0};
    stmt_expressions(st, s->e->mem, &own);
    for (uint32_t i = 0; i < own.len; i++) look_through(s, own.at[i]);
    if (st->kind == STMT_STORE && map_has(&s->e->exact, MAP_KEY(st->as.store.buf))) keep_all(s, st->as.store.value);
    if (st->kind == STMT_LET && map_has(&s->e->exact, MAP_KEY(st->as.let.var))) keep_all(s, st->as.let.value);
}

// What is stored may be read further up, in the next round of a loop: until nothing more is found.
void emit_find_exact(emitter *e) {
    e->exact = MAP_IN(e->mem);
    if (!e->options->fast_math) return;
    search s = {.e = e, .grew = true};
    while (s.grew) {
        s.grew = false;
        stmt_walk w = stmt_walk_from(e->mem, e->func->body);
        while (stmt_walk_next(&w))
            if (!w.leaving) look_at(&s, w.st);
    }
}
