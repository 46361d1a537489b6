// apply.c - one operation on evaluated operands: the meaning of every operator.
//
// Floats are computed in double and rounded once, which is the correctly rounded result for + - * / in float32 and
// narrower (double has more than twice their bits). min and max of a NaN are NaN, whichever operand it is.
#include "base/size.h"
#include "expr/eval.h"

static bool is_checked(dtype t) { return t.kind == DTYPE_I64; }

static expr_status checked(bool fits) { return fits ? EXPR_DONE : EXPR_OVERFLOW; }

// + - * of any integer type.
static expr_status apply_ring(expr_op op, dtype t, int64_t a, int64_t b, int64_t *out) {
    if (is_checked(t)) {
        if (op == EXPR_ADD) return checked(int_add(a, b, out));
        return checked(op == EXPR_SUB ? int_sub(a, b, out) : int_mul(a, b, out));
    }
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    *out = eval_wrap(t, op == EXPR_ADD ? x + y : op == EXPR_SUB ? x - y : x * y);
    return EXPR_DONE;
}

// Without a sign both roundings are the same.
static int64_t divide_unsigned(expr_op op, uint64_t a, uint64_t b) {
    return (int64_t)(op == EXPR_FLOOR_DIV || op == EXPR_TRUNC_DIV ? a / b : a % b);
}

// The four divisions of any integer type.
static expr_status apply_division(expr_op op, dtype t, int64_t a, int64_t b, int64_t *out) {
    bool remainder = op == EXPR_FLOOR_MOD || op == EXPR_TRUNC_MOD;
    if (!b) return EXPR_ZERO_DIVISOR;
    if (dtype_family_of(t) == FAMILY_UINT) return *out = divide_unsigned(op, (uint64_t)a, (uint64_t)b), EXPR_DONE;
    if (b == -1) { // the one quotient that can leave the range
        if (remainder) return *out = 0, EXPR_DONE;
        return apply_ring(EXPR_SUB, t, 0, a, out);
    }
    bool floors = op == EXPR_FLOOR_DIV || op == EXPR_FLOOR_MOD;
    if (remainder) return checked(floors ? int_floor_mod(a, b, out) : int_trunc_mod(a, b, out));
    return checked(floors ? int_floor_div(a, b, out) : int_trunc_div(a, b, out));
}

// -1, 0, 1; 2 for an unordered pair of floats.
static int compare(dtype t, scalar a, scalar b) {
    if (dtype_is_float(t)) return a.f < b.f ? -1 : a.f > b.f ? 1 : a.f == b.f ? 0 : 2;
    if (t.kind == DTYPE_U64) return (uint64_t)a.i<(uint64_t)b.i ? -1 : (uint64_t)a.i>(uint64_t) b.i;
    return a.i < b.i ? -1 : a.i > b.i;
}

static bool is_nan(dtype t, scalar a) { return dtype_is_float(t) && a.f != a.f; }

// In double; the caller rounds to the type, once an operation.
static double apply_float(expr_op op, double a, double b) {
    if (op == EXPR_ADD) return a + b;
    if (op == EXPR_SUB) return a - b;
    return op == EXPR_MUL ? a * b : a / b;
}

static expr_status apply_arithmetic(const expr *e, const scalar *in, scalar *out) {
    dtype t = dtype_scalar(e->type);
    if (!dtype_is_float(t)) return apply_ring(e->op, t, in[0].i, in[1].i, &out->i);
    out->f = dtype_round(t, apply_float(e->op, in[0].f, in[1].f));
    return EXPR_DONE;
}

// A NaN makes every comparison false but !=.
static bool apply_comparison(expr_op op, int order) {
    if (op == EXPR_EQ) return order == 0;
    if (op == EXPR_NE) return order != 0;
    if (op == EXPR_LT) return order == -1;
    if (op == EXPR_LE) return order == -1 || order == 0;
    if (op == EXPR_GT) return order == 1;
    return order == 1 || order == 0;
}

// Between integers the value wraps; from a float it goes toward zero and saturates (dtype_float_to_int).
static expr_status apply_cast(dtype to, dtype from, scalar a, scalar *out) {
    bool is_bool = dtype_family_of(to) == FAMILY_BOOL;
    if (to.kind == DTYPE_HANDLE || from.kind == DTYPE_HANDLE) return EXPR_NOT_SCALAR;
    if (dtype_is_float(to))
        out->f = dtype_is_float(from) ? dtype_round(to, a.f) : dtype_int_to_float(to, a.i, from.kind == DTYPE_U64);
    else if (dtype_is_float(from))
        out->i = is_bool ? a.f != 0 : dtype_float_to_int(to, a.f);
    else
        out->i = is_bool ? a.i != 0 : dtype_wrap(to, a.i);
    return EXPR_DONE;
}

// How the rows of expr_apply read: `return give(out, value)`.
static expr_status give(scalar *out, scalar value) { return *out = value, EXPR_DONE; }
static expr_status give_bool(scalar *out, bool value) { return out->i = value, EXPR_DONE; }

// Closed over the operations; loads and vectors have no scalar value.
expr_status expr_apply(const expr *e, const scalar *in, scalar *out) {
    dtype operand = e->count ? dtype_scalar(e->in[0]->type) : e->type;
    switch ((expr_op)e->op) {
    case EXPR_INT: return out->i = e->as.ival, EXPR_DONE;
    case EXPR_FLOAT: return out->f = e->as.fval, EXPR_DONE;
    case EXPR_VAR: return EXPR_UNBOUND;
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV: return apply_arithmetic(e, in, out);
    case EXPR_FLOOR_DIV:
    case EXPR_FLOOR_MOD:
    case EXPR_TRUNC_DIV:
    case EXPR_TRUNC_MOD: return apply_division(e->op, operand, in[0].i, in[1].i, &out->i);
    case EXPR_MIN: return give(out, is_nan(operand, in[0]) || compare(operand, in[0], in[1]) == -1 ? in[0] : in[1]);
    case EXPR_MAX: return give(out, is_nan(operand, in[0]) || compare(operand, in[0], in[1]) == 1 ? in[0] : in[1]);
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE: return give_bool(out, apply_comparison(e->op, compare(operand, in[0], in[1])));
    case EXPR_AND: return give_bool(out, in[0].i && in[1].i);
    case EXPR_OR: return give_bool(out, in[0].i || in[1].i);
    case EXPR_NOT: return give_bool(out, !in[0].i);
    case EXPR_SELECT: return give(out, in[0].i ? in[1] : in[2]);
    case EXPR_CAST: return apply_cast(dtype_scalar(e->type), operand, in[0], out);
    case EXPR_CALL: return expr_apply_call(e, in, out);
    case EXPR_LET: return give(out, in[2]);
    case EXPR_STRING:
    case EXPR_CALL_FUNC:
    case EXPR_LOAD:
    case EXPR_RAMP:
    case EXPR_BROADCAST:
    case EXPR_SHUFFLE:
    case EXPR_OPS: break;
    }
    return EXPR_NOT_SCALAR;
}
