// vocab_gguf.c - the keys and values of a GGUF file, read with every length checked.
//
// Layout: "GGUF", u32 version, u64 tensors, u64 pairs, then the pairs: a text (u64 bytes, bytes), a u32 type, a value.
// An array is a u32 type, a u64 count and the values. All is little-endian.
#include "llm/vocab_gguf.h"
#include <stdlib.h>

enum { OLDEST_VERSION = 2, NEWEST_VERSION = 3, SHOWN = 60 };

typedef enum value_type {
    VALUE_U8,
    VALUE_I8,
    VALUE_U16,
    VALUE_I16,
    VALUE_U32,
    VALUE_I32,
    VALUE_F32,
    VALUE_BOOL,
    VALUE_TEXT,
    VALUE_ARRAY,
    VALUE_U64,
    VALUE_I64,
    VALUE_F64,
    VALUE_TYPES
} value_type;

// Bytes of a value; 0 for those that say their length themselves.
static const uint8_t value_bytes[VALUE_TYPES] = {
    [VALUE_U8] = 1,  [VALUE_I8] = 1,   [VALUE_U16] = 2, [VALUE_I16] = 2, [VALUE_U32] = 4, [VALUE_I32] = 4,
    [VALUE_F32] = 4, [VALUE_BOOL] = 1, [VALUE_U64] = 8, [VALUE_I64] = 8, [VALUE_F64] = 8,
};

typedef struct reader {
    const uint8_t *at, *end;
    text_span key; // of the pair being read, for messages
    vocab_gguf *out;
    char *why;
} reader;

static rx_status bad(const reader *r, const char *what) {
    int size = r->key.size < SHOWN ? (int)r->key.size : SHOWN;
    return llm_fail(r->why, RX_BAD_FILE, "gguf: %.*s%s%s", size, r->key.at ? r->key.at : "", size ? ": " : "", what);
}

static uint64_t little_endian(const uint8_t *at, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;) value = value << 8 | at[i];
    return value;
}

static rx_status take(reader *r, size_t bytes, uint64_t *out) {
    if ((size_t)(r->end - r->at) < bytes) return bad(r, "the file ends inside its metadata");
    *out = little_endian(r->at, bytes);
    r->at += bytes;
    return RX_OK;
}

static rx_status take_text(reader *r, text_span *out) {
    uint64_t size = 0;
    RX_TRY(take(r, 8, &size));
    if (size > (size_t)(r->end - r->at)) return bad(r, "a text is longer than the file");
    *out = (text_span){(const char *)r->at, (size_t)size};
    r->at += size;
    return RX_OK;
}

static rx_status take_type(reader *r, value_type *out) {
    uint64_t type = 0;
    RX_TRY(take(r, 4, &type));
    if (type >= VALUE_TYPES) return bad(r, "a value of a type that GGUF doesn't have");
    *out = (value_type)type;
    return RX_OK;
}

// The type and count of an array that lies before the reader. Each value takes at least one byte, so a count that
// passes is no larger than the file.
static rx_status take_array(reader *r, value_type *type, uint64_t *count) {
    RX_TRY(take_type(r, type));
    RX_TRY(take(r, 8, count));
    if (*type == VALUE_ARRAY) return bad(r, "arrays of arrays are not supported");
    size_t least = value_bytes[*type] ? value_bytes[*type] : 8;
    if (*count > (size_t)(r->end - r->at) / least) return bad(r, "an array is longer than the file");
    return RX_OK;
}

static rx_status skip(reader *r, value_type type) {
    uint64_t count = 1;
    text_span text;
    if (type == VALUE_ARRAY) RX_TRY(take_array(r, &type, &count));
    if (value_bytes[type]) {
        if (count * value_bytes[type] > (size_t)(r->end - r->at)) return bad(r, "the file ends inside its metadata");
        r->at += count * value_bytes[type];
        return RX_OK;
    }
    while (count--) RX_TRY(take_text(r, &text));
    return RX_OK;
}

// --- Values that a vocabulary wants. Each reader is given the type that stands before the value.

static rx_status read_text(reader *r, value_type type, text_span *out) {
    if (type != VALUE_TEXT) return bad(r, "want a text");
    return take_text(r, out);
}

static rx_status read_id(reader *r, value_type type, uint32_t *out) {
    uint64_t id = 0;
    if (type != VALUE_U32 && type != VALUE_I32) return bad(r, "want a 32-bit token id");
    RX_TRY(take(r, 4, &id));
    *out = (uint32_t)id; // -1 is how some writers say none: TOKEN_NONE
    return RX_OK;
}

static rx_status read_flag(reader *r, value_type type, int *out) {
    uint64_t flag = 0;
    if (type != VALUE_BOOL) return bad(r, "want a bool");
    RX_TRY(take(r, 1, &flag));
    *out = flag != 0;
    return RX_OK;
}

// The next array of `want`; its memory, `size` bytes a value, goes to owned[place].
static rx_status begin_array(reader *r, value_type type, value_type want, size_t place, size_t size, uint32_t *count) {
    uint64_t n = 0;
    if (type != VALUE_ARRAY) return bad(r, "want an array");
    RX_TRY(take_array(r, &type, &n));
    if (type != want && !(want == VALUE_I32 && type == VALUE_U32)) return bad(r, "an array of another type is wanted");
    if (n > INT32_MAX) return bad(r, "too many values");
    if (r->out->owned[place]) return bad(r, "the key comes twice");
    r->out->owned[place] = malloc((size_t)n * size + 1);
    if (!r->out->owned[place]) return llm_no_memory(r->why, "gguf");
    *count = (uint32_t)n;
    return RX_OK;
}

static rx_status read_texts(reader *r, value_type type, size_t place, const text_span **out, uint32_t *count) {
    RX_TRY(begin_array(r, type, VALUE_TEXT, place, sizeof(text_span), count));
    text_span *texts = r->out->owned[place];
    *out = texts;
    for (uint32_t i = 0; i < *count; i++) RX_TRY(take_text(r, &texts[i]));
    return RX_OK;
}

static rx_status read_tokens(reader *r, value_type type) {
    vocabulary_source *s = &r->out->source;
    return read_texts(r, type, 0, &s->tokens, &s->count);
}

static rx_status read_merges(reader *r, value_type type) {
    vocabulary_source *s = &r->out->source;
    return read_texts(r, type, 1, &s->merges, &s->merge_count);
}

typedef struct counts {
    uint32_t scores, types;
} counts;

static rx_status read_scores(reader *r, value_type type, counts *c) {
    RX_TRY(begin_array(r, type, VALUE_F32, 2, sizeof(float), &c->scores));
    float *scores = r->out->owned[2];
    for (uint32_t i = 0; i < c->scores; i++) {
        uint64_t bits = 0;
        RX_TRY(take(r, 4, &bits));
        memcpy(&scores[i], &(uint32_t){(uint32_t)bits}, 4);
    }
    r->out->source.scores = scores;
    return RX_OK;
}

static rx_status read_types(reader *r, value_type type, counts *c) {
    RX_TRY(begin_array(r, type, VALUE_I32, 3, 1, &c->types));
    uint8_t *types = r->out->owned[3];
    for (uint32_t i = 0; i < c->types; i++) {
        uint64_t kind = 0;
        RX_TRY(take(r, 4, &kind));
        types[i] = kind < UINT8_MAX ? (uint8_t)kind : UINT8_MAX; // vocabulary_new refuses what it doesn't know
    }
    r->out->source.types = types;
    return RX_OK;
}

static rx_status read_value(reader *r, value_type type, counts *c) {
    vocabulary_source *s = &r->out->source;
    const struct {
        const char *key;
        text_span *text;
        uint32_t *id;
        int *flag;
    } simple[] = {
        {"general.architecture", .text = &s->architecture},
        {"tokenizer.ggml.model", .text = &s->model},
        {"tokenizer.ggml.pre", .text = &s->pre},
        {"tokenizer.chat_template", .text = &r->out->chat_template},
        {"tokenizer.ggml.bos_token_id", .id = &s->bos},
        {"tokenizer.ggml.eos_token_id", .id = &s->eos},
        {"tokenizer.ggml.unknown_token_id", .id = &s->unknown},
        {"tokenizer.ggml.seperator_token_id", .id = &s->separator}, // GGUF's spelling
        {"tokenizer.ggml.cls_token_id", .id = &s->classify},
        {"tokenizer.ggml.add_bos_token", .flag = &s->add_bos},
        {"tokenizer.ggml.add_eos_token", .flag = &s->add_eos},
        {"tokenizer.ggml.add_space_prefix", .flag = &s->add_space_prefix},
    };
    for (size_t i = 0; i < COUNT(simple); i++) {
        if (!span_is(r->key, simple[i].key)) continue;
        if (simple[i].text) return read_text(r, type, simple[i].text);
        return simple[i].id ? read_id(r, type, simple[i].id) : read_flag(r, type, simple[i].flag);
    }
    if (span_is(r->key, "tokenizer.ggml.tokens")) return read_tokens(r, type);
    if (span_is(r->key, "tokenizer.ggml.merges")) return read_merges(r, type);
    if (span_is(r->key, "tokenizer.ggml.scores")) return read_scores(r, type, c);
    if (span_is(r->key, "tokenizer.ggml.token_type")) return read_types(r, type, c);
    return skip(r, type);
}

static rx_status check_counts(reader *r, const counts *c) {
    const vocabulary_source *s = &r->out->source;
    r->key = (text_span){0};
    if (!s->tokens || !s->model.size) return llm_fail(r->why, RX_NOT_FOUND, "gguf: the file has no tokenizer");
    if (s->scores && c->scores != s->count) return bad(r, "there are not as many scores as tokens");
    if (s->types && c->types != s->count) return bad(r, "there are not as many token types as tokens");
    return RX_OK;
}

static rx_status read_pairs(reader *r) {
    counts c = {0};
    uint64_t version = 0, tensors = 0, pairs = 0;
    r->at += 4;
    RX_TRY(take(r, 4, &version));
    if (version < OLDEST_VERSION || version > NEWEST_VERSION)
        return llm_fail(r->why, RX_UNSUPPORTED, "gguf: version %llu; versions 2 and 3 are supported",
                        (unsigned long long)version);
    RX_TRY(take(r, 8, &tensors));
    RX_TRY(take(r, 8, &pairs));
    for (uint64_t i = 0; i < pairs; i++) { // a pair takes bytes, so the file's size bounds this
        value_type type = VALUE_TEXT;
        RX_TRY(take_text(r, &r->key));
        RX_TRY(take_type(r, &type));
        RX_TRY(read_value(r, type, &c));
    }
    return check_counts(r, &c);
}

bool vocab_gguf_is(const uint8_t *data, size_t size) { return size >= 4 && memcmp(data, "GGUF", 4) == 0; }

rx_status vocab_gguf_read(const uint8_t *data, size_t size, vocab_gguf *out, char why[FILE_WHY]) {
    if (!vocab_gguf_is(data, size)) return llm_fail(why, RX_BAD_FILE, "gguf: the file doesn't begin with GGUF");
    *out = (vocab_gguf){.source = {.bos = TOKEN_NONE, .eos = TOKEN_NONE, .unknown = TOKEN_NONE}};
    out->source.separator = out->source.classify = TOKEN_NONE;
    out->source.add_bos = out->source.add_eos = out->source.add_space_prefix = -1;
    reader r = {.at = data, .end = data + size, .out = out, .why = why};
    rx_status status = read_pairs(&r);
    if (status != RX_OK) vocab_gguf_free(out);
    return status;
}

void vocab_gguf_free(vocab_gguf *g) {
    for (size_t i = 0; i < COUNT(g->owned); i++) free(g->owned[i]);
    *g = (vocab_gguf){0};
}
