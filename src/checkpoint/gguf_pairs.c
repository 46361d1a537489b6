// gguf_pairs.c - keys and values of GGUF files.
#include "base/file.h"
#include "base/utf8.h"
#include "checkpoint/gguf_inside.h"
#include <stdlib.h>

enum { SHORTEST_PAIR = 13 }; // bytes: an empty key, a type, a value of one byte

typedef struct value_row {
    const char *name;
    uint8_t bytes; // 0 for those that say their length themselves
} value_row;

static const value_row value_rows[GGUF_VALUES] = {
    [GGUF_U8] = {"u8", 1},     [GGUF_I8] = {"i8", 1},       [GGUF_U16] = {"u16", 2}, [GGUF_I16] = {"i16", 2},
    [GGUF_U32] = {"u32", 4},   [GGUF_I32] = {"i32", 4},     [GGUF_F32] = {"f32", 4}, [GGUF_BOOL] = {"bool", 1},
    [GGUF_TEXT] = {"text", 0}, [GGUF_ARRAY] = {"array", 0}, [GGUF_U64] = {"u64", 8}, [GGUF_I64] = {"i64", 8},
    [GGUF_F64] = {"f64", 8},
};

const char *gguf_value_name(gguf_value type) { return value_rows[type].name; }

// --- Reading once, with checks.

// Numbers from GGUF_VALUES on are of no version that is known.
static rx_status take_type(gguf_reader *r, gguf_value *out) {
    uint64_t type = 0;
    RX_TRY(gguf_take(r, 4, &type));
    if (type >= GGUF_VALUES) return gguf_bad(r, "a value of a type that GGUF doesn't have");
    *out = (gguf_value)type;
    return RX_OK;
}

// The type and count of an array that lies before the reader. Each item takes at least one byte, so a count that passes
// is no larger than the file.
static rx_status take_array(gguf_reader *r, gguf_value *type, uint64_t *count) {
    RX_TRY(take_type(r, type));
    RX_TRY(gguf_take(r, 8, count));
    if (*type == GGUF_ARRAY) return gguf_bad(r, "arrays of arrays are not supported");
    // A text takes 8 bytes at least, for its length.
    size_t least = value_rows[*type].bytes ? value_rows[*type].bytes : 8;
    if (*count > (size_t)(r->end - r->at) / least)
        return gguf_bad(r, "the file ends inside this array; was it cut off?");
    return RX_OK;
}

// Values are checked here for their extent only; who asks for one says of which type it must be.
static rx_status skip_value(gguf_reader *r) {
    uint64_t count = 1;
    gguf_value type = GGUF_TEXT;
    text_span text;
    RX_TRY(take_type(r, &type));
    if (type == GGUF_ARRAY) RX_TRY(take_array(r, &type, &count));
    size_t bytes = value_rows[type].bytes;
    if (!bytes) {
        while (count--) RX_TRY(gguf_take_text(r, &text));
        return RX_OK;
    }
    if (count > (size_t)(r->end - r->at) / bytes)
        return gguf_bad(r, "the file ends inside its metadata; was it cut off?");
    r->at += count * bytes;
    return RX_OK;
}

rx_status gguf_read_pairs(gguf_reader *r, uint64_t count, gguf *g) {
    if (count > (size_t)(r->end - r->at) / SHORTEST_PAIR)
        return gguf_bad(r, "more keys are promised than fit the file");
    g->pair = malloc((size_t)count * sizeof *g->pair + 1);
    if (!g->pair) return why_fail(r->why, RX_OUT_OF_MEMORY, "gguf: out of memory");
    for (; g->pairs < count; g->pairs++) {
        g->pair[g->pairs] = r->at;
        r->what = (text_span){0};
        RX_TRY(gguf_take_text(r, &r->what));
        if (utf8_first_bad(r->what.at, r->what.size) != r->what.size) {
            r->what = (text_span){0};
            return gguf_bad(r, "a key that is not UTF-8");
        }
        RX_TRY(skip_value(r));
    }
    r->what = (text_span){0};
    g->pairs_end = r->at;
    return gguf_sort(g->pair, g->pairs, "keys", r->why);
}

// --- Looking, after all was checked.

// No bounds are looked at: everything was, when the file was opened.
static gguf_pair pair_from(const uint8_t *at) {
    gguf_pair p = {.key = gguf_text_at(at), .count = 1};
    at = (const uint8_t *)p.key.at + p.key.size;
    p.type = (gguf_value)gguf_number(at, 4);
    p.data = at + 4;
    if (p.type != GGUF_ARRAY) return p;
    p.is_array = true;
    p.type = (gguf_value)gguf_number(at + 4, 4);
    p.count = gguf_number(at + 8, 8);
    p.data = at + 16;
    return p;
}

size_t gguf_pair_count(const gguf *g) { return g->pairs; }

gguf_pair gguf_pair_at(const gguf *g, size_t i) {
    CHECK(i < g->pairs);
    return pair_from(g->pair[i]);
}

bool gguf_find(const gguf *g, const char *key, gguf_pair *out) {
    const uint8_t *at = gguf_search(g->pair, g->pairs, key);
    if (at) *out = pair_from(at);
    return at != NULL;
}

// Two's complement of `bytes` bytes.
static int64_t sign_extend(uint64_t value, size_t bytes) {
    uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    return (int64_t)((value ^ sign) - sign);
}

bool gguf_int(const gguf_pair *p, uint64_t i, int64_t *out) {
    size_t bytes = value_rows[p->type].bytes;
    if (i >= p->count || !bytes) return false;
    uint64_t value = gguf_number(p->data + i * bytes, bytes);
    switch (p->type) {
    case GGUF_I8:
    case GGUF_I16:
    case GGUF_I32:
    case GGUF_I64: *out = sign_extend(value, bytes); return true;
    case GGUF_U8:
    case GGUF_U16:
    case GGUF_U32: *out = (int64_t)value; return true;
    // The only unsigned type that may not fit.
    case GGUF_U64: *out = (int64_t)value; return value <= INT64_MAX;
    case GGUF_F32:
    case GGUF_F64:
    case GGUF_BOOL:
    case GGUF_TEXT:
    case GGUF_ARRAY:
    case GGUF_VALUES: break;
    }
    return false;
}

bool gguf_float(const gguf_pair *p, uint64_t i, double *out) {
    int64_t whole;
    if (i >= p->count) return false;
    if (p->type == GGUF_F32) return *out = dtype_decode_float(DTYPE_OF(F32), gguf_number(p->data + i * 4, 4)), true;
    if (p->type == GGUF_F64) return *out = dtype_decode_float(DTYPE_OF(F64), gguf_number(p->data + i * 8, 8)), true;
    if (!gguf_int(p, i, &whole)) return false;
    *out = (double)whole;
    return true;
}

bool gguf_bool(const gguf_pair *p, uint64_t i, bool *out) {
    if (p->type != GGUF_BOOL || i >= p->count) return false;
    *out = p->data[i] != 0;
    return true;
}

bool gguf_text(const gguf_pair *p, text_span *out) {
    if (p->type != GGUF_TEXT || p->is_array) return false;
    *out = gguf_text_at(p->data);
    return true;
}

text_span gguf_next_text(const gguf_pair *p, const uint8_t **at) {
    CHECK(p->type == GGUF_TEXT);
    text_span text = gguf_text_at(*at);
    *at = (const uint8_t *)text.at + text.size;
    return text;
}
