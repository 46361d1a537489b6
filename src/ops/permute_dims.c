// permute_dims.c - R.permute_dims: the dims in another order.
#include "base/count_noun.h"
#include "ops/table.h"

static bool order_of(infer_ctx *c, const node *n, int32_t rank, axis_set *out) {
    if (!infer_axes(c, n, node_attr(n, "axes"), rank, out)) return false;
    if (out->count == (uint32_t)rank) return true;
    infer_error(c, n, "axes: want all %s, got %u", COUNTED(rank, "dim"), out->count);
    return false;
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const attr *axes = node_attr(n, "axes");
    const expr *dim[INFER_MAX_RANK];
    axis_set order;
    bool reversed = axes->kind == ATTR_NONE;
    if (!has_rank(x) && !reversed) return infer_rank(c, x, x->type, (int32_t)axes->count);
    if (!has_rank(x)) return x;
    if (!order_of(c, n, x->rank, &order)) return NULL;
    if (!has_dims(x)) return x;
    for (int32_t i = 0; i < x->rank; i++) dim[i] = x->dim[reversed ? x->rank - 1 - i : (int32_t)order.list[i]];
    return infer_tensor(c, x, x->type, dim, (uint32_t)x->rank);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    int64_t order[INFER_MAX_RANK];
    uint32_t rank = (uint32_t)n->type->rank, count = attr_numbers(n, "axes", order, INFER_MAX_RANK);
    for (uint32_t i = 0; !count && i < rank; i++) order[i] = rank - 1 - i;
    name_list names = {0};
    name_numbers(c, &names, "order", order, rank);
    return compute_with(c, n, "out[i...] = x[i...@order]", &names);
}

const op op_permute_dims = {
    .name = "permute_dims",
    .doc = "The dims in another order: dim i of the result is dim axes[i] of x. Without axes: reversed.",
    .input = {IN("x", TENSOR, "any shape")},
    .attr = {ATTR_AT("axes", INTS, "None", "the dims of x in their new order; None: reversed")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,2,3] | R.permute_dims(x, axes=[1, 2, 0])", "x=f32[n,4] | R.permute_dims(x)"},
};
