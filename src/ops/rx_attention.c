// rx_attention.c - R.rx.attention: attention of tokens of many sequences over a cache in pages, with online softmax.
//
// The tokens of all sequences lie one after another; starts[s] is the first token of sequence s. Place j of a
// sequence's cache is element j % page of page page_table[s, j // page]. A token at position p sees places 0..p, the
// last `window` of them where that is set; its own key and value are in the cache already.
//
//   for token, head in parallel:             one block
//       find the sequence
//       m = -inf; l = 0; acc = 0
//       for page in first .. position:       scores; m' = max(m, scores); rescale l and acc; add all of them
//       out = acc / l
//
// Vectors run along keys, values and the places of a page.
#include "ops/table.h"
#include <math.h>

enum { QUERY, KEYS, VALUES, POSITIONS, STARTS, PAGES, INPUTS };

static bool same(infer_ctx *c, const node *n, uint32_t a, uint32_t i, uint32_t b, uint32_t k) {
    const ann *x = infer_in(n, a), *y = infer_in(n, b);
    if (!has_dims(x) || !has_dims(y) || !dims_differ(c, x->dim[i], y->dim[k])) return true;
    return infer_error(c, n, "dim %u of %s is %s, dim %u of %s is %s", i, n->op->input[a].name,
                       expr_to_text(c->mem, x->dim[i]), k, n->op->input[b].name, expr_to_text(c->mem, y->dim[k])),
           false;
}

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
    char spelled[32];
    if (!q || !infer_same_dtype(c, n, KEYS, VALUES, &type)) return NULL;
    for (uint32_t i = 0; i < INPUTS; i++) {
        dtype here = infer_in(n, i)->type;
        if (!infer_want_rank(c, n, i, ranks[i])) return NULL;
        if (i >= POSITIONS && here.kind && !dtype_is_int(here))
            return infer_error(c, n, "%s: want integers, got %s", n->op->input[i].name, dtype_spell(here, spelled));
    }
    for (uint32_t i = 0; i < 3; i++)
        if (!same(c, n, KEYS, i, VALUES, i)) return NULL;
    if (!same(c, n, QUERY, 2, KEYS, 3) || !same(c, n, QUERY, 0, POSITIONS, 0) || !check_heads(c, n)) return NULL;
    if (!has_dims(q) || !has_dims(v)) return infer_rank(c, q, q->type, 3);
    const expr *dim[] = {q->dim[0], q->dim[1], v->dim[3]};
    return infer_tensor(c, q, q->type, dim, 3);
}

// --- Lowering. Everything inside is float32 and int64.
enum { MOST_LANES = 16, MOST_PLACES = 64, MOST_UNROLLED = 8 };

typedef struct paged {
    const lower_ctx *c;
    const node *n;
    expr_session *s;
    arena *mem;
    const buffer *in[INPUTS], *out;
    int64_t chunk;                               // places of one chunk: a page, or 1
    int64_t key_lanes, value_lanes, place_lanes; // of vectors along a key, a value, a chunk
    const buffer *seq, *page, *max, *sum, *old;  // scalars of the block
    const buffer *query, *lane, *score, *acc;    // [size], [key_lanes], [chunk], [value size]
    const expr *token, *head;
} paged;

static const expr *i64(paged *p, int64_t value) { return expr_i64(p->s, value); }
static const expr *op2(paged *p, expr_op what, const expr *a, const expr *b) { return expr_binary(p->s, what, a, b); }
static const expr *load(paged *p, const buffer *b, const expr *const *at, uint32_t count) {
    return expr_load(p->s, b, b->type, at, count);
}
static const expr *load0(paged *p, const buffer *b) { return load(p, b, NULL, 0); }
static const stmt *store0(paged *p, const buffer *b, const expr *value) {
    return stmt_store(p->mem, b, NULL, 0, value);
}
static const expr *load1(paged *p, const buffer *b, const expr *at) { return load(p, b, &at, 1); }
static const stmt *store1(paged *p, const buffer *b, const expr *at, const expr *value) {
    return stmt_store(p->mem, b, &at, 1, value);
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

// The index of an element in a loop over whole vectors, and the loops around a statement that uses it.
typedef struct lanes {
    const expr *outer, *inner, *index;
} lanes;
static lanes in_lanes(paged *p, int64_t width) {
    lanes l = {.outer = new_index(p, "e"), .inner = new_index(p, "lane")};
    l.index = op2(p, EXPR_ADD, op2(p, EXPR_MUL, l.outer, i64(p, width)), l.inner);
    return l;
}
static const stmt *lane_loop(paged *p, const lanes *l, int64_t width, const stmt *body) {
    return stmt_for(p->mem, width > 1 ? FOR_VECTORIZED : FOR_SERIAL, l->inner, i64(p, 0), i64(p, width), body);
}
// Few vectors are unrolled, so that sums stay in registers.
static const stmt *vector_loop(paged *p, const lanes *l, const expr *extent, int64_t width, const stmt *body) {
    int64_t size;
    bool few = expr_const_int(extent, &size) && size / width <= MOST_UNROLLED;
    const expr *steps = few ? i64(p, size / width) : op2(p, EXPR_FLOOR_DIV, extent, i64(p, width));
    return stmt_for(p->mem, few ? FOR_UNROLLED : FOR_SERIAL, l->outer, i64(p, 0), steps, body);
}
static const stmt *over_lanes(paged *p, const lanes *l, const expr *extent, int64_t width, const stmt *body) {
    return vector_loop(p, l, extent, width, lane_loop(p, l, width, body));
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

// seq = how many sequences begin at or before the token, less one.
static const stmt *find_sequence(paged *p) {
    const expr *s = new_index(p, "s"), *start = as_i64(p, load1(p, p->in[STARTS], s));
    const expr *begun = expr_select(p->s, op2(p, EXPR_LE, start, p->token), i64(p, 1), i64(p, 0));
    const stmt *count = store0(p, p->seq, op2(p, EXPR_ADD, load0(p, p->seq), begun));
    const stmt *parts[] = {store0(p, p->seq, i64(p, -1)), loop(p, s, p->in[STARTS]->dim[0], count)};
    return stmt_seq(p->mem, parts, 2);
}

static const stmt *begin(paged *p) {
    lanes k = in_lanes(p, p->key_lanes), v = in_lanes(p, p->value_lanes);
    const expr *at[] = {p->token, p->head, k.index};
    const expr *scaled =
        op2(p, EXPR_MUL, as_f32(p, load(p, p->in[QUERY], at, 3)), real(p, node_attr(p->n, "scale")->as.f));
    const stmt *parts[] = {
        find_sequence(p), store0(p, p->max, real(p, -(double)INFINITY)), store0(p, p->sum, real(p, 0.0)),
        over_lanes(p, &k, p->in[QUERY]->dim[2], p->key_lanes, store1(p, p->query, k.index, scaled)),
        over_lanes(p, &v, p->in[VALUES]->dim[3], p->value_lanes, store1(p, p->acc, v.index, real(p, 0.0)))};
    return stmt_seq(p->mem, parts, COUNT(parts));
}

// --- One chunk of places: those from `from` to before `to` count.
typedef struct chunk {
    const expr *first, *from, *to; // place of its beginning; within it
} chunk;

// keys or values [page, place in it, kv head, element] of the chunk's place i.
static const expr *cached(paged *p, uint32_t which, const chunk *c, const expr *i, const expr *element) {
    const buffer *pages = p->in[which];
    const expr *group = op2(p, EXPR_FLOOR_DIV, p->in[QUERY]->dim[1], pages->dim[2]);
    const expr *place = p->chunk > 1 ? i : op2(p, EXPR_FLOOR_MOD, c->first, pages->dim[1]);
    const expr *at[] = {load0(p, p->page), place, op2(p, EXPR_FLOOR_DIV, p->head, group), element};
    return as_f32(p, load(p, pages, at, 4));
}

static const stmt *find_page(paged *p, const chunk *c) {
    const buffer *table = p->in[PAGES];
    const expr *row[] = {inside(p, load0(p, p->seq), table->dim[0]),
                         inside(p, op2(p, EXPR_FLOOR_DIV, c->first, p->in[KEYS]->dim[1]), table->dim[1])};
    return store0(p, p->page, inside(p, as_i64(p, load(p, table, row, 2)), p->in[KEYS]->dim[0]));
}

static const stmt *over_places(paged *p, const chunk *c, const expr *i, const stmt *body) {
    const expr *from = p->chunk > 1 ? c->from : i64(p, 0), *to = p->chunk > 1 ? c->to : i64(p, 1);
    return stmt_for(p->mem, FOR_SERIAL, i, from, op2(p, EXPR_SUB, to, from), body);
}

// score[i] = query . key, summed in lanes that are joined at the end.
static const stmt *dot_products(paged *p, const chunk *c) {
    const expr *i = new_index(p, "i");
    lanes zero = in_lanes(p, p->key_lanes), d = in_lanes(p, p->key_lanes), join = in_lanes(p, p->key_lanes);
    const expr *product = op2(p, EXPR_MUL, load1(p, p->query, d.index), cached(p, KEYS, c, i, d.index));
    const stmt *parts[] = {
        lane_loop(p, &zero, p->key_lanes, store1(p, p->lane, zero.inner, real(p, 0.0))),
        over_lanes(p, &d, p->in[QUERY]->dim[2], p->key_lanes,
                   store1(p, p->lane, d.inner, op2(p, EXPR_ADD, load1(p, p->lane, d.inner), product))),
        store1(p, p->score, i, real(p, 0.0)),
        lane_loop(p, &join, p->key_lanes,
                  store1(p, p->score, i, op2(p, EXPR_ADD, load1(p, p->score, i), load1(p, p->lane, join.inner))))};
    return over_places(p, c, i, stmt_seq(p->mem, parts, COUNT(parts)));
}

// For all places of a chunk: score[i] = value.
static const stmt *each_score(paged *p, const lanes *l, const expr *value) {
    return over_lanes(p, l, i64(p, p->chunk), p->place_lanes, store1(p, p->score, l->index, value));
}

static const stmt *cap_scores(paged *p, const chunk *c, double cap) {
    lanes l = in_lanes(p, p->place_lanes);
    const expr *turned = call1(p, INTRIN_TANH, op2(p, EXPR_DIV, load1(p, p->score, l.index), real(p, cap)));
    const expr *to = p->chunk > 1 ? c->to : i64(p, 1), *from = p->chunk > 1 ? c->from : i64(p, 0);
    const expr *counts = op2(p, EXPR_AND, op2(p, EXPR_LE, from, l.index), op2(p, EXPR_LT, l.index, to));
    const expr *capped = op2(p, EXPR_MUL, turned, real(p, cap));
    return each_score(p, &l, expr_select(p->s, counts, capped, real(p, -(double)INFINITY)));
}

// What was summed up so far shrinks by exp(old maximum - new one).
static const expr *shrink(paged *p) {
    return call1(p, INTRIN_EXP, op2(p, EXPR_SUB, load0(p, p->old), load0(p, p->max)));
}

// The new maximum; scores become weights; their sum.
static const stmt *weigh(paged *p) {
    lanes m = in_lanes(p, p->place_lanes), w = in_lanes(p, p->place_lanes), t = in_lanes(p, p->place_lanes);
    const expr *weight = call1(p, INTRIN_EXP, op2(p, EXPR_SUB, load1(p, p->score, w.index), load0(p, p->max)));
    const stmt *larger = store0(p, p->max, op2(p, EXPR_MAX, load0(p, p->max), load1(p, p->score, m.index)));
    const stmt *total = store0(p, p->sum, op2(p, EXPR_ADD, load0(p, p->sum), load1(p, p->score, t.index)));
    const stmt *parts[] = {
        store0(p, p->old, load0(p, p->max)), over_lanes(p, &m, i64(p, p->chunk), p->place_lanes, larger),
        store0(p, p->old, shrink(p)),        store0(p, p->sum, op2(p, EXPR_MUL, load0(p, p->sum), load0(p, p->old))),
        each_score(p, &w, weight),           over_lanes(p, &t, i64(p, p->chunk), p->place_lanes, total)};
    return stmt_seq(p->mem, parts, COUNT(parts));
}

// acc = acc * shrink + the sum of score[i] * value.
static const stmt *add_values(paged *p, const chunk *c) {
    const expr *i = new_index(p, "i");
    lanes less = in_lanes(p, p->value_lanes), more = in_lanes(p, p->value_lanes);
    const expr *kept = op2(p, EXPR_MUL, load1(p, p->acc, less.index), load0(p, p->old));
    const expr *product = op2(p, EXPR_MUL, load1(p, p->score, i), cached(p, VALUES, c, i, more.index));
    const expr *added = op2(p, EXPR_ADD, load1(p, p->acc, more.index), product), *size = p->in[VALUES]->dim[3];
    const stmt *parts[] = {
        over_lanes(p, &less, size, p->value_lanes, store1(p, p->acc, less.index, kept)),
        over_places(p, c, i, over_lanes(p, &more, size, p->value_lanes, store1(p, p->acc, more.index, added)))};
    return stmt_seq(p->mem, parts, 2);
}

static const stmt *take_chunk(paged *p, const chunk *c) {
    lanes none = in_lanes(p, p->place_lanes);
    double cap = node_attr(p->n, "soft_cap")->as.f;
    const stmt *parts[6];
    uint32_t count = 0;
    parts[count++] = find_page(p, c);
    // Places that don't count weigh nothing, whatever lies there.
    parts[count++] = each_score(p, &none, real(p, -(double)INFINITY));
    parts[count++] = dot_products(p, c);
    if (cap > 0) parts[count++] = cap_scores(p, c, cap);
    parts[count++] = weigh(p);
    parts[count++] = add_values(p, c);
    return stmt_seq(p->mem, parts, count);
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

static const stmt *token_body(paged *p) {
    lanes x = in_lanes(p, p->value_lanes);
    const expr *at[] = {p->token, p->head, x.index};
    const expr *value = op2(p, EXPR_DIV, load1(p, p->acc, x.index), load0(p, p->sum));
    const stmt *store = stmt_store(p->mem, p->out, at, 3, expr_cast(p->s, p->out->type, value));
    const stmt *parts[] = {begin(p), over_chunks(p), over_lanes(p, &x, p->in[VALUES]->dim[3], p->value_lanes, store)};
    return stmt_seq(p->mem, parts, COUNT(parts));
}

static const buffer *local(paged *p, const char *name, dtype type, const expr *const *dim, uint32_t rank) {
    return buffer_new(p->s, name, type, dim, rank, "local");
}

static void choose_widths(paged *p) {
    int64_t page;
    bool small = expr_const_int(p->in[KEYS]->dim[1], &page) && page >= 1 && page <= MOST_PLACES;
    p->chunk = small ? page : 1;
    p->place_lanes = lanes_of(i64(p, p->chunk));
    p->key_lanes = lanes_of(p->in[QUERY]->dim[2]);
    p->value_lanes = lanes_of(p->in[VALUES]->dim[3]);
}

static void declare_locals(paged *p, block *b) {
    dtype f32 = DTYPE_OF(F32);
    const expr *lane = i64(p, p->key_lanes), *places = i64(p, p->chunk);
    const buffer *all[] = {p->seq = local(p, "seq", DTYPE_OF(I64), NULL, 0),
                           p->page = local(p, "page", DTYPE_OF(I64), NULL, 0),
                           p->max = local(p, "max", f32, NULL, 0),
                           p->old = local(p, "old_max", f32, NULL, 0),
                           p->sum = local(p, "sum", f32, NULL, 0),
                           p->query = local(p, "query_local", f32, &p->in[QUERY]->dim[2], 1),
                           p->lane = local(p, "lane_sum", f32, &lane, 1),
                           p->score = local(p, "score", f32, &places, 1),
                           p->acc = local(p, "acc", f32, &p->in[VALUES]->dim[3], 1)};
    const buffer **alloc = ARENA_NEW(p->mem, const buffer *, COUNT(all));
    for (size_t i = 0; i < COUNT(all); i++) alloc[i] = all[i];
    b->allocs = COUNT(all);
    b->alloc = alloc;
}

// One block for a token and a head; all of them in parallel.
static const stmt *token_block(paged *p) {
    const expr *both = new_index(p, "t_h"), *const *dim = p->in[QUERY]->dim;
    block b = {.name = "attention", .iters = 2};
    p->token = new_index(p, "v_t");
    p->head = new_index(p, "v_h");
    choose_widths(p);
    declare_locals(p, &b);
    iter *iters = ARENA_NEW(p->mem, iter, 2);
    iters[0] = (iter){p->token, ITER_SPATIAL, {i64(p, 0), dim[0]}, op2(p, EXPR_FLOOR_DIV, both, dim[1])};
    iters[1] = (iter){p->head, ITER_SPATIAL, {i64(p, 0), dim[1]}, op2(p, EXPR_FLOOR_MOD, both, dim[1])};
    b.iter = iters;
    b.body = token_body(p);
    return stmt_for(p->mem, FOR_PARALLEL, both, i64(p, 0), op2(p, EXPR_MUL, dim[0], dim[1]), stmt_block(p->mem, &b));
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
    .attr = {ATTR("scale", FLOAT, NULL, "of the scores, usually 1 / sqrt(size)"),
             ATTR("window", INT, "0", "a token sees so many places back, its own included; 0: all"),
             ATTR("soft_cap", FLOAT, "0.0", "scores become cap * tanh(score / cap); 0: as they are")},
    .infer = infer,
    .lower = lower,
    .samples = {"q=f32[t,4,2] k=f32[3,2,2,2] v=f32[3,2,2,3] p=i64[t] s=i64[3] g=i64[2,2] | R.rx.attention(q, k, v, p, "
                "s, g, scale=0.5)",
                "q=f16[t,2,2] k=f16[3,2,1,2] v=f16[3,2,1,2] p=i32[t] s=i32[3] g=i32[2,2] | R.rx.attention(q, k, v, p, "
                "s, g, scale=0.5, window=2, soft_cap=5.0)"},
};
