// session.c - sessions and their sequences: the memory of the cache, forks, going back.
#define _DEFAULT_SOURCE // madvise
#include "llm/session.h"
#include "base/count_noun.h"
#include "base/size.h"
#include "base/text.h"
#include "base/versions.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// --- Sizes.

static rx_status read_options(const rx_llm_options *from, rx_llm_options *out, char *why) {
    static const struct_versions versions = {"rx_llm_options",
                                             {offsetof(rx_llm_options, observer), sizeof(rx_llm_options)}};
    return struct_read(&versions, out, from, why) ? RX_OK : RX_INVALID_ARGUMENT;
}

// How many pages hold so many tokens, and the bytes they take.
static rx_status size_cache(const rx_llm *m, uint64_t tokens, uint32_t *pages, uint64_t *bytes, char *why) {
    const forward_shape *f = &m->forward;
    uint64_t count = tokens / f->page_tokens + (tokens % f->page_tokens != 0);
    size_t all;
    // Slots are int32 numbers of tokens.
    if (count > INT32_MAX / f->page_tokens || !size_mul((size_t)count, f->page_bytes, &all) ||
        !size_mul(all, 2 * (size_t)f->layers, &all))
        return why_fail(why, RX_INVALID_ARGUMENT, "a cache of %s is too large", COUNTED(tokens, "token"));
    *pages = (uint32_t)count, *bytes = all;
    return RX_OK;
}

// One sentence with the three numbers that memory depends on, and how to change each.
static rx_status check_limit(const rx_llm *m, const rx_llm_memory *needs, uint64_t limit, char *why) {
    char most[32], all[32], spelled[3][32];
    // The three can't overflow: each is the size of something that lies in memory or was checked.
    uint64_t sum = needs->weights + needs->cache + needs->activations;
    if (!limit || sum <= limit) return RX_OK;
    return why_fail(
        why, RX_OUT_OF_MEMORY,
        "the model needs %s, more than the limit of %s: weights %s (a file of fewer bits has less), the cache "
        "%s for %s (a cache of fewer takes less), activations %s for batches of %s (compiled for smaller ones it takes "
        "less)",
        text_bytes(sum, all), text_bytes(limit, most), text_bytes(needs->weights, spelled[0]),
        text_bytes(needs->cache, spelled[1]), COUNTED(needs->cache_tokens, "token"),
        text_bytes(needs->activations, spelled[2]), COUNTED(m->forward.most_tokens, "token"));
}

rx_status rx_llm_plan(const rx_llm *m, const rx_llm_options *options, rx_llm_memory *out, char *message) {
    static const struct_versions versions = {"rx_llm_memory", {sizeof(rx_llm_memory)}};
    rx_llm_options o;
    rx_llm_info info = {.struct_size = sizeof info};
    uint32_t pages;
    if (!m) return llm_missing(message, "the model");
    RX_TRY(read_options(options, &o, message));
    rx_llm_get_info(m, &info);
    rx_llm_memory all = {.weights = info.weight_bytes,
                         .cache_tokens = o.cache_tokens ? o.cache_tokens : info.context,
                         .activations = info.activation_bytes};
    RX_TRY(size_cache(m, all.cache_tokens, &pages, &all.cache, message));
    if (out && !struct_fill(&versions, out, &all, message)) return RX_INVALID_ARGUMENT;
    return check_limit(m, &all, o.memory_limit, message);
}

// --- Making one.

// The page table is made when the first call says how wide it is (batch.c).
static bool make_arrays(rx_llm_session *s) {
    const forward_shape *f = &s->model->forward;
    size_t rows = f->most_rows < f->most_tokens ? f->most_rows : f->most_tokens;
    size_t sequences = f->most_sequences < f->most_tokens ? f->most_sequences : f->most_tokens;
    const size_t room[INPUTS] = {[INPUT_TOKENS] = f->most_tokens, [INPUT_POSITIONS] = f->most_tokens,
                                 [INPUT_STARTS] = sequences + 1,  [INPUT_PAGE_TABLE] = 0,
                                 [INPUT_SLOTS] = f->most_tokens,  [INPUT_ROWS] = rows};
    bool ok = true;
    for (int i = 0; i < INPUTS; i++) {
        s->batch.room[i] = room[i];
        // One byte more, so that an empty array is no failure.
        s->batch.at[i] = malloc(room[i] * sizeof(int32_t) + 1);
        ok = ok && s->batch.at[i];
    }
    s->args = calloc(INPUTS + 2 * (size_t)f->layers, sizeof *s->args);
    return ok && s->args;
}

// The aligned address is inside of what was allocated; `user` is its beginning.
static void give_back(void *user, void *data) {
    (void)data;
    free(user);
}

// A tensor of zeros that takes no memory before it is written: pages of the system are zero when they are first used.
static rx_status new_tensor(const char *type, const int64_t dim[4], size_t bytes, rx_value **out) {
    enum { ALIGNMENT = 64 };
    uint8_t *room = bytes < SIZE_MAX - ALIGNMENT ? calloc(bytes + ALIGNMENT, 1) : NULL;
    if (!room) return RX_OUT_OF_MEMORY;
    uint8_t *data = room + (ALIGNMENT - (uintptr_t)room % ALIGNMENT);
    rx_status status = rx_tensor_wrap(type, 4, dim, data, give_back, room, out);
    if (status != RX_OK) free(room);
    return status;
}

// One tensor of pages for the keys of each layer, then for the values.
static rx_status make_cache(rx_llm_session *s, char *why) {
    const forward_shape *f = &s->model->forward;
    char type[32];
    size_t bytes = f->page_bytes * s->pool.count; // size_cache saw to it that this doesn't overflow
    int64_t dim[4] = {s->pool.count, f->page_dim[1], f->page_dim[2], f->page_dim[3]};
    s->cache = calloc(2 * (size_t)f->layers, sizeof *s->cache);
    if (!s->cache) return llm_no_memory(why, "cache");
    for (uint32_t i = 0; i < 2 * f->layers; i++)
        if (new_tensor(dtype_spell(f->pages->type, type), dim, bytes, &s->cache[i]) != RX_OK)
            return why_fail(why, RX_OUT_OF_MEMORY, "no memory for a cache of %" PRIu32 " pages", s->pool.count);
    return RX_OK;
}

// Memory of the system comes when it is first written, page by page, and each takes an interrupt: of a step of SmolLM2
// on two threads 70 us. Where it can't be asked for at once it goes on like that.
static void back_memory(uint8_t *from, size_t size) {
#ifdef MADV_POPULATE_WRITE
    size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)from % page;
    (void)madvise(from - before, size + before, MADV_POPULATE_WRITE);
#else
    (void)from, (void)size;
#endif
}

void session_back_cache(rx_llm_session *s) {
    enum { AT_ONCE = 16 << 10 }; // bytes of a layer's keys or values
    size_t bytes = s->model->forward.page_bytes;
    uint32_t more = bytes && bytes < AT_ONCE ? (uint32_t)(AT_ONCE / bytes) : 1, reached = s->pool.reached;
    if (reached <= s->backed) return;
    uint32_t from = reached - s->backed > more ? reached - more : s->backed; // what lies before was written long ago
    uint32_t end = s->pool.count - reached > more ? reached + more : s->pool.count;
    for (uint32_t i = 0; i < 2 * s->model->forward.layers; i++)
        back_memory((uint8_t *)rx_tensor_data(s->cache[i]) + from * bytes, (end - from) * bytes);
    s->backed = end;
}

static rx_status fill(rx_llm_session *s, const rx_llm_options *o, char *why) {
    const rx_context_options options = {.struct_size = sizeof options,
                                        .threads = o->threads,
                                        .observer = o->observer,
                                        .observer_user = o->observer_user};
    rx_llm_memory needs = {.struct_size = sizeof needs};
    uint32_t pages = 0;
    RX_TRY(rx_llm_plan(s->model, o, &needs, why));
    RX_TRY(size_cache(s->model, needs.cache_tokens, &pages, &needs.cache, why));
    if (!page_pool_init(&s->pool, pages)) return llm_no_memory(why, "cache");
    RX_TRY(make_cache(s, why));
    if (!make_arrays(s)) return llm_no_memory(why, "session");
    return rx_context_new(s->model->exe, &options, &s->context, why);
}

rx_status rx_llm_session_new(rx_llm *m, const rx_llm_options *options, rx_llm_session **out, char *message) {
    char why[RX_MESSAGE] = "";
    rx_llm_options o;
    if (!out) return llm_missing(message, "the place of the session");
    *out = NULL;
    if (!m) return llm_missing(message, "the model");
    RX_TRY(read_options(options, &o, message));
    rx_llm_session *s = calloc(1, sizeof *s);
    if (message) message[0] = 0;
    if (!s) return llm_no_memory(message, "session");
    s->model = rx_llm_retain(m);
    rx_status status = fill(s, &o, why);
    if (status == RX_OK) return *out = s, RX_OK;
    if (message) memcpy(message, why, RX_MESSAGE);
    rx_llm_session_release(s);
    return status;
}

void rx_llm_session_release(rx_llm_session *s) {
    if (!s) return;
    s->released = s->sequences > 0; // they hold pages of this session: the last one ends it
    if (s->released) return;
    rx_value_release(s->kept);
    rx_context_release(s->context);
    for (uint32_t i = 0; s->cache && i < 2 * s->model->forward.layers; i++) rx_value_release(s->cache[i]);
    for (int i = 0; i < INPUTS; i++) {
        if (s->args) rx_value_release(s->args[i]);
        free(s->batch.at[i]);
    }
    free(s->cache);
    free(s->args);
    free(s->logit);
    page_pool_free(&s->pool);
    rx_llm_release(s->model);
    free(s);
}

const char *rx_llm_session_message(const rx_llm_session *s) { return s ? s->message : ""; }

void rx_llm_session_cancel(rx_llm_session *s) {
    if (!s) return;
    __atomic_store_n(&s->cancelled, 1, __ATOMIC_RELEASE); // between two calls of the function
    rx_context_cancel(s->context);                        // during one
}

uint64_t rx_llm_session_free_tokens(const rx_llm_session *s) {
    return !s ? 0 : (uint64_t)s->pool.spares * s->model->forward.page_tokens;
}

unsigned rx_llm_session_threads(const rx_llm_session *s) {
    rx_stats stats = {.struct_size = sizeof stats};
    if (!s) return 0;
    rx_context_stats(s->context, &stats);
    return stats.threads;
}

// --- Sequences.

rx_status rx_llm_sequence_new(rx_llm_session *s, rx_llm_sequence **out) {
    if (!s || !out) return RX_INVALID_ARGUMENT;
    *out = calloc(1, sizeof **out);
    if (!*out) return llm_no_memory(s->message, "sequence");
    (*out)->session = s;
    s->sequences++;
    return RX_OK;
}

rx_status rx_llm_sequence_fork(const rx_llm_sequence *from, rx_llm_sequence **out) {
    RX_TRY(rx_llm_sequence_new(from ? from->session : NULL, out));
    if (page_list_fork(&from->list, &from->session->pool, &(*out)->list)) return RX_OK;
    rx_llm_sequence_free(*out);
    *out = NULL;
    return llm_no_memory(from->session->message, "sequence");
}

void rx_llm_sequence_free(rx_llm_sequence *q) {
    if (!q) return;
    q->freed = q->busy;
    if (q->busy) return; // by a function that its generation calls: at its end
    page_list_free(&q->list, &q->session->pool);
    rx_llm_session *s = q->session;
    s->sequences--;
    free(q);
    if (s->released) rx_llm_session_release(s);
}

const uint32_t *rx_llm_sequence_tokens(const rx_llm_sequence *q, size_t *count) {
    if (count) *count = q ? q->list.length : 0;
    return q ? q->list.token : NULL;
}

void rx_llm_sequence_cut(rx_llm_sequence *q, size_t length) {
    if (q && !q->busy) sequence_cut(q, length);
}

void sequence_cut(rx_llm_sequence *q, size_t length) {
    // Pages go back to the pool, those that others share excepted.
    page_list_cut(&q->list, &q->session->pool, length, q->session->model->forward.page_tokens);
}
