/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How repairs and degraded reads depend on the number of nodes, every I/O simulated: with the data
 * spread over all of them, everybody helps. */
#include "cluster.h"

#include <math.h>

#define READ_NS  100000
#define WRITE_NS 200000
#define MEMBER   (8.0 * 1048576.0) /* bytes */

typedef struct {
    guint64 reads, writes;
} Jobs;

/* What the disks of @node did in @class; their times are exact, so two sums tell two counts. */
static Jobs jobs_of(const Cluster *cluster, guint node, guint class)
{
    const AftTopology *topology = &cluster->model->topology;
    Jobs jobs = {0};
    for (guint i = 0; i < topology->nodes[node].n_devices; i++) {
        AftStationSums sums;
        aft_station_sums(topology->devices[topology->nodes[node].first_device + i].station, &sums);
        const AftClassSums *of = &sums.class[class];
        guint64 extra_ns = (guint64)of->service_ns - of->served * READ_NS;
        guint64 writes = extra_ns / (WRITE_NS - READ_NS);
        jobs.writes += writes;
        jobs.reads += of->served - writes;
    }
    return jobs;
}

/* A cluster of @nodes with @groups stripes of @width members for each, whose node 0 fails at 1 s
 * and whose rebuild begins at 2 s. */
static Cluster *failing_cluster(const char *scheme, guint data, guint nodes, guint groups)
{
    g_autofree char *size = g_strdup_printf("cluster.nodes=%u", nodes);
    g_autofree char *protection = g_strdup_printf("data.protection=%s", scheme);
    g_autofree char *number = g_strdup_printf("data.placement_groups=%u", groups);
    g_autofree char *bytes =
        g_strdup_printf("data.logical=%.0f MiB", groups * data * MEMBER / 1048576.0);
    return CLUSTER(size, protection, number, bytes, "devices.disk.size=10 TB",
                   "cluster.node.disk_groups.capacity.count=1", "cluster.detect=1 s",
                   "background.rebuild.delay=1 s", "background.rebuild.in_flight_per_node=64",
                   "timeline[0].at=1 s", "timeline[0].fail=node 0");
}

/* When half of what is to be rebuilt has been, s from the beginning of the rebuild. */
static double half_time_s(Cluster *cluster, double bytes)
{
    double at_s = 2.0;
    while (aft_model_moved_bytes(cluster->model, AFT_TASK_REBUILD) < bytes / 2.0) {
        at_s += 0.001;
        cluster_run(cluster, at_s);
        assert_true(at_s < 1000.0);
    }
    return at_s - 2.0;
}

/* All survivors read and write alike, so with as many bytes on each node a rebuild is as many
 * times faster as there are survivors. Timed to its half: until then nobody runs out of work. What
 * is left of 4 % is the luck of where groups are: of n bytes' worth of groups on the nodes that
 * read and write most, 1,000 or more each, so 3 % in one node. */
static void a_rebuild_is_as_fast_as_there_are_survivors(void **state)
{
    (void)state;
    static const guint nodes[] = {4, 7, 13};
    for (guint i = 0; i < G_N_ELEMENTS(nodes); i++) {
        guint groups = 1500 * nodes[i];
        Cluster *cluster = failing_cluster("rf2", 1, nodes[i], groups);
        double bytes = cluster_members_on(cluster, 0) * MEMBER;
        double half_s = half_time_s(cluster, bytes);
        /* A unit of 1 MiB is read in 100 us and written in 200 us, by one disk a node. */
        double expected_s = bytes / 2.0 / 1048576.0 * 300e-6 / (nodes[i] - 1.0);
        print_message("# %u nodes: half in %.3f s, %.3f s expected\n", nodes[i], half_s,
                      expected_s);
        assert_within(half_s, expected_s, 0.04 * expected_s);
        cluster_free(cluster);
    }
}

/* Of a lost member's stripe, k of the survivors read; with 500 groups or more to each, all read
 * alike within 5 %: the chance of one node is 1 / sqrt(500) x sqrt(1 - share) < 4 %, of the most of
 * all less than twice that, so many more groups are taken here than 500. */
static void all_survivors_read_alike(void **state)
{
    (void)state;
    Cluster *cluster = failing_cluster("raid5", 3, 8, 10000);
    cluster_run(cluster, 200.0);
    assert_int_equal(cluster_pool(cluster)->missing, 0);
    double sum = 0.0, least = INFINITY, most = 0.0;
    for (guint node = 1; node < 8; node++) {
        double reads = (double)jobs_of(cluster, node, AFT_CLASS_P1).reads;
        sum += reads;
        least = MIN(least, reads);
        most = MAX(most, reads);
    }
    double mean = sum / 7.0;
    print_message("# %.0f reads a survivor, %.3f to %.3f of the mean\n", mean, least / mean,
                  most / mean);
    assert_true(mean / (MEMBER / 1048576.0) >= 500.0);
    assert_true(least >= 0.95 * mean && most <= 1.05 * mean);
    cluster_free(cluster);
}

/* A read that meets the lost member, one in n, costs k instead of 1. */
static void a_degraded_read_costs_the_others(void **state)
{
    (void)state;
    static const guint nodes[] = {5, 8, 12};
    for (guint i = 0; i < G_N_ELEMENTS(nodes); i++) {
        g_autofree char *size = g_strdup_printf("cluster.nodes=%u", nodes[i]);
        Cluster *cluster =
            CLUSTER(size, "data.placement_groups=4000", "data.logical=120 GB",
                    "devices.disk.size=1 TB", "cluster.detect=1 s", "background.rebuild.delay=10 h",
                    "timeline[0].at=1 s", "timeline[0].fail=node 0", "workload.kind=closed",
                    "workload.vms=4", "workload.on=1:5", "workload.outstanding=8",
                    "workload.read_share=100 %");
        cluster_run(cluster, 3.0);
        Jobs before = {0}, after = {0};
        gint64 completed = cluster->completed[0];
        for (guint node = 1; node < nodes[i]; node++) {
            before.reads += jobs_of(cluster, node, AFT_CLASS_CLIENT).reads;
        }
        cluster_run(cluster, 23.0);
        for (guint node = 1; node < nodes[i]; node++) {
            after.reads += jobs_of(cluster, node, AFT_CLASS_CLIENT).reads;
        }
        double reads = (double)(cluster->completed[0] - completed);
        double cost = (double)(after.reads - before.reads) / reads;
        double share = 1.0 / nodes[i], expected = 1.0 + 2.0 * share;
        /* Two more reads by chance: of the addresses drawn, and of which groups have a member on
         * the node (4,000 of them, each with 4 members on n nodes, 3 of which are data). */
        double chance = 2.0 * sqrt(share * (1.0 - share) / reads + share / (3.0 * 4000.0));
        print_message("# %u nodes: %.4f device reads a read, %.4f expected, +- %.4f\n", nodes[i],
                      cost, expected, chance);
        assert_within(cost, expected, 4.0 * chance);
        cluster_free(cluster);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rebuild_is_as_fast_as_there_are_survivors),
        cmocka_unit_test(all_survivors_read_alike),
        cmocka_unit_test(a_degraded_read_costs_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
