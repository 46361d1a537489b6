// vision.c - deductions of detection operators. They have no loop program yet: what needs their meaning refuses them by
// name.
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
    if (!channels_last && !attr_text_is(n, "layout", "NCHW")) return infer_error(c, n, "layout: want NCHW or NHWC");
    if (has_dims(r) && dims_differ(c, r->dim[1], dim_int(c, 5)))
        return infer_error(c, n, "rois: want rows of 5 numbers, got %s", dims_text(c, r));
    if (!has_dims(x) || !has_dims(r)) return infer_rank(c, x, x->type, 4);
    const expr *last[] = {r->dim[0], size[0], size[1], x->dim[3]}, *first[] = {r->dim[0], x->dim[1], size[0], size[1]};
    return infer_tensor(c, x, x->type, channels_last ? last : first, 4);
}

static const ann *infer_valid_counts(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    if (!infer_want_rank(c, n, 0, 3)) return NULL;
    bool known = has_dims(x);
    const ann *out[] = {known ? infer_tensor(c, x, DTYPE_OF(I32), x->dim, 1) : infer_rank(c, x, DTYPE_OF(I32), 1),
                        has_rank(x) ? x : infer_rank(c, x, x->type, 3),
                        known ? infer_tensor(c, x, DTYPE_OF(I32), x->dim, 2) : infer_rank(c, x, DTYPE_OF(I32), 2)};
    return ann_tuple(c->mem, out, 3);
}

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

static const ann *infer_nms(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *count = infer_in(n, 1), *at = infer_in(n, 2);
    if (!infer_want_rank(c, n, 0, 3) || !infer_want_rank(c, n, 1, 1) || !infer_want_rank(c, n, 2, 2)) return NULL;
    bool rows = has_dims(x) && has_dims(count) && dims_differ(c, x->dim[0], count->dim[0]);
    bool boxes =
        has_dims(x) && has_dims(at) && (dims_differ(c, x->dim[0], at->dim[0]) || dims_differ(c, x->dim[1], at->dim[1]));
    if (rows || boxes)
        return infer_error(c, n, "data is %s, valid_count %s, indices %s", dims_text(c, x), dims_text(c, count),
                           dims_text(c, at));
    if (!attr_int_of(n, "return_indices")) return has_rank(x) ? x : infer_rank(c, x, x->type, 3);
    const ann *out[2] = {infer_rank(c, x, DTYPE_OF(I32), 2), infer_rank(c, x, DTYPE_OF(I32), 2)};
    if (has_dims(x)) {
        const expr *counts[] = {x->dim[0], dim_int(c, 1)};
        out[0] = infer_tensor(c, x, DTYPE_OF(I32), x->dim, 2);
        out[1] = infer_tensor(c, x, DTYPE_OF(I32), counts, 2);
    }
    return ann_tuple(c->mem, out, 2);
}

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

#define REGIONS                                                                                                        \
    .input = {IN("data", TENSOR, "images"), IN("rois", TENSOR, "[regions, 5]: image and corners")},                    \
    .infer = infer_regions, .refused = true
#define REGION_ATTRS                                                                                                   \
    ATTR_AT("pooled_size", INTS, NULL, "height and width of the result"),                                              \
        ATTR_AT("spatial_scale", FLOAT, NULL, "from the regions' coordinates to data's")

const op op_vision_roi_align = {
    .name = "vision.roi_align",
    .doc = "Each region of an image resampled to one size by bilinear interpolation.",
    REGIONS,
    .attr = {REGION_ATTRS, ATTR_AT("sample_ratio", INT, "-1", "samples per element; -1: as many as fit"),
             ATTR_AT("aligned", BOOL, "False", "half a pixel off, as newer models want"),
             ATTR_AT("layout", STRING, "\"NCHW\"", "order of the dims"),
             ATTR_AT("mode", STRING, "\"avg\"", "avg or max")},
};
const op op_vision_roi_pool = {
    .name = "vision.roi_pool",
    .doc = "Each region of an image reduced to one size by maxima.",
    REGIONS,
    .attr = {REGION_ATTRS, ATTR_AT("layout", STRING, "\"NCHW\"", "order of the dims")},
};
const op op_vision_get_valid_counts = {
    .name = "vision.get_valid_counts",
    .doc = "How many boxes have a high enough score, the boxes with those in front, and where they were.",
    .input = {IN("data", TENSOR, "[batch, boxes, numbers]")},
    .attr = {ATTR_AT("score_threshold", FLOAT, "0.0", "the least score"),
             ATTR_AT("id_index", INT, "0", "where the class is"),
             ATTR_AT("score_index", INT, "1", "where the score is")},
    .infer = infer_valid_counts,
    .refused = true,
};
const op op_vision_multibox_transform_loc = {
    .name = "vision.multibox_transform_loc",
    .doc = "Boxes from anchors and predicted offsets.",
    .input = {IN("cls_pred", TENSOR, "[batch, classes, anchors]"), IN("loc_pred", TENSOR, "[batch, anchors * 4]"),
              IN("anchor", TENSOR, "[1, anchors, 4]")},
    .attr = {ATTR_AT("clip", BOOL, "False", "into [0, 1]"), ATTR_AT("threshold", FLOAT, "0.0", "scores below are 0"),
             ATTR_AT("variances", ANY, "[1.0, 1.0, 1.0, 1.0]", "factors of the offsets"),
             ATTR_AT("keep_background", BOOL, "True", "else class 0 is 0")},
    .infer = infer_multibox,
    .refused = true,
};
const op op_vision_non_max_suppression = {
    .name = "vision.non_max_suppression",
    .doc = "Boxes without those that overlap a better one.",
    .input = {IN("data", TENSOR, "[batch, boxes, numbers]"), IN("valid_count", TENSOR, "boxes per image"),
              IN("indices", TENSOR, "where they were")},
    .attr = {ATTR_AT("max_output_size", INT, "-1", "at most so many; -1: any"),
             ATTR_AT("iou_threshold", FLOAT, "0.5", "overlap that suppresses"),
             ATTR_AT("force_suppress", BOOL, "False", "whatever the class"),
             ATTR_AT("top_k", INT, "-1", "only the best so many; -1: all"),
             ATTR_AT("coord_start", INT, "2", "where the corners are"),
             ATTR_AT("score_index", INT, "1", "where the score is"),
             ATTR_AT("id_index", INT, "0", "where the class is"),
             ATTR_AT("return_indices", BOOL, "True", "indices instead of boxes"),
             ATTR_AT("invalid_to_bottom", BOOL, "False", "kept boxes in front"),
             ATTR_AT("soft_nms_sigma", FLOAT, "0.0", "0: hard suppression"),
             ATTR_AT("score_threshold", FLOAT, "0.0", "for soft suppression")},
    .infer = infer_nms,
    .refused = true,
};
const op op_vision_all_class_non_max_suppression = {
    .name = "vision.all_class_non_max_suppression",
    .doc = "For each class of each image the boxes without those that overlap a better one.",
    .input = {IN("boxes", TENSOR, "[batch, boxes, 4]"), IN("scores", TENSOR, "[batch, classes, boxes]"),
              IN("max_output_boxes_per_class", TENSOR, "a scalar"), IN("iou_threshold", TENSOR, "a scalar"),
              IN("score_threshold", TENSOR, "a scalar")},
    .attr = {ATTR_AT("output_format", STRING, "\"onnx\"", "onnx or tensorflow")},
    .infer = infer_all_nms,
    .refused = true,
};
