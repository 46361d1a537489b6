// activation.c - activations with parameters: R.nn.leakyrelu, softplus, prelu, dropout.
#include "ops/table.h"

static const ann *infer_prelu(infer_ctx *c, const node *n) {
    const ann *x = infer_float_same(c, n), *alpha = infer_in(n, 1);
    uint32_t axis;
    if (!x || !infer_want_rank(c, n, 1, 1)) return NULL;
    if (!has_rank(x)) return x;
    if (!infer_axis(c, n, attr_int_of(n, "axis"), x->rank, &axis)) return NULL;
    bool known = has_dims(x) && has_dims(alpha) && alpha->rank == 1 && !dim_is(c, alpha->dim[0], 1);
    if (known && dims_differ(c, x->dim[axis], alpha->dim[0]))
        return infer_error(c, n, "alpha has %s for %s", counted_text(c, alpha->dim[0], "value"),
                           counted_text(c, x->dim[axis], "channel"));
    return x;
}

static const ann *infer_dropout(infer_ctx *c, const node *n) {
    const ann *both[] = {infer_in(n, 0), infer_in(n, 0)};
    return ann_tuple(c->mem, both, 2);
}

const op op_nn_leakyrelu = {
    .name = "nn.leakyrelu",
    .doc = "x where positive, else alpha * x.",
    .input = {IN("data", TENSOR, "any shape")},
    .attr = {ATTR_AT("alpha", FLOAT, "0.01", "slope of the negative part", .range = "(-inf, inf)")},
    .infer = infer_float_same,
    .compute = "out[i...] = select(data[i...] > 0, data[i...], data[i...] * alpha)",
    .samples = {"x=f32[n,4] | R.nn.leakyrelu(x, alpha=0.1)"},
};
const op op_nn_softplus = {
    .name = "nn.softplus",
    .doc = "log(1 + exp(beta * x)) / beta; x itself where beta * x is above the threshold.",
    .input = {IN("data", TENSOR, "any shape")},
    .attr = {ATTR_AT("beta", FLOAT, "1.0", "sharpness", .range = "(0, inf)"),
             ATTR_AT("threshold", FLOAT, "20.0", "where it becomes x", .range = "(-inf, inf]")},
    .infer = infer_float_same,
    .compute = "out[i...] = select(data[i...] * beta > threshold, data[i...], log1p(exp(data[i...] * beta)) / beta)",
    .samples = {"x=f32[n,4] | R.nn.softplus(x)"},
};
const op op_nn_prelu = {
    .name = "nn.prelu",
    .doc = "x where positive, else x times the alpha of its channel.",
    .input = {IN("data", TENSOR, "any shape"), IN("alpha", TENSOR, "one per channel, or one")},
    .attr = {ATTR_AT("axis", INT, "1", "the channels")},
    .infer = infer_prelu,
    .compute = "out[i..., c@axis] = select(data[i..., c@axis] > 0, data[i..., c@axis], data[i..., c@axis] * alpha[c])",
    .samples = {"x=f32[n,3,2] a=f32[3] | R.nn.prelu(x, a, axis=1)"},
};
const op op_nn_dropout = {
    .name = "nn.dropout",
    .doc = "x and a mask of ones: when a trained model runs, nothing is dropped.",
    .input = {IN("data", TENSOR, "any shape")},
    .attr = {ATTR_AT("rate", FLOAT, "0.5", "what training would drop", .range = "[0, 1]")},
    .infer = infer_dropout,
    .compute = "out0[i...] = data[i...]; out1[i...] = 1",
    .samples = {"x=f32[n,4] | R.nn.dropout(x)"},
};
