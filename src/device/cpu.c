// cpu.c - the CPU as a device: memory of the host, kernels called directly, grids split over the thread pool.
#define _GNU_SOURCE
#include "device/cpu.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/size.h"
#include "exec/elf.h"
#include "exec/kernel.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// From this size on memory comes from mmap, so that what is given back really goes back to the system.
enum { MAP_FROM = 1 << 20 };

// A launch that touches less stays on the calling thread: handing it to others costs about 0.7 us (bench/bench_pool.c),
// in which one thread goes through some 16 KiB.
enum { SPLIT_FROM = 16 << 10 };

typedef struct cpu_device {
    device head;
    pool *threads;
    bool dry; // checks images and runs nothing
} cpu_device;

struct device_code {
    cpu_image image;
    rx_kernel *kernel[];
};

// ---- memory ----

// What is mapped begins behind a line that nobody uses: vectors whose first lanes are masked may begin before the first
// element, and lanes without a page behind them, though masked, take the processor a microsecond's third.
static size_t mapped_size(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return bytes > SIZE_MAX - page - DEVICE_ALIGN ? 0 : (bytes + DEVICE_ALIGN + page - 1) / page * page;
}

static void *cpu_allocate(device *d, size_t bytes) {
    (void)d;
    void *at = NULL;
    if (bytes < MAP_FROM) return posix_memalign(&at, DEVICE_ALIGN, bytes ? bytes : 1) ? NULL : at;
    size_t size = mapped_size(bytes);
    at = size ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    return at == MAP_FAILED ? NULL : (char *)at + DEVICE_ALIGN;
}

static void cpu_free(device *d, void *at, size_t bytes) {
    (void)d;
    if (bytes < MAP_FROM)
        free(at);
    else if (at)
        munmap((char *)at - DEVICE_ALIGN, mapped_size(bytes));
}

static rx_status cpu_copy(device *d, void *to, const void *from, size_t bytes) {
    (void)d;
    if (bytes) memmove(to, from, bytes);
    return RX_OK;
}

static rx_status cpu_fill(device *d, void *at, uint8_t byte, size_t bytes) {
    (void)d;
    if (bytes) memset(at, byte, bytes);
    return RX_OK;
}

// ---- kernels ----

static void cpu_unload(device_code *c) {
    if (!c) return;
    cpu_image_unmap(&c->image);
    free(c);
}

// Strict C has no cast from an object's address to a function's.
static rx_kernel *kernel_at(const uint8_t *address) {
    rx_kernel *kernel;
    memcpy(&kernel, &address, sizeof kernel);
    return kernel;
}

// Every kernel must start in an executable segment: a wrong entry is refused here, not met as a crash.
static rx_status check_entries(const void *image, size_t size, const uint64_t *entry, uint32_t count, char *why) {
    elf_image e;
    if (!elf_open(image, size, &e, why)) return RX_BAD_FILE;
    for (uint32_t i = 0; i < count; i++) {
        if (!entry[i] || elf_covers(&e, entry[i], 1, true)) continue; // 0 is the image's header: no code
        snprintf(why, DEVICE_WHY, "kernel image: the entry of kernel %u is not code", i);
        return RX_BAD_FILE;
    }
    return RX_OK;
}

static rx_status cpu_load(device *d, const void *image, size_t size, const uint64_t *entry, uint32_t count,
                          device_code **out, char *why) {
    *out = NULL;
    RX_TRY(check_entries(image, size, entry, count, why));
    device_code *c = calloc(1, sizeof *c + count * sizeof *c->kernel);
    if (!c) {
        snprintf(why, DEVICE_WHY, "no memory to load the kernels");
        return RX_OUT_OF_MEMORY;
    }
    *out = c;
    if (((cpu_device *)d)->dry) return RX_OK;
    rx_status status = cpu_image_map(image, size, &c->image, why);
    if (status != RX_OK) {
        *out = NULL;
        cpu_unload(c);
        return status;
    }
    for (uint32_t i = 0; i < count; i++)
        if (entry[i]) c->kernel[i] = kernel_at(c->image.base + entry[i]);
    return RX_OK;
}

typedef struct cpu_job {
    rx_kernel *kernel;
    rx_kernel_args args;
    uint8_t *workers;
    size_t scratch;
    bool phased;
    uint64_t *mark; // device_launch
} cpu_job;

// What a kernel with phases gets from the worker whose phases are timed.
typedef struct marked_args {
    rx_kernel_args args;
    uint64_t *mark;
} marked_args;

static void mark_phase(const rx_kernel_args *args) {
    *((const marked_args *)(const void *)args)->mark = clock_nanoseconds();
}

// One worker's share of a launch, with its own part of the scratch. The caller is worker 0.
static int32_t run_part(void *user, unsigned worker, int64_t begin, int64_t end) {
    const cpu_job *j = user;
    uint8_t *scratch = j->workers ? j->workers + j->scratch * worker : NULL;
    if (worker || !j->mark) return j->kernel(&j->args, begin, end, scratch);
    marked_args marked = {.args = j->args, .mark = j->mark};
    marked.args.mark = mark_phase;
    return j->kernel(&marked.args, begin, end, scratch);
}

// Images need not have every kernel of their file (device.h).
static bool is_there(const cpu_device *d, const device_code *c, uint32_t kernel) { return c->kernel[kernel] || d->dry; }

// Runs all iterations, split or not; the result is the number of a failed assertion, or 0.
static int32_t run_job(const cpu_device *d, cpu_job *j, int64_t grid, size_t bytes) {
    if (d->dry) return 0;
    if (grid == 1 || bytes < SPLIT_FROM) return run_part(j, 0, 0, grid);
    return pool_run(d->threads, grid, j->phased ? POOL_ONE_PART : POOL_MIRRORED, run_part, j);
}

// Blocks until the kernel is done: the host is the device.
static rx_status cpu_launch(device *d, device_code *c, const device_launch *l, int32_t *failed) {
    *failed = 0;
    if (l->grid <= 0) return RX_OK;
    if (!is_there((const cpu_device *)d, c, l->kernel)) return RX_BAD_FILE;
    cpu_job j = {.kernel = c->kernel[l->kernel],
                 .args = {.buffer = l->buffer, .scalar = l->scalar},
                 .workers = l->workers,
                 .scratch = l->scratch,
                 .phased = l->phased,
                 .mark = l->mark};
    *failed = run_job((const cpu_device *)d, &j, l->grid, l->bytes);
    return *failed ? RX_INVALID_ARGUMENT : RX_OK;
}

static rx_status cpu_synchronise(device *d) {
    (void)d; // launches return when they are done
    return RX_OK;
}

// ---- recorded launches ----

typedef struct list_entry {
    cpu_job job; // buffers and scalars are copies behind the entry
    uint32_t kernel;
    int64_t grid;
    size_t bytes;
    struct list_entry *next;
} list_entry;

struct device_list {
    list_entry *first, **end;
    uint8_t *workers; // one scratch for all, as they run one after the other
    size_t room;
    unsigned threads;
};

// The number of threads is fixed here, so that the scratch fits every replay.
static rx_status cpu_list_new(device *d, device_list **out) {
    device_list *l = calloc(1, sizeof *l);
    *out = l;
    if (!l) return RX_OUT_OF_MEMORY;
    l->end = &l->first;
    l->threads = pool_threads(((cpu_device *)d)->threads);
    return RX_OK;
}

// Entries hold their buffers and scalars in the same block.
static void cpu_list_free(device_list *l) {
    if (!l) return;
    for (list_entry *e = l->first, *next; e; e = next) {
        next = e->next;
        free(e);
    }
    free(l->workers);
    free(l);
}

// Makes the scratch of the list hold `size` bytes for each worker.
static bool list_reserve(device_list *l, size_t size) {
    size_t bytes;
    void *at = NULL;
    if (!size_mul(size, l->threads, &bytes)) return false;
    if (bytes <= l->room) return true;
    if (posix_memalign(&at, DEVICE_ALIGN, bytes)) return false;
    free(l->workers);
    l->workers = at;
    l->room = bytes;
    return true;
}

// Nothing of the caller is kept: buffers and scalars are copied behind the entry.
static rx_status cpu_record(device_list *l, device_code *c, const device_launch *launch) {
    if (launch->grid <= 0) return RX_OK;
    size_t buffers = launch->buffers * sizeof(void *), scalars = launch->scalars * sizeof(int64_t);
    list_entry *e = malloc(sizeof *e + buffers + scalars);
    if (!e || !list_reserve(l, launch->scratch)) {
        free(e);
        return RX_OUT_OF_MEMORY;
    }
    void **buffer = (void **)(e + 1);
    int64_t *scalar = (int64_t *)(buffer + launch->buffers);
    if (buffers) memcpy(buffer, launch->buffer, buffers);
    if (scalars) memcpy(scalar, launch->scalar, scalars);
    *e = (list_entry){.job = {.kernel = c->kernel[launch->kernel],
                              .args = {.buffer = buffer, .scalar = scalar},
                              .scratch = launch->scratch,
                              .phased = launch->phased},
                      .kernel = launch->kernel,
                      .grid = launch->grid,
                      .bytes = launch->bytes};
    *l->end = e;
    l->end = &e->next;
    return RX_OK;
}

// Stops at the first failure: what comes after may read what was not computed.
static rx_status cpu_replay(device *d, device_list *l, uint32_t *kernel, int32_t *failed) {
    *failed = 0;
    for (list_entry *e = l->first; e; e = e->next) {
        if (!e->job.kernel && !((const cpu_device *)d)->dry) return RX_BAD_FILE;
        e->job.workers = e->job.scratch ? l->workers : NULL;
        *failed = run_job((const cpu_device *)d, &e->job, e->grid, e->bytes);
        *kernel = e->kernel;
        if (*failed) return RX_INVALID_ARGUMENT;
    }
    return RX_OK;
}

// ---- the device itself ----

static device_properties cpu_properties(const device *d) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return (device_properties){.name = "cpu",
                               .features = ((const cpu_device *)d)->dry ? UINT64_MAX : cpu_host_features(),
                               .threads = pool_threads(((const cpu_device *)d)->threads),
                               .memory = pages > 0 ? (uint64_t)pages * (uint64_t)page : 0,
                               .host_memory = true};
}

static void cpu_close(device *d) {
    pool_release(((cpu_device *)d)->threads);
    free(d);
}

// Shared by all devices of this kind and never written.
static const device_functions functions = {
    .name = "cpu",
    .close = cpu_close,
    .properties = cpu_properties,
    .allocate = cpu_allocate,
    .free = cpu_free,
    .copy = cpu_copy,
    .fill = cpu_fill,
    .load = cpu_load,
    .unload = cpu_unload,
    .launch = cpu_launch,
    .synchronise = cpu_synchronise,
    .list_new = cpu_list_new,
    .list_free = cpu_list_free,
    .record = cpu_record,
    .replay = cpu_replay,
};

// `dry` devices load and check everything but run no kernel: for plans and tests of other machines' code.
rx_status cpu_device_new(pool *p, bool dry, device **out) {
    cpu_device *d = calloc(1, sizeof *d);
    *out = d ? &d->head : NULL;
    if (!d) return RX_OUT_OF_MEMORY;
    d->head = (device){.f = &functions, .refs = 1};
    d->threads = pool_retain(p);
    d->dry = dry;
    return RX_OK;
}
