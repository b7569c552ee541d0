/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines whose data is on their own node. */
#include "cluster.h"
#include "nearby.h"

#include <math.h>

#define READERS                                                                                    \
    "workload.kind=open", "workload.vms=10", "workload.rate=2000 /s", "workload.read_share=100 %", \
        "cluster.node.nic=10 Gbit/s"

/* Of all nodes, in messages of a block of 4 KiB. */
static double messages(const Cluster *cluster)
{
    const AftTopology *topology = &cluster->model->topology;
    double sent_ns = 0.0;
    for (guint i = 0; i < topology->n_nodes; i++) {
        sent_ns += (double)topology->nodes[i].sending.sent_ns;
    }
    return sent_ns / (double)aft_topology_wire_ns(topology, 0, 4096);
}

/* Three standard errors of a share. */
static double chance(double p, double n)
{
    return 3.0 * sqrt(p * (1.0 - p) / n);
}

/* One read in five finds its data at home by chance; of a data unit and of a copy alike. */
static void check_reads(const char *protection, const char *locality, double expected_local)
{
    Cluster *cluster = CLUSTER(READERS, protection, locality);
    cluster_run(cluster, 10.0);
    double reads = (double)cluster->completed[0];
    double remote = 1.0 - expected_local;
    assert_within(messages(cluster) / reads, remote, chance(remote, reads) + 1e-3);
    cluster_free(cluster);
}

static void reads_stay_on_their_node_as_often_as_is_said(void **state)
{
    (void)state;
    check_reads("data.protection=rf2", "workload.locality=0 %", 0.2);
    check_reads("data.protection=rf2", "workload.locality=100 %", 1.0);
    check_reads("data.protection=rf2", "workload.locality=50 %", 0.6);
    check_reads("data.protection=raid5", "workload.locality=90 %", 0.92);
    check_reads("data.protection=none", "workload.locality=100 %", 1.0);
}

/* Every chunk that has a copy on the node is as likely, and no other is. */
static void all_that_is_near_is_alike(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(READERS, "data.protection=rf2", "workload.locality=100 %",
                               "workload.vms=1", "workload.on=1");
    const AftPool *pool = cluster_pool(cluster);
    guint near = 0;
    double most = 0.0;
    for (guint chunk = 0; chunk < 64; chunk++) {
        near += aft_nearby_member(pool, chunk, 1) != AFT_NO_MEMBER ? 1 : 0;
    }
    assert_int_equal(near, cluster_members_on(cluster, 1));
    cluster_run(cluster, 20.0);
    for (guint32 i = 0; i < cluster->model->topology.n_devices; i++) {
        AftStationSums sums;
        aft_station_sums(cluster->model->topology.devices[i].station, &sums);
        double served = (double)sums.class[AFT_CLASS_CLIENT].served;
        guint here = 0;
        for (guint group = 0; group < 64; group++) {
            for (guint m = 0; m < 2; m++) {
                here += aft_pool_member(pool, group, m)->device == i &&
                        cluster->model->topology.devices[i].node == 1;
            }
        }
        double p = (double)here / near, n = (double)cluster->completed[0];
        assert_within(served / n, p, chance(p, n));
        most = MAX(most, p);
    }
    assert_true(most > 0.0);
    cluster_free(cluster);
}

/* With a host gone its machines are elsewhere, and near what is there; at home again, as before. */
static void locality_goes_with_its_machine(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(READERS, "data.protection=rf2", "workload.locality=100 %", "cluster.detect=1 s",
                "workload.restart=2 s", "workload.return=1 s", "background.rebuild.delay=1 h",
                "timeline[0].at=2 s", "timeline[0].fail=node 2", "timeline[1].at=10 s",
                "timeline[1].restore=node 2");
    cluster_run(cluster, 6.0);
    double before = messages(cluster), reads = (double)cluster->completed[0];
    cluster_run(cluster, 9.9);
    assert_true((double)cluster->completed[0] - reads > 7000.0);
    assert_within(messages(cluster), before, 1.0);
    cluster_run(cluster, 20.0);
    before = messages(cluster);
    cluster_run(cluster, 30.0);
    assert_within(messages(cluster), before, 1.0);
    cluster_free(cluster);
}

/* Back and empty, a node has nothing near: its machines read anything until data has come. */
static void a_node_without_data_reads_anything(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(READERS, "data.protection=rf2", "workload.locality=100 %", "cluster.detect=1 s",
                "workload.restart=1 s", "workload.return=1 s", "background.rebuild.delay=2 s",
                "background.rebalance.delay=1 h", "timeline[0].at=2 s", "timeline[0].fail=node 2",
                "timeline[1].at=60 s", "timeline[1].restore=node 2", "workload.on=2");
    cluster_run(cluster, 70.0);
    double before = messages(cluster), reads = (double)cluster->completed[0];
    assert_int_equal(cluster_members_on(cluster, 2), 0);
    cluster_run(cluster, 80.0);
    assert_within(messages(cluster) - before, (double)cluster->completed[0] - reads, 5.0);
    assert_true((double)cluster->completed[0] - reads > 15000.0);
    cluster_free(cluster);
}

/* The hottest of what is near, in proportion. */
static void skew_and_locality_get_along(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(READERS, "data.protection=rf2", "workload.locality=100 %", "workload.vms=1",
                "workload.on=1", "workload.skew=zipf", "workload.theta=1");
    const AftClients *clients = &cluster->model->clients[0];
    double expected[2] = {0};
    guint first = cluster->model->topology.nodes[1].first_device;
    for (guint chunk = 0; chunk < 64; chunk++) {
        guint m = aft_nearby_member(clients->pool, chunk, 1);
        if (m != AFT_NO_MEMBER) {
            expected[aft_pool_member(clients->pool, chunk, m)->device - first] +=
                aft_skew_chance(clients->skew, chunk);
        }
    }
    cluster_run(cluster, 20.0);
    for (guint i = 0; i < 2; i++) {
        AftStationSums sums;
        aft_station_sums(cluster->model->topology.devices[first + i].station, &sums);
        double p = expected[i] / (expected[0] + expected[1]), n = (double)cluster->completed[0];
        assert_within((double)sums.class[AFT_CLASS_CLIENT].served / n, p, chance(p, n));
    }
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_stay_on_their_node_as_often_as_is_said),
        cmocka_unit_test(all_that_is_near_is_alike),
        cmocka_unit_test(locality_goes_with_its_machine),
        cmocka_unit_test(a_node_without_data_reads_anything),
        cmocka_unit_test(skew_and_locality_get_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
