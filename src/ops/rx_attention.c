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
// has the same bits there and alone. With `unit` the heads of a block are rounded at its end, as R.rx.quantize_int8
// rounds the row of all heads.
#include "base/size.h"
#include "ops/rounding.h"
#include "ops/table.h"
#include <float.h>
#include <math.h>

enum { QUERY, KEYS, VALUES, POSITIONS, STARTS, PAGES, INPUTS };

static bool check_heads(infer_ctx *c, const node *n) {
    const ann *q = infer_in(n, QUERY), *k = infer_in(n, KEYS);
    if (!has_dims(q) || !has_dims(k)) return true;
    const char *of = arena_format(c->mem, "the cache's %s", expr_to_text(c->mem, k->dim[2]));
    return infer_want_multiple(c, n, q->dim[1], "heads", k->dim[2], of);
}

static bool rounds(const node *n) { return attr_int_of(n, "unit") > 0; }

bool rounding_fits_heads(const node *attention, int64_t turns, int64_t low, int64_t *width) {
    const ann *q = infer_in(attention, QUERY), *k = infer_in(attention, KEYS), *v = infer_in(attention, VALUES);
    int64_t heads, shared, size;
    bool known = has_dims(q) && has_dims(k) && has_dims(v) && expr_const_int(q->dim[1], &heads) &&
                 expr_const_int(k->dim[2], &shared) && expr_const_int(v->dim[3], &size);
    if (!known || shared <= 0 || heads <= 0 || size <= 0 || !int_mul(heads, size, width)) return false;
    return size % ACTIVATION_GROUP == 0 && *width / shared % rounding_at_once(turns, low) == 0;
}

static const ann *infer_rounded(infer_ctx *c, const node *n) {
    const ann *q = infer_in(n, QUERY);
    int64_t width, unit = attr_int_of(n, "unit"), low = attr_int_of(n, "low"), turns = attr_int_of(n, "turns");
    if (unit != ACTIVATION_GROUP && unit * 2 != ACTIVATION_GROUP)
        return infer_error(c, n, "unit: want 16 or 32 for rounded results, got %lld", (long long)unit);
    if (!rounding_fits_heads(n, turns, low, &width))
        return infer_error(c, n,
                           "want heads and sizes that are known, of a multiple of %d values, %lld in the heads "
                           "that share keys, for rounded results",
                           ACTIVATION_GROUP, (long long)rounding_at_once(turns, low));
    return rounding_infer(c, n, q, q->dim, 2, width);
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
    if (rounds(n)) return infer_rounded(c, n);
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
    writer w;
    const node *n;
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
    rounding *rounded;                        // NULL: results are floats
    const expr *token, *head; // the first token; of the cache, or of the query where it has its own block
} paged;

// Few iterations are written out, so that sums stay in registers.
static const stmt *few(paged *p, const expr *var, int64_t extent, const stmt *body) {
    const writer *w = &p->w;
    return extent <= MOST_UNROLLED ? write_unrolled(w, var, extent, body)
                                   : write_loop(w, var, write_int(w, extent), body);
}
static const stmt *over_lanes(paged *p, const lanes *l, const expr *extent, int64_t width, const stmt *body) {
    const writer *w = &p->w;
    int64_t size;
    bool known = expr_const_int(extent, &size);
    body = write_lanes(w, l->lane, width, body);
    if (known) return few(p, l->outer, size / width, body);
    return write_loop(w, l->outer, write_op(w, EXPR_FLOOR_DIV, extent, write_int(w, width)), body);
}
// A width of vectors that divides a dim: 1 if it is not known.
static int64_t lanes_of(const expr *dim) {
    int64_t size;
    return expr_const_int(dim, &size) ? write_width(size) : 1;
}

// A row of the query, and the loops around a statement that uses it.
typedef struct query_row {
    const expr *t, *h, *index; // token and head within the block, number
} query_row;
static query_row new_row(paged *p) {
    const writer *w = &p->w;
    query_row r = {.t = p->tokens > 1 ? write_index(w, "t") : write_int(w, 0), .h = write_index(w, "h")};
    r.index = p->tokens > 1 ? write_times_plus(w, r.t, p->group, r.h) : r.h;
    return r;
}
static const stmt *over_rows(paged *p, const query_row *r, const stmt *body) {
    body = few(p, r->h, p->group, body);
    return p->tokens > 1 ? few(p, r->t, p->tokens, body) : body;
}
static const expr *token_of(paged *p, const query_row *r) {
    return p->tokens > 1 ? write_op(&p->w, EXPR_ADD, p->token, r->t) : p->token;
}

// An index kept inside [0, extent).
static const expr *inside(paged *p, const expr *e, const expr *extent) {
    return write_within(&p->w, e, write_int(&p->w, 0), write_op(&p->w, EXPR_SUB, extent, write_int(&p->w, 1)));
}

// Head h of the block, among the query's.
static const expr *query_head(paged *p, const expr *h) {
    const writer *w = &p->w;
    return write_times_plus(w, p->head, p->group, h);
}

// The cache's head of the block.
static const expr *cache_head(paged *p) {
    const writer *w = &p->w;
    const expr *heads = p->in[QUERY]->dim[1], *shared = p->in[KEYS]->dim[2];
    return p->group > 1 ? p->head : write_op(w, EXPR_FLOOR_DIV, p->head, write_op(w, EXPR_FLOOR_DIV, heads, shared));
}

// seq = how many sequences begin at or before the token, less one.
static const stmt *find_sequence(paged *p) {
    const writer *w = &p->w;
    const expr *s = write_index(w, "s"), *start = write_as_int(w, write_load(w, p->in[STARTS], s));
    const expr *begun = expr_select(w->s, write_op(w, EXPR_LE, start, p->token), write_int(w, 1), write_int(w, 0));
    const stmt *count = write_store(w, p->seq, NULL, write_op(w, EXPR_ADD, write_load(w, p->seq, NULL), begun));
    const stmt *parts[] = {write_store(w, p->seq, NULL, write_int(w, -1)),
                           write_loop(w, s, p->in[STARTS]->dim[0], count)};
    return write_seq(w, parts, 2);
}

// What each token sees: as many places as there are up to its own, the last `window` of them.
static const stmt *look_around(paged *p) {
    const writer *w = &p->w;
    const expr *t = write_index(w, "t"), *at = write_op(w, EXPR_ADD, p->token, t);
    const expr *past = write_plus(w, write_as_int(w, write_load(w, p->in[POSITIONS], at)), 1);
    const expr *most = write_op(w, EXPR_MUL, p->in[PAGES]->dim[1], p->in[KEYS]->dim[1]);
    const expr *seen = write_op(w, EXPR_MAX, write_op(w, EXPR_MIN, past, most), write_int(w, 0));
    const expr *before = write_op(w, EXPR_SUB, write_load(w, p->seen, t), write_int(w, attr_int_of(p->n, "window")));
    const stmt *parts[] = {write_store(w, p->seen, t, seen),
                           write_store(w, p->skipped, t, write_op(w, EXPR_MAX, before, write_int(w, 0)))};
    return few(p, t, p->tokens, write_seq(w, parts, attr_int_of(p->n, "window") > 0 ? 2 : 1));
}

// The lowest number in place of -inf, so that rows without a place in a chunk have a difference of maxima, 0.
static const stmt *begin(paged *p) {
    const writer *w = &p->w;
    int64_t query_lanes = lanes_of(p->in[QUERY]->dim[2]);
    query_row r = new_row(p);
    lanes k = write_in_lanes(w, query_lanes), v = write_in_lanes(w, p->value_lanes),
          l = write_in_lanes(w, p->place_lanes);
    const expr *at[] = {token_of(p, &r), query_head(p, r.h), k.index};
    const expr *scaled = write_op(w, EXPR_MUL, write_as_real(w, write_load_at(w, p->in[QUERY], at)),
                                  write_real(w, node_attr(p->n, "scale")->as.f));
    const stmt *each[] = {
        write_store(w, p->max, r.index, write_real(w, -(double)FLT_MAX)),
        over_lanes(p, &l, write_int(w, p->place_lanes), p->place_lanes,
                   write_store2(w, p->sum, r.index, l.index, write_real(w, 0.0))),
        over_lanes(p, &k, p->in[QUERY]->dim[2], query_lanes, write_store2(w, p->query, r.index, k.index, scaled)),
        over_lanes(p, &v, p->in[VALUES]->dim[3], p->value_lanes,
                   write_store2(w, p->acc, r.index, v.index, write_real(w, 0.0)))};
    const stmt *parts[] = {find_sequence(p), look_around(p), over_rows(p, &r, write_seq(w, each, COUNT(each)))};
    return write_seq(w, parts, COUNT(parts));
}

// --- One chunk of places: those from `from` to before `to` count for some row.
typedef struct chunk {
    const expr *first, *from, *to; // place of its beginning; within it
} chunk;

// keys or values [page, place in it, kv head, element] of the chunk's place i.
static const expr *cached_on(paged *p, const buffer *page, uint32_t which, const chunk *c, const expr *i,
                             const expr *element) {
    const writer *w = &p->w;
    const buffer *pages = p->in[which];
    const expr *begin = write_op(w, EXPR_FLOOR_MOD, c->first, pages->dim[1]);
    const expr *place = expr_is_int(pages->dim[1], p->chunk) ? i : write_op(w, EXPR_ADD, begin, i);
    const expr *at[] = {write_load(w, page, NULL), place, cache_head(p), element};
    return write_as_real(w, write_load_at(w, pages, at));
}
static const expr *cached(paged *p, uint32_t which, const chunk *c, const expr *i, const expr *element) {
    return cached_on(p, p->page, which, c, i, element);
}

static const stmt *find_page(paged *p, const chunk *c, const buffer *page) {
    const writer *w = &p->w;
    const buffer *table = p->in[PAGES];
    const expr *row[] = {inside(p, write_load(w, p->seq, NULL), table->dim[0]),
                         inside(p, write_op(w, EXPR_FLOOR_DIV, c->first, p->in[KEYS]->dim[1]), table->dim[1])};
    return write_store(w, page, NULL, inside(p, write_as_int(w, write_load_at(w, table, row)), p->in[KEYS]->dim[0]));
}

// Asks for each line of memory of a chunk. A step of a model comes to places that the weights between have driven out
// of the caches: 11.6 to 7 us a layer of SmolLM2 after 64 tokens.
static const stmt *ask_for(paged *p, const chunk *c) {
    const writer *w = &p->w;
    const stmt *parts[1 + 2] = {find_page(p, c, p->ahead)};
    for (uint32_t k = 0; k < 2; k++) {
        const buffer *pages = p->in[KEYS + k];
        const expr *i = write_index(w, "i"), *line = write_index(w, "line");
        int64_t size, step = (int64_t)LINE_BITS / dtype_bits(pages->type);
        if (!expr_const_int(pages->dim[3], &size)) size = 1;
        const expr *word = cached_on(p, p->ahead, KEYS + k, c, i, write_op(w, EXPR_MUL, line, write_int(w, step)));
        const stmt *lines = few(p, line, (size + step - 1) / step, write_store(w, p->asked, NULL, word));
        parts[1 + k] = write_mark(w, write_loop(w, i, write_int(w, p->chunk), lines), "asked");
    }
    return write_seq(w, parts, COUNT(parts));
}

// keys[element, place]: the chunk's, turned in squares.
static const stmt *turn_keys(paged *p, const chunk *c) {
    const writer *w = &p->w;
    turning t = write_in_squares(w, p->square);
    const stmt *st = write_store2(w, p->keys, t.row, t.column, cached(p, KEYS, c, t.column, t.row));
    const expr *rows = write_op(w, EXPR_FLOOR_DIV, p->in[QUERY]->dim[2], write_int(w, p->square));
    return write_squares(w, &t, p->square, rows, write_int(w, p->chunk / p->square), st);
}

// dot[part, row, place]: sums over elements, those of a part apart.
static const stmt *dot_products(paged *p) {
    const writer *w = &p->w;
    const expr *s0 = write_index(w, "s"), *h0 = write_index(w, "h"), *s = write_index(w, "s"), *h = write_index(w, "h");
    const expr *e = write_index(w, "e"), *parts = write_int(w, p->parts), *places = write_int(w, p->chunk);
    lanes zero = write_in_lanes(w, p->place_lanes), l = write_in_lanes(w, p->place_lanes);
    const expr *start[] = {s0, h0, zero.index}, *at[] = {s, h, l.index};
    const expr *element = write_op(w, EXPR_ADD, write_op(w, EXPR_MUL, e, parts), s);
    const expr *product =
        write_op(w, EXPR_MUL, write_load2(w, p->query, h, element), write_load2(w, p->keys, element, l.index));
    const stmt *clear = write_store_at(w, p->dot, start, write_real(w, 0.0));
    const stmt *add = write_store_at(w, p->dot, at, write_op(w, EXPR_ADD, write_load_at(w, p->dot, at), product));
    clear = over_lanes(p, &zero, places, p->place_lanes, clear);
    add = write_unrolled(w, h, p->rows, over_lanes(p, &l, places, p->place_lanes, add));
    const stmt *both[] = {
        few(p, s0, p->parts, write_unrolled(w, h0, p->rows, clear)),
        write_loop(w, e, write_op(w, EXPR_FLOOR_DIV, p->in[QUERY]->dim[2], parts), few(p, s, p->parts, add))};
    return write_seq(w, both, 2);
}

// The score of a row at a place: the sum of its parts, capped. Places that don't count weigh nothing, whatever lies
// there.
static const expr *score(paged *p, const chunk *c, const query_row *r, const expr *place) {
    const writer *w = &p->w;
    double cap = node_attr(p->n, "soft_cap")->as.f;
    const expr *sum = NULL, *whole = write_op(w, EXPR_ADD, c->first, place);
    for (int64_t s = 0; s < p->parts; s++) {
        const expr *at[] = {write_int(w, s), r->index, place}, *part = write_load_at(w, p->dot, at);
        sum = sum ? write_op(w, EXPR_ADD, sum, part) : part;
    }
    if (cap > 0)
        sum = write_op(w, EXPR_MUL, write_call(w, INTRIN_TANH, write_op(w, EXPR_DIV, sum, write_real(w, cap))),
                       write_real(w, cap));
    const expr *counts = write_op(w, EXPR_LT, whole, write_load(w, p->seen, r->t));
    if (attr_int_of(p->n, "window") > 0)
        counts = write_op(w, EXPR_AND, write_op(w, EXPR_LE, write_load(w, p->skipped, r->t), whole), counts);
    return expr_select(w->s, counts, sum, write_real(w, -(double)INFINITY));
}

// Of each row: the new maximum, by how much what was summed up so far shrinks; scores become weights; their sum.
static const stmt *weigh(paged *p, const chunk *c) {
    const writer *w = &p->w;
    int64_t width = p->place_lanes, side = write_width(p->rows);
    const expr *all = write_int(w, p->chunk), *one = write_int(w, width), *h = write_index(w, "h");
    lanes x = write_in_lanes(w, width), m = write_in_lanes(w, width), y = write_in_lanes(w, width),
          z = write_in_lanes(w, width), t = write_in_lanes(w, width), o = write_in_lanes(w, side);
    query_row r = new_row(p);
    const expr *larger =
        write_op(w, EXPR_MAX, write_load(w, p->max, r.index), write_load2(w, p->weight, r.index, m.index));
    const expr *shrunk = write_op(w, EXPR_SUB, write_load(w, p->old, o.index), write_load(w, p->max, o.index));
    const expr *weight = write_call(
        w, INTRIN_EXP, write_op(w, EXPR_SUB, write_load2(w, p->weight, h, y.index), write_load(w, p->max, h)));
    const expr *kept = write_op(w, EXPR_MUL, write_load2(w, p->sum, h, z.index), write_load(w, p->old, h));
    const expr *total = write_op(w, EXPR_ADD, write_load2(w, p->sum, h, t.lane), write_load2(w, p->weight, h, t.index));
    const stmt *scores[] = {
        over_lanes(p, &x, all, width, write_store2(w, p->weight, r.index, x.index, score(p, c, &r, x.index))),
        write_store(w, p->old, r.index, write_load(w, p->max, r.index)),
        over_lanes(p, &m, all, width, write_store(w, p->max, r.index, larger))};
    const stmt *weights[] = {over_lanes(p, &y, all, width, write_store2(w, p->weight, h, y.index, weight)),
                             over_lanes(p, &z, one, width, write_store2(w, p->sum, h, z.index, kept)),
                             over_lanes(p, &t, all, width, write_store2(w, p->sum, h, t.lane, total))};
    const stmt *parts[] = {over_rows(p, &r, write_seq(w, scores, COUNT(scores))),
                           over_lanes(p, &o, write_int(w, p->rows), side,
                                      write_store(w, p->old, o.index, write_call(w, INTRIN_EXP, shrunk))),
                           few(p, h, p->rows, write_seq(w, weights, COUNT(weights)))};
    return write_seq(w, parts, COUNT(parts));
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
    const writer *w = &p->w;
    int64_t most = rows_at_once(p);
    const expr *i = write_index(w, "i"), *h = write_index(w, "h"), *part = write_index(w, "h_0"),
               *of = write_index(w, "h_1");
    const expr *row = write_times_plus(w, part, most, of), *size = p->in[VALUES]->dim[3];
    lanes less = write_in_lanes(w, p->value_lanes), more = write_in_lanes(w, p->value_lanes);
    const expr *kept = write_op(w, EXPR_MUL, write_load2(w, p->acc, h, less.index), write_load(w, p->old, h));
    const expr *product = write_op(w, EXPR_MUL, write_load2(w, p->weight, row, i), cached(p, VALUES, c, i, more.index));
    const expr *added = write_op(w, EXPR_ADD, write_load2(w, p->acc, row, more.index), product);
    const stmt *add = over_lanes(p, &more, size, p->value_lanes, write_store2(w, p->acc, row, more.index, added));
    add = stmt_for(w->mem, FOR_SERIAL, i, c->from, write_op(w, EXPR_SUB, c->to, c->from), few(p, of, most, add));
    const stmt *parts[] = {
        few(p, h, p->rows, over_lanes(p, &less, size, p->value_lanes, write_store2(w, p->acc, h, less.index, kept))),
        few(p, part, p->rows / most, add)};
    return write_seq(w, parts, 2);
}

static const stmt *take_chunk(paged *p, const chunk *c) {
    const writer *w = &p->w;
    const chunk next = {.first = write_plus(w, c->first, p->chunk)};
    const stmt *parts[6];
    size_t count = 0;
    if (p->tokens == 1) parts[count++] = ask_for(p, &next);
    parts[count++] = find_page(p, c, p->page);
    parts[count++] = turn_keys(p, c);
    parts[count++] = dot_products(p);
    parts[count++] = weigh(p, c);
    parts[count++] = add_values(p, c);
    return write_seq(w, parts, count);
}

// The most or least of what the tokens have.
static const expr *over_tokens(paged *p, expr_op which, const buffer *of) {
    const writer *w = &p->w;
    const expr *all = write_load(w, of, write_int(w, 0));
    for (int64_t t = 1; t < p->tokens; t++) all = write_op(w, which, all, write_load(w, of, write_int(w, t)));
    return all;
}

static const stmt *over_chunks(paged *p) {
    const writer *w = &p->w;
    const expr *j = write_index(w, "j"), *size = write_int(w, p->chunk), *skipped = write_int(w, 0), *passed = skipped;
    const expr *seen = over_tokens(p, EXPR_MAX, p->seen);
    bool window = attr_int_of(p->n, "window") > 0;
    if (window) skipped = over_tokens(p, EXPR_MIN, p->skipped);
    if (window) passed = write_op(w, EXPR_FLOOR_DIV, skipped, size);
    const expr *ends = write_ceil_div(w, seen, p->chunk);
    chunk c = {.first = write_op(w, EXPR_MUL, window ? write_op(w, EXPR_ADD, passed, j) : j, size)};
    c.from = window ? write_op(w, EXPR_MAX, write_op(w, EXPR_SUB, skipped, c.first), write_int(w, 0)) : write_int(w, 0);
    c.to = write_op(w, EXPR_MIN, write_op(w, EXPR_SUB, seen, c.first), size);
    const chunk begin = {.first = write_op(w, EXPR_MUL, passed, size)};
    const stmt *all = write_loop(w, j, window ? write_op(w, EXPR_SUB, ends, passed) : ends, take_chunk(p, &c));
    const stmt *both[] = {ask_for(p, &begin), all};
    return p->tokens > 1 ? all : write_seq(w, both, COUNT(both));
}

// Of each row: what the lanes of the sum give together, and what it divides.
static const stmt *finish(paged *p) {
    const writer *w = &p->w;
    query_row r = new_row(p);
    lanes l = write_in_lanes(w, p->place_lanes), x = write_in_lanes(w, p->value_lanes);
    const expr *at[] = {token_of(p, &r), query_head(p, r.h), x.index};
    const expr *value = write_op(w, EXPR_DIV, write_load2(w, p->acc, r.index, x.index), write_load(w, p->old, r.index));
    const expr *sum = write_op(w, EXPR_ADD, write_load(w, p->old, r.index), write_load2(w, p->sum, r.index, l.index));
    const stmt *store = p->rounded ? write_store2(w, p->acc, r.index, x.index, value)
                                   : write_store_at(w, p->out, at, expr_cast(w->s, p->out->type, value));
    const stmt *parts[] = {
        write_store(w, p->old, r.index, write_real(w, 0.0)),
        over_lanes(p, &l, write_int(w, p->place_lanes), p->place_lanes, write_store(w, p->old, r.index, sum)),
        over_lanes(p, &x, p->in[VALUES]->dim[3], p->value_lanes, store)};
    return over_rows(p, &r, write_seq(w, parts, COUNT(parts)));
}

// The heads of a token lie side by side in its row, and those of the block in acc.
static const stmt *round_heads(paged *p) {
    const writer *w = &p->w;
    int64_t size, all;
    expr_const_int(p->in[VALUES]->dim[3], &size);
    all = p->group * size / rounding_at_once(p->rounded->turns, p->rounded->low);
    const expr *t = write_index(w, "t"), *part = write_index(w, "part");
    rounding r = *p->rounded;
    r.x = p->acc;
    r.row = write_op(w, EXPR_MUL, t, write_int(w, p->group));
    r.row_groups = size / ACTIVATION_GROUP;
    r.at[0] = write_op(w, EXPR_ADD, p->token, t);
    const stmt *rounded = rounding_part(&r, part, write_times_plus(w, p->head, all, part));
    return write_loop(w, t, write_int(w, p->tokens), write_loop(w, part, write_int(w, all), rounded));
}

static const stmt *rows_body(paged *p) {
    const writer *w = &p->w;
    const stmt *parts[4] = {begin(p), over_chunks(p), finish(p)};
    if (p->rounded) parts[3] = round_heads(p);
    return write_seq(w, parts, p->rounded ? 4 : 3);
}

// --- Blocks.

static const buffer *local(paged *p, const char *name, dtype type, const expr *const *dim, uint32_t rank) {
    return buffer_new(p->w.s, name, type, dim, rank, "local");
}

static void choose_widths(paged *p) {
    int64_t page, heads, shared, size;
    bool known = expr_const_int(p->in[KEYS]->dim[1], &page) && page >= 1;
    p->chunk = !known ? 1 : page % MOST_LANES == 0 ? MOST_LANES : page <= MOST_PLACES ? page : 1;
    p->place_lanes = write_width(p->chunk);
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
    const writer *w = &p->w;
    dtype f32 = DTYPE_OF(F32), whole = DTYPE_OF(I64);
    const expr *rows = write_int(w, p->rows), *places = write_int(w, p->chunk), *size = p->in[QUERY]->dim[2];
    const expr *tokens = write_int(w, p->tokens), *sum[] = {rows, write_int(w, p->place_lanes)},
               *query[] = {rows, size};
    const expr *keys[] = {size, places}, *dot[] = {write_int(w, p->parts), rows, places};
    const expr *acc[] = {rows, p->in[VALUES]->dim[3]};
    const buffer *own[] = {
        p->asked = local(p, "asked", f32, NULL, 0),      p->ahead = local(p, "page_ahead", whole, NULL, 0),
        p->seq = local(p, "seq", whole, NULL, 0),        p->page = local(p, "page", whole, NULL, 0),
        p->seen = local(p, "seen", whole, &tokens, 1),   p->skipped = local(p, "skipped", whole, &tokens, 1),
        p->max = local(p, "max", f32, &rows, 1),         p->old = local(p, "old_max", f32, &rows, 1),
        p->sum = local(p, "sum", f32, sum, 2),           p->query = local(p, "query_local", f32, query, 2),
        p->keys = local(p, "keys_local", f32, keys, 2),  p->dot = local(p, "dot", f32, dot, 3),
        p->weight = local(p, "weight", f32, dot + 1, 2), p->acc = local(p, "acc", f32, acc, 2)};
    for (size_t i = 0; i < COUNT(own); i++) VEC_PUSH(w->mem, all, own[i]);
}

static void declare_rounding(rounding *r, buffer_list *all) {
    const buffer *own[ROUNDING_LOCALS];
    uint32_t count = rounding_locals(r, own);
    for (uint32_t i = 0; i < count; i++) VEC_PUSH(r->w.mem, all, own[i]);
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
    const writer *w = &p->w;
    const expr *t = write_index(w, "t"), *tokens = p->in[QUERY]->dim[0], *token = write_op(w, EXPR_ADD, first, t);
    const expr *end = write_plus(w, first, most);
    paged many = with_tokens(p, most, first, locals), one = with_tokens(p, 1, token, locals);
    const expr *next = inside(p, write_plus(w, write_load(w, many.seq, NULL), 1), p->in[STARTS]->dim[0]);
    const expr *together = write_op(w, EXPR_AND, write_op(w, EXPR_LE, end, tokens),
                                    write_op(w, EXPR_LE, end, write_as_int(w, write_load(w, p->in[STARTS], next))));
    const stmt *each = stmt_if(w->mem, write_op(w, EXPR_LT, token, tokens), rows_body(&one), NULL);
    const stmt *parts[] = {find_sequence(&many),
                           stmt_if(w->mem, together, rows_body(&many), write_loop(w, t, write_int(w, most), each))};
    return write_seq(w, parts, COUNT(parts));
}

// One block for some tokens and the heads that share keys; all of them in parallel.
static const stmt *token_block(paged *p) {
    const writer *w = &p->w;
    const expr *both = write_index(w, "t_h"), *blocks = p->in[QUERY]->dim[0], *heads, *at = write_index(w, "v_t");
    block b = {.name = "attention", .iters = 2};
    buffer_list locals = {0};
    p->head = write_index(w, "v_h");
    choose_widths(p);
    if (p->rounded) declare_rounding(p->rounded, &locals);
    int64_t most = tokens_at_once(p);
    heads = p->group > 1 ? p->in[KEYS]->dim[2] : p->in[QUERY]->dim[1];
    if (most > 1) {
        blocks = write_ceil_div(w, blocks, most);
        b.body = several_tokens(p, most, write_op(w, EXPR_MUL, at, write_int(w, most)), &locals);
    } else {
        paged one = with_tokens(p, 1, at, &locals);
        b.body = rows_body(&one);
    }
    iter *iters = ARENA_NEW(w->mem, iter, 2);
    iters[0] = (iter){at, ITER_SPATIAL, {write_int(w, 0), blocks}, write_op(w, EXPR_FLOOR_DIV, both, heads)};
    iters[1] = (iter){p->head, ITER_SPATIAL, {write_int(w, 0), heads}, write_op(w, EXPR_FLOOR_MOD, both, heads)};
    b.iter = iters;
    b.alloc = locals.at;
    b.allocs = locals.len;
    return stmt_for(w->mem, FOR_PARALLEL, both, write_int(w, 0), write_op(w, EXPR_MUL, blocks, heads),
                    stmt_block(w->mem, &b));
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    static const char *const result[] = {"attention_out"}, *const three[] = {ROUNDING_RESULTS};
    operand_list operands = {0};
    if (!operand_buffers(c, n, &operands)) return NULL;
    const buffer **buf = operand_globals(c, &operands, rounds(n) ? three : result);
    paged p = {.w = {.s = c->exprs, .mem = c->mem, .real = DTYPE_OF(F32)}, .n = n};
    for (uint32_t i = 0; i < INPUTS; i++) p.in[i] = buf[i];
    p.out = buf[INPUTS];
    if (rounds(n)) {
        p.rounded = ARENA_NEW(c->mem, rounding, 1);
        *p.rounded = rounding_of(c, n, buf + INPUTS);
    }
    return compute_program(c, &operands, buf, token_block(&p), NULL, 0);
}

const op op_rx_attention = {
    .name = "rx.attention",
    .doc =
        "Attention of tokens of many sequences, one after another, over a cache in pages; softmax online. Heads share "
        "those of the cache in groups. With a unit, the row of a token's heads is given as R.rx.quantize_int8 gives "
        "it.",
    .input = {IN("query", TENSOR, "[tokens, heads, size]"), IN("keys", TENSOR, "[pages, page, cache heads, size]"),
              IN("values", TENSOR, "[pages, page, cache heads, value size]"),
              IN("positions", TENSOR, "[tokens]: place of each in its sequence"),
              IN("starts", TENSOR, "[sequences + 1]: first token of each, and the end"),
              IN("page_table", TENSOR, "[sequences, most pages]")},
    .attr =
        {ATTR("scale", FLOAT, NULL, "of the scores, usually 1 / sqrt(size)", .range = "(-inf, inf)"),
         ATTR("window", INT, "0", "a token sees so many places back, its own included; 0: all", .range = "[0, inf)"),
         ATTR("soft_cap", FLOAT, "0.0", "scores become cap * tanh(score / cap); 0: as they are", .range = "[0, inf)"),
         ATTR("unit", INT, "0", "of rounded results: how many neighbours each sum is of; 0: results are as they are",
              .range = "[0, 32]"),
         ATTR("low", INT, "0", "as R.rx.quantize_int8 has it", .range = "[-128, 0]"),
         ATTR("turns", INT, "0", "as R.rx.quantize_int8 has it", .range = "[0, 6]")},
    .infer = infer,
    .lower = lower,
    .samples = {"q=f32[t,4,2] k=f32[3,2,2,2] v=f32[3,2,2,3] p=i64[t] s=i64[3] g=i64[2,2] | R.rx.attention(q, k, v, p, "
                "s, g, scale=0.5)",
                "q=f16[t,2,2] k=f16[3,2,1,2] v=f16[3,2,1,2] p=i32[t] s=i32[3] g=i32[2,2] | R.rx.attention(q, k, v, p, "
                "s, g, scale=0.5, window=2, soft_cap=5.0)",
                "q=f32[t,6,16] k=f16[3,16,2,16] v=f16[3,16,2,16] p=i32[t] s=i32[3] g=i32[2,2] | R.rx.attention(q, k, "
                "v, p, s, g, scale=0.25, window=9)",
                "q=f32[t,6,64] k=f16[3,16,2,64] v=f16[3,16,2,64] p=i32[t] s=i32[3] g=i32[2,2] | R.rx.attention(q, k, "
                "v, p, s, g, scale=0.125, unit=32)"},
};
