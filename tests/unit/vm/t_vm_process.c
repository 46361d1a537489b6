// t_vm_process.c - a context in the hands of two threads or released in the middle of a call, which debug builds
// notice; and what a child of fork() can do with what its parent loaded.
#define _POSIX_C_SOURCE 200809L
#include "base/postfix.h"
#include "fixture.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 37, COLUMNS = 300, DONE = 0, WRONG = 9 };

// ---- two threads, one context ----

// What the external function of a call does while that call is on its way.
typedef struct misuse {
    rx_context *c;
    void (*act)(struct misuse *m);
    rx_status status; // that the second call got
} misuse;

static rx_status in_the_middle(void *user, rx_call *call) {
    misuse *m = user;
    (void)call;
    m->act(m);
    return RX_OK;
}

static void *call_again(void *user) {
    misuse *m = user;
    rx_value *out = NULL;
    m->status = rx_context_call(m->c, "main", NULL, 0, &out);
    rx_value_release(out);
    return NULL;
}

static void call_from_another_thread(misuse *m) {
    pthread_t t;
    if (pthread_create(&t, NULL, call_again, m) != 0) _exit(WRONG);
    pthread_join(t, NULL);
}

static void release(misuse *m) { rx_context_release(m->c); }
static void set_input(misuse *m) { m->status = rx_context_set_input(m->c, "main", 0, NULL); }
static void trim(misuse *m) { rx_context_trim(m->c); }

// The child's end: its exit status as wait() has it, and the start of what it wrote to stderr.
static int end_of_child(pid_t child, int from, char message[400]) {
    ssize_t size = 0, more;
    while (size < 399 && (more = read(from, message + size, 399 - (size_t)size)) > 0) size += more;
    message[size] = 0;
    close(from);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static int misused(void (*act)(misuse *m), char message[400]) {
    fixture f = fixture_new();
    misuse m = {.act = act};
    uint32_t external = exec_writer_import(f.w, IMPORT_EXTERNAL, "my.middle", 0);
    function(&f, "main", NULL, 0, 1);
    EMIT(&f, OP_EXTERN, NO_REGISTER, external, 0);
    EMIT(&f, OP_RET, 0);
    rx_registry *r;
    assert_int_equal(rx_registry_new(&r), RX_OK);
    assert_int_equal(rx_registry_add(r, "my.middle", in_the_middle, &m), RX_OK);
    fixture_load(&f, &(rx_context_options){.struct_size = sizeof(rx_context_options), .registry = r, .threads = 1});
    m.c = f.ctx;
    int to[2];
    assert_int_equal(pipe(to), 0);
    pid_t child = fork();
    if (!child) {
        rx_value *out = NULL;
        dup2(to[1], 2);
        _exit(rx_context_call(m.c, "main", NULL, 0, &out) == RX_OK && m.status == RX_INVALID_ARGUMENT ? DONE : WRONG);
    }
    close(to[1]);
    int status = end_of_child(child, to[0], message);
    rx_registry_release(r);
    fixture_free(&f);
    return status;
}

static void expect_abort(void (*act)(misuse *m), const char *sentence) {
    char message[400];
    int status = misused(act, message);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT) fail_msg("status %d: %s", status, message);
    if (!strstr(message, sentence)) fail_msg("want \"%s\", got %s", sentence, message);
}

static void test_misuse_is_noticed(void **state) {
    (void)state;
#ifndef RELAX_DEBUG
    char message[400];
    int status = misused(call_from_another_thread, message);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == DONE); // refused, here where the first one holds still
    (void)release, (void)set_input, (void)trim, (void)expect_abort;
#else
    expect_abort(call_from_another_thread, "a context is called while a call on it is on its way");
    expect_abort(release, "a context is released while a call on it is on its way");
    expect_abort(set_input, "a context is given an input while");
    expect_abort(trim, "a context is trimmed while");
#endif
}

// The result's room goes back into the heap of its context, which is still there.
static void release_twice(fixture *f) {
    rx_value *x = NULL, *y = NULL;
    if (rx_tensor_new("float32", 2, (int64_t[]){2, 3}, NULL, &x) || rx_context_call(f->ctx, "main", &x, 1, &y))
        _exit(WRONG);
    rx_value_release(y);
    rx_value_release(y);
    _exit(DONE);
}

static void test_a_release_too_many(void **state) {
    (void)state;
    fixture f = fixture_row_sums();
    char message[400];
    int to[2];
    fixture_load(&f, NULL);
    assert_int_equal(pipe(to), 0);
    pid_t child = fork();
    if (!child) {
        dup2(to[1], 2);
        release_twice(&f);
    }
    close(to[1]);
    int status = end_of_child(child, to[0], message);
#ifdef RELAX_DEBUG
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT) fail_msg("status %d: %s", status, message);
    assert_non_null(strstr(message, "a value is released once more than it was retained"));
#else
    (void)status;
#endif
    fixture_free(&f);
}

// ---- fork ----

static bool runs(rx_context *c) {
    rx_value *x = counting(2, (int64_t[]){ROWS, COLUMNS}, 0), *out = NULL;
    bool good = rx_context_call(c, "main", &x, 1, &out) == RX_OK;
    for (size_t i = 0; good && i < ROWS; i++) {
        float sum = 0;
        for (size_t j = 0; j < COLUMNS; j++) sum += (float)(i * COLUMNS + j);
        good = element(out, i) == sum;
    }
    rx_value_release(out);
    rx_value_release(x);
    return good;
}

// The thread sanitizer can't watch threads that begin in a child.
#ifdef __SANITIZE_THREAD__
enum { CHILD_THREADS = 1 };
#else
enum { CHILD_THREADS = 3 };
#endif

// What the parent loaded, a context of the child's own. What the parent made is released too: nothing may wait for
// threads that the child doesn't have.
static bool works_in_child(rx_executable *e, rx_context *inherited) {
    rx_context *own = NULL;
    const rx_context_options o = {.struct_size = sizeof o, .threads = CHILD_THREADS};
    bool good = runs(inherited) && rx_context_new(e, &o, &own, NULL) == RX_OK && runs(own) && runs(inherited);
    rx_context_release(own);
    rx_context_release(inherited);
    rx_executable_release(e);
    return good;
}

// The parent's helper threads are warm when it forks, and it goes on afterwards.
static void test_fork_after_load(void **state) {
    (void)state;
    fixture f = fixture_row_sums();
    char path[64] = "/tmp/fork-XXXXXX", message[RX_MESSAGE];
    fixture_load(&f, NULL);
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, f.bytes, f.size) == (ssize_t)f.size && close(file) == 0);
    rx_executable *e = NULL;
    rx_context *c = NULL;
    const rx_context_options o = {.struct_size = sizeof o, .threads = 3};
    if (rx_executable_load(path, NULL, &e, message) != RX_OK) fail_msg("%s", message);
    unlink(path);
    if (rx_context_new(e, &o, &c, message) != RX_OK) fail_msg("%s", message);
    for (int round = 0; round < 3; round++) {
        if (round) assert_true(runs(c)); // the first child comes before any call
        pid_t child = fork();
        if (!child) {
            alarm(60);
            _exit(works_in_child(e, c) ? DONE : WRONG);
        }
        assert_true(runs(c));
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != DONE)
            fail_msg("round %d: the child ended with %d", round, status);
    }
    rx_context_release(c);
    rx_executable_release(e);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_misuse_is_noticed),
        cmocka_unit_test(test_a_release_too_many),
        cmocka_unit_test(test_fork_after_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
