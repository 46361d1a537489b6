// inline.c - compute_inline: a block's value is written out where it is read, and the block goes away.
//
//   for i: A[i] = x[i] * 2               for i: B[i] = x[i] * 2 + 1
//   for i: B[i] = A[i] + 1       ->
#include "loop/walk.h"
#include "schedule/inside.h"

// A definition "buf[var…] = value".
typedef struct definition {
    schedule *sch;
    const buffer *buf;
    const expr *const *var;
    const expr *value;
} definition;

static const expr *written_out(const definition *d, const expr *load) {
    map with = MAP_IN(d->sch->mem);
    for (uint32_t i = 0; i < load->count; i++)
        if (d->var[i]->op == EXPR_VAR) map_put(&with, MAP_KEY(d->var[i]), (void *)(uintptr_t)load->in[i]);
    return expr_substitute(d->sch->s, d->value, &with);
}

// Replaces the loads of the buffer, innermost first where an index loads it too.
static const expr *inline_in(const definition *d, const expr *e) {
    for (;;) {
        map with = MAP_IN(d->sch->mem);
        expr_walk w = expr_walk_from(d->sch->mem, e);
        for (const expr *x; (x = expr_walk_next(&w));) {
            if (x->op != EXPR_LOAD || x->as.buffer != d->buf) continue;
            bool nested = false;
            for (uint32_t i = 0; i < x->count; i++) {
                map loaded = MAP_IN(d->sch->mem);
                expr_loaded_buffers(x->in[i], &loaded);
                nested |= map_has(&loaded, MAP_KEY(d->buf));
            }
            if (!nested) map_put(&with, MAP_KEY(x), (void *)(uintptr_t)written_out(d, x));
        }
        if (!with.len) return e;
        e = expr_substitute(d->sch->s, e, &with);
    }
}

static const stmt *inline_store(const definition *d, const stmt *st) {
    const expr **index = ARENA_NEW(d->sch->mem, const expr *, st->as.store.count + 1);
    for (uint32_t i = 0; i < st->as.store.count; i++) index[i] = inline_in(d, st->as.store.index[i]);
    const expr *value = inline_in(d, st->as.store.value);
    stmt *now = (stmt *)(uintptr_t)stmt_store(d->sch->mem, st->as.store.buf, index, st->as.store.count, value);
    now->at = st->at;
    now->as.store.predicate = st->as.store.predicate ? inline_in(d, st->as.store.predicate) : NULL;
    return now;
}

// A block whose reads have changed: what its text said of them no longer holds.
static const stmt *without_regions(const definition *d, const stmt *st) {
    block b = *st->as.block;
    uint32_t kept = 0;
    const buffer **alloc = ARENA_NEW(d->sch->mem, const buffer *, b.allocs + 1);
    for (uint32_t i = 0; i < b.allocs; i++)
        if (b.alloc[i] != d->buf) alloc[kept++] = b.alloc[i];
    b.alloc = alloc;
    b.allocs = kept;
    b.regions_written = false;
    b.reads = b.writes = 0;
    return stmt_block(d->sch->mem, &b);
}

static const stmt *inline_stmt(const definition *d, const stmt *st) {
    uint32_t n = 0;
    while (stmt_child(st, n)) n++;
    const stmt **child = ARENA_NEW(d->sch->mem, const stmt *, n + 1);
    for (uint32_t i = 0; i < n; i++) child[i] = inline_stmt(d, stmt_child(st, i));
    st = stmt_with_children(d->sch->mem, st, child);
    if (st->kind == STMT_BLOCK) return without_regions(d, st);
    return st->kind == STMT_STORE ? inline_store(d, st) : st;
}

// Statements other than stores that load the buffer (conditions, bounds) keep a block from being inlined.
static bool read_by_stores_alone(const schedule *sch, const buffer *buf) {
    stmt_walk w = stmt_walk_from(sch->mem, sch->func->body);
    while (stmt_walk_next(&w)) {
        if (w.leaving || w.st->kind == STMT_STORE) continue;
        expr_list direct = {0};
        map loaded = MAP_IN(sch->mem);
        if (w.st->kind != STMT_BLOCK) stmt_expressions(w.st, sch->mem, &direct);
        for (uint32_t i = 0; i < direct.len; i++) expr_loaded_buffers(direct.at[i], &loaded);
        if (map_has(&loaded, MAP_KEY(buf))) return false;
    }
    return true;
}

static bool is_parameter(const schedule *sch, const buffer *buf) {
    for (uint32_t i = 0; i < sch->func->params; i++)
        if (sch->func->param[i].buf == buf) return true;
    return false;
}

static bool written_once(const schedule *sch, const buffer *buf) {
    uint32_t writers = 0;
    stmt_walk w = stmt_walk_from(sch->mem, sch->func->body);
    while (stmt_walk_next(&w)) writers += !w.leaving && w.st->kind == STMT_STORE && w.st->as.store.buf == buf;
    return writers == 1;
}

bool schedule_compute_inline(schedule *sch, block_ref producer) {
    stmt_list path = {0};
    block_shape shape;
    if (!must_block(sch, producer, "compute_inline", &path)) return false;
    const block *b = path_end(&path)->as.block;
    if (!block_understand(sch, b, &shape) || shape.reduction || b->init || b->where || b->body != shape.store)
        return refuse(sch, "compute_inline", "block %s is not one plain assignment of an element", b->name);
    if (is_parameter(sch, shape.out))
        return refuse(sch, "compute_inline", "block %s writes the parameter %s", b->name, shape.out->name);
    if (!written_once(sch, shape.out))
        return refuse(sch, "compute_inline", "%s is written by several blocks", shape.out->name);
    map own = MAP_IN(sch->mem);
    expr_loaded_buffers(shape.store->as.store.value, &own);
    if (map_has(&own, MAP_KEY(shape.out)))
        return refuse(sch, "compute_inline", "block %s reads what it writes", b->name);
    if (!read_by_stores_alone(sch, shape.out))
        return refuse(sch, "compute_inline", "%s is read by a condition or a bound", shape.out->name);
    tree_replace(sch, &path, NULL);
    const definition d = {sch, shape.out, shape.written, shape.store->as.store.value};
    sch->func->body = inline_stmt(&d, sch->func->body);
    trace_line(sch, "compute_inline(b%u)", producer.id);
    return true;
}
