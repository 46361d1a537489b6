// opaque.c - blocks without variables: what a block does written over the loops, as code generation wants it.
//
//   for i, j:                                       for i, j:
//       with block: vi = i * 4 + j; C[vi - i * 4]   ->     C[j]
//
// A variable that stands for a division becomes a let, so that the division is done once. Keeps allocations, guards and
// matched buffers in blocks without variables. A block with an initialisation keeps its variables: the first step is
// told by them.
#include "schedule/inside.h"

typedef VEC(iter) iter_list;

typedef struct lowering {
    expr_session *s;
    arena *mem;
    map env; // block variable -> what it stands for
} lowering;

static const expr *written_out(lowering *l, const expr *e, const facts *f) {
    if (!e || (!e->count && e->op != EXPR_VAR)) return e;
    return expr_simplify(l->s, expr_substitute(l->s, e, &l->env), f);
}

static const stmt *lower(lowering *l, const stmt *st, facts *f);

static const stmt *lower_children(lowering *l, const stmt *st, facts *f) {
    uint32_t n = 0;
    while (stmt_child(st, n)) n++;
    const stmt **child = ARENA_NEW(l->mem, const stmt *, n + 1);
    for (uint32_t i = 0; i < n; i++) child[i] = lower(l, stmt_child(st, i), f);
    return stmt_with_children(l->mem, st, child);
}

static const stmt *lower_store(lowering *l, const stmt *st, const facts *f) {
    stmt *now = (stmt *)(uintptr_t)stmt_copy(l->mem, st);
    const expr **index = ARENA_NEW(l->mem, const expr *, st->as.store.count + 1);
    for (uint32_t i = 0; i < st->as.store.count; i++) index[i] = written_out(l, st->as.store.index[i], f);
    now->as.store.index = index;
    now->as.store.value = written_out(l, st->as.store.value, f);
    now->as.store.predicate = written_out(l, st->as.store.predicate, f);
    return now;
}

static const stmt *lower_loop(lowering *l, const stmt *st, facts *f) {
    stmt *now = (stmt *)(uintptr_t)stmt_copy(l->mem, st);
    now->as.loop.min = written_out(l, st->as.loop.min, f);
    now->as.loop.extent = written_out(l, st->as.loop.extent, f);
    facts *inside = facts_push(f);
    facts_range(inside, st->as.loop.var, now->as.loop.min, now->as.loop.extent);
    now->as.loop.body = lower(l, st->as.loop.body, inside);
    return now;
}

static bool divides(const lowering *l, const expr *e) {
    expr_walk w = expr_walk_from(l->mem, e);
    for (const expr *x; (x = expr_walk_next(&w));)
        if (x->op == EXPR_FLOOR_DIV || x->op == EXPR_FLOOR_MOD) return true;
    return false;
}

// Binds the block's variables; without an initialisation they go. Those that divide are in *lets.
static void bind(lowering *l, const block *old, block *now, facts *f, iter_list *lets) {
    iter *kept = ARENA_NEW(l->mem, iter, old->iters + 1);
    for (uint32_t i = 0; i < old->iters; i++) {
        kept[i] = old->iter[i];
        kept[i].value = written_out(l, old->iter[i].value, f);
        if (!dtype_equal(kept[i].value->type, kept[i].var->type))
            kept[i].value = expr_cast(l->s, kept[i].var->type, kept[i].value);
    }
    for (uint32_t i = 0; i < old->iters && !old->init; i++) {
        if (divides(l, kept[i].value)) {
            VEC_PUSH(l->mem, lets, kept[i]);
            facts_range(f, kept[i].var, kept[i].dom.min, kept[i].dom.extent);
        } else {
            map_put(&l->env, MAP_KEY(old->iter[i].var), (void *)(uintptr_t)kept[i].value);
        }
    }
    now->iter = kept;
    now->iters = old->init ? old->iters : 0;
}

static const stmt *lower_matches(lowering *l, const block *b, const stmt *body) {
    block only = {.name = b->name, .matches = b->matches, .match = b->match, .body = body};
    return stmt_replace(l->s, l->mem, stmt_block(l->mem, &only), &l->env, NULL);
}

static const stmt *lower_block(lowering *l, const stmt *st, facts *f) {
    const block *old = st->as.block;
    block now = {.name = old->name, .allocs = old->allocs, .alloc = old->alloc, .annotations = old->annotations};
    facts *inside = facts_push(f);
    now.where = written_out(l, old->where, f);
    if (now.where && expr_is_int(now.where, 1)) now.where = NULL;
    iter_list lets = {0};
    bind(l, old, &now, inside, &lets);
    if (now.where) facts_assume(inside, now.where);
    now.init = old->init ? lower(l, old->init, inside) : NULL;
    now.body = lower(l, old->body, inside);
    if (old->matches) now.body = lower_matches(l, old, now.body);
    bool plain = !now.where && !now.init && !now.allocs && !now.annotations;
    const stmt *out = plain ? now.body : stmt_block(l->mem, &now);
    for (uint32_t i = lets.len; i-- > 0;) out = stmt_let(l->mem, lets.at[i].var, lets.at[i].value, out);
    return out;
}

static const stmt *lower(lowering *l, const stmt *st, facts *f) {
    switch (st->kind) {
    case STMT_STORE: return lower_store(l, st, f);
    case STMT_FOR: return lower_loop(l, st, f);
    case STMT_BLOCK: return lower_block(l, st, f);
    case STMT_SEQ: return lower_children(l, st, f);
    case STMT_IF:
    case STMT_EVALUATE:
    case STMT_LET:
    case STMT_WHILE:
    case STMT_ALLOCATE:
    case STMT_DECL_BUFFER:
    case STMT_ATTR:
    case STMT_ASSERT: break;
    }
    return stmt_replace(l->s, l->mem, lower_children(l, st, f), &l->env, NULL);
}

const loop_func *schedule_opaque(expr_session *s, arena *mem, const loop_func *f) {
    lowering l = {.s = s, .mem = mem, .env = MAP_IN(mem)};
    loop_func *now = ARENA_NEW(mem, loop_func, 1);
    facts *known = facts_new(s);
    expr_list dims = {0};
    loop_func_dim_vars(f, mem, &dims);
    for (uint32_t i = 0; i < dims.len; i++) facts_range(known, dims.at[i], expr_int(s, dims.at[i]->type, 0), NULL);
    *now = *f;
    const stmt *root = f->body;
    if (root->kind != STMT_BLOCK || root->as.block->iters) {
        now->body = lower(&l, root, known);
        return now;
    }
    block b = *root->as.block; // stays, whatever it holds
    b.body = lower(&l, b.body, known);
    now->body = stmt_block(mem, &b);
    return now;
}
