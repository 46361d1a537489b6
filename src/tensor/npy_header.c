// npy_header.c - the header of .npy files: a Python dict literal, read without recursion and written as NumPy does.
#include "base/count_noun.h"
#include "base/size.h"
#include "tensor/npy.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The fixed part: magic, version, and the length of the dict in 2 (version 1) or 4 bytes.
enum { MAGIC_BYTES = 6, PREFIX_1 = 10, PREFIX_2 = 12 };
static const uint8_t magic[MAGIC_BYTES + 1] = "\x93NUMPY";

typedef struct scanner {
    const char *at, *end;
    char *why; // may be NULL
} scanner;

// What stands at the scanner, for a message: at most 24 characters, printable.
static const char *excerpt(const scanner *s, char out[25]) {
    size_t n = 0;
    for (const char *p = s->at; p < s->end && n < 24 && *p != '\n'; p++) {
        out[n++] = *p >= ' ' && *p <= '~' ? *p : '?';
    }
    out[n] = 0;
    return n ? out : "the end";
}

static rx_status unexpected(const scanner *s, const char *wanted) {
    char found[25];
    return why_fail(s->why, RX_BAD_FILE, "npy: the header wants %s where it has: %s", wanted, excerpt(s, found));
}

static void skip_space(scanner *s) {
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r' || *s->at == '\n')) s->at++;
}

// Skips white space; then true and a step further if `c` comes next.
static bool take(scanner *s, char c) {
    skip_space(s);
    if (s->at == s->end || *s->at != c) return false;
    s->at++;
    return true;
}

// Python's True and False; no space is skipped.
static bool take_word(scanner *s, const char *word) {
    size_t size = strlen(word);
    if ((size_t)(s->end - s->at) < size || memcmp(s->at, word, size) != 0) return false;
    s->at += size;
    return true;
}

// A string in either kind of quotes; escapes aren't interpreted (no dtype or key needs them).
static bool take_string(scanner *s, scanner *text) {
    char quote = take(s, '\'') ? '\'' : '"';
    if (quote == '"' && !take(s, '"')) return false;
    const char *close = memchr(s->at, quote, (size_t)(s->end - s->at));
    if (!close) return false;
    *text = (scanner){s->at, close, s->why};
    s->at = close + 1;
    return true;
}

static bool text_is(const scanner *text, const char *word) {
    size_t size = strlen(word);
    return (size_t)(text->end - text->at) == size && memcmp(text->at, word, size) == 0;
}

// Signs are refused by name: a negative dimension is the classical lie.
static rx_status parse_dim(scanner *s, int64_t *out) {
    const char *start = s->at;
    int64_t value = 0;
    if (s->at < s->end && *s->at == '-') return unexpected(s, "a dimension of at least 0");
    while (s->at < s->end && *s->at >= '0' && *s->at <= '9') {
        if (!int_mul(value, 10, &value) || !int_add(value, *s->at - '0', &value))
            return why_fail(s->why, RX_BAD_FILE, "npy: a dimension doesn't fit 63 bits");
        s->at++;
    }
    if (s->at == start) return unexpected(s, "a dimension");
    if (s->at < s->end && *s->at == 'L') s->at++; // Python 2 wrote long integers so
    *out = value;
    return RX_OK;
}

// "()", "(3,)", "(3, 4)".
static rx_status parse_shape(scanner *s, npy_info *out) {
    if (!take(s, '(')) return unexpected(s, "a tuple of dimensions for 'shape'");
    out->rank = 0;
    while (!take(s, ')')) {
        if (out->rank == TENSOR_MAX_RANK)
            return why_fail(s->why, RX_UNSUPPORTED, "npy: the array has more than %d dimensions", TENSOR_MAX_RANK);
        RX_TRY(parse_dim(s, &out->dim[out->rank++]));
        if (take(s, ',')) continue;
        if (out->rank == 1) return unexpected(s, "',' after the only dimension");
        if (!take(s, ')')) return unexpected(s, "',' or ')' after a dimension");
        break;
    }
    return RX_OK;
}

static rx_status parse_bool(scanner *s, bool *out) {
    skip_space(s);
    *out = take_word(s, "True");
    return *out || take_word(s, "False") ? RX_OK : unexpected(s, "True or False for 'fortran_order'");
}

// NumPy's type codes without the byte order: ours, and bytes per element. V1 is resolved later, by name_void.
typedef struct descr_row {
    const char *code;
    dtype_kind kind;
    uint8_t bytes;
} descr_row;

static const descr_row descrs[] = {
    {"b1", DTYPE_BOOL, 1}, {"i1", DTYPE_I8, 1},  {"i2", DTYPE_I16, 2},  {"i4", DTYPE_I32, 4},  {"i8", DTYPE_I64, 8},
    {"u1", DTYPE_U8, 1},   {"u2", DTYPE_U16, 2}, {"u4", DTYPE_U32, 4},  {"u8", DTYPE_U64, 8},  {"f2", DTYPE_F16, 2},
    {"f4", DTYPE_F32, 4},  {"f8", DTYPE_F64, 8}, {"V2", DTYPE_BF16, 2}, {"V1", DTYPE_VOID, 1}, {"f1", DTYPE_F8_E5M2, 1},
};

// Why a legal type code gives no tensor, by its first letter.
typedef struct refused_row {
    char letter;
    const char *reason;
} refused_row;

static const refused_row refused[] = {
    {'O', "pickled Python objects, which can run code when loaded"},
    {'c', "complex numbers"},
    {'f', "floats of a size that only some machines have"},
    {'U', "text"},
    {'S', "text"},
    {'a', "text"},
    {'T', "text"},
    {'M', "dates"},
    {'m', "time spans"},
    {'V', "raw bytes"},
};

// `letter` is 0 where the text isn't even of NumPy's form.
static rx_status refuse_descr(const scanner *text, char letter) {
    char found[25];
    for (size_t i = 0; i < COUNT(refused); i++) {
        if (refused[i].letter != letter) continue;
        return why_fail(text->why, RX_UNSUPPORTED, "npy: the elements ('%s') are %s; save an array of numbers instead",
                        excerpt(text, found), refused[i].reason);
    }
    return why_fail(text->why, RX_UNSUPPORTED, "npy: the element type '%s' is unknown", excerpt(text, found));
}

// The size in a file of a type that NumPy itself has no code for.
static uint8_t void_bytes(dtype t) { return (uint8_t)((dtype_bits(t) + 7) / 8); }

// NumPy's code with its byte order ("<f4"), or a spelling of ours ("bfloat16").
static rx_status read_descr(const scanner *text, npy_info *out) {
    const char *code = text->at;
    size_t size = (size_t)(text->end - code);
    bool ordered = size && strchr("<>|=", *code) && *code;
    if (ordered && size == 3) {
        for (size_t i = 0; i < COUNT(descrs); i++) {
            if (memcmp(code + 1, descrs[i].code, 2) != 0) continue;
            out->type = (dtype){.kind = (uint8_t)descrs[i].kind, .lanes = 1};
            out->item_bytes = descrs[i].bytes;
            out->big_endian = *code == '>' && descrs[i].bytes > 1;
            return RX_OK;
        }
    }
    if (dtype_parse(code, size, &out->type) && dtype_family_of(out->type) != FAMILY_NONE &&
        dtype_lanes(out->type) == 1) {
        out->item_bytes = void_bytes(out->type);
        return RX_OK;
    }
    return refuse_descr(text, ordered && size > 1 ? code[1] : 0);
}

// A list of fields or a pair is legal NumPy too, but no tensor.
static rx_status parse_descr(scanner *s, npy_info *out) {
    scanner text;
    if (take(s, '['))
        return why_fail(s->why, RX_UNSUPPORTED,
                        "npy: the elements are records with fields; save each field on its own");
    if (take(s, '('))
        return why_fail(s->why, RX_UNSUPPORTED, "npy: the elements are arrays; save them with a dimension more");
    if (!take_string(s, &text)) return unexpected(s, "a string for 'descr'");
    return read_descr(&text, out);
}

// The three keys, as bits of what has been seen. NumPy wants exactly these; their order is free.
enum { KEY_DESCR = 1, KEY_FORTRAN = 2, KEY_SHAPE = 4, KEYS_ALL = 7 };

static rx_status parse_entry(scanner *s, unsigned *seen, npy_info *out) {
    static const char *const names[] = {[KEY_DESCR] = "descr", [KEY_FORTRAN] = "fortran_order", [KEY_SHAPE] = "shape"};
    scanner key;
    unsigned which = 0;
    if (!take_string(s, &key)) return unexpected(s, "a key in quotes");
    for (unsigned k = KEY_DESCR; k < KEYS_ALL; k *= 2) {
        if (text_is(&key, names[k])) which = k;
    }
    if (!which || *seen & which) return unexpected(&key, "'descr', 'fortran_order' and 'shape', each once,");
    *seen |= which;
    if (!take(s, ':')) return unexpected(s, "':' after a key");
    if (which == KEY_DESCR) return parse_descr(s, out);
    return which == KEY_SHAPE ? parse_shape(s, out) : parse_bool(s, &out->fortran);
}

// The type of '|V1', from the comment behind the dict or from the caller.
static rx_status name_void(scanner *s, dtype unnamed, npy_info *out) {
    const char *end;
    dtype t;
    if (take(s, '#')) {
        skip_space(s);
        for (end = s->at; end < s->end && *end > ' ';) end++;
        if (dtype_parse(s->at, (size_t)(end - s->at), &t)) unnamed = t;
    }
    bool fits = dtype_family_of(unnamed) != FAMILY_NONE && dtype_lanes(unnamed) == 1;
    if (!fits || void_bytes(unnamed) != 1)
        return why_fail(s->why, RX_UNSUPPORTED,
                        "npy: the type of the elements ('|V1') isn't in the file: name a one-byte type such as "
                        "float8_e4m3fn, or save array.view(numpy.uint8)");
    out->type = unnamed;
    return RX_OK;
}

// With a dim of 0 the others don't matter, even where their product overflows.
static rx_status count_bytes(npy_info *out, char *why) {
    out->data_bytes = out->item_bytes;
    for (uint32_t i = 0; i < out->rank; i++) {
        if (out->dim[i] == 0) return out->data_bytes = 0, RX_OK;
    }
    for (uint32_t i = 0; i < out->rank; i++) {
        if (!size_mul(out->data_bytes, (size_t)out->dim[i], &out->data_bytes))
            return why_fail(why, RX_BAD_FILE, "npy: the dimensions ask for more than 2^64 bytes");
    }
    return RX_OK;
}

// A comma may follow the last entry, as in all of Python's literals.
static rx_status parse_dict(scanner *s, dtype unnamed, npy_info *out) {
    unsigned seen = 0;
    if (!take(s, '{')) return unexpected(s, "'{'");
    while (!take(s, '}')) {
        RX_TRY(parse_entry(s, &seen, out));
        if (take(s, ',')) continue;
        if (!take(s, '}')) return unexpected(s, "',' or '}' after a value");
        break;
    }
    if (seen != KEYS_ALL)
        return why_fail(s->why, RX_BAD_FILE, "npy: the header lacks %s",
                        !(seen & KEY_DESCR) ? "'descr'"
                        : seen & KEY_SHAPE  ? "'fortran_order'"
                                            : "'shape'");
    if (out->type.kind == DTYPE_VOID) RX_TRY(name_void(s, unnamed, out));
    return count_bytes(out, s->why);
}

rx_status npy_parse_header(const uint8_t *bytes, size_t size, dtype unnamed, npy_info *out, char why[FILE_WHY]) {
    *out = (npy_info){0};
    if (size > 4 && memcmp(bytes, "PK\x03\x04", 4) == 0)
        return why_fail(why, RX_BAD_FILE, "npy: this is an archive of arrays (.npz); want one array (.npy)");
    if (size < PREFIX_1 || memcmp(bytes, magic, MAGIC_BYTES) != 0)
        return why_fail(why, RX_BAD_FILE, "npy: the file doesn't begin with \\x93NUMPY, a version and a length");
    unsigned version = bytes[MAGIC_BYTES];
    if (version < 1 || version > 3)
        return why_fail(why, RX_UNSUPPORTED, "npy: format version %u.%u; versions 1.0 to 3.0 are read", version,
                        bytes[7]);
    size_t prefix = version == 1 ? PREFIX_1 : PREFIX_2, length = bytes[8] | (size_t)bytes[9] << 8;
    if (size < prefix)
        return why_fail(why, RX_BAD_FILE, "npy: the file ends within its first %s", COUNTED(prefix, "byte"));
    if (version > 1) length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (length > NPY_MAX_HEADER - prefix)
        return why_fail(why, RX_UNSUPPORTED, "npy: a header of %s; at most %zu are read", COUNTED(length, "byte"),
                        NPY_MAX_HEADER - prefix);
    if (length > size - prefix)
        return why_fail(why, RX_BAD_FILE, "npy: the header says it has %s, but %zu are left", COUNTED(length, "byte"),
                        size - prefix);
    out->header_bytes = prefix + length;
    scanner s = {(const char *)bytes + prefix, (const char *)bytes + out->header_bytes, why};
    return parse_dict(&s, unnamed, out);
}

// The code that a type is written with. Types without one, e5m2 among them (NumPy can't load its '<f1'), are void.
static const char *descr_of(dtype t, char out[4]) {
    char code[3] = "V1";
    unsigned bytes = void_bytes(t);
    for (size_t i = 0; i < COUNT(descrs); i++) {
        if (descrs[i].kind == (dtype_kind)t.kind && t.kind != DTYPE_F8_E5M2) memcpy(code, descrs[i].code, 3);
    }
    bool no_order = bytes == 1 && code[0] != 'V'; // ml_dtypes gives its one-byte types an order
    snprintf(out, 4, "%c%s", no_order ? '|' : '<', code);
    return out;
}

// The dict as NumPy prints it, with the spaces that let the first dimension grow to 21 digits in place.
static size_t print_dict(const tensor *t, char *out, size_t room) {
    char descr[4], name[32];
    size_t n =
        (size_t)snprintf(out, room, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr_of(t->type, descr));
    int first = 0;
    for (uint32_t i = 0; i < t->rank; i++) {
        int digits = snprintf(out + n, room - n, "%s%lld", i ? ", " : "", (long long)t->dim[i]);
        if (i == 0) first = digits;
        n += (size_t)digits;
    }
    n += (size_t)snprintf(out + n, room - n, "%s), }", t->rank == 1 ? "," : "");
    if (strcmp(descr + 1, "V1") == 0) n += (size_t)snprintf(out + n, room - n, " # %s", dtype_spell(t->type, name));
    if (t->rank) n += (size_t)snprintf(out + n, room - n, "%*s", 21 - first, "");
    return n;
}

// Filled with spaces up to the newline, as NumPy does, so that the data is aligned when the file is mapped.
rx_status npy_header(const tensor *t, uint8_t **out, size_t *size) {
    char dict[128 + TENSOR_MAX_RANK * 22];
    size_t total, length;
    if (dtype_lanes(t->type) != 1) return RX_UNSUPPORTED;
    length = print_dict(t, dict, sizeof dict);
    if (!size_align(PREFIX_1 + length + 1, TENSOR_ALIGN, &total)) return RX_OUT_OF_MEMORY;
    uint8_t *bytes = malloc(total);
    if (!bytes) return RX_OUT_OF_MEMORY;
    memset(bytes, ' ', total);
    memcpy(bytes, magic, MAGIC_BYTES);
    memcpy(bytes + MAGIC_BYTES, (uint8_t[]){1, 0, (uint8_t)(total - PREFIX_1), (uint8_t)((total - PREFIX_1) >> 8)}, 4);
    memcpy(bytes + PREFIX_1, dict, length);
    bytes[total - 1] = '\n';
    *out = bytes;
    *size = total;
    return RX_OK;
}
