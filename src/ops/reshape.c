// reshape.c - R.reshape, R.flatten, R.nn.batch_flatten: the same elements in row-major order under other dims.
#include "ops/table.h"

#define SAME_ELEMENTS "out[i...] = x[unflat(flat(i...))]"

// One dim of -1 is what the others leave of the elements.
static bool fill_free_dim(infer_ctx *c, const node *n, const ann *x, const expr **dim, uint32_t rank) {
    int32_t at = -1;
    const expr *others = dim_int(c, 1);
    for (uint32_t i = 0; i < rank; i++) {
        if (!expr_is_int(dim[i], -1)) {
            others = dim_op(c, EXPR_MUL, others, dim[i]);
            continue;
        }
        if (at >= 0) return infer_error(c, n, "only one dim can be -1"), false;
        at = (int32_t)i;
    }
    if (at < 0) return true;
    if (!has_dims(x)) return infer_error(c, n, "-1 needs the dims of x, which is %s", ann_to_text(c->mem, x)), false;
    const expr *all = dims_product(c, x->dim, (uint32_t)x->rank);
    const expr *rest = dim_op(c, EXPR_FLOOR_MOD, all, others);
    if (expr_is_int(others, 0) || dims_differ(c, rest, dim_int(c, 0)))
        return infer_error(c, n, "%s has no whole number of rows of %s elements", dims_text(c, x),
                           expr_to_text(c->mem, others)),
               false;
    dim[at] = dim_op(c, EXPR_FLOOR_DIV, all, others);
    return true;
}

static const ann *infer_reshape(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *shape = infer_in(n, 1);
    const expr *dim[INFER_MAX_RANK];
    if (!has_rank(shape) || shape->rank > INFER_MAX_RANK) return infer_rank(c, x, x->type, RANK_UNKNOWN);
    if (!has_dims(shape)) return infer_rank(c, x, x->type, shape->rank);
    uint32_t rank = (uint32_t)shape->rank;
    for (uint32_t i = 0; i < rank; i++) dim[i] = shape->dim[i];
    if (!fill_free_dim(c, n, x, dim, rank)) return NULL;
    if (has_dims(x)) {
        const expr *before = dims_product(c, x->dim, (uint32_t)x->rank), *after = dims_product(c, dim, rank);
        if (dims_differ(c, before, after))
            return infer_error(c, n, "%s has %s, the new shape %s", dims_text(c, x), counted_text(c, before, "element"),
                               expr_to_text(c->mem, after));
    }
    return infer_tensor(c, x, x->type, dim, rank);
}

static const ann *infer_flatten(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    if (x->rank == 1) return x;
    if (!has_dims(x)) return infer_rank(c, x, x->type, 1);
    const expr *all = dims_product(c, x->dim, (uint32_t)x->rank);
    return infer_tensor(c, x, x->type, &all, 1);
}

static const ann *infer_batch_flatten(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    if (x->rank == 0 || x->rank == 1)
        return infer_error(c, n, "data: want at least two dims, got %s", ann_to_text(c->mem, x));
    if (x->rank == 2) return x;
    if (!has_dims(x)) return infer_rank(c, x, x->type, 2);
    const expr *dim[] = {x->dim[0], dims_product(c, x->dim + 1, (uint32_t)x->rank - 1)};
    return infer_tensor(c, x, x->type, dim, 2);
}

const op op_reshape = {
    .name = "reshape",
    .doc = "The elements in row-major order under another shape; one dim may be -1: what the others leave.",
    .input = {IN("x", TENSOR, "any shape"), IN("shape", SHAPE, "the new shape, of as many elements")},
    .infer = infer_reshape,
    .compute = SAME_ELEMENTS,
    .samples = {"x=f32[n,4] | R.reshape(x, R.shape([n * 4]))", "x=f32[6] | R.reshape(x, R.shape([2, 3]))"},
};
const op op_flatten = {
    .name = "flatten",
    .doc = "All elements in one dim, in row-major order.",
    .input = {IN("x", TENSOR, "any shape")},
    .infer = infer_flatten,
    .compute = SAME_ELEMENTS,
    .samples = {"x=f32[n,4] | R.flatten(x)"},
};
const op op_nn_batch_flatten = {
    .name = "nn.batch_flatten",
    .doc = "All dims but the first in one dim.",
    .input = {IN("data", TENSOR, "at least two dims")},
    .infer = infer_batch_flatten,
    .compute = "out[i...] = data[unflat(flat(i...))]",
    .samples = {"x=f32[n,2,3] | R.nn.batch_flatten(x)"},
};
