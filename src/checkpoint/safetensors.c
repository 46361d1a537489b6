// safetensors.c - opening files of tensors: the header's claims against the bytes there are.
#include "base/count_noun.h"
#include "base/file.h"
#include "checkpoint/safetensors_inside.h"
#include "tensor/shape.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_BYTES = 8, MAX_HEADER = 100000000 }; // the reference implementation's limit

void safetensors_close(safetensors *s) {
    if (!s) return;
    for (size_t i = 0; i < s->entries; i++) free((char *)(uintptr_t)s->entry[i].name);
    for (size_t i = 0; i < s->metas; i++) {
        free(s->meta[i].key);
        free(s->meta[i].value);
    }
    free(s->entry);
    free(s->range);
    free(s->meta);
    file_unmap(&s->file);
    free(s);
}

void safetensors_forget(const safetensors *s) { file_forget(&s->file); }

// --- Order: by place, then by name.

typedef struct sorted {
    safetensors_entry entry;
    safetensors_range range;
} sorted;

// Empty tensors share their place with a neighbour; the name makes the order one and the same on every machine.
static int by_place(const void *a, const void *b) {
    const sorted *x = a, *y = b;
    if (x->range.begin != y->range.begin) return x->range.begin < y->range.begin ? -1 : 1;
    if (x->range.end != y->range.end) return x->range.end < y->range.end ? -1 : 1;
    return strcmp(x->entry.name, y->entry.name);
}

static rx_status sort_entries(safetensors *s, char *why) {
    sorted *list = calloc(s->entries + 1, sizeof *list);
    if (!list) return why_fail(why, RX_OUT_OF_MEMORY, "no memory");
    for (size_t i = 0; i < s->entries; i++) list[i] = (sorted){s->entry[i], s->range[i]};
    qsort(list, s->entries, sizeof *list, by_place);
    for (size_t i = 0; i < s->entries; i++) {
        s->entry[i] = list[i].entry;
        s->range[i] = list[i].range;
    }
    free(list);
    return RX_OK;
}

// --- Checks.

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

// JSON lets a name come twice, the format forbids it.
static rx_status names_differ(const safetensors *s, char *why) {
    const char **name = calloc(s->entries + 1, sizeof *name);
    rx_status status = name ? RX_OK : why_fail(why, RX_OUT_OF_MEMORY, "no memory");
    for (size_t i = 0; name && i < s->entries; i++) name[i] = s->entry[i].name;
    if (name) qsort(name, s->entries, sizeof *name, by_name);
    for (size_t i = 1; name && i < s->entries && status == RX_OK; i++)
        if (strcmp(name[i - 1], name[i]) == 0)
            status = why_fail(why, RX_BAD_FILE, "two tensors are called %.100s", name[i]);
    free(name);
    return status;
}

// Ranges tile the data; each is as long as its shape asks.
// As the reference implementation asks: no holes (which could hide other data) and no overlaps.
static rx_status place_entries(safetensors *s, const uint8_t *data, size_t size, char *why) {
    uint64_t expected = 0;
    for (size_t i = 0; i < s->entries; i++) {
        safetensors_entry *e = &s->entry[i];
        const safetensors_range *r = &s->range[i];
        if (r->begin != expected || r->end > size)
            return why_fail(why, RX_BAD_FILE,
                            "%.100s: its bytes are %" PRIu64 " to %" PRIu64 ", but the next free byte is %" PRIu64
                            " of %zu",
                            e->name, r->begin, r->end, expected, size);
        e->bytes = (size_t)(r->end - r->begin);
        e->data = data + r->begin;
        size_t bytes;
        if (!shape_bytes(e->type, e->rank, e->dim, &bytes) || bytes != e->bytes)
            return why_fail(why, RX_BAD_FILE, "%.100s: its shape does not fit its %s", e->name,
                            COUNTED(e->bytes, "byte"));
        expected = r->end;
    }
    if (expected != size)
        return why_fail(why, RX_BAD_FILE, "%" PRIu64 " of %zu bytes of data belong to no tensor", size - expected,
                        size);
    return RX_OK;
}

static rx_status read_all(const uint8_t *bytes, size_t size, safetensors *s, char *why) {
    uint64_t header = 0;
    if (size < LENGTH_BYTES)
        return why_fail(why, RX_BAD_FILE, "%s are too few for a safetensors file", COUNTED(size, "byte"));
    for (int i = LENGTH_BYTES; i-- > 0;) header = header << 8 | bytes[i];
    if (header > MAX_HEADER || header > size - LENGTH_BYTES)
        return why_fail(why, RX_BAD_FILE,
                        "no safetensors file, or cut off: it begins with the size of a header, %s here, but has %zu",
                        COUNTED(header, "byte"), size);
    const uint8_t *data = bytes + LENGTH_BYTES + header;
    RX_TRY(safetensors_read_header((const char *)bytes + LENGTH_BYTES, (size_t)header, s, why));
    RX_TRY(names_differ(s, why));
    RX_TRY(sort_entries(s, why));
    return place_entries(s, data, size - LENGTH_BYTES - (size_t)header, why);
}

rx_status safetensors_parse(const uint8_t *bytes, size_t size, safetensors **out, char why[FILE_WHY]) {
    safetensors *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s) return why_fail(why, RX_OUT_OF_MEMORY, "no memory");
    rx_status status = read_all(bytes, size, s, why);
    if (status == RX_OK)
        *out = s;
    else
        safetensors_close(s);
    return status;
}

rx_status safetensors_open(const char *path, safetensors **out, char why[FILE_WHY]) {
    mapped_file file;
    char inside[FILE_WHY];
    *out = NULL;
    RX_TRY(file_map(path, &file, why));
    rx_status status = safetensors_parse(file.data, file.size, out, inside);
    if (status == RX_OK)
        (*out)->file = file;
    else
        file_unmap(&file);
    return status == RX_OK ? RX_OK : why_fail(why, status, "%.200s: %.250s", path, inside);
}

// --- Looking.

size_t safetensors_count(const safetensors *s) { return s->entries; }

const safetensors_entry *safetensors_at(const safetensors *s, size_t i) { return i < s->entries ? &s->entry[i] : NULL; }

// From the front: callers with many names to look up have a map of their own (checkpoint.c).
const safetensors_entry *safetensors_find(const safetensors *s, const char *name) {
    for (size_t i = 0; i < s->entries; i++)
        if (strcmp(s->entry[i].name, name) == 0) return &s->entry[i];
    return NULL;
}

const char *safetensors_metadata(const safetensors *s, size_t i, const char **value) {
    if (i >= s->metas) return NULL;
    *value = s->meta[i].value;
    return s->meta[i].key;
}
