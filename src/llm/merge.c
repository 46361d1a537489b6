// merge.c - a list of pieces and a binary heap of what can be joined.
#include "llm/merge.h"
#include <stdlib.h>

static bool grow(void **at, size_t *room, size_t size) {
    size_t more = *room ? *room * 2 : 64;
    void *bigger = realloc(*at, more * size);
    if (!bigger) return false;
    *at = bigger;
    *room = more;
    return true;
}

rx_status merge_add(merge_room *m, uint32_t start, uint32_t size, uint32_t id, char *why) {
    if (m->pieces == m->piece_room && !grow((void **)&m->piece, &m->piece_room, sizeof *m->piece))
        return llm_no_memory(why, "tokenizer");
    uint32_t at = (uint32_t)m->pieces++;
    m->piece[at] = (merge_piece){start, size, id, at ? at - 1 : PIECE_NONE, PIECE_NONE};
    if (at) m->piece[at - 1].next = at;
    return RX_OK;
}

// A total order: two candidates with equal keys have different left pieces.
static bool sooner(const merge_candidate *a, const merge_candidate *b) {
    return a->key != b->key ? a->key < b->key : a->left < b->left;
}

static bool push(merge_room *m, merge_candidate c) {
    if (m->heaped == m->heap_room && !grow((void **)&m->heap, &m->heap_room, sizeof *m->heap)) return false;
    size_t at = m->heaped++;
    for (; at && sooner(&c, &m->heap[(at - 1) / 2]); at = (at - 1) / 2) m->heap[at] = m->heap[(at - 1) / 2];
    m->heap[at] = c;
    return true;
}

// The last one sinks from the root to its place.
static merge_candidate pop(merge_room *m) {
    merge_candidate first = m->heap[0], last = m->heap[--m->heaped];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < m->heaped) {
        if (child + 1 < m->heaped && sooner(&m->heap[child + 1], &m->heap[child])) child++;
        if (!sooner(&m->heap[child], &last)) break;
        m->heap[at] = m->heap[child];
        at = child;
    }
    m->heap[at] = last;
    return first;
}

// Puts what the piece and its right neighbour become on the heap, if that is anything.
static bool consider(merge_room *m, const vocabulary *v, text_span word, merge_rule *rule, uint32_t left) {
    if (left == PIECE_NONE || m->piece[left].next == PIECE_NONE) return true;
    const merge_piece *a = &m->piece[left], *b = &m->piece[a->next];
    merge_candidate c = {.left = left, .size = a->size + b->size};
    return !rule(v, word, a, b, &c) || push(m, c);
}

// A piece only ever grows, so equal sizes mean that neither of the two has changed since.
static bool still_true(const merge_room *m, const merge_candidate *c) {
    const merge_piece *a = &m->piece[c->left];
    return a->size && a->next != PIECE_NONE && a->size + m->piece[a->next].size == c->size;
}

// The left piece grows, the right one leaves the list and stays behind with size 0.
static void join(merge_room *m, const merge_candidate *c) {
    merge_piece *a = &m->piece[c->left], *b = &m->piece[a->next];
    a->size = c->size;
    a->id = c->id;
    a->next = b->next;
    if (b->next != PIECE_NONE) m->piece[b->next].previous = c->left;
    b->size = 0;
}

rx_status merge_run(merge_room *m, const vocabulary *v, text_span word, merge_rule *rule, char *why) {
    m->heaped = 0;
    for (size_t i = 0; i < m->pieces; i++) {
        if (!consider(m, v, word, rule, (uint32_t)i)) return llm_no_memory(why, "tokenizer");
    }
    // Candidates that no longer hold are left on the heap and passed over: at most three are pushed for each piece.
    while (m->heaped) {
        merge_candidate c = pop(m);
        if (!still_true(m, &c)) continue;
        join(m, &c);
        if (!consider(m, v, word, rule, m->piece[c.left].previous) || !consider(m, v, word, rule, c.left))
            return llm_no_memory(why, "tokenizer");
    }
    return RX_OK;
}

void merge_clear(merge_room *m) { m->pieces = m->heaped = 0; }

void merge_free(merge_room *m) {
    free(m->piece), free(m->heap);
    *m = (merge_room){0};
}
