// rx_pack.c - R.rx.pack_quants, R.rx.pack_scales, R.rx.pack_offsets: quantised weights laid out for integer dot
// products.
#include "ops/format_text.h"
#include "ops/packed.h"
#include "ops/table.h"
#include <string.h>

packing packing_of(const block_format *f) {
    packing p = {.unit = f->group < ACTIVATION_GROUP ? f->group : ACTIVATION_GROUP};
    p.bits = f->high - f->low < 16 ? 4 : 8;
    p.words = p.unit * p.bits / 32;
    return p;
}

bool format_packs(const block_format *f) { return f->elements > 1 && f->high - f->low < 256 && f->group % 16 == 0; }

bool format_is_half(const char *expression) { return strncmp(expression, "f16(", 4) == 0 && !strchr(expression, '*'); }

static const block_format *format_of(const node *n) { return format_find(node_attr(n, "format")->as.text); }

// (rows, bytes) -> the dims (rows / 16, parts of a row of so many elements).
static const ann *infer(infer_ctx *c, const node *n, dtype type, uint32_t elements, uint32_t words) {
    const ann *x = infer_in(n, 0);
    const block_format *f = format_of(n);
    char spelled[32];
    int64_t bytes;
    if (x->type.kind && !dtype_equal(x->type, DTYPE_OF(U8)))
        return infer_error(c, n, "bytes: want uint8, got %s", dtype_spell(x->type, spelled));
    if (!infer_want_rank(c, n, 0, 2)) return NULL;
    if (!has_dims(x)) return infer_rank(c, x, type, words ? 4 : 3);
    if (!expr_const_int(x->dim[1], &bytes) || bytes % f->bytes)
        return infer_error(c, n, "bytes: want rows of whole %s blocks of %u bytes, got %s", f->name, f->bytes,
                           dims_text(c, x));
    const expr *groups = dim_op(c, EXPR_ADD, x->dim[0], dim_int(c, PACKED_LANES - 1));
    const expr *dim[] = {dim_op(c, EXPR_FLOOR_DIV, groups, dim_int(c, PACKED_LANES)),
                         dim_int(c, bytes / f->bytes * (f->elements / elements)), dim_int(c, words),
                         dim_int(c, PACKED_LANES)};
    if (!words) dim[2] = dim[3];
    return infer_tensor(c, x, type, dim, words ? 4 : 3);
}

static bool check_format(infer_ctx *c, const node *n) {
    const attr *name = node_attr(n, "format");
    const block_format *f = name->kind == ATTR_STRING ? format_find(name->as.text) : NULL;
    if (f && format_packs(f)) return true;
    return infer_error(c, n, "format: want one of blocks with quants of at most 8 bits"), false;
}

static const ann *infer_quants(infer_ctx *c, const node *n) {
    if (!check_format(c, n)) return NULL;
    packing p = packing_of(format_of(n));
    return infer(c, n, DTYPE_OF(U32), p.unit, p.words);
}

static const ann *infer_part(infer_ctx *c, const node *n, bool offsets) {
    if (!check_format(c, n)) return NULL;
    const block_format *f = format_of(n);
    bool half = format_is_half(offsets ? f->offset : f->scale);
    return infer(c, n, half ? DTYPE_OF(F16) : DTYPE_OF(F32), f->group, 0);
}

static const ann *infer_scales(infer_ctx *c, const node *n) { return infer_part(c, n, false); }
static const ann *infer_offsets(infer_ctx *c, const node *n) { return infer_part(c, n, true); }

// An expression of the format for row g * 16 + l; `place` is the element's place in the row.
static const char *element_text(arena *mem, const block_format *f, const char *expression, const char *place) {
    const char *k = arena_format(mem, "(%s) %% %u", place, f->elements);
    const char *row = arena_format(mem, "max(min(g * %d + l, dim(bytes, 0) - 1), 0)", PACKED_LANES);
    const char *at = arena_format(mem, "bytes[%s, (%s) // %u * %u", row, place, f->elements, f->bytes);
    return format_text(mem, expression, k, at);
}

// out[g, u, w, l]: byte c of a word is element 4 w + c of the unit, and in its upper nibble the one half a unit
// further.
static const loop_func *lower_quants(const lower_ctx *c, const node *n) {
    const block_format *f = format_of(n);
    packing p = packing_of(f);
    text word = TEXT_IN(c->mem);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t half = 0; half < 8 / p.bits; half++) {
            const char *place = arena_format(c->mem, "u * %u + w * 4 + %u", p.unit, i + half * p.unit / 2);
            text_format(&word, "%s(%s - (%d)) << %u", word.len ? " | " : "", element_text(c->mem, f, f->quant, place),
                        f->low, 8 * i + 4 * half);
        }
    return compute_build(c, n, arena_format(c->mem, "out[g, u, w, l] = cast(%s, uint32)", text_get(&word)), NULL, 0);
}

static const loop_func *lower_part(const lower_ctx *c, const node *n, bool offsets) {
    const block_format *f = format_of(n);
    const char *place = arena_format(c->mem, "s * %u", f->group);
    const char *value = element_text(c->mem, f, offsets ? f->offset : f->scale, place);
    return compute_build(c, n, arena_format(c->mem, "out[g, s, l] = %s", value), NULL, 0);
}

static const loop_func *lower_scales(const lower_ctx *c, const node *n) { return lower_part(c, n, false); }
static const loop_func *lower_offsets(const lower_ctx *c, const node *n) { return lower_part(c, n, true); }

#define INPUTS {IN("bytes", TENSOR, "uint8, [rows, bytes]: rows of whole blocks")}
#define FORMAT_ATTR {ATTR("format", STRING, NULL, "of the blocks (docs/formats.md)")}

const op op_rx_pack_quants = {
    .name = "rx.pack_quants",
    .doc = "The quants of a weight, unsigned, 16 rows side by side: [rows / 16, units, words, 16].",
    .input = INPUTS,
    .attr = FORMAT_ATTR,
    .infer = infer_quants,
    .lower = lower_quants,
    .samples = {"x=u8[17,36] | R.rx.pack_quants(x, format=\"q4_0\")",
                "x=u8[3,34] | R.rx.pack_quants(x, format=\"q8_0\")"},
};
const op op_rx_pack_scales = {
    .name = "rx.pack_scales",
    .doc = "The scales of a weight, 16 rows side by side: [rows / 16, groups, 16].",
    .input = INPUTS,
    .attr = FORMAT_ATTR,
    .infer = infer_scales,
    .lower = lower_scales,
    .samples = {"x=u8[17,36] | R.rx.pack_scales(x, format=\"q4_0\")",
                "x=u8[2,210] | R.rx.pack_scales(x, format=\"q6_k\")",
                "x=u8[2,36] | R.rx.pack_scales(x, format=\"q4_0\")"},
};
const op op_rx_pack_offsets = {
    .name = "rx.pack_offsets",
    .doc = "The offsets of a weight, 16 rows side by side: [rows / 16, groups, 16].",
    .input = INPUTS,
    .attr = FORMAT_ATTR,
    .infer = infer_offsets,
    .lower = lower_offsets,
    .samples = {"x=u8[17,40] | R.rx.pack_offsets(x, format=\"q4_1\")",
                "x=u8[2,40] | R.rx.pack_offsets(x, format=\"q4_1\")"},
};
