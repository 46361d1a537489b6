// file.h - files read by mapping and written whole or not at all.
#ifndef BASE_FILE_H
#define BASE_FILE_H
#include "base/attributes.h"
#include "relax/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Every failing function writes one sentence into `why` (if not NULL), naming the path and the reason.
enum { FILE_WHY = 512 };

// A file mapped for reading. `data` is NULL for an empty file.
typedef struct mapped_file {
    const uint8_t *data;
    size_t size;
    uint64_t mtime_ns;
} mapped_file;
RX_MUST_USE rx_status file_map(const char *path, mapped_file *out, char why[FILE_WHY]);
void file_unmap(mapped_file *f); // a zeroed one is allowed

// Reads a whole file, or stdin for "-", up to `limit` bytes, into malloc'd memory with a NUL after it.
RX_MUST_USE rx_status file_read(const char *path, size_t limit, char **out, size_t *size, char why[FILE_WHY]);

// A file that appears under its name only when it is complete: writes go to a temporary name in the same folder.
typedef struct new_file new_file;
RX_MUST_USE rx_status new_file_open(const char *path, new_file **out, char why[FILE_WHY]);
RX_MUST_USE rx_status new_file_write(new_file *f, const void *bytes, size_t size);
// Pads with zeros up to `offset`, which must not lie before what is written.
RX_MUST_USE rx_status new_file_seek(new_file *f, uint64_t offset);
uint64_t new_file_offset(const new_file *f);
// Maps [offset, offset+size) for writing, growing the file; unmapped by commit or discard.
RX_MUST_USE rx_status new_file_map(new_file *f, uint64_t offset, size_t size, uint8_t **out);
RX_MUST_USE rx_status new_file_commit(new_file *f, char why[FILE_WHY]); // flushes, renames, frees f whatever happens
void new_file_discard(new_file *f);                                     // removes the temporary, frees f; NULL allowed
// The whole of it in one call.
RX_MUST_USE rx_status file_write(const char *path, const void *bytes, size_t size, char why[FILE_WHY]);

RX_MUST_USE rx_status folder_make(const char *path, char why[FILE_WHY]); // and its parents; existing is fine
#endif
