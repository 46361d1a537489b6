// llm.h - language models: text in, text out. Opens what `relax compile model.gguf` made: weights, code, tokenizer and
// chat template in one file. On top of runtime.h; contains no compiler.
//
//   rx_llm *model = NULL;
//   rx_llm_session *session = NULL;
//   rx_llm_sequence *talk = NULL;
//   char message[RX_MESSAGE];
//   if (rx_llm_load("model.rlx", &model, message)) ...
//   if (rx_llm_session_new(model, NULL, &session, message)) ...
//   if (rx_llm_sequence_new(session, &talk)) ...
//   uint32_t *prompt = NULL; size_t count = 0;
//   rx_llm_tokenize(model, "The capital of France is", 24, RX_LLM_ADD_ENDS, &prompt, &count, message);
//   rx_llm_request ask = {.struct_size = sizeof ask, .prompt = prompt, .prompt_count = count, .max_tokens = 20,
//                         .text = print_it};
//   if (rx_llm_generate(talk, &ask, NULL)) puts(rx_llm_session_message(session));
//   free(prompt); rx_llm_sequence_free(talk); rx_llm_session_release(session); rx_llm_release(model);
//
// Three things. A model is what the file says: it never changes and any number of threads may use one. A session is
// what runs it: a context and the memory of a cache of keys and values; one thread at a time. A sequence is a text in a
// session's cache, token by token; sequences share the pages of their common beginnings (fork) and can be cut back.
//
// Ownership, errors and option structs are as in runtime.h. What a function gives as `char **` or `uint32_t **` is
// freed with free(). Text is UTF-8. A token is a number below the size of the vocabulary.
#ifndef RELAX_LLM_H
#define RELAX_LLM_H
#include "relax/runtime.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct rx_llm rx_llm;                   // a model with its tokenizer and chat template
typedef struct rx_llm_session rx_llm_session;   // its cache, and one thread's use of it
typedef struct rx_llm_sequence rx_llm_sequence; // one conversation in the cache

// ---- models ----

// RX_UNSUPPORTED for an .rlx that holds no language model (it has no function `forward` as docs/models.md describes),
// or a tokenizer of a kind that isn't supported; otherwise as rx_executable_load. Without a tokenizer the functions
// that need one fail with RX_NOT_FOUND.
rx_status rx_llm_load(const char *path, rx_llm **out, char *message);
// Another reference to the same model; returns it.
rx_llm *rx_llm_retain(rx_llm *m);
void rx_llm_release(rx_llm *m); // NULL is allowed

// What a model is.
typedef struct rx_llm_info {
    size_t struct_size;
    const char *name, *architecture; // "" if the file doesn't say; live as long as the model
    uint32_t vocabulary;             // logits of a token
    uint64_t context;                // most tokens of a sequence
    uint64_t batch;                  // most tokens of one call of the compiled function; longer ones go in chunks
    uint32_t layers;
    int has_tokenizer, has_template;
    uint64_t weight_bytes;     // mapped from the file
    uint64_t page_tokens;      // of one page of the cache
    uint64_t page_bytes;       // of one page over all layers
    uint64_t activation_bytes; // what a call of the largest batch needs; 0: not known ahead
} rx_llm_info;
// Set out->struct_size first: RX_INVALID_ARGUMENT if it is none.
rx_status rx_llm_get_info(const rx_llm *m, rx_llm_info *out);

enum {
    RX_LLM_ADD_ENDS = 1, // with the tokens that the model wants at the beginning and end of a text
    RX_LLM_SPECIAL = 2,  // control tokens written in the text are those tokens: for rendered templates, never for text
                         // of a user
};
// The ids of a text. RX_NOT_FOUND without a tokenizer.
rx_status rx_llm_tokenize(const rx_llm *m, const char *text, size_t size, unsigned flags, uint32_t **tokens,
                          size_t *count, char *message);
// The text that tokens stand for, with a NUL after it. Control tokens come out as their text with RX_LLM_SPECIAL, else
// as nothing.
rx_status rx_llm_detokenize(const rx_llm *m, const uint32_t *token, size_t count, unsigned flags, char **text,
                            size_t *size, char *message);
// A conversation as the text that the model was trained on: `json` is a list of messages ({"role": …, "content": …}) or
// a dict with the variables of the template. Tokenize the result with RX_LLM_SPECIAL. RX_NOT_FOUND without a template.
rx_status rx_llm_apply_template(const rx_llm *m, const char *json, size_t json_size, char **text, size_t *size,
                                char *message);
// Whether generation ends with this token.
int rx_llm_is_end(const rx_llm *m, uint32_t token);

// ---- sessions ----

typedef struct rx_llm_options {
    size_t struct_size;
    unsigned threads;      // as in rx_context_options
    uint64_t cache_tokens; // room of the cache, over all sequences; 0: one sequence of the model's full context
    uint64_t memory_limit; // bytes of weights, cache and activations; 0: none
    rx_observer *observer; // as in rx_context_options; NULL: none
    void *observer_user;
} rx_llm_options;

// What a session would take, and of it all with the file's weights.
typedef struct rx_llm_memory {
    size_t struct_size;
    uint64_t weights;      // mapped from the file
    uint64_t cache;        // for cache_tokens
    uint64_t cache_tokens; // as asked for, or the model's context
    uint64_t activations;  // of a call of the largest batch
} rx_llm_memory;
// RX_OUT_OF_MEMORY if the sum is above the limit: the message names the three numbers and how to change each. `out` may
// be NULL.
rx_status rx_llm_plan(const rx_llm *m, const rx_llm_options *options, rx_llm_memory *out, char *message);

// Reserves the memory of the cache, which the system hands out as it is written. RX_OUT_OF_MEMORY names what it needs.
// `options` may be NULL.
rx_status rx_llm_session_new(rx_llm *m, const rx_llm_options *options, rx_llm_session **out, char *message);
// In any order with its sequences: the last of them ends it. NULL is allowed.
void rx_llm_session_release(rx_llm_session *s);
// Text of the last failure on this session, "" if the last call succeeded. Valid until the next call on it.
const char *rx_llm_session_message(const rx_llm_session *s);
// Makes a running call stop soon with RX_CANCELLED. From any thread or a signal handler.
void rx_llm_session_cancel(rx_llm_session *s);
uint64_t rx_llm_session_free_tokens(const rx_llm_session *s); // of the cache's pages that no sequence uses
unsigned rx_llm_session_threads(const rx_llm_session *s);     // of its kernels

// ---- sequences ----

rx_status rx_llm_sequence_new(rx_llm_session *s, rx_llm_sequence **out);
// A second sequence with the same tokens. It shares their pages: a page is copied when one of the two writes into it.
rx_status rx_llm_sequence_fork(const rx_llm_sequence *from, rx_llm_sequence **out);
// NULL is allowed. Called by a function of a request on its own sequence, it takes effect when the generation ends.
void rx_llm_sequence_free(rx_llm_sequence *q);
// The tokens it holds; valid until it is run, cut or freed.
const uint32_t *rx_llm_sequence_tokens(const rx_llm_sequence *q, size_t *count);
// Back to its first `length` tokens, if it has more. Does nothing to a sequence that is being generated.
void rx_llm_sequence_cut(rx_llm_sequence *q, size_t length);

// ---- running ----

typedef struct rx_llm_input {
    rx_llm_sequence *sequence;
    const uint32_t *token; // what comes next in it
    size_t count;          // at least 1
    size_t logits;         // for how many of the last tokens logits are wanted; at most count
} rx_llm_input;

// Appends tokens to several sequences at once, each at most once in a call; long ones go in chunks. *logits is a row of
// `vocabulary` floats for each wanted token, in the order of the inputs, valid until the next call. After a failure all
// sequences are as before. RX_INVALID_ARGUMENT: a token that isn't one, a sequence past the context; RX_OUT_OF_MEMORY:
// no page of the cache is free.
rx_status rx_llm_run(rx_llm_session *s, const rx_llm_input *input, size_t inputs, const float **logits);

// ---- generation ----

// How the next token is chosen. Zero is the preset of every field: the most likely token.
typedef struct rx_llm_sampling {
    size_t struct_size;
    double temperature;       // 0: the most likely token, whatever else is set
    uint32_t top_k;           // among the so many most likely; 0: all
    double top_p;             // among the fewest whose probabilities reach this; 0 or 1: all
    double min_p;             // at least so much times the most likely one's probability
    double repeat_penalty;    // logits of tokens seen are divided (if positive) or multiplied by it; 0 or 1: none
    double frequency_penalty; // taken from a token's logit for each time it was seen
    double presence_penalty;  // and once if it was seen
    uint32_t penalty_tokens;  // how far back "seen" reaches; 0: 64
    uint64_t seed;            // the same seed gives the same text, whatever the number of threads
} rx_llm_sampling;

// Why a generation ended.
typedef enum rx_llm_finish {
    RX_LLM_END,     // the model ended its text
    RX_LLM_LENGTH,  // max_tokens
    RX_LLM_STOP,    // a stop string
    RX_LLM_CONTEXT, // the sequence is as long as the model or the cache allow
    RX_LLM_CALLER,  // a callback asked to stop
} rx_llm_finish;

// A token and the natural logarithm of its probability before sampling changed it.
typedef struct rx_llm_choice {
    uint32_t token;
    float logprob;
} rx_llm_choice;

// What is to be generated.
typedef struct rx_llm_request {
    size_t struct_size;
    const uint32_t *prompt; // appended to the sequence; at least one token
    size_t prompt_count;
    uint64_t max_tokens;             // at least 1
    const rx_llm_sampling *sampling; // NULL: the most likely token
    const char *const *stop;         // texts that end generation and don't appear; `stops` of them
    size_t stops;
    int ignore_end; // go on after the model's end
    // Called with pieces of the answer: whole characters, never part of a stop string. Another result than 0 stops. May
    // be NULL.
    int (*text)(void *user, const char *piece, size_t size);
    // Called for each token, after its choice and before its text. `top` are the `tops` most likely ones, the best
    // first. May be NULL.
    int (*token)(void *user, rx_llm_choice chosen, const rx_llm_choice *top, uint32_t tops);
    uint32_t tops; // at most RX_LLM_MAX_TOPS
    void *user;
    int (*interrupted)(void *user); // asked before each token: another result than 0 stops. May be NULL
    // Called while the prompt is taken in: before each batch with the tokens done so far, 0 first, and at its end,
    // before the first token is chosen, with taken == count. Another result than 0 makes the call fail with
    // RX_CANCELLED. Nothing may be run on the session meanwhile. May be NULL.
    int (*progress)(void *user, uint64_t taken, uint64_t count);
} rx_llm_request;
enum { RX_LLM_MAX_TOPS = 32 };

// What was generated.
typedef struct rx_llm_result {
    size_t struct_size;
    rx_llm_finish finish;
    uint64_t prompt_tokens, tokens;        // taken in, generated (the ending one included)
    double prompt_seconds, tokens_seconds; // the first token counts as the prompt's
} rx_llm_result;

// Appends the prompt and generates. The sequence holds the prompt and all generated tokens but the last. After a
// failure it is as before. `result` may be NULL.
rx_status rx_llm_generate(rx_llm_sequence *q, const rx_llm_request *request, rx_llm_result *result);

#ifdef __cplusplus
}
#endif
#endif
