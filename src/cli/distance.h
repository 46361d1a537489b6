// distance.h - how far two tensors of one dtype and shape lie apart, and where.
#ifndef CLI_DISTANCE_H
#define CLI_DISTANCE_H
#include "tensor/tensor.h"

typedef struct distance {
    bool alike;              // dtype and shape agree; nothing else is filled in if they don't
    size_t count, differing; // elements, and those beyond the tolerance
    size_t first;            // of the differing ones
    size_t worst;            // where |a - b| is largest
    double a, b, most;       // the values there, and |a - b|: infinite where only one of them is finite
    double first_a, first_b; // the values at `first`
    uint64_t ulp;            // the largest distance in units of the last place, of a float with sign; else 0
} distance;

// Floats agree within atol + rtol * |b|, NaN agrees with NaN; integers and bools agree if they are equal.
distance distance_of(const tensor *a, const tensor *b, double rtol, double atol);
// "[3, 17]": the index in dims of element `at` of t; "[]" for a tensor without dims.
const char *distance_index(const tensor *t, size_t at, char out[256]);
#endif
