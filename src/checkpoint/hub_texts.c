// hub_texts.c - puts together what the files of a folder say: the tokenizer, which tokens end a text, the template.
#define _XOPEN_SOURCE 700 // realpath
#include "checkpoint/hub_texts.h"
#include "base/count_noun.h"
#include "base/file.h"
#include "base/text.h"
#include "checkpoint/gguf_write.h"
#include "checkpoint/tokenizer_json.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Bytes; vocabularies of 256k tokens stay far below.
enum { MAX_TOKENIZER = 256 << 20, MAX_SMALL = 16 << 20 };

typedef struct folder {
    arena *mem;
    const char *path;
    const json_value *tokenizer, *texts, *config, *generation; // NULL where there is no such file, but for the first
    tokenizer_json read;
    gguf_writer keys;
} folder;

// The path of a file of the folder.
static const char *inside(const folder *f, const char *name) { return arena_format(f->mem, "%s/%s", f->path, name); }

// NULL is left where there is no such file.
static rx_status read_json(const folder *f, const char *name, size_t limit, const json_value **out, char *why) {
    const char *path = inside(f, name);
    *out = NULL;
    if (access(path, F_OK) != 0) return RX_OK;
    *out = json_read(f->mem, path, limit, why);
    return *out ? RX_OK : RX_BAD_FILE;
}

// Only tokenizer.json must be there: each of the others adds what it knows.
static rx_status read_files(folder *f, char *why) {
    RX_TRY(read_json(f, "tokenizer.json", MAX_TOKENIZER, &f->tokenizer, why));
    if (!f->tokenizer) return why_fail(why, RX_NOT_FOUND, "%s: there is no tokenizer.json", f->path);
    RX_TRY(read_json(f, "tokenizer_config.json", MAX_SMALL, &f->texts, why));
    RX_TRY(read_json(f, "config.json", MAX_SMALL, &f->config, why));
    return read_json(f, "generation_config.json", MAX_SMALL, &f->generation, why);
}

// --- Tokens by name or number.

// "<s>", or {"content": "<s>", …}.
static const char *named_token(const folder *f, const char *key) {
    const json_value *token = json_find(f->texts, key);
    return token && token->kind == JSON_OBJECT ? json_text(token, "content", NULL) : json_text(f->texts, key, NULL);
}

// The `i`-th of a number or a list of numbers; TOKEN_ABSENT past the last, and for what is no token.
static uint32_t numbered_token(const folder *f, const json_value *file, const char *key, uint32_t i) {
    const json_value *v = json_find(file, key);
    if (v && v->kind == JSON_LIST) v = i < v->count ? &v->item[i] : NULL, i = 0;
    bool known = v && !i && v->kind == JSON_NUMBER && v->number >= 0 && v->number < f->read.count;
    return known ? (uint32_t)v->number : TOKEN_ABSENT;
}

// What the tokenizer calls so, else what the model's configuration does, else what stands around every text.
static uint32_t find_token(const folder *f, const char *name, const char *number, const char *around) {
    uint32_t id = tokenizer_json_find(&f->read, named_token(f, name));
    if (id == TOKEN_ABSENT) id = numbered_token(f, f->config, number, 0);
    return id == TOKEN_ABSENT ? tokenizer_json_find(&f->read, around) : id;
}

// Models that talk end a turn with another token than a text: the configuration of generation lists both.
static uint32_t find_turn_end(const folder *f, uint32_t eos) {
    const json_value *files[] = {f->generation, f->config};
    for (size_t k = 0; k < COUNT(files); k++)
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t id = numbered_token(f, files[k], "eos_token_id", i);
            if (id != TOKEN_ABSENT && id != eos) return id;
        }
    return TOKEN_ABSENT;
}

// A key that isn't there means that there is none.
static void put_token(folder *f, const char *key, uint32_t id) {
    if (id != TOKEN_ABSENT) gguf_put_int(&f->keys, key, id);
}

static void put_ends(folder *f) {
    const tokenizer_json *t = &f->read;
    uint32_t bos = find_token(f, "bos_token", "bos_token_id", t->first);
    uint32_t eos = find_token(f, "eos_token", "eos_token_id", t->last);
    put_token(f, "tokenizer.ggml.bos_token_id", bos);
    put_token(f, "tokenizer.ggml.eos_token_id", eos);
    put_token(f, "tokenizer.ggml.eot_token_id", find_turn_end(f, eos));
    put_token(f, "tokenizer.ggml.unknown_token_id", t->unknown);
    // What tokenizer_config.json says wins over the post-processor, as Transformers lets it.
    bool first = json_truth(f->texts, "add_bos_token", t->first != NULL);
    bool last = json_truth(f->texts, "add_eos_token", t->last != NULL);
    gguf_put_bool(&f->keys, "tokenizer.ggml.add_bos_token", first && bos != TOKEN_ABSENT);
    gguf_put_bool(&f->keys, "tokenizer.ggml.add_eos_token", last && eos != TOKEN_ABSENT);
}

// --- The template.

// One template, or a list of {"name": …, "template": …}: the one called default, else the first.
static const char *choose_template(const json_value *v) {
    if (!v || v->kind != JSON_LIST) return v && v->kind == JSON_STRING ? v->text : NULL;
    for (uint32_t i = 0; i < v->count; i++)
        if (strcmp(json_text(&v->item[i], "name", ""), "default") == 0) return json_text(&v->item[i], "template", NULL);
    return v->count ? json_text(&v->item[0], "template", NULL) : NULL;
}

// A file of its own counts before the configuration of the tokenizer.
static rx_status put_template(folder *f, char *why) {
    const char *path = inside(f, "chat_template.jinja"), *found = choose_template(json_find(f->texts, "chat_template"));
    const json_value *file = NULL;
    char *bytes;
    size_t size;
    if (access(path, F_OK) == 0) {
        RX_TRY(file_read(path, MAX_SMALL, &bytes, &size, why));
        bool clean = !memchr(bytes, 0, size) && text_is_utf8(bytes, size);
        found = arena_copy(f->mem, bytes, size);
        free(bytes);
        if (!clean) return why_fail(why, RX_BAD_FILE, "%s: want UTF-8 without zero bytes", path);
    }
    if (!found) RX_TRY(read_json(f, "chat_template.json", MAX_SMALL, &file, why));
    if (file) found = choose_template(json_find(file, "chat_template"));
    if (found) gguf_put_text(&f->keys, "tokenizer.chat_template", found);
    return RX_OK;
}

// --- All.

// The folder's own name, also where it was given as "." or through a link.
static const char *name_of(const folder *f) {
    char *real = realpath(f->path, NULL);
    const char *slash = real ? strrchr(real, '/') : NULL;
    const char *name = slash ? arena_copy(f->mem, slash + 1, strlen(slash + 1)) : f->path;
    free(real);
    return text_is_utf8(name, strlen(name)) ? name : "";
}

static void put_tokenizer(folder *f) {
    const tokenizer_json *t = &f->read;
    gguf_put_text(&f->keys, "general.architecture", json_text(f->config, "model_type", "unknown"));
    gguf_put_text(&f->keys, "general.name", name_of(f));
    gguf_put_text(&f->keys, "tokenizer.ggml.model", t->model);
    if (t->pre) gguf_put_text(&f->keys, "tokenizer.ggml.pre", t->pre);
    gguf_put_texts(&f->keys, "tokenizer.ggml.tokens", t->token, t->count);
    gguf_put_ints(&f->keys, "tokenizer.ggml.token_type", t->type, t->count);
    gguf_put_texts(&f->keys, "tokenizer.ggml.merges", t->merge, t->merges);
    gguf_put_bool(&f->keys, "tokenizer.ggml.add_space_prefix", t->space_prefix);
    if (t->only_first_prefix) gguf_put_bool(&f->keys, KEY_ONLY_FIRST_PREFIX, true);
}

static rx_status read_all(folder *f, char *why) {
    char sentence[FILE_WHY] = "";
    RX_TRY(read_files(f, why));
    int64_t rows = json_int(f->config, "vocab_size", INT32_MAX);
    rx_status status = tokenizer_json_read(
        f->tokenizer, f->mem, rows > 0 && rows < INT32_MAX ? (uint32_t)rows : INT32_MAX, &f->read, sentence);
    if (status != RX_OK) return why_fail(why, status, "%s/%.400s", f->path, sentence);
    if (f->read.count > rows)
        return why_fail(why, RX_BAD_FILE, "%s: tokenizer.json has %s, config.json says %lld", f->path,
                        COUNTED(f->read.count, "token"), (long long)rows);
    put_tokenizer(f);
    put_ends(f);
    return put_template(f, why);
}

static const char *folder_of(arena *mem, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!text_ends(path, ".safetensors")) return path;
    return slash == path ? "/" : slash ? arena_copy(mem, path, (size_t)(slash - path)) : ".";
}

rx_status hub_texts_read(const char *path, uint8_t **out, size_t *size, char why[FILE_WHY]) {
    arena *mem = arena_new();
    folder f = {.mem = mem, .path = folder_of(mem, path), .keys = GGUF_WRITER_IN(mem)};
    *out = NULL, *size = 0;
    rx_status status = read_all(&f, why);
    if (status == RX_OK) status = gguf_writer_finish(&f.keys, out, size, why);
    arena_free(mem);
    return status;
}
