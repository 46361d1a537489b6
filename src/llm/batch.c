// batch.c - tokens of several sequences through the compiled function, in as many calls as its bounds ask for.
#include "base/count_noun.h"
#include "llm/session.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Before the first call: what is asked for makes sense, and there are pages for it.

// One sequence against the model's context, and against a cache that is smaller.
static rx_status check_length(rx_llm_session *s, size_t length, size_t count) {
    const forward_shape *f = &s->model->forward;
    size_t context = (size_t)f->most_pages * f->page_tokens, room = (size_t)s->pool.count * f->page_tokens;
    size_t most = room < context ? room : context;
    char held[64] = "";
    // Written so that no sum can overflow.
    if (count <= most && length <= most - count) return RX_OK;
    if (length) snprintf(held, sizeof held, "after %s ", COUNTED(length, "token"));
    return why_fail(s->message, RX_INVALID_ARGUMENT, "%s%s are more than the context of %zu holds (%s)", held,
                    COUNTED(count, "token"), most,
                    room < context ? "the session's cache is smaller than the model's context"
                                   : "give fewer, or compile the model for a longer context");
}

static rx_status check_input(rx_llm_session *s, const rx_llm_input *in) {
    const forward_shape *f = &s->model->forward;
    if (in->sequence->session != s)
        return why_fail(s->message, RX_INVALID_ARGUMENT, "a sequence belongs to another session");
    if (!in->count) return why_fail(s->message, RX_INVALID_ARGUMENT, "there are no tokens to take in");
    if (in->logits > in->count)
        return why_fail(s->message, RX_INVALID_ARGUMENT, "logits of %s are wanted, %zu are given",
                        COUNTED(in->logits, "token"), in->count);
    RX_TRY(check_length(s, in->sequence->list.length, in->count));
    for (size_t i = 0; i < in->count; i++)
        if (in->token[i] >= f->vocabulary)
            return why_fail(s->message, RX_INVALID_ARGUMENT,
                            "there is no token %" PRIu32 ": the model has %" PRIu32 ", from 0", in->token[i],
                            f->vocabulary);
    return RX_OK;
}

// A sequence writes into a page that another one shares: it gets a copy of its own, over all layers.
static void copy_page(rx_llm_session *s, uint32_t from, uint32_t to) {
    size_t bytes = s->model->forward.page_bytes;
    for (uint32_t i = 0; i < 2 * s->model->forward.layers; i++) {
        uint8_t *at = rx_tensor_data(s->cache[i]);
        memcpy(at + to * bytes, at + from * bytes, bytes);
    }
}

static rx_status reserve(rx_llm_session *s, const rx_llm_input *in) {
    uint32_t old, short_of;
    page_list *l = &in->sequence->list;
    // page_list_reserve replaces the last page in the list where it is shared.
    size_t page = s->model->forward.page_tokens, last = l->length / page;
    rx_status status = page_list_reserve(l, &s->pool, in->count, page, &old, &short_of);
    if (old != PAGE_NONE) copy_page(s, old, l->page[last]);
    if (status == RX_OK || !short_of) return status == RX_OK ? status : llm_no_memory(s->message, "sequence");
    return why_fail(s->message, status, "the cache is full: of its %s %zu are free, %zu more are needed",
                    COUNTED(s->pool.count * page, "token"), s->pool.spares * page, short_of * page);
}

// Room for rows that come from several calls, kept; those of one call are read where it put them.
static rx_status make_logits(rx_llm_session *s, size_t rows) {
    size_t row = s->model->forward.vocabulary * sizeof *s->logit;
    if (rows <= s->logits) return RX_OK;
    float *bigger = rows <= SIZE_MAX / row ? realloc(s->logit, rows * row) : NULL;
    if (!bigger) return llm_no_memory(s->message, "logits");
    s->logit = bigger, s->logits = rows;
    return RX_OK;
}

// --- One call.

// Where the inputs have been taken in up to, and the call that is being put together.
typedef struct chunk {
    const rx_llm_input *input;
    size_t inputs, next; // next: the first that is not wholly taken in
    size_t done;         // tokens of it
    size_t given;        // rows of logits so far
    size_t wanted;       // rows in all
    uint64_t taken, all; // tokens of all inputs: that calls have taken in so far, that there are
    uint32_t tokens, sequences, rows, pages;
} chunk;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// Pages of the widest row of the table that a call needs.
static uint32_t pages_for(const rx_llm_session *s, size_t length) {
    size_t page = s->model->forward.page_tokens;
    return (uint32_t)(length / page + (length % page != 0));
}

// Puts as many of the next input's tokens into the call as there is room for. False: none.
// Places in the cache and rows of logits go with each token.
static bool take(rx_llm_session *s, chunk *c) {
    const forward_shape *f = &s->model->forward;
    const rx_llm_input *in = &c->input[c->next];
    const page_list *l = &in->sequence->list;
    int32_t **at = s->batch.at;
    size_t first_row = in->count - in->logits, count = least(in->count - c->done, f->most_tokens - c->tokens);
    size_t rows_left = least(f->most_rows, f->most_tokens) - c->rows;
    if (c->done + count > first_row + rows_left) {
        size_t end = (c->done > first_row ? c->done : first_row) + rows_left; // no more rows fit
        count = least(count, end - c->done);
    }
    if (!count || c->sequences == least(f->most_sequences, f->most_tokens)) return false;
    at[INPUT_STARTS][c->sequences++] = (int32_t)c->tokens;
    for (size_t i = 0; i < count; i++) {
        size_t place = l->length + c->done + i;
        if (c->done + i >= first_row) at[INPUT_ROWS][c->rows++] = (int32_t)c->tokens;
        at[INPUT_TOKENS][c->tokens] = (int32_t)in->token[c->done + i];
        at[INPUT_POSITIONS][c->tokens] = (int32_t)place;
        at[INPUT_SLOTS][c->tokens++] =
            (int32_t)(l->page[place / f->page_tokens] * f->page_tokens + place % f->page_tokens);
    }
    uint32_t pages = pages_for(s, l->length + c->done + count);
    if (pages > c->pages) c->pages = pages;
    c->done += count;
    return true;
}

// Fills the table of pages: sequences first..last of the inputs took part.
static rx_status put_table(rx_llm_session *s, const chunk *c, size_t first) {
    size_t size = (size_t)c->sequences * c->pages;
    if (size > s->batch.room[INPUT_PAGE_TABLE]) {
        int32_t *bigger = realloc(s->batch.at[INPUT_PAGE_TABLE], size * sizeof *bigger);
        if (!bigger) return llm_no_memory(s->message, "page table");
        s->batch.at[INPUT_PAGE_TABLE] = bigger;
        s->batch.room[INPUT_PAGE_TABLE] = size;
    }
    int32_t *row = s->batch.at[INPUT_PAGE_TABLE];
    for (uint32_t i = 0; i < c->sequences; i++, row += c->pages) {
        const page_list *l = &c->input[first + i].sequence->list;
        // Behind a sequence's own pages stands page 0, which its length keeps from being read.
        for (uint32_t k = 0; k < c->pages; k++) row[k] = k < l->pages ? (int32_t)l->page[k] : 0;
    }
    return RX_OK;
}

static bool is_tensor_of(const rx_value *v, const int32_t *data, const int64_t *dim, uint32_t rank) {
    return v && rx_tensor_data(v) == data && memcmp(rx_tensor_dims(v), dim, rank * sizeof *dim) == 0;
}

// Tensors around the arrays, without a copy. Those of the last call are good where their sizes are: nobody keeps the
// arguments of a call, so that their elements may change after it.
static rx_status wrap_inputs(rx_llm_session *s, const chunk *c, uint32_t rows) {
    const int64_t dim[INPUTS][2] = {[INPUT_TOKENS] = {c->tokens},        [INPUT_POSITIONS] = {c->tokens},
                                    [INPUT_STARTS] = {c->sequences + 1}, [INPUT_PAGE_TABLE] = {c->sequences, c->pages},
                                    [INPUT_SLOTS] = {c->tokens},         [INPUT_ROWS] = {rows}};
    for (int i = 0; i < INPUTS; i++) {
        uint32_t rank = i == INPUT_PAGE_TABLE ? 2 : 1;
        if (is_tensor_of(s->args[i], s->batch.at[i], dim[i], rank)) continue;
        rx_value_release(s->args[i]);
        s->args[i] = NULL;
        rx_status status = rx_tensor_wrap("int32", rank, dim[i], s->batch.at[i], NULL, NULL, &s->args[i]);
        if (status != RX_OK) return llm_no_memory(s->message, "inputs");
    }
    return RX_OK;
}

// All rows in one tensor stay there until the next run: a copy of SmolLM2's row took 25 of a step's 3,600 us.
static rx_status keep_logits(rx_llm_session *s, rx_value *logits, chunk *c) {
    size_t row = s->model->forward.vocabulary;
    rx_status status = RX_OK;
    if (c->rows && c->rows == c->wanted) return s->kept = logits, RX_OK;
    if (c->rows) status = make_logits(s, c->wanted);
    if (c->rows && status == RX_OK)
        memcpy(s->logit + c->given * row, rx_tensor_data(logits), c->rows * row * sizeof *s->logit);
    c->given += c->rows;
    rx_value_release(logits);
    return status;
}

// The pages come back as results: the same memory, or the new place of the cache.
static rx_status keep_results(rx_llm_session *s, const rx_value *result, chunk *c) {
    rx_value *logits = NULL, *pages = NULL;
    RX_TRY(rx_value_item(result, 0, &logits));
    RX_TRY(keep_logits(s, logits, c));
    for (uint32_t i = 0; i < 2 * s->model->forward.layers; i++) {
        RX_TRY(rx_value_item(result, 1 + i, &pages));
        rx_value_release(s->cache[i]);
        s->cache[i] = pages;
    }
    return RX_OK;
}

static bool is_cancelled(const rx_llm_session *s) { return __atomic_load_n(&s->cancelled, __ATOMIC_ACQUIRE); }

// The cache is donated: it is among the arguments, and comes back among the results.
static rx_status call(rx_llm_session *s, chunk *c, size_t first) {
    const forward_shape *f = &s->model->forward;
    rx_value *result = NULL;
    uint32_t rows = c->rows, caches = 2 * f->layers;
    s->batch.at[INPUT_STARTS][c->sequences] = (int32_t)c->tokens;
    if (!rows && !f->no_rows) s->batch.at[INPUT_ROWS][rows++] = 0; // one that nobody looks at
    RX_TRY(put_table(s, c, first));
    rx_status status = wrap_inputs(s, c, rows);
    for (uint32_t i = 0; i < caches; i++) s->args[INPUTS + i] = s->cache[i];
    if (status == RX_OK) {
        status = rx_context_call_number(s->context, f->function, s->args, INPUTS + caches, &result);
        // A cancellation that came when nothing ran was for an earlier call.
        if (status == RX_CANCELLED && !is_cancelled(s))
            status = rx_context_call_number(s->context, f->function, s->args, INPUTS + caches, &result);
        if (status != RX_OK) why_fail(s->message, status, "%.900s", rx_context_message(s->context));
    }
    if (status == RX_OK) status = keep_results(s, result, c);
    rx_value_release(result);
    return status;
}

static rx_status report(rx_llm_session *s, const chunk *c, const run_watch *watch) {
    if (!watch || !watch->progress || !watch->progress(watch->user, c->taken, c->all)) return RX_OK;
    return why_fail(s->message, RX_CANCELLED, "stopped while the prompt was taken in");
}

// Inputs that were partly taken in stand last in a call; the next call begins with their rest.
static rx_status run_chunks(rx_llm_session *s, chunk *c, const run_watch *watch) {
    while (c->next < c->inputs) {
        size_t first = c->next;
        RX_TRY(report(s, c, watch));
        if (is_cancelled(s)) return why_fail(s->message, RX_CANCELLED, "cancelled");
        c->tokens = c->sequences = c->rows = c->pages = 0;
        while (c->next < c->inputs && take(s, c)) {
            if (c->done < c->input[c->next].count) break;
            c->next++, c->done = 0;
        }
        if (c->tokens == c->sequences) session_back_cache(s); // prompts write on all threads
        RX_TRY(call(s, c, first));
        c->taken += c->tokens;
    }
    return report(s, c, watch);
}

// --- All.

// Quadratic, over the sequences of one batch.
static bool twice(const rx_llm_input *input, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (input[k].sequence == input[i].sequence) return true;
    return false;
}

// After a failure here nothing has been computed; pages that were reserved are cut off by the caller.
static rx_status prepare(rx_llm_session *s, const rx_llm_input *input, size_t inputs, chunk *c) {
    if (!inputs) return why_fail(s->message, RX_INVALID_ARGUMENT, "there are no sequences to run");
    for (size_t i = 0; i < inputs; i++) {
        RX_TRY(check_input(s, &input[i]));
        if (twice(input, i)) return why_fail(s->message, RX_INVALID_ARGUMENT, "a sequence comes twice");
        c->wanted += input[i].logits;
        c->all += input[i].count;
    }
    for (size_t i = 0; i < inputs; i++) RX_TRY(reserve(s, &input[i]));
    return RX_OK;
}

rx_status session_run(rx_llm_session *s, const rx_llm_input *input, size_t inputs, const run_watch *watch,
                      const float **logits) {
    chunk c = {.input = input, .inputs = inputs};
    s->message[0] = 0;
    *logits = NULL;
    if (s->running)
        return why_fail(s->message, RX_INVALID_ARGUMENT,
                        "the session is run by a function that is told of its progress");
    rx_value_release(s->kept); // the run's own take its memory
    s->kept = NULL;
    s->running = true;
    rx_status status = prepare(s, input, inputs, &c);
    if (status == RX_OK) status = run_chunks(s, &c, watch);
    s->running = false;
    for (size_t i = 0; i < inputs; i++) {
        rx_llm_sequence *q = input[i].sequence;
        if (status == RX_OK)
            page_list_append(&q->list, input[i].token, input[i].count);
        else if (q->session == s)
            sequence_cut(q, q->list.length);
    }
    if (status == RX_OK) *logits = s->kept ? rx_tensor_data(s->kept) : s->logit;
    return status;
}

rx_status rx_llm_run(rx_llm_session *s, const rx_llm_input *input, size_t inputs, const float **logits) {
    if (!s) return RX_INVALID_ARGUMENT;
    if (!logits) return llm_missing(s->message, "the place of the logits");
    *logits = NULL;
    if (!input && inputs) return llm_missing(s->message, "the list of inputs");
    for (size_t i = 0; i < inputs; i++) {
        if (!input[i].sequence || !input[i].token)
            return llm_missing(s->message, input[i].sequence ? "an input's list of tokens" : "an input's sequence");
        if (input[i].sequence->busy)
            return why_fail(s->message, RX_INVALID_ARGUMENT, "a sequence is run while it is being generated");
    }
    __atomic_store_n(&s->cancelled, 0, __ATOMIC_RELEASE);
    return session_run(s, input, inputs, NULL, logits);
}
