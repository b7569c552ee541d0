/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether intervals over replications hold the truth as often as they say, where it is known. */
#include "runs.h"

#include <aftershock/run/run.h>
#include <aftershock/sweep/tables.h>
#include <aftershock/sweep/yields.h>

enum { REPEATS = 2000, N = 5 };

/* The mean latency, s, of a replication of @scenario. */
static double latency_of(const AftScenario *scenario, guint32 replication)
{
    AftRunOptions options = {.replication = replication};
    g_autoptr(AftReplication) row =
        aft_replication_new(0, replication, aft_run(scenario, &options, NULL));
    guint phase, yield;
    assert_true(aft_yield_find("all/read_mean", &phase, &yield, NULL));
    return aft_yield_read(yield, row, phase);
}

/* How many of REPEATS intervals, each over N replications of @scenario, hold @truth. */
static guint count_covered(const AftScenario *scenario, double truth)
{
    guint covered = 0;
    for (guint32 repeat = 0; repeat < REPEATS; repeat++) {
        double values[N];
        for (guint32 i = 0; i < N; i++) {
            values[i] = latency_of(scenario, repeat * N + i);
        }
        AftSpreadOf spread = aft_spread_of(values, N);
        covered += fabs(spread.mean - truth) <= spread.ci ? 1 : 0;
    }
    return covered;
}

static void assert_covers(const char *const *load, const char *const *settings, double truth)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftScenario) scenario = make_loaded(load, settings, &error);
    assert_null(error);
    guint covered = count_covered(scenario, truth);
    print_message("# %u of %u\n", covered, (guint)REPEATS);
    assert_in_range(covered, (guint)(0.93 * REPEATS), (guint)(0.97 * REPEATS));
}

/* A disk that is half busy, for 750 I/Os from an empty queue: 1 / (100 - 50) s. */
static void intervals_of_an_open_queue_hold_the_truth(void **state G_GNUC_UNUSED)
{
    const char *const settings[] = {"run.duration=15 s", "run.trace_interval=15 s", NULL};
    assert_covers(open_load, settings, 0.02);
}

/* Machines that break down after 40 ms, and one who repairs them in 10 ms. With K of them, the
 * time in repair is K / X - Z, where X = (1 - p0) / S and p0 is Erlang's. */
static double repair_time(guint machines, double think_s, double service_s)
{
    double weight = 1.0, all = 1.0;
    for (guint n = 1; n <= machines; n++) {
        weight *= (machines - n + 1.0) * service_s / think_s;
        all += weight;
    }
    double throughput = (1.0 - 1.0 / all) / service_s;
    return machines / throughput - think_s;
}

static void intervals_of_machines_under_repair_hold_the_truth(void **state G_GNUC_UNUSED)
{
    const char *const load[] = {"workload.kind=closed", "workload.outstanding=4",
                                "workload.think=40 ms", NULL};
    const char *const settings[] = {"run.duration=10 s", "run.trace_interval=10 s", NULL};
    assert_covers(load, settings, repair_time(4, 0.04, 0.01));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_an_open_queue_hold_the_truth),
        cmocka_unit_test(intervals_of_machines_under_repair_hold_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
