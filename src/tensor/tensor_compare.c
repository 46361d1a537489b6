// tensor_compare.c - where two tensors differ.
#include "tensor/tensor.h"
#include <math.h>
#include <string.h>

static bool same_shape(const tensor *a, const tensor *b) {
    if (!dtype_equal(a->type, b->type) || a->rank != b->rank) return false;
    return a->rank == 0 || memcmp(a->dim, b->dim, a->rank * sizeof *a->dim) == 0;
}

// |a - b|, infinite where one of them alone is NaN or infinite.
static double distance(double a, double b) {
    if (a == b || (isnan(a) && isnan(b))) return 0;
    return isfinite(a) && isfinite(b) ? fabs(a - b) : (double)INFINITY;
}

static void note_difference(tensor_difference *d, size_t index, double a, double b) {
    if (d->same) {
        d->index = index;
        d->a = a;
        d->b = b;
    }
    d->same = false;
    d->count++;
}

tensor_difference tensor_compare(const tensor *a, const tensor *b, double rtol, double atol) {
    tensor_difference d = {.same = true};
    if (!same_shape(a, b)) return (tensor_difference){.shapes_differ = true};
    size_t count = (size_t)tensor_count(a) * dtype_lanes(a->type);
    bool exact = !dtype_is_float(a->type);
    for (size_t i = 0; i < count; i++) {
        double x = tensor_get_float(a, i), y = tensor_get_float(b, i), far = distance(x, y);
        if (far > d.worst) d.worst = far;
        // A 64-bit integer may differ where its double doesn't; an infinite distance is a difference at any tolerance.
        bool close = exact ? tensor_get_int(a, i) == tensor_get_int(b, i)
                           : far == 0 || (isfinite(far) && far <= atol + rtol * fabs(y));
        if (!close) note_difference(&d, i, x, y);
    }
    return d;
}
