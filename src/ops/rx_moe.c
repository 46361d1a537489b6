// rx_moe.c - mixtures of experts: R.rx.moe_route chooses experts for tokens, R.rx.grouped_matmul multiplies each token
// by the matrices of its experts.
#include "base/count_noun.h"
#include "ops/table.h"

static const ann *infer_route(infer_ctx *c, const node *n) {
    const ann *x = infer_float_same(c, n);
    int64_t k = attr_int_of(n, "k");
    if (!x || !infer_want_rank(c, n, 0, 2)) return NULL;
    if (has_dims(x) && dims_exceed(c, dim_int(c, k), x->dim[1]))
        return infer_error(c, n, "k is %lld, but there are %s experts", (long long)k, expr_to_text(c->mem, x->dim[1]));
    const expr *dim[] = {has_dims(x) ? x->dim[0] : NULL, dim_int(c, k)};
    const ann *out[2] = {has_dims(x) ? infer_tensor(c, x, DTYPE_OF(F32), dim, 2) : infer_rank(c, x, DTYPE_OF(F32), 2)};
    out[1] = infer_like(c, out[0], DTYPE_OF(I32));
    return ann_tuple(c->mem, out, 2);
}

// The rank of an expert is how many come before it; ties in the order of experts.
static const loop_func *lower_route(const lower_ctx *c, const node *n) {
    const char *start =
        "maxelem[t] max= cast(data[t, e], float32); exp[t, e] = exp(cast(data[t, e], float32) - maxelem[t]);"
        "expsum[t] += exp[t, e]; prob[t, e] = exp[t, e] / expsum[t];"
        "rank[t, e] += select(prob[t, f] > prob[t, e] or (prob[t, f] == prob[t, e] and f < e), cast(1, int64), cast(0, "
        "int64));"
        "s in k; weight[t, s] += select(rank[t, e] == s, prob[t, e], 0.0);"
        "out1[t, s] += select(rank[t, e] == s, cast(e, int32), cast(0, int32));";
    const char *end = attr_int_of(n, "normalize") ? "sum[t] += weight[t, s]; out0[t, s] = weight[t, s] / sum[t]"
                                                  : "out0[t, s] = weight[t, s]";
    return compute_build(c, n, arena_format(c->mem, "%s%s", start, end), NULL, 0);
}

static const ann *infer_grouped(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *w = infer_in(n, 1), *at = infer_in(n, 2);
    dtype type;
    if (!infer_want_rank(c, n, 1, 3) || !infer_want_rank(c, n, 2, 2) || !infer_same_dtype(c, n, 0, 1, &type))
        return NULL;
    if (!infer_want_integers(c, n, 2)) return NULL;
    if (has_rank(x) && x->rank != 2 && x->rank != 3)
        return infer_error(c, n, "data: want [tokens, size] or [tokens, k, size], got %s", COUNTED(x->rank, "dim"));
    if (!has_dims(x) || !has_dims(w) || !has_dims(at)) return infer_rank(c, x, type, 3);
    if (dims_differ(c, x->dim[x->rank - 1], w->dim[2]))
        return infer_error(c, n, "data has %s, weight takes %s", counted_text(c, x->dim[x->rank - 1], "column"),
                           expr_to_text(c->mem, w->dim[2]));
    if (dims_differ(c, x->dim[0], at->dim[0]))
        return infer_error(c, n, "%s, but experts for %s", counted_text(c, x->dim[0], "token"),
                           expr_to_text(c->mem, at->dim[0]));
    const expr *dim[] = {at->dim[0], at->dim[1], w->dim[1]};
    return infer_tensor(c, x, type, dim, 3);
}

static const loop_func *lower_grouped(const lower_ctx *c, const node *n) {
    bool each = n->in[0]->type->rank == 3; // a row for each expert of a token
    // An expert's number never leads outside, and without experts there is nothing to read.
    const char *meaning = "out[t, s, o] += data[t, %sd] * "
                          "if_then_else(dim(weight, 0) > 0, weight[wrap(experts[t, s], dim(weight, 0)), o, d], 0)";
    return compute_build(c, n, arena_format(c->mem, meaning, each ? "s, " : ""), NULL, 0);
}

const op op_rx_moe_route = {
    .name = "rx.moe_route",
    .doc = "The k most probable experts of each token, best first, and their weights: probabilities by softmax.",
    .input = {IN("data", TENSOR, "[tokens, experts], scores")},
    .attr = {ATTR_AT("k", INT, NULL, "experts per token", .range = "[1, inf)"),
             ATTR("normalize", BOOL, "True", "the k weights sum to 1")},
    .infer = infer_route,
    .lower = lower_route,
    .samples = {"x=f32[t,4] | R.rx.moe_route(x, k=2)"},
};
const op op_rx_grouped_matmul = {
    .name = "rx.grouped_matmul",
    .doc = "Each token times the matrices of its experts: [tokens, k, outputs].",
    .input = {IN("data", TENSOR, "[tokens, size], or [tokens, k, size]: a row per expert"),
              IN("weight", TENSOR, "[experts, outputs, size]"), IN("experts", TENSOR, "[tokens, k], integers")},
    .infer = infer_grouped,
    .lower = lower_grouped,
    .samples = {"x=f32[t,3] w=f32[4,2,3] e=i32[t,2] | R.rx.grouped_matmul(x, w, e)",
                "x=f16[t,2,3] w=f16[4,2,3] e=i32[t,2] | R.rx.grouped_matmul(x, w, e)"},
};
