// t_arena.c - arenas and vectors: alignment, zeroing, growth, and the two ways the program can end.
#define _DEFAULT_SOURCE
#include "base/arena.h"
#include "base/vec.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the five above.
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_zero(const unsigned char *p, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (p[i]) return false;
    return true;
}

static void blocks_are_aligned_zeroed_and_apart(void **state) {
    (void)state;
    arena *a = arena_new();
    unsigned char *blocks[600];
    for (size_t size = 0; size < COUNT(blocks); size++) {
        blocks[size] = arena_take(a, size, 1);
        assert_non_null(blocks[size]);
        assert_int_equal((uintptr_t)blocks[size] % _Alignof(max_align_t), 0);
        assert_true(is_zero(blocks[size], size));
        memset(blocks[size], (int)(size % 255 + 1), size);
    }
    for (size_t size = 0; size < COUNT(blocks); size++)
        for (size_t i = 0; i < size; i++) assert_int_equal(blocks[size][i], size % 255 + 1);
    arena_free(a);
}

static void zero_bytes_are_a_block(void **state) {
    (void)state;
    arena *a = arena_new();
    void *first = arena_take(a, 0, 8), *second = arena_take(a, 8, 0);
    assert_non_null(first);
    assert_non_null(second);
    assert_ptr_not_equal(first, second);
    arena_free(a);
    arena_free(NULL);
}

static void large_blocks_leave_the_chunk_in_use(void **state) {
    (void)state;
    arena *a = arena_new();
    char *before = arena_take(a, 16, 1);
    unsigned char *large = arena_take(a, 1, 50u << 20);
    char *after = arena_take(a, 16, 1);
    assert_true(is_zero(large, 50u << 20));
    assert_true(after > before && after - before < 256); // same chunk
    assert_true(arena_used(a) >= (50u << 20) + 32);
    assert_true(arena_used(a) < (50u << 20) + 4096);
    arena_free(a);
}

static void many_small_blocks_are_zeroed(void **state) {
    (void)state;
    arena *a = arena_new();
    for (size_t i = 0; i < 300000; i++) {
        uint64_t *p = ARENA_NEW(a, uint64_t, 3);
        assert_true(!p[0] && !p[1] && !p[2]);
        p[0] = p[1] = p[2] = UINT64_MAX;
    }
    assert_int_equal(arena_used(a), 300000 * 24);
    arena_free(a);
}

static void growth_keeps_bytes_and_adds_zeros(void **state) {
    (void)state;
    arena *a = arena_new();
    unsigned char *p = arena_grow(a, NULL, 0, 10);
    memset(p, 7, 10);
    assert_ptr_equal(arena_grow(a, p, 10, 200), p); // the newest block grows in place
    assert_true(p[9] == 7 && is_zero(p + 10, 190));
    memset(p, 8, 200);
    arena_take(a, 1, 1);
    unsigned char *moved = arena_grow(a, p, 200, 400);
    assert_ptr_not_equal(moved, p);
    assert_true(moved[0] == 8 && moved[199] == 8 && is_zero(moved + 200, 200));
    unsigned char *large = arena_grow(a, moved, 400, 1u << 20);
    assert_true(large[199] == 8 && is_zero(large + 200, (1u << 20) - 200));
    arena_free(a);
}

static void copies_end_in_nul(void **state) {
    (void)state;
    arena *a = arena_new();
    assert_string_equal(arena_copy(a, "abcdef", 3), "abc");
    assert_string_equal(arena_copy(a, NULL, 0), "");
    char bytes[] = {1, 0, 2};
    assert_memory_equal(arena_copy(a, bytes, 3), "\1\0\2", 4);
    assert_string_equal(arena_format(a, "%s-%d", "x", 42), "x-42");
    assert_string_equal(arena_format(a, "%s", ""), "");
    for (int width = 250; width < 260; width++) { // around the size of the buffer on the stack
        char *made = arena_format(a, "%*d", width, 5);
        assert_int_equal(strlen(made), width);
        assert_int_equal(made[width - 1], '5');
    }
    assert_int_equal(strlen(arena_format(a, "%100000d", 1)), 100000);
    arena_free(a);
}

typedef struct triple {
    char bytes[3];
} triple;

static void vectors_grow(void **state) {
    (void)state;
    arena *a = arena_new();
    VEC(uint32_t) v = {0};
    VEC(triple) odd = {0};
    for (uint32_t i = 0; i < 100000; i++) {
        VEC_PUSH(a, &v, i * 3);
        if (i % 10 == 0) VEC_PUSH(a, &odd, ((triple){{(char)(i / 10 % 100), 1, 2}}));
    }
    assert_int_equal(v.len, 100000);
    for (uint32_t i = 0; i < v.len; i++) assert_int_equal(v.at[i], i * 3);
    assert_int_equal(odd.len, 10000);
    for (uint32_t i = 0; i < odd.len; i++)
        assert_true(odd.at[i].bytes[0] == (char)(i % 100) && odd.at[i].bytes[2] == 2);
    arena_free(a);
}

// Ends the child before a leak checker looks at what it leaves behind.
static void leave_now(int code, void *user) {
    (void)user;
    _exit(code);
}

// Runs `what` in a child whose stderr is closed, and returns its exit code.
static int exit_code_of(void (*what)(void)) {
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr) || on_exit(leave_now, NULL) != 0) _exit(99);
        what();
        _exit(98);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void take_more_than_there_is(void) {
    arena *a = arena_new();
    arena_take(a, SIZE_MAX / 4, 8);
}
static void take_half_of_everything(void) { arena_take(arena_new(), SIZE_MAX / 2 + 1, 1); }
static void take_what_no_machine_has(void) { arena_take(arena_new(), SIZE_MAX / 4, 1); }
static void break_an_invariant(void) { CHECK(1 + 1 == 3); }

static void exhaustion_exits_1_and_a_bug_exits_3(void **state) {
    (void)state;
    assert_int_equal(exit_code_of(take_more_than_there_is), 1);
    assert_int_equal(exit_code_of(take_half_of_everything), 1);
    assert_int_equal(exit_code_of(take_what_no_machine_has), 1);
    assert_int_equal(exit_code_of(break_an_invariant), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_zeroed_and_apart),
        cmocka_unit_test(zero_bytes_are_a_block),
        cmocka_unit_test(large_blocks_leave_the_chunk_in_use),
        cmocka_unit_test(many_small_blocks_are_zeroed),
        cmocka_unit_test(growth_keeps_bytes_and_adds_zeros),
        cmocka_unit_test(copies_end_in_nul),
        cmocka_unit_test(vectors_grow),
        cmocka_unit_test(exhaustion_exits_1_and_a_bug_exits_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
