// rx_packed_matmul.c - R.rx.packed_matmul multiplies activations that are small integers with a weight that
// rx.pack_quants laid out, by dot products of bytes; R.rx.packed_grouped_matmul does so with the rows of one expert
// among those of all, which lie under each other.
//
// With weights scale * q + offset and activations step * a, 32 neighbours at a time:
//   out += step * scale * sum(q * a) + offset * (step * sum(a)), once for each unit of the 32
// Quants are stored unsigned, q - low; the sum of bytes starts at low * sum(a), so that it is exact. No format has both
// offsets and quants around 0: the sums that come with the activations are either these starts, or, for offsets, floats
// with the step in them. Where a block's scales are whole numbers times one float (and its offsets times another),
// whole numbers are multiplied with dots first, exactly, and floats once a block:
//   out += F * (step0 * (scale0 * dot0) + step1 * …) - G * (minimum0 * sum0 + …)
#include "base/count_noun.h"
#include "base/size.h"
#include "ops/format_text.h"
#include "ops/packed.h"
#include "ops/table.h"
#include <string.h>

static bool check_types(infer_ctx *c, const node *n, const block_format *f) {
    bool whole = f->low || packed_whole_sums(packing_of(f).turns, f->low);
    const dtype_kind want[] = {DTYPE_I32, DTYPE_F32, whole ? DTYPE_I32 : DTYPE_F32, DTYPE_U32};
    for (uint32_t i = 0; i < COUNT(want); i++)
        if (!infer_want_dtype(c, n, i, (dtype){.kind = (uint8_t)want[i], .lanes = 1})) return false;
    return true;
}

static bool check_dims(infer_ctx *c, const node *n, const block_format *f) {
    packing p = packing_of(f);
    const ann *a = infer_in(n, 0);
    int64_t words;
    if (!infer_want_rank(c, n, 3, 4) || !infer_want_rank(c, n, 4, p.head ? 4 : 3)) return false;
    if (!packed_holds(c, n, 3, attr_int_of(n, "columns"))) return false;
    if (!has_dims(a) || a->rank == 0 || !expr_const_int(a->dim[a->rank - 1], &words)) return true;
    int64_t size;
    if (!int_mul(words, 4, &size)) return infer_error(c, n, "a: too many words: %lld", (long long)words), false;
    const ann *sums = infer_in(n, 2);
    int64_t all = packed_whole_sums(p.turns, f->low) ? size / PACKED_BLOCK * packed_sum_words(p.unit) : size / p.unit;
    bool sums_fit = sums->rank <= 0 || infer_want_dim(c, n, 2, (uint32_t)sums->rank - 1, dim_int(c, all));
    return sums_fit && infer_want_dim(c, n, 3, 1, dim_int(c, size / p.step)) && packed_scales_fit(c, n, 4, size);
}

static const ann *infer_matmul(infer_ctx *c, const node *n) {
    const ann *a = infer_in(n, 0);
    const block_format *f = packed_format(n);
    if (!f) return infer_error(c, n, "format: want one of blocks with quants of at most 8 bits");
    if (!check_types(c, n, f) || !check_dims(c, n, f)) return NULL;
    if (!has_dims(a) || a->rank == 0) return infer_rank(c, a, DTYPE_OF(F32), a->rank);
    const expr *dim[INFER_MAX_RANK];
    for (int32_t i = 0; i < a->rank; i++) dim[i] = a->dim[i];
    dim[a->rank - 1] = dim_int(c, attr_int_of(n, "columns"));
    return infer_tensor(c, a, DTYPE_OF(F32), dim, (uint32_t)a->rank);
}

// The product is over pieces u; where scales are in heads, over blocks s and their pieces j.
typedef struct product {
    arena *mem;
    const block_format *f;
    packing p;
    const char *piece; // "u", "(s * 8 + j)"
    const char *row;   // of activations: "r...", "t"
    const char *group; // of 16 rows of the weight: "n // 16"
    const char *out;   // where the result goes: "r..., n"
} product;

static const char *head_of(const product *m) { return arena_format(m->mem, "scales[%s, s, ", m->group); }

// Scale or offset of unit h of a piece.
static const char *factor(const product *m, uint32_t h, bool offset) {
    uint32_t group = m->f->group;
    const char *expression = offset ? m->f->offset : m->f->scale, *at = m->piece;
    if (m->p.head) {
        const char *k = arena_format(m->mem, "j * %d + %u", PACKED_PIECE, h * m->p.unit);
        return packed_head_text(m->mem, m->f, expression, h ? k : arena_format(m->mem, "j * %d", PACKED_PIECE),
                                head_of(m), "n % 16");
    }
    if (group > PACKED_PIECE) at = arena_format(m->mem, "%s // %u", at, group / PACKED_PIECE);
    if (group < PACKED_PIECE) at = arena_format(m->mem, "%s * %u + %u", at, PACKED_PIECE / group, h);
    return arena_format(m->mem, "cast(scales[%s, %s, n %% 16], float32)", m->group, at);
}

// Words first .. last - 1 of a piece times activations, added to `sum` upwards.
static const char *dots_text(const product *m, uint32_t first, uint32_t last, bool in_place, const char *sum) {
    const char *quants = arena_format(m->mem, "quants[%s, %s, ", m->group, m->piece);
    for (uint32_t i = first; i < last; i++) {
        const char *word = packed_word_text(m->mem, m->p.bits, i, in_place, quants, "n % 16");
        sum = arena_format(m->mem, "dp4a(%s, a[%s, %s * %d + %u], %s)", packed_codes_text(m->mem, m->f, word), m->row,
                           m->piece, PACKED_WORDS, i, sum);
    }
    return sum;
}

// Words that are as far up in theirs are summed where they are, and the sums moved down: a shift for all of them, and
// short chains of dots.
static const char *unit_dots_text(const product *m, uint32_t first, uint32_t last, const char *start) {
    packed_codes codes;
    if (m->p.bits & (m->p.bits - 1) || packed_codes_of(m->f, &codes) || m->p.bits == 8 || last - first <= m->p.bits)
        return dots_text(m, first, last, false, start);
    const char *sum = NULL;
    for (uint32_t at = last; at > first; at -= m->p.bits) {
        bool lowest = at - m->p.bits == first;
        const char *part = dots_text(m, at - m->p.bits, at, true, lowest && !first ? start : "cast(0, int32)");
        sum = sum ? arena_format(m->mem, "%s + ((%s) >> %u)", part, sum, m->p.bits) : part;
    }
    return first ? arena_format(m->mem, "%s + ((%s) >> %u)", start, sum, first) : sum;
}

static const char *total_text(const product *m, uint32_t h) {
    uint32_t units = PACKED_PIECE / m->p.unit;
    return units > 1 ? arena_format(m->mem, "sums[%s, %s * %u + %u]", m->row, m->piece, units, h)
                     : arena_format(m->mem, "sums[%s, %s]", m->row, m->piece);
}

// scale * sum(q * a) of unit h.
static const char *unit_text(const product *m, uint32_t h) {
    uint32_t words = m->p.unit / 4;
    const char *start = m->f->low ? total_text(m, h) : "cast(0, int32)";
    const char *sum = unit_dots_text(m, h * words, (h + 1) * words, start);
    return arena_format(m->mem, "(%s) * cast(%s, float32)", factor(m, h, false), sum);
}

static const char *in_head(const product *m, const char *expression, uint32_t k) {
    return packed_head_text(m->mem, m->f, expression, arena_format(m->mem, "%u", k), head_of(m), "n % 16");
}

// A layout's expression for word i of piece j of block s.
static const char *in_words(const product *m, const char *expression, uint32_t j, uint32_t i) {
    return format_words_text(m->mem, expression, arena_format(m->mem, "%u", j), arena_format(m->mem, "%u", i),
                             arena_format(m->mem, "quants[%s, s, ", m->group), "n % 16");
}

// The words of unit h of piece j of block s times activations, added to `sum` upwards.
static const char *block_dots(const product *m, uint32_t j, uint32_t h, const char *sum) {
    uint32_t words = m->p.unit / 4, pieces = m->f->elements / PACKED_PIECE;
    const char *quants = arena_format(m->mem, "quants[%s, s * %u + ", m->group, pieces);
    for (uint32_t w = h * words; w < (h + 1) * words; w++) {
        const format_layout *l = format_layout_of(m->f);
        const char *word = l ? in_words(m, l->code, j, w)
                             : packed_turn_text(m->mem, m->p.bits, j, w, m->p.turns > 0, quants, "n % 16");
        sum = arena_format(m->mem, "dp4a(%s, a[%s, s * %u + %u], %s)", packed_codes_text(m->mem, m->f, word), m->row,
                           pieces * PACKED_WORDS, j * PACKED_WORDS + w, sum);
    }
    return sum;
}

// The sum of step * (whole scale * dots). Quants are some bits up in their bytes; steps and sums take that back.
static const char *scaled_text(const product *m, const char *whole) {
    uint32_t pieces = m->f->elements / PACKED_PIECE, units = PACKED_PIECE / m->p.unit;
    text t = TEXT_IN(m->mem);
    for (uint32_t i = 0; i < pieces * units; i++) {
        uint32_t j = i / units, h = i % units;
        const char *start = "cast(0, int32)";
        if (m->f->low) start = arena_format(m->mem, "sums[%s, s * %u + %u]", m->row, pieces * units, i);
        if (!h) text_format(&t, "%sstep[%s, s * %u + %u] * cast(", i ? " + " : "", m->row, pieces, j);
        const format_layout *l = format_layout_of(m->f);
        const char *factor =
            l && packed_scale_in_words(l) ? in_words(m, l->scale, j, 0) : in_head(m, whole, i * m->p.unit);
        text_format(&t, "%s(%s) * (%s)", h ? " + " : "", factor, block_dots(m, j, h, start));
        if (h + 1 == units) text_put(&t, ", float32)");
    }
    return text_get(&t);
}

// Whole offsets of four units, as bytes.
static const char *offset_word(const product *m, const char *whole, uint32_t word) {
    const char *k = arena_format(m->mem, "%u", word * 4 * m->p.unit);
    return packed_four_text(m->mem, m->f, whole, k, head_of(m), "n % 16");
}

// The sum of whole offset * sum(a): dots with the low bytes of the sums, and with the high ones.
static const char *moved_text(const product *m, const char *whole) {
    uint32_t words = PACKED_BLOCK / m->p.unit / 4, all = (uint32_t)packed_sum_words(m->p.unit);
    const char *dots[] = {"cast(0, int32)", "cast(0, int32)"};
    for (uint32_t high = 0; high < 2; high++)
        for (uint32_t i = 0; i < words; i++)
            dots[high] = arena_format(m->mem, "dp4a(%s, sums[%s, s * %u + %u], %s)", offset_word(m, whole, i), m->row,
                                      all, high * words + i, dots[high]);
    return arena_format(m->mem, "reinterpret(sums[%s, s * %u + %u], float32) * cast(%s + (%s << 8), float32)", m->row,
                        all, all - 1, dots[0], dots[1]);
}

// A block at once, so that what all of its scales are multiplied with is used once.
static const char *block_text(const product *m) {
    whole_factor scale, offset;
    text t = TEXT_IN(m->mem);
    packed_whole(m->mem, m->f->scale, &scale);
    text_format(&t, "out[%s] += %s * (%s)", m->out, in_head(m, scale.real, 0), scaled_text(m, scale.whole));
    if (!format_has_offset(m->f)) return text_get(&t);
    packed_whole(m->mem, m->f->offset, &offset);
    text_format(&t, " %c %s * (%s)", offset.negative ? '-' : '+', in_head(m, offset.real, 0),
                moved_text(m, offset.whole));
    return text_get(&t);
}

static const char *product_text(product *m) {
    text t = TEXT_IN(m->mem);
    m->p = packing_of(m->f);
    if (m->p.round) return block_text(m);
    if (m->p.head) {
        m->piece = arena_format(m->mem, "(s * %u + j)", m->f->elements / PACKED_PIECE);
        text_format(&t, "j in %u; ", m->f->elements / PACKED_PIECE);
    }
    text_format(&t, "out[%s] += step[%s, %s] * (", m->out, m->row, m->piece);
    for (uint32_t h = 0; h < PACKED_PIECE / m->p.unit; h++) text_format(&t, "%s%s", h ? " + " : "", unit_text(m, h));
    text_put(&t, ")");
    for (uint32_t h = 0; format_has_offset(m->f) && h < PACKED_PIECE / m->p.unit; h++)
        text_format(&t, " + (%s) * %s", factor(m, h, true), total_text(m, h));
    return text_get(&t);
}

static const loop_func *lower_matmul(const lower_ctx *c, const node *n) {
    product m = {.mem = c->mem, .f = packed_format(n), .piece = "u"};
    m.row = "r...", m.group = "n // 16", m.out = "r..., n";
    return compute_build(c, n, product_text(&m), NULL, 0);
}

// --- Experts.

static bool check_experts(infer_ctx *c, const node *n) {
    const ann *a = infer_in(n, 0), *q = infer_in(n, 3);
    int64_t columns = attr_int_of(n, "columns"), groups;
    if (!infer_want_rank(c, n, 5, 2) || !infer_want_integers(c, n, 5)) return false;
    if (has_rank(a) && a->rank != 2 && a->rank != 3)
        return infer_error(c, n, "a: want [tokens, size / 4] or [tokens, k, size / 4], got %s",
                           COUNTED(a->rank, "dim")),
               false;
    if (columns < 1 || columns % PACKED_LANES)
        return infer_error(c, n, "columns: want a multiple of %d, got %lld", PACKED_LANES, (long long)columns), false;
    if (!has_dims(q) || !expr_const_int(q->dim[0], &groups)) return true;
    if (groups > 0 && groups % (columns / PACKED_LANES) == 0) return true;
    return infer_error(c, n, "quants: want %s for each expert, got %lld in all",
                       COUNTED(columns / PACKED_LANES, "group of 16 rows"), (long long)groups),
           false;
}

static const ann *infer_grouped(infer_ctx *c, const node *n) {
    const ann *a = infer_in(n, 0), *experts = infer_in(n, 5);
    const block_format *f = packed_format(n);
    if (!f) return infer_error(c, n, "format: want one of blocks with quants of at most 8 bits");
    if (!check_types(c, n, f) || !check_experts(c, n) || !check_dims(c, n, f)) return NULL;
    if (!has_dims(a) || !has_dims(experts)) return infer_rank(c, a, DTYPE_OF(F32), 3);
    for (int32_t i = 0; i + 1 < a->rank; i++)
        if (dims_differ(c, a->dim[i], experts->dim[i]))
            return infer_error(c, n, "experts: want %s, got %s", expr_to_text(c->mem, a->dim[i]),
                               expr_to_text(c->mem, experts->dim[i]));
    const expr *dim[] = {experts->dim[0], experts->dim[1], dim_int(c, attr_int_of(n, "columns"))};
    return infer_tensor(c, a, DTYPE_OF(F32), dim, 3);
}

// An expert's number never leads outside.
static const loop_func *lower_grouped(const lower_ctx *c, const node *n) {
    product m = {.mem = c->mem, .f = packed_format(n), .piece = "u"};
    long long of = attr_int_of(n, "columns") / PACKED_LANES;
    m.row = n->in[0]->type->rank == 3 ? "t, x" : "t";
    m.group = arena_format(c->mem, "(wrap(experts[t, x], dim(quants, 0) // %lld) * %lld + n // 16)", of, of);
    m.out = "t, x, n";
    return compute_build(c, n, product_text(&m), NULL, 0);
}

// What both products have: the rest of what R.rx.quantize_int8 gives.
#define ROUNDED                                                                                                        \
    IN("step", TENSOR, "float32, [..., size / 32]"), IN("sums", TENSOR, "[..., units]: int32, or float32 for offsets")

const op op_rx_packed_matmul = {
    .name = "rx.packed_matmul",
    .doc = "Quantised activations times the transpose of a packed weight: [..., columns], float32.",
    .input = {IN("a", TENSOR, "int32, [..., size / 4]: four bytes each"), ROUNDED,
              IN("quants", TENSOR, "uint32, [columns / 16, size / 32, bits, 16], or [columns / 16, blocks, words, 16]"),
              IN("scales", TENSOR, "[columns / 16, groups, 16], or heads of blocks")},
    .attr = {ATTR("columns", INT, NULL, "rows of the weight", .range = "[0, 2147483647]"), PACKED_FORMAT},
    .infer = infer_matmul,
    .lower = lower_matmul,
    .samples =
        {"a=i32[n,16] s=f32[n,2] t=i32[n,2] q=u32[2,2,4,16] c=f16[2,2,16] | R.rx.packed_matmul(a, s, t, q, c, "
         "columns=32, format=\"q4_0\")",
         "a=i32[2,n,16] s=f32[2,n,2] t=f32[2,n,2] q=u32[2,2,5,16] c=u16[2,2,2,16] | "
         "R.rx.packed_matmul(a, s, t, q, c, columns=27, format=\"q5_1\")",
         "a=i32[n,64] s=f32[n,8] t=i32[n,16] q=u32[1,8,6,16] c=u8[1,1,18,16] | R.rx.packed_matmul(a, s, t, q, c, "
         "columns=16, format=\"q6_k\")",
         "a=i32[n,8] s=f32[n,1] t=i32[n,1] q=u32[1,1,8,16] c=f16[1,1,16] | R.rx.packed_matmul(a, s, t, q, c, "
         "columns=16, format=\"q8_0\")",
         "a=i32[n,8] s=f32[n,1] t=i32[n,1] q=u32[1,1,4,16] c=u8[1,1,1,16] | R.rx.packed_matmul(a, s, t, q, c, "
         "columns=16, format=\"mxfp4\")",
         "a=i32[n,64] s=f32[n,8] t=i32[n,8] q=u32[1,1,16,16] c=u16[1,1,1,16] | R.rx.packed_matmul(a, s, t, q, c, "
         "columns=16, format=\"iq2_xxs\")"},
};
const op op_rx_packed_grouped_matmul = {
    .name = "rx.packed_grouped_matmul",
    .doc = "Quantised activations of each token times the transposes of its experts' packed matrices, which lie under "
           "each other: [tokens, k, columns], float32.",
    .input =
        {IN("a", TENSOR, "int32, [tokens, size / 4], or [tokens, k, size / 4]: a row per expert"), ROUNDED,
         IN("quants", TENSOR,
            "uint32, [experts * columns / 16, size / 32, bits, 16], or [experts * columns / 16, blocks, words, 16]"),
         IN("scales", TENSOR, "[experts * columns / 16, groups, 16], or heads of blocks"),
         IN("experts", TENSOR, "[tokens, k], integers")},
    .attr = {ATTR("columns", INT, NULL, "rows of an expert's matrix, a multiple of 16", .range = "[16, 2147483647]"),
             PACKED_FORMAT},
    .infer = infer_grouped,
    .lower = lower_grouped,
    .samples = {"a=i32[t,16] s=f32[t,2] m=i32[t,2] q=u32[6,2,4,16] c=f16[6,2,16] e=i32[t,2] | "
                "R.rx.packed_grouped_matmul(a, s, m, q, c, e, columns=32, format=\"q4_0\")",
                "a=i32[t,2,8] s=f32[t,2,1] m=f32[t,2,1] q=u32[3,1,4,16] c=u16[3,1,2,16] e=i32[t,2] | "
                "R.rx.packed_grouped_matmul(a, s, m, q, c, e, columns=16, format=\"q4_1\")",
                "a=i32[t,64] s=f32[t,8] m=i32[t,16] q=u32[4,8,6,16] c=u8[4,1,18,16] e=i32[t,1] | "
                "R.rx.packed_grouped_matmul(a, s, m, q, c, e, columns=16, format=\"q6_k\")",
                "a=i32[1,8] s=f32[1,1] m=i32[1,1] q=u32[3,1,8,16] c=f16[3,1,16] e=i32[1,2] | "
                "R.rx.packed_grouped_matmul(a, s, m, q, c, e, columns=16, format=\"q8_0\")",
                "a=i32[t,64] s=f32[t,8] m=i32[t,8] q=u32[4,1,16,16] c=u16[4,1,1,16] e=i32[t,1] | "
                "R.rx.packed_grouped_matmul(a, s, m, q, c, e, columns=16, format=\"iq2_xxs\")"},
};
