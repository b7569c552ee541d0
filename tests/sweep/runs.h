/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.h - sweeps over one busy disk, which take a millisecond a replication. */
#pragma once

#include "stores.h"
#include "sweeps.h"

#include <aftershock/sweep/runner.h>

/* A disk that serves 100 I/Os a second, all of them simulated for ten seconds. */
static const char *const one_disk[] = {
    "version=1",
    "devices.disk.read=10 ms",
    "devices.disk.write=10 ms",
    "devices.disk.spread=exponential",
    "devices.disk.parallel=1",
    "devices.disk.size=1 TB",
    "cluster.nodes=1",
    "cluster.node.disk_groups.capacity.count=1",
    "cluster.node.disk_groups.capacity.device=disk",
    "data.logical=500 GB",
    "data.placement_groups=1",
    "data.protection=none",
    "workload.vms=1",
    "workload.read_share=100 %",
    "workload.block=4 KiB",
    "requirement.read=20 ms",
    "run.until=duration",
    "run.duration=10 s",
    "run.fidelity=io",
    "run.trace_interval=10 s",
    NULL,
};

static const char *const open_load[] = {"workload.kind=open", "workload.rate=50 /s", NULL};

static inline gboolean set_all(AftScenario *scenario, const char *const *settings,
                               GPtrArray *problems)
{
    gboolean fine = TRUE;
    for (guint i = 0; settings[i] != NULL; i++) {
        g_autofree char *path = g_strndup(settings[i], strcspn(settings[i], "="));
        fine &= aft_scenario_set(scenario, path, strchr(settings[i], '=') + 1, problems);
    }
    return fine;
}

/* The disk with @load and @settings. */
static inline AftScenario *make_loaded(const char *const *load, const char *const *settings,
                                       GError **error)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    gboolean fine = set_all(scenario, one_disk, problems) && set_all(scenario, load, problems) &&
                    set_all(scenario, settings, problems) &&
                    aft_scenario_resolve(scenario, problems);
    if (!fine) {
        const AftProblem *problem = problems->pdata[0];
        g_set_error_literal(error, AFT_ERROR, AFT_ERROR_SYNTAX, problem->message);
        return NULL;
    }
    return g_steal_pointer(&scenario);
}

/* For AftSweepSetup. */
static inline AftScenario *make_disk(const char *const *settings, void *context G_GNUC_UNUSED,
                                     GError **error)
{
    return make_loaded(open_load, settings, error);
}

/* Three rates with durations that are drawn, and so many replications. */
static inline AftSweep *three_rates(guint replications)
{
    AftSweep *sweep = sweep_of(AFT_DESIGN_GRID, 0);
    add_values(sweep, "workload.rate", VALUES("20 /s", "50 /s", "80 /s"));
    AftAxis *axis =
        add_distribution(sweep, "run.duration", AFT_UNIT_TIME, AFT_DISTRIBUTION_UNIFORM, 5.0, 15.0);
    axis->minimum = 1.0;
    axis->maximum = 100.0;
    sweep->replications.n = sweep->replications.most = replications;
    return sweep;
}

static inline AftStore *open_at(const char *folder, const AftSweep *sweep, guint points,
                                guint shard, guint shards, gboolean resume)
{
    g_autofree char *digest = aft_sweep_digest(sweep);
    AftStoreIdentity it = shard_of(shard, shards);
    it.sweep_sha256 = digest;
    it.points = points;
    g_autoptr(GError) error = NULL;
    AftStore *store = aft_store_open(folder, &it, resume, &error);
    assert_null(error);
    return store;
}

/* Runs @shard of @shards of @sweep in @folder. */
static inline AftSweepProgress run_shard(const AftSweep *sweep, const char *folder, guint jobs,
                                         guint shard, guint shards, gboolean resume)
{
    g_autoptr(AftPoints) points = points_of(sweep);
    g_autoptr(AftStore) store = open_at(folder, sweep, aft_points_n(points), shard, shards, resume);
    AftSweepSetup setup = {.sweep = sweep,
                           .points = points,
                           .store = store,
                           .seed = 7,
                           .jobs = jobs,
                           .make = make_disk};
    AftSweepProgress progress;
    g_autoptr(GError) error = NULL;
    assert_true(aft_sweep_run(&setup, &progress, &error));
    assert_null(error);
    return progress;
}

/* Returns: (transfer full): the digest of what @folder has. */
static inline char *digest_of(const char *folder)
{
    g_autofree char *path = g_build_filename(folder, "sweep.db", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(AftStore) store = aft_store_open_file(path, &error);
    assert_null(error);
    char *digest = aft_store_digest(store, &error);
    assert_null(error);
    return digest;
}
