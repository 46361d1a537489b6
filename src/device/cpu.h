// cpu.h - the CPU as a device: kernels from an image mapped into memory, launches split over a thread pool.
//
// Thread-safe as a device must be: launches of several contexts share the pool, and whoever finds it busy works alone.
#ifndef DEVICE_CPU_H
#define DEVICE_CPU_H
#include "device/device.h"
#include "device/pool.h"

// The CPU as a device, running launches on p (retained). `dry`: images are checked but not mapped, launches do nothing.
RX_MUST_USE rx_status cpu_device_new(pool *p, bool dry, device **out);

// An image of the linker in memory: its PT_LOAD segments mapped, relative relocations applied, code not writable.
typedef struct cpu_image {
    uint8_t *base;
    size_t size;
    void *library; // of dlopen, instead of a map; NULL: none
} cpu_image;
// `bytes` are copied and may go away. RX_BAD_FILE for what isn't such an image, RX_UNSUPPORTED for another processor's;
// then one sentence in `why` (DEVICE_WHY bytes).
RX_MUST_USE rx_status cpu_image_map(const uint8_t *bytes, size_t size, cpu_image *out, char *why);
// The same by way of a file in `folder` that is opened as a shared library: debuggers and profilers know those.
RX_MUST_USE rx_status cpu_image_open_library(const char *folder, const uint8_t *bytes, size_t size, cpu_image *out,
                                             char *why);
// Nothing of the image may run any more. A zeroed one is allowed.
void cpu_image_unmap(cpu_image *i);
#endif
