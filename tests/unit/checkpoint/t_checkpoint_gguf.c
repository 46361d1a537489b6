// t_checkpoint_gguf.c - GGUF files: keys of all types, tensors, split models; cut short anywhere, and made hostile.
#define _POSIX_C_SOURCE 200809L
#include "checkpoint/gguf.h"
#include "tensor/formats.h"
#include "test.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// A file being written.
typedef struct writer {
    uint8_t at[1 << 14];
    size_t size;
} writer;

static void put(writer *w, uint64_t value, size_t bytes) {
    assert_true(w->size + bytes <= sizeof w->at);
    for (size_t i = 0; i < bytes; i++) w->at[w->size++] = (uint8_t)(value >> (8 * i));
}

static void put_name(writer *w, const char *s) {
    put(w, strlen(s), 8);
    while (*s) put(w, (uint8_t)*s++, 1);
}

static void begin(writer *w, uint32_t version, uint64_t tensors, uint64_t pairs) {
    w->size = 0;
    put(w, 0x46554747, 4);
    put(w, version, 4);
    put(w, tensors, 8);
    put(w, pairs, 8);
}

static void put_key(writer *w, const char *key, gguf_value type) {
    put_name(w, key);
    put(w, type, 4);
}

static void put_array(writer *w, const char *key, gguf_value type, uint64_t count) {
    put_key(w, key, GGUF_ARRAY);
    put(w, type, 4);
    put(w, count, 8);
}

static void put_info(writer *w, const char *name, uint32_t rank, const uint64_t *dim, uint32_t type, uint64_t offset) {
    put_name(w, name);
    put(w, rank, 4);
    for (uint32_t i = 0; i < rank; i++) put(w, dim[i], 8);
    put(w, type, 4);
    put(w, offset, 8);
}

static void pad(writer *w) {
    while (w->size % 32) put(w, 0, 1);
}

// From memory of exactly that size, so that a read behind the end is seen.
static rx_status parse(const writer *w, size_t size, gguf **out, uint8_t **bytes, char *why) {
    *bytes = malloc(size + 1);
    memcpy(*bytes, w->at, size);
    return gguf_parse(*bytes, size, out, why);
}

static void want_refused(const writer *w, rx_status status, const char *message) {
    char why[FILE_WHY] = "";
    uint8_t *bytes;
    gguf *g;
    assert_int_equal(parse(w, w->size, &g, &bytes, why), status);
    assert_null(g);
    assert_string_equal(why, message);
    free(bytes);
}

// One key of each type, and an array of each kind.
static void put_all_types(writer *w) {
    put_key(w, "u8", GGUF_U8), put(w, 200, 1);
    put_key(w, "i8", GGUF_I8), put(w, 0xff, 1);
    put_key(w, "u16", GGUF_U16), put(w, 65535, 2);
    put_key(w, "i16", GGUF_I16), put(w, 0x8000, 2);
    put_key(w, "u32", GGUF_U32), put(w, UINT32_MAX, 4);
    put_key(w, "i32", GGUF_I32), put(w, (uint32_t)-5, 4);
    put_key(w, "f32", GGUF_F32), put(w, 0x3fc00000, 4);
    put_key(w, "bool", GGUF_BOOL), put(w, 1, 1);
    put_key(w, "text", GGUF_TEXT), put_name(w, "words");
    put_key(w, "u64", GGUF_U64), put(w, UINT64_MAX, 8);
    put_key(w, "i64", GGUF_I64), put(w, (uint64_t)INT64_MIN, 8);
    put_key(w, "f64", GGUF_F64), put(w, 0xbff0000000000000u, 8);
    put_array(w, "numbers", GGUF_I16, 3), put(w, 1, 2), put(w, 0xffff, 2), put(w, 3, 2);
    put_array(w, "texts", GGUF_TEXT, 2), put_name(w, "a"), put_name(w, "");
    put_array(w, "none", GGUF_F64, 0);
}

enum { ALL_TYPES = 15 };

static void want_int(const gguf *g, const char *key, bool fits, int64_t wanted) {
    gguf_pair p;
    int64_t got = 0;
    assert_true(gguf_find(g, key, &p));
    assert_int_equal(gguf_int(&p, 0, &got), fits);
    if (fits) assert_int_equal(got, wanted);
}

static void check_ints(const gguf *g) {
    want_int(g, "u8", true, 200);
    want_int(g, "i8", true, -1);
    want_int(g, "u16", true, 65535);
    want_int(g, "i16", true, -32768);
    want_int(g, "u32", true, UINT32_MAX);
    want_int(g, "i32", true, -5);
    want_int(g, "i64", true, INT64_MIN);
    want_int(g, "u64", false, 0);
    want_int(g, "f32", false, 0);
    want_int(g, "bool", false, 0);
    want_int(g, "text", false, 0);
    want_int(g, "none", false, 0);
}

static void check_others(const gguf *g) {
    gguf_pair p;
    double number;
    bool flag;
    text_span text;
    int64_t whole;
    assert_true(gguf_find(g, "f32", &p) && gguf_float(&p, 0, &number) && number == 1.5);
    assert_true(gguf_find(g, "f64", &p) && gguf_float(&p, 0, &number) && number == -1);
    assert_true(gguf_find(g, "i8", &p) && gguf_float(&p, 0, &number) && number == -1);
    assert_true(gguf_find(g, "bool", &p) && gguf_bool(&p, 0, &flag) && flag);
    assert_true(gguf_find(g, "text", &p) && gguf_text(&p, &text) && span_is(text, "words"));
    assert_true(gguf_find(g, "numbers", &p) && p.is_array && p.count == 3 && p.type == GGUF_I16);
    assert_true(gguf_int(&p, 1, &whole) && whole == -1);
    assert_false(gguf_int(&p, 3, &whole));
    assert_true(gguf_find(g, "texts", &p) && !gguf_text(&p, &text));
    const uint8_t *at = p.data;
    assert_true(span_is(gguf_next_text(&p, &at), "a"));
    assert_true(span_is(gguf_next_text(&p, &at), ""));
    assert_false(gguf_find(g, "nothing", &p));
}

static void reads_keys_of_all_types(void **state) {
    (void)state;
    for (uint32_t version = 2; version <= 3; version++) {
        writer w;
        char why[FILE_WHY] = "";
        uint8_t *bytes;
        gguf *g;
        begin(&w, version, 0, ALL_TYPES);
        put_all_types(&w);
        assert_int_equal(parse(&w, w.size, &g, &bytes, why), RX_OK);
        assert_int_equal(gguf_version(g), version);
        assert_int_equal(gguf_pair_count(g), ALL_TYPES);
        check_ints(g);
        check_others(g);
        gguf_close(g);
        free(bytes);
    }
}

// A matrix of 2 rows of 64 in Q8_0, a vector of 3 floats, a scalar, and one of a type nobody knows.
static void put_tensors(writer *w) {
    put_info(w, "matrix", 2, (const uint64_t[]){64, 2}, 8, 0);
    put_info(w, "vector", 1, (const uint64_t[]){3}, 0, 160);
    put_info(w, "scalar", 0, NULL, 0, 192);
    put_info(w, "strange", 1, (const uint64_t[]){3}, 77, 0);
    pad(w);
    for (int i = 0; i < 196; i++) put(w, (uint64_t)i, 1);
}

static void check_tensors(const gguf *g) {
    gguf_tensor t;
    assert_int_equal(gguf_tensor_count(g), 4);
    assert_true(span_is(gguf_tensor_at(g, 1).name, "vector"));
    assert_true(gguf_find_tensor(g, "matrix", &t));
    assert_true(t.rank == 2 && t.dim[0] == 2 && t.dim[1] == 64 && t.bytes == 136 && t.data[1] == 1);
    assert_string_equal(t.type->name, "q8_0");
    assert_true(gguf_find_tensor(g, "vector", &t) && t.bytes == 12 && t.data[0] == 160);
    assert_true(dtype_equal(gguf_plain(t.type), DTYPE_OF(F32)));
    assert_true(gguf_find_tensor(g, "scalar", &t) && t.rank == 0 && t.bytes == 4);
    assert_true(gguf_find_tensor(g, "strange", &t) && !t.type && t.number == 77 && !t.data);
    assert_false(gguf_find_tensor(g, "matri", &t));
}

static void reads_tensors_and_survives_cuts(void **state) {
    (void)state;
    writer w;
    char why[FILE_WHY] = "";
    uint8_t *bytes;
    gguf *g;
    begin(&w, 3, 4, ALL_TYPES);
    put_all_types(&w);
    put_tensors(&w);
    assert_int_equal(parse(&w, w.size, &g, &bytes, why), RX_OK);
    check_tensors(g);
    gguf_close(g);
    free(bytes);
    for (size_t size = 0; size < w.size; size++) {
        assert_int_equal(parse(&w, size, &g, &bytes, why), RX_BAD_FILE);
        free(bytes);
    }
}

static void refuses_bad_headers(void **state) {
    (void)state;
    writer w;
    begin(&w, 1, 0, 0);
    want_refused(&w, RX_UNSUPPORTED, "gguf: version 1; versions 2 and 3 are supported");
    begin(&w, 0x03000000, 0, 0);
    want_refused(&w, RX_UNSUPPORTED, "gguf: the file is big-endian; only little-endian files are supported");
    begin(&w, 3, 0, (uint64_t)1 << 63);
    want_refused(&w, RX_BAD_FILE, "gguf: more keys are promised than fit the file");
    begin(&w, 3, (uint64_t)1 << 63, 0);
    want_refused(&w, RX_BAD_FILE, "gguf: more tensors are promised than fit the file");
    begin(&w, 3, 0, 0);
    w.at[0] = 'g';
    want_refused(&w, RX_BAD_FILE, "gguf: the file doesn't begin with GGUF");
}

static void refuses_bad_pairs(void **state) {
    (void)state;
    writer w;
    begin(&w, 3, 0, 1);
    put_key(&w, "k", GGUF_TEXT), put(&w, UINT64_MAX, 8);
    want_refused(&w, RX_BAD_FILE, "gguf: k: the file ends inside a text; was it cut off?");
    begin(&w, 3, 0, 1);
    put_array(&w, "k", GGUF_I32, (uint64_t)1 << 63);
    want_refused(&w, RX_BAD_FILE, "gguf: k: the file ends inside this array; was it cut off?");
    begin(&w, 3, 0, 1);
    put_array(&w, "k", GGUF_ARRAY, 1);
    put(&w, 0, 8), put(&w, 0, 8);
    want_refused(&w, RX_BAD_FILE, "gguf: k: arrays of arrays are not supported");
    begin(&w, 3, 0, 1);
    put_name(&w, "k"), put(&w, 13, 4), put(&w, 0, 8);
    want_refused(&w, RX_BAD_FILE, "gguf: k: a value of a type that GGUF doesn't have");
    begin(&w, 3, 0, 1);
    put_name(&w, "\xff\xfe"), put(&w, GGUF_U32, 4), put(&w, 0, 4);
    want_refused(&w, RX_BAD_FILE, "gguf: a key that is not UTF-8");
    begin(&w, 3, 0, 2);
    put_key(&w, "k", GGUF_U8), put(&w, 0, 1);
    put_key(&w, "k", GGUF_U8), put(&w, 0, 1);
    want_refused(&w, RX_BAD_FILE, "gguf: two keys are called 'k'");
    for (uint64_t alignment = 0; alignment < 4; alignment += 3) {
        begin(&w, 3, 0, 1);
        put_key(&w, "general.alignment", GGUF_U32), put(&w, alignment, 4);
        want_refused(&w, RX_BAD_FILE, "gguf: general.alignment: want a power of two");
    }
}

static void want_tensor_refused(const char *name, uint32_t rank, const uint64_t *dim, uint32_t type, uint64_t offset,
                                const char *message) {
    writer w;
    begin(&w, 3, 1, 0);
    put_info(&w, name, rank, dim, type, offset);
    pad(&w);
    for (int i = 0; i < 64; i++) put(&w, 0, 1);
    want_refused(&w, RX_BAD_FILE, message);
}

static void refuses_bad_tensors(void **state) {
    (void)state;
    writer w;
    char name[GGUF_MAX_NAME + 2];
    memset(name, 't', sizeof name);
    name[sizeof name - 1] = 0;
    const uint64_t one[GGUF_MAX_RANK + 1] = {1, 1, 1, 1, 1};
    want_tensor_refused("t", 5, one, 0, 0, "gguf: t: a tensor of more than 4 dims");
    want_tensor_refused("t", 2, (const uint64_t[]){(uint64_t)1 << 34, (uint64_t)1 << 62}, 0, 0,
                        "gguf: t: its dims overflow");
    want_tensor_refused("t", 1, (const uint64_t[]){UINT64_MAX}, 0, 0, "gguf: t: a dim is over 2^63");
    want_tensor_refused("t", 1, (const uint64_t[]){33}, 2, 0, "gguf: t: its rows are no whole number of blocks");
    want_tensor_refused("t", 0, NULL, 2, 0, "gguf: t: its rows are no whole number of blocks");
    want_tensor_refused("t", 1, one, 0, (uint64_t)1 << 56,
                        "gguf: t: the file ends before its data does; was it cut off?");
    want_tensor_refused("t", 1, (const uint64_t[]){17}, 0, 0,
                        "gguf: t: the file ends before its data does; was it cut off?");
    want_tensor_refused("t", 1, one, 0, 4, "gguf: t: its offset is not a multiple of the file's alignment");
    want_tensor_refused("\xff", 1, one, 0, 0, "gguf: a tensor's name is not UTF-8");
    begin(&w, 3, 2, 0);
    put_info(&w, "t", 1, one, 0, 0);
    put_info(&w, "t", 1, one, 0, 0);
    pad(&w);
    put(&w, 0, 4);
    want_refused(&w, RX_BAD_FILE, "gguf: two tensors are called 't'");
}

static void knows_every_type(void **state) {
    (void)state;
    assert_null(gguf_type_of(4));
    assert_null(gguf_type_of(36));
    assert_null(gguf_type_of(1000));
    for (uint32_t i = 0; i < 64; i++) {
        const gguf_type *t = gguf_type_of(i);
        if (!t) continue;
        assert_int_equal(t->number, i);
        assert_int_equal(t->block == 1, gguf_plain(t).kind != DTYPE_VOID);
        if (t->block == 1) assert_int_equal(t->bytes * 8, dtype_bits(gguf_plain(t)));
        assert_int_equal(t->decodable, format_of_gguf(i) != NULL);
    }
}

static void keeps_the_pairs(void **state) {
    (void)state;
    writer w;
    char why[FILE_WHY] = "";
    uint8_t *bytes, *copy;
    size_t size;
    gguf *g, *again;
    begin(&w, 3, 4, ALL_TYPES);
    put_all_types(&w);
    put_tensors(&w);
    assert_int_equal(parse(&w, w.size, &g, &bytes, why), RX_OK);
    assert_int_equal(gguf_copy_pairs(g, &copy, &size, why), RX_OK);
    gguf_close(g);
    free(bytes);
    assert_int_equal(gguf_parse(copy, size, &again, why), RX_OK);
    assert_int_equal(gguf_tensor_count(again), 0);
    check_ints(again);
    check_others(again);
    gguf_close(again);
    free(copy);
}

// --- Split models.

static void write_part(const char *folder, int number, int count, uint64_t all, char path[200]) {
    writer w;
    char name[] = "t0";
    begin(&w, 3, 1, 3);
    put_key(&w, "split.no", GGUF_U16), put(&w, (uint64_t)number, 2);
    put_key(&w, "split.count", GGUF_U16), put(&w, (uint64_t)count, 2);
    put_key(&w, "split.tensors.count", GGUF_I32), put(&w, all, 4);
    name[1] = (char)('0' + number);
    put_info(&w, name, 1, (const uint64_t[]){1}, 24, 0);
    pad(&w);
    put(&w, 10 + (uint64_t)number, 1);
    snprintf(path, 200, "%s/m-%05d-of-%05d.gguf", folder, number + 1, count);
    assert_int_equal(file_write(path, w.at, w.size, NULL), RX_OK);
}

static void opens_split_models(void **state) {
    (void)state;
    char folder[] = "/tmp/relax-gguf-XXXXXX", path[3][200], why[FILE_WHY] = "";
    gguf *g;
    gguf_tensor t;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++) write_part(folder, i, 3, 3, path[i]);
    assert_int_equal(gguf_open(path[0], &g, why), RX_OK);
    assert_int_equal(gguf_tensor_count(g), 3);
    assert_true(gguf_find_tensor(g, "t0", &t) && t.data[0] == 10);
    assert_true(gguf_find_tensor(g, "t2", &t) && t.data[0] == 12);
    gguf_close(g);
    assert_int_equal(gguf_open(path[1], &g, why), RX_INVALID_ARGUMENT);
    assert_non_null(strstr(why, "give its first file, whose name ends with -00001-of-00003.gguf"));
    write_part(folder, 0, 3, 4, path[0]);
    assert_int_equal(gguf_open(path[0], &g, why), RX_BAD_FILE);
    assert_non_null(strstr(why, "the parts hold 3 tensors, 4 are promised"));
    assert_int_equal(unlink(path[2]), 0);
    assert_int_equal(gguf_open(path[0], &g, why), RX_NOT_FOUND);
    unlink(path[0]), unlink(path[1]), rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_keys_of_all_types), cmocka_unit_test(reads_tensors_and_survives_cuts),
        cmocka_unit_test(refuses_bad_headers),     cmocka_unit_test(refuses_bad_pairs),
        cmocka_unit_test(refuses_bad_tensors),     cmocka_unit_test(knows_every_type),
        cmocka_unit_test(keeps_the_pairs),         cmocka_unit_test(opens_split_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
