// tokenizer.h - text to token ids and back.
#ifndef LLM_TOKENIZER_H
#define LLM_TOKENIZER_H
#include "llm/vocabulary.h"

// A vocabulary with its pre-tokenizer compiled. It never changes: threads may share it.
typedef struct tokenizer tokenizer;
// Keeps `v`, which must outlive it.
RX_MUST_USE rx_status tokenizer_new(const vocabulary *v, tokenizer **out, char why[FILE_WHY]);
void tokenizer_free(tokenizer *t); // NULL is allowed

// Zero is an empty list; freed by token_list_free.
typedef struct token_list {
    uint32_t *at;
    size_t count, room;
} token_list;
RX_MUST_USE rx_status token_list_add(token_list *list, uint32_t id, char *why);
void token_list_free(token_list *list);

enum {
    TOKENIZE_ADD_ENDS = 1, // the bos and eos tokens that the vocabulary wants around a text
    TOKENIZE_SPECIAL = 2,  // control tokens written in the text are those tokens: for rendered templates only, never
                           // for text of a user
};
// Appends the ids of `text` to `out`. Time is O(n log n). RX_INVALID_ARGUMENT for text that isn't UTF-8 and text over
// 680 MiB; `out` then holds what it held before.
RX_MUST_USE rx_status tokenizer_encode(const tokenizer *t, text_span text, unsigned flags, token_list *out,
                                       char why[FILE_WHY]);

// --- Back to text, token by token. What comes out is always whole characters of UTF-8: bytes of a character that is
// not complete wait for the next token, bytes that can't be UTF-8 come out as U+FFFD.
typedef struct detokenizer {
    const vocabulary *vocabulary;
    bool show_special; // control tokens come out as their text
    bool raw;          // bytes come out at once, whole characters or not
    bool begun;        // a first token was seen: its space prefix was dropped
    char pending[4];   // the beginning of a character
    unsigned pendings;
    char *at; // what the last call gave
    size_t size, room;
} detokenizer;
#define DETOKENIZER(vocabulary_pointer) ((detokenizer){.vocabulary = (vocabulary_pointer)})

// Gives the text that token `id` completes, valid until the next call; RX_INVALID_ARGUMENT for an id not in the
// vocabulary.
RX_MUST_USE rx_status detokenizer_push(detokenizer *d, uint32_t id, text_span *out, char why[FILE_WHY]);
// What is left when no more tokens come: nothing, or U+FFFD for an incomplete character.
text_span detokenizer_finish(detokenizer *d);
void detokenizer_free(detokenizer *d);
#endif
