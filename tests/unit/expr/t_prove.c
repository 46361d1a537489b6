// t_prove.c - what must be proved, and what must not.
#include "expr/prove.h"
#include "expr/session.h"
#include "fixture.h"

typedef struct claim {
    const char *condition, *given;
} claim;

static bool holds(fixture *f, const claim *c) { return prove_true(f->s, parsed(f, c->condition), given(f, c->given)); }

static void must_prove(void **state) {
    static const claim claims[] = {
        {"(n+1)*4 == 4*n+4", ""},
        {"(n*4+3)//4 == n", ""},
        {"(n//4)*4 + n%4 == n", ""},
        {"(n*m)//m == n", "m > 0"},
        {"max(n,0) == n", "n >= 0"},
        {"min(9223372036854775807, n) == n", ""},
        {"min(2**63-1, n) == n", ""},
        {"(n+15)//16*16 >= n", ""},
        {"n*2 % 16 == 0", "n%8 == 0"},
        {"n*768*4 <= 12582912", "n <= 4096"},
        {"(n//8)*8 == n", "n%8 == 0"},
        {"(i*4+j)//4 == i", "0 <= j < 4"},
        {"(i*4+j)%4 == j", "0 <= j < 4"},
        {"a*b*c*d*e*f*g*h*i*j == j*i*h*g*f*e*d*c*b*a", ""},
        {"(a*b)*(c*d)*(e*f*g)*(h*(i*j)) == b*(a*j)*(d*c)*(i*(h*g))*(f*e)", ""},
        {"((n-1)//4+1)*4 >= n", ""},
        // sizes and padding
        {"(n+15)//16*16 - n <= 15", ""},
        {"(n+15)//16*16 - n >= 0", ""},
        {"(n+15)//16*16 % 16 == 0", ""},
        {"n*m*4 == 4*m*n", ""},
        {"min(n, 4096) <= 4096", ""},
        {"min(n, 4096) <= n", ""},
        {"max(n, m) >= m", ""},
        {"max(n, m) + min(n, m) == n + m", ""},
        {"max(n - m, 0) + min(n, m) == n", ""},
        {"-(-n//4) == (n+3)//4", ""},
        {"n//2 + (n+1)//2 == n", ""},
        {"n - n//2 == (n+1)//2", ""},
        {"(n+7)//8*8 == n", "n%8 == 0"},
        {"(n//4)//3 == n//12", ""},
        {"(n%12)%4 == n%4", ""},
        {"(n%12)//4 == (n//4)%3", ""},
        {"n//4*4 <= n", ""},
        {"n//4*4 > n - 4", ""},
        {"(n + m)//n == 1 + m//n", "n > 0"},
        {"n*m >= 0", "n >= 0; m >= 0"},
        {"n*m >= n", "n >= 0; m >= 1"},
        {"n*m <= n*4096", "n >= 0; m <= 4096"},
        {"n*m <= 4096*2048", "0 <= n <= 2048; 0 <= m <= 4096"},
        {"n*m*4 <= k*m*4", "0 <= n <= k; m >= 0"},
        {"n*n >= 0", ""},
        {"n*n >= n", ""},
        {"n*n*n >= 0", "n >= 0"},
        {"(n+1)*(n-1) == n*n - 1", ""},
        {"(a+b)*(a+b) >= 0 or True", ""},
        // indices of loops
        {"(i//4)*4 + i%4 < n", "0 <= i < n"},
        {"io*16 + ii < n", "io*16 + ii < n"},
        {"io < (n+15)//16", "io*16 + ii < n; 0 <= ii < 16"},
        {"io*16 + ii < (n+15)//16*16", "0 <= io < (n+15)//16; 0 <= ii < 16"},
        {"io*16 + ii < n", "0 <= io < n//16; 0 <= ii < 16"},
        {"io*16 + ii < n", "0 <= io < (n+15)//16; 0 <= ii < 16; n%16 == 0"},
        {"0 <= io*16 + ii", "io >= 0; ii >= 0"},
        {"i*m + j < n*m", "0 <= i < n; 0 <= j < m"},
        {"(i*m + j)//m == i", "0 <= j < m"},
        {"(i*m + j)%m == j", "0 <= j < m"},
        {"(i*n*m + j*m + k)//m == i*n + j", "0 <= k < m"},
        {"((i*8 + j)*4 + k)//32 == i", "0 <= j < 8; 0 <= k < 4"},
        {"((i*8 + j)*4 + k)%32//4 == j", "0 <= j < 8; 0 <= k < 4"},
        {"(i*16 + j)//4 == i*4 + j//4", ""},
        {"min(io*16 + 16, n) - io*16 <= 16", ""},
        {"min(io*16 + 16, n) - io*16 > 0", "io*16 < n"},
        {"max(i - 1, 0) <= i", "i >= 0"},
        {"min(i + 1, n - 1) >= i", "0 <= i < n"},
        {"min(i + 1, n - 1) < n", ""},
        {"i*2 + 1 < 2*n", "i < n"},
        {"i != j", "i < j"},
        {"i == j", "i <= j; i >= j"},
        {"i < j or j <= i", ""},
        {"not (i < j and j < i)", ""},
        {"i + 1 <= j", "i < j"},
        {"a < c", "a < b; b < c"},
        {"a <= d", "a <= b; b <= c; c <= d"},
        {"n >= 1", "n >= 0; n != 0"},
        {"n//8 >= 1", "n >= 8"},
        {"(n + 3)//4 >= 1", "n >= 1"},
        {"n % 4 == 3", "n % 8 == 7"},
        {"(n + 1) % 4 == 0", "n % 8 == 7"},
        {"(n*3 + m) % 2 == 0", "n % 2 == 0; m % 2 == 0"},
        {"(n + m) % 8 == 0", "n % 8 == 0; m % 16 == 0"},
        {"n % 2 == 0", "n == 2*m"},
        {"n*k == 2*m*k", "n == 2*m"},
        {"n//2 == m", "n == 2*m"},
        {"n == 3", "2*n == 6"},
        {"n <= 3", "2*n <= 7"},
        {"n >= 1", "n > 0"},
        {"T.Select(n > 3, n, 3) >= 3", ""},
        {"T.Select(n > 3, n, 3) == max(n, 3)", ""},
        {"T.if_then_else(i < n, i, 0) < n", "n > 0"},
        {"T.truncdiv(n, 4) == n//4", "n >= 0"},
        {"T.truncmod(n, 4) == n%4", "n >= 0"},
        {"T.shift_left(n, 3) == n*8", ""},
        {"T.shift_right(n, 3) == n//8", ""},
        {"T.bitwise_and(n, 7) <= 7", ""},
        {"n % m < m", "m > 0"},
        {"n % m >= 0", "m > 0"},
        {"(n//m)*m + n%m == n", "m > 0"},
        {"(n//m)*m <= n", "m > 0"},
        {"((n + m - 1)//m)*m >= n", "m > 0"},
        {"n//m <= n", "n >= 0; m >= 1"},
        {"(n*m + m - 1)//m == n", "m >= 1"},
        {"7 // 2 == 3 and -7 // 2 == -4 and -7 % 2 == 1", ""},
        {"n == m", "n <= m and m <= n"},
        {"n >= 2", "n == 2 or n == 5"},
        {"n < m", "n < m and k > 0"},
        {"False", "n > 3; n < 2"},
        {"(b*h + 63)//64*64 >= b*h", ""},
        {"s*4 + 4*t == 4*(t + s)", ""},
        {"4*n*m + 63 < 4*n*m + 64", ""},
        {"(t - 1)//2 + 1 == (t + 1)//2", ""},
        {"((h + 2*1 - 3)//1 + 1) == h", ""},
        {"((h + 2*1 - 1*(3-1) - 1)//2 + 1) == (h - 1)//2 + 1", ""},
        {"(h*2 - 1)//2 + 1 == h", ""},
    };
    int missing = 0;
    for (size_t i = 0; i < COUNT(claims); i++)
        if (!holds(*state, &claims[i]))
            print_error("not proved: %s given %s\n", claims[i].condition, claims[i].given), missing++;
    assert_int_equal(missing, 0);
}

static void must_not_prove(void **state) {
    static const claim claims[] = {
        {"n//2*2 == n", ""},
        {"(a+b)//c == a//c + b//c", ""},
        {"(a+b)//c == a//c + b//c", "c > 0"},
        {"n*n >= 2*n", ""},
        {"min(a,b) == a", "a <= b+1"},
        {"n + 1 <= 9223372036854775807", ""},
        {"n*2 != 9223372036854775807 + 1", ""},
        {"n + 9223372036854775807 < 0", "n >= 1"},
        {"n*4611686018427387904*4 == 0", ""},
        {"n*4294967296*4294967296 == 0", ""},
        {"(n*m)//m == n", ""},
        {"n//n == 1", ""},
        {"n%n == 0", ""},
        {"n > 0", "n >= 0"},
        {"n*m >= n", "n >= 0"},
        {"n*m > 0", "n > 0; m >= 0"},
        {"(i*4+j)//4 == i", "0 <= j <= 4"},
        {"(i*4+j)//4 == i", ""},
        {"(i*4+j)%4 == j", "j < 4"},
        {"i*m + j < n*m", "i < n; 0 <= j <= m"},
        {"io*16 + ii < n", "0 <= io < (n+15)//16; 0 <= ii < 16"},
        {"n % 16 == 0", "n % 8 == 0"},
        {"n*2 % 32 == 0", "n % 8 == 0"},
        {"n % m == n", "n < m"},
        {"T.truncdiv(n, 4) == n//4", ""},
        {"n//m <= n", "m >= 1"},
        {"a <= c", "a <= b; c <= b"},
        {"a == b", "a <= b"},
        {"a != b", ""},
        {"max(a, b) == a", ""},
        {"(n+15)//16*16 == n", ""},
        {"n//2 + n//2 == n", ""},
        {"n//4//2 == n//6", ""},
        {"False", "n > 3"},
        {"p > 0", "n >= 2 or n <= -2"},
        {"n >= 2", "n == 2 or n == 1"},
        {"n*n*n >= 0", ""},
        {"n*m == m*m", "n <= m"},
        {"T.bitwise_and(n, 6) <= 5", ""},
        {"T.abs(n) == n", ""},
        {"3*n == 7", ""},
    };
    int wrong = 0;
    for (size_t i = 0; i < COUNT(claims); i++)
        if (holds(*state, &claims[i]))
            print_error("proved: %s given %s\n", claims[i].condition, claims[i].given), wrong++;
    assert_int_equal(wrong, 0);
}

// A sum of many quotients nested in one another: hundreds of questions that no number of steps answers. Each gets less
// than the one before (all of them whole would take minutes), and what is easy is still proved after them.
static void hard_questions_use_up_patience(void **state) {
    enum { NESTED = 40, SUMS = 2 };
    fixture *f = *state;
    facts *known = given(f, "a != 25");
    for (int i = 0; i < SUMS; i++) {
        text t = TEXT_IN(f->mem);
        for (int j = 0; j < NESTED; j++) text_format(&t, "T.Div(a + %d, T.max(a, T.truncmod(a, ", i);
        text_put(&t, "a");
        for (int j = 0; j < NESTED; j++) text_put(&t, ")))");
        expr_simplify(f->s, parsed(f, text_get(&t)), known);
    }
    assert_true(f->s->given_up > 50);
    must_prove(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(must_prove), TEST(must_not_prove), TEST(hard_questions_use_up_patience)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
