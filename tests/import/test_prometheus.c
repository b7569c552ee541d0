/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import.h"

#define ANSWER(result) "{\"status\": \"success\", \"data\": {\"result\": [" result "]}}"

static void a_series_is_its_mean(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    options.metric = "iops";
    g_autofree char *remarks = NULL;
    g_autofree char *yaml = import_file("prometheus", "answer.json", &options, &remarks);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, "disk_ios{instance=a:9100}", "iops"), 200.0, 1e-9);
    assert_within(cell_of(reference, "series", "iops"), 1000.0, 1e-9);
    assert_non_null(strstr(remarks, "1 samples of disk_ios{instance=a:9100} are no number"));
}

/* Of Prometheus 2.42: series of one rate, and of what is not finite. */
static void a_real_answer_is_read(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    options.metric = "iops";
    g_autofree char *remarks = NULL;
    g_autofree char *yaml = import_file("prometheus", "prometheus-2.42.json", &options, &remarks);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_int_equal(reference->cells->len, 1);
    const AftReferenceCell *cell = g_ptr_array_index(reference->cells, 0);
    assert_within(cell->value, (0.7219560878243513 + 1.000250062515629) / 2.0, 1e-9);
    assert_non_null(strstr(remarks, "4 samples of "));
}

/* Prometheus counts seconds. */
static void times_are_seconds(void **state)
{
    (void)state;
    AftImportOptions options = {.label = "x", .phase = AFT_PHASE_REBUILD, .metric = "read_mean"};
    g_autoptr(GError) error = NULL;
    g_autofree char *yaml =
        import_bytes("prometheus", ANSWER("{\"metric\": {}, \"value\": [1, \"0.0021\"]}"), -1,
                     &options, &error);
    assert_non_null(yaml);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, "x", "read_mean"), 0.0021, 1e-12);
}

static void every_figure_has_its_unit(void **state)
{
    (void)state;
    guint n;
    const AftMetric *metrics = aft_metrics(&n);
    for (guint i = 0; i < n; i++) {
        AftImportOptions options = {.label = "x",
                                    .phase = AFT_PHASE_STEADY,
                                    .metric = metrics[i].name};
        g_autofree char *yaml =
            import_bytes("prometheus", ANSWER("{\"value\": [1, \"0.25\"]}"), -1, &options, NULL);
        assert_non_null(yaml);
        g_autoptr(AftReference) reference = reference_of(yaml);
        assert_within(cell_of(reference, "x", metrics[i].name), 0.25, 1e-9);
    }
}

static void csv_has_every_sample(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    options.csv = TRUE;
    g_autofree char *csv = import_file("prometheus", "answer.json", &options, NULL);
    assert_string_equal(csv, "time_s,series,value\n0,disk_ios{instance=a:9100},100\n"
                             "15.5,disk_ios{instance=a:9100},\n"
                             "30,disk_ios{instance=a:9100},300\n0,series,1000\n");
}

/* Not everything that is measured is a figure of ours. */
static void csv_takes_what_is_below_zero(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    options.csv = TRUE;
    g_autofree char *csv = import_bytes(
        "prometheus",
        ANSWER("{\"values\": [[5, \"-2.5\"], [6, \"-Inf\"], [7, \"+3\"], [8, \"-1e-3\"]]}"), -1,
        &options, NULL);
    assert_string_equal(csv, "time_s,series,value\n0,series,-2.5\n1,series,\n2,series,3\n3,series,"
                             "-0.001\n");
}

static void mistakes_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"status\": \"error\", \"error\": \"bad\\nquery\"}", "got error: bad query"},
        {"{}", "expected \"status\": \"success\", got none"},
        {ANSWER(""), "has no series"},
        {ANSWER("5"), "f: data.result[0]: expected an object"},
        {ANSWER("{}"), "f: data.result[0]: expected values of a range or a value"},
        {ANSWER("{\"values\": [[1]]}"), "f: data.result[0]: expected a sample"},
        {ANSWER("{\"values\": [[1, 2]]}"), "expected a sample"},
        {ANSWER("{\"values\": [[1, \"-2\"]]}"), "expected samples of 0 or more"},
        {ANSWER("{\"values\": [[1, \"--2\"]]}"), "expected a sample"},
        {ANSWER("{\"values\": [[\"x\", \"2\"]]}"), "expected a sample"},
        {ANSWER("{\"value\": {}}"), "f: data.result[0].value: expected an array"},
        {ANSWER("{\"values\": [[1, \"NaN\"]]}"), "has no figures"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        AftImportOptions options = usual();
        options.metric = "iops";
        g_autofree char *out = import_bytes("prometheus", cases[i].text, -1, &options, &error);
        assert_null(out);
        assert_error(error, AFT_ERROR_SYNTAX, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_series_is_its_mean),  cmocka_unit_test(a_real_answer_is_read),
        cmocka_unit_test(times_are_seconds),     cmocka_unit_test(every_figure_has_its_unit),
        cmocka_unit_test(csv_has_every_sample),  cmocka_unit_test(csv_takes_what_is_below_zero),
        cmocka_unit_test(mistakes_have_a_place),
    };
    return cmocka_run_group_tests_name("import/prometheus", tests, NULL, NULL);
}
