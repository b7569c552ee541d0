/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answers.h"

#include <aftershock/scenario/schemes.h>

/* Two copies in a cluster of eight nodes, 61.44 TB, and what happens at an hour. */
#define RF2  "cluster.nodes=8", "data.protection=rf2"
#define HOUR "timeline[2].at=1 h"
#define TO   "timeline[2].set.data.protection"

static void schemes_become_what_they_can(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{RF2, HOUR, TO "=rf3"}, ""},
        {{RF2, HOUR, TO "=raid6"}, ""},
        {{RF2, HOUR, TO "=ec", TO ".data=2", TO ".parity=2", TO ".rewrite=strip"}, ""},
        {{RF2, "data.protection=rf3", HOUR, TO "=rf2"}, ""},
        {{HOUR, TO "=rf2"}, ""},
        {{HOUR, TO "=rf2", "timeline[3].at=2 h", "timeline[3].set.data.protection=raid5"}, ""},
        {{RF2, HOUR, TO "=raid10"},
         "(timeline[2].set.data.protection.scheme: changes nothing, the "
         "pool has rf2 then"},
        {{HOUR, TO "=raid5"},
         "timeline[2].set.data.protection.scheme: raid5 3+1 cannot become raid5 3+1: copies become "
         "other copies or data with parity, and data with parity becomes copies"},
        {{RF2, HOUR, TO "=none"},
         "timeline[2].set.data.protection.scheme: rf2 cannot become none: copies become other "
         "copies or data with parity, and data with parity becomes copies"},
        {{RF2, HOUR, TO "=raid0", TO ".data=4"},
         "timeline[2].set.data.protection.scheme: rf2 cannot become raid0 of 4: copies become "
         "other copies or data with parity, and data with parity becomes copies"},
        {{RF2, HOUR, TO "=rf-then-encode"},
         "timeline[2].set.data.protection.scheme: rf2 cannot become rf2 then ec 4+2: copies become "
         "other copies or data with parity, and data with parity becomes copies"},
        {{RF2, "data.protection=rf-then-encode", HOUR, TO "=rf3"},
         "timeline[2].set.data.protection.scheme: rf2 then ec 4+2 cannot become rf3: copies become "
         "other copies or data with parity, and data with parity becomes copies"},
        {{"cluster.nodes=17", "data.protection=rf2", HOUR, TO "=lrc"},
         "timeline[2].set.data.protection.scheme: rf2 cannot become lrc 12+2+2: copies become "
         "other copies or data with parity, and data with parity becomes copies"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

/* What a conversion makes is judged as what a pool begins with. */
static void targets_have_their_geometry(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{RF2, HOUR, TO ".data=4"},
         "timeline[2].set.data.protection.scheme: missing, a conversion needs it"},
        {{RF2, HOUR, TO "=ec"},
         "timeline[2].set.data.protection.data: missing, ec needs it\n"
         "timeline[2].set.data.protection.parity: missing, ec needs it"},
        {{RF2, HOUR, TO "=rf3", TO ".data=4"},
         "timeline[2].set.data.protection.data: rf3 has no data to set"},
        {{RF2, HOUR, TO "=rf3", TO ".rewrite=strip"},
         "timeline[2].set.data.protection.rewrite: rf3 has no rewrite to set"},
        {{RF2, HOUR, TO "=raid5", TO ".age=1 h"},
         "timeline[2].set.data.protection.age: raid5 has no age to set"},
        {{RF2, HOUR, TO "=ec", TO ".data=8", TO ".parity=1"},
         "timeline[2].set.data.protection.scheme: ec 8+1 needs 9 nodes, the cluster has 8"},
        {{"cluster.nodes=90", "data.protection=rf2", HOUR, TO "=ec", TO ".data=32", TO ".parity=1"},
         "timeline[2].set.data.protection.scheme: ec 32+1 has 33 members, at most 32 are "
         "possible"},
        {{RF2, HOUR, TO "=raid5"},
         "timeline[2].set.data.protection.data: 4096 placement groups do not make stripes of 3 "
         "data units, 4095 would"},
        {{RF2, "data.placement_groups=4095", HOUR, TO "=raid5"}, ""},
        {{RF2, "data.placement_groups=2", HOUR, TO "=raid5"},
         "timeline[2].set.data.protection.data: 2 placement groups do not make stripes of 3 data "
         "units, 3 would"},
        {{"cluster.nodes=8", HOUR, TO "=rf2", "timeline[3].at=2 h",
          "timeline[3].set.data.protection=raid6"},
         "timeline[3].set.data.protection.data: the pool began with stripes of 3 data units, it "
         "cannot get others of 4"},
        {{RF2, "data.placement_groups=4092", HOUR, TO "=raid5", "timeline[3].at=2 h",
          "timeline[3].set.data.protection=rf2", "timeline[4].at=3 h",
          "timeline[4].set.data.protection=raid6"},
         "timeline[4].set.data.protection.data: the pool gets stripes of 3 data units by "
         "timeline[2], it cannot get others of 4"},
        {{RF2, "data.placement_groups=4092", HOUR, TO "=raid6", "timeline[3].at=2 h",
          "timeline[3].set.data.protection=rf2", "timeline[4].at=3 h",
          "timeline[4].set.data.protection=ec", "timeline[4].set.data.protection.data=4",
          "timeline[4].set.data.protection.parity=1"},
         ""},
        {{"data.placement_groups=4M", HOUR, TO "=rf2"},
         "timeline[2].set.data.protection.scheme: 4000000 stripes of 3 data units become 12000000 "
         "placement groups, at most 10000000 are possible"},
        {{"cluster.nodes=none", "data.protection=rf2", HOUR, TO "=raid6"},
         "cluster.nodes: \"none\" is not a number: expected a number, like 16 or 107k"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

/* A warning about the nodes does not keep the rest from being checked. */
static void nodes_matter_where_some_fail(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"cluster.nodes=6", "data.protection=rf2", HOUR, TO "=raid6"},
         "(timeline[2].set.data.protection.scheme: raid6 4+2 needs all 6 nodes: while one is down "
         "nothing can be rebuilt"},
        {{"cluster.nodes=6", "data.protection=rf2", "data.placement_groups=4095", HOUR,
          TO "=raid6"},
         "(timeline[2].set.data.protection.scheme: raid6 4+2 needs all 6 nodes: while one is down "
         "nothing can be rebuilt\n"
         "timeline[2].set.data.protection.data: 4095 placement groups do not make stripes of 4 "
         "data units, 4092 would"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
    static const char *const calm[] = {"version=1",
                                       "cluster.nodes=6",
                                       "cluster.node.disk_groups.capacity.device=sata-ssd",
                                       "data.logical=1 TB",
                                       "data.protection=rf2",
                                       "timeline[0].at=1 h",
                                       "timeline[0].set.data.protection=raid6",
                                       NULL};
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    set_all(scenario, calm, problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    assert_int_equal(problems->len, 0);
}

#define TWO_POOLS RF2, "data.name=hot", "data[1].name=cold", "data[1].logical=1 TB"

static void pools_are_named(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{TWO_POOLS, HOUR, TO "=rf3"}, ""}, /* the first */
        {{TWO_POOLS, HOUR, TO "=rf3", "timeline[2].pool=cold"},
         "timeline[2].set.data.protection.scheme: none cannot become rf3: copies become other "
         "copies or data with parity, and data with parity becomes copies"},
        {{TWO_POOLS, HOUR, TO "=rf3", "timeline[2].pool=cld"},
         "timeline[2].pool: there is no pool \"cld\"; did you mean cold?"},
        {{TWO_POOLS, "data[1].protection=rf3", HOUR, TO "=raid6", "timeline[2].pool=cold",
          "timeline[3].at=1 h", "timeline[3].set.data.protection=rf3"},
         ""},
        {{TWO_POOLS, "timeline[2].at=1 h", "timeline[2].fail=node 0", "timeline[2].pool=cold"},
         "timeline[2].pool: only a conversion has a pool"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void conversions_follow_each_other(void **state)
{
    (void)state;
    static const Case cases[] = {
        /* Written last, happening first. */
        {{RF2, "timeline[2].at=2 h", TO "=rf2", HOUR, "timeline[3].at=30 min",
          "timeline[3].set.data.protection=rf3", "timeline[2].at=2 h"},
         ""},
        {{RF2, HOUR, TO "=rf3", "timeline[3].at=1 h", "timeline[3].set.data.protection=raid6"},
         "timeline[3].set.data.protection.scheme: pool \"data\" has two conversions at one time, "
         "1 h"},
        /* What would follow from a wrong one is not judged. */
        {{RF2, HOUR, TO "=none", "timeline[3].at=2 h", "timeline[3].set.data.protection=rf3"},
         "timeline[2].set.data.protection.scheme: rf2 cannot become none: copies become other "
         "copies or data with parity, and data with parity becomes copies"},
        {{RF2, HOUR, TO "=rf3", "timeline[2].fail=node 1"},
         "timeline[2].set: an item does one thing, write one for each"},
        {{RF2, TO "=rf3"}, "timeline[2].at: missing, expected a time, like 30 min"},
        {{RF2, "timeline[2].at=25 h", TO "=rf3"},
         "(timeline[2].at: never happens, run.duration is 1 d"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

/* 61.44 TB, of which 95 % of seven nodes are 51.07. */
static void data_must_fit_all_along(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{RF2, "data.logical=17 TB", HOUR, TO "=rf3"}, ""},
        {{RF2, "data.logical=21 TB", HOUR, TO "=rf3"},
         "timeline[2].set.data.protection.scheme: takes 63 TB with protection, the cluster has "
         "61.44 TB"},
        {{RF2, "data.logical=20 TB", HOUR, TO "=rf3"},
         "(timeline[2].set.data.protection.scheme: fills devices to 97.7 %, above cluster.full "
         "(95 %)"},
        {{RF2, "data.logical=18 TB", HOUR, TO "=rf3"},
         "(timeline[2].set.data.protection.scheme: with one node down it would fill devices to "
         "100.4 %, above cluster.full (95 %): a rebuild could not finish"},
        {{RF2, "data.logical=21 TB", "data.services.compression.ratio=0.5", HOUR, TO "=rf3"}, ""},
        /* What shrinks was judged at its start, and makes room. */
        {{RF2, "data.logical=18 TB", "data.protection=rf3", HOUR, TO "=rf2"},
         "(data.logical: with one node down it would fill devices to 100.4 %, above cluster.full "
         "(95 %): a rebuild could not finish"},
        {{TWO_POOLS, "data[1].logical=15 TB", "data[1].protection=rf3", HOUR, TO "=rf3"},
         "(data[0].logical: with one node down it would fill devices to 106.0 %, above "
         "cluster.full (95 %): a rebuild could not finish\n"
         "timeline[2].set.data.protection.scheme: takes 63 TB with protection, the cluster has "
         "61.44 TB"},
        {{TWO_POOLS, "data[1].logical=15 TB", "data[1].protection=rf3", "timeline[2].at=30 min",
          TO "=raid6", "timeline[2].pool=cold", "timeline[3].at=1 h",
          "timeline[3].set.data.protection=rf3"},
         "(data[0].logical: with one node down it would fill devices to 106.0 %, above "
         "cluster.full (95 %): a rebuild could not finish"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void blocks_fit_what_is_made(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{RF2, "workload.block=2 MiB", HOUR, TO "=raid6"}, ""},
        {{RF2, "workload.block=6 MiB", HOUR, TO "=raid6"},
         "workload.block: expected a whole part of a stripe unit (1 MiB), whole units of a stripe "
         "(4 MiB) or whole stripes from timeline[2] on, got 6 MiB"},
        {{RF2, "workload.block=12 KiB", "data.protection.stripe_unit=12 KiB", HOUR, TO "=rf3",
          TO ".stripe_unit=24 KiB"},
         ""},
        {{RF2, "workload.block=12 KiB", "data.protection.stripe_unit=12 KiB", HOUR, TO "=rf3"},
         "workload.block: expected a whole part of a stripe unit (1 MiB), whole units of a stripe "
         "(1 MiB) or whole stripes from timeline[2] on, got 12 KiB"},
        {{TWO_POOLS, "workload.block=6 MiB", "workload.pool=cold", HOUR, TO "=raid6"}, ""},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void what_conversions_mean_is_filled_in(void **state)
{
    (void)state;
    const char *const settings[] = {TWO_POOLS,
                                    "data[1].protection=rf3",
                                    "timeline[2].at=10 min",
                                    TO "=ec",
                                    TO ".data=4",
                                    TO ".parity=2",
                                    TO ".rewrite=strip",
                                    TO ".degraded=1 ms",
                                    TO ".stripe_unit=64 KiB",
                                    "timeline[2].pool=cold",
                                    NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    const AftAction *action = &scenario->timeline[0];
    assert_int_equal(action->kind, AFT_ACTION_CONVERT);
    assert_int_equal(action->index, 2);
    assert_int_equal(action->pool_index, 1);
    assert_int_equal(action->protection.kind, AFT_SCHEME_PARITY);
    assert_int_equal(action->protection.data, 4);
    assert_int_equal(action->protection.parity, 2);
    assert_int_equal(action->protection.rewrite, AFT_REWRITE_STRIP);
    assert_int_equal(action->protection.degraded_ns, 1000000);
    assert_int_equal(action->protection.stripe_unit_bytes, 65536);
    assert_int_equal(scenario->timeline[1].kind, AFT_ACTION_FAIL);
}

static void pools_know_their_layouts(void **state)
{
    (void)state;
    const char *const later[] = {"cluster.nodes=8", "data.protection=rf-then-encode",
                                 "data.protection.copies=3", "data.protection.stripe_unit=64 KiB",
                                 NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(later);
    g_autoptr(GPtrArray) problems = aft_problems_new();
    const AftPoolSpec *pool = &scenario->pools[0];
    assert_int_equal(pool->initial.kind, AFT_SCHEME_REPLICATION);
    assert_int_equal(aft_scheme_width(&pool->initial), 3);
    assert_int_equal(pool->initial.stripe_unit_bytes, 65536);
    assert_int_equal(pool->encoded.kind, AFT_SCHEME_PARITY);
    assert_int_equal(pool->encoded.data, 4);
    assert_int_equal(aft_scheme_width(&pool->encoded), 6);
    aft_scenario_set(scenario, "data.protection", "raid5", problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    assert_int_equal(pool->initial.kind, AFT_SCHEME_PARITY);
    assert_int_equal(aft_scheme_width(&pool->initial), 4);
    assert_int_equal(aft_scheme_width(&pool->encoded), 0);
}

/* Changing what was resolved comes to the same as writing it at once. */
static void changes_come_to_the_same_as_a_fresh_start(void **state)
{
    (void)state;
    static const struct {
        const char *before[MOST_CHANGES], *after[MOST_CHANGES];
    } cases[] = {
        {{RF2, HOUR, TO "=rf3"}, {TO "=raid6"}},
        {{RF2, HOUR, TO "=rf3"}, {TO "=raid6", "timeline[2].at=10 min"}},
        {{RF2, HOUR, TO "=raid6", TO ".rewrite=strip"}, {TO "=rf3"}},
        {{RF2, HOUR, TO "=none"}, {TO "=rf3"}},
        {{TWO_POOLS, "data[1].protection=rf3", HOUR, TO "=raid6"}, {"timeline[2].pool=cold"}},
        {{TWO_POOLS, "data[1].protection=rf3", HOUR, TO "=raid6", "timeline[2].pool=cold"},
         {"data[1].name=cool", "timeline[2].pool=hot"}},
        {{"cluster.nodes=8", "data.protection=rf-then-encode"}, {"data.protection=rf3"}},
        {{"cluster.nodes=8", "data.protection=rf3"}, {"data.protection=rf-then-encode"}},
        {{"cluster.nodes=8", "data.protection=rf-then-encode"}, {"data.protection.copies=3"}},
        {{"data.protection=ec"}, {"data.protection.data=2", "data.protection.parity=1"}},
        {{"data.services.compression.ratio=0.5"}, {"data.services.compression=on"}},
        {{"data.services.compression=on"}, {"data.services.compression=off"}},
        {{NULL}, {"data.services.compression.ratio=0.5"}},
        {{"workload.working_set=1 TB"}, {"workload.working_set=all"}},
        {{RF2}, {HOUR, TO "=rf3"}},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AftScenario) changed = aft_scenario_new(), fresh = aft_scenario_new();
        g_autoptr(GPtrArray) before = aft_problems_new(), after = aft_problems_new();
        g_autoptr(GPtrArray) at_once = aft_problems_new();
        set_all(changed, five_nodes, before);
        set_all(changed, cases[i].before, before);
        aft_scenario_resolve(changed, before);
        set_all(changed, cases[i].after, after);
        set_all(fresh, five_nodes, at_once);
        set_all(fresh, cases[i].before, at_once);
        set_all(fresh, cases[i].after, at_once);
        assert_true(aft_scenario_resolve(changed, after));
        assert_true(aft_scenario_resolve(fresh, at_once));
        g_autofree char *digest = aft_scenario_digest(changed);
        g_autofree char *expected = aft_scenario_digest(fresh);
        assert_string_equal(digest, expected);
        assert_int_equal(after->len, at_once->len);
        assert_true(aft_scenario_resolve(changed, after));
        g_autofree char *again = aft_scenario_digest(changed);
        assert_string_equal(again, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_become_what_they_can),
        cmocka_unit_test(targets_have_their_geometry),
        cmocka_unit_test(nodes_matter_where_some_fail),
        cmocka_unit_test(pools_are_named),
        cmocka_unit_test(conversions_follow_each_other),
        cmocka_unit_test(data_must_fit_all_along),
        cmocka_unit_test(blocks_fit_what_is_made),
        cmocka_unit_test(what_conversions_mean_is_filled_in),
        cmocka_unit_test(pools_know_their_layouts),
        cmocka_unit_test(changes_come_to_the_same_as_a_fresh_start),
    };
    return cmocka_run_group_tests_name("conversions", tests, NULL, NULL);
}
