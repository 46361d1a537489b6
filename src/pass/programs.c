// programs.c - looking at loop programs: their phases, the buffers they use, their symbols at a call.
#include "pass/programs.h"
#include "loop/walk.h"

// Some programs have no root block: those a user wrote without any, and those split into launches.
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

// On a CPU a parallel loop is a launch's grid, on a GPU threads are.
bool phase_is_parallel(const stmt *phase) {
    return phase->kind == STMT_FOR && (phase->as.loop.kind == FOR_PARALLEL || phase->as.loop.kind == FOR_THREAD);
}

// --- Dispatchers.

bool is_packed_call(const expr *e) {
    return e->op == EXPR_CALL && (e->as.intrin->id == INTRIN_CALL_PACKED || e->as.intrin->id == INTRIN_CALL_CPACKED);
}

bool is_program_call(const stmt *st) { return st->kind == STMT_EVALUATE && st->as.value->op == EXPR_CALL_FUNC; }

// Nothing but calls, in branches or one after the other: it computes nothing itself.
static bool is_dispatch(const stmt *st) {
    if (st->kind == STMT_EVALUATE) return is_program_call(st) || is_packed_call(st->as.value);
    if (st->kind != STMT_IF && st->kind != STMT_SEQ) return false;
    for (uint32_t i = 0; stmt_child(st, i); i++)
        if (!is_dispatch(stmt_child(st, i))) return false;
    return stmt_child(st, 0) != NULL;
}

// One with workspaces of its own is a program that calls helpers, not a dispatcher.
// A buffer of its own would make it more than a choice: nobody could tell whose it is.
bool is_dispatcher(const loop_func *f) {
    const stmt *body;
    const block *root = program_root(f, &body);
    return (!root || !root->allocs) && is_dispatch(body);
}

static bool passes_on(const stmt *st, const loop_param *p) {
    if (st->kind == STMT_EVALUATE)
        for (uint32_t i = 0; i < st->as.value->count; i++)
            if (st->as.value->in[i] == p->var || (p->buf && st->as.value->in[i] == p->buf->data)) return true;
    for (uint32_t i = 0; stmt_child(st, i); i++)
        if (passes_on(stmt_child(st, i), p)) return true;
    return false;
}

// Of an `if` one side runs, of a sequence every statement. Nesting is bounded by the reader.
static bool excludes(const stmt *st, const loop_param *a, const loop_param *b) {
    if (st->kind == STMT_EVALUATE) return !passes_on(st, a) || !passes_on(st, b);
    for (uint32_t i = 0; stmt_child(st, i); i++) {
        if (!excludes(stmt_child(st, i), a, b)) return false;
        for (uint32_t k = 0; st->kind != STMT_IF && stmt_child(st, k); k++)
            if (k != i && passes_on(stmt_child(st, i), a) && passes_on(stmt_child(st, k), b)) return false;
    }
    return true;
}

bool dispatch_excludes(const loop_func *f, uint32_t a, uint32_t b) {
    const stmt *body;
    program_root(f, &body);
    return is_dispatcher(f) && excludes(body, &f->param[a], &f->param[b]);
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

// --- What a program writes.

typedef struct writing {
    module *m;
    map handles; // MAP_KEY(data variable of a match_buffer) -> that of its source
    map written; // MAP_KEY(data variable) -> non-NULL
    uint32_t depth;
} writing;

enum { MAX_DISPATCH_DEPTH = 32 };

static const bool *writes_at(module *m, const loop_func *f, uint32_t depth);

// What a callee writes the caller writes; of a callee that isn't known all its arguments.
static void write_called(writing *w, const loop_func *f, const expr *call) {
    const module_func *callee = call->op == EXPR_CALL_FUNC ? module_find(w->m, call->as.text) : NULL;
    bool known = callee && callee->kind == FUNC_LOOP && callee->loop->params == call->count;
    const bool *writes = known ? writes_at(w->m, callee->loop, w->depth + 1) : NULL;
    for (uint32_t i = 0; i < call->count; i++)
        for (uint32_t k = 0; k < f->params; k++) {
            const loop_param *p = &f->param[k];
            bool same = p->buf && (call->in[i] == p->var || call->in[i] == p->buf->data);
            if (same && (!writes || writes[i])) map_put(&w->written, MAP_KEY(p->buf->data), w);
        }
}

static void write_statement(writing *w, const loop_func *f, const stmt *st) {
    for (uint32_t i = 0; st->kind == STMT_BLOCK && i < st->as.block->matches; i++) {
        const buffer_match *match = &st->as.block->match[i];
        map_put(&w->handles, MAP_KEY(match->inner->data), (void *)(uintptr_t)match->source.buf->data);
    }
    if (st->kind == STMT_EVALUATE && st->as.value->count) write_called(w, f, st->as.value);
    if (st->kind != STMT_STORE) return;
    const expr *data = st->as.store.buf->data;
    for (const expr *outer; (outer = map_find(&w->handles, MAP_KEY(data)));) data = outer;
    map_put(&w->written, MAP_KEY(data), w);
}

// NULL, which stands for everything, where programs call each other without end.
static const bool *writes_at(module *m, const loop_func *f, uint32_t depth) {
    if (depth > MAX_DISPATCH_DEPTH) return NULL;
    writing w = {.m = m, .handles = MAP_IN(m->mem), .written = MAP_IN(m->mem), .depth = depth};
    bool *writes = ARENA_NEW(m->mem, bool, f->params);
    for (stmt_walk walk = stmt_walk_from(m->mem, f->body); stmt_walk_next(&walk);)
        if (!walk.leaving) write_statement(&w, f, walk.st);
    for (uint32_t i = 0; i < f->params; i++)
        writes[i] = f->param[i].buf && map_has(&w.written, MAP_KEY(f->param[i].buf->data));
    return writes;
}

const bool *program_writes(module *m, const loop_func *f) { return writes_at(m, f, 0); }

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

uint32_t program_passes(const loop_func *f, const expr *argument) {
    for (uint32_t i = 0; i < f->params; i++)
        if (f->param[i].buf && (argument == f->param[i].var || argument == f->param[i].buf->data)) return i;
    return NO_PARAMETER;
}

map program_worth_passed(module *m, const loop_func *f, const loop_func *callee, const expr *call) {
    program_arg *arg = ARENA_NEW(m->mem, program_arg, call->count);
    for (uint32_t i = 0; i < call->count; i++) {
        uint32_t at = program_passes(f, call->in[i]);
        arg[i] = at == NO_PARAMETER ? (program_arg){.value = call->in[i]} : (program_arg){.dim = f->param[at].buf->dim};
    }
    map worth;
    (void)program_worth(m->exprs, m->mem, callee, arg, &worth);
    return worth;
}
