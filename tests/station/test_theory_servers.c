/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several servers with Poisson arrivals. */
#include "flow.h"

/* With a = lambda / mu < c and C = P(Wq > 0) by Erlang's formula: Wq = C / (c mu - lambda),
 * P(Wq > t) = C e^(-(c mu - lambda) t). All at load 0.8. */
typedef struct {
    guint servers;
    double length, waited, wait;
} Servers;

static void expect_servers(const Servers *of)
{
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) exponential = variate_of(AFT_SPREAD_EXPONENTIAL, 0.0);
    g_autoptr(AftStation) station =
        station_of(engine, "fifo", of->servers, exponential, "M/M/c", of->servers);
    g_auto(Flow) flow;
    flow_init(&flow, engine, "M/M/c", of->servers);
    flow_visit(&flow, station, 1.0);
    flow.late = 5.0 / of->servers; /* 1 / (c mu - lambda) */
    flow_open(&flow, 0.8 * of->servers);
    flows_measure(&flow, 1, of->length);
    expect("C", &flow.found.waited, of->waited);
    expect("Wq", &flow.found.wait, of->wait);
    expect("P(Wq > 1 / (c mu - lambda))", &flow.found.late, of->waited / G_E);
    expect("L", &flow.found.number, 0.8 * of->servers * (1.0 + of->wait));
}

static void several_exponential_servers(void **state)
{
    (void)state;
    static const Servers cases[] = {
        {2, 2.8e5, 0.71111111, 1.77777778},
        {8, 1.3e5, 0.45764493, 0.28602808},
        {16, 1e5, 0.30488391, 0.09527622},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        expect_servers(&cases[i]);
    }
}

static void percentiles_of_waiting_for_four_servers(void **state)
{
    (void)state;
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) exponential = variate_of(AFT_SPREAD_EXPONENTIAL, 0.0);
    g_autoptr(AftStation) station = station_of(engine, "fifo", 4, exponential, "M/M/c", 4);
    g_auto(Quantiles) waits;
    quantiles_init(&waits);
    g_auto(Flow) flow;
    flow_init(&flow, engine, "M/M/c", 4);
    flow_visit(&flow, station, 1.0);
    flow.waits = &waits;
    flow_open(&flow, 3.2);
    flows_measure(&flow, 1, 3e5);
    expect("C", &flow.found.waited, 0.59643247);
    expect("Wq", &flow.found.wait, 0.74554059);
    expect_p95(&waits, log(0.59643247 / 0.05) / 0.8);
    expect_p99(&waits, 5.110476);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_exponential_servers),
        cmocka_unit_test(percentiles_of_waiting_for_four_servers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
