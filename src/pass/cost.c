// cost.c - the work in expressions and programs.
#include "pass/cost.h"
#include "loop/walk.h"

// A cycle or two for most operations, tens of them for these.
// Calls of unknown or impure functions count as dear too.
static bool is_dear(const expr *e) {
    return (e->op == EXPR_CALL && (e->as.intrin->takes == TAKES_FLOATS || !e->as.intrin->pure)) || e->op == EXPR_DIV ||
           e->op == EXPR_CALL_FUNC;
}

// Buffers are a set: reading one twice costs its bytes once, from the cache afterwards.
void cost_add(cost *c, arena *mem, const expr *value) {
    expr_walk w = expr_walk_from(mem, value);
    for (const expr *e; (e = expr_walk_next(&w));) {
        c->nodes++;
        c->dear |= is_dear(e);
        c->arithmetic |= e->op >= EXPR_ADD && e->op <= EXPR_MAX && dtype_is_float(e->type);
        if (e->op == EXPR_LOAD) map_put(&c->buffers, MAP_KEY(e->as.buffer), c);
    }
}

// In bits: quantised formats pack several elements into a byte.
static const expr *bits_of(expr_session *s, const buffer *b) {
    const expr *bits = expr_i64(s, dtype_bits(b->type));
    for (uint32_t i = 0; i < b->rank; i++) bits = expr_binary(s, EXPR_MUL, bits, expr_cast(s, bits->type, b->dim[i]));
    return bits;
}

// Whether the bytes read, `times` over, are proved to be no more than the bytes of `out`: for all symbols at least 0.
bool cost_unpacks(expr_session *s, const cost *c, const buffer *out, uint32_t times) {
    const expr *bits = expr_i64(s, 0);
    facts *f = facts_new(s);
    for (uint32_t i = 0; i < c->buffers.len; i++) {
        const buffer *b = (const buffer *)(uintptr_t)c->buffers.entry[i].key;
        for (uint32_t k = 0; k < b->rank; k++)
            facts_assume(f, expr_binary(s, EXPR_GE, b->dim[k], expr_int(s, b->dim[k]->type, 0)));
        bits = expr_binary(s, EXPR_ADD, bits, bits_of(s, b));
    }
    bits = expr_binary(s, EXPR_MUL, bits, expr_i64(s, times));
    return prove_less_equal(s, bits, bits_of(s, out), f);
}

// What all stores of the program take; the buffer of the last one, NULL where the program does something else.
static const buffer *loop_cost(arena *mem, const loop_func *f, cost *c) {
    const buffer *out = NULL;
    for (stmt_walk w = stmt_walk_from(mem, f->body); stmt_walk_next(&w);) {
        if (w.leaving) continue;
        if (w.st->kind == STMT_EVALUATE || w.st->kind == STMT_WHILE) return NULL;
        if (w.st->kind != STMT_STORE) continue;
        out = w.st->as.store.buf;
        cost_add(c, mem, w.st->as.store.value);
    }
    return out;
}

// MOVES does no arithmetic at all; UNPACKS does some, but reads less than it writes (dequantisation).
program_work loop_work(expr_session *s, arena *mem, const loop_func *f) {
    cost c = {.buffers = MAP_IN(mem)};
    const buffer *out = loop_cost(mem, f, &c);
    if (!out || c.dear) return WORK_SOME;
    if (!c.arithmetic && c.buffers.len) return WORK_MOVES;
    return c.buffers.len && cost_unpacks(s, &c, out, 1) ? WORK_UNPACKS : WORK_SOME;
}

bool loop_unpacks(expr_session *s, arena *mem, const loop_func *f, uint32_t times) {
    cost c = {.buffers = MAP_IN(mem)};
    const buffer *out = loop_cost(mem, f, &c);
    return out && cost_unpacks(s, &c, out, times);
}

// An index that loads (an id of a token) is known only when the program runs.
static bool loads_anything(arena *mem, const expr *e) {
    expr_walk w = expr_walk_from(mem, e);
    for (const expr *x; (x = expr_walk_next(&w));)
        if (x->op == EXPR_LOAD) return true;
    return false;
}

static bool gathers_from(arena *mem, const expr *value, const buffer *b) {
    expr_walk w = expr_walk_from(mem, value);
    for (const expr *x; (x = expr_walk_next(&w));)
        for (uint32_t i = 0; x->op == EXPR_LOAD && x->as.buffer == b && i < x->count; i++)
            if (loads_anything(mem, x->in[i])) return true;
    return false;
}

bool loop_gathers(arena *mem, const loop_func *f, uint32_t i) {
    const buffer *b = i < f->params ? f->param[i].buf : NULL;
    for (stmt_walk w = stmt_walk_from(mem, f->body); b && stmt_walk_next(&w);)
        if (!w.leaving && w.st->kind == STMT_STORE && gathers_from(mem, w.st->as.store.value, b)) return true;
    return false;
}
