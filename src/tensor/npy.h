// npy.h - NumPy's .npy files (format 1.0 to 3.0). Part of the runtime: libc alone. (.npz is in checkpoint/npz.h.)
//
// Readers never trust a header: sizes are checked against the bytes there are, pickled objects are refused.
// Every failing function writes one sentence into `why` (FILE_WHY bytes).
#ifndef TENSOR_NPY_H
#define TENSOR_NPY_H
#include "base/file.h"
#include "tensor/tensor.h"

// Big-endian and Fortran-ordered arrays are converted. f16, f32, f64, all ints, bool; ml_dtypes' names
// (bfloat16, float8_*, int4 …) where the header spells them as void ('|V2' is read as bfloat16).
RX_MUST_USE rx_status npy_read(const char *path, tensor **out, char why[FILE_WHY]);
RX_MUST_USE rx_status npy_parse(const uint8_t *bytes, size_t size, tensor **out, char why[FILE_WHY]);
RX_MUST_USE rx_status npy_write(const char *path, const tensor *t, char why[FILE_WHY]);
// The header that npy_write writes, for writers that stream the data themselves; freed with free().
RX_MUST_USE rx_status npy_header(const tensor *t, uint8_t **out, size_t *size);
#endif
