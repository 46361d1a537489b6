// range.c - arithmetic of intervals with congruences.
//
// Ends are exact up to 2**120 and infinite beyond. Rounding errors go outward, so that a range always holds the value.
#include "expr/range.h"
#include "base/size.h"

// 0 is "constant" here: gcd(0, m) is m.
int64_t gcd_of(int64_t a, int64_t b) {
    if (a == INT64_MIN || b == INT64_MIN) return 1; // their gcd may be no int64; 1 always divides
    return int_gcd(a, b);
}

static wide saturate(wide v) { return v > RANGE_INFINITE ? RANGE_INFINITE : v < -RANGE_INFINITE ? -RANGE_INFINITE : v; }

// Overflow of 128 bits is infinite, too.
static wide multiply(wide a, wide b) {
    wide product;
    if (!a || !b) return 0;
    if (__builtin_mul_overflow(a, b, &product)) return (a < 0) == (b < 0) ? RANGE_INFINITE : -RANGE_INFINITE;
    return saturate(product);
}

wide wide_floor_div(wide a, wide b) {
    wide q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

// a modulo m; for m 0 (a constant) a itself.
static int64_t residue(int64_t a, int64_t m) {
    int64_t r = m ? a % m : a;
    return m && r < 0 ? r + m : r;
}

// Every value is a + m * something; m 0: the value is a.
static void set_congruence(range *r, int64_t m, int64_t a) {
    r->multiple = m;
    r->remainder = residue(a, m);
}

range range_all(void) { return (range){.low = -RANGE_INFINITE, .high = RANGE_INFINITE, .multiple = 1}; }

range range_of(int64_t low, int64_t high) {
    range r = {.low = low, .high = high, .multiple = 1};
    if (low == high) set_congruence(&r, 0, low);
    return r;
}

// Handles and bools count as 0..1.
range range_of_type(dtype type) {
    if (!dtype_is_int(type)) return range_of(0, 1);
    return (range){.low = dtype_int_min(type), .high = (wide)dtype_int_max(type), .multiple = 1};
}

bool range_is_empty(range r) { return r.low > r.high; }

bool range_constant(range r, int64_t *out) {
    if (r.low != r.high || r.low != (int64_t)r.low) return false;
    *out = (int64_t)r.low;
    return true;
}

// Ends that are not of the class move inward; a single value is a constant.
static range tighten(range r) {
    if (r.multiple > 1 && r.low > -RANGE_INFINITE)
        r.low = r.remainder - wide_floor_div(r.remainder - r.low, r.multiple) * r.multiple;
    if (r.multiple > 1 && r.high < RANGE_INFINITE)
        r.high = r.remainder + wide_floor_div(r.high - r.remainder, r.multiple) * r.multiple;
    int64_t k;
    if (r.multiple && range_constant(r, &k)) set_congruence(&r, 0, k);
    return r;
}

// Low ends may be infinitely low, high ends infinitely high; never the other way round.
range range_add(range a, range b) {
    range r = {.multiple = 1};
    int64_t sum;
    r.low = a.low <= -RANGE_INFINITE || b.low <= -RANGE_INFINITE ? -RANGE_INFINITE : saturate(a.low + b.low);
    r.high = a.high >= RANGE_INFINITE || b.high >= RANGE_INFINITE ? RANGE_INFINITE : saturate(a.high + b.high);
    if (int_add(a.remainder, b.remainder, &sum)) set_congruence(&r, gcd_of(a.multiple, b.multiple), sum);
    return r;
}

// a = ra + ma*x, b = rb + mb*y: the product is ra*rb plus multiples of ma*rb, mb*ra and ma*mb.
static void multiply_congruence(range *r, range a, range b) {
    int64_t ab, ba, mm, rr;
    bool fits = int_mul(a.multiple, b.remainder, &ab) && int_mul(b.multiple, a.remainder, &ba);
    if (fits && int_mul(a.multiple, b.multiple, &mm) && int_mul(a.remainder, b.remainder, &rr))
        set_congruence(r, gcd_of(gcd_of(ab, ba), mm), rr);
}

// The extremes of a product are among the products of the ends.
range range_multiply(range a, range b) {
    wide corner[] = {multiply(a.low, b.low), multiply(a.low, b.high), multiply(a.high, b.low),
                     multiply(a.high, b.high)};
    range r = {.low = corner[0], .high = corner[0], .multiple = 1};
    for (int i = 1; i < 4; i++) {
        if (corner[i] < r.low) r.low = corner[i];
        if (corner[i] > r.high) r.high = corner[i];
    }
    multiply_congruence(&r, a, b);
    return r;
}

// The common case of range_multiply, without its four corners.
range range_scale(range a, int64_t k) {
    wide low = multiply(k < 0 ? a.high : a.low, k), high = multiply(k < 0 ? a.low : a.high, k);
    range r = {.low = low, .high = high, .multiple = 1};
    int64_t m, rest;
    if (int_mul(a.multiple, k, &m) && int_mul(a.remainder, k, &rest) && m != INT64_MIN)
        set_congruence(&r, m < 0 ? -m : m, rest);
    return r;
}

// False where no number is in both classes. Of two that fit the one with the larger multiple is kept: a choice that
// loses a little and never lies.
static bool meet_congruence(range *r, range b) {
    int64_t m = r->multiple, k = b.multiple;
    if (m && k && gcd_of(m, k) != 0 && residue(r->remainder - b.remainder, gcd_of(m, k)) != 0) return false;
    if (k == 0 || (m && k > m)) set_congruence(r, k, b.remainder);
    return true;
}

// An empty range says that there is no value: a contradiction of the facts.
range range_meet(range a, range b) {
    range r = a;
    if (b.low > r.low) r.low = b.low;
    if (b.high < r.high) r.high = b.high;
    if (!meet_congruence(&r, b)) return (range){.low = 1, .high = 0, .multiple = 1};
    return range_is_empty(r) ? r : tighten(r);
}

// Both classes are in the class of the difference of their remainders.
range range_join(range a, range b) {
    if (range_is_empty(a)) return b;
    if (range_is_empty(b)) return a;
    range r = {.low = a.low < b.low ? a.low : b.low, .high = a.high > b.high ? a.high : b.high, .multiple = 1};
    int64_t apart;
    if (int_sub(a.remainder, b.remainder, &apart))
        set_congruence(&r, gcd_of(gcd_of(a.multiple, b.multiple), apart), a.remainder);
    return r;
}

// ---- division ----

// An infinite end stays infinite.
static wide quotient(wide a, wide b) {
    if (a >= RANGE_INFINITE || a <= -RANGE_INFINITE) return (a > 0) == (b > 0) ? RANGE_INFINITE : -RANGE_INFINITE;
    return wide_floor_div(a, b);
}

// a // b for b in low..high, all of one sign.
static range quotient_range(range a, wide low, wide high) {
    wide corner[] = {quotient(a.low, low), quotient(a.low, high), quotient(a.high, low), quotient(a.high, high)};
    range r = {.low = corner[0], .high = corner[0], .multiple = 1};
    for (int i = 1; i < 4; i++) {
        if (corner[i] < r.low) r.low = corner[i];
        if (corner[i] > r.high) r.high = corner[i];
    }
    return r;
}

// Quotients whose divisor has either sign (zero never divides).
static range divide_both(range a, range b) {
    range r = {.low = 1, .high = 0, .multiple = 1};
    if (b.high > 0) r = range_join(r, quotient_range(a, b.low > 0 ? b.low : 1, b.high));
    if (b.low < 0) r = range_join(r, quotient_range(a, b.low, b.high < 0 ? b.high : -1));
    return r;
}

// Divisors of both signs are taken apart; 0 is none.
range floor_div_range(range a, range b) {
    int64_t c;
    if (range_is_empty(a) || range_is_empty(b)) return a;
    range r = divide_both(a, b);
    if (range_is_empty(r)) return range_all(); // only zero divides: there is no value
    if (range_constant(b, &c) && c > 0 && a.multiple && a.multiple % c == 0)
        set_congruence(&r, a.multiple / c, (int64_t)wide_floor_div(a.remainder, c));
    return tighten(r);
}

// The sign is that of the divisor, as in Python.
range floor_mod_range(range a, range b) {
    int64_t c;
    if (range_is_empty(a) || range_is_empty(b)) return a;
    if (a.low >= 0 && a.high < b.low) return a; // already a remainder
    range r = {.low = b.low < 0 ? b.low + 1 : 0, .high = b.high > 0 ? b.high - 1 : 0, .multiple = 1};
    if (b.low <= -RANGE_INFINITE) r.low = -RANGE_INFINITE;
    if (b.high >= RANGE_INFINITE) r.high = RANGE_INFINITE;
    if (a.low >= 0 && b.low >= 0 && a.high < r.high) r.high = a.high;
    if (range_constant(b, &c) && c) set_congruence(&r, gcd_of(a.multiple, c), a.remainder);
    return tighten(r);
}
