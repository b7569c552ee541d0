/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks that are stopped and go on, and the limits that maintenance mode lifts. */
#include "cluster.h"

#include <aftershock/model/pace.h>

#define QUICK "cluster.detect=6 s", "background.rebuild.delay=30 s"
#define FAILS "timeline[0].at=10 s", "timeline[0].fail=node 2"

static double moved(const Cluster *cluster, AftTaskKind task)
{
    return aft_model_moved_bytes(cluster->model, task);
}

static void set_task(Cluster *cluster, AftTaskKind task, gboolean running)
{
    aft_curator_set_task(cluster->model->curator, task, running);
    aft_model_changed(cluster->model);
}

static void set_maintenance(Cluster *cluster, gboolean on)
{
    aft_curator_set_maintenance(cluster->model->curator, on);
    aft_model_changed(cluster->model);
}

static void a_rebuild_that_is_stopped_goes_on_where_it_was(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS, "background.rebuild.bandwidth=2 MiB/s");
    double lost = cluster_members_on(cluster, 2) * cluster_pool(cluster)->member_bytes;
    cluster_run(cluster, 45.0);
    guint transfers = aft_curator_transfers(cluster->model->curator, AFT_TASK_REBUILD);
    set_task(cluster, AFT_TASK_REBUILD, FALSE);
    cluster_run(cluster, 46.0); /* what was in flight has ended */
    double before = moved(cluster, AFT_TASK_REBUILD);
    assert_true(before >= 10.0 * 1048576.0 && before < 12.0 * 1048576.0);
    cluster_run(cluster, 200.0);
    assert_within(moved(cluster, AFT_TASK_REBUILD), before, 0.0);
    assert_in_range(aft_curator_transfers(cluster->model->curator, AFT_TASK_REBUILD), transfers - 1,
                    transfers);
    assert_phases(cluster, "steady failed rebuild failed");
    set_task(cluster, AFT_TASK_REBUILD, TRUE);
    cluster_run(cluster, 400.0);
    assert_phases(cluster, "steady failed rebuild failed rebuild catchup");
    assert_within(moved(cluster, AFT_TASK_REBUILD), lost, 0.0);
    assert_within(cluster_turn_s(cluster, 3), 45.0, 0.0);
    assert_within(cluster_turn_s(cluster, 4), 200.0, 0.0);
    assert_all_at_home(cluster);
    cluster_free(cluster);
}

static void what_is_stopped_before_it_begins_waits(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS, "timeline[1].at=200 s", "timeline[1].restore=node 2");
    set_task(cluster, AFT_TASK_REBALANCE, FALSE);
    cluster_run(cluster, 300.0);
    assert_phases(cluster, "steady failed rebuild catchup steady");
    assert_int_equal(cluster_members_on(cluster, 2), 0);
    assert_true(aft_curator_transfers(cluster->model->curator, AFT_TASK_REBALANCE) > 0);
    assert_true(aft_model_is_settled(cluster->model)); /* nobody says that it will go on */
    set_task(cluster, AFT_TASK_REBALANCE, TRUE);
    cluster_run(cluster, 400.0);
    assert_phases(cluster, "steady failed rebuild catchup steady rebalance steady");
    assert_all_back(cluster);
    cluster_free(cluster);
}

static void other_tasks_go_on(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS);
    set_task(cluster, AFT_TASK_REBALANCE, FALSE);
    set_task(cluster, AFT_TASK_ENCODE, FALSE);
    cluster_run(cluster, 200.0);
    assert_phases(cluster, "steady failed rebuild catchup");
    cluster_free(cluster);
}

static void nothing_is_written_of_a_stopped_task_in_a_skip(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS, "background.rebuild.bandwidth=2 MiB/s");
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    cluster_run(cluster, 45.0);
    aft_pace_begin(pace);
    cluster_run(cluster, 47.0);
    aft_pace_end(pace);
    double before = moved(cluster, AFT_TASK_REBUILD);
    aft_pace_skip(pace, 20 * SECOND_NS); /* of each node, whole members of 2 MiB */
    assert_within(moved(cluster, AFT_TASK_REBUILD) - before, 40.0 * 1048576.0, 8.0 * 1048576.0);
    set_task(cluster, AFT_TASK_REBUILD, FALSE);
    aft_pace_forget(pace);
    cluster_run(cluster, 70.0);
    before = moved(cluster, AFT_TASK_REBUILD);
    aft_pace_begin(pace);
    cluster_run(cluster, 72.0);
    aft_pace_end(pace);
    assert_true(aft_pace_limit_ns(pace) == G_MAXINT64);
    aft_pace_skip(pace, 100 * SECOND_NS);
    assert_within(moved(cluster, AFT_TASK_REBUILD), before, 0.0);
    cluster_free(cluster);
}

/* Members of 2 units, one transfer at once; writes take 200 us and reads 100 us. */
static void caps_do_not_hold_in_maintenance(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS, "background.rebuild.bandwidth=1 MiB/s");
    double lost = cluster_members_on(cluster, 2) * cluster_pool(cluster)->member_bytes;
    cluster_run(cluster, 45.5); /* from 40 s on, a unit a second */
    assert_within(moved(cluster, AFT_TASK_REBUILD), 6.0 * 1048576.0, 0.0);
    set_maintenance(cluster, TRUE);
    cluster_run(cluster, 46.0);
    assert_within(moved(cluster, AFT_TASK_REBUILD), lost, 0.0);
    assert_phases(cluster, "steady failed rebuild catchup");
    cluster_free(cluster);
}

static void caps_hold_again_after_it(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, FAILS, "background.rebuild.bandwidth=1 MiB/s",
                "background.maintenance.enabled=on", "background.maintenance.in_flight_per_node=1");
    cluster_run(cluster, 40.001); /* each of four nodes is about to write its third unit */
    double before = moved(cluster, AFT_TASK_REBUILD);
    assert_true(before >= 4.0 * 1048576.0);
    set_maintenance(cluster, FALSE);
    cluster_run(cluster, 40.5);
    double after = moved(cluster, AFT_TASK_REBUILD);
    assert_true(after - before <= 5.0 * 1048576.0); /* what was in flight, and one */
    cluster_run(cluster, 45.5);
    assert_within(moved(cluster, AFT_TASK_REBUILD) - after, 5.0 * 1048576.0, 0.0);
    cluster_free(cluster);
}

/* The most units that nodes have in flight. */
static guint most_in_flight(Cluster *cluster, double until_s)
{
    guint most = 0;
    for (double at_s = 40.0; at_s < until_s; at_s += 50e-6) {
        cluster_run(cluster, at_s);
        most = MAX(most, aft_curator_in_flight(cluster->model->curator));
    }
    return most;
}

static void nodes_have_as_much_in_flight_as_the_mode_says(void **state)
{
    (void)state;
    Cluster *usual = CLUSTER(QUICK, FAILS, "background.rebuild.in_flight_per_node=1");
    Cluster *more =
        CLUSTER(QUICK, FAILS, "background.rebuild.in_flight_per_node=1",
                "background.maintenance.enabled=on", "background.maintenance.in_flight_per_node=3");
    assert_int_equal(most_in_flight(usual, 40.002), 4 * 1);
    assert_int_equal(most_in_flight(more, 40.002), 4 * 3);
    cluster_free(usual);
    cluster_free(more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rebuild_that_is_stopped_goes_on_where_it_was),
        cmocka_unit_test(what_is_stopped_before_it_begins_waits),
        cmocka_unit_test(other_tasks_go_on),
        cmocka_unit_test(nothing_is_written_of_a_stopped_task_in_a_skip),
        cmocka_unit_test(caps_do_not_hold_in_maintenance),
        cmocka_unit_test(caps_hold_again_after_it),
        cmocka_unit_test(nodes_have_as_much_in_flight_as_the_mode_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
