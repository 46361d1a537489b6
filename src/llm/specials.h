// specials.h - finding special tokens in text, the longest at each place, through a trie over bytes.
#ifndef LLM_SPECIALS_H
#define LLM_SPECIALS_H
#include "llm/vocabulary.h"

// One byte of a special token's text. Siblings form a list: below the root it is short.
struct special_node {
    uint32_t child, sibling; // indices; 0: none (the root is nobody's child)
    uint32_t id;             // the token that ends here, or TOKEN_NONE
    uint8_t byte;
};

// Fills v->node from the tokens of types CONTROL, USER and UNKNOWN.
RX_MUST_USE rx_status specials_build(vocabulary *v, char why[FILE_WHY]);

// The longest special token at the start of `text`, or TOKEN_NONE; *size gets its bytes. Without `control` only
// user-defined ones count. At most v->longest steps down the trie.
uint32_t specials_match(const vocabulary *v, text_span text, bool control, size_t *size);
#endif
