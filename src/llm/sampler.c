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

enum { LANES = 4, BLOCK = 256 };

// NaN is not larger than anything.
static inline void take_larger(float most[LANES], const float *x) {
    for (int l = 0; l < LANES; l++) most[l] = x[l] > most[l] ? x[l] : most[l];
}

// Four vectors of lanes: each comparison waits for the one before it. 49,152 logits: 34 to 4 us.
static float largest_of(const float *logit, size_t count) {
    float most[4][LANES];
    size_t i = 0;
    for (int l = 0; l < LANES; l++) most[0][l] = most[1][l] = most[2][l] = most[3][l] = -INFINITY;
    for (; count - i >= 4 * LANES; i += 4 * LANES) {
        take_larger(most[0], logit + i);
        take_larger(most[1], logit + i + LANES);
        take_larger(most[2], logit + i + 2 * LANES);
        take_larger(most[3], logit + i + 3 * LANES);
    }
    for (int k = 1; k < 4; k++) take_larger(most[0], most[k]);
    float *all = most[0];
    for (; i < count; i++) all[0] = logit[i] > all[0] ? logit[i] : all[0];
    for (int l = 1; l < LANES; l++) all[0] = all[l] > all[0] ? all[l] : all[0];
    return all[0];
}

static uint32_t block_at(uint32_t at, uint32_t count) { return count - at < BLOCK ? count - at : BLOCK; }

// The first of the largest ones; of NaN alone the first. Only the first block that has the largest is looked through.
static uint32_t most_likely(const float *logit, uint32_t count) {
    float most = -INFINITY;
    uint32_t first = 0;
    for (uint32_t at = 0; at < count; at += block_at(at, count)) {
        float own = largest_of(logit + at, block_at(at, count));
        if (own > most) most = own, first = at;
    }
    for (uint32_t i = first; i < count; i++)
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

// Blocks without a logit above the worst of the heap are passed over. A NaN there is no such bound.
void sampler_top(const float *logit, uint32_t vocabulary, rx_llm_choice *top, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) top[i] = (rx_llm_choice){i, logit[i]};
    for (uint32_t i = count / 2; i-- > 0;) sift(top, count, i);
    for (uint32_t at = count; count && at < vocabulary; at += block_at(at, vocabulary)) {
        uint32_t size = block_at(at, vocabulary);
        if (largest_of(logit + at, size) <= top[0].logprob) continue;
        for (uint32_t i = at; i < at + size; i++) {
            rx_llm_choice c = {i, logit[i]};
            if (!before(c, top[0])) continue;
            top[0] = c;
            sift(top, count, 0);
        }
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

// --- Cutting and drawing.

// The tokens that are left, best first; as many are in order as were asked for.
typedef struct candidates {
    sampler *s;
    const float *logit;
    uint32_t count, sorted;
} candidates;

// What is drawn is mostly among the first: 49,152 in order would take 5.5 ms, the first 64 take 0.03.
static const rx_llm_choice *candidate(candidates *c, uint32_t i) {
    enum { FIRST = 64, MORE = 8 };
    if (i >= c->sorted) {
        uint32_t want = c->sorted ? c->sorted * MORE : FIRST;
        while (want <= i) want *= MORE;
        c->sorted = want < c->count ? want : c->count;
        sampler_top(c->logit, c->s->vocabulary, c->s->sorted, c->sorted);
    }
    return &c->s->sorted[i];
}

// e to the difference from the best one: probabilities but for a factor.
static double weight_of(candidates *c, uint32_t i, double temperature) {
    return exp(((double)candidate(c, i)->logprob - candidate(c, 0)->logprob) / temperature);
}

enum { POWERS = 64, EXPONENT = 23 }; // EXPONENT: the bit of a float where it begins

// The sum of 2 to x for POWERS of x, at most 0; from -126 on down, and for NaN, 2^-126. A whole number goes into the
// exponent's bits, the rest is a series: the same everywhere. Loops over arrays of one length become vectors.
static double sum_powers(float x[POWERS]) {
    const float round = 12582912.0f; // 1.5 * 2^23: a sum's low bits are the whole number
    float whole[POWERS], power[POWERS], sum[LANES] = {0};
    uint32_t up[POWERS], bits[POWERS];
    for (int i = 0; i < POWERS; i++) x[i] = x[i] > -126.0f ? x[i] : -126.0f;
    for (int i = 0; i < POWERS; i++) whole[i] = x[i] + round;
    for (int i = 0; i < POWERS; i++) x[i] -= whole[i] - round;
    for (int i = 0; i < POWERS; i++) {
        float series = 0.05550411f + x[i] * (0.00961813f + x[i] * (0.00133336f + x[i] * 0.00015404f));
        power[i] = 1.0f + x[i] * (0.69314718f + x[i] * (0.24022651f + x[i] * series));
    }
    memcpy(up, whole, sizeof up);
    memcpy(bits, power, sizeof bits);
    for (int i = 0; i < POWERS; i++) bits[i] += up[i] << EXPONENT;
    memcpy(power, bits, sizeof power);
    for (int i = 0; i < POWERS; i += LANES)
        for (int l = 0; l < LANES; l++) sum[l] += power[i + l];
    return (double)sum[0] + sum[1] + sum[2] + sum[3];
}

// The sum of all weights. Of a whole vocabulary it needs no order: 49,152 in 0.08 ms.
static double weights_of(candidates *c, double temperature) {
    double all = 0;
    if (c->count < c->s->vocabulary) {
        for (uint32_t i = 0; i < c->count; i++) all += weight_of(c, i, temperature);
        return all;
    }
    // A scale without bound would make NaN of the best one's 0.
    float most = candidate(c, 0)->logprob, scale = (float)fmin(1.44269504088896341 / temperature, 1e30), x[POWERS];
    for (uint32_t at = 0; at < c->count; at += POWERS) {
        const float *logit = c->logit + at;
        for (uint32_t i = 0; i < POWERS; i++) x[i] = i < c->count - at ? (logit[i] - most) * scale : -INFINITY;
        all += sum_powers(x);
    }
    return all;
}

// Each cut leaves one candidate at least.

// The fewest whose probabilities add up to top_p: before the temperature flattens them.
static void cut_top_p(candidates *c) {
    double top_p = c->s->how.top_p, sum = 0;
    if (top_p <= 0 || top_p >= 1) return;
    double enough = top_p * weights_of(c, 1);
    for (uint32_t i = 0; i < c->count; i++)
        if ((sum += weight_of(c, i, 1)) >= enough) c->count = i + 1;
}

// The first has weight 1.
static void cut_min_p(candidates *c) {
    uint32_t left = 1;
    if (c->s->how.min_p <= 0) return;
    while (left < c->count && weight_of(c, left, 1) >= c->s->how.min_p) left++;
    c->count = left;
}

static uint32_t draw_one(candidates *c) {
    double temperature = c->s->how.temperature, at = draw(c->s) * weights_of(c, temperature);
    for (uint32_t i = 0; i < c->count; i++)
        if ((at -= weight_of(c, i, temperature)) < 0) return candidate(c, i)->token;
    return candidate(c, 0)->token; // where logits are no numbers, or rounding leaves a crumb
}

uint32_t sampler_next(sampler *s, const float *logit, const uint32_t *history, size_t length) {
    if (penalises(&s->how)) {
        memcpy(s->logit, logit, s->vocabulary * sizeof *logit);
        penalise(s, history, length);
        logit = s->logit;
    }
    if (s->how.temperature == 0) return most_likely(logit, s->vocabulary);
    candidates c = {.s = s, .logit = logit, .count = s->vocabulary};
    if (s->how.top_k && s->how.top_k < c.count) c.count = s->how.top_k;
    cut_top_p(&c);
    cut_min_p(&c);
    return draw_one(&c);
}
