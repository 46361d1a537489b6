// constant.c - R.const(...): a number, or nested lists of numbers, as a tensor.
#include "base/count_noun.h"
#include "text/reader.h"

typedef struct literal {
    int64_t dim[TENSOR_MAX_RANK];
    uint32_t rank;
    VEC(value) element; // in row-major order
    bool has_float, has_int;
} literal;

static bool is_list(const value *v) { return v->kind == VAL_LIST || v->kind == VAL_TUPLE; }

// The dims, from the first element of each level.
static bool measure(reader *r, const value *v, literal *l) {
    for (; is_list(v); v = &v->as.list.at[0]) {
        if (l->rank == TENSOR_MAX_RANK) return diag_error(r->d, v->at, "R.const: at most %d dims", TENSOR_MAX_RANK);
        l->dim[l->rank++] = v->as.list.count;
        if (!v->as.list.count) return true;
    }
    return true;
}

static bool add_element(reader *r, const value *v, literal *l) {
    value copy = *v;
    if (v->kind == VAL_EXPR && v->as.e->op == EXPR_FLOAT) {
        copy = (value){.kind = VAL_FLOAT, .at = v->at, .as.f = v->as.e->as.fval};
    } else if (v->kind == VAL_EXPR && v->as.e->op == EXPR_INT) {
        copy = value_int(v->at, v->as.e->as.ival);
    } else if (v->kind != VAL_INT && v->kind != VAL_FLOAT && v->kind != VAL_BOOL) {
        return v->kind != VAL_POISON && diag_error(r->d, v->at, "R.const: want a number, got %s", value_kind_name(v));
    }
    l->has_float = l->has_float || copy.kind == VAL_FLOAT;
    l->has_int = l->has_int || copy.kind == VAL_INT;
    VEC_PUSH(r->scratch, &l->element, copy);
    return true;
}

// Every list of one level has the same length. Depth is bounded by the rank.
static bool collect(reader *r, const value *v, uint32_t level, literal *l) {
    if (level == l->rank) {
        if (is_list(v)) return diag_error(r->d, v->at, "R.const: this list is nested deeper than the others");
        return add_element(r, v, l);
    }
    if (!is_list(v)) return diag_error(r->d, v->at, "R.const: a list is missing here: others are nested deeper");
    if (v->as.list.count != l->dim[level])
        return diag_error(r->d, v->at, "R.const: this list has %s, others at its level %lld",
                          COUNTED(v->as.list.count, "element"), (long long)l->dim[level]);
    for (uint32_t i = 0; i < v->as.list.count; i++)
        if (!collect(r, &v->as.list.at[i], level + 1, l)) return false;
    return true;
}

static bool set_element(reader *r, tensor *t, size_t i, const value *v) {
    dtype_family family = dtype_family_of(t->type);
    if (family == FAMILY_FLOAT) {
        double f = v->kind == VAL_FLOAT ? v->as.f : v->big ? (double)(uint64_t)v->as.i : (double)v->as.i;
        tensor_set_float(t, i, f);
        return true;
    }
    if (v->kind == VAL_FLOAT) return diag_error(r->d, v->at, "R.const: this number is no integer");
    value_kind kind = family == FAMILY_BOOL && (v->as.i == 0 || v->as.i == 1) ? VAL_BOOL : v->kind;
    if (kind != VAL_BOOL && !to_expr(r, v, t->type, "R.const")) return false; // does not fit
    tensor_set_int(t, i, v->as.i);
    return true;
}

static dtype natural_type(const literal *l) {
    if (l->has_float || !l->element.len) return DTYPE_OF(F32);
    return l->has_int ? DTYPE_OF(I32) : DTYPE_OF(BOOL);
}

// shape=[2, 0, 3]: what the lists of a tensor without elements can't say.
static bool take_shape(reader *r, const value *v, literal *l) {
    if (!v) return true;
    bool listed = v->kind == VAL_LIST || v->kind == VAL_TUPLE;
    if (!listed || v->as.list.count > TENSOR_MAX_RANK || l->element.len)
        return diag_error(r->d, v->at, "R.const: shape= is for tensors without elements, at most %d dims",
                          TENSOR_MAX_RANK);
    l->rank = v->as.list.count;
    bool empty = false;
    for (uint32_t i = 0; i < l->rank; i++) {
        if (!to_int(r, &v->as.list.at[i], &l->dim[i], "shape")) return false;
        empty = empty || l->dim[i] == 0;
    }
    return empty || diag_error(r->d, v->at, "R.const: this shape has elements, but none are written");
}

static tensor *make_tensor(reader *r, const literal *l, dtype type, loc at) {
    tensor *t = NULL;
    if (tensor_new(type, l->rank, l->dim, &t) != RX_OK) {
        char name[32];
        diag_error(r->d, at, "R.const: there is no tensor of %s", dtype_spell(type, name));
        return NULL;
    }
    for (uint32_t i = 0; i < l->element.len; i++) {
        if (set_element(r, t, i, &l->element.at[i])) continue;
        tensor_release(t);
        return NULL;
    }
    return t;
}

value read_constant(reader *r, arguments *a) {
    const value *v = arg_need(r, a, 0, "value"), *type = arg_at(a, 1, "dtype");
    literal l = {0};
    dtype t = {0};
    if (!v || !measure(r, v, &l) || !collect(r, v, 0, &l)) return poison_at(a->at);
    if (!take_shape(r, arg_named(a, "shape"), &l)) return poison_at(a->at);
    if (type && !to_dtype(r, type, &t, "R.const")) return poison_at(a->at);
    if (t.kind == DTYPE_VOID) t = natural_type(&l);
    tensor *made = make_tensor(r, &l, t, a->at);
    if (!made) return poison_at(a->at);
    const node *n = build_constant(r->b, made);
    tensor_release(made);
    return value_node(a->at, n);
}
