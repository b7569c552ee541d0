/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrivals whose rate changes: bursts, days and pauses. */
#include "cluster.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

#define OPEN "workload.kind=open", "workload.vms=4", "workload.read_share=100 %"

static gint64 arrived(const Cluster *cluster)
{
    const AftClients *clients = &cluster->model->clients[0];
    gint64 sum = 0;
    for (guint i = 0; i < clients->n_vms; i++) {
        sum += clients->vms[i].owed.arrived + clients->vms[i].shed;
    }
    return sum;
}

#define WINDOWS  4000
#define LENGTH_S 0.25
#define RATE     400.0
#define SHARE    0.2
#define FACTOR   5.0
#define MEAN_S   0.05

/* Counts of an MMPP of two states, over windows of T: with x = T / t their index of dispersion is
 * 1 + 2 r p (1 - p) (f1 - f2)^2 t (1 - (1 - exp(-x)) / x)  (Fischer and Meier-Hellstern 1993). */
static void bursts_have_the_dispersion_of_theory(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(OPEN, "workload.rate=400 /s", "workload.burst.factor=5",
                               "workload.burst.share=20 %", "workload.burst.mean=50 ms");
    double counts[WINDOWS];
    for (guint i = 0; i < WINDOWS; i++) {
        gint64 before = arrived(cluster);
        cluster_run(cluster, (i + 1) * LENGTH_S);
        counts[i] = (double)(arrived(cluster) - before);
    }
    double calm = 1.0 / (1.0 - SHARE + SHARE * FACTOR), t = MEAN_S * (1.0 - SHARE),
           x = LENGTH_S / t;
    double apart = (FACTOR - 1.0) * calm;
    double long_run = 2.0 * RATE * SHARE * (1.0 - SHARE) * apart * apart * t;
    double expected = 1.0 + long_run * (1.0 - (1.0 - exp(-x)) / x);
    double mean = gsl_stats_mean(counts, 1, WINDOWS);
    double chance = sqrt((1.0 + long_run) * RATE / (WINDOWS * LENGTH_S));
    assert_within(mean / LENGTH_S, RATE, 3.0 * chance);
    assert_within(cluster->model->clients[0].rhythm.dispersion, 1.0 + long_run, 1e-9);
    /* Counts have a kurtosis of 4 to 5, so a variance of 4,000 a standard error of 3 %. */
    assert_within(gsl_stats_variance(counts, 1, WINDOWS) / mean, expected, 0.09 * expected);
    cluster_free(cluster);
}

/* All machines burst together: their counts have as much in common as the rate has. */
static void bursts_are_of_the_whole_workload(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(OPEN, "workload.rate=400 /s", "workload.burst.factor=100",
                               "workload.burst.share=10 %", "workload.burst.mean=200 ms");
    const AftVm *vms = cluster->model->clients[0].vms;
    double one[400], other[400];
    for (guint i = 0; i < 400; i++) {
        gint64 before[] = {vms[0].owed.arrived, vms[1].owed.arrived};
        cluster_run(cluster, (i + 1) * 0.5);
        one[i] = (double)(vms[0].owed.arrived - before[0]);
        other[i] = (double)(vms[1].owed.arrived - before[1]);
    }
    assert_true(gsl_stats_correlation(one, 1, other, 1, 400) > 0.9);
    cluster_free(cluster);
}

/* A relaxation time of a second is the longest that windows are to see. */
static void long_bursts_are_slow_events(void **state)
{
    (void)state;
    Cluster *fast = CLUSTER(OPEN, "workload.rate=10 /s", "workload.burst.factor=2",
                            "workload.burst.share=50 %", "workload.burst.mean=2 s");
    Cluster *slow = CLUSTER(OPEN, "workload.rate=10 /s", "workload.burst.factor=2",
                            "workload.burst.share=50 %", "workload.burst.mean=2.1 s");
    assert_int_equal(aft_model_relaxation_ns(fast->model), 1000000000);
    assert_int_equal(aft_engine_next_slow(fast->engine), G_MAXINT64);
    assert_int_equal(aft_model_relaxation_ns(slow->model), 0);
    assert_true(aft_engine_next_slow(slow->engine) < G_MAXINT64);
    const AftVm *vm = &slow->model->clients[0].vms[0];
    double factor = slow->model->clients[0].rhythm.burst;
    assert_within(vm->mean_rate_per_s, 2.5 * factor, 1e-12);
    assert_within(fast->model->clients[0].vms[0].mean_rate_per_s, 2.5, 1e-12);
    cluster_run(slow, 200.0);
    cluster_free(fast);
    cluster_free(slow);
}

/* Evenly paced: a machine is off by one at most. */
static void assert_arrived(const Cluster *cluster, double expected)
{
    assert_within((double)arrived(cluster), expected, 4.0);
}

static void days_have_their_hours(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(OPEN, "workload.pacing=even", "workload.rate=1 /s", "workload.day[0]=1",
                "workload.day[1]=3", "workload.day[2]=0", "workload.day_start=6 h");
    double hour_s = 3600.0, third = 0.0;
    cluster_run(cluster, 2.0 * hour_s); /* the first third of the day ends at 8 h */
    assert_arrived(cluster, third += 2.0 * hour_s * 0.75);
    cluster_run(cluster, 10.0 * hour_s);
    assert_arrived(cluster, third += 8.0 * hour_s * 2.25);
    cluster_run(cluster, 18.0 * hour_s);
    assert_arrived(cluster, third);
    cluster_run(cluster, 26.0 * hour_s); /* the next day */
    assert_arrived(cluster, third += 8.0 * hour_s * 0.75);
    cluster_run(cluster, 48.0 * hour_s);
    assert_arrived(cluster, 48.0 * hour_s);
    cluster_free(cluster);
}

static void a_day_that_is_all_alike_changes_nothing(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(OPEN, "workload.rate=1 /s", "workload.day[0]=7", "workload.day[1]=7");
    assert_int_equal(aft_engine_next_slow(cluster->engine), G_MAXINT64);
    assert_within(cluster->model->clients[0].vms[0].rate_per_s, 0.25, 0.0);
    cluster_free(cluster);
}

static void a_clock_that_is_paused_goes_on_where_it_stood(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(OPEN, "workload.pacing=even", "workload.rate=400 /s");
    AftClients *clients = &cluster->model->clients[0];
    cluster_run(cluster, 10.001);
    gint64 before = arrived(cluster);
    assert_int_equal(before, 4000);
    aft_clients_pause(clients, TRUE);
    aft_clients_pause(clients, TRUE);
    cluster_run(cluster, 20.0);
    assert_int_equal(arrived(cluster), before);
    aft_clients_pause(clients, FALSE);
    cluster_run(cluster, 29.999);
    assert_int_equal(arrived(cluster), 8000);
    cluster_free(cluster);
}

/* With a clock that stands, a burst makes no difference. */
static void bursts_do_not_wake_what_is_paused(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(OPEN, "workload.rate=400 /s", "workload.burst.factor=5",
                               "workload.burst.share=20 %", "workload.burst.mean=50 ms");
    cluster_run(cluster, 1.0);
    aft_clients_pause(&cluster->model->clients[0], TRUE);
    gint64 before = arrived(cluster);
    cluster_run(cluster, 10.0);
    assert_int_equal(arrived(cluster), before);
    cluster_free(cluster);
}

static void check_closed(const char *think)
{
    Cluster *cluster =
        CLUSTER("workload.kind=closed", "workload.vms=3", "workload.outstanding=12", think);
    AftClients *clients = &cluster->model->clients[0];
    cluster_run(cluster, 1.0);
    aft_clients_pause(clients, TRUE);
    cluster_run(cluster, 2.0);
    gint64 before = aft_model_completed(cluster->model);
    assert_int_equal(aft_clients_in_flight(clients), 0);
    cluster_run(cluster, 3.0);
    assert_int_equal(aft_model_completed(cluster->model), before);
    aft_clients_pause(clients, FALSE);
    assert_int_equal(aft_clients_in_flight(clients), 12);
    cluster_run(cluster, 4.0);
    /* As many as in the first second, give and take one in five. */
    assert_within((double)aft_model_completed(cluster->model) / (double)before, 2.0, 0.2);
    cluster_free(cluster);
}

static void closed_slots_stop_after_their_present_io(void **state)
{
    (void)state;
    check_closed("workload.think=0 s");
    check_closed("workload.think=5 ms");
}

/* Users whose host dies and who are paused meanwhile do what they had begun, and no more. */
static void a_pause_and_a_failure_get_along(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("workload.kind=closed", "workload.vms=5", "workload.outstanding=10",
                               "workload.restart=3 s", "timeline[0].at=1 s",
                               "timeline[0].fail=node 2", "cluster.detect=1 s");
    AftClients *clients = &cluster->model->clients[0];
    cluster_run(cluster, 1.5);
    aft_clients_pause(clients, TRUE);
    cluster_run(cluster, 10.0);
    assert_int_equal(aft_clients_in_flight(clients), 0);
    assert_int_equal(clients->owed, 0);
    aft_clients_pause(clients, FALSE);
    assert_int_equal(aft_clients_in_flight(clients), 10);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bursts_have_the_dispersion_of_theory),
        cmocka_unit_test(bursts_are_of_the_whole_workload),
        cmocka_unit_test(long_bursts_are_slow_events),
        cmocka_unit_test(days_have_their_hours),
        cmocka_unit_test(a_day_that_is_all_alike_changes_nothing),
        cmocka_unit_test(a_clock_that_is_paused_goes_on_where_it_stood),
        cmocka_unit_test(bursts_do_not_wake_what_is_paused),
        cmocka_unit_test(closed_slots_stop_after_their_present_io),
        cmocka_unit_test(a_pause_and_a_failure_get_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
