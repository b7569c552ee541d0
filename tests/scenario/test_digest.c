/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build.h"

enum { MOST_SETTINGS = 12 };

#define RF2_LATER "timeline[2].at=1 h" /* RAID-5 becomes copies */
#define HOUR      "timeline[2].at=1 h"
#define DRAWN     "faults.every=30 d", "faults.repair=1 h"
#define A_GROUP(i, n)                                                      \
    "cluster.groups[" i "].nodes=" n,                                      \
        "cluster.groups[" i "].node.disk_groups.capacity.device=sata-ssd", \
        "cluster.groups[" i "].node.disk_groups.capacity.count=2"
#define LATER "cluster.nodes=8", "data.protection=rf-then-encode"

static char *digest_with(const char *const *settings)
{
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    return aft_scenario_digest(scenario);
}

static void assert_same(const char *const *one, const char *const *other)
{
    g_autofree char *first = digest_with(one), *second = digest_with(other);
    if (strcmp(first, second) != 0) {
        fail_msg("%s and %s: %s, %s", one[0] == NULL ? "nothing" : one[0], other[0], first, second);
    }
}

static void equal_meanings_have_equal_digests(void **state)
{
    (void)state;
    static const char *const pairs[][2][MOST_SETTINGS] = {
        {{"data.logical=6 TB"}, {"data.logical=6000 GB"}},
        {{NULL}, {"run.seed=1"}}, /* the default */
        {{NULL}, {"workload.on=0:5"}},
        {{"workload.on=1,2"}, {"workload.on=2,1,1"}},
        {{"data.protection=raid1"}, {"data.protection=rf2"}},
        {{"data.protection=raid1"}, {"data.protection=raid10"}},
        {{"cluster.nodes=20", "data.protection=lrc"},
         {"cluster.nodes=20", "data.protection=lrc", "data.protection.local=2"}},
        {{"data.protection=raid1"}, {"data.protection=replication", "data.protection.copies=2"}},
        {{NULL}, {"data.protection.data=3", "data.protection.parity=1"}},
        {{NULL}, {"data.name=data", "workload.pool=data"}},
        {{NULL}, {"cluster.node.disk_groups.capacity.size=3.84 TB"}},
        {{NULL}, {"devices.hdd-7k2.read=1 ms"}}, /* no disk is one */
        {{NULL}, {"data.services.compression=off"}},
        {{NULL}, {"data.services.compression.ratio=0.5", "data.services.compression=off"}},
        {{"data.services.compression=on"}, {"data.services.compression.ratio=1"}},
        {{"data.services.compression=on"},
         {"data.services.compression.enabled=on", "data.services.compression.when=inline"}},
        {{NULL}, {"data.protection.updates=unlimited", "data.protection.update=0 s"}},
        {{NULL}, {"workload.working_set=all"}},
        {{NULL}, {"background.scheduler=weighted", "background.scheduler.weights.p1=20"}},
        {{"background.scheduler=wpq"},
         {"background.scheduler=round-robin", "background.scheduler.weights.client=63",
          "background.scheduler.weights.destage=63", "background.scheduler.weights.p1=3",
          "background.scheduler.weights.p2=3", "background.scheduler.weights.p3=5"}},
        {{NULL}, {"workload.working_set=6 TB"}},
        {{"cluster.node.disk_groups.cache.device=sas-ssd"},
         {"cluster.node.disk_groups.cache.device=sas-ssd", "tiers.start=30 %"}},
        {{RF2_LATER, "timeline[2].set.data.protection=rf2"},
         {RF2_LATER, "timeline[2].set.data.protection=raid1"}},
        {{RF2_LATER, "timeline[2].set.data.protection=rf3"},
         {RF2_LATER, "timeline[2].set.data.protection=replication",
          "timeline[2].set.data.protection.copies=3"}},
        {{RF2_LATER, "timeline[2].set.data.protection=rf2"},
         {RF2_LATER, "timeline[2].set.data.protection=rf2", "timeline[2].pool=data"}},
        {{LATER}, {LATER, "data.protection.copies=2", "data.protection.data=4"}},
        {{NULL}, {"cluster.racks=1"}},
        {{NULL}, {"background.scan.full=never"}},
        {{HOUR, "timeline[2].slow.device=0.0.1", "timeline[2].slow.factor=2",
          "timeline[2].slow.for=1 h"},
         {HOUR, "timeline[2].slow.device=device 0.0.1", "timeline[2].slow.factor=2",
          "timeline[2].slow.for=60 min"}},
        {{HOUR, "timeline[2].maintenance.node=1", "timeline[2].maintenance.for=1 h"},
         {HOUR, "timeline[2].maintenance.node=node 1", "timeline[2].maintenance.for=1 h",
          "timeline[2].maintenance.mode=accessible"}},
        {{HOUR, "timeline[2].add.nodes=1", "timeline[3].at=2 h", "timeline[3].add.nodes=2"},
         {"timeline[2].at=2 h", "timeline[2].add.nodes=2", "timeline[3].at=1 h",
          "timeline[3].add.nodes=1"}},
        {{DRAWN}, {DRAWN, "faults.part=node", "faults.on=0:5", "faults.life=exponential"}},
        {{NULL}, {"devices.mine.read=1 ms", "devices.mine.write=1 ms"}},
        {{NULL}, {"cluster.node.price=12000", "devices.sata-ssd.price=900"}}, /* runs do not pay */
        {{"timeline[2].at=1 h", "timeline[2].fail=node 3", "timeline[3].at=2 h",
          "timeline[3].restore=node 3"},
         {"timeline[2].at=2 h", "timeline[2].restore=node 3", "timeline[3].at=1 h",
          "timeline[3].fail=node 3"}},
    };
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        assert_same(pairs[i][0], pairs[i][1]);
    }
}

static void other_meanings_have_other_digests(void **state)
{
    (void)state;
    static const char *const changes[][MOST_SETTINGS] = {
        {"name=other"},
        {"run.seed=2"},
        {"cluster.nodes=6"},
        {"cluster.detect=6.000000001 s"},
        {"data.logical=6000000000001 B"},
        {"data.name=other"},
        {"data.protection=rf2"},
        {"data.protection.data=2"},
        {"cluster.nodes=20", "data.protection=lrc"},
        {"cluster.nodes=20", "data.protection=lrc", "data.protection.local=3"},
        {"cluster.nodes=20", "data.protection=raid0", "data.protection.data=12"},
        {"data.protection.stripe_unit=512 KiB"},
        {"data.protection.updates=1"},
        {"data.protection.updates=2"},
        {"data.protection.update=1 ms"},
        {"workload.on=0:4"},
        {"workload.read_share=70.00000000000001 %"},
        {"workload.owed_limit=1 h"},
        {"timeline[0].at=31 min"},
        {"devices.sata-ssd.read=111 us"},
        {"devices.sata-ssd.spread.cv=0.61"},
        {"devices.sata-ssd.spread=empirical", "devices.sata-ssd.spread.values[0]=1"},
        {"cluster.node.disk_groups.cache.device=sata-ssd"},
        {"background.scheduler.weights.p3=6"},
        {"background.scheduler=fifo"},
        {"background.scheduler=mclock"},
        {"background.scheduler=mclock", "background.scheduler.reservations.p1=20 %"},
        {"background.scheduler=mclock", "background.scheduler.limits.p1=20 %"},
        {"background.scheduler=mclock", "background.scheduler.weights.p3=6"},
        {"background.scheduler=adaptive"},
        {"background.scheduler=adaptive", "background.scheduler.high=11 ms"},
        {"background.scheduler=adaptive", "background.scheduler.period=2 s"},
        {"background.scheduler=ceph-balanced"},
        {"background.scheduler=ceph-high-client"},
        {"background.scheduler=ceph-high-recovery"},
        {"background.scheduler=wpq"},
        {"background.scheduler=wpq", "background.scheduler.at=controllers"},
        {"background.scheduler=mclock", "background.scheduler.cost.io=1 us"},
        {"background.scheduler=mclock", "background.scheduler.spin=50 %"},
        {"background.scheduler=nutanix"},
        {"background.rebalance.bandwidth=1 GB/s"},
        {"requirement.iops=1"},
        {"data.services.compression=on"},
        {"data.services.dedupe=on"},
        {"data.services.compression.ratio=0.5"},
        {"data.services.compression.failure_domain=group"},
        {"workload.working_set=1 TB"},
        {"cluster.node.disk_groups.cache.device=sata-ssd", "tiers.low=20 %"},
        {"cluster.node.disk_groups.cache.device=sata-ssd", "tiers.start=20 %"},
        {"background.convert.priority=2"},
        {RF2_LATER, "timeline[2].set.data.protection=rf2"},
        {RF2_LATER, "timeline[2].set.data.protection=rf3"},
        {RF2_LATER, "timeline[2].set.data.protection=rf3",
         "timeline[2].set.data.protection.degraded=1 ms"},
        {"data.name=data", "data[1].name=other", "data[1].logical=6 TB", "data[1].protection=raid5",
         RF2_LATER, "timeline[2].set.data.protection=rf3"},
        {"data.name=data", "data[1].name=other", "data[1].logical=6 TB", "data[1].protection=raid5",
         RF2_LATER, "timeline[2].set.data.protection=rf3", "timeline[2].pool=other"},
        {LATER},
        {LATER, "data.protection.copies=3"},
        {LATER, "data.protection.age=1 d"},
        {LATER, "data.protection.rewrite=strip"},
        {"cluster.racks=2"},
        {"cluster.racks=3", "data.protection=rf2", "data.domain=rack"},
        {"data.domain=device"},
        {"background.scan.full=1 d"},
        {"background.scan.full=1 d", "background.rebalance.trigger=scan"},
        {"background.maintenance.enabled=on"},
        {"background.rebuild.device_delay=1 s"},
        {"background.scrub.every=7 d"},
        {HOUR, "timeline[2].fail=controller 1"},
        {HOUR, "timeline[2].fail=device 1.0.0"},
        {HOUR, "timeline[2].fail=device 1.0.1"},
        {HOUR, "timeline[2].fail=group 1.0"},
        {HOUR, "timeline[2].fail=rack 0"},
        {HOUR, "timeline[2].slow.link=1", "timeline[2].slow.factor=2", "timeline[2].slow.for=1 h"},
        {HOUR, "timeline[2].slow.link=rack 0", "timeline[2].slow.factor=2",
         "timeline[2].slow.for=1 h"},
        {HOUR, "timeline[2].slow.device=1.0.1", "timeline[2].slow.factor=2",
         "timeline[2].slow.for=1 h"},
        {HOUR, "timeline[2].slow.device=1.0.1", "timeline[2].slow.factor=3",
         "timeline[2].slow.for=1 h"},
        {HOUR, "timeline[2].slow.device=1.0.1", "timeline[2].slow.factor=3",
         "timeline[2].slow.for=2 h"},
        {HOUR, "timeline[2].corrupt.device=1.0.1", "timeline[2].corrupt.sectors=1"},
        {HOUR, "timeline[2].corrupt.device=1.0.1", "timeline[2].corrupt.sectors=2"},
        {HOUR, "timeline[2].maintenance.node=1", "timeline[2].maintenance.for=1 h"},
        {HOUR, "timeline[2].maintenance.node=1", "timeline[2].maintenance.for=1 h",
         "timeline[2].maintenance.mode=evacuate"},
        {HOUR, "timeline[2].upgrade.each=1 h"},
        {HOUR, "timeline[2].add.nodes=1"},
        {HOUR, "timeline[2].add.nodes=2"},
        {HOUR, "timeline[2].stop=workload"},
        {HOUR, "timeline[2].stop=rebuild"},
        {HOUR, "timeline[2].start=maintenance"},
        {DRAWN},
        {DRAWN, "faults.part=controller"},
        {DRAWN, "faults.on=1"},
        {DRAWN, "faults.life=deterministic"},
        {DRAWN, "faults.repair_spread=deterministic"},
        {DRAWN, "faults.burst.share=1 %", "faults.burst.within=1 s"},
        {"faults.trace=" TRACES "/failures.csv"},
        {"faults.trace=" TRACES "/msr.csv"},
    };
    static const char *const none[] = {NULL};
    g_autoptr(GHashTable) digests = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_insert(digests, digest_with(none), (gpointer)(gsize) "nothing");
    for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
        char *digest = digest_with(changes[i]);
        const char *other = g_hash_table_lookup(digests, digest);
        if (other != NULL) {
            fail_msg("%s and %s: %s", other, changes[i][0], digest);
        }
        g_hash_table_insert(digests, digest, (gpointer)(gsize)changes[i][0]);
    }
}

/* The five nodes, written group by group. */
static char *digest_of_groups(const char *const *settings)
{
    static const char *const rest[] = {"version=1",
                                       "data.logical=6 TB",
                                       "data.protection=raid5",
                                       "workload.kind=paced",
                                       "workload.vms=20",
                                       "workload.rate=1000 /s",
                                       "timeline[0].at=30 min",
                                       "timeline[0].fail=node 2",
                                       "timeline[1].at=4 h",
                                       "timeline[1].restore=node 2",
                                       "workload.outstanding=40",
                                       NULL};
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    set_all(scenario, rest, problems);
    set_all(scenario, settings, problems);
    aft_scenario_resolve(scenario, problems);
    g_autofree char *text = problems_text(problems);
    assert_string_equal(text, "");
    return aft_scenario_digest(scenario);
}

static void like_nodes_are_alike_in_groups(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    static const struct {
        gboolean same;
        const char *settings[MOST_SETTINGS];
    } cases[] = {
        {TRUE, {A_GROUP("0", "5")}},
        {TRUE, {A_GROUP("0", "2"), A_GROUP("1", "3")}},
        {TRUE, {A_GROUP("0", "2"), A_GROUP("1", "3"), "cluster.groups[1].rack=0"}},
        {FALSE, {A_GROUP("0", "6")}},
        {FALSE, {A_GROUP("0", "2"), A_GROUP("1", "3"), "cluster.groups[1].node.nic=1 Gbit/s"}},
        {FALSE, {A_GROUP("0", "2"), A_GROUP("1", "3"), "cluster.groups[0].node.nic=1 Gbit/s"}},
        {FALSE, {A_GROUP("0", "3"), A_GROUP("1", "2"), "cluster.groups[1].node.nic=1 Gbit/s"}},
        {FALSE, {A_GROUP("0", "5"), "cluster.groups[1].nodes=1"}}, /* without disks */
        {FALSE, {A_GROUP("0", "2"), A_GROUP("1", "3"), "devices.sata-ssd.read=1 ms"}},
    };
    g_autoptr(GHashTable) digests = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree char *plain = digest_with(none);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *digest = digest_of_groups(cases[i].settings);
        assert_int_equal(strcmp(digest, plain) == 0, cases[i].same);
        assert_true(g_hash_table_add(digests, digest) || cases[i].same);
    }
}

static void the_order_of_setting_does_not_matter(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    g_autofree char *forwards = digest_with(none);
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    aft_scenario_open(scenario, "timeline[0]", FALSE, problems);
    for (guint i = G_N_ELEMENTS(five_nodes) - 1; i-- > 0;) {
        set_text(scenario, five_nodes[i], problems);
    }
    assert_true(aft_scenario_resolve(scenario, problems));
    g_autofree char *backwards = aft_scenario_digest(scenario);
    assert_string_equal(forwards, backwards);
}

static void a_digest_is_64_hex_digits(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    g_autofree char *digest = digest_with(none);
    assert_int_equal(strlen(digest), 64);
    assert_int_equal(strspn(digest, "0123456789abcdef"), 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_meanings_have_equal_digests),
        cmocka_unit_test(other_meanings_have_other_digests),
        cmocka_unit_test(like_nodes_are_alike_in_groups),
        cmocka_unit_test(the_order_of_setting_does_not_matter),
        cmocka_unit_test(a_digest_is_64_hex_digits),
    };
    return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}
