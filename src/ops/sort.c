// sort.c - R.sort, argsort, topk, unique, nonzero, bucketize: order and sets. The first three are stable, and a NaN is
// the largest value.
#include "ops/table.h"

// Of a scalar any axis will do: there is nothing to order.
static bool axis_fits(infer_ctx *c, const node *n, uint32_t *axis) {
    const ann *x = infer_in(n, 0);
    return x->rank <= 0 || infer_axis(c, n, attr_int_of(n, "axis"), x->rank, axis);
}

static const ann *infer_sort(infer_ctx *c, const node *n) {
    uint32_t axis;
    return axis_fits(c, n, &axis) ? infer_in(n, 0) : NULL;
}

static const ann *infer_argsort(infer_ctx *c, const node *n) {
    uint32_t axis;
    return axis_fits(c, n, &axis) ? infer_like(c, infer_in(n, 0), attr_type_of(n, "dtype", DTYPE_OF(I32))) : NULL;
}

// More than there are is all there are, where that is known, as TVM deduces it. Where only the run tells, the deduced
// size is k, so that fewer are an error then.
static int64_t at_most(infer_ctx *c, int64_t k, const expr *dim) {
    int64_t extent;
    if (expr_const_int(dim, &extent)) return k < extent ? k : extent;
    dims_exceed(c, dim_int(c, k), dim);
    return k;
}

static const ann *infer_topk(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const expr *dim[INFER_MAX_RANK];
    uint32_t axis = 0;
    int64_t k = attr_int_of(n, "k");
    if (!axis_fits(c, n, &axis)) return NULL;
    if (has_dims(x) && x->rank && k > 0) k = at_most(c, k, x->dim[axis]);
    const ann *values = infer_rank(c, x, x->type, x->rank);
    if (has_dims(x)) {
        for (int32_t i = 0; i < x->rank; i++)
            dim[i] = (uint32_t)i == axis && attr_int_of(n, "k") > 0 ? dim_int(c, k) : x->dim[i];
        values = infer_tensor(c, x, x->type, dim, (uint32_t)x->rank);
    }
    const ann *both[] = {values, infer_like(c, values, attr_type_of(n, "dtype", DTYPE_OF(I32)))};
    if (attr_text_is(n, "ret_type", "values")) return both[0];
    if (attr_text_is(n, "ret_type", "indices")) return both[1];
    return ann_tuple(c->mem, both, 2);
}

// --- unique: flags are scalar operands.
static bool flag(infer_ctx *c, const node *n, uint32_t i, bool *out) {
    int64_t value = 0;
    *out = false;
    if (i >= n->count) return true;
    const expr *e = infer_in(n, i)->value;
    if (!e || !expr_const_int(e, &value))
        return infer_error(c, n, "%s: want a known flag", n->op->input[i].name), false;
    *out = value != 0;
    return true;
}

static const ann *infer_unique(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *out[4];
    uint32_t outs = 1, axis;
    bool by_axis = n->count > 5;
    int64_t written = 0;
    if (by_axis && (!infer_in(n, 5)->value || !expr_const_int(infer_in(n, 5)->value, &written)))
        return infer_error(c, n, "axis: want a number");
    if (by_axis && has_rank(x) && !infer_axis(c, n, written, x->rank, &axis)) return NULL;
    out[0] = infer_rank(c, x, x->type, by_axis ? x->rank : 1);
    for (uint32_t i = 2; i < 5; i++) {
        bool wanted;
        if (!flag(c, n, i, &wanted)) return NULL;
        if (wanted) out[outs++] = infer_rank(c, x, DTYPE_OF(I64), 1);
    }
    return outs == 1 ? out[0] : ann_tuple(c->mem, out, outs);
}

static const ann *infer_nonzero(infer_ctx *c, const node *n) { return infer_rank(c, infer_in(n, 0), DTYPE_OF(I64), 2); }

static const ann *infer_bucketize(infer_ctx *c, const node *n) {
    if (!infer_want_rank(c, n, 1, 1)) return NULL;
    return infer_like(c, infer_in(n, 0), attr_int_of(n, "out_int32") ? DTYPE_OF(I32) : DTYPE_OF(I64));
}

// How many boundaries lie below the value (or at it, with right).
static const loop_func *lower_bucketize(const lower_ctx *c, const node *n) {
    const char *below = attr_int_of(n, "right") ? "<=" : "<";
    return compute_build(
        c, n, arena_format(c->mem, "out[i...] += select(boundaries[k] %s input_tensor[i...], 1, 0)", below), NULL, 0);
}

#define SORT_AXIS ATTR_AT("axis", INT, "-1", "the dim")
#define DESCENDING ATTR_AT("descending", BOOL, "False", "the largest first")

const op op_sort = {
    .name = "sort",
    .doc = "The elements along one dim in order.",
    .input = {IN("data", TENSOR, "any shape")},
    .attr = {SORT_AXIS, DESCENDING},
    .infer = infer_sort,
    .call = "sort(axis, descending)",
    .samples = {"x=f32[n,4] | R.sort(x, axis=1)"},
};
const op op_argsort = {
    .name = "argsort",
    .doc = "The places of the elements along one dim in order.",
    .input = {IN("data", TENSOR, "any shape")},
    .attr = {SORT_AXIS, DESCENDING, ATTR("dtype", DTYPE, "\"int32\"", "of the places", .range = "int32|int64")},
    .infer = infer_argsort,
    .call = "argsort(axis, descending)",
    .samples = {"x=f32[n,4] | R.argsort(x, axis=1)"},
};
const op op_topk = {
    .name = "topk",
    .doc = "The k largest or smallest elements along one dim in order, and their places.",
    .input = {IN("data", TENSOR, "any shape")},
    .attr = {ATTR_AT("k", INT, "1", "how many; -1 or 0: all", .range = "[-1, inf)"), SORT_AXIS,
             ATTR("ret_type", STRING, "\"both\"", "what is given", .range = "both|values|indices"),
             ATTR("largest", BOOL, "True", "the largest, else the smallest"),
             ATTR("dtype", DTYPE, "\"int32\"", "of the places", .range = "int32|int64")},
    .infer = infer_topk,
    .call = "topk(axis, largest; values, indices)",
    .samples = {"x=f32[n,4] | R.topk(x, k=2, axis=1)"},
};
const op op_unique = {
    .name = "unique",
    .doc =
        "The distinct elements, in order; on request where each first was, which one each element is, and how often.",
    .input = {IN("x", TENSOR, "any shape"), IN_OPTIONAL("sorted", PRIM, "always in order here"),
              IN_OPTIONAL("return_index", PRIM, "1: also the place of the first of each"),
              IN_OPTIONAL("return_inverse", PRIM, "1: also which one each element is"),
              IN_OPTIONAL("return_counts", PRIM, "1: also how often each is there"),
              IN_OPTIONAL("axis", PRIM, "the dim; left out: of the flat tensor")},
    .infer = infer_unique,
    .alloc = "unique(return_index, return_inverse, return_counts, axis=none)",
    .samples = {"x=f32[n] | R.unique(x)"},
};
const op op_nonzero = {
    .name = "nonzero",
    .doc = "The places of the elements that are not 0, one row per dim.",
    .input = {IN("x", TENSOR, "any shape")},
    .infer = infer_nonzero,
    .alloc = "nonzero",
    .samples = {"x=f32[n,4] | R.nonzero(x)"},
};
const op op_bucketize = {
    .name = "bucketize",
    .doc = "For each value how many boundaries lie below it.",
    .input = {IN("input_tensor", TENSOR, "any shape"), IN("boundaries", TENSOR, "ascending, one dim")},
    .attr = {ATTR_AT("out_int32", BOOL, "False", "int32 instead of int64"),
             ATTR_AT("right", BOOL, "False", "count a boundary that equals the value")},
    .infer = infer_bucketize,
    .lower = lower_bucketize,
    .samples = {"x=f32[n,4] b=f32[3] | R.bucketize(x, b)"},
};
