// infer_broadcast.c - deductions of elementwise operators: shapes kept, or broadcast by NumPy's rules.
#include "ops/infer.h"

shape_guess shape_of_ann(const ann *a) {
    shape_guess s = {.rank = a->rank > INFER_MAX_RANK ? RANK_UNKNOWN : a->rank};
    if (a->kind == ANN_PRIM) s.rank = 0;
    s.known = s.rank == 0 || (s.rank > 0 && a->dim);
    for (int32_t i = 0; s.known && i < s.rank; i++) s.dim[i] = a->dim[i];
    return s;
}

const ann *infer_shaped(infer_ctx *c, const ann *like, dtype type, const shape_guess *s) {
    if (!s->known) return infer_rank(c, like, type, s->rank);
    return infer_tensor(c, like, type, s->dim, (uint32_t)s->rank);
}

// What `dim` becomes beside `other`: itself, unless it is 1 then.
static const expr *stretched(infer_ctx *c, const expr *dim, const expr *other) {
    if (dims_unequal(c, dim, dim_int(c, 1))) return dim;
    return expr_select(c->exprs, expr_binary(c->exprs, EXPR_EQ, dim, dim_int(c, 1)), other, dim);
}

bool dims_unfit(infer_ctx *c, const expr *from, const expr *to) {
    return !dim_is(c, from, 1) && dims_differ(c, to, stretched(c, from, to));
}

// Dims broadcast exactly when each, stretched to the other, gives the same: n to m if n is 1, m to n if m is 1, else
// both must be equal. One comparison at run time covers all three.
static bool broadcast_undecided(infer_ctx *c, const expr *a, const expr *b, const expr **out) {
    const expr *x = stretched(c, a, b), *y = stretched(c, b, a);
    bool a_stays = x == a, b_stays = y == b;
    *out = NULL;
    if (!a_stays && !b_stays && !c->undecided) return true;
    *out = b_stays && (!a_stays || b->op == EXPR_INT) ? y : x;
    return !dims_differ(c, *out, *out == y ? x : y);
}

// The dim that two dims broadcast to, NULL where only the run decides. False after reporting a contradiction.
static bool broadcast_dim(infer_ctx *c, const node *n, const expr *a, const expr *b, int32_t from_end,
                          const expr **out) {
    if (dim_is(c, a, 1)) return *out = b, true;
    if (dim_is(c, b, 1) || dims_equal(c, a, b)) return *out = a, true;
    if (broadcast_undecided(c, a, b, out)) return true;
    infer_error(c, n, "dims do not broadcast: %s and %s at dim -%d", expr_to_text(c->mem, a), expr_to_text(c->mem, b),
                from_end);
    return false;
}

// All dims are looked at, since a later one may be a contradiction.
bool infer_broadcast(infer_ctx *c, const node *n, const shape_guess *a, const shape_guess *b, shape_guess *out) {
    *out = (shape_guess){.rank = RANK_UNKNOWN};
    if (a->rank < 0 || b->rank < 0) return true;
    const shape_guess *longer = a->rank >= b->rank ? a : b, *shorter = longer == a ? b : a;
    bool dims = a->known && b->known;
    out->rank = longer->rank;
    out->known = dims;
    for (int32_t i = 0; dims && i < longer->rank; i++) {
        int32_t k = i - (longer->rank - shorter->rank);
        out->dim[i] = longer->dim[i];
        if (k < 0) continue;
        const expr *x = longer == a ? longer->dim[i] : shorter->dim[k];
        const expr *y = longer == a ? shorter->dim[k] : longer->dim[i];
        if (!broadcast_dim(c, n, x, y, longer->rank - i, &out->dim[i])) return false;
        if (!out->dim[i]) out->known = false;
    }
    return true;
}

const ann *infer_same_as_first(infer_ctx *c, const node *n) { return (void)c, infer_in(n, 0); }

const ann *infer_float_same(infer_ctx *c, const node *n) { return infer_want_floats(c, n, 0) ? infer_in(n, 0) : NULL; }

const ann *infer_bool_like(infer_ctx *c, const node *n) { return infer_like(c, infer_in(n, 0), DTYPE_OF(BOOL)); }

static bool is_operand(const ann *a) { return a->kind == ANN_TENSOR || a->kind == ANN_PRIM; }

static const ann *infer_two(infer_ctx *c, const node *n, dtype type) {
    const ann *a = infer_in(n, 0), *b = infer_in(n, 1);
    if (a->kind == ANN_TENSOR && a->shape && a->shape == b->shape) return infer_like(c, a, type);
    shape_guess x = shape_of_ann(a), y = shape_of_ann(b), s;
    if (!infer_broadcast(c, n, &x, &y, &s)) return NULL;
    return infer_shaped(c, a->device ? a : b, type, &s);
}

static bool check_kinds(infer_ctx *c, const node *n) {
    for (uint32_t i = 0; i < 2; i++)
        if (!is_operand(infer_in(n, i)))
            return infer_error(c, n, "%s: want a tensor or a scalar, got %s", n->op->input[i].name,
                               ann_to_text(c->mem, infer_in(n, i))),
                   false;
    return true;
}

static bool check_two(infer_ctx *c, const node *n, dtype *type) {
    return check_kinds(c, n) && infer_same_dtype(c, n, 0, 1, type);
}

const ann *infer_elementwise(infer_ctx *c, const node *n) {
    dtype type;
    return check_two(c, n, &type) ? infer_two(c, n, type) : NULL;
}

const ann *infer_compare(infer_ctx *c, const node *n) {
    return check_kinds(c, n) ? infer_two(c, n, DTYPE_OF(BOOL)) : NULL;
}

const ann *infer_stated_object(infer_ctx *c, const node *n) { return (void)c, (void)n, ann_object(); }
