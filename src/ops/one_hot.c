// one_hot.c - R.one_hot: indices as rows with one element set.
#include "ops/table.h"

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *on = infer_in(n, 1), *off = infer_in(n, 2);
    const expr *dim[INFER_MAX_RANK];
    uint32_t axis;
    int64_t depth = attr_int_of(n, "depth");
    char spelled[32], other[32];
    if (!infer_want_integers(c, n, 0)) return NULL;
    if (!dtype_equal(on->type, off->type))
        return infer_error(c, n, "want on_value and off_value of one dtype, got %s and %s",
                           dtype_spell(on->type, spelled), dtype_spell(off->type, other));
    if (!has_rank(x)) return infer_rank(c, x, on->type, RANK_UNKNOWN);
    if (!infer_axis(c, n, attr_int_of(n, "axis"), x->rank + 1, &axis)) return NULL;
    if (!has_dims(x)) return infer_rank(c, x, on->type, x->rank + 1);
    for (uint32_t i = 0, k = 0; i <= (uint32_t)x->rank; i++) dim[i] = i == axis ? dim_int(c, depth) : x->dim[k++];
    return infer_tensor(c, x, on->type, dim, (uint32_t)x->rank + 1);
}

const op op_one_hot = {
    .name = "one_hot",
    .doc = "Along a new dim: on_value where the place is the index, else off_value; out of range: all off_value.",
    .input = {IN("indices", TENSOR, "integers of any shape"), IN("on_value", PRIM, "at the index"),
              IN("off_value", PRIM, "elsewhere")},
    .attr = {ATTR_AT("depth", INT, NULL, "extent of the new dim", .range = "[1, inf)"),
             ATTR_AT("axis", INT, "-1", "where the new dim stands")},
    .infer = infer,
    .compute = "out[i..., k@axis] = select(cast(indices[i...], int64) == k, on_value, off_value)",
    .samples = {"i=i64[n] | R.one_hot(i, R.prim_value(1), R.prim_value(0), depth=3, axis=-1)"},
};
