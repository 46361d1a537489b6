// language.c - opening language models and reading the options their verbs share.
#define _POSIX_C_SOURCE 200809L
#include "cli/language.h"
#include "base/count_noun.h"
#include "base/text.h"
#include "cli/forget_code.h"
#include "llm/model.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// "1.5", "500": whole and the rest of it below 1. The end; NULL where there is no number or it doesn't fit.
static const char *read_decimal(const char *s, uint64_t *whole, double *rest) {
    const char *at = s;
    double unit = 1;
    for (*whole = 0; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (*whole > (UINT64_MAX - digit) / 10) return NULL;
        *whole = *whole * 10 + digit;
    }
    if (at == s) return NULL;
    *rest = 0;
    if (*at != '.') return at;
    for (at++; *at >= '0' && *at <= '9'; at++) *rest += (unit /= 10) * (*at - '0');
    return at[-1] == '.' ? NULL : at;
}

// "M", "m", "Mi", "MB", "MiB": one to four times 10 binary digits; a size in bytes has "B" or nothing.
static bool read_unit(const char *s, unsigned *shift) {
    static const char upper[] = "KMGT", lower[] = "kmgt";
    *shift = 0;
    for (unsigned i = 0; i < 4 && *s; i++)
        if (*s == upper[i] || *s == lower[i]) *shift = 10 * (i + 1);
    if (*shift) s++;
    if (*shift && *s == 'i') s++;
    return !s[*s == 'B'];
}

// Units of 1024. What overflows 64 bits is no size.
bool language_size(const cli_args *a, const char *name, uint64_t *out) {
    const char *given = cli_value(a, name);
    uint64_t whole;
    double rest;
    unsigned shift;
    *out = 0;
    if (!given) return true;
    const char *end = read_decimal(given, &whole, &rest);
    if (!end || !read_unit(end, &shift) || whole > (UINT64_MAX >> shift) - 1)
        return cli_usage(a, "%s: want a size such as 500M, 1.5G or 64KiB (units of 1024), got '%s'",
                         cli_spelling(a, name), given),
               false;
    *out = (whole << shift) + (uint64_t)(rest * (double)((uint64_t)1 << shift));
    return true;
}

bool language_count(const cli_args *a, const char *name, int64_t *out) {
    const char *given = cli_value(a, name);
    char *end = NULL;
    errno = 0;
    *out = given ? strtoll(given, &end, 10) : 0;
    if (given && end != given && !*end && !errno && *out >= 1) return true;
    return cli_usage(a, "%s: want a whole number, 1 or more, got '%s'", cli_spelling(a, name), given ? given : ""),
           false;
}

// The cache is given out in pages: what --context asks for is rounded up to whole ones, and said if that is more.
static uint64_t whole_pages(uint64_t tokens, uint64_t page) {
    uint64_t whole = page ? (tokens + page - 1) / page * page : tokens;
    if (whole != tokens)
        cli_note("a context of %s becomes %llu, whole pages of %llu", COUNTED(tokens, "token"),
                 (unsigned long long)whole, (unsigned long long)page);
    return whole;
}

// A checkpoint's file in the cache that can't be read (somebody cut it off) is made anew.
static int open_model(const cli_args *a, const char *path, const model_wish *wish, language *out) {
    char message[RX_MESSAGE] = "";
    cached_model made = {.path = path};
    int code = CLI_DONE;
    rx_status status = RX_INTERNAL;
    for (int tries = 0; status != RX_OK && code == CLI_DONE && tries < (out->compiled ? 1 : 2); tries++) {
        if (tries) unlink(made.path);
        if (!out->compiled) code = model_cache_find(a, path, wish, &made);
        if (code == CLI_DONE) status = rx_llm_load(made.path, &out->model, message);
        cached_model_drop(&made); // what is mapped stays
    }
    return code != CLI_DONE || status == RX_OK ? code : cli_error("%s", message);
}

// The library names what takes memory, this the options that change it.
static int no_session(const cli_args *a, rx_status status, const char *message) {
    return cli_error("%s: %s%s", a->positional[0], message,
                     status != RX_OUT_OF_MEMORY ? ""
                                                : "; a lower --context makes the cache smaller, a lower --batch of "
                                                  "`relax compile` the activations");
}

// The model first: it knows how many tokens it was compiled for.
static int open_session(const cli_args *a, rx_llm_options *o, language *out) {
    char message[RX_MESSAGE];
    out->info = (rx_llm_info){.struct_size = sizeof out->info};
    rx_llm_get_info(out->model, &out->info);
    if (o->cache_tokens > out->info.context)
        return cli_error("--context is %llu, but the model was compiled for %s", (unsigned long long)o->cache_tokens,
                         COUNTED(out->info.context, "token"));
    o->cache_tokens = whole_pages(o->cache_tokens, out->info.page_tokens);
    rx_status status = rx_llm_session_new(out->model, o, &out->session, message);
    if (status != RX_OK) return no_session(a, status, message);
    out->cache_tokens = o->cache_tokens ? o->cache_tokens : out->info.context;
    return CLI_DONE;
}

bool language_activations(const cli_args *a, const char *kind) {
    static const char *const known[] = {"int8", "f16", "f32"};
    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(kind, known[i]) == 0) return true;
    return cli_usage(a, "--activations: want int8, f16 or f32, got '%s'", kind), false;
}

int language_open(const cli_args *a, const char *path, language *out) {
    return language_open_observed(a, path, NULL, NULL, out);
}

int language_open_observed(const cli_args *a, const char *path, rx_observer *observer, void *user, language *out) {
    int64_t threads, context = 0;
    const char *activations = cli_value(a, "activations");
    rx_llm_options o = {.struct_size = sizeof o, .observer = observer, .observer_user = user};
    *out = (language){.path = path};
    if (!cli_int(a, "threads", 0, RX_MAX_THREADS, &threads) || !language_size(a, "mem-limit", &o.memory_limit))
        return CLI_USAGE;
    if (cli_value(a, "context") && !cli_int(a, "context", 1, LARGEST_CONTEXT, &context)) return CLI_USAGE;
    o.threads = (unsigned)threads, o.cache_tokens = (uint64_t)context;
    if (activations && !language_activations(a, activations)) return CLI_USAGE;
    if (activations && text_ends(path, ".rlx"))
        return cli_usage(a, "--activations: %s has been compiled, give it to `relax compile`", path);
    const model_wish wish = {.context = context, .activations = activations ? activations : "int8"};
    out->compiled = text_ends(path, ".rlx");
    int code = open_model(a, path, &wish, out);
    if (code == CLI_DONE) code = open_session(a, &o, out);
    if (code == CLI_DONE) forget_code(); // from here on nothing is compiled
    if (code != CLI_DONE) language_close(out);
    return code;
}

// What an .rlx was compiled for is the most; a checkpoint is compiled anew for whatever is asked.
const char *language_too_long(arena *mem, const language *l, const char *what, size_t tokens) {
    unsigned long long room = l->cache_tokens, most = l->info.context;
    const char *way = room < most   ? arena_format(mem, "give a larger --context (the file has up to %llu)", most)
                      : l->compiled ? "compile the model with a larger --context"
                                    : "give a larger --context";
    return arena_format(mem, "the %s has %s, more than the context of %llu: make it shorter, or %s", what,
                        COUNTED(tokens, "token"), room, way);
}

void language_close(language *l) {
    rx_llm_session_release(l->session);
    rx_llm_release(l->model);
    *l = (language){0};
}

// A number within [low, high]; false after a message.
static bool float_in(const cli_args *a, const char *name, double low, double high, double *out) {
    if (!cli_float(a, name, out)) return false;
    if (*out >= low && *out <= high) return true; // not so for a NaN
    return cli_usage(a, "%s is %g; want %g to %g", cli_spelling(a, name), *out, low, high), false;
}

// The same without 0, which the sampler takes for "not wanted"; 1 is the way to say that.
static bool positive_in(const cli_args *a, const char *name, double high, double *out) {
    if (!cli_float(a, name, out)) return false;
    if (*out > 0 && *out <= high) return true;
    return cli_usage(a, "%s is %g; want more than 0, at most %g; 1 turns it off", cli_spelling(a, name), *out, high),
           false;
}

// Only ranges are checked here; what they mean is the sampler's (llm/sampler.h).
bool language_sampling(const cli_args *a, rx_llm_sampling *out) {
    int64_t top_k, seed, back;
    *out = (rx_llm_sampling){.struct_size = sizeof *out};
    if (!cli_int(a, "top-k", 0, INT32_MAX, &top_k) || !cli_int(a, "seed", 0, INT64_MAX, &seed) ||
        !cli_int(a, "penalty-tokens", 1, INT32_MAX, &back))
        return false;
    out->top_k = (uint32_t)top_k, out->seed = (uint64_t)seed, out->penalty_tokens = (uint32_t)back;
    return float_in(a, "temperature", 0, 100, &out->temperature) && positive_in(a, "top-p", 1, &out->top_p) &&
           float_in(a, "min-p", 0, 1, &out->min_p) && positive_in(a, "repeat-penalty", 100, &out->repeat_penalty) &&
           float_in(a, "frequency-penalty", -100, 100, &out->frequency_penalty) &&
           float_in(a, "presence-penalty", -100, 100, &out->presence_penalty);
}

int language_no_tokenizer(const cli_args *a, const language *l) {
    return cli_error("%s: %s (--ids takes numbers of tokens)", a->positional[0], l->model->no_tokenizer);
}

const char *language_rate(arena *mem, uint64_t tokens, uint64_t timed, double seconds) {
    const char *rate = timed && seconds > 0 ? arena_format(mem, " (%.1f tokens/s)", (double)timed / seconds) : "";
    return arena_format(mem, "%s in %.2f s%s", COUNTED(tokens, "token"), seconds, rate);
}

void language_put_plan(const rx_llm *m, uint64_t cache_tokens, text *t) {
    char weights[32], cache[32], activations[32];
    const rx_llm_options o = {.struct_size = sizeof o, .cache_tokens = cache_tokens};
    rx_llm_memory needs = {.struct_size = sizeof needs};
    rx_llm_info info = {.struct_size = sizeof info};
    rx_llm_get_info(m, &info);
    if (rx_llm_plan(m, &o, &needs, NULL) != RX_OK) return;
    text_format(t, "memory: weights %s, cache %s for %s, activations %s for batches of %s\n",
                text_bytes(needs.weights, weights), text_bytes(needs.cache, cache),
                COUNTED(needs.cache_tokens, "token"), text_bytes(needs.activations, activations),
                COUNTED(info.batch, "token"));
}

// The file that was just made is opened once more, as a user would: the plan is the file's own.
int language_check_memory(const cli_args *a, const char *path) {
    char message[RX_MESSAGE];
    rx_llm *m = NULL;
    rx_llm_options o = {.struct_size = sizeof o};
    text t = TEXT_IN(a->mem);
    int64_t context;
    bool ok = language_size(a, "mem-limit", &o.memory_limit) && cli_int(a, "context", 0, INT32_MAX, &context);
    int code = ok ? CLI_DONE : CLI_USAGE;
    if (code == CLI_DONE && rx_llm_load(path, &m, message) != RX_OK) code = cli_error("%s", message);
    rx_status status = code == CLI_DONE ? rx_llm_plan(m, &o, NULL, message) : RX_OK;
    if (status != RX_OK) code = no_session(a, status, message);
    if (code == CLI_DONE) {
        rx_llm_info info = {.struct_size = sizeof info};
        rx_llm_get_info(m, &info);
        whole_pages((uint64_t)context, info.page_tokens);
        language_put_plan(m, 0, &t);
    }
    rx_llm_release(m);
    return code == CLI_DONE ? cli_print(&t) : code;
}
