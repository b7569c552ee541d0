/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/compare.h>

#include <json-glib/json-glib.h>
#include <string.h>
#include <test.h>

static const AftTextStyle wide = {.width = 0, .utf8 = TRUE, .colour = FALSE};

static AftReferenceCell *add_cell(AftReference *reference, AftPhase phase, const char *metric,
                                  double value, const char *unit, double unit_base)
{
    AftReferenceCell *cell = aft_reference_cell_new();
    cell->label = g_strdup("raid5");
    cell->phase = phase;
    cell->metric = aft_metric_find(metric);
    cell->value = value;
    cell->unit = g_strdup(unit);
    cell->unit_base = unit_base;
    cell->source = g_strdup("Part I, \"table 2\"");
    g_ptr_array_add(reference->cells, cell);
    return cell;
}

/* A cell of every mark and verdict. */
static AftReference *published(void)
{
    AftReference *reference = aft_reference_new();
    reference->name = g_strdup("one host lost");
    reference->source = g_strdup("Somebody, Part I");
    add_cell(reference, AFT_PHASE_STEADY, "write_mean", 0.00295, "ms", 0.001)->tolerance =
        (AftTolerance){{TRUE, TRUE, 0.05}, {TRUE, TRUE, 0.05}};
    add_cell(reference, AFT_PHASE_STEADY, "iops", 107676.0, "/s", 1.0);
    AftReferenceCell *minutes =
        add_cell(reference, AFT_PHASE_REBUILD, "minutes", 3960.0, "min", 60.0);
    minutes->mark = AFT_MARK_DERIVED;
    minutes->tolerance = (AftTolerance){.above = {TRUE, FALSE, 240.0}};
    AftReferenceCell *ratio = add_cell(reference, AFT_PHASE_STEADY, "iops", 0.5, "1", 1.0);
    ratio->mark = AFT_MARK_SUSPECT;
    ratio->over = g_strdup("rf2");
    ratio->tolerance = (AftTolerance){.below = {TRUE, TRUE, 0.01}};
    add_cell(reference, AFT_PHASE_SCRUB, "iops", 5.0, "/s", 1.0);
    add_cell(reference, AFT_PHASE_STEADY, "read_p99", (double)NAN, "ms", 0.001);
    g_free(add_cell(reference, AFT_PHASE_STEADY, "iops", 5.0, "/s", 1.0)->label);
    ((AftReferenceCell *)g_ptr_array_index(reference->cells, 6))->label = g_strdup("raid6");
    return reference;
}

static AftResult *simulated(const char *label, double iops)
{
    AftResult *result = aft_result_new();
    g_free(result->label);
    result->label = g_strdup(label);
    AftPhaseRow steady, rebuild;
    aft_phase_row_init(&steady, AFT_PHASE_STEADY);
    aft_phase_row_init(&rebuild, AFT_PHASE_REBUILD);
    steady.duration_s = 60.0;
    steady.iops = iops;
    steady.iops_ci = 330.0;
    steady.write_mean_ms = 3.0;
    steady.write_mean_ci_ms = 0.02;
    steady.read_p99_ms = 12.5;
    steady.read_p99_ci_ms = 0.25;
    rebuild.duration_s = 4920.0;
    g_array_append_val(result->phases, steady);
    g_array_append_val(result->phases, rebuild);
    return result;
}

typedef struct {
    AftReference *reference;
    AftResult *results[2];
    AftComparison *comparison;
} Setup;

static int set_up(void **state)
{
    Setup *setup = g_new0(Setup, 1);
    setup->reference = published();
    setup->results[0] = simulated("raid5", 107000.0);
    setup->results[1] = simulated("rf2", 214000.0);
    setup->comparison = aft_compare(setup->reference, setup->results, 2);
    *state = setup;
    return 0;
}

static int tear_down(void **state)
{
    Setup *setup = *state;
    aft_comparison_free(setup->comparison);
    aft_reference_free(setup->reference);
    aft_result_free(setup->results[0]);
    aft_result_free(setup->results[1]);
    g_free(setup);
    return 0;
}

static void the_text_has_a_table_for_each_mark_and_all_breaches(void **state)
{
    const Setup *setup = *state;
    g_autofree char *text = aft_compare_text(setup->comparison, setup->reference, &wide);
    assert_string_equal(
        text,
        "one host lost\n"
        "Somebody, Part I\n"
        "\n"
        "stated: what the source says\n"
        "configuration  phase   figure          published  simulated           error  allowed  "
        "verdict\n"
        "raid5          steady  write_mean, ms       2.95       3.00 ± 0.02   +1.7 %  ± 5 %    "
        "within\n"
        "raid5          steady  iops, /s          107,676    107,000 ± 330   -0.63 %\n"
        "raid5          scrub   iops, /s             5.00                                      "
        "absent\n"
        "\n"
        "derived: worked out from what it says\n"
        "configuration  phase    figure        published  simulated  error  allowed  verdict\n"
        "raid5          rebuild  minutes, min       66.0       82.0  +24 %  + 4 min  outside\n"
        "\n"
        "suspect: where the source contradicts itself\n"
        "configuration  phase   figure  published  simulated          error  allowed  verdict\n"
        "raid5 / rf2    steady  iops        0.500      0.500 ± 0.002    0 %  - 1 %    within\n"
        "\n"
        "predictions: what the source leaves open\n"
        "configuration  phase   figure        simulated\n"
        "raid5          steady  read_p99, ms       12.5 ± 0.2\n"
        "\n"
        "medians     stated: iops 0.63 %; write_mean 1.7 %; all 1.2 % of 2 (at most 1.7 %)\n"
        "            derived: minutes 24 %\n"
        "            suspect ratios: iops 0 %\n"
        "breaches    raid5 rebuild minutes: 82.0 min instead of 66.0 min (+24 %), allowed + 4 min\n"
        "            raid5 scrub iops: absent, published 5.00 /s\n"
        "left out    1 cell of configurations that were not simulated\n");
}

/* The length of the longest line in characters, up to where @end is. */
static glong widest(const char *text, const char *end)
{
    glong most = 0;
    g_autofree char *tables = g_strndup(text, (gsize)(strstr(text, end) - text));
    g_auto(GStrv) lines = g_strsplit(tables, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        most = MAX(most, g_utf8_strlen(lines[i], -1));
    }
    return most;
}

static void a_narrow_table_leaves_out_what_matters_least(void **state)
{
    const Setup *setup = *state;
    g_autofree char *whole = aft_compare_text(setup->comparison, setup->reference, &wide);
    glong most = widest(whole, "derived:");
    const AftTextStyle narrow = {.width = (guint)most - 1, .utf8 = TRUE, .colour = FALSE};
    g_autofree char *first = aft_compare_text(setup->comparison, setup->reference, &narrow);
    glong less = widest(first, "derived:");
    const AftTextStyle narrower = {.width = (guint)less - 1, .utf8 = TRUE, .colour = FALSE};
    g_autofree char *next = aft_compare_text(setup->comparison, setup->reference, &narrower);
    assert_true(less < most);
    assert_true(widest(next, "derived:") < less);
    assert_non_null(strstr(first, "3.00 ± 0.02"));
    assert_null(strstr(next, "3.00 ± 0.02"));
}

static void colours_and_other_letters_only_where_they_can_be_shown(void **state)
{
    const Setup *setup = *state;
    const AftTextStyle ascii = {.width = 0, .utf8 = FALSE, .colour = FALSE};
    const AftTextStyle coloured = {.width = 0, .utf8 = TRUE, .colour = TRUE};
    g_autofree char *plain = aft_compare_text(setup->comparison, setup->reference, &ascii);
    g_autofree char *bright = aft_compare_text(setup->comparison, setup->reference, &coloured);
    assert_true(g_str_is_ascii(plain));
    assert_null(strchr(plain, '\033'));
    assert_non_null(strstr(plain, "3.00 +- 0.02"));
    assert_non_null(strstr(bright, "\033[1;31moutside\033[0m"));
    assert_non_null(strstr(bright, "\033[32mwithin\033[0m"));
}

static void markdown_has_the_same_tables(void **state)
{
    const Setup *setup = *state;
    g_autofree char *text = aft_compare_markdown(setup->comparison, setup->reference);
    assert_true(g_str_has_prefix(text, "### one host lost\n\nSomebody, Part I\n\n#### stated"));
    assert_non_null(strstr(text, "\n| raid5 | steady | write_mean, ms | 2.95 | 3.00 ± 0.02 | "
                                 "+1.7 % | ± 5 % | within |\n"));
    assert_non_null(strstr(text, "\n#### predictions"));
    assert_non_null(strstr(text, "\n- **breaches**\n  - raid5 rebuild minutes: 82.0 min"));
    assert_non_null(strstr(text, "\n  - raid5 scrub iops: absent"));
}

/* A bar in a label would add a column. */
static void markdown_has_as_many_columns_whatever_labels_hold(void **state)
{
    const Setup *setup = *state;
    AftReferenceCell *cell = g_ptr_array_index(setup->reference->cells, 0);
    g_free(cell->label);
    cell->label = g_strdup("raid|5");
    g_autofree char *text = aft_compare_markdown(setup->comparison, setup->reference);
    assert_non_null(strstr(text, "\n| raid\\|5 | steady | write_mean, ms | 2.95 |"));
}

static void csv_has_a_line_a_cell(void **state)
{
    const Setup *setup = *state;
    g_autofree char *text = aft_compare_csv(setup->comparison);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    assert_int_equal(g_strv_length(lines), 8); /* with the head, and nothing behind the last */
    assert_string_equal(lines[0],
                        "label,over,phase,occurrence,metric,unit,mark,published,simulated,"
                        "half_width,error,least,most,verdict,breach,source,note,role");
    assert_string_equal(lines[1], "raid5,,steady,first,write_mean,ms,stated,2.95,3,0.02,"
                                  "0.0169491525,2.8025,3.0975,within,false,"
                                  "\"Part I, \"\"table 2\"\"\",,");
    assert_string_equal(lines[3], "raid5,,rebuild,first,minutes,min,derived,66,82,,0.242424242,,70,"
                                  "outside,true,\"Part I, \"\"table 2\"\"\",,");
    assert_true(g_str_has_prefix(lines[6], "raid5,,steady,first,read_p99,ms,open,,12.5,0.25,,,,"
                                           "prediction,false,"));
}

static JsonObject *parse(JsonParser *parser, const char *text)
{
    g_autoptr(GError) error = NULL;
    assert_true(json_parser_load_from_data(parser, text, -1, &error));
    return json_node_get_object(json_parser_get_root(parser));
}

static void json_has_cells_summaries_and_counts(void **state)
{
    const Setup *setup = *state;
    g_autofree char *text = aft_compare_json(setup->comparison, setup->reference);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *root = parse(parser, text);
    assert_true(g_str_has_suffix(text, "}\n"));
    assert_string_equal(json_object_get_string_member(root, "reference"), "one host lost");
    assert_int_equal(json_object_get_int_member(root, "breaches"), 2);
    assert_int_equal(json_object_get_int_member(root, "skipped"), 1);
    JsonArray *cells = json_object_get_array_member(root, "cells");
    assert_int_equal(json_array_get_length(cells), 6);
    JsonObject *minutes = json_array_get_object_element(cells, 2);
    assert_within(json_object_get_double_member(minutes, "simulated"), 82.0, 0.0);
    assert_true(json_object_get_null_member(minutes, "half_width"));
    assert_true(json_object_get_null_member(minutes, "least"));
    assert_true(json_object_get_boolean_member(minutes, "breach"));
    JsonArray *summaries = json_object_get_array_member(root, "summaries");
    assert_int_equal(json_array_get_length(summaries), 7);
    JsonObject *all = json_array_get_object_element(summaries, 4);
    assert_true(json_object_get_null_member(all, "metric"));
    assert_string_equal(json_object_get_string_member(all, "mark"), "stated");
    assert_int_equal(json_object_get_int_member(all, "cells"), 2);
}

/* JSON has no number without an end, and no point after an exponent. */
static void json_has_numbers_that_json_has(void **state)
{
    const Setup *setup = *state;
    AftErrorSummary summary = {.n = 1, .median = 1e-8, .largest = INFINITY};
    AftComparison comparison = *setup->comparison;
    comparison.summaries = g_array_new(FALSE, FALSE, sizeof(AftErrorSummary));
    g_array_append_val(comparison.summaries, summary);
    g_autofree char *text = aft_compare_json(&comparison, setup->reference);
    g_array_unref(comparison.summaries);
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonArray *summaries = json_object_get_array_member(parse(parser, text), "summaries");
    JsonObject *it = json_array_get_object_element(summaries, 0);
    assert_null(strstr(text, "e-08.0"));
    assert_within(json_object_get_double_member(it, "median_error"), 1e-8, 1e-23); /* an ulp */
    assert_true(json_object_get_null_member(it, "largest_error"));
}

static void runs_are_shown_with_what_changed(void **state)
{
    const Setup *setup = *state;
    g_autoptr(AftRunComparison) comparison = aft_compare_runs(setup->results[0], setup->results[1]);
    g_autofree char *text = aft_runs_text(comparison, "usual", "new", &wide);
    assert_string_equal(
        text, "new against usual\n"
              "\n"
              "phase    figure            usual             new         change  verdict\n"
              "steady   iops, /s        107,000 ± 330   214,000 ± 330   +100 %  changed\n"
              "steady   write_mean, ms     3.00 ± 0.02     3.00 ± 0.02     0 %\n"
              "steady   read_p99, ms       12.5 ± 0.2      12.5 ± 0.2      0 %\n"
              "steady   minutes, min       1.00            1.00            0 %  no interval\n"
              "rebuild  minutes, min       82.0            82.0            0 %  no interval\n"
              "\n"
              "changed     1 of all 3 figures with intervals, by more than these make of chance\n");
}

static void other_phases_are_told(void **state)
{
    Setup *setup = *state;
    g_array_remove_index(setup->results[1]->phases, 1);
    g_autoptr(AftRunComparison) comparison = aft_compare_runs(setup->results[0], setup->results[1]);
    g_autofree char *text = aft_runs_text(comparison, "usual", "new", &wide);
    g_autofree char *markdown = aft_runs_markdown(comparison, "usual", "new");
    assert_non_null(strstr(text, "\nphases      steady rebuild\nnow         steady\n"));
    assert_non_null(strstr(markdown, "| steady | iops, /s | 107,000 ± 330 | 214,000 ± 330 |"));
    assert_non_null(strstr(markdown, "- **now**: steady\n"));
}

static void all_figures_of_runs_are_in_csv_and_json(void **state)
{
    const Setup *setup = *state;
    g_autoptr(AftRunComparison) comparison = aft_compare_runs(setup->results[0], setup->results[1]);
    g_autofree char *csv = aft_runs_csv(comparison);
    g_autofree char *json = aft_runs_json(comparison, "usual", "new");
    assert_non_null(strstr(csv, "\nsteady,1,iops,/s,107000,330,214000,330,1,true,true\n"));
    assert_non_null(strstr(csv, "\nrebuild,1,minutes,min,82,,82,,0,false,false\n"));
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonObject *root = parse(parser, json);
    JsonArray *differences = json_object_get_array_member(root, "differences");
    assert_int_equal(json_array_get_length(differences), comparison->differences->len);
    JsonObject *iops = json_array_get_object_element(differences, 0);
    assert_int_equal(json_object_get_int_member(iops, "occurrence"), 1);
    assert_true(json_object_get_boolean_member(iops, "differs"));
    assert_string_equal(json_object_get_string_member(root, "phases_after"), "steady rebuild");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_text_has_a_table_for_each_mark_and_all_breaches),
        TEST(a_narrow_table_leaves_out_what_matters_least),
        TEST(colours_and_other_letters_only_where_they_can_be_shown),
        TEST(markdown_has_the_same_tables),
        TEST(markdown_has_as_many_columns_whatever_labels_hold),
        TEST(csv_has_a_line_a_cell),
        TEST(json_has_cells_summaries_and_counts),
        TEST(json_has_numbers_that_json_has),
        TEST(runs_are_shown_with_what_changed),
        TEST(other_phases_are_told),
        TEST(all_figures_of_runs_are_in_csv_and_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
