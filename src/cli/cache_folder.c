// cache_folder.c - where things are kept between runs.
#define _XOPEN_SOURCE 700 // S_ISVTX
#include "cli/cache_folder.h"
#include "base/file.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *cache_folder(arena *mem) {
    const char *own = getenv("RELAX_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own && *own) return own;
    if (xdg && *xdg) return arena_format(mem, "%s/relax", xdg);
    if (home && *home) return arena_format(mem, "%s/.cache/relax", home);
    return arena_format(mem, "/tmp/relax-%lu", (unsigned long)geteuid());
}

const char *code_cache_folder(arena *mem) {
    const char *folder = arena_format(mem, "%s/code", cache_folder(mem));
    return folder_is_trusted(mem, cache_folder(mem)) && folder_is_trusted(mem, folder) ? folder : NULL;
}

const char *history_file(arena *mem) {
    const char *folder = cache_folder(mem);
    bool usable = folder_is_trusted(mem, folder) && folder_make(folder, NULL) == RX_OK;
    return usable ? arena_format(mem, "%s/history", folder) : NULL;
}

static bool is_ours(const struct stat *s) { return s->st_uid == geteuid() || s->st_uid == 0; }

// The folder that `path` lies in; NULL above the root.
static const char *folder_above(arena *mem, const char *path) {
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/') size--;
    if (size == 1 && *path == '/') return NULL;
    while (size && path[size - 1] != '/') size--;
    if (!size) return strcmp(path, ".") == 0 ? NULL : ".";
    return arena_copy(mem, path, size > 1 ? size - 1 : 1);
}

// In a folder that all may write into (/tmp), each entry must be ours, links too; without the sticky bit others could
// still exchange it. Owners further up are not asked: in containers the root is often nobody's.
bool folder_is_trusted(arena *mem, const char *folder) {
    struct stat s, above;
    if (stat(folder, &s) == 0 && (!is_ours(&s) || (s.st_mode & S_IWOTH))) return false;
    for (const char *at = folder, *up = folder_above(mem, at); up; at = up, up = folder_above(mem, at)) {
        if (stat(up, &above) != 0 || !(above.st_mode & S_IWOTH)) continue;
        if (!(above.st_mode & S_ISVTX)) return false;
        if (lstat(at, &s) == 0 && !is_ours(&s)) return false;
    }
    return true;
}
