/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answers.h"

static void what_is_missing_is_asked_for(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    assert_false(aft_scenario_resolve(scenario, problems));
    g_autofree char *text = problems_text(problems);
    assert_string_equal(
        text, "version: missing, expected a whole number\n"
              "cluster.nodes: missing, expected a whole number\n"
              "cluster.node.disk_groups.capacity.device: missing, expected a name (one line of at "
              "most 200 bytes)\n"
              "data.logical: missing, expected a size, like 3.84 TB or 4 KiB");
}

static void items_ask_for_what_they_need(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"devices.mine.read=1 ms"}, "devices.mine.write: missing, expected a time, like 30 min"},
        {{"timeline[2].fail=node 1"}, "timeline[2].at: missing, expected a time, like 30 min"},
        {{"timeline[2].at=5 h"},
         "timeline[2]: expected fail, restore, slow, corrupt, maintenance, upgrade, add, start, "
         "stop "
         "or set, like fail: node 2"},
        {{"workload[1].vms=4"}, "workload[1].kind: missing, expected closed, open, paced or trace"},
        {{"cluster.node.disk_groups[1].count=2"},
         "cluster.node.disk_groups[1].capacity.device: missing, expected a name (one line of at "
         "most 200 bytes)"},
        {{"cluster.node.controller.io=1 ms"},
         "cluster.node.controller.slots: missing, a controller needs a whole number (0: no "
         "controller)"},
        {{"cluster.node.controller.latency=1 ms"},
         "cluster.node.controller.slots: missing, a controller needs a whole number (0: no "
         "controller)"},
        {{"data[1].logical=1 TB"},
         "data[0].name: missing, several pools need names\n"
         "data[1].name: missing, several pools need names"},
        {{"cluster.node.controller.io=1 ms", "cluster.node.controller.slots=0"}, ""},
        {{"devices.sata-ssd.afr=1 %"}, ""},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void keys_belong_to_kinds_of_workload(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"workload.think=1 ms"}, "workload.think: a workload of kind paced has no think"},
        {{"workload.kind=closed"}, "workload.rate: a workload of kind closed has no rate"},
        {{"workload.kind=open"}, ""},
        {{"workload.kind=open", "workload.owed_limit=1 s"},
         "workload.owed_limit: a workload of kind open has no owed_limit"},
        {{"workload[1].kind=closed", "workload[1].vms=1"},
         "workload[1].outstanding: missing, a workload of kind closed needs a whole number"},
        {{"workload[1].kind=open", "workload[1].vms=1"},
         "workload[1].rate: missing, a workload of kind open needs a rate, like 107k/s"},
        {{"workload[1].kind=paced", "workload[1].vms=1"},
         "workload[1].rate: missing, a workload of kind paced needs a rate, like 107k/s\n"
         "workload[1].outstanding: missing, a workload of kind paced needs a whole number"},
        {{"workload[1].kind=closed", "workload[1].vms=1", "workload[1].outstanding=8",
          "workload[1].think=1 ms"},
         ""},
        {{"workload[1].kind=closed", "workload[1].vms=1", "workload[1].outstanding=8",
          "workload[1].pacing=even", "workload[1].owed_limit=1 s"},
         "workload[1].pacing: a workload of kind closed has no pacing\n"
         "workload[1].owed_limit: a workload of kind closed has no owed_limit"},
        {{"workload.outstanding=19"},
         "workload.outstanding: expected at least one for each of 20 VMs, got 19"},
        {{"workload.outstanding=20"}, ""},
        {{"workload.rate=0.00001 /s"},
         "workload.rate: expected at least 0.00002 /s for 20 VMs, got 0.00001 /s"},
        {{"workload.rate=0.00002 /s"}, ""},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void names_must_exist_and_be_single(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"cluster.node.disk_groups.capacity.device=sata-sdd"},
         "cluster.node.disk_groups.capacity.device: there is no device profile \"sata-sdd\"; did "
         "you mean sata-ssd?"},
        {{"cluster.node.disk_groups.cache.device=floppy"},
         "cluster.node.disk_groups.cache.device: there is no device profile \"floppy\""},
        {{"workload.pool=data"}, ""},
        {{"workload.pool=dota"}, "workload.pool: there is no pool \"dota\"; did you mean data?"},
        {{"data.name=hot", "data[1].name=hot", "data[1].logical=1 TB"},
         "data[1].name: there are two pools \"hot\""},
        {{"workload.name=a", "workload[1].name=a", "workload[1].kind=closed", "workload[1].vms=1",
          "workload[1].outstanding=1"},
         "workload[1].name: there are two workloads \"a\""},
        {{"cluster.node.disk_groups.cache.count=1"},
         "cluster.node.disk_groups.cache.device: missing, expected the name of a profile"},
        {{"cluster.node.disk_groups.cache.size=1 TB"},
         "cluster.node.disk_groups.cache.device: missing, expected the name of a profile"},
        {{"cluster.node.disk_groups.cache.count=0"}, ""},
        {{"devices.mine.read=1 ms", "devices.mine.write=1 ms",
          "cluster.node.disk_groups.capacity.device=mine"},
         "cluster.node.disk_groups.capacity.size: missing, and mine has none"},
        {{"cluster.node.disk_groups.capacity.count=10000", "cluster.node.disk_groups.count=1000"},
         "cluster.nodes: expected at most 1000000 devices, got 50000000"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void spreads_have_their_own_parameters(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"devices.sata-ssd.spread=erlang"},
         "devices.sata-ssd.spread.shape: missing, erlang needs it"},
        {{"devices.sata-ssd.spread=weibull"},
         "devices.sata-ssd.spread.shape: missing, weibull needs it"},
        {{"devices.sata-ssd.spread=empirical"},
         "devices.sata-ssd.spread.values: missing, empirical needs a list of times"},
        {{"devices.sata-ssd.spread=erlang", "devices.sata-ssd.spread.shape=2.5"},
         "devices.sata-ssd.spread.shape: erlang: expected a whole shape from 1 to 1000000, got "
         "2.5"},
        {{"devices.sata-ssd.spread=weibull", "devices.sata-ssd.spread.shape=500"},
         "devices.sata-ssd.spread.shape: weibull: expected a shape from 0.1 to 100, got 500"},
        {{"devices.sata-ssd.spread=weibull", "devices.sata-ssd.spread.shape=100"}, ""},
        {{"devices.sata-ssd.spread=erlang", "devices.sata-ssd.spread.shape=4"}, ""},
        {{"devices.sata-ssd.spread.shape=4"},
         "devices.sata-ssd.spread.shape: lognormal has no shape"},
        {{"devices.sata-ssd.spread.values[0]=4"},
         "devices.sata-ssd.spread.values: lognormal has no values"},
        {{"devices.sata-ssd.spread=empirical", "devices.sata-ssd.spread.values[0]=4"}, ""},
        {{"cluster.node.controller.spread.cv=1"},
         "cluster.node.controller.spread.cv: exponential has no cv"},
        {{"cluster.node.controller.spread=lognormal", "cluster.node.controller.spread.cv=1"}, ""},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void stripes_need_distinct_nodes(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"data.protection=raid6"},
         "data.protection.scheme: raid6 4+2 needs 6 nodes, the cluster has 5"},
        {{"cluster.nodes=90", "data.protection=ec", "data.protection.data=30",
          "data.protection.parity=4"},
         "data.protection.scheme: ec 30+4 has 34 members, at most 32 are possible"},
        {{"data.protection.data=4"},
         "(data.protection.scheme: raid5 4+1 needs all 5 nodes: while one is down nothing can be "
         "rebuilt"},
        {{"data.protection.parity=1"}, ""},
        {{"data.protection.parity=2"},
         "data.protection.parity: raid5 has a parity of 1, got 2: ec takes any"},
        {{"data.protection=ec"},
         "data.protection.data: missing, ec needs it\n"
         "data.protection.parity: missing, ec needs it"},
        {{"data.protection=parity", "data.protection.data=2", "data.protection.parity=2"}, ""},
        {{"data.protection=replication"}, "data.protection.copies: missing, replication needs it"},
        {{"data.protection=replication", "data.protection.copies=6"},
         "data.protection.scheme: replication of 6 needs 6 nodes, the cluster has 5"},
        {{"data.protection=replication", "data.protection.copies=4"}, ""},
        {{"data.protection=rf2", "data.protection.data=3"},
         "data.protection.data: rf2 has no data to set"},
        {{"data.protection=raid5", "data.protection.copies=3"},
         "data.protection.copies: raid5 has no copies to set"},
        {{"data.protection=none"}, ""},
        {{"data.protection=raid0"}, "data.protection.data: missing, raid0 needs it"},
        {{"data.protection=raid0", "data.protection.data=5"}, ""}, /* nothing is ever rebuilt */
        {{"data.protection=raid0", "data.protection.data=6"},
         "data.protection.scheme: raid0 of 6 needs 6 nodes, the cluster has 5"},
        {{"data.protection=raid0", "data.protection.data=4", "data.protection.parity=1"},
         "data.protection.parity: raid0 has no parity to set"},
        {{"data.protection=lrc"},
         "data.protection.scheme: lrc 12+2+2 needs 16 nodes, the cluster has 5"},
        {{"cluster.nodes=17", "data.protection=lrc"}, ""},
        {{"cluster.nodes=17", "data.protection=lrc", "data.protection.local=5"},
         "data.protection.local: 12 data units do not divide into 5 local groups; did you mean 4?"},
        {{"cluster.nodes=17", "data.protection=lrc", "data.protection.data=7"},
         "data.protection.local: 7 data units do not divide into 2 local groups; did you mean 1?"},
        {{"cluster.nodes=17", "data.protection=lrc", "data.protection.data=3",
          "data.protection.local=16"},
         "data.protection.local: 3 data units do not divide into 16 local groups; did you mean 3?"},
        {{"cluster.nodes=90", "data.protection=lrc", "data.protection.data=28",
          "data.protection.parity=3"},
         "data.protection.scheme: lrc 28+2+3 has 33 members, at most 32 are possible"},
        {{"data.protection.age=1 d"}, "data.protection.age: raid5 has no age to set"},
        {{"data.protection.rewrite=strip"},
         "data.protection.rewrite: the data begins as raid5: nothing is rewritten for that"},
        {{"data.protection=rf2", "data.protection.rewrite=strip"},
         "data.protection.rewrite: rf2 has no rewrite to set"},
        {{"data.protection=raid0", "data.protection.data=4", "data.protection.rewrite=strip"},
         "data.protection.rewrite: raid0 has no rewrite to set"},
        {{"data.protection=rf-then-encode"},
         "data.protection.scheme: rf2 then ec 4+2 needs 6 nodes, the cluster has 5"},
        {{"cluster.nodes=7", "data.protection=rf-then-encode", "data.protection.age=1 d",
          "data.protection.rewrite=strip"},
         ""},
        {{"data.protection=rf-then-encode", "data.protection.data=2", "data.protection.parity=1",
          "data.protection.copies=6"},
         "data.protection.scheme: rf6 then ec 2+1 needs 6 nodes, the cluster has 5"},
        {{"data.protection=rf-then-encode", "data.protection.data=3", "data.protection.parity=1"},
         "data.protection.data: 4096 placement groups do not make stripes of 3 data units, 4095 "
         "would"},
        {{"data.protection=rf-then-encode", "data.protection.data=3", "data.protection.parity=1",
          "data.placement_groups=2"},
         "data.protection.data: 2 placement groups do not make stripes of 3 data units, 3 would"},
        {{"data.protection=rf-then-encode", "data.protection.local=2", "cluster.nodes=7"},
         "data.protection.local: rf-then-encode has no local to set"},
        {{"data.protection.local=1"}, "data.protection.local: raid5 has no local to set"},
        {{"data.protection=raid10", "data.protection.data=4"},
         "data.protection.data: raid10 has no data to set"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void schemes_mean_their_geometry(void **state)
{
    (void)state;
    static const struct {
        const char *settings[6];
        AftSchemeKind kind;
        guint data, local, parity;
    } cases[] = {
        {{"data.protection=none"}, AFT_SCHEME_NONE, 1, 0, 0},
        {{"data.protection=rf2"}, AFT_SCHEME_REPLICATION, 1, 0, 1},
        {{"data.protection=raid1"}, AFT_SCHEME_REPLICATION, 1, 0, 1},
        {{"data.protection=raid10"}, AFT_SCHEME_REPLICATION, 1, 0, 1},
        {{"data.protection=rf3"}, AFT_SCHEME_REPLICATION, 1, 0, 2},
        {{"data.protection=raid0", "data.protection.data=4"}, AFT_SCHEME_PARITY, 4, 0, 0},
        {{"data.protection=replication", "data.protection.copies=4"},
         AFT_SCHEME_REPLICATION,
         1,
         0,
         3},
        {{"data.protection=raid5"}, AFT_SCHEME_PARITY, 3, 0, 1},
        {{"data.protection=raid5", "data.protection.data=2"}, AFT_SCHEME_PARITY, 2, 0, 1},
        {{"data.protection=raid6", "cluster.nodes=7"}, AFT_SCHEME_PARITY, 4, 0, 2},
        {{"data.protection=ec", "data.protection.data=2", "data.protection.parity=2"},
         AFT_SCHEME_PARITY,
         2,
         0,
         2},
        {{"cluster.nodes=17", "data.protection=lrc"}, AFT_SCHEME_LRC, 12, 2, 2},
        {{"cluster.nodes=17", "data.protection=lrc", "data.protection.data=6",
          "data.protection.local=3", "data.protection.parity=1"},
         AFT_SCHEME_LRC,
         6,
         3,
         1},
        {{"cluster.nodes=7", "data.protection=rf-then-encode"}, AFT_SCHEME_ENCODE_LATER, 4, 0, 2},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AftScenario) scenario = five_nodes_with(cases[i].settings);
        assert_int_equal(scenario->pools[0].protection.kind, cases[i].kind);
        assert_int_equal(scenario->pools[0].protection.data, cases[i].data);
        assert_int_equal(scenario->pools[0].protection.parity, cases[i].parity);
        assert_int_equal(scenario->pools[0].protection.local, cases[i].local);
    }
}

/* Five nodes of two 3.84 TB devices: 38.4 TB. RAID-5 takes 4/3 of the data. */
static void data_must_fit(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"data.logical=28.8 TB"},
         "(data.logical: fills devices to 100.0 %, above cluster.full (95 %)"},
        {{"data.logical=28.9 TB"},
         "data.logical: takes 38.5 TB with protection, the cluster has 38.4 TB"},
        {{"data.logical=27 TB"},
         "(data.logical: with one node down it would fill devices to 117.2 %, above cluster.full "
         "(95 %): a rebuild could not finish"},
        {{"data.logical=21.8 TB"}, ""}, /* 29.07 TB, 94.6 % of four nodes */
        {{"data.logical=22 TB"},
         "(data.logical: with one node down it would fill devices to 95.5 %, above cluster.full "
         "(95 %): a rebuild could not finish"},
        {{"data.logical=36 TB", "data.protection=none"}, ""},
        {{"cluster.nodes=17", "data.protection=lrc", "data.logical=105 TB"}, /* x 16 / 12 */
         "data.logical: takes 140 TB with protection, the cluster has 130.56 TB"},
        {{"cluster.full=30 %"}, ""},
        /* What a service saves counts, one that is off does not. */
        {{"data.logical=28.9 TB", "data.services.compression.ratio=0.5"}, ""},
        {{"data.logical=57.7 TB", "data.services.compression.ratio=0.5",
          "data.services.dedupe.ratio=0.5"},
         ""}, /* 19.2 TB */
        {{"data.logical=28.9 TB", "data.services.compression.ratio=0.5",
          "data.services.compression.enabled=off"},
         "(data.services.compression.enabled: off: the other keys of compression have no effect\n"
         "data.logical: takes 38.5 TB with protection, the cluster has 38.4 TB"},
        /* Of data that is encoded later, the larger layout. */
        {{"data.protection=rf-then-encode", "data.protection.data=2", "data.protection.parity=1",
          "data.logical=19.3 TB"},
         "data.logical: takes 38.6 TB with protection, the cluster has 38.4 TB"},
        {{"data.protection=rf-then-encode", "data.protection.data=1", "data.protection.parity=2",
          "data.logical=12.9 TB"},
         "data.logical: takes 38.7 TB with protection, the cluster has 38.4 TB"},
        {{"data.placement_groups=10M", "data.name=a", "data[1].name=b", "data[1].logical=1 GB"},
         "data[0].placement_groups: expected at most 10000000 over all pools, got 10004096"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void blocks_fit_stripes(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"workload.block=3 KiB"},
         "workload.block: expected a whole part of a stripe unit (1 MiB), whole units of a stripe "
         "(3 MiB) or whole stripes, got 3 KiB"},
        {{"workload.block=1536 KiB"},
         "workload.block: expected a whole part of a stripe unit (1 MiB), whole units of a stripe "
         "(3 MiB) or whole stripes, got 1.5 MiB"},
        {{"workload.block=4 MiB"},
         "workload.block: expected a whole part of a stripe unit (1 MiB), whole units of a stripe "
         "(3 MiB) or whole stripes, got 4 MiB"},
        {{"workload.block=1 MiB"}, ""},
        {{"workload.block=2 MiB"}, ""},
        {{"workload.block=3 MiB"}, ""},
        {{"workload.block=6 MiB"}, ""},
        {{"workload.block=12 KiB", "data.protection.stripe_unit=12 KiB"}, ""},
        {{"data.protection=rf-then-encode", "data.protection.data=2", "data.protection.parity=1",
          "workload.block=2 MiB"},
         ""},
        {{"data.protection=rf-then-encode", "data.protection.data=2", "data.protection.parity=1",
          "workload.block=3 MiB"}, /* whole copies, but a stripe and a half */
         "workload.block: expected a whole part of a stripe unit (1 MiB), whole units of a stripe "
         "(2 MiB) or whole stripes, got 3 MiB"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void working_sets_are_of_the_pool(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"workload.working_set=6 TB"}, ""},
        {{"workload.working_set=6.1 TB"},
         "workload.working_set: expected at most the pool's data (6 TB), got 6.1 TB"},
        {{"workload.working_set=all"}, ""},
        {{"data.name=hot", "data[1].name=cold", "data[1].logical=1 TB", "workload.pool=cold",
          "workload.working_set=2 TB"},
         "workload.working_set: expected at most the pool's data (1 TB), got 2 TB"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void faults_do_not_contradict_each_other(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"timeline[2].at=1 h", "timeline[2].fail=node 2"},
         "timeline[2].fail: node 2 cannot fail at 1 h, it is down since 30 min"},
        {{"timeline[2].at=5 h", "timeline[2].restore=node 2"},
         "timeline[2].restore: node 2 cannot be restored at 5 h, it is up"},
        {{"timeline[2].at=1 h", "timeline[2].restore=node 3"},
         "timeline[2].restore: node 3 cannot be restored at 1 h, it is up"},
        {{"timeline[2].at=30 min", "timeline[2].restore=node 2"},
         "timeline[2].restore: node 2 has two actions at one time, 30 min"},
        {{"timeline[2].at=1 h", "timeline[2].fail=node 5"},
         "timeline[2].fail: there is no node 5: the cluster has 5, counted from 0"},
        {{"timeline[1].fail=node 3"},
         "timeline[1].restore: an item does one thing, write one for each"},
        {{"timeline[1].pool=data"}, "timeline[1].pool: only a conversion has a pool"},
        {{"run.duration=4 h"}, "(timeline[1].at: never happens, run.duration is 4 h"},
        {{"timeline[2].at=30 min", "timeline[2].fail=node 3"}, ""},
        {{"timeline[2].at=10 min", "timeline[2].fail=node 2", "timeline[3].at=20 min",
          "timeline[3].restore=node 2"},
         ""}, /* written last, happening first */
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void runs_have_an_end_and_a_grid(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"run.trace_interval=1 ms"},
         "run.trace_interval: expected at most 10000000 rows in run.duration, got 86400000"},
        {{"run.settle=5 min", "run.until=duration"},
         "(run.settle: has no effect with run.until: duration"},
        {{"run.settle=24 h"}, "(run.settle: has no effect, run.duration is 1 d"},
        {{"run.settle=23 h"}, ""},
        {{"run.settle=0 s"}, ""},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void a_run_that_would_end_before_it_begins_is_refused(void **state)
{
    (void)state;
    static const char *const refused =
        "run.settle: with nothing to wait for, the run would end at 0 s: expected more than 0 s, "
        "or run.until: duration";
    static const struct {
        const char *settings[MOST_CHANGES]; /* changes to the five nodes, of which none fails */
        const char *problems;
    } cases[] = {
        {{NULL}, refused},
        {{"run.settle=1 ms"}, ""},
        {{"faults[0].part=node", "faults[0].every=30 d", "faults[0].repair=1 h"}, ""},
        {{"data.protection=rf-then-encode", "data.protection.data=2"}, ""},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AftScenario) scenario = aft_scenario_new();
        g_autoptr(GPtrArray) problems = aft_problems_new();
        for (guint s = 0; !g_str_has_prefix(five_nodes[s], "timeline"); s++) {
            set_text(scenario, five_nodes[s], problems);
        }
        set_text(scenario, "run.settle=0 s", problems);
        set_all(scenario, cases[i].settings, problems);
        gboolean fine = aft_scenario_resolve(scenario, problems);
        g_autofree char *text = problems_text(problems);
        assert_string_equal(text, cases[i].problems);
        assert_int_equal(fine, *text == '\0');
    }
}

/* What rests on a wrong text is not judged, so that one mistake makes one message. */
static void one_mistake_makes_one_message(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"cluster.nodes=none"},
         "cluster.nodes: \"none\" is not a number: expected a number, like 16 or 107k"},
        {{"data.logical=9", "run.duration=1"},
         "data.logical: \"9\" has no unit: expected a size, like 3.84 TB or 4 KiB\n"
         "run.duration: \"1\" has no unit: expected a time, like 30 min"},
        {{"data.protection=raid7"},
         "data.protection: expected none, raid0, rf2, raid1, raid10, rf3, replication, raid5, "
         "raid6, ec, parity, lrc or rf-then-encode, got \"raid7\"; did you mean raid0?"},
        {{"data.services=none"}, "data.services: expected a map of keys, got \"none\""},
        {{"tiers.high=20"}, "tiers.high: expected at most 100 %, got 20"},
        {{"tiers.priority=4"}, "tiers.priority: expected at most 3, got 4"},
        {{"timeline[2].at=1 h", "timeline[2].set=rf3"},
         "timeline[2].set: expected a map of keys, got \"rf3\""},
        {{"timeline[2].at=1 h", "timeline[2].set.cluster.nodes=6"},
         "timeline[2].set.cluster.nodes: unknown key; did you mean "
         "timeline[2].set.data.protection?"},
        {{"workload.pool=dota", "workload.block=3 KiB", "workload.working_set=7 TB"},
         "workload.pool: there is no pool \"dota\"; did you mean data?"},
        {{"data.protection=ec", "data.protection.data=3", "workload.block=3 KiB",
          "timeline[2].at=1 h", "timeline[2].set.data.protection=rf2"},
         "data.protection.parity: missing, ec needs it"},
        {{"workload.kind=cosed"},
         "workload.kind: expected closed, open, paced or trace, got \"cosed\"; did you mean "
         "closed?"},
        {{"timeline[0].at=soon"},
         "timeline[0].at: \"soon\" is not a number: expected a time, like 30 min"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void a_misspelt_key_is_not_missing_too(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    const char *const settings[] = {"version=1", "cluster.nods=5",
                                    "cluster.node.disk_group.capacity.device=sata-ssd",
                                    "data.logcal=1 TB", NULL};
    set_all(scenario, settings, problems);
    assert_false(aft_scenario_resolve(scenario, problems));
    g_autofree char *text = problems_text(problems);
    assert_string_equal(text, "cluster.nods: unknown key; did you mean cluster.nodes?\n"
                              "cluster.node.disk_group.capacity.device: unknown key; did you mean "
                              "cluster.node.disk_groups.capacity.device?\n"
                              "data.logcal: unknown key; did you mean data.logical?");
}

static void derived_values_are_filled_in(void **state)
{
    (void)state;
    const char *const settings[] = {
        "cluster.node.disk_groups.cache.device=sas-ssd-write",
        "data.name=cold",
        "data[1].name=hot",
        "data[1].logical=1 TB",
        "data[1].protection=rf2",
        "workload.pool=hot",
        "workload.on=3,0:2",
        "workload[1].kind=open",
        "workload[1].vms=5",
        "workload[1].rate=10 /s",
        NULL,
    };
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    const AftDiskGroupSpec *group = &scenario->cluster.node.disk_groups[0];
    assert_int_equal(group->cache.count, 1);
    assert_true(group->cache.size_bytes == G_GUINT64_CONSTANT(800000000000));
    assert_string_equal(group->cache.profile->name, "sas-ssd-write");
    assert_string_equal(group->capacity.profile->name, "sata-ssd");
    assert_int_equal(scenario->workloads[0].pool_index, 1);
    assert_int_equal(scenario->workloads[1].pool_index, 0);
    assert_int_equal(scenario->workloads[0].n_on_nodes, 3);
    assert_int_equal(scenario->workloads[0].on_nodes[0], 0);
    assert_int_equal(scenario->workloads[0].on_nodes[1], 1);
    assert_int_equal(scenario->workloads[0].on_nodes[2], 3);
    assert_int_equal(scenario->workloads[1].outstanding, 65536);
    assert_string_equal(scenario->workloads[0].name, "workload-0");
    assert_string_equal(scenario->workloads[1].name, "workload-1");
}

static void single_things_get_plain_names(void **state)
{
    (void)state;
    const char *const none[] = {NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(none);
    assert_string_equal(scenario->pools[0].name, "data");
    assert_string_equal(scenario->workloads[0].name, "workload");
    assert_int_equal(scenario->cluster.node.disk_groups[0].cache.count, 0);
    assert_null(scenario->cluster.node.disk_groups[0].cache.profile);
}

static void selectors_select_nodes(void **state)
{
    (void)state;
    static const struct {
        const char *on;
        const char *nodes; /* of five; NULL: an error */
    } cases[] = {
        {"all", "01234"},       {"0", "0"},       {"1,3", "13"},
        {"2:5", "234"},         {"-1", "4"},      {"-2,0", "03"},
        {"3,1,3", "13"},        {"0:-1", "0123"}, {"-3:-1", "23"},
        {" 1 , 2 : 4 ", "123"}, {"5", NULL},      {"-6", NULL},
        {"2:6", NULL},          {"3:3", NULL},    {"4:2", NULL},
        {"0,5", NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AftScenario) scenario = aft_scenario_new();
        g_autoptr(GPtrArray) problems = aft_problems_new();
        set_all(scenario, five_nodes, problems);
        assert_true(aft_scenario_set(scenario, "workload.on", cases[i].on, problems));
        assert_int_equal(aft_scenario_resolve(scenario, problems), cases[i].nodes != NULL);
        g_autoptr(GString) nodes = g_string_new(NULL);
        for (guint j = 0; j < scenario->workloads[0].n_on_nodes; j++) {
            g_string_append_printf(nodes, "%u", scenario->workloads[0].on_nodes[j]);
        }
        assert_string_equal(nodes->str, cases[i].nodes == NULL ? "" : cases[i].nodes);
        g_autofree char *text = problems_text(problems);
        g_autofree char *expected =
            cases[i].nodes != NULL
                ? g_strdup("")
                : g_strdup_printf("workload.on: \"%s\" selects no nodes or some that are not "
                                  "there: the cluster has 5, counted from 0",
                                  cases[i].on);
        assert_string_equal(text, expected);
    }
}

static void the_timeline_is_sorted_by_time(void **state)
{
    (void)state;
    const char *const settings[] = {
        "timeline[2].at=10 min",
        "timeline[2].fail=node 1",
        "timeline[3].at=30 min",
        "timeline[3].fail=node 0",
        NULL,
    };
    static const guint order[] = {2, 0, 3, 1}; /* as written among equal times */
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    for (guint i = 0; i < 4; i++) {
        assert_int_equal(scenario->timeline[i].index, order[i]);
    }
    assert_int_equal(scenario->timeline[0].part.node, 1);
    assert_int_equal(scenario->timeline[3].kind, AFT_ACTION_RESTORE);
}

/* Paths count items as they were written, before and after a resolve. */
static void a_resolved_scenario_can_be_changed(void **state)
{
    (void)state;
    const char *const settings[] = {"timeline[2].at=10 min", "timeline[2].fail=node 1", NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    g_autoptr(GPtrArray) problems = aft_problems_new();
    assert_true(aft_scenario_set(scenario, "timeline[0].at", "45 min", problems));
    assert_true(aft_scenario_set(scenario, "data.protection", "rf2", problems));
    assert_true(aft_scenario_set(scenario, "timeline[3].at", "1 h", problems));
    assert_true(aft_scenario_set(scenario, "timeline[3].fail", "node 4", problems));
    assert_true(aft_scenario_resolve(scenario, problems));
    assert_int_equal(problems->len, 0);
    assert_int_equal(scenario->timeline[1].part.node, 2);
    assert_true(scenario->timeline[1].at_ns == G_GINT64_CONSTANT(2700000000000));
    assert_int_equal(scenario->timeline[2].part.node, 4);
    assert_int_equal(scenario->pools[0].protection.data, 1);
}

static void a_scenario_can_be_resolved_again(void **state)
{
    (void)state;
    const char *const settings[] = {"timeline[2].at=10 min", "timeline[2].fail=node 1", NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    g_autoptr(GPtrArray) problems = aft_problems_new();
    assert_true(aft_scenario_resolve(scenario, problems));
    assert_int_equal(problems->len, 0);
    assert_int_equal(scenario->timeline[0].index, 2);
    assert_int_equal(scenario->timeline[0].part.node, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_asked_for),
        cmocka_unit_test(items_ask_for_what_they_need),
        cmocka_unit_test(keys_belong_to_kinds_of_workload),
        cmocka_unit_test(names_must_exist_and_be_single),
        cmocka_unit_test(spreads_have_their_own_parameters),
        cmocka_unit_test(stripes_need_distinct_nodes),
        cmocka_unit_test(schemes_mean_their_geometry),
        cmocka_unit_test(data_must_fit),
        cmocka_unit_test(blocks_fit_stripes),
        cmocka_unit_test(working_sets_are_of_the_pool),
        cmocka_unit_test(faults_do_not_contradict_each_other),
        cmocka_unit_test(runs_have_an_end_and_a_grid),
        cmocka_unit_test(a_run_that_would_end_before_it_begins_is_refused),
        cmocka_unit_test(one_mistake_makes_one_message),
        cmocka_unit_test(a_misspelt_key_is_not_missing_too),
        cmocka_unit_test(derived_values_are_filled_in),
        cmocka_unit_test(single_things_get_plain_names),
        cmocka_unit_test(selectors_select_nodes),
        cmocka_unit_test(the_timeline_is_sorted_by_time),
        cmocka_unit_test(a_resolved_scenario_can_be_changed),
        cmocka_unit_test(a_scenario_can_be_resolved_again),
    };
    return cmocka_run_group_tests_name("resolve", tests, NULL, NULL);
}
