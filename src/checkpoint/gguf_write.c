// gguf_write.c - writes GGUF's keys, version 3, little-endian on every machine.
#include "checkpoint/gguf_write.h"
#include "base/file.h"
#include <stdlib.h>
#include <string.h>

static void put_number(text *t, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) text_put_char(t, (char)(value >> (8 * i) & 0xff));
}

static void put_span(text *t, const char *s) {
    size_t size = strlen(s);
    put_number(t, size, 8);
    text_put_n(t, s, size);
}

// What follows is the value.
static text *begin_pair(gguf_writer *w, const char *key, gguf_value type) {
    w->count++;
    put_span(&w->pairs, key);
    put_number(&w->pairs, type, 4);
    return &w->pairs;
}

static text *begin_array(gguf_writer *w, const char *key, gguf_value type, uint32_t count) {
    text *t = begin_pair(w, key, GGUF_ARRAY);
    put_number(t, type, 4);
    put_number(t, count, 8);
    return t;
}

void gguf_put_text(gguf_writer *w, const char *key, const char *value) {
    put_span(begin_pair(w, key, GGUF_TEXT), value);
}

void gguf_put_int(gguf_writer *w, const char *key, uint32_t value) {
    put_number(begin_pair(w, key, GGUF_U32), value, 4);
}

void gguf_put_bool(gguf_writer *w, const char *key, bool value) { put_number(begin_pair(w, key, GGUF_BOOL), value, 1); }

void gguf_put_texts(gguf_writer *w, const char *key, const char *const *item, uint32_t count) {
    text *t = begin_array(w, key, GGUF_TEXT, count);
    for (uint32_t i = 0; i < count; i++) put_span(t, item[i]);
}

void gguf_put_ints(gguf_writer *w, const char *key, const uint8_t *item, uint32_t count) {
    text *t = begin_array(w, key, GGUF_I32, count);
    for (uint32_t i = 0; i < count; i++) put_number(t, item[i], 4);
}

rx_status gguf_writer_finish(const gguf_writer *w, uint8_t **out, size_t *size, char why[FILE_WHY]) {
    enum { VERSION = 3, HEAD = 24 };
    text head = TEXT_IN(w->pairs.mem);
    text_put(&head, "GGUF");
    put_number(&head, VERSION, 4);
    put_number(&head, 0, 8); // tensors
    put_number(&head, w->count, 8);
    CHECK(head.len == HEAD);
    *size = HEAD + w->pairs.len;
    *out = malloc(*size);
    if (!*out) return why_fail(why, RX_OUT_OF_MEMORY, "no memory for the keys of a model");
    memcpy(*out, head.at, HEAD);
    if (w->pairs.len) memcpy(*out + HEAD, w->pairs.at, w->pairs.len);
    return RX_OK;
}
