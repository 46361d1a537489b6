// choose.c - elementwise operators of more than two operands, and casts: R.where, ewise_fma, clip, astype.
#include "base/count_noun.h"
#include "ops/table.h"

// All operands broadcast to one shape.
static bool broadcast_all(infer_ctx *c, const node *n, uint32_t count, shape_guess *out) {
    *out = shape_of_ann(infer_in(n, 0));
    for (uint32_t i = 1; i < count; i++) {
        shape_guess next = shape_of_ann(infer_in(n, i)), sum;
        if (!infer_broadcast(c, n, out, &next, &sum)) return false;
        *out = sum;
    }
    return true;
}

// TVM promotes nothing here: both sides have one dtype, the condition is bool.
static const ann *infer_where(infer_ctx *c, const node *n) {
    dtype type, condition = infer_in(n, 0)->type;
    shape_guess s;
    char spelled[32];
    if (condition.kind && condition.kind != DTYPE_BOOL)
        return infer_error(c, n, "condition: want bool, got %s", dtype_spell(condition, spelled));
    if (!infer_same_dtype(c, n, 1, 2, &type) || !broadcast_all(c, n, 3, &s)) return NULL;
    return infer_shaped(c, infer_in(n, 1), type, &s);
}

// Three operands of one shape: they do not broadcast.
static const ann *infer_fma(infer_ctx *c, const node *n) {
    dtype type, other;
    if (!infer_same_dtype(c, n, 0, 1, &type) || !infer_same_dtype(c, n, 0, 2, &other)) return NULL;
    const ann *best = infer_in(n, 0);
    for (uint32_t i = 1; i < 3; i++) {
        const ann *a = infer_in(n, i);
        if (has_rank(best) && has_rank(a) && best->rank != a->rank)
            return infer_error(c, n, "want operands of one shape, got %d and %s", best->rank, COUNTED(a->rank, "dim"));
        for (int32_t k = 0; has_dims(best) && has_dims(a) && k < a->rank; k++)
            if (dims_differ(c, best->dim[k], a->dim[k]))
                return infer_error(c, n, "want operands of one shape, got %s and %s", dims_text(c, best),
                                   dims_text(c, a));
        if (!has_dims(best) && (has_dims(a) || !has_rank(best))) best = a;
    }
    return infer_like(c, best, other.kind ? type : other);
}

// An unset dtype keeps the old one.
static const ann *infer_astype(infer_ctx *c, const node *n) {
    return infer_like(c, infer_in(n, 0), attr_type_of(n, "dtype", infer_in(n, 0)->type));
}

const op op_where = {
    .name = "where",
    .doc = "x1 where the condition is true, else x2; all broadcast.",
    .input = {IN("condition", TENSOR, "bool"), IN("x1", TENSOR, "where true"), IN("x2", TENSOR, "where false")},
    .infer = infer_where,
    .compute = "out[i...] = select(condition[i...], x1[i...], x2[i...])",
    .samples = {"c=bool[n,4] x=f32[4] y=f32[n,1] | R.where(c, x, y)"},
};
const op op_ewise_fma = {
    .name = "ewise_fma",
    .doc = "x1 * x2 + x3, elementwise on operands of one shape.",
    .input = {IN("x1", TENSOR, "a factor"), IN("x2", TENSOR, "a factor"), IN("x3", TENSOR, "what is added")},
    .infer = infer_fma,
    .compute = "out[i...] = x1[i...] * x2[i...] + x3[i...]",
    .samples = {"x=f32[n,4] y=f32[n,4] z=f32[n,4] | R.ewise_fma(x, y, z)"},
};
const op op_clip = {
    .name = "clip",
    .doc = "x moved into [min, max]; a NaN stays.",
    .input = {IN("x", TENSOR, "any shape"), IN("min", PRIM, "the least value"), IN("max", PRIM, "the largest value")},
    .infer = infer_same_as_first,
    .compute = "out[i...] = min(max(x[i...], min), max)",
    .samples = {"x=f32[n,4] | R.clip(x, R.prim_value(0), R.prim_value(6))"},
};
const op op_astype = {
    .name = "astype",
    .doc = "The elements as another dtype. Floats to integers: toward zero, saturating, NaN is 0; to bool: not 0.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {ATTR_AT("dtype", DTYPE, NULL, "the new dtype")},
    .infer = infer_astype,
    .compute = "out[i...] = x[i...]",
    .samples = {"x=f32[n,4] | R.astype(x, dtype=\"int32\")"},
};
const op op_wrap_param = {
    .name = "wrap_param",
    .doc = "A parameter cast to the dtype it is used in.",
    .input = {IN("data", TENSOR, "a parameter")},
    .attr = {ATTR_AT("dtype", DTYPE, "\"float32\"", "the dtype")},
    .infer = infer_astype,
    .compute = "out[i...] = data[i...]",
    .samples = {"x=f16[n,4] | R.wrap_param(x, dtype=\"float32\")"},
};
