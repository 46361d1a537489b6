// cpu.h - the CPU as a device: kernels from an image mapped into memory, launches split over a thread pool.
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
} cpu_image;
RX_MUST_USE rx_status cpu_image_map(const uint8_t *bytes, size_t size, cpu_image *out, char *why);
void cpu_image_unmap(cpu_image *i);
#endif
