// reduction.c - decompose_reduction: the initialisation of a reduction becomes a block of its own.
//
//   for i:                               for i:
//     for k:                                 y[i] = 0
//       with init: y[i] = 0         ->       for k:
//       y[i] += x[i, k]                          y[i] += x[i, k]
#include "schedule/inside.h"

// The loops below `at` (inclusive) on the path that the block's spatial variables use.
static const stmt *init_nest(schedule *sch, const stmt_list *path, uint32_t from, const block *init) {
    map with = MAP_IN(sch->mem);
    const stmt *body = stmt_block(sch->mem, init);
    for (uint32_t i = path->len - 1; i-- > from;) {
        const stmt *loop = path->at[i];
        if (loop->kind != STMT_FOR) continue;
        bool used = init->where && expr_uses_var(init->where, loop->as.loop.var);
        for (uint32_t k = 0; k < init->iters; k++) used |= expr_uses_var(init->iter[k].value, loop->as.loop.var);
        if (!used) continue;
        const char *name = arena_format(sch->mem, "%s_init", loop->as.loop.var->as.var->name);
        const expr *var = expr_new_var(sch->s, name, loop->as.loop.var->type);
        map_put(&with, MAP_KEY(loop->as.loop.var), (void *)(uintptr_t)var);
        stmt *outer = (stmt *)(uintptr_t)stmt_copy(sch->mem, loop);
        outer->as.loop.var = var;
        outer->as.loop.body = body;
        body = outer;
    }
    return stmt_replace(sch->s, sch->mem, body, &with, NULL);
}

static block init_block(schedule *sch, const block *b) {
    block init = {.name = arena_format(sch->mem, "%s_init", b->name), .body = b->init};
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

// A guard of the block that only concerns spatial loops guards the initialisation too.
static bool guard_is_spatial(const block *b, const stmt_list *path) {
    for (uint32_t i = 0; i < path->len; i++) {
        const stmt *loop = path->at[i];
        if (loop->kind != STMT_FOR || !b->where || !expr_uses_var(b->where, loop->as.loop.var)) continue;
        for (uint32_t k = 0; k < b->iters; k++)
            if (b->iter[k].kind == ITER_REDUCE && expr_uses_var(b->iter[k].value, loop->as.loop.var)) return false;
    }
    return true;
}

// The loop must stand outside of every loop of the reduction.
static bool outside_reduction(schedule *sch, const block *b, const stmt_list *path, uint32_t from) {
    for (uint32_t i = 0; i < from; i++)
        for (uint32_t k = 0; k < b->iters && path->at[i]->kind == STMT_FOR; k++)
            if (b->iter[k].kind == ITER_REDUCE && expr_uses_var(b->iter[k].value, path->at[i]->as.loop.var))
                return refuse(sch, "decompose_reduction", "loop %s of the reduction stands outside of the given loop",
                              path->at[i]->as.loop.var->as.var->name);
    return true;
}

block_ref schedule_decompose_reduction(schedule *sch, block_ref b, loop_ref at) {
    stmt_list path = {0}, loop_path = {0};
    const block_ref none = {0};
    if (!must_block(sch, b, "decompose_reduction", &path) || !must_loop(sch, at, "decompose_reduction", &loop_path))
        return none;
    const block *old = path_end(&path)->as.block;
    uint32_t from = loop_path.len - 1;
    if (from >= path.len || path.at[from] != path_end(&loop_path)) {
        refuse(sch, "decompose_reduction", "loop l%u is not around block %s", at.id, old->name);
        return none;
    }
    if (!old->init) {
        refuse(sch, "decompose_reduction", "block %s has no initialisation", old->name);
        return none;
    }
    if (!outside_reduction(sch, old, &path, from)) return none;
    if (!guard_is_spatial(old, &path)) {
        refuse(sch, "decompose_reduction", "the guard of block %s depends on the reduction", old->name);
        return none;
    }
    block init = init_block(sch, old), rest = *old;
    init.where = old->where;
    rest.init = NULL;
    const stmt *before = init_nest(sch, &path, from, &init);
    tree_replace(sch, &path, stmt_block(sch->mem, &rest));
    loop_path.len = 0;
    CHECK(must_loop(sch, at, "decompose_reduction", &loop_path));
    const stmt *both[] = {before, path_end(&loop_path)};
    tree_replace(sch, &loop_path, stmt_seq(sch->mem, both, 2));
    block_ref out = block_handle(sch, init.name);
    trace_line(sch, "b%u = decompose_reduction(b%u, l%u)", out.id, b.id, at.id);
    return out;
}
