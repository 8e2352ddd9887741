// SPDX-License-Identifier: Apache-2.0
// hwloc asks udev for the vendor and serial number of disks. Debian ships libudev as a shared library only,
// and the program must run where nothing is installed, so libhwloc.a is given these five functions instead.
// They say "there is no udev", which hwloc handles by reading /sys itself; topology.cpp does not look at
// disks at all.
//
// Hidden, so that a plugin which loads the real libudev keeps getting the real one.
#include "aisp/device/cpu/hwloc_udev.h"

#define AISP_HIDDEN __attribute__((visibility("hidden")))

extern "C" {
struct udev;
struct udev_device;

AISP_HIDDEN udev* udev_new();
AISP_HIDDEN udev* udev_unref(udev* context);
AISP_HIDDEN udev_device* udev_device_new_from_subsystem_sysname(udev* context, const char* subsystem,
                                                                const char* name);
AISP_HIDDEN const char* udev_device_get_property_value(udev_device* device, const char* key);
AISP_HIDDEN udev_device* udev_device_unref(udev_device* device);

udev* udev_new() { return nullptr; }
udev* udev_unref(udev*) { return nullptr; }
udev_device* udev_device_new_from_subsystem_sysname(udev*, const char*, const char*) { return nullptr; }
const char* udev_device_get_property_value(udev_device*, const char*) { return nullptr; }
udev_device* udev_device_unref(udev_device*) { return nullptr; }
}

namespace aisp::device {
bool udev_is_absent() { return udev_new() == nullptr; }
}  // namespace aisp::device
