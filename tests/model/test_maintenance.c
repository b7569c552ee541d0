/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes go down because somebody wants them to: what leaves them first, and who notices. */
#include "adds_up.h"

#define QUICK "cluster.detect=6 s", "background.rebuild.delay=1 min"

#define PACED                                                                                    \
    "workload.kind=paced", "workload.vms=10", "workload.rate=400 /s", "workload.outstanding=20", \
        "workload.restart=10 s", "workload.return=20 s"

#define MAINTENANCE_AS(item, at, of, how, length)                                \
    item ".at=" at, item ".maintenance.node=" of, item ".maintenance.mode=" how, \
        item ".maintenance.for=" length

#define MAINTENANCE(at, of, how, length) MAINTENANCE_AS("timeline[0]", at, of, how, length)

static double moved(const Cluster *cluster, AftTaskKind task)
{
    return aft_model_moved_bytes(cluster->model, task);
}

/* Whatever happens, no machine stops, and a node that is down has no data that counts on it. */
static void look_closely(Cluster *cluster)
{
    if (cluster->model == NULL) {
        return;
    }
    assert_adds_up(cluster);
    for (guint i = 0; i < cluster->model->n_clients; i++) {
        for (guint vm = 0; vm < cluster->model->clients[i].n_vms; vm++) {
            assert_true(cluster->model->clients[i].vms[vm].running);
        }
    }
    assert_int_equal(cluster->model->topology.n_unnoticed, 0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 0);
}

/* Nothing is held or under way any more, and every member is where placement wants it. */
static void assert_over(const Cluster *cluster)
{
    const AftTopology *topology = &cluster->model->topology;
    for (guint node = 0; node < topology->n_nodes; node++) {
        for (guint hold = 0; hold < AFT_HOLDS; hold++) {
            assert_int_equal(topology->nodes[node].held[hold], 0);
        }
        assert_false(topology->nodes[node].leaving);
    }
    assert_int_equal(cluster->model->maintenances->len, 0);
    assert_all_at_home(cluster);
    assert_true(aft_model_is_settled(cluster->model));
}

static void assert_as_before(const Cluster *cluster)
{
    assert_over(cluster);
    assert_all_back(cluster);
}

static void an_evacuated_node_is_empty_before_it_goes_down(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, PACED, MAINTENANCE("10 s", "2", "evacuate", "5 min"));
    double all = cluster_members_on(cluster, 2) * cluster_pool(cluster)->member_bytes;
    cluster->disturbed = look_closely;
    while (cluster->model->topology.nodes[2].alive) {
        cluster_run(cluster, (double)cluster_now(cluster) / 1e9 + 0.1);
    }
    assert_int_equal(cluster_members_on(cluster, 2), 0);
    assert_within(moved(cluster, AFT_TASK_EVACUATE), all, 0.0);
    assert_int_equal(aft_model_moment(cluster->model).degraded_groups, 0);
    cluster_run(cluster, 900.0);
    assert_phases(cluster, "steady evacuate catchup rebalance steady");
    assert_within(moved(cluster, AFT_TASK_REBUILD), 0.0, 0.0);
    assert_within(moved(cluster, AFT_TASK_REBALANCE), all, 0.0);
    assert_true(cluster->longest_ns < SECOND_NS); /* nobody waited for news */
    assert_as_before(cluster);
    cluster_free(cluster);
}

static void an_evacuated_node_is_filled_after_the_delay(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "background.rebalance.delay=100 s",
                               MAINTENANCE("10 s", "2", "evacuate", "5 min"));
    const AftNode *node = &cluster->model->topology.nodes[2];
    cluster_run(cluster, 60.0);
    assert_false(node->alive);
    while (!node->alive) {
        cluster_run(cluster, (double)cluster_now(cluster) / 1e9 + 0.1);
    }
    cluster_run(cluster, (double)cluster_now(cluster) / 1e9 + 99.0);
    assert_within(moved(cluster, AFT_TASK_REBALANCE), 0.0, 0.0);
    cluster_run(cluster, 900.0);
    assert_as_before(cluster);
    cluster_free(cluster);
}

static void what_can_be_read_without_the_node_stays_on_it(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, PACED, MAINTENANCE("10 s", "2", "accessible", "30 s"));
    cluster->disturbed = look_closely;
    cluster_run(cluster, 10.001);
    assert_false(cluster->model->topology.nodes[2].alive); /* there was nothing to wait for */
    cluster_run(cluster, 300.0);
    assert_string_equal(cluster->events->str,
                        "maintenance node 2, down node 2, restore node 2, rebuild-start cluster, "
                        "rebuild-end cluster");
    assert_within(moved(cluster, AFT_TASK_EVACUATE), 0.0, 0.0);
    assert_true(moved(cluster, AFT_TASK_REBUILD) > 0.0); /* what was written meanwhile */
    assert_true(cluster->longest_ns < SECOND_NS);
    assert_as_before(cluster);
    cluster_free(cluster);
}

static void what_could_not_be_read_without_the_node_leaves_it(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, PACED, "data.protection=none",
                               MAINTENANCE("10 s", "2", "accessible", "5 min"));
    double all = cluster_members_on(cluster, 2) * cluster_pool(cluster)->member_bytes;
    cluster->disturbed = look_closely;
    cluster_run(cluster, 900.0);
    assert_within(moved(cluster, AFT_TASK_EVACUATE), all, 0.0);
    assert_within(moved(cluster, AFT_TASK_REBUILD), 0.0, 0.0);
    assert_within(moved(cluster, AFT_TASK_REBALANCE), all, 0.0);
    assert_as_before(cluster);
    cluster_free(cluster);
}

static void without_a_place_for_its_data_a_node_stays_up(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, PACED, "cluster.nodes=4", MAINTENANCE("10 s", "2", "evacuate", "5 min"));
    cluster->disturbed = look_closely;
    cluster_run(cluster, 300.0);
    assert_non_null(strstr(cluster->events->str, "maintenance-refused node 2"));
    assert_null(strstr(cluster->events->str, "down"));
    assert_phases(cluster, "steady");
    for (guint task = 0; task < AFT_TASKS; task++) {
        assert_within(moved(cluster, (AftTaskKind)task), 0.0, 0.0);
    }
    assert_as_before(cluster);
    cluster_free(cluster);
}

/* Another node fails while data leaves: what then depends on the node leaves it too, or it stays
 * up; nothing is lost that a single failure leaves. */
static void a_failure_meanwhile_is_looked_at_before_the_node_goes_down(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(PACED, "cluster.detect=1 s", "background.rebuild.delay=1 h",
                "background.evacuate.bandwidth=4 MB/s", "data.protection=rf2",
                MAINTENANCE("10 s", "2", "evacuate", "1 min"), "timeline[1].at=12 s",
                "timeline[1].fail=node 3", "timeline[2].at=10 min", "timeline[2].restore=node 3");
    cluster_run(cluster, 599.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 0);
    cluster_run(cluster, 1500.0);
    assert_as_before(cluster);
    cluster_free(cluster);
}

static void a_node_that_fails_on_its_way_out_is_not_taken_down(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, PACED, "background.evacuate.bandwidth=4 MB/s",
                               MAINTENANCE("10 s", "2", "evacuate", "1 min"), "timeline[1].at=12 s",
                               "timeline[1].fail=controller 2", "timeline[2].at=40 s",
                               "timeline[2].restore=controller 2");
    cluster_run(cluster, 900.0);
    assert_non_null(strstr(cluster->events->str, "maintenance-refused node 2"));
    assert_null(strstr(cluster->events->str, "down"));
    assert_as_before(cluster);
    cluster_free(cluster);
}

/* Runs until @node is down, which it has to be within two hours. Returns: when that was, s. */
static double down_at(Cluster *cluster, guint node)
{
    while (cluster->model->topology.nodes[node].alive) {
        cluster_run(cluster, (double)cluster_now(cluster) / 1e9 + 0.1);
        assert_true(cluster_now(cluster) < 120 * MINUTE_NS);
    }
    return (double)cluster_now(cluster) / 1e9;
}

/* The second has its data still to move when the first is done, and neither waits for the other. */
static void of_two_at_once_each_goes_down_when_its_own_data_is_away(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "cluster.nodes=7", "background.evacuate.bandwidth=4 MB/s",
                               MAINTENANCE("10 s", "2", "evacuate", "60 min"),
                               MAINTENANCE_AS("timeline[1]", "20 s", "5", "evacuate", "60 min"));
    cluster->disturbed = look_closely;
    down_at(cluster, 2);
    assert_int_equal(cluster_members_on(cluster, 2), 0);
    assert_true(cluster->model->topology.nodes[5].alive);
    assert_true(cluster_members_on(cluster, 5) > 0);
    down_at(cluster, 5);
    assert_int_equal(cluster_members_on(cluster, 5), 0);
    assert_false(cluster->model->topology.nodes[2].alive);
    cluster_run(cluster, 9000.0);
    assert_null(strstr(cluster->events->str, "refused"));
    assert_over(cluster);
    cluster_free(cluster);
}

/* What the first has moved to the second cannot leave that before the first is back. */
static void a_node_that_got_data_from_another_in_maintenance_waits_for_that(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "data.protection=none", MAINTENANCE("10 s", "2", "accessible", "5 min"),
                MAINTENANCE_AS("timeline[1]", "60 s", "3", "accessible", "5 min"));
    cluster->disturbed = look_closely;
    assert_true(down_at(cluster, 2) < 60.0);
    assert_true(down_at(cluster, 3) > 310.0);
    assert_true(cluster->model->topology.nodes[2].alive); /* again */
    cluster_run(cluster, 1800.0);
    assert_null(strstr(cluster->events->str, "refused"));
    assert_over(cluster);
    cluster_free(cluster);
}

/* Each has moved some to the other, so that both would wait. */
static void of_two_that_are_in_the_way_of_each_other_one_goes_down(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "data.protection=none", MAINTENANCE("10 s", "2", "accessible", "5 min"),
                MAINTENANCE_AS("timeline[1]", "10 s", "3", "accessible", "5 min"));
    cluster->disturbed = look_closely;
    cluster_run(cluster, 1800.0);
    const char *refused = strstr(cluster->events->str, "maintenance-refused");
    assert_non_null(refused);
    assert_null(strstr(refused + 1, "maintenance-refused"));
    const char *down = strstr(cluster->events->str, "down node");
    assert_non_null(down);
    assert_null(strstr(down + 1, "down node"));
    assert_over(cluster);
    cluster_free(cluster);
}

/* Members whose place would be on the node that is away have none until it is out. */
static void with_another_node_away_data_leaves_when_that_is_out(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "cluster.nodes=7", "background.rebuild.delay=10 min",
                               "timeline[0].at=5 s", "timeline[0].fail=node 3",
                               MAINTENANCE_AS("timeline[1]", "20 s", "2", "evacuate", "5 min"),
                               "timeline[2].at=60 min", "timeline[2].restore=node 3");
    cluster_run(cluster, 604.0);
    assert_true(cluster->model->topology.nodes[2].alive);
    assert_true(cluster_members_on(cluster, 2) > 0);
    double at_s = down_at(cluster, 2);
    assert_true(at_s > 605.0 && at_s < 900.0);
    assert_int_equal(cluster_members_on(cluster, 2), 0);
    cluster_run(cluster, 5400.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 0);
    assert_null(strstr(cluster->events->str, "refused"));
    assert_over(cluster);
    cluster_free(cluster);
}

/* Four nodes are left, and two of them are to go: with members of four there is no place for all.
 */
static void a_maintenance_is_refused_when_waiting_would_not_help(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "background.rebuild.delay=10 min", "timeline[0].at=5 s",
                               "timeline[0].fail=node 3",
                               MAINTENANCE_AS("timeline[1]", "20 s", "2", "evacuate", "5 min"),
                               "timeline[2].at=60 min", "timeline[2].restore=node 3");
    cluster_run(cluster, 604.0);
    assert_null(strstr(cluster->events->str, "refused"));
    cluster_run(cluster, 3599.0); /* with nothing else under way any more */
    assert_non_null(strstr(cluster->events->str, "maintenance-refused node 2"));
    assert_null(strstr(cluster->events->str, "down"));
    cluster_run(cluster, 5400.0);
    assert_over(cluster);
    cluster_free(cluster);
}

static void an_upgrade_takes_all_nodes_in_turn_and_never_two(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, PACED, "timeline[0].at=10 s", "timeline[0].upgrade.each=20 s");
    cluster->disturbed = look_closely;
    guint most = 0;
    for (double at_s = 0.0; at_s < 900.0; at_s += 0.5) {
        cluster_run(cluster, at_s);
        most = MAX(most, cluster->model->topology.n_down);
    }
    assert_int_equal(most, 1);
    g_autoptr(GString) order = g_string_new(NULL);
    g_auto(GStrv) events = g_strsplit(cluster->events->str, ", ", -1);
    for (guint i = 0; events[i] != NULL; i++) {
        if (g_str_has_prefix(events[i], "down") || g_str_has_prefix(events[i], "restore")) {
            g_string_append_printf(order, "%s, ", events[i]);
        }
    }
    assert_string_equal(order->str, "down node 0, restore node 0, down node 1, restore node 1, "
                                    "down node 2, restore node 2, down node 3, restore node 3, "
                                    "down node 4, restore node 4, ");
    assert_true(cluster->longest_ns < SECOND_NS);
    assert_as_before(cluster);
    cluster_free(cluster);
}

static void an_upgrade_waits_until_all_is_whole(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "timeline[0].at=5 s", "timeline[0].fail=node 3",
                               "timeline[1].at=10 s", "timeline[1].upgrade.each=20 s",
                               "timeline[2].at=50 s", "timeline[2].restore=node 3");
    cluster_run(cluster, 49.0);
    assert_null(strstr(cluster->events->str, "down"));
    cluster_run(cluster, 900.0);
    assert_non_null(strstr(cluster->events->str, "down node 4"));
    assert_as_before(cluster);
    cluster_free(cluster);
}

static void an_upgrade_tells_which_node_it_leaves_out(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "timeline[0].at=5 s", "timeline[0].fail=node 3",
                               "timeline[1].at=10 min", "timeline[1].upgrade.each=20 s");
    cluster_run(cluster, 1800.0);
    assert_non_null(strstr(cluster->events->str, "upgrade-skipped node 3"));
    assert_null(strstr(cluster->events->str, "down node 3"));
    assert_non_null(strstr(cluster->events->str, "down node 4"));
    aft_model_tell_unfinished(cluster->model);
    assert_null(strstr(cluster->events->str, "unfinished"));
    cluster_free(cluster);
}

/* Of four nodes one is away for good, and members of four have nowhere to go. */
static void what_waits_for_ever_is_told_at_the_end(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "cluster.nodes=4", "timeline[0].at=5 s", "timeline[0].fail=node 3",
                "timeline[1].at=1 min", "timeline[1].upgrade.each=20 s");
    cluster_run(cluster, 3600.0);
    aft_model_tell_unfinished(cluster->model);
    assert_true(g_str_has_suffix(cluster->events->str, "upgrade-unfinished cluster"));
    cluster_free(cluster);
}

static void a_node_that_data_still_leaves_is_told_at_the_end(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "background.evacuate.bandwidth=1 kB/s",
                               MAINTENANCE("10 s", "2", "evacuate", "5 min"));
    cluster_run(cluster, 60.0);
    aft_model_tell_unfinished(cluster->model);
    assert_true(g_str_has_suffix(cluster->events->str, "maintenance-unfinished node 2"));
    cluster_free(cluster);
}

static void nobody_cuts_a_maintenance_short(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, PACED, "background.evacuate.bandwidth=2 MB/s",
                MAINTENANCE("10 s", "2", "evacuate", "60 s"), "timeline[1].at=80 s",
                "timeline[1].fail=node 2", "timeline[2].at=85 s", "timeline[2].restore=node 2");
    double down_s = 0.0;
    for (double at_s = 0.0; at_s < 900.0; at_s += 0.5) {
        cluster_run(cluster, at_s);
        down_s += cluster->model->topology.n_down > 0 ? 0.5 : 0.0;
    }
    assert_within(down_s, 60.0, 0.5);
    assert_as_before(cluster);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_evacuated_node_is_empty_before_it_goes_down),
        cmocka_unit_test(an_evacuated_node_is_filled_after_the_delay),
        cmocka_unit_test(what_can_be_read_without_the_node_stays_on_it),
        cmocka_unit_test(what_could_not_be_read_without_the_node_leaves_it),
        cmocka_unit_test(without_a_place_for_its_data_a_node_stays_up),
        cmocka_unit_test(a_failure_meanwhile_is_looked_at_before_the_node_goes_down),
        cmocka_unit_test(a_node_that_fails_on_its_way_out_is_not_taken_down),
        cmocka_unit_test(of_two_at_once_each_goes_down_when_its_own_data_is_away),
        cmocka_unit_test(a_node_that_got_data_from_another_in_maintenance_waits_for_that),
        cmocka_unit_test(of_two_that_are_in_the_way_of_each_other_one_goes_down),
        cmocka_unit_test(with_another_node_away_data_leaves_when_that_is_out),
        cmocka_unit_test(a_maintenance_is_refused_when_waiting_would_not_help),
        cmocka_unit_test(an_upgrade_takes_all_nodes_in_turn_and_never_two),
        cmocka_unit_test(an_upgrade_waits_until_all_is_whole),
        cmocka_unit_test(an_upgrade_tells_which_node_it_leaves_out),
        cmocka_unit_test(what_waits_for_ever_is_told_at_the_end),
        cmocka_unit_test(a_node_that_data_still_leaves_is_told_at_the_end),
        cmocka_unit_test(nobody_cuts_a_maintenance_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
