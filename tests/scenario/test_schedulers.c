/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answers.h"

#include <aftershock/scenario/keys.h>
#include <aftershock/scenario/schedulers.h>
#include <math.h>

#define SCHEDULER "background.scheduler"
#define LIMITS    "background.scheduler.limits."
#define RESERVED  "background.scheduler.reservations."
#define WEIGHTS   "background.scheduler.weights."

static void figures_go_together(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{SCHEDULER "=mclock", RESERVED "client=60 %", RESERVED "p1=40 %"}, ""},
        {{SCHEDULER "=mclock", RESERVED "client=60 %", RESERVED "p1=41 %"},
         "background.scheduler.reservations: expected at most 100 % in all, got 101 %"},
        {{SCHEDULER "=ceph-balanced", RESERVED "client=60 %"},
         "background.scheduler.reservations: expected at most 100 % in all, got 110 %"},
        {{SCHEDULER "=mclock", RESERVED "p1=30 %", LIMITS "p1=30 %"}, ""},
        {{SCHEDULER "=mclock", RESERVED "p1=30 %", LIMITS "p1=29 %"},
         "background.scheduler.limits.p1: expected at least the reservation (30 %), got 29 %"},
        {{SCHEDULER "=ceph-high-client", RESERVED "client=10 %", RESERVED "p1=0 %",
          RESERVED "p2=0 %", RESERVED "p3=80 %"},
         "background.scheduler.reservations.p3: 80 %, expected at most the limit (70 %)"},
        {{SCHEDULER "=adaptive", SCHEDULER ".low=10 ms"},
         "background.scheduler.low: expected less than background.scheduler.high (10 ms), got 10 "
         "ms"},
        {{SCHEDULER "=adaptive", SCHEDULER ".high=4 ms"},
         "background.scheduler.high: expected more than background.scheduler.low (5 ms), got 4 "
         "ms"},
        {{SCHEDULER "=adaptive", SCHEDULER ".high=4 ms", SCHEDULER ".low=3 ms"}, ""},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void figures_that_nobody_looks_at_are_told_once(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{WEIGHTS "p1=7"}, ""},
        {{SCHEDULER ".kind=fifo", WEIGHTS "p1=7", WEIGHTS "p2=7"},
         "(background.scheduler.weights.p1: has no effect: fifo has no weights"},
        {{RESERVED "p1=7 %", LIMITS "client=90 %", SCHEDULER ".high=1 s"},
         "(background.scheduler.reservations.p1: has no effect: weighted has no reservations\n"
         "(background.scheduler.limits.client: has no effect: weighted has no limits\n"
         "(background.scheduler.high: has no effect: weighted has no marks of latency"},
        {{SCHEDULER "=vsan-6.6", SCHEDULER ".high=1 s", WEIGHTS "p1=7"}, ""},
        {{SCHEDULER "=mclock", SCHEDULER ".cost.io=1 us", SCHEDULER ".at=controllers",
          SCHEDULER ".spin=50 %", LIMITS "p1=150 %"},
         ""},
        {{SCHEDULER "=wpq", SCHEDULER ".cost.per_mib=1 us", SCHEDULER ".at=controllers",
          SCHEDULER ".spin=50 %"},
         "(background.scheduler.cost.per_mib: has no effect: round-robin has no cost\n"
         "(background.scheduler.spin: has no effect: round-robin has no limits"},
        {{SCHEDULER "=fifo", SCHEDULER ".at=controllers"},
         "(background.scheduler.at: has no effect: fifo has no place"},
        {{SCHEDULER "=vsan-6.6", LIMITS "p1=7 %"},
         "(background.scheduler.limits.p1: has no effect: adaptive has no limits"},
        {{SCHEDULER "=adaptive", SCHEDULER ".low=1 h", SCHEDULER ".high=12"},
         "background.scheduler.high: \"12\" has no unit: expected a time, like 30 min"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static const AftSchedulerSpec *scheduler_of(const AftScenario *scenario)
{
    return &scenario->background.scheduler;
}

static void a_preset_gives_what_is_not_written(void **state)
{
    (void)state;
    static const char *const settings[] = {SCHEDULER "=ceph-high-client", WEIGHTS "p1=5",
                                           LIMITS "client=90 %", RESERVED "client=50 %", NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    const AftSchedulerSpec *scheduler = scheduler_of(scenario);
    assert_string_equal(scheduler->kind, "ceph-high-client");
    assert_string_equal(scheduler->policy, "mclock");
    const double weights[] = {2.0, 2.0, 5.0, 1.0, 1.0};
    const double reservations[] = {0.5, 0.0, 0.2, 0.2, 0.0};
    const double limits[] = {0.9, INFINITY, INFINITY, INFINITY, 0.7};
    for (guint i = 0; i < AFT_CLASSES; i++) {
        assert_within(scheduler->weights[i], weights[i], 0.0);
        assert_within(scheduler->reservations[i], reservations[i], 0.0);
        assert_true(scheduler->limits[i] == limits[i]);
    }
    assert_within(aft_scheduler_most(scheduler, AFT_CLASS_P3), 0.7, 0.0);
    assert_within(aft_scheduler_most(scheduler, AFT_CLASS_P2), 1.0, 0.0);
}

/* Nothing is left of the preset, and a limit that is not looked at is none. */
static void another_scheduler_forgets_the_preset(void **state)
{
    (void)state;
    static const char *const settings[] = {SCHEDULER "=ceph-high-client", NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    g_autoptr(GPtrArray) problems = aft_problems_new();
    set_text(scenario, SCHEDULER ".kind=weighted", problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    assert_int_equal(problems->len, 0);
    const AftSchedulerSpec *scheduler = scheduler_of(scenario);
    assert_string_equal(scheduler->policy, "weighted");
    assert_within(scheduler->weights[AFT_CLASS_CLIENT], 80.0, 0.0);
    assert_within(scheduler->reservations[AFT_CLASS_CLIENT], 0.0, 0.0);
    assert_true(isinf(scheduler->limits[AFT_CLASS_P3]));
    set_text(scenario, LIMITS "p3=10 %", problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    assert_within(aft_scheduler_most(scheduler_of(scenario), AFT_CLASS_P3), 1.0, 0.0);
}

/* A share of what operations are said to cost says nothing of the time that they take. */
static void a_limit_of_costs_is_no_share_of_the_time(void **state)
{
    (void)state;
    static const char *const settings[] = {SCHEDULER "=mclock", LIMITS "p1=30 %",
                                           SCHEDULER ".cost.per_mib=1 ms", NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    assert_true(aft_scheduler_has_cost(scheduler_of(scenario)));
    assert_within(aft_scheduler_most(scheduler_of(scenario), AFT_CLASS_P1), 1.0, 0.0);
    g_autoptr(GPtrArray) problems = aft_problems_new();
    set_text(scenario, SCHEDULER ".cost.per_mib=0 s", problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    assert_false(aft_scheduler_has_cost(scheduler_of(scenario)));
    assert_within(aft_scheduler_most(scheduler_of(scenario), AFT_CLASS_P1), 0.3, 0.0);
}

static void every_choice_is_a_policy_or_a_preset(void **state)
{
    (void)state;
    static const char *const policies[] = {"fifo",        "strict", "weighted",
                                           "round-robin", "mclock", "adaptive"};
    guint n = 0;
    const AftSchedulerPreset *presets = aft_scheduler_presets(&n);
    AftKeyMatch match;
    assert_true(aft_keys_find(SCHEDULER ".kind", &match));
    const char *const *choices = match.key->choices;
    assert_int_equal(g_strv_length((char **)choices), G_N_ELEMENTS(policies) + n);
    for (guint i = 0; choices[i] != NULL; i++) {
        gboolean preset = i >= G_N_ELEMENTS(policies);
        guint at = preset ? i - (guint)G_N_ELEMENTS(policies) : i;
        assert_string_equal(choices[i], preset ? presets[at].name : policies[i]);
        assert_true(!preset || strlen(presets[at].help) > 0);
        g_autofree char *setting = g_strdup_printf(SCHEDULER "=%s", choices[i]);
        const char *const settings[] = {setting, NULL};
        g_autoptr(AftScenario) scenario = five_nodes_with(settings);
        assert_string_equal(scheduler_of(scenario)->policy,
                            preset ? presets[at].policy : policies[i]);
    }
}

/* The shares of a study of 2021, balanced: client 40-1-100, recovery 40-1-150, best effort
 * 20-1-max. There 150 is more than all, which is no limit. */
static void other_shares_can_be_written(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{SCHEDULER "=mclock", WEIGHTS "client=1", WEIGHTS "destage=1", WEIGHTS "p1=1",
          WEIGHTS "p2=1", WEIGHTS "p3=1", RESERVED "client=40 %", RESERVED "p1=20 %",
          RESERVED "p2=20 %", RESERVED "p3=20 %", LIMITS "client=100 %"},
         ""},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static char *digest_of(const char *const *settings)
{
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    set_all(scenario, five_nodes, problems);
    set_all(scenario, settings, problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    return aft_scenario_digest(scenario);
}

static void figures_that_nobody_looks_at_are_no_part_of_the_experiment(void **state)
{
    (void)state;
    static const char *const one[] = {SCHEDULER ".kind=fifo", NULL};
    static const char *const other[] = {SCHEDULER ".kind=fifo", WEIGHTS "p1=7", LIMITS "p1=7 %",
                                        SCHEDULER ".low=1 h", NULL};
    g_autofree char *first = digest_of(one), *second = digest_of(other);
    assert_string_equal(first, second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_go_together),
        cmocka_unit_test(figures_that_nobody_looks_at_are_told_once),
        cmocka_unit_test(figures_that_nobody_looks_at_are_no_part_of_the_experiment),
        cmocka_unit_test(a_preset_gives_what_is_not_written),
        cmocka_unit_test(another_scheduler_forgets_the_preset),
        cmocka_unit_test(a_limit_of_costs_is_no_share_of_the_time),
        cmocka_unit_test(every_choice_is_a_policy_or_a_preset),
        cmocka_unit_test(other_shares_can_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
