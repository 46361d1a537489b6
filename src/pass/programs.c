// programs.c - looking at loop programs: their phases, the buffers they use, their symbols at a call.
#include "pass/programs.h"
#include "loop/walk.h"

const block *program_root(const loop_func *f, const stmt **body) {
    const stmt *st = f->body;
    bool root = st->kind == STMT_BLOCK && !st->as.block->iters;
    *body = root ? st->as.block->body : st;
    return root ? st->as.block : NULL;
}

uint32_t program_phases(const stmt *body, const stmt *const **out) {
    *out = NULL;
    if (body->kind != STMT_SEQ) return 1;
    *out = body->as.seq.list;
    return body->as.seq.count;
}

bool phase_is_parallel(const stmt *phase) {
    return phase->kind == STMT_FOR && (phase->as.loop.kind == FOR_PARALLEL || phase->as.loop.kind == FOR_THREAD);
}

// --- Dispatchers.

bool is_packed_call(const expr *e) {
    return e->op == EXPR_CALL && (e->as.intrin->id == INTRIN_CALL_PACKED || e->as.intrin->id == INTRIN_CALL_CPACKED);
}

bool is_program_call(const stmt *st) { return st->kind == STMT_EVALUATE && st->as.value->op == EXPR_CALL_FUNC; }

static bool is_dispatch(const stmt *st) {
    if (st->kind == STMT_EVALUATE) return is_program_call(st) || is_packed_call(st->as.value);
    if (st->kind != STMT_IF && st->kind != STMT_SEQ) return false;
    for (uint32_t i = 0; stmt_child(st, i); i++)
        if (!is_dispatch(stmt_child(st, i))) return false;
    return stmt_child(st, 0) != NULL;
}

bool is_dispatcher(const loop_func *f) {
    const stmt *body;
    const block *root = program_root(f, &body);
    return (!root || !root->allocs) && is_dispatch(body);
}

// --- Buffers.

void used_buffers(arena *mem, const stmt *st, map *out) {
    for (stmt_walk w = stmt_walk_from(mem, st); stmt_walk_next(&w);) {
        if (w.leaving) continue;
        expr_list list = {0};
        stmt_expressions(w.st, mem, &list);
        for (uint32_t i = 0; i < list.len; i++) expr_loaded_buffers(list.at[i], out);
        if (w.st->kind == STMT_STORE) map_put(out, MAP_KEY(w.st->as.store.buf), out);
        if (w.st->kind != STMT_BLOCK) continue;
        for (uint32_t i = 0; i < w.st->as.block->matches; i++)
            map_put(out, MAP_KEY(w.st->as.block->match[i].source.buf), out);
    }
}

// --- Symbols at a call.

bool program_worth(expr_session *s, arena *mem, const loop_func *f, const program_arg *arg, map *worth) {
    map bindable = MAP_IN(mem);
    dims_match match = {.bound = MAP_IN(mem)};
    expr_list want = {0}, got = {0}, vars = {0};
    loop_func_dim_vars(f, mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) map_put(&bindable, MAP_KEY(vars.at[i]), mem);
    for (uint32_t i = 0; i < f->params; i++) {
        const loop_param *p = &f->param[i];
        if (!p->buf) {
            map_put(&bindable, MAP_KEY(p->var), mem);
            map_put(&match.bound, MAP_KEY(p->var), (void *)(uintptr_t)arg[i].value);
        }
        for (uint32_t d = 0; p->buf && d < p->buf->rank; d++) {
            VEC_PUSH(mem, &want, p->buf->dim[d]);
            VEC_PUSH(mem, &got, arg[i].dim[d]);
        }
    }
    expr_match_dims(s, want.at, got.at, want.len, &bindable, NULL, &match);
    *worth = match.bound;
    return !match.contradiction;
}
