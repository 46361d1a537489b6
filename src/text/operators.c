// operators.c - operators between Python numbers, scalar expressions and values of the graph.
#include "base/size.h"
#include "expr/parse.h"
#include "text/reader.h"
#include <math.h>
#include <string.h>

// What an operator means between values of the graph; NULL: nothing.
static const char *graph_name(const char *spelling) {
    static const struct {
        const char *spelling, *name;
    } row[] = {{"+", "add"}, {"-", "subtract"}, {"*", "multiply"},    {"/", "divide"},  {"//", "floor_divide"},
               {"%", "mod"}, {"<", "less"},     {"<=", "less_equal"}, {">", "greater"}, {">=", "greater_equal"}};
    for (size_t i = 0; i < COUNT(row); i++)
        if (strcmp(row[i].spelling, spelling) == 0) return row[i].name;
    return NULL;
}

// --- Python numbers.
static bool is_number(const value *v) { return v->kind == VAL_INT || v->kind == VAL_FLOAT || v->kind == VAL_BOOL; }
static double as_double(const value *v) { return v->kind == VAL_FLOAT ? v->as.f : (double)v->as.i; }

// False on overflow, and for a zero divisor.
static bool fold_ints(const char *sign, int64_t a, int64_t b, int64_t *out) {
    if (strcmp(sign, "+") == 0) return int_add(a, b, out);
    if (strcmp(sign, "-") == 0) return int_sub(a, b, out);
    if (strcmp(sign, "*") == 0) return int_mul(a, b, out);
    if (strcmp(sign, "//") == 0) return int_floor_div(a, b, out);
    if (strcmp(sign, "%") == 0) return int_floor_mod(a, b, out);
    if (strcmp(sign, "|") == 0) return *out = a | b, true;
    if (strcmp(sign, "&") == 0) return *out = a & b, true;
    if (strcmp(sign, "^") == 0) return *out = a ^ b, true;
    if (strcmp(sign, ">>") == 0) return b >= 0 && (*out = b > 62 ? (a < 0 ? -1 : 0) : a >> b, true);
    if (strcmp(sign, "<<") == 0) return b >= 0 && b < 63 && int_mul(a, (int64_t)1 << b, out);
    return false;
}

static bool fold_floats(const char *sign, double a, double b, double *out) {
    if (strcmp(sign, "+") == 0) return *out = a + b, true;
    if (strcmp(sign, "-") == 0) return *out = a - b, true;
    if (strcmp(sign, "*") == 0) return *out = a * b, true;
    if (strcmp(sign, "/") == 0) return b != 0 && (*out = a / b, true);
    return false;
}

static bool fold_truth(const char *sign, const value *a, const value *b, int64_t *out) {
    double x = as_double(a), y = as_double(b);
    if (strcmp(sign, "and") == 0) return *out = x != 0 && y != 0, true;
    if (strcmp(sign, "or") == 0) return *out = x != 0 || y != 0, true;
    if (strcmp(sign, "<") == 0) return *out = x < y, true;
    if (strcmp(sign, "<=") == 0) return *out = x <= y, true;
    if (strcmp(sign, ">") == 0) return *out = x > y, true;
    if (strcmp(sign, ">=") == 0) return *out = x >= y, true;
    if (strcmp(sign, "==") == 0) return *out = x == y, true;
    if (strcmp(sign, "!=") == 0) return *out = x != y, true;
    return false;
}

static value fold_numbers(reader *r, loc at, const char *sign, const value *a, const value *b) {
    value v = {.at = a->at};
    if (fold_truth(sign, a, b, &v.as.i)) return v.kind = VAL_BOOL, v;
    bool ints = a->kind != VAL_FLOAT && b->kind != VAL_FLOAT && strcmp(sign, "/") != 0;
    if (ints && !a->big && !b->big && fold_ints(sign, a->as.i, b->as.i, &v.as.i)) return v.kind = VAL_INT, v;
    if (!ints && fold_floats(sign, as_double(a), as_double(b), &v.as.f)) return v.kind = VAL_FLOAT, v;
    diag_error(r->d, at, "'%s' of these two numbers has no value, or one that does not fit in 64 bits", sign);
    return poison_at(at);
}

// --- Scalar expressions.

// A Python number beside a scalar expression is an int32 or float32 that both sides are then promoted from, as in
// TVM: it takes the other's type where that is at least as wide. Bits and comparisons always take the other's type.
static const expr *number_beside(reader *r, const value *number, const expr **other, const expr_operator *o) {
    dtype t = dtype_scalar((*other)->type);
    bool small = dtype_bits(t) < 32, arithmetic = o->precedence >= BIND_SUM;
    if (number->kind == VAL_FLOAT)
        return expr_float(r->exprs, dtype_is_float(t) && !small ? t : DTYPE_OF(F32), number->as.f);
    if (number->kind == VAL_INT && dtype_is_int(t) && small && arithmetic) {
        t = DTYPE_OF(I32);
        *other = expr_cast(r->exprs, dtype_vector(t, dtype_lanes((*other)->type)), *other);
    }
    const expr *plain = to_expr(r, number, (dtype){0}, "operand");
    const expr *typed = plain && dtype_family_of(t) != FAMILY_BOOL ? expr_number(r->exprs, plain, t) : NULL;
    return typed ? typed : plain;
}

// Both operands as expressions; false after reporting.
static bool to_operands(reader *r, const expr_operator *o, const value *a, const value *b, const expr **x,
                        const expr **y) {
    const value *fixed = is_number(a) ? b : a, *free = is_number(a) ? a : b;
    const expr *f = to_expr(r, fixed, (dtype){0}, "operand");
    if (!f) return false;
    const expr *g = is_number(free) ? number_beside(r, free, &f, o) : to_expr(r, free, (dtype){0}, "operand");
    *x = is_number(a) ? g : f;
    *y = is_number(a) ? f : g;
    return g != NULL;
}

static value scalar_binary(reader *r, loc at, const expr_operator *o, const value *a, const value *b) {
    const expr *x, *y;
    char why[128];
    if (!to_operands(r, o, a, b, &x, &y)) return poison_at(at);
    const expr *e = expr_apply_operator(r->exprs, o, x, y, why);
    if (e) return value_expr(a->at, e);
    diag_error(r->d, at, "%s", why);
    return poison_at(at);
}

const expr *read_arith(reader *r, loc at, expr_op kind, const value *a, const value *b) {
    const expr_operator o = {expr_op_name(kind), kind, BIND_SUM, 0};
    if (a->kind == VAL_POISON || b->kind == VAL_POISON) return NULL;
    value v = scalar_binary(r, at, &o, a, b);
    return v.kind == VAL_EXPR ? v.as.e : NULL;
}

// --- Values of the graph.
static bool is_graph_value(const value *v) {
    return (v->kind == VAL_NODE && v->as.n->op != &op_prim) || v->kind == VAL_CALL;
}

static value graph_binary(reader *r, loc at, const expr_operator *o, const value *a, const value *b) {
    const char *name = graph_name(o->spelling);
    const op *f = name ? op_find(name) : NULL;
    if (!f) {
        diag_error(r->d, at, "'%s' has no meaning between %s and %s", o->spelling, value_kind_name(a),
                   value_kind_name(b));
        return poison_at(at);
    }
    value list[2] = {*a, *b};
    arguments args = {.at = at, .callee = o->spelling, .count = 2, .value = list};
    args.key = ARENA_NEW(r->scratch, const char *, 2);
    args.used = ARENA_NEW(r->scratch, bool, 2);
    return call_op(r, f, &args);
}

value read_binary(reader *r, loc at, const expr_operator *o, const value *a, const value *b) {
    if (a->kind == VAL_POISON || b->kind == VAL_POISON) return poison_at(at);
    if (is_number(a) && is_number(b)) return fold_numbers(r, at, o->spelling, a, b);
    if (is_graph_value(a) || is_graph_value(b)) return graph_binary(r, at, o, a, b);
    return scalar_binary(r, at, o, a, b);
}

// --- One operand.
static value negate(reader *r, loc at, const value *v) {
    if (v->kind == VAL_FLOAT) return (value){.kind = VAL_FLOAT, .at = at, .as.f = -v->as.f};
    if (v->kind == VAL_INT && v->big) {
        if ((uint64_t)v->as.i == (uint64_t)INT64_MAX + 1) return value_int(at, INT64_MIN);
        diag_error(r->d, at, "this number does not fit in 64 bits");
        return poison_at(at);
    }
    if (v->kind == VAL_INT || v->kind == VAL_BOOL) return value_int(at, -v->as.i);
    if (is_graph_value(v)) {
        arguments args = {.at = at, .callee = "-", .count = 1, .value = ARENA_NEW(r->scratch, value, 1)};
        args.value[0] = *v;
        args.key = ARENA_NEW(r->scratch, const char *, 1);
        args.used = ARENA_NEW(r->scratch, bool, 1);
        return call_op(r, op_find("negative"), &args);
    }
    const expr *e = to_expr(r, v, (dtype){0}, "'-'"), *negative = e ? expr_negative(r->exprs, e) : NULL;
    if (negative) return value_expr(at, negative);
    if (e) diag_error(r->d, at, "'-': this value has no negative");
    return poison_at(at);
}

value read_unary(reader *r, loc at, const char *sign, const value *v) {
    if (v->kind == VAL_POISON || strcmp(sign, "+") == 0) return *v;
    if (strcmp(sign, "-") == 0) return negate(r, at, v);
    if (strcmp(sign, "not") == 0 && is_number(v)) return (value){.kind = VAL_BOOL, .at = at, .as.i = as_double(v) == 0};
    if (strcmp(sign, "~") == 0 && v->kind == VAL_INT) return value_int(at, ~v->as.i);
    const expr *e = to_expr(r, v, (dtype){0}, sign);
    if (!e) return poison_at(at);
    if (strcmp(sign, "~") == 0) {
        const expr *not = checked_call(r, at, intrinsic_find("bitwise_not"), e->type, &e, 1);
        return not ? value_expr(at, not) : poison_at(at);
    }
    if (dtype_family_of(e->type) == FAMILY_BOOL) return value_expr(at, expr_not(r->exprs, e));
    diag_error(r->d, at, "'not': want a bool");
    return poison_at(at);
}
