/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One seed, one result, to the last bit, whatever else the process does; another seed, another. */
#include "experiment.h"
#include "small_cluster.h"

#include <aftershock/result/files.h>

#include <glib/gstdio.h>

static const char *const files[] = {"phases.csv", "trace.csv", "events.csv", "latency.csv",
                                    "summary.json"};

#define FILES G_N_ELEMENTS(files)

typedef struct {
    char *text[FILES];
} Output;

static void clear_output(Output *output)
{
    for (guint i = 0; i < FILES; i++) {
        g_clear_pointer(&output->text[i], g_free);
    }
}

/* The files of @result, by way of a directory that is gone afterwards. */
static void read_output(const AftResult *result, Output *ret_output)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *directory = g_dir_make_tmp("aftershock-XXXXXX", &error);
    assert_non_null(directory);
    assert_true(aft_result_write(result, directory, &error));
    for (guint i = 0; i < FILES; i++) {
        g_autofree char *path = g_build_filename(directory, files[i], NULL);
        assert_true(g_file_get_contents(path, &ret_output->text[i], NULL, &error));
        g_unlink(path);
    }
    g_rmdir(directory);
}

static AftScenario *scenario_of(const char *fidelity, const char *seed)
{
    g_autofree char *run = g_strdup_printf("run.fidelity=%s", fidelity);
    g_autofree char *seeded = g_strdup_printf("run.seed=%s", seed);
    return scenario_with(small_cluster, (const char *const[]){RETURNS, run, seeded,
                                                              "run.max_simulated=10 s", NULL});
}

static void run_output(const char *fidelity, const char *seed, Output *ret_output)
{
    g_autoptr(AftScenario) scenario = scenario_of(fidelity, seed);
    g_autoptr(AftResult) result = run_scenario(scenario);
    read_output(result, ret_output);
}

static void assert_same(const Output *a, const Output *b)
{
    for (guint i = 0; i < FILES; i++) {
        assert_string_equal(a->text[i], b->text[i]);
    }
}

/* @state: the fidelity. */
static void same_seed_same_bytes(void **state)
{
    Output first, second;
    run_output(*state, "1", &first);
    run_output(*state, "1", &second);
    assert_same(&first, &second);
    clear_output(&first);
    clear_output(&second);
}

static void another_seed_other_bytes_in_every_file(void **state)
{
    Output first, second;
    run_output(*state, "1", &first);
    run_output(*state, "2", &second);
    for (guint i = 0; i < FILES; i++) {
        assert_string_not_equal(first.text[i], second.text[i]);
    }
    clear_output(&first);
    clear_output(&second);
}

static gpointer run_in_thread(gpointer scenario)
{
    return aft_run(scenario, NULL, NULL);
}

/* Both fidelities and both seeds at once: whatever they shared would show. */
static void runs_side_by_side_are_as_they_are_alone(void **state G_GNUC_UNUSED)
{
    static const char *const fidelity[] = {"sampled", "io"};
    static const char *const seed[] = {"1", "2"};
    AftScenario *scenario[2];
    GThread *thread[2];
    for (guint i = 0; i < 2; i++) {
        scenario[i] = scenario_of(fidelity[i], seed[i]);
        thread[i] = g_thread_new("run", run_in_thread, scenario[i]);
    }
    for (guint i = 0; i < 2; i++) {
        Output alone, beside;
        g_autoptr(AftResult) result = g_thread_join(thread[i]);
        assert_non_null(result);
        read_output(result, &beside);
        run_output(fidelity[i], seed[i], &alone);
        assert_same(&alone, &beside);
        clear_output(&alone);
        clear_output(&beside);
        aft_scenario_free(scenario[i]);
    }
}

static void another_replication_has_another_chance(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftScenario) scenario = scenario_of("sampled", "1");
    AftRunOptions options = {.replication = 1};
    g_autoptr(AftResult) first = run_scenario(scenario);
    g_autoptr(AftResult) second = aft_run(scenario, &options, NULL);
    assert_true(phase_row(first, 0)->read_mean_ms != phase_row(second, 0)->read_mean_ms);
    assert_int_equal(first->seed, second->seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"same_seed_same_bytes_io", same_seed_same_bytes, NULL, NULL, (void *)"io"},
        {"same_seed_same_bytes_sampled", same_seed_same_bytes, NULL, NULL, (void *)"sampled"},
        {"another_seed_other_bytes_io", another_seed_other_bytes_in_every_file, NULL, NULL,
         (void *)"io"},
        {"another_seed_other_bytes_sampled", another_seed_other_bytes_in_every_file, NULL, NULL,
         (void *)"sampled"},
        cmocka_unit_test(runs_side_by_side_are_as_they_are_alone),
        cmocka_unit_test(another_replication_has_another_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
