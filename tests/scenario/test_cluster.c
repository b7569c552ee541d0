/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answers.h"

/* Four nodes with two devices of 3.84 TB each, two that only run virtual machines. */
static const char *const mixed[] = {
    "version=1",
    "cluster.groups[0].nodes=4",
    "cluster.groups[0].node.disk_groups.capacity.device=sata-ssd",
    "cluster.groups[0].node.disk_groups.capacity.count=2",
    "cluster.groups[1].nodes=2",
    "cluster.groups[1].node.controller.slots=4",
    "data.logical=6 TB",
    "data.protection=rf2",
    NULL,
};

#define A_WORKLOAD "workload.kind=closed", "workload.vms=4", "workload.outstanding=4"
#define LARGE(n)                                                                                 \
    "cluster.groups[2].nodes=" n, "cluster.groups[2].node.disk_groups.capacity.device=sata-ssd", \
        "cluster.groups[2].node.disk_groups.capacity.count=20"

static AftScenario *mixed_with(const char *const *settings, char **ret_problems)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    AftScenario *scenario = aft_scenario_new();
    set_all(scenario, mixed, problems);
    set_all(scenario, settings, problems);
    aft_scenario_resolve(scenario, problems);
    *ret_problems = problems_text(problems);
    return scenario;
}

static void assert_mixed_answers(const Case *cases, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        g_autofree char *text = NULL;
        g_autoptr(AftScenario) scenario = mixed_with(cases[i].settings, &text);
        assert_non_null(scenario);
        assert_string_equal(text, cases[i].problems);
    }
}

static void nodes_are_counted_group_by_group(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "cluster.racks=2",      "cluster.groups[1].rack=1", "timeline.at=1 h",
        "timeline.add.nodes=1", "run.duration=2 h",         NULL,
    };
    static const guint racks[] = {0, 0, 1, 1, 1, 1, 0};
    g_autofree char *text = NULL;
    g_autoptr(AftScenario) scenario = mixed_with(settings, &text);
    const AftClusterSpec *cluster = &scenario->cluster;
    assert_string_equal(text, "");
    assert_int_equal(cluster->nodes, 6);
    assert_int_equal(cluster->n_sites, 7);
    for (guint i = 0; i < cluster->n_sites; i++) {
        assert_ptr_equal(cluster->sites[i].spec, &cluster->groups[i < 4 ? 0 : 1].node);
        assert_int_equal(cluster->sites[i].rack, racks[i]);
    }
    assert_ptr_equal(cluster->groups[0].node.disk_groups[0].capacity.profile->name,
                     cluster->sites[0].spec->disk_groups[0].capacity.profile->name);
    assert_int_equal(cluster->sites[3].spec->disk_groups[0].capacity.size_bytes, 3840000000000);
}

static void a_cluster_is_mixed_or_not(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{NULL}, ""},
        {{"cluster.nodes=5"},
         "cluster.nodes: a cluster has groups, or nodes that are all alike: write one of them"},
        {{"cluster.node.nic=1 Gbit/s"},
         "cluster.node: a cluster has groups, or nodes that are all alike: write one of them"},
        {{"cluster.groups[2].node.nic=1 Gbit/s"},
         "cluster.groups[2].nodes: missing, expected a whole number"},
        {{"cluster.groups[2].nodes=100000"},
         "cluster.groups: expected at most 100000 nodes, those that are added included, got "
         "100006"},
        {{"cluster.groups[2].nodes=1", "cluster.groups[2].rack=1"},
         "cluster.groups[2].rack: there is no rack 1: cluster.racks is 1, counted from 0"},
        {{"cluster.groups[0].nodes=60000"}, ""}, /* 120,000 devices */
        {{"cluster.groups[0].nodes=60000", "cluster.groups[0].node.disk_groups.capacity.count=20"},
         "cluster.groups: expected at most 1000000 devices, got 1200000"},
    };
    assert_mixed_answers(cases, G_N_ELEMENTS(cases));
}

static void every_kind_of_node_is_checked(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"cluster.groups[1].node.disk_groups.capacity.device=sata-sdd"},
         "cluster.groups[1].node.disk_groups[0].capacity.device: there is no device profile "
         "\"sata-sdd\"; did you mean sata-ssd?"},
        {{"cluster.groups[1].node.disk_groups.count=2"},
         "cluster.groups[1].node.disk_groups[0].capacity.device: missing, expected a name (one "
         "line of at most 200 bytes)"},
        {{"cluster.groups[0].node.controller.io=1 ms"},
         "cluster.groups[0].node.controller.slots: missing, a controller needs a whole number (0: "
         "no controller)"},
        {{"cluster.groups[1].node.controller.spread=weibull"},
         "cluster.groups[1].node.controller.spread.shape: missing, weibull needs it"},
        {{"tiers.parity=destage"},
         "tiers.parity: destage needs a cache device in every disk group"},
        {{"tiers.parity=destage", "cluster.groups[0].node.disk_groups.cache.device=sas-ssd"}, ""},
        {{"cluster.groups[0].node.disk_groups.cache.device=sas-ssd",
          "cluster.groups[0].node.disk_groups.cache.count=3"},
         "(cluster.groups[0].node.disk_groups[0].cache.count: 1 of 3 have no capacity device "
         "behind them and do nothing"},
        {{"cluster.groups[0].node.disk_groups.cache.device=sas-ssd",
          "cluster.groups[0].node.disk_groups.cache.size=1 MB"},
         "cluster.groups[0].node.disk_groups[0].cache.size: leaves a write buffer of 1 MB, "
         "expected at least 2 MiB: twice what is written at once"},
    };
    assert_mixed_answers(cases, G_N_ELEMENTS(cases));
}

static void members_need_domains_that_hold_data(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"data.protection=ec", "data.protection.data=4", "data.protection.parity=1"},
         "data.protection.scheme: ec 4+1 needs 5 nodes, the cluster has 4"},
        {{"data.protection=ec", "data.protection.data=4", "data.protection.parity=1",
          "data.domain=device"},
         ""},
        {{"data.protection=ec", "data.protection.data=6", "data.protection.parity=3",
          "data.domain=device"},
         "data.protection.scheme: ec 6+3 needs 9 devices, the cluster has 8"},
        {{"data.domain=rack"}, "data.protection.scheme: rf2 needs 2 racks, the cluster has 1"},
        {{"data.domain=rack", "cluster.racks=2"}, ""},
        {{"data.domain=rack", "cluster.racks=2", "cluster.groups[0].rack=0"},
         "data.protection.scheme: rf2 needs 2 racks, the cluster has 1"},
        {{"data.domain=rack", "cluster.racks=2", "timeline.at=1 h", "timeline.fail=device 0.0.0"},
         "(data.protection.scheme: rf2 needs all 2 racks: while one is down nothing can be "
         "rebuilt"},
        {{"data.domain=device", "timeline.at=1 h", "timeline.set.data.protection=rf3"},
         "timeline[0].set.data.protection: a pool of domain device keeps its layout: use node or "
         "rack"},
        {{"data.domain=device", "data.protection=rf-then-encode", "data.protection.data=2"},
         "data.domain: a pool of domain device keeps its layout: use node or rack"},
    };
    assert_mixed_answers(cases, G_N_ELEMENTS(cases));
}

/* 30.72 TB on four like nodes; a large node of 76.8 TB can hold no more than one copy of what the
 * others do. */
static void data_fits_where_no_domain_holds_two_members(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"data.logical=16 TB"},
         "data.logical: takes 32 TB with protection, the cluster has 30.72 TB"},
        {{"data.logical=11 TB"},
         "(data.logical: with one node down it would fill devices to 95.5 %, above cluster.full "
         "(95 %): a rebuild could not finish"},
        {{"data.logical=11 TB", "data.domain=device"}, ""},
        {{LARGE("1"), "data.logical=30 TB"},
         "(data.logical: fills devices to 97.7 %, above cluster.full (95 %)"},
        {{LARGE("1"), "data.logical=28 TB"}, /* without the large node all are alike */
         "(data.logical: with one node down it would fill devices to 182.3 %, above cluster.full "
         "(95 %): a rebuild could not finish"},
        {{LARGE("1"), "data.logical=31 TB"},
         "data.logical: takes 62 TB with protection, rf2 has room for 61.44 TB: no node holds two "
         "members of a stripe"},
        {{LARGE("2"), "data.logical=50 TB"}, /* one of them left has room for 61.44 TB */
         "(data.logical: with one node down it would fill devices to 162.8 %, above cluster.full "
         "(95 %): a rebuild could not finish"},
        {{LARGE("3"), "data.logical=50 TB"}, ""},
    };
    assert_mixed_answers(cases, G_N_ELEMENTS(cases));
}

static void machines_run_where_they_may(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{A_WORKLOAD}, ""},
        {{A_WORKLOAD, "cluster.groups[0].node.compute=off"}, ""},
        {{A_WORKLOAD, "cluster.groups[0].node.compute=off", "workload.on=4:6"}, ""},
        {{A_WORKLOAD, "cluster.groups[0].node.compute=off", "workload.on=2:6"},
         "workload.on: no virtual machine may run on node 3: compute is off there"},
        {{A_WORKLOAD, "cluster.groups[0].node.compute=off", "cluster.groups[1].node.compute=off"},
         "workload.on: no virtual machine may run on \"all\": compute is off there"},
    };
    assert_mixed_answers(cases, G_N_ELEMENTS(cases));
    static const char *const settings[] = {A_WORKLOAD, "cluster.groups[0].node.compute=off", NULL};
    g_autofree char *text = NULL;
    g_autoptr(AftScenario) scenario = mixed_with(settings, &text);
    assert_int_equal(scenario->workloads[0].n_on_nodes, 2);
    assert_int_equal(scenario->workloads[0].on_nodes[0], 4);
}

static void parts_are_those_of_their_own_node(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"timeline.at=1 h", "timeline.fail=device 3.0.1"}, ""},
        {{"timeline.at=1 h", "timeline.fail=device 4.0.0"},
         "timeline[0].fail: node 4 has no disk group 0: it has 0, counted from 0"},
        {{LARGE("1"), "timeline.at=1 h", "timeline.fail=device 6.0.19"}, ""},
        {{"cluster.racks=2", "timeline.at=1 h", "timeline.fail=rack 1"}, ""},
    };
    assert_mixed_answers(cases, G_N_ELEMENTS(cases));
}

#define DRAWN "faults.every=30 d", "faults.repair=1 h"

static void failures_that_are_drawn_have_a_life(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{DRAWN}, ""},
        {{"faults.repair=1 h"}, "faults[0].every: missing, expected a time, like 30 min"},
        {{"faults.every=30 d"}, "faults[0].repair: missing, expected a time, like 30 min"},
        {{"faults.part=device", "faults.repair=1 h", "devices.sata-ssd.afr=0 %"},
         "faults[0].every: missing, and the afr of sata-ssd (0 %) gives no mean life"},
        {{"faults.part=device", "faults.repair=1 h", "devices.sata-ssd.afr=100 %"},
         "faults[0].every: missing, and the afr of sata-ssd (100 %) gives no mean life"},
        {{"faults.part=device", "faults.repair=1 h", "devices.sata-ssd.afr=1 %"}, ""},
        {{"faults.part=device", DRAWN, "devices.sata-ssd.afr=0 %"}, ""},
        {{"faults.part=device", "faults.on=4", DRAWN},
         "faults[0].part: the nodes it is on have no such part"},
        {{"faults.part=cache", DRAWN}, "faults[0].part: the nodes it is on have no such part"},
        {{"faults.on=6", DRAWN},
         "faults[0].on: \"6\" selects no nodes or some that are not there: the cluster has 6, "
         "counted from 0"},
        {{"faults.part=rack", "faults.on=0,1", DRAWN},
         "faults[0].on: \"0,1\" selects no racks or some that are not there: the cluster has 1, "
         "counted from 0"},
        {{"faults.life=weibull", DRAWN}, "faults[0].life.shape: missing, weibull needs it"},
        {{"faults.life=weibull", "faults.life.shape=1.2", DRAWN}, ""},
        {{"faults.repair_spread=weibull", DRAWN},
         "faults[0].repair_spread.shape: missing, weibull needs it"},
        {{"faults.burst.share=1 %", DRAWN},
         "faults[0].burst.within: missing, expected a time, like 30 min"},
        {{"faults.burst.size=2", DRAWN}, "faults[0].burst.share: no failure brings others with it"},
        {{"faults.trace=" TRACES "/failures.csv"}, ""},
        {{"faults.trace=/"}, "faults[0].trace: \"/\" is a folder, not a file"},
        {{"faults.trace=" TRACES "/failures.csv", DRAWN, "faults.burst.share=1 %"},
         "faults[0].every: a trace tells what fails: leave it out\n"
         "faults[0].repair: a trace tells what fails: leave it out\n"
         "faults[0].burst: a trace tells what fails: leave it out"},
    };
    assert_mixed_answers(cases, G_N_ELEMENTS(cases));
}

static void failures_warn_like_those_of_the_timeline(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"data.protection=raid5"}, ""},
        {{"data.protection=raid5", DRAWN},
         "(data.protection.scheme: raid5 3+1 needs all 4 nodes: while one is down nothing can be "
         "rebuilt"},
    };
    assert_mixed_answers(cases, G_N_ELEMENTS(cases));
}

static void scans_that_are_waited_for_take_place(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"background.scan.full=1 h", "background.scan.length=1 h"}, ""},
        {{"background.scan.full=1 us"}, "background.scan.full: expected 1 s or more, got 1 us"},
        {{"background.scan.partial=999 ms"},
         "background.scan.partial: expected 1 s or more, got 999 ms"},
        {{"background.scrub.every=1 ns"}, "background.scrub.every: expected 1 s or more, got 1 ns"},
        {{"background.scan.full=1 h", "background.scan.length=61 min"},
         "background.scan.full: expected at least background.scan.length (61 min)"},
        {{"background.scan.length=1 h"},
         "(background.scan.length: has no effect: there is no scan"},
        {{"background.encode.trigger=scan"},
         "background.encode.trigger: there is no scan: write background.scan.full or .partial"},
        {{"background.encode.trigger=scan", "background.scan.partial=1 h"}, ""},
        {{"background.encode.trigger=full-scan", "background.scan.partial=1 h"},
         "background.encode.trigger: there is no full scan: write background.scan.full"},
        {{"background.scrub.unit=2 MiB"},
         "(background.scrub: has no effect: background.scrub.every is never"},
        {{"background.scrub.unit=2 MiB", "background.scrub.every=7 d"}, ""},
    };
    assert_mixed_answers(cases, G_N_ELEMENTS(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_counted_group_by_group),
        cmocka_unit_test(a_cluster_is_mixed_or_not),
        cmocka_unit_test(every_kind_of_node_is_checked),
        cmocka_unit_test(members_need_domains_that_hold_data),
        cmocka_unit_test(data_fits_where_no_domain_holds_two_members),
        cmocka_unit_test(machines_run_where_they_may),
        cmocka_unit_test(parts_are_those_of_their_own_node),
        cmocka_unit_test(failures_that_are_drawn_have_a_life),
        cmocka_unit_test(failures_warn_like_those_of_the_timeline),
        cmocka_unit_test(scans_that_are_waited_for_take_place),
    };
    return cmocka_run_group_tests_name("cluster", tests, NULL, NULL);
}
