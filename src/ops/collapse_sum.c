// collapse_sum.c - R.collapse_sum_like and R.collapse_sum_to: sums over the dims that broadcasting would repeat.
#include "base/count_noun.h"
#include "ops/table.h"

static const ann *infer_to(infer_ctx *c, const node *n, const ann *to) {
    const ann *x = infer_in(n, 0);
    if (has_rank(x) && has_rank(to) && to->rank > x->rank)
        return infer_error(c, n, "%s do not collapse to %d", COUNTED(x->rank, "dim"), to->rank);
    for (int32_t i = 0; has_dims(x) && has_dims(to) && i < to->rank; i++) {
        const expr *from = x->dim[i + x->rank - to->rank];
        if (dim_is(c, to->dim[i], 1) || !dims_differ(c, from, to->dim[i])) continue;
        return infer_error(c, n, "dim %s does not collapse to %s", expr_to_text(c->mem, from),
                           expr_to_text(c->mem, to->dim[i]));
    }
    if (!has_dims(to)) return infer_rank(c, x, x->type, to->rank);
    return infer_tensor(c, x, x->type, to->dim, (uint32_t)to->rank);
}

static const ann *infer(infer_ctx *c, const node *n) { return infer_to(c, n, infer_in(n, 1)); }

// out[0, i1] += data[k0, k1, i1]: k for what is summed.
static const loop_func *lower(const lower_ctx *c, const node *n) {
    const ann *x = n->in[0]->type, *to = n->type;
    text left = TEXT_IN(c->mem), right = TEXT_IN(c->mem);
    for (int32_t i = 0; i < x->rank; i++) {
        int32_t k = i - (x->rank - to->rank);
        const char *comma = i ? ", " : "";
        bool one = k >= 0 && prove_equal(c->exprs, to->dim[k], expr_i64(c->exprs, 1), NULL);
        bool kept = k >= 0 && (!one || expr_is_int(x->dim[i], 1));
        text_format(&right, "%s%s%d", comma, kept ? "i" : "k", (int)i);
        if (kept) text_format(&left, "%si%d", k ? ", " : "", (int)i);
        if (!kept && k >= 0) text_format(&left, "%s0", k ? ", " : "");
    }
    const char *meaning = arena_format(c->mem, "out[%s] += data[%s]", text_get(&left), text_get(&right));
    return compute_build(c, n, meaning, NULL, 0);
}

const op op_collapse_sum_like = {
    .name = "collapse_sum_like",
    .doc = "Sums data over the dims along which the other tensor would be broadcast to it.",
    .input = {IN("data", TENSOR, "any shape"), IN("collapse_target", TENSOR, "gives the shape")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,3] y=f32[3] | R.collapse_sum_like(x, y)"},
};
const op op_collapse_sum_to = {
    .name = "collapse_sum_to",
    .doc = "Sums data over the dims along which the shape would be broadcast to it.",
    .input = {IN("data", TENSOR, "any shape"), IN("shape", SHAPE, "the shape to reach")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,3] | R.collapse_sum_to(x, R.shape([1, 3]))"},
};
