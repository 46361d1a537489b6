// vocab_gguf.c - the tokenizer's keys of a GGUF file.
#include "llm/vocab_gguf.h"
#include "checkpoint/hub_texts.h"
#include <stdlib.h>

// A sentence about a key.
static rx_status bad(const char *key, const char *what, char *why) {
    return why_fail(why, RX_BAD_FILE, "gguf: %s: %s", key, what);
}

static rx_status read_id(const gguf *g, const char *key, uint32_t *out, char *why) {
    gguf_pair p;
    int64_t id = 0;
    *out = TOKEN_NONE;
    if (!gguf_find(g, key, &p)) return RX_OK;
    if (p.is_array || !gguf_int(&p, 0, &id) || id < -1 || id > UINT32_MAX) return bad(key, "want a token id", why);
    *out = (uint32_t)id; // -1 is how some writers say none: TOKEN_NONE
    return RX_OK;
}

static rx_status read_flag(const gguf *g, const char *key, int *out, char *why) {
    gguf_pair p;
    bool flag = false;
    *out = -1;
    if (!gguf_find(g, key, &p)) return RX_OK;
    if (p.is_array || !gguf_bool(&p, 0, &flag)) return bad(key, "want a bool", why);
    *out = flag;
    return RX_OK;
}

static rx_status read_text(const gguf *g, const char *key, text_span *out, char *why) {
    gguf_pair p;
    *out = (text_span){0};
    return !gguf_find(g, key, &p) || gguf_text(&p, out) ? RX_OK : bad(key, "want a text", why);
}

// --- Arrays. Each reader gives NULL and 0 where there is no such key.

// One byte more, so that an empty array is no failure.
static rx_status find_array(const gguf *g, const char *key, size_t size, gguf_pair *p, void **out, char *why) {
    *out = NULL;
    *p = (gguf_pair){0};
    if (!gguf_find(g, key, p)) return RX_OK;
    if (!p->is_array) return bad(key, "want an array", why);
    if (p->count > INT32_MAX) return bad(key, "too many values", why);
    *out = malloc((size_t)p->count * size + 1);
    return *out ? RX_OK : llm_no_memory(why, "gguf");
}

// Spans into the file: nothing is copied.
static rx_status read_texts(const gguf *g, const char *key, text_span **out, uint32_t *count, char *why) {
    gguf_pair p;
    void *list;
    RX_TRY(find_array(g, key, sizeof(text_span), &p, &list, why));
    *out = list;
    *count = (uint32_t)p.count;
    if (p.count && p.type != GGUF_TEXT) return bad(key, "want texts", why);
    const uint8_t *at = p.data;
    for (uint64_t i = 0; i < p.count; i++) (*out)[i] = gguf_next_text(&p, &at);
    return RX_OK;
}

// SentencePiece's, for which pieces are merged first; NULL where the file has none.
static rx_status read_scores(const gguf *g, const char *key, vocab_gguf *v, char *why) {
    gguf_pair p;
    void *list;
    double score = 0;
    RX_TRY(find_array(g, key, sizeof(float), &p, &list, why));
    v->scores = list;
    if (list && p.count != v->source.count) return bad(key, "there are not as many scores as tokens", why);
    for (uint64_t i = 0; i < p.count; i++) {
        if (!gguf_float(&p, i, &score)) return bad(key, "want numbers", why);
        v->scores[i] = (float)score;
    }
    return RX_OK;
}

static rx_status read_types(const gguf *g, const char *key, vocab_gguf *v, char *why) {
    gguf_pair p;
    void *list;
    int64_t type = 0;
    RX_TRY(find_array(g, key, 1, &p, &list, why));
    v->types = list;
    if (list && p.count != v->source.count) return bad(key, "there are not as many types as tokens", why);
    for (uint64_t i = 0; i < p.count; i++) {
        if (!gguf_int(&p, i, &type)) return bad(key, "want whole numbers", why);
        v->types[i] = type >= 0 && type < UINT8_MAX ? (uint8_t)type : UINT8_MAX; // vocabulary_new refuses the unknown
    }
    return RX_OK;
}

static rx_status read_single_values(const gguf *g, vocab_gguf *v, char *why) {
    vocabulary_source *s = &v->source;
    RX_TRY(read_text(g, "general.architecture", &s->architecture, why));
    RX_TRY(read_text(g, "tokenizer.ggml.model", &s->model, why));
    RX_TRY(read_text(g, "tokenizer.ggml.pre", &s->pre, why));
    RX_TRY(read_text(g, "tokenizer.chat_template", &v->chat_template, why));
    RX_TRY(read_id(g, "tokenizer.ggml.bos_token_id", &s->bos, why));
    RX_TRY(read_id(g, "tokenizer.ggml.eos_token_id", &s->eos, why));
    RX_TRY(read_id(g, "tokenizer.ggml.eot_token_id", &s->end_of_turn, why));
    RX_TRY(read_id(g, "tokenizer.ggml.unknown_token_id", &s->unknown, why));
    RX_TRY(read_id(g, "tokenizer.ggml.seperator_token_id", &s->separator, why)); // GGUF's spelling
    RX_TRY(read_id(g, "tokenizer.ggml.cls_token_id", &s->classify, why));
    RX_TRY(read_flag(g, "tokenizer.ggml.add_bos_token", &s->add_bos, why));
    RX_TRY(read_flag(g, "tokenizer.ggml.add_eos_token", &s->add_eos, why));
    RX_TRY(read_flag(g, KEY_ONLY_FIRST_PREFIX, &s->only_first_prefix, why));
    return read_flag(g, "tokenizer.ggml.add_space_prefix", &s->add_space_prefix, why);
}

// Scores and types are checked against the number of tokens, so those come first.
static rx_status read_all(const gguf *g, vocab_gguf *v, char *why) {
    vocabulary_source *s = &v->source;
    RX_TRY(read_single_values(g, v, why));
    RX_TRY(read_texts(g, "tokenizer.ggml.tokens", &v->tokens, &s->count, why));
    RX_TRY(read_texts(g, "tokenizer.ggml.merges", &v->merges, &s->merge_count, why));
    if (!v->tokens || !s->model.size) return why_fail(why, RX_NOT_FOUND, "gguf: the file has no tokenizer");
    RX_TRY(read_scores(g, "tokenizer.ggml.scores", v, why));
    RX_TRY(read_types(g, "tokenizer.ggml.token_type", v, why));
    s->tokens = v->tokens, s->merges = v->merges, s->scores = v->scores, s->types = v->types;
    return RX_OK;
}

rx_status vocab_gguf_read(const gguf *g, vocab_gguf *out, char why[FILE_WHY]) {
    *out = (vocab_gguf){0};
    rx_status status = read_all(g, out, why);
    if (status != RX_OK) vocab_gguf_free(out);
    return status;
}

void vocab_gguf_free(vocab_gguf *v) {
    free(v->tokens);
    free(v->merges);
    free(v->scores);
    free(v->types);
    *v = (vocab_gguf){0};
}
