/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where members want to live while nodes come and go, without anything that moves them. */
#include "cluster.h"

typedef struct {
    Cluster *cluster;
    AftPool *pool;
    AftStream stream;
} Fixture;

static guint node_of(const AftPool *pool, guint32 device)
{
    return pool->topology->devices[device].node;
}

static gboolean contains(const guint32 *nodes, guint n, guint32 node)
{
    for (guint i = 0; i < n; i++) {
        if (nodes[i] == node) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Homes are the best nodes, each once. Who is on one stays, whoever was wanted on one still is,
 * unless another is there already. */
static void check_homes(const AftPool *pool, guint group, const guint32 *before)
{
    guint32 best[AFT_WIDTH_MOST], at[AFT_WIDTH_MOST], homes[AFT_WIDTH_MOST];
    AftPlaces places = cluster_places(pool);
    guint n = aft_placement_rank(&places, group, pool->width, best), given = 0;
    for (guint m = 0; m < pool->width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        at[m] = node_of(pool, member->device);
        homes[m] = member->home;
        if (member->home != AFT_NOWHERE) {
            assert_true(contains(best, n, member->home));
            assert_false(contains(homes, m, member->home));
            given++;
        }
    }
    assert_int_equal(given, n);
    for (guint m = 0; m < pool->width; m++) {
        if (contains(best, n, at[m])) {
            assert_int_equal(homes[m], at[m]);
        } else if (contains(best, n, before[m]) && !contains(at, pool->width, before[m])) {
            assert_int_equal(homes[m], before[m]);
        }
    }
}

static void rehome_all(Fixture *it)
{
    for (guint group = 0; group < it->pool->n_groups; group++) {
        guint32 before[AFT_WIDTH_MOST];
        gboolean differs = FALSE;
        for (guint m = 0; m < it->pool->width; m++) {
            before[m] = aft_pool_member(it->pool, group, m)->home;
        }
        gboolean changed = aft_pool_rehome(it->pool, group);
        for (guint m = 0; m < it->pool->width; m++) {
            differs |= aft_pool_member(it->pool, group, m)->home != before[m];
        }
        assert_int_equal(changed, differs);
        check_homes(it->pool, group, before);
        assert_false(aft_pool_rehome(it->pool, group));
    }
}

/* Some members arrive where they are wanted, if nobody of their group is there. */
static void move_some(Fixture *it)
{
    AftPool *pool = it->pool;
    for (guint group = 0; group < pool->n_groups; group++) {
        AftMember *member =
            aft_pool_member(pool, group, (guint)aft_stream_below(&it->stream, pool->width));
        gboolean taken = FALSE;
        for (guint m = 0; m < pool->width; m++) {
            taken |= node_of(pool, aft_pool_member(pool, group, m)->device) == member->home;
        }
        if (member->home != AFT_NOWHERE && !taken) {
            member->device = aft_pool_device_on(pool, group, member, INFINITY);
        }
    }
}

static void homes_change_no_more_than_they_must(void **state)
{
    (void)state;
    Fixture it = {.cluster = CLUSTER("cluster.nodes=9", "data.protection=raid6")};
    it.pool = cluster_pool(it.cluster);
    aft_stream_init(&it.stream, 1, 0, "test.pool", 0);
    const guint8 *in = it.cluster->model->topology.in;
    for (guint step = 0; step < 400; step++) {
        guint node = (guint)aft_stream_below(&it.stream, 9);
        if (in[node]) {
            aft_topology_hold_node(&it.cluster->model->topology, node, AFT_HOLD_OUT);
        } else {
            aft_topology_release_node(&it.cluster->model->topology, node, AFT_HOLD_OUT);
        }
        rehome_all(&it);
        move_some(&it);
    }
    cluster_free(it.cluster);
}

static void devices_of_a_node_win_by_their_size(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("data.placement_groups=20000", "data.protection=none",
                               "cluster.node.disk_groups[0].capacity.device=disk",
                               "cluster.node.disk_groups[0].capacity.count=1",
                               "cluster.node.disk_groups[1].capacity.device=disk",
                               "cluster.node.disk_groups[1].capacity.count=1",
                               "cluster.node.disk_groups[1].capacity.size=30 GB",
                               "cluster.node.disk_groups[1].cache.device=sas-ssd-write");
    const AftPool *pool = cluster_pool(cluster);
    guint small = 0;
    for (guint i = 0; i < pool->n_groups; i++) {
        const AftDevice *device = &cluster->model->topology.devices[pool->members[i].device];
        assert_false(device->cache);
        small += device->size_bytes == G_GUINT64_CONSTANT(10000000000) ? 1 : 0;
    }
    /* A quarter; binomial, 4 standard errors. */
    assert_within(small, 5000.0, 4.0 * sqrt(20000.0 * 0.25 * 0.75));
    cluster_free(cluster);
}

static void nothing_is_placed_on_a_full_device(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("cluster.node.disk_groups.capacity.size=1 GB");
    AftPool *pool = cluster_pool(cluster);
    AftDevice *devices = cluster->model->topology.devices;
    const double member = 2097152.0;
    assert_within(pool->member_bytes, member, 0.0);
    devices[0].used_bytes = 0.95e9 - member;
    devices[1].used_bytes = 0.95e9 - member + 1.0;
    const AftMember wanted = {.home = 0, .seat = AFT_NOWHERE};
    for (guint group = 0; group < 64; group++) {
        assert_int_equal(aft_pool_device_on(pool, group, &wanted, 0.95), 0);
    }
    devices[0].used_bytes += 1.0;
    assert_int_equal(aft_pool_device_on(pool, 0, &wanted, 0.95), AFT_NOWHERE);
    cluster_free(cluster);
}

/* Of S bytes w written ones, wherever they fall, touch S (1 - exp(-w / S)). */
static void what_was_missed_saturates_at_the_member(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("data.placement_groups=64");
    AftPool *pool = cluster_pool(cluster);
    const double size = 2097152.0;
    pool->hot_chunks = pool->n_chunks;
    pool->written_bytes = 1e9;
    assert_within(aft_pool_missed_bytes(pool, 0, 1e9), 0.0, 0.0);
    assert_within(aft_pool_missed_bytes(pool, 0, 1e9 - 4096.0),
                  4096.0 - 4096.0 * 4096.0 / 2.0 / size, 0.01);
    assert_within(aft_pool_missed_bytes(pool, 0, 1e9 - size), size * (1.0 - exp(-1.0)), 0.01);
    assert_within(aft_pool_missed_bytes(pool, 0, 0.0), size, 0.01);
    pool->written_bytes = 0.0;
    cluster_free(cluster);
}

/* Two nodes hold 96 % of what they can, above the 95 % of cluster.full: whoever writes waits, reads
 * go on. Two more nodes take half of it, and what waited is written. */
static void writes_wait_where_devices_are_full(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("cluster.nodes=2", "data.protection=rf2", "data.logical=1920 MB",
                               "cluster.node.disk_groups.capacity.count=1",
                               "cluster.node.disk_groups.capacity.size=2 GB", "workload.kind=paced",
                               "workload.vms=2", "workload.rate=100 /s", "workload.outstanding=64",
                               "timeline[0].at=60 s", "timeline[0].add.nodes=2",
                               "run.until=duration", "run.duration=10 min");
    cluster_run(cluster, 30.0);
    gint64 reads = cluster->completed[0];
    assert_int_equal(cluster->model->topology.n_full, 2);
    assert_int_equal(cluster->completed[1], 0);
    assert_true(aft_model_flags(cluster->model) & AFT_FLAG_READ_ONLY);
    cluster_run(cluster, 60.0);
    assert_int_equal(cluster->completed[1], 0);
    assert_true(reads > 0);
    cluster_run(cluster, 600.0);
    assert_int_equal(cluster->model->topology.n_full, 0);
    assert_false(aft_model_flags(cluster->model) & AFT_FLAG_READ_ONLY);
    assert_int_equal(aft_phases_owed(cluster->model), 0);
    assert_true(cluster->completed[1] > 0);
    assert_true(cluster->longest_ns >
                59 * SECOND_NS); /* the first writes came in the first second */
    cluster_free(cluster);
}

/* The same, but devices are full at half, and data moves slowly: those of the old nodes stay full
 * until half of it is gone. Writes to groups that are on new nodes alone do not wait for that. */
static void writes_go_on_where_data_has_left_full_devices(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("cluster.nodes=2", "data.protection=rf2", "data.logical=1920 MB",
                               "cluster.node.disk_groups.capacity.count=1",
                               "cluster.node.disk_groups.capacity.size=2 GB", "cluster.full=50 %",
                               "workload.kind=paced", "workload.vms=2", "workload.rate=100 /s",
                               "workload.outstanding=64", "background.rebalance.bandwidth=10 MB/s",
                               "timeline[0].at=60 s", "timeline[0].add.nodes=2");
    cluster_run(cluster, 60.0);
    assert_int_equal(cluster->completed[1], 0);
    cluster_run(cluster, 120.0);
    assert_int_equal(cluster->model->topology.n_full, 2);
    assert_true(cluster->completed[1] > 0);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(homes_change_no_more_than_they_must),
        cmocka_unit_test(devices_of_a_node_win_by_their_size),
        cmocka_unit_test(nothing_is_placed_on_a_full_device),
        cmocka_unit_test(what_was_missed_saturates_at_the_member),
        cmocka_unit_test(writes_wait_where_devices_are_full),
        cmocka_unit_test(writes_go_on_where_data_has_left_full_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
