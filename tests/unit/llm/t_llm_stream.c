// t_llm_stream.c - text of answers: stop strings in whichever pieces they come, whole characters only.
#include "llm/stream.h"
#include "small.h"
#include "test.h"
#include <stdlib.h>

typedef struct answer {
    char text[200];
    size_t size;
    bool stopped;
} answer;

static void add(answer *a, text_span piece) {
    assert_true(a->size + piece.size < sizeof a->text);
    if (piece.size) memcpy(a->text + a->size, piece.at, piece.size);
    a->size += piece.size;
    a->text[a->size] = 0;
}

// Bytes as tokens of small_bpe, one after the other; each piece that comes out is whole characters.
static answer stream(const char *bytes, size_t size, const char *const *stop, size_t stops) {
    vocabulary *v = small_bpe("gpt-2");
    text_stream s;
    text_span piece;
    answer a = {0};
    assert_int_equal(text_stream_init(&s, v, stop, stops, NULL), RX_OK);
    for (size_t i = 0; i < size; i++) {
        assert_int_equal(text_stream_push(&s, (uint8_t)bytes[i], &piece, NULL), RX_OK);
        if (piece.size) assert_int_not_equal((uint8_t)piece.at[0] & 0xc0, 0x80);
        add(&a, piece);
    }
    assert_int_equal(text_stream_finish(&s, &piece, NULL), RX_OK);
    add(&a, piece);
    a.stopped = s.stopped;
    text_stream_free(&s);
    vocabulary_free(v);
    return a;
}

static void want(const char *text, const char *const *stop, size_t stops, const char *shown, bool stopped) {
    answer a = stream(text, strlen(text), stop, stops);
    assert_string_equal(a.text, shown);
    assert_int_equal(a.stopped, stopped);
}

static void stops_before_the_string(void **state) {
    (void)state;
    const char *const stop[] = {"END", "\n\n", "aab"};
    want("one END two", stop, 3, "one ", true);
    want("one EN", stop, 3, "one EN", false);
    want("E EN END", stop, 3, "E EN ", true);
    want("a\nb\n\nc", stop, 3, "a\nb", true);
    want("aaaab", stop, 3, "aa", true);
    want("END", stop, 3, "", true);
    want("", stop, 3, "", false);
    want("no stops", NULL, 0, "no stops", false);
}

// "abcd" could still come when "bc" is whole: the earlier beginning does not hide it.
static void finds_one_inside_another(void **state) {
    (void)state;
    const char *const stop[] = {"abcd", "bc"};
    want("xabcd", stop, 2, "xa", true);
    want("xabx", stop, 2, "xabx", false);
}

static void gives_whole_characters(void **state) {
    (void)state;
    answer a = stream("\xe2\x82\xac!", 4, NULL, 0);
    assert_string_equal(a.text, "\xe2\x82\xac!");
    a = stream("a\xe2\x82", 3, NULL, 0); // cut short: the replacement character
    assert_string_equal(a.text, "a\xef\xbf\xbd");
}

static void refuses_empty_stops(void **state) {
    (void)state;
    vocabulary *v = small_bpe("gpt-2");
    text_stream s;
    char why[FILE_WHY] = "";
    assert_int_equal(text_stream_init(&s, v, (const char *const[]){"a", ""}, 2, why), RX_INVALID_ARGUMENT);
    assert_string_equal(why, "a stop string is empty");
    vocabulary_free(v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_before_the_string),
        cmocka_unit_test(finds_one_inside_another),
        cmocka_unit_test(gives_whole_characters),
        cmocka_unit_test(refuses_empty_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
