// loss.c - losses: R.nn.cross_entropy_with_logits and R.nn.nll_loss.
#include "base/count_noun.h"
#include "ops/table.h"

static const ann *infer_cross_entropy(infer_ctx *c, const node *n) {
    const ann *a = infer_in(n, 0), *b = infer_in(n, 1);
    dtype type;
    if (!infer_same_dtype(c, n, 0, 1, &type)) return NULL;
    if (has_rank(a) && has_rank(b) && a->rank != b->rank)
        return infer_error(c, n, "want labels of %s like predictions, got %d", COUNTED(a->rank, "dim"), b->rank);
    for (int32_t i = 0; has_dims(a) && has_dims(b) && i < a->rank; i++)
        if (dims_differ(c, a->dim[i], b->dim[i]))
            return infer_error(c, n, "predictions are %s, labels %s", dims_text(c, a), dims_text(c, b));
    return infer_tensor(c, a, type, NULL, 0);
}

static const loop_func *lower_cross_entropy(const lower_ctx *c, const node *n) {
    bool batched = n->in[0]->type->rank > 1;
    return compute_build(c, n,
                         batched ? "red[] += predictions[i...] * labels[i...]; out[] = -red[] / dim(predictions, 0)"
                                 : "red[] += predictions[i...] * labels[i...]; out[] = -red[]",
                         NULL, 0);
}

// --- nll_loss: predictions [n, classes, d...] or [classes], targets [n, d...] or a scalar.
static bool check_ranks(infer_ctx *c, const node *n, const ann *p, const ann *t) {
    if (p->rank == 0) return infer_error(c, n, "predictions: want at least one dim"), false;
    if (!has_rank(p) || !has_rank(t) || t->rank == (p->rank == 1 ? 0 : p->rank - 1)) return true;
    return infer_error(c, n, "targets: want %s for predictions of %d, got %d", COUNTED(p->rank - 1, "dim"), p->rank,
                       t->rank),
           false;
}

static bool check_targets(infer_ctx *c, const node *n, const ann *p, const ann *t) {
    if (!infer_want_integers(c, n, 1)) return false;
    for (int32_t i = 0; has_dims(p) && has_dims(t) && i < t->rank; i++)
        if (dims_differ(c, t->dim[i], p->dim[i ? i + 1 : 0]))
            return infer_error(c, n, "predictions are %s, targets %s", dims_text(c, p), dims_text(c, t)), false;
    return true;
}

static bool check_weights(infer_ctx *c, const node *n, const ann *p) {
    dtype type;
    if (n->count < 3) return true;
    const ann *w = infer_in(n, 2);
    if (!infer_want_rank(c, n, 2, 1) || !infer_same_dtype(c, n, 0, 2, &type)) return false;
    if (!has_dims(p) || !has_dims(w) || !dims_differ(c, w->dim[0], p->dim[p->rank == 1 ? 0 : 1])) return true;
    return infer_error(c, n, "%s for %s classes", counted_text(c, w->dim[0], "weight"),
                       expr_to_text(c->mem, p->dim[p->rank == 1 ? 0 : 1])),
           false;
}

static const ann *infer_nll(infer_ctx *c, const node *n) {
    const ann *p = infer_in(n, 0), *t = infer_in(n, 1);
    if (!check_ranks(c, n, p, t) || !check_targets(c, n, p, t) || !check_weights(c, n, p)) return NULL;
    if (!attr_text_is(n, "reduction", "none")) return infer_tensor(c, p, p->type, NULL, 0);
    if (has_dims(t)) return infer_tensor(c, p, p->type, t->dim, (uint32_t)t->rank);
    const expr *dim[INFER_MAX_RANK];
    if (!has_dims(p))
        return infer_rank(c, p, p->type,
                          has_rank(t)   ? t->rank
                          : has_rank(p) ? (p->rank == 1 ? 0 : p->rank - 1)
                                        : RANK_UNKNOWN);
    uint32_t rank = 0;
    for (int32_t i = 0; i < p->rank; i++)
        if (i != (p->rank == 1 ? 0 : 1)) dim[rank++] = p->dim[i];
    return infer_tensor(c, p, p->type, dim, rank);
}

static const loop_func *lower_nll(const lower_ctx *c, const node *n) {
    const ann *p = n->in[0]->type;
    const char *at = p->rank == 1 ? "" : "b, i...", *class_dim = p->rank == 1 ? "0" : "1";
    const char *target = arena_format(c->mem, "wrap(targets[%s], dim(predictions, %s))", at, class_dim);
    const char *some = arena_format(c->mem, "if_then_else(dim(predictions, %s) > 0, ", class_dim); // else 0
    const char *weight =
        n->count > 2 ? arena_format(c->mem, "%sweights[%s], 0)", some, target) : "cast(1, predictions)";
    const char *mine = p->rank == 1 ? arena_format(c->mem, "%spredictions[%s], 0)", some, target)
                                    : arena_format(c->mem, "%spredictions[b, %s, i...], 0)", some, target);
    const char *used = arena_format(c->mem, "select(cast(targets[%s], int64) == ignore_index, 0, %s)", at, weight);
    const char *each = arena_format(c->mem, "weight[%s] = %s; loss[%s] = -%s * weight[%s];", at, used, at, mine, at);
    const char *end =
        attr_text_is(n, "reduction", "none") ? arena_format(c->mem, "out[%s] = loss[%s]", at, at)
        : attr_text_is(n, "reduction", "sum")
            ? arena_format(c->mem, "out[] += loss[%s]", at)
            : arena_format(c->mem, "red[] += loss[%s]; total[] += weight[%s]; out[] = red[] / total[]", at, at);
    return compute_build(c, n, arena_format(c->mem, "%s%s", each, end), NULL, 0);
}

const op op_nn_cross_entropy_with_logits = {
    .name = "nn.cross_entropy_with_logits",
    .doc = "-sum(predictions * labels), divided by the first dim when there are several.",
    .input = {IN("predictions", TENSOR, "logarithms of probabilities"),
              IN("labels", TENSOR, "probabilities, of the same shape")},
    .infer = infer_cross_entropy,
    .lower = lower_cross_entropy,
    .samples = {"x=f32[n,4] y=f32[n,4] | R.nn.cross_entropy_with_logits(x, y)"},
};
const op op_nn_nll_loss = {
    .name = "nn.nll_loss",
    .doc = "Minus the prediction of the target class, weighted; targets equal to ignore_index count for nothing.",
    .input = {IN("predictions", TENSOR, "[n, classes, ...] or [classes]"),
              IN("targets", TENSOR, "classes, [n, ...] or a scalar"), IN_OPTIONAL("weights", TENSOR, "one per class")},
    .attr = {ATTR_AT("reduction", STRING, "\"mean\"", "of the losses", .range = "mean|sum|none"),
             ATTR_AT("ignore_index", INT, "-100", "a target that does not count")},
    .infer = infer_nll,
    .lower = lower_nll,
    .samples = {"x=f32[n,5] t=i64[n] | R.nn.nll_loss(x, t)",
                "x=f32[n,5,2] t=i64[n,2] w=f32[5] | R.nn.nll_loss(x, t, w, reduction=\"none\")"},
};
