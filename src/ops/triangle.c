// triangle.c - R.tril and R.triu: the lower or upper triangle of each matrix, the rest 0.
#include "ops/table.h"

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    if (x->rank == 0 || x->rank == 1) return infer_error(c, n, "x: want at least two dims, got %d", x->rank);
    return x;
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    bool lower_part = n->op->name[3] == 'l';
    name_list names = {0};
    if (n->count < 2) name_number(c, &names, "k", 0);
    return compute_with(c, n,
                        lower_part ? "out[i..., row, col] = select(col <= row + k, x[i..., row, col], 0)"
                                   : "out[i..., row, col] = select(col >= row + k, x[i..., row, col], 0)",
                        &names);
}

#define MATRICES                                                                                                       \
    IN("x", TENSOR, "matrices in the last two dims"),                                                                  \
        IN_OPTIONAL("k", PRIM, "the diagonal: 0 the main one, more to the right")

const op op_tril = {
    .name = "tril",
    .doc = "The elements on and below a diagonal of each matrix; the rest is 0.",
    .input = {MATRICES},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,4] | R.tril(x, R.prim_value(1))", "x=f32[2,3,3] | R.tril(x, R.prim_value(-1))"},
};
const op op_triu = {
    .name = "triu",
    .doc = "The elements on and above a diagonal of each matrix; the rest is 0.",
    .input = {MATRICES},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,4] | R.triu(x, R.prim_value(1))", "x=f32[2,3,3] | R.triu(x, R.prim_value(-1))"},
};
