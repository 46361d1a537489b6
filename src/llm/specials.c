// specials.c - the trie of special tokens.
#include "llm/specials.h"
#include <stdlib.h>

static bool is_special(uint8_t type) { return type == TOKEN_CONTROL || type == TOKEN_USER || type == TOKEN_UNKNOWN; }

// A list and no table: below the root few bytes can follow.
static uint32_t find_child(const vocabulary *v, uint32_t parent, uint8_t byte) {
    uint32_t at = v->node[parent].child;
    while (at && v->node[at].byte != byte) at = v->node[at].sibling;
    return at;
}

static void insert(vocabulary *v, uint32_t id) {
    text_span text = vocabulary_text(v, id);
    uint32_t at = 0;
    for (size_t i = 0; i < text.size; i++) {
        uint8_t byte = (uint8_t)text.at[i];
        uint32_t next = find_child(v, at, byte);
        if (!next) {
            next = v->nodes++;
            v->node[next] = (special_node){.sibling = v->node[at].child, .id = TOKEN_NONE, .byte = byte};
            v->node[at].child = next;
        }
        at = next;
    }
    // Of several tokens with one text the first is found, as in vocabulary_find; an empty text never is.
    if (at && v->node[at].id == TOKEN_NONE) v->node[at].id = id;
}

rx_status specials_build(vocabulary *v, char why[FILE_WHY]) {
    // A node for each byte at most.
    size_t most = 1; // the root
    for (uint32_t i = 0; i < v->count; i++) {
        if (is_special(v->type[i])) most += vocabulary_text(v, i).size;
    }
    if (most >= UINT32_MAX) return why_fail(why, RX_UNSUPPORTED, "vocabulary: special tokens of more than 4 GiB");
    v->node = malloc(most * sizeof *v->node);
    if (!v->node) return llm_no_memory(why, "vocabulary");
    v->node[v->nodes++] = (special_node){.id = TOKEN_NONE};
    for (uint32_t i = 0; i < v->count; i++) {
        if (is_special(v->type[i])) insert(v, i);
    }
    return RX_OK;
}

uint32_t specials_match(const vocabulary *v, text_span text, bool control, size_t *size) {
    uint32_t found = TOKEN_NONE, at = 0;
    for (size_t i = 0; i < text.size; i++) {
        at = find_child(v, at, (uint8_t)text.at[i]);
        if (!at) break;
        // A longer one may follow, so the search goes on.
        uint32_t id = v->node[at].id;
        if (id == TOKEN_NONE || (!control && v->type[id] != TOKEN_USER)) continue;
        found = id;
        *size = i + 1;
    }
    return found;
}
