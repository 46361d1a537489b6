// cache_folder.h - where things are kept between runs.
#ifndef CLI_CACHE_FOLDER_H
#define CLI_CACHE_FOLDER_H
#include "base/arena.h"

// $RELAX_CACHE, else $XDG_CACHE_HOME/relax, else ~/.cache/relax.
const char *cache_folder(arena *mem);
// The folder below it for machine code (driver_options.cache).
const char *code_cache_folder(arena *mem);
#endif
