// sizes.c - facts from annotations and attributes.
#include "graph/sizes.h"
#include "expr/prove.h"
#include "graph/op.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"
#include <string.h>

static void assume_size(expr_session *s, facts *f, const expr *dim) {
    if (dim->op == EXPR_INT || !expr_is_index(dim)) return;
    facts_assume(f, expr_binary(s, EXPR_GE, dim, expr_int(s, dim->type, 0)));
}

void sizes_assume(expr_session *s, facts *f, const ann *a) {
    for (int32_t i = 0; a->dim && i < a->rank; i++) assume_size(s, f, a->dim[i]);
    for (uint32_t i = 0; a->kind == ANN_TUPLE && i < a->count; i++) sizes_assume(s, f, a->field[i]);
}

static bool is_negative(expr_session *s, const facts *f, const expr *dim) {
    if (dim->op == EXPR_INT) return dim->as.ival < 0;
    if (dim->op == EXPR_VAR || !expr_is_index(dim)) return false;
    interval values = expr_bounds(s, dim, f);
    return values.has_high && values.high < 0;
}

// Are the dims known, and more than any memory holds? Of an unknown dtype the elements alone count.
static bool is_too_large(const ann *a) {
    int64_t dim[TENSOR_MAX_RANK], count;
    size_t bytes;
    if (a->rank > TENSOR_MAX_RANK) return false;
    for (int32_t i = 0; i < a->rank; i++)
        if (!expr_const_int(a->dim[i], &dim[i])) return false;
    dtype type = a->type.kind ? a->type : DTYPE_OF(U8);
    return !shape_count((uint32_t)a->rank, dim, &count) || !dtype_bytes(type, count, &bytes) || bytes > INT64_MAX / 2;
}

// A product of numbers alone that is no number in canonical form: it does not fit 64 bits.
static bool overflows(expr_session *s, const expr *dim) {
    if (dim->op == EXPR_INT || dim->op == EXPR_VAR) return false;
    dim = expr_canon(s, dim);
    if (dim->op == EXPR_INT) return false;
    while (dim->count && dim->in[0]->op != EXPR_INT) dim = dim->in[0];
    for (uint32_t i = 0; i < dim->count; i++)
        if (dim->in[i]->op != EXPR_INT) return false;
    return dim->count > 0;
}

// By a constant: what only a run can tell is told there.
static bool divides_by_zero(arena *mem, const expr *dim) {
    if (!dim->count) return false;
    expr_walk walk = expr_walk_from(mem, dim);
    for (const expr *e = expr_walk_next(&walk); e; e = expr_walk_next(&walk)) {
        bool divides =
            e->op == EXPR_FLOOR_DIV || e->op == EXPR_FLOOR_MOD || e->op == EXPR_TRUNC_DIV || e->op == EXPR_TRUNC_MOD;
        if (divides && e->in[1]->op == EXPR_INT && e->in[1]->as.ival == 0) return true;
    }
    return false;
}

// R.Shape may hold a -1: R.reshape's "what is left".
const char *sizes_wrong(arena *mem, expr_session *s, const facts *f, const ann *a) {
    for (uint32_t i = 0; a->kind == ANN_TUPLE && i < a->count; i++) {
        const char *why = sizes_wrong(mem, s, f, a->field[i]);
        if (why) return why;
    }
    for (int32_t i = 0; a->dim && i < a->rank; i++)
        if (divides_by_zero(mem, a->dim[i]))
            return arena_format(mem, "a dim of %s divides by 0: %s", ann_to_text(mem, a), expr_to_text(mem, a->dim[i]));
    if (a->kind != ANN_TENSOR || !a->dim) return NULL;
    for (int32_t i = 0; i < a->rank; i++)
        if (is_negative(s, f, a->dim[i]))
            return arena_format(mem, "a dim of %s is below 0: %s", ann_to_text(mem, a), expr_to_text(mem, a->dim[i]));
    for (int32_t i = 0; i < a->rank; i++)
        if (expr_is_index(a->dim[i]) && overflows(s, a->dim[i]))
            return arena_format(mem, "a dim of %s does not fit 64 bits", ann_to_text(mem, a));
    return is_too_large(a) ? arena_format(mem, "%s is larger than any memory", ann_to_text(mem, a)) : NULL;
}

static void assume_same(expr_session *s, facts *f, const expr *a, const expr *b) {
    if (!a || !b || a == b || !expr_is_index(a) || !dtype_equal(a->type, b->type)) return;
    facts_assume(f, expr_binary(s, EXPR_EQ, a, b));
}

void sizes_assume_equal(expr_session *s, facts *f, const ann *a, const ann *b) {
    if (a == b || a->kind != b->kind || a->kind == ANN_CALLABLE) return;
    assume_same(s, f, a->value, b->value);
    for (int32_t i = 0; a->dim && b->dim && a->rank == b->rank && i < a->rank; i++)
        assume_same(s, f, a->dim[i], b->dim[i]);
    for (uint32_t i = 0; i < a->count && i < b->count; i++) sizes_assume_equal(s, f, a->field[i], b->field[i]);
}

static void assume_bound(expr_session *s, facts *f, const attr *bounds, const map *vars, expr_op comparison) {
    for (uint32_t i = 0; bounds && bounds->kind == ATTR_DICT && i < bounds->count; i++) {
        int64_t value;
        if (!attr_get_int(bounds->list[i], &value)) continue;
        for (uint32_t v = 0; v < vars->len; v++) {
            const expr *var = (const expr *)(uintptr_t)vars->entry[v].key;
            if (strcmp(var->as.var->name, bounds->key[i]) != 0 || !expr_is_index(var)) continue;
            facts_assume(f, expr_binary(s, comparison, var, expr_int(s, var->type, value)));
        }
    }
}

void sizes_assume_bounds(expr_session *s, facts *f, const attr *attrs, const map *vars) {
    assume_bound(s, f, attr_find(attrs, "tir_var_upper_bound"), vars, EXPR_LE);
    assume_bound(s, f, attr_find(attrs, "tir_var_lower_bound"), vars, EXPR_GE);
}

facts *graph_func_facts(const module *m, const graph_func *f) {
    facts *known = facts_new(m->exprs);
    map vars = MAP_IN(m->mem);
    for (uint32_t i = 0; i < f->params; i++) {
        expr_list list = {0};
        ann_defined_vars(f->param[i]->type, m->mem, &list);
        for (uint32_t v = 0; v < list.len; v++) map_put(&vars, MAP_KEY(list.at[v]), &vars);
        sizes_assume(m->exprs, known, f->param[i]->type);
    }
    sizes_assume_bounds(m->exprs, known, f->attrs, &vars);
    return known;
}
