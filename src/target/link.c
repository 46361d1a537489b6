// link.c - objects to one position-independent image: runs lld in a temporary folder of its own.
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"
#include "target/target.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PATH_ROOM = 512, MESSAGE_ROOM = 2048 };

static const char *temp_root(void) {
    const char *t = getenv("TMPDIR");
    return t && *t && strlen(t) < PATH_ROOM / 2 ? t : "/tmp";
}

static void remove_folder(const char *folder, uint32_t objects) {
    char path[PATH_ROOM];
    static const char *const fixed[] = {"exports", "image", "messages"};
    for (size_t i = 0; i < COUNT(fixed); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, fixed[i]);
        unlink(path);
    }
    for (uint32_t i = 0; i < objects; i++) {
        snprintf(path, sizeof path, "%s/%u.o", folder, i);
        unlink(path);
    }
    rmdir(folder);
}

static bool write_inputs(const char *folder, const compiled *object, uint32_t count, const char *const *export,
                         uint32_t exports, diag *d) {
    char path[PATH_ROOM], why[FILE_WHY];
    arena *mem = arena_new();
    text script = TEXT_IN(mem);
    text_put(&script, "{ global:");
    for (uint32_t i = 0; i < exports; i++) text_format(&script, " \"%s\";", export[i]);
    text_put(&script, exports ? " local: *; };\n" : " none; local: *; };\n");
    snprintf(path, sizeof path, "%s/exports", folder);
    bool ok = file_write(path, script.at, script.len, why) == RX_OK;
    for (uint32_t i = 0; i < count && ok; i++) {
        snprintf(path, sizeof path, "%s/%u.o", folder, i);
        ok = file_write(path, object[i].bytes, object[i].size, why) == RX_OK;
    }
    arena_free(mem);
    return ok || diag_error(d, (loc){0}, "linking: %s", why);
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
static bool report(const char *folder, int status, diag *d) {
    if (status == -1 || status == 127)
        return diag_error(d, (loc){0}, "can't run ld.lld-22, which links kernels: install Debian's package lld-22");
    char path[PATH_ROOM], *said = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/messages", folder);
    bool have = file_read(path, MESSAGE_ROOM, &said, &size, NULL) == RX_OK;
    diag_error(d, (loc){0}, "internal error: ld.lld-22 ended with %d: %s", status, have ? said : "no message");
    free(said);
    return false;
}

static bool read_image(const char *folder, compiled *image, diag *d) {
    char path[PATH_ROOM], why[FILE_WHY], *bytes = NULL;
    snprintf(path, sizeof path, "%s/image", folder);
    if (file_read(path, SIZE_MAX / 2, &bytes, &image->size, why) != RX_OK)
        return diag_error(d, (loc){0}, "linking: %s", why);
    image->bytes = (uint8_t *)bytes;
    return true;
}

static bool link_in(const char *folder, uint32_t count, compiled *image, diag *d) {
    arena *mem = arena_new();
    const char *fixed[] = {
        "ld.lld-22",
        "-shared",
        "--no-undefined",
        "--hash-style=sysv",
        "--build-id=none",
        "-znoexecstack",
        "-znow",
        "-zseparate-code",
        "--gc-sections",
        "--discard-all",
        "-zmax-page-size=65536",
        "--threads=1",
        "-zrelro",
        arena_format(mem, "--version-script=%s/exports", folder),
        "-o",
        arena_format(mem, "%s/image", folder),
    };
    char **argv = ARENA_NEW(mem, char *, COUNT(fixed) + count + 1);
    for (size_t i = 0; i < COUNT(fixed); i++) argv[i] = arena_copy(mem, fixed[i], strlen(fixed[i]));
    for (uint32_t i = 0; i < count; i++) argv[COUNT(fixed) + i] = arena_format(mem, "%s/%u.o", folder, i);
    int status = run(argv, arena_format(mem, "%s/messages", folder));
    arena_free(mem);
    return status == 0 ? read_image(folder, image, d) : report(folder, status, d);
}

bool target_link(const arch *a, const compiled *object, uint32_t count, const char *const *export, uint32_t exports,
                 compiled *image, diag *d) {
    (void)a; // lld takes the machine from the objects
    char folder[PATH_ROOM];
    *image = (compiled){0};
    snprintf(folder, sizeof folder, "%s/relax-link-XXXXXX", temp_root());
    if (!mkdtemp(folder))
        return diag_error(d, (loc){0}, "linking: can't make a folder in %s: %s", temp_root(), strerror(errno));
    bool ok = write_inputs(folder, object, count, export, exports, d) && link_in(folder, count, image, d);
    remove_folder(folder, count);
    return ok;
}
