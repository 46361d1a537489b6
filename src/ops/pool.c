// pool.c - poolings over one, two and three spatial dims: the largest or the mean of each window; and adaptive ones.
#include "base/count_noun.h"
#include "ops/window.h"
#include <string.h>

typedef struct pool {
    uint32_t spatial;
    layout data, out;
    window window[MAX_SPATIAL];
    bool mean, up, padded_count; // ceil_mode, count_include_pad
} pool;

static bool read_layouts(infer_ctx *c, const node *n, uint32_t spatial, layout *data, layout *out) {
    const char *wanted = arena_format(c->mem, "NC%s", spatial_letters(spatial));
    *data = layout_of(c->mem, n, "layout", NULL);
    *out = layout_of(c->mem, n, "out_layout", data);
    if (layout_is(data, wanted) && layout_is(out, wanted)) return true;
    return infer_error(c, n, "layout: want the letters of %s in some order, got \"%s\"", wanted, data->letters), false;
}

static bool read_pool(infer_ctx *c, const node *n, pool *p) {
    *p = (pool){.mean = strstr(n->op->name, "avg") != NULL,
                .up = attr_int_of(n, "ceil_mode") != 0,
                .padded_count = attr_int_of(n, "count_include_pad") != 0};
    p->spatial = (uint32_t)(n->op->name[strlen(n->op->name) - 2] - '0');
    return read_layouts(c, n, p->spatial, &p->data, &p->out) && windows_of(c, n, p->spatial, p->window);
}

// How many windows there are. Rounding up, a last one that would begin behind the data and its front border is left
// out.
static const expr *out_extent(infer_ctx *c, const pool *p, uint32_t i, const expr *in) {
    const window *w = &p->window[i];
    const expr *step = dim_int(c, w->stride);
    int64_t room = w->before + w->after - w->dilation * (w->size - 1) - 1 + (p->up ? w->stride - 1 : 0);
    const expr *steps = dim_op(c, EXPR_FLOOR_DIV, dim_op(c, EXPR_ADD, in, dim_int(c, room)), step);
    const expr *count = dim_op(c, EXPR_ADD, steps, dim_int(c, 1));
    if (!p->up) return count;
    const expr *begins =
        dim_op(c, EXPR_FLOOR_DIV, dim_op(c, EXPR_ADD, in, dim_int(c, w->before + w->stride - 1)), step);
    if (prove_less_equal(c->exprs, count, begins, c->facts)) return count;
    return prove_less_equal(c->exprs, begins, count, c->facts) ? begins : dim_op(c, EXPR_MIN, count, begins);
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const expr *dim[MAX_SPATIAL + 2];
    pool p;
    if (!read_pool(c, n, &p)) return NULL;
    int32_t rank = (int32_t)p.spatial + 2;
    const char *space = spatial_letters(p.spatial);
    if (!infer_want_rank(c, n, 0, rank)) return NULL;
    if (!has_dims(x)) return infer_rank(c, x, x->type, rank);
    dim[layout_find(&p.out, 'N')] = x->dim[layout_find(&p.data, 'N')];
    dim[layout_find(&p.out, 'C')] = x->dim[layout_find(&p.data, 'C')];
    for (uint32_t i = 0; i < p.spatial; i++)
        dim[layout_find(&p.out, space[i])] = out_extent(c, &p, i, x->dim[layout_find(&p.data, space[i])]);
    return infer_tensor(c, x, x->type, dim, (uint32_t)rank);
}

// --- Lowering. Elements outside of the data don't count for a maximum; for a mean they are 0, and count where the
// border counts, but never past the border.
typedef struct pool_text {
    text ranges, inside, counted;
    index_text out, data;
} pool_text;

static void describe(const lower_ctx *c, const pool *p, pool_text *t) {
    *t = (pool_text){.ranges = TEXT_IN(c->mem), .inside = TEXT_IN(c->mem), .counted = TEXT_IN(c->mem)};
    t->out = t->data = (index_text){.batch = "n", .channel = "c"};
    for (uint32_t i = 0; i < p->spatial; i++) {
        const window *w = &p->window[i];
        int32_t at = layout_find(&p->data, spatial_letters(p->spatial)[i]);
        const char *place =
            arena_format(c->mem, "y%u * %lld + k%u * %lld", i, (long long)w->stride, i, (long long)w->dilation);
        const char *both = i ? " and " : "";
        t->out.space[i] = arena_format(c->mem, "y%u", i);
        t->data.space[i] = arena_format(c->mem, "%s - %lld", place, (long long)w->before);
        text_format(&t->ranges, "k%u in %lld;", i, (long long)w->size);
        text_format(&t->inside, "%s%s >= %lld and %s < dim(data, %d) + %lld", both, place, (long long)w->before, place,
                    at, (long long)w->before);
        text_format(&t->counted, "%s%s < dim(data, %d) + %lld", both, place, at, (long long)(w->before + w->after));
    }
}

static const char *space_indices(const lower_ctx *c, const pool *p, const index_text *t) {
    text out = TEXT_IN(c->mem);
    for (uint32_t i = 0; i < p->spatial; i++) text_format(&out, "%s%s", i ? ", " : "", t->space[i]);
    return text_get(&out);
}

// Does every window lie inside of the data, border included where it counts?
static bool all_counted(const pool *p) {
    for (uint32_t i = 0; i < p->spatial; i++)
        if (!p->padded_count && (p->window[i].before || p->window[i].after)) return false;
    return !p->up;
}

static int64_t window_size(const pool *p) {
    int64_t all = 1;
    for (uint32_t i = 0; i < p->spatial; i++) all *= p->window[i].size;
    return all;
}

// "y0 in dim(out, 2);": a local that is set before the result takes its extents from it.
static const char *out_ranges(const lower_ctx *c, const pool *p) {
    text ranges = TEXT_IN(c->mem);
    for (uint32_t i = 0; i < p->spatial; i++)
        text_format(&ranges, "y%u in dim(out, %d);", i, layout_find(&p->out, spatial_letters(p->spatial)[i]));
    return text_get(&ranges);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    pool p;
    pool_text t;
    if (!read_pool(&ctx, n, &p)) return NULL;
    describe(c, &p, &t);
    const char *out = layout_index(c->mem, &p.out, &t.out), *data = layout_index(c->mem, &p.data, &t.data);
    text meaning = TEXT_IN(c->mem);
    text_put(&meaning, text_get(&t.ranges));
    text_put(&meaning, out_ranges(c, &p));
    const char *element = arena_format(c->mem, "if_then_else(%s, data[%s], %s)", text_get(&t.inside), data,
                                       p.mean ? "0" : "lowest(data)");
    if (!p.mean) text_format(&meaning, "out[%s] max= %s", out, element);
    if (p.mean) text_format(&meaning, "sum[%s] += %s;", out, element);
    const char *space = space_indices(c, &p, &t.out);
    if (p.mean && all_counted(&p))
        text_format(&meaning, "out[%s] = sum[%s] / %lld", out, out, (long long)window_size(&p));
    if (p.mean && !all_counted(&p))
        text_format(&meaning, "count[%s] += select(%s, 1, 0); out[%s] = sum[%s] / max(count[%s], 1)", space,
                    text_get(p.padded_count ? &t.counted : &t.inside), out, out, space);
    return compute_build(c, n, text_get(&meaning), NULL, 0);
}

// --- Adaptive: window i of `out` runs over [i * in // out, ceil((i + 1) * in / out)).
static bool read_adaptive(infer_ctx *c, const node *n, pool *p, const expr **size) {
    const ann *x = infer_in(n, 0);
    int64_t given[MAX_SPATIAL];
    const attr *a = node_attr(n, "output_size");
    *p = (pool){.spatial = (uint32_t)(n->op->name[strlen(n->op->name) - 2] - '0')};
    if (!read_layouts(c, n, p->spatial, &p->data, &p->out)) return false;
    if (a->kind == ATTR_LIST && a->count != 1 && a->count != p->spatial)
        return infer_error(c, n, "output_size: want 1 or %s, got %u", COUNTED(p->spatial, "number"), a->count), false;
    uint32_t count = attr_numbers(n, "output_size", given, MAX_SPATIAL);
    for (uint32_t i = 0; i < p->spatial; i++) {
        int32_t at = layout_find(&p->data, spatial_letters(p->spatial)[i]);
        size[i] = count ? dim_int(c, given[count == 1 ? 0 : i]) : has_dims(x) && at < x->rank ? x->dim[at] : NULL;
    }
    return true;
}

static const ann *infer_adaptive(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const expr *dim[MAX_SPATIAL + 2], *size[MAX_SPATIAL];
    pool p;
    int32_t rank = (int32_t)(n->op->name[strlen(n->op->name) - 2] - '0') + 2;
    if (!infer_want_rank(c, n, 0, rank) || !read_adaptive(c, n, &p, size)) return NULL;
    if (!has_dims(x)) return infer_rank(c, x, x->type, rank);
    dim[layout_find(&p.out, 'N')] = x->dim[layout_find(&p.data, 'N')];
    dim[layout_find(&p.out, 'C')] = x->dim[layout_find(&p.data, 'C')];
    for (uint32_t i = 0; i < p.spatial; i++) dim[layout_find(&p.out, spatial_letters(p.spatial)[i])] = size[i];
    return infer_tensor(c, x, x->type, dim, (uint32_t)rank);
}

// Do `size` windows divide the extent without a rest?
static bool divides_evenly(infer_ctx *c, const expr *extent, const expr *size) {
    return expr_is_int(size, 1) ||
           prove_equal(c->exprs, dim_op(c, EXPR_FLOOR_MOD, extent, size), dim_int(c, 0), c->facts);
}

typedef struct adaptive {
    arena *mem;
    const pool *p;
    index_text out, data;
    text meaning, inside, count; // inside: what keeps windows of different sizes apart, empty where all are alike
} adaptive;

// The windows along one spatial dim, of data's dim `at`, o<i> of them.
static void put_windows(adaptive *a, uint32_t i, int32_t at, bool even) {
    arena *mem = a->mem;
    a->out.space[i] = arena_format(mem, "y%u", i);
    text_format(&a->meaning, "y%u in dim(out, %d);", i, layout_find(&a->p->out, spatial_letters(a->p->spatial)[i]));
    if (even) {
        const char *size = arena_format(mem, "dim(data, %d) // o%u", at, i);
        a->data.space[i] = arena_format(mem, "y%u * (%s) + k%u", i, size, i);
        text_format(&a->meaning, "k%u in %s;", i, size);
        text_format(&a->count, "%s(%s)", i ? " * " : "", size);
        return;
    }
    const char *from = arena_format(mem, "y%u * dim(data, %d) // o%u", i, at, i);
    const char *to = arena_format(mem, "((y%u + 1) * dim(data, %d) + o%u - 1) // o%u", i, at, i, i);
    a->data.space[i] = arena_format(mem, "%s + k%u", from, i);
    text_format(&a->meaning, "k%u in (dim(data, %d) + o%u - 1) // o%u + 1;", i, at, i, i);
    text_format(&a->inside, "%s%s + k%u < %s", a->inside.len ? " and " : "", from, i, to);
    text_format(&a->count, "%s(%s - %s)", i ? " * " : "", to, from);
}

static const loop_func *lower_adaptive(const lower_ctx *c, const node *n) {
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    const expr *size[MAX_SPATIAL];
    pool p;
    name_list names = {0};
    if (!read_adaptive(&ctx, n, &p, size)) return NULL;
    adaptive a = {.mem = c->mem, .p = &p, .out = {.batch = "n", .channel = "c"}};
    a.data = a.out;
    a.meaning = a.inside = a.count = TEXT_IN(c->mem);
    for (uint32_t i = 0; i < p.spatial; i++) {
        int32_t at = layout_find(&p.data, spatial_letters(p.spatial)[i]);
        name_value(&names, arena_format(c->mem, "o%u", i), size[i]);
        put_windows(&a, i, at, divides_evenly(&ctx, infer_in(n, 0)->dim[at], size[i]));
    }
    const char *to = layout_index(c->mem, &p.out, &a.out);
    const char *element = arena_format(c->mem, "data[%s]", layout_index(c->mem, &p.data, &a.data));
    if (a.inside.len) element = arena_format(c->mem, "if_then_else(%s, %s, 0)", text_get(&a.inside), element);
    text_format(&a.meaning, "sum[%s] += %s; out[%s] = sum[%s] / cast(%s, wide)", to, element, to, to,
                text_get(&a.count));
    return compute_with(c, n, text_get(&a.meaning), &names);
}

#define POOL_ATTRS(ones, zeros, order)                                                                                 \
    .attr = {ATTR_AT("pool_size", INTS, ones, "extent of the window, one or per dim", .range = "[1, 2147483647]"),     \
             ATTR_AT("strides", INTS, ones, "its steps, one or per dim", .range = "[1, 2147483647]"),                  \
             ATTR("dilation", INTS, ones, "distance of its elements, one or per dim", .range = "[1, 2147483647]"),     \
             ATTR("padding", INTS, zeros, "border: one, per dim, or all before and then all after",                    \
                  .range = "[-2147483647, 2147483647]"),                                                               \
             ATTR("ceil_mode", BOOL, "False", "round the number of windows up"),                                       \
             ATTR("count_include_pad", BOOL, "False", "the border counts in means"),                                   \
             ATTR("layout", STRING, order, "order of data's dims"),                                                    \
             ATTR("out_layout", STRING, "\"\"", "order of the result's dims; empty: as data's")},                      \
    .input = {IN("data", TENSOR, "images")}, .infer = infer, .lower = lower
#define ADAPTIVE_ATTRS(order)                                                                                          \
    .attr = {ATTR_AT("output_size", INTS, "None", "spatial dims of the result; None: as data's",                       \
                     .range = "[1, 2147483647]"),                                                                      \
             ATTR("layout", STRING, order, "order of data's dims"),                                                    \
             ATTR("out_layout", STRING, "\"\"", "order of the result's dims; empty: as data's")},                      \
    .input = {IN("data", TENSOR, "images")}, .infer = infer_adaptive, .lower = lower_adaptive

const op op_nn_max_pool1d = {
    .name = "nn.max_pool1d",
    .doc = "The largest element of each window of one spatial dim; a NaN stays.",
    POOL_ATTRS("[1]", "[0, 0]", "\"NCW\""),
    .samples = {"x=f32[n,2,7] | R.nn.max_pool1d(x, pool_size=3, strides=2, padding=1)"},
};
const op op_nn_max_pool2d = {
    .name = "nn.max_pool2d",
    .doc = "The largest element of each window of two spatial dims; a NaN stays.",
    POOL_ATTRS("[1, 1]", "[0, 0, 0, 0]", "\"NCHW\""),
    .samples = {"x=f32[n,2,5,6] | R.nn.max_pool2d(x, pool_size=[2, 3], strides=2, ceil_mode=True)"},
};
const op op_nn_max_pool3d = {
    .name = "nn.max_pool3d",
    .doc = "The largest element of each window of three spatial dims; a NaN stays.",
    POOL_ATTRS("[1, 1, 1]", "[0, 0, 0, 0, 0, 0]", "\"NCDHW\""),
    .samples = {"x=f32[n,1,3,4,4] | R.nn.max_pool3d(x, pool_size=2)"},
};
const op op_nn_avg_pool1d = {
    .name = "nn.avg_pool1d",
    .doc = "The mean of each window of one spatial dim.",
    POOL_ATTRS("[1]", "[0, 0]", "\"NCW\""),
    .samples = {"x=f32[n,2,7] | R.nn.avg_pool1d(x, pool_size=3, strides=2, padding=1)"},
};
const op op_nn_avg_pool2d = {
    .name = "nn.avg_pool2d",
    .doc = "The mean of each window of two spatial dims.",
    POOL_ATTRS("[1, 1]", "[0, 0, 0, 0]", "\"NCHW\""),
    .samples = {"x=f32[n,2,5,6] | R.nn.avg_pool2d(x, pool_size=2, padding=1, count_include_pad=True)",
                "x=f32[n,1,3,3] | R.nn.avg_pool2d(x, pool_size=2)"},
};
const op op_nn_avg_pool3d = {
    .name = "nn.avg_pool3d",
    .doc = "The mean of each window of three spatial dims.",
    POOL_ATTRS("[1, 1, 1]", "[0, 0, 0, 0, 0, 0]", "\"NCDHW\""),
    .samples = {"x=f32[n,1,3,4,4] | R.nn.avg_pool3d(x, pool_size=2)"},
};
const op op_nn_adaptive_avg_pool1d = {
    .name = "nn.adaptive_avg_pool1d",
    .doc = "Means over windows that split one spatial dim into a given number.",
    ADAPTIVE_ATTRS("\"NCW\""),
    .samples = {"x=f32[n,2,7] | R.nn.adaptive_avg_pool1d(x, output_size=[3])"},
};
const op op_nn_adaptive_avg_pool2d = {
    .name = "nn.adaptive_avg_pool2d",
    .doc = "Means over windows that split two spatial dims into given numbers.",
    ADAPTIVE_ATTRS("\"NCHW\""),
    .samples = {"x=f32[n,2,5,6] | R.nn.adaptive_avg_pool2d(x, output_size=[1, 1])"},
};
const op op_nn_adaptive_avg_pool3d = {
    .name = "nn.adaptive_avg_pool3d",
    .doc = "Means over windows that split three spatial dims into given numbers.",
    ADAPTIVE_ATTRS("\"NCDHW\""),
    .samples = {"x=f32[n,1,3,4,4] | R.nn.adaptive_avg_pool3d(x, output_size=[1, 2, 2])"},
};
