// link.c - objects to one position-independent image: runs lld. Objects go through a temporary folder, the image and
// what the linker says come back through pipes: a full disk is met by our own writes alone.
#define _GNU_SOURCE // pipe2
#include "target/link.h"
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// The folder the linker works in; paths are made in `mem`.
typedef struct workplace {
    arena *mem;
    char *folder;
    uint32_t objects;
    int page; // bytes: segments begin at multiples of it
    diag *d;
} workplace;

static const char *exports_path(const workplace *w) { return arena_format(w->mem, "%s/exports", w->folder); }
static const char *object_path(const workplace *w, uint32_t i) { return arena_format(w->mem, "%s/%u.o", w->folder, i); }

static bool open_workplace(workplace *w) {
    const char *root = folder_for_temporaries();
    w->folder = arena_format(w->mem, "%s/relax-link-XXXXXX", root);
    return mkdtemp(w->folder) ||
           diag_error(w->d, (loc){0}, "linking: can't make a folder in %s: %s; TMPDIR names another place", root,
                      strerror(errno));
}

static void close_workplace(const workplace *w) {
    unlink(exports_path(w));
    for (uint32_t i = 0; i < w->objects; i++) unlink(object_path(w, i));
    rmdir(w->folder);
}

// Without a flush to the disk: nobody misses the file after a crash.
static bool put(const workplace *w, const char *path, const void *bytes, size_t size) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool written = fd >= 0 && file_write_all(fd, bytes, size);
    int error = errno;
    bool closed = fd >= 0 && close(fd) == 0;
    if (closed && written) return true;
    return diag_error(w->d, (loc){0}, "linking: can't write %s: %s; TMPDIR names another place for temporary files",
                      path, strerror(written ? errno : error));
}

static bool write_inputs(const workplace *w, const compiled *object, const char *const *export, uint32_t exports) {
    text script = TEXT_IN(w->mem);
    text_put(&script, "{ global:");
    for (uint32_t i = 0; i < exports; i++) text_format(&script, " \"%s\";", export[i]);
    text_put(&script, exports ? " local: *; };\n" : " none; local: *; };\n");
    bool ok = put(w, exports_path(w), script.at, script.len);
    for (uint32_t i = 0; i < w->objects && ok; i++) ok = put(w, object_path(w, i), object[i].bytes, object[i].size);
    return ok;
}

// --- A process and what comes out of it.

typedef struct stream {
    int from; // -1: at its end
    char *at; // malloc'd
    size_t size, room;
    bool failed; // memory ran out: not all was read
} stream;

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

static void take_all(stream out[2]) {
    while (out[0].from >= 0 || out[1].from >= 0) {
        struct pollfd ready[] = {{.fd = out[0].from, .events = POLLIN}, {.fd = out[1].from, .events = POLLIN}};
        if (poll(ready, 2, -1) < 0 && errno != EINTR) break;
        for (int i = 0; i < 2; i++)
            if (out[i].from >= 0 && ready[i].revents && !take_some(&out[i])) close_end(&out[i].from);
    }
}

static int finish(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool start(char **argv, const int to[2], pid_t *child) {
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions)) return false;
    bool ok = posix_spawn_file_actions_adddup2(&actions, to[0], 1) == 0 &&
              posix_spawn_file_actions_adddup2(&actions, to[1], 2) == 0 &&
              (errno = posix_spawnp(child, argv[0], &actions, NULL, argv, environ)) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return ok;
}

// Runs `argv`; what it writes to its standard output and error comes back in `out`. The exit status, 128 more than a
// signal, or -1 if it could not be started: errno tells why.
static int run(char **argv, stream out[2]) {
    int image[2] = {-1, -1}, words[2] = {-1, -1}, status = -1;
    pid_t child;
    bool started = pipe2(image, O_CLOEXEC) == 0 && pipe2(words, O_CLOEXEC) == 0 &&
                   start(argv, (const int[]){image[1], words[1]}, &child);
    int error = errno;
    close_end(&image[1]);
    close_end(&words[1]);
    out[0].from = image[0];
    out[1].from = words[0];
    if (started) {
        take_all(out);
        status = finish(child);
    }
    for (int i = 0; i < 2; i++) close_end(&out[i].from);
    errno = error;
    return status;
}

static int run_linker(const workplace *w, stream out[2]) {
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
        arena_format(w->mem, "--version-script=%s", exports_path(w)),
        "-o",
        "-",
    };
    char **argv = ARENA_NEW(w->mem, char *, COUNT(fixed) + w->objects + 1);
    for (size_t i = 0; i < COUNT(fixed); i++) argv[i] = arena_copy(w->mem, fixed[i], strlen(fixed[i]));
    for (uint32_t i = 0; i < w->objects; i++) argv[COUNT(fixed) + i] = arena_format(w->mem, "%s", object_path(w, i));
    return run(argv, out);
}

// The linker's words after a failure.
static bool report(const workplace *w, int status, const stream *words) {
    enum { MOST = 2000 };
    const char *said = words->size ? words->at : "no message";
    int size = words->size < MOST ? (int)words->size : MOST;
    if (status == -1 && errno != ENOENT)
        return diag_error(w->d, (loc){0}, "linking: can't start ld.lld-22: %s", strerror(errno));
    if (status == -1 || status == 127)
        return diag_error(w->d, (loc){0}, "can't run ld.lld-22, which links kernels: install Debian's package lld-22");
    return diag_error(w->d, (loc){0}, "internal error: ld.lld-22 ended with %d: %.*s", status, size ? size : INT_MAX,
                      said);
}

static bool link_in(const workplace *w, const compiled *object, const char *const *export, uint32_t exports,
                    compiled *image) {
    stream out[2] = {{.from = -1}, {.from = -1}};
    if (!write_inputs(w, object, export, exports)) return false;
    int status = run_linker(w, out);
    bool whole = !out[0].failed && !out[1].failed;
    bool ok = whole ? status == 0 || report(w, status, &out[1]) : diag_error(w->d, (loc){0}, "linking: out of memory");
    if (ok) *image = (compiled){.bytes = (uint8_t *)out[0].at, .size = out[0].size};
    if (!ok) free(out[0].at);
    free(out[1].at);
    return ok;
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
