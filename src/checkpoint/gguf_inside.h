// gguf_inside.h - what the files of the GGUF reader share: a file being read, and its tables.
#ifndef CHECKPOINT_GGUF_INSIDE_H
#define CHECKPOINT_GGUF_INSIDE_H
#include "checkpoint/gguf.h"

typedef struct gguf_part {
    mapped_file file; // zero if the bytes are the caller's
    const uint8_t *bytes;
    size_t size;
    const uint8_t *data; // where offsets begin; at most bytes + size
    uint32_t alignment;
} gguf_part;

struct gguf {
    uint32_t version;
    gguf_part *part; // one per file of a split model
    size_t parts;
    const uint8_t **pair; // where each begins, sorted by key
    size_t pairs;
    const uint8_t *pairs_end;
    const uint8_t **info;   // where each tensor's begins, in the order of the file
    const uint8_t **sorted; // the same, by name
    size_t infos;
};

// Bytes yet to be read; `what` is the key or name that is being read, for messages.
typedef struct gguf_reader {
    const uint8_t *at, *end;
    text_span what;
    char *why;
} gguf_reader;

// --- gguf_bytes.c
rx_status gguf_bad(const gguf_reader *r, const char *sentence);
RX_MUST_USE rx_status gguf_take(gguf_reader *r, size_t bytes, uint64_t *out);
RX_MUST_USE rx_status gguf_take_text(gguf_reader *r, text_span *out);

// `bytes` (1 to 8) as a number.
uint64_t gguf_number(const uint8_t *at, size_t bytes);
// The text that begins there, checked before.
text_span gguf_text_at(const uint8_t *at);
// Sorts pointers to what begins with a text by that text. RX_BAD_FILE when two are equal; `kind` is "keys" or
// "tensors".
RX_MUST_USE rx_status gguf_sort(const uint8_t **list, size_t count, const char *kind, char *why);
// The one of a sorted list that begins with the name, or NULL.
const uint8_t *gguf_search(const uint8_t *const *list, size_t count, const char *name);

// --- gguf_pairs.c, gguf_tensors.c
// Reads the pairs, or the infos of one part (its data follows at once), into g.
RX_MUST_USE rx_status gguf_read_pairs(gguf_reader *r, uint64_t count, gguf *g);
RX_MUST_USE rx_status gguf_read_infos(gguf_reader *r, uint64_t count, gguf *g, gguf_part *part);
#endif
