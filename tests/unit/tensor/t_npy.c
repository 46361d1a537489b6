// t_npy.c - .npy files: what NumPy wrote, what hostile files say, and what we write ourselves.
#define _POSIX_C_SOURCE 200809L
#include "tensor/npy.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A file: prefix of `version`, dict, data. Fuzzed lengths are set by the callers.
typedef struct bytes {
    uint8_t data[1 << 17];
    size_t size;
} bytes;

static void make_file(bytes *f, uint8_t version, const char *dict, size_t data_size) {
    size_t prefix = version == 1 ? 10 : 12, length = strlen(dict);
    memset(f->data, 0, sizeof f->data);
    memcpy(f->data, "\x93NUMPY", 6);
    f->data[6] = version;
    f->data[8] = (uint8_t)length;
    f->data[9] = (uint8_t)(length >> 8);
    f->data[10] = (uint8_t)(length >> 16);
    memcpy(f->data + prefix, dict, length);
    f->size = prefix + length + data_size;
}

// The same bytes in memory of their very size, so that a sanitizer sees reads past the end.
static rx_status parse_exactly(const uint8_t *data, size_t size, dtype unnamed, tensor **out, char *why) {
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    rx_status status = npy_parse_as(copy, size, unnamed, out, why);
    free(copy);
    return status;
}

static void want_refusal(const char *dict, size_t data_size, rx_status wanted, const char *part) {
    static bytes f;
    char why[FILE_WHY] = "";
    tensor *t = NULL;
    make_file(&f, 1, dict, data_size);
    rx_status status = parse_exactly(f.data, f.size, (dtype){0}, &t, why);
    if (status != wanted || !strstr(why, part)) fail_msg("%s: status %d, %s", dict, (int)status, why);
    assert_null(t);
    assert_int_equal(parse_exactly(f.data, f.size, (dtype){0}, &t, NULL), wanted);
}

static void headers_that_lie(void **state) {
    (void)state;
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 11, RX_BAD_FILE,
                 "asks for 12 bytes of data, but 11");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 13, RX_BAD_FILE, "but 13");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }", 12, RX_BAD_FILE, "at least 0");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (3, -1), }", 12, RX_BAD_FILE, "at least 0");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,), }", 0, RX_BAD_FILE, "2^64");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 0, RX_BAD_FILE,
                 "2^64");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", 0, RX_BAD_FILE,
                 "63 bits");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,), }", 4, RX_BAD_FILE, "2^64");
    want_refusal("{'descr': '|i1', 'fortran_order': False, 'shape': (9223372036854775807,), }", 4, RX_BAD_FILE,
                 "asks for");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1), }", 4,
                 RX_UNSUPPORTED, "more than 16 dimensions");
}

static void headers_that_are_no_dict(void **state) {
    (void)state;
    want_refusal("", 0, RX_BAD_FILE, "wants '{' where it has: the end");
    want_refusal("[1]", 0, RX_BAD_FILE, "wants '{'");
    want_refusal("{", 0, RX_BAD_FILE, "a key in quotes");
    want_refusal("{}", 0, RX_BAD_FILE, "lacks 'descr'");
    want_refusal("{'descr': '<f4', 'fortran_order': False}", 4, RX_BAD_FILE, "lacks 'shape'");
    want_refusal("{'descr': '<f4', 'shape': ()}", 4, RX_BAD_FILE, "lacks 'fortran_order'");
    want_refusal("{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", 4, RX_BAD_FILE, "True or False");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': 3}", 12, RX_BAD_FILE, "tuple");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (3)}", 12, RX_BAD_FILE, "',' after the only");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}", 24, RX_BAD_FILE, "','");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3}", 24, RX_BAD_FILE, "',' or ')'");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3", 24, RX_BAD_FILE, "the end");
    want_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (True,)}", 24, RX_BAD_FILE, "a dimension");
    want_refusal("{'descr: '<f4', 'fortran_order': False, 'shape': ()}", 4, RX_BAD_FILE, "each once");
    want_refusal("{'descr': '<f4', 'descr': '<f8'}", 4, RX_BAD_FILE, "each once");
    want_refusal("{'descr' '<f4'}", 4, RX_BAD_FILE, "':'");
    want_refusal("{'descr': '<f4' 'shape': ()}", 4, RX_BAD_FILE, "',' or '}'");
    want_refusal("{'descr': '<f4", 4, RX_BAD_FILE, "a string");
    want_refusal("{'descr': \x01\xff, ", 4, RX_BAD_FILE, "where it has: ??");
}

static void types_that_are_no_tensor(void **state) {
    (void)state;
    static const char *const refused[][2] = {
        {"'|O'", "pickled Python objects"},
        {"'<c8'", "complex"},
        {"'<f16'", "floats of a size"},
        {"'<U3'", "text"},
        {"'|S3'", "text"},
        {"'<M8[ns]'", "dates"},
        {"'<m8[s]'", "time spans"},
        {"'|V16'", "raw bytes"},
        {"'|V1'", "name a one-byte type"},
        {"[('a', '<f4')]", "records"},
        {"('<f4', (2,))", "arrays"},
        {"'<i16'", "unknown"},
        {"'<i3'", "unknown"},
        {"''", "unknown"},
        {"'<'", "unknown"},
        {"'float32x4'", "unknown"},
        {"'handle'", "unknown"},
        {"'f4'", "unknown"},
    };
    char dict[256];
    for (size_t i = 0; i < COUNT(refused); i++) {
        snprintf(dict, sizeof dict, "{'descr': %s, 'fortran_order': False, 'shape': (2,), }", refused[i][0]);
        want_refusal(dict, 8, RX_UNSUPPORTED, refused[i][1]);
    }
}

// Nothing recurses: 60,000 open parentheses are one wrong character.
static void deep_nesting(void **state) {
    (void)state;
    static const char *const before[] = {"{'shape': ", "{'descr': ", "",
                                         "{'fortran_order': ", "{'descr': '<f4', 'shape': (3,"};
    enum { DEPTH = 60000 };
    char *dict = malloc(DEPTH + 100);
    assert_non_null(dict);
    for (size_t i = 0; i < COUNT(before); i++) {
        for (const char *open = "([{"; *open; open++) {
            size_t at = (size_t)snprintf(dict, 100, "%s", before[i]);
            memset(dict + at, *open, DEPTH);
            dict[at + DEPTH] = 0;
            static bytes f;
            tensor *t;
            make_file(&f, 2, dict, 0);
            assert_int_not_equal(npy_parse(f.data, f.size, &t, NULL), RX_OK);
        }
    }
    free(dict);
}

static void prefixes(void **state) {
    (void)state;
    static bytes f;
    tensor *t = NULL;
    char why[FILE_WHY];
    make_file(&f, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 12);
    for (size_t size = 0; size < f.size; size++) // truncated anywhere
        assert_int_equal(parse_exactly(f.data, size, (dtype){0}, &t, why), RX_BAD_FILE);
    f.data[6] = 4;
    assert_int_equal(npy_parse(f.data, f.size, &t, why), RX_UNSUPPORTED);
    assert_non_null(strstr(why, "version 4.0"));
    f.data[6] = 1;
    f.data[0] = 'P';
    assert_int_equal(npy_parse(f.data, f.size, &t, why), RX_BAD_FILE);
    assert_non_null(strstr(why, "NUMPY"));
    make_file(&f, 3, "{}", 0);
    f.data[11] = 0xff;
    assert_int_equal(npy_parse(f.data, f.size, &t, why), RX_UNSUPPORTED);
    assert_non_null(strstr(why, "at most"));
    make_file(&f, 1, "{}", 0);
    f.data[8] = 200;
    assert_int_equal(npy_parse(f.data, f.size, &t, why), RX_BAD_FILE);
    assert_non_null(strstr(why, "says it has 200 bytes, but 2 are left"));
    assert_int_equal(npy_parse((const uint8_t *)"\x93NUMPY\2\0\0\0", 10, &t, why), RX_BAD_FILE);
    assert_null(t);
}

static tensor *want_tensor(uint8_t version, const char *dict, const uint8_t *data, size_t size, dtype unnamed) {
    static bytes f;
    char why[FILE_WHY] = "";
    tensor *t = NULL;
    make_file(&f, version, dict, size);
    memcpy(f.data + f.size - size, data, size);
    if (parse_exactly(f.data, f.size, unnamed, &t, why) != RX_OK) fail_msg("%s: %s", dict, why);
    return t;
}

static void other_ways_to_write_it(void **state) {
    (void)state;
    static const char *const same[] = {
        "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }\n",
        "{\"shape\":(2,1),\"descr\":\"<i2\",\"fortran_order\":False}",
        " { 'shape' : ( 2L , 1L , ) , 'fortran_order' : False , 'descr' : '=i2' , } # a comment \n",
        "{'descr': 'int16', 'fortran_order': False, 'shape': (2, 1)}",
    };
    for (size_t i = 0; i < COUNT(same); i++) {
        for (uint8_t version = 1; version <= 3; version++) {
            AUTO(tensor_release_at) tensor *t = want_tensor(version, same[i], (uint8_t[]){1, 2, 3, 4}, 4, (dtype){0});
            assert_true(dtype_equal(t->type, DTYPE_OF(I16)) && t->rank == 2 && t->dim[0] == 2 && t->dim[1] == 1);
            assert_int_equal(tensor_get_int(t, 1), 0x403);
        }
    }
    AUTO(tensor_release_at)
    tensor *flags =
        want_tensor(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}", (uint8_t[]){2, 0}, 2, (dtype){0});
    assert_int_equal(((uint8_t *)flags->data)[0], 1); // any other byte than 0 is true
    AUTO(tensor_release_at)
    tensor *small = want_tensor(1, "{'descr': '<V1', 'fortran_order': False, 'shape': (3,)}",
                                (uint8_t[]){0xff, 1, 0x87}, 3, DTYPE_OF(I4));
    assert_int_equal(small->bytes, 2);
    assert_true(tensor_get_int(small, 0) == -1 && tensor_get_int(small, 1) == 1 && tensor_get_int(small, 2) == 7);
}

// One recorded array: dtype, name, dims, values, the file that NumPy wrote.
typedef struct record {
    char *type, *name, *dims, *values, *hex;
} record;

static size_t from_hex(const char *hex, uint8_t *out) {
    size_t size = strlen(hex) / 2;
    for (size_t i = 0; i < size; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        out[i] = (uint8_t)byte;
    }
    return size;
}

static void check_dims(const record *r, const tensor *t) {
    char *at = r->dims;
    for (uint32_t i = 0; i < t->rank; i++, at += *at == ',') assert_int_equal(t->dim[i], strtoll(at, &at, 10));
    assert_true(*at == 0 || strcmp(at, "-") == 0);
}

static void check_values(const record *r, const tensor *t) {
    char *at = r->values;
    for (size_t i = 0; i < (size_t)tensor_count(t); i++, at += *at == ',') {
        if (dtype_is_float(t->type))
            assert_true(tensor_get_float(t, i) == strtod(at, &at));
        else if (t->type.kind == DTYPE_U64)
            assert_true((uint64_t)tensor_get_int(t, i) == strtoull(at, &at, 10));
        else
            assert_int_equal(tensor_get_int(t, i), strtoll(at, &at, 10));
    }
    assert_true(*at == 0 || strcmp(at, "-") == 0);
}

// Arrays in C order and little-endian are written back to the byte.
static void check_writing(const record *r, const tensor *t, const uint8_t *file, size_t size) {
    uint8_t *header;
    const void *data;
    void *owned;
    size_t header_size, data_size;
    if (strcmp(r->name, "C") != 0 && strcmp(r->name, "scalar") != 0 && strcmp(r->name, "empty") != 0) return;
    assert_int_equal(npy_header(t, &header, &header_size), RX_OK);
    assert_int_equal(npy_data(t, &data, &data_size, &owned), RX_OK);
    assert_int_equal(header_size + data_size, size);
    assert_memory_equal(header, file, header_size);
    if (data_size) assert_memory_equal(data, file + header_size, data_size);
    free(header);
    free(owned);
}

static void check_record(record *r) {
    static uint8_t file[1024];
    char why[FILE_WHY] = "", spelling[32];
    dtype type;
    tensor *t;
    size_t size = from_hex(r->hex, file);
    bool unnamed = strcmp(r->name, "unnamed") == 0;
    assert_true(dtype_parse(r->type, strlen(r->type), &type));
    if (unnamed) assert_int_equal(parse_exactly(file, size, (dtype){0}, &t, why), RX_UNSUPPORTED);
    if (parse_exactly(file, size, unnamed ? type : (dtype){0}, &t, why) != RX_OK) fail_msg("%s: %s", r->type, why);
    assert_string_equal(dtype_spell(t->type, spelling), r->type);
    check_dims(r, t);
    check_values(r, t);
    check_writing(r, t, file, size);
    tensor_release(t);
}

static void files_of_numpy(void **state) {
    (void)state;
    char path[4096], line[4096], *rest;
    const char *root = getenv("SRC");
    size_t count = 0;
    snprintf(path, sizeof path, "%s/tests/data/dtypes/numpy.txt", root ? root : ".");
    FILE *f = fopen(path, "r");
    if (!f) fail_msg("%s can't be read", path);
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        record r = {.type = strtok_r(line, " \n", &rest)};
        r.name = strtok_r(NULL, " \n", &rest);
        r.dims = strtok_r(NULL, " \n", &rest);
        r.values = strtok_r(NULL, " \n", &rest);
        r.hex = strtok_r(NULL, " \n", &rest);
        check_record(&r);
        count++;
    }
    fclose(f);
    assert_true(count >= 20);
}

// Every type comes back from a file, with its dtype, whatever NumPy makes of it.
static void every_type_through_a_file(void **state) {
    (void)state;
    static const char path[] = "t_npy.tmp.npy";
    char why[FILE_WHY] = "";
    for (unsigned kind = DTYPE_VOID + 1; kind < DTYPE_HANDLE; kind++) {
        tensor *t, *again = NULL;
        assert_int_equal(tensor_new((dtype){.kind = (uint8_t)kind}, 2, (int64_t[]){3, 5}, &t), RX_OK);
        tensor_fill_random(t, kind);
        if (npy_write(path, t, why) != RX_OK || npy_read(path, &again, why) != RX_OK) fail_msg("%s", why);
        assert_true(tensor_compare(t, again, 0, 0).same);
        assert_int_equal(t->bytes, again->bytes);
        assert_memory_equal(t->data, again->data, t->bytes);
        tensor_release(t);
        tensor_release(again);
    }
    remove(path);
}

static void headers_are_aligned(void **state) {
    (void)state;
    int64_t dim[TENSOR_MAX_RANK];
    for (size_t i = 0; i < TENSOR_MAX_RANK; i++) dim[i] = i ? INT64_MAX - (int64_t)i : 0;
    for (uint32_t rank = 0; rank <= TENSOR_MAX_RANK; rank++) {
        tensor *t;
        npy_info info;
        uint8_t *header;
        size_t size;
        char why[FILE_WHY];
        assert_int_equal(tensor_new(DTYPE_OF(F8_E4M3B11FNUZ), rank, dim, &t), RX_OK);
        assert_int_equal(npy_header(t, &header, &size), RX_OK);
        assert_int_equal(size % 64, 0);
        if (npy_parse_header(header, size, (dtype){0}, &info, why) != RX_OK) fail_msg("%s", why);
        assert_true(info.header_bytes == size && info.rank == rank && dtype_equal(info.type, t->type));
        assert_memory_equal(info.dim, dim, rank * sizeof *dim);
        free(header);
        tensor_release(t);
    }
}

static void what_cannot_be_written_or_read(void **state) {
    (void)state;
    char why[FILE_WHY] = "";
    tensor *vectors, *t = NULL;
    assert_int_equal(tensor_new(dtype_vector(DTYPE_OF(F32), 4), 0, NULL, &vectors), RX_OK);
    assert_int_equal(npy_write("t_npy.vector.npy", vectors, why), RX_UNSUPPORTED);
    assert_non_null(strstr(why, "t_npy.vector.npy: npy files can't hold vectors"));
    tensor_release(vectors);
    assert_int_equal(npy_read("no/such/file.npy", &t, why), RX_NOT_FOUND);
    assert_non_null(strstr(why, "no/such/file.npy"));
    assert_int_equal(file_write("t_npy.empty.npy", "", 0, why), RX_OK);
    assert_int_equal(npy_read("t_npy.empty.npy", &t, why), RX_BAD_FILE);
    assert_non_null(strstr(why, "t_npy.empty.npy: npy: "));
    remove("t_npy.empty.npy");
    assert_null(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_that_lie),
        cmocka_unit_test(headers_that_are_no_dict),
        cmocka_unit_test(types_that_are_no_tensor),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(other_ways_to_write_it),
        cmocka_unit_test(files_of_numpy),
        cmocka_unit_test(every_type_through_a_file),
        cmocka_unit_test(headers_are_aligned),
        cmocka_unit_test(what_cannot_be_written_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
