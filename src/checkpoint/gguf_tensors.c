// gguf_tensors.c - the tensors of GGUF files.
#include "base/file.h"
#include "base/size.h"
#include "base/utf8.h"
#include "checkpoint/gguf_inside.h"
#include <stdlib.h>

enum { SHORTEST_INFO = 24 }; // bytes: an empty name, no dims, a type, an offset

// Those with a row in formats.def can be decoded; the others are known by their size, so that a file that has them
// can be described.
static const gguf_type types[] = {
#define FORMAT(KIND, spelling, gguf, elements, bytes, group, low, high, quant, scale, offset, doc)                     \
    {spelling, gguf, elements, bytes, true},
#include "tensor/formats.def"
#define GGUF_TYPE(number, name, block, bytes) {name, number, block, bytes, false},
#include "checkpoint/gguf_types.def"
};

static const struct {
    uint32_t number;
    dtype type;
} plain[] = {
#define GGUF_PLAIN(number, KIND) {number, {.kind = DTYPE_##KIND, .lanes = 1}},
#include "checkpoint/gguf_types.def"
};

const gguf_type *gguf_type_of(uint32_t number) {
    for (size_t i = 0; i < COUNT(types); i++)
        if (types[i].number == number) return &types[i];
    return NULL;
}

dtype gguf_plain(const gguf_type *type) {
    for (size_t i = 0; i < COUNT(plain); i++)
        if (plain[i].number == type->number) return plain[i].type;
    return (dtype){0};
}

// --- Decoding what was checked.

// A tensor's row of the file, as it lies there.
typedef struct info_fields {
    text_span name;
    uint32_t rank, number;
    const uint8_t *dims;
    uint64_t offset;
} info_fields;

static info_fields fields_at(const uint8_t *at) {
    info_fields f = {.name = gguf_text_at(at)};
    at = (const uint8_t *)f.name.at + f.name.size;
    f.rank = (uint32_t)gguf_number(at, 4);
    f.dims = at + 4;
    f.number = (uint32_t)gguf_number(f.dims + f.rank * 8, 4);
    f.offset = gguf_number(f.dims + f.rank * 8 + 4, 8);
    return f;
}

// Dims turned round; false for one over INT64_MAX.
static bool read_dims(const info_fields *f, int64_t dim[GGUF_MAX_RANK]) {
    for (uint32_t i = 0; i < f->rank; i++) {
        uint64_t n = gguf_number(f->dims + i * 8, 8);
        if (n > INT64_MAX) return false;
        dim[f->rank - 1 - i] = (int64_t)n;
    }
    return true;
}

// Bytes of a tensor, false if that overflows.
// The fastest dim is a whole number of blocks (check_info), so the quotient is one too.
static bool tensor_bytes(const gguf_type *type, uint32_t rank, const int64_t *dim, size_t *out) {
    size_t count = 1, n;
    for (uint32_t i = 0; i < rank; i++)
        if (!size_from_dim(dim[i], &n) || !size_mul(count, n, &count)) return false;
    return size_mul(count / type->block, type->bytes, out);
}

static gguf_tensor tensor_from(const uint8_t *at, const gguf_part *part) {
    info_fields f = fields_at(at);
    gguf_tensor t = {.name = f.name, .rank = f.rank, .number = f.number, .type = gguf_type_of(f.number)};
    CHECK(read_dims(&f, t.dim));
    if (!t.type) return t;
    CHECK(tensor_bytes(t.type, t.rank, t.dim, &t.bytes));
    t.data = part->data + f.offset;
    return t;
}

// --- Reading once, with checks.

// Passes over one info with its bounds checked; what it says is judged when the data's beginning is known.
static rx_status skip_info(gguf_reader *r) {
    uint64_t rank = 0, rest;
    RX_TRY(gguf_take_text(r, &r->what));
    if (r->what.size > GGUF_MAX_NAME) return gguf_bad(r, "a tensor's name is longer than 64 bytes");
    if (utf8_first_bad(r->what.at, r->what.size) != r->what.size) {
        // A name that is no text stays out of the message.
        r->what = (text_span){0};
        return gguf_bad(r, "a tensor's name is not UTF-8");
    }
    RX_TRY(gguf_take(r, 4, &rank));
    if (rank > GGUF_MAX_RANK) return gguf_bad(r, "a tensor of more than 4 dims");
    while (rank--) RX_TRY(gguf_take(r, 8, &rest));
    RX_TRY(gguf_take(r, 4, &rest));
    return gguf_take(r, 8, &rest);
}

static rx_status check_info(gguf_reader *r, const uint8_t *at, const gguf_part *part) {
    info_fields f = fields_at(at);
    int64_t dim[GGUF_MAX_RANK];
    size_t bytes, data = (size_t)(part->bytes + part->size - part->data);
    const gguf_type *type = gguf_type_of(f.number);
    r->what = f.name;
    if (!read_dims(&f, dim)) return gguf_bad(r, "a dim is over 2^63");
    // Such a tensor is refused by name where somebody wants to use it.
    if (!type) return RX_OK; // its size isn't known
    if ((f.rank ? dim[f.rank - 1] : 1) % type->block) return gguf_bad(r, "its rows are no whole number of blocks");
    if (!tensor_bytes(type, f.rank, dim, &bytes)) return gguf_bad(r, "its dims overflow");
    if (f.offset % part->alignment) return gguf_bad(r, "its offset is not a multiple of the file's alignment");
    if (f.offset > data || bytes > data - f.offset)
        return gguf_bad(r, "the file ends before its data does; was it cut off?");
    return RX_OK;
}

rx_status gguf_read_infos(gguf_reader *r, uint64_t count, gguf *g, gguf_part *part) {
    // Before memory is taken for them.
    if (count > (size_t)(r->end - r->at) / SHORTEST_INFO)
        return gguf_bad(r, "more tensors are promised than fit the file");
    g->info = malloc((size_t)count * sizeof *g->info + 1);
    if (!g->info) return why_fail(r->why, RX_OUT_OF_MEMORY, "gguf: out of memory");
    for (; g->infos < count; g->infos++) {
        g->info[g->infos] = r->at;
        RX_TRY(skip_info(r));
    }
    size_t used = (size_t)(r->at - part->bytes), begin;
    // A file of keys alone may end before the padding.
    if (!size_align(used, part->alignment, &begin) || begin > part->size) begin = part->size;
    part->data = part->bytes + begin;
    for (size_t i = 0; i < g->infos; i++) RX_TRY(check_info(r, g->info[i], part));
    r->what = (text_span){0};
    return RX_OK;
}

// --- Looking.

// Which file of a split model an info lies in is told by its address.
static gguf_tensor tensor_in(const gguf *g, const uint8_t *at) {
    const gguf_part *part = g->part;
    while ((uintptr_t)at < (uintptr_t)part->bytes || (uintptr_t)at >= (uintptr_t)part->bytes + part->size) part++;
    return tensor_from(at, part);
}

size_t gguf_tensor_count(const gguf *g) { return g->infos; }

gguf_tensor gguf_tensor_at(const gguf *g, size_t i) {
    CHECK(i < g->infos);
    return tensor_in(g, g->info[i]);
}

bool gguf_find_tensor(const gguf *g, const char *name, gguf_tensor *out) {
    const uint8_t *at = gguf_search(g->sorted, g->infos, name);
    if (at) *out = tensor_in(g, at);
    return at != NULL;
}
