/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiment.h - whole runs for tests: scenarios from texts "path=value", results by phase. */
#pragma once

#include "test.h"

#include <aftershock/run/run.h>

#include <string.h>

/** Both fidelities, as changes of a scenario. */
static const char *const fidelities[] = {"run.fidelity=io", "run.fidelity=sampled"};

#define N_FIDELITIES G_N_ELEMENTS(fidelities)

static inline void set_all(AftScenario *scenario, const char *const *settings, GPtrArray *problems)
{
    for (guint i = 0; settings != NULL && settings[i] != NULL; i++) {
        const char *equals = strchr(settings[i], '=');
        g_autofree char *path = g_strndup(settings[i], (gsize)(equals - settings[i]));
        aft_scenario_set(scenario, path, equals + 1, problems);
    }
}

static inline void assert_no_error(const GPtrArray *problems)
{
    for (guint i = 0; i < problems->len; i++) {
        const AftProblem *problem = g_ptr_array_index(problems, i);
        if (!problem->warning) {
            fail_msg("%s: %s", problem->path, problem->message);
        }
    }
}

/** What @base says, changed by @changes (both NULL-terminated; the second nullable).
 *  Returns: (transfer full): resolved. */
static inline AftScenario *scenario_with(const char *const *base, const char *const *changes)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    AftScenario *scenario = aft_scenario_new();
    set_all(scenario, base, problems);
    set_all(scenario, changes, problems);
    aft_scenario_resolve(scenario, problems);
    assert_no_error(problems);
    return scenario;
}

/** Returns: (transfer full). */
static inline AftResult *run_scenario(const AftScenario *scenario)
{
    g_autoptr(GError) error = NULL;
    AftResult *result = aft_run(scenario, NULL, &error);
    assert_null(error);
    assert_non_null(result);
    return result;
}

/** Returns: (transfer full). */
static inline AftResult *run_with(const char *const *base, const char *const *changes)
{
    g_autoptr(AftScenario) scenario = scenario_with(base, changes);
    return run_scenario(scenario);
}

static inline const AftPhaseRow *phase_row(const AftResult *result, guint i)
{
    assert_true(i < result->phases->len);
    return &g_array_index(result->phases, AftPhaseRow, i);
}

/** How long the run was, in scenario time. */
static inline double run_length_s(const AftResult *result)
{
    const AftPhaseRow *last = phase_row(result, result->phases->len - 1);
    return last->start_s + last->duration_s;
}

static inline const AftTraceRow *trace_row(const AftResult *result, guint i)
{
    assert_true(i < result->trace->len);
    return &g_array_index(result->trace, AftTraceRow, i);
}

/** The first occurrence of @phase. */
static inline const AftPhaseRow *first_of(const AftResult *result, AftPhase phase)
{
    for (guint i = 0; i < result->phases->len; i++) {
        if (phase_row(result, i)->phase == phase) {
            return phase_row(result, i);
        }
    }
    fail_msg("there was no phase %s", aft_phase_name(phase));
    return NULL;
}

/** "steady failed rebuild". Returns: (transfer full). */
static inline char *phase_names(const AftResult *result)
{
    GString *names = g_string_new(NULL);
    for (guint i = 0; i < result->phases->len; i++) {
        const char *name = aft_phase_name(phase_row(result, i)->phase);
        g_string_append_printf(names, "%s%s", i > 0 ? " " : "", name);
    }
    return g_string_free(names, FALSE);
}

static inline void assert_phases(const AftResult *result, const char *expected)
{
    g_autofree char *names = phase_names(result);
    assert_string_equal(names, expected);
}
