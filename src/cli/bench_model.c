// bench_model.c - `relax bench` of a language model: how many tokens a second it takes in and gives.
#include "base/clock.h"
#include "base/text.h"
#include "cli/bench.h"
#include "cli/language.h"
#include "cli/meter.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TIMES = 1000, USUAL_TIMES = 3, MAX_SEQUENCES = 256 };

// One row of the table: `prompt` tokens taken in at once, or `generated` ones one after the other, of several sequences
// at once perhaps.
typedef struct bench_row {
    const char *test; // "pp512", "tg64", "tg64x4"
    double mean, deviation;
} bench_row;

typedef struct benching {
    const cli_args *args;
    language language;
    rx_llm_sequence *sequence[MAX_SEQUENCES];
    size_t sequences; // that grow at once
    uint32_t *token;
    int64_t repeat, run; // that is measured now; -1: the one that warms up
    meter meter;         // of the present test
    unsigned threads;
} benching;

static void close_all(benching *b) {
    free(b->token);
    for (size_t i = 0; i < b->sequences; i++) rx_llm_sequence_free(b->sequence[i]);
    language_close(&b->language);
}

static int failed(benching *b) {
    meter_end(&b->meter);
    return cli_error("%s: %s", b->args->positional[0], rx_llm_session_message(b->language.session));
}

// Tokens that say nothing, but each another.
static int make_tokens(benching *b, int64_t count) {
    b->token = malloc((size_t)count * sizeof *b->token + 1);
    if (!b->token) return cli_error("out of memory");
    for (int64_t i = 0; i < count; i++) b->token[i] = (uint32_t)((uint64_t)i * 7919 % b->language.info.vocabulary);
    return CLI_DONE;
}

// `part` of the present run is done.
static void show(benching *b, double part) {
    meter_show(&b->meter, ((double)(b->run + 1) + part) / (double)(b->repeat + 1), "");
}

static int run_prompt(benching *b, int64_t count, double *seconds) {
    const float *logits;
    rx_llm_input in = {b->sequence[0], b->token, (size_t)count, 1};
    rx_llm_sequence_cut(b->sequence[0], 0);
    double start = clock_seconds();
    if (rx_llm_run(b->language.session, &in, 1, &logits) != RX_OK) return failed(b);
    *seconds = clock_seconds() - start;
    return CLI_DONE;
}

static int run_steps(benching *b, int64_t count, double *seconds) {
    const float *logits;
    rx_llm_input in[MAX_SEQUENCES];
    for (size_t k = 0; k < b->sequences; k++) rx_llm_sequence_cut(b->sequence[k], 0);
    double start = clock_seconds();
    for (int64_t i = 0; i < count; i++) {
        for (size_t k = 0; k < b->sequences; k++) in[k] = (rx_llm_input){b->sequence[k], b->token + i, 1, 1};
        if (rx_llm_run(b->language.session, in, b->sequences, &logits) != RX_OK) return failed(b);
        show(b, (double)i / (double)count);
    }
    *seconds = clock_seconds() - start;
    return CLI_DONE;
}

// Runs a test once to warm up and `repeat` times to measure.
static int measure(benching *b, const char *kind, int64_t count, bench_row *out) {
    double sum = 0, squares = 0, seconds = 0;
    int code = CLI_DONE;
    size_t at_once = kind[0] == 'p' ? 1 : b->sequences;
    out->test = arena_format(b->args->mem, "%s%lld", kind, (long long)count);
    if (at_once > 1) out->test = arena_format(b->args->mem, "%sx%zu", out->test, at_once);
    b->meter = meter_begin("measuring", out->test);
    for (int64_t i = b->run = -1; i < b->repeat && code == CLI_DONE; b->run = ++i) {
        show(b, 0);
        code = kind[0] == 'p' ? run_prompt(b, count, &seconds) : run_steps(b, i < 0 ? 1 : count, &seconds);
        double rate = seconds > 0 ? (double)count * (double)at_once / seconds : 0;
        if (i >= 0) sum += rate, squares += rate * rate;
    }
    meter_end(&b->meter);
    double n = (double)b->repeat, mean = sum / n, variance = b->repeat > 1 ? (squares - n * mean * mean) / (n - 1) : 0;
    out->mean = mean, out->deviation = variance > 0 ? sqrt(variance) : 0;
    return code;
}

// --- Printing.

static void put_table(const benching *b, const bench_row *row, size_t rows, text *t) {
    char size[32];
    const rx_llm_info *info = &b->language.info;
    const char *name = cli_name(b->args->mem, span_of(*info->name ? info->name : b->args->positional[0]));
    int width = strlen(name) > 24 ? (int)strlen(name) : 24;
    text_format(t, "| %-*s | %9s | %7s | %8s | %20s |\n| ", width, "model", "size", "threads", "test", "tokens/s");
    text_put_repeat(t, '-', (size_t)width);
    text_put(t, " | --------: | ------: | -------: | -------------------: |\n");
    for (size_t i = 0; i < rows; i++) {
        text_format(t, "| %-*s | %9s | %7u | %8s | ", width, name, text_bytes(info->weight_bytes, size), b->threads,
                    row[i].test);
        text_format(t, "%9.*f +- %7.*f |\n", row[i].mean < 10000 ? 2 : 0, row[i].mean, row[i].mean < 10000 ? 2 : 0,
                    row[i].deviation);
    }
}

static void put_json(const benching *b, const bench_row *row, size_t rows, text *t) {
    const rx_llm_info *info = &b->language.info;
    text_put(t, "[");
    for (size_t i = 0; i < rows; i++) {
        text_put(t, i ? ", {\"model\": " : "{\"model\": ");
        cli_json_string(t, info->name, strlen(info->name));
        text_format(t,
                    ", \"weight_bytes\": %llu, \"threads\": %u, \"test\": \"%s\", \"repeat\": %lld, "
                    "\"tokens_per_second\": %.4f, \"deviation\": %.4f}",
                    (unsigned long long)info->weight_bytes, b->threads, row[i].test, (long long)b->repeat, row[i].mean,
                    row[i].deviation);
    }
    text_put(t, "]\n");
}

static int make_sequences(benching *b, int64_t count) {
    for (; b->sequences < (size_t)count; b->sequences++)
        if (rx_llm_sequence_new(b->language.session, &b->sequence[b->sequences]) != RX_OK) return failed(b);
    return CLI_DONE;
}

static int bench(benching *b, int64_t prompt, int64_t generated, int64_t sequences) {
    bench_row row[2];
    size_t rows = 0;
    text t = TEXT_IN(b->args->mem);
    int64_t longest = prompt > generated ? prompt : generated;
    if ((uint64_t)longest > b->language.cache_tokens)
        return cli_error("%s", language_too_long(b->args->mem, &b->language, "test", (size_t)longest));
    int code = make_tokens(b, longest);
    if (code == CLI_DONE) code = make_sequences(b, sequences);
    b->threads = rx_llm_session_threads(b->language.session);
    if (code == CLI_DONE && prompt) code = measure(b, "pp", prompt, &row[rows++]);
    if (code == CLI_DONE && generated) code = measure(b, "tg", generated, &row[rows++]);
    if (code != CLI_DONE) return code;
    if (cli_flag(b->args, "json"))
        put_json(b, row, rows, &t);
    else
        put_table(b, row, rows, &t);
    return cli_print(&t);
}

int bench_model(const cli_args *a) {
    benching b = {.args = a};
    int64_t prompt, generated, sequences;
    if (!cli_int(a, "prompt", 0, INT32_MAX, &prompt) || !cli_int(a, "generate", 0, INT32_MAX, &generated) ||
        !cli_int(a, "sequences", 1, MAX_SEQUENCES, &sequences) || !cli_int(a, "repeat", 0, MAX_TIMES, &b.repeat))
        return CLI_USAGE;
    if (!b.repeat) b.repeat = USUAL_TIMES;
    if (!prompt && !generated) return cli_usage(a, "nothing to measure: --prompt and --generate are both 0");
    int code = language_open(a, a->positional[0], &b.language);
    if (code == CLI_DONE) code = bench(&b, prompt, generated, sequences);
    close_all(&b);
    return code;
}
