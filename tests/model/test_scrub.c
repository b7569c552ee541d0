/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes over all data: what they read, where, and when; and in the end how they are skipped. */
#include "cluster.h"
#include "curator_parts.h"

#include <aftershock/model/pace.h>

#define QUICK "cluster.detect=6 s", "background.rebuild.delay=1 h"
#define CLIENTS \
    "workload.kind=paced", "workload.vms=10", "workload.rate=400 /s", "workload.outstanding=20"

#define MEMBERS (64 * 4)
#define MEMBER  (2.0 * 1048576.0)

static double scrubbed(const Cluster *cluster, guint32 node)
{
    return aft_curator_moved_bytes(cluster->model->curator, AFT_TASK_SCRUB, node);
}

static guint transfers(const Cluster *cluster)
{
    return aft_curator_transfers(cluster->model->curator, AFT_TASK_SCRUB);
}

static double busy_s(const Cluster *cluster)
{
    return aft_model_use(cluster->model, AFT_USE_CAPACITY).busy_ns / 1e9;
}

static void a_pass_reads_every_member_once_where_it_is(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("background.scrub.every=100 s");
    cluster_run(cluster, 99.0);
    assert_phases(cluster, "steady scrub steady");
    assert_string_equal(cluster->events->str, "scrub-start cluster, scrub-end cluster");
    for (guint node = 0; node < 5; node++) {
        assert_within(scrubbed(cluster, node), cluster_members_on(cluster, node) * MEMBER, 0.0);
    }
    /* Two units each, 100 us a unit, and nothing else. */
    assert_within(busy_s(cluster), MEMBERS * 2 * 100e-6, 1e-9);
    assert_int_equal(transfers(cluster), 0);
    assert_within(aft_curator_waiting_bytes(cluster->model->curator, AFT_TASK_SCRUB, AFT_NOWHERE),
                  0.0, 0.0);
    assert_all_back(cluster);
    assert_true(aft_model_is_settled(cluster->model)); /* though passes come again and again */
    cluster_free(cluster);
}

/* A skip that could read more than there is left reads that, and owes nothing afterwards. */
static void a_skip_over_the_end_of_a_pass_leaves_nothing_over(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("background.scrub.every=1000 s", "background.scrub.bandwidth=4 MiB/s");
    AftCurator *curator = cluster->model->curator;
    cluster_run(cluster, 10.0);
    for (guint node = 0; node < 5; node++) {
        const AftLane *lane = &curator->lanes[AFT_TASK_SCRUB][node];
        aft_curator_advance(curator, AFT_TASK_SCRUB, node, lane->waiting_bytes + 1e6);
        assert_within(lane->waiting_bytes, 0.0, 0.0);
        assert_within(lane->kept_bytes, 0.0, 0.0);
    }
    cluster_run(cluster, 100.0);
    assert_phases(cluster, "steady scrub steady");
    assert_within(scrubbed(cluster, AFT_NOWHERE), MEMBERS * MEMBER, 0.0);
    cluster_free(cluster);
}

static void passes_come_again_and_again(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("background.scrub.every=100 s", "background.scrub.delay=30 s");
    cluster_run(cluster, 329.0);
    assert_phases(cluster, "steady scrub steady scrub steady scrub steady");
    assert_within(cluster_turn_s(cluster, 1), 30.0, 0.0);
    assert_within(cluster_turn_s(cluster, 3), 130.0, 0.0);
    assert_within(cluster_turn_s(cluster, 5), 230.0, 0.0);
    assert_within(scrubbed(cluster, AFT_NOWHERE), 3 * MEMBERS * MEMBER, 0.0);
    cluster_free(cluster);
}

/* 512 units at 4 a second take 128 s, so the second pass starts then, and not at 100 s; so does the
 * third, at 256 s. */
static void a_pass_that_takes_too_long_delays_the_next(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("background.scrub.every=100 s", "background.scrub.bandwidth=4 MiB/s");
    cluster_run(cluster, 127.0);
    assert_phases(cluster, "steady scrub");
    assert_within(scrubbed(cluster, AFT_NOWHERE), 127.0 * 4.0 * 1048576.0, 4.0 * 1048576.0);
    cluster_run(cluster, 400.0);
    assert_within(scrubbed(cluster, AFT_NOWHERE), 400.0 * 4.0 * 1048576.0, 8.0 * 1048576.0);
    assert_true(cluster->turns->len >= 6); /* passes do not run into one another */
    cluster_free(cluster);
}

static void nodes_read_as_much_at_once_as_they_may(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("background.scrub.every=100 s", "background.scrub.in_flight_per_node=3");
    guint most = 0;
    for (double at_s = 0.0; at_s < 0.005; at_s += 20e-6) {
        cluster_run(cluster, at_s);
        most = MAX(most, aft_curator_in_flight(cluster->model->curator));
        assert_true(transfers(cluster) <= 5 * (3 + 3)); /* however many members there are */
    }
    assert_int_equal(most, 5 * 3);
    cluster_free(cluster);
}

static void what_is_away_is_left_to_the_next_pass(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "background.scrub.every=100 s", "timeline[0].at=90 s",
                "timeline[0].fail=node 2", "timeline[1].at=150 s", "timeline[1].restore=node 2");
    guint members = cluster_members_on(cluster, 2);
    cluster_run(cluster, 149.0);
    assert_phases(cluster, "steady scrub steady failed"); /* the pass at 100 s is in there */
    assert_within(scrubbed(cluster, AFT_NOWHERE), (2 * MEMBERS - members) * MEMBER, 0.0);
    cluster_run(cluster, 250.0);
    assert_within(scrubbed(cluster, AFT_NOWHERE), (3 * MEMBERS - members) * MEMBER, 0.0);
    assert_within(scrubbed(cluster, 2), 2 * members * MEMBER, 0.0);
    cluster_free(cluster);
}

/* Half-way a node dies, in the other half it is away; the pass ends without it. */
static void a_node_that_dies_in_a_pass_does_not_hold_it_up(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "background.scrub.every=1000 s", "background.scrub.bandwidth=8 MiB/s",
                "timeline[0].at=32 s", "timeline[0].fail=node 2", "timeline[1].at=50 s",
                "timeline[1].restore=node 2");
    guint members = cluster_members_on(cluster, 2);
    cluster_run(cluster, 500.0);
    assert_phases(cluster, "steady scrub failed scrub steady");
    double read = scrubbed(cluster, AFT_NOWHERE) / MEMBER, others = MEMBERS - members;
    assert_true(read > others + 0.3 * members && read < others + 0.7 * members);
    assert_int_equal(transfers(cluster), 0);
    cluster_free(cluster);
}

static void a_scrub_that_is_stopped_goes_on_where_it_was(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("background.scrub.every=1000 s", "background.scrub.bandwidth=8 MiB/s");
    cluster_run(cluster, 20.0);
    aft_curator_set_task(cluster->model->curator, AFT_TASK_SCRUB, FALSE);
    aft_model_changed(cluster->model);
    cluster_run(cluster, 100.0);
    assert_phases(cluster, "steady scrub steady");
    assert_within(scrubbed(cluster, AFT_NOWHERE), 20.0 * 8.0 * 1048576.0, 1048576.0);
    aft_curator_set_task(cluster->model->curator, AFT_TASK_SCRUB, TRUE);
    aft_model_changed(cluster->model);
    cluster_run(cluster, 200.0);
    assert_phases(cluster, "steady scrub steady scrub steady");
    assert_within(scrubbed(cluster, AFT_NOWHERE), MEMBERS * MEMBER, 0.0);
    cluster_free(cluster);
}

/* Copies become strips around it: it goes on with the strips that it has not come to. */
static void a_pass_goes_on_through_a_conversion(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("background.scrub.every=1000 s", "background.scrub.bandwidth=8 MiB/s",
                "data.logical=128 MiB", "data.protection=rf3", "timeline[0].at=24 s",
                "timeline[0].set.data.protection.scheme=ec",
                "timeline[0].set.data.protection.data=2",
                "timeline[0].set.data.protection.parity=1");
    cluster_run(cluster, 500.0);
    assert_phases(cluster, "steady scrub encode scrub steady");
    /* 24 s x 8 MiB/s are 96 of 192 copies, then half of 96 units; but for copies that were about to
     * be read, 8 a node at most. */
    double read = scrubbed(cluster, AFT_NOWHERE) / MEMBER;
    assert_true(read <= 96.0 + 48.0 + 1.0 && read >= 96.0 + 48.0 - 5.0 * 8.0);
    assert_all_at_home(cluster);
    cluster_free(cluster);
}

static void what_is_skipped_is_read_too(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("background.scrub.every=1000 s", "background.scrub.bandwidth=8 MiB/s");
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 10.0);
    aft_pace_begin(pace);
    cluster_run(cluster, 14.0);
    aft_pace_end(pace);
    double before = scrubbed(cluster, AFT_NOWHERE);
    assert_true(aft_pace_limit_ns(pace) < 10 * SECOND_NS); /* nodes have some 10 s a twentieth */
    aft_pace_skip(pace, 20 * SECOND_NS);
    /* Whole members of each node behind those in flight. */
    assert_within(scrubbed(cluster, AFT_NOWHERE) - before, 160.0 * 1048576.0, 5.0 * MEMBER);
    cluster_run(cluster, 200.0);
    assert_within(scrubbed(cluster, AFT_NOWHERE), MEMBERS * MEMBER, 0.0);
    assert_phases(cluster, "steady scrub steady");
    cluster_free(cluster);
}

static void clients_feel_it(void **state)
{
    (void)state;
    Cluster *quiet = CLUSTER(CLIENTS, "devices.disk.read_bandwidth=200 MB/s");
    Cluster *scrubs =
        CLUSTER(CLIENTS, "devices.disk.read_bandwidth=200 MB/s", "background.scrub.every=1 s");
    cluster_run(quiet, 100.0);
    cluster_run(scrubs, 100.0);
    assert_true(scrubs->longest_ns > quiet->longest_ns);
    assert_int_equal(quiet->completed[0] + quiet->completed[1],
                     scrubs->completed[0] + scrubs->completed[1]);
    cluster_free(quiet);
    cluster_free(scrubs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pass_reads_every_member_once_where_it_is),
        cmocka_unit_test(a_skip_over_the_end_of_a_pass_leaves_nothing_over),
        cmocka_unit_test(passes_come_again_and_again),
        cmocka_unit_test(a_pass_that_takes_too_long_delays_the_next),
        cmocka_unit_test(nodes_read_as_much_at_once_as_they_may),
        cmocka_unit_test(what_is_away_is_left_to_the_next_pass),
        cmocka_unit_test(a_node_that_dies_in_a_pass_does_not_hold_it_up),
        cmocka_unit_test(a_scrub_that_is_stopped_goes_on_where_it_was),
        cmocka_unit_test(a_pass_goes_on_through_a_conversion),
        cmocka_unit_test(what_is_skipped_is_read_too),
        cmocka_unit_test(clients_feel_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
