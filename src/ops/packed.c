// packed.c - the layout of packed weights: what a format's row says about it, and its parts as compute text.
#include "ops/packed.h"
#include "base/text.h"
#include "graph/op.h"
#include "ops/format_text.h"
#include <stdlib.h>
#include <string.h>

// --- What a row says.

static bool is_half(const char *expression) { return strncmp(expression, "f16(", 4) == 0 && !strchr(expression, '*'); }

static uint32_t bits_of(const block_format *f) {
    uint32_t bits = 1;
    packed_codes codes;
    if (packed_codes_of(f, &codes)) return codes.bits;
    while (f->high - f->low >= 1 << bits) bits++;
    return bits;
}

// The part of that name, so many bytes long; NULL: there is none.
static const format_part *part_of(const char *name, size_t size) {
    uint32_t count;
    const format_part *part = format_parts(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strlen(part[i].name) == size && strncmp(part[i].name, name, size) == 0) return &part[i];
    return NULL;
}

// "nibble_of(low, high, j)" or "octet_of(word, j)".
static bool read_values(const char *spelled, uint64_t out[2]) {
    static const char sixteen[] = "nibble_of(", eight[] = "octet_of(";
    char *end;
    bool two = strncmp(spelled, sixteen, strlen(sixteen)) == 0;
    if (!two && strncmp(spelled, eight, strlen(eight)) != 0) return false;
    out[0] = strtoull(spelled + strlen(two ? sixteen : eight), &end, 0);
    out[1] = two ? strtoull(end + strlen(", "), &end, 0) : 0;
    return strcmp(end, ", j)") == 0;
}

// A row's quant is "name(b, index)", the name's part what reads values.
bool packed_codes_of(const block_format *f, packed_codes *out) {
    static const char behind[] = "(b, ";
    size_t name = strcspn(f->quant, "("), size = strlen(f->quant);
    const format_part *part = part_of(f->quant, name);
    uint64_t values[2];
    if (!part || !read_values(part->text, values)) return false;
    *out = (packed_codes){.bits = values[1] ? 4 : 3, .index = f->quant + name + strlen(behind)};
    out->size = (int)(size - name - strlen(behind) - 1);
    for (uint32_t i = 0; i < 16; i++) {
        int32_t value = (int8_t)(values[values[1] ? i / 8 : 0] >> i % 8 * 8); // eight of them: whatever bit 3 is
        out->value[i / 4] |= (uint32_t)(uint8_t)(value - f->low) << i % 4 * 8;
    }
    return true;
}

const char *packed_codes_text(arena *mem, const block_format *f, const char *word) {
    packed_codes c;
    if (!packed_codes_of(f, &c)) return word;
    return arena_format(mem, "lookup_bytes(%s, 0x%08x, 0x%08x, 0x%08x, 0x%08x)", word, c.value[0], c.value[1],
                        c.value[2], c.value[3]);
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
    packed_codes codes;
    packing p = {.unit = f->group < PACKED_PIECE ? f->group : PACKED_PIECE, .bits = bits_of(f)};
    const format_layout *layout = format_layout_of(f);
    p.step = layout ? f->elements : PACKED_PIECE;
    p.words = layout ? layout->words : p.bits;
    uint32_t bytes = head ? head->bytes[0] + head->bytes[1] : 0;
    p.bytes = bytes % 2 || (bytes && strstr(f->scale, "i8(b"));
    p.head = p.bytes ? bytes : bytes / 2;
    p.half = is_half(f->scale);
    p.count = p.head ? p.head : f->elements / f->group;
    if (head && p.bits < 7 && f->elements == PACKED_BLOCK && has_whole_factors(f)) p.round = p.bits;
    p.turns = layout || packed_codes_of(f, &codes) ? 0 : p.round;
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
    return infer_want_least(c, n, i, 0, groups) && infer_want_dim(c, n, i, 2, dim_int(c, p.words)) &&
           infer_want_dim(c, n, i, 3, lanes) && infer_want_least(c, n, i + 1, 0, groups) &&
           (!p.head || infer_want_dim(c, n, i + 1, 2, dim_int(c, p.head))) &&
           infer_want_dim(c, n, i + 1, p.head ? 3 : 2, lanes);
}

bool packed_scales_fit(infer_ctx *c, const node *n, uint32_t i, int64_t size) {
    const block_format *f = packed_format(n);
    packing p = packing_of(f);
    return infer_want_dim(c, n, i, 1, dim_int(c, size / f->elements * (p.head ? 1 : p.count)));
}

bool packed_scale_in_words(const format_layout *l) { return strcmp(l->scale, "in_head") != 0; }

uint32_t packed_planes(uint32_t bits, packed_plane out[4]) {
    uint32_t count = 0, low = 0;
    for (uint32_t p = 8; p; p /= 2) {
        if (!(bits & p)) continue;
        out[count++] = (packed_plane){.bits = p, .low = low, .first = low};
        low += p;
    }
    return count;
}

uint32_t packed_round(uint32_t bits) { return 8 / (bits & -bits); }

uint32_t packed_round_words(uint32_t bits) { return bits / (bits & -bits); }

// The piece number `left` of those that fill the tops of bytes: all bits of the round's word with that number come
// first. Those of words beyond the last such piece's are handed out in turn.
static void fill_from_tops(uint32_t bits, uint32_t left, packed_turn *t) {
    uint32_t rest = 8 % bits, first = packed_round_words(bits) * rest / bits, more = bits - rest;
    t->up = 8 - bits;
    t->part[t->parts++] = (packed_part){.word = left, .bits = rest, .from = 8 - rest, .to = 8 - rest};
    for (uint32_t given = left * more, end = given + more; given < end;) {
        uint32_t used = given % rest, some = rest - used < end - given ? rest - used : end - given;
        uint32_t to = t->up + end - given - some;
        CHECK(t->parts < PARTS_MOST);
        t->part[t->parts++] = (packed_part){first + given / rest, some, 8 - used - some, to};
        given += some;
    }
}

packed_turn packed_turn_of(uint32_t bits, uint32_t j) {
    uint32_t each = 8 / bits, whole = packed_round_words(bits) * each;
    packed_turn t = {0};
    CHECK(bits && bits < 8 && j < packed_round(bits));
    if (j >= whole) {
        fill_from_tops(bits, j - whole, &t);
        return t;
    }
    t.up = j % each * bits;
    t.parts = 1;
    t.part[0] = (packed_part){.word = j / each, .bits = bits, .from = t.up, .to = t.up};
    return t;
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

const char *packed_line_text(arena *mem, uint32_t bits, uint32_t word, const char *j, const char *i) {
    uint32_t words = packed_round_words(bits);
    return arena_format(mem, "((%s) // %u * %u + %s * %u + %u)", j, packed_round(bits), words * PACKED_WORDS, i, words,
                        word);
}

const char *packed_turn_text(arena *mem, uint32_t bits, uint32_t j, uint32_t i, bool in_place, const char *quants,
                             const char *lane) {
    packed_turn turn = packed_turn_of(bits, j % packed_round(bits));
    text t = TEXT_IN(mem);
    for (uint32_t k = 0; k < turn.parts; k++) {
        packed_part p = turn.part[k];
        if (!in_place) p.to -= turn.up;
        uint32_t line =
            j / packed_round(bits) * packed_round_words(bits) * PACKED_WORDS + i * packed_round_words(bits) + p.word;
        uint32_t mask = ((1u << p.bits) - 1) * 0x01010101u << p.to;
        text_format(&t, "%s%s%u, %u, %s]", k ? " | " : "", quants, line / bits, line % bits, lane);
        if (p.to < p.from) text_format(&t, " >> %u", p.from - p.to);
        text_format(&t, " & 0x%08x", mask);
    }
    return text_get(&t);
}

const char *packed_head_text(arena *mem, const block_format *f, const char *expression, const char *k, const char *head,
                             const char *lane) {
    const format_words words = {.head = format_head_of(f), .at = head, .lane = lane, .bytes = packing_of(f).bytes};
    return format_text_in_words(mem, expression, k, &words);
}

const char *packed_four_text(arena *mem, const block_format *f, const char *expression, const char *k, const char *head,
                             const char *lane) {
    const format_words words = {.head = format_head_of(f), .at = head, .lane = lane, .four = true};
    return format_text_in_words(mem, expression, k, &words);
}
