/* SPDX-License-Identifier: GPL-3.0-or-later */
/* small_sizes.h - searches for sizes of a small cluster, of a few milliseconds a replication. */
#pragma once

#include "small_bed.h"

#include <aftershock/sweep/size.h>

/* Nodes of one disk, 100 I/Os a second each; copies make 195 of 150 I/Os. Then a node fails: three
 * others are too few, five are enough. */
static const char *const small[] = {
    "version=1",
    "devices.disk.read=10 ms",
    "devices.disk.write=10 ms",
    "devices.disk.spread=deterministic",
    "devices.disk.size=1 GB",
    "cluster.nodes=5",
    "cluster.detect=1 s",
    "cluster.node.disk_groups.capacity.device=disk",
    "data.logical=20 MB",
    "data.placement_groups=64",
    "data.protection=rf2",
    "workload.kind=paced",
    "workload.pacing=even",
    "workload.vms=4",
    "workload.rate=150 /s",
    "workload.outstanding=100",
    "workload.restart=1 s",
    "background.rebuild.delay=2 s",
    "timeline[0].at=3 s",
    "timeline[0].fail=node 2",
    "requirement.read=50 ms",
    "run.until=duration",
    "run.duration=10 s",
    "run.trace_interval=10 s",
    "run.fidelity=io",
    NULL,
};

/* What is added to the scenario, after the settings of a configuration. */
typedef struct {
    const char *const *more;
    gint interrupted;
} Context;

static inline AftScenario *make(const char *const *settings, void *data, GError **error)
{
    const Context *context = data;
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (guint i = 0; settings[i] != NULL; i++) {
        g_ptr_array_add(all, (gpointer)settings[i]);
    }
    for (guint i = 0; context->more[i] != NULL; i++) {
        g_ptr_array_add(all, (gpointer)context->more[i]);
    }
    g_ptr_array_add(all, NULL);
    return bed_make(small, (const char *const *)all->pdata, error);
}

static inline void free_axis(gpointer axis)
{
    aft_size_axis_free(axis);
}

static inline GPtrArray *axes_of(const char *const *texts)
{
    GPtrArray *axes = g_ptr_array_new_with_free_func(free_axis);
    for (guint i = 0; texts[i] != NULL; i++) {
        g_autoptr(GError) error = NULL;
        AftSizeAxis *axis = aft_size_axis_parse(texts[i], &error);
        assert_null(error);
        g_ptr_array_add(axes, axis);
    }
    return axes;
}

static const char *const nothing[] = {NULL};

/** Confidence is that of fewer replications than the usual 95 %. */
static inline AftSizeSetup setup_of(const GPtrArray *axes, Context *context)
{
    return (AftSizeSetup){.axes = axes,
                          .confidence = 0.9,
                          .most = AFT_SIZE_REPLICATIONS,
                          .jobs = 2,
                          .make = make,
                          .context = context};
}

static inline AftSizing *size(const char *const *texts, const char *const *more, GError **error)
{
    g_autoptr(GPtrArray) axes = axes_of(texts);
    Context context = {more, 0};
    AftSizeSetup setup = setup_of(axes, &context);
    return aft_size(&setup, error);
}
