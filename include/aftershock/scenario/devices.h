/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices.h - the device profiles every scenario starts with. */
#pragma once

#include <aftershock/scenario/scenario.h>

typedef struct {
    AftDeviceProfile profile;
    const char *help; /* one line: what kind of device */
} AftBuiltinDevice;

/** The built-in profiles, slowest first. Returns: (transfer none). */
const AftBuiltinDevice *aft_devices_builtin(guint *ret_n);
