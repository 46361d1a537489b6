// t_canon.c - canonical forms: equal for equal values, one pointer, independent of facts and of the order of operands.
#include "expr/canon.h"
#include "fixture.h"
#include "random_expr.h"

typedef struct pair {
    const char *a, *b;
} pair;

static void same_values_have_one_form(void **state) {
    static const pair pairs[] = {
        {"n + m", "m + n"},
        {"(n + 1)*4", "4*n + 4"},
        {"n*m*k", "k*(m*n)"},
        {"(n + m)*(n - m)", "n*n - m*m"},
        {"n - n", "0"},
        {"0*n", "0"},
        {"n*1 + 0", "n"},
        {"-(n - m)", "m - n"},
        {"(4*n + 3)//4", "n"},
        {"(4*n + m)//4", "n + m//4"},
        {"n//4*4 + n%4", "n"},
        {"n - n//4*4", "n%4"},
        {"(n//2)//3", "n//6"},
        {"(n//2 + 5)//3", "(n + 10)//6"},
        {"(2*n)//6", "n//3"},
        {"(2*n + 1)//6", "n//3"},
        {"(n%8)//4", "n//4%2"},
        {"(n%8)%4", "n%4"},
        {"(n%4)//4", "0"},
        {"(n*8 + m%8)//8", "n"},
        {"(n*16 + m%4*4 + k%4)//4", "n*4 + m%4"},
        {"(n*16 + m%4)//8", "n*2"},
        {"n//(-4)", "(-n)//4"},
        {"(-n)//4", "-((n + 3)//4)"},
        {"n%(-4)", "-((-n)%4)"},
        {"(n - 1)//4", "(n + 3)//4 - 1"},
        {"(5*n)//4", "n + n//4"},
        {"7//2 + -7//2", "-1"},
        {"-7%4", "1"},
        {"(6*n)//(2*m)", "(3*n)//m"},
        {"(-n)//(-m)", "n//m"},
        {"n%m + (n//m)*m", "n"},
        {"min(n, m)", "min(m, n)"},
        {"min(min(n, m), k)", "min(n, min(k, m))"},
        {"min(n, n + 1)", "n"},
        {"max(n, n)", "n"},
        {"min(n + k, m + k)", "k + min(n, m)"},
        {"max(n + 2, m + 2)", "max(m, n) + 2"},
        {"max(3, max(n, 5))", "max(n, 5)"},
        {"min(n%4, 7)", "n%4"},
        {"T.Select(n < 3, m + 1, 1 + m)", "m + 1"},
        {"T.Select(2 < 3, n, m)", "n"},
        {"T.shift_left(n, 4)", "n*16"},
        {"T.shift_right(n, 4)", "n//16"},
        {"T.bitwise_and(n, 15)", "n%16"},
        {"T.truncdiv(7, -2)", "-3"},
        {"T.truncmod(-7, 2)", "-1"},
        {"n < m", "m > n"},
        {"n < m", "n + 1 <= m"},
        {"2*n < 7", "n <= 3"},
        {"not (n < m)", "m <= n"},
        {"n == m", "m == n"},
        {"2*n == 2*m", "n == m"},
        {"2*n == 7", "False"},
        {"n - m >= 0", "m <= n"},
        {"n < 3 and m < 4", "m < 4 and n < 3"},
        {"n < 3 and n < 3", "n <= 2"},
        {"n < 3 or True", "True"},
        {"T.Cast(\"int64\", T.Cast(\"int32\", 5)) + n", "n + 5"},
    };
    for (size_t i = 0; i < COUNT(pairs); i++) {
        fixture *f = *state;
        const expr *a = expr_canon(f->s, parsed(f, pairs[i].a)), *b = expr_canon(f->s, parsed(f, pairs[i].b));
        if (a != b) fail_msg("%s is %s but %s is %s", pairs[i].a, printed(f, a, true), pairs[i].b, printed(f, b, true));
    }
}

static void different_values_have_different_forms(void **state) {
    static const pair pairs[] = {
        {"n//2*2", "n"},
        {"(n + m)//2", "n//2 + m//2"},
        {"n//n", "1"},
        {"(n*m)//m", "n"},
        {"0//n", "0"},
        {"n%n", "0"},
        {"min(n, m)", "n"},
        {"max(n, 0)", "n"},
        {"T.truncdiv(n, 2)", "n//2"},
        {"n//m", "-((-n)//m)"},
        {"n < m", "n <= m"},
        {"n*n", "n"},
    };
    for (size_t i = 0; i < COUNT(pairs); i++) {
        fixture *f = *state;
        if (expr_canon(f->s, parsed(f, pairs[i].a)) == expr_canon(f->s, parsed(f, pairs[i].b)))
            fail_msg("%s and %s have one form", pairs[i].a, pairs[i].b);
    }
}

static void forms_read_well(void **state) {
    static const pair forms[] = {
        {"4 + n*2 - m", "n * 2 - m + 4"},
        {"4 - n", "4 - n"},
        {"-n", "n * -1"},
        {"m*n + n*m*3", "n * m * 4"},
        {"n%4 + 1", "n % 4 + 1"},
        {"4*(n//4) + m", "m + n // 4 * 4"},
        {"n < 5", "n <= 4"},
        {"n > 0", "1 <= n"},
        {"n - m > 3", "m + 4 <= n"},
        {"n%8 == 0", "n % 8 == 0"},
        {"n != m", "n != m"},
    };
    fixture *f = *state;
    parsed(f, "n + m"); // so that n is older than m
    for (size_t i = 0; i < COUNT(forms); i++)
        assert_string_equal(printed(f, expr_canon(f->s, parsed(f, forms[i].a)), true), forms[i].b);
}

static void a_form_is_its_own_form(void **state) {
    static const char *const texts[] = {"(n%8 + 3)//4*m - n//m%3", "min(n + 3, min(m, k*2)) - max(n, 4)%8",
                                        "n*m//k*k + n*m%k", "T.Select(n//2 < m, n%4, 7 - m) // 3 + (n*3 - m*5 + 7)//6",
                                        "(n < m) == (k < 3)"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        fixture *f = *state;
        const expr *form = expr_canon(f->s, parsed(f, texts[i]));
        assert_ptr_equal(expr_canon(f->s, form), form);
    }
}

// Coefficients that leave int64 make their node an atom: still itself, never a wrapped number.
static void overflow_stays_unknown(void **state) {
    fixture *f = *state;
    const expr *huge = parsed(f, "n*4611686018427387904*4");
    assert_ptr_not_equal(expr_canon(f->s, huge), expr_i64(f->s, 0));
    assert_true(prove_equal(f->s, huge, huge, NULL));
    assert_ptr_equal(expr_canon(f->s, parsed(f, "n*4611686018427387904*4 - n*4611686018427387904*4")),
                     expr_i64(f->s, 0));
    assert_ptr_not_equal(expr_canon(f->s, parsed(f, "9223372036854775807 + 1")), expr_i64(f->s, INT64_MIN));
}

// Depth and width cost memory, not the machine's stack.
static void large_expressions_are_fine(void **state) {
    fixture *f = *state;
    const expr *sum = parsed(f, "n"), *nested = sum, *widened = sum;
    for (int i = 0; i < 100000; i++) sum = expr_binary(f->s, EXPR_ADD, sum, parsed(f, i % 2 ? "n" : "m"));
    assert_ptr_equal(expr_canon(f->s, sum), expr_canon(f->s, parsed(f, "50001*n + 50000*m")));
    for (int i = 0; i < 20000; i++)
        nested = expr_binary(f->s, i % 2 ? EXPR_FLOOR_DIV : EXPR_MAX, nested, expr_i64(f->s, i % 7 + 2));
    expr_canon(f->s, nested);
    for (int i = 0; i < 2000; i++)
        widened = expr_binary(f->s, EXPR_ADD, widened, expr_new_var(f->s, "v", DTYPE_OF(I64)));
    assert_true(prove_equal(f->s, expr_binary(f->s, EXPR_SUB, widened, widened), expr_i64(f->s, 0), NULL));
    expr_simplify(f->s, nested, NULL);
}

static void narrow_indices_count_like_wide_ones(void **state) {
    fixture *f = *state;
    declare(f, "a", "int32");
    declare(f, "b", "int32");
    assert_ptr_equal(expr_canon(f->s, parsed(f, "(a + b)*2")), expr_canon(f->s, parsed(f, "b*2 + 2*a")));
    assert_ptr_equal(expr_canon(f->s, parsed(f, "T.Cast(\"int64\", a*4 + b) - T.Cast(\"int64\", b)")),
                     expr_canon(f->s, parsed(f, "T.Cast(\"int64\", a)*4")));
    assert_true(prove_true(f->s, parsed(f, "T.Cast(\"int64\", a) <= 2147483647"), NULL));
    assert_true(prove_true(f->s, parsed(f, "a*4//4 == a"), NULL));
}

// Narrow types and what is computed from floats wrap: nothing is proved of them by ordinary arithmetic.
static void wrapping_arithmetic_is_left_alone(void **state) {
    fixture *f = *state;
    declare(f, "a", "int8");
    declare(f, "u", "uint32");
    declare(f, "x", "float32");
    assert_false(prove_true(f->s, parsed(f, "a + T.int8(1) > a"), NULL));
    assert_false(prove_equal(f->s, parsed(f, "u*T.uint32(2)//T.uint32(2)"), parsed(f, "u"), NULL));
    assert_true(prove_true(f->s, parsed(f, "T.Cast(\"int64\", a) + 1 > T.Cast(\"int64\", a)"), NULL));
    assert_true(prove_true(f->s, parsed(f, "T.Cast(\"int64\", u) >= 0"), NULL));
    assert_false(prove_true(f->s, parsed(f, "T.Cast(\"int32\", x) + 1 > T.Cast(\"int32\", x)"), NULL));
    assert_false(prove_equal(f->s, parsed(f, "x + x"), parsed(f, "x*T.float32(2)"), NULL));
    assert_true(prove_equal(f->s, parsed(f, "x + x"), parsed(f, "x + x"), NULL));
}

static void effects_are_never_equal(void **state) {
    fixture *f = *state;
    const expr *call = parsed(f, "T.call_extern(\"int64\", \"rand\")");
    assert_false(prove_equal(f->s, call, call, NULL));
    assert_false(prove_true(f->s, expr_binary(f->s, EXPR_LE, call, call), NULL));
    assert_ptr_equal(expr_simplify(f->s, expr_binary(f->s, EXPR_SUB, call, call), NULL),
                     expr_binary(f->s, EXPR_SUB, call, call));
}

// Reading a sum off an expression and rendering the sum agree, both ways.
static void what_is_canonical_is_seen(void **state) {
    enum { COUNT = 3000 };
    fixture *f = *state;
    random_source r = random_start(f->s, 5);
    const expr *e[COUNT];
    unsigned canonical = 0, others = 0;
    for (int i = 0; i < COUNT; i++) {
        e[i] = random_integer_expr(&r, 1 + i % 4);
        const poly *sum = canon_folded(f->s, canon_sum(f->s, e[i]));
        const expr *form = poly_render(f->s, poly_see(sum));
        assert_true(poly_reads(form, poly_see(sum)));
        assert_true(poly_reads(e[i], poly_see(sum)) == (form == e[i]));
        const expr *other = e[random_next(&r) % (uint64_t)(i + 1)];
        assert_true(poly_reads(other, poly_see(sum)) == (form == other));
        canonical += form == e[i];
        others += form != e[i];
    }
    assert_true(canonical > COUNT / 20 && others > COUNT / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(same_values_have_one_form),
        TEST(different_values_have_different_forms),
        TEST(forms_read_well),
        TEST(a_form_is_its_own_form),
        TEST(what_is_canonical_is_seen),
        TEST(overflow_stays_unknown),
        TEST(large_expressions_are_fine),
        TEST(narrow_indices_count_like_wide_ones),
        TEST(wrapping_arithmetic_is_left_alone),
        TEST(effects_are_never_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
