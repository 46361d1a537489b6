// tensor_random.c - reproducible random tensors.
//
// The generator is splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014) used as a
// counter: element i comes from the seed and i alone, in exact arithmetic, so that no machine, thread or order differs.
#include "tensor/tensor.h"

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static uint64_t random_bits(uint64_t mixed_seed, uint64_t index) {
    return mix(mixed_seed + (index + 1) * 0x9e3779b97f4a7c15);
}

// Uniform in [-1, 1) before rounding; the values that round to 1 go to the other end.
static double random_float(dtype t, uint64_t bits) {
    if (t.kind == DTYPE_F8_E8M0FNU) return 1.0 / (double)(2u << (bits >> 62));
    double value = dtype_round(t, (double)(bits >> 11) * 0x1p-52 - 1);
    return value < 1 ? value : -1;
}

// The low 4 bits (fewer for narrower types), which `dtype_wrap` makes signed where the type is.
static int64_t random_int(dtype t, uint64_t bits) {
    if (dtype_family_of(t) == FAMILY_BOOL) return (int64_t)(bits >> 63);
    int64_t low = (int64_t)(bits >> 60);
    return dtype_wrap(t, dtype_family_of(t) == FAMILY_INT ? low - 8 : low);
}

void tensor_fill_random(tensor *t, uint64_t seed) {
    uint64_t mixed_seed = mix(seed + 0x9e3779b97f4a7c15);
    size_t count = (size_t)tensor_count(t) * dtype_lanes(t->type);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = random_bits(mixed_seed, i);
        if (dtype_is_float(t->type)) {
            tensor_set_float(t, i, random_float(t->type, bits));
        } else {
            tensor_set_int(t, i, random_int(t->type, bits));
        }
    }
}
