// compute_function.c - the functions of the compute language.
#include "base/count_noun.h"
#include "ops/compute_nest.h"
#include "tensor/formats.h"
#include <math.h>
#include <string.h>

// --- Functions of the language.
typedef const expr *function(nest *z, const term *t, int32_t element, dtype want);

const expr *nest_condition(nest *z, const term *t) {
    return nest_decided(z, nest_convert(z, nest_value(z, t, -1, (dtype){0}), DTYPE_OF(BOOL)));
}

static const expr *call_choice(nest *z, const term *t, int32_t element, dtype want, bool lazy) {
    const expr *c = nest_convert(z, nest_value(z, t->in[0], element, (dtype){0}), DTYPE_OF(BOOL)), *a, *b;
    c = nest_decided(z, c);
    if (nest_is_truth(c, true)) return nest_value(z, t->in[1], element, want);
    if (nest_is_truth(c, false)) return nest_value(z, t->in[2], element, want);
    if (!nest_together(z, t->in + 1, element, want, &a, &b)) return c;
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

// `wide`: the least type that the operator's floats are computed in, float64 where it takes or gives float64.
static dtype wide_type(const nest *z) {
    const node *n = z->p->n;
    bool is_double = n->type->type.kind == DTYPE_F64;
    for (uint32_t i = 0; i < n->count; i++) is_double = is_double || n->in[i]->type->type.kind == DTYPE_F64;
    return is_double ? DTYPE_OF(F64) : DTYPE_OF(F32);
}

static dtype type_named(nest *z, const term *t) {
    if (t->name && strcmp(t->name, "wide") == 0) return wide_type(z);
    const compute_name *c = t->name ? text_map_find(&z->p->constants, t->name) : NULL;
    const comp_tensor *x = t->name ? text_map_find(&z->p->tensors, t->name) : NULL;
    dtype type = {0};
    if (c && c->type.kind) return c->type;
    if (x) return x->type;
    if (!t->name || !dtype_parse(t->name, strlen(t->name), &type)) nest_fail(z, t->at, "want a dtype");
    return type.kind ? type : DTYPE_OF(F32);
}

// cast(x, float32), cast(x, out_dtype), cast(x, out), cast(x, wide): the type by name, of an attribute or of a tensor.
static const expr *call_cast(nest *z, const term *t, int32_t element, dtype want) {
    (void)want;
    dtype type = type_named(z, t->in[1]);
    dtype inside = nest_adapts(z, t->in[0]) ? type : (dtype){0};
    return nest_convert(z, nest_value(z, t->in[0], element, inside), type);
}

// reinterpret(x, float16): the same bits as another type.
static const expr *call_reinterpret(nest *z, const term *t, int32_t element, dtype want) {
    (void)want;
    const expr *a = nest_value(z, t->in[0], element, (dtype){0});
    dtype type = type_named(z, t->in[1]);
    if (dtype_bits(type) != dtype_bits(a->type))
        return nest_fail(z, t->at, "reinterpret wants types of as many bits"), a;
    return expr_call(z->p->s, intrinsic_get(INTRIN_REINTERPRET), type, &a, 1);
}

// dp4a(a, b, sum): four products of bytes added to an int32.
static const expr *call_dp4a(nest *z, const term *t, int32_t element, dtype want) {
    (void)want;
    const expr *arg[3];
    for (uint32_t i = 0; i < 3; i++) arg[i] = nest_value(z, t->in[i], element, i == 2 ? DTYPE_OF(I32) : (dtype){0});
    for (uint32_t i = 0; i < 3; i++)
        if (dtype_bits(arg[i]->type) != 32 || !dtype_is_int(arg[i]->type))
            return nest_fail(z, t->at, "dp4a wants words of 32 bits"), expr_int(z->p->s, DTYPE_OF(I32), 0);
    return expr_call(z->p->s, intrinsic_get(INTRIN_DP4A), DTYPE_OF(I32), arg, 3);
}

// lookup_bytes(word, a, b, c, d): its bytes looked up among the 16 of a to d.
static const expr *call_lookup_bytes(nest *z, const term *t, int32_t element, dtype want) {
    (void)want;
    const expr *arg[5];
    for (uint32_t i = 0; i < 5; i++) arg[i] = nest_value(z, t->in[i], element, DTYPE_OF(U32));
    for (uint32_t i = 0; i < 5; i++)
        if (!dtype_equal(arg[i]->type, DTYPE_OF(U32)))
            return nest_fail(z, t->at, "lookup_bytes wants words, uint32"), expr_int(z->p->s, DTYPE_OF(U32), 0);
    return expr_call(z->p->s, intrinsic_get(INTRIN_LOOKUP_BYTES), DTYPE_OF(U32), arg, 5);
}

// lookup_grid(name, word, high, half): a byte of the entries that two words' bytes number.
static const expr *call_lookup_grid(nest *z, const term *t, int32_t element, dtype want) {
    (void)want;
    const char *name = t->in[0]->name;
    if (!name || !format_grid_find(name))
        return nest_fail(z, t->at, "lookup_grid wants a codebook"), expr_int(z->p->s, DTYPE_OF(U32), 0);
    const expr *arg[4] = {expr_string(z->p->s, name, strlen(name))};
    for (uint32_t i = 1; i < 4; i++) arg[i] = nest_value(z, t->in[i], element, i < 3 ? DTYPE_OF(U32) : DTYPE_OF(I32));
    for (uint32_t i = 1; i < 3; i++)
        if (!dtype_equal(arg[i]->type, DTYPE_OF(U32)))
            return nest_fail(z, t->at, "lookup_grid wants words, uint32"), expr_int(z->p->s, DTYPE_OF(U32), 0);
    return expr_call(z->p->s, intrinsic_get(INTRIN_LOOKUP_GRID), DTYPE_OF(U32), arg, 4);
}

static const expr *call_extremum(nest *z, const term *t, int32_t element, dtype want) {
    const expr *a, *b;
    expr_op what = t->name[1] == 'a' ? EXPR_MAX : EXPR_MIN;
    if (!nest_together(z, t->in, element, want, &a, &b)) return expr_i64(z->p->s, 0);
    return nest_arith(z, what, a, b);
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
        e = nest_logic(z->p, all ? EXPR_AND : EXPR_OR, e, nest_decided(z, nest_value(z, t->in[0], k, (dtype){0})));
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
    if (!nest_together(z, t->in, element, want, &a, &b)) return expr_i64(z->p->s, 0);
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(kinds[i].name, t->name) == 0) what = kinds[i].what;
    return nest_division(z, what, a, b);
}

static const expr *call_power(nest *z, const term *t, int32_t element, dtype want) {
    const expr *a, *b;
    if (!nest_together(z, t->in, element, want, &a, &b)) return expr_i64(z->p->s, 0);
    return nest_power(z, a, b);
}

// shifted_left(a, b), shifted_right(a, b): shifts that no count makes undefined. All bits are gone beyond the type's.
static const expr *call_shift(nest *z, const term *t, int32_t element, dtype want) {
    expr_session *s = z->p->s;
    const expr *a, *b;
    if (!nest_together(z, t->in, element, want, &a, &b)) return expr_i64(s, 0);
    bool left = strcmp(t->name, "shifted_left") == 0, is_signed = dtype_family_of(a->type) == FAMILY_INT;
    const expr *zero = expr_int(s, a->type, 0), *bits = expr_int(s, b->type, dtype_bits(b->type));
    const expr *few = expr_binary(s, EXPR_LT, b, bits);
    if (is_signed) few = expr_binary(s, EXPR_AND, expr_binary(s, EXPR_GE, b, zero), few);
    const expr *arg[] = {a, expr_select(s, few, b, zero)};
    const intrinsic *move = intrinsic_get(left ? INTRIN_SHIFT_LEFT : INTRIN_SHIFT_RIGHT);
    const expr *moved = expr_call(s, move, (dtype){0}, arg, 2), *gone = zero;
    if (is_signed && !left) gone = expr_select(s, expr_binary(s, EXPR_LT, a, zero), expr_int(s, a->type, -1), zero);
    return expr_select(s, few, moved, gone);
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
    {"wrap", 2, call_wrap},
    {"size", 2, call_size},
    {"select", 3, call_select},
    {"if_then_else", 3, call_if},
    {"cast", 2, call_cast},
    {"max", 2, call_extremum},
    {"truth", 1, call_truth},
    {"truncmod", 2, call_division},
    {"floormod", 2, call_division},
    {"divide", 2, call_division},
    {"floordiv", 2, call_division},
    {"power", 2, call_power},
    {"min", 2, call_extremum},
    {"extent", 1, call_extent},
    {"flat", 1, call_flat},
    {"dim", 2, call_dim},
    {"dims", 1, call_dims},
    {"all", 1, call_all},
    {"shifted_left", 2, call_shift},
    {"shifted_right", 2, call_shift},
    {"any", 1, call_all},
    {"lowest", 1, call_end},
    {"highest", 1, call_end},
    {"reinterpret", 2, call_reinterpret},
    {"dp4a", 3, call_dp4a},
    {"lookup_bytes", 5, call_lookup_bytes},
    {"lookup_grid", 4, call_lookup_grid},
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
        return nest_fail(z, t->at, "no function `%s` of %s", t->name, COUNTED(t->count, "argument")),
               expr_i64(z->p->s, 0);
    if (f->type != INTRIN_SAME) want = (dtype){0};
    if (t->count == 2) {
        if (!nest_together(z, t->in, element, want, &arg[0], &arg[1])) return expr_i64(z->p->s, 0);
    } else
        for (uint32_t i = 0; i < t->count; i++) arg[i] = nest_value(z, t->in[i], element, want);
    const expr *whole = dtype_is_float(arg[0]->type) ? NULL : whole_function(z, f, arg[0]);
    if (whole) return whole;
    if (expr_call_takes(f, arg, t->count)) return expr_call(z->p->s, f, (dtype){0}, arg, t->count);
    dtype whole_type = arg[0]->type; // whole numbers go through float64 and come back toward zero
    for (uint32_t i = 0; i < t->count; i++) arg[i] = nest_convert(z, arg[i], DTYPE_OF(F64));
    if (!dtype_is_float(whole_type) && expr_call_takes(f, arg, t->count))
        return nest_convert(z, expr_call(z->p->s, f, (dtype){0}, arg, t->count), whole_type);
    char spelled[32];
    nest_fail(z, (loc){0}, "`%s` does not take %s", t->name, dtype_spell(whole_type, spelled));
    return expr_i64(z->p->s, 0);
}

const expr *nest_call(nest *z, const term *t, int32_t element, dtype want) {
    for (size_t i = 0; i < COUNT(functions); i++)
        if (strcmp(functions[i].name, t->name) == 0 && functions[i].args == t->count)
            return functions[i].call(z, t, element, want);
    return call_intrinsic(z, t, element, want);
}
