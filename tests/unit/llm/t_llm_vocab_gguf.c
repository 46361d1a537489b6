// t_llm_vocab_gguf.c - vocabularies of GGUF files: read, cut short anywhere, and made hostile.
#include "small.h"
#include "test.h"
#include <stdlib.h>

static rx_status read_all(const gguf_bytes *g, size_t size, char *why) {
    vocab_gguf read;
    gguf *file = NULL;
    vocabulary *v = NULL;
    uint8_t *exact = malloc(size + 1); // so that a read behind the end is seen
    memcpy(exact, g->at, size);
    rx_status status = gguf_parse(exact, size, &file, why);
    if (status == RX_OK) status = vocab_gguf_read(file, &read, why);
    if (status == RX_OK) {
        status = vocabulary_new(&read.source, &v, why);
        vocab_gguf_free(&read);
    }
    if (status == RX_OK) {
        assert_int_equal(vocabulary_find(v, span_of("ab")), 2);
        assert_int_equal(vocabulary_merge(v, 0, 1)->id, 2);
        assert_null(vocabulary_merge(v, 1, 0));
        vocabulary_free(v);
    }
    gguf_close(file);
    free(exact);
    return status;
}

static void want_refused(const gguf_bytes *g, rx_status status, const char *message) {
    char why[FILE_WHY] = "";
    assert_int_equal(read_all(g, g->size, why), status);
    assert_string_equal(why, message);
}

static void reads_and_survives_cuts(void **state) {
    (void)state;
    gguf_bytes g;
    gguf_small(&g);
    char why[FILE_WHY] = "";
    assert_int_equal(read_all(&g, g.size, why), RX_OK);
    for (size_t size = 0; size < g.size; size++) assert_int_not_equal(read_all(&g, size, why), RX_OK);
}

static void refuses_with_a_sentence(void **state) {
    (void)state;
    gguf_bytes g;
    gguf_begin(&g, 3, 0);
    want_refused(&g, RX_NOT_FOUND, "gguf: the file has no tokenizer");
    gguf_begin(&g, 3, 1);
    gguf_pair_text(&g, "tokenizer.ggml.tokens", "a");
    want_refused(&g, RX_BAD_FILE, "gguf: tokenizer.ggml.tokens: want an array");
    gguf_begin(&g, 3, 1);
    gguf_pair_texts(&g, "tokenizer.ggml.model", (const char *const[]){"gpt2"}, 1);
    want_refused(&g, RX_BAD_FILE, "gguf: tokenizer.ggml.model: want a text");
    gguf_begin(&g, 3, 1);
    gguf_pair_text(&g, "tokenizer.ggml.bos_token_id", "a");
    want_refused(&g, RX_BAD_FILE, "gguf: tokenizer.ggml.bos_token_id: want a token id");
    gguf_begin(&g, 3, 3);
    gguf_pair_text(&g, "tokenizer.ggml.model", "gpt2");
    gguf_pair_texts(&g, "tokenizer.ggml.tokens", (const char *const[]){"a", "b"}, 2);
    gguf_name(&g, "tokenizer.ggml.scores");
    gguf_put(&g, 9, 4);
    gguf_put(&g, 6, 4);
    gguf_put(&g, 1, 8);
    gguf_put(&g, 0, 4);
    want_refused(&g, RX_BAD_FILE, "gguf: tokenizer.ggml.scores: there are not as many scores as tokens");
}

static void refuses_what_makes_no_vocabulary(void **state) {
    (void)state;
    gguf_bytes g;
    gguf_begin(&g, 3, 2);
    gguf_pair_text(&g, "tokenizer.ggml.model", "t5");
    gguf_pair_texts(&g, "tokenizer.ggml.tokens", (const char *const[]){"a"}, 1);
    want_refused(&g, RX_UNSUPPORTED,
                 "vocabulary: tokenizer model 't5' is not supported; known are gpt2 (byte-level BPE), llama "
                 "(SentencePiece BPE), bert (WordPiece)");
    gguf_begin(&g, 3, 3);
    gguf_pair_text(&g, "tokenizer.ggml.model", "gpt2");
    gguf_pair_texts(&g, "tokenizer.ggml.tokens", (const char *const[]){"a", "b"}, 2);
    gguf_pair_texts(&g, "tokenizer.ggml.merges", (const char *const[]){"a b"}, 1);
    want_refused(&g, RX_BAD_FILE, "vocabulary: merge 0 is 'a b', not two tokens that make a third");
    gguf_begin(&g, 3, 3);
    gguf_pair_text(&g, "tokenizer.ggml.model", "gpt2");
    gguf_pair_text(&g, "tokenizer.ggml.pre", "nothing-known");
    gguf_pair_texts(&g, "tokenizer.ggml.tokens", (const char *const[]){"a", "b"}, 2);
    want_refused(
        &g, RX_UNSUPPORTED,
        "vocabulary: pre-tokenizer 'nothing-known' is not known; known are default, gpt-2, gpt2, gpt-neox, "
        "mpt, olmo, phi-2, starcoder, refact, command-r, smollm, codeshell, llama3, llama-v3, llama-bpe, dbrx, "
        "smaug-bpe, qwen2, stablelm2, deepseek-r1-qwen");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_survives_cuts),
        cmocka_unit_test(refuses_with_a_sentence),
        cmocka_unit_test(refuses_what_makes_no_vocabulary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
