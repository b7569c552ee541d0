/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Skips by hand: one disk that takes exactly 10 ms a read, and machines whose clocks tick evenly,
 * so that every pace is known beforehand. */
#include "cluster.h"

#include <aftershock/model/pace.h>

#define ONE_DISK                                                                               \
    "cluster.nodes=1", "cluster.node.disk_groups.capacity.count=1", "devices.disk.read=10 ms", \
        "data.placement_groups=1", "data.protection=none", "workload.kind=paced",              \
        "workload.pacing=even", "workload.read_share=100 %", "workload.block=4 KiB"

static void window(Cluster *cluster, AftPace *pace, double length_s)
{
    aft_pace_begin(pace);
    cluster_run(cluster, (double)cluster_now(cluster) / 1e9 + length_s);
    aft_pace_end(pace);
}

static void skip_by(Cluster *cluster, AftPace *pace, double by_s)
{
    aft_pace_skip(pace, (gint64)(by_s * 1e9));
    aft_model_audit(cluster->model);
}

static gint64 owed_by(const Cluster *cluster, guint client, guint vm)
{
    return cluster->model->clients[client].vms[vm].owed.count;
}

static gint64 owed(const Cluster *cluster)
{
    return aft_model_moment(cluster->model).owed;
}

/* 150 arrive and 100 are served a second. */
static void owed_work_moves_as_it_did_in_windows(void **state G_GNUC_UNUSED)
{
    Cluster *cluster =
        CLUSTER(ONE_DISK, "workload.vms=2", "workload.rate=150 /s", "workload.outstanding=8");
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 20.0);
    for (guint i = 0; i < 3; i++) {
        window(cluster, pace, 10.0);
    }
    gint64 before = owed(cluster), served = aft_model_completed(cluster->model);
    gint64 engine_ns = aft_engine_now(cluster->engine);
    guint in_flight = aft_model_moment(cluster->model).in_flight;
    skip_by(cluster, pace, 40.0);
    assert_within((double)(owed(cluster) - before), 40.0 * 50.0, 4.0);
    assert_within((double)(aft_model_completed(cluster->model) - served), 40.0 * 100.0, 4.0);
    assert_within((double)cluster_now(cluster) / 1e9, 90.0, 1e-9);
    assert_true(aft_engine_now(cluster->engine) == engine_ns);
    assert_int_equal(aft_model_moment(cluster->model).in_flight, in_flight);
    /* And it goes on from there. */
    before = owed(cluster);
    cluster_run(cluster, 100.0);
    assert_within((double)(owed(cluster) - before), 10.0 * 50.0, 4.0);
    cluster_free(cluster);
}

/* Four slots and three share the disk's 100 a second; 75 arrive at either machine. */
static void machines_that_are_served_unevenly_owe_unevenly(void **state G_GNUC_UNUSED)
{
    Cluster *cluster =
        CLUSTER(ONE_DISK, "workload.vms=2", "workload.rate=150 /s", "workload.outstanding=7");
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 20.0);
    for (guint i = 0; i < 3; i++) {
        window(cluster, pace, 200.0);
    }
    gint64 before[2] = {owed_by(cluster, 0, 0), owed_by(cluster, 0, 1)};
    skip_by(cluster, pace, 100.0);
    const double growth[2] = {75.0 - 400.0 / 7.0, 75.0 - 300.0 / 7.0};
    for (guint vm = 0; vm < 2; vm++) {
        /* 34,000 and 26,000 I/Os were seen, beside which 1,000 alike ones count. */
        assert_within((double)(owed_by(cluster, 0, vm) - before[vm]), 100.0 * growth[vm], 30.0);
    }
    cluster_free(cluster);
}

static void a_machine_that_owes_nothing_just_goes_on(void **state G_GNUC_UNUSED)
{
    Cluster *cluster =
        CLUSTER(ONE_DISK, "workload.vms=1", "workload.rate=150 /s", "workload.outstanding=8",
                "workload[1].kind=paced", "workload[1].pacing=even", "workload[1].vms=1",
                "workload[1].rate=5 /s", "workload[1].outstanding=8",
                "workload[1].read_share=100 %", "workload[1].block=4 KiB");
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 20.0);
    for (guint i = 0; i < 3; i++) {
        window(cluster, pace, 10.0);
    }
    gint64 before = owed(cluster);
    const AftVm *idle = &cluster->model->clients[1].vms[0];
    gint64 served = idle->served;
    skip_by(cluster, pace, 40.0);
    assert_int_equal(idle->owed.count, 0);
    assert_within((double)(idle->served - served), 40.0 * 5.0, 4.0);
    assert_within((double)(owed(cluster) - before), 40.0 * (150.0 - 95.0), 8.0);
    cluster_free(cluster);
}

/* 75 a second is no more than the disk can do: nothing is owed, and nothing is made to be. */
static void a_skip_makes_no_owed_work_out_of_chance(void **state G_GNUC_UNUSED)
{
    Cluster *cluster = CLUSTER(ONE_DISK, "workload.pacing=poisson", "workload.vms=2",
                               "workload.rate=75 /s", "workload.outstanding=8");
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 20.0);
    for (guint i = 0; i < 200; i++) {
        window(cluster, pace, 5.0);
        gint64 before = owed(cluster);
        skip_by(cluster, pace, 50.0);
        assert_int_equal(owed(cluster), before);
    }
    cluster_free(cluster);
}

static void owed_work_stops_at_its_limit_and_the_rest_is_shed(void **state G_GNUC_UNUSED)
{
    Cluster *cluster = CLUSTER(ONE_DISK, "workload.vms=2", "workload.rate=150 /s",
                               "workload.outstanding=8", "workload.owed_limit=10 s");
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 20.0);
    window(cluster, pace, 5.0);
    gint64 before = owed(cluster);
    skip_by(cluster, pace, 60.0);
    assert_int_equal(owed(cluster), 1500);
    assert_within((double)aft_model_shed(cluster->model), 60.0 * 50.0 - (double)(1500 - before),
                  4.0);
    cluster_free(cluster);
}

static void nothing_may_be_skipped_before_a_window_was_seen(void **state G_GNUC_UNUSED)
{
    Cluster *cluster =
        CLUSTER(ONE_DISK, "workload.vms=2", "workload.rate=50 /s", "workload.outstanding=8");
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    assert_true(aft_pace_limit_ns(pace) == 0);
    window(cluster, pace, 10.0);
    assert_true(aft_pace_limit_ns(pace) == G_MAXINT64);
    assert_true(aft_pace_remaining_ns(pace) == G_MAXINT64);
    aft_pace_forget(pace);
    assert_true(aft_pace_limit_ns(pace) == 0);
    cluster_free(cluster);
}

/* All I/O stands still for 20 s, and 8,000 I/Os are owed then. */
#define STALLED                                                                          \
    "workload.kind=paced", "workload.vms=4", "workload.on=0", "workload.rate=400 /s",    \
        "workload.outstanding=8", "cluster.detect=20 s", "background.rebuild.delay=1 h", \
        "timeline[0].at=1 s", "timeline[0].fail=node 4", "devices.disk.read=4 ms",       \
        "devices.disk.write=4 ms"

static void owed_work_is_worked_off_without_passing_its_end(void **state G_GNUC_UNUSED)
{
    Cluster *cluster = CLUSTER(STALLED);
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 22.0);
    assert_true(owed(cluster) > 7000);
    guint skips = 0;
    for (gint64 limit_ns = 1; limit_ns > 0 && owed(cluster) > 40; skips++) {
        window(cluster, pace, 0.05);
        gint64 before = owed(cluster);
        limit_ns = aft_pace_limit_ns(pace);
        assert_true(limit_ns < 100 * SECOND_NS);
        skip_by(cluster, pace, (double)limit_ns / 1e9);
        assert_true(owed(cluster) <= before);
        /* A twentieth of all at once, and half of what is left; paces are within half. */
        assert_true((double)(before - owed(cluster)) <= 2.0 * MAX(8000.0 / 20.0, 1.0));
        assert_true(owed(cluster) >= before / 4);
    }
    assert_true(skips > 10);
    cluster_free(cluster);
}

/* A cap makes the pace of a rebuild exact: 10 MB/s of 1.7 GB. */
#define REBUILDS                                                                         \
    "data.logical=6 GiB", "data.placement_groups=1024", "background.rebuild.delay=30 s", \
        "background.rebuild.bandwidth=10 MB/s", "timeline[0].at=1 s", "timeline[0].fail=node 4"

#define MEMBER_BYTES (2.0 * 1048576.0)

static double rebuilt_bytes(const Cluster *cluster)
{
    return aft_model_moved_bytes(cluster->model, AFT_TASK_REBUILD);
}

static void transfers_move_as_they_did_in_windows(void **state G_GNUC_UNUSED)
{
    Cluster *cluster = CLUSTER(REBUILDS);
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 35.0);
    for (guint i = 0; i < 3; i++) {
        window(cluster, pace, 5.0);
    }
    double all_bytes = 0.0;
    const AftPool *pool = cluster_pool(cluster);
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        all_bytes += cluster_node_of(cluster, cluster->first_device[i]) == 4 ? MEMBER_BYTES : 0.0;
    }
    double left_bytes = all_bytes - rebuilt_bytes(cluster);
    /* What is in flight, eight units for each of four nodes, is not waiting any more. */
    assert_within((double)aft_pace_remaining_ns(pace) / 1e9, left_bytes / 10e6,
                  32.0 * 1048576.0 / 10e6 + 1.0);
    assert_within((double)aft_pace_limit_ns(pace) / 1e9, all_bytes / 20.0 / 10e6,
                  0.1 * all_bytes / 20.0 / 10e6);
    double before = rebuilt_bytes(cluster);
    skip_by(cluster, pace, 8.0);
    /* Each of four nodes may keep part of a member for the next skip. */
    assert_within(rebuilt_bytes(cluster) - before, 80e6, 4.0 * MEMBER_BYTES);
    assert_space_adds_up(cluster);
    before = rebuilt_bytes(cluster);
    skip_by(cluster, pace, 8.0);
    assert_within(rebuilt_bytes(cluster) - before, 80e6, 4.0 * MEMBER_BYTES);
    cluster_free(cluster);
}

static void skips_bring_a_rebuild_to_its_end(void **state G_GNUC_UNUSED)
{
    Cluster *cluster = CLUSTER(REBUILDS);
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 35.0);
    while (aft_model_phase(cluster->model) == AFT_PHASE_REBUILD) {
        window(cluster, pace, 1.0);
        skip_by(cluster, pace, MIN((double)aft_pace_limit_ns(pace) / 1e9, 100.0));
    }
    assert_phases(cluster, "steady failed rebuild catchup");
    assert_all_at_home(cluster);
    assert_space_adds_up(cluster);
    double seconds = cluster_turn_s(cluster, 3) - cluster_turn_s(cluster, 2);
    /* The last units are seen home, and a skip may leave part of a member to each node. */
    assert_within(seconds, rebuilt_bytes(cluster) / 10e6, 0.03 * rebuilt_bytes(cluster) / 10e6);
    cluster_free(cluster);
}

/* Slow disks keep eight units of two transfers in flight on every node. */
#define REBUILDS_SLOWLY                                                                  \
    "data.logical=6 GiB", "data.placement_groups=1024", "background.rebuild.delay=30 s", \
        "devices.disk.read=20 ms", "devices.disk.write=20 ms", "timeline[0].at=1 s",     \
        "timeline[0].fail=node 4"

/* A transfer before a skip. */
typedef struct {
    const AftTransfer *transfer;
    guint64 issued, done;
} Before;

static GArray *in_flight_now(const Cluster *cluster)
{
    const AftPool *pool = cluster_pool(cluster);
    GArray *all = g_array_new(FALSE, FALSE, sizeof(Before));
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        const AftTransfer *transfer = pool->members[i].transfer;
        if (transfer != NULL && transfer->in_flight > 0) {
            Before before = {transfer, transfer->issued, transfer->done};
            g_array_append_val(all, before);
        }
    }
    return all;
}

static guint begun_but_not_in_flight(const Cluster *cluster)
{
    const AftPool *pool = cluster_pool(cluster);
    guint n = 0;
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        const AftTransfer *transfer = pool->members[i].transfer;
        n += transfer != NULL && transfer->in_flight == 0 && transfer->issued > 0;
    }
    return n;
}

static void skips_move_whole_transfers_behind_those_in_flight(void **state G_GNUC_UNUSED)
{
    Cluster *cluster = CLUSTER(REBUILDS_SLOWLY);
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 31.2);
    for (guint i = 0; i < 10; i++) {
        window(cluster, pace, 0.1);
        g_autoptr(GArray) all = in_flight_now(cluster);
        assert_true(all->len >= 4);
        double rebuilt = rebuilt_bytes(cluster);
        skip_by(cluster, pace, 0.13);
        assert_true(rebuilt_bytes(cluster) > rebuilt);
        assert_int_equal(begun_but_not_in_flight(cluster), 0);
        for (guint t = 0; t < all->len; t++) {
            const Before *before = &g_array_index(all, Before, t);
            assert_true(before->transfer->issued == before->issued);
            assert_true(before->transfer->done == before->done);
        }
    }
    cluster_free(cluster);
}

static void a_window_in_which_a_task_begins_shows_no_pace(void **state G_GNUC_UNUSED)
{
    Cluster *cluster = CLUSTER(REBUILDS);
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 20.0);
    window(cluster, pace, 5.0);
    assert_true(aft_pace_limit_ns(pace) > 0);
    window(cluster, pace, 10.0); /* the rebuild begins at 31 s */
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_REBUILD);
    assert_true(aft_pace_limit_ns(pace) == 0);
    window(cluster, pace, 1.0);
    assert_true(aft_pace_limit_ns(pace) > 0);
    cluster_free(cluster);
}

/* 180 a second make 31.5 in 175 ms: what is owed and what arrived are rounded each for itself. */
static void a_machine_that_is_stopped_owes_to_the_last_half(void **state G_GNUC_UNUSED)
{
    Cluster *cluster =
        CLUSTER(ONE_DISK, "cluster.nodes=2", "workload.on=0", "workload.vms=1",
                "workload.rate=180 /s", "workload.outstanding=8", "workload.restart=1 h",
                "timeline[0].at=1 s", "timeline[0].fail=node 0", "cluster.detect=1 s");
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 10.0);
    for (guint i = 0; i < 40; i++) {
        window(cluster, pace, 0.25);
        gint64 before = owed(cluster);
        skip_by(cluster, pace, 0.175);
        assert_within((double)(owed(cluster) - before), 31.5, 0.5);
    }
    cluster_free(cluster);
}

/* A buffer of 100 MB from 20 % on, of which what is above 10 % is destaged in units of 64 KiB, one
 * after the other: 20 us + 2 ms each. Nothing of what is written is dirty already. */
#define ONE_BUFFER                                                                               \
    ONE_DISK, "devices.log.read=20 us", "devices.log.write=30 us",                               \
        "devices.log.spread=deterministic", "devices.log.parallel=4", "devices.log.size=100 MB", \
        "devices.disk.write=2 ms", "cluster.node.disk_groups.cache.device=log",                  \
        "tiers.unit=64 KiB", "tiers.in_flight=1", "tiers.low=10 %", "tiers.high=90 %",           \
        "tiers.delay_max=0 s", "tiers.start=20 %", "workload.read_share=0 %",                    \
        "workload.block=64 KiB", "workload.vms=4", "workload.outstanding=40"

#define UNITS_PER_S (1e3 / 2.02)

static AftBuffer *only_buffer(const Cluster *cluster)
{
    cluster->model->topology.buffers[0].working_bytes = 0.0;
    return &cluster->model->topology.buffers[0];
}

static void check_fill(const char *rate, double writes_per_s)
{
    g_autofree char *load = g_strdup_printf("workload.rate=%s", rate);
    Cluster *cluster = CLUSTER(ONE_BUFFER, load);
    const AftBuffer *buffer = only_buffer(cluster);
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    for (guint i = 0; i < 4; i++) {
        window(cluster, pace, 0.5);
    }
    double before = buffer->dirty_bytes, destaged = buffer->destaged_bytes;
    gint64 limit_ns = aft_pace_limit_ns(pace);
    double growth = (writes_per_s - UNITS_PER_S) * 65536.0;
    /* Neither a twentieth of the way from low to high is passed, nor the low mark. */
    double left = growth < 0.0 ? before - 0.1 * 100e6 : INFINITY;
    assert_within((double)limit_ns / 1e9, MIN(0.8 * 100e6 / 20.0, left) / fabs(growth),
                  0.05 * (double)limit_ns / 1e9);
    skip_by(cluster, pace, 0.3);
    /* A window has 250 units, give or take one. */
    assert_within(buffer->dirty_bytes - before, 0.3 * growth, 0.01 * 0.3 * UNITS_PER_S * 65536.0);
    assert_within(buffer->destaged_bytes - destaged, 0.3 * UNITS_PER_S * 65536.0,
                  0.01 * 0.3 * UNITS_PER_S * 65536.0);
    cluster_free(cluster);
}

static void a_buffer_goes_on_filling_or_emptying(void **state G_GNUC_UNUSED)
{
    check_fill("600 /s", 600.0);
    check_fill("560 /s", 560.0);
    check_fill("480 /s", 480.0);
}

/* 400 writes a second against 495 units: at the low mark, what comes in goes out. Four standard
 * errors of 400 writes are a fifth. */
static void a_buffer_that_keeps_up_stays_as_it_is(void **state G_GNUC_UNUSED)
{
    Cluster *cluster =
        CLUSTER(ONE_BUFFER, "workload.rate=400 /s", "tiers.start=10 %", "workload.pacing=poisson");
    const AftBuffer *buffer = only_buffer(cluster);
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 1.0);
    window(cluster, pace, 1.0);
    double before = buffer->dirty_bytes, destaged = buffer->destaged_bytes;
    assert_within(aft_pace_doubt(pace), 0.0, 0.0);
    assert_true(aft_pace_limit_ns(pace) == G_MAXINT64);
    skip_by(cluster, pace, 1000.0);
    assert_within(buffer->dirty_bytes, before, 2.0 * 65536.0);
    assert_within(buffer->destaged_bytes - destaged, 400.0 * 65536.0 * 1000.0,
                  0.2 * 400.0 * 65536.0 * 1000.0);
    cluster_free(cluster);
}

/* Of one write a second, a window of 10 s has not made a unit of a megabyte, and sees no destage. A
 * skip gives away what it lets in all the same. */
static void what_comes_in_slowly_goes_out_again(void **state G_GNUC_UNUSED)
{
    Cluster *cluster = CLUSTER(ONE_BUFFER, "workload.rate=1 /s", "workload.pacing=even",
                               "tiers.start=10 %", "tiers.unit=1 MiB");
    const AftBuffer *buffer = only_buffer(cluster);
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    window(cluster, pace, 10.0);
    double before = buffer->dirty_bytes;
    assert_within(buffer->destaged_bytes, 0.0, 0.0);
    skip_by(cluster, pace, 1000.0);
    assert_within(buffer->dirty_bytes, before, 2.0 * 1048576.0);
    /* Of ten writes of the window, give or take one by how they fall. */
    assert_within(buffer->destaged_bytes, 1000.0 * 65536.0, 0.1 * 1000.0 * 65536.0);
    cluster_free(cluster);
}

static void a_full_buffer_stays_full(void **state G_GNUC_UNUSED)
{
    Cluster *cluster = CLUSTER(ONE_BUFFER, "workload.rate=800 /s", "tiers.start=100 %");
    const AftBuffer *buffer = only_buffer(cluster);
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 5.0);
    for (guint i = 0; i < 4; i++) {
        window(cluster, pace, 1.0);
    }
    gint64 served = aft_model_completed(cluster->model), before = owed(cluster);
    skip_by(cluster, pace, 10.0);
    assert_within(buffer->dirty_bytes, buffer->size_bytes, 2.0 * 65536.0);
    assert_within((double)(aft_model_completed(cluster->model) - served), 10.0 * UNITS_PER_S, 15.0);
    assert_within((double)(owed(cluster) - before), 10.0 * (800.0 - UNITS_PER_S), 15.0);
    cluster_free(cluster);
}

/* 90 reads of 4 KiB a second, none of them warm at first. */
static void a_cold_cache_goes_on_warming(void **state G_GNUC_UNUSED)
{
    Cluster *cluster = CLUSTER(ONE_BUFFER, "workload.rate=90 /s", "workload.block=4 KiB",
                               "workload.read_share=100 %", "tiers.read_share=50 %",
                               "tiers.start=0 %", "devices.log.size=20 GB", "data.logical=5 GB");
    AftBuffer *buffer = &cluster->model->topology.buffers[0];
    buffer->warm_bytes = 0.0;
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    window(cluster, pace, 10.0);
    double before = buffer->warm_bytes;
    assert_within((double)aft_pace_limit_ns(pace) / 1e9, 5e9 / 20.0 / (90.0 * 4096.0), 10.0);
    skip_by(cluster, pace, 100.0);
    assert_within(buffer->warm_bytes - before, 100.0 * 90.0 * 4096.0, 2.0 * 100.0 * 4096.0);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owed_work_moves_as_it_did_in_windows),
        cmocka_unit_test(machines_that_are_served_unevenly_owe_unevenly),
        cmocka_unit_test(a_machine_that_owes_nothing_just_goes_on),
        cmocka_unit_test(a_skip_makes_no_owed_work_out_of_chance),
        cmocka_unit_test(owed_work_stops_at_its_limit_and_the_rest_is_shed),
        cmocka_unit_test(nothing_may_be_skipped_before_a_window_was_seen),
        cmocka_unit_test(owed_work_is_worked_off_without_passing_its_end),
        cmocka_unit_test(transfers_move_as_they_did_in_windows),
        cmocka_unit_test(skips_bring_a_rebuild_to_its_end),
        cmocka_unit_test(skips_move_whole_transfers_behind_those_in_flight),
        cmocka_unit_test(a_window_in_which_a_task_begins_shows_no_pace),
        cmocka_unit_test(a_machine_that_is_stopped_owes_to_the_last_half),
        cmocka_unit_test(a_buffer_goes_on_filling_or_emptying),
        cmocka_unit_test(a_buffer_that_keeps_up_stays_as_it_is),
        cmocka_unit_test(what_comes_in_slowly_goes_out_again),
        cmocka_unit_test(a_full_buffer_stays_full),
        cmocka_unit_test(a_cold_cache_goes_on_warming),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
