// arch.c - target names: the device before the colon, what it makes of the rest.
#include "arch/devices.h"
#include <stdio.h>
#include <string.h>

static const arch_device *const devices[] = {
#define ARCH_DEVICE(name) &arch_device_##name,
#include "arch/devices.def"
};

const arch *arch_parse(arena *mem, const char *spelling, char why[256]) {
    size_t size = strcspn(spelling, ":");
    for (size_t i = 0; i < COUNT(devices); i++)
        if (strlen(devices[i]->name) == size && memcmp(devices[i]->name, spelling, size) == 0)
            return devices[i]->parse(mem, spelling + size + (spelling[size] == ':'), why);
    int put = snprintf(why, 256, "unknown target '%.40s': known devices are", spelling);
    for (size_t i = 0; i < COUNT(devices) && put > 0 && put < 256; i++)
        put += snprintf(why + put, 256 - (size_t)put, "%s %s", i ? "," : "", devices[i]->name);
    return NULL;
}
