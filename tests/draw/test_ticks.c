/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <test.h>
#include <ticks.h>

/* The labels of @ticks, joined by " | ". Frees @ticks. */
static char *labels_of(GArray *ticks)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < ticks->len; i++) {
        g_string_append_printf(text, "%s%s", i > 0 ? " | " : "",
                               g_array_index(ticks, AftTick, i).label);
    }
    g_array_unref(ticks);
    return g_string_free(text, FALSE);
}

static void assert_labels(GArray *ticks, const char *expected)
{
    g_autofree char *labels = labels_of(ticks);
    assert_string_equal(labels, expected);
}

static void steps_are_one_two_or_five_times_a_power_of_ten(void **state)
{
    (void)state;
    assert_labels(aft_ticks_linear(0.0, 137.0, 5), "0 | 50 | 100");
    assert_labels(aft_ticks_linear(0.0, 100.0, 5), "0 | 20 | 40 | 60 | 80 | 100");
    assert_labels(aft_ticks_linear(0.0, 1.0, 4), "0.0 | 0.5 | 1.0");
    assert_labels(aft_ticks_linear(0.0, 0.3, 3), "0.0 | 0.1 | 0.2 | 0.3");
    assert_labels(aft_ticks_linear(0.0, 2.6e6, 3), "0 | 1,000,000 | 2,000,000");
    assert_labels(aft_ticks_linear(-1500.0, 900.0, 5), "-1,500 | -1,000 | -500 | 0 | 500");
}

static void an_axis_has_two_ticks_at_least(void **state)
{
    (void)state;
    assert_labels(aft_ticks_linear(0.0, 46.0, 2), "0 | 20 | 40");
    for (double to = 1e-6; to < 1e9; to *= 1.37) {
        for (guint most = 1; most < 9; most++) {
            g_autoptr(GArray) ticks = aft_ticks_linear(0.0, to, most);
            assert_true(ticks->len >= 2 && ticks->len <= MAX(most, 3) + 1);
        }
    }
}

static void logarithmic_axes_name_powers_of_ten_first(void **state)
{
    (void)state;
    assert_labels(aft_ticks_log(0.5, 50.0, 6), "0.5 | 1 | 2 | 5 | 10 | 20 | 50");
    assert_labels(aft_ticks_log(1.0, 1000.0, 5), "1 |  |  | 10 |  |  | 100 |  |  | 1,000");
    assert_labels(aft_ticks_log(1e-3, 1e6, 3), "0.001 | 1 | 1,000 | 1,000,000");
}

static void time_goes_by_minutes_hours_and_days(void **state)
{
    (void)state;
    assert_labels(aft_ticks_time(5.8 * 3600.0, 6), "0 | 1 h | 2 h | 3 h | 4 h | 5 h");
    assert_labels(aft_ticks_time(5400.0, 4), "0 | 30 min | 1 h | 1 h 30 min");
    assert_labels(aft_ticks_time(150.0, 5), "0 | 30 s | 1 min | 1 min 30 s | 2 min | 2 min 30 s");
    assert_labels(aft_ticks_time(2.5 * 86400.0, 5), "0 | 12 h | 1 d | 1 d 12 h | 2 d | 2 d 12 h");
    assert_labels(aft_ticks_time(1825.0 * 86400.0, 4), "0 | 500 d | 1000 d | 1500 d");
    assert_labels(aft_ticks_time(1.0, 5), "0 | 0.2 s | 0.4 s | 0.6 s | 0.8 s | 1 s");
    assert_labels(aft_ticks_time(0.004, 4), "0 | 0.001 s | 0.002 s | 0.003 s | 0.004 s");
}

static void round_numbers_are_beside_any_number(void **state)
{
    (void)state;
    assert_within(aft_ticks_above(0.3), 0.5, 1e-12);
    assert_within(aft_ticks_below(0.3), 0.2, 1e-12);
    assert_within(aft_ticks_above(5.1), 10.0, 1e-12);
    assert_within(aft_ticks_below(5.1), 5.0, 1e-12);
    assert_within(aft_ticks_above(200.0), 200.0, 1e-9);
    assert_within(aft_ticks_below(200.0), 200.0, 1e-9);
}

/* Whatever a broken result holds, an axis ends. */
static void absurd_ranges_have_few_ticks(void **state)
{
    (void)state;
    g_autoptr(GArray) huge = aft_ticks_linear(0.0, 1e300, 5);
    assert_true(huge->len <= 6);
    g_autoptr(GArray) decades = aft_ticks_log(1e-300, 1e300, 5);
    assert_true(decades->len <= 10);
    g_autoptr(GArray) ages = aft_ticks_time(1e300, 8);
    assert_true(ages->len <= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_one_two_or_five_times_a_power_of_ten),
        cmocka_unit_test(an_axis_has_two_ticks_at_least),
        cmocka_unit_test(logarithmic_axes_name_powers_of_ten_first),
        cmocka_unit_test(time_goes_by_minutes_hours_and_days),
        cmocka_unit_test(round_numbers_are_beside_any_number),
        cmocka_unit_test(absurd_ranges_have_few_ticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
