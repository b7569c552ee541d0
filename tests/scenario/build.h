/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.h - scenarios for tests, from texts "path=value". */
#pragma once

#include "test.h"

#include <aftershock/scenario/scenario.h>

#include <string.h>

/** Five nodes, RAID-5, a paced workload, one node failing and returning: valid as it is. */
static const char *const five_nodes[] = {
    "version=1",
    "cluster.nodes=5",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "cluster.node.disk_groups.capacity.count=2",
    "data.logical=6 TB",
    "data.protection=raid5",
    "workload.kind=paced",
    "workload.vms=20",
    "workload.rate=1000 /s",
    "workload.outstanding=40",
    "timeline[0].at=30 min",
    "timeline[0].fail=node 2",
    "timeline[1].at=4 h",
    "timeline[1].restore=node 2",
    NULL,
};

static inline void set_text(AftScenario *scenario, const char *setting, GPtrArray *problems)
{
    const char *equals = strchr(setting, '=');
    g_autofree char *path = g_strndup(setting, (gsize)(equals - setting));
    aft_scenario_set(scenario, path, equals + 1, problems);
}

/** Sets all of the NULL-terminated @settings. */
static inline void set_all(AftScenario *scenario, const char *const *settings, GPtrArray *problems)
{
    for (guint i = 0; settings[i] != NULL; i++) {
        set_text(scenario, settings[i], problems);
    }
}

/** All of @problems, a line each: "workload.rate: message; suggestion", warnings behind "(". */
static inline char *problems_text(const GPtrArray *problems)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < problems->len; i++) {
        const AftProblem *problem = g_ptr_array_index(problems, i);
        g_string_append_printf(text, "%s%s%s: %s%s%s", i == 0 ? "" : "\n",
                               problem->warning ? "(" : "", problem->path, problem->message,
                               problem->suggestion == NULL ? "" : "; ",
                               problem->suggestion == NULL ? "" : problem->suggestion);
    }
    return g_string_free(text, FALSE);
}

/** The five nodes, changed by the NULL-terminated @settings and resolved; must be fine. */
static inline AftScenario *five_nodes_with(const char *const *settings)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    AftScenario *scenario = aft_scenario_new();
    set_all(scenario, five_nodes, problems);
    set_all(scenario, settings, problems);
    aft_scenario_resolve(scenario, problems);
    g_autofree char *text = problems_text(problems);
    assert_string_equal(text, "");
    return scenario;
}
