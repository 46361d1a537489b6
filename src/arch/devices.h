// devices.h - the kinds of devices, for the files of this folder.
#ifndef ARCH_DEVICES_H
#define ARCH_DEVICES_H
#include "arch/arch.h"

#define ARCH_DEVICE(name) extern const arch_device arch_device_##name;
#include "arch/devices.def"
#endif
