// scatter.c - R.scatter_elements, R.scatter_nd, R.index_put, R.slice_scatter: a copy of a tensor with some elements
// written.
//
// Updates are applied one after the other in row-major order: of several to one place, the last one stays, or all
// add up. Negative indices count from the end; those out of range write the nearest element.
#include "base/count_noun.h"
#include "ops/table.h"
#include <string.h>

// "out[…] = …" for one update. NULL after reporting a reduction we do not have.
static const char *update_text(const lower_ctx *c, const node *n, const char *reduction, const char *where,
                               const char *value) {
    const char *op_between = strcmp(reduction, "add") == 0 ? "+" : strcmp(reduction, "mul") == 0 ? "*" : NULL;
    if (strcmp(reduction, "update") == 0) return arena_format(c->mem, "%s = %s", where, value);
    if (op_between) return arena_format(c->mem, "%s = %s %s %s", where, where, op_between, value);
    if (strcmp(reduction, "max") == 0 || strcmp(reduction, "min") == 0)
        return arena_format(c->mem, "%s = %s(%s, %s)", where, reduction, where, value);
    if (strcmp(reduction, "mean") == 0) return arena_format(c->mem, "%s = divide(%s + %s, 2)", where, where, value);
    diag_error(c->d, n->at, "%s: reduction \"%s\" is not supported; use update, add, mul, max, min or mean",
               n->op->name, reduction);
    return NULL;
}

// The attribute with a zero at its end.
static const char *reduction_of(const lower_ctx *c, const node *n) {
    const attr *a = node_attr(n, "reduction");
    return arena_copy(c->mem, a->as.text, a->size);
}

// A copy of data, then the updates; into an empty tensor none.
static const loop_func *lower_updates(const lower_ctx *c, const node *n, const char *reduction, const char *where,
                                      const char *value) {
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    const ann *x = n->in[0]->type;
    const char *step = update_text(c, n, reduction, where, value);
    name_list names = {0};
    name_value(&names, "elements", dims_product(&ctx, x->dim, (uint32_t)x->rank));
    const char *meaning = arena_format(c->mem, "out[i...] = data[i...]; %s where elements > 0", step ? step : "");
    return step ? compute_with(c, n, meaning, &names) : NULL;
}

// --- scatter_elements
static const ann *infer_scatter_elements(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *at = infer_in(n, 1), *with = infer_in(n, 2);
    dtype type;
    uint32_t axis = 0;
    if (!integers_only(c, n, "indices", at) || !infer_same_dtype(c, n, 0, 2, &type)) return NULL;
    if (has_rank(x) && has_rank(at) && x->rank != at->rank)
        return infer_error(c, n, "want indices of %s like data, got %d", COUNTED(x->rank, "dim"), at->rank);
    if (has_rank(x) && has_rank(with) && x->rank != with->rank)
        return infer_error(c, n, "want updates of %s like data, got %d", COUNTED(x->rank, "dim"), with->rank);
    if (has_rank(x) && !infer_axis(c, n, attr_int_of(n, "axis"), x->rank, &axis)) return NULL;
    for (int32_t i = 0; has_dims(at) && has_dims(with) && i < at->rank && at->rank == with->rank; i++)
        if (dims_differ(c, at->dim[i], with->dim[i]))
            return infer_error(c, n, "want updates of the shape of indices %s, got %s", dims_text(c, at),
                               dims_text(c, with));
    for (int32_t i = 0; has_dims(x) && has_dims(at) && i < x->rank; i++)
        if ((uint32_t)i != axis && dims_exceed(c, at->dim[i], x->dim[i]))
            return infer_error(c, n, "dim %d of indices is %s, more than data's %s", (int)i,
                               expr_to_text(c->mem, at->dim[i]), expr_to_text(c->mem, x->dim[i]));
    return x;
}

// `i... + 0` is no plain index: the range is that of the indices, which may be smaller than data.
static const loop_func *lower_scatter_elements(const lower_ctx *c, const node *n) {
    return lower_updates(c, n, reduction_of(c, n), "out[i... + 0, wrap(indices[i..., k@axis], dim(data, axis))@axis]",
                         "updates[i..., k@axis]");
}

// --- scatter_nd: the last dim of the indices is a place in data.
static const ann *infer_scatter_nd(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *at = infer_in(n, 1), *with = infer_in(n, 2);
    dtype type;
    int64_t length;
    if (!integers_only(c, n, "indices", at) || !infer_same_dtype(c, n, 0, 2, &type)) return NULL;
    if (at->rank == 0) return infer_error(c, n, "indices: want at least one dim");
    if (!has_rank(x) || !has_dims(at) || !expr_const_int(at->dim[at->rank - 1], &length)) return x;
    if (length > x->rank) return infer_error(c, n, "indices name %s, but data has %d", COUNTED(length, "dim"), x->rank);
    int32_t want = at->rank - 1 + x->rank - (int32_t)length;
    if (has_rank(with) && with->rank != want)
        return infer_error(c, n, "want updates of %s, got %d", COUNTED(want, "dim"), with->rank);
    for (int32_t i = 0; has_dims(with) && has_dims(x) && i < want; i++) {
        const expr *dim = i < at->rank - 1 ? at->dim[i] : x->dim[i - (at->rank - 1) + (int32_t)length];
        if (dims_differ(c, dim, with->dim[i]))
            return infer_error(c, n, "dim %d of updates is %s, want %s", (int)i, expr_to_text(c->mem, with->dim[i]),
                               expr_to_text(c->mem, dim));
    }
    return x;
}

static const loop_func *lower_scatter_nd(const lower_ctx *c, const node *n) {
    const ann *at = n->in[1]->type;
    int64_t length = 0;
    text where = TEXT_IN(c->mem);
    if (!expr_const_int(at->dim[at->rank - 1], &length))
        return diag_error(c->d, n->at, "scatter_nd: the last dim of indices must be known"), NULL;
    text_put(&where, "out[");
    for (int64_t k = 0; k < length; k++)
        text_format(&where, "wrap(indices[j..., %lld], dim(data, %lld)), ", (long long)k, (long long)k);
    text_put(&where, "r...]");
    return lower_updates(c, n, reduction_of(c, n), text_get(&where), "updates[j..., r...]");
}

// --- index_put: the index tensors broadcast, and the values broadcast to what they name.
static const ann *index_tensor(const ann *at, uint32_t i) { return at->kind == ANN_TENSOR ? at : at->field[i]; }

static uint32_t index_tensors(const ann *at) { return at->kind == ANN_TENSOR ? 1 : at->count; }

static int32_t index_rank(const ann *at) {
    int32_t rank = 0;
    for (uint32_t i = 0; i < index_tensors(at); i++) {
        if (!has_rank(index_tensor(at, i))) return RANK_UNKNOWN;
        if (index_tensor(at, i)->rank > rank) rank = index_tensor(at, i)->rank;
    }
    return rank;
}

// What `mine` is when it broadcasts to `whole`, both counted from the end.
static bool check_fits(infer_ctx *c, const node *n, const char *what, const ann *mine, const expr *const *whole,
                       int32_t rank) {
    for (int32_t i = 0; i < mine->rank; i++) {
        const expr *want = whole[rank - mine->rank + i];
        if (dim_is(c, mine->dim[i], 1) || !dims_differ(c, want, mine->dim[i])) continue;
        return infer_error(c, n, "dim %d of %s is %s, want %s or 1", (int)i, what, expr_to_text(c->mem, mine->dim[i]),
                           expr_to_text(c->mem, want)),
               false;
    }
    return true;
}

// The index tensors broadcast to one shape; the values to that and the dims of data that are left.
static bool check_values(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *at = infer_in(n, 1), *with = infer_in(n, 2);
    const expr *dim[2 * INFER_MAX_RANK];
    int32_t shared = index_rank(at), rank = shared, given = (int32_t)index_tensors(at);
    for (int32_t k = 0; k < shared; k++) dim[k] = dim_int(c, 1);
    for (int32_t k = 0; k < given; k++) {
        const ann *one = index_tensor(at, (uint32_t)k);
        if (!has_dims(one)) return true;
        for (int32_t i = 0; i < one->rank; i++) {
            const expr **whole = &dim[shared - one->rank + i];
            if (dim_is(c, *whole, 1)) *whole = one->dim[i];
        }
        if (!check_fits(c, n, "indices", one, dim, shared)) return false;
    }
    if (!has_dims(x) || !has_dims(with)) return true;
    for (int32_t i = given; i < x->rank; i++) dim[rank++] = x->dim[i];
    return check_fits(c, n, "values", with, dim, rank);
}

static const ann *infer_index_put(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *at = infer_in(n, 1), *with = infer_in(n, 2);
    dtype type;
    if (!infer_same_dtype(c, n, 0, 2, &type)) return NULL;
    for (uint32_t i = 0; i < index_tensors(at); i++)
        if (!integers_only(c, n, "indices", index_tensor(at, i))) return NULL;
    if (has_rank(x) && (int32_t)index_tensors(at) > x->rank)
        return infer_error(c, n, "%u index tensors for data of %s", index_tensors(at), COUNTED(x->rank, "dim"));
    if (!has_rank(x) || !has_rank(with) || index_rank(at) == RANK_UNKNOWN) return x;
    int32_t most = index_rank(at) + x->rank - (int32_t)index_tensors(at);
    if (with->rank > most)
        return infer_error(c, n, "values: want at most %s, got %d", COUNTED(most, "dim"), with->rank);
    return check_values(c, n) ? x : NULL;
}

// The last `rank` of the indices j0, j1, … of the index tensors and r0, r1, … of the dims they leave.
static const char *last_indices(arena *mem, int32_t shared, int32_t rest, int32_t rank) {
    text out = TEXT_IN(mem);
    for (int32_t i = shared + rest - rank; i < shared + rest; i++)
        text_format(&out, i < shared ? "j%d, " : "r%d, ", i < shared ? i : i - shared);
    if (out.len) out.len -= 2;
    return arena_format(mem, "%.*s", (int)out.len, text_get(&out));
}

static const loop_func *lower_index_put(const lower_ctx *c, const node *n) {
    const ann *at = n->in[1]->type;
    text where = TEXT_IN(c->mem);
    bool one = at->kind == ANN_TENSOR;
    int32_t shared = index_rank(at), rest = n->type->rank - (int32_t)index_tensors(at);
    text_put(&where, "out[");
    for (uint32_t k = 0; k < index_tensors(at); k++)
        text_format(&where, "wrap(indices%s[%s], dim(data, %u)), ", one ? "" : arena_format(c->mem, "%u", k),
                    last_indices(c->mem, shared, 0, index_tensor(at, k)->rank), k);
    const char *dims = last_indices(c->mem, shared, rest, rest);
    const char *values = arena_format(c->mem, "values[%s]", last_indices(c->mem, shared, rest, n->in[2]->type->rank));
    return lower_updates(c, n, attr_int_of(n, "accumulate") ? "add" : "update",
                         arena_format(c->mem, "%s%s]", text_get(&where), dims), values);
}

// --- slice_scatter
static const ann *infer_slice_scatter(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *src = infer_in(n, 1);
    dtype type;
    uint32_t axis;
    if (!infer_same_dtype(c, n, 0, 1, &type)) return NULL;
    if (!infer_want_index(c, n, 2) || !infer_want_index(c, n, 3) || !infer_want_index(c, n, 4)) return NULL;
    if (has_rank(x) && !infer_axis(c, n, attr_int_of(n, "axis"), x->rank, &axis)) return NULL;
    if (has_rank(x) && has_rank(src) && x->rank != src->rank)
        return infer_error(c, n, "want src of %s like input, got %d", COUNTED(x->rank, "dim"), src->rank);
    const expr *from = infer_index(c, n, 2), *to = infer_index(c, n, 3), *by = infer_index(c, n, 4);
    int64_t step;
    if (by && expr_const_int(by, &step) && step < 1)
        return infer_error(c, n, "step: want 1 or more, got %lld", (long long)step);
    for (int32_t i = 0; has_dims(x) && has_dims(src) && i < x->rank; i++) {
        const expr *want = x->dim[i];
        if ((uint32_t)i == axis) {
            if (!from || !to || !by) continue;
            const expr *length =
                dim_op(c, EXPR_ADD, dim_op(c, EXPR_SUB, to, from), dim_op(c, EXPR_SUB, by, dim_int(c, 1)));
            want = dim_op(c, EXPR_FLOOR_DIV, length, by);
        }
        if (dims_differ(c, want, src->dim[i]))
            return infer_error(c, n, "dim %d of src is %s, want %s", (int)i, expr_to_text(c->mem, src->dim[i]),
                               expr_to_text(c->mem, want));
    }
    return x;
}

#define REDUCTION                                                                                                      \
    ATTR_AT("reduction", STRING, "\"update\"", "how updates join the old value; mean: of it and each in turn",         \
            .range = "update|add|mul|max|min|mean")

const op op_scatter_elements = {
    .name = "scatter_elements",
    .doc = "A copy of data with out[indices[i, j], j] = updates[i, j] for axis 0, and alike for others.",
    .input = {IN("data", TENSOR, "any shape"), IN("indices", TENSOR, "integers, of as many dims"),
              IN("updates", TENSOR, "of the shape of indices")},
    .attr = {ATTR_AT("axis", INT, "0", "the dim that the indices run along"), REDUCTION},
    .infer = infer_scatter_elements,
    .lower = lower_scatter_elements,
    .samples = {"x=f32[4,3] i=i64[2,3] u=f32[2,3] | R.scatter_elements(x, i, u, axis=0, reduction=\"add\")"},
};
const op op_scatter_nd = {
    .name = "scatter_nd",
    .doc = "A copy of data with the slices that the rows of indices name written.",
    .input = {IN("data", TENSOR, "any shape"), IN("indices", TENSOR, "integers; the last dim is a place in data"),
              IN("updates", TENSOR, "a slice for each")},
    .attr = {REDUCTION},
    .infer = infer_scatter_nd,
    .lower = lower_scatter_nd,
    .samples = {"x=f32[4,n] i=i64[2,1] u=f32[2,n] | R.scatter_nd(x, i, u)"},
};
const op op_index_put = {
    .name = "index_put",
    .doc = "A copy of data with data[indices[0], indices[1], …] written or added to.",
    .input = {IN("data", TENSOR, "any shape"), IN("indices", ANY, "a tensor or a tuple of tensors of integers"),
              IN("values", TENSOR, "what is written; broadcasts")},
    .attr = {ATTR_AT("accumulate", BOOL, "False", "add instead of write")},
    .infer = infer_index_put,
    .lower = lower_index_put,
    .samples = {"x=f32[4,3] i=i64[2] j=i64[2] u=f32[2] | R.index_put(x, (i, j), u, accumulate=True)"},
};
const op op_slice_scatter = {
    .name = "slice_scatter",
    .doc = "A copy of input with a slice along one dim written; what lies outside of it is dropped.",
    .input = {IN("input", TENSOR, "any shape"), IN("src", TENSOR, "what is written"),
              IN("start", PRIM, "the first place"), IN("end", PRIM, "behind the last place"),
              IN("step", PRIM, "from place to place")},
    .attr = {ATTR_AT("axis", INT, "0", "the dim")},
    .infer = infer_slice_scatter,
    .compute = "out[i...] = input[i...]; out[i..., start + k * step@axis] = src[i..., k@axis] "
               "where start + k * step >= 0 and start + k * step < dim(input, axis)",
    .samples =
        {"x=f32[8,n] s=f32[2,n] | R.slice_scatter(x, s, R.prim_value(2), R.prim_value(4), R.prim_value(1), axis=0)"},
};
