// decode_format.h - block formats decoded by the rows of formats.def as C: the reference for what operators spell as
// loops.
#ifndef DECODE_FORMAT_H
#define DECODE_FORMAT_H
#include "tensor/formats.h"

// `blocks` blocks at `bytes` into elements. Both are the caller's, `out` with room for all elements.
void decode_format(const block_format *f, const uint8_t *bytes, size_t blocks, float *out);
#endif
