// conv.c - convolutions over one, two and three spatial dims, and their transposes.
#include "base/count_noun.h"
#include "ops/window.h"
#include <string.h>

// One call: layouts, windows, groups.
typedef struct conv {
    uint32_t spatial;
    bool transposed;
    layout data, kernel, out;
    window window[MAX_SPATIAL];
    int64_t groups, extra[MAX_SPATIAL]; // output_padding
} conv;

static bool check_layout(infer_ctx *c, const node *n, const char *name, const layout *l, const char *fixed,
                         uint32_t spatial) {
    const char *wanted = arena_format(c->mem, "%s%s", fixed, spatial_letters(spatial));
    if (layout_is(l, wanted)) return true;
    return infer_error(c, n, "%s: want the letters of %s in some order, got \"%s\"", name, wanted, l->letters), false;
}

static bool read_conv(infer_ctx *c, const node *n, conv *out) {
    uint32_t spatial = (uint32_t)(n->op->name[7] - '0'); // nn.conv2d…
    *out = (conv){
        .spatial = spatial, .transposed = strstr(n->op->name, "transpose") != NULL, .groups = attr_int_of(n, "groups")};
    out->data = layout_of(c->mem, n, "data_layout", NULL);
    out->kernel = layout_of(c->mem, n, "kernel_layout", NULL);
    out->out = layout_of(c->mem, n, "out_layout", &out->data);
    if (!check_layout(c, n, "data_layout", &out->data, "NC", spatial)) return false;
    if (!check_layout(c, n, "kernel_layout", &out->kernel, "OI", spatial)) return false;
    if (!check_layout(c, n, "out_layout", &out->out, "NC", spatial)) return false;
    if (!windows_of(c, n, spatial, out->window)) return false;
    if (!out->transposed) return true;
    const attr *extra = node_attr(n, "output_padding");
    uint32_t count = extra->kind == ATTR_LIST ? extra->count : 1;
    if (count == 1 || count == spatial) attr_numbers(n, "output_padding", out->extra, MAX_SPATIAL);
    if (count != 1 && count != spatial)
        return infer_error(c, n, "output_padding: want 1 or %s, got %u", COUNTED(spatial, "number"), count), false;
    for (uint32_t i = count; i < spatial; i++) out->extra[i] = out->extra[0];
    for (uint32_t i = 0; i < spatial; i++)
        if (out->extra[i] >= out->window[i].stride)
            return infer_error(c, n, "output_padding %lld must be from 0 to below the stride %lld",
                               (long long)out->extra[i], (long long)out->window[i].stride),
                   false;
    return true;
}

// (in + before + after - dilation * (k - 1) - 1) // stride + 1, or the size that this came from when transposed.
static const expr *out_extent(infer_ctx *c, const conv *v, uint32_t i, const expr *in, const expr *k) {
    const window *w = &v->window[i];
    const expr *one = dim_int(c, 1), *reach = dim_op(c, EXPR_MUL, dim_op(c, EXPR_SUB, k, one), dim_int(c, w->dilation));
    if (v->transposed) {
        const expr *spread = dim_op(c, EXPR_MUL, dim_op(c, EXPR_SUB, in, one), dim_int(c, w->stride));
        return dim_op(c, EXPR_ADD, dim_op(c, EXPR_ADD, spread, reach),
                      dim_int(c, 1 + v->extra[i] - w->before - w->after));
    }
    const expr *room = dim_op(c, EXPR_SUB, dim_op(c, EXPR_ADD, in, dim_int(c, w->before + w->after - 1)), reach);
    return dim_op(c, EXPR_ADD, dim_op(c, EXPR_FLOOR_DIV, room, dim_int(c, w->stride)), one);
}

static bool check_channels(infer_ctx *c, const node *n, const conv *v, const ann *x, const ann *w) {
    const expr *in = x->dim[layout_find(&v->data, 'C')], *groups = dim_int(c, v->groups);
    const expr *o = w->dim[layout_find(&v->kernel, 'O')], *i = w->dim[layout_find(&v->kernel, 'I')];
    const expr *want = v->transposed ? i : dim_op(c, EXPR_MUL, i, groups), *split = v->transposed ? i : o;
    if (dims_differ(c, in, want))
        return infer_error(c, n, "data has %s, the weight takes %s", counted_text(c, in, "channel"),
                           expr_to_text(c->mem, want)),
               false;
    return infer_want_multiple(c, n, split, "channels", groups, COUNTED(v->groups, "group"));
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *w = infer_in(n, 1);
    conv v;
    dtype type = attr_type_of(n, "out_dtype", (dtype){0});
    if (!read_conv(c, n, &v)) return NULL;
    int32_t rank = (int32_t)v.spatial + 2;
    if (!infer_want_rank(c, n, 0, rank) || !infer_want_rank(c, n, 1, rank)) return NULL;
    if (!type.kind && !infer_same_dtype(c, n, 0, 1, &type)) return NULL;
    if (!has_dims(x) || !has_dims(w)) return infer_rank(c, x, type, rank);
    if (!check_channels(c, n, &v, x, w)) return NULL;
    const expr *dim[MAX_SPATIAL + 2], *o = w->dim[layout_find(&v.kernel, 'O')];
    const char *space = spatial_letters(v.spatial);
    dim[layout_find(&v.out, 'N')] = x->dim[layout_find(&v.data, 'N')];
    dim[layout_find(&v.out, 'C')] = v.transposed ? dim_op(c, EXPR_MUL, o, dim_int(c, v.groups)) : o;
    for (uint32_t i = 0; i < v.spatial; i++)
        dim[layout_find(&v.out, space[i])] =
            out_extent(c, &v, i, x->dim[layout_find(&v.data, space[i])], w->dim[layout_find(&v.kernel, space[i])]);
    return infer_tensor(c, x, type, dim, (uint32_t)rank);
}

// --- Lowering.
static bool is_padded(const conv *v) {
    for (uint32_t i = 0; i < v->spatial; i++)
        if (v->window[i].before || v->window[i].after) return true;
    return false;
}

// The data with a border of zeros, as a tensor of its own: pad[n, c, p0, …].
static void put_padding(const lower_ctx *c, const conv *v, text *out) {
    index_text to = {.batch = "n", .channel = "c"}, from = to;
    text inside = TEXT_IN(c->mem);
    for (uint32_t i = 0; i < v->spatial; i++) {
        const window *w = &v->window[i];
        int32_t at = layout_find(&v->data, spatial_letters(v->spatial)[i]);
        to.space[i] = arena_format(c->mem, "p%u", i);
        from.space[i] = arena_format(c->mem, "p%u - %lld", i, (long long)w->before);
        text_format(out, "p%u in dim(data, %d) + %lld;", i, at, (long long)(w->before + w->after));
        text_format(&inside, "%sp%u >= %lld and p%u < dim(data, %d) + %lld", i ? " and " : "", i, (long long)w->before,
                    i, at, (long long)w->before);
    }
    text_format(out, "pad[%s] = if_then_else(%s, data[%s], 0);", layout_index(c->mem, &v->data, &to), text_get(&inside),
                layout_index(c->mem, &v->data, &from));
}

static const loop_func *lower_direct(const lower_ctx *c, const node *n, const conv *v, const name_list *names) {
    text meaning = TEXT_IN(c->mem);
    index_text out = {.batch = "n", .channel = "o"}, data = {.batch = "n", .channel = "c"},
               kernel = {.channel = "o", .other = "c"};
    if (v->groups > 1) data.channel = "o // per_out * per_in + c";
    for (uint32_t i = 0; i < v->spatial; i++) {
        const window *w = &v->window[i];
        out.space[i] = arena_format(c->mem, "y%u", i);
        kernel.space[i] = arena_format(c->mem, "k%u", i);
        data.space[i] =
            arena_format(c->mem, "y%u * %lld + k%u * %lld", i, (long long)w->stride, i, (long long)w->dilation);
    }
    bool padded = is_padded(v);
    if (padded) put_padding(c, v, &meaning);
    text_format(&meaning, "out[%s] += %s[%s] * weight[%s]", layout_index(c->mem, &v->out, &out),
                padded ? "pad" : "data", layout_index(c->mem, &v->data, &data),
                layout_index(c->mem, &v->kernel, &kernel));
    return compute_with(c, n, text_get(&meaning), names);
}

// The window element k of the output y comes from the input (y + before - k * dilation) / stride, where that is whole.
static const loop_func *lower_transposed(const lower_ctx *c, const node *n, const conv *v, const name_list *names) {
    text meaning = TEXT_IN(c->mem), inside = TEXT_IN(c->mem);
    index_text out = {.batch = "n", .channel = "o"}, data = {.batch = "n"}, kernel = {.channel = "o % per_out"};
    data.channel = kernel.other = v->groups > 1 ? "o // per_out * per_in + c" : "c";
    for (uint32_t i = 0; i < v->spatial; i++) {
        const window *w = &v->window[i];
        const char *from =
            arena_format(c->mem, "(y%u + %lld - k%u * %lld)", i, (long long)w->before, i, (long long)w->dilation);
        out.space[i] = arena_format(c->mem, "y%u", i);
        kernel.space[i] = arena_format(c->mem, "k%u", i);
        data.space[i] = arena_format(c->mem, "%s // %lld", from, (long long)w->stride);
        text_format(&inside, "%s%s >= 0 and %s %% %lld == 0 and %s // %lld < dim(data, %d)", i ? " and " : "", from,
                    from, (long long)w->stride, from, (long long)w->stride,
                    layout_find(&v->data, spatial_letters(v->spatial)[i]));
    }
    text_format(&meaning, "c in per_in; out[%s] += if_then_else(%s, data[%s], 0) * weight[%s]",
                layout_index(c->mem, &v->out, &out), text_get(&inside), layout_index(c->mem, &v->data, &data),
                layout_index(c->mem, &v->kernel, &kernel));
    return compute_with(c, n, text_get(&meaning), names);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    conv v;
    name_list names = {0};
    if (!read_conv(&ctx, n, &v)) return NULL;
    const ann *x = n->in[0]->type, *out = n->type;
    const expr *groups = expr_i64(c->exprs, v.groups);
    name_value(&names, "per_out", dim_op(&ctx, EXPR_FLOOR_DIV, out->dim[layout_find(&v.out, 'C')], groups));
    name_value(&names, "per_in", dim_op(&ctx, EXPR_FLOOR_DIV, x->dim[layout_find(&v.data, 'C')], groups));
    return v.transposed ? lower_transposed(c, n, &v, &names) : lower_direct(c, n, &v, &names);
}

#define STRIDES(ones) ATTR_AT("strides", INTS, ones, "steps of the window, one or per dim", .range = "[1, 2147483647]")
#define PADDING(zeros)                                                                                                 \
    ATTR_AT("padding", INTS, zeros, "border of zeros: one, per dim, or all before and then all after",                 \
            .range = "[-2147483647, 2147483647]")
#define DILATION(ones)                                                                                                 \
    ATTR_AT("dilation", INTS, ones, "distance of the window's elements, one or per dim", .range = "[1, 2147483647]")
#define GROUPS                                                                                                         \
    ATTR_AT("groups", INT, "1", "channels are split into so many independent parts", .range = "[1, 2147483647]")
#define LAYOUTS(data, kernel)                                                                                          \
    ATTR_AT("data_layout", STRING, data, "order of data's dims"),                                                      \
        ATTR_AT("kernel_layout", STRING, kernel, "order of weight's dims"),                                            \
        ATTR_AT("out_layout", STRING, "\"\"", "order of the result's dims; empty: as data's"),                         \
        ATTR_AT("out_dtype", DTYPE, "\"void\"", "dtype of the result and the sums; unset: that of data",               \
                .range = "floats|integers")
#define OPERANDS                                                                                                       \
    .input = {IN("data", TENSOR, "images"), IN("weight", TENSOR, "kernels")}, .infer = infer, .lower = lower

const op op_nn_conv1d = {
    .name = "nn.conv1d",
    .doc = "Convolution over one spatial dim.",
    OPERANDS,
    .attr = {STRIDES("[1]"), PADDING("[0, 0]"), DILATION("[1]"), GROUPS, LAYOUTS("\"NCW\"", "\"OIW\"")},
    .samples = {"x=f32[n,4,8] w=f32[6,2,3] | R.nn.conv1d(x, w, strides=2, padding=[1, 2], groups=2)"},
};
const op op_nn_conv2d = {
    .name = "nn.conv2d",
    .doc = "Convolution over two spatial dims.",
    OPERANDS,
    .attr = {STRIDES("[1, 1]"), PADDING("[0, 0, 0, 0]"), DILATION("[1, 1]"), GROUPS, LAYOUTS("\"NCHW\"", "\"OIHW\"")},
    .samples = {"x=f32[n,2,5,6] w=f32[3,2,3,3] | R.nn.conv2d(x, w, padding=1, dilation=2)",
                "x=f32[1,5,6,2] w=f32[3,2,2,2] | R.nn.conv2d(x, w, strides=[1, 2], data_layout=\"NHWC\")"},
};
const op op_nn_conv3d = {
    .name = "nn.conv3d",
    .doc = "Convolution over three spatial dims.",
    OPERANDS,
    .attr = {STRIDES("[1, 1, 1]"), PADDING("[0, 0, 0, 0, 0, 0]"), DILATION("[1, 1, 1]"), GROUPS,
             LAYOUTS("\"NCDHW\"", "\"OIDHW\"")},
    .samples = {"x=f32[n,2,3,4,4] w=f32[2,2,2,2,2] | R.nn.conv3d(x, w, padding=[1, 0, 0])",
                "x=f32[n,1,2,2,3] w=f32[1,1,1,2,2] | R.nn.conv3d(x, w)"},
};
#define OUTPUT_PADDING(zeros)                                                                                          \
    ATTR_AT("output_padding", INTS, zeros, "makes the result larger at the end, one or per dim",                       \
            .range = "[0, 2147483647]")
const op op_nn_conv1d_transpose = {
    .name = "nn.conv1d_transpose",
    .doc = "The transpose of conv1d: spreads each input over a window of the result.",
    OPERANDS,
    .attr = {STRIDES("[1]"), PADDING("[0, 0]"), OUTPUT_PADDING("[0]"), DILATION("[1]"), GROUPS,
             LAYOUTS("\"NCW\"", "\"IOW\"")},
    .samples = {"x=f32[n,4,5] w=f32[4,2,3] | R.nn.conv1d_transpose(x, w, strides=2, padding=1, output_padding=1)"},
};
const op op_nn_conv2d_transpose = {
    .name = "nn.conv2d_transpose",
    .doc = "The transpose of conv2d: spreads each input over a window of the result.",
    OPERANDS,
    .attr = {STRIDES("[1, 1]"), PADDING("[0, 0, 0, 0]"), OUTPUT_PADDING("[0, 0]"), DILATION("[1, 1]"), GROUPS,
             LAYOUTS("\"NCHW\"", "\"IOHW\"")},
    .samples = {"x=f32[n,4,3,3] w=f32[4,1,2,2] | R.nn.conv2d_transpose(x, w, strides=2, groups=2)"},
};
const op op_nn_conv3d_transpose = {
    .name = "nn.conv3d_transpose",
    .doc = "The transpose of conv3d: spreads each input over a window of the result.",
    OPERANDS,
    .attr = {STRIDES("[1, 1, 1]"), PADDING("[0, 0, 0, 0, 0, 0]"), OUTPUT_PADDING("[0, 0, 0]"), DILATION("[1, 1, 1]"),
             GROUPS, LAYOUTS("\"NCDHW\"", "\"IODHW\"")},
    .samples = {"x=f32[1,2,2,2,2] w=f32[2,1,2,2,2] | R.nn.conv3d_transpose(x, w)"},
};
