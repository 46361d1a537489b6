// split.c - R.split: a tensor cut along one dim into equal parts, or at given places.
#include "ops/table.h"

// The bounds of the parts along the dim: `count + 1` of them, ascending. Part i is [bound[i], bound[i + 1]).
typedef struct bounds {
    const expr *bound[INFER_MAX_RANK + 2];
    uint32_t count;
} bounds;

// A place, which is not negative, moved into the dim.
static const expr *clamp(infer_ctx *c, const expr *at, const expr *n) {
    int64_t a, high;
    if (expr_is_int(at, 0)) return at;
    if (expr_const_int(at, &a) && expr_const_int(n, &high)) return dim_int(c, a < high ? a : high);
    return dim_op(c, EXPR_MIN, at, n);
}

// Sections of ceil(n / count); the last ones may be shorter, or empty.
static void cut_evenly(infer_ctx *c, const expr *n, int64_t count, bounds *out) {
    const expr *up = dim_op(c, EXPR_ADD, n, dim_int(c, count - 1));
    const expr *part = dim_op(c, EXPR_FLOOR_DIV, up, dim_int(c, count));
    bool whole = prove_divides(c->exprs, count, n, c->facts);
    if (whole) part = dim_op(c, EXPR_FLOOR_DIV, n, dim_int(c, count));
    out->count = (uint32_t)count;
    for (int64_t i = 0; i <= count; i++) {
        const expr *at = dim_op(c, EXPR_MUL, part, dim_int(c, i));
        bool last = i == count;
        out->bound[i] = last ? n : whole || i == 0 ? at : clamp(c, at, n);
    }
}

// Places in ascending order; one below its predecessor cuts there too.
static void cut_at(infer_ctx *c, const expr *n, const int64_t *at, uint32_t count, bounds *out) {
    int64_t from = 0;
    out->count = count + 1;
    out->bound[0] = dim_int(c, 0);
    for (uint32_t i = 0; i < count; i++) {
        if (at[i] > from) from = at[i];
        out->bound[i + 1] = clamp(c, dim_int(c, from), n);
    }
    out->bound[count + 1] = n;
}

static bool find_bounds(infer_ctx *c, const node *n, const expr *extent, bounds *out) {
    const attr *cut = node_attr(n, "indices_or_sections");
    int64_t at[INFER_MAX_RANK], sections = 0;
    if (cut->kind == ATTR_LIST && cut->count >= INFER_MAX_RANK)
        return infer_error(c, n, "want fewer than %d places", INFER_MAX_RANK), false;
    if (cut->kind == ATTR_LIST) {
        for (uint32_t i = 0; i < cut->count; i++)
            if (!attr_get_int(cut->list[i], &at[i])) return infer_error(c, n, "places must be numbers"), false;
        return cut_at(c, extent, at, cut->count, out), true;
    }
    if (!attr_get_int(cut, &sections) || sections < 1 || sections > INFER_MAX_RANK)
        return infer_error(c, n, "want a list of places, or 1 to %d sections", INFER_MAX_RANK), false;
    return cut_evenly(c, extent, sections, out), true;
}

static const ann *part_of(infer_ctx *c, const ann *x, uint32_t axis, const bounds *b, uint32_t i) {
    const expr *dim[INFER_MAX_RANK];
    if (!has_dims(x)) return infer_rank(c, x, x->type, x->rank);
    for (int32_t d = 0; d < x->rank; d++) dim[d] = x->dim[d];
    dim[axis] = dim_op(c, EXPR_SUB, b->bound[i + 1], b->bound[i]);
    return infer_tensor(c, x, x->type, dim, (uint32_t)x->rank);
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0), *part[INFER_MAX_RANK + 2];
    uint32_t axis = 0;
    bounds b;
    if (has_rank(x) && !infer_axis(c, n, attr_int_of(n, "axis"), x->rank, &axis)) return NULL;
    if (!find_bounds(c, n, has_dims(x) && x->rank ? x->dim[axis] : dim_int(c, 0), &b)) return NULL;
    for (uint32_t i = 0; i < b.count; i++) part[i] = part_of(c, x, axis, &b, i);
    return b.count == 1 ? part[0] : ann_tuple(c->mem, part, b.count); // one part is no tuple: TVM's convention
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    const ann *x = n->in[0]->type;
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    bounds b;
    uint32_t axis;
    text meaning = TEXT_IN(c->mem);
    if (!infer_axis(&ctx, n, attr_int_of(n, "axis"), x->rank, &axis) || !find_bounds(&ctx, n, x->dim[axis], &b))
        return NULL;
    if (n->type->kind != ANN_TUPLE) return compute_build(c, n, "out[i...] = x[i...]", NULL, 0);
    compute_name *all = ARENA_NEW(c->mem, compute_name, b.count);
    for (uint32_t i = 0; i < b.count; i++) {
        all[i] = (compute_name){.name = arena_format(c->mem, "from%u", i), .value = b.bound[i]};
        text_format(&meaning, "out%u[i..., k@axis] = x[i..., k + from%u@axis];", i, i);
    }
    return compute_build(c, n, text_get(&meaning), all, b.count);
}

const op op_split = {
    .name = "split",
    .doc = "Cuts x along one dim: into sections of ceil(n / sections) elements, the last ones shorter, or at given "
           "places.",
    .input = {IN("x", TENSOR, "at least one dim")},
    .attr = {ATTR_AT("indices_or_sections", ANY, NULL, "how many sections, or the list of places to cut at"),
             ATTR_AT("axis", INT, "0", "the dim to cut")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,4] | R.split(x, indices_or_sections=2, axis=1)",
                "x=f32[7] | R.split(x, indices_or_sections=[2, 5])"},
};
