// conversation.c - messages to tokens: what the cache holds of them already is not computed again.
#include "cli/conversation.h"
#include "base/clock.h"
#include "base/file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_message(conversation *c, const char *role, const char *content, size_t size) {
    if (c->messages.len) text_put(&c->messages, ", ");
    text_format(&c->messages, "{\"role\": \"%s\", \"content\": ", role);
    cli_json_string(&c->messages, content, size);
    text_put(&c->messages, "}");
}

bool conversation_open(conversation *c, arena *mem, const language *with, const char *system) {
    *c = (conversation){.with = with, .messages = TEXT_IN(mem)};
    if (system) add_message(c, "system", system, strlen(system));
    c->system = c->messages.len;
    return rx_llm_sequence_new(with->session, &c->sequence) == RX_OK;
}

void conversation_close(conversation *c) { rx_llm_sequence_free(c->sequence); }

static void go_back(conversation *c, size_t size) {
    c->messages.len = size;
    if (c->messages.at) c->messages.at[size] = 0;
}

void conversation_reset(conversation *c) {
    go_back(c, c->system);
    rx_llm_sequence_cut(c->sequence, 0);
}

void conversation_answered(conversation *c, const char *answer, size_t size) {
    add_message(c, "assistant", answer, size);
}

// The whole conversation as the model wants to see it, up to where its answer begins.
static rx_status render(conversation *c, uint32_t **tokens, size_t *count, char *why) {
    char *rendered = NULL, *json = NULL;
    size_t size = 0, room = c->messages.len + 3;
    json = malloc(room);
    if (!json) return snprintf(why, RX_MESSAGE, "out of memory"), RX_OUT_OF_MEMORY;
    snprintf(json, room, "[%s]", text_get(&c->messages));
    char inside[RX_MESSAGE] = "";
    rx_status status = rx_llm_apply_template(c->with->model, json, room - 1, &rendered, &size, inside);
    if (status != RX_OK) snprintf(why, RX_MESSAGE, "%.300s: %.700s", c->with->path, inside);
    if (status == RX_OK) status = rx_llm_tokenize(c->with->model, rendered, size, RX_LLM_SPECIAL, tokens, count, why);
    if (status == RX_OK && !*count)
        status = why_fail(why, RX_INVALID_ARGUMENT, "%.300s: the model's chat template makes no text of the messages",
                          c->with->path);
    free(json);
    free(rendered);
    return status;
}

// How many tokens at the beginning the cache holds already; at least one is left to run.
static size_t keep_common(conversation *c, const uint32_t *token, size_t count) {
    size_t held, same = 0;
    const uint32_t *old = rx_llm_sequence_tokens(c->sequence, &held);
    while (same < held && same + 1 < count && old[same] == token[same]) same++;
    rx_llm_sequence_cut(c->sequence, same);
    return same;
}

void conversation_progress(conversation *c, uint64_t taken, uint64_t count) {
    meter_prompt(&c->meter, c->taken + taken, c->taken + count);
}

// Takes in all tokens but the last PIECE at most, piece by piece, so that an interrupt is noticed.
static rx_status take_in(conversation *c, const uint32_t *token, size_t count, char *why) {
    enum { PIECE = 128 };
    const float *logits;
    for (c->taken = 0; count - c->taken > PIECE; c->taken += PIECE) {
        const rx_llm_input in = {c->sequence, token + c->taken, PIECE, 0};
        conversation_progress(c, 0, count - c->taken);
        if (c->interrupted && c->interrupted()) return snprintf(why, RX_MESSAGE, "stopped"), RX_CANCELLED;
        rx_status status = rx_llm_run(c->with->session, &in, 1, &logits);
        if (status != RX_OK) return snprintf(why, RX_MESSAGE, "%s", rx_llm_session_message(c->with->session)), status;
    }
    return RX_OK;
}

// The answer to what `token` says; what the cache holds of it is not taken in again. On failure it holds no more than
// before.
static rx_status answer(conversation *c, const uint32_t *token, size_t count, rx_llm_request *ask,
                        rx_llm_result *result, char *why) {
    size_t same = keep_common(c, token, count);
    c->meter = meter_begin("reading", "the message");
    double start = clock_seconds();
    rx_status status = take_in(c, token + same, count - same, why);
    double seconds = clock_seconds() - start;
    if (status == RX_OK) {
        ask->prompt = token + same + c->taken, ask->prompt_count = count - same - c->taken;
        status = rx_llm_generate(c->sequence, ask, result);
        if (status != RX_OK) snprintf(why, RX_MESSAGE, "%s", rx_llm_session_message(c->with->session));
        result->prompt_tokens += c->taken, result->prompt_seconds += seconds;
    }
    meter_end(&c->meter);
    if (status != RX_OK) rx_llm_sequence_cut(c->sequence, same);
    return status;
}

// `first`: nothing was said before, so forgetting it makes no room.
static rx_status generate(conversation *c, bool first, rx_llm_request *ask, rx_llm_result *result, char *why) {
    uint32_t *tokens = NULL;
    size_t count = 0;
    rx_status status = render(c, &tokens, &count, why);
    if (status == RX_OK && count > c->with->cache_tokens) {
        snprintf(why, RX_MESSAGE, "%s%s",
                 language_too_long(c->messages.mem, c->with, first ? "message" : "conversation", count),
                 first ? "" : "; /reset begins anew");
        status = RX_INVALID_ARGUMENT;
    } else if (status == RX_OK) {
        status = answer(c, tokens, count, ask, result, why);
    }
    free(tokens);
    return status;
}

rx_status conversation_say(conversation *c, const char *message, rx_llm_request *ask, rx_llm_result *result,
                           char *why) {
    size_t before = c->messages.len;
    if (!text_is_utf8(message, strlen(message)))
        return snprintf(why, RX_MESSAGE, "the message is not UTF-8"), RX_INVALID_ARGUMENT;
    add_message(c, "user", message, strlen(message));
    rx_status status = generate(c, before == c->system, ask, result, why);
    if (status != RX_OK) go_back(c, before);
    return status;
}
