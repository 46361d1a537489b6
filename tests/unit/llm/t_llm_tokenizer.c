// t_llm_tokenizer.c - text to ids and back with small vocabularies of ours; how long long words take.
#define _POSIX_C_SOURCE 200809L
#include "llm/tokenizer.h"
#include "small.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// The ids of `text` as a line.
static void ids_of(const vocabulary *v, const char *text, unsigned flags, char out[512]) {
    char why[FILE_WHY] = "";
    tokenizer *t = NULL;
    token_list ids = {0};
    assert_int_equal(tokenizer_new(v, &t, why), RX_OK);
    if (tokenizer_encode(t, span_of(text), flags, &ids, why) != RX_OK) fail_msg("%s", why);
    out[0] = 0;
    for (size_t i = 0; i < ids.count; i++) sprintf(out + strlen(out), "%s%u", i ? " " : "", ids.at[i]);
    token_list_free(&ids);
    tokenizer_free(t);
}

static void want_ids(const vocabulary *v, const char *text, unsigned flags, const char *want) {
    char got[512];
    ids_of(v, text, flags, got);
    assert_string_equal(got, want);
}

static void merges_by_rank(void **state) {
    (void)state;
    vocabulary *v = small_bpe("gpt-2");
    want_ids(v, "hello", 0, "259");
    want_ids(v, "hell", 0, "258");
    want_ids(v, "lll", 0, "257 108");
    want_ids(v, "llll", 0, "257 257");
    want_ids(v, "hello wow", 0, "259 260 111 119");
    want_ids(v, "", 0, "");
    want_ids(v, "\xf0\x9f\xa6\x99", 0, "240 159 166 153");
    vocabulary_free(v);
}

static void special_tokens(void **state) {
    (void)state;
    vocabulary *v = small_bpe("gpt-2");
    want_ids(v, "h<|end|>", TOKENIZE_SPECIAL, "104 261");
    want_ids(v, "h<|end|>", 0, "104 60 124 101 110 100 124 62");
    want_ids(v, "h<|en", TOKENIZE_SPECIAL, "104 60 124 101 110");
    want_ids(v, "h   l", 0, "104 262 32 108"); // user-defined tokens always count
    vocabulary_free(v);
}

static void words_limit_merges(void **state) {
    (void)state;
    vocabulary *gpt2 = small_bpe("gpt-2"), *digits = small_bpe("smollm"), *llama = small_bpe("llama-bpe");
    want_ids(gpt2, "he'll", 0, "256 39 257"); // 'll is a word
    want_ids(digits, "12 w", 0, "49 50 260");
    want_ids(llama, "he'LL", 0, "256 39 76 76");
    want_ids(llama, "h", TOKENIZE_ADD_ENDS, "261 104"); // this family begins with bos
    want_ids(gpt2, "h", TOKENIZE_ADD_ENDS, "104");
    vocabulary_free(gpt2), vocabulary_free(digits), vocabulary_free(llama);
}

static void merges_by_score(void **state) {
    (void)state;
    vocabulary *v = small_spm();
    want_ids(v, "ab", 0, "263");
    want_ids(v, "bab", 0, "259 264 261");
    want_ids(v, "aba", 0, "259 260 264"); // ba is better than ab
    want_ids(v, "\xc3\xa9", 0, "259 198 172");
    want_ids(v, "b</s>a", TOKENIZE_ADD_ENDS | TOKENIZE_SPECIAL, "1 259 261 2 259 260");
    vocabulary_free(v);
}

static void refuses(void **state) {
    (void)state;
    char why[FILE_WHY] = "";
    vocabulary *v = small_bpe("gpt-2");
    tokenizer *t = NULL;
    token_list ids = {0};
    assert_int_equal(tokenizer_new(v, &t, why), RX_OK);
    assert_int_equal(tokenizer_encode(t, span_of("ab\xff"), 0, &ids, why), RX_INVALID_ARGUMENT);
    assert_string_equal(why, "tokenizer: the text is not UTF-8 at byte 2");
    assert_int_equal(ids.count, 0);
    tokenizer_free(t);
    vocabulary_free(v);
}

static void want_text(detokenizer *d, uint32_t id, const char *want) {
    text_span got;
    char why[FILE_WHY];
    assert_int_equal(detokenizer_push(d, id, &got, why), RX_OK);
    assert_true(span_is(got, want));
}

static void whole_characters_only(void **state) {
    (void)state;
    vocabulary *v = small_bpe("gpt-2");
    detokenizer d = DETOKENIZER(v);
    want_text(&d, 240, "");
    want_text(&d, 159, "");
    want_text(&d, 166, "");
    want_text(&d, 153, "\xf0\x9f\xa6\x99");
    want_text(&d, 260, " w");
    want_text(&d, 240, "");
    want_text(&d, 104, "\xef\xbf\xbdh"); // what was begun can't be completed any more
    want_text(&d, 0x80, "\xef\xbf\xbd");
    want_text(&d, 261, "");
    want_text(&d, 0xe0, "");
    want_text(&d, 0x80, "\xef\xbf\xbd\xef\xbf\xbd"); // overlong: never a character
    want_text(&d, 0xc3, "");
    assert_true(span_is(detokenizer_finish(&d), "\xef\xbf\xbd"));
    assert_true(span_is(detokenizer_finish(&d), ""));
    d.show_special = true;
    want_text(&d, 261, "<|end|>");
    text_span none;
    assert_int_equal(detokenizer_push(&d, 263, &none, NULL), RX_INVALID_ARGUMENT);
    detokenizer_free(&d);
    vocabulary_free(v);
}

static void spaces_come_back(void **state) {
    (void)state;
    vocabulary *v = small_spm();
    detokenizer d = DETOKENIZER(v);
    want_text(&d, 1, "");
    want_text(&d, 263, "ab"); // the prefix
    want_text(&d, 263, " ab");
    want_text(&d, 3 + 0xc3, "");
    want_text(&d, 3 + 0xa9, "\xc3\xa9");
    detokenizer_free(&d);
    vocabulary_free(v);
}

// Twice the text takes about twice the time; a quadratic loop would take hours here, not seconds.
static void long_words_are_no_trouble(void **state) {
    (void)state;
    enum { LONG = 1000000 };
    static const char *const unit[] = {"l", " ", "\n", "0", "\xf0\x9f\xa6\x99", "a ", "'"};
    static const char *const pre[] = {"gpt-2", "llama-bpe", "qwen2", "smollm"};
    char *text = malloc(4 * LONG);
    assert_non_null(text);
    clock_t begin = clock();
    for (size_t i = 0; i < COUNT(unit) * COUNT(pre); i++) {
        const char *u = unit[i % COUNT(unit)];
        size_t size = strlen(u);
        for (size_t n = 0; n < LONG; n++) memcpy(text + n * size, u, size);
        vocabulary *v = small_bpe(pre[i / COUNT(unit)]);
        tokenizer *t = NULL;
        token_list ids = {0};
        assert_int_equal(tokenizer_new(v, &t, NULL), RX_OK);
        assert_int_equal(tokenizer_encode(t, (text_span){text, LONG * size}, 0, &ids, NULL), RX_OK);
        assert_true(ids.count >= LONG / 2);
        token_list_free(&ids);
        tokenizer_free(t);
        vocabulary_free(v);
    }
    free(text);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 90);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merges_by_rank),
        cmocka_unit_test(special_tokens),
        cmocka_unit_test(words_limit_merges),
        cmocka_unit_test(merges_by_score),
        cmocka_unit_test(refuses),
        cmocka_unit_test(whole_characters_only),
        cmocka_unit_test(spaces_come_back),
        cmocka_unit_test(long_words_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
