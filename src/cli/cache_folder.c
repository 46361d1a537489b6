// cache_folder.c - where things are kept between runs.
#include "cli/cache_folder.h"
#include <stdlib.h>

const char *cache_folder(arena *mem) {
    const char *own = getenv("RELAX_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own && *own) return own;
    if (xdg && *xdg) return arena_format(mem, "%s/relax", xdg);
    return arena_format(mem, "%s/.cache/relax", home && *home ? home : "/tmp");
}

const char *code_cache_folder(arena *mem) { return arena_format(mem, "%s/code", cache_folder(mem)); }
