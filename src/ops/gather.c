// gather.c - R.take, R.gather_elements, R.gather_nd, R.index_tensor: elements chosen by index tensors.
//
// An index is negative to count from the end. One out of range is refused when the module runs, unless take's mode says
// what it stands for. The loop programs alone give the nearest element, of an empty dim 0: nothing is ever read outside
// of the tensor.
#include "base/count_noun.h"
#include "ops/table.h"

static void note_indices(const lower_ctx *c, op_indices_list *out, uint32_t operand, int32_t field,
                         const expr *const *extent, uint32_t count) {
    if (count) VEC_PUSH(c->mem, out, ((op_indices){operand, field, count, extent}));
}

// Dim `axis` of the data, which operand 1 holds indices of.
static void note_axis(const lower_ctx *c, const node *n, int64_t axis, op_indices_list *out) {
    const ann *x = n->in[0]->type;
    if (axis < 0) axis += x->rank;
    if (has_dims(x) && axis >= 0 && axis < x->rank) note_indices(c, out, 1, -1, &x->dim[axis], 1);
}

// --- take
static const ann *infer_take(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *at = infer_in(n, 1);
    const expr *dim[2 * INFER_MAX_RANK];
    uint32_t axis = 0, rank = 0;
    if (!integers_only(c, n, "indices", at)) return NULL;
    if (attr_is_none(n, "axis") && x->rank != 1)
        return infer_error(c, n, "axis must be given unless x has one dim; x is %s", ann_to_text(c->mem, x));
    if (has_rank(x) && !attr_is_none(n, "axis") && !infer_axis(c, n, attr_int_of(n, "axis"), x->rank, &axis))
        return NULL;
    if (!has_rank(x) || !has_rank(at)) return infer_rank(c, x, x->type, RANK_UNKNOWN);
    int32_t whole = x->rank - 1 + at->rank;
    if (!has_dims(x) || !has_dims(at) || whole > INFER_MAX_RANK) return infer_rank(c, x, x->type, whole);
    for (uint32_t i = 0; i < (uint32_t)x->rank; i++) {
        if (i != axis) dim[rank++] = x->dim[i];
        for (int32_t k = 0; i == axis && k < at->rank; k++) dim[rank++] = at->dim[k];
    }
    return infer_tensor(c, x, x->type, dim, rank);
}

static void indices_take(const lower_ctx *c, const node *n, op_indices_list *out) {
    if (attr_text_is(n, "mode", "fast")) note_axis(c, n, attr_is_none(n, "axis") ? 0 : attr_int_of(n, "axis"), out);
}

// An empty axis has no nearest element: then the result is 0, and nothing is read.
static const loop_func *lower_take(const lower_ctx *c, const node *n) {
    static const char start[] = "out[a..., j..., b...] = ";
    const char *index = "wrap(indices[j...], dim(x, at))";
    if (attr_text_is(n, "mode", "wrap")) index = "floormod(cast(indices[j...], int64), dim(x, at))";
    if (attr_text_is(n, "mode", "clip")) index = "max(min(cast(indices[j...], int64), dim(x, at) - 1), 0)";
    name_list names = {0};
    name_number(c, &names, "at", attr_is_none(n, "axis") ? 0 : attr_int_of(n, "axis"));
    const char *value = arena_format(c->mem, "if_then_else(dim(x, at) > 0, x[a..., %s@at, b...], 0)", index);
    if (attr_text_is(n, "mode", "nan") && dtype_is_float(n->type->type)) {
        const char *inside = "indices[j...] >= -dim(x, at) and indices[j...] < dim(x, at)";
        value = arena_format(c->mem, "if_then_else(%s, %s, nan)", inside, value);
    }
    return compute_with(c, n, arena_format(c->mem, "%s%s", start, value), &names);
}

// --- gather_elements
static const ann *infer_gather_elements(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *at = infer_in(n, 1);
    uint32_t axis = 0;
    if (!integers_only(c, n, "indices", at)) return NULL;
    if (has_rank(x) && has_rank(at) && x->rank != at->rank)
        return infer_error(c, n, "want indices of %s like data, got %d", COUNTED(x->rank, "dim"), at->rank);
    if (has_rank(x) && !infer_axis(c, n, attr_int_of(n, "axis"), x->rank, &axis)) return NULL;
    for (int32_t i = 0; has_dims(x) && has_dims(at) && i < x->rank; i++)
        if ((uint32_t)i != axis && dims_exceed(c, at->dim[i], x->dim[i]))
            return infer_error(c, n, "dim %d of indices is %s, more than data's %s", (int)i,
                               expr_to_text(c->mem, at->dim[i]), expr_to_text(c->mem, x->dim[i]));
    return infer_like(c, at, x->type);
}

static void indices_gather_elements(const lower_ctx *c, const node *n, op_indices_list *out) {
    note_axis(c, n, attr_int_of(n, "axis"), out);
}

// --- gather_nd: the last dim of the indices is a place in data after the batch dims.
static const ann *infer_gather_nd(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *at = infer_in(n, 1);
    const expr *dim[2 * INFER_MAX_RANK];
    int64_t batch = attr_int_of(n, "batch_dims"), length;
    uint32_t rank = 0;
    if (!integers_only(c, n, "indices", at)) return NULL;
    if (batch < 0 || (has_rank(x) && batch > x->rank) || (has_rank(at) && batch >= at->rank && at->rank >= 0))
        return infer_error(c, n, "batch_dims %lld: data has %s, indices %d", (long long)batch, COUNTED(x->rank, "dim"),
                           at->rank);
    if (!has_rank(x) || !has_dims(at) || !expr_const_int(at->dim[at->rank - 1], &length))
        return infer_rank(c, x, x->type, RANK_UNKNOWN);
    for (int64_t i = 0; has_dims(x) && i < batch; i++)
        if (dims_differ(c, x->dim[i], at->dim[i]))
            return infer_error(c, n, "batches differ: data is %s, indices %s", dims_text(c, x), dims_text(c, at));
    if (length + batch > x->rank)
        return infer_error(c, n, "indices name %s after %lld batch dims, but data has %d", COUNTED(length, "dim"),
                           (long long)batch, x->rank);
    int32_t whole = at->rank - 1 + x->rank - (int32_t)(batch + length);
    if (!has_dims(x) || whole > INFER_MAX_RANK) return infer_rank(c, x, x->type, whole);
    for (int32_t i = 0; i < at->rank - 1; i++) dim[rank++] = at->dim[i];
    for (int32_t i = (int32_t)(batch + length); i < x->rank; i++) dim[rank++] = x->dim[i];
    return infer_tensor(c, x, x->type, dim, rank);
}

static void indices_gather_nd(const lower_ctx *c, const node *n, op_indices_list *out) {
    const ann *x = n->in[0]->type, *at = n->in[1]->type;
    int64_t batch = attr_int_of(n, "batch_dims"), length;
    if (!has_dims(x) || !has_dims(at) || at->rank < 1 || !expr_const_int(at->dim[at->rank - 1], &length)) return;
    note_indices(c, out, 1, -1, x->dim + batch, (uint32_t)length);
}

// data[b0, wrap(indices[b0, i0, 0], …), r...]
static const loop_func *lower_gather_nd(const lower_ctx *c, const node *n) {
    const ann *at = n->in[1]->type;
    int64_t length = 0, batch = attr_int_of(n, "batch_dims");
    if (!expr_const_int(at->dim[at->rank - 1], &length))
        return diag_error(c->d, n->at, "gather_nd: the last dim of indices must be known"), NULL;
    text meaning = TEXT_IN(c->mem);
    text before = TEXT_IN(c->mem);
    for (int64_t b = 0; b < batch; b++) text_format(&before, "b%lld, ", (long long)b);
    text some = TEXT_IN(c->mem);
    for (int64_t k = 0; k < length; k++)
        text_format(&some, "%sdim(data, %lld) > 0", k ? " and " : "", (long long)(batch + k));
    text_format(&meaning, "out[%si..., r...] = if_then_else(%s, data[%s", text_get(&before),
                length ? text_get(&some) : "true", text_get(&before));
    for (int64_t k = 0; k < length; k++)
        text_format(&meaning, "wrap(indices[%si..., %lld], dim(data, %lld)), ", text_get(&before), (long long)k,
                    (long long)(batch + k));
    text_put(&meaning, "r...], 0)");
    return compute_build(c, n, text_get(&meaning), NULL, 0);
}

// --- index_tensor: index tensors broadcast against each other and take the leading dims of data.
static const ann *infer_index_tensor(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *at = infer_in(n, 1);
    shape_guess s = {.rank = 0, .known = true}, next;
    if (at->count == 0) return infer_error(c, n, "want at least one index tensor");
    for (uint32_t i = 0; i < at->count; i++) {
        shape_guess here = shape_of_ann(at->field[i]);
        if (!integers_only(c, n, "indices", at->field[i]) || !infer_broadcast(c, n, &s, &here, &next)) return NULL;
        s = next;
    }
    if (has_rank(x) && (int32_t)at->count > x->rank)
        return infer_error(c, n, "%u index tensors for data of %s", at->count, COUNTED(x->rank, "dim"));
    if (!has_rank(x) || s.rank < 0 || s.rank + x->rank > INFER_MAX_RANK) return infer_rank(c, x, x->type, RANK_UNKNOWN);
    s.known = s.known && has_dims(x);
    for (int32_t i = (int32_t)at->count; i < x->rank; i++, s.rank++)
        if (s.known) s.dim[s.rank] = x->dim[i];
    return infer_shaped(c, x, x->type, &s);
}

static void indices_index_tensor(const lower_ctx *c, const node *n, op_indices_list *out) {
    const ann *x = n->in[0]->type, *at = n->in[1]->type;
    for (uint32_t k = 0; has_dims(x) && k < at->count; k++) note_indices(c, out, 1, (int32_t)k, &x->dim[k], 1);
}

static const loop_func *lower_index_tensor(const lower_ctx *c, const node *n) {
    text place = TEXT_IN(c->mem), some = TEXT_IN(c->mem);
    for (uint32_t k = 0; k < n->in[1]->type->count; k++) {
        text_format(&place, "wrap(indices%u[j...], dim(data, %u)), ", k, k);
        text_format(&some, "%sdim(data, %u) > 0", k ? " and " : "", k);
    }
    const char *meaning =
        arena_format(c->mem, "out[j..., r...] = if_then_else(%s, data[%sr...], 0)", text_get(&some), text_get(&place));
    return compute_build(c, n, meaning, NULL, 0);
}

const op op_take = {
    .name = "take",
    .doc = "The slices of x along one dim that the indices name.",
    .input = {IN("x", TENSOR, "any shape"), IN("indices", TENSOR, "integers of any shape")},
    .attr =
        {ATTR_AT("axis", INT, "None", "the dim; None: x has one dim"),
         ATTR_AT(
             "mode", STRING, "\"fast\"",
             "out of range: \"fast\" refused, \"clip\" the nearest (negative ones are 0), \"wrap\" modulo, \"nan\" NaN",
             .range = "fast|clip|wrap|nan")},
    .infer = infer_take,
    .indices = indices_take,
    .lower = lower_take,
    .samples = {"x=f32[n,4] i=i64[m] | R.take(x, i, axis=0)",
                "x=f32[5,n] i=i32[2,2] | R.take(x, i, axis=0, mode=\"wrap\")",
                "x=f32[5] i=i64[] | R.take(x, i, axis=0, mode=\"nan\")",
                "x=f32[5,2] i=i64[3] | R.take(x, i, axis=1, mode=\"clip\")"},
};
const op op_gather_elements = {
    .name = "gather_elements",
    .doc = "out[i, j] = data[indices[i, j], j] for axis 0, and alike for others.",
    .input = {IN("data", TENSOR, "any shape"), IN("indices", TENSOR, "integers, of as many dims")},
    .attr = {ATTR_AT("axis", INT, "0", "the dim that the indices run along")},
    .infer = infer_gather_elements,
    .indices = indices_gather_elements,
    .compute = "out[i..., k@axis] = if_then_else(dim(data, axis) > 0, "
               "data[i..., wrap(indices[i..., k@axis], dim(data, axis))@axis], 0)",
    .samples = {"x=f32[4,3] i=i64[n,3] | R.gather_elements(x, i, axis=0)"},
};
const op op_gather_nd = {
    .name = "gather_nd",
    .doc = "The slices of data that the rows of indices name; the leading batch dims go together.",
    .input = {IN("data", TENSOR, "any shape"), IN("indices", TENSOR, "integers; the last dim is a place in data")},
    .attr = {ATTR_AT("batch_dims", INT, "0", "leading dims that data and indices share", .range = "[0, 64]")},
    .infer = infer_gather_nd,
    .indices = indices_gather_nd,
    .lower = lower_gather_nd,
    .samples = {"x=f32[4,3,n] i=i64[m,2] | R.gather_nd(x, i)",
                "x=f32[2,4,3] i=i64[2,n,1] | R.gather_nd(x, i, batch_dims=1)"},
};
const op op_index_tensor = {
    .name = "index_tensor",
    .doc = "data[indices[0], indices[1], …]: index tensors broadcast and take the leading dims.",
    .input = {IN("data", TENSOR, "any shape"), IN("indices", TENSORS, "integers that broadcast")},
    .infer = infer_index_tensor,
    .indices = indices_index_tensor,
    .lower = lower_index_tensor,
    .samples = {"x=f32[4,3,n] i=i64[m] j=i64[m] | R.index_tensor(x, (i, j))"},
};
