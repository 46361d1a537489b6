// pretokenize.c - the pre-tokenizers' expressions, compiled and run by PCRE2.
//
// The expressions are those the models' own tokenizer files give (GPT-2, Llama 3, Qwen 2). Their `\s` is Unicode's
// White_Space, which PCRE2's differs from in U+180E: it is spelled out here.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "llm/pretokenize.h"
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>

#define SPACES "\\x{9}-\\x{d} \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}"
#define SPACE "[" SPACES "]"
#define NOT_SPACE "[^" SPACES "]"
#define LAST_SPACES SPACE "+(?!" NOT_SPACE ")|" SPACE "+"

#define GPT2 "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^" SPACES "\\p{L}\\p{N}]+|" LAST_SPACES
// Llama 3's and its relatives'; `digits` is how many digits stay together.
#define LLAMA3(digits)                                                                                                 \
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}" digits "| ?[^" SPACES                          \
    "\\p{L}\\p{N}]+[\\r\\n]*|" SPACE "*[\\r\\n]+|" LAST_SPACES

static const pre_tokenizer gpt2 = {.stage = {GPT2}};
static const pre_tokenizer digits_first = {.stage = {"\\p{N}", GPT2}};
static const pre_tokenizer llama3 = {.stage = {LLAMA3("{1,3}")}, .whole_words = true, .adds_bos = true};
static const pre_tokenizer dbrx = {.stage = {LLAMA3("{1,3}")}};
static const pre_tokenizer qwen2 = {.stage = {LLAMA3("")}};

static const struct {
    const char *name;
    const pre_tokenizer *pre;
} known[] = {
    {"", &gpt2}, // files of before the name was written are of this kind
    {"default", &gpt2},
    {"gpt-2", &gpt2},
    {"gpt2", &gpt2},
    {"gpt-neox", &gpt2},
    {"mpt", &gpt2},
    {"olmo", &gpt2},
    {"phi-2", &gpt2},
    {"starcoder", &digits_first},
    {"refact", &digits_first},
    {"command-r", &digits_first},
    {"smollm", &digits_first},
    {"codeshell", &digits_first},
    {"llama3", &llama3},
    {"llama-v3", &llama3},
    {"llama-bpe", &llama3},
    {"dbrx", &dbrx},
    {"smaug-bpe", &dbrx},
    {"qwen2", &qwen2},
    {"stablelm2", &qwen2},
    {"deepseek-r1-qwen", &qwen2},
};

const pre_tokenizer *pre_tokenizer_find(text_span name) {
    for (size_t i = 0; i < COUNT(known); i++) {
        if (span_is(name, known[i].name)) return known[i].pre;
    }
    return NULL;
}

void pre_tokenizer_names(char *out, size_t room) {
    size_t at = 0;
    *out = 0;
    for (size_t i = 0; i < COUNT(known) && at < room; i++)
        if (*known[i].name) at += (size_t)snprintf(out + at, room - at, "%s%s", at ? ", " : "", known[i].name);
}

struct word_splitter {
    pcre2_code *stage[PRE_STAGES];
    pcre2_match_context *limits;
};

// The expressions are ours: a refusal is a mistake here, or a PCRE2 without Unicode.
static rx_status compile(const char *expression, pcre2_code **out, char *why) {
    int error;
    PCRE2_SIZE at;
    *out = pcre2_compile((PCRE2_SPTR)expression, PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_UCP, &error, &at, NULL);
    if (!*out) return why_fail(why, RX_INTERNAL, "pre-tokenizer: PCRE2 refuses it (error %d at %zu)", error, at);
    pcre2_jit_compile(*out, PCRE2_JIT_COMPLETE); // where it can't, the interpreter does the work
    return RX_OK;
}

// The expressions have no nested repeats, so the work is linear; the default limits would only stop long texts.
static rx_status fill(word_splitter *s, const pre_tokenizer *pre, char *why) {
    s->limits = pcre2_match_context_create(NULL);
    if (!s->limits) return llm_no_memory(why, "pre-tokenizer");
    pcre2_set_match_limit(s->limits, UINT32_MAX);
    pcre2_set_depth_limit(s->limits, UINT32_MAX);
    pcre2_set_heap_limit(s->limits, UINT32_MAX);
    for (size_t i = 0; i < PRE_STAGES && pre->stage[i]; i++) RX_TRY(compile(pre->stage[i], &s->stage[i], why));
    return RX_OK;
}

rx_status word_splitter_new(const pre_tokenizer *pre, word_splitter **out, char why[FILE_WHY]) {
    word_splitter *s = calloc(1, sizeof *s);
    if (!s) return llm_no_memory(why, "pre-tokenizer");
    rx_status status = fill(s, pre, why);
    if (status == RX_OK)
        *out = s;
    else
        word_splitter_free(s);
    return status;
}

void word_splitter_free(word_splitter *s) {
    if (!s) return;
    for (size_t i = 0; i < PRE_STAGES; i++) pcre2_code_free(s->stage[i]);
    pcre2_match_context_free(s->limits);
    free(s);
}

typedef struct splitting {
    const word_splitter *splitter;
    pcre2_match_data *match;
    word_taker *take;
    void *context;
    char *why;
} splitting;

// Finds the first match at or after `from`; false when there is none. Code compiled just in time has a small stack;
// when that overflows, the interpreter, which uses the heap, tries again.
static rx_status find(const splitting *s, size_t stage, text_span text, size_t from, bool *found) {
    const pcre2_code *code = s->splitter->stage[stage];
    PCRE2_SPTR at = (PCRE2_SPTR)text.at;
    int n = pcre2_match(code, at, text.size, from, PCRE2_NO_UTF_CHECK, s->match, s->splitter->limits);
    if (n == PCRE2_ERROR_JIT_STACKLIMIT)
        n = pcre2_match(code, at, text.size, from, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, s->match, s->splitter->limits);
    *found = n > 0;
    if (n > 0 || n == PCRE2_ERROR_NOMATCH) return RX_OK;
    if (n == PCRE2_ERROR_NOMEMORY || n == PCRE2_ERROR_HEAPLIMIT) return llm_no_memory(s->why, "pre-tokenizer");
    return why_fail(s->why, RX_INTERNAL, "pre-tokenizer: PCRE2 stopped with error %d", n);
}

static rx_status split(const splitting *s, size_t stage, text_span text);

// From the last stage words go to the caller.
static rx_status pass_on(const splitting *s, size_t stage, text_span piece) {
    if (!piece.size) return RX_OK;
    if (stage + 1 < PRE_STAGES && s->splitter->stage[stage + 1]) return split(s, stage + 1, piece);
    return s->take(s->context, piece, s->why);
}

// As deep as there are stages.
static rx_status split(const splitting *s, size_t stage, text_span text) {
    size_t done = 0;
    while (done < text.size) {
        bool found;
        RX_TRY(find(s, stage, text, done, &found));
        const PCRE2_SIZE *edge = pcre2_get_ovector_pointer(s->match);
        size_t begin = found ? edge[0] : text.size, end = found ? edge[1] : text.size;
        if (found && end <= begin) return why_fail(s->why, RX_INTERNAL, "pre-tokenizer: an empty match");
        RX_TRY(pass_on(s, stage, (text_span){text.at + done, begin - done}));
        RX_TRY(pass_on(s, stage, (text_span){text.at + begin, end - begin}));
        done = end;
    }
    return RX_OK;
}

rx_status word_splitter_run(const word_splitter *s, text_span text, word_taker *take, void *context,
                            char why[FILE_WHY]) {
    splitting run = {.splitter = s, .match = pcre2_match_data_create(1, NULL), .take = take, .context = context};
    run.why = why;
    if (!run.match) return llm_no_memory(why, "pre-tokenizer");
    rx_status status = split(&run, 0, text);
    pcre2_match_data_free(run.match);
    return status;
}
