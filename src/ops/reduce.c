// reduce.c - sums and their kin over some dims: R.sum, prod, max, min, mean, variance, std, argmax, argmin.
//
// Over no elements a sum is 0, a product 1, a maximum -inf (the least integer), a minimum inf, a mean NaN.
#include "ops/table.h"

// The shape without the reduced dims, or with 1 for them.
static const ann *infer_shape(infer_ctx *c, const node *n, const attr *axes, bool keep, dtype type) {
    const ann *x = infer_in(n, 0);
    const expr *dim[INFER_MAX_RANK];
    axis_set gone;
    uint32_t rank = 0;
    if (!has_rank(x)) return infer_rank(c, x, type, axes->kind == ATTR_NONE && !keep ? 0 : RANK_UNKNOWN);
    if (!infer_axes(c, n, axes, x->rank, &gone)) return NULL;
    bool known = has_dims(x);
    for (int32_t i = 0; i < x->rank; i++) {
        if (gone.has[i] && !keep) continue;
        if (!gone.has[i] && !x->dim) known = false;
        dim[rank++] = gone.has[i] ? dim_int(c, 1) : x->dim ? x->dim[i] : NULL;
    }
    known |= gone.count == (uint32_t)x->rank;
    return known ? infer_tensor(c, x, type, dim, rank) : infer_rank(c, x, type, (int32_t)rank);
}

static const ann *infer(infer_ctx *c, const node *n) {
    return infer_shape(c, n, node_attr(n, "axis"), attr_int_of(n, "keepdims") != 0, infer_in(n, 0)->type);
}

static const ann *infer_place(infer_ctx *c, const node *n) {
    return infer_shape(c, n, node_attr(n, "axis"), attr_int_of(n, "keepdims") != 0, DTYPE_OF(I64));
}

// --- median: with one axis also the place.
static const ann *infer_median(infer_ctx *c, const node *n) {
    const attr *axes = node_attr(n, "axis");
    const ann *values = infer(c, n);
    if (!values || axes->kind == ATTR_NONE || axes->count > 1) return values;
    const ann *both[] = {values, infer_like(c, values, DTYPE_OF(I64))};
    return ann_tuple(c->mem, both, 2);
}

#define AXIS ATTR_AT("axis", INTS, "None", "the dims to reduce; None: all")
#define KEEP ATTR_AT("keepdims", BOOL, "False", "leave dims of 1 behind")
#define SAMPLES(called)                                                                                                \
    {"x=f32[n,4] | R." called "(x, axis=[1])", "x=f32[2,n,3] | R." called "(x, axis=[0, 2], keepdims=True)",           \
     "x=f32[n,3] | R." called "(x)"}

const op op_sum = {
    .name = "sum",
    .doc = "Sum; halves are added up in float32, integers wrap. Of no elements 0.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {AXIS, KEEP},
    .infer = infer,
    .compute = "out[i..., ~0@axis] += x[i..., k...@axis]",
    .samples = SAMPLES("sum"),
};
const op op_prod = {
    .name = "prod",
    .doc = "Product; halves are multiplied in float32, integers wrap.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {AXIS, KEEP},
    .infer = infer,
    .compute = "out[i..., ~0@axis] *= x[i..., k...@axis]",
    .samples = SAMPLES("prod"),
};
const op op_max = {
    .name = "max",
    .doc = "The largest element; a NaN stays. Of no elements -inf, or the least of the integers.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {AXIS, KEEP},
    .infer = infer,
    .compute = "out[i..., ~0@axis] max= x[i..., k...@axis]",
    .samples = SAMPLES("max"),
};
const op op_min = {
    .name = "min",
    .doc = "The smallest element; a NaN stays. Of no elements inf, or the largest of the integers.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {AXIS, KEEP},
    .infer = infer,
    .compute = "out[i..., ~0@axis] min= x[i..., k...@axis]",
    .samples = SAMPLES("min"),
};
const op op_mean = {
    .name = "mean",
    .doc = "Sum divided by the number of elements; of integers toward zero. Of no elements NaN, or 0.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {AXIS, KEEP},
    .infer = infer,
    .compute = "red[i...] += x[i..., k...@axis]; out[i..., ~0@axis] = red[i...] / size(x, axis)",
    .samples = SAMPLES("mean"),
};
const op op_variance = {
    .name = "variance",
    .doc = "Mean of the squared distances from the mean; of no elements NaN.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {AXIS, KEEP},
    .infer = infer,
    .compute = "red[i...] += x[i..., k...@axis]; mean[i...] = red[i...] / size(x, axis);"
               "squares[i...] += (x[i..., k...@axis] - mean[i...]) * (x[i..., k...@axis] - mean[i...]);"
               "out[i..., ~0@axis] = squares[i...] / size(x, axis)",
    .samples = SAMPLES("variance"),
};
const op op_std = {
    .name = "std",
    .doc = "Square root of the variance; of no elements NaN.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {AXIS, KEEP},
    .infer = infer,
    .compute = "red[i...] += x[i..., k...@axis]; mean[i...] = red[i...] / size(x, axis);"
               "squares[i...] += (x[i..., k...@axis] - mean[i...]) * (x[i..., k...@axis] - mean[i...]);"
               "out[i..., ~0@axis] = sqrt(squares[i...] / size(x, axis))",
    .samples = SAMPLES("std"),
};
const op op_argmax = {
    .name = "argmax",
    .doc = "The place of the largest element, the first of equals; a NaN is the largest. Of no elements the largest "
           "int64.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {ATTR_AT("axis", INT, "None", "the dim; None: of the flat tensor"), KEEP},
    .infer = infer_place,
    .compute = "maxelem[i...] max= x[i..., k...@axis];"
               "out[i..., ~0@axis] min= select(x[i..., k...@axis] == maxelem[i...] or isnan(x[i..., k...@axis]), "
               "flat(k...), highest(out))",
    .samples = {"x=f32[n,4] | R.argmax(x, axis=1)", "x=f32[n,3] | R.argmax(x)"},
};
const op op_argmin = {
    .name = "argmin",
    .doc = "The place of the smallest element, the first of equals; a NaN is the smallest. Of no elements the largest "
           "int64.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {ATTR_AT("axis", INT, "None", "the dim; None: of the flat tensor"), KEEP},
    .infer = infer_place,
    .compute = "minelem[i...] min= x[i..., k...@axis];"
               "out[i..., ~0@axis] min= select(x[i..., k...@axis] == minelem[i...] or isnan(x[i..., k...@axis]), "
               "flat(k...), highest(out))",
    .samples = {"x=f32[n,4] | R.argmin(x, axis=1)", "x=f32[n,3] | R.argmin(x)"},
};
const op op_median = {
    .name = "median",
    .doc = "The middle element, the lower one of two; with one axis also its place. A NaN counts as the largest; of no "
           "elements NaN, or 0.",
    .input = {IN("data", TENSOR, "any shape")},
    .attr = {AXIS, KEEP},
    .infer = infer_median,
    .call = "median(axis#; values, places:several)",
    .samples = {"x=f32[n,4] | R.median(x, axis=[1])", "x=f32[5] | R.median(x)"},
};
