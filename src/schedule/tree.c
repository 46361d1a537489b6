// tree.c - finding and replacing statements of the program.
#include "loop/walk.h"
#include "schedule/inside.h"
#include <string.h>

const stmt *path_end(const stmt_list *path) { return path->at[path->len - 1]; }

// Statements from the body down to where the walk stands.
static void path_of(const schedule *sch, const stmt_walk *w, stmt_list *path) {
    path->len = 0;
    for (uint32_t i = 0; i < stmt_walk_depth(w); i++) VEC_PUSH(sch->mem, path, stmt_walk_open(w, i));
    VEC_PUSH(sch->mem, path, w->st);
}

// Handles are names, so each use looks for the statement: programs are small, and change all the time.
bool path_to_loop(const schedule *sch, const expr *var, stmt_list *path) {
    stmt_walk w = stmt_walk_from(sch->mem, sch->func->body);
    while (stmt_walk_next(&w)) {
        if (w.leaving || w.st->kind != STMT_FOR || w.st->as.loop.var != var) continue;
        path_of(sch, &w, path);
        return true;
    }
    return false;
}

bool path_to_block(const schedule *sch, const char *name, stmt_list *path) {
    stmt_walk w = stmt_walk_from(sch->mem, sch->func->body);
    while (stmt_walk_next(&w)) {
        if (w.leaving || w.st->kind != STMT_BLOCK || strcmp(w.st->as.block->name, name) != 0) continue;
        path_of(sch, &w, path);
        return true;
    }
    return false;
}

static uint32_t child_count(const stmt *st) {
    uint32_t n = 0;
    while (stmt_child(st, n)) n++;
    return n;
}

// Regions are derived from the body again where someone asks.
const stmt *block_changed(schedule *sch, const block *b) {
    block now = *b;
    now.regions_written = false;
    now.reads = now.writes = 0;
    return stmt_block(sch->mem, &now);
}

static const stmt *with_children(schedule *sch, const stmt *st, const stmt **child) {
    const stmt *now = stmt_with_children(sch->mem, st, child);
    return now != st && now->kind == STMT_BLOCK && now->as.block->regions_written ? block_changed(sch, now->as.block)
                                                                                  : now;
}

// `parent` with one child replaced; NULL for the child removes it, and the parent where nothing is left.
static const stmt *with_child(schedule *sch, const stmt *parent, const stmt *was, const stmt *now) {
    uint32_t n = child_count(parent);
    const stmt **child = ARENA_NEW(sch->mem, const stmt *, n + 1);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        const stmt *c = stmt_child(parent, i) == was ? now : stmt_child(parent, i);
        if (c || parent->kind != STMT_SEQ) child[kept++] = c;
    }
    if (parent->kind == STMT_SEQ) return kept ? stmt_seq(sch->mem, child, kept) : NULL;
    return now ? with_children(sch, parent, child) : NULL;
}

const stmt *path_replaced(schedule *sch, const stmt_list *path, const stmt *now) {
    for (uint32_t i = path->len - 1; i-- > 0;) now = with_child(sch, path->at[i], path->at[i + 1], now);
    return now;
}

void tree_replace(schedule *sch, const stmt_list *path, const stmt *now) {
    sch->func->body = path_replaced(sch, path, now);
    CHECK(sch->func->body);
}

range clip(schedule *sch, range r, const expr *dim) {
    expr_session *s = sch->s;
    if (!dtype_equal(r.min->type, dim->type) || !dtype_equal(r.extent->type, dim->type)) return r;
    if (!expr_is_int(r.min, 0)) return r;
    if (r.extent == dim || !prove_less_equal(s, dim, r.extent, sch->facts)) return r;
    return (range){r.min, dim};
}

static void assume_block(const schedule *sch, facts *f, const block *b) {
    for (uint32_t i = 0; i < b->iters; i++) {
        const iter *it = &b->iter[i];
        facts_range(f, it->var, it->dom.min, it->dom.extent);
        if (dtype_equal(it->var->type, it->value->type))
            facts_assume(f, expr_binary(sch->s, EXPR_EQ, it->var, it->value));
    }
    if (b->where) facts_assume(f, b->where);
}

facts *path_facts(const schedule *sch, const stmt_list *path) {
    facts *f = facts_push(sch->facts);
    for (uint32_t i = 0; i < path->len; i++) {
        const stmt *st = path->at[i];
        if (st->kind == STMT_FOR) facts_range(f, st->as.loop.var, st->as.loop.min, st->as.loop.extent);
        if (st->kind == STMT_BLOCK) assume_block(sch, f, st->as.block);
    }
    return f;
}

const char *in_the_way(const stmt_list *path, uint32_t from, uint32_t to) {
    static const char *const what[] = {
        [STMT_LET] = "a let",         [STMT_IF] = "an if",
        [STMT_WHILE] = "a while",     [STMT_ALLOCATE] = "an allocation",
        [STMT_ATTR] = "an attribute", [STMT_DECL_BUFFER] = "a declared buffer",
        [STMT_ASSERT] = "an assert",
    };
    for (uint32_t i = from; i < to; i++)
        if (path->at[i]->kind < COUNT(what) && what[path->at[i]->kind]) return what[path->at[i]->kind];
    return NULL;
}

void blocks_below(const schedule *sch, const stmt *st, stmt_list *out) {
    stmt_walk w = stmt_walk_from(sch->mem, st);
    while (stmt_walk_next(&w))
        if (!w.leaving && w.st->kind == STMT_BLOCK) VEC_PUSH(sch->mem, out, w.st);
}

bool is_parameter(const schedule *sch, const buffer *buf) {
    for (uint32_t i = 0; i < sch->func->params; i++)
        if (sch->func->param[i].buf == buf) return true;
    return false;
}

const expr *new_loop_var(schedule *sch, const char *name, dtype type) {
    const expr *var = expr_new_var(sch->s, name, type);
    map_put(&sch->loop_vars, MAP_KEY(var), sch);
    return var;
}

const stmt *loop_with_body(schedule *sch, const stmt *loop, const stmt *body) {
    stmt *now = (stmt *)(uintptr_t)stmt_copy(sch->mem, loop);
    now->as.loop.body = body;
    return now;
}

// --- Guards made simpler. Proofs that fail are dear, so only ranges are asked.

bool surely(const schedule *sch, const expr *e, const facts *f) {
    if (expr_is_int(e, 1)) return true;
    if (!expr_op_compares(e->op) || !expr_is_index(e->in[0]) || !dtype_equal(e->in[0]->type, e->in[1]->type))
        return false;
    interval v = expr_bounds(sch->s, expr_binary(sch->s, EXPR_SUB, e->in[0], e->in[1]), f);
    if (e->op == EXPR_LT) return v.has_high && v.high < 0;
    if (e->op == EXPR_LE) return v.has_high && v.high <= 0;
    if (e->op == EXPR_GT) return v.has_low && v.low > 0;
    return e->op == EXPR_GE && v.has_low && v.low >= 0;
}

const expr *simpler_guard(const schedule *sch, const expr *e, const facts *f) {
    if (!e || surely(sch, e, f)) return NULL;
    if (e->op == EXPR_AND) {
        const expr *a = simpler_guard(sch, e->in[0], f), *b = simpler_guard(sch, e->in[1], f);
        return a && b ? expr_binary(sch->s, EXPR_AND, a, b) : a ? a : b;
    }
    if (!expr_op_compares(e->op) || !expr_is_index(e->in[0])) return e;
    const expr *side[] = {expr_simplify(sch->s, e->in[0], f), expr_simplify(sch->s, e->in[1], f)};
    return expr_with(sch->s, e, side);
}

// --- Rebinding.

static const stmt *simplified_block(schedule *sch, const stmt *st, const facts *f) {
    block b = *st->as.block;
    iter *iters = ARENA_NEW(sch->mem, iter, b.iters + 1);
    for (uint32_t i = 0; i < b.iters; i++) {
        iters[i] = b.iter[i];
        iters[i].value = expr_simplify(sch->s, iters[i].value, f);
    }
    b.iter = iters;
    b.where = simpler_guard(sch, b.where, f);
    stmt *now = (stmt *)(uintptr_t)stmt_block(sch->mem, &b);
    now->at = st->at;
    return now;
}

// Simplifies the bindings of the blocks outside of any other block; loops on the way add their ranges.
static const stmt *simplify_bindings(schedule *sch, const stmt *st, const facts *f) {
    if (st->kind == STMT_BLOCK) return simplified_block(sch, st, f);
    uint32_t n = child_count(st);
    const stmt **child = ARENA_NEW(sch->mem, const stmt *, n + 1);
    if (st->kind == STMT_FOR) {
        facts *inside = facts_push((facts *)(uintptr_t)f);
        facts_range(inside, st->as.loop.var, st->as.loop.min, st->as.loop.extent);
        f = inside;
    }
    for (uint32_t i = 0; i < n; i++) child[i] = simplify_bindings(sch, stmt_child(st, i), f);
    return stmt_with_children(sch->mem, st, child);
}

const stmt *rebind(schedule *sch, const stmt *st, const map *with, const facts *f) {
    return simplify_bindings(sch, stmt_replace(sch->s, sch->mem, st, with, NULL), f);
}

// --- Guards.

static bool loads(const schedule *sch, const expr *e) {
    map loaded = MAP_IN(sch->mem);
    expr_loaded_buffers(e, &loaded);
    return loaded.len > 0;
}

// Whether nothing but blocks does any work below st, so that guarding those is enough.
static bool only_blocks(const schedule *sch, const stmt *st) {
    if (st->kind == STMT_BLOCK) {
        for (uint32_t i = 0; i < st->as.block->iters; i++)
            if (loads(sch, st->as.block->iter[i].value)) return false;
        return true;
    }
    if (st->kind == STMT_FOR && (loads(sch, st->as.loop.min) || loads(sch, st->as.loop.extent))) return false;
    if (st->kind != STMT_FOR && st->kind != STMT_SEQ) return false;
    for (uint32_t i = 0; stmt_child(st, i); i++)
        if (!only_blocks(sch, stmt_child(st, i))) return false;
    return true;
}

static const stmt *guard_blocks(schedule *sch, const stmt *st, const expr *condition) {
    if (st->kind == STMT_BLOCK) {
        block b = *st->as.block;
        b.where = b.where ? expr_binary(sch->s, EXPR_AND, b.where, condition) : condition;
        return stmt_block(sch->mem, &b);
    }
    uint32_t n = child_count(st);
    const stmt **child = ARENA_NEW(sch->mem, const stmt *, n + 1);
    for (uint32_t i = 0; i < n; i++) child[i] = guard_blocks(sch, stmt_child(st, i), condition);
    return stmt_with_children(sch->mem, st, child);
}

const stmt *guard(schedule *sch, const stmt *st, const expr *condition) {
    return only_blocks(sch, st) ? guard_blocks(sch, st, condition) : stmt_if(sch->mem, condition, st, NULL);
}
