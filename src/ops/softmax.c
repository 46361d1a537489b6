// softmax.c - R.nn.softmax and R.nn.log_softmax, stable for large values.
#include "ops/infer.h"
#include "ops/ops.h"

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *a = infer_float_same(c, n);
    uint32_t axis;
    if (!a || !has_rank(a)) return a;
    return infer_axis(c, n, attr_int_of(n, "axis"), a->rank, &axis) ? a : NULL;
}

#define AXIS {.name = "axis", .kind = OPATTR_INT, .preset = "-1", .doc = "the dim that sums to 1", .positional = true}

const op op_nn_softmax = {
    .name = "nn.softmax",
    .doc = "exp(x) / sum(exp(x)) along one dim, computed from x - max(x); a row with a NaN, or of -inf alone, is NaN.",
    .input = {{.name = "data", .kind = INPUT_TENSOR, .doc = "any shape"}},
    .attr = {AXIS},
    .infer = infer,
    .compute = "maxelem[i...] max= data[i..., k@axis];"
               "exp[i..., k@axis] = exp(data[i..., k@axis] - maxelem[i...]);"
               "expsum[i...] += exp[i..., k@axis];"
               "out[i..., k@axis] = exp[i..., k@axis] * (1 / expsum[i...])",
    .samples = {"x=f32[n,5] | R.nn.softmax(x)", "x=f32[3,n,2] | R.nn.softmax(x, axis=1)",
                "x=f16[n,7] | R.nn.softmax(x)"},
};

const op op_nn_log_softmax = {
    .name = "nn.log_softmax",
    .doc = "log(softmax(x)) along one dim without overflow on the way.",
    .input = {{.name = "data", .kind = INPUT_TENSOR, .doc = "any shape"}},
    .attr = {AXIS},
    .infer = infer,
    .compute = "maxelem[i...] max= data[i..., k@axis];"
               "expsum[i...] += exp(data[i..., k@axis] - maxelem[i...]);"
               "out[i..., k@axis] = data[i..., k@axis] - maxelem[i...] - log(expsum[i...])",
    .samples = {"x=f32[n,5] | R.nn.log_softmax(x)", "x=f32[3,n,2] | R.nn.log_softmax(x, axis=0)"},
};
