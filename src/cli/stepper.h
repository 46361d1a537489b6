// stepper.h - runs the `forward` of a compiled decoder on one sequence, step by step: the least that a check needs.
//
// The pages of the sequence lie in the cache in an order of their own, so that nothing works by their being in order.
#ifndef CLI_STEPPER_H
#define CLI_STEPPER_H
#include "base/arena.h"
#include "relax/runtime.h"
#include <stdbool.h>

typedef struct stepper {
    arena *mem;
    rx_executable *exe;
    rx_context *context;
    uint32_t layers;      // of the cache
    int64_t dim[4];       // of one tensor of it: pages, places, heads, size
    char dtype[16];       // of its elements
    int64_t most_tokens;  // of one step
    int64_t pages;        // of the sequence
    rx_value **cache;     // k_pages, then v_pages
    rx_value *result;     // of the last step: logits, cache, hidden states
    int64_t place;        // tokens so far
    char why[RX_MESSAGE]; // after a failure
} stepper;

// Opens a file, with room for `tokens`. False after writing s->why; to be closed all the same.
bool stepper_open(stepper *s, arena *mem, const char *path, int64_t tokens, unsigned threads);
void stepper_close(stepper *s);
bool stepper_restart(stepper *s); // an empty cache
// Runs tokens (at most most_tokens); logits of all of them, or of the last one: result item 0.
bool stepper_run(stepper *s, const int32_t *token, int64_t count, bool all);
// Floats of an item of the result, [rows, size]; NULL if there is no such item.
const float *stepper_item(const stepper *s, uint32_t item, int64_t *rows, int64_t *size);
uint32_t stepper_hiddens(const stepper *s); // hidden states among the results: items from 1 + 2 * layers on
#endif
