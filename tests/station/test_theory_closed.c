/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Customers that circle between stations, against mean value analysis, which is exact for
 * exponential servers, and the birth and death equations of machines and repairmen. */
#include "flow.h"

typedef struct {
    const char *name;
    guint customers;
    double pause;
    double demand[VISITS_MOST];
    double length, rate, response;
} Network;

static void expect_network(const Network *of)
{
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) exponential = variate_of(AFT_SPREAD_EXPONENTIAL, 0.0);
    AftStation *stations[VISITS_MOST];
    g_auto(Flow) flow;
    flow_init(&flow, engine, of->name, 0);
    for (guint i = 0; i < VISITS_MOST; i++) {
        stations[i] = station_of(engine, "fifo", 1, exponential, of->name, i);
        flow_visit(&flow, stations[i], of->demand[i]);
    }
    flow_close(&flow, of->customers, of->pause);
    flows_measure(&flow, 1, of->length);
    expect("X", &flow.found.rate, of->rate);
    expect("R", &flow.found.response, of->response);
    for (guint i = 0; i < VISITS_MOST; i++) {
        aft_station_free(stations[i]);
    }
}

static void closed_networks(void **state)
{
    (void)state;
    static const Network cases[] = {
        {"10 customers", 10, 5.0, {1.0, 0.8, 0.4}, 2e4, 0.87954115, 6.36956465},
        {"20 customers", 20, 0.0, {0.005, 0.01, 0.01}, 2e2, 95.0000025, 0.21052631},
        {"8 customers", 8, 1.0, {0.2, 0.2, 0.2}, 5e3, 3.37381506, 1.37120289},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        expect_network(&cases[i]);
    }
}

typedef struct {
    const char *name;
    guint machines, repairmen;
    double up, repair; /* mean times */
    double length;
    double down; /* machines */
} Shop;

static void expect_shop(const Shop *of)
{
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) exponential = variate_of(AFT_SPREAD_EXPONENTIAL, 0.0);
    g_autoptr(AftStation) station =
        station_of(engine, "fifo", of->repairmen, exponential, of->name, 0);
    g_auto(Flow) flow;
    flow_init(&flow, engine, of->name, 0);
    flow_visit(&flow, station, of->repair);
    flow_close(&flow, of->machines, of->up);
    flows_measure(&flow, 1, of->length);
    expect("down", &flow.found.number, of->down);
    expect("X", &flow.found.rate, (of->machines - of->down) / of->up);
}

/* Of N machines, p_n = p_0 prod over i < n of (N - i) lambda / (min(i + 1, c) mu) that n are
 * down. */
static void machines_and_repairmen(void **state)
{
    (void)state;
    static const Shop cases[] = {
        {"10 machines, 1 repairman", 10, 1, 10.0, 1.0, 2e4, 2.14582343},
        {"10 machines, 2 repairmen", 10, 2, 10.0, 1.0, 2e4, 1.03863782},
        {"20 machines, 1 repairman", 20, 1, 1000.0, 24.0, 1e6, 20.0 * (1.0 - 0.96007909)},
        {"20 machines, 3 repairmen", 20, 3, 1000.0, 24.0, 1e6, 20.0 * (1.0 - 0.97647723)},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        expect_shop(&cases[i]);
    }
}

/* With a repairman each, components are independent: up with A = MTTF / (MTTF + MTTR), and so
 * many out of so many by the binomial distribution. What is not available is rarer, and therefore
 * the harder test. */
typedef struct {
    const char *name;
    guint components, needed;
    double length, available;
} Redundancy;

static void expect_redundancy(const Redundancy *of)
{
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) exponential = variate_of(AFT_SPREAD_EXPONENTIAL, 0.0);
    g_autoptr(AftStation) station =
        station_of(engine, "fifo", of->components, exponential, of->name, 0);
    g_auto(Flow) flow;
    flow_init(&flow, engine, of->name, 0);
    flow_visit(&flow, station, 24.0);
    flow.crowd = of->components - of->needed;
    flow_close(&flow, of->components, 1000.0);
    flows_measure(&flow, 1, of->length);
    expect(of->name, &flow.found.crowded, 1.0 - of->available);
}

static void redundant_components(void **state)
{
    (void)state;
    static const Redundancy cases[] = {
        {"1 of 1", 1, 1, 5e6, 0.9765625},
        {"2 of 3", 3, 2, 6e7, 0.99837780},
        {"4 of 6", 6, 4, 1.9e8, 0.9997558337},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        expect_redundancy(&cases[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_networks),
        cmocka_unit_test(machines_and_repairmen),
        cmocka_unit_test(redundant_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
