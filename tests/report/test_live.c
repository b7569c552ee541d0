/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/live.h>

#include <test.h>

static AftScenario *required(void)
{
    AftScenario *scenario = aft_scenario_new();
    scenario->run.duration_ns = 7200 * G_GINT64_CONSTANT(1000000000);
    scenario->requirement.iops = 1000.0;
    scenario->requirement.read_ns = 5500000;
    scenario->requirement.tolerance = 0.005;
    return scenario;
}

static AftObservation observed(const GArray *trace)
{
    return (AftObservation){.phase = AFT_PHASE_REBUILD,
                            .scenario_s = 3600.0,
                            .done = 0.5,
                            .iops = 800.4,
                            .read_mean_ms = 6.668,
                            .write_mean_ms = NAN,
                            .owed_ios = 12345.0,
                            .trace = trace};
}

static GArray *trace_of(const double *iops, guint n)
{
    GArray *trace = g_array_new(FALSE, FALSE, sizeof(AftTraceRow));
    for (guint i = 0; i < n; i++) {
        AftTraceRow row;
        aft_trace_row_init(&row, AFT_PHASE_STEADY);
        row.read_iops = iops[i];
        row.write_iops = 0.0;
        g_array_append_val(trace, row);
    }
    return trace;
}

static const char *text_of(const GPtrArray *lines, guint i)
{
    return ((const AftLiveLine *)g_ptr_array_index(lines, i))->text;
}

static void three_lines_say_it_all(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = required();
    g_autoptr(AftLive) live = aft_live_new(scenario);
    const double iops[] = {1000.0, 1000.0, 0.0, 500.0};
    g_autoptr(GArray) trace = trace_of(iops, G_N_ELEMENTS(iops));
    AftObservation seen = observed(trace);
    seen.scenario_s = 3000.0;
    seen.moved_bytes[AFT_TASK_REBUILD] = 1e12; /* an earlier rebuild */
    seen.waiting_bytes[AFT_TASK_REBUILD] = 3e11;
    aft_live_see(live, &seen);
    seen.scenario_s = 3600.0;
    seen.moved_bytes[AFT_TASK_REBUILD] += 6e10; /* 100 MB/s */
    seen.waiting_bytes[AFT_TASK_REBUILD] -= 6e10;
    aft_live_see(live, &seen);
    const AftTextStyle style = {.width = 100, .utf8 = TRUE};
    g_autoptr(GPtrArray) lines = aft_live_lines(live, &seen, &style);
    assert_int_equal(lines->len, AFT_LIVE_LINES);
    assert_string_equal(text_of(lines, 0), "rebuild  1:00:00 of 2:00:00   50 %  "
                                           "████████████████████░░░░░░░░░░░░░░░░░░░░");
    assert_string_equal(text_of(lines, 1),
                        "IOPS 800 of 1,000  ██▁▅  read 6.67 ms of 5.5 ms  owed 12,345");
    assert_string_equal(text_of(lines, 2), "rebuild 60 GB of 300 GB at 100 MB/s, 40 min left");
    g_autofree char *line = aft_live_line(live, &seen);
    assert_string_equal(line, "1:00:00   50 %  rebuild  IOPS 800 of 1,000  read 6.67 ms of 5.5 ms  "
                              "owed 12,345  rebuild 60 GB of 300 GB at 100 MB/s, 40 min left");
}

static void no_line_is_too_wide(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = required();
    g_autoptr(AftLive) live = aft_live_new(scenario);
    double iops[200];
    for (guint i = 0; i < G_N_ELEMENTS(iops); i++) {
        iops[i] = i;
    }
    g_autoptr(GArray) trace = trace_of(iops, G_N_ELEMENTS(iops));
    AftObservation seen = observed(trace);
    seen.waiting_bytes[AFT_TASK_REBUILD] = seen.waiting_bytes[AFT_TASK_SCRUB] = 1e12;
    aft_live_see(live, &seen);
    for (guint width = 1; width < 220; width++) {
        const AftTextStyle style = {.width = width, .utf8 = width % 2 == 0};
        g_autoptr(GPtrArray) lines = aft_live_lines(live, &seen, &style);
        for (guint i = 0; i < lines->len; i++) {
            const AftLiveLine *line = g_ptr_array_index(lines, i);
            assert_int_equal(line->columns, g_utf8_strlen(line->text, -1));
            assert_true(line->columns <= width);
            assert_true(style.utf8 || g_str_is_ascii(line->text));
        }
    }
}

static void colours_take_no_columns(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = required();
    g_autoptr(AftLive) live = aft_live_new(scenario);
    g_autoptr(GArray) trace = trace_of(NULL, 0);
    AftObservation seen = observed(trace);
    const AftTextStyle style = {.width = 100, .utf8 = TRUE, .colour = TRUE};
    g_autoptr(GPtrArray) lines = aft_live_lines(live, &seen, &style);
    const AftLiveLine *line = g_ptr_array_index(lines, 1);
    assert_string_equal(line->text, "\033[1;31mIOPS 800 of 1,000\033[0m  \033[1;31mread 6.67 ms of "
                                    "5.5 ms\033[0m  \033[33mowed 12,345\033[0m");
    assert_int_equal(line->columns,
                     strlen("IOPS 800 of 1,000  read 6.67 ms of 5.5 ms  owed 12,345"));
}

static void what_is_not_known_is_not_told(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    scenario->run.duration_ns = 1000000000;
    g_autoptr(AftLive) live = aft_live_new(scenario);
    g_autoptr(GArray) trace = trace_of(NULL, 0);
    AftObservation seen = {.phase = AFT_PHASE_STEADY,
                           .iops = NAN,
                           .read_mean_ms = NAN,
                           .write_mean_ms = NAN,
                           .trace = trace};
    seen.waiting_bytes[AFT_TASK_CONVERT] = 1e9;
    aft_live_see(live, &seen); /* just begun: no speed yet */
    g_autofree char *line = aft_live_line(live, &seen);
    assert_string_equal(line, "0 s    0 %  steady  IOPS unknown yet  convert 0 B of 1 GB");
    seen.waiting_bytes[AFT_TASK_CONVERT] = 0.0;
    aft_live_see(live, &seen);
    const AftTextStyle style = {.width = 80};
    g_autoptr(GPtrArray) lines = aft_live_lines(live, &seen, &style);
    assert_string_equal(text_of(lines, 2), "no work in the background");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_lines_say_it_all),
        cmocka_unit_test(no_line_is_too_wide),
        cmocka_unit_test(colours_take_no_columns),
        cmocka_unit_test(what_is_not_known_is_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
