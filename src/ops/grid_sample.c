// grid_sample.c - R.image.grid_sample and R.image.affine_grid: images read at given places.
#include "ops/table.h"

static const ann *infer_sample(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *g = infer_in(n, 1);
    if (!attr_text_is(n, "layout", "NCHW")) return infer_error(c, n, "layout: want NCHW");
    if (!infer_want_rank(c, n, 0, 4) || !infer_want_rank(c, n, 1, 4)) return NULL;
    if (!has_dims(x) || !has_dims(g)) return infer_rank(c, x, x->type, 4);
    const expr *dim[] = {x->dim[0], x->dim[1], g->dim[1], g->dim[2]};
    return infer_tensor(c, x, x->type, dim, 4);
}

// The place along one dim of extent `size`, moved by the padding mode. `g` is the grid's coordinate in [-1, 1].
static const char *place_text(const lower_ctx *c, const node *n, const char *g, const char *size) {
    bool corners = attr_int_of(n, "align_corners") != 0;
    const char *at = corners ? arena_format(c->mem, "(%s + 1.0) * 0.5 * (%s - 1.0)", g, size)
                             : arena_format(c->mem, "((%s + 1.0) * %s - 1.0) * 0.5", g, size);
    if (attr_text_is(n, "padding_mode", "border")) return arena_format(c->mem, "max(min(%s, %s - 1.0), 0.0)", at, size);
    if (!attr_text_is(n, "padding_mode", "reflection")) return at;
    // Mirrored at the edges: a triangle wave of the distance from the lower edge.
    const char *low = corners ? "0.0" : "-0.5",
               *span = corners ? arena_format(c->mem, "max(%s - 1.0, 1.0)", size) : size;
    const char *wave = arena_format(c->mem, "floormod(%s - (%s), 2.0 * %s)", at, low, span);
    const char *mirrored = arena_format(c->mem, "min(%s, 2.0 * %s - %s) + (%s)", wave, span, wave, low);
    return arena_format(c->mem, "max(min(%s, %s - 1.0), 0.0)", mirrored, size);
}

static const loop_func *lower_sample(const lower_ctx *c, const node *n) {
    const char *x = place_text(c, n, "cast(grid[n, h, w, 0], float32)", "cast(dim(data, 3), float32)");
    const char *y = place_text(c, n, "cast(grid[n, h, w, 1], float32)", "cast(dim(data, 2), float32)");
    const char *places = arena_format(c->mem, "x[n, h, w] = %s; y[n, h, w] = %s;", x, y);
    bool nearest = attr_text_is(n, "method", "nearest");
    if (!nearest && !attr_text_is(n, "method", "bilinear"))
        return diag_error(c->d, n->at, "image.grid_sample: method: bilinear and nearest are supported"), NULL;
    const char *sum =
        nearest
            ? "ix[n, h, w] = cast(round(x[n, h, w]), int64); iy[n, h, w] = cast(round(y[n, h, w]), int64);"
              "out[n, c, h, w] = if_then_else(ix[n, h, w] >= 0 and ix[n, h, w] < dim(data, 3) and iy[n, h, w] >= 0 and "
              "iy[n, h, w] < dim(data, 2), data[n, c, iy[n, h, w], ix[n, h, w]], 0)"
            : "kx in 2; ky in 2; ix[n, h, w, kx] = cast(floor(x[n, h, w]), int64) + kx;"
              "iy[n, h, w, ky] = cast(floor(y[n, h, w]), int64) + ky;"
              "wx[n, h, w, kx] = 1.0 - abs(x[n, h, w] - cast(ix[n, h, w, kx], float32));"
              "wy[n, h, w, ky] = 1.0 - abs(y[n, h, w] - cast(iy[n, h, w, ky], float32));"
              "acc[n, c, h, w] += if_then_else(ix[n, h, w, kx] >= 0 and ix[n, h, w, kx] < dim(data, 3) and iy[n, h, w, "
              "ky] >= 0 "
              "and iy[n, h, w, ky] < dim(data, 2), cast(data[n, c, iy[n, h, w, ky], ix[n, h, w, kx]], float32), 0.0) * "
              "wx[n, h, w, kx] * wy[n, h, w, ky];"
              "out[n, c, h, w] = acc[n, c, h, w]";
    return compute_build(c, n, arena_format(c->mem, "%s%s", places, sum), NULL, 0);
}

static const ann *infer_affine(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *size = infer_in(n, 1);
    if (!infer_want_rank(c, n, 0, 3)) return NULL;
    if (has_rank(size) && size->rank != 2)
        return infer_error(c, n, "size: want height and width, got %d numbers", size->rank);
    if (has_dims(x) && (dims_differ(c, x->dim[1], dim_int(c, 2)) || dims_differ(c, x->dim[2], dim_int(c, 3))))
        return infer_error(c, n, "data: want [batch, 2, 3], got %s", dims_text(c, x));
    if (!has_dims(x) || !has_dims(size)) return infer_rank(c, x, x->type, 4);
    const expr *dim[] = {x->dim[0], dim_int(c, 2), size->dim[0], size->dim[1]};
    return infer_tensor(c, x, x->type, dim, 4);
}

const op op_image_grid_sample = {
    .name = "image.grid_sample",
    .doc = "For each place of the grid the image there: [batch, height, width, 2] of x and y from -1 to 1.",
    .input = {IN("data", TENSOR, "[batch, channels, height, width]"), IN("grid", TENSOR, "[batch, height, width, 2]")},
    .attr = {ATTR("method", STRING, "\"bilinear\"", "bilinear or nearest"),
             ATTR("layout", STRING, "\"NCHW\"", "order of the dims"),
             ATTR("padding_mode", STRING, "\"zeros\"", "outside: zeros, border or reflection"),
             ATTR("align_corners", BOOL, "False", "-1 and 1 are the centres of the outer pixels, else their edges")},
    .infer = infer_sample,
    .lower = lower_sample,
    .samples = {"x=f32[n,2,4,5] g=f32[n,3,3,2] | R.image.grid_sample(x, g)"},
};
const op op_image_affine_grid = {
    .name = "image.affine_grid",
    .doc = "The places that an affine map sends each pixel to: x in row 0, y in row 1, from -1 to 1.",
    .input = {IN("data", TENSOR, "[batch, 2, 3], the maps"), IN("size", SHAPE, "height and width")},
    .infer = infer_affine,
    .compute = "w in dim(out, 3); h in dim(out, 2); x[w] = 2.0 * cast(w, float32) / cast(max(dim(out, 3) - 1, 1), "
               "float32) - 1.0;"
               "y[h] = 2.0 * cast(h, float32) / cast(max(dim(out, 2) - 1, 1), float32) - 1.0;"
               "out[n, i, h, w] = data[n, i, 0] * x[w] + data[n, i, 1] * y[h] + data[n, i, 2]",
    .samples = {"t=f32[n,2,3] | R.image.affine_grid(t, R.shape([3, 4]))"},
};
