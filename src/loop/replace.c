// replace.c - statements with variables, expressions and buffers replaced, and copies with everything bound made new.
//
// Bottom-up over an explicit walk; what does not change is shared. A buffer that is declared inside gets a new
// identity when one of its own expressions changes.
#include "loop/walk.h"

typedef struct replacing {
    expr_session *s;
    arena *mem;
    map with, buffers; // own copies: declarations inside add to them
    bool fresh;        // every declared buffer becomes new
    bool changed;      // the statement being rebuilt differs
} replacing;

static map copy_map(arena *mem, const map *m) {
    map copy = MAP_IN(mem);
    for (uint32_t i = 0; m && i < m->len; i++) map_put(&copy, m->entry[i].key, m->entry[i].value);
    return copy;
}

// --- Pieces. Each notes in r->changed when it returns something else than it got.

static const expr *new_expr(replacing *r, const expr *e) {
    if (!e) return NULL;
    const expr *now = expr_replace(r->s, e, &r->with, &r->buffers);
    r->changed |= now != e;
    return now;
}

static const expr *const *new_exprs(replacing *r, const expr *const *list, uint32_t count) {
    if (!list) return NULL;
    const expr **now = ARENA_NEW(r->mem, const expr *, count);
    bool differs = false;
    for (uint32_t i = 0; i < count; i++) {
        now[i] = new_expr(r, list[i]);
        differs |= now[i] != list[i];
    }
    return differs ? now : list;
}

// A binder takes another variable only; a value in its place would bind nothing.
static const expr *new_binder(replacing *r, const expr *var) {
    const expr *now = var ? map_find(&r->with, MAP_KEY(var)) : NULL;
    if (!now || now->op != EXPR_VAR) return var;
    r->changed |= now != var;
    return now;
}

static const buffer *new_buffer(replacing *r, const buffer *b) {
    const buffer *now = map_find(&r->buffers, MAP_KEY(b));
    if (!now) return b;
    r->changed |= now != b;
    return now;
}

static const attr *new_attr(replacing *r, const attr *a) {
    if (!a) return NULL;
    if (a->kind == ATTR_EXPR) {
        const expr *e = new_expr(r, a->as.e);
        return e == a->as.e ? a : attr_expr(r->mem, e);
    }
    if (a->kind == ATTR_BUFFER) {
        const buffer *b = new_buffer(r, a->as.buffer);
        return b == a->as.buffer ? a : attr_buffer(r->mem, b);
    }
    if (a->kind != ATTR_LIST && a->kind != ATTR_DICT) return a;
    const attr **now = ARENA_NEW(r->mem, const attr *, a->count);
    bool differs = false;
    for (uint32_t i = 0; i < a->count; i++) {
        now[i] = new_attr(r, a->list[i]);
        differs |= now[i] != a->list[i];
    }
    if (!differs) return a;
    return a->kind == ATTR_LIST ? attr_list(r->mem, now, a->count) : attr_dict(r->mem, a->key, now, a->count);
}

static region new_region(replacing *r, const region *old) {
    range *dim = ARENA_NEW(r->mem, range, old->buf->rank);
    for (uint32_t i = 0; i < old->buf->rank; i++)
        dim[i] = (range){new_expr(r, old->dim[i].min), new_expr(r, old->dim[i].extent)};
    return (region){new_buffer(r, old->buf), dim};
}

static const region *new_regions(replacing *r, const region *old, uint32_t count) {
    region *now = ARENA_NEW(r->mem, region, count);
    for (uint32_t i = 0; i < count; i++) now[i] = new_region(r, &old[i]);
    return now;
}

// --- Declarations: what a statement brings into scope is mapped before anything inside is rebuilt.

static void declare_buffer(replacing *r, const buffer *b, bool owns_data) {
    if (!b || map_has(&r->buffers, MAP_KEY(b))) return;
    bool before = r->changed;
    r->changed = false;
    buffer now = *b;
    now.dim = new_exprs(r, b->dim, b->rank);
    now.stride = new_exprs(r, b->stride, b->rank);
    now.elem_offset = new_expr(r, b->elem_offset);
    if (r->fresh && owns_data && b->data && !map_has(&r->with, MAP_KEY(b->data)))
        map_put(&r->with, MAP_KEY(b->data), (void *)(uintptr_t)expr_new_var_like(r->s, b->data->as.var->name, b->data));
    now.data = new_expr(r, b->data);
    if (r->changed || r->fresh) {
        buffer *made = ARENA_NEW(expr_arena(r->s), buffer, 1);
        *made = now;
        map_put(&r->buffers, MAP_KEY(b), made);
    }
    r->changed = before;
}

static void declare(replacing *r, const stmt *st) {
    if (st->kind == STMT_DECL_BUFFER) declare_buffer(r, st->as.declare.buf, false);
    if (st->kind != STMT_BLOCK) return;
    const block *b = st->as.block;
    for (uint32_t i = 0; i < b->allocs; i++) declare_buffer(r, b->alloc[i], true);
    for (uint32_t i = 0; i < b->matches; i++) declare_buffer(r, b->match[i].inner, true);
}

// --- Rebuilding.

static const block *new_block(replacing *r, const block *old) {
    block now = *old;
    iter *iters = ARENA_NEW(r->mem, iter, old->iters);
    for (uint32_t i = 0; i < old->iters; i++) {
        const iter *it = &old->iter[i];
        iters[i] = (iter){.var = new_binder(r, it->var),
                          .kind = it->kind,
                          .value = new_expr(r, it->value),
                          .dom = {new_expr(r, it->dom.min), new_expr(r, it->dom.extent)}};
    }
    now.iter = iters;
    now.read = new_regions(r, old->read, old->reads);
    now.write = new_regions(r, old->write, old->writes);
    const buffer **alloc = ARENA_NEW(r->mem, const buffer *, old->allocs);
    for (uint32_t i = 0; i < old->allocs; i++) alloc[i] = new_buffer(r, old->alloc[i]);
    now.alloc = alloc;
    buffer_match *match = ARENA_NEW(r->mem, buffer_match, old->matches);
    for (uint32_t i = 0; i < old->matches; i++)
        match[i] = (buffer_match){new_buffer(r, old->match[i].inner), new_region(r, &old->match[i].source)};
    now.match = match;
    now.where = new_expr(r, old->where);
    now.annotations = new_attr(r, old->annotations);
    if (!r->changed) return old;
    block *made = ARENA_NEW(r->mem, block, 1);
    *made = now;
    return made;
}

static void replace_loop(replacing *r, stmt *now) {
    now->as.loop.var = new_binder(r, now->as.loop.var);
    now->as.loop.min = new_expr(r, now->as.loop.min);
    now->as.loop.extent = new_expr(r, now->as.loop.extent);
    if (now->as.loop.step) now->as.loop.step = new_expr(r, now->as.loop.step);
    now->as.loop.annotations = new_attr(r, now->as.loop.annotations);
}

static void replace_store(replacing *r, stmt *now) {
    now->as.store.buf = new_buffer(r, now->as.store.buf);
    now->as.store.index = new_exprs(r, now->as.store.index, now->as.store.count);
    now->as.store.value = new_expr(r, now->as.store.value);
    now->as.store.predicate = new_expr(r, now->as.store.predicate);
}

static void replace_allocate(replacing *r, stmt *now) {
    now->as.allocate.var = new_binder(r, now->as.allocate.var);
    now->as.allocate.extent = new_exprs(r, now->as.allocate.extent, now->as.allocate.rank);
    now->as.allocate.condition = new_expr(r, now->as.allocate.condition);
    now->as.allocate.annotations = new_attr(r, now->as.allocate.annotations);
}

static void replace_attribute(replacing *r, stmt *now) {
    now->as.attribute.node = new_attr(r, now->as.attribute.node);
    now->as.attribute.value = new_expr(r, now->as.attribute.value);
    now->as.attribute.var = new_binder(r, now->as.attribute.var);
}

// Replaces what stands directly in a statement; children are left.
static void replace_own(replacing *r, stmt *now) {
    switch (now->kind) {
    case STMT_SEQ: return;
    case STMT_FOR: replace_loop(r, now); return;
    case STMT_BLOCK: now->as.block = new_block(r, now->as.block); return;
    case STMT_STORE: replace_store(r, now); return;
    case STMT_EVALUATE: now->as.value = new_expr(r, now->as.value); return;
    case STMT_LET:
        now->as.let.var = new_binder(r, now->as.let.var);
        now->as.let.value = new_expr(r, now->as.let.value);
        return;
    case STMT_IF: now->as.branch.condition = new_expr(r, now->as.branch.condition); return;
    case STMT_WHILE: now->as.loop_while.condition = new_expr(r, now->as.loop_while.condition); return;
    case STMT_ALLOCATE: replace_allocate(r, now); return;
    case STMT_DECL_BUFFER: now->as.declare.buf = new_buffer(r, now->as.declare.buf); return;
    case STMT_ATTR: replace_attribute(r, now); return;
    case STMT_ASSERT: now->as.assertion.condition = new_expr(r, now->as.assertion.condition); return;
    }
}

static const stmt *rebuild(replacing *r, const stmt *old, const stmt *const *child) {
    stmt now = *old;
    r->changed = false;
    replace_own(r, &now);
    return stmt_with_children(r->mem, r->changed ? stmt_copy(r->mem, &now) : old, child);
}

static const stmt *replace_all(replacing *r, const stmt *st) {
    VEC(const stmt *) done = {0}; // rebuilt children that wait for their parent
    for (stmt_walk w = stmt_walk_from(r->mem, st); stmt_walk_next(&w);) {
        if (!w.leaving) {
            declare(r, w.st);
            continue;
        }
        uint32_t count = stmt_children(w.st);
        done.len -= count;
        const stmt *now = rebuild(r, w.st, done.at ? done.at + done.len : NULL);
        VEC_PUSH(r->mem, &done, now);
    }
    return done.at[0];
}

const stmt *stmt_replace(expr_session *s, arena *mem, const stmt *st, const map *with, const map *buffers) {
    replacing r = {.s = s, .mem = mem, .with = copy_map(mem, with), .buffers = copy_map(mem, buffers)};
    return replace_all(&r, st);
}

// --- Refreshing.

static void renew(replacing *r, const expr *var) {
    if (!var || map_has(&r->with, MAP_KEY(var))) return;
    const expr_var *v = var->as.var;
    const expr *now = expr_new_var_like(r->s, v->name, var);
    map_put(&r->with, MAP_KEY(var), (void *)(uintptr_t)now);
}

static void renew_bound(replacing *r, const stmt *st) {
    if (st->kind == STMT_FOR) renew(r, st->as.loop.var);
    if (st->kind == STMT_LET) renew(r, st->as.let.var);
    if (st->kind == STMT_ALLOCATE) renew(r, st->as.allocate.var);
    if (st->kind == STMT_ATTR) renew(r, st->as.attribute.var);
    if (st->kind != STMT_BLOCK) return;
    for (uint32_t i = 0; i < st->as.block->iters; i++) renew(r, st->as.block->iter[i].var);
}

const stmt *stmt_refresh(expr_session *s, arena *mem, const stmt *st) {
    replacing r = {.s = s, .mem = mem, .with = MAP_IN(mem), .buffers = MAP_IN(mem), .fresh = true};
    for (stmt_walk w = stmt_walk_from(mem, st); stmt_walk_next(&w);)
        if (!w.leaving) renew_bound(&r, w.st);
    return replace_all(&r, st);
}
