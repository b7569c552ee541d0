/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of hosts fail and return: a device behind a cache, and a controller whose machines go on.
 */
#include "fidelity.h"

static const char *const hosts[] = {
    FIVE_HOSTS,
    LOGS_AND_DISKS,
    "devices.log.size=4 GB",
    "cluster.detect=12 s", /* in which so much is owed that the rest is seen against it */
    "cluster.node.nic=1 Gbit/s",
    "data.protection=raid5",
    "workload.read_share=80 %",
    "background.rebuild.delay=4 min",
    UNTIL_STEADY,
    NULL,
};

/* A tenth of the data is lost at once, and comes back through the write buffers. */
static const Case device_behind_caches = {
    hosts,
    {"cluster.node.disk_groups.cache.device=log", "tiers.low=10 %", "tiers.unit=256 KiB",
     "data.logical=100 GB", "workload.rate=1500 /s", "background.rebuild.device_delay=4 min",
     "timeline[0].fail=device 2.0.1", "timeline[1].at=27 min", "timeline[1].restore=device 2.0.1",
     "run.max_simulated=140 s"},
    WALK,
    0.02,
};
/* The machines of the node stay, and work through the others. */
static const Case controller_crash = {
    hosts,
    {"data.logical=80 GB", "workload.rate=1400 /s", "background.rebuild.delay=6 min",
     "timeline[0].fail=controller 2", "timeline[1].at=33 min", "timeline[1].restore=controller 2",
     "run.max_simulated=140 s"},
    WALK,
    0.02,
};

/* Members of 1.5 GB, far more than what a window moves of one, one after another to each host. */
static const char *const large[] = {
    "version=1",
    "cluster.nodes=8",
    "cluster.node.nic=10 Gbit/s",
    "cluster.node.controller.slots=8",
    "cluster.node.controller.io=60 us",
    "cluster.node.controller.per_mib=2 ms",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "cluster.node.disk_groups.capacity.count=4",
    "cluster.node.disk_groups.capacity.size=960 GB",
    "data.logical=6 TB",
    "data.placement_groups=1024",
    "data.protection.scheme=ec",
    "data.protection.data=4",
    "data.protection.parity=2",
    "workload.kind=paced",
    "workload.vms=32",
    "workload.rate=2k /s",
    "workload.outstanding=512",
    "workload.read_share=80 %",
    "background.rebuild.in_flight_per_node=4",
    "background.rebuild.delay=2 min",
    "timeline[0].at=1 min",
    "timeline[0].fail=node 2",
    "run.until=duration",
    "run.duration=35 min",
    "run.max_simulated=30 s",
    NULL,
};

static double rebuild_s(const Case *it, const char *fidelity, guint seed)
{
    g_autoptr(AftResult) result = run_seed(it, fidelity, seed);
    assert_phases(result, it->phases);
    return phase_row(result, 2)->duration_s;
}

/* Which devices the few members in flight are on decides how fast they go. */
static void large_members(void **state G_GNUC_UNUSED)
{
    const Case it = {large, {NULL}, "steady failed rebuild catchup", 0.0};
    double differences[SEEDS];
    for (guint i = 0; i < SEEDS; i++) {
        double io_s = rebuild_s(&it, "io", i + 1), sampled_s = rebuild_s(&it, "sampled", i + 1);
        print_message("# %.0f s, %.0f s\n", io_s, sampled_s);
        differences[i] = (sampled_s - io_s) / io_s;
    }
    assert_true(agrees("rebuild", "duration", differences, 0.03));
}

/* Given a name, runs only that case. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        AGREE(device_behind_caches),
        AGREE(controller_crash),
        cmocka_unit_test(large_members),
    };
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
