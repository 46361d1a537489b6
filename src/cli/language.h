// language.h - what the verbs that use a language model have in common: opening, memory, how tokens are chosen.
#ifndef CLI_LANGUAGE_H
#define CLI_LANGUAGE_H
#include "cli/verb.h"
#include "relax/llm.h"

typedef struct language {
    const char *path; // as the user gave it
    rx_llm *model;
    rx_llm_session *session;
    rx_llm_info info;
    uint64_t cache_tokens; // room of the session's cache
    bool compiled;         // opened from an .rlx of the user's, not from a checkpoint
} language;

// Opens an .rlx, or a .gguf that is compiled into the cache folder first, with the options of LANGUAGE_OPTIONS. Reports
// on stderr; a result other than CLI_DONE leaves nothing open.
int language_open(const cli_args *a, const char *path, language *out);
// The same, and every kernel is shown to an observer (relax/runtime.h).
int language_open_observed(const cli_args *a, const char *path, rx_observer *observer, void *user, language *out);
void language_close(language *l); // a zeroed one is allowed

#define LANGUAGE_OPTIONS                                                                                               \
    {.name = "context", .value = "N", .doc = "most tokens of a conversation (default: what the file has)"},            \
        CLI_THREADS,                                                                                                   \
        {.name = "activations",                                                                                        \
         .value = "KIND",                                                                                              \
         .doc = "of a checkpoint compiled now: int8 (default), f16, f32: exact"},                                      \
        {.name = "mem-limit", .value = "SIZE", .doc = "refuse to need more memory than this: 500M, 1.5G; 0: any"}

// What --activations may be: int8, f16, f32. False after a message (return CLI_USAGE then).
bool language_activations(const cli_args *a, const char *kind);

// "the prompt has 150 tokens, more than the context of 128: …", with what to do about it.
const char *language_too_long(arena *mem, const language *l, const char *what, size_t tokens);

// How the next token is chosen; false after a message (return CLI_USAGE then).
bool language_sampling(const cli_args *a, rx_llm_sampling *out);
#define SAMPLING_OPTIONS(hot)                                                                                          \
    {.name = "temperature", .value = "X", .preset = hot, .doc = "0: always the most likely token"},                    \
        {.name = "top-k", .value = "N", .preset = "40", .doc = "choose among the N most likely tokens; 0: all"},       \
        {.name = "top-p", .value = "X", .preset = "0.95", .doc = "... that together have this probability; 1: all"},   \
        {.name = "min-p", .value = "X", .preset = "0.05", .doc = "... each at least so likely against the best"},      \
        {.name = "seed", .letter = 's', .value = "N", .preset = "0", .doc = "the same seed gives the same text"}
#define PENALTY_OPTIONS                                                                                                \
    {.name = "repeat-penalty", .value = "X", .preset = "1", .doc = "divides logits of tokens seen lately; 1: none"},   \
        {.name = "frequency-penalty", .value = "X", .preset = "0", .doc = "taken off for each time a token was seen"}, \
        {.name = "presence-penalty", .value = "X", .preset = "0", .doc = "taken off once if it was seen"},             \
        {.name = "penalty-tokens", .value = "N", .preset = "64", .doc = "how far back that looks"}

// "500M", "1.5g", "64KiB", "123": bytes, in units of 1024; 0 without the option. False after a message.
bool language_size(const cli_args *a, const char *name, uint64_t *out);

enum { LARGEST_CONTEXT = 1 << 24 }; // what the decoder's bounds can hold

// A number of tokens, 1 or more. False after a message.
bool language_count(const cli_args *a, const char *name, int64_t *out);

// Reports why there is no text with this model, and that numbers do; returns CLI_WRONG.
int language_no_tokenizer(const cli_args *a, const language *l);

// "40 tokens in 0.25 s (156.0 tokens/s)"; `timed` of them took the seconds: of none there is no speed to tell.
const char *language_rate(arena *mem, uint64_t tokens, uint64_t timed, double seconds);
// Weights, cache and activations in one line.
void language_put_plan(const rx_llm *m, uint64_t cache_tokens, text *t);
// Prints what memory a compiled model needs; reports if that is more than --mem-limit.
int language_check_memory(const cli_args *a, const char *path);

// How a checkpoint is to be compiled. Each combination has a file of its own in the cache.
typedef struct model_wish {
    int64_t context;         // 0: the model's
    const char *activations; // as language_activations allows
} model_wish;
// A compiled file, and the folder to be removed with it; NULL: it stays.
typedef struct cached_model {
    const char *path, *folder;
} cached_model;
// The compiled file of a checkpoint in the cache folder, made now if it isn't there: RELAX_CACHE, else
// $XDG_CACHE_HOME/relax, else ~/.cache/relax. Where that can't be written to, a file for this run, which is noted.
// Another result than CLI_DONE comes after reporting.
int model_cache_find(const cli_args *a, const char *from, const model_wish *wish, cached_model *out);
void cached_model_drop(const cached_model *f); // removes one that doesn't stay
// Whether the texts of a checkpoint can be used: a tokenizer that is there must be supported and fit the model. False
// after reporting.
bool model_check_texts(const cli_args *a, const char *path);
#endif
