// t_guarded.c - the memory that tests of kernels use: stray accesses fault or are noticed.
#define _POSIX_C_SOURCE 200809L
#include "support/guarded.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void memory_is_aligned_and_writable(void **state) {
    (void)state;
    for (size_t size = 0; size < 10000; size = size * 2 + 1)
        for (size_t align = 1; align <= 4096; align *= 4) {
            guarded *g = guarded_new(size, align);
            unsigned char *bytes = g->data;
            assert_int_equal((uintptr_t)g->data % align, 0);
            for (size_t i = 0; i < size; i++) {
                assert_int_equal(bytes[i], 0xCD);
                bytes[i] = (unsigned char)i;
            }
            assert_true(guarded_intact(g));
            guarded_free(g, g->data);
        }
}

// True if reading the byte at data[offset] ends a child by SIGSEGV.
static bool read_faults(const guarded *g, ptrdiff_t offset) {
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); // a sanitizer's handler would make an exit code of it
        _exit(((const volatile unsigned char *)g->data)[offset] == 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

static void both_ends_fault(void **state) {
    (void)state;
    guarded *g = guarded_new(8192, 64);
    assert_false(read_faults(g, 0));
    assert_false(read_faults(g, 8191));
    assert_true(read_faults(g, 8192));
    assert_true(read_faults(g, -4097));
    guarded_free(g, g->data);
}

static void writes_beside_are_noticed(void **state) {
    (void)state;
    guarded *g = guarded_new(100, 64);
    unsigned char *bytes = g->data, *beside[] = {bytes - 1, bytes + 100};
    for (int i = 0; i < 2; i++) {
        unsigned char old = *beside[i];
        *beside[i] = 0;
        assert_false(guarded_intact(g));
        *beside[i] = old;
        assert_true(guarded_intact(g));
    }
    guarded_free(g, g->data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_aligned_and_writable),
        cmocka_unit_test(both_ends_fault),
        cmocka_unit_test(writes_beside_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
