/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <aftershock/loader/loader.h>
#include <aftershock/loader/reference.h>

#define HEAD "version: 1\nkind: reference\n"
#define CELL "{label: a, phase: steady, metric: iops, value: 5, unit: /s, mark: stated}"

/* Loads @text as "r.yaml". Returns: (transfer full): the messages, a newline between them;
 * @ret_reference is (transfer full) (nullable). */
static char *messages_of(const char *text, AftReference **ret_reference)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    *ret_reference =
        aft_loader_load_reference_text("refs/r.yaml", text, strlen(text), messages, &error);
    assert_true((*ret_reference == NULL) == (error != NULL));
    g_ptr_array_add(messages, NULL);
    return g_strjoinv("\n", (char **)messages->pdata);
}

static AftReference *load(const char *text)
{
    AftReference *reference = NULL;
    g_autofree char *messages = messages_of(text, &reference);
    assert_string_equal(messages, "");
    assert_non_null(reference);
    return reference;
}

static void assert_messages(const char *text, const char *expected)
{
    g_autoptr(AftReference) reference = NULL;
    g_autofree char *messages = messages_of(text, &reference);
    assert_null(reference);
    assert_string_equal(messages, expected);
}

/* One message, which has @part in it and points at @line and @column. */
static void assert_refused(const char *text, guint line, guint column, const char *part)
{
    g_autoptr(AftReference) reference = NULL;
    g_autofree char *messages = messages_of(text, &reference);
    g_autofree char *place = g_strdup_printf("refs/r.yaml:%u:%u: error: ", line, column);
    gboolean one =
        g_str_has_prefix(messages, place) && strstr(messages + strlen(place), ": error: ") == NULL;
    if (reference != NULL || !one || strstr(messages, part) == NULL) {
        print_error("%s\n--- said:\n%s\n--- not %s%s\n", text, messages, place, part);
        fail();
    }
}

static const AftReferenceCell *cell_of(const AftReference *reference, guint i)
{
    return g_ptr_array_index(reference->cells, i);
}

static void a_reference_is_read(void **state)
{
    (void)state;
    g_autoptr(AftReference) reference =
        load("version: 1\n"
             "kind: reference\n"
             "name: one host lost\n"
             "source: Somebody, Part I\n"
             "tolerance: 10 %\n"
             "fitted: raid5/*/write_mean, wpq\n"
             "configurations:\n"
             "  - {label: raid5, scenario: ../five.yaml}\n"
             "  - {label: wpq, scenario: /abs/six.yaml,\n"
             "     set: {background.scheduler: wpq, run.seed: 3}}\n"
             "cells:\n"
             "  - {label: raid5, phase: steady, metric: write_mean, value: 2.95, unit: ms,\n"
             "     mark: stated, source: table 2, tolerance: 5 %, note: at noon}\n"
             "  - {label: raid5, phase: failed, metric: iops, value: 90372, unit: /s,\n"
             "     mark: derived, tolerance: {below: 3 %}}\n"
             "  - {label: raid5, phase: rebuild, metric: minutes, value: 66, unit: min,\n"
             "     mark: suspect, tolerance: 4 min}\n"
             "  - {label: raid5, phase: catchup, metric: read_mean}\n"
             "  - {label: wpq, occurrence: last, phase: steady, metric: read_mb_per_s, value: 2,\n"
             "     unit: MiB/s, mark: stated, tolerance: none}\n"
             "  - {label: wpq, metric: stored_bytes, value: 8.8, unit: TB, mark: stated}\n");
    assert_string_equal(reference->name, "one host lost");
    const AftConfiguration *wpq = aft_reference_configuration(reference, "wpq");
    assert_string_equal(aft_reference_configuration(reference, "raid5")->scenario,
                        "refs/../five.yaml");
    assert_string_equal(wpq->scenario, "/abs/six.yaml");
    assert_string_equal(wpq->settings[0], "background.scheduler=wpq");
    assert_string_equal(wpq->settings[1], "run.seed=3");
    assert_null(wpq->settings[2]);
    assert_null(aft_reference_configuration(reference, "raid5")->settings[0]);
    assert_int_equal(reference->cells->len, 6);
    const AftReferenceCell *stated = cell_of(reference, 0);
    assert_true(stated->value == 0.00295); /* as the compiler reads it */
    assert_string_equal(stated->unit, "ms");
    assert_true(stated->unit_base == 0.001);
    assert_string_equal(stated->source, "Somebody, Part I, table 2");
    assert_string_equal(stated->note, "at noon");
    assert_true(stated->tolerance.above.relative);
    assert_within(stated->tolerance.above.amount, 0.05, 1e-15);
    const AftReferenceCell *derived = cell_of(reference, 1);
    assert_int_equal(derived->mark, AFT_MARK_DERIVED);
    assert_true(stated->fitted);
    assert_false(derived->fitted);
    assert_false(cell_of(reference, 3)->fitted); /* it is open */
    assert_within(derived->tolerance.below.amount, 0.03, 1e-15);
    assert_false(derived->tolerance.above.bounded);
    const AftReferenceCell *minutes = cell_of(reference, 2);
    assert_within(minutes->value, 3960.0, 0.0);
    assert_false(minutes->tolerance.below.relative);
    assert_within(minutes->tolerance.below.amount, 240.0, 0.0);
    const AftReferenceCell *open = cell_of(reference, 3);
    assert_true(isnan(open->value));
    assert_int_equal(open->phase, AFT_PHASE_CATCHUP);
    assert_string_equal(open->unit, "ms");
    assert_within(open->unit_base, 0.001, 0.0);
    assert_string_equal(open->source, "Somebody, Part I");
    const AftReferenceCell *last = cell_of(reference, 4);
    assert_true(last->last);
    assert_within(last->value, 2097152.0, 0.0);
    assert_false(aft_reference_cell_bounded(last));
    assert_true(cell_of(reference, 5)->metric->whole);
    assert_within(cell_of(reference, 5)->tolerance.above.amount, 0.1, 1e-15);
}

static void ratios_are_written_in_two_ways(void **state)
{
    (void)state;
    g_autoptr(AftReference) reference = load(
        HEAD "cells:\n"
             "- {label: a, over: b, phase: steady, metric: iops, value: 0.356, unit: '1', mark: "
             "derived, tolerance: 0.02}\n"
             "- {label: a, over: b, phase: steady, metric: ratio, of: iops, value: 35.6, unit: "
             "'%', mark: derived}\n");
    for (guint i = 0; i < 2; i++) {
        const AftReferenceCell *cell = cell_of(reference, i);
        assert_string_equal(cell->over, "b");
        assert_string_equal(cell->metric->name, "iops");
        assert_within(cell->value, 0.356, 1e-15);
    }
    assert_within(cell_of(reference, 1)->unit_base, 0.01, 0.0);
    assert_within(cell_of(reference, 0)->tolerance.below.amount, 0.02, 0.0);
    assert_false(cell_of(reference, 0)->tolerance.below.relative);
}

static void a_list_of_one_is_its_item_and_nothing_is_open(void **state)
{
    (void)state;
    g_autoptr(AftReference) reference =
        load(HEAD "configurations: {label: a, scenario: a.yaml}\n"
                  "cells: {label: a, phase: steady, metric: iops, value: ~}\n");
    assert_int_equal(reference->configurations->len, 1);
    assert_true(isnan(cell_of(reference, 0)->value));
    assert_string_equal(reference->name, "r.yaml");
}

static void problems_have_places_and_suggestions(void **state)
{
    (void)state;
    assert_messages(HEAD "cells:\n"
                         "  - label: a\n"
                         "    phase: stedy\n"
                         "    metrik: iops\n"
                         "  - {label: a, phase: failed, metric: read_men, value: 1}\n",
                    "refs/r.yaml:5:12: error: cells[0].phase: there is no phase \"stedy\"; did you "
                    "mean steady?\n"
                    "      phase: stedy\n"
                    "             ^\n"
                    "refs/r.yaml:6:5: error: cells[0].metrik: unknown key; did you mean "
                    "cells[0].metric?\n"
                    "      metrik: iops\n"
                    "      ^\n"
                    "refs/r.yaml:7:39: error: cells[1].metric: there is no metric \"read_men\"; "
                    "did you mean read_mean?\n"
                    "    - {label: a, phase: failed, metric: read_men, value: 1}\n"
                    "                                        ^");
}

static void patterns_of_what_was_fitted_find_cells(void **state)
{
    (void)state;
    assert_messages(HEAD "fitted: a, b/steady\n"
                         "cells: [" CELL "]\n",
                    "refs/r.yaml:3:9: error: fitted: there is no cell \"b/steady\"\n"
                    "  fitted: a, b/steady\n"
                    "          ^");
}

static void wrong_cells_are_refused(void **state)
{
    (void)state;
    const struct {
        const char *cell;
        guint column; /* line 4 */
        const char *part;
    } cases[] = {
        {"{label: a, phase: steady, metric: iops, value: 5, unit: ms, mark: stated}", 59,
         "unknown unit \"ms\": expected a rate"},
        {"{label: a, phase: steady, metric: iops, value: 5, unit: /s, mark: stated, tolerance: ''}",
         88, "cells[0].tolerance: \"\" is empty"},
        {"{label: a, phase: steady, metric: iops, value: 5, unit: /s, mark: stated, tolerance: "
         "{below: ''}}",
         96, "cells[0].tolerance.below: \"\" is empty"},
        {"{label: a, phase: steady, metric: iops, value: 5, unit: /s}", 3,
         "cells[0].mark: missing, a value is stated, derived or suspect"},
        {"{label: a, phase: steady, metric: iops, value: 5, mark: stated}", 3,
         "cells[0].unit: missing"},
        {"{label: a, phase: steady, metric: iops, value: 5, unit: /s, mark: state}", 69,
         "did you mean stated?"},
        {"{label: a, phase: steady, metric: iops, value: 5k, unit: /s, mark: stated}", 50,
         "expected a plain number"},
        {"{label: a, phase: steady, metric: iops, value: nan, unit: /s, mark: stated}", 50,
         "expected a plain number"},
        {"{label: a, phase: steady, metric: iops, value: 1e999, unit: /s, mark: stated}", 50,
         "expected a plain number"},
        {"{label: a, phase: steady, metric: iops, value: 0, unit: /s, mark: stated}", 50,
         "expected more than 0"},
        {"{label: a, phase: steady, metric: iops, value: -5, unit: /s, mark: stated}", 50,
         "expected more than 0"},
        {"{label: a, phase: steady, metric: iops, value: 1e22, unit: /s, mark: stated}", 50,
         "expected what can be measured"},
        {"{label: a, phase: steady, metric: read_mean, value: 1e-4, unit: ns, mark: stated}", 55,
         "expected what can be measured"},
        {"{label: a, phase: steady, metric: iops, tolerance: -5 %}", 54, "expected 0 or more"},
        {"{label: a, phase: steady, metric: iops, tolerance: 4 min}", 54, "unknown unit \"min\""},
        {"{label: a, phase: steady, metric: iops, tolerance: {belov: 4 %}}", 55,
         "did you mean cells[0].tolerance.below?"},
        {"{label: a, over: a, phase: steady, metric: iops}", 20, "expected another configuration"},
        {"{label: a, over: b, phase: steady, metric: iops, value: 1, unit: /s, mark: stated}", 68,
         "unknown unit \"/s\""},
        {"{label: a, over: b, phase: steady, metric: ratio}", 3, "cells[0].of: missing"},
        {"{label: a, phase: steady, metric: ratio, of: iops}", 3, "cells[0].over: missing"},
        {"{label: a, phase: steady, metric: iops, of: iops}", 47, "only metric: ratio"},
        {"{label: a, metric: iops}", 3, "cells[0].phase: missing"},
        {"{phase: steady, metric: iops}", 3, "cells[0].label: missing"},
        {"{label: '', phase: steady, metric: iops}", 11, "expected one line"},
        {"{label: a, phase: steady}", 3, "cells[0].metric: missing"},
        {"{label: a, phase: steady, metric: iops, occurrence: second}", 55,
         "expected first or last"},
        {"{label: a, phase: steady, metric: iops, label: b}", 43, "duplicate key"},
        {"{label: [a], phase: steady, metric: iops}", 11, "expected one value, got a list"},
        {"iops", 3, "expected a map of keys, got \"iops\""},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(HEAD "cells:\n- %s\n", cases[i].cell);
        assert_refused(text, 4, cases[i].column, cases[i].part);
    }
}

static void wrong_heads_are_refused(void **state)
{
    (void)state;
    assert_refused("kind: reference\ncells: [" CELL "]\n", 1, 1, "version: missing");
    assert_refused("version: 2\nkind: reference\ncells: [" CELL "]\n", 1, 10, "expected 1, got 2");
    assert_refused(HEAD "cells: []\n", 3, 8, "expected one cell or more");
    assert_refused(HEAD "cells: 3\n", 3, 8, "expected a list of maps");
    assert_refused(HEAD, 1, 1, "expected one cell or more");
    assert_refused(HEAD "tolerance: 4 min\ncells: [" CELL "]\n", 3, 12, "\"4 min\"");
    assert_refused(HEAD "tolerance: 0.1\ncells: [" CELL "]\n", 3, 12, "like 10 %");
    assert_refused(HEAD "configurations: [{label: a}]\ncells: [" CELL "]\n", 3, 18,
                   "configurations[0].scenario: missing");
    assert_refused(HEAD "configurations: [{scenario: a}]\ncells: [" CELL "]\n", 3, 18,
                   "configurations[0].label: missing");
    assert_refused(HEAD "configurations: [{label: a, scenario: x}, {label: a, scenario: y}]\n"
                        "cells: [" CELL "]\n",
                   3, 51, "there is a configuration called a already");
    assert_refused(HEAD "configurations: [{label: a, scenario: x, set: {run: {seed: 3}}}]\n"
                        "cells: [" CELL "]\n",
                   3, 53, "expected one value, got a map");
}

static void another_kind_is_said_to_be_one(void **state)
{
    (void)state;
    assert_refused("version: 1\ncluster: {nodes: 1}\n", 1, 1,
                   "expected kind: reference; without it this is a scenario");
    assert_refused("version: 1\nkind: scenario\ncluster: {nodes: 1}\n", 2, 7,
                   "kind: expected reference, files of kind scenario are not read here");
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    const char *text = "cells: [" CELL "]\nversion: 1\nkind: reference\n";
    assert_null(aft_loader_load_text("s.yaml", text, strlen(text), NULL, messages, &error));
    assert_error(error, AFT_ERROR_SYNTAX, "s.yaml: 1 error");
    assert_string_equal(g_ptr_array_index(messages, 0),
                        "s.yaml:3:7: error: kind: expected scenario, files of kind reference are "
                        "not read here\n"
                        "  kind: reference\n"
                        "        ^");
}

static void the_kind_is_that_of_the_outermost_map(void **state)
{
    (void)state;
    /* Not a value, not a key further in. */
    assert_refused("name: kind\ntimeline: {kind: reference}\n", 1, 1, "expected kind: reference");
    assert_refused("[kind, reference]\n", 1, 1, "expected kind: reference");
}

static void cells_are_limited(void **state)
{
    (void)state;
    g_autoptr(GString) text = g_string_new(HEAD "cells:\n");
    for (guint i = 0; i < 10000; i++) {
        g_string_append(text, "- " CELL "\n");
    }
    g_autoptr(AftReference) most = load(text->str);
    assert_int_equal(most->cells->len, 10000);
    g_string_append(text, "- " CELL "\n");
    assert_refused(text->str, 10004, 3, "expected at most 10000 items");
}

static void broken_text_is_no_reference(void **state)
{
    (void)state;
    assert_refused(HEAD "cells:\n- " CELL "\n- {label: a: b}\n", 5, 12, "not YAML");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reference_is_read),
        cmocka_unit_test(ratios_are_written_in_two_ways),
        cmocka_unit_test(a_list_of_one_is_its_item_and_nothing_is_open),
        cmocka_unit_test(problems_have_places_and_suggestions),
        cmocka_unit_test(patterns_of_what_was_fitted_find_cells),
        cmocka_unit_test(wrong_cells_are_refused),
        cmocka_unit_test(wrong_heads_are_refused),
        cmocka_unit_test(another_kind_is_said_to_be_one),
        cmocka_unit_test(the_kind_is_that_of_the_outermost_map),
        cmocka_unit_test(cells_are_limited),
        cmocka_unit_test(broken_text_is_no_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
