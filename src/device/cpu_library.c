// cpu_library.c - an image as a shared library of a file, so that debuggers and profilers find it.
#define _GNU_SOURCE
#include "base/file.h"
#include "base/map.h"
#include "device/cpu.h"
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

// The same image has the same name; it appears when it is complete.
static bool make_library(const char *folder, const uint8_t *bytes, size_t size, char path[PATH_ROOM]) {
    char made[PATH_ROOM];
    char whole[PATH_MAX]; // tools look for the file later, from other folders
    if (!realpath(folder, whole)) return false;
    int room = snprintf(path, PATH_ROOM, "%s/kernels-%016" PRIx64 ".so", whole, hash_bytes(bytes, size, 0));
    if (room < 0 || room >= PATH_ROOM) return false;
    room = snprintf(made, PATH_ROOM, "%s/new-XXXXXX", folder);
    int fd = room > 0 && room < PATH_ROOM ? mkstemp(made) : -1;
    if (fd < 0) return false;
    bool ok = file_write_all(fd, bytes, size);
    ok = close(fd) == 0 && ok && rename(made, path) == 0;
    if (ok) return true;
    int error = errno; // unlink sets another one
    unlink(made);
    errno = error;
    return false;
}

rx_status cpu_image_open_library(const char *folder, const uint8_t *bytes, size_t size, cpu_image *out, char *why) {
    char path[PATH_ROOM];
    struct link_map *loaded = NULL;
    if (!make_library(folder, bytes, size, path)) {
        snprintf(why, DEVICE_WHY, "RELAX_DEBUG_IMAGES=%.120s: can't write a file there: %s", folder, strerror(errno));
        return RX_IO;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library || dlinfo(library, RTLD_DI_LINKMAP, &loaded) != 0) {
        snprintf(why, DEVICE_WHY, "kernel image: %.200s", dlerror());
        if (library) dlclose(library);
        return RX_BAD_FILE;
    }
    *out = (cpu_image){.base = (uint8_t *)(uintptr_t)loaded->l_addr, .library = library};
    return RX_OK;
}
