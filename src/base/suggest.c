// suggest.c - the end of a message about a word that is not known.
#include "base/suggest.h"

const char *text_suggest(arena *mem, const char *near, const char *before, const char *after) {
    return near ? arena_format(mem, "; did you mean %s%s%s?", before, near, after) : "";
}
