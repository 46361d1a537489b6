// access.c - every load and store below a statement, with indices over loop variables: blocks are looked through.
#include "schedule/inside.h"

typedef struct finder {
    schedule *sch;
    accesses *out;
    map env;  // block variable -> what it stands for
    map seen; // hash of an access -> index + 1, the newest of its kind
    const stmt *leaf;
    bool init;
} finder;

// All values are read before any variable is bound: they speak of what is around the block.
static void bind_block(schedule *sch, map *env, const block *b) {
    const expr **value = ARENA_NEW(sch->mem, const expr *, b->iters + 1);
    for (uint32_t i = 0; i < b->iters; i++) {
        value[i] = expr_substitute(sch->s, b->iter[i].value, env);
        if (!dtype_equal(value[i]->type, b->iter[i].var->type))
            value[i] = expr_cast(sch->s, b->iter[i].var->type, value[i]);
    }
    for (uint32_t i = 0; i < b->iters; i++) map_put(env, MAP_KEY(b->iter[i].var), (void *)(uintptr_t)value[i]);
}

map bindings_around(schedule *sch, const stmt_list *path) {
    map env = MAP_IN(sch->mem);
    for (uint32_t i = 0; i + 1 < path->len; i++)
        if (path->at[i]->kind == STMT_BLOCK) bind_block(sch, &env, path->at[i]->as.block);
    return env;
}

const expr **bound_values(schedule *sch, const stmt_list *path) {
    const block *b = path_end(path)->as.block;
    const expr **value = ARENA_NEW(sch->mem, const expr *, b->iters + 1);
    map env = bindings_around(sch, path);
    for (uint32_t i = 0; i < b->iters; i++) value[i] = expr_substitute(sch->s, b->iter[i].value, &env);
    return value;
}

static bool same_access(const access *a, const access *b) {
    bool same = a->buf == b->buf && a->writes == b->writes && a->init == b->init && a->leaf == b->leaf;
    for (uint32_t i = 0; same && i < a->count; i++) same = a->index[i] == b->index[i];
    return same;
}

// The same access again (an index used twice in an expression) tells nothing new.
static void put(finder *f, bool writes, const buffer *buf, const expr *const *index, uint32_t count) {
    const expr **now = ARENA_NEW(f->sch->mem, const expr *, count + 1);
    for (uint32_t i = 0; i < count; i++) now[i] = expr_substitute(f->sch->s, index[i], &f->env);
    const access a = {.buf = buf, .index = now, .count = count, .writes = writes, .init = f->init, .leaf = f->leaf};
    for (uint32_t i = f->out->list.len; i-- > 0 && f->out->list.at[i].leaf == f->leaf;)
        if (same_access(&f->out->list.at[i], &a)) return;
    VEC_PUSH(f->sch->mem, &f->out->list, a);
}

static void find_loads(finder *f, const expr *e) {
    if (!e || (!e->count && e->op != EXPR_LOAD)) return;
    expr_walk w = expr_walk_from(f->sch->mem, e);
    for (const expr *x; (x = expr_walk_next(&w));)
        if (x->op == EXPR_LOAD) put(f, false, x->as.buffer, x->in, x->count);
}

static void find_direct(finder *f, const stmt *st) {
    expr_list direct = {0};
    stmt_expressions(st, f->sch->mem, &direct);
    for (uint32_t i = 0; i < direct.len; i++) find_loads(f, direct.at[i]);
}

static void find(finder *f, const stmt *st);

// Inside, the block's variables stand for their values; its own buffers can't conflict with anything outside.
static void find_in_block(finder *f, const stmt *st) {
    const block *b = st->as.block;
    const stmt *outer = f->leaf;
    for (uint32_t i = 0; i < b->iters; i++) find_loads(f, b->iter[i].value);
    find_loads(f, b->where);
    bind_block(f->sch, &f->env, b);
    for (uint32_t i = 0; i < b->allocs; i++) map_put(&f->out->owned, MAP_KEY(b->alloc[i]), f->sch);
    f->leaf = st;
    if (b->init) {
        f->init = true;
        find(f, b->init);
        f->init = false;
    }
    find(f, b->body);
    f->leaf = outer;
}

// The range in terms of loops, as all indices are.
static void find_in_loop(finder *f, const stmt *st) {
    find_direct(f, st);
    stmt *now = (stmt *)(uintptr_t)stmt_copy(f->sch->mem, st);
    now->as.loop.min = expr_substitute(f->sch->s, st->as.loop.min, &f->env);
    now->as.loop.extent = expr_substitute(f->sch->s, st->as.loop.extent, &f->env);
    VEC_PUSH(f->sch->mem, &f->out->loops, now);
    find(f, st->as.loop.body);
}

static void find(finder *f, const stmt *st) {
    if (st->kind == STMT_BLOCK) {
        find_in_block(f, st);
        return;
    }
    if (st->kind == STMT_FOR) {
        find_in_loop(f, st);
        return;
    }
    find_direct(f, st);
    if (st->kind == STMT_STORE) put(f, true, st->as.store.buf, st->as.store.index, st->as.store.count);
    if (st->kind == STMT_LET)
        map_put(&f->env, MAP_KEY(st->as.let.var),
                (void *)(uintptr_t)expr_substitute(f->sch->s, st->as.let.value, &f->env));
    for (uint32_t i = 0; stmt_child(st, i); i++) find(f, stmt_child(st, i));
}

accesses accesses_below(schedule *sch, const stmt_list *path) {
    accesses out = {.owned = MAP_IN(sch->mem), .opaque = summary_of(sch, path_end(path))->opaque};
    finder f = {.sch = sch, .out = &out, .env = bindings_around(sch, path)};
    find(&f, path_end(path));
    return out;
}
