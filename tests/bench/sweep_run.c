/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_run.h"

#include "bench.h"

#include <aftershock/loader/loader.h>
#include <aftershock/sweep/runner.h>
#include <aftershock/sweep/tables.h>
#include <glib/gstdio.h>
#include <stdio.h>

BenchCost bench_cost_now(void)
{
    return (BenchCost){(double)g_get_monotonic_time() / 1e3, (double)bench_thread_ns() / 1e6};
}

BenchCost bench_cost_since(BenchCost start)
{
    BenchCost now = bench_cost_now();
    return (BenchCost){now.elapsed_ms - start.elapsed_ms, now.cpu_ms - start.cpu_ms};
}

AftScenario *bench_sweep_scenario(const BenchSweep *sweep)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    AftScenario *scenario = aft_loader_load_file(sweep->path, sweep->settings, messages, &error);
    if (scenario == NULL) {
        fprintf(stderr, "%s\n", error->message);
    }
    return scenario;
}

/* A sweep without axes sets nothing by itself. */
static AftScenario *make(const char *const *settings G_GNUC_UNUSED, void *context, GError **error)
{
    const BenchSweep *sweep = context;
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    return aft_loader_load_file(sweep->path, sweep->settings, messages, error);
}

static AftStore *open_store(const char *folder, const AftSweep *sweep, GError **error)
{
    g_autofree char *digest = aft_sweep_digest(sweep);
    const AftStoreIdentity identity = {.version = "bench",
                                       .sweep_sha256 = digest,
                                       .base_sha256 = "",
                                       .name = "bench",
                                       .design = aft_design_name(sweep->design),
                                       .fidelity = "",
                                       .seed = 1,
                                       .points = 1,
                                       .shard = 1,
                                       .shards = 1};
    return aft_store_open(folder, &identity, FALSE, error);
}

static gboolean write_tables(AftStore *store, const char *folder, GError **error)
{
    g_autoptr(GPtrArray) ranking = aft_tables_rank(store, error);
    return ranking != NULL && aft_tables_write(store, ranking, folder, error);
}

static gboolean run_in(const BenchSweep *it, const char *folder, GError **error)
{
    g_autoptr(AftSweep) sweep = aft_sweep_new();
    sweep->replications.n = sweep->replications.most = it->replications;
    g_autoptr(AftPoints) points = aft_points_new(sweep, error);
    g_autoptr(AftStore) store = open_store(folder, sweep, error);
    if (store == NULL) {
        return FALSE;
    }
    AftSweepProgress progress;
    const AftSweepSetup setup = {.sweep = sweep,
                                 .points = points,
                                 .store = store,
                                 .seed = 1,
                                 .jobs = it->jobs,
                                 .make = make,
                                 .context = (void *)it};
    gboolean fine = aft_sweep_run(&setup, &progress, error);
    if (fine && progress.done != it->replications) {
        fprintf(stderr, "%s: %" G_GUINT64_FORMAT " replications failed\n", it->path,
                progress.failed);
        return FALSE;
    }
    return fine && (!it->tables || write_tables(store, folder, error));
}

static void remove_folder(const char *folder)
{
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    const char *name;
    while (directory != NULL && (name = g_dir_read_name(directory)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_unlink(path);
    }
    g_rmdir(folder);
}

gboolean bench_sweep_run(const BenchSweep *sweep, BenchCost *ret_cost)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("aftershock-bench-XXXXXX", &error);
    BenchCost start = bench_cost_now();
    gboolean fine = folder != NULL && run_in(sweep, folder, &error);
    *ret_cost = bench_cost_since(start);
    if (folder != NULL) {
        remove_folder(folder);
    }
    if (error != NULL) {
        fprintf(stderr, "%s\n", error->message);
    }
    return fine;
}
