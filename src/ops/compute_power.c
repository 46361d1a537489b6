// compute_power.c - power(a, b) of floats, bools and integers. Integers are exact and wrap, as in NumPy.
//
// a**b modulo 2**w comes from the digits of b to base 4, the lowest first: one multiplication by a power of `square`
// each, and square = square**4 on the way. Only the lowest w - 2 bits of b matter: an odd number to the 2**(w - 2) is 1
// modulo 2**w, and an even one to the w is 0.
#include "ops/compute_nest.h"

// What one integer power is made of: everything unsigned, since that wraps.
typedef struct powers {
    nest *z;
    expr_session *s;
    dtype type; // unsigned, of `bits` bits
    unsigned bits;
} powers;

static const expr *times(const powers *p, const expr *a, const expr *b) { return expr_binary(p->s, EXPR_MUL, a, b); }

static const expr *equals(const powers *p, const expr *a, int64_t value) {
    return expr_binary(p->s, EXPR_EQ, a, expr_int(p->s, a->type, value));
}

static const expr *bits_of(const powers *p, const expr *e, unsigned from, int64_t mask) {
    const expr *at = expr_int(p->s, p->type, from);
    if (from) e = expr_call(p->s, intrinsic_get(INTRIN_SHIFT_RIGHT), (dtype){0}, (const expr *[]){e, at}, 2);
    const expr *low = expr_int(p->s, p->type, mask);
    return expr_call(p->s, intrinsic_get(INTRIN_BITWISE_AND), (dtype){0}, (const expr *[]){e, low}, 2);
}

// square to the power of one digit: 1, square, its second or third power.
static const expr *by_digit(const powers *p, const expr *square, const expr *digit) {
    const expr *one = expr_int(p->s, p->type, 1), *twice = times(p, square, square);
    const expr *high = expr_select(p->s, equals(p, digit, 2), twice, times(p, twice, square));
    return expr_select(p->s, equals(p, digit, 0), one, expr_select(p->s, equals(p, digit, 1), square, high));
}

// The digits from `from` on, as nested lets: each value is used often, but stands in the text once.
static const expr *digits(const powers *p, const expr *square, const expr *done, const expr *b, unsigned from) {
    const expr *next = by_digit(p, square, bits_of(p, b, from, 3));
    if (done) next = times(p, done, next);
    if (from + 2 >= p->bits - 2) return next;
    const expr *twice = times(p, square, square);
    const expr *q = expr_new_var(p->s, "square", p->type), *r = expr_new_var(p->s, "product", p->type);
    const expr *rest = digits(p, q, r, b, from + 2);
    return expr_let(p->s, q, times(p, twice, twice), expr_let(p->s, r, next, rest));
}

static const expr *unsigned_power(const powers *p, const expr *a, const expr *b) {
    const expr *large = expr_binary(p->s, EXPR_GE, b, expr_int(p->s, p->type, p->bits));
    const expr *vanishes = expr_binary(p->s, EXPR_AND, equals(p, bits_of(p, a, 0, 1), 0), large);
    return expr_select(p->s, vanishes, expr_int(p->s, p->type, 0), digits(p, a, NULL, b, 0));
}

// A known exponent needs no tests: x**2 is x * x.
static const expr *known_power(const powers *p, const expr *a, uint64_t b) {
    const expr *result = NULL;
    for (const expr *square = a; b; b >>= 1, square = times(p, square, square)) {
        if (b & 1) result = result ? times(p, result, square) : square;
        if (b == 1) break;
    }
    return result ? result : expr_int(p->s, p->type, 1);
}

// A negative power is 0, but of 1 and -1.
static const expr *negative_power(const powers *p, const expr *a, const expr *b, dtype type) {
    const expr *zero = expr_int(p->s, type, 0), *one = expr_int(p->s, type, 1), *minus = expr_int(p->s, type, -1);
    const expr *even = equals(p, bits_of(p, nest_convert(p->z, b, p->type), 0, 1), 0);
    const expr *units = expr_select(p->s, equals(p, a, -1), expr_select(p->s, even, one, minus), zero);
    return expr_select(p->s, equals(p, a, 1), one, units);
}

static const expr *whole_power(nest *z, const expr *a, const expr *b) {
    unsigned bits = 8;
    while (bits < dtype_bits(a->type)) bits *= 2;
    dtype type = bits == 8 ? DTYPE_OF(U8) : bits == 16 ? DTYPE_OF(U16) : bits == 32 ? DTYPE_OF(U32) : DTYPE_OF(U64);
    const powers p = {.z = z, .s = z->p->s, .type = type, .bits = bits};
    bool is_signed = dtype_family_of(a->type) != FAMILY_UINT, known = b->op == EXPR_INT;
    const expr *base = nest_convert(z, a, type), *power = NULL;
    if (known && (!is_signed || b->as.ival >= 0) && (uint64_t)b->as.ival <= 16)
        power = known_power(&p, base, (uint64_t)b->as.ival);
    else
        power = unsigned_power(&p, base, nest_convert(z, b, type));
    power = nest_convert(z, power, a->type);
    if (!is_signed || (known && b->as.ival >= 0)) return power;
    const expr *below = expr_binary(p.s, EXPR_LT, b, expr_int(p.s, b->type, 0));
    return expr_select(p.s, below, negative_power(&p, a, b, a->type), power);
}

const expr *nest_power(nest *z, const expr *a, const expr *b) {
    if (dtype_family_of(a->type) == FAMILY_BOOL) // 0**0 is 1
        return nest_logic(z->p, EXPR_OR, a, expr_not(z->p->s, b));
    if (!dtype_is_float(a->type)) return whole_power(z, a, b);
    return expr_call(z->p->s, intrinsic_get(INTRIN_POW), (dtype){0}, (const expr *[]){a, b}, 2);
}
