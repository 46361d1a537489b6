// t_vm_threads.c - one executable, many contexts at once; one pool for several contexts; results don't depend on
// threads.
#include "base/postfix.h"
#include "fixture.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXTS = 8, CALLS = 100, ROWS = 37, COLUMNS = 300 }; // large enough to be split

static float want(int64_t row, float start) {
    float sum = 0;
    for (int64_t j = 0; j < COLUMNS; j++) sum += start + (float)(row * COLUMNS + j);
    return sum;
}

typedef struct worker {
    rx_executable *exe;
    rx_context *shared; // whose threads are used, or NULL
    int number;
    unsigned threads;
} worker;

static void *work(void *user) {
    const worker *w = user;
    rx_context *c;
    rx_context_options o = {.struct_size = sizeof o, .threads = w->threads, .share_threads = w->shared};
    if (rx_context_new(w->exe, &o, &c, NULL) != RX_OK) abort();
    for (int call = 0; call < CALLS; call++) {
        int64_t n = call % ROWS;
        float start = (float)(w->number * 100 + call);
        rx_value *x, *out;
        if (rx_tensor_new("float32", 2, (int64_t[]){n, COLUMNS}, NULL, &x) != RX_OK) abort();
        for (int64_t i = 0; i < n * COLUMNS; i++) ((float *)rx_tensor_data(x))[i] = start + (float)i;
        if (rx_context_call(c, "main", &x, 1, &out) != RX_OK) abort();
        for (int64_t i = 0; i < n; i++)
            if (element(out, (size_t)i) != want(i, start)) abort();
        rx_value_release(x);
        rx_value_release(out);
    }
    rx_context_release(c);
    return NULL;
}

static void run_all(fixture *f, rx_context *shared, unsigned threads) {
    pthread_t t[CONTEXTS];
    worker w[CONTEXTS];
    for (int i = 0; i < CONTEXTS; i++) {
        w[i] = (worker){f->exe, shared, i, threads};
        assert_int_equal(pthread_create(&t[i], NULL, work, &w[i]), 0);
    }
    for (int i = 0; i < CONTEXTS; i++) pthread_join(t[i], NULL);
}

static void test_many_contexts(void **state) {
    (void)state;
    fixture f = fixture_row_sums();
    fixture_load(&f, NULL);
    run_all(&f, NULL, 1);
    run_all(&f, NULL, 2);
    fixture_free(&f);
}

static void test_shared_threads(void **state) {
    (void)state;
    fixture f = fixture_row_sums();
    fixture_load(&f, &(rx_context_options){.struct_size = sizeof(rx_context_options), .threads = 3});
    run_all(&f, f.ctx, 0);
    rx_stats s = {.struct_size = sizeof s};
    rx_context_stats(f.ctx, &s);
    assert_int_equal(s.threads, 3);
    assert_string_equal(s.variant, "cpu:test");
    fixture_free(&f);
}

// A context that is cancelled from another thread stops.
static fixture endless(void) {
    fixture f = fixture_new();
    function(&f, "main", NULL, 0, 1);
    uint32_t head = exec_writer_label(f.w);
    exec_writer_place(f.w, head);
    exec_writer_op(f.w, OP_GOTO);
    exec_writer_jump(f.w, head);
    return f;
}

static void *cancel(void *user) {
    rx_context_cancel(user);
    return NULL;
}

static void test_cancel(void **state) {
    (void)state;
    fixture f = endless();
    fixture_load(&f, NULL);
    pthread_t t;
    rx_value *out;
    assert_int_equal(pthread_create(&t, NULL, cancel, f.ctx), 0);
    assert_int_equal(rx_context_call(f.ctx, "main", NULL, 0, &out), RX_CANCELLED);
    pthread_join(t, NULL);
    fixture_free(&f);
}

// The last reference to a shared tensor is dropped by whoever comes last.
static void *hold(void *user) {
    for (int i = 0; i < 1000; i++) rx_value_release(rx_value_retain(user));
    rx_value_release(user);
    return NULL;
}

static void test_references(void **state) {
    (void)state;
    fixture f = fixture_row_sums();
    fixture_load(&f, NULL);
    rx_value *x = counting(2, (int64_t[]){ROWS, COLUMNS}, 0), *out;
    assert_int_equal(rx_context_call(f.ctx, "main", &x, 1, &out), RX_OK);
    pthread_t t[4];
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&t[i], NULL, hold, rx_value_retain(out)), 0);
    rx_value_release(out);
    rx_value_release(x);
    fixture_free(&f); // the context goes while they hold it
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_contexts),
        cmocka_unit_test(test_shared_threads),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
