// t_driver_cache.c - the cache of machine code: what is kept comes back, what isn't whole doesn't, what is old goes.
#define _XOPEN_SOURCE 700
#include "base/file.h"
#include "driver/kernel_cache.h"
#include "test.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE = 1000, HEAD = 40 };
static const char command[] = "rm -rf ";

static void with_folder(void (*use)(const char *folder)) {
    char root[] = "/tmp/t_driver_cache-XXXXXX", folder[64], remove[64];
    assert_non_null(mkdtemp(root));
    snprintf(folder, sizeof folder, "%s/a/code", root);
    assert_true(cache_open(folder));
    use(folder);
    snprintf(remove, sizeof remove, "%s%s", command, root);
    assert_int_equal(system(remove), 0);
}

static cache_key key_of(int i) { return cache_key_of(&i, sizeof i); }

static void put(const char *folder, int i) {
    uint8_t bytes[SIZE];
    for (int k = 0; k < SIZE; k++) bytes[k] = (uint8_t)(i + k);
    cache_put(folder, key_of(i), &(compiled){.bytes = bytes, .size = SIZE});
}

static bool has(const char *folder, int i) {
    compiled c;
    bool found = cache_find(folder, key_of(i), &c);
    if (found) assert_int_equal(c.size, SIZE);
    for (int k = 0; found && k < SIZE; k++) assert_int_equal(c.bytes[k], (uint8_t)(i + k));
    compiled_free(&c);
    return found;
}

static void path_of(const char *folder, int i, char out[256]) {
    cache_key k = key_of(i);
    snprintf(out, 256, "%s/%016llx%016llx.code", folder, (unsigned long long)k.half[0], (unsigned long long)k.half[1]);
}

static void use_kept(const char *folder) {
    char path[256];
    assert_false(has(folder, 1));
    put(folder, 1);
    put(folder, 2);
    assert_true(has(folder, 1) && has(folder, 2) && !has(folder, 3));
    // Each byte counts.
    path_of(folder, 1, path);
    for (off_t at = 0; at < HEAD + SIZE; at += 37) {
        char was, other;
        int fd = open(path, O_RDWR);
        assert_int_equal(pread(fd, &was, 1, at), 1);
        other = (char)(was ^ 1);
        assert_int_equal(pwrite(fd, &other, 1, at), 1);
        assert_false(has(folder, 1));
        assert_int_equal(pwrite(fd, &was, 1, at), 1);
        close(fd);
    }
    assert_true(has(folder, 1));
    assert_int_equal(truncate(path, HEAD + SIZE - 1), 0);
    assert_false(has(folder, 1));
    assert_int_equal(truncate(path, 0), 0);
    assert_false(has(folder, 1));
    put(folder, 1);
    assert_true(has(folder, 1));
}

static void kept(void **state) {
    (void)state;
    with_folder(use_kept);
}

// Entry i was last used i minutes ago.
static void use_limited(const char *folder) {
    char path[256];
    for (int i = 0; i < 10; i++) {
        const struct timespec when[2] = {{.tv_sec = 1000000 - 60 * i}, {.tv_sec = 1000000 - 60 * i}};
        put(folder, i);
        path_of(folder, i, path);
        assert_int_equal(utimensat(AT_FDCWD, path, when, 0), 0);
    }
    cache_trim(folder, 10 * (HEAD + SIZE));
    for (int i = 0; i < 10; i++) {
        path_of(folder, i, path);
        assert_int_equal(access(path, F_OK), 0);
    }
    assert_true(has(folder, 9)); // used now
    cache_trim(folder, 4 * (HEAD + SIZE) + 100);
    for (int i = 0; i < 10; i++) assert_int_equal(has(folder, i), i < 3 || i == 9);
}

static void limited(void **state) {
    (void)state;
    with_folder(use_limited);
}

static void use_trusted(const char *folder) {
    assert_int_equal(chmod(folder, 0770), 0);
    assert_false(cache_open(folder));
    assert_int_equal(chmod(folder, 0700), 0);
    assert_true(cache_open(folder));
    put(folder, 1);
    char path[256];
    path_of(folder, 1, path);
    assert_false(cache_open(path));
}

static void trusted(void **state) {
    (void)state;
    with_folder(use_trusted);
}

static void identity(void **state) {
    (void)state;
    arena *mem = arena_new();
    text a = TEXT_IN(mem), b = TEXT_IN(mem);
    assert_true(cache_identity(&a) && cache_identity(&b));
    assert_string_equal(text_get(&a), text_get(&b));
    assert_non_null(strstr(text_get(&a), "t_driver_cache"));
    assert_non_null(strstr(text_get(&a), "LLVM 2"));
    arena_free(mem);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept), cmocka_unit_test(limited), cmocka_unit_test(trusted),
                                       cmocka_unit_test(identity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
