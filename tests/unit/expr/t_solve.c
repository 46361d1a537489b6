// t_solve.c - solving for a variable, and counterexamples.
#include "expr/prove.h"
#include "fixture.h"

typedef struct row {
    const char *e, *value, *given, *want; // the solution for n, "none", "many", "unknown"; "X if CONDITION"
} row;

static const char *solved(fixture *f, const row *r) {
    const expr *out, *condition, *n = parsed(f, "n");
    facts *known = given(f, r->given);
    switch (expr_solve(f->s, parsed(f, r->e), parsed(f, r->value), n, known, &out, &condition)) {
    case SOLVE_NONE: return "none";
    case SOLVE_NOT_UNIQUE: return "many";
    case SOLVE_UNKNOWN: return "unknown";
    case SOLVE_UNIQUE: break;
    }
    if (!condition) return printed(f, out, true);
    return arena_format(f->mem, "%s if %s", printed(f, out, true), printed(f, condition, true));
}

static void equations_are_solved(void **state) {
    static const row rows[] = {
        {"n + 1", "7", "", "6"},
        {"2*n", "7", "", "none"},
        {"n//2", "3", "", "many"},
        {"n*m", "12", "m == 4", "3"},
        {"n*m", "13", "m == 4", "none"},
        {"2*n", "8", "", "4"},
        {"n", "k", "", "k"},
        {"n + 1", "k", "", "k - 1"},
        {"3 - n", "k", "", "3 - k"},
        {"n*4", "k", "", "k // 4 if k % 4 == 0"},
        {"n*4", "k", "k % 8 == 0", "k // 4"},
        {"n*4 + 1", "k", "k % 8 == 0", "none"},
        {"n*4", "k*8", "", "k * 2"},
        {"n + n*2", "9", "", "3"},
        {"n*m + n", "k*m + k", "m >= 0", "k"},
        {"n*m", "k*m", "m > 0", "k"},
        {"n*m", "k*m", "", "unknown"},
        {"n*m", "k", "m >= 1", "k // m if k % m == 0"},
        {"n - n", "0", "", "many"},
        {"n - n", "1", "", "none"},
        {"m", "k", "", "unknown"},
        {"n//2", "3", "n % 2 == 0", "6"},
        {"n//2", "3", "n % 8 == 5", "none"},
        {"4*n//2", "6", "", "3"},
        {"(4*n + 1)//2", "6", "", "3"},
        {"(4*n)//2", "5", "", "none"},
        {"(4*n)//3", "5", "", "4"},
        {"(4*n)//3", "7", "", "none"},
        {"(n + 15)//16", "2", "", "many"},
        {"(n + 15)//16*16", "32", "n % 16 == 0", "32"},
        {"(n - 1)//1 + 1", "5", "", "5"},
        {"min(n, 8)", "3", "", "3"},
        {"min(n, 8)", "8", "", "many"},
        {"min(n, 8)", "9", "", "none"},
        {"max(n, 8)", "9", "", "9"},
        {"max(n, 8)", "8", "", "many"},
        {"max(n, 8)", "8", "n >= 8", "8"},
        {"max(n, 8)", "7", "", "none"},
        {"n % 4", "2", "", "many"},
        {"n % 4", "5", "", "none"},
        {"n*n", "9", "n >= 0", "3"},
        {"n*n", "10", "n >= 0", "none"},
        {"n*n", "9", "", "unknown"},
        {"n*n*n", "27", "n >= 0", "3"},
        {"7 - 2*(n//3)", "3", "", "many"},
        {"n", "5", "n < 3", "5"}, // the caller checks what it knows of the solution
        {"n*4611686018427387904*4", "0", "", "0"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *got = solved(*state, &rows[i]);
        if (strcmp(got, rows[i].want) != 0)
            fail_msg("%s = %s given %s: want %s, got %s", rows[i].e, rows[i].value, rows[i].given, rows[i].want, got);
    }
}

static void counterexamples_are_found(void **state) {
    static const struct {
        const char *condition, *given, *want; // NULL: none
    } rows[] = {
        {"n//2*2 == n", "", "n = 1"},
        {"n*n >= 2*n", "", "n = 1"},
        {"min(a, b) == a", "a <= b + 1", "a = 1, b = 0"},
        {"n <= 4096", "", "n = 4097"},
        {"n <= 100000", "n % 8 == 0; n >= 0", "n = 100008"},
        {"n < 5", "n >= 5", "n = 5"},
        {"p > 3", "p > 3", NULL},
        {"1 < 0", "", ""},
        {"n == n", "", NULL},
        {"n*m == m", "n >= 2; m >= 3", "n = 2, m = 3"},
        {"x*y != 77", "x > 1; y > 1", "x = 11, y = 7"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fixture *f = *state;
        text t = TEXT_IN(f->mem);
        bool found = find_counterexample(f->s, parsed(f, rows[i].condition), given(f, rows[i].given), &t);
        if (found != (rows[i].want != NULL) || (found && strcmp(text_get(&t), rows[i].want) != 0))
            fail_msg("%s given %s: got '%s'", rows[i].condition, rows[i].given, found ? text_get(&t) : "none");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(equations_are_solved), TEST(counterexamples_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
