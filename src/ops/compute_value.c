// compute_value.c - the terms of the compute language as scalar expressions.
#include "ops/compute_nest.h"
#include <math.h>
#include <string.h>

enum { MAX_RANK = 64 };

// --- Numbers that take the type of what they are used with.
static bool is_float_word(const char *name) { return strcmp(name, "inf") == 0 || strcmp(name, "nan") == 0; }

static bool is_bool_word(const char *name) { return strcmp(name, "true") == 0 || strcmp(name, "false") == 0; }

static bool constant_adapts(nest *z, const char *name) {
    const compute_name *c = text_map_find(&z->p->constants, name);
    if (c && c->value) return c->value->op == EXPR_INT || c->value->op == EXPR_FLOAT;
    const comp_tensor *t = text_map_find(&z->p->tensors, name);
    return (t && t->scalar) || (!c && is_float_word(name));
}

bool nest_adapts(nest *z, const term *t) {
    switch (t->kind) {
    case TERM_INT:
    case TERM_FLOAT: return true;
    case TERM_NAME: return constant_adapts(z, t->name);
    case TERM_NEGATE: return nest_adapts(z, t->in[0]);
    case TERM_BINARY:
        return !expr_op_compares(t->op->op) && t->op->op != EXPR_CALL && nest_adapts(z, t->in[0]) &&
               nest_adapts(z, t->in[1]);
    case TERM_GROUP:
    case TERM_ACCESS:
    case TERM_CALL:
    case TERM_NOT: return false;
    }
    return false;
}

// A number takes the type it is wanted in if its value fits, so that `x + 1` of an int8 stays an int8.
static const expr *whole_number(nest *z, int64_t value, dtype want) {
    const expr *e = expr_i64(z->p->s, value);
    const expr *typed = want.kind ? expr_number(z->p->s, e, want) : NULL;
    return typed ? typed : e;
}

static const expr *real_number(nest *z, double value, dtype want) {
    return expr_float(z->p->s, dtype_is_float(want) ? want : DTYPE_OF(F32), value);
}

// Lists (attributes such as strides) go along a group: one item for each of its elements.
static const expr *list_item(nest *z, const term *t, const compute_name *c, int32_t element) {
    if (element >= 0 && (uint32_t)element < c->count) return c->list[element];
    return nest_fail(z, t->at, "`%s` is a list: use it beside a group", t->name), expr_i64(z->p->s, 0);
}

static const expr *name_value(nest *z, const term *t, int32_t element, dtype want) {
    const compute_name *c = text_map_find(&z->p->constants, t->name);
    const comp_index *i = nest_index(z, t->name);
    if (c) {
        const expr *e = c->is_list ? list_item(z, t, c, element) : c->value;
        if (!e) return nest_fail(z, t->at, "`%s` has no value here", t->name), expr_i64(z->p->s, 0);
        const expr *typed = want.kind ? expr_number(z->p->s, e, want) : NULL;
        return typed ? typed : e;
    }
    if (i && !i->dropped && !i->group) return nest_convert(z, z->element.at[i->first].var, want);
    if (is_bool_word(t->name)) return expr_bool(z->p->s, t->name[0] == 't');
    if (is_float_word(t->name)) return real_number(z, t->name[0] == 'i' ? (double)INFINITY : (double)NAN, want);
    const comp_tensor *constant = text_map_find(&z->p->tensors, t->name);
    if (constant && constant->scalar) return nest_convert(z, constant->scalar, want);
    return nest_fail(z, t->at, "`%s` has no value here", t->name), expr_i64(z->p->s, 0);
}

// Outside of an access a group stands for the element in question, as in `k... < 3` inside of all().
static const expr *group_value(nest *z, const term *t, int32_t element, dtype want) {
    const comp_index *g = nest_index(z, t->name);
    if (!g || element < 0 || element >= g->len)
        return nest_fail(z, t->at, "`%s...` stands for no single index here", t->name), expr_i64(z->p->s, 0);
    return nest_convert(z, z->element.at[g->first + (uint32_t)element].var, want);
}

// --- Accesses.
static const expr *flat_part(nest *z, const slot *s, uint32_t dim, const expr *const *dims) {
    program *p = z->p;
    const expr *e = nest_value(z, s->t->in[0], -1, DTYPE_OF(I64));
    const expr *below = expr_i64(p->s, 1);
    for (uint32_t i = s->flat_of + 1; i < s->flat_dims; i++)
        below = program_index(p, EXPR_MUL, below, dims[s->flat_at[i]]);
    e = program_index(p, EXPR_FLOOR_DIV, e, below);
    return s->flat_of == 0 ? e : program_index(p, EXPR_FLOOR_MOD, e, dims[dim]);
}

static bool is_never_one(program *p, const expr *dim) {
    const expr *one = expr_i64(p->s, 1);
    return dim->op == EXPR_INT || prove_true(p->s, expr_binary(p->s, EXPR_NE, dim, one), NULL);
}

// A dim of 1 is read at 0. In a group, one that only the run tells is read at 0 if it is 1.
static const expr *nest_broadcast(nest *z, const index_element *e, const expr *dim, bool group) {
    expr_session *s = z->p->s;
    if (is_one(z->p, dim)) return is_one(z->p, e->extent) ? e->var : expr_i64(s, 0);
    if (!group || prove_equal(s, dim, e->extent, NULL) || is_never_one(z->p, dim)) return e->var;
    return expr_select(s, expr_binary(s, EXPR_EQ, dim, expr_i64(s, 1)), expr_i64(s, 0), e->var);
}

const expr *nest_position(nest *z, uint32_t dim, const slot *s, const expr *const *dims) {
    if (s->flat_dims) return flat_part(z, s, dim, dims);
    int32_t plain = nest_plain(z, s);
    if (plain < 0) return nest_convert(z, nest_value(z, s->t, s->element, DTYPE_OF(I64)), DTYPE_OF(I64));
    const index_element *e = &z->element.at[plain];
    return nest_broadcast(z, e, dims[dim], s->element >= 0);
}

// A scalar constant operand stands in the program as a number: nothing is read.
static const expr *access_value(nest *z, const term *t, dtype want) {
    const comp_tensor *x = nest_tensor(z, t);
    if (!x) return nest_fail(z, t->at, "no tensor is called `%s`", t->name), expr_i64(z->p->s, 0);
    if (x->scalar) return nest_convert(z, x->scalar, want);
    slot slots[MAX_RANK];
    const expr *index[MAX_RANK];
    if (!nest_slots(z, t, x->rank, slots)) return expr_int(z->p->s, x->type, 0);
    for (uint32_t i = 0; i < x->rank; i++) index[i] = nest_position(z, i, &slots[i], x->dim);
    return nest_convert(z, expr_load(z->p->s, x->buf, x->type, index, x->rank), want);
}

// --- Operators.
// Both sides of one type: numbers adapt to the other side.
bool nest_together(nest *z, const term *const *in, int32_t element, dtype want, const expr **a, const expr **b) {
    bool adapts_a = nest_adapts(z, in[0]), adapts_b = nest_adapts(z, in[1]);
    *b = adapts_a || !adapts_b ? nest_value(z, in[1], element, want) : NULL;
    *a = nest_value(z, in[0], element, *b && adapts_a && !adapts_b ? (*b)->type : want);
    if (!*b) *b = nest_value(z, in[1], element, (*a)->type);
    char why[128];
    if (!dtype_equal((*a)->type, (*b)->type) && !expr_match_types(z->p->s, a, b, why))
        return nest_fail(z, (loc){0}, "%s", why);
    return true;
}

// Division is of integers here only through names (divide, floordiv): those never trap.
static const expr *binary_value(nest *z, const term *t, int32_t element, dtype want) {
    const expr *a, *b;
    expr_op what = t->op->op;
    bool compares = expr_op_compares(what) || what == EXPR_AND || what == EXPR_OR;
    if (!nest_together(z, t->in, element, compares ? (dtype){0} : want, &a, &b)) return expr_i64(z->p->s, 0);
    if (what == EXPR_AND || what == EXPR_OR) return nest_logic(z->p, what, nest_decided(z, a), nest_decided(z, b));
    if (what >= EXPR_LT && what <= EXPR_GE && dtype_family_of(a->type) == FAMILY_BOOL) // false is below true
        return expr_binary(z->p->s, what, nest_convert(z, a, DTYPE_OF(I32)), nest_convert(z, b, DTYPE_OF(I32)));
    char why[128];
    if (what == EXPR_CALL) {
        const expr *e = expr_apply_operator(z->p->s, t->op, a, b, why);
        return e ? e : (nest_fail(z, (loc){0}, "%s", why), a);
    }
    if (what == EXPR_DIV) return nest_division(z, EXPR_TRUNC_DIV, a, b);
    if (what == EXPR_FLOOR_DIV && dtype_is_float(a->type)) return nest_division(z, what, a, b);
    return nest_arith(z, what, a, b);
}

static const expr *negated(nest *z, const term *t, int32_t element, dtype want) {
    const expr *a = nest_value(z, t->in[0], element, want);
    if (a->op == EXPR_INT || a->op == EXPR_FLOAT) {
        const expr *e = expr_negative(z->p->s, a);
        if (e) return e;
    }
    if (dtype_is_float(a->type)) return expr_binary(z->p->s, EXPR_MUL, a, expr_float(z->p->s, a->type, -1.0));
    return dtype_is_int(a->type) ? expr_binary(z->p->s, EXPR_SUB, expr_int(z->p->s, a->type, 0), a) : a;
}

const expr *nest_value(nest *z, const term *t, int32_t element, dtype want) {
    switch (t->kind) {
    case TERM_INT: return whole_number(z, t->ival, want);
    case TERM_FLOAT: return real_number(z, t->fval, want);
    case TERM_NAME: return name_value(z, t, element, want);
    case TERM_GROUP: return group_value(z, t, element, want);
    case TERM_ACCESS: return access_value(z, t, want);
    case TERM_CALL: return nest_call(z, t, element, want);
    case TERM_BINARY: return binary_value(z, t, element, want);
    case TERM_NOT: return expr_not(z->p->s, nest_value(z, t->in[0], element, (dtype){0}));
    case TERM_NEGATE: return negated(z, t, element, want);
    }
    return expr_i64(z->p->s, 0);
}
