// rx_pack.c - R.rx.pack_quants, R.rx.pack_scales: quantised weights laid out for integer dot products (packed.h).
#include "base/count_noun.h"
#include "ops/format_text.h"
#include "ops/packed.h"
#include "ops/table.h"

// (rows, bytes) -> the dims (rows / 16, parts, of a row, [words,] 16): `parts` of each block of the format.
static const ann *infer(infer_ctx *c, const node *n, dtype type, uint32_t parts, uint32_t words) {
    const ann *x = infer_in(n, 0);
    const block_format *f = packed_format(n);
    int64_t bytes;
    if (!infer_want_dtype(c, n, 0, DTYPE_OF(U8))) return NULL;
    if (!infer_want_rank(c, n, 0, 2)) return NULL;
    if (!has_dims(x)) return infer_rank(c, x, type, words ? 4 : 3);
    if (!expr_const_int(x->dim[1], &bytes) || bytes % f->bytes)
        return infer_error(c, n, "bytes: want rows of whole %s blocks of %s, got %s", f->name,
                           COUNTED(f->bytes, "byte"), dims_text(c, x));
    const expr *groups = dim_op(c, EXPR_ADD, x->dim[0], dim_int(c, PACKED_LANES - 1));
    const expr *dim[] = {dim_op(c, EXPR_FLOOR_DIV, groups, dim_int(c, PACKED_LANES)),
                         dim_int(c, bytes / f->bytes * parts), dim_int(c, words), dim_int(c, PACKED_LANES)};
    if (!words) dim[2] = dim[3];
    return infer_tensor(c, x, type, dim, words ? 4 : 3);
}

static bool check_format(infer_ctx *c, const node *n) {
    if (packed_format(n)) return true;
    return infer_error(c, n, "format: want one of blocks with quants of at most 8 bits"), false;
}

static const ann *infer_quants(infer_ctx *c, const node *n) {
    if (!check_format(c, n)) return NULL;
    const block_format *f = packed_format(n);
    packing p = packing_of(f);
    return infer(c, n, DTYPE_OF(U32), f->elements / p.step, p.words);
}

static const ann *infer_scales(infer_ctx *c, const node *n) {
    if (!check_format(c, n)) return NULL;
    packing p = packing_of(packed_format(n));
    if (p.head) return infer(c, n, p.bytes ? DTYPE_OF(U8) : DTYPE_OF(U16), 1, p.head);
    return infer(c, n, p.half ? DTYPE_OF(F16) : DTYPE_OF(F32), p.count, 0);
}

// A byte of row g * 16 + l up to its place in the block; `number`: the block's.
static const char *byte_text(arena *mem, const block_format *f, const char *number) {
    const char *row = arena_format(mem, "max(min(g * %d + l, dim(bytes, 0) - 1), 0)", PACKED_LANES);
    return arena_format(mem, "bytes[%s, (%s) * %u", row, number, f->bytes);
}

// Some bits of a quant, and where in a byte they go: texts.
typedef struct bits_text {
    const char *low, *mask, *up;
} bits_text;

static bits_text bits_of_plane(arena *mem, packed_plane p, uint32_t up) {
    return (bits_text){arena_format(mem, "%u", p.low), arena_format(mem, "%u", (1u << p.bits) - 1),
                       arena_format(mem, "%u", up)};
}

// These bits of four quants, in each byte: `word` of the piece of the block.
static void put_quants(text *t, const lower_ctx *c, const block_format *f, bits_text bits, const char *piece,
                       const char *word) {
    uint32_t pieces = f->elements / PACKED_PIECE, unit = packing_of(f).unit, words = unit / 4;
    const char *at = byte_text(c->mem, f, arena_format(c->mem, "u // %u", pieces));
    packed_codes codes;
    bool coded = packed_codes_of(f, &codes);
    const char *quant = coded ? arena_format(c->mem, "%.*s", codes.size, codes.index) : f->quant;
    for (uint32_t b = 0; b < 4; b++) {
        const char *k = arena_format(c->mem, "%s * %d + %s // %u * %u + %u + %s %% %u", piece, PACKED_PIECE, word,
                                     words, unit, b * words, word, words);
        text_format(t, "%s(cast(%s - (%d), uint32) >> cast(%s, uint32) & cast(%s, uint32)) << cast(%u + %s, uint32)",
                    t->len ? " | " : "", format_text(c->mem, quant, k, at), coded ? 0 : f->low, bits.low, bits.mask,
                    8 * b, bits.up);
    }
}

// Word w of a piece, in the plane that it is in. Others are never asked for, but must stay inside of the piece.
static const char *plane_text(const lower_ctx *c, const block_format *f, packed_plane plane, bool alone) {
    const char *w = alone ? "w"
                          : arena_format(c->mem, "(max(min(w, %u), %u) - %u)", plane.first + plane.bits - 1,
                                         plane.first, plane.first);
    const char *piece = arena_format(c->mem, "u %% %u", f->elements / PACKED_PIECE);
    text t = TEXT_IN(c->mem);
    for (uint32_t up = 0; up < 8; up += plane.bits)
        put_quants(&t, c, f, bits_of_plane(c->mem, plane, up), piece,
                   up ? arena_format(c->mem, "(%s + %u)", w, up) : w);
    return text_get(&t);
}

// The same where pieces take turns: what a field of the round's words holds, one value for each word.
typedef struct field {
    uint32_t piece[8], low[8], mask[8], up[8]; // mask 0: nothing
} field;

// Field number `number` of those of each word.
static field field_of(uint32_t bits, uint32_t number) {
    uint32_t seen[8] = {0};
    field f = {0};
    for (uint32_t j = 0; j < packed_round(bits); j++) {
        packed_turn turn = packed_turn_of(bits, j);
        for (uint32_t k = 0; k < turn.parts; k++) {
            packed_part p = turn.part[k];
            if (seen[p.word]++ != number) continue;
            f.piece[p.word] = j;
            f.low[p.word] = p.to - turn.up;
            f.mask[p.word] = (1u << p.bits) - 1;
            f.up[p.word] = p.from;
        }
    }
    return f;
}

// The value for the word that the text names.
static const char *chosen(arena *mem, const uint32_t *value, uint32_t words, const char *word) {
    const char *out = arena_format(mem, "%u", value[words - 1]);
    bool same = true;
    for (uint32_t i = words - 1; i-- > 0;) {
        same = same && value[i] == value[words - 1];
        if (!same) out = arena_format(mem, "select(%s == %u, %u, %s)", word, i, value[i], out);
    }
    return out;
}

static const char *word_in_turns(const lower_ctx *c, const block_format *f) {
    arena *mem = c->mem;
    uint32_t bits = packing_of(f).bits, words = packed_round_words(bits);
    const char *line = arena_format(mem, "(u %% %u * %u + w)", f->elements / PACKED_PIECE, bits);
    const char *word = arena_format(mem, "%s %% %u", line, words);
    const char *i = arena_format(mem, "(%s // %u %% %d)", line, words, PACKED_WORDS);
    const char *first = arena_format(mem, "%s // %u * %u", line, words * PACKED_WORDS, packed_round(bits));
    text t = TEXT_IN(mem);
    for (uint32_t number = 0;; number++) {
        field now = field_of(bits, number);
        uint32_t any = 0;
        for (uint32_t k = 0; k < words; k++) any |= now.mask[k];
        if (!any) return text_get(&t);
        const bits_text which = {chosen(mem, now.low, words, word), chosen(mem, now.mask, words, word),
                                 chosen(mem, now.up, words, word)};
        put_quants(&t, c, f, which, arena_format(mem, "(%s + %s)", first, chosen(mem, now.piece, words, word)), i);
    }
}

static const char *word_of_piece(const lower_ctx *c, const block_format *f) {
    packed_plane plane[4];
    uint32_t count = packed_planes(packing_of(f).bits, plane);
    const char *word = plane_text(c, f, plane[count - 1], count == 1);
    for (uint32_t i = count - 1; i-- > 0;)
        word = arena_format(c->mem, "if_then_else(w < %u, %s, %s)", plane[i + 1].first,
                            plane_text(c, f, plane[i], false), word);
    return word;
}

// A word of a layout, byte by byte.
static const char *word_of_layout(const lower_ctx *c, const block_format *f) {
    text t = TEXT_IN(c->mem);
    for (uint32_t b = 0; b < 4; b++)
        text_format(&t, "%scast(%s, uint32) << %u", b ? " | " : "",
                    format_byte_text(c->mem, format_layout_of(f), "w", arena_format(c->mem, "%u", b),
                                     byte_text(c->mem, f, "u")),
                    8 * b);
    return text_get(&t);
}

static const loop_func *lower_quants(const lower_ctx *c, const node *n) {
    const block_format *f = packed_format(n);
    const char *word = format_layout_of(f)   ? word_of_layout(c, f)
                       : packing_of(f).round ? word_in_turns(c, f)
                                             : word_of_piece(c, f);
    return compute_build(c, n, arena_format(c->mem, "out[g, u, w, l] = %s", word), NULL, 0);
}

// The place in the block of byte number `i`, a text, of the head.
static const char *head_place(arena *mem, const format_head *h, const char *i) {
    if (!h->bytes[1]) return arena_format(mem, "%s + %u", i, h->first[0]);
    return arena_format(mem, "select(%s < %u, %s + %u, max(%s - %u, 0) * %u + %u)", i, h->bytes[0], i, h->first[0], i,
                        h->bytes[0], h->step, h->first[1]);
}

// The bytes of the head, each, or two by two.
static const loop_func *lower_head(const lower_ctx *c, const node *n) {
    const block_format *f = packed_format(n);
    const format_head *head = format_head_of(f);
    const char *at = byte_text(c->mem, f, "s");
    if (packing_of(f).bytes) {
        const char *place = head_place(c->mem, head, "h");
        return compute_build(c, n, arena_format(c->mem, "out[g, s, h, l] = %s + %s]", at, place), NULL, 0);
    }
    const char *low = head_place(c->mem, head, "h * 2"), *high = head_place(c->mem, head, "(h * 2 + 1)");
    return compute_build(c, n,
                         arena_format(c->mem, "out[g, s, h, l] = cast(%s + %s], uint16) | cast(%s + %s], uint16) << 8",
                                      at, low, at, high),
                         NULL, 0);
}

static const loop_func *lower_scales(const lower_ctx *c, const node *n) {
    const block_format *f = packed_format(n);
    if (packing_of(f).head) return lower_head(c, n);
    uint32_t groups = f->elements / f->group;
    const char *at = byte_text(c->mem, f, arena_format(c->mem, "s // %u", groups));
    const char *k = arena_format(c->mem, "s %% %u * %u", groups, f->group);
    return compute_build(c, n, arena_format(c->mem, "out[g, s, l] = %s", format_text(c->mem, f->scale, k, at)), NULL,
                         0);
}

#define INPUTS {IN("bytes", TENSOR, "uint8, [rows, bytes]: rows of whole blocks")}
const op op_rx_pack_quants = {
    .name = "rx.pack_quants",
    .doc = "The quants of a weight, unsigned, 16 rows side by side: [rows / 16, pieces of 32, bits, 16], or, what they "
           "are made of, [rows / 16, blocks, words, 16], where that is smaller.",
    .input = INPUTS,
    .attr = {PACKED_FORMAT},
    .infer = infer_quants,
    .lower = lower_quants,
    .samples = {"x=u8[17,36] | R.rx.pack_quants(x, format=\"q4_0\")",
                "x=u8[3,34] | R.rx.pack_quants(x, format=\"q8_0\")",
                "x=u8[3,44] | R.rx.pack_quants(x, format=\"q5_0\")",
                "x=u8[3,54] | R.rx.pack_quants(x, format=\"tq1_0\")"},
};
const op op_rx_pack_scales = {
    .name = "rx.pack_scales",
    .doc =
        "The scales of a weight, 16 rows side by side: floats, [rows / 16, groups, 16], or, where a format makes them "
        "of bits, these: [rows / 16, blocks, halves, 16].",
    .input = INPUTS,
    .attr = {PACKED_FORMAT},
    .infer = infer_scales,
    .lower = lower_scales,
    .samples = {"x=u8[17,36] | R.rx.pack_scales(x, format=\"q4_0\")",
                "x=u8[2,210] | R.rx.pack_scales(x, format=\"q6_k\")",
                "x=u8[2,84] | R.rx.pack_scales(x, format=\"q2_k\")"},
};
