// pixel_shuffle.c - R.nn.pixel_shuffle: channels laid out as blocks of pixels.
#include "ops/table.h"

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const expr *dim[INFER_MAX_RANK];
    int64_t r = attr_int_of(n, "upscale_factor");
    if (has_rank(x) && x->rank < 3) return infer_error(c, n, "data: want at least three dims, got %d", x->rank);
    if (!has_dims(x)) return x;
    int32_t channel = x->rank - 3;
    const expr *square = dim_int(c, r * r), *by = dim_int(c, r);
    if (!infer_want_multiple(c, n, x->dim[channel], "channels", square, expr_to_text(c->mem, square))) return NULL;
    for (int32_t i = 0; i < channel; i++) dim[i] = x->dim[i];
    dim[channel] = dim_op(c, EXPR_FLOOR_DIV, x->dim[channel], square);
    dim[channel + 1] = dim_op(c, EXPR_MUL, x->dim[channel + 1], by);
    dim[channel + 2] = dim_op(c, EXPR_MUL, x->dim[channel + 2], by);
    return infer_tensor(c, x, x->type, dim, (uint32_t)x->rank);
}

const op op_nn_pixel_shuffle = {
    .name = "nn.pixel_shuffle",
    .doc = "Every r*r channels become blocks of r by r pixels of one channel.",
    .input = {IN("data", TENSOR, "[..., channels, height, width]")},
    .attr = {ATTR_AT("upscale_factor", INT, NULL, "r", .range = "[1, 2147483647]")},
    .infer = infer,
    .compute = "out[n..., c, y, x] = data[n..., (c * upscale_factor + y % upscale_factor) * upscale_factor + "
               "x % upscale_factor, y // upscale_factor, x // upscale_factor]",
    .samples = {"x=f32[n,8,2,3] | R.nn.pixel_shuffle(x, upscale_factor=2)"},
};
