/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spans.h - spans made by hand, for tests of what is built from them. */
#pragma once

#include "span.h"
#include "test.h"

#include <aftershock/scenario/scenario.h>

#include <string.h>

#define SECOND_NS 1000000000LL
#define MS_NS     1000000LL

/** Returns: (transfer full): with two nodes, traced every 10 s, changed by @settings
 *  ("path=value", NULL-terminated). */
static inline AftScenario *traced_scenario(const char *const *settings)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    AftScenario *scenario = aft_scenario_new();
    static const char *const base[] = {
        "version=1",
        "cluster.nodes=2",
        "cluster.node.disk_groups.capacity.device=sata-ssd",
        "data.logical=1 GB",
        "data.protection=rf2",
        "run.trace_interval=10 s",
        NULL,
    };
    const char *const *const lists[] = {base, settings};
    for (guint list = 0; list < G_N_ELEMENTS(lists); list++) {
        for (guint i = 0; lists[list][i] != NULL; i++) {
            const char *equals = strchr(lists[list][i], '=');
            g_autofree char *path = g_strndup(lists[list][i], (gsize)(equals - lists[list][i]));
            aft_scenario_set(scenario, path, equals + 1, problems);
        }
    }
    assert_true(aft_scenario_resolve(scenario, problems));
    return scenario;
}

/** A span from @start_s to @end_s of which the first @measured_s were measured, with nothing in
 *  it. Clear it with span_clear(). */
static inline AftSpan span_of(double start_s, double end_s, double measured_s)
{
    AftSpan span = {
        .start_ns = (gint64)(start_s * 1e9),
        .end_ns = (gint64)(end_s * 1e9),
        .phase = AFT_PHASE_STEADY,
        .measured_s = measured_s,
        .simulated_s = measured_s,
    };
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        span.latency[d] = aft_histogram_new();
    }
    return span;
}

static inline void span_clear(AftSpan *span)
{
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        aft_histogram_free(span->latency[d]);
    }
}

/** @n I/Os of 4 kB that took @latency_ms each. */
static inline void span_record(AftSpan *span, AftDirection direction, guint n, gint64 latency_ms)
{
    for (guint i = 0; i < n; i++) {
        aft_histogram_record(span->latency[direction], latency_ms * MS_NS);
    }
    span->bytes[direction] += 4000.0 * n;
}
