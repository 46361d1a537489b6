// sites.c - reads the metadata "bindings", lines of "FUNCTION WORD FILE:LINE [BINDING]", and pairs sites of two files.
#include "cli/sites.h"
#include "base/map.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Two builds may have been made of copies with different names: the file's name doesn't count.
static const char *key_of(arena *mem, const char *function, const char *place) {
    const char *space = strchr(place, ' '), *colon = space ? NULL : strrchr(place, ':');
    for (const char *at = place; space && at < space; at++)
        if (*at == ':') colon = at;
    return arena_format(mem, "%s%s", function, colon ? colon : place);
}

static void add_line(arena *mem, const char *line, site_list *list) {
    char *end;
    const char *space = strchr(line, ' ');
    if (!space) return;
    site s = {.function = arena_copy(mem, line, (size_t)(space - line)), .word = (uint32_t)strtoul(space, &end, 10)};
    if (*end != ' ') return;
    s.place = end + 1;
    s.key = key_of(mem, s.function, s.place);
    VEC_PUSH(mem, list, s);
}

// How many have each key, and which of them each one is.
static void count_alike(arena *mem, site_list *list) {
    text_map count = TEXT_MAP_IN(mem);
    for (uint32_t i = 0; i < list->len; i++) {
        uintptr_t before = (uintptr_t)text_map_find(&count, list->at[i].key);
        list->at[i].order = (uint32_t)before;
        text_map_put(&count, list->at[i].key, (void *)(before + 1));
    }
    for (uint32_t i = 0; i < list->len; i++)
        list->at[i].alike = (uint32_t)(uintptr_t)text_map_find(&count, list->at[i].key);
}

const char *bindings_of(const rx_executable *e, const rx_context *c, size_t *size) {
    rx_stats stats = {.struct_size = sizeof stats};
    char key[256];
    rx_context_stats(c, &stats);
    snprintf(key, sizeof key, "bindings@%s", stats.variant);
    const char *own = rx_executable_metadata(e, key, size);
    return own ? own : rx_executable_metadata(e, "bindings", size);
}

site_list sites_of(arena *mem, const rx_executable *e, const rx_context *c) {
    site_list list = {0};
    size_t size;
    const char *table = bindings_of(e, c, &size), *end = table ? table + size : NULL;
    for (const char *line = table; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) stop = end;
        add_line(mem, arena_copy(mem, line, (size_t)(stop - line)), &list);
        line = stop + 1;
    }
    count_alike(mem, &list);
    return list;
}

site *site_find(const site_list *list, const char *function, uint32_t word) {
    for (uint32_t i = 0; i < list->len; i++)
        if (list->at[i].word == word && strcmp(list->at[i].function, function) == 0) return &list->at[i];
    return NULL;
}

site *site_partner(const site *s, const site_list *other) {
    for (uint32_t i = 0; i < other->len; i++) {
        site *o = &other->at[i];
        if (strcmp(o->key, s->key) != 0) continue;
        bool last = s->order + 1 == s->alike && o->order + 1 == o->alike;
        if (o->alike == s->alike ? o->order == s->order : last) return o;
    }
    return NULL;
}
