// t_llm_session.c - sequences in one cache: batched, in chunks, forked, cut, refused; against each run on its own.
#define _POSIX_C_SOURCE 200809L
#include "driver/driver.h"
#include "llm/session.h"
#include "support/heap.h"
#include "test.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VOCABULARY = 262, CONTEXT = 128, MOST = 47 };

// A small random model, compiled by this process: batches of at most 8 tokens, pages of 4.
typedef struct fixture {
    char folder[64], model[100];
    rx_llm *llm;
} fixture;

static int compile(fixture *f, const char *file) {
    static const char *const target = "cpu:host";
    const driver_options o = {
        .model = file, .target = &target, .targets = 1, .code = {.level = 1}, .decoder = {.batch = 8, .page = 4}};
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    bool ok = driver_compile(NULL, &o, f->model, d);
    if (!ok) fail_msg("the model does not compile");
    arena_free(mem);
    return 0;
}

static int setup(void **state) {
    static fixture f;
    char command[400], file[100], message[RX_MESSAGE];
    strcpy(f.folder, "/tmp/relax-session-XXXXXX");
    assert_non_null(mkdtemp(f.folder));
    snprintf(file, sizeof file, "%s/tiny.gguf", f.folder);
    snprintf(f.model, sizeof f.model, "%s/tiny.rlx", f.folder);
    const char *src = getenv("SRC");
    snprintf(command, sizeof command, "python3 '%s/tests/data/llm/make_tiny.py' %s", src ? src : "..", file);
    assert_int_equal(system(command), 0);
    compile(&f, file);
    unlink(file);
    if (rx_llm_load(f.model, &f.llm, message) != RX_OK) fail_msg("%s", message);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    rx_llm_release(f->llm);
    unlink(f->model);
    return rmdir(f->folder);
}

static rx_llm_session *open_session(void **state, uint64_t cache) {
    const fixture *f = *state;
    char message[RX_MESSAGE];
    rx_llm_session *s;
    const rx_llm_options o = {.struct_size = sizeof o, .threads = 2, .cache_tokens = cache};
    if (rx_llm_session_new(f->llm, &o, &s, message) != RX_OK) fail_msg("%s", message);
    return s;
}

static rx_llm_sequence *new_sequence(rx_llm_session *s) {
    rx_llm_sequence *q;
    assert_int_equal(rx_llm_sequence_new(s, &q), RX_OK);
    return q;
}

static const float *run_one(rx_llm_sequence *q, const uint32_t *token, size_t count, size_t logits) {
    const float *out;
    const rx_llm_input in = {q, token, count, logits};
    if (rx_llm_run(q->session, &in, 1, &out) != RX_OK) fail_msg("%s", rx_llm_session_message(q->session));
    return out;
}

// Logits after each of the tokens, from a sequence that takes them one by one.
static void reference(void **state, const uint32_t *token, size_t count, float *out) {
    rx_llm_session *s = open_session(state, 0);
    rx_llm_sequence *q = new_sequence(s);
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * VOCABULARY, run_one(q, token + i, 1, 1), VOCABULARY * sizeof *out);
    rx_llm_sequence_free(q);
    rx_llm_session_release(s);
}

static void want_close(const float *got, const float *wanted, size_t rows) {
    for (size_t i = 0; i < rows * VOCABULARY; i++)
        if (!(fabsf(got[i] - wanted[i]) <= 1e-4f)) fail_msg("logit %zu is %g, want %g", i, got[i], wanted[i]);
}

static void fill(uint32_t *token, size_t count, uint32_t seed) {
    for (size_t i = 0; i < count; i++) token[i] = (seed * 31 + (uint32_t)i * 17) % VOCABULARY;
}

// --- Tests.

static void chunks_change_nothing(void **state) {
    rx_llm_session *s = open_session(state, 0);
    uint32_t token[MOST];
    static float wanted[MOST * VOCABULARY];
    fill(token, MOST, 1);
    reference(state, token, MOST, wanted);
    for (size_t logits = 0; logits <= MOST; logits += logits < 32 ? 16 : 15) {
        rx_llm_sequence *q = new_sequence(s);
        const float *got = run_one(q, token, MOST, logits);
        want_close(got, wanted + (MOST - logits) * VOCABULARY, logits);
        rx_llm_sequence_free(q);
    }
    assert_int_equal(rx_llm_session_free_tokens(s), CONTEXT);
    rx_llm_session_release(s);
}

static void batches_keep_sequences_apart(void **state) {
    enum { SEQUENCES = 5 };
    rx_llm_session *s = open_session(state, 256);
    static float wanted[SEQUENCES][MOST * VOCABULARY];
    uint32_t token[SEQUENCES][MOST];
    rx_llm_input in[SEQUENCES];
    size_t length[SEQUENCES] = {3, 9, 1, 17, 8}, row = 0;
    for (size_t i = 0; i < SEQUENCES; i++) {
        fill(token[i], MOST, (uint32_t)i + 2);
        reference(state, token[i], 20, wanted[i]);
        in[i] = (rx_llm_input){new_sequence(s), token[i], length[i], 1};
    }
    for (int round = 0; round < 3; round++) { // prompts of any length, then steps
        const float *got;
        if (rx_llm_run(s, in, SEQUENCES, &got) != RX_OK) fail_msg("%s", rx_llm_session_message(s));
        for (size_t i = row = 0; i < SEQUENCES; i++, row++) {
            want_close(got + row * VOCABULARY, wanted[i] + (length[i] - 1) * VOCABULARY, 1);
            in[i] = (rx_llm_input){in[i].sequence, token[i] + length[i], 1, 1};
            length[i]++;
        }
    }
    for (size_t i = 0; i < SEQUENCES; i++) rx_llm_sequence_free(in[i].sequence);
    assert_int_equal(rx_llm_session_free_tokens(s), 256);
    rx_llm_session_release(s);
}

static void forks_and_cuts(void **state) {
    rx_llm_session *s = open_session(state, 64);
    static float one[MOST * VOCABULARY], two[MOST * VOCABULARY];
    uint32_t a[MOST], b[MOST];
    const float *got;
    size_t length;
    fill(a, MOST, 9);
    memcpy(b, a, sizeof b);
    for (int i = 10; i < 20; i++) b[i] = (uint32_t)i;
    reference(state, a, 20, one);
    reference(state, b, 20, two);
    rx_llm_sequence *q = new_sequence(s), *fork;
    run_one(q, a, 10, 0); // ten of pages of four: the third is shared by both and half full
    assert_int_equal(rx_llm_sequence_fork(q, &fork), RX_OK);
    assert_int_equal(rx_llm_session_free_tokens(s), 64 - 12);
    const rx_llm_input both[] = {{q, a + 10, 5, 1}, {fork, b + 10, 5, 1}};
    assert_int_equal(rx_llm_run(s, both, 2, &got), RX_OK);
    want_close(got, one + 14 * VOCABULARY, 1);
    want_close(got + VOCABULARY, two + 14 * VOCABULARY, 1);
    want_close(run_one(q, a + 15, 5, 5), one + 15 * VOCABULARY, 5);
    // Back to before they parted, and on as the other.
    rx_llm_sequence_cut(q, 9);
    assert_memory_equal(rx_llm_sequence_tokens(q, &length), a, 9 * sizeof *a);
    assert_int_equal(length, 9);
    want_close(run_one(q, b + 9, 11, 1), two + 19 * VOCABULARY, 1);
    want_close(run_one(fork, b + 15, 5, 1), two + 19 * VOCABULARY, 1);
    rx_llm_sequence_free(q);
    rx_llm_sequence_free(fork);
    rx_llm_session_release(s);
}

static void refuse(rx_llm_session *s, const rx_llm_input *in, size_t count, rx_status status, const char *message) {
    const float *got;
    assert_int_equal(rx_llm_run(s, in, count, &got), status);
    assert_null(got);
    assert_string_equal(rx_llm_session_message(s), message);
}

static void refuses_and_stays_as_it_was(void **state) {
    rx_llm_session *s = open_session(state, 32), *other = open_session(state, 8);
    rx_llm_sequence *q = new_sequence(s), *p = new_sequence(s), *foreign = new_sequence(other);
    uint32_t token[CONTEXT + 1];
    fill(token, CONTEXT + 1, 4);
    run_one(q, token, 20, 1);
    refuse(s, (rx_llm_input[]){{q, token, 0, 0}}, 1, RX_INVALID_ARGUMENT, "there are no tokens to take in");
    refuse(s, (rx_llm_input[]){{q, token, 1, 2}}, 1, RX_INVALID_ARGUMENT, "logits of 2 tokens are wanted, 1 are given");
    refuse(s, (rx_llm_input[]){{q, (uint32_t[]){VOCABULARY}, 1, 1}}, 1, RX_INVALID_ARGUMENT,
           "there is no token 262: the model has 262, from 0");
    refuse(s, (rx_llm_input[]){{foreign, token, 1, 1}}, 1, RX_INVALID_ARGUMENT,
           "a sequence belongs to another session");
    refuse(s, (rx_llm_input[]){{q, token, 1, 1}, {q, token, 1, 1}}, 2, RX_INVALID_ARGUMENT, "a sequence comes twice");
    refuse(s, NULL, 0, RX_INVALID_ARGUMENT, "there are no sequences to run");
    refuse(s, (rx_llm_input[]){{q, token, CONTEXT - 19, 1}}, 1, RX_INVALID_ARGUMENT,
           "after 20 tokens 109 tokens are more than the context of 32 holds (the session's cache is smaller than the "
           "model's context)");
    refuse(s, (rx_llm_input[]){{p, token, 9, 1}, {q, token, 1, 1}}, 2, RX_OUT_OF_MEMORY,
           "the cache is full: of its 32 tokens 0 are free, 4 more are needed");
    assert_int_equal(rx_llm_session_free_tokens(s), 12);
    run_one(p, token, 8, 1);
    run_one(q, token + 20, 4, 1);
    rx_llm_sequence_free(q), rx_llm_sequence_free(p), rx_llm_sequence_free(foreign);
    rx_llm_session_release(s);
    rx_llm_session_release(other);
}

// --- Generation.

typedef struct heard {
    char text[400];
    size_t size;
    int pieces, tokens, most;
} heard;

static int hear(void *user, const char *piece, size_t size) {
    heard *h = user;
    assert_true(h->size + size < sizeof h->text);
    memcpy(h->text + h->size, piece, size);
    h->size += size;
    h->text[h->size] = 0;
    return ++h->pieces == h->most;
}

static int count_token(void *user, rx_llm_choice chosen, const rx_llm_choice *top, uint32_t tops) {
    assert_true(chosen.logprob <= 0 && tops == 2 && top[0].logprob >= top[1].logprob);
    assert_int_equal(chosen.token, top[0].token);
    return ((heard *)user)->tokens++, 0;
}

static rx_llm_result generate(rx_llm_sequence *q, const char *prompt, rx_llm_request ask) {
    uint32_t *token;
    char message[RX_MESSAGE];
    rx_llm_result r = {.struct_size = sizeof r};
    assert_int_equal(
        rx_llm_tokenize(q->session->model, prompt, strlen(prompt), RX_LLM_SPECIAL, &token, &ask.prompt_count, message),
        RX_OK);
    ask.struct_size = sizeof ask;
    ask.prompt = token;
    if (rx_llm_generate(q, &ask, &r) != RX_OK) fail_msg("%s", rx_llm_session_message(q->session));
    free(token);
    return r;
}

static void generates(void **state) {
    rx_llm_session *s = open_session(state, 0);
    rx_llm_sequence *q = new_sequence(s);
    heard all = {0}, some = {0}, cut = {.most = 2};
    size_t length;
    rx_llm_request ask = {
        .max_tokens = 30, .ignore_end = 1, .text = hear, .token = count_token, .tops = 2, .user = &all};
    rx_llm_result r = generate(q, "hello", ask);
    assert_int_equal(r.finish, RX_LLM_LENGTH);
    assert_int_equal(r.tokens, 30);
    assert_int_equal(all.tokens, 30);
    assert_int_equal(r.prompt_tokens, 1);
    rx_llm_sequence_tokens(q, &length);
    assert_int_equal(length, 30); // the last one isn't taken in
    // Four bytes from the middle of that answer as stop string.
    char stop[5] = "";
    memcpy(stop, all.text + 8, 4);
    const char *const stops[] = {stop};
    rx_llm_sequence_cut(q, 0);
    ask.user = &some, ask.stop = stops, ask.stops = 1;
    r = generate(q, "hello", ask);
    assert_int_equal(r.finish, RX_LLM_STOP);
    assert_ptr_equal(strstr(all.text, stop), all.text + some.size);
    assert_memory_equal(all.text, some.text, some.size);
    rx_llm_sequence_cut(q, 0);
    ask.user = &cut, ask.stops = 0;
    assert_int_equal(generate(q, "hello", ask).finish, RX_LLM_CALLER);
    rx_llm_sequence_free(q);
    rx_llm_session_release(s);
}

static void refuses_requests(void **state) {
    rx_llm_session *s = open_session(state, 0);
    rx_llm_sequence *q = new_sequence(s);
    const uint32_t token = 1;
    rx_llm_request ask = {.struct_size = sizeof ask, .prompt = &token, .max_tokens = 1};
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_INVALID_ARGUMENT);
    assert_string_equal(rx_llm_session_message(s), "the prompt is empty");
    ask.prompt_count = 1, ask.max_tokens = 0;
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_INVALID_ARGUMENT);
    assert_string_equal(rx_llm_session_message(s), "max_tokens is 0; want at least 1");
    ask.max_tokens = 1, ask.tops = RX_LLM_MAX_TOPS + 1;
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_INVALID_ARGUMENT);
    ask.tops = 0;
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_OK);
    assert_string_equal(rx_llm_session_message(s), "");
    rx_llm_sequence_free(q);
    rx_llm_session_release(s);
}

static void knows_its_texts(void **state) {
    const fixture *f = *state;
    char *spelled, message[RX_MESSAGE];
    size_t size, count;
    uint32_t *token;
    rx_llm_info info = {.struct_size = sizeof info};
    rx_llm_get_info(f->llm, &info);
    assert_string_equal(info.name, "Tiny");
    assert_string_equal(info.architecture, "llama");
    assert_true(info.vocabulary == VOCABULARY && info.context == CONTEXT && info.batch == 8 && info.layers == 2);
    assert_true(info.page_tokens == 4 && info.page_bytes == 2 * 2 * 4 * 2 * 8 * 4 && info.has_template);
    assert_true(info.weight_bytes > 100000 && info.activation_bytes > 1000);
    static const char messages[] = "[{\"role\": \"user\", \"content\": \"hello\"}]";
    assert_int_equal(rx_llm_apply_template(f->llm, messages, strlen(messages), &spelled, &size, message), RX_OK);
    assert_string_equal(spelled, "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n");
    assert_int_equal(rx_llm_tokenize(f->llm, spelled, size, RX_LLM_SPECIAL, &token, &count, message), RX_OK);
    free(spelled);
    assert_int_equal(token[0], 260);
    assert_int_equal(token[6], 259);
    assert_true(rx_llm_is_end(f->llm, 261) && !rx_llm_is_end(f->llm, 260));
    assert_int_equal(rx_llm_detokenize(f->llm, token, count, 0, &spelled, &size, message), RX_OK);
    assert_string_equal(spelled, "user\nhello\nassistant\n");
    free(spelled);
    free(token);
    assert_int_equal(rx_llm_apply_template(f->llm, "[1", 2, &spelled, &size, message), RX_INVALID_ARGUMENT);
    rx_llm *same = rx_llm_retain(f->llm);
    rx_llm_release(same);
}

// --- Misuse: pointers left out, and calls from within a generation.

static void refuses_nulls_of_the_model(void **state) {
    const fixture *f = *state;
    char *spelled = NULL, message[RX_MESSAGE];
    uint32_t *token = NULL;
    size_t size = 0;
    rx_llm *m;
    rx_llm_memory plan = {.struct_size = sizeof plan};
    rx_llm_session *s;
    assert_int_equal(rx_llm_load(NULL, &m, message), RX_INVALID_ARGUMENT);
    assert_null(m);
    assert_int_equal(rx_llm_load(f->model, NULL, message), RX_INVALID_ARGUMENT);
    assert_string_equal(message, "the place of the model is NULL");
    assert_null(rx_llm_retain(NULL));
    rx_llm_release(NULL);
    assert_int_equal(rx_llm_get_info(NULL, NULL), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_get_info(f->llm, &(rx_llm_info){.struct_size = 12}), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_plan(f->llm, NULL, &(rx_llm_memory){0}, message), RX_INVALID_ARGUMENT);
    assert_non_null(strstr(message, "sizeof(rx_llm_memory)"));
    assert_int_equal(rx_llm_plan(f->llm, &(rx_llm_options){0}, NULL, message), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_session_new(f->llm, &(rx_llm_options){0}, &s, message), RX_INVALID_ARGUMENT);
    assert_non_null(strstr(message, "struct_size is 0; set it to sizeof(rx_llm_options)"));
    assert_int_equal(rx_llm_is_end(NULL, 1), 0);
    assert_int_equal(rx_llm_tokenize(NULL, "a", 1, 0, &token, &size, message), RX_INVALID_ARGUMENT);
    assert_string_equal(message, "the model is NULL");
    assert_int_equal(rx_llm_tokenize(f->llm, NULL, 1, 0, &token, &size, message), RX_INVALID_ARGUMENT);
    assert_string_equal(message, "the text is NULL");
    assert_int_equal(rx_llm_tokenize(f->llm, "a", 1, 0, NULL, &size, message), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_tokenize(f->llm, "a", 1, 0, &token, NULL, NULL), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_detokenize(NULL, NULL, 0, 0, &spelled, &size, message), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_detokenize(f->llm, NULL, 1, 0, &spelled, &size, message), RX_INVALID_ARGUMENT);
    assert_string_equal(message, "the list of tokens is NULL");
    assert_int_equal(rx_llm_detokenize(f->llm, NULL, 0, 0, NULL, NULL, message), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_apply_template(NULL, "[]", 2, &spelled, &size, message), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_apply_template(f->llm, NULL, 2, &spelled, &size, message), RX_INVALID_ARGUMENT);
    assert_string_equal(message, "the conversation is NULL");
    assert_int_equal(rx_llm_apply_template(f->llm, "[]", 2, NULL, &size, message), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_plan(NULL, NULL, &plan, message), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_plan(f->llm, NULL, NULL, message), RX_OK);
    assert_int_equal(rx_llm_session_new(NULL, NULL, &s, message), RX_INVALID_ARGUMENT);
    assert_null(s);
    assert_int_equal(rx_llm_session_new(f->llm, NULL, NULL, message), RX_INVALID_ARGUMENT);
}

static void refuses_nulls_of_a_session(void **state) {
    rx_llm_session *s = open_session(state, 0);
    rx_llm_sequence *q = new_sequence(s), *other;
    const uint32_t token = 1;
    const float *logits;
    size_t count = 7;
    rx_llm_session_release(NULL);
    assert_string_equal(rx_llm_session_message(NULL), "");
    rx_llm_session_cancel(NULL);
    assert_int_equal(rx_llm_session_free_tokens(NULL), 0);
    assert_int_equal(rx_llm_session_threads(NULL), 0);
    assert_int_equal(rx_llm_sequence_new(NULL, &other), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_sequence_new(s, NULL), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_sequence_fork(NULL, &other), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_sequence_fork(q, NULL), RX_INVALID_ARGUMENT);
    rx_llm_sequence_free(NULL);
    rx_llm_sequence_cut(NULL, 0);
    assert_null(rx_llm_sequence_tokens(NULL, &count));
    assert_int_equal(count, 0);
    rx_llm_sequence_tokens(q, NULL);
    const rx_llm_input in[] = {{q, &token, 1, 1}, {NULL, &token, 1, 1}, {q, NULL, 1, 1}};
    assert_int_equal(rx_llm_run(NULL, in, 1, &logits), RX_INVALID_ARGUMENT);
    refuse(s, NULL, 1, RX_INVALID_ARGUMENT, "the list of inputs is NULL");
    refuse(s, in + 1, 1, RX_INVALID_ARGUMENT, "an input's sequence is NULL");
    refuse(s, in + 2, 1, RX_INVALID_ARGUMENT, "an input's list of tokens is NULL");
    assert_int_equal(rx_llm_run(s, in, 1, NULL), RX_INVALID_ARGUMENT);
    assert_string_equal(rx_llm_session_message(s), "the place of the logits is NULL");
    rx_llm_request ask = {.struct_size = sizeof ask, .prompt_count = 1, .max_tokens = 1};
    assert_int_equal(rx_llm_generate(NULL, &ask, NULL), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_generate(q, NULL, NULL), RX_INVALID_ARGUMENT);
    assert_string_equal(rx_llm_session_message(s), "the request is NULL");
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_INVALID_ARGUMENT);
    assert_string_equal(rx_llm_session_message(s), "the prompt is NULL");
    // Sizes that no version of a struct has, whoever reads or fills it.
    ask.prompt = &token;
    ask.struct_size = offsetof(rx_llm_request, prompt) + 4;
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_INVALID_ARGUMENT);
    assert_non_null(strstr(rx_llm_session_message(s), "struct_size is 12; set it to sizeof(rx_llm_request)"));
    ask.struct_size = sizeof ask, ask.sampling = &(rx_llm_sampling){.struct_size = 3};
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_INVALID_ARGUMENT);
    assert_non_null(strstr(rx_llm_session_message(s), "sizeof(rx_llm_sampling)"));
    ask.sampling = NULL;
    assert_int_equal(rx_llm_generate(q, &ask, &(rx_llm_result){0}), RX_INVALID_ARGUMENT);
    assert_non_null(strstr(rx_llm_session_message(s), "sizeof(rx_llm_result)"));
    ask.stops = 1;
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_INVALID_ARGUMENT);
    assert_string_equal(rx_llm_session_message(s), "the list of stop strings is NULL");
    // More tokens than fit are refused before the list, which is shorter, is read.
    ask.stops = 0, ask.prompt_count = SIZE_MAX / 8;
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_INVALID_ARGUMENT);
    assert_int_equal(run_one(q, &token, 1, 1) != NULL, 1);
    rx_llm_sequence_free(q);
    rx_llm_session_release(s);
}

typedef struct meddler {
    rx_llm_sequence *sequence;
    int heard;
} meddler;

// Whatever a function of a request calls on its own sequence is refused or waits until the generation ends.
static int meddle(void *user, const char *piece, size_t size) {
    meddler *m = user;
    const uint32_t token = 1;
    const float *logits;
    (void)piece, (void)size;
    if (m->heard++) return 0;
    const rx_llm_input in = {m->sequence, &token, 1, 1};
    const rx_llm_request ask = {.struct_size = sizeof ask, .prompt = &token, .prompt_count = 1, .max_tokens = 1};
    assert_int_equal(rx_llm_generate(m->sequence, &ask, NULL), RX_INVALID_ARGUMENT);
    assert_string_equal(rx_llm_session_message(m->sequence->session), "the sequence is being generated already");
    assert_int_equal(rx_llm_run(m->sequence->session, &in, 1, &logits), RX_INVALID_ARGUMENT);
    rx_llm_sequence_cut(m->sequence, 0);
    rx_llm_sequence_free(m->sequence);
    rx_llm_sequence_free(m->sequence);
    rx_llm_session_release(m->sequence->session);
    return 0;
}

static void calls_from_within_wait(void **state) {
    rx_llm_session *s = open_session(state, 0);
    meddler m = {.sequence = new_sequence(s)};
    heard all = {0};
    rx_llm_sequence *q = new_sequence(s);
    rx_llm_request ask = {.max_tokens = 20, .ignore_end = 1, .text = hear, .user = &all};
    generate(q, "hello", ask);
    rx_llm_sequence_free(q);
    ask.text = meddle, ask.user = &m;
    // The sequence and, with its last one, the session are gone after this: leak and use checks see the rest.
    const rx_llm_result r = generate(m.sequence, "hello", ask);
    assert_int_equal(r.tokens, 20);
    assert_true(m.heard > 1);
}

// --- Threads.

typedef struct worker {
    void **state;
    const float *wanted;
    uint32_t seed;
} worker;

static void *work(void *user) {
    const worker *w = user;
    uint32_t token[MOST];
    fill(token, MOST, w->seed);
    for (int i = 0; i < 3; i++) {
        rx_llm_session *s = open_session(w->state, 0);
        rx_llm_sequence *q = new_sequence(s);
        want_close(run_one(q, token, 20, 20), w->wanted, 20);
        rx_llm_sequence_free(q);
        rx_llm_session_release(s);
    }
    return NULL;
}

static void threads_share_a_model(void **state) {
    enum { THREADS = 3 };
    static float wanted[THREADS][MOST * VOCABULARY];
    worker w[THREADS];
    pthread_t thread[THREADS];
    uint32_t token[MOST];
    for (uint32_t i = 0; i < THREADS; i++) {
        fill(token, MOST, i + 20);
        reference(state, token, 20, wanted[i]);
        w[i] = (worker){state, wanted[i], i + 20};
    }
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, work, &w[i]), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
}

typedef struct canceller {
    rx_llm_session *session;
    int done; // atomic
} canceller;

static void *cancel(void *user) {
    canceller *c = user;
    while (!__atomic_load_n(&c->done, __ATOMIC_ACQUIRE)) rx_llm_session_cancel(c->session);
    return NULL;
}

static void cancelled_calls_change_nothing(void **state) {
    rx_llm_session *s = open_session(state, 0);
    rx_llm_sequence *q = new_sequence(s);
    canceller c = {.session = s};
    pthread_t thread;
    uint32_t token[MOST];
    const float *got;
    size_t length;
    rx_status status = RX_OK;
    fill(token, MOST, 5);
    const rx_llm_input in = {q, token, MOST, 1};
    assert_int_equal(pthread_create(&thread, NULL, cancel, &c), 0);
    for (int i = 0; i < 1000 && status == RX_OK; i++) {
        rx_llm_sequence_cut(q, 0);
        status = rx_llm_run(s, &in, 1, &got);
    }
    __atomic_store_n(&c.done, 1, __ATOMIC_RELEASE);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(status, RX_CANCELLED);
    rx_llm_sequence_tokens(q, &length);
    assert_int_equal(length, 0);
    assert_int_equal(rx_llm_session_free_tokens(s), CONTEXT);
    rx_llm_sequence_free(q);
    rx_llm_session_release(s);
}

// Also one that comes while no kernel runs.
static int cancel_at_third(void *user, const char *piece, size_t size) {
    canceller *c = user;
    (void)piece, (void)size;
    if (++c->done == 3) rx_llm_session_cancel(c->session);
    return 0;
}

static void cancelled_generation_stops(void **state) {
    rx_llm_session *s = open_session(state, 0);
    rx_llm_sequence *q = new_sequence(s);
    canceller c = {.session = s};
    const uint32_t token = 40;
    size_t length;
    rx_llm_request ask = {.struct_size = sizeof ask,
                          .prompt = &token,
                          .prompt_count = 1,
                          .max_tokens = 100,
                          .ignore_end = 1,
                          .text = cancel_at_third,
                          .user = &c};
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_CANCELLED);
    assert_string_equal(rx_llm_session_message(s), "cancelled");
    assert_int_equal(c.done, 3);
    rx_llm_sequence_tokens(q, &length);
    assert_int_equal(length, 0);
    ask.max_tokens = 2; // the next call knows nothing of it
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_OK);
    rx_llm_sequence_free(q);
    rx_llm_session_release(s);
}

// --- Progress of a prompt.

typedef struct watcher {
    rx_llm_sequence *sequence;
    uint64_t taken[8];
    int calls, most; // the call that stops; 0: none
} watcher;

// Nothing can be run on the session meanwhile.
static int watch(void *user, uint64_t taken, uint64_t count) {
    watcher *w = user;
    const uint32_t token = 1;
    const float *logits;
    rx_llm_sequence *other = new_sequence(w->sequence->session);
    const rx_llm_input in = {other, &token, 1, 1};
    const rx_llm_request ask = {.struct_size = sizeof ask, .prompt = &token, .prompt_count = 1, .max_tokens = 1};
    assert_int_equal(count, 20);
    assert_int_equal(rx_llm_run(other->session, &in, 1, &logits), RX_INVALID_ARGUMENT);
    assert_int_equal(rx_llm_generate(other, &ask, NULL), RX_INVALID_ARGUMENT);
    assert_non_null(strstr(rx_llm_session_message(other->session), "told of its progress"));
    rx_llm_sequence_free(other);
    w->taken[w->calls] = taken;
    return ++w->calls == w->most;
}

// Batches have 8 tokens. A caller that was compiled before `progress` was added isn't called.
static void tells_progress_of_a_prompt(void **state) {
    static const uint64_t wanted[] = {0, 8, 16, 20};
    rx_llm_session *s = open_session(state, 0);
    rx_llm_sequence *q = new_sequence(s);
    uint32_t token[20];
    size_t length;
    watcher all = {.sequence = q}, some = {.sequence = q, .most = 2}, none = {.sequence = q};
    fill(token, 20, 5);
    rx_llm_request ask = {.struct_size = sizeof ask, .prompt = token, .prompt_count = 20, .max_tokens = 3};
    ask.ignore_end = 1, ask.progress = watch, ask.user = &some;
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_CANCELLED);
    assert_non_null(strstr(rx_llm_session_message(s), "stopped while the prompt was taken in"));
    rx_llm_sequence_tokens(q, &length);
    assert_int_equal(length, 0);
    assert_int_equal(some.calls, 2);
    ask.user = &all;
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_OK);
    assert_int_equal(all.calls, 4);
    assert_memory_equal(all.taken, wanted, sizeof wanted);
    ask.struct_size = offsetof(rx_llm_request, progress), ask.user = &none;
    assert_int_equal(rx_llm_generate(q, &ask, NULL), RX_OK);
    assert_int_equal(none.calls, 0);
    rx_llm_sequence_free(q);
    rx_llm_session_release(s);
}

// Of one sequence as of several at once: all that a step needs is there from the first ones on, but where a page of the
// cache begins, lists and the table of pages may grow.
static void steps_allocate_nothing(void **state) {
    enum { SEQUENCES = 3, PAGE = 4, STEPS = 24 };
    rx_llm_session *s = open_session(state, 256);
    rx_llm_input in[SEQUENCES];
    uint32_t token[STEPS];
    fill(token, STEPS, 3);
    for (size_t i = 0; i < SEQUENCES; i++) in[i] = (rx_llm_input){new_sequence(s), NULL, 1, 1};
    heap.armed = true;
    for (int step = 0; step < STEPS; step++) {
        const float *got;
        unsigned before = heap.calls;
        for (size_t i = 0; i < SEQUENCES; i++) in[i].token = token + step;
        if (rx_llm_run(s, in, SEQUENCES, &got) != RX_OK) fail_msg("%s", rx_llm_session_message(s));
        if (step > PAGE && step % PAGE && heap.calls != before)
            fail_msg("%u allocations in step %d", heap.calls - before, step);
    }
    heap.armed = false;
    assert_true(heap.calls > 0);
    for (size_t i = 0; i < SEQUENCES; i++) rx_llm_sequence_free(in[i].sequence);
    rx_llm_session_release(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_allocate_nothing),
        cmocka_unit_test(chunks_change_nothing),
        cmocka_unit_test(batches_keep_sequences_apart),
        cmocka_unit_test(forks_and_cuts),
        cmocka_unit_test(refuses_and_stays_as_it_was),
        cmocka_unit_test(generates),
        cmocka_unit_test(refuses_requests),
        cmocka_unit_test(knows_its_texts),
        cmocka_unit_test(refuses_nulls_of_the_model),
        cmocka_unit_test(refuses_nulls_of_a_session),
        cmocka_unit_test(calls_from_within_wait),
        cmocka_unit_test(threads_share_a_model),
        cmocka_unit_test(cancelled_calls_change_nothing),
        cmocka_unit_test(cancelled_generation_stops),
        cmocka_unit_test(tells_progress_of_a_prompt),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
