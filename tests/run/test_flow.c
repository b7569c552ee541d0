/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembered rates: whoever asks first, on whatever thread, gets what all others get; what is known
 * is not measured again; and what has no rates is refused. */
#include "experiment.h"
#include "small_cluster.h"

#include <aftershock/base/error.h>
#include <aftershock/result/files.h>

#include <glib/gstdio.h>

#define REPLICATIONS 4

static const char *const files[] = {"phases.csv", "trace.csv", "events.csv", "latency.csv",
                                    "summary.json"};

static AftScenario *flow_with(const char *const *changes)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_ptr_array_add(all, (gpointer) "run.fidelity=flow");
    g_ptr_array_add(all, (gpointer) "run.max_simulated=10 s");
    g_ptr_array_add(all, (gpointer) "run.precision=10 %");
    for (guint i = 0; changes[i] != NULL; i++) {
        g_ptr_array_add(all, (gpointer)changes[i]);
    }
    g_ptr_array_add(all, NULL);
    return scenario_with(small_cluster, (const char *const *)all->pdata);
}

/* Hosts die by chance, so that replications differ. */
static AftScenario *by_chance(void)
{
    return flow_with((const char *const[]){"timeline[0].at=50 min", "faults[0].part=node",
                                           "faults[0].every=100 min", "faults[0].repair=8 min",
                                           "run.until=duration", "run.duration=1 h", NULL});
}

/* All that is written of a replication. */
static char *output(const AftScenario *scenario, guint replication, AftRates *rates)
{
    g_autoptr(GError) error = NULL;
    AftRunOptions options = {.replication = replication, .rates = rates};
    g_autoptr(AftResult) result = aft_run(scenario, &options, &error);
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *directory = g_dir_make_tmp("aftershock-XXXXXX", NULL);
    if (error != NULL) {
        fail_msg("%s", error->message);
    }
    assert_true(aft_result_write(result, directory, &error));
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(directory, files[i], NULL);
        g_autofree char *content = NULL;
        assert_true(g_file_get_contents(path, &content, NULL, &error));
        g_string_append(text, content);
        g_unlink(path);
    }
    g_rmdir(directory);
    return g_strdup(text->str);
}

static void fill(const AftScenario *scenario, char **texts, gboolean backwards)
{
    g_autoptr(AftRates) rates = aft_rates_new();
    for (guint i = 0; i < REPLICATIONS; i++) {
        guint replication = backwards ? REPLICATIONS - 1 - i : i;
        texts[replication] = output(scenario, replication, rates);
    }
}

static void assert_same(char **a, char **b)
{
    for (guint i = 0; i < REPLICATIONS; i++) {
        assert_string_equal(a[i], b[i]);
        g_free(b[i]);
    }
}

static void free_texts(char **texts)
{
    for (guint i = 0; i < REPLICATIONS; i++) {
        g_free(texts[i]);
    }
}

static void it_does_not_matter_who_asks_first(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftScenario) scenario = by_chance();
    char *forwards[REPLICATIONS], *backwards[REPLICATIONS], *alone[REPLICATIONS];
    fill(scenario, forwards, FALSE);
    fill(scenario, backwards, TRUE);
    for (guint i = 0; i < REPLICATIONS; i++) {
        alone[i] = output(scenario, i, NULL);
    }
    assert_string_not_equal(forwards[0], forwards[1]); /* or nothing is shown */
    assert_same(forwards, backwards);
    assert_same(forwards, alone);
    free_texts(forwards);
}

typedef struct {
    const AftScenario *scenario;
    AftRates *rates;
    guint first;
    char **texts;
} Half;

static gpointer run_half(gpointer data)
{
    const Half *half = data;
    for (guint i = half->first; i < REPLICATIONS; i += 2) {
        half->texts[i] = output(half->scenario, i, half->rates);
    }
    return NULL;
}

static void it_does_not_matter_on_which_thread(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftScenario) scenario = by_chance();
    g_autoptr(AftRates) rates = aft_rates_new();
    char *one[REPLICATIONS], *two[REPLICATIONS];
    GThread *threads[2];
    Half halves[2];
    for (guint i = 0; i < 2; i++) {
        halves[i] = (Half){scenario, rates, i, two};
        threads[i] = g_thread_new("half", run_half, &halves[i]);
    }
    g_thread_join(threads[0]);
    g_thread_join(threads[1]);
    fill(scenario, one, FALSE);
    assert_same(one, two);
    free_texts(one);
}

static void what_is_known_is_not_measured_again(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftScenario) scenario = flow_with((const char *const[]){RETURNS, NULL});
    g_autoptr(AftRates) rates = aft_rates_new();
    g_autofree char *first = output(scenario, 0, rates);
    guint states = aft_rates_states(rates);
    double simulated_s = aft_rates_simulated_s(rates);
    g_autofree char *second = output(scenario, 1, rates);
    assert_true(states > 10);
    assert_true(simulated_s > 10.0);
    assert_int_equal(aft_rates_states(rates), states);
    assert_true(aft_rates_simulated_s(rates) == simulated_s);
    assert_string_equal(first, second); /* there is no chance in it */
}

/* When things happen, for how long, and what is required changes no rate. */
static void another_time_has_the_same_rates(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftScenario) scenario = flow_with((const char *const[]){RETURNS, NULL});
    g_autoptr(AftScenario) later =
        flow_with((const char *const[]){RETURNS, "timeline[0].at=2 min", "timeline[1].at=16 min",
                                        "requirement.iops=300", "run.duration=3 h", NULL});
    g_autoptr(AftScenario) faster =
        flow_with((const char *const[]){RETURNS, "workload.rate=240 /s", NULL});
    g_autoptr(AftRates) rates = aft_rates_new();
    g_autofree char *first = output(scenario, 0, rates);
    guint states = aft_rates_states(rates);
    g_autofree char *second = output(later, 0, rates);
    assert_int_equal(aft_rates_states(rates), states);
    g_autofree char *third = output(faster, 0, rates);
    assert_string_not_equal(first, second);
    assert_string_not_equal(first, third);
    assert_true(aft_rates_states(rates) > states + 10);
}

static void assert_refused(const char *const *changes, const char *what)
{
    g_autoptr(AftScenario) scenario = flow_with(changes);
    g_autoptr(GError) error = NULL;
    assert_null(aft_run(scenario, NULL, &error));
    assert_true(g_error_matches(error, AFT_ERROR, AFT_ERROR_CONFLICT));
    assert_non_null(strstr(error->message, what));
    assert_non_null(strstr(error->message, "--fidelity sampled"));
}

static void what_has_no_rates_is_refused(void **state G_GNUC_UNUSED)
{
    assert_refused((const char *const[]){"timeline[1].at=5 min", "timeline[1].slow.factor=2",
                                         "timeline[1].slow.link=node 1",
                                         "timeline[1].slow.for=1 min", NULL},
                   "slow parts (timeline[1])");
    assert_refused((const char *const[]){"timeline[1].at=5 min", "timeline[1].maintenance.node=1",
                                         "timeline[1].maintenance.for=1 min", NULL},
                   "maintenance");
    assert_refused((const char *const[]){"background.scrub.every=1 d", NULL}, "scrubs");
    assert_refused((const char *const[]){"background.rebalance.trigger=scan",
                                         "background.scan.full=1 h", NULL},
                   "scans");
    assert_refused((const char *const[]){"background.scheduler=adaptive", NULL}, "adapts");
}

/* 800 a second where 667 sub-operations are done: no rate says how many are in flight. */
static void users_that_nobody_can_serve_are_refused(void **state G_GNUC_UNUSED)
{
    assert_refused((const char *const[]){"workload.kind=open", "workload.rate=800 /s",
                                         "workload.outstanding=60000", NULL},
                   "more and more I/O is in flight");
}

/* I/O waits from the first moment on, for all of the six seconds that nobody knows. */
static void a_death_at_the_beginning_is_seen(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftScenario) scenario =
        flow_with((const char *const[]){"timeline[0].at=0 s", "run.trace_interval=6 s",
                                        "run.until=duration", "run.duration=1 min", NULL});
    g_autoptr(AftResult) result = run_scenario(scenario);
    const AftTraceRow *unnoticed = &g_array_index(result->trace, AftTraceRow, 0);
    const AftTraceRow *noticed = &g_array_index(result->trace, AftTraceRow, 1);
    assert_true(unnoticed->read_iops < noticed->read_iops / 4.0);
}

typedef struct {
    gint interrupted;
    guint after_us;
} Interrupt;

static gpointer interrupt(gpointer data)
{
    Interrupt *it = data;
    g_usleep(it->after_us);
    g_atomic_int_set(&it->interrupted, 1);
    return NULL;
}

/* Wherever it is: in the transient of a measurement, in its windows, or where all is simulated. */
static void an_interrupted_measurement_is_left(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftScenario) scenario = flow_with((const char *const[]){RETURNS, NULL});
    for (guint i = 0; i < 20; i++) {
        g_autoptr(AftRates) rates = aft_rates_new();
        g_autoptr(GError) error = NULL;
        Interrupt it = {.after_us = 500U << (i / 2)};
        AftRunOptions options = {.rates = rates, .interrupted = &it.interrupted};
        GThread *thread = g_thread_new("interrupt", interrupt, &it);
        g_autoptr(AftResult) result = aft_run(scenario, &options, &error);
        g_thread_join(thread);
        assert_non_null(result);
        assert_true(result->interrupted || aft_rates_states(rates) > 10);
    }
}

/* Runs over years, with ever new states, must not fill memory. */
static void without_room_the_results_are_the_same(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftScenario) scenario = flow_with((const char *const[]){RETURNS, NULL});
    g_autoptr(AftRates) few = aft_rates_new_for(3);
    g_autofree char *crowded = output(scenario, 0, few);
    g_autofree char *alone = output(scenario, 0, NULL);
    assert_int_equal(aft_rates_states(few), 3);
    assert_string_equal(crowded, alone);
}

/* A sweep would measure it for every replication. */
static void a_refusal_is_remembered(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftScenario) scenario =
        flow_with((const char *const[]){"workload.kind=open", "workload.rate=800 /s",
                                        "workload.outstanding=60000", NULL});
    g_autoptr(AftRates) rates = aft_rates_new();
    AftRunOptions options = {.rates = rates};
    for (guint i = 0; i < 2; i++) {
        g_autoptr(GError) error = NULL;
        assert_null(aft_run(scenario, &options, &error));
        assert_true(g_error_matches(error, AFT_ERROR, AFT_ERROR_CONFLICT));
        assert_int_equal(aft_rates_states(rates), 1);
    }
}

static AftResult *carried_with(const char *const *changes)
{
    g_autoptr(AftScenario) scenario = flow_with(changes);
    g_autoptr(GError) error = NULL;
    AftResult *result = aft_run(scenario, NULL, &error);
    if (error != NULL) {
        fail_msg("%s", error->message);
    }
    return result;
}

/* 600 a second where some 400 are served: a second of load is owed after a few seconds, in which
 * nothing else happens. */
static void catchup_begins_with_a_second_of_load(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = carried_with((const char *const[]){"workload.rate=600 /s", NULL});
    const AftPhaseRow *row = &g_array_index(result->phases, AftPhaseRow, 1);
    assert_int_equal(row->phase, AFT_PHASE_CATCHUP);
    assert_true(row->start_s > 1.0 && row->start_s < 20.0);
}

/* They owe nothing, though machines of a dead host have I/O that waits until they run again. */
static void users_who_think_come_to_the_end(void **state G_GNUC_UNUSED)
{
    static const char *const thinking[] = {"version=1",
                                           "cluster.nodes=8",
                                           "cluster.node.controller.slots=2",
                                           "cluster.node.controller.io=0.3 ms",
                                           "cluster.node.controller.per_mib=4 ms",
                                           "cluster.node.controller.latency=0.5 ms",
                                           "cluster.node.nic=10 Gbit/s",
                                           "cluster.node.disk_groups.count=1",
                                           "cluster.node.disk_groups.capacity.count=2",
                                           "cluster.node.disk_groups.capacity.device=sata-ssd",
                                           "data.logical=2 GB",
                                           "data.placement_groups=32",
                                           "data.protection.scheme=ec",
                                           "data.protection.data=2",
                                           "data.protection.parity=2",
                                           "workload.kind=closed",
                                           "workload.vms=4",
                                           "workload.read_share=80 %",
                                           "workload.block=4 KiB",
                                           "workload.outstanding=32",
                                           "workload.think=50 ms",
                                           "workload.restart=30 s",
                                           "workload.return=1 min",
                                           "background.rebuild.delay=600 s",
                                           "background.rebuild.device_delay=60 s",
                                           "background.rebalance.delay=100 s",
                                           "background.rebalance.bandwidth=5 MB/s",
                                           "requirement.iops=2533",
                                           "requirement.read=20 ms",
                                           "requirement.write=40 ms",
                                           "timeline[0].at=189 s",
                                           "timeline[0].fail=node 1",
                                           "timeline[1].at=289 s",
                                           "timeline[1].restore=node 1",
                                           "run.until=steady",
                                           "run.settle=30 s",
                                           "run.duration=2 h",
                                           "run.seed=20",
                                           "run.fidelity=flow",
                                           NULL};
    g_autoptr(AftScenario) scenario = scenario_with(thinking, (const char *const[]){NULL});
    g_autoptr(AftResult) result = run_scenario(scenario);
    assert_true(phase_row(result, 2)->rebuild_bytes > 0.0);
}

/* Few large members: nodes that write finish one after the other, and those that still do have less
 * left than their part of the work would be. */
static void few_members_are_rebuilt(void **state G_GNUC_UNUSED)
{
    static const char *const few[] = {"version=1",
                                      "cluster.nodes=7",
                                      "cluster.node.controller.slots=2",
                                      "cluster.node.controller.io=2.042 ms",
                                      "cluster.node.controller.per_mib=16 ms",
                                      "cluster.node.controller.latency=0.5 ms",
                                      "cluster.node.nic=10 Gbit/s",
                                      "cluster.node.disk_groups.count=2",
                                      "cluster.node.disk_groups.capacity.count=1",
                                      "cluster.node.disk_groups.capacity.device=sata-ssd",
                                      "data.logical=40 GB",
                                      "data.placement_groups=32",
                                      "data.protection.scheme=raid5",
                                      "data.protection.data=3",
                                      "data.protection.parity=1",
                                      "data.domain=node",
                                      "workload.kind=open",
                                      "workload.vms=14",
                                      "workload.read_share=80 %",
                                      "workload.block=64 KiB",
                                      "workload.outstanding=2000",
                                      "workload.rate=300 /s",
                                      "workload.restart=30 s",
                                      "workload.return=1 min",
                                      "background.rebuild.delay=30 s",
                                      "background.rebuild.device_delay=10 s",
                                      "background.rebalance.delay=5 s",
                                      "requirement.iops=2850",
                                      "requirement.read=20 ms",
                                      "requirement.write=40 ms",
                                      "timeline[0].at=387 s",
                                      "timeline[0].fail=controller 4",
                                      "run.until=steady",
                                      "run.settle=30 s",
                                      "run.duration=20 min",
                                      "run.seed=17",
                                      "run.fidelity=flow",
                                      NULL};
    g_autoptr(AftScenario) scenario = scenario_with(few, (const char *const[]){NULL});
    g_autoptr(AftResult) result = run_scenario(scenario);
    assert_true(phase_row(result, 2)->rebuild_bytes > 0.0);
}

/* Given a name, runs only that case. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_does_not_matter_who_asks_first),
        cmocka_unit_test(it_does_not_matter_on_which_thread),
        cmocka_unit_test(what_is_known_is_not_measured_again),
        cmocka_unit_test(another_time_has_the_same_rates),
        cmocka_unit_test(what_has_no_rates_is_refused),
        cmocka_unit_test(a_death_at_the_beginning_is_seen),
        cmocka_unit_test(an_interrupted_measurement_is_left),
        cmocka_unit_test(users_that_nobody_can_serve_are_refused),
        cmocka_unit_test(without_room_the_results_are_the_same),
        cmocka_unit_test(a_refusal_is_remembered),
        cmocka_unit_test(catchup_begins_with_a_second_of_load),
        cmocka_unit_test(users_who_think_come_to_the_end),
        cmocka_unit_test(few_members_are_rebuilt),
    };
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
