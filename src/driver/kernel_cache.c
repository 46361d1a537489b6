// kernel_cache.c - a folder of machine code.
#define _XOPEN_SOURCE 700
#include "driver/kernel_cache.h"
#include "base/file.h"
#include "base/map.h"
#include "base/vec.h"
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ENTRY_MOST = 1 << 28, PATH_ROOM = 4096, STALE_SECONDS = 3600 };

// What stands before the code of an entry.
typedef struct entry_head {
    char magic[8];
    cache_key key;
    uint64_t size, sum;
} entry_head;
static const char magic[8] = {'r', 'l', 'x', 'c', 'o', 'd', 'e', '1'};

cache_key cache_key_of(const void *bytes, size_t size) {
    return (cache_key){{hash_bytes(bytes, size, 1), hash_bytes(bytes, size, 2)}};
}

// --- Which compiler this is.

// The file that holds this very code: the program, or a shared library in one that isn't ours.
static bool find_own_file(char path[PATH_ROOM]) {
    char line[PATH_ROOM + 128];
    uintptr_t own = (uintptr_t)magic;
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && !found && fgets(line, sizeof line, maps)) {
        uintptr_t low, high;
        const char *slash = strchr(line, '/');
        if (!slash || sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &low, &high) != 2 || own < low || own >= high) continue;
        snprintf(path, PATH_ROOM, "%.*s", (int)strcspn(slash, "\n"), slash);
        found = true;
    }
    if (maps) fclose(maps);
    return found;
}

bool cache_identity(text *out) {
    char path[PATH_ROOM];
    struct stat s;
    unsigned version[3];
    if (!find_own_file(path) || stat(path, &s) != 0) return false;
    target_version(version);
    text_format(out, "%s %lld %lld.%09ld LLVM %u.%u.%u\n", path, (long long)s.st_size, (long long)s.st_mtim.tv_sec,
                s.st_mtim.tv_nsec, version[0], version[1], version[2]);
    return true;
}

// --- Entries.

bool cache_open(const char *folder) {
    struct stat s;
    bool made = stat(folder, &s) == 0 || (folder_make(folder, NULL) == RX_OK && chmod(folder, 0700) == 0);
    return made && stat(folder, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() &&
           !(s.st_mode & (S_IWGRP | S_IWOTH));
}

static bool entry_path(const char *folder, cache_key key, char path[PATH_ROOM]) {
    int size = snprintf(path, PATH_ROOM, "%s/%016" PRIx64 "%016" PRIx64 ".code", folder, key.half[0], key.half[1]);
    return size > 0 && size < PATH_ROOM;
}

static bool is_whole(const char *bytes, size_t size, cache_key key) {
    entry_head head;
    if (size < sizeof head) return false;
    memcpy(&head, bytes, sizeof head);
    return memcmp(head.magic, magic, sizeof magic) == 0 && memcmp(&head.key, &key, sizeof key) == 0 &&
           head.size == size - sizeof head && head.sum == hash_bytes(bytes + sizeof head, (size_t)head.size, 3);
}

bool cache_find(const char *folder, cache_key key, compiled *out) {
    char path[PATH_ROOM], *bytes = NULL;
    size_t size = 0;
    *out = (compiled){0};
    if (!entry_path(folder, key, path) || file_read(path, ENTRY_MOST, &bytes, &size, NULL) != RX_OK) return false;
    bool whole = is_whole(bytes, size, key);
    if (whole) {
        utimensat(AT_FDCWD, path, NULL, 0); // used now: what is used is removed last
        *out = (compiled){.bytes = (uint8_t *)bytes, .size = size - sizeof(entry_head)};
        memmove(bytes, bytes + sizeof(entry_head), out->size);
        return true;
    }
    free(bytes);
    return false;
}

void cache_put(const char *folder, cache_key key, const compiled *code) {
    char path[PATH_ROOM], made[PATH_ROOM];
    entry_head head = {.key = key, .size = code->size, .sum = hash_bytes(code->bytes, code->size, 3)};
    memcpy(head.magic, magic, sizeof magic);
    int room = snprintf(made, sizeof made, "%s/new-XXXXXX", folder);
    if (room < 0 || room >= PATH_ROOM || !entry_path(folder, key, path)) return;
    int fd = mkstemp(made);
    if (fd < 0) return;
    bool ok = file_write_all(fd, &head, sizeof head) && file_write_all(fd, code->bytes, code->size);
    ok = close(fd) == 0 && ok;
    if (!ok || rename(made, path) != 0) unlink(made);
}

// --- Keeping it small.

typedef struct kept {
    char *name;
    uint64_t bytes;
    time_t used;
} kept;
typedef VEC(kept) kept_list;

static int by_use(const void *a, const void *b) {
    const kept *x = a, *y = b;
    return (x->used > y->used) - (x->used < y->used);
}

// The entries; what a broken compilation left behind is removed on the way.
static uint64_t list_entries(int folder, DIR *d, arena *mem, kept_list *out) {
    uint64_t sum = 0;
    time_t now = time(NULL);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        struct stat s;
        if (fstatat(folder, e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode)) continue;
        if (strncmp(e->d_name, "new-", 4) == 0 && now - s.st_mtime > STALE_SECONDS) unlinkat(folder, e->d_name, 0);
        if (!text_ends(e->d_name, ".code")) continue;
        sum += (uint64_t)s.st_size;
        VEC_PUSH(mem, out, ((kept){arena_copy(mem, e->d_name, strlen(e->d_name)), (uint64_t)s.st_size, s.st_mtime}));
    }
    return sum;
}

void cache_trim(const char *folder, uint64_t limit) {
    DIR *d = opendir(folder);
    if (!d) return;
    arena *mem = arena_new();
    kept_list list = {0};
    uint64_t sum = list_entries(dirfd(d), d, mem, &list);
    if (sum > limit) qsort(list.at, list.len, sizeof *list.at, by_use);
    for (uint32_t i = 0; i < list.len && sum > limit; i++) {
        if (unlinkat(dirfd(d), list.at[i].name, 0) == 0) sum -= list.at[i].bytes;
    }
    arena_free(mem);
    closedir(d);
}
