/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load.h"

#include <aftershock/loader/sweep.h>
#include <aftershock/sweep/points.h>

#define HEAD "version: 1\nkind: sweep\nbase: ../five.yaml\n" /* three lines */

/* Loads @text as "sweeps/s.yaml", varying the shown scenario.
 * Returns: (transfer full): the messages, a newline between them. */
static char *said_of(const char *text, const char *base, AftSweep **ret_sweep)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    *ret_sweep =
        aft_loader_load_sweep_text("sweeps/s.yaml", text, strlen(text), base, messages, &error);
    assert_true((*ret_sweep == NULL) == (error != NULL));
    g_ptr_array_add(messages, NULL);
    return g_strjoinv("\n", (char **)messages->pdata);
}

static AftSweep *load(const char *text)
{
    AftSweep *sweep = NULL;
    g_autofree char *said = said_of(text, SHOWN, &sweep);
    assert_string_equal(said, "");
    assert_non_null(sweep);
    return sweep;
}

static const AftAxis *axis_of(const AftSweep *sweep, guint i)
{
    assert_true(i < sweep->axes->len);
    return g_ptr_array_index(sweep->axes, i);
}

/* "text: setting setting", of all values, "; " between. Returns: (transfer full). */
static char *values_of(const GPtrArray *values)
{
    GString *all = g_string_new(NULL);
    for (guint i = 0; i < values->len; i++) {
        const AftAxisValue *value = g_ptr_array_index(values, i);
        g_autofree char *settings = g_strjoinv(" ", value->settings);
        g_string_append_printf(all, "%s%s: %s", i > 0 ? "; " : "", value->text, settings);
    }
    return g_string_free(all, FALSE);
}

static void assert_values(const GPtrArray *values, const char *expected)
{
    g_autofree char *all = values_of(values);
    assert_string_equal(all, expected);
}

static void a_sweep_is_read(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep =
        load("version: 1\n"
             "kind: sweep\n"
             "name: copies or parity\n"
             "base: ../five.yaml\n"
             "design: grid\n"
             "axes:\n"
             "  cluster.nodes: {from: 6, to: 9}\n"
             "  data.protection: [rf2, {degraded: 1 ms, scheme: raid5, data: 4, parity: 1},\n"
             "                    {name: wide, scheme: raid6, data: 4, parity: 2}]\n"
             "  timeline[0].at: {uniform: [10 min, 2 h]}\n"
             "  workload.rate: {from: 10k/s, to: 10.3k/s, step: 100 /s}\n"
             "  background.rebuild.delay: 5 min\n"
             "replications: {until: {metric: rebuild/minutes, within: 2 %}, min: 20, max: 400}\n"
             "seed: 7\n"
             "fidelity: io\n");
    assert_string_equal(sweep->name, "copies or parity");
    assert_string_equal(sweep->base, "sweeps/../five.yaml");
    assert_int_equal(sweep->design, AFT_DESIGN_GRID);
    assert_values(axis_of(sweep, 0)->values, "6: cluster.nodes=6; 7: cluster.nodes=7; "
                                             "8: cluster.nodes=8; 9: cluster.nodes=9");
    assert_values(axis_of(sweep, 1)->values,
                  "rf2: data.protection=rf2; "
                  "1 ms raid5 4+1: data.protection=raid5 data.protection.degraded=1 ms "
                  "data.protection.data=4 data.protection.parity=1; "
                  "wide: data.protection=raid6 data.protection.data=4 data.protection.parity=2");
    const AftAxis *at = axis_of(sweep, 2);
    assert_int_equal(at->values->len, 0);
    assert_int_equal(at->distribution.kind, AFT_DISTRIBUTION_UNIFORM);
    assert_within(at->distribution.parameter[0], 600.0, 0.0);
    assert_within(at->distribution.parameter[1], 7200.0, 0.0);
    assert_int_equal(at->unit, AFT_UNIT_TIME);
    assert_false(at->whole);
    assert_within(at->minimum, 0.0, 0.0);
    assert_values(axis_of(sweep, 3)->values,
                  "10k/s: workload.rate=10k/s; 10.1k/s: workload.rate=10.1k/s; "
                  "10.2k/s: workload.rate=10.2k/s; 10.3k/s: workload.rate=10.3k/s");
    assert_values(axis_of(sweep, 4)->values, "5 min: background.rebuild.delay=5 min");
    assert_int_equal(sweep->replications.n, 20);
    assert_int_equal(sweep->replications.most, 400);
    assert_string_equal(sweep->replications.metric, "rebuild/minutes");
    assert_within(sweep->replications.within, 0.02, 1e-15);
    assert_true(sweep->seeded);
    assert_int_equal(sweep->seed, 7);
    assert_string_equal(sweep->fidelity, "io");
}

static void what_is_not_said_has_a_default(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = load(HEAD);
    assert_string_equal(sweep->name, "s.yaml");
    assert_int_equal(sweep->design, AFT_DESIGN_GRID);
    assert_int_equal(sweep->replications.n, 1);
    assert_int_equal(sweep->replications.most, 1);
    assert_null(sweep->replications.metric);
    assert_null(sweep->fidelity);
    assert_false(sweep->seeded);
    assert_int_equal(sweep->seed, 1);
    g_autoptr(AftSweep) least = load(HEAD "replications: {until: {metric: steady/iops, within: 5 "
                                          "%}, max: 10}\n");
    assert_int_equal(least->replications.n, 10);
    assert_int_equal(least->replications.most, 10);
}

static void a_list_is_read(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep =
        load(HEAD "design: list\n"
                  "points:\n"
                  "  - {name: two copies, data.protection: rf2}\n"
                  "  - {data.protection: {scheme: raid6}, cluster.nodes: 6}\n"
                  "  - {name: RAID-5, data.protection: raid5, data.protection.data: 4,\n"
                  "     data: {services: {dedupe: {enabled: on, ratio: 0.5}}}}\n"
                  "axes: {\"timeline[0].at\": {exponential: 1 h}}\n"
                  "replications: 20\n");
    assert_values(sweep->points, "two copies: data.protection=rf2; "
                                 "raid6, 6: data.protection=raid6 cluster.nodes=6; "
                                 "RAID-5: data.protection=raid5 data.protection.data=4 "
                                 "data.services.dedupe=on data.services.dedupe.ratio=0.5");
    assert_int_equal(axis_of(sweep, 0)->distribution.kind, AFT_DISTRIBUTION_EXPONENTIAL);
    assert_int_equal(sweep->replications.n, 20);
}

static void distributions_take_the_unit_of_their_key(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = load(HEAD "design: sobol\n"
                                          "points: 2\n"
                                          "axes:\n"
                                          "  workload.read_share: {normal: [80 %, 5 %]}\n"
                                          "  cluster.nodes: {uniform: [5, 9]}\n"
                                          "  timeline[0].at: {weibull: [30 min, 0.7]}\n"
                                          "  workload.rate: {lognormal: [80k/s, 10k/s]}\n"
                                          "  data.logical: {log-uniform: [1 GB, 1 TB]}\n"
                                          "  data.protection: [rf2, raid5]\n");
    assert_int_equal(sweep->n_points, 2);
    static const double parameters[][2] = {
        {0.8, 0.05}, {5.0, 9.0}, {1800.0, 0.7}, {80e3, 10e3}, {1e9, 1e12}};
    for (guint i = 0; i < G_N_ELEMENTS(parameters); i++) {
        const AftAxis *axis = axis_of(sweep, i);
        assert_within(axis->distribution.parameter[0], parameters[i][0], 1e-12);
        assert_within(axis->distribution.parameter[1], parameters[i][1], 1e-12);
        assert_int_equal(axis->whole, i == 1);
    }
    assert_within(axis_of(sweep, 0)->maximum, 1.0, 0.0);
}

/* Wherever it stands in the map, and however deep. */
static void a_main_key_stands_for_its_map(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep =
        load(HEAD "axes:\n"
                  "  data[0]:\n"
                  "    - {name: plain, protection: {degraded: 1 us, scheme: raid5}}\n"
                  "    - {protection: rf2, services: {dedupe: on}}\n"
                  "  background.scheduler: [{step: 20 %, kind: adaptive}, wpq]\n"
                  "  cluster.node.controller.latency: [{read: 1 ms, write: 2 ms}]\n");
    assert_values(axis_of(sweep, 0)->values,
                  "plain: data[0].protection=raid5 data[0].protection.degraded=1 us; "
                  "rf2 on: data[0].protection=rf2 data[0].services.dedupe=on");
    assert_values(axis_of(sweep, 1)->values,
                  "20 % adaptive: background.scheduler=adaptive background.scheduler.step=20 %; "
                  "wpq: background.scheduler=wpq");
    assert_values(axis_of(sweep, 2)->values, "1 ms 2 ms: cluster.node.controller.latency.read=1 ms "
                                             "cluster.node.controller.latency.write=2 ms");
}

/* What is read sets what is written: whole way, to the scenario. */
static void points_set_what_is_written(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep =
        load(HEAD "axes:\n"
                  "  data.protection: [rf2, {scheme: raid5, data: 4, parity: 1}]\n"
                  "  workload[0].rate: {uniform: [1k/s, 2k/s]}\n");
    g_autoptr(AftPoints) points = aft_points_new(sweep, NULL);
    assert_int_equal(aft_points_n(points), 2);
    g_auto(GStrv) settings = aft_points_settings(points, 1, 1, 0);
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(AftScenario) scenario =
        aft_loader_load_text("five.yaml", SHOWN, strlen(SHOWN), (const char *const *)settings,
                             messages, NULL);
    assert_non_null(scenario);
    assert_int_equal(scenario->pools[0].protection.data, 4);
    assert_int_equal(scenario->pools[0].protection.degraded_ns, 0); /* the map is a new one */
    assert_true(scenario->workloads[0].rate_per_s > 1e3);
    assert_true(scenario->workloads[0].rate_per_s < 2e3);
}

#define AXES(text)   HEAD "axes:\n" text             /* from line 5 on */
#define POINTS(text) HEAD "design: list\n" text      /* from line 5 on */
#define COUNT(text)  HEAD "replications: " text "\n" /* line 4, from column 15 on */

static const struct {
    const char *text;
    guint line, column;
    const char *part;
} wrong[] = {
    {"version: 1\nkind: sweep\n", 1, 1, "base: missing, expected the path"},
    {"kind: sweep\nbase: a\n", 1, 1, "version: missing"},
    {"version: 2\nkind: sweep\nbase: a\n", 1, 10, "version: expected 1, got 2"},
    {HEAD "deisgn: grid\n", 4, 1, "deisgn: unknown key; did you mean design?"},
    {HEAD "design: gird\n", 4, 9, "did you mean grid?"},
    {HEAD "seed: -1\n", 4, 7, "seed: expected a whole number of 0 to 2^53"},
    {HEAD "fidelity: sample\n", 4, 11, "fidelity: expected io"},
    {HEAD "axes: 5\n", 4, 7, "axes: expected a map of keys"},
    {AXES("  cluster.nods: [4]\n"), 5, 3, "cluster.nods: unknown key; did you mean cluster.nodes?"},
    {AXES("  5: [4]\n"), 5, 3, "\"5\" is no path of a key"},
    {AXES("  cluster[nodes: 4\n"), 5, 3, "is no path of a key"},
    {AXES("  workload: [{rate: 5 /s}]\n"), 5, 3,
     "workload: expected one item of the list, like workload[0]"},
    {AXES("  run.seed: [1, 2]\n"), 5, 3, "run.seed: replications differ by themselves"},
    {AXES("  cluster.nodes: [5]\n  cluster.nodes: [6]\n"), 6, 3, "duplicate key, first on line 5"},
    {AXES("  workload.rate: 5 /s\n  workload[0].rate: 6 /s\n"), 6, 3, "is an axis already"},
    {AXES("  data.protection.degraded: [1 ms, 3 ms]\n  data.protection: [raid5, rf2]\n"), 6, 3,
     "data.protection: comes after data.protection.degraded and forgets what that sets, "
     "data[0].protection.degraded"},
    {AXES("  data.protection.degraded: {uniform: [1 ms, 3 ms]}\n"
          "  data[0]: [{name: a, protection: raid5}, {name: b, protection: rf2}]\n"),
     6, 3, "data[0]: comes after data.protection.degraded and forgets"},
    {AXES("  data[0]: [{name: a, protection: {scheme: raid5, degraded: 1 ms}}, {name: b}]\n"
          "  data.protection: [raid5, rf2]\n"),
     6, 3, "data.protection: sets data[0].protection, which data[0] sets as well"},
    {AXES("  data.protection: [{scheme: raid5, degraded: 1 ms}, rf2]\n"
          "  data.protection.degraded: [1 ms, 3 ms]\n"),
     6, 3,
     "data.protection.degraded: sets data[0].protection.degraded, which data.protection sets"},
    {AXES("  run: [{seed: 3}, {seed: 4}]\n"), 5, 3, "run: sets run.seed, but replications differ"},
    {POINTS("points:\n- {name: a, run.seed: 99}\n"), 6, 3,
     "points[0]: sets run.seed, but replications differ"},
    {POINTS("points:\n- {data.protection.degraded: 1 ms, data.protection: raid5}\n"), 6, 3,
     "comes after data[0].protection.degraded and forgets"},
    {POINTS("points:\n- {data.protection.degraded: 1 ms}\naxes: {data.protection: raid5}\n"), 7, 8,
     "data.protection: comes after a point and forgets"},
    {AXES("  workload.rate: [80k/s, 90 ms]\n"), 5, 26, "workload.rate: "},
    {AXES("  workload.rate: [80k/s, 90]\n"), 5, 26, "workload.rate: "},
    {AXES("  cluster.nodes: [5, 6.5]\n"), 5, 22, "expected a whole number, got 6.5"},
    {AXES("  cluster.nodes: [[5, 6]]\n"), 5, 19, "got a list"},
    {AXES("  cluster.nodes: []\n"), 5, 18, "cluster.nodes: expected one value or more"},
    {AXES("  cluster.nodes: [5, 6, 5]\n"), 5, 25, "there is a value \"5\" already"},
    {AXES("  data.protection: [rf2, raid7]\n"), 5, 26, "got \"raid7\""},
    {AXES("  data.protection:\n    - {scheme: raid5, dta: 3}\n"), 6, 23,
     "data.protection.dta: unknown key; did you mean data.protection.data?"},
    {AXES("  timeline[7].at: [1 h]\n"), 5, 20, "leaves a gap: the list has 2"},
    {AXES("  workload.rate: {uniform: [90k/s, 80k/s]}\n"), 5, 28,
     "workload.rate: uniform: expected the lower bound first"},
    {AXES("  workload.rate: {uniform: [90k/s]}\n"), 5, 28, "uniform takes [low, high]"},
    {AXES("  workload.rate: {uniform: 90k/s}\n"), 5, 28, "uniform takes [low, high]"},
    {AXES("  workload.rate: {uniform: [80k/s, 90 MB]}\n"), 5, 36, "workload.rate: "},
    {AXES("  workload.rate: {unifrm: 80k/s}\n"), 5, 19,
     "workload.rate: unifrm: expected one distribution, or a range; did you mean uniform?"},
    {AXES("  workload.read_share: {uniform: [50 %, 120 %]}\n"), 5, 41,
     "workload.read_share: expected at most 100 %, got 120 %"},
    {AXES("  workload.rate: {uniform: [1 /s, 2 /s], normal: [1 /s, 1 /s]}\n"), 5, 42,
     "normal: expected one distribution, or a range"},
    {AXES("  workload.rate: [{uniform: [1 /s, 2 /s]}, 5 /s]\n"), 5, 19,
     "a distribution or a range is all that an axis has"},
    {AXES("  workload.rate: {weibull: [1 /s, 5 /s]}\n"), 5, 35, "workload.rate: "},
    {AXES("  workload.rate: {normal: [1 /s, 0 /s]}\n"), 5, 27, "standard deviation above 0"},
    {AXES("  data.protection: {uniform: [1, 2]}\n"), 5, 3, "takes no numbers"},
    {AXES("  cluster.nodes: {from: 5}\n"), 5, 25, "a range has from, to and step"},
    {AXES("  cluster.nodes: {from: 8, to: 5}\n"), 5, 32, "at least what it begins from"},
    {AXES("  cluster.nodes: {from: 5, to: 50000}\n"), 5, 32, "expected at most 10000 values"},
    {AXES("  cluster.nodes: {from: 5, to: 8, step: 0}\n"), 5, 41, "a step above 0"},
    {AXES("  cluster.nodes: {from: 5, to: 8, step: 1.5}\n"), 5, 41, "a whole step"},
    {AXES("  workload.rate: {from: 5 /s, to: 8 /s}\n"), 5, 25, "a range has from, to and step"},
    {HEAD "points: 5\n", 4, 9, "a grid has the points that its axes make"},
    {HEAD "design: sobol\naxes: {cluster.nodes: [5, 6]}\n", 1, 1, "points: missing"},
    {HEAD "design: sobol\npoints: 0\naxes: {cluster.nodes: [5, 6]}\n", 5, 9,
     "points: expected a whole number of 1 to 1000000"},
    {HEAD "design: sobol\npoints: 4\n", 5, 9, "there are none"},
    {HEAD "design: sobol\npoints: 400000\naxes: {cluster.nodes: [5, 6]}\n", 5, 9,
     "expected at most 1000000 points, these are 1200000"},
    {HEAD "design: sobol\npoints: [{cluster.nodes: 5}]\naxes: {cluster.nodes: [5, 6]}\n", 5, 9,
     "expected how many points"},
    {POINTS("points: 5\n"), 5, 9, "design list has a list of points"},
    {POINTS("points:\n- {cluster.nods: 5}\n"), 6, 4,
     "cluster.nods: unknown key; did you mean cluster.nodes?"},
    {POINTS("points:\n- {name: a, cluster.nodes: 5}\n- {name: a, cluster.nodes: 6}\n"), 7, 10,
     "there is a point called \"a\" already"},
    {POINTS("points:\n- {cluster.nodes: 5.5}\n"), 6, 19, "expected a whole number"},
    {POINTS("points:\n- {cluster.nodes: [5, 6]}\n"), 6, 19, "got a list"},
    {POINTS("points:\n- {cluster.nodes: 5}\naxes: {workload.rate: [5 /s, 6 /s]}\n"), 7, 23,
     "beside a list of points an axis has one value"},
    {POINTS("points:\n- {cluster.nodes: 5}\naxes: {cluster.nodes: {uniform: [5, 6]}}\n"), 6, 4,
     "is an axis already"},
    {COUNT("0"), 4, 15, "expected a whole number of 1 to 1000000"},
    {COUNT("many"), 4, 15, "got \"many\""},
    {COUNT("{max: 5}"), 4, 1, "replications.until: missing"},
    {COUNT("{until: {metric: rebuild/minutes, within: 1 %}}"), 4, 1, "replications.max: missing"},
    {COUNT("{until: {metric: rebuild/minuts, within: 1 %}, max: 5}"), 4, 32,
     "there is no metric \"minuts\"; did you mean minutes?"},
    {COUNT("{until: {metric: rebild/minutes, within: 1 %}, max: 5}"), 4, 32,
     "there is no phase \"rebild\"; did you mean rebuild?"},
    {COUNT("{until: {metric: minutes, within: 1 %}, max: 5}"), 4, 32, "like rebuild/minutes"},
    {COUNT("{until: {metric: steady/stored_bytes, within: 1 %}, max: 5}"), 4, 32,
     "there is no metric \"stored_bytes\""},
    {COUNT("{until: {metric: rebuild/minutes, within: 0}, max: 5}"), 4, 57,
     "expected more than 0 %"},
    {COUNT("{until: {metric: rebuild/minutes, within: 1 %}, min: 9, max: 5}"), 4, 68,
     "expected at most max, 5, got 9"},
    /* What no single value can tell: points. */
    {AXES("  cluster.nodes: [5, 3]\n"), 5, 22, "(point 1: 3)"},
    {AXES("  cluster.nodes: [5, 4]\n  data.protection: [rf2, {scheme: raid6, data: 4, parity: 1},"
          " raid5]\n"),
     6, 26, "(point 1: 5, raid6 4+1)"},
    {POINTS("points:\n- {cluster.nodes: 5}\n- {data.logical: 1 TB, data.protection: raid6}\n"), 7,
     41, "(point 1: 1 TB, raid6)"},
    {AXES("  timeline[1].at: {uniform: [10 min, 20 min]}\n"), 5, 19, "timeline"},
};

static void what_is_wrong_is_told_at_its_place(void **state G_GNUC_UNUSED)
{
    guint failures = 0;
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(AftSweep) sweep = NULL;
        g_autofree char *said = said_of(wrong[i].text, SHOWN, &sweep);
        g_autofree char *place =
            g_strdup_printf("sweeps/s.yaml:%u:%u: error: ", wrong[i].line, wrong[i].column);
        gboolean one =
            g_str_has_prefix(said, place) && strstr(said + strlen(place), ": error: ") == NULL;
        if (sweep != NULL || !one || strstr(said, wrong[i].part) == NULL) {
            print_error("%s\n--- said:\n%s\n--- not %s%s\n", wrong[i].text, said, place,
                        wrong[i].part);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

static void all_is_told_at_once_in_the_order_of_the_file(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = NULL;
    g_autofree char *said = said_of("version: 1\n"
                                    "kind: sweep\n"
                                    "base: ../five.yaml\n"
                                    "design: gird\n"
                                    "axes:\n"
                                    "  cluster.nods: [4]\n"
                                    "  workload.rate: {uniform: [9 /s, 8 /s]}\n"
                                    "replications: none\n",
                                    SHOWN, &sweep);
    assert_null(sweep);
    assert_string_equal(
        said, "sweeps/s.yaml:4:9: error: design: expected grid, list, latin-hypercube or sobol, "
              "got \"gird\"; did you mean grid?\n"
              "  design: gird\n"
              "          ^\n"
              "sweeps/s.yaml:6:3: error: cluster.nods: unknown key; did you mean cluster.nodes?\n"
              "    cluster.nods: [4]\n"
              "    ^\n"
              "sweeps/s.yaml:7:28: error: workload.rate: uniform: expected the lower bound first, "
              "and the higher one after it\n"
              "    workload.rate: {uniform: [9 /s, 8 /s]}\n"
              "                             ^\n"
              "sweeps/s.yaml:8:15: error: replications: expected a whole number of 1 to 1000000, "
              "got \"none\"\n"
              "  replications: none\n"
              "                ^");
}

static void a_base_with_errors_is_told_under_its_own_name(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = NULL;
    g_autofree char *said =
        said_of(HEAD "axes: {cluster.nodes: [5]}\n", "version: 1\nclustr: 5\n", &sweep);
    assert_null(sweep);
    assert_true(g_str_has_prefix(said, "sweeps/../five.yaml:"));
    assert_non_null(strstr(said, "five.yaml:2:1: error: clustr: unknown key"));
    assert_non_null(strstr(said, "sweeps/s.yaml:3:7: error: base: sweeps/../five.yaml: "));
}

static void a_base_that_is_not_there_is_told(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = NULL;
    g_autofree char *said = said_of(HEAD "axes: {cluster.nods: [5]}\n", NULL, &sweep);
    assert_null(sweep);
    assert_true(g_str_has_prefix(
        said, "sweeps/s.yaml:3:7: error: base: sweeps/../five.yaml: No such file or directory"));
    assert_non_null(strstr(said, "cluster.nods: unknown key"));
}

/* 21 axes, and 10,001 values. */
static void more_than_allowed_is_refused(void **state G_GNUC_UNUSED)
{
    g_autoptr(GString) axes = g_string_new(HEAD "axes:\n");
    for (guint i = 0; i < 21; i++) {
        g_string_append_printf(axes, "  cluster.groups[%u].nodes: [4, 5]\n", i);
    }
    g_autoptr(AftSweep) sweep = NULL;
    g_autofree char *said = said_of(axes->str, SHOWN, &sweep);
    assert_null(sweep);
    assert_non_null(strstr(said, "axes: expected at most 20 axes, got 21"));
    g_autoptr(GString) values = g_string_new(HEAD "axes:\n  workload.rate: [1 /s");
    for (guint i = 1; i <= 10000; i++) {
        g_string_append_printf(values, ", %u /s", i + 1);
    }
    g_string_append(values, "]\n");
    g_autoptr(AftSweep) other = NULL;
    g_autofree char *long_said = said_of(values->str, SHOWN, &other);
    assert_null(other);
    assert_non_null(strstr(long_said, "expected at most 10000 items in the list"));
}

/* Of a large grid only some points are made, and a level that cannot run is among them. */
static void a_large_grid_is_looked_at_in_a_second(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = load(AXES("  workload.rate: {from: 1 /s, to: 1000 /s, step: 1 /s}\n"
                                          "  background.rebuild.delay: {from: 1 min, to: 900 min, "
                                          "step: 1 min}\n"));
    assert_int_equal(axis_of(sweep, 0)->values->len, 1000);
    g_autoptr(AftSweep) broken = NULL;
    g_autofree char *said = said_of(AXES("  workload.rate: {from: 1 /s, to: 1000 /s, step: 1 /s}\n"
                                         "  cluster.nodes: [5, 3, 6, 7]\n"),
                                    SHOWN, &broken);
    assert_null(broken);
    assert_true(g_str_has_prefix(said, "sweeps/s.yaml:6:22: error: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sweep_is_read),
        cmocka_unit_test(what_is_not_said_has_a_default),
        cmocka_unit_test(a_list_is_read),
        cmocka_unit_test(distributions_take_the_unit_of_their_key),
        cmocka_unit_test(a_main_key_stands_for_its_map),
        cmocka_unit_test(points_set_what_is_written),
        cmocka_unit_test(what_is_wrong_is_told_at_its_place),
        cmocka_unit_test(all_is_told_at_once_in_the_order_of_the_file),
        cmocka_unit_test(a_base_with_errors_is_told_under_its_own_name),
        cmocka_unit_test(a_base_that_is_not_there_is_told),
        cmocka_unit_test(more_than_allowed_is_refused),
        cmocka_unit_test(a_large_grid_is_looked_at_in_a_second),
    };
    return cmocka_run_group_tests_name("sweeps", tests, NULL, NULL);
}
