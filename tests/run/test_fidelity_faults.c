/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of hosts fail and return: a device behind a cache, and a controller whose machines go on.
 */
#include "fidelity.h"

/* Five nodes of two slots, about 6,700 sub-operations a second. */
static const char *const hosts[] = {
    "version=1",
    "devices.log.read=100 us",
    "devices.log.write=100 us",
    "devices.log.parallel=8",
    "devices.log.size=4 GB",
    "devices.disk.read=4 ms",
    "devices.disk.write=8 ms",
    "devices.disk.parallel=8",
    "devices.disk.size=1 TB",
    "cluster.nodes=5",
    "cluster.detect=1 s",
    "cluster.node.nic=1 Gbit/s",
    "cluster.node.controller.slots=2",
    "cluster.node.controller.io=1.5 ms",
    "cluster.node.controller.per_mib=16 ms",
    "cluster.node.controller.latency=1 ms",
    "cluster.node.disk_groups.capacity.device=disk",
    "cluster.node.disk_groups.capacity.count=2",
    "data.protection=raid5",
    "data.placement_groups=65536",
    "workload.kind=paced",
    "workload.vms=10",
    "workload.outstanding=40",
    "workload.read_share=80 %",
    "background.rebuild.delay=1 min",
    "background.rebuild.unit=64 KiB",
    "background.rebalance.unit=64 KiB",
    "timeline[0].at=2 min",
    "run.until=steady",
    "run.settle=2 min",
    "run.duration=3 h",
    "run.precision=1 %",
    NULL,
};

#define WALK "steady failed rebuild catchup rebalance steady"

/* A tenth of the data is lost at once, and comes back through the write buffers. */
static const Case device_behind_caches = {
    hosts,
    {"cluster.node.disk_groups.cache.device=log", "tiers.low=10 %", "tiers.unit=256 KiB",
     "data.logical=100 GB", "workload.rate=1500 /s", "background.rebuild.device_delay=1 min",
     "timeline[0].fail=device 2.0.1", "timeline[1].at=24 min", "timeline[1].restore=device 2.0.1",
     "run.max_simulated=140 s"},
    WALK,
    0.02,
};
/* The machines of the node stay, and work through the others. */
static const Case controller_crash = {
    hosts,
    {"data.logical=80 GB", "workload.rate=1600 /s", "timeline[0].fail=controller 2",
     "timeline[1].at=28 min", "timeline[1].restore=controller 2", "run.max_simulated=140 s"},
    WALK,
    0.02,
};

/* Given a name, runs only that case. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        AGREE(device_behind_caches),
        AGREE(controller_crash),
    };
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
