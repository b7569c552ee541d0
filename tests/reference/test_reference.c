/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "results.h"

static AftReferenceCell with(AftTolerance tolerance)
{
    return (AftReferenceCell){.value = 200.0, .tolerance = tolerance};
}

static void a_share_is_of_the_published_value_and_its_border_within(void **state)
{
    (void)state;
    AftReferenceCell cell = with(within_share(0.05));
    assert_true(aft_reference_cell_allows(&cell, 190.0));
    assert_true(aft_reference_cell_allows(&cell, 210.0));
    assert_false(aft_reference_cell_allows(&cell, 189.9999));
    assert_false(aft_reference_cell_allows(&cell, 210.0001));
}

static void borders_hold_for_values_that_binary_fractions_miss(void **state)
{
    (void)state;
    AftReferenceCell cell = {.value = 0.0021, .tolerance = within_share(0.1)};
    assert_true(aft_reference_cell_allows(&cell, 0.00231));
    assert_true(aft_reference_cell_allows(&cell, 0.00189));
    assert_false(aft_reference_cell_allows(&cell, 0.0023101));
}

static void a_quantity_is_the_same_whatever_the_value(void **state)
{
    (void)state;
    AftReferenceCell cell = with((AftTolerance){{TRUE, FALSE, 4.0}, {TRUE, FALSE, 4.0}});
    assert_true(aft_reference_cell_allows(&cell, 196.0));
    assert_true(aft_reference_cell_allows(&cell, 204.0));
    assert_false(aft_reference_cell_allows(&cell, 195.99));
    assert_false(aft_reference_cell_allows(&cell, 204.01));
}

static void one_side_leaves_the_other_free(void **state)
{
    (void)state;
    AftReferenceCell below = with((AftTolerance){.below = {TRUE, TRUE, 0.01}});
    assert_true(aft_reference_cell_allows(&below, 198.0));
    assert_false(aft_reference_cell_allows(&below, 197.99));
    assert_true(aft_reference_cell_allows(&below, 1e9));
    AftReferenceCell above = with((AftTolerance){.above = {TRUE, FALSE, 1.0}});
    assert_true(aft_reference_cell_allows(&above, 201.0));
    assert_false(aft_reference_cell_allows(&above, 201.01));
    assert_true(aft_reference_cell_allows(&above, 0.0));
}

static void nothing_allows_all_and_zero_only_the_value(void **state)
{
    (void)state;
    AftReferenceCell free_cell = with((AftTolerance){0}), exact = with(within_share(0.0));
    assert_false(aft_reference_cell_bounded(&free_cell));
    assert_true(aft_reference_cell_bounded(&exact));
    assert_true(aft_reference_cell_allows(&free_cell, 1e9));
    assert_true(aft_reference_cell_allows(&exact, 200.0));
    assert_false(aft_reference_cell_allows(&exact, 200.0001));
}

static void assert_side(const char *text, AftUnit unit, AftSide expected)
{
    AftSide side = {0};
    g_autoptr(GError) error = NULL;
    assert_true(aft_side_parse(text, unit, &side, &error));
    assert_int_equal(side.bounded, expected.bounded);
    assert_int_equal(side.relative, expected.relative);
    assert_within(side.amount, expected.amount, 1e-15);
}

static void sides_are_read(void **state)
{
    (void)state;
    assert_side("5 %", AFT_UNIT_TIME, (AftSide){TRUE, TRUE, 0.05});
    assert_side(" 4 min ", AFT_UNIT_TIME, (AftSide){TRUE, FALSE, 240.0});
    assert_side("0.02", AFT_UNIT_COUNT, (AftSide){TRUE, FALSE, 0.02});
    assert_side("none", AFT_UNIT_TIME, (AftSide){FALSE, FALSE, 0.0});
    AftSide untouched = {TRUE, TRUE, 7.0};
    g_autoptr(GError) unit = NULL, range = NULL;
    assert_false(aft_side_parse("4 MB", AFT_UNIT_TIME, &untouched, &unit));
    assert_error(unit, AFT_ERROR_SYNTAX, "MB");
    assert_false(aft_side_parse("-5 %", AFT_UNIT_TIME, &untouched, &range));
    assert_error(range, AFT_ERROR_RANGE, "0 or more");
    assert_within(untouched.amount, 7.0, 0.0);
}

static void cells_have_names(void **state)
{
    (void)state;
    g_autoptr(AftReference) reference = aft_reference_new();
    AftReferenceCell *cell = add_cell(reference, "rf2", AFT_PHASE_REBUILD, "read_mean", 1.0);
    g_autofree char *plain = aft_reference_cell_name(cell);
    cell->over = g_strdup("raid5");
    cell->last = TRUE;
    g_autofree char *ratio = aft_reference_cell_name(cell);
    cell->metric = aft_metric_find("stored_bytes");
    g_autofree char *whole = aft_reference_cell_name(cell);
    assert_string_equal(plain, "rf2 rebuild read_mean");
    assert_string_equal(ratio, "rf2/raid5 last rebuild read_mean");
    assert_string_equal(whole, "rf2/raid5 stored_bytes");
}

static void marks_have_names(void **state)
{
    (void)state;
    for (guint i = 0; i < AFT_MARKS; i++) {
        AftMark mark = AFT_MARKS;
        assert_true(aft_mark_from_name(aft_mark_name((AftMark)i), &mark));
        assert_int_equal(mark, i);
    }
    AftMark mark;
    assert_false(aft_mark_from_name("guessed", &mark));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_is_of_the_published_value_and_its_border_within),
        cmocka_unit_test(borders_hold_for_values_that_binary_fractions_miss),
        cmocka_unit_test(a_quantity_is_the_same_whatever_the_value),
        cmocka_unit_test(one_side_leaves_the_other_free),
        cmocka_unit_test(nothing_allows_all_and_zero_only_the_value),
        cmocka_unit_test(sides_are_read),
        cmocka_unit_test(cells_have_names),
        cmocka_unit_test(marks_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
