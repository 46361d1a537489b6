// value_parse.c - values as they are written on command lines.
#define _POSIX_C_SOURCE 200809L
#include "base/count_noun.h"
#include "vm/object.h"
#include "vm/value_say.h"
#include "vm/vm.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 16 }; // tuples and lists inside one another

// ---- numbers ----

// Short spellings of dtypes next to those of dtype_parse.
static const struct {
    const char *brief, *full;
} brief_dtypes[] = {
    {"f16", "float16"}, {"f32", "float32"}, {"f64", "float64"}, {"bf16", "bfloat16"}, {"i4", "int4"},
    {"i8", "int8"},     {"i16", "int16"},   {"i32", "int32"},   {"i64", "int64"},     {"u4", "uint4"},
    {"u8", "uint8"},    {"u16", "uint16"},  {"u32", "uint32"},  {"u64", "uint64"},
};

// Vectors and types without values are no dtypes of inputs.
static bool parse_dtype(const char *text, size_t size, dtype *out) {
    for (size_t i = 0; i < COUNT(brief_dtypes); i++)
        if (strlen(brief_dtypes[i].brief) == size && memcmp(brief_dtypes[i].brief, text, size) == 0)
            return dtype_parse(brief_dtypes[i].full, strlen(brief_dtypes[i].full), out);
    return dtype_parse(text, size, out) && dtype_family_of(*out) != FAMILY_NONE && dtype_lanes(*out) == 1;
}

// Out of range is an error (errno), never the nearest value.
static bool parse_int(const char *text, char **end, int64_t *out) {
    errno = 0;
    long long x = strtoll(text, end, 10);
    *out = x;
    return *end != text && errno == 0;
}

static const char *skip_spaces(const char *at) { return at + strspn(at, " "); }

// A truth value or a number of type t as its bits; false: there is none at `at`, or it doesn't fit (*fits says which).
static bool parse_element(const char *at, const char **end, dtype t, int64_t *bits, bool *fits) {
    static const char *const words[] = {"false", "true", "False", "True"};
    char *stop = NULL;
    *fits = true;
    for (int i = 0; dtype_family_of(t) == FAMILY_BOOL && i < 4; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0) return *bits = i % 2, *end = at + strlen(words[i]), true;
    if (dtype_is_float(t)) {
        double d = strtod(at, &stop);
        *bits = (int64_t)dtype_encode_float(t, d);
        return *end = stop, stop != at;
    }
    // The largest type's upper half is beyond int64; its lower one is what a minus sign can't give.
    bool minus = *skip_spaces(at) == '-', most = t.kind == DTYPE_U64;
    errno = 0;
    *bits = most && !minus ? (int64_t)strtoull(at, &stop, 10) : (int64_t)strtoll(at, &stop, 10);
    *fits = errno == 0 && (most ? !minus || !*bits : dtype_wrap(t, *bits) == *bits) &&
            (dtype_family_of(t) != FAMILY_BOOL || *bits == 0 || *bits == 1);
    return *end = stop, stop != at && *fits;
}

// A number of a dtype; `number` is the part of `text` that is it.
static rx_status parse_scalar(const char *text, const char *number, dtype t, rx_value **out, char *message) {
    char name[32];
    const char *end;
    int64_t bits;
    bool fits;
    dtype_spell(t, name);
    if (parse_element(number, &end, t, &bits, &fits) && !*end)
        return value_say_status(message, vm_value_of_bits(t, bits, out), text);
    return fits || *end ? value_say(message, RX_INVALID_ARGUMENT, "%.200s: want a number of type %s", text, name)
                        : value_say(message, RX_INVALID_ARGUMENT, "%.200s: out of range for %s", text, name);
}

// Without a dtype: int64, or float32 where it looks like one; "n" and "i" are for nan and inf.
static rx_status parse_number(const char *text, rx_value **out, char *message) {
    const char *colon = strchr(text, ':');
    dtype t;
    if (colon) {
        if (parse_dtype(text, (size_t)(colon - text), &t)) return parse_scalar(text, colon + 1, t, out, message);
        return value_say(message, RX_INVALID_ARGUMENT, "%.200s: no dtype is called %.*s", text, (int)(colon - text),
                         text);
    }
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) return rx_int_new("bool", *text == 't', out);
    bool is_float = strpbrk(text, ".eEni") != NULL; // also inf, nan
    return parse_scalar(text, text, is_float ? DTYPE_OF(F32) : DTYPE_OF(I64), out, message);
}

// ---- tensors ----

// "3, 4" and `close`, at which *end stands afterwards.
static bool parse_dims(const char *at, char close, uint32_t *rank, int64_t dim[TENSOR_MAX_RANK], const char **end) {
    *rank = 0;
    for (at = skip_spaces(at); *at != close;) {
        char *stop;
        if (*rank == TENSOR_MAX_RANK || !parse_int(at, &stop, &dim[*rank]) || dim[*rank] < 0) return false;
        ++*rank;
        at = skip_spaces(stop);
        if (*at == ',')
            at = skip_spaces(at + 1);
        else if (*at != close)
            return false;
    }
    *end = at + 1;
    return true;
}

// "1,2,3" up to the end of the text: as many as the tensor has.
static rx_status parse_elements(const char *text, const char *at, tensor *t, char *message) {
    char name[32];
    int64_t bits, count = tensor_count(t);
    bool fits;
    for (int64_t i = 0; i < count; i++) {
        at = skip_spaces(at);
        if (i && *at++ != ',')
            return value_say(message, RX_INVALID_ARGUMENT, "%.200s: it has %lld of its %lld elements", text,
                             (long long)i, (long long)count);
        if (!parse_element(at, &at, t->type, &bits, &fits))
            return value_say(message, RX_INVALID_ARGUMENT, "%.200s: element %lld is no number of type %s", text,
                             (long long)i, dtype_spell(t->type, name));
        dtype_store_bits(t->type, t->data, (size_t)i, (uint64_t)bits);
    }
    if (!*skip_spaces(at)) return RX_OK;
    return value_say(message, RX_INVALID_ARGUMENT, "%.200s: it has more than the %s of its shape", text,
                     COUNTED(count, "element"));
}

// "f32[7,128]": reproducible from the seed, so that two runs and two builds can be compared. "f32[3]:1,2,3": these.
static rx_status parse_tensor(const char *text, const char *bracket, uint64_t seed, rx_value **out, char *message) {
    dtype t;
    uint32_t rank;
    int64_t dim[TENSOR_MAX_RANK];
    const char *end;
    if (!parse_dtype(text, (size_t)(bracket - text), &t))
        return value_say(message, RX_INVALID_ARGUMENT, "%.200s: no dtype is called %.*s", text, (int)(bracket - text),
                         text);
    if (!parse_dims(bracket + 1, ']', &rank, dim, &end) || (*end && *end != ':'))
        return value_say(message, RX_INVALID_ARGUMENT, "%.200s: want a shape such as f32[7,128]", text);
    AUTO(tensor_release_at) tensor *made = NULL;
    rx_status status = tensor_new(t, rank, dim, &made);
    if (status != RX_OK) return value_say_status(message, status, text);
    if (*end)
        RX_TRY(parse_elements(text, end + 1, made, message));
    else
        tensor_fill_random(made, seed);
    return value_say_status(message, vm_value_of_tensor(made, out), text);
}

// ---- lists of numbers ----

// "[[1, 2], [3, 4]]", read twice: for its dims, then for its elements.
typedef struct list_reader {
    const char *at;
    uint32_t rank;
    int64_t dim[TENSOR_MAX_RANK];
    tensor *t; // NULL: dims only
    size_t next;
} list_reader;

static const char *end_of_word(const char *at) { return at + strcspn(at, ",] "); }

// A number, or a list of what the others at this depth are. The dims are those of the first of each depth.
static bool read_list(list_reader *r, uint32_t depth) {
    int64_t count = 0, bits;
    bool fits;
    r->at = skip_spaces(r->at);
    if (*r->at != '[') {
        if (r->rank == UINT32_MAX) r->rank = depth;
        const char *end = end_of_word(r->at), *stop;
        if (r->rank != depth || end == r->at) return false;
        if (r->t) {
            if (!parse_element(r->at, &stop, r->t->type, &bits, &fits) || stop != end) return false;
            dtype_store_bits(r->t->type, r->t->data, r->next++, (uint64_t)bits);
        }
        return r->at = end, true;
    }
    if (depth == TENSOR_MAX_RANK || depth >= r->rank) return false;
    for (r->at = skip_spaces(r->at + 1); *r->at != ']'; count++) {
        if (count && *r->at++ != ',') return false;
        if (!read_list(r, depth + 1)) return false;
        r->at = skip_spaces(r->at);
    }
    r->at++;
    if (r->rank == UINT32_MAX) r->rank = depth + 1; // an empty list
    if (r->dim[depth] < 0) r->dim[depth] = count;
    return r->dim[depth] == count;
}

// As written for numbers: bool, int64, or float32 if one of them looks like one.
static dtype dtype_of_list(const char *text) {
    if (strpbrk(text, "tTF")) return DTYPE_OF(BOOL); // True, true, False; false has an f, as inf has
    if (strstr(text, "false")) return DTYPE_OF(BOOL);
    return strpbrk(text, ".eni") ? DTYPE_OF(F32) : DTYPE_OF(I64);
}

static rx_status parse_list(const char *text, rx_value **out, char *message) {
    char name[32];
    list_reader r = {.at = text, .rank = UINT32_MAX};
    for (int i = 0; i < TENSOR_MAX_RANK; i++) r.dim[i] = -1;
    AUTO(tensor_release_at) tensor *made = NULL;
    if (!read_list(&r, 0) || *skip_spaces(r.at))
        return value_say(message, RX_INVALID_ARGUMENT, "%.200s: want lists of one length, such as [[1, 2], [3, 4]]",
                         text);
    rx_status status = tensor_new(dtype_of_list(text), r.rank, r.dim, &made);
    if (status != RX_OK) return value_say_status(message, status, text);
    r.at = text, r.t = made;
    if (!read_list(&r, 0))
        return value_say(message, RX_INVALID_ARGUMENT, "%.200s: '%.*s' is no number of type %s", text,
                         (int)(end_of_word(r.at) - r.at), r.at, dtype_spell(made->type, name));
    return value_say_status(message, vm_value_of_tensor(made, out), text);
}

// ---- shapes and tuples ----

static rx_status parse_value(const char *text, uint64_t seed, uint32_t depth, rx_value **out, char *message);

// "(3,4)"; a trailing comma is allowed, as Python writes "(3,)".
static rx_status parse_shape(const char *text, rx_value **out, char *message) {
    uint32_t rank;
    int64_t dim[TENSOR_MAX_RANK];
    const char *end;
    if (!parse_dims(text + 1, ')', &rank, dim, &end) || *end)
        return value_say(message, RX_INVALID_ARGUMENT, "%.200s: want a shape such as (3,4)", text);
    return value_say_status(message, rx_shape_new(rank, dim, out), text);
}

// The end of a tuple's item: a comma or bracket that is inside of no other.
static char *end_of_item(char *at) {
    int depth = 0;
    for (bool quoted = false; *at; at++) {
        if (*at == '\'') quoted = !quoted;
        if (quoted) continue;
        if (!depth && (*at == ',' || *at == ')')) return at;
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
    }
    return at;
}

enum { MOST_ITEMS = 256 };

// The items of `copy`, which is taken apart.
static rx_status parse_items(char *copy, const char *text, uint64_t seed, uint32_t depth, rx_value **item,
                             uint32_t *count, char *message) {
    for (char *at = copy + strspn(copy, " "); *at;) {
        char *end = end_of_item(at), last = *end;
        if (!last || *count == MOST_ITEMS)
            return value_say(message, RX_INVALID_ARGUMENT, "%.200s: want a tuple such as (f32[2],1.5)", text);
        *end = 0;
        for (char *tail = end; tail > at && tail[-1] == ' ';) *--tail = 0;
        RX_TRY(parse_value(at, seed + 31 * *count, depth + 1, &item[*count], message));
        ++*count;
        at = end + 1 + strspn(end + 1, " ");
        if (last == ',' && *at == ')') last = *at++; // "(1.5,)"
        if (last != ')') continue;
        return !*at ? RX_OK
                    : value_say(message, RX_INVALID_ARGUMENT, "%.200s: '%.40s' comes after the tuple", text, at);
    }
    return value_say(message, RX_INVALID_ARGUMENT, "%.200s: the tuple isn't closed", text);
}

// "(f32[2,3],1.5,@x.npy)".
static rx_status parse_tuple(const char *text, uint64_t seed, uint32_t depth, rx_value **out, char *message) {
    rx_value *item[MOST_ITEMS] = {0};
    uint32_t count = 0;
    if (depth == DEEPEST) return value_say(message, RX_UNSUPPORTED, "%.200s: tuples are nested too deep", text);
    char *copy = strdup(text + 1);
    rx_status status = copy ? parse_items(copy, text, seed, depth, item, &count, message)
                            : value_say_status(message, RX_OUT_OF_MEMORY, text);
    if (status == RX_OK) status = value_say_status(message, rx_tuple_new(item, count, out), text);
    for (uint32_t i = 0; i < count; i++) rx_value_release(item[i]);
    free(copy);
    return status;
}

// ---- all of them ----

// The first character decides where it can.
static rx_status parse_value(const char *text, uint64_t seed, uint32_t depth, rx_value **out, char *message) {
    size_t size = strlen(text);
    const char *bracket = strchr(text, '[');
    if (text[0] == '@') return rx_tensor_load(text + 1, out, message);
    if (text[0] == '(' && text[1 + strspn(text + 1, "0123456789+-, )")] == 0) return parse_shape(text, out, message);
    if (text[0] == '(') return parse_tuple(text, seed, depth, out, message);
    if (text[0] == '\'' && size >= 2 && text[size - 1] == '\'') return rx_string_new(text + 1, size - 2, out);
    if (text[0] == '[') return parse_list(text, out, message);
    if (bracket) return parse_tensor(text, bracket, seed, out, message);
    if (*text) return parse_number(text, out, message);
    return value_say(message, RX_INVALID_ARGUMENT,
                     "want a value such as f32[7,128], @x.npy, [1,2], 3, 1.5, true, (3,4) or (f32[2],1.5)");
}

rx_status rx_value_parse(const char *text, uint64_t seed, rx_value **out, char *message) {
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    if (message) *message = 0;
    return parse_value(text ? text : "", seed, 0, out, message);
}
