// new_file.c - files that appear whole or not at all.
//
// Bytes go to `.relax-PID-N.tmp` in the folder of the target, which commit renames over it. Zeros between are holes.
#define _XOPEN_SOURCE 700 // realpath
#include "base/file.h"
#include "base/file_why.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Small writes are collected; a try fails only if an earlier process with our id left its file behind.
enum { BUFFER = 1 << 16, TEMPORARY_NAME = 64, MOST_TRIES = 1000, MOST_LINKS = 16, LARGE_PAGE = 2 << 20 };

struct new_file {
    int fd;
    char *path;               // as the caller wrote it, for messages
    char *target, *temporary; // the path behind symbolic links
    uint64_t written;         // bytes in the file, before those in the buffer
    size_t buffered;
    uint64_t filled;  // up to here the file has pages; 0: nothing was mapped yet
    uint8_t *zeros;   // LARGE_PAGE of them, once something was mapped
    void *page;       // what mmap returned, of
    size_t paged;     // so many bytes; 0: nothing is mapped
    rx_status status; // of the first failure, with
    int error;        // its errno
    unsigned char buffer[BUFFER];
};

static char *copy_text(const char *s) {
    char *copy = malloc(strlen(s) + 1);
    return copy ? strcpy(copy, s) : NULL;
}

// What a link in the folder of `link` says, as a path from here. NULL when memory ran out.
static char *from_folder_of(const char *link, const char *said) {
    const char *slash = strrchr(link, '/');
    size_t folder = *said != '/' && slash ? (size_t)(slash - link) + 1 : 0;
    char *path = malloc(folder + strlen(said) + 1);
    if (!path) return NULL;
    memcpy(path, link, folder);
    strcpy(path + folder, said);
    return path;
}

// The path itself, or where its symbolic link leads, so that the link survives; also one that leads to nothing yet.
// NULL when memory ran out.
static char *target_of(const char *path) {
    char *at = realpath(path, NULL);
    if (at) return at;
    at = copy_text(path);
    for (int links = 0; at && links < MOST_LINKS; links++) {
        char said[4096];
        ssize_t size = readlink(at, said, sizeof said - 1);
        if (size < 0) break;
        said[size] = 0;
        char *next = from_folder_of(at, said);
        free(at);
        at = next;
    }
    return at;
}

// The name that is tried for the temporary of `path`, in its folder.
static void name_temporary(const char *path, unsigned try, char *name, size_t room) {
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    snprintf(name, room, "%.*s.relax-%ld-%u.tmp", folder, path, (long)getpid(), try);
}

// Opens a temporary file with a name nobody has, in the folder of `path`; fills `name`, which has room.
static int open_temporary(const char *path, char *name, size_t room, mode_t mode) {
    for (unsigned try = 0; try < MOST_TRIES; try++) {
        name_temporary(path, try, name, room);
        int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

static void unmap(new_file *f) {
    if (f->paged) munmap(f->page, f->paged);
    f->paged = 0;
}

static void new_file_free(new_file *f) {
    unmap(f);
    // Data was flushed by fsync, or is thrown away: an error of close changes nothing.
    if (f->fd >= 0) close(f->fd);
    free(f->path);
    free(f->target);
    free(f->temporary);
    free(f->zeros);
    free(f);
}

// Fills f's paths and opens the temporary; f is freed by the caller.
static rx_status start(new_file *f, const char *path, char *why) {
    if (!*path) return file_refused(why, "\"\"", "want the path of a file to write, got nothing", RX_INVALID_ARGUMENT);
    struct stat old;
    bool exists = !stat(path, &old);
    if (exists && S_ISDIR(old.st_mode))
        return file_refused(why, path, "want a file to write, this is a folder", RX_INVALID_ARGUMENT);
    if (exists && !S_ISREG(old.st_mode))
        return file_refused(why, path, "want a regular file to write, this is a device or a pipe", RX_INVALID_ARGUMENT);
    f->path = copy_text(path);
    f->target = target_of(path);
    size_t room = f->target ? strlen(f->target) + TEMPORARY_NAME : 0;
    f->temporary = room ? malloc(room) : NULL;
    if (!f->path || !f->temporary) return file_failed(why, path, "can't write it", ENOMEM);
    f->fd = open_temporary(f->target, f->temporary, room, 0666);
    if (f->fd < 0) return file_failed(why, path, "can't write into its folder", errno);
    // Where this fails (the old file is another user's) the new one has the usual permissions.
    if (exists && fchmod(f->fd, old.st_mode & 0777)) errno = 0;
    return RX_OK;
}

rx_status new_file_open(const char *path, new_file **out, char why[FILE_WHY]) {
    *out = NULL;
    new_file *f = calloc(1, sizeof *f);
    if (!f) return file_failed(why, path, "can't write it", ENOMEM);
    f->fd = -1;
    rx_status status = start(f, path, why);
    if (status == RX_OK)
        *out = f;
    else
        new_file_free(f);
    return status;
}

static rx_status fail(new_file *f, rx_status status, int error) {
    // Later errors follow from the first one.
    f->status = status;
    f->error = error;
    return status;
}

static rx_status write_through(new_file *f, const unsigned char *p, size_t size) {
    while (size) {
        ssize_t done = pwrite(f->fd, p, size, (off_t)f->written);
        // pwrite, because the offset of the descriptor would be a second copy of `written`.
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return fail(f, RX_IO, errno);
        p += done;
        size -= (size_t)done;
        f->written += (uint64_t)done;
    }
    return RX_OK;
}

static rx_status flush(new_file *f) {
    // Emptied first: after a failure the bytes are lost with the file.
    size_t size = f->buffered;
    f->buffered = 0;
    return write_through(f, f->buffer, size);
}

// Whether `size` bytes at `offset` end where a file may.
static bool fits(uint64_t offset, uint64_t size) { return offset <= INT64_MAX && size <= INT64_MAX - offset; }

rx_status new_file_write(new_file *f, const void *bytes, size_t size) {
    if (f->status != RX_OK) return f->status;
    if (!size) return RX_OK;
    if (!fits(new_file_offset(f), size)) return fail(f, RX_IO, EFBIG);
    if (size > BUFFER - f->buffered) RX_TRY(flush(f));
    // The buffer is empty here.
    if (size >= BUFFER) return write_through(f, bytes, size);
    memcpy(f->buffer + f->buffered, bytes, size);
    f->buffered += size;
    return RX_OK;
}

uint64_t new_file_offset(const new_file *f) { return f->written + f->buffered; }

rx_status new_file_seek(new_file *f, uint64_t offset) {
    if (f->status != RX_OK) return f->status;
    uint64_t here = new_file_offset(f);
    if (offset < here) return RX_INVALID_ARGUMENT;
    if (!fits(offset, 0)) return fail(f, RX_IO, EFBIG);
    if (offset - here <= BUFFER - f->buffered) {
        memset(f->buffer + f->buffered, 0, (size_t)(offset - here));
        f->buffered += (size_t)(offset - here);
        return RX_OK;
    }
    RX_TRY(flush(f));
    f->written = offset; // a hole; commit sets the size if nothing follows
    return RX_OK;
}

// Takes the disk space of a range, growing the file to hold it.
static int reserve(int fd, uint64_t offset, size_t size) {
    // Without space reserved, a store into the map would fault when the disk is full.
    int error;
    do error = posix_fallocate(fd, (off_t)offset, (off_t)size);
    while (error == EINTR);
    return error;
}

// Writes zeros over what was not written yet of the range, and on to the end of a large page. Pages that a map brings
// in one by one are small and lie apart; those of large writes lie together (where the space, too, is taken in whole
// large pages: ext4), which readers of the file feel: 5.3 in place of 6.2 ms a token of SmolLM2, bench/llm.py.
static rx_status fill(new_file *f, uint64_t end) {
    uint64_t at = f->filled > f->written ? f->filled : f->written;
    if (at >= end) return RX_OK;
    if (!f->zeros) f->zeros = calloc(1, LARGE_PAGE);
    if (!f->zeros) return fail(f, RX_OUT_OF_MEMORY, ENOMEM);
    int error = reserve(f->fd, at, (size_t)((end + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE - at));
    if (error) return fail(f, RX_IO, error);
    while (at < end) {
        ssize_t done = pwrite(f->fd, f->zeros, (size_t)(LARGE_PAGE - at % LARGE_PAGE), (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return fail(f, RX_IO, errno);
        at += (uint64_t)done;
    }
    f->filled = at;
    return RX_OK;
}

rx_status new_file_map(new_file *f, uint64_t offset, size_t size, uint8_t **out) {
    *out = NULL;
    if (f->status != RX_OK) return f->status;
    if (!fits(offset, size)) return RX_INVALID_ARGUMENT;
    RX_TRY(flush(f));
    if (!size) return RX_OK;
    RX_TRY(fill(f, offset + size));
    size_t before = (size_t)(offset % (uint64_t)sysconf(_SC_PAGESIZE)); // maps begin at a page
    void *page = mmap(NULL, size + before, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, (off_t)(offset - before));
    if (page == MAP_FAILED) return fail(f, errno == ENOMEM ? RX_OUT_OF_MEMORY : RX_IO, errno);
    unmap(f);
    f->page = page;
    f->paged = size + before;
    *out = (uint8_t *)page + before;
    if (f->written < offset + size) f->written = offset + size;
    return RX_OK;
}

// Makes the rename itself last; where the folder can't be opened there is nothing more to do.
static void sync_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = malloc(strlen(path) + 2);
    if (!folder) return;
    if (slash)
        snprintf(folder, (size_t)(slash - path) + 2, "%s", path);
    else
        strcpy(folder, ".");
    int fd = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    free(folder);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

static rx_status finish(new_file *f) {
    if (f->status != RX_OK) return f->status;
    RX_TRY(flush(f));
    struct stat s;
    if (fstat(f->fd, &s)) return fail(f, RX_IO, errno);
    if ((uint64_t)s.st_size != f->written && ftruncate(f->fd, (off_t)f->written)) return fail(f, RX_IO, errno);
    // Before the rename: after a crash the name must not stand for a file without its bytes.
    if (fsync(f->fd)) return fail(f, RX_IO, errno);
    if (rename(f->temporary, f->target)) return fail(f, RX_IO, errno);
    return RX_OK;
}

rx_status new_file_commit(new_file *f, char why[FILE_WHY]) {
    rx_status status = finish(f);
    if (status != RX_OK) {
        file_failed(why, f->path, "can't write it", f->error);
        new_file_discard(f);
        return status;
    }
    sync_folder(f->target);
    new_file_free(f);
    return RX_OK;
}

void new_file_discard(new_file *f) {
    if (!f) return;
    unlink(f->temporary);
    new_file_free(f);
}

void new_file_sweep(const char *path) {
    char *target = target_of(path);
    size_t room = target ? strlen(target) + TEMPORARY_NAME : 0;
    char *name = room ? malloc(room) : NULL;
    for (unsigned try = 0; name && try < MOST_TRIES; try++) {
        name_temporary(target, try, name, room);
        unlink(name);
    }
    free(name);
    free(target);
}

rx_status file_write(const char *path, const void *bytes, size_t size, char why[FILE_WHY]) {
    new_file *f;
    RX_TRY(new_file_open(path, &f, why));
    rx_status status = new_file_write(f, bytes, size);
    rx_status committed = new_file_commit(f, why); // tells why the write failed, if it did
    return status == RX_OK ? committed : status;
}
