// distance.c - the largest difference of two tensors, absolute and in units of the last place.
#include "cli/distance.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Floats in the order of their values: neighbours are one apart, -0 and 0 are the same.
static int64_t rank_of(uint64_t bits, unsigned width) {
    uint64_t sign = UINT64_C(1) << (width - 1);
    return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

static uint64_t ulp_between(const tensor *a, const tensor *b, size_t i) {
    unsigned width = dtype_bits(a->type);
    int64_t x = rank_of(dtype_load_bits(a->type, a->data, i), width),
            y = rank_of(dtype_load_bits(b->type, b->data, i), width);
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

// |a - b|; NaN lies nowhere but at NaN.
static double apart(double a, double b) {
    if (a == b || (isnan(a) && isnan(b))) return 0;
    return isfinite(a) && isfinite(b) ? fabs(a - b) : (double)INFINITY;
}

static bool same_shape(const tensor *a, const tensor *b) {
    return dtype_equal(a->type, b->type) && a->rank == b->rank &&
           (a->rank == 0 || memcmp(a->dim, b->dim, a->rank * sizeof *a->dim) == 0);
}

static void note_worst(distance *d, size_t i, double x, double y, double far) {
    if (d->count && far <= d->most) return;
    d->worst = i;
    d->a = x;
    d->b = y;
    d->most = far;
}

static void note_difference(distance *d, size_t i, double x, double y) {
    if (!d->differing++) {
        d->first = i;
        d->first_a = x;
        d->first_b = y;
    }
}

distance distance_of(const tensor *a, const tensor *b, double rtol, double atol) {
    distance d = {.alike = same_shape(a, b)};
    if (!d.alike) return d;
    size_t count = (size_t)tensor_count(a) * dtype_lanes(a->type);
    bool exact = !dtype_is_float(a->type), ulps = !exact && dtype_bits(a->type) >= 16;
    for (size_t i = 0; i < count; i++) {
        double x = tensor_get_float(a, i), y = tensor_get_float(b, i), far = apart(x, y);
        note_worst(&d, i, x, y, far);
        d.count++;
        bool close = exact ? tensor_get_int(a, i) == tensor_get_int(b, i)
                           : far == 0 || (isfinite(far) && far <= atol + rtol * fabs(y));
        if (!close) note_difference(&d, i, x, y);
        uint64_t steps = ulps && isfinite(far) && far > 0 ? ulp_between(a, b, i) : 0;
        if (steps > d.ulp) d.ulp = steps;
    }
    return d;
}

const char *distance_index(const tensor *t, size_t at, char out[256]) {
    int64_t index[TENSOR_MAX_RANK];
    at /= dtype_lanes(t->type);
    for (uint32_t i = t->rank; i-- > 0;) {
        index[i] = (int64_t)(at % (size_t)t->dim[i]);
        at /= (size_t)t->dim[i];
    }
    int used = snprintf(out, 256, "[");
    for (uint32_t i = 0; i < t->rank && used < 230; i++)
        used += snprintf(out + used, 256 - (size_t)used, "%s%" PRId64, i ? ", " : "", index[i]);
    snprintf(out + used, 256 - (size_t)used, "]");
    return out;
}
