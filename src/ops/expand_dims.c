// expand_dims.c - R.expand_dims and R.squeeze: dims of 1 put in and taken out.
#include "ops/table.h"

static const ann *infer_expand(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const attr *axes = node_attr(n, "axis");
    const expr *dim[INFER_MAX_RANK];
    axis_set at;
    if (attr_is_none(n, "axis")) return infer_error(c, n, "axis must be given");
    if (!has_rank(x)) return x;
    int32_t rank = x->rank + (int32_t)axes->count;
    if (!infer_axes(c, n, axes, rank, &at)) return NULL;
    if (!has_dims(x)) return infer_rank(c, x, x->type, rank);
    for (int32_t i = 0, k = 0; i < rank; i++) dim[i] = at.has[i] ? dim_int(c, 1) : x->dim[k++];
    return infer_tensor(c, x, x->type, dim, (uint32_t)rank);
}

// Without axes every dim of 1 goes: which those are must be known for a rank to be known.
static const ann *squeeze_all(infer_ctx *c, const ann *x) {
    const expr *dim[INFER_MAX_RANK];
    uint32_t rank = 0;
    if (!has_dims(x)) return infer_rank(c, x, x->type, RANK_UNKNOWN);
    for (int32_t i = 0; i < x->rank; i++) {
        if (dim_is(c, x->dim[i], 1)) continue;
        if (!dims_unequal(c, x->dim[i], dim_int(c, 1))) return infer_rank(c, x, x->type, RANK_UNKNOWN);
        dim[rank++] = x->dim[i];
    }
    return infer_tensor(c, x, x->type, dim, rank);
}

// A named dim that only the run shows to be 1 is checked there.
static const ann *infer_squeeze(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const attr *axes = node_attr(n, "axis");
    const expr *dim[INFER_MAX_RANK];
    axis_set at;
    uint32_t rank = 0;
    if (!has_rank(x)) return infer_rank(c, x, x->type, RANK_UNKNOWN);
    if (axes->kind == ATTR_NONE) return squeeze_all(c, x);
    if (!infer_axes(c, n, axes, x->rank, &at)) return NULL;
    for (int32_t i = 0; i < x->rank; i++) {
        if (at.has[i] && x->dim && dims_differ(c, x->dim[i], dim_int(c, 1)))
            return infer_error(c, n, "dim %d is %s, not 1", (int)i, expr_to_text(c->mem, x->dim[i]));
        if (!at.has[i] && x->dim) dim[rank] = x->dim[i];
        rank += !at.has[i];
    }
    return x->dim ? infer_tensor(c, x, x->type, dim, rank) : infer_rank(c, x, x->type, (int32_t)rank);
}

// The dims that go, worked out again from the ranks: those named, else those of 1.
static const loop_func *lower_squeeze(const lower_ctx *c, const node *n) {
    int64_t at[INFER_MAX_RANK];
    const ann *x = n->in[0]->type;
    uint32_t count = attr_numbers(n, "axis", at, INFER_MAX_RANK);
    if (attr_is_none(n, "axis"))
        for (int32_t i = 0; i < x->rank; i++)
            if (prove_equal(c->exprs, x->dim[i], expr_i64(c->exprs, 1), NULL)) at[count++] = i;
    name_list names = {0};
    name_numbers(c, &names, "gone", at, count);
    return compute_with(c, n, "out[i...] = x[i..., 0@gone]", &names);
}

const op op_expand_dims = {
    .name = "expand_dims",
    .doc = "Puts in dims of 1.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {ATTR_AT("axis", INTS, NULL, "where the dims of 1 stand in the result")},
    .infer = infer_expand,
    .compute = "out[i..., one...@axis] = x[i...]",
    .samples = {"x=f32[n,4] | R.expand_dims(x, axis=[0, -1])"},
};
const op op_squeeze = {
    .name = "squeeze",
    .doc = "Takes out dims of 1.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {ATTR_AT("axis", INTS, "None", "the dims of 1 that go; None: all of them")},
    .infer = infer_squeeze,
    .lower = lower_squeeze,
    .samples = {"x=f32[n,1,4,1] | R.squeeze(x, axis=[1, 3])", "x=f32[1,4,1] | R.squeeze(x)"},
};
