// sampler.h - which token comes next.
//
// The order: penalties, top-k, top-p, min-p, temperature, then one draw. Equal logits are ordered by token number, and
// all sums go in a fixed order: the same logits and the same seed give the same token everywhere.
#ifndef LLM_SAMPLER_H
#define LLM_SAMPLER_H
#include "llm/fail.h"
#include "relax/llm.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct sampler {
    rx_llm_sampling how;
    uint64_t state; // of the random numbers
    uint32_t vocabulary;
    float *logit;          // penalised
    rx_llm_choice *sorted; // candidates; logprob is the logit, then the probability's
    uint32_t *seen;        // how often each token was seen lately; all zero between calls
} sampler;

// RX_INVALID_ARGUMENT with a sentence for numbers that make no sense. Freed by sampler_free unless it failed.
RX_MUST_USE rx_status sampler_init(sampler *s, const rx_llm_sampling *how, uint32_t vocabulary, char *why);
void sampler_free(sampler *s); // a zeroed one is allowed

// The next token. `history`: the tokens so far, the newest last.
uint32_t sampler_next(sampler *s, const float *logit, const uint32_t *history, size_t length);

// The logarithm of the sum of e to each logit: a logit less this is the logarithm of a probability.
double sampler_log_sum(const float *logit, uint32_t vocabulary);
// The `count` most likely tokens with their logits, the best first.
void sampler_top(const float *logit, uint32_t vocabulary, rx_llm_choice *top, uint32_t count);
#endif
