// pattern.c - the pattern kind of a loop program: how the indices it reads relate to those it writes.
#include "pass/pattern.h"
#include "expr/prove.h"
#include "loop/walk.h"
#include <string.h>

typedef struct access { // buf[index, ...], stored or loaded
    const buffer *buf;
    const expr *const *index;
    const expr *value; // of a store
} access;
typedef VEC(access) access_list;

typedef struct analysis {
    expr_session *s;
    arena *mem;
    const loop_func *f;
    bool precise;
    pattern_kind kind;         // of the blocks seen so far
    uint32_t blocks;           // how many
    bool has_effects;          // a statement that is neither loop, block, store nor declaration
    map loops;                 // variables of loops and blocks: MAP_KEY(var)
    access_list stores, loads; // of the block at hand
} analysis;

// --- What a block reads and writes.

static void add_loads(analysis *a, const expr *e) {
    expr_walk w = expr_walk_from(a->mem, e);
    for (const expr *part; (part = expr_walk_next(&w));) {
        access load = {.buf = part->as.buffer, .index = part->in};
        if (part->op == EXPR_LOAD) VEC_PUSH(a->mem, &a->loads, load);
        a->has_effects |= part->op == EXPR_CALL_FUNC || (part->op == EXPR_CALL && !part->as.intrin->pure);
    }
}

static void add_statement(analysis *a, const stmt *st) {
    if (st->kind == STMT_BLOCK) return; // its own expressions say where it runs
    expr_list list = {0};
    stmt_expressions(st, a->mem, &list);
    for (uint32_t i = 0; i < list.len; i++) add_loads(a, list.at[i]);
    if (st->kind == STMT_STORE) {
        access store = {.buf = st->as.store.buf, .index = st->as.store.index, .value = st->as.store.value};
        VEC_PUSH(a->mem, &a->stores, store);
    }
    a->has_effects |= st->kind == STMT_WHILE || st->kind == STMT_EVALUATE || st->kind == STMT_ASSERT;
}

// The block's accesses alone: what stood in the lists belongs to the block before.
static void collect(analysis *a, const block *b) {
    a->stores.len = a->loads.len = 0;
    for (stmt_walk w = stmt_walk_from(a->mem, b->body); stmt_walk_next(&w);)
        if (!w.leaving) add_statement(a, w.st);
}

// --- One read against one write.

// An index that stands for all of a dim: a variable of a loop or block, not a symbolic size.
static bool is_plain(const expr *e) { return e->op == EXPR_VAR; }

static bool same_extents(const analysis *a, const access *store, const access *load) {
    for (uint32_t i = 0; i < store->buf->rank; i++)
        if (!prove_equal(a->s, store->buf->dim[i], load->buf->dim[i], NULL)) return false;
    return true;
}

// The same element of a tensor of the same shape, index by index.
static bool is_elementwise(const analysis *a, const access *store, const access *load) {
    if (store->buf->rank != load->buf->rank) return false;
    for (uint32_t i = 0; i < store->buf->rank; i++)
        if (!is_plain(store->index[i]) || store->index[i] != load->index[i]) return false;
    return !a->precise || same_extents(a, store, load);
}

// A dim of 1 that is read at 0 says nothing about the index that stands beside it.
static bool is_unit(const analysis *a, const access *load, uint32_t i) {
    const expr *dim = load->buf->dim[i];
    bool one = expr_is_int(dim, 1) || (a->precise && prove_equal(a->s, dim, expr_int(a->s, dim->type, 1), NULL));
    return one && expr_is_int(load->index[i], 0);
}

// The read's indices stand among the write's, in order; dims of 1 are left out.
static bool is_broadcast(const analysis *a, const access *store, const access *load) {
    uint32_t j = 0;
    for (uint32_t i = 0; i < load->buf->rank; i++) {
        if (is_unit(a, load, i)) continue;
        while (j < store->buf->rank && store->index[j] != load->index[i]) j++;
        if (j == store->buf->rank) return false;
        if (a->precise && !prove_equal(a->s, store->buf->dim[j], load->buf->dim[i], NULL)) return false;
    }
    return true;
}

// As TVM has it: the variable alone is one of the indices that are written.
static bool written_var(const access *store, const expr *var) {
    for (uint32_t i = 0; i < store->buf->rank; i++)
        if (store->index[i] == var) return true;
    return false;
}

// The variable has a part in the place that is written: a split or fused index counts.
static bool written_somewhere(const access *store, const expr *var) {
    for (uint32_t i = 0; i < store->buf->rank; i++)
        if (expr_uses_var(store->index[i], var)) return true;
    return false;
}

// Variables of loops; a symbolic size is as good as a constant where the analysis is precise.
static bool is_determined(const analysis *a, const access *store, const expr *index) {
    expr_list vars = {0};
    expr_free_vars(index, a->mem, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        if (a->precise ? !map_has(&a->loops, MAP_KEY(vars.at[i])) || written_somewhere(store, vars.at[i])
                       : written_var(store, vars.at[i]))
            continue;
        return false;
    }
    map buffers = MAP_IN(a->mem);
    expr_loaded_buffers(index, &buffers);
    return a->precise || buffers.len == 0;
}

// Every element read is told by the place that is written; which place reads it does not matter.
static bool is_injective(const analysis *a, const access *store, const access *load) {
    for (uint32_t i = 0; !a->precise && i < store->buf->rank; i++)
        if (!is_plain(store->index[i])) return false;
    for (uint32_t i = 0; i < load->buf->rank; i++)
        if (!is_determined(a, store, load->index[i])) return false;
    return true;
}

// Indices are interned, so equal ones are the same pointer.
static bool same_place(const access *x, const access *y) {
    if (x->buf != y->buf) return false;
    for (uint32_t i = 0; i < x->buf->rank; i++)
        if (x->index[i] != y->index[i]) return false;
    return true;
}

// Reads of what the block writes at another index depend on the order of its steps.
static bool is_scan(const analysis *a, const access *store, const access *load) {
    return a->precise && store->buf == load->buf && !same_place(store, load);
}

// From the easiest kind to the hardest: the first that holds is the answer.
static pattern_kind pair_pattern(const analysis *a, const access *store, const access *load) {
    if (is_scan(a, store, load)) return PATTERN_OPAQUE;
    if (is_elementwise(a, store, load)) return PATTERN_ELEMENTWISE;
    if (is_broadcast(a, store, load)) return PATTERN_BROADCAST;
    return is_injective(a, store, load) ? PATTERN_INJECTIVE : PATTERN_OPAQUE;
}

static pattern_kind harder(pattern_kind x, pattern_kind y) { return x > y ? x : y; }

// Broadcasting beside an elementwise read is elementwise: out[i, j] = a[i, j] + b[j].
static pattern_kind store_pattern(const analysis *a, const access *store) {
    pattern_kind worst = PATTERN_ELEMENTWISE;
    bool elementwise = false;
    for (uint32_t i = 0; i < a->loads.len; i++) {
        pattern_kind kind = pair_pattern(a, store, &a->loads.at[i]);
        elementwise |= kind == PATTERN_ELEMENTWISE;
        worst = harder(worst, kind);
    }
    return worst == PATTERN_BROADCAST && elementwise ? PATTERN_ELEMENTWISE : worst;
}

// A store to computed indices covers a part of the output only (or its order): no consumer may count on more.
static bool writes_part(const access *store) {
    for (uint32_t i = 0; i < store->buf->rank; i++)
        if (!is_plain(store->index[i]) && store->index[i]->op != EXPR_INT) return true;
    return false;
}

// --- Reductions.

static const expr *without_cast(const expr *e) {
    while (e->op == EXPR_CAST) e = e->in[0];
    return e;
}

// acc = acc + a * b, with casts anywhere between: what TVM takes for a matmul.
static bool is_multiply_add(const access *store) {
    const expr *sum = without_cast(store->value);
    if (sum->op != EXPR_ADD) return false;
    const expr *acc = without_cast(sum->in[0]), *product = without_cast(sum->in[1]);
    if (acc->op != EXPR_LOAD || product->op != EXPR_MUL) return false;
    access old = {.buf = acc->as.buffer, .index = acc->in};
    return same_place(store, &old) && without_cast(product->in[0])->op == EXPR_LOAD &&
           without_cast(product->in[1])->op == EXPR_LOAD;
}

// A read that does not depend on every index of the output is made several times: there is something to keep.
static bool is_reused(const analysis *a, const access *store, const access *load) {
    for (uint32_t i = 0; i < store->buf->rank; i++) {
        const expr *var = store->index[i];
        if (!is_plain(var)) continue;
        bool used = false;
        for (uint32_t k = 0; k < load->buf->rank; k++) used |= expr_uses_var(load->index[k], var);
        if (!used && !(a->precise && expr_is_int(store->buf->dim[i], 1))) return true;
    }
    return false;
}

// A sum over rows has none, a matmul has it in both factors: its loops are worth keeping as an anchor.
static bool has_reuse(const analysis *a, const access *store) {
    for (uint32_t i = 0; i < a->loads.len; i++)
        if (is_reused(a, store, &a->loads.at[i])) return true;
    return false;
}

// Each index of the read is a reduction variable alone or has none.
static bool reads_in_order(const block *b, const access *load) {
    for (uint32_t i = 0; i < load->buf->rank; i++)
        for (uint32_t k = 0; k < b->iters; k++)
            if (b->iter[k].kind == ITER_REDUCE && load->index[i] != b->iter[k].var &&
                expr_uses_var(load->index[i], b->iter[k].var))
                return false;
    return true;
}

static pattern_kind reduction_pattern(const analysis *a, const block *b) {
    const access *store = &a->stores.at[a->stores.len - 1];
    if ((a->precise || is_multiply_add(store)) && has_reuse(a, store)) return PATTERN_OUT_FUSIBLE;
    for (uint32_t i = 0; i < a->loads.len; i++)
        if (!reads_in_order(b, &a->loads.at[i])) return PATTERN_OUT_FUSIBLE;
    return PATTERN_REDUCTION;
}

// --- Blocks.

static bool is_root(const block *b) { return b->iters == 0 && strcmp(b->name, "root") == 0; }

// The last of several blocks; those before it write intermediate buffers.
static bool writes_output(const analysis *a) {
    for (uint32_t i = 0; i < a->stores.len; i++)
        for (uint32_t p = 0; p < a->f->params; p++)
            if (a->f->param[p].buf == a->stores.at[i].buf) return true;
    return false;
}

static bool reduces(const block *b) {
    for (uint32_t i = 0; i < b->iters; i++)
        if (b->iter[i].kind == ITER_REDUCE) return true;
    return false;
}

// A block with several stores is as hard as its hardest one.
static pattern_kind block_pattern(const analysis *a) {
    pattern_kind worst = PATTERN_ELEMENTWISE;
    for (uint32_t i = 0; i < a->stores.len; i++) {
        const access *store = &a->stores.at[i];
        pattern_kind kind = store_pattern(a, store);
        if (a->precise && kind < PATTERN_INJECTIVE && writes_part(store)) kind = PATTERN_INJECTIVE;
        worst = harder(worst, kind);
    }
    return worst;
}

// A reduction, then a block that writes the output from it: softmax, a norm, a mean.
static void add_block(analysis *a, const block *b) {
    collect(a, b);
    a->blocks++;
    pattern_kind kind = a->stores.len ? block_pattern(a) : PATTERN_OPAQUE;
    if (kind == PATTERN_OPAQUE && a->stores.len && reduces(b))
        kind = reduction_pattern(a, b);
    else if (kind != PATTERN_OPAQUE && a->kind == PATTERN_REDUCTION && writes_output(a))
        kind = PATTERN_OUT_FUSIBLE;
    a->kind = harder(a->kind, kind);
}

// First over the whole program: a block may use the variable of a loop far outside of it.
static void note_loops(analysis *a, const stmt *st) {
    if (st->kind == STMT_FOR) map_put(&a->loops, MAP_KEY(st->as.loop.var), a);
    for (uint32_t i = 0; st->kind == STMT_BLOCK && i < st->as.block->iters; i++)
        map_put(&a->loops, MAP_KEY(st->as.block->iter[i].var), a);
}

// Blocks around others only order them; the innermost ones compute.
static bool holds_block(const analysis *a, const block *b) {
    for (stmt_walk w = stmt_walk_from(a->mem, b->body); stmt_walk_next(&w);)
        if (w.st->kind == STMT_BLOCK) return true;
    return false;
}

pattern_kind loop_pattern(const loop_func *f, expr_session *s, arena *mem, bool precise) {
    analysis a = {.s = s, .mem = mem, .f = f, .precise = precise, .loops = MAP_IN(mem)};
    for (stmt_walk w = stmt_walk_from(mem, f->body); stmt_walk_next(&w);)
        if (!w.leaving) note_loops(&a, w.st);
    for (stmt_walk w = stmt_walk_from(mem, f->body); stmt_walk_next(&w);) {
        bool leaf = !w.leaving && w.st->kind == STMT_BLOCK && !is_root(w.st->as.block);
        if (!leaf || holds_block(&a, w.st->as.block)) continue;
        add_block(&a, w.st->as.block);
        w.skip = true;
    }
    return a.has_effects || !a.blocks ? PATTERN_OPAQUE : a.kind;
}
