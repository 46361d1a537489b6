// checkpoint.c - opens folders of safetensors files, single ones and GGUF files behind one interface.
#define _POSIX_C_SOURCE 200809L
#include "checkpoint/checkpoint.h"
#include "base/file.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "checkpoint/hub_texts.h"
#include "checkpoint/safetensors.h"
#include "tensor/formats.h"
#include <string.h>
#include <sys/stat.h>

enum { MAX_CONFIG = 16 << 20, MAX_INDEX = 256 << 20 };

struct checkpoint {
    arena *mem;
    const char *path;
    VEC(safetensors *) shard; // or
    gguf *gguf;               // else NULL
    VEC(checkpoint_tensor) tensor;
    text_map place; // name -> index + 1
    const json_value *config;
};

static bool is_there(const char *path) {
    struct stat s;
    return stat(path, &s) == 0;
}

// By its name alone: a file that isn't there is told of when it is opened.
bool checkpoint_is(const char *path) {
    return text_ends(path, ".safetensors") || text_ends(path, ".gguf") || file_is_folder(path);
}

void checkpoint_close(checkpoint *c) {
    if (!c) return;
    for (uint32_t i = 0; i < c->shard.len; i++) safetensors_close(c->shard.at[i]);
    gguf_close(c->gguf);
    arena_free(c->mem);
}

void checkpoint_forget(const checkpoint *c) {
    for (uint32_t i = 0; i < c->shard.len; i++) safetensors_forget(c->shard.at[i]);
    if (c->gguf) gguf_forget(c->gguf);
}

// --- Tensors.

// The place is stored plus one, since a map can't tell 0 from absent.
static rx_status add_tensor(checkpoint *c, const checkpoint_tensor *t, char *why) {
    if (text_map_find(&c->place, t->name))
        return why_fail(why, RX_BAD_FILE, "%s: two files have a tensor named %.100s", c->path, t->name);
    VEC_PUSH(c->mem, &c->tensor, *t);
    text_map_put(&c->place, t->name, (void *)(uintptr_t)c->tensor.len);
    return RX_OK;
}

static rx_status add_shard(checkpoint *c, const char *path, char *why) {
    safetensors *s;
    rx_status status = safetensors_open(path, &s, why);
    if (status != RX_OK) return status;
    VEC_PUSH(c->mem, &c->shard, s);
    for (size_t i = 0; i < safetensors_count(s) && status == RX_OK; i++) {
        const safetensors_entry *e = safetensors_at(s, i);
        checkpoint_tensor t = {.name = e->name, .type = e->type, .rank = e->rank, .data = e->data, .bytes = e->bytes};
        memcpy(t.dim, e->dim, sizeof t.dim);
        status = add_tensor(c, &t, why);
    }
    return status;
}

// Three ways to be stored: elements, blocks with a format, or something that can only be named.
static void describe_type(checkpoint *c, const gguf_tensor *from, checkpoint_tensor *t) {
    const block_format *f = format_of_gguf(from->number);
    if (from->type && gguf_plain(from->type).kind != DTYPE_VOID) {
        t->type = gguf_plain(from->type);
    } else if (from->type && f) {
        t->type = DTYPE_OF(U8);
        t->format = f->name;
    } else {
        t->unreadable = from->type ? from->type->name : arena_format(c->mem, "type %u", from->number);
    }
}

static rx_status add_gguf(checkpoint *c, rx_status status, char *why) {
    for (size_t i = 0; status == RX_OK && i < gguf_tensor_count(c->gguf); i++) {
        gguf_tensor from = gguf_tensor_at(c->gguf, i);
        checkpoint_tensor t = {.rank = from.rank, .data = from.data, .bytes = from.bytes};
        memcpy(t.dim, from.dim, sizeof from.dim);
        t.name = arena_copy(c->mem, from.name.at, from.name.size);
        describe_type(c, &from, &t);
        status = add_tensor(c, &t, why);
    }
    return status;
}

// --- Folders.

// {"weight_map": {tensor: file}}: each file once, in the order of their first mention.
static rx_status open_shards(checkpoint *c, const char *folder, const char *index, char *why) {
    const json_value *list = json_read(c->mem, index, MAX_INDEX, why), *files = json_find(list, "weight_map");
    text_map seen = TEXT_MAP_IN(c->mem);
    if (!list) return RX_BAD_FILE;
    if (!files || files->kind != JSON_OBJECT)
        return why_fail(why, RX_BAD_FILE, "%s: want an object named weight_map", index);
    for (uint32_t i = 0; i < files->count; i++) {
        const char *name = files->item[i].text;
        // Only files of this folder: an index from a stranger must not open others.
        if (files->item[i].kind != JSON_STRING || strchr(name, '/') || !*name)
            return why_fail(why, RX_BAD_FILE, "%s: %.100s: want the name of a file", index, files->key[i]);
        if (text_map_find(&seen, name)) continue;
        text_map_put(&seen, name, c);
        rx_status status = add_shard(c, arena_format(c->mem, "%s/%s", folder, name), why);
        if (status != RX_OK) return status;
    }
    for (uint32_t i = 0; i < files->count; i++)
        if (!text_map_find(&c->place, files->key[i]))
            return why_fail(why, RX_BAD_FILE, "%s: no file has the tensor %.100s", index, files->key[i]);
    return RX_OK;
}

// Without one the tensors can be read, but nothing says what they are a model of.
static rx_status open_config(checkpoint *c, const char *folder, char *why) {
    const char *path = arena_format(c->mem, "%s/config.json", folder);
    if (!is_there(path)) return RX_OK;
    c->config = json_read(c->mem, path, MAX_CONFIG, why);
    return c->config ? RX_OK : RX_BAD_FILE;
}

static rx_status open_folder(checkpoint *c, char *why) {
    const char *index = arena_format(c->mem, "%s/model.safetensors.index.json", c->path);
    const char *single = arena_format(c->mem, "%s/model.safetensors", c->path);
    rx_status status = open_config(c, c->path, why);
    if (status != RX_OK) return status;
    if (is_there(index)) return open_shards(c, c->path, index, why);
    if (is_there(single)) return add_shard(c, single, why);
    return why_fail(why, RX_NOT_FOUND, "%s: the folder has no model.safetensors and no model.safetensors.index.json",
                    c->path);
}

// The folder of a single file may have config.json, too.
static rx_status open_file(checkpoint *c, char *why) {
    const char *slash = strrchr(c->path, '/');
    const char *folder = slash ? arena_copy(c->mem, c->path, (size_t)(slash - c->path)) : ".";
    rx_status status = add_shard(c, c->path, why);
    return status == RX_OK ? open_config(c, *folder ? folder : "/", why) : status;
}

// "model/" and "model" are the same folder, and messages say the second.
static checkpoint *new_checkpoint(const char *path) {
    arena *mem = arena_new();
    checkpoint *c = ARENA_NEW(mem, checkpoint, 1);
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/') size--;
    c->mem = mem;
    c->path = arena_copy(mem, path, size);
    c->place = TEXT_MAP_IN(mem);
    return c;
}

static rx_status done(checkpoint *c, rx_status status, checkpoint **out) {
    *out = status == RX_OK ? c : NULL;
    if (status != RX_OK) checkpoint_close(c);
    return status;
}

rx_status checkpoint_open(const char *path, checkpoint **out, char why[FILE_WHY]) {
    checkpoint *c = new_checkpoint(path);
    if (file_is_folder(path)) return done(c, open_folder(c, why), out);
    if (!text_ends(path, ".gguf")) return done(c, open_file(c, why), out);
    return done(c, add_gguf(c, gguf_open(path, &c->gguf, why), why), out);
}

rx_status checkpoint_parse_gguf(const char *name, const uint8_t *bytes, size_t size, checkpoint **out,
                                char why[FILE_WHY]) {
    checkpoint *c = new_checkpoint(name);
    return done(c, add_gguf(c, gguf_parse(bytes, size, &c->gguf, why), why), out);
}

// --- Looking.

const char *checkpoint_path(const checkpoint *c) { return c->path; }
size_t checkpoint_count(const checkpoint *c) { return c->tensor.len; }
const checkpoint_tensor *checkpoint_at(const checkpoint *c, size_t i) { return &c->tensor.at[i]; }
const gguf *checkpoint_gguf(const checkpoint *c) { return c->gguf; }
const json_value *checkpoint_config(const checkpoint *c) { return c->config; }

rx_status checkpoint_keys(const checkpoint *c, uint8_t **out, size_t *size, char why[FILE_WHY]) {
    return c->gguf ? gguf_copy_pairs(c->gguf, out, size, why) : hub_texts_read(c->path, out, size, why);
}

const checkpoint_tensor *checkpoint_find(const checkpoint *c, const char *name) {
    uintptr_t place = (uintptr_t)text_map_find(&c->place, name);
    return place ? &c->tensor.at[place - 1] : NULL;
}

rx_status checkpoint_stored(const checkpoint_tensor *t, tensor **out) {
    int64_t dim[TENSOR_MAX_RANK] = {0}, rows = 1;
    *out = NULL;
    if (t->unreadable) return RX_UNSUPPORTED;
    memcpy(dim, t->dim, sizeof dim);
    for (uint32_t i = 0; t->format && i + 1 < t->rank; i++) rows *= dim[i];
    if (t->format) dim[t->rank - 1] = rows ? (int64_t)t->bytes / rows : 0;
    return tensor_wrap(t->type, t->rank, dim, (void *)(uintptr_t)t->data, NULL, NULL, out);
}
