// slice.c - R.strided_slice and R.dynamic_strided_slice: parts of a tensor, by Python's rules of slices.
#include "ops/table.h"

// One dim of a slice: its first element, the step, and how many there are.
typedef struct cut {
    const expr *from, *by, *length;
} cut;

// Extents and dims are never negative, which proofs here may use.
static facts *slice_facts(infer_ctx *c, const ann *x) {
    facts *f = facts_new(c->exprs);
    for (int32_t i = 0; i < x->rank; i++) facts_assume(f, expr_binary(c->exprs, EXPR_GE, x->dim[i], dim_int(c, 0)));
    return f;
}

typedef struct slicer {
    infer_ctx *c;
    const facts *f;
    const expr *n;  // of the dim being cut
    bool backwards; // a negative step
} slicer;

static const expr *make(slicer *s, expr_op what, const expr *a, const expr *b) {
    return expr_simplify(s->c->exprs, expr_binary(s->c->exprs, what, a, b), s->f);
}

static bool at_least(slicer *s, const expr *a, const expr *b) { return prove_less_equal(s->c->exprs, b, a, s->f); }

static const expr *larger(slicer *s, const expr *a, const expr *b) {
    return at_least(s, a, b) ? a : at_least(s, b, a) ? b : make(s, EXPR_MAX, a, b);
}

static const expr *smaller(slicer *s, const expr *a, const expr *b) {
    return at_least(s, a, b) ? b : at_least(s, b, a) ? a : make(s, EXPR_MIN, a, b);
}

// A place as written: from the end when negative, then moved into [0, n], or into [-1, n - 1] going backwards.
static const expr *clip(slicer *s, const expr *at) {
    infer_ctx *c = s->c;
    const expr *zero = dim_int(c, 0), *low = dim_int(c, s->backwards ? -1 : 0);
    const expr *high = s->backwards ? make(s, EXPR_SUB, s->n, dim_int(c, 1)) : s->n;
    int64_t value;
    bool number = expr_const_int(at, &value);
    if (number && (value == INT64_MAX || value == INT32_MAX)) return high;
    if (number && value < -INT32_MAX) return low;
    if (number && value < 0) at = make(s, EXPR_ADD, s->n, at);
    if (!number && !at_least(s, at, zero)) {
        const expr *below = expr_binary(c->exprs, EXPR_LT, at, zero);
        at = expr_select(c->exprs, below, expr_binary(c->exprs, EXPR_ADD, at, s->n), at);
    }
    return smaller(s, larger(s, at, low), high);
}

static const expr *length_of(slicer *s, const expr *from, const expr *to, int64_t by) {
    const expr *span = s->backwards ? make(s, EXPR_SUB, from, to) : make(s, EXPR_SUB, to, from);
    int64_t size = by < 0 ? -by : by;
    span = larger(s, span, dim_int(s->c, 0));
    if (size == 1) return span;
    return make(s, EXPR_FLOOR_DIV, make(s, EXPR_ADD, span, dim_int(s->c, size - 1)), dim_int(s->c, size));
}

typedef struct slice_parts {
    const expr *axes[INFER_MAX_RANK], *begin[INFER_MAX_RANK], *end[INFER_MAX_RANK], *stride[INFER_MAX_RANK];
    uint32_t count;
    bool known; // all values are
} slice_parts;

static bool read_parts(infer_ctx *c, const node *n, slice_parts *p) {
    uint32_t begins, ends, strides;
    p->known = operand_values(n, 1, p->axes, INFER_MAX_RANK, &p->count);
    p->known &= operand_values(n, 2, p->begin, INFER_MAX_RANK, &begins);
    p->known &= operand_values(n, 3, p->end, INFER_MAX_RANK, &ends);
    if (n->count > 4) p->known &= operand_values(n, 4, p->stride, INFER_MAX_RANK, &strides);
    if (n->count <= 4) strides = p->count;
    if (begins != p->count || ends != p->count || strides != p->count)
        return infer_error(c, n, "want as many begins, ends and strides as axes: %u, got %u, %u and %u", p->count,
                           begins, ends, strides),
               false;
    const expr **list[] = {p->axes, p->begin, p->end, p->stride};
    for (uint32_t i = 0; p->known && i < (n->count > 4 ? 4 : 3); i++)
        for (uint32_t k = 0; k < p->count; k++) {
            if (!dtype_is_int(list[i][k]->type)) return infer_error(c, n, "want whole numbers"), false;
            list[i][k] = expr_cast(c->exprs, DTYPE_OF(I64), list[i][k]);
        }
    return true;
}

static bool cut_dim(infer_ctx *c, const node *n, slicer *s, const slice_parts *p, uint32_t i, cut *out) {
    int64_t by = 1;
    if (n->count > 4 && (!expr_const_int(p->stride[i], &by) || by == 0))
        return infer_error(c, n, "strides: want numbers other than 0, got %s", expr_to_text(c->mem, p->stride[i])),
               false;
    s->backwards = by < 0;
    bool inbound = attr_int_of(n, "assume_inbound") != 0;
    const expr *from = inbound ? p->begin[i] : clip(s, p->begin[i]), *to = inbound ? p->end[i] : clip(s, p->end[i]);
    if (inbound && expr_is_int(to, INT64_MAX) && by > 0) to = s->n;
    *out = (cut){.from = from, .by = dim_int(c, by), .length = length_of(s, from, to, by)};
    int64_t first; // a first place in front is what it says wherever there is an element at all
    if (by > 0 && expr_const_int(p->begin[i], &first) && first >= 0) out->from = p->begin[i];
    return true;
}

// All dims of the slice; dims not named stay whole. False after reporting; *known false where dims can't be told.
static bool find_cuts(infer_ctx *c, const node *n, cut *cuts, bool *known) {
    const ann *x = infer_in(n, 0);
    slice_parts p;
    axis_set seen = {0};
    if (!read_parts(c, n, &p)) return false;
    *known = has_dims(x) && p.known;
    slicer s = {.c = c, .f = has_dims(x) ? slice_facts(c, x) : NULL};
    for (int32_t i = 0; *known && i < x->rank; i++)
        cuts[i] = (cut){.from = dim_int(c, 0), .by = dim_int(c, 1), .length = x->dim[i]};
    for (uint32_t i = 0; p.known && has_rank(x) && i < p.count; i++) {
        int64_t written = 0;
        uint32_t axis;
        if (!expr_const_int(p.axes[i], &written)) return infer_error(c, n, "axes: want numbers"), false;
        if (!infer_axis(c, n, written, x->rank, &axis)) return false;
        if (seen.has[axis]) return infer_error(c, n, "axis %u is given twice", axis), false;
        seen.has[axis] = true;
        if (!*known) continue;
        s.n = x->dim[axis];
        if (!cut_dim(c, n, &s, &p, i, &cuts[axis])) return false;
    }
    return true;
}

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    cut cuts[INFER_MAX_RANK];
    const expr *dim[INFER_MAX_RANK];
    bool known;
    if (!find_cuts(c, n, cuts, &known)) return NULL;
    if (!known) return infer_rank(c, x, x->type, x->rank);
    for (int32_t i = 0; i < x->rank; i++) dim[i] = cuts[i].length;
    return infer_tensor(c, x, x->type, dim, (uint32_t)x->rank);
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    infer_ctx ctx = {.m = c->m, .mem = c->mem, .exprs = c->exprs, .d = c->d};
    cut cuts[INFER_MAX_RANK];
    const expr *from[INFER_MAX_RANK], *by[INFER_MAX_RANK];
    bool known;
    name_list names = {0};
    if (!find_cuts(&ctx, n, cuts, &known)) return NULL;
    if (!known) return diag_error(c->d, n->at, "strided_slice: cannot be lowered: its places are not known"), NULL;
    uint32_t rank = (uint32_t)n->type->rank;
    for (uint32_t i = 0; i < rank; i++) from[i] = cuts[i].from, by[i] = cuts[i].by;
    name_exprs(c, &names, "from", from, rank);
    name_exprs(c, &names, "by", by, rank);
    return compute_with(c, n, "out[i...] = x[i... * by + from]", &names);
}

static const ann *infer_dynamic(infer_ctx *c, const node *n) {
    const ann *x = infer_in(n, 0);
    char spelled[32];
    for (uint32_t i = 1; i < 4; i++) {
        const ann *a = infer_in(n, i);
        if (!infer_want_rank(c, n, i, 1)) return NULL;
        if (a->type.kind && a->type.kind != DTYPE_I64)
            return infer_error(c, n, "%s: want int64, got %s", n->op->input[i].name, dtype_spell(a->type, spelled));
        if (has_dims(a) && has_rank(x) && a->rank && dims_differ(c, a->dim[0], dim_int(c, x->rank)))
            return infer_error(c, n, "%s: want one number per dim of x (%d), got %s", n->op->input[i].name, x->rank,
                               dims_text(c, a));
    }
    return infer_rank(c, x, x->type, x->rank);
}

const op op_strided_slice = {
    .name = "strided_slice",
    .doc = "x[begin:end:stride] along the named dims, by Python's rules: negative places count from the end, those out "
           "of range are moved in.",
    .input = {IN("x", TENSOR, "any shape"), IN("axes", TUPLE, "the dims to cut"), IN("begin", TUPLE, "first places"),
              IN("end", TUPLE, "places behind the last"), IN_OPTIONAL("strides", TUPLE, "steps, not 0; left out: 1")},
    .attr = {ATTR("assume_inbound", BOOL, "False", "the places are non-negative and in range already")},
    .infer = infer,
    .lower = lower,
    .samples = {"x=f32[n,4] | R.strided_slice(x, (0,), (1,), (9223372036854775807,))",
                "x=f32[n,6] | R.strided_slice(x, (1,), (-1,), (0,), (-2,))"},
};
const op op_dynamic_strided_slice = {
    .name = "dynamic_strided_slice",
    .doc = "A slice whose places are in tensors: its shape is known at run time.",
    .input = {IN("x", TENSOR, "any shape"), IN("begin", TENSOR, "int64, one per dim"),
              IN("end", TENSOR, "int64, one per dim"), IN("strides", TENSOR, "int64, one per dim, not 0")},
    .infer = infer_dynamic,
    .alloc = "dynamic_strided_slice",
    .samples = {"x=f32[n,4] | R.dynamic_strided_slice(x, R.const([0, 1], \"int64\"), R.const([9, -1], \"int64\"), "
                "R.const([1, 2], \"int64\"))"},
};
