// text_source.c - opening what has a tokenizer.
#include "llm/text_source.h"
#include <stdlib.h>

static bool is_compiled(const char *path) {
    size_t size = strlen(path);
    return size > 4 && strcmp(path + size - 4, ".rlx") == 0;
}

static rx_status open_compiled(const char *path, text_source *out, char *why) {
    char inside[RX_MESSAGE];
    size_t size = 0;
    rx_status status = rx_executable_load(path, NULL, &out->exe, inside);
    if (status != RX_OK) return llm_fail(why, status, "%.500s", inside);
    const void *keys = rx_executable_metadata(out->exe, GGUF_METADATA, &size);
    if (!keys) return llm_fail(why, RX_NOT_FOUND, "%.300s: the model has no tokenizer", path);
    return gguf_parse(keys, size, &out->keys, why);
}

rx_status text_source_open(const char *path, text_source *out, char why[FILE_WHY]) {
    *out = (text_source){0};
    RX_TRY(is_compiled(path) ? open_compiled(path, out, why) : gguf_open(path, &out->keys, why));
    return vocab_gguf_read(out->keys, &out->vocab, why);
}

void text_source_close(text_source *s) {
    vocab_gguf_free(&s->vocab);
    gguf_close(s->keys);
    rx_executable_release(s->exe);
    *s = (text_source){0};
}
