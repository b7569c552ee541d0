/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mirrored writes: every customer is served at two stations at once and leaves when both are
 * done. T = (12 - rho) / 8 / (mu - lambda), exact for two (Flatto and Hahn; Nelson and Tantawi). */
#include "flow.h"

static void expect_fork(double load, double length, double response)
{
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) exponential = variate_of(AFT_SPREAD_EXPONENTIAL, 0.0);
    guint32 percent = (guint32)(100.0 * load);
    g_autoptr(AftStation) one = station_of(engine, "fifo", 1, exponential, "one", percent);
    g_autoptr(AftStation) two = station_of(engine, "fifo", 1, exponential, "two", percent);
    g_auto(Flow) flow;
    flow_init(&flow, engine, "fork", percent);
    flow_visit(&flow, one, 1.0);
    flow_visit(&flow, two, 1.0);
    flow.forks = TRUE;
    flow_open(&flow, load);
    flows_measure(&flow, 1, length);
    expect("T", &flow.found.response, response);
}

static void two_halves_at_half_load(void **state)
{
    (void)state;
    expect_fork(0.5, 5e4, 2.875);
}

static void two_halves_at_high_load(void **state)
{
    (void)state;
    expect_fork(0.8, 4e5, 7.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_halves_at_half_load),
        cmocka_unit_test(two_halves_at_high_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
