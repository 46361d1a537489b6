// text_source.h - where a tokenizer and a chat template come from: a compiled model, a GGUF file (a vocabulary is
// enough), or a folder with tokenizer.json.
#ifndef LLM_TEXT_SOURCE_H
#define LLM_TEXT_SOURCE_H
#include "llm/vocab_gguf.h"
#include "relax/runtime.h"

typedef struct text_source {
    rx_executable *exe; // of a compiled model, whose metadata `keys` lies in; else NULL
    uint8_t *bytes;     // that `keys` lies in where it was put together from a folder; else NULL
    gguf *keys;
    vocab_gguf vocab;
} text_source;

// RX_NOT_FOUND for a model that was compiled from something without a tokenizer. Closed by text_source_close, also
// after a failure.
RX_MUST_USE rx_status text_source_open(const char *path, text_source *out, char why[FILE_WHY]);
void text_source_close(text_source *s); // a zeroed one is allowed
#endif
