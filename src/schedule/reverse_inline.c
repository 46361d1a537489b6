// reverse_inline.c - reverse_compute_inline: what a consumer makes of each element is done where the element is made.
//
//   for i: A[i] = x[i] * 2               for i: B[i] = x[i] * 2 + 1
//   for i: B[i] = A[i] + 1       ->
//
// Unlike compute_inline it keeps the loops of the producer, which may be scheduled already.
#include "schedule/inside.h"

static const char primitive[] = "reverse_compute_inline";

typedef struct folding {
    schedule *sch;
    stmt_list from, to; // paths of the consumer and of the producer
    block_shape consumer, producer;
    const buffer *link;
    const expr *load; // of the link, the only one
} folding;

static bool is_assignment(const block *b, const block_shape *shape) {
    return !shape->reduction && !b->init && b->body == shape->store && !shape->store->as.store.predicate;
}

// The one intermediate that a single other block writes and that the consumer reads at one place, index by index.
static bool find_link(folding *x) {
    const block *b = path_end(&x->from)->as.block;
    expr_walk w = expr_walk_from(x->sch->mem, x->consumer.store->as.store.value);
    for (const expr *e; (e = expr_walk_next(&w));) {
        if (e->op != EXPR_LOAD || is_parameter(x->sch, e->as.buffer)) continue;
        if (x->link) return refuse(x->sch, primitive, "block %s reads more than one element of intermediates", b->name);
        x->link = e->as.buffer;
        x->load = e;
    }
    return x->link || refuse(x->sch, primitive, "block %s reads no intermediate", b->name);
}

static bool find_producer(folding *x) {
    stmt_list blocks = {0};
    const char *name = NULL;
    uint32_t writers = 0, readers = 0;
    blocks_below(x->sch, x->sch->func->body, &blocks);
    for (uint32_t i = 0; i < blocks.len; i++) {
        if (!is_leaf(x->sch, blocks.at[i])) continue;
        bool writes = writes_buffer(x->sch, blocks.at[i], x->link);
        readers += !writes && reads_buffer(x->sch, blocks.at[i], x->link);
        if (!writes) continue;
        writers++;
        name = blocks.at[i]->as.block->name;
    }
    if (writers != 1 || readers != 1)
        return refuse(x->sch, primitive, "%s is written or read by several blocks", x->link->name);
    CHECK(path_to_block(x->sch, name, &x->to));
    const block *p = path_end(&x->to)->as.block;
    return (block_understand(x->sch, p, &x->producer) && is_assignment(p, &x->producer)) ||
           refuse(x->sch, primitive, "block %s is not one plain assignment of an element", name);
}

// Each variable of the consumer is one index of the link, over the range the producer writes there.
static bool same_elements(const folding *x) {
    const block *c = path_end(&x->from)->as.block, *p = path_end(&x->to)->as.block;
    uint32_t used = 0;
    for (uint32_t d = 0; d < x->load->count; d++) {
        const iter *mine = iter_of(c, x->load->in[d]), *its = iter_of(p, x->producer.written[d]);
        for (uint32_t k = 0; k < d; k++)
            if (x->load->in[k] == x->load->in[d]) mine = NULL;
        bool same = mine && its && dtype_equal(mine->var->type, its->var->type) &&
                    prove_equal(x->sch->s, mine->dom.min, its->dom.min, x->sch->facts) &&
                    prove_equal(x->sch->s, mine->dom.extent, its->dom.extent, x->sch->facts);
        if (!same)
            return refuse(x->sch, primitive, "block %s does not read %s index by index, as block %s writes it", c->name,
                          x->link->name, p->name);
        used++;
    }
    return used == c->iters ||
           refuse(x->sch, primitive, "block %s has variables that are no index of %s", c->name, x->link->name);
}

// What the consumer reads is not written from the producer on, and what it writes nobody touches before it.
static bool order_stays(const folding *x) {
    stmt_list blocks = {0};
    const stmt *consumer = path_end(&x->from), *producer = path_end(&x->to);
    const summary *mine = summary_of(x->sch, consumer);
    bool before = true, begun = false;
    blocks_below(x->sch, x->sch->func->body, &blocks);
    for (uint32_t i = 0; i < blocks.len; i++) {
        const stmt *b = blocks.at[i];
        begun |= b == producer;
        if (b == consumer) before = false;
        if (b == consumer || !is_leaf(x->sch, b)) continue;
        if (before && touches(x->sch, b, x->consumer.out))
            return refuse(x->sch, primitive, "block %s uses %s before", b->as.block->name, x->consumer.out->name);
        for (uint32_t k = 0; begun && k < mine->use.len; k++)
            if (mine->use.at[k].reads && mine->use.at[k].buf != x->link &&
                writes_buffer(x->sch, b, mine->use.at[k].buf))
                return refuse(x->sch, primitive, "%s, which block %s reads, is written by block %s",
                              mine->use.at[k].buf->name, consumer->as.block->name, b->as.block->name);
    }
    return !before && begun;
}

static bool can_fold(folding *x) {
    const block *b = path_end(&x->from)->as.block;
    if (!block_understand(x->sch, b, &x->consumer) || !is_assignment(b, &x->consumer) || b->where)
        return refuse(x->sch, primitive, "block %s is not one plain assignment of an element", b->name);
    if (summary_of(x->sch, x->sch->func->body)->opaque)
        return refuse(x->sch, primitive, "the program holds %s", summary_of(x->sch, x->sch->func->body)->opaque);
    return find_link(x) && find_producer(x) && same_elements(x) && order_stays(x);
}

// The producer's block, writing what the consumer made of its value.
static const stmt *folded(const folding *x) {
    schedule *sch = x->sch;
    map with = MAP_IN(sch->mem), value = MAP_IN(sch->mem);
    for (uint32_t d = 0; d < x->load->count; d++)
        map_put(&with, MAP_KEY(x->load->in[d]), (void *)(uintptr_t)x->producer.written[d]);
    const stmt *store = x->consumer.store;
    const expr **index = ARENA_NEW(sch->mem, const expr *, store->as.store.count + 1);
    for (uint32_t i = 0; i < store->as.store.count; i++)
        index[i] = expr_substitute(sch->s, store->as.store.index[i], &with);
    const expr *made = expr_substitute(sch->s, store->as.store.value, &with);
    map_put(&value, MAP_KEY(expr_substitute(sch->s, x->load, &with)),
            (void *)(uintptr_t)x->producer.store->as.store.value);
    block b = *path_end(&x->to)->as.block;
    b.body =
        stmt_store(sch->mem, store->as.store.buf, index, store->as.store.count, expr_substitute(sch->s, made, &value));
    return block_changed(sch, &b);
}

static const stmt *without_alloc(const schedule *sch, const stmt *st, const buffer *gone) {
    uint32_t n = 0, kept = 0;
    while (stmt_child(st, n)) n++;
    const stmt **child = ARENA_NEW(sch->mem, const stmt *, n + 1);
    for (uint32_t i = 0; i < n; i++) child[i] = without_alloc(sch, stmt_child(st, i), gone);
    st = stmt_with_children(sch->mem, st, child);
    if (st->kind != STMT_BLOCK) return st;
    block b = *st->as.block;
    const buffer **alloc = ARENA_NEW(sch->mem, const buffer *, b.allocs + 1);
    for (uint32_t i = 0; i < b.allocs; i++)
        if (b.alloc[i] != gone) alloc[kept++] = b.alloc[i];
    if (kept == b.allocs) return st;
    b.alloc = alloc;
    b.allocs = kept;
    return stmt_block(sch->mem, &b);
}

bool schedule_reverse_compute_inline(schedule *sch, block_ref consumer) {
    folding x = {.sch = sch};
    if (!must_block(sch, consumer, primitive, &x.from) || !can_fold(&x)) return false;
    const char *which = block_name(sch, consumer), *name = path_end(&x.to)->as.block->name;
    const stmt *now = folded(&x);
    tree_replace(sch, &x.from, NULL);
    x.to.len = 0;
    CHECK(path_to_block(sch, name, &x.to));
    tree_replace(sch, &x.to, now);
    sch->func->body = without_alloc(sch, sch->func->body, x.link);
    trace_line(sch, "reverse_compute_inline(%s)", which);
    return true;
}
