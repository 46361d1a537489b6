// pad.c - pad: a spatial variable of a block runs on to a multiple of a factor; what it computes there nobody reads.
//
//   for i in range(n):                              for i in range((n + 7) // 8 * 8):
//       for k: C[i] += A[i, k] * B[k]       ->          for k: C[i] += A[min(i, n - 1), k] * B[k]
//
// So a tile of fixed height fits any n without guards. The intermediate C grows; what is read beyond the end is the
// last row again.
#include "schedule/inside.h"

static const char primitive[] = "pad";

typedef struct padding {
    schedule *sch;
    stmt_list path;
    block_shape shape;
    uint32_t at;        // of the variable
    const stmt *loop;   // that the variable is bound to
    const expr *extent; // rounded up
} padding;

// The loop whose variable the iteration variable is bound to, over the same range, and which nothing else uses.
static bool find_loop(padding *p) {
    const block *b = path_end(&p->path)->as.block;
    const iter *it = &b->iter[p->at];
    for (uint32_t i = 0; i + 1 < p->path.len; i++)
        if (p->path.at[i]->kind == STMT_FOR && p->path.at[i]->as.loop.var == it->value) p->loop = p->path.at[i];
    const char *name = it->var->as.var->name;
    if (!p->loop || p->loop->as.loop.extent != it->dom.extent || p->loop->as.loop.min != it->dom.min ||
        !expr_is_int(it->dom.min, 0))
        return refuse(p->sch, primitive, "%s of block %s is not bound to a loop over its range", name, b->name);
    if (summary_of(p->sch, p->loop)->blocks > 1)
        return refuse(p->sch, primitive, "loop %s holds other blocks than %s", p->loop->as.loop.var->as.var->name,
                      b->name);
    for (uint32_t k = 0; k < b->iters; k++)
        if (k != p->at && expr_uses_var(b->iter[k].value, it->value))
            return refuse(p->sch, primitive, "loop %s moves more than %s", p->loop->as.loop.var->as.var->name, name);
    return true;
}

// The block reads of its own buffer only the element it writes.
static bool reads_own_element(const padding *p) {
    expr_walk w = expr_walk_from(p->sch->mem, p->shape.store->as.store.value);
    for (const expr *x; (x = expr_walk_next(&w));)
        for (uint32_t i = 0; x->op == EXPR_LOAD && x->as.buffer == p->shape.out && i < x->count; i++)
            if (x->in[i] != p->shape.written[i]) return false;
    return true;
}

static bool can_pad(padding *p) {
    schedule *sch = p->sch;
    const block *b = path_end(&p->path)->as.block;
    uint32_t writers = 0;
    stmt_list blocks = {0};
    if (!block_understand(sch, b, &p->shape) || b->where || p->shape.store->as.store.predicate)
        return refuse(sch, primitive, "block %s does not write one element of one buffer at its own spatial variables",
                      b->name);
    if (!reads_own_element(p) || (p->shape.reduction && !b->init))
        return refuse(sch, primitive, "block %s adds to what another one started", b->name);
    if (p->at >= b->iters || b->iter[p->at].kind != ITER_SPATIAL)
        return refuse(sch, primitive, "block %s has no spatial variable %u", b->name, p->at);
    if (is_parameter(sch, p->shape.out))
        return refuse(sch, primitive, "%s is a parameter; cache_write first", p->shape.out->name);
    blocks_below(sch, sch->func->body, &blocks);
    for (uint32_t i = 0; i < blocks.len; i++)
        writers += is_leaf(sch, blocks.at[i]) && writes_buffer(sch, blocks.at[i], p->shape.out);
    if (writers != 1) return refuse(sch, primitive, "%s is written by several blocks", p->shape.out->name);
    return find_loop(p);
}

// The buffer with the padded dim, in place of the old one everywhere.
static const stmt *grown(const padding *p, const stmt *body) {
    const buffer *old = p->shape.out;
    const expr **dim = ARENA_NEW(p->sch->mem, const expr *, old->rank + 1);
    map buffers = MAP_IN(p->sch->mem);
    const expr *var = path_end(&p->path)->as.block->iter[p->at].var;
    for (uint32_t d = 0; d < old->rank; d++)
        dim[d] = p->shape.written[d] == var ? expr_cast(p->sch->s, old->dim[d]->type, p->extent) : old->dim[d];
    buffer *now = buffer_new(p->sch->s, old->name, old->type, dim, old->rank, old->scope);
    now->align = old->align;
    map_put(&buffers, MAP_KEY(old), now);
    return stmt_replace(p->sch->s, p->sch->mem, body, NULL, &buffers);
}

// The update reads what it wrote itself where it is, everything else at most at the last index.
static const stmt *clamped(const padding *p) {
    schedule *sch = p->sch;
    const block *b = path_end(&p->path)->as.block;
    const expr *var = b->iter[p->at].var, *one = expr_int(sch->s, var->type, 1);
    const expr *last = expr_binary(sch->s, EXPR_SUB, b->iter[p->at].dom.extent, one);
    const expr *own = expr_load(sch->s, p->shape.out, p->shape.out->type, p->shape.written, p->shape.rank);
    map with = MAP_IN(sch->mem);
    map_put(&with, MAP_KEY(own), (void *)(uintptr_t)own);
    map_put(&with, MAP_KEY(var),
            (void *)(uintptr_t)expr_binary(sch->s, EXPR_MIN, var, expr_simplify(sch->s, last, sch->facts)));
    stmt *store = (stmt *)(uintptr_t)stmt_copy(sch->mem, p->shape.store);
    store->as.store.value = expr_substitute(sch->s, store->as.store.value, &with);
    block now = *b;
    if (b->init) {
        stmt *init = (stmt *)(uintptr_t)stmt_copy(sch->mem, b->init);
        init->as.store.value = expr_substitute(sch->s, init->as.store.value, &with);
        now.init = init;
    }
    iter *iters = ARENA_NEW(sch->mem, iter, b->iters);
    for (uint32_t i = 0; i < b->iters; i++) iters[i] = b->iter[i];
    iters[p->at].dom.extent = p->extent;
    now.iter = iters;
    now.body = store;
    return block_changed(sch, &now);
}

bool schedule_pad(schedule *sch, block_ref b, uint32_t at, int64_t factor) {
    padding p = {.sch = sch, .at = at};
    if (!must_block(sch, b, primitive, &p.path) || !can_pad(&p)) return false;
    if (factor < 1 || factor > 1 << 20) return refuse(sch, primitive, "the factor %lld is no size", (long long)factor);
    const block *old = path_end(&p.path)->as.block;
    if (old->body != p.shape.store) return refuse(sch, primitive, "block %s is more than one assignment", old->name);
    const char *name = block_name(sch, b);
    const expr *f = expr_int(sch->s, p.loop->as.loop.var->type, factor);
    const expr *up =
        expr_binary(sch->s, EXPR_ADD, p.loop->as.loop.extent, expr_int(sch->s, p.loop->as.loop.var->type, factor - 1));
    up = expr_binary(sch->s, EXPR_MUL, expr_binary(sch->s, EXPR_FLOOR_DIV, up, f), f);
    p.extent = expr_simplify(sch->s, up, sch->facts);
    const expr *var = p.loop->as.loop.var;
    tree_replace(sch, &p.path, clamped(&p));
    stmt_list loop = {0};
    CHECK(path_to_loop(sch, var, &loop));
    stmt *longer = (stmt *)(uintptr_t)stmt_copy(sch->mem, path_end(&loop));
    longer->as.loop.extent = p.extent;
    tree_replace(sch, &loop, longer);
    sch->func->body = grown(&p, sch->func->body);
    trace_line(sch, "pad(%s, %u, %lld)", name, at, (long long)factor);
    return true;
}
