// t_size.c - checked arithmetic at its extremes, against 128-bit arithmetic, and the names of the status codes.
#include "base/size.h"
#include "relax/status.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the five above.
#include <cmocka.h>
#include <string.h>

__extension__ typedef __int128 wide;

static const int64_t extremes[] = {INT64_MIN,
                                   INT64_MIN + 1,
                                   INT64_MIN / 2 - 1,
                                   INT64_MIN / 2,
                                   -4294967297,
                                   -4294967296,
                                   -7,
                                   -3,
                                   -2,
                                   -1,
                                   0,
                                   1,
                                   2,
                                   3,
                                   7,
                                   4294967295,
                                   4294967296,
                                   3037000500,
                                   -3037000500,
                                   INT64_MAX / 2,
                                   INT64_MAX / 2 + 1,
                                   INT64_MAX - 1,
                                   INT64_MAX};

// The call must agree with the exact result: refuse what doesn't fit and then leave `out` alone.
static void agree(bool done, const int64_t *out, wide exact) {
    bool fits = exact >= INT64_MIN && exact <= INT64_MAX;
    assert_int_equal(done, fits);
    if (fits) assert_true(*out == (int64_t)exact);
    if (!fits) assert_int_equal(*out, 77);
}

static wide floor_div(wide a, wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

static void agree_on(int64_t a, int64_t b) {
    int64_t out = 77;
    agree(int_add(a, b, &out), &out, (wide)a + b);
    out = 77;
    agree(int_sub(a, b, &out), &out, (wide)a - b);
    out = 77;
    agree(int_mul(a, b, &out), &out, (wide)a * b);
    if (!b) return;
    out = 77;
    agree(int_trunc_div(a, b, &out), &out, (wide)a / b);
    out = 77;
    agree(int_trunc_mod(a, b, &out), &out, (wide)a % b);
    out = 77;
    agree(int_floor_div(a, b, &out), &out, floor_div(a, b));
    out = 77;
    agree(int_floor_mod(a, b, &out), &out, a - floor_div(a, b) * b);
}

static void extremes_agree_with_exact_arithmetic(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(extremes); i++)
        for (size_t j = 0; j < COUNT(extremes); j++) agree_on(extremes[i], extremes[j]);
    for (int64_t a = -20; a <= 20; a++)
        for (int64_t b = -20; b <= 20; b++) agree_on(a, b);
}

static void zero_divisors_are_refused(void **state) {
    (void)state;
    int64_t out = 77;
    for (size_t i = 0; i < COUNT(extremes); i++) {
        assert_false(int_trunc_div(extremes[i], 0, &out));
        assert_false(int_trunc_mod(extremes[i], 0, &out));
        assert_false(int_floor_div(extremes[i], 0, &out));
        assert_false(int_floor_mod(extremes[i], 0, &out));
    }
    assert_int_equal(out, 77);
}

static void division_table(void **state) {
    (void)state;
    static const int64_t rows[][6] = {
        // a, b, floor //, floor %, C /, C %
        {7, 2, 3, 1, 3, 1},
        {-7, 2, -4, 1, -3, -1},
        {7, -2, -4, -1, -3, 1},
        {-7, -2, 3, -1, 3, -1},
        {6, 3, 2, 0, 2, 0},
        {-6, 3, -2, 0, -2, 0},
        {6, -3, -2, 0, -2, 0},
        {0, 5, 0, 0, 0, 0},
        {1, 5, 0, 1, 0, 1},
        {-1, 5, -1, 4, 0, -1},
        {1, -5, -1, -4, 0, 1},
        {INT64_MIN, 2, INT64_MIN / 2, 0, INT64_MIN / 2, 0},
        {INT64_MAX, -1, -INT64_MAX, 0, -INT64_MAX, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const int64_t *r = rows[i];
        int64_t got[4];
        assert_true(int_floor_div(r[0], r[1], &got[0]) && int_floor_mod(r[0], r[1], &got[1]));
        assert_true(int_trunc_div(r[0], r[1], &got[2]) && int_trunc_mod(r[0], r[1], &got[3]));
        for (size_t k = 0; k < 4; k++) assert_true(got[k] == r[k + 2]);
    }
    int64_t out = 77;
    assert_false(int_floor_div(INT64_MIN, -1, &out));
    assert_false(int_trunc_div(INT64_MIN, -1, &out));
    assert_int_equal(out, 77);
    assert_true(int_floor_mod(INT64_MIN, -1, &out) && out == 0);
}

static void sizes(void **state) {
    (void)state;
    size_t out = 77;
    assert_false(size_add(SIZE_MAX, 1, &out));
    assert_false(size_mul(SIZE_MAX / 2 + 1, 2, &out));
    assert_false(size_align(SIZE_MAX, 64, &out));
    assert_false(size_align(SIZE_MAX - 62, 64, &out));
    assert_false(size_align(5, 0, &out));
    assert_false(size_align(5, 24, &out));
    assert_false(size_from_dim(-1, &out));
    assert_false(size_from_dim(INT64_MIN, &out));
    assert_int_equal(out, 77);
    assert_true(size_add(SIZE_MAX - 1, 1, &out) && out == SIZE_MAX);
    assert_true(size_mul(SIZE_MAX, 1, &out) && out == SIZE_MAX);
    assert_true(size_mul(SIZE_MAX, 0, &out) && out == 0);
    assert_true(size_align(0, 64, &out) && out == 0);
    assert_true(size_align(1, 64, &out) && out == 64);
    assert_true(size_align(64, 64, &out) && out == 64);
    assert_true(size_align(9, 1, &out) && out == 9);
    assert_true(size_align(SIZE_MAX - 63, 64, &out) && out == SIZE_MAX - 63);
    assert_true(size_from_dim(INT64_MAX, &out) && out == INT64_MAX);
}

static void greatest_common_divisors(void **state) {
    (void)state;
    assert_int_equal(int_gcd(0, 0), 0);
    assert_int_equal(int_gcd(0, -5), 5);
    assert_int_equal(int_gcd(12, 18), 6);
    assert_int_equal(int_gcd(-12, 18), 6);
    assert_int_equal(int_gcd(17, 5), 1);
    assert_int_equal(int_gcd(INT64_MIN, 6), 2);
    assert_true(int_gcd(INT64_MIN, INT64_MAX) == 1);
    assert_true(int_gcd(INT64_MAX, INT64_MAX) == INT64_MAX);
    assert_true(int_gcd(INT64_MIN, 0) == (int64_t)1 << 62);
    assert_true(int_gcd(INT64_MIN, INT64_MIN) == (int64_t)1 << 62);
}

static void status_names(void **state) {
    (void)state;
    assert_string_equal(rx_status_name(RX_OK), "OK");
    assert_string_equal(rx_status_name(RX_INTERNAL), "INTERNAL");
    for (int s = RX_OK; s <= RX_INTERNAL; s++)
        for (int other = RX_OK; other < s; other++)
            assert_string_not_equal(rx_status_name((rx_status)s), rx_status_name((rx_status)other));
    assert_string_equal(rx_status_name((rx_status)(RX_INTERNAL + 1)), "UNKNOWN");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extremes_agree_with_exact_arithmetic),
        cmocka_unit_test(zero_divisors_are_refused),
        cmocka_unit_test(division_table),
        cmocka_unit_test(sizes),
        cmocka_unit_test(greatest_common_divisors),
        cmocka_unit_test(status_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
