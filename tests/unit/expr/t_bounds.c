// t_bounds.c - intervals and known multiples.
#include "expr/prove.h"
#include "fixture.h"

typedef struct row {
    const char *e, *given, *want; // "low..high multiple:remainder", * for an open side
} row;

static const char *described(fixture *f, interval r) {
    text t = TEXT_IN(f->mem);
    if (r.has_low)
        text_format(&t, "%lld", (long long)r.low);
    else
        text_put(&t, "*");
    text_put(&t, "..");
    if (r.has_high)
        text_format(&t, "%lld", (long long)r.high);
    else
        text_put(&t, "*");
    text_format(&t, " %lld:%lld", (long long)r.multiple, (long long)r.remainder);
    return text_get(&t);
}

static void bounds_are_tight(void **state) {
    static const row rows[] = {
        {"n", "", "*..* 1:0"},
        {"7", "", "7..7 0:7"},
        {"n", "0 <= n <= 4096", "0..4096 1:0"},
        {"n*768*4", "0 <= n <= 4096", "0..12582912 3072:0"},
        {"n*4 + 3", "", "*..* 4:3"},
        {"n*4 + m*6", "", "*..* 2:0"},
        {"n", "n % 8 == 0", "*..* 8:0"},
        {"n", "n % 8 == 3; 0 <= n < 20", "3..19 8:3"},
        {"n", "(n + 1) % 8 == 0", "*..* 8:7"},
        {"n*m", "0 <= n <= 10; -3 <= m <= 2", "-30..20 1:0"},
        {"n*n", "-3 <= n <= 2", "0..9 1:0"},
        {"n*n", "", "0..* 1:0"},
        {"n//4", "0 <= n <= 10", "0..2 1:0"},
        {"n//4", "n % 8 == 0", "-2305843009213693952..2305843009213693950 2:0"},
        {"n//(-4)", "0 <= n <= 10", "-3..0 1:0"},
        {"n//m", "0 <= n <= 10; 2 <= m <= 3", "0..5 1:0"},
        {"n%4", "", "0..3 1:0"},
        {"n%4", "n % 8 == 6", "2..2 0:2"},
        {"n%m", "1 <= m <= 5", "0..4 1:0"},
        {"n%8 + m%4*8", "", "0..31 1:0"},
        {"(n + 15)//16*16 - n", "", "0..15 1:0"},
        {"min(n, 4096)", "n >= 1", "1..4096 1:0"},
        {"max(n, 3)", "n <= 9", "3..9 1:0"},
        {"min(n*4, 8)", "n >= 0", "0..8 4:0"},
        {"T.Select(n < m, 3, 11)", "", "3..11 8:3"},
        {"T.bitwise_and(n, 12)", "", "0..12 1:0"},
        {"m", "0 <= j < m", "1..* 1:0"},
        {"n", "n == 2*m; 1 <= m <= 5", "2..10 1:0"},
        {"n", "n >= 0; n != 0", "1..* 1:0"},
        {"n + 1", "", "-9223372036854775807..* 1:0"},
        {"n - n", "", "0..0 0:0"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fixture *f = *state;
        const expr *e = parsed(f, rows[i].e);
        const char *got = described(f, expr_bounds(f->s, e, given(f, rows[i].given)));
        if (strcmp(got, rows[i].want) != 0)
            fail_msg("%s given %s: want %s, got %s", rows[i].e, rows[i].given, rows[i].want, got);
    }
}

static void types_bound_their_variables(void **state) {
    fixture *f = *state;
    declare(f, "a", "int32");
    declare(f, "u", "uint8");
    assert_string_equal(described(f, expr_bounds(f->s, parsed(f, "a"), NULL)), "-2147483648..2147483647 1:0");
    assert_string_equal(described(f, expr_bounds(f->s, parsed(f, "T.Cast(\"int64\", u) + 1"), NULL)), "1..256 1:0");
    assert_string_equal(described(f, expr_bounds(f->s, parsed(f, "T.Cast(\"int64\", a < 3)"), NULL)), "0..1 1:0");
    const expr *size = expr_new_size_var(f->s, "s", DTYPE_OF(I64));
    assert_string_equal(described(f, expr_bounds(f->s, size, NULL)), "0..* 1:0");
    // what may wrap is only bounded by its type
    assert_string_equal(described(f, expr_bounds(f->s, parsed(f, "u + T.uint8(1)"), NULL)), "0..255 1:0");
}

static void inner_scopes_know_what_outer_ones_do(void **state) {
    fixture *f = *state;
    const expr *n = parsed(f, "n");
    facts *outer = facts_new(f->s), *inner = facts_push(outer);
    facts_assume(outer, parsed(f, "n >= 2"));
    facts_range(inner, n, NULL, parsed(f, "10"));
    assert_string_equal(described(f, expr_bounds(f->s, n, inner)), "2..9 1:0");
    assert_string_equal(described(f, expr_bounds(f->s, n, outer)), "2..* 1:0");
    facts_assume(outer, parsed(f, "n >= 5")); // what the outer scope learns later counts, too
    assert_string_equal(described(f, expr_bounds(f->s, n, inner)), "5..9 1:0");
    facts *loop = facts_push(inner);
    facts_range(loop, parsed(f, "i"), n, parsed(f, "4"));
    assert_string_equal(described(f, expr_bounds(f->s, parsed(f, "i"), loop)), "5..12 1:0");
}

static void divisors_are_proved(void **state) {
    fixture *f = *state;
    assert_true(prove_divides(f->s, 16, parsed(f, "n*2"), given(f, "n % 8 == 0")));
    assert_true(prove_divides(f->s, 4, parsed(f, "n*4 + m*8"), NULL));
    assert_true(prove_divides(f->s, 16, parsed(f, "(n + 15)//16*16"), NULL));
    assert_true(prove_divides(f->s, -4, parsed(f, "n*4"), NULL));
    assert_true(prove_divides(f->s, 64, parsed(f, "n*m"), given(f, "n % 8 == 0; m % 8 == 0")));
    assert_true(prove_divides(f->s, 8, parsed(f, "n + m"), given(f, "n % 8 == 3; m % 8 == 5")));
    assert_true(prove_divides(f->s, 1, parsed(f, "n"), NULL));
    assert_false(prove_divides(f->s, 32, parsed(f, "n*2"), given(f, "n % 8 == 0")));
    assert_false(prove_divides(f->s, 4, parsed(f, "n*4 + 2"), NULL));
    assert_false(prove_divides(f->s, 0, parsed(f, "n"), NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(bounds_are_tight),
        TEST(types_bound_their_variables),
        TEST(inner_scopes_know_what_outer_ones_do),
        TEST(divisors_are_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
