/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds `flow` to `sampled`, whose windows it remembers: means, IOPS and durations to 3 %, what is
 * owed and how full buffers are at the end of phases to 2 % of the most. */
#include "fidelity.h"

#define FLOW_TOLERANCE 0.03

/* A host of five is away for 25 minutes. */
static const char *const hosts[] = {
    "version=1",
    "cluster.nodes=5",
    "cluster.node.controller.slots=2",
    "cluster.node.controller.io=1.2 ms",
    "cluster.node.controller.per_mib=16 ms",
    "cluster.node.controller.latency=1.1 ms",
    "cluster.node.nic=10 Gbit/s",
    "cluster.node.disk_groups.capacity.count=2",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "data.logical=50 GB",
    "data.placement_groups=2048",
    "data.protection.scheme=raid5",
    "data.protection.degraded=850 us",
    "workload.kind=paced",
    "workload.vms=10",
    "workload.outstanding=60",
    "workload.read_share=80 %",
    "workload.restart=30 s",
    "workload.return=1 min",
    "background.rebuild.delay=5 min",
    "background.rebuild.unit=256 KiB", /* many pieces make durations sure */
    "background.rebalance.unit=256 KiB",
    "timeline[0].at=5 min",
    "timeline[0].fail=node 2",
    "timeline[1].at=30 min",
    "timeline[1].restore=node 2",
    "run.until=steady",
    "run.settle=5 min",
    "run.duration=2 h",
    "run.precision=1 %",
    NULL,
};
static const Case unsaturated = {hosts, {"workload.rate=2400 /s"}, WALK, FLOW_TOLERANCE};

/* More is asked for than can be done from the failure on until all has moved home: at the limit of
 * what may be owed, and then above the rate. */
static const Case saturated = {
    hosts,
    {"workload.rate=4000 /s", "workload.owed_limit=2 min", "background.rebuild.unit=1 MiB",
     "background.rebalance.unit=1 MiB", "run.precision=2 %"},
    WALK,
    FLOW_TOLERANCE,
};

/* It is back before its data is made again elsewhere, and gets what it missed. */
static const Case back_in_time = {
    hosts,
    {"workload.rate=1200 /s", "workload.read_share=50 %", "background.rebuild.delay=1 h",
     "workload.block=16 KiB"},
    "steady failed rebuild steady",
    FLOW_TOLERANCE,
};

/* A tenth of the data is lost at once, and comes back through the write buffers. */
static const char *const caches[] = {
    FIVE_HOSTS,
    LOGS_AND_DISKS,
    "devices.log.size=4 GB",
    "cluster.detect=2 s", /* few I/Os that wait so long tell by chance, if it is more */
    "cluster.node.nic=1 Gbit/s",
    "cluster.node.disk_groups.cache.device=log",
    "tiers.low=10 %",
    "tiers.unit=256 KiB",
    "data.placement_groups=8192",
    "data.protection=raid5",
    "data.logical=100 GB",
    "workload.read_share=80 %",
    "workload.rate=1500 /s",
    "background.rebuild.device_delay=4 min",
    UNTIL_STEADY,
    "timeline[0].fail=device 2.0.1",
    "timeline[1].at=27 min",
    "timeline[1].restore=device 2.0.1",
    NULL,
};
static const Case device_behind_caches = {caches, {NULL}, WALK, FLOW_TOLERANCE};

static Figure within_tolerance(guint i)
{
    Figure figure = figures[i];
    figure.tolerance = FLOW_TOLERANCE;
    return figure;
}

static gboolean flow_agrees(const Pair *pairs, guint phase)
{
    gboolean fine = owed_agrees(pairs, phase);
    fine = fill_agrees(pairs, phase) && fine;
    for (guint i = 0; i < N_MEANS; i++) {
        Figure figure = within_tolerance(i);
        if (!figure.moves || moves_data(phase_row(pairs[0].io, phase))) {
            fine = figure_agrees(pairs, phase, &figure, FLOW_TOLERANCE) && fine;
        }
    }
    return fine;
}

/* Of a pair, `flow` is in the place of `sampled`, and that in the place of `io`. */
static void flow_agrees_with_sampled(void **state)
{
    const Case *it = *state;
    Pair pairs[SEEDS];
    gboolean fine = TRUE;
    for (guint i = 0; i < SEEDS; i++) {
        pairs[i] = (Pair){run_seed(it, "sampled", i + 1), run_seed(it, "flow", i + 1)};
        assert_phases(pairs[i].io, it->phases);
        assert_phases(pairs[i].sampled, it->phases);
        assert_int_equal(pairs[i].sampled->simulated_ios, 0);
    }
    for (guint phase = 0; phase < pairs[0].io->phases->len; phase++) {
        fine = flow_agrees(pairs, phase) && fine;
    }
    free_pairs(pairs);
    assert_true(fine);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(flow_agrees_with_sampled, unsaturated),
        CASE(flow_agrees_with_sampled, saturated),
        CASE(flow_agrees_with_sampled, back_in_time),
        CASE(flow_agrees_with_sampled, device_behind_caches),
    };
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
