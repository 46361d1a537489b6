// wordpiece.h - BERT's tokenizer: words of normalised text, each cut into the longest pieces there are.
#ifndef LLM_WORDPIECE_H
#define LLM_WORDPIECE_H
#include "llm/tokenizer.h"

// Appends the tokens of `text` (UTF-8). Text is lowered and loses its accents, as BERT's uncased models want; words
// begin with U+2581 in the vocabulary, pieces inside words do not. A word with a part that has no token, or longer than
// 100 characters, becomes the unknown token.
RX_MUST_USE rx_status wordpiece_encode(const vocabulary *v, text_span text, token_list *out, char *why);
#endif
