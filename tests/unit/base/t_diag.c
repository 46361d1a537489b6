// t_diag.c - how errors, warnings and notes are kept and printed.
#include "base/diag.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the five above.
#include <cmocka.h>
#include <string.h>

static const char *printed(const diag *d, arena *mem, bool colour) {
    text out = TEXT_IN(mem);
    diag_print(d, &out, colour);
    return text_get(&out);
}

// One error "bad" at a place of `bytes`, printed.
static const char *error_at(arena *mem, const char *bytes, size_t size, uint32_t line, uint32_t col) {
    diag *d = diag_new(mem);
    source src = {.name = "a.py", .bytes = bytes, .size = size};
    assert_false(diag_error(d, (loc){&src, line, col}, "bad"));
    return printed(d, mem, false);
}

static void nothing_prints_nothing(void **state) {
    (void)state;
    arena *mem = arena_new();
    assert_string_equal(printed(diag_new(mem), mem, false), "");
    arena_free(mem);
}

static void the_documented_form(void **state) {
    (void)state;
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    const char bytes[] = "def f(x):\n    lv0 = R.matmul(x, w1)\n    return lv0\n";
    source src = {.name = "mlp.py", .bytes = bytes, .size = sizeof bytes - 1};
    diag_error(d, (loc){&src, 2, 11}, "matmul: want (n, %d), got %d columns", 256, 128);
    diag_note(d, (loc){&src, 1, 7}, "x is declared here");
    diag_warning(d, (loc){0}, "no place for %s", "this");
    assert_string_equal(printed(d, mem, false), "mlp.py:2:11: error: matmul: want (n, 256), got 128 columns\n"
                                                "        lv0 = R.matmul(x, w1)\n"
                                                "              ^\n"
                                                "mlp.py:1:7: note: x is declared here\n"
                                                "    def f(x):\n"
                                                "          ^\n"
                                                "warning: no place for this\n");
    assert_int_equal(d->errors, 1);
    assert_int_equal(d->warnings, 1);
    arena_free(mem);
}

static void colours_only_where_asked(void **state) {
    (void)state;
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    source src = {.name = "x", .bytes = "ab", .size = 2};
    diag_error(d, (loc){&src, 1, 2}, "bad");
    assert_string_equal(printed(d, mem, true), "x:1:2: \033[1;31merror:\033[0m bad\n    ab\n     \033[1;32m^\033[0m\n");
    assert_null(strchr(printed(d, mem, false), '\033'));
    arena_free(mem);
}

static void places_at_the_edges(void **state) {
    (void)state;
    arena *mem = arena_new();
    assert_string_equal(error_at(mem, "ab", 2, 1, 1), "a.py:1:1: error: bad\n    ab\n    ^\n");
    assert_string_equal(error_at(mem, "ab", 2, 1, 3), "a.py:1:3: error: bad\n    ab\n      ^\n");
    assert_string_equal(error_at(mem, "ab", 2, 1, 99), "a.py:1:99: error: bad\n    ab\n      ^\n");
    assert_string_equal(error_at(mem, "ab\n", 3, 2, 1), "a.py:2:1: error: bad\n    \n    ^\n");
    assert_string_equal(error_at(mem, "ab\n", 3, 3, 1), "a.py:3:1: error: bad\n");
    assert_string_equal(error_at(mem, "ab", 2, UINT32_MAX, 1), "a.py:4294967295:1: error: bad\n");
    assert_string_equal(error_at(mem, "ab", 2, 1, 0), "a.py:1:0: error: bad\n");
    assert_string_equal(error_at(mem, "ab", 2, 0, 0), "a.py: error: bad\n");
    assert_string_equal(error_at(mem, NULL, 0, 1, 1), "a.py:1:1: error: bad\n");
    assert_string_equal(error_at(mem, "a\r\nb\r\n", 6, 1, 2), "a.py:1:2: error: bad\n    a\n     ^\n");
    assert_string_equal(error_at(mem, "\357\273\277ab", 5, 1, 2), "a.py:1:2: error: bad\n    ab\n     ^\n");
    arena_free(mem);
}

static void carets_align(void **state) {
    (void)state;
    arena *mem = arena_new();
    assert_string_equal(error_at(mem, "\ta\tb", 4, 1, 4), "a.py:1:4: error: bad\n    \ta\tb\n    \t \t^\n");
    // Two bytes, one column; three bytes, two columns; a combining mark, none.
    assert_string_equal(error_at(mem, "\xc3\xa9=\xe4\xb8\x80+e\xcc\x81;", 11, 1, 11),
                        "a.py:1:11: error: bad\n    \xc3\xa9=\xe4\xb8\x80+e\xcc\x81;\n          ^\n");
    // What can't be seen is escaped and as wide as its escape.
    assert_string_equal(error_at(mem, "a\x01\x7f\xff|", 5, 1, 5),
                        "a.py:1:5: error: bad\n    a\\x01\\x7f\\xff|\n                 ^\n");
    assert_string_equal(error_at(mem, "\xe2\x80\xae|\0", 5, 1, 5),
                        "a.py:1:5: error: bad\n    \\u202e|\\x00\n           ^\n");
    assert_string_equal(error_at(mem, "a\rb", 3, 1, 3), "a.py:1:3: error: bad\n    a\\x0db\n         ^\n");
    arena_free(mem);
}

// Line `n` (from 0) of a text.
static const char *nth_line(arena *mem, const char *s, int n) {
    for (; n > 0; n--) s = strchr(s, '\n') + 1;
    return arena_copy(mem, s, strcspn(s, "\n"));
}

static void check_cut(arena *mem, const char *bytes, size_t size, uint32_t col) {
    const char *out = error_at(mem, bytes, size, 1, col);
    const char *excerpt = nth_line(mem, out, 1), *caret = nth_line(mem, out, 2);
    assert_true(strlen(excerpt) <= 4 + 3 + 160 + 3);
    assert_int_equal(excerpt[strlen(caret) - 1], '!');
    assert_int_equal(caret[strlen(caret) - 1], '^');
    assert_int_equal(strspn(caret, " "), strlen(caret) - 1);
    assert_int_equal(text_starts(excerpt, "    ..."), col > 81);
    assert_int_equal(text_ends(excerpt, "..."), col <= size - 80);
}

static void long_lines_are_cut(void **state) {
    (void)state;
    arena *mem = arena_new();
    static char bytes[5000];
    static const uint32_t cols[] = {1, 2, 80, 81, 82, 160, 161, 2500, 4839, 4840, 4920, 4921, 4999, 5000};
    for (size_t i = 0; i < COUNT(cols); i++) {
        memset(bytes, 'a', sizeof bytes);
        bytes[cols[i] - 1] = '!';
        check_cut(mem, bytes, sizeof bytes, cols[i]);
    }
    memset(bytes, 'a', 160);
    assert_string_equal(nth_line(mem, error_at(mem, bytes, 160, 1, 1), 1), arena_format(mem, "    %.160s", bytes));
    arena_free(mem);
}

static void long_lines_are_cut_between_characters(void **state) {
    (void)state;
    arena *mem = arena_new();
    char bytes[3 * 300];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = "\xe2\x82\xac"[i % 3];
    for (uint32_t col = 1; col <= sizeof bytes; col++) {
        const char *out = error_at(mem, bytes, sizeof bytes, 1, col);
        assert_null(strchr(out, '\\')); // an escape would be half a character
    }
    arena_free(mem);
}

static void messages_are_made_visible(void **state) {
    (void)state;
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    source src = {.name = "a\033.py", .bytes = "", .size = 0};
    diag_error(d, (loc){&src, 1, 1}, "odd \033[2J name\xff\nsecond line");
    assert_string_equal(printed(d, mem, false), "a\\x1b.py:1:1: error: odd \\x1b[2J name\\xff\nsecond line\n");
    d = diag_new(mem);
    diag_error(d, (loc){0}, "unknown %s", "l\nerror: forged");
    assert_string_equal(printed(d, mem, false), "error: unknown l\\x0aerror: forged\n");
    d = diag_new(mem);
    diag_error(d, (loc){0}, "%100000d", 1);
    assert_int_equal(strlen(printed(d, mem, false)), strlen("error: ") + 4000 + strlen("...\n"));
    arena_free(mem);
}

static void errors_past_the_limit_are_counted(void **state) {
    (void)state;
    arena *mem = arena_new();
    diag *d = diag_new(mem);
    for (int i = 1; i <= DIAG_LIMIT + 1; i++) {
        diag_error(d, (loc){0}, "error %d", i);
        diag_note(d, (loc){0}, "note %d", i);
    }
    assert_int_equal(d->errors, DIAG_LIMIT + 1);
    const char *out = printed(d, mem, false);
    assert_non_null(strstr(out, "error: error 20\nnote: note 20\n1 more error not shown\n"));
    assert_null(strstr(out, "note 21"));
    for (int i = 0; i < 100000; i++) diag_error(d, (loc){0}, "more");
    diag_warning(d, (loc){0}, "still heard");
    diag_note(d, (loc){0}, "with its note");
    assert_int_equal(d->len, 2 * DIAG_LIMIT + 2);
    for (int i = 0; i < DIAG_LIMIT + 4; i++) diag_warning(d, (loc){0}, "many");
    out = printed(d, mem, false);
    assert_true(text_ends(out, "\n100001 more errors not shown\n5 more warnings not shown\n"));
    arena_free(mem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_prints_nothing),
        cmocka_unit_test(the_documented_form),
        cmocka_unit_test(colours_only_where_asked),
        cmocka_unit_test(places_at_the_edges),
        cmocka_unit_test(carets_align),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(long_lines_are_cut_between_characters),
        cmocka_unit_test(messages_are_made_visible),
        cmocka_unit_test(errors_past_the_limit_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
