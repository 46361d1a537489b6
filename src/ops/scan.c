// scan.c - R.cumsum and R.cumprod: running sums and products.
#include "ops/table.h"

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    dtype type = attr_type_of(n, "dtype", x->type);
    uint32_t axis;
    if (attr_is_none(n, "axis")) {
        const expr *all = has_dims(x) ? dims_product(c, x->dim, (uint32_t)x->rank) : NULL;
        return all ? infer_tensor(c, x, type, &all, 1) : infer_rank(c, x, type, 1);
    }
    if (x->rank > 0 && !infer_axis(c, n, attr_int_of(n, "axis"), x->rank, &axis)) return NULL;
    return infer_like(c, x, type);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    bool sum = n->op->name[3] == 's', flat = attr_is_none(n, "axis") || n->in[0]->type->rank == 0;
    const char *left = flat ? "out[k@0]" : "out[i..., k@axis]";
    const char *right = flat ? "data[unflat(k)]" : "data[i..., k@axis]";
    if (n->type->rank == 0) left = "out[]", right = "data[]";
    const char *how = n->type->rank == 0 ? "=" : sum ? "scan +=" : "scan *=";
    return compute_build(c, n, arena_format(c->mem, "%s %s %s", left, how, right), NULL, 0);
}

#define SCAN_ATTRS                                                                                                     \
    ATTR_AT("axis", INT, "None", "the dim; None: of the flat tensor"),                                                 \
        ATTR("dtype", DTYPE, "\"void\"", "of the result; unset: that of data", .range = "floats|integers"),            \
        ATTR("exclusive", BOOL, "False", "each element stands for those before it alone")

const op op_cumsum = {
    .name = "cumsum",
    .doc = "Running sums along one dim; integers wrap, halves are added up in float32.",
    .input = {IN("data", TENSOR, "any shape")},
    .attr = {SCAN_ATTRS},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,4] | R.cumsum(x, axis=1)", "x=i32[n,3] | R.cumsum(x, axis=0, exclusive=True)"},
};
const op op_cumprod = {
    .name = "cumprod",
    .doc = "Running products along one dim; integers wrap, halves are multiplied in float32.",
    .input = {IN("data", TENSOR, "any shape")},
    .attr = {SCAN_ATTRS},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,4] | R.cumprod(x, axis=1)"},
};
