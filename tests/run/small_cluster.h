/* SPDX-License-Identifier: GPL-3.0-or-later */
/* small_cluster.h - five slow hosts with few users: a failure and all that follows from it in a
 * quarter of a million I/Os. */
#pragma once

/* Two slots of 15 ms make 667 sub-operations a second. Users need 60 % of them, and more than there
 * are while a host is gone and its data not rebuilt. The host returns never. */
static const char *const small_cluster[] = {
    "version=1",
    "cluster.nodes=5",
    "cluster.node.controller.slots=2",
    "cluster.node.controller.io=15 ms",
    "cluster.node.controller.per_mib=100 ms",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "cluster.node.disk_groups.capacity.count=2",
    "data.logical=1.5 GB",
    "data.placement_groups=512",
    "data.protection=raid5",
    "data.protection.degraded=30 ms",
    "workload.kind=paced",
    "workload.vms=10",
    "workload.rate=250 /s",
    "workload.outstanding=40",
    "workload.read_share=80 %",
    "workload.block=4 KiB",
    "workload.restart=10 s",
    "workload.return=20 s",
    "background.rebuild.delay=2 min",
    "background.rebuild.unit=256 KiB",
    "background.rebalance.unit=256 KiB",
    "timeline[0].at=1 min",
    "timeline[0].fail=node 2",
    "requirement.iops=250",
    "requirement.read=150 ms",
    "requirement.write=300 ms",
    "run.until=steady",
    "run.settle=1 min",
    "run.duration=20 min",
    "run.fidelity=io",
    NULL,
};

/** In changes: the host returns, late enough for all owed work to be done. */
#define RETURNS "timeline[1].at=15 min", "timeline[1].restore=node 2", "run.duration=2 h"
