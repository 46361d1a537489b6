// t_json.c - JSON as configurations have it, and what is refused.
#include "checkpoint/json.h"
#include "test.h"
#include <string.h>

static const json_value *read(arena *mem, const char *bytes) {
    char why[FILE_WHY] = "";
    const json_value *v = json_parse(mem, bytes, strlen(bytes), why);
    if (!v) assert_true(*why);
    return v;
}

static void values(void **state) {
    arena *mem = arena_new();
    const json_value *v =
        read(mem, " {\"a\": [1, -2.5e1, true, null, \"x\\n\\u00e9\\ud83d\\ude00\"], \"b\": {}, \"a2\": 3} ");
    assert_non_null(v);
    const json_value *a = json_find(v, "a");
    assert_int_equal(a->count, 5);
    assert_true(a->item[0].number == 1 && a->item[1].number == -25);
    assert_int_equal(a->item[2].kind, JSON_BOOL);
    assert_int_equal(a->item[3].kind, JSON_NULL);
    assert_string_equal(a->item[4].text, "x\n\xc3\xa9\xf0\x9f\x98\x80");
    assert_int_equal(json_find(v, "b")->count, 0);
    assert_int_equal(json_int(v, "a2", 7), 3);
    assert_int_equal(json_int(v, "none", 7), 7);
    assert_int_equal(json_int(v, "a", 7), 7);
    assert_null(json_find(a, "a"));
    assert_null(json_find(NULL, "a"));
    arena_free(mem);
    (void)state;
}

static void the_last_of_equal_names(void **state) {
    arena *mem = arena_new();
    const json_value *v = read(mem, "{\"a\": 1, \"a\": 2.5}");
    assert_true(json_number(v, "a", 0) == 2.5);
    assert_int_equal(json_int(v, "a", 9), 9);
    arena_free(mem);
    (void)state;
}

static void refused(void **state) {
    static const char *const bad[] = {"",         "{",           "[1,]", "{\"a\"}", "{\"a\":1,}",  "[1 2]",
                                      "01",       "1.",          "1e",   "\"a",     "\"\\x\"",     "\"\\u12\"",
                                      "tru",      "\"\\ud800\"", "-",    "[1] 2",   "\"\\u0000\"", "\"\x01\"",
                                      "\"\xff\"", "{1: 2}",      "'a'",  "nul",     "+1",          "\"\\udc00\""};
    arena *mem = arena_new();
    for (size_t i = 0; i < COUNT(bad); i++)
        if (read(mem, bad[i])) fail_msg("took %s", bad[i]);
    arena_free(mem);
    (void)state;
}

static void nesting_is_bounded(void **state) {
    char deep[2 * JSON_DEPTH + 3];
    arena *mem = arena_new();
    memset(deep, '[', JSON_DEPTH + 1);
    memset(deep + JSON_DEPTH + 1, ']', JSON_DEPTH + 1);
    assert_null(json_parse(mem, deep, 2 * JSON_DEPTH + 2, NULL));
    assert_non_null(json_parse(mem, deep + 1, 2 * JSON_DEPTH, NULL));
    arena_free(mem);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(the_last_of_equal_names),
                                       cmocka_unit_test(refused), cmocka_unit_test(nesting_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
