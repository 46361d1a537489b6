// link.c - objects to one position-independent image: runs lld. Objects go through a temporary folder, the image and
// what the linker says come back through pipes: a full disk is met by our own writes alone.
#define _GNU_SOURCE // pipe2, posix_spawn_file_actions_addchdir_np
#include "target/link.h"
#include "base/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Something that is read until its end.
typedef struct stream {
    int from; // -1: at its end
    char *at; // malloc'd
    size_t size, room;
    bool failed; // memory ran out: not all was read
} stream;

// The process works in the folder. It reads its options, then a script from its standard input: there it waits.
struct target_linker {
    arena *mem; // of this and its paths
    char *folder;
    const char *failure; // why it could not be started; NULL: it was
    rx_status refused;   // and what that counts as
    uint32_t objects;    // files in the folder
    pid_t child;         // 0: none
    int script[2];       // a pipe. Both ends are ours too: writing to a linker that has ended is no signal then
    stream image, words;
};

// --- The folder.

#define FOLDER_OF_PROCESS "relax-link-%ld-"

static const char script[] = "script"; // names the objects and the kernels

static const char *path_of(const target_linker *l, const char *name) {
    return arena_format(l->mem, "%s/%s", l->folder, name);
}
static const char *object_name(const target_linker *l, uint32_t i) { return arena_format(l->mem, "%u.o", i); }

static bool open_folder(target_linker *l) {
    const char *root = folder_for_temporaries();
    char *wanted = arena_format(l->mem, "%s/" FOLDER_OF_PROCESS "XXXXXX", root, (long)getpid());
    if (mkdtemp(wanted)) l->folder = wanted;
    l->refused = RX_IO;
    if (!l->folder)
        l->failure = arena_format(l->mem, "linking: can't make a folder in %s: %s; TMPDIR names another place", root,
                                  strerror(errno));
    return l->folder != NULL;
}

static void remove_folder(const target_linker *l) {
    if (!l->folder) return;
    unlink(path_of(l, script));
    for (uint32_t i = 0; i < l->objects; i++) unlink(path_of(l, object_name(l, i)));
    rmdir(l->folder);
}

// What write_inputs puts there.
static void remove_with_files(int root, const char *name) {
    char object[32];
    int folder = openat(root, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        unlinkat(folder, script, 0);
        for (unsigned i = 0; snprintf(object, sizeof object, "%u.o", i) > 0 && unlinkat(folder, object, 0) == 0; i++) {}
        close(folder);
    }
    unlinkat(root, name, AT_REMOVEDIR);
}

// The system's own call: opendir would want memory, which may be what has run out.
void linker_sweep(void) {
    _Alignas(struct dirent64) char names[4096];
    char ours[64];
    int size = snprintf(ours, sizeof ours, FOLDER_OF_PROCESS, (long)getpid());
    int root = open(folder_for_temporaries(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (long got; root >= 0 && (got = syscall(SYS_getdents64, root, names, sizeof names)) > 0;)
        for (long at = 0; at < got; at += ((const struct dirent64 *)(names + at))->d_reclen) {
            const struct dirent64 *f = (const struct dirent64 *)(names + at);
            if (strncmp(f->d_name, ours, (size_t)size) == 0) remove_with_files(root, f->d_name);
        }
    if (root >= 0) close(root);
}

// Without a flush to the disk: nobody misses the file after a crash.
static bool put(const target_linker *l, const char *name, const void *bytes, size_t size, diag *d) {
    const char *path = path_of(l, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool written = fd >= 0 && file_write_all(fd, bytes, size);
    int error = errno;
    bool closed = fd >= 0 && close(fd) == 0;
    if (closed && written) return true;
    return diag_refused(d, RX_IO, "linking: can't write %s: %s; TMPDIR names another place for temporary files", path,
                        strerror(written ? errno : error));
}

static bool write_inputs(target_linker *l, const compiled *object, const char *const *export, uint32_t exports,
                         diag *d) {
    text t = TEXT_IN(l->mem);
    text_put(&t, "INPUT(");
    for (uint32_t i = 0; i < l->objects; i++) text_format(&t, " %s", object_name(l, i));
    text_put(&t, " )\nVERSION { { global:");
    for (uint32_t i = 0; i < exports; i++) text_format(&t, " \"%s\";", export[i]);
    text_put(&t, exports ? " local: *; }; }\n" : " none; local: *; }; }\n");
    bool ok = put(l, script, t.at, t.len, d);
    for (uint32_t i = 0; i < l->objects && ok; i++) ok = put(l, object_name(l, i), object[i].bytes, object[i].size, d);
    return ok;
}

// --- What comes out of the process.

// What there is to read. At the end, or when memory is out, the stream is closed.
static bool take_some(stream *s) {
    if (s->size == s->room) {
        char *more = realloc(s->at, s->room = s->room ? 2 * s->room : 1 << 16);
        s->failed = !more;
        if (!more) return false;
        s->at = more;
    }
    ssize_t got = read(s->from, s->at + s->size, s->room - s->size);
    if (got > 0) s->size += (size_t)got;
    return got > 0 || (got < 0 && errno == EINTR);
}

static void close_end(int *end) {
    if (*end >= 0) close(*end);
    *end = -1;
}

static void take_all(stream *a, stream *b) {
    stream *const out[] = {a, b};
    while (a->from >= 0 || b->from >= 0) {
        struct pollfd ready[] = {{.fd = a->from, .events = POLLIN}, {.fd = b->from, .events = POLLIN}};
        if (poll(ready, 2, -1) < 0 && errno != EINTR) break;
        for (int i = 0; i < 2; i++)
            if (out[i]->from >= 0 && ready[i].revents && !take_some(out[i])) close_end(&out[i]->from);
    }
}

// --- The process.

// 128 more than a signal that ended it; -1 if that can't be known.
static int finish(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool spawn(target_linker *l, char *const *argv, const int to[3]) {
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions)) return false;
    bool ok = posix_spawn_file_actions_addchdir_np(&actions, l->folder) == 0;
    for (int i = 0; i < 3 && ok; i++) ok = posix_spawn_file_actions_adddup2(&actions, to[i], i) == 0;
    ok = ok && (errno = posix_spawnp(&l->child, argv[0], &actions, NULL, argv, environ)) == 0;
    if (!ok) l->child = 0;
    posix_spawn_file_actions_destroy(&actions);
    return ok;
}

static bool run(target_linker *l, char *const *argv) {
    int image[2] = {-1, -1}, words[2] = {-1, -1};
    bool started = pipe2(l->script, O_CLOEXEC) == 0 && pipe2(image, O_CLOEXEC) == 0 && pipe2(words, O_CLOEXEC) == 0 &&
                   spawn(l, argv, (const int[]){l->script[0], image[1], words[1]});
    int error = errno;
    close_end(&image[1]);
    close_end(&words[1]);
    l->image.from = image[0];
    l->words.from = words[0];
    errno = error;
    return started;
}

static bool start(target_linker *l, const arch *a, const target_options *o) {
    // lld takes the machine from the objects. Systems other than those of x86-64 may have pages of 64 KiB.
    int page = strncmp(a->triple, "x86_64", 6) == 0 ? 4096 : 65536;
    const char *const argument[] = {
        "ld.lld-22",
        "-shared",
        "--no-undefined",
        "--hash-style=sysv",
        "--build-id=none",
        "-znoexecstack",
        "-znow",
        "-zrelro",
        "-zseparate-code",
        arena_format(l->mem, "-zmax-page-size=%d", page),
        "--gc-sections",
        o->debug_info ? "--discard-locals" : "--discard-all", // profilers find a kernel's time in NAME.body
        "--threads=1",
        "-o",
        "-",
        "/dev/stdin",
    };
    char **argv = ARENA_NEW(l->mem, char *, COUNT(argument) + 1);
    for (size_t i = 0; i < COUNT(argument); i++) argv[i] = arena_copy(l->mem, argument[i], strlen(argument[i]));
    return run(l, argv);
}

target_linker *linker_start(const arch *a, const target_options *o) {
    arena *mem = arena_new();
    target_linker *l = ARENA_NEW(mem, target_linker, 1);
    *l = (target_linker){.mem = mem, .script = {-1, -1}, .image = {.from = -1}, .words = {.from = -1}};
    if (!open_folder(l) || start(l, a, o)) return l;
    l->refused = errno == ENOENT ? RX_NOT_FOUND : RX_IO;
    l->failure = errno == ENOENT ? "can't run ld.lld-22, which links kernels: install Debian's package lld-22"
                                 : arena_format(mem, "linking: can't start ld.lld-22: %s", strerror(errno));
    return l;
}

void target_linker_free(target_linker *l) {
    if (!l) return;
    if (l->child > 0) kill(l->child, SIGKILL), finish(l->child);
    int *const end[] = {&l->script[0], &l->script[1], &l->image.from, &l->words.from};
    for (size_t i = 0; i < COUNT(end); i++) close_end(end[i]);
    free(l->image.at);
    free(l->words.at);
    remove_folder(l);
    arena_free(l->mem);
}

// --- Linking.

// Lets the process go on, until it ends: with its exit status.
static int let_go_on(target_linker *l) {
    static const char line[] = "INCLUDE script\n"; // a pipe takes so few bytes at once, whoever reads them
    bool told = write(l->script[1], line, sizeof line - 1) == (ssize_t)sizeof line - 1;
    close_end(&l->script[1]);
    if (told) take_all(&l->image, &l->words);
    if (!told) kill(l->child, SIGKILL);
    int status = finish(l->child);
    l->child = 0;
    return status;
}

// The linker's words after a failure.
static bool report(const target_linker *l, int status, diag *d) {
    enum { MOST = 2000 };
    const char *said = l->words.size ? l->words.at : "no message";
    int size = l->words.size < MOST ? (int)l->words.size : MOST;
    return diag_error(d, (loc){0}, "internal error: ld.lld-22 ended with %d: %.*s", status, size ? size : INT_MAX,
                      said);
}

bool linker_link(target_linker *l, const arch *a, const compiled *object, uint32_t count, const char *const *export,
                 uint32_t exports, compiled *image, diag *d) {
    (void)a; // it was started for it
    *image = (compiled){0};
    if (l->failure) return diag_refused(d, l->refused, "%s", l->failure);
    l->objects = count;
    if (!write_inputs(l, object, export, exports, d)) return false;
    int status = let_go_on(l);
    if (l->image.failed || l->words.failed) return diag_refused(d, RX_OUT_OF_MEMORY, "linking: out of memory");
    if (status != 0) return report(l, status, d);
    *image = (compiled){.bytes = (uint8_t *)l->image.at, .size = l->image.size};
    l->image.at = NULL;
    return true;
}
