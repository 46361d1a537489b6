// vocab_gguf.h - what a GGUF file's metadata says about its tokenizer and chat template.
//
// Reads the keys and values only; tensors are not looked at, so files that hold nothing but a vocabulary are fine.
#ifndef LLM_VOCAB_GGUF_H
#define LLM_VOCAB_GGUF_H
#include "checkpoint/gguf.h"
#include "llm/vocabulary.h"

// Spans point into the file's bytes.
typedef struct vocab_gguf {
    vocabulary_source source;
    text_span chat_template; // empty: none
    text_span *tokens, *merges;
    float *scores;
    uint8_t *types;
} vocab_gguf;

// `g` must outlive *out. Memory taken is at most three times what the arrays of the file take. RX_BAD_FILE with one
// sentence for values that can't be; RX_NOT_FOUND for a file without a tokenizer. Freed by vocab_gguf_free unless it
// failed.
RX_MUST_USE rx_status vocab_gguf_read(const gguf *g, vocab_gguf *out, char why[FILE_WHY]);
void vocab_gguf_free(vocab_gguf *v); // a zeroed one is allowed
#endif
