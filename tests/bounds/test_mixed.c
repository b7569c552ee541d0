/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters of unlike nodes, and members that are spread over racks or devices. */
#include "cases.h"

/* Integrals over clocks, by a rule that is far better than this. */
#define INTEGRAL 1e-7

/* A cluster written group by group, with 1 TB in one pool. */
static Case groups_of(const char *const *settings)
{
    static const char *const all[] = {"version=1", "data.logical=1 TB", NULL};
    g_autoptr(GPtrArray) problems = aft_problems_new();
    Case it = {.scenario = aft_scenario_new()};
    set_all(it.scenario, all, problems);
    set_all(it.scenario, settings, problems);
    assert_true(aft_scenario_resolve(it.scenario, problems));
    it.bounds = aft_bounds_new(it.scenario);
    return it;
}

#define GROUPS(...) groups_of((const char *const[]){__VA_ARGS__, NULL})

#define NODES(i, nodes, devices)                                           \
    "cluster.groups[" i "].nodes=" nodes,                                  \
        "cluster.groups[" i "].node.disk_groups.capacity.device=sata-ssd", \
        "cluster.groups[" i "].node.disk_groups.capacity.count=" devices,  \
        "cluster.groups[" i "].node.controller.slots=4",                   \
        "cluster.groups[" i "].node.controller.io=100 us",                 \
        "cluster.groups[" i "].node.nic=10 Gbit/s"

#define MACHINES "workload.kind=closed", "workload.vms=20", "workload.outstanding=100"

static const AftWorkloadState *state_of(const Case *it, AftClusterState state)
{
    return &it->bounds->workload[0].state[state];
}

static void assert_demands_equal(const AftWorkloadState *one, const AftWorkloadState *other)
{
    for (guint s = 0; s < AFT_SCARCES; s++) {
        assert_within(one->demand[s].mean_s, other->demand[s].mean_s, 1e-15);
        assert_within(one->demand[s].most_s, other->demand[s].most_s, 1e-15);
    }
    assert_within(one->response_s, other->response_s, 1e-15);
    assert_within(one->sustained.iops / other->sustained.iops, 1.0, EXACT);
    assert_within(one->burst.iops / other->burst.iops, 1.0, EXACT);
}

static void like_groups_are_a_plain_cluster(void **state)
{
    (void)state;
    static const char *const schemes[] = {"data.protection=rf2", "data.protection=raid5"};
    for (guint i = 0; i < G_N_ELEMENTS(schemes); i++) {
        g_auto(Case) mixed = GROUPS(NODES("0", "2", "2"), NODES("1", "3", "2"), schemes[i],
                                    MACHINES, "workload.block=4 KiB");
        g_auto(Case) plain =
            GROUPS("cluster.nodes=5", "cluster.node.disk_groups.capacity.device=sata-ssd",
                   "cluster.node.disk_groups.capacity.count=2", "cluster.node.controller.slots=4",
                   "cluster.node.controller.io=100 us", "cluster.node.nic=10 Gbit/s", schemes[i],
                   MACHINES, "workload.block=4 KiB");
        assert_false(mixed.bounds->unlike);
        assert_demands_equal(state_of(&mixed, AFT_STATE_HEALTHY),
                             state_of(&plain, AFT_STATE_HEALTHY));
        assert_demands_equal(state_of(&mixed, AFT_STATE_NODE_DOWN),
                             state_of(&plain, AFT_STATE_NODE_DOWN));
        const AftPoolBounds *one = mixed.bounds->pool, *other = plain.bounds->pool;
        assert_within(one->rebuild.bytes, other->rebuild.bytes, 1.0);
        assert_within(one->rebuild.pace.bytes_per_s / other->rebuild.pace.bytes_per_s, 1.0, EXACT);
        assert_within(one->device.pace.duration_s / other->device.pace.duration_s, 1.0, EXACT);
        assert_within(mixed.bounds->cluster[1].raw_bytes, plain.bounds->cluster[1].raw_bytes, 1.0);
    }
}

/* Drawn one after another: the node of 2, 1, 1 that has half of all comes first in 1 of 2, and
 * else second in 2 of 3. So 5 of 6 stripes have a copy there, 5 of 12 copies. */
static void members_go_by_bytes_but_never_twice_to_a_node(void **state)
{
    (void)state;
    g_auto(Case) once = GROUPS(NODES("0", "1", "2"), NODES("1", "2", "1"), "data.protection=none");
    g_auto(Case) twice = GROUPS(NODES("0", "1", "2"), NODES("1", "2", "1"), "data.protection=rf2");
    g_auto(Case) large = GROUPS(NODES("0", "1", "10"), NODES("1", "4", "1"), "data.protection=rf2");
    g_auto(Case) all = GROUPS(NODES("0", "1", "10"), NODES("1", "2", "1"), "data.protection=rf3");
    assert_true(once.bounds->unlike);
    assert_within(once.bounds->pool[0].rebuild.bytes / 1e12, 0.5, INTEGRAL);
    assert_within(twice.bounds->pool[0].rebuild.bytes / 2e12, 5.0 / 12.0, INTEGRAL);
    /* It is not among the first two in 4 of 14 x 3 of 13. */
    assert_within(large.bounds->pool[0].rebuild.bytes / 1e12, 1.0 - 12.0 / 182.0, INTEGRAL);
    assert_within(all.bounds->pool[0].rebuild.bytes / 1e12, 1.0, EXACT);
}

/* Racks of 3, 2 and 1 like nodes: the one of 3 comes first in 3 of 6, else behind the one of 2 in 3
 * of 4, behind the one of 1 in 3 of 5. */
static void racks_share_as_nodes_do(void **state)
{
    (void)state;
    g_auto(Case) it =
        GROUPS(NODES("0", "3", "1"), NODES("1", "2", "1"), NODES("2", "1", "1"), "cluster.racks=3",
               "cluster.groups[0].rack=0", "cluster.groups[1].rack=1", "cluster.groups[2].rack=2",
               "data.protection=rf2", "data.domain=rack");
    double stripes = 3.0 / 6.0 + 2.0 / 6.0 * 3.0 / 4.0 + 1.0 / 6.0 * 3.0 / 5.0;
    assert_within(it.bounds->pool[0].rebuild.bytes / 1e12, stripes / 3.0, INTEGRAL);
    assert_true(it.bounds->pool[0].rebuild.told);
    assert_true(it.bounds->pool[0].rebuild.target);
    g_auto(Case) even =
        GROUPS(NODES("0", "6", "1"), "cluster.racks=3", "data.protection=rf2", "data.domain=rack");
    assert_false(even.bounds->unlike);
    assert_within(even.bounds->pool[0].rebuild.bytes / 2e12, 1.0 / 6.0, EXACT);
}

/* Four nodes with all data and two that ask: of 1 read per I/O a fourth goes to each of four. */
static void what_asks_and_what_holds_may_be_apart(void **state)
{
    (void)state;
    g_auto(Case) it = GROUPS(NODES("0", "4", "2"), "cluster.groups[0].node.compute=off",
                             "cluster.groups[1].nodes=2", "cluster.groups[1].node.nic=10 Gbit/s",
                             "data.protection=rf2", MACHINES, "workload.read_share=100 %",
                             "workload.block=1 MiB");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    double wire_s = 1048576.0 / 1.25e9;
    assert_within(healthy->read.network_bytes, 1048576.0, 1e-6);
    assert_within(healthy->demand[AFT_SCARCE_NIC_IN].most_s, wire_s / 2.0, EXACT);
    assert_within(healthy->demand[AFT_SCARCE_NIC_OUT].most_s, wire_s / 4.0, EXACT);
    assert_within(healthy->demand[AFT_SCARCE_NIC_OUT].mean_s, wire_s / 6.0, EXACT);
    assert_within(healthy->demand[AFT_SCARCE_CONTROLLER].most_s, 100e-6 / 4.0 / 4.0, EXACT);
    assert_within(healthy->demand[AFT_SCARCE_CONTROLLER].mean_s, 100e-6 / 4.0 / 4.0, EXACT);
    assert_int_equal(healthy->sustained.bottleneck, AFT_SCARCE_NIC_IN);
    const AftWorkloadState *down = state_of(&it, AFT_STATE_NODE_DOWN);
    assert_within(down->demand[AFT_SCARCE_NIC_OUT].most_s, wire_s / 3.0, EXACT);
    assert_within(down->demand[AFT_SCARCE_NIC_IN].most_s, wire_s / 2.0, EXACT);
}

/* All have the same data; one needs twice as long. */
static void the_most_loaded_node_is_the_bound(void **state)
{
    (void)state;
    g_auto(Case) like = GROUPS(NODES("0", "4", "2"), NODES("1", "1", "2"), "data.protection=rf2",
                               MACHINES, "workload.read_share=0 %");
    g_auto(Case) slow = GROUPS(NODES("0", "4", "2"), NODES("1", "1", "2"),
                               "cluster.groups[1].node.controller.io=200 us", "data.protection=rf2",
                               MACHINES, "workload.read_share=0 %");
    const AftDemand *demand = state_of(&slow, AFT_STATE_HEALTHY)->demand;
    assert_true(slow.bounds->unlike);
    assert_within(demand[AFT_SCARCE_CONTROLLER].most_s, 2.0 * 200e-6 / 4.0 / 5.0, EXACT);
    assert_within(demand[AFT_SCARCE_CONTROLLER].mean_s, 2.0 * 120e-6 / 4.0 / 5.0, EXACT);
    double one = state_of(&like, AFT_STATE_HEALTHY)->sustained.capacity_iops;
    double other = state_of(&slow, AFT_STATE_HEALTHY)->sustained.capacity_iops;
    assert_within(other / one, 0.5, EXACT);
}

/* Ten like devices on two large nodes and one small, mirrored over devices. */
static void devices_of_a_node_may_have_both_copies(void **state)
{
    (void)state;
    g_auto(Case) it = GROUPS(NODES("0", "2", "4"), NODES("1", "1", "2"), "data.protection=rf2",
                             "data.domain=device", MACHINES);
    const AftPoolBounds *pool = it.bounds->pool;
    assert_true(state_of(&it, AFT_STATE_HEALTHY)->told);
    assert_false(state_of(&it, AFT_STATE_NODE_DOWN)->told);
    assert_false(pool->rebuild.told);
    assert_within(pool->rebuild.bytes / 2e12, 0.4, EXACT);
    assert_within(pool->device.bytes / 2e12, 0.1, EXACT);
    /* The other copy is on one of nine: on the same node, 3 of them for the large ones, 1 else. */
    double same = 0.8 * 3.0 / 9.0 + 0.2 * 1.0 / 9.0;
    assert_within(pool->rebuild.network_per_byte, 1.0 - same, EXACT);
}

/* Two nodes read for their machines from two that hold all: one port passes 2 MB/s, the other 1.
 * Machines at a rate ask for the same on both, so the slow port is full at 2 MB/s in all; closed
 * ones go on at the other until both are full, at 3 MB/s. */
static void closed_machines_that_wait_less_do_more(void **state)
{
    (void)state;
#define TWO_AND_TWO                                                                                \
    NODES("0", "2", "2"), "cluster.groups[0].node.compute=off", "cluster.groups[0].node.nic=none", \
        "cluster.groups[1].nodes=1", "cluster.groups[1].node.nic=2 MB/s",                          \
        "cluster.groups[2].nodes=1", "cluster.groups[2].node.nic=1 MB/s", "data.protection=rf2",   \
        "workload.read_share=100 %", "workload.block=4 KiB", "workload.vms=20",                    \
        "workload.outstanding=1000"
    g_auto(Case) closed = GROUPS(TWO_AND_TWO, "workload.kind=closed");
    g_auto(Case) open = GROUPS(TWO_AND_TWO, "workload.kind=paced", "workload.rate=100 /s");
    const AftThroughput *one = &state_of(&closed, AFT_STATE_HEALTHY)->sustained;
    const AftThroughput *other = &state_of(&open, AFT_STATE_HEALTHY)->sustained;
    assert_within(other->capacity_iops, 2e6 / 4096.0, 1e-6);
    assert_within(one->capacity_iops, 3e6 / 4096.0, 1e-6);
    assert_int_equal(one->bottleneck, AFT_SCARCE_NIC_IN);
#undef TWO_AND_TWO
}

/* Shares that are sums of thirds and the like hardly add up to 1, but what is left is nothing. */
#define REQUEST(i) "cluster.groups[" i "].node.controller.request=9 ms"
#define SERVICE    "data.services.compression=on", "data.services.compression.io=9 ms"

/* The mean over nodes is no bound where some machines wait less. */
static void the_quickest_coordinator_counts(void **state)
{
    (void)state;
    g_auto(Case) none = GROUPS(NODES("0", "2", "2"), NODES("1", "2", "2"), MACHINES);
    g_auto(Case) some = GROUPS(NODES("0", "2", "2"), NODES("1", "2", "2"), REQUEST("0"), MACHINES);
    g_auto(Case) all =
        GROUPS(NODES("0", "2", "2"), NODES("1", "2", "2"), REQUEST("0"), REQUEST("1"), MACHINES);
    g_auto(Case) served = GROUPS(NODES("0", "2", "2"), NODES("1", "2", "2"), SERVICE, MACHINES);
    g_auto(Case) unmanned = GROUPS(NODES("0", "2", "2"), NODES("1", "2", "2"),
                                   "cluster.groups[2].nodes=1", SERVICE, MACHINES);
    double quick_s = state_of(&none, AFT_STATE_HEALTHY)->response_s;
    assert_within(state_of(&some, AFT_STATE_HEALTHY)->response_s, quick_s, 1e-15);
    assert_within(state_of(&all, AFT_STATE_HEALTHY)->response_s, quick_s + 9e-3, 1e-15);
    assert_within(state_of(&served, AFT_STATE_HEALTHY)->response_s, quick_s + 9e-3, 1e-15);
    assert_true(state_of(&unmanned, AFT_STATE_HEALTHY)->response_s < quick_s + 1e-3);
}

static void what_caches_take_whole_leaves_capacity_nothing(void **state)
{
    (void)state;
    g_auto(Case) it =
        GROUPS(NODES("0", "1", "2"),
               "cluster.groups[0].node.disk_groups.cache.device=sas-ssd-write",
               NODES("1", "3", "3"),
               "cluster.groups[1].node.disk_groups.cache.device=sas-ssd-write",
               "cluster.groups[1].node.disk_groups.cache.count=3", "data.logical=1 GB",
               "data.protection=rf2", MACHINES, "tiers.read_share=50 %", "tiers.start=0 %");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    assert_within(healthy->read.hits, 1.0, EXACT);
    assert_true(healthy->read.capacity_read_bytes == 0.0);
    assert_true(healthy->write.capacity_written_bytes == 0.0);
}

static void without_a_host_nothing_is_told(void **state)
{
    (void)state;
    g_auto(Case) it = GROUPS(NODES("0", "1", "4"), NODES("1", "4", "2"),
                             "cluster.groups[1].node.compute=off", "data.protection=rf2", MACHINES);
    assert_true(state_of(&it, AFT_STATE_HEALTHY)->told);
    assert_false(state_of(&it, AFT_STATE_NODE_DOWN)->told);
    assert_true(it.bounds->pool[0].rebuild.told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_groups_are_a_plain_cluster),
        cmocka_unit_test(members_go_by_bytes_but_never_twice_to_a_node),
        cmocka_unit_test(racks_share_as_nodes_do),
        cmocka_unit_test(what_asks_and_what_holds_may_be_apart),
        cmocka_unit_test(the_most_loaded_node_is_the_bound),
        cmocka_unit_test(devices_of_a_node_may_have_both_copies),
        cmocka_unit_test(closed_machines_that_wait_less_do_more),
        cmocka_unit_test(the_quickest_coordinator_counts),
        cmocka_unit_test(what_caches_take_whole_leaves_capacity_nothing),
        cmocka_unit_test(without_a_host_nothing_is_told),
    };
    return cmocka_run_group_tests_name("mixed", tests, NULL, NULL);
}
