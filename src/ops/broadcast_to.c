// broadcast_to.c - R.broadcast_to: a tensor repeated along dims of 1 and new leading dims.
#include "base/count_noun.h"
#include "ops/table.h"

static bool dim_broadcasts(infer_ctx *c, const node *n, const expr *from, const expr *to) {
    if (!dims_unfit(c, from, to)) return true;
    infer_error(c, n, "dim %s does not broadcast to %s", expr_to_text(c->mem, from), expr_to_text(c->mem, to));
    return false;
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *to = infer_in(n, 1);
    if (has_rank(x) && has_rank(to) && to->rank < x->rank)
        return infer_error(c, n, "%s do not broadcast to %d", COUNTED(x->rank, "dim"), to->rank);
    if (!has_dims(to)) return infer_rank(c, x, x->type, to->rank);
    for (int32_t i = 0; has_dims(x) && i < x->rank; i++)
        if (!dim_broadcasts(c, n, x->dim[i], to->dim[i + to->rank - x->rank])) return NULL;
    return infer_tensor(c, x, x->type, to->dim, (uint32_t)to->rank);
}

const op op_broadcast_to = {
    .name = "broadcast_to",
    .doc = "Repeats x along its dims of 1 and along new leading dims, by NumPy's rules.",
    .input = {IN("x", TENSOR, "any shape"), IN("shape", SHAPE, "the shape to reach")},
    .infer = infer,
    .compute = "out[i...] = x[i...]",
    .samples = {"x=f32[n,1] | R.broadcast_to(x, R.shape([2, n, 4]))"},
};
