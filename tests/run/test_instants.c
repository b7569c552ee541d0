/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events that fall on one instant, and machines that stand still while time is skipped. */
#include "experiment.h"

/* Six nodes, two copies, one machine on a node that dies with 5,000 I/Os of its own. */
static const char *const crash[] = {
    "version=1",
    "cluster.nodes=6",
    "cluster.node.controller.slots=1",
    "cluster.node.controller.io=10 ms",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "data.logical=1 GB",
    "data.placement_groups=64",
    "data.protection=rf2",
    "workload.kind=open",
    "workload.vms=1",
    "workload.on=1",
    "workload.rate=2000 /s",
    "workload.pacing=even",
    "workload.outstanding=5000",
    "workload.restart=5 s",
    "timeline[0].at=5 s",
    "timeline[0].fail=node 1",
    "run.duration=6 s",
    "run.until=duration",
    "run.fidelity=io",
    NULL,
};

/* Six seconds of 2,000 arrivals, give or take the one on the edge. */
static void assert_twelve_thousand(const AftResult *result)
{
    double served = 0.0, shed = 0.0;
    for (guint i = 0; i < result->phases->len; i++) {
        const AftPhaseRow *row = phase_row(result, i);
        served += isnan(row->iops) ? 0.0 : row->iops * row->duration_s;
        shed += row->shed_ios;
    }
    assert_true(shed > 5000.0);
    assert_within(served + shed, 12000.0, 1.5);
}

static void what_is_shed_in_an_instant_is_counted_once(void **state)
{
    (void)state;
    static const char *const both[] = {"timeline[1].at=5 s", "timeline[1].fail=node 0", NULL};
    g_autoptr(AftResult) one = run_with(crash, NULL);
    g_autoptr(AftResult) two = run_with(crash, both);
    assert_twelve_thousand(one);
    assert_twelve_thousand(two);
}

/* Four of five nodes die one after the other, each time when a rebuild is under way: it is called
 * off and begins anew at one instant. */
static const char *const again_and_again[] = {
    "version=1",
    "cluster.nodes=5",
    "cluster.detect=1 s",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "data.logical=20 GB",
    "data.placement_groups=1",
    "data.protection=rf3",
    "workload.kind=paced",
    "workload.vms=5",
    "workload.rate=10 /s",
    "workload.outstanding=5",
    "background.rebuild.delay=0 s",
    "background.rebuild.bandwidth=10 MB/s",
    "timeline[0].at=1 s",
    "timeline[0].fail=node 0",
    "timeline[1].at=10 s",
    "timeline[1].fail=node 1",
    "timeline[2].at=15 s",
    "timeline[2].fail=node 2",
    "timeline[3].at=20 s",
    "timeline[3].fail=node 3",
    "run.duration=30 s",
    "run.until=duration",
    NULL,
};

static void a_phase_is_told_once_though_an_instant_parts_it(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = run_with(again_and_again, NULL);
    double end_s = 0.0;
    for (guint i = 0; i < result->phases->len; i++) {
        const AftPhaseRow *row = phase_row(result, i);
        assert_true(i == 0 || phase_row(result, i - 1)->phase != row->phase);
        assert_within(row->start_s, end_s, 1e-9);
        end_s = row->start_s + row->duration_s;
    }
    assert_within(end_s, 30.0, 1e-9);
}

/* Two of six nodes die half a minute apart; their machines stand still for a minute. */
static const char *const standing[] = {
    "version=1",
    "cluster.nodes=6",
    "cluster.detect=0 s",
    "cluster.node.controller.slots=2",
    "cluster.node.controller.io=500 us",
    "cluster.node.controller.latency=500 us",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "cluster.node.disk_groups.capacity.count=4",
    "data.logical=1 GB",
    "data.placement_groups=1024",
    "data.protection=rf3",
    "workload.kind=paced",
    "workload.vms=24",
    "workload.rate=1500 /s",
    "workload.outstanding=24",
    "workload.read_share=0 %",
    "workload.restart=60 s",
    "background.rebuild.delay=10 s",
    "background.rebuild.bandwidth=5 MB/s",
    "timeline[0].at=20 s",
    "timeline[0].fail=node 3",
    "timeline[1].at=50 s",
    "timeline[1].fail=node 4",
    "run.duration=140 s",
    "run.until=duration",
    "run.trace_interval=10 s",
    NULL,
};

/* At 110 s the four machines of the second node have owed 62.5 a second each for a minute: 15,000,
 * with a standard deviation of 122. Nobody can have served them. */
static void machines_that_stand_still_serve_nothing_in_a_skip(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = run_with(standing, NULL);
    const AftTraceRow *row = trace_row(result, 10);
    assert_within(row->time_s, 100.0, 0.0);
    assert_true(result->simulated_s < 100.0);
    assert_within(row->owed_ios, 15000.0, 3.3 * 122.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_shed_in_an_instant_is_counted_once),
        cmocka_unit_test(a_phase_is_told_once_though_an_instant_parts_it),
        cmocka_unit_test(machines_that_stand_still_serve_nothing_in_a_skip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
