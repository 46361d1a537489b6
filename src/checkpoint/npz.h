// npz.h - NumPy's .npz archives: zip files of .npy members, read and written through libzip.
//
// Stored and deflated members are read. A member's header is compared with its size, and its size with what its
// compressed bytes can hold, before memory is allocated. Thread-compatible. Every failing function writes one
// sentence into `why` (FILE_WHY bytes; NULL is allowed).
#ifndef CHECKPOINT_NPZ_H
#define CHECKPOINT_NPZ_H
#include "tensor/npy.h"

typedef struct npz npz;
RX_MUST_USE rx_status npz_open(const char *path, npz **out, char why[FILE_WHY]); // closed by npz_close
void npz_close(npz *z);                                                          // NULL is allowed

// The members whose names end in ".npy", in the order of the archive; others are passed over.
size_t npz_count(const npz *z);
const char *npz_name(const npz *z, size_t i); // without ".npy"; lives as long as z
// RX_NOT_FOUND if there is no such member; otherwise as npy_read.
RX_MUST_USE rx_status npz_read(npz *z, const char *name, tensor **out, char why[FILE_WHY]);

// Writes members uncompressed, dated 1980-01-01 as NumPy does, so that equal tensors give equal files. The file appears
// under its name when it is complete. Names are given without ".npy" and must differ; tensors as npy_write takes them.
RX_MUST_USE rx_status npz_write(const char *path, const char *const *name, tensor *const *t, size_t count,
                                char why[FILE_WHY]);
#endif
