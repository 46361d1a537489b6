// tensor.h - host tensors: compact, row-major, 64-byte aligned, reference-counted.
//
// Used by the interpreters, the runtime and the tests. The layout is DLPack's without strides and byte offset.
#ifndef TENSOR_TENSOR_H
#define TENSOR_TENSOR_H
#include "relax/status.h"
#include "tensor/dtype.h"

enum { TENSOR_MAX_RANK = 16, TENSOR_ALIGN = 64 };

typedef struct tensor {
    _Atomic uint32_t refs; // touched through tensor_retain / tensor_release only (atomic)
    dtype type;
    uint32_t rank;
    int64_t *dim; // rank dims, in the same block
    void *data;   // never NULL, even for zero elements
    size_t bytes;
    void (*free_data)(void *user, void *data); // NULL: data belongs to this block
    void *user;
} tensor;

// A new tensor of zeros, owned by the caller. RX_INVALID_ARGUMENT for a negative dim, too high a rank or a type without
// values (void, handle); RX_OUT_OF_MEMORY also when the byte count overflows.
RX_MUST_USE rx_status tensor_new(dtype type, uint32_t rank, const int64_t *dim, tensor **out);
// A tensor over memory of somebody else; free_data (may be NULL) is called when the last reference goes, not when
// this call fails. `data` may be NULL for zero bytes only.
RX_MUST_USE rx_status tensor_wrap(dtype type, uint32_t rank, const int64_t *dim, void *data,
                                  void (*free_data)(void *user, void *data), void *user, tensor **out);
// References may be taken and dropped by any thread; everything else of a tensor is thread-compatible.
// A tensor retained 2^31 times is never freed (rather than too early).
tensor *tensor_retain(tensor *t);
void tensor_release(tensor *t);     // NULL is allowed
void tensor_release_at(tensor **t); // for AUTO

int64_t tensor_count(const tensor *t); // elements; a vector counts as one
// Element `index` in row-major order, as a float or an integer (converted as dtype.h says). In a tensor of vectors
// index counts lanes. Not checked: index < tensor_count(t) * dtype_lanes(t->type).
double tensor_get_float(const tensor *t, size_t index);
int64_t tensor_get_int(const tensor *t, size_t index);
void tensor_set_float(tensor *t, size_t index, double value);
void tensor_set_int(tensor *t, size_t index, int64_t value);

// Reproducible random values, the same on every machine: floats uniform in [-1, 1) (what rounds to 1 becomes -1;
// float8_e8m0fnu: 1/16 to 1/2), signed integers in [-8, 7], unsigned ones in [0, 15] (less where the type
// is narrower), bools even. Each element depends on the seed and its index alone.
void tensor_fill_random(tensor *t, uint64_t seed);

// Where two tensors differ. Floats: |a - b| <= atol + rtol * |b|; NaN equals NaN; infinities must agree.
// Integers and bools must be equal.
typedef struct tensor_difference {
    bool same;
    bool shapes_differ; // dtype, rank or dims
    size_t index;       // of the first difference
    size_t count;       // of differing elements (or lanes)
    double a, b;        // the values at index
    double worst;       // largest |a - b|, differing or not; infinite where one of the two is NaN or infinite
} tensor_difference;
tensor_difference tensor_compare(const tensor *a, const tensor *b, double rtol, double atol);
#endif
