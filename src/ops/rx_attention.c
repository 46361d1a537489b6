// rx_attention.c - R.rx.attention: attention of tokens of many sequences over a cache in pages, with online softmax.
//
// The tokens of all sequences lie one after another; starts[s] is the first token of sequence s. Place j of a
// sequence's cache is element j % page of page page_table[s, j // page]. A token at position p sees places 0..p, the
// last `window` of them where that is set; its own key and value are in the cache already.
//
//   for token, head of the cache in parallel: one block for all heads of the query that share it
//       find the sequence
//       m = -inf; l = 0; acc = 0              of each head
//       for chunk in first .. position:       turn the keys, so that places lie side by side; for each head: scores,
//                                             m' = max(m, scores), rescale l and acc, add all of them
//       out = acc / l
//
// Vectors run along the places of a chunk and along values: keys and values are read once for all heads, and no score
// is summed across a vector. 32 heads on 8 of the cache: 2 to 5 times as fast as head by head (bench/layers.py).
#include "ops/table.h"
#include <math.h>

enum { QUERY, KEYS, VALUES, POSITIONS, STARTS, PAGES, INPUTS };

static bool check_heads(infer_ctx *c, const node *n) {
    const ann *q = infer_in(n, QUERY), *k = infer_in(n, KEYS);
    if (!has_dims(q) || !has_dims(k)) return true;
    const expr *left = dim_op(c, EXPR_FLOOR_MOD, q->dim[1], k->dim[2]);
    if (!dims_differ(c, left, dim_int(c, 0))) return true;
    return infer_error(c, n, "%s heads are no multiple of the cache's %s", expr_to_text(c->mem, q->dim[1]),
                       expr_to_text(c->mem, k->dim[2])),
           false;
}

static const ann *infer(infer_ctx *c, const node *n) {
    static const int32_t ranks[INPUTS] = {3, 4, 4, 1, 1, 2};
    const ann *q = infer_float_same(c, n), *v = infer_in(n, VALUES);
    dtype type;
    if (!q || !infer_same_dtype(c, n, KEYS, VALUES, &type)) return NULL;
    for (uint32_t i = 0; i < INPUTS; i++) {
        if (!infer_want_rank(c, n, i, ranks[i])) return NULL;
        if (i >= POSITIONS && !infer_want_integers(c, n, i)) return NULL;
    }
    for (uint32_t i = 0; i < 3; i++)
        if (!infer_same_dim(c, n, KEYS, i, VALUES, i)) return NULL;
    if (!infer_same_dim(c, n, QUERY, 2, KEYS, 3) || !infer_same_dim(c, n, QUERY, 0, POSITIONS, 0) || !check_heads(c, n))
        return NULL;
    for (uint32_t i = 0; i < 3; i++) // a page, a place in it, a head
        if (!infer_want_least(c, n, KEYS, i, dim_int(c, 1))) return NULL;
    if (!has_dims(q) || !has_dims(v)) return infer_rank(c, q, q->type, 3);
    const expr *dim[] = {q->dim[0], q->dim[1], v->dim[3]};
    return infer_tensor(c, q, q->type, dim, 3);
}

// --- Lowering. Everything inside is float32 and int64.
enum {
    MOST_LANES = 16,
    MOST_PLACES = 64,
    MOST_UNROLLED = 8,
    MOST_SUMS = 24, // vectors that stay in registers
    LEAST_SUMS = 4, // that keep the adders busy
};

typedef struct paged {
    const lower_ctx *c;
    const node *n;
    expr_session *s;
    arena *mem;
    const buffer *in[INPUTS], *out;
    int64_t chunk;                             // places of one chunk: a page, a part of one, or 1
    int64_t group;                             // heads of the query in a block; they share keys and values
    int64_t parts;                             // of a score's sum
    int64_t value_lanes, place_lanes, square;  // of vectors along a value, a chunk; the side of what is turned at once
    const buffer *seq, *page;                  // scalars of the block
    const buffer *max, *old, *sum;             // of each head; sum: of each lane too
    const buffer *query, *keys, *dot, *weight; // [group, size], [size, chunk], [parts, group, chunk], [group, chunk]
    const buffer *acc;                         // [group, value size]
    const expr *token, *head;                  // head: of the cache, or of the query where it has a block of its own
} paged;

static const expr *i64(paged *p, int64_t value) { return expr_i64(p->s, value); }
static const expr *op2(paged *p, expr_op what, const expr *a, const expr *b) { return expr_binary(p->s, what, a, b); }
static const expr *load(paged *p, const buffer *b, const expr *const *at) {
    return expr_load(p->s, b, b->type, at, b->rank);
}
static const expr *load0(paged *p, const buffer *b) { return load(p, b, NULL); }
static const stmt *store0(paged *p, const buffer *b, const expr *value) {
    return stmt_store(p->mem, b, NULL, 0, value);
}
static const expr *load1(paged *p, const buffer *b, const expr *at) { return load(p, b, &at); }
static const stmt *store1(paged *p, const buffer *b, const expr *at, const expr *value) {
    return stmt_store(p->mem, b, &at, 1, value);
}
static const expr *load2(paged *p, const buffer *b, const expr *i, const expr *k) {
    const expr *at[] = {i, k};
    return load(p, b, at);
}
static const stmt *store2(paged *p, const buffer *b, const expr *i, const expr *k, const expr *value) {
    const expr *at[] = {i, k};
    return stmt_store(p->mem, b, at, 2, value);
}
static const expr *real(paged *p, double value) { return expr_float(p->s, DTYPE_OF(F32), value); }
static const expr *lowest(paged *p) { return real(p, -(double)INFINITY); }
static const expr *as_f32(paged *p, const expr *e) { return expr_cast(p->s, DTYPE_OF(F32), e); }
static const expr *as_i64(paged *p, const expr *e) { return expr_cast(p->s, DTYPE_OF(I64), e); }
static const expr *call1(paged *p, intrinsic_id f, const expr *a) {
    return expr_call(p->s, intrinsic_get(f), (dtype){0}, &a, 1);
}

static const expr *new_index(paged *p, const char *name) { return expr_new_var(p->s, name, DTYPE_OF(I64)); }
static const stmt *loop(paged *p, const expr *var, const expr *extent, const stmt *body) {
    return stmt_for(p->mem, FOR_SERIAL, var, i64(p, 0), extent, body);
}
// Few iterations are written out, so that sums stay in registers.
static const stmt *few(paged *p, const expr *var, int64_t extent, const stmt *body) {
    return stmt_for(p->mem, extent <= MOST_UNROLLED ? FOR_UNROLLED : FOR_SERIAL, var, i64(p, 0), i64(p, extent), body);
}

// The index of an element in a loop over whole vectors, and the loops around a statement that uses it.
typedef struct lanes {
    const expr *outer, *inner, *index;
} lanes;
static lanes in_lanes(paged *p, int64_t width) {
    lanes l = {.outer = new_index(p, "e"), .inner = new_index(p, "lane")};
    l.index = op2(p, EXPR_ADD, op2(p, EXPR_MUL, l.outer, i64(p, width)), l.inner);
    return l;
}
static const stmt *over_lanes(paged *p, const lanes *l, const expr *extent, int64_t width, const stmt *body) {
    int64_t size;
    bool known = expr_const_int(extent, &size);
    body = stmt_for(p->mem, width > 1 ? FOR_VECTORIZED : FOR_SERIAL, l->inner, i64(p, 0), i64(p, width), body);
    if (known) return few(p, l->outer, size / width, body);
    return loop(p, l->outer, op2(p, EXPR_FLOOR_DIV, extent, i64(p, width)), body);
}
// A width of vectors that divides a dim: 1 if it is not known.
static int64_t lanes_of(const expr *dim) {
    int64_t size, width = MOST_LANES;
    if (!expr_const_int(dim, &size) || size < 1) return 1;
    while (size % width) width /= 2;
    return width;
}

// An index kept inside [0, extent).
static const expr *inside(paged *p, const expr *e, const expr *extent) {
    return op2(p, EXPR_MAX, op2(p, EXPR_MIN, e, op2(p, EXPR_SUB, extent, i64(p, 1))), i64(p, 0));
}

// Head h of the block, among the query's.
static const expr *query_head(paged *p, const expr *h) {
    return op2(p, EXPR_ADD, op2(p, EXPR_MUL, p->head, i64(p, p->group)), h);
}

// The cache's head of the block.
static const expr *cache_head(paged *p) {
    const expr *heads = p->in[QUERY]->dim[1], *shared = p->in[KEYS]->dim[2];
    return p->group > 1 ? p->head : op2(p, EXPR_FLOOR_DIV, p->head, op2(p, EXPR_FLOOR_DIV, heads, shared));
}

// seq = how many sequences begin at or before the token, less one.
static const stmt *find_sequence(paged *p) {
    const expr *s = new_index(p, "s"), *start = as_i64(p, load1(p, p->in[STARTS], s));
    const expr *begun = expr_select(p->s, op2(p, EXPR_LE, start, p->token), i64(p, 1), i64(p, 0));
    const stmt *count = store0(p, p->seq, op2(p, EXPR_ADD, load0(p, p->seq), begun));
    const stmt *parts[] = {store0(p, p->seq, i64(p, -1)), loop(p, s, p->in[STARTS]->dim[0], count)};
    return stmt_seq(p->mem, parts, 2);
}

static const stmt *begin(paged *p) {
    int64_t query_lanes = lanes_of(p->in[QUERY]->dim[2]);
    const expr *h = new_index(p, "h");
    lanes k = in_lanes(p, query_lanes), v = in_lanes(p, p->value_lanes), l = in_lanes(p, p->place_lanes);
    const expr *at[] = {p->token, query_head(p, h), k.index};
    const expr *scaled =
        op2(p, EXPR_MUL, as_f32(p, load(p, p->in[QUERY], at)), real(p, node_attr(p->n, "scale")->as.f));
    const stmt *each[] = {
        store1(p, p->max, h, lowest(p)),
        over_lanes(p, &l, i64(p, p->place_lanes), p->place_lanes, store2(p, p->sum, h, l.index, real(p, 0.0))),
        over_lanes(p, &k, p->in[QUERY]->dim[2], query_lanes, store2(p, p->query, h, k.index, scaled)),
        over_lanes(p, &v, p->in[VALUES]->dim[3], p->value_lanes, store2(p, p->acc, h, v.index, real(p, 0.0)))};
    const stmt *parts[] = {find_sequence(p), few(p, h, p->group, stmt_seq(p->mem, each, COUNT(each)))};
    return stmt_seq(p->mem, parts, 2);
}

// --- One chunk of places: those from `from` to before `to` count.
typedef struct chunk {
    const expr *first, *from, *to; // place of its beginning; within it
} chunk;

// keys or values [page, place in it, kv head, element] of the chunk's place i.
static const expr *cached(paged *p, uint32_t which, const chunk *c, const expr *i, const expr *element) {
    const buffer *pages = p->in[which];
    const expr *begin = op2(p, EXPR_FLOOR_MOD, c->first, pages->dim[1]);
    const expr *place = expr_is_int(pages->dim[1], p->chunk) ? i : op2(p, EXPR_ADD, begin, i);
    const expr *at[] = {load0(p, p->page), place, cache_head(p), element};
    return as_f32(p, load(p, pages, at));
}

static const stmt *find_page(paged *p, const chunk *c) {
    const buffer *table = p->in[PAGES];
    const expr *row[] = {inside(p, load0(p, p->seq), table->dim[0]),
                         inside(p, op2(p, EXPR_FLOOR_DIV, c->first, p->in[KEYS]->dim[1]), table->dim[1])};
    return store0(p, p->page, inside(p, as_i64(p, load(p, table, row)), p->in[KEYS]->dim[0]));
}

// keys[element, place]: the chunk's, turned in squares.
static const stmt *turn_keys(paged *p, const chunk *c) {
    const expr *e = new_index(p, "e"), *a = new_index(p, "a"), *b = new_index(p, "b"), *i = new_index(p, "i");
    const expr *side = i64(p, p->square), *element = op2(p, EXPR_ADD, op2(p, EXPR_MUL, e, side), a);
    const expr *place = op2(p, EXPR_ADD, op2(p, EXPR_MUL, i, side), b);
    const stmt *st = store2(p, p->keys, element, place, cached(p, KEYS, c, place, element));
    bool turned = p->square > 1;
    st = stmt_for(p->mem, turned ? FOR_VECTORIZED : FOR_SERIAL, b, i64(p, 0), side, st);
    const stmt *square = stmt_for(p->mem, turned ? FOR_UNROLLED : FOR_SERIAL, a, i64(p, 0), side, st);
    if (turned) {
        stmt *marked = ARENA_NEW(p->mem, stmt, 1);
        *marked = *square;
        marked->as.loop.annotations = attr_with(p->mem, NULL, "transposed", attr_int(p->mem, 1));
        square = marked;
    }
    const expr *squares = op2(p, EXPR_FLOOR_DIV, p->in[QUERY]->dim[2], side);
    return loop(p, e, squares, loop(p, i, i64(p, p->chunk / p->square), square));
}

// dot[part, head, place]: sums over elements, those of a part apart.
static const stmt *dot_products(paged *p) {
    const expr *s0 = new_index(p, "s"), *h0 = new_index(p, "h"), *s = new_index(p, "s"), *h = new_index(p, "h");
    const expr *e = new_index(p, "e"), *parts = i64(p, p->parts), *places = i64(p, p->chunk);
    lanes zero = in_lanes(p, p->place_lanes), l = in_lanes(p, p->place_lanes);
    const expr *start[] = {s0, h0, zero.index}, *at[] = {s, h, l.index};
    const expr *element = op2(p, EXPR_ADD, op2(p, EXPR_MUL, e, parts), s);
    const expr *product = op2(p, EXPR_MUL, load2(p, p->query, h, element), load2(p, p->keys, element, l.index));
    const stmt *clear = stmt_store(p->mem, p->dot, start, 3, real(p, 0.0));
    const stmt *add = stmt_store(p->mem, p->dot, at, 3, op2(p, EXPR_ADD, load(p, p->dot, at), product));
    clear = over_lanes(p, &zero, places, p->place_lanes, clear);
    add = over_lanes(p, &l, places, p->place_lanes, add);
    const stmt *both[] = {
        few(p, s0, p->parts, few(p, h0, p->group, clear)),
        loop(p, e, op2(p, EXPR_FLOOR_DIV, p->in[QUERY]->dim[2], parts), few(p, s, p->parts, few(p, h, p->group, add)))};
    return stmt_seq(p->mem, both, 2);
}

// The score of a head at a place: the sum of its parts, capped. Places that don't count weigh nothing, whatever lies
// there.
static const expr *score(paged *p, const chunk *c, const expr *h, const expr *place) {
    double cap = node_attr(p->n, "soft_cap")->as.f;
    const expr *sum = NULL;
    for (int64_t s = 0; s < p->parts; s++) {
        const expr *at[] = {i64(p, s), h, place}, *part = load(p, p->dot, at);
        sum = sum ? op2(p, EXPR_ADD, sum, part) : part;
    }
    if (cap > 0) sum = op2(p, EXPR_MUL, call1(p, INTRIN_TANH, op2(p, EXPR_DIV, sum, real(p, cap))), real(p, cap));
    const expr *counts = op2(p, EXPR_AND, op2(p, EXPR_LE, c->from, place), op2(p, EXPR_LT, place, c->to));
    return expr_select(p->s, counts, sum, lowest(p));
}

// Of each head: the new maximum, by how much what was summed up so far shrinks; scores become weights; their sum.
static const stmt *weigh(paged *p, const chunk *c) {
    int64_t width = p->place_lanes;
    const expr *h = new_index(p, "h"), *all = i64(p, p->chunk), *one = i64(p, width);
    lanes x = in_lanes(p, width), m = in_lanes(p, width), w = in_lanes(p, width), z = in_lanes(p, width),
          t = in_lanes(p, width);
    const expr *max = load1(p, p->max, h), *old = load1(p, p->old, h);
    const expr *larger = op2(p, EXPR_MAX, max, load2(p, p->weight, h, m.index));
    const expr *weight = call1(p, INTRIN_EXP, op2(p, EXPR_SUB, load2(p, p->weight, h, w.index), max));
    const expr *kept = op2(p, EXPR_MUL, load2(p, p->sum, h, z.index), old);
    const expr *total = op2(p, EXPR_ADD, load2(p, p->sum, h, t.inner), load2(p, p->weight, h, t.index));
    const stmt *parts[] = {over_lanes(p, &x, all, width, store2(p, p->weight, h, x.index, score(p, c, h, x.index))),
                           store1(p, p->old, h, max),
                           over_lanes(p, &m, all, width, store1(p, p->max, h, larger)),
                           store1(p, p->old, h, call1(p, INTRIN_EXP, op2(p, EXPR_SUB, old, max))),
                           over_lanes(p, &w, all, width, store2(p, p->weight, h, w.index, weight)),
                           over_lanes(p, &z, one, width, store2(p, p->sum, h, z.index, kept)),
                           over_lanes(p, &t, all, width, store2(p, p->sum, h, t.inner, total))};
    return few(p, h, p->group, stmt_seq(p->mem, parts, COUNT(parts)));
}

// Heads whose sums of values stay in registers together.
static int64_t heads_at_once(const paged *p) {
    int64_t size, most = p->group;
    if (!expr_const_int(p->in[VALUES]->dim[3], &size)) return 1;
    while (most > 1 && (p->group % most || most * (size / p->value_lanes) > MOST_SUMS)) most--;
    return most;
}

// acc = acc * shrink + the sum of weight[i] * value.
static const stmt *add_values(paged *p, const chunk *c) {
    int64_t most = heads_at_once(p);
    const expr *i = new_index(p, "i"), *h = new_index(p, "h"), *part = new_index(p, "h_0"), *of = new_index(p, "h_1");
    const expr *head = op2(p, EXPR_ADD, op2(p, EXPR_MUL, part, i64(p, most)), of), *size = p->in[VALUES]->dim[3];
    lanes less = in_lanes(p, p->value_lanes), more = in_lanes(p, p->value_lanes);
    const expr *kept = op2(p, EXPR_MUL, load2(p, p->acc, h, less.index), load1(p, p->old, h));
    const expr *product = op2(p, EXPR_MUL, load2(p, p->weight, head, i), cached(p, VALUES, c, i, more.index));
    const expr *added = op2(p, EXPR_ADD, load2(p, p->acc, head, more.index), product);
    const stmt *add = over_lanes(p, &more, size, p->value_lanes, store2(p, p->acc, head, more.index, added));
    add = stmt_for(p->mem, FOR_SERIAL, i, c->from, op2(p, EXPR_SUB, c->to, c->from), few(p, of, most, add));
    const stmt *parts[] = {
        few(p, h, p->group, over_lanes(p, &less, size, p->value_lanes, store2(p, p->acc, h, less.index, kept))),
        few(p, part, p->group / most, add)};
    return stmt_seq(p->mem, parts, 2);
}

static const stmt *take_chunk(paged *p, const chunk *c) {
    const stmt *parts[] = {find_page(p, c), turn_keys(p, c), dot_products(p), weigh(p, c), add_values(p, c)};
    return stmt_seq(p->mem, parts, COUNT(parts));
}

static const stmt *over_chunks(paged *p) {
    const expr *j = new_index(p, "j"), *size = i64(p, p->chunk);
    const expr *past = op2(p, EXPR_ADD, as_i64(p, load1(p, p->in[POSITIONS], p->token)), i64(p, 1)); // places in sight
    const expr *most = op2(p, EXPR_MUL, p->in[PAGES]->dim[1], p->in[KEYS]->dim[1]);
    const expr *count = op2(p, EXPR_MAX, op2(p, EXPR_MIN, past, most), i64(p, 0)), *first = i64(p, 0), *skipped = first;
    int64_t window = attr_int_of(p->n, "window");
    if (window > 0) first = op2(p, EXPR_MAX, op2(p, EXPR_SUB, count, i64(p, window)), i64(p, 0));
    if (window > 0) skipped = op2(p, EXPR_FLOOR_DIV, first, size);
    const expr *ends = op2(p, EXPR_FLOOR_DIV, op2(p, EXPR_ADD, count, i64(p, p->chunk - 1)), size);
    chunk c = {.first = op2(p, EXPR_MUL, window > 0 ? op2(p, EXPR_ADD, skipped, j) : j, size)};
    c.from = window > 0 ? op2(p, EXPR_MAX, op2(p, EXPR_SUB, first, c.first), i64(p, 0)) : i64(p, 0);
    c.to = op2(p, EXPR_MIN, op2(p, EXPR_SUB, count, c.first), size);
    return loop(p, j, window > 0 ? op2(p, EXPR_SUB, ends, skipped) : ends, take_chunk(p, &c));
}

// Of each head: what the lanes of the sum give together, and what it divides.
static const stmt *finish(paged *p) {
    const expr *h = new_index(p, "h");
    lanes l = in_lanes(p, p->place_lanes), x = in_lanes(p, p->value_lanes);
    const expr *at[] = {p->token, query_head(p, h), x.index};
    const expr *value = op2(p, EXPR_DIV, load2(p, p->acc, h, x.index), load1(p, p->old, h));
    const expr *sum = op2(p, EXPR_ADD, load1(p, p->old, h), load2(p, p->sum, h, l.index));
    const stmt *store = stmt_store(p->mem, p->out, at, 3, expr_cast(p->s, p->out->type, value));
    const stmt *parts[] = {store1(p, p->old, h, real(p, 0.0)),
                           over_lanes(p, &l, i64(p, p->place_lanes), p->place_lanes, store1(p, p->old, h, sum)),
                           over_lanes(p, &x, p->in[VALUES]->dim[3], p->value_lanes, store)};
    return few(p, h, p->group, stmt_seq(p->mem, parts, COUNT(parts)));
}

static const stmt *token_body(paged *p) {
    const stmt *parts[] = {begin(p), over_chunks(p), finish(p)};
    return stmt_seq(p->mem, parts, COUNT(parts));
}

static const buffer *local(paged *p, const char *name, dtype type, const expr *const *dim, uint32_t rank) {
    return buffer_new(p->s, name, type, dim, rank, "local");
}

static void choose_widths(paged *p) {
    int64_t page, heads, shared, size;
    bool known = expr_const_int(p->in[KEYS]->dim[1], &page) && page >= 1;
    p->chunk = !known ? 1 : page % MOST_LANES == 0 ? MOST_LANES : page <= MOST_PLACES ? page : 1;
    p->place_lanes = lanes_of(i64(p, p->chunk));
    p->value_lanes = lanes_of(p->in[VALUES]->dim[3]);
    p->square = lanes_of(p->in[QUERY]->dim[2]);
    if (p->square > p->place_lanes) p->square = p->place_lanes;
    p->group = 1;
    if (expr_const_int(p->in[QUERY]->dim[1], &heads) && expr_const_int(p->in[KEYS]->dim[2], &shared) && shared > 0)
        p->group = heads / shared;
    if (p->group < 1) p->group = 1;
    p->parts = expr_const_int(p->in[QUERY]->dim[2], &size) ? LEAST_SUMS : 1;
    while (p->parts > 1 && (size % p->parts || p->parts * p->group > 2 * LEAST_SUMS)) p->parts /= 2;
}

static void declare_locals(paged *p, block *b) {
    dtype f32 = DTYPE_OF(F32), whole = DTYPE_OF(I64);
    const expr *group = i64(p, p->group), *places = i64(p, p->chunk), *size = p->in[QUERY]->dim[2];
    const expr *sum[] = {group, i64(p, p->place_lanes)}, *query[] = {group, size}, *keys[] = {size, places};
    const expr *dot[] = {i64(p, p->parts), group, places}, *acc[] = {group, p->in[VALUES]->dim[3]};
    const buffer *all[] = {
        p->seq = local(p, "seq", whole, NULL, 0),        p->page = local(p, "page", whole, NULL, 0),
        p->max = local(p, "max", f32, &group, 1),        p->old = local(p, "old_max", f32, &group, 1),
        p->sum = local(p, "sum", f32, sum, 2),           p->query = local(p, "query_local", f32, query, 2),
        p->keys = local(p, "keys_local", f32, keys, 2),  p->dot = local(p, "dot", f32, dot, 3),
        p->weight = local(p, "weight", f32, dot + 1, 2), p->acc = local(p, "acc", f32, acc, 2)};
    const buffer **alloc = ARENA_NEW(p->mem, const buffer *, COUNT(all));
    for (size_t i = 0; i < COUNT(all); i++) alloc[i] = all[i];
    b->allocs = COUNT(all);
    b->alloc = alloc;
}

// One block for a token and the heads that share keys; all of them in parallel.
static const stmt *token_block(paged *p) {
    const expr *both = new_index(p, "t_h"), *tokens = p->in[QUERY]->dim[0], *heads;
    block b = {.name = "attention", .iters = 2};
    p->token = new_index(p, "v_t");
    p->head = new_index(p, "v_h");
    choose_widths(p);
    declare_locals(p, &b);
    heads = p->group > 1 ? p->in[KEYS]->dim[2] : p->in[QUERY]->dim[1];
    iter *iters = ARENA_NEW(p->mem, iter, 2);
    iters[0] = (iter){p->token, ITER_SPATIAL, {i64(p, 0), tokens}, op2(p, EXPR_FLOOR_DIV, both, heads)};
    iters[1] = (iter){p->head, ITER_SPATIAL, {i64(p, 0), heads}, op2(p, EXPR_FLOOR_MOD, both, heads)};
    b.iter = iters;
    b.body = token_body(p);
    return stmt_for(p->mem, FOR_PARALLEL, both, i64(p, 0), op2(p, EXPR_MUL, tokens, heads), stmt_block(p->mem, &b));
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    operand_list operands = {0};
    if (!operand_buffers(c, n, &operands)) return NULL;
    const buffer **buf = ARENA_NEW(c->mem, const buffer *, operands.len);
    paged p = {.c = c, .n = n, .s = c->exprs, .mem = c->mem};
    for (uint32_t i = 0; i < operands.len; i++) {
        const ann *a = operands.at[i].type;
        const char *name = i < INPUTS ? n->op->input[i].name : "attention_out";
        buf[i] = buffer_new(c->exprs, name, a->type, a->dim, (uint32_t)a->rank, "global");
        if (i < INPUTS) p.in[i] = buf[i];
    }
    p.out = buf[operands.len - 1];
    return compute_program(c, &operands, buf, token_block(&p), NULL, 0);
}

const op op_rx_attention = {
    .name = "rx.attention",
    .doc =
        "Attention of tokens of many sequences, one after another, over a cache in pages; softmax online. Heads share "
        "those of the cache in groups.",
    .input = {IN("query", TENSOR, "[tokens, heads, size]"), IN("keys", TENSOR, "[pages, page, cache heads, size]"),
              IN("values", TENSOR, "[pages, page, cache heads, value size]"),
              IN("positions", TENSOR, "[tokens]: place of each in its sequence"),
              IN("starts", TENSOR, "[sequences + 1]: first token of each, and the end"),
              IN("page_table", TENSOR, "[sequences, most pages]")},
    .attr = {ATTR("scale", FLOAT, NULL, "of the scores, usually 1 / sqrt(size)", .range = "(-inf, inf)"),
             ATTR("window", INT, "0", "a token sees so many places back, its own included; 0: all",
                  .range = "[0, inf)"),
             ATTR("soft_cap", FLOAT, "0.0", "scores become cap * tanh(score / cap); 0: as they are",
                  .range = "[0, inf)")},
    .infer = infer,
    .lower = lower,
    .samples = {"q=f32[t,4,2] k=f32[3,2,2,2] v=f32[3,2,2,3] p=i64[t] s=i64[3] g=i64[2,2] | R.rx.attention(q, k, v, p, "
                "s, g, scale=0.5)",
                "q=f16[t,2,2] k=f16[3,2,1,2] v=f16[3,2,1,2] p=i32[t] s=i32[3] g=i32[2,2] | R.rx.attention(q, k, v, p, "
                "s, g, scale=0.5, window=2, soft_cap=5.0)",
                "q=f32[t,6,16] k=f16[3,16,2,16] v=f16[3,16,2,16] p=i32[t] s=i32[3] g=i32[2,2] | R.rx.attention(q, k, "
                "v, p, s, g, scale=0.25, window=9)"},
};
