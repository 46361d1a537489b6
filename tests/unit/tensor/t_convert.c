// t_convert.c - conversions of floats: exhaustively for every code, and against what NumPy and ml_dtypes answered.
#define _POSIX_C_SOURCE 200809L
#include "tensor/dtype.h"
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// A counter that visits the doubles in no order: enough for a million cases.
static uint64_t scrambled(uint64_t i) {
    i = (i + 1) * 0x9e3779b97f4a7c15;
    i = (i ^ i >> 32) * 0xd6e8feb86659fd93;
    return i ^ i >> 32;
}

// Decoding then encoding gives the same bits: all codes of all formats up to 16 bits, NaN payloads included.
static void every_code_survives(void **state) {
    (void)state;
    for (unsigned kind = DTYPE_F16; kind <= DTYPE_F4_E2M1FN; kind++) {
        dtype t = {.kind = (uint8_t)kind};
        if (dtype_bits(t) > 16) continue;
        for (uint64_t code = 0; code < (uint64_t)1 << dtype_bits(t); code++) {
            uint64_t again = dtype_encode_float(t, dtype_decode_float(t, code));
            if (again != code) fail_msg("kind %u: code %" PRIx64 " comes back as %" PRIx64, kind, code, again);
        }
    }
}

static void hot_conversions_agree_with_the_general_ones(void **state) {
    (void)state;
    for (uint32_t code = 0; code <= UINT16_MAX; code++) {
        float half = half_to_float((uint16_t)code), brain = bf16_to_float((uint16_t)code);
        assert_int_equal(float_to_half(half), code);
        assert_int_equal(float_to_bf16(brain), code);
        if (isnan(half) || isnan(brain)) continue;
        assert_true(bits_of((double)half) == bits_of(dtype_decode_float(DTYPE_OF(F16), code)));
        assert_true(bits_of((double)brain) == bits_of(dtype_decode_float(DTYPE_OF(BF16), code)));
    }
    for (uint64_t i = 0; i < 2000000; i++) {
        uint32_t bits = (uint32_t)scrambled(i);
        if (i % 2) bits = (bits & 0x8fffffff) | 0x30000000; // near the halves
        double value = dtype_decode_float(DTYPE_OF(F32), bits);
        assert_int_equal(float_to_half(float_of(bits)), dtype_encode_float(DTYPE_OF(F16), value));
        assert_int_equal(float_to_bf16(float_of(bits)), dtype_encode_float(DTYPE_OF(BF16), value));
    }
}

// The nearest of two neighbours, found by comparing distances: nothing shared with the encoder.
static void halves_are_the_nearest(void **state) {
    (void)state;
    dtype t = DTYPE_OF(F16);
    for (uint64_t i = 0; i < 1000000; i++) {
        uint64_t exponent = 1023 - 26 + i % 42;
        double value = double_of(exponent << 52 | scrambled(i) >> 12);
        uint64_t code = dtype_encode_float(t, value);
        if (code == 0x7c00) {
            assert_true(value >= 65520);
            continue;
        }
        double here = fabs(dtype_decode_float(t, code) - value);
        if (code > 0) assert_true(here <= fabs(dtype_decode_float(t, code - 1) - value));
        if (code < 0x7bff) assert_true(here <= fabs(dtype_decode_float(t, code + 1) - value));
    }
}

// 1 + 2^-11 + 2^-40 lies above the tie between two halves, but as a float it is the tie.
static void nothing_is_rounded_twice(void **state) {
    (void)state;
    assert_int_equal(dtype_encode_float(DTYPE_OF(F16), 1 + 0x1p-11 + 0x1p-40), 0x3c01);
    assert_int_equal(dtype_encode_float(DTYPE_OF(F16), 1 + 0x1p-11), 0x3c00);
    assert_int_equal(dtype_encode_float(DTYPE_OF(BF16), 1 + 0x1p-8 + 0x1p-40), 0x3f81);
    assert_int_equal(dtype_encode_float(DTYPE_OF(F8_E4M3FN), 1 + 0x1p-4 + 0x1p-40), 0x39);
    // The same for integers, which double can't hold: 2^62 + 2^53 is the tie of bfloat16, and 1 more is not.
    int64_t tie = ((int64_t)1 << 62) + ((int64_t)1 << 54);
    assert_true(dtype_int_to_float(DTYPE_OF(BF16), tie, false) == 0x1p62);
    assert_true(dtype_int_to_float(DTYPE_OF(BF16), tie + 1, false) == 0x1p62 + 0x1p55);
    assert_true(dtype_int_to_float(DTYPE_OF(BF16), -tie - 1, false) == -0x1p62 - 0x1p55);
    int64_t float_tie = ((int64_t)1 << 62) + ((int64_t)1 << 38);
    assert_true(dtype_int_to_float(DTYPE_OF(F32), float_tie + 1, false) == 0x1p62 + 0x1p39);
    assert_true(dtype_int_to_float(DTYPE_OF(F32), -1, true) == 0x1p64);
    assert_true(dtype_int_to_float(DTYPE_OF(F64), INT64_MIN, false) == -0x1p63);
    assert_true(dtype_int_to_float(DTYPE_OF(F16), 65519, false) == 65504);
    assert_true(isinf(dtype_int_to_float(DTYPE_OF(F16), 65520, false)));
}

static void wide_floats(void **state) {
    (void)state;
    assert_true(dtype_encode_float(DTYPE_OF(F32), 1e300) == 0x7f800000);
    assert_true(dtype_encode_float(DTYPE_OF(F32), 0x1p-149) == 1);
    assert_true(dtype_encode_float(DTYPE_OF(F32), (double)NAN) == 0x7fc00000);
    assert_true(dtype_encode_float(DTYPE_OF(F32), dtype_decode_float(DTYPE_OF(F32), 0xff800001)) == 0xff800001);
    assert_true(dtype_encode_float(DTYPE_OF(F64), 0.1) == bits_of(0.1));
    assert_true(dtype_round(DTYPE_OF(F32), 0.1) == (double)0.1f);
    assert_true(dtype_round(DTYPE_OF(F64), 0.1) == 0.1);
    assert_true(dtype_round(DTYPE_OF(I8), 0.1) == 0.1);
    assert_true(dtype_round(DTYPE_OF(F4_E2M1FN), 100) == 6);
    assert_true(isnan(dtype_round(DTYPE_OF(F8_E4M3FN), 465)));
    assert_true(isinf(dtype_round(DTYPE_OF(F8_E5M2), 61440)));
}

static void powers_of_two(void **state) {
    (void)state;
    dtype t = DTYPE_OF(F8_E8M0FNU);
    assert_true(dtype_round(t, 3) == 4 && dtype_round(t, 2.99) == 2 && dtype_round(t, 6) == 8); // ties go up
    assert_true(dtype_round(t, 5e-324) == 0x1p-127 && dtype_round(t, 0x1.7p-127) == 0x1p-127);
    assert_true(dtype_round(t, 0x1.7p127) == 0x1p127 && isnan(dtype_round(t, 0x1.8p127)));
    assert_true(isnan(dtype_round(t, 0)) && isnan(dtype_round(t, -1)) && isnan(dtype_round(t, (double)INFINITY)));
}

static void floats_to_integers_saturate(void **state) {
    (void)state;
    assert_int_equal(dtype_float_to_int(DTYPE_OF(I8), 127.9), 127);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(I8), 1e30), 127);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(I8), -128.9), -128);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(I8), -1.9), -1);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(U8), -0.5), 0);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(U8), -7), 0);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(I4), 100), 7);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(I64), 0x1p63), INT64_MAX);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(I64), -0x1p63), INT64_MIN);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(I64), -INFINITY), INT64_MIN);
    assert_true((uint64_t)dtype_float_to_int(DTYPE_OF(U64), 0x1p63) == (uint64_t)1 << 63);
    assert_true((uint64_t)dtype_float_to_int(DTYPE_OF(U64), 0x1p64) == UINT64_MAX);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(I32), (double)NAN), 0);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(BOOL), (double)NAN), 1);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(BOOL), 0.25), 1);
    assert_int_equal(dtype_float_to_int(DTYPE_OF(BOOL), -0.0), 0);
}

static void integers_decode_as_numbers(void **state) {
    (void)state;
    assert_true(dtype_decode_float(DTYPE_OF(I4), 0xf) == -1);
    assert_true(dtype_decode_float(DTYPE_OF(U64), UINT64_MAX) == 0x1p64);
    assert_true(dtype_decode_float(DTYPE_OF(BOOL), 1) == 1);
    assert_int_equal(dtype_encode_float(DTYPE_OF(I4), -1), 0xf);
    assert_int_equal(dtype_encode_float(DTYPE_OF(U8), 300), 255);
}

static void check_line(const char *name, dtype t, const char *line) {
    uint64_t from, to;
    bool nan = strstr(line, "nan") != NULL;
    if (sscanf(line, nan ? "> %" SCNx64 : "%*c %" SCNx64 " %" SCNx64, &from, &to) < 1) fail_msg("%s: %s", name, line);
    if (line[0] == '<') {
        uint64_t code = dtype_encode_float(t, double_of(from));
        if (code != to) fail_msg("%s: %.17g is encoded as %" PRIx64 ", want %" PRIx64, name, double_of(from), code, to);
    } else {
        double value = dtype_decode_float(t, from);
        if (nan ? !isnan(value) : bits_of(value) != to) fail_msg("%s: code %" PRIx64 " gives %a", name, from, value);
    }
}

static size_t replay(const char *name, dtype t) {
    char path[4096], line[128];
    const char *root = getenv("SRC");
    size_t lines = 0;
    snprintf(path, sizeof path, "%s/tests/data/dtypes/%s.txt", root ? root : ".", name);
    FILE *f = fopen(path, "r");
    if (!f) fail_msg("%s can't be read", path);
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        check_line(name, t, line);
        lines++;
    }
    fclose(f);
    return lines;
}

static void recorded_answers(void **state) {
    (void)state;
    char name[32];
    size_t lines = 0;
    for (unsigned kind = DTYPE_F16; kind <= DTYPE_F4_E2M1FN; kind++) {
        dtype t = {.kind = (uint8_t)kind};
        if (dtype_bits(t) <= 16) lines += replay(dtype_spell(t, name), t);
    }
    print_message("%zu recorded conversions\n", lines);
    assert_true(lines > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_survives),
        cmocka_unit_test(hot_conversions_agree_with_the_general_ones),
        cmocka_unit_test(halves_are_the_nearest),
        cmocka_unit_test(nothing_is_rounded_twice),
        cmocka_unit_test(wide_floats),
        cmocka_unit_test(powers_of_two),
        cmocka_unit_test(floats_to_integers_saturate),
        cmocka_unit_test(integers_decode_as_numbers),
        cmocka_unit_test(recorded_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
