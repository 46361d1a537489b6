// vocabulary.h - the tokens of a language model and all that turns text into them, wherever it was read from.
//
// A reader (vocab_gguf.h) fills a vocabulary_source with spans into its file; vocabulary_new checks it, copies what is
// needed and builds the tables. A vocabulary never changes afterwards: any number of threads may use it.
#ifndef LLM_VOCABULARY_H
#define LLM_VOCABULARY_H
#include "base/span.h"
#include "llm/fail.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum vocabulary_model {
    VOCABULARY_BPE,       // byte-level BPE: merges by rank after a pre-tokenizer ("gpt2" in GGUF)
    VOCABULARY_SPM,       // SentencePiece BPE: merges by score, bytes for the rest ("llama" in GGUF)
    VOCABULARY_WORDPIECE, // greedy longest piece of normalised words ("bert" in GGUF)
} vocabulary_model;

// The numbers are GGUF's.
typedef enum token_type {
    TOKEN_UNDEFINED,
    TOKEN_NORMAL,
    TOKEN_UNKNOWN, // stands for what has no token
    TOKEN_CONTROL, // found in text only when the caller asks for special tokens; prints as nothing
    TOKEN_USER,    // always found in text before anything else is done to it
    TOKEN_UNUSED,
    TOKEN_BYTE, // <0xNN>
    TOKEN_TYPES
} token_type;

#define TOKEN_NONE UINT32_MAX

// What a reader found. Arrays that are not there are NULL. A token id that is not there is TOKEN_NONE.
typedef struct vocabulary_source {
    text_span model;         // "gpt2", "llama", "bert", "t5", …
    text_span pre;           // "llama-bpe", "qwen2", …; empty: the model's default
    text_span architecture;  // "phi3": some families treat the space after special tokens differently
    const text_span *tokens; // `count` of them
    const float *scores;
    const uint8_t *types; // token_type
    uint32_t count;
    const text_span *merges; // "left right", the first has rank 0
    uint32_t merge_count;
    uint32_t bos, eos, end_of_turn, unknown, separator, classify; // ids
    int add_bos, add_eos, add_space_prefix;                       // 0, 1, or -1 when the file doesn't say
    int only_first_prefix; // 1: the space is added before the beginning of a text, not behind special tokens
} vocabulary_source;

// Part of a merge table row: what two neighbours become.
typedef struct token_merge {
    uint64_t pair; // left id << 32 | right id; TOKEN_NONE twice: an empty row
    uint32_t rank, id;
} token_merge;

typedef struct special_node special_node; // specials.h

typedef struct vocabulary {
    vocabulary_model model;
    const struct pre_tokenizer *pre; // of BPE; pretokenize.h
    uint32_t count;
    char *bytes;      // all texts, one after the other
    uint64_t *start;  // count + 1 offsets into bytes
    float *score;     // zeros when the source has none
    uint8_t *type;    // token_type
    bool *eats_space; // of special tokens: white space after them is dropped
    uint32_t *slot;   // hash table: text -> id + 1, 0 for an empty row
    uint32_t slots;   // a power of two
    token_merge *merge;
    uint32_t merge_slots;      // a power of two, 0 without merges
    uint32_t byte_token[256];  // the token of one byte, or TOKEN_NONE
    size_t longest;            // bytes of the longest text
    struct special_node *node; // a trie of the special tokens' texts; specials.h
    uint32_t nodes;
    uint32_t bos, eos, end_of_turn, unknown, separator, classify;
    bool add_bos, add_eos, add_space_prefix, only_first_prefix;
} vocabulary;

// Refuses what can't work (no tokens, merges of tokens that aren't there, an unknown model or pre-tokenizer) with one
// sentence. On success *out is freed by vocabulary_free.
RX_MUST_USE rx_status vocabulary_new(const vocabulary_source *source, vocabulary **out, char why[FILE_WHY]);
void vocabulary_free(vocabulary *v); // NULL is allowed

// The text of a token as it stands in the file. `id` < count.
text_span vocabulary_text(const vocabulary *v, uint32_t id);
// The token with exactly this text, or TOKEN_NONE.
uint32_t vocabulary_find(const vocabulary *v, text_span text);
// What `left` and `right` merge into; NULL when they don't.
const token_merge *vocabulary_merge(const vocabulary *v, uint32_t left, uint32_t right);
// Byte-level BPE writes every byte as one printable code point: this one, below 324.
uint32_t vocabulary_byte_point(uint8_t byte);
// The byte that `point` stands for, or -1.
int vocabulary_point_byte(uint32_t point);
#endif
