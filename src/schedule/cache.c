// cache.c - cache_read, cache_write, set_scope: a copy of a buffer between a block and the rest of the program.
//
//   for i: B[i] = A[i] + 1     cache_write(B, 0, "local")     for i: B_local[i] = A[i] + 1
//                                                              for i: B[i] = B_local[i]
//
// Moving and compacting the copy then gives registers, packed panels, staged tiles.
#include "base/count_noun.h"
#include "schedule/inside.h"
#include <string.h>

typedef struct caching {
    schedule *sch;
    const char *primitive;
    stmt_list path;    // of the block
    uint32_t scope;    // path.at[scope] is the innermost block around it
    const stmt *child; // path.at[scope + 1], or what it is in that sequence
    const buffer *buf, *cache;
} caching;

static bool known_scope(schedule *sch, const char *primitive, const char *scope) {
    static const char *const known[] = {"global", "local", "shared", "shared.dyn", "warp"};
    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(known[i], scope) == 0) return true;
    return text_starts(scope, "wmma.") || text_starts(scope, "global.") ||
           refuse(sch, primitive, "there is no memory scope %s", scope);
}

// The block, what stands around it up to the next block, and the buffer of the given number.
static bool open_cache(caching *c, block_ref b, uint32_t at, bool writes, const char *scope) {
    schedule *sch = c->sch;
    region_list read = {0}, write = {0};
    if (!known_scope(sch, c->primitive, scope) || !must_block(sch, b, c->primitive, &c->path)) return false;
    const block *bl = path_end(&c->path)->as.block;
    block_regions(sch->s, sch->mem, bl, &read, &write);
    const region_list *list = writes ? &write : &read;
    if (at >= list->len)
        return refuse(sch, c->primitive, "block %s %s %s, there is no number %u", bl->name, writes ? "writes" : "reads",
                      COUNTED(list->len, "buffer"), at);
    c->buf = list->at[at].buf;
    uint32_t k = c->path.len - 1;
    while (k > 0 && c->path.at[k - 1]->kind != STMT_BLOCK) k--;
    if (!k || !is_leaf(sch, path_end(&c->path)))
        return refuse(sch, c->primitive, "block %s does not stand inside another block", bl->name);
    c->scope = k - 1;
    c->child = c->path.at[k]->kind == STMT_SEQ ? c->path.at[k + 1] : c->path.at[k];
    if (summary_of(sch, c->child)->opaque)
        return refuse(sch, c->primitive, "%s stands around block %s", summary_of(sch, c->child)->opaque, bl->name);
    const char *name = arena_format(sch->mem, "%s_%s", c->buf->name, scope);
    for (char *dot = strchr(name, '.'); dot; dot = strchr(dot, '.')) *dot = '_';
    buffer *cache = buffer_new(sch->s, name, c->buf->type, c->buf->dim, c->buf->rank, scope);
    c->cache = cache;
    return true;
}

// --- The copy.

// for each index in the box: to[index] = from[index]
static const stmt *copy_nest(caching *c, const char *name, const range *box, const buffer *to, const buffer *from) {
    schedule *sch = c->sch;
    uint32_t rank = to->rank;
    iter *iters = ARENA_NEW(sch->mem, iter, rank + 1);
    const expr **index = ARENA_NEW(sch->mem, const expr *, rank + 1),
               **var = ARENA_NEW(sch->mem, const expr *, rank + 1);
    for (uint32_t d = 0; d < rank; d++) {
        dtype type = box[d].extent->type;
        var[d] = new_loop_var(sch, arena_format(sch->mem, "ax%u", d), type);
        index[d] = expr_new_var(sch->s, arena_format(sch->mem, "v%u", d), type);
        bool zero = expr_is_int(box[d].min, 0);
        const expr *value = zero ? var[d] : expr_binary(sch->s, EXPR_ADD, expr_cast(sch->s, type, box[d].min), var[d]);
        iters[d] = (iter){index[d], ITER_SPATIAL, {expr_int(sch->s, type, 0), to->dim[d]}, value};
        if (!dtype_equal(to->dim[d]->type, type)) iters[d].dom.extent = expr_cast(sch->s, type, to->dim[d]);
    }
    const expr *load = expr_load(sch->s, from, from->type, index, rank);
    const stmt *store = stmt_store(sch->mem, to, index, rank, load);
    const block b = {.name = unique_block(sch, name), .iters = rank, .iter = iters, .body = store};
    const stmt *body = stmt_block(sch->mem, &b);
    for (uint32_t d = rank; d-- > 0;)
        body = stmt_for(sch->mem, FOR_SERIAL, var[d], expr_int(sch->s, var[d]->type, 0), box[d].extent, body);
    return body;
}

// Puts the nest before or behind the child, and the cache among the allocations of the block around.
static void install(caching *c, const stmt *child, const stmt *nest, bool before) {
    schedule *sch = c->sch;
    block b = *c->path.at[c->scope]->as.block;
    const buffer **alloc = ARENA_NEW(sch->mem, const buffer *, b.allocs + 1);
    for (uint32_t i = 0; i < b.allocs; i++) alloc[i] = b.alloc[i];
    alloc[b.allocs] = c->cache;
    const stmt *pair[] = {before ? nest : child, before ? child : nest};
    const stmt *both = stmt_seq(sch->mem, pair, 2);
    if (b.body->kind == STMT_SEQ) {
        const stmt **list = ARENA_NEW(sch->mem, const stmt *, b.body->as.seq.count);
        for (uint32_t i = 0; i < b.body->as.seq.count; i++)
            list[i] = b.body->as.seq.list[i] == c->child ? both : b.body->as.seq.list[i];
        both = stmt_seq(sch->mem, list, b.body->as.seq.count);
    }
    b.body = both;
    b.alloc = alloc;
    b.allocs++;
    c->path.len = c->scope + 1;
    tree_replace(sch, &c->path, stmt_block(sch->mem, &b));
}

// The child with the block at the path's end using the cache.
static const stmt *redirected(caching *c) {
    schedule *sch = c->sch;
    map buffers = MAP_IN(sch->mem);
    map_put(&buffers, MAP_KEY(c->buf), (void *)(uintptr_t)c->cache);
    const stmt *old = path_end(&c->path);
    block b = *stmt_replace(sch->s, sch->mem, old, NULL, &buffers)->as.block;
    stmt_list below = {0};
    uint32_t from = 0;
    while (c->path.at[from] != c->child) from++;
    for (uint32_t i = from; i < c->path.len; i++) VEC_PUSH(sch->mem, &below, c->path.at[i]);
    return path_replaced(sch, &below, block_changed(sch, &b));
}

// --- cache_read

static bool box_read(caching *c, range *box) {
    schedule *sch = c->sch;
    region_list reads = {0}, writes = {0};
    stmt_regions(sch->s, sch->mem, c->child, path_facts(sch, &c->path), &reads, &writes);
    for (uint32_t i = 0; i < reads.len; i++) {
        if (reads.at[i].buf != c->buf) continue;
        for (uint32_t d = 0; d < c->buf->rank; d++) box[d] = clip(sch, reads.at[i].dim[d], c->buf->dim[d]);
        return true;
    }
    return false;
}

block_ref schedule_cache_read(schedule *sch, block_ref b, uint32_t read, const char *scope) {
    caching c = {.sch = sch, .primitive = "cache_read"};
    if (!open_cache(&c, b, read, false, scope)) return (block_ref){0};
    range *box = ARENA_NEW(sch->mem, range, c.buf->rank + 1);
    const char *name = path_end(&c.path)->as.block->name;
    if (writes_buffer(sch, c.child, c.buf)) {
        refuse(sch, c.primitive, "%s, which block %s reads, is written in the same loops", c.buf->name, name);
        return (block_ref){0};
    }
    if (!box_read(&c, box)) return (block_ref){0};
    const char *which = block_name(sch, b);
    const stmt *nest = copy_nest(&c, c.cache->name, box, c.cache, c.buf);
    install(&c, redirected(&c), nest, true);
    const stmt *inner = nest;
    while (inner->kind == STMT_FOR) inner = inner->as.loop.body;
    block_ref out = block_handle(sch, inner->as.block->name);
    trace_line(sch, "%s = cache_read(%s, %u, \"%s\")", new_block_name(sch, out), which, read, scope);
    return out;
}

// --- cache_write

static bool can_cache_write(caching *c, range *box) {
    schedule *sch = c->sch;
    block_shape shape;
    const block *b = path_end(&c->path)->as.block;
    const char *unknown;
    uint32_t from = c->path.len;
    if (!block_understand(sch, b, &shape) || shape.store->as.store.predicate)
        return refuse(sch, c->primitive,
                      "block %s does not write one element of one buffer at its own spatial variables", b->name);
    map loaded = MAP_IN(sch->mem);
    expr_loaded_buffers(shape.store->as.store.value, &loaded);
    if (!b->init && (shape.reduction || map_has(&loaded, MAP_KEY(c->buf))))
        return refuse(sch, c->primitive, "block %s adds to what another one started", b->name);
    while (c->path.at[from - 1] != c->child) from--;
    for (uint32_t i = from; i < c->path.len; i++)
        for (uint32_t k = 0; stmt_child(c->path.at[i - 1], k); k++)
            if (stmt_child(c->path.at[i - 1], k) != c->path.at[i] &&
                touches(sch, stmt_child(c->path.at[i - 1], k), c->buf))
                return refuse(sch, c->primitive, "%s is also used by others in the loops of block %s", c->buf->name,
                              b->name);
    if (!runs_over_domain(sch, &c->path, from - 2, &unknown))
        return refuse(sch, c->primitive, "the loops of block %s do not run over the whole range of %s", b->name,
                      unknown);
    for (uint32_t d = 0; d < shape.rank; d++) {
        const expr *at = shape.written[d];
        box[d] = (range){at, expr_int(sch->s, at->type, 1)};
        for (uint32_t i = 0; i < b->iters; i++)
            if (b->iter[i].var == at) box[d] = b->iter[i].dom;
    }
    return true;
}

block_ref schedule_cache_write(schedule *sch, block_ref b, uint32_t write, const char *scope) {
    caching c = {.sch = sch, .primitive = "cache_write"};
    if (!open_cache(&c, b, write, true, scope)) return (block_ref){0};
    range *box = ARENA_NEW(sch->mem, range, c.buf->rank + 1);
    if (!can_cache_write(&c, box)) return (block_ref){0};
    const char *which = block_name(sch, b);
    const stmt *nest = copy_nest(&c, c.cache->name, box, c.buf, c.cache);
    install(&c, redirected(&c), nest, false);
    const stmt *inner = nest;
    while (inner->kind == STMT_FOR) inner = inner->as.loop.body;
    block_ref out = block_handle(sch, inner->as.block->name);
    trace_line(sch, "%s = cache_write(%s, %u, \"%s\")", new_block_name(sch, out), which, write, scope);
    return out;
}

// --- set_scope

bool schedule_set_scope(schedule *sch, block_ref b, uint32_t write, const char *scope) {
    caching c = {.sch = sch, .primitive = "set_scope"};
    if (!open_cache(&c, b, write, true, scope)) return false;
    if (is_parameter(sch, c.buf)) return refuse(sch, c.primitive, "%s is a parameter", c.buf->name);
    const char *which = block_name(sch, b);
    buffer *now = ARENA_NEW(sch->mem, buffer, 1);
    map buffers = MAP_IN(sch->mem);
    *now = *buffer_new(sch->s, c.buf->name, c.buf->type, c.buf->dim, c.buf->rank, scope);
    now->stride = c.buf->stride;
    now->align = c.buf->align;
    map_put(&buffers, MAP_KEY(c.buf), now);
    sch->func->body = stmt_replace(sch->s, sch->mem, sch->func->body, NULL, &buffers);
    trace_line(sch, "set_scope(%s, %u, \"%s\")", which, write, scope);
    return true;
}
