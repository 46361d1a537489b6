// concat.c - R.concat and R.stack: tensors one after the other along a dim that they have, or along a new one.
#include "base/count_noun.h"
#include "ops/table.h"

enum { MANY = 8 }; // more tensors than that are copied one by one, not chosen among

// --- What they share: fields of one rank and dtype.
static bool same_dtype(infer_ctx *c, const node *n, const ann *t, dtype *out) {
    char first[32], other[32];
    *out = t->field[0]->type;
    for (uint32_t i = 1; i < t->count; i++) {
        dtype type = t->field[i]->type;
        if (out->kind && type.kind && !dtype_equal(*out, type))
            return infer_error(c, n, "want tensors of one dtype, got %s and %s", dtype_spell(*out, first),
                               dtype_spell(type, other)),
                   false;
        if (!out->kind) *out = type;
    }
    for (uint32_t i = 0; i < t->count; i++)
        if (!t->field[i]->type.kind) *out = (dtype){0};
    return true;
}

static bool same_rank(infer_ctx *c, const node *n, const ann *t, int32_t *out) {
    *out = RANK_UNKNOWN;
    for (uint32_t i = 0; i < t->count; i++) {
        int32_t rank = t->field[i]->rank;
        if (!has_rank(t->field[i])) continue;
        if (*out >= 0 && rank != *out)
            return infer_error(c, n, "want tensors of one rank, got %d and %s", *out, COUNTED(rank, "dim")), false;
        *out = rank;
    }
    return true;
}

static bool check_fields(infer_ctx *c, const node *n, dtype *type, int32_t *rank) {
    const ann *t = infer_in(n, 0);
    if (t->count == 0) return infer_error(c, n, "want at least one tensor"), false;
    return same_dtype(c, n, t, type) && same_rank(c, n, t, rank);
}

// One dim over all fields: what is known best. `known` is cleared where a field's dims are not.
static const expr *shared_dim(infer_ctx *c, const node *n, uint32_t d, bool *known) {
    const ann *t = infer_in(n, 0);
    const expr *dim = NULL;
    for (uint32_t i = 0; i < t->count; i++) {
        if (!has_dims(t->field[i])) continue;
        const expr *here = t->field[i]->dim[d];
        if (dim && dims_differ(c, dim, here)) {
            infer_error(c, n, "dim %u differs: %s and %s", d, expr_to_text(c->mem, dim), expr_to_text(c->mem, here));
            return NULL;
        }
        if (!dim || here->op == EXPR_INT) dim = here;
    }
    if (!dim) *known = false;
    return dim ? dim : dim_int(c, 0);
}

static const expr *sum_dims(infer_ctx *c, const ann *t, uint32_t axis, bool *known) {
    const expr *sum = dim_int(c, 0);
    for (uint32_t i = 0; i < t->count; i++) {
        if (!has_dims(t->field[i])) return *known = false, sum;
        sum = dim_op(c, EXPR_ADD, sum, t->field[i]->dim[axis]);
    }
    return sum;
}

// Fields side by side along `axis` of a result with `rank` dims: one that they have, or a new one.
static const ann *joined(infer_ctx *c, const node *n, dtype type, int32_t rank, int64_t axis, bool is_new) {
    const ann *t = infer_in(n, 0);
    const expr *dim[INFER_MAX_RANK];
    uint32_t at = 0;
    bool known = true;
    if (!infer_axis(c, n, axis, rank, &at)) return NULL;
    for (uint32_t d = 0; d < (uint32_t)rank; d++) {
        if (d != at)
            dim[d] = shared_dim(c, n, is_new && d > at ? d - 1 : d, &known);
        else
            dim[d] = is_new ? dim_int(c, t->count) : sum_dims(c, t, at, &known);
        if (!dim[d]) return NULL;
    }
    return known ? infer_tensor(c, t->field[0], type, dim, (uint32_t)rank) : infer_rank(c, t->field[0], type, rank);
}

static const ann *infer_concat(infer_ctx *c, const node *n) {
    dtype type;
    int32_t rank;
    if (!check_fields(c, n, &type, &rank)) return NULL;
    if (attr_is_none(n, "axis") && rank > 1)
        return infer_error(c, n, "axis=None is for tensors of one dim, got %d", rank);
    if (attr_is_none(n, "axis")) rank = 1;
    if (rank < 0) return infer_rank(c, infer_in(n, 0)->field[0], type, RANK_UNKNOWN);
    int64_t axis = 0;
    if (!attr_is_none(n, "axis") && !attr_get_int(node_attr(n, "axis"), &axis))
        return infer_error(c, n, "axis: want an int or None");
    return joined(c, n, type, rank, axis, false);
}

static const ann *infer_stack(infer_ctx *c, const node *n) {
    dtype type;
    int32_t rank;
    if (!check_fields(c, n, &type, &rank)) return NULL;
    if (rank < 0) return infer_rank(c, infer_in(n, 0)->field[0], type, RANK_UNKNOWN);
    return joined(c, n, type, rank + 1, attr_int_of(n, "axis"), true);
}

// --- Lowering: the element belongs to the first tensor that reaches past its index.
// Many tensors: each is copied to its place by a statement of its own.
static const loop_func *lower_many(const lower_ctx *c, const node *n, int64_t axis) {
    const ann *t = n->in[0]->type;
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    text meaning = TEXT_IN(c->mem);
    compute_name *names = ARENA_NEW(c->mem, compute_name, t->count + 1);
    const expr *from = expr_i64(c->exprs, 0);
    uint32_t at = (uint32_t)(axis < 0 ? axis + n->type->rank : axis);
    names[t->count] = (compute_name){.name = "at", .value = expr_i64(c->exprs, axis)};
    for (uint32_t i = 0; i < t->count; i++) {
        names[i] = (compute_name){.name = arena_format(c->mem, "from%u", i), .value = from};
        text_format(&meaning, "out[i..., k + from%u@at] = tensors%u[i..., k@at];", i, i);
        from = dim_op(&ctx, EXPR_ADD, from, t->field[i]->dim[at]);
    }
    return compute_build(c, n, text_get(&meaning), names, t->count + 1);
}

static const loop_func *lower_concat(const lower_ctx *c, const node *n) {
    const ann *t = n->in[0]->type;
    if (t->count > MANY) return lower_many(c, n, attr_is_none(n, "axis") ? 0 : attr_int_of(n, "axis"));
    text meaning = TEXT_IN(c->mem);
    name_list names = {0};
    bool none = attr_is_none(n, "axis");
    name_number(c, &names, "at", none ? 0 : attr_int_of(n, "axis"));
    text_put(&meaning, "out[i..., k@at] = ");
    for (uint32_t i = 0; i < t->count; i++) {
        text offset = TEXT_IN(c->mem);
        for (uint32_t p = 0; p < i; p++) text_format(&offset, " - dim(tensors%u, at)", p);
        bool last = i + 1 == t->count;
        if (!last) text_format(&meaning, "if_then_else(k%s < dim(tensors%u, at), ", text_get(&offset), i);
        text_format(&meaning, "tensors%u[i..., k%s@at]%s", i, text_get(&offset), last ? "" : ", ");
    }
    text_put_repeat(&meaning, ')', t->count - 1);
    return compute_with(c, n, text_get(&meaning), &names);
}

static const loop_func *lower_stack(const lower_ctx *c, const node *n) {
    uint32_t count = n->in[0]->type->count;
    text meaning = TEXT_IN(c->mem);
    for (uint32_t i = 0; count > MANY && i < count; i++)
        text_format(&meaning, "out[i..., %u@axis] = tensors%u[i...];", i, i);
    if (count > MANY) return compute_build(c, n, text_get(&meaning), NULL, 0);
    text_put(&meaning, "out[i..., k@axis] = ");
    for (uint32_t i = 0; i + 1 < count; i++) text_format(&meaning, "if_then_else(k == %u, tensors%u[i...], ", i, i);
    text_format(&meaning, "tensors%u[i...]", count - 1);
    text_put_repeat(&meaning, ')', count - 1);
    return compute_build(c, n, text_get(&meaning), NULL, 0);
}

const op op_concat = {
    .name = "concat",
    .doc = "Tensors one after the other along one dim; empty ones add nothing.",
    .input = {IN("tensors", TENSORS, "tensors of one rank and dtype, equal but for that dim")},
    .attr = {ATTR_AT("axis", ANY, "0", "the dim; None: the tensors have one dim each")},
    .infer = infer_concat,
    .lower = lower_concat,
    .samples = {"x=f32[n,4] y=f32[m,4] | R.concat((x, y), axis=0)",
                "x=f32[2,n] y=f32[2,1] z=f32[2,0] | R.concat((x, y, z), axis=-1)"},
};
const op op_stack = {
    .name = "stack",
    .doc = "Tensors of one shape side by side along a new dim.",
    .input = {IN("tensors", TENSORS, "tensors of one shape and dtype")},
    .attr = {ATTR_AT("axis", INT, "0", "where the new dim stands")},
    .infer = infer_stack,
    .lower = lower_stack,
    .samples = {"x=f32[n,4] y=f32[n,4] | R.stack((x, y), axis=1)"},
};
