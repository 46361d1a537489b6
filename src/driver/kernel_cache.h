// kernel_cache.h - machine code kept between compilations: a folder of objects and images named by what they are made
// of.
//
// A key is a hash of everything the code depends on: the programs' text, target and options, and which build of this
// compiler and of LLVM made it. Entries are written to a temporary name and renamed, carry their key, size and a sum,
// and are left alone if any of these is wrong. The folder is kept below a size by removing what was not used longest. A
// cache that can't be used is as if it were empty: nothing here fails. Thread-safe.
#ifndef DRIVER_KERNEL_CACHE_H
#define DRIVER_KERNEL_CACHE_H
#include "base/text.h"
#include "target/target.h"

typedef struct cache_key {
    uint64_t half[2];
} cache_key;
cache_key cache_key_of(const void *bytes, size_t size);
// What all code of this compiler depends on, apart from programs: one line. False if it can't be told: then nothing may
// be kept.
bool cache_identity(text *out);

// Whether the folder can be trusted: it is made if it isn't there, must be ours, and nobody else may write to it.
bool cache_open(const char *folder);
// malloc'd bytes on success (compiled_free).
bool cache_find(const char *folder, cache_key key, compiled *out);
void cache_put(const char *folder, cache_key key, const compiled *code);
// Removes what was not used longest until at most `limit` bytes are left.
void cache_trim(const char *folder, uint64_t limit);
enum { CACHE_LIMIT = 256 << 20 };
#endif
