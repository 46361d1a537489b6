// fuzz_llm_vocab.c - any bytes as a GGUF file: refused with a sentence, or a vocabulary that tokenizes the file itself.
#include "llm/tokenizer.h"
#include "llm/vocab_gguf.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds) {
    if (!holds) abort();
}

// Text of the input itself, with what isn't ASCII replaced.
static void tokenize(const vocabulary *v, const uint8_t *data, size_t size) {
    tokenizer *t;
    token_list ids = {0};
    detokenizer d = DETOKENIZER(v);
    text_span piece;
    char *text = malloc(size + 1);
    must(text && tokenizer_new(v, &t, NULL) == RX_OK);
    for (size_t i = 0; i < size; i++) text[i] = (char)(data[i] & 0x7f);
    rx_status status = tokenizer_encode(t, (text_span){text, size}, TOKENIZE_SPECIAL, &ids, NULL);
    must(status == RX_OK || status == RX_INVALID_ARGUMENT); // a byte may have no token
    for (size_t i = 0; i < ids.count; i++) must(detokenizer_push(&d, ids.at[i], &piece, NULL) == RX_OK);
    detokenizer_free(&d);
    token_list_free(&ids);
    tokenizer_free(t);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char why[FILE_WHY] = "";
    gguf *file;
    vocab_gguf g;
    vocabulary *v = NULL;
    rx_status status = gguf_parse(data, size, &file, why);
    if (status == RX_OK) status = vocab_gguf_read(file, &g, why);
    if (status == RX_OK) {
        status = vocabulary_new(&g.source, &v, why);
        vocab_gguf_free(&g);
    }
    gguf_close(file);
    must(status == RX_OK || why[0]);
    if (status != RX_OK) return 0;
    tokenize(v, data, size);
    vocabulary_free(v);
    return 0;
}
