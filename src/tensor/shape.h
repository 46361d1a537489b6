// shape.h - how large a shape is: its elements, and the bytes of a compact tensor of it.
//
// Both are false for a rank above TENSOR_MAX_RANK, a negative dim and what doesn't fit; *out is left alone then. With a
// dim of 0 both are 0, however large the others are.
#ifndef TENSOR_SHAPE_H
#define TENSOR_SHAPE_H
#include "tensor/tensor.h"

RX_MUST_USE bool shape_count(uint32_t rank, const int64_t *dim, int64_t *out);
// False as well for a type without values (void, handle).
RX_MUST_USE bool shape_bytes(dtype type, uint32_t rank, const int64_t *dim, size_t *out);
#endif
