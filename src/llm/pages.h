// pages.h - which page of the cache belongs to whom: counts and lists of numbers, no memory of keys and values.
//
// The cache is a number of pages of equal size. A token list fills pages in order; two lists may share a page (fork),
// and a shared page is copied before one of them writes into it. Not thread-safe.
#ifndef LLM_PAGES_H
#define LLM_PAGES_H
#include "llm/fail.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct page_pool {
    uint32_t count;  // pages
    uint32_t *users; // of each
    uint32_t *spare; // the `spares` unused ones, the next to be taken last
    uint32_t spares;
    uint32_t reached; // no page from this number on was ever taken
} page_pool;
RX_MUST_USE bool page_pool_init(page_pool *p, uint32_t count); // false: no memory
void page_pool_free(page_pool *p);

// The tokens of one sequence and the pages they lie in.
typedef struct page_list {
    uint32_t *page;
    uint32_t pages, room;
    uint32_t *token;
    size_t length, token_room;
} page_list;
void page_list_free(page_list *l, page_pool *p);
// Makes `to` (empty) a second list of the same tokens. False: no memory.
RX_MUST_USE bool page_list_fork(const page_list *from, page_pool *p, page_list *to);
// Back to `length` tokens; pages that aren't needed any more are given back.
void page_list_cut(page_list *l, page_pool *p, size_t length, size_t page_tokens);
// Appends tokens, for which there must be room (page_list_reserve).
void page_list_append(page_list *l, const uint32_t *token, size_t count);

// Pages for `more` tokens behind those there are. If the page that they begin in is shared, a new one takes its place
// and *copy_from is the old one, whose contents the caller copies into the list's; else *copy_from is PAGE_NONE.
// RX_OUT_OF_MEMORY when pages (*short_of is then how many) or memory (0) ran out; the list is then as before.
#define PAGE_NONE UINT32_MAX
RX_MUST_USE rx_status page_list_reserve(page_list *l, page_pool *p, size_t more, size_t page_tokens,
                                        uint32_t *copy_from, uint32_t *short_of);
#endif
