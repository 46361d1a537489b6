// sampler.c - choosing a token from logits.
#include "llm/sampler.h"
#include "base/versions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PENALTY_TOKENS = 64 };

// --- Options.

static rx_status refuse(char *why, const char *name, double value, const char *wanted) {
    return why_fail(why, RX_INVALID_ARGUMENT, "%s is %g; want %s", name, value, wanted);
}

// Written so that a NaN fails.
static rx_status check(const rx_llm_sampling *h, char *why) {
    if (!(h->temperature >= 0 && h->temperature <= 100)) return refuse(why, "temperature", h->temperature, "0 to 100");
    if (!(h->top_p >= 0 && h->top_p <= 1)) return refuse(why, "top_p", h->top_p, "0 to 1");
    if (!(h->min_p >= 0 && h->min_p <= 1)) return refuse(why, "min_p", h->min_p, "0 to 1");
    if (!(h->repeat_penalty >= 0 && h->repeat_penalty <= 100))
        return refuse(why, "repeat_penalty", h->repeat_penalty, "0 to 100");
    if (!(fabs(h->frequency_penalty) <= 100))
        return refuse(why, "frequency_penalty", h->frequency_penalty, "-100 to 100");
    if (!(fabs(h->presence_penalty) <= 100)) return refuse(why, "presence_penalty", h->presence_penalty, "-100 to 100");
    return RX_OK;
}

rx_status sampler_init(sampler *s, const rx_llm_sampling *how, uint32_t vocabulary, char *why) {
    static const struct_versions versions = {"rx_llm_sampling", {sizeof(rx_llm_sampling)}};
    *s = (sampler){.vocabulary = vocabulary};
    if (!struct_read(&versions, &s->how, how, why)) return RX_INVALID_ARGUMENT;
    RX_TRY(check(&s->how, why));
    if (!s->how.penalty_tokens) s->how.penalty_tokens = PENALTY_TOKENS;
    if (s->how.repeat_penalty == 0) s->how.repeat_penalty = 1;
    // One generator for a text: the n-th token draws the n-th number, whatever was computed how.
    s->state = s->how.seed;
    s->logit = malloc(vocabulary * sizeof *s->logit);
    s->sorted = malloc(vocabulary * sizeof *s->sorted);
    s->seen = calloc(vocabulary, sizeof *s->seen);
    if (s->logit && s->sorted && s->seen) return RX_OK;
    sampler_free(s);
    return llm_no_memory(why, "sampler");
}

void sampler_free(sampler *s) {
    free(s->logit);
    free(s->sorted);
    free(s->seen);
    *s = (sampler){0};
}

// A number in [0, 1): 53 bits of splitmix64 (Steele, Lea, Flood 2014).
static double draw(sampler *s) {
    uint64_t z = s->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// --- Penalties.

static bool penalises(const rx_llm_sampling *h) {
    return h->repeat_penalty != 1 || h->frequency_penalty != 0 || h->presence_penalty != 0;
}

// As llama.cpp and the OpenAI interface define them. The counts are taken back on the way, so that the array is zero
// again.
static void penalise(sampler *s, const uint32_t *history, size_t length) {
    const rx_llm_sampling *h = &s->how;
    size_t back = length < h->penalty_tokens ? length : h->penalty_tokens;
    history += length - back;
    for (size_t i = 0; i < back; i++) s->seen[history[i]]++;
    for (size_t i = 0; i < back; i++) {
        uint32_t id = history[i], times = s->seen[id];
        if (!times) continue; // done
        s->seen[id] = 0;
        double x = s->logit[id];
        // Towards less likely, on either side of zero.
        x = x > 0 ? x / h->repeat_penalty : x * h->repeat_penalty;
        s->logit[id] = (float)(x - times * h->frequency_penalty - h->presence_penalty);
    }
}

// --- Order.

// Whether a comes before b: the higher logit, then the lower number. NaN is last.
static bool before(rx_llm_choice a, rx_llm_choice b) {
    if (a.logprob > b.logprob || a.logprob < b.logprob) return a.logprob > b.logprob;
    if ((a.logprob != a.logprob) != (b.logprob != b.logprob)) return b.logprob != b.logprob;
    return a.token < b.token;
}

static int compare(const void *a, const void *b) {
    const rx_llm_choice *x = a, *y = b;
    return before(*x, *y) ? -1 : before(*y, *x) ? 1 : 0;
}

// NaN is not larger than anything. Eight maxima at once: each comparison waits for the one before it.
static float largest_of(const float *logit, uint32_t count) {
    enum { LANES = 8 };
    float most[LANES];
    uint32_t i = 0;
    for (int l = 0; l < LANES; l++) most[l] = -INFINITY;
    for (; count - i >= LANES; i += LANES)
        for (int l = 0; l < LANES; l++) most[l] = logit[i + l] > most[l] ? logit[i + l] : most[l];
    for (; i < count; i++) most[0] = logit[i] > most[0] ? logit[i] : most[0];
    for (int l = 1; l < LANES; l++) most[0] = most[l] > most[0] ? most[l] : most[0];
    return most[0];
}

// The first of the largest ones; of NaN alone the first.
static uint32_t most_likely(const float *logit, uint32_t count) {
    float most = largest_of(logit, count);
    for (uint32_t i = 0; i < count; i++)
        if (logit[i] >= most) return i;
    return 0;
}

// The `count` best of all, sorted, in top: a heap whose root is the worst of them.
static void sift(rx_llm_choice *heap, uint32_t count, uint32_t at) {
    for (;;) {
        uint32_t worst = at, left = 2 * at + 1;
        for (uint32_t child = left; child < count && child <= left + 1; child++)
            if (before(heap[worst], heap[child])) worst = child;
        if (worst == at) return;
        rx_llm_choice other = heap[at];
        heap[at] = heap[worst];
        heap[worst] = other;
        at = worst;
    }
}

void sampler_top(const float *logit, uint32_t vocabulary, rx_llm_choice *top, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) top[i] = (rx_llm_choice){i, logit[i]};
    for (uint32_t i = count / 2; i-- > 0;) sift(top, count, i);
    for (uint32_t i = count; count && i < vocabulary; i++) {
        rx_llm_choice c = {i, logit[i]};
        if (!before(c, top[0])) continue;
        top[0] = c;
        sift(top, count, 0);
    }
    qsort(top, count, sizeof *top, compare);
}

// Shifted by the largest, so that nothing overflows; in the order of tokens, so that it is the same on every machine.
double sampler_log_sum(const float *logit, uint32_t vocabulary) {
    double most = -INFINITY, sum = 0;
    for (uint32_t i = 0; i < vocabulary; i++) most = logit[i] > most ? logit[i] : most;
    if (isinf(most)) return most;
    for (uint32_t i = 0; i < vocabulary; i++) sum += exp(logit[i] - most);
    return most + log(sum);
}

// --- Cutting and drawing. Candidates are sorted; each function returns how many are left, at least one.

// e to the difference from the best one: probabilities but for a factor.
static double weight_of(const sampler *s, uint32_t i, double temperature) {
    return exp(((double)s->sorted[i].logprob - s->sorted[0].logprob) / temperature);
}

// The fewest whose probabilities add up to top_p: before the temperature flattens them.
static uint32_t cut_top_p(const sampler *s, uint32_t count) {
    double all = 0, sum = 0;
    if (s->how.top_p <= 0 || s->how.top_p >= 1) return count;
    for (uint32_t i = 0; i < count; i++) all += weight_of(s, i, 1);
    for (uint32_t i = 0; i < count; i++)
        if ((sum += weight_of(s, i, 1)) >= s->how.top_p * all) return i + 1;
    return count;
}

// The first has weight 1.
static uint32_t cut_min_p(const sampler *s, uint32_t count) {
    uint32_t left = 1;
    if (s->how.min_p <= 0) return count;
    while (left < count && weight_of(s, left, 1) >= s->how.min_p) left++;
    return left;
}

static uint32_t draw_one(sampler *s, uint32_t count) {
    double all = 0;
    for (uint32_t i = 0; i < count; i++) all += weight_of(s, i, s->how.temperature);
    double at = draw(s) * all;
    for (uint32_t i = 0; i < count; i++)
        if ((at -= weight_of(s, i, s->how.temperature)) < 0) return s->sorted[i].token;
    return s->sorted[0].token; // where logits are no numbers, or rounding leaves a crumb
}

uint32_t sampler_next(sampler *s, const float *logit, const uint32_t *history, size_t length) {
    if (penalises(&s->how)) {
        memcpy(s->logit, logit, s->vocabulary * sizeof *logit);
        penalise(s, history, length);
        logit = s->logit;
    }
    if (s->how.temperature == 0) return most_likely(logit, s->vocabulary);
    uint32_t count = s->how.top_k && s->how.top_k < s->vocabulary ? s->how.top_k : s->vocabulary;
    sampler_top(logit, s->vocabulary, s->sorted, count);
    count = cut_top_p(s, count);
    return draw_one(s, cut_min_p(s, count));
}
