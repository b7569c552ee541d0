/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/result/csv.h>
#include <aftershock/result/result.h>

#include <string.h>
#include <test.h>

#define PHASE_HEADER                                                                             \
    "phase,start_s,duration_s,iops,iops_ci,read_iops,write_iops,read_mean_ms,read_mean_ci_ms,"   \
    "read_p50_ms,read_p95_ms,read_p99_ms,write_mean_ms,write_mean_ci_ms,write_p50_ms,"           \
    "write_p95_ms,write_p99_ms,read_response_mean_ms,write_response_mean_ms,read_mb_per_s,"      \
    "write_mb_per_s,owed_ios_end,shed_ios,rebuild_bytes,rebalance_bytes,convert_bytes,"          \
    "encode_bytes,destage_bytes,controller_util,nic_util,cache_util,capacity_util,simulated_s,"  \
    "missed_s,requirement,scrub_bytes,read_iops_ci,write_iops_ci,read_p50_ci_ms,read_p95_ci_ms," \
    "read_p99_ci_ms,write_p50_ci_ms,write_p95_ci_ms,write_p99_ci_ms,read_p995_ms,"               \
    "write_p995_ms,read_p995_ci_ms,write_p995_ci_ms,lost_pgs,flags\n"

#define TRACE_HEADER                                                                              \
    "time_s,phase,read_iops,write_iops,read_mean_ms,read_p50_ms,read_p95_ms,read_p99_ms,"         \
    "write_mean_ms,write_p50_ms,write_p95_ms,write_p99_ms,read_mb_per_s,write_mb_per_s,owed_ios," \
    "degraded_pgs,lost_pgs,rebuild_mb_per_s,rebalance_mb_per_s,convert_mb_per_s,"                 \
    "encode_mb_per_s,scrub_mb_per_s,destage_mb_per_s,used_bytes,buffer_fill,controller_util,"     \
    "nic_util,cache_util,capacity_util,simulated_s\n"

#define EVENT_HEADER "time_s,event,subject,detail\n"

static void headers_are_those_of_the_contract(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    g_autofree char *phases = aft_csv_format(aft_phase_table(), result->phases);
    g_autofree char *trace = aft_csv_format(aft_trace_table(), result->trace);
    g_autofree char *events = aft_csv_format(aft_event_table(), result->timeline);
    assert_string_equal(phases, PHASE_HEADER);
    assert_string_equal(trace, TRACE_HEADER);
    assert_string_equal(events, EVENT_HEADER);
}

static void an_untouched_row_is_its_phase_and_empty_cells(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    AftPhaseRow row;
    aft_phase_row_init(&row, AFT_PHASE_CATCHUP);
    g_array_append_val(result->phases, row);
    g_autofree char *csv = aft_csv_format(aft_phase_table(), result->phases);
    g_autofree char *expected =
        g_strdup_printf("%scatchup%s\n", PHASE_HEADER,
                        ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,");
    assert_string_equal(csv, expected);
}

typedef struct {
    AftCell kind;
    double value;
    const char *text;
} Number;

static void numbers_are_short_and_exact_enough(void **state)
{
    (void)state;
    static const Number numbers[] = {
        {AFT_CELL_SECONDS, 1800.0, "1800"},
        {AFT_CELL_SECONDS, 0.1 + 0.2, "0.3"},
        {AFT_CELL_SECONDS, 43199.999999999, "43199.999999999"}, /* a nanosecond short of 12 h */
        {AFT_CELL_SECONDS, -0.0, "0"},
        {AFT_CELL_SECONDS, -1e-12, "0"},
        {AFT_CELL_WHOLE, 9007199254740991.0, "9007199254740991"},
        {AFT_CELL_WHOLE, 1e21, "1000000000000000000000"},
        {AFT_CELL_WHOLE, 2.6, "3"},
        {AFT_CELL_MEASURE, 107676.12345678, "107676.123"},
        {AFT_CELL_MEASURE, 0.8, "0.8"},
        {AFT_CELL_MEASURE, 1.0 / 3.0, "0.333333333"},
        {AFT_CELL_MEASURE, -0.0, "0"},
        {AFT_CELL_MEASURE, (double)NAN, ""},
        {AFT_CELL_MEASURE, (double)INFINITY, ""},
    };
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
        AftColumn column = {"figure", numbers[i].kind, 0, FALSE};
        g_autofree char *text = aft_column_format(&column, &numbers[i].value);
        assert_string_equal(text, numbers[i].text);
    }
}

static void awkward_text_survives_the_quotes(void **state)
{
    (void)state;
    static const char *const awkward[] = {"plain", "a,b", "say \"no\"", "two\nlines",
                                          "\"",    "",    "cr\r\nlf",   " blanks "};
    g_autoptr(AftResult) written = aft_result_new();
    for (guint i = 0; i < G_N_ELEMENTS(awkward); i++) {
        AftEventRow row = {(double)i, g_strdup("fail"), g_strdup(awkward[i]), g_strdup("")};
        g_array_append_val(written->timeline, row);
    }
    g_autofree char *csv = aft_csv_format(aft_event_table(), written->timeline);
    assert_non_null(strstr(csv, "2,fail,\"say \"\"no\"\"\",\n"));
    g_autoptr(AftResult) read = aft_result_new();
    assert_true(aft_csv_parse(aft_event_table(), csv, "events.csv", read->timeline, NULL));
    assert_int_equal(read->timeline->len, G_N_ELEMENTS(awkward));
    for (guint i = 0; i < read->timeline->len; i++) {
        const AftEventRow *row = &g_array_index(read->timeline, AftEventRow, i);
        assert_string_equal(row->subject, awkward[i]);
        assert_within(row->time_s, (double)i, 0.0);
    }
}

static void columns_are_found_by_name_and_strangers_skipped(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    const char *csv = "detail,extra,time_s,subject,event\r\nwhy,9,1.5,node 2,fail\r\n";
    assert_true(aft_csv_parse(aft_event_table(), csv, "e.csv", result->timeline, NULL));
    const AftEventRow *row = &g_array_index(result->timeline, AftEventRow, 0);
    assert_string_equal(row->event, "fail");
    assert_string_equal(row->detail, "why");
    assert_within(row->time_s, 1.5, 0.0);
}

/* What was written before a figure was told is still a result, without that figure. */
static void columns_that_are_new_may_be_missing(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    g_auto(GStrv) parts = g_strsplit(PHASE_HEADER, ",read_p995_ms,write_p995_ms", 2);
    g_auto(GStrv) rest = g_strsplit(parts[1], ",read_p995_ci_ms,write_p995_ci_ms", 2);
    g_autofree char *header = g_strconcat(parts[0], rest[0], rest[1], NULL);
    g_auto(GStrv) names = g_strsplit(header, ",", -1);
    g_autofree char *empty = g_strnfill(g_strv_length(names) - 1, ',');
    g_autofree char *csv = g_strconcat(header, "steady", empty, "\n", NULL);
    g_autoptr(GError) error = NULL;
    assert_true(aft_csv_parse(aft_phase_table(), csv, "p.csv", result->phases, &error));
    assert_int_equal(result->phases->len, 1);
    assert_true(isnan(g_array_index(result->phases, AftPhaseRow, 0).read_p995_ms));
}

static void broken_files_are_refused_with_their_line(void **state)
{
    (void)state;
    static const char *const broken[][2] = {
        {"", "e.csv:1: there is no column named time_s"},
        {"time_s,event,subject\n", "e.csv:1: there is no column named detail"},
        {"time_s,event,subject,detail,event\n", "e.csv:1: there are two columns named event"},
        {EVENT_HEADER "1,fail,node 2\n", "e.csv:2: expected 4 cells, got 3"},
        {EVENT_HEADER "1,a,b,\"c\nd\"\nx,a,b,c\n", "e.csv:4: time_s: expected a number, got \"x\""},
        {EVENT_HEADER "1e999,a,b,c\n", "e.csv:2: time_s: expected a number"},
        {EVENT_HEADER "1 ,a,b,c\n", "e.csv:2: time_s: expected a number"},
        {EVENT_HEADER "1,a,b,\"c\n", "e.csv:2: a quote is opened and never closed"},
        {EVENT_HEADER "1,a,b,\"c\"d\n", "e.csv:2: text follows a closing quote"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(broken); i++) {
        g_autoptr(AftResult) result = aft_result_new();
        g_autoptr(GError) error = NULL;
        assert_false(
            aft_csv_parse(aft_event_table(), broken[i][0], "e.csv", result->timeline, &error));
        assert_error(error, AFT_ERROR_SYNTAX, broken[i][1]);
    }
}

static void an_unknown_phase_is_refused(void **state)
{
    (void)state;
    AftPhase phase = AFT_PHASE_STEADY;
    AftColumn column = {"phase", AFT_CELL_PHASE, 0, FALSE};
    g_autoptr(GError) error = NULL;
    assert_false(aft_column_parse(&column, &phase, "Steady", &error));
    assert_error(error, AFT_ERROR_SYNTAX, "phase: expected the name of a phase, got \"Steady\"");
    assert_int_equal(phase, AFT_PHASE_STEADY);
}

static void every_phase_is_found_by_its_name(void **state)
{
    (void)state;
    for (guint i = 0; i < AFT_PHASES; i++) {
        AftPhase found = AFT_PHASES;
        assert_true(aft_phase_from_name(aft_phase_name((AftPhase)i), &found));
        assert_int_equal(found, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_are_those_of_the_contract),
        cmocka_unit_test(an_untouched_row_is_its_phase_and_empty_cells),
        cmocka_unit_test(numbers_are_short_and_exact_enough),
        cmocka_unit_test(awkward_text_survives_the_quotes),
        cmocka_unit_test(columns_are_found_by_name_and_strangers_skipped),
        cmocka_unit_test(columns_that_are_new_may_be_missing),
        cmocka_unit_test(broken_files_are_refused_with_their_line),
        cmocka_unit_test(an_unknown_phase_is_refused),
        cmocka_unit_test(every_phase_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
