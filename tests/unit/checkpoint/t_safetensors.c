// t_safetensors.c - files of tensors: good ones, and every way a header can lie.
#include "checkpoint/safetensors.h"
#include "test.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A file in memory: length, header, data bytes 0, 1, 2, ….
typedef struct made {
    uint8_t *bytes;
    size_t size;
} made;

static made make(const char *header, size_t data) {
    size_t length = strlen(header);
    made m = {.size = 8 + length + data};
    m.bytes = malloc(m.size);
    assert_non_null(m.bytes);
    for (int i = 0; i < 8; i++) m.bytes[i] = (uint8_t)((uint64_t)length >> (8 * i));
    memcpy(m.bytes + 8, header, length);
    for (size_t i = 0; i < data; i++) m.bytes[8 + length + i] = (uint8_t)i;
    return m;
}

static void good(void **state) {
    char why[FILE_WHY] = "";
    const char *value, header[] = " { \"__metadata__\" : {\"format\":\"pt\", \"\\u00e9\\ud83d\\ude00\\n\": \"x\"},\n"
                                  "\"b.weight\":{\"shape\":[2,3],\"dtype\":\"F32\",\"data_offsets\":[4,28]}, "
                                  "\"a\":{\"dtype\":\"I8\",\"shape\":[4],\"data_offsets\":[0,4]},"
                                  "\"none\":{\"dtype\":\"BF16\",\"shape\":[3,0],\"data_offsets\":[28,28]} }  ";
    made m = make(header, 28);
    safetensors *s;
    (void)state;
    if (safetensors_parse(m.bytes, m.size, &s, why) != RX_OK) fail_msg("%s", why);
    assert_int_equal(safetensors_count(s), 3);
    assert_string_equal(safetensors_at(s, 0)->name, "a");
    const safetensors_entry *b = safetensors_find(s, "b.weight");
    assert_non_null(b);
    assert_true(b->rank == 2 && b->dim[0] == 2 && b->dim[1] == 3 && b->bytes == 24 && b->data[0] == 4);
    assert_true(dtype_equal(b->type, DTYPE_OF(F32)));
    assert_int_equal(safetensors_find(s, "none")->bytes, 0);
    assert_null(safetensors_find(s, "c"));
    assert_null(safetensors_at(s, 3));
    assert_string_equal(safetensors_metadata(s, 0, &value), "format");
    assert_string_equal(value, "pt");
    assert_string_equal(safetensors_metadata(s, 1, &value), "\xc3\xa9\xf0\x9f\x98\x80\n");
    assert_null(safetensors_metadata(s, 2, &value));
    safetensors_close(s);
    free(m.bytes);
}

static void refused(void **state) {
#define ONE(dtype, shape, offsets) "{\"a\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"
    static const struct {
        const char *header, *says;
        size_t data;
    } rows[] = {
        {"", "want '{'", 0},
        {"{", "want a string", 0},
        {"[]", "want '{'", 0},
        {"{} {}", "something follows", 0},
        {"{}", "belong to no tensor", 1},
        {"{\"a\":7}", "want '{'", 0},
        {"{\"a\":{}}", "once each", 0},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", "once each", 4},
        {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", "once each", 4},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"more\":[0,4]}}", "once each", 4},
        {ONE("C64", "[1]", "[0,8]"), "unknown dtype", 8},
        {ONE("F32", "[1.5]", "[0,4]"), "whole number", 4},
        {ONE("F32", "[1e0]", "[0,4]"), "whole number", 4},
        {ONE("F32", "[-1]", "[0,4]"), "whole number", 4},
        {ONE("F32", "[9223372036854775808]", "[0,4]"), "dim that is too large", 4},
        {ONE("F32", "[99999999999999999999]", "[0,4]"), "number that is too large", 4},
        {ONE("F32", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,4]"), "too many numbers", 4},
        {ONE("F32", "[1 }", "[0,4]"), "want ',' or ']'", 4},
        {ONE("F32", "[1]", "[4,0]"), "want a begin and an end", 4},
        {ONE("F32", "[1]", "[0]"), "want a begin and an end", 4},
        {ONE("F32", "[1]", "[0,4]"), "0 to 4", 3},
        {ONE("F32", "[2]", "[0,4]"), "does not fit its 4 bytes", 4},
        {ONE("F32", "[4294967296,4294967296]", "[0,0]"), "does not fit its 0 bytes", 0},
        {ONE("F32", "[1]", "[4,8]"), "next free byte is 0", 8},
        {"{\"a\\", "want an escape", 0},
        {"{\"a\\q\":1}", "want an escape", 0},
        {"{\"a\\u12\":1}", "hexadecimal", 0},
        {"{\"\\u0000\":1}", "zero character", 0},
        {"{\"\\ud800x\":1}", "surrogate", 0},
        {"{\"\xff\":1}", "want UTF-8", 0},
        {"{\"a\nb\":1}", "control byte", 0},
        {"{\"__metadata__\":{\"a\":1}}", "want a string", 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char why[FILE_WHY] = "";
        safetensors *s;
        made m = make(rows[i].header, rows[i].data);
        assert_true(safetensors_parse(m.bytes, m.size, &s, why) != RX_OK);
        assert_null(s);
        if (!strstr(why, rows[i].says)) fail_msg("%s: got '%s', want '%s'", rows[i].header, why, rows[i].says);
        assert_true(safetensors_parse(m.bytes, m.size, &s, NULL) != RX_OK);
        free(m.bytes);
    }
}

static void same_name_twice(void **state) {
    char why[FILE_WHY] = "";
    safetensors *s;
    made m = make("{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                  "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
                  2);
    (void)state;
    assert_int_equal(safetensors_parse(m.bytes, m.size, &s, why), RX_BAD_FILE);
    assert_non_null(strstr(why, "two tensors are called a"));
    free(m.bytes);
}

// Cut anywhere, a file is refused.
static void cut_off(void **state) {
    made m = make(ONE("F32", "[2]", "[0,8]"), 8);
    (void)state;
    for (size_t size = 0; size < m.size; size++) {
        safetensors *s;
        uint8_t *part = malloc(size + !size);
        assert_non_null(part);
        memcpy(part, m.bytes, size);
        assert_true(safetensors_parse(part, size, &s, NULL) != RX_OK);
        free(part);
    }
    free(m.bytes);
}

// Files of the test data: all are refused but the scalar.
static void hostile_files(void **state) {
    char path[4096], why[FILE_WHY];
    const char *data = getenv("RELAX_TEST_DATA");
    snprintf(path, sizeof path, "%s/hostile/safetensors", data ? data : "../shared");
    DIR *folder = opendir(path);
    (void)state;
    if (!folder) skip();
    for (struct dirent *e; (e = readdir(folder));) {
        safetensors *s;
        if (!strstr(e->d_name, ".safetensors")) continue;
        snprintf(path, sizeof path, "%s/hostile/safetensors/%s", data ? data : "../shared", e->d_name);
        rx_status status = safetensors_open(path, &s, why);
        bool fine = strcmp(e->d_name, "scalar.safetensors") == 0 ? status == RX_OK : status != RX_OK && why[0];
        if (!fine) fail_msg("%s: status %d, %s", e->d_name, status, why);
        safetensors_close(s);
    }
    closedir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(good), cmocka_unit_test(refused),
                                       cmocka_unit_test(same_name_twice), cmocka_unit_test(cut_off),
                                       cmocka_unit_test(hostile_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
