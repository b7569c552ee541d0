/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answers.h"

#define HOUR     "timeline[2].at=1 h" /* node 2 is down from 30 min to 4 h */
#define LATER    "timeline[3].at=2 h"
#define VERB     "timeline[2]."
#define CACHED   "cluster.node.disk_groups.cache.device=sas-ssd"
#define A_FOURTH "timeline[3]."

/* The five nodes with one more item, at an hour. */
static AftScenario *with_item(const char *const *settings)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    AftScenario *scenario = aft_scenario_new();
    set_all(scenario, five_nodes, problems);
    set_text(scenario, HOUR, problems);
    set_text(scenario, CACHED, problems);
    set_all(scenario, settings, problems);
    aft_scenario_resolve(scenario, problems);
    g_autofree char *text = problems_text(problems);
    assert_string_equal(text, "");
    return scenario;
}

static void every_verb_becomes_an_action(void **state)
{
    (void)state;
    static const struct {
        const char *settings[4];
        AftAction action;
    } cases[] = {
        {{VERB "fail=node 1"}, {.kind = AFT_ACTION_FAIL, .part = {AFT_PART_NODE, 1, 0, 0}}},
        {{VERB "fail=controller 1"},
         {.kind = AFT_ACTION_FAIL, .part = {AFT_PART_CONTROLLER, 1, 0, 0}}},
        {{VERB "fail=device 4.0.1"}, {.kind = AFT_ACTION_FAIL, .part = {AFT_PART_DEVICE, 4, 0, 1}}},
        {{VERB "fail=cache 3.0"}, {.kind = AFT_ACTION_FAIL, .part = {AFT_PART_CACHE, 3, 0, 0}}},
        {{VERB "fail=group\t3.0"}, {.kind = AFT_ACTION_FAIL, .part = {AFT_PART_GROUP, 3, 0, 0}}},
        {{VERB "fail=rack 0"}, {.kind = AFT_ACTION_FAIL, .part = {AFT_PART_RACK, 0, 0, 0}}},
        {{VERB "slow.device=0.0.1", VERB "slow.factor=4", VERB "slow.for=1 s"},
         {.kind = AFT_ACTION_SLOW,
          .part = {AFT_PART_DEVICE, 0, 0, 1},
          .factor = 4.0,
          .for_ns = 1000000000}},
        {{VERB "slow.link=1", VERB "slow.factor=1.5", VERB "slow.for=2 s"},
         {.kind = AFT_ACTION_SLOW,
          .part = {AFT_PART_LINK, 1, 0, 0},
          .factor = 1.5,
          .for_ns = 2000000000}},
        {{VERB "slow.link=rack 0", VERB "slow.factor=1.5", VERB "slow.for=2 s"},
         {.kind = AFT_ACTION_SLOW,
          .part = {AFT_PART_RACK, 0, 0, 0},
          .factor = 1.5,
          .for_ns = 2000000000}},
        {{VERB "corrupt.device=device 0.0.1", VERB "corrupt.sectors=7"},
         {.kind = AFT_ACTION_CORRUPT, .part = {AFT_PART_DEVICE, 0, 0, 1}, .sectors = 7}},
        {{VERB "maintenance.node=1", VERB "maintenance.for=1 s"},
         {.kind = AFT_ACTION_MAINTENANCE,
          .part = {AFT_PART_NODE, 1, 0, 0},
          .mode = AFT_MAINTENANCE_ACCESSIBLE,
          .for_ns = 1000000000}},
        {{VERB "maintenance.node=node 1", VERB "maintenance.for=1 s",
          VERB "maintenance.mode=evacuate"},
         {.kind = AFT_ACTION_MAINTENANCE,
          .part = {AFT_PART_NODE, 1, 0, 0},
          .mode = AFT_MAINTENANCE_EVACUATE,
          .for_ns = 1000000000}},
        {{VERB "upgrade.each=1 s"}, {.kind = AFT_ACTION_UPGRADE, .for_ns = 1000000000}},
        {{VERB "add.nodes=3"}, {.kind = AFT_ACTION_ADD, .nodes = 3, .first_node = 5}},
        {{VERB "stop=workload"}, {.kind = AFT_ACTION_STOP, .target_kind = AFT_TARGET_WORKLOAD}},
        {{VERB "stop=encode"},
         {.kind = AFT_ACTION_STOP,
          .target_kind = AFT_TARGET_TASK,
          .target_index = AFT_TASK_ENCODE}},
        {{VERB "start=maintenance"},
         {.kind = AFT_ACTION_START, .target_kind = AFT_TARGET_MAINTENANCE}},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AftScenario) scenario = with_item(cases[i].settings);
        const AftAction *got = &scenario->timeline[1], *wanted = &cases[i].action;
        assert_int_equal(got->kind, wanted->kind);
        assert_int_equal(got->index, 2);
        assert_memory_equal(&got->part, &wanted->part, sizeof got->part);
        assert_within(got->factor, wanted->factor, 0.0);
        assert_int_equal(got->for_ns, wanted->for_ns);
        assert_int_equal(got->sectors, wanted->sectors);
        assert_int_equal(got->mode, wanted->mode);
        assert_int_equal(got->nodes, wanted->nodes);
        assert_int_equal(got->first_node, wanted->first_node);
        assert_int_equal(got->target_kind, wanted->target_kind);
        assert_int_equal(got->target_index, wanted->target_index);
    }
}

/* Actions of different kinds share members; a key shows those of its own kind alone. */
static void keys_of_other_verbs_are_empty(void **state)
{
    (void)state;
    static const char *const settings[] = {VERB "maintenance.node=1", VERB "maintenance.for=1 s",
                                           NULL};
    static const char *const empty[] = {"fail",         "restore",   "slow.device", "slow.for",
                                        "upgrade.each", "add.nodes", "start",       "stop"};
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    set_all(scenario, five_nodes, problems);
    set_all(scenario, settings, problems);
    g_autofree char *node = aft_scenario_get(scenario, VERB "maintenance.node");
    g_autofree char *length = aft_scenario_get(scenario, VERB "maintenance.for");
    g_autofree char *mode = aft_scenario_get(scenario, VERB "maintenance.mode");
    assert_string_equal(node, "node 1");
    assert_string_equal(length, "1 s");
    assert_string_equal(mode, "accessible");
    for (guint i = 0; i < G_N_ELEMENTS(empty); i++) {
        g_autofree char *path = g_strconcat(VERB, empty[i], NULL);
        assert_null(aft_scenario_get(scenario, path));
    }
}

static void verbs_ask_for_what_they_need(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{HOUR, VERB "slow.device=0.0.0", VERB "slow.factor=2"},
         "timeline[2].slow.for: missing, expected a time, like 30 min"},
        {{HOUR, VERB "slow.for=1 s", VERB "slow.factor=2"},
         "timeline[2].slow.device: missing, expected it or slow.link"},
        {{HOUR, VERB "slow.device=0.0.0", VERB "slow.link=0", VERB "slow.for=1 s",
          VERB "slow.factor=2"},
         "timeline[2].slow.link: an item slows a device or a link, write one for each"},
        {{HOUR, VERB "corrupt.sectors=2"},
         "timeline[2].corrupt.device: missing, expected a part, like device 2.0.1"},
        {{HOUR, VERB "maintenance.mode=evacuate"},
         "timeline[2].maintenance.node: missing, expected a part, like node 2\n"
         "timeline[2].maintenance.for: missing, expected a time, like 30 min"},
        {{HOUR, VERB "upgrade.each=1 s", VERB "add.nodes=1"},
         "timeline[2].add: an item does one thing, write one for each"},
        {{VERB "upgrade.each=1 s"}, "timeline[2].at: missing, expected a time, like 30 min"},
        {{HOUR, VERB "slow=2"}, "timeline[2].slow: expected a map of keys, got \"2\""},
        {{"timeline[2]=2"}, "timeline[2]: expected a map of keys, got \"2\""},
        {{HOUR, VERB "fial=node 1"},
         "timeline[2].fial: unknown key; did you mean timeline[2].fail?"},
        {{HOUR, VERB "stop=workload", VERB "pool=data"},
         "timeline[2].pool: only a conversion has a pool"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void parts_must_be_there(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{HOUR, VERB "fail=controller 5"},
         "timeline[2].fail: there is no node 5: the cluster has 5, counted from 0"},
        {{HOUR, VERB "fail=rack 1"},
         "timeline[2].fail: there is no rack 1: the cluster has 1, counted from 0"},
        {{HOUR, VERB "fail=group 1.1"},
         "timeline[2].fail: node 1 has no disk group 1: it has 1, counted from 0"},
        {{HOUR, VERB "fail=group 1.1", "cluster.node.disk_groups.count=2"}, ""},
        {{HOUR, VERB "fail=group 1.2", "cluster.node.disk_groups.count=2"},
         "timeline[2].fail: node 1 has no disk group 2: it has 2, counted from 0"},
        {{HOUR, VERB "fail=device 1.0.2"},
         "timeline[2].fail: disk group 0 of node 1 has no capacity device 2: it has 2, counted "
         "from 0"},
        {{HOUR, VERB "fail=cache 1.0"},
         "timeline[2].fail: disk group 0 of node 1 has no cache device"},
        {{HOUR, VERB "corrupt.device=1.0.2", VERB "corrupt.sectors=1"},
         "timeline[2].corrupt.device: disk group 0 of node 1 has no capacity device 2: it has 2, "
         "counted from 0"},
        {{HOUR, VERB "slow.link=rack 1", VERB "slow.factor=2", VERB "slow.for=1 s"},
         "timeline[2].slow.link: there is no rack 1: the cluster has 1, counted from 0"},
        {{HOUR, VERB "stop=workloads"},
         "timeline[2].stop: there is no workload or task \"workloads\" to stop; did you mean "
         "workload?"},
        {{HOUR, VERB "start=rebuid"},
         "timeline[2].start: there is no workload or task \"rebuid\" to start; did you mean "
         "rebuild?"},
        {{HOUR, VERB "stop=scrub", "workload.name=scrub"},
         "timeline[2].stop: both a workload and background work are called \"scrub\""},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void actions_do_not_contradict_each_other(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{HOUR, VERB "fail=device 2.0.1"}, ""}, /* its node is down: another part */
        {{HOUR, VERB "fail=controller 2"}, ""},
        {{HOUR, VERB "fail=device 0.0.1", LATER, A_FOURTH "fail=device 0.0.1"},
         "timeline[3].fail: device 0.0.1 cannot fail at 2 h, it is down since 1 h"},
        {{HOUR, VERB "restore=device 0.0.1"},
         "timeline[2].restore: device 0.0.1 cannot be restored at 1 h, it is up"},
        {{HOUR, VERB "fail=device 0.0.1", LATER, A_FOURTH "corrupt.device=0.0.1",
          A_FOURTH "corrupt.sectors=1"},
         "timeline[3].corrupt.device: device 0.0.1 cannot be corrupted at 2 h, it is down since 1 "
         "h"},
        {{HOUR, VERB "fail=device 0.0.1", LATER, A_FOURTH "slow.device=0.0.1",
          A_FOURTH "slow.factor=2", A_FOURTH "slow.for=1 s"},
         "timeline[3].slow.device: device 0.0.1 cannot be slow at 2 h, it is down since 1 h"},
        {{HOUR, VERB "maintenance.node=2", VERB "maintenance.for=1 s"},
         "timeline[2].maintenance.node: node 2 cannot be maintained at 1 h, it is down since 30 "
         "min"},
        {{HOUR, VERB "maintenance.node=1", VERB "maintenance.for=3 h", LATER,
          A_FOURTH "fail=node 1"},
         "timeline[3].fail: node 1 cannot fail at 2 h, it is in maintenance since 1 h"},
        {{HOUR, VERB "maintenance.node=1", VERB "maintenance.for=3 h", LATER,
          A_FOURTH "restore=node 1"},
         "timeline[3].restore: node 1 cannot be restored at 2 h, it is in maintenance since 1 h"},
        {{HOUR, VERB "maintenance.node=1", VERB "maintenance.for=30 min", LATER,
          A_FOURTH "maintenance.node=1", A_FOURTH "maintenance.for=1 h"},
         ""},
        {{HOUR, VERB "maintenance.node=1", VERB "maintenance.for=3 h", LATER,
          A_FOURTH "maintenance.node=3", A_FOURTH "maintenance.for=1 h"},
         ""},
        {{HOUR, VERB "upgrade.each=13 min", LATER, A_FOURTH "upgrade.each=1 h"},
         "timeline[3].upgrade: an upgrade is under way since 1 h"}, /* five take 65 min */
        {{HOUR, VERB "upgrade.each=12 min", LATER, A_FOURTH "upgrade.each=1 h"}, ""},
        {{HOUR, VERB "upgrade.each=36500 d", LATER, A_FOURTH "upgrade.each=1 h"},
         "timeline[3].upgrade: an upgrade is under way since 1 h"}, /* five take 500 years */
        {{HOUR, VERB "upgrade.each=13 min", LATER, A_FOURTH "maintenance.node=1",
          A_FOURTH "maintenance.for=1 h"},
         "timeline[3].maintenance: an upgrade is under way since 1 h"},
        {{HOUR, VERB "slow.link=1", VERB "slow.factor=2", VERB "slow.for=61 min", LATER,
          A_FOURTH "slow.link=1", A_FOURTH "slow.factor=3", A_FOURTH "slow.for=1 h"},
         "timeline[3].slow.link: node 1 cannot be slow at 2 h, it is slow since 1 h"},
        {{HOUR, VERB "slow.link=1", VERB "slow.factor=2", VERB "slow.for=1 h", LATER,
          A_FOURTH "slow.link=1", A_FOURTH "slow.factor=3", A_FOURTH "slow.for=1 h"},
         ""},
        {{HOUR, VERB "slow.link=2", VERB "slow.factor=2", VERB "slow.for=1 h"}, ""},
        {{HOUR, VERB "start=rebuild"},
         "(timeline[2].start: has no effect, rebuild is running then"},
        {{HOUR, VERB "stop=rebuild", LATER, A_FOURTH "stop=rebuild"},
         "(timeline[3].stop: has no effect, rebuild is stopped then"},
        {{HOUR, VERB "stop=maintenance"},
         "(timeline[2].stop: has no effect, maintenance is stopped then"},
        {{HOUR, VERB "stop=maintenance", "background.maintenance.enabled=on"}, ""},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void nodes_are_used_once_they_are_there(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{HOUR, VERB "add.nodes=2", LATER, A_FOURTH "fail=node 6"}, ""},
        {{HOUR, VERB "add.nodes=2", LATER, A_FOURTH "fail=device 6.0.1"}, ""},
        {{HOUR, VERB "add.nodes=2", LATER, A_FOURTH "fail=node 7"},
         "timeline[3].fail: there is no node 7: the cluster has 7, counted from 0"},
        {{HOUR, VERB "add.nodes=2", "timeline[3].at=59 min", A_FOURTH "fail=node 6"},
         "timeline[3].fail: node 6 is not there yet at 59 min"},
        {{HOUR, VERB "add.nodes=2", "timeline[3].at=1 h", A_FOURTH "fail=node 6"}, ""},
        {{HOUR, VERB "add.nodes=100000"},
         "cluster.nodes: expected at most 100000 nodes, those that are added included, got "
         "100005"},
        {{HOUR, VERB "add.nodes=1", "workload.on=5"},
         "workload.on: \"5\" selects no nodes or some that are not there: the cluster has 5, "
         "counted from 0"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

/* Added nodes are numbered in the order of time, whatever the order they were written in. */
static void added_nodes_follow_those_of_the_start(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "cluster.racks=3", LATER, A_FOURTH "add.nodes=2", VERB "add.nodes=3", NULL,
    };
    g_autoptr(AftScenario) scenario = with_item(settings);
    static const guint racks[] = {0, 0, 1, 1, 2, 2, 0, 1, 2, 0};
    assert_int_equal(scenario->cluster.nodes, 5);
    assert_int_equal(scenario->cluster.n_sites, G_N_ELEMENTS(racks));
    for (guint i = 0; i < G_N_ELEMENTS(racks); i++) {
        const AftSite *site = &scenario->cluster.sites[i];
        assert_int_equal(site->rack, racks[i]);
        assert_int_equal(site->later, i >= 5);
        assert_ptr_equal(site->spec, &scenario->cluster.node);
    }
    assert_int_equal(scenario->timeline[1].first_node, 5);
    assert_int_equal(scenario->timeline[2].first_node, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verb_becomes_an_action),
        cmocka_unit_test(keys_of_other_verbs_are_empty),
        cmocka_unit_test(verbs_ask_for_what_they_need),
        cmocka_unit_test(parts_must_be_there),
        cmocka_unit_test(actions_do_not_contradict_each_other),
        cmocka_unit_test(nodes_are_used_once_they_are_there),
        cmocka_unit_test(added_nodes_follow_those_of_the_start),
    };
    return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
