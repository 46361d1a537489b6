// kernel_jobs.h - machine code for bundles of programs, on many threads or each in a process of its own.
#ifndef DRIVER_KERNEL_JOBS_H
#define DRIVER_KERNEL_JOBS_H
#include "driver/kernel_cache.h"

// LLVM takes a millisecond for each object, whatever is in it; but few programs should not wait for one thread. What is
// in a bundle doesn't depend on the number of threads, so neither does the code.
enum { BUNDLE_MOST = 4, BUNDLES_WANTED = 8 };

typedef struct kernel_job {
    const arch *target;
    const loop_func *func[BUNDLE_MOST];
    uint32_t funcs;
    size_t cost; // the size of their texts: roughly as long as it takes
    cache_key key;
    bool wanted; // false: the object isn't needed
    compiled object;
    arena *mem; // of the job's own messages
    diag *d;
    bool ok;
} kernel_job;

typedef struct kernel_work {
    kernel_job *list;
    kernel_job **turn; // the order in which threads begin them
    size_t count;
    unsigned jobs; // threads or processes; 0: as many as there are
    const target_options *code;
    const char *cache; // folder; NULL: none
} kernel_work;

// Fills object, mem, d and ok of each wanted job.
void kernel_jobs_run(kernel_work *w);
// The same with each bundle in a process of its own: where LLVM ends the process, the job fails with a message that
// names the function.
void kernel_jobs_isolate(kernel_work *w);
#endif
