// unfold.c - unfold: a block that adds a long sum does so term by term, each for all iterations of a nest in turn.
//
//   for i: C[i] = C[i] + d[i] * (f(i) + g(i))     ->     for i: C_sum[i] = f(i)
//                                                        for i: C_sum[i] = C_sum[i] + g(i)
//                                                        for i: C[i] = C[i] + d[i] * C_sum[i]
//
// Chains of dots, T.dp4a(a, b, T.dp4a(…)), are sums too: one dot after the other; chains that read the same words take
// turns where there is one iteration.
//
// So what iterations share in a term is needed while they run through that term, not all along: registers hold it.
#include "schedule/inside.h"

static const char primitive[] = "unfold";

enum { TERMS_MOST = 64, SHARED_FEWEST = 2 };

typedef struct term {
    const expr *value;
    bool negative;
} term;
typedef VEC(term) term_list;

typedef struct unfolding {
    schedule *sch;
    stmt_list path;     // of the block
    uint32_t scope, at; // path.at[scope]: the block around; path.at[at]: the loop
    const block *b;
    block_shape shape;
    const expr *own; // the load of what the block adds to
    bool alone;      // one iteration, but for lanes
    stmt_list nests; // in place of the loop
    VEC(const buffer *) made;
} unfolding;

static bool is_plus(const expr *e) { return e->op == EXPR_ADD || e->op == EXPR_SUB; }

// The terms of a sum of floats, from the left.
static void add_terms(const unfolding *x, const expr *e, bool negative, term_list *out) {
    if (is_plus(e) && dtype_is_float(e->type)) {
        add_terms(x, e->in[0], negative, out);
        add_terms(x, e->in[1], negative != (e->op == EXPR_SUB), out);
    } else {
        VEC_PUSH(x->sch->mem, out, ((term){e, negative}));
    }
}

// The factor that is a sum, of a term that is a product with one; NULL: there is none.
static const expr *sum_in(const expr *e) {
    for (uint32_t i = 0; e->op == EXPR_MUL && i < 2; i++)
        if (is_plus(e->in[i])) return e->in[i];
    return NULL;
}

// target = value as a nest of its own. The last nest is the block itself, under its own loops.
static void push_nest(unfolding *x, const char *name, const buffer *buf, const expr *const *index, uint32_t rank,
                      const expr *value) {
    schedule *sch = x->sch;
    stmt_list nest = {0};
    block b = *x->b;
    iter *iters = ARENA_NEW(sch->mem, iter, b.iters + 1);
    for (uint32_t i = 0; i < b.iters; i++) {
        iters[i] = b.iter[i];
        if (buf != x->shape.out) iters[i].kind = ITER_SPATIAL;
    }
    b.iter = iters;
    if (name) b.name = unique_block(sch, arena_format(sch->mem, "%s%u", name, x->nests.len));
    b.body = stmt_store(sch->mem, buf, index, rank, value);
    for (uint32_t i = x->at; i < x->path.len; i++) VEC_PUSH(sch->mem, &nest, x->path.at[i]);
    const stmt *st = path_replaced(sch, &nest, block_changed(sch, &b));
    if (name) {
        st = stmt_refresh(sch->s, sch->mem, st);
        for (const stmt *l = st; l->kind == STMT_FOR; l = l->as.loop.body)
            map_put(&sch->loop_vars, MAP_KEY(l->as.loop.var), sch);
        block_handle(sch, b.name);
    }
    VEC_PUSH(sch->mem, &x->nests, st);
}

// A buffer for a partial result, an element for each instance of the block.
typedef struct partial {
    const buffer *buf;
    const expr **index, *load;
} partial;
static partial new_partial(unfolding *x, const char *name, dtype type) {
    schedule *sch = x->sch;
    uint32_t n = x->b->iters;
    const expr **dim = ARENA_NEW(sch->mem, const expr *, n + 1);
    partial p = {.index = ARENA_NEW(sch->mem, const expr *, n + 1)};
    for (uint32_t i = 0; i < n; i++) dim[i] = x->b->iter[i].dom.extent, p.index[i] = x->b->iter[i].var;
    p.buf = buffer_new(sch->s, name, type, dim, n, "local");
    p.load = expr_load(sch->s, p.buf, type, p.index, n);
    VEC_PUSH(sch->mem, &x->made, p.buf);
    return p;
}

static const expr *with_in_place(const unfolding *x, const expr *e, const expr *old, const expr *now) {
    map with = MAP_IN(x->sch->mem);
    map_put(&with, MAP_KEY(old), (void *)(uintptr_t)now);
    return expr_substitute(x->sch->s, e, &with);
}

// --- Chains of dots.

static bool is_dot(const expr *e) { return e->op == EXPR_CALL && e->as.intrin->id == INTRIN_DP4A; }

// A chain's dots, the innermost first, and their sum.
typedef struct chain {
    expr_list dots;
    partial sum;
    bool together, pushed;
} chain;
typedef VEC(chain) chain_list;

// The first dot that is added to another one; NULL: there is none.
static const expr *chain_in(const unfolding *x, const expr *e) {
    expr_walk w = expr_walk_from(x->sch->mem, e);
    for (const expr *c; (c = expr_walk_next(&w));)
        if (is_dot(c) && is_dot(c->in[2])) return c;
    return NULL;
}

// The value with its chains of dots read from partial results; the chains.
static const expr *take_chains(unfolding *x, const expr *value, chain_list *out) {
    arena *mem = x->sch->mem;
    const char *name = arena_format(mem, "%s_dot", x->b->name);
    for (const expr *last; (last = chain_in(x, value));) {
        chain c = {.sum = new_partial(x, name, last->type)};
        expr_list dots = {0};
        for (const expr *d = last; is_dot(d); d = d->in[2]) VEC_PUSH(mem, &dots, d);
        for (uint32_t i = dots.len; i-- > 0;) VEC_PUSH(mem, &c.dots, dots.at[i]);
        value = with_in_place(x, value, last, c.sum.load);
        VEC_PUSH(mem, out, c);
    }
    return value;
}

static void push_dot(unfolding *x, const chain *c, uint32_t i) {
    const expr *d = c->dots.at[i], *in[] = {d->in[0], d->in[1], i ? c->sum.load : d->in[2]};
    const expr *sum = expr_call(x->sch->s, d->as.intrin, d->type, in, 3);
    push_nest(x, arena_format(x->sch->mem, "%s_dot", x->b->name), c->sum.buf, c->sum.index, x->b->iters, sum);
}

// The words that dots of the chain read with their first factors.
static map words_of(const unfolding *x, const chain *c) {
    map words = MAP_IN(x->sch->mem);
    for (uint32_t i = 0; i < c->dots.len; i++) {
        expr_walk w = expr_walk_from(x->sch->mem, c->dots.at[i]->in[0]);
        for (const expr *e; (e = expr_walk_next(&w));) {
            if (e->op != EXPR_LOAD) continue;
            for (uint32_t k = 0; k < e->count; k++) expr_walk_skip(&w, e->in[k]); // numbers, maybe from memory
            map_put(&words, MAP_KEY(e), x->sch);
        }
    }
    return words;
}

// Whether the chain reads some of the words; then all that it reads are among them. One alone, such as that of the high
// bits of many pieces, is read again sooner than what stands between is kept.
static bool join_words(const unfolding *x, const chain *c, map *words) {
    const map own = words_of(x, c);
    uint32_t shared = 0;
    for (uint32_t i = 0; i < own.len; i++) shared += map_has(words, own.entry[i].key);
    if (words->len && shared < SHARED_FEWEST) return false;
    for (uint32_t i = 0; i < own.len; i++) map_put(words, own.entry[i].key, x->sch);
    return words->len > 0;
}

// Marks the chains that belong together with the first: that read the same words as it, or as one that does.
static void mark_together(const unfolding *x, chain_list *all, uint32_t first) {
    map words = MAP_IN(x->sch->mem);
    all->at[first].together = join_words(x, &all->at[first], &words);
    for (bool more = x->alone; more;) {
        more = false;
        for (uint32_t i = first; i < all->len; i++) {
            chain *c = &all->at[i];
            if (c->together || c->pushed || !join_words(x, c, &words)) continue;
            more = c->together = true;
        }
    }
}

// The chain; together with it, for one iteration, those that read the same words, so that each word is read once, and
// needed no longer than for the next dots.
static void push_chain(unfolding *x, chain_list *all, uint32_t first) {
    bool more = true;
    if (all->at[first].pushed) return;
    mark_together(x, all, first);
    for (uint32_t i = 0; more; i++) {
        more = false;
        for (uint32_t k = first; k < all->len; k++) {
            const chain *c = &all->at[k];
            if (!c->together || i >= c->dots.len) continue;
            push_dot(x, c, i);
            more = true;
        }
    }
    for (uint32_t k = first; k < all->len; k++) {
        all->at[k].pushed |= all->at[k].together;
        all->at[k].together = false;
    }
}

static const expr *push_chains(unfolding *x, const expr *value) {
    chain_list chains = {0};
    value = take_chains(x, value, &chains);
    for (uint32_t i = 0; i < chains.len; i++) push_chain(x, &chains, i);
    return value;
}

// --- Terms.

static const expr *plus(const unfolding *x, const expr *a, const term *t) {
    return expr_binary(x->sch->s, t->negative ? EXPR_SUB : EXPR_ADD, a, t->value);
}

static const expr *push_sum(unfolding *x, const expr *sum) {
    schedule *sch = x->sch;
    term_list terms = {0};
    chain_list chains = {0};
    const char *name = arena_format(sch->mem, "%s_sum", x->b->name);
    partial p = new_partial(x, name, sum->type);
    add_terms(x, sum, false, &terms);
    uint32_t *end = ARENA_NEW(sch->mem, uint32_t, terms.len), at = 0;
    for (uint32_t i = 0; i < terms.len; i++) {
        terms.at[i].value = take_chains(x, terms.at[i].value, &chains);
        end[i] = chains.len;
    }
    for (uint32_t i = 0; i < terms.len; i++) {
        const term t = terms.at[i];
        const expr *zero = expr_float(sch->s, sum->type, 0);
        for (; at < end[i]; at++) push_chain(x, &chains, at);
        push_nest(x, name, p.buf, p.index, x->b->iters,
                  i            ? plus(x, p.load, &t)
                  : t.negative ? plus(x, zero, &t)
                               : t.value);
    }
    return p.load;
}

static void push_term(unfolding *x, const term *t, bool last) {
    const expr *sum = sum_in(t->value);
    const expr *value = sum ? with_in_place(x, t->value, sum, push_sum(x, sum)) : t->value;
    const term now = {push_chains(x, value), t->negative};
    const char *name = last ? NULL : arena_format(x->sch->mem, "%s_term", x->b->name);
    push_nest(x, name, x->shape.out, x->shape.written, x->shape.rank, plus(x, x->own, &now));
}

static bool loads_own(const unfolding *x, const expr *e) {
    map loaded = MAP_IN(x->sch->mem);
    expr_loaded_buffers(e, &loaded);
    return map_has(&loaded, MAP_KEY(x->shape.out));
}

// The block and the loop around it, between which there are loops alone, each over other elements.
static bool understand(unfolding *x) {
    schedule *sch = x->sch;
    x->b = path_end(&x->path)->as.block;
    for (uint32_t i = x->at; i + 1 < x->path.len; i++) {
        const stmt *l = x->path.at[i];
        if (l->kind != STMT_FOR) return refuse(sch, primitive, "block %s does not stand alone in the loop", x->b->name);
        for (uint32_t k = 0; k < x->b->iters; k++)
            if (x->b->iter[k].kind != ITER_SPATIAL && expr_uses_var(x->b->iter[k].value, l->as.loop.var))
                return refuse(sch, primitive, "loop %s is a reduction of block %s", l->as.loop.var->as.var->name,
                              x->b->name);
    }
    if (!block_understand(sch, x->b, &x->shape) || x->b->body != x->shape.store || x->b->init || x->b->where ||
        x->shape.store->as.store.predicate || !dtype_is_float(x->shape.out->type))
        return refuse(sch, primitive, "block %s is not one assignment of an element, or is guarded, or starts a sum",
                      x->b->name);
    for (x->scope = x->at; x->scope > 0 && x->path.at[x->scope - 1]->kind != STMT_BLOCK;) x->scope--;
    if (!x->scope--) return refuse(sch, primitive, "block %s does not stand inside another block", x->b->name);
    const char *way = in_the_way(&x->path, x->scope, x->path.len);
    return !way || refuse(sch, primitive, "%s stands around block %s", way, x->b->name);
}

static bool is_alone(const unfolding *x) {
    for (uint32_t i = x->at; i + 2 < x->path.len; i++)
        if (!expr_is_int(x->path.at[i]->as.loop.extent, 1)) return false;
    return true;
}

// What is added to the element itself. It comes first, and is read nowhere else.
static bool find_terms(unfolding *x, term_list *terms) {
    add_terms(x, x->shape.store->as.store.value, false, terms);
    x->own = expr_load(x->sch->s, x->shape.out, x->shape.out->type, x->shape.written, x->shape.rank);
    bool good = terms->len > 1 && terms->len < TERMS_MOST && terms->at[0].value == x->own && !terms->at[0].negative;
    for (uint32_t i = 1; i < terms->len; i++) good = good && !loads_own(x, terms->at[i].value);
    return good || refuse(x->sch, primitive, "block %s does not add a sum to its element", x->b->name);
}

static void install(unfolding *x) {
    schedule *sch = x->sch;
    stmt_list below = {0};
    block around = *x->path.at[x->scope]->as.block;
    for (uint32_t i = x->scope; i <= x->at; i++) VEC_PUSH(sch->mem, &below, x->path.at[i]);
    around = *path_replaced(sch, &below, stmt_seq(sch->mem, x->nests.at, x->nests.len))->as.block;
    const buffer **alloc = ARENA_NEW(sch->mem, const buffer *, around.allocs + x->made.len + 1);
    for (uint32_t i = 0; i < around.allocs; i++) alloc[i] = around.alloc[i];
    for (uint32_t i = 0; i < x->made.len; i++) alloc[around.allocs + i] = x->made.at[i];
    around.alloc = alloc;
    around.allocs += x->made.len;
    x->path.len = x->scope + 1;
    tree_replace(sch, &x->path, stmt_block(sch->mem, &around));
}

bool schedule_unfold(schedule *sch, block_ref b, loop_ref l) {
    unfolding x = {.sch = sch};
    stmt_list loop = {0};
    term_list terms = {0};
    if (!must_block(sch, b, primitive, &x.path) || !must_loop(sch, l, primitive, &loop)) return false;
    while (x.at < x.path.len && x.path.at[x.at] != path_end(&loop)) x.at++;
    if (x.at == x.path.len) return refuse(sch, primitive, "the loop does not stand around the block");
    if (!understand(&x) || !find_terms(&x, &terms)) return false;
    x.alone = is_alone(&x);
    const char *which = block_name(sch, b), *outer = loop_name(sch, l);
    for (uint32_t i = 1; i < terms.len; i++) push_term(&x, &terms.at[i], i + 1 == terms.len);
    install(&x);
    trace_line(sch, "unfold(%s, %s)", which, outer);
    return true;
}
