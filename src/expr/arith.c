// arith.c - building as a reader does: numbers take the other side's type, mixed types promote as in TVM.
#include "expr/parse.h"
#include <math.h>
#include <stdio.h>

static bool is_bool(dtype t) { return dtype_family_of(t) == FAMILY_BOOL; }
static bool is_constant(const expr *e) { return e->op == EXPR_INT || e->op == EXPR_FLOAT; }
// A 3 in a text of loops is an int32 constant; in graph text readers ask expr_number themselves.
static bool is_bare_number(const expr *e) { return e->op == EXPR_INT && dtype_equal(e->type, DTYPE_OF(I32)); }

static const expr *as_float(expr_session *s, const expr *number, dtype type) {
    if (number->op == EXPR_FLOAT) return expr_float(s, type, expr_written(number));
    return expr_float(s, type, dtype_int_to_float(type, number->as.ival, number->type.kind == DTYPE_U64));
}

// NULL where the value does not fit: 300 is no int8, and TVM refuses it, too.
const expr *expr_number(expr_session *s, const expr *number, dtype type) {
    dtype t = dtype_scalar(type);
    if (!is_constant(number)) return NULL;
    if (dtype_is_float(t)) return as_float(s, number, t);
    if (number->op == EXPR_FLOAT || (!dtype_is_int(t) && !is_bool(t))) return NULL;
    int64_t value = number->as.ival;
    bool from_u64 = number->type.kind == DTYPE_U64, to_u64 = t.kind == DTYPE_U64;
    if (value < 0 && from_u64 != to_u64) return NULL; // negative, or beyond int64
    if (is_bool(t) ? value != 0 && value != 1 : dtype_wrap(t, value) != value) return NULL;
    return expr_int(s, t, value);
}

// A constant stays a constant; anything else becomes a product, as in TVM.
const expr *expr_negative(expr_session *s, const expr *a) {
    dtype t = dtype_scalar(a->type);
    if (a->op == EXPR_FLOAT) return expr_float(s, t, -expr_written(a));
    if (dtype_is_float(t)) {
        const expr *one = expr_float(s, t, -1.0);
        if (dtype_lanes(a->type) > 1) one = expr_broadcast(s, one, dtype_lanes(a->type));
        return expr_binary(s, EXPR_MUL, a, one);
    }
    if (a->op == EXPR_INT && t.kind == DTYPE_U64 && a->as.ival == INT64_MIN) return expr_i64(s, INT64_MIN); // -(2**63)
    if (dtype_family_of(t) != FAMILY_INT) return NULL;
    if (a->op == EXPR_INT) return a->as.ival == dtype_int_min(t) ? NULL : expr_int(s, t, -a->as.ival);
    const expr *one = expr_int(s, t, -1);
    if (dtype_lanes(a->type) > 1) one = expr_broadcast(s, one, dtype_lanes(a->type));
    return expr_binary(s, EXPR_MUL, a, one);
}

// A constant becomes a constant of the type, as TVM's cast of one does; anything else is wrapped in a cast.
static const expr *convert(expr_session *s, const expr *e, dtype scalar_type) {
    const expr *number = expr_number(s, e, scalar_type);
    return number ? number : expr_cast(s, dtype_vector(scalar_type, dtype_lanes(e->type)), e);
}

static bool refuse(char why[128], const char *what, const expr *a, const expr *b) {
    char left[32], right[32];
    snprintf(why, 128, "%s: got %s and %s", what, dtype_spell(a->type, left), dtype_spell(b->type, right));
    return false;
}

// The scalar type both sides take.
static bool promote(const expr *a, const expr *b, dtype *out, char why[128]) {
    dtype x = dtype_scalar(a->type), y = dtype_scalar(b->type);
    bool fx = dtype_is_float(x), fy = dtype_is_float(y);
    if (dtype_equal(x, y)) return *out = x, true;
    if (dtype_family_of(x) == FAMILY_NONE || dtype_family_of(y) == FAMILY_NONE)
        return refuse(why, "want numbers", a, b);
    if (fx != fy) return *out = fx ? x : y, true;
    if (is_bool(x) || is_bool(y)) return *out = is_bool(x) ? y : x, true;
    unsigned bx = dtype_bits(x), by = dtype_bits(y);
    if (bx != by) return *out = bx > by ? x : y, true;
    if (fx) return refuse(why, "neither type holds the other; cast one side", a, b);
    return *out = dtype_family_of(x) == FAMILY_UINT ? x : y, true;
}

// Both operands take one type, by the rules of TVM's BinaryOpMatchTypes.
bool expr_match_types(expr_session *s, const expr **a, const expr **b, char why[128]) {
    unsigned la = dtype_lanes((*a)->type), lb = dtype_lanes((*b)->type);
    dtype t;
    if (la != lb && la > 1 && lb > 1) return refuse(why, "want equal numbers of lanes", *a, *b);
    const expr *number = is_bare_number(*a) ? expr_number(s, *a, (*b)->type) : NULL;
    if (number && !is_bool((*b)->type)) *a = number;
    number = is_bare_number(*b) ? expr_number(s, *b, (*a)->type) : NULL;
    if (number && !is_bool((*a)->type)) *b = number;
    if (!promote(*a, *b, &t, why)) return false;
    *a = convert(s, *a, t);
    *b = convert(s, *b, t);
    if (la < lb) *a = expr_broadcast(s, *a, lb);
    if (lb < la) *b = expr_broadcast(s, *b, la);
    return true;
}

// After promotion both sides have one type: is it one that the operation is defined on?
static bool check_operands(expr_op op, const expr *a, const expr *b, char why[128]) {
    if (expr_op_allows(op, a->type)) return true;
    if (op == EXPR_DIV) return refuse(why, "/ is for floats; write // or T.truncdiv for integers", a, b);
    char what[64];
    bool logic = op == EXPR_AND || op == EXPR_OR,
         whole = expr_op_allows(op, DTYPE_OF(I32)) && !expr_op_allows(op, DTYPE_OF(F32));
    snprintf(what, sizeof what, "%s wants %s", expr_op_name(op), logic ? "conditions" : whole ? "integers" : "numbers");
    return refuse(why, what, a, b);
}

const expr *expr_arith(expr_session *s, expr_op op, const expr *a, const expr *b, char why[128]) {
    if (!expr_match_types(s, &a, &b, why)) return NULL;
    if (op == EXPR_TRUNC_DIV && dtype_is_float(a->type)) op = EXPR_DIV; // T.Div of floats
    return check_operands(op, a, b, why) ? expr_binary(s, op, a, b) : NULL;
}

// TVM prints a & b as T.bitwise_and(a, b); both are read.
static const expr *call_bits(expr_session *s, const expr_operator *o, const expr *a, const expr *b, char why[128]) {
    if (!expr_match_types(s, &a, &b, why)) return NULL;
    if (!dtype_is_int(a->type) && !(is_bool(a->type) && o->precedence < BIND_SHIFT)) {
        char what[64];
        snprintf(what, sizeof what, "%s wants integers", o->spelling);
        return refuse(why, what, a, b), NULL;
    }
    return expr_call(s, intrinsic_get(o->call), a->type, (const expr *[]){a, b}, 2);
}

const expr *expr_apply_operator(expr_session *s, const expr_operator *o, const expr *a, const expr *b, char why[128]) {
    return o->op == EXPR_CALL ? call_bits(s, o, a, b, why) : expr_arith(s, o->op, a, b, why);
}
