// file.h - files read by mapping and written whole or not at all.
#ifndef BASE_FILE_H
#define BASE_FILE_H
#include "base/attributes.h"
#include "relax/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Every failing function writes one sentence into `why` (if not NULL), naming the path and the reason. The status is
// RX_NOT_FOUND for what isn't there, RX_OUT_OF_MEMORY, RX_INVALID_ARGUMENT for a path that can't be meant (a folder, a
// device), RX_BAD_FILE for a file over a limit, else RX_IO. Thread-safe, except that one new_file belongs to one
// thread.
enum { FILE_WHY = 512 };
// Writes one sentence into `why` (NULL is allowed) and returns `status`. For readers and writers of files everywhere.
rx_status why_fail(char why[FILE_WHY], rx_status status, const char *format, ...) RX_PRINTF(3, 4);

// A regular file mapped for reading. `data` is NULL for an empty file. Another program that shortens the file while it
// is mapped makes reads fault: files of ours are replaced, never changed in place.
typedef struct mapped_file {
    const uint8_t *data;
    size_t size;
    uint64_t mtime_ns;
} mapped_file;
RX_MUST_USE rx_status file_map(const char *path, mapped_file *out, char why[FILE_WHY]);
void file_unmap(mapped_file *f); // a zeroed one is allowed
// Gives back the memory that the map takes: what is touched again is read again. A zeroed one is allowed.
void file_forget(const mapped_file *f);

// Reads a whole file, pipe or device, or stdin for "-", up to `limit` bytes, into malloc'd memory with a NUL after it.
RX_MUST_USE rx_status file_read(const char *path, size_t limit, char **out, size_t *size, char why[FILE_WHY]);

// Whether both paths lead to one file, by links too; false where one leads to none.
bool file_is_same(const char *a, const char *b);
bool file_is_folder(const char *path); // false where nothing is there

// A file that appears under its name only when it is complete: writes go to a temporary name in the same folder. An
// older file of that name keeps its permissions, a symbolic link still points to the file.
typedef struct new_file new_file;
RX_MUST_USE rx_status new_file_open(const char *path, new_file **out, char why[FILE_WHY]);

// After a failure all further calls fail with the same status, and commit tells why. Writes are collected in a buffer.
RX_MUST_USE rx_status new_file_write(new_file *f, const void *bytes, size_t size);
// Pads with zeros up to `offset`; RX_INVALID_ARGUMENT when it lies before what is written or mapped.
RX_MUST_USE rx_status new_file_seek(new_file *f, uint64_t offset);
uint64_t new_file_offset(const new_file *f); // where the next write goes
// Maps [offset, offset+size) for reading and writing, growing the file; unmapped by the next one, commit or discard, so
// that a large file does not fill memory while it is made. The place on
// disk is taken at once, so that a full disk is a status here and no fault later. What was written before can be
// changed through the map; the next write goes behind the mapped range. *out is NULL for size 0.
RX_MUST_USE rx_status new_file_map(new_file *f, uint64_t offset, size_t size, uint8_t **out);

RX_MUST_USE rx_status new_file_commit(new_file *f, char why[FILE_WHY]); // flushes, renames, frees f whatever happens
void new_file_discard(new_file *f);                                     // removes the temporary, frees f; NULL allowed
// Removes the temporaries that this process has for `path`, whoever writes them: for a program that ends at once.
void new_file_sweep(const char *path);
// The whole of it in one call.
RX_MUST_USE rx_status file_write(const char *path, const void *bytes, size_t size, char why[FILE_WHY]);

// All bytes into an open descriptor, whatever interrupts. False: errno tells why.
bool file_write_all(int fd, const void *bytes, size_t size);

// Where files go that nobody names: $TMPDIR, or /tmp.
const char *folder_for_temporaries(void);
RX_MUST_USE rx_status folder_make(const char *path, char why[FILE_WHY]); // and its parents; existing is fine
#endif
