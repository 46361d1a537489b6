// gguf_write.h - a GGUF file of keys alone, put together in memory: what describes a model that came in another format,
// so that one reader serves all of them (gguf.h tells the layout).
#ifndef CHECKPOINT_GGUF_WRITE_H
#define CHECKPOINT_GGUF_WRITE_H
#include "base/text.h"
#include "checkpoint/gguf.h"

// Zero-initialise with GGUF_WRITER_IN. Keys are the caller's to keep unique.
typedef struct gguf_writer {
    text pairs; // their bytes
    uint64_t count;
} gguf_writer;
#define GGUF_WRITER_IN(arena_pointer) ((gguf_writer){.pairs = TEXT_IN(arena_pointer)})

void gguf_put_text(gguf_writer *w, const char *key, const char *value);
void gguf_put_int(gguf_writer *w, const char *key, uint32_t value);
void gguf_put_bool(gguf_writer *w, const char *key, bool value);
// Arrays: as texts, or as int32 (of numbers below 256).
void gguf_put_texts(gguf_writer *w, const char *key, const char *const *item, uint32_t count);
void gguf_put_ints(gguf_writer *w, const char *key, const uint8_t *item, uint32_t count);
// The file, malloc'd. RX_OUT_OF_MEMORY.
RX_MUST_USE rx_status gguf_writer_finish(const gguf_writer *w, uint8_t **out, size_t *size, char why[FILE_WHY]);
#endif
