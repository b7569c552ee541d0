/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What clients read and write, where it is more than one size of block anywhere. */
#include "cluster.h"

#include <math.h>

#define OPEN "workload.kind=open", "workload.vms=10", "workload.rate=2000 /s"

/* Three standard errors of the share @p of @n draws. */
static void assert_share(double found, double n, double p)
{
    assert_within(found / n, p, 3.0 * sqrt(p * (1.0 - p) / n));
}

/* How often all devices have read (100 us) and written (200 us) for clients. */
static void assert_device_ios(const Cluster *cluster, gint64 reads, gint64 writes)
{
    const AftTopology *topology = &cluster->model->topology;
    gint64 service_ns = 0, served = 0;
    for (guint i = 0; i < topology->n_devices; i++) {
        AftStationSums sums;
        aft_station_sums(topology->devices[i].station, &sums);
        served += (gint64)sums.class[AFT_CLASS_CLIENT].served;
        service_ns += (gint64)sums.class[AFT_CLASS_CLIENT].service_ns;
    }
    assert_int_equal(served, reads + writes);
    assert_int_equal(service_ns, reads * 100000 + writes * 200000);
}

static void run_until_idle(Cluster *cluster, double until_s)
{
    cluster_run(cluster, until_s);
    while (aft_model_moment(cluster->model).in_flight > 0) {
        cluster_run(cluster, (double)cluster_now(cluster) / 1e9 + 1e-5);
    }
}

/* Small blocks are read, whole stripes are written: a read is a read of one device, a write a write
 * of four. */
static void each_block_of_a_mix_has_plans_of_its_own(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(OPEN, "workload.blocks[0].block=4 KiB", "workload.blocks[0].share=75 %",
                "workload.blocks[1].block=3 MiB", "workload.blocks[0].read_share=100 %",
                "workload.blocks[1].share=25 %", "workload.blocks[1].read_share=0 %");
    run_until_idle(cluster, 10.0);
    gint64 reads = cluster->completed[0], writes = cluster->completed[1];
    assert_device_ios(cluster, reads, 4 * writes);
    assert_int_equal(cluster->bytes[0], (guint64)reads * 4096);
    assert_int_equal(cluster->bytes[1], (guint64)writes * 3145728);
    assert_share((double)reads, (double)(reads + writes), 0.75);
    cluster_free(cluster);
}

/* A mix of two blocks that are the same is that block. */
static void a_mix_of_equals_is_one_block(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(OPEN, "workload.blocks[0].block=4 KiB",
                               "workload.blocks[0].share=50 %", "workload.blocks[1].block=4 KiB",
                               "workload.blocks[1].share=50 %", "workload.read_share=40 %");
    run_until_idle(cluster, 10.0);
    gint64 reads = cluster->completed[0], writes = cluster->completed[1];
    assert_device_ios(cluster, reads + 2 * writes, 2 * writes);
    assert_share((double)reads, (double)(reads + writes), 0.4);
    cluster_free(cluster);
}

/* What the first devices have served, of the hottest group and of one like any other. */
static void hot_chunks_keep_their_devices_busy(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(OPEN, "data.protection=none", "workload.skew=zipf", "workload.theta=1.2",
                "workload.working_set=30 MiB", "workload.read_share=100 %");
    const AftClients *clients = &cluster->model->clients[0];
    const AftPool *pool = clients->pool;
    g_autofree double *expected = g_new0(double, cluster->model->topology.n_devices);
    run_until_idle(cluster, 10.0);
    for (guint chunk = 0; chunk < clients->set->n_chunks; chunk++) {
        expected[aft_pool_member(pool, chunk, 0)->device] += aft_skew_chance(clients->skew, chunk);
    }
    for (guint i = 0; i < cluster->model->topology.n_devices; i++) {
        AftStationSums sums;
        aft_station_sums(cluster->model->topology.devices[i].station, &sums);
        assert_share((double)sums.class[AFT_CLASS_CLIENT].served, (double)cluster->completed[0],
                     expected[i]);
    }
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_block_of_a_mix_has_plans_of_its_own),
        cmocka_unit_test(a_mix_of_equals_is_one_block),
        cmocka_unit_test(hot_chunks_keep_their_devices_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
