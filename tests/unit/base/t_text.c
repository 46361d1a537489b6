// t_text.c - building text, numbers there and back, UTF-8, suggestions, sizes and times.
#define _POSIX_C_SOURCE 200809L
#include "base/count_noun.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/utf8.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the five above.
#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void pieces_add_up(void **state) {
    (void)state;
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    assert_string_equal(text_get(&t), "");
    text_put(&t, "");
    assert_string_equal(text_get(&t), "");
    text_put(&t, "ab");
    text_put_n(&t, "cdef", 2);
    text_put_n(&t, NULL, 0);
    text_put_char(&t, '!');
    text_put_repeat(&t, ' ', 3);
    text_put_repeat(&t, 'z', 0);
    text_format(&t, "%d%s", 7, "x");
    assert_string_equal(text_get(&t), "abcd!   7x");
    assert_int_equal(t.len, 10);
    for (int i = 0; i < 1000; i++) text_format(&t, "%0*d", i % 200 + 1, 0);
    assert_int_equal(t.len, 10 + 5 * (200 * 201 / 2));
    assert_int_equal(strlen(t.at), t.len);
    arena_free(mem);
}

static void formats_that_exactly_fill_the_room(void **state) {
    (void)state;
    for (int width = 1; width < 300; width++) {
        arena *mem = arena_new();
        text t = TEXT_IN(mem);
        text_put_repeat(&t, 'a', (size_t)(width % 70));
        text_format(&t, "%*d", width, 3);
        assert_int_equal(t.len, width % 70 + width);
        assert_int_equal(t.at[t.len - 1], '3');
        assert_int_equal(t.at[t.len], '\0');
        arena_free(mem);
    }
}

static const char *quoted(arena *mem, const char *s, size_t size) {
    text t = TEXT_IN(mem);
    text_put_quoted(&t, s, size);
    return text_get(&t);
}

static void quoting(void **state) {
    (void)state;
    arena *mem = arena_new();
    assert_string_equal(quoted(mem, "", 0), "\"\"");
    assert_string_equal(quoted(mem, "a\n\t\\\"'b", 7), "\"a\\n\\t\\\\\\\"'b\"");
    assert_string_equal(quoted(mem, "\0\x1f\x7f\r", 4), "\"\\x00\\x1f\\x7f\\x0d\"");
    assert_string_equal(quoted(mem, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9),
                        "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
    assert_string_equal(quoted(mem, "\xc3", 1), "\"\\xc3\"");
    assert_string_equal(quoted(mem,
                               "\xff"
                               "a\xe2\x82",
                               4),
                        "\"\\xffa\\xe2\\x82\"");
    arena_free(mem);
}

static const char *written(arena *mem, double value) {
    text t = TEXT_IN(mem);
    text_put_double(&t, value);
    return text_get(&t);
}

static void doubles_as_python_writes_them(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0, "0.0"},
        {-0.0, "-0.0"},
        {1, "1.0"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {1e-4, "0.0001"},
        {1.25e-4, "0.000125"},
        {1e-5, "1e-05"},
        {1.5e-7, "1.5e-07"},
        {1e15, "1000000000000000.0"},
        {1e16, "1e+16"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {9007199254740993.0, "9007199254740992.0"},
        {1e22, "1e+22"},
        {1e23, "1e+23"},
        {1e100, "1e+100"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {2.225073858507201e-308, "2.225073858507201e-308"},
        {0.30000000000000004, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {3.14159f, "3.141590118408203"},
        {100, "100.0"},
        {1024.5, "1024.5"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
        {-NAN, "nan"},
    };
    arena *mem = arena_new();
    for (size_t i = 0; i < COUNT(rows); i++) assert_string_equal(written(mem, rows[i].value), rows[i].text);
    arena_free(mem);
}

static size_t digits_of(const char *s) {
    size_t first = strspn(s, "-0."), last = 0, count = 0;
    for (size_t i = first; s[i] && s[i] != 'e'; i++) {
        if (s[i] == '.') continue;
        count++;
        if (s[i] != '0') last = count;
    }
    return last;
}

// Fewer digits must not read back: `%.*e` with one digit less is the nearest such number.
static bool is_shortest(double value, size_t digits) {
    if (digits <= 1) return true;
    char shorter[64];
    snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, value);
    return strtod(shorter, NULL) != value;
}

static void random_doubles_survive(void **state) {
    (void)state;
    arena *mem = arena_new();
    uint64_t seed = 12345;
    for (int i = 0; i < 120000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = seed ^ seed >> 29;
        if (i % 5 == 0) bits &= 0x800fffffffffffffu; // denormal
        if (i % 5 == 1)
            bits = (bits & 0x8000000000000000u) | (0x3fe0000000000000u + (bits >> 8 & 0xffffffffffffff)); // near 1
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        text t = TEXT_IN(mem);
        text_put_double(&t, value);
        assert_non_null(strpbrk(t.at, ".e"));
        back = strtod(t.at, NULL);
        assert_memory_equal(&back, &value, sizeof back);
        assert_true(is_shortest(value, digits_of(t.at)));
        back = text_read_float(t.at + (t.at[0] == '-'), t.len - (t.at[0] == '-'));
        assert_true(back == fabs(value));
        if (i % 1000 == 0) arena_free(mem), mem = arena_new();
    }
    arena_free(mem);
}

static void reading_doubles(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"1", 1},
        {"1.", 1},
        {".5", 0.5},
        {"1_000.2_5", 1000.25},
        {"1e10", 1e10},
        {"1E+10", 1e10},
        {"1e-5", 1e-5},
        {"1_0e1_0", 1e11},
        {"0", 0},
        {"0e999999999999999999999", 0},
        {"1e999999999999999999999", INFINITY},
        {"1e-999999999999999999999", 0},
        {"000000.125e1", 1.25},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_true(text_read_float(rows[i].text, strlen(rows[i].text)) == rows[i].value);
    arena *mem = arena_new();
    text t = TEXT_IN(mem);
    text_put(&t, "0.");
    text_put_repeat(&t, '0', 100000);
    text_put(&t, "25e100001");
    assert_true(text_read_float(t.at, t.len) == 2.5);
    arena_free(mem);
}

static void numbers_ignore_the_locale(void **state) {
    (void)state;
    static const char *const with_comma[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    bool found = false;
    for (size_t i = 0; i < COUNT(with_comma) && !found; i++) found = setlocale(LC_NUMERIC, with_comma[i]);
    if (!found) skip();
    arena *mem = arena_new();
    assert_string_equal(written(mem, 1.5), "1.5");
    assert_true(text_read_float("1.5e0", 5) == 1.5);
    arena_free(mem);
    setlocale(LC_NUMERIC, "C");
}

static void starts_and_ends(void **state) {
    (void)state;
    assert_true(text_starts("relax", "rel") && text_starts("relax", "") && text_starts("relax", "relax"));
    assert_false(text_starts("rel", "relax"));
    assert_true(text_ends("relax", "lax") && text_ends("relax", "") && text_ends("", ""));
    assert_false(text_ends("lax", "relax") || text_ends("relax", "rel"));
}

static void utf8_is_checked_strictly(void **state) {
    (void)state;
    static const char *const good[] = {"",
                                       "plain",
                                       "\xc2\x80",
                                       "\xdf\xbf",
                                       "\xe0\xa0\x80",
                                       "\xed\x9f\xbf",
                                       "\xee\x80\x80",
                                       "\xef\xbf\xbf",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf",
                                       "12345678\303\25112345678"};
    static const char *const bad[] = {"\x80",
                                      "\xbf",
                                      "\xc0\x80",
                                      "\xc1\xbf",
                                      "\xc2",
                                      "\302a",
                                      "\xe0\x9f\xbf",
                                      "\xed\xa0\x80",
                                      "\xed\xbf\xbf",
                                      "\xe2\x82",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf8\x88\x80\x80\x80",
                                      "\xff",
                                      "\xfe",
                                      "123456789\xe2\x82",
                                      "1234567\20012345678"};
    for (size_t i = 0; i < COUNT(good); i++) assert_true(text_is_utf8(good[i], strlen(good[i])));
    for (size_t i = 0; i < COUNT(bad); i++) assert_false(text_is_utf8(bad[i], strlen(bad[i])));
    assert_true(text_is_utf8("a\0b", 3));
    assert_true(text_is_utf8(NULL, 0));
    assert_int_equal(utf8_first_bad("0123456789\xff", 11), 10);
}

static void utf8_points_survive(void **state) {
    (void)state;
    for (uint32_t point = 0; point <= 0x10ffff; point++) {
        if (point >= 0xd800 && point < 0xe000) continue;
        char bytes[4];
        uint32_t back = UINT32_MAX;
        size_t size = utf8_encode(point, bytes);
        assert_int_equal(utf8_decode(bytes, size, &back), size);
        assert_int_equal(back, point);
        assert_int_equal(utf8_decode(bytes, size - 1, &back), 0);
    }
    assert_int_equal(utf8_columns('a'), 1);
    assert_int_equal(utf8_columns(0x301), 0);
    assert_int_equal(utf8_columns(0x4e00), 2);
    assert_true(utf8_is_hidden(0x202e) && utf8_is_hidden(7) && !utf8_is_hidden('a'));
}

static void suggestions(void **state) {
    (void)state;
    static const char *const known[] = {"matmul", "relu", "reshape", "add", "n", "softmax", "log_softmax"};
    static const struct {
        const char *word, *want;
    } rows[] = {
        {"matmull", "matmul"},
        {"mtamul", "matmul"},
        {"rleu", "relu"},
        {"rehsape", "reshape"},
        {"softmx", "softmax"},
        {"relu", "relu"},
        {"ad", "add"},
        {"xyzzy", NULL},
        {"", NULL},
        {"x", NULL},
        {"log_sotfmax", "log_softmax"},
        {"convolution", NULL},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *got = text_nearest(rows[i].word, known, COUNT(known));
        if (rows[i].want) assert_string_equal(got, rows[i].want);
        if (!rows[i].want) assert_null(got);
    }
    char endless[1000] = {0};
    memset(endless, 'a', sizeof endless - 1);
    const char *const one[] = {endless};
    assert_null(text_nearest(endless, known, COUNT(known)));
    assert_null(text_nearest("aaa", one, 1));
    assert_null(text_nearest("aaa", NULL, 0));
}

static void sizes_and_times(void **state) {
    (void)state;
    char out[32];
    assert_string_equal(text_bytes(0, out), "0 B");
    assert_string_equal(text_bytes(17, out), "17 B");
    assert_string_equal(text_bytes(1023, out), "1023 B");
    assert_string_equal(text_bytes(1024, out), "1 KiB");
    assert_string_equal(text_bytes(3072, out), "3 KiB");
    assert_string_equal(text_bytes(1024 * 1024 - 1, out), "1 MiB");
    assert_string_equal(text_bytes(1024 * 1536, out), "1.5 MiB");
    assert_string_equal(text_bytes(100 * 1024 + 512, out), "101 KiB");
    assert_string_equal(text_bytes(UINT64_MAX, out), "16 EiB");
    assert_string_equal(text_seconds(0, out), "0 ns");
    assert_string_equal(text_seconds(0.0012, out), "1.2 ms");
    assert_string_equal(text_seconds(870e-6, out), "870 us");
    assert_string_equal(text_seconds(999.96e-6, out), "1 ms");
    assert_string_equal(text_seconds(1.25e-7, out), "125 ns");
    assert_string_equal(text_seconds(12.34, out), "12.3 s");
    assert_string_equal(text_seconds(3600, out), "3600 s");
    assert_string_equal(text_seconds(-0.0012, out), "-1.2 ms");
    assert_string_equal(text_seconds(INFINITY, out), "inf s");
    assert_string_equal(text_seconds(1e300, out), "1e+300 s");
}

static void test_nearest_dotted(void **state) {
    (void)state;
    static const char *const known[] = {"exp", "nn.relu", "nn.softmax", "image.resize2d"};
    assert_string_equal(text_nearest_dotted("relu", known, COUNT(known)), "nn.relu");
    assert_string_equal(text_nearest_dotted("nn.exp", known, COUNT(known)), "exp");
    assert_string_equal(text_nearest_dotted("math.softmax", known, COUNT(known)), "nn.softmax");
    assert_string_equal(text_nearest_dotted("nn.softmux", known, COUNT(known)), "nn.softmax");
    assert_null(text_nearest_dotted("nn.conv_of_all", known, COUNT(known)));
}

static void test_suggest(void **state) {
    (void)state;
    arena *mem = arena_new();
    assert_string_equal(text_suggest(mem, "nn.relu", "'R.", "'"), "; did you mean 'R.nn.relu'?");
    assert_string_equal(text_suggest(mem, NULL, "'R.", "'"), "");
    arena_free(mem);
}

static void test_counts_and_nouns(void **state) {
    (void)state;
    assert_string_equal(COUNTED(0, "row"), "0 rows");
    assert_string_equal(COUNTED(1, "row"), "1 row");
    assert_string_equal(COUNTED(21, "row"), "21 rows");
    assert_string_equal(COUNTED(-1, "dim"), "-1 dims");
    assert_string_equal(COUNTED(1, "axis"), "1 axis");
    assert_string_equal(COUNTED(2, "axis"), "2 axes");
    assert_string_equal(COUNTED(1, "index"), "1 index");
    assert_string_equal(COUNTED(UINT64_MAX, "byte"), "18446744073709551615 bytes");
    assert_string_equal(COUNTED(INT64_MIN, "index"), "-9223372036854775808 indices");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_dotted),
        cmocka_unit_test(test_suggest),
        cmocka_unit_test(test_counts_and_nouns),
        cmocka_unit_test(pieces_add_up),
        cmocka_unit_test(formats_that_exactly_fill_the_room),
        cmocka_unit_test(quoting),
        cmocka_unit_test(doubles_as_python_writes_them),
        cmocka_unit_test(random_doubles_survive),
        cmocka_unit_test(reading_doubles),
        cmocka_unit_test(numbers_ignore_the_locale),
        cmocka_unit_test(starts_and_ends),
        cmocka_unit_test(utf8_is_checked_strictly),
        cmocka_unit_test(utf8_points_survive),
        cmocka_unit_test(suggestions),
        cmocka_unit_test(sizes_and_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
