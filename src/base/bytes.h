// bytes.h - numbers of 1 to 8 bytes in the files and programs of ours: little-endian on every machine, unaligned.
#ifndef BASE_BYTES_H
#define BASE_BYTES_H
#include <stddef.h>
#include <stdint.h>

// Zero-extended. Where `size` is a constant compilers make one load of it, as they make one store of bytes_put.
static inline uint64_t bytes_get(const uint8_t *at, size_t size) {
    uint64_t x = 0;
    for (size_t i = 0; i < size; i++) x |= (uint64_t)at[i] << (8 * i);
    return x;
}

// The low `size` bytes of x; what stands above them is dropped.
static inline void bytes_put(uint8_t *at, uint64_t x, size_t size) {
    for (size_t i = 0; i < size; i++) at[i] = (uint8_t)(x >> (8 * i));
}
#endif
