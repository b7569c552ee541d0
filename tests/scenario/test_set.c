/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build.h"

#define A_PART "a part, like node 2, controller 2, device 2.0.1, cache 2.0, group 2.0 or rack 2"

#include <aftershock/scenario/devices.h>

/* What a fresh scenario says to @path = @text. */
static char *answer(const char *path, const char *text)
{
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    gboolean fine = aft_scenario_set(scenario, path, text, problems);
    assert_int_equal(problems->len == 0, fine);
    return problems_text(problems);
}

static void wrong_texts_say_what_would_be_right(void **state)
{
    (void)state;
    static const struct {
        const char *path, *text, *problem;
    } cases[] = {
        {"run.sed", "1", "run.sed: unknown key; did you mean run.seed?"},
        {"colours.low", "1", "colours.low: unknown key"},
        {"tiers.low", "30", "tiers.low: expected at most 100 %, got 30"},
        {"tiers.read_share", "100 %", "tiers.read_share: expected at most 99 %, got 100 %"},
        {"tiers.parity", "back", "tiers.parity: expected front or destage, got \"back\""},
        {"data.services", "compression",
         "data.services: expected a map of keys, got \"compression\""},
        {"data.services.compression", "yes",
         "data.services.compression: expected off or on, got \"yes\""},
        {"data.services.compression.ratio", "0",
         "data.services.compression.ratio: expected more than 0, got 0"},
        {"data.services.dedup.ratio", "0.5",
         "data.services.dedup.ratio: unknown key; did you mean data.services.dedupe.ratio?"},
        {"timeline.set", "rf3", "timeline.set: expected a map of keys, got \"rf3\""},
        {"timeline.set.cluster.nodes", "6",
         "timeline.set.cluster.nodes: unknown key; did you mean timeline.set.data.protection?"},
        {"timeline.set.data.protection", "raid1o",
         "timeline.set.data.protection: expected none, raid0, rf2, raid1, raid10, rf3, "
         "replication, raid5, raid6, ec, parity, lrc or rf-then-encode, got \"raid1o\"; did you "
         "mean raid1?"},
        {"workload", "fast", "workload: expected a list of maps, got \"fast\""},
        {"cluster.node", "5", "cluster.node: expected a map of keys, got \"5\""},
        {"version", "2", "version: expected 1, got 2"},
        {"cluster.nodes", "0", "cluster.nodes: expected 1 or more, got 0"},
        {"cluster.nodes", "100001", "cluster.nodes: expected at most 100000, got 100001"},
        {"cluster.nodes", "2.5", "cluster.nodes: expected a whole number, got 2.5"},
        {"cluster.nodes", "five",
         "cluster.nodes: \"five\" is not a number: expected a number, like 16 or 107k"},
        {"cluster.detect", "6", "cluster.detect: \"6\" has no unit: expected a time, like 30 min"},
        {"cluster.detect", "-1 s", "cluster.detect: expected 0 s or more, got -1 s"},
        {"cluster.full", "0 %", "cluster.full: expected more than 0 %, got 0 %"},
        {"cluster.full", "95", "cluster.full: expected at most 100 %, got 95"},
        {"data.logical", "6.6",
         "data.logical: \"6.6\" has no unit: expected a size, like 3.84 TB or 4 KiB"},
        {"data.logical", "0", "data.logical: expected 1 B or more, got 0"},
        {"cluster.node.nic", "25",
         "cluster.node.nic: \"25\" has no unit: expected a bandwidth, like 25 Gbit/s or 500 MB/s"},
        {"cluster.node.nic", "0 B/s", "cluster.node.nic: expected 1 kB/s or more, got 0 B/s"},
        {"workload.rate", "107676",
         "workload.rate: \"107676\" has no unit: expected a rate, like 107k/s"},
        {"workload.kind", "pased",
         "workload.kind: expected closed, open, paced or trace, got \"pased\"; did you mean "
         "paced?"},
        {"workload.kind", "Paced",
         "workload.kind: expected closed, open, paced or trace, got \"Paced\"; did you mean "
         "paced?"},
        {"workload.kind", "replay",
         "workload.kind: expected closed, open, paced or trace, got \"replay\""},
        {"workload.on", "first",
         "workload.on: expected nodes, like all, 0, 1,3, 2:5 or -1, got \"first\""},
        {"workload.on", "1,",
         "workload.on: expected nodes, like all, 0, 1,3, 2:5 or -1, got \"1,\""},
        {"workload.on", "1:2:3",
         "workload.on: expected nodes, like all, 0, 1,3, 2:5 or -1, got \"1:2:3\""},
        {"workload.pool", "",
         "workload.pool: expected a name (one line of at most 200 bytes), got \"\""},
        {"workload.pool", "a\tb",
         "workload.pool: expected a name (one line of at most 200 bytes), got \"a\tb\""},
        {"name", "\xff", "name: expected a name (one line of at most 200 bytes), got \"\xff\""},
        {"timeline.fail", "nod 2",
         "timeline.fail: expected " A_PART ", got \"nod 2\"; did you mean node 2?"},
        {"timeline.restore", "divice 0.1.2",
         "timeline.restore: expected " A_PART ", got \"divice 0.1.2\"; did you mean device 0.1.2?"},
        {"timeline.fail", "device 0.1", "timeline.fail: expected " A_PART ", got \"device 0.1\""},
        {"timeline.fail", "rack 0.1", "timeline.fail: expected " A_PART ", got \"rack 0.1\""},
        {"timeline.fail", "cache 0.", "timeline.fail: expected " A_PART ", got \"cache 0.\""},
        {"timeline.fail", "link 2", "timeline.fail: expected " A_PART ", got \"link 2\""},
        {"timeline.slow.device", "node 2",
         "timeline.slow.device: expected a part, like device 2.0.1, got \"node 2\""},
        {"timeline.slow.link", "0.1",
         "timeline.slow.link: expected a part, like rack 2 or node 2, got \"0.1\""},
        {"timeline.slow.factor", "0.9", "timeline.slow.factor: expected 1 or more, got 0.9"},
        {"timeline.maintenance.node", "rack 2",
         "timeline.maintenance.node: expected a part, like node 2, got \"rack 2\""},
        {"timeline.maintenance.mode", "evacuated",
         "timeline.maintenance.mode: expected accessible or evacuate, got \"evacuated\"; did you "
         "mean evacuate?"},
        {"cluster.groups.rack", "-1", "cluster.groups.rack: expected 0 or more, got -1"},
        {"timeline.fail", "2", "timeline.fail: expected " A_PART ", got \"2\""},
        {"timeline.fail", "node", "timeline.fail: expected " A_PART ", got \"node\""},
        {"timeline.fail", "node2", "timeline.fail: expected " A_PART ", got \"node2\""},
        {"timeline.fail", "node -1", "timeline.fail: expected " A_PART ", got \"node -1\""},
        {"timeline.fail", "node 9999999999",
         "timeline.fail: expected " A_PART ", got \"node 9999999999\""},
        {"timeline[1].at", "1 s", "timeline[1].at: item 1 leaves a gap: the list has 0"},
        {"timeline[100000].at", "1 s",
         "timeline[100000].at: expected at most 100000 items in the list"},
        {"data.protection", "raid50",
         "data.protection: expected none, raid0, rf2, raid1, raid10, rf3, replication, raid5, "
         "raid6, ec, parity, lrc or rf-then-encode, got \"raid50\"; did you mean raid0?"},
        {"cluster.node.controller.latency", "1.1",
         "cluster.node.controller.latency: \"1.1\" has no unit: expected a time, like 30 min"},
        {"background.scheduler", "wfq",
         "background.scheduler: expected fifo, strict, weighted, round-robin, mclock, adaptive, "
         "vsan-6.7, vsan-6.6, nutanix, ceph-balanced, ceph-high-client, ceph-high-recovery or wpq, "
         "got \"wfq\"; did you mean wpq?"},
        {"run.seed", "9007199254740994",
         "run.seed: expected at most 9007199254740992, got 9007199254740994"},
        {"run.confidence", "100 %", "run.confidence: expected at most 99.99 %, got 100 %"},
        {"requirement.read", "0", "requirement.read: expected 1 ns or more, got 0"},
        {"kind", "sweep", "kind: expected scenario, got \"sweep\""},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = answer(cases[i].path, cases[i].text);
        assert_string_equal(text, cases[i].problem);
    }
}

static void units_are_converted(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    const char *const settings[] = {
        "cluster.node.controller.io=169 us",
        "cluster.node.controller.per_mib=4.2ms",
        "cluster.node.nic=25 Gbit/s",
        "data.logical=6.6 TB",
        "workload.block= 8 KiB ",
        "workload.rate=6M/min",
        "workload.read_share=0.8",
        "workload.owed_limit=10 min",
        "requirement.iops=107676",
        "requirement.read=5 ms",
        "background.rebuild.bandwidth=100 MiB/s",
        "run.duration=36500 d",
        "run.seed=9007199254740992",
        NULL,
    };
    set_all(scenario, settings, problems);
    assert_int_equal(problems->len, 0);
    assert_int_equal(scenario->cluster.node.controller.io_ns, 169000);
    assert_int_equal(scenario->cluster.node.controller.per_mib_ns, 4200000);
    assert_within(scenario->cluster.node.nic_bytes_per_s, 3.125e9, 0.0);
    assert_true(scenario->pools[0].logical_bytes == G_GUINT64_CONSTANT(6600000000000));
    assert_int_equal(scenario->workloads[0].block_bytes, 8192);
    assert_within(scenario->workloads[0].rate_per_s, 1e5, 0.0);
    assert_within(scenario->workloads[0].read_share, 0.8, 0.0);
    assert_true(scenario->workloads[0].owed_limit_ns == G_GINT64_CONSTANT(600000000000));
    assert_within(scenario->requirement.iops, 107676.0, 0.0);
    assert_int_equal(scenario->requirement.read_ns, 5000000);
    assert_within(scenario->background.task[AFT_TASK_REBUILD].bytes_per_s, 104857600.0, 0.0);
    assert_true(scenario->run.duration_ns == G_GINT64_CONSTANT(3153600000000000000));
    assert_true(scenario->run.seed == G_GUINT64_CONSTANT(9007199254740992));
}

static void a_requirement_may_have_its_unit(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    assert_true(aft_scenario_set(scenario, "requirement.iops", "107k/s", problems));
    assert_within(scenario->requirement.iops, 107000.0, 0.0);
    assert_true(aft_scenario_set(scenario, "requirement.iops", "none", problems));
    assert_within(scenario->requirement.iops, 0.0, 0.0);
}

static void lists_grow_by_one(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    for (guint i = 0; i < 100; i++) {
        g_autofree char *at = g_strdup_printf("timeline[%u].at", i);
        g_autofree char *text = g_strdup_printf("%u s", i);
        assert_true(aft_scenario_set(scenario, at, text, problems));
    }
    assert_int_equal(scenario->n_timeline, 100);
    assert_true(scenario->timeline[99].at_ns == G_GINT64_CONSTANT(99000000000));
    assert_false(aft_scenario_set(scenario, "timeline[101].at", "1 s", problems));
    assert_int_equal(scenario->n_timeline, 100);
    g_autofree char *none = aft_scenario_get(scenario, "timeline[100].at");
    assert_null(none);
    assert_int_equal(scenario->n_timeline, 100);
}

static void new_items_have_defaults(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    aft_scenario_set(scenario, "workload[0].vms", "3", problems);
    aft_scenario_set(scenario, "workload[1].vms", "4", problems);
    assert_int_equal(problems->len, 0);
    assert_int_equal(scenario->n_workloads, 2);
    assert_int_equal(scenario->workloads[0].vms, 3);
    assert_int_equal(scenario->workloads[1].block_bytes, 4096);
    assert_string_equal(scenario->workloads[1].on, "all");
}

static const AftDeviceProfile *device(const AftScenario *scenario, const char *name)
{
    for (guint i = 0; i < scenario->n_devices; i++) {
        if (strcmp(scenario->devices[i].name, name) == 0) {
            return &scenario->devices[i];
        }
    }
    return NULL;
}

static void devices_are_found_by_name(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    guint builtin = scenario->n_devices;
    aft_scenario_set(scenario, "devices.mine.read", "2 ms", problems);
    aft_scenario_set(scenario, "devices.mine.write", "3 ms", problems);
    aft_scenario_set(scenario, "devices.sata-ssd.parallel", "7", problems);
    aft_scenario_set(scenario, "devices.min.read", "5 ms", problems);
    assert_int_equal(problems->len, 0);
    assert_int_equal(scenario->n_devices, builtin + 2);
    assert_int_equal(device(scenario, "mine")->read_ns, 2000000);
    assert_int_equal(device(scenario, "mine")->write_ns, 3000000);
    assert_int_equal(device(scenario, "min")->read_ns, 5000000);
    assert_int_equal(device(scenario, "sata-ssd")->parallel, 7);
    assert_int_equal(device(scenario, "sata-ssd")->read_ns, 110000);
}

/* The ceilings that device profiles were made for. */
static void builtin_devices_do_what_data_sheets_promise(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double reads_per_s, writes_per_s; /* of 4 KiB, in lasting use */
    } sheets[] = {
        {"hdd-7k2", 76.0, 76.0},    {"hdd-10k", 111.0, 111.0}, {"hdd-15k", 167.0, 167.0},
        {"sata-ssd", 90e3, 77e3},   {"sas-ssd", 165e3, 150e3}, {"sas-ssd-write", 180e3, 200e3},
        {"nvme-ssd", 600e3, 600e3},
    };
    guint n = 0;
    const AftBuiltinDevice *devices = aft_devices_builtin(&n);
    assert_int_equal(n, G_N_ELEMENTS(sheets));
    for (guint i = 0; i < n; i++) {
        const AftDeviceProfile *profile = &devices[i].profile;
        assert_string_equal(profile->name, sheets[i].name);
        double reads = profile->parallel / ((double)profile->read_ns * 1e-9);
        double writes = profile->parallel / ((double)profile->write_ns * 1e-9);
        assert_within(reads, sheets[i].reads_per_s, 0.02 * sheets[i].reads_per_s);
        assert_within(writes, sheets[i].writes_per_s, 0.02 * sheets[i].writes_per_s);
        /* Moving 4 KiB is no narrower than the accesses. */
        assert_true(profile->read_bytes_per_s / 4096.0 > reads);
        assert_true(profile->write_bytes_per_s / 4096.0 > writes);
    }
}

static void one_value_replaces_a_map(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    const char *const settings[] = {
        "data.protection.data=5",
        "data.protection.degraded=1 ms",
        "data.protection=rf3",
        "cluster.node.controller.latency.read=1 ms",
        "cluster.node.controller.latency=2 ms",
        "cluster.node.controller.latency.write=3 ms",
        "cluster.node.controller.spread.values[0]=1",
        "cluster.node.controller.spread=lognormal",
        "devices.mine.spread.shape=2",
        "devices.mine.spread=deterministic",
        "background.scheduler.weights.p1=7",
        "background.scheduler=strict",
        "data.services.compression.ratio=0.5",
        "data.services.dedupe.ratio=0.25",
        "data.services.compression=on",
        "timeline.set.data.protection.data=5",
        "timeline.set.data.protection.rewrite=strip",
        "timeline.set.data.protection=raid6",
        NULL,
    };
    set_all(scenario, settings, problems);
    assert_int_equal(problems->len, 0);
    assert_string_equal(scenario->pools[0].protection.scheme, "rf3");
    assert_int_equal(scenario->pools[0].protection.data, 0);
    assert_int_equal(scenario->pools[0].protection.degraded_ns, 0);
    assert_false(aft_scenario_written(scenario, "data[0].protection.data"));
    assert_true(aft_scenario_written(scenario, "data[0].protection.scheme"));
    const AftServiceSpec *services = scenario->pools[0].services;
    assert_int_equal(services[AFT_SERVICE_COMPRESSION].enabled, TRUE);
    assert_within(services[AFT_SERVICE_COMPRESSION].ratio, 1.0, 0.0);
    assert_within(services[AFT_SERVICE_DEDUPE].ratio, 0.25, 0.0);
    assert_string_equal(scenario->timeline[0].protection.scheme, "raid6");
    assert_int_equal(scenario->timeline[0].protection.data, 0);
    assert_int_equal(scenario->timeline[0].protection.rewrite, AFT_REWRITE_PARITY);
    assert_int_equal(scenario->cluster.node.controller.read_latency_ns, 2000000);
    assert_int_equal(scenario->cluster.node.controller.write_latency_ns, 3000000);
    assert_int_equal(scenario->cluster.node.controller.spread.kind, AFT_SPREAD_LOGNORMAL);
    assert_int_equal(scenario->cluster.node.controller.spread.n_values, 0);
    assert_int_equal(device(scenario, "mine")->spread.kind, AFT_SPREAD_DETERMINISTIC);
    assert_within(device(scenario, "mine")->spread.shape, 0.0, 0.0);
    assert_string_equal(scenario->background.scheduler.kind, "strict");
    assert_within(scenario->background.scheduler.weights[AFT_CLASS_P1], 20.0, 0.0);
}

static void values_of_spreads_are_a_list(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    const char *const settings[] = {"devices.mine.spread.values[0]=1",
                                    "devices.mine.spread.values[1]=2.5",
                                    "devices.mine.spread.values[2]=4",
                                    "devices.mine.spread.values=3", NULL};
    set_all(scenario, settings, problems);
    assert_int_equal(problems->len, 0);
    const AftSpread *spread = &device(scenario, "mine")->spread;
    assert_int_equal(spread->n_values, 3);
    assert_within(spread->values[0], 3.0, 0.0);
    assert_within(spread->values[1], 2.5, 0.0);
    assert_within(spread->values[2], 4.0, 0.0);
}

static void maps_open_items_before_their_keys(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    assert_true(aft_scenario_open(scenario, "timeline", TRUE, problems));
    assert_int_equal(scenario->n_timeline, 0);
    assert_true(aft_scenario_open(scenario, "timeline[0]", FALSE, problems));
    assert_int_equal(scenario->n_timeline, 1);
    assert_true(aft_scenario_open(scenario, "workload", FALSE, problems));
    assert_int_equal(scenario->n_workloads, 1);
    assert_true(aft_scenario_open(scenario, "cluster.node", FALSE, problems));
    assert_true(aft_scenario_open(scenario, "devices", FALSE, problems));
    guint builtin = scenario->n_devices;
    assert_true(aft_scenario_open(scenario, "devices.mine", FALSE, problems));
    assert_true(aft_scenario_open(scenario, "devices.mine.spread.values", TRUE, problems));
    assert_int_equal(scenario->n_devices, builtin + 1);
    assert_int_equal(problems->len, 0);
}

static void maps_and_lists_have_their_places(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        gboolean list;
        const char *problem;
    } cases[] = {
        {"run", TRUE, "run: expected a map of keys, got a list"},
        {"workload.rate", FALSE, "workload.rate: expected a rate, like 107k/s, got a map"},
        {"workload.kind", TRUE, "workload.kind: expected closed, open, paced or trace, got a list"},
        {"timeline[1]", FALSE, "timeline[1]: item 1 leaves a gap: the list has 0"},
        {"colours", FALSE, "colours: unknown key"},
        {"timeline[0].set", TRUE, "timeline[0].set: expected a map of keys, got a list"},
        {"workload.reed_share", FALSE,
         "workload.reed_share: unknown key; did you mean workload.read_share?"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AftScenario) scenario = aft_scenario_new();
        g_autoptr(GPtrArray) problems = aft_problems_new();
        assert_false(aft_scenario_open(scenario, cases[i].path, cases[i].list, problems));
        g_autofree char *text = problems_text(problems);
        assert_string_equal(text, cases[i].problem);
    }
}

static void a_wrong_text_changes_nothing(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    aft_scenario_set(scenario, "cluster.nodes", "5", problems);
    assert_false(aft_scenario_set(scenario, "cluster.nodes", "0", problems));
    assert_false(aft_scenario_set(scenario, "name", "", problems));
    assert_int_equal(scenario->cluster.nodes, 5);
    assert_string_equal(scenario->name, "unnamed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_texts_say_what_would_be_right),
        cmocka_unit_test(units_are_converted),
        cmocka_unit_test(a_requirement_may_have_its_unit),
        cmocka_unit_test(lists_grow_by_one),
        cmocka_unit_test(new_items_have_defaults),
        cmocka_unit_test(devices_are_found_by_name),
        cmocka_unit_test(builtin_devices_do_what_data_sheets_promise),
        cmocka_unit_test(one_value_replaces_a_map),
        cmocka_unit_test(values_of_spreads_are_a_list),
        cmocka_unit_test(maps_open_items_before_their_keys),
        cmocka_unit_test(maps_and_lists_have_their_places),
        cmocka_unit_test(a_wrong_text_changes_nothing),
    };
    return cmocka_run_group_tests_name("set", tests, NULL, NULL);
}
