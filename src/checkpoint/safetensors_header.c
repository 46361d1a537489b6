// safetensors_header.c - the JSON header of a safetensors file: objects of strings, lists of whole numbers, nothing
// else. Its tables are read straight from the words (base/json_lex): no tree, so that the memory is that of the tables.
#include "base/file.h"
#include "base/json_lex.h"
#include "checkpoint/safetensors_inside.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    json_lexer words;
    safetensors *s;
    char *why;
    rx_status status;
} reader;

static bool fail(reader *r, rx_status status, const char *what) {
    if (r->status == RX_OK) r->status = why_fail(r->why, status, "header, byte %zu: %s", json_place(&r->words), what);
    return false;
}

static bool bad(reader *r, const char *what) { return fail(r, RX_BAD_FILE, what); }
static bool no_memory(reader *r) { return fail(r, RX_OUT_OF_MEMORY, "no memory"); }

// Whether all was well so far; reports what the lexer found, once.
static bool fine(reader *r) {
    char what[64];
    if (!r->words.wanted) return r->status == RX_OK;
    snprintf(what, sizeof what, "want %s", r->words.wanted);
    return bad(r, what);
}

// --- Strings and numbers.

// The text is malloc'd and ends in a NUL (there is none inside). *out is NULL after a failure.
static bool copy_string(reader *r, const json_string *s, char **out) {
    *out = NULL;
    if (s->zero) return bad(r, "a name with a zero character");
    if (s->half) return bad(r, "half a surrogate pair");
    char *made = malloc(s->written.size + 1);
    if (!made) return no_memory(r);
    made[json_decode(s, made)] = 0;
    *out = made;
    return true;
}

static bool read_key(reader *r, char **out) {
    json_string s;
    *out = NULL;
    return json_take_key(&r->words, &s) ? copy_string(r, &s, out) : fine(r);
}

static bool read_string(reader *r, char **out) {
    json_string s;
    *out = NULL;
    return json_take_string(&r->words, &s) ? copy_string(r, &s, out) : fine(r);
}

static bool read_number(reader *r, uint64_t *out) {
    json_word word;
    if (!json_take_word(&r->words, &word)) return fine(r);
    if (word.kind != JSON_NUMBER || !word.number.whole || word.number.minus) return bad(r, "want a whole number");
    *out = word.number.magnitude;
    return word.number.fits || bad(r, "a number that is too large");
}

// [1, 2, 3] with at most `room` numbers.
static bool read_numbers(reader *r, uint64_t *out, uint32_t room, uint32_t *count) {
    *count = 0;
    if (!json_want(&r->words, '[')) return fine(r);
    for (bool first = true; json_more(&r->words, ']', first); first = false) {
        if (*count == room) return bad(r, "too many numbers in a list");
        if (!read_number(r, &out[(*count)++])) return false;
    }
    return fine(r);
}

// --- Tables.

static bool grow(reader *r, void **table, size_t *room, size_t used, size_t item) {
    if (used < *room) return true;
    size_t more = *room ? *room * 2 : 16;
    void *moved = more <= SIZE_MAX / item ? realloc(*table, more * item) : NULL;
    if (!moved) return no_memory(r);
    *table = moved;
    *room = more;
    return true;
}

// The name belongs to the entry from here on, also when something behind it is wrong: safetensors_close frees it.
static bool new_entry(reader *r, char *name, safetensors_entry **entry, safetensors_range **range) {
    safetensors *s = r->s;
    size_t room = s->room;
    void *entries = s->entry, *ranges = s->range;
    bool fits = grow(r, &entries, &room, s->entries, sizeof *s->entry);
    s->entry = entries;
    room = s->room;
    fits = fits && grow(r, &ranges, &room, s->entries, sizeof *s->range);
    s->range = ranges;
    if (!fits) return free(name), false;
    s->room = room;
    *entry = &s->entry[s->entries];
    *range = &s->range[s->entries++];
    **entry = (safetensors_entry){.name = name};
    **range = (safetensors_range){0};
    return true;
}

// --- Tensors.

// The names of the format's own documentation; F8_E4M3 is the kind without infinities.
static const struct {
    const char *name;
    uint8_t kind;
} dtypes[] = {
    {"F64", DTYPE_F64},           {"F32", DTYPE_F32},
    {"F16", DTYPE_F16},           {"BF16", DTYPE_BF16},
    {"I64", DTYPE_I64},           {"I32", DTYPE_I32},
    {"I16", DTYPE_I16},           {"I8", DTYPE_I8},
    {"U64", DTYPE_U64},           {"U32", DTYPE_U32},
    {"U16", DTYPE_U16},           {"U8", DTYPE_U8},
    {"BOOL", DTYPE_BOOL},         {"F8_E4M3", DTYPE_F8_E4M3FN},
    {"F8_E5M2", DTYPE_F8_E5M2},   {"F8_E8M0", DTYPE_F8_E8M0FNU},
    {"F6_E2M3", DTYPE_F6_E2M3FN}, {"F6_E3M2", DTYPE_F6_E3M2FN},
    {"F4", DTYPE_F4_E2M1FN},
};

static bool read_dtype(reader *r, dtype *out) {
    char *name;
    if (!read_string(r, &name)) return false;
    for (size_t i = 0; i < COUNT(dtypes); i++)
        if (strcmp(dtypes[i].name, name) == 0) *out = (dtype){.kind = dtypes[i].kind, .lanes = 1};
    free(name);
    return out->kind != DTYPE_VOID || fail(r, RX_UNSUPPORTED, "an unknown dtype");
}

static bool read_shape(reader *r, safetensors_entry *e) {
    uint64_t dim[TENSOR_MAX_RANK];
    if (!read_numbers(r, dim, TENSOR_MAX_RANK, &e->rank)) return false;
    for (uint32_t i = 0; i < e->rank; i++) {
        if (dim[i] > INT64_MAX) return bad(r, "a dim that is too large");
        e->dim[i] = (int64_t)dim[i];
    }
    return true;
}

static bool read_range(reader *r, safetensors_range *range) {
    uint64_t both[2];
    uint32_t count;
    if (!read_numbers(r, both, 2, &count)) return false;
    if (count != 2 || both[0] > both[1]) return bad(r, "data_offsets: want a begin and an end");
    *range = (safetensors_range){both[0], both[1]};
    return true;
}

// Each of the three must come once; other keys are of no version that is known.
enum { HAS_DTYPE = 1, HAS_SHAPE = 2, HAS_OFFSETS = 4, HAS_ALL = 7 };

static bool read_field(reader *r, const char *key, safetensors_entry *e, safetensors_range *range, int *seen) {
    int what = strcmp(key, "dtype") == 0          ? HAS_DTYPE
               : strcmp(key, "shape") == 0        ? HAS_SHAPE
               : strcmp(key, "data_offsets") == 0 ? HAS_OFFSETS
                                                  : 0;
    if (!what || (*seen & what)) return bad(r, "want dtype, shape and data_offsets, once each");
    *seen |= what;
    if (what == HAS_DTYPE) return read_dtype(r, &e->type);
    return what == HAS_SHAPE ? read_shape(r, e) : read_range(r, range);
}

static bool read_tensor(reader *r, char *name) {
    safetensors_entry *e;
    safetensors_range *range;
    int seen = 0;
    if (!new_entry(r, name, &e, &range)) return false;
    if (!json_want(&r->words, '{')) return fine(r);
    for (bool first = true; json_more(&r->words, '}', first); first = false) {
        char *key;
        bool read = read_key(r, &key) && read_field(r, key, e, range, &seen);
        free(key);
        if (!read) return false;
    }
    return fine(r) && (seen == HAS_ALL || bad(r, "want dtype, shape and data_offsets, once each"));
}

// --- "__metadata__": {"key": "value"}

static bool read_metadata(reader *r) {
    safetensors *s = r->s;
    if (!json_want(&r->words, '{')) return fine(r);
    for (bool first = true; json_more(&r->words, '}', first); first = false) {
        void *table = s->meta;
        bool fits = grow(r, &table, &s->meta_room, s->metas, sizeof *s->meta);
        s->meta = table;
        if (!fits) return false;
        safetensors_pair *p = &s->meta[s->metas];
        *p = (safetensors_pair){0};
        s->metas++;
        if (!read_key(r, &p->key) || !read_string(r, &p->value)) return false;
    }
    return fine(r);
}

static bool read_member(reader *r) {
    char *name;
    if (!read_key(r, &name)) return false;
    if (strcmp(name, "__metadata__") != 0) return read_tensor(r, name);
    free(name);
    return read_metadata(r);
}

rx_status safetensors_read_header(const char *json, size_t size, safetensors *s, char why[FILE_WHY]) {
    reader r = {.words = json_lex(json, size), .s = s, .why = why};
    bool going = json_want(&r.words, '{');
    for (bool first = true; going && json_more(&r.words, '}', first); first = false) going = read_member(&r);
    if (going && !r.words.wanted && !json_take_end(&r.words)) bad(&r, "something follows the object");
    fine(&r);
    return r.status;
}
