// infer.c - annotations of operands, dims arithmetic and axes.
#include "ops/infer.h"
#include "base/count_noun.h"
#include <string.h>

const ann *infer_error(infer_ctx *c, const node *n, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *message = arena_vformat(c->mem, format, args);
    va_end(args);
    diag_error(c->d, n->at, "%s: %s", n->op->name, message);
    return NULL;
}

// --- Annotations.
const ann *infer_in(const node *n, uint32_t i) { return n->in[i]->type; }
bool has_rank(const ann *a) { return a->rank >= 0 && a->rank <= INFER_MAX_RANK; }
bool has_dims(const ann *a) { return a->rank == 0 || (has_rank(a) && a->dim); }

// Results live where the first operand does.
static const ann *on_device(infer_ctx *c, const ann *a, const ann *like) {
    if (!like || !like->device) return a;
    ann *copy = ARENA_NEW(c->mem, ann, 1);
    *copy = *a;
    copy->device = like->device;
    return copy;
}

// The same annotation when the dtype is: equal pointers are what makes later comparisons cheap.
const ann *infer_like(infer_ctx *c, const ann *a, dtype type) {
    if (dtype_equal(a->type, type)) return a;
    ann *copy = ARENA_NEW(c->mem, ann, 1);
    *copy = *a;
    copy->type = type;
    return copy;
}

const ann *infer_tensor(infer_ctx *c, const ann *like, dtype type, const expr *const *dim, uint32_t rank) {
    return on_device(c, ann_tensor(c->mem, type, dim, rank), like);
}

const ann *infer_rank(infer_ctx *c, const ann *like, dtype type, int32_t rank) {
    if (rank == 0) return infer_tensor(c, like, type, NULL, 0);
    return on_device(c, ann_tensor_rank(c->mem, type, rank), like);
}

// An unknown dtype is no contradiction: the run checks it.
bool infer_same_dtype(infer_ctx *c, const node *n, uint32_t i, uint32_t j, dtype *out) {
    dtype a = infer_in(n, i)->type, b = infer_in(n, j)->type;
    char left[32], right[32];
    *out = a.kind ? a : b;
    if (!a.kind || !b.kind) *out = (dtype){0};
    if (!a.kind || !b.kind || dtype_equal(a, b)) return true;
    infer_error(c, n, "want operands of one dtype, got %s for %s and %s for %s; cast one with R.astype",
                dtype_spell(a, left), n->op->input[i].name, dtype_spell(b, right), n->op->input[j].name);
    return false;
}

bool infer_known_dtype(infer_ctx *c, const node *n, uint32_t i, uint32_t j, dtype *out) {
    dtype a = infer_in(n, i)->type, b = infer_in(n, j)->type, both;
    *out = a.kind ? a : b;
    return infer_same_dtype(c, n, i, j, &both);
}

bool infer_want_rank(infer_ctx *c, const node *n, uint32_t i, int32_t rank) {
    const ann *a = infer_in(n, i);
    if (a->rank == RANK_UNKNOWN || a->rank == rank) return true;
    infer_error(c, n, "%s: want %s, got %d: %s", n->op->input[i].name, COUNTED(rank, "dim"), a->rank,
                ann_to_text(c->mem, a));
    return false;
}

static bool refuse_dtype(infer_ctx *c, const node *n, const char *name, const ann *a, const char *want) {
    char got[32];
    infer_error(c, n, "%s: want %s, got %s", name, want, dtype_spell(a->type, got));
    return false;
}

bool integers_only(infer_ctx *c, const node *n, const char *name, const ann *a) {
    return !a->type.kind || dtype_is_int(a->type) || refuse_dtype(c, n, name, a, "integers");
}

bool infer_want_floats(infer_ctx *c, const node *n, uint32_t i) {
    dtype type = infer_in(n, i)->type;
    return !type.kind || dtype_is_float(type) ||
           refuse_dtype(c, n, n->op->input[i].name, infer_in(n, i), "a float dtype");
}

bool infer_want_integers(infer_ctx *c, const node *n, uint32_t i) {
    return integers_only(c, n, n->op->input[i].name, infer_in(n, i));
}

bool infer_want_dtype(infer_ctx *c, const node *n, uint32_t i, dtype want) {
    const ann *a = infer_in(n, i);
    char spelled[32];
    bool fits = !a->type.kind || dtype_equal(a->type, want);
    return fits || refuse_dtype(c, n, n->op->input[i].name, a, dtype_spell(want, spelled));
}

bool infer_want_index(infer_ctx *c, const node *n, uint32_t i) {
    const expr *value = infer_in(n, i)->value;
    if (!value || expr_is_index(value)) return true;
    infer_error(c, n, "%s: want an integer, got %s", n->op->input[i].name, expr_to_text(c->mem, value));
    return false;
}

// As a dim: R.prim_value(T.int32(3)) and a symbol of int32 are counted in int64 like all dims.
const expr *infer_index(infer_ctx *c, const node *n, uint32_t i) {
    const expr *value = infer_in(n, i)->value;
    int64_t number;
    if (value && expr_const_int(value, &number) && number >= 0) return dim_int(c, number);
    return value && expr_is_index(value) ? expr_cast(c->exprs, DTYPE_OF(I64), value) : value;
}

// --- Dims.
const expr *dim_int(infer_ctx *c, int64_t value) { return expr_i64(c->exprs, value); }

// The usual neutral elements first: most dims go through here unchanged, and simplifying costs a proof.
// What is added below zero is taken away: h - 2, not h + -2.
const expr *dim_op(infer_ctx *c, expr_op what, const expr *a, const expr *b) {
    int64_t below;
    if (what == EXPR_ADD && expr_const_int(b, &below) && below < 0 && below > INT64_MIN)
        return dim_op(c, EXPR_SUB, a, dim_int(c, -below));
    if (what == EXPR_MUL && expr_is_int(b, 1)) return a;
    if (what == EXPR_MUL && expr_is_int(a, 1)) return b;
    if ((what == EXPR_ADD || what == EXPR_SUB) && expr_is_int(b, 0)) return a;
    if (what == EXPR_ADD && expr_is_int(a, 0)) return b;
    return expr_simplify(c->exprs, expr_binary(c->exprs, what, a, b), c->facts);
}

// Constants and pointers before proofs: nearly all questions end there.
bool dim_is(infer_ctx *c, const expr *a, int64_t value) {
    return expr_is_int(a, value) || (a->op != EXPR_INT && prove_equal(c->exprs, a, dim_int(c, value), c->facts));
}

bool dims_equal(infer_ctx *c, const expr *a, const expr *b) { return a == b || prove_equal(c->exprs, a, b, c->facts); }

bool dims_unequal(infer_ctx *c, const expr *a, const expr *b) {
    int64_t x, y;
    if (expr_const_int(a, &x) && expr_const_int(b, &y)) return x != y;
    return a != b && prove_true(c->exprs, expr_binary(c->exprs, EXPR_NE, a, b), c->facts);
}

bool dims_differ(infer_ctx *c, const expr *a, const expr *b) {
    if (a == b) return false;
    if (dims_unequal(c, a, b)) return true;
    if (c->undecided && !dims_equal(c, a, b)) {
        VEC_PUSH(c->mem, c->undecided, a);
        VEC_PUSH(c->mem, c->undecided, b);
    }
    return false;
}

// a <= most where the smaller one is a: an equality, like all that is left to the run.
bool dims_exceed(infer_ctx *c, const expr *a, const expr *most) {
    if (prove_less_equal(c->exprs, a, most, c->facts)) return false;
    if (prove_less(c->exprs, most, a, c->facts)) return true;
    return dims_differ(c, expr_binary(c->exprs, EXPR_MIN, a, most), a);
}

static bool refuse_dim(infer_ctx *c, const node *n, uint32_t i, uint32_t k, const char *least, const expr *want) {
    infer_error(c, n, "%s: want %s%s as dim %u, got %s", n->op->input[i].name, least, expr_to_text(c->mem, want), k,
                dims_text(c, infer_in(n, i)));
    return false;
}

bool infer_want_dim(infer_ctx *c, const node *n, uint32_t i, uint32_t k, const expr *want) {
    const ann *a = infer_in(n, i);
    return !has_dims(a) || !dims_differ(c, a->dim[k], want) || refuse_dim(c, n, i, k, "", want);
}

bool infer_want_least(infer_ctx *c, const node *n, uint32_t i, uint32_t k, const expr *least) {
    const ann *a = infer_in(n, i);
    return !has_dims(a) || !dims_exceed(c, least, a->dim[k]) || refuse_dim(c, n, i, k, "at least ", least);
}

bool infer_want_multiple(infer_ctx *c, const node *n, const expr *dim, const char *what, const expr *by,
                         const char *of) {
    const expr *left = expr_is_int(by, 0) ? dim : dim_op(c, EXPR_FLOOR_MOD, dim, by);
    if (!dims_differ(c, left, dim_int(c, 0))) return true;
    return infer_error(c, n, "%s %s are no multiple of %s", expr_to_text(c->mem, dim), what, of), false;
}

bool infer_same_dim(infer_ctx *c, const node *n, uint32_t a, uint32_t i, uint32_t b, uint32_t k) {
    const ann *x = infer_in(n, a), *y = infer_in(n, b);
    if (!has_dims(x) || !has_dims(y) || !dims_differ(c, x->dim[i], y->dim[k])) return true;
    infer_error(c, n, "dim %u of %s is %s, dim %u of %s is %s", i, n->op->input[a].name,
                expr_to_text(c->mem, x->dim[i]), k, n->op->input[b].name, expr_to_text(c->mem, y->dim[k]));
    return false;
}

const expr *dims_product(infer_ctx *c, const expr *const *dim, uint32_t rank) {
    const expr *e = dim_int(c, 1);
    for (uint32_t i = 0; i < rank; i++) e = dim_op(c, EXPR_MUL, e, dim[i]);
    return e;
}

const char *counted_text(infer_ctx *c, const expr *count, const char *noun) {
    int64_t n;
    if (!expr_const_int(count, &n)) return arena_format(c->mem, "%s %ss", expr_to_text(c->mem, count), noun);
    return arena_format(c->mem, "%s", COUNTED(n, noun));
}

const char *dims_text(infer_ctx *c, const ann *a) {
    text t = TEXT_IN(c->mem);
    text_put(&t, "(");
    for (int32_t i = 0; i < a->rank; i++) {
        if (i) text_put(&t, ", ");
        if (a->dim) expr_print(&t, a->dim[i], NULL);
        if (!a->dim) text_put(&t, "?");
    }
    text_put(&t, a->rank == 1 ? ",)" : ")");
    return text_get(&t);
}

// --- Axes.
bool infer_axis(infer_ctx *c, const node *n, int64_t axis, int32_t rank, uint32_t *out) {
    if (rank > INFER_MAX_RANK) return infer_error(c, n, "want at most %d dims", INFER_MAX_RANK), false;
    if (axis < -rank || axis >= rank) {
        infer_error(c, n, "axis %lld is out of range for %s", (long long)axis, COUNTED(rank, "dim"));
        return false;
    }
    *out = (uint32_t)(axis < 0 ? axis + rank : axis);
    return true;
}

// An axis twice is an error everywhere, as in NumPy.
static bool add_axis(infer_ctx *c, const node *n, int64_t axis, int32_t rank, axis_set *out) {
    uint32_t at;
    if (!infer_axis(c, n, axis, rank, &at)) return false;
    if (out->has[at]) return infer_error(c, n, "axis %lld is given twice", (long long)axis), false;
    out->has[at] = true;
    out->list[out->count++] = at;
    return true;
}

bool infer_axes(infer_ctx *c, const node *n, const attr *axes, int32_t rank, axis_set *out) {
    int64_t axis = 0;
    *out = (axis_set){0};
    if (rank > INFER_MAX_RANK) return infer_error(c, n, "want at most %d dims", INFER_MAX_RANK), false;
    if (axes->kind == ATTR_NONE)
        for (int32_t i = 0; i < rank; i++) out->has[i] = true, out->list[out->count++] = (uint32_t)i;
    if (axes->kind == ATTR_NONE) return true;
    if (axes->kind != ATTR_LIST) return attr_get_int(axes, &axis) && add_axis(c, n, axis, rank, out);
    for (uint32_t i = 0; i < axes->count; i++)
        if (!attr_get_int(axes->list[i], &axis) || !add_axis(c, n, axis, rank, out)) return false;
    return true;
}

int64_t attr_int_of(const node *n, const char *name) {
    int64_t value = 0;
    CHECK(attr_get_int(node_attr(n, name), &value));
    return value;
}

bool attr_is_none(const node *n, const char *name) { return node_attr(n, name)->kind == ATTR_NONE; }

dtype attr_type_of(const node *n, const char *name, dtype otherwise) {
    const attr *a = node_attr(n, name);
    return a->kind == ATTR_DTYPE && a->as.type.kind ? a->as.type : otherwise;
}

bool attr_text_is(const node *n, const char *name, const char *value) {
    const attr *a = node_attr(n, name);
    return a->kind == ATTR_STRING && a->size == strlen(value) && memcmp(a->as.text, value, a->size) == 0;
}
