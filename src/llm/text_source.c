// text_source.c - opening what has a tokenizer.
#define _POSIX_C_SOURCE 200809L
#include "llm/text_source.h"
#include "checkpoint/hub_texts.h"
#include <stdlib.h>
#include <sys/stat.h>

static bool ends_in(const char *path, const char *ending) {
    size_t size = strlen(path), tail = strlen(ending);
    return size > tail && strcmp(path + size - tail, ending) == 0;
}

// The keys lie in the executable's metadata, which stays mapped as long as it is held.
static rx_status open_compiled(const char *path, text_source *out, char *why) {
    char inside[RX_MESSAGE];
    size_t size = 0;
    rx_status status = rx_executable_load(path, NULL, &out->exe, inside);
    if (status != RX_OK) return why_fail(why, status, "%.500s", inside);
    const void *keys = rx_executable_metadata(out->exe, GGUF_METADATA, &size);
    if (!keys) return why_fail(why, RX_NOT_FOUND, "%.300s: the model has no tokenizer", path);
    return gguf_parse(keys, size, &out->keys, why);
}

static rx_status open_folder(const char *path, text_source *out, char *why) {
    size_t size = 0;
    RX_TRY(hub_texts_read(path, &out->bytes, &size, why));
    return gguf_parse(out->bytes, size, &out->keys, why);
}

static bool is_folder(const char *path) {
    struct stat s;
    return ends_in(path, ".safetensors") || (stat(path, &s) == 0 && S_ISDIR(s.st_mode));
}

// What has neither the name nor the beginning of a GGUF file is more than a damaged one.
static rx_status open_keys(const char *path, text_source *out, char *why) {
    mapped_file file;
    RX_TRY(file_map(path, &file, why));
    bool begins = file.size >= 4 && memcmp(file.data, "GGUF", 4) == 0;
    file_unmap(&file);
    if (begins || ends_in(path, ".gguf")) return gguf_open(path, &out->keys, why);
    return why_fail(why, RX_BAD_FILE, "%.300s: want an .rlx or .gguf file, or a folder with tokenizer.json", path);
}

rx_status text_source_open(const char *path, text_source *out, char why[FILE_WHY]) {
    *out = (text_source){0};
    RX_TRY(ends_in(path, ".rlx") ? open_compiled(path, out, why)
           : is_folder(path)     ? open_folder(path, out, why)
                                 : open_keys(path, out, why));
    char inside[FILE_WHY] = "";
    rx_status status = vocab_gguf_read(out->keys, &out->vocab, inside);
    return status == RX_OK ? RX_OK : why_fail(why, status, "%.200s: %s", path, inside);
}

void text_source_close(text_source *s) {
    vocab_gguf_free(&s->vocab);
    gguf_close(s->keys);
    rx_executable_release(s->exe);
    free(s->bytes);
    *s = (text_source){0};
}
