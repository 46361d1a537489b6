// grid_sample.c - R.image.grid_sample and R.image.affine_grid: images read at given places.
#include "base/count_noun.h"
#include "ops/table.h"

static const ann *infer_sample(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *g = infer_in(n, 1);
    if (!infer_want_rank(c, n, 0, 4) || !infer_want_rank(c, n, 1, 4)) return NULL;
    if (has_dims(g) && dims_differ(c, g->dim[3], dim_int(c, 2)))
        return infer_error(c, n, "grid: want places of 2 numbers, got %s", dims_text(c, g));
    if (!has_dims(x) || !has_dims(g)) return infer_rank(c, x, x->type, 4);
    if (dims_differ(c, x->dim[0], g->dim[0]))
        return infer_error(c, n, "batches differ: data is %s, grid %s", dims_text(c, x), dims_text(c, g));
    const expr *dim[] = {x->dim[0], x->dim[1], g->dim[1], g->dim[2]};
    return infer_tensor(c, x, x->type, dim, 4);
}

// A coordinate of the grid in pixels of a dim of extent `size`. `g` is from -1 to 1.
static const char *pixel_text(const lower_ctx *c, const node *n, const char *g, const char *size) {
    if (attr_int_of(n, "align_corners")) return arena_format(c->mem, "(%s + 1.0) * 0.5 * (%s - 1.0)", g, size);
    return arena_format(c->mem, "((%s + 1.0) * %s - 1.0) * 0.5", g, size);
}

// A place moved into the image by the padding mode; zeros leave it where it is.
static const char *moved_text(const lower_ctx *c, const node *n, const char *at, const char *size) {
    bool corners = attr_int_of(n, "align_corners") != 0;
    if (attr_text_is(n, "padding_mode", "border")) return arena_format(c->mem, "max(min(%s, %s - 1.0), 0.0)", at, size);
    if (!attr_text_is(n, "padding_mode", "reflection")) return at;
    // Mirrored at the edges: a triangle wave of the distance from the lower edge.
    const char *low = corners ? "0.0" : "-0.5",
               *span = corners ? arena_format(c->mem, "max(%s - 1.0, 1.0)", size) : size;
    const char *wave = arena_format(c->mem, "floormod(%s - (%s), 2.0 * %s)", at, low, span);
    const char *mirrored = arena_format(c->mem, "min(%s, 2.0 * %s - %s) + (%s)", wave, span, wave, low);
    return arena_format(c->mem, "max(min(%s, %s - 1.0), 0.0)", mirrored, size);
}

static const char nearest_text[] =
    "ix[n, h, w] = cast(round(x[n, h, w]), int64); iy[n, h, w] = cast(round(y[n, h, w]), int64);"
    "out[n, c, h, w] = if_then_else(ix[n, h, w] >= 0 and ix[n, h, w] < dim(data, 3) and iy[n, h, w] >= 0 and "
    "iy[n, h, w] < dim(data, 2), data[n, c, iy[n, h, w], ix[n, h, w]], 0)";

// The pixels around a place, each with its weight along both dims.
static const char sum_text[] =
    "acc[n, c, h, w] += if_then_else(ix[n, h, w, kx] >= 0 and ix[n, h, w, kx] < dim(data, 3) and iy[n, h, w, ky] >= 0 "
    "and iy[n, h, w, ky] < dim(data, 2), cast(data[n, c, iy[n, h, w, ky], ix[n, h, w, kx]], wide), 0.0) * "
    "wx[n, h, w, kx] * wy[n, h, w, ky];"
    "out[n, c, h, w] = acc[n, c, h, w]";

static const char bilinear_text[] = "kx in 2; ky in 2; ix[n, h, w, kx] = cast(floor(x[n, h, w]), int64) + kx;"
                                    "iy[n, h, w, ky] = cast(floor(y[n, h, w]), int64) + ky;"
                                    "wx[n, h, w, kx] = 1.0 - abs(x[n, h, w] - cast(ix[n, h, w, kx], wide));"
                                    "wy[n, h, w, ky] = 1.0 - abs(y[n, h, w] - cast(iy[n, h, w, ky], wide));";

// Keys' kernel with a = -0.75 along both dims: d is the distance of a pixel. The padding mode moves each pixel.
static const char *bicubic_text(const lower_ctx *c, const node *n, const char *width, const char *height) {
    const char *x = moved_text(c, n, "tx[n, h, w, kx]", width), *y = moved_text(c, n, "ty[n, h, w, ky]", height);
    const char *far = "((-0.75 * d + 3.75) * d - 6.0) * d + 3.0", *near = "(1.25 * d - 2.25) * d * d + 1.0";
    text out = TEXT_IN(c->mem);
    text_put(&out, "kx in 4; ky in 4;"
                   "tx[n, h, w, kx] = floor(x[n, h, w]) + cast(kx, wide) - 1.0;"
                   "ty[n, h, w, ky] = floor(y[n, h, w]) + cast(ky, wide) - 1.0;"
                   "dx[n, h, w, kx] = abs(x[n, h, w] - tx[n, h, w, kx]);"
                   "dy[n, h, w, ky] = abs(y[n, h, w] - ty[n, h, w, ky]);");
    for (const char *dim = "xy"; *dim; dim++) {
        text_format(&out, "w%c[n, h, w, k%c] = select(d%c[n, h, w, k%c] <= 1.0, ", *dim, *dim, *dim, *dim);
        for (int part = 0; part < 2; part++) {
            for (const char *p = part ? far : near; *p; p++) {
                if (*p == 'd') text_format(&out, "d%c[n, h, w, k%c]", *dim, *dim);
                if (*p != 'd') text_put_char(&out, *p);
            }
            text_put(&out, part ? ");" : ", ");
        }
    }
    text_format(&out, "ix[n, h, w, kx] = cast(round(%s), int64); iy[n, h, w, ky] = cast(round(%s), int64);", x, y);
    return text_get(&out);
}

static const loop_func *lower_sample(const lower_ctx *c, const node *n) {
    const char *width = "cast(dim(data, 3), wide)", *height = "cast(dim(data, 2), wide)";
    const char *x = pixel_text(c, n, "cast(grid[n, h, w, 0], wide)", width);
    const char *y = pixel_text(c, n, "cast(grid[n, h, w, 1], wide)", height);
    bool cubic = attr_text_is(n, "method", "bicubic"), nearest = attr_text_is(n, "method", "nearest");
    if (!nearest && !cubic && !attr_text_is(n, "method", "bilinear"))
        return diag_error(c->d, n->at, "image.grid_sample: method: want bilinear, nearest or bicubic"), NULL;
    const char *places = arena_format(c->mem, "x[n, h, w] = %s; y[n, h, w] = %s;",
                                      cubic ? x : moved_text(c, n, x, width), cubic ? y : moved_text(c, n, y, height));
    if (nearest) return compute_build(c, n, arena_format(c->mem, "%s%s", places, nearest_text), NULL, 0);
    const char *weights = cubic ? bicubic_text(c, n, width, height) : bilinear_text;
    return compute_build(c, n, arena_format(c->mem, "%s%s%s", places, weights, sum_text), NULL, 0);
}

static const ann *infer_affine(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *size = infer_in(n, 1);
    if (!infer_want_rank(c, n, 0, 3)) return NULL;
    if (has_rank(size) && size->rank != 2)
        return infer_error(c, n, "size: want height and width, got %s", COUNTED(size->rank, "number"));
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
    .attr = {ATTR("method", STRING, "\"bilinear\"", "what is between pixels", .range = "bilinear|nearest|bicubic"),
             ATTR("layout", STRING, "\"NCHW\"", "order of the dims", .range = "NCHW"),
             ATTR("padding_mode", STRING, "\"zeros\"", "what is outside", .range = "zeros|border|reflection"),
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
    .compute = "w in dim(out, 3); h in dim(out, 2); x[w] = 2.0 * cast(w, wide) / cast(max(dim(out, 3) - 1, 1), "
               "wide) - 1.0;"
               "y[h] = 2.0 * cast(h, wide) / cast(max(dim(out, 2) - 1, 1), wide) - 1.0;"
               "out[n, i, h, w] = data[n, i, 0] * x[w] + data[n, i, 1] * y[h] + data[n, i, 2]",
    .samples = {"t=f32[n,2,3] | R.image.affine_grid(t, R.shape([3, 4]))"},
};
