// threads.c - independent jobs on several threads, and how many the machine grants.
#define _GNU_SOURCE // sched_getaffinity
#include "base/threads.h"
#include "base/attributes.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Far above any machine: they bound the memory for what the system says.
enum { MOST_THREADS = 1024, MOST_CPUS = 1 << 16 };

typedef struct work {
    void (*job)(void *user, size_t index);
    void *user;
    size_t count;
    atomic_size_t next;
} work;

static void *take_jobs(void *shared) {
    work *w = shared;
    // One counter deals the jobs out, so that long and short ones even out.
    for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count;) w->job(w->user, i);
    return NULL;
}

void threads_run(unsigned threads, size_t count, void (*job)(void *user, size_t index), void *user) {
    if (!threads) threads = threads_available();
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    if (threads > count) threads = (unsigned)count;
    work w = {.job = job, .user = user, .count = count};
    pthread_t started[MOST_THREADS];
    unsigned running = 0;
    // The calling thread works too; where no more threads can be had, those that run do it all.
    while (running + 1 < threads && !pthread_create(&started[running], NULL, take_jobs, &w)) running++;
    take_jobs(&w);
    for (unsigned i = 0; i < running; i++) pthread_join(started[i], NULL);
}

// Processors in the affinity mask; 0 when the system doesn't say.
static unsigned affinity_count(void) {
    // The call fails while the set is smaller than the kernel's.
    for (size_t cpus = CPU_SETSIZE; cpus <= MOST_CPUS; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC(cpus);
        if (!set) return 0;
        size_t size = CPU_ALLOC_SIZE(cpus);
        bool known = !sched_getaffinity(0, size, set);
        int count = known ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (known) return (unsigned)count;
    }
    return 0;
}

enum { LONGEST_PATH = 4096, LONGEST_TEXT = 8192 };

// The first bytes of a small file as text; false when there is none.
static bool read_small(const char *path, char *out, size_t room) {
    FILE *f = fopen(path, "re");
    if (!f) return false;
    size_t size = fread(out, 1, room - 1, f);
    fclose(f);
    out[size] = '\0';
    return size > 0;
}

// quota / period rounded up; 0 for no limit.
static unsigned processors(long long quota, long long period) {
    if (quota <= 0 || period <= 0) return 0;
    long long count = quota / period + (quota % period != 0);
    return count > MOST_THREADS ? MOST_THREADS : (unsigned)count;
}

static unsigned quota_v2(const char *folder) {
    char path[LONGEST_PATH + 64], text[128];
    long long quota, period;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (!read_small(path, text, sizeof text) || sscanf(text, "%lld %lld", &quota, &period) != 2)
        return 0; // "max 100000"
    return processors(quota, period);
}

static unsigned quota_v1(const char *folder) {
    char path[LONGEST_PATH + 64], quota[64], period[64];
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (!read_small(path, quota, sizeof quota)) return 0; // -1 is no limit
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    if (!read_small(path, period, sizeof period)) return 0;
    return processors(strtoll(quota, NULL, 10), strtoll(period, NULL, 10));
}

static unsigned smaller(unsigned a, unsigned b) { return !a ? b : !b ? a : a < b ? a : b; }

// The least quota of the folders from `folder` up to its first `root` bytes. In a container the path may name folders
// that only the host sees: they are missing, and the root's own quota counts.
static unsigned quota_upwards(char *folder, size_t root, unsigned (*quota)(const char *folder)) {
    // A quota binds all groups below it.
    unsigned least = quota(folder);
    while (strlen(folder) > root) {
        *strrchr(folder, '/') = '\0';
        if (strlen(folder) < root) break;
        least = smaller(least, quota(folder));
    }
    return least;
}

// One line "id:controllers:path" of a process's groups; version 2 has no controllers.
static unsigned quota_of_line(const char *line, size_t size, const char *root) {
    const char *end = line + size, *controllers = memchr(line, ':', size);
    const char *path = controllers ? memchr(controllers + 1, ':', (size_t)(end - controllers - 1)) : NULL;
    if (!path) return 0;
    char names[256], folder[LONGEST_PATH];
    // Commas on both sides find whole names: `cpu`, not `cpuset`.
    snprintf(names, sizeof names, ",%.*s,", (int)(path - controllers - 1 < 200 ? path - controllers - 1 : 200),
             controllers + 1);
    bool v2 = strcmp(names, ",,") == 0;
    if (!v2 && !strstr(names, ",cpu,")) return 0;
    path++;
    int made = snprintf(folder, sizeof folder, "%s%s%.*s", root, v2 ? "" : "/cpu", (int)(end - path), path);
    if (made < 0 || (size_t)made >= sizeof folder) return 0;
    return quota_upwards(folder, strlen(root) + (v2 ? 0 : strlen("/cpu")), v2 ? quota_v2 : quota_v1);
}

unsigned threads_quota(const char *groups, const char *root) {
    char text[LONGEST_TEXT];
    if (!read_small(groups, text, sizeof text)) return 0;
    unsigned least = 0;
    for (const char *line = text; *line;) {
        size_t size = strcspn(line, "\n");
        least = smaller(least, quota_of_line(line, size, root));
        line += size + (line[size] == '\n');
    }
    return least;
}

unsigned threads_available(void) {
    // A quota of 1.5 processors gives 2 threads: the half is worth having.
    unsigned count = smaller(affinity_count(), threads_quota("/proc/self/cgroup", "/sys/fs/cgroup"));
    if (!count) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        count = online > 0 ? (unsigned)online : 1;
    }
    return count > MOST_THREADS ? MOST_THREADS : count;
}
