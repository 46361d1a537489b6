// size.h - checked arithmetic for numbers that come from outside. Each returns false on overflow and
// then leaves *out alone.
#ifndef BASE_SIZE_H
#define BASE_SIZE_H
#include "base/attributes.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

RX_MUST_USE bool size_align(size_t value, size_t alignment, size_t *out); // up; false unless a power of two

// Those below are in every inner loop of canonical forms and proofs, or behind every tensor the VM makes, so they are
// written here. The builtins store a wrapped result even on overflow, so it goes to a local first.
RX_MUST_USE static inline bool size_add(size_t a, size_t b, size_t *out) {
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum)) return false;
    *out = sum;
    return true;
}
RX_MUST_USE static inline bool size_mul(size_t a, size_t b, size_t *out) {
    size_t product;
    if (__builtin_mul_overflow(a, b, &product)) return false;
    *out = product;
    return true;
}
// Refuses negatives. The second test matters where size_t has 32 bits.
RX_MUST_USE static inline bool size_from_dim(int64_t dim, size_t *out) {
    if (dim < 0 || (uint64_t)dim > SIZE_MAX) return false;
    *out = (size_t)dim;
    return true;
}
RX_MUST_USE static inline bool int_add(int64_t a, int64_t b, int64_t *out) {
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum)) return false;
    *out = sum;
    return true;
}
RX_MUST_USE static inline bool int_sub(int64_t a, int64_t b, int64_t *out) {
    int64_t difference;
    if (__builtin_sub_overflow(a, b, &difference)) return false;
    *out = difference;
    return true;
}
RX_MUST_USE static inline bool int_mul(int64_t a, int64_t b, int64_t *out) {
    int64_t product;
    if (__builtin_mul_overflow(a, b, &product)) return false;
    *out = product;
    return true;
}
// Division rounding toward minus infinity, and the modulo that goes with it (Python's // and %).
// False for a zero divisor and for INT64_MIN // -1 (whose modulo is 0).
RX_MUST_USE bool int_floor_div(int64_t a, int64_t b, int64_t *out);
RX_MUST_USE bool int_floor_mod(int64_t a, int64_t b, int64_t *out);
// Division rounding toward zero, and its remainder (C's / and %).
RX_MUST_USE bool int_trunc_div(int64_t a, int64_t b, int64_t *out);
RX_MUST_USE bool int_trunc_mod(int64_t a, int64_t b, int64_t *out);
// Non-negative; gcd(0, 0) is 0. The one result that doesn't fit, 2^63, comes as 2^62, a common divisor still.
int64_t int_gcd(int64_t a, int64_t b);
#endif
