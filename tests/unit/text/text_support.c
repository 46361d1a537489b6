// text_support.c - reading texts in tests, from memory and from files.
#define _POSIX_C_SOURCE 200809L
#include "text_support.h"
#include "base/file.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

module *read_text(arena *mem, const char *name, const char *bytes, size_t size, char **said) {
    diag *d = diag_new(mem);
    source *src = ARENA_NEW(mem, source, 1);
    *src = (source){.name = name, .bytes = arena_copy(mem, bytes, size), .size = size};
    module *m = script_parse_as_written(src, d);
    text out = TEXT_IN(mem);
    diag_print(d, &out, false);
    if (said) *said = arena_copy(mem, text_get(&out), out.len);
    if (!m && !said) fprintf(stderr, "%s", text_get(&out));
    return m;
}

char *print_text(arena *mem, const module *m) {
    text out = TEXT_IN(mem);
    script_print(&out, m, NULL);
    return arena_copy(mem, text_get(&out), out.len);
}

char *read_file(arena *mem, const char *path, size_t *size) {
    char *bytes = NULL, why[FILE_WHY];
    if (file_read(path, 1u << 28, &bytes, size, why) != RX_OK) {
        fprintf(stderr, "%s\n", why);
        return NULL;
    }
    char *copy = arena_copy(mem, bytes, *size);
    free(bytes);
    return copy;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

char **list_files(arena *mem, const char *folder, const char *ending, size_t *count) {
    enum { ROOM = 1024 };
    char **list = ARENA_NEW(mem, char *, ROOM);
    DIR *d = opendir(folder);
    *count = 0;
    if (!d) return NULL;
    for (struct dirent *e; *count < ROOM && (e = readdir(d));)
        if (text_ends(e->d_name, ending)) list[(*count)++] = arena_format(mem, "%s/%s", folder, e->d_name);
    closedir(d);
    qsort(list, *count, sizeof *list, by_name);
    return list;
}
