// replay.c - runs a fuzz target once on each file of the folders given: the corpus as an ordinary test.
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PATH_ROOM = 4096, FILE_MAX = 1 << 24 };

// False if the file can't be read; then it says why.
static bool replay_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) return perror(path), false;
    uint8_t *data = malloc(FILE_MAX);
    if (!data) abort();
    size_t size = fread(data, 1, FILE_MAX, f);
    bool whole = feof(f) && !ferror(f);
    fclose(f);
    uint8_t *exact = malloc(size ? size : 1); // so that one byte past the end is noticed
    if (!exact) abort();
    memcpy(exact, data, size);
    free(data);
    if (whole)
        LLVMFuzzerTestOneInput(exact, size);
    else
        fprintf(stderr, "%s: not read whole (limit %d bytes)\n", path, FILE_MAX);
    free(exact);
    return whole;
}

// Adds the number of files run to *count.
static bool replay_folder(const char *folder, size_t *count) {
    DIR *d = opendir(folder);
    if (!d) return perror(folder), false;
    bool ok = true;
    for (struct dirent *e; (e = readdir(d));) {
        char path[PATH_ROOM];
        if (e->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        ok = replay_file(path) && ok;
        ++*count;
    }
    closedir(d);
    return ok;
}

int main(int argc, char **argv) {
    size_t count = 0;
    bool ok = true;
    for (int i = 1; i < argc; i++) ok = replay_folder(argv[i], &count) && ok;
    if (!count) fprintf(stderr, "no input: want at least one file in the corpus folder\n");
    printf("%zu inputs\n", count);
    return ok && count ? 0 : 1;
}
