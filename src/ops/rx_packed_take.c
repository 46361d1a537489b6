// rx_packed_take.c - R.rx.packed_take: rows of a packed weight, decoded: the embedding that is a matrix too.
#include "ops/packed.h"
#include "ops/table.h"

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *q = infer_in(n, 0), *at = infer_in(n, 2);
    char spelled[32];
    int64_t units, unit = attr_int_of(n, "unit");
    if (!infer_want_rank(c, n, 0, 4) || !infer_want_rank(c, n, 1, 3)) return NULL;
    if (q->type.kind && !dtype_equal(q->type, DTYPE_OF(U32)))
        return infer_error(c, n, "quants: want uint32, got %s", dtype_spell(q->type, spelled));
    if (at->type.kind && !dtype_is_int(at->type))
        return infer_error(c, n, "indices: want integers, got %s", dtype_spell(at->type, spelled));
    if (unit != 16 && unit != 32) return infer_error(c, n, "unit: want 16 or 32, got %lld", (long long)unit);
    if (!has_dims(q) || !has_dims(at) || at->rank + 1 > INFER_MAX_RANK || !expr_const_int(q->dim[1], &units))
        return infer_rank(c, q, DTYPE_OF(F32), has_rank(at) ? at->rank + 1 : RANK_UNKNOWN);
    const expr *dim[INFER_MAX_RANK];
    for (int32_t i = 0; i < at->rank; i++) dim[i] = at->dim[i];
    dim[at->rank] = dim_int(c, units * unit);
    return infer_tensor(c, q, DTYPE_OF(F32), dim, (uint32_t)at->rank + 1);
}

static int64_t known_dim(const node *n, uint32_t operand, uint32_t i) {
    int64_t size = 0;
    expr_const_int(n->in[operand]->type->dim[i], &size);
    return size;
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    int64_t units = known_dim(n, 0, 1), words = known_dim(n, 0, 2), groups = known_dim(n, 1, 1);
    long long unit = attr_int_of(n, "unit"), half = words * 4;
    if (!units || !words || !groups || units % groups)
        return diag_error(c->d, n->at, "%s: dims must be known", n->op->name), NULL;
    const char *row = "wrap(indices[t...], rows)";
    bool nibbles = half < unit;
    const char *word =
        arena_format(c->mem, "quants[%s // 16, k // %lld, k %% %lld // 4, %s %% 16]", row, unit, half, row);
    const char *shift = arena_format(c->mem, nibbles ? "k %% 4 * 8 + k %% %lld // %lld * 4" : "k %% 4 * 8", unit, half);
    const char *quant = arena_format(c->mem, "cast(%s >> cast(%s, uint32) & %d, int32) + (%lld)", word, shift,
                                     nibbles ? 15 : 255, (long long)attr_int_of(n, "low"));
    const char *part = arena_format(c->mem, "[%s // 16, k // %lld, %s %% 16]", row, unit * units / groups, row);
    text t = TEXT_IN(c->mem);
    text_format(&t, "out[t..., k] = cast(scales%s, float32) * cast(%s, float32)", part, quant);
    if (n->count > 3) text_format(&t, " + cast(offsets%s, float32)", part);
    return compute_build(c, n, text_get(&t), NULL, 0);
}

const op op_rx_packed_take = {
    .name = "rx.packed_take",
    .doc = "The rows of a packed weight that the indices name, decoded: [..., size], float32.",
    .input = {IN("quants", TENSOR, "uint32, [rows / 16, units, words, 16]"),
              IN("scales", TENSOR, "[rows / 16, groups, 16]"),
              IN("indices", TENSOR, "integers of any shape; out of range: the nearest row"),
              IN_OPTIONAL("offsets", TENSOR, "[rows / 16, groups, 16]")},
    .attr = {ATTR("rows", INT, NULL, "of the weight"), ATTR("unit", INT, "32", "elements of a unit: 16 or 32"),
             ATTR("low", INT, "0", "what a stored quant of 0 means")},
    .infer = infer,
    .lower = lower,
    .samples = {"q=u32[2,2,4,16] s=f16[2,2,16] i=i64[n] | R.rx.packed_take(q, s, i, rows=27, low=-8)",
                "q=u32[1,2,8,16] s=f16[1,2,16] i=i32[n,2] o=f32[1,2,16] | R.rx.packed_take(q, s, i, o, rows=16)",
                "q=u32[1,4,4,16] s=f32[1,4,16] i=i32[n] | R.rx.packed_take(q, s, i, rows=16, unit=16, low=-32)",
                "q=u32[1,1,4,16] s=f16[1,1,16] i=i64[n] | R.rx.packed_take(q, s, i, rows=16, low=-8)"},
};
