// resize.c - R.image.resize2d and resize3d: images sampled at other sizes, with the coordinate modes and roundings of
// ONNX.
//
// Each spatial dim gets two small tables: which elements a place reads, and with what weights. The result is the sum
// over all dims' taps.
#include "base/count_noun.h"
#include "ops/window.h"
#include <string.h>

static uint32_t spatial_of(const node *n) { return (uint32_t)(n->op->name[12] - '0'); } // image.resize2d

static bool read_layout(infer_ctx *c, const node *n, layout *l) {
    const char *wanted = arena_format(c->mem, "NC%s", spatial_letters(spatial_of(n)));
    *l = layout_of(c->mem, n, "layout", NULL);
    if (layout_is(l, wanted)) return true;
    return infer_error(c, n, "layout: want the letters of %s in some order, got \"%s\"", wanted, l->letters), false;
}

// Of an image without pixels there is nothing to make others of.
static bool has_pixels(infer_ctx *c, const node *n, uint32_t at, const expr *to) {
    return infer_want_least(c, n, 0, at, dim_op(c, EXPR_MIN, to, dim_int(c, 1)));
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *size = infer_in(n, 1);
    uint32_t spatial = spatial_of(n);
    int32_t rank = (int32_t)spatial + 2;
    dtype type = attr_type_of(n, "out_dtype", x->type);
    const expr *dim[MAX_SPATIAL + 2];
    layout l;
    if (!read_layout(c, n, &l) || !infer_want_rank(c, n, 0, rank)) return NULL;
    if (has_rank(size) && size->rank != (int32_t)spatial)
        return infer_error(c, n, "size: want %s, got %d", COUNTED(spatial, "number"), size->rank);
    if (!has_dims(x) || !has_dims(size)) return infer_rank(c, x, type, rank);
    dim[layout_find(&l, 'N')] = x->dim[layout_find(&l, 'N')];
    dim[layout_find(&l, 'C')] = x->dim[layout_find(&l, 'C')];
    for (uint32_t i = 0; i < spatial; i++) {
        uint32_t at = (uint32_t)layout_find(&l, spatial_letters(spatial)[i]);
        dim[at] = size->dim[i];
        if (!has_pixels(c, n, at, size->dim[i])) return NULL;
    }
    return infer_tensor(c, x, type, dim, (uint32_t)rank);
}

// --- Lowering. The place in the input of output y, by mode: y and sizes are floats `y`, `in`, `to`.
static const struct {
    const char *name, *place;
} coordinates[] = {
    {"half_pixel", "(y + 0.5) * in / to - 0.5"},
    {"half_pixel_symmetric", "(y + 0.5) * in / to - 0.5"}, // sizes are given, so nothing is left to centre
    {"align_corners", "select(to > 1, y * (in - 1.0) / max(to - 1.0, 1.0), 0.0)"},
    {"asymmetric", "y * in / to"},
    {"pytorch_half_pixel", "select(to > 1, (y + 0.5) * in / to - 0.5, 0.0)"},
    {"tf_half_pixel_for_nn", "select(in == to, y, (y + 0.5) * in / to)"}, // ONNX Runtime keeps a dim of the same size
    {"tf_crop_and_resize", "select(to > 1, begin * (in - 1.0) + y * (end - begin) * (in - 1.0) / max(to - 1.0, 1.0), "
                           "0.5 * (begin + end) * (in - 1.0))"},
};
static const struct {
    const char *name, *rounded;
} roundings[] = {{"round", "round(at)"},
                 {"", "round(at)"},
                 {"round_prefer_floor", "ceil(at - 0.5)"},
                 {"round_prefer_ceil", "floor(at + 0.5)"},
                 {"floor", "floor(at)"},
                 {"ceil", "ceil(at)"}};

// Replaces whole words of a template.
static const char *with_words(arena *mem, const char *template, const char *const (*words)[2], uint32_t count) {
    text out = TEXT_IN(mem);
    for (const char *p = template; *p;) {
        size_t size = strspn(p, "abcdefghijklmnopqrstuvwxyz_");
        const char *instead = NULL;
        for (uint32_t i = 0; size && i < count; i++)
            if (strlen(words[i][0]) == size && memcmp(words[i][0], p, size) == 0) instead = words[i][1];
        if (instead) text_put(&out, instead);
        if (!instead) text_put_n(&out, p, size ? size : 1);
        p += size ? size : 1;
    }
    return text_get(&out);
}

typedef struct resize {
    layout l;
    uint32_t spatial;
    int64_t taps; // 1 nearest, 2 linear, 4 cubic
    const char *place, *rounded;
    const char *type; // of places: float32 where they are rounded, so that every dtype reads the same pixels
} resize;

static bool read_resize(infer_ctx *ctx, const node *n, resize *r) {
    *r = (resize){.spatial = spatial_of(n)};
    if (!read_layout(ctx, n, &r->l)) return false;
    r->taps = attr_text_is(n, "method", "nearest_neighbor") ? 1 : attr_text_is(n, "method", "linear") ? 2 : 4;
    r->type = r->taps == 1 ? "float32" : "wide";
    for (size_t i = 0; i < COUNT(coordinates); i++)
        if (attr_text_is(n, "coordinate_transformation_mode", coordinates[i].name)) r->place = coordinates[i].place;
    for (size_t i = 0; i < COUNT(roundings); i++)
        if (attr_text_is(n, "rounding_method", roundings[i].name)) r->rounded = roundings[i].rounded;
    return true;
}

static double roi_value(const node *n, uint32_t i, double otherwise) {
    const attr *roi = node_attr(n, "roi");
    if (roi->kind != ATTR_LIST || i >= roi->count) return otherwise;
    double value = otherwise;
    CHECK(attr_get_real(roi->list[i], &value));
    return value;
}

// "at0[y0] = …": the place in the input along dim i.
static void put_place(const lower_ctx *c, const node *n, const resize *r, uint32_t i, text *out) {
    int32_t dim = layout_find(&r->l, spatial_letters(r->spatial)[i]);
    const char *words[][2] = {{"y", arena_format(c->mem, "cast(y%u, %s)", i, r->type)},
                              {"in", arena_format(c->mem, "cast(dim(data, %d), %s)", dim, r->type)},
                              {"to", arena_format(c->mem, "cast(dim(out, %d), %s)", dim, r->type)},
                              {"begin", arena_format(c->mem, "%.17g", roi_value(n, i, 0.0) + 0.0)},
                              {"end", arena_format(c->mem, "%.17g", roi_value(n, i + r->spatial, 1.0) + 0.0)}};
    const char *place = with_words(c->mem, r->place, (const char *const(*)[2])words, COUNT(words));
    text_format(out, "y%u in dim(out, %d); at%u[y%u] = %s;", i, dim, i, i, place);
}

static void put_taps(const lower_ctx *c, const resize *r, uint32_t i, text *out, const char *alpha, bool exclude) {
    int32_t dim = layout_find(&r->l, spatial_letters(r->spatial)[i]);
    const char *words[][2] = {{"at", arena_format(c->mem, "at%u[y%u]", i, i)}};
    if (r->taps == 1) {
        text_format(out, "idx%u[y%u] = max(min(cast(%s, int64), dim(data, %d) - 1), 0);", i, i,
                    with_words(c->mem, r->rounded, (const char *const(*)[2])words, 1), dim);
        return;
    }
    const char *first = arena_format(c->mem, "cast(floor(at%u[y%u]), int64)%s", i, i, r->taps == 4 ? " - 1" : "");
    text_format(
        out,
        "k%u in %lld; raw%u[y%u, k%u] = %s + k%u; idx%u[y%u, k%u] = max(min(raw%u[y%u, k%u], dim(data, %d) - 1), 0);",
        i, (long long)r->taps, i, i, i, first, i, i, i, i, i, i, i, dim);
    text_format(out, "far%u[y%u, k%u] = abs(at%u[y%u] - cast(raw%u[y%u, k%u], wide));", i, i, i, i, i, i, i, i);
    const char *d = arena_format(c->mem, "far%u[y%u, k%u]", i, i, i);
    if (r->taps == 2) {
        text_format(out, "w%u[y%u, k%u] = 1.0 - %s;", i, i, i, d);
        return;
    }
    const char *near = arena_format(c->mem, "((%s + 2.0) * %s - (%s + 3.0)) * %s * %s + 1.0", alpha, d, alpha, d, d);
    const char *off = arena_format(c->mem, "((%s * %s - 5.0 * %s) * %s + 8.0 * %s) * %s - 4.0 * %s", alpha, d, alpha, d,
                                   alpha, d, alpha);
    const char *weight = arena_format(c->mem, "select(%s <= 1.0, %s, %s)", d, near, off);
    if (!exclude) {
        text_format(out, "w%u[y%u, k%u] = %s;", i, i, i, weight);
        return;
    }
    text_format(out, "part%u[y%u, k%u] = select(raw%u[y%u, k%u] >= 0 and raw%u[y%u, k%u] < dim(data, %d), %s, 0.0);", i,
                i, i, i, i, i, i, i, i, dim, weight);
    text_format(out, "all%u[y%u] += part%u[y%u, k%u]; w%u[y%u, k%u] = part%u[y%u, k%u] / all%u[y%u];", i, i, i, i, i, i,
                i, i, i, i, i, i, i);
}

static void put_result(const lower_ctx *c, const node *n, const resize *r, text *out) {
    index_text to = {.batch = "n", .channel = "c"}, from = to;
    text weights = TEXT_IN(c->mem), outside = TEXT_IN(c->mem);
    for (uint32_t i = 0; i < r->spatial; i++) {
        int32_t dim = layout_find(&r->l, spatial_letters(r->spatial)[i]);
        to.space[i] = arena_format(c->mem, "y%u", i);
        from.space[i] = arena_format(c->mem, r->taps == 1 ? "idx%u[y%u]" : "idx%u[y%u, k%u]", i, i, i);
        text_format(&weights, " * w%u[y%u, k%u]", i, i, i);
        text_format(&outside, "%sat%u[y%u] < 0.0 or at%u[y%u] > cast(dim(data, %d) - 1, %s)", i ? " or " : "", i, i, i,
                    i, dim, r->type);
    }
    const char *left = layout_index(c->mem, &r->l, &to), *right = layout_index(c->mem, &r->l, &from);
    const char *value = arena_format(c->mem, "data[%s]", right);
    if (r->taps > 1) {
        text_format(out, "acc[%s] += cast(%s, wide)%s;", left, value, text_get(&weights));
        value = arena_format(c->mem, "acc[%s]", left);
    }
    if (attr_text_is(n, "coordinate_transformation_mode", "tf_crop_and_resize"))
        value = arena_format(c->mem, "select(%s, extrapolation_value, %s)", text_get(&outside), value);
    text_format(out, "out[%s] = %s", left, value);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    resize r;
    text meaning = TEXT_IN(c->mem), alpha = TEXT_IN(c->mem);
    const attr *a = node_attr(n, "cubic_alpha");
    if (!read_resize(&ctx, n, &r)) return NULL;
    text_format(&alpha, "(%.17g)", a->kind == ATTR_FLOAT ? a->as.f : -0.75);
    for (uint32_t i = 0; i < r.spatial; i++) {
        put_place(c, n, &r, i, &meaning);
        put_taps(c, &r, i, &meaning, text_get(&alpha), attr_int_of(n, "cubic_exclude") != 0);
    }
    put_result(c, n, &r, &meaning);
    return compute_build(c, n, text_get(&meaning), NULL, 0);
}

#define RESIZE_ATTRS(order, rounding)                                                                                  \
    .attr = {ATTR("roi", ANY, "[0.0, 0.0, 0.0, 0.0]", "begins and ends of the region, for tf_crop_and_resize",         \
                  .range = "(-inf, inf)"),                                                                             \
             ATTR("layout", STRING, order, "order of the dims"),                                                       \
             ATTR("method", STRING, "\"linear\"", "what is between pixels", .range = "nearest_neighbor|linear|cubic"), \
             ATTR("coordinate_transformation_mode", STRING, "\"half_pixel\"",                                          \
                  "which place of the input an output stands for, by ONNX's names",                                    \
                  .range = "half_pixel|half_pixel_symmetric|align_corners|asymmetric|pytorch_half_pixel|tf_half_"      \
                           "pixel_for_nn|tf_crop_and_resize"),                                                         \
             ATTR("rounding_method", STRING, rounding, "of nearest_neighbor; round and none: halves to even",          \
                  .range = "round|round_prefer_floor|round_prefer_ceil|floor|ceil|"),                                  \
             ATTR("cubic_alpha", FLOAT, "-0.75", "of the cubic spline", .range = "(-inf, inf)"),                       \
             ATTR("cubic_exclude", INT, "0", "1: leave out what lies outside of the image", .range = "0|1"),           \
             ATTR("extrapolation_value", FLOAT, "0.0", "outside of the region, for tf_crop_and_resize"),               \
             ATTR("out_dtype", DTYPE, "\"void\"", "of the result; unset: that of data", .range = "floats|integers")},  \
    .input = {IN("data", TENSOR, "images"), IN("size", SHAPE, "spatial dims of the result")}, .infer = infer,          \
    .lower = lower

const op op_image_resize2d = {
    .name = "image.resize2d",
    .doc = "Images of another height and width.",
    RESIZE_ATTRS("\"NCHW\"", "\"round\""),
    .samples = {"x=f32[n,2,4,5] | R.image.resize2d(x, R.shape([7, 3]))",
                "x=f32[1,2,4,5] | R.image.resize2d(x, R.shape([8, 10]), method=\"cubic\")",
                "x=f32[1,4,5,2] | R.image.resize2d(x, R.shape([2, 10]), layout=\"NHWC\", method=\"nearest_neighbor\", "
                "coordinate_transformation_mode=\"asymmetric\", rounding_method=\"floor\")"},
};
const op op_image_resize3d = {
    .name = "image.resize3d",
    .doc = "Volumes of another depth, height and width.",
    RESIZE_ATTRS("\"NCDHW\"", "\"\""),
    .samples = {"x=f32[1,1,2,3,4] | R.image.resize3d(x, R.shape([3, 2, 5]))"},
};
