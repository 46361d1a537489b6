// import.c - `relax import --check`: what a model file is, its tensors, and all that stands in the way of compiling it.
#include "base/text.h"
#include "checkpoint/gguf.h"
#include "cli/verb.h"
#include "llm/chat_template.h"
#include "llm/tokenizer.h"
#include "llm/vocab_gguf.h"
#include <inttypes.h>
#include <stdio.h>

// What was found, as text that is printed at the end.
typedef struct findings {
    const cli_args *args;
    const gguf *file;
    text tensors, problems; // lines, or items of JSON lists
    uint32_t problem_count;
    uint64_t elements, bytes;
    bool json;
} findings;

static void add_problem(findings *f, const char *sentence) {
    if (!f->json) text_put(&f->problems, "  ");
    if (f->json && f->problem_count) text_put(&f->problems, ", ");
    if (f->json)
        cli_json_string(&f->problems, sentence, strlen(sentence));
    else
        text_format(&f->problems, "%s\n", sentence);
    f->problem_count++;
}

static text_span text_of(const gguf *g, const char *key) {
    gguf_pair p;
    text_span found = {0};
    return gguf_find(g, key, &p) && gguf_text(&p, &found) ? found : (text_span){0};
}

// --- Tensors.

static void put_dims(text *t, const gguf_tensor *x) {
    for (uint32_t i = 0; i < x->rank; i++) text_format(t, "%s%" PRId64, i ? ", " : "", x->dim[i]);
}

static void put_tensor(findings *f, const gguf_tensor *x, size_t widest) {
    const char *type = x->type ? x->type->name : "?";
    text *t = &f->tensors;
    if (f->json) {
        text_put(t, t->len ? ", {\"name\": " : "{\"name\": ");
        cli_json_string(t, x->name.at, x->name.size);
        text_format(t, ", \"type\": \"%s\", \"shape\": [", type);
        put_dims(t, x);
        text_format(t, "], \"bytes\": %zu}", x->bytes);
        return;
    }
    text_format(t, "  %-*.*s  %-7s (", (int)widest, (int)x->name.size, x->name.at, type);
    put_dims(t, x);
    text_put(t, ")\n");
}

// Whether weights of that type can be computed with.
static bool is_usable(const gguf_type *type) { return type && type->decodable; }

static void check_tensor(findings *f, const gguf_tensor *x) {
    char sentence[200];
    if (is_usable(x->type)) return;
    if (x->type)
        snprintf(sentence, sizeof sentence, "%.*s: tensors of type %s are not supported", (int)x->name.size, x->name.at,
                 x->type->name);
    else
        snprintf(sentence, sizeof sentence, "%.*s: type %" PRIu32 " is not known", (int)x->name.size, x->name.at,
                 x->number);
    add_problem(f, sentence);
}

static void look_at_tensors(findings *f) {
    size_t widest = 0, count = gguf_tensor_count(f->file);
    for (size_t i = 0; i < count; i++) {
        size_t size = gguf_tensor_at(f->file, i).name.size;
        if (size > widest) widest = size;
    }
    for (size_t i = 0; i < count; i++) {
        gguf_tensor x = gguf_tensor_at(f->file, i);
        uint64_t elements = 1;
        for (uint32_t k = 0; k < x.rank; k++) elements *= (uint64_t)x.dim[k];
        if (x.type) f->elements += elements; // of others dims may be anything
        f->bytes += x.bytes;
        put_tensor(f, &x, widest);
        check_tensor(f, &x);
    }
}

// --- What turns text into tokens.

static void look_at_vocabulary(findings *f) {
    vocab_gguf vocab = {0};
    vocabulary *v = NULL;
    tokenizer *t = NULL;
    chat_template *c = NULL;
    char why[FILE_WHY] = "";
    rx_status status = vocab_gguf_read(f->file, &vocab, why);
    if (status == RX_OK) status = vocabulary_new(&vocab.source, &v, why);
    if (status == RX_OK) status = tokenizer_new(v, &t, why);
    if (status != RX_OK) add_problem(f, why);
    if (vocab.chat_template.size && chat_template_new(vocab.chat_template, &c, why) != RX_OK) add_problem(f, why);
    chat_template_free(c);
    tokenizer_free(t);
    vocabulary_free(v);
    vocab_gguf_free(&vocab);
}

// --- Printing.

static void put_counts(text *t, const gguf *g) {
    const char *between = " (";
    for (uint32_t number = 0; number <= UINT8_MAX; number++) {
        size_t count = 0;
        for (size_t i = 0; i < gguf_tensor_count(g); i++) count += gguf_tensor_at(g, i).number == number;
        if (!count) continue;
        const gguf_type *type = gguf_type_of(number);
        text_format(t, "%s%zu %s", between, count, type ? type->name : "unknown");
        between = ", ";
    }
    text_put(t, strcmp(between, ", ") == 0 ? ")" : "");
}

static void put_report(const findings *f, text *t) {
    char size[32];
    text_span architecture = text_of(f->file, "general.architecture"), name = text_of(f->file, "general.name");
    text_format(t, "%s: GGUF version %" PRIu32, f->args->positional[0], gguf_version(f->file));
    if (architecture.size) text_format(t, ", architecture %.*s", (int)architecture.size, architecture.at);
    if (name.size) text_format(t, ", \"%.*s\"", (int)name.size, name.at);
    text_format(t, "\ntensors: %zu", gguf_tensor_count(f->file));
    put_counts(t, f->file);
    text_format(t, ", %" PRIu64 " elements, %s\n%s", f->elements, text_bytes(f->bytes, size), text_get(&f->tensors));
    if (f->problem_count) text_format(t, "not supported:\n%s", text_get(&f->problems));
}

static void put_json(const findings *f, text *t) {
    text_span architecture = text_of(f->file, "general.architecture"), name = text_of(f->file, "general.name");
    text_format(t, "{\"format\": \"gguf\", \"version\": %" PRIu32 ", \"architecture\": ", gguf_version(f->file));
    cli_json_string(t, architecture.at, architecture.size);
    text_put(t, ", \"name\": ");
    cli_json_string(t, name.at, name.size);
    text_format(t, ", \"elements\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"tensors\": [%s], \"problems\": [%s]}\n",
                f->elements, f->bytes, text_get(&f->tensors), text_get(&f->problems));
}

static int run(const cli_args *a) {
    char why[FILE_WHY] = "";
    gguf *g;
    text out = TEXT_IN(a->mem);
    if (!cli_flag(a, "check")) return cli_usage(a, "want --check");
    if (gguf_open(a->positional[0], &g, why) != RX_OK) return cli_error("%s", why);
    findings f = {.args = a, .file = g, .json = cli_flag(a, "json")};
    f.tensors = f.problems = TEXT_IN(a->mem);
    look_at_tensors(&f);
    look_at_vocabulary(&f);
    if (f.json)
        put_json(&f, &out);
    else
        put_report(&f, &out);
    int code = cli_print(&out);
    gguf_close(g);
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
    .usage = "--check FILE.gguf [--json]",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "Prints what the file is, every tensor with its type and shape, and everything that stands in the way of "
        "compiling it, all at once; then the exit code is 1. Of a split model give the first file.\n",
    .examples = "  relax import --check model.gguf\n"
                "  relax import --check model.gguf --json\n",
    .run = run,
};
