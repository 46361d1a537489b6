// npz.c - reading .npz archives through libzip: one member at a time, straight into its tensor where the bytes allow.
#include "checkpoint/npz.h"
#include "base/count_noun.h"
#include "base/size.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

struct npz {
    zip_t *zip;
    char *path;
    char **name;     // of the .npy members, without the suffix
    uint64_t *place; // their indices in the zip
    size_t count;
};

static rx_status out_of_memory(const char *path, char *why) {
    return why_fail(why, RX_OUT_OF_MEMORY, "%s: no memory", path);
}

static rx_status status_of_zip(int code) {
    static const struct {
        int code;
        rx_status status;
    } known[] = {
        {ZIP_ER_NOENT, RX_NOT_FOUND},
        {ZIP_ER_MEMORY, RX_OUT_OF_MEMORY},
        {ZIP_ER_OPEN, RX_IO},
        {ZIP_ER_READ, RX_IO},
        {ZIP_ER_SEEK, RX_IO},
        {ZIP_ER_TELL, RX_IO},
        {ZIP_ER_COMPNOTSUPP, RX_UNSUPPORTED},
        {ZIP_ER_MULTIDISK, RX_UNSUPPORTED},
        {ZIP_ER_ENCRNOTSUPP, RX_UNSUPPORTED},
        {ZIP_ER_NOPASSWD, RX_UNSUPPORTED},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        if (known[i].code == code) return known[i].status;
    }
    return RX_BAD_FILE;
}

// libzip reads the directory only; its own sizes are checked against the file.
static rx_status open_zip(const char *path, zip_t **out, char *why) {
    int code = 0;
    zip_error_t error;
    *out = zip_open(path, ZIP_RDONLY, &code);
    if (*out) return RX_OK;
    zip_error_init_with_code(&error, code);
    rx_status status = why_fail(why, status_of_zip(code), "%s: %s", path, zip_error_strerror(&error));
    zip_error_fini(&error);
    return status;
}

static char *copy_text(const char *text, size_t size) {
    char *copy = malloc(size + 1);
    if (!copy) return NULL;
    memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

// npz_close frees what was listed when this fails half-way.
static rx_status list_members(npz *z, char *why) {
    zip_int64_t entries = zip_get_num_entries(z->zip, 0);
    size_t room = entries > 0 ? (size_t)entries : 0;
    z->name = calloc(room + 1, sizeof *z->name);
    z->place = calloc(room + 1, sizeof *z->place);
    if (!z->name || !z->place) return out_of_memory(z->path, why);
    for (uint64_t i = 0; i < room; i++) {
        const char *name = zip_get_name(z->zip, i, 0);
        size_t size = name ? strlen(name) : 0;
        if (size < 4 || strcmp(name + size - 4, ".npy") != 0) continue;
        z->name[z->count] = copy_text(name, size - 4);
        if (!z->name[z->count]) return out_of_memory(z->path, why);
        z->place[z->count++] = i;
    }
    return RX_OK;
}

rx_status npz_open(const char *path, npz **out, char why[FILE_WHY]) {
    npz *z = calloc(1, sizeof *z);
    rx_status status = RX_OUT_OF_MEMORY;
    if (z) z->path = copy_text(path, strlen(path));
    if (!z || !z->path) {
        why_fail(why, status, "%s: no memory", path);
    } else {
        status = open_zip(path, &z->zip, why);
    }
    if (status == RX_OK) status = list_members(z, why);
    if (status == RX_OK) {
        *out = z;
    } else {
        npz_close(z);
    }
    return status;
}

void npz_close(npz *z) {
    if (!z) return;
    for (size_t i = 0; i < z->count; i++) free(z->name[i]);
    free(z->name);
    free(z->place);
    free(z->path);
    if (z->zip) zip_discard(z->zip);
    free(z);
}

size_t npz_count(const npz *z) { return z->count; }

const char *npz_name(const npz *z, size_t i) { return z->name[i]; }

// A member being read. `blame` is "path: member", for messages.
typedef struct member {
    zip_file_t *file;
    uint64_t size;  // that the archive claims
    uint8_t *start; // its first bytes: the header, and perhaps data
    size_t start_size;
    npy_info info;
    const char *blame;
    char *why;
} member;

// Deflate makes at most 1032 bytes of one, so a claim beyond that is a lie whatever follows.
static rx_status check_claim(const zip_stat_t *stat, const member *m) {
    enum { DEFLATE_MAX = 1032 };
    uint64_t wanted = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if ((stat->valid & wanted) != wanted)
        return why_fail(m->why, RX_BAD_FILE, "%s: the archive gives no size", m->blame);
    if (stat->comp_method != ZIP_CM_STORE && stat->comp_method != ZIP_CM_DEFLATE)
        return why_fail(m->why, RX_UNSUPPORTED, "%s: compression method %u; stored and deflated members are read",
                        m->blame, stat->comp_method);
    bool possible =
        stat->comp_method == ZIP_CM_STORE ? stat->comp_size == stat->size : stat->size / DEFLATE_MAX <= stat->comp_size;
    if (possible) return RX_OK;
    return why_fail(m->why, RX_BAD_FILE, "%s: %s can't come out of %llu", m->blame, COUNTED(stat->size, "byte"),
                    (unsigned long long)stat->comp_size);
}

// All of `size` bytes or a reason: libzip may give fewer at a time.
static rx_status read_bytes(const member *m, void *to, size_t size) {
    uint8_t *at = to;
    while (size) {
        zip_int64_t n = zip_fread(m->file, at, size);
        if (n <= 0)
            return why_fail(m->why, RX_BAD_FILE, "%s: %s", m->blame,
                            n ? zip_file_strerror(m->file) : "the member ends before its data does");
        at += n;
        size -= (size_t)n;
    }
    return RX_OK;
}

// At the end libzip compares the checksum.
static rx_status check_end(const member *m) {
    uint8_t byte;
    zip_int64_t n = zip_fread(m->file, &byte, 1);
    if (n == 0) return RX_OK;
    return why_fail(m->why, RX_BAD_FILE, "%s: %s", m->blame,
                    n < 0 ? zip_file_strerror(m->file) : "bytes after the data");
}

// The start of the member is enough for any header; what follows it in there is data already.
static rx_status read_header(member *m) {
    char reason[FILE_WHY];
    m->start_size = m->size < NPY_MAX_HEADER ? (size_t)m->size : NPY_MAX_HEADER;
    m->start = malloc(m->start_size + 1);
    if (!m->start) return out_of_memory(m->blame, m->why);
    RX_TRY(read_bytes(m, m->start, m->start_size));
    rx_status status = npy_parse_header(m->start, m->start_size, (dtype){0}, &m->info, reason);
    if (status != RX_OK) return why_fail(m->why, status, "%s: %s", m->blame, reason);
    if (m->info.data_bytes == m->size - m->info.header_bytes) return RX_OK;
    return why_fail(m->why, RX_BAD_FILE, "%s: the header asks for %s of data, but the member has %llu", m->blame,
                    COUNTED(m->info.data_bytes, "byte"), (unsigned long long)(m->size - m->info.header_bytes));
}

// The data, of which a part may have come with the header.
static rx_status read_data(const member *m, uint8_t *to) {
    size_t have = m->start_size - m->info.header_bytes;
    memcpy(to, m->start + m->info.header_bytes, have);
    RX_TRY(read_bytes(m, to + have, m->info.data_bytes - have));
    return check_end(m);
}

// The usual case: inflated (or copied) into the tensor, without a buffer between.
static rx_status read_plain(const member *m, tensor **out) {
    tensor *t;
    rx_status status = tensor_new(m->info.type, m->info.rank, m->info.dim, &t);
    if (status != RX_OK) return out_of_memory(m->blame, m->why);
    status = read_data(m, t->data);
    if (status == RX_OK) {
        *out = t;
    } else {
        tensor_release(t);
    }
    return status;
}

// Big-endian, Fortran-ordered, bool and sub-byte arrays: through a buffer of the file's form.
static rx_status read_converted(const member *m, tensor **out) {
    uint8_t *data = malloc(m->info.data_bytes + 1);
    if (!data) return out_of_memory(m->blame, m->why);
    rx_status status = read_data(m, data);
    if (status == RX_OK) {
        status = npy_convert(&m->info, data, out);
        if (status != RX_OK) out_of_memory(m->blame, m->why);
    }
    free(data);
    return status;
}

static rx_status read_member(npz *z, uint64_t place, member *m, tensor **out) {
    zip_stat_t stat;
    if (zip_stat_index(z->zip, place, 0, &stat) != 0)
        return why_fail(m->why, RX_BAD_FILE, "%s: %s", m->blame, zip_strerror(z->zip));
    RX_TRY(check_claim(&stat, m));
    m->size = stat.size;
    m->file = zip_fopen_index(z->zip, place, 0);
    if (!m->file) {
        zip_error_t *error = zip_get_error(z->zip);
        return why_fail(m->why, status_of_zip(zip_error_code_zip(error)), "%s: %s", m->blame,
                        zip_error_strerror(error));
    }
    RX_TRY(read_header(m));
    return npy_is_plain(&m->info) ? read_plain(m, out) : read_converted(m, out);
}

rx_status npz_read(npz *z, const char *name, tensor **out, char why[FILE_WHY]) {
    char blame[FILE_WHY / 2];
    size_t i = 0;
    while (i < z->count && strcmp(z->name[i], name) != 0) i++;
    if (i == z->count) return why_fail(why, RX_NOT_FOUND, "%s: no member %s.npy", z->path, name);
    snprintf(blame, sizeof blame, "%s: %s", z->path, name);
    member m = {.blame = blame, .why = why};
    rx_status status = read_member(z, z->place[i], &m, out);
    if (m.file) zip_fclose(m.file);
    free(m.start);
    return status;
}
