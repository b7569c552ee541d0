/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/page_beside.h>
#include <aftershock/result/columns.h>
#include <aftershock/result/palette.h>

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

static void add_latency(AftResult *result, gboolean write, double upper_ms, double count)
{
    AftLatencyRow row = {AFT_PHASE_STEADY, 0.0, write, upper_ms, count, 1.0};
    g_array_append_val(result->latency, row);
}

static double latency_of(JsonObject *data, guint curve, const char *direction, guint tail)
{
    JsonArray *latency = json_object_get_array_member(data, "latency");
    JsonObject *it = json_array_get_object_element(latency, curve);
    return json_array_get_double_element(json_object_get_array_member(it, direction), tail);
}

/* Of 10,000 reads 100 take 20 ms instead of 1; 15 tails a decade, so that 1 % is number 30. What a
 * file says that is no latency counts for nothing. */
static void latencies_become_percentiles(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("three");
    g_array_index(result->phases, AftPhaseRow, 0).read_iops = 1000.0;
    g_array_index(result->phases, AftPhaseRow, 0).simulated_s = 10.0;
    add_latency(result, FALSE, 20.0, 100.0);
    add_latency(result, FALSE, 1.0, 9900.0);
    add_latency(result, FALSE, 5000.0, -1.0);
    add_latency(result, FALSE, (double)NAN, 1e9);
    add_latency(result, TRUE, 7.0, 9.0);
    g_autofree char *page = page_of(result);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *data = result_in(page, parser, 0);
    assert_within(latency_of(data, 0, "read", 5), 1.0, 1.0 / 32.0);
    assert_within(latency_of(data, 0, "read", 30), 1.0, 1.0 / 32.0);
    assert_within(latency_of(data, 0, "read", 35), 20.0, 20.0 / 32.0); /* 99.5 % */
    JsonArray *latency = json_object_get_array_member(data, "latency");
    assert_int_equal(json_array_get_length(latency), 1); /* the rebuild has none */
    JsonObject *steady = json_array_get_object_element(latency, 0);
    JsonArray *reads = json_object_get_array_member(steady, "read");
    assert_int_equal(json_array_get_length(reads), 46); /* to the last ten of 10,000 */
    assert_int_equal(json_array_get_length(json_object_get_array_member(steady, "write")), 1);
}

static void hostile_texts_do_not_swell_the_page(void **state)
{
    (void)state;
    enum { EVENTS = 600, LENGTH = 5000 };
    g_autoptr(AftResult) result = example("three");
    char text[LENGTH + 1];
    memset(text, '<', LENGTH);
    text[LENGTH] = '\0';
    for (guint i = 0; i < EVENTS; i++) {
        AftEventRow event = {i, g_strdup(text), g_strdup(text), g_strdup(text)};
        g_array_append_val(result->timeline, event);
    }
    for (guint i = 0; i < 27; i++) {
        add_phase(result, AFT_PHASE_STEADY, 200.0 + 100.0 * i, text);
        g_free(g_array_index(result->phases, AftPhaseRow, i).flags);
        g_array_index(result->phases, AftPhaseRow, i).flags = g_strdup(text);
    }
    g_autofree char *page = page_of(result);
    assert_true(strlen(page) < 1000000);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *data = result_in(page, parser, 0);
    gint64 shown = json_array_get_length(json_object_get_array_member(data, "events"));
    assert_int_equal(json_object_get_int_member(data, "events_left_out"), EVENTS + 1 - shown);
    assert_true(shown > 50);
}

static void add_cell(AftReference *reference, double value, double allowed, const char *note)
{
    AftReferenceCell *cell = aft_reference_cell_new();
    cell->label = g_strdup("three");
    cell->metric = aft_metric_find("read_mean");
    cell->phase = AFT_PHASE_STEADY;
    cell->value = value;
    g_free(cell->unit);
    cell->unit = g_strdup("ms");
    cell->unit_base = 1e-3;
    cell->tolerance.below = cell->tolerance.above = (AftSide){allowed > 0.0, TRUE, allowed};
    cell->note = g_strdup(note);
    g_ptr_array_add(reference->cells, cell);
}

/* What was simulated is 2 ms. */
static void figures_stand_beside_the_published(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("three");
    g_autoptr(AftReference) reference = aft_reference_new();
    g_free(reference->name);
    reference->name = g_strdup("<script>lab</script>");
    add_cell(reference, 2.1e-3, 0.1, NULL);
    add_cell(reference, 1e-3, 0.1, NULL);
    add_cell(reference, (double)NAN, 0.0, NULL);
    g_autoptr(AftComparison) comparison = aft_compare(reference, &result, 1);
    const AftResult *const results[] = {result};
    g_autofree char *page = aft_page_new_beside(results, 1, reference, comparison, NULL);
    assert_non_null(strstr(page, "Beside &lt;script&gt;lab"));
    assert_non_null(strstr(page, "✗ 1 of 2 figures with a tolerance is within it"));
    assert_non_null(strstr(page, "published 2.10 ms, simulated 2.00 ms, allowed ± 10 %"));
    assert_non_null(strstr(page, "<td class=\"good\">✓ within"));
    assert_non_null(strstr(page, "<td class=\"bad\">✗ outside"));
    assert_non_null(strstr(page, "prediction</td>"));
    assert_int_equal(count(page, "<rect class=\"simulated out\""), 1);
    assert_non_null(strstr(page, "<path class=\"beyond\"")); /* twice as long as the published */
}

/* The style of the page, where the light comes before the dark. */
static void assert_ink(const char *style, const char *name, AftInk ink)
{
    g_autofree char *expected = g_strdup_printf("--%s: #%06x;", name, aft_ink_colour(ink));
    const char *dark = strstr(style, "prefers-color-scheme: dark");
    const char *found = strstr(style, expected);
    if (found == NULL || found > dark) {
        fail_msg("the page does not have %s", expected);
    }
}

static void inks_are_those_of_the_pictures(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("one");
    g_autofree char *page = page_of(result);
    const char *const texts[] = {[AFT_INK_TEXT] = "text",
                                 [AFT_INK_MUTED] = "muted",
                                 [AFT_INK_GOOD] = "good",
                                 [AFT_INK_BAD] = "bad",
                                 [AFT_INK_NOTICE] = "notice"};
    for (AftInk ink = 0; ink < G_N_ELEMENTS(texts); ink++) {
        if (texts[ink] != NULL) {
            assert_ink(page, texts[ink], ink);
        }
    }
    for (guint i = 0; i < AFT_LINE_INKS; i++) {
        g_autofree char *name = g_strdup_printf("line-%u", i + 1);
        assert_ink(page, name, AFT_INK_LINES + i);
    }
    for (AftPhase phase = 0; phase < AFT_PHASES; phase++) {
        assert_ink(page, aft_phase_name(phase), AFT_INK_PHASES + phase);
    }
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
        cmocka_unit_test(latencies_become_percentiles),
        cmocka_unit_test(hostile_texts_do_not_swell_the_page),
        cmocka_unit_test(figures_stand_beside_the_published),
        cmocka_unit_test(inks_are_those_of_the_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
