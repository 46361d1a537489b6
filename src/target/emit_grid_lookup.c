// emit_grid_lookup.c - T.lookup_grid: a byte of each entry of a codebook that the bytes of words number.
//
// AVX512-VBMI looks 64 bytes up among 128 at once, AArch64 16 among 64; elsewhere entries are gathered, one of each
// word after the other. Other halves of the same entries are the same gathers.
#include "target/emit.h"
#include "tensor/formats.h"
#include <string.h>

enum { PART = 256, PARTS_MOST = 8, ARM_PARTS = 2 }; // entries that a byte numbers; 2048 of them

typedef struct lookup {
    emitter *e;
    const format_grid *grid;
    unsigned half, parts;
    LLVMValueRef word, high; // of as many lanes; high NULL: 0
} lookup;

// The byte that is looked up of an entry.
static uint8_t byte_of(const lookup *l, unsigned entry) { return (uint8_t)(l->grid->entry[entry] >> 8 * l->half); }

static LLVMValueRef table_of(const lookup *l, const uint8_t *byte, unsigned count) {
    LLVMValueRef out[64];
    for (unsigned i = 0; i < count; i++) out[i] = LLVMConstInt(l->e->i8, byte[i], false);
    return LLVMConstVector(out, count);
}

// One of the parts' values for each byte, by the bits of the high bytes.
static LLVMValueRef chosen(const lookup *l, LLVMValueRef *part, LLVMValueRef high) {
    for (unsigned left = l->parts, bit = 1; left > 1; left /= 2, bit *= 2) {
        LLVMValueRef set = LLVMBuildAnd(l->e->b, high, splat_int(l->e->i8, bit, high), "");
        set = LLVMBuildICmp(l->e->b, LLVMIntNE, set, splat_int(l->e->i8, 0, high), "");
        for (unsigned i = 0; i < left / 2; i++)
            part[i] = LLVMBuildSelect(l->e->b, set, part[2 * i + 1], part[2 * i], "");
    }
    return part[0];
}

// --- AVX512-VBMI.

// Among 256.
static LLVMValueRef among_all(const lookup *l, const uint8_t table[PART], LLVMValueRef at) {
    LLVMValueRef half[2], upper = LLVMBuildICmp(l->e->b, LLVMIntSLT, at, LLVMConstNull(LLVMTypeOf(at)), "");
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef in[] = {table_of(l, table + 128 * i, 64), at, table_of(l, table + 128 * i + 64, 64)};
        half[i] = call_intrinsic(l->e, "llvm.x86.avx512.vpermi2var.qi.512", NULL, 0, in, 3);
    }
    return LLVMBuildSelect(l->e->b, upper, half[1], half[0], "");
}

// Entries by eights: those before a border have one value, the others another one.
typedef struct borders {
    uint8_t first[PART], border[PART], last[PART];
} borders;
static bool find_borders(const lookup *l, borders *out) {
    if (l->parts != PARTS_MOST) return false;
    for (unsigned i = 0; i < PART; i++) {
        uint8_t value[PARTS_MOST], k = 0;
        for (unsigned m = 0; m < PARTS_MOST; m++) value[m] = byte_of(l, i * PARTS_MOST + m);
        out->first[i] = value[0], out->last[i] = value[PARTS_MOST - 1];
        while (k < PARTS_MOST && value[k] == out->first[i]) k++;
        out->border[i] = k;
        for (; k < PARTS_MOST; k++)
            if (value[k] != out->last[i]) return false;
    }
    return true;
}

// Where entries are in the order of this byte: three tables of 256 in place of eight.
static LLVMValueRef by_borders(const lookup *l, const borders *t) {
    emitter *e = l->e;
    LLVMTypeRef bytes = LLVMVectorType(e->i8, 64);
    LLVMValueRef low = LLVMBuildLShr(e->b, l->word, splat_int(e->i32, 3, l->word), "");
    LLVMValueRef high = LLVMBuildShl(e->b, l->high, splat_int(e->i32, 5, l->word), "");
    low = LLVMBuildAnd(e->b, low, splat_int(e->i32, 0x1f1f1f1f, l->word), "");
    high = LLVMBuildAnd(e->b, high, splat_int(e->i32, 0xe0e0e0e0, l->word), "");
    LLVMValueRef eight = LLVMBuildBitCast(e->b, LLVMBuildOr(e->b, low, high, ""), bytes, "");
    LLVMValueRef within = LLVMBuildAnd(e->b, l->word, splat_int(e->i32, 0x07070707, l->word), "");
    LLVMValueRef before =
        LLVMBuildICmp(e->b, LLVMIntULT, LLVMBuildBitCast(e->b, within, bytes, ""), among_all(l, t->border, eight), "");
    LLVMValueRef all = LLVMBuildSelect(e->b, before, among_all(l, t->first, eight), among_all(l, t->last, eight), "");
    return LLVMBuildBitCast(e->b, all, LLVMTypeOf(l->word), "");
}

static LLVMValueRef by_permutes(const lookup *l) {
    LLVMTypeRef bytes = LLVMVectorType(l->e->i8, 64);
    LLVMValueRef at = LLVMBuildBitCast(l->e->b, l->word, bytes, ""), part[PARTS_MOST];
    uint8_t table[PART];
    borders t;
    if (find_borders(l, &t)) return by_borders(l, &t);
    for (unsigned i = 0; i < l->parts; i++) {
        for (unsigned k = 0; k < PART; k++) table[k] = byte_of(l, i * PART + k);
        part[i] = among_all(l, table, at);
    }
    LLVMValueRef high = l->high ? LLVMBuildBitCast(l->e->b, l->high, bytes, "") : NULL;
    return LLVMBuildBitCast(l->e->b, chosen(l, part, high), LLVMTypeOf(l->word), "");
}

// --- AArch64: 64 entries at a time; what lies outside of them leaves a byte as it is.

static LLVMValueRef among_part(const lookup *l, unsigned first, LLVMValueRef at) {
    LLVMTypeRef bytes = LLVMVectorType(l->e->i8, 16);
    LLVMValueRef out = NULL;
    for (unsigned from = 0; from < PART; from += 64) {
        LLVMValueRef in[6] = {out}, *table = in + (out != NULL);
        uint8_t byte[64];
        for (unsigned i = 0; i < 64; i++) byte[i] = byte_of(l, first + from + i);
        for (unsigned i = 0; i < 4; i++) table[i] = table_of(l, byte + 16 * i, 16);
        table[4] = LLVMBuildSub(l->e->b, at, splat_int(l->e->i8, from, at), "");
        out =
            call_intrinsic(l->e, out ? "llvm.aarch64.neon.tbx4" : "llvm.aarch64.neon.tbl4", &bytes, 1, in, out ? 6 : 5);
    }
    return out;
}

// Words first .. first + 3 as bytes.
static LLVMValueRef four_words(const lookup *l, LLVMValueRef v, unsigned first) {
    LLVMValueRef index[4];
    for (unsigned i = 0; i < 4; i++) index[i] = LLVMConstInt(l->e->i32, first + i, false);
    v = LLVMBuildShuffleVector(l->e->b, v, LLVMGetPoison(LLVMTypeOf(v)), LLVMConstVector(index, 4), "");
    return LLVMBuildBitCast(l->e->b, v, LLVMVectorType(l->e->i8, 16), "");
}

static LLVMValueRef by_tables(const lookup *l) {
    LLVMValueRef out = LLVMGetPoison(LLVMTypeOf(l->word)), part[ARM_PARTS];
    for (unsigned first = 0; first < value_lanes(l->word); first += 4) {
        LLVMValueRef at = four_words(l, l->word, first), high = l->high ? four_words(l, l->high, first) : NULL;
        for (unsigned i = 0; i < l->parts; i++) part[i] = among_part(l, i * PART, at);
        LLVMValueRef four = LLVMBuildBitCast(l->e->b, chosen(l, part, high), LLVMVectorType(l->e->i32, 4), "");
        for (unsigned i = 0; i < 4; i++) {
            LLVMValueRef from = LLVMConstInt(l->e->i32, i, false), to = LLVMConstInt(l->e->i32, first + i, false);
            out = LLVMBuildInsertElement(l->e->b, out, LLVMBuildExtractElement(l->e->b, four, from, ""), to, "");
        }
    }
    return out;
}

// --- Elsewhere.

// 32 bits from an entry on: its own are the lower ones. There is one entry more than are looked up.
static LLVMValueRef entries_at(const lookup *l, LLVMValueRef table, LLVMValueRef at) {
    emitter *e = l->e;
    unsigned lanes = value_lanes(at);
    LLVMTypeRef run = like_lanes(e->i32, at);
    LLVMValueRef pointers = LLVMBuildInBoundsGEP2(e->b, LLVMInt16TypeInContext(e->c), table, &at, 1, "");
    if (lanes == 1) {
        LLVMValueRef entry = LLVMBuildLoad2(e->b, e->i32, pointers, "");
        LLVMSetAlignment(entry, sizeof(uint16_t));
        return entry;
    }
    return emit_gather(e, run, pointers, sizeof(uint16_t));
}

// All entries, in memory.
static LLVMValueRef entries_of(const lookup *l) {
    unsigned words = l->grid->count / 4 + 1;
    uint64_t *word = ARENA_NEW(l->e->mem, uint64_t, words);
    for (unsigned i = 0; i < words; i++) word[i] = 0;
    for (unsigned i = 0; i < l->grid->count; i++) word[i / 4] |= (uint64_t)l->grid->entry[i] << i % 4 * 16;
    return emit_constants(l->e, word, words);
}

static LLVMValueRef by_gathers(const lookup *l) {
    emitter *e = l->e;
    LLVMValueRef table = entries_of(l), all = NULL, byte = splat_int(e->i32, 255, l->word);
    for (unsigned i = 0; i < 4; i++) {
        LLVMValueRef up = splat_int(e->i32, 8 * i, l->word);
        LLVMValueRef at = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, l->word, up, ""), byte, "");
        if (l->high) {
            LLVMValueRef high = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, l->high, up, ""), byte, "");
            at = LLVMBuildOr(e->b, at, LLVMBuildShl(e->b, high, splat_int(e->i32, 8, l->word), ""), "");
        }
        at = LLVMBuildAnd(e->b, at, splat_int(e->i32, l->grid->count - 1, l->word), "");
        LLVMValueRef entry = entries_at(l, table, LLVMBuildZExt(e->b, at, like_lanes(e->i64, at), ""));
        entry = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, entry, splat_int(e->i32, 8 * l->half, l->word), ""), byte, "");
        entry = LLVMBuildShl(e->b, entry, up, "");
        all = all ? LLVMBuildOr(e->b, all, entry, "") : entry;
    }
    return all;
}

LLVMValueRef emit_grid_lookup(emitter *e, const expr *x) {
    const format_grid *g = x->in[0]->op == EXPR_STRING ? format_grid_find(x->in[0]->as.text) : NULL;
    bool words = x->in[1]->type.kind == DTYPE_U32 && x->in[2]->type.kind == DTYPE_U32;
    int64_t half, high;
    if (!g || !words || !expr_const_int(x->in[3], &half) || half < 0 || half > 1)
        return emit_refuse(e, (loc){0}, e->i32, "T.lookup_grid has code for a codebook, two uint32 and 0 or 1");
    lookup l = {.e = e, .grid = g, .half = (unsigned)half, .parts = 1, .word = emit_expr(e, x->in[1])};
    if (g->count > PART && !(expr_const_int(x->in[2], &high) && !high)) {
        l.high = emit_expr(e, x->in[2]);
        l.parts = g->count / PART;
        if (value_lanes(l.word) == 1) l.word = widen(e, l.word, value_lanes(l.high));
        if (value_lanes(l.high) == 1) l.high = widen(e, l.high, value_lanes(l.word));
    }
    unsigned lanes = value_lanes(l.word);
    if (e->arch->vbmi && lanes == 16) return by_permutes(&l);
    bool arm = strncmp(e->arch->triple, "aarch64", 7) == 0;
    return arm && lanes % 4 == 0 && l.parts <= ARM_PARTS ? by_tables(&l) : by_gathers(&l);
}
