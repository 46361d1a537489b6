// index_range.h - indices into a dim: which are in range, and what is said of one that isn't.
#ifndef TENSOR_INDEX_RANGE_H
#define TENSOR_INDEX_RANGE_H
#include "tensor/tensor.h"

enum { INDEX_RANGE_WHY = 128 };

// What a kernel that looks at indices asserts, until it is known which one it is.
#define INDEX_SENTENCE "an index is out of range"

// Is element k of the integers t an index of one of `extent` elements? A negative index counts from the end; a large
// one without sign is too large.
bool index_in_range(const tensor *t, int64_t k, int64_t extent);
// "element 1 is 3, out of range: want -3 <= index < 3"; returns out.
const char *index_out_of_range(const tensor *t, int64_t k, int64_t extent, char out[INDEX_RANGE_WHY]);
#endif
