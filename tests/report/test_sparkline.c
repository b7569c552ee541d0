/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "phase_sparks.h"

#include <aftershock/report/sparkline.h>

#include <test.h>

static void assert_line(const double *values, guint n, double most, gboolean utf8,
                        const char *expected)
{
    g_autofree char *line = aft_sparkline(values, n, most, utf8);
    assert_string_equal(line, expected);
}

static void height_is_the_share_of_the_most(void **state)
{
    (void)state;
    const double values[] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
    assert_line(values, G_N_ELEMENTS(values), 8.0, TRUE, "▁▂▃▄▅▆▇██");
    assert_line(values, G_N_ELEMENTS(values), 8.0, FALSE, "__..-==^^");
    assert_line(values, 3, 0.0, TRUE, "▁▁▁");        /* nothing ever happened */
    assert_line(values, 9, 4.0, FALSE, "_.-=^^^^^"); /* more than the most is the most */
}

static void what_is_not_known_is_blank(void **state)
{
    (void)state;
    const double values[] = {NAN, 1.0, NAN};
    assert_line(values, 3, 1.0, TRUE, " █ ");
    const double none[] = {NAN, NAN};
    assert_line(none, 2, 1.0, TRUE, "");
    assert_line(none, 0, 1.0, TRUE, "");
}

static void a_bar_is_filled_to_its_share(void **state)
{
    (void)state;
    g_autofree char *half = aft_bar(0.5, 4, TRUE), *over = aft_bar(7.0, 3, FALSE);
    g_autofree char *nothing = aft_bar(0.0, 2, FALSE);
    assert_string_equal(half, "██░░");
    assert_string_equal(over, "###");
    assert_string_equal(nothing, "..");
}

static void add_row(AftResult *result, double time_s, double iops, double read_ms)
{
    AftTraceRow row;
    aft_trace_row_init(&row, AFT_PHASE_STEADY);
    row.time_s = time_s;
    row.read_iops = iops;
    row.write_iops = 0.0;
    row.read_mean_ms = read_ms;
    g_array_append_val(result->trace, row);
}

static void add_phase(AftResult *result, AftPhase phase, double start_s, double duration_s)
{
    AftPhaseRow row;
    aft_phase_row_init(&row, phase);
    row.start_s = start_s;
    row.duration_s = duration_s;
    g_array_append_val(result->phases, row);
}

static void assert_spark(const AftPhaseSparks *sparks, guint phase, AftSpark spark,
                         const char *expected)
{
    g_autofree char *text = aft_phase_sparks_text(sparks, phase, spark, FALSE);
    assert_string_equal(text, expected);
}

static void phases_share_a_scale(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    for (guint i = 0; i < 9; i++) {
        add_row(result, i * 10.0, 1000.0, 1.0);
    }
    for (guint i = 0; i < 9; i++) {
        add_row(result, 90.0 + i * 10.0, i < 3 ? 0.0 : 500.0, i < 3 ? NAN : 4.0);
    }
    add_phase(result, AFT_PHASE_STEADY, 0.0, 90.0);
    add_phase(result, AFT_PHASE_FAILED, 90.0, 90.0);
    g_autoptr(AftPhaseSparks) sparks = aft_phase_sparks_new(result);
    assert_spark(sparks, 0, AFT_SPARK_IOPS, "^^^^^^^^^");
    assert_spark(sparks, 1, AFT_SPARK_IOPS, "___------");
    assert_spark(sparks, 0, AFT_SPARK_READ, ".........");
    assert_spark(sparks, 1, AFT_SPARK_READ, "   ^^^^^^");
    assert_spark(sparks, 0, AFT_SPARK_WRITE, ""); /* there were none */
}

/* The interval from 40 to 50 s belongs to both phases, as the last one does to all that follows. */
static void phases_begin_between_rows(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    add_row(result, 0.0, 100.0, 1.0);
    add_row(result, 40.0, 50.0, 1.0);
    add_row(result, 50.0, 10.0, 1.0);
    add_phase(result, AFT_PHASE_STEADY, 0.0, 45.0);
    add_phase(result, AFT_PHASE_FAILED, 45.0, 0.0);
    add_phase(result, AFT_PHASE_CATCHUP, 45.0, 45.0);
    g_autoptr(AftPhaseSparks) sparks = aft_phase_sparks_new(result);
    assert_spark(sparks, 0, AFT_SPARK_IOPS, "^^^^^^^^-");
    assert_spark(sparks, 1, AFT_SPARK_IOPS, ""); /* of no length */
    assert_spark(sparks, 2, AFT_SPARK_IOPS, "-________");
}

/* A mean over I/Os, as the table's is: the slow interval has few of them. */
static void latencies_are_of_ios(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    add_row(result, 0.0, 999.0, 1.0);
    add_row(result, 1.0, 1.0, 1001.0);
    add_row(result, 2.0, 1000.0, 2.0);
    add_phase(result, AFT_PHASE_STEADY, 0.0, 18.0);
    g_autoptr(AftPhaseSparks) sparks = aft_phase_sparks_new(result);
    assert_spark(sparks, 0, AFT_SPARK_READ, "^^^^^^^^^"); /* the first cell: 2.0, not 501 */
}

static void no_trace_is_no_spark(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    add_phase(result, AFT_PHASE_STEADY, 0.0, 18.0);
    g_autoptr(AftPhaseSparks) sparks = aft_phase_sparks_new(result);
    assert_spark(sparks, 0, AFT_SPARK_IOPS, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(height_is_the_share_of_the_most),
        cmocka_unit_test(what_is_not_known_is_blank),
        cmocka_unit_test(a_bar_is_filled_to_its_share),
        cmocka_unit_test(phases_share_a_scale),
        cmocka_unit_test(phases_begin_between_rows),
        cmocka_unit_test(latencies_are_of_ios),
        cmocka_unit_test(no_trace_is_no_spark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
