// versions.h - structs of the public headers that grow at their end from version to version: options that a caller
// hands in, answers that he wants filled. The first field of each is a size_t, struct_size: sizeof of the struct that
// the caller was compiled with.
#ifndef BASE_VERSIONS_H
#define BASE_VERSIONS_H
#include "base/attributes.h"
#include <stdbool.h>
#include <stddef.h>

enum {
    STRUCT_VERSIONS = 4,      // of one struct, at most
    STRUCT_MOST_BYTES = 4096, // of a struct of any version, past or to come
    STRUCT_WHY = 240,         // bytes of a sentence
};

// The sizes a struct had, ascending; a 0 ends them. A field that is added adds a size: it
// must not go into the padding of the older struct. Static tables of these stand
// where the struct is read.
typedef struct struct_versions {
    const char *name;
    size_t size[STRUCT_VERSIONS];
} struct_versions;

// Whether a caller's struct_size can be: that of a version, or more than this library knows of. Else a sentence in
// `why` (STRUCT_WHY bytes, may be NULL).
RX_MUST_USE bool struct_check(const struct_versions *s, size_t struct_size, char *why);

// Copies what the caller knows over zeros; `out` is of the newest version and gets its struct_size. `given` NULL: all
// zero. False: its size is none, or it is newer and says something that this library doesn't know.
RX_MUST_USE bool struct_read(const struct_versions *s, void *out, const void *given, char *why);

// Fills the caller's struct as far as he knows its fields, from `full` of the newest version; what a newer caller knows
// beyond it becomes 0, struct_size stays. False: its size is none, and nothing is written.
RX_MUST_USE bool struct_fill(const struct_versions *s, void *given, const void *full, char *why);
#endif
