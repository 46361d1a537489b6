// pad.c - R.nn.pad: a tensor with a border.
#include "ops/table.h"
#include <string.h>

// What stands at an element of the result, by mode. `before` is the border in front, per dim.
static const struct {
    const char *name, *meaning;
} modes[] = {
    {"constant", "out[i...] = if_then_else(all(i... >= before) and all(i... < before + dims(data)), "
                 "data[i... - before], pad_value)"},
    {"edge", "out[i...] = if_then_else(elements > 0, data[max(min(i... - before, dims(data) - 1), 0)], pad_value)"},
    {"reflect", "out[i...] = if_then_else(elements > 0, data[max(min(if_then_else(i... < before, before - i..., "
                "if_then_else(i... >= before + dims(data), 2 * dims(data) - 2 + before - i..., i... - before)), "
                "dims(data) - 1), 0)], pad_value)"},
    {"circular", "out[i...] = if_then_else(elements > 0, data[(i... - before) % dims(data)], pad_value)"},
};

static const char *mode_meaning(const node *n) {
    const attr *a = node_attr(n, "pad_mode");
    for (size_t i = 0; i < COUNT(modes); i++)
        if (strlen(modes[i].name) == a->size && memcmp(modes[i].name, a->as.text, a->size) == 0)
            return modes[i].meaning;
    return NULL;
}

// A border is mirrored inside of the dim, so it is narrower than that; a single element mirrors to itself, and of none
// there is no mirror. What only the run tells is left to it, as an equality like all such questions.
static bool mirrors(infer_ctx *c, const expr *dim, int64_t before, int64_t after) {
    int64_t size, border = before > after ? before : after;
    if (border <= 0) return true;
    if (expr_const_int(dim, &size)) return size <= 1 || border < size;
    expr_session *s = c->exprs;
    const expr *need = dim_int(c, border + 1), *most = expr_binary(s, EXPR_MIN, need, dim);
    const expr *few = expr_binary(s, EXPR_LE, dim, dim_int(c, 1));
    return !dims_differ(c, need, expr_select(s, few, need, most));
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    const attr *width = node_attr(n, "pad_width");
    int64_t by[2 * INFER_MAX_RANK];
    const expr *dim[INFER_MAX_RANK];
    if (width->count > COUNT(by)) return infer_error(c, n, "pad_width: too many numbers");
    if (!has_rank(x))
        return width->count % 2 ? infer_error(c, n, "pad_width: want two numbers per dim")
                                : infer_rank(c, x, x->type, (int32_t)width->count / 2);
    if (width->count != 2 * (uint32_t)x->rank)
        return infer_error(c, n, "pad_width: want two numbers per dim, %d in all, got %u", 2 * x->rank, width->count);
    if (!has_dims(x)) return x;
    attr_numbers(n, "pad_width", by, COUNT(by));
    bool mirrored = attr_text_is(n, "pad_mode", "reflect");
    for (int32_t i = 0; i < x->rank; i++) {
        int64_t before = by[2 * i], after = by[2 * i + 1];
        if (mirrored && !mirrors(c, x->dim[i], before, after))
            return infer_error(c, n, "a border of %lld reflects past the %s elements of dim %d",
                               (long long)(before > after ? before : after), expr_to_text(c->mem, x->dim[i]), (int)i);
        dim[i] = dim_op(c, EXPR_ADD, x->dim[i], dim_int(c, before + after));
    }
    return infer_tensor(c, x, x->type, dim, (uint32_t)x->rank);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    int64_t by[2 * INFER_MAX_RANK], before[INFER_MAX_RANK];
    uint32_t rank = attr_numbers(n, "pad_width", by, COUNT(by)) / 2;
    name_list names = {0};
    for (uint32_t i = 0; i < rank; i++) before[i] = by[2 * i];
    name_numbers(c, &names, "before", before, rank);
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    const ann *x = n->in[0]->type; // of an empty one there is no edge: then all is the pad value
    name_value(&names, "elements", dims_product(&ctx, x->dim, (uint32_t)x->rank));
    return compute_with(c, n, mode_meaning(n), &names);
}

const op op_nn_pad = {
    .name = "nn.pad",
    .doc = "A border around a tensor: of one value, of the edge repeated, mirrored, or from the other end.",
    .input = {IN("data", TENSOR, "any shape")},
    .attr = {ATTR_AT("pad_width", INTS, NULL, "before and after, for each dim", .range = "[-2147483647, 2147483647]"),
             ATTR("pad_value", FLOAT, "0.0", "of the border, for \"constant\""),
             ATTR("pad_mode", STRING, "\"constant\"", "what the border is; reflect: narrower than the dim",
                  .range = "constant|edge|reflect|circular")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,4] | R.nn.pad(x, pad_width=[0, 0, 1, 2])",
                "x=f32[3,4] | R.nn.pad(x, pad_width=[1, 1, 2, 0], pad_mode=\"reflect\")",
                "x=f32[n,4] | R.nn.pad(x, pad_width=[2, 1, 0, 0], pad_mode=\"edge\")"},
};
