// npz_write.c - writing .npz archives: each member streams its header and the tensor's own memory into libzip.
#include "base/count_noun.h"
#include "checkpoint/npz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zip.h>

// What a member is made of, in order; lives until libzip frees the source.
typedef struct parts {
    uint8_t *header;
    const uint8_t *data;
    void *owned; // a converted copy of the data, or NULL
    size_t header_size, data_size;
    size_t at; // bytes given out since the source was opened
} parts;

static void free_parts(parts *p) {
    free(p->header);
    free(p->owned);
    free(p);
}

// The tensor must outlive the parts: its memory is not copied unless its elements need widening.
static rx_status new_parts(const tensor *t, parts **out) {
    const void *data = NULL;
    parts *p = calloc(1, sizeof *p);
    if (!p) return RX_OUT_OF_MEMORY;
    rx_status status = npy_header(t, &p->header, &p->header_size);
    if (status == RX_OK) status = npy_data(t, &data, &p->data_size, &p->owned);
    p->data = data;
    if (status == RX_OK) {
        *out = p;
    } else {
        free_parts(p);
    }
    return status;
}

// At most one part at a time; 0 at the end.
static size_t give(parts *p, uint8_t *to, size_t room) {
    bool in_header = p->at < p->header_size;
    size_t from = in_header ? p->at : p->at - p->header_size;
    size_t left = (in_header ? p->header_size : p->data_size) - from;
    size_t size = left < room ? left : room;
    memcpy(to, (in_header ? p->header : p->data) + from, size);
    p->at += size;
    return size;
}

// libzip's view of a member: a sequential source of known size.
static zip_int64_t serve(void *user, void *data, zip_uint64_t size, zip_source_cmd_t command) {
    parts *p = user;
    zip_stat_t *stat = data;
    if (command == ZIP_SOURCE_OPEN) p->at = 0;
    if (command == ZIP_SOURCE_OPEN || command == ZIP_SOURCE_CLOSE) return 0;
    if (command == ZIP_SOURCE_READ) return (zip_int64_t)give(p, data, size);
    if (command == ZIP_SOURCE_FREE) return free_parts(p), 0;
    if (command == ZIP_SOURCE_SUPPORTS) return ZIP_SOURCE_SUPPORTS_READABLE;
    if (command == ZIP_SOURCE_ERROR) return memset(data, 0, 2 * sizeof(int)), (zip_int64_t)(2 * sizeof(int));
    if (command != ZIP_SOURCE_STAT) return -1;
    zip_stat_init(stat);
    stat->size = p->header_size + p->data_size;
    stat->valid = ZIP_STAT_SIZE;
    return sizeof *stat;
}

// Midnight of 1980-01-01, the zip format's first moment, in local time as zip files count.
static time_t first_moment(void) {
    return mktime(&(struct tm){.tm_year = 80, .tm_mon = 0, .tm_mday = 1, .tm_isdst = -1});
}

// Gives `source` to the archive, or frees it.
static rx_status place_member(zip_t *zip, const char *name, zip_source_t *source, char *why) {
    zip_int64_t index = zip_file_add(zip, name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return why_fail(why, RX_INVALID_ARGUMENT, "%s: %s", name, zip_strerror(zip));
    }
    bool set = zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0 &&
               zip_file_set_mtime(zip, (zip_uint64_t)index, first_moment(), 0) == 0;
    return set ? RX_OK : why_fail(why, RX_IO, "%s: %s", name, zip_strerror(zip));
}

static rx_status add_member(zip_t *zip, const char *name, const tensor *t, char *why) {
    char file[FILE_WHY / 2];
    parts *p;
    int size = snprintf(file, sizeof file, "%s.npy", name);
    if (size < 0 || (size_t)size >= sizeof file)
        return why_fail(why, RX_INVALID_ARGUMENT, "%.40s…: a member's name has at most %s", name,
                        COUNTED(sizeof file - 5, "byte"));
    rx_status status = new_parts(t, &p);
    if (status != RX_OK)
        return why_fail(why, status, status == RX_UNSUPPORTED ? "%s: npy files can't hold vectors" : "%s: no memory",
                        name);
    zip_source_t *source = zip_source_function(zip, serve, p);
    if (!source) return free_parts(p), why_fail(why, RX_OUT_OF_MEMORY, "%s: no memory", name);
    return place_member(zip, file, source, why);
}

// libzip removes an archive without members instead of writing it; NumPy writes the zip format's end record alone.
static rx_status write_empty(const char *path, char *why) {
    static const uint8_t end_record[22] = {'P', 'K', 5, 6};
    return file_write(path, end_record, sizeof end_record, why);
}

// libzip would say no more than that it can't make its temporary file.
static rx_status check_place(const char *path, char *why) {
    new_file *f;
    RX_TRY(new_file_open(path, &f, why));
    new_file_discard(f);
    return RX_OK;
}

// libzip writes a temporary file beside `path` and renames it in zip_close.
rx_status npz_write(const char *path, const char *const *name, tensor *const *t, size_t count, char why[FILE_WHY]) {
    char reason[FILE_WHY];
    int code = 0;
    if (count == 0) return write_empty(path, why);
    RX_TRY(check_place(path, why));
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (!zip) return why_fail(why, RX_IO, "%s: can't be opened for writing (libzip error %d)", path, code);
    for (size_t i = 0; i < count; i++) {
        rx_status status = add_member(zip, name[i], t[i], reason);
        if (status == RX_OK) continue;
        zip_discard(zip);
        return why_fail(why, status, "%s: %s", path, reason);
    }
    if (zip_close(zip) == 0) return RX_OK;
    why_fail(why, RX_IO, "%s: %s", path, zip_strerror(zip));
    zip_discard(zip);
    return RX_IO;
}
