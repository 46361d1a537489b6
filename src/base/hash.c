// hash.c - the hash function of maps and files; needs no arena, so the runtime may use it.
//
// A multiply-and-fold hash: each 64-bit word is multiplied to 128 bits whose halves are xored. The constants are odd
// words of random bits (digits of pi).
#include "base/bytes.h"
#include "base/map.h"

__extension__ typedef unsigned __int128 wide;

static const uint64_t key_a = 0x243f6a8885a308d3u, key_b = 0x13198a2e03707345u, key_c = 0xa4093822299f31d1u;

static uint64_t fold(uint64_t a, uint64_t b) {
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t hash_mix(uint64_t a, uint64_t b) { return fold(fold(a ^ key_a, key_b) ^ b, key_c); }

uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed) {
    const uint8_t *p = bytes;
    uint64_t hash = seed ^ key_c, left = size;
    for (; left >= 8; left -= 8, p += 8) hash = fold(hash ^ bytes_get(p, 8), key_a) + key_b;
    if (left) hash = fold(hash ^ bytes_get(p, left), key_b) + key_a;
    return fold(hash ^ size, key_c);
}
