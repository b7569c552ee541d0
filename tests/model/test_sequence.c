/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines that read and write block after block. */
#include "chunks.h"
#include "cluster.h"
#include "sequence.h"

#define ONE_SLOT "workload.kind=closed", "workload.vms=1", "workload.outstanding=1"
#define BLOCKS   "workload.access=sequential", "workload.block=64 KiB"
#define CHUNK    6291456u /* bytes: 384 MiB in 64 groups */
#define BLOCK    65536u

/* The machine's streams in turn, each from its part on, to the end and again. */
static void check_walk(guint vms, guint streams, guint machine)
{
    g_autofree char *machines = g_strdup_printf("workload.vms=%u", vms);
    g_autofree char *slots = g_strdup_printf("workload.outstanding=%u", vms);
    g_autofree char *several = g_strdup_printf("workload.streams=%u", streams);
    Cluster *cluster =
        CLUSTER("workload.kind=closed", "workload.think=1 h", BLOCKS, machines, slots, several);
    AftVm *vm = &cluster->model->clients[0].vms[machine];
    guint64 part = 64ull * CHUNK / vms, begin = part * machine;
    for (guint64 i = 0; i < 2 * part / BLOCK; i++) {
        AftSpot spot = aft_sequence_next(vm, BLOCK);
        guint64 at = part / streams * (i % streams) + i / streams * BLOCK;
        assert_int_equal((guint64)spot.chunk * CHUNK + spot.offset, begin + at % part);
    }
    cluster_free(cluster);
}

static void streams_walk_through_the_part_of_their_machine(void **state)
{
    (void)state;
    check_walk(1, 1, 0);
    check_walk(4, 1, 0);
    check_walk(4, 1, 3);
    check_walk(2, 4, 1);
    check_walk(64, 2, 63);
}

static void machines_that_share_a_chunk_begin_apart(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("workload.kind=closed", "workload.think=1 h", BLOCKS, "workload.vms=4",
                "workload.outstanding=4", "workload.working_set=12 MiB");
    for (guint i = 0; i < 4; i++) {
        AftSpot spot = aft_sequence_next(&cluster->model->clients[0].vms[i], BLOCK);
        assert_int_equal(spot.chunk, i / 2);
        assert_int_equal(spot.offset, i % 2 * CHUNK / 2);
    }
    cluster_free(cluster);
}

/* Stripes of 3 units of 1 MiB; byte by byte through units, then stripes; on their devices, members
 * are read from one end to the other. */
static void bytes_of_a_chunk_are_where_stripes_have_them(void **state)
{
    (void)state;
    static const struct {
        guint64 offset;
        guint unit;
        guint64 place;
    } cases[] = {{0, 0, 0},
                 {65536, 0, 65536},
                 {1048576, 1, 0},
                 {3145727, 2, 1048575},
                 {3145728, 0, 1048576},
                 {6291455, 2, 2097151}};
    Cluster *cluster = CLUSTER(NULL);
    const AftPool *pool = cluster_pool(cluster);
    assert_int_equal(aft_chunk_bytes(pool), CHUNK);
    guint64 begin = aft_chunk_find(pool, 5, 0).place;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        AftPlaceInChunk found = aft_chunk_find(pool, 5, cases[i].offset);
        assert_int_equal(found.group, 5);
        assert_int_equal(found.unit, cases[i].unit);
        assert_int_equal(found.place - begin, cases[i].place);
        assert_within(found.position, (double)cases[i].offset / CHUNK, 0.0);
    }
    cluster_free(cluster);
}

static gint64 service_ns(const Cluster *cluster)
{
    const AftTopology *topology = &cluster->model->topology;
    gint64 sum = 0;
    for (guint i = 0; i < topology->n_devices; i++) {
        AftStationSums sums;
        aft_station_sums(topology->devices[i].station, &sums);
        sum += (gint64)sums.class[AFT_CLASS_CLIENT].service_ns;
    }
    return sum;
}

/* Reads of 100 us, of 10 us where one follows the other; a chunk is 96 blocks on one device. */
static void what_follows_takes_less(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(ONE_SLOT, BLOCKS, "data.protection=none",
                               "workload.read_share=100 %", "devices.disk.sequential=10 %");
    cluster_run(cluster, 96 * 10e-6 + 90e-6 + 1e-9); /* the first chunk */
    assert_int_equal(cluster->completed[0], 96);
    cluster_run(cluster, 64 * (96 * 10e-6 + 90e-6) + 1e-9);
    assert_int_equal(cluster->completed[0], 64 * 96);
    cluster_free(cluster);
}

/* A read of old data and parity goes before each write, at the same place: neither follows. */
static void reads_and_writes_do_not_follow_each_other(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(ONE_SLOT, BLOCKS, "workload.read_share=0 %", "devices.disk.sequential=10 %");
    cluster_run(cluster, 1.0);
    gint64 writes = cluster->completed[1];
    assert_int_equal(writes, 3333);
    assert_within((double)service_ns(cluster), (double)writes * 600e3, 600e3);
    cluster_free(cluster);
}

/* Two streams a long way apart on one device, in turn, move its head each time. */
static void streams_in_turn_do_not_follow_each_other(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(ONE_SLOT, BLOCKS, "data.protection=none", "workload.read_share=100 %",
                "workload.streams=2", "workload.working_set=6 MiB", "devices.disk.sequential=10 %");
    cluster_run(cluster, 0.1 + 1e-9);
    assert_int_equal(cluster->completed[0], 1000);
    cluster_free(cluster);
}

/* At random, the chance to be within a track of where the last was is not looked at. */
static void what_goes_anywhere_follows_nothing(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(ONE_SLOT, "data.protection=none", "workload.read_share=100 %",
                               "workload.working_set=6 MiB", "devices.disk.sequential=10 %");
    cluster_run(cluster, 0.1 + 1e-9);
    assert_int_equal(cluster->completed[0], 1000);
    cluster_free(cluster);
}

/* Several at once pass a controller in another order, and are near all the same. */
static void a_queue_of_what_follows_is_in_sequence(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("workload.kind=closed", "workload.vms=1", "workload.outstanding=8", BLOCKS,
                "data.protection=none", "workload.read_share=100 %", "devices.disk.sequential=10 %",
                "cluster.node.controller.slots=8", "cluster.node.controller.io=20 us");
    cluster_run(cluster, 1.0);
    double reads = (double)cluster->completed[0];
    /* One of 96 begins a chunk, and up to 8 of those before it come behind. */
    assert_true((double)service_ns(cluster) < reads * 10e3 + reads / 96.0 * 9.0 * 90e3);
    cluster_free(cluster);
}

/* With two of five nodes gone RAID-5 loses groups; streams go on behind them. */
static void lost_chunks_are_passed(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("workload.kind=closed", "workload.vms=1", "workload.outstanding=2", BLOCKS,
                "workload.on=0", "cluster.detect=1 s", "background.rebuild.delay=1 h",
                "timeline[0].at=1 s", "timeline[0].fail=node 2", "timeline[1].at=1 s",
                "timeline[1].fail=node 3");
    AftVm *vm = &cluster->model->clients[0].vms[0];
    cluster_run(cluster, 5.0);
    const AftWorkingSet *set = cluster->model->clients[0].set;
    guint seen[64] = {0};
    assert_true(set->n_live < 64);
    for (guint i = 0; i < 64 * 96; i++) {
        seen[aft_sequence_next(vm, BLOCK).chunk]++;
    }
    for (guint chunk = 0; chunk < 64; chunk++) {
        assert_true(aft_working_set_has(set, chunk) ? seen[chunk] >= 96 : seen[chunk] == 0);
    }
    cluster_free(cluster);
}

/* Written block by block to logs, stripes are destaged whole: 4 units written for 3, none read. */
static void what_is_written_in_sequence_is_destaged_in_stripes(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(ONE_SLOT, "workload.access=sequential", "workload.block=16 KiB",
                "workload.read_share=0 %", "data.protection.stripe_unit=16 KiB",
                "devices.log.read=20 us", "devices.log.write=30 us",
                "devices.log.spread=deterministic", "devices.log.size=8 MB",
                "cluster.node.disk_groups.cache.device=log", "tiers.parity=destage",
                "tiers.unit=16 KiB", "tiers.low=50 %", "tiers.start=0 %", "tiers.delay_max=0 s");
    cluster_run(cluster, 20.0);
    guint64 served = 0;
    gint64 busy_ns = 0;
    for (guint i = 0; i < cluster->model->topology.n_devices; i++) {
        const AftDevice *device = &cluster->model->topology.devices[i];
        AftStationSums sums;
        aft_station_sums(device->station, &sums);
        if (!device->cache) {
            served += sums.class[AFT_CLASS_DESTAGE].served;
            busy_ns += (gint64)sums.class[AFT_CLASS_DESTAGE].service_ns;
        }
    }
    double units = aft_model_destaged_bytes(cluster->model) / 16384.0;
    assert_true(units > 10000.0);
    /* Writes all, but where a disk has less than a stripe waiting for it: once in hundreds. */
    assert_within((double)busy_ns, (double)served * 200e3, 0.005 * (double)served * 200e3);
    assert_within((double)served / units, 4.0 / 3.0, 0.01);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_walk_through_the_part_of_their_machine),
        cmocka_unit_test(machines_that_share_a_chunk_begin_apart),
        cmocka_unit_test(bytes_of_a_chunk_are_where_stripes_have_them),
        cmocka_unit_test(what_follows_takes_less),
        cmocka_unit_test(reads_and_writes_do_not_follow_each_other),
        cmocka_unit_test(streams_in_turn_do_not_follow_each_other),
        cmocka_unit_test(what_goes_anywhere_follows_nothing),
        cmocka_unit_test(a_queue_of_what_follows_is_in_sequence),
        cmocka_unit_test(lost_chunks_are_passed),
        cmocka_unit_test(what_is_written_in_sequence_is_destaged_in_stripes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
