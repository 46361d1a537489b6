// t_json_lex.c - the words of JSON: what each gives, where each fails, and that a failure stays.
#include "base/attributes.h"
#include "base/json_lex.h"
#include "test.h"
#include <math.h>

static json_lexer lex(const char *s) { return json_lex(s, strlen(s)); }

static void numbers(void **state) {
    static const struct {
        const char *written;
        bool minus, whole, fits;
        uint64_t magnitude;
        double value;
    } rows[] = {{"0", false, true, true, 0, 0},
                {"-0", true, true, true, 0, -0.0},
                {"-17 ", true, true, true, 17, -17},
                {"18446744073709551615", false, true, true, UINT64_MAX, 18446744073709551615.0},
                {"18446744073709551616", false, true, false, 0, 18446744073709551616.0},
                {"9007199254740993", false, true, true, 9007199254740993u, 9007199254740992.0},
                {"2.0", false, false, false, 0, 2},
                {"-2.5E+1", true, false, false, 0, -25},
                {"1e400", false, false, false, 0, INFINITY},
                {"1e-400", false, false, false, 0, 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        json_lexer l = lex(rows[i].written);
        json_word w;
        if (!json_take_word(&l, &w) || !json_take_end(&l)) fail_msg("refused %s", rows[i].written);
        double value = json_value_of(&w.number);
        bool same = w.kind == JSON_NUMBER && w.number.minus == rows[i].minus && w.number.whole == rows[i].whole &&
                    w.number.fits == rows[i].fits && value == rows[i].value && (signbit(value) != 0) == rows[i].minus &&
                    (!w.number.fits || w.number.magnitude == rows[i].magnitude);
        if (!same) fail_msg("%s is read as %g", rows[i].written, value);
    }
    (void)state;
}

static void strings(void **state) {
    static const struct {
        const char *written, *text;
        bool zero, half;
    } rows[] = {{"\"\"", "", false, false},
                {"\"a\xc3\xa9\"", "a\xc3\xa9", false, false},
                {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", false, false},
                {"\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"", "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", false, false},
                {"\"\\ud83dx\"", "\xef\xbf\xbdx", false, true},
                {"\"\\ude00\\ud83d\"", "\xef\xbf\xbd\xef\xbf\xbd", false, true},
                {"\"\\ud83d\\ud83d\\ude00\"", "\xef\xbf\xbd\xf0\x9f\x98\x80", false, true},
                {"\"x\\u0000\"", "x", true, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        json_lexer l = lex(rows[i].written);
        json_string s;
        char to[64];
        if (!json_take_string(&l, &s) || !json_take_end(&l)) fail_msg("refused %s", rows[i].written);
        size_t size = json_decode(&s, to);
        assert_int_equal(size, strlen(rows[i].text) + rows[i].zero);
        assert_memory_equal(to, rows[i].text, size);
        assert_true(s.zero == rows[i].zero && s.half == rows[i].half);
    }
    (void)state;
}

static void failures(void **state) {
    static const struct {
        const char *written, *wanted;
        size_t place;
    } rows[] = {{"", "a value", 0},
                {"  x", "a value", 2},
                {"01", "a value", 0},
                {"-", "a value", 0},
                {"+1", "a value", 0},
                {"nul", "a value", 0},
                {"1.", "digits behind the point", 2},
                {"1e", "an exponent", 2},
                {"1e+", "an exponent", 3},
                {"\"ab", "the end of a string", 3},
                {"\"\\x\"", "an escape", 2},
                {"\"\\u12\"", "four hexadecimal digits", 5},
                {"\"\\", "an escape", 2},
                {"\"a\x01\"", "no control byte in a string", 2},
                {"\"ab\xff\"", "UTF-8", 3}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        json_lexer l = lex(rows[i].written);
        json_word w;
        if (json_take_word(&l, &w)) fail_msg("took %s", rows[i].written);
        assert_string_equal(l.wanted, rows[i].wanted);
        if (json_place(&l) != rows[i].place) fail_msg("%s fails at %zu", rows[i].written, json_place(&l));
        assert_false(json_take_word(&l, &w) || json_take(&l, 'x') || json_more(&l, ']', true) || json_take_end(&l));
        assert_string_equal(l.wanted, rows[i].wanted);
    }
    (void)state;
}

static void lists(void **state) {
    json_lexer l = lex(" [ 1 , 2 ] ");
    json_word w;
    uint64_t sum = 0;
    assert_true(json_take_word(&l, &w) && w.kind == JSON_LIST);
    for (bool first = true; json_more(&l, ']', first); first = false) {
        assert_true(json_take_word(&l, &w));
        sum = sum * 10 + w.number.magnitude;
    }
    assert_true(sum == 12 && !l.wanted && json_take_end(&l));
    l = lex("{}");
    assert_true(json_want(&l, '{') && !json_more(&l, '}', true) && !l.wanted);
    l = lex("1 2");
    assert_true(json_take_word(&l, &w) && !json_more(&l, '}', false));
    assert_string_equal(l.wanted, "',' or '}'");
    l = lex("\"k\" 1");
    json_string key;
    assert_false(json_take_key(&l, &key));
    assert_string_equal(l.wanted, "':'");
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(strings), cmocka_unit_test(failures),
                                       cmocka_unit_test(lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
