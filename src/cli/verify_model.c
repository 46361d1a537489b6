// verify_model.c - `relax verify-model`: does a model say what a reference implementation says?
#define _POSIX_C_SOURCE 200809L
#include "api/transform.h"
#include "base/count_noun.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/expected.h"
#include "cli/progress.h"
#include "cli/stepper.h"
#include "cli/verb.h"
#include "driver/driver.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct verifying {
    const cli_args *a;
    diag *d;
    expected want;
    stepper s;
    double tolerance; // of the largest expected value of a row of the table
    text out;
    bool ok;
    int interrupted; // the exit code then; else 0
} verifying;

// --- The table: one line for each thing that is compared.

typedef struct difference {
    double worst, largest; // |got - want|, |want|
} difference;

// What is not finite is infinitely far from anything.
static void compare(difference *x, double got, double want) {
    double apart = isfinite(got) ? fabs(got - want) : (double)INFINITY;
    x->worst = fmax(x->worst, apart);
    x->largest = fmax(x->largest, fabs(want));
}

// Relative to the largest expected value, but not below 1: a row of tiny numbers is allowed absolute error.
static void put_difference(verifying *v, const char *name, difference x) {
    double limit = v->tolerance * fmax(1, x.largest);
    bool fine = x.worst <= limit;
    v->ok = v->ok && fine;
    text_format(&v->out, "  %-12s %10.3g of %-10.4g %s\n", name, x.worst, x.largest,
                fine ? "ok" : arena_format(v->a->mem, "more than %.3g", limit));
}

static bool fail(verifying *v, const char *format, ...) RX_PRINTF(2, 3);
static bool fail(verifying *v, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *sentence = arena_vformat(v->a->mem, format, args);
    va_end(args);
    return diag_error(v->d, (loc){0}, "%s", sentence);
}

// Shapes first: a wrong one is a wrong model, not a wrong number.
static bool compare_rows(verifying *v, const char *name, uint32_t item, const float_rows *want) {
    int64_t rows, size;
    const float *got = stepper_item(&v->s, item, &rows, &size);
    difference x = {0};
    if (!got || rows != want->rows || size != want->size)
        return fail(v, "%s: expected (%lld, %lld), the model gives (%lld, %lld)", name, (long long)want->rows,
                    (long long)want->size, got ? (long long)rows : 0, got ? (long long)size : 0);
    for (int64_t i = 0; i < rows * size; i++) compare(&x, (double)got[i], (double)want->at[i]);
    put_difference(v, name, x);
    return true;
}

// --- One case.

static const float *last_row(verifying *v, int64_t *size) {
    int64_t rows;
    const float *at = stepper_item(&v->s, 0, &rows, size);
    return at && rows ? at + (rows - 1) * *size : NULL;
}

// Ties go to the lower id, as argmax in NumPy does.
static int32_t likeliest(const float *logit, int64_t count) {
    int64_t best = 0;
    for (int64_t i = 1; i < count; i++)
        if (logit[i] > logit[best]) best = i;
    return (int32_t)best;
}

static bool run_step(verifying *v, const int32_t *token, int64_t count, bool all) {
    return stepper_run(&v->s, token, count, all) || fail(v, "%s", v->s.why);
}

// All tokens at once, as a user's prompt would be; logits of all rows only where the file expects them.
static bool check_prompt(verifying *v, const expected_case *c) {
    int64_t size;
    if (!run_step(v, c->prompt, c->prompt_len, c->logits.at != NULL)) return false;
    for (uint32_t i = 0; i < c->hiddens && stepper_hiddens(&v->s) > i; i++)
        if (!compare_rows(v, arena_format(v->a->mem, "hidden.%u", i), 1 + 2 * v->s.layers + i, &c->hidden[i]))
            return false;
    if (c->logits.at) return compare_rows(v, "logits", 0, &c->logits);
    const float *logit = last_row(v, &size);
    difference x = {0};
    for (uint32_t i = 0; i < c->tops; i++) {
        if (c->top[i] >= size) return fail(v, "token %d is expected, the model has %lld", c->top[i], (long long)size);
        compare(&x, (double)logit[c->top[i]], (double)c->top_logit[i]);
    }
    put_difference(v, arena_format(v->a->mem, "top %u", c->tops), x);
    return true;
}

// Feeds the expected continuation, whatever the model says, so that one wrong token is one wrong token.
static bool check_greedy(verifying *v, const expected_case *c) {
    difference x = {0};
    uint32_t right = 0;
    for (uint32_t i = 0; i < c->greedy_len; i++) {
        int64_t size;
        const float *logit = last_row(v, &size);
        right += likeliest(logit, size) == c->greedy[i];
        if (!c->decoded.at && i + 1 == c->greedy_len) break;
        if (!run_step(v, &c->greedy[i], 1, false)) return false;
        logit = last_row(v, &size);
        if (c->decoded.at && size != c->decoded.size) return fail(v, "decode_logits: the vocabularies differ");
        for (int64_t k = 0; c->decoded.at && k < size; k++)
            compare(&x, (double)logit[k], (double)c->decoded.at[i * size + k]);
    }
    if (c->decoded.at) put_difference(v, "decoding", x);
    text_format(&v->out, "  %-12s %10u of %-10u %s\n", "greedy", right, c->greedy_len,
                right == c->greedy_len ? "ok" : "differ");
    v->ok = v->ok && right == c->greedy_len;
    return true;
}

static bool check_case(verifying *v, const expected_case *c, uint32_t number) {
    if (v->want.cases > 1) text_format(&v->out, "case %u: %s\n", number, COUNTED(c->prompt_len, "token"));
    if (!stepper_restart(&v->s)) return fail(v, "%s", v->s.why);
    return check_prompt(v, c) && (!c->greedy_len || check_greedy(v, c));
}

// --- The model.

static int64_t most_tokens(const expected *e, bool prompt) {
    int64_t most = 1;
    for (uint32_t i = 0; i < e->cases; i++) {
        int64_t tokens = e->at[i].prompt_len + (prompt ? 0 : e->at[i].greedy_len);
        if (tokens > most) most = tokens;
    }
    return most;
}

// As small as the cases allow: the cache and the batch hold the longest of them.
static bool compile(verifying *v, const char *model, const char *output, const char *folder) {
    static const char *const host[] = {"cpu:host"};
    progress bar = progress_begin(model, output, folder);
    const driver_options o = {.model = model,
                              .activations = "f32", // what a reference computes with
                              .target = host,
                              .targets = 1,
                              .code.level = 2,
                              .run = api_transform,
                              .progress = progress_show,
                              .interrupted = progress_interrupted,
                              .progress_user = &bar,
                              .decoder = {.batch = most_tokens(&v->want, true),
                                          .rows = most_tokens(&v->want, true),
                                          .context = most_tokens(&v->want, false),
                                          .hidden = v->want.at[0].hiddens > 0}};
    bool ok = driver_compile(NULL, &o, output, v->d);
    v->interrupted = progress_end(&bar);
    return ok && v->interrupted == CLI_DONE;
}

static void remove_folder(const char *path, const char *folder) {
    unlink(path);
    rmdir(folder);
}

// `folder` goes with the file in it as soon as that is mapped; NULL: both stay.
static bool check_file(verifying *v, const char *path, const char *folder) {
    int64_t threads = 0;
    cli_int(v->a, "threads", 0, RX_MAX_THREADS, &threads);
    bool ok = stepper_open(&v->s, v->a->mem, path, most_tokens(&v->want, false), (unsigned)threads) ||
              fail(v, "%s: %s", path, v->s.why);
    if (folder) remove_folder(path, folder);
    for (uint32_t i = 0; ok && i < v->want.cases; i++) ok = check_case(v, &v->want.at[i], i + 1);
    stepper_close(&v->s);
    return ok;
}

// A checkpoint is compiled into a folder of its own, which goes again.
static bool check_model(verifying *v, const char *model) {
    char *folder = arena_format(v->a->mem, "%s/relax-XXXXXX", folder_for_temporaries());
    if (text_ends(model, ".rlx")) return check_file(v, model, NULL);
    if (!mkdtemp(folder))
        return fail(v, "%s: can't make a temporary folder: %s; TMPDIR names another place", folder, strerror(errno));
    const char *path = arena_format(v->a->mem, "%s/model.rlx", folder);
    if (compile(v, model, path, folder)) return check_file(v, path, folder);
    remove_folder(path, folder);
    return false;
}

static int run(const cli_args *a) {
    verifying v = {.a = a, .d = diag_new(a->mem), .out = TEXT_IN(a->mem), .ok = true};
    const char *path = cli_value(a, "expected");
    int64_t threads;
    if (!cli_tolerance(a, "tolerance", &v.tolerance) || !cli_int(a, "threads", 0, RX_MAX_THREADS, &threads))
        return CLI_USAGE;
    if (!path) return cli_usage(a, "--expected FILE is missing: what the model should say");
    if (expected_read(path, a->mem, &v.want, v.d)) check_model(&v, a->positional[0]);
    if (v.interrupted) return v.interrupted;
    int printed = cli_print(&v.out), code = cli_report(v.d);
    if (code != CLI_DONE || printed != CLI_DONE) return CLI_WRONG;
    return v.ok ? CLI_DONE : cli_error("%s differs from %s", a->positional[0], path);
}

static const cli_option options[] = {
    {.name = "expected",
     .value = "FILE",
     .doc =
         ".safetensors: input_ids, prefill_logits, hidden.N, decode_tokens, decode_logits; .json: ids, top10, greedy"},
    {.name = "tolerance",
     .value = "X",
     .preset = "1e-4",
     .doc = "how far numbers may be apart, as a part of the largest expected one (of 1, if that is less)"},
    CLI_THREADS,
    {0}};

const cli_verb verb_verify_model = {
    .name = "verify-model",
    .summary = "compares a model with what a reference implementation says",
    .usage = "MODEL --expected FILE [options]",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "MODEL is a checkpoint (as for `relax compile`) or an .rlx made of one. The prompt is run at once, the\n"
        "expected continuation token by token. Prints the largest difference after the embedding, after each\n"
        "block and of the logits, and how many greedy tokens are the same. Exit code 1 outside the tolerance.\n"
        "A checkpoint is compiled with --activations f32 for this. An .rlx that was made without that option rounds\n"
        "activations to int8 and is apart by what that costs: give a --tolerance for it.",
    .examples = "  relax verify-model tiny/llama --expected tiny/llama/expected.safetensors\n"
                "  relax verify-model SmolLM2-135M-Instruct.Q4_1.gguf --expected smollm2_q4_1_f32.json\n",
    .run = run,
};
