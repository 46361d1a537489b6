// decode_format.c - each row's expressions compiled as they stand.
#include "decode_format.h"
#include "tensor/dtype.h"
#include <string.h>

// --- The functions that rows use.
static int32_t u8(const uint8_t *b, int32_t at) { return b[at]; }

static int32_t i8(const uint8_t *b, int32_t at) { return b[at] < 128 ? b[at] : b[at] - 256; }

static int32_t bits(const uint8_t *b, int32_t at, int32_t shift, int32_t mask) { return (b[at] >> shift) & mask; }

static uint16_t u16(const uint8_t *b, int32_t at) { return (uint16_t)(b[at] | b[at + 1] << 8); }

static float f16(const uint8_t *b, int32_t at) { return half_to_float(u16(b, at)); }

static float bf16(const uint8_t *b, int32_t at) { return bf16_to_float(u16(b, at)); }

static float f32(const uint8_t *b, int32_t at) {
    uint32_t word = u16(b, at) | (uint32_t)u16(b, at + 2) << 16;
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static float scaled(float f, int32_t i) { return f * (float)i; }

static int32_t select(bool condition, int32_t a, int32_t b) { return condition ? a : b; }

static int32_t nibble_of(uint64_t low, uint64_t high, int32_t j) {
    return i8((const uint8_t[]){(uint8_t)((j < 8 ? low : high) >> (j & 7) * 8)}, 0);
}

static int32_t power_of_3(int32_t j) { return (int32_t)(0x511b090301 >> j * 8 & 255); }

static float e8m0_half(const uint8_t *b, int32_t at) {
    uint32_t word = b[at] < 2 ? 0x200000u << b[at] : (b[at] - 1u) << 23;
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static float half_of(int32_t word) { return half_to_float((uint16_t)word); }

static float ue4m3_half(int32_t i) {
    int32_t exponent = (i >> 3) & 15;
    uint32_t word = ((uint32_t)exponent + 119) << 23 | (uint32_t)(i & 7) << 20;
    float f;
    if (i == 0 || i == 127) return 0;
    if (exponent == 0) return (float)(i & 7) * 0x1p-10f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static int32_t octet_of(uint64_t word, int32_t j) { return nibble_of(word, 0, j); }

static int32_t sign_bit(int32_t signs, int32_t i) {
    int32_t parity = 0;
    for (int32_t rest = signs; rest; rest >>= 1) parity ^= rest & 1;
    return (signs | parity << 7) >> i & 1;
}

#define GRID(name, ...) static const uint16_t name[] = {__VA_ARGS__};
#include "tensor/format_grids.def"

static int32_t grid(const uint16_t *entries, int32_t index, int32_t shift, int32_t mask) {
    return entries[index] >> shift & mask;
}

// --- The parts.
#define PART(name, expression)                                                                                         \
    static int32_t name(const uint8_t *b, int32_t j) {                                                                 \
        (void)b;                                                                                                       \
        return expression;                                                                                             \
    }
#include "tensor/formats.def"

// --- One decoder a row. The product is rounded before the offset is added: no fused multiply-add.
#define FORMAT(KIND, spelling, gguf, elements, bytes, group, low, high, quant, scale, offset, doc)                     \
    static void decode_##KIND(const uint8_t *b, float *out) {                                                          \
        for (int32_t k = 0; k < elements; k++) {                                                                       \
            float product = (scale) * (float)(quant);                                                                  \
            out[k] = product + (offset);                                                                               \
        }                                                                                                              \
    }
#include "tensor/formats.def"

static void (*const decoders[])(const uint8_t *b, float *out) = {
#define FORMAT(KIND, spelling, gguf, elements, bytes, group, low, high, quant, scale, offset, doc) decode_##KIND,
#include "tensor/formats.def"
};

void decode_format(const block_format *f, const uint8_t *bytes, size_t blocks, float *out) {
    uint32_t rows;
    size_t row = (size_t)(f - format_all(&rows));
    for (size_t i = 0; i < blocks; i++) decoders[row](bytes + i * f->bytes, out + i * f->elements);
}
