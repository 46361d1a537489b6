// cache_folder.h - where things are kept between runs.
#ifndef CLI_CACHE_FOLDER_H
#define CLI_CACHE_FOLDER_H
#include "base/arena.h"
#include <stdbool.h>

// $RELAX_CACHE, else $XDG_CACHE_HOME/relax, else ~/.cache/relax; without a home a folder of the user's own in /tmp.
const char *cache_folder(arena *mem);
// The folder below it for machine code (driver_options.cache); NULL when it can't be trusted.
const char *code_cache_folder(arena *mem);
// Where the lines of conversations are kept; NULL when there is no folder for them that can be trusted.
const char *history_file(arena *mem);
// Whether what lies in `folder` is the user's or the system's: it is owned by either, and nobody else could have put
// it, or a folder it lies in, into its place. One that isn't there is judged by where it would be made.
bool folder_is_trusted(arena *mem, const char *folder);
#endif
