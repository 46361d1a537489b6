// device.c - devices by name, and their reference counts.
#include "device/device.h"
#include "device/cpu.h"
#include <stdio.h>
#include <string.h>

device *device_retain(device *d) {
    atomic_fetch_add_explicit(&d->refs, 1, memory_order_relaxed);
    return d;
}

void device_release(device *d) {
    if (d && atomic_fetch_sub_explicit(&d->refs, 1, memory_order_acq_rel) == 1) d->f->close(d);
}

// Each device has a pool of its own; contexts that shall share threads share the device.
static rx_status open_cpu(unsigned threads, bool dry, device **out) {
    pool *p = NULL;
    RX_TRY(pool_new(threads, &p));
    rx_status status = cpu_device_new(p, dry, out);
    pool_release(p); // the device has its own reference
    return status;
}

static rx_status open_running(unsigned threads, device **out) { return open_cpu(threads, false, out); }
static rx_status open_dry(unsigned threads, device **out) { return open_cpu(threads, true, out); }

// One row per device of this build.
static const struct {
    const char *name;
    rx_status (*open)(unsigned threads, device **out);
} known[] = {
    {"cpu", open_running},
    {"dry-run", open_dry},
};

const char *device_name(uint32_t index) { return index < COUNT(known) ? known[index].name : NULL; }

rx_status device_open(const char *name, unsigned threads, device **out, char *why) {
    *out = NULL;
    for (size_t i = 0; i < COUNT(known); i++) {
        if (strcmp(known[i].name, name) != 0) continue;
        rx_status status = known[i].open(threads, out);
        if (status != RX_OK) snprintf(why, DEVICE_WHY, "no memory to open device %s", name);
        return status;
    }
    snprintf(why, DEVICE_WHY, "no device is called %.100s; this build has: cpu, dry-run", name);
    return RX_NOT_FOUND;
}
