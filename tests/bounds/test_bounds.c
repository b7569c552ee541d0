/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures worked out by hand, and the tables of docs/model.md. */
#include "cases.h"

static const AftWorkloadState *state_of(const Case *it, AftClusterState state)
{
    return &it->bounds->workload[0].state[state];
}

static void raid5_costs_2800_device_ios(void **state)
{
    (void)state;
    g_auto(Case) it = CASE("workload.read_share=40 %");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    assert_within(healthy->read.reads, 1.0, EXACT);
    assert_within(healthy->read.writes, 0.0, 0.0);
    assert_within(healthy->write.reads, 2.0, EXACT);
    assert_within(healthy->write.writes, 2.0, EXACT);
    assert_within(1000.0 * healthy->device_ios, 2800.0, 1e-9);
}

static void four_fifths_reads_cost_1_6_on_raid5(void **state)
{
    (void)state;
    g_auto(Case) it = CASE("workload.read_share=80 %");
    assert_within(state_of(&it, AFT_STATE_HEALTHY)->device_ios, 1.6, EXACT);
}

typedef struct {
    const char *scheme, *data, *parity, *nodes;
    double read; /* one node down */
    double write_reads, write_writes;
    double degraded_reads, degraded_writes;
} Row;

/* docs/model.md, section 4, with p = 1 / H. */
static void one_node_down_costs_what_the_table_says(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"rf2", NULL, NULL, "nodes=5", 1.0, 0.0, 2.0 - 2.0 / 5, 0.0, 2.0 / 5},
        {"rf3", NULL, NULL, "nodes=6", 1.0, 0.0, 3.0 - 3.0 / 6, 0.0, 3.0 / 6},
        {"raid5", NULL, NULL, "nodes=5", 1.4, 1.6, 1.6, 1.0 / 5, 2.0 / 5},
        {"ec", "data=4", "parity=2", "nodes=7", 1.0 + 3.0 / 7, 3.0 - 2.0 / 7, 3.0 - 3.0 / 7,
         1.0 / 7, 3.0 / 7},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Row *row = &rows[i];
        g_autofree char *nodes = g_strconcat("cluster.", row->nodes, NULL);
        g_autofree char *scheme = g_strconcat("data.protection.scheme=", row->scheme, NULL);
        g_autofree char *data = g_strconcat("data.protection.", row->data, NULL);
        g_autofree char *parity = g_strconcat("data.protection.", row->parity, NULL);
        g_auto(Case) it =
            row->data != NULL ? CASE(nodes, scheme, data, parity) : CASE(nodes, scheme);
        const AftWorkloadState *down = state_of(&it, AFT_STATE_NODE_DOWN);
        assert_within(down->read.reads, row->read, EXACT);
        assert_within(down->write.reads, row->write_reads, EXACT);
        assert_within(down->write.writes, row->write_writes, EXACT);
        assert_within(down->read.degraded, row->degraded_reads, EXACT);
        assert_within(down->write.degraded, row->degraded_writes, EXACT);
        assert_within(down->lost, 0.0, EXACT);
    }
}

static void courses_of_a_degraded_write_are_told_apart(void **state)
{
    (void)state;
    g_auto(Case) it = CASE("cluster.nodes=5");
    const GArray *courses = state_of(&it, AFT_STATE_NODE_DOWN)->write.courses;
    assert_int_equal(courses->len, 3);
    const AftCourse *usual = &g_array_index(courses, AftCourse, 0);
    /* The unit and the parity are there in three placements of five. */
    assert_within(usual->share, 0.6, EXACT);
    assert_int_equal(usual->n_stages, 2);
    assert_int_equal(usual->reads[0], 2);
    assert_int_equal(usual->writes[1], 2);
    assert_false(usual->degraded);
    for (guint i = 1; i < 3; i++) { /* the unit is gone, or the parity */
        const AftCourse *course = &g_array_index(courses, AftCourse, i);
        assert_within(course->share, 0.2, EXACT);
        assert_true(course->degraded);
        assert_int_equal(course->writes[course->n_stages - 1], 1);
        assert_int_equal(course->n_stages == 2 ? course->reads[0] : 2, 2);
    }
}

static void of_equal_courses_the_usual_comes_first(void **state)
{
    (void)state;
    g_auto(Case) it = CASE("cluster.nodes=6", "data.protection=rf3");
    const GArray *courses = state_of(&it, AFT_STATE_NODE_DOWN)->write.courses;
    assert_int_equal(courses->len, 2);
    assert_within(g_array_index(courses, AftCourse, 0).share, 0.5, EXACT);
    assert_within(g_array_index(courses, AftCourse, 1).share, 0.5, EXACT);
    assert_false(g_array_index(courses, AftCourse, 0).degraded);
}

static void a_full_stripe_reads_nothing(void **state)
{
    (void)state;
    g_auto(Case) it = CASE("workload.block=3 MiB");
    const AftOperationCost *write = &state_of(&it, AFT_STATE_HEALTHY)->write;
    assert_int_equal(it.bounds->workload[0].block[0].units, 3);
    assert_within(write->reads, 0.0, 0.0);
    assert_within(write->writes, 4.0, EXACT);
    assert_within(write->capacity_written_bytes, 4.0 * 1048576.0, 1e-3);
}

static void without_copies_a_fifth_is_lost(void **state)
{
    (void)state;
    g_auto(Case) it = CASE("data.protection=none");
    const AftWorkloadState *down = state_of(&it, AFT_STATE_NODE_DOWN);
    assert_within(down->lost, 0.2, EXACT);
    assert_within(down->read.reads, 1.0, EXACT);
    assert_within(down->write.writes, 1.0, EXACT);
    assert_false(it.bounds->pool[0].rebuild.possible);
}

static void stripes_without_parity_are_lost_with_any_node(void **state)
{
    (void)state;
    g_auto(Case) it = CASE("data.protection.scheme=raid0", "data.protection.data=3");
    const AftWorkloadState *down = state_of(&it, AFT_STATE_NODE_DOWN);
    assert_within(down->lost, 3.0 / 5, EXACT);
    assert_within(down->device_ios, 1.0, EXACT);
    assert_int_equal(down->read.courses->len, 1);
    assert_within(g_array_index(down->read.courses, AftCourse, 0).share, 1.0, EXACT);
}

/* Two workloads: their demands add up at their rates, each on its own pool. */
static void workloads_add_up(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("data[0].name=a", "data[1].name=b", "data[1].logical=1 TB", "data[1].protection=rf2",
             "workload[0].pool=a", "workload[1].name=second", "workload[1].pool=b",
             "workload[1].kind=open", "workload[1].vms=5", "workload[1].rate=500 /s",
             "workload[1].read_share=0 %", "workload[0].read_share=100 %",
             "cluster.node.controller.slots=1", "cluster.node.controller.io=1 ms");
    const AftClusterBounds *cluster = &it.bounds->cluster[AFT_STATE_HEALTHY];
    assert_within(it.bounds->asked_iops, 1500.0, 0.0);
    assert_within(cluster->utilisation[AFT_SCARCE_CONTROLLER].mean_s, (1000 + 2 * 500) * 1e-3 / 5,
                  1e-12);
    assert_within(it.bounds->protected_bytes, 8e12 + 2e12, 1.0);
    assert_int_equal(it.bounds->cluster[AFT_STATE_HEALTHY].bottleneck, AFT_SCARCE_CONTROLLER);
}

static void one_node_alone_leaves_nothing_behind(void **state)
{
    (void)state;
    g_auto(Case) it = CASE("cluster.nodes=1", "data.protection=none", "timeline[0].fail=node 0",
                           "timeline[1].restore=node 0");
    assert_false(state_of(&it, AFT_STATE_NODE_DOWN)->possible);
    assert_true(state_of(&it, AFT_STATE_HEALTHY)->possible);
    assert_int_equal(it.bounds->cluster[AFT_STATE_NODE_DOWN].nodes, 0);
}

/* Controllers: 2 slots, 100 us + 16 ms x 4 KiB / 1 MiB = 162.5 us; 1.6 visits over 5 nodes. */
static void demand_at_controllers_is_visits_by_time(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("workload.read_share=80 %", "cluster.node.controller.slots=2",
             "cluster.node.controller.io=100 us", "cluster.node.controller.per_mib=16 ms");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    assert_within(healthy->demand[AFT_SCARCE_CONTROLLER].mean_s, 1.6 / 5 * 162.5e-6 / 2, 1e-15);
    assert_int_equal(healthy->sustained.bottleneck, AFT_SCARCE_CONTROLLER);
    assert_within(healthy->sustained.capacity_iops, 5.0 * 2 / (1.6 * 162.5e-6), 1e-6);
    assert_within(it.bounds->cluster[AFT_STATE_HEALTHY].utilisation[AFT_SCARCE_CONTROLLER].mean_s,
                  1000.0 * 1.6 / 5 * 162.5e-6 / 2, 1e-12);
}

/* With a node down: p = 1/5, reads 1.4 and writes 3.2 visits on 4 nodes; degraded 1/5 and 2/5. */
static void degraded_work_is_held_against_the_coordinator(void **state)
{
    (void)state;
    g_auto(Case) it = CASE("workload.read_share=50 %", "cluster.node.controller.slots=1",
                           "cluster.node.controller.io=100 us", "data.protection.scheme=raid5",
                           "data.protection.degraded=1 ms");
    const AftDemand *demand = state_of(&it, AFT_STATE_NODE_DOWN)->demand;
    double expected_s = (0.5 * (1.4 + 3.2) * 100e-6 + 0.5 * (0.2 + 0.4) * 1e-3) / 4;
    assert_within(demand[AFT_SCARCE_CONTROLLER].mean_s, expected_s, 1e-15);
    /* 20 machines on 5 nodes: with one gone, 5 on each of the others. */
    assert_within(demand[AFT_SCARCE_CONTROLLER].most_s, expected_s, 1e-15);
}

/* 20 machines on 5 nodes, one member a read. */
static void operations_as_a_whole_are_held_against_the_coordinator(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("workload.read_share=100 %", "cluster.node.controller.slots=2",
             "cluster.node.controller.io=100 us", "cluster.node.controller.request=300 us");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    double expected_s = (100e-6 + 300e-6) / 2 / 5;
    assert_within(healthy->demand[AFT_SCARCE_CONTROLLER].mean_s, expected_s, 1e-15);
    assert_within(healthy->demand[AFT_SCARCE_CONTROLLER].most_s, expected_s, 1e-15);
}

/* All machines on one node: a read crosses the wire unless it is for that node. */
static void machines_on_one_node_fill_its_port(void **state)
{
    (void)state;
    g_auto(Case) it = CASE("workload.read_share=100 %", "workload.on=1", "cluster.node.nic=1 MB/s",
                           "workload.block=1 KiB");
    const AftDemand *demand = state_of(&it, AFT_STATE_HEALTHY)->demand;
    double wire_s = 1024.0 / 1e6;
    assert_within(demand[AFT_SCARCE_NIC_IN].most_s, 0.8 * wire_s, 1e-15);
    assert_within(demand[AFT_SCARCE_NIC_IN].mean_s, 0.8 / 5 * wire_s, 1e-15);
    assert_within(demand[AFT_SCARCE_NIC_OUT].most_s, 0.2 * wire_s, 1e-15);
    /* A read costs 1.4 then. If that very node is down, its machines are spread over the others,
     * and that is the least that the busiest can have. */
    demand = state_of(&it, AFT_STATE_NODE_DOWN)->demand;
    assert_within(demand[AFT_SCARCE_NIC_IN].most_s, 1.4 * 0.75 / 4 * wire_s, 1e-15);
}

/* Per node 1.4 / 5 visits of 1 ms and 2 ms, on ten servers. */
static void a_flat_device_serves_reads_and_writes(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("devices.disk.read=1 ms", "devices.disk.write=2 ms", "devices.disk.size=4 TB",
             "devices.disk.parallel=10", "devices.disk.read_bandwidth=4.096 MB/s",
             "devices.disk.write_bandwidth=4.096 MB/s",
             "cluster.node.disk_groups.capacity.device=disk",
             "cluster.node.disk_groups.capacity.count=1", "data.protection=rf2",
             "workload.read_share=60 %");
    const AftDemand *demand = state_of(&it, AFT_STATE_HEALTHY)->demand;
    double transfer_s = (0.6 + 0.8) / 5 * 1e-3, access_s = (0.6 * 1e-3 + 0.8 * 2e-3) / 5;
    assert_within(demand[AFT_SCARCE_CAPACITY_ACCESS].most_s, (access_s + transfer_s) / 10, 1e-15);
    assert_within(demand[AFT_SCARCE_CAPACITY_ACCESS].mean_s, (access_s + transfer_s) / 10, 1e-15);
    assert_within(demand[AFT_SCARCE_CAPACITY_TRANSFER].most_s, transfer_s, 1e-15);
    assert_within(demand[AFT_SCARCE_CAPACITY_TRANSFER].mean_s, transfer_s, 1e-15);
}

/* Two cache devices before three capacity devices: one has two behind it. */
static void writes_land_on_the_cache_and_reads_do_not(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("devices.log.read=1 ms", "devices.log.write=1 ms", "devices.log.size=100 GB",
             "devices.disk.read=2 ms", "devices.disk.write=2 ms", "devices.disk.size=4 TB",
             "devices.disk.parallel=1", "devices.log.parallel=1",
             "cluster.node.disk_groups.cache.device=log", "cluster.node.disk_groups.cache.count=2",
             "cluster.node.disk_groups.capacity.device=disk",
             "cluster.node.disk_groups.capacity.count=3", "data.protection=rf2",
             "workload.read_share=50 %", "tiers.start=0 %");
    const AftDemand *demand = state_of(&it, AFT_STATE_HEALTHY)->own;
    assert_within(demand[AFT_SCARCE_CACHE_ACCESS].mean_s, 1e-3 / 5 / 2, 1e-15);
    assert_within(demand[AFT_SCARCE_CACHE_ACCESS].most_s, 1e-3 / 5 * 2 / 3, 1e-15);
    assert_within(demand[AFT_SCARCE_CAPACITY_ACCESS].mean_s, 0.5 * 2e-3 / 5 / 3, 1e-15);
    const AftOperationCost *write = &state_of(&it, AFT_STATE_HEALTHY)->write;
    assert_within(write->cache_written_bytes, 8192.0, 1e-9);
    assert_within(write->capacity_written_bytes, 0.0, 0.0);
}

/* Each read: 1 ms + 2 ms + 5 ms of latency, 4/5 of the time 4096 us of wire. A write has two
 * stages with the same paths but 3 ms of access. */
static void without_waiting_an_io_takes_its_path(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("devices.disk.read=2 ms", "devices.disk.write=3 ms", "devices.disk.size=4 TB",
             "cluster.node.controller.slots=4", "cluster.node.controller.io=1 ms",
             "cluster.node.controller.latency=5 ms", "cluster.node.nic=1 MB/s",
             "cluster.node.disk_groups.capacity.device=disk", "workload.outstanding=40",
             "workload.read_share=100 %");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    double read_s = 8e-3 + 0.8 * 4096e-6;
    assert_within(healthy->read.response_s, read_s, 1e-15);
    assert_within(healthy->write.response_s, 2.0 * read_s + 1e-3, 1e-15);
    assert_within(healthy->sustained.outstanding_iops, 40.0 / read_s, 1e-9);
}

/* An update: 2 ms, 1 ms on which its coordinator works, 3 ms; half of the I/Os. */
static void machines_do_so_many_updates_at_once(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("devices.disk.read=2 ms", "devices.disk.write=3 ms", "devices.disk.size=4 TB",
             "devices.disk.parallel=1000", "cluster.node.controller.slots=1000",
             "cluster.node.disk_groups.capacity.device=disk", "workload.vms=20",
             "workload.outstanding=10000", "workload.read_share=50 %",
             "data.protection.scheme=raid5", "data.protection.update=1 ms",
             "data.protection.updates=3");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    assert_within(healthy->write.updates, 1.0, 0.0);
    assert_within(healthy->write.held_s, 6e-3, 1e-15);
    assert_within(healthy->write.response_s, 6e-3, 1e-15);
    assert_within(healthy->sustained.updates_iops, 20.0 * 3.0 / (0.5 * 6e-3), 1e-6);
    assert_int_equal(healthy->sustained.limit, AFT_LIMIT_UPDATES);
    assert_within(healthy->demand[AFT_SCARCE_CONTROLLER].mean_s, 0.5 * 1e-3 / 5 / 1000, 1e-15);
    /* Of five nodes the one that is down has a fifth of all parity, without which nothing is read.
     */
    const AftWorkloadState *down = state_of(&it, AFT_STATE_NODE_DOWN);
    assert_within(down->write.updates, 0.8, 1e-12);
    assert_within(down->write.held_s, 0.8 * 6e-3, 1e-15);
    assert_within(down->write.response_s, 0.8 * 6e-3 + 0.2 * 3e-3, 1e-15);
}

/* Copies, whole stripes and reads hold no place. */
static void what_reads_nothing_before_is_no_update(void **state)
{
    (void)state;
    static const char *const others[][2] = {{"data.protection=rf3", "workload.block=4 KiB"},
                                            {"data.protection=raid5", "workload.block=3 MiB"}};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        g_auto(Case) it = CASE(others[i][0], others[i][1], "data.protection.updates=1",
                               "data.protection.update=1 ms");
        assert_within(state_of(&it, AFT_STATE_HEALTHY)->write.updates, 0.0, 0.0);
        assert_true(isinf(state_of(&it, AFT_STATE_HEALTHY)->sustained.updates_iops));
    }
}

/* One user group without a timeline, on a disk of 10 ms and a controller of 5 ms. */
static Case closed_loop(const char *const *settings)
{
    static const char *const loop[] = {"version=1",
                                       "devices.disk.read=10 ms",
                                       "devices.disk.write=10 ms",
                                       "devices.disk.size=1 TB",
                                       "cluster.node.controller.slots=1",
                                       "cluster.node.controller.io=5 ms",
                                       "cluster.node.disk_groups.capacity.device=disk",
                                       "data.logical=500 GB",
                                       "workload.kind=closed",
                                       "workload.outstanding=8",
                                       "workload.vms=8",
                                       "workload.think=50 ms",
                                       "workload.read_share=100 %",
                                       NULL};
    g_autoptr(GPtrArray) problems = aft_problems_new();
    AftScenario *scenario = aft_scenario_new();
    set_all(scenario, loop, problems);
    set_all(scenario, settings, problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    return (Case){scenario, aft_bounds_new(scenario)};
}

#define CLOSED_LOOP(...) closed_loop((const char *const[]){__VA_ARGS__, NULL})

static void thinking_is_part_of_the_cycle(void **state)
{
    (void)state;
    g_auto(Case) it = CLOSED_LOOP("cluster.nodes=1", "data.protection=none");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    assert_within(healthy->sustained.capacity_iops, 100.0, 1e-9);
    assert_within(healthy->sustained.outstanding_iops, 8.0 / 65e-3, 1e-9);
    assert_within(healthy->sustained.iops, 100.0, 1e-9);
    assert_int_equal(healthy->sustained.limit, AFT_LIMIT_SCARCE);
    assert_within(it.bounds->asked_iops, 0.0, 0.0);
}

static void spindles_are_what_the_rate_keeps_busy(void **state)
{
    (void)state;
    /* 2,800 device I/Os a second of 1 ms. */
    g_auto(Case) it =
        CASE("devices.disk.read=1 ms", "devices.disk.write=1 ms", "devices.disk.parallel=1",
             "devices.disk.size=4 TB", "cluster.node.disk_groups.capacity.device=disk",
             "workload.read_share=40 %");
    assert_within(it.bounds->cluster[AFT_STATE_HEALTHY].capacity_devices_needed, 2.8, 1e-9);
    assert_int_equal(it.bounds->cluster[AFT_STATE_HEALTHY].capacity_devices, 10);
}

static void space_counts_protection_and_what_is_left(void **state)
{
    (void)state;
    g_auto(Case) it = CASE("data.logical=6 TB");
    assert_within(it.bounds->protected_bytes, 8e12, 1.0);
    assert_within(it.bounds->cluster[AFT_STATE_HEALTHY].raw_bytes, 10 * 3.84e12, 1.0);
    assert_within(it.bounds->cluster[AFT_STATE_NODE_DOWN].raw_bytes, 8 * 3.84e12, 1.0);
    assert_true(it.bounds->fits);
    assert_within(it.bounds->pool[0].rebuild.bytes, 1.6e12, 1.0);
}

/* A unit of 1 MiB: four visits of 10 ms + 10 ms over four controllers of one slot: 20 ms of each a
 * MiB, whatever is in flight. */
static void a_rebuild_takes_what_its_scarcest_part_takes(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("data.logical=6 TB", "cluster.node.controller.slots=1",
             "cluster.node.controller.io=10 ms", "cluster.node.controller.per_mib=10 ms",
             "data.placement_groups=4096", "background.rebuild.in_flight_per_node=64");
    const AftRebuildBounds *rebuild = &it.bounds->pool[0].rebuild;
    double member = 6e12 / 4096 / 3, units = ceil(member / 1048576.0);
    double unit_s = 10e-3 + 10e-3 * member / units / 1048576.0;
    assert_true(rebuild->possible && rebuild->target);
    assert_within(rebuild->read_per_byte, 3.0, EXACT);
    assert_within(rebuild->pace.bytes_per_s, member / units / unit_s, 1e-3);
    assert_int_equal(rebuild->pace.limit, AFT_LIMIT_SCARCE);
    assert_int_equal(rebuild->pace.bottleneck, AFT_SCARCE_CONTROLLER);
    assert_within(rebuild->pace.duration_s, 1.6e12 / rebuild->pace.bytes_per_s, 1e-3);
}

/* The same with a quarter of the controllers. */
static void a_rebuild_may_be_bound_by_the_limit_of_its_class(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("data.logical=6 TB", "cluster.node.controller.slots=1",
             "cluster.node.controller.io=10 ms", "cluster.node.controller.per_mib=10 ms",
             "data.placement_groups=4096", "background.rebuild.in_flight_per_node=64",
             "background.scheduler=mclock", "background.scheduler.limits.p1=25 %");
    const AftRebuildBounds *rebuild = &it.bounds->pool[0].rebuild;
    double member = 6e12 / 4096 / 3, units = ceil(member / 1048576.0);
    double unit_s = 10e-3 + 10e-3 * member / units / 1048576.0;
    assert_within(rebuild->pace.bytes_per_s, 0.25 * member / units / unit_s, 1e-3);
    assert_int_equal(rebuild->pace.limit, AFT_LIMIT_SCHEDULER);
}

static void a_rebuild_may_be_bound_by_what_is_in_flight_or_allowed(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("cluster.node.controller.slots=64", "cluster.node.controller.io=1 us",
             "cluster.node.controller.latency=1 s", "background.rebuild.in_flight_per_node=1");
    const AftRebuildBounds *rebuild = &it.bounds->pool[0].rebuild;
    assert_int_equal(rebuild->pace.limit, AFT_LIMIT_OUTSTANDING);
    /* Four units in flight of 2 s and a little: below 2 MiB a second, not by 1 %. */
    assert_within(rebuild->pace.bytes_per_s, 2.0 * 1048576.0 * 0.995, 0.005 * 2.0 * 1048576.0);
    g_auto(Case) capped = CASE("background.rebuild.bandwidth=1 MB/s");
    assert_int_equal(capped.bounds->pool[0].rebuild.pace.limit, AFT_LIMIT_BANDWIDTH);
    assert_within(capped.bounds->pool[0].rebuild.pace.duration_s, 1.6e6, 1e-3);
}

static void a_stripe_as_wide_as_the_cluster_has_no_target(void **state)
{
    (void)state;
    g_auto(Case) it = CLOSED_LOOP("cluster.nodes=4", "data.protection=raid5");
    assert_true(it.bounds->pool[0].rebuild.possible);
    assert_false(it.bounds->pool[0].rebuild.target);
    assert_within(it.bounds->pool[0].rebuild.pace.bytes_per_s, 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raid5_costs_2800_device_ios),
        cmocka_unit_test(four_fifths_reads_cost_1_6_on_raid5),
        cmocka_unit_test(one_node_down_costs_what_the_table_says),
        cmocka_unit_test(courses_of_a_degraded_write_are_told_apart),
        cmocka_unit_test(of_equal_courses_the_usual_comes_first),
        cmocka_unit_test(a_full_stripe_reads_nothing),
        cmocka_unit_test(without_copies_a_fifth_is_lost),
        cmocka_unit_test(stripes_without_parity_are_lost_with_any_node),
        cmocka_unit_test(workloads_add_up),
        cmocka_unit_test(one_node_alone_leaves_nothing_behind),
        cmocka_unit_test(demand_at_controllers_is_visits_by_time),
        cmocka_unit_test(degraded_work_is_held_against_the_coordinator),
        cmocka_unit_test(operations_as_a_whole_are_held_against_the_coordinator),
        cmocka_unit_test(machines_on_one_node_fill_its_port),
        cmocka_unit_test(a_flat_device_serves_reads_and_writes),
        cmocka_unit_test(writes_land_on_the_cache_and_reads_do_not),
        cmocka_unit_test(without_waiting_an_io_takes_its_path),
        cmocka_unit_test(machines_do_so_many_updates_at_once),
        cmocka_unit_test(what_reads_nothing_before_is_no_update),
        cmocka_unit_test(thinking_is_part_of_the_cycle),
        cmocka_unit_test(spindles_are_what_the_rate_keeps_busy),
        cmocka_unit_test(space_counts_protection_and_what_is_left),
        cmocka_unit_test(a_rebuild_takes_what_its_scarcest_part_takes),
        cmocka_unit_test(a_rebuild_may_be_bound_by_the_limit_of_its_class),
        cmocka_unit_test(a_rebuild_may_be_bound_by_what_is_in_flight_or_allowed),
        cmocka_unit_test(a_stripe_as_wide_as_the_cluster_has_no_target),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
