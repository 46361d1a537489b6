// rx_rotate.c - R.rx.rotate: pairs of elements of each head turned by angles whose cosines and sines are given.
//
// The same as R.rx.rope, for when one table of angles serves many layers.
#include "base/count_noun.h"
#include "ops/table.h"

static bool fits(infer_ctx *c, const node *n, uint32_t table) {
    const ann *x = infer_in(n, 0), *a = infer_in(n, table);
    const char *name = n->op->input[table].name;
    if (has_rank(x) && has_rank(a) && a->rank != x->rank - 1)
        return infer_error(c, n, "%s: want %s, got %d", name, COUNTED(x->rank - 1, "dim"), a->rank), false;
    for (int32_t i = 0; has_dims(x) && has_dims(a) && i + 1 < a->rank; i++)
        if (dims_differ(c, x->dim[i], a->dim[i]))
            return infer_error(c, n, "data is %s, %s %s", dims_text(c, x), name, dims_text(c, a)), false;
    return true;
}

// The pairs must lie inside of a head.
static bool pairs_fit(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *a = infer_in(n, 1), *b = infer_in(n, 2);
    if (!has_dims(x) || !has_dims(a) || !has_dims(b)) return true;
    if (dims_differ(c, a->dim[a->rank - 1], b->dim[b->rank - 1]))
        return infer_error(c, n, "cos is %s, sin %s", dims_text(c, a), dims_text(c, b)), false;
    const expr *size = x->dim[x->rank - 1], *pairs = a->dim[a->rank - 1];
    return !dims_exceed(c, dim_op(c, EXPR_MUL, pairs, dim_int(c, 2)), size) ||
           (infer_error(c, n, "%s pairs don't fit into a head of %s elements", expr_to_text(c->mem, pairs),
                        expr_to_text(c->mem, size)),
            false);
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_float_same(c, n);
    dtype table;
    if (!x || !infer_same_dtype(c, n, 1, 2, &table)) return NULL;
    if (has_rank(x) && x->rank < 2)
        return infer_error(c, n, "data: want [..., heads, size], got %s", COUNTED(x->rank, "dim"));
    return fits(c, n, 1) && fits(c, n, 2) && pairs_fit(c, n) ? x : NULL;
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    const ann *table = n->in[1]->type;
    name_list names = {0};
    name_value(&names, "half", table->dim[table->rank - 1]);
    const char *turned =
        attr_text_is(n, "pairing", "half")
            ? "if_then_else(k < half, data[t..., h, k] * cos[t..., k] - data[t..., h, k + half] * sin[t..., k], "
              "data[t..., h, k] * cos[t..., k - half] + data[t..., h, k - half] * sin[t..., k - half])"
            : "if_then_else(k % 2 == 0, data[t..., h, k] * cos[t..., k // 2] - data[t..., h, k + 1] * sin[t..., k // "
              "2], data[t..., h, k] * cos[t..., k // 2] + data[t..., h, k - 1] * sin[t..., k // 2])";
    const char *meaning =
        arena_format(c->mem, "out[t..., h, k] = if_then_else(k < half * 2, %s, data[t..., h, k])", turned);
    return compute_with(c, n, meaning, &names);
}

const op op_rx_rotate = {
    .name = "rx.rotate",
    .doc = "Pairs of elements of each head turned by angles whose cosines and sines are given.",
    .input = {IN("data", TENSOR, "[..., heads, size]"), IN("cos", TENSOR, "[..., pairs]: of each token"),
              IN("sin", TENSOR, "[..., pairs]")},
    .attr = {ATTR("pairing", STRING, "\"half\"", "half: element i with i + pairs; or interleaved: 2 i with 2 i + 1",
                  .range = "half|interleaved")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[t,2,4] c=f32[t,2] s=f32[t,2] | R.rx.rotate(x, c, s)",
                "x=f32[t,2,6] c=f32[t,2] s=f32[t,2] | R.rx.rotate(x, c, s, pairing=\"interleaved\")",
                "x=f32[t,3,40] c=f32[t,16] s=f32[t,16] | R.rx.rotate(x, c, s, pairing=\"interleaved\")"},
};
