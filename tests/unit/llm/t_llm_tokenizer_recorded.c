// t_llm_tokenizer_recorded.c - the vocabularies and texts that llama.cpp tests itself with: the same ids. Counted as
// skipped where the data is missing.
#include "llm/tokenizer.h"
#include "small.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct opened {
    mapped_file file;
    vocab_gguf gguf;
    vocabulary *v;
    tokenizer *t;
} opened;

static bool path_of(char path[1024], const char *name, const char *suffix) {
    const char *data = getenv("RELAX_TEST_DATA");
    if (!data) return false;
    snprintf(path, 1024, "%s/tokenizers/ggml-vocab-%s.gguf%s", data, name, suffix);
    FILE *f = fopen(path, "rb");
    if (f) fclose(f);
    return f;
}

static void open_all(opened *o, const char *path) {
    char why[FILE_WHY] = "";
    if (file_map(path, &o->file, why) || vocab_gguf_read(o->file.data, o->file.size, &o->gguf, why) ||
        vocabulary_new(&o->gguf.source, &o->v, why) || tokenizer_new(o->v, &o->t, why))
        fail_msg("%s", why);
}

static void close_all(opened *o) {
    tokenizer_free(o->t);
    vocabulary_free(o->v);
    vocab_gguf_free(&o->gguf);
    file_unmap(&o->file);
}

// Tokens of byte-level BPE give back the very text.
static void check_back(const opened *o, text_span text, const token_list *ids) {
    detokenizer d = DETOKENIZER(o->v);
    size_t at = 0;
    for (size_t i = 0; i < ids->count; i++) {
        text_span piece;
        assert_int_equal(detokenizer_push(&d, ids->at[i], &piece, NULL), RX_OK);
        assert_true(piece.size <= text.size - at);
        assert_memory_equal(piece.at, text.at + at, piece.size);
        at += piece.size;
    }
    assert_int_equal(at, text.size);
    detokenizer_free(&d);
}

// One line of the .out file: " 1 2 3".
static const char *check_line(const opened *o, text_span text, const char *line) {
    char why[FILE_WHY] = "", *end = NULL;
    token_list ids = {0};
    if (tokenizer_encode(o->t, text, 0, &ids, why) != RX_OK) fail_msg("%s", why);
    for (size_t i = 0; i < ids.count; i++) {
        if (line[0] == '\n') fail_msg("more ids than recorded for '%.*s'", (int)text.size, text.at);
        if (strtoul(line, &end, 10) != ids.at[i]) fail_msg("other ids for '%.*s'", (int)text.size, text.at);
        line = end;
    }
    if (line[0] != '\n') fail_msg("fewer ids than recorded for '%.*s'", (int)text.size, text.at);
    if (o->v->model == VOCABULARY_BPE) check_back(o, text, &ids);
    token_list_free(&ids);
    return line + 1;
}

static unsigned check_all(const opened *o, const char *texts, const char *lines) {
    static const char between[] = "\n__ggml_vocab_test__\n";
    unsigned count = 0;
    for (; *lines; count++) {
        const char *end = strstr(texts, between);
        size_t size = end ? (size_t)(end - texts) : strlen(texts);
        lines = check_line(o, (text_span){texts, size}, lines);
        texts = end ? end + sizeof between - 1 : texts + size;
    }
    return count;
}

static void same_ids(void **state) {
    char path[1024], *texts = NULL, *lines = NULL;
    opened o = {0};
    if (!path_of(path, *state, "")) {
        skip();
        return;
    }
    open_all(&o, path);
    size_t size;
    assert_true(path_of(path, *state, ".inp"));
    assert_int_equal(file_read(path, 1 << 20, &texts, &size, NULL), RX_OK);
    assert_true(path_of(path, *state, ".out"));
    assert_int_equal(file_read(path, 1 << 20, &lines, &size, NULL), RX_OK);
    assert_true(check_all(&o, texts, lines) >= 46);
    free(texts), free(lines);
    close_all(&o);
}

// GPT-NeoX has texts of no one; its vocabulary has spaces as user-defined tokens.
static void gives_text_back(void **state) {
    char path[1024];
    opened o = {0};
    token_list ids = {0};
    text_span text = span_of("Hello,   world's 123 \n\n\t \xf0\x9f\xa6\x99 \xe6\x88\x91  he'll        DON'T");
    if (!path_of(path, *state, "")) {
        skip();
        return;
    }
    open_all(&o, path);
    assert_int_equal(tokenizer_encode(o.t, text, 0, &ids, NULL), RX_OK);
    check_back(&o, text, &ids);
    token_list_free(&ids);
    close_all(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(same_ids, "gpt-2"),     cmocka_unit_test_prestate(same_ids, "starcoder"),
        cmocka_unit_test_prestate(same_ids, "llama-bpe"), cmocka_unit_test_prestate(same_ids, "qwen2"),
        cmocka_unit_test_prestate(same_ids, "llama-spm"), cmocka_unit_test_prestate(same_ids, "phi-3"),
        cmocka_unit_test_prestate(same_ids, "bert-bge"),  cmocka_unit_test_prestate(gives_text_back, "gpt-neox"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
