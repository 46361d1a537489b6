// talk.c - continues a text with a compiled language model, and then a second time from the same beginning.
//   cc talk.c $(pkg-config --cflags --libs relax-llm) -o talk && ./talk smollm2.rlx "The capital of France is"
#include <relax/llm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Pieces come as they are generated, always whole characters.
static int print_piece(void *user, const char *piece, size_t size) {
    (void)user;
    return fwrite(piece, 1, size, stdout) != size;
}

static int generate(rx_llm_sequence *q, const uint32_t *prompt, size_t count, uint64_t seed) {
    rx_llm_sampling sampling = {.struct_size = sizeof sampling, .temperature = 0.8, .top_k = 40, .seed = seed};
    rx_llm_request ask = {.struct_size = sizeof ask,
                          .prompt = prompt,
                          .prompt_count = count,
                          .max_tokens = 16,
                          .sampling = &sampling,
                          .text = print_piece};
    rx_llm_result result = {.struct_size = sizeof result};
    if (rx_llm_generate(q, &ask, &result)) return 1;
    printf("\n%llu tokens\n", (unsigned long long)result.tokens);
    return 0;
}

// The second sequence shares the pages of the beginning with the first: it is computed once.
static int talk(rx_llm_session *s, const uint32_t *prompt, size_t count) {
    rx_llm_sequence *one = NULL, *two = NULL;
    const float *logits;
    int wrong = rx_llm_sequence_new(s, &one) != RX_OK;
    const rx_llm_input beginning = {one, prompt, count - 1, 0}; // no logits yet
    if (!wrong && count > 1) wrong = rx_llm_run(s, &beginning, 1, &logits) != RX_OK;
    wrong = wrong || rx_llm_sequence_fork(one, &two) || generate(one, prompt + count - 1, 1, 1) ||
            generate(two, prompt + count - 1, 1, 2);
    if (wrong) fprintf(stderr, "%s\n", rx_llm_session_message(s));
    rx_llm_sequence_free(two);
    rx_llm_sequence_free(one);
    return wrong;
}

int main(int argc, char **argv) {
    char message[RX_MESSAGE];
    rx_llm *model = NULL;
    rx_llm_session *session = NULL;
    uint32_t *prompt = NULL;
    size_t count = 0;
    if (argc != 3) return fprintf(stderr, "usage: talk FILE.rlx TEXT\n"), 2;
    int wrong = rx_llm_load(argv[1], &model, message) || rx_llm_session_new(model, NULL, &session, message) ||
                rx_llm_tokenize(model, argv[2], strlen(argv[2]), RX_LLM_ADD_ENDS, &prompt, &count, message);
    if (wrong) fprintf(stderr, "%s\n", message);
    if (!wrong && !count) wrong = fprintf(stderr, "the text is empty\n") > 0;
    if (!wrong) wrong = talk(session, prompt, count);
    free(prompt);
    rx_llm_session_release(session);
    rx_llm_release(model);
    return wrong;
}
