// attention.c - R.nn.attention, attention_bias and attention_var_len: softmax(q k^T * scale + bias, masked) v.
//
// Scores and sums are in float32 for halves. A query whose keys are all masked gives NaN, as in softmax.
#include "ops/table.h"
#include <math.h>

enum { QUERY, KEY, VALUE, BIAS, SEQSTART_Q = 3, SEQSTART_K };

// What TVM calls dims by number has names here: batch, length, heads, size.
static bool check_operands(infer_ctx *c, const node *n, dtype *type) {
    dtype other;
    for (uint32_t i = QUERY; i <= VALUE; i++)
        if (!infer_want_rank(c, n, i, 4)) return false;
    if (!infer_known_dtype(c, n, QUERY, KEY, type) || !infer_known_dtype(c, n, QUERY, VALUE, &other)) return false;
    if (!type->kind) *type = other;
    return infer_same_dim(c, n, QUERY, 0, KEY, 0) && infer_same_dim(c, n, QUERY, 0, VALUE, 0) &&
           infer_same_dim(c, n, KEY, 1, VALUE, 1) && infer_same_dim(c, n, QUERY, 2, KEY, 2) &&
           infer_same_dim(c, n, QUERY, 2, VALUE, 2) && infer_same_dim(c, n, QUERY, 3, KEY, 3);
}

// The bias broadcasts to [batch, heads, queries, keys].
static bool check_bias(infer_ctx *c, const node *n) {
    const ann *b = infer_in(n, BIAS), *q = infer_in(n, QUERY), *k = infer_in(n, KEY);
    if (!infer_want_rank(c, n, BIAS, 4)) return false;
    if (!has_dims(b) || !has_dims(q) || !has_dims(k)) return true;
    const expr *want[] = {q->dim[0], q->dim[2], q->dim[1], k->dim[1]};
    for (uint32_t i = 0; i < 4; i++)
        if (dims_unfit(c, b->dim[i], want[i]))
            return infer_error(c, n, "dim %u of bias is %s, want %s or 1", i, expr_to_text(c->mem, b->dim[i]),
                               expr_to_text(c->mem, want[i])),
                   false;
    return true;
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *q = infer_in(n, QUERY), *v = infer_in(n, VALUE);
    dtype type;
    if (!check_operands(c, n, &type) || (n->count > BIAS && !check_bias(c, n))) return NULL;
    if (!has_dims(q) || !has_dims(v)) return infer_rank(c, q, type, 4);
    const expr *dim[] = {q->dim[0], q->dim[1], q->dim[2], v->dim[3]};
    return infer_tensor(c, q, type, dim, 4);
}

// False: the size of a head is not known, so the program takes the root when it runs.
static bool scale_of(const node *n, const expr *head, double *out) {
    int64_t size;
    if (attr_get_real(node_attr(n, "scale"), out)) return true;
    if (!expr_const_int(head, &size) || size <= 0) return false;
    *out = 1.0 / sqrt((double)size);
    return true;
}

// Which keys a query sees: "" for all. `offset` aligns the last query with the last key.
static const char *mask_text(const lower_ctx *c, const node *n, const char *offset) {
    int64_t size = 0;
    const char *causal = attr_text_is(n, "causal_mask", "TopLeft")       ? "t <= s"
                         : attr_text_is(n, "causal_mask", "BottomRight") ? arena_format(c->mem, "t <= s + %s", offset)
                                                                         : "";
    if (!attr_get_int(node_attr(n, "window_size"), &size) || size <= 0) return causal;
    const char *near = arena_format(c->mem, "s + %s - t < %lld",
                                    attr_text_is(n, "causal_mask", "BottomRight") ? offset : "0", (long long)size);
    return *causal ? arena_format(c->mem, "%s and %s", causal, near) : near;
}

// Scores, maxima and sums are at least float32: sums of exponentials overflow halves.
static const loop_func *attend(const lower_ctx *c, const node *n, const char *bias, const char *mask,
                               const char *before) {
    const char *names[] = {n->op->input[QUERY].name, n->op->input[KEY].name, n->op->input[VALUE].name};
    const expr *head = n->in[QUERY]->type->dim[3];
    name_list list = {0};
    double scale = 0;
    bool known = scale_of(n, head, &scale);
    name_value(&list, "factor", expr_float(c->exprs, DTYPE_OF(F32), scale));
    const char *factor = known ? "factor" : arena_format(c->mem, "(1.0 / sqrt(cast(dim(%s, 3), wide)))", names[QUERY]);
    const char *value = arena_format(c->mem, "cast(dot[b, h, s, t], wide) * %s%s", factor, bias);
    if (*mask) value = arena_format(c->mem, "select(%s, %s, -inf)", mask, value);
    const char *meaning = arena_format(
        c->mem,
        "%sdot[b, h, s, t] += %s[b, s, h, d] * %s[b, t, h, d]; score[b, h, s, t] = %s;"
        "maxelem[b, h, s] max= score[b, h, s, t]; exp[b, h, s, t] = exp(score[b, h, s, t] - maxelem[b, h, s]);"
        "expsum[b, h, s] += exp[b, h, s, t]; weighted[b, s, h, e] += exp[b, h, s, t] * %s[b, t, h, e];"
        "out[b, s, h, e] = weighted[b, s, h, e] / expsum[b, h, s]",
        before, names[QUERY], names[KEY], value, names[VALUE]);
    return compute_with(c, n, meaning, &list);
}

// The bias is read at 0 along dims of 1; along those that only the run tells, at what is left of the index then.
static const char *bias_text(const lower_ctx *c, const node *n) {
    static const char *const index[] = {"b", "h", "s", "t"};
    const ann *bias = n->in[BIAS]->type, *q = n->in[QUERY]->type, *k = n->in[KEY]->type;
    const expr *whole[] = {q->dim[0], q->dim[2], q->dim[1], k->dim[1]};
    text out = TEXT_IN(c->mem);
    for (int i = 0; i < 4; i++) {
        bool as_it_is = bias->dim[i]->op == EXPR_INT || prove_equal(c->exprs, bias->dim[i], whole[i], NULL);
        text_format(&out, as_it_is ? "%s%s" : "%smin(%s, dim(bias, %d) - 1)", i ? ", " : " + bias[", index[i], i);
    }
    text_put(&out, "]");
    return text_get(&out);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    const char *offset =
        arena_format(c->mem, "(dim(%s, 1) - dim(%s, 1))", n->op->input[KEY].name, n->op->input[QUERY].name);
    return attend(c, n, n->count > BIAS ? bias_text(c, n) : "", mask_text(c, n, offset), "");
}

// --- Ragged: sequences lie one after another in dim 1; a query sees the keys of its own sequence.
static const ann *infer_var_len(infer_ctx *c, const node *n) {
    const ann *q = infer_in(n, QUERY), *v = infer_in(n, VALUE);
    dtype type;
    if (!check_operands(c, n, &type)) return NULL;
    for (uint32_t i = SEQSTART_Q; i <= SEQSTART_K; i++) {
        const ann *starts = infer_in(n, i);
        if (!infer_want_rank(c, n, i, 1)) return NULL;
        if (has_dims(starts) && dims_exceed(c, dim_int(c, 1), starts->dim[0]))
            return infer_error(c, n, "%s: want at least one number", n->op->input[i].name);
    }
    if (!has_dims(q) || !has_dims(v)) return infer_rank(c, q, type, 4);
    const expr *dim[] = {q->dim[0], q->dim[1], q->dim[2], v->dim[3]};
    return infer_tensor(c, q, type, dim, 4);
}

// The number of a token's sequence is how many sequences have begun, its place the distance from that beginning.
static const loop_func *lower_var_len(const lower_ctx *c, const node *n) {
    const char *before = "ofq[s] += select(cast(seqstart_q[j], int64) <= s, 1, 0);"
                         "ofk[t] += select(cast(seqstart_k[j], int64) <= t, 1, 0);";
    const char *ranges = "s in dim(queries, 1); t in dim(keys, 1);";
    const char *place_s = "(s - cast(seqstart_q[max(ofq[s] - 1, 0)], int64))";
    const char *place_t = "(t - cast(seqstart_k[max(ofk[t] - 1, 0)], int64))";
    const char *ends =
        "(cast(seqstart_k[min(ofk[t], dim(seqstart_k, 0) - 1)], int64) - cast(seqstart_k[max(ofk[t] - 1, 0)], int64)"
        " - cast(seqstart_q[min(ofq[s], dim(seqstart_q, 0) - 1)], int64) + cast(seqstart_q[max(ofq[s] - 1, 0)], "
        "int64))";
    const char *mask = "ofq[s] == ofk[t]";
    if (attr_text_is(n, "causal_mask", "TopLeft"))
        mask = arena_format(c->mem, "%s and %s <= %s", mask, place_t, place_s);
    if (attr_text_is(n, "causal_mask", "BottomRight"))
        mask = arena_format(c->mem, "%s and %s <= %s + %s", mask, place_t, place_s, ends);
    int64_t size = 0;
    if (attr_get_int(node_attr(n, "window_size"), &size) && size > 0)
        mask = arena_format(c->mem, "%s and %s - %s < %lld", mask, place_s, place_t, (long long)size);
    return attend(c, n, "", mask, arena_format(c->mem, "%s%s", ranges, before));
}

#define QKV(q, k, v)                                                                                                   \
    IN(q, TENSOR, "[batch, queries, heads, size]"), IN(k, TENSOR, "[batch, keys, heads, size]"),                       \
        IN(v, TENSOR, "[batch, keys, heads, value size]")
#define MASKS                                                                                                          \
    .attr = {                                                                                                          \
        ATTR("scale", ANY, "None", "of the scores; None: 1 / sqrt(size)", .range = "(-inf, inf)"),                     \
        ATTR("causal_mask", ANY, "None",                                                                               \
             "\"TopLeft\": query i sees keys up to i; \"BottomRight\": the last query sees all",                       \
             .range = "TopLeft|BottomRight"),                                                                          \
        ATTR("window_size", ANY, "None", "a query sees so many keys back, its own included", .range = "[1, inf)")}

const op op_nn_attention = {
    .name = "nn.attention",
    .doc = "Attention of each query over all keys.",
    .input = {QKV("query", "key", "value")},
    MASKS,
    .infer = infer,
    .lower = lower,
    .samples = {"q=f32[1,n,2,4] k=f32[1,m,2,4] v=f32[1,m,2,3] | R.nn.attention(q, k, v)",
                "q=f32[1,n,2,4] k=f32[1,n,2,4] v=f32[1,n,2,4] | R.nn.attention(q, k, v, causal_mask=\"TopLeft\")"},
};
const op op_nn_attention_bias = {
    .name = "nn.attention_bias",
    .doc = "Attention with a bias added to the scores.",
    .input = {QKV("query", "key", "value"), IN("bias", TENSOR, "broadcasts to [batch, heads, queries, keys]")},
    MASKS,
    .infer = infer,
    .lower = lower,
    .samples = {"q=f32[1,n,2,4] k=f32[1,m,2,4] v=f32[1,m,2,4] b=f32[1,1,n,m] | R.nn.attention_bias(q, k, v, b)"},
};
const op op_nn_attention_var_len = {
    .name = "nn.attention_var_len",
    .doc = "Attention over sequences of different lengths that lie one after another.",
    .input = {QKV("queries", "keys", "values"),
              IN("seqstart_q", TENSOR, "where each sequence begins, and the end of the last"),
              IN("seqstart_k", TENSOR, "the same for keys"),
              IN("max_seqlen_q", TENSOR, "the longest, for kernels that need it"),
              IN("max_seqlen_k", TENSOR, "the same for keys")},
    MASKS,
    .infer = infer_var_len,
    .lower = lower_var_len,
    .samples = {"q=f32[1,n,2,4] k=f32[1,m,2,4] v=f32[1,m,2,4] s=i32[3] t=i32[3] a=i32[] b=i32[] | "
                "R.nn.attention_var_len(q, k, v, s, t, a, b)"},
};
