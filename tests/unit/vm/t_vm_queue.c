// t_vm_queue.c - calls that run on workers: all of them, in order, their failures, and what a release cancels.
#define _POSIX_C_SOURCE 200809L
#include "base/postfix.h"
#include "fixture.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const dtype f32 = {.kind = DTYPE_F32, .lanes = 1};

// main(x: (n,)) -> x + x.
static fixture doubling(void) {
    fixture f = fixture_new();
    fixture_kernels(&f);
    exec_param p[] = {
        param(&f, "x", tensor_of(&f, "R.Tensor((n,), dtype=\"float32\")", f32, 1, (const char *[]){"!n"}))};
    uint8_t n4[] = {POSTFIX_SLOT, 0, 0, 0, 0, POSTFIX_SMALL, 4, POSTFIX_MUL};
    uint32_t n = exec_writer_slot(f.w, 0);
    function(&f, "main", p, 1, 3);
    EMIT(&f, OP_ALLOC_STORAGE, 1, exec_writer_program(f.w, n4, sizeof n4));
    EMIT(&f, OP_ALLOC_TENSOR, 2, 1, exec_writer_int(f.w, 0), op_dtype(f32), 1, n);
    emit_launch(&f, K_ADD, 3, (uint32_t[]){0, 0, 2}, 1, (uint32_t[]){n});
    EMIT(&f, OP_RET, 2);
    fixture_load(&f, NULL);
    return f;
}

typedef struct outcome {
    atomic_uint done, good, cancelled;
    float want;
    char message[RX_MESSAGE];
} outcome;

static void note(void *user, rx_status status, rx_value *result, const char *message) {
    outcome *o = user;
    if (status == RX_OK && element(result, 1) == 2) atomic_fetch_add(&o->good, 1);
    if (status == RX_CANCELLED) atomic_fetch_add(&o->cancelled, 1);
    if (status != RX_OK) memcpy(o->message, message, strlen(message) + 1);
    atomic_fetch_add(&o->done, 1);
}

static void test_many_calls(void **state) {
    (void)state;
    enum { CALLS = 500 };
    fixture f = doubling();
    rx_queue *q = NULL;
    outcome o = {0};
    char message[RX_MESSAGE] = "";
    if (rx_queue_new(f.exe, NULL, 3, &q, message) != RX_OK) fail_msg("%s", message);
    for (int64_t i = 0; i < CALLS; i++) {
        rx_value *x = counting(1, (int64_t[]){2 + i % 50}, 0);
        assert_int_equal(rx_queue_submit(q, "main", &x, 1, note, &o), RX_OK);
        rx_value_release(x); // the queue has its own reference
    }
    rx_queue_wait(q);
    assert_int_equal(o.done, CALLS);
    assert_int_equal(o.good, CALLS);
    rx_queue_release(q);
    fixture_free(&f);
}

static void test_failures_are_told(void **state) {
    (void)state;
    fixture f = doubling();
    rx_queue *q = NULL;
    outcome o = {0};
    assert_int_equal(rx_queue_new(f.exe, NULL, 0, &q, NULL), RX_OK);
    rx_value *x = counting(2, (int64_t[]){2, 2}, 0);
    assert_int_equal(rx_queue_submit(q, "main", &x, 1, note, &o), RX_OK);
    rx_queue_wait(q);
    assert_int_equal(o.done, 1);
    assert_non_null(strstr(o.message, "main: x"));
    assert_int_equal(rx_queue_submit(q, NULL, &x, 1, note, &o), RX_INVALID_ARGUMENT);
    // A count that can't be meant is told as any wrong one; nothing is read behind the arguments.
    assert_int_equal(rx_queue_submit(q, "main", &x, UINT32_MAX, note, &o), RX_OK);
    rx_queue_wait(q);
    assert_int_equal(o.done, 2);
    assert_non_null(strstr(o.message, "main: got 4294967295 arguments, want 1"));
    rx_value_release(x);
    rx_queue_release(q);
    rx_queue_release(NULL);
    fixture_free(&f);
}

// The only worker is held up by the first call; the others are cancelled by the release.
typedef struct gate {
    pthread_mutex_t lock;
    atomic_bool begun;
} gate;

static void wait_at_gate(void *user, rx_status status, rx_value *result, const char *message) {
    gate *g = user;
    (void)status, (void)result, (void)message;
    atomic_store(&g->begun, true);
    pthread_mutex_lock(&g->lock);
    pthread_mutex_unlock(&g->lock);
}

static void *release_queue(void *user) {
    rx_queue_release(user);
    return NULL;
}

static void test_release_cancels(void **state) {
    (void)state;
    fixture f = doubling();
    rx_queue *q = NULL;
    outcome o = {0};
    gate g = {.lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t releaser;
    rx_value *x = counting(1, (int64_t[]){2}, 0);
    assert_int_equal(rx_queue_new(f.exe, NULL, 1, &q, NULL), RX_OK);
    pthread_mutex_lock(&g.lock);
    assert_int_equal(rx_queue_submit(q, "main", &x, 1, wait_at_gate, &g), RX_OK);
    while (!atomic_load(&g.begun)) {}
    for (int i = 0; i < 5; i++) assert_int_equal(rx_queue_submit(q, "main", &x, 1, note, &o), RX_OK);
    assert_int_equal(pthread_create(&releaser, NULL, release_queue, q), 0);
    // Submitting is refused once the release has begun.
    while (rx_queue_submit(q, "main", &x, 1, note, &o) == RX_OK) {}
    pthread_mutex_unlock(&g.lock);
    pthread_join(releaser, NULL);
    assert_int_equal(o.good, 0);
    assert_true(o.cancelled >= 5);
    assert_int_equal(o.done, o.cancelled);
    rx_value_release(x);
    fixture_free(&f);
}

#ifdef RELAX_DEBUG
static void wait_inside(void *user, rx_status status, rx_value *result, const char *message) {
    (void)status, (void)result, (void)message;
    rx_queue_wait(*(rx_queue **)user);
}

static void release_inside(void *user, rx_status status, rx_value *result, const char *message) {
    (void)status, (void)result, (void)message;
    rx_queue_release(*(rx_queue **)user);
}

// In a child: the process ends with a sentence.
static void expect_end(const fixture *f, rx_done *done, const char *sentence) {
    char said[400] = "";
    int to[2], status = 0;
    assert_int_equal(pipe(to), 0);
    pid_t child = fork();
    if (!child) {
        rx_queue *q = NULL;
        dup2(to[1], 2);
        alarm(60);
        if (rx_queue_new(f->exe, NULL, 2, &q, NULL) == RX_OK) rx_queue_submit(q, "main", NULL, 0, done, &q);
        pause();
        _exit(0);
    }
    close(to[1]);
    for (size_t size = 0; size < sizeof said - 1;) {
        ssize_t more = read(to[0], said + size, sizeof said - 1 - size);
        if (more <= 0) break;
        size += (size_t)more;
    }
    close(to[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT) fail_msg("status %d: %s", status, said);
    if (!strstr(said, sentence)) fail_msg("want \"%s\", got %s", sentence, said);
}
#endif

// Debug builds notice a worker that waits for itself.
static void test_waiting_for_oneself(void **state) {
    (void)state;
    fixture f = doubling();
#ifdef RELAX_DEBUG
    expect_end(&f, wait_inside, "a queue is waited for by a function that it calls itself");
    expect_end(&f, release_inside, "a queue is released by a function that it calls itself");
#endif
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_calls), cmocka_unit_test(test_failures_are_told),
                                       cmocka_unit_test(test_release_cancels),
                                       cmocka_unit_test(test_waiting_for_oneself)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
