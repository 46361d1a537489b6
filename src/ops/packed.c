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

bool packed_whole(arena *mem, const char *expression, whole_factor *out) {
    static const char call[] = "scaled(";
    *out = (whole_factor){.negative = *expression == '-'};
    const char *real = expression + out->negative, *end = real;
    if (strncmp(real, call, strlen(call)) != 0) return false;
    if (!mem) return true;
    real = end = real + strlen(call);
    for (uint32_t open = 0; open || *end != ','; end++) open += (*end == '(') - (*end == ')');
    out->real = arena_format(mem, "%.*s", (int)(end - real), real);
    const char *whole = end + strlen(", ");
    out->whole = arena_format(mem, "%.*s", (int)(strlen(whole) - 1), whole);
    return true;
}

static bool has_whole_factors(const block_format *f) {
    whole_factor w;
    return packed_whole(NULL, f->scale, &w) && !w.negative &&
           (!format_has_offset(f) || packed_whole(NULL, f->offset, &w));
}

packing packing_of(const block_format *f) {
    const format_head *head = format_head_of(f);
    packing p = {.unit = f->group < PACKED_PIECE ? f->group : PACKED_PIECE, .bits = bits_of(f)};
    p.head = head ? (head->bytes[0] + head->bytes[1]) / 2 : 0;
    p.half = is_half(f->scale);
    p.count = p.head ? p.head : f->elements / f->group;
    if (head && p.bits < 7 && f->elements == PACKED_BLOCK && has_whole_factors(f)) p.turns = p.bits;
    return p;
}

bool packed_whole_sums(int64_t turns, int64_t low) { return turns && !low; }

int64_t packed_sum_words(int64_t unit) { return PACKED_BLOCK / unit / 4 * 2 + 1; }

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

packed_turn packed_turn_of(uint32_t bits, uint32_t plane, uint32_t j) {
    packed_plane all[4];
    uint32_t count = packed_planes(bits, all), narrow = count > 1 ? all[1].bits : 0;
    uint32_t at = j % (8 / all[0].bits) * all[0].bits;
    bool below = at + bits > 8;
    CHECK(count <= 2 && plane < count);
    packed_turn t = {.plane = all[plane], .up = j % (8 / all[plane].bits) * all[plane].bits};
    t.plane.low = plane == below ? 0 : below ? narrow : all[0].bits;
    t.to = !plane ? at : below ? at - narrow : at + all[0].bits;
    return t;
}

uint32_t packed_turn_up(uint32_t bits, uint32_t j) {
    packed_plane all[4];
    packed_turn wide = packed_turn_of(bits, 0, j);
    return wide.plane.low && packed_planes(bits, all) > 1 ? packed_turn_of(bits, 1, j).to : wide.to;
}

// --- As text.

const char *packed_word_text(arena *mem, uint32_t bits, uint32_t i, bool in_place, const char *quants,
                             const char *lane) {
    packed_plane plane[4];
    uint32_t count = packed_planes(bits, plane);
    text t = TEXT_IN(mem);
    for (uint32_t k = 0; k < count; k++) {
        const packed_plane *p = &plane[k];
        uint32_t up = i / p->bits * p->bits, mask = ((1u << p->bits) - 1) * 0x01010101u << p->low;
        text_format(&t, "%s%s%u, %s]", k ? " | " : "", quants, p->first + i % p->bits, lane);
        if (in_place) {
            text_format(&t, " & 0x%08x", mask << up);
            continue;
        }
        if (up > p->low) text_format(&t, " >> %u", up - p->low);
        if (up < p->low) text_format(&t, " << %u", p->low - up);
        if (p->bits < 8) text_format(&t, " & 0x%08x", mask);
    }
    return text_get(&t);
}

// How pieces share words: of the wider plane, of all planes; and the words of the latter.
typedef struct round_of_turns {
    uint32_t planes, wide, all, words;
} round_of_turns;
static round_of_turns round_of(uint32_t bits) {
    packed_plane all[4];
    round_of_turns r = {.planes = packed_planes(bits, all)};
    r.wide = 8 / all[0].bits;
    r.all = 8 / all[r.planes - 1].bits;
    r.words = PACKED_WORDS * (r.all / r.wide + (r.planes > 1));
    return r;
}

// The words of both planes that the first pieces of a round read take turns.
const char *packed_line_text(arena *mem, uint32_t bits, uint32_t plane, const char *j, const char *i) {
    round_of_turns r = round_of(bits);
    const char *first = arena_format(mem, "(%s) // %u * %u", j, r.all, r.words);
    if (r.planes == 1) return arena_format(mem, "(%s + %s)", first, i);
    if (plane) return arena_format(mem, "(%s + %s * 2 + 1)", first, i);
    return arena_format(mem, "(%s + select((%s) %% %u < %u, %s * 2, (%s) %% %u // %u * 8 + 8 + %s))", first, j, r.all,
                        r.wide, i, j, r.all, r.wide, i);
}

packed_line packed_line_of(arena *mem, uint32_t bits, uint32_t plane, const char *line) {
    round_of_turns r = round_of(bits);
    const char *at = arena_format(mem, "(%s) %% %u", line, r.words);
    packed_line p = {.piece = arena_format(mem, "(%s) // %u * %u", line, r.words, r.all), .word = at};
    if (r.planes == 1) return p;
    p.word = arena_format(mem, "(%s // 2 %% 8)", at);
    if (plane) return p;
    p.word = arena_format(mem, "select(%s < 16, %s, %s %% 8)", at, p.word, at);
    p.piece = arena_format(mem, "(%s + max(%s - 8, 0) // 8 * %u)", p.piece, at, r.wide);
    return p;
}

const char *packed_turn_text(arena *mem, uint32_t bits, uint32_t j, uint32_t i, const char *quants, const char *lane) {
    packed_plane all[4];
    text t = TEXT_IN(mem);
    for (uint32_t k = 0, count = packed_planes(bits, all); k < count; k++) {
        packed_turn p = packed_turn_of(bits, k, j);
        const char *line = packed_line_text(mem, bits, k, arena_format(mem, "%u", j), arena_format(mem, "%u", i));
        uint32_t mask = ((1u << p.plane.bits) - 1) * 0x01010101u << p.to;
        text_format(&t, "%s%s%s // %u, %s %% %u, %s]", k ? " | " : "", quants, line, bits, line, bits, lane);
        if (p.to > p.up) text_format(&t, " << %u", p.to - p.up);
        if (p.to < p.up) text_format(&t, " >> %u", p.up - p.to);
        text_format(&t, " & 0x%08x", mask);
    }
    return text_get(&t);
}

const char *packed_head_text(arena *mem, const block_format *f, const char *expression, const char *k, const char *head,
                             const char *lane) {
    const format_words words = {.head = format_head_of(f), .at = head, .lane = lane};
    return format_text_in_words(mem, expression, k, &words);
}

const char *packed_four_text(arena *mem, const block_format *f, const char *expression, const char *k, const char *head,
                             const char *lane) {
    const format_words words = {.head = format_head_of(f), .at = head, .lane = lane, .four = true};
    return format_text_in_words(mem, expression, k, &words);
}
