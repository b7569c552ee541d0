/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bed.h - four nodes that are simulated, and figures of them as if somebody had measured those. */
#pragma once

#include "experiment.h"

#include <aftershock/calibrate/calibrate.h>

static const char *const base[] = {
    "version=1",
    "devices.disk.read=2 ms",
    "devices.disk.write=4 ms",
    "devices.disk.parallel=4",
    "devices.disk.size=1 TB",
    "cluster.nodes=4",
    "cluster.node.controller.slots=2",
    "cluster.node.controller.io=500 us",
    "cluster.node.disk_groups.capacity.device=disk",
    "cluster.node.disk_groups.capacity.count=2",
    "data.logical=100 GB",
    "data.placement_groups=4096",
    "workload.kind=closed",
    "workload.vms=8",
    "workload.outstanding=32",
    "workload.read_share=60 %",
    "run.until=duration",
    "run.duration=20 s",
    "run.fidelity=io",
    NULL,
};

static const char *const labels[] = {"rf2", "raid5", "few"};
static const char *const changes[][3] = {{"data.protection=rf2"},
                                         {"data.protection=raid5"},
                                         {"data.protection=rf2", "workload.outstanding=8"}};

/* How scenarios are made besides. */
typedef struct {
    const char *seed;
    const char *also[8]; /* settings before those of keys; NULL from some on */
} Maker;

static inline AftScenario *make(guint index, const char *const *settings, void *context,
                                GError **error G_GNUC_UNUSED)
{
    const Maker *maker = context;
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (guint i = 0; i < G_N_ELEMENTS(changes[index]) && changes[index][i] != NULL; i++) {
        g_ptr_array_add(all, (gpointer)changes[index][i]);
    }
    g_ptr_array_add(all, (gpointer)maker->seed);
    for (guint i = 0; i < G_N_ELEMENTS(maker->also) && maker->also[i] != NULL; i++) {
        g_ptr_array_add(all, (gpointer)maker->also[i]);
    }
    for (guint i = 0; settings != NULL && settings[i] != NULL; i++) {
        g_ptr_array_add(all, (gpointer)settings[i]);
    }
    g_ptr_array_add(all, NULL);
    return scenario_with(base, (const char *const *)all->pdata);
}

static inline void add_cell(AftReference *reference, const AftResult *result, guint phase,
                            const char *metric)
{
    AftReferenceCell *cell = aft_reference_cell_new();
    cell->label = g_strdup(result->label);
    cell->phase = phase_row(result, phase)->phase;
    cell->metric = aft_metric_find(metric);
    cell->value = aft_metric_read(cell->metric, result, phase_row(result, phase)).value;
    cell->unit = g_strdup("s");
    cell->unit_base = 1.0;
    cell->tolerance = (AftTolerance){{TRUE, TRUE, 0.02}, {TRUE, TRUE, 0.02}};
    g_ptr_array_add(reference->cells, cell);
}

/* What @maker yields with @settings. Returns: (transfer full). */
static inline AftReference *measure(const char *const *settings, Maker *maker)
{
    static const char *const metrics[] = {"iops", "read_mean", "write_mean", "read_p95"};
    AftReference *reference = aft_reference_new();
    for (guint i = 0; i < G_N_ELEMENTS(labels); i++) {
        g_autoptr(AftScenario) scenario = make(i, settings, maker, NULL);
        g_autoptr(AftResult) result = run_scenario(scenario);
        g_free(result->label);
        result->label = g_strdup(labels[i]);
        for (guint k = 0; k < G_N_ELEMENTS(metrics) * result->phases->len; k++) {
            add_cell(reference, result, k / G_N_ELEMENTS(metrics),
                     metrics[k % G_N_ELEMENTS(metrics)]);
        }
    }
    return reference;
}

static inline AftFreeKey key_of(const char *path, double low, double high)
{
    Maker maker = {.seed = "run.seed=1"};
    g_autoptr(AftScenario) scenario = make(0, NULL, &maker, NULL);
    g_autoptr(GError) error = NULL;
    AftFreeKey key;
    if (!aft_free_key_init(&key, scenario, path, low, high, &error)) {
        fail_msg("%s", error->message);
    }
    return key;
}
