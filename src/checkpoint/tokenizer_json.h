// tokenizer_json.h - tokenizer.json, in which Hugging Face's library keeps a tokenizer, as what GGUF keys say.
//
// Served are BPE over bytes, with the pre-tokenizers of GPT-2, StarCoder/SmolLM, Llama 3 and Qwen2, and BPE over
// characters with bytes for the rest (Llama 2, Mistral, Gemma, Phi-3). All else is RX_UNSUPPORTED with the part's name.
#ifndef CHECKPOINT_TOKENIZER_JSON_H
#define CHECKPOINT_TOKENIZER_JSON_H
#include "checkpoint/json.h"
#include "relax/status.h"

#define TOKEN_ABSENT UINT32_MAX

typedef struct tokenizer_json {
    const char *model;        // of tokenizer.ggml.model: "gpt2" or "llama"
    const char *pre;          // of tokenizer.ggml.pre; NULL for "llama"
    const char *const *token; // `count` of them; "" for a number that has none
    const uint8_t *type;      // tokenizer.ggml.token_type
    uint32_t count;
    const char *const *merge; // "left right"
    uint32_t merges;
    uint32_t unknown;                     // TOKEN_ABSENT: none
    const char *first, *last;             // what the post-processor puts around a text; NULL: nothing
    bool space_prefix, only_first_prefix; // of "llama": before every piece of text, before the first one
} tokenizer_json;

// Everything lives in `mem`, or in `root`, which was read from tokenizer.json. Added tokens from `limit` on have no row
// in the model and are left out. Memory is linear in the text, whatever numbers are in it.
RX_MUST_USE rx_status tokenizer_json_read(const json_value *root, arena *mem, uint32_t limit, tokenizer_json *out,
                                          char why[FILE_WHY]);
// The number of a token; TOKEN_ABSENT when there is none. Takes as long as there are tokens.
uint32_t tokenizer_json_find(const tokenizer_json *t, const char *token);
#endif
