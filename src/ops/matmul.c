// matmul.c - R.matmul: the matrix product with NumPy's rules for one-dimensional and batched operands.
#include "ops/infer.h"
#include "ops/ops.h"

// The result's dtype: as asked for, else that of both factors.
static bool result_type(infer_ctx *c, const node *n, dtype *out) {
    dtype asked = attr_type_of(n, "out_dtype", (dtype){0});
    if (asked.kind) return *out = asked, true;
    return infer_same_dtype(c, n, 0, 1, out);
}

static bool check_rank(infer_ctx *c, const node *n, uint32_t i) {
    if (infer_in(n, i)->rank != 0) return true;
    infer_error(c, n, "%s: want at least one dim, got a scalar", n->op->input[i].name);
    return false;
}

static bool check_inner(infer_ctx *c, const node *n, const expr *a, const expr *b) {
    if (!dims_differ(c, a, b)) return true;
    infer_error(c, n, "x1 has %s, x2 has %s: %s times %s", counted_text(c, a, "column"), counted_text(c, b, "row"),
                dims_text(c, infer_in(n, 0)), dims_text(c, infer_in(n, 1)));
    return false;
}

// The dims before the last two broadcast; vectors have none.
static shape_guess batch_of(const ann *a) {
    shape_guess s = shape_of_ann(a);
    s.rank = s.rank > 2 ? s.rank - 2 : 0;
    return s;
}

// A vector loses the dim that NumPy would give it for the product: rows on the left, columns on the right.
static const ann *infer(infer_ctx *c, const node *n) {
    const ann *a = infer_in(n, 0), *b = infer_in(n, 1);
    dtype type;
    if (!result_type(c, n, &type) || !check_rank(c, n, 0) || !check_rank(c, n, 1)) return NULL;
    if (!has_rank(a) || !has_rank(b)) return infer_rank(c, a, type, RANK_UNKNOWN);
    bool row = a->rank > 1, column = b->rank > 1;
    bool dims = has_dims(a) && has_dims(b);
    if (dims && !check_inner(c, n, a->dim[a->rank - 1], b->dim[column ? b->rank - 2 : 0])) return NULL;
    shape_guess x = batch_of(a), y = batch_of(b), out;
    if (!infer_broadcast(c, n, &x, &y, &out)) return NULL;
    out.known = out.known && dims;
    if (row && out.known) out.dim[out.rank] = a->dim[a->rank - 2];
    out.rank += row;
    if (column && out.known) out.dim[out.rank] = b->dim[b->rank - 1];
    out.rank += column;
    return infer_shaped(c, a, type, &out);
}

const op op_matmul = {
    .name = "matmul",
    .doc = "Matrix product over the last two dims; dims before them broadcast, a vector is a row on the left and a "
           "column on the right.",
    .input = {{.name = "x1", .kind = INPUT_TENSOR, .doc = "left factor, [..., i, k] or [k]"},
              {.name = "x2", .kind = INPUT_TENSOR, .doc = "right factor, [..., k, j] or [k]"}},
    .attr = {{.name = "out_dtype",
              .kind = OPATTR_DTYPE,
              .preset = "\"void\"",
              .doc = "dtype of the result and of the sums; unset: that of the factors"}},
    .infer = infer,
    .compute = "out[b..., ~i, ~j] += x1[b..., ~i, k] * x2[b..., k, ~j]",
    .samples = {"x=f32[n,3] w=f32[3,4] | R.matmul(x, w)", "x=f32[2,n,3] w=f32[3] | R.matmul(x, w)",
                "x=f32[3] w=f32[n,3,2] | R.matmul(x, w)", "x=f16[2,1,n,3] w=f16[4,3,2] | R.matmul(x, w)",
                "x=i8[n,3] w=i8[3,4] | R.matmul(x, w, out_dtype=\"int32\")"},
};
