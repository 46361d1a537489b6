// t_dtype.c - the table of element types: spelling, DLPack, integer ranges, sizes, packed access.
#include "tensor/dtype.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static dtype parsed(const char *spelling) {
    dtype t;
    assert_true(dtype_parse(spelling, strlen(spelling), &t));
    return t;
}

static void every_type_is_read_as_it_is_spelled(void **state) {
    (void)state;
    for (unsigned kind = DTYPE_VOID; kind < DTYPE_KINDS; kind++) {
        dtype t = {.kind = (uint8_t)kind}, vector = dtype_vector(t, 65535);
        char spelling[32];
        assert_true(dtype_equal(parsed(dtype_spell(t, spelling)), t));
        if (dtype_family_of(t) == FAMILY_NONE) continue;
        assert_true(dtype_equal(parsed(dtype_spell(vector, spelling)), vector));
    }
}

static void spellings(void **state) {
    (void)state;
    char out[32];
    assert_true(dtype_equal(parsed("float32x4"), dtype_vector(DTYPE_OF(F32), 4)));
    assert_true(dtype_equal(parsed("int8x16"), dtype_vector(DTYPE_OF(I8), 16)));
    assert_true(dtype_equal(parsed("boolx4"), dtype_vector(DTYPE_OF(BOOL), 4)));
    assert_true(dtype_equal(parsed("float8_e4m3fnx2"), dtype_vector(DTYPE_OF(F8_E4M3FN), 2)));
    assert_true(dtype_equal(parsed("int16"), DTYPE_OF(I16)));
    assert_true(dtype_equal(parsed("int1x6"), dtype_vector(DTYPE_OF(I1), 6)));
    assert_string_equal(dtype_spell((dtype){.kind = DTYPE_F32}, out), "float32"); // 0 lanes mean 1
    assert_string_equal(dtype_spell((dtype){.kind = 255, .lanes = 3}, out), "voidx3");
}

static void what_is_not_a_type(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      "float",
                                      "float33",
                                      "float32x",
                                      "float32x0",
                                      "float32x04",
                                      "int8x65536",
                                      "float32x-1",
                                      "handlex4",
                                      "voidx2",
                                      "Float32",
                                      "float32 ",
                                      "int8x4x4",
                                      "int8x99999999999999999999",
                                      "float8_e4m3q"};
    dtype t;
    for (size_t i = 0; i < COUNT(bad); i++) assert_false(dtype_parse(bad[i], strlen(bad[i]), &t));
    assert_true(dtype_parse("float32x4", 7, &t)); // the size counts, not the NUL
    assert_true(dtype_equal(t, DTYPE_OF(F32)));
}

static void dlpack_codes(void **state) {
    (void)state;
    dtype t;
    for (unsigned kind = DTYPE_VOID; kind < DTYPE_KINDS; kind++) {
        dtype wanted = {.kind = (uint8_t)kind, .lanes = 1};
        assert_true(dtype_from_dlpack(dtype_dlpack_code(wanted), (uint8_t)dtype_bits(wanted), 1, &t));
        assert_true(dtype_equal(t, wanted));
    }
    assert_true(dtype_from_dlpack(2, 32, 4, &t) && dtype_equal(t, dtype_vector(DTYPE_OF(F32), 4)));
    assert_true(dtype_from_dlpack(3, 0, 0, &t) && t.kind == DTYPE_VOID);
    assert_false(dtype_from_dlpack(2, 32, 0, &t));
    assert_false(dtype_from_dlpack(5, 64, 1, &t)); // complex
    assert_false(dtype_from_dlpack(0, 128, 1, &t));
}

static void integer_ranges(void **state) {
    (void)state;
    assert_int_equal(dtype_int_min(DTYPE_OF(I64)), INT64_MIN);
    assert_int_equal(dtype_int_max(DTYPE_OF(I64)), INT64_MAX);
    assert_true(dtype_int_max(DTYPE_OF(U64)) == UINT64_MAX);
    assert_int_equal(dtype_int_min(DTYPE_OF(I4)), -8);
    assert_int_equal(dtype_int_max(DTYPE_OF(I4)), 7);
    assert_int_equal(dtype_int_min(DTYPE_OF(I1)), -1);
    assert_int_equal(dtype_int_max(DTYPE_OF(I1)), 0);
    assert_int_equal(dtype_int_min(DTYPE_OF(U2)), 0);
    assert_int_equal(dtype_int_max(DTYPE_OF(U2)), 3);
    assert_int_equal(dtype_int_max(DTYPE_OF(BOOL)), 1);
    assert_int_equal(dtype_int_max(DTYPE_OF(F32)), 0);
}

static void wrapping(void **state) {
    (void)state;
    assert_int_equal(dtype_wrap(DTYPE_OF(I8), 128), -128);
    assert_int_equal(dtype_wrap(DTYPE_OF(I8), -129), 127);
    assert_int_equal(dtype_wrap(DTYPE_OF(U8), -1), 255);
    assert_int_equal(dtype_wrap(DTYPE_OF(I4), 8), -8);
    assert_int_equal(dtype_wrap(DTYPE_OF(I1), 1), -1);
    assert_int_equal(dtype_wrap(DTYPE_OF(U32), INT64_MIN + 5), 5);
    assert_int_equal(dtype_wrap(DTYPE_OF(I64), INT64_MIN), INT64_MIN);
    assert_int_equal(dtype_wrap(DTYPE_OF(U64), -1), -1);
    assert_int_equal(dtype_wrap(DTYPE_OF(BOOL), 256), 1);
    assert_int_equal(dtype_wrap(DTYPE_OF(BOOL), 0), 0);
    assert_int_equal(dtype_wrap(DTYPE_OF(F32), 1 << 30), 1 << 30);
}

static size_t bytes_of(dtype t, int64_t count) {
    size_t bytes;
    assert_true(dtype_bytes(t, count, &bytes));
    return bytes;
}

static void compact_sizes(void **state) {
    (void)state;
    size_t bytes;
    assert_int_equal(bytes_of(DTYPE_OF(F32), 3), 12);
    assert_int_equal(bytes_of(DTYPE_OF(I4), 3), 2);
    assert_int_equal(bytes_of(DTYPE_OF(I1), 9), 2);
    assert_int_equal(bytes_of(DTYPE_OF(F6_E2M3FN), 4), 3);
    assert_int_equal(bytes_of(DTYPE_OF(F6_E2M3FN), 5), 4);
    assert_int_equal(bytes_of(dtype_vector(DTYPE_OF(I4), 3), 3), 5);
    assert_int_equal(bytes_of(DTYPE_OF(F64), 0), 0);
    assert_true(bytes_of(DTYPE_OF(I1), INT64_MAX) == (size_t)1 << 60);
    assert_false(dtype_bytes(DTYPE_OF(I8), -1, &bytes));
    assert_false(dtype_bytes(DTYPE_OF(I32), INT64_MAX, &bytes));
    assert_false(dtype_bytes(dtype_vector(DTYPE_OF(I1), 65535), INT64_MAX, &bytes));
}

// Each element is kept whatever is stored around it, and nothing outside the buffer is touched.
static void packed_elements(void **state) {
    (void)state;
    for (unsigned kind = DTYPE_VOID + 1; kind < DTYPE_KINDS; kind++) {
        dtype t = {.kind = (uint8_t)kind};
        enum { ELEMENTS = 21 };
        uint8_t buffer[ELEMENTS * 8 + 1];
        uint64_t mask = UINT64_MAX >> (64 - dtype_bits(t));
        size_t bytes = bytes_of(t, ELEMENTS);
        memset(buffer, 0xa5, sizeof buffer);
        for (size_t i = ELEMENTS; i-- > 0;) dtype_store_bits(t, buffer, i, i * 0x9e3779b97f4a7c15);
        for (size_t i = 0; i < ELEMENTS; i += 2) dtype_store_bits(t, buffer, i, ~(i * 0x9e3779b97f4a7c15));
        for (size_t i = 0; i < ELEMENTS; i++) {
            uint64_t stored = i * 0x9e3779b97f4a7c15;
            assert_true(dtype_load_bits(t, buffer, i) == ((i % 2 ? stored : ~stored) & mask));
        }
        assert_int_equal(buffer[bytes], 0xa5);
    }
}

static void packing_goes_from_the_low_bits_up(void **state) {
    (void)state;
    uint8_t buffer[3] = {0};
    for (size_t i = 0; i < 4; i++) dtype_store_bits(DTYPE_OF(I4), buffer, i, i + 1);
    assert_memory_equal(buffer, ((uint8_t[]){0x21, 0x43, 0}), 3);
    memset(buffer, 0, sizeof buffer);
    for (size_t i = 0; i < 4; i++) dtype_store_bits(DTYPE_OF(F6_E3M2FN), buffer, i, i + 1);
    assert_memory_equal(buffer, ((uint8_t[]){0x81, 0x30, 0x10}), 3); // 000100 000011 000010 000001
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_read_as_it_is_spelled),
        cmocka_unit_test(spellings),
        cmocka_unit_test(what_is_not_a_type),
        cmocka_unit_test(dlpack_codes),
        cmocka_unit_test(integer_ranges),
        cmocka_unit_test(wrapping),
        cmocka_unit_test(compact_sizes),
        cmocka_unit_test(packed_elements),
        cmocka_unit_test(packing_goes_from_the_low_bits_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
