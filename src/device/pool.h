// pool.h - the threads that run kernels: a fixed set, each with a fixed share of every grid: a contiguous part, or of
// large grids one from the front and its mirror image from the end.
//
// The share of worker w of `threads` depends on the grid and on `threads` only; kernels must not let results depend on
// the split (the compiler sees to that). Workers spin for some microseconds after a job, then sleep.
#ifndef DEVICE_POOL_H
#define DEVICE_POOL_H
#include "relax/status.h"
#include <stddef.h>
#include <stdint.h>

typedef struct pool pool;

// How many threads a pool has when nobody says: RELAX_NUM_THREADS if it is a positive number, else what the affinity
// mask and the cgroup's quota grant this process. At least 1.
unsigned pool_default_threads(void);

// A pool for `threads` threads, the caller's among them (0: the default). Helpers are started at the first job that has
// work for them, so a pool costs nothing until then. RX_OUT_OF_MEMORY.
rx_status pool_new(unsigned threads, pool **out);
pool *pool_retain(pool *p);
void pool_release(pool *p); // NULL is allowed; the last one joins the helpers
unsigned pool_threads(const pool *p);

// How a worker's share is cut.
typedef enum pool_shares {
    POOL_MIRRORED, // large grids: a part from the front and its mirror image from the end, as many are uneven
    POOL_ONE_PART, // one contiguous part
} pool_shares;

// Runs job(user, worker, begin, end), once or twice a worker, over shares of [0, count) and returns when all are done:
// the first nonzero result (of the lowest share), or 0. `worker` < pool_threads. If the pool is busy with another
// caller's job, was forked away or can't start threads, the calling thread runs the whole as worker 0. Thread-safe.
typedef int32_t pool_job(void *user, unsigned worker, int64_t begin, int64_t end);
int32_t pool_run(pool *p, int64_t count, pool_shares shares, pool_job *job, void *user);
#endif
