// expected.h - what a model is expected to say, recorded by a reference implementation.
//
// A .safetensors file has one case: input_ids, prefill_logits (tokens, vocab), and, where they are known, hidden.0 …
// (tokens, size) after the embedding and each block (the last one normed), decode_tokens and decode_logits (steps,
// vocab): the greedy continuation and the logits after each of its tokens. A .json file is a list of cases: ids, top10
// ([token, logit] pairs of the last token), greedy.
#ifndef CLI_EXPECTED_H
#define CLI_EXPECTED_H
#include "base/arena.h"
#include "base/diag.h"
#include "checkpoint/safetensors.h"

typedef struct float_rows {
    const float *at; // NULL: not known
    int64_t rows, size;
} float_rows;

typedef struct expected_case {
    const int32_t *prompt, *greedy;
    uint32_t prompt_len, greedy_len;
    float_rows logits;  // of all prompt tokens
    float_rows decoded; // after each greedy token
    const float_rows *hidden;
    uint32_t hiddens;
    const int32_t *top; // tokens with the logits of the last prompt token in top_logit
    const float *top_logit;
    uint32_t tops;
} expected_case;

typedef struct expected {
    const expected_case *at;
    uint32_t cases;
} expected;

// Everything lives in `mem`. False after reporting.
bool expected_read(const char *path, arena *mem, expected *out, diag *d);
#endif
