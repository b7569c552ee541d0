/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lines.h"

#include <aftershock/report/phases.h>

#include <string.h>
#include <test.h>

static const AftTextStyle wide = {.width = 0, .utf8 = TRUE, .colour = FALSE};

static void add_phase(AftResult *result, AftPhase phase, double start_s, const char *requirement,
                      const char *flags)
{
    AftPhaseRow row;
    aft_phase_row_init(&row, phase);
    row.start_s = start_s;
    row.duration_s = 4980.0;
    row.iops = 107676.4;
    row.iops_ci = 1234.0;
    row.read_mean_ms = 4.518;
    row.read_mean_ci_ms = 0.02;
    row.read_p95_ms = 10.25;
    row.read_p99_ms = 1234.5;
    row.write_mean_ms = 12.0;
    row.write_mean_ci_ms = 0.5;
    row.write_p95_ms = 20.0;
    row.write_p99_ms = 30.0;
    g_free(row.requirement);
    g_free(row.flags);
    row.requirement = g_strdup(requirement);
    row.flags = g_strdup(flags);
    g_array_append_val(result->phases, row);
}

static AftResult *example(void)
{
    AftResult *result = aft_result_new();
    result->scenario = g_strdup("five nodes, \303\244 name");
    result->label = g_strdup("raid5");
    result->seed = 7;
    result->simulated_ios = 1234567;
    result->simulated_s = 61.0;
    add_phase(result, AFT_PHASE_STEADY, 0.0, "met", "");
    add_phase(result, AFT_PHASE_REBALANCE, 4980.0, "iops+read+write", "stall+no_target");
    return result;
}

static char *line_with(const char *text, const char *part)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        if (strstr(lines[i], part) != NULL) {
            return g_strdup(lines[i]);
        }
    }
    print_error("no line with \"%s\" in:\n%s", part, text);
    fail();
    return NULL;
}

/* The length of the longest line in characters. */
static glong widest(const char *text)
{
    glong width = 0;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        width = MAX(width, g_utf8_strlen(lines[i], -1));
    }
    return width;
}

static void a_row_says_it_all(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    g_autofree char *text = aft_phases_text(result, &wide);
    g_autofree char *first = line_with(text, "steady"), *second = line_with(text, "rebalance");
    assert_string_equal(first, "steady            0 s  1 h 23 min  107,676 ± 1,234  4.52 ± 0.02  "
                               "10.25  1,234.50  12.00 ± 0.50  20.00  30.00  yes");
    assert_string_equal(second, "rebalance  1 h 23 min  1 h 23 min  107,676 ± 1,234  4.52 ± 0.02  "
                                "10.25  1,234.50  12.00 ± 0.50  20.00  30.00  "
                                "no: iops, read, write  stall, no target");
    g_autofree char *titles = line_with(text, "duration");
    assert_string_equal(titles, "phase           start    duration     IOPS          mean"
                                "           p95       p99   mean           p95    p99  "
                                "met                    flags");
}

static void usual_terminals_are_not_overrun(void **state)
{
    (void)state;
    static const guint widths[] = {100, 120, 140};
    g_autoptr(AftResult) result = example();
    for (guint i = 0; i < G_N_ELEMENTS(widths); i++) {
        AftTextStyle style = {widths[i], TRUE, FALSE};
        g_autofree char *text = aft_phases_text(result, &style);
        assert_true(widest(text) <= (glong)widths[i]);
        assert_non_null(strstr(text, "no: iops, read, write  stall, no target"));
    }
}

/* A row of the trace every half of a phase: 1 and 2 ms. */
static void add_trace(AftResult *result)
{
    for (guint i = 0; i < 4; i++) {
        AftTraceRow row;
        aft_trace_row_init(&row, AFT_PHASE_STEADY);
        row.time_s = i * 2490.0;
        row.read_iops = row.write_iops = i < 2 ? 80.0 : 100.0;
        row.read_mean_ms = row.write_mean_ms = 1.0 + i % 2;
        g_array_append_val(result->trace, row);
    }
}

static void a_terminal_with_room_shows_how_things_went(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    g_autofree char *without = aft_phases_text(result, &wide);
    add_trace(result);
    const AftTextStyle huge = {.width = 400, .utf8 = TRUE}, ascii = {.width = 400};
    g_autofree char *text = aft_phases_text(result, &huge), *row = line_with(text, "steady");
    assert_string_equal(row, "steady            0 s  1 h 23 min  107,676 ± 1,234  ▇▇▇▇▇▇▇▇▇  "
                             "4.52 ± 0.02  10.25  1,234.50  ▅▅▅▅▇████  "
                             "12.00 ± 0.50  20.00  30.00  ▅▅▅▅▇████  yes");
    g_autofree char *plain = aft_phases_text(result, &ascii);
    assert_non_null(strstr(plain, "----=^^^^"));
    /* Not on a terminal: as without. */
    g_autofree char *piped = aft_phases_text(result, &wide);
    assert_string_equal(piped, without);
    g_autofree char *markdown = aft_phases_markdown(result);
    assert_null(strstr(markdown, "▇"));
}

static void how_things_went_goes_with_the_width(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    add_trace(result);
    guint widths_with[3] = {0}; /* none, IOPS alone, latencies too */
    for (guint width = 60; width < 200; width++) {
        const AftTextStyle style = {.width = width, .utf8 = TRUE};
        g_autofree char *text = aft_phases_text(result, &style), *row = line_with(text, "steady");
        gboolean iops = strstr(row, "▇▇▇▇▇▇▇▇▇") != NULL, latency = strstr(row, "▅▇█") != NULL;
        assert_true(width < 100 || widest(text) <= (glong)width);
        assert_true(iops || !latency); /* that of IOPS goes last */
        widths_with[iops + latency]++;
    }
    for (guint i = 0; i < G_N_ELEMENTS(widths_with); i++) {
        assert_true(widths_with[i] >= 10);
    }
}

static void names_move_no_cursor(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    g_free(result->label);
    result->label = g_strdup("\033[2J\033]0;mine\a\302\2332J");
    const AftTextStyle styles[] = {{.utf8 = TRUE}, {.utf8 = FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(styles); i++) {
        g_autofree char *text = aft_phases_text(result, &styles[i]);
        assert_null(strpbrk(text, "\033\a"));
        assert_null(strstr(text, "\302\233"));
        assert_non_null(strstr(text, "(?[2J?]0;mine??2J)"));
    }
}

static void wide_characters_take_two_columns(void **state)
{
    (void)state;
    AftTextStyle style = {.width = 40, .utf8 = TRUE};
    g_autoptr(GString) out = g_string_new(NULL);
    aft_lines_append(out, "label", "日本日本日本日本日本, 日本日本, more", AFT_TINT_NONE, &style);
    assert_string_equal(out->str, "label       日本日本日本日本日本,\n"
                                  "            日本日本, more\n");
}

/* The length of the longest row of the whole table. */
static guint full_width(const AftResult *result)
{
    g_autofree char *text = aft_phases_text(result, &wide);
    g_autofree char *row = line_with(text, "rebalance");
    return (guint)g_utf8_strlen(row, -1);
}

static void what_matters_least_goes_first(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    guint full = full_width(result);
    const struct {
        guint width;
        gboolean latency_interval, iops_interval, start, p95;
    } steps[] = {{full, TRUE, TRUE, TRUE, TRUE},
                 {full - 1, FALSE, TRUE, TRUE, TRUE},
                 {50, FALSE, FALSE, FALSE, FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        AftTextStyle style = {steps[i].width, TRUE, FALSE};
        g_autofree char *text = aft_phases_text(result, &style);
        g_autofree char *row = line_with(text, "steady"), *titles = line_with(text, "duration");
        assert_int_equal(strstr(row, "± 0.02") != NULL, steps[i].latency_interval);
        assert_int_equal(strstr(row, "± 1,234") != NULL, steps[i].iops_interval);
        assert_int_equal(strstr(titles, "start") != NULL, steps[i].start);
        assert_int_equal(strstr(titles, "p95") != NULL, steps[i].p95);
        assert_non_null(strstr(row, "107,676"));
        assert_non_null(strstr(row, "30.00")); /* the 99th percentile stays */
    }
}

static void room_left_is_used_again(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    g_array_index(result->phases, AftPhaseRow, 1).requirement[2] = '\0'; /* "io" */
    /* Too narrow for long durations; dropping the 95th percentiles makes room for the start. */
    gboolean start_without_p95 = FALSE;
    for (guint width = 60; width < full_width(result); width++) {
        AftTextStyle style = {width, TRUE, FALSE};
        g_autofree char *text = aft_phases_text(result, &style);
        g_autofree char *titles = line_with(text, "duration");
        start_without_p95 |= strstr(titles, "start") != NULL && strstr(titles, "p95") == NULL;
    }
    assert_true(start_without_p95);
}

static void columns_without_anything_to_say_are_not_there(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    for (guint i = 0; i < result->phases->len; i++) {
        AftPhaseRow *row = &g_array_index(result->phases, AftPhaseRow, i);
        row->write_mean_ms = row->write_mean_ci_ms = (double)NAN;
        row->write_p95_ms = row->write_p99_ms = (double)NAN;
        row->requirement[0] = row->flags[0] = '\0';
    }
    g_autofree char *text = aft_phases_text(result, &wide);
    assert_null(strstr(text, "write"));
    assert_null(strstr(text, "flags"));
    assert_null(strstr(text, "met"));
    assert_non_null(strstr(text, "read, ms"));
}

static void ascii_is_all_it_takes(void **state)
{
    (void)state;
    AftTextStyle plain = {0, FALSE, FALSE};
    g_autoptr(AftResult) result = example();
    g_autofree char *text = aft_phases_text(result, &plain);
    assert_true(g_str_is_ascii(text));
    assert_non_null(strstr(text, "107,676 +- 1,234"));
    assert_non_null(strstr(text, "five nodes, a name"));
}

/* Removes "ESC [ ... m". */
static char *without_colours(const char *text)
{
    g_autoptr(GRegex) escapes = g_regex_new("\033\\[[0-9;]*m", 0, 0, NULL);
    return g_regex_replace_literal(escapes, text, -1, 0, "", 0, NULL);
}

static void colours_change_nothing_but_colours(void **state)
{
    (void)state;
    AftTextStyle colourful = {100, TRUE, TRUE}, plain = {100, TRUE, FALSE};
    g_autoptr(AftResult) result = example();
    g_autofree char *coloured = aft_phases_text(result, &colourful);
    g_autofree char *expected = aft_phases_text(result, &plain);
    g_autofree char *stripped = without_colours(coloured);
    assert_string_not_equal(coloured, expected);
    assert_non_null(strstr(coloured, "\033[32myes\033[0m"));
    assert_string_equal(stripped, expected);
}

static void a_missed_requirement_is_told_with_its_time(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    result->requirement = g_strdup("iops+write");
    result->required_iops = 107676.0;
    result->required_write_ms = 5.0;
    result->missed_s = 8100.0;
    g_autofree char *text = aft_phases_text(result, &wide);
    assert_non_null(
        strstr(text,
               "required    107,676 IOPS, writes in 5 ms: missed for 2 h 15 min (iops, write)\n"));
}

static void flags_stand_below_where_there_is_no_room_beside(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    AftTextStyle narrow = {76, TRUE, FALSE};
    g_autofree char *beside = aft_phases_text(result, &wide);
    g_autofree char *below = aft_phases_text(result, &narrow);
    assert_null(strstr(beside, "\nflags "));
    assert_non_null(strstr(below, "\nflags       rebalance: stall, no target\n"));
}

static void lost_data_comes_first(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    g_autofree char *before = aft_phases_text(result, &wide);
    assert_null(strstr(before, "LOST"));
    result->loss = (AftLoss){12.0, 3e9, 1830.0};
    g_autofree char *text = aft_phases_text(result, &wide);
    const char *lost = strstr(text, "\n\nDATA LOST");
    assert_non_null(lost);
    g_autofree char *line = line_with(lost, "DATA LOST");
    assert_string_equal(line, "DATA LOST   3 GB of data in 12 placement groups, "
                              "the first at 30 min 30 s");
    g_array_index(result->phases, AftPhaseRow, result->phases->len - 1).lost_pgs = 0.0;
    g_autofree char *again = aft_phases_text(result, &wide);
    g_autofree char *back = line_with(again, "DATA AWAY");
    assert_string_equal(back, "DATA AWAY   3 GB of data in 12 placement groups, "
                              "the first at 30 min 30 s, back in the end");
}

static void wide_intervals_are_owned_up_to(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    result->confidence = 0.95;
    result->precision = 0.02; /* 1,234 of 107,676 is within, 0.5 of 12 is not */
    g_autofree char *text = aft_phases_text(result, &wide);
    g_autofree char *line = line_with(text, "intervals");
    assert_string_equal(line, "intervals   ± is half of a 95 % interval; more than 2 % in "
                              "steady (write ± 4.2 %), rebalance (write ± 4.2 %)");
    result->precision = 0.05;
    g_autofree char *kept = aft_phases_text(result, &wide);
    assert_non_null(strstr(kept, "interval, at most 5 %\n"));
}

static void an_interval_is_never_shown_as_nothing(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    g_array_index(result->phases, AftPhaseRow, 0).read_mean_ci_ms = 0.0049;
    g_autofree char *text = aft_phases_text(result, &wide);
    g_autofree char *row = line_with(text, "steady");
    assert_non_null(strstr(row, "4.52 ± <0.01  10.25"));
}

static void moved_bytes_come_with_their_speed(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    g_array_index(result->phases, AftPhaseRow, 1).rebuild_bytes = 4.98e11;
    g_autofree char *text = aft_phases_text(result, &wide);
    assert_non_null(strstr(text, "498 GB rebuilt at 100 MB/s\n")); /* in 4,980 s */
}

static void what_is_shed_is_told_by_its_cause(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    g_array_index(result->phases, AftPhaseRow, 0).shed_ios = 30.0;
    g_array_index(result->phases, AftPhaseRow, 1).shed_ios = 12.0;
    result->shed_lost_ios = 12;
    g_autofree char *both = aft_phases_text(result, &wide);
    assert_non_null(
        strstr(both, "30 shed beyond the limit, 12 shed with the data that was lost\n"));
    result->shed_lost_ios = 42;
    g_autofree char *lost = aft_phases_text(result, &wide);
    assert_null(strstr(lost, "beyond the limit"));
    assert_non_null(strstr(lost, "42 shed with the data that was lost\n"));
}

static void add_event(AftResult *result, double time_s, const char *event, const char *subject,
                      const char *detail)
{
    AftEventRow row = {time_s, g_strdup(event), g_strdup(subject), g_strdup(detail)};
    g_array_append_val(result->timeline, row);
}

static void what_was_planned_and_not_done_is_named(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    add_event(result, 10.0, "maintenance", "node 2", "evacuate");
    g_autofree char *before = aft_phases_text(result, &wide);
    assert_null(strstr(before, "NOT DONE"));
    add_event(result, 20.0, "maintenance-refused", "node 2", "it has failed");
    add_event(result, 120.0, "upgrade-skipped", "node 3", "it is down");
    add_event(result, 4980.0, "upgrade-unfinished", "cluster", "data is on its way");
    g_autofree char *text = aft_phases_text(result, &wide);
    g_autofree char *line = line_with(text, "NOT DONE");
    assert_non_null(strstr(line, "maintenance of node 2 refused at 20.0 s (it has failed), "
                                 "upgrade of node 3 skipped at 2 min (it is down), "
                                 "upgrade unfinished at 1 h 23 min (data is on its way)"));
    add_event(result, 5000.0, "upgrade-skipped", "node 4", "it is down");
    add_event(result, 5000.0, "upgrade-skipped", "node 5", "it is down");
    g_autofree char *more = aft_phases_text(result, &wide);
    assert_non_null(strstr(more, "node 4"));
    assert_null(strstr(more, "node 5"));
    assert_non_null(strstr(more, " and 1 more\n"));
}

/* 40 phases: a line for each kind, in the order in which they came, and what was missed of each. */
static void years_are_told_by_kind(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = aft_result_new();
    for (guint i = 0; i < 20; i++) {
        add_phase(result, AFT_PHASE_STEADY, 9960.0 * i, "met", "");
        add_phase(result, AFT_PHASE_FAILED, 9960.0 * i + 4980.0, "iops",
                  i % 2 == 0 ? "stall+owed" : "owed");
        g_array_index(result->phases, AftPhaseRow, 2 * i).missed_s = 0.0;
        g_array_index(result->phases, AftPhaseRow, 2 * i + 1).missed_s = i < 2 ? 249.0 : 0.0;
    }
    g_autofree char *text = aft_phases_text(result, &wide);
    g_autofree char *steady = line_with(text, "steady  ");
    g_autofree char *failed = line_with(text, "failed  ");
    g_autofree char *all = line_with(text, "all  ");
    assert_true(strstr(text, "steady  ") < strstr(text, "failed  "));
    assert_non_null(strstr(steady, "20     50 %  1 h 23 min  107,676"));
    assert_non_null(strstr(steady, "100 %"));
    assert_non_null(strstr(failed, "99.50 %")); /* 498 s of 99,600 */
    assert_non_null(strstr(all, "99.75 %"));
    assert_non_null(strstr(text, "flags       failed: stall, owed\n"));
}

static void a_run_without_a_phase_says_so(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    result->interrupted = TRUE;
    g_autofree char *text = aft_phases_text(result, &wide);
    assert_non_null(strstr(text, "before it had a phase"));
    assert_non_null(strstr(text, "interrupted"));
}

static void markdown_has_a_bar_for_every_column(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example();
    g_autofree char *text = aft_phases_markdown(result);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    assert_string_equal(lines[0], "### five nodes, ä name (raid5)");
    assert_non_null(strstr(lines[4], "| 107,676 ± 1,234 | 4.52 ± 0.02 | 10.25 |"));
    for (guint i = 2; i < 6; i++) {
        g_auto(GStrv) cells = g_strsplit(lines[i], "|", -1);
        assert_int_equal(g_strv_length(cells), 12 + 2); /* one before, one after the outer bars */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_says_it_all),
        cmocka_unit_test(usual_terminals_are_not_overrun),
        cmocka_unit_test(a_terminal_with_room_shows_how_things_went),
        cmocka_unit_test(how_things_went_goes_with_the_width),
        cmocka_unit_test(names_move_no_cursor),
        cmocka_unit_test(wide_characters_take_two_columns),
        cmocka_unit_test(what_matters_least_goes_first),
        cmocka_unit_test(room_left_is_used_again),
        cmocka_unit_test(columns_without_anything_to_say_are_not_there),
        cmocka_unit_test(ascii_is_all_it_takes),
        cmocka_unit_test(colours_change_nothing_but_colours),
        cmocka_unit_test(a_missed_requirement_is_told_with_its_time),
        cmocka_unit_test(flags_stand_below_where_there_is_no_room_beside),
        cmocka_unit_test(lost_data_comes_first),
        cmocka_unit_test(wide_intervals_are_owned_up_to),
        cmocka_unit_test(an_interval_is_never_shown_as_nothing),
        cmocka_unit_test(moved_bytes_come_with_their_speed),
        cmocka_unit_test(what_is_shed_is_told_by_its_cause),
        cmocka_unit_test(what_was_planned_and_not_done_is_named),
        cmocka_unit_test(years_are_told_by_kind),
        cmocka_unit_test(a_run_without_a_phase_says_so),
        cmocka_unit_test(markdown_has_a_bar_for_every_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
