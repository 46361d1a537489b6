// gguf.h - GGUF files (versions 2 and 3): keys with values, then tensors, quantised or plain.
//
// Files are mapped; keys, values and tensors stay where they lie, and only a pointer or two is kept for each: memory is
// below the file's size, whatever it says. All is checked once at opening: lengths, types, UTF-8 of names, that no name
// comes twice, that each tensor lies inside. Thread-safe once open. Every failing function writes one sentence into
// `why` (FILE_WHY bytes; NULL is allowed). RX_BAD_FILE: not what the format promises; RX_UNSUPPORTED: another version.
//
// Layout: "GGUF", u32 version, u64 tensors, u64 pairs, the pairs (text key, u32 type, value), the tensors' infos (text
// name, u32 rank, u64 dims with the fastest first, u32 type, u64 offset), padding to general.alignment, the data. A
// text is a u64 length and its bytes; an array a u32 type, a u64 count and the values. All is little-endian.
#ifndef CHECKPOINT_GGUF_H
#define CHECKPOINT_GGUF_H
#include "base/file.h"
#include "base/span.h"
#include "tensor/dtype.h"

// The numbers of the format.
typedef enum gguf_value {
    GGUF_U8,
    GGUF_I8,
    GGUF_U16,
    GGUF_I16,
    GGUF_U32,
    GGUF_I32,
    GGUF_F32,
    GGUF_BOOL,
    GGUF_TEXT,
    GGUF_ARRAY,
    GGUF_U64,
    GGUF_I64,
    GGUF_F64,
    GGUF_VALUES
} gguf_value;

// A key with its value.
typedef struct gguf_pair {
    text_span key;
    bool is_array;
    gguf_value type;     // of the value, or of each item
    uint64_t count;      // of items; 1 if it is no array
    const uint8_t *data; // the first value; read with the functions below
} gguf_pair;

// An element type; rows of tensor/formats.def and gguf_types.def.
typedef struct gguf_type {
    const char *name; // "f32", "q4_1"
    uint32_t number;  // in the file
    uint32_t block;   // elements that lie together in `bytes` bytes; 1 for plain types
    uint32_t bytes;
    bool decodable; // tensor/formats.h has a format of this number
} gguf_type;

enum { GGUF_MAX_RANK = 4, GGUF_MAX_NAME = 64 };
typedef struct gguf_tensor {
    text_span name;
    uint32_t rank;
    int64_t dim[GGUF_MAX_RANK]; // row-major, the fastest last: the other way round than in the file
    uint32_t number;            // of the type
    const gguf_type *type;      // NULL: a number we don't know; then data is NULL
    const uint8_t *data;        // little-endian; aligned to general.alignment within the file
    size_t bytes;
} gguf_tensor;

typedef struct gguf gguf;
// `path` of a split model is its first file ("…-00001-of-00003.gguf"); the others are opened too and must be complete.
RX_MUST_USE rx_status gguf_open(const char *path, gguf **out, char why[FILE_WHY]);
// The same from bytes that outlive it: one file, of a split model only its own tensors.
RX_MUST_USE rx_status gguf_parse(const uint8_t *bytes, size_t size, gguf **out, char why[FILE_WHY]);
void gguf_close(gguf *g);        // NULL is allowed
void gguf_forget(const gguf *g); // as file_forget

uint32_t gguf_version(const gguf *g);
size_t gguf_pair_count(const gguf *g);
gguf_pair gguf_pair_at(const gguf *g, size_t i); // in the order of their keys; i < count
bool gguf_find(const gguf *g, const char *key, gguf_pair *out);
size_t gguf_tensor_count(const gguf *g);
gguf_tensor gguf_tensor_at(const gguf *g, size_t i); // in the order of the file; i < count
bool gguf_find_tensor(const gguf *g, const char *name, gguf_tensor *out);
const gguf_type *gguf_type_of(uint32_t number); // NULL: there is none
dtype gguf_plain(const gguf_type *type);        // of its elements; void for types of blocks

// The i-th item (i < count) as another type, if it is of a kind that fits; false otherwise.
RX_MUST_USE bool gguf_int(const gguf_pair *p, uint64_t i, int64_t *out);  // integers that fit
RX_MUST_USE bool gguf_float(const gguf_pair *p, uint64_t i, double *out); // integers and floats
RX_MUST_USE bool gguf_bool(const gguf_pair *p, uint64_t i, bool *out);    // bools
RX_MUST_USE bool gguf_text(const gguf_pair *p, text_span *out);           // a single text
// The next item of an array of texts; *at begins as data.
RX_MUST_USE text_span gguf_next_text(const gguf_pair *p, const uint8_t **at);

// What the values of a type are called: "u32", "text".
const char *gguf_value_name(gguf_value type);

// A file with the pairs of this one and no tensors, malloc'd: what a compiled model keeps of its source, under this key
// of its metadata.
#define GGUF_METADATA "gguf"
RX_MUST_USE rx_status gguf_copy_pairs(const gguf *g, uint8_t **out, size_t *size, char why[FILE_WHY]);
#endif
