// map.c - open addressing with linear probing over an array of entries in order of insertion.
//
// `slots` is a power of two and at most 7/10 of them are taken; a slot holds the entry's index + 1, or 0.
#include "base/map.h"
#include <string.h>

// A power of two. Most maps of the compiler stay below eleven entries.
enum { FIRST_SLOTS = 16 };

static uint32_t room_of(uint32_t slots) { return (uint32_t)((uint64_t)slots * 7 / 10); }

// Doubles the slots and gives the entries the room that goes with them; the caller fills the slots again.
static void *grow(arena *mem, void *entries, size_t entry_size, uint32_t **slot, uint32_t *slots) {
    CHECK(*slots <= UINT32_MAX / 4);
    // The old slots stay in the arena: over the life of a map less than its present size.
    uint32_t old = *slots, fresh = old ? old * 2 : FIRST_SLOTS;
    void *moved = arena_grow(mem, entries, room_of(old) * entry_size, room_of(fresh) * entry_size);
    *slot = ARENA_NEW(mem, uint32_t, fresh);
    *slots = fresh;
    return moved;
}

// There always is one: at most 7/10 are taken.
static uint32_t free_slot(const uint32_t *slot, uint32_t slots, uint64_t hash) {
    uint32_t i = (uint32_t)hash & (slots - 1);
    while (slot[i]) i = (i + 1) & (slots - 1);
    return i;
}

// Keys are often addresses or small numbers, alike in most bits: they are mixed before they choose a slot.
static uint64_t key_hash(uint64_t key) { return hash_mix(key, 0); }

static map_entry *entry_find(const map *m, uint64_t key) {
    if (!m->slots) return NULL;
    uint32_t mask = m->slots - 1;
    for (uint32_t i = (uint32_t)key_hash(key) & mask; m->slot[i]; i = (i + 1) & mask) {
        map_entry *e = &m->entry[m->slot[i] - 1];
        if (e->key == key) return e;
    }
    return NULL;
}

void *map_find(const map *m, uint64_t key) {
    const map_entry *e = entry_find(m, key);
    return e ? e->value : NULL;
}

bool map_has(const map *m, uint64_t key) { return entry_find(m, key); }

static void map_grow(map *m) {
    m->entry = grow(m->mem, m->entry, sizeof *m->entry, &m->slot, &m->slots);
    for (uint32_t i = 0; i < m->len; i++) m->slot[free_slot(m->slot, m->slots, key_hash(m->entry[i].key))] = i + 1;
}

void map_put(map *m, uint64_t key, void *value) {
    map_entry *old = entry_find(m, key);
    if (old) {
        old->value = value;
        return;
    }
    // Growing first: the slot found must be one of the new table.
    if (m->len == room_of(m->slots)) map_grow(m);
    m->entry[m->len++] = (map_entry){key, value};
    m->slot[free_slot(m->slot, m->slots, key_hash(key))] = m->len;
}

static text_entry *text_entry_find(const text_map *m, const char *key, size_t size, uint64_t hash) {
    if (!m->slots) return NULL;
    uint32_t mask = m->slots - 1;
    for (uint32_t i = (uint32_t)hash & mask; m->slot[i]; i = (i + 1) & mask) {
        text_entry *e = &m->entry[m->slot[i] - 1];
        // The hash is compared first: it nearly always tells, and it lies in the entry already loaded.
        if (e->hash == hash && e->size == size && (!size || !memcmp(e->key, key, size))) return e;
    }
    return NULL;
}

void *text_map_find_n(const text_map *m, const char *key, size_t size) {
    const text_entry *e = text_entry_find(m, key, size, hash_bytes(key, size, 0));
    return e ? e->value : NULL;
}

void *text_map_find(const text_map *m, const char *key) { return text_map_find_n(m, key, strlen(key)); }

static void text_map_grow(text_map *m) {
    m->entry = grow(m->mem, m->entry, sizeof *m->entry, &m->slot, &m->slots);
    for (uint32_t i = 0; i < m->len; i++) m->slot[free_slot(m->slot, m->slots, m->entry[i].hash)] = i + 1;
}

// The entry of a key, made with a NULL value where there is none yet.
static text_entry *text_entry_make(text_map *m, const char *key, size_t size) {
    CHECK(size < UINT32_MAX);
    uint64_t hash = hash_bytes(key, size, 0);
    text_entry *old = text_entry_find(m, key, size, hash);
    if (old) return old;
    if (m->len == room_of(m->slots)) text_map_grow(m);
    // `key` may point into anything, this map's own keys too: arenas never free.
    text_entry *fresh = &m->entry[m->len++];
    *fresh = (text_entry){.key = arena_copy(m->mem, key, size), .size = (uint32_t)size, .hash = hash};
    m->slot[free_slot(m->slot, m->slots, hash)] = m->len;
    return fresh;
}

void text_map_put(text_map *m, const char *key, void *value) { text_entry_make(m, key, strlen(key))->value = value; }

const char *text_intern(text_map *names, const char *text, size_t size) {
    return text_entry_make(names, text, size)->key;
}
