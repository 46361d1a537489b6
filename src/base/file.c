// file.c - files mapped or read whole; folders; why a call failed.
#define _DEFAULT_SOURCE // madvise
#include "base/file.h"
#include "base/count_noun.h"
#include "base/file_why.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

rx_status why_fail(char why[FILE_WHY], rx_status status, const char *format, ...) {
    va_list list;
    if (!why) return status;
    va_start(list, format);
    vsnprintf(why, FILE_WHY, format, list);
    va_end(list);
    return status;
}

rx_status file_refused(char why[FILE_WHY], const char *path, const char *sentence, rx_status status) {
    // The end of a long path says more than its beginning.
    enum { SHOWN = 300 };
    if (!*path) path = "\"\"";
    size_t size = strlen(path);
    if (why)
        snprintf(why, FILE_WHY, "%s%s: %.200s", size > SHOWN ? "..." : "", path + (size > SHOWN ? size - SHOWN : 0),
                 sentence);
    return status;
}

rx_status file_failed(char why[FILE_WHY], const char *path, const char *what, int error) {
    char reason[128], sentence[200];
    // Not strerror: two threads may fail at once.
    if (strerror_r(error, reason, sizeof reason)) snprintf(reason, sizeof reason, "error %d", error);
    snprintf(sentence, sizeof sentence, "%s: %s", what, reason);
    // ENOTDIR: a part of the path is a file, so what is asked for isn't there.
    rx_status status = error == ENOENT || error == ENOTDIR ? RX_NOT_FOUND : error == ENOMEM ? RX_OUT_OF_MEMORY : RX_IO;
    return file_refused(why, path, sentence, status);
}

static uint64_t mtime_of(const struct stat *s) {
    return (uint64_t)s->st_mtim.tv_sec * 1000000000u + (uint64_t)s->st_mtim.tv_nsec;
}

// What is not in memory yet is read in large pages, where the system has such of files: reading weights in small ones
// takes twice as long on a virtual machine (bench/bench_quantized.c).
static void ask_for_large_pages(void *at, size_t size) {
    enum { LARGE_PAGE = 2 << 20 };
#ifdef MADV_HUGEPAGE
    if (size >= LARGE_PAGE) (void)madvise(at, size, MADV_HUGEPAGE); // refused: small ones do
#else
    (void)at, (void)size, (void)LARGE_PAGE;
#endif
}

static rx_status map_open_file(int fd, const char *path, mapped_file *out, char *why) {
    struct stat s;
    if (fstat(fd, &s)) return file_failed(why, path, "can't read it", errno);
    if (S_ISDIR(s.st_mode)) return file_refused(why, path, "want a file, this is a folder", RX_INVALID_ARGUMENT);
    // The size of a device or a pipe says nothing about what can be read.
    if (!S_ISREG(s.st_mode))
        return file_refused(why, path, "want a regular file, this is a device or a pipe", RX_INVALID_ARGUMENT);
    if ((uint64_t)s.st_size > SIZE_MAX / 2)
        return file_refused(why, path, "too large for this machine", RX_OUT_OF_MEMORY);
    mapped_file f = {.size = (size_t)s.st_size, .mtime_ns = mtime_of(&s)};
    // mmap refuses empty ranges.
    if (f.size) {
        void *at = mmap(NULL, f.size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (at == MAP_FAILED) return file_failed(why, path, "can't map it", errno);
        ask_for_large_pages(at, f.size);
        f.data = at;
    }
    *out = f;
    return RX_OK;
}

rx_status file_map(const char *path, mapped_file *out, char why[FILE_WHY]) {
    *out = (mapped_file){0};
    // Without O_NONBLOCK the opening of a pipe would wait for a writer.
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return file_failed(why, path, "can't open it", errno);
    // The map outlives the descriptor.
    rx_status status = map_open_file(fd, path, out, why);
    close(fd);
    return status;
}

void file_forget(const mapped_file *f) {
    // The bytes are the file's, and nobody writes to them.
    if (f->data) (void)madvise((void *)(uintptr_t)f->data, f->size, MADV_DONTNEED);
}

void file_unmap(mapped_file *f) {
    // munmap takes no const; nobody else holds these bytes.
    if (f->data) munmap((void *)(uintptr_t)f->data, f->size);
    *f = (mapped_file){0};
}

// What has been read so far, growing up to a limit.
typedef struct buffer {
    char *at;
    size_t size, room, limit;
} buffer;

// Room for at least one byte more and a NUL; a byte over the limit shows that there is more.
static bool buffer_grow(buffer *b) {
    if (b->room - b->size >= 2) return true;
    size_t room = b->room > SIZE_MAX / 2 ? SIZE_MAX : b->room * 2;
    if (b->limit < SIZE_MAX - 2 && room > b->limit + 2) room = b->limit + 2;
    char *moved = realloc(b->at, room);
    if (!moved) return false;
    b->at = moved;
    b->room = room;
    return true;
}

static rx_status read_all(int fd, const char *path, buffer *b, char *why) {
    for (;;) {
        if (!buffer_grow(b)) return file_failed(why, path, "can't read it", ENOMEM);
        ssize_t got = read(fd, b->at + b->size, b->room - b->size - 1);
        if (got < 0 && errno == EINTR) continue;
        // Folders can be opened for reading but not read.
        if (got < 0 && errno == EISDIR)
            return file_refused(why, path, "want a file, this is a folder", RX_INVALID_ARGUMENT);
        if (got < 0) return file_failed(why, path, "can't read it", errno);
        if (!got) return RX_OK;
        b->size += (size_t)got;
        if (b->size <= b->limit) continue;
        char sentence[64];
        snprintf(sentence, sizeof sentence, "larger than the limit of %s", COUNTED(b->limit, "byte"));
        return file_refused(why, path, sentence, RX_BAD_FILE);
    }
}

// Regular files are read in one go, others in doubling steps.
static size_t first_room(int fd, size_t limit) {
    struct stat s;
    size_t room = 4096;
    if (!fstat(fd, &s) && S_ISREG(s.st_mode) && s.st_size > 0 && (uint64_t)s.st_size < SIZE_MAX - 2)
        room = (size_t)s.st_size + 2;
    return limit < SIZE_MAX - 2 && room > limit + 2 ? limit + 2 : room;
}

rx_status file_read(const char *path, size_t limit, char **out, size_t *size, char why[FILE_WHY]) {
    bool is_stdin = strcmp(path, "-") == 0;
    *out = NULL;
    *size = 0;
    // Waits for a writer where the path is a pipe: that is what a shell's <(command) needs.
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    const char *shown = is_stdin ? "<stdin>" : path;
    if (fd < 0) return file_failed(why, path, "can't open it", errno);
    buffer b = {.limit = limit, .room = first_room(fd, limit)};
    b.at = malloc(b.room);
    rx_status status = b.at ? read_all(fd, shown, &b, why) : file_failed(why, shown, "can't read it", ENOMEM);
    if (!is_stdin) close(fd);
    if (status != RX_OK) {
        free(b.at);
        return status;
    }
    b.at[b.size] = '\0';
    *out = b.at;
    *size = b.size;
    return RX_OK;
}

static bool is_folder(const char *path) {
    struct stat s;
    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

bool file_is_folder(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

bool file_is_same(const char *a, const char *b) {
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

// One level; another program may make it at the same time.
static rx_status make_level(const char *path, char *why) {
    if (!mkdir(path, 0777)) return RX_OK;
    int error = errno;
    if (is_folder(path)) return RX_OK;
    if (error == EEXIST) return file_refused(why, path, "want a folder, this is a file", RX_INVALID_ARGUMENT);
    return file_failed(why, path, "can't make the folder", error);
}

rx_status folder_make(const char *path, char why[FILE_WHY]) {
    if (!*path) return file_refused(why, "\"\"", "want the path of a folder, got nothing", RX_INVALID_ARGUMENT);
    if (is_folder(path)) return RX_OK;
    char *level = malloc(strlen(path) + 1);
    if (!level) return file_failed(why, path, "can't make the folder", ENOMEM);
    strcpy(level, path);
    rx_status status = RX_OK;
    // A path that begins with / has no first level to make; empty levels (//) are folders that exist.
    for (char *p = level + 1; *p && status == RX_OK; p++) {
        if (*p != '/') continue;
        *p = '\0';
        status = make_level(level, why);
        *p = '/';
    }
    if (status == RX_OK) status = make_level(level, why);
    free(level);
    return status;
}

bool file_write_all(int fd, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size) {
        ssize_t done = write(fd, at, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

const char *folder_for_temporaries(void) {
    const char *named = getenv("TMPDIR");
    return named && *named ? named : "/tmp";
}
