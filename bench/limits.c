// limits.c - what the machine can do at most, as a library for bench/kernels.py: cc -O2 -march=native -shared -fPIC.
//
// The yardsticks of a row are measured between its rounds, since the clock, and what others leave, drift.
#define _POSIX_C_SOURCE 200809L
#include <stddef.h>
#include <stdint.h>

#if defined __AVX512F__
typedef float vector __attribute__((vector_size(64)));
#define MULTIPLY_ADD(a, b, c) __asm__ volatile("vfmadd231ps %1, %2, %0" : "+v"(a) : "v"(b), "v"(c))
#elif defined __AVX2__
typedef float vector __attribute__((vector_size(32)));
#define MULTIPLY_ADD(a, b, c) __asm__ volatile("vfmadd231ps %1, %2, %0" : "+x"(a) : "x"(b), "x"(c))
#else
typedef float vector __attribute__((vector_size(16)));
#define MULTIPLY_ADD(a, b, c) ((a) += (b) * (c))
#endif

enum { CHAINS = 12 };

// `steps` times 12 independent multiply-adds of vectors; the floating-point operations done. The sums have names of
// their own: gcc keeps an array in memory.
double limit_multiply_add(int64_t steps) {
    vector a = {0}, b = {1}, c = {2}, d = {3}, e = {4}, f = {5}, g = {6}, h = {7}, i = {8}, j = {9}, k = {10}, l = {11};
    vector x = a + 0.999f, y = a + 0.001f;
    for (int64_t s = 0; s < steps; s++) {
        MULTIPLY_ADD(a, x, y);
        MULTIPLY_ADD(b, x, y);
        MULTIPLY_ADD(c, x, y);
        MULTIPLY_ADD(d, x, y);
        MULTIPLY_ADD(e, x, y);
        MULTIPLY_ADD(f, x, y);
        MULTIPLY_ADD(g, x, y);
        MULTIPLY_ADD(h, x, y);
        MULTIPLY_ADD(i, x, y);
        MULTIPLY_ADD(j, x, y);
        MULTIPLY_ADD(k, x, y);
        MULTIPLY_ADD(l, x, y);
    }
    a = a + b + c + d + e + f + g + h + i + j + k + l;
    volatile float used = a[0];
    (void)used;
    return (double)steps * (double)CHAINS * (double)(sizeof(vector) / sizeof(float)) * 2;
}

static double read_once(const void *data, int64_t bytes) {
    const vector *at = data;
    int64_t quarter = bytes / (int64_t)sizeof(vector) / 4;
    vector sum[4] = {0};
    for (int64_t i = 0; i < quarter; i++)
        for (int64_t k = 0; k < 4; k++) {
            __builtin_prefetch((const char *)&at[k * quarter + i] + 2048, 0, 3);
            sum[k] += at[k * quarter + i];
        }
    return (double)(sum[0][0] + sum[1][0] + sum[2][0] + sum[3][0]);
}

// Reads `bytes` (a multiple of 1024) so many times, in four streams, each asked for ahead; what it returns has to be
// used.
double limit_read(const void *data, int64_t bytes, int64_t times) {
    double sum = 0;
    for (int64_t i = 0; i < times; i++) sum += read_once(data, bytes);
    return sum;
}
