/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One station with Poisson arrivals and services of any distribution. */
#include "flow.h"

/* Wq = lambda E[S^2] / (2 (1 - rho)), whatever the distribution (Pollaczek and Khinchine). */
typedef struct {
    AftSpread spread;
    double load, length, wait;
} Service;

static void expect_service(const Service *of)
{
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftVariate) variate = aft_variate_new(&of->spread, NULL);
    g_autoptr(AftStation) station =
        station_of(engine, "fifo", 1, variate, "M/G/1", of->spread.kind);
    g_auto(Flow) flow;
    flow_init(&flow, engine, "M/G/1", of->spread.kind);
    flow_visit(&flow, station, 1.0);
    flow_open(&flow, of->load);
    flows_measure(&flow, 1, of->length);
    expect(aft_spread_name(of->spread.kind), &flow.found.wait, of->wait);
}

static void one_server_of_any_spread(void **state)
{
    (void)state;
    double two_points[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 5.5};
    const Service cases[] = {
        {{.kind = AFT_SPREAD_DETERMINISTIC}, 0.8, 2.5e5, 2.0},
        {{.kind = AFT_SPREAD_ERLANG, .shape = 4.0}, 0.8, 4e5, 2.5},
        {{.kind = AFT_SPREAD_LOGNORMAL, .cv = G_SQRT2}, 0.8, 8e5, 6.0},
        {{.kind = AFT_SPREAD_WEIBULL, .shape = 0.54269256}, 0.8, 1.3e6, 10.0}, /* SCV 4 */
        {{.kind = AFT_SPREAD_EMPIRICAL, .values = two_points, .n_values = 10}, 0.7, 3e5, 3.791667},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        expect_service(&cases[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_server_of_any_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
