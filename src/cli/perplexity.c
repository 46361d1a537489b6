// perplexity.c - `relax perplexity`: how well a language model predicts a text.
#include "base/count_noun.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/language.h"
#include "cli/meter.h"
#include "cli/numbers.h"
#include "llm/model.h"
#include "llm/sampler.h"
#include <math.h>
#include <stdlib.h>

enum { TEXT_LIMIT = 512 << 20, STEP = 64 }; // STEP: tokens whose logits are held at once

// What the verb holds; all freed by close_all.
typedef struct measuring {
    const cli_args *args;
    language language;
    rx_llm_sequence *sequence;
    char *input;
    uint32_t *token;
    size_t count;
    size_t window;
    bool begins; // the tokenizer adds a token in front of a text
    uint64_t scored;
    double sum, squares; // of -log p
    size_t done;         // tokens the model saw
    meter meter;
} measuring;

static void close_all(measuring *m) {
    free(m->token);
    free(m->input);
    rx_llm_sequence_free(m->sequence);
    language_close(&m->language);
}

static int read_tokens(measuring *m) {
    char why[RX_MESSAGE] = "";
    size_t size;
    bool ids = cli_flag(m->args, "ids");
    if (!ids && !m->language.info.has_tokenizer) return language_no_tokenizer(m->args, &m->language);
    cli_awaits(m->args->positional[1], "the text");
    if (file_read(m->args->positional[1], TEXT_LIMIT, &m->input, &size, why) != RX_OK) return cli_error("%s", why);
    if (ids) {
        m->token = numbers_read(m->input, size, UINT32_MAX - 1, &m->count, why);
        if (!m->token) return cli_error("%s: %s", m->args->positional[1], why);
    } else if (rx_llm_tokenize(m->language.model, m->input, size, RX_LLM_ADD_ENDS, &m->token, &m->count, why) !=
               RX_OK) {
        return cli_error("%s: %s", m->args->positional[1], why);
    } else {
        m->begins = m->language.model->vocabulary->add_bos;
    }
    return m->count > 1
               ? CLI_DONE
               : cli_error("%s: %s are too few: want at least 2", m->args->positional[1], COUNTED(m->count, "token"));
}

// Adds what the model thought of the tokens after each of `count` rows.
static int score(measuring *m, const float *logits, const uint32_t *next, size_t count) {
    uint32_t columns = m->language.info.vocabulary;
    for (size_t i = 0; i < count; i++, logits += columns) {
        double loss = sampler_log_sum(logits, columns) - (double)logits[next[i]];
        if (!isfinite(loss)) {
            meter_end(&m->meter);
            return cli_error("%s: of token %td of the text (%u) the model gives no probability: its logits are no "
                             "finite numbers",
                             m->args->positional[0], next + i - m->token + 1, next[i]);
        }
        m->sum += loss;
        m->squares += loss * loss;
        m->scored++;
    }
    return CLI_DONE;
}

// One window: its first tokens are context alone, each of the others is predicted from all before it.
static int measure_window(measuring *m, const uint32_t *token, size_t count, size_t unscored) {
    rx_llm_session *s = m->language.session;
    const float *logits;
    rx_llm_sequence_cut(m->sequence, 0);
    if (token[unscored] >= m->language.info.vocabulary) unscored = 0; // reported below
    for (size_t at = 0; at + 1 < count;) {
        size_t end = at < unscored ? unscored : at + STEP < count - 1 ? at + STEP : count - 1;
        rx_llm_input in = {m->sequence, token + at, end - at, at < unscored ? 0 : end - at};
        if (rx_llm_run(s, &in, 1, &logits) != RX_OK)
            return meter_end(&m->meter), cli_error("%s: %s", m->args->positional[1], rx_llm_session_message(s));
        for (size_t i = at; i < end; i++)
            if (token[i + 1] >= m->language.info.vocabulary)
                return meter_end(&m->meter),
                       cli_error("%s: there is no token %u: the model has %u, from 0", m->args->positional[1],
                                 token[i + 1], m->language.info.vocabulary);
        int code = score(m, logits, token + at + 1, in.logits);
        if (code != CLI_DONE) return code;
        m->done += end - at;
        meter_show(&m->meter, (double)m->done / (double)m->count, "");
        at = end;
    }
    return CLI_DONE;
}

// Windows side by side, each from a text's first token if the tokenizer adds one (in place of its own first); of each
// the tokens behind the middle one are scored, so that every score has seen half a window. A text shorter than a window
// is scored whole.
static int measure(measuring *m) {
    if (m->count <= m->window) return measure_window(m, m->token, m->count, 0);
    int code = CLI_DONE;
    for (size_t at = 0; code == CLI_DONE && at + m->window <= m->count; at += m->window) {
        if (m->begins) m->token[at] = m->token[0];
        code = measure_window(m, m->token + at, m->window, m->window / 2);
    }
    return code;
}

static int report(const measuring *m) {
    text t = TEXT_IN(m->args->mem);
    double n = (double)m->scored, mean = m->sum / n, variance = m->squares / n - mean * mean;
    double error = n > 1 && variance > 0 ? exp(mean) * sqrt(variance / (n - 1)) : 0;
    if (cli_flag(m->args, "json"))
        text_format(&t, "{\"perplexity\": %.6f, \"error\": %.6f, \"tokens\": %zu, \"scored\": %llu, \"window\": %zu}\n",
                    exp(mean), error, m->count, (unsigned long long)m->scored, m->window);
    else
        text_format(&t, "perplexity: %.4f +/- %.4f (%llu of %zu tokens scored, windows of %zu)\n", exp(mean), error,
                    (unsigned long long)m->scored, m->count, m->window);
    return cli_print(&t);
}

static int run(const cli_args *a) {
    measuring m = {.args = a};
    int64_t window;
    if (!cli_int(a, "window", 4, INT32_MAX, &window)) return CLI_USAGE;
    int code = language_open(a, a->positional[0], &m.language);
    if (code == CLI_DONE) code = read_tokens(&m);
    m.window = (size_t)window < m.language.cache_tokens ? (size_t)window : (size_t)m.language.cache_tokens;
    if (code == CLI_DONE && rx_llm_sequence_new(m.language.session, &m.sequence) != RX_OK)
        code = cli_error("out of memory");
    m.meter = meter_begin("measuring", a->positional[1]);
    if (code == CLI_DONE) code = measure(&m);
    meter_end(&m.meter);
    if (code == CLI_DONE) code = report(&m);
    close_all(&m);
    return code;
}

static const cli_option options[] = {
    {.name = "window", .letter = 'w', .value = "N", .preset = "512", .doc = "tokens the model sees at once"},
    {.name = "ids", .doc = "the text is token ids"},
    {.name = "json", .doc = "print for programs"},
    LANGUAGE_OPTIONS,
    {0},
};

const cli_verb verb_perplexity = {
    .name = "perplexity",
    .summary = "measures how well a language model predicts a text",
    .usage = "FILE TEXT.txt|- [options]",
    .least = 2,
    .most = 2,
    .options = options,
    .details =
        "FILE is a compiled model (.rlx), a .gguf file or a folder. The text is cut into windows; of each the tokens\n"
        "behind its middle one are scored, as llama-perplexity does (tokens left over at the end are not), or all of\n"
        "a text that fits into one. Where the tokenizer begins texts with a token of its own, each window begins with\n"
        "it. Printed is e to the mean of -log p, with its standard error.\n",
    .examples = "  relax perplexity model.rlx text.txt\n"
                "  relax perplexity model.gguf --window 256 --json - <text.txt\n",
    .run = run,
};
