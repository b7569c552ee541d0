/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the timeline tells the curator. */
#include "cluster.h"
#include "curator_parts.h"

#define QUICK "cluster.detect=6 s", "background.rebuild.delay=30 s"
#define FAILS "timeline[0].at=10 s", "timeline[0].fail=node 2"

static void a_task_is_stopped_and_started(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, FAILS, "background.rebuild.bandwidth=8 MiB/s", "timeline[1].at=42 s",
                "timeline[1].stop=rebuild", "timeline[2].at=100 s", "timeline[2].start=rebuild");
    cluster_run(cluster, 200.0);
    assert_phases(cluster, "steady failed rebuild failed rebuild catchup");
    assert_string_equal(cluster->events->str,
                        "fail node 2, detect node 2, out node 2, rebuild-start cluster, "
                        "stop rebuild, rebuild-end cluster, start rebuild, rebuild-start cluster, "
                        "rebuild-end cluster");
    assert_within(cluster_turn_s(cluster, 3), 42.0, 0.0);
    assert_within(cluster_turn_s(cluster, 4), 100.0, 0.0);
    cluster_free(cluster);
}

static void maintenance_mode_is_told(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS, "background.rebuild.bandwidth=1 MiB/s",
                               "timeline[1].at=45 s", "timeline[1].start=maintenance",
                               "timeline[2].at=100 s", "timeline[2].stop=maintenance");
    cluster_run(cluster, 200.0);
    assert_phases(cluster, "steady failed rebuild catchup");
    assert_within(cluster_turn_s(cluster, 3), 45.0, 1.0);
    assert_non_null(strstr(cluster->events->str, "maintenance-start curator, rebuild-end"));
    assert_non_null(strstr(cluster->events->str, "maintenance-end curator"));
    cluster_free(cluster);
}

static void a_device_is_corrupted_and_nobody_knows(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("timeline[0].at=10 s", "timeline[0].corrupt.device=3.0.1",
                               "timeline[0].corrupt.sectors=30");
    cluster_run(cluster, 100.0);
    const AftPool *pool = cluster_pool(cluster);
    assert_phases(cluster, "steady");
    assert_string_equal(cluster->events->str, "corrupt device 3.0.1");
    assert_in_range(aft_sectors_latent(pool->sectors), 25, 30);
    for (guint group = 0; group < pool->n_groups; group++) {
        for (guint32 device = 0; device < 10; device++) {
            assert_true(device == 7 ||
                        !aft_sectors_has(pool->sectors, group, device, 0, G_MAXUINT64));
        }
    }
    assert_true(aft_model_is_settled(cluster->model));
    cluster_free(cluster);
}

/* An I/O every 10 ms, but for 50 s of 200. */
static void a_workload_is_stopped_and_started(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("workload.kind=open", "workload.vms=1", "workload.rate=100 /s",
                "workload.pacing=even", "workload.read_share=100 %", "timeline[0].at=50 s",
                "timeline[0].stop=workload", "timeline[1].at=100 s", "timeline[1].start=workload");
    cluster_run(cluster, 60.0);
    assert_within((double)cluster->completed[0], 5000.0, 1.0);
    cluster_run(cluster, 200.0);
    assert_within((double)cluster->completed[0], 15000.0, 2.0);
    assert_string_equal(cluster->events->str, "stop workload, start workload");
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_is_stopped_and_started),
        cmocka_unit_test(a_workload_is_stopped_and_started),
        cmocka_unit_test(maintenance_mode_is_told),
        cmocka_unit_test(a_device_is_corrupted_and_nobody_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
