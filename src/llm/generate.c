// generate.c - the loop: logits, a token, its text, the next call.
#include "base/clock.h"
#include "base/versions.h"
#include "llm/sampler.h"
#include "llm/session.h"
#include "llm/stream.h"
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct generation {
    rx_llm_sequence *sequence;
    rx_llm_session *session;
    rx_llm_request ask;
    sampler sampler;
    text_stream stream;
    rx_llm_result result;
    bool done;
} generation;

static const struct_versions result_versions = {"rx_llm_result", {sizeof(rx_llm_result)}};

static rx_status refuse(generation *g, rx_status status, const char *sentence) {
    return why_fail(g->session->message, status, "%s", sentence);
}

// What can be refused is refused before anything is computed.
static rx_status begin(generation *g, const rx_llm_request *r, const rx_llm_result *result) {
    static const struct_versions versions = {"rx_llm_request",
                                             {offsetof(rx_llm_request, progress), sizeof(rx_llm_request)}};
    const rx_llm *m = g->session->model;
    if (!struct_read(&versions, &g->ask, r, g->session->message) ||
        (result && !struct_check(&result_versions, result->struct_size, g->session->message)))
        return RX_INVALID_ARGUMENT;
    if (!g->ask.prompt_count) return refuse(g, RX_INVALID_ARGUMENT, "the prompt is empty");
    if (!g->ask.prompt || (g->ask.stops && !g->ask.stop))
        return llm_missing(g->session->message, g->ask.prompt ? "the list of stop strings" : "the prompt");
    if (!g->ask.max_tokens) return refuse(g, RX_INVALID_ARGUMENT, "max_tokens is 0; want at least 1");
    if (g->ask.tops > RX_LLM_MAX_TOPS || g->ask.tops > m->forward.vocabulary)
        return refuse(g, RX_INVALID_ARGUMENT, "more of the most likely tokens are wanted than can be given");
    if (!m->tokenizer && (g->ask.text || g->ask.stops)) return refuse(g, RX_NOT_FOUND, m->no_tokenizer);
    RX_TRY(sampler_init(&g->sampler, g->ask.sampling, m->forward.vocabulary, g->session->message));
    if (!m->tokenizer) return RX_OK;
    return text_stream_init(&g->stream, m->vocabulary, g->ask.stop, g->ask.stops, g->session->message);
}

// The first reason counts: a token may end the text and be the last one allowed.
static void finish(generation *g, rx_llm_finish why) {
    if (!g->done) g->result.finish = why;
    g->done = true;
}

// A caller ends the loop by answering with anything but 0.
static void give(generation *g, text_span piece) {
    if (piece.size && g->ask.text && g->ask.text(g->ask.user, piece.at, piece.size)) finish(g, RX_LLM_CALLER);
}

static rx_status no_number(const generation *g) {
    return why_fail(g->session->message, RX_BAD_FILE,
                    "the model gives logits that are no finite numbers, at token %" PRIu64
                    " of the answer: its weights hold NaN or infinity, or its numbers are too large for the arithmetic",
                    g->result.tokens);
}

// Log-probabilities are of the model's own logits: before penalties and temperature.
static rx_status report_token(generation *g, const float *logits, uint32_t token) {
    rx_llm_choice top[RX_LLM_MAX_TOPS];
    uint32_t count = g->session->model->forward.vocabulary;
    if (!isfinite(logits[token])) return no_number(g);
    if (!g->ask.token) return RX_OK;
    double log_sum = sampler_log_sum(logits, count);
    if (!isfinite(log_sum)) return no_number(g);
    const rx_llm_choice chosen = {token, (float)(logits[token] - log_sum)};
    sampler_top(logits, count, top, g->ask.tops);
    for (uint32_t i = 0; i < g->ask.tops; i++) top[i].logprob = (float)(top[i].logprob - log_sum);
    if (g->ask.token(g->ask.user, chosen, top, g->ask.tops)) finish(g, RX_LLM_CALLER);
    return RX_OK;
}

// Whether there is a place for one more token.
// Also a page that is shared with a fork needs a free one, for its copy.
static bool has_room(const generation *g) {
    const forward_shape *f = &g->session->model->forward;
    const page_list *l = &g->sequence->list;
    const page_pool *p = &g->session->pool;
    if (l->length >= (size_t)f->most_pages * f->page_tokens) return false;
    return p->spares || (l->length % f->page_tokens && p->users[l->page[l->pages - 1]] == 1);
}

// Chooses the token that follows, gives its text, and says whether that was the last.
static rx_status step(generation *g, const float *logits, uint32_t *token) {
    const page_list *l = &g->sequence->list;
    text_span piece = {0};
    *token = sampler_next(&g->sampler, logits, l->token, l->length);
    g->result.tokens++;
    RX_TRY(report_token(g, logits, *token));
    if (!g->ask.ignore_end && rx_llm_is_end(g->session->model, *token)) return finish(g, RX_LLM_END), RX_OK;
    // Rows of logits past the tokenizer's last token are padding of the table; if one is drawn it has no text.
    if (g->session->model->tokenizer && *token < g->session->model->vocabulary->count) {
        RX_TRY(text_stream_push(&g->stream, *token, &piece, g->session->message));
        give(g, piece);
        if (g->stream.stopped) finish(g, RX_LLM_STOP);
    }
    if (g->result.tokens == g->ask.max_tokens) finish(g, RX_LLM_LENGTH);
    if (!has_room(g)) finish(g, RX_LLM_CONTEXT);
    if (g->ask.interrupted && g->ask.interrupted(g->ask.user)) finish(g, RX_LLM_CALLER);
    return RX_OK;
}

// The prompt's time ends with the first token, as benchmarks count it; the steps begin with the second.
static rx_status run_all(generation *g) {
    const float *logits;
    rx_llm_input in = {g->sequence, g->ask.prompt, g->ask.prompt_count, 1};
    const run_watch watch = {g->ask.progress, g->ask.user};
    uint32_t token = 0;
    double start = clock_seconds();
    RX_TRY(session_run(g->session, &in, 1, &watch, &logits));
    RX_TRY(step(g, logits, &token));
    double first = clock_seconds();
    while (!g->done) {
        in = (rx_llm_input){g->sequence, &token, 1, 1};
        RX_TRY(session_run(g->session, &in, 1, NULL, &logits));
        RX_TRY(step(g, logits, &token));
    }
    g->result.prompt_tokens = g->ask.prompt_count;
    g->result.prompt_seconds = first - start;
    g->result.tokens_seconds = clock_seconds() - first;
    if (!g->session->model->tokenizer) return RX_OK;
    text_span rest;
    RX_TRY(text_stream_finish(&g->stream, &rest, g->session->message));
    give(g, rest);
    if (g->stream.stopped) g->result.finish = RX_LLM_STOP;
    return RX_OK;
}

rx_status rx_llm_generate(rx_llm_sequence *q, const rx_llm_request *request, rx_llm_result *result) {
    if (!q) return RX_INVALID_ARGUMENT;
    if (!request) return llm_missing(q->session->message, "the request");
    if (q->busy) return why_fail(q->session->message, RX_INVALID_ARGUMENT, "the sequence is being generated already");
    generation g = {.sequence = q, .session = q->session};
    size_t length = q->list.length;
    q->session->message[0] = 0;
    __atomic_store_n(&q->session->cancelled, 0, __ATOMIC_RELEASE);
    q->busy = true;
    rx_status status = begin(&g, request, result);
    if (status == RX_OK) status = run_all(&g);
    q->busy = false;
    // As it was before: what was taken in before a failure is forgotten.
    if (status != RX_OK) rx_llm_sequence_cut(q, length);
    if (status == RX_OK && result && !struct_fill(&result_versions, result, &g.result, q->session->message))
        status = RX_INVALID_ARGUMENT;
    sampler_free(&g.sampler);
    text_stream_free(&g.stream);
    if (q->freed) rx_llm_sequence_free(q);
    return status;
}
