/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import.h"

static AftScenario *cluster_of(const char *part)
{
    g_autofree char *yaml =
        g_strconcat("version: 1\ndata: {logical: 1 TB, domain: device, protection: rf2}\n", part,
                    NULL);
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    AftScenario *scenario =
        aft_loader_load_text("s.yaml", yaml, strlen(yaml), NULL, messages, NULL);
    for (guint i = 0; i < messages->len; i++) {
        print_error("%s\n", (const char *)messages->pdata[i]);
    }
    assert_non_null(scenario);
    return scenario;
}

static void check_cluster(const AftScenario *scenario)
{
    const AftClusterSpec *cluster = &scenario->cluster;
    assert_int_equal(cluster->racks, 2);
    assert_int_equal(cluster->n_groups, 2);
    assert_int_equal(cluster->groups[0].nodes, 2); /* alike, but for a few sectors */
    assert_int_equal(cluster->groups[0].rack, 0);
    assert_int_equal(cluster->groups[1].nodes, 1);
    assert_int_equal(cluster->groups[1].rack, 1);
    const AftDiskGroupSpec *disks = cluster->groups[0].node.disk_groups;
    assert_int_equal(cluster->groups[0].node.n_disk_groups, 2);
    assert_string_equal(disks[0].capacity.device, "hdd-7k2");
    assert_int_equal(disks[0].capacity.count, 2);
    assert_int_equal(disks[0].capacity.size_bytes, 8002000000000);
    assert_string_equal(disks[1].capacity.device, "sata-ssd");
    assert_int_equal(disks[1].capacity.size_bytes, 3840000000000);
    assert_string_equal(cluster->groups[1].node.disk_groups[0].capacity.device, "nvme-ssd");
}

static void tree_and_df_make_a_cluster_in_any_order(void **state)
{
    (void)state;
    const char *orders[][3] = {{FILES "/osd-tree.json", FILES "/osd-df.json", NULL},
                               {FILES "/osd-df.json", FILES "/osd-tree.json", NULL},
                               {FILES "/osd-df-tree.json", NULL}};
    for (guint i = 0; i < G_N_ELEMENTS(orders); i++) {
        AftImportOptions options = usual();
        g_autofree char *remarks = NULL;
        g_autofree char *yaml = import_files("ceph", orders[i], &options, &remarks, NULL);
        assert_non_null(yaml);
        g_autoptr(AftScenario) scenario = cluster_of(yaml);
        check_cluster(scenario);
        assert_non_null(strstr(remarks, "1 nodes are down"));
    }
}

/* As osdmaptool 16.2.15 --tree=json wrote it: two racks, and a host beside them. */
static void weights_are_sizes_where_nothing_else_is(void **state)
{
    (void)state;
    const char *paths[] = {FILES "/osdmaptool-tree.json", NULL};
    AftImportOptions options = usual();
    g_autofree char *remarks = NULL;
    g_autofree char *yaml = import_files("ceph", paths, &options, &remarks, NULL);
    assert_non_null(yaml);
    g_autoptr(AftScenario) scenario = cluster_of(yaml);
    assert_int_equal(scenario->cluster.racks, 3);
    assert_int_equal(scenario->cluster.n_groups, 3);
    assert_within((double)scenario->cluster.groups[0].node.disk_groups[0].capacity.size_bytes,
                  7.2774 * 1099511627776.0, 1e9);
    assert_non_null(strstr(remarks, "5 OSDs are taken to have their weight in TiB"));
    assert_non_null(strstr(remarks, "5 OSDs are out"));
}

/* With --show-shadow, each OSD is there once more for its class. */
static void shadows_of_classes_are_no_hosts(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autofree char *yaml = import_bytes(
        "ceph",
        "{\"nodes\": [{\"id\": -2, \"type\": \"host\", \"name\": \"a\", \"children\": [0, 1]}, "
        "{\"id\": 0, \"type\": \"osd\", \"kb\": 4000000000}, {\"id\": 1, \"type\": \"osd\", "
        "\"kb\": "
        "4000000000}, {\"id\": -9, \"type\": \"host\", \"name\": \"a~hdd\", \"children\": [1]}]}",
        -1, &options, NULL);
    assert_non_null(yaml);
    g_autoptr(AftScenario) scenario = cluster_of(yaml);
    assert_int_equal(scenario->cluster.n_groups, 1);
    assert_int_equal(scenario->cluster.groups[0].node.disk_groups[0].capacity.count, 2);
}

static void rings_come_to_an_end(void **state)
{
    (void)state;
    assert_refused(
        "ceph",
        "{\"nodes\": [{\"id\": -1, \"type\": \"x\", \"children\": [-2, 0]}, {\"id\": -2, "
        "\"children\": [-1]}, {\"id\": 0, \"type\": \"osd\", \"kb\": 5}]}",
        AFT_ERROR_SYNTAX, "has no host with OSDs");
}

static void mistakes_have_a_place(void **state)
{
    (void)state;
    assert_refused("ceph", "{}", AFT_ERROR_SYNTAX, "has no nodes");
    assert_refused("ceph", "{\"nodes\": []}", AFT_ERROR_SYNTAX, "has no host");
    assert_refused("ceph", "{\"nodes\": [1]}", AFT_ERROR_SYNTAX, "nodes[0]: expected an object");
    assert_refused("ceph", "{\"nodes\": [{}]}", AFT_ERROR_SYNTAX, "f: nodes[0]: expected ids");
    assert_refused("ceph", "{\"nodes\": [{\"id\": 1, \"kb\": -1}]}", AFT_ERROR_SYNTAX,
                   "f: nodes[0].kb: expected a number");
    assert_refused("ceph", "{\"nodes\": [{\"id\": 1, \"kb\": 1e30}]}", AFT_ERROR_RANGE, "at most");
    assert_refused("ceph", "{\"nodes\": [{\"id\": 1, \"children\": [\"x\"]}]}", AFT_ERROR_SYNTAX,
                   "nodes[0]: expected ids");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_and_df_make_a_cluster_in_any_order),
        cmocka_unit_test(weights_are_sizes_where_nothing_else_is),
        cmocka_unit_test(shadows_of_classes_are_no_hosts),
        cmocka_unit_test(rings_come_to_an_end),
        cmocka_unit_test(mistakes_have_a_place),
    };
    return cmocka_run_group_tests_name("import/ceph", tests, NULL, NULL);
}
