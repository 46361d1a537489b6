// t_llm_tokenizer_recorded.c - the vocabularies and texts that llama.cpp tests itself with, and random texts recorded
// by tools/record_tokenizers.py: the same ids. Counted as skipped where the vocabularies are missing.
#include "llm/tokenizer.h"
#include "small.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct opened {
    gguf *file;
    vocab_gguf vocab;
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
    if (gguf_open(path, &o->file, why) || vocab_gguf_read(o->file, &o->vocab, why) ||
        vocabulary_new(&o->vocab.source, &o->v, why) || tokenizer_new(o->v, &o->t, why))
        fail_msg("%s", why);
}

static void close_all(opened *o) {
    tokenizer_free(o->t);
    vocabulary_free(o->v);
    vocab_gguf_free(&o->vocab);
    gguf_close(o->file);
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

// One line of tests/data/tokenizers: hexadecimal bytes or "-", then ids. Gives the line behind it.
static const char *check_random(const opened *o, const char *line) {
    char text[4096];
    size_t size = 0, digits = strcspn(line, " \n");
    for (size_t i = 0; line[0] != '-' && i < digits; i += 2) {
        char byte[3] = {line[i], line[i + 1], 0};
        assert_true(size < sizeof text);
        text[size++] = (char)strtoul(byte, NULL, 16);
    }
    return check_line(o, (text_span){text, size}, line + digits);
}

static void same_ids_for_random_texts(void **state) {
    char path[1024], *lines = NULL;
    opened o = {0};
    size_t size, count = 0;
    if (!path_of(path, *state, "") || !getenv("SRC")) {
        skip();
        return;
    }
    open_all(&o, path);
    snprintf(path, sizeof path, "%s/tests/data/tokenizers/%s.txt", getenv("SRC"), (const char *)*state);
    assert_int_equal(file_read(path, 1 << 20, &lines, &size, NULL), RX_OK);
    for (const char *line = lines; *line; count++) line = check_random(&o, line);
    assert_int_equal(count, 200);
    free(lines);
    close_all(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(same_ids, "gpt-2"),
        cmocka_unit_test_prestate(same_ids, "starcoder"),
        cmocka_unit_test_prestate(same_ids, "llama-bpe"),
        cmocka_unit_test_prestate(same_ids, "qwen2"),
        cmocka_unit_test_prestate(same_ids, "llama-spm"),
        cmocka_unit_test_prestate(same_ids, "phi-3"),
        cmocka_unit_test_prestate(same_ids, "bert-bge"),
        cmocka_unit_test_prestate(same_ids_for_random_texts, "gpt-2"),
        cmocka_unit_test_prestate(same_ids_for_random_texts, "gpt-neox"),
        cmocka_unit_test_prestate(same_ids_for_random_texts, "starcoder"),
        cmocka_unit_test_prestate(same_ids_for_random_texts, "llama-bpe"),
        cmocka_unit_test_prestate(same_ids_for_random_texts, "qwen2"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
