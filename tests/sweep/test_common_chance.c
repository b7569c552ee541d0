/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much it helps that replication r has the same chance at all points: the variance of the
 * difference of two points, replication by replication, against that of two which share nothing. */
#include "runs.h"
#include "small_bed.h"

#include <aftershock/sweep/yields.h>

#include <gsl/gsl_statistics.h>

enum { COPIES, PARITY, POINTS, MOST = 64 };

/* Five small hosts under reads that four of them cannot bear, of copies or of parity: the
 * requirement is missed for as long as one is away. It comes back after half an hour, but fails at
 * a time that is drawn. */
static const char *const five_hosts[] = {
    "version=1",
    "cluster.nodes=5",
    "cluster.node.controller.slots=2",
    "cluster.node.controller.io=1.2 ms",
    "cluster.node.controller.per_mib=16 ms",
    "cluster.node.controller.latency=1.1 ms",
    "cluster.node.nic=10 Gbit/s",
    "cluster.node.disk_groups.capacity.count=2",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "data.logical=50 GB",
    "data.placement_groups=2048",
    "data.protection.degraded=850 us",
    "workload.kind=paced",
    "workload.vms=10",
    "workload.rate=6600 /s",
    "workload.outstanding=60",
    "workload.owed_limit=5 s",
    "workload.read_share=98 %",
    "workload.block=4 KiB",
    "workload.restart=30 s",
    "workload.return=1 min",
    "background.rebuild.delay=5 min",
    "timeline[0].at=5 min",
    "timeline[0].fail=node 2",
    "timeline[1].at=30 min",
    "timeline[1].restore=node 2",
    "requirement.iops=6600",
    "requirement.read=10 ms",
    "requirement.write=20 ms",
    "run.until=steady",
    "run.settle=2 min",
    "run.duration=2 h",
    "run.trace_interval=10 s",
    NULL,
};

static AftScenario *make_hosts(const char *const *settings, void *context G_GNUC_UNUSED,
                               GError **error)
{
    return bed_make(five_hosts, settings, error);
}

static AftSweep *copies_and_parity(const char *fidelity, guint replications)
{
    AftSweep *sweep = sweep_of(AFT_DESIGN_GRID, 0);
    add_values(sweep, "data.protection.scheme", VALUES("rf2", "raid5"));
    add_values(sweep, "run.fidelity", VALUES(fidelity));
    AftAxis *axis = add_distribution(sweep, "timeline[0].at", AFT_UNIT_TIME,
                                     AFT_DISTRIBUTION_UNIFORM, 120.0, 900.0);
    axis->minimum = 0.0;
    axis->maximum = 1000.0;
    sweep->replications.n = sweep->replications.most = replications;
    return sweep;
}

/* Runs @sweep. Returns: (transfer full): its folder. */
static char *run_sweep(const AftSweep *sweep)
{
    char *folder = new_folder();
    g_autoptr(AftPoints) points = points_of(sweep);
    g_autoptr(AftStore) store = open_at(folder, sweep, POINTS, 1, 1, FALSE);
    const AftSweepSetup setup = {
        .sweep = sweep, .points = points, .store = store, .seed = 1, .jobs = 2, .make = make_hosts};
    AftSweepProgress progress;
    assert_true(aft_sweep_run(&setup, &progress, NULL));
    assert_int_equal(progress.failed, 0);
    return folder;
}

/* One figure of all replications. */
typedef struct {
    guint phase, yield;
    double value[POINTS][MOST];
} Figure;

static gboolean collect(const AftReplication *row, gpointer data, GError **error G_GNUC_UNUSED)
{
    Figure *figure = data;
    figure->value[row->point][row->replication] = aft_yield_read(figure->yield, row, figure->phase);
    return TRUE;
}

/* How many times the variance of differences is that of pairs when there are none: of @n
 * replications in @folder, in the figure called @name. */
static double gain_of(const char *folder, guint n, const char *name)
{
    g_autofree char *path = g_build_filename(folder, "sweep.db", NULL);
    g_autoptr(AftStore) store = aft_store_open_file(path, NULL);
    Figure figure;
    double difference[MOST];
    assert_true(aft_yield_find(name, &figure.phase, &figure.yield, NULL));
    assert_true(aft_store_each(store, G_MAXUINT, collect, &figure, NULL));
    for (guint i = 0; i < n; i++) {
        difference[i] = figure.value[PARITY][i] - figure.value[COPIES][i];
    }
    double apart = gsl_stats_variance(figure.value[COPIES], 1, n) +
                   gsl_stats_variance(figure.value[PARITY], 1, n);
    double gain = apart / gsl_stats_variance(difference, 1, n);
    print_message("# %s: %.1f\n", name, gain);
    return gain;
}

/* When all is steady again does not depend on when the host failed, but on when it came back: what
 * differs there is noise of windows, which points do not share. */
static void assert_gains(const char *fidelity, guint n)
{
    g_autoptr(AftSweep) sweep = copies_and_parity(fidelity, n);
    char *folder = run_sweep(sweep);
    assert_true(gain_of(folder, n, "all/read_mean") >= 5.0);
    assert_true(gain_of(folder, n, "all/missed_minutes") >= 5.0);
    assert_true(gain_of(folder, n, "all/minutes") < 2.0);
    remove_folder(folder);
}

static void pairs_by_remembered_rates_vary_a_fifth_as_much(void **state G_GNUC_UNUSED)
{
    assert_gains("flow", 32);
}

static void pairs_by_windows_vary_a_fifth_as_much(void **state G_GNUC_UNUSED)
{
    assert_gains("sampled", 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_by_remembered_rates_vary_a_fifth_as_much),
        cmocka_unit_test(pairs_by_windows_vary_a_fifth_as_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
