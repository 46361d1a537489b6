// safetensors_header.c - the JSON header of a safetensors file: objects of strings, lists of whole numbers, nothing
// else.
#include "base/text.h"
#include "checkpoint/safetensors_inside.h"
#include "tensor/npy.h"
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *at, *end, *start;
    safetensors *s;
    char *why;
    rx_status status;
} reader;

static bool fail(reader *r, rx_status status, const char *what) {
    if (r->status == RX_OK)
        r->status = npy_fail(r->why, status, "header, byte %zu: %s", (size_t)(r->at - r->start), what);
    return false;
}

static bool bad(reader *r, const char *what) { return fail(r, RX_BAD_FILE, what); }
static bool no_memory(reader *r) { return fail(r, RX_OUT_OF_MEMORY, "no memory"); }

// --- Pieces of JSON.

static void skip_space(reader *r) {
    while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) r->at++;
}

static bool take(reader *r, char c) {
    skip_space(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

static bool want(reader *r, char c) {
    char what[] = "want ' '";
    what[6] = c;
    return take(r, c) || bad(r, what);
}

static bool hex4(reader *r, uint32_t *out) {
    *out = 0;
    if (r->end - r->at < 4) return bad(r, "a \\u escape is cut off");
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = *r->at ? strchr(digits, *r->at) : NULL;
        if (!digit) return bad(r, "want four hexadecimal digits after \\u");
        *out = *out * 16 + (uint32_t)((digit - digits) % 16);
        r->at++;
    }
    return true;
}

static char *put_utf8(char *to, uint32_t c) {
    if (c < 0x80) return *to++ = (char)c, to;
    if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *to++ = (char)(0xe0 | c >> 12);
        } else {
            *to++ = (char)(0xf0 | c >> 18);
            *to++ = (char)(0x80 | (c >> 12 & 0x3f));
        }
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (c & 0x3f));
    return to;
}

// What follows \u: one code point, maybe of two halves.
static bool read_code_point(reader *r, uint32_t *out) {
    uint32_t low;
    if (!hex4(r, out)) return false;
    if (*out == 0) return bad(r, "a name with a zero character");
    if (*out < 0xd800 || *out > 0xdfff) return true;
    bool pair = *out < 0xdc00 && r->end - r->at >= 2 && r->at[0] == '\\' && r->at[1] == 'u';
    if (!pair) return bad(r, "half a surrogate pair");
    r->at += 2;
    if (!hex4(r, &low)) return false;
    if (low < 0xdc00 || low > 0xdfff) return bad(r, "half a surrogate pair");
    *out = 0x10000 + ((*out - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

static bool read_escape(reader *r, char **to) {
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end) return bad(r, "an escape is cut off");
    char c = *r->at++;
    if (c == 'u') {
        uint32_t code;
        if (!read_code_point(r, &code)) return false;
        *to = put_utf8(*to, code);
        return true;
    }
    const char *known = c ? strchr(from, c) : NULL;
    if (!known) return bad(r, "an unknown escape");
    *(*to)++ = into[known - from];
    return true;
}

// A string; the text is malloc'd and ends in a NUL (there is none inside).
static bool read_string(reader *r, char **out) {
    *out = NULL;
    if (!want(r, '"')) return false;
    size_t size = 0, left = (size_t)(r->end - r->at);
    while (size < left && r->at[size] != '"') size += r->at[size] == '\\' ? 2 : 1;
    if (size >= left) return bad(r, "a string that doesn't end");
    const char *close = r->at + size;
    char *made = malloc(size + 1), *to = made;
    if (!made) return no_memory(r);
    while (r->at < close) {
        char c = *r->at++;
        bool fine = c == '\\'                  ? read_escape(r, &to)
                    : (unsigned char)c >= 0x20 ? (*to++ = c, true)
                                               : bad(r, "a control byte");
        if (!fine) return free(made), false;
    }
    r->at = close + 1;
    *to = 0;
    if (!text_is_utf8(made, (size_t)(to - made))) return free(made), bad(r, "text that is not UTF-8");
    *out = made;
    return true;
}

static bool read_number(reader *r, uint64_t *out) {
    skip_space(r);
    const char *first = r->at;
    for (*out = 0; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        uint64_t digit = (uint64_t)(*r->at - '0');
        if (*out > (UINT64_MAX - digit) / 10) return bad(r, "a number that is too large");
        *out = *out * 10 + digit;
    }
    bool whole = r->at > first && (r->at == r->end || !strchr(".eE", *r->at) || !*r->at);
    return whole || bad(r, "want a whole number");
}

// [1, 2, 3] with at most `room` numbers.
static bool read_numbers(reader *r, uint64_t *out, uint32_t room, uint32_t *count) {
    *count = 0;
    if (!want(r, '[')) return false;
    if (take(r, ']')) return true;
    do {
        if (*count == room) return bad(r, "too many numbers in a list");
        if (!read_number(r, &out[(*count)++])) return false;
    } while (take(r, ','));
    return want(r, ']');
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
    if (!new_entry(r, name, &e, &range) || !want(r, '{')) return false;
    do {
        char *key;
        if (!read_string(r, &key)) return false;
        bool fine = want(r, ':') && read_field(r, key, e, range, &seen);
        free(key);
        if (!fine) return false;
    } while (take(r, ','));
    return seen == HAS_ALL ? want(r, '}') : bad(r, "want dtype, shape and data_offsets, once each");
}

// --- "__metadata__": {"key": "value"}

static bool read_metadata(reader *r) {
    safetensors *s = r->s;
    if (!want(r, '{')) return false;
    if (take(r, '}')) return true;
    do {
        void *table = s->meta;
        bool fits = grow(r, &table, &s->meta_room, s->metas, sizeof *s->meta);
        s->meta = table;
        if (!fits) return false;
        safetensors_pair *p = &s->meta[s->metas];
        *p = (safetensors_pair){0};
        s->metas++;
        if (!read_string(r, &p->key) || !want(r, ':') || !read_string(r, &p->value)) return false;
    } while (take(r, ','));
    return want(r, '}');
}

static bool read_member(reader *r) {
    char *name;
    if (!read_string(r, &name)) return false;
    if (!want(r, ':')) return free(name), false;
    if (strcmp(name, "__metadata__") != 0) return read_tensor(r, name);
    free(name);
    return read_metadata(r);
}

rx_status safetensors_read_header(const char *json, size_t size, safetensors *s, char why[FILE_WHY]) {
    reader r = {.at = json, .end = json + size, .start = json, .s = s, .why = why};
    bool fine = want(&r, '{');
    if (fine && !take(&r, '}')) {
        do fine = read_member(&r);
        while (fine && take(&r, ','));
        fine = fine && want(&r, '}');
    }
    skip_space(&r);
    if (fine && r.at != r.end) bad(&r, "something follows the object");
    return r.status;
}
