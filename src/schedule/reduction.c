// reduction.c - decompose_reduction: the initialisation of a reduction becomes a block of its own.
//
//   for i:                               for i:
//     for k:                                 y[i] = 0
//       with init: y[i] = 0         ->       for k:
//       y[i] += x[i, k]                          y[i] += x[i, k]
#include "schedule/inside.h"

static const char primitive[] = "decompose_reduction";

const stmt *init_nest(schedule *sch, const stmt_list *path, uint32_t from, const block *init) {
    map with = MAP_IN(sch->mem);
    const stmt *body = stmt_block(sch->mem, init);
    for (uint32_t i = path->len - 1; i-- > from;) {
        const stmt *loop = path->at[i];
        if (loop->kind != STMT_FOR) continue;
        bool used = init->where && expr_uses_var(init->where, loop->as.loop.var);
        for (uint32_t k = 0; k < init->iters; k++) used |= expr_uses_var(init->iter[k].value, loop->as.loop.var);
        if (!used) continue;
        const char *name = arena_format(sch->mem, "%s_init", loop->as.loop.var->as.var->name);
        const expr *var = new_loop_var(sch, name, loop->as.loop.var->type);
        map_put(&with, MAP_KEY(loop->as.loop.var), (void *)(uintptr_t)var);
        stmt *outer = (stmt *)(uintptr_t)loop_with_body(sch, loop, body);
        outer->as.loop.var = var;
        body = outer;
    }
    return stmt_replace(sch->s, sch->mem, body, &with, NULL);
}

block init_block(schedule *sch, const block *b) {
    block init = {.name = unique_block(sch, arena_format(sch->mem, "%s_init", b->name)), .where = b->where};
    iter *iters = ARENA_NEW(sch->mem, iter, b->iters + 1);
    map with = MAP_IN(sch->mem);
    for (uint32_t i = 0; i < b->iters; i++) {
        if (b->iter[i].kind != ITER_SPATIAL) continue;
        const expr *var = expr_new_var(sch->s, b->iter[i].var->as.var->name, b->iter[i].var->type);
        map_put(&with, MAP_KEY(b->iter[i].var), (void *)(uintptr_t)var);
        iters[init.iters] = b->iter[i];
        iters[init.iters++].var = var;
    }
    init.iter = iters;
    init.body = stmt_replace(sch->s, sch->mem, b->init, &with, NULL);
    return init;
}

bool first_step_runs(schedule *sch, const stmt_list *path, const expr *where, const expr *fixed) {
    map first = MAP_IN(sch->mem);
    stmt_list outer = *path;
    const block *b = path_end(path)->as.block;
    const expr **value = bound_values(sch, path);
    outer.len--;
    for (uint32_t i = 0; i < outer.len; i++) {
        const stmt *loop = outer.at[i];
        if (loop->kind != STMT_FOR || loop->as.loop.var == fixed) continue;
        for (uint32_t k = 0; k < b->iters; k++)
            if (b->iter[k].kind == ITER_REDUCE && expr_uses_var(value[k], loop->as.loop.var))
                map_put(&first, MAP_KEY(loop->as.loop.var), (void *)(uintptr_t)loop->as.loop.min);
    }
    const facts *f = path_facts(sch, &outer);
    const expr *then = expr_substitute(sch->s, where, &first);
    return surely(sch, then, f) || prove_true(sch->s, then, f);
}

// The block, what its variables stand for, where it stands, and the loop it is decomposed at.
typedef struct subject {
    const block *b;
    const expr **value;
    const stmt_list *path;
    uint32_t from;
} subject;

// Whether the loop moves a variable of the given kind.
static bool moves(const subject *x, iter_kind kind, const stmt *loop) {
    for (uint32_t k = 0; k < x->b->iters; k++)
        if (x->b->iter[k].kind == kind && expr_uses_var(x->value[k], loop->as.loop.var)) return true;
    return false;
}

// No loop outside is part of the reduction, and below each loop is either of it or runs over other elements.
static bool loops_fit(schedule *sch, const subject *x) {
    const block *b = x->b;
    const stmt_list *path = x->path;
    uint32_t from = x->from;
    for (uint32_t i = 0; i + 1 < path->len; i++) {
        const stmt *loop = path->at[i];
        if (i > from && loop->kind == STMT_BLOCK)
            return refuse(sch, primitive, "block %s stands between the loop and block %s", loop->as.block->name,
                          b->name);
        if (loop->kind != STMT_FOR) continue;
        const char *name = loop->as.loop.var->as.var->name;
        bool reduce = moves(x, ITER_REDUCE, loop), spatial = moves(x, ITER_SPATIAL, loop);
        if (i < from && reduce)
            return refuse(sch, primitive, "loop %s of the reduction stands outside of the given loop", name);
        if (i >= from && reduce && spatial)
            return refuse(sch, primitive, "loop %s moves the reduction and what it is about", name);
        if (i >= from && !reduce && !spatial && !expr_is_int(loop->as.loop.extent, 1))
            return refuse(sch, primitive, "block %s runs anew in every iteration of loop %s", b->name, name);
    }
    return true;
}

// The part of the guard that says which elements there are; NULL: all. Steps that are left out don't matter to the
// initialisation.
static const expr *spatial_guard(schedule *sch, const subject *x, const expr *where) {
    if (!where) return NULL;
    if (where->op == EXPR_AND) {
        const expr *a = spatial_guard(sch, x, where->in[0]), *b = spatial_guard(sch, x, where->in[1]);
        return a && b ? expr_binary(sch->s, EXPR_AND, a, b) : a ? a : b;
    }
    for (uint32_t i = 0; i < x->path->len; i++) {
        const stmt *loop = x->path->at[i];
        if (loop->kind == STMT_FOR && moves(x, ITER_REDUCE, loop) && expr_uses_var(where, loop->as.loop.var))
            return NULL;
    }
    return where;
}

// A condition on loops of both kinds can't be told apart; it need not be where each element has a step.
static bool guard_fits(schedule *sch, const subject *x, const expr *where) {
    bool reduce = false, spatial = false;
    if (!where) return true;
    if (where->op == EXPR_AND) return guard_fits(sch, x, where->in[0]) && guard_fits(sch, x, where->in[1]);
    for (uint32_t i = 0; i < x->path->len; i++) {
        const stmt *loop = x->path->at[i];
        if (loop->kind != STMT_FOR || !expr_uses_var(where, loop->as.loop.var)) continue;
        reduce |= moves(x, ITER_REDUCE, loop);
        spatial |= moves(x, ITER_SPATIAL, loop);
    }
    return !(reduce && spatial) || first_step_runs(sch, x->path, where, NULL) ||
           refuse(sch, primitive, "the guard of block %s mixes the reduction with what it is about", x->b->name);
}

// In the loops below, elements are started once, and nobody else touches them before their block does.
static bool started_once(schedule *sch, const subject *x, const buffer *out) {
    const block *b = x->b;
    stmt_list top = *x->path;
    conflict c;
    top.len = x->from + 1;
    accesses all = accesses_below(sch, &top), own = {.loops = all.loops, .owned = all.owned};
    if (all.opaque) return refuse(sch, primitive, "the loop holds %s", all.opaque);
    for (uint32_t i = 0; i < all.list.len; i++)
        if (all.list.at[i].buf == out) VEC_PUSH(sch->mem, &own.list, all.list.at[i]);
    if (own.list.len && own.list.at[0].leaf->as.block != b)
        return refuse(sch, primitive, "block %s uses %s before block %s does", own.list.at[0].leaf->as.block->name,
                      out->name, b->name);
    for (uint32_t i = x->from; i + 1 < x->path->len; i++) {
        const stmt *loop = x->path->at[i];
        if (loop->kind != STMT_FOR || moves(x, ITER_REDUCE, loop)) continue;
        if (iterations_conflict(sch, &top, &own, loop, false, &c))
            return refuse(sch, primitive, "%s", describe_conflict(sch, loop, &c));
    }
    return true;
}

static bool can_decompose(schedule *sch, const subject *x, const stmt_list *loop) {
    block_shape shape;
    const block *b = x->b;
    const stmt_list *path = x->path;
    uint32_t from = x->from;
    const char *way = in_the_way(path, from, path->len);
    if (from >= path->len || path->at[from] != path_end(loop))
        return refuse(sch, primitive, "loop %s is not around block %s", path_end(loop)->as.loop.var->as.var->name,
                      b->name);
    if (!b->init) return refuse(sch, primitive, "block %s has no initialisation", b->name);
    if (!block_understand(sch, b, &shape))
        return refuse(sch, primitive, "block %s does more than update one element of one buffer", b->name);
    if (way) return refuse(sch, primitive, "%s stands between the loop and block %s", way, b->name);
    return loops_fit(sch, x) && guard_fits(sch, x, b->where) && started_once(sch, x, shape.out);
}

block_ref schedule_decompose_reduction(schedule *sch, block_ref b, loop_ref at) {
    stmt_list path = {0}, loop = {0};
    if (!must_block(sch, b, primitive, &path) || !must_loop(sch, at, primitive, &loop)) return (block_ref){0};
    const block *old = path_end(&path)->as.block;
    const subject x = {.b = old, .value = bound_values(sch, &path), .path = &path, .from = loop.len - 1};
    if (!can_decompose(sch, &x, &loop)) return (block_ref){0};
    const char *which = block_name(sch, b), *around = loop_name(sch, at);
    block init = init_block(sch, old), rest = *old;
    init.where = spatial_guard(sch, &x, old->where);
    rest.init = NULL;
    const stmt *before = init_nest(sch, &path, x.from, &init);
    tree_replace(sch, &path, block_changed(sch, &rest));
    CHECK(must_loop(sch, at, primitive, &loop));
    const stmt *both[] = {before, path_end(&loop)};
    tree_replace(sch, &loop, stmt_seq(sch->mem, both, 2));
    block_ref out = block_handle(sch, init.name);
    trace_line(sch, "%s = decompose_reduction(%s, %s)", new_block_name(sch, out), which, around);
    return out;
}
