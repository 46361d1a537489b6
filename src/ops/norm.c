// norm.c - normalisations: R.nn.layer_norm, rms_norm, group_norm, instance_norm, batch_norm. Sums and what follows from
// them are in float32 for halves.
#include "base/count_noun.h"
#include "ops/table.h"

static bool check_types(infer_ctx *c, const node *n) {
    dtype type;
    for (uint32_t i = 0; i < n->count; i++)
        if (!infer_want_floats(c, n, i) || (i && !infer_same_dtype(c, n, 0, i, &type))) return false;
    return true;
}

// Operand i has one dim for each of the axes, equal to data's.
static bool check_along(infer_ctx *c, const node *n, uint32_t i, const axis_set *axes) {
    const ann *x = infer_in(n, 0), *a = infer_in(n, i);
    if (!infer_want_rank(c, n, i, (int32_t)axes->count)) return false;
    for (uint32_t k = 0; has_dims(x) && has_dims(a) && k < axes->count; k++)
        if (dims_differ(c, x->dim[axes->list[k]], a->dim[k]))
            return infer_error(c, n, "dim %u of %s is %s, but dim %u of data %s", k, n->op->input[i].name,
                               expr_to_text(c->mem, a->dim[k]), axes->list[k],
                               expr_to_text(c->mem, x->dim[axes->list[k]])),
                   false;
    return true;
}

static const ann *infer_along_axes(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    axis_set axes;
    if (!check_types(c, n)) return NULL;
    if (!has_rank(x)) return x;
    if (!infer_axes(c, n, node_attr(n, "axes"), x->rank, &axes)) return NULL;
    for (uint32_t i = 1; i < n->count; i++)
        if (!check_along(c, n, i, &axes)) return NULL;
    return x;
}

static bool channel_of(infer_ctx *c, const node *n, const char *attribute, axis_set *out) {
    uint32_t axis;
    *out = (axis_set){.count = 1};
    if (!infer_axis(c, n, attr_int_of(n, attribute), infer_in(n, 0)->rank, &axis)) return false;
    out->list[0] = axis;
    return out->has[axis] = true;
}

static const ann *infer_channels(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    axis_set axes, channel;
    if (!check_types(c, n)) return NULL;
    for (uint32_t i = 1; i < n->count; i++)
        if (!infer_want_rank(c, n, i, 1)) return NULL;
    if (!has_rank(x)) return x;
    if (!infer_axes(c, n, node_attr(n, "axes"), x->rank, &axes) || !channel_of(c, n, "channel_axis", &channel))
        return NULL;
    if (axes.has[channel.list[0]]) return infer_error(c, n, "axes must not have the channel axis %u", channel.list[0]);
    for (uint32_t i = 1; i < n->count; i++)
        if (!check_along(c, n, i, &channel)) return NULL;
    return x;
}

static const ann *infer_group(infer_ctx *c, const node *n) {
    const ann *x = infer_channels(c, n);
    int64_t groups = attr_int_of(n, "num_groups");
    axis_set channel;
    if (!x || !has_dims(x)) return x;
    if (!channel_of(c, n, "channel_axis", &channel)) return NULL;
    const expr *channels = x->dim[channel.list[0]];
    bool fits = infer_want_multiple(c, n, channels, "channels", dim_int(c, groups), COUNTED(groups, "group"));
    return fits ? x : NULL;
}

static const ann *infer_batch(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    axis_set channel;
    if (!check_types(c, n)) return NULL;
    for (uint32_t i = 1; i < n->count; i++)
        if (!infer_want_rank(c, n, i, 1)) return NULL;
    if (has_rank(x) && !channel_of(c, n, "axis", &channel)) return NULL;
    for (uint32_t i = 1; has_rank(x) && i < n->count; i++)
        if (!check_along(c, n, i, &channel)) return NULL;
    const ann *out[] = {x, infer_in(n, 3), infer_in(n, 4)};
    return ann_tuple(c->mem, out, 3);
}

// "* gamma[c] + beta[c]", as far as wanted.
static const char *affine(const lower_ctx *c, const node *n, const char *index) {
    const char *gamma = attr_int_of(n, "scale") ? arena_format(c->mem, " * gamma[%s]", index) : "";
    const char *beta = attr_int_of(n, "center") ? arena_format(c->mem, " + beta[%s]", index) : "";
    return arena_format(c->mem, "%s%s", gamma, beta);
}

static const loop_func *lower_layer(const lower_ctx *c, const node *n) {
    const char *meaning =
        "red[i...] += data[i..., k...@axes]; mean[i...] = red[i...] / size(data, axes);"
        "squares[i...] += (data[i..., k...@axes] - mean[i...]) * (data[i..., k...@axes] - mean[i...]);"
        "rstd[i...] = rsqrt(squares[i...] / size(data, axes) + epsilon);"
        "out[i..., k...@axes] = (data[i..., k...@axes] - mean[i...]) * rstd[i...]";
    return compute_build(c, n, arena_format(c->mem, "%s%s", meaning, affine(c, n, "k...")), NULL, 0);
}

static const loop_func *lower_instance(const lower_ctx *c, const node *n) {
    const char *meaning =
        "red[i..., c] += data[i..., c@channel_axis, k...@axes]; mean[i..., c] = red[i..., c] / size(data, axes);"
        "squares[i..., c] += (data[i..., c@channel_axis, k...@axes] - mean[i..., c]) * (data[i..., c@channel_axis, "
        "k...@axes] - mean[i..., c]);"
        "rstd[i..., c] = rsqrt(squares[i..., c] / size(data, axes) + epsilon);"
        "out[i..., c@channel_axis, k...@axes] = (data[i..., c@channel_axis, k...@axes] - mean[i..., c]) * rstd[i..., "
        "c]";
    return compute_build(c, n, arena_format(c->mem, "%s%s", meaning, affine(c, n, "c")), NULL, 0);
}

static const loop_func *lower_group(const lower_ctx *c, const node *n) {
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    const ann *x = n->in[0]->type;
    uint32_t axis;
    name_list names = {0};
    if (!infer_axis(&ctx, n, attr_int_of(n, "channel_axis"), x->rank, &axis)) return NULL;
    const expr *groups = expr_i64(c->exprs, attr_int_of(n, "num_groups"));
    name_value(&names, "per", dim_op(&ctx, EXPR_FLOOR_DIV, x->dim[axis], groups));
    const char *meaning =
        "g in num_groups; e in per;"
        "red[i..., g] += data[i..., g * per + e@channel_axis, k...@axes];"
        "mean[i..., g] = red[i..., g] / (size(data, axes) * per);"
        "squares[i..., g] += (data[i..., g * per + e@channel_axis, k...@axes] - mean[i..., g]) * "
        "(data[i..., g * per + e@channel_axis, k...@axes] - mean[i..., g]);"
        "rstd[i..., g] = rsqrt(squares[i..., g] / (size(data, axes) * per) + epsilon);"
        "out[i..., c@channel_axis, k...@axes] = (data[i..., c@channel_axis, k...@axes] - mean[i..., c // per]) * "
        "rstd[i..., c // per]";
    return compute_with(c, n, arena_format(c->mem, "%s%s", meaning, affine(c, n, "c")), &names);
}

static const loop_func *lower_batch(const lower_ctx *c, const node *n) {
    if (!attr_int_of(n, "training")) {
        const char *meaning =
            "out0[i..., c@axis] = (data[i..., c@axis] - moving_mean[c]) * rsqrt(moving_var[c] + epsilon)";
        const char *rest = "out1[c] = moving_mean[c]; out2[c] = moving_var[c]";
        return compute_build(c, n, arena_format(c->mem, "%s%s; %s", meaning, affine(c, n, "c"), rest), NULL, 0);
    }
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    const ann *x = n->in[0]->type;
    uint32_t axis;
    name_list names = {0};
    if (!infer_axis(&ctx, n, attr_int_of(n, "axis"), x->rank, &axis)) return NULL;
    const expr *all = dims_product(&ctx, x->dim, axis);
    name_value(&names, "count",
               dim_op(&ctx, EXPR_MUL, all, dims_product(&ctx, x->dim + axis + 1, (uint32_t)x->rank - axis - 1)));
    const char *meaning =
        "red[c] += data[i..., c@axis]; mean[c] = red[c] / count;"
        "squares[c] += (data[i..., c@axis] - mean[c]) * (data[i..., c@axis] - mean[c]); var[c] = squares[c] / count;"
        "out0[i..., c@axis] = (data[i..., c@axis] - mean[c]) * rsqrt(var[c] + epsilon)";
    const char *rest = "out1[c] = moving_mean[c] * (1.0 - momentum) + mean[c] * momentum;"
                       "out2[c] = moving_var[c] * (1.0 - momentum) + var[c] * momentum";
    return compute_with(c, n, arena_format(c->mem, "%s%s; %s", meaning, affine(c, n, "c"), rest), &names);
}

#define EPSILON ATTR("epsilon", FLOAT, "1e-05", "added to the variance", .range = "[0, inf)")
#define CENTER ATTR("center", BOOL, "True", "add beta")
#define SCALE ATTR("scale", BOOL, "True", "multiply by gamma")
#define GAMMA_BETA IN("gamma", TENSOR, "factors"), IN("beta", TENSOR, "what is added")

const op op_nn_layer_norm = {
    .name = "nn.layer_norm",
    .doc = "(x - mean) / sqrt(variance + epsilon) * gamma + beta over some dims.",
    .input = {IN("data", TENSOR, "any shape"), GAMMA_BETA},
    .attr = {ATTR_AT("axes", INTS, NULL, "the dims that are normalised"), EPSILON, CENTER, SCALE},
    .infer = infer_along_axes,
    .lower = lower_layer,
    .samples = {"x=f32[n,4] g=f32[4] b=f32[4] | R.nn.layer_norm(x, g, b, axes=[-1])"},
};
const op op_nn_rms_norm = {
    .name = "nn.rms_norm",
    .doc = "x / sqrt(mean(x * x) + epsilon) * weight over some dims.",
    .input = {IN("data", TENSOR, "any shape"), IN("weight", TENSOR, "factors")},
    .attr = {ATTR_AT("axes", INTS, "-1", "the dims that are normalised"), EPSILON},
    .infer = infer_along_axes,
    .compute = "squares[i...] += data[i..., k...@axes] * data[i..., k...@axes];"
               "rsqrt[i...] = rsqrt(squares[i...] / size(data, axes) + epsilon);"
               "out[i..., k...@axes] = data[i..., k...@axes] * rsqrt[i...] * weight[k...]",
    .samples = {"x=f32[n,4] w=f32[4] | R.nn.rms_norm(x, w, axes=[-1])",
                "x=f16[n,4] w=f16[4] | R.nn.rms_norm(x, w, axes=[-1])"},
};
const op op_nn_group_norm = {
    .name = "nn.group_norm",
    .doc = "Layer norm over each group of channels and the given dims.",
    .input = {IN("data", TENSOR, "any shape"), GAMMA_BETA},
    .attr = {ATTR_AT("num_groups", INT, NULL, "how many groups of channels", .range = "[1, inf)"),
             ATTR_AT("channel_axis", INT, NULL, "the channels"),
             ATTR_AT("axes", INTS, NULL, "the other dims that are normalised"), EPSILON, CENTER, SCALE},
    .infer = infer_group,
    .lower = lower_group,
    .samples = {"x=f32[n,4,3] g=f32[4] b=f32[4] | R.nn.group_norm(x, g, b, num_groups=2, channel_axis=1, axes=[2])"},
};
const op op_nn_instance_norm = {
    .name = "nn.instance_norm",
    .doc = "Layer norm over the given dims of each channel.",
    .input = {IN("data", TENSOR, "any shape"), GAMMA_BETA},
    .attr = {ATTR_AT("channel_axis", INT, NULL, "the channels"),
             ATTR_AT("axes", INTS, NULL, "the dims that are normalised"), EPSILON, CENTER, SCALE},
    .infer = infer_channels,
    .lower = lower_instance,
    .samples = {"x=f32[n,4,3] g=f32[4] b=f32[4] | R.nn.instance_norm(x, g, b, channel_axis=1, axes=[2])"},
};
const op op_nn_batch_norm = {
    .name = "nn.batch_norm",
    .doc = "Normalises each channel by the moving mean and variance, or by those of the batch when training; gives the "
           "moving ones as well.",
    .input = {IN("data", TENSOR, "any shape"), GAMMA_BETA, IN("moving_mean", TENSOR, "per channel"),
              IN("moving_var", TENSOR, "per channel")},
    .attr = {ATTR_AT("axis", INT, NULL, "the channels"), EPSILON, CENTER, SCALE,
             ATTR("momentum", FLOAT, "0.1", "share of the batch in the moving ones", .range = "[0, 1]"),
             ATTR("training", BOOL, "True", "use the batch's own mean and variance")},
    .infer = infer_batch,
    .lower = lower_batch,
    .samples =
        {"x=f32[n,3] g=f32[3] b=f32[3] m=f32[3] v=f32[3] | R.nn.batch_norm(x, g, b, m, v, axis=1, training=False)"},
};
