// npz.h - NumPy's .npz archives: zip files of .npy members, read and written through libzip.
#ifndef CHECKPOINT_NPZ_H
#define CHECKPOINT_NPZ_H
#include "tensor/npy.h"

// A .npz is a zip of .npy members; stored and deflated members are read.
typedef struct npz npz;
RX_MUST_USE rx_status npz_open(const char *path, npz **out, char why[FILE_WHY]);
size_t npz_count(const npz *z);
const char *npz_name(const npz *z, size_t i); // without ".npy"
RX_MUST_USE rx_status npz_read(npz *z, const char *name, tensor **out, char why[FILE_WHY]);
void npz_close(npz *z);
// Writes members uncompressed.
RX_MUST_USE rx_status npz_write(const char *path, const char *const *name, tensor *const *t, size_t count, char why[FILE_WHY]);
#endif
