// tile.c - R.tile, R.repeat, R.flip: elements used more than once, or from the end.
#include "ops/table.h"

static const ann *infer_tile(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const attr *times = node_attr(n, "repeats");
    const expr *dim[INFER_MAX_RANK];
    if (!has_rank(x)) return x;
    int32_t rank = x->rank > (int32_t)times->count ? x->rank : (int32_t)times->count;
    if (rank > INFER_MAX_RANK) return infer_error(c, n, "repeats: want at most %d numbers", INFER_MAX_RANK);
    if (!has_dims(x)) return infer_rank(c, x, x->type, rank);
    for (int32_t i = 0; i < rank; i++) {
        int32_t from_x = i - (rank - x->rank), from_times = i - (rank - (int32_t)times->count);
        const expr *here = from_x < 0 ? dim_int(c, 1) : x->dim[from_x];
        int64_t by = 1;
        if (from_times >= 0) attr_get_int(times->list[from_times], &by);
        dim[i] = by == 0 ? dim_int(c, 0) : dim_op(c, EXPR_MUL, here, dim_int(c, by));
    }
    return infer_tensor(c, x, x->type, dim, (uint32_t)rank);
}

// The dims of x with 1 for the leading ones it does not have.
static const loop_func *lower_tile(const lower_ctx *c, const node *n) {
    const ann *x = n->in[0]->type;
    const expr *size[INFER_MAX_RANK];
    int32_t rank = n->type->rank;
    for (int32_t i = 0; i < rank; i++) {
        int32_t k = i - (rank - x->rank);
        size[i] = k < 0 ? expr_i64(c->exprs, 1) : x->dim[k];
    }
    name_list names = {0};
    name_exprs(c, &names, "period", size, (uint32_t)rank);
    return compute_with(c, n, "out[i...] = data[i... % period]", &names);
}

static const ann *infer_repeat(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const expr *dim[INFER_MAX_RANK];
    int64_t times = attr_int_of(n, "repeats");
    uint32_t axis = 0;
    const expr *by = dim_int(c, times);
    if (attr_is_none(n, "axis")) {
        if (!has_dims(x)) return infer_rank(c, x, x->type, 1);
        dim[0] = dim_op(c, EXPR_MUL, dims_product(c, x->dim, (uint32_t)x->rank), by);
        return infer_tensor(c, x, x->type, dim, 1);
    }
    if (!has_rank(x)) return x;
    if (!infer_axis(c, n, attr_int_of(n, "axis"), x->rank, &axis)) return NULL;
    if (!has_dims(x)) return x;
    for (int32_t i = 0; i < x->rank; i++) dim[i] = (uint32_t)i == axis ? dim_op(c, EXPR_MUL, x->dim[i], by) : x->dim[i];
    return infer_tensor(c, x, x->type, dim, (uint32_t)x->rank);
}

static const loop_func *lower_repeat(const lower_ctx *c, const node *n) {
    int64_t times = attr_int_of(n, "repeats");
    name_list names = {0};
    name_number(c, &names, "times", times ? times : 1); // with 0 there is no element
    if (attr_is_none(n, "axis")) return compute_with(c, n, "out[k] = data[unflat(k // times)]", &names);
    return compute_with(c, n, "out[i..., k@axis] = data[i..., k // times@axis]", &names);
}

static const ann *infer_flip(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    uint32_t axis;
    return !has_rank(x) || infer_axis(c, n, attr_int_of(n, "axis"), x->rank, &axis) ? x : NULL;
}

const op op_tile = {
    .name = "tile",
    .doc = "The whole tensor repeated along its dims, from the last one; more repeats than dims make new leading dims.",
    .input = {IN("data", TENSOR, "any shape")},
    .attr = {ATTR_AT("repeats", INTS, NULL, "how often, for the last dims", .range = "[0, inf)")},
    .infer = infer_tile,
    .lower = lower_tile,
    .samples = {"x=f32[n,2] | R.tile(x, repeats=[2, 1, 3])"},
};
const op op_repeat = {
    .name = "repeat",
    .doc = "Every element repeated in place along one dim.",
    .input = {IN("data", TENSOR, "any shape")},
    .attr = {ATTR_AT("repeats", INT, NULL, "how often", .range = "[0, inf)"),
             ATTR_AT("axis", INT, "None", "the dim; None: of the flat tensor")},
    .infer = infer_repeat,
    .lower = lower_repeat,
    .samples = {"x=f32[n,2] | R.repeat(x, repeats=3, axis=0)", "x=f32[n,2] | R.repeat(x, repeats=2)"},
};
const op op_flip = {
    .name = "flip",
    .doc = "The elements along one dim from the last to the first.",
    .input = {IN("data", TENSOR, "at least one dim")},
    .attr = {ATTR_AT("axis", INT, NULL, "the dim")},
    .infer = infer_flip,
    .compute = "out[i..., k@axis] = data[i..., extent(k) - 1 - k@axis]",
    .samples = {"x=f32[n,4] | R.flip(x, axis=0)"},
};
