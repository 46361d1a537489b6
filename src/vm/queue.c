// queue.c - calls that run on worker threads while the caller goes on: a list under one lock.
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"
#include "exec/memory.h"
#include "vm/context.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One call that was submitted. Its arguments and the function's name follow it.
typedef struct queued {
    struct queued *next;
    rx_done *done;
    void *user;
    size_t size;    // of the whole block
    uint32_t count; // as submitted
    uint32_t held;  // of them in `arg`: none where no function takes so many, and the call only fails
    const char *function;
    rx_value *arg[];
} queued;

typedef struct queue_worker {
    rx_queue *q;
    rx_context *context;
    pthread_t thread;
} queue_worker;

struct rx_queue {
    rx_allocator allocator;
    pthread_mutex_t lock;
    pthread_cond_t work; // something was submitted, or the queue closes
    pthread_cond_t idle; // `open` became zero
    queued *first, **last;
    uint64_t open; // submitted and not done
    bool closing;
    uint32_t workers, started;
    queue_worker *worker;
};

// By whoever took the call off the list: a worker, or the submitter of a refused one.
static void free_call(rx_queue *q, queued *c) {
    for (uint32_t i = 0; i < c->held; i++) rx_value_release(c->arg[i]);
    memory_give(&q->allocator, c, c->size);
}

// The next call to run; NULL when the queue is closed and empty. *cancelled: it is not to run any more.
// What was submitted before the queue closes is taken all the same, so that each call gets its answer.
static queued *next_call(rx_queue *q, bool *cancelled) {
    pthread_mutex_lock(&q->lock);
    while (!q->first && !q->closing) pthread_cond_wait(&q->work, &q->lock);
    queued *c = q->first;
    if (c) q->first = c->next;
    if (!q->first) q->last = &q->first;
    *cancelled = q->closing;
    pthread_mutex_unlock(&q->lock);
    return c;
}

// Outside the lock: calls run side by side, and `done` may submit the next one.
static void run_call(const queue_worker *w, queued *c, bool cancelled) {
    rx_value *result = NULL;
    if (cancelled) {
        c->done(c->user, RX_CANCELLED, NULL, "the queue was released before this call began");
        return;
    }
    rx_status status = rx_context_call(w->context, c->function, c->arg, c->count, &result);
    c->done(c->user, status, result, rx_context_message(w->context));
    rx_value_release(result);
}

// `open` falls only when `done` has returned: rx_queue_wait means that nothing of the caller's is in use any more.
static void *worker_main(void *user) {
    const queue_worker *w = user;
    rx_queue *q = w->q;
    bool cancelled;
    for (queued *c = next_call(q, &cancelled); c; c = next_call(q, &cancelled)) {
        run_call(w, c, cancelled);
        free_call(q, c);
        pthread_mutex_lock(&q->lock);
        if (--q->open == 0) pthread_cond_broadcast(&q->idle);
        pthread_mutex_unlock(&q->lock);
    }
    return NULL;
}

static rx_status start_worker(rx_queue *q, rx_executable *e, const rx_context_options *o, char *message) {
    queue_worker *w = &q->worker[q->started];
    w->q = q;
    rx_status status = rx_context_new(e, o, &w->context, message);
    if (status != RX_OK) return status;
    if (pthread_create(&w->thread, NULL, worker_main, w) == 0) {
        q->started++;
        return RX_OK;
    }
    rx_context_release(w->context);
    return why_fail(message, RX_OUT_OF_MEMORY, "no thread for a worker of the queue");
}

// A queue that got only some of its workers is released like a complete one: `started` says how many there are.
rx_status rx_queue_new(rx_executable *e, const rx_context_options *options, unsigned workers, rx_queue **out,
                       char *message) {
    rx_context_options o;
    if (!out) return RX_INVALID_ARGUMENT;
    *out = NULL;
    RX_TRY(vm_read_options(e, options, &o, message));
    // A worker is a thread already: its kernels get no others unless that is asked for.
    if (!o.threads && !o.share_threads) o.threads = 1;
    if (workers > RX_MAX_THREADS)
        return why_fail(message, RX_INVALID_ARGUMENT, "workers: want 0 to %d, got %u", RX_MAX_THREADS, workers);
    if (!workers) workers = 1;
    rx_queue *q = memory_take(&o.allocator, sizeof *q);
    queue_worker *w = q ? memory_take(&o.allocator, workers * sizeof *w) : NULL;
    if (!w) {
        memory_give(&o.allocator, q, sizeof *q);
        return why_fail(message, RX_OUT_OF_MEMORY, "no memory for a queue");
    }
    memset(w, 0, workers * sizeof *w);
    *q = (rx_queue){.allocator = o.allocator, .workers = workers, .worker = w, .last = &q->first};
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->work, NULL);
    pthread_cond_init(&q->idle, NULL);
    rx_status status = RX_OK;
    while (status == RX_OK && q->started < workers) status = start_worker(q, e, &o, message);
    if (status == RX_OK)
        *out = q;
    else
        rx_queue_release(q);
    return status;
}

// The most arguments that any call can have.
static uint32_t most_arguments(const rx_queue *q) {
    const executable *e = q->worker[0].context->exe;
    uint32_t most = 0;
    for (uint32_t i = 0; i < e->functions; i++)
        if (e->function[i].params > most) most = e->function[i].params;
    return most;
}

// One block: the head, the arguments, the function's name with its NUL.
static queued *new_call(rx_queue *q, const char *function, rx_value *const *args, uint32_t count) {
    uint32_t held = count <= most_arguments(q) ? count : 0;
    size_t length = strlen(function) + 1, size = sizeof(queued) + held * sizeof *args + length;
    queued *c = memory_take(&q->allocator, size);
    if (!c) return NULL;
    *c = (queued){.size = size, .count = count, .held = held};
    for (uint32_t i = 0; i < held; i++) c->arg[i] = rx_value_retain(args[i]);
    c->function = memcpy((char *)&c->arg[held], function, length);
    return c;
}

// The arguments are retained first, outside the lock; a refused call gives them back.
rx_status rx_queue_submit(rx_queue *q, const char *function, rx_value *const *args, uint32_t count, rx_done *done,
                          void *user) {
    if (!q || !function || !done || (count && !args)) return RX_INVALID_ARGUMENT;
    queued *c = new_call(q, function, args, count);
    if (!c) return RX_OUT_OF_MEMORY;
    c->done = done;
    c->user = user;
    pthread_mutex_lock(&q->lock);
    bool refused = q->closing;
    if (!refused) {
        *q->last = c;
        q->last = &c->next;
        q->open++;
        pthread_cond_signal(&q->work);
    }
    pthread_mutex_unlock(&q->lock);
    if (refused) free_call(q, c);
    return refused ? RX_CANCELLED : RX_OK;
}

// A worker that waits for itself would wait forever. It looks at what was there before its first call began.
static void check_outside(const rx_queue *q, const char *done) {
#ifdef RELAX_DEBUG
    for (uint32_t i = 0; i < q->started; i++) {
        if (!pthread_equal(q->worker[i].thread, pthread_self())) continue;
        fprintf(stderr, "relax: a queue is %s by a function that it calls itself (relax/runtime.h)\n", done);
        abort();
    }
#else
    (void)q, (void)done;
#endif
}

void rx_queue_wait(rx_queue *q) {
    if (!q) return;
    check_outside(q, "waited for");
    pthread_mutex_lock(&q->lock);
    while (q->open) pthread_cond_wait(&q->idle, &q->lock);
    pthread_mutex_unlock(&q->lock);
}

// Ends when the running calls end; those that wait are cancelled.
void rx_queue_release(rx_queue *q) {
    if (!q) return;
    check_outside(q, "released");
    pthread_mutex_lock(&q->lock);
    q->closing = true;
    pthread_cond_broadcast(&q->work);
    pthread_mutex_unlock(&q->lock);
    for (uint32_t i = 0; i < q->started; i++) {
        pthread_join(q->worker[i].thread, NULL);
        rx_context_release(q->worker[i].context);
    }
    pthread_cond_destroy(&q->idle);
    pthread_cond_destroy(&q->work);
    pthread_mutex_destroy(&q->lock);
    rx_allocator a = q->allocator;
    memory_give(&a, q->worker, q->workers * sizeof *q->worker);
    memory_give(&a, q, sizeof *q);
}
