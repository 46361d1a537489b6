// size.c - checked arithmetic.
#include "base/size.h"

bool size_align(size_t value, size_t alignment, size_t *out) {
    // A power of two has one bit.
    if (!alignment || alignment & (alignment - 1)) return false;
    size_t padded;
    if (!size_add(value, alignment - 1, &padded)) return false;
    *out = padded & ~(alignment - 1);
    return true;
}

bool int_trunc_div(int64_t a, int64_t b, int64_t *out) {
    if (b == 0 || (a == INT64_MIN && b == -1)) return false;
    *out = a / b;
    return true;
}

bool int_trunc_mod(int64_t a, int64_t b, int64_t *out) {
    if (b == 0) return false;
    *out = b == -1 ? 0 : a % b; // INT64_MIN % -1 traps on some machines
    return true;
}

bool int_floor_div(int64_t a, int64_t b, int64_t *out) {
    int64_t quotient;
    if (!int_trunc_div(a, b, &quotient)) return false;
    // C rounds toward zero: up, where the exact quotient is negative.
    bool rounded_up = a % b != 0 && (a < 0) != (b < 0);
    *out = quotient - rounded_up;
    return true;
}

bool int_floor_mod(int64_t a, int64_t b, int64_t *out) {
    int64_t rest;
    if (!int_trunc_mod(a, b, &rest)) return false;
    *out = rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest; // takes the divisor's sign
    return true;
}

// As unsigned, because -INT64_MIN doesn't fit.
static uint64_t magnitude(int64_t a) { return a < 0 ? -(uint64_t)a : (uint64_t)a; }

int64_t int_gcd(int64_t a, int64_t b) {
    uint64_t x = magnitude(a), y = magnitude(b);
    // Euclid's algorithm.
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x > INT64_MAX ? (int64_t)(x / 2) : (int64_t)x;
}
