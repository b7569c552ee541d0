/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters lose a host and get it back. */
#include "fidelity.h"

#define HOSTS                                                                              \
    FIVE_HOSTS, "cluster.detect=1 s", "cluster.node.disk_groups.capacity.device=sata-ssd", \
        "workload.read_share=80 %", "workload.restart=20 s", "workload.return=30 s",       \
        "background.rebuild.delay=1 min"

static const char *const base[] = {
    HOSTS, UNTIL_STEADY, "timeline[0].fail=node 2", "timeline[1].restore=node 2", NULL,
};

/* Nothing happens to them. */
static const char *const quiet[] = {
    HOSTS,
    "run.until=duration",
    "run.precision=1 %",
    NULL,
};

/* Users never wait for a slot. */
static const Case raid5_unsaturated = {
    base,
    {"data.protection=raid5", "data.logical=100 GB", "workload.rate=1800 /s",
     "timeline[1].at=28 min", "run.max_simulated=135 s"},
    WALK,
    0.02,
};
/* The rebuild leaves users just enough: nothing stays owed, and latencies are twice as long. */
static const Case raid5_near_critical = {
    base,
    {"data.protection=raid5", "data.logical=80 GB", "workload.rate=2000 /s",
     "timeline[1].at=29 min", "run.max_simulated=106 s"},
    WALK,
    0.05,
};
/* All slots taken from the failure on until what is owed has been worked off in catchup. */
static const Case raid5_saturated = {
    base,
    {"data.protection=raid5", "data.protection.degraded=3 ms", "data.logical=55 GB",
     "workload.rate=2500 /s", "timeline[1].at=55 min", "run.max_simulated=156 s"},
    WALK,
    0.02,
};
static const Case rf2_unsaturated = {
    base,
    {"data.protection=rf2", "data.logical=100 GB", "workload.rate=2400 /s", "timeline[1].at=24 min",
     "run.max_simulated=140 s"},
    WALK,
    0.02,
};
static const Case rf2_near_critical = {
    base,
    {"data.protection=rf2", "data.logical=70 GB", "workload.rate=2900 /s", "timeline[1].at=22 min",
     "run.max_simulated=105 s"},
    WALK,
    0.05,
};
/* The rebuild takes half of the controllers. */
static const Case rf2_saturated = {
    base,
    {"data.protection=rf2", "data.logical=70 GB", "workload.rate=3000 /s",
     "background.scheduler.weights.p1=80", "timeline[1].at=21.5 min", "run.max_simulated=100 s"},
    WALK,
    0.02,
};

/* Blocks that cost 1.6 and 2.5 ms, and groups of which the hottest has one I/O in thirty. */
static const Case mix_with_skew = {
    base,
    {"data.protection=raid5", "data.logical=100 GB", "workload.rate=1500 /s",
     "workload.blocks[0].block=4 KiB", "workload.blocks[0].share=80 %",
     "workload.blocks[1].block=64 KiB", "workload.blocks[1].share=20 %", "workload.skew=zipf",
     "workload.theta=0.8", "timeline[1].at=28 min", "run.max_simulated=90 s"},
    WALK,
    0.02,
};
/* In bursts 2.5 times the rate comes, nine tenths of what controllers bear. Counts have a variance
 * 40 times their mean, so it takes three quarters of an hour for them to be sure. */
static const Case fast_bursts = {
    quiet,
    {"data.protection=raid5", "data.logical=10 GB", "workload.rate=1500 /s",
     "workload.burst.factor=4", "workload.burst.share=20 %", "workload.burst.mean=30 ms",
     "workload.outstanding=20000", "run.duration=45 min", "run.max_simulated=250 s"},
    "steady",
    0.02,
};
/* Of four I/Os that each machine has outstanding, its updates wait for each other. */
static const Case updates_in_turn = {
    quiet,
    {"data.protection=raid5", "data.protection.updates=1", "data.protection.update=3 ms",
     "data.logical=10 GB", "workload.kind=closed", "workload.read_share=70 %",
     "run.duration=10 min", "run.max_simulated=60 s"},
    "steady",
    0.02,
};

/* Given a name, runs only that case. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        AGREE(raid5_unsaturated), AGREE(raid5_near_critical), AGREE(raid5_saturated),
        AGREE(rf2_unsaturated),   AGREE(rf2_near_critical),   AGREE(rf2_saturated),
        AGREE(updates_in_turn),   AGREE(mix_with_skew),       AGREE(fast_bursts),
    };
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
