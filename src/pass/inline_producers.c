// inline_producers.c - reads of intermediate buffers replaced by what was stored there.
//
//   before:  for i, j: t[i, j] = x[j, i]          after:  for i, j: y[i, j] = T.exp(x[j, i])
//            for i, j: y[i, j] = T.exp(t[i, j])
#include "pass/inline_producers.h"
#include "loop/walk.h"
#include "pass/cost.h"
#include <string.h>

enum { CHEAP_NODES = 24, LARGEST_VALUE = 400 }; // nodes of an expression: that may be repeated; that is built at all

// A top-level statement of the program.
typedef struct nest {
    const stmt *st;
    const block *block; // the one block inside its loops; NULL: it looks otherwise
    const stmt *store;  // of a producer: the store of that block; NULL: it is none
    bool gone;
} nest;

typedef struct inlining {
    expr_session *s;
    arena *mem;
    const loop_func *f;
    const block *root;
    nest *nest;
    uint32_t nests;
    bool changed;
} inlining;

// --- Producers.

static const stmt *inner(const stmt *st) {
    while (st->kind == STMT_FOR && st->as.loop.kind == FOR_SERIAL) st = st->as.loop.body;
    return st;
}

// The loop runs over the whole extent of the block's variable, from 0.
static bool is_loop_of(const stmt *st, const expr *var, const expr *extent) {
    for (; st->kind == STMT_FOR; st = st->as.loop.body)
        if (st->as.loop.var == var) return expr_is_int(st->as.loop.min, 0) && st->as.loop.extent == extent;
    return false;
}

// Every index of the dim is written: nothing older shows through.
static bool is_whole_dim(const inlining *z, const nest *n, const expr *index, const expr *dim) {
    for (uint32_t i = 0; i < n->block->iters; i++) {
        const iter *it = &n->block->iter[i];
        if (it->var == index) return prove_equal(z->s, it->dom.extent, dim, NULL);
    }
    return expr_is_int(index, 0) && expr_is_int(dim, 1);
}

static bool is_index(const stmt *store, const expr *var) {
    uint32_t times = 0;
    for (uint32_t i = 0; i < store->as.store.count; i++) times += store->as.store.index[i] == var;
    return times == 1;
}

// Does it visit every element of its buffer once, in loops over whole dims?
static bool covers(const inlining *z, const nest *n, const stmt *store) {
    for (uint32_t i = 0; i < n->block->iters; i++) {
        const iter *it = &n->block->iter[i];
        if (it->kind != ITER_SPATIAL || !expr_is_int(it->dom.min, 0) || !is_index(store, it->var)) return false;
        if (!is_loop_of(n->st, it->value, it->dom.extent)) return false;
    }
    for (uint32_t i = 0; i < store->as.store.count; i++)
        if (!is_whole_dim(z, n, store->as.store.index[i], store->as.store.buf->dim[i])) return false;
    return true;
}

// Parameters are seen from outside; they can't go.
static bool is_local(const inlining *z, const buffer *b) {
    for (uint32_t i = 0; i < z->root->allocs; i++)
        if (z->root->alloc[i] == b) return strcmp(b->scope, "global") == 0;
    return false;
}

static bool loads_from(const expr *e, const buffer *b, arena *mem) {
    map loaded = MAP_IN(mem);
    expr_loaded_buffers(e, &loaded);
    return map_has(&loaded, MAP_KEY(b));
}

static void classify(const inlining *z, nest *n) {
    const stmt *in = inner(n->st);
    n->block = NULL;
    n->store = NULL;
    if (in->kind != STMT_BLOCK || in->as.block->allocs || in->as.block->matches) return;
    n->block = in->as.block;
    const stmt *body = n->block->body;
    bool plain = !n->block->init && !n->block->where && !n->block->annotations && body->kind == STMT_STORE;
    if (!plain || body->as.store.predicate || !is_local(z, body->as.store.buf)) return;
    if (loads_from(body->as.store.value, body->as.store.buf, z->mem)) return;
    if (covers(z, n, body)) n->store = body;
}

// --- Readers.

typedef struct reading {
    uint32_t times;    // loads in the text
    bool nested;       // one inside the index of another
    bool repeated;     // a load that runs more often than it has indices
    bool in_reduction; // the same, by a reduction: many times each
    expr_list load;    // distinct ones
} reading;

// Else the load repeats for each value of the iterations it does not mention.
static bool uses_all_iters(const block *b, const expr *load) {
    for (uint32_t i = 0; i < b->iters; i++) {
        bool used = expr_is_int(b->iter[i].dom.extent, 1);
        for (uint32_t k = 0; !used && k < load->count; k++) used = expr_uses_var(load->in[k], b->iter[i].var);
        if (!used) return false;
    }
    return true;
}

static bool reduces(const block *b) {
    for (uint32_t i = 0; i < b->iters; i++)
        if (b->iter[i].kind != ITER_SPATIAL) return true;
    return false;
}

static void read_expression(const inlining *z, const block *b, const expr *e, const buffer *buf, reading *r) {
    r->times += e->op == EXPR_LOAD && e->as.buffer == buf;
    expr_walk w = expr_walk_from(z->mem, e);
    for (const expr *part; (part = expr_walk_next(&w));) {
        bool load = part->op == EXPR_LOAD && part->as.buffer == buf;
        for (uint32_t i = 0; i < part->count; i++) {
            r->times += part->in[i]->op == EXPR_LOAD && part->in[i]->as.buffer == buf;
            r->nested |= load && loads_from(part->in[i], buf, z->mem);
        }
        if (!load) continue;
        VEC_PUSH(z->mem, &r->load, part);
        if (uses_all_iters(b, part)) continue;
        r->repeated = true;
        r->in_reduction |= reduces(b);
    }
}

// False where the nest reads the buffer in a way that can't be replaced.
static bool read_nest(const inlining *z, const nest *n, const buffer *buf, reading *r) {
    for (stmt_walk w = stmt_walk_from(z->mem, n->st); stmt_walk_next(&w);) {
        expr_list list = {0};
        if (w.leaving || w.st->kind == STMT_BLOCK) continue;
        if (w.st->kind == STMT_STORE && w.st->as.store.buf == buf) return false;
        stmt_expressions(w.st, z->mem, &list);
        for (uint32_t i = 0; i < list.len; i++) {
            if (!loads_from(list.at[i], buf, z->mem)) continue;
            if (!n->block) return false;
            read_expression(z, n->block, list.at[i], buf, r);
        }
    }
    return true;
}

// Dear work is done once, cheap work may be repeated, moving costs nothing but the index.
static bool is_worth(const inlining *z, const nest *producer, const reading *r) {
    cost c = {.buffers = MAP_IN(z->mem)};
    cost_add(&c, z->mem, producer->store->as.store.value);
    if (r->nested || c.nodes > LARGEST_VALUE) return false;
    bool moves = !c.arithmetic && !c.dear && c.nodes <= CHEAP_NODES;
    if (r->in_reduction) return moves || (!c.dear && cost_unpacks(z->s, &c, producer->store->as.store.buf, 1));
    if (r->repeated || r->times > 1) return !c.dear && c.nodes <= CHEAP_NODES;
    return true;
}

// Nobody writes what the value reads while it is still to be read.
static bool is_stable(const inlining *z, uint32_t at) {
    map loaded = MAP_IN(z->mem);
    expr_loaded_buffers(z->nest[at].store->as.store.value, &loaded);
    for (uint32_t i = at + 1; i < z->nests; i++)
        for (stmt_walk w = stmt_walk_from(z->mem, z->nest[i].st); stmt_walk_next(&w);)
            if (w.st->kind == STMT_STORE && map_has(&loaded, MAP_KEY(w.st->as.store.buf))) return false;
    return true;
}

// --- Replacing.

static facts *facts_of(const inlining *z, const block *b) {
    facts *f = facts_new(z->s);
    for (uint32_t i = 0; i < b->iters; i++) facts_range(f, b->iter[i].var, b->iter[i].dom.min, b->iter[i].dom.extent);
    return f;
}

static const expr *value_at(const inlining *z, const nest *producer, const expr *load, const facts *f) {
    const stmt *store = producer->store;
    map at = MAP_IN(z->mem);
    for (uint32_t i = 0; i < store->as.store.count; i++)
        if (store->as.store.index[i]->op == EXPR_VAR)
            map_put(&at, MAP_KEY(store->as.store.index[i]), (void *)(uintptr_t)load->in[i]);
    return expr_simplify(z->s, expr_substitute(z->s, store->as.store.value, &at), f);
}

// The block again inside its loops; what it reads is derived anew.
static const stmt *rewrap(const inlining *z, const stmt *st) {
    VEC(const stmt *) loop = {0};
    for (; st->kind == STMT_FOR; st = st->as.loop.body) VEC_PUSH(z->mem, &loop, st);
    block b = *st->as.block;
    if (!b.regions_written) return NULL;
    b.regions_written = false;
    b.reads = b.writes = 0;
    const stmt *now = stmt_block(z->mem, &b);
    while (loop.len) now = stmt_with_children(z->mem, loop.at[--loop.len], &now);
    return now;
}

static void replace(inlining *z, const nest *producer, nest *reader, const reading *r) {
    map with = MAP_IN(z->mem);
    facts *f = facts_of(z, reader->block);
    for (uint32_t i = 0; i < r->load.len; i++)
        map_put(&with, MAP_KEY(r->load.at[i]), (void *)(uintptr_t)value_at(z, producer, r->load.at[i], f));
    reader->st = stmt_replace(z->s, z->mem, reader->st, &with, NULL);
    const stmt *derived = rewrap(z, reader->st);
    if (derived) reader->st = derived;
    classify(z, reader);
}

static void try_producer(inlining *z, uint32_t at) {
    nest *producer = &z->nest[at];
    if (!producer->store) return;
    const buffer *buf = producer->store->as.store.buf;
    reading *per = ARENA_NEW(z->mem, reading, z->nests), all = {0};
    for (uint32_t i = 0; i < z->nests; i++) {
        if (i == at || z->nest[i].gone) continue;
        if (!read_nest(z, &z->nest[i], buf, &per[i]) || (i < at && per[i].times)) return;
        all.times += per[i].times;
        all.nested |= per[i].nested;
        all.repeated |= per[i].repeated;
        all.in_reduction |= per[i].in_reduction;
    }
    if (!all.times || !is_worth(z, producer, &all) || !is_stable(z, at)) return;
    for (uint32_t i = at + 1; i < z->nests; i++)
        if (per[i].times) replace(z, producer, &z->nest[i], &per[i]);
    producer->gone = z->changed = true;
}

// --- The program.

static bool has_effects(const inlining *z) {
    for (stmt_walk w = stmt_walk_from(z->mem, z->f->body); stmt_walk_next(&w);)
        if (w.st->kind == STMT_EVALUATE || w.st->kind == STMT_WHILE) return true;
    return false;
}

static void list_nests(inlining *z) {
    const stmt *body = z->root->body;
    bool seq = body->kind == STMT_SEQ;
    z->nests = seq ? body->as.seq.count : 1;
    z->nest = ARENA_NEW(z->mem, nest, z->nests);
    for (uint32_t i = 0; i < z->nests; i++) {
        z->nest[i].st = seq ? body->as.seq.list[i] : body;
        classify(z, &z->nest[i]);
    }
}

static const loop_func *rebuilt(const inlining *z) {
    map gone = MAP_IN(z->mem);
    VEC(const stmt *) body = {0};
    VEC(const buffer *) alloc = {0};
    for (uint32_t i = 0; i < z->nests; i++) {
        if (z->nest[i].gone)
            map_put(&gone, MAP_KEY(z->nest[i].store->as.store.buf), z->s);
        else
            VEC_PUSH(z->mem, &body, z->nest[i].st);
    }
    for (uint32_t i = 0; i < z->root->allocs; i++)
        if (!map_has(&gone, MAP_KEY(z->root->alloc[i]))) VEC_PUSH(z->mem, &alloc, z->root->alloc[i]);
    block root = *z->root;
    root.alloc = alloc.at;
    root.allocs = alloc.len;
    root.body = stmt_seq(z->mem, body.at, body.len);
    loop_func *f = ARENA_NEW(z->mem, loop_func, 1);
    *f = *z->f;
    f->body = stmt_block(z->mem, &root);
    return f;
}

const loop_func *inline_producers(expr_session *s, arena *mem, const loop_func *f) {
    if (f->body->kind != STMT_BLOCK || f->body->as.block->iters) return f;
    inlining z = {.s = s, .mem = mem, .f = f, .root = f->body->as.block};
    if (has_effects(&z)) return f;
    list_nests(&z);
    for (uint32_t i = 0; i < z.nests; i++) try_producer(&z, i);
    return z.changed ? rebuilt(&z) : f;
}
