/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One server with Poisson arrivals, against the closed forms for it. Here and in its neighbours
 * every length is chosen so that the widest interval of its case is just narrow enough, which makes
 * a slice thousands of times as long as the time the system needs to forget its past: at load 0.8,
 * some 90 services. */
#include "flow.h"

/* W = 1 / (mu - lambda), L = lambda W, P(W > t) = e^(-(mu - lambda) t), P(Wq > t) = rho of it,
 * P(N > n) = rho^(n + 1). */
static void one_exponential_server(void **state)
{
    (void)state;
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) exponential = variate_of(AFT_SPREAD_EXPONENTIAL, 0.0);
    g_autoptr(AftStation) station = station_of(engine, "fifo", 1, exponential, "M/M/1", 0);
    g_auto(Quantiles) responses;
    quantiles_init(&responses);
    g_auto(Flow) flow;
    flow_init(&flow, engine, "M/M/1", 0);
    flow_visit(&flow, station, 1.0);
    flow.late = 5.0;
    flow.crowd = 4;
    flow.responses = &responses;
    flow_open(&flow, 0.8);
    flows_measure(&flow, 1, 1e6);
    expect("X", &flow.found.rate, 0.8);
    expect("L", &flow.found.number, 4.0);
    expect("W", &flow.found.response, 5.0);
    expect("Wq", &flow.found.wait, 4.0);
    expect("P(N > 4)", &flow.found.crowded, 0.32768);
    expect("P(Wq > 0)", &flow.found.waited, 0.8);
    expect("P(Wq > 5)", &flow.found.late, 0.8 / G_E);
    expect_p95(&responses, 14.978661);
    expect_p99(&responses, 23.025851);
}

/* P(full) = (1 - r) r^K / (1 - r^(K + 1)), seen by Poisson arrivals. */
static void room_for_ten(void **state)
{
    (void)state;
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) exponential = variate_of(AFT_SPREAD_EXPONENTIAL, 0.0);
    g_autoptr(AftStation) station = station_of(engine, "fifo", 1, exponential, "M/M/1/K", 0);
    g_auto(Flow) flow;
    flow_init(&flow, engine, "M/M/1/K", 0);
    flow_visit(&flow, station, 1.0);
    flow.room = 10;
    flow_open(&flow, 0.8);
    flows_measure(&flow, 1, 1.1e6);
    expect("refused", &flow.found.refused, 0.02349286);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_exponential_server),
        cmocka_unit_test(room_for_ten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
