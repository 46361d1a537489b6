// pool.c - the threads that run kernels: posted by one counter, spinning for a while, then sleeping.
#define _GNU_SOURCE
#include "device/pool.h"
#include "base/attributes.h"
#include "base/clock.h"
#include "base/threads.h"
#include "relax/runtime.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    CACHE_LINE = 64,
    SPIN_NANOSECONDS = 50 * 1000, // longer than the gap between two launches of a model
    SPINS_PER_LOOK = 64,          // spins between two looks at the clock
    SPINS_BEFORE_YIELD = 2000,    // some tens of microseconds
    MIRRORED_FROM = 64,           // iterations of a worker, so that beginning twice doesn't show
};

typedef struct worker {
    _Alignas(CACHE_LINE) atomic_uint claimed; // number of the last job whose share somebody took
    atomic_uint done;                         // number of the last job this worker finished
    int32_t result;
    unsigned index;
    struct pool *p;
    pthread_t thread;
} worker;

struct pool {
    // What the helpers wait for: the number of the job; the job is below. Written by the caller that holds `busy`.
    _Alignas(CACHE_LINE) atomic_uint job;
    _Alignas(CACHE_LINE) atomic_uint sleepers;
    atomic_bool stop;
    atomic_int processor; // the one that woke the sleepers
    pool_job *run;
    void *user;
    int64_t count;
    pool_shares shares;
    pthread_mutex_t busy;  // one job at a time
    pthread_mutex_t sleep; // guards going to sleep
    pthread_cond_t wake;
    atomic_uint refs;
    unsigned threads;           // shares of a job
    unsigned started;           // helpers that run, at most threads - 1; 0 until the first job
    bool tried;                 // starting them was tried
    bool spin;                  // there is a processor for every thread
    const unsigned char *alive; // a byte that a forked child sees as 0
    worker *worker;
};

// A wrong value of the variable is ignored rather than refused: a library has nobody to tell.
unsigned pool_default_threads(void) {
    const char *text = getenv("RELAX_NUM_THREADS");
    char *end = NULL;
    long wanted = text ? strtol(text, &end, 10) : 0;
    if (text && end != text && !*end && wanted > 0) return wanted < RX_MAX_THREADS ? (unsigned)wanted : RX_MAX_THREADS;
    unsigned available = threads_available();
    return available < RX_MAX_THREADS ? available : RX_MAX_THREADS;
}

// Tells the processor that this is a waiting loop.
static inline void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Share `w` of [0, count) among `shares`: contiguous, sizes that differ by one at most.
static int64_t share_start(int64_t count, unsigned shares, unsigned w) {
    return count / shares * w + (count % shares < w ? count % shares : w);
}

// True when the job's number is no longer `seen`, after spinning; false: not yet.
static bool spin_for_job(pool *p, unsigned seen) {
    if (!p->spin) return atomic_load_explicit(&p->job, memory_order_acquire) != seen;
    uint64_t deadline = clock_nanoseconds() + SPIN_NANOSECONDS;
    do {
        for (int i = 0; i < SPINS_PER_LOOK; i++) {
            if (atomic_load_explicit(&p->job, memory_order_acquire) != seen) return true;
            pause_briefly();
        }
    } while (clock_nanoseconds() < deadline);
    return false;
}

// The count of sleepers goes up before the last look at the job, and announce() looks at it after changing the job: one
// of the two always sees the other, so no wake-up is lost.
static void sleep_for_job(pool *p, unsigned seen) {
    pthread_mutex_lock(&p->sleep);
    atomic_fetch_add(&p->sleepers, 1);
    while (atomic_load(&p->job) == seen) pthread_cond_wait(&p->wake, &p->sleep);
    atomic_fetch_sub(&p->sleepers, 1);
    pthread_mutex_unlock(&p->sleep);
}

// The scheduler may wake a helper on the processor of the caller, who is busy from then on, and leave it there for tens
// of milliseconds while others idle: a third of the jobs of 0.5 ms on two threads took 1 ms. So a helper that finds
// itself there moves, and wakes where it slept the next time.
static void leave_caller(const pool *p) {
    cpu_set_t allowed, others;
    int here = sched_getcpu();
    if (!p->spin || here < 0 || here >= CPU_SETSIZE || here != atomic_load(&p->processor)) return;
    if (pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed) != 0) return;
    others = allowed;
    CPU_CLR((size_t)here, &others);
    if (CPU_COUNT(&others) == 0 || pthread_setaffinity_np(pthread_self(), sizeof others, &others) != 0) return;
    pthread_setaffinity_np(pthread_self(), sizeof allowed, &allowed);
}

static int32_t run_part(const pool *p, unsigned w, unsigned parts, unsigned part) {
    int64_t begin = share_start(p->count, parts, part), end = share_start(p->count, parts, part + 1);
    return begin < end ? p->run(p->user, w, begin, end) : 0;
}

// Large grids are often uneven: with causal attention the last iterations have the most to do. A part from the front
// and its mirror image from the end are as much for each worker: attention of a prompt on two threads 3.2 to 2.4 ms.
static int32_t run_share(const pool *p, unsigned w) {
    if (p->shares == POOL_ONE_PART || p->count / p->threads < MIRRORED_FROM) return run_part(p, w, p->threads, w);
    int32_t front = run_part(p, w, 2 * p->threads, w), back = run_part(p, w, 2 * p->threads, 2 * p->threads - 1 - w);
    return front ? front : back;
}

// Jobs are numbered, and each share of each is claimed once: by its helper or, where that one sleeps or waits for a
// processor, by the caller when it has nothing else to do.
static bool claim(worker *w, unsigned job) {
    unsigned before = job - 1;
    return atomic_compare_exchange_strong_explicit(&w->claimed, &before, job, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

static void *helper(void *user) {
    worker *w = user;
    pool *p = w->p;
    for (unsigned seen = 0;;) {
        if (!spin_for_job(p, seen)) {
            sleep_for_job(p, seen);
            leave_caller(p);
        }
        seen = atomic_load(&p->job);
        if (atomic_load(&p->stop)) return NULL;
        if (!claim(w, seen)) continue;
        w->result = run_share(p, w->index);
        atomic_store_explicit(&w->done, seen, memory_order_release);
    }
}

// A byte that is 1 here and 0 in a forked child, where the helpers don't exist; NULL: there is no such thing here.
static const unsigned char *mark_of_life(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return NULL;
    if (madvise(at, page, MADV_WIPEONFORK) != 0) {
        munmap(at, page);
        return NULL;
    }
    *at = 1;
    return at;
}

// No thread is started here: a pool that never gets work for two costs two allocations.
rx_status pool_new(unsigned threads, pool **out) {
    *out = NULL;
    if (!threads) threads = pool_default_threads();
    if (threads > RX_MAX_THREADS) threads = RX_MAX_THREADS;
    void *at = NULL, *workers = NULL;
    if (posix_memalign(&at, CACHE_LINE, sizeof(pool))) return RX_OUT_OF_MEMORY;
    if (posix_memalign(&workers, CACHE_LINE, threads * sizeof(worker))) {
        free(at);
        return RX_OUT_OF_MEMORY;
    }
    pool *p = at;
    *p = (pool){.threads = threads, .worker = workers};
    atomic_init(&p->refs, 1);
    p->spin = threads <= threads_available();
    p->alive = threads > 1 ? mark_of_life() : NULL;
    pthread_mutex_init(&p->busy, NULL);
    pthread_mutex_init(&p->sleep, NULL);
    pthread_cond_init(&p->wake, NULL);
    for (unsigned i = 0; i < threads; i++) p->worker[i] = (worker){.index = i, .p = p};
    *out = p;
    return RX_OK;
}

pool *pool_retain(pool *p) {
    atomic_fetch_add_explicit(&p->refs, 1, memory_order_relaxed);
    return p;
}

// In a child of fork() only the calling thread exists; the others' stacks are there, but nobody runs on them.
static bool forked_away(const pool *p) { return p->alive && !*p->alive; }

// Publishes the job that was filled in. Waking costs a system call, so it is done only for sleepers.
static void announce(pool *p) {
    if (atomic_load_explicit(&p->sleepers, memory_order_relaxed)) atomic_store(&p->processor, sched_getcpu());
    atomic_fetch_add(&p->job, 1);
    if (!atomic_load(&p->sleepers)) return;
    pthread_mutex_lock(&p->sleep);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->sleep);
}

// A last, empty job makes the helpers look at `stop`.
static void join_helpers(pool *p) {
    if (!p->started) return;
    atomic_store(&p->stop, true);
    announce(p);
    for (unsigned i = 1; i <= p->started; i++) pthread_join(p->worker[i].thread, NULL);
}

void pool_release(pool *p) {
    if (!p || atomic_fetch_sub_explicit(&p->refs, 1, memory_order_acq_rel) != 1) return;
    if (!forked_away(p)) { // a child's condition variable would wait for helpers that it doesn't have
        join_helpers(p);
        pthread_cond_destroy(&p->wake);
        pthread_mutex_destroy(&p->sleep);
        pthread_mutex_destroy(&p->busy);
    }
    if (p->alive) munmap((void *)(uintptr_t)p->alive, (size_t)sysconf(_SC_PAGESIZE));
    free(p->worker);
    free(p);
}

unsigned pool_threads(const pool *p) { return p->threads; }

// All helpers or none: a smaller number would not change results, but all shares must have a thread.
static void start_helpers(pool *p) {
    sigset_t all, before;
    p->tried = true;
    if (!p->alive) return;
    sigfillset(&all); // the program's signals are for its own threads
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (unsigned i = 1; i < p->threads; i++) {
        if (pthread_create(&p->worker[i].thread, NULL, helper, &p->worker[i]) != 0) break;
        p->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (p->started + 1 == p->threads) return;
    join_helpers(p);
    p->started = 0;
}

// Waits until helper w has finished job number `job`. Where the helper may be waiting for a processor itself (more
// threads than processors, or other programs), spinning on would only keep it from running.
static void wait_for(pool *p, worker *w, unsigned job) {
    unsigned spins = p->spin ? SPINS_BEFORE_YIELD : 0;
    while (atomic_load_explicit(&w->done, memory_order_acquire) != job) {
        if (spins) {
            pause_briefly();
            spins--;
        } else {
            sched_yield();
        }
    }
}

// The caller holds `busy`.
static int32_t run_shared(pool *p, int64_t count, pool_shares shares, pool_job *job, void *user) {
    p->run = job;
    p->user = user;
    p->count = count;
    p->shares = shares;
    unsigned number = atomic_load_explicit(&p->job, memory_order_relaxed) + 1;
    announce(p);
    int32_t result = run_share(p, 0);
    for (unsigned i = 1; i < p->threads; i++) {
        worker *w = &p->worker[i];
        if (!claim(w, number)) continue;
        w->result = run_share(p, i);
        atomic_store_explicit(&w->done, number, memory_order_relaxed);
    }
    for (unsigned i = 1; i < p->threads; i++) {
        wait_for(p, &p->worker[i], number);
        if (!result) result = p->worker[i].result;
    }
    return result;
}

// trylock: a caller that finds the pool busy works alone instead of waiting, which also makes nested calls safe.
int32_t pool_run(pool *p, int64_t count, pool_shares shares, pool_job *job, void *user) {
    if (p->threads == 1 || count <= 1 || !p->alive || forked_away(p) || pthread_mutex_trylock(&p->busy) != 0)
        return count > 0 ? job(user, 0, 0, count) : 0;
    if (!p->tried) start_helpers(p);
    int32_t result = p->started ? run_shared(p, count, shares, job, user) : job(user, 0, 0, count);
    pthread_mutex_unlock(&p->busy);
    return result;
}
