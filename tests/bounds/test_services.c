/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data services, space and conversions: figures worked out by hand. */
#include "cases.h"

#include <math.h>

static const AftWorkloadState *healthy_of(const Case *it)
{
    return &it->bounds->workload[0].state[AFT_STATE_HEALTHY];
}

/* One disk a node of 4.096 MB/s, so that 4 KiB take 1 ms. */
#define DISKS                                                                       \
    "devices.disk.read=1 ms", "devices.disk.write=1 ms", "devices.disk.parallel=1", \
        "devices.disk.size=4 TB", "devices.disk.read_bandwidth=4.096 MB/s",         \
        "devices.disk.write_bandwidth=4.096 MB/s",                                  \
        "cluster.node.disk_groups.capacity.device=disk",                            \
        "cluster.node.disk_groups.capacity.count=1", "data.protection=rf2",         \
        "workload.read_share=50 %"
#define CACHES                                                                                 \
    "devices.log.read=1 ms", "devices.log.write=1 ms", "devices.log.parallel=1",               \
        "devices.log.size=100 GB", "devices.log.read_bandwidth=8.192 MB/s",                    \
        "devices.log.write_bandwidth=8.192 MB/s", "cluster.node.disk_groups.cache.device=log", \
        "cluster.node.disk_groups.cache.count=1", "tiers.start=0 %", "tiers.unit=8 KiB"
#define CONTROLLER                                                        \
    "cluster.node.controller.slots=1", "cluster.node.controller.io=1 ms", \
        "cluster.node.controller.per_mib=256 ms" /* 2 ms for 4 KiB */

/* A read: 1 visit and 0.5 + 128 ms / 256 at the coordinator; half a map read of 4 KiB and data of
 * 1 KiB on the disk, after 3 ms of delay. A write: 2 visits, 1 ms at the coordinator, and each copy
 * has 1.5 map writes and 1 KiB. */
static void an_inline_service_is_paid_for_by_both(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE(DISKS, CONTROLLER, "data.services.compression.read_delay=3 ms",
             "data.services.compression.write_delay=4 ms", "data.services.compression.io=500 us",
             "data.services.compression.per_mib=128 ms",
             "data.services.compression.metadata_reads=0.5",
             "data.services.compression.metadata_writes=1.5",
             "data.services.compression.ratio=0.25");
    const AftWorkloadState *healthy = healthy_of(&it);
    double read_disk_s = 0.5 * 2e-3 + 1.25e-3, write_disk_s = 1.5 * 2e-3 + 1.25e-3;
    assert_within(healthy->read.map_ios, 0.5, EXACT);
    assert_within(healthy->read.capacity_read_bytes, 0.5 * 4096 + 1024, EXACT);
    assert_within(healthy->write.map_ios, 3.0, EXACT);
    assert_within(healthy->write.capacity_written_bytes, 2 * (1.5 * 4096 + 1024), EXACT);
    assert_within(healthy->write.controller_bytes, 2 * 4096.0, EXACT);
    assert_within(healthy->device_ios, 0.5 * 1.5 + 0.5 * 5, EXACT);
    assert_within(healthy->read.response_s, 2e-3 + read_disk_s + 3e-3 + 1e-3, EXACT);
    assert_within(healthy->write.response_s, 1e-3 + 2e-3 + write_disk_s + 4e-3, EXACT);
    assert_within(healthy->demand[AFT_SCARCE_CONTROLLER].mean_s,
                  (0.5 * (2e-3 + 1e-3) + 0.5 * (4e-3 + 1e-3)) / 5, EXACT);
    assert_within(healthy->demand[AFT_SCARCE_CAPACITY_ACCESS].mean_s,
                  (0.5 * read_disk_s + 0.5 * 2 * write_disk_s) / 5, EXACT);
    assert_within(healthy->demand[AFT_SCARCE_CAPACITY_TRANSFER].mean_s,
                  (0.5 * 0.75e-3 + 0.5 * 2 * 1.75e-3) / 5, EXACT);
}

/* Dedupe inline makes 4 KiB 2 KiB on the cache; compression at destage 1 KiB of it on the disk, and
 * holds the destage's second visit. What two copies leave is half a unit. */
static void a_service_at_destage_is_paid_for_by_the_destage(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE(DISKS, CACHES, CONTROLLER, "data.services.dedupe.ratio=0.5",
             "data.services.compression.ratio=0.5", "data.services.compression.when=destage",
             "data.services.compression.io=7 ms", "data.services.compression.per_mib=128 ms",
             "data.services.compression.metadata_writes=2");
    const AftWorkloadState *healthy = healthy_of(&it);
    assert_within(healthy->write.cache_written_bytes, 2 * 2048.0, EXACT);
    assert_within(healthy->write.map_ios, 0.0, 0.0);
    assert_within(healthy->write.response_s, 2e-3 + 1.25e-3, EXACT);
    assert_within(healthy->destage.per_write, 0.5, EXACT);
    assert_within(healthy->destage.cost.map_ios, 2.0, EXACT);
    assert_within(healthy->destage.cost.cache_read_bytes, 8192.0, EXACT);
    assert_within(healthy->destage.cost.capacity_written_bytes, 4096.0 + 2 * 4096, EXACT);
    /* Visits of 3 ms for 8 KiB, 7 + 1 ms for the service; 2 ms at the cache, 2 + 2 x 2 ms at the
     * disk. */
    assert_within(healthy->destage.cost.response_s, 2 * 3e-3 + 8e-3 + 2e-3 + 6e-3, EXACT);
    /* A client's read holds the coordinator for 7 ms + 128 ms / 256 just the same. */
    assert_within(healthy->own[AFT_SCARCE_CONTROLLER].mean_s,
                  (0.5 * (2e-3 + 7.5e-3) + 0.5 * 4e-3) / 5, EXACT);
    assert_within(healthy->demand[AFT_SCARCE_CONTROLLER].mean_s,
                  (0.5 * (2e-3 + 7.5e-3) + 0.5 * 4e-3 + 0.25 * 14e-3) / 5, EXACT);
}

static void assert_same_demands(const AftDemand *demand, const AftDemand *expected)
{
    for (guint s = 0; s < AFT_SCARCES; s++) {
        assert_within(demand[s].mean_s, expected[s].mean_s, 0.0);
        assert_within(demand[s].most_s, expected[s].most_s, 0.0);
    }
}

static void assert_same_bounds(const AftBounds *bounds, const AftBounds *expected)
{
    for (guint state = 0; state < AFT_STATES; state++) {
        const AftWorkloadState *it = &bounds->workload[0].state[state];
        const AftWorkloadState *other = &expected->workload[0].state[state];
        assert_same_demands(it->own, other->own);
        assert_same_demands(it->demand, other->demand);
        assert_within(it->sustained.iops, other->sustained.iops, 0.0);
        assert_within(it->burst.iops, other->burst.iops, 0.0);
        assert_within(it->write.response_s, other->write.response_s, 0.0);
        assert_within(it->write.cache_written_bytes, other->write.cache_written_bytes, 0.0);
        assert_within(it->destage.per_write, other->destage.per_write, 0.0);
        assert_within(it->buffer.inflow, other->buffer.inflow, 0.0);
    }
    assert_within(bounds->pool[0].rebuild.pace.bytes_per_s,
                  expected->pool[0].rebuild.pace.bytes_per_s, 0.0);
    assert_within(bounds->stored_bytes, expected->stored_bytes, 0.0);
}

static void a_service_that_does_nothing_changes_nothing(void **state)
{
    (void)state;
    static const char *const parities[] = {"tiers.parity=front", "tiers.parity=destage"};
    static const char *const whens[] = {"data.services.compression.when=inline",
                                        "data.services.compression.when=destage"};
    for (guint i = 0; i < 4; i++) {
        g_auto(Case) off = CASE(DISKS, CACHES, CONTROLLER, parities[i % 2], "tiers.start=40 %");
        g_auto(Case) on =
            CASE(DISKS, CACHES, CONTROLLER, parities[i % 2], "tiers.start=40 %", whens[i / 2],
                 "data.services.compression=on", "data.services.dedupe=on",
                 "data.services.dedupe.ratio=1", "data.services.dedupe.background_factor=1");
        assert_same_bounds(on.bounds, off.bounds);
    }
}

/* A unit: 1 read and 1 write, 4 visits' worth of 10 + 10 ms a MiB on four controllers, times 1.5.
 */
static void background_units_cost_their_factor(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("data.protection=rf2", "data.placement_groups=4096", "cluster.node.controller.slots=1",
             "cluster.node.controller.io=10 ms", "cluster.node.controller.per_mib=10 ms",
             "background.rebuild.in_flight_per_node=64",
             "data.services.compression.background_factor=1.5", "data.services.compression.io=1 s",
             "data.services.compression.ratio=0.5");
    const AftRebuildBounds *rebuild = &it.bounds->pool[0].rebuild;
    double member = 6e12 / 4096, units = ceil(member / 1048576.0), unit = member / units;
    double unit_s = 2 * (10e-3 + 10e-3 * unit / 1048576.0) * 1.5;
    assert_within(rebuild->pace.bytes_per_s, 4 * unit / unit_s, 1e-3);
    assert_within(rebuild->bytes, 2.4e12, 1.0); /* members, before services */
}

static void space_is_what_services_leave(void **state)
{
    (void)state;
    g_auto(Case) it = CASE("data.services.dedupe.ratio=0.8", "data.services.compression.ratio=0.5");
    assert_within(it.bounds->protected_bytes, 8e12, 1.0);
    assert_within(it.bounds->stored_bytes, 3.2e12, 1.0);
    assert_within(it.bounds->saved_bytes, 12e12 - 3.2e12, 1.0);
    g_auto(Case) copies = CASE("data.protection=rf3");
    assert_within(copies.bounds->saved_bytes, -6e12, 1.0);
}

/* 8 TB of members on 5 nodes with 2 groups of 3 disks each: 267 GB a disk. Alone the rebuild of a
 * disk may use all five nodes, that of a node four. */
static void dedupe_takes_the_group_with_the_device(void **state)
{
    (void)state;
    g_auto(Case) plain = CASE("cluster.node.disk_groups.count=2",
                              "cluster.node.disk_groups.capacity.count=3", "data.protection=raid5");
    const AftPoolBounds *pool = &plain.bounds->pool[0];
    assert_int_equal(pool->device.domain, AFT_FAILURE_DEVICE);
    assert_within(pool->device.bytes, 8e12 / 30, 1.0);
    assert_within(pool->device.pace.bytes_per_s / pool->rebuild.pace.bytes_per_s, 5.0 / 4, EXACT);
    g_auto(Case) dedupe =
        CASE("cluster.node.disk_groups.count=2", "cluster.node.disk_groups.capacity.count=3",
             "data.protection=raid5", "data.services.dedupe=on");
    assert_int_equal(dedupe.bounds->pool[0].device.domain, AFT_FAILURE_GROUP);
    assert_within(dedupe.bounds->pool[0].device.bytes, 8e12 / 10, 1.0);
}

static const AftConversionBounds *conversion_of(const Case *it, guint index)
{
    assert_true(index < it->bounds->conversions->len);
    return &g_array_index(it->bounds->conversions, AftConversionBounds, index);
}

static void assert_moves(const AftConversionBounds *it, double read, double written, double network)
{
    double logical = (double)it->pool->logical_bytes;
    assert_within(it->read_bytes, read * logical, EXACT * logical);
    assert_within(it->written_bytes, written * logical, EXACT * logical);
    assert_within(it->network_bytes, network * logical, EXACT * logical);
}

/* Of one byte: a copy more; four become a stripe of six, whose data stays, or does not; and back,
 * by a copy more; a copy less is nothing to do. */
static void conversions_read_once_and_write_what_is_new(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("cluster.nodes=8", "data.logical=12.57 TB", "data.protection=rf2",
             "data.placement_groups=4096", "timeline[2].at=5 h",
             "timeline[2].set.data.protection=rf3", "timeline[3].at=6 h",
             "timeline[3].set.data.protection.scheme=ec", "timeline[3].set.data.protection.data=4",
             "timeline[3].set.data.protection.parity=2", "timeline[4].at=7 h",
             "timeline[4].set.data.protection=rf3", "timeline[5].at=8 h",
             "timeline[5].set.data.protection.scheme=ec", "timeline[5].set.data.protection.data=4",
             "timeline[5].set.data.protection.parity=2",
             "timeline[5].set.data.protection.rewrite=strip", "timeline[6].at=9 h",
             "timeline[6].set.data.protection=rf2", "timeline[7].at=10 h",
             "timeline[7].set.data.protection=rf3", "timeline[8].at=11 h",
             "timeline[8].set.data.protection=rf2");
    assert_int_equal(it.bounds->conversions->len, 7);
    assert_moves(conversion_of(&it, 0), 1.0, 1.0, 1.0);            /* rf2, rf3 */
    assert_moves(conversion_of(&it, 1), 1.0, 0.5, 1.0 + 0.25);     /* rf3, 4+2 */
    assert_moves(conversion_of(&it, 2), 1.0, 2.0, 1.0 + 1.0);      /* 4+2, rf3 */
    assert_moves(conversion_of(&it, 3), 1.0, 1.5, 7.0 / 8 + 1.25); /* rf3, 4+2 anew */
    assert_moves(conversion_of(&it, 4), 1.0, 1.0, 1.0);            /* 4+2, rf2 */
    assert_moves(conversion_of(&it, 6), 0.0, 0.0, 0.0);            /* rf3, rf2 */
    assert_within(conversion_of(&it, 6)->pace.duration_s, 0.0, 0.0);
    assert_within(conversion_of(&it, 1)->stored_before, 37.71e12, 1e3);
    assert_within(conversion_of(&it, 1)->stored_after, 18.855e12, 1e3);
}

/* Parity of four members of 1 GB: 4 read and 2 written, each 1 MiB or so, 2 ms; six visits' worth
 * over eight disks for two written. */
static void a_conversion_takes_what_its_scarcest_part_takes(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("cluster.nodes=8", "devices.disk.read=2 ms", "devices.disk.write=2 ms",
             "devices.disk.parallel=1", "devices.disk.size=4 TB", "data.logical=4 TB",
             "data.placement_groups=4000", "cluster.node.disk_groups.capacity.device=disk",
             "cluster.node.disk_groups.capacity.count=1", "data.protection=rf3",
             "background.convert.in_flight_per_node=1000", "timeline[2].at=5 h",
             "timeline[2].set.data.protection.scheme=ec", "timeline[2].set.data.protection.data=4",
             "timeline[2].set.data.protection.parity=2");
    const AftConversionBounds *conversion = conversion_of(&it, 0);
    double unit = 1e9 / ceil(1e9 / 1048576);
    assert_int_equal(conversion->pace.limit, AFT_LIMIT_SCARCE);
    assert_int_equal(conversion->pace.bottleneck, AFT_SCARCE_CAPACITY_ACCESS);
    assert_within(conversion->pace.bytes_per_s, 2 * unit * 8 / (6 * 2e-3), 1e-3);
    assert_within(conversion->pace.duration_s, 2e12 / conversion->pace.bytes_per_s, 1e-6);
}

static void what_is_encoded_later_is_told_as_an_encoding(void **state)
{
    (void)state;
    g_auto(Case) it =
        CASE("cluster.nodes=7", "data.protection.scheme=rf-then-encode", "data.protection.copies=3",
             "data.protection.data=4", "data.protection.parity=2",
             "background.encode.bandwidth=1 MB/s", "data.logical=1 TB");
    const AftConversionBounds *encoding = conversion_of(&it, 0);
    assert_null(encoding->action);
    assert_moves(encoding, 1.0, 0.5, 1.25);
    assert_within(encoding->stored_before, 3e12, 1.0);
    assert_within(encoding->stored_after, 1.5e12, 1.0);
    assert_int_equal(encoding->pace.limit, AFT_LIMIT_BANDWIDTH);
    assert_within(encoding->pace.duration_s, 5e5, 1e-6);
    /* Until then its clients meet copies. */
    assert_within(healthy_of(&it)->write.writes, 3.0, EXACT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_inline_service_is_paid_for_by_both),
        cmocka_unit_test(a_service_at_destage_is_paid_for_by_the_destage),
        cmocka_unit_test(a_service_that_does_nothing_changes_nothing),
        cmocka_unit_test(background_units_cost_their_factor),
        cmocka_unit_test(space_is_what_services_leave),
        cmocka_unit_test(dedupe_takes_the_group_with_the_device),
        cmocka_unit_test(conversions_read_once_and_write_what_is_new),
        cmocka_unit_test(a_conversion_takes_what_its_scarcest_part_takes),
        cmocka_unit_test(what_is_encoded_later_is_told_as_an_encoding),
    };
    return cmocka_run_group_tests_name("services", tests, NULL, NULL);
}
