// pretokenize.h - cuts text into the words that byte-level BPE may not merge across, by regular expressions.
#ifndef LLM_PRETOKENIZE_H
#define LLM_PRETOKENIZE_H
#include "base/span.h"
#include "llm/fail.h"
#include <stdint.h>

enum { PRE_STAGES = 2 };

// A stage cuts at each match of its expression: matches and what lies between them become pieces for the next stage.
typedef struct pre_tokenizer {
    const char *stage[PRE_STAGES]; // NULL: no such stage
    bool whole_words;              // a word that is a token is taken whole, whatever the merges say
    bool adds_bos;                 // unless the file says otherwise
} pre_tokenizer;

// The pre-tokenizer that a file calls `name` (GPT-2's for an empty name); NULL when it isn't known. Static storage.
const pre_tokenizer *pre_tokenizer_find(text_span name);
// The names that are known, with commas between.
void pre_tokenizer_names(char *out, size_t room);

// A compiled pre-tokenizer. It never changes: threads may share it.
typedef struct word_splitter word_splitter;
RX_MUST_USE rx_status word_splitter_new(const pre_tokenizer *pre, word_splitter **out, char why[FILE_WHY]);
void word_splitter_free(word_splitter *s); // NULL is allowed

// Takes one word; a status other than RX_OK stops the splitting and is returned.
typedef rx_status word_taker(void *context, text_span word, char *why);
// Calls `take` with the words of `text` in order; together they are the text. It must be UTF-8.
RX_MUST_USE rx_status word_splitter_run(const word_splitter *s, text_span text, word_taker *take, void *context,
                                        char why[FILE_WHY]);
#endif
