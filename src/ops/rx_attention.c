// rx_attention.c - R.rx.attention: attention of tokens of many sequences over a cache in pages, with online softmax.
//
// The tokens of all sequences lie one after another; starts[s] is the first token of sequence s. Place j of a
// sequence's cache is element j % page of page page_table[s, j // page]. A token at position p sees places 0..p, the
// last `window` of them where that is set; its own key and value are in the cache already.
//
//   for tokens, head of the cache in parallel: one block for all heads of the query that share it
//       find the sequence
//       m = -max; l = 0; acc = 0              of each row: a token and a head
//       for chunk in first .. position:       turn the keys, so that places lie side by side; for each row: scores,
//                                             m' = max(m, scores), rescale l and acc, add all of them
//       out = acc / l
//
// Vectors run along the places of a chunk and along values: keys and values are read once for all rows, and no score
// is summed across a vector. 32 heads on 8 of the cache: 2 to 5 times as fast as head by head (bench/layers.py). A few
// tokens of one sequence that follow each other are one block, so that keys are turned once for them; what a row gives
// has the same bits there and alone.
#include "ops/table.h"
#include <float.h>
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
    LINE_BITS = 512,
};

typedef struct paged {
    const lower_ctx *c;
    const node *n;
    expr_session *s;
    arena *mem;
    const buffer *in[INPUTS], *out;
    int64_t chunk;                            // places of one chunk: a page, a part of one, or 1
    int64_t group;                            // heads of the query in a block; they share keys and values
    int64_t tokens, rows;                     // of the query at once: rows are tokens times heads
    int64_t parts;                            // of a score's sum
    int64_t value_lanes, place_lanes, square; // of vectors along a value, a chunk; the side of what is turned at once
    const buffer *asked;                      // what is read ahead goes nowhere
    const buffer *seq, *page, *ahead;         // scalars of the block
    const buffer *seen, *skipped;             // of each token: places 0..seen count, but for the first ones
    const buffer *max, *old, *sum;            // of each row; sum: of each lane too
    const buffer *query, *keys, *dot;         // [rows, size], [size, chunk], [parts, rows, chunk]
    const buffer *weight, *acc;               // [rows, chunk], [rows, value size]
    const expr *token, *head; // the first token; of the cache, or of the query where it has its own block
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
static const expr *as_f32(paged *p, const expr *e) { return expr_cast(p->s, DTYPE_OF(F32), e); }
static const expr *as_i64(paged *p, const expr *e) { return expr_cast(p->s, DTYPE_OF(I64), e); }
static const expr *call1(paged *p, intrinsic_id f, const expr *a) {
    return expr_call(p->s, intrinsic_get(f), (dtype){0}, &a, 1);
}

static const expr *new_index(paged *p, const char *name) { return expr_new_var(p->s, name, DTYPE_OF(I64)); }
static const stmt *loop(paged *p, const expr *var, const expr *extent, const stmt *body) {
    return stmt_for(p->mem, FOR_SERIAL, var, i64(p, 0), extent, body);
}
static const stmt *written_out(paged *p, const expr *var, int64_t extent, const stmt *body) {
    return stmt_for(p->mem, FOR_UNROLLED, var, i64(p, 0), i64(p, extent), body);
}
// Few iterations are written out, so that sums stay in registers.
static const stmt *few(paged *p, const expr *var, int64_t extent, const stmt *body) {
    return extent <= MOST_UNROLLED ? written_out(p, var, extent, body) : loop(p, var, i64(p, extent), body);
}
static const stmt *seq_of(paged *p, const stmt *const *parts, size_t count) {
    return stmt_seq(p->mem, parts, (uint32_t)count);
}
static const stmt *annotated(paged *p, const stmt *loop, const char *name) {
    stmt *marked = ARENA_NEW(p->mem, stmt, 1);
    *marked = *loop;
    marked->as.loop.annotations = attr_with(p->mem, NULL, name, attr_int(p->mem, 1));
    return marked;
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

// A row of the query, and the loops around a statement that uses it.
typedef struct query_row {
    const expr *t, *h, *index; // token and head within the block, number
} query_row;
static query_row new_row(paged *p) {
    query_row r = {.t = p->tokens > 1 ? new_index(p, "t") : i64(p, 0), .h = new_index(p, "h")};
    r.index = p->tokens > 1 ? op2(p, EXPR_ADD, op2(p, EXPR_MUL, r.t, i64(p, p->group)), r.h) : r.h;
    return r;
}
static const stmt *over_rows(paged *p, const query_row *r, const stmt *body) {
    body = few(p, r->h, p->group, body);
    return p->tokens > 1 ? few(p, r->t, p->tokens, body) : body;
}
static const expr *token_of(paged *p, const query_row *r) {
    return p->tokens > 1 ? op2(p, EXPR_ADD, p->token, r->t) : p->token;
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
    return seq_of(p, parts, 2);
}

// What each token sees: as many places as there are up to its own, the last `window` of them.
static const stmt *look_around(paged *p) {
    const expr *t = new_index(p, "t"), *at = op2(p, EXPR_ADD, p->token, t);
    const expr *past = op2(p, EXPR_ADD, as_i64(p, load1(p, p->in[POSITIONS], at)), i64(p, 1));
    const expr *most = op2(p, EXPR_MUL, p->in[PAGES]->dim[1], p->in[KEYS]->dim[1]);
    const expr *seen = op2(p, EXPR_MAX, op2(p, EXPR_MIN, past, most), i64(p, 0));
    const expr *before = op2(p, EXPR_SUB, load1(p, p->seen, t), i64(p, attr_int_of(p->n, "window")));
    const stmt *parts[] = {store1(p, p->seen, t, seen), store1(p, p->skipped, t, op2(p, EXPR_MAX, before, i64(p, 0)))};
    return few(p, t, p->tokens, seq_of(p, parts, attr_int_of(p->n, "window") > 0 ? 2 : 1));
}

// The lowest number in place of -inf, so that rows without a place in a chunk have a difference of maxima, 0.
static const stmt *begin(paged *p) {
    int64_t query_lanes = lanes_of(p->in[QUERY]->dim[2]);
    query_row r = new_row(p);
    lanes k = in_lanes(p, query_lanes), v = in_lanes(p, p->value_lanes), l = in_lanes(p, p->place_lanes);
    const expr *at[] = {token_of(p, &r), query_head(p, r.h), k.index};
    const expr *scaled =
        op2(p, EXPR_MUL, as_f32(p, load(p, p->in[QUERY], at)), real(p, node_attr(p->n, "scale")->as.f));
    const stmt *each[] = {
        store1(p, p->max, r.index, real(p, -(double)FLT_MAX)),
        over_lanes(p, &l, i64(p, p->place_lanes), p->place_lanes, store2(p, p->sum, r.index, l.index, real(p, 0.0))),
        over_lanes(p, &k, p->in[QUERY]->dim[2], query_lanes, store2(p, p->query, r.index, k.index, scaled)),
        over_lanes(p, &v, p->in[VALUES]->dim[3], p->value_lanes, store2(p, p->acc, r.index, v.index, real(p, 0.0)))};
    const stmt *parts[] = {find_sequence(p), look_around(p), over_rows(p, &r, seq_of(p, each, COUNT(each)))};
    return seq_of(p, parts, COUNT(parts));
}

// --- One chunk of places: those from `from` to before `to` count for some row.
typedef struct chunk {
    const expr *first, *from, *to; // place of its beginning; within it
} chunk;

// keys or values [page, place in it, kv head, element] of the chunk's place i.
static const expr *cached_on(paged *p, const buffer *page, uint32_t which, const chunk *c, const expr *i,
                             const expr *element) {
    const buffer *pages = p->in[which];
    const expr *begin = op2(p, EXPR_FLOOR_MOD, c->first, pages->dim[1]);
    const expr *place = expr_is_int(pages->dim[1], p->chunk) ? i : op2(p, EXPR_ADD, begin, i);
    const expr *at[] = {load0(p, page), place, cache_head(p), element};
    return as_f32(p, load(p, pages, at));
}
static const expr *cached(paged *p, uint32_t which, const chunk *c, const expr *i, const expr *element) {
    return cached_on(p, p->page, which, c, i, element);
}

static const stmt *find_page(paged *p, const chunk *c, const buffer *page) {
    const buffer *table = p->in[PAGES];
    const expr *row[] = {inside(p, load0(p, p->seq), table->dim[0]),
                         inside(p, op2(p, EXPR_FLOOR_DIV, c->first, p->in[KEYS]->dim[1]), table->dim[1])};
    return store0(p, page, inside(p, as_i64(p, load(p, table, row)), p->in[KEYS]->dim[0]));
}

// Asks for each line of memory of a chunk. A step of a model comes to places that the weights between have driven out
// of the caches: 11.6 to 7 us a layer of SmolLM2 after 64 tokens.
static const stmt *ask_for(paged *p, const chunk *c) {
    const stmt *parts[1 + 2] = {find_page(p, c, p->ahead)};
    for (uint32_t k = 0; k < 2; k++) {
        const buffer *pages = p->in[KEYS + k];
        const expr *i = new_index(p, "i"), *line = new_index(p, "line");
        int64_t size, step = (int64_t)LINE_BITS / dtype_bits(pages->type);
        if (!expr_const_int(pages->dim[3], &size)) size = 1;
        const expr *word = cached_on(p, p->ahead, KEYS + k, c, i, op2(p, EXPR_MUL, line, i64(p, step)));
        const stmt *lines = few(p, line, (size + step - 1) / step, store0(p, p->asked, word));
        parts[1 + k] = annotated(p, loop(p, i, i64(p, p->chunk), lines), "asked");
    }
    return seq_of(p, parts, COUNT(parts));
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
    if (turned) square = annotated(p, square, "transposed");
    const expr *squares = op2(p, EXPR_FLOOR_DIV, p->in[QUERY]->dim[2], side);
    return loop(p, e, squares, loop(p, i, i64(p, p->chunk / p->square), square));
}

// dot[part, row, place]: sums over elements, those of a part apart.
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
    add = written_out(p, h, p->rows, over_lanes(p, &l, places, p->place_lanes, add));
    const stmt *both[] = {few(p, s0, p->parts, written_out(p, h0, p->rows, clear)),
                          loop(p, e, op2(p, EXPR_FLOOR_DIV, p->in[QUERY]->dim[2], parts), few(p, s, p->parts, add))};
    return seq_of(p, both, 2);
}

// The score of a row at a place: the sum of its parts, capped. Places that don't count weigh nothing, whatever lies
// there.
static const expr *score(paged *p, const chunk *c, const query_row *r, const expr *place) {
    double cap = node_attr(p->n, "soft_cap")->as.f;
    const expr *sum = NULL, *whole = op2(p, EXPR_ADD, c->first, place);
    for (int64_t s = 0; s < p->parts; s++) {
        const expr *at[] = {i64(p, s), r->index, place}, *part = load(p, p->dot, at);
        sum = sum ? op2(p, EXPR_ADD, sum, part) : part;
    }
    if (cap > 0) sum = op2(p, EXPR_MUL, call1(p, INTRIN_TANH, op2(p, EXPR_DIV, sum, real(p, cap))), real(p, cap));
    const expr *counts = op2(p, EXPR_LT, whole, load1(p, p->seen, r->t));
    if (attr_int_of(p->n, "window") > 0)
        counts = op2(p, EXPR_AND, op2(p, EXPR_LE, load1(p, p->skipped, r->t), whole), counts);
    return expr_select(p->s, counts, sum, real(p, -(double)INFINITY));
}

// Of each row: the new maximum, by how much what was summed up so far shrinks; scores become weights; their sum.
static const stmt *weigh(paged *p, const chunk *c) {
    int64_t width = p->place_lanes, side = lanes_of(i64(p, p->rows));
    const expr *all = i64(p, p->chunk), *one = i64(p, width), *h = new_index(p, "h");
    lanes x = in_lanes(p, width), m = in_lanes(p, width), w = in_lanes(p, width), z = in_lanes(p, width),
          t = in_lanes(p, width), o = in_lanes(p, side);
    query_row r = new_row(p);
    const expr *larger = op2(p, EXPR_MAX, load1(p, p->max, r.index), load2(p, p->weight, r.index, m.index));
    const expr *shrunk = op2(p, EXPR_SUB, load1(p, p->old, o.index), load1(p, p->max, o.index));
    const expr *weight = call1(p, INTRIN_EXP, op2(p, EXPR_SUB, load2(p, p->weight, h, w.index), load1(p, p->max, h)));
    const expr *kept = op2(p, EXPR_MUL, load2(p, p->sum, h, z.index), load1(p, p->old, h));
    const expr *total = op2(p, EXPR_ADD, load2(p, p->sum, h, t.inner), load2(p, p->weight, h, t.index));
    const stmt *scores[] = {
        over_lanes(p, &x, all, width, store2(p, p->weight, r.index, x.index, score(p, c, &r, x.index))),
        store1(p, p->old, r.index, load1(p, p->max, r.index)),
        over_lanes(p, &m, all, width, store1(p, p->max, r.index, larger))};
    const stmt *weights[] = {over_lanes(p, &w, all, width, store2(p, p->weight, h, w.index, weight)),
                             over_lanes(p, &z, one, width, store2(p, p->sum, h, z.index, kept)),
                             over_lanes(p, &t, all, width, store2(p, p->sum, h, t.inner, total))};
    const stmt *parts[] = {
        over_rows(p, &r, seq_of(p, scores, COUNT(scores))),
        over_lanes(p, &o, i64(p, p->rows), side, store1(p, p->old, o.index, call1(p, INTRIN_EXP, shrunk))),
        few(p, h, p->rows, seq_of(p, weights, COUNT(weights)))};
    return seq_of(p, parts, COUNT(parts));
}

// Rows whose sums of values stay in registers together.
static int64_t rows_at_once(const paged *p) {
    int64_t size, most = p->rows;
    if (!expr_const_int(p->in[VALUES]->dim[3], &size)) return 1;
    while (most > 1 && (p->rows % most || most * (size / p->value_lanes) > MOST_SUMS)) most--;
    return most;
}

// acc = acc * shrink + the sum of weight[i] * value.
static const stmt *add_values(paged *p, const chunk *c) {
    int64_t most = rows_at_once(p);
    const expr *i = new_index(p, "i"), *h = new_index(p, "h"), *part = new_index(p, "h_0"), *of = new_index(p, "h_1");
    const expr *row = op2(p, EXPR_ADD, op2(p, EXPR_MUL, part, i64(p, most)), of), *size = p->in[VALUES]->dim[3];
    lanes less = in_lanes(p, p->value_lanes), more = in_lanes(p, p->value_lanes);
    const expr *kept = op2(p, EXPR_MUL, load2(p, p->acc, h, less.index), load1(p, p->old, h));
    const expr *product = op2(p, EXPR_MUL, load2(p, p->weight, row, i), cached(p, VALUES, c, i, more.index));
    const expr *added = op2(p, EXPR_ADD, load2(p, p->acc, row, more.index), product);
    const stmt *add = over_lanes(p, &more, size, p->value_lanes, store2(p, p->acc, row, more.index, added));
    add = stmt_for(p->mem, FOR_SERIAL, i, c->from, op2(p, EXPR_SUB, c->to, c->from), few(p, of, most, add));
    const stmt *parts[] = {
        few(p, h, p->rows, over_lanes(p, &less, size, p->value_lanes, store2(p, p->acc, h, less.index, kept))),
        few(p, part, p->rows / most, add)};
    return seq_of(p, parts, 2);
}

static const stmt *take_chunk(paged *p, const chunk *c) {
    const chunk next = {.first = op2(p, EXPR_ADD, c->first, i64(p, p->chunk))};
    const stmt *parts[6];
    size_t count = 0;
    if (p->tokens == 1) parts[count++] = ask_for(p, &next);
    parts[count++] = find_page(p, c, p->page);
    parts[count++] = turn_keys(p, c);
    parts[count++] = dot_products(p);
    parts[count++] = weigh(p, c);
    parts[count++] = add_values(p, c);
    return seq_of(p, parts, count);
}

// The most or least of what the tokens have.
static const expr *over_tokens(paged *p, expr_op which, const buffer *of) {
    const expr *all = load1(p, of, i64(p, 0));
    for (int64_t t = 1; t < p->tokens; t++) all = op2(p, which, all, load1(p, of, i64(p, t)));
    return all;
}

static const stmt *over_chunks(paged *p) {
    const expr *j = new_index(p, "j"), *size = i64(p, p->chunk), *skipped = i64(p, 0), *passed = skipped;
    const expr *seen = over_tokens(p, EXPR_MAX, p->seen);
    bool window = attr_int_of(p->n, "window") > 0;
    if (window) skipped = over_tokens(p, EXPR_MIN, p->skipped);
    if (window) passed = op2(p, EXPR_FLOOR_DIV, skipped, size);
    const expr *ends = op2(p, EXPR_FLOOR_DIV, op2(p, EXPR_ADD, seen, i64(p, p->chunk - 1)), size);
    chunk c = {.first = op2(p, EXPR_MUL, window ? op2(p, EXPR_ADD, passed, j) : j, size)};
    c.from = window ? op2(p, EXPR_MAX, op2(p, EXPR_SUB, skipped, c.first), i64(p, 0)) : i64(p, 0);
    c.to = op2(p, EXPR_MIN, op2(p, EXPR_SUB, seen, c.first), size);
    const chunk begin = {.first = op2(p, EXPR_MUL, passed, size)};
    const stmt *all = loop(p, j, window ? op2(p, EXPR_SUB, ends, passed) : ends, take_chunk(p, &c));
    const stmt *both[] = {ask_for(p, &begin), all};
    return p->tokens > 1 ? all : seq_of(p, both, COUNT(both));
}

// Of each row: what the lanes of the sum give together, and what it divides.
static const stmt *finish(paged *p) {
    query_row r = new_row(p);
    lanes l = in_lanes(p, p->place_lanes), x = in_lanes(p, p->value_lanes);
    const expr *at[] = {token_of(p, &r), query_head(p, r.h), x.index};
    const expr *value = op2(p, EXPR_DIV, load2(p, p->acc, r.index, x.index), load1(p, p->old, r.index));
    const expr *sum = op2(p, EXPR_ADD, load1(p, p->old, r.index), load2(p, p->sum, r.index, l.index));
    const stmt *store = stmt_store(p->mem, p->out, at, 3, expr_cast(p->s, p->out->type, value));
    const stmt *parts[] = {store1(p, p->old, r.index, real(p, 0.0)),
                           over_lanes(p, &l, i64(p, p->place_lanes), p->place_lanes, store1(p, p->old, r.index, sum)),
                           over_lanes(p, &x, p->in[VALUES]->dim[3], p->value_lanes, store)};
    return over_rows(p, &r, seq_of(p, parts, COUNT(parts)));
}

static const stmt *rows_body(paged *p) {
    const stmt *parts[] = {begin(p), over_chunks(p), finish(p)};
    return seq_of(p, parts, COUNT(parts));
}

// --- Blocks.

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

typedef VEC(const buffer *) buffer_list;

static void declare_locals(paged *p, buffer_list *all) {
    dtype f32 = DTYPE_OF(F32), whole = DTYPE_OF(I64);
    const expr *rows = i64(p, p->rows), *places = i64(p, p->chunk), *size = p->in[QUERY]->dim[2];
    const expr *tokens = i64(p, p->tokens), *sum[] = {rows, i64(p, p->place_lanes)}, *query[] = {rows, size};
    const expr *keys[] = {size, places}, *dot[] = {i64(p, p->parts), rows, places};
    const expr *acc[] = {rows, p->in[VALUES]->dim[3]};
    const buffer *own[] = {
        p->asked = local(p, "asked", f32, NULL, 0),      p->ahead = local(p, "page_ahead", whole, NULL, 0),
        p->seq = local(p, "seq", whole, NULL, 0),        p->page = local(p, "page", whole, NULL, 0),
        p->seen = local(p, "seen", whole, &tokens, 1),   p->skipped = local(p, "skipped", whole, &tokens, 1),
        p->max = local(p, "max", f32, &rows, 1),         p->old = local(p, "old_max", f32, &rows, 1),
        p->sum = local(p, "sum", f32, sum, 2),           p->query = local(p, "query_local", f32, query, 2),
        p->keys = local(p, "keys_local", f32, keys, 2),  p->dot = local(p, "dot", f32, dot, 3),
        p->weight = local(p, "weight", f32, dot + 1, 2), p->acc = local(p, "acc", f32, acc, 2)};
    for (size_t i = 0; i < COUNT(own); i++) VEC_PUSH(p->mem, all, own[i]);
}

// A copy for so many tokens at once.
static paged with_tokens(const paged *p, int64_t tokens, const expr *first, buffer_list *locals) {
    paged q = *p;
    q.tokens = tokens;
    q.rows = tokens * p->group;
    q.token = first;
    declare_locals(&q, locals);
    return q;
}

// So many tokens of one sequence are taken together that the sums of their scores stay in registers.
static int64_t tokens_at_once(const paged *p) {
    return p->chunk == p->place_lanes && p->chunk > 1 ? MOST_SUMS / (p->parts * p->group) : 1;
}

// Tokens `first` and those behind it: together where all are of one sequence, else one by one.
static const stmt *several_tokens(paged *p, int64_t most, const expr *first, buffer_list *locals) {
    const expr *t = new_index(p, "t"), *tokens = p->in[QUERY]->dim[0], *token = op2(p, EXPR_ADD, first, t);
    const expr *end = op2(p, EXPR_ADD, first, i64(p, most));
    paged many = with_tokens(p, most, first, locals), one = with_tokens(p, 1, token, locals);
    const expr *next = inside(p, op2(p, EXPR_ADD, load0(p, many.seq), i64(p, 1)), p->in[STARTS]->dim[0]);
    const expr *together =
        op2(p, EXPR_AND, op2(p, EXPR_LE, end, tokens), op2(p, EXPR_LE, end, as_i64(p, load1(p, p->in[STARTS], next))));
    const stmt *each = stmt_if(p->mem, op2(p, EXPR_LT, token, tokens), rows_body(&one), NULL);
    const stmt *parts[] = {find_sequence(&many),
                           stmt_if(p->mem, together, rows_body(&many), loop(p, t, i64(p, most), each))};
    return seq_of(p, parts, COUNT(parts));
}

// One block for some tokens and the heads that share keys; all of them in parallel.
static const stmt *token_block(paged *p) {
    const expr *both = new_index(p, "t_h"), *blocks = p->in[QUERY]->dim[0], *heads, *at = new_index(p, "v_t");
    block b = {.name = "attention", .iters = 2};
    buffer_list locals = {0};
    p->head = new_index(p, "v_h");
    choose_widths(p);
    int64_t most = tokens_at_once(p);
    heads = p->group > 1 ? p->in[KEYS]->dim[2] : p->in[QUERY]->dim[1];
    if (most > 1) {
        blocks = op2(p, EXPR_FLOOR_DIV, op2(p, EXPR_ADD, blocks, i64(p, most - 1)), i64(p, most));
        b.body = several_tokens(p, most, op2(p, EXPR_MUL, at, i64(p, most)), &locals);
    } else {
        paged one = with_tokens(p, 1, at, &locals);
        b.body = rows_body(&one);
    }
    iter *iters = ARENA_NEW(p->mem, iter, 2);
    iters[0] = (iter){at, ITER_SPATIAL, {i64(p, 0), blocks}, op2(p, EXPR_FLOOR_DIV, both, heads)};
    iters[1] = (iter){p->head, ITER_SPATIAL, {i64(p, 0), heads}, op2(p, EXPR_FLOOR_MOD, both, heads)};
    b.iter = iters;
    b.alloc = locals.at;
    b.allocs = locals.len;
    return stmt_for(p->mem, FOR_PARALLEL, both, i64(p, 0), op2(p, EXPR_MUL, blocks, heads), stmt_block(p->mem, &b));
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
