// t_file.c - mapping and reading files, files written whole or not at all, folders. Works in a folder of its own.
#define _XOPEN_SOURCE 700
#include "base/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the five above.
#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int enter_folder(void **state) {
    char name[] = "/tmp/t_base_file.XXXXXX";
    if (!mkdtemp(name) || chdir(name)) return -1;
    *state = strdup(name);
    return 0;
}

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *walk) {
    (void)s, (void)type, (void)walk;
    return remove(path);
}

static int leave_folder(void **state) {
    if (chdir("/")) return -1;
    nftw(*state, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return 0;
}

static void put_file(const char *path, const char *content) {
    assert_int_equal(file_write(path, content, strlen(content), NULL), RX_OK);
}

static void expect_file(const char *path, const void *content, size_t size) {
    mapped_file f;
    assert_int_equal(file_map(path, &f, NULL), RX_OK);
    assert_int_equal(f.size, size);
    if (size) assert_memory_equal(f.data, content, size);
    file_unmap(&f);
}

// The files of the current folder that begin with ".relax-": temporaries left behind.
static int temporaries(void) {
    int count = 0;
    DIR *d = opendir(".");
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) count += strncmp(e->d_name, ".relax-", 7) == 0;
    closedir(d);
    return count;
}

static void mapping(void **state) {
    (void)state;
    mapped_file f;
    char why[FILE_WHY];
    put_file("a", "hello");
    assert_int_equal(file_map("a", &f, why), RX_OK);
    assert_int_equal(f.size, 5);
    assert_memory_equal(f.data, "hello", 5);
    assert_true(f.mtime_ns > (uint64_t)1600000000 * 1000000000);
    file_unmap(&f);
    assert_null(f.data);
    file_unmap(&f); // zeroed: allowed
    put_file("empty", "");
    assert_int_equal(file_map("empty", &f, why), RX_OK);
    assert_true(!f.data && !f.size && f.mtime_ns);
    file_unmap(&f);
}

static void what_can_not_be_mapped(void **state) {
    (void)state;
    mapped_file f;
    char why[FILE_WHY];
    assert_int_equal(file_map("missing", &f, why), RX_NOT_FOUND);
    assert_string_equal(why, "missing: can't open it: No such file or directory");
    assert_int_equal(file_map("missing", &f, NULL), RX_NOT_FOUND);
    assert_int_equal(file_map(".", &f, why), RX_INVALID_ARGUMENT);
    assert_string_equal(why, ".: want a file, this is a folder");
    assert_int_equal(file_map("/dev/zero", &f, why), RX_INVALID_ARGUMENT);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(file_map("pipe", &f, why), RX_INVALID_ARGUMENT); // and doesn't wait for a writer
    assert_int_equal(file_map("", &f, why), RX_NOT_FOUND);
    assert_true(!f.data && !f.size);
    char path[5000];
    memset(path, 'x', sizeof path);
    memcpy(path + sizeof path - 5, ".gguf", 5);
    path[sizeof path - 1] = '\0';
    assert_int_equal(file_map(path, &f, why), RX_IO);
    assert_non_null(strstr(why, "xxx.ggu: can't open it: File name too long"));
}

static void large_files_are_mapped(void **state) {
    (void)state;
    const off_t size = (off_t)5 << 30; // a hole: no disk space
    int fd = open("large", O_RDWR | O_CREAT, 0600);
    if (ftruncate(fd, size) || pwrite(fd, "end", 3, size - 3) != 3) skip();
    close(fd);
    mapped_file f;
    assert_int_equal(file_map("large", &f, NULL), RX_OK);
    assert_true(f.size == (size_t)size);
    assert_memory_equal(f.data + size - 3, "end", 3);
    assert_int_equal(f.data[size / 2], 0);
    file_unmap(&f);
    unlink("large");
}

static void reading(void **state) {
    (void)state;
    char *bytes, why[FILE_WHY];
    size_t size;
    put_file("a", "hello");
    assert_int_equal(file_read("a", 5, &bytes, &size, why), RX_OK);
    assert_int_equal(size, 5);
    assert_string_equal(bytes, "hello");
    free(bytes);
    assert_int_equal(file_read("a", SIZE_MAX, &bytes, &size, why), RX_OK);
    free(bytes);
    assert_int_equal(file_read("a", 4, &bytes, &size, why), RX_BAD_FILE);
    assert_string_equal(why, "a: larger than the limit of 4 bytes");
    assert_true(!bytes && !size);
    put_file("empty", "");
    assert_int_equal(file_read("empty", 0, &bytes, &size, why), RX_OK);
    assert_string_equal(bytes, "");
    free(bytes);
    assert_int_equal(file_read("missing", 10, &bytes, &size, why), RX_NOT_FOUND);
    assert_int_equal(file_read(".", 10, &bytes, &size, why), RX_INVALID_ARGUMENT);
    assert_int_equal(file_read("/dev/zero", 1000000, &bytes, &size, why), RX_BAD_FILE);
    assert_int_equal(file_read("/proc/self/status", 100000, &bytes, &size, why), RX_OK); // says it has 0 bytes
    assert_true(size > 100 && strlen(bytes) == size);
    free(bytes);
}

static void reading_stdin(void **state) {
    (void)state;
    int ends[2], old = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 3000; i++)
            if (write(ends[1], "0123456789", 10) != 10) _exit(1);
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    char *bytes, why[FILE_WHY];
    size_t size;
    assert_int_equal(file_read("-", 1 << 20, &bytes, &size, why), RX_OK);
    assert_int_equal(size, 30000);
    assert_memory_equal(bytes + 29990, "0123456789", 11);
    free(bytes);
    assert_int_equal(file_read("-", 10, &bytes, &size, why), RX_OK); // nothing is left
    assert_int_equal(size, 0);
    free(bytes);
    dup2(old, STDIN_FILENO);
    close(old);
    close(ends[0]);
    waitpid(child, NULL, 0);
}

static void a_file_appears_at_commit(void **state) {
    (void)state;
    new_file *f;
    assert_int_equal(new_file_open("out", &f, NULL), RX_OK);
    assert_int_equal(new_file_write(f, "abc", 3), RX_OK);
    assert_int_equal(new_file_write(f, NULL, 0), RX_OK);
    assert_int_equal(new_file_offset(f), 3);
    assert_int_equal(access("out", F_OK), -1);
    assert_int_equal(temporaries(), 1);
    assert_int_equal(new_file_commit(f, NULL), RX_OK);
    expect_file("out", "abc", 3);
    assert_int_equal(temporaries(), 0);
}

static void a_discarded_file_leaves_the_old_one(void **state) {
    (void)state;
    put_file("kept", "old");
    new_file *f;
    assert_int_equal(new_file_open("kept", &f, NULL), RX_OK);
    assert_int_equal(new_file_write(f, "new", 3), RX_OK);
    new_file_discard(f);
    new_file_discard(NULL);
    expect_file("kept", "old", 3);
    assert_int_equal(temporaries(), 0);
    put_file("kept", "newer");
    expect_file("kept", "newer", 5);
}

static void writes_of_all_sizes(void **state) {
    (void)state;
    enum { TOTAL = 1 << 20 };
    unsigned char *bytes = malloc(TOTAL);
    for (size_t i = 0; i < TOTAL; i++) bytes[i] = (unsigned char)(i * 2654435761u >> 13);
    new_file *f;
    assert_int_equal(new_file_open("sizes", &f, NULL), RX_OK);
    static const size_t sizes[] = {1, 7, 4096, 65535, 65536, 65537, 3, 200000};
    size_t at = 0;
    for (size_t i = 0; at < TOTAL; i++) {
        size_t size = sizes[i % COUNT(sizes)];
        if (size > TOTAL - at) size = TOTAL - at;
        assert_int_equal(new_file_write(f, bytes + at, size), RX_OK);
        at += size;
        assert_int_equal(new_file_offset(f), at);
    }
    assert_int_equal(new_file_commit(f, NULL), RX_OK);
    expect_file("sizes", bytes, TOTAL);
    free(bytes);
}

static void seeking_pads_with_zeros(void **state) {
    (void)state;
    new_file *f;
    assert_int_equal(new_file_open("holes", &f, NULL), RX_OK);
    assert_int_equal(new_file_write(f, "a", 1), RX_OK);
    assert_int_equal(new_file_seek(f, 64), RX_OK);
    assert_int_equal(new_file_seek(f, 64), RX_OK);
    assert_int_equal(new_file_seek(f, 63), RX_INVALID_ARGUMENT);
    assert_int_equal(new_file_write(f, "b", 1), RX_OK);
    assert_int_equal(new_file_seek(f, 1000000), RX_OK);
    assert_int_equal(new_file_write(f, "c", 1), RX_OK);
    assert_int_equal(new_file_seek(f, 2000000), RX_OK); // nothing follows: the size counts
    assert_int_equal(new_file_offset(f), 2000000);
    assert_int_equal(new_file_commit(f, NULL), RX_OK);
    char *want = calloc(1, 2000000);
    want[0] = 'a', want[64] = 'b', want[1000000] = 'c';
    expect_file("holes", want, 2000000);
    free(want);
    assert_int_equal(new_file_open("endless", &f, NULL), RX_OK);
    assert_int_equal(new_file_seek(f, UINT64_MAX), RX_IO);
    assert_int_equal(new_file_commit(f, NULL), RX_IO);
}

static void mapping_for_writing(void **state) {
    (void)state;
    new_file *f;
    uint8_t *middle, *head, *none;
    assert_int_equal(new_file_open("mapped", &f, NULL), RX_OK);
    assert_int_equal(new_file_write(f, "header..", 8), RX_OK);
    assert_int_equal(new_file_map(f, 5000, 10000, &middle), RX_OK);
    for (int i = 0; i < 10000; i++) assert_int_equal(middle[i], 0);
    assert_int_equal(new_file_offset(f), 15000);
    assert_int_equal(new_file_seek(f, 14999), RX_INVALID_ARGUMENT);
    assert_int_equal(new_file_write(f, "tail", 4), RX_OK);
    memset(middle, 'm', 10000);
    assert_int_equal(new_file_map(f, 0, 8, &head), RX_OK); // what was written can be changed
    assert_memory_equal(head, "header..", 8);
    memcpy(head, "HEADER", 6);
    assert_int_equal(new_file_map(f, 20000, 0, &none), RX_OK);
    assert_null(none);
    assert_int_equal(new_file_map(f, UINT64_MAX, 1, &none), RX_INVALID_ARGUMENT);
    assert_int_equal(new_file_map(f, 1, SIZE_MAX, &none), RX_INVALID_ARGUMENT);
    assert_int_equal(new_file_commit(f, NULL), RX_OK);
    char *want = calloc(1, 15004);
    memcpy(want, "HEADER..", 8);
    memset(want + 5000, 'm', 10000);
    memcpy(want + 15000, "tail", 4);
    expect_file("mapped", want, 15004);
    free(want);
    assert_int_equal(new_file_open("mapped", &f, NULL), RX_OK);
    assert_int_equal(new_file_map(f, 0, 4096, &head), RX_OK);
    new_file_discard(f); // unmaps
    assert_int_equal(temporaries(), 0);
}

static void where_nothing_can_be_written(void **state) {
    (void)state;
    new_file *f;
    char why[FILE_WHY];
    assert_int_equal(new_file_open("no/such/folder", &f, why), RX_NOT_FOUND);
    assert_null(f);
    assert_string_equal(why, "no/such/folder: can't write into its folder: No such file or directory");
    assert_int_equal(new_file_open(".", &f, why), RX_INVALID_ARGUMENT);
    assert_string_equal(why, ".: want a file to write, this is a folder");
    assert_int_equal(new_file_open("/dev/null", &f, why), RX_INVALID_ARGUMENT);
    assert_int_equal(new_file_open("", &f, why), RX_INVALID_ARGUMENT);
    assert_int_equal(file_write("no/such/folder", "x", 1, why), RX_NOT_FOUND);
    assert_int_equal(new_file_open("becomes-a-folder", &f, why), RX_OK);
    assert_int_equal(mkdir("becomes-a-folder", 0700), 0);
    assert_int_equal(new_file_commit(f, why), RX_IO);
    assert_non_null(strstr(why, "becomes-a-folder: can't write it: "));
    assert_int_equal(temporaries(), 0);
}

static void permissions_and_links_survive(void **state) {
    (void)state;
    struct stat s;
    umask(022);
    put_file("fresh", "x");
    assert_int_equal(stat("fresh", &s), 0);
    assert_int_equal(s.st_mode & 0777, 0644);
    assert_int_equal(chmod("fresh", 0600), 0);
    assert_int_equal(symlink("fresh", "link"), 0);
    put_file("link", "through the link");
    assert_int_equal(lstat("link", &s), 0);
    assert_true(S_ISLNK(s.st_mode));
    expect_file("fresh", "through the link", 16);
    assert_int_equal(stat("fresh", &s), 0);
    assert_int_equal(s.st_mode & 0777, 0600);
    // A link to what isn't there yet, by way of another one.
    assert_int_equal(mkdir("far", 0700), 0);
    assert_int_equal(symlink("target", "far/second"), 0);
    assert_int_equal(symlink("far/second", "first"), 0);
    put_file("first", "behind links");
    assert_int_equal(lstat("first", &s), 0);
    assert_true(S_ISLNK(s.st_mode));
    expect_file("far/target", "behind links", 12);
    assert_int_equal(symlink("turn", "turn"), 0); // a link to itself is replaced or refused, but ends
    char why[FILE_WHY];
    (void)!file_write("turn", "x", 1, why);
    char longest[256] = {0}; // the temporary's name doesn't grow with it
    memset(longest, 'n', 255);
    put_file(longest, "x");
    expect_file(longest, "x", 1);
}

// In a child that may write 100000 bytes per file: the old file must stay, the temporary go, the reason be told.
static void fill_the_disk(bool by_map) {
    char why[FILE_WHY], block[50000] = {0};
    uint8_t *mapped;
    new_file *f;
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){100000, 100000})) _exit(2);
    if (new_file_open("full", &f, why)) _exit(3);
    rx_status status = new_file_write(f, block, sizeof block);
    if (by_map) status = new_file_map(f, 50000, 200000, &mapped);
    for (int i = 0; i < 4 && !by_map; i++) status = new_file_write(f, block, sizeof block);
    if (status != RX_IO) _exit(4);
    if (new_file_write(f, "x", 1) != RX_IO || new_file_seek(f, 1u << 20) != RX_IO ||
        new_file_map(f, 0, 1, &mapped) != RX_IO)
        _exit(5);
    if (new_file_commit(f, why) != RX_IO) _exit(6);
    _exit(strcmp(why, "full: can't write it: File too large") ? 7 : 0);
}

static void a_full_disk_leaves_the_old_file(void **state) {
    (void)state;
    put_file("full", "old");
    for (int by_map = 0; by_map < 2; by_map++) {
        pid_t child = fork();
        if (child == 0) fill_the_disk(by_map);
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        expect_file("full", "old", 3);
        assert_int_equal(temporaries(), 0);
    }
}

// The failure shows only when the buffer is flushed at the end.
static void write_little_too_much(void) {
    char why[FILE_WHY], block[2000] = {0};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, 1000})) _exit(2);
    if (file_write("late", block, sizeof block, why) != RX_IO) _exit(3);
    _exit(strstr(why, "late: can't write it") ? 0 : 4);
}

static void a_late_failure_is_told(void **state) {
    (void)state;
    put_file("late", "old");
    pid_t child = fork();
    if (child == 0) write_little_too_much();
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    expect_file("late", "old", 3);
    assert_int_equal(temporaries(), 0);
}

static bool is_folder(const char *path) {
    struct stat s;
    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

static void folders(void **state) {
    (void)state;
    char why[FILE_WHY];
    assert_int_equal(folder_make("x/y/z", why), RX_OK);
    assert_true(is_folder("x/y/z"));
    assert_int_equal(folder_make("x/y/z", why), RX_OK);
    assert_int_equal(folder_make("x//w/", why), RX_OK);
    assert_true(is_folder("x/w"));
    assert_int_equal(folder_make(".", why), RX_OK);
    assert_int_equal(folder_make("/", why), RX_OK);
    assert_int_equal(folder_make("", why), RX_INVALID_ARGUMENT);
    put_file("x/file", "");
    assert_int_equal(folder_make("x/file", why), RX_INVALID_ARGUMENT);
    assert_string_equal(why, "x/file: want a folder, this is a file");
    assert_int_equal(folder_make("x/file/below", why), RX_INVALID_ARGUMENT);
    assert_int_equal(folder_make("/proc/nothing/here", why), RX_NOT_FOUND);
    assert_non_null(strstr(why, "/proc/nothing: can't make the folder: "));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mapping),
        cmocka_unit_test(what_can_not_be_mapped),
        cmocka_unit_test(large_files_are_mapped),
        cmocka_unit_test(reading),
        cmocka_unit_test(reading_stdin),
        cmocka_unit_test(a_file_appears_at_commit),
        cmocka_unit_test(a_discarded_file_leaves_the_old_one),
        cmocka_unit_test(writes_of_all_sizes),
        cmocka_unit_test(seeking_pads_with_zeros),
        cmocka_unit_test(mapping_for_writing),
        cmocka_unit_test(where_nothing_can_be_written),
        cmocka_unit_test(permissions_and_links_survive),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(a_late_failure_is_told),
        cmocka_unit_test(folders),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
