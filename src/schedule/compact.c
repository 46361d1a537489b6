// compact.c - intermediate buffers move to where they are used and shrink to what is used of them there.
//
//   alloc A[n, 256]                           for i (parallel):
//   for i (parallel):                  ->         block with alloc A[1, 16], for j.0:
//     for j.0: A[i, j.0*16 + …] …                   A[0, …] …
//
// So iterations of a parallel loop have their own copy, small enough for a cache or for registers.
#include "schedule/rules.h"

// The innermost loop that holds every access of the buffer; false if only the whole program does.
static bool innermost_loop(const schedule *sch, const buffer *buf, stmt_list *path) {
    stmt_list at = {0};
    uint32_t loop = 0;
    bool r, w;
    for (const stmt *st = sch->func->body;;) {
        VEC_PUSH(sch->mem, &at, st);
        if (st->kind == STMT_FOR) loop = at.len;
        if (st->kind == STMT_BLOCK && st->as.block->iters) break;
        const stmt *only = NULL;
        uint32_t touching = 0;
        for (uint32_t i = 0; stmt_child(st, i); i++)
            if (touches(sch, stmt_child(st, i), buf, &r, &w)) {
                only = stmt_child(st, i);
                touching++;
            }
        if (touching != 1) break;
        st = only;
    }
    for (uint32_t i = 0; i < loop; i++) VEC_PUSH(sch->mem, path, at.at[i]);
    return loop > 0;
}

static bool used_box(schedule *sch, const stmt *body, const buffer *buf, const facts *f, region *box) {
    region_list reads = {0}, writes = {0};
    bool found = false;
    stmt_regions(sch->s, sch->mem, body, f, &reads, &writes);
    const region_list *both[] = {&reads, &writes};
    for (uint32_t b = 0; b < COUNT(both); b++)
        for (uint32_t i = 0; i < both[b]->len; i++) {
            if (both[b]->at[i].buf != buf) continue;
            *box = found ? region_union(sch->s, sch->mem, *box, both[b]->at[i], f) : both[b]->at[i];
            found = true;
        }
    return found;
}

// Sizes must be known where the kernel starts: no variable of a loop around.
static bool size_is_fixed(const stmt_list *path, const expr *extent) {
    for (uint32_t i = 0; i < path->len; i++)
        if (path->at[i]->kind == STMT_FOR && expr_uses_var(extent, path->at[i]->as.loop.var)) return false;
    return true;
}

typedef struct shrinking {
    schedule *sch;
    const buffer *was, *now;
    const expr **low; // subtracted from each index
    facts *facts;
} shrinking;

static const expr *shifted(const shrinking *k, uint32_t d, const expr *index) {
    if (expr_is_int(k->low[d], 0)) return index;
    expr_session *s = k->sch->s;
    return expr_simplify(s, expr_binary(s, EXPR_SUB, index, expr_cast(s, index->type, k->low[d])), k->facts);
}

static const expr *shrink_expr(const shrinking *k, const expr *e) {
    map with = MAP_IN(k->sch->mem);
    expr_walk w = expr_walk_from(k->sch->mem, e);
    for (const expr *x; (x = expr_walk_next(&w));) {
        if (x->op != EXPR_LOAD || x->as.buffer != k->was) continue;
        const expr **index = ARENA_NEW(k->sch->mem, const expr *, x->count + 1);
        for (uint32_t i = 0; i < x->count; i++) index[i] = shifted(k, i, x->in[i]);
        map_put(&with, MAP_KEY(x), (void *)(uintptr_t)expr_load(k->sch->s, k->now, x->type, index, x->count));
    }
    return with.len ? expr_substitute(k->sch->s, e, &with) : e;
}

static const stmt *shrink_store(const shrinking *k, const stmt *st) {
    uint32_t count = st->as.store.count;
    const expr **index = ARENA_NEW(k->sch->mem, const expr *, count + 1);
    bool mine = st->as.store.buf == k->was;
    for (uint32_t i = 0; i < count; i++) {
        index[i] = shrink_expr(k, st->as.store.index[i]);
        if (mine) index[i] = shifted(k, i, index[i]);
    }
    stmt *now = (stmt *)(uintptr_t)stmt_copy(k->sch->mem, st);
    now->as.store.buf = mine ? k->now : st->as.store.buf;
    now->as.store.index = index;
    now->as.store.value = shrink_expr(k, st->as.store.value);
    return now;
}

static const stmt *shrink_stmt(shrinking *k, const stmt *st);

// Inside a block the accesses are by its variables; what they stand for is known there.
static const stmt *shrink_block(shrinking *k, const stmt *st) {
    facts *outer = k->facts;
    const block *old = st->as.block;
    k->facts = facts_push(outer);
    for (uint32_t i = 0; i < old->iters; i++)
        facts_assume(k->facts, expr_binary(k->sch->s, EXPR_EQ, old->iter[i].var, old->iter[i].value));
    block b = *old;
    b.regions_written = false;
    b.reads = b.writes = 0;
    b.init = old->init ? shrink_stmt(k, old->init) : NULL;
    b.body = shrink_stmt(k, old->body);
    k->facts = outer;
    return stmt_block(k->sch->mem, &b);
}

static const stmt *shrink_stmt(shrinking *k, const stmt *st) {
    if (st->kind == STMT_STORE) return shrink_store(k, st);
    if (st->kind == STMT_BLOCK) return shrink_block(k, st);
    uint32_t n = 0;
    while (stmt_child(st, n)) n++;
    const stmt **child = ARENA_NEW(k->sch->mem, const stmt *, n + 1);
    for (uint32_t i = 0; i < n; i++) child[i] = shrink_stmt(k, stmt_child(st, i));
    return stmt_with_children(k->sch->mem, st, child);
}

// The buffer with the box's extents where they are fixed, else with its own.
static const buffer *smaller(shrinking *k, const stmt_list *path, const region *box) {
    const buffer *old = k->was;
    const expr **dim = ARENA_NEW(k->sch->mem, const expr *, old->rank + 1);
    k->low = ARENA_NEW(k->sch->mem, const expr *, old->rank + 1);
    for (uint32_t d = 0; d < old->rank; d++) {
        const expr *extent = expr_simplify(k->sch->s, box->dim[d].extent, k->facts);
        bool fits = size_is_fixed(path, extent);
        dim[d] = fits ? expr_cast(k->sch->s, old->dim[d]->type, extent) : old->dim[d];
        k->low[d] = fits ? box->dim[d].min : expr_int(k->sch->s, old->dim[d]->type, 0);
    }
    return buffer_new(k->sch->s, old->name, old->type, dim, old->rank, old->scope);
}

// A block around the loop's body that owns the buffer. Inside a block, loops around it are seen through variables of
// the block alone.
static void wrap(schedule *sch, const stmt_list *path, const stmt *body, const buffer *buf) {
    iter *iters = ARENA_NEW(sch->mem, iter, path->len);
    block b = {.name = arena_format(sch->mem, "%s_local", buf->name), .iter = iters, .allocs = 1, .alloc = &buf};
    map with = MAP_IN(sch->mem);
    for (uint32_t i = 0; i < path->len; i++) {
        const stmt *l = path->at[i];
        if (l->kind != STMT_FOR) continue;
        const expr *var =
            expr_new_var(sch->s, arena_format(sch->mem, "v_%s", l->as.loop.var->as.var->name), l->as.loop.var->type);
        const expr *end = expr_binary(sch->s, EXPR_ADD, l->as.loop.min, l->as.loop.extent);
        iters[b.iters++] =
            (iter){var, ITER_SPATIAL, {l->as.loop.min, expr_simplify(sch->s, end, NULL)}, l->as.loop.var};
        map_put(&with, MAP_KEY(l->as.loop.var), (void *)(uintptr_t)var);
    }
    b.body = stmt_replace(sch->s, sch->mem, body, &with, NULL);
    stmt *loop = (stmt *)(uintptr_t)stmt_copy(sch->mem, path_end(path));
    loop->as.loop.body = stmt_block(sch->mem, &b);
    tree_replace(sch, path, loop);
}

static void drop_root_alloc(schedule *sch, const buffer *buf) {
    block b = *sch->func->body->as.block;
    const buffer **kept = ARENA_NEW(sch->mem, const buffer *, b.allocs + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < b.allocs; i++)
        if (b.alloc[i] != buf) kept[count++] = b.alloc[i];
    b.alloc = kept;
    b.allocs = count;
    sch->func->body = stmt_block(sch->mem, &b);
}

static void compact_one(schedule *sch, const buffer *buf) {
    stmt_list path = {0};
    region box;
    bool r, w;
    if (!touches(sch, sch->func->body, buf, &r, &w)) {
        drop_root_alloc(sch, buf);
        return;
    }
    if (buf->stride || !innermost_loop(sch, buf, &path)) return;
    const stmt *body = path_end(&path)->as.loop.body;
    shrinking k = {.sch = sch, .was = buf, .facts = path_facts(sch, &path)};
    if (!used_box(sch, body, buf, k.facts, &box)) return;
    k.now = smaller(&k, &path, &box);
    wrap(sch, &path, shrink_stmt(&k, body), k.now);
    drop_root_alloc(sch, buf);
}

void compact_buffers(schedule *sch) {
    const stmt *root = sch->func->body;
    if (root->kind != STMT_BLOCK || root->as.block->iters) return;
    const block *b = root->as.block;
    for (uint32_t i = 0; i < b->allocs; i++) compact_one(sch, b->alloc[i]);
}
