// small.c - vocabularies of our own.
#include "small.h"
#include "base/utf8.h"
#include "test.h"
#include <stdio.h>

enum { MOST = 300, NAME = 24 };

typedef struct builder {
    char name[MOST][NAME];
    text_span token[MOST];
    uint8_t type[MOST];
    float score[MOST];
    uint32_t count;
} builder;

static void add(builder *b, const char *text, uint8_t type, float score) {
    snprintf(b->name[b->count], NAME, "%s", text);
    b->token[b->count] = span_of(b->name[b->count]);
    b->type[b->count] = type;
    b->score[b->count++] = score;
}

static vocabulary *make(const builder *b, vocabulary_source s) {
    char why[FILE_WHY] = "";
    vocabulary *v = NULL;
    s.tokens = b->token, s.types = b->type, s.scores = b->score, s.count = b->count;
    s.separator = s.classify = s.end_of_turn = TOKEN_NONE;
    s.add_bos = s.add_eos = s.add_space_prefix = -1;
    if (vocabulary_new(&s, &v, why) != RX_OK) fail_msg("%s", why);
    return v;
}

vocabulary *small_bpe(const char *pre) {
    static const char *const more[] = {"he", "ll", "hell", "hello", "\xc4\xa0w"};
    const text_span merges[] = {span_of("h e"), span_of("l l"), span_of("he ll"), span_of("hell o"),
                                span_of("\xc4\xa0 w")};
    static builder b;
    b.count = 0;
    for (unsigned i = 0; i < 256; i++) {
        char byte[5] = "";
        utf8_encode(vocabulary_byte_point((uint8_t)i), byte);
        add(&b, byte, TOKEN_NORMAL, 0);
    }
    for (size_t i = 0; i < COUNT(more); i++) add(&b, more[i], TOKEN_NORMAL, 0);
    add(&b, "<|end|>", TOKEN_CONTROL, 0);
    add(&b, "  ", TOKEN_USER, 0);
    return make(&b, (vocabulary_source){.model = span_of("gpt2"),
                                        .pre = span_of(pre),
                                        .merges = merges,
                                        .merge_count = COUNT(merges),
                                        .bos = 261,
                                        .eos = 261,
                                        .unknown = TOKEN_NONE});
}

vocabulary *small_spm(void) {
    static builder b;
    b.count = 0;
    add(&b, "<unk>", TOKEN_UNKNOWN, 0);
    add(&b, "<s>", TOKEN_CONTROL, 0);
    add(&b, "</s>", TOKEN_CONTROL, 0);
    for (unsigned i = 0; i < 256; i++) {
        char name[NAME];
        snprintf(name, sizeof name, "<0x%02X>", i);
        add(&b, name, TOKEN_BYTE, 0);
    }
    add(&b, "\xe2\x96\x81", TOKEN_NORMAL, -10);
    add(&b, "a", TOKEN_NORMAL, -11);
    add(&b, "b", TOKEN_NORMAL, -12);
    add(&b, "ab", TOKEN_NORMAL, -2);
    add(&b, "\xe2\x96\x81\x61\x62", TOKEN_NORMAL, -3);
    add(&b, "ba", TOKEN_NORMAL, -1);
    return make(&b, (vocabulary_source){.model = span_of("llama"), .bos = 1, .eos = 2, .unknown = 0});
}

void gguf_put(gguf_bytes *g, uint64_t value, size_t bytes) {
    assert_true(g->size + bytes <= sizeof g->at);
    for (size_t i = 0; i < bytes; i++) g->at[g->size++] = (uint8_t)(value >> (8 * i));
}

void gguf_name(gguf_bytes *g, const char *s) {
    gguf_put(g, strlen(s), 8);
    while (*s) gguf_put(g, (uint8_t)*s++, 1);
}

void gguf_begin(gguf_bytes *g, uint32_t version, uint64_t pairs) {
    g->size = 0;
    gguf_put(g, 0x46554747, 4);
    gguf_put(g, version, 4);
    gguf_put(g, 0, 8);
    gguf_put(g, pairs, 8);
}

void gguf_pair_text(gguf_bytes *g, const char *key, const char *value) {
    gguf_name(g, key);
    gguf_put(g, 8, 4);
    gguf_name(g, value);
}

void gguf_pair_texts(gguf_bytes *g, const char *key, const char *const *values, size_t count) {
    gguf_name(g, key);
    gguf_put(g, 9, 4);
    gguf_put(g, 8, 4);
    gguf_put(g, count, 8);
    for (size_t i = 0; i < count; i++) gguf_name(g, values[i]);
}

void gguf_small(gguf_bytes *g) {
    gguf_begin(g, 3, 4);
    gguf_pair_text(g, "general.name", "small");
    gguf_pair_text(g, "tokenizer.ggml.model", "gpt2");
    gguf_pair_texts(g, "tokenizer.ggml.tokens", (const char *const[]){"a", "b", "ab"}, 3);
    gguf_pair_texts(g, "tokenizer.ggml.merges", (const char *const[]){"a b"}, 1);
}
