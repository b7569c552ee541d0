/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "results.h"

static AftFigure read_as(const char *name, const AftPhaseRow *row)
{
    const AftMetric *metric = aft_metric_find(name);
    assert_non_null(metric);
    return aft_metric_read(metric, NULL, row);
}

/* Returns: (transfer none): a phase of @result without any figure. */
static AftPhaseRow *empty_phase(AftResult *result, AftPhase phase)
{
    return add_phase(result, phase, (double)NAN, (double)NAN, (double)NAN, (double)NAN);
}

/* Rounding of one multiplication. */
#define EXACT(value) (1e-15 * (value))

static void assert_figure(const char *name, const AftPhaseRow *row, double value, double half_width)
{
    AftFigure figure = read_as(name, row);
    assert_within(figure.value, value, EXACT(value));
    assert_within(figure.half_width, half_width, EXACT(half_width));
}

static void figures_are_in_base_units(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    AftPhaseRow *row = empty_phase(result, AFT_PHASE_STEADY);
    row->iops = 1000.0;
    row->iops_ci = 10.0;
    row->read_mean_ms = 2.0;
    row->read_mean_ci_ms = 0.5;
    row->write_p99_ms = 40.0;
    row->write_p99_ci_ms = 4.0;
    assert_figure("iops", row, 1000.0, 10.0);
    assert_figure("read_mean", row, 0.002, 0.0005);
    assert_figure("write_p99", row, 0.04, 0.004);
}

static void figures_without_intervals_have_none(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    AftPhaseRow *row = empty_phase(result, AFT_PHASE_REBUILD);
    row->duration_s = 3600.0;
    row->rebuild_bytes = 7.2e12;
    row->read_mb_per_s = 12.0;
    row->controller_util = 0.5;
    assert_within(read_as("minutes", row).value, 3600.0, 0.0);
    assert_within(read_as("rebuild_rate", row).value, 2e9, 0.0);
    assert_within(read_as("rebuild_bytes", row).value, 7.2e12, 0.0);
    assert_within(read_as("read_mb_per_s", row).value, 12e6, 0.0);
    assert_within(read_as("controller_util", row).value, 0.5, 0.0);
    assert_true(isnan(read_as("minutes", row).half_width));
    assert_true(isnan(read_as("rebuild_rate", row).half_width));
}

static void what_is_not_there_is_no_figure(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    AftPhaseRow *row = empty_phase(result, AFT_PHASE_STEADY);
    row->duration_s = 0.0;
    row->scrub_bytes = 5.0;
    assert_true(isnan(read_as("iops", row).value));
    assert_true(isnan(read_as("mean", row).value));
    assert_true(isnan(read_as("mb_per_s", row).value));
    assert_true(isnan(read_as("scrub_rate", row).value)); /* not infinite */
    assert_null(aft_metric_find("bogus"));
}

static void the_mean_of_all_is_weighted_by_what_there_was_of_each(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    AftPhaseRow *row = empty_phase(result, AFT_PHASE_STEADY);
    row->read_iops = 300.0;
    row->write_iops = 100.0;
    row->read_mean_ms = 2.0;
    row->write_mean_ms = 10.0;
    row->read_mean_ci_ms = 0.4;
    row->write_mean_ci_ms = 1.6;
    /* 3/4 of 2 and 1/4 of 10; the half widths make 0.3 and 0.4. */
    AftFigure both = read_as("mean", row);
    assert_within(both.value, 0.004, 1e-15);
    assert_within(both.half_width, 0.0007, 1e-15);
    row->write_iops = 0.0;
    row->write_mean_ms = row->write_mean_ci_ms = (double)NAN;
    AftFigure reads = read_as("mean", row);
    assert_within(reads.value, 0.002, 1e-15);
    assert_within(reads.half_width, 0.0004, 1e-15);
}

static void bandwidths_add_up(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    AftPhaseRow *row = empty_phase(result, AFT_PHASE_STEADY);
    row->read_mb_per_s = 30.0;
    assert_within(read_as("mb_per_s", row).value, 30e6, 0.0);
    row->write_mb_per_s = 12.0;
    assert_within(read_as("mb_per_s", row).value, 42e6, 0.0);
}

static void space_is_of_the_whole_result(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    result->space.stored_bytes = 8.8e12;
    result->space.saved_bytes = 4.4e12;
    const AftMetric *stored = aft_metric_find("stored_bytes");
    assert_true(stored->whole);
    assert_within(aft_metric_read(stored, result, NULL).value, 8.8e12, 0.0);
    assert_within(aft_metric_read(aft_metric_find("saved_bytes"), result, NULL).value, 4.4e12, 0.0);
}

static void every_metric_has_a_unit_of_its_quantity(void **state)
{
    (void)state;
    guint n = 0;
    const AftMetric *metrics = aft_metrics(&n);
    for (guint i = 0; i < n; i++) {
        double base = 0.0;
        g_autofree char *one = g_strconcat("1 ", aft_metric_unit(&metrics[i]), NULL);
        assert_true(aft_units_parse(metrics[i].unit, one, &base, NULL));
        assert_ptr_equal(aft_metric_find(metrics[i].name), &metrics[i]); /* no name twice */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_in_base_units),
        cmocka_unit_test(figures_without_intervals_have_none),
        cmocka_unit_test(what_is_not_there_is_no_figure),
        cmocka_unit_test(the_mean_of_all_is_weighted_by_what_there_was_of_each),
        cmocka_unit_test(bandwidths_add_up),
        cmocka_unit_test(space_is_of_the_whole_result),
        cmocka_unit_test(every_metric_has_a_unit_of_its_quantity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
