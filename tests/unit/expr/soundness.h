// soundness.h - random claims of the prover and the simplifier, checked on random values that satisfy the facts.
#ifndef TESTS_UNIT_EXPR_SOUNDNESS_H
#define TESTS_UNIT_EXPR_SOUNDNESS_H
#include <stdint.h>

// Each session makes claims about 60 random expressions and tries up to 100 values of each. Fails the test at the first
// wrong claim, with the expressions, facts and values; and when there were fewer trials or proofs than wanted.
void check_soundness(uint32_t sessions, uint32_t least_trials, uint32_t least_proofs);
#endif
