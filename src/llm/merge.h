// merge.h - the merge loop that both kinds of BPE share: of all neighbours that can be joined, the best first.
#ifndef LLM_MERGE_H
#define LLM_MERGE_H
#include "llm/vocabulary.h"

#define PIECE_NONE UINT32_MAX

// One piece of a word, in a list. A piece that was joined to its left neighbour has size 0.
typedef struct merge_piece {
    uint32_t start, size; // bytes of the word
    uint32_t id;          // its token, or TOKEN_NONE
    uint32_t previous, next;
} merge_piece;

typedef struct merge_candidate {
    uint32_t key;  // the smaller, the sooner
    uint32_t left; // a piece; equal keys go from left to right
    uint32_t size; // of both pieces together; tells whether the candidate is still true
    uint32_t id;   // what they become
} merge_candidate;

// Room for the loop; reused from word to word. Zero is empty; freed by merge_free.
typedef struct merge_room {
    merge_piece *piece;
    size_t pieces, piece_room;
    merge_candidate *heap;
    size_t heaped, heap_room;
} merge_room;

// Fills key and id of what two neighbours of `word` become; false when they can't be joined.
typedef bool merge_rule(const vocabulary *v, text_span word, const merge_piece *left, const merge_piece *right,
                        merge_candidate *out);

// Adds a piece behind the others.
RX_MUST_USE rx_status merge_add(merge_room *m, uint32_t start, uint32_t size, uint32_t id, char *why);
// Joins pieces until none can be: O(n log n). Pieces that are left have a size; room->piece[0] is the first.
RX_MUST_USE rx_status merge_run(merge_room *m, const vocabulary *v, text_span word, merge_rule *rule, char *why);
void merge_clear(merge_room *m); // before the next word
void merge_free(merge_room *m);
#endif
