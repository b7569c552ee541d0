/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of workloads that are more than one block at one rate. */
#include "cases.h"

#include <aftershock/model/heat.h>

#define SMALL "workload.blocks[0].block=4 KiB", "workload.blocks[0].share=75 %"
#define LARGE "workload.blocks[1].block=3 MiB", "workload.blocks[1].share=25 %"

/* Of 100 I/Os 60 read a unit and 15 write one, at 2 reads and 2 writes each; 10 read a stripe of
 * three units, and 15 write one, at 4 writes. */
static void a_mix_costs_what_its_blocks_do_by_their_shares(void **state)
{
    (void)state;
    g_auto(Case) it = CASE(SMALL, "workload.blocks[0].read_share=80 %", LARGE,
                           "workload.blocks[1].read_share=40 %");
    const AftWorkloadState *healthy = &it.bounds->workload[0].state[AFT_STATE_HEALTHY];
    assert_within(healthy->read.reads, (60.0 + 30.0) / 70.0, EXACT);
    assert_within(healthy->write.reads, 1.0, EXACT);
    assert_within(healthy->write.writes, 3.0, EXACT);
    assert_within(healthy->device_ios, 2.1, EXACT);
    assert_within(healthy->read.bytes, (60.0 * 4096 + 10.0 * 3145728) / 70.0, 1e-6);
}

#define PARTS                                                                 \
    "cluster.node.controller.slots=8", "cluster.node.controller.io=100 us",   \
        "cluster.node.controller.per_mib=4 ms", "cluster.node.nic=10 Gbit/s", \
        "cluster.node.disk_groups.cache.device=sas-ssd-write"

/* Everything that parts do for a mix is the sum of what they do for its blocks alone. */
static void check_demands(const char *parity)
{
    g_auto(Case) mixed = CASE(PARTS, parity, SMALL, LARGE);
    g_auto(Case) small = CASE(PARTS, parity, "workload.block=4 KiB");
    g_auto(Case) large = CASE(PARTS, parity, "workload.block=3 MiB");
    for (guint state = 0; state < AFT_STATES; state++) {
        const AftWorkloadState *all = &mixed.bounds->workload[0].state[state];
        const AftWorkloadState *one = &small.bounds->workload[0].state[state];
        const AftWorkloadState *other = &large.bounds->workload[0].state[state];
        for (guint s = 0; s < AFT_SCARCES; s++) {
            double sum = 0.75 * one->demand[s].mean_s + 0.25 * other->demand[s].mean_s;
            assert_within(all->demand[s].mean_s, sum, 1e-12);
            sum = 0.75 * one->own[s].mean_s + 0.25 * other->own[s].mean_s;
            assert_within(all->own[s].mean_s, sum, 1e-12);
        }
        assert_within(all->response_s, 0.75 * one->response_s + 0.25 * other->response_s, 1e-12);
        assert_within(all->destage.per_write * all->destage.bytes,
                      0.75 * one->destage.per_write * one->destage.bytes +
                          0.25 * other->destage.per_write * other->destage.bytes,
                      1e-3);
    }
}

static void demands_of_a_mix_are_those_of_its_blocks(void **state)
{
    (void)state;
    check_demands("tiers.parity=front");
    check_demands("tiers.parity=destage");
}

#define CACHED                                                                      \
    "cluster.node.disk_groups.cache.device=sas-ssd-write", "tiers.read_share=50 %", \
        "tiers.low=10 %", "data.logical=16 TB"

/* Caches serve what Che's approximation says, of what is dirty and what is warm together. */
static void hot_data_is_served_by_caches_more_often(void **state)
{
    (void)state;
    g_auto(Case) flat = CASE(CACHED);
    g_auto(Case) hot = CASE(CACHED, "workload.skew=zipf", "workload.theta=0.99");
    double working = 16e12 * 4.0 / 3.0 / 5.0; /* of a node's cache */
    double dirty = 0.1 * 400e9 / working, warm = 400e9 / working;
    g_autoptr(AftHeat) heat = aft_heat_new(4096, 0.99);
    assert_within(flat.bounds->workload[0].state[0].read.hits, 1.0 - (1.0 - dirty) * (1.0 - warm),
                  1e-12);
    assert_within(hot.bounds->workload[0].state[0].read.hits, aft_heat_hits(heat, dirty, warm),
                  1e-12);
    assert_true(hot.bounds->workload[0].state[0].read.hits > 0.5);
}

/* Ten 7,200 rpm disks, one I/O at a time each: 13.17 ms and 64 KiB at 200 MB/s; 2 % of that without
 * seek and turn. */
static void what_is_sequential_needs_no_seek(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("cluster.node.disk_groups.capacity.device=hdd-7k2", "workload.access=sequential",
             "workload.read_share=100 %", "workload.block=64 KiB");
    const AftWorkloadState *healthy = &it.bounds->workload[0].state[AFT_STATE_HEALTHY];
    double each_s = 0.02 * 13.17e-3 + 65536.0 / 200e6;
    assert_within(healthy->demand[AFT_SCARCE_CAPACITY_ACCESS].most_s, each_s / 10.0, 1e-12);
    assert_within(healthy->response_s, each_s, 1e-12);
}

/* All or nothing: a scan comes back to what a smaller cache has dropped. */
static void scans_hit_where_all_has_room(void **state)
{
    (void)state;
    g_auto(Case) large = CASE(CACHED, "workload.access=sequential");
    g_auto(Case) small = CASE(CACHED, "workload.access=sequential", "workload.working_set=1 TB");
    assert_within(large.bounds->workload[0].state[0].read.hits, 0.0, 0.0);
    assert_within(small.bounds->workload[0].state[0].read.hits, 1.0, 0.0);
}

/* Of two copies that are written one is at home; a read has nothing to send. */
static void what_is_near_crosses_no_network(void **state)
{
    (void)state;
    g_auto(Case) none = CASE("data.protection=rf2", "cluster.node.nic=10 Gbit/s");
    g_auto(Case) most =
        CASE("data.protection=rf2", "cluster.node.nic=10 Gbit/s", "workload.locality=90 %");
    const AftWorkloadState *far = &none.bounds->workload[0].state[AFT_STATE_HEALTHY];
    const AftWorkloadState *near = &most.bounds->workload[0].state[AFT_STATE_HEALTHY];
    assert_within(far->read.network_bytes, 0.8 * 4096, 1e-9);
    assert_within(far->write.network_bytes, 2.0 * 0.8 * 4096, 1e-9);
    assert_within(near->read.network_bytes, 0.1 * 0.8 * 4096, 1e-9);
    assert_within(near->write.network_bytes, (0.9 * 1.0 + 0.1 * 1.6) * 4096, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_costs_what_its_blocks_do_by_their_shares),
        cmocka_unit_test(demands_of_a_mix_are_those_of_its_blocks),
        cmocka_unit_test(what_is_sequential_needs_no_seek),
        cmocka_unit_test(what_is_near_crosses_no_network),
        cmocka_unit_test(scans_hit_where_all_has_room),
        cmocka_unit_test(hot_data_is_served_by_caches_more_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
