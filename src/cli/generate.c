// generate.c - `relax generate`: continues a text with a language model.
#include "base/count_noun.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/language.h"
#include "cli/meter.h"
#include "cli/numbers.h"
#include "cli/run_observe.h"
#include "llm/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROMPT_LIMIT = 64 << 20 };

// What the verb holds; all freed by close_all.
typedef struct generating {
    const cli_args *args;
    language language;
    rx_llm_sequence *sequence;
    char *input;
    uint32_t *prompt;
    size_t prompt_count;
    bool json, ids, profile;
    run_observation observation; // of --profile: the tokens after the first
    uint64_t chosen;
    bool writing;        // text since a token was chosen
    meter meter;         // of the prompt
    text answer, tokens; // of --json; items of a list
    bool going;          // standard output takes more
    int code;            // of writing to it
} generating;

// Also what was only half opened: every field is NULL then.
static void close_all(generating *g) {
    free(g->prompt);
    free(g->input);
    rx_llm_sequence_free(g->sequence);
    language_close(&g->language);
}

// --- The prompt.

// As text, which the model's tokenizer cuts, or as ids, which need none.
static int read_prompt(generating *g) {
    const char *given = g->args->count > 1 ? g->args->positional[1] : "-";
    char why[RX_MESSAGE] = "";
    size_t size = strlen(given);
    if (strcmp(given, "-") == 0) {
        cli_awaits("-", "the prompt");
        if (file_read("-", PROMPT_LIMIT, &g->input, &size, why) != RX_OK) return cli_error("%s", why);
        given = g->input;
    }
    if (g->ids) {
        g->prompt = numbers_read(given, size, UINT32_MAX - 1, &g->prompt_count, why);
        if (!g->prompt) return cli_error("--ids: %s", why);
        if (g->prompt_count) return CLI_DONE;
        return cli_error("the prompt is empty; want numbers of tokens as the second argument or on stdin");
    }
    unsigned flags = RX_LLM_ADD_ENDS | (cli_flag(g->args, "special") ? RX_LLM_SPECIAL : 0u);
    if (size == 0) return cli_error("the prompt is empty; want a text as the second argument or on stdin");
    if (!g->language.info.has_tokenizer) return language_no_tokenizer(g->args, &g->language);
    rx_status status = rx_llm_tokenize(g->language.model, given, size, flags, &g->prompt, &g->prompt_count, why);
    return status == RX_OK ? CLI_DONE : cli_error("%s: %s", g->args->positional[0], why);
}

// --- What comes out.

// What follows until note_choice is no choice.
static void note_text(generating *g) {
    if (g->profile && !g->writing) observation_mark(&g->observation, GAP_CHOICE);
    g->writing = true;
}

// Not 0 ends the generation: standard output takes no more.
static int show_text(void *user, const char *piece, size_t size) {
    generating *g = user;
    note_text(g);
    if (g->json) return text_put_n(&g->answer, piece, size), 0;
    g->code = cli_write(piece, size, &g->going);
    return !g->going;
}

// Of a model without a tokenizer the number alone.
static void put_choice(generating *g, rx_llm_choice c) {
    text *t = &g->tokens;
    text_span token;
    text_format(t, "{\"id\": %u, \"logprob\": %.6g", c.token, (double)c.logprob);
    if (!g->language.info.has_tokenizer) return;
    detokenizer d = DETOKENIZER(g->language.model->vocabulary);
    d.show_special = d.raw = d.begun = true;
    if (detokenizer_push(&d, c.token, &token, NULL) == RX_OK) {
        text_put(t, ", ");
        cli_json_token(t, token);
    }
    detokenizer_free(&d);
}

// With --ids the list is printed as it grows; `tokens` only remembers that one was printed.
static int show_token(void *user, rx_llm_choice chosen, const rx_llm_choice *top, uint32_t tops) {
    generating *g = user;
    note_text(g);
    if (!g->json) {
        const char *piece = arena_format(g->args->mem, "%s%u", g->tokens.len ? " " : "", chosen.token);
        text_put(&g->tokens, ".");
        return show_text(g, piece, strlen(piece));
    }
    if (g->tokens.len) text_put(&g->tokens, ", ");
    put_choice(g, chosen);
    if (tops) text_put(&g->tokens, ", \"top\": [");
    for (uint32_t i = 0; i < tops; i++) {
        if (i) text_put(&g->tokens, ", ");
        put_choice(g, top[i]);
        text_put(&g->tokens, "}");
    }
    text_put(&g->tokens, tops ? "]}" : "}");
    return 0;
}

// Asked when a token has been chosen and its text given. The first one's run is the prompt's, another kind of work.
static int note_choice(void *user) {
    generating *g = user;
    observation_mark(&g->observation, g->writing ? GAP_TEXT : GAP_CHOICE);
    g->writing = false;
    if (!g->chosen++) observation_restart(&g->observation);
    return 0;
}

static int show_prompt(void *user, uint64_t taken, uint64_t count) {
    generating *g = user;
    meter_prompt(&g->meter, taken, count);
    return 0;
}

static const char *finish_name(rx_llm_finish f) {
    static const char *const name[] = {[RX_LLM_END] = "end",
                                       [RX_LLM_LENGTH] = "length",
                                       [RX_LLM_STOP] = "stop",
                                       [RX_LLM_CONTEXT] = "context",
                                       [RX_LLM_CALLER] = "interrupted"};
    return name[f];
}

static int print_json(generating *g, const rx_llm_result *r) {
    text t = TEXT_IN(g->args->mem);
    text_put(&t, "{\"text\": ");
    if (g->language.info.has_tokenizer)
        cli_json_string(&t, text_get(&g->answer), g->answer.len);
    else
        text_put(&t, "null");
    text_format(&t,
                ", \"finish\": \"%s\", \"tokens\": [%s], \"prompt_tokens\": %llu, \"prompt_seconds\": %.6f, "
                "\"seconds\": %.6f}\n",
                finish_name(r->finish), text_get(&g->tokens), (unsigned long long)r->prompt_tokens, r->prompt_seconds,
                r->tokens_seconds);
    return cli_print(&t);
}

// On stderr, as --stats: standard output has the text.
static int report_profile(generating *g, uint64_t steps) {
    text t = TEXT_IN(g->args->mem);
    g->observation.runs = steps;
    if (!observation_measure(&g->observation, rx_llm_session_threads(g->language.session))) return CLI_WRONG;
    observation_print(&g->observation, &t);
    fputs(text_get(&t), stderr);
    return CLI_DONE;
}

// The first token comes out of the prompt's run, so it does not count among those that were timed.
static int report(generating *g, const rx_llm_result *r) {
    arena *mem = g->args->mem;
    if (!g->going) return g->code;
    if (!g->json) g->code = cli_write("\n", 1, &g->going);
    if (!g->json && r->finish == RX_LLM_CONTEXT)
        cli_note("the text ends because the context of %s is full", COUNTED(g->language.cache_tokens, "token"));
    if (cli_flag(g->args, "stats"))
        fprintf(stderr, "prompt: %s\ngenerated: %s, finished by %s\n",
                language_rate(mem, r->prompt_tokens, r->prompt_tokens, r->prompt_seconds),
                language_rate(mem, r->tokens, r->tokens ? r->tokens - 1 : 0, r->tokens_seconds),
                finish_name(r->finish));
    if (g->json) g->code = print_json(g, r);
    return g->code == CLI_DONE && g->profile ? report_profile(g, r->tokens ? r->tokens - 1 : 0) : g->code;
}

// --- All.

// Shells have no portable way to write a line break in an argument.
static const char *const *read_stops(const cli_args *a, uint32_t *count) {
    static const char from[] = "ntr\\", to[] = "\n\t\r\\";
    const char *const *given = cli_values(a, "stop", count);
    const char **stop = ARENA_NEW(a->mem, const char *, *count);
    for (uint32_t i = 0; i < *count; i++) {
        char *out = arena_copy(a->mem, given[i], strlen(given[i]) + 1);
        stop[i] = out;
        for (const char *in = given[i]; *in; in++) {
            const char *known = *in == '\\' && in[1] ? strchr(from, in[1]) : NULL;
            *out++ = known ? to[known - from] : *in;
            in += known != NULL;
        }
        *out = 0;
    }
    return stop;
}

// Options first: a model takes a second to open.
static int read_request(const cli_args *a, rx_llm_request *ask, rx_llm_sampling *sampling) {
    int64_t max_tokens, tops;
    uint32_t stops;
    if (!language_count(a, "max-tokens", &max_tokens) || !cli_int(a, "logprobs", 0, RX_LLM_MAX_TOPS, &tops) ||
        !language_sampling(a, sampling))
        return CLI_USAGE;
    if (tops && !cli_flag(a, "json")) return cli_usage(a, "--logprobs wants --json as well");
    ask->max_tokens = (uint64_t)max_tokens;
    ask->tops = (uint32_t)tops;
    ask->ignore_end = cli_flag(a, "ignore-end");
    ask->stop = read_stops(a, &stops);
    ask->stops = stops;
    for (uint32_t i = 0; i < stops; i++)
        if (!*ask->stop[i]) return cli_usage(a, "--stop: want a text to stop before, got an empty one");
    return CLI_DONE;
}

static int generate(generating *g, rx_llm_request *ask) {
    rx_llm_result r = {.struct_size = sizeof r};
    if (g->prompt_count > g->language.cache_tokens)
        return cli_error("%s", language_too_long(g->args->mem, &g->language, "prompt", g->prompt_count));
    ask->prompt = g->prompt, ask->prompt_count = g->prompt_count;
    ask->user = g;
    ask->progress = show_prompt;
    g->meter = meter_begin("reading", "the prompt");
    if (g->json || g->ids) ask->token = show_token; // with the probability of each token, which takes time
    if (g->profile) ask->interrupted = note_choice;
    if (!g->ids || (g->json && g->language.info.has_tokenizer)) ask->text = show_text;
    if (rx_llm_sequence_new(g->language.session, &g->sequence) != RX_OK ||
        rx_llm_generate(g->sequence, ask, &r) != RX_OK)
        return meter_end(&g->meter),
               cli_error("%s: %s", g->args->positional[0], rx_llm_session_message(g->language.session));
    return report(g, &r);
}

static int run(const cli_args *a) {
    generating g = {.args = a, .json = cli_flag(a, "json"), .ids = cli_flag(a, "ids"), .going = true};
    g.profile = cli_flag(a, "profile");
    g.observation = observation_of_profile(a);
    rx_llm_sampling sampling;
    rx_llm_request ask = {.struct_size = sizeof ask, .sampling = &sampling};
    g.answer = g.tokens = TEXT_IN(a->mem);
    int code = read_request(a, &ask, &sampling);
    rx_observer *observer = g.profile ? observe_run : NULL;
    if (code == CLI_DONE) code = language_open_observed(a, a->positional[0], observer, &g.observation, &g.language);
    if (code == CLI_DONE) code = read_prompt(&g);
    if (code == CLI_DONE) code = generate(&g, &ask);
    close_all(&g);
    return code;
}

static const cli_option options[] = {
    {.name = "max-tokens", .letter = 'n', .value = "N", .preset = "128", .doc = "stop after so many tokens"},
    SAMPLING_OPTIONS("0"),
    PENALTY_OPTIONS,
    {.name = "stop",
     .value = "TEXT",
     .repeat = true,
     .doc = "stop before this text, in which \\n, \\t, \\r and \\\\ are what they are in C"},
    {.name = "ignore-end", .doc = "go on when the model ends its text"},
    {.name = "special", .doc = "control tokens such as <|im_start|> written in the prompt are those tokens"},
    {.name = "ids", .doc = "the prompt is token ids, and so is what is printed"},
    {.name = "logprobs", .value = "N", .preset = "0", .doc = "with --json: the N most likely tokens of each step"},
    {.name = "stats", .doc = "print tokens per second on stderr"},
    {.name = "profile", .doc = "print on stderr what the tokens after the first took, kernel by kernel, and between"},
    {.name = "json", .doc = "print for programs: text, tokens, log-probabilities, times"},
    LANGUAGE_OPTIONS,
    {0},
};

const cli_verb verb_generate = {
    .name = "generate",
    .summary = "continues a text with a language model",
    .usage = "FILE [PROMPT|-] [options]",
    .least = 1,
    .most = 2,
    .options = options,
    .details = "FILE is what `relax compile` made of a model (.rlx), or a .gguf file or a folder, which is compiled "
               "into the cache\n"
               "folder once. Without PROMPT, or with -, standard input is read. The text comes as it is generated.\n",
    .examples = "  relax generate model.rlx \"The capital of France is\" -n 20\n"
                "  relax generate model.gguf --temperature 0.8 --seed 7 --stop \"\\n\" - <prompt.txt\n"
                "  relax generate model.rlx --ids \"504 3575 282\" --json --logprobs 5\n",
    .run = run,
};
