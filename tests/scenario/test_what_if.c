/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build.h"

#include <aftershock/scenario/parts.h>
#include <aftershock/scenario/what_if.h>

#define SECOND_NS G_GINT64_CONSTANT(1000000000)

static const char *const nothing[] = {NULL};

/* "cache 0.0 cache 0.1 ..." */
static char *parts_text(const char *const *settings, AftPartKind kind)
{
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    g_autoptr(GArray) parts = aft_what_if_parts(scenario, kind);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < parts->len; i++) {
        g_autofree char *name = aft_part_format(&g_array_index(parts, AftPart, i));
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", name);
    }
    return g_strdup(text->str);
}

static void every_part_of_a_kind_is_there_once(void **state)
{
    (void)state;
    static const char *const tiers[] = {"cluster.node.disk_groups.count=2",
                                        "cluster.node.disk_groups.cache.device=sas-ssd",
                                        "cluster.racks=2", NULL};
    g_autofree char *nodes = parts_text(tiers, AFT_PART_NODE);
    g_autofree char *caches = parts_text(tiers, AFT_PART_CACHE);
    g_autofree char *racks = parts_text(tiers, AFT_PART_RACK);
    g_autofree char *disks = parts_text(nothing, AFT_PART_DEVICE);
    assert_string_equal(nodes, "node 0, node 1, node 2, node 3, node 4");
    assert_string_equal(caches, "cache 0.0, cache 0.1, cache 1.0, cache 1.1, cache 2.0, "
                                "cache 2.1, cache 3.0, cache 3.1, cache 4.0, cache 4.1");
    assert_string_equal(racks, "rack 0, rack 1");
    assert_string_equal(disks, "device 0.0.0, device 0.0.1, device 1.0.0, device 1.0.1, "
                               "device 2.0.0, device 2.0.1, device 3.0.0, device 3.0.1, "
                               "device 4.0.0, device 4.0.1");
}

static void a_flat_cluster_has_no_caches(void **state)
{
    (void)state;
    g_autofree char *caches = parts_text(nothing, AFT_PART_CACHE);
    assert_string_equal(caches, "");
}

/* What is done on purpose is no fault: the nodes that are added, the rebuild that is stopped. */
static void faults_go_and_the_rest_stays(void **state)
{
    (void)state;
    static const char *const settings[] = {"timeline[2].at=1 h",
                                           "timeline[2].add.nodes=1",
                                           "timeline[3].at=2 h",
                                           "timeline[3].slow.device=0.0.1",
                                           "timeline[3].slow.factor=2",
                                           "timeline[3].slow.for=1 h",
                                           "timeline[4].at=3 h",
                                           "timeline[4].stop=rebuild",
                                           "faults.every=30 d",
                                           "faults.repair=1 h",
                                           "faults.life.kind=empirical",
                                           "faults.life.values=1",
                                           NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    assert_true(aft_what_if_first_failure(scenario) == 1800 * SECOND_NS);
    aft_what_if_no_faults(scenario);
    assert_int_equal(scenario->n_faults, 0);
    assert_int_equal(scenario->n_timeline, 2);
    assert_int_equal(scenario->timeline[0].kind, AFT_ACTION_ADD);
    assert_int_equal(scenario->timeline[1].kind, AFT_ACTION_STOP);
    assert_true(aft_what_if_first_failure(scenario) == AFT_WHAT_IF_NEVER);
}

/* The same experiment as if it had been written, to the digest. */
static void a_failure_is_as_if_it_had_been_written(void **state)
{
    (void)state;
    static const char *const added[] = {"timeline[2].at=40 min", "timeline[2].add.nodes=1", NULL};
    static const char *const written[] = {"timeline[0].fail=node 1", "timeline[1].restore=node 1",
                                          "timeline[2].at=40 min", "timeline[2].add.nodes=1", NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(added);
    g_autoptr(AftScenario) other = five_nodes_with(written);
    const AftPart part = {.kind = AFT_PART_NODE, .node = 1};
    aft_what_if_no_faults(scenario);
    aft_what_if_fails(scenario, &part, 1800 * SECOND_NS, 4 * 3600 * SECOND_NS);
    g_autofree char *digest = aft_scenario_digest(scenario);
    g_autofree char *expected = aft_scenario_digest(other);
    assert_string_equal(digest, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_of_a_kind_is_there_once),
        cmocka_unit_test(a_flat_cluster_has_no_caches),
        cmocka_unit_test(faults_go_and_the_rest_stays),
        cmocka_unit_test(a_failure_is_as_if_it_had_been_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
