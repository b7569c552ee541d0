/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whoever watches a run sees what becomes its result, and changes nothing of that. */
#include "experiment.h"
#include "small_cluster.h"

#include <aftershock/result/csv.h>
#include <aftershock/result/summary.h>

/* A rebuild, and a rebalance after it. */
static const char *const watched[] = {"timeline[0].at=60 s",           "timeline[0].fail=node 2",
                                      "timeline[1].at=10 min",         "timeline[1].restore=node 2",
                                      "background.rebuild.delay=30 s", NULL};

static const char *const all_fidelities[] = {"run.fidelity=io", "run.fidelity=sampled",
                                             "run.fidelity=flow"};

typedef struct {
    guint looks;
    AftObservation last;
    gboolean rebuilt;
    double most_waiting_bytes;
} Seen;

static void look(void *context, const AftWalk *walk)
{
    Seen *seen = context;
    AftObservation now;
    aft_run_observe(walk, &now);
    assert_true(now.done >= seen->last.done && now.done <= 1.0);
    assert_true(now.scenario_s >= seen->last.scenario_s);
    assert_true(now.trace->len == 0 ||
                g_array_index(now.trace, AftTraceRow, now.trace->len - 1).time_s < now.scenario_s);
    for (guint task = 0; task < AFT_TASKS; task++) {
        assert_true(now.moved_bytes[task] >= seen->last.moved_bytes[task]);
        assert_true(now.waiting_bytes[task] >= 0.0);
    }
    seen->rebuilt |= now.phase == AFT_PHASE_REBUILD;
    seen->most_waiting_bytes = MAX(seen->most_waiting_bytes, now.waiting_bytes[AFT_TASK_REBUILD]);
    seen->last = now;
    seen->looks++;
}

/* All that would be written of a run. */
static char *output(const AftResult *result)
{
    g_autofree char *phases = aft_csv_format(aft_phase_table(), result->phases);
    g_autofree char *trace = aft_csv_format(aft_trace_table(), result->trace);
    g_autofree char *events = aft_csv_format(aft_event_table(), result->timeline);
    g_autofree char *summary = aft_summary_format(result);
    return g_strconcat(phases, trace, events, summary, NULL);
}

static void watch(const char *fidelity)
{
    g_autoptr(GPtrArray) changes = g_ptr_array_new();
    for (guint i = 0; watched[i] != NULL; i++) {
        g_ptr_array_add(changes, (gpointer)watched[i]);
    }
    g_ptr_array_add(changes, (gpointer)fidelity);
    g_ptr_array_add(changes, NULL);
    g_autoptr(AftScenario) scenario =
        scenario_with(small_cluster, (const char *const *)changes->pdata);
    g_autoptr(AftResult) alone = run_scenario(scenario);
    Seen seen = {0};
    const AftRunObserver observer = {&seen, look};
    const AftRunOptions options = {.observer = &observer};
    g_autoptr(AftResult) result = aft_run(scenario, &options, NULL);
    g_autofree char *expected = output(alone), *actual = output(result);
    assert_string_equal(actual, expected);

    double rebuilt_bytes = 0.0;
    for (guint i = 0; i < result->phases->len; i++) {
        rebuilt_bytes += phase_row(result, i)->rebuild_bytes;
    }
    const AftPhaseRow *last = phase_row(result, result->phases->len - 1);
    assert_true(seen.looks >= result->phases->len);
    assert_true(seen.rebuilt);
    assert_true(rebuilt_bytes > 0.0);
    assert_within(seen.last.moved_bytes[AFT_TASK_REBUILD] / rebuilt_bytes, 1.0, 1e-9);
    assert_true(seen.most_waiting_bytes > 0.5 * rebuilt_bytes);
    assert_true(seen.last.waiting_bytes[AFT_TASK_REBUILD] == 0.0);
    assert_within(seen.last.scenario_s, run_length_s(result), 1e-6);
    assert_within(seen.last.iops / last->iops, 1.0, 0.5); /* one span against a phase */
    assert_within(seen.last.read_mean_ms / last->read_mean_ms, 1.0, 0.5);
}

static void what_is_seen_becomes_the_result(void **state)
{
    (void)state;
    for (guint i = 0; i < G_N_ELEMENTS(all_fidelities); i++) {
        watch(all_fidelities[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_seen_becomes_the_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
