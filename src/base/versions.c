// versions.c - option structs and answers of callers who are older or newer than the library.
#include "base/versions.h"
#include <stdio.h>
#include <string.h>

static size_t newest(const struct_versions *s) {
    size_t size = 0;
    for (int i = 0; i < STRUCT_VERSIONS && s->size[i]; i++) size = s->size[i];
    return size;
}

bool struct_check(const struct_versions *s, size_t struct_size, char *why) {
    for (int i = 0; i < STRUCT_VERSIONS && s->size[i]; i++)
        if (struct_size == s->size[i]) return true;
    if (struct_size > newest(s) && struct_size <= STRUCT_MOST_BYTES) return true;
    if (why)
        snprintf(why, STRUCT_WHY, "struct_size is %zu; set it to sizeof(%s), which is %zu", struct_size, s->name,
                 newest(s));
    return false;
}

// What the caller's struct has behind the fields that are known here.
static bool is_zero(const unsigned char *at, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        if (at[i]) return false;
    return true;
}

bool struct_read(const struct_versions *s, void *out, const void *given, char *why) {
    size_t size = newest(s), theirs = size;
    memset(out, 0, size);
    if (given) {
        memcpy(&theirs, given, sizeof theirs);
        if (!struct_check(s, theirs, why)) return false;
        if (!is_zero(given, size, theirs)) {
            if (why)
                snprintf(why, STRUCT_WHY, "%s: a field is set that this version of the library doesn't have", s->name);
            return false;
        }
        memcpy(out, given, theirs < size ? theirs : size);
    }
    memcpy(out, &size, sizeof size);
    return true;
}

bool struct_fill(const struct_versions *s, void *given, const void *full, char *why) {
    size_t size = newest(s), theirs;
    memcpy(&theirs, given, sizeof theirs);
    if (!struct_check(s, theirs, why)) return false;
    size_t known = theirs < size ? theirs : size;
    memcpy((char *)given + sizeof theirs, (const char *)full + sizeof theirs, known - sizeof theirs);
    memset((char *)given + known, 0, theirs - known);
    return true;
}
