/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several classes at one station, against Cobham's formula for non-preemptive priority:
 * Wq_k = W0 / ((1 - s_(k-1)) (1 - s_k)), with W0 = sum of lambda E[S^2] / 2, and s_k the load of
 * classes up to k. */
#include "flow.h"

#define CLASSES 3

static void flows_init(Flow *flows, AftEngine *engine, AftStation *station, const char *name)
{
    for (guint i = 0; i < CLASSES; i++) {
        flow_init(&flows[i], engine, name, i);
        flow_visit(&flows[i], station, 1.0);
        flows[i].class = i;
    }
}

static void flows_clear(Flow *flows)
{
    for (guint i = 0; i < CLASSES; i++) {
        flow_clear(&flows[i]);
    }
}

typedef struct {
    const char *name;
    guint servers;
    double rate[CLASSES];
    double length;
    double wait[CLASSES];
} Classes;

static void expect_classes(const Classes *of)
{
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) exponential = variate_of(AFT_SPREAD_EXPONENTIAL, 0.0);
    g_autoptr(AftStation) station =
        station_of(engine, "strict", of->servers, exponential, of->name, 0);
    Flow flows[CLASSES];
    flows_init(flows, engine, station, of->name);
    for (guint i = 0; i < CLASSES; i++) {
        flow_open(&flows[i], of->rate[i]);
    }
    flows_measure(flows, CLASSES, of->length);
    for (guint i = 0; i < CLASSES; i++) {
        expect("Wq", &flows[i].found.wait, of->wait[i]);
    }
    flows_clear(flows);
}

static void three_classes_on_one_server(void **state)
{
    (void)state;
    expect_classes(&(Classes){"M/M/1 NP", 1, {0.3, 0.3, 0.2}, 8.5e5, {1.142857, 2.857143, 10.0}});
}

/* With c servers of one rate, W0 = C / (c mu). */
static void three_classes_on_four_servers(void **state)
{
    (void)state;
    expect_classes(
        &(Classes){"M/M/4 NP", 4, {1.2, 1.2, 0.8}, 2.5e5, {0.213012, 0.532529, 1.863851}});
}

static void short_foreground_and_long_background(void **state)
{
    (void)state;
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) exponential = variate_of(AFT_SPREAD_EXPONENTIAL, 0.0);
    g_autoptr(AftVariate) deterministic = variate_of(AFT_SPREAD_DETERMINISTIC, 0.0);
    g_autoptr(AftStation) station = station_of(engine, "strict", 1, deterministic, "M/G/1 NP", 0);
    Flow flows[2];
    for (guint i = 0; i < 2; i++) {
        flow_init(&flows[i], engine, "M/G/1 NP", i);
        flow_visit(&flows[i], station, i == 0 ? 1.0 : 4.0);
        flows[i].class = i;
    }
    flows[0].service = exponential;
    flow_open(&flows[0], 0.5);
    flow_open(&flows[1], 0.08);
    flows_measure(flows, 2, 5e5);
    expect("T of the foreground", &flows[0].found.response, 3.28);
    expect("T of the background", &flows[1].found.response, 16.666667);
    flow_clear(&flows[0]);
    flow_clear(&flows[1]);
}

/* Whatever the order, as long as it ignores service times and nobody is idle in vain:
 * the sum of rho_k Wq_k is rho W0 / (1 - rho). */
static void expect_conservation(const char *scheduler)
{
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) exponential = variate_of(AFT_SPREAD_EXPONENTIAL, 0.0);
    g_autoptr(AftStation) station = station_of(engine, scheduler, 1, exponential, scheduler, 0);
    Flow flows[CLASSES];
    const double rate[CLASSES] = {0.3, 0.3, 0.2}, length = 6e5;
    flows_init(flows, engine, station, scheduler);
    for (guint i = 0; i < CLASSES; i++) {
        flow_open(&flows[i], rate[i]);
    }
    flows_measure(flows, CLASSES, length);
    AftBatches waits;
    aft_batches_init(&waits);
    for (guint slice = 0; slice < SLICES; slice++) {
        double sum = 0.0;
        for (guint i = 0; i < CLASSES; i++) {
            sum += flows[i].found.wait.numerator[slice];
        }
        aft_batches_add(&waits, sum, length, 1.0);
    }
    expect(scheduler, &waits, 3.2);
    flows_clear(flows);
}

static void waiting_is_conserved(void **state)
{
    (void)state;
    expect_conservation("fifo");
    expect_conservation("strict");
    expect_conservation("weighted");
    expect_conservation("mclock");
    expect_conservation("adaptive");
}

/* A background customer that comes back at once is a server that takes a vacation V whenever
 * there is nobody to serve: Wq = lambda E[S^2] / (2 (1 - rho)) + E[V^2] / (2 E[V]). */
static void expect_vacations(AftSpreadKind kind, double wait)
{
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) exponential = variate_of(AFT_SPREAD_EXPONENTIAL, 0.0);
    g_autoptr(AftVariate) vacation = variate_of(kind, 0.0);
    g_autoptr(AftVariate) deterministic = variate_of(AFT_SPREAD_DETERMINISTIC, 0.0);
    g_autoptr(AftStation) station =
        station_of(engine, "strict", 1, deterministic, "vacations", kind);
    Flow flows[2];
    for (guint i = 0; i < 2; i++) {
        flow_init(&flows[i], engine, "vacations", 2 * kind + i);
        flow_visit(&flows[i], station, i == 0 ? 1.0 : 2.0);
        flows[i].class = i;
    }
    flows[0].service = exponential;
    flows[1].service = vacation;
    flow_open(&flows[0], 0.5);
    flow_close(&flows[1], 1, 0.0);
    flows_measure(flows, 2, 6e4);
    expect("Wq", &flows[0].found.wait, wait);
    flow_clear(&flows[0]);
    flow_clear(&flows[1]);
}

static void background_that_never_ends(void **state)
{
    (void)state;
    expect_vacations(AFT_SPREAD_EXPONENTIAL, 3.0);
    expect_vacations(AFT_SPREAD_DETERMINISTIC, 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_classes_on_one_server),
        cmocka_unit_test(three_classes_on_four_servers),
        cmocka_unit_test(short_foreground_and_long_background),
        cmocka_unit_test(waiting_is_conserved),
        cmocka_unit_test(background_that_never_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
