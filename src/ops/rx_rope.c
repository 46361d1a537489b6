// rx_rope.c - R.rx.rope: rotary position embedding.
//
// Pair j of a head is turned by the angle position * scale * base ** (-2 j / dims) / factors[j]. The pairs are the two
// halves of the rotated dims ("half": element j with j + dims / 2), or neighbours ("interleaved": 2 j with 2 j + 1).
#include "base/count_noun.h"
#include "ops/table.h"

static bool check_shapes(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *p = infer_in(n, 1);
    if (!infer_want_integers(c, n, 1)) return false;
    if (has_rank(x) && x->rank < 2)
        return infer_error(c, n, "data: want [..., heads, size], got %s", COUNTED(x->rank, "dim")), false;
    if (has_rank(x) && has_rank(p) && p->rank != x->rank - 2)
        return infer_error(c, n, "positions: want %s, one position per token, got %d", COUNTED(x->rank - 2, "dim"),
                           p->rank),
               false;
    for (int32_t i = 0; has_dims(x) && has_dims(p) && i < p->rank; i++)
        if (dims_differ(c, x->dim[i], p->dim[i]))
            return infer_error(c, n, "data is %s, positions %s", dims_text(c, x), dims_text(c, p)), false;
    return true;
}

// As many elements of a head turn as the attribute says, 0 for all of them: they are pairs.
static bool check_turned(infer_ctx *c, const node *n, const expr *size) {
    const expr *all = dim_int(c, attr_int_of(n, "dims")), *turned = expr_is_int(all, 0) ? size : all;
    const ann *factors = n->count > 2 ? infer_in(n, 2) : NULL;
    if (dims_differ(c, dim_op(c, EXPR_FLOOR_MOD, turned, dim_int(c, 2)), dim_int(c, 0)) ||
        (turned != size && dims_exceed(c, turned, size)))
        return infer_error(c, n, "dims: want an even number up to the size of a head, got %s of %s",
                           expr_to_text(c->mem, turned), expr_to_text(c->mem, size)),
               false;
    return !factors || infer_want_dim(c, n, 2, 0, dim_op(c, EXPR_FLOOR_DIV, turned, dim_int(c, 2)));
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_float_same(c, n);
    if (!x || !check_shapes(c, n)) return NULL;
    if (n->count > 2 && !infer_want_rank(c, n, 2, 1)) return NULL;
    if (has_dims(x) && x->rank > 0 && !check_turned(c, n, x->dim[x->rank - 1])) return NULL;
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
    const char *factor = n->count > 2 ? " / cast(factors[j], wide)" : "";
    const char *angle = arena_format(c->mem,
                                     "j in half; angle[t..., j] = cast(positions[t...], wide) * scale * "
                                     "exp(-2.0 * log(cast(base, wide)) * cast(j, wide) / cast(rotated, wide))%s;",
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
