// gguf.c - opening GGUF files: the header, the files of a split model, search by name.
#include "checkpoint/gguf.h"
#include "base/count_noun.h"
#include "base/file.h"
#include "base/text.h"
#include "checkpoint/gguf_inside.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    OLDEST_VERSION = 2,
    NEWEST_VERSION = 3,
    ALIGNMENT = 32,   // where the file doesn't say
    MOST_PARTS = 999, // of a split model
};

// --- One file.

static rx_status read_alignment(const gguf *g, gguf_part *part, char *why) {
    gguf_pair p;
    int64_t n = ALIGNMENT;
    if (gguf_find(g, "general.alignment", &p) &&
        // n & (n - 1) takes the lowest bit off: 0 for powers of two.
        (p.is_array || !gguf_int(&p, 0, &n) || n < 1 || n > INT32_MAX || (n & (n - 1))))
        return why_fail(why, RX_BAD_FILE, "gguf: general.alignment: want a power of two");
    part->alignment = (uint32_t)n;
    return RX_OK;
}

static rx_status read_version(gguf_reader *r, uint32_t *out) {
    uint64_t version = 0;
    RX_TRY(gguf_take(r, 4, &version));
    // A small number whose bytes stand the other way round.
    if (version && !(version & 0xffff))
        return why_fail(r->why, RX_UNSUPPORTED, "gguf: the file is big-endian; only little-endian files are supported");
    if (version < OLDEST_VERSION || version > NEWEST_VERSION)
        return why_fail(r->why, RX_UNSUPPORTED, "gguf: version %" PRIu64 "; versions 2 and 3 are supported", version);
    *out = (uint32_t)version;
    return RX_OK;
}

// Pairs come before the infos, because the alignment that places the data is one of them.
static rx_status read_part(gguf *g, gguf_part *part, char *why) {
    gguf_reader r = {.at = part->bytes, .end = part->bytes + part->size, .why = why};
    uint64_t magic = 0, tensors = 0, pairs = 0;
    if (part->size < 4 || memcmp(part->bytes, "GGUF", 4) != 0) return gguf_bad(&r, "the file doesn't begin with GGUF");
    RX_TRY(gguf_take(&r, 4, &magic));
    RX_TRY(read_version(&r, &g->version));
    RX_TRY(gguf_take(&r, 8, &tensors));
    RX_TRY(gguf_take(&r, 8, &pairs));
    RX_TRY(gguf_read_pairs(&r, pairs, g));
    RX_TRY(read_alignment(g, part, why));
    return gguf_read_infos(&r, tensors, g, part);
}

// Takes over the mapped file whatever happens.
static rx_status open_part(gguf_part part, gguf **out, char *why) {
    gguf *g = calloc(1, sizeof *g);
    gguf_part *parts = malloc(sizeof *parts);
    *out = NULL;
    if (!g || !parts) {
        free(g);
        free(parts);
        file_unmap(&part.file);
        return why_fail(why, RX_OUT_OF_MEMORY, "gguf: out of memory");
    }
    *parts = part;
    g->part = parts, g->parts = 1;
    rx_status status = read_part(g, g->part, why);
    if (status == RX_OK)
        *out = g;
    else
        gguf_close(g);
    return status;
}

static rx_status sort_tensors(gguf *g, char *why) {
    g->sorted = malloc(g->infos * sizeof *g->sorted + 1);
    if (!g->sorted) return why_fail(why, RX_OUT_OF_MEMORY, "gguf: out of memory");
    if (g->infos) memcpy(g->sorted, g->info, g->infos * sizeof *g->sorted);
    return gguf_sort(g->sorted, g->infos, "tensors", why);
}

// Gives *g back on success; closes it and makes it NULL otherwise.
// Tensors are sorted once all files of a split model are there: a name may come twice in two files.
static rx_status finish(rx_status status, gguf **g, char *why) {
    if (status == RX_OK) status = sort_tensors(*g, why);
    if (status == RX_OK) return RX_OK;
    gguf_close(*g);
    *g = NULL;
    return status;
}

rx_status gguf_parse(const uint8_t *bytes, size_t size, gguf **out, char why[FILE_WHY]) {
    return finish(open_part((gguf_part){.bytes = bytes, .size = size}, out, why), out, why);
}

void gguf_close(gguf *g) {
    if (!g) return;
    for (size_t i = 0; i < g->parts; i++) file_unmap(&g->part[i].file);
    free(g->part);
    free(g->pair);
    free(g->info);
    free(g->sorted);
    free(g);
}

void gguf_forget(const gguf *g) {
    for (size_t i = 0; i < g->parts; i++) file_forget(&g->part[i].file);
}

// --- Split models.

static rx_status open_file(const char *path, gguf **out, char *why) {
    gguf_part part = {0};
    char inside[FILE_WHY];
    RX_TRY(file_map(path, &part.file, why));
    part.bytes = part.file.data, part.size = part.file.size;
    rx_status status = open_part(part, out, inside);
    return status == RX_OK ? RX_OK : why_fail(why, status, "%.200s: %.250s", path, inside);
}

// Writers use u16, u32 and i32 for these keys.
static int64_t split_number(const gguf *g, const char *key, int64_t otherwise) {
    gguf_pair p;
    int64_t n = otherwise;
    return gguf_find(g, key, &p) && !p.is_array && gguf_int(&p, 0, &n) ? n : otherwise;
}

// Moves the files and infos of `from` to the end of `to`; `from` is closed.
// The pointers into the other file stay right: its mapping moves over with them. Its keys are dropped; only the first
// file's count.
static rx_status append(gguf *to, gguf *from, char *why) {
    gguf_part *part = realloc(to->part, (to->parts + 1) * sizeof *part);
    if (part) to->part = part;
    const uint8_t **info = part ? realloc(to->info, (to->infos + from->infos) * sizeof *info + 1) : NULL;
    if (info) {
        to->info = info;
        memcpy(info + to->infos, from->info, from->infos * sizeof *info);
        to->infos += from->infos;
        to->part[to->parts++] = from->part[0];
        from->parts = 0;
    }
    gguf_close(from);
    return info ? RX_OK : why_fail(why, RX_OUT_OF_MEMORY, "gguf: out of memory");
}

static rx_status append_file(gguf *g, const char *path, int64_t number, int64_t count, char *why) {
    gguf *other;
    RX_TRY(open_file(path, &other, why));
    if (split_number(other, "split.no", -1) == number && split_number(other, "split.count", -1) == count)
        return append(g, other, why);
    gguf_close(other);
    return why_fail(why, RX_BAD_FILE, "%.300s: want part %" PRId64 " of %" PRId64 " of a split model", path, number + 1,
                    count);
}

// The names are a convention of llama.cpp's gguf-split, and the only link between the files.
static rx_status open_others(gguf *g, const char *path, int64_t count, char *why) {
    char ending[40], name[4096];
    snprintf(ending, sizeof ending, "-00001-of-%05" PRId64 ".gguf", count);
    if (split_number(g, "split.no", 0) != 0 || !text_ends(path, ending))
        return why_fail(why, RX_INVALID_ARGUMENT,
                        "%.200s: a part of a split model; give its first file, whose name ends with %s", path, ending);
    for (int64_t i = 1; i < count; i++) {
        int stem = (int)(strlen(path) - strlen(ending));
        int size = snprintf(name, sizeof name, "%.*s-%05" PRId64 "-of-%05" PRId64 ".gguf", stem, path, i + 1, count);
        if ((size_t)size >= sizeof name) return why_fail(why, RX_INVALID_ARGUMENT, "gguf: the path is too long");
        RX_TRY(append_file(g, name, i, count, why));
    }
    int64_t all = split_number(g, "split.tensors.count", (int64_t)g->infos);
    if (all == (int64_t)g->infos) return RX_OK;
    return why_fail(why, RX_BAD_FILE, "%.200s: the parts hold %s, %" PRId64 " are promised", path,
                    COUNTED(g->infos, "tensor"), all);
}

rx_status gguf_open(const char *path, gguf **out, char why[FILE_WHY]) {
    *out = NULL;
    RX_TRY(open_file(path, out, why));
    int64_t count = split_number(*out, "split.count", 1);
    rx_status status = RX_OK;
    if (count > MOST_PARTS) status = why_fail(why, RX_BAD_FILE, "%.200s: split.count: too many parts", path);
    if (status == RX_OK && count > 1) status = open_others(*out, path, count, why);
    char inside[FILE_WHY] = "";
    // Sentences of open_others name the file already.
    bool opened = status == RX_OK;
    status = finish(status, out, inside);
    return status == RX_OK || !opened ? status : why_fail(why, status, "%.200s: %.250s", path, inside);
}

uint32_t gguf_version(const gguf *g) { return g->version; }

// Header and pairs lie at the beginning of the first file, one behind the other.
rx_status gguf_copy_pairs(const gguf *g, uint8_t **out, size_t *size, char why[FILE_WHY]) {
    const uint8_t *bytes = g->part[0].bytes;
    *size = (size_t)(g->pairs_end - bytes);
    *out = malloc(*size);
    if (!*out) return why_fail(why, RX_OUT_OF_MEMORY, "gguf: out of memory");
    memcpy(*out, bytes, *size);
    memset(*out + 8, 0, 8); // the number of tensors
    return RX_OK;
}
