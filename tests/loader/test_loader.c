/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load.h"

static AftScenario *load(const char *text)
{
    AftScenario *scenario = NULL;
    g_autofree char *messages = messages_of(text, strlen(text), NULL, &scenario);
    assert_string_equal(messages, "");
    assert_non_null(scenario);
    return scenario;
}

static void the_shown_scenario_is_read(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = load(SHOWN);
    const AftClusterSpec *cluster = &scenario->cluster;
    assert_string_equal(scenario->name, "five-node host failure, RAID-5");
    assert_int_equal(cluster->nodes, 5);
    assert_int_equal(cluster->node.controller.slots, 8);
    assert_int_equal(cluster->node.controller.io_ns, 169000);
    assert_int_equal(cluster->node.controller.write_latency_ns, 1100000);
    assert_within(cluster->node.nic_bytes_per_s, 3.125e9, 0.0);
    assert_int_equal(cluster->node.n_disk_groups, 1);
    assert_int_equal(cluster->node.disk_groups[0].count, 2);
    assert_int_equal(cluster->node.disk_groups[0].cache.count, 1);
    assert_int_equal(cluster->node.disk_groups[0].capacity.count, 4);
    assert_string_equal(cluster->node.disk_groups[0].capacity.profile->name, "sata-ssd");
    assert_true(scenario->pools[0].logical_bytes == G_GUINT64_CONSTANT(6600000000000));
    assert_int_equal(scenario->pools[0].protection.data, 3);
    assert_int_equal(scenario->pools[0].protection.degraded_ns, 115000);
    assert_int_equal(scenario->workloads[0].kind, AFT_WORKLOAD_PACED);
    assert_within(scenario->workloads[0].rate_per_s, 107676.0, 0.0);
    assert_int_equal(scenario->workloads[0].n_on_nodes, 5);
    assert_int_equal(scenario->background.task[AFT_TASK_REBUILD].in_flight_per_node, 16);
    assert_int_equal(scenario->n_timeline, 2);
    assert_int_equal(scenario->timeline[1].kind, AFT_ACTION_RESTORE);
    assert_within(scenario->requirement.iops, 107676.0, 0.0);
    assert_true(scenario->run.duration_ns == G_GINT64_CONSTANT(43200000000000));
}

static void the_smallest_scenario_is_read(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = load(SMALLEST);
    assert_int_equal(scenario->n_workloads, 0);
    assert_int_equal(scenario->n_timeline, 0);
    assert_int_equal(scenario->pools[0].protection.kind, AFT_SCHEME_NONE);
}

static void assert_same_digest(const char *one, const char *other)
{
    g_autoptr(AftScenario) first = load(one), second = load(other);
    g_autofree char *digest = aft_scenario_digest(first), *same = aft_scenario_digest(second);
    assert_string_equal(digest, same);
}

static void equal_ways_of_writing_mean_the_same(void **state)
{
    (void)state;
    /* The order of keys, flow and block style, quotes, comments, a list of one, the file's kind. */
    assert_same_digest(SMALLEST, "data: {logical: 1 GB}\n"
                                 "cluster: {node: {disk_groups: {capacity: {device: hdd-7k2}}},\n"
                                 "          nodes: 1}\n"
                                 "version: 1\n");
    assert_same_digest(SMALLEST, "# a comment\n"
                                 "version: '1'\n"
                                 "kind: scenario\n"
                                 "cluster:\n"
                                 "  nodes: \"1\" # another\n"
                                 "  node:\n"
                                 "    disk_groups:\n"
                                 "    - capacity: {device: hdd-7k2}\n"
                                 "data:\n"
                                 "- logical: 1 GB\n"
                                 "workload:\n"
                                 "timeline: []\n"
                                 "requirement: {}\n"
                                 "run: ~\n");
    assert_same_digest(SMALLEST, "\xef\xbb\xbf---\r\nversion: 1\r\n"
                                 "cluster: {nodes: 1, node: {disk_groups: {capacity: {device: "
                                 "hdd-7k2}}}}\r\n"
                                 "data: {logical: 1 GB}\r\n...\r\n");
}

static void lists_and_maps_are_read(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = load("version: 1\n"
                                           "devices:\n"
                                           "  mine:\n"
                                           "    read: 1 ms\n"
                                           "    write: 2 ms\n"
                                           "    size: 1 TB\n"
                                           "    spread: {kind: empirical, values: [1, 2, 3]}\n"
                                           "cluster:\n"
                                           "  nodes: 3\n"
                                           "  node:\n"
                                           "    controller:\n"
                                           "      slots: 1\n"
                                           "      latency: {read: 1 ms, write: 2 ms}\n"
                                           "      spread: deterministic\n"
                                           "    disk_groups:\n"
                                           "      - capacity: {device: mine}\n"
                                           "      - capacity: {device: sata-ssd, count: 3}\n"
                                           "data:\n"
                                           "  - {name: a, logical: 1 GB, protection: rf2}\n"
                                           "  - {name: b, logical: 2 GB}\n"
                                           "workload:\n"
                                           "  - {kind: closed, vms: 1, outstanding: 1, pool: b}\n"
                                           "  - {kind: open, vms: 1, rate: 5 /s}\n");
    assert_int_equal(scenario->cluster.node.controller.read_latency_ns, 1000000);
    assert_int_equal(scenario->cluster.node.controller.write_latency_ns, 2000000);
    assert_int_equal(scenario->cluster.node.n_disk_groups, 2);
    const AftDeviceProfile *mine = scenario->cluster.node.disk_groups[0].capacity.profile;
    assert_int_equal(mine->spread.n_values, 3);
    assert_within(mine->spread.values[2], 3.0, 0.0);
    assert_int_equal(scenario->workloads[0].pool_index, 1);
    assert_within(scenario->workloads[1].rate_per_s, 5.0, 0.0);
}

static void all_problems_come_in_the_order_of_the_file(void **state)
{
    (void)state;
    assert_messages("version: 2\n"
                    "cluster:\n"
                    "  nods: 5\n"
                    "  detect: 6\n"
                    "  node:\n"
                    "    disk_groups: {capacity: {device: sata-sdd}}\n"
                    "data:\n"
                    "  protection: raid5\n"
                    "workload: {kind: closed, vms: 4, rate: 3 /s, outstanding: 2}\n"
                    "timeline:\n"
                    "  - {at: 1 h, fail: node 1}\n"
                    "  -\n"
                    "tiers: {low: 30 %, high: {}}\n"
                    "run: [1]\n",
                    "s.yaml:1:10: error: version: expected 1, got 2\n"
                    "  version: 2\n"
                    "           ^\n"
                    "s.yaml:3:3: error: cluster.nods: unknown key; did you mean cluster.nodes?\n"
                    "    nods: 5\n"
                    "    ^\n"
                    "s.yaml:4:11: error: cluster.detect: \"6\" has no unit: expected a time, like "
                    "30 min\n"
                    "    detect: 6\n"
                    "            ^\n"
                    "s.yaml:6:38: error: cluster.node.disk_groups.capacity.device: there is no "
                    "device profile \"sata-sdd\"; did you mean sata-ssd?\n"
                    "      disk_groups: {capacity: {device: sata-sdd}}\n"
                    "                                       ^\n"
                    "s.yaml:7:1: error: data.logical: missing, expected a size, like 3.84 TB or 4 "
                    "KiB\n"
                    "  data:\n"
                    "  ^\n"
                    "s.yaml:9:40: error: workload.rate: a workload of kind closed has no rate\n"
                    "  workload: {kind: closed, vms: 4, rate: 3 /s, outstanding: 2}\n"
                    "                                         ^\n"
                    "s.yaml:9:59: error: workload.outstanding: expected at least one for each of "
                    "4 VMs, got 2\n"
                    "  workload: {kind: closed, vms: 4, rate: 3 /s, outstanding: 2}\n"
                    "                                                            ^\n"
                    "s.yaml:12:4: error: timeline[1].at: missing, expected a time, like 30 min\n"
                    "    -\n"
                    "     ^\n"
                    "s.yaml:12:4: error: timeline[1]: expected fail, restore, slow, corrupt, "
                    "maintenance, upgrade, add, start, stop or set, like fail: node 2\n"
                    "    -\n"
                    "     ^\n"
                    "s.yaml:13:26: error: tiers.high: expected a share, like 0.2 or 20 %, got a "
                    "map\n"
                    "  tiers: {low: 30 %, high: {}}\n"
                    "                           ^\n"
                    "s.yaml:14:6: error: run: expected a map of keys, got a list\n"
                    "  run: [1]\n"
                    "       ^");
}

static void the_error_counts(void **state)
{
    (void)state;
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    assert_null(aft_loader_load_text("s.yaml", "", 0, NULL, messages, &error));
    assert_error(error, AFT_ERROR_SYNTAX, "s.yaml: 1 error");
    g_clear_error(&error);
    assert_null(aft_loader_load_text("s.yaml", "a: 1\nb: 2\n", 10, NULL, messages, &error));
    assert_string_equal(error->message, "s.yaml: 6 errors"); /* and 4 keys are missing */
}

static void faults_of_yaml_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "s.yaml:1:1: error: the file is empty, expected keys, like version: 1"},
        {"# nothing\n", "s.yaml:1:1: error: the file is empty, expected keys, like version: 1\n"
                        "  # nothing\n"
                        "  ^"},
        {"---\n", "s.yaml:2:1: error: the file is empty, expected keys, like version: 1"},
        {"hello\n", "s.yaml:1:1: error: expected keys, like version: 1\n"
                    "  hello\n"
                    "  ^"},
        {"- a\n", "s.yaml:1:1: error: expected keys, like version: 1\n"
                  "  - a\n"
                  "  ^"},
        {"run:\n\tseed: 1\n", "s.yaml:2:1: error: a tab does not indent, use blanks\n"
                              "   seed: 1\n"
                              "  ^"},
        {"run: {seed: 1\n", "s.yaml:2:1: error: not YAML: while parsing a flow mapping, did not "
                            "find expected ',' or '}'"},
        {"run: \"a\n", "s.yaml:2:1: error: not YAML: while scanning a quoted scalar, found "
                       "unexpected end of stream"},
        {"run: {seed: 1}\n---\nrun: {seed: 2}\n",
         "s.yaml:2:1: error: a second document, only one is read from a file\n"
         "  ---\n"
         "  ^"},
        {"name: a\xff\n", "s.yaml:1:8: error: byte 0xff is not UTF-8 text\n"
                          "  name: a\xef\xbf\xbd\n"
                          "         ^"},
        {"name: \"a\x01\"\n", "s.yaml:1:9: error: not YAML: control characters are not allowed\n"
                              "  name: \"a?\"\n"
                              "          ^"},
        {"kind: sweep\naxes: []\n",
         "s.yaml:1:7: error: kind: expected scenario, files of kind sweep are not read here\n"
         "  kind: sweep\n"
         "        ^"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_messages(cases[i].text, cases[i].message);
    }
}

/* The first message about SMALLEST with @line behind it. */
static void assert_line(const char *line, const char *expected)
{
    g_autofree char *text = g_strconcat(SMALLEST, line, "\n", NULL);
    g_autofree char *messages = messages_of(text, strlen(text), NULL, NULL);
    g_auto(GStrv) lines = g_strsplit(messages, "\n", 2);
    assert_string_equal(lines[0] == NULL ? "" : lines[0], expected);
}

static void lines_are_judged(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"run: {seed: 1, seed: 2}", "s.yaml:4:16: error: run.seed: duplicate key, first on line 4"},
        {"version: 1", "s.yaml:4:1: error: version: duplicate key, first on line 1"},
        {"data: {logical: 2 GB}", "s.yaml:4:1: error: data: duplicate key, first on line 3"},
        {"run: &r {seed: 1}", "s.yaml:4:6: error: anchors (&r) are not read, leave it out"},
        {"run: {seed: !!int 1}",
         "s.yaml:4:13: error: tags (tag:yaml.org,2002:int) are not read, leave it out"},
        {"? [a]\n: 1", "s.yaml:4:3: error: expected a key, got a list"},
        {"? {a: 1}\n: 1", "s.yaml:4:3: error: expected a key, got a map"},
        {"run.seed: 2", "s.yaml:4:1: error: \"run.seed\" is no key: expected letters, digits, _ "
                        "and -"},
        {"workload[0]: 2", "s.yaml:4:1: error: \"workload[0]\" is no key: expected letters, "
                           "digits, _ and -"},
        {"\"kind\\0x\": scenario",
         "s.yaml:4:1: error: \"kind\" is no key: expected letters, digits, "
         "_ and -"},
        {"? ''\n: 1", "s.yaml:4:3: error: \"\" is no key: expected letters, digits, _ and -"},
        {"<<: {seed: 1}", "s.yaml:4:1: error: \"<<\" is no key: expected letters, digits, _ and -"},
        {"run: {seed: }", "s.yaml:4:13: error: run.seed: \"\" is empty: expected a number, like 16 "
                          "or 107k"},
        {"run: {seed: [1]}", "s.yaml:4:13: error: run.seed: expected a whole number, got a list"},
        {"run: {seed: {a: 1}}", "s.yaml:4:13: error: run.seed: expected a whole number, got a map"},
        {"run: fast", "s.yaml:4:6: error: run: expected a map of keys, got \"fast\""},
        {"timeline: 5", "s.yaml:4:11: error: timeline: expected a list of maps, got \"5\""},
        {"name: \"a\\0b\"", "s.yaml:4:7: error: name: a value cannot hold a zero byte"},
        {"name: \"\\e[31mred\"", "s.yaml:4:7: error: name: expected a name (one line of at most "
                                 "200 bytes), got \"?[31mred\""},
        {"name: \xc3\xa4\xe4\xb8\xad\nrun: {seed: x}",
         "s.yaml:5:13: error: run.seed: \"x\" is not a number: expected a number, like 16 or 107k"},
        {"seed: 3", "s.yaml:4:1: error: seed: unknown key; did you mean run.seed?"},
        {"timeline:\n  - {at: 1 h, fail: node 3}",
         "s.yaml:5:21: error: timeline[0].fail: there is no node 3: the cluster has 1, counted "
         "from 0"},
        {"timeline:\n  - {at: 1 h, fail: node 0}\n  - {at: 2 h, fail: node 0}",
         "s.yaml:6:21: error: timeline[1].fail: node 0 cannot fail at 2 h, it is down since 1 h"},
        {"run: {settle: 48 h}",
         "s.yaml:4:15: warning: run.settle: has no effect, run.duration is 1 d"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_line(cases[i].line, cases[i].message);
    }
}

#define EIGHT                                                                         \
    "version: 1\n"                                                                    \
    "cluster: {nodes: 8, node: {disk_groups: {capacity: {device: sata-ssd}}}}\n"      \
    "data:\n"                                                                         \
    "- {name: hot, logical: 1 TB, protection: rf2, services: {compression: on}}\n"    \
    "- {name: cold, logical: 1 TB, protection: {scheme: rf-then-encode, age: 1 d}}\n" \
    "timeline:\n"

static void settings_have_dots(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "- {at: 1 h, pool: hot, set: {data.protection: raid6}}\n",
        "- {at: 1 h, set: {data.protection: {scheme: raid6}}}\n",
        "- {at: 1 h, set: {data.protection.scheme: raid6, data.protection.data: 4}}\n",
        "- {at: 1 h, set: {data: {protection: raid6}}}\n",
        "- {set: {data: {protection.scheme: raid6}}, at: 1 h}\n",
    };
    for (guint i = 1; i < G_N_ELEMENTS(ways); i++) {
        g_autofree char *one = g_strconcat(EIGHT, ways[0], NULL);
        g_autofree char *other = g_strconcat(EIGHT, ways[i], NULL);
        assert_same_digest(one, other);
    }
    assert_line("devices: {set: {read: 1 ms, write: 1 ms, spread.kind: erlang}}",
                "s.yaml:4:42: error: \"spread.kind\" is no key: expected letters, digits, _ and -");
}

static void services_tiers_and_conversions_are_read(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario =
        load("version: 1\n"
             "cluster:\n"
             "  nodes: 8\n"
             "  node:\n"
             "    disk_groups: {cache: {device: sas-ssd-write}, capacity: {device: sata-ssd}}\n"
             "tiers: {parity: destage, low: 20 %, high: 80 %, delay_max: 5 ms, unit: 512 KiB,\n"
             "        in_flight: 4, read_share: 50 %, buffer: 200 GB, start: 10 %}\n"
             "data:\n"
             "  logical: 1 TB\n"
             "  protection: rf2\n"
             "  services:\n"
             "    compression: {ratio: 0.5, when: destage, io: 20 us}\n"
             "    dedupe: off\n"
             "workload: {kind: closed, vms: 1, outstanding: 1, working_set: 100 GB}\n"
             "background: {convert: {in_flight_per_node: 2}, encode: {priority: 2}}\n"
             "timeline:\n"
             "  - at: 1 h\n"
             "    set:\n"
             "      data.protection: {scheme: ec, data: 4, parity: 2, rewrite: strip}\n");
    assert_int_equal(scenario->tiers.parity, AFT_PARITY_DESTAGE);
    assert_int_equal(scenario->tiers.unit_bytes, 524288);
    assert_within(scenario->tiers.start, 0.1, 0.0);
    assert_int_equal(scenario->tiers.buffer_bytes, 200000000000);
    const AftServiceSpec *services = scenario->pools[0].services;
    assert_int_equal(services[AFT_SERVICE_COMPRESSION].when, AFT_WHEN_DESTAGE);
    assert_int_equal(services[AFT_SERVICE_COMPRESSION].io_ns, 20000);
    assert_int_equal(services[AFT_SERVICE_DEDUPE].enabled, FALSE);
    assert_int_equal(scenario->workloads[0].working_set_bytes, 100000000000);
    assert_int_equal(scenario->background.task[AFT_TASK_CONVERT].in_flight_per_node, 2);
    assert_int_equal(scenario->background.task[AFT_TASK_ENCODE].priority, 2);
    assert_int_equal(scenario->timeline[0].kind, AFT_ACTION_CONVERT);
    assert_int_equal(scenario->timeline[0].protection.rewrite, AFT_REWRITE_STRIP);
}

/* What EIGHT with @overrides and @item, an item of its timeline, is answered. */
static void assert_item(const char *item, const char *override, const char *expected)
{
    const char *const overrides[] = {override, NULL};
    g_autofree char *text = g_strconcat(EIGHT, item, "\n", NULL);
    g_autofree char *messages = messages_of(text, strlen(text), overrides, NULL);
    g_auto(GStrv) lines = g_strsplit(messages, "\n", 2);
    assert_string_equal(lines[0] == NULL ? "" : lines[0], expected);
    /* One mistake makes one message, of three lines or of one about an override. */
    guint more = 0;
    for (const char *p = messages; *p != '\0'; p++) {
        more += *p == '\n';
    }
    assert_int_equal(more, *expected == '\0' || *expected == '-' ? 0 : 2);
}

static void settings_are_judged_where_they_stand(void **state)
{
    (void)state;
    static const struct {
        const char *item, *override, *message;
    } cases[] = {
        {"- {at: 1 h, set: {data.protection: rf3}}", NULL, ""},
        {"- {at: 1 h, set: {data.protection: rf4}}", NULL,
         "s.yaml:7:36: error: timeline[0].set.data.protection: expected none, raid0, rf2, raid1, "
         "raid10, rf3, replication, raid5, raid6, ec, parity, lrc or rf-then-encode, got "
         "\"rf4\"; did you mean rf2?"},
        {"- {at: 1 h, set: {data.protecton: rf3}}", NULL,
         "s.yaml:7:19: error: timeline[0].set.data.protecton: unknown key; did you mean "
         "timeline[0].set.data.protection?"},
        {"- {at: 1 h, set: {run.seed: 3}}", NULL,
         "s.yaml:7:19: error: timeline[0].set.run.seed: unknown key; did you mean "
         "timeline[0].set.data.protection?"},
        {"- {at: 1 h, set: {workload.rate: 3 /s}}", NULL,
         "s.yaml:7:19: error: timeline[0].set.workload.rate: unknown key; did you mean "
         "timeline[0].set.data.protection?"},
        {"- {at: 1 h, set: rf3}", NULL,
         "s.yaml:7:18: error: timeline[0].set: expected a map of keys, got \"rf3\""},
        {"- {at: 1 h, set: [rf3]}", NULL,
         "s.yaml:7:18: error: timeline[0].set: expected a map of keys, got a list"},
        {"- {at: 1 h, set: {}}", NULL,
         "s.yaml:7:3: error: timeline[0]: expected fail, restore, slow, corrupt, maintenance, "
         "upgrade, add, start, stop or set, like fail: node 2"},
        {"- {at: 1 h, pool: cold, set: {data.protection: rf3}}", NULL,
         "s.yaml:7:31: error: timeline[0].set.data.protection.scheme: rf2 then ec 4+2 cannot "
         "become rf3: copies become other copies or data with parity, and data with parity becomes "
         "copies"},
        {"- {at: 1 h, pool: cod, set: {data.protection: rf3}}", NULL,
         "s.yaml:7:19: error: timeline[0].pool: there is no pool \"cod\"; did you mean cold?"},
        {"- {at: 1 h, pool: hot, fail: node 1}", NULL,
         "s.yaml:7:19: error: timeline[0].pool: only a conversion has a pool"},
        {"- {at: 1 h, fail: node 1, set: {data.protection: rf3}}", NULL,
         "s.yaml:7:32: error: timeline[0].set: an item does one thing, write one for each"},
        {"- {at: 1 h, set: {data.protection: {scheme: raid5, rewrite: strip}}}", NULL,
         "s.yaml:7:19: error: timeline[0].set.data.protection.data: 4096 placement groups do not "
         "make stripes of 3 data units, 4095 would"},
        {"- {at: 1 h, set: {data.protection: rf3, data.protection: rf2}}", NULL,
         "s.yaml:7:41: error: timeline[0].set.data.protection: duplicate key, first on line 7"},
        {"- {at: 1 h, set: {data.protection: rf3}}", "timeline[0].set.data.protection=raid5",
         "--set timeline[0].set.data.protection=raid5: error: "
         "timeline[0].set.data.protection.data: 4096 placement groups do not make stripes of 3 "
         "data units, 4095 would"},
        {"- {at: 1 h, set: {data.protection: rf3}}", "timeline[0].set.data.protection=raid6", ""},
        {"- {at: 1 h, set: {data.protection: rf3}}", "timeline[0].set.data.protection.copies=3",
         "--set timeline[0].set.data.protection.copies=3: error: "
         "timeline[0].set.data.protection.copies: rf3 has no copies to set"},
        {"- {at: 1 h, set: {data.protection: rf3}}", "data[0].services.compression.ratio=0.5", ""},
        {"- {at: 1 h, set: {data.protection: rf3}}", "data[0].services.compression=of",
         "--set data[0].services.compression=of: error: data[0].services.compression: expected off "
         "or on, got \"of\"; did you mean off?"},
        {"- {at: 1 h, set: {data.protection: rf3}}", "data[0].services.compression.when=destage",
         "--set data[0].services.compression.when=destage: error: "
         "data[0].services.compression.when: nothing is destaged where a disk group has no cache "
         "device"},
        {"- {at: 1 h, set: {data.protection: rf3}}", "data[0].logical=11 TB",
         "s.yaml:7:19: error: timeline[0].set.data.protection.scheme: takes 35 TB with protection, "
         "the cluster has 30.72 TB"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_item(cases[i].item, cases[i].override, cases[i].message);
    }
}

static void mixed_clusters_and_all_verbs_are_read(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = load(
        "version: 1\n"
        "cluster:\n"
        "  racks: 3\n"
        "  groups:\n"
        "    - nodes: 4\n"
        "      node: {nic: 25 Gbit/s, compute: off,\n"
        "             disk_groups: [{count: 2, cache: {device: sas-ssd},\n"
        "                            capacity: {device: sata-ssd, count: 2}}]}\n"
        "    - {nodes: 2, rack: 1, node: {controller: {slots: 4, io: 1 ms}}}\n"
        "data: {logical: 1 TB, protection: rf2, domain: rack}\n"
        "workload: {kind: closed, vms: 4, outstanding: 4}\n"
        "timeline:\n"
        "  - {at: 1 h, fail: device 0.1.1}\n"
        "  - {at: 2 h, restore: device 0.1.1}\n"
        "  - {at: 3 h, slow: {device: 3.0.0, factor: 4, for: 10 min}}\n"
        "  - {at: 3 h, slow: {link: rack 1, factor: 2.5, for: 10 min}}\n"
        "  - {at: 4 h, corrupt: {device: 2.0.0, sectors: 5}}\n"
        "  - {at: 5 h, maintenance: {node: 1, mode: evacuate, for: 30 min}}\n"
        "  - {at: 7 h, upgrade: {each: 10 min}}\n"
        "  - {at: 9 h, add: {nodes: 2}}\n"
        "  - {at: 10 h, stop: scrub}\n"
        "  - {at: 11 h, start: scrub}\n"
        "faults:\n"
        "  - {part: device, on: 0:4, every: 1000 d, repair: 1 d, life: {kind: weibull, shape: 2},\n"
        "     burst: {share: 10 %, size: 2, within: 1 h}}\n");
    static const AftActionKind kinds[] = {AFT_ACTION_FAIL,    AFT_ACTION_RESTORE,
                                          AFT_ACTION_SLOW,    AFT_ACTION_SLOW,
                                          AFT_ACTION_CORRUPT, AFT_ACTION_MAINTENANCE,
                                          AFT_ACTION_UPGRADE, AFT_ACTION_ADD,
                                          AFT_ACTION_STOP,    AFT_ACTION_START};
    assert_int_equal(scenario->n_timeline, G_N_ELEMENTS(kinds));
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        assert_int_equal(scenario->timeline[i].kind, kinds[i]);
    }
    assert_int_equal(scenario->cluster.n_sites, 8);
    assert_int_equal(scenario->cluster.groups[0].node.disk_groups[0].count, 2);
    assert_int_equal(scenario->cluster.groups[1].rack, 1);
    assert_int_equal(scenario->faults[0].n_on_nodes, 4);
    assert_within(scenario->faults[0].burst_size, 2.0, 0.0);
}

static void verbs_are_judged_where_they_stand(void **state)
{
    (void)state;
    static const struct {
        const char *item, *override, *message;
    } cases[] = {
        {"- {at: 1 h, fail: device 8.0.0}", NULL,
         "s.yaml:7:19: error: timeline[0].fail: there is no node 8: the cluster has 8, counted "
         "from 0"},
        {"- {at: 1 h, fail: disc 1.0.0}", NULL,
         "s.yaml:7:19: error: timeline[0].fail: expected a part, like node 2, controller 2, device "
         "2.0.1, cache 2.0, group 2.0 or rack 2, got \"disc 1.0.0\""},
        {"- {at: 1 h, fail: cache 1.0}", NULL,
         "s.yaml:7:19: error: timeline[0].fail: disk group 0 of node 1 has no cache device"},
        {"- {at: 1 h, slow: {device: 1.0.0, factor: 2}}", NULL,
         "s.yaml:7:13: error: timeline[0].slow.for: missing, expected a time, like 30 min"},
        {"- {at: 1 h, slow: {device: 1.0.0, factr: 2, for: 1 s}}", NULL,
         "s.yaml:7:35: error: timeline[0].slow.factr: unknown key; did you mean "
         "timeline[0].slow.factor?"},
        {"- {at: 1 h, maintenance: {node: 9, for: 1 s}}", NULL,
         "s.yaml:7:33: error: timeline[0].maintenance.node: there is no node 9: the cluster has 8, "
         "counted from 0"},
        {"- {at: 1 h, maintenance: 2}", NULL,
         "s.yaml:7:26: error: timeline[0].maintenance: expected a map of keys, got \"2\""},
        {"- {at: 1 h, upgrade: {each: 0 s}}", NULL,
         "s.yaml:7:29: error: timeline[0].upgrade.each: expected more than 0 s, got 0 s"},
        {"- {at: 1 h, upgrade: {}}", NULL,
         "s.yaml:7:3: error: timeline[0]: expected fail, restore, slow, corrupt, maintenance, "
         "upgrade, add, start, stop or set, like fail: node 2"},
        {"- {at: 1 h, add: {nodes: 100000}}", NULL,
         "s.yaml:2:18: error: cluster.nodes: expected at most 100000 nodes, those that are added "
         "included, got 100008"},
        {"- {at: 1 h, stop: rebuld}", NULL,
         "s.yaml:7:19: error: timeline[0].stop: there is no workload or task \"rebuld\" to stop; "
         "did you mean rebuild?"},
        {"- {at: 1 h, fail: node 1}", "timeline[0].fail=node 9",
         "--set timeline[0].fail=node 9: error: timeline[0].fail: there is no node 9: the cluster "
         "has 8, counted from 0"},
        {"- {at: 1 h, fail: node 1}\nfaults: {part: rack, every: 1 d}", NULL,
         "s.yaml:8:1: error: faults[0].repair: missing, expected a time, like 30 min"},
        {"- {at: 1 h, fail: node 1}", "cluster.groups[0].nodes=2",
         "s.yaml:2:18: error: cluster.nodes: a cluster has groups, or nodes that are all alike: "
         "write one of them"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_item(cases[i].item, cases[i].override, cases[i].message);
    }
}

static void aliases_are_refused(void **state)
{
    (void)state;
    assert_line("run: *r", "s.yaml:4:6: error: aliases (*r) are not read, write the value out");
    assert_line("? *r\n: 1", "s.yaml:4:3: error: aliases (*r) are not read, write the value out");
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    g_autoptr(GString) text = g_string_new("unknown: ");
    for (guint i = 0; i < 31; i++) {
        g_string_append_c(text, '[');
    }
    g_autoptr(GString) deeper = g_string_new(text->str);
    for (guint i = 0; i < 31; i++) {
        g_string_append_c(text, ']');
    }
    g_string_append(deeper, "[\n");
    g_autofree char *fine = messages_of(text->str, text->len, NULL, NULL);
    assert_non_null(strstr(fine, "s.yaml:1:1: error: unknown: unknown key"));
    assert_null(strstr(fine, "nested"));
    g_autofree char *messages = messages_of(deeper->str, deeper->len, NULL, NULL);
    assert_non_null(strstr(messages, "s.yaml:1:41: error: nested too deeply, at most 32 maps and "
                                     "lists may hold each other"));
}

static void many_errors_end_the_reading(void **state)
{
    (void)state;
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < 5000; i++) {
        g_string_append_printf(text, "x%u: 1\n", i);
    }
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    assert_null(aft_loader_load_text("s.yaml", text->str, text->len, NULL, messages, &error));
    assert_string_equal(error->message, "s.yaml: 1001 errors");
    assert_int_equal(messages->len, 1001);
    assert_string_equal(messages->pdata[1000], "s.yaml: and 1 more of the kind");
}

static void long_lines_are_cut_around_the_place(void **state)
{
    (void)state;
    g_autofree char *dots = g_strnfill(300, '.');
    g_autofree char *text = g_strconcat("name: \"", dots, "\"\nrun: {seed: x} #", dots, "\n", NULL);
    g_autofree char *messages = messages_of(text, strlen(text), NULL, NULL);
    g_auto(GStrv) lines = g_strsplit(messages, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        assert_true(lines[i][0] != ' ' || strlen(lines[i]) <= 122);
    }
    g_autofree char *line = g_strnfill(10000, ' ');
    g_autofree char *farther = g_strconcat("{a:", line, "b: 1}\n", NULL);
    g_autofree char *unshown = messages_of(farther, strlen(farther), NULL, NULL);
    assert_true(strlen(unshown) < 1000);
    g_autofree char *far = g_strconcat("\"", dots, "\": 1\n", NULL);
    g_autofree char *wide = g_strconcat("{a: 1, ", dots, ": 1}\n", NULL);
    g_autofree char *near_start = messages_of(far, strlen(far), NULL, NULL);
    assert_non_null(strstr(near_start, "s.yaml:1:1: error: \"..."));
    g_autofree char *second = messages_of(wide, strlen(wide), NULL, NULL);
    assert_non_null(strstr(second, "s.yaml:1:8: error: \"..."));
}

static void overrides_come_after_the_file(void **state)
{
    (void)state;
    const char *const overrides[] = {
        "run.seed=7",         "data.protection = rf2",   "cluster.nodes=3",
        "timeline[0].at=1 h", "timeline[0].fail=node 0", NULL};
    AftScenario *scenario = NULL;
    g_autofree char *messages = messages_of(SMALLEST, strlen(SMALLEST), overrides, &scenario);
    assert_string_equal(messages, "");
    assert_int_equal(scenario->run.seed, 7);
    assert_int_equal(scenario->cluster.nodes, 3);
    assert_int_equal(scenario->pools[0].protection.kind, AFT_SCHEME_REPLICATION);
    assert_int_equal(scenario->n_timeline, 1);
    aft_scenario_free(scenario);
}

static void problems_with_overrides_name_them(void **state)
{
    (void)state;
    const char *const overrides[] = {"run.sed=7",     "seven", "=7", "data.logical=7",
                                     "run.seed=\x1b", "name=", NULL};
    g_autofree char *messages =
        messages_of(SMALLEST "bad: 1\n", strlen(SMALLEST "bad: 1\n"), overrides, NULL);
    assert_string_equal(
        messages,
        "s.yaml:4:1: error: bad: unknown key\n"
        "  bad: 1\n"
        "  ^\n"
        "--set run.sed=7: error: run.sed: unknown key; did you mean run.seed?\n"
        "--set seven: error: expected path=value, like run.seed=2\n"
        "--set =7: error: expected path=value, like run.seed=2\n"
        "--set data.logical=7: error: data.logical: \"7\" has no unit: expected a size, like 3.84 "
        "TB or 4 KiB\n"
        "--set run.seed=?: error: run.seed: \"?\" is not a number: expected a number, like 16 or "
        "107k\n"
        "--set name=: error: name: expected a name (one line of at most 200 bytes), got \"\"");
}

/* A check of the whole points at the override that made it fail, else at the file. */
static void overrides_answer_for_what_they_changed(void **state)
{
    (void)state;
    const char *const scheme[] = {"data.protection=raid6", NULL};
    g_autofree char *messages = messages_of(SHOWN, strlen(SHOWN), scheme, NULL);
    assert_string_equal(messages, "--set data.protection=raid6: error: data.protection.scheme: "
                                  "raid6 4+2 needs 6 nodes, the cluster has 5");
    const char *const nodes[] = {"cluster.nodes=3", NULL};
    g_autofree char *of_file = messages_of(SHOWN, strlen(SHOWN), nodes, NULL);
    assert_string_equal(of_file,
                        "s.yaml:14:24: error: data.protection.scheme: raid5 3+1 needs 4 nodes, the "
                        "cluster has 3\n"
                        "    protection: {scheme: raid5, data: 3, parity: 1, degraded: 115 us}\n"
                        "                         ^");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shown_scenario_is_read),
        cmocka_unit_test(the_smallest_scenario_is_read),
        cmocka_unit_test(equal_ways_of_writing_mean_the_same),
        cmocka_unit_test(lists_and_maps_are_read),
        cmocka_unit_test(all_problems_come_in_the_order_of_the_file),
        cmocka_unit_test(the_error_counts),
        cmocka_unit_test(faults_of_yaml_are_told),
        cmocka_unit_test(lines_are_judged),
        cmocka_unit_test(settings_have_dots),
        cmocka_unit_test(services_tiers_and_conversions_are_read),
        cmocka_unit_test(settings_are_judged_where_they_stand),
        cmocka_unit_test(mixed_clusters_and_all_verbs_are_read),
        cmocka_unit_test(verbs_are_judged_where_they_stand),
        cmocka_unit_test(aliases_are_refused),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(many_errors_end_the_reading),
        cmocka_unit_test(long_lines_are_cut_around_the_place),
        cmocka_unit_test(overrides_come_after_the_file),
        cmocka_unit_test(problems_with_overrides_name_them),
        cmocka_unit_test(overrides_answer_for_what_they_changed),
    };
    return cmocka_run_group_tests_name("loader", tests, NULL, NULL);
}
