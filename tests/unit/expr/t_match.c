// t_match.c - dims written with variables, matched against values.
#include "expr/prove.h"
#include "fixture.h"

enum { MAX_RANK = 8 };

// Expressions separated by ';'.
static uint32_t parsed_list(fixture *f, const char *words, const expr **out) {
    uint32_t count = 0;
    while (*words) {
        size_t size = strcspn(words, ";");
        out[count++] = parsed(f, arena_copy(f->mem, words, size));
        words += size + (words[size] == ';');
    }
    return count;
}

typedef struct row {
    const char *dims, *values, *want; // "n=3, m=2 | conditions" or "dim 1: condition"
} row;

static const char *matched(fixture *f, const row *r, const map *bindable) {
    const expr *dim[MAX_RANK], *value[MAX_RANK];
    uint32_t rank = parsed_list(f, r->dims, dim);
    assert_int_equal(parsed_list(f, r->values, value), rank);
    dims_match m = {.bound = MAP_IN(f->mem)};
    facts *known = facts_new(f->s);
    facts_assume(known, parsed(f, "a >= 0 and b >= 0"));
    expr_match_dims(f->s, dim, value, rank, bindable, known, &m);
    text t = TEXT_IN(f->mem);
    if (m.contradiction) {
        text_format(&t, "dim %u: ", m.dim);
        expr_print(&t, m.contradicts, NULL);
        return text_get(&t);
    }
    for (uint32_t i = 0; i < m.bound.len; i++) {
        text_format(&t, "%s%s=", i ? ", " : "", ((const expr *)(uintptr_t)m.bound.entry[i].key)->as.var->name);
        expr_print(&t, m.bound.entry[i].value, NULL);
    }
    for (uint32_t i = 0; i < m.conditions.len; i++) {
        text_put(&t, i ? ", " : " | ");
        expr_print(&t, m.conditions.at[i], NULL);
    }
    return text_get(&t);
}

static void dims_are_matched(void **state) {
    static const row rows[] = {
        {"n; m", "3; 4", "n=3, m=4"},
        {"n; n", "3; 3", "n=3"},
        {"n; n", "3; 4", "dim 1: T.int64(3) == 4"},
        {"n; n + 1", "a; a + 1", "n=a"},
        {"n; n + 1", "a; b", "n=a | a + 1 == b"},
        {"n + 1; n", "b; a", "n=a | a + 1 == b"}, // plain ones first, wherever they stand
        {"n + 1", "7", "n=6"},
        {"2*n", "7", "dim 0: 2 * n == 7"},
        {"n*2; m", "a*4; b", "m=b, n=a * 2"},
        {"n*2", "a", "n=a // 2 | a % 2 == 0"},
        {"n*m; m", "12; 4", "m=4, n=3"},
        {"n*m; m", "13; 4", "dim 0: n * 4 == 13"},
        {"n*m; m", "a*b*8; a", "m=a | n * a == a * b * 8"}, // a may be zero: n is not known
        {"n + m; n", "a + b; b", "n=b, m=a"},
        {"n + m", "7", " | n + m == 7"},
        {"n//2", "3", " | n // 2 == 3"},
        {"4; n", "4; a", "n=a"},
        {"4; n", "5; a", "dim 0: T.int64(4) == 5"},
        {"4; n", "a; b", "n=b | 4 == a"},
        {"(n + 15)//16; n", "(a + 15)//16; a", "n=a"},
        {"n - 1", "a", "n=a + 1"},
        {"n; n*4; m", "a; 4*a; b", "n=a, m=b"},
        {"n; n%4", "a*8; 0", "n=a * 8"},
        {"n; n%4", "a*8 + 1; 0", "dim 1: (a * 8 + 1) % 4 == 0"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fixture *f = *state;
        map bindable = MAP_IN(f->mem);
        map_put(&bindable, MAP_KEY(parsed(f, "n")), f);
        map_put(&bindable, MAP_KEY(parsed(f, "m")), f);
        const char *got = matched(f, &rows[i], &bindable);
        if (strcmp(got, rows[i].want) != 0)
            fail_msg("(%s) against (%s): want '%s', got '%s'", rows[i].dims, rows[i].values, rows[i].want, got);
    }
}

// A size is never negative: what is solved for it must not be, either.
static void sizes_are_not_negative(void **state) {
    fixture *f = *state;
    const expr *size = expr_new_size_var(f->s, "s", DTYPE_OF(I64));
    text_map_put(&f->vars, "s", (void *)(uintptr_t)size);
    map bindable = MAP_IN(f->mem);
    map_put(&bindable, MAP_KEY(size), f);
    assert_string_equal(matched(f, &(row){"s + 1", "0", ""}, &bindable), "dim 0: T.int64(0) <= -1");
    assert_string_equal(matched(f, &(row){"s + 1", "a", ""}, &bindable), "s=a - 1 | 1 <= a");
    assert_string_equal(matched(f, &(row){"s", "a", ""}, &bindable), "s=a");
}

static void earlier_bindings_count(void **state) {
    fixture *f = *state;
    const expr *n = parsed(f, "n"), *dim = parsed(f, "n*2"), *value = parsed(f, "6");
    map bindable = MAP_IN(f->mem);
    map_put(&bindable, MAP_KEY(n), f);
    dims_match m = {.bound = MAP_IN(f->mem)};
    map_put(&m.bound, MAP_KEY(n), (void *)(uintptr_t)expr_i64(f->s, 3));
    expr_match_dims(f->s, &dim, &value, 1, &bindable, NULL, &m);
    assert_false(m.contradiction);
    assert_int_equal(m.conditions.len, 0);
    value = parsed(f, "8");
    expr_match_dims(f->s, &dim, &value, 1, &bindable, NULL, &m);
    assert_true(m.contradiction);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(dims_are_matched),
        TEST(sizes_are_not_negative),
        TEST(earlier_bindings_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
