// boxes.h - what functions on boxes share: four numbers of a tensor are two opposite corners (x, y, x, y).
#ifndef BUILTIN_BOXES_H
#define BUILTIN_BOXES_H
#include "tensor/tensor.h"

// The intersection of the boxes at elements a and b over their union; 0 where the union has no area. Not checked: both
// have four elements.
double box_overlap(const tensor *t, size_t a, size_t b);

// A result of one operation, rounded as the tensor's type would be: to double for float64, else to float.
double box_rounded(const tensor *t, double x);
double box_from_bits(int64_t bits); // of a scalar argument that is a float
#endif
