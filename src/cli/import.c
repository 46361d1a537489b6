// import.c - `relax import --check`: what a model file is, its tensors, and all that stands in the way of compiling it.
#define _POSIX_C_SOURCE 200809L
#include "base/count_noun.h"
#include "base/text.h"
#include "checkpoint/checkpoint.h"
#include "cli/verb.h"
#include "llm/chat_template.h"
#include "llm/tokenizer.h"
#include "llm/vocab_gguf.h"
#include "nn/decoder.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What was found, as text that is printed at the end.
typedef struct findings {
    const cli_args *args;
    const checkpoint *from;
    const gguf *keys;       // NULL: no GGUF file
    gguf *texts;            // of a folder: what its tokenizer.json and the like say, as keys; NULL: nothing
    uint8_t *text_bytes;    // that `texts` lies in
    text tensors, problems; // lines, or items of JSON lists
    uint32_t problem_count;
    uint64_t elements, bytes;
    bool json;
} findings;

static void add_problem(findings *f, const char *sentence) {
    if (f->json && f->problem_count) text_put(&f->problems, ", ");
    if (f->json)
        cli_json_string(&f->problems, sentence, strlen(sentence));
    else
        text_format(&f->problems, "  %s\n", cli_name(f->args->mem, span_of(sentence)));
    f->problem_count++;
}

// Empty for other formats and for keys that are missing or no text.
static text_span key_text(const findings *f, const char *key) {
    gguf_pair p;
    text_span found = {0};
    return f->keys && gguf_find(f->keys, key, &p) && gguf_text(&p, &found) ? found : (text_span){0};
}

// --- Tensors.

// The format's own name where elements are packed.
static const char *type_name(const checkpoint_tensor *t, char room[32]) {
    if (t->unreadable || t->format) return t->unreadable ? t->unreadable : t->format;
    return dtype_spell(t->type, room);
}

static void put_dims(text *t, const checkpoint_tensor *x) {
    for (uint32_t i = 0; i < x->rank; i++) text_format(t, "%s%" PRId64, i ? ", " : "", x->dim[i]);
}

static void put_tensor(findings *f, const checkpoint_tensor *x, size_t widest) {
    char room[32];
    text *t = &f->tensors;
    if (f->json) {
        text_put(t, t->len ? ", {\"name\": " : "{\"name\": ");
        cli_json_string(t, x->name, strlen(x->name));
        text_format(t, ", \"type\": \"%s\", \"shape\": [", type_name(x, room));
        put_dims(t, x);
        text_format(t, "], \"bytes\": %zu}", x->bytes);
        return;
    }
    text_format(t, "  %-*s  %-8s (", (int)widest, cli_name(f->args->mem, span_of(x->name)), type_name(x, room));
    put_dims(t, x);
    text_put(t, ")\n");
}

// Names are aligned, which takes a look at all of them first.
static void look_at_tensors(findings *f) {
    size_t widest = 0, count = checkpoint_count(f->from);
    for (size_t i = 0; i < count; i++) {
        size_t size = strlen(cli_name(f->args->mem, span_of(checkpoint_at(f->from, i)->name)));
        if (size > widest) widest = size;
    }
    for (size_t i = 0; i < count; i++) {
        const checkpoint_tensor *x = checkpoint_at(f->from, i);
        uint64_t elements = 1;
        for (uint32_t k = 0; k < x->rank; k++) elements *= (uint64_t)x->dim[k];
        if (x->data) f->elements += elements; // of others dims may be anything
        f->bytes += x->bytes;
        put_tensor(f, x, widest);
    }
}

static void look_at_types(findings *f) {
    for (size_t i = 0; i < checkpoint_count(f->from); i++) {
        const checkpoint_tensor *x = checkpoint_at(f->from, i);
        if (x->unreadable)
            add_problem(f, arena_format(f->args->mem, "%s: %s is stored as %s, which can't be decoded here",
                                        f->args->positional[0], x->name, x->unreadable));
    }
}

// --- The model: it is put together, as for compiling it.

// Building the decoder asks for every tensor and checks its shape: what it reports is what compiling would.
static void look_at_model(findings *f) {
    module *m = module_new();
    diag *d = diag_new(f->args->mem);
    decoder_config config;
    const decoder_options options = {0};
    bool known = decoder_read_config(f->from, m->mem, &config, d);
    bool whole = known && decoder_build(m, &config, &options, f->from, d);
    for (uint32_t i = 0; i < d->len; i++)
        if (d->record[i].level == DIAG_ERROR) add_problem(f, d->record[i].message);
    if (d->errors > DIAG_LIMIT)
        add_problem(f, arena_format(f->args->mem, "and %" PRIu32 " more", d->errors - DIAG_LIMIT));
    CHECK(whole || d->errors);
    if (!known) look_at_types(f); // else each is reported where it is needed
    module_free(m);
}

// --- What turns text into tokens.

// A folder's texts as keys. Without tokenizer.json there are none, which is no problem.
static void read_texts(findings *f) {
    char why[FILE_WHY] = "";
    size_t size;
    rx_status status = checkpoint_keys(f->from, &f->text_bytes, &size, why);
    if (status == RX_OK) status = gguf_parse(f->text_bytes, size, &f->texts, why);
    if (status != RX_OK && status != RX_NOT_FOUND) add_problem(f, why);
}

static void look_at_texts(findings *f, const gguf *keys) {
    vocab_gguf vocab = {0};
    vocabulary *v = NULL;
    tokenizer *t = NULL;
    chat_template *c = NULL;
    char why[FILE_WHY] = "";
    rx_status status = vocab_gguf_read(keys, &vocab, why);
    if (status == RX_OK) status = vocabulary_new(&vocab.source, &v, why);
    if (status == RX_OK) status = tokenizer_new(v, &t, why);
    if (status != RX_OK && status != RX_NOT_FOUND) add_problem(f, why); // a model without a tokenizer is one still
    if (vocab.chat_template.size && chat_template_new(vocab.chat_template, &c, why) != RX_OK) add_problem(f, why);
    chat_template_free(c);
    tokenizer_free(t);
    vocabulary_free(v);
    vocab_gguf_free(&vocab);
}

// --- Printing.

// " (61 float32, 210 q4_1)", in the order in which the types come first.
static void put_counts(const findings *f, text *t) {
    char room[32], other[32];
    const char *between = " (";
    for (size_t i = 0; i < checkpoint_count(f->from); i++) {
        const char *type = type_name(checkpoint_at(f->from, i), room);
        size_t count = 0, before = 0;
        for (size_t k = 0; k < checkpoint_count(f->from); k++) {
            bool same = strcmp(type, type_name(checkpoint_at(f->from, k), other)) == 0;
            count += same;
            before += same && k < i;
        }
        if (before) continue;
        text_format(t, "%s%zu %s", between, count, type);
        between = ", ";
    }
    text_put(t, strcmp(between, ", ") == 0 ? ")" : "");
}

// A line of what the file is, a line per tensor, what is not supported.
static void put_report(const findings *f, text *t) {
    char size[32];
    text_span architecture = key_text(f, "general.architecture"), name = key_text(f, "general.name");
    text_format(t, "%s: ", cli_name(f->args->mem, span_of(f->args->positional[0])));
    if (f->keys)
        text_format(t, "GGUF version %" PRIu32, gguf_version(f->keys));
    else
        text_put(t, "safetensors");
    if (architecture.size) text_format(t, ", architecture %s", cli_name(f->args->mem, architecture));
    if (name.size) text_format(t, ", \"%s\"", cli_name(f->args->mem, name));
    text_format(t, "\ntensors: %zu", checkpoint_count(f->from));
    put_counts(f, t);
    text_format(t, ", %s, %s\n%s", COUNTED(f->elements, "element"), text_bytes(f->bytes, size), text_get(&f->tensors));
    if (!checkpoint_count(f->from))
        text_put(t, "nothing to compile: a vocabulary alone, which `relax tokenize` reads\n");
    if (f->problem_count) text_format(t, "not supported:\n%s", text_get(&f->problems));
}

static void put_json(const findings *f, text *t) {
    text_span architecture = key_text(f, "general.architecture"), name = key_text(f, "general.name");
    text_format(t,
                "{\"format\": \"%s\", \"version\": %" PRIu32 ", \"architecture\": ", f->keys ? "gguf" : "safetensors",
                f->keys ? gguf_version(f->keys) : 0);
    cli_json_string(t, architecture.at, architecture.size);
    text_put(t, ", \"name\": ");
    cli_json_string(t, name.at, name.size);
    text_format(t, ", \"elements\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"tensors\": [%s], \"problems\": [%s]}\n",
                f->elements, f->bytes, text_get(&f->tensors), text_get(&f->problems));
}

static int run(const cli_args *a) {
    char why[FILE_WHY] = "";
    const char *path = a->positional[0];
    checkpoint *from;
    text out = TEXT_IN(a->mem);
    if (!cli_flag(a, "check"))
        return cli_usage(
            a,
            "want --check: it says what %s holds and what of it is not supported; `relax compile` takes the "
            "file itself",
            path);
    if (access(path, F_OK) != 0) return cli_error("%s: can't open it: %s", path, strerror(errno));
    if (!checkpoint_is(path))
        return cli_error("%s: want a .gguf or .safetensors file, or a folder with config.json and safetensors", path);
    if (checkpoint_open(path, &from, why) != RX_OK) return cli_error("%s", why);
    findings f = {.args = a, .from = from, .keys = checkpoint_gguf(from), .json = cli_flag(a, "json")};
    f.tensors = f.problems = TEXT_IN(a->mem);
    look_at_tensors(&f);
    if (checkpoint_count(from)) look_at_model(&f); // else it is a vocabulary alone
    if (!f.keys) read_texts(&f);
    if (f.keys || f.texts) look_at_texts(&f, f.keys ? f.keys : f.texts);
    if (f.json)
        put_json(&f, &out);
    else
        put_report(&f, &out);
    int code = cli_print(&out);
    gguf_close(f.texts);
    free(f.text_bytes);
    checkpoint_close(from);
    return code == CLI_DONE && f.problem_count ? CLI_WRONG : code;
}

static const cli_option options[] = {
    {.name = "check", .doc = "say what the file is and what of it is not supported; convert nothing"},
    {.name = "json", .doc = "print for programs"},
    {0},
};

const cli_verb verb_import = {
    .name = "import",
    .summary = "says what a model file holds and what of it is not supported",
    .usage = "--check MODEL [--json]",
    .least = 1,
    .most = 1,
    .options = options,
    .details = "MODEL is a .gguf file (of a split model the first), a folder with config.json and safetensors, or one\n"
               "such file. Prints what it is, every tensor with its type and shape, and everything that stands in the\n"
               "way of compiling it, all at once; then the exit code is 1. A file without tensors may be a vocabulary\n"
               "for `relax tokenize`, which is said.\n",
    .examples = "  relax import --check model.gguf\n"
                "  relax import --check SmolLM2-135M/ --json\n",
    .run = run,
};
