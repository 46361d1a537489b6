// rx_packed_take.c - R.rx.packed_take: rows of a packed weight, decoded: the embedding that is a matrix too.
#include "ops/format_text.h"
#include "ops/packed.h"
#include "ops/table.h"

static const ann *infer(infer_ctx *c, const node *n) {
    const ann *q = infer_in(n, 0), *at = infer_in(n, 2);
    const block_format *f = packed_format(n);
    int64_t steps;
    if (!f) return infer_error(c, n, "format: want one of blocks with quants of at most 8 bits");
    packing p = packing_of(f);
    if (!infer_want_rank(c, n, 0, 4) || !infer_want_rank(c, n, 1, p.head ? 4 : 3)) return NULL;
    if (!packed_holds(c, n, 0, attr_int_of(n, "rows"))) return NULL;
    if (!infer_want_dtype(c, n, 0, DTYPE_OF(U32))) return NULL;
    if (!infer_want_integers(c, n, 2)) return NULL;
    if (has_dims(q) && !expr_const_int(q->dim[1], &steps))
        return infer_error(c, n, "quants: want a known number as dim 1 (the weight's columns / 32), got %s",
                           dims_text(c, q));
    if (!has_dims(q) || !has_dims(at) || at->rank + 1 > INFER_MAX_RANK || !expr_const_int(q->dim[1], &steps))
        return infer_rank(c, q, DTYPE_OF(F32), has_rank(at) ? at->rank + 1 : RANK_UNKNOWN);
    if (steps % (f->elements / p.step))
        return infer_error(c, n, "quants: want whole blocks of %s, got %s", f->name, dims_text(c, q));
    if (steps > INT64_MAX / p.step || !packed_scales_fit(c, n, 1, steps * p.step)) return NULL;
    const expr *dim[INFER_MAX_RANK];
    for (int32_t i = 0; i < at->rank; i++) dim[i] = at->dim[i];
    dim[at->rank] = dim_int(c, steps * p.step);
    return infer_tensor(c, q, DTYPE_OF(F32), dim, (uint32_t)at->rank + 1);
}

static void indices(const lower_ctx *c, const node *n, op_indices_list *out) {
    const expr **rows = ARENA_NEW(c->mem, const expr *, 1);
    *rows = expr_i64(c->exprs, attr_int_of(n, "rows"));
    VEC_PUSH(c->mem, out, ((op_indices){2, -1, 1, rows}));
}

static const char *const row = "wrap(indices[t...], rows)";

// A layout's expression for the piece, and its word, of element k.
static const char *in_words(arena *mem, const block_format *f, const char *expression) {
    uint32_t unit = packing_of(f).unit, words = unit / 4;
    return format_words_text(mem, expression, arena_format(mem, "k %% %u // %d", f->elements, PACKED_PIECE),
                             arena_format(mem, "k %% 32 // %u * %u + k %% %u", unit, words, words),
                             arena_format(mem, "quants[%s // 16, k // %u, ", row, f->elements),
                             arena_format(mem, "%s %% 16", row));
}

static const char *in_head(arena *mem, const block_format *f, const char *expression) {
    return packed_head_text(mem, f, expression, arena_format(mem, "k %% %u", f->elements),
                            arena_format(mem, "scales[%s // 16, k // %u, ", row, f->elements),
                            arena_format(mem, "%s %% 16", row));
}

// Scale or offset of element k.
static const char *factor(arena *mem, const block_format *f, packing p, bool offset) {
    const char *lane = arena_format(mem, "%s %% 16", row);
    const format_layout *l = format_layout_of(f);
    whole_factor scale;
    if (l && packed_scale_in_words(l) && packed_whole(mem, f->scale, &scale))
        return arena_format(mem, "%s * cast(%s, float32)", in_head(mem, f, scale.real), in_words(mem, f, l->scale));
    if (p.head) return in_head(mem, f, offset ? f->offset : f->scale);
    return arena_format(mem, "cast(scales[%s // 16, k // %u, %s], float32)", row, f->group, lane);
}

// Bits of one plane: of word `word` of the piece of element k, byte `byte` of it.
static const char *plane_text(arena *mem, packed_plane p, const char *word, const char *byte) {
    return arena_format(mem,
                        "(quants[%s // 16, k // 32, %u + %s %% %u, %s %% 16] >> cast(%s + %s // %u * %u, uint32) & %u)",
                        row, p.first, word, p.bits, row, byte, word, p.bits, p.bits, (1u << p.bits) - 1);
}

// Bits of a part of a quant, where pieces take turns in words. The part's word and place are texts of the piece.
static const char *part_text(arena *mem, const block_format *f, const char *place, const char *from, uint32_t bits,
                             uint32_t low, const char *byte) {
    uint32_t of = packing_of(f).bits;
    return arena_format(mem,
                        "((quants[%s // 16, k // %u * %u + %s // %u, %s %% %u, %s %% 16] >> cast(%s + %s, uint32) & "
                        "%u) << %u)",
                        row, f->elements, f->elements / PACKED_PIECE, place, of, place, of, row, byte, from,
                        (1u << bits) - 1, low);
}

// The quant of word `word` of a piece that is not whole in one word.
static const char *left_text(arena *mem, const block_format *f, uint32_t j, const char *piece, const char *word,
                             const char *byte) {
    uint32_t bits = packing_of(f).bits;
    packed_turn turn = packed_turn_of(bits, j);
    text t = TEXT_IN(mem);
    for (uint32_t k = 0; k < turn.parts; k++) {
        packed_part p = turn.part[k];
        text_format(&t, "%s%s", k ? " | " : "",
                    part_text(mem, f, packed_line_text(mem, bits, p.word, piece, word), arena_format(mem, "%u", p.from),
                              p.bits, p.to - turn.up, byte));
    }
    return arena_format(mem, "(%s)", text_get(&t));
}

// Where pieces take turns: most are whole in a word.
static const char *turns_text(arena *mem, const block_format *f, const char *word, const char *byte) {
    uint32_t bits = packing_of(f).bits, round = packed_round(bits), each = 8 / bits;
    uint32_t whole = packed_round_words(bits) * each;
    const char *piece = arena_format(mem, "k %% %u // %d", f->elements, PACKED_PIECE);
    const char *turn = arena_format(mem, "k // %d %% %u", PACKED_PIECE, round), *quant = NULL;
    for (uint32_t j = round; j-- > whole;) {
        const char *own = left_text(mem, f, j, piece, word, byte);
        quant = quant ? arena_format(mem, "select(%s == %u, %s, %s)", turn, j, own, quant) : own;
    }
    const char *line = arena_format(mem, "(%s + min(%s, %u) // %u)", packed_line_text(mem, bits, 0, piece, word), turn,
                                    whole - 1, each);
    const char *from = arena_format(mem, "%s %% %u * %u", turn, each, bits);
    const char *own = part_text(mem, f, line, from, bits, 0, byte);
    return quant ? arena_format(mem, "select(%s < %u, %s, %s)", turn, whole, own, quant) : own;
}

// The quant of element k, less the smallest.
static const char *quant(arena *mem, const block_format *f) {
    packing p = packing_of(f);
    uint32_t words = p.unit / 4;
    const char *word = arena_format(mem, "(k %% 32 // %u * %u + k %% %u)", p.unit, words, words);
    const char *byte = arena_format(mem, "k %% %u // %u * 8", p.unit, words);
    const format_layout *l = format_layout_of(f);
    if (l) return arena_format(mem, "(%s) >> cast(%s, uint32) & 255", in_words(mem, f, l->code), byte);
    if (p.round) return turns_text(mem, f, word, byte);
    packed_plane plane[4];
    text t = TEXT_IN(mem);
    for (uint32_t i = 0, count = packed_planes(p.bits, plane); i < count; i++)
        text_format(&t, "%s%s << %u", i ? " | " : "", plane_text(mem, plane[i], word, byte), plane[i].low);
    return text_get(&t);
}

// What that number stands for, where quants are looked up.
static const char *value(arena *mem, const block_format *f) {
    packed_codes codes;
    const char *q = quant(mem, f);
    return packed_codes_of(f, &codes) ? arena_format(mem, "%s & 255", packed_codes_text(mem, f, q)) : q;
}

static const loop_func *lower(const lower_ctx *c, const node *n) {
    const block_format *f = packed_format(n);
    packing p = packing_of(f);
    text t = TEXT_IN(c->mem);
    text_format(&t, "out[t..., k] = (%s) * cast(cast(%s, int32) + (%d), float32)", factor(c->mem, f, p, false),
                value(c->mem, f), f->low);
    if (format_has_offset(f)) text_format(&t, " + %s", factor(c->mem, f, p, true));
    return compute_build(c, n, text_get(&t), NULL, 0);
}

const op op_rx_packed_take = {
    .name = "rx.packed_take",
    .doc = "The rows of a packed weight that the indices name, decoded: [..., size], float32.",
    .input = {IN("quants", TENSOR, "uint32, [rows / 16, size / 32, bits, 16], or [rows / 16, blocks, words, 16]"),
              IN("scales", TENSOR, "[rows / 16, groups, 16], or heads of blocks"),
              IN("indices", TENSOR, "integers of any shape")},
    .attr = {ATTR("rows", INT, NULL, "of the weight", .range = "[0, 2147483647]"), PACKED_FORMAT},
    .infer = infer,
    .indices = indices,
    .lower = lower,
    .samples = {"q=u32[2,2,4,16] s=f16[2,2,16] i=i64[n] | R.rx.packed_take(q, s, i, rows=27, format=\"q4_0\")",
                "q=u32[1,2,5,16] s=u16[1,2,2,16] i=i32[n,2] | R.rx.packed_take(q, s, i, rows=16, format=\"q5_1\")",
                "q=u32[1,8,6,16] s=u8[1,1,18,16] i=i32[n] | R.rx.packed_take(q, s, i, rows=16, format=\"q6_k\")",
                "q=u32[1,8,4,16] s=u16[1,1,8,16] i=i64[n] | R.rx.packed_take(q, s, i, rows=16, format=\"q4_k\")",
                "q=u32[1,1,16,16] s=u16[1,1,5,16] i=i64[n] | R.rx.packed_take(q, s, i, rows=16, format=\"iq2_xs\")"},
};
