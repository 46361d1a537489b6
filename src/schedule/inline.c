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
        if (d->var[i]->op == EXPR_VAR)
            map_put(&with, MAP_KEY(d->var[i]), (void *)(uintptr_t)expr_cast(d->sch->s, d->var[i]->type, load->in[i]));
    return expr_substitute(d->sch->s, d->value, &with);
}

static bool loads_from(const definition *d, const expr *e) {
    map loaded = MAP_IN(d->sch->mem);
    expr_loaded_buffers(e, &loaded);
    return map_has(&loaded, MAP_KEY(d->buf));
}

// Replaces the loads of the buffer, innermost first where an index loads it too.
static const expr *inline_in(const definition *d, const expr *e) {
    for (;;) {
        map with = MAP_IN(d->sch->mem);
        expr_walk w = expr_walk_from(d->sch->mem, e);
        for (const expr *x; (x = expr_walk_next(&w));) {
            if (x->op != EXPR_LOAD || x->as.buffer != d->buf) continue;
            bool nested = false;
            for (uint32_t i = 0; i < x->count; i++) nested |= loads_from(d, x->in[i]);
            if (!nested) map_put(&with, MAP_KEY(x), (void *)(uintptr_t)written_out(d, x));
        }
        if (!with.len) return e;
        e = expr_substitute(d->sch->s, e, &with);
    }
}

static const stmt *inline_store(const definition *d, const stmt *st) {
    const expr **index = ARENA_NEW(d->sch->mem, const expr *, st->as.store.count + 1);
    for (uint32_t i = 0; i < st->as.store.count; i++) index[i] = inline_in(d, st->as.store.index[i]);
    stmt *now = (stmt *)(uintptr_t)stmt_copy(d->sch->mem, st);
    now->as.store.index = index;
    now->as.store.value = inline_in(d, st->as.store.value);
    now->as.store.predicate = st->as.store.predicate ? inline_in(d, st->as.store.predicate) : NULL;
    return now;
}

// A block whose reads have changed: what its text said of them no longer holds.
static const stmt *inline_block(const definition *d, const stmt *st) {
    block b = *st->as.block;
    uint32_t kept = 0;
    const buffer **alloc = ARENA_NEW(d->sch->mem, const buffer *, b.allocs + 1);
    for (uint32_t i = 0; i < b.allocs; i++)
        if (b.alloc[i] != d->buf) alloc[kept++] = b.alloc[i];
    b.alloc = alloc;
    b.allocs = kept;
    return block_changed(d->sch, &b);
}

static const stmt *inline_stmt(const definition *d, const stmt *st) {
    bool owner = false;
    for (uint32_t i = 0; st->kind == STMT_BLOCK && i < st->as.block->allocs; i++)
        owner |= st->as.block->alloc[i] == d->buf;
    if (!owner && !touches(d->sch, st, d->buf)) return st;
    uint32_t n = 0;
    while (stmt_child(st, n)) n++;
    const stmt **child = ARENA_NEW(d->sch->mem, const stmt *, n + 1);
    for (uint32_t i = 0; i < n; i++) child[i] = inline_stmt(d, stmt_child(st, i));
    st = stmt_with_children(d->sch->mem, st, child);
    if (st->kind == STMT_BLOCK) return inline_block(d, st);
    return st->kind == STMT_STORE ? inline_store(d, st) : st;
}

// --- When it is legal.

static bool loads_vector(const schedule *sch, const expr *e, const buffer *buf) {
    expr_walk w = expr_walk_from(sch->mem, e);
    for (const expr *x; (x = expr_walk_next(&w));)
        if (x->op == EXPR_LOAD && x->as.buffer == buf && !dtype_equal(x->type, buf->type)) return true;
    return false;
}

// Loads of several elements at once, and statements other than stores that load (conditions, bounds), keep a block
// from being inlined.
static bool read_by_stores_alone(const schedule *sch, const buffer *buf) {
    stmt_walk w = stmt_walk_from(sch->mem, sch->func->body);
    while (stmt_walk_next(&w)) {
        if (w.leaving) continue;
        expr_list direct = {0};
        map loaded = MAP_IN(sch->mem);
        stmt_expressions(w.st, sch->mem, &direct);
        for (uint32_t i = 0; i < direct.len; i++) {
            expr_loaded_buffers(direct.at[i], &loaded);
            if (map_has(&loaded, MAP_KEY(buf)) && loads_vector(sch, direct.at[i], buf)) return false;
        }
        if (w.st->kind != STMT_STORE && map_has(&loaded, MAP_KEY(buf))) return false;
    }
    return true;
}

static uint32_t stores_to(const schedule *sch, const buffer *buf) {
    uint32_t count = 0;
    stmt_walk w = stmt_walk_from(sch->mem, sch->func->body);
    while (stmt_walk_next(&w)) count += !w.leaving && w.st->kind == STMT_STORE && w.st->as.store.buf == buf;
    return count;
}

static bool written_after(const schedule *sch, const stmt_list *path, const buffer *buf) {
    for (uint32_t i = 0; i + 1 < path->len; i++) {
        const stmt *st = path->at[i];
        if (st->kind == STMT_FOR && writes_buffer(sch, st, buf)) return true; // its next iteration
        bool later = false;
        for (uint32_t k = 0; st->kind == STMT_SEQ && k < st->as.seq.count; k++) {
            if (later && writes_buffer(sch, st->as.seq.list[k], buf)) return true;
            later |= st->as.seq.list[k] == path->at[i + 1];
        }
    }
    return false;
}

static bool inputs_stay(schedule *sch, const stmt_list *path, const block_shape *shape) {
    map loaded = MAP_IN(sch->mem);
    expr_loaded_buffers(shape->store->as.store.value, &loaded);
    const char *name = path_end(path)->as.block->name;
    if (map_has(&loaded, MAP_KEY(shape->out)))
        return refuse(sch, "compute_inline", "block %s reads %s, which it writes", name, shape->out->name);
    for (uint32_t i = 0; i < loaded.len; i++) {
        const buffer *buf = (const buffer *)(uintptr_t)loaded.entry[i].key;
        if (written_after(sch, path, buf))
            return refuse(sch, "compute_inline", "%s, which block %s reads, is written again later", buf->name, name);
    }
    return true;
}

static bool can_inline(schedule *sch, const stmt_list *path, block_shape *shape) {
    const block *b = path_end(path)->as.block;
    const char *way = in_the_way(path, 0, path->len);
    if (!block_understand(sch, b, shape) || shape->reduction || b->init || b->where || b->body != shape->store ||
        shape->store->as.store.predicate)
        return refuse(sch, "compute_inline", "block %s is not one plain assignment of an element", b->name);
    if (way) return refuse(sch, "compute_inline", "block %s stands inside %s", b->name, way);
    if (is_parameter(sch, shape->out))
        return refuse(sch, "compute_inline", "block %s writes the parameter %s", b->name, shape->out->name);
    if (stores_to(sch, shape->out) != 1)
        return refuse(sch, "compute_inline", "%s is written by several blocks", shape->out->name);
    if (summary_of(sch, sch->func->body)->opaque)
        return refuse(sch, "compute_inline", "the program holds %s", summary_of(sch, sch->func->body)->opaque);
    if (!reads_buffer(sch, sch->func->body, shape->out))
        return refuse(sch, "compute_inline", "nothing reads %s, which block %s writes", shape->out->name, b->name);
    if (!inputs_stay(sch, path, shape)) return false;
    return read_by_stores_alone(sch, shape->out) ||
           refuse(sch, "compute_inline", "%s is read by a condition or a bound, or several elements at once",
                  shape->out->name);
}

bool schedule_compute_inline(schedule *sch, block_ref producer) {
    stmt_list path = {0};
    block_shape shape;
    if (!must_block(sch, producer, "compute_inline", &path) || !can_inline(sch, &path, &shape)) return false;
    const char *name = block_name(sch, producer);
    tree_replace(sch, &path, NULL);
    const definition d = {sch, shape.out, shape.written, shape.store->as.store.value};
    sch->func->body = inline_stmt(&d, sch->func->body);
    trace_line(sch, "compute_inline(%s)", name);
    return true;
}
