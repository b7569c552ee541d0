/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters with cache devices: what is dirty and what is warm are slow state. */
#include "fidelity.h"

/* Four nodes that take 10.4 MB/s from buffers to disks, two units of 64 KiB at a time on each;
 * reads never wait for them. */
static const char *const buffers[] = {
    "version=1",
    "devices.log.read=100 us",
    "devices.log.write=100 us",
    "devices.log.parallel=8",
    "devices.log.size=1 GB",
    "devices.disk.read=2 ms",
    "devices.disk.write=50 ms",
    "devices.disk.parallel=16",
    "devices.disk.size=1 TB",
    "cluster.nodes=4",
    "cluster.node.disk_groups.cache.device=log",
    "cluster.node.disk_groups.capacity.device=disk",
    "tiers.unit=64 KiB",
    "tiers.in_flight=2",
    "tiers.delay_max=100 ms",
    "data.protection=rf2",
    "data.placement_groups=65536",
    "data.logical=20 GB",
    "workload.vms=10",
    "workload.read_share=60 %",
    "workload.block=16 KiB",
    "run.until=duration",
    "run.precision=1 %",
    NULL,
};

/* Users write half as much again as is destaged. The delay grows until they no longer get through
 * what they want, and it holds the fill where it is from then on. */
static const Case buffers_filling = {
    buffers,
    {"workload.kind=paced", "workload.rate=1250 /s", "workload.outstanding=30",
     "run.duration=36 min", "run.max_simulated=240 s"},
    "steady catchup",
    0.02,
};
/* Without a delay; from the start, writes wait for what is destaged. */
static const Case buffers_full = {
    buffers,
    {"workload.kind=closed", "workload.outstanding=40", "tiers.delay_max=0 s", "tiers.start=100 %",
     "run.duration=40 min", "run.max_simulated=240 s"},
    "steady",
    0.02,
};

/* What comes in fills them from 60 to 75 %, and what goes out empties them again, in turn. */
static const Case buffers_in_turns = {
    buffers,
    {"workload.kind=paced", "workload.rate=500 /s", "workload.outstanding=30",
     "tiers.delay_max=0 s", "tiers.low=60 %", "tiers.begin=75 %", "tiers.high=100 %",
     "tiers.priority=2", "devices.log.size=4 GB", "run.duration=36 min", "run.max_simulated=240 s"},
    "steady",
    0.02,
};

/* Five nodes of two slots, as without cache devices, which write what a rebuild brings too. */
static const char *const hosts[] = {
    FIVE_HOSTS,
    LOGS_AND_DISKS,
    "cluster.detect=1 s",
    "cluster.node.disk_groups.cache.device=log",
    "tiers.low=10 %",
    "tiers.unit=256 KiB",
    "workload.restart=20 s",
    "workload.return=30 s",
    "background.rebuild.delay=3 min",
    "timeline[0].fail=node 2",
    "timeline[1].restore=node 2",
    UNTIL_STEADY,
    NULL,
};

/* All of what users read is warm, until the data of the lost host has another place: a fifth of
 * reads goes to disks then, and ever fewer. */
static const Case caches_cooling = {
    hosts,
    {"data.protection=rf2", "data.logical=25 GB", "devices.log.size=20 GB", "tiers.read_share=80 %",
     "workload.read_share=90 %", "workload.block=16 KiB", "workload.rate=1800 /s",
     "timeline[1].at=26 min", "run.max_simulated=65 s"},
    WALK,
    0.02,
};
/* What a rebuild writes goes through buffers, and fills them. */
static const Case rebuild_through_buffers = {
    hosts,
    {"data.protection=raid5", "data.logical=60 GB", "devices.log.size=4 GB",
     "devices.disk.write=40 ms", "tiers.in_flight=2", "workload.read_share=80 %",
     "workload.rate=1600 /s", "timeline[1].at=32 min", "run.max_simulated=140 s"},
    WALK,
    0.02,
};
/* Writes are acknowledged in logs, and a rebuild passes by them. */
static const Case rebuild_behind_logs = {
    hosts,
    {"data.protection=raid5", "data.logical=60 GB", "devices.log.size=4 GB", "tiers.parity=destage",
     "workload.read_share=80 %", "workload.rate=1600 /s", "timeline[1].at=30 min",
     "run.max_simulated=92 s"},
    WALK,
    0.02,
};

/* Given a name, runs only that case. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        AGREE(buffers_filling),         AGREE(buffers_full),        AGREE(caches_cooling),
        AGREE(rebuild_through_buffers), AGREE(rebuild_behind_logs), AGREE(buffers_in_turns),
    };
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
