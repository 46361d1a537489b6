// packed.c - the layout of packed weights: what a format's row says about it, and its parts as compute text.
#include "ops/packed.h"
#include "base/text.h"
#include "graph/op.h"
#include "ops/format_text.h"
#include <string.h>

// --- What a row says.

static bool is_half(const char *expression) { return strncmp(expression, "f16(", 4) == 0 && !strchr(expression, '*'); }

// Codebooks are looked up once an element: in bytes, not bit by bit.
static uint32_t bits_of(const block_format *f) {
    uint32_t bits = 1;
    while (f->high - f->low >= 1 << bits) bits++;
    return bits > 4 && strstr(f->quant, "grid(") ? 8 : bits;
}

packing packing_of(const block_format *f) {
    const format_head *head = format_head_of(f);
    packing p = {.unit = f->group < PACKED_PIECE ? f->group : PACKED_PIECE, .bits = bits_of(f)};
    p.head = head ? (head->bytes[0] + head->bytes[1]) / 2 : 0;
    p.half = is_half(f->scale);
    p.count = p.head ? p.head : f->elements / f->group;
    return p;
}

bool format_packs(const block_format *f) {
    // Offsets come in heads, and with quants that begin at 0.
    if (format_has_offset(f) && (f->low || !format_head_of(f))) return false;
    return f->elements > 1 && f->high - f->low < 256 && f->group % 16 == 0 && f->elements % PACKED_PIECE == 0;
}

const block_format *packed_format(const node *n) {
    const attr *name = node_attr(n, "format");
    const block_format *f = name->kind == ATTR_STRING ? format_find(name->as.text) : NULL;
    return f && format_packs(f) ? f : NULL;
}

bool packed_holds(infer_ctx *c, const node *n, uint32_t i, int64_t rows) {
    packing p = packing_of(packed_format(n));
    const expr *lanes = dim_int(c, PACKED_LANES), *groups = dim_int(c, (rows + PACKED_LANES - 1) / PACKED_LANES);
    return infer_want_least(c, n, i, 0, groups) && infer_want_dim(c, n, i, 2, dim_int(c, p.bits)) &&
           infer_want_dim(c, n, i, 3, lanes) && infer_want_least(c, n, i + 1, 0, groups) &&
           (!p.head || infer_want_dim(c, n, i + 1, 2, dim_int(c, p.head))) &&
           infer_want_dim(c, n, i + 1, p.head ? 3 : 2, lanes);
}

bool packed_scales_fit(infer_ctx *c, const node *n, uint32_t i, int64_t size) {
    const block_format *f = packed_format(n);
    packing p = packing_of(f);
    return infer_want_dim(c, n, i, 1, dim_int(c, size / f->elements * (p.head ? 1 : p.count)));
}

uint32_t packed_planes(uint32_t bits, packed_plane out[4]) {
    uint32_t count = 0, low = 0;
    for (uint32_t p = 8; p; p /= 2) {
        if (!(bits & p)) continue;
        out[count++] = (packed_plane){.bits = p, .low = low, .first = low};
        low += p;
    }
    return count;
}

// --- As text.

const char *packed_word_text(arena *mem, uint32_t bits, uint32_t i, const char *quants, const char *lane) {
    packed_plane plane[4];
    uint32_t count = packed_planes(bits, plane);
    text t = TEXT_IN(mem);
    for (uint32_t k = 0; k < count; k++) {
        const packed_plane *p = &plane[k];
        uint32_t up = i / p->bits * p->bits, mask = ((1u << p->bits) - 1) * 0x01010101u << p->low;
        text_format(&t, "%s%s%u, %s]", k ? " | " : "", quants, p->first + i % p->bits, lane);
        if (up > p->low) text_format(&t, " >> %u", up - p->low);
        if (up < p->low) text_format(&t, " << %u", p->low - up);
        if (p->bits < 8) text_format(&t, " & 0x%08x", mask);
    }
    return text_get(&t);
}

const char *packed_head_text(arena *mem, const block_format *f, const char *expression, const char *k, const char *head,
                             const char *lane) {
    const format_words words = {.head = format_head_of(f), .at = head, .lane = lane};
    return format_text_in_words(mem, expression, k, &words);
}
