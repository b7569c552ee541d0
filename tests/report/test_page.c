/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/page.h>
#include <aftershock/result/columns.h>

#include <json-glib/json-glib.h>
#include <test.h>

#define HOSTILE "</script><script>alert(1)</script>"

static void add_phase(AftResult *result, AftPhase phase, double start_s, const char *requirement)
{
    AftPhaseRow row;
    aft_phase_row_init(&row, phase);
    row.start_s = start_s;
    row.duration_s = 100.0;
    row.iops = 1000.0;
    row.read_mean_ms = 2.0;
    row.missed_s = g_str_equal(requirement, "met") ? 0.0 : 60.0;
    g_free(row.requirement);
    row.requirement = g_strdup(requirement);
    g_array_append_val(result->phases, row);
}

static void add_interval(AftResult *result, double time_s, double read_iops)
{
    AftTraceRow row;
    aft_trace_row_init(&row, AFT_PHASE_STEADY);
    row.time_s = time_s;
    row.read_iops = read_iops;
    row.read_mean_ms = 1.0 / 3.0;
    row.rebuild_mb_per_s = 0.0;
    g_array_append_val(result->trace, row);
}

static AftResult *example(const char *label)
{
    AftResult *result = aft_result_new();
    result->scenario = g_strdup("three disks");
    result->label = g_strdup(label);
    result->version = g_strdup("0.1");
    result->requirement = g_strdup("iops");
    result->required_iops = 1200.0;
    result->missed_s = 60.0;
    add_phase(result, AFT_PHASE_STEADY, 0.0, "met");
    add_phase(result, AFT_PHASE_REBUILD, 100.0, "iops");
    for (guint i = 0; i < 20; i++) {
        add_interval(result, 10.0 * i, i == 7 ? (double)NAN : 1000.0 + i);
    }
    AftEventRow event = {100.0, g_strdup("fail"), g_strdup("node 2"), g_strdup("")};
    g_array_append_val(result->timeline, event);
    return result;
}

static char *page_of(const AftResult *result)
{
    return aft_page_new(&result, 1, NULL);
}

/* What is between @before and @after in @text, where they are first. */
static char *between(const char *text, const char *before, const char *after)
{
    const char *start = strstr(text, before);
    assert_non_null(start);
    start += strlen(before);
    const char *end = strstr(start, after);
    assert_non_null(end);
    return g_strndup(start, (gsize)(end - start));
}

/* The data of @page, parsed, and in it the result @index. */
static JsonObject *result_in(const char *page, JsonParser *parser, guint index)
{
    g_autofree char *json =
        between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
    assert_null(strchr(json, '<'));
    assert_true(json_parser_load_from_data(parser, json, -1, NULL));
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    return json_array_get_object_element(json_object_get_array_member(root, "results"), index);
}

static guint count(const char *text, const char *part)
{
    guint n = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        n++;
    }
    return n;
}

static void the_verdict_comes_first(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("three");
    g_autofree char *page = page_of(result);
    const char *verdict = strstr(page, "<h2>Requirement missed for 1 min</h2>");
    assert_non_null(verdict);
    assert_true(verdict < strstr(page, "<h2>Timeline</h2>"));
    assert_non_null(strstr(page, "<dd>none was lost</dd>"));
    assert_non_null(strstr(page, "✗ missed iops</span><span class=\"small\">for 1 min</span>"));
    assert_non_null(strstr(page, "<title>three disks (three) – Aftershock</title>"));
    assert_null(strstr(page, "Interrupted"));
}

static void lost_data_and_interruption_are_told(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("three");
    result->loss = (AftLoss){3.0, 1e9, 120.0};
    result->interrupted = TRUE;
    g_autofree char *page = page_of(result);
    assert_non_null(strstr(page, "<h2>Data lost, requirement missed for 1 min</h2>"));
    assert_non_null(strstr(page, "Interrupted: the run ended early"));
    assert_null(strstr(page, "none was lost"));
}

static void hostile_texts_are_only_texts(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example(HOSTILE);
    g_free(result->scenario);
    result->scenario = g_strdup("<script>alert(1)</script>\"'&");
    g_free(result->version);
    result->version = g_strdup("<b>");
    AftEventRow event = {110.0, g_strdup(HOSTILE), g_strdup("<img src=x>"), g_strdup("<!--")};
    g_array_append_val(result->timeline, event);
    g_free(g_array_index(result->phases, AftPhaseRow, 0).flags);
    g_array_index(result->phases, AftPhaseRow, 0).flags = g_strdup("<i>");
    g_free(g_array_index(result->phases, AftPhaseRow, 1).requirement);
    g_array_index(result->phases, AftPhaseRow, 1).requirement = g_strdup("<u>+<s>");
    g_autofree char *page = page_of(result);
    assert_non_null(strstr(page, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;"));
    assert_null(strstr(page, "<script>alert"));
    const char *const tags[] = {"<b>three", "<img", "<!--", "<i>", "<u>", "<s>"};
    for (guint i = 0; i < G_N_ELEMENTS(tags); i++) {
        assert_null(strstr(page, tags[i]));
    }
    g_autoptr(JsonParser) parser = json_parser_new();
    assert_string_equal(json_object_get_string_member(result_in(page, parser, 0), "label"),
                        HOSTILE);
}

static void what_is_not_utf8_becomes_so(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("a\xff");
    g_autofree char *page = page_of(result);
    assert_true(g_utf8_validate(page, -1, NULL));
}

static void assert_allowed(const char *page, const char *directive, const char *before,
                           const char *after)
{
    g_autofree char *text = between(page, before, after);
    g_autofree char *policy = between(page, directive, "'");
    guint8 digest[32];
    gsize length = sizeof digest;
    GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(checksum, (const guchar *)text, (gssize)strlen(text));
    g_checksum_get_digest(checksum, digest, &length);
    g_checksum_free(checksum);
    g_autofree char *expected = g_base64_encode(digest, length);
    assert_string_equal(policy, expected);
}

static void the_policy_allows_what_is_there_and_nothing_else(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("three");
    g_autofree char *page = page_of(result);
    assert_non_null(strstr(page, "content=\"default-src 'none'; script-src 'sha256-"));
    assert_allowed(page, "script-src 'sha256-", "<script>", "</script>");
    assert_allowed(page, "style-src 'sha256-", "<style>", "</style>");
    assert_int_equal(count(page, "</script>"), 2); /* data and code */
    assert_null(strstr(page, " style=\"border-left"));
    assert_null(strstr(page, "sourceMappingURL"));
    assert_non_null(strstr(page, "Permission is hereby granted")); /* the notice of Dygraphs */
}

static void few_intervals_are_exact_and_gaps_are_null(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("three");
    g_autofree char *page = page_of(result);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *data = result_in(page, parser, 0);
    JsonObject *columns = json_object_get_object_member(data, "columns");
    JsonArray *iops = json_object_get_array_member(columns, "read_iops");
    assert_int_equal(json_array_get_length(iops), 20);
    assert_true(json_array_get_null_element(iops, 7));
    assert_within(json_array_get_double_element(iops, 19), 1019.0, 0.0);
    JsonArray *mean = json_object_get_array_member(columns, "read_mean_ms");
    assert_within(json_array_get_double_element(mean, 0), 1.0 / 3.0, 1e-9);
    assert_false(json_object_has_member(columns, "rebuild_mb_per_s")); /* does not occur */
    assert_within(json_object_get_double_member(data, "end"), 200.0, 0.0);
}

/* An interval in which every figure is there, with all its digits. */
static void fill(AftTraceRow *row, guint i)
{
    static const AftTraceRow nothing;
    *row = nothing;
    const AftTable *table = aft_trace_table();
    for (guint c = 0; c < table->n_columns; c++) {
        if (table->columns[c].kind != AFT_CELL_PHASE) {
            G_STRUCT_MEMBER(double, row, table->columns[c].offset) = 1.0 + sin(i / 1234.5) / 3.0;
        }
    }
    row->time_s = i;
}

static void a_million_intervals_make_less_than_two_megabytes(void **state)
{
    (void)state;
    enum { ROWS = 1000000, SPIKE = 654321 };
    g_autoptr(AftResult) result = example("long");
    g_array_set_size(result->trace, ROWS);
    for (guint i = 0; i < ROWS; i++) {
        fill(&g_array_index(result->trace, AftTraceRow, i), i);
    }
    g_array_index(result->trace, AftTraceRow, SPIKE).read_iops = 777.0;
    g_autofree char *page = page_of(result);
    assert_true(strlen(page) < 2000000);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *data = result_in(page, parser, 0);
    JsonArray *iops =
        json_object_get_array_member(json_object_get_object_member(data, "columns"), "read_iops");
    JsonArray *times = json_object_get_array_member(data, "time");
    guint spike = 0;
    while (json_array_get_double_element(iops, spike) < 777.0) {
        spike++; /* ends: it is there */
    }
    double bucket_s = 2.0 * ROWS / json_array_get_length(times);
    assert_within(json_array_get_double_element(times, spike), SPIKE, bucket_s);
    assert_int_equal(json_object_get_int_member(data, "rows"), ROWS);
}

static void several_results_stand_beside_each_other(void **state)
{
    (void)state;
    g_autoptr(AftResult) first = example("raid5"), second = example("raid5"), third = example("");
    add_phase(second, AFT_PHASE_STEADY, 200.0, "met");
    const AftResult *const results[] = {first, second, third};
    g_autofree char *page = aft_page_new(results, 3, NULL);
    g_autoptr(JsonParser) parser = json_parser_new();
    const char *const labels[] = {"raid5", "raid5 (2)", "result 3"};
    for (guint i = 0; i < 3; i++) {
        assert_string_equal(json_object_get_string_member(result_in(page, parser, i), "label"),
                            labels[i]);
        g_autofree char *title = g_strdup_printf("class=\"group\">%s</th>", labels[i]);
        assert_non_null(strstr(page, title));
    }
    assert_non_null(strstr(page, "<h1>three disks</h1>"));
    assert_non_null(strstr(page, ">steady (2)</th>"));
}

static void a_result_without_anything_is_a_page(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    g_autofree char *page = page_of(result);
    assert_non_null(strstr(page, "<h2>Nothing was required</h2>"));
    assert_non_null(strstr(page, "The run ended before it had a phase to show."));
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *data = result_in(page, parser, 0);
    assert_int_equal(json_array_get_length(json_object_get_array_member(data, "time")), 0);
}

static void too_many_results_are_refused(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    const AftResult *results[AFT_PAGE_MOST + 1];
    for (guint i = 0; i <= AFT_PAGE_MOST; i++) {
        results[i] = result;
    }
    g_autoptr(GError) error = NULL;
    assert_null(aft_page_new(results, AFT_PAGE_MOST + 1, &error));
    assert_error(error, AFT_ERROR_RANGE, "1 to 8 results");
    g_autofree char *page = aft_page_new(results, AFT_PAGE_MOST, NULL);
    assert_non_null(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_verdict_comes_first),
        cmocka_unit_test(lost_data_and_interruption_are_told),
        cmocka_unit_test(hostile_texts_are_only_texts),
        cmocka_unit_test(what_is_not_utf8_becomes_so),
        cmocka_unit_test(the_policy_allows_what_is_there_and_nothing_else),
        cmocka_unit_test(few_intervals_are_exact_and_gaps_are_null),
        cmocka_unit_test(a_million_intervals_make_less_than_two_megabytes),
        cmocka_unit_test(several_results_stand_beside_each_other),
        cmocka_unit_test(a_result_without_anything_is_a_page),
        cmocka_unit_test(too_many_results_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
