/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failures that a file tells of. */
#include "cluster.h"

#include <glib/gstdio.h>

/* Runs the small cluster, with @settings, through the rows of @text, up to @until_s. */
static Cluster *replay(const char *text, double until_s, const char *const *settings)
{
    g_autofree char *folder = g_dir_make_tmp("aftershock-faults-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "faults.csv", NULL);
    g_autofree char *trace = g_strconcat("faults[0].trace=", path, NULL);
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_ptr_array_add(all, trace);
    for (guint i = 0; settings[i] != NULL; i++) {
        g_ptr_array_add(all, (gpointer)(gsize)settings[i]);
    }
    g_ptr_array_add(all, NULL);
    assert_true(g_file_set_contents(path, text, -1, NULL));
    Cluster *cluster = cluster_new((const char *const *)all->pdata);
    cluster_run(cluster, until_s);
    g_unlink(path);
    g_rmdir(folder);
    return cluster;
}

#define REPLAY(text, until_s, ...) replay(text, until_s, (const char *const[]){__VA_ARGS__, NULL})
#define TITLES                     "time_s,event,subject\n"

static void a_file_does_what_the_timeline_would(void **state)
{
    (void)state;
    Cluster *cluster = REPLAY(TITLES "10,fail,node 2\n12,note,cluster\n100,restore,node 2\n", 300.0,
                              "background.rebuild.delay=30 s");
    Cluster *other =
        CLUSTER("background.rebuild.delay=30 s", "timeline[0].at=10 s", "timeline[0].fail=node 2",
                "timeline[1].at=100 s", "timeline[1].restore=node 2");
    cluster_run(other, 300.0);
    g_autofree char *phases = cluster_phases(other);
    assert_phases(cluster, phases);
    assert_string_equal(cluster->events->str, other->events->str);
    assert_all_back(cluster);
    assert_true(aft_model_is_settled(cluster->model));
    cluster_free(other);
    cluster_free(cluster);
}

static void what_is_down_does_not_fail_and_what_is_up_does_not_return(void **state)
{
    (void)state;
    Cluster *cluster =
        REPLAY(TITLES "5,restore,node 1\n10,fail,device 1.0.0\n11,fail,device 1.0.0\n"
                      "20,restore,device 1.0.0\n21,restore,device 1.0.0\n",
               15.0, "background.rebuild.device_delay=1 h");
    assert_int_equal(cluster->model->topology.n_down, 1);
    assert_false(aft_model_is_settled(cluster->model)); /* rows are to come */
    cluster_run(cluster, 100.0);
    assert_string_equal(cluster->events->str,
                        "fail device 1.0.0, detect device 1.0.0, restore device 1.0.0, "
                        "rebuild-start cluster, rebuild-end cluster");
    cluster_free(cluster);
}

static void a_part_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    Cluster *cluster = REPLAY(TITLES "10,fail,node 2\n20,fail,node 5\n", 30.0, NULL);
    const GError *error = aft_model_error(cluster->model);
    assert_non_null(error);
    assert_non_null(strstr(error->message, "faults.csv:3: subject: the cluster has no such part"));
    cluster_free(cluster);
}

/* Node 5 comes at 60 s. */
static void a_node_that_failed_before_it_came_is_down_until_it_returns(void **state)
{
    (void)state;
    Cluster *cluster = REPLAY(TITLES "10,fail,node 5\n100,restore,node 5\n", 90.0,
                              "timeline[0].at=60 s", "timeline[0].add.nodes=1");
    const AftTopology *topology = &cluster->model->topology;
    assert_false(topology->nodes[5].alive);
    assert_int_equal(topology->n_down, 1);
    assert_int_equal(cluster_members_on(cluster, 5), 0);
    cluster_run(cluster, 200.0);
    assert_true(topology->nodes[5].alive);
    assert_int_equal(topology->n_down, 0);
    assert_all_at_home(cluster);
    cluster_free(cluster);
}

/* Both copies of all groups, replaced before anybody has missed them. */
static void a_loss_that_nobody_had_noticed_is_told(void **state)
{
    (void)state;
    Cluster *cluster = REPLAY(TITLES "10,fail,device 0.0.0\n10,fail,device 1.0.0\n"
                                     "12,restore,device 0.0.0\n13,restore,device 1.0.0\n",
                              60.0, "cluster.nodes=2", "data.protection=rf2",
                              "cluster.node.disk_groups.capacity.count=1");
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 64);
    assert_string_equal(cluster->events->str,
                        "fail device 0.0.0, fail device 1.0.0, restore device 0.0.0, "
                        "restore device 1.0.0, loss cluster");
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_does_what_the_timeline_would),
        cmocka_unit_test(what_is_down_does_not_fail_and_what_is_up_does_not_return),
        cmocka_unit_test(a_part_that_is_not_there_is_an_error),
        cmocka_unit_test(a_node_that_failed_before_it_came_is_down_until_it_returns),
        cmocka_unit_test(a_loss_that_nobody_had_noticed_is_told),
    };
    return cmocka_run_group_tests_name("fault-replay", tests, NULL, NULL);
}
