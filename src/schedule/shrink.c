// shrink.c - rewriting a loop's body to a smaller buffer, and the block that owns it.
#include "schedule/shrink.h"
#include "loop/walk.h"

typedef struct shrinking {
    schedule *sch;
    const buffer *was, *now;
    const expr **low; // subtracted from each index
    facts *facts;
    map env; // block variables below the loop -> what they stand for
} shrinking;

// One box for all that reads and writes below, since all of it must find its place.
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

// Sizes must be known where the kernel starts: over variables of the signature alone.
static bool size_is_fixed(const schedule *sch, const expr *extent) {
    expr_list dims = {0}, vars = {0};
    loop_func_dim_vars(sch->func, sch->mem, &dims);
    expr_free_vars(extent, sch->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        bool known = false;
        for (uint32_t k = 0; k < dims.len; k++) known |= dims.at[k] == vars.at[i];
        for (uint32_t k = 0; k < sch->func->params; k++) known |= sch->func->param[k].var == vars.at[i];
        if (!known) return false;
    }
    map loaded = MAP_IN(sch->mem);
    expr_loaded_buffers(extent, &loaded);
    return !loaded.len;
}

static bool uses_loop(const shrinking *k, const expr *e) {
    expr_list vars = {0};
    expr_free_vars(e, k->sch->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++)
        if (map_has(&k->sch->loop_vars, MAP_KEY(vars.at[i]))) return true;
    return false;
}

// index - low; in terms of what the block variables stand for where that needs no loop (a block may not use those).
static const expr *shifted(const shrinking *k, uint32_t d, const expr *index) {
    if (expr_is_int(k->low[d], 0)) return index;
    expr_session *s = k->sch->s;
    const expr *low = expr_cast(s, index->type, k->low[d]);
    const expr *plain = expr_binary(s, EXPR_SUB, expr_substitute(s, index, &k->env), low);
    plain = expr_simplify(s, plain, k->facts);
    if (!uses_loop(k, plain)) return plain;
    return expr_simplify(s, expr_binary(s, EXPR_SUB, index, low), k->facts);
}

// Loads of the buffer as loads of the smaller one.
static const expr *shrink_expr(const shrinking *k, const expr *e) {
    map with = MAP_IN(k->sch->mem);
    if (!e) return NULL;
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
    now->as.store.predicate = shrink_expr(k, st->as.store.predicate);
    return now;
}

static const stmt *shrink_stmt(shrinking *k, const stmt *st);

static const stmt *shrink_block(shrinking *k, const stmt *st) {
    const block *old = st->as.block;
    for (uint32_t i = 0; i < old->iters; i++)
        map_put(&k->env, MAP_KEY(old->iter[i].var),
                (void *)(uintptr_t)expr_substitute(k->sch->s, old->iter[i].value, &k->env));
    block b = *old;
    b.init = old->init ? shrink_stmt(k, old->init) : NULL;
    b.body = shrink_stmt(k, old->body);
    return block_changed(k->sch, &b);
}

static const stmt *shrink_stmt(shrinking *k, const stmt *st) {
    if (!touches(k->sch, st, k->was)) return st;
    if (st->kind == STMT_STORE) return shrink_store(k, st);
    if (st->kind == STMT_BLOCK) return shrink_block(k, st);
    uint32_t n = 0;
    while (stmt_child(st, n)) n++;
    const stmt **child = ARENA_NEW(k->sch->mem, const stmt *, n + 1);
    if (st->kind == STMT_FOR) facts_range(k->facts, st->as.loop.var, st->as.loop.min, st->as.loop.extent);
    for (uint32_t i = 0; i < n; i++) child[i] = shrink_stmt(k, stmt_child(st, i));
    return stmt_with_children(k->sch->mem, st, child);
}

// An extent for the box in dim d that is known at the start, not larger than needed; NULL: none but the whole.
static const expr *fixed_extent(const shrinking *k, const range *r, const expr *whole) {
    const expr *extent = expr_simplify(k->sch->s, expr_cast(k->sch->s, whole->type, r->extent), k->facts);
    if (size_is_fixed(k->sch, extent)) return extent;
    interval v = expr_bounds(k->sch->s, extent, k->facts);
    int64_t all;
    if (!v.has_high || v.high < 0 || (expr_const_int(whole, &all) && all <= v.high)) return NULL;
    return v.high > 1 << 20 ? NULL : expr_int(k->sch->s, whole->type, v.high);
}

const buffer *shrink(schedule *sch, const stmt_list *path, const stmt **body, const buffer *buf) {
    shrinking k = {.sch = sch, .was = buf, .facts = path_facts(sch, path), .env = MAP_IN(sch->mem)};
    const expr **dim = ARENA_NEW(sch->mem, const expr *, buf->rank + 1);
    region box;
    CHECK(used_box(sch, *body, buf, k.facts, &box));
    k.low = ARENA_NEW(sch->mem, const expr *, buf->rank + 1);
    for (uint32_t d = 0; d < buf->rank; d++) {
        const range r = clip(sch, box.dim[d], buf->dim[d]);
        const expr *extent = fixed_extent(&k, &r, buf->dim[d]);
        dim[d] = extent ? extent : buf->dim[d];
        k.low[d] = extent ? box.dim[d].min : expr_int(sch->s, buf->dim[d]->type, 0);
    }
    buffer *now = buffer_new(sch->s, buf->name, buf->type, dim, buf->rank, buf->scope);
    now->align = buf->align;
    k.now = now;
    *body = shrink_stmt(&k, *body);
    return now;
}

// --- The block.

static bool body_uses(const schedule *sch, const stmt *body, const expr *var) {
    stmt_walk w = stmt_walk_from(sch->mem, body);
    while (stmt_walk_next(&w)) {
        expr_list direct = {0};
        if (!w.leaving) stmt_expressions(w.st, sch->mem, &direct);
        for (uint32_t i = 0; i < direct.len; i++)
            if (expr_uses_var(direct.at[i], var)) return true;
    }
    return false;
}

void shrink_wrap(schedule *sch, const stmt_list *path, const stmt *body, const buffer *const *buf, uint32_t count) {
    iter *iters = ARENA_NEW(sch->mem, iter, path->len);
    const char *wish = arena_format(sch->mem, "%s_local", buf[0]->name);
    block b = {.name = unique_block(sch, wish), .iter = iters, .allocs = count, .alloc = buf};
    map with = MAP_IN(sch->mem);
    uint32_t first = path->len;
    while (first > 0 && path->at[first - 1]->kind != STMT_BLOCK) first--;
    for (uint32_t i = first; i < path->len; i++) {
        const stmt *l = path->at[i];
        if (l->kind != STMT_FOR || !body_uses(sch, body, l->as.loop.var)) continue;
        const expr *old = l->as.loop.var, *min = l->as.loop.min;
        const expr *var = expr_new_var(sch->s, arena_format(sch->mem, "v_%s", old->as.var->name), old->type);
        const expr *end = expr_simplify(sch->s, expr_binary(sch->s, EXPR_ADD, min, l->as.loop.extent), NULL);
        const range from_zero = {expr_int(sch->s, old->type, 0), end};
        bool constant = min->op == EXPR_INT;
        iters[b.iters++] = (iter){var, ITER_SPATIAL, constant ? (range){min, l->as.loop.extent} : from_zero, old};
        map_put(&with, MAP_KEY(old), (void *)(uintptr_t)var);
    }
    b.body = stmt_replace(sch->s, sch->mem, body, &with, NULL);
    tree_replace(sch, path, loop_with_body(sch, path_end(path), stmt_block(sch->mem, &b)));
}
