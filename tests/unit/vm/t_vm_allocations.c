// t_vm_allocations.c - every allocation of the runtime fails once in turn, whoever makes it: malloc and its kin, mmap
// and the making of threads are replaced at link time (tests/CMakeLists.txt). Loading, calls, profiling, queues,
// values, DLPack and files end in RX_OUT_OF_MEMORY, with a sentence where there is room for one, and nothing stays
// behind.
#define _POSIX_C_SOURCE 200809L
#include "fixture.h"
#include "support/heap.h"
#include "vm/dlpack.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

// ---- what the linker puts in place beside malloc and its kin ----

void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
char *__real_realpath(const char *path, char *out);
int __real_pthread_create(pthread_t *out, const pthread_attr_t *how, void *(*run)(void *), void *user);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
char *__wrap_realpath(const char *path, char *out);
int __wrap_pthread_create(pthread_t *out, const pthread_attr_t *how, void *(*run)(void *), void *user);

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    return heap_fails() ? MAP_FAILED : __real_mmap(at, size, protection, flags, file, offset);
}

// Its result is given to free().
char *__wrap_realpath(const char *path, char *out) {
    return heap_fails() ? NULL : heap_counted(__real_realpath(path, out));
}

// A thread wants a stack.
int __wrap_pthread_create(pthread_t *out, const pthread_attr_t *how, void *(*run)(void *), void *user) {
    return heap_fails() ? EAGAIN : __real_pthread_create(out, how, run, user);
}

// ---- what programs do with the runtime ----

static char folder[64] = "/tmp/allocations-XXXXXX";
static char module_path[96], tensor_path[96];

static rx_status observe(void *user, const rx_event *e, char *message) {
    unsigned *seen = user;
    (void)message;
    for (uint32_t i = 0; i < e->values; i++) *seen += rx_event_tensor(e, i) != NULL;
    return RX_OK;
}

// Random numbers to a file, back, and through both kinds of DLPack.
static rx_status values(rx_value **x, char *message) {
    rx_value *made = NULL;
    struct DLManagedTensor *old = NULL;
    struct DLManagedTensorVersioned *t = NULL;
    rx_status status = rx_value_parse("f32[3,4]", 1, &made, message);
    if (status == RX_OK) status = rx_tensor_save(made, tensor_path, message);
    if (status == RX_OK) status = rx_tensor_to_dlpack(made, &old);
    rx_value_release(made);
    made = NULL;
    if (status == RX_OK && (status = rx_tensor_from_dlpack(old, &made)) != RX_OK) old->deleter(old);
    if (status == RX_OK) status = rx_tensor_to_dlpack_versioned(made, &t);
    rx_value_release(made);
    made = NULL;
    if (status == RX_OK && (status = rx_tensor_from_dlpack_versioned(t, &made)) != RX_OK) t->deleter(t);
    rx_value_release(made);
    return status == RX_OK ? rx_tensor_load(tensor_path, x, message) : status;
}

static rx_status nothing(void *user, rx_call *c) {
    (void)user, (void)c;
    return RX_OK;
}

// Calls, by argument and by input, with and without somebody who looks on.
static rx_status calls(rx_executable *e, rx_value *x, rx_value *s, bool observed, char *message) {
    rx_registry *r = NULL;
    rx_context *c = NULL;
    rx_value *out = NULL;
    unsigned seen = 0;
    rx_status status = rx_registry_new(&r);
    if (status == RX_OK) status = rx_registry_add(r, "my.nothing", nothing, NULL);
    const rx_context_options o = {.struct_size = sizeof o,
                                  .threads = 2,
                                  .registry = r,
                                  .observer = observed ? observe : NULL,
                                  .observer_user = &seen};
    if (status == RX_OK) status = rx_context_new(e, &o, &c, message);
    for (int i = 0; i < 2 && status == RX_OK; i++) {
        status = rx_context_call(c, "main", (rx_value *[]){x, s}, 2, &out);
        rx_value_release(out);
    }
    if (status == RX_OK) status = rx_context_set_input(c, "main", 0, x);
    if (status == RX_OK) status = rx_context_set_input_by_name(c, "main", "s", s);
    if (status == RX_OK) status = rx_context_run(c, "main", &out);
    if (status == RX_OK) rx_value_release(out);
    if (status == RX_OK) assert_true(!observed || seen > 6);
    if (status != RX_OK && c) assert_true(*rx_context_message(c) != 0);
    rx_context_release(c);
    rx_registry_release(r);
    return status;
}

typedef struct outcome {
    atomic_uint done, refused;
} outcome;

static void note(void *user, rx_status status, rx_value *result, const char *message) {
    outcome *o = user;
    atomic_fetch_add(&o->done, 1);
    if (status == RX_OK && result) return;
    if (status != RX_OUT_OF_MEMORY || !*message) abort();
    atomic_fetch_add(&o->refused, 1);
}

static rx_status queued_calls(rx_executable *e, rx_value *x, rx_value *s, char *message) {
    rx_queue *q = NULL;
    outcome o = {0};
    unsigned submitted = 0;
    const rx_context_options options = {.struct_size = sizeof options, .threads = 1};
    rx_status status = rx_queue_new(e, &options, 2, &q, message);
    for (int i = 0; i < 3 && status == RX_OK; i++) {
        status = rx_queue_submit(q, "main", (rx_value *[]){x, s}, 2, note, &o);
        submitted += status == RX_OK;
    }
    if (q) rx_queue_wait(q);
    rx_queue_release(q);
    assert_int_equal(o.done, submitted);
    return status == RX_OK && o.refused ? RX_OUT_OF_MEMORY : status;
}

static rx_status whole_life(void) {
    char message[RX_MESSAGE] = "";
    rx_value *x = NULL, *s = NULL;
    rx_executable *e = NULL;
    rx_status status = values(&x, message);
    if (status == RX_OK) status = rx_shape_new(1, (int64_t[]){5}, &s);
    if (status == RX_OK) status = rx_executable_load(module_path, NULL, &e, message);
    if (status != RX_OK && !e && s) assert_true(*message != 0);
    if (status == RX_OK) status = calls(e, x, s, false, message);
    if (status == RX_OK) status = calls(e, x, s, true, message);
    if (status == RX_OK) status = queued_calls(e, x, s, message);
    rx_executable_release(e);
    rx_value_release(s);
    rx_value_release(x);
    return status;
}

static rx_status armed_life(unsigned fail_at) {
    atomic_store(&heap.calls, 0);
    atomic_store(&heap.live, 0);
    atomic_store(&heap.fail_at, fail_at);
    atomic_store(&heap.armed, true);
    rx_status status = whole_life();
    atomic_store(&heap.armed, false);
    return status;
}

static void write_module(void) {
    fixture f = fixture_everything();
    char message[RX_MESSAGE];
    assert_non_null(mkdtemp(folder));
    snprintf(module_path, sizeof module_path, "%s/m.rlx", folder);
    snprintf(tensor_path, sizeof tensor_path, "%s/x.npy", folder);
    assert_int_equal(exec_writer_bytes(f.w, &f.bytes, &f.size, message), RX_OK);
    FILE *to = fopen(module_path, "wb");
    assert_true(to && fwrite(f.bytes, 1, f.size, to) == f.size && fclose(to) == 0);
    fixture_free(&f);
}

// Threads share the work of a queue, so the number of allocations varies: on until none is left to fail.
static void test_every_allocation_fails(void **state) {
    (void)state;
    write_module();
    assert_int_equal(armed_life(0), RX_OK);
    assert_int_equal(heap.live, 0);
    unsigned all = heap.calls, refused = 0;
    assert_true(all > 100);
    for (unsigned i = 1; i < 10 * all; i++) {
        rx_status status = armed_life(i);
        if (heap.calls < i && i > all) break;
        if (status != RX_OK && status != RX_OUT_OF_MEMORY) fail_msg("allocation %u: %s", i, rx_status_name(status));
        if (heap.live) fail_msg("allocation %u: %d blocks stay behind", i, heap.live);
        refused += status != RX_OK;
    }
    print_message("%u allocations, %u of them ended a call\n", all, refused);
    assert_true(refused > all / 2);
    unlink(module_path);
    unlink(tensor_path);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
