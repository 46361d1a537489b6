// template.c - `relax template`: a conversation as the text that a model's chat template makes of it.
#define _DEFAULT_SOURCE // timegm
#include "base/text.h"
#include "cli/verb.h"
#include "llm/chat_template.h"
#include "llm/text_source.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { JSON_LIMIT = 64 << 20 };

// What the verb holds; all freed by close_all.
typedef struct holdings {
    mapped_file file; // that is the template
    text_source from;
    chat_template *template;
    char *messages, *rendered;
} holdings;

static void close_all(holdings *h) {
    free(h->messages);
    free(h->rendered);
    chat_template_free(h->template);
    text_source_close(&h->from);
    file_unmap(&h->file);
}

static text_span token_text(const vocabulary_source *s, uint32_t id) {
    return id < s->count ? s->tokens[id] : (text_span){0};
}

// Whether the file is a model; else it is the template.
static bool is_model(const mapped_file *f, const char *path) {
    return text_ends(path, ".rlx") || text_ends(path, ".gguf") || (f->size >= 4 && memcmp(f->data, "GGUF", 4) == 0);
}

// A model brings its own bos and eos tokens; a bare template has none unless they are given.
static rx_status open_template(holdings *h, const char *path, chat_input *input, char *why) {
    bool model = file_is_folder(path);
    if (!model) RX_TRY(file_map(path, &h->file, why));
    text_span jinja = {(const char *)h->file.data, h->file.size};
    if (model || is_model(&h->file, path)) {
        RX_TRY(text_source_open(path, &h->from, why));
        const vocabulary_source *s = &h->from.vocab.source;
        jinja = h->from.vocab.chat_template;
        if (!jinja.size) return why_fail(why, RX_NOT_FOUND, "%.300s: the model has no chat template", path);
        input->bos = token_text(s, s->bos);
        input->eos = token_text(s, s->eos);
    }
    char inside[FILE_WHY] = "";
    rx_status status = chat_template_new(jinja, &h->template, inside);
    return status == RX_OK ? RX_OK : why_fail(why, status, "%.200s: %s", path, inside);
}

// Local time as if it were UTC. RELAX_NOW, in seconds since 1970, stands in for it where output must not change.
static int64_t local_now(void) {
    const char *fixed = getenv("RELAX_NOW");
    time_t now = time(NULL);
    struct tm parts;
    char *end = NULL;
    long long given = fixed ? strtoll(fixed, &end, 10) : 0;
    if (fixed && *fixed && !*end) return given;
    return localtime_r(&now, &parts) ? (int64_t)timegm(&parts) : (int64_t)now;
}

// Options override what the model says. What is wrong with the template or with the messages names its file.
static rx_status answer(holdings *h, const cli_args *a, size_t *size, char *why) {
    const char *bos = cli_value(a, "bos"), *eos = cli_value(a, "eos");
    chat_input input = {.now = local_now()};
    char inside[FILE_WHY] = "";
    RX_TRY(open_template(h, a->positional[0], &input, why));
    cli_awaits(a->positional[1], "the messages");
    RX_TRY(file_read(a->positional[1], JSON_LIMIT, &h->messages, &input.json.size, why));
    input.json.at = h->messages;
    if (bos) input.bos = span_of(bos);
    if (eos) input.eos = span_of(eos);
    rx_status status = chat_template_render(h->template, &input, &h->rendered, size, inside);
    if (status == RX_OK) return RX_OK;
    bool of_messages = text_starts(inside, "messages: ");
    const char *file = strcmp(a->positional[1], "-") == 0 ? "<stdin>" : a->positional[1];
    return why_fail(why, status, "%.200s: %s", of_messages ? file : a->positional[0], inside);
}

static int run(const cli_args *a) {
    char why[FILE_WHY] = "";
    holdings h = {0};
    size_t size = 0;
    text t = TEXT_IN(a->mem);
    rx_status status = answer(&h, a, &size, why);
    if (status == RX_OK && cli_flag(a, "json")) {
        cli_json_string(&t, h.rendered, size);
        text_put(&t, "\n");
    } else if (status == RX_OK) {
        text_put_n(&t, h.rendered, size);
    }
    int code = status == RX_OK ? cli_print(&t) : cli_error("%s", why);
    close_all(&h);
    return code;
}

static const cli_option options[] = {
    {.name = "bos", .value = "TEXT", .doc = "what bos_token is; else the GGUF file says it, or it is empty"},
    {.name = "eos", .value = "TEXT", .doc = "what eos_token is"},
    {.name = "json", .doc = "print the text as a JSON string"},
    {0},
};

const cli_verb verb_template = {
    .name = "template",
    .summary = "renders a conversation with a model's chat template",
    .usage = "MODEL|FILE.jinja MESSAGES.json|- [--bos TEXT] [--eos TEXT] [--json]",
    .least = 2,
    .most = 2,
    .options = options,
    .details = "MESSAGES.json is a list of messages, or a dict of all the template's variables: messages, tools,\n"
               "add_generation_prompt (true unless given), bos_token, ...\n",
    .examples = "  echo '[{\"role\": \"user\", \"content\": \"Hello\"}]' | relax template model.gguf -\n"
                "  relax template chat.jinja messages.json --bos \"<s>\"\n",
    .run = run,
};
