// hash.c - the hash function of maps and files; needs no arena, so the runtime may use it.
//
// A multiply-and-fold hash: each 64-bit word is multiplied to 128 bits whose halves are xored. The constants are odd
// words of random bits (digits of pi).
#include "base/map.h"
#include <string.h>

__extension__ typedef unsigned __int128 wide;

static const uint64_t key_a = 0x243f6a8885a308d3u, key_b = 0x13198a2e03707345u, key_c = 0xa4093822299f31d1u;

static uint64_t fold(uint64_t a, uint64_t b) {
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Little-endian on every machine; compilers turn it into one load.
static uint64_t word_at(const unsigned char *p) {
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
           (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

static uint64_t last_word(const unsigned char *p, size_t size) {
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++) word |= (uint64_t)p[i] << (8 * i);
    return word;
}

uint64_t hash_mix(uint64_t a, uint64_t b) { return fold(fold(a ^ key_a, key_b) ^ b, key_c); }

uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed) {
    const unsigned char *p = bytes;
    uint64_t hash = seed ^ key_c, left = size;
    for (; left >= 8; left -= 8, p += 8) hash = fold(hash ^ word_at(p), key_a) + key_b;
    if (left) hash = fold(hash ^ last_word(p, left), key_b) + key_a;
    return fold(hash ^ size, key_c);
}
