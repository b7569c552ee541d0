/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build.h"

#include <aftershock/random/variate.h>
#include <aftershock/scenario/keys.h>
#include <aftershock/scenario/parts.h>
#include <aftershock/scenario/schemes.h>

/* One item of every list, so that every key has a field. */
static const char *const one_of_each[] = {
    "devices.own.spread.values=1",
    "cluster.node.controller.spread.values=1",
    "cluster.node.disk_groups.capacity.device=own",
    "cluster.groups.node.controller.spread.values=1",
    "cluster.groups.node.disk_groups.capacity.device=own",
    "data.logical=1 TB",
    "workload.kind=open",
    "workload.blocks.block=8 KiB",
    "workload.day=1",
    "timeline.at=1 s",
    "faults.life.values=1",
    "faults.repair_spread.values=1",
    NULL,
};

static AftScenario *scenario_of_each(void)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    AftScenario *scenario = aft_scenario_new();
    set_all(scenario, one_of_each, problems);
    assert_int_equal(problems->len, 0);
    return scenario;
}

/* The path of the only item of every list. */
static char *path_of(const AftKey *key)
{
    g_auto(GStrv) devices = g_strsplit(key->path, "devices.*", 2);
    g_autofree char *named = g_strjoinv("devices.own", devices);
    g_auto(GStrv) lists = g_strsplit(named, "[*]", -1);
    return g_strjoinv("[0]", lists);
}

/* clang-format off */
#define SERVICE_DEFAULTS(name, domain) \
    {"data[0].services." name ".enabled", "off"}, \
    {"data[0].services." name ".when", "inline"}, \
    {"data[0].services." name ".read_delay", "0 s"}, \
    {"data[0].services." name ".write_delay", "0 s"}, \
    {"data[0].services." name ".io", "0 s"}, \
    {"data[0].services." name ".per_mib", "0 s"}, \
    {"data[0].services." name ".degraded", "0 s"}, \
    {"data[0].services." name ".metadata_reads", "0"}, \
    {"data[0].services." name ".metadata_writes", "0"}, \
    {"data[0].services." name ".background_factor", "1"}, \
    {"data[0].services." name ".move_factor", "0"}, \
    {"data[0].services." name ".ratio", "1"}, \
    {"data[0].services." name ".failure_domain", domain}
#define SPREAD_DEFAULTS(path, kind) \
    {path ".kind", kind}, \
    {path ".cv", "0.6"}, \
    {path ".shape", NULL}, \
    {path ".values[0]", "1"}

#define NODE_DEFAULTS(path) \
    {path ".controller.slots", "0"}, \
    {path ".controller.io", "0 s"}, \
    {path ".controller.per_mib", "0 s"}, \
    {path ".controller.request", "0 s"}, \
    {path ".controller.latency.read", "0 s"}, \
    {path ".controller.latency.write", "0 s"}, \
    SPREAD_DEFAULTS(path ".controller.spread", "exponential"), \
    {path ".compute", "on"}, \
    {path ".nic", "none"}, \
    {path ".price", "0"}, \
    {path ".disk_groups[0].count", "1"}, \
    {path ".disk_groups[0].cache.device", NULL}, \
    {path ".disk_groups[0].cache.count", "0"}, \
    {path ".disk_groups[0].cache.size", NULL}, \
    {path ".disk_groups[0].capacity.device", "own"}, \
    {path ".disk_groups[0].capacity.count", NULL}, \
    {path ".disk_groups[0].capacity.size", NULL}

#define TASK_DEFAULTS(path, priority) \
    {path ".priority", priority}, \
    {path ".unit", "1 MiB"}, \
    {path ".in_flight_per_node", "8"}, \
    {path ".groups_per_node", NULL}, \
    {path ".bandwidth", "unlimited"}
/* clang-format on */

static const struct {
    const char *path, *text;
} defaults[] = {
    {"version", NULL},
    {"kind", "scenario"},
    {"name", "unnamed"},
    {"devices.own.read", "0 s"},
    {"devices.own.write", "0 s"},
    SPREAD_DEFAULTS("devices.own.spread", "lognormal"),
    {"devices.own.parallel", "1"},
    {"devices.own.read_bandwidth", "unlimited"},
    {"devices.own.write_bandwidth", "unlimited"},
    {"devices.own.sequential", "100 %"},
    {"devices.own.size", NULL},
    {"devices.own.afr", "0 %"},
    {"devices.own.price", "0"},
    {"cluster.nodes", NULL},
    NODE_DEFAULTS("cluster.node"),
    {"cluster.groups[0].nodes", NULL},
    {"cluster.groups[0].rack", "all"},
    NODE_DEFAULTS("cluster.groups[0].node"),
    {"cluster.detect", "6 s"},
    {"cluster.racks", "1"},
    {"cluster.full", "95 %"},
    {"data[0].name", NULL},
    {"data[0].logical", "1 TB"},
    {"data[0].placement_groups", "4096"},
    {"data[0].domain", "node"},
    {"data[0].protection.scheme", "none"},
    {"data[0].protection.data", NULL},
    {"data[0].protection.local", NULL},
    {"data[0].protection.parity", NULL},
    {"data[0].protection.copies", NULL},
    {"data[0].protection.degraded", "0 s"},
    {"data[0].protection.updates", "unlimited"},
    {"data[0].protection.update", "0 s"},
    {"data[0].protection.stripe_unit", "1 MiB"},
    {"data[0].protection.rewrite", "parity"},
    {"data[0].protection.age", "7 d"},
    SERVICE_DEFAULTS("compression", "device"),
    SERVICE_DEFAULTS("dedupe", "group"),
    {"tiers.parity", "front"},
    {"tiers.low", "30 %"},
    {"tiers.high", "90 %"},
    {"tiers.begin", "0 %"}, /* until it is resolved */
    {"tiers.priority", "destage"},
    {"tiers.delay_max", "20 ms"},
    {"tiers.unit", "1 MiB"},
    {"tiers.in_flight", "8"},
    {"tiers.read_share", "0 %"},
    {"tiers.buffer", "unlimited"},
    {"tiers.start", "0 %"}, /* until it is resolved */
    {"workload[0].name", NULL},
    {"workload[0].kind", "open"},
    {"workload[0].pool", NULL},
    {"workload[0].vms", NULL},
    {"workload[0].on", "all"},
    {"workload[0].rate", NULL},
    {"workload[0].pacing", "poisson"},
    {"workload[0].burst.factor", NULL},
    {"workload[0].burst.share", NULL},
    {"workload[0].burst.mean", NULL},
    {"workload[0].day[0]", "1"},
    {"workload[0].day_start", "0 s"},
    {"workload[0].outstanding", NULL},
    {"workload[0].think", "0 s"},
    {"workload[0].read_share", "70 %"},
    {"workload[0].block", "4 KiB"},
    {"workload[0].blocks[0].block", "8 KiB"},
    {"workload[0].blocks[0].share", NULL},
    {"workload[0].blocks[0].read_share", "0 %"}, /* until it is resolved */
    {"workload[0].working_set", "all"},
    {"workload[0].access", "random"},
    {"workload[0].streams", "1"},
    {"workload[0].skew", "uniform"},
    {"workload[0].theta", NULL},
    {"workload[0].locality", "0 %"},
    {"workload[0].file", NULL},
    {"workload[0].format", "auto"},
    {"workload[0].speed", "1"},
    {"workload[0].repeat", "off"},
    {"workload[0].owed_limit", "unlimited"},
    {"workload[0].restart", "2 min"},
    {"workload[0].return", "5 min"},
    {"background.scheduler.kind", "weighted"},
    {"background.scheduler.weights.client", "80"},
    {"background.scheduler.weights.destage", "20"},
    {"background.scheduler.weights.p1", "20"},
    {"background.scheduler.weights.p2", "10"},
    {"background.scheduler.weights.p3", "5"},
    {"background.scheduler.reservations.client", "0 %"},
    {"background.scheduler.reservations.destage", "0 %"},
    {"background.scheduler.reservations.p1", "0 %"},
    {"background.scheduler.reservations.p2", "0 %"},
    {"background.scheduler.reservations.p3", "0 %"},
    {"background.scheduler.limits.client", "none"},
    {"background.scheduler.limits.destage", "none"},
    {"background.scheduler.limits.p1", "none"},
    {"background.scheduler.limits.p2", "none"},
    {"background.scheduler.limits.p3", "none"},
    {"background.scheduler.cost.io", "0 s"},
    {"background.scheduler.cost.per_mib", "0 s"},
    {"background.scheduler.at", "all"},
    {"background.scheduler.spin", "0 %"},
    {"background.scheduler.high", "10 ms"},
    {"background.scheduler.low", "5 ms"},
    {"background.scheduler.step", "10 %"},
    {"background.scheduler.least", "5 %"},
    {"background.scheduler.period", "1 s"},
    TASK_DEFAULTS("background.rebuild", "1"),
    {"background.rebuild.delay", "1 h"},
    TASK_DEFAULTS("background.rebalance", "2"),
    {"background.rebalance.delay", "0 s"},
    {"background.rebalance.trigger", "immediate"},
    TASK_DEFAULTS("background.evacuate", "2"),
    TASK_DEFAULTS("background.convert", "3"),
    {"background.convert.delay", "0 s"},
    {"background.convert.trigger", "immediate"},
    TASK_DEFAULTS("background.encode", "3"),
    {"background.encode.delay", "0 s"},
    {"background.encode.trigger", "immediate"},
    TASK_DEFAULTS("background.scrub", "3"),
    {"background.scrub.delay", "0 s"},
    {"background.scrub.every", "never"},
    {"background.rebuild.device_delay", "0 s"},
    {"background.scan.full", "never"},
    {"background.scan.partial", "never"},
    {"background.scan.length", "0 s"},
    {"background.maintenance.enabled", "off"},
    {"background.maintenance.in_flight_per_node", "64"},
    {"timeline[0].at", "1 s"},
    {"timeline[0].fail", NULL},
    {"timeline[0].restore", NULL},
    {"timeline[0].slow.device", NULL},
    {"timeline[0].slow.link", NULL},
    {"timeline[0].slow.factor", NULL},
    {"timeline[0].slow.for", NULL},
    {"timeline[0].corrupt.device", NULL},
    {"timeline[0].corrupt.sectors", NULL},
    {"timeline[0].maintenance.node", NULL},
    {"timeline[0].maintenance.mode", NULL}, /* accessible, once it is a maintenance */
    {"timeline[0].maintenance.for", NULL},
    {"timeline[0].upgrade.each", NULL},
    {"timeline[0].add.nodes", NULL},
    {"timeline[0].start", NULL},
    {"timeline[0].stop", NULL},
    {"timeline[0].pool", NULL},
    {"timeline[0].set.data.protection.scheme", "none"},
    {"timeline[0].set.data.protection.data", NULL},
    {"timeline[0].set.data.protection.local", NULL},
    {"timeline[0].set.data.protection.parity", NULL},
    {"timeline[0].set.data.protection.copies", NULL},
    {"timeline[0].set.data.protection.degraded", "0 s"},
    {"timeline[0].set.data.protection.updates", "unlimited"},
    {"timeline[0].set.data.protection.update", "0 s"},
    {"timeline[0].set.data.protection.stripe_unit", "1 MiB"},
    {"timeline[0].set.data.protection.rewrite", "parity"},
    {"timeline[0].set.data.protection.age", "7 d"},
    {"faults[0].part", "node"},
    {"faults[0].on", "all"},
    {"faults[0].every", NULL},
    SPREAD_DEFAULTS("faults[0].life", "exponential"),
    {"faults[0].repair", NULL},
    SPREAD_DEFAULTS("faults[0].repair_spread", "exponential"),
    {"faults[0].burst.share", "0 %"},
    {"faults[0].burst.size", "1"},
    {"faults[0].burst.within", "0 s"},
    {"faults[0].trace", NULL},
    {"requirement.iops", "none"},
    {"requirement.read", "none"},
    {"requirement.write", "none"},
    {"requirement.tolerance", "0.5 %"},
    {"run.until", "steady"},
    {"run.settle", "5 min"},
    {"run.duration", "1 d"},
    {"run.fidelity", "sampled"},
    {"run.seed", "1"},
    {"run.trace_interval", "10 s"},
    {"run.precision", "2 %"},
    {"run.confidence", "95 %"},
    {"run.max_simulated", "60 s"},
};

static void every_key_has_its_default(void **state)
{
    (void)state;
    guint n = 0, at = 0;
    const AftKey *keys = aft_keys(&n);
    g_autoptr(AftScenario) scenario = scenario_of_each();
    for (guint i = 0; i < n; i++) {
        if (keys[i].type == AFT_KEY_BARE) {
            continue;
        }
        g_autofree char *path = path_of(&keys[i]);
        g_autofree char *text = aft_scenario_get(scenario, path);
        assert_true(at < G_N_ELEMENTS(defaults));
        assert_string_equal(path, defaults[at].path);
        if (g_strcmp0(text, defaults[at].text) != 0) {
            fail_msg("%s is %s, expected %s", path, text, defaults[at].text);
        }
        at++;
    }
    assert_int_equal(at, G_N_ELEMENTS(defaults));
}

static void defaults_reach_the_structs(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = scenario_of_each();
    assert_int_equal(scenario->cluster.detect_ns, 6 * G_GINT64_CONSTANT(1000000000));
    assert_within(scenario->cluster.full, 0.95, 0.0);
    assert_int_equal(scenario->background.task[AFT_TASK_REBUILD].delay_ns,
                     3600 * G_GINT64_CONSTANT(1000000000));
    assert_int_equal(scenario->background.task[AFT_TASK_REBALANCE].priority, 2);
    assert_within(scenario->background.scheduler.weights[AFT_CLASS_P3], 5.0, 0.0);
    assert_true(scenario->workloads[0].owed_limit_ns == G_MAXINT64);
    assert_within(scenario->workloads[0].read_share, 0.7, 0.0);
    assert_int_equal(scenario->workloads[0].block_bytes, 4096);
    assert_int_equal(scenario->pools[0].protection.stripe_unit_bytes, 1048576);
    assert_int_equal(scenario->cluster.node.controller.spread.kind, AFT_SPREAD_EXPONENTIAL);
    assert_int_equal(scenario->run.fidelity, AFT_FIDELITY_SAMPLED);
    assert_int_equal(scenario->run.until, AFT_UNTIL_STEADY);
    assert_int_equal(scenario->run.seed, 1);
}

static const char *base_unit(const AftKey *key)
{
    static const char *const names[] = {
        [AFT_UNIT_COUNT] = "",   [AFT_UNIT_TIME] = " s", [AFT_UNIT_BYTES] = " B",
        [AFT_UNIT_RATE] = " /s", [AFT_UNIT_SHARE] = "",  [AFT_UNIT_BYTES_PER_TIME] = " B/s",
    };
    return names[aft_key_unit(key)];
}

static gboolean is_numeric(const AftKey *key)
{
    return key->maximum > 0.0;
}

/* Whether a fresh scenario takes @value for @key. */
static gboolean takes(const AftKey *key, double value)
{
    g_autoptr(AftScenario) scenario = scenario_of_each();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    g_autofree char *path = path_of(key);
    g_autofree char *text = g_strdup_printf("%.17g%s", value, base_unit(key));
    gboolean fine = aft_scenario_set(scenario, path, text, problems);
    assert_int_equal(problems->len, fine ? 0 : 1);
    return fine;
}

static void ranges_end_where_they_say(void **state)
{
    (void)state;
    guint n = 0, tried = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        if (is_numeric(&keys[i])) {
            gboolean whole = keys[i].type == AFT_KEY_COUNT || keys[i].type == AFT_KEY_INTEGER;
            double low = keys[i].minimum, high = keys[i].maximum;
            double below = whole ? low - 1.0 : nextafter(low, -1.0);
            double beyond = whole ? high + 2.0 : nextafter(high, 1e300); /* 2^53 + 1 is 2^53 */
            assert_int_equal(takes(&keys[i], low), !keys[i].above);
            assert_true(takes(&keys[i], high));
            assert_false(takes(&keys[i], below));
            assert_false(takes(&keys[i], beyond));
            tried++;
        }
    }
    assert_true(tried > 60);
}

/* Another value than the default, which every type has. */
static char *other_value(const AftKey *key)
{
    switch (key->type) {
    case AFT_KEY_TEXT:
        return g_strdup("something");
    case AFT_KEY_WORD:
    case AFT_KEY_CHOICE:
        return g_strdup(
            key->choices[g_strcmp0(key->choices[0], key->fallback) == 0 && key->choices[1] != NULL
                             ? 1
                             : 0]);
    case AFT_KEY_SELECTOR:
        return g_strdup("0:3,-1");
    case AFT_KEY_PART:
        return aft_part_examples(1u << (g_bit_storage(key->parts) - 1));
    case AFT_KEY_COUNT:
    case AFT_KEY_INTEGER: {
        char *most = g_strdup_printf("%.17g", key->maximum);
        if (g_strcmp0(most, key->fallback) != 0) {
            return most;
        }
        g_free(most);
        return g_strdup_printf("%.17g", key->minimum);
    }
    default: {
        double value = key->maximum > 4.0 ? floor(key->maximum * 0.75) : key->maximum * 0.75;
        return g_strdup_printf("%.17g%s", value, base_unit(key));
    }
    }
}

static void remember_text(const AftKey *key, const char *path, void *field, gpointer data)
{
    (void)key;
    (void)field;
    const AftScenario *scenario = ((gpointer *)data)[0];
    char *text = aft_scenario_get(scenario, path);
    g_ptr_array_add(((gpointer *)data)[1], text == NULL ? g_strdup("") : text);
}

static GPtrArray *all_texts(const AftScenario *scenario)
{
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    gpointer data[] = {(gpointer)(gsize)scenario, texts};
    aft_keys_visit(scenario, remember_text, data);
    return texts;
}

/* No two rows share a field, none reaches over its neighbour. */
static void a_key_changes_no_other(void **state)
{
    (void)state;
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        if (keys[i].type == AFT_KEY_BARE || keys[i].action != AFT_ACTION_NONE ||
            strcmp(keys[i].path, "kind") == 0) {
            continue; /* verbs share fields, and there is one kind */
        }
        g_autoptr(AftScenario) scenario = scenario_of_each();
        g_autoptr(GPtrArray) problems = aft_problems_new();
        g_autofree char *path = path_of(&keys[i]), *value = other_value(&keys[i]);
        g_autoptr(GPtrArray) before = all_texts(scenario);
        assert_true(aft_scenario_set(scenario, path, value, problems));
        g_autoptr(GPtrArray) after = all_texts(scenario);
        guint changed = 0;
        assert_int_equal(before->len, after->len);
        for (guint j = 0; j < before->len; j++) {
            changed += strcmp(before->pdata[j], after->pdata[j]) != 0;
        }
        if (changed != 1) {
            fail_msg("%s = %s changes %u keys", path, value, changed);
        }
    }
}

static void what_is_got_can_be_set(void **state)
{
    (void)state;
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        if (keys[i].type == AFT_KEY_BARE) {
            continue;
        }
        g_autoptr(AftScenario) scenario = scenario_of_each(), copy = scenario_of_each();
        g_autoptr(GPtrArray) problems = aft_problems_new();
        g_autofree char *path = path_of(&keys[i]), *value = other_value(&keys[i]);
        if (!aft_scenario_set(scenario, path, value, problems)) {
            fail_msg("%s = %s", path, value);
        }
        g_autofree char *text = aft_scenario_get(scenario, path);
        assert_true(aft_scenario_set(copy, path, text, problems));
        g_autofree char *again = aft_scenario_get(copy, path);
        assert_string_equal(text, again);
    }
}

static void rows_are_found_by_their_paths(void **state)
{
    (void)state;
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        AftKeyMatch match;
        g_autofree char *path = path_of(&keys[i]);
        assert_true(aft_keys_find(path, &match));
        assert_ptr_equal(match.key, &keys[i]);
        g_autofree char *again = aft_keys_path(match.key->path, match.step);
        assert_string_equal(again, path);
        assert_true(strlen(keys[i].help) > 10);
    }
}

static void paths_that_are_no_keys_are_not_found(void **state)
{
    (void)state;
    const char *const paths[] = {"",
                                 ".",
                                 "version.",
                                 ".version",
                                 "versions",
                                 "versio",
                                 "run",
                                 "workload",
                                 "workload[]",
                                 "workload[0]",
                                 "workload[-1].rate",
                                 "workload[1",
                                 "workload[0]rate",
                                 "workload[0][0].rate",
                                 "workload[9999999999].rate",
                                 "devices.read",
                                 "devices..read",
                                 "devices.a.b.read",
                                 "devices.a b.read",
                                 "data.rate",
                                 "workload.rate[0]",
                                 "cluster.node.controller.spread.values[0][0]",
                                 "workload[*].rate",
                                 "devices.*.read"};
    AftKeyMatch match;
    for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
        if (aft_keys_find(paths[i], &match)) {
            fail_msg("%s is %s", paths[i], match.key->path);
        }
    }
}

static void the_index_of_a_list_of_one_may_be_left_out(void **state)
{
    (void)state;
    AftKeyMatch match;
    assert_true(aft_keys_find("workload.rate", &match));
    assert_string_equal(match.key->path, "workload[*].rate");
    assert_int_equal(match.step[0].index, 0);
    assert_true(aft_keys_find("workload[17].rate", &match));
    assert_int_equal(match.step[0].index, 17);
    assert_true(aft_keys_find("devices.mine.spread.values[3]", &match));
    assert_int_equal(match.step[0].name_length, 4);
    assert_int_equal(match.step[1].index, 3);
    assert_true(aft_keys_find("devices.mine.spread.values", &match));
    assert_int_equal(match.step[1].index, 0);
}

static void shapes_say_what_may_stand_where(void **state)
{
    (void)state;
    const guint value = AFT_SHAPE_VALUE, map = AFT_SHAPE_MAP, list = AFT_SHAPE_LIST;
    assert_int_equal(aft_keys_shape(""), map);
    assert_int_equal(aft_keys_shape("version"), value);
    assert_int_equal(aft_keys_shape("versio"), AFT_SHAPE_UNKNOWN);
    assert_int_equal(aft_keys_shape("cluster"), map);
    assert_int_equal(aft_keys_shape("cluster.node.disk_groups"), map | list);
    assert_int_equal(aft_keys_shape("workload"), map | list);
    assert_int_equal(aft_keys_shape("cluster.groups"), map | list);
    assert_int_equal(aft_keys_shape("cluster.groups[1].node"), map);
    assert_int_equal(aft_keys_shape("cluster.groups[1].node.disk_groups"), map | list);
    assert_int_equal(aft_keys_shape("timeline[0].fail"), value);
    assert_int_equal(aft_keys_shape("timeline[0].slow"), map);
    assert_int_equal(aft_keys_shape("workload[3]"), map);
    assert_int_equal(aft_keys_shape("workload.rate"), value);
    assert_int_equal(aft_keys_shape("workload.rat"), AFT_SHAPE_UNKNOWN);
    assert_int_equal(aft_keys_shape("data.protection"), value | map);
    assert_int_equal(aft_keys_shape("devices"), map);
    assert_int_equal(aft_keys_shape("devices.mine"), map);
    assert_int_equal(aft_keys_shape("devices.mine.spread"), value | map);
    assert_int_equal(aft_keys_shape("devices.mine.spread.values"), value | list);
    assert_int_equal(aft_keys_shape("tiers"), map);
    assert_int_equal(aft_keys_shape("data.services"), map);
    assert_int_equal(aft_keys_shape("data.services.compression"), value | map);
    assert_int_equal(aft_keys_shape("timeline[1].set"), map);
    assert_int_equal(aft_keys_shape("timeline[1].set.data"), map);
    assert_int_equal(aft_keys_shape("timeline[1].set.data.protection"), value | map);
    assert_int_equal(aft_keys_shape("timeline[1].set.data[0].protection"), AFT_SHAPE_UNKNOWN);
    assert_int_equal(aft_keys_shape("fault"), AFT_SHAPE_UNKNOWN);
}

static void suggestions_correct_the_whole_path(void **state)
{
    (void)state;
    const char *const pairs[][2] = {
        {"verson", "version"},
        {"cluster.nods", "cluster.nodes"},
        {"clustre.nodes", "cluster.nodes"},
        {"clustre", "cluster"},
        {"workload[2].raet", "workload[2].rate"},
        {"workload.outstandig", "workload.outstanding"},
        {"cluster.node.disk_groups[0].cache.devise", "cluster.node.disk_groups[0].cache.device"},
        {"data.protection.paritys", "data.protection.parity"},
        {"devices.mine.paralel", "devices.mine.parallel"},
        {"seed", "run.seed"}, /* right name, wrong place */
        {"workload.settle", "run.settle"},
        {"clustre.nods", "cluster"}, /* one name at a time */
        {"tier.low", "tiers.low"},
        {"data.services.compresion.ratio", "data.services.compression.ratio"},
        {"timeline[2].set.data.protecton", "timeline[2].set.data.protection"},
        /* Where there is one name only, that is meant. */
        {"timeline[2].set.cluster.nodes", "timeline[2].set.data.protection"},
        {"timeline[2].set.seed", "timeline[2].set.data.protection"},
        {"timeline[2].set.data.logical", "timeline[2].set.data.protection"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        g_autofree char *suggestion = aft_keys_suggest(pairs[i][0]);
        if (g_strcmp0(suggestion, pairs[i][1]) != 0) {
            fail_msg("%s: %s, expected %s", pairs[i][0], suggestion, pairs[i][1]);
        }
    }
    assert_null(aft_keys_suggest("colours"));
    assert_null(aft_keys_suggest("workload.colour"));
    assert_null(aft_keys_suggest("count")); /* of a group, of a cache, of capacity? */
}

static void choices_number_their_enums(void **state)
{
    (void)state;
    AftKeyMatch match;
    assert_true(aft_keys_find("cluster.node.controller.spread.kind", &match));
    guint n = g_strv_length((char **)match.key->choices);
    assert_int_equal(n, AFT_SPREAD_EMPIRICAL + 1);
    for (guint i = 0; i < n; i++) {
        assert_string_equal(match.key->choices[i], aft_spread_name((AftSpreadKind)i));
    }
    assert_true(aft_keys_find("data.protection.scheme", &match));
    const AftScheme *schemes = aft_schemes(&n);
    assert_int_equal(n, g_strv_length((char **)match.key->choices));
    for (guint i = 0; i < n; i++) {
        assert_string_equal(match.key->choices[i], schemes[i].name);
    }
    assert_true(aft_keys_find("data.protection.rewrite", &match));
    assert_string_equal(match.key->choices[AFT_REWRITE_PARITY], "parity");
    assert_string_equal(match.key->choices[AFT_REWRITE_STRIP], "strip");
    assert_true(aft_keys_find("data.services.dedupe.enabled", &match));
    assert_string_equal(match.key->choices[FALSE], "off");
    assert_string_equal(match.key->choices[TRUE], "on");
    assert_true(aft_keys_find("data.services.dedupe.when", &match));
    assert_string_equal(match.key->choices[AFT_WHEN_INLINE], "inline");
    assert_string_equal(match.key->choices[AFT_WHEN_DESTAGE], "destage");
    assert_true(aft_keys_find("data.services.dedupe.failure_domain", &match));
    assert_string_equal(match.key->choices[AFT_FAILURE_DEVICE], "device");
    assert_string_equal(match.key->choices[AFT_FAILURE_GROUP], "group");
    assert_true(aft_keys_find("tiers.parity", &match));
    assert_string_equal(match.key->choices[AFT_PARITY_FRONT], "front");
    assert_string_equal(match.key->choices[AFT_PARITY_DESTAGE], "destage");
    assert_true(aft_keys_find("workload.kind", &match));
    assert_string_equal(match.key->choices[AFT_WORKLOAD_CLOSED], "closed");
    assert_string_equal(match.key->choices[AFT_WORKLOAD_OPEN], "open");
    assert_string_equal(match.key->choices[AFT_WORKLOAD_PACED], "paced");
    assert_string_equal(match.key->choices[AFT_WORKLOAD_TRACE], "trace");
    assert_true(aft_keys_find("workload.format", &match));
    assert_string_equal(match.key->choices[AFT_TRACE_AUTO], "auto");
    assert_string_equal(match.key->choices[AFT_TRACE_MSR], "msr");
    assert_string_equal(match.key->choices[AFT_TRACE_ALIBABA], "alibaba");
    assert_true(aft_keys_find("workload.pacing", &match));
    assert_string_equal(match.key->choices[AFT_PACING_POISSON], "poisson");
    assert_string_equal(match.key->choices[AFT_PACING_EVEN], "even");
    assert_true(aft_keys_find("workload.access", &match));
    assert_string_equal(match.key->choices[AFT_ACCESS_RANDOM], "random");
    assert_string_equal(match.key->choices[AFT_ACCESS_SEQUENTIAL], "sequential");
    assert_true(aft_keys_find("workload.skew", &match));
    assert_string_equal(match.key->choices[AFT_SKEW_UNIFORM], "uniform");
    assert_string_equal(match.key->choices[AFT_SKEW_ZIPF], "zipf");
    assert_true(aft_keys_find("run.until", &match));
    assert_string_equal(match.key->choices[AFT_UNTIL_STEADY], "steady");
    assert_string_equal(match.key->choices[AFT_UNTIL_DURATION], "duration");
    assert_true(aft_keys_find("run.fidelity", &match));
    assert_string_equal(match.key->choices[AFT_FIDELITY_IO], "io");
    assert_string_equal(match.key->choices[AFT_FIDELITY_SAMPLED], "sampled");
}

static void descriptions_are_phrases(void **state)
{
    (void)state;
    const char *const pairs[][2] = {
        {"version", "a whole number"},
        {"workload.kind", "closed, open, paced or trace"},
        {"workload.rate", "a rate, like 107k/s"},
        {"workload.owed_limit", "a time, like 30 min, or unlimited"},
        {"workload.on", "nodes, like all, 0, 1,3, 2:5 or -1"},
        {"data.protection",
         "none, raid0, rf2, raid1, raid10, rf3, replication, raid5, raid6, ec, parity, lrc or "
         "rf-then-encode"},
        {"data.services.dedupe", "off or on"},
        {"tiers.buffer", "a size, like 3.84 TB or 4 KiB, or unlimited"},
        {"timeline.fail",
         "a part, like node 2, controller 2, device 2.0.1, cache 2.0, group 2.0 or rack 2"},
        {"timeline.slow.link", "a part, like rack 2 or node 2"},
        {"timeline.maintenance.node", "a part, like node 2"},
        {"cluster.node.controller.latency", "a time, like 30 min"},
        {"kind", "scenario"},
        {"background.scheduler.weights.p1", "a number"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        AftKeyMatch match;
        assert_true(aft_keys_find(pairs[i][0], &match));
        g_autofree char *text = aft_key_describe(match.key);
        assert_string_equal(text, pairs[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_has_its_default),
        cmocka_unit_test(defaults_reach_the_structs),
        cmocka_unit_test(ranges_end_where_they_say),
        cmocka_unit_test(a_key_changes_no_other),
        cmocka_unit_test(what_is_got_can_be_set),
        cmocka_unit_test(rows_are_found_by_their_paths),
        cmocka_unit_test(paths_that_are_no_keys_are_not_found),
        cmocka_unit_test(the_index_of_a_list_of_one_may_be_left_out),
        cmocka_unit_test(shapes_say_what_may_stand_where),
        cmocka_unit_test(suggestions_correct_the_whole_path),
        cmocka_unit_test(choices_number_their_enums),
        cmocka_unit_test(descriptions_are_phrases),
    };
    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
