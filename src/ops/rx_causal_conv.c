// rx_causal_conv.c - R.rx.causal_conv1d: each channel convolved along time with its own kernel, seeing only the past.
#include "ops/table.h"

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_float_same(c, n), *w = infer_in(n, 1);
    dtype type;
    if (!x || !infer_want_rank(c, n, 0, 3) || !infer_want_rank(c, n, 1, 2) || !infer_same_dtype(c, n, 0, 1, &type))
        return NULL;
    if (n->count > 2 && (!infer_want_rank(c, n, 2, 3) || !infer_same_dtype(c, n, 0, 2, &type))) return NULL;
    if (has_dims(x) && has_dims(w) && dims_differ(c, x->dim[2], w->dim[0]))
        return infer_error(c, n, "data has %s, the weight %s", counted_text(c, x->dim[2], "channel"),
                           expr_to_text(c->mem, w->dim[0]));
    return infer_like(c, x, type);
}

// What lies before the first step is the state's, or 0.
static const loop_func *lower(const lower_ctx *c, const node *n) {
    const char *past = n->count > 2 ? "if_then_else(dim(state, 1) + t + k - dim(weight, 1) + 1 >= 0, "
                                      "state[b, dim(state, 1) + t + k - dim(weight, 1) + 1, c], 0)"
                                    : "0";
    return compute_build(c, n,
                         arena_format(c->mem,
                                      "out[b, t, c] += if_then_else(t + k - dim(weight, 1) + 1 >= 0, "
                                      "data[b, t + k - dim(weight, 1) + 1, c], %s) * weight[c, k]",
                                      past),
                         NULL, 0);
}

const op op_rx_causal_conv1d = {
    .name = "rx.causal_conv1d",
    .doc = "Each channel convolved along time with its own kernel; the last element of the kernel meets the present.",
    .input = {IN("data", TENSOR, "[batch, steps, channels]"), IN("weight", TENSOR, "[channels, kernel]"),
              IN_OPTIONAL("state", TENSOR, "[batch, past steps, channels]: what came before")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[1,t,2] w=f32[2,3] | R.rx.causal_conv1d(x, w)",
                "x=f32[1,t,2] w=f32[2,3] s=f32[1,2,2] | R.rx.causal_conv1d(x, w, s)"},
};
