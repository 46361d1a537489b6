// t_npz.c - .npz archives: NumPy's, our own, and hostile ones.
#define _POSIX_C_SOURCE 200809L
#include "checkpoint/npz.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zip.h>

static const char archive[] = "t_npz.tmp.npz";

static void read_pair(const char *file) {
    char path[4096], why[FILE_WHY] = "";
    const char *root = getenv("SRC");
    npz *z;
    tensor *w, *big, *none = NULL;
    snprintf(path, sizeof path, "%s/tests/data/dtypes/%s", root ? root : ".", file);
    if (npz_open(path, &z, why) != RX_OK) fail_msg("%s", why);
    assert_int_equal(npz_count(z), 2);
    assert_string_equal(npz_name(z, 0), "w");
    assert_string_equal(npz_name(z, 1), "big");
    for (int round = 0; round < 2; round++) {
        if (npz_read(z, "big", &big, why) != RX_OK || npz_read(z, "w", &w, why) != RX_OK) fail_msg("%s", why);
        assert_true(dtype_equal(w->type, DTYPE_OF(F32)) && w->rank == 2 && w->dim[0] == 2 && w->dim[1] == 3);
        assert_true(dtype_equal(big->type, DTYPE_OF(I16)) && tensor_count(big) == 40);
        for (size_t i = 0; i < 6; i++) assert_true(tensor_get_float(w, i) == (double)i);
        for (size_t i = 0; i < 40; i++) assert_int_equal(tensor_get_int(big, i), i);
        tensor_release(w);
        tensor_release(big);
    }
    assert_int_equal(npz_read(z, "W", &none, why), RX_NOT_FOUND);
    assert_non_null(strstr(why, "no member W.npy"));
    assert_null(none);
    npz_close(z);
}

static void archives_of_numpy(void **state) {
    (void)state;
    read_pair("stored.npz");
    read_pair("deflated.npz");
}

static char *slurp(const char *path, size_t *size) {
    char *bytes, why[FILE_WHY];
    if (file_read(path, 1 << 24, &bytes, size, why) != RX_OK) fail_msg("%s", why);
    return bytes;
}

static void what_is_written_is_read(void **state) {
    (void)state;
    enum { TENSORS = DTYPE_HANDLE - 1 };
    tensor *t[TENSORS], *again;
    char names[TENSORS][32], why[FILE_WHY] = "";
    const char *name[TENSORS];
    size_t size[2];
    char *bytes[2];
    npz *z;
    for (size_t i = 0; i < TENSORS; i++) {
        dtype type = {.kind = (uint8_t)(i + 1)};
        name[i] = dtype_spell(type, names[i]);
        assert_int_equal(tensor_new(type, 2, (int64_t[]){i % 3, 70000}, &t[i]), RX_OK); // some are empty
        tensor_fill_random(t[i], i);
    }
    for (int round = 0; round < 2; round++) {
        if (npz_write(archive, name, t, TENSORS, why) != RX_OK) fail_msg("%s", why);
        bytes[round] = slurp(archive, &size[round]);
    }
    assert_int_equal(size[0], size[1]); // nothing of the day or the machine is in it
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    assert_int_equal(npz_open(archive, &z, why), RX_OK);
    assert_int_equal(npz_count(z), TENSORS);
    for (size_t i = 0; i < TENSORS; i++) {
        assert_string_equal(npz_name(z, i), name[i]);
        if (npz_read(z, name[i], &again, why) != RX_OK) fail_msg("%s", why);
        assert_true(tensor_compare(t[i], again, 0, 0).same);
        tensor_release(again);
        tensor_release(t[i]);
    }
    npz_close(z);
    free(bytes[0]);
    free(bytes[1]);
    remove(archive);
}

static void no_members(void **state) {
    (void)state;
    char why[FILE_WHY] = "";
    npz *z;
    assert_int_equal(npz_write(archive, NULL, NULL, 0, why), RX_OK);
    if (npz_open(archive, &z, why) != RX_OK) fail_msg("%s", why);
    assert_int_equal(npz_count(z), 0);
    npz_close(z);
    remove(archive);
}

static void what_cannot_be_written(void **state) {
    (void)state;
    char why[FILE_WHY] = "", long_name[2000] = "";
    tensor *t, *vectors;
    assert_int_equal(tensor_new(DTYPE_OF(F32), 0, NULL, &t), RX_OK);
    assert_int_equal(tensor_new(dtype_vector(DTYPE_OF(F32), 2), 0, NULL, &vectors), RX_OK);
    memset(long_name, 'x', sizeof long_name - 1);
    assert_int_equal(npz_write(archive, (const char *[]){"a", "a"}, (tensor *[]){t, t}, 2, why), RX_INVALID_ARGUMENT);
    assert_non_null(strstr(why, "a.npy"));
    assert_int_equal(npz_write(archive, (const char *[]){"v"}, (tensor *[]){vectors}, 1, why), RX_UNSUPPORTED);
    assert_int_equal(npz_write(archive, (const char *[]){long_name}, (tensor *[]){t}, 1, why), RX_INVALID_ARGUMENT);
    assert_int_equal(npz_write("no/such/folder.npz", (const char *[]){"a"}, (tensor *[]){t}, 1, why), RX_NOT_FOUND);
    assert_non_null(strstr(why, "no/such/folder.npz"));
    FILE *f = fopen(archive, "r"); // a failed write leaves nothing behind
    assert_null(f);
    tensor_release(t);
    tensor_release(vectors);
}

// An archive of one member made of `bytes`.
static void make_archive(const void *bytes, size_t size, zip_int32_t method) {
    int code;
    zip_t *zip = zip_open(archive, ZIP_CREATE | ZIP_TRUNCATE, &code);
    assert_non_null(zip);
    zip_source_t *source = zip_source_buffer(zip, bytes, size, 0);
    zip_int64_t index = zip_file_add(zip, "x.npy", source, 0);
    assert_true(index >= 0);
    assert_int_equal(zip_set_file_compression(zip, (zip_uint64_t)index, method, 0), 0);
    assert_int_equal(zip_close(zip), 0);
}

static void want_refusal(rx_status wanted, const char *part) {
    char why[FILE_WHY] = "";
    npz *z;
    tensor *t = NULL;
    rx_status status = npz_open(archive, &z, why);
    if (status == RX_OK) {
        status = npz_read(z, "x", &t, why);
        npz_close(z);
    }
    if (status != wanted || !strstr(why, part) || !strstr(why, archive)) fail_msg("status %d: %s", (int)status, why);
    assert_null(t);
    remove(archive);
}

enum { PREFIX = 10 };
// A member whose header promises `shape` of '|u1', followed by `data` zeros.
static char *make_member(const char *shape, size_t data, size_t *size) {
    char *bytes = calloc(1, 200 + data);
    assert_non_null(bytes);
    int length = snprintf(bytes + PREFIX, 190, "{'descr': '|u1', 'fortran_order': False, 'shape': %s}\n", shape);
    memcpy(bytes, "\x93NUMPY\1\0", 8);
    bytes[8] = (char)length;
    *size = PREFIX + (size_t)length + data;
    return bytes;
}

static void headers_that_lie(void **state) {
    (void)state;
    size_t size;
    char *bytes = make_member("(1099511627776,)", 100, &size); // 1 TiB
    make_archive(bytes, size, ZIP_CM_DEFLATE);
    want_refusal(RX_BAD_FILE, "asks for 1099511627776 bytes of data, but the member has 100");
    make_archive(bytes, 5, ZIP_CM_STORE);
    want_refusal(RX_BAD_FILE, "npz: x: npy: ");
    make_archive(bytes, 0, ZIP_CM_STORE);
    want_refusal(RX_BAD_FILE, "npz: x: npy: ");
    free(bytes);
    bytes = make_member("(99,)", 100, &size);
    make_archive(bytes, size, ZIP_CM_DEFLATE);
    want_refusal(RX_BAD_FILE, "asks for 99 bytes of data, but the member has 100");
    free(bytes);
}

static void put32(char *at, uint32_t value) {
    for (int i = 0; i < 4; i++) at[i] = (char)(value >> 8 * i);
}

// The place of a record in the archive's bytes.
static char *find_record(char *bytes, size_t size, const char *signature) {
    for (size_t i = 0; i + 4 <= size; i++) {
        if (memcmp(bytes + i, signature, 4) == 0) return bytes + i;
    }
    fail_msg("no record in the archive");
    return NULL;
}

// Rewrites the uncompressed size that both headers of the only member claim.
static void claim_size(uint32_t claim) {
    size_t size;
    char *bytes = slurp(archive, &size), why[FILE_WHY];
    put32(find_record(bytes, size, "PK\3\4") + 22, claim);
    put32(find_record(bytes, size, "PK\1\2") + 24, claim);
    assert_int_equal(file_write(archive, bytes, size, why), RX_OK);
    free(bytes);
}

static void archives_that_lie(void **state) {
    (void)state;
    size_t size;
    char *bytes = make_member("(4000000000,)", 5000, &size);
    size_t header = size - 5000;
    make_archive(bytes, size, ZIP_CM_DEFLATE);
    claim_size((uint32_t)(4000000000 + header)); // header and archive agree, but deflate can't do that
    want_refusal(RX_BAD_FILE, "can't come out of");
    free(bytes);
    bytes = make_member("(50000,)", 5000, &size);
    make_archive(bytes, size, ZIP_CM_DEFLATE);
    claim_size((uint32_t)(50000 + header - strlen("4000000000") + strlen("50000"))); // plausible, but not there
    want_refusal(RX_BAD_FILE, "ends before its data");
    free(bytes);
    bytes = make_member("(5000,)", 5000, &size);
    make_archive(bytes, size, ZIP_CM_STORE);
    claim_size((uint32_t)size + 1000);
    want_refusal(RX_BAD_FILE, "x: ");
    make_archive(bytes, size, ZIP_CM_STORE);
    free(bytes);
    bytes = slurp(archive, &size);
    find_record(bytes, size, "'shape'")[200] ^= 1; // the checksum notices
    char why[FILE_WHY];
    assert_int_equal(file_write(archive, bytes, size, why), RX_OK);
    want_refusal(RX_BAD_FILE, "CRC");
    free(bytes);
}

static void what_is_no_archive(void **state) {
    (void)state;
    char why[FILE_WHY] = "";
    npz *z = NULL;
    assert_int_equal(file_write(archive, "hello", 5, why), RX_OK);
    want_refusal(RX_BAD_FILE, "zip");
    assert_int_equal(file_write(archive, "", 0, why), RX_OK);
    want_refusal(RX_BAD_FILE, "zip");
    assert_int_equal(npz_open("no/such.npz", &z, why), RX_NOT_FOUND);
    assert_int_equal(npz_open("no/such.npz", &z, NULL), RX_NOT_FOUND);
    assert_null(z);
    npz_close(NULL);
}

// Bytes changed anywhere and archives cut anywhere are refused or read, never worse.
static void damaged_archives(void **state) {
    (void)state;
    size_t size;
    char *bytes = make_member("(60,)", 60, &size), why[FILE_WHY];
    make_archive(bytes, size, ZIP_CM_DEFLATE);
    free(bytes);
    bytes = slurp(archive, &size);
    for (size_t i = 0; i < size * 2; i++) {
        size_t cut = i < size ? size : i - size;
        if (i < size) bytes[i] ^= 0x41;
        assert_int_equal(file_write(archive, bytes, cut, why), RX_OK);
        npz *z;
        tensor *t;
        if (npz_open(archive, &z, why) == RX_OK) {
            if (npz_count(z) && npz_read(z, npz_name(z, 0), &t, why) == RX_OK) tensor_release(t);
            npz_close(z);
        }
        if (i < size) bytes[i] ^= 0x41;
    }
    free(bytes);
    remove(archive);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives_of_numpy),  cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(no_members),         cmocka_unit_test(what_cannot_be_written),
        cmocka_unit_test(headers_that_lie),   cmocka_unit_test(archives_that_lie),
        cmocka_unit_test(what_is_no_archive), cmocka_unit_test(damaged_archives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
