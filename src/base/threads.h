// threads.h - worker threads of the compiler: many independent jobs, each with its own index.
// (Kernels run on device/pool.h.)
#ifndef BASE_THREADS_H
#define BASE_THREADS_H
#include <stddef.h>

// Calls job(user, i) for each i below count on up to `threads` threads (0: as many as the machine grants this
// process: affinity mask and cgroup quota respected). Returns when all are done. Jobs may run in any order.
void threads_run(unsigned threads, size_t count, void (*job)(void *user, size_t index), void *user);
unsigned threads_available(void); // at least 1

// The processors a cgroup's quota grants, rounded up, or 0 where there is none. Groups are read from a text like
// /proc/self/cgroup, quotas from the tree at `root` (/sys/fs/cgroup; version 2, or version 1's cpu controller): the
// least of the group's and its parents' counts. Apart from tests only threads_available calls it.
unsigned threads_quota(const char *groups, const char *root);
#endif
