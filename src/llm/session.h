// session.h - a model being run: its context, the cache in pages, the batch that is being put together.
#ifndef LLM_SESSION_H
#define LLM_SESSION_H
#include "llm/model.h"
#include "llm/pages.h"

// The int32 arrays of one call, with room for the largest.
typedef struct batch_arrays {
    int32_t *at[INPUTS];
    size_t room[INPUTS];
} batch_arrays;

struct rx_llm_session {
    rx_llm *model;
    rx_context *context;
    page_pool pool;
    rx_value **cache; // k_pages, then v_pages: 2 * layers tensors
    uint32_t backed;  // pages of the cache that the system was asked for
    batch_arrays batch;
    rx_value **args; // of a call: inputs, then the cache
    rx_value *kept;  // the logits that rx_llm_run gave, where one call had them all
    float *logit;    // else these
    size_t logits;   // rows there is room for
    uint32_t sequences;
    bool released; // the last sequence ends it
    bool running;  // session_run is: a function that watches it can't run anything
    int cancelled; // atomic; since the public call that is running began
    char message[RX_MESSAGE];
};

struct rx_llm_sequence {
    rx_llm_session *session;
    page_list list;
    bool busy, freed; // a generation runs on it; it was freed meanwhile
};
// Asks the system for the memory of the pages that were taken last, and of some more, at once.
void session_back_cache(rx_llm_session *s);
void sequence_cut(rx_llm_sequence *q, size_t length); // also while it is busy

// Told how many of the tokens are taken in, as rx_llm_request's `progress` is.
typedef struct run_watch {
    int (*progress)(void *user, uint64_t taken, uint64_t count);
    void *user;
} run_watch;
// rx_llm_run, as part of a longer call: a cancellation since that began counts. `watch` may be NULL.
RX_MUST_USE rx_status session_run(rx_llm_session *s, const rx_llm_input *input, size_t inputs, const run_watch *watch,
                                  const float **logits);
#endif
