// rx_panel_matmul.c - weights of floats in panels: R.rx.pack_panels lays one out, R.rx.panel_matmul multiplies with it.
//
// A panel is 16 columns of the product, the reduction in front: [columns / 16, size, 16]. A vector of it is read for
// each step of the reduction, and the steps follow each other in memory, however the weight lay before. Columns that
// are missing repeat the last one.
#include "ops/packed.h"
#include "ops/table.h"

static const ann *infer_pack(infer_ctx *c, const node *n) {
    const ann *w = infer_in(n, 0);
    bool rows = attr_int_of(n, "rows") != 0;
    if (!infer_want_floats(c, n, 0)) return NULL;
    if (!infer_want_rank(c, n, 0, 2)) return NULL;
    if (!has_dims(w)) return infer_rank(c, w, w->type, 3);
    const expr *columns = dim_op(c, EXPR_ADD, w->dim[rows ? 0 : 1], dim_int(c, PACKED_LANES - 1));
    const expr *dim[] = {dim_op(c, EXPR_FLOOR_DIV, columns, dim_int(c, PACKED_LANES)), w->dim[rows ? 1 : 0],
                         dim_int(c, PACKED_LANES)};
    return infer_tensor(c, w, w->type, dim, 3);
}

static const loop_func *lower_pack(const lower_ctx *c, const node *n) {
    bool rows = attr_int_of(n, "rows") != 0;
    const char *column = arena_format(c->mem, "max(min(p * %d + l, dim(weight, %d) - 1), 0)", PACKED_LANES, !rows);
    const char *at = arena_format(c->mem, rows ? "%s, k" : "k, %s", column);
    return compute_build(c, n, arena_format(c->mem, "out[p, k, l] = weight[%s]", at), NULL, 0);
}

static const ann *infer_matmul(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *w = infer_in(n, 1);
    int64_t lanes, size, depth;
    if (!infer_want_dtype(c, n, 0, DTYPE_OF(F32))) return NULL;
    if (!infer_want_floats(c, n, 1)) return NULL;
    if (!infer_want_rank(c, n, 1, 3)) return NULL;
    if (!infer_want_least(c, n, 1, 0, dim_int(c, (attr_int_of(n, "columns") + PACKED_LANES - 1) / PACKED_LANES)))
        return NULL;
    if (!has_dims(x) || x->rank == 0) return infer_rank(c, x, DTYPE_OF(F32), x->rank);
    bool known = has_dims(w) && expr_const_int(w->dim[1], &depth) && expr_const_int(w->dim[2], &lanes);
    if (known && lanes != PACKED_LANES)
        return infer_error(c, n, "panels: want %d columns each, got %s", PACKED_LANES, dims_text(c, w));
    if (known && expr_const_int(x->dim[x->rank - 1], &size) && size != depth)
        return infer_error(c, n, "x: want rows of %lld, got %s", (long long)depth, dims_text(c, x));
    const expr *dim[INFER_MAX_RANK];
    for (int32_t i = 0; i < x->rank; i++) dim[i] = x->dim[i];
    dim[x->rank - 1] = dim_int(c, attr_int_of(n, "columns"));
    return infer_tensor(c, x, DTYPE_OF(F32), dim, (uint32_t)x->rank);
}

const op op_rx_pack_panels = {
    .name = "rx.pack_panels",
    .doc = "A weight of floats, 16 columns of the product side by side: [columns / 16, size, 16].",
    .input = {IN("weight", TENSOR, "floats, [size, columns]")},
    .attr = {ATTR("rows", BOOL, "False", "the weight is [columns, size]: the product is with its transpose")},
    .infer = infer_pack,
    .lower = lower_pack,
    .samples = {"w=f32[1,3] | R.rx.pack_panels(w)", "w=f32[7,33] | R.rx.pack_panels(w)",
                "w=f16[33,7] | R.rx.pack_panels(w, rows=True)"},
};
const op op_rx_panel_matmul = {
    .name = "rx.panel_matmul",
    .doc = "x times a weight that rx.pack_panels laid out: [..., columns], float32.",
    .input = {IN("x", TENSOR, "float32, [..., size]"), IN("panels", TENSOR, "floats, [columns / 16, size, 16]")},
    .attr = {ATTR("columns", INT, NULL, "of the product", .range = "[0, 2147483647]")},
    .infer = infer_matmul,
    .compute = "out[r..., n] += x[r..., k] * cast(panels[n // 16, k, n % 16], float32)",
    .samples = {"x=f32[n,7] p=f32[3,7,16] | R.rx.panel_matmul(x, p, columns=33)",
                "x=f32[2,n,8] p=f16[2,8,16] | R.rx.panel_matmul(x, p, columns=32)"},
};
