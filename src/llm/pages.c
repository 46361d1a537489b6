// pages.c - counting the users of pages.
#include "llm/pages.h"
#include "base/size.h"
#include <stdlib.h>
#include <string.h>

bool page_pool_init(page_pool *p, uint32_t count) {
    *p = (page_pool){.count = count, .spares = count};
    p->users = calloc((size_t)count + 1, sizeof *p->users);
    p->spare = malloc(((size_t)count + 1) * sizeof *p->spare);
    if (!p->users || !p->spare) return page_pool_free(p), false;
    // Taken from the end: pages come in the order of their numbers while none was given back.
    for (uint32_t i = 0; i < count; i++) p->spare[i] = count - 1 - i;
    return true;
}

void page_pool_free(page_pool *p) {
    free(p->users);
    free(p->spare);
    *p = (page_pool){0};
}

static uint32_t take(page_pool *p) {
    CHECK(p->spares);
    uint32_t page = p->spare[--p->spares];
    CHECK(p->users[page] == 0);
    p->users[page] = 1;
    if (page >= p->reached) p->reached = page + 1;
    return page;
}

static void drop(page_pool *p, uint32_t page) {
    CHECK(page < p->count && p->users[page]);
    // Pages are not cleared: what is read of one was written by its present user.
    if (--p->users[page] == 0) p->spare[p->spares++] = page;
}

void page_list_free(page_list *l, page_pool *p) {
    while (l->pages) drop(p, l->page[--l->pages]);
    free(l->page);
    free(l->token);
    *l = (page_list){0};
}

bool page_list_fork(const page_list *from, page_pool *p, page_list *to) {
    *to = (page_list){.pages = from->pages, .room = from->pages, .length = from->length, .token_room = from->length};
    // One byte more, so that an empty list is no failure.
    to->page = malloc(from->pages * sizeof *to->page + 1);
    to->token = malloc(from->length * sizeof *to->token + 1);
    if (!to->page || !to->token) {
        free(to->page);
        free(to->token);
        *to = (page_list){0};
        return false;
    }
    if (from->length) memcpy(to->token, from->token, from->length * sizeof *to->token);
    for (uint32_t i = 0; i < from->pages; i++) {
        to->page[i] = from->page[i];
        p->users[to->page[i]]++;
    }
    return true;
}

static size_t pages_of(size_t tokens, size_t page_tokens) { return tokens / page_tokens + (tokens % page_tokens != 0); }

// The last page may be shared and half full: it is copied when somebody writes, not here.
void page_list_cut(page_list *l, page_pool *p, size_t length, size_t page_tokens) {
    if (length < l->length) l->length = length;
    while (l->pages > pages_of(l->length, page_tokens)) drop(p, l->page[--l->pages]);
}

void page_list_append(page_list *l, const uint32_t *token, size_t count) {
    // Room was made by page_list_reserve.
    CHECK(count <= l->token_room - l->length);
    memcpy(l->token + l->length, token, count * sizeof *token);
    l->length += count;
}

// Room for so many items of 4 bytes; doubles, so that appending one by one is linear.
static bool grow(uint32_t **list, size_t *room, size_t wanted) {
    if (wanted <= *room) return true;
    size_t twice = *room * 2 > wanted ? *room * 2 : wanted, bytes;
    uint32_t *bigger = size_mul(twice, sizeof **list, &bytes) ? realloc(*list, bytes) : NULL;
    if (!bigger) return false;
    *list = bigger;
    *room = twice;
    return true;
}

rx_status page_list_reserve(page_list *l, page_pool *p, size_t more, size_t page_tokens, uint32_t *copy_from,
                            uint32_t *short_of) {
    size_t tokens, room = l->room;
    *copy_from = PAGE_NONE;
    *short_of = 0;
    if (!size_add(l->length, more, &tokens) || !grow(&l->token, &l->token_room, tokens)) return RX_OUT_OF_MEMORY;
    size_t wanted = pages_of(tokens, page_tokens);
    // Only the last page can be written to, and only where it has room left.
    bool shared = l->length % page_tokens && p->users[l->page[l->pages - 1]] > 1;
    // Nothing is changed before all that is needed is known to be there.
    if (wanted > p->count || wanted - l->pages + shared > p->spares) {
        size_t missing = wanted - l->pages + shared - p->spares;
        return *short_of = missing < UINT32_MAX ? (uint32_t)missing : UINT32_MAX, RX_OUT_OF_MEMORY;
    }
    if (!grow(&l->page, &room, wanted)) return RX_OUT_OF_MEMORY;
    l->room = (uint32_t)room;
    if (shared) {
        uint32_t *last = &l->page[l->pages - 1];
        *copy_from = *last;
        *last = take(p);
        drop(p, *copy_from);
    }
    while (l->pages < wanted) l->page[l->pages++] = take(p);
    return RX_OK;
}
