// multinomial.c - R.multinomial_from_uniform: classes drawn by given random numbers.
#include "ops/table.h"

static bool check_pairs(infer_ctx *c, const node *n) {
    const ann *u = infer_in(n, 1), *at = infer_in(n, 2);
    for (uint32_t i = 1; i < 3; i++) {
        const ann *a = infer_in(n, i);
        if (has_dims(a) && dims_differ(c, a->dim[1], dim_int(c, 1)))
            return infer_error(c, n, "%s: want one column, got %s", n->op->input[i].name, dims_text(c, a)), false;
    }
    if (!has_dims(u) || !has_dims(at) || !dims_differ(c, u->dim[0], at->dim[0])) return true;
    return infer_error(c, n, "uniform_sample has %s, sample_indices %s", counted_text(c, u->dim[0], "row"),
                       expr_to_text(c->mem, at->dim[0])),
           false;
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *u = infer_in(n, 1), *at = infer_in(n, 2);
    dtype type = attr_type_of(n, "dtype", DTYPE_OF(I64));
    for (uint32_t i = 0; i < 3; i++)
        if (!infer_want_rank(c, n, i, 2)) return NULL;
    if (!infer_want_floats(c, n, 0) || !infer_want_floats(c, n, 1)) return NULL;
    if (!infer_want_integers(c, n, 2)) return NULL;
    if (!check_pairs(c, n)) return NULL;
    const ann *rows = has_dims(u) ? u : at;
    if (!has_dims(rows)) return infer_rank(c, u, type, 2);
    const expr *dim[] = {rows->dim[0], dim_int(c, 1)};
    return infer_tensor(c, u, type, dim, 2);
}

const op op_multinomial_from_uniform = {
    .name = "multinomial_from_uniform",
    .doc = "For each random number the first class up to which the probabilities add up to more than it.",
    .input = {IN("prob", TENSOR, "[rows, classes]"), IN("uniform_sample", TENSOR, "[draws, 1], in [0, 1)"),
              IN("sample_indices", TENSOR, "[draws, 1]: which row each draws from")},
    .attr = {ATTR_AT("dtype", DTYPE, "\"int64\"", "of the classes", .range = "integers")},
    .infer = infer,
    .compute =
        "cumsum[b, v@1] scan += prob[b, v@1];"
        "below[i, j] += select(if_then_else(dim(prob, 0) > 0, cumsum[wrap(sample_indices[i, j], dim(prob, 0)), v], 0)"
        "    <= uniform_sample[i, j], 1, 0);"
        "out[i, j] = min(below[i, j], dim(prob, 1) - 1)",
    .samples = {"p=f32[n,4] u=f32[m,1] i=i64[m,1] | R.multinomial_from_uniform(p, u, i)"},
};
