// rx_dense_attention.c - R.rx.dense_attention: attention over keys and values that lie side by side, with online
// softmax.
//
//   for head of the keys, 96 rows in parallel (a row: a token and a head of the query that shares the keys):
//       m = -max; l = 0; acc = 0                         of each row
//       for 64 places, as far as the last row sees:      turn their keys, so that places lie side by side
//           for 6 rows, as far as the last of them sees: scores of 16 places at a time, in registers,
//                                                        m' = max(m, scores), weights, rescale l
//                                                        acc = acc * rescale + weights * values, in registers
//       out = acc / l
//
// Scores never leave the first-level cache, and what no row sees is not computed. 6 rows and a vector of 16 fit 16
// registers of 32 bytes as well as 32 of 64. What a row gives has the same bits whatever rows come with it: what it
// does not see adds zeros.
#include "loop/writer.h"
#include "ops/table.h"
#include <float.h>
#include <math.h>

enum { QUERY, KEYS, VALUES, BIAS, INPUTS };

// The bias broadcasts to [batch, heads, tokens, places].
static bool check_bias(infer_ctx *c, const node *n) {
    const ann *b = infer_in(n, BIAS), *q = infer_in(n, QUERY), *k = infer_in(n, KEYS);
    if (!infer_want_floats(c, n, BIAS)) return false;
    if (b->rank > 4) {
        infer_error(c, n, "bias has rank %d, want at most 4", b->rank);
        return false;
    }
    if (!has_dims(b) || !has_dims(q) || !has_dims(k)) return true;
    const expr *want[] = {q->dim[0], q->dim[1], q->dim[2], k->dim[2]};
    for (int32_t i = 0; i < b->rank; i++) {
        const expr *whole = want[COUNT(want) - b->rank + i];
        if (!dims_unfit(c, b->dim[i], whole)) continue;
        infer_error(c, n, "dim %d of bias is %s, want %s or 1", i, expr_to_text(c->mem, b->dim[i]),
                    expr_to_text(c->mem, whole));
        return false;
    }
    return true;
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *q = infer_float_same(c, n), *k = infer_in(n, KEYS), *v = infer_in(n, VALUES);
    dtype type;
    if (!q || !infer_same_dtype(c, n, KEYS, VALUES, &type)) return NULL;
    for (uint32_t i = QUERY; i <= VALUES; i++)
        if (!infer_want_rank(c, n, i, 4)) return NULL;
    for (uint32_t i = 0; i < 3; i++)
        if (!infer_same_dim(c, n, KEYS, i, VALUES, i)) return NULL;
    if (!infer_same_dim(c, n, QUERY, 0, KEYS, 0) || !infer_same_dim(c, n, QUERY, 3, KEYS, 3)) return NULL;
    if (n->count > BIAS && !check_bias(c, n)) return NULL;
    if (!has_dims(q) || !has_dims(k) || !has_dims(v)) return infer_rank(c, q, q->type, 4);
    const char *of = arena_format(c->mem, "the keys' %s", expr_to_text(c->mem, k->dim[1]));
    if (!infer_want_multiple(c, n, q->dim[1], "heads", k->dim[1], of)) return NULL;
    const expr *dim[] = {q->dim[0], q->dim[1], q->dim[2], v->dim[3]};
    return infer_tensor(c, q, q->type, dim, 4);
}

// --- Lowering. Everything inside is int64 and float32, or float64 where the operands are.
enum {
    LANES = 16,
    TILE = 6,    // rows whose sums are in registers together
    FEW = 2,     // rows that are tiles of their own, where there are no others: 0.6 of the time of one of 6
    SPARE = 8,   // … in vectors of so many
    ROWS = 96,   // of a block: each key is turned once for them
    PLACES = 64, // of keys and values that stay in the first-level cache
};

typedef struct dense {
    writer w;
    const node *n;
    const buffer *in[INPUTS], *out;                      // in[BIAS] NULL: none
    int64_t group, size, value_size;                     // heads that share keys; elements of a key, of a value
    int64_t rows, tile;                                  // of a block; of its tiles
    int64_t query_lanes, value_lanes;                    // of vectors along a query or key, along a value
    const expr *tokens, *places;                         // of the query, of the keys
    const expr *batch, *shared, *first, *count;          // of the block: where it is, its first row, all rows there are
    const buffer *top, *old, *shrink;                    // of each row of a tile: the maximum, before, what that costs
    const buffer *wide, *part, *dot, *sums;              // of each row of a tile, in lanes
    const buffer *weight;                                // [TILE, PLACES]
    const buffer *max, *seen, *sum, *query, *keys, *acc; // of each row of the block; keys [size, PLACES]
} dense;

static bool is_causal(const dense *d) {
    return attr_text_is(d->n, "causal_mask", "TopLeft") || attr_text_is(d->n, "causal_mask", "BottomRight");
}

static const expr *element(const dense *d, uint32_t which, const expr *head, const expr *place, const expr *of) {
    const expr *at[] = {d->batch, head, place, of};
    return write_as_real(&d->w, write_load_at(&d->w, d->in[which], at));
}

// The token of a row, and its head among the query's. Rows beyond the last one are the last one again.
static const expr *token_of(const dense *d, const expr *row) {
    return write_op(&d->w, EXPR_FLOOR_DIV, row, write_int(&d->w, d->group));
}
static const expr *head_of(const dense *d, const expr *row) {
    const writer *w = &d->w;
    const expr *first = write_op(w, EXPR_MUL, d->shared, write_int(w, d->group));
    return write_op(w, EXPR_ADD, first, write_op(w, EXPR_FLOOR_MOD, row, write_int(w, d->group)));
}
static const expr *row_at(const dense *d, const expr *i) {
    const writer *w = &d->w;
    const expr *last = write_op(w, EXPR_SUB, d->count, write_int(w, 1));
    return write_op(w, EXPR_MIN, write_op(w, EXPR_ADD, d->first, i), last);
}

// How many places a token sees.
static const expr *seen_by(const dense *d, const expr *token) {
    const writer *w = &d->w;
    if (!is_causal(d)) return d->places;
    const expr *past = write_plus(w, token, 1);
    if (attr_text_is(d->n, "causal_mask", "BottomRight"))
        past = write_op(w, EXPR_ADD, past, write_op(w, EXPR_SUB, d->places, d->tokens));
    return write_within(w, past, write_int(w, 0), d->places);
}

static const stmt *over_lanes(const dense *d, const lanes *l, int64_t size, int64_t width, const stmt *body) {
    return write_loop(&d->w, l->outer, write_int(&d->w, size / width), write_lanes(&d->w, l->lane, width, body));
}

// Rows of the tile that begins at row `at` of the block.
static const expr *row_of(const dense *d, const expr *at, const expr *r) { return write_op(&d->w, EXPR_ADD, at, r); }

// --- One tile of rows, one chunk of places: from `begin` on, `count` of them count for some row.
typedef struct chunk {
    const expr *at; // the tile's first row
    const expr *begin, *count;
    const expr *vectors;
} chunk;

// value[r, lane] for all rows of a tile, in registers.
static const stmt *for_rows(const dense *d, const expr *r, const expr *lane, int64_t width, const stmt *body) {
    return write_unrolled(&d->w, r, d->tile, lane ? write_lanes(&d->w, lane, width, body) : body);
}

// What is added to the score of a row of the block and a place.
static const expr *bias_of(const dense *d, const expr *i, const expr *place) {
    const writer *w = &d->w;
    const buffer *bias = d->in[BIAS];
    const expr *row = row_at(d, i), *at[4] = {d->batch, head_of(d, row), token_of(d, row), place};
    const expr *whole[4] = {d->in[QUERY]->dim[0], d->in[QUERY]->dim[1], d->tokens, d->places};
    uint32_t skip = 4 - bias->rank;
    for (uint32_t k = 0; k < bias->rank; k++) {
        const expr *last = write_op(w, EXPR_SUB, bias->dim[k], write_int(w, 1));
        bool all = prove_equal(w->s, bias->dim[k], whole[skip + k], NULL);
        at[skip + k] = expr_is_int(bias->dim[k], 1) ? write_int(w, 0)
                       : all                        ? at[skip + k]
                                                    : write_op(w, EXPR_MIN, at[skip + k], last);
    }
    return write_as_real(w, write_load_at(w, bias, at + skip));
}

// The bias that is a score itself; 0: none is.
static double hidden_score(const node *n) { return node_attr(n, "hidden")->as.f; }

static const expr *biased(const dense *d, const expr *dot, const expr *bias) {
    const writer *w = &d->w;
    const expr *sum = write_op(w, EXPR_ADD, dot, bias), *hidden = write_real(w, hidden_score(d->n));
    return hidden_score(d->n) < 0 ? expr_select(w->s, write_op(w, EXPR_EQ, bias, hidden), hidden, sum) : sum;
}

// The score of a place that the row of the block sees, -inf of others: nothing is read for those.
static const expr *score_if_seen(const dense *d, const expr *i, const expr *place, const expr *dot) {
    const writer *w = &d->w;
    const expr *sees = write_op(w, EXPR_LT, place, write_load(w, d->seen, i));
    const expr *hidden = write_real(w, -(double)INFINITY);
    if (!d->in[BIAS]) return expr_select(w->s, sees, dot, hidden);
    const expr *arg[] = {sees, biased(d, dot, bias_of(d, i, place)), hidden};
    return expr_call(w->s, intrinsic_get(INTRIN_IF_THEN_ELSE), (dtype){0}, arg, COUNT(arg));
}

// dot = query * keys; what a row does not see is -inf; the largest of each lane.
static const stmt *scores(const dense *d, const chunk *c, const expr *v) {
    const writer *w = &d->w;
    const expr *r[4], *l[4], *k = write_index(w, "k");
    for (int i = 0; i < 4; i++) r[i] = write_index(w, "r"), l[i] = write_index(w, "lane");
    const expr *start = write_op(w, EXPR_MUL, v, write_int(w, LANES));
    const expr *product = write_op(w, EXPR_MUL, write_load2(w, d->query, row_of(d, c->at, r[1]), k),
                                   write_load2(w, d->keys, k, write_op(w, EXPR_ADD, start, l[1])));
    const stmt *add =
        write_store2(w, d->dot, r[1], l[1], write_op(w, EXPR_ADD, write_load2(w, d->dot, r[1], l[1]), product));
    const expr *place = write_op(w, EXPR_ADD, start, l[2]);
    const expr *score = score_if_seen(d, row_of(d, c->at, r[2]), write_op(w, EXPR_ADD, c->begin, place),
                                      write_load2(w, d->dot, r[2], l[2]));
    const expr *larger = write_op(w, EXPR_MAX, write_load2(w, d->wide, r[3], l[3]),
                                  write_load2(w, d->weight, r[3], write_op(w, EXPR_ADD, start, l[3])));
    const stmt *parts[] = {for_rows(d, r[0], l[0], LANES, write_store2(w, d->dot, r[0], l[0], write_real(w, 0.0))),
                           write_loop(w, k, write_int(w, d->size), for_rows(d, r[1], l[1], LANES, add)),
                           for_rows(d, r[2], l[2], LANES, write_store2(w, d->weight, r[2], place, score)),
                           for_rows(d, r[3], l[3], LANES, write_store2(w, d->wide, r[3], l[3], larger))};
    return write_seq(w, parts, COUNT(parts));
}

static const stmt *all_scores(const dense *d, const chunk *c) {
    const writer *w = &d->w;
    const expr *r = write_index(w, "r"), *l = write_index(w, "lane"), *v = write_index(w, "v");
    const stmt *parts[] = {for_rows(d, r, l, LANES, write_store2(w, d->wide, r, l, write_real(w, -(double)INFINITY))),
                           write_loop(w, v, c->vectors, scores(d, c, v))};
    return write_seq(w, parts, COUNT(parts));
}

// The new maximum of each row, and by how much what was summed up so far shrinks.
static const stmt *find_tops(const dense *d, const chunk *c) {
    const writer *w = &d->w;
    const expr *r[3], *l = write_index(w, "lane"), *s = write_index(w, "lane"), *z = write_index(w, "lane");
    for (int i = 0; i < 3; i++) r[i] = write_index(w, "r");
    const expr *larger = write_op(w, EXPR_MAX, write_load(w, d->top, r[1]), write_load2(w, d->wide, r[1], l));
    const stmt *spare[] = {write_store(w, d->old, z, write_real(w, 0.0)),
                           write_store(w, d->top, z, write_real(w, 0.0))};
    const stmt *begin[] = {write_store(w, d->old, r[0], write_load(w, d->max, row_of(d, c->at, r[0]))),
                           write_store(w, d->top, r[0], write_load(w, d->max, row_of(d, c->at, r[0])))};
    const expr *less = write_op(w, EXPR_SUB, write_load(w, d->old, s), write_load(w, d->top, s));
    const stmt *parts[] = {
        write_lanes(w, z, SPARE, write_seq(w, spare, COUNT(spare))),
        for_rows(d, r[0], NULL, 0, write_seq(w, begin, COUNT(begin))),
        for_rows(d, r[1], l, LANES, write_store(w, d->top, r[1], larger)),
        for_rows(d, r[2], NULL, 0, write_store(w, d->max, row_of(d, c->at, r[2]), write_load(w, d->top, r[2]))),
        write_lanes(w, s, SPARE, write_store(w, d->shrink, s, write_call(w, INTRIN_EXP, less)))};
    return write_seq(w, parts, COUNT(parts));
}

// Scores become weights; their sum.
static const stmt *weigh(const dense *d, const chunk *c) {
    const writer *w = &d->w;
    const expr *r[4], *l[4], *v = write_index(w, "v");
    for (int i = 0; i < 4; i++) r[i] = write_index(w, "r"), l[i] = write_index(w, "lane");
    const expr *start = write_op(w, EXPR_MUL, v, write_int(w, LANES));
    const expr *at = write_op(w, EXPR_ADD, start, l[1]), *again = write_op(w, EXPR_ADD, start, l[2]);
    const expr *less = write_op(w, EXPR_SUB, write_load2(w, d->weight, r[1], at), write_load(w, d->top, r[1]));
    const expr *more =
        write_op(w, EXPR_ADD, write_load2(w, d->part, r[2], l[2]), write_load2(w, d->weight, r[2], again));
    const stmt *each[] = {
        for_rows(d, r[1], l[1], LANES, write_store2(w, d->weight, r[1], at, write_call(w, INTRIN_EXP, less))),
        for_rows(d, r[2], l[2], LANES, write_store2(w, d->part, r[2], l[2], more))};
    const expr *row = row_of(d, c->at, r[3]);
    const expr *kept = write_op(w, EXPR_MUL, write_load2(w, d->sum, row, l[3]), write_load(w, d->shrink, r[3]));
    const stmt *parts[] = {
        for_rows(d, r[0], l[0], LANES, write_store2(w, d->part, r[0], l[0], write_real(w, 0.0))),
        write_loop(w, v, c->vectors, write_seq(w, each, COUNT(each))),
        for_rows(d, r[3], l[3], LANES,
                 write_store2(w, d->sum, row, l[3], write_op(w, EXPR_ADD, kept, write_load2(w, d->part, r[3], l[3]))))};
    return write_seq(w, parts, COUNT(parts));
}

// acc = acc * shrink + weights * values.
static const stmt *add_values(const dense *d, const chunk *c) {
    const writer *w = &d->w;
    const expr *r[3], *l[3], *k = write_index(w, "k"), *v = write_index(w, "v");
    for (int i = 0; i < 3; i++) r[i] = write_index(w, "r"), l[i] = write_index(w, "lane");
    const expr *start = write_op(w, EXPR_MUL, v, write_int(w, d->value_lanes));
    const expr *before = write_load2(w, d->acc, row_of(d, c->at, r[0]), write_op(w, EXPR_ADD, start, l[0]));
    const expr *value =
        element(d, VALUES, d->shared, write_op(w, EXPR_ADD, c->begin, k), write_op(w, EXPR_ADD, start, l[1]));
    const expr *more = write_op(w, EXPR_ADD, write_load2(w, d->sums, r[1], l[1]),
                                write_op(w, EXPR_MUL, write_load2(w, d->weight, r[1], k), value));
    const stmt *parts[] = {
        for_rows(d, r[0], l[0], d->value_lanes,
                 write_store2(w, d->sums, r[0], l[0], write_op(w, EXPR_MUL, before, write_load(w, d->shrink, r[0])))),
        write_loop(w, k, c->count, for_rows(d, r[1], l[1], d->value_lanes, write_store2(w, d->sums, r[1], l[1], more))),
        for_rows(d, r[2], l[2], d->value_lanes,
                 write_store2(w, d->acc, row_of(d, c->at, r[2]), write_op(w, EXPR_ADD, start, l[2]),
                              write_load2(w, d->sums, r[2], l[2])))};
    return write_loop(w, v, write_int(w, d->value_size / d->value_lanes), write_seq(w, parts, COUNT(parts)));
}

// The places of the chunk at `begin` that a row of the block sees.
static const expr *seen_from(const dense *d, const expr *row, const expr *begin) {
    const writer *w = &d->w;
    const expr *left = write_op(w, EXPR_SUB, write_load(w, d->seen, row), begin);
    return write_within(w, left, write_int(w, 0), write_int(w, PLACES));
}

static const stmt *take_tile(const dense *d, const expr *tile, const expr *begin) {
    const writer *w = &d->w;
    const expr *at = write_index(w, "at"), *count = write_index(w, "count");
    chunk c = {.at = at, .begin = begin, .count = count, .vectors = write_ceil_div(w, count, LANES)};
    const stmt *parts[] = {all_scores(d, &c), find_tops(d, &c), weigh(d, &c), add_values(d, &c)};
    const stmt *all =
        stmt_if(w->mem, write_op(w, EXPR_LT, write_int(w, 0), count), write_seq(w, parts, COUNT(parts)), NULL);
    const expr *last = row_of(d, at, write_int(w, d->tile - 1));
    all = stmt_let(w->mem, count, seen_from(d, last, begin), all);
    return stmt_let(w->mem, at, write_op(w, EXPR_MUL, tile, write_int(w, d->tile)), all);
}

// keys[element, place]: the chunk's, turned in squares, in whole vectors. Places beyond the last one are the last one
// again.
static const stmt *turn_keys(const dense *d, const expr *begin, const expr *count) {
    const writer *w = &d->w;
    turning t = write_in_squares(w, d->query_lanes);
    const expr *last = write_op(w, EXPR_SUB, d->places, write_int(w, 1));
    const expr *from = write_op(w, EXPR_MIN, write_op(w, EXPR_ADD, begin, t.column), last);
    const stmt *st = write_store2(w, d->keys, t.row, t.column, element(d, KEYS, d->shared, from, t.row));
    const expr *squares = write_op(w, EXPR_MUL, write_ceil_div(w, count, LANES), write_int(w, LANES / d->query_lanes));
    return write_squares(w, &t, d->query_lanes, write_int(w, d->size / d->query_lanes), squares, st);
}

// --- One block.

static double lowest(const dense *d) { return dtype_bits(d->w.real) == 64 ? -DBL_MAX : -(double)FLT_MAX; }

static const stmt *begin_rows(const dense *d, const expr *tiles) {
    const writer *w = &d->w;
    const expr *i = write_index(w, "i"), *row = write_index(w, "row"), *l = write_index(w, "lane");
    lanes q = write_in_lanes(w, d->query_lanes), v = write_in_lanes(w, d->value_lanes);
    const expr *scale = write_real(w, node_attr(d->n, "scale")->as.f);
    const expr *scaled = write_op(w, EXPR_MUL, element(d, QUERY, head_of(d, row), token_of(d, row), q.index), scale);
    const stmt *each[] = {
        write_store(w, d->seen, i, seen_by(d, token_of(d, row))), write_store(w, d->max, i, write_real(w, lowest(d))),
        write_lanes(w, l, LANES, write_store2(w, d->sum, i, l, write_real(w, 0.0))),
        over_lanes(d, &q, d->size, d->query_lanes, write_store2(w, d->query, i, q.index, scaled)),
        over_lanes(d, &v, d->value_size, d->value_lanes, write_store2(w, d->acc, i, v.index, write_real(w, 0.0)))};
    const stmt *body = stmt_let(w->mem, row, row_at(d, i), write_seq(w, each, COUNT(each)));
    return write_loop(w, i, write_op(w, EXPR_MUL, tiles, write_int(w, d->tile)), body);
}

static const stmt *over_chunks(const dense *d, const expr *tiles) {
    const writer *w = &d->w;
    const expr *j = write_index(w, "j"), *begin = write_index(w, "begin"), *tile = write_index(w, "tile");
    const expr *last = write_op(w, EXPR_SUB, write_op(w, EXPR_MUL, tiles, write_int(w, d->tile)), write_int(w, 1));
    const stmt *parts[] = {turn_keys(d, begin, seen_from(d, last, begin)),
                           write_loop(w, tile, tiles, take_tile(d, tile, begin))};
    const stmt *body =
        stmt_let(w->mem, begin, write_op(w, EXPR_MUL, j, write_int(w, PLACES)), write_seq(w, parts, COUNT(parts)));
    return write_loop(w, j, write_ceil_div(w, write_load(w, d->seen, last), PLACES), body);
}

// Of each row: what the lanes of its sum give together, and what that divides. A row that sees nothing gives 0.
static const stmt *finish(const dense *d, const expr *rows) {
    const writer *w = &d->w;
    const expr *i = write_index(w, "i"), *row = write_op(w, EXPR_ADD, d->first, i), *l = write_index(w, "lane");
    const expr *zero = write_int(w, 0);
    lanes v = write_in_lanes(w, d->value_lanes);
    const expr *at[] = {d->batch, head_of(d, row), token_of(d, row), v.index};
    const expr *value = write_op(w, EXPR_DIV, write_load2(w, d->acc, i, v.index), write_load(w, d->top, zero));
    const expr *nothing = write_op(w, EXPR_EQ, write_load(w, d->seen, i), zero);
    const expr *sum = expr_select(w->s, nothing, write_real(w, 1.0), write_load(w, d->top, zero));
    const expr *more = write_op(w, EXPR_ADD, write_load(w, d->top, zero), write_load2(w, d->sum, i, l));
    const stmt *store = write_store_at(w, d->out, at, expr_cast(w->s, d->out->type, value));
    const stmt *each[] = {write_store(w, d->top, zero, write_real(w, 0.0)),
                          write_lanes(w, l, LANES, write_store(w, d->top, zero, more)),
                          write_store(w, d->top, zero, sum), over_lanes(d, &v, d->value_size, d->value_lanes, store)};
    return write_loop(w, i, rows, write_seq(w, each, COUNT(each)));
}

// Blocks of one head by turns from its beginning and its end: where later rows see more, neighbours are as much work.
static const expr *in_turns(const dense *d, const expr *r, const expr *blocks) {
    const writer *w = &d->w;
    if (!is_causal(d)) return r;
    const expr *half = write_op(w, EXPR_FLOOR_DIV, r, write_int(w, 2)), *one = write_int(w, 1);
    const expr *even = write_op(w, EXPR_EQ, write_op(w, EXPR_FLOOR_MOD, r, write_int(w, 2)), write_int(w, 0));
    return expr_select(w->s, even, half, write_op(w, EXPR_SUB, write_op(w, EXPR_SUB, blocks, one), half));
}

static const buffer *local(const dense *d, const char *name, dtype type, int64_t rows, int64_t columns, uint32_t rank) {
    const expr *dim[] = {write_int(&d->w, rows), write_int(&d->w, columns)};
    return buffer_new(d->w.s, name, type, dim, rank, "local");
}
static const buffer *row_of_reals(const dense *d, const char *name, int64_t size) {
    return local(d, name, d->w.real, size, 0, 1);
}
static const buffer *reals(const dense *d, const char *name, int64_t rows, int64_t columns) {
    return local(d, name, d->w.real, rows, columns, 2);
}

// Small ones first: they are to be registers.
static const buffer **declare_locals(dense *d, uint32_t *count) {
    const buffer *own[] = {d->top = row_of_reals(d, "top", SPARE),
                           d->old = row_of_reals(d, "old", SPARE),
                           d->shrink = row_of_reals(d, "shrink", SPARE),
                           d->dot = reals(d, "dot", TILE, LANES),
                           d->wide = reals(d, "wide", TILE, LANES),
                           d->part = reals(d, "part", TILE, LANES),
                           d->sums = reals(d, "sums", TILE, d->value_lanes),
                           d->weight = reals(d, "weight", TILE, PLACES),
                           d->max = row_of_reals(d, "max", d->rows),
                           d->seen = local(d, "seen", DTYPE_OF(I64), d->rows, 0, 1),
                           d->sum = reals(d, "sum", d->rows, LANES),
                           d->query = reals(d, "query_local", d->rows, d->size),
                           d->keys = reals(d, "keys_local", d->size, PLACES),
                           d->acc = reals(d, "acc", d->rows, d->value_size)};
    const buffer **all = ARENA_NEW(d->w.mem, const buffer *, COUNT(own));
    for (uint32_t i = 0; i < COUNT(own); i++) all[i] = own[i];
    *count = COUNT(own);
    return all;
}

static const stmt *in_tiles(dense *d, int64_t tile, const expr *head, const expr *part, const expr *blocks) {
    const writer *w = &d->w;
    d->tile = tile;
    d->batch = write_index(w, "batch"), d->shared = write_index(w, "shared"), d->first = write_index(w, "first");
    const expr *heads = d->in[KEYS]->dim[1], *rows = write_index(w, "rows"), *tiles = write_index(w, "tiles");
    const expr *all = d->count, *batch = d->batch, *shared = d->shared, *first = d->first;
    const stmt *parts[] = {begin_rows(d, tiles), over_chunks(d, tiles), finish(d, rows)};
    const stmt *body = stmt_let(w->mem, tiles, write_ceil_div(w, rows, d->tile), write_seq(w, parts, COUNT(parts)));
    const expr *left = write_op(w, EXPR_SUB, all, first);
    body = stmt_let(w->mem, rows, write_op(w, EXPR_MIN, left, write_int(w, d->rows)), body);
    body = stmt_let(w->mem, first, write_op(w, EXPR_MUL, in_turns(d, part, blocks), write_int(w, d->rows)), body);
    body = stmt_let(w->mem, shared, write_op(w, EXPR_FLOOR_MOD, head, heads), body);
    return stmt_let(w->mem, batch, write_op(w, EXPR_FLOOR_DIV, head, heads), body);
}

// One row, or two, in tiles of their own: nothing is computed in vain.
static const stmt *block_body(dense *d, const expr *head, const expr *part, const expr *blocks) {
    const writer *w = &d->w;
    int64_t tokens, few = FEW / d->group;
    bool known = expr_const_int(d->tokens, &tokens);
    if (known || !few) return in_tiles(d, known && tokens <= few ? 1 : TILE, head, part, blocks);
    const expr *is_few = write_op(w, EXPR_LE, d->tokens, write_int(w, few));
    return stmt_if(w->mem, is_few, in_tiles(d, 1, head, part, blocks), in_tiles(d, TILE, head, part, blocks));
}

static const stmt *attend(dense *d) {
    const writer *w = &d->w;
    const expr *x = write_index(w, "h_r"), *head = write_index(w, "v_h"), *part = write_index(w, "v_r");
    block b = {.name = "attention", .iters = 2};
    d->count = write_op(w, EXPR_MUL, d->tokens, write_int(w, d->group));
    const expr *blocks = write_ceil_div(w, d->count, d->rows);
    const expr *heads = write_op(w, EXPR_MUL, d->in[KEYS]->dim[0], d->in[KEYS]->dim[1]);
    iter *iters = ARENA_NEW(w->mem, iter, 2);
    iters[0] = (iter){head, ITER_SPATIAL, {write_int(w, 0), heads}, write_op(w, EXPR_FLOOR_DIV, x, blocks)};
    iters[1] = (iter){part, ITER_SPATIAL, {write_int(w, 0), blocks}, write_op(w, EXPR_FLOOR_MOD, x, blocks)};
    b.iter = iters;
    b.alloc = declare_locals(d, &b.allocs);
    b.body = block_body(d, head, part, blocks);
    return stmt_for(w->mem, FOR_PARALLEL, x, write_int(w, 0), write_op(w, EXPR_MUL, heads, blocks),
                    stmt_block(w->mem, &b));
}

// Whether heads and sizes are numbers: what the program above is made for.
static bool choose_sizes(dense *d) {
    int64_t heads, shared, tokens;
    if (!expr_const_int(d->in[QUERY]->dim[1], &heads) || !expr_const_int(d->in[KEYS]->dim[1], &shared) || shared < 1 ||
        heads < shared)
        return false;
    if (!expr_const_int(d->in[QUERY]->dim[3], &d->size) || !expr_const_int(d->in[VALUES]->dim[3], &d->value_size))
        return false;
    d->group = heads / shared;
    d->tokens = d->in[QUERY]->dim[2];
    d->places = d->in[KEYS]->dim[2];
    d->rows = ROWS;
    if (expr_const_int(d->tokens, &tokens) && tokens < ROWS / d->group)
        d->rows = (tokens * d->group + TILE - 1) / TILE * TILE;
    if (d->rows < TILE) d->rows = TILE;
    d->query_lanes = write_width(d->size);
    d->value_lanes = write_width(d->value_size);
    return true;
}

// "cast(bias[...], wide)", read at 0 along dims of 1; along those that only the run tells, at what is left of the
// index.
static const char *bias_text(const lower_ctx *c, const node *n) {
    static const char *const index[] = {"b", "h", "s", "t"};
    const ann *bias = n->in[BIAS]->type, *q = n->in[QUERY]->type, *k = n->in[KEYS]->type;
    const expr *whole[] = {q->dim[0], q->dim[1], q->dim[2], k->dim[2]};
    text out = TEXT_IN(c->mem);
    text_put(&out, "cast(bias[");
    for (int32_t i = 0; i < bias->rank; i++) {
        int32_t of = 4 - bias->rank + i;
        bool all = prove_equal(c->exprs, bias->dim[i], whole[of], NULL);
        const char *format = expr_is_int(bias->dim[i], 1) ? "%s0" : all ? "%s%s" : "%smin(%s, dim(bias, %d) - 1)";
        text_format(&out, format, i ? ", " : "", index[of], (int)i);
    }
    text_put(&out, "], wide)");
    return text_get(&out);
}

// The score of a place that is seen.
static const char *score_text(const lower_ctx *c, const node *n) {
    static const char dot[] = "dot[b, h, s, t] * cast(factor, wide)";
    if (n->count <= BIAS) return dot;
    const char *bias = bias_text(c, n);
    if (hidden_score(n) >= 0) return arena_format(c->mem, "%s + %s", dot, bias);
    return arena_format(c->mem, "select(%s == cast(hidden, wide), cast(hidden, wide), %s + %s)", bias, dot, bias);
}

// The same in a few words, for heads and sizes that only the run tells.
static const loop_func *lower_any(const lower_ctx *c, const node *n) {
    name_list names = {0};
    name_value(&names, "factor", expr_float(c->exprs, DTYPE_OF(F64), node_attr(n, "scale")->as.f));
    const char *after = attr_text_is(n, "causal_mask", "BottomRight") ? " + dim(keys, 2) - dim(query, 2)" : "";
    bool causal = *after || attr_text_is(n, "causal_mask", "TopLeft");
    const char *seen = causal ? arena_format(c->mem, "min(s + 1%s, dim(keys, 2))", after) : "dim(keys, 2)";
    const char *head = "min(h // max(dim(query, 1) // max(dim(keys, 1), 1), 1), dim(keys, 1) - 1)";
    const char *meaning = arena_format(
        c->mem,
        "dot[b, h, s, t] += cast(query[b, h, s, d], wide) * cast(keys[b, %s, t, d], wide);"
        "score[b, h, s, t] = select(t < %s, %s, -inf);"
        "maxelem[b, h, s] max= score[b, h, s, t]; exp[b, h, s, t] = exp(score[b, h, s, t] - maxelem[b, h, s]);"
        "expsum[b, h, s] += exp[b, h, s, t];"
        "sum[b, h, s, e] += select(t < %s, exp[b, h, s, t] * cast(values[b, %s, t, e], wide), 0.0);"
        "out[b, h, s, e] = select(%s > 0, sum[b, h, s, e] / expsum[b, h, s], 0.0)",
        head, seen, score_text(c, n), seen, head, seen);
    return compute_with(c, n, meaning, &names);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    static const char *const result[] = {"attention_out"};
    operand_list operands = {0};
    if (!operand_buffers(c, n, &operands)) return NULL;
    const buffer **buf = operand_globals(c, &operands, result);
    dense d = {.w = {.s = c->exprs, .mem = c->mem, .real = DTYPE_OF(F32)}, .n = n};
    for (uint32_t i = 0; i < n->count; i++) {
        d.in[i] = buf[i];
        if (dtype_bits(buf[i]->type) == 64) d.w.real = buf[i]->type;
    }
    d.out = buf[n->count];
    if (!choose_sizes(&d)) return lower_any(c, n);
    return compute_program(c, &operands, buf, attend(&d), NULL, 0);
}

const op op_rx_dense_attention = {
    .name = "rx.dense_attention",
    .doc = "Attention over keys and values that lie side by side; softmax online. Heads share those of the keys in "
           "groups: head h those of h // (heads / shared heads).",
    .input = {IN("query", TENSOR, "[batch, heads, tokens, size]"),
              IN("keys", TENSOR, "[batch, shared heads, places, size]"),
              IN("values", TENSOR, "[batch, shared heads, places, value size]"),
              IN_OPTIONAL("bias", TENSOR, "added to the scores; broadcasts to [batch, heads, tokens, places]")},
    .attr = {ATTR("scale", FLOAT, NULL, "of the scores, usually 1 / sqrt(size)", .range = "(-inf, inf)"),
             ATTR("causal_mask", ANY, "None",
                  "\"TopLeft\": token i sees places up to i; \"BottomRight\": the last token sees all",
                  .range = "TopLeft|BottomRight"),
             ATTR("hidden", FLOAT, "0.0", "a bias of this is the score itself, nothing is added to it; 0: none is",
                  .range = "[-inf, 0]")},
    .infer = infer,
    .lower = lower,
    .samples = {"q=f32[b,4,t,2] k=f32[b,2,p,2] v=f32[b,2,p,3] | R.rx.dense_attention(q, k, v, scale=0.5)",
                "q=f32[1,3,t,16] k=f32[1,1,t,16] v=f32[1,1,t,16] | R.rx.dense_attention(q, k, v, scale=0.25, "
                "causal_mask=\"TopLeft\")",
                "q=f16[2,2,t,4] k=f16[2,2,p,4] v=f16[2,2,p,8] | R.rx.dense_attention(q, k, v, scale=0.5, "
                "causal_mask=\"BottomRight\")",
                "q=f32[b,4,t,2] k=f32[b,2,p,2] v=f32[b,2,p,3] m=f32[b,1,t,p] | R.rx.dense_attention(q, k, v, m, "
                "scale=0.5)",
                "q=f32[b,4,t,2] k=f32[b,2,p,2] v=f32[b,2,p,3] m=f32[b,1,t,p] | R.rx.dense_attention(q, k, v, m, "
                "scale=0.5, hidden=-1.0)"},
};
