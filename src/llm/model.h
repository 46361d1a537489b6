// model.h - a compiled language model: what its file says about the function that runs it, and its texts.
#ifndef LLM_MODEL_H
#define LLM_MODEL_H
#include "checkpoint/gguf.h"
#include "exec/exec.h"
#include "llm/chat_template.h"
#include "llm/tokenizer.h"
#include "llm/vocab_gguf.h"
#include "relax/llm.h"

// The inputs of `forward` besides the pages, in the order of the parameters (design: one function serves prompts,
// chunks of prompts, steps and mixed batches).
enum {
    INPUT_TOKENS,     // (t,) int32, sequences one after another
    INPUT_POSITIONS,  // (t,) where each token stands in its sequence
    INPUT_STARTS,     // (b + 1,) where each sequence begins in tokens
    INPUT_PAGE_TABLE, // (b, p) the pages of each
    INPUT_SLOTS,      // (t,) where each token's keys and values go: page * page_tokens + place in it
    INPUT_ROWS,       // (r,) for which tokens logits are wanted
    INPUTS
};

// What `forward` is like.
typedef struct forward_shape {
    uint32_t function; // its number among the public ones
    uint32_t layers;   // then as many k_pages_<i> and v_pages_<i>
    const exec_annotation *pages;
    uint32_t page_tokens;
    size_t page_bytes; // of one tensor
    int64_t page_dim[4];
    uint32_t vocabulary;
    uint32_t most_tokens, most_sequences, most_rows, most_pages; // of one call
    bool no_rows;                                                // rows may be empty
} forward_shape;

struct rx_llm {
    rx_executable *exe;
    forward_shape forward;
    gguf *source; // the keys that the file keeps of its checkpoint; NULL: none
    char *name, *architecture;
    vocab_gguf vocab;
    vocabulary *vocabulary;  // NULL: no tokenizer, and no_tokenizer says why
    tokenizer *tokenizer;    // with it
    chat_template *template; // NULL: none, and no_template says why
    char no_tokenizer[FILE_WHY], no_template[FILE_WHY];
    uint32_t end[16]; // tokens that end a text
    uint32_t ends;
    int users; // atomic
};

// Reads the function's signature. RX_UNSUPPORTED, saying what is different, for one that isn't as above.
RX_MUST_USE rx_status forward_read(const rx_executable *exe, forward_shape *out, char *why);
// The most memory that a call can need beside the weights and the cache; 0: the file doesn't tell.
uint64_t forward_activations(const rx_executable *exe);
#endif
