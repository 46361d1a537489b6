// link.c - objects to one position-independent image: runs lld in a temporary folder of its own.
#define _POSIX_C_SOURCE 200809L
#include "target/link.h"
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MESSAGE_ROOM = 2048 };

// The folder the linker works in; paths are made in `mem`.
typedef struct workplace {
    arena *mem;
    char *folder;
    uint32_t objects;
    int page; // bytes: segments begin at multiples of it
    diag *d;
} workplace;

static const char *in_folder(const workplace *w, const char *name) {
    return arena_format(w->mem, "%s/%s", w->folder, name);
}

static const char *object_path(const workplace *w, uint32_t i) { return arena_format(w->mem, "%s/%u.o", w->folder, i); }

static bool open_workplace(workplace *w) {
    const char *root = getenv("TMPDIR");
    if (!root || !*root) root = "/tmp";
    w->folder = arena_format(w->mem, "%s/relax-link-XXXXXX", root);
    return mkdtemp(w->folder) ||
           diag_error(w->d, (loc){0}, "linking: can't make a folder in %s: %s", root, strerror(errno));
}

static void close_workplace(const workplace *w) {
    static const char *const fixed[] = {"exports", "image", "messages"};
    for (size_t i = 0; i < COUNT(fixed); i++) unlink(in_folder(w, fixed[i]));
    for (uint32_t i = 0; i < w->objects; i++) unlink(object_path(w, i));
    rmdir(w->folder);
}

static bool write_inputs(const workplace *w, const compiled *object, const char *const *export, uint32_t exports) {
    char why[FILE_WHY];
    text script = TEXT_IN(w->mem);
    text_put(&script, "{ global:");
    for (uint32_t i = 0; i < exports; i++) text_format(&script, " \"%s\";", export[i]);
    text_put(&script, exports ? " local: *; };\n" : " none; local: *; };\n");
    bool ok = file_write(in_folder(w, "exports"), script.at, script.len, why) == RX_OK;
    for (uint32_t i = 0; i < w->objects && ok; i++)
        ok = file_write(object_path(w, i), object[i].bytes, object[i].size, why) == RX_OK;
    return ok || diag_error(w->d, (loc){0}, "linking: %s", why);
}

// Runs `argv` with its messages going to a file; the exit status, or -1 if it could not be started.
static int run(char **argv, const char *messages) {
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions)) return -1;
    pid_t child;
    int status = -1;
    bool ready = posix_spawn_file_actions_addopen(&actions, 2, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0 &&
                 posix_spawn_file_actions_adddup2(&actions, 2, 1) == 0;
    if (ready && posix_spawnp(&child, argv[0], &actions, NULL, argv, environ) == 0) {
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

// The linker's words after a failure.
static bool report(const workplace *w, int status) {
    if (status == -1 || status == 127)
        return diag_error(w->d, (loc){0}, "can't run ld.lld-22, which links kernels: install Debian's package lld-22");
    char *said = NULL;
    size_t size = 0;
    bool have = file_read(in_folder(w, "messages"), MESSAGE_ROOM, &said, &size, NULL) == RX_OK;
    diag_error(w->d, (loc){0}, "internal error: ld.lld-22 ended with %d: %s", status, have ? said : "no message");
    free(said);
    return false;
}

static bool read_image(const workplace *w, compiled *image) {
    char why[FILE_WHY], *bytes = NULL;
    if (file_read(in_folder(w, "image"), SIZE_MAX / 2, &bytes, &image->size, why) != RX_OK)
        return diag_error(w->d, (loc){0}, "linking: %s", why);
    image->bytes = (uint8_t *)bytes;
    return true;
}

static int run_linker(const workplace *w) {
    const char *const fixed[] = {
        "ld.lld-22",
        "-shared",
        "--no-undefined",
        "--hash-style=sysv",
        "--build-id=none",
        "-znoexecstack",
        "-znow",
        "-zrelro",
        "-zseparate-code",
        arena_format(w->mem, "-zmax-page-size=%d", w->page),
        "--gc-sections",
        "--discard-all",
        "--threads=1",
        arena_format(w->mem, "--version-script=%s", in_folder(w, "exports")),
        "-o",
        in_folder(w, "image"),
    };
    char **argv = ARENA_NEW(w->mem, char *, COUNT(fixed) + w->objects + 1);
    for (size_t i = 0; i < COUNT(fixed); i++) argv[i] = arena_copy(w->mem, fixed[i], strlen(fixed[i]));
    for (uint32_t i = 0; i < w->objects; i++) argv[COUNT(fixed) + i] = arena_format(w->mem, "%s", object_path(w, i));
    return run(argv, in_folder(w, "messages"));
}

static bool link_in(const workplace *w, const compiled *object, const char *const *export, uint32_t exports,
                    compiled *image) {
    if (!write_inputs(w, object, export, exports)) return false;
    int status = run_linker(w);
    return status == 0 ? read_image(w, image) : report(w, status);
}

bool link_objects(const arch *a, const compiled *object, uint32_t count, const char *const *export, uint32_t exports,
                  compiled *image, diag *d) {
    // lld takes the machine from the objects. Systems other than those of x86-64 may have pages of 64 KiB.
    int page = strncmp(a->triple, "x86_64", 6) == 0 ? 4096 : 65536;
    *image = (compiled){0};
    workplace w = {.mem = arena_new(), .objects = count, .page = page, .d = d};
    bool ok = open_workplace(&w);
    if (ok) {
        ok = link_in(&w, object, export, exports, image);
        close_workplace(&w);
    }
    arena_free(w.mem);
    return ok;
}
