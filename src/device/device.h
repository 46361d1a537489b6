// device.h - what a device can do, as one table of functions. The VM knows devices through this alone.
//
// A device is shared by reference; all functions are thread-safe unless they take a `device_code` or `device_list`
// that another thread is changing. Failing functions write one sentence into `why` (DEVICE_WHY bytes) where they have
// it.
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H
#include "base/attributes.h"
#include "relax/status.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DEVICE_WHY = 256, DEVICE_ALIGN = 64 };

typedef struct device device;
typedef struct device_code device_code; // loaded kernels of one image
typedef struct device_list device_list; // a recorded list of launches

// One launch. Buffers are addresses on the device; scalars are 64-bit slots. Buffers and scalars are copied by
// `record`, and only read during `launch`.
typedef struct device_launch {
    uint32_t kernel; // index into the entries given to load
    uint32_t buffers, scalars;
    void *const *buffer;
    const int64_t *scalar;
    int64_t grid;   // iterations; nothing happens for 0
    size_t bytes;   // of its buffers: a hint whether splitting it is worth while
    size_t scratch; // bytes per worker, a multiple of DEVICE_ALIGN
    void *workers;  // scratch * threads bytes that nobody else uses during the launch; `record` makes its own
    bool phased;    // the kernel has a first phase, which it does anew each time it is called: once a worker is best
    uint64_t *mark; // when the caller's first phase ended, if the kernel has one (clock_nanoseconds); NULL: not asked
} device_launch;

typedef struct device_properties {
    const char *name;  // "cpu"
    uint64_t features; // base/cpu.h
    unsigned threads;  // that run one launch
    uint64_t memory;   // bytes of the whole device; 0: unknown
    bool host_memory;  // its addresses can be read and written by the host
} device_properties;

typedef struct device_functions {
    const char *name;
    void (*close)(device *d); // when the last reference goes
    device_properties (*properties)(const device *d);

    // Memory, DEVICE_ALIGN-aligned, contents undefined. NULL when there is none.
    void *(*allocate)(device *d, size_t bytes);
    void (*free)(device *d, void *at, size_t bytes);
    rx_status (*copy)(device *d, void *to, const void *from, size_t bytes); // any mix of host and device addresses
    rx_status (*fill)(device *d, void *at, uint8_t byte, size_t bytes);

    // Makes the kernels of an image callable. The image need not stay. Refuses what it doesn't understand.
    // An entry of 0: the image lacks that kernel, and launching it is refused (RX_BAD_FILE).
    rx_status (*load)(device *d, const void *image, size_t size, const uint64_t *entry, uint32_t count,
                      device_code **out, char *why);
    void (*unload)(device_code *c); // NULL is allowed
    // Runs a kernel (or queues it, in order). *failed: 0, or the number of the failed assertion of the program, then
    // RX_INVALID_ARGUMENT is returned. RX_OUT_OF_MEMORY: no scratch.
    rx_status (*launch)(device *d, device_code *c, const device_launch *l, int32_t *failed);
    rx_status (*synchronise)(device *d); // all queued launches are done

    // Capture: an empty list, launches added to it (not run), and all of them run in order.
    rx_status (*list_new)(device *d, device_list **out);
    void (*list_free)(device_list *l); // NULL is allowed
    rx_status (*record)(device_list *l, device_code *c, const device_launch *launch);
    rx_status (*replay)(device *d, device_list *l, uint32_t *kernel, int32_t *failed); // *kernel: the one that failed
} device_functions;

struct device { // the head of every device's own struct
    const device_functions *f;
    atomic_uint refs; // touched by the functions below only
};
device *device_retain(device *d);
void device_release(device *d); // NULL is allowed

const char *device_name(uint32_t index); // of the devices that can be opened; NULL past the last

// Opens "cpu", or "dry-run": the CPU's memory, but kernels are not run (for files that aren't trusted, and to measure
// what surrounds the kernels). `threads` as in pool_new. RX_NOT_FOUND for names this build doesn't know.
RX_MUST_USE rx_status device_open(const char *name, unsigned threads, device **out, char *why);
#endif
