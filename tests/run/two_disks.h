/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_disks.h - two nodes of one disk that takes exactly 10 ms, 200 reads a second in all: settings
 * for the beginning of a list of them.
 */
#pragma once

#define TWO_DISKS                                                                                 \
    "version=1", "devices.disk.read=10 ms", "devices.disk.write=10 ms",                           \
        "devices.disk.spread=deterministic", "devices.disk.parallel=1", "devices.disk.size=1 TB", \
        "cluster.nodes=2", "cluster.node.disk_groups.capacity.device=disk",                       \
        "cluster.node.disk_groups.capacity.count=1", "data.logical=100 GB", "data.protection=none"
