// model_cache.c - checkpoints compiled once: a folder of .rlx files, named after what they were made of and by.
#define _XOPEN_SOURCE 700 // realpath
#include "api/transform.h"
#include "arch/arch.h"
#include "base/count_noun.h"
#include "base/file.h"
#include "base/map.h"
#include "base/text.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/hub_texts.h"
#include "cli/cache_folder.h"
#include "cli/language.h"
#include "cli/progress.h"
#include "driver/driver.h"
#include "llm/tokenizer.h"
#include "llm/vocab_gguf.h"
#include "nn/decoder.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Size and time of change stand in for contents: reading a large model to hash it takes longer than starting.
static uint64_t hash_stat(const struct stat *s, uint64_t hash) {
    hash = hash_mix(hash, (uint64_t)s->st_size);
    hash = hash_mix(hash, (uint64_t)s->st_mtim.tv_sec);
    return hash_mix(hash, (uint64_t)s->st_mtim.tv_nsec);
}

// Whether a file beside `given` (NULL: the folder itself was given) is read with it: the other parts of a split GGUF
// model, as gguf_open names them; of a safetensors file all, as its folder holds its configuration, shards and
// tokenizer.
static bool is_read_with(const char *given, const char *name) {
    const size_t count = strlen("-of-00002.gguf"), tail = strlen("-00001") + count;
    size_t size = given ? strlen(given) : 0;
    if (!given || !text_ends(given, ".gguf")) return true;
    return size > tail && strlen(name) == size && strncmp(name, given, size - tail) == 0 &&
           strcmp(name + size - count, given + size - count) == 0;
}

// The files of a folder that matter, whatever their order.
static uint64_t hash_folder(const char *path, const char *given) {
    uint64_t sum = 0;
    struct stat s;
    DIR *d = opendir(path);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (is_read_with(given, e->d_name) && fstatat(dirfd(d), e->d_name, &s, 0) == 0 && S_ISREG(s.st_mode))
            sum += hash_stat(&s, hash_bytes(e->d_name, strlen(e->d_name), 0));
    if (d) closedir(d);
    return sum;
}

// The file's place in the cache: its name, a hash of its path, the options and the machine's kind, and one of its size
// and time and of the compiler's. A file whose second hash is another is out of date.
static const char *place_of(const cli_args *a, const char *from, const model_wish *wish, const char *target) {
    char path[PATH_MAX], why[256];
    struct stat s;
    const arch *host = arch_parse(a->mem, target, why);
    if (!realpath(from, path) || stat(path, &s) != 0)
        return cli_error("%s: can't open it: No such file or directory", from), NULL;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    uint64_t which = hash_bytes(path, strlen(path), (uint64_t)wish->context), hash = hash_stat(&s, which);
    if (S_ISDIR(s.st_mode))
        hash = hash_mix(hash, hash_folder(path, NULL));
    else
        hash = hash_mix(hash, hash_folder(arena_format(a->mem, "%.*s", (int)(name - path), path), name));
    which = hash_bytes(wish->activations, strlen(wish->activations), which);
    if (host) which = hash_bytes(host->name, strlen(host->name), which);
    if (stat("/proc/self/exe", &s) == 0) hash = hash_stat(&s, hash);
    return arena_format(a->mem, "%s/%.100s-%016" PRIx64 "-%016" PRIx64 ".rlx", cache_folder(a->mem), name, which, hash);
}

static rx_status check_tokenizer(const gguf *g, char *why) {
    vocab_gguf texts;
    vocabulary *v = NULL;
    tokenizer *t = NULL;
    gguf_tensor table;
    rx_status status = vocab_gguf_read(g, &texts, why);
    if (status != RX_OK) return status == RX_NOT_FOUND ? RX_OK : status;
    if (gguf_find_tensor(g, "token_embd.weight", &table) && table.rank == 2 && table.dim[0] < texts.source.count)
        status = why_fail(why, RX_BAD_FILE, "the tokenizer has %s, the model %" PRId64,
                          COUNTED(texts.source.count, "token"), table.dim[0]);
    if (status == RX_OK) status = vocabulary_new(&texts.source, &v, why);
    if (status == RX_OK) status = tokenizer_new(v, &t, why);
    tokenizer_free(t);
    vocabulary_free(v);
    vocab_gguf_free(&texts);
    return status;
}

// Whether a decoder can be built of it: takes milliseconds. False after reporting why not.
static bool check_decoder(const cli_args *a, const char *path) {
    char why[FILE_WHY];
    checkpoint *from = NULL;
    decoder_config config;
    if (checkpoint_open(path, &from, why) != RX_OK) return cli_error("%s", why), false;
    module *m = module_new();
    diag *d = diag_new(a->mem);
    bool ok =
        decoder_read_config(from, m->mem, &config, d) && decoder_build(m, &config, &(decoder_options){0}, from, d);
    if (!ok) cli_report(d);
    module_free(m);
    checkpoint_close(from);
    return ok;
}

// A folder need not have a tokenizer; one that can't be used is told before the work of compiling.
static bool check_folder(const cli_args *a, const char *path) {
    char why[FILE_WHY];
    uint8_t *bytes;
    size_t size;
    gguf *g = NULL;
    rx_status status = hub_texts_read(path, &bytes, &size, why);
    if (status == RX_NOT_FOUND) {
        // A folder that holds no model at all is told of when it is opened.
        if (access(arena_format(a->mem, "%s/config.json", path), F_OK) != 0) return true;
        if (!check_decoder(a, path)) return false; // before a remark on what would be of no use
        cli_note("%s, so the model will work on numbers of tokens alone", why);
        return true;
    }
    if (status == RX_OK) status = gguf_parse(bytes, size, &g, why);
    if (status == RX_OK) status = check_tokenizer(g, why);
    if (status != RX_OK) cli_error("%s (without tokenizer.json the model works on numbers of tokens)", why);
    gguf_close(g);
    free(bytes);
    return status == RX_OK;
}

bool model_check_texts(const cli_args *a, const char *path) {
    char why[FILE_WHY];
    gguf *g = NULL;
    if (!text_ends(path, ".gguf")) return check_folder(a, path);
    if (gguf_open(path, &g, why) != RX_OK) return true; // opening it again will say why
    bool ok = check_tokenizer(g, why) == RX_OK || (cli_error("%s: %s", path, why), false);
    gguf_close(g);
    return ok;
}

// Removes what was compiled from an older file or by another compiler than `place`.
static void remove_outdated(const cli_args *a, const char *place) {
    const char *folder = cache_folder(a->mem), *name = strrchr(place, '/') + 1;
    size_t same = (size_t)(strrchr(name, '-') - name) + 1;
    DIR *d = opendir(folder);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (strncmp(e->d_name, name, same) == 0 && strlen(e->d_name) == strlen(name) && strcmp(e->d_name, name) != 0)
            unlink(arena_format(a->mem, "%s/%s", folder, e->d_name));
    if (d) closedir(d);
}

// Another place for the file, because the cache folder takes none.
static int use_temporary(const cli_args *a, const char *why, const char **place, cached_model *out) {
    const char *name = strrchr(*place, '/') + 1;
    char *folder = arena_format(a->mem, "%s/relax-model-XXXXXX", folder_for_temporaries());
    if (!mkdtemp(folder))
        return cli_error("%s, and %s takes no file either: set RELAX_CACHE or TMPDIR to a folder that does", why,
                         folder);
    cli_note("%s; the model is compiled for this run alone (RELAX_CACHE names another folder)", why);
    *place = arena_format(a->mem, "%s/%s", folder, name);
    out->folder = folder;
    return CLI_DONE;
}

// Why the folder takes no file of ours; NULL: it does. A compiled file holds machine code: one that somebody else may
// have put there is not run.
static const char *fault_of(arena *mem, const char *folder, char why[FILE_WHY]) {
    if (!folder_is_trusted(mem, folder)) return arena_format(mem, "%s: others may write into it", folder);
    if (folder_make(folder, why) != RX_OK) return why;
    if (access(folder, W_OK | X_OK) == 0) return NULL;
    return arena_format(mem, "%s: can't write into it: %s", folder, strerror(errno));
}

void cached_model_drop(const cached_model *f) {
    if (!f->folder) return;
    unlink(f->path);
    rmdir(f->folder);
}

// `folder`: a temporary one made for the file; NULL: it is the cache's.
static int compile_into(const cli_args *a, const char *from, const model_wish *wish, const char *place,
                        const char *folder) {
    static const char *const target = "cpu:host";
    diag *d = diag_new(a->mem);
    progress bar = progress_begin(from, place, folder);
    const driver_options o = {.model = from,
                              .decoder = {.context = wish->context},
                              .activations = wish->activations,
                              .target = &target,
                              .targets = 1,
                              .run = api_transform,
                              .code = {.level = 2},
                              .progress = progress_show,
                              .interrupted = progress_interrupted,
                              .progress_user = &bar};
    bool ok = driver_compile(NULL, &o, place, d);
    int code = progress_end(&bar);
    if (code != CLI_DONE) return code;
    code = cli_report(d);
    for (uint32_t i = 0; !ok && i < d->len; i++) // a full disk, most often
        if (strncmp(d->record[i].message, place, strlen(place)) == 0) {
            cli_note("models are compiled into this folder once; RELAX_CACHE names another");
            break;
        }
    return ok ? code : CLI_WRONG;
}

int model_cache_find(const cli_args *a, const char *from, const model_wish *wish, cached_model *out) {
    *out = (cached_model){0};
    if (!checkpoint_is(from))
        return cli_error("%s: want an .rlx or .gguf file, or a folder with config.json and safetensors", from);
    const char *place = place_of(a, from, wish, "cpu:host");
    if (!place) return CLI_WRONG;
    out->path = place;
    if (access(place, R_OK) == 0 && folder_is_trusted(a->mem, cache_folder(a->mem))) return CLI_DONE;
    if (!model_check_texts(a, from)) return CLI_WRONG;
    char why[FILE_WHY];
    const char *fault = fault_of(a->mem, cache_folder(a->mem), why);
    int code = fault ? use_temporary(a, fault, &place, out) : CLI_DONE;
    out->path = place;
    if (code == CLI_DONE) code = compile_into(a, from, wish, place, out->folder);
    if (code != CLI_DONE) return cached_model_drop(out), code;
    if (!out->folder) remove_outdated(a, place);
    return CLI_DONE;
}
