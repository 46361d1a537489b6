// t_device_pool.c - the thread pool: every iteration once, the same split always, nested and concurrent callers.
#define _GNU_SOURCE
#include "device/pool.h"
#include "relax/runtime.h"
#include "test.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 10000 };

typedef struct marks {
    atomic_uint seen[MOST];
    unsigned worker[MOST];
    pool *inner;
} marks;

static int32_t mark(void *user, unsigned worker, int64_t begin, int64_t end) {
    marks *m = user;
    for (int64_t i = begin; i < end; i++) {
        atomic_fetch_add(&m->seen[i], 1);
        m->worker[i] = worker;
    }
    return 0;
}

// Contiguous shares; of large grids each worker has a part in front and the one opposite, as much as the others.
static void check_shares(const marks *m, int64_t count, unsigned threads) {
    bool large = count / threads >= 64;
    int64_t half = large ? (count + 1) / 2 : count;
    for (int64_t i = 1; i < half; i++) assert_true(m->worker[i] >= m->worker[i - 1]);
    for (int64_t i = half + 1; i < count; i++) assert_true(m->worker[i] <= m->worker[i - 1]);
    if (count >= threads) assert_int_equal(m->worker[count - 1], large ? 0 : threads - 1);
    for (unsigned w = 0; large && w < threads; w++) {
        int64_t sum = 0, own = 0;
        for (int64_t i = 0; i < count; i++)
            if (m->worker[i] == w) sum += i, own++;
        assert_true(llabs(own - count / threads) <= 2);
        assert_true(llabs(sum / own - count / 2) <= 2); // so are costs that grow along the grid
    }
}

static void test_each_once(void **state) {
    (void)state;
    static const int64_t counts[] = {0, 1, 2, 3, 4, 5, 63, 64, 1000, MOST};
    marks *m = calloc(1, sizeof *m);
    for (unsigned threads = 1; threads <= 5; threads++) {
        pool *p;
        assert_int_equal(pool_new(threads, &p), RX_OK);
        assert_int_equal(pool_threads(p), threads);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            memset(m, 0, sizeof *m);
            assert_int_equal(pool_run(p, counts[c], POOL_MIRRORED, mark, m), 0);
            for (int64_t i = 0; i < MOST; i++) assert_int_equal(m->seen[i], i < counts[c]);
            check_shares(m, counts[c], threads);
        }
        pool_release(p);
    }
    free(m);
}

static int32_t fail_at_7(void *user, unsigned worker, int64_t begin, int64_t end) {
    (void)user;
    for (int64_t i = begin; i < end; i++)
        if (i >= 7) return (int32_t)(100 + worker);
    return 0;
}

static void test_failures(void **state) {
    (void)state;
    pool *p;
    assert_int_equal(pool_new(3, &p), RX_OK);
    assert_int_equal(pool_run(p, 6, POOL_MIRRORED, fail_at_7, NULL), 0);
    assert_int_equal(pool_run(p, 30, POOL_MIRRORED, fail_at_7, NULL), 100); // the lowest share's
    assert_int_equal(pool_run(p, 8, POOL_MIRRORED, fail_at_7, NULL), 102);
    assert_int_equal(pool_run(p, 6, POOL_MIRRORED, fail_at_7, NULL), 0);
    pool_release(p);
}

static int32_t count(void *user, unsigned worker, int64_t begin, int64_t end) {
    marks *m = user;
    (void)worker;
    for (int64_t i = begin; i < end; i++) atomic_fetch_add(&m->seen[i], 1);
    return 0;
}

static int32_t nested(void *user, unsigned worker, int64_t begin, int64_t end) {
    marks *m = user;
    (void)worker;
    for (int64_t i = begin; i < end; i++)
        if (pool_run(m->inner, 10, POOL_MIRRORED, count, m)) return 1;
    return 0;
}

static void test_nested(void **state) {
    (void)state;
    marks *m = calloc(1, sizeof *m);
    assert_int_equal(pool_new(3, &m->inner), RX_OK);
    assert_int_equal(pool_run(m->inner, 9, POOL_MIRRORED, nested, m), 0);
    for (int i = 0; i < 10; i++) assert_int_equal(m->seen[i], 9);
    pool_release(m->inner);
    free(m);
}

// Many threads, one pool: whoever finds it busy works alone.
static void *caller(void *user) {
    pool *p = user;
    marks *m = calloc(1, sizeof *m);
    for (int round = 1; round <= 300; round++) {
        if (pool_run(p, 100, POOL_MIRRORED, mark, m)) abort();
        for (int i = 0; i < 100; i++)
            if (m->seen[i] != (unsigned)round) abort();
    }
    free(m);
    pool_release(p);
    return NULL;
}

static void test_concurrent(void **state) {
    (void)state;
    pool *p;
    pthread_t t[6];
    assert_int_equal(pool_new(2, &p), RX_OK);
    for (int i = 0; i < 6; i++) assert_int_equal(pthread_create(&t[i], NULL, caller, pool_retain(p)), 0);
    pool_release(p);
    for (int i = 0; i < 6; i++) pthread_join(t[i], NULL);
}

// Helpers that fell asleep are woken.
static void test_after_a_pause(void **state) {
    (void)state;
    pool *p;
    marks *m = calloc(1, sizeof *m);
    assert_int_equal(pool_new(2, &p), RX_OK);
    for (int i = 0; i < 20; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 500 * 1000}, NULL);
        assert_int_equal(pool_run(p, 2, POOL_MIRRORED, mark, m), 0);
    }
    assert_int_equal(m->seen[1], 20);
    pool_release(p);
    free(m);
}

// In a forked child there are no helpers; the work is done all the same.
static void test_fork(void **state) {
    (void)state;
    pool *p;
    marks *m = calloc(1, sizeof *m);
    assert_int_equal(pool_new(2, &p), RX_OK);
    assert_int_equal(pool_run(p, 50, POOL_MIRRORED, mark, m), 0);
    pid_t child = fork();
    if (!child) {
        bool ok = pool_run(p, 50, POOL_MIRRORED, mark, m) == 0;
        for (int i = 0; i < 50; i++) ok = ok && m->seen[i] == 2;
        pool_release(p);
        _exit(ok ? 0 : 1);
    }
    int code = -1;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    pool_release(p);
    free(m);
}

static void test_environment(void **state) {
    (void)state;
    setenv("RELAX_NUM_THREADS", "3", 1);
    assert_int_equal(pool_default_threads(), 3);
    static const char *const wrong[] = {"", "0", "-1", "x", "3x", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("RELAX_NUM_THREADS", wrong[i], 1);
        assert_true(pool_default_threads() >= 1);
    }
    setenv("RELAX_NUM_THREADS", "5000", 1);
    assert_int_equal(pool_default_threads(), RX_MAX_THREADS);
    unsetenv("RELAX_NUM_THREADS");
    assert_true(pool_default_threads() >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_once),   cmocka_unit_test(test_failures),      cmocka_unit_test(test_nested),
        cmocka_unit_test(test_concurrent),  cmocka_unit_test(test_after_a_pause), cmocka_unit_test(test_fork),
        cmocka_unit_test(test_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
