// small.h - a byte-level vocabulary of our own for tests, and GGUF files made in memory.
#ifndef TESTS_LLM_SMALL_H
#define TESTS_LLM_SMALL_H
#include "llm/vocab_gguf.h"

// 256 bytes (the ids are the bytes), then merges in this order: "h e" 256, "l l" 257, "he ll" 258, "hell o" 259,
// "Ġ w" 260; then <|end|> (control) 261, two spaces (user-defined) 262. Freed by vocabulary_free. Fails the test rather
// than giving NULL.
vocabulary *small_bpe(const char *pre);

// Tokens <unk> 0, <s> 1, </s> 2, the bytes from 3, then "▁" 259, "a" 260, "b" 261, "ab" 262, "▁ab" 263, "ba" 264.
vocabulary *small_spm(void);

// A GGUF file being written.
typedef struct gguf_bytes {
    uint8_t at[1 << 16];
    size_t size;
} gguf_bytes;
void gguf_begin(gguf_bytes *g, uint32_t version, uint64_t pairs);
void gguf_put(gguf_bytes *g, uint64_t value, size_t bytes);
void gguf_name(gguf_bytes *g, const char *s);
void gguf_pair_text(gguf_bytes *g, const char *key, const char *value);
void gguf_pair_texts(gguf_bytes *g, const char *key, const char *const *values, size_t count);
// Model "gpt2" whose tokens are a, b and ab, with the merge "a b".
void gguf_small(gguf_bytes *g);
#endif
