// t_threads.c - jobs run once each on any number of threads; affinity and cgroup quotas are respected.
#define _GNU_SOURCE // sched_setaffinity, mkdtemp
#include "base/file.h"
#include "base/threads.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the five above.
#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS = 10000 };

static void count_job(void *user, size_t index) { atomic_fetch_add(&((atomic_int *)user)[index], 1); }

static void each_job_runs_once(void **state) {
    (void)state;
    static const unsigned threads[] = {0, 1, 2, 7, 64, 1u << 31};
    atomic_int *runs = calloc(JOBS, sizeof *runs);
    for (size_t t = 0; t < COUNT(threads); t++) {
        for (size_t i = 0; i < JOBS; i++) runs[i] = 0;
        threads_run(threads[t], JOBS, count_job, runs);
        for (size_t i = 0; i < JOBS; i++) assert_int_equal(runs[i], 1);
    }
    for (size_t i = 0; i < JOBS; i++) runs[i] = 0;
    threads_run(4, 0, count_job, runs);
    assert_int_equal(runs[0], 0);
    threads_run(64, 1, count_job, runs);
    assert_int_equal(runs[0], 1);
    assert_int_equal(runs[1], 0);
    free(runs);
}

// Each of the two jobs waits for the other: they finish only when they run at once.
static void meet(void *user, size_t index) {
    (void)index;
    pthread_barrier_wait(user);
}

static void jobs_run_at_once(void **state) {
    (void)state;
    pthread_barrier_t both;
    pthread_barrier_init(&both, NULL, 2);
    threads_run(2, 2, meet, &both);
    pthread_barrier_destroy(&both);
}

static void affinity_counts(void **state) {
    (void)state;
    assert_in_range(threads_available(), 1, 1024);
    pid_t child = fork();
    if (child == 0) { // down to the first processor it has
        cpu_set_t have, one;
        CPU_ZERO(&one);
        if (sched_getaffinity(0, sizeof have, &have)) _exit(2);
        for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
            if (CPU_ISSET(i, &have)) CPU_SET(i, &one);
        if (sched_setaffinity(0, sizeof one, &one)) _exit(3);
        _exit(threads_available() == 1 ? 0 : 4);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

// Writes `content` to folder/name below the current folder.
static void put(const char *folder, const char *name, const char *content) {
    char path[256];
    assert_int_equal(folder_make(folder, NULL), RX_OK);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(file_write(path, content, strlen(content), NULL), RX_OK);
}

static unsigned quota(const char *groups, const char *root) {
    put(".", "groups", groups);
    return threads_quota("groups", root);
}

static void quotas_of_version_2(void **state) {
    (void)state;
    put("v2", "cgroup.controllers", "cpu\n");
    assert_int_equal(quota("0::/\n", "v2"), 0); // no cpu.max
    put("v2/app", "cpu.max", "150000 100000\n");
    assert_int_equal(quota("0::/app\n", "v2"), 2); // one and a half, rounded up
    put("v2/app", "cpu.max", "max 100000\n");
    assert_int_equal(quota("0::/app\n", "v2"), 0);
    put("v2/app", "cpu.max", "800000 100000\n");
    put("v2/app/part", "cpu.max", "max 100000\n");
    assert_int_equal(quota("0::/app/part\n", "v2"), 8); // the parent's
    put("v2", "cpu.max", "300000 100000\n");
    assert_int_equal(quota("0::/app/part\n", "v2"), 3); // the root's, as in a container
    assert_int_equal(quota("0::/host/only/path\n", "v2"), 3);
    assert_int_equal(quota("0::/\n", "v2"), 3);
    put("v2", "cpu.max", "1000 100000\n");
    assert_int_equal(quota("0::/", "v2"), 1);
    put("v2", "cpu.max", "9000000000000000000 1\n");
    assert_int_equal(quota("0::/\n", "v2"), 1024);
}

static void quotas_of_version_1(void **state) {
    (void)state;
    put("v1/cpu/job", "cpu.cfs_quota_us", "250000\n");
    put("v1/cpu/job", "cpu.cfs_period_us", "100000\n");
    put("v1/cpu", "cpu.cfs_quota_us", "-1\n");
    put("v1/cpu", "cpu.cfs_period_us", "100000\n");
    assert_int_equal(quota("5:memory:/job\n4:cpu,cpuacct:/job\n", "v1"), 3);
    assert_int_equal(quota("4:cpuacct,cpu:/job\n", "v1"), 3);
    assert_int_equal(quota("4:cpuset:/job\n", "v1"), 0);
    assert_int_equal(quota("4:cpu:/\n", "v1"), 0);
    assert_int_equal(quota("4:cpu:/job/deeper\n", "v1"), 3);
    put("v1/cpu/job", "cpu.cfs_period_us", "0\n");
    assert_int_equal(quota("4:cpu:/job\n", "v1"), 0);
}

static void odd_groups_mean_no_quota(void **state) {
    (void)state;
    assert_int_equal(threads_quota("missing", "v2"), 0);
    assert_int_equal(quota("", "v2"), 0);
    assert_int_equal(quota("\n\n:\n::\n0:\nx", "nowhere"), 0);
    put("odd", "cpu.max", "garbage");
    assert_int_equal(quota("0::/\n", "odd"), 0);
    put("odd", "cpu.max", "-5 -5");
    assert_int_equal(quota("0::/\n", "odd"), 0);
    char *endless = malloc(20001);
    memset(endless, '/', 20000);
    memcpy(endless, "0::", 3);
    endless[20000] = '\0';
    assert_int_equal(quota(endless, "odd"), 0);
    free(endless);
}

static int enter_folder(void **state) {
    char name[] = "/tmp/t_base_threads.XXXXXX";
    (void)state;
    return mkdtemp(name) && !chdir(name) ? 0 : -1;
}

static int leave_folder(void **state) {
    (void)state;
    char here[4096], command[4200];
    if (!getcwd(here, sizeof here)) return -1;
    snprintf(command, sizeof command, "rm -r '%s'", here);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_job_runs_once),  cmocka_unit_test(jobs_run_at_once),
        cmocka_unit_test(affinity_counts),     cmocka_unit_test(quotas_of_version_2),
        cmocka_unit_test(quotas_of_version_1), cmocka_unit_test(odd_groups_mean_no_quota),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
