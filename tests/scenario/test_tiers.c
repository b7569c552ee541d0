/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answers.h"

#include <aftershock/scenario/services.h>
#include <aftershock/scenario/tiers.h>

#define CACHE "cluster.node.disk_groups.cache.device=sas-ssd-write" /* of 800 GB */

static void marks_are_in_order(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{CACHE, "tiers.low=90 %"}, "tiers.low: expected less than tiers.high (90 %), got 90 %"},
        {{CACHE, "tiers.high=20 %"}, "tiers.high: expected more than tiers.low (30 %), got 20 %"},
        {{CACHE, "tiers.low=60 %", "tiers.high=50 %"},
         "tiers.low: expected less than tiers.high (50 %), got 60 %"},
        {{CACHE, "tiers.low=0 %", "tiers.high=1 %", "tiers.start=100 %"}, ""},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void tiers_need_caches(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{CACHE, "tiers.parity=destage"}, ""},
        {{"tiers.low=20 %"}, "(tiers: has no effect: no disk group has a cache device"},
        {{"cluster.node.disk_groups.cache.count=0", "tiers.low=20 %"},
         "(tiers: has no effect: no disk group has a cache device"},
        {{"tiers.parity=destage"},
         "tiers.parity: destage needs a cache device in every disk group"},
        {{CACHE, "cluster.node.disk_groups[1].capacity.device=hdd-7k2",
          "cluster.node.disk_groups[1].capacity.count=2", "tiers.parity=destage"},
         "tiers.parity: destage needs a cache device in every disk group"},
        {{CACHE, "cluster.node.disk_groups[1].capacity.device=hdd-7k2",
          "cluster.node.disk_groups[1].capacity.count=2", "tiers.low=20 %"},
         ""},
        {{"cluster.node.disk_groups.cache.device=sas-sd", "tiers.parity=destage"},
         "cluster.node.disk_groups.cache.device: there is no device profile \"sas-sd\"; did you "
         "mean sas-ssd?"},
        {{"cluster.node.disk_groups.cahe.device=sas-ssd", "tiers.parity=destage"},
         "cluster.node.disk_groups.cahe.device: unknown key; did you mean "
         "cluster.node.disk_groups.cache.device?"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void a_log_needs_a_partner(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    const char *const settings[] = {
        "version=1", "cluster.nodes=1",   "cluster.node.disk_groups.capacity.device=sata-ssd",
        CACHE,       "data.logical=1 GB", "tiers.parity=destage",
        NULL};
    set_all(scenario, settings, problems);
    assert_false(aft_scenario_resolve(scenario, problems));
    g_autofree char *text = problems_text(problems);
    assert_string_equal(text,
                        "tiers.parity: destage keeps each log on two nodes, the cluster has 1");
}

static void buffers_hold_what_is_written_at_once(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{CACHE, "tiers.buffer=2 MiB"}, ""},
        {{CACHE, "tiers.buffer=2 MB"},
         "tiers.buffer: leaves a write buffer of 2 MB, expected at least 2 MiB: twice what "
         "is written at once"},
        {{"tiers.buffer=1 B"}, "(tiers: has no effect: no disk group has a cache device"},
        {{CACHE, "tiers.buffer=4 MiB", "tiers.parity=destage"}, ""},
        {{CACHE, "tiers.buffer=3 MiB", "tiers.parity=destage"},
         "tiers.buffer: leaves a write buffer of 3 MiB, expected at least 4 MiB: four times what "
         "is written at once"},
        {{CACHE, "tiers.buffer=4 MiB", "workload.block=3 MiB"},
         "tiers.buffer: leaves a write buffer of 4 MiB, expected at least 6 MiB: twice what is "
         "written at once"},
        {{CACHE, "tiers.buffer=4 MiB", "background.encode.unit=4 MiB"},
         "tiers.buffer: leaves a write buffer of 4 MiB, expected at least 8 MiB: twice what is "
         "written at once"},
        /* Background work does not pass through a log. */
        {{CACHE, "tiers.buffer=4 MiB", "tiers.parity=destage", "background.encode.unit=4 MiB"}, ""},
        {{CACHE, "tiers.buffer=4 MiB", "tiers.unit=4 MiB"},
         "tiers.buffer: leaves a write buffer of 4 MiB, expected at least 8 MiB: twice what is "
         "written at once"},
        {{CACHE, "tiers.buffer=3 MiB", "data.services.dedupe.ratio=2"},
         "tiers.buffer: leaves a write buffer of 3 MiB, expected at least 4 MiB: twice what is "
         "written at once"},
        {{CACHE, "tiers.buffer=3 MiB", "data.services.dedupe.ratio=2",
          "data.services.dedupe.when=destage"},
         ""},
        {{CACHE, "cluster.node.disk_groups.cache.size=1 MiB"},
         "cluster.node.disk_groups.cache.size: leaves a write buffer of 1 MiB, expected at least "
         "2 MiB: twice what is written at once"},
        {{CACHE, "cluster.node.disk_groups.cache.size=4 MiB", "tiers.read_share=75 %"},
         "cluster.node.disk_groups.cache.size: leaves a write buffer of 1 MiB, expected at least "
         "2 MiB: twice what is written at once"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void caches_stand_before_something(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{CACHE, "cluster.node.disk_groups.cache.count=2",
          "cluster.node.disk_groups.capacity.count=2"},
         ""},
        {{CACHE, "cluster.node.disk_groups.cache.count=3",
          "cluster.node.disk_groups.capacity.count=2"},
         "(cluster.node.disk_groups.cache.count: 1 of 3 have no capacity device behind them and "
         "do nothing"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void caches_are_divided(void **state)
{
    (void)state;
    static const struct {
        const char *settings[MOST_CHANGES];
        double buffer, read;
    } cases[] = {
        {{CACHE}, 800e9, 0.0},
        {{CACHE, "tiers.read_share=70 %"}, 240e9, 560e9},
        {{CACHE, "tiers.buffer=600 GB"}, 600e9, 0.0},
        {{CACHE, "tiers.read_share=75 %", "tiers.buffer=600 GB"}, 200e9, 600e9},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AftScenario) scenario = five_nodes_with(cases[i].settings);
        const AftDiskSpec *cache = &scenario->cluster.node.disk_groups[0].cache;
        assert_within(aft_tiers_buffer_bytes(&scenario->tiers, cache), cases[i].buffer, 1.0);
        assert_within(aft_tiers_read_bytes(&scenario->tiers, cache), cases[i].read, 1.0);
    }
}

static void buffers_start_at_the_low_mark(void **state)
{
    (void)state;
    const char *const settings[] = {CACHE, "tiers.low=25 %", NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    g_autoptr(GPtrArray) problems = aft_problems_new();
    assert_within(scenario->tiers.start, 0.25, 0.0);
    aft_scenario_set(scenario, "tiers.low", "35 %", problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    assert_within(scenario->tiers.start, 0.35, 0.0);
    aft_scenario_set(scenario, "tiers.start", "0 %", problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    assert_within(scenario->tiers.start, 0.0, 0.0);
}

/* 1 of 6 TB under 4/3, halved, and all of 1 TB under 2: 2/3 + 2 of 4 + 2 TB. */
static void working_sets_are_weighed_by_what_is_stored(void **state)
{
    (void)state;
    const char *const settings[] = {"data.name=hot",
                                    "data.services.compression.ratio=0.5",
                                    "data[1].name=cold",
                                    "data[1].logical=1 TB",
                                    "data[1].protection=rf2",
                                    "workload.working_set=1 TB",
                                    "workload[1].kind=closed",
                                    "workload[1].vms=1",
                                    "workload[1].outstanding=1",
                                    "workload[1].pool=cold",
                                    NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    assert_within(aft_services_stored_bytes(&scenario->pools[0]), 4e12, 1.0);
    assert_within(aft_services_stored_bytes(&scenario->pools[1]), 2e12, 1.0);
    assert_within(aft_tiers_working_bytes(scenario), (2.0 / 3.0 + 2.0) * 1e12, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_in_order),
        cmocka_unit_test(tiers_need_caches),
        cmocka_unit_test(a_log_needs_a_partner),
        cmocka_unit_test(buffers_hold_what_is_written_at_once),
        cmocka_unit_test(caches_stand_before_something),
        cmocka_unit_test(caches_are_divided),
        cmocka_unit_test(buffers_start_at_the_low_mark),
        cmocka_unit_test(working_sets_are_weighed_by_what_is_stored),
    };
    return cmocka_run_group_tests_name("tiers", tests, NULL, NULL);
}
