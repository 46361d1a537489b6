// bench_pool.c - what it costs to hand work to the thread pool and wait for it: empty jobs, one after the other.
#include "base/clock.h"
#include "device/pool.h"
#include <stdio.h>
#include <stdlib.h>

enum { JOBS = 200000, ROUNDS = 7 };

static int32_t nothing(void *user, unsigned worker, int64_t begin, int64_t end) {
    (void)user, (void)worker, (void)begin, (void)end;
    return 0;
}

int main(int argc, char **argv) {
    unsigned most = argc > 1 ? (unsigned)atoi(argv[1]) : pool_default_threads();
    for (unsigned threads = 1; threads <= most; threads++) {
        pool *p;
        double best = 1e9;
        if (pool_new(threads, &p) != RX_OK) return 1;
        for (int round = 0; round < ROUNDS; round++) {
            double start = clock_seconds();
            for (int i = 0; i < JOBS; i++) (void)!pool_run(p, 1000, POOL_MIRRORED, nothing, NULL);
            double each = (clock_seconds() - start) / (double)JOBS;
            if (each < best) best = each;
        }
        printf("%2u threads: %6.0f ns per job\n", threads, best * 1e9);
        pool_release(p);
    }
    return 0;
}
