// npy.h - NumPy's .npy files (format 1.0 to 3.0). Part of the runtime: libc alone. (.npz is in checkpoint/npz.h.)
//
// Readers never trust a header: sizes are checked against the bytes there are, pickled objects are refused, and so are
// bytes after the data. Every failing function writes one sentence into `why` (FILE_WHY bytes; NULL is allowed).
// RX_BAD_FILE: not what the format promises; RX_UNSUPPORTED: legal, but no tensor of ours.
//
// What a file says, and the tensor it gives:
//   '<f4' '>i8' '|b1' …  f2 f4 f8, i1 to i8, u1 to u8, b1; big-endian and Fortran-ordered arrays are converted
//   '<V2' '|V2'          bfloat16: the only two-byte type that NumPy can't spell
//   '<V1' '|V1'          a type of one byte or less, as the ml_dtypes package saves them all: float8_*, float6_*,
//                        float4_*, int4, uint4, int2, uint2, int1, uint1; which one, the header doesn't say. Ours does,
//                        in a comment that Python skips ("{'descr': '<V1', …} # float8_e4m3fn"); for others the
//                        caller has to name it.
//   '<f1'                float8_e5m2 (ml_dtypes again)
//   'bfloat16' …         any spelling of dtype.h
#ifndef TENSOR_NPY_H
#define TENSOR_NPY_H
#include "base/file.h"
#include "tensor/tensor.h"

RX_MUST_USE rx_status npy_read(const char *path, tensor **out, char why[FILE_WHY]);
RX_MUST_USE rx_status npy_parse(const uint8_t *bytes, size_t size, tensor **out, char why[FILE_WHY]);
// The same, with the type to assume where the header has '|V1' and names none. {0}: none.
RX_MUST_USE rx_status npy_parse_as(const uint8_t *bytes, size_t size, dtype unnamed, tensor **out, char why[FILE_WHY]);

// Writes format 1.0, little-endian, C order, the data at a multiple of 64 bytes: for NumPy's own types the bytes that
// NumPy writes. bfloat16 becomes '<V2', the small types '<V1' with one element per byte (in its low bits), which NumPy
// loads as raw bytes; `.view(ml_dtypes.bfloat16)` gives the numbers. Vectors are RX_UNSUPPORTED.
RX_MUST_USE rx_status npy_write(const char *path, const tensor *t, char why[FILE_WHY]);
// The header that npy_write writes, for writers that stream the data themselves; freed with free().
RX_MUST_USE rx_status npy_header(const tensor *t, uint8_t **out, size_t *size);
// The data that follows it: the tensor's own memory, with *owned NULL, or a converted copy to be freed through *owned.
RX_MUST_USE rx_status npy_data(const tensor *t, const void **data, size_t *size, void **owned);

// A header on its own, for readers that get the data from elsewhere.
enum { NPY_MAX_HEADER = 65536 }; // bytes; longer headers are refused (NumPy's own limit is 10,000)
typedef struct npy_info {
    dtype type;
    uint32_t rank;
    int64_t dim[TENSOR_MAX_RANK];
    bool fortran;        // dims vary fastest from the left
    bool big_endian;     // elements of more than one byte
    size_t item_bytes;   // of one element in the file
    size_t header_bytes; // where the data begins
    size_t data_bytes;   // what the dims ask for; not checked against anything yet
} npy_info;
// `size` may be less than the file's as long as the header is whole: NPY_MAX_HEADER bytes always suffice.
RX_MUST_USE rx_status npy_parse_header(const uint8_t *bytes, size_t size, dtype unnamed, npy_info *out,
                                       char why[FILE_WHY]);
// True if the data are the bytes of the tensor as they are, so that they can be read straight into it.
bool npy_is_plain(const npy_info *info);
// A tensor from the data_bytes bytes at `data`.
RX_MUST_USE rx_status npy_convert(const npy_info *info, const uint8_t *data, tensor **out);
#endif
