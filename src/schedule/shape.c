// shape.c - blocks that write one element of one buffer per instance: what most primitives can move.
#include "loop/walk.h"
#include "schedule/inside.h"

// The single store of a block's body; NULL if there are several or none.
static const stmt *only_store(const schedule *sch, const block *b) {
    const stmt *store = NULL;
    stmt_walk w = stmt_walk_from(sch->mem, b->body);
    while (stmt_walk_next(&w)) {
        if (w.leaving) continue;
        if (w.st->kind == STMT_BLOCK || (w.st->kind == STMT_STORE && store)) return NULL;
        if (w.st->kind == STMT_STORE) store = w.st;
    }
    return store;
}

const iter *iter_of(const block *b, const expr *var) {
    for (uint32_t i = 0; i < b->iters; i++)
        if (b->iter[i].var == var) return &b->iter[i];
    return NULL;
}

// Then different values of the variables are different elements.
static bool own_variables(const block *b, const stmt *store) {
    for (uint32_t i = 0; i < store->as.store.count; i++) {
        const expr *at = store->as.store.index[i];
        int64_t k;
        const iter *it = iter_of(b, at);
        if (!(expr_const_int(at, &k) || (it && it->kind == ITER_SPATIAL))) return false;
        for (uint32_t j = 0; j < i; j++)
            if (it && store->as.store.index[j] == at) return false;
    }
    return true;
}

static bool all_spatial_written(const block *b, const stmt *store) {
    for (uint32_t i = 0; i < b->iters; i++) {
        bool found = b->iter[i].kind != ITER_SPATIAL || expr_is_int(b->iter[i].dom.extent, 1);
        for (uint32_t k = 0; k < store->as.store.count; k++) found |= store->as.store.index[k] == b->iter[i].var;
        if (!found) return false;
    }
    return true;
}

// The block's body is a function of its own variables: no loop around it is used directly.
static bool is_closed(const schedule *sch, const stmt *st) {
    stmt_walk w = stmt_walk_from(sch->mem, st);
    while (stmt_walk_next(&w)) {
        expr_list direct = {0};
        if (!w.leaving) stmt_expressions(w.st, sch->mem, &direct);
        for (uint32_t i = 0; i < direct.len; i++) {
            expr_list vars = {0};
            expr_free_vars(direct.at[i], sch->mem, &vars);
            for (uint32_t k = 0; k < vars.len; k++)
                if (map_has(&sch->loop_vars, MAP_KEY(vars.at[k]))) return false;
        }
    }
    return true;
}

static bool init_fits(const schedule *sch, const block *b, const stmt *store) {
    if (!b->init) return true;
    if (b->init->kind != STMT_STORE || b->init->as.store.buf != store->as.store.buf || b->init->as.store.predicate)
        return false;
    for (uint32_t i = 0; i < store->as.store.count; i++)
        if (b->init->as.store.index[i] != store->as.store.index[i]) return false;
    return !calls_with_effect(sch, b->init->as.store.value) && is_closed(sch, b->init);
}

bool block_understand(const schedule *sch, const block *b, block_shape *out) {
    const stmt *store = only_store(sch, b);
    if (!store || b->allocs || b->matches || !own_variables(b, store) || !all_spatial_written(b, store)) return false;
    if (summary_of(sch, b->body)->opaque || !is_closed(sch, b->body) || !init_fits(sch, b, store)) return false;
    *out = (block_shape){
        .out = store->as.store.buf, .rank = store->as.store.count, .written = store->as.store.index, .store = store};
    for (uint32_t i = 0; i < b->iters; i++) {
        if (b->iter[i].kind != ITER_SPATIAL && b->iter[i].kind != ITER_REDUCE) return false;
        out->reduction |= b->iter[i].kind == ITER_REDUCE;
    }
    return true;
}
