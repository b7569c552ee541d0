/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep comes to, whoever runs it, and whatever happens meanwhile. */
#include "runs.h"

#include <aftershock/base/error.h>
#include <aftershock/sweep/tables.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns: (transfer full): digest of @sweep run at once by @jobs. */
static char *run_whole(const AftSweep *sweep, guint jobs)
{
    char *folder = new_folder();
    AftSweepProgress progress = run_shard(sweep, folder, jobs, 1, 1, FALSE);
    assert_true(progress.final);
    assert_int_equal(progress.done + progress.failed, progress.total);
    char *digest = digest_of(folder);
    remove_folder(folder);
    return digest;
}

static void threads_change_nothing(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = three_rates(40);
    g_autofree char *one = run_whole(sweep, 1);
    g_autofree char *two = run_whole(sweep, 2);
    g_autofree char *many = run_whole(sweep, 7);
    assert_string_equal(one, two);
    assert_string_equal(one, many);
}

/* Rates are shared by what is alike, or are a replication's own where the load is drawn. */
static void which_of_the_threads_measures_rates_changes_nothing(void **state G_GNUC_UNUSED)
{
    for (guint drawn = 0; drawn < 2; drawn++) {
        g_autoptr(AftSweep) sweep = three_rates(8);
        add_values(sweep, "run.fidelity", VALUES("flow", "sampled"));
        if (drawn) {
            AftAxis *axis = add_distribution(sweep, "workload.read_share", AFT_UNIT_SHARE,
                                             AFT_DISTRIBUTION_UNIFORM, 0.5, 1.0);
            axis->minimum = 0.0;
            axis->maximum = 1.0;
        }
        g_autofree char *one = run_whole(sweep, 1);
        g_autofree char *many = run_whole(sweep, 5);
        assert_string_equal(one, many);
    }
}

static AftSweep *until_precise(void)
{
    AftSweep *sweep = three_rates(16);
    sweep->replications.most = 200;
    sweep->replications.metric = g_strdup("all/read_mean");
    sweep->replications.within = 0.08;
    return sweep;
}

static void threads_do_not_change_when_it_is_enough(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = until_precise();
    g_autofree char *one = run_whole(sweep, 1);
    g_autofree char *many = run_whole(sweep, 5);
    assert_string_equal(one, many);
}

/* How many replications of each point there are. */
static gboolean count(const AftReplication *row, gpointer data, GError **error G_GNUC_UNUSED)
{
    guint *counts = data;
    counts[row->point]++;
    return TRUE;
}

static void a_busier_disk_takes_more_to_be_precise(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = until_precise();
    char *folder = new_folder();
    run_shard(sweep, folder, 2, 1, 1, FALSE);
    g_autofree char *path = g_build_filename(folder, "sweep.db", NULL);
    g_autoptr(AftStore) store = aft_store_open_file(path, NULL);
    guint counts[3] = {0};
    assert_true(aft_store_each(store, G_MAXUINT, count, counts, NULL));
    assert_true(counts[0] <= counts[1]);
    assert_true(counts[1] < counts[2]);
    for (guint i = 0; i < 3; i++) {
        assert_true(counts[i] == 200 || counts[i] % AFT_SWEEP_BLOCK == 0);
    }
    remove_folder(folder);
}

static void shards_in_any_order_make_the_same_whole(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = three_rates(20);
    g_autofree char *whole = run_whole(sweep, 2);
    const guint order[] = {3, 1, 4, 2};
    char *folders[2] = {new_folder(), new_folder()};
    for (guint i = 0; i < G_N_ELEMENTS(order); i++) {
        run_shard(sweep, folders[i % 2], 1, order[i], 4, FALSE);
    }
    char *merged = new_folder();
    g_auto(AftMergeReport) report = {0};
    g_autoptr(GError) error = NULL;
    assert_true(aft_store_merge((const char *const *)folders, 2, merged, &report, &error));
    assert_null(error);
    assert_int_equal(report.stores, 4);
    assert_int_equal(report.gaps->len, 0);
    assert_int_equal(report.conflicts->len, 0);
    g_autofree char *digest = digest_of(merged);
    assert_string_equal(digest, whole);
    remove_folder(merged);
    remove_folder(folders[0]);
    remove_folder(folders[1]);
}

/* Runs @sweep in @folder in a process of its own, which dies after @after_us unless it is done.
 * Returns: whether it was done. */
static gboolean run_until_killed(const AftSweep *sweep, const char *folder, gulong after_us)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        AftSweepProgress progress = run_shard(sweep, folder, 2, 1, 1, TRUE);
        _exit(progress.final ? 0 : 1);
    }
    g_usleep(after_us);
    kill(child, SIGKILL);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void one_that_is_killed_again_and_again_ends_the_same(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = three_rates(120);
    g_autofree char *whole = run_whole(sweep, 2);
    char *folder = new_folder();
    guint killed = 0;
    for (guint i = 0; i < 5; i++) {
        killed += run_until_killed(sweep, folder, 20000 + 17000 * i) ? 0 : 1;
    }
    AftSweepProgress progress = run_shard(sweep, folder, 2, 1, 1, TRUE);
    assert_true(progress.final);
    assert_int_equal(progress.done, 360);
    assert_true(killed >= 1);
    g_autofree char *digest = digest_of(folder);
    assert_string_equal(digest, whole);
    progress = run_shard(sweep, folder, 2, 1, 1, TRUE);
    assert_int_equal(progress.done, progress.begun_with);
    remove_folder(folder);
}

/* A point whose scenario cannot be, between others. */
static void what_fails_is_kept_and_the_rest_goes_on(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = sweep_of(AFT_DESIGN_GRID, 0);
    add_values(sweep, "data.protection", VALUES("none", "rf2"));
    sweep->replications.n = sweep->replications.most = 3;
    char *folder = new_folder();
    AftSweepProgress progress = run_shard(sweep, folder, 2, 1, 1, FALSE);
    assert_true(progress.final);
    assert_int_equal(progress.done, 3);
    assert_int_equal(progress.failed, 3);
    progress = run_shard(sweep, folder, 1, 1, 1, TRUE); /* tried again */
    assert_int_equal(progress.failed, 3);
    g_autofree char *path = g_build_filename(folder, "sweep.db", NULL);
    g_autoptr(AftStore) store = aft_store_open_file(path, NULL);
    assert_int_equal(aft_store_count(store).failed, 3);
    g_autoptr(GPtrArray) ranking = aft_tables_rank(store, NULL);
    assert_int_equal(ranking->len, 1);
    remove_folder(folder);
}

static void threads_that_are_interrupted_keep_what_is_done(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = three_rates(10);
    g_autoptr(AftPoints) points = points_of(sweep);
    char *folder = new_folder();
    g_autoptr(AftStore) store = open_at(folder, sweep, 3, 1, 1, FALSE);
    gint interrupted = 1;
    AftSweepSetup setup = {.sweep = sweep,
                           .points = points,
                           .store = store,
                           .seed = 7,
                           .jobs = 2,
                           .interrupted = &interrupted,
                           .make = make_disk};
    AftSweepProgress progress;
    assert_true(aft_sweep_run(&setup, &progress, NULL));
    assert_false(progress.final);
    assert_int_equal(progress.done, 0);
    interrupted = 0;
    assert_true(aft_sweep_run(&setup, &progress, NULL));
    assert_true(progress.final);
    assert_int_equal(progress.done, 30);
    remove_folder(folder);
}

/* Of two disks, one twice as fast. */
static void pairs_are_sharper_than_means(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = three_rates(30);
    char *folder = new_folder();
    run_shard(sweep, folder, 2, 1, 1, FALSE);
    g_autofree char *path = g_build_filename(folder, "sweep.db", NULL);
    g_autoptr(AftStore) store = aft_store_open_file(path, NULL);
    g_autoptr(GPtrArray) ranking = aft_tables_rank(store, NULL);
    assert_int_equal(ranking->len, 3);
    const AftRanked *best = ranking->pdata[0], *worst = ranking->pdata[2];
    assert_int_equal(best->point, 0);
    assert_int_equal(worst->point, 2);
    assert_within(worst->worse_s, worst->missed_s - best->missed_s, 1e-9);
    assert_string_equal(worst->axes[0], "workload.rate=80 /s");
    assert_string_equal(worst->axes[1], "run.duration=");
    remove_folder(folder);
}

/* Given a pattern, runs only the cases whose names it fits. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(which_of_the_threads_measures_rates_changes_nothing),
        cmocka_unit_test(threads_do_not_change_when_it_is_enough),
        cmocka_unit_test(a_busier_disk_takes_more_to_be_precise),
        cmocka_unit_test(shards_in_any_order_make_the_same_whole),
        cmocka_unit_test(one_that_is_killed_again_and_again_ends_the_same),
        cmocka_unit_test(what_fails_is_kept_and_the_rest_goes_on),
        cmocka_unit_test(threads_that_are_interrupted_keep_what_is_done),
        cmocka_unit_test(pairs_are_sharper_than_means),
    };
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
