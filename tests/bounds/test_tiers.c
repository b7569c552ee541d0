/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches, destage and buffers: figures worked out by hand. */
#include "cases.h"

#include <math.h>

/* One cache and one disk a node, one access at a time, and 2.4 TB of two copies behind each cache
 * of 100 GB: empty at the start, so that nothing is hit and nothing overwritten. */
static const char *const tiered[] = {
    "devices.log.read=1 ms",
    "devices.log.write=2 ms",
    "devices.log.parallel=1",
    "devices.log.size=100 GB",
    "devices.disk.read=4 ms",
    "devices.disk.write=8 ms",
    "devices.disk.parallel=1",
    "devices.disk.size=4 TB",
    "cluster.node.disk_groups.cache.device=log",
    "cluster.node.disk_groups.cache.count=1",
    "cluster.node.disk_groups.capacity.device=disk",
    "cluster.node.disk_groups.capacity.count=1",
    "data.protection=rf2",
    "workload.read_share=50 %",
    "tiers.start=0 %",
    "tiers.unit=8 KiB",
    NULL,
};

static Case tiered_with(const char *const *settings)
{
    const char *all[64];
    guint n = 0;
    for (guint i = 0; tiered[i] != NULL; i++) {
        all[n++] = tiered[i];
    }
    for (guint i = 0; settings[i] != NULL; i++) {
        all[n++] = settings[i];
    }
    all[n] = NULL;
    return case_of(all);
}

#define TIERED(...) tiered_with((const char *const[]){__VA_ARGS__, NULL})

static const AftWorkloadState *state_of(const Case *it, AftClusterState state)
{
    return &it->bounds->workload[0].state[state];
}

static double most_s(const AftDemand *demand, AftScarce scarce)
{
    return demand[scarce].most_s;
}

/* Two copies of 4 KiB are one unit of 8 KiB: one destage a write. Of an I/O, half a write, so on
 * each of 5 nodes 0.3 visits to the controller, 0.2 writes and no read of the cache, 0.1 reads of
 * the disk; the destage adds 0.2 visits, 0.1 reads of the cache and 0.1 writes of the disk. */
static void a_copy_reads_the_cache_and_writes_the_disk(void **state)
{
    (void)state;
    g_auto(Case) it = TIERED("cluster.node.controller.slots=1", "cluster.node.controller.io=10 ms");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    const AftDestageCost *destage = &healthy->destage;
    assert_within(destage->per_write, 1.0, EXACT);
    assert_within(destage->units, 1.0, 0.0);
    assert_within(destage->cost.reads, 1.0, 0.0);
    assert_within(destage->cost.writes, 1.0, 0.0);
    assert_within(destage->cost.network_bytes, 0.0, 0.0);
    assert_within(destage->cost.controller_bytes, 2.0 * 8192, 0.0);
    assert_within(destage->cost.cache_read_bytes, 8192.0, 0.0);
    assert_within(destage->cost.capacity_written_bytes, 8192.0, 0.0);
    assert_within(destage->cost.response_s, 2 * 10e-3 + 1e-3 + 8e-3, EXACT);
    assert_within(most_s(healthy->own, AFT_SCARCE_CONTROLLER), 0.3 * 10e-3, EXACT);
    assert_within(most_s(healthy->demand, AFT_SCARCE_CONTROLLER), 0.5 * 10e-3, EXACT);
    assert_within(most_s(healthy->own, AFT_SCARCE_CACHE_ACCESS), 0.2 * 2e-3, EXACT);
    assert_within(most_s(healthy->demand, AFT_SCARCE_CACHE_ACCESS), 0.2 * 2e-3 + 0.1 * 1e-3, EXACT);
    assert_within(most_s(healthy->own, AFT_SCARCE_CAPACITY_ACCESS), 0.1 * 4e-3, EXACT);
    assert_within(most_s(healthy->demand, AFT_SCARCE_CAPACITY_ACCESS), 0.1 * (4e-3 + 8e-3), EXACT);
    /* Of five controllers with two visits each; of the disks 5 / 8 ms would be more. */
    assert_within(destage->bytes_per_s, 5.0 / 20e-3 * 8192, 1e-6);
    assert_int_equal(destage->bottleneck, AFT_SCARCE_CONTROLLER);
    assert_int_equal(destage->limit, AFT_LIMIT_SCARCE);
}

/* In a burst 40 slots are what is scarce, sustained the disks are. When all of the buffer's 1 MB is
 * dirty one write in 2.4 million meets it. */
static void what_is_sustained_has_its_destage(void **state)
{
    (void)state;
    g_auto(Case) it = TIERED("tiers.buffer=1 MB", "workload.outstanding=20", "tiers.unit=8 KiB",
                             "background.rebuild.unit=64 KiB", "background.rebalance.unit=64 KiB",
                             "background.convert.unit=64 KiB", "background.encode.unit=64 KiB");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    double capacity = 1.0 / (0.1 * 12e-3), response_s = 0.5 * 4e-3 + 0.5 * 2e-3;
    assert_within(healthy->burst.outstanding_iops, 20.0 / response_s, 0.1);
    assert_within(healthy->burst.iops, 1.0 / 0.4e-3, 0.01);
    assert_within(healthy->sustained.iops, capacity, EXACT * capacity);
    assert_within(healthy->full.iops, capacity, 1e-6 * capacity);
    assert_int_equal(healthy->sustained.bottleneck, AFT_SCARCE_CAPACITY_ACCESS);
    assert_true(isinf(healthy->burst.destage_iops));
}

/* 8 destages of 9 ms at once, in front of each of 5 disks that can write 100 at once. */
static void destages_at_once_are_a_limit(void **state)
{
    (void)state;
    g_auto(Case) it = TIERED("devices.disk.parallel=100", "devices.log.parallel=100",
                             "workload.outstanding=100000", "workload.read_share=0 %");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    double destages = 5 * 8 / 9e-3;
    assert_int_equal(healthy->destage.limit, AFT_LIMIT_DESTAGE);
    assert_within(healthy->destage.bytes_per_s, destages * 8192, 1e-3);
    assert_int_equal(healthy->sustained.limit, AFT_LIMIT_DESTAGE);
    assert_within(healthy->sustained.iops, destages, 1e-6);
    /* Full, 100 GB before 2.4 TB, one write in 24 adds nothing. */
    assert_within(healthy->full.iops, destages / (1.0 - 1.0 / 24), 1e-6);
}

/* 1,000 writes a second are as many destages, of which each disk of 40 ms does 25: 200 kB/s of
 * 1.6 MB/s a node stay. The buffer of 10 GB is at 30 %, so one write in 800 adds nothing. */
static void a_buffer_fills_by_what_is_not_destaged(void **state)
{
    (void)state;
    g_auto(Case) it = TIERED("devices.disk.write=40 ms", "tiers.buffer=10 GB", "tiers.start=30 %",
                             "workload.read_share=0 %", "workload.outstanding=1000");
    const AftBufferBounds *buffer = &state_of(&it, AFT_STATE_HEALTHY)->buffer;
    double inflow = 1000 * 8192 * (1.0 - 3.0 / 2400), outflow = 5 * 25 * 8192;
    assert_within(buffer->bytes, 50e9, 1e-3);
    assert_within(buffer->room_bytes, 35e9, 1e-3);
    assert_within(buffer->iops, 1000.0, 0.0);
    assert_within(buffer->inflow, inflow, 1e-3);
    assert_within(buffer->outflow, outflow, 1e-3);
    assert_within(buffer->fill_s, 35e9 / (inflow - outflow), 1e-6);
    g_auto(Case) slower = TIERED("devices.disk.write=40 ms", "workload.rate=124 /s",
                                 "workload.read_share=0 %", "workload.outstanding=1000");
    assert_true(isinf(state_of(&slower, AFT_STATE_HEALTHY)->buffer.fill_s));
}

/* Reads keep the disks busy for half of the time: half of 25 destages a second is left. */
static void a_destage_gets_what_clients_leave(void **state)
{
    (void)state;
    g_auto(Case) it = TIERED("devices.disk.read=5 ms", "devices.disk.write=40 ms",
                             "workload.rate=1000 /s", "workload.outstanding=1000");
    const AftBufferBounds *buffer = &state_of(&it, AFT_STATE_HEALTHY)->buffer;
    assert_within(buffer->outflow, 5 * 12.5 * 8192, 1e-3);
}

/* 40 % of the buffer of 100 GB and 20 GB of reads before 2.4 TB, of which half are in the working
 * set. */
static void reads_hit_what_is_dirty_or_warm(void **state)
{
    (void)state;
    g_auto(Case) it = TIERED("tiers.start=40 %", "devices.log.size=120 GB", "tiers.buffer=100 GB",
                             "tiers.read_share=16.6666666666666667 %", "workload.working_set=3 TB");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    double dirty = 40.0 / 1200, warm = 20.0 / 1200, hit = 1.0 - (1.0 - dirty) * (1.0 - warm);
    assert_within(healthy->read.hits, hit, EXACT);
    assert_within(healthy->read.cache_read_bytes, hit * 4096, 1e-9);
    assert_within(healthy->read.capacity_read_bytes, (1.0 - hit) * 4096, 1e-9);
    assert_within(healthy->read.response_s, hit * 1e-3 + (1.0 - hit) * 4e-3, EXACT);
    assert_within(healthy->destage.per_write, 1.0 - dirty, EXACT);
    assert_within(healthy->buffer.overwritten, dirty, EXACT);
    assert_within(most_s(healthy->own, AFT_SCARCE_CAPACITY_ACCESS), 0.1 * (1.0 - hit) * 4e-3,
                  EXACT);
}

/* Of two caches before three disks, one takes two thirds of the writes and what they leave; its
 * buffer is no larger, so its writes meet less. 8 TB of copies: 1.6 TB a node, 533 GB a disk. */
static void a_cache_with_more_behind_it_has_more_to_do(void **state)
{
    (void)state;
    g_auto(Case) it = TIERED("data.logical=4 TB", "tiers.start=50 %", "workload.read_share=0 %",
                             "cluster.node.disk_groups.cache.count=2",
                             "cluster.node.disk_groups.capacity.count=3");
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    double of_two = 1.0 - 50.0 * 3 / 3200, of_one = 1.0 - 50.0 * 3 / 1600;
    double fresh = 2.0 / 3 * of_two + 1.0 / 3 * of_one;
    assert_within(healthy->destage.per_write, fresh, EXACT);
    assert_within(most_s(healthy->own, AFT_SCARCE_CACHE_ACCESS), 2.0 / 5 * 2 / 3 * 2e-3, EXACT);
    assert_within(most_s(healthy->demand, AFT_SCARCE_CACHE_ACCESS),
                  2.0 / 5 * 2 / 3 * 2e-3 + 1.0 / 5 * 2 / 3 * of_two * 1e-3, EXACT);
    assert_within(most_s(healthy->demand, AFT_SCARCE_CAPACITY_ACCESS), 1.0 / 5 / 3 * of_two * 8e-3,
                  EXACT);
    assert_within(healthy->demand[AFT_SCARCE_CAPACITY_ACCESS].mean_s, 1.0 / 5 / 3 * fresh * 8e-3,
                  EXACT);
}

/* A log of 800 MB a node, half of a buffer, half full, before 1.6 GB of data: a quarter of the
 * writes meet what is dirty. Besides the unit whose turn it is, none, one or both of two others are
 * dirty with chances of 9, 6 and 1 of 16:
 *
 *     1 unit    reads 2, writes 2    of them remote 1 and 1
 *     2 units   reads 1, writes 3                   1 and 2
 *     3 units   reads 0, writes 4                   0 and 3
 */
static Case log_case(void)
{
    return TIERED("data.logical=8 GB", "data.protection=raid5", "tiers.parity=destage",
                  "tiers.buffer=1.6 GB", "tiers.start=50 %", "tiers.unit=2 KiB");
}

static void a_log_pays_the_parity_at_its_destage(void **state)
{
    (void)state;
    g_auto(Case) it = log_case();
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    const AftDestageCost *destage = &healthy->destage;
    assert_within(healthy->write.writes, 2.0, 0.0);
    assert_within(healthy->write.reads, 0.0, 0.0);
    assert_within(healthy->write.cache_written_bytes, 2 * 4096.0, EXACT);
    assert_within(healthy->write.network_bytes, 0.8 * 2 * 4096.0, 1e-9);
    assert_within(healthy->write.response_s, 2e-3, EXACT);
    assert_within(destage->units, 1.5, EXACT);
    assert_within(destage->bytes, 1.5 * 2048, 1e-9);
    assert_within(destage->per_write, 0.75 * 4096 / (1.5 * 2048), EXACT);
    assert_within(destage->cost.reads, 1.5 + 1.5, EXACT); /* of the log, and of members */
    assert_within(destage->cost.writes, (2 * 9 + 3 * 6 + 4) / 16.0, EXACT);
    assert_within(destage->cost.cache_read_bytes, 1.5 * 2048, 1e-9);
    assert_within(destage->cost.capacity_read_bytes, 1.5 * 2048, 1e-9);
    assert_within(destage->cost.capacity_written_bytes, 2.5 * 2048, 1e-9);
    assert_within(destage->cost.network_bytes, (15.0 / 16 + 24.0 / 16) * 2048, 1e-9);
    /* Reads of 4 ms take the log's with them, unless there are none. */
    assert_within(destage->cost.response_s, 15.0 / 16 * 4e-3 + 1.0 / 16 * 1e-3 + 8e-3, EXACT);
}

static void what_has_coalesced_is_told_apart(void **state)
{
    (void)state;
    g_auto(Case) it = log_case();
    const GArray *courses = state_of(&it, AFT_STATE_HEALTHY)->destage.cost.courses;
    const double shares[] = {9.0 / 16, 6.0 / 16, 1.0 / 16};
    assert_int_equal(courses->len, 3);
    for (guint i = 0; i < 3; i++) {
        const AftCourse *course = &g_array_index(courses, AftCourse, i);
        assert_within(course->share, shares[i], EXACT);
        assert_int_equal(course->units, i + 1);
        assert_int_equal(course->cache_reads, i + 1);
        assert_int_equal(course->n_stages, 2);
        assert_int_equal(course->reads[0], 2 - i);
        assert_int_equal(course->writes[1], 2 + i);
    }
}

/* Per write 1 destage, half of the I/Os are writes; read hits as in the log: of 1.6 GB 0.4. */
static void both_logs_and_the_plan_are_demanded(void **state)
{
    (void)state;
    g_auto(Case) it = log_case();
    const AftWorkloadState *healthy = state_of(&it, AFT_STATE_HEALTHY);
    double own_s = 0.5 * (0.25 * 1e-3 + 2 * 2e-3) / 5;
    assert_within(most_s(healthy->own, AFT_SCARCE_CACHE_ACCESS), own_s, EXACT);
    assert_within(most_s(healthy->demand, AFT_SCARCE_CACHE_ACCESS), own_s + 0.5 * 1.5 * 1e-3 / 5,
                  EXACT);
    assert_within(most_s(healthy->demand, AFT_SCARCE_CAPACITY_ACCESS),
                  0.5 * (0.75 * 4e-3 + 1.5 * 4e-3 + 2.5 * 8e-3) / 5, EXACT);
    assert_within(healthy->device_ios, 0.5 * 1 + 0.5 * 2, EXACT);
}

/* One of five nodes down: a stripe misses its unit, its parity, or nothing that a destage needs; a
 * plan that is degraded holds the coordinator. */
static void a_destage_with_a_node_down_is_degraded(void **state)
{
    (void)state;
    g_auto(Case) it = TIERED("data.protection.scheme=raid5", "data.protection.degraded=1 ms",
                             "tiers.parity=destage", "tiers.unit=4 KiB", "workload.read_share=0 %",
                             "cluster.node.controller.slots=1", "cluster.node.controller.io=1 ns");
    const AftWorkloadState *down = state_of(&it, AFT_STATE_NODE_DOWN);
    assert_within(down->write.degraded, 0.0, 0.0);
    assert_within(down->destage.cost.degraded, 2.0 / 5, EXACT);
    assert_within(down->destage.cost.writes, 1.6, EXACT);
    assert_within(down->destage.cost.reads, 1.0 + 1.6, EXACT);
    double visits = 2.0 + 1.0 + 1.6 + 1.6;
    assert_within(most_s(down->demand, AFT_SCARCE_CONTROLLER), (2.0 / 5 * 1e-3 + visits * 1e-9) / 4,
                  EXACT);
}

/* A whole stripe of 3 MiB has nothing to read, whatever has coalesced. */
static void a_full_stripe_in_the_log_is_destaged_whole(void **state)
{
    (void)state;
    g_auto(Case) it = TIERED("data.protection=raid5", "tiers.parity=destage", "tiers.unit=1 MiB",
                             "workload.block=3 MiB");
    const AftDestageCost *destage = &state_of(&it, AFT_STATE_HEALTHY)->destage;
    assert_within(destage->units, 3.0, EXACT);
    assert_within(destage->per_write, 1.0, EXACT);
    assert_within(destage->cost.reads, 3.0, EXACT);
    assert_within(destage->cost.writes, 4.0, EXACT);
    assert_within(destage->cost.capacity_read_bytes, 0.0, 0.0);
}

static void without_caches_there_is_nothing_to_destage(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = five_nodes_with((const char *const[]){NULL});
    g_autoptr(AftBounds) bounds = aft_bounds_new(scenario);
    const AftWorkloadState *healthy = &bounds->workload[0].state[AFT_STATE_HEALTHY];
    assert_within(healthy->destage.per_write, 0.0, 0.0);
    assert_null(healthy->destage.cost.courses);
    assert_within(healthy->buffer.bytes, 0.0, 0.0);
    assert_within(healthy->burst.iops, healthy->sustained.iops, 0.0);
}

/* 1 TB of RF2 a node is lost; four nodes with 100 GB buffers, 70 GB free each, take 280 GB of it,
 * the other 720 GB must be destaged: of each MiB 0.72. A unit is read at a disk (4 ms), written to
 * a cache (2 ms), destaged from there (1 ms) to a disk (8 ms). */
static void a_rebuild_destages_what_buffers_cannot_keep(void **state)
{
    (void)state;
    g_auto(Case) it = TIERED("data.logical=2.5 TB", "data.placement_groups=2500",
                             "tiers.start=30 %", "tiers.unit=1 MiB",
                             "background.rebuild.in_flight_per_node=1000", "tiers.in_flight=1000");
    const AftRebuildBounds *rebuild = &it.bounds->pool[0].rebuild;
    double unit = 1e9 / ceil(1e9 / 1048576);
    double disk_s = 4e-3 + 0.72 * unit / 1048576 * 8e-3;
    assert_within(rebuild->bytes, 1e12, 1e-3);
    assert_within(rebuild->pace.bytes_per_s, 4 * unit / disk_s, 1e-3);
    assert_int_equal(rebuild->pace.bottleneck, AFT_SCARCE_CAPACITY_ACCESS);
    /* With a log it goes directly to disks, all of it. */
    g_auto(Case) log =
        TIERED("data.logical=2.5 TB", "data.placement_groups=2500", "tiers.start=30 %",
               "tiers.parity=destage", "background.rebuild.in_flight_per_node=1000");
    assert_within(log.bounds->pool[0].rebuild.pace.bytes_per_s, 4 * unit / 12e-3, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_reads_the_cache_and_writes_the_disk),
        cmocka_unit_test(what_is_sustained_has_its_destage),
        cmocka_unit_test(destages_at_once_are_a_limit),
        cmocka_unit_test(a_buffer_fills_by_what_is_not_destaged),
        cmocka_unit_test(a_destage_gets_what_clients_leave),
        cmocka_unit_test(reads_hit_what_is_dirty_or_warm),
        cmocka_unit_test(a_cache_with_more_behind_it_has_more_to_do),
        cmocka_unit_test(a_log_pays_the_parity_at_its_destage),
        cmocka_unit_test(what_has_coalesced_is_told_apart),
        cmocka_unit_test(both_logs_and_the_plan_are_demanded),
        cmocka_unit_test(a_destage_with_a_node_down_is_degraded),
        cmocka_unit_test(a_full_stripe_in_the_log_is_destaged_whole),
        cmocka_unit_test(without_caches_there_is_nothing_to_destage),
        cmocka_unit_test(a_rebuild_destages_what_buffers_cannot_keep),
    };
    return cmocka_run_group_tests_name("tiers", tests, NULL, NULL);
}
