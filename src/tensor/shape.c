// shape.c - elements and bytes of shapes.
#include "tensor/shape.h"
#include "base/size.h"

// All dims are looked at, so that the answer does not depend on their order: a product that doesn't fit is none if one
// of them is 0.
bool shape_count(uint32_t rank, const int64_t *dim, int64_t *out) {
    int64_t count = 1;
    bool empty = false, fits = rank <= TENSOR_MAX_RANK;
    if (!fits) return false;
    for (uint32_t i = 0; i < rank; i++) {
        if (dim[i] < 0) return false;
        empty = empty || dim[i] == 0;
        fits = fits && int_mul(count, dim[i], &count);
    }
    if (!empty && !fits) return false;
    *out = empty ? 0 : count;
    return true;
}

bool shape_bytes(dtype type, uint32_t rank, const int64_t *dim, size_t *out) {
    int64_t count;
    return dtype_family_of(type) != FAMILY_NONE && shape_count(rank, dim, &count) && dtype_bytes(type, count, out);
}
