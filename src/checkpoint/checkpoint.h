// checkpoint.h - the weights of a model and what describes it, whatever they are stored as.
//
// A folder as Hugging Face lays it out (config.json, model.safetensors or the shards of model.safetensors.index.json),
// one .safetensors file, with config.json beside it where there is one, or a .gguf file. Files are mapped; tensors stay
// where they lie. Thread-safe once open. Every failing function writes one sentence into `why` (FILE_WHY bytes; NULL is
// allowed).
#ifndef CHECKPOINT_CHECKPOINT_H
#define CHECKPOINT_CHECKPOINT_H
#include "checkpoint/gguf.h"
#include "checkpoint/json.h"
#include "tensor/tensor.h"

typedef struct checkpoint checkpoint;

typedef struct checkpoint_tensor {
    const char *name;
    dtype type;                   // of what is stored: elements, or uint8 where there is a block format
    const char *format;           // of blocks (tensor/formats.def): "q4_1"; NULL: plain elements
    const char *unreadable;       // the name of a type that is not known here, "IQ2_XS"; then the two above are zero
    uint32_t rank;                // of the values
    int64_t dim[TENSOR_MAX_RANK]; // slowest first
    const uint8_t *data;          // little-endian, row-major; NULL if unreadable
    size_t bytes;
} checkpoint_tensor;

// Whether a path is meant as a checkpoint: a folder, or by its ending.
bool checkpoint_is(const char *path);
RX_MUST_USE rx_status checkpoint_open(const char *path, checkpoint **out, char why[FILE_WHY]);
// The bytes of a GGUF file that outlive it; `name` stands for its path.
RX_MUST_USE rx_status checkpoint_parse_gguf(const char *name, const uint8_t *bytes, size_t size, checkpoint **out,
                                            char why[FILE_WHY]);
void checkpoint_close(checkpoint *c); // NULL is allowed
// Gives back the memory that the files' maps take: what is touched again is read again.
void checkpoint_forget(const checkpoint *c);

const char *checkpoint_path(const checkpoint *c); // as given
size_t checkpoint_count(const checkpoint *c);
const checkpoint_tensor *checkpoint_at(const checkpoint *c, size_t i);           // in the order of the files
const checkpoint_tensor *checkpoint_find(const checkpoint *c, const char *name); // NULL if there is none
const gguf *checkpoint_gguf(const checkpoint *c);                                // NULL: it is none
const json_value *checkpoint_config(const checkpoint *c);                        // config.json; NULL if there is none
// What a compiled model keeps beside the weights, tokenizer and chat template above all: a GGUF file of keys alone,
// malloc'd. RX_NOT_FOUND when there is nothing of the kind.
RX_MUST_USE rx_status checkpoint_keys(const checkpoint *c, uint8_t **out, size_t *size, char why[FILE_WHY]);
// The tensor as it is stored, a new reference that must not outlive c; of blocks, the bytes: [..., bytes of a row].
// RX_UNSUPPORTED if it is unreadable.
RX_MUST_USE rx_status checkpoint_stored(const checkpoint_tensor *t, tensor **out);
#endif
