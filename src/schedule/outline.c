// outline.c - outline: a part of what a block computes becomes a block of its own, in front: compute_inline backwards.
//
//   for i, j, k: C[i, j] += A[i, k] * f(B[j, k])     ->     for j, k: C_part[j, k] = f(B[j, k])
//                                                            for i, j, k: C[i, j] += A[i, k] * C_part[j, k]
//
// The part is the first one that depends on the given iteration variables alone. So a weight is decoded once for all
// rows it meets.
#include "schedule/inside.h"

static const char primitive[] = "outline";

typedef struct outlining {
    schedule *sch;
    stmt_list path;      // of the block
    uint32_t scope, top; // path.at[scope]: the block around; path.at[top]: the outermost statement of the block's nest
    const block *b;
    const iter *const *over; // the iteration variables
    uint32_t count;
    const expr *part;
    const buffer *made;
} outlining;

static bool is_given(const outlining *x, const expr *var) {
    for (uint32_t i = 0; i < x->count; i++)
        if (x->over[i]->var == var) return true;
    return false;
}

// Whether the expression uses each given variable, no other one of the block, and nothing the block writes.
static bool is_part(const outlining *x, const expr *e, const buffer *out) {
    map loaded = MAP_IN(x->sch->mem);
    if (e->op == EXPR_VAR || dtype_is_int(e->type) || e->type.kind == DTYPE_BOOL) return false;
    for (uint32_t i = 0; i < x->b->iters; i++)
        if (expr_uses_var(e, x->b->iter[i].var) != is_given(x, x->b->iter[i].var)) return false;
    expr_loaded_buffers(e, &loaded);
    return loaded.len && !map_has(&loaded, MAP_KEY(out));
}

static bool find_part(outlining *x, const block_shape *shape) {
    expr_walk w = expr_walk_from(x->sch->mem, shape->store->as.store.value);
    for (const expr *e; !x->part && (e = expr_walk_next(&w));) {
        if (is_part(x, e, shape->out)) x->part = e;
        if (e->op == EXPR_CALL && e->as.intrin->id == INTRIN_IF_THEN_ELSE)
            expr_walk_skip(&w, e); // its sides are guarded
    }
    return x->part || refuse(x->sch, primitive, "no part of block %s depends on these variables alone", x->b->name);
}

static bool can_outline(outlining *x) {
    block_shape shape;
    schedule *sch = x->sch;
    x->top = x->path.len - 1;
    while (x->top > 0 && x->path.at[x->top - 1]->kind == STMT_FOR) x->top--;
    x->scope = x->top;
    while (x->scope > 0 && x->path.at[x->scope - 1]->kind != STMT_BLOCK) x->scope--;
    if (!x->scope--) return refuse(sch, primitive, "block %s does not stand inside another block", x->b->name);
    if (in_the_way(&x->path, x->scope, x->path.len))
        return refuse(sch, primitive, "%s stands around block %s", in_the_way(&x->path, x->scope, x->path.len),
                      x->b->name);
    if (!block_understand(sch, x->b, &shape) || x->b->body != shape.store || shape.store->as.store.predicate ||
        x->b->where)
        return refuse(sch, primitive, "block %s is not one assignment of an element, or is guarded", x->b->name);
    return find_part(x, &shape);
}

// for each value of the variables: made[…] = the part
static const stmt *part_nest(outlining *x, const expr **index) {
    schedule *sch = x->sch;
    map with = MAP_IN(sch->mem);
    iter *iters = ARENA_NEW(sch->mem, iter, x->count + 1);
    const expr **own = ARENA_NEW(sch->mem, const expr *, x->count + 1);
    const expr **var = ARENA_NEW(sch->mem, const expr *, x->count + 1),
               **dim = ARENA_NEW(sch->mem, const expr *, x->count + 1);
    for (uint32_t d = 0; d < x->count; d++) {
        const iter *it = x->over[d];
        var[d] = new_loop_var(sch, arena_format(sch->mem, "ax%u", d), it->var->type);
        own[d] = expr_new_var(sch->s, it->var->as.var->name, it->var->type);
        iters[d] = (iter){own[d], ITER_SPATIAL, it->dom, var[d]};
        dim[d] = it->dom.extent;
        index[d] = it->var;
        map_put(&with, MAP_KEY(it->var), (void *)(uintptr_t)own[d]);
    }
    const char *name = arena_format(sch->mem, "%s_part", x->b->name);
    x->made = buffer_new(sch->s, name, x->part->type, dim, x->count, "global");
    const expr *value = expr_substitute(sch->s, x->part, &with);
    block b = {.name = unique_block(sch, name), .iters = x->count, .iter = iters};
    b.body = stmt_store(sch->mem, x->made, own, x->count, value);
    const stmt *st = stmt_block(sch->mem, &b);
    for (uint32_t d = x->count; d-- > 0;)
        st = stmt_for(sch->mem, FOR_SERIAL, var[d], iters[d].dom.min, iters[d].dom.extent, st);
    return st;
}

static void install(outlining *x, const stmt *nest, const expr *const *index) {
    schedule *sch = x->sch;
    map with = MAP_IN(sch->mem);
    stmt_list below = {0};
    block b = *x->b, around = *x->path.at[x->scope]->as.block;
    const expr *load = expr_load(sch->s, x->made, x->made->type, index, x->count);
    map_put(&with, MAP_KEY(x->part), (void *)(uintptr_t)load);
    stmt *store = (stmt *)(uintptr_t)stmt_copy(sch->mem, b.body);
    store->as.store.value = expr_substitute(sch->s, store->as.store.value, &with);
    b.body = store;
    for (uint32_t i = x->top; i < x->path.len; i++) VEC_PUSH(sch->mem, &below, x->path.at[i]);
    const stmt *both[] = {nest, path_replaced(sch, &below, block_changed(sch, &b))};
    below.len = 0;
    for (uint32_t i = x->scope; i <= x->top; i++) VEC_PUSH(sch->mem, &below, x->path.at[i]);
    const buffer **alloc = ARENA_NEW(sch->mem, const buffer *, around.allocs + 1);
    for (uint32_t i = 0; i < around.allocs; i++) alloc[i] = around.alloc[i];
    alloc[around.allocs] = x->made;
    around = *path_replaced(sch, &below, stmt_seq(sch->mem, both, 2))->as.block;
    around.alloc = alloc;
    around.allocs++;
    x->path.len = x->scope + 1;
    tree_replace(sch, &x->path, stmt_block(sch->mem, &around));
}

block_ref schedule_outline(schedule *sch, block_ref b, const uint32_t *iters, uint32_t count) {
    outlining x = {.sch = sch, .count = count};
    text list = TEXT_IN(sch->mem);
    if (!must_block(sch, b, primitive, &x.path)) return (block_ref){0};
    x.b = path_end(&x.path)->as.block;
    const iter **over = ARENA_NEW(sch->mem, const iter *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (iters[i] >= x.b->iters) {
            refuse(sch, primitive, "block %s has no iteration variable %u", x.b->name, iters[i]);
            return (block_ref){0};
        }
        over[i] = &x.b->iter[iters[i]];
        text_format(&list, "%s%u", i ? ", " : "", iters[i]);
    }
    x.over = over;
    if (!can_outline(&x)) return (block_ref){0};
    const char *which = block_name(sch, b);
    const expr **index = ARENA_NEW(sch->mem, const expr *, count + 1);
    const stmt *nest = part_nest(&x, index), *inner = nest;
    install(&x, nest, index);
    while (inner->kind == STMT_FOR) inner = inner->as.loop.body;
    block_ref out = block_handle(sch, inner->as.block->name);
    trace_line(sch, "%s = outline(%s, [%s])", new_block_name(sch, out), which, text_get(&list));
    return out;
}
