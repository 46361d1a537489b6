// map.h - hash maps in an arena, and the interner of names.
//
// Iteration is in order of insertion, so nothing the compiler prints depends on addresses.
#ifndef BASE_MAP_H
#define BASE_MAP_H
#include "base/arena.h"
#include <stdbool.h>

// From a pointer or any 64-bit key to a pointer. Zero-initialise with MAP_IN.
typedef struct map {
    arena *mem;
    struct map_entry *entry; // in order of insertion
    uint32_t *slot;          // open addressing; index + 1 into entry
    uint32_t len, slots;
} map;
typedef struct map_entry {
    uint64_t key;
    void *value;
} map_entry;
#define MAP_IN(arena_pointer) ((map){.mem = (arena_pointer)})

void *map_find(const map *m, uint64_t key); // NULL if absent
bool map_has(const map *m, uint64_t key);
void map_put(map *m, uint64_t key, void *value); // replaces an earlier value, keeps its place
#define MAP_KEY(pointer) ((uint64_t)(uintptr_t)(pointer))

// From text to a pointer. Keys are copied into the arena.
typedef struct text_map {
    arena *mem;
    struct text_entry *entry; // in order of insertion
    uint32_t *slot;
    uint32_t len, slots;
} text_map;
typedef struct text_entry {
    const char *key; // NUL-terminated; never contains a NUL inside
    uint32_t size;   // strlen(key)
    uint64_t hash;
    void *value;
} text_entry;
#define TEXT_MAP_IN(arena_pointer) ((text_map){.mem = (arena_pointer)})

void *text_map_find(const text_map *m, const char *key);
void *text_map_find_n(const text_map *m, const char *key, size_t size);
void text_map_put(text_map *m, const char *key, void *value);
// The one copy of a name in this map: equal texts give the same pointer, so names compare with ==.
const char *text_intern(text_map *names, const char *text, size_t size);

// 64 well-mixed bits; the same on every machine.
uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed);
uint64_t hash_mix(uint64_t a, uint64_t b);
#endif
