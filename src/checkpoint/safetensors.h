// safetensors.h - files of tensors: eight bytes of length, a JSON header, the tensors' bytes one after another.
//
// The file is mapped; tensors stay where they lie. Everything the header says is checked against the file: lengths,
// offsets that tile the data without gap or overlap, shapes against bytes, names that differ, UTF-8. Thread-safe once
// open. Every failing function writes one sentence into `why` (FILE_WHY bytes; NULL is allowed). RX_BAD_FILE: not what
// the format promises; RX_UNSUPPORTED: a dtype we have no name for.
#ifndef CHECKPOINT_SAFETENSORS_H
#define CHECKPOINT_SAFETENSORS_H
#include "base/file.h"
#include "tensor/tensor.h"

typedef struct safetensors_entry {
    const char *name;
    dtype type;
    uint32_t rank;
    int64_t dim[TENSOR_MAX_RANK];
    const uint8_t *data; // little-endian, row-major, aligned to nothing but its offset
    size_t bytes;
} safetensors_entry;

typedef struct safetensors safetensors;
RX_MUST_USE rx_status safetensors_open(const char *path, safetensors **out, char why[FILE_WHY]);
// The same from bytes that outlive it.
RX_MUST_USE rx_status safetensors_parse(const uint8_t *bytes, size_t size, safetensors **out, char why[FILE_WHY]);
void safetensors_close(safetensors *s);        // NULL is allowed
void safetensors_forget(const safetensors *s); // as file_forget

size_t safetensors_count(const safetensors *s);
const safetensors_entry *safetensors_at(const safetensors *s, size_t i);           // in the order of their bytes
const safetensors_entry *safetensors_find(const safetensors *s, const char *name); // NULL if there is none
// A pair of "__metadata__", in the order of the file; NULL past the last.
const char *safetensors_metadata(const safetensors *s, size_t i, const char **value);
#endif
