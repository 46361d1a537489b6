// vision.c - operators of detectors. What they mean is TVM's topi.vision. Those whose loops depend on data are builtins
// of the runtime (src/builtin/boxes.c, class_boxes.c, regions.c).
#include "ops/table.h"

// The pooled size of a region operator: one number or height and width.
static bool pooled(infer_ctx *c, const node *n, const expr *out[2]) {
    int64_t size[2];
    const attr *a = node_attr(n, "pooled_size");
    uint32_t count = a->kind == ATTR_LIST && a->count > 2 ? 3 : attr_numbers(n, "pooled_size", size, 2);
    if (count < 1 || count > 2) return infer_error(c, n, "pooled_size: want one or two numbers"), false;
    out[0] = dim_int(c, size[0]);
    out[1] = dim_int(c, size[count - 1]);
    return true;
}

static const ann *infer_regions(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *r = infer_in(n, 1);
    const expr *size[2];
    bool channels_last = attr_text_is(n, "layout", "NHWC");
    if (!infer_want_rank(c, n, 0, 4) || !infer_want_rank(c, n, 1, 2) || !pooled(c, n, size)) return NULL;
    if (has_dims(r) && dims_differ(c, r->dim[1], dim_int(c, 5)))
        return infer_error(c, n, "rois: want rows of 5 numbers, got %s", dims_text(c, r));
    if (!has_dims(x) || !has_dims(r)) return infer_rank(c, x, x->type, 4);
    const expr *last[] = {r->dim[0], size[0], size[1], x->dim[3]}, *first[] = {r->dim[0], x->dim[1], size[0], size[1]};
    return infer_tensor(c, x, x->type, channels_last ? last : first, 4);
}

// As many rows as there are boxes: how many are meant is a result of its own.
static const ann *infer_valid_counts(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    if (!infer_want_rank(c, n, 0, 3)) return NULL;
    bool known = has_dims(x);
    const ann *out[] = {known ? infer_tensor(c, x, DTYPE_OF(I32), x->dim, 1) : infer_rank(c, x, DTYPE_OF(I32), 1),
                        has_rank(x) ? x : infer_rank(c, x, x->type, 3),
                        known ? infer_tensor(c, x, DTYPE_OF(I32), x->dim, 2) : infer_rank(c, x, DTYPE_OF(I32), 2)};
    return ann_tuple(c->mem, out, 3);
}

// Offsets lie one anchor after another, four numbers each.
static const ann *infer_multibox(infer_ctx *c, const node *n) {
    const ann *p = infer_in(n, 0), *l = infer_in(n, 1), *a = infer_in(n, 2);
    dtype type, other;
    if (!infer_want_rank(c, n, 0, 3) || !infer_want_rank(c, n, 1, 2) || !infer_want_rank(c, n, 2, 3)) return NULL;
    if (!infer_same_dtype(c, n, 0, 1, &type) || !infer_same_dtype(c, n, 0, 2, &other)) return NULL;
    if (has_dims(a) && (dims_differ(c, a->dim[0], dim_int(c, 1)) || dims_differ(c, a->dim[2], dim_int(c, 4))))
        return infer_error(c, n, "anchor: want [1, anchors, 4], got %s", dims_text(c, a));
    if (has_dims(a) && has_dims(p) && dims_differ(c, a->dim[1], p->dim[2]))
        return infer_error(c, n, "%s anchors for %s predictions", expr_to_text(c->mem, a->dim[1]),
                           expr_to_text(c->mem, p->dim[2]));
    if (has_dims(p) && has_dims(l) && dims_differ(c, l->dim[1], dim_op(c, EXPR_MUL, p->dim[2], dim_int(c, 4))))
        return infer_error(c, n, "loc_pred: want 4 numbers for each of %s anchors, got %s",
                           expr_to_text(c->mem, p->dim[2]), expr_to_text(c->mem, l->dim[1]));
    if (has_dims(p) && has_dims(l) && dims_differ(c, p->dim[0], l->dim[0]))
        return infer_error(c, n, "batches differ: %s and %s", expr_to_text(c->mem, p->dim[0]),
                           expr_to_text(c->mem, l->dim[0]));
    const ann *out[2] = {infer_rank(c, p, p->type, 3), has_rank(p) ? p : infer_rank(c, p, p->type, 3)};
    if (has_dims(p)) {
        const expr *dim[] = {p->dim[0], p->dim[2], dim_int(c, 4)};
        out[0] = infer_tensor(c, p, p->type, dim, 3);
    }
    return ann_tuple(c->mem, out, 2);
}

static double real_of(const attr *a) {
    double value = 0;
    CHECK(attr_get_real(a, &value));
    return value;
}

// What comes back hangs on attributes: boxes, or their places and how many, or with soft suppression all three.
static const ann *infer_nms(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *count = infer_in(n, 1), *at = infer_in(n, 2);
    if (!infer_want_rank(c, n, 0, 3) || !infer_want_rank(c, n, 1, 1) || !infer_want_rank(c, n, 2, 2)) return NULL;
    bool rows = has_dims(x) && has_dims(count) && dims_differ(c, x->dim[0], count->dim[0]);
    bool boxes =
        has_dims(x) && has_dims(at) && (dims_differ(c, x->dim[0], at->dim[0]) || dims_differ(c, x->dim[1], at->dim[1]));
    if (rows || boxes)
        return infer_error(c, n, "data is %s, valid_count %s, indices %s", dims_text(c, x), dims_text(c, count),
                           dims_text(c, at));
    const ann *left = has_rank(x) ? x : infer_rank(c, x, x->type, 3);
    if (!attr_int_of(n, "return_indices")) return left;
    const ann *out[2] = {infer_rank(c, x, DTYPE_OF(I32), 2), infer_rank(c, x, DTYPE_OF(I32), 2)};
    if (has_dims(x)) {
        const expr *counts[] = {x->dim[0], dim_int(c, 1)};
        out[0] = infer_tensor(c, x, DTYPE_OF(I32), x->dim, 2);
        out[1] = infer_tensor(c, x, DTYPE_OF(I32), counts, 2);
    }
    if (real_of(node_attr(n, "soft_nms_sigma")) > 0) // the boxes with their new scores come along
        return ann_tuple(c->mem, (const ann *[]){left, out[0], out[1]}, 3);
    return ann_tuple(c->mem, out, 2);
}

// Room for every box of every class: the counts say how many rows are meant.
static const ann *infer_all_nms(infer_ctx *c, const node *n) {
    const ann *b = infer_in(n, 0), *s = infer_in(n, 1);
    const expr *one = dim_int(c, 1), *three = dim_int(c, 3);
    if (!infer_want_rank(c, n, 0, 3) || !infer_want_rank(c, n, 1, 3)) return NULL;
    for (uint32_t i = 2; i < 5; i++)
        if (!infer_want_rank(c, n, i, 0)) return NULL;
    if (has_dims(b) && dims_differ(c, b->dim[2], dim_int(c, 4)))
        return infer_error(c, n, "boxes: want 4 numbers each, got %s", dims_text(c, b));
    if (has_dims(b) && has_dims(s) && (dims_differ(c, b->dim[0], s->dim[0]) || dims_differ(c, b->dim[1], s->dim[2])))
        return infer_error(c, n, "boxes are %s, scores %s", dims_text(c, b), dims_text(c, s));
    bool onnx = attr_text_is(n, "output_format", "onnx"), known = has_dims(b) && has_dims(s);
    dtype i64 = DTYPE_OF(I64);
    const expr *rows = known ? dim_op(c, EXPR_MUL, s->dim[1], b->dim[1]) : one;
    if (onnx) {
        const expr *dim[] = {known ? dim_op(c, EXPR_MUL, b->dim[0], rows) : one, three};
        const ann *out[] = {known ? infer_tensor(c, b, i64, dim, 2) : infer_rank(c, b, i64, 2),
                            infer_tensor(c, b, i64, &one, 1)};
        return ann_tuple(c->mem, out, 2);
    }
    if (!known) {
        const ann *out[] = {infer_rank(c, b, i64, 3), infer_rank(c, b, DTYPE_OF(F32), 2), infer_rank(c, b, i64, 1)};
        return ann_tuple(c->mem, out, 3);
    }
    const expr *dim[] = {b->dim[0], rows, dim_int(c, 2)};
    const ann *out[] = {infer_tensor(c, b, i64, dim, 3), infer_tensor(c, b, DTYPE_OF(F32), dim, 2),
                        infer_tensor(c, b, i64, dim, 1)};
    return ann_tuple(c->mem, out, 3);
}

// --- Lowering of those whose loops do not depend on data.

// Cells of a region overlap in whole pixels; the largest value of each. A cell without pixels is 0.
static const loop_func *lower_roi_pool(const lower_ctx *c, const node *n) {
    bool last = attr_text_is(n, "layout", "NHWC");
    name_list names = {0};
    int64_t size[2] = {1, 1};
    if (attr_numbers(n, "pooled_size", size, 2) == 1) size[1] = size[0];
    name_number(c, &names, "high", size[0]);
    name_number(c, &names, "wide", size[1]);
    name_number(c, &names, "rows", last ? 1 : 2);
    name_number(c, &names, "columns", last ? 2 : 3);
    const char *meaning =
        arena_format(c->mem,
                     "top[r] = floor(rois[r, 2] * spatial_scale + 0.5);"
                     "left[r] = floor(rois[r, 1] * spatial_scale + 0.5);"
                     "height[r] = max(floor(rois[r, 4] * spatial_scale + 0.5) - top[r] + 1, 1) / high;"
                     "width[r] = max(floor(rois[r, 3] * spatial_scale + 0.5) - left[r] + 1, 1) / wide;"
                     "p in high; q in wide;"
                     "from_y[r, p] = max(floor(cast(p, rois) * height[r]) + top[r], 0);"
                     "to_y[r, p] = min(ceil(cast(p + 1, rois) * height[r]) + top[r], cast(dim(data, rows), rois));"
                     "from_x[r, q] = max(floor(cast(q, rois) * width[r]) + left[r], 0);"
                     "to_x[r, q] = min(ceil(cast(q + 1, rois) * width[r]) + left[r], cast(dim(data, columns), rois));"
                     "pooled[%s] max= if_then_else(cast(y, rois) >= from_y[r, p] and cast(y, rois) < to_y[r, p] and"
                     "    cast(x, rois) >= from_x[r, q] and cast(x, rois) < to_x[r, q] and dim(data, 0) > 0,"
                     "    data[wrap(cast(rois[r, 0], int64), dim(data, 0)), %s], lowest(data));"
                     "out[%s] = select(to_y[r, p] <= from_y[r, p] or to_x[r, q] <= from_x[r, q], 0, pooled[%s])",
                     last ? "r, p, q, k" : "r, k, p, q", last ? "y, x, k" : "k, y, x",
                     last ? "r, p, q, k" : "r, k, p, q", last ? "r, p, q, k" : "r, k, p, q");
    return compute_with(c, n, meaning, &names);
}

// Anchors moved and stretched by what was predicted: (y, x, y, x). Scores: softmax over the classes.
static const loop_func *lower_multibox(const lower_ctx *c, const node *n) {
    const attr *v = node_attr(n, "variances");
    double by[4] = {1, 1, 1, 1};
    for (uint32_t i = 0; v->kind == ATTR_LIST && i < 4 && i < v->count; i++) by[i] = real_of(v->list[i]);
    bool clip = attr_int_of(n, "clip") != 0;
    const char *background = attr_int_of(n, "keep_background") ? "" : " and k > 0";
    const char *meaning = arena_format(
        c->mem,
        "across[b, a] = loc_pred[b, a * 4] * %.17g * (anchor[0, a, 2] - anchor[0, a, 0]) +"
        "    (anchor[0, a, 0] + anchor[0, a, 2]) * 0.5;"
        "down[b, a] = loc_pred[b, a * 4 + 1] * %.17g * (anchor[0, a, 3] - anchor[0, a, 1]) +"
        "    (anchor[0, a, 1] + anchor[0, a, 3]) * 0.5;"
        "width[b, a] = exp(loc_pred[b, a * 4 + 2] * %.17g) * (anchor[0, a, 2] - anchor[0, a, 0]) * 0.5;"
        "height[b, a] = exp(loc_pred[b, a * 4 + 3] * %.17g) * (anchor[0, a, 3] - anchor[0, a, 1]) * 0.5;"
        "out0[b, a, i] = %sselect(i == 0, down[b, a] - height[b, a], select(i == 1, across[b, a] - width[b, a],"
        "    select(i == 2, down[b, a] + height[b, a], across[b, a] + width[b, a])))%s;"
        "most[b, a] max= cls_pred[b, k, a];"
        "sum[b, a] += exp(cls_pred[b, k, a] - most[b, a]);"
        "score[b, k, a] = exp(cls_pred[b, k, a] - most[b, a]) / sum[b, a];"
        "out1[b, k, a] = score[b, k, a] * select(score[b, k, a] >= threshold%s, cast(1, cls_pred), 0)",
        by[0], by[1], by[2], by[3], clip ? "max(min(" : "", clip ? ", 1), 0)" : "", background);
    return compute_build(c, n, meaning, NULL, 0);
}

#define REGIONS                                                                                                        \
    .input = {IN("data", TENSOR, "images"), IN("rois", TENSOR, "[regions, 5]: image and corners")},                    \
    .infer = infer_regions
#define REGION_ATTRS                                                                                                   \
    ATTR_AT("pooled_size", INTS, NULL, "height and width of the result", .range = "[1, 2147483647]"),                  \
        ATTR_AT("spatial_scale", FLOAT, NULL, "from the regions' coordinates to data's", .range = "(0, inf)")

const op op_vision_roi_align = {
    .name = "vision.roi_align",
    .doc = "Each region of an image resampled to one size by bilinear interpolation.",
    REGIONS,
    .attr = {REGION_ATTRS,
             ATTR_AT("sample_ratio", INT, "-1", "samples per element; -1: as many as fit", .range = "[-1, 2147483647]"),
             ATTR_AT("aligned", BOOL, "False", "half a pixel off, as newer models want"),
             ATTR_AT("layout", STRING, "\"NCHW\"", "order of the dims", .range = "NCHW|NHWC"),
             ATTR_AT("mode", STRING, "\"avg\"", "of the samples", .range = "avg|max")},
    .call = "roi_align(pooled_size.0, pooled_size.1, spatial_scale, sample_ratio, aligned, layout?NHWC, mode?max)",
    .samples = {"x=f32[2,3,5,n] r=f32[m,5] | R.vision.roi_align(x, r, pooled_size=[2, 3], spatial_scale=0.5)"},
};
const op op_vision_roi_pool = {
    .name = "vision.roi_pool",
    .doc = "Each region of an image reduced to one size by maxima.",
    REGIONS,
    .attr = {REGION_ATTRS, ATTR_AT("layout", STRING, "\"NCHW\"", "order of the dims", .range = "NCHW|NHWC")},
    .lower = lower_roi_pool,
    .samples = {"x=f32[2,3,5,n] r=f32[m,5] | R.vision.roi_pool(x, r, pooled_size=[2, 3], spatial_scale=0.5)"},
};
const op op_vision_get_valid_counts = {
    .name = "vision.get_valid_counts",
    .doc = "How many boxes have a high enough score, the boxes with those in front, and where they were.",
    .input = {IN("data", TENSOR, "[batch, boxes, numbers]")},
    .attr = {ATTR_AT("score_threshold", FLOAT, "0.0", "the least score", .range = "(-inf, inf)"),
             ATTR_AT("id_index", INT, "0", "where the class is", .range = "[-1, inf)"),
             ATTR_AT("score_index", INT, "1", "where the score is", .range = "[0, inf)")},
    .infer = infer_valid_counts,
    .call = "valid_boxes(score_threshold, id_index, score_index)",
    .samples = {"x=f32[2,n,6] | R.vision.get_valid_counts(x, score_threshold=0.1, id_index=-1)"},
};
const op op_vision_multibox_transform_loc = {
    .name = "vision.multibox_transform_loc",
    .doc = "Boxes from anchors and predicted offsets.",
    .input = {IN("cls_pred", TENSOR, "[batch, classes, anchors]"), IN("loc_pred", TENSOR, "[batch, anchors * 4]"),
              IN("anchor", TENSOR, "[1, anchors, 4]")},
    .attr = {ATTR_AT("clip", BOOL, "False", "into [0, 1]"),
             ATTR_AT("threshold", FLOAT, "0.0", "scores below are 0", .range = "(-inf, inf)"),
             ATTR_AT("variances", ANY, "[1.0, 1.0, 1.0, 1.0]", "factors of the offsets", .range = "(-inf, inf)"),
             ATTR_AT("keep_background", BOOL, "True", "else class 0 is 0")},
    .infer = infer_multibox,
    .lower = lower_multibox,
    .samples = {"p=f32[n,3,2] l=f32[n,8] a=f32[1,2,4] | R.vision.multibox_transform_loc(p, l, a)"},
};
const op op_vision_non_max_suppression = {
    .name = "vision.non_max_suppression",
    .doc = "Boxes without those that overlap a better one.",
    .input = {IN("data", TENSOR, "[batch, boxes, numbers]"), IN("valid_count", TENSOR, "boxes per image"),
              IN("indices", TENSOR, "where they were")},
    .attr = {ATTR_AT("max_output_size", INT, "-1", "at most so many; -1: any", .range = "[-1, inf)"),
             ATTR_AT("iou_threshold", FLOAT, "0.5", "overlap that suppresses", .range = "(-inf, inf)"),
             ATTR_AT("force_suppress", BOOL, "False", "whatever the class"),
             ATTR_AT("top_k", INT, "-1", "only the best so many; -1: all", .range = "[-1, inf)"),
             ATTR_AT("coord_start", INT, "2", "where the corners are", .range = "[0, inf)"),
             ATTR_AT("score_index", INT, "1", "where the score is", .range = "[0, inf)"),
             ATTR_AT("id_index", INT, "0", "where the class is", .range = "[-1, inf)"),
             ATTR_AT("return_indices", BOOL, "True", "indices instead of boxes"),
             ATTR_AT("invalid_to_bottom", BOOL, "False", "kept boxes in front"),
             ATTR_AT("soft_nms_sigma", FLOAT, "0.0", "0: hard suppression", .range = "[0, inf)"),
             ATTR_AT("score_threshold", FLOAT, "0.0", "for soft suppression", .range = "(-inf, inf)")},
    .infer = infer_nms,
    .call = "apart_boxes(max_output_size, iou_threshold, force_suppress, top_k, coord_start, score_index, id_index, "
            "invalid_to_bottom, soft_nms_sigma, score_threshold; data:!return_indices|soft_nms_sigma, "
            "indices:return_indices, count:return_indices)",
    .samples = {"x=f32[2,n,6] v=i32[2] i=i32[2,n] | R.vision.non_max_suppression(x, v, i)",
                "x=f32[2,n,6] v=i32[2] i=i32[2,n] | R.vision.non_max_suppression(x, v, i, return_indices=False)"},
};
const op op_vision_all_class_non_max_suppression = {
    .name = "vision.all_class_non_max_suppression",
    .doc = "For each class of each image the boxes without those that overlap a better one.",
    .input = {IN("boxes", TENSOR, "[batch, boxes, 4]"), IN("scores", TENSOR, "[batch, classes, boxes]"),
              IN("max_output_boxes_per_class", TENSOR, "a scalar"), IN("iou_threshold", TENSOR, "a scalar"),
              IN("score_threshold", TENSOR, "a scalar")},
    .attr = {ATTR_AT("output_format", STRING, "\"onnx\"", "which results, in whose order", .range = "onnx|tensorflow")},
    .infer = infer_all_nms,
    .call = "class_boxes(output_format?tensorflow; indices, scores:output_format?tensorflow, count)",
    .samples = {"b=f32[2,n,4] s=f32[2,3,n] m=i64[] u=f32[] l=f32[] | "
                "R.vision.all_class_non_max_suppression(b, s, m, u, l)"},
};
