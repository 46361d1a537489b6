// line_history.c - the file of lines that were typed: read at the beginning, written after every line.
#define _POSIX_C_SOURCE 200809L
#include "cli/line_history.h"
#include "base/file.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_LIMIT = 1 << 20, LINE_LIMIT = 1 << 16 }; // bytes from the file's end that are looked at; of a line kept

// What programs for lines of their own wrote at the beginning of such files; their lines are spelled otherwise.
static const char foreign[] = "_HiStOrY_V2_";

// Less than 0 where the file isn't ours alone. O_NONBLOCK: a pipe of that name must not hold us.
static int open_own(const char *path, int flags) {
    struct stat s;
    int fd = open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, S_IRUSR | S_IWUSR);
    if (fd < 0) return fd;
    bool own = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid() && s.st_nlink == 1;
    if (own && (s.st_mode & (S_IRWXG | S_IRWXO))) own = fchmod(fd, S_IRUSR | S_IWUSR) == 0;
    if (own) return fd;
    return close(fd), -1;
}

// The end of the file, from the beginning of a line on; NUL-ended. NULL: there is nothing.
static char *read_end(int fd, bool *whole) {
    struct stat s;
    if (fstat(fd, &s) != 0) return NULL;
    *whole = s.st_size <= READ_LIMIT;
    size_t size = *whole ? (size_t)s.st_size : READ_LIMIT, got = 0;
    char *bytes = malloc(size + 1);
    if (!bytes) return NULL;
    for (ssize_t n = 1; n > 0 && got < size; got += n > 0 ? (size_t)n : 0)
        n = pread(fd, bytes + got, size - got, s.st_size - (off_t)size + (off_t)got);
    bytes[got] = 0;
    char *line = *whole ? bytes : strchr(bytes, '\n');
    if (line && line != bytes) memmove(bytes, line + 1, strlen(line + 1) + 1);
    return bytes;
}

// Where the last HISTORY_LINES lines begin.
static char *last_lines(char *bytes) {
    char *at = bytes + strlen(bytes);
    for (size_t lines = 0; at > bytes; at--)
        if (at[-1] == '\n' && lines++ == HISTORY_LINES) break;
    return at;
}

// In place of the old one, whole or not at all.
static void replace(const char *path, const char *lines) {
    size_t room = strlen(path) + 32;
    char *made = malloc(room);
    if (!made) return;
    snprintf(made, room, "%s.%ld.tmp", path, (long)getpid());
    int fd = open_own(made, O_WRONLY | O_CREAT | O_EXCL);
    bool ok = fd >= 0 && file_write_all(fd, lines, strlen(lines));
    if (fd >= 0 && (close(fd) != 0 || !ok || rename(made, path) != 0)) unlink(made);
    free(made);
}

void line_history_load(const char *path, void (*take)(void *user, const char *line), void *user) {
    bool whole = true;
    int fd = open_own(path, O_RDONLY);
    char *bytes = fd < 0 ? NULL : read_end(fd, &whole);
    if (fd >= 0) close(fd);
    if (!bytes) return;
    if (strncmp(bytes, foreign, strlen(foreign)) == 0) *bytes = 0, whole = false;
    char *line = last_lines(bytes);
    if (!whole || line - bytes > READ_LIMIT / 2) replace(path, line);
    while (*line) {
        char *end = strchr(line, '\n');
        if (end) *end = 0;
        if (*line) take(user, line);
        if (!end) break;
        line = end + 1;
    }
    free(bytes);
}

void line_history_add(const char *path, const char *line) {
    size_t size = strlen(line);
    char *whole = size && size < LINE_LIMIT ? malloc(size + 2) : NULL;
    int fd = whole ? open_own(path, O_WRONLY | O_APPEND | O_CREAT) : -1;
    if (fd >= 0) {
        memcpy(whole, line, size);
        memcpy(whole + size, "\n", 2);
        file_write_all(fd, whole, size + 1); // a full disk: the line is lost, the conversation goes on
        close(fd);
    }
    free(whole);
}
