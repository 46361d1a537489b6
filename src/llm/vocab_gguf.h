// vocab_gguf.h - what a GGUF file's metadata says about its tokenizer and chat template.
//
// Reads the keys and values only; tensors are not looked at, so files that hold nothing but a vocabulary are fine.
#ifndef LLM_VOCAB_GGUF_H
#define LLM_VOCAB_GGUF_H
#include "llm/vocabulary.h"

// Spans point into the file's bytes, which must outlive this.
typedef struct vocab_gguf {
    vocabulary_source source;
    text_span chat_template; // empty: none
    void *owned[4];          // the arrays of `source`
} vocab_gguf;

// Whether the bytes begin as a GGUF file does.
bool vocab_gguf_is(const uint8_t *data, size_t size);

// Memory taken is at most three times what the arrays of the file take. RX_BAD_FILE with one sentence for bytes that
// aren't a GGUF file; RX_NOT_FOUND when it is one without a tokenizer. Freed by vocab_gguf_free unless it failed.
RX_MUST_USE rx_status vocab_gguf_read(const uint8_t *data, size_t size, vocab_gguf *out, char why[FILE_WHY]);
void vocab_gguf_free(vocab_gguf *g); // a zeroed one is allowed
#endif
