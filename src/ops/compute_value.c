// compute_value.c - the terms of the compute language as scalar expressions.
#include "expr/prove.h"
#include "ops/compute_nest.h"
#include <math.h>
#include <string.h>

enum { MAX_RANK = 64 };

dtype accumulator(dtype type) { return dtype_is_float(type) && dtype_bits(type) < 32 ? DTYPE_OF(F32) : type; }

// --- Whole numbers, folded as they are built so that programs read well.
static const expr *fold_constants(program *p, expr_op what, const expr *a, const expr *b) {
    scalar in[2] = {{.i = a->as.ival}, {.i = b->as.ival}}, out;
    const expr *e = expr_binary(p->s, what, a, b);
    if (a->op != EXPR_INT || b->op != EXPR_INT || expr_apply(e, in, &out) != EXPR_DONE) return e;
    return expr_int(p->s, e->type, out.i);
}

const expr *program_index(program *p, expr_op what, const expr *a, const expr *b) {
    bool zero_a = expr_is_int(a, 0), zero_b = expr_is_int(b, 0), one_a = expr_is_int(a, 1), one_b = expr_is_int(b, 1);
    if ((what == EXPR_ADD || what == EXPR_SUB) && zero_b) return a;
    if (what == EXPR_ADD && zero_a) return b;
    if (what == EXPR_MUL && (one_b || zero_a)) return a;
    if (what == EXPR_MUL && (one_a || zero_b)) return b;
    if ((what == EXPR_FLOOR_DIV || what == EXPR_TRUNC_DIV) && one_b) return a;
    if ((what == EXPR_FLOOR_MOD || what == EXPR_TRUNC_MOD) && one_b) return expr_int(p->s, a->type, 0);
    return fold_constants(p, what, a, b);
}

static bool is_truth(const expr *e, bool value) {
    return e->op == EXPR_INT && dtype_family_of(e->type) == FAMILY_BOOL && (e->as.ival != 0) == value;
}

static const expr *logic(program *p, expr_op what, const expr *a, const expr *b) {
    bool stops = what == EXPR_OR; // true ends an `or`, false an `and`
    if (is_truth(a, stops) || is_truth(b, !stops)) return a;
    if (is_truth(b, stops) || is_truth(a, !stops)) return b;
    return expr_binary(p->s, what, a, b);
}

const expr *nest_convert(nest *z, const expr *e, dtype type) {
    if (!type.kind || dtype_equal(e->type, type)) return e;
    const expr *number = expr_number(z->p->s, e, type);
    return number ? number : expr_cast(z->p->s, type, e);
}

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

static const expr *whole_number(nest *z, int64_t value, dtype want) {
    const expr *e = expr_i64(z->p->s, value);
    const expr *typed = want.kind ? expr_number(z->p->s, e, want) : NULL;
    return typed ? typed : e;
}

static const expr *real_number(nest *z, double value, dtype want) {
    return expr_float(z->p->s, dtype_is_float(want) ? want : DTYPE_OF(F32), value);
}

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
        below = program_index(p, EXPR_MUL, below, dims[dim - s->flat_of + i]);
    e = program_index(p, EXPR_FLOOR_DIV, e, below);
    return s->flat_of == 0 ? e : program_index(p, EXPR_FLOOR_MOD, e, dims[dim]);
}

const expr *nest_position(nest *z, const term *access, uint32_t dim, const slot *s, const expr *const *dims) {
    (void)access;
    if (s->flat_dims) return flat_part(z, s, dim, dims);
    int32_t plain = nest_plain(z, s);
    if (plain < 0) return nest_convert(z, nest_value(z, s->t, s->element, DTYPE_OF(I64)), DTYPE_OF(I64));
    const index_element *e = &z->element.at[plain];
    bool broadcast = is_one(z->p, dims[dim]) && !is_one(z->p, e->extent);
    return broadcast ? expr_i64(z->p->s, 0) : e->var;
}

static const expr *access_value(nest *z, const term *t, dtype want) {
    const comp_tensor *x = nest_tensor(z, t);
    if (!x) return nest_fail(z, t->at, "no tensor is called `%s`", t->name), expr_i64(z->p->s, 0);
    if (x->scalar) return nest_convert(z, x->scalar, want);
    slot slots[MAX_RANK];
    const expr *index[MAX_RANK];
    if (!nest_slots(z, t, x->rank, slots)) return expr_int(z->p->s, x->type, 0);
    for (uint32_t i = 0; i < x->rank; i++) index[i] = nest_position(z, t, i, &slots[i], x->dim);
    return nest_convert(z, expr_load(z->p->s, x->buf, x->type, index, x->rank), want);
}

// --- Conditions.
static const expr_op negation[] = {[EXPR_EQ] = EXPR_NE, [EXPR_NE] = EXPR_EQ, [EXPR_LT] = EXPR_GE,
                                   [EXPR_GE] = EXPR_LT, [EXPR_GT] = EXPR_LE, [EXPR_LE] = EXPR_GT};

// The ranges of the statement's indices, made when first asked for.
static const facts *nest_facts(nest *z) {
    if (z->facts) return z->facts;
    z->facts = facts_new(z->p->s);
    for (uint32_t i = 0; i < z->element.len; i++)
        if (z->element.at[i].extent)
            facts_range(z->facts, z->element.at[i].var, expr_i64(z->p->s, 0), z->element.at[i].extent);
    return z->facts;
}

// A condition that the ranges of the indices decide becomes true or false.
static const expr *decided(nest *z, const expr *c) {
    expr_session *s = z->p->s;
    if (c->op < EXPR_EQ || c->op > EXPR_GE || !expr_is_index(c->in[0])) return c;
    if (prove_true(s, c, nest_facts(z))) return expr_bool(s, true);
    const expr *opposite = expr_binary(s, negation[c->op], c->in[0], c->in[1]);
    return prove_true(s, opposite, nest_facts(z)) ? expr_bool(s, false) : c;
}

// --- Operators.
// Both sides of one type: numbers adapt to the other side.
static bool values_together(nest *z, const term *const *in, int32_t element, dtype want, const expr **a,
                            const expr **b) {
    bool adapts_a = nest_adapts(z, in[0]), adapts_b = nest_adapts(z, in[1]);
    *b = adapts_a || !adapts_b ? nest_value(z, in[1], element, want) : NULL;
    *a = nest_value(z, in[0], element, *b && adapts_a && !adapts_b ? (*b)->type : want);
    if (!*b) *b = nest_value(z, in[1], element, (*a)->type);
    char why[128];
    if (!dtype_equal((*a)->type, (*b)->type) && !expr_match_types(z->p->s, a, b, why))
        return nest_fail(z, in[0]->at, "%s", why);
    return true;
}

static const expr *binary_value(nest *z, const term *t, int32_t element, dtype want) {
    const expr *a, *b;
    expr_op what = t->op->op;
    bool compares = expr_op_compares(what) || what == EXPR_AND || what == EXPR_OR;
    if (!values_together(z, t->in, element, compares ? (dtype){0} : want, &a, &b)) return expr_i64(z->p->s, 0);
    if (what == EXPR_AND || what == EXPR_OR) return logic(z->p, what, decided(z, a), decided(z, b));
    char why[128];
    if (what == EXPR_CALL) {
        const expr *e = expr_apply_operator(z->p->s, t->op, a, b, why);
        return e ? e : (nest_fail(z, t->at, "%s", why), a);
    }
    if (what == EXPR_DIV && !dtype_is_float(a->type)) what = EXPR_TRUNC_DIV;
    if (what == EXPR_FLOOR_DIV && dtype_is_float(a->type)) {
        const expr *quotient = expr_binary(z->p->s, EXPR_DIV, a, b);
        return expr_call(z->p->s, intrinsic_get(INTRIN_FLOOR), (dtype){0}, &quotient, 1);
    }
    if (!expr_op_allows(what, a->type)) return nest_fail(z, t->at, "`%s` does not take this type", t->op->spelling), a;
    return dtype_is_float(a->type) ? expr_binary(z->p->s, what, a, b) : program_index(z->p, what, a, b);
}

static const expr *negated(nest *z, const term *t, int32_t element, dtype want) {
    const expr *a = nest_value(z, t->in[0], element, want);
    if (a->op == EXPR_INT || a->op == EXPR_FLOAT) {
        const expr *e = expr_negative(z->p->s, a);
        if (e) return e;
    }
    if (!dtype_is_float(a->type)) return expr_binary(z->p->s, EXPR_SUB, expr_int(z->p->s, a->type, 0), a);
    return expr_binary(z->p->s, EXPR_MUL, a, expr_float(z->p->s, a->type, -1.0));
}

// --- Functions of the language.
typedef const expr *function(nest *z, const term *t, int32_t element, dtype want);

const expr *nest_condition(nest *z, const term *t) {
    return decided(z, nest_convert(z, nest_value(z, t, -1, (dtype){0}), DTYPE_OF(BOOL)));
}

static const expr *call_choice(nest *z, const term *t, int32_t element, dtype want, bool lazy) {
    const expr *c = nest_convert(z, nest_value(z, t->in[0], element, (dtype){0}), DTYPE_OF(BOOL)), *a, *b;
    c = decided(z, c);
    if (is_truth(c, true)) return nest_value(z, t->in[1], element, want);
    if (is_truth(c, false)) return nest_value(z, t->in[2], element, want);
    if (!values_together(z, t->in + 1, element, want, &a, &b)) return c;
    if (a == b) return a;
    if (!lazy) return expr_select(z->p->s, c, a, b);
    return expr_call(z->p->s, intrinsic_get(INTRIN_IF_THEN_ELSE), (dtype){0}, (const expr *[]){c, a, b}, 3);
}

static const expr *call_select(nest *z, const term *t, int32_t element, dtype want) {
    return call_choice(z, t, element, want, false);
}
static const expr *call_if(nest *z, const term *t, int32_t element, dtype want) {
    return call_choice(z, t, element, want, true);
}

static dtype type_named(nest *z, const term *t) {
    const compute_name *c = t->name ? text_map_find(&z->p->constants, t->name) : NULL;
    const comp_tensor *x = t->name ? text_map_find(&z->p->tensors, t->name) : NULL;
    dtype type = {0};
    if (c && c->type.kind) return c->type;
    if (x) return x->type;
    if (!t->name || !dtype_parse(t->name, strlen(t->name), &type)) nest_fail(z, t->at, "want a dtype");
    return type.kind ? type : DTYPE_OF(F32);
}

// cast(x, float32), cast(x, out_dtype), cast(x, out): the type by name, of an attribute or of a tensor.
static const expr *call_cast(nest *z, const term *t, int32_t element, dtype want) {
    (void)want;
    dtype type = type_named(z, t->in[1]);
    dtype inside = nest_adapts(z, t->in[0]) ? type : (dtype){0};
    return nest_convert(z, nest_value(z, t->in[0], element, inside), type);
}

static const expr *call_extremum(nest *z, const term *t, int32_t element, dtype want) {
    const expr *a, *b;
    expr_op what = t->name[1] == 'a' ? EXPR_MAX : EXPR_MIN;
    if (!values_together(z, t->in, element, want, &a, &b)) return expr_i64(z->p->s, 0);
    return dtype_is_float(a->type) ? expr_binary(z->p->s, what, a, b) : program_index(z->p, what, a, b);
}

// extent(k), extent(k...): over how many values it runs.
static const expr *call_extent(nest *z, const term *t, int32_t element, dtype want) {
    (void)element;
    const comp_index *i = nest_index(z, t->in[0]->name);
    const expr *e = expr_i64(z->p->s, 1);
    if (!i) return nest_fail(z, t->at, "extent wants an index"), e;
    for (int32_t k = 0; k < i->len; k++)
        e = program_index(z->p, EXPR_MUL, e, z->element.at[i->first + (uint32_t)k].extent);
    return nest_convert(z, e, want);
}

// flat(k...): the place of an element when the dims it runs over are laid out in a row.
static const expr *call_flat(nest *z, const term *t, int32_t element, dtype want) {
    (void)element;
    const comp_index *i = nest_index(z, t->in[0]->name);
    const expr *e = expr_i64(z->p->s, 0);
    if (!i) return nest_fail(z, t->at, "flat wants an index"), e;
    for (int32_t k = 0; k < i->len; k++) {
        const index_element *of = &z->element.at[i->first + (uint32_t)k];
        e = program_index(z->p, EXPR_ADD, program_index(z->p, EXPR_MUL, e, of->extent), of->var);
    }
    return nest_convert(z, e, want);
}

static const comp_tensor *tensor_named(nest *z, const term *t) {
    const comp_tensor *x = t->name ? text_map_find(&z->p->tensors, t->name) : NULL;
    if (!x) nest_fail(z, t->at, "want a tensor");
    return x;
}

// dim(x, axis): one dim of a tensor.
static const expr *call_dim(nest *z, const term *t, int32_t element, dtype want) {
    const comp_tensor *x = tensor_named(z, t->in[0]);
    const expr *axis = nest_value(z, t->in[1], element, DTYPE_OF(I64));
    int64_t at = 0;
    if (!x || !expr_const_int(axis, &at)) return nest_fail(z, t->at, "dim wants a number"), axis;
    if (at < 0) at += x->rank;
    if (at < 0 || at >= x->rank) return nest_fail(z, t->at, "no dim %d", (int)at), axis;
    return nest_convert(z, x->dim[at], want);
}

// dims(x): beside a group, the dim of x at the same element; shorter tensors count from the right.
static const expr *call_dims(nest *z, const term *t, int32_t element, dtype want) {
    const comp_tensor *x = tensor_named(z, t->in[0]);
    if (!x || element < 0 || (uint32_t)element >= x->rank)
        return nest_fail(z, t->at, "dims wants a tensor of the group's rank"), expr_i64(z->p->s, 1);
    return nest_convert(z, x->dim[element], want);
}

// The first group inside a term: all(0 <= k... + 1).
static const comp_index *first_group(nest *z, const term *t) {
    if (t->kind == TERM_GROUP) return nest_index(z, t->name);
    for (uint32_t i = 0; i < t->count; i++) {
        const comp_index *g = first_group(z, t->in[i]);
        if (g) return g;
    }
    return NULL;
}

// all(condition), any(condition): over the elements of the groups inside.
static const expr *call_all(nest *z, const term *t, int32_t element, dtype want) {
    (void)element, (void)want;
    bool all = t->name[1] == 'l';
    const comp_index *g = first_group(z, t->in[0]);
    const expr *e = expr_bool(z->p->s, all);
    for (int32_t k = 0; g && k < g->len; k++)
        e = logic(z->p, all ? EXPR_AND : EXPR_OR, e, decided(z, nest_value(z, t->in[0], k, (dtype){0})));
    return e;
}

// wrap(e, n): an index that counts from the end when negative, and never leaves [0, n).
static const expr *call_wrap(nest *z, const term *t, int32_t element, dtype want) {
    (void)want;
    program *p = z->p;
    const expr *e = nest_convert(z, nest_value(z, t->in[0], element, (dtype){0}), DTYPE_OF(I64));
    const expr *n = nest_value(z, t->in[1], element, DTYPE_OF(I64)), *zero = expr_i64(p->s, 0);
    const expr *from_end = expr_binary(p->s, EXPR_ADD, e, n);
    e = expr_select(p->s, expr_binary(p->s, EXPR_LT, e, zero), from_end, e);
    const expr *last = program_index(p, EXPR_SUB, n, expr_i64(p->s, 1));
    return program_index(p, EXPR_MAX, program_index(p, EXPR_MIN, e, last), zero);
}

// size(x, axis): how many elements the dims of x at these places have; among whole numbers at least 1.
static const expr *call_size(nest *z, const term *t, int32_t element, dtype want) {
    (void)element;
    const comp_tensor *x = tensor_named(z, t->in[0]);
    const compute_name *axis = t->in[1]->name ? text_map_find(&z->p->constants, t->in[1]->name) : NULL;
    const expr *e = expr_i64(z->p->s, 1);
    if (!x || !axis) return nest_fail(z, t->at, "size wants a tensor and axes"), e;
    uint32_t count = axis->is_none ? x->rank : axis->is_list ? axis->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        int64_t at = i;
        if (!axis->is_none && !expr_const_int(axis->is_list ? axis->list[i] : axis->value, &at)) continue;
        if (at < 0) at += x->rank;
        if (at < 0 || at >= x->rank) return nest_fail(z, t->at, "no dim %d", (int)at), e;
        e = program_index(z->p, EXPR_MUL, e, x->dim[at]);
    }
    if (dtype_is_int(want)) e = program_index(z->p, EXPR_MAX, e, expr_i64(z->p->s, 1)); // a divisor never is 0
    return nest_convert(z, e, want);
}

// truth(x): a bool as it is, of a number whether it is not 0.
static const expr *call_truth(nest *z, const term *t, int32_t element, dtype want) {
    (void)want;
    const expr *a = nest_value(z, t->in[0], element, (dtype){0});
    if (dtype_family_of(a->type) == FAMILY_BOOL) return a;
    const expr *zero = nest_convert(z, expr_i64(z->p->s, 0), a->type);
    return expr_binary(z->p->s, EXPR_NE, a, zero);
}

// Whole numbers divided so that no value of b traps: by 0 gives 0, by -1 the negative, wrapping.
static const expr *safe_division(nest *z, expr_op what, const expr *a, const expr *b) {
    expr_session *s = z->p->s;
    bool remainder = what == EXPR_TRUNC_MOD || what == EXPR_FLOOR_MOD;
    const expr *zero = expr_int(s, a->type, 0), *one = expr_int(s, a->type, 1);
    if (b->op == EXPR_INT && b->as.ival != 0 && b->as.ival != -1) return program_index(z->p, what, a, b);
    const expr *odd = expr_binary(s, EXPR_EQ, b, zero), *result;
    if (dtype_family_of(a->type) == FAMILY_UINT) {
        result = expr_binary(s, what, a, expr_select(s, odd, one, b));
        return expr_select(s, odd, zero, result);
    }
    const expr *minus = expr_binary(s, EXPR_EQ, b, expr_int(s, a->type, -1));
    result = expr_binary(s, what, a, expr_select(s, expr_binary(s, EXPR_OR, odd, minus), one, b));
    const expr *negative = remainder ? zero : expr_binary(s, EXPR_SUB, zero, a);
    return expr_select(s, odd, zero, expr_select(s, minus, negative, result));
}

static const expr *float_division(nest *z, expr_op what, const expr *a, const expr *b) {
    expr_session *s = z->p->s;
    if (what == EXPR_TRUNC_DIV) return expr_binary(s, EXPR_DIV, a, b);
    const expr *quotient = expr_binary(s, EXPR_DIV, a, b);
    if (what == EXPR_FLOOR_DIV) return expr_call(s, intrinsic_get(INTRIN_FLOOR), (dtype){0}, &quotient, 1);
    const expr *left = expr_call(s, intrinsic_get(INTRIN_FMOD), (dtype){0}, (const expr *[]){a, b}, 2);
    if (what == EXPR_TRUNC_MOD) return left;
    const expr *zero = expr_float(s, a->type, 0.0);
    const expr *signs = expr_binary(s, EXPR_NE, expr_binary(s, EXPR_LT, left, zero), expr_binary(s, EXPR_LT, b, zero));
    const expr *moves = expr_binary(s, EXPR_AND, expr_binary(s, EXPR_NE, left, zero), signs);
    return expr_select(s, moves, expr_binary(s, EXPR_ADD, left, b), left);
}

// divide(a, b), floordiv(a, b), truncmod(a, b), floormod(a, b).
static const expr *call_division(nest *z, const term *t, int32_t element, dtype want) {
    static const struct {
        const char *name;
        expr_op what;
    } kinds[] = {{"divide", EXPR_TRUNC_DIV},
                 {"floordiv", EXPR_FLOOR_DIV},
                 {"truncmod", EXPR_TRUNC_MOD},
                 {"floormod", EXPR_FLOOR_MOD}};
    const expr *a, *b;
    expr_op what = EXPR_TRUNC_DIV;
    if (!values_together(z, t->in, element, want, &a, &b)) return expr_i64(z->p->s, 0);
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(kinds[i].name, t->name) == 0) what = kinds[i].what;
    if (dtype_is_float(a->type)) return float_division(z, what, a, b);
    if (dtype_is_int(a->type)) return safe_division(z, what, a, b);
    return nest_fail(z, t->at, "`%s` does not take bool", t->name), a;
}

// power(a, b): of integers through float64, so exact up to 2**53.
static const expr *call_power(nest *z, const term *t, int32_t element, dtype want) {
    const expr *a, *b;
    if (!values_together(z, t->in, element, want, &a, &b)) return expr_i64(z->p->s, 0);
    dtype type = a->type, wide = dtype_is_float(type) ? type : DTYPE_OF(F64);
    const expr *arg[] = {nest_convert(z, a, wide), nest_convert(z, b, wide)};
    return nest_convert(z, expr_call(z->p->s, intrinsic_get(INTRIN_POW), (dtype){0}, arg, 2), type);
}

// lowest(x), highest(x): the ends of the range of x's dtype, infinities for floats.
static const expr *call_end(nest *z, const term *t, int32_t element, dtype want) {
    (void)element, (void)want;
    dtype type = type_named(z, t->in[0]);
    bool low = t->name[0] == 'l';
    if (dtype_is_float(type)) return expr_float(z->p->s, type, low ? -(double)INFINITY : (double)INFINITY);
    return expr_int(z->p->s, type, low ? dtype_int_min(type) : (int64_t)dtype_int_max(type));
}

static const struct {
    const char *name;
    uint32_t args;
    function *call;
} functions[] = {
    {"wrap", 2, call_wrap},       {"size", 2, call_size},         {"select", 3, call_select},
    {"if_then_else", 3, call_if}, {"cast", 2, call_cast},         {"max", 2, call_extremum},
    {"truth", 1, call_truth},     {"truncmod", 2, call_division}, {"floormod", 2, call_division},
    {"divide", 2, call_division}, {"floordiv", 2, call_division}, {"power", 2, call_power},
    {"min", 2, call_extremum},    {"extent", 1, call_extent},     {"flat", 1, call_flat},
    {"dim", 2, call_dim},         {"dims", 1, call_dims},         {"all", 1, call_all},
    {"any", 1, call_all},         {"lowest", 1, call_end},        {"highest", 1, call_end},
};

// What functions of floats mean for whole numbers: rounding leaves them, none is infinite or a NaN. NULL: nothing.
static const expr *whole_function(nest *z, const intrinsic *f, const expr *a) {
    if (f->id == INTRIN_CEIL || f->id == INTRIN_FLOOR || f->id == INTRIN_ROUND || f->id == INTRIN_TRUNC) return a;
    if (f->id == INTRIN_ISNAN || f->id == INTRIN_ISINF) return expr_bool(z->p->s, false);
    if (f->id == INTRIN_ISFINITE) return expr_bool(z->p->s, true);
    bool is_bool = dtype_family_of(a->type) == FAMILY_BOOL;
    if (f->id == INTRIN_BITWISE_NOT && is_bool) return expr_not(z->p->s, a);
    return f->id == INTRIN_ABS && (is_bool || dtype_family_of(a->type) == FAMILY_UINT) ? a : NULL;
}

static const expr *call_intrinsic(nest *z, const term *t, int32_t element, dtype want) {
    const intrinsic *f = intrinsic_find(t->name);
    const expr *arg[4];
    if (!f || !t->count || t->count > COUNT(arg) || t->count < f->min_args || t->count > f->max_args)
        return nest_fail(z, t->at, "no function `%s` of %u arguments", t->name, t->count), expr_i64(z->p->s, 0);
    if (f->type != INTRIN_SAME) want = (dtype){0};
    if (t->count == 2) {
        if (!values_together(z, t->in, element, want, &arg[0], &arg[1])) return expr_i64(z->p->s, 0);
    } else
        for (uint32_t i = 0; i < t->count; i++) arg[i] = nest_value(z, t->in[i], element, want);
    const expr *whole = dtype_is_float(arg[0]->type) ? NULL : whole_function(z, f, arg[0]);
    if (whole) return whole;
    if (expr_call_takes(f, arg, t->count)) return expr_call(z->p->s, f, (dtype){0}, arg, t->count);
    char spelled[32];
    nest_fail(z, t->at, "`%s` does not take %s", t->name, dtype_spell(arg[0]->type, spelled));
    return expr_i64(z->p->s, 0);
}

static const expr *call_value(nest *z, const term *t, int32_t element, dtype want) {
    for (size_t i = 0; i < COUNT(functions); i++)
        if (strcmp(functions[i].name, t->name) == 0 && functions[i].args == t->count)
            return functions[i].call(z, t, element, want);
    return call_intrinsic(z, t, element, want);
}

const expr *nest_value(nest *z, const term *t, int32_t element, dtype want) {
    switch (t->kind) {
    case TERM_INT: return whole_number(z, t->ival, want);
    case TERM_FLOAT: return real_number(z, t->fval, want);
    case TERM_NAME: return name_value(z, t, element, want);
    case TERM_GROUP: return group_value(z, t, element, want);
    case TERM_ACCESS: return access_value(z, t, want);
    case TERM_CALL: return call_value(z, t, element, want);
    case TERM_BINARY: return binary_value(z, t, element, want);
    case TERM_NOT: return expr_not(z->p->s, nest_value(z, t->in[0], element, (dtype){0}));
    case TERM_NEGATE: return negated(z, t, element, want);
    }
    return expr_i64(z->p->s, 0);
}
