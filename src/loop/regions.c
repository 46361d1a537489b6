// regions.c - what a statement reads and writes: every access widened over the loops inside, boxes joined by buffer.
//
// A box is kept as the smallest and largest index per dim, expressions of the variables that are free outside; where an
// index can't be bounded so, the dim is the buffer's whole extent. The spelling follows TVM's: boxes in the order of
// the first access, a store before its value, min and max written out where neither is provably the smaller.
#include "loop/regions.h"
#include "loop/span.h"
#include "loop/walk.h"

typedef struct box {
    const buffer *buf;
    span *dim;
} box;
typedef VEC(box) box_list;

typedef struct finder {
    span_scope in; // ranges of the loop variables inside
    arena *mem;
    map inside;            // MAP_KEY(buffer declared inside) -> buffer_match *, or the finder for an allocation
    map read_at, write_at; // MAP_KEY(buffer) -> index + 1 into the lists
    box_list reads, writes;
} finder;

// --- Adding boxes.

static void add_box(finder *f, box_list *list, map *at, const buffer *buf, const span *dim) {
    uintptr_t known = (uintptr_t)map_find(at, MAP_KEY(buf));
    if (known) {
        box *old = &list->at[known - 1];
        for (uint32_t i = 0; i < buf->rank; i++) old->dim[i] = span_union(&f->in, old->dim[i], dim[i]);
        return;
    }
    box fresh = {.buf = buf, .dim = ARENA_NEW(f->mem, span, buf->rank)};
    for (uint32_t i = 0; i < buf->rank; i++) fresh.dim[i] = dim[i];
    VEC_PUSH(f->mem, list, fresh);
    map_put(at, MAP_KEY(buf), (void *)(uintptr_t)list->len);
}

// A box of a matched buffer as a box of its source: leading dims of the source are the match's own, the others are
// shifted by where the match begins.
static const buffer *outer_box(finder *f, const buffer_match *match, span *dim, span *out) {
    const region *from = &match->source;
    uint32_t lead = from->buf->rank - match->inner->rank;
    for (uint32_t i = 0; i < from->buf->rank; i++) {
        span whole = span_of_range(&f->in, from->dim[i]);
        out[i] = i < lead ? whole : span_add(&f->in, span_of(&f->in, from->dim[i].min), dim[i - lead]);
    }
    return from->buf;
}

static void access(finder *f, bool writes, const buffer *buf, span *dim) {
    void *how;
    while ((how = map_find(&f->inside, MAP_KEY(buf)))) {
        const buffer_match *match = how;
        if (how == f || match->source.buf->rank < buf->rank) return; // its own: nobody outside sees it
        span *out = ARENA_NEW(f->mem, span, match->source.buf->rank);
        buf = outer_box(f, match, dim, out);
        dim = out;
    }
    if (writes)
        add_box(f, &f->writes, &f->write_at, buf, dim);
    else
        add_box(f, &f->reads, &f->read_at, buf, dim);
}

static void access_element(finder *f, bool writes, const buffer *buf, const expr *const *index, uint32_t count) {
    span *dim = ARENA_NEW(f->mem, span, buf->rank);
    if (count == buf->rank)
        for (uint32_t i = 0; i < count; i++) dim[i] = span_of(&f->in, index[i]);
    access(f, writes, buf, dim);
}

// --- Expressions: loads in the order they are written, outer ones before those in their indices.

static void find_loads(finder *f, const expr *root);

// Each side of if_then_else is searched with what its condition says of the loop variables.
static void find_choice(finder *f, const expr *e) {
    find_loads(f, e->in[0]);
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t mark = span_narrow(&f->in, e->in[0], side == 0);
        find_loads(f, e->in[1 + side]);
        span_restore(&f->in, mark);
    }
}

// Leaves are not worth a look, but an element of a buffer without dims has no operands either.
static bool holds_loads(const expr *e) { return e->count || e->op == EXPR_LOAD; }

static void find_loads(finder *f, const expr *root) {
    if (!root || !holds_loads(root)) return;
    map seen = MAP_IN(f->mem);
    expr_list todo = {0};
    VEC_PUSH(f->mem, &todo, root);
    while (todo.len) {
        const expr *e = todo.at[--todo.len];
        if (map_has(&seen, MAP_KEY(e))) continue;
        map_put(&seen, MAP_KEY(e), f);
        if (e->op == EXPR_LOAD) access_element(f, false, e->as.buffer, e->in, e->count);
        if (expr_is_choice(e)) {
            find_choice(f, e);
            continue;
        }
        for (uint32_t i = e->count; i-- > 0;)
            if (holds_loads(e->in[i])) VEC_PUSH(f->mem, &todo, e->in[i]);
    }
}

// --- Statements.

static void touch_region(finder *f, bool writes, const region *r) {
    span *dim = ARENA_NEW(f->mem, span, r->buf->rank);
    for (uint32_t i = 0; i < r->buf->rank; i++) dim[i] = span_of_range(&f->in, r->dim[i]);
    access(f, writes, r->buf, dim);
}

// A block inside counts with its own regions, its iteration variables replaced by their values.
static void touch_block(finder *f, const block *b) {
    region_list reads = {0}, writes = {0};
    const region *read = b->read, *write = b->write;
    uint32_t read_count = b->reads, write_count = b->writes;
    if (!b->regions_written) {
        block_regions(f->in.s, f->mem, b, &reads, &writes);
        read = reads.at;
        write = writes.at;
        read_count = reads.len;
        write_count = writes.len;
    }
    for (uint32_t i = 0; i < b->iters; i++) {
        find_loads(f, b->iter[i].value);
        span_put(&f->in, b->iter[i].var, span_of(&f->in, b->iter[i].value));
    }
    for (uint32_t i = 0; i < read_count; i++) touch_region(f, false, &read[i]);
    for (uint32_t i = 0; i < write_count; i++) touch_region(f, true, &write[i]);
}

static void enter_loop(finder *f, const stmt *st) {
    find_loads(f, st->as.loop.min);
    find_loads(f, st->as.loop.extent);
    if (st->as.loop.step) find_loads(f, st->as.loop.step);
    span_put(&f->in, st->as.loop.var, span_of_range(&f->in, (range){st->as.loop.min, st->as.loop.extent}));
}

static void enter_store(finder *f, const stmt *st) {
    access_element(f, true, st->as.store.buf, st->as.store.index, st->as.store.count);
    find_loads(f, st->as.store.value);
    for (uint32_t i = 0; i < st->as.store.count; i++) find_loads(f, st->as.store.index[i]);
    find_loads(f, st->as.store.predicate);
}

static void enter_plain(finder *f, const stmt *st) {
    expr_list list = {0};
    stmt_expressions(st, f->mem, &list);
    for (uint32_t i = 0; i < list.len; i++) find_loads(f, list.at[i]);
}

static void enter(finder *f, stmt_walk *w) {
    const stmt *st = w->st;
    switch (st->kind) {
    case STMT_SEQ: return;
    case STMT_FOR: enter_loop(f, st); return;
    case STMT_BLOCK:
        touch_block(f, st->as.block);
        w->skip = true;
        return;
    case STMT_STORE: enter_store(f, st); return;
    case STMT_LET:
        find_loads(f, st->as.let.value);
        span_put(&f->in, st->as.let.var, span_of(&f->in, st->as.let.value));
        return;
    case STMT_DECL_BUFFER: map_put(&f->inside, MAP_KEY(st->as.declare.buf), f); return;
    case STMT_ATTR:
        if (st->as.attribute.var) {
            range threads = {expr_int(f->in.s, st->as.attribute.value->type, 0), st->as.attribute.value};
            span_put(&f->in, st->as.attribute.var, span_of_range(&f->in, threads));
        }
        enter_plain(f, st);
        return;
    case STMT_EVALUATE:
    case STMT_IF:
    case STMT_WHILE:
    case STMT_ALLOCATE:
    case STMT_ASSERT: enter_plain(f, st); return;
    }
}

// A branch is searched with what its condition says; the marks wait on a stack until the branch is left.
typedef VEC(uint32_t) mark_list;

// The `if` that w->st is a branch of; NULL if it is none.
static const stmt *branch_of(const stmt_walk *w) {
    uint32_t depth = stmt_walk_depth(w);
    const stmt *parent = depth ? stmt_walk_open(w, depth - 1) : NULL;
    return parent && parent->kind == STMT_IF ? parent : NULL;
}

static void search(finder *f, const stmt *st) {
    mark_list marks = {0};
    for (stmt_walk w = stmt_walk_from(f->mem, st); stmt_walk_next(&w);) {
        const stmt *parent = branch_of(&w);
        if (w.leaving) {
            if (parent) span_restore(&f->in, marks.at[--marks.len]);
            continue;
        }
        if (parent) {
            uint32_t mark = span_narrow(&f->in, parent->as.branch.condition, w.st == parent->as.branch.then);
            VEC_PUSH(f->mem, &marks, mark);
        }
        enter(f, &w);
    }
}

// --- Results.

static range whole(expr_session *s, const expr *dim) { return (range){expr_int(s, dim->type, 0), dim}; }

static range range_of(finder *f, span sp, const expr *dim) {
    if (!sp.low) return whole(f->in.s, dim);
    return span_range(&f->in, sp);
}

static void put_regions(finder *f, const box_list *boxes, const map *leave_out, region_list *out, arena *mem) {
    for (uint32_t i = 0; i < boxes->len; i++) {
        const box *b = &boxes->at[i];
        if (leave_out && map_has(leave_out, MAP_KEY(b->buf))) continue;
        range *dim = ARENA_NEW(mem, range, b->buf->rank);
        for (uint32_t d = 0; d < b->buf->rank; d++) dim[d] = range_of(f, b->dim[d], b->buf->dim[d]);
        region r = {.buf = b->buf, .dim = dim};
        VEC_PUSH(mem, out, r);
    }
}

static finder finder_new(expr_session *s, arena *mem, const facts *known) {
    return (finder){.in = span_scope_new(s, mem, known),
                    .mem = mem,
                    .inside = MAP_IN(mem),
                    .read_at = MAP_IN(mem),
                    .write_at = MAP_IN(mem)};
}

void stmt_regions(expr_session *s, arena *mem, const stmt *st, const facts *known, region_list *reads,
                  region_list *writes) {
    finder f = finder_new(s, mem, known);
    search(&f, st);
    put_regions(&f, &f.reads, NULL, reads, mem);
    put_regions(&f, &f.writes, NULL, writes, mem);
}

void block_regions(expr_session *s, arena *mem, const block *b, region_list *reads, region_list *writes) {
    finder f = finder_new(s, mem, NULL);
    for (uint32_t i = 0; i < b->allocs; i++) map_put(&f.inside, MAP_KEY(b->alloc[i]), &f);
    for (uint32_t i = 0; i < b->matches; i++)
        map_put(&f.inside, MAP_KEY(b->match[i].inner), (void *)(uintptr_t)&b->match[i]);
    if (b->init) search(&f, b->init);
    search(&f, b->body);
    put_regions(&f, &f.reads, b->init ? &f.write_at : NULL, reads, mem);
    put_regions(&f, &f.writes, NULL, writes, mem);
}

region region_union(expr_session *s, arena *mem, region a, region b, const facts *known) {
    span_scope in = span_scope_new(s, mem, known);
    range *dim = ARENA_NEW(mem, range, a.buf->rank);
    for (uint32_t i = 0; i < a.buf->rank; i++) {
        span both = span_union(&in, span_of_range(&in, a.dim[i]), span_of_range(&in, b.dim[i]));
        dim[i] = both.low ? span_range(&in, both) : whole(s, a.buf->dim[i]);
    }
    return (region){.buf = a.buf, .dim = dim};
}
