/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long what is served had waited, when a quiet model is carried on: two machines, one of which
 * owes a hundred I/Os that came one every 100 ms in the first ten seconds. */
#include "cluster.h"
#include "motion_parts.h"

#define OWED    100
#define OWED_NS (10 * SECOND_NS)

typedef struct {
    AftScenario *scenario;
    AftEngine *engine;
    AftModel *model;
    AftMotion *motion;
} Carried;

static Carried *carried_new(void)
{
    Carried *it = g_new0(Carried, 1);
    it->scenario = cluster_scenario((const char *const[]){"workload.kind=paced", "workload.vms=2",
                                                          "workload.rate=20 /s",
                                                          "workload.outstanding=2", NULL});
    it->engine = aft_engine_new();
    it->model = aft_model_new_quiet(it->scenario, it->engine, 0, NULL, FALSE);
    it->motion = aft_motion_new(it->model);
    aft_owed_jump(&it->model->clients[0].vms[1].owed, 0, OWED_NS, OWED, OWED);
    it->model->clients[0].owed = OWED;
    aft_engine_skip(it->engine, OWED_NS);
    it->motion->vms[0] = (AftMachine){.served = 10.0, .serves_all = TRUE};
    return it;
}

static void carried_free(Carried *it)
{
    aft_motion_free(it->motion);
    aft_model_free(it->model);
    aft_engine_free(it->engine);
    aft_scenario_free(it->scenario);
    g_free(it);
}

static gint64 owed(const Carried *it)
{
    return it->model->clients[0].vms[1].owed.count;
}

/* In ten seconds it serves 200, while 100 come, and owes nothing then: they waited for 10 s at
 * first and not at all in the end. The other serves 100 that did not wait. */
static void who_owes_makes_nobody_else_wait(void **state G_GNUC_UNUSED)
{
    Carried *it = carried_new();
    it->motion->vms[1] = (AftMachine){.served = 20.0, .grown = -10.0, .owes = TRUE};
    double waited_ns = aft_motion_skip(it->motion, it->model, OWED_NS);
    assert_int_equal(owed(it), 0);
    assert_within(waited_ns / 1e9, 200.0 * 5.0 / 300.0, 0.06); /* the oldest came at 0 or 0.1 s */
    carried_free(it);
}

/* What a transient has left is worked off at once: it waited, and not what is served for the rest
 * of the time. */
static void what_is_left_over_delays_nothing_that_comes_later(void **state G_GNUC_UNUSED)
{
    Carried *it = carried_new();
    it->motion->vms[1] = (AftMachine){.served = 10.0, .serves_all = TRUE};
    double waited_ns = aft_motion_skip(it->motion, it->model, 100 * SECOND_NS);
    assert_int_equal(owed(it), 0);
    assert_within(waited_ns / 1e9, OWED * 5.0 / 2000.0, 0.003);
    carried_free(it);
}

static void where_nothing_is_owed_nothing_is_said(void **state G_GNUC_UNUSED)
{
    Carried *it = carried_new();
    it->motion->vms[1] = (AftMachine){.served = 10.0, .serves_all = TRUE};
    aft_motion_skip(it->motion, it->model, 100 * SECOND_NS);
    assert_true(aft_motion_skip(it->motion, it->model, 100 * SECOND_NS) < 0.0);
    carried_free(it);
}

/* Pieces of a fraction add up over steps, however short these are. */
static void fractions_are_not_lost_between_steps(void **state G_GNUC_UNUSED)
{
    Carried *it = carried_new();
    gint64 before = it->model->clients[0].vms[0].served;
    it->motion->vms[1] = (AftMachine){.served = 10.0, .serves_all = TRUE};
    for (guint i = 0; i < 1000; i++) {
        aft_motion_skip(it->motion, it->model, 30 * 1000000); /* 0.3 I/Os of each */
    }
    assert_int_equal(it->model->clients[0].vms[0].served - before, 300);
    carried_free(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_owes_makes_nobody_else_wait),
        cmocka_unit_test(what_is_left_over_delays_nothing_that_comes_later),
        cmocka_unit_test(where_nothing_is_owed_nothing_is_said),
        cmocka_unit_test(fractions_are_not_lost_between_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
