// rx_rope.c - R.rx.rope: rotary position embedding.
//
// Pair j of a head is turned by the angle position * scale * base ** (-2 j / dims) / factors[j]. The pairs are the two
// halves of the rotated dims ("half": element j with j + dims / 2), or neighbours ("interleaved": 2 j with 2 j + 1).
#include "ops/table.h"

static bool check_shapes(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *p = infer_in(n, 1);
    if (!infer_want_integers(c, n, 1)) return false;
    if (has_rank(x) && x->rank < 2)
        return infer_error(c, n, "data: want [..., heads, size], got %d dims", x->rank), false;
    if (has_rank(x) && has_rank(p) && p->rank != x->rank - 2)
        return infer_error(c, n, "positions: want %d dims, one position per token, got %d", x->rank - 2, p->rank),
               false;
    for (int32_t i = 0; has_dims(x) && has_dims(p) && i < p->rank; i++)
        if (dims_differ(c, x->dim[i], p->dim[i]))
            return infer_error(c, n, "data is %s, positions %s", dims_text(c, x), dims_text(c, p)), false;
    return true;
}

// The rotated dims: as the attribute says, 0 for all of a head. 0 when not known.
static int64_t rotated_dims(const node *n) {
    const ann *x = n->in[0]->type;
    int64_t dims = attr_int_of(n, "dims"), size = 0;
    if (dims == 0 && x->rank > 0 && x->dim) expr_const_int(x->dim[x->rank - 1], &dims);
    return x->rank > 0 && x->dim && expr_const_int(x->dim[x->rank - 1], &size) && dims > size ? -1 : dims;
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_float_same(c, n);
    int64_t dims = rotated_dims(n);
    if (!x || !check_shapes(c, n)) return NULL;
    if (dims < 0 || dims % 2) return infer_error(c, n, "dims: want an even number up to the size of a head");
    if (n->count > 2 && !infer_want_rank(c, n, 2, 1)) return NULL;
    if (n->count > 2 && has_dims(infer_in(n, 2)) && dims &&
        dims_differ(c, infer_in(n, 2)->dim[0], dim_int(c, dims / 2)))
        return infer_error(c, n, "factors: want %lld numbers, got %s", (long long)dims / 2,
                           dims_text(c, infer_in(n, 2)));
    return x;
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    const ann *x = n->in[0]->type;
    int64_t dims = attr_int_of(n, "dims");
    const expr *rotated = dims ? expr_i64(c->exprs, dims) : x->dim[x->rank - 1];
    name_list names = {0};
    name_value(&names, "rotated", rotated);
    name_value(&names, "half", dim_op(&ctx, EXPR_FLOOR_DIV, rotated, expr_i64(c->exprs, 2)));
    const char *factor = n->count > 2 ? " / cast(factors[j], float32)" : "";
    const char *angle = arena_format(c->mem,
                                     "j in half; angle[t..., j] = cast(positions[t...], float32) * scale * "
                                     "exp(-2.0 * log(base) * cast(j, float32) / cast(rotated, float32))%s;",
                                     factor);
    const char *tables = "cos[t..., j] = cos(angle[t..., j]) * attention_factor;"
                         "sin[t..., j] = sin(angle[t..., j]) * attention_factor;";
    bool halves = attr_text_is(n, "pairing", "half");
    const char *turned =
        halves ? "if_then_else(k < half, data[t..., h, k] * cos[t..., k] - data[t..., h, k + half] * sin[t..., k], "
                 "data[t..., h, k] * cos[t..., k - half] + data[t..., h, k - half] * sin[t..., k - half])"
               : "if_then_else(k % 2 == 0, data[t..., h, k] * cos[t..., k // 2] - data[t..., h, k + 1] * sin[t..., k "
                 "// 2], "
                 "data[t..., h, k] * cos[t..., k // 2] + data[t..., h, k - 1] * sin[t..., k // 2])";
    const char *meaning = arena_format(c->mem, "%s%sout[t..., h, k] = if_then_else(k < rotated, %s, data[t..., h, k])",
                                       angle, tables, turned);
    return compute_with(c, n, meaning, &names);
}

const op op_rx_rope = {
    .name = "rx.rope",
    .doc = "Rotary position embedding: pairs of elements of each head turned by angles that grow with the position.",
    .input = {IN("data", TENSOR, "[..., heads, size]"), IN("positions", TENSOR, "integers, [...]: one per token"),
              IN_OPTIONAL("factors", TENSOR, "one per pair: frequencies are divided by them")},
    .attr = {ATTR("base", FLOAT, "10000.0", "of the frequencies", .range = "(0, inf)"),
             ATTR("dims", INT, "0", "how many elements of a head turn; 0: all", .range = "[0, 2147483647]"),
             ATTR("pairing", STRING, "\"half\"",
                  "half: element i turns with i + dims / 2; interleaved: 2 i with 2 i + 1",
                  .range = "half|interleaved"),
             ATTR("scale", FLOAT, "1.0", "positions are multiplied by it", .range = "(-inf, inf)"),
             ATTR("attention_factor", FLOAT, "1.0", "the result of the turned part is multiplied by it",
                  .range = "(-inf, inf)")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[t,2,4] p=i64[t] | R.rx.rope(x, p)",
                "x=f32[t,2,6] p=i32[t] f=f32[2] | R.rx.rope(x, p, f, dims=4, pairing=\"interleaved\", scale=0.5)",
                "x=f16[2,t,1,4] p=i64[2,t] | R.rx.rope(x, p, base=500000.0)"},
};
