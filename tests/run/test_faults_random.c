/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random small clusters in which everything that can break does, and much that is meant to be done
 * is done meanwhile. The model is looked at after every slow event and in random moments, every I/O
 * simulated; then whole runs of both fidelities are held to themselves. AFTERSHOCK_SCENARIOS says
 * how many (default 50), AFTERSHOCK_SCENARIO begins at another one; a single one is shown. */
#include "trouble.h"

#include <aftershock/result/files.h>
#include <aftershock/run/run.h>
#include <glib/gstdio.h>

static void assert_nothing_is_held(const AftTopology *topology)
{
    assert_int_equal(topology->n_down, 0);
    assert_int_equal(topology->n_unnoticed, 0);
    assert_int_equal(topology->n_out, 0);
    for (guint i = 0; i < topology->n_nodes; i++) {
        const AftNode *node = &topology->nodes[i];
        for (guint hold = 0; hold < AFT_HOLDS; hold++) {
            assert_int_equal(node->held[hold], 0);
        }
        assert_false(node->leaving);
        assert_true(node->wire_factor == 1.0);
    }
}

/* Every group that is not lost is whole and where placement wants it. */
static void assert_whole(const AftPool *pool)
{
    for (guint group = 0; group < pool->n_groups; group++) {
        const AftGroup *it = &pool->groups[group];
        const AftLayout *layout = aft_pool_layout(pool, group);
        AftSeat best[AFT_WIDTH_MOST];
        if (!it->used || it->lost) {
            continue;
        }
        assert_int_equal(it->shunned, AFT_NOWHERE);
        assert_int_equal(it->current, layout->everyone);
        assert_int_equal(it->moving, 0);
        assert_null(it->conversion);
        assert_int_equal(aft_pool_best_seats(pool, group, layout->width, best), layout->width);
        for (guint m = 0; m < layout->width; m++) {
            const AftMember *member = aft_pool_member(pool, group, m);
            guint wanted = 0;
            assert_true(aft_pool_is_home(pool, member));
            for (guint i = 0; i < layout->width; i++) {
                wanted += best[i].node == member->home && best[i].device == member->seat;
            }
            assert_int_equal(wanted, 1);
        }
    }
}

static void check_end(const Cluster *cluster)
{
    AftMoment moment = aft_model_moment(cluster->model);
    guint flags = aft_model_flags(cluster->model) & ~(guint)AFT_FLAG_LOSS;
    assert_int_equal(flags, 0);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_STEADY);
    assert_true(aft_model_is_settled(cluster->model));
    assert_int_equal(moment.degraded_groups, 0);
    assert_within(moment.used_bytes, cluster_stored_bytes(cluster),
                  1e-9 * cluster->first_used_bytes);
    for (guint p = 0; p < cluster->model->pools->len; p++) {
        assert_whole(cluster->model->pools->pdata[p]);
    }
}

static void look_closely(Cluster *cluster)
{
    if (cluster->model != NULL) {
        assert_adds_up(cluster);
    }
}

/* Waits for room that there is not, or was given too little time. */
static gboolean may_wait(const Cluster *cluster)
{
    guint waits = AFT_FLAG_NO_SPACE | AFT_FLAG_NO_TARGET;
    return cluster_is_overloaded(cluster) || (aft_model_flags(cluster->model) & waits) != 0;
}

/* Returns: whether it came to an end that could be checked. */
static gboolean check_model(Maker *maker, AftScenario *scenario, gboolean verbose)
{
    Cluster *cluster = cluster_of(scenario);
    cluster->disturbed = look_closely;
    run_and_look(cluster, maker, END_S, verbose);
    gboolean ended = !maker->endless && !may_wait(cluster);
    if (!maker->endless) {
        assert_nothing_is_held(&cluster->model->topology);
    }
    if (ended) {
        check_end(cluster);
    }
    cluster_free(cluster);
    return ended;
}

/* All files of a run, one after the other. Returns: (transfer full). */
static char *run_to_text(const AftScenario *scenario)
{
    static const char *const files[] = {"phases.csv", "trace.csv", "events.csv", "latency.csv",
                                        "summary.json"};
    g_autoptr(GError) error = NULL;
    g_autoptr(AftResult) result = aft_run(scenario, NULL, &error);
    assert_non_null(result);
    g_autofree char *directory = g_dir_make_tmp("aftershock-XXXXXX", &error);
    assert_non_null(directory);
    assert_true(aft_result_write(result, directory, &error));
    GString *all = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(directory, files[i], NULL);
        g_autofree char *text = NULL;
        assert_true(g_file_get_contents(path, &text, NULL, &error));
        g_string_append(all, text);
        g_unlink(path);
    }
    g_rmdir(directory);
    return g_string_free(all, FALSE);
}

/* @fidelity: "run.fidelity=io". */
static void check_run(const Maker *maker, const char *fidelity)
{
    g_autoptr(AftScenario) scenario = resolve(maker, fidelity);
    g_autofree char *first = run_to_text(scenario);
    g_autofree char *second = run_to_text(scenario);
    assert_string_equal(first, second);
}

typedef struct {
    guint made, ended;
} Tally;

static void check_scenario(guint number, gboolean verbose, Tally *tally)
{
    Maker maker;
    AftScenario *scenario = NULL;
    for (guint attempt = 0; attempt < TRIES && scenario == NULL; attempt++) {
        if (attempt > 0) {
            unmake(&maker);
        }
        make(&maker, number, attempt);
        scenario = resolve(&maker, NULL);
    }
    if (verbose) {
        show_settings(&maker);
    }
    if (scenario != NULL) {
        tally->made++;
        tally->ended += check_model(&maker, scenario, verbose) ? 1 : 0;
        check_run(&maker, "run.fidelity=sampled");
        if (number % 10 == 0) { /* what it does is known; but not to its files */
            check_run(&maker, "run.fidelity=io");
        }
    }
    unmake(&maker);
}

static void whatever_breaks_everything_adds_up_and_ends_well(void **state)
{
    (void)state;
    guint first = first_scenario(), n = n_scenarios();
    Tally tally = {0};
    for (guint i = first; i < first + n; i++) {
        g_test_message("scenario %u", i);
        check_scenario(i, n == 1, &tally);
    }
    g_test_message("%u of %u could run, %u came to an end", tally.made, n, tally.ended);
    assert_true(tally.made >= n * 9 / 10);
    assert_true(tally.ended >= n / 5); /* most have something that never ends, or wait for room */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_breaks_everything_adds_up_and_ends_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
