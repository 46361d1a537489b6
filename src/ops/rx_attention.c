// rx_attention.c - R.rx.attention: attention of tokens of many sequences over a cache in pages, with online softmax.
//
// The tokens of all sequences lie one after another; starts[s] is the first token of sequence s. Place j of a
// sequence's cache is element j % page of page page_table[s, j // page]. A token at position p sees places 0..p, the
// last `window` of them where that is set; its own key and value are in the cache already.
//
//   for token, head:                         one block
//       find the sequence
//       m = -inf; l = 0; acc = 0
//       for place in first .. position:      score; m' = max(m, score); rescale l and acc; add
//       out = acc / l
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
typedef struct paged {
    const lower_ctx *c;
    const node *n;
    expr_session *s;
    arena *mem;
    const buffer *in[INPUTS], *out;
    const buffer *seq, *max, *sum, *score, *old, *acc; // locals of the block
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
static const expr *real(paged *p, double value) { return expr_float(p->s, DTYPE_OF(F32), value); }
static const expr *as_f32(paged *p, const expr *e) { return expr_cast(p->s, DTYPE_OF(F32), e); }
static const expr *as_i64(paged *p, const expr *e) { return expr_cast(p->s, DTYPE_OF(I64), e); }
static const expr *call1(paged *p, intrinsic_id f, const expr *a) {
    return expr_call(p->s, intrinsic_get(f), (dtype){0}, &a, 1);
}

static const expr *new_index(paged *p, const char *name) { return expr_new_var(p->s, name, DTYPE_OF(I64)); }
static const stmt *loop(paged *p, const expr *var, const expr *from, const expr *extent, const stmt *body) {
    return stmt_for(p->mem, FOR_SERIAL, var, from, extent, body);
}

// An index kept inside [0, extent).
static const expr *inside(paged *p, const expr *e, const expr *extent) {
    return op2(p, EXPR_MAX, op2(p, EXPR_MIN, e, op2(p, EXPR_SUB, extent, i64(p, 1))), i64(p, 0));
}

// seq = how many sequences begin at or before the token, less one.
static const stmt *find_sequence(paged *p) {
    const expr *s = new_index(p, "s"), *start = as_i64(p, load(p, p->in[STARTS], &s, 1));
    const expr *begun = expr_select(p->s, op2(p, EXPR_LE, start, p->token), i64(p, 1), i64(p, 0));
    const stmt *count = store0(p, p->seq, op2(p, EXPR_ADD, load0(p, p->seq), begun));
    const stmt *parts[] = {store0(p, p->seq, i64(p, -1)), loop(p, s, i64(p, 0), p->in[STARTS]->dim[0], count)};
    return stmt_seq(p->mem, parts, 2);
}

// keys or values [page, place in it, kv head, element] for place j of the sequence.
static const expr *cached(paged *p, uint32_t which, const expr *j, const expr *element) {
    const buffer *pages = p->in[which], *table = p->in[PAGES];
    const expr *size = pages->dim[1], *group = op2(p, EXPR_FLOOR_DIV, p->in[QUERY]->dim[1], pages->dim[2]);
    const expr *row[] = {inside(p, load0(p, p->seq), table->dim[0]),
                         inside(p, op2(p, EXPR_FLOOR_DIV, j, size), table->dim[1])};
    const expr *page = inside(p, as_i64(p, load(p, table, row, 2)), pages->dim[0]);
    const expr *at[] = {page, op2(p, EXPR_FLOOR_MOD, j, size), op2(p, EXPR_FLOOR_DIV, p->head, group), element};
    return as_f32(p, load(p, pages, at, 4));
}

static const stmt *score_place(paged *p, const expr *j) {
    const expr *d = new_index(p, "d"), *at[] = {p->token, p->head, d};
    const expr *product = op2(p, EXPR_MUL, as_f32(p, load(p, p->in[QUERY], at, 3)), cached(p, KEYS, j, d));
    const stmt *add = store0(p, p->score, op2(p, EXPR_ADD, load0(p, p->score), product));
    const expr *value = op2(p, EXPR_MUL, load0(p, p->score), real(p, node_attr(p->n, "scale")->as.f));
    double cap = node_attr(p->n, "soft_cap")->as.f;
    if (cap > 0) value = op2(p, EXPR_MUL, call1(p, INTRIN_TANH, op2(p, EXPR_DIV, value, real(p, cap))), real(p, cap));
    const stmt *parts[] = {store0(p, p->score, real(p, 0.0)), loop(p, d, i64(p, 0), p->in[QUERY]->dim[2], add),
                           store0(p, p->score, value)};
    return stmt_seq(p->mem, parts, 3);
}

// The new maximum; what was summed up so far shrinks by exp(old maximum - new one).
static const stmt *take_place(paged *p, const expr *j) {
    const expr *e = new_index(p, "e"),
               *shrink = call1(p, INTRIN_EXP, op2(p, EXPR_SUB, load0(p, p->old), load0(p, p->max)));
    const expr *weight = call1(p, INTRIN_EXP, op2(p, EXPR_SUB, load0(p, p->score), load0(p, p->max)));
    const expr *kept = op2(p, EXPR_MUL, load(p, p->acc, &e, 1), shrink);
    const expr *added = op2(p, EXPR_ADD, kept, op2(p, EXPR_MUL, weight, cached(p, VALUES, j, e)));
    const stmt *parts[] = {store0(p, p->old, load0(p, p->max)),
                           store0(p, p->max, op2(p, EXPR_MAX, load0(p, p->max), load0(p, p->score))),
                           store0(p, p->sum, op2(p, EXPR_ADD, op2(p, EXPR_MUL, load0(p, p->sum), shrink), weight)),
                           loop(p, e, i64(p, 0), p->in[VALUES]->dim[3], stmt_store(p->mem, p->acc, &e, 1, added))};
    return stmt_seq(p->mem, parts, 4);
}

static const stmt *over_places(paged *p) {
    const expr *j = new_index(p, "j");
    const expr *past =
        op2(p, EXPR_ADD, as_i64(p, load(p, p->in[POSITIONS], &p->token, 1)), i64(p, 1)); // places in sight
    const expr *most = op2(p, EXPR_MUL, p->in[PAGES]->dim[1], p->in[KEYS]->dim[1]);
    const expr *count = op2(p, EXPR_MAX, op2(p, EXPR_MIN, past, most), i64(p, 0)), *first = i64(p, 0);
    int64_t window = attr_int_of(p->n, "window");
    if (window > 0) first = op2(p, EXPR_MAX, op2(p, EXPR_SUB, count, i64(p, window)), i64(p, 0));
    const expr *place = window > 0 ? op2(p, EXPR_ADD, first, j) : j;
    const stmt *parts[] = {score_place(p, place), take_place(p, place)};
    return loop(p, j, i64(p, 0), window > 0 ? op2(p, EXPR_SUB, count, first) : count, stmt_seq(p->mem, parts, 2));
}

static const stmt *token_body(paged *p) {
    const expr *e = new_index(p, "e"), *x = new_index(p, "x"), *at[] = {p->token, p->head, x};
    const expr *value = op2(p, EXPR_DIV, load(p, p->acc, &x, 1), load0(p, p->sum));
    const expr *size = p->in[VALUES]->dim[3];
    const stmt *parts[] = {
        find_sequence(p),
        store0(p, p->max, real(p, -(double)INFINITY)),
        store0(p, p->sum, real(p, 0.0)),
        loop(p, e, i64(p, 0), size, stmt_store(p->mem, p->acc, &e, 1, real(p, 0.0))),
        over_places(p),
        loop(p, x, i64(p, 0), size, stmt_store(p->mem, p->out, at, 3, expr_cast(p->s, p->out->type, value)))};
    return stmt_seq(p->mem, parts, COUNT(parts));
}

static const buffer *local(paged *p, const char *name, dtype type, const expr *const *dim, uint32_t rank) {
    return buffer_new(p->s, name, type, dim, rank, "local");
}

static const stmt *token_block(paged *p) {
    dtype f32 = DTYPE_OF(F32);
    const expr *token = new_index(p, "t"), *head = new_index(p, "h"), *const *dim = p->in[QUERY]->dim;
    p->token = new_index(p, "v_t");
    p->head = new_index(p, "v_h");
    p->seq = local(p, "seq", DTYPE_OF(I64), NULL, 0);
    p->max = local(p, "max", f32, NULL, 0);
    p->old = local(p, "old_max", f32, NULL, 0);
    p->sum = local(p, "sum", f32, NULL, 0);
    p->score = local(p, "score", f32, NULL, 0);
    p->acc = local(p, "acc", f32, &p->in[VALUES]->dim[3], 1);
    const buffer *locals[] = {p->seq, p->max, p->old, p->sum, p->score, p->acc};
    const buffer **alloc = ARENA_NEW(p->mem, const buffer *, COUNT(locals));
    for (size_t i = 0; i < COUNT(locals); i++) alloc[i] = locals[i];
    iter *iters = ARENA_NEW(p->mem, iter, 2);
    iters[0] = (iter){.var = p->token, .kind = ITER_SPATIAL, .dom = {i64(p, 0), dim[0]}, .value = token};
    iters[1] = (iter){.var = p->head, .kind = ITER_SPATIAL, .dom = {i64(p, 0), dim[1]}, .value = head};
    block b = {
        .name = "attention", .iters = 2, .iter = iters, .allocs = COUNT(locals), .alloc = alloc, .body = token_body(p)};
    return loop(p, token, i64(p, 0), dim[0], loop(p, head, i64(p, 0), dim[1], stmt_block(p->mem, &b)));
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
