/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of a state tells what happened in its order, and nothing of when. */
#include "cluster.h"
#include "curator_parts.h"

#include <aftershock/model/state.h>

typedef struct {
    AftScenario *scenario;
    AftEngine *engine;
    AftModel *model;
    AftState *state;
} Quiet;

static void stop(void *context)
{
    Quiet *quiet = context;
    aft_engine_stop(quiet->engine);
}

static Quiet *quiet_new(const char *const *changes)
{
    Quiet *quiet = g_new0(Quiet, 1);
    AftModelWatch watch = {.context = quiet, .disturbed = stop};
    quiet->scenario = cluster_scenario(changes);
    quiet->engine = aft_engine_new();
    quiet->model = aft_model_new_quiet(quiet->scenario, quiet->engine, 0, &watch, TRUE);
    quiet->state = aft_state_new(quiet->model);
    return quiet;
}

#define QUIET(...) quiet_new((const char *const[]){__VA_ARGS__, NULL})

static void quiet_free(Quiet *quiet)
{
    aft_state_free(quiet->state);
    aft_model_free(quiet->model);
    aft_engine_free(quiet->engine);
    aft_scenario_free(quiet->scenario);
    g_free(quiet);
}

/* From one slow event to the next, up to those at @until_s. */
static void go_on(Quiet *quiet, gint64 until_s)
{
    for (gint64 at_ns; (at_ns = aft_engine_next_slow(quiet->engine)) <= until_s * SECOND_NS;) {
        aft_engine_run(quiet->engine, at_ns);
        aft_state_note(quiet->state);
        if (aft_engine_next_slow(quiet->engine) > at_ns) {
            aft_state_look(quiet->state);
        }
    }
}

static void assert_tells(const Quiet *quiet, const char *what)
{
    const char *text = aft_state_text(quiet->state);
    if (strstr(text, what) == NULL) {
        fail_msg("\"%s\" is not in \"%s\"", what, text);
    }
}

static void a_death_is_transient_until_it_has_settled(void **state G_GNUC_UNUSED)
{
    Quiet *quiet = QUIET("timeline[0].at=10 s", "timeline[0].fail=node 2", "cluster.detect=6 s",
                         "background.rebuild.delay=1 h");
    g_autofree char *calm = g_strdup(aft_state_text(quiet->state));
    assert_null(strstr(calm, "fail"));
    go_on(quiet, 10);
    assert_true(aft_state_is_transient(quiet->state));
    assert_true(g_str_has_prefix(aft_state_text(quiet->state), calm));
    assert_tells(quiet, " > fail node 2, ");
    go_on(quiet, 16);
    assert_true(aft_state_is_transient(quiet->state));
    assert_tells(quiet, " > fail node 2, detect node 2, ");
    aft_state_settle(quiet->state);
    assert_false(aft_state_is_transient(quiet->state));
    assert_string_equal(aft_state_text(quiet->state), "fail node 2, detect node 2, ");
    quiet_free(quiet);
}

/* Of two parts at one instant, one returns and the other dies: never are both away. */
static void at_one_instant_steps_keep_their_order(void **state G_GNUC_UNUSED)
{
    Quiet *quiet = QUIET("timeline[0].at=10 s", "timeline[0].fail=node 2", "timeline[1].at=60 s",
                         "timeline[1].restore=node 2", "timeline[2].at=60 s",
                         "timeline[2].fail=node 3", "cluster.detect=6 s");
    go_on(quiet, 16);
    aft_state_settle(quiet->state);
    go_on(quiet, 60);
    assert_tells(quiet, "restore node 2, fail node 3, ");
    quiet_free(quiet);
}

static void when_it_happened_is_not_told(void **state G_GNUC_UNUSED)
{
    Quiet *early = QUIET("timeline[0].at=10 s", "timeline[0].fail=node 2");
    Quiet *late = QUIET("timeline[0].at=1 h", "timeline[0].fail=node 2");
    go_on(early, 7200);
    go_on(late, 7200);
    aft_state_settle(early->state);
    aft_state_settle(late->state);
    assert_tells(early, "out node 2, ");
    assert_string_equal(aft_state_text(early->state), aft_state_text(late->state));
    quiet_free(early);
    quiet_free(late);
}

/* Loads that %g does not tell apart are two states, or who asks first would decide for both. */
static void loads_are_told_exactly(void **state G_GNUC_UNUSED)
{
    Quiet *quiet =
        QUIET("workload.kind=paced", "workload.vms=1", "workload.rate=10 /s",
              "workload.outstanding=1", "workload.day[0]=1", "workload.day[1]=1.0000001");
    g_autofree char *morning = g_strdup(aft_state_text(quiet->state));
    go_on(quiet, 13 * 3600);
    assert_string_not_equal(aft_state_text(quiet->state), morning);
    quiet_free(quiet);
}

/* Plain ones are told as they were written. */
static void plain_loads_are_short(void **state G_GNUC_UNUSED)
{
    Quiet *quiet = QUIET("workload.kind=paced", "workload.vms=1", "workload.rate=10 /s",
                         "workload.outstanding=1", "workload.day[0]=1", "workload.day[1]=3");
    assert_tells(quiet, "| load 0.5 1 ");
    quiet_free(quiet);
}

/* @task does up to @bytes for @node. */
static void carry_on_at(Quiet *quiet, AftTaskKind task, guint node, double bytes)
{
    AftCurator *curator = quiet->model->curator;
    double left = aft_curator_waiting_bytes(curator, task, node);
    if (left > 0.0) {
        aft_curator_advance(curator, task, node, MIN(left, bytes) + 1.0);
    }
    aft_state_look(quiet->state);
}

static void carry_on(Quiet *quiet, AftTaskKind task)
{
    for (guint node = 0; node < quiet->model->topology.n_nodes; node++) {
        carry_on_at(quiet, task, node, INFINITY);
    }
}

/* Returns: another model of the same cluster, to which nothing happens, in that state. */
static Quiet *entered(const Quiet *quiet)
{
    Quiet *other = QUIET("background.rebuild.delay=0 s", "background.rebuild.unit=64 KiB");
    AftLeaves leaves[AFT_TASKS];
    aft_state_enter(quiet->state, other->model, leaves);
    return other;
}

static double waiting(const Quiet *quiet, AftTaskKind task)
{
    return aft_curator_waiting_bytes(quiet->model->curator, task, AFT_NOWHERE);
}

/* Two devices fail, and what was on both is lost for good; all else is made again. */
static void of_what_is_over_only_losses_are_told(void **state G_GNUC_UNUSED)
{
    Quiet *quiet =
        QUIET("timeline[0].at=10 s", "timeline[0].fail=device 0.0.0", "timeline[1].at=10 s",
              "timeline[1].fail=device 1.0.0", "timeline[2].at=1 min",
              "timeline[2].restore=device 0.0.0", "timeline[3].at=1 min",
              "timeline[3].restore=device 1.0.0", "background.rebuild.delay=0 s");
    const AftPool *pool = quiet->model->pools->pdata[0];
    go_on(quiet, 60);
    aft_state_settle(quiet->state);
    assert_tells(quiet, "fail device 1.0.0, ");
    for (guint round = 0; round < 50 && pool->missing > 0; round++) {
        carry_on(quiet, AFT_TASK_REBUILD);
        carry_on(quiet, AFT_TASK_REBALANCE);
    }
    assert_true(pool->n_lost > 0);
    assert_null(strstr(aft_state_text(quiet->state), "device"));
    assert_true(g_str_has_prefix(aft_state_text(quiet->state), "lost 0:"));
    Quiet *other = entered(quiet);
    const AftPool *like = other->model->pools->pdata[0];
    assert_int_equal(like->n_lost, pool->n_lost);
    assert_int_equal(like->missing, 0);
    for (guint group = 0; group < pool->n_groups; group++) {
        assert_int_equal(like->groups[group].lost, pool->groups[group].lost);
    }
    quiet_free(other);
    quiet_free(quiet);
}

/* A member has been made elsewhere when the node returns, and is to go home: in eighths, no work
 * has been done. */
static void little_work_is_told_when_asked_for(void **state G_GNUC_UNUSED)
{
    Quiet *quiet = QUIET("timeline[0].at=10 s", "timeline[0].fail=node 2", "timeline[1].at=1 min",
                         "timeline[1].restore=node 2", "background.rebuild.delay=0 s",
                         "background.rebuild.unit=64 KiB");
    go_on(quiet, 30);
    aft_state_settle(quiet->state);
    carry_on_at(quiet, AFT_TASK_REBUILD, 0, 3e6);
    go_on(quiet, 60);
    assert_true(waiting(quiet, AFT_TASK_REBALANCE) > 0.0);
    assert_null(strstr(aft_state_text(quiet->state), "left"));
    Quiet *coarse = entered(quiet);
    assert_true(waiting(coarse, AFT_TASK_REBALANCE) == 0.0);
    assert_true(aft_state_tell_exactly(quiet->state));
    assert_false(aft_state_tell_exactly(quiet->state));
    assert_tells(quiet, " of rebuild, restore");
    Quiet *exact = entered(quiet);
    assert_true(waiting(exact, AFT_TASK_REBALANCE) > 0.0);
    quiet_free(exact);
    quiet_free(coarse);
    quiet_free(quiet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_death_is_transient_until_it_has_settled),
        cmocka_unit_test(at_one_instant_steps_keep_their_order),
        cmocka_unit_test(when_it_happened_is_not_told),
        cmocka_unit_test(loads_are_told_exactly),
        cmocka_unit_test(plain_loads_are_short),
        cmocka_unit_test(of_what_is_over_only_losses_are_told),
        cmocka_unit_test(little_work_is_told_when_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
