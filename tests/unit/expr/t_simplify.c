// t_simplify.c - simplification with and without facts, as text.
#include "fixture.h"
#include "random_expr.h"

typedef struct row {
    const char *from, *given, *to;
} row;

static void check_rows(fixture *f, const row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const expr *to = expr_simplify(f->s, parsed(f, rows[i].from), given(f, rows[i].given));
        const char *got = printed(f, to, true);
        if (strcmp(got, rows[i].to) != 0)
            fail_msg("%s given %s: want %s, got %s", rows[i].from, rows[i].given, rows[i].to, got);
    }
}

static void without_facts(void **state) {
    static const row rows[] = {
        {"n", "", "n"},
        {"n*4 + (n + 1)*4 - 4", "", "n * 8"},
        {"(n + 15)//16*16", "", "(n + 15) // 16 * 16"}, // what is short already stays as written
        {"n*3//4", "", "n * 3 // 4"},
        {"(n + 1)*4", "", "(n + 1) * 4"},
        {"(h + 2*1 - 1*(3 - 1) - 1)//2 + 1", "", "(h + 1) // 2"},
        {"(n//4)*4 + n%4", "", "n"},
        {"x*x - y*y + (y - x)*(x + y)", "", "0"},
        {"max(min(n, 8), min(8, n))", "", "T.min(n, 8)"},
        {"min(n, 4)*2 - 2*min(4, n)", "", "0"},
        {"n + m*3 - n + 5 - m*2", "", "m + 5"},
        {"not (n >= m)", "", "n < m"},
        {"n < m and n < m + 1", "", "n < m"},
        {"n < 3 and n < 5", "", "n < 3"},
        {"n < 3 or n < 5", "", "n < 5"},
        {"n < 3 and n > 5", "", "T.bool(False)"},
        {"n*2 == 7", "", "T.bool(False)"},
        {"T.Select(n < m, n, m)", "", "T.min(n, m)"},
        {"T.Select(i < n, min(i, n), 0)", "", "T.Select(i < n, i, 0)"},
        {"T.if_then_else(i < 4, T.if_then_else(i < 8, i, 0), 2)", "", "T.if_then_else(i < 4, i, T.int64(2))"},
        {"T.if_then_else(i < 4, 1, T.if_then_else(i < 2, 5, 2))", "", "T.if_then_else(i < 4, T.int64(1), T.int64(2))"},
        {"T.Select(n < m, 3, 3)", "", "3"},
        {"T.truncdiv(n*4, 4)", "", "n"},
    };
    check_rows(*state, rows, COUNT(rows));
}

static void with_facts(void **state) {
    static const row rows[] = {
        {"(i*4 + j)//4", "0 <= j < 4", "i"},
        {"(i*4 + j)%4", "0 <= j < 4", "j"},
        {"((i*8 + j)*4 + k)%32//4", "0 <= j < 8; 0 <= k < 4", "j"},
        {"(i*m + j)//m", "0 <= j < m", "i"},
        {"(i*m + j)%m", "0 <= j < m", "j"},
        {"n*2 % 16", "n % 8 == 0", "0"},
        {"(n//8)*8", "n % 8 == 0", "n"},
        {"(n + 7)//8*8", "n % 8 == 0", "n"},
        {"max(n, 0)", "n >= 0", "n"},
        {"min(io*16 + 16, n) - io*16", "io < n//16", "16"},
        {"min(i, n - 1)", "i < n", "i"},
        {"T.Select(i < n, a, b)", "i < n", "a"},
        {"T.Select(i < n and j < m, a, b)", "i < n", "T.Select(j < m, a, b)"},
        {"i < n", "i < n", "T.bool(True)"},
        {"i >= n", "i < n", "T.bool(False)"},
        {"n*m//m", "m > 0", "n"},
        // A divisor that only the facts tell to be positive.
        {"i % (n - m)", "0 <= i and i < n - m", "i"},
        {"i // ((n + 3)//4)", "0 <= i and i < (n + 3)//4", "0"},
        {"i % ((n + 3)//4)", "0 <= i and i < (n + 3)//4", "i"},
        {"i % (n - m)", "0 <= i and i <= n - m", "i % (n - m)"},
        {"n//n", "n != 0", "1"},
        {"n*3 + m", "n == 2", "m + 6"},
        {"n*3 + m", "n >= 2; n <= 2", "m + 6"},
        {"T.truncdiv(n, 4)", "n >= 0", "n // 4"},
        {"T.abs(n)", "n > 3", "n"},
        {"n % 16", "0 <= n < 16", "n"},
        {"n // 16", "0 <= n < 16", "0"},
        {"T.if_then_else(i < 4, i//4, i)", "i >= 0", "T.if_then_else(i < 4, T.int64(0), i)"},
    };
    check_rows(*state, rows, COUNT(rows));
}

// Integer parts inside floats are simplified; the floats stay in their order.
static void floats_are_not_reassociated(void **state) {
    fixture *f = *state;
    declare(f, "x", "float32");
    declare(f, "y", "float32");
    static const row rows[] = {
        {"(x + y) - y", "", "x + y - y"},
        {"x*T.float32(1)", "", "x * T.float32(1.0)"},
        {"x + T.Cast(\"float32\", n + n - n)", "", "x + T.Cast(\"float32\", n)"},
        {"T.Select(n < n + 1, x, y)", "", "x"},
        {"T.Select(n < m, x, x)", "", "x"},
    };
    check_rows(f, rows, COUNT(rows));
}

// A select evaluates both sides: the one not taken must keep its value, too.
static void unchosen_sides_keep_their_value(void **state) {
    static const row rows[] = {
        {"T.Select(i > 0, 8 // max(i, 1), 0)", "", "T.Select(0 < i, 8 // T.max(i, 1), 0)"},
        {"T.if_then_else(i > 0, 8 // max(i, 1), 0)", "", "T.if_then_else(0 < i, 8 // i, T.int64(0))"},
        {"i > 0 and 8 // max(i, 1) > 2", "", "0 < i and 2 < 8 // T.max(i, 1)"},
    };
    check_rows(*state, rows, COUNT(rows));
}

static void simplifying_twice_changes_nothing(void **state) {
    fixture *f = *state;
    random_source r = random_start(f->s, 4711);
    uint32_t changed = 0;
    for (int i = 0; i < 1000; i++) {
        const expr *once = expr_simplify(f->s, random_integer_expr(&r, 4), NULL);
        changed += expr_simplify(f->s, once, NULL) != once;
    }
    assert_true(changed <= 20); // rarely the second look finds more
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(without_facts),
        TEST(with_facts),
        TEST(floats_are_not_reassociated),
        TEST(unchosen_sides_keep_their_value),
        TEST(simplifying_twice_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
